//! The words typed by a person.

use std::path::PathBuf;

use tengen::board::{Board, parse_moves, parse_size};
use tengen::engine::strength::Strength;
use tengen::openings::{Choice, OpeningRule};
use tengen::rules::Rule;
use tengen::types::{Color, Point};

/// The sides of persons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The one that begins.
    Black,
    /// The other one.
    White,
    /// Both: two people play.
    Both,
    /// Neither: the engine plays against itself.
    None,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A stone, or a fifth stone to offer or to keep; several if the opening rule asks for them.
    Points(Vec<Point>),
    /// No stone in this turn.
    Pass,
    /// In an opening: take the other colour.
    Swap,
    /// In an opening: keep the colour.
    Stay,
    /// In an opening: a choice in its own word, such as a colour.
    Choose(Choice),
    /// Take the last move back.
    Undo,
    /// Play a move again after it was taken back.
    Redo,
    /// Asks for the engine's move.
    Hint,
    /// The engine moves at once.
    MoveNow,
    /// Give up.
    Resign,
    /// Write the game; over another file only with `overwrite`.
    Save {
        /// The path; the previous file by default.
        path: Option<PathBuf>,
        /// True if an existing file is overwritten.
        overwrite: bool,
    },
    /// Read a game and go on with it.
    Load(PathBuf),
    /// Start a new game with these changes of the setup.
    New(Vec<Change>),
    /// Back to the game before the last new or loaded one.
    Resume,
    /// The sides that are persons from now on.
    Side(Side),
    /// Playing strength of the engine.
    Strength(Strength),
    /// Show or hide the engine's win rates and lines.
    Values,
    /// Show or hide the numbers of the moves on the stones.
    Numbers,
    /// Show the board again.
    Board,
    /// List the moves.
    Moves,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
}

/// A change for a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another rule.
    Rule(Rule),
    /// Another opening rule.
    Opening(OpeningRule),
    /// Another board: columns and rows.
    Size(u8, u8),
    /// Other sides.
    Side(Side),
}

/// The commands for people: the typed text, and its effect.
pub const HELP: &[(&str, &str)] = &[
    ("h8", "play there (or 7,7 from the top left)"),
    ("pass, resign", "put no stone; give up"),
    ("undo, redo", "take your last move back; again"),
    ("hint, now", "the engine's advice; it moves at once"),
    ("save FILE, load FILE", "games in SGF; save! overwrites"),
    (
        "new [renju] [swap2] [15] [white]",
        "another game; resume: back again",
    ),
    ("side black|white|both|none", "who is played by you"),
    ("strength 0..100", "how well the engine plays"),
    ("values, numbers", "hide win rates; number the stones"),
    ("board, moves", "show them"),
    ("quit", "leave"),
];

/// The same for steps of opening rules.
pub const OPENING_HELP: &[(&str, &str)] = &[
    ("black, white, swap, stay", "take a colour"),
    ("h8 i9", "add two stones (swap2)"),
    ("3", "the number of fifth stones"),
    ("h9 j10 ...", "offer fifth stones, or keep one"),
];

/// Reads a typed line; `board` gives points their sense.
///
/// # Errors
/// With the fault.
pub fn parse(text: &str, board: &Board) -> Result<Command, String> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let bare = |command: Command| match rest {
        "" => Ok(command),
        _ => Err(format!("'{word}' takes nothing more, found '{rest}'")),
    };
    match word.to_ascii_lowercase().as_str() {
        "pass" => bare(Command::Pass),
        "black" => bare(Command::Choose(Choice::Take(Color::Black))),
        "white" => bare(Command::Choose(Choice::Take(Color::White))),
        "swap" => bare(Command::Swap),
        "stay" => bare(Command::Stay),
        "take" | "takes" | "add" | "adds" | "declare" | "declares" | "offer" | "offers"
        | "keep" | "keeps" => parse_choice(text, board).map(Command::Choose),
        "undo" | "u" => bare(Command::Undo),
        "redo" | "r" => bare(Command::Redo),
        "hint" | "h" => bare(Command::Hint),
        "now" | "n" => bare(Command::MoveNow),
        "resign" => bare(Command::Resign),
        "save" | "save!" => Ok(Command::Save {
            path: (!rest.is_empty()).then(|| PathBuf::from(rest)),
            overwrite: word.ends_with('!'),
        }),
        "load" if rest.is_empty() => Err("load which file?".to_string()),
        "load" => Ok(Command::Load(PathBuf::from(rest))),
        "new" => rest
            .split_whitespace()
            .map(change)
            .collect::<Result<_, _>>()
            .map(Command::New),
        "resume" => bare(Command::Resume),
        "side" => side(rest)
            .map(Command::Side)
            .ok_or_else(|| "which side is yours: black, white, both or none?".to_string()),
        "strength" => match rest.parse() {
            Ok(n @ 0..=100) => Ok(Command::Strength(Strength::new(n))),
            _ => Err("strength goes from 0 to 100".to_string()),
        },
        "values" => bare(Command::Values),
        "numbers" => bare(Command::Numbers),
        "board" | "b" => bare(Command::Board),
        "moves" | "m" => bare(Command::Moves),
        "help" | "?" => bare(Command::Help),
        "quit" | "q" | "exit" => bare(Command::Quit),
        "review" => Err("leave and type: tengen review FILE".to_string()),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => text
            .parse()
            .map(|count| Command::Choose(Choice::Declare(count)))
            .map_err(|_| format!("{text} is too many")),
        _ if word.contains(|c: char| c.is_ascii_digit()) => {
            points(text, board).map(Command::Points)
        }
        _ => Err(format!(
            "'{word}' is neither a point nor a command; help lists them"
        )),
    }
}

/// Reads a choice of an opening rule in the form of [`Choice::text`]; the words may lack their `s`.
///
/// # Errors
/// With the fault.
pub fn parse_choice(text: &str, board: &Board) -> Result<Choice, String> {
    let (word, rest) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text, ""));
    let rest = rest.trim();
    match word.to_ascii_lowercase().trim_end_matches('s') {
        "take" => match rest.to_ascii_lowercase().as_str() {
            "black" => Ok(Choice::Take(Color::Black)),
            "white" => Ok(Choice::Take(Color::White)),
            _ => Err("take black or white?".to_string()),
        },
        "add" => <[Point; 2]>::try_from(points(rest, board)?)
            .map(Choice::Add)
            .map_err(|_| "two stones are added".to_string()),
        "declare" => rest
            .parse()
            .map(Choice::Declare)
            .map_err(|_| format!("'{rest}' is not a number of fifth stones")),
        "offer" => points(rest, board).map(Choice::Offer),
        "keep" => match points(rest, board)?[..] {
            [p] => Ok(Choice::Keep(p)),
            _ => Err("one stone is kept".to_string()),
        },
        _ => Err(format!("'{word}' is not a choice of an opening")),
    }
}

/// Free points of `board`, in any form of moves.
fn points(text: &str, board: &Board) -> Result<Vec<Point>, String> {
    let mut board = board.clone();
    let before = board.stones().len();
    parse_moves(&mut board, text).map_err(|error| error.to_string())?;
    let new = &board.stones()[before..];
    Ok(new.iter().map(|stone| stone.point).collect())
}

fn side(text: &str) -> Option<Side> {
    clap::ValueEnum::from_str(text, true).ok()
}

fn change(word: &str) -> Result<Change, String> {
    if let Ok(rule) = word.parse() {
        return Ok(Change::Rule(rule));
    }
    if let Some(side) = side(word) {
        return Ok(Change::Side(side));
    }
    if let Some((width, height)) = parse_size(word) {
        let board = Board::new(width, height).map_err(|error| error.to_string())?;
        return Ok(Change::Size(board.width(), board.height()));
    }
    word.parse()
        .map(Change::Opening)
        .map_err(|_| format!("'{word}' is not a rule, opening rule, size or side"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let mut board = Board::new(15, 15).unwrap();
        board.play(Point::new(7, 7));
        board
    }

    fn read(text: &str) -> Result<Command, String> {
        parse(text, &board())
    }

    #[test]
    fn points_have_many_forms() {
        let p = Point::new(8, 6);
        for text in ["i9", "I9", " 8,6 "] {
            assert_eq!(read(text), Ok(Command::Points(vec![p])), "{text}");
        }
        let two = [p, Point::new(0, 14)];
        assert_eq!(read("i9 a1"), Ok(Command::Points(two.to_vec())));
        // A word names the kind of the choice, so that the choice never becomes stones of another
        // kind.
        let chosen = [
            ("keep i9", Choice::Keep(p)),
            ("offer i9", Choice::Offer(vec![p])),
            ("add i9 a1", Choice::Add(two)),
        ];
        for (text, choice) in chosen {
            assert_eq!(read(text), Ok(Command::Choose(choice)), "{text}");
        }
        assert!(read("h8").unwrap_err().contains("already taken"));
        assert!(read("z9").unwrap_err().contains("not a point"));
        assert!(read("i9 i9").unwrap_err().contains("already taken"));
    }

    #[test]
    fn words_and_their_shorthand() {
        assert_eq!(read("UNDO"), read("u"));
        assert_eq!(read("now"), Ok(Command::MoveNow));
        let white = Command::Choose(Choice::Take(Color::White));
        assert_eq!(read("take White"), Ok(white));
        assert_eq!(read("3"), Ok(Command::Choose(Choice::Declare(3))));
        assert_eq!(
            read("save! my game.sgf"),
            Ok(Command::Save {
                path: Some(PathBuf::from("my game.sgf")),
                overwrite: true
            })
        );
        assert_eq!(
            read("strength 40"),
            Ok(Command::Strength(Strength::new(40)))
        );
        let changes = vec![
            Change::Rule(Rule::Renju),
            Change::Opening(OpeningRule::Swap2),
            Change::Size(20, 15),
            Change::Side(Side::White),
        ];
        assert_eq!(
            read("new renju swap2 20x15 white"),
            Ok(Command::New(changes))
        );
    }

    #[test]
    fn nonsense_is_answered_by_what_is_wrong() {
        for (text, answer) in [
            ("hello", "'hello' is neither a point nor a command"),
            ("undo 3", "takes nothing more"),
            ("strength 101", "0 to 100"),
            ("load", "which file"),
            ("new 4", "unsupported size"),
            ("new chess", "'chess' is not a rule"),
            ("side", "which side"),
            ("999", "too many"),
            ("take red", "black or white"),
            ("review", "tengen review FILE"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(answer), "{text}: {error}");
        }
    }

    #[test]
    fn choices_are_read_as_they_are_written() {
        let p = Point::new(3, 3);
        for choice in [
            Choice::Take(Color::White),
            Choice::Add([p, Point::new(4, 4)]),
            Choice::Declare(8),
            Choice::Offer(vec![p, Point::new(5, 5)]),
            Choice::Keep(p),
        ] {
            assert_eq!(parse_choice(&choice.text(15), &board()), Ok(choice));
        }
    }
}
