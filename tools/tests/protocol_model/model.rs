//! The state and answers required of a session, written from `protocol.md` and the reference rules.

use tengen::board::Board;
use tengen::rules::{Rule, forbidden_points, winner};

use crate::answers::{Asked, News, Wanted};
use crate::command::{Cell, Command, Entry, Number, Question};
use crate::conversation::{Lines, Trouble, wrong};
use crate::openings;
use crate::positions::{Blocks, empty_like, free_point, point, position, without};

/// Keys sent only by managers of the Yixin family.
const YIXIN_KEYS: [&str; 12] = [
    "show_detail",
    "hash_size",
    "thread_num",
    "thread_split_depth",
    "caution_factor",
    "pondering",
    "checkmate",
    "vcthread",
    "nbestsym",
    "usedatabase",
    "database_readonly",
    "start_depth",
];

/// A session in the manager's view.
#[derive(Default)]
pub struct Model {
    board: Option<Board>,
    rule_code: i64,
    is_yixin: bool,
    has_gui: bool,
    news: News,
    max_node: Option<i64>,
    blocks: Blocks,
    /// A search without an answer so far.
    asked: Option<Asked>,
}

impl Model {
    /// The board, by the answers so far.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    fn rule(&self) -> Rule {
        match (self.rule_code, self.is_yixin) {
            (0, _) | (2, false) | (5 | 6, true) => Rule::Freestyle,
            (1 | 3, _) => Rule::Standard,
            (8 | 10, _) => Rule::Caro,
            (9 | 11, _) => Rule::CaroExact,
            _ => Rule::Renju,
        }
    }

    /// True if a search ends by itself.
    fn is_limited(&self) -> bool {
        self.max_node.is_some_and(|n| (1..=2_000).contains(&n))
    }

    /// Takes a command and hears its answer.
    pub fn take(&mut self, command: &Command, lines: &mut impl Lines) -> Result<(), Trouble> {
        match command {
            Command::Info(key, value) => self.set(key, value),
            Command::Ask(question) => {
                self.is_yixin |= question.is_yixin();
                return self.answer(question, lines);
            }
            Command::Unknown(_) if !self.has_gui => {
                let line = self.next_at_once(lines)?;
                return expect(line.starts_with("UNKNOWN command"), &line, "UNKNOWN");
            }
            Command::TooLong(_) => {
                let line = self.next_at_once(lines)?;
                return expect(line.starts_with("ERROR "), &line, "ERROR");
            }
            Command::Stop(_) | Command::Silent(_) | Command::Remains(_) | Command::Unknown(_) => {}
            _ => {
                // The command waits for the end of the search.
                self.settle(lines)?;
                return self.obey(command, lines);
            }
        }
        Ok(())
    }

    /// Hears the answer of a search that may run.
    pub fn settle(&mut self, lines: &mut impl Lines) -> Result<(), Trouble> {
        while self.asked.is_some() {
            let line = next_line(lines, self.is_limited())?;
            if !self.takes_as_news(&line)? {
                self.take_answer(&line)?;
            }
        }
        Ok(())
    }

    /// Nothing more may come.
    pub fn expect_nothing(&mut self, lines: &mut impl Lines) -> Result<(), Trouble> {
        let line = next_line(lines, true)?;
        wrong(format!("expected nothing more, got {line:?}"))
    }

    /// The next line other than news or an answer of a search that may run.
    fn next_at_once(&mut self, lines: &mut impl Lines) -> Result<String, Trouble> {
        loop {
            let line = next_line(lines, true)?;
            if self.takes_as_news(&line)? {
                continue;
            }
            if !self
                .asked
                .as_ref()
                .is_some_and(|asked| asked.is_answer(&line))
            {
                return Ok(line);
            }
            self.take_answer(&line)?;
        }
    }

    fn takes_as_news(&mut self, line: &str) -> Result<bool, Trouble> {
        match &mut self.asked {
            Some(asked) => asked.takes_as_news(line),
            None => Ok(false),
        }
    }

    fn take_answer(&mut self, line: &str) -> Result<(), Trouble> {
        let asked = self.asked.take().expect("a search was asked for");
        self.board = Some(asked.after(line)?);
        Ok(())
    }

    /// The next line answers a command sent while nothing ran.
    fn expect_line(&mut self, lines: &mut impl Lines, wanted: &str) -> Result<(), Trouble> {
        let line = self.next_at_once(lines)?;
        expect(line == wanted, &line, wanted)
    }

    fn expect_error(&mut self, lines: &mut impl Lines) -> Result<(), Trouble> {
        let line = self.next_at_once(lines)?;
        expect(line.starts_with("ERROR "), &line, "ERROR")
    }

    fn set(&mut self, key: &str, value: &Number) {
        self.is_yixin |= YIXIN_KEYS.contains(&key);
        let Some(number) = value.1 else {
            return;
        };
        match key {
            "rule" if (0..=11).contains(&number) && number != 7 => self.rule_code = number,
            "max_node" => self.max_node = Some(number),
            "show_detail" => {
                self.news = News {
                    realtime: matches!(number, 1 | 3),
                    details: matches!(number, 2 | 3),
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, question: &Question, lines: &mut impl Lines) -> Result<(), Trouble> {
        let first = self.next_at_once(lines)?;
        let fits = match question {
            Question::About => first.starts_with("name=\"Tengen\", version="),
            Question::ShowInfo => {
                self.has_gui = true;
                for wanted in [
                    "MESSAGE INFO MAX_THREAD_NUM 256",
                    "MESSAGE INFO MAX_HASH_SIZE 26",
                ] {
                    let line = next_line(lines, true)?;
                    expect(line == wanted, &line, wanted)?;
                }
                first.starts_with("MESSAGE Tengen ")
            }
            Question::TraceBoard => return self.compare_board(&first, lines),
            Question::Draw => ["MESSAGE DRAW ACCEPT", "MESSAGE DRAW REJECT"].contains(&&*first),
            Question::Resign => first == "MESSAGE RESIGN ACCEPT",
            Question::Feature => match &self.board {
                Some(_) => first.starts_with("MESSAGE Static evaluation "),
                None => first == "MESSAGE There is no board",
            },
            Question::HashUsage => {
                first.starts_with("MESSAGE Transposition table full: ") && first.ends_with('%')
            }
            Question::QueryAll(word, _) => {
                if word.ends_with('T') && self.board.is_some() {
                    let line = next_line(lines, true)?;
                    let wanted = "MESSAGE DATABASE TEXT \"\"";
                    expect(line == wanted, &line, wanted)?;
                }
                let line = next_line(lines, true)?;
                expect(line == "MESSAGE DATABASE DONE", &line, "DONE")?;
                first == "MESSAGE DATABASE REFRESH"
            }
            Question::QueryOne(_) | Question::QueryText(_) if self.board.is_none() => {
                first == "ERROR The database: send START first"
            }
            Question::QueryOne(_) => first == "MESSAGE DATABASE ONE 0 0 0 0",
            Question::QueryText(_) => first == "MESSAGE DATABASE TEXT \"\"",
        };
        expect(fits, &first, &format!("the answer to {question:?}"))
    }

    /// `TRACEBOARD` shows the session's board.
    fn compare_board(&self, first: &str, lines: &mut impl Lines) -> Result<(), Trouble> {
        let Some(board) = &self.board else {
            let wanted = "MESSAGE There is no board";
            return expect(first == wanted, first, wanted);
        };
        let mut line = first.to_string();
        for row in board.to_string().lines() {
            expect(line == format!("MESSAGE |{row}"), &line, &board.to_string())?;
            line = next_line(lines, true)?;
        }
        let wanted = format!("MESSAGE {} to move, {}", board.side_to_move(), self.rule());
        expect(line == wanted, &line, &wanted)
    }

    /// Carries out a command sent while nothing ran.
    fn obey(&mut self, command: &Command, lines: &mut impl Lines) -> Result<(), Trouble> {
        self.is_yixin |= is_yixin(command);
        match command {
            Command::Start(_, w, h) => return self.start(*w, h.unwrap_or(*w), lines),
            Command::Interrupted(_, _, n) => return self.start(*n, *n, lines),
            Command::Malformed(_) => return self.expect_error(lines),
            Command::HashClear => return Ok(()),
            _ => {}
        }
        let Some(board) = self.board.clone() else {
            return match command {
                Command::ShowForbid => self.expect_line(lines, "FORBID ."),
                _ => self.expect_error(lines),
            };
        };
        match command {
            Command::Restart => {
                self.board = Some(empty_like(&board));
                self.expect_line(lines, "OK")
            }
            Command::Begin => self.ask(empty_like(&board), 1, lines),
            &Command::Turn(Cell::At(x, y)) => match free_point(&board, (x, y)) {
                Some(p) => {
                    let mut next = board;
                    next.play(p);
                    self.ask(next, 1, lines)
                }
                None => self.expect_error(lines),
            },
            &Command::Play(Cell::At(x, y)) => match free_point(&board, (x, y)) {
                Some(p) => {
                    self.board.as_mut().expect("there is one").play(p);
                    self.expect_line(lines, &format!("{x},{y}"))
                }
                None => self.expect_error(lines),
            },
            &Command::TakeBack(Cell::At(x, y)) => {
                match point(&board, (x, y)).and_then(|p| without(&board, p)) {
                    Some(next) => {
                        self.board = Some(next);
                        self.expect_line(lines, "OK")
                    }
                    None => self.expect_error(lines),
                }
            }
            Command::Board(entries) => self.ask(position(&board, entries), 1, lines),
            Command::SetBoard(entries) => {
                self.board = Some(position(&board, entries));
                Ok(())
            }
            Command::Search(..) => self.ask(board, 1, lines),
            // There is no room for two moves.
            Command::BalanceTwo(_) if board.empty_count() == 1 => self.expect_error(lines),
            Command::BalanceTwo(_) => self.ask(board, 2, lines),
            Command::Review(_, entries) => match is_game(&board, entries) {
                true => self.begin(board, Wanted::Ok(&["REVIEW"])),
                false => self.expect_error(lines),
            },
            Command::Solve(_)
                if board.empty_count() == 0 || winner(&board, self.rule()).is_some() =>
            {
                self.expect_error(lines)
            }
            Command::Solve(_) => self.begin(board, Wanted::Ok(&["SOLVE", "vcf", "vct", "proof"])),
            Command::ShowForbid => {
                let cells = forbidden_points(&board, self.rule(), board.side_to_move());
                let cells = cells.iter().map(|p| format!("{:02}{:02}", p.x(), p.y()));
                let wanted = format!("FORBID {}.", cells.collect::<String>());
                self.expect_line(lines, &wanted)
            }
            Command::Opening(word, number, stones, offer) => {
                let request = openings::Request::new(&board, word, *number, stones, offer);
                let first = loop {
                    let line = next_line(lines, self.is_limited())?;
                    if !request.is_news(&line) {
                        break line;
                    }
                };
                let next = request.take(&first, || next_line(lines, true))?;
                self.board = Some(next.unwrap_or(board));
                Ok(())
            }
            _ => match self.blocks.change(command, &board) {
                true => Ok(()),
                false => self.expect_error(lines),
            },
        }
    }

    fn start(&mut self, w: i64, h: i64, lines: &mut impl Lines) -> Result<(), Trouble> {
        let side = |n| u32::try_from(n).unwrap_or(0);
        let Ok(board) = Board::new(side(w), side(h)) else {
            return self.expect_error(lines);
        };
        let size = |board: &Board| (board.width(), board.height());
        if self.board.as_ref().map(size) != Some(size(&board)) {
            self.blocks = Blocks::default();
        }
        self.board = Some(board);
        self.expect_line(lines, "OK")
    }

    /// Begins a search for moves in that position, if a cell is free.
    fn ask(&mut self, board: Board, count: usize, lines: &mut impl Lines) -> Result<(), Trouble> {
        self.board = Some(board.clone());
        if board.empty_count() == 0 {
            return self.expect_line(lines, "ERROR the board is full");
        }
        self.begin(board, Wanted::Moves(count))
    }

    fn begin(&mut self, board: Board, wanted: Wanted) -> Result<(), Trouble> {
        let blocks = self.blocks.at(&board);
        self.asked = Some(Asked::new(board, self.rule(), blocks, wanted, self.news));
        Ok(())
    }
}

/// True if the entries are moves, at least one, on different points of the board, or passes.
fn is_game(board: &Board, entries: &[Entry]) -> bool {
    let mut free = empty_like(board);
    let mut count = 0;
    for cell in entries.iter().filter_map(Entry::cell) {
        count += 1;
        match free_point(&free, cell) {
            Some(p) => free.play(p),
            None if cell == (-1, -1) => {}
            None => return false,
        }
    }
    count > 0
}

/// True for a command sent only by managers of the Yixin family.
fn is_yixin(command: &Command) -> bool {
    match command {
        Command::Opening(word, ..) | Command::Malformed(word) => word.starts_with("YX"),
        Command::SetBoard(_)
        | Command::Search(..)
        | Command::BalanceTwo(_)
        | Command::ShowForbid
        | Command::HashClear
        | Command::Block(..)
        | Command::BlockReset
        | Command::BlockPath(..)
        | Command::BlockPathReset
        | Command::Forbid(..) => true,
        _ => false,
    }
}

/// Fails with `line` and `wanted` unless the line fits.
fn expect(fits: bool, line: &str, wanted: &str) -> Result<(), Trouble> {
    if fits {
        Ok(())
    } else {
        wrong(format!("expected {wanted}, got {line:?}"))
    }
}

/// The next line other than messages about missing resources, which may come before any line.
fn next_line(lines: &mut impl Lines, is_limited: bool) -> Result<String, Trouble> {
    loop {
        let line = lines.next(is_limited)?;
        let warnings = ["MESSAGE evaluator: ", "MESSAGE too little memory "];
        if !warnings.iter().any(|head| line.starts_with(head)) {
            return Ok(line);
        }
    }
}
