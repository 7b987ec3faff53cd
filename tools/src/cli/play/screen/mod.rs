//! `play` on the whole screen.

mod board;
mod chart;
mod keys;
mod layout;
mod line;
mod panel;
mod screenshot;
mod svg;
mod terminal;
mod theme;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{
    self, Event as Input, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
#[cfg(unix)]
use signal_hook::{consts::SIGCONT, iterator::Signals};

use super::super::Error;
use super::super::interrupt::on_interrupt;
use super::describe;
use crate::play::command::Command;
use crate::play::driver::Driver;
use crate::play::keep::Keeper;
use crate::play::model::{Answer, Effect, Model};
use keys::{InputState, Reaction};
pub(in crate::cli) use screenshot::screenshot;
use tengen::engine::Engine;
use tengen::engine::background::EngineEvent;
use tengen::streams::eprint_line;
use terminal::Screen;
use theme::Theme;

/// Time between two drawings of the screen while a time shows on it.
const TICK: Duration = Duration::from_millis(200);

/// An event that the loop waits for.
enum Event {
    Input(Input),
    /// The terminal is gone.
    InputEnded,
    /// The system asks the program to end.
    Terminate,
    /// The program goes on after a stop.
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "no other system stops programs")
    )]
    Continued,
    Engine(EngineEvent<Answer>),
}

impl From<EngineEvent<Answer>> for Event {
    fn from(event: EngineEvent<Answer>) -> Event {
        Event::Engine(event)
    }
}

/// The game on the screen, and the person's input.
struct Ui {
    model: Model,
    input_state: InputState,
    theme: Theme,
    /// True if the person has tried once to leave an unsaved game.
    is_leaving: bool,
    /// The error in the typed line.
    wrong: Option<String>,
    /// True if the terminal may no longer show the last drawing.
    is_stale: bool,
    /// True if another program may have used the terminal in between.
    is_continued: bool,
}

pub(super) fn run(
    model: Model,
    first: Vec<Effect>,
    engine: Engine,
    keeper: Option<Keeper>,
    ascii: bool,
) -> Result<ExitCode, Error> {
    let (events, inbox) = mpsc::channel();
    let terminate = events.clone();
    // In raw mode Ctrl-C is a key; this handles signals from elsewhere.
    on_interrupt(move || {
        let _ = terminate.send(Event::Terminate);
    })?;
    #[cfg(unix)]
    on_continuation(events.clone())?;
    let mut driver = Driver::new(engine, keeper, events.clone());
    let mut ui = Ui {
        input_state: InputState::new(model.game().board()),
        model,
        theme: Theme::detect(ascii),
        is_leaving: false,
        wrong: None,
        is_stale: false,
        is_continued: false,
    };
    let mut screen = Screen::take()?;
    thread::spawn(move || read_input(&events));
    let ended = play(&mut ui, &mut driver, first, &inbox, &mut screen);
    // The terminal's reader may still wait for a key, so its thread is not joined.
    drop(screen);
    if let Some(file) = driver
        .kept_file(&ui.model)
        .filter(|_| ui.model.is_unsaved())
    {
        eprint_line(describe::farewell(&ui.model, file));
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn play(
    ui: &mut Ui,
    driver: &mut Driver<Event>,
    first: Vec<Effect>,
    inbox: &Receiver<Event>,
    screen: &mut Screen,
) -> Result<(), Error> {
    let mut left = driver.carry_out(&mut ui.model, first);
    while left.is_continue() {
        let now = Instant::now();
        if std::mem::take(&mut ui.is_continued) {
            screen.take_again()?;
            ui.is_stale = true;
        }
        if std::mem::take(&mut ui.is_stale) {
            // `clear` would ask the terminal for the cursor's place, and another thread would read
            // the answer.
            let area = screen.terminal.size()?.into();
            screen.terminal.resize(area)?;
        }
        screen.terminal.draw(|frame| {
            let area = frame.area();
            layout::draw(ui, area, now, frame.buffer_mut());
            if let Some((x, y)) = layout::caret(ui, area) {
                frame.set_cursor_position(Position { x, y });
            }
        })?;
        left = wait(ui, driver, inbox, screen.terminal.size()?.into());
    }
    Ok(())
}

/// Sends an event at each continuation after a stop.
#[cfg(unix)]
fn on_continuation(events: Sender<Event>) -> Result<(), Error> {
    let signals = Signals::new([SIGCONT]);
    let mut signals = signals.map_err(|e| Error::Failed(format!("signal handler: {e}")))?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if events.send(Event::Continued).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn read_input(events: &Sender<Event>) {
    while let Ok(input) = event::read() {
        if events.send(Event::Input(input)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::InputEnded);
}

/// Waits for an event, then takes in all events that have come.
fn wait(
    ui: &mut Ui,
    driver: &mut Driver<Event>,
    inbox: &Receiver<Event>,
    area: Rect,
) -> ControlFlow<()> {
    match inbox.recv_timeout(TICK) {
        Ok(event) => ui.event(event, driver, area)?,
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => return ControlFlow::Break(()),
    }
    while let Ok(event) = inbox.try_recv() {
        ui.event(event, driver, area)?;
    }
    let effects = ui.model.tick(Instant::now());
    driver.carry_out(&mut ui.model, effects)
}

impl Ui {
    fn event(&mut self, event: Event, driver: &mut Driver<Event>, area: Rect) -> ControlFlow<()> {
        match event {
            Event::Input(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                self.key(key, driver)
            }
            Event::Input(Input::Mouse(mouse)) => {
                let reaction = self.mouse(mouse, area);
                self.react(reaction, driver)
            }
            // A new size is drawn by the next round.
            Event::Input(_) => ControlFlow::Continue(()),
            Event::Continued => {
                self.is_continued = true;
                ControlFlow::Continue(())
            }
            Event::InputEnded | Event::Terminate => ControlFlow::Break(()),
            Event::Engine(event) => driver.engine_event(&mut self.model, event),
        }
    }

    fn react(&mut self, reaction: Reaction, driver: &mut Driver<Event>) -> ControlFlow<()> {
        match reaction {
            Reaction::None => ControlFlow::Continue(()),
            Reaction::Redraw => {
                self.is_stale = true;
                ControlFlow::Continue(())
            }
            Reaction::Abort => ControlFlow::Break(()),
            Reaction::Wrong(text) => {
                self.wrong = Some(text);
                ControlFlow::Continue(())
            }
            Reaction::Command(command) => self.command(command, driver),
        }
    }

    fn key(&mut self, key: KeyEvent, driver: &mut Driver<Event>) -> ControlFlow<()> {
        self.forget_errors();
        let is_thinking = self.model.thinking().is_some();
        let was_typing = !self.input_state.input.value().is_empty();
        let board = self.model.game().board();
        let reaction = self.input_state.key(key, board, is_thinking);
        let has_sent =
            was_typing && self.input_state.input.value().is_empty() && reaction != Reaction::None;
        self.react(reaction, driver)?;
        let notice = self.model.notice();
        if has_sent && (self.wrong.is_some() || notice.is_some_and(|notice| notice.is_error)) {
            self.input_state.refuse_line();
        }
        ControlFlow::Continue(())
    }

    /// Removes an error's text at the next key.
    fn forget_errors(&mut self) {
        self.wrong = None;
        if self.model.notice().is_some_and(|notice| notice.is_error) {
            self.model.take_notice();
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, area: Rect) -> Reaction {
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.input_state.shows_help {
            self.input_state.shows_help = !is_click;
            return Reaction::None;
        }
        let view = layout::board_view(self, area);
        let Some(p) = view.point_at(mouse.column, mouse.row) else {
            return Reaction::None;
        };
        match mouse.kind {
            _ if is_click => {
                self.forget_errors();
                return self.input_state.click(p);
            }
            // Shows the target of a click. A part of the board would scroll, so only on the whole
            // board.
            MouseEventKind::Moved if view.is_whole(self.model.game().board()) => {
                self.input_state.cursor = p;
            }
            _ => {}
        }
        Reaction::None
    }

    fn command(&mut self, command: Command, driver: &mut Driver<Event>) -> ControlFlow<()> {
        let leaves = command == Command::Quit;
        let is_safe = !self.model.is_unsaved() || driver.kept_file(&self.model).is_some();
        if leaves && !is_safe && !self.is_leaving {
            self.is_leaving = true;
            self.wrong = Some("the game is not saved: quit again to leave".to_string());
            return ControlFlow::Continue(());
        }
        self.is_leaving = false;
        let effects = self.model.command(command, Instant::now());
        driver.carry_out(&mut self.model, effects)?;
        let board = self.model.game().board();
        let (x, y) = (self.input_state.cursor.x(), self.input_state.cursor.y());
        if !board.contains(x.into(), y.into()) {
            self.input_state.cursor = InputState::new(board).cursor;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
