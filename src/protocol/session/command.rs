//! What a command is: a row of the table of commands, and one request that was read by it.

use std::fmt;
use std::path::Path;

use super::Session;
use crate::protocol::opening::OpeningCommand;
use crate::protocol::text::BoardEntry;
use crate::streams::Ticket;

/// Which managers send a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Any manager.
    Gomocup,
    /// Only managers of the Yixin family, whose rule numbers have other meanings.
    Yixin,
}

/// What happens to a command that comes during a search. A command that comes while another one
/// waits for the end of the search waits too.
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

/// Whether a command needs a board, that is, an earlier good `START`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Without a board the answer is an `ERROR`, and the handler is not called.
    Board,
    /// The handler is always called.
    Nothing,
}

/// What follows the word of a command, and the handler that answers it.
#[derive(Clone, Copy)]
pub enum Syntax {
    /// Nothing; the rest of the line is ignored.
    Alone(fn(&mut Session)),
    /// Arguments up to the end of the line. The error is the text of an `ERROR` line.
    Line(fn(&str) -> Result<Call, &'static str>),
    /// A path, on this line or on the next one.
    Path(fn(&mut Session, &Path)),
    /// A block: cells up to `DONE`, on this line or on the following lines.
    Block(fn(&mut Session, &[BoardEntry])),
    /// Arguments, then a block. The function reads the arguments and returns the text after them,
    /// or `None` if they make no sense; then the block is skipped.
    LineAndBlock(fn(&str) -> Option<(BlockCall, &str)>),
    /// A text in quotes, which may have several lines, then a block.
    QuoteAndBlock(fn(&mut Session, String, &[BoardEntry])),
    /// A step of an opening; its own row says what follows.
    Opening(&'static OpeningCommand),
}

/// A row of the table of commands.
#[derive(Clone, Copy)]
pub struct CommandSpec {
    /// The words that begin its line, in upper case; all mean the same.
    pub words: &'static [&'static str],
    /// Who sends it.
    pub dialect: Dialect,
    /// What happens to it during a search.
    pub during_search: DuringSearch,
    /// What it needs.
    pub needs: Needs,
    /// What follows the word, and what answers it.
    pub syntax: Syntax,
    /// Whether it is obeyed on a line inside a block, whose `DONE` must have been lost.
    pub interrupts_block: bool,
    /// Whether the process leaves only when it is done: it changes files.
    pub outlives_end: bool,
    /// Whether it reaches a database that was refused, whatever file that is.
    pub reaches_damaged: bool,
}

impl CommandSpec {
    /// Whether it can reach a file of any name.
    pub fn reaches_files(&self) -> bool {
        matches!(self.syntax, Syntax::Path(_)) || self.reaches_damaged
    }

    /// For answers to lines that are no command: no word, and never in the way of a search.
    const NO_COMMAND: CommandSpec = CommandSpec {
        words: &[],
        dialect: Dialect::Gomocup,
        during_search: DuringSearch::Ok,
        needs: Needs::Nothing,
        syntax: Syntax::Alone(|_| {}),
        interrupts_block: false,
        outlives_end: false,
        reaches_damaged: false,
    };
}

/// A handler together with the arguments that it gets.
trait Bound: fmt::Debug {
    fn run(self: Box<Self>, session: &mut Session);
}

struct BoundHandler<A, F> {
    arguments: A,
    handler: F,
}

impl<A: fmt::Debug, F> fmt::Debug for BoundHandler<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.arguments.fmt(f)
    }
}

impl<A: fmt::Debug, F: FnOnce(&mut Session, A)> Bound for BoundHandler<A, F> {
    fn run(self: Box<Self>, session: &mut Session) {
        (self.handler)(session, self.arguments);
    }
}

/// A call of a handler whose arguments were read. Its `Debug` shows the arguments.
pub struct Call(Box<dyn Bound + Send>);

impl Call {
    /// Calls `handler` with `arguments` when the command is carried out.
    pub fn new<A, F>(arguments: A, handler: F) -> Call
    where
        A: fmt::Debug + Send + 'static,
        F: FnOnce(&mut Session, A) + Send + 'static,
    {
        Call(Box::new(BoundHandler { arguments, handler }))
    }

    /// Answers by an `ERROR` line with that text.
    pub fn refusal(why: &'static str) -> Call {
        Call::new(why, Session::error)
    }
}

/// One request of a manager, read and checked for form but not against the board.
pub struct Command {
    spec: CommandSpec,
    call: Call,
    /// Its place among the commands that wait, until it is carried out or dropped.
    ticket: Option<Ticket>,
}

impl Command {
    /// A request by a row of the table.
    pub fn new(spec: CommandSpec, call: Call) -> Command {
        Command {
            spec,
            call,
            ticket: None,
        }
    }

    /// Something known that needs no answer.
    pub fn ignored() -> Command {
        Command::new(CommandSpec::NO_COMMAND, Call::new((), |_, ()| {}))
    }

    /// Something that cannot be read as any command; `why` is the text of the `ERROR` line.
    pub fn unreadable(why: &'static str) -> Command {
        Command::new(CommandSpec::NO_COMMAND, Call::refusal(why))
    }

    /// A line that begins with an unknown word.
    pub fn unknown(word: String) -> Command {
        let call = Call::new(word, Session::answer_unknown);
        Command::new(CommandSpec::NO_COMMAND, call)
    }

    /// The row of the table of commands.
    pub fn spec(&self) -> &CommandSpec {
        &self.spec
    }

    /// Whether the session is over.
    pub fn ends_session(&self) -> bool {
        self.spec.during_search == DuringSearch::EndsSession
    }

    /// Takes a place among the commands that wait.
    pub fn hold(&mut self, ticket: Ticket) {
        self.ticket = Some(ticket);
    }

    /// Calls the handler. The board that the command needs must be there.
    pub fn run(self, session: &mut Session) {
        self.call.0.run(session);
        // Only now is its work done.
        drop(self.ticket);
    }
}

/// A call that still lacks the cells of its block.
pub type BlockCall = Box<dyn FnOnce(Vec<BoardEntry>) -> Call + Send>;

/// A command whose block is not complete yet.
pub struct BlockCommand {
    spec: CommandSpec,
    call: BlockCall,
}

impl BlockCommand {
    /// A request by a row of the table.
    pub fn new(spec: CommandSpec, call: BlockCall) -> BlockCommand {
        BlockCommand { spec, call }
    }

    /// A block that does nothing.
    pub fn ignored() -> BlockCommand {
        let call = |_| Call::new((), |_: &mut Session, ()| {});
        BlockCommand::new(CommandSpec::NO_COMMAND, Box::new(call))
    }

    /// The command with the cells of its block. Where others were skipped because they could not be
    /// read, a step of an opening is refused: the colours of its stones would be wrong.
    pub fn complete(self, entries: Vec<BoardEntry>, has_skipped: bool) -> Command {
        let call = match self.spec.syntax {
            Syntax::Opening(_) if has_skipped => Call::refusal("no cell in the opening"),
            _ => (self.call)(entries),
        };
        Command::new(self.spec, call)
    }
}

/// The first word and the arguments, as in `TURN Coord { x: 7, y: 7 }`.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.spec.words.first().unwrap_or(&"-");
        write!(f, "{word} {:?}", self.call.0)
    }
}
