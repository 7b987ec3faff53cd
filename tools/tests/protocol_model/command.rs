//! Commands as values, and their bytes.

use std::fmt::Write as _;

use tengen::board::{Board, Cell as Stone};

/// A cell in a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Column and row, on the board or not.
    At(i64, i64),
    /// One of the free cells when the command is sent, by the answers so far.
    Free(usize),
    /// One of the stones at that time.
    Stone(usize),
}

impl Cell {
    /// The cell itself.
    pub fn on(self, board: Option<&Board>) -> (i64, i64) {
        let nth = |k: usize, is_wanted: fn(Stone) -> bool| {
            let board = board?;
            let cells: Vec<_> = board
                .points()
                .filter(|&p| is_wanted(board.cell(p)))
                .collect();
            let p = cells.get(k % cells.len().max(1))?;
            Some((i64::from(p.x()), i64::from(p.y())))
        };
        match self {
            Cell::At(x, y) => (x, y),
            Cell::Free(k) => nth(k, |cell| cell == Stone::Empty).unwrap_or((0, 0)),
            Cell::Stone(k) => nth(k, |cell| cell.color().is_some()).unwrap_or((1, 1)),
        }
    }
}

/// One entry of a block: a cell, a cell with the field of `BOARD`, or junk.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A cell alone.
    Cell(i64, i64),
    /// A cell with its field.
    Field(i64, i64, i64),
    /// Junk, to be skipped.
    Junk(&'static str),
}

impl Entry {
    fn text(&self) -> String {
        match self {
            Entry::Cell(x, y) => format!("{x},{y}"),
            Entry::Field(x, y, field) => format!("{x},{y},{field}"),
            Entry::Junk(text) => (*text).to_string(),
        }
    }

    /// The cell; `None` for junk.
    pub fn cell(&self) -> Option<(i64, i64)> {
        match *self {
            Entry::Cell(x, y) | Entry::Field(x, y, _) => Some((x, y)),
            Entry::Junk(_) => None,
        }
    }
}

/// A number in its written form, and its value.
pub type Number = (&'static str, Option<i64>);

/// A manager's command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `START n`, `START w,h`, `RECTSTART w,h`.
    Start(&'static str, i64, Option<i64>),
    /// `RESTART`.
    Restart,
    /// `BEGIN`.
    Begin,
    /// `TURN`.
    Turn(Cell),
    /// `PLAY`.
    Play(Cell),
    /// `TAKEBACK`.
    TakeBack(Cell),
    /// `BOARD`.
    Board(Vec<Entry>),
    /// `YXBOARD`.
    SetBoard(Vec<Entry>),
    /// `YXNBEST k`, `YXSEARCHDEFEND`, `YXBALANCEONE b`.
    Search(&'static str, &'static str),
    /// `YXBALANCETWO b`.
    BalanceTwo(&'static str),
    /// `TENGENREVIEW`, with words before the moves.
    Review(&'static str, Vec<Entry>),
    /// `TENGENSOLVE means`.
    Solve(&'static str),
    /// `STOP`, `YXSTOP`.
    Stop(&'static str),
    /// `INFO key value`.
    Info(&'static str, Number),
    /// A question answered at once, even during a search.
    Ask(Question),
    /// `YXSHOWFORBID`.
    ShowForbid,
    /// Words without an answer and without effect on later answers.
    Silent(&'static str),
    /// `YXHASHCLEAR`.
    HashClear,
    /// `YXBLOCK`, or `YXBLOCKUNDO`.
    Block(bool, Vec<Entry>),
    /// `YXBLOCKRESET`.
    BlockReset,
    /// `YXBLOCKPATH`, or `YXBLOCKPATHUNDO`.
    BlockPath(bool, Vec<Entry>),
    /// `YXBLOCKPATHRESET`.
    BlockPathReset,
    /// `YXFORBID add|del x y s`.
    Forbid(bool, Cell, u8),
    /// A step of an opening: the word, the number after it, the stones, and the fifth stones after
    /// the block.
    Opening(&'static str, Option<i64>, Vec<Entry>, Vec<Entry>),
    /// A known command with arguments that make no sense.
    Malformed(&'static str),
    /// A line that begins with an unknown word.
    Unknown(Vec<u8>),
    /// The rest of a block, and lines of blanks.
    Remains(&'static str),
    /// A line of that many bytes.
    TooLong(usize),
    /// A block without its `DONE`, because a `START` follows.
    Interrupted(&'static str, Vec<Entry>, i64),
}

/// A question answered at once, even during a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    About,
    ShowInfo,
    TraceBoard,
    Draw,
    Resign,
    Feature,
    HashUsage,
    QueryAll(&'static str, Vec<Entry>),
    QueryOne(Vec<Entry>),
    QueryText(Vec<Entry>),
}

/// The written form of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub letters: Letters,
    /// True if a block stands on one line.
    pub one_line: bool,
    /// True if blanks stand around commas and at the ends of the line.
    pub blanks: bool,
    pub line_end: &'static str,
}

/// Letter cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Letters {
    Upper,
    Lower,
    Mixed,
}

impl Style {
    pub const PLAIN: Style = Style {
        letters: Letters::Upper,
        one_line: false,
        blanks: false,
        line_end: "\n",
    };

    fn letters(self, text: &str) -> String {
        match self.letters {
            Letters::Upper => text.to_string(),
            Letters::Lower => text.to_ascii_lowercase(),
            Letters::Mixed => {
                let turned = |(i, c): (usize, char)| {
                    if i % 2 == 0 {
                        c.to_ascii_lowercase()
                    } else {
                        c
                    }
                };
                text.chars().enumerate().map(turned).collect()
            }
        }
    }

    /// A line of words, without its end.
    fn line(self, text: &str) -> String {
        let text = self.letters(text);
        if self.blanks {
            format!(" \t{} ", text.replace(',', " ,\t"))
        } else {
            text
        }
    }

    fn block(self, head: &str, entries: &[Entry], after: &[Entry]) -> String {
        let texts = |entries: &[Entry]| entries.iter().map(Entry::text).collect::<Vec<_>>();
        let mut parts = vec![head.to_string()];
        parts.extend(texts(entries));
        parts.push("DONE".to_string());
        parts.extend(texts(after));
        let parts: Vec<String> = parts.iter().map(|part| self.line(part)).collect();
        let between = if self.one_line { " " } else { self.line_end };
        parts.join(between) + self.line_end
    }
}

impl Command {
    /// The same command with the cells themselves.
    pub fn resolved(&self, board: Option<&Board>) -> Command {
        let at = |cell: Cell| {
            let (x, y) = cell.on(board);
            Cell::At(x, y)
        };
        match *self {
            Command::Turn(cell) => Command::Turn(at(cell)),
            Command::Play(cell) => Command::Play(at(cell)),
            Command::TakeBack(cell) => Command::TakeBack(at(cell)),
            Command::Forbid(add, cell, side) => Command::Forbid(add, at(cell), side),
            _ => self.clone(),
        }
    }

    /// The entries of the command's block.
    pub fn entries_mut(&mut self) -> Option<&mut Vec<Entry>> {
        match self {
            Command::Board(entries)
            | Command::SetBoard(entries)
            | Command::Review(_, entries)
            | Command::Block(_, entries)
            | Command::BlockPath(_, entries)
            | Command::Interrupted(_, entries, _)
            | Command::Ask(Question::QueryAll(_, entries))
            | Command::Ask(Question::QueryOne(entries) | Question::QueryText(entries)) => {
                Some(entries)
            }
            _ => None,
        }
    }

    /// The bytes of a resolved command.
    pub fn bytes(&self, style: Style) -> Vec<u8> {
        let line = |text: &str| style.line(text) + style.line_end;
        let at = |word: &str, cell: &Cell| match cell {
            Cell::At(x, y) => line(&format!("{word} {x},{y}")),
            _ => unreachable!("a resolved command"),
        };
        let text = match self {
            Command::Start(word, w, Some(h)) => line(&format!("{word} {w},{h}")),
            Command::Start(word, n, None) => line(&format!("{word} {n}")),
            Command::Restart => line("RESTART"),
            Command::Begin => line("BEGIN"),
            Command::Turn(cell) => at("TURN", cell),
            Command::Play(cell) => at("PLAY", cell),
            Command::TakeBack(cell) => at("TAKEBACK", cell),
            Command::Board(entries) => style.block("BOARD", entries, &[]),
            Command::SetBoard(entries) => style.block("YXBOARD", entries, &[]),
            Command::Search(word, number) => line(&format!("{word} {number}")),
            Command::BalanceTwo(bias) => line(&format!("YXBALANCETWO {bias}")),
            Command::Review(words, entries) => {
                style.block(&format!("TENGENREVIEW {words}"), entries, &[])
            }
            Command::Solve(means) => line(&format!("TENGENSOLVE {means}")),
            Command::Stop(word) | Command::Silent(word) => line(word),
            Command::Info(key, value) => line(&format!("INFO {key} {}", value.0)),
            Command::Ask(question) => return question.bytes(style),
            Command::ShowForbid => line("YXSHOWFORBID"),
            Command::HashClear => line("YXHASHCLEAR"),
            Command::Block(true, entries) => style.block("YXBLOCK", entries, &[]),
            Command::Block(false, entries) => style.block("YXBLOCKUNDO", entries, &[]),
            Command::BlockReset => line("YXBLOCKRESET"),
            Command::BlockPath(true, entries) => style.block("YXBLOCKPATH", entries, &[]),
            Command::BlockPath(false, entries) => style.block("YXBLOCKPATHUNDO", entries, &[]),
            Command::BlockPathReset => line("YXBLOCKPATHRESET"),
            Command::Forbid(add, Cell::At(x, y), side) => {
                let word = if *add { "add" } else { "del" };
                line(&format!("YXFORBID {word} {x} {y} {side}"))
            }
            Command::Forbid(..) => unreachable!("a resolved command"),
            Command::Opening(word, number, stones, offer) => {
                let mut head = (*word).to_string();
                if let Some(number) = number {
                    write!(head, " {number}").expect("a string takes all");
                }
                if super::openings::has_block(word) {
                    style.block(&head, stones, offer)
                } else {
                    line(&head)
                }
            }
            Command::Malformed(text) | Command::Remains(text) => line(text),
            Command::Unknown(bytes) => return [bytes, style.line_end.as_bytes()].concat(),
            Command::TooLong(length) => "x".repeat(*length) + style.line_end,
            Command::Interrupted(head, entries, size) => {
                let block = style.block(head, entries, &[]);
                let open = &block[..block.to_ascii_uppercase().rfind("DONE").unwrap_or(0)];
                open.to_string() + style.line_end + &line(&format!("START {size}"))
            }
        };
        text.into_bytes()
    }
}

impl Question {
    fn bytes(&self, style: Style) -> Vec<u8> {
        let line = |text: &str| style.line(text) + style.line_end;
        match self {
            Question::About => line("ABOUT"),
            Question::ShowInfo => line("YXSHOWINFO"),
            Question::TraceBoard => line("TRACEBOARD"),
            Question::Draw => line("YXDRAW"),
            Question::Resign => line("YXRESIGN"),
            Question::Feature => line("YXPRINTFEATURE"),
            Question::HashUsage => line("YXSHOWHASHUSAGE"),
            Question::QueryAll(word, entries) => style.block(word, entries, &[]),
            Question::QueryOne(entries) => style.block("YXQUERYDATABASEONE", entries, &[]),
            Question::QueryText(entries) => style.block("YXQUERYDATABASETEXT", entries, &[]),
        }
        .into_bytes()
    }

    /// True for a question asked only by managers of the Yixin family.
    pub fn is_yixin(&self) -> bool {
        !matches!(self, Question::About | Question::TraceBoard)
    }
}
