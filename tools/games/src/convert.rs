//! Conversion between the formats of games. Parts of a game without a place in the new format are
//! counted, so nothing is lost in silence.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;

use crate::records::{ListForm, ReadOptions, RecordError, RecordedGame, psq, read_each};
use crate::renlib::{self, Charset, Library, Node as LibraryNode};
use crate::sgf::{self, Node, Property, Step, Tree, cells};
use tengen::board::{Board, Cell, size_text};
use tengen::files::Kind;
use tengen::rules::Rule;
use tengen::streams::on_one_line;
use tengen::types::{Color, Point};

/// Most nodes, properties and values of a game for the page, whose server has other work too: they
/// take some 100 MiB. A text outside SGF may have 4 MiB.
const MOST_PARTS: usize = 1 << 19;
/// Most bytes of the games for the page.
const MOST_SGF: usize = 64 << 20;
/// Properties of texts and marks on points.
const LABELS: [&str; 6] = ["LB", "TR", "SQ", "CR", "MA", "SL"];

/// The games of a file as SGF; `name` gives the format if the bytes do not.
///
/// # Errors
/// With the fault of the file, or when a game in it is too large.
pub fn to_sgf(bytes: &[u8], name: &str) -> Result<String, RecordError> {
    let empty = Board::new(15, 15).expect("a supported size");
    let options = ReadOptions {
        most_parts: MOST_PARTS,
        ..ReadOptions::new(name, &empty)
    };
    let mut text = String::new();
    read_each(bytes, &options, &mut |game, _| {
        text += &game.sgf(rule_of(&game));
        // Each of many games without a move is longer there than here.
        match text.len() > MOST_SGF {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    match text.len() > MOST_SGF {
        true => Err(RecordError::TooLarge(MOST_SGF)),
        false => Ok(text),
    }
}

/// The rule of a game by its name here, or else as the game names it.
fn rule_of(game: &RecordedGame) -> String {
    match game.known_rule() {
        Some(rule) => rule.name().to_string(),
        None => game.rule.clone(),
    }
}

/// A format in which games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Smart Game Format.
    Sgf,
    /// Piskvork's game; one a file.
    Psq,
    /// A library of RenLib; all games in one tree.
    Lib,
    /// Moves such as `h8 i9 h7`; one game a line.
    Moves,
    /// One object, with the whole game as SGF beside the moves.
    Json,
    /// Openings as Gomocup's offsets from the centre, one a line.
    Openings,
    /// Positions for the solver: `id | rule | size | moves | source`.
    Problems,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 7] = [
        Target::Sgf,
        Target::Psq,
        Target::Lib,
        Target::Moves,
        Target::Json,
        Target::Openings,
        Target::Problems,
    ];

    /// Its name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Sgf => "sgf",
            Target::Psq => "psq",
            Target::Lib => "lib",
            Target::Moves => "moves",
            Target::Json => "json",
            Target::Openings => "openings",
            Target::Problems => "problems",
        }
    }

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Target::Moves | Target::Openings | Target::Problems => "txt",
            named => named.name(),
        }
    }

    /// The kind of files of this format, which a new one replaces.
    pub const fn kind(self) -> Kind {
        match self {
            Target::Sgf => |head| head.starts_with(b"(;"),
            Target::Psq => |head| head.starts_with(psq::HEAD.as_bytes()),
            Target::Lib => renlib::is_library,
            Target::Json => |head| head.starts_with(JSON_HEAD.as_bytes()),
            Target::Moves => |head| {
                let is_move =
                    |word: &str| word == "pass" || Point::from_label(word, 22, 22).is_ok();
                first_line(head).split(' ').next().is_some_and(is_move)
            },
            Target::Openings => |head| {
                let numbers = |pair: &str| pair.split(',').flat_map(str::parse::<i32>).count();
                first_line(head).split(", ").all(|pair| numbers(pair) == 2)
            },
            Target::Problems => |head| first_line(head).matches(" | ").count() == 4,
        }
    }
}

fn first_line(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(head);
    text.lines().next().unwrap_or_default().to_string()
}

/// The beginning of a file of JSON.
const JSON_HEAD: &str = "{\"games\":[";

/// The parts of games that were not carried over, each with its number of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses(BTreeMap<&'static str, usize>);

impl Losses {
    fn add(&mut self, what: &'static str) {
        self.add_of(what, 1);
    }

    fn add_of(&mut self, what: &'static str, games: usize) {
        *self.0.entry(what).or_default() += games;
    }

    /// Adds those of another file.
    pub fn extend(&mut self, other: Losses) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// A line for each part.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(what, count)| match count {
            1 => format!("{what}, in 1 game"),
            _ => format!("{what}, in {count} games"),
        })
    }
}

/// Writes games into one file.
pub struct Converter {
    target: Target,
    rule: Option<Rule>,
    charset: Option<Charset>,
    /// The tree of all games, for a library.
    library: Library,
    /// The lines of moves or openings.
    list: ListForm,
    /// Number of games written.
    count: usize,
    losses: Losses,
}

impl Converter {
    /// A writer in the format `target`. `rule` stands in the place of the rule of each game, and
    /// `charset` in that of UTF-8.
    pub fn new(target: Target, rule: Option<Rule>, charset: Option<Charset>) -> Converter {
        Converter {
            target,
            rule,
            charset,
            library: Library::new(charset.unwrap_or(Charset::UTF_8)),
            list: ListForm::default(),
            count: 0,
            losses: Losses::default(),
        }
    }

    /// The charset in which a library is written.
    pub fn set_library_charset(&mut self, charset: Charset) {
        self.library.set_charset(charset);
    }

    /// Number of games written.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Writes a game. `name` names it where the format wants a name. A game that the format cannot
    /// hold is left out, and counted among the losses.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn add(
        &mut self,
        name: &str,
        mut game: RecordedGame,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if let Some(rule) = self.rule {
            game.rule = rule.name().to_string();
        }
        let text = match self.target {
            Target::Sgf => Some(self.sgf(&game)),
            Target::Json => Some(self.json(&game)),
            Target::Psq => self.psq(&game),
            Target::Lib => {
                self.add_to_library(&game);
                return Ok(());
            }
            Target::Moves => self.moves(&game),
            Target::Openings => self.opening(&game),
            Target::Problems => self.problem(name, &game),
        };
        let Some(text) = text else {
            return Ok(());
        };
        self.note_losses(&game);
        self.count += 1;
        let charset = self.charset.filter(|_| self.target != Target::Json);
        let (bytes, lacks_letters) = charset.unwrap_or(Charset::UTF_8).encode_lossy(&text);
        if lacks_letters {
            self.losses.add("letters that the charset lacks");
        }
        out.write_all(&bytes)
    }

    /// Writes the end of the file after the last game; a library as a whole.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<Losses> {
        match self.target {
            Target::Json if self.count == 0 => writeln!(out, "{JSON_HEAD}]}}")?,
            Target::Json => out.write_all(b"]}\n")?,
            Target::Lib => {
                if self.count > 1 {
                    self.losses
                        .add_of("the bounds of games: all are one tree", self.count);
                }
                if self.library.charset_to_write() != self.library.charset() {
                    self.losses
                        .add("the charset: the library is in UTF-8, as it has other letters");
                }
                out.write_all(&self.library.write())?;
            }
            _ => out.write_all(self.list.comment().unwrap_or_default().as_bytes())?,
        }
        Ok(self.losses)
    }

    fn sgf(&self, game: &RecordedGame) -> String {
        let text = game.sgf(rule_of(game));
        match self.charset {
            Some(charset) => text.replacen("CA[UTF-8]", &format!("CA[{}]", charset.name()), 1),
            None => text,
        }
    }

    fn json(&self, game: &RecordedGame) -> String {
        let mut value = game.json();
        value["sgf"] = game.sgf(rule_of(game)).into();
        let before = if self.count == 0 { JSON_HEAD } else { ",\n" };
        format!("{before}{value}")
    }

    fn psq(&mut self, game: &RecordedGame) -> Option<String> {
        let points = self.stones(game)?;
        // Levels 11 stand for engines, and the 0 says that the first player begins.
        let mut text = format!(
            "{}{}x{}, 11:11, 0\n",
            psq::HEAD,
            game.start.width(),
            game.start.height()
        );
        for p in points {
            text += &format!("{},{},0\n", p.x() + 1, p.y() + 1);
        }
        if !(game.black.is_empty() && game.white.is_empty()) {
            for name in [&game.black, &game.white] {
                let line = psq::name_line(name).unwrap_or_else(|| {
                    self.losses.add("a player's name that looks like a move");
                    psq::UNKNOWN.to_string()
                });
                text += &format!("{line}\n");
            }
        }
        text += "0\n";
        Some(text)
    }

    fn moves(&mut self, game: &RecordedGame) -> Option<String> {
        let is_plain = game.start.stones().is_empty() && game.first() == Color::Black;
        let line = match is_plain {
            true => game.moves.iter().map(|made| made.point).collect(),
            false => self.line(game)?,
        };
        let labels = match is_plain {
            true => game.labels(),
            false => line.iter().map(|&made| label(made, &game.start)).collect(),
        };
        if labels.is_empty() {
            self.losses.add("the game, as it has no moves");
            return None;
        }
        self.list.add(labels.len(), line.into_iter().flatten());
        Some(format!("{}\n", labels.join(" ")))
    }

    fn opening(&mut self, game: &RecordedGame) -> Option<String> {
        let points = self.stones(game)?;
        let centre = Point::centre(game.start.width(), game.start.height());
        let from = |side: u8, centre: u8| i32::from(side) - i32::from(centre);
        let offsets = points
            .iter()
            .map(|p| format!("{},{}", from(p.x(), centre.x()), from(p.y(), centre.y())));
        let offsets: Vec<String> = offsets.collect();
        if offsets.is_empty() {
            self.losses.add("the game, as it has no moves");
            return None;
        }
        self.list.add(points.len(), points.iter().copied());
        let line = offsets.join(", ");
        // Without a sign the numbers look like coordinates from the corner.
        let sign = if line.contains('-') { "" } else { "+" };
        Some(format!("{sign}{line}\n"))
    }

    /// The last position. A record that begins with a set-up is a problem: its first position
    /// counts.
    fn problem(&mut self, name: &str, game: &RecordedGame) -> Option<String> {
        let mut position = game.clone();
        if !game.start.stones().is_empty() && !game.moves.is_empty() {
            position.moves.clear();
            self.losses.add("the moves after the set-up");
        }
        let points = self.stones(&position)?;
        let labels: Vec<String> = points
            .iter()
            .map(|p| p.label(game.start.height()))
            .collect();
        let plain = |text: &str| {
            on_one_line(text)
                .replace(['|', '\t'], "-")
                .replace('#', "-")
        };
        let size = size_text(&game.start);
        if game.known_rule().is_none() {
            self.losses
                .add("that the rule is unknown: it is freestyle there");
        }
        let rule = game.known_rule().unwrap_or_default().name();
        let of_root = |name| game.tree.node(Tree::ROOT).find(name).map(Property::value);
        let mut source = Vec::new();
        if !(game.black.is_empty() && game.white.is_empty()) {
            source.push(format!("{} - {}", game.black, game.white));
        }
        source.extend(of_root("SO").map(str::to_string));
        Some(format!(
            "{} | {rule} | {size} | {} | {}\n",
            plain(of_root("GN").unwrap_or(name)),
            labels.join(" "),
            plain(&source.join(", "))
        ))
    }

    /// The stones of a game in an order in which sides take turns, up to the first pass. `None` if
    /// there is no such order.
    fn stones(&mut self, game: &RecordedGame) -> Option<Vec<Point>> {
        let line = self.line(game)?;
        let stones: Vec<Point> = line.iter().map_while(|made| *made).collect();
        if stones.len() < line.len() {
            self.losses.add("a pass and the moves after it");
        }
        Some(stones)
    }

    /// The stones of the start and the moves in an order in which sides take turns, Black first;
    /// `None` is a pass. There is no such order if a side has too many stones.
    fn line(&mut self, game: &RecordedGame) -> Option<Vec<Option<Point>>> {
        let blocked = game
            .start
            .points()
            .any(|p| game.start.cell(p) == Cell::Blocked);
        let line = turns(&game.start).filter(|_| !blocked);
        let Some(mut line) = line else {
            self.losses
                .add("the game, as no moves by turns lead to its start");
            return None;
        };
        if !line.is_empty() {
            self.losses
                .add("the set-up of the start: its stones stand as moves");
        }
        let mut turn = Color::BOTH[line.len() % 2];
        for (index, made) in game.moves.iter().enumerate() {
            if game.swaps.contains(&index) {
                continue;
            }
            if made.color != turn {
                line.push(None);
            }
            line.push(made.point);
            turn = !made.color;
        }
        Some(line)
    }

    /// Counts the unwritten parts of a game.
    fn note_losses(&mut self, game: &RecordedGame) {
        use Target::{Json, Lib, Moves, Problems, Psq, Sgf};
        let target = self.target;
        let has = |targets: &[Target]| targets.contains(&target);
        let tree = &game.tree;
        let nodes = || {
            tree.walk(Tree::ROOT).filter_map(|step| match step {
                Step::Node(place) => Some(tree.node(place)),
                Step::Open | Step::Close => None,
            })
        };
        let has_property = |test: &dyn Fn(&Property) -> bool| {
            nodes().any(|node: &Node| node.properties.iter().any(test))
        };
        let whole = has(&[Sgf, Json]);
        let mut note = |is_held: bool, what: &'static str, is_there: bool| {
            if !is_held && is_there {
                self.losses.add(what);
            }
        };
        let players = !(game.black.is_empty() && game.white.is_empty());
        note(
            whole || has(&[Psq, Problems]),
            "the players' names",
            players,
        );
        let source = "the players' names, but for their place in the source";
        note(!has(&[Problems]), source, players);
        note(whole, "the result", !game.result.is_empty());
        let is_held = whole || has(&[Problems]) && game.known_rule().is_some();
        note(is_held, "the rule", !game.rule.is_empty());
        let usual = (game.start.width(), game.start.height()) == (renlib::SIDE, renlib::SIDE);
        note(
            whole || has(&[Psq, Problems]),
            "the size of the board",
            !usual,
        );
        note(
            whole || has(&[Moves]),
            "an exchange of colours",
            !game.swaps.is_empty(),
        );
        let comments = has_property(&|p| matches!(&*p.name, "C" | "GC"));
        note(whole || has(&[Lib]), "comments", comments);
        let branches = tree.walk(Tree::ROOT).any(|step| step == Step::Open);
        note(whole || has(&[Lib]), "variations", branches);
        let labels = has_property(&|p| LABELS.contains(&&*p.name));
        note(whole || has(&[Lib]), "texts and marks on points", labels);
        let marks = has_property(&|p| LABELS[1..].contains(&&*p.name));
        note(
            !has(&[Lib]),
            "the kinds of marks on points: all are *",
            marks,
        );
        // The properties reported above, and facts of the file.
        const KNOWN: [&str; 13] = [
            "C", "GC", "FF", "GM", "CA", "AP", "SZ", "RU", "PB", "PW", "RE", "ST", "MN",
        ];
        let others = has_property(&|p| {
            let name = &*p.name;
            let is_known =
                KNOWN.contains(&name) || LABELS.contains(&name) || sgf::SET_UP.contains(&name);
            let is_held = has(&[Problems]) && matches!(name, "GN" | "SO");
            !is_known && !is_held && !matches!(name, "B" | "W")
        });
        note(whole, "other properties, such as dates and times", others);
    }

    /// Adds the tree of a game to the library.
    fn add_to_library(&mut self, game: &RecordedGame) {
        if (game.start.width(), game.start.height()) != (renlib::SIDE, renlib::SIDE) {
            return self
                .losses
                .add("the game, as RenLib knows boards of 15x15 alone");
        }
        let root_start = start_of(&game.tree, &game.start);
        let bare = RecordedGame::from_position(root_start);
        let Some(line) = self.line(&bare) else {
            return;
        };
        self.note_losses(game);
        self.count += 1;
        let mut top = Library::ROOT;
        for made in &line {
            top = self.reply(top, *made);
        }
        let turn = bare.start.side_to_move();
        // The places in the library of nodes on the way, with the side to move after each.
        let mut places = vec![(top, turn); game.tree.len()];
        self.add_comments(game.tree.node(Tree::ROOT), top);
        let mut has_set_up = false;
        let mut open: Vec<usize> = vec![Tree::ROOT];
        while let Some(parent) = open.pop() {
            let (place, turn) = places[parent];
            let from = open.len();
            for child in game.tree.children(parent) {
                let node = game.tree.node(child);
                if sgf::SET_UP.iter().any(|name| node.find(name).is_some()) {
                    has_set_up = true;
                    continue;
                }
                let (mut at, mut side) = (place, turn);
                if let Some(made) = node.made.filter(|_| !node.is_swap()) {
                    if made.color != turn {
                        at = self.reply(at, None);
                    }
                    at = self.reply(at, made.point);
                    side = !made.color;
                }
                places[child] = (at, side);
                self.add_comments(node, at);
                open.push(child);
            }
            open[from..].reverse();
        }
        if has_set_up {
            self.losses
                .add("lines from a set-up in the middle of the game on");
        }
        self.add_labels(&game.tree, &places);
    }

    /// The reply of a node of the library; a new one if there is none.
    fn reply(&mut self, parent: usize, point: Option<Point>) -> usize {
        let known = self
            .library
            .children(parent)
            .find(|&child| self.library.point(child) == point);
        known.unwrap_or_else(|| {
            let node = LibraryNode {
                point,
                ..LibraryNode::default()
            };
            self.library.add(parent, node)
        })
    }

    fn add_comments(&mut self, node: &Node, place: usize) {
        for name in ["GC", "C"] {
            if let Some(comment) = node.find(name) {
                let mut all = self.library.comment(place).to_string();
                renlib::add_text(&mut all, &comment.value().replace("\r\n", "\n"), "\n");
                self.library.set_comment(place, all);
            }
        }
    }

    /// Puts the texts on points at the moves there; those of other points have no place.
    fn add_labels(&mut self, tree: &Tree, places: &[(usize, Color)]) {
        let mut has_others = false;
        for step in tree.walk(Tree::ROOT) {
            let Step::Node(at) = step else {
                continue;
            };
            let (place, _) = places[at];
            for property in tree
                .node(at)
                .properties
                .iter()
                .filter(|p| LABELS.contains(&&*p.name))
            {
                for value in &property.values {
                    let (point, text) = match property.name.as_str() {
                        "LB" => value.split_once(':').unwrap_or((value, "")),
                        _ => (value.as_str(), "*"),
                    };
                    let points = cells(point, renlib::SIDE).unwrap_or_default();
                    for p in points {
                        let mut replies = self.library.children(place);
                        let reply = replies.find(|&child| self.library.point(child) == Some(p));
                        drop(replies);
                        match reply {
                            Some(child) => {
                                let mut all = self.library.cell_text(child).to_string();
                                renlib::add_text(&mut all, text, " ");
                                self.library.set_cell_text(child, &all);
                            }
                            None => has_others = true,
                        }
                    }
                }
            }
        }
        if has_others {
            self.losses
                .add("texts and marks on points where no move follows");
        }
    }
}

/// The position of a root, in which the stones of its set-up stand.
fn start_of(tree: &Tree, start: &Board) -> Board {
    let root = tree.node(Tree::ROOT);
    match sgf::SET_UP.iter().any(|name| root.find(name).is_some()) {
        true => start.clone(),
        false => start.cleared(),
    }
}

/// The moves of a position in which sides take turns, Black first; a pass of Black where White begins.
/// `None` if a side has too many stones.
fn turns(board: &Board) -> Option<Vec<Option<Point>>> {
    if board.stones().is_empty() && board.side_to_move() == Color::White {
        return Some(vec![None]);
    }
    alternating_moves(board).map(|moves| moves.into_iter().map(Some).collect())
}

/// Alternating moves to `board`, Black's first, each side's in the order of its stones. `None` if
/// there are none, as after a handicap.
pub fn alternating_moves(board: &Board) -> Option<Vec<Point>> {
    let of = |color| board.stones_of(color);
    let ahead = usize::from(board.side_to_move() == Color::White);
    if of(Color::Black).count() != of(Color::White).count() + ahead {
        return None;
    }
    let mut white = of(Color::White);
    let pairs = of(Color::Black).map(|black| [Some(black), white.next()]);
    Some(pairs.flatten().flatten().collect())
}

fn label(made: Option<Point>, board: &Board) -> String {
    made.map_or("pass".to_string(), |p| p.label(board.height()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Record, read};

    /// Everything that SGF holds.
    const WHOLE: &str = "(;GM[4]SZ[15]RU[renju]PB[\u{7530}]PW[b \\] c]RE[B+R]DT[2024-05-01]EV[Cup]C[start]\
        ;B[hh]C[first]LB[ig:A][hg:B];W[ig](;B[hi]C[main];W[aa];B[])(;B[gi]C[side]TR[hi]))";

    fn games(bytes: &[u8], name: &str) -> Record {
        let empty = Board::new(15, 15).unwrap();
        read(bytes, &ReadOptions::new(name, &empty)).unwrap()
    }

    /// The games in the format `target`, and the losses.
    fn converted(text: &str, target: Target, charset: Option<Charset>) -> (Vec<u8>, Vec<String>) {
        let mut converter = Converter::new(target, None, charset);
        let mut out = Vec::new();
        for game in games(text.as_bytes(), "a.sgf").games {
            converter.add("a-1", game, &mut out).unwrap();
        }
        let losses = converter.finish(&mut out).unwrap();
        (out, losses.lines().collect())
    }

    #[test]
    fn what_a_format_holds_comes_back() {
        let game = games(WHOLE.as_bytes(), "a.sgf").games.remove(0);
        for (target, format) in [(Target::Sgf, Format::Sgf), (Target::Json, Format::Json)] {
            let (bytes, losses) = converted(WHOLE, target, None);
            assert_eq!(losses, [""; 0]);
            let back = games(&bytes, "a");
            assert_eq!((back.format, back.warnings), (format, vec![]));
            assert_eq!(back.games[0].sgf("renju"), game.sgf("renju"));
            assert_eq!(back.games[0].moves, game.moves);
        }
        // Another charset, which the text names.
        let charset = Charset::named("shift_jis");
        let (bytes, losses) = converted(WHOLE, Target::Sgf, charset);
        assert_eq!(losses, [""; 0]);
        let back = games(&bytes, "a.sgf");
        assert_eq!(
            (back.charset, &back.games[0].black),
            (Some("Shift_JIS"), &game.black)
        );
        let (_, losses) = converted(WHOLE, Target::Sgf, Charset::named("latin1"));
        assert_eq!(losses, ["letters that the charset lacks, in 1 game"]);
    }

    /// SGF with such a sequence was read as ISO-2022-JP, and `\` became `¥`.
    #[test]
    fn an_escape_sequence_in_a_text_changes_no_charset() {
        for text in ["a\u{1b}(J\\]b", "\u{1b}$B0B\u{1b}(B", "\u{1b}$@0B\u{1b}"] {
            let mut game = games(WHOLE.as_bytes(), "a.sgf").games.remove(0);
            game.black = text.to_string();
            let written = game.sgf("renju");
            let back = games(written.as_bytes(), "a");
            assert_eq!((&*back.games[0].black, &back.warnings), (text, &vec![]));
            assert_eq!(back.games[0].sgf("renju"), written);
        }
    }

    #[test]
    fn what_a_format_cannot_hold_is_told() {
        let of = |target| {
            let (bytes, losses) = converted(WHOLE, target, None);
            let losses = losses
                .iter()
                .map(|line| line.replace(", in 1 game", ""))
                .collect::<Vec<_>>();
            (String::from_utf8(bytes).unwrap(), losses.join("; "))
        };
        let (text, losses) = of(Target::Psq);
        assert_eq!(
            text,
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n8,9,0\n1,1,0\n\u{7530}\nb ] c\n0\n"
        );
        let others = "other properties, such as dates and times";
        assert_eq!(
            losses,
            format!(
                "a pass and the moves after it; comments; {others}; texts and marks on points; \
                     the result; the rule; variations"
            )
        );
        let (text, losses) = of(Target::Moves);
        assert_eq!(text, "h8 i9 h7 a15 pass\n");
        assert_eq!(
            losses,
            format!(
                "comments; {others}; texts and marks on points; the players' names; the result; \
                     the rule; variations"
            )
        );
        assert_eq!(of(Target::Openings).0, "0,0, 1,-1, 0,1, -7,-7\n");
        assert_eq!(
            of(Target::Problems).0,
            "a-1 | renju | 15 | h8 i9 h7 a15 | \u{7530} - b ] c\n"
        );
    }

    #[test]
    fn a_library_holds_the_tree_with_comments_and_texts() {
        let (bytes, losses) = converted(WHOLE, Target::Lib, None);
        assert_eq!(
            losses,
            [
                "other properties, such as dates and times, in 1 game",
                "texts and marks on points where no move follows, in 1 game",
                "the kinds of marks on points: all are *, in 1 game",
                "the players' names, in 1 game",
                "the result, in 1 game",
                "the rule, in 1 game",
            ]
        );
        let back = games(&bytes, "a.lib").games.remove(0);
        let text = back.sgf("renju");
        let expected = "RU[renju]C[start];B[hh]C[first]LB[ig:A];W[ig]\n(;B[hi]C[main];W[aa];B[])\n\
            (;B[gi]C[side]))\n";
        assert!(text.ends_with(expected), "{text}");
        // All games are one tree. White's stone of the second is not the first move.
        let two =
            "(;SZ[15];B[hh]C[one];W[ii])(;SZ[15];B[hh]C[two];W[ih])(;SZ[15];W[hh])(;SZ[20];B[aa])";
        let (bytes, losses) = converted(two, Target::Lib, None);
        let library = Library::read(&bytes).unwrap();
        assert_eq!((library.moves(), library.comment(1)), (5, "one\ntwo"));
        assert_eq!(
            losses,
            [
                "the bounds of games: all are one tree, in 3 games",
                "the game, as RenLib knows boards of 15x15 alone, in 1 game"
            ]
        );
    }

    /// The parts of a game that a format may hold, each with the name of its loss.
    fn parts(game: &RecordedGame) -> Vec<(&'static str, String)> {
        let tree = &game.tree;
        let nodes: Vec<&Node> = (0..tree.len()).map(|place| tree.node(place)).collect();
        let texts = |names: &[&str]| {
            let properties = nodes.iter().flat_map(|node| &node.properties);
            let found = properties.filter(|p| names.contains(&&*p.name));
            let values: Vec<&str> = found.flat_map(|p| &p.values).map(|v| &**v).collect();
            // A comment on a game and one on a position may stand on lines of one text.
            let mut lines: Vec<&str> = values.iter().flat_map(|value| value.lines()).collect();
            lines.retain(|line| !line.is_empty());
            lines.sort_unstable();
            lines.join("\n")
        };
        let swaps = format!("{:?}", game.swaps).replace("[]", "");
        let rule = game
            .known_rule()
            .map_or(game.rule.clone(), |rule| rule.name().to_string());
        let size = format!("{}x{}", game.start.width(), game.start.height());
        let players = [&*game.black, "-", &*game.white].concat();
        let branches = tree
            .walk(Tree::ROOT)
            .filter(|step| *step == Step::Open)
            .count();
        let branches = Some(branches).filter(|count| *count > 0);
        vec![
            ("as moves", start_of_play(game)),
            ("a pass and the moves", game.labels().join(" ")),
            ("an exchange of colours", swaps),
            ("the players' names", players.trim_matches('-').to_string()),
            ("the result", game.result.clone()),
            ("the rule", rule),
            ("the size of the board", size.replace("15x15", "")),
            ("comments", texts(&["C", "GC"])),
            (
                "variations",
                branches.map_or(String::new(), |count| count.to_string()),
            ),
            ("texts and marks", texts(&["LB"])),
            ("marks on points", texts(&["TR", "SQ", "CR", "MA", "SL"])),
            ("dates", texts(&["DT", "EV", "RO", "PC", "ON", "GN", "SO"])),
        ]
    }

    /// The stones before the first move, and the side to move there if it is White.
    fn start_of_play(game: &RecordedGame) -> String {
        let mut stones: Vec<String> = game
            .start
            .stones()
            .iter()
            .map(|s| format!("{s:?}"))
            .collect();
        stones.sort();
        let turn = match game.first() {
            Color::White if stones.is_empty() => "white",
            _ => "",
        };
        format!("{}{turn}", stones.join(" "))
    }

    /// The file of one game in a format, and the losses reported by the converter; `None` if the
    /// game as a whole is lost.
    fn written(target: Target, game: &RecordedGame) -> Option<(Vec<u8>, String)> {
        let mut converter = Converter::new(target, None, None);
        let mut out = Vec::new();
        converter.add("id", game.clone(), &mut out).unwrap();
        let count = converter.count();
        let losses = converter.finish(&mut out).unwrap();
        let losses: Vec<String> = losses.lines().collect();
        (count > 0).then(|| (out, losses.join("; ")))
    }

    /// Every part of a game that does not come back from a format is reported as lost, for all
    /// files of the cases and all pairs of formats.
    #[test]
    fn nothing_is_lost_in_silence_between_two_formats() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/files");
        let mut count = 0;
        let mut faults = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let empty = Board::new(15, 15).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let Ok(record) = read(&bytes, &ReadOptions::new(&name, &empty)) else {
                continue;
            };
            for game in record.games {
                for from in Target::ALL {
                    let Some(game) = through(from, &game, &name, &mut faults) else {
                        continue;
                    };
                    for to in Target::ALL {
                        let name = format!("{name} as {}", from.name());
                        let back = through(to, &game, &name, &mut faults);
                        count += usize::from(back.is_some());
                    }
                }
            }
        }
        assert_eq!(faults, [""; 0]);
        assert!(count > 3_000, "{count} conversions");
    }

    /// The game read back from a format. Missing parts without a report are faults.
    fn through(
        target: Target,
        game: &RecordedGame,
        name: &str,
        faults: &mut Vec<String>,
    ) -> Option<RecordedGame> {
        let (bytes, losses) = written(target, game)?;
        // The size and the rule of lines of moves stand on the command line.
        let empty = Board::new(game.start.width().into(), game.start.height().into()).unwrap();
        let options = ReadOptions {
            any_game: true,
            ..ReadOptions::new("a", &empty)
        };
        let read = read(&bytes, &options);
        let mut read = read.unwrap_or_else(|error| panic!("{name} to {}: {error}", target.name()));
        assert_eq!(read.games.len(), 1, "{name} to {}", target.name());
        let back = read.games.remove(0);
        for ((word, before), (_, after)) in parts(game).into_iter().zip(parts(&back)) {
            let is_told = losses.contains(word)
                // A problem gets an id, and a source.
                || word == "dates" && before.lines().all(|line| after.lines().any(|l| l == line))
                || matches!(word, "as moves" | "a pass and the moves") && losses.contains("set-up")
                || word == "a pass and the moves" && losses.contains("an exchange of colours");
            if before != after && !is_told {
                let target = target.name();
                faults.push(format!(
                    "{name} to {target}: {word}: {before:?} became {after:?}; told: {losses}"
                ));
            }
        }
        Some(back)
    }

    /// A blank line was no name for the reader of `.psq`, so the other name had no partner.
    #[test]
    fn names_of_a_psq_are_lines_that_are_read_as_names() {
        for (names, lines, back) in [
            ("PB[ ]PW[Bob]", "?\nBob\n", ["", "Bob"]),
            ("PW[ Bob]", "?\nBob\n", ["", "Bob"]),
            ("PB[12]PW[-1]", "12\n-1\n", ["12", "-1"]),
            ("PB[7,7]PW[Bob]", "?\nBob\n", ["", "Bob"]),
        ] {
            let text = format!("(;SZ[15]{names};B[hh];W[ii])");
            let (bytes, losses) = converted(&text, Target::Psq, None);
            let game = games(&bytes, "a.psq").games.remove(0);
            assert_eq!([&*game.black, &*game.white], back);
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.ends_with(&format!("9,9,0\n{lines}0\n")), "{text}");
            let is_lost = names.contains(',');
            assert_eq!(losses.len(), usize::from(is_lost), "{losses:?}");
        }
    }

    /// Games of one move, and long ones without a common point, came back as one game or as none.
    #[test]
    fn games_of_a_list_stay_apart() {
        let long = ["aa", "ba", "ca", "da", "ea", "fa", "ga", "ha", "ia", "ja"];
        let game = |moves: &[&str]| {
            let turns = moves.iter().zip(["B", "W"].into_iter().cycle());
            let turns: String = turns.map(|(p, side)| format!(";{side}[{p}]")).collect();
            format!("(;SZ[15]{turns})")
        };
        let other = long.map(|p| p.replace('a', "b").replacen('b', &p[..1], 1));
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        for (lists, is_told) in [
            (&[&["hh"][..], &["hh"]][..], true),
            (&[&["hh"], &["ii"]], true),
            (&[&long, &other], true),
            (&[&long[..6], &other[..6], &["hh", "ii"]], true),
            (&[&["hh", "ii", "hi"], &["aa", "ba", "ca", "da"]], false),
            (&[&long, &long], false),
            (&[&long], false),
        ] {
            let text: String = lists.iter().map(|moves| game(moves)).collect();
            for target in [Target::Moves, Target::Openings] {
                let (bytes, losses) = converted(&text, target, None);
                assert_eq!(losses, [""; 0]);
                let back = games(&bytes, "a.txt");
                let lengths = back.games.iter().map(|game| game.moves.len());
                assert!(lengths.eq(lists.iter().map(|moves| moves.len())), "{text}");
                let text = String::from_utf8(bytes).unwrap();
                assert_eq!(
                    text.ends_with("\n# each line is a game\n"),
                    is_told,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_set_up_stands_as_moves_where_sides_took_turns() {
        let record = "(;SZ[20]AB[jj][jk]AW[kk]PL[W];W[kl];B[ll])";
        let (bytes, losses) = converted(record, Target::Problems, None);
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "a-1 | freestyle | 20 | j11 k10 j10 | \n"
        );
        assert_eq!(
            losses,
            [
                "that the rule is unknown: it is freestyle there, in 1 game",
                "the moves after the set-up, in 1 game",
                "the set-up of the start: its stones stand as moves, in 1 game"
            ]
        );
        let (bytes, losses) = converted("(;SZ[15]AB[hh][hi][hj];W[aa])", Target::Psq, None);
        assert!(bytes.is_empty());
        assert_eq!(
            losses,
            ["the game, as no moves by turns lead to its start, in 1 game"]
        );
    }

    #[test]
    fn a_game_that_is_too_large_for_the_page_is_refused() {
        let text = format!("(;SZ[15]{})", ";C[]".repeat(MOST_PARTS));
        let why = to_sgf(text.as_bytes(), "a.sgf").unwrap_err().to_string();
        assert_eq!(
            why,
            "a game of it has more than 524288 nodes, properties and values"
        );
        let text = "# a comment\n".repeat(500_000);
        let why = to_sgf(text.as_bytes(), "a.txt").unwrap_err().to_string();
        assert_eq!(why, "the text has more than 4194304 bytes");
        let why = to_sgf("(;)".repeat(1 << 21).as_bytes(), "a.sgf").unwrap_err();
        assert_eq!(why, RecordError::TooLarge(MOST_SGF));
    }

    #[test]
    fn every_format_becomes_sgf() {
        let moves = to_sgf(b"h8 i9 h7", "a.txt").unwrap();
        assert!(moves.ends_with(";B[hh];W[ig];B[hi])\n"), "{moves}");
        let psq = b"Piskvorky 20x20, 11:11, 0\n8,8,100\n9,9,200\nend\n";
        assert!(to_sgf(psq, "a.psq").unwrap().contains("SZ[20]"));
        for (bytes, name) in [
            (&b"\xff\xfe"[..], "a.lib"),
            (b"(;GM[1]SZ[19]KM[6.5];B[aa])", "go.sgf"),
            (b"q99", ""),
        ] {
            let why = to_sgf(bytes, name).unwrap_err().to_string();
            assert!(!why.is_empty() && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn names_in_other_charsets_cost_no_moves() {
        let text = to_sgf(b"(;GM[4]PB[\x83\x5c];B[hh];W[ih])", "a.sgf").unwrap();
        assert!(text.ends_with("PB[\u{30bd}];B[hh];W[ih])\n"), "{text}");
    }

    #[test]
    fn a_deep_library_needs_no_stack() {
        let mut library = Library::default();
        let first = LibraryNode {
            point: Some(Point::new(7, 7)),
            ..LibraryNode::default()
        };
        let mut parent = library.add(Library::ROOT, first);
        for _ in 0..200_000 {
            parent = library.add(parent, LibraryNode::default());
        }
        assert!(to_sgf(&library.write(), "a.lib").unwrap().len() > 200_000);
    }
}
