//! Games in Smart Game Format. An impossible move ends its line; the moves before stay.

use super::game::SWAP;
use super::rule_names::{is_gomoku_opening, rule_named, rule_of_title};
use super::{ReadOptions, RecordError, RecordedGame, Sink, Warning, limit};
use crate::sgf::{self, Node, Property, ReadError, Tree, cells};
use tengen::board::{Board, Cell, Move};
use tengen::types::{Color, POINTS, Point};

/// Side of the board of a record that names none.
const USUAL_SIDE: u32 = 15;
/// Sides of larger boards, for records that name no board.
const LARGER_SIDES: [u32; 2] = [19, 20];

/// Properties by which brackets inside another text are known as a game: program text has many that
/// look like SGF, such as `f(b[i])`.
const SIGNS: [&str; 14] = [
    "AB", "AP", "AW", "CA", "DT", "EV", "FF", "GM", "PB", "PL", "PW", "RE", "RU", "SZ",
];

/// True if a property of the tree belongs to SGF: one of [`SIGNS`], or a move to a point.
fn is_sgf(tree: &Tree) -> bool {
    let is_point = |value: &String| {
        let mut letters = value.chars();
        let (first, second) = (letters.next(), letters.next());
        first.is_some_and(|c| c.is_ascii_alphabetic())
            && second.is_some_and(|c| c.is_ascii_alphanumeric())
            && letters.all(|c| c.is_ascii_digit())
    };
    let is_known = |property: &Property| match &*property.name {
        "B" | "W" => property.values.iter().all(is_point),
        name => SIGNS.contains(&name),
    };
    (0..tree.len()).any(|place| tree.node(place).properties.iter().any(is_known))
}

/// Reads the games of an SGF text.
///
/// # Errors
/// When there is no game, or one of another kind or on an unsupported board.
pub(super) fn read(text: &str, options: &ReadOptions, sink: &mut Sink) -> Result<(), RecordError> {
    let mut trees = sgf::Trees::new(text, options.most_parts);
    let mut first = None;
    let (mut number, mut has_game) = (0, false);
    let is_whole = text.starts_with('(') && text[1..].trim_start().starts_with(';');
    loop {
        let tree = trees.next();
        let faults = trees.take_faults().into_iter();
        let faults = faults.map(|(line, what)| Warning::LeftOut { line, what });
        sink.warnings.extend(faults);
        let Some(tree) = tree else {
            break;
        };
        let tree = tree?;
        if !is_whole && !is_sgf(&tree) {
            first = first.or(Some(ReadError::NoGame.into()));
            continue;
        }
        number += 1;
        match game(tree, options, &mut sink.warnings) {
            Ok(game) => {
                has_game = true;
                if sink.take(game).is_break() {
                    return Ok(());
                }
            }
            // Other games of the text may be read.
            Err(error) => {
                let reason = error.to_string();
                sink.warnings.push(Warning::Game { number, reason });
                limit(&mut sink.warnings);
                first = first.or(Some(error));
            }
        }
    }
    match first.filter(|_| !has_game) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The first game of an SGF text.
///
/// # Errors
/// As for [`read`].
pub(super) fn first(
    text: &str,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    let tree = sgf::Trees::new(text, options.most_parts).next();
    game(tree.unwrap_or(Err(ReadError::NoGame))?, options, warnings)
}

fn game(
    raw: Tree,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    let facts = Facts::of(&raw);
    if !options.any_game {
        facts.check_kind(warnings)?;
    }
    let board = facts.board(&raw, warnings)?;
    let mut builder = Builder {
        raw: &raw,
        state: State::new(&board),
        tree: Tree::default(),
        result: None,
        is_main: true,
        is_over: false,
        first: options.first,
        warnings,
    };
    builder.build()?;
    let (tree, result) = (builder.tree, builder.result);
    let mut game = main_line(&board, tree);
    game.black = facts.text("PB");
    game.white = facts.text("PW");
    game.result = facts.text("RE");
    if let Some(result) = result.filter(|_| game.result.is_empty()) {
        game.result = result.to_string();
    }
    game.rule = facts.rule(warnings);
    Ok(game)
}

/// The facts of a game: the properties before the first move.
struct Facts(Vec<Property>);

impl Facts {
    fn of(raw: &Tree) -> Facts {
        let mut facts = Vec::new();
        for place in raw.main_line() {
            facts.extend_from_slice(&raw.node(place).properties);
            if raw.node(place).properties.iter().any(is_turn) {
                break;
            }
        }
        Facts(facts)
    }

    /// A value on one line; empty without one.
    fn text(&self, name: &str) -> String {
        let mut values = self
            .0
            .iter()
            .filter(|p| p.name == name)
            .map(Property::value);
        let value = values.find(|value| !value.is_empty()).unwrap_or_default();
        value.replace(['\n', '\r', '\t'], " ")
    }

    /// Refuses records that are clearly of another game. Many programs write `GM[1]` in all
    /// records, and some the numbers of neighbouring games.
    fn check_kind(&self, warnings: &mut Vec<Warning>) -> Result<(), RecordError> {
        let kind = self.text("GM");
        let other = |name: &str| Err(RecordError::OtherGame(name.to_string()));
        match kind.trim() {
            "" | "1" | "4" => {}
            "2" | "5" | "11" => warnings.push(Warning::Kind(kind.trim().to_string())),
            "3" => return other("chess (GM[3])"),
            "7" => return other("Chinese chess (GM[7])"),
            "8" => return other("shogi (GM[8])"),
            number => return other(&format!("another game (GM[{number}])")),
        }
        if matches!(kind.trim(), "" | "1") {
            let signs = self.signs_of_go();
            if !signs.is_empty() {
                return other(&format!("Go ({})", signs.join(", ")));
            }
        }
        Ok(())
    }

    /// Signs of Go: its rules, or komi and handicaps on its boards.
    fn signs_of_go(&self) -> Vec<String> {
        const RULES: [&str; 9] = [
            "japanese",
            "chinese",
            "korean",
            "aga",
            "goe",
            "ing",
            "nz",
            "tromp-taylor",
            "ancient",
        ];
        let rule = self.text("RU");
        let mut signs = Vec::new();
        let has_rules = RULES.contains(&&*rule.trim().to_lowercase());
        if has_rules {
            signs.push(format!("RU[{}]", rule.trim()));
        }
        let size = self.text("SZ");
        if matches!(size.trim(), "9" | "13" | "19") {
            for name in ["KM", "HA"] {
                let value = self.text(name);
                if value.trim().parse::<f64>().is_ok_and(|value| value != 0.0) {
                    signs.push(format!("{name}[{}]", value.trim()));
                }
            }
        }
        if !signs.is_empty() {
            signs.insert(0, format!("SZ[{}]", size.trim()));
        }
        signs
    }

    /// The empty board. Without `SZ`, the smallest usual size with room for the main line counts.
    fn board(&self, raw: &Tree, warnings: &mut Vec<Warning>) -> Result<Board, RecordError> {
        let text = self.text("SZ");
        if !text.trim().is_empty() {
            let (width, height) = sgf::size(&text)?;
            return Ok(Board::new(width, height)?);
        }
        let mut farthest = 0;
        for place in raw.main_line() {
            let properties = raw.node(place).properties.iter();
            let stones =
                properties.filter(|p| is_turn(p) || matches!(&*p.name, "AB" | "AW" | "XB"));
            for value in stones.flat_map(|p| &p.values).map(|value| value.trim()) {
                if value != "tt" && value.bytes().all(|b| b.is_ascii_alphabetic() || b == b':') {
                    let points = cells(value, USUAL_SIDE as u8).unwrap_or_default();
                    let sides = points.iter().map(|p| 1 + u32::from(p.x().max(p.y())));
                    farthest = farthest.max(sides.max().unwrap_or(0));
                }
            }
        }
        let larger = LARGER_SIDES.into_iter().find(|&side| side >= farthest);
        let side = match larger.filter(|_| farthest > USUAL_SIDE) {
            Some(side) => {
                warnings.push(Warning::Size(side));
                side
            }
            None => USUAL_SIDE,
        };
        Ok(Board::new(side, side)?)
    }

    /// The name of the rule: `RU`, or the name of the game (`GN`) where it names one.
    fn rule(&self, warnings: &mut Vec<Warning>) -> String {
        let named = self.text("RU");
        if named.trim().is_empty() {
            return rule_of_title(&self.text("GN")).to_string();
        }
        if rule_named(&named).is_none() {
            let name = format!("RU[{}]", named.trim());
            warnings.push(match is_gomoku_opening(&named) {
                true => Warning::OpeningRule(name),
                false => Warning::Rule(name),
            });
        }
        named
    }
}

/// True if a property is a turn: a move, or the stones of Gomoku Quest's openings.
fn is_turn(property: &Property) -> bool {
    turn_color(property).is_some() || property.name == OPENING_STONES
}

/// Gomoku Quest: the first three stones, in the order of play.
const OPENING_STONES: &str = "QPR";

/// The side of a turn; `QSLB` and `QSLW` are the stones that Gomoku Quest's players choose after
/// the first three.
fn turn_color(property: &Property) -> Option<Color> {
    match property.name.as_str() {
        "B" | "QSLB" => Some(Color::Black),
        "W" | "QSLW" => Some(Color::White),
        _ => None,
    }
}

/// True if a property changes the position without a move.
fn is_set_up(property: &Property) -> bool {
    sgf::SET_UP.contains(&property.name.as_str())
}

/// A turn as its value tells it.
enum Turn {
    Put(Point),
    Pass,
    Swap,
}

/// Builds the tree of a game from that of its properties.
struct Builder<'a> {
    raw: &'a Tree,
    state: State,
    tree: Tree,
    /// The result by a resignation.
    result: Option<&'static str>,
    /// True on the main line.
    is_main: bool,
    /// True after a resignation.
    is_over: bool,
    /// The side to move in positions without a known one.
    first: Option<Color>,
    warnings: &'a mut Vec<Warning>,
}

/// A step of the walk through the properties.
enum Visit {
    /// The node at `raw` is a reply to the node at `parent` of the new tree, `moves` moves deep.
    Node {
        raw: usize,
        parent: Option<usize>,
        moves: usize,
        is_main: bool,
    },
    /// Takes back all changes but this number of first ones, and sets the side to move.
    Rewind(usize, Color),
}

impl Builder<'_> {
    fn build(&mut self) -> Result<(), RecordError> {
        let mut visits = vec![Visit::Node {
            raw: Tree::ROOT,
            parent: None,
            moves: 0,
            is_main: true,
        }];
        while let Some(visit) = visits.pop() {
            let (raw, parent, moves, is_main) = match visit {
                Visit::Rewind(changes, side) => {
                    self.state.rewind(changes, side);
                    continue;
                }
                Visit::Node {
                    raw,
                    parent,
                    moves,
                    is_main,
                } => (raw, parent, moves, is_main),
            };
            let before = (self.state.log.len(), self.state.side);
            self.is_main = is_main;
            match self.add(raw, parent, moves) {
                Ok((_, moves)) if self.is_over => {
                    let lost = self.count(raw) - 1;
                    if lost > 0 {
                        self.warn("follows a resignation".to_string(), moves, lost);
                    }
                    self.is_over = false;
                    self.state.rewind(before.0, before.1);
                }
                Ok((place, moves)) => {
                    visits.push(Visit::Rewind(before.0, before.1));
                    let from = visits.len();
                    for (index, reply) in self.raw.children(raw).enumerate() {
                        visits.push(Visit::Node {
                            raw: reply,
                            parent: Some(place),
                            moves,
                            is_main: is_main && index == 0,
                        });
                    }
                    visits[from..].reverse();
                }
                Err(reason) => {
                    self.state.rewind(before.0, before.1);
                    let mut lost = self.count(raw);
                    // A variation beside it would be taken for the game.
                    while is_main && let Some(Visit::Node { raw, .. }) = visits.last() {
                        lost += self.count(*raw);
                        visits.pop();
                    }
                    if is_main && moves == 0 && !self.has_set_up() {
                        return Err(RecordError::Move { number: 1, reason });
                    }
                    self.warn(reason, moves, lost);
                }
            }
        }
        Ok(())
    }

    /// True if a position was set up so far on the main line.
    fn has_set_up(&self) -> bool {
        let mut line = self.tree.main_line().map(|place| self.tree.node(place));
        line.any(|node| node.properties.iter().any(is_set_up))
    }

    /// Number of nodes from one on.
    fn count(&self, raw: usize) -> usize {
        let steps = self.raw.walk(raw);
        steps
            .filter(|step| matches!(step, sgf::Step::Node(_)))
            .count()
    }

    /// Tells of nodes that are left out.
    fn warn(&mut self, reason: String, moves: usize, lost: usize) {
        self.warnings.push(match self.is_main {
            true => Warning::Move {
                number: moves + 1,
                reason,
                lost: lost - 1,
            },
            false => Warning::Variation {
                number: moves,
                reason,
                lost,
            },
        });
    }

    /// Adds a node, and returns the place of the last node made of it and its number of moves.
    ///
    /// # Errors
    /// With the reason why its move is impossible, as the end of a sentence.
    fn add(
        &mut self,
        raw: usize,
        parent: Option<usize>,
        moves: usize,
    ) -> Result<(usize, usize), String> {
        let node = self.raw.node(raw);
        let mut kept = self.set_up(raw);
        let has_set_up = !kept.is_empty();
        let mut turns = Vec::new();
        for property in &node.properties {
            if is_turn(property) {
                if let Err(reason) = self.turns(property, moves, &mut turns) {
                    // The set-up and the facts of a root stay.
                    if parent.is_none() {
                        self.tree.node_mut(Tree::ROOT).properties = kept;
                    }
                    return Err(reason);
                }
            } else if self.is_unknown_stone(property) {
                let (name, value) = (&property.name, property.value());
                return Err(format!(
                    "has {name}[{value}], a stone in a form that is not known"
                ));
            } else if !is_set_up(property) {
                kept.push(property.clone());
            }
        }
        // Moves stand in nodes of their own.
        let mut place = match (parent, turns.len()) {
            (None, _) => Tree::ROOT,
            (Some(parent), 0) => self.tree.add(parent, None),
            (Some(parent), _) if has_set_up => self.tree.add(parent, None),
            (Some(parent), _) => parent,
        };
        let is_apart = parent.is_none() || has_set_up || turns.is_empty();
        if is_apart {
            self.tree.node_mut(place).properties = std::mem::take(&mut kept);
        }
        let mut made = moves;
        for (color, turn) in turns {
            let point = match turn {
                Turn::Put(p) => Some(p),
                Turn::Pass | Turn::Swap => None,
            };
            place = self.tree.add(place, Some(Move { color, point }));
            made += 1;
            if matches!(turn, Turn::Swap) {
                let word = Property::new(letter(color), SWAP);
                self.tree.node_mut(place).properties.push(word);
            }
        }
        self.tree.node_mut(place).properties.extend(kept);
        Ok((place, made))
    }

    /// True for a property that looks like one of Gomoku Quest's for stones. Without these stones
    /// the rest would be another game.
    fn is_unknown_stone(&self, property: &Property) -> bool {
        let is_point = |text: &str| cells(text.trim(), self.state.height).is_ok();
        property.name.len() > 2
            && property.name.starts_with('Q')
            && property.value().split(',').all(is_point)
    }

    /// Changes the position by the set-up properties of a node: `AB` and `AW` put stones, `AE`
    /// takes them away, `XB` (our own) blocks cells, and `PL` gives the side to move. Without `PL`
    /// the next move gives the side; without a move the side is the chosen one, or the one with
    /// fewer stones, or Black with equal numbers. Returns the understood properties, with a `PL`
    /// where the stones do not tell the side.
    fn set_up(&mut self, raw: usize) -> Vec<Property> {
        let mut kept = Vec::new();
        let mut side = None;
        let mut has_stones = false;
        self.state.begin_node();
        let properties = self.raw.node(raw).properties.iter();
        for property in properties.filter(|p| is_set_up(p)) {
            if property.name != "PL" {
                if let Some(changed) = self.state.change(property, self.warnings) {
                    has_stones = true;
                    kept.push(changed);
                }
                continue;
            }
            match side_named(property.value()) {
                Some(color) => {
                    side = Some(color);
                    kept.push(property.clone());
                }
                None => self.warnings.push(Warning::Value {
                    name: property.name.clone(),
                    value: property.value().to_string(),
                }),
            }
        }
        if has_stones {
            self.state.side = self.state.side_with_fewer_stones();
        }
        // Each node is looked at for one set-up before it, so the time is linear.
        if side.is_none() && (has_stones || raw == Tree::ROOT) {
            let said = match self.next_side(raw) {
                Some(color) => has_stones.then_some(color),
                None => self.first,
            };
            if let Some(color) = said.filter(|&color| color != self.state.side) {
                side = Some(color);
                kept.push(Property::new("PL", letter(color)));
            }
        }
        self.state.side = side.unwrap_or(self.state.side);
        kept
    }

    /// The side of the first move at the node `raw` or after it, before another set-up.
    fn next_side(&self, raw: usize) -> Option<Color> {
        let mut at = raw;
        loop {
            let turn = |property: &Property| {
                let is_over = property.value().trim().eq_ignore_ascii_case("resign");
                let is_opening = property.name == OPENING_STONES;
                let color = turn_color(property).or(is_opening.then_some(Color::Black));
                color.filter(|_| !is_over)
            };
            let properties = &self.raw.node(at).properties;
            if let Some(color) = properties.iter().find_map(turn) {
                return Some(color);
            }
            at = self.raw.children(at).next()?;
            if self.raw.node(at).properties.iter().any(is_set_up) {
                return None;
            }
        }
    }

    /// Plays the turns of a property.
    fn turns(
        &mut self,
        property: &Property,
        moves: usize,
        turns: &mut Vec<(Color, Turn)>,
    ) -> Result<(), String> {
        let is_opening = property.name == OPENING_STONES;
        let values: Vec<&str> = match is_opening {
            true => property.values.iter().flat_map(|v| v.split(',')).collect(),
            false => vec![property.value()],
        };
        for value in values {
            let color = match turn_color(property) {
                Some(color) => color,
                None => Color::BOTH[(moves + turns.len()) % 2],
            };
            if !value.trim().eq_ignore_ascii_case("resign") {
                turns.push((color, self.turn(color, value)?));
                continue;
            }
            self.is_over = true;
            if self.is_main {
                self.result = match color {
                    Color::Black => Some("W+R"),
                    Color::White => Some("B+R"),
                };
            }
        }
        Ok(())
    }

    fn turn(&mut self, color: Color, value: &str) -> Result<Turn, String> {
        let value = value.trim();
        let turn = match value.to_ascii_lowercase().as_str() {
            "" | "pass" => Turn::Pass,
            SWAP => Turn::Swap,
            // A pass in files before FF[4], unless the board has this point.
            "tt" if !self.state.contains(Point::new(19, 19)) => Turn::Pass,
            _ => {
                let found = cells(value, self.state.height);
                let Ok([p]) = found.as_deref() else {
                    return Err(format!("is '{value}', which is no point"));
                };
                let label = || match p.y() < self.state.height {
                    true => p.label(self.state.height),
                    false => value.to_string(),
                };
                if !self.state.contains(*p) {
                    return Err(format!("({}) is off the board", label()));
                }
                if self.state.cells[p.index()] != Cell::Empty {
                    return Err(format!("({}) is on a taken point", label()));
                }
                self.state.begin_node();
                self.state.set(*p, color.into());
                Turn::Put(*p)
            }
        };
        self.state.side = !color;
        Ok(turn)
    }
}

/// The side named by the first letter of a value of `PL`.
fn side_named(text: &str) -> Option<Color> {
    match text.trim().as_bytes().first() {
        Some(b'B' | b'b') => Some(Color::Black),
        Some(b'W' | b'w') => Some(Color::White),
        _ => None,
    }
}

/// The name of a side in SGF.
const fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// The game along the main line of a tree in which all moves are possible. A position set up after
/// moves begins the game again, with the stones before it as part of the position.
pub(super) fn main_line(empty: &Board, tree: Tree) -> RecordedGame {
    let mut state = State::new(empty);
    let mut start = empty.clone();
    let (mut moves, mut swaps) = (Vec::new(), Vec::new());
    for place in tree.main_line() {
        let node = tree.node(place);
        if set_up(&mut state, node) {
            start = state.board();
            moves.clear();
            swaps.clear();
        }
        if let Some(made) = node.made {
            if node.is_swap() {
                swaps.push(moves.len());
            }
            if let Some(p) = made.point {
                state.set(p, made.color.into());
            }
            state.side = !made.color;
            moves.push(made);
        }
    }
    let mut game = RecordedGame::of_tree(start, tree);
    (game.moves, game.swaps) = (moves, swaps);
    game
}

/// Makes the set-up of a node that is known to be possible. True if there was one.
fn set_up(state: &mut State, node: &Node) -> bool {
    let (mut has_stones, mut side) = (false, None);
    state.begin_node();
    for property in node.properties.iter().filter(|p| is_set_up(p)) {
        match property.name.as_str() {
            "PL" => side = side_named(property.value()),
            _ => has_stones |= state.change(property, &mut Vec::new()).is_some(),
        }
    }
    if has_stones {
        state.side = state.side_with_fewer_stones();
    }
    if let Some(side) = side {
        state.side = side;
    }
    has_stones || side.is_some()
}

/// A position on the walk through a tree, cell by cell: a board would have to be built again for
/// each stone taken away.
struct State {
    width: u8,
    height: u8,
    side: Color,
    cells: [Cell; POINTS],
    /// Number of the node that changed each cell last.
    changed: [u32; POINTS],
    /// Number of the present node.
    node: u32,
    /// The content of each cell before the changes, once for each node and cell.
    log: Vec<(Point, Cell)>,
}

impl State {
    fn new(board: &Board) -> State {
        State {
            width: board.width(),
            height: board.height(),
            side: board.side_to_move(),
            cells: [Cell::Empty; POINTS],
            changed: [0; POINTS],
            node: 0,
            log: Vec::new(),
        }
    }

    fn contains(&self, p: Point) -> bool {
        p.x() < self.width && p.y() < self.height
    }

    /// Begins the changes of a node.
    fn begin_node(&mut self) {
        self.node = self.node.wrapping_add(1);
    }

    fn set(&mut self, p: Point, cell: Cell) {
        if self.changed[p.index()] != self.node {
            self.changed[p.index()] = self.node;
            self.log.push((p, self.cells[p.index()]));
        }
        self.cells[p.index()] = cell;
    }

    /// Takes back all changes but the first `kept`.
    fn rewind(&mut self, kept: usize, side: Color) {
        for (p, cell) in self.log.drain(kept..).rev() {
            self.cells[p.index()] = cell;
        }
        self.side = side;
        self.begin_node();
    }

    /// Applies the changes of a property, and returns the property with its points as letters;
    /// `None` if no point counts. A point counts once in a node, and not where an equal stone
    /// stands already.
    fn change(&mut self, property: &Property, warnings: &mut Vec<Warning>) -> Option<Property> {
        let cell = match property.name.as_str() {
            "AB" => Cell::Black,
            "AW" => Cell::White,
            "XB" => Cell::Blocked,
            _ => Cell::Empty,
        };
        let mut values = Vec::new();
        for value in &property.values {
            let Ok(points) = cells(value, self.height) else {
                warnings.push(Warning::Value {
                    name: property.name.clone(),
                    value: value.clone(),
                });
                continue;
            };
            let (mut kept, mut fault) = (Vec::new(), None);
            for &p in &points {
                let found = self.cells[p.index()];
                if !self.contains(p) {
                    fault = Some("off the board");
                } else if cell == Cell::Empty || found == Cell::Empty {
                    self.set(p, cell);
                    kept.push(p);
                } else if self.changed[p.index()] == self.node {
                    fault = Some("named before in the same node");
                } else if found == cell {
                    fault = Some("that holds the same already");
                } else {
                    self.set(p, cell);
                    kept.push(p);
                }
            }
            match fault {
                None if points.len() != 1 => values.push(value.clone()),
                _ => values.extend(kept.into_iter().map(sgf::place)),
            }
            warnings.extend(fault.map(|reason| Warning::SetUp {
                name: property.name.clone(),
                value: value.clone(),
                reason,
            }));
        }
        (!values.is_empty()).then(|| Property {
            name: property.name.clone(),
            values,
        })
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Point::new(x, y)))
    }

    fn side_with_fewer_stones(&self) -> Color {
        let count = |cell| {
            self.points()
                .filter(|p| self.cells[p.index()] == cell)
                .count()
        };
        match count(Cell::Black) > count(Cell::White) {
            true => Color::White,
            false => Color::Black,
        }
    }

    fn board(&self) -> Board {
        let (width, height) = (self.width.into(), self.height.into());
        let mut board = Board::new(width, height).expect("the size of a board");
        for p in self.points() {
            match self.cells[p.index()] {
                Cell::Blocked => board.block(p),
                cell => drop(cell.color().map(|color| board.put(p, color))),
            }
        }
        board.set_side_to_move(self.side);
        board
    }
}
