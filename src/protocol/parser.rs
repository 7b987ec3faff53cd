//! From lines to commands: blocks over many lines or on one, paths on the line that follows.

#[cfg(test)]
mod tests;

use std::path::Path;

use super::line_text::LineText;
use super::opening::{OpeningCommand, STONES_BEFORE_OFFER, StonesFrom};
use super::session::{BlockCommand, Call, Command, CommandSpec, Session, Syntax, find_command};
use super::text::{BoardEntry, integer, numbers, tighten};

/// Most lines of a block that are kept. A board has 484 cells; the rest can only be a mistake.
const MAX_ENTRIES: usize = 4096;

/// Most bytes of a text in quotes.
const MAX_TEXT: usize = 1 << 20;

/// What comes next.
#[derive(Default)]
enum State {
    /// A command.
    #[default]
    Idle,
    /// The path of a command.
    Path(CommandSpec, fn(&mut Session, &Path)),
    /// More of a text in quotes.
    Quote(OpenQuote),
    /// More of a block.
    Block(OpenBlock),
    /// The fifth stones offered, which follow the block of some openings.
    Offer(OpenBlock),
}

/// A text in quotes that has begun.
struct OpenQuote {
    spec: CommandSpec,
    handler: fn(&mut Session, String, &[BoardEntry]),
    text: String,
    /// Whether the last character was a backslash, so that the next one stands for itself, or is a
    /// line end or a tab as comments are printed.
    is_escaped: bool,
    /// Whether it has more than [`MAX_TEXT`] bytes: nothing of it is kept, and its end is awaited.
    is_too_long: bool,
}

impl OpenQuote {
    /// Takes a character; returns whether it ends the text.
    fn ends_at(&mut self, c: char) -> bool {
        match c {
            _ if self.is_escaped => {
                self.push(match c {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    _ => c,
                });
                self.is_escaped = false;
            }
            '"' => return true,
            '\\' => self.is_escaped = true,
            _ => self.push(c),
        }
        false
    }

    fn push(&mut self, c: char) {
        if !self.is_too_long {
            self.text.push(c);
        }
    }

    /// Drops a text that has become too long; returns whether it has just become so.
    fn overflows(&mut self) -> bool {
        let overflows = self.text.len() > MAX_TEXT;
        if overflows {
            self.is_too_long = true;
            self.text = String::new();
        }
        overflows
    }

    fn finish(self) -> BlockCommand {
        if self.is_too_long {
            return BlockCommand::ignored();
        }
        let OpenQuote { handler, text, .. } = self;
        let call = move |entries| {
            Call::new(
                (text, entries),
                move |session, (text, entries): (_, Vec<_>)| {
                    handler(session, text, &entries);
                },
            )
        };
        BlockCommand::new(self.spec, Box::new(call))
    }
}

/// A block that has begun.
struct OpenBlock {
    command: BlockCommand,
    entries: Vec<BoardEntry>,
    /// Entries together with the fifth stones that follow its end; 0 if none do.
    entries_with_offer: usize,
    /// Whether something in it was no entry, and was skipped.
    has_skipped: bool,
}

impl OpenBlock {
    fn new(command: BlockCommand) -> OpenBlock {
        OpenBlock {
            command,
            entries: Vec::new(),
            entries_with_offer: 0,
            has_skipped: false,
        }
    }

    fn has_offer(&self) -> bool {
        self.entries.len() >= self.entries_with_offer
    }

    /// Whether the fifth stones still have to come after the end of the block. With any number of
    /// stones but four none can be offered, so that the request is refused at once.
    fn awaits_offer(&self) -> bool {
        self.entries.len() == STONES_BEFORE_OFFER && !self.has_offer()
    }

    /// Whether `word` ends the block. AlphaGomoku's text writes `PLAY` before the fifth stones
    /// offered.
    fn ends_at(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case("DONE")
            || (self.entries_with_offer > 0 && word.eq_ignore_ascii_case("PLAY"))
    }

    fn finish(self) -> Command {
        self.command.complete(self.entries, self.has_skipped)
    }
}

/// Makes commands from lines.
#[derive(Default)]
pub struct Parser {
    state: State,
}

impl Parser {
    /// Reads one line without its end and hands every command that is complete to `emit`.
    ///
    /// Words may have any letter case, blanks may stand anywhere between words and around commas,
    /// and bytes that are not UTF-8 do no harm.
    pub fn line(&mut self, line: &[u8], emit: &mut impl FnMut(Command)) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return;
        }
        self.begin_line(line);
        let mut text = LineText::new(line);
        // After a block a line may continue with another command.
        while !text.is_empty() {
            match std::mem::take(&mut self.state) {
                State::Idle => self.command(&mut text, emit),
                State::Path(spec, handler) => {
                    emit(path_command(spec, handler, &text.take_all()));
                }
                State::Quote(quote) => self.quote(quote, &mut text, emit),
                State::Block(block) => self.block(block, &mut text, emit),
                State::Offer(block) => self.offer(block, &mut text, emit),
            }
        }
    }

    /// A line was too long to be read: answers once, and drops the command that it continues.
    pub fn line_too_long(&mut self, emit: &mut impl FnMut(Command)) {
        self.state = State::Idle;
        emit(Command::unreadable("line longer than 65536 bytes"));
    }

    /// The lines of a file are over: answers for a command of which a part is missing.
    pub fn file_over(&mut self, emit: &mut impl FnMut(Command)) {
        let missing = match std::mem::take(&mut self.state) {
            State::Idle => return,
            State::Path(..) => "the file ends before the path",
            State::Quote(_) => "the file ends inside a text in quotes",
            State::Block(_) => "the file ends inside a block, without DONE",
            State::Offer(_) => "the file ends before the fifth stones",
        };
        emit(Command::unreadable(missing));
    }

    /// What a new line means for a command that is not complete.
    fn begin_line(&mut self, line: &str) {
        if let State::Idle = self.state {
            return;
        }
        let (word, rest) = split_word(line);
        let is_free_text = matches!(self.state, State::Quote(_) | State::Path(..));
        let interrupts = |spec: CommandSpec| {
            spec.interrupts_block && (!is_free_text || is_whole_command(spec, rest))
        };
        if find_command(&word).is_some_and(interrupts) {
            log::warn!("{word} inside an unfinished command, which is dropped");
            self.state = State::Idle;
        } else if let State::Quote(quote) = &mut self.state {
            // An end of a line never ends the text.
            quote.ends_at('\n');
        }
    }

    /// Takes a command, or the part of it that precedes its block.
    fn command(&mut self, text: &mut LineText, emit: &mut impl FnMut(Command)) {
        let line = text.rest().trim_start();
        let (word, rest) = split_word(line);
        if is_left_over(&word, line) {
            text.take_all();
            return emit(Command::ignored());
        }
        let Some(spec) = find_command(&word) else {
            text.take_all();
            return emit(Command::unknown(word));
        };
        // How much of the line is left for a block.
        let mut left = 0;
        match spec.syntax {
            Syntax::Alone(handler) => {
                let call = Call::new((), move |session, ()| handler(session));
                emit(Command::new(spec, call));
            }
            Syntax::Line(read) => {
                let call = read(rest).unwrap_or_else(Call::refusal);
                emit(Command::new(spec, call));
            }
            Syntax::Path(handler) if rest.is_empty() => self.state = State::Path(spec, handler),
            Syntax::Path(handler) => emit(path_command(spec, handler, rest)),
            Syntax::Block(handler) => {
                let call = move |entries| {
                    Call::new(entries, move |session, entries: Vec<_>| {
                        handler(session, &entries);
                    })
                };
                let command = BlockCommand::new(spec, Box::new(call));
                self.state = State::Block(OpenBlock::new(command));
                left = rest.len();
            }
            Syntax::LineAndBlock(read) => match read(rest) {
                Some((call, after)) => {
                    let command = BlockCommand::new(spec, call);
                    self.state = State::Block(OpenBlock::new(command));
                    left = after.len();
                }
                None => self.ignored_block(rest, emit),
            },
            Syntax::QuoteAndBlock(handler) => match rest.strip_prefix('"') {
                Some(after) => {
                    self.state = State::Quote(OpenQuote {
                        spec,
                        handler,
                        text: String::new(),
                        is_escaped: false,
                        is_too_long: false,
                    });
                    left = after.len();
                }
                None => self.ignored_block(rest, emit),
            },
            Syntax::Opening(command) => left = self.opening(spec, command, rest, emit),
        }
        text.keep_last(left);
    }

    /// Takes the request for a step of an opening; returns how much of the line is left for its
    /// block.
    fn opening(
        &mut self,
        spec: CommandSpec,
        command: &'static OpeningCommand,
        rest: &str,
        emit: &mut impl FnMut(Command),
    ) -> usize {
        let request = command.request(rest);
        if command.stones_from == StonesFrom::SessionBoard {
            let call = Call::new(request, Session::opening_step_on_board);
            emit(Command::new(spec, call));
            return 0;
        }
        let entries_with_offer = request.entries_with_offer().unwrap_or(0);
        let call = move |entries| {
            Call::new(
                (request, entries),
                |session, (request, entries): (_, Vec<_>)| {
                    session.opening_step(request, &entries);
                },
            )
        };
        self.state = State::Block(OpenBlock {
            entries_with_offer,
            ..OpenBlock::new(BlockCommand::new(spec, Box::new(call)))
        });
        rest.len()
    }

    /// Begins a block that does nothing. Free text may precede its cells, in which only a `DONE` at
    /// the very end counts.
    fn ignored_block(&mut self, rest: &str, emit: &mut impl FnMut(Command)) {
        let block = OpenBlock::new(BlockCommand::ignored());
        let last = rest.split_whitespace().next_back();
        if last.is_some_and(|word| block.ends_at(word)) {
            emit(block.finish());
        } else {
            self.state = State::Block(block);
        }
    }

    /// Takes as much of a text in quotes as the line has.
    fn quote(&mut self, mut quote: OpenQuote, text: &mut LineText, emit: &mut impl FnMut(Command)) {
        let rest = text.rest();
        let end = rest.char_indices().find(|&(_, c)| quote.ends_at(c));
        if quote.overflows() {
            emit(Command::unreadable("text longer than 1048576 bytes"));
        }
        match end {
            Some((i, _)) => {
                let left = rest.len() - i - 1;
                self.state = State::Block(OpenBlock::new(quote.finish()));
                text.keep_last(left);
            }
            None => {
                self.state = State::Quote(quote);
                text.keep_last(0);
            }
        }
    }

    /// Takes as much of a block as the line has: any number of its entries, and its end.
    fn block(&mut self, mut block: OpenBlock, text: &mut LineText, emit: &mut impl FnMut(Command)) {
        text.tighten();
        while let Some(word) = text.next_word() {
            if block.ends_at(word) {
                if block.awaits_offer() {
                    self.state = State::Offer(block);
                } else {
                    emit(block.finish());
                }
                return;
            }
            match BoardEntry::parse(word) {
                Some(entry) if block.entries.len() < MAX_ENTRIES => block.entries.push(entry),
                _ => {
                    log::warn!("skipped in a block: {word:.40}");
                    // The number of fifth stones stands before the block, on its line.
                    block.has_skipped |= integer(word).is_none();
                }
            }
        }
        self.state = State::Block(block);
    }

    /// Takes as many of the fifth stones that follow a block as the line has. What is no cell ends
    /// them.
    fn offer(&mut self, mut block: OpenBlock, text: &mut LineText, emit: &mut impl FnMut(Command)) {
        text.tighten();
        while !block.has_offer() {
            let Some(word) = text.peek_word() else {
                self.state = State::Offer(block);
                return;
            };
            let Some(entry) = BoardEntry::parse(word) else {
                break;
            };
            block.entries.push(entry);
            text.next_word();
        }
        while text.peek_word().is_some_and(|word| block.ends_at(word)) {
            text.next_word();
        }
        emit(block.finish());
    }
}

fn path_command(spec: CommandSpec, handler: fn(&mut Session, &Path), path: &str) -> Command {
    let path = Path::new(unquoted(path)).to_path_buf();
    Command::new(
        spec,
        Call::new(path, move |session, path| handler(session, &path)),
    )
}

/// Whether a line is the rest of a block that was not understood.
fn is_left_over(word: &str, line: &str) -> bool {
    // Most lines are told apart by their first character, without reading all of them.
    let begins_number = |c: char| c.is_ascii_digit() || c == '+' || c == '-';
    let is_cell = || numbers(&tighten(line)).is_some_and(|n| n.len() > 1);
    word == "DONE" || (line.starts_with(begins_number) && is_cell())
}

/// Whether nothing but the command and its numbers stands on a line. A line of a text may begin with the
/// same word.
fn is_whole_command(spec: CommandSpec, rest: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || c == ',' || c.is_whitespace();
    match spec.syntax {
        Syntax::Alone(_) => rest.is_empty(),
        _ => !rest.is_empty() && rest.chars().all(is_of_number),
    }
}

/// The first word in upper case, and what follows it.
fn split_word(line: &str) -> (String, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_uppercase(), rest.trim())
}

/// A path as it came, or without the quotes around it.
fn unquoted(path: &str) -> &str {
    let inner = path.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
    inner.unwrap_or(path)
}
