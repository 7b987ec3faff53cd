//! Requests from lines: blocks over many lines or on one, and paths on the next line.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::opening::leading_number;
use super::session::{CommandSpec, Commands, Form, Request};
use super::text::LineText;
use super::text::{BoardEntry, integer, numbers, tighten};
use crate::openings::wire::{OpeningCommand, STONES_BEFORE_OFFER, StonesFrom};

/// Most cells of a block that are kept. No board has as many, so the rest can only be a mistake.
const MAX_CELLS: usize = 4096;

/// Most bytes of a text in quotes.
const MAX_TEXT: usize = 1 << 20;

/// The expected part of the input.
#[derive(Default)]
enum State {
    /// A command.
    #[default]
    Idle,
    /// The path of a command.
    Path(CommandSpec),
    /// The rest of a text in quotes.
    Quote(OpenQuote),
    /// The rest of a block.
    Block(OpenBlock),
    /// The fifth stones offered after the block of some openings.
    Offer(OpenBlock),
}

/// A text in quotes that has begun.
struct OpenQuote {
    spec: CommandSpec,
    text: String,
    /// True after a backslash. The next character stands for itself, or for a line end or a tab as
    /// in printed comments.
    is_escaped: bool,
    /// True for a text of more than [`MAX_TEXT`] bytes: none of it is kept, and its end is awaited.
    is_too_long: bool,
}

impl OpenQuote {
    /// Takes a character. Returns true if the character ends the text.
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

    /// Drops a text that has become too long. Returns true if that happens now.
    fn overflows(&mut self) -> bool {
        let overflows = self.text.len() > MAX_TEXT;
        if overflows {
            self.is_too_long = true;
            self.text = String::new();
        }
        overflows
    }

    /// The request, still without its block.
    fn finish(self) -> Request {
        match self.is_too_long {
            true => Request::ignored(),
            false => Request::new(self.spec, self.text),
        }
    }
}

/// A block that has begun.
struct OpenBlock {
    request: Request,
    /// Number of cells together with the fifth stones after the block's end; 0 without any.
    cells_with_offer: usize,
}

impl OpenBlock {
    fn new(request: Request) -> OpenBlock {
        OpenBlock {
            request,
            cells_with_offer: 0,
        }
    }

    fn has_offer(&self) -> bool {
        self.request.cells.len() >= self.cells_with_offer
    }

    /// True if the fifth stones still have to come after the end of the block. They can be offered
    /// only with four stones; with any other number the request is refused at once.
    fn awaits_offer(&self) -> bool {
        self.request.cells.len() == STONES_BEFORE_OFFER && !self.has_offer()
    }

    /// True if `word` ends the block. AlphaGomoku's text writes `PLAY` before the offered fifth
    /// stones.
    fn ends_at(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case("DONE")
            || (self.cells_with_offer > 0 && word.eq_ignore_ascii_case("PLAY"))
    }
}

/// A parser that makes requests from lines.
#[derive(Default)]
pub struct Parser {
    commands: Commands,
    state: State,
}

impl Parser {
    /// A parser of these commands.
    pub fn new(commands: Commands) -> Parser {
        Parser {
            commands,
            state: State::Idle,
        }
    }

    /// Reads one line without its end and hands every complete request to `emit`.
    ///
    /// Words may have any letter case, blanks may stand anywhere between words and around commas,
    /// and bytes outside UTF-8 do no harm. A path may be of such bytes.
    pub fn line(&mut self, line: &[u8], emit: &mut impl FnMut(Request)) {
        let raw = line;
        let line = String::from_utf8_lossy(line);
        let raw = matches!(line, Cow::Owned(_)).then(|| without_mark(raw));
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return;
        }
        self.begin_line(line);
        let mut text = LineText::new(line);
        // After a block a line may continue with another command.
        while !text.is_empty() {
            match std::mem::take(&mut self.state) {
                State::Idle => self.command(&mut text, raw, emit),
                State::Path(spec) => emit(path_request(spec, &text.take_all(), raw)),
                State::Quote(quote) => self.quote(quote, &mut text, emit),
                State::Block(block) => self.block(block, &mut text, emit),
                State::Offer(block) => self.offer(block, &mut text, emit),
            }
        }
    }

    /// A line was too long to read: answers once, and drops the command that the line continues.
    pub fn line_too_long(&mut self, emit: &mut impl FnMut(Request)) {
        self.state = State::Idle;
        emit(Request::unreadable("line longer than 65536 bytes"));
    }

    /// The lines of a file are over: answers an incomplete command.
    pub fn file_over(&mut self, emit: &mut impl FnMut(Request)) {
        let missing = match std::mem::take(&mut self.state) {
            State::Idle => return,
            State::Path(..) => "the file ends before the path",
            State::Quote(_) => "the file ends inside a text in quotes",
            State::Block(_) => "the file ends inside a block, without DONE",
            State::Offer(_) => "the file ends before the fifth stones",
        };
        emit(Request::unreadable(missing));
    }

    /// Applies the start of a new line to an incomplete command.
    fn begin_line(&mut self, line: &str) {
        if let State::Idle = self.state {
            return;
        }
        let (word, rest) = split_word(line);
        let is_free_text = matches!(self.state, State::Quote(_) | State::Path(..));
        let interrupts = |spec: CommandSpec| {
            spec.interrupts_block && (!is_free_text || is_whole_command(spec, rest))
        };
        if self.commands.find(&word).is_some_and(interrupts) {
            log::warn!("{word} inside an unfinished command, which is dropped");
            self.state = State::Idle;
        } else if let State::Quote(quote) = &mut self.state {
            // An end of a line never ends the text.
            quote.ends_at('\n');
        }
    }

    /// Takes a command, or the part before its block. `raw` has the bytes of a line that is no
    /// UTF-8.
    fn command(&mut self, text: &mut LineText, raw: Option<&[u8]>, emit: &mut impl FnMut(Request)) {
        let line = text.rest().trim_start();
        let (word, rest) = split_word(line);
        if is_left_over(&word, line) {
            text.take_all();
            return emit(Request::ignored());
        }
        let Some(spec) = self.commands.find(&word) else {
            text.take_all();
            return emit(Request::unknown(word));
        };
        // Bytes of the line left for a block.
        let mut left = 0;
        match spec.form {
            Form::Alone => emit(Request::new(spec, "")),
            Form::Line => emit(Request::new(spec, rest)),
            Form::Path if rest.is_empty() => self.state = State::Path(spec),
            Form::Path => {
                let raw = raw.map(|raw| raw.strip_prefix(line_word(line)).unwrap_or_default());
                emit(path_request(spec, rest, raw));
            }
            Form::Block => {
                self.state = State::Block(OpenBlock::new(Request::new(spec, "")));
                left = rest.len();
            }
            Form::LineAndBlock(skip_arguments) => match skip_arguments(rest) {
                Some(after) => {
                    let arguments = rest[..rest.len() - after.len()].trim_end();
                    self.state = State::Block(OpenBlock::new(Request::new(spec, arguments)));
                    left = after.len();
                }
                None => self.ignored_block(rest, emit),
            },
            Form::QuoteAndBlock => match rest.strip_prefix('"') {
                Some(after) => {
                    self.state = State::Quote(OpenQuote {
                        spec,
                        text: String::new(),
                        is_escaped: false,
                        is_too_long: false,
                    });
                    left = after.len();
                }
                None => self.ignored_block(rest, emit),
            },
            Form::Opening(command) => left = self.opening(spec, command, rest, emit),
        }
        text.keep_last(left);
    }

    /// Takes the request for a step of an opening. Returns the number of bytes of the line left for
    /// its block.
    fn opening(
        &mut self,
        spec: CommandSpec,
        command: &'static OpeningCommand,
        rest: &str,
        emit: &mut impl FnMut(Request),
    ) -> usize {
        let number = leading_number(rest);
        let text = number.map_or_else(String::new, |n| n.to_string());
        let request = Request::new(spec, text);
        if command.stones_from == StonesFrom::SessionBoard {
            emit(request);
            return 0;
        }
        self.state = State::Block(OpenBlock {
            request,
            cells_with_offer: command.request(number).cells_with_offer().unwrap_or(0),
        });
        rest.len()
    }

    /// Begins a block that does nothing. Free text may precede its cells, so on this line only a
    /// `DONE` at the very end counts.
    fn ignored_block(&mut self, rest: &str, emit: &mut impl FnMut(Request)) {
        let block = OpenBlock::new(Request::ignored());
        let last = rest.split_whitespace().next_back();
        if last.is_some_and(|word| block.ends_at(word)) {
            emit(block.request);
        } else {
            self.state = State::Block(block);
        }
    }

    /// Takes the line's part of a text in quotes.
    fn quote(&mut self, mut quote: OpenQuote, text: &mut LineText, emit: &mut impl FnMut(Request)) {
        let rest = text.rest();
        let end = rest.char_indices().find(|&(_, c)| quote.ends_at(c));
        if quote.overflows() {
            emit(Request::unreadable("text longer than 1048576 bytes"));
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

    /// Takes the line's part of a block: any number of cells, and the end.
    fn block(&mut self, mut block: OpenBlock, text: &mut LineText, emit: &mut impl FnMut(Request)) {
        text.tighten();
        while let Some(word) = text.next_word() {
            if block.ends_at(word) {
                if block.awaits_offer() {
                    self.state = State::Offer(block);
                } else {
                    emit(block.request);
                }
                return;
            }
            match BoardEntry::parse(word) {
                Some(cell) if block.request.cells.len() < MAX_CELLS => {
                    block.request.cells.push(cell);
                }
                _ => {
                    log::warn!("skipped in a block: {word:.40}");
                    // A number before the cells is no skipped cell: the number of fifth stones
                    // stands there.
                    block.request.has_skipped |= integer(word).is_none();
                }
            }
        }
        self.state = State::Block(block);
    }

    /// Takes the line's part of the fifth stones after a block. The first word that is no cell ends
    /// them.
    fn offer(&mut self, mut block: OpenBlock, text: &mut LineText, emit: &mut impl FnMut(Request)) {
        text.tighten();
        while !block.has_offer() {
            let Some(word) = text.peek_word() else {
                self.state = State::Offer(block);
                return;
            };
            let Some(cell) = BoardEntry::parse(word) else {
                break;
            };
            block.request.cells.push(cell);
            text.next_word();
        }
        while text.peek_word().is_some_and(|word| block.ends_at(word)) {
            text.next_word();
        }
        emit(block.request);
    }
}

/// True if a line is the rest of a skipped block.
fn is_left_over(word: &str, line: &str) -> bool {
    // For most lines the first character decides, so the rest is not read.
    let begins_number = |c: char| c.is_ascii_digit() || c == '+' || c == '-';
    let is_cell = || numbers(&tighten(line)).is_some_and(|n| n.len() > 1);
    word == "DONE" || (line.starts_with(begins_number) && is_cell())
}

/// True if a line holds nothing but the command and its numbers. A line of a text may begin with
/// the same word.
fn is_whole_command(spec: CommandSpec, rest: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || c == ',' || c.is_whitespace();
    match spec.form {
        Form::Alone => rest.is_empty(),
        _ => !rest.is_empty() && rest.chars().all(is_of_number),
    }
}

/// The first word in upper case, and the text after it.
fn split_word(line: &str) -> (String, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_uppercase(), rest.trim())
}

/// A path without quotes around it.
fn unquoted(path: &[u8]) -> &[u8] {
    let inner = path.strip_prefix(b"\"").and_then(|p| p.strip_suffix(b"\""));
    inner.unwrap_or(path)
}

/// A request with a path: `text`, or the bytes `raw` of a path that is no UTF-8. Without any bytes
/// the path stands behind others of the line, and where it begins is not known.
fn path_request(spec: CommandSpec, text: &str, raw: Option<&[u8]>) -> Request {
    match raw {
        None => Request::new(spec, String::from_utf8_lossy(unquoted(text.as_bytes()))),
        Some([]) => Request::unreadable("the name of the file is not UTF-8"),
        Some(raw) => Request::with_raw_path(spec, unquoted(raw.trim_ascii())),
    }
}

/// The bytes of the first word of a line.
fn line_word(line: &str) -> &[u8] {
    let word = line.split(char::is_whitespace).next();
    word.unwrap_or_default().as_bytes()
}

/// A line without a byte order mark and blanks at its ends.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .trim_ascii()
}
