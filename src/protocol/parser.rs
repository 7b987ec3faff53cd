//! From lines to commands: blocks over many lines or on one, paths on the line that follows.

use super::command::{interpret, Block, Command, Entry, Word};
use super::text::{numbers, tighten, Coord};

/// Most lines of a block that are kept. A board has 484 cells; the rest can only be a mistake.
const MAX_ENTRIES: usize = 4096;

/// Words that are obeyed inside a block too, because its `DONE` must have been lost.
const INTERRUPTING: [&str; 4] = ["END", "START", "RECTSTART", "RESTART"];

/// What the next line belongs to.
#[derive(Debug, Default)]
enum State {
    /// Nothing.
    #[default]
    Idle,
    /// A block that has begun.
    Block(Block, Vec<Entry>),
    /// A block that is over but for the fifth stones offered, which follow it.
    Offer(Block, Vec<Entry>),
    /// A command that waits for its path.
    Path(Command),
}

/// Puts commands together from lines.
#[derive(Debug, Default)]
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
        if let State::Idle = self.state {
            return self.command(line, emit);
        }
        let (word, _) = split_word(line);
        if INTERRUPTING.contains(&word.as_str()) {
            log::warn!("{word} inside a block: the block is dropped");
            self.state = State::Idle;
            return self.command(line, emit);
        }
        match std::mem::take(&mut self.state) {
            State::Path(command) => emit(command),
            State::Block(block, entries) => self.block(block, entries, line, emit),
            State::Offer(block, entries) => self.offer(block, entries, line, emit),
            State::Idle => {}
        }
    }

    /// A line outside a block.
    fn command(&mut self, line: &str, emit: &mut impl FnMut(Command)) {
        let (word, rest) = split_word(line);
        // What is left of a block whose head was not understood.
        if word == "DONE" || numbers(tighten(line).as_str()).is_some_and(|n| n.len() > 1) {
            return emit(Command::Ignored);
        }
        match interpret(&word, rest) {
            Word::Command(command) => emit(command),
            Word::Path(command) if rest.is_empty() => self.state = State::Path(command),
            Word::Path(command) => emit(command),
            Word::Block(Block::Ignored) => {
                // The head may carry free text, in which only a `DONE` at the very end counts.
                if split_last(rest).eq_ignore_ascii_case("DONE") {
                    emit(Command::Block(Block::Ignored, Vec::new()));
                } else {
                    self.state = State::Block(Block::Ignored, Vec::new());
                }
            }
            Word::Block(block) => self.block(block, Vec::new(), rest, emit),
        }
    }

    /// Goes on with a block by `text`, which may hold any number of its entries and its end.
    fn block(
        &mut self,
        block: Block,
        mut entries: Vec<Entry>,
        text: &str,
        emit: &mut impl FnMut(Command),
    ) {
        let text = tighten(text);
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if is_end(word, block) {
                let rest: Vec<&str> = words.collect();
                let rest = rest.join(" ");
                if entries.len() < entries_with_offer(block) {
                    return self.offer(block, entries, &rest, emit);
                }
                emit(Command::Block(block, entries));
                if !rest.is_empty() {
                    self.command(&rest, emit);
                }
                return;
            }
            match entry(word) {
                Some(entry) if entries.len() < MAX_ENTRIES => entries.push(entry),
                _ => log::warn!("skipped in a block: {word:.40}"),
            }
        }
        self.state = State::Block(block, entries);
    }

    /// Goes on with the fifth stones that follow a block, by `text`. What is no cell ends them.
    fn offer(
        &mut self,
        block: Block,
        mut entries: Vec<Entry>,
        text: &str,
        emit: &mut impl FnMut(Command),
    ) {
        let text = tighten(text);
        let mut words = text.split_whitespace().peekable();
        while let Some(found) = words.peek().copied().and_then(entry) {
            entries.push(found);
            words.next();
            if entries.len() == entries_with_offer(block) {
                break;
            }
        }
        let complete = entries.len() == entries_with_offer(block);
        if !complete && words.peek().is_none() {
            self.state = State::Offer(block, entries);
            return;
        }
        emit(Command::Block(block, entries));
        let rest: Vec<&str> = words.filter(|word| !is_end(word, block)).collect();
        if !rest.is_empty() {
            self.command(&rest.join(" "), emit);
        }
    }
}

/// Whether `word` ends the block. AlphaGomoku's text writes `PLAY` before the fifth stones offered.
fn is_end(word: &str, block: Block) -> bool {
    word.eq_ignore_ascii_case("DONE")
        || (entries_with_offer(block) > 0 && word.eq_ignore_ascii_case("PLAY"))
}

/// Entries of a block and the fifth stones that follow it; 0 for blocks that nothing follows.
fn entries_with_offer(block: Block) -> usize {
    match block {
        Block::Opening(ask) => ask.entries_with_offer().unwrap_or(0),
        _ => 0,
    }
}

fn entry(word: &str) -> Option<Entry> {
    match numbers(word).as_deref() {
        Some(&[x, y, ref fields @ ..]) => Some(Entry {
            at: Coord { x, y },
            field: fields.first().copied(),
        }),
        _ => None,
    }
}

/// The first word in upper case, and what follows it.
fn split_word(line: &str) -> (String, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_uppercase(), rest.trim())
}

fn split_last(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::super::opening::ask;
    use super::*;

    fn parse(text: &str) -> Vec<Command> {
        let mut parser = Parser::default();
        let mut commands = Vec::new();
        for line in text.split('\n') {
            parser.line(line.as_bytes(), &mut |command| commands.push(command));
        }
        commands
    }

    fn entry(x: i64, y: i64, field: i64) -> Entry {
        Entry {
            at: Coord { x, y },
            field: Some(field),
        }
    }

    fn square(n: i64) -> Command {
        Command::Start {
            width: n,
            height: n,
        }
    }

    #[test]
    fn start_has_several_spellings() {
        for text in [
            "START 15",
            "start 15\r",
            "  Start\t15 ",
            "start 15 15",
            "start 15,15",
            "RECTSTART 15 ,15",
            "\u{feff}START 15",
        ] {
            assert_eq!(parse(text), [square(15)], "{text}");
        }
        for text in ["START", "START abc", "RECTSTART 15", "START 15 abc"] {
            assert!(matches!(parse(text)[..], [Command::Malformed(_)]), "{text}");
        }
    }

    #[test]
    fn blocks_have_two_layouts() {
        let expected = [Command::Block(
            Block::Board,
            vec![entry(7, 7, 1), entry(8, 8, 2)],
        )];
        for text in [
            "BOARD\n7,7,1\n8,8,2\nDONE",
            "board 7,7,1 8,8,2 done",
            "Board 7,7,1\n\n 8 , 8 , 2 \nDone",
            "BOARD\n7,7,1 8,8,2\nnonsense 1\nDONE",
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(
            parse("YXBOARD DONE YXNBEST 3"),
            [
                Command::Block(Block::Position, vec![]),
                Command::NBest(Some(3))
            ]
        );
    }

    #[test]
    fn a_lost_done_does_not_hold_the_engine() {
        assert_eq!(parse("BOARD\n7,7,1\nSTART 20"), [square(20)]);
        assert_eq!(parse("BOARD\n7,7,1\nend"), [Command::End]);
        assert_eq!(parse("YXHASHDUMP\nend"), [Command::End]);
    }

    #[test]
    fn paths_stand_here_or_on_the_next_line() {
        assert_eq!(parse("yxhashdump C:\\A b"), [Command::HashFile]);
        assert_eq!(parse("yxhashdump\n\n/tmp/START 15"), [Command::HashFile]);
        assert_eq!(parse("YXSETDATABASE\n7,7"), [Command::Ignored]);
        assert_eq!(parse("RELOADCONFIG\nSTOP").pop(), Some(Command::Stop));
    }

    #[test]
    fn values_keep_their_letter_case() {
        assert_eq!(
            parse("info FOLDER  C:\\Users\\My Files "),
            [Command::Info {
                key: "folder".to_string(),
                value: "C:\\Users\\My Files".to_string()
            }]
        );
        assert_eq!(
            parse("INFO"),
            [Command::Info {
                key: String::new(),
                value: String::new()
            }]
        );
    }

    #[test]
    fn remains_of_unknown_blocks_are_ignored() {
        let commands = parse("FROBNICATE\n7,7\n 7 , 7 , 1\nDONE");
        assert_eq!(commands[0], Command::Unknown("FROBNICATE".to_string()));
        assert!(commands[1..].iter().all(|c| *c == Command::Ignored));
        assert_eq!(
            parse("YXEDITTEXTDATABASE \"all done here\"\n7,7\nDONE"),
            [Command::Block(
                Block::Ignored,
                vec![Entry {
                    at: Coord { x: 7, y: 7 },
                    field: None
                }]
            )]
        );
    }

    #[test]
    fn extension_words_are_known() {
        assert_eq!(
            parse("yxswap2step2"),
            [Command::Opening(ask("YXSWAP2STEP2", "").unwrap())]
        );
        assert_eq!(
            parse("yxquerydatabaseall\ndone"),
            [Command::Block(Block::QueryDatabase, vec![])]
        );
        assert_eq!(
            parse("yxbalancetwo -50"),
            [Command::Balance {
                moves: 2,
                bias: -50
            }]
        );
        assert_eq!(parse("yxnbest -3"), [Command::NBest(Some(1))]);
        assert_eq!(parse("yxsearchdefend"), [Command::NBest(None)]);
    }

    #[test]
    fn bytes_that_are_no_text_are_an_unknown_word() {
        let mut commands = Vec::new();
        Parser::default().line(b"\xff\xfe\x00 7", &mut |c| commands.push(c));
        assert!(matches!(commands[..], [Command::Unknown(_)]));
    }
}
