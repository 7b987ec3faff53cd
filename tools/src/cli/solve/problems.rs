use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use super::super::interrupt::{self, stop_search_on_interrupt};
use super::super::progress_style::endless_bar;
use super::super::records::{joined, names_file, tell};
use super::{Args, Error, Output};
use indicatif::ProgressBar;
use tengen::rules::Rule;
use tengen::streams::eprint_line;
use tengen_games::problems::{GRADES, Kind, Lookalikes, Problem, ProblemMaker};
use tengen_games::records::RecordedGame;

const HEAD: &str = "\
# Problems made of games by 'tengen solve --make-problems': tactical cases, as
# bench_positions/README.md describes them. One move solves: the first of pv, or the one that defends. Tags: kind
# (fours, threats, defend; foul: a point is forbidden for Black), grade (1 to 5), quiet (moves of the
# winner that are no fours), plies (to the five to prevent).";

/// Prints the problems of all games that the arguments name, at most `most` of each rule. An error
/// or an interruption loses none.
pub(super) fn make(args: &Args, most: u32, out: &mut Output) -> Result<ExitCode, Error> {
    let interrupted = stop_search_on_interrupt(|| {})?;
    let is_stopped = || interrupted.load(Ordering::Relaxed);
    let mut collection = Collection {
        most,
        maker: ProblemMaker::new(u64::from(args.hash) << 20),
        rule: args.rule,
        games: 0,
        counts: HashMap::new(),
        lookalikes: Lookalikes::default(),
        problems: Vec::new(),
    };
    let bar = endless_bar(0, " games");
    let read = collection.add_all(args, &bar, &is_stopped);
    bar.finish_and_clear();
    collection.print(out)?;
    read?;
    Ok(interrupt::status(is_stopped()))
}

/// What problems are counted by: rule, kind and grade.
type Cell = (Rule, Kind, u8);

struct Collection {
    /// Most problems of a rule.
    most: u32,
    maker: ProblemMaker,
    /// The rule that the arguments name.
    rule: Option<Rule>,
    games: usize,
    counts: HashMap<Cell, u32>,
    lookalikes: Lookalikes,
    problems: Vec<Problem>,
}

impl Collection {
    fn add_all(
        &mut self,
        args: &Args,
        bar: &ProgressBar,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        if !args.positions.iter().any(|word| names_file(word)) {
            let game = args.extract.typed(&joined(&args.positions), &args.size)?;
            self.add_game(&game);
            return Ok(());
        }
        for word in &args.positions {
            let path = Path::new(word);
            let mut number = 0;
            let record = args.extract.each(path, &args.size, &mut |game, warnings| {
                if is_stopped() {
                    return ControlFlow::Break(());
                }
                number += 1;
                tell(path, &warnings);
                if args.extract.chooses(number) {
                    self.add_game(&game);
                    bar.inc(1);
                }
                ControlFlow::Continue(())
            })?;
            tell(path, &record.warnings);
        }
        Ok(())
    }

    /// Adds one problem of a game, as positions of one game look alike: of every other game the
    /// last, which is short, and of the others the last win by threats, or else the first problem.
    /// A win by threats is looked for from the end back as long as the side that moved last has
    /// one.
    fn add_game(&mut self, game: &RecordedGame) {
        let rule = self.rule.or_else(|| game.known_rule()).unwrap_or_default();
        let mut found = None;
        let takes_last = self.games % 2 == 1;
        let mut winner_has_threats = !takes_last;
        let last = game.moves.last().map(|made| made.color);
        self.games += 1;
        for place in (0..game.moves.len()).rev() {
            let board = game.position(place);
            let mut never = false;
            let tries_threats = match Some(board.side_to_move()) == last {
                true => &mut winner_has_threats,
                false => &mut never,
            };
            let (counts, most) = (&self.counts, self.most);
            let problem = self.maker.make(&board, rule, tries_threats, |problem| {
                is_wanted(counts, most, (rule, problem.kind, problem.grade))
            });
            let is_last = problem
                .as_ref()
                .is_some_and(|found| takes_last || found.kind == Kind::Threats);
            found = problem.or(found);
            if is_last {
                break;
            }
        }
        if let Some(problem) = found.filter(|problem| self.lookalikes.add(&problem.board)) {
            let cell = (rule, problem.kind, problem.grade);
            *self.counts.entry(cell).or_default() += 1;
            self.problems.push(problem);
        }
    }

    fn print(mut self, out: &mut Output) -> Result<(), Error> {
        self.problems
            .sort_by_key(|problem| (problem.kind, problem.grade, problem.nodes));
        writeln!(out, "{HEAD}")?;
        let mut numbers = [0; Kind::ALL.len()];
        for problem in &self.problems {
            let number = &mut numbers[problem.kind as usize];
            *number += 1;
            writeln!(out, "{}-{number}\t{problem}", problem.kind.name())?;
        }
        for kind in Kind::ALL {
            let of_grade = |grade: u8| {
                let all = self.problems.iter();
                all.filter(|problem| (problem.kind, problem.grade) == (kind, grade))
                    .count()
                    .to_string()
            };
            let counts: Vec<String> = (1..=GRADES).map(of_grade).collect();
            eprint_line(format_args!(
                "{} by grades: {}",
                kind.name(),
                counts.join(" ")
            ));
        }
        eprint_line(format_args!(
            "games: {}, problems: {}",
            self.games,
            self.problems.len()
        ));
        Ok(())
    }
}

/// True if another problem of the cell is wanted, with `most` of its rule.
fn is_wanted(counts: &HashMap<Cell, u32>, most: u32, cell: Cell) -> bool {
    let cells = Kind::ALL.len() as u32 * u32::from(GRADES);
    let of_rule = counts.iter().filter(|(known, _)| known.0 == cell.0);
    let all: u32 = of_rule.map(|(_, count)| count).sum();
    all < most
        && counts
            .get(&cell)
            .is_none_or(|&count| count < most.div_ceil(cells))
}
