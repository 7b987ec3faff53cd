//! The commands of the Gomocup protocol and of its Yixin-Board extension as values.

use super::database_words::{DatabaseBlock, DatabaseFile};
use super::opening::{Ask, Layout, ask};
use super::text::{Coord, integer};
use crate::types::Color;

/// One line of a block: a cell and, where the block has one, the field that says whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The cell as it came.
    pub at: Coord,
    /// 1 for a stone of the engine, 2 for one of the opponent, 3 for a cell that nobody may use.
    pub field: Option<i64>,
}

/// A block of lines that ends with `DONE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// `BOARD`: a position, and the request to move in it.
    Board,
    /// `YXBOARD`: a position.
    Position,
    /// `SWAP2BOARD`, `RIFSTEP2` …: stones of an opening, and the request for the next step.
    Opening(Ask),
    /// `YXBLOCK`: cells that the engine shall not play.
    Exclude,
    /// `YXBLOCKUNDO`: cells that it may play again.
    Allow,
    /// `YXBLOCKPATH`: moves to a position, and the one that the engine shall not play there.
    ExcludeAfter,
    /// `YXBLOCKPATHUNDO`: the same for one that it may play again.
    AllowAfter,
    /// Moves to a position, and what the database shall do there.
    Database(DatabaseBlock),
    /// A block that this engine has no use for.
    Ignored,
}

/// One request of a manager, read and checked for form but not against the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START n`, `RECTSTART w,h`: a new game on an empty board.
    Start {
        /// Columns.
        width: i64,
        /// Rows.
        height: i64,
    },
    /// `RESTART`: a new game on a board of the same size.
    Restart,
    /// `BEGIN`: make the first move.
    Begin,
    /// `TURN x,y`: the opponent moved; move.
    Turn(Coord),
    /// `TAKEBACK x,y`: remove that stone.
    TakeBack(Coord),
    /// `PLAY x,y`: put the engine's own stone there.
    Play(Coord),
    /// `INFO key value`; the key in lower case, the value as it came.
    Info {
        /// Name of the setting.
        key: String,
        /// Everything after it.
        value: String,
    },
    /// `ABOUT`: who are you?
    About,
    /// `END`, or the end of input.
    End,
    /// `STOP`, `YXSTOP`: answer now.
    Stop,
    /// A block with its lines.
    Block(Block, Vec<Entry>),
    /// `YXNBEST k`: search for the best `k` moves; `None` for every move (`YXSEARCHDEFEND`).
    NBest(Option<usize>),
    /// `YXBALANCEONE b`, `YXBALANCETWO b`: the moves after which the value is closest to `b`.
    Balance {
        /// One move or two.
        moves: usize,
        /// Value wished for, from the view of the side to move.
        bias: i32,
    },
    /// `YXSWAP2STEP…`, `YXSOOSORVSTEP1`: the next step of an opening on the session's board.
    Opening(Ask),
    /// `YXBLOCKRESET`: every cell may be played again.
    BlockReset,
    /// `YXSHOWFORBID`: list Black's forbidden points.
    ShowForbid,
    /// `YXSHOWINFO`: name the engine's limits; a GUI is there.
    ShowInfo,
    /// `YXHASHCLEAR`: forget earlier searches.
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full is the table?
    ShowHashUsage,
    /// A command about a file, and the file's path.
    File(FileWord, String),
    /// `YXBLOCKPATHRESET`: forget all of `YXBLOCKPATH`.
    BlockPathReset,
    /// `YXFORBID`: whether one side may play a cell.
    Forbid {
        /// The cell.
        at: Coord,
        /// The side.
        side: Color,
        /// Whether it may not.
        is_forbidden: bool,
    },
    /// `YXDRAW`: the opponent offers a draw.
    Draw,
    /// `YXRESIGN`: the opponent gives up.
    Resign,
    /// `YXPRINTFEATURE`: what does the evaluation say of the position?
    Evaluate,
    /// `YXSAVEDATABASE`.
    SaveDatabase,
    /// `YXDBCHECK`, `YXDBFIX`: test the database's file, and mend it.
    CheckDatabase,
    /// `TRACEBOARD`: print the board.
    TraceBoard,
    /// Something known that needs no answer.
    Ignored,
    /// A known command whose arguments make no sense; holds the text of the `ERROR` line.
    Malformed(&'static str),
    /// An unknown word.
    Unknown(String),
}

/// What is to be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileWord {
    /// `YXHASHDUMP`: write the transposition table.
    HashDump,
    /// `YXHASHLOAD`: read it.
    HashLoad,
    /// A database command.
    Database(DatabaseFile),
}

/// What the first word of a line asks for.
pub(super) enum Word {
    /// A whole command.
    Command(Command),
    /// The head of a block.
    Block(Block),
    /// A command whose path stands on this line or on the next.
    Path(FileWord),
}

impl Command {
    /// Whether only managers of the Yixin family send this.
    pub fn is_yixin(&self) -> bool {
        if let Command::Opening(ask) | Command::Block(Block::Opening(ask), _) = self {
            return ask.is_yixin();
        }
        matches!(
            self,
            Command::NBest(_)
                | Command::Balance { .. }
                | Command::BlockReset
                | Command::ShowForbid
                | Command::ShowInfo
                | Command::HashClear
                | Command::ShowHashUsage
                | Command::File(..)
                | Command::BlockPathReset
                | Command::Forbid { .. }
                | Command::Draw
                | Command::Resign
                | Command::Evaluate
                | Command::SaveDatabase
                | Command::CheckDatabase
                | Command::Block(
                    Block::Position
                        | Block::Exclude
                        | Block::Allow
                        | Block::ExcludeAfter
                        | Block::AllowAfter
                        | Block::Database(_),
                    _
                )
        )
    }

    /// Whether the command can be carried out while the engine ponders.
    pub fn leaves_engine_alone(&self) -> bool {
        matches!(
            self,
            Command::Start { .. }
                | Command::Restart
                | Command::BlockReset
                | Command::BlockPathReset
                | Command::Forbid { .. }
                | Command::ShowForbid
                | Command::Block(
                    Block::Position
                        | Block::Exclude
                        | Block::Allow
                        | Block::ExcludeAfter
                        | Block::AllowAfter,
                    _
                )
        )
    }

    /// Whether the command is answered, or applied, without disturbing a running search.
    pub fn leaves_search_alone(&self) -> bool {
        matches!(
            self,
            Command::About
                | Command::ShowInfo
                | Command::ShowHashUsage
                | Command::TraceBoard
                | Command::File(..)
                | Command::SaveDatabase
                | Command::CheckDatabase
                | Command::Evaluate
                | Command::Draw
                | Command::Resign
                | Command::Ignored
                | Command::Malformed(_)
                | Command::Unknown(_)
                | Command::Block(Block::Ignored | Block::Database(_), _)
        )
    }
}

/// Understands a line that is not part of a block: `word` in upper case, and what follows it.
pub(super) fn interpret(word: &str, rest: &str) -> Word {
    use Word::{Block as Head, Path};
    Word::Command(match word {
        "START" => start(rest),
        "RECTSTART" => match Coord::parse(rest) {
            Some(Coord { x, y }) => Command::Start {
                width: x,
                height: y,
            },
            None => Command::Malformed("bad size, expected RECTSTART width,height"),
        },
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => coordinate(rest, Command::Turn),
        "TAKEBACK" => coordinate(rest, Command::TakeBack),
        "PLAY" => coordinate(rest, Command::Play),
        "INFO" => info(rest),
        "ABOUT" => Command::About,
        "END" => Command::End,
        "STOP" | "YXSTOP" => Command::Stop,
        "BOARD" => return Head(Block::Board),
        "YXBOARD" => return Head(Block::Position),
        "YXBLOCK" => return Head(Block::Exclude),
        "YXBLOCKUNDO" => return Head(Block::Allow),
        "YXBLOCKPATH" => return Head(Block::ExcludeAfter),
        "YXBLOCKPATHUNDO" => return Head(Block::AllowAfter),
        "YXHASHDUMP" => return Path(FileWord::HashDump),
        "YXHASHLOAD" => return Path(FileWord::HashLoad),
        "YXSETDATABASE" => return Path(FileWord::Database(DatabaseFile::Open)),
        "YXDBMERGE" => return Path(FileWord::Database(DatabaseFile::Merge)),
        "YXDBSPLIT" => return Path(FileWord::Database(DatabaseFile::Split)),
        "YXDBTOTXTALL" | "YXDBTOTXT" => {
            let all = word == "YXDBTOTXTALL";
            return Path(FileWord::Database(DatabaseFile::ExportText { all }));
        }
        "YXDBTOPOS" => return Path(FileWord::Database(DatabaseFile::ExportMoves)),
        "YXTXTTODB" => return Path(FileWord::Database(DatabaseFile::ImportText)),
        "YXLIBTODB" => return Path(FileWord::Database(DatabaseFile::ImportLibrary)),
        "YXDBTOLIB" => return Path(FileWord::Database(DatabaseFile::ExportLibrary)),
        "YXNBEST" => match rest.split_whitespace().next().map_or(Some(1), integer) {
            Some(k) => Command::NBest(Some(usize::try_from(k).unwrap_or(1).max(1))),
            None => Command::Malformed("bad number, expected YXNBEST k"),
        },
        "YXSEARCHDEFEND" => Command::NBest(None),
        "YXBALANCEONE" => balance(1, rest),
        "YXBALANCETWO" => balance(2, rest),
        "YXBLOCKRESET" => Command::BlockReset,
        "YXSHOWFORBID" => Command::ShowForbid,
        "YXSHOWINFO" => Command::ShowInfo,
        "YXHASHCLEAR" => Command::HashClear,
        "YXSHOWHASHUSAGE" => Command::ShowHashUsage,
        "TRACEBOARD" => Command::TraceBoard,
        "YXBLOCKPATHRESET" => Command::BlockPathReset,
        "YXFORBID" => forbid(rest),
        "YXDRAW" => Command::Draw,
        "YXRESIGN" => Command::Resign,
        "YXPRINTFEATURE" => Command::Evaluate,
        "YXSAVEDATABASE" => Command::SaveDatabase,
        "YXDBCHECK" | "YXDBFIX" => Command::CheckDatabase,
        "RELOADCONFIG" | "LOADMODEL" | "EXPORTMODEL" => Command::Ignored,
        _ => match ask(word, rest) {
            Some(ask) if ask.layout() == Layout::OnBoard => Command::Opening(ask),
            Some(ask) => return Head(Block::Opening(ask)),
            None => Command::Unknown(word.to_string()),
        },
    })
}

/// `START 15`, and the GUIs' `start 15 15` and `start 15,15`.
fn start(rest: &str) -> Command {
    if let Some(Coord { x, y }) = Coord::parse(rest) {
        return Command::Start {
            width: x,
            height: y,
        };
    }
    let mut words = rest.split_whitespace();
    match (words.next().and_then(integer), words.next()) {
        (Some(size), None) => Command::Start {
            width: size,
            height: size,
        },
        _ => Command::Malformed("bad size, expected START n (e.g. 15 or 20)"),
    }
}

fn coordinate(rest: &str, command: impl FnOnce(Coord) -> Command) -> Command {
    Coord::parse(rest).map_or(Command::Malformed("bad coordinates, expected x,y"), command)
}

fn info(rest: &str) -> Command {
    let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Command::Info {
        key: key.to_ascii_lowercase(),
        value: value.trim().to_string(),
    }
}

/// `add x,y s` or `del x,y s`, with 0 for Black and 1 for White.
fn forbid(rest: &str) -> Command {
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_forbidden = word.eq_ignore_ascii_case("add");
    let side = match rest.split_whitespace().next_back() {
        Some("0") => Some(Color::Black),
        Some("1") => Some(Color::White),
        _ => None,
    };
    match (Coord::parse(rest), side) {
        (Some(at), Some(side)) if is_forbidden || word.eq_ignore_ascii_case("del") => {
            Command::Forbid {
                at,
                side,
                is_forbidden,
            }
        }
        _ => Command::Malformed("expected YXFORBID add|del x y 0|1"),
    }
}

fn balance(moves: usize, rest: &str) -> Command {
    let bias = rest.split_whitespace().next().and_then(integer);
    Command::Balance {
        moves,
        bias: bias.unwrap_or(0).clamp(-100_000, 100_000) as i32,
    }
}
