//! `play` line by line: for pipes, scripts and simple terminals.
//!
//! Lines are run in order. A line that needs the position waits for the engine's move; `now` runs
//! at once, and `quit` makes the engine move at once. If a script's file cannot be read or written,
//! standard error says so and the exit status is 1; other refusals are part of the game.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::super::board_text;
use super::super::{Error, Output};
use super::describe;
use crate::cli::wrap::wrapped;
use crate::play::command::{Command, HELP, OPENING_HELP, parse};
use crate::play::driver::Driver;
use crate::play::game::Turn;
use crate::play::keep::Keeper;
use crate::play::model::{Answer, Controller, Effect, Model, Purpose};
use tengen::engine::Engine;
use tengen::engine::background::EngineEvent;
use tengen::openings::Player;
use tengen::streams::eprint_line;

/// Columns of a line.
const WIDTH: usize = 80;
/// Time between two checks of the clock.
const TICK: Duration = Duration::from_millis(100);

/// An event that the loop waits for.
enum Event {
    Line(String),
    EndOfInput,
    Engine(EngineEvent<Answer>),
}

impl From<EngineEvent<Answer>> for Event {
    fn from(event: EngineEvent<Answer>) -> Event {
        Event::Engine(event)
    }
}

pub(super) fn run(
    mut model: Model,
    first: Vec<Effect>,
    engine: Engine,
    keeper: Option<Keeper>,
    out: &mut Output,
) -> Result<ExitCode, Error> {
    let (events, inbox) = mpsc::channel();
    let mut driver = Driver::new(engine, keeper, events.clone());
    let status = play(&mut model, first, &mut driver, events, &inbox, out);
    if let Some(file) = driver.kept_file(&model).filter(|_| model.is_unsaved()) {
        eprint_line(describe::farewell(&model, file));
    }
    status
}

fn play(
    model: &mut Model,
    first: Vec<Effect>,
    driver: &mut Driver<Event>,
    events: Sender<Event>,
    inbox: &Receiver<Event>,
    out: &mut Output,
) -> Result<ExitCode, Error> {
    thread::spawn(move || read_lines(&events));
    let mut printer = Printer::new(io::stdin().is_terminal());
    let _ = driver.carry_out(model, first);
    let mut waiting: VecDeque<String> = VecDeque::new();
    let mut input_ended = false;
    let mut status = ExitCode::SUCCESS;
    loop {
        printer.print_changes(model, out)?;
        while let Some(line) = waiting.pop_front() {
            match run_line(&line, model, driver, &mut printer, out)? {
                LineOutcome::Done => printer.print_changes(model, out)?,
                LineOutcome::Failed(error) => {
                    out.flush()?;
                    eprint_line(format_args!("tengen: {error}"));
                    status = ExitCode::FAILURE;
                }
                LineOutcome::Leave => {
                    out.flush()?;
                    return Ok(status);
                }
                LineOutcome::Later => {
                    waiting.push_front(line);
                    break;
                }
            }
        }
        let over = model.game().player().is_none() || model.is_persons_turn();
        if input_ended && waiting.is_empty() && model.thinking().is_none() && over {
            return Ok(status);
        }
        printer.prompt(model, out)?;
        out.flush()?;
        let left = match inbox.recv_timeout(TICK) {
            Ok(Event::Line(line)) => {
                waiting.push_back(line);
                ControlFlow::Continue(())
            }
            Ok(Event::EndOfInput) => {
                input_ended = true;
                ControlFlow::Continue(())
            }
            Ok(Event::Engine(event)) => driver.engine_event(model, event),
            Err(RecvTimeoutError::Timeout) => {
                let effects = model.tick(Instant::now());
                driver.carry_out(model, effects)
            }
            Err(RecvTimeoutError::Disconnected) => ControlFlow::Break(()),
        };
        if left.is_break() {
            return Ok(status);
        }
    }
}

fn read_lines(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_string();
                // Fails only when the game is over.
                let _ = events.send(Event::Line(line));
            }
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// The outcome of a line.
enum LineOutcome {
    Done,
    /// A script's file was not read or written, for this reason; the script goes on.
    Failed(String),
    /// The line waits for the engine.
    Later,
    /// The program ends.
    Leave,
}

fn run_line(
    line: &str,
    model: &mut Model,
    driver: &mut Driver<Event>,
    printer: &mut Printer,
    out: &mut Output,
) -> io::Result<LineOutcome> {
    let text = line.split('#').next().unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(LineOutcome::Done);
    }
    let command = parse(text, model.game().board());
    let is_busy = model.thinking().is_some();
    match command {
        Ok(Command::Quit) => {
            // A script expects the answer to its last move before it ends.
            let answers = model.thinking().is_some_and(|t| t.purpose == Purpose::Turn)
                && Player::BOTH
                    .map(|p| model.controller(p))
                    .contains(&Controller::Person);
            if printer.prompts || !answers {
                return Ok(LineOutcome::Leave);
            }
            let effects = model.command(Command::MoveNow, Instant::now());
            let _ = driver.carry_out(model, effects);
            return Ok(LineOutcome::Later);
        }
        Ok(Command::MoveNow) if is_busy => {}
        _ if is_busy => return Ok(LineOutcome::Later),
        _ => {}
    }
    printer.has_prompted = false;
    let command = match command {
        Ok(command) => command,
        Err(error) => {
            writeln!(out, "{error}")?;
            return Ok(LineOutcome::Done);
        }
    };
    match command {
        Command::Help => help(out)?,
        Command::Board => printer.board(model, out)?,
        Command::Moves => moves(model, out)?,
        _ => {}
    }
    let needs_file = matches!(command, Command::Save { .. } | Command::Load(_));
    let effects = model.command(command, Instant::now());
    let _ = driver.carry_out(model, effects);
    let is_scripted = !printer.prompts;
    if is_scripted && needs_file && model.notice().is_some_and(|notice| notice.is_error) {
        let notice = model.take_notice();
        return Ok(LineOutcome::Failed(
            notice.map_or_else(String::new, |n| n.text),
        ));
    }
    Ok(LineOutcome::Done)
}

fn help(out: &mut Output) -> io::Result<()> {
    for (words, meaning) in HELP.iter().chain(OPENING_HELP) {
        writeln!(out, "  {words:<34} {meaning}")?;
    }
    writeln!(out, "  {:<34} a comment", "# ...")
}

fn moves(model: &Model, out: &mut Output) -> io::Result<()> {
    let game = model.game();
    for (turn, numbers) in game.turns().iter().zip(game.move_numbers()) {
        writeln!(out, "{}", describe::numbered_turn(model, &numbers, turn))?;
    }
    Ok(())
}

/// Prints each change once.
struct Printer {
    /// The number of the game of the printed title.
    titled: Option<u32>,
    /// Turns that were printed.
    told: Vec<Turn>,
    /// The state after the printed turns at the last printing of the board: the end of the game
    /// (true or false), and the number of points chosen so far in a choice of several.
    shown: Option<(bool, usize)>,
    has_hinted: bool,
    /// True if a person types the input and gets a prompt.
    prompts: bool,
    has_prompted: bool,
}

impl Printer {
    fn new(prompts: bool) -> Printer {
        Printer {
            titled: None,
            told: Vec::new(),
            shown: None,
            has_hinted: false,
            prompts,
            has_prompted: false,
        }
    }

    /// Prints the title of the game once.
    fn title(&mut self, model: &Model, out: &mut Output) -> io::Result<()> {
        if self.titled == Some(model.game_number()) {
            return Ok(());
        }
        self.titled = Some(model.game_number());
        self.told.clear();
        self.shown = None;
        let title = describe::title(model);
        self.line(&format!("{title}; 'help' lists the commands"), out)
    }

    fn print_changes(&mut self, model: &mut Model, out: &mut Output) -> io::Result<()> {
        if let Some(notice) = model.take_notice() {
            self.line(&notice.text, out)?;
        }
        self.title(model, out)?;
        self.turns(model, out)?;
        self.hint(model, out)?;
        let is_over = model.game().player().is_none();
        let state = Some((is_over, model.picked().len()));
        if (is_over || model.is_persons_turn()) && self.shown != state {
            self.shown = state;
            self.board(model, out)?;
        }
        Ok(())
    }

    /// Prints turns taken back, and new ones.
    fn turns(&mut self, model: &Model, out: &mut Output) -> io::Result<()> {
        let game = model.game();
        let turns = game.turns();
        let same = self.told.iter().zip(turns).take_while(|(a, b)| a == b);
        let same = same.count();
        let gone = self.told.len() - same;
        if gone > 0 {
            let s = if gone == 1 { "" } else { "s" };
            self.line(&format!("{gone} move{s} taken back"), out)?;
        }
        for (turn, numbers) in turns.iter().zip(game.move_numbers()).skip(same) {
            let mut text = describe::numbered_turn(model, &numbers, turn);
            if let Some(thought) = turn.thought.filter(|_| model.display().values) {
                let rate = describe::win_rate(thought.black_wins);
                text.push_str(&format!("   depth {}, {rate}", thought.depth));
            }
            self.line(&text, out)?;
            let is_third = numbers.contains(&3);
            if let Some(opening) = describe::named_opening(game).filter(|_| is_third) {
                self.line(&format!("     opening {opening}"), out)?;
            }
        }
        if gone > 0 || same < turns.len() {
            self.told = turns.to_vec();
            self.shown = None;
        }
        Ok(())
    }

    fn hint(&mut self, model: &Model, out: &mut Output) -> io::Result<()> {
        let Some(hint) = model.hint() else {
            self.has_hinted = false;
            return Ok(());
        };
        if self.has_hinted {
            return Ok(());
        }
        self.has_hinted = true;
        let height = model.game().setup().height;
        let mut text = format!("hint: {}", describe::advice(hint, height));
        if let Some(line) = hint.line.as_ref().filter(|_| model.display().values) {
            let color = model.game().board().side_to_move();
            text.push_str(&format!(
                "   {}, line {}",
                describe::search(line, color),
                describe::line(line, height)
            ));
        }
        self.line(&text, out)
    }

    fn line(&mut self, text: &str, out: &mut Output) -> io::Result<()> {
        if self.has_prompted {
            self.has_prompted = false;
            writeln!(out)?;
        }
        writeln!(out, "{text}")
    }

    /// Prints the board, and below it the side to move.
    fn board(&mut self, model: &Model, out: &mut Output) -> io::Result<()> {
        let game = model.game();
        let forbidden: Vec<_> = game.forbidden().iter().collect();
        let hinted = model.hint().map(|hint| hint.points()).unwrap_or_default();
        let marked = [describe::marked(model), hinted].concat();
        self.line("", out)?;
        board_text::write(out, game.board(), game.last_stone(), &forbidden, &marked)?;
        let mut texts = vec![describe::state(model)];
        if game.player().is_none() {
            texts.push(describe::after_the_end(model));
        }
        for line in texts.iter().flat_map(|text| wrapped(text, WIDTH)) {
            writeln!(out, "{line}")?;
        }
        for color in tengen::types::Color::BOTH {
            let face = model.clock(game.holder(color), Instant::now());
            if let Some(face) = face {
                writeln!(
                    out,
                    "  {} {}",
                    describe::capital(color),
                    describe::clock(face)
                )?;
            }
        }
        Ok(())
    }

    fn prompt(&mut self, model: &Model, out: &mut Output) -> io::Result<()> {
        if self.prompts && !self.has_prompted && model.thinking().is_none() {
            self.has_prompted = true;
            write!(out, "> ")?;
        }
        Ok(())
    }
}
