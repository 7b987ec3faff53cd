//! Commands: a row of a table of commands, a request read by it, and the events of a session.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use super::Session;
use crate::engine::background::EngineEvent;
use crate::openings::wire::OpeningCommand;
use crate::protocol::decision::Decision;
use crate::protocol::reply::Reply;
use crate::protocol::text::BoardEntry;
use crate::search::{RootMoveEvent, SearchInfo};

/// The managers that send a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Any manager.
    Gomocup,
    /// Only managers of the Yixin family, whose rule numbers have other meanings.
    Yixin,
}

/// The treatment of a command during a search. While a command waits for the end of the search,
/// every later command waits too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuringSearch {
    /// It stops the search and waits for its answer.
    StopsIt,
    /// It is carried out at once while the engine ponders; it stops any other search and waits.
    OkInPondering,
    /// It is carried out at once, and the search continues.
    Ok,
    /// It ends the session at once, even when other commands wait.
    EndsSession,
}

/// The state that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A board: an earlier `START` succeeded. Without a board the answer is an `ERROR`, and the
    /// handler is not called.
    Board,
    /// None.
    Nothing,
}

/// The text that follows the word of a command.
#[derive(Clone, Copy)]
pub enum Form {
    /// None; the rest of the line is ignored.
    Alone,
    /// Arguments up to the end of the line.
    Line,
    /// A path, on this line or on the next one.
    Path,
    /// A block: cells up to `DONE`, on this line or on the following lines.
    Block,
    /// Arguments, then a block. The function returns the text after the arguments, or `None` if
    /// they make no sense; then the block is skipped.
    LineAndBlock(fn(&str) -> Option<&str>),
    /// A text in quotes, over several lines if need be, then a block.
    QuoteAndBlock,
    /// A step of an opening; its own row names the text that follows.
    Opening(&'static OpeningCommand),
}

/// The end of a command: nothing more to say, or the text of an `ERROR` line.
pub type Answer = Result<(), Cow<'static, str>>;

/// Carries out a request.
pub type Handler = fn(&mut Session, &Request) -> Answer;

/// A row of a table of commands.
#[derive(Clone, Copy)]
pub struct CommandSpec {
    /// The words that begin the command's line, in upper case; all mean the same.
    pub words: &'static [&'static str],
    /// The managers that send the command.
    pub dialect: Dialect,
    /// The treatment during a search.
    pub during_search: DuringSearch,
    /// The state that the command needs.
    pub needs: Needs,
    /// The text after the word.
    pub form: Form,
    /// The function that carries out the command.
    pub handler: Handler,
    /// True if the command is obeyed on a line inside a block; the block's `DONE` must have been
    /// lost.
    pub interrupts_block: bool,
    /// True if the process leaves only when the command is done, because the command changes files.
    pub outlives_end: bool,
    /// True if the command reaches a file of any name though its line names none.
    pub reaches_unnamed_file: bool,
}

impl CommandSpec {
    /// A row; the methods below add the rare properties.
    pub const fn new(
        words: &'static [&'static str],
        dialect: Dialect,
        during_search: DuringSearch,
        needs: Needs,
        form: Form,
        handler: Handler,
    ) -> CommandSpec {
        CommandSpec {
            words,
            dialect,
            during_search,
            needs,
            form,
            handler,
            interrupts_block: false,
            outlives_end: false,
            reaches_unnamed_file: false,
        }
    }

    /// The same, obeyed inside a block.
    pub const fn interrupting(self) -> CommandSpec {
        CommandSpec {
            interrupts_block: true,
            ..self
        }
    }

    /// The same, done before the process leaves.
    pub const fn outliving_end(self) -> CommandSpec {
        CommandSpec {
            outlives_end: true,
            ..self
        }
    }

    /// The same for a file that the line does not name.
    pub const fn reaching_unnamed_file(self) -> CommandSpec {
        CommandSpec {
            reaches_unnamed_file: true,
            ..self
        }
    }

    /// True if the command can reach a file of any name.
    pub fn reaches_files(&self) -> bool {
        matches!(self.form, Form::Path) || self.reaches_unnamed_file
    }

    /// A row for lines that are no command: no word, and never in the way of a search.
    const fn no_command(handler: Handler) -> CommandSpec {
        CommandSpec::new(
            &[],
            Dialect::Gomocup,
            DuringSearch::Ok,
            Needs::Nothing,
            Form::Alone,
            handler,
        )
    }
}

/// One request of a manager. Its form is checked, but not its cells against the board.
pub struct Request {
    spec: CommandSpec,
    /// The arguments on the line, a path, a text in quotes, or the number after an opening's word.
    pub text: String,
    /// The path where it is no UTF-8.
    raw_path: Option<PathBuf>,
    /// The cells of the block.
    pub cells: Vec<BoardEntry>,
    /// True if the block had something other than cells; it was skipped.
    pub has_skipped: bool,
}

impl Request {
    /// A request by a row of a table, without cells.
    pub fn new(spec: CommandSpec, text: impl Into<String>) -> Request {
        Request {
            spec,
            text: text.into(),
            raw_path: None,
            cells: Vec::new(),
            has_skipped: false,
        }
    }

    /// A request with the path `text`, which is no UTF-8: a name in another charset is one on Unix.
    pub fn with_raw_path(spec: CommandSpec, text: &[u8]) -> Request {
        #[cfg(unix)]
        {
            use std::ffi::OsStr;
            use std::os::unix::ffi::OsStrExt;
            let raw_path = Some(PathBuf::from(OsStr::from_bytes(text)));
            let text = String::from_utf8_lossy(text);
            Request {
                raw_path,
                ..Request::new(spec, text)
            }
        }
        #[cfg(not(unix))]
        {
            let _ = (spec, text);
            Request::unreadable("the name of the file is not UTF-8")
        }
    }

    /// A request without effect and answer.
    pub fn ignored() -> Request {
        Request::new(CommandSpec::no_command(|_, _| Ok(())), "")
    }

    /// A request for unreadable text; `why` is the text of the `ERROR` line.
    pub fn unreadable(why: &'static str) -> Request {
        let refuse: Handler = |_, request| Err(request.text.clone().into());
        Request::new(CommandSpec::no_command(refuse), why)
    }

    /// A line that begins with an unknown word.
    pub fn unknown(word: String) -> Request {
        Request::new(CommandSpec::no_command(Session::answer_unknown), word)
    }

    /// The row of the table of commands.
    pub fn spec(&self) -> &CommandSpec {
        &self.spec
    }

    /// The text as a path.
    pub fn path(&self) -> &Path {
        let raw = self.raw_path.as_deref();
        raw.unwrap_or_else(|| Path::new(&self.text))
    }

    /// True if the session is over.
    pub fn ends_session(&self) -> bool {
        self.spec.during_search == DuringSearch::EndsSession
    }
}

/// The first word, the text and the cells, as in `BOARD 7,7,1 8,8,2`; `-` stands for a line without
/// a command.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.spec.words.first();
        write!(f, "{}", word.unwrap_or(&"-"))?;
        if !self.text.is_empty() {
            write!(f, " {:?}", self.text)?;
        }
        // The cells of an ignored block mean nothing.
        let mut cells = self.cells.iter().filter(|_| word.is_some());
        cells.try_for_each(|cell| write!(f, " {cell}"))
    }
}

/// An event for a session.
pub enum Event {
    /// An `END` stands behind the commands that were read.
    EndIsRead,
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The running search begins or ends a move at its root.
    Root(RootMoveEvent),
    /// A reply of the running task itself.
    Said(Reply),
    /// The search ended with this decision; `None` when it broke down.
    Finished(Option<Decision>),
}

impl From<EngineEvent<Decision>> for Event {
    fn from(event: EngineEvent<Decision>) -> Event {
        match event {
            EngineEvent::SearchInfo(info) => Event::SearchInfo(info),
            EngineEvent::Finished(decision) => Event::Finished(decision),
        }
    }
}
