//! Problems for players: positions of games in which exactly one move solves, with grades.

use std::fmt::{Display, Formatter};

use tengen::board::{Board, size_text};
use tengen::patterns::Class;
use tengen::position::Position;
use tengen::rules::{Rule, winner, winning_points};
use tengen::threats::{Defences, Proof, SolveLimits, Vcf, VcfResult, Vct, VctResult};
use tengen::types::{Color, Point, PointSet, Symmetry};

use crate::corpus::{Claim, TacticCase};
use crate::solver::{Means, Outcome, Solver};

/// The task that a problem sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The side to move wins by fours, and no other four wins so.
    Fours,
    /// The side to move has no win by fours but one by threats, and no other threat wins.
    Threats,
    /// One move alone leaves the opponent without a win by fours; after it none by threats is
    /// found.
    Defend,
    /// White wins by fours in renju as in [`Kind::Fours`], but would not if Black had no forbidden
    /// points.
    Foul,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Fours, Kind::Threats, Kind::Defend, Kind::Foul];

    /// The name of the kind in files and commands.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fours => "fours",
            Kind::Threats => "threats",
            Kind::Defend => "defend",
            Kind::Foul => "foul",
        }
    }

    /// The kind of that [`name`](Kind::name).
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Number of grades; the easiest is 1.
pub const GRADES: u8 = 5;

/// A problem with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The task.
    pub kind: Kind,
    /// 1 to [`GRADES`].
    pub grade: u8,
    /// Rule set.
    pub rule: Rule,
    /// The position.
    pub board: Board,
    /// Plies to the five: of the win, or of the threat to defend against.
    pub plies: u32,
    /// The solution: the win as far as fours and threats force it, or the one defence.
    pub line: Vec<Point>,
    /// Moves of the winner in the line that are no fours.
    pub quiet: u32,
    /// Positions searched to find the solution.
    pub nodes: u64,
}

/// The rating of problems of a grade, on Elo's scale: 400 points are odds of ten to one.
pub fn rating_of(grade: u8) -> i32 {
    500 + 300 * i32::from(grade)
}

/// The rating of a player after a problem of a grade.
pub fn rating_after(rating: i32, grade: u8, is_solved: bool) -> i32 {
    /// Points by which one result changes a rating at most.
    const FACTOR: f64 = 32.0;
    let odds = 10f64.powf(f64::from(rating_of(grade) - rating) / 400.0);
    let expected = 1.0 / (1.0 + odds);
    rating + (FACTOR * (f64::from(u8::from(is_solved)) - expected)).round() as i32
}

/// Places of the problems that suit a player: of the kind and grade, without a grade of the one
/// nearest to the rating. Those whose names `is_left_out` knows do not count.
pub fn suitable(
    problems: &[(String, Problem)],
    kind: Option<Kind>,
    grade: Option<u8>,
    rating: i32,
    is_left_out: impl Fn(&str) -> bool,
) -> Vec<usize> {
    let is_open = |&place: &usize| {
        let (id, problem) = &problems[place];
        kind.is_none_or(|kind| kind == problem.kind)
            && grade.is_none_or(|grade| grade == problem.grade)
            && !is_left_out(id)
    };
    let distance = |&place: &usize| (rating_of(problems[place].1.grade) - rating).abs();
    let open: Vec<usize> = (0..problems.len()).filter(is_open).collect();
    let nearest = open.iter().map(distance).min();
    open.into_iter()
        .filter(|place| Some(distance(place)) == nearest)
        .collect()
}

/// The judgement of a move in a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The problem is solved: the five is made or cannot be stopped, or the threat is parried.
    Solved,
    /// The win goes on after this reply, the longest defence.
    GoesOn(Point),
    /// The move fails: the refutation by the opponent, empty where no answer is needed.
    Fails(Vec<Point>),
}

/// Most positions of a search by fours. Searches for problems have no other limit, so that a
/// problem does not depend on a machine.
const FOUR_NODES: u64 = 200_000;
/// Most positions of a search by threats.
const THREAT_NODES: u64 = 1_500;
/// Fewest stones of a position.
const MIN_STONES: usize = 7;
/// Fewest fours of a win by fours: one alone makes two fours or a straight four at once.
const MIN_FOURS: u32 = 2;
/// Fewest plies of a win by threats: an open three that nothing stops takes five.
const MIN_THREAT_PLIES: u32 = 7;
/// Stones in which two problems differ at least, in whatever direction one looks at them.
const MIN_DIFFERENCE: usize = 8;

impl Problem {
    /// The problem of a line that [`Display`] wrote; `None` for other cases.
    pub fn of(case: &TacticCase) -> Option<Problem> {
        let tag = |name| {
            let mut tags = case.tags.split(';');
            tags.find_map(|tag| tag.strip_prefix(name)?.strip_prefix('='))
        };
        let (plies, line) = match &case.claim {
            Claim::VcfWin { fours, .. } => (2 * fours + 1, case.line.clone()),
            Claim::VctWin { plies } => ((*plies)?, case.line.clone()),
            Claim::Defend(moves) => (tag("plies")?.parse().ok()?, moves.clone()),
            Claim::VcfNone => return None,
        };
        let grade = tag("grade")?.parse().ok()?;
        if line.is_empty() || !(1..=GRADES).contains(&grade) {
            return None;
        }
        Some(Problem {
            kind: Kind::named(tag("kind")?)?,
            grade,
            rule: case.rule,
            board: case.board.clone(),
            plies,
            line,
            quiet: tag("quiet")?.parse().ok()?,
            nodes: case.difficulty.strip_prefix("nodes=")?.parse().ok()?,
        })
    }

    /// The only move that solves.
    pub fn first_move(&self) -> Point {
        self.line[0]
    }

    /// Sets the grade by length, moves that are no fours, and work of the solver: each doubling of
    /// the last counts as half a move. The bounds are chosen so that self-play gives problems of
    /// all grades.
    fn graded(mut self, bounds: [u32; GRADES as usize - 1]) -> Problem {
        let halves = self.plies - 1 + 4 * self.quiet + self.nodes.max(1).ilog2();
        self.grade = 1 + bounds.iter().filter(|&&bound| halves >= bound).count() as u8;
        self
    }
}

/// A tactical case of `bench_positions/README.md` on one line, without an id.
impl Display for Problem {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        let list = |points: &mut dyn Iterator<Item = Point>| {
            let texts: Vec<String> = points.map(|p| p.to_string()).collect();
            texts.join(" ")
        };
        let stones = |color| list(&mut self.board.stones_of(color));
        let line = list(&mut self.line.iter().copied());
        let size = size_text(&self.board);
        let side = match self.board.side_to_move() {
            Color::Black => 'b',
            Color::White => 'w',
        };
        let (black, white) = (stones(Color::Black), stones(Color::White));
        let (rule, plies) = (self.rule, self.plies);
        write!(f, "{rule}\t{size}\t{side}\t{black}\t{white}\t")?;
        match self.kind {
            Kind::Fours | Kind::Foul => write!(f, "vcf_win {}", (plies - 1) / 2)?,
            Kind::Threats => write!(f, "vct_win <={plies}")?,
            Kind::Defend => write!(f, "defend {line}")?,
        }
        let (kind, grade, quiet) = (self.kind.name(), self.grade, self.quiet);
        let nodes = self.nodes;
        write!(
            f,
            "\ttengen\tnodes={nodes}\tkind={kind};grade={grade};quiet={quiet}"
        )?;
        match self.kind {
            Kind::Defend => write!(f, ";plies={plies}"),
            _ => write!(f, ";pv={line}"),
        }
    }
}

/// Makes problems out of positions.
pub struct ProblemMaker {
    solver: Solver,
}

fn within(nodes: u64) -> SolveLimits<'static> {
    SolveLimits {
        nodes,
        stop: &|_| false,
    }
}

impl ProblemMaker {
    /// A maker whose solvers take about `bytes` of memory.
    pub fn new(bytes: u64) -> ProblemMaker {
        let fours = (bytes / 4 / 8).max(1).ilog2().clamp(10, 18);
        let threats = (bytes / 2 / 96).max(1).ilog2().clamp(8, 14);
        ProblemMaker {
            solver: Solver::new(Vcf::new(fours), Vct::new(threats), true),
        }
    }

    /// The problem that a position sets; `None` without one, for an easy one, and for one without a
    /// proof within the limits. Looks for a win by threats only if `tries_threats`, and clears this
    /// flag where there is none. `is_wanted` is asked before the proof of the only move, because this
    /// proof takes most of the time.
    pub fn make(
        &mut self,
        board: &Board,
        rule: Rule,
        tries_threats: &mut bool,
        is_wanted: impl Fn(&Problem) -> bool,
    ) -> Option<Problem> {
        let mut position = Position::new(board, rule);
        let side = board.side_to_move();
        let is_quiet = [Color::Black, Color::White]
            .iter()
            .all(|&color| winning_points(board, rule, color).is_empty());
        if board.stones().len() < MIN_STONES || winner(board, rule).is_some() || !is_quiet {
            return None;
        }
        // What one position leaves in the tables must not change the next.
        self.solver.forget();
        let problem = match self.solve(&mut position, Means::Fours, FOUR_NODES) {
            Outcome::WinByFours { plies } if plies > 2 * MIN_FOURS => {
                let line = self.solver.fours().line();
                let nodes = self.solver.nodes();
                self.proof(&mut position)?;
                let is_foul = rule.restricts(!side) && !self.wins_without_fouls(board);
                let kind = if is_foul { Kind::Foul } else { Kind::Fours };
                Problem {
                    kind,
                    grade: 0,
                    rule,
                    board: board.clone(),
                    plies,
                    line,
                    quiet: 0,
                    nodes,
                }
                .graded([6, 8, 9, 12])
            }
            Outcome::None => {
                let defence = self.defence(&mut position);
                if defence.is_some() || !*tries_threats {
                    return defence.filter(is_wanted);
                }
                *tries_threats = self.solve(&mut position, Means::Threats, THREAT_NODES)
                    == Outcome::WinByThreats;
                self.win_by_threats(&mut position)?
            }
            _ => return None,
        };
        let is_unique = is_wanted(&problem)
            && match problem.kind {
                Kind::Threats => self.no_other_threat_wins(&mut position, &problem.line),
                _ => self.no_other_four_wins(&mut position, problem.first_move()),
            };
        is_unique.then_some(problem)
    }

    /// Judges a free, allowed point as the move of the side to move. The first move of a problem is
    /// to be compared with its solution as well: another may win by longer searches than those of
    /// [`make`](ProblemMaker::make).
    pub fn judge(&mut self, board: &Board, rule: Rule, kind: Kind, p: Point) -> Judged {
        let mut position = Position::new(board, rule);
        let side = board.side_to_move();
        if position.class(side, p) == Class::Five {
            return Judged::Solved;
        }
        self.solver.forget();
        position.play(p);
        if let Some(five) = position.set(!side, Class::Five).first() {
            return Judged::Fails(vec![five]);
        }
        if kind == Kind::Defend {
            return match self.solve(&mut position, Means::Fours, FOUR_NODES) {
                Outcome::WinByFours { .. } => Judged::Fails(self.solver.fours().line()),
                _ => Judged::Solved,
            };
        }
        let fives = *position.set(side, Class::Five);
        let replies: Vec<Point> = if fives.is_empty() {
            let fours = self.solver.fours();
            let defences = fours.defences(&mut position, FOUR_NODES, 100 * FOUR_NODES);
            match defences {
                Defences::Exactly(moves) if moves.is_empty() => {
                    position.candidates().iter().collect()
                }
                Defences::Exactly(moves) if kind == Kind::Threats => moves.iter().collect(),
                Defences::Exactly(moves) | Defences::Among(moves) => {
                    return Judged::Fails(moves.iter().take(1).collect());
                }
                Defences::Any | Defences::Unknown => return Judged::Fails(Vec::new()),
            }
        } else {
            fives.iter().collect()
        };
        let means = match kind {
            Kind::Threats => Means::FoursThenThreats,
            _ => Means::Fours,
        };
        let mut longest = None;
        for reply in replies {
            if position.is_forbidden(!side, reply) {
                continue;
            }
            position.play(reply);
            let plies = self.plies_of_win(&mut position, means);
            position.undo();
            match plies {
                None => return Judged::Fails(vec![reply]),
                Some(plies) => longest = longest.max(Some((plies, reply))),
            }
        }
        match longest {
            Some((plies, reply)) if plies > 1 => Judged::GoesOn(reply),
            _ => Judged::Solved,
        }
    }

    /// Plies to the five of the side to move; `None` without a win by `means`.
    fn plies_of_win(&mut self, position: &mut Position, means: Means) -> Option<u32> {
        match self.solve(position, means, 10 * FOUR_NODES) {
            Outcome::WinByFours { plies } => Some(plies),
            Outcome::WinByThreats => {
                let proof = self.proof(position)?;
                Some(proof.step(proof.root()?).plies)
            }
            Outcome::None | Outcome::Unknown => None,
        }
    }

    fn solve(&mut self, position: &mut Position, means: Means, nodes: u64) -> Outcome {
        let limits = within(nodes);
        self.solver.solve(position, means, limits, limits)
    }

    /// The proof of the win just found, checked by the rules.
    fn proof(&mut self, position: &mut Position) -> Option<Proof> {
        let proof = self.solver.prove(position, &|_| false, 1 << 14)?;
        proof
            .check(position.board(), position.rule())
            .ok()
            .map(|()| proof)
    }

    /// True if the side to move, White in renju, would win by fours against a Black without fouls.
    fn wins_without_fouls(&mut self, board: &Board) -> bool {
        let position = Position::new(board, Rule::Freestyle);
        let fours = self.solver.fours();
        fours.forget();
        let found = fours.solve(&position, FOUR_NODES);
        fours.forget();
        found != VcfResult::None
    }

    /// The problem of the win by threats just found, without the proof that no other move wins.
    fn win_by_threats(&mut self, position: &mut Position) -> Option<Problem> {
        let nodes = self.solver.nodes();
        let proof = self.proof(position)?;
        let plies = proof.step(proof.root()?).plies;
        let line = proof.line();
        let quiet = quiet_moves(position.board(), position.rule(), &line);
        (plies >= MIN_THREAT_PLIES && quiet > 0).then(|| {
            Problem {
                kind: Kind::Threats,
                grade: 0,
                rule: position.rule(),
                board: position.board().clone(),
                plies,
                line,
                quiet,
                nodes,
            }
            .graded([30, 38, 47, 56])
        })
    }

    /// The problem of the only defence, if the opponent threatens to win by fours and there is just
    /// one.
    fn defence(&mut self, position: &mut Position) -> Option<Problem> {
        let fours = self.solver.fours();
        position.pass();
        let threat = fours.solve_shortest(position, FOUR_NODES);
        position.pass();
        let VcfResult::Win { plies } = threat else {
            return None;
        };
        let Defences::Exactly(moves) = fours.defences(position, FOUR_NODES, 100 * FOUR_NODES)
        else {
            return None;
        };
        let nodes = fours.nodes();
        let only = moves.first().filter(|_| moves.len() == 1)?;
        position.play(only);
        // The opponent may have to block a four, and so find a new one.
        let holds = self.solve(position, Means::Threats, THREAT_NODES) != Outcome::WinByThreats;
        position.undo();
        holds.then(|| {
            Problem {
                kind: Kind::Defend,
                grade: 0,
                rule: position.rule(),
                board: position.board().clone(),
                plies,
                line: vec![only],
                quiet: 0,
                nodes,
            }
            .graded([5, 7, 8, 10])
        })
    }

    /// True if no four but `first` begins a win by fours: all are searched to the end.
    fn no_other_four_wins(&mut self, position: &mut Position, first: Point) -> bool {
        let side = position.side_to_move();
        let fours = position.four_cells(side);
        (&fours).into_iter().all(|p| {
            if p == first || position.is_forbidden(side, p) {
                return true;
            }
            position.play(p);
            let wins = self.four_wins(position);
            position.undo();
            !wins
        })
    }

    /// True if the four just played may lead to a win by fours, whatever the reply.
    fn four_wins(&mut self, position: &mut Position) -> bool {
        let attacker = !position.side_to_move();
        let fives = *position.set(attacker, Class::Five);
        (&fives).into_iter().all(|reply| {
            if position.is_forbidden(!attacker, reply) {
                return true;
            }
            // Another five is left.
            if fives.len() > 1 && !position.fives_can_be_blocked() {
                return true;
            }
            position.play(reply);
            let found = self.solver.fours().solve(position, FOUR_NODES);
            position.undo();
            found != VcfResult::None
        })
    }

    /// True if after each threat but `first` some reply leaves no win by threats. A threat is a
    /// move after which the side would win by fours if the opponent passed.
    fn no_other_threat_wins(&mut self, position: &mut Position, line: &[Point]) -> bool {
        let side = position.side_to_move();
        let free = position.free_set();
        // The later moves of the win, which may come first as well, refute most candidates at once.
        let later = line.iter().skip(2).step_by(2).copied();
        let first = line[0];
        later.chain(&free).all(|p| {
            if p == first || position.is_forbidden(side, p) {
                return true;
            }
            position.play(p);
            let is_refuted = self.is_refuted(position);
            position.undo();
            is_refuted
        })
    }

    /// True if the side to move has a reply after which the opponent has no win by threats.
    fn is_refuted(&mut self, position: &mut Position) -> bool {
        let fours = self.solver.fours();
        match fours.defences(position, FOUR_NODES, 100 * FOUR_NODES) {
            Defences::Any => true,
            Defences::Exactly(replies) => (&replies).into_iter().any(|reply| {
                let side = position.side_to_move();
                if position.class(side, reply) == Class::Five {
                    return true;
                }
                position.play(reply);
                let limits = within(THREAT_NODES);
                let found = self.solver.threats().solve(position, limits);
                position.undo();
                found == VctResult::None
            }),
            Defences::Among(_) | Defences::Unknown => false,
        }
    }
}

/// Number of moves in `line` after which the beginning side has no five to make; its own moves alone.
fn quiet_moves(board: &Board, rule: Rule, line: &[Point]) -> u32 {
    let mut board = board.clone();
    let side = board.side_to_move();
    let mut count = 0;
    for &p in line {
        let mover = board.side_to_move();
        board.play(p);
        let is_quiet = mover == side
            && !tengen::rules::wins_at(&board, rule, p)
            && winning_points(&board, rule, side).is_empty();
        count += u32::from(is_quiet);
    }
    count
}

/// The boards of the problems so far, to find similar ones.
#[derive(Default)]
pub struct Lookalikes {
    /// The stones by colour, black first, of each board, as they are.
    known: Vec<(u8, u8, [PointSet; 2])>,
}

impl Lookalikes {
    /// Adds a board, unless it differs from another in fewer than eight stones, also turned
    /// or mirrored. False if it does.
    pub fn add(&mut self, board: &Board) -> bool {
        let (width, height) = (board.width(), board.height());
        let images = (0..Symmetry::count(width, height)).map(|number| {
            let turned = board.turned(Symmetry::new(number));
            (turned.width(), turned.height(), stones(&turned))
        });
        let is_like = |image: &(u8, u8, [PointSet; 2])| {
            let mut same = self.known.iter();
            same.any(|known| {
                (known.0, known.1) == (image.0, image.1)
                    && distance(&known.2, &image.2) < MIN_DIFFERENCE
            })
        };
        let is_new = !images.into_iter().any(|image| is_like(&image));
        if is_new {
            self.known.push((width, height, stones(board)));
        }
        is_new
    }
}

fn stones(board: &Board) -> [PointSet; 2] {
    Color::BOTH.map(|color| board.stones_of(color).collect())
}

fn distance(a: &[PointSet; 2], b: &[PointSet; 2]) -> usize {
    let of = |i: usize| a[i].difference(&b[i]).len() + b[i].difference(&a[i]).len();
    of(0) + of(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{self, Case};
    use crate::held;
    use tengen::rules::foul;

    fn shipped() -> Vec<Problem> {
        let folder = env!("CARGO_MANIFEST_DIR");
        let path = format!("{folder}/../../bench_positions/problems.txt");
        let cases = corpus::read(path.as_ref()).unwrap();
        let cases = cases.into_iter().map(|line| match line.case {
            Case::Tactic(case) => case,
            other => panic!("{other:?}"),
        });
        cases.map(|case| Problem::of(&case).unwrap()).collect()
    }

    fn is_allowed(board: &Board, rule: Rule, p: Point) -> bool {
        !rule.restricts(board.side_to_move()) || foul(board, p).is_none()
    }

    fn wins_by_fours(board: &Board, rule: Rule) -> bool {
        let mut vcf = Vcf::new(16);
        let found = vcf.solve(&Position::new(board, rule), FOUR_NODES);
        assert_ne!(found, VcfResult::Unknown);
        found != VcfResult::None
    }

    #[test]
    fn the_problems_are_many_and_unlike_each_other() {
        let problems = shipped();
        assert!(problems.len() >= 190, "{}", problems.len());
        let mut counts = std::collections::HashMap::new();
        for problem in &problems {
            *counts.entry((problem.kind, problem.grade)).or_insert(0) += 1;
        }
        for kind in Kind::ALL {
            let of_kind = (1..=GRADES).filter_map(|grade| counts.get(&(kind, grade)));
            let least = if kind == Kind::Foul { 5 } else { 50 };
            assert!(of_kind.sum::<u32>() >= least, "{counts:?}");
            let has_all = (1..=GRADES).all(|grade| counts.contains_key(&(kind, grade)));
            assert!(has_all || kind == Kind::Foul, "{counts:?}");
        }
        let mut lookalikes = Lookalikes::default();
        let turned = |board: &Board| board.turned(Symmetry::new(5));
        assert!(
            problems
                .iter()
                .all(|problem| lookalikes.add(&problem.board))
        );
        assert!(
            !problems
                .iter()
                .any(|problem| lookalikes.add(&turned(&problem.board)))
        );
    }

    #[test]
    fn a_problem_is_read_as_it_was_written() {
        for problem in shipped().iter().step_by(7) {
            let line = format!("id\t{problem}");
            let Ok(Case::Tactic(case)) = corpus::parse_line(&line) else {
                panic!("{line}");
            };
            assert_eq!(Problem::of(&case).as_ref(), Some(problem));
        }
    }

    #[test]
    fn shipped_problems_are_made_again_of_their_positions() {
        let mut maker = ProblemMaker::new(32 << 20);
        for problem in shipped().iter().step_by(9) {
            let made = maker.make(&problem.board, problem.rule, &mut true, |_| true);
            assert_eq!(made.as_ref(), Some(problem));
        }
    }

    /// As the rules have it: every four of the board with its one reply, and every move of a
    /// defence.
    #[test]
    fn no_other_move_solves() {
        for problem in shipped().iter().step_by(5) {
            let (board, rule) = (&problem.board, problem.rule);
            let side = board.side_to_move();
            let others = board.empty_points().filter(|&p| p != problem.first_move());
            for p in others.filter(|&p| is_allowed(board, rule, p)) {
                let mut next = board.clone();
                next.play(p);
                if problem.kind == Kind::Defend {
                    assert!(wins_by_fours(&next, rule), "{problem} {p}");
                } else if problem.kind != Kind::Threats {
                    let fives = winning_points(&next, rule, side);
                    let [reply] = fives[..] else {
                        assert!(fives.is_empty(), "{problem} {p}");
                        continue;
                    };
                    assert!(is_allowed(&next, rule, reply), "{problem} {p}");
                    next.play(reply);
                    assert!(!wins_by_fours(&next, rule), "{problem} {p}");
                }
            }
        }
    }

    #[test]
    fn moves_are_judged_as_the_solution_has_them() {
        let mut maker = ProblemMaker::new(8 << 20);
        for problem in shipped().iter().step_by(11) {
            let (mut board, rule, kind) = (problem.board.clone(), problem.rule, problem.kind);
            let mut moves = problem.line.iter().step_by(2);
            let mut next = moves.next().copied();
            loop {
                let p = next.take().expect("a move of the solution");
                match maker.judge(&board, rule, kind, p) {
                    Judged::Solved => break,
                    Judged::GoesOn(reply) => {
                        board.play(p);
                        board.play(reply);
                        let mut position = Position::new(&board, rule);
                        maker.solver.forget();
                        let won = maker.solve(&mut position, Means::FoursThenThreats, FOUR_NODES);
                        next = match won {
                            Outcome::WinByFours { .. } => maker.solver.fours().first_move(),
                            Outcome::WinByThreats => {
                                maker.proof(&mut position).map(|proof| proof.line()[0])
                            }
                            other => panic!("{problem}: {other:?} after {p} {reply}"),
                        };
                    }
                    Judged::Fails(line) => panic!("{problem}: {p} fails to {line:?}"),
                }
            }
            let corner = problem.board.empty_points().next().unwrap();
            if kind != Kind::Threats && corner != problem.first_move() {
                let judged = maker.judge(&problem.board, rule, kind, corner);
                assert!(matches!(judged, Judged::Fails(_)), "{problem} {corner}");
            }
        }
    }

    /// The page's tests read this table too.
    #[test]
    fn problems_choices_and_ratings_are_those_of_the_table() {
        const TABLE: &str = include_str!("../../../tests/cases/problems.txt");
        let read = |text: &str| -> Vec<(String, Problem)> {
            let cases = text.lines().filter(|line| !line.starts_with('#'));
            let of = |line: &str| match corpus::parse_line(line) {
                Ok(Case::Tactic(case)) => Problem::of(&case).map(|problem| (case.id, problem)),
                _ => None,
            };
            cases.filter_map(of).collect()
        };
        let column = |line: &str| line.replace('⇥', "\t");
        let lines = TABLE
            .lines()
            .filter_map(|line| line.strip_prefix("line\t")?.split('\t').next());
        let known = read(&lines.map(|line| column(line) + "\n").collect::<String>());
        held::assert_answers("tests/cases/problems.txt", 2, |columns| {
            let [what, question] = columns[..] else {
                panic!("{columns:?}");
            };
            let words: Vec<&str> = question.split(' ').collect();
            match (what, &words[..]) {
                ("line", _) => match &read(&column(question))[..] {
                    [(_, problem)] => in_words(problem),
                    _ => "none".into(),
                },
                ("next", [kind, grade, rating, solved]) => {
                    let grade = Some(grade.parse().unwrap()).filter(|&grade| grade > 0);
                    let solved: Vec<&str> = solved.split(',').collect();
                    let rating = rating.parse().unwrap();
                    let kind = Kind::named(kind);
                    let places = suitable(&known, kind, grade, rating, |id| solved.contains(&id));
                    let ids: Vec<&str> = places.iter().map(|&i| known[i].0.as_str()).collect();
                    ids.join(" ")
                }
                ("rating", [rating, grade, result]) => {
                    let (rating, grade) = (rating.parse().unwrap(), grade.parse().unwrap());
                    rating_after(rating, grade, *result == "solved").to_string()
                }
                ("file", _) => {
                    let problems = shipped();
                    let counts = Kind::ALL.map(|kind| {
                        let of = |grade| {
                            let is_of = |p: &&Problem| p.kind == kind && p.grade == grade;
                            problems.iter().filter(is_of).count().to_string()
                        };
                        let counts: Vec<String> = (1..=GRADES).map(of).collect();
                        format!("{} {}", kind.name(), counts.join(" "))
                    });
                    let stones: usize = problems.iter().map(|p| p.board.stones().len()).sum();
                    let moves: usize = problems.iter().map(|p| p.line.len()).sum();
                    format!("{}, stones {stones}, moves {moves}", counts.join(", "))
                }
                _ => panic!("{columns:?}"),
            }
        });
    }

    /// `fours 1, renju, 15x15, white to move, black ..., white ..., line ...`.
    fn in_words(problem: &Problem) -> String {
        let height = problem.board.height();
        let labels = |points: &mut dyn Iterator<Item = Point>| -> Vec<String> {
            points.map(|p| p.label(height)).collect()
        };
        let stones = |color| {
            let mut labels = labels(&mut problem.board.stones_of(color));
            labels.sort();
            labels.join(" ")
        };
        let Problem {
            kind, grade, rule, ..
        } = problem;
        let (width, side) = (problem.board.width(), problem.board.side_to_move());
        let side = match side {
            Color::Black => "black",
            Color::White => "white",
        };
        format!(
            "{} {grade}, {rule}, {width}x{height}, {side} to move, black {}, white {}, line {}",
            kind.name(),
            stones(Color::Black),
            stones(Color::White),
            labels(&mut problem.line.iter().copied()).join(" ")
        )
    }

    #[test]
    fn ratings_follow_elos_formula() {
        assert_eq!(rating_after(rating_of(2), 2, true), rating_of(2) + 16);
        assert_eq!(rating_after(rating_of(2), 2, false), rating_of(2) - 16);
        assert_eq!(
            rating_after(rating_of(2) + 400, 2, true),
            rating_of(2) + 403
        );
    }
}
