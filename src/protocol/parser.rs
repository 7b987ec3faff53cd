//! From lines to commands: blocks over many lines or on one, paths on the line that follows.

use super::command::{Block, Command, Entry, FileWord, Word, interpret};
use super::database_words::{self, Head};
use super::text::{Coord, numbers, tighten};

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
    Path(FileWord),
    /// A comment that goes on over lines; what there is of it, with the quote at its head.
    Comment(String),
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
            State::Path(word) => emit(Command::File(word, unquoted(line))),
            State::Comment(text) => {
                let text = format!("{text}\n{line}");
                self.head(database_words::comment(&text), emit);
            }
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
        if let Some(head) = database_words::head(&word, rest) {
            return match head {
                Head::Bad => self.ignored(rest, emit),
                head => self.head(head, emit),
            };
        }
        match interpret(&word, rest) {
            Word::Command(command) => emit(command),
            Word::Path(word) if rest.is_empty() => self.state = State::Path(word),
            Word::Path(word) => emit(Command::File(word, unquoted(rest))),
            Word::Block(Block::Ignored) => self.ignored(rest, emit),
            Word::Block(block) => self.block(block, Vec::new(), rest, emit),
        }
    }

    /// Goes on after the head of a database command.
    fn head(&mut self, head: Head, emit: &mut impl FnMut(Command)) {
        match head {
            Head::Ready(block, rest) => self.block(Block::Database(block), Vec::new(), rest, emit),
            Head::Open(text) => self.state = State::Comment(text),
            Head::Bad => self.ignored("", emit),
        }
    }

    /// Begins a block that does nothing. Its head may carry free text, in which only a `DONE` at the
    /// very end counts.
    fn ignored(&mut self, rest: &str, emit: &mut impl FnMut(Command)) {
        if split_last(rest).eq_ignore_ascii_case("DONE") {
            emit(Command::Block(Block::Ignored, Vec::new()));
        } else {
            self.state = State::Block(Block::Ignored, Vec::new());
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
            if is_end(word, &block) {
                let rest: Vec<&str> = words.collect();
                let rest = rest.join(" ");
                if entries.len() < entries_with_offer(&block) {
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
            if entries.len() == entries_with_offer(&block) {
                break;
            }
        }
        let complete = entries.len() == entries_with_offer(&block);
        if !complete && words.peek().is_none() {
            self.state = State::Offer(block, entries);
            return;
        }
        let rest: Vec<&str> = words.filter(|word| !is_end(word, &block)).collect();
        emit(Command::Block(block, entries));
        if !rest.is_empty() {
            self.command(&rest.join(" "), emit);
        }
    }
}

/// Whether `word` ends the block. AlphaGomoku's text writes `PLAY` before the fifth stones offered.
fn is_end(word: &str, block: &Block) -> bool {
    word.eq_ignore_ascii_case("DONE")
        || (entries_with_offer(block) > 0 && word.eq_ignore_ascii_case("PLAY"))
}

/// Entries of a block and the fifth stones that follow it; 0 for blocks that nothing follows.
fn entries_with_offer(block: &Block) -> usize {
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

/// A path as it came, or without the quotes around it.
fn unquoted(path: &str) -> String {
    let inner = path.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
    inner.unwrap_or(path).to_string()
}

fn split_last(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::super::database_words::{DatabaseBlock, DatabaseFile};
    use super::super::opening::ask;
    use super::*;
    use crate::database::{Selection, Verdict};

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
        let dump = |path: &str| [Command::File(FileWord::HashDump, path.to_string())];
        assert_eq!(parse("yxhashdump C:\\A b"), dump("C:\\A b"));
        assert_eq!(parse("yxhashdump\n\n/tmp/START 15"), dump("/tmp/START 15"));
        assert_eq!(parse("yxhashdump \"my file\""), dump("my file"));
        assert_eq!(
            parse("YXSETDATABASE\n7,7"),
            [Command::File(
                FileWord::Database(DatabaseFile::Open),
                "7,7".to_string()
            )]
        );
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
        assert!(matches!(
            parse("YXEDITLABELDATABASE all done here\n7,7\nDONE")[..],
            [Command::Block(Block::Ignored, _)]
        ));
    }

    fn database(block: DatabaseBlock, cells: &[(i64, i64)]) -> [Command; 1] {
        let entry = |&(x, y)| Entry {
            at: Coord { x, y },
            field: None,
        };
        [Command::Block(
            Block::Database(block),
            cells.iter().map(entry).collect(),
        )]
    }

    #[test]
    fn database_heads_carry_their_arguments_in_both_layouts() {
        let edit = DatabaseBlock::Edit {
            label: Some(87),
            value: None,
            depth: Some(12),
        };
        let cell = |text: &str| DatabaseBlock::EditCell {
            at: Coord { x: 3, y: 4 },
            text: text.to_string(),
        };
        let after = |verdict, is_recursive| {
            DatabaseBlock::DeleteAfter(Selection {
                verdict,
                is_recursive,
            })
        };
        let text = |text: &str| DatabaseBlock::EditComment(text.to_string());
        for (head, block) in [
            ("yxedittvddatabase 5 87 0 12", edit),
            ("YXEDITLABELDATABASE 3,4 A1", cell("A1")),
            ("YXEDITLABELDATABASE 3,4 ", cell("")),
            ("yxdeletedatabaseone", DatabaseBlock::Delete),
            ("yxdeletedatabaseall", after(Verdict::Any, true)),
            ("yxdeletedatabaseall wl", after(Verdict::WinOrLoss, false)),
            (
                "yxdeletedatabaseall wlinsteprecursive 9",
                after(Verdict::WithinPlies(9), true),
            ),
            (
                "YXEDITTEXTDATABASE \"all done here\"",
                text("all done here"),
            ),
            (r#"YXEDITTEXTDATABASE "a \"b\" \\c""#, text(r#"a "b" \c"#)),
            (
                "YXEDITTEXTDATABASE \"two\nlines: 1,1\nDONE\"",
                text("two\nlines: 1,1\nDONE"),
            ),
            (
                "YXDELETEDATABASEALL WLD RECURSIVE",
                after(Verdict::Decided, true),
            ),
            (
                "yxquerydatabaseallt",
                DatabaseBlock::QueryAll { with_comment: true },
            ),
        ] {
            let wanted = database(block, &[(7, 7), (8, 6)]);
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
                let commands = parse(&text);
                assert!(
                    matches!(commands[..], [Command::Block(Block::Ignored, _)]),
                    "{text}: {commands:?}"
                );
            }
        }
    }

    #[test]
    fn extension_words_are_known() {
        assert_eq!(
            parse("yxswap2step2"),
            [Command::Opening(ask("YXSWAP2STEP2", "").unwrap())]
        );
        assert_eq!(
            parse("yxquerydatabaseall\ndone"),
            database(
                DatabaseBlock::QueryAll {
                    with_comment: false
                },
                &[]
            )
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
