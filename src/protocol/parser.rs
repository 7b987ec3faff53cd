//! From lines to commands: blocks over many lines or on one, paths on the line that follows.

use std::path::Path;

use super::line_text::LineText;
use super::opening::{OpeningCommand, StonesFrom};
use super::session::{BlockCommand, Call, Command, CommandSpec, Session, Syntax, find_command};
use super::text::{BoardEntry, numbers, tighten};

/// Most lines of a block that are kept. A board has 484 cells; the rest can only be a mistake.
const MAX_ENTRIES: usize = 4096;

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
    /// Whether the last character was a backslash, so that the next one stands for itself.
    is_escaped: bool,
}

impl OpenQuote {
    /// Takes a character; returns whether it ends the text.
    fn ends_at(&mut self, c: char) -> bool {
        match c {
            _ if self.is_escaped => {
                self.text.push(c);
                self.is_escaped = false;
            }
            '"' => return true,
            '\\' => self.is_escaped = true,
            _ => self.text.push(c),
        }
        false
    }

    fn finish(self) -> BlockCommand {
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
}

impl OpenBlock {
    fn new(command: BlockCommand) -> OpenBlock {
        OpenBlock {
            command,
            entries: Vec::new(),
            entries_with_offer: 0,
        }
    }

    fn has_offer(&self) -> bool {
        self.entries.len() >= self.entries_with_offer
    }

    /// Whether `word` ends the block. AlphaGomoku's text writes `PLAY` before the fifth stones
    /// offered.
    fn ends_at(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case("DONE")
            || (self.entries_with_offer > 0 && word.eq_ignore_ascii_case("PLAY"))
    }

    fn finish(self) -> Command {
        self.command.complete(self.entries)
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
                State::Quote(quote) => self.quote(quote, &mut text),
                State::Block(block) => self.block(block, &mut text, emit),
                State::Offer(block) => self.offer(block, &mut text, emit),
            }
        }
    }

    /// What a new line means for a command that is not complete.
    fn begin_line(&mut self, line: &str) {
        if let State::Idle = self.state {
            return;
        }
        let (word, _) = split_word(line);
        if find_command(&word).is_some_and(|spec| spec.interrupts_block) {
            log::warn!("{word} inside a block: the block is dropped");
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
            Syntax::Line(read) => emit(match read(rest) {
                Ok(call) => Command::new(spec, call),
                Err(why) => Command::malformed(why),
            }),
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
    fn quote(&mut self, mut quote: OpenQuote, text: &mut LineText) {
        let rest = text.rest();
        let end = rest.char_indices().find(|&(_, c)| quote.ends_at(c));
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
                if block.has_offer() {
                    emit(block.finish());
                } else {
                    self.state = State::Offer(block);
                }
                return;
            }
            match BoardEntry::parse(word) {
                Some(entry) if block.entries.len() < MAX_ENTRIES => block.entries.push(entry),
                _ => log::warn!("skipped in a block: {word:.40}"),
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

#[cfg(test)]
mod tests {
    use super::super::arguments::{BoardSize, Setting};
    use super::super::database_arguments::{CellText, RecordEdit};
    use super::super::text::Coord;
    use super::*;
    use crate::database::{Selection, Verdict};

    /// The commands of some lines, each as its first word and its arguments.
    fn parse(text: &str) -> Vec<String> {
        let mut parser = Parser::default();
        let mut commands = Vec::new();
        for line in text.split('\n') {
            parser.line(line.as_bytes(), &mut |command| {
                commands.push(format!("{command:?}"));
            });
        }
        commands
    }

    fn shown(word: &str, arguments: impl std::fmt::Debug) -> String {
        format!("{word} {arguments:?}")
    }

    /// A line that is no command, or a block without sense.
    const IGNORED: &str = "- ()";

    fn entry(x: i64, y: i64, field: i64) -> BoardEntry {
        BoardEntry {
            at: Coord { x, y },
            field: Some(field),
        }
    }

    fn square(word: &str, n: i64) -> String {
        let (width, height) = (n, n);
        shown(word, BoardSize { width, height })
    }

    #[test]
    fn start_has_several_spellings() {
        for text in [
            "START 15",
            "start 15\r",
            "  Start\t15 ",
            "start 15 15",
            "start 15,15",
            "\u{feff}START 15",
        ] {
            assert_eq!(parse(text), [square("START", 15)], "{text}");
        }
        assert_eq!(parse("RECTSTART 15 ,15"), [square("RECTSTART", 15)]);
        for text in ["START", "START abc", "RECTSTART 15", "START 15 abc"] {
            let commands = parse(text);
            assert_eq!(commands.len(), 1);
            assert!(commands[0].starts_with("- \"bad size"), "{commands:?}");
        }
    }

    #[test]
    fn blocks_have_two_layouts() {
        let expected = [shown("BOARD", [entry(7, 7, 1), entry(8, 8, 2)])];
        for text in [
            "BOARD\n7,7,1\n8,8,2\nDONE",
            "board 7,7,1 8,8,2 done",
            "Board 7,7,1\n\n 8 , 8 , 2 \nDone",
            "BOARD\n7,7,1 8,8,2\nnonsense 1\nDONE",
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(parse("YXBOARD DONE YXNBEST 3"), ["YXBOARD []", "YXNBEST 3"]);
    }

    #[test]
    fn a_lost_done_does_not_hold_the_engine() {
        assert_eq!(parse("BOARD\n7,7,1\nSTART 20"), [square("START", 20)]);
        assert_eq!(parse("BOARD\n7,7,1\nend"), ["END ()"]);
        assert_eq!(parse("YXHASHDUMP\nend"), ["END ()"]);
    }

    #[test]
    fn paths_stand_here_or_on_the_next_line() {
        let dump = |path: &str| [shown("YXHASHDUMP", path)];
        assert_eq!(parse("yxhashdump C:\\A b"), dump("C:\\A b"));
        assert_eq!(parse("yxhashdump\n\n/tmp/START 15"), dump("/tmp/START 15"));
        assert_eq!(parse("yxhashdump \"my file\""), dump("my file"));
        assert_eq!(parse("YXSETDATABASE\n7,7"), [shown("YXSETDATABASE", "7,7")]);
        assert_eq!(parse("RELOADCONFIG\nSTOP").pop().unwrap(), "STOP ()");
    }

    #[test]
    fn values_keep_their_letter_case() {
        assert_eq!(
            parse("info FOLDER  C:\\Users\\My Files "),
            [shown(
                "INFO",
                Setting {
                    key: "folder".to_string(),
                    value: "C:\\Users\\My Files".to_string()
                }
            )]
        );
        assert_eq!(
            parse("INFO"),
            [shown(
                "INFO",
                Setting {
                    key: String::new(),
                    value: String::new()
                }
            )]
        );
    }

    #[test]
    fn remains_of_unknown_blocks_are_ignored() {
        let commands = parse("FROBNICATE\n7,7\n 7 , 7 , 1\nDONE");
        assert_eq!(commands[0], "- \"FROBNICATE\"");
        assert_eq!(commands[1..], [IGNORED; 3]);
        let text = "YXEDITLABELDATABASE all done here\n7,7\nDONE";
        assert_eq!(parse(text), [IGNORED]);
    }

    /// More commands on a line than a recursive parser has stack for.
    #[test]
    fn a_line_may_hold_many_blocks() {
        let line = "YXBOARD 7,7,1 DONE ".repeat(50_000);
        let commands = parse(&line);
        assert_eq!(commands.len(), 50_000);
        assert_eq!(commands[49_999], shown("YXBOARD", [entry(7, 7, 1)]));
    }

    #[test]
    fn database_heads_carry_their_arguments_in_both_layouts() {
        let moves = [(7, 7), (8, 6)].map(|(x, y)| BoardEntry {
            at: Coord { x, y },
            field: None,
        });
        let edit = RecordEdit {
            label: Some(87),
            value: None,
            depth: Some(12),
        };
        let cell = |text: &str| {
            let text = text.to_string();
            let at = Coord { x: 3, y: 4 };
            shown("YXEDITLABELDATABASE", (CellText { at, text }, &moves))
        };
        let after = |verdict, is_recursive| {
            let selection = Selection {
                verdict,
                is_recursive,
            };
            shown("YXDELETEDATABASEALL", (selection, &moves))
        };
        let comment = |text: &str| shown("YXEDITTEXTDATABASE", (text, &moves));
        for (head, wanted) in [
            (
                "yxedittvddatabase 5 87 0 12",
                shown("YXEDITTVDDATABASE", (edit, &moves)),
            ),
            ("YXEDITLABELDATABASE 3,4 A1", cell("A1")),
            ("YXEDITLABELDATABASE 3,4 ", cell("")),
            ("yxdeletedatabaseone", shown("YXDELETEDATABASEONE", moves)),
            ("yxdeletedatabaseall", after(Verdict::Any, true)),
            ("yxdeletedatabaseall wl", after(Verdict::WinOrLoss, false)),
            (
                "yxdeletedatabaseall wlinsteprecursive 9",
                after(Verdict::WithinPlies(9), true),
            ),
            (
                "YXEDITTEXTDATABASE \"all done here\"",
                comment("all done here"),
            ),
            (
                r#"YXEDITTEXTDATABASE "a \"b\" \\c""#,
                comment(r#"a "b" \c"#),
            ),
            (
                "YXEDITTEXTDATABASE \"two\nlines: 1,1\nDONE\"",
                comment("two\nlines: 1,1\nDONE"),
            ),
            ("YXEDITTEXTDATABASE \"a\\\n\\\"b\"", comment("a\n\"b")),
            (
                "YXDELETEDATABASEALL WLD RECURSIVE",
                after(Verdict::Decided, true),
            ),
            ("yxquerydatabaseallt", shown("YXQUERYDATABASEALLT", moves)),
        ] {
            let wanted = [wanted];
            assert_eq!(parse(&format!("{head}\n7,7\n8,6\ndone")), wanted, "{head}");
            assert_eq!(parse(&format!("{head} 7,7 8,6 DONE")), wanted, "{head}");
        }
    }

    #[test]
    fn heads_without_sense_swallow_their_block() {
        for head in [
            "YXEDITTVDDATABASE 1 W 0 0",
            "YXEDITTEXTDATABASE none",
            "YXEDITLABELDATABASE A",
            "YXDELETEDATABASEALL everything",
            "YXDELETEDATABASEALL WLINSTEP",
        ] {
            for text in [format!("{head}\n7,7\nDONE"), format!("{head} 7,7 DONE")] {
                assert_eq!(parse(&text), [IGNORED], "{text}");
            }
        }
    }

    #[test]
    fn extension_words_are_known() {
        assert!(parse("yxswap2step2")[0].starts_with("YXSWAP2STEP2 OpeningRequest"));
        assert_eq!(parse("yxquerydatabaseall\ndone"), ["YXQUERYDATABASEALL []"]);
        assert_eq!(parse("yxbalancetwo -50"), ["YXBALANCETWO -50"]);
        assert_eq!(parse("yxnbest -3"), ["YXNBEST 1"]);
        assert_eq!(parse("yxsearchdefend"), ["YXSEARCHDEFEND ()"]);
    }

    #[test]
    fn stones_offered_follow_their_block() {
        let text = "RIFSTEP5 7,7 7,6 7,8 6,8 DONE 3,3\n3,4 DONE YXNBEST 2";
        let commands = parse(text);
        assert_eq!(commands.len(), 2);
        assert_eq!(commands[0].matches("Coord").count(), 6);
        assert_eq!(commands[1], "YXNBEST 2");
        let cut_short = parse("RIFSTEP5 7,7 7,6 7,8 6,8 PLAY 3,3\nYXBOARD 7,7,1 DONE");
        assert_eq!(cut_short.len(), 2);
        assert_eq!(cut_short[1], shown("YXBOARD", [entry(7, 7, 1)]));
    }

    #[test]
    fn bytes_that_are_no_text_are_an_unknown_word() {
        let mut commands = Vec::new();
        Parser::default().line(b"\xff\xfe\x00 7", &mut |c| commands.push(c));
        assert_eq!(format!("{commands:?}"), "[- \"\u{fffd}\u{fffd}\\0\"]");
    }
}
