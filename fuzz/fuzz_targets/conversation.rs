//! A manager that keeps to the protocol: well-formed commands of all kinds in any order. Each
//! command gets the right number of answers, in order, each a line of the right kind.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen_fuzz::folder::inside_folder;
use tengen_fuzz::session::{Part, Until, is_answer, is_cells, is_opening_step, replies_to};
use tengen_tools::host::commands;

#[derive(Arbitrary, Debug)]
struct Step {
    request: Request,
    /// True if the manager waits for the answer. Otherwise the next command stops the search.
    waits: bool,
}

type Cell = (u8, u8);

#[derive(Arbitrary, Debug)]
enum Request {
    Start(u8),
    RectStart(Cell),
    Restart,
    Begin,
    Turn(Cell),
    Board(Vec<(Cell, u8)>),
    TakeBack(Cell),
    Play(Cell),
    Info(u8, u8),
    YxBoard(Vec<(Cell, u8)>),
    Best(u8),
    Balance {
        moves: bool,
        bias: i16,
    },
    Cells(u8, Vec<Cell>),
    Forbid {
        is_forbidden: bool,
        at: Cell,
        side: bool,
    },
    Opening {
        word: u8,
        number: Option<u8>,
        cells: Vec<Cell>,
        offer: Vec<Cell>,
    },
    Question(u8),
    File {
        word: u8,
        file: u8,
    },
    EditRecord {
        mask: u8,
        label: u8,
        value: i16,
        depth: i16,
        cells: Vec<Cell>,
    },
    EditComment {
        text: Vec<u8>,
        cells: Vec<Cell>,
    },
    EditCell {
        at: Cell,
        text: Vec<u8>,
        cells: Vec<Cell>,
    },
    Delete {
        kind: u8,
        is_recursive: bool,
        cells: Vec<Cell>,
    },
}

/// The answer to a command, besides lines for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Nothing,
    Ok,
    /// This many cells.
    Cells(usize),
    Forbid,
    Name,
    /// A step of an opening.
    Opening,
    /// Any number of lines of any kind: Yixin-Board's openings.
    Any,
}

impl Answer {
    /// True if `line` is this answer or an error.
    fn is(self, line: &str) -> bool {
        line.starts_with("ERROR ")
            || match self {
                Answer::Nothing | Answer::Any => false,
                Answer::Ok => line == "OK",
                Answer::Cells(count) => is_cells(line) && line.split(' ').count() == count,
                Answer::Forbid => line.starts_with("FORBID ") && line.ends_with('.'),
                Answer::Name => line.starts_with("name=\"Tengen\""),
                Answer::Opening => is_opening_step(line),
            }
    }
}

/// Waits for the end of every search, changes nothing, and is answered by an error of its own.
const LAST: &str = "START 3,7654321\n";
const AT_LAST: &str = "3x7654321";

fuzz_target!(|steps: Vec<Step>| {
    let mut parts = Vec::new();
    let mut expected = Vec::new();
    let mut answers = 0;
    let mut say = |lines: String, answer: Answer, waits: bool| {
        answers += usize::from(answer != Answer::Nothing);
        expected.push(answer);
        let until = Until::Answers(if waits { answers } else { 0 });
        parts.push(Part {
            lines: lines.into_bytes(),
            until,
        });
    };
    let head = "START 15\nINFO max_node 60\nINFO timeout_turn 100\nINFO evaluator classical\n";
    say(head.into(), Answer::Ok, true);
    // True while every command so far has a known number of answers.
    let mut is_counted = true;
    for step in steps.iter().take(40) {
        let (line, answer) = step.request.text();
        is_counted &= answer != Answer::Any;
        say(line + "\n", answer, step.waits && is_counted);
    }
    parts.push(Part {
        lines: LAST.into(),
        until: Until::Text(AT_LAST.into()),
    });
    let replies = inside_folder(|| replies_to(parts));
    if !is_counted {
        return;
    }
    // Commands about the database have no answer of their own but may fail. A running search does
    // not delay the answer to `ABOUT`, which may come at any place.
    let (names, answers): (Vec<_>, Vec<_>) = replies
        .iter()
        .filter(|line| is_answer(line) && !line.starts_with("ERROR The database: "))
        .partition(|line| Answer::Name.is(line) && !line.starts_with("ERROR"));
    let wanted = expected.iter().filter(|answer| **answer == Answer::Name);
    assert_eq!(names.len(), wanted.count());
    expected.retain(|answer| !matches!(answer, Answer::Nothing | Answer::Name));
    // The last answer belongs to the last line.
    assert_eq!(answers.len(), expected.len() + 1, "{replies:?}");
    for (answer, line) in expected.iter().zip(&answers) {
        assert!(answer.is(line), "{line} for {answer:?} in {replies:?}");
    }
    assert!(answers[expected.len()].contains(AT_LAST));
});

impl Request {
    /// The line, and its answer on a board that exists.
    fn text(&self) -> (String, Answer) {
        match self {
            Request::Start(n) => (format!("START {}", n % 24), Answer::Ok),
            Request::RectStart(size) => (format!("RECTSTART {}", cell(*size)), Answer::Ok),
            Request::Restart => ("RESTART".into(), Answer::Ok),
            Request::Begin => ("BEGIN".into(), Answer::Cells(1)),
            Request::Turn(at) => (format!("TURN {}", cell(*at)), Answer::Cells(1)),
            Request::Board(stones) => (format!("BOARD {} DONE", entries(stones)), Answer::Cells(1)),
            Request::TakeBack(at) => (format!("TAKEBACK {}", cell(*at)), Answer::Ok),
            Request::Play(at) => (format!("PLAY {}", cell(*at)), Answer::Cells(1)),
            Request::Info(key, n) => (info(*key, *n), Answer::Nothing),
            Request::YxBoard(stones) => {
                (format!("YXBOARD {} DONE", entries(stones)), Answer::Nothing)
            }
            Request::Best(n) => match n % 9 {
                0 => ("YXSEARCHDEFEND".into(), Answer::Cells(1)),
                n => (format!("YXNBEST {n}"), Answer::Cells(1)),
            },
            Request::Balance { moves, bias } => {
                let (word, count) = match moves {
                    true => ("YXBALANCETWO", 2),
                    false => ("YXBALANCEONE", 1),
                };
                (format!("{word} {bias}"), Answer::Cells(count))
            }
            Request::Cells(word, cells) => {
                let words = [
                    "YXBLOCK",
                    "YXBLOCKUNDO",
                    "YXBLOCKPATH",
                    "YXBLOCKPATHUNDO",
                    "YXQUERYDATABASEALL",
                    "YXQUERYDATABASEALLT",
                    "YXQUERYDATABASEONE",
                    "YXQUERYDATABASETEXT",
                    "YXSETBESTMOVEDATABASE",
                    "YXCLEARBESTMOVEDATABASE",
                    "YXDELETEDATABASEONE",
                    "TENGENREVIEW",
                ];
                let word = pick(&words, *word);
                let answer = match word {
                    "TENGENREVIEW" => Answer::Ok,
                    _ => Answer::Nothing,
                };
                (format!("{word} {} DONE", joined(cells)), answer)
            }
            Request::Forbid {
                is_forbidden,
                at,
                side,
            } => {
                let word = if *is_forbidden { "add" } else { "del" };
                // Off the board the answer is an error, on the board there is none.
                let at = (at.0 % 5, at.1 % 5);
                (
                    format!("YXFORBID {word} {},{} {}", at.0, at.1, u8::from(*side)),
                    Answer::Nothing,
                )
            }
            Request::Opening {
                word,
                number,
                cells,
                offer,
            } => opening(*word, *number, cells, offer),
            Request::Question(word) => {
                let answers = [
                    ("ABOUT", Answer::Name),
                    ("YXSHOWFORBID", Answer::Forbid),
                    ("TRACEBOARD", Answer::Nothing),
                    ("YXSHOWINFO", Answer::Nothing),
                    ("YXPRINTFEATURE", Answer::Nothing),
                    ("YXDRAW", Answer::Nothing),
                    ("YXRESIGN", Answer::Nothing),
                    ("YXSHOWHASHUSAGE", Answer::Nothing),
                    ("YXHASHCLEAR", Answer::Nothing),
                    ("YXBLOCKRESET", Answer::Nothing),
                    ("YXBLOCKPATHRESET", Answer::Nothing),
                    ("YXSAVEDATABASE", Answer::Nothing),
                    ("YXDBCHECK", Answer::Nothing),
                    ("STOP", Answer::Nothing),
                    ("YXSTOP", Answer::Nothing),
                    ("RELOADCONFIG x", Answer::Nothing),
                    ("TENGENSOLVE vcf", Answer::Ok),
                    ("TENGENSOLVE auto", Answer::Ok),
                ];
                let (line, answer) = answers[usize::from(*word) % answers.len()];
                (line.into(), answer)
            }
            Request::File { word, file } => {
                let words = [
                    "YXSETDATABASE",
                    "YXHASHDUMP",
                    "YXHASHLOAD",
                    "YXDBMERGE",
                    "YXDBSPLIT",
                    "YXDBTOTXTALL",
                    "YXDBTOTXT",
                    "YXDBTOPOS",
                    "YXTXTTODB",
                    "YXLIBTODB",
                    "YXDBTOLIB",
                ];
                let files = ["a.db", "b.db", "c.txt", "d.lib", "e.tt", "f g"];
                (
                    format!("{} {}", pick(&words, *word), pick(&files, *file)),
                    Answer::Nothing,
                )
            }
            Request::EditRecord {
                mask,
                label,
                value,
                depth,
                cells,
            } => {
                let cells = joined(cells);
                let line = format!("YXEDITTVDDATABASE {mask} {label} {value} {depth} {cells} DONE");
                (line, Answer::Nothing)
            }
            Request::EditComment { text, cells } => {
                let text = letters(text, true);
                (
                    format!("YXEDITTEXTDATABASE \"{text}\" {} DONE", joined(cells)),
                    Answer::Nothing,
                )
            }
            Request::EditCell { at, text, cells } => {
                let text = letters(text, false);
                let (at, cells) = (cell(*at), joined(cells));
                (
                    format!("YXEDITLABELDATABASE {at} {text} {cells} DONE"),
                    Answer::Nothing,
                )
            }
            Request::Delete {
                kind,
                is_recursive,
                cells,
            } => {
                let kinds = [
                    "", "NONWL", "NONWLD", "W", "L", "WL", "WLD", "WLNOSTEP", "WLINSTEP",
                ];
                let mut kind = pick(&kinds, *kind).to_string();
                if *is_recursive && !kind.is_empty() {
                    kind += " RECURSIVE";
                }
                if kind.starts_with("WLINSTEP") {
                    kind += " 7";
                }
                (
                    format!("YXDELETEDATABASEALL {kind} {} DONE", joined(cells)),
                    Answer::Nothing,
                )
            }
        }
    }
}

fn pick<'a>(words: &[&'a str], number: u8) -> &'a str {
    words[usize::from(number) % words.len()]
}

/// A cell, mostly on the board.
fn cell((x, y): Cell) -> String {
    format!("{},{}", i32::from(x % 24) - 1, i32::from(y % 24) - 1)
}

fn joined(cells: &[Cell]) -> String {
    let texts: Vec<String> = cells.iter().map(|&at| cell(at)).collect();
    texts.join(" ")
}

fn entries(stones: &[(Cell, u8)]) -> String {
    let texts: Vec<String> = stones
        .iter()
        .map(|(at, field)| format!("{},{}", cell(*at), field % 5))
        .collect();
    texts.join(" ")
}

/// Letters of all kinds, without line ends.
fn letters(text: &[u8], is_quoted: bool) -> String {
    let letters = [
        'a', 'Z', '7', '-', '=', 'ö', '象', '🦀', '\u{2028}', '\u{1b}',
    ];
    let quoted = ["\\\"", "\\\\", "\\n", " ", "\t", "\\t"];
    let text = text.iter().map(|&byte| {
        let byte = usize::from(byte);
        match is_quoted && byte % 3 == 0 {
            true => quoted[byte / 3 % quoted.len()].to_string(),
            false => letters[byte % letters.len()].to_string(),
        }
    });
    text.collect()
}

/// A setting, in ranges that keep searches short.
fn info(key: u8, n: u8) -> String {
    let keys = [
        ("rule", 12),
        ("max_node", 200),
        ("timeout_turn", 60),
        ("timeout_match", 250),
        ("time_left", 250),
        ("max_depth", 12),
        ("show_detail", 4),
        ("pondering", 2),
        ("caution_factor", 7),
        ("strength", 110),
        ("thread_num", 4),
        ("seed", 100),
        ("usedatabase", 2),
        ("database_readonly", 2),
        ("hash_size", 100),
        ("max_memory", 250),
    ];
    let (key, most) = keys[usize::from(key) % keys.len()];
    let n = n % most;
    match key {
        // Never without a limit, or the search may not end.
        "max_node" => format!("INFO {key} {}", n + 1),
        "hash_size" | "max_memory" => format!("INFO {key} {}", 1_000 * u32::from(n)),
        _ => format!("INFO {key} {n}"),
    }
}

/// A step of an opening, by one of the words that belong to no other command.
fn opening(word: u8, number: Option<u8>, cells: &[Cell], offer: &[Cell]) -> (String, Answer) {
    let others = ["BOARD", "TRACEBOARD", "YXBOARD"];
    let is_opening = |word: &str| word.contains("STEP") || word.ends_with("BOARD");
    let commands = commands();
    let words = commands
        .words()
        .filter(|word| is_opening(word) && !others.contains(word));
    let word = pick(&words.collect::<Vec<_>>(), word);
    let number = number.map_or(String::new(), |n| format!("{} ", n % 10));
    let mut text = format!("{word} {number}{} DONE", joined(cells));
    // After some blocks fifth stones follow, until a line that is no cell. Unrequested lines of
    // cells are ignored.
    offer
        .iter()
        .for_each(|&at| text += &format!("\n{}", cell(at)));
    text += "\nINFO no setting";
    let answer = match word.starts_with("YX") {
        true => Answer::Any,
        false => Answer::Opening,
    };
    (text, answer)
}
