//! `solve`: wins by force, and defences against them, in files of positions.

mod answer;
mod input;
mod problems;
mod solver;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::ProgressBar;

use super::interrupt::{self, stop_search_on_interrupt};
use super::output_file::{self, is_standard_output};
use super::progress_style::counting_bar;
use super::records::Extract;
use super::values::parse_board;
use super::{Error, Output, values};
use crate::arena::stats::quantile;
use answer::{Answer, Judgement};
use input::Puzzle;
use solver::Solver;
use tengen::board::Board;
use tengen::memory::has_room;
use tengen::rules::Rule;
use tengen::streams::eprint_line;
use tengen::threats::HelperPool;
use tengen_games::corpus::TacticCase;
use tengen_games::solver::{is_tree, tree};

/// Find wins by force and prove them
///
/// Prints one line for each position: id, verdict (vcf_win, vct_win, foul_win where Black comes to
/// have only forbidden moves, none, defend, no_threat, over or unknown), first move, plies to the
/// five (number of moves for a defence), positions visited, milliseconds of CPU time (of the
/// position's own thread), and the line, or all moves that defend; columns are separated by TABs.
/// After none a win with quiet moves may still exist, for which analyze looks. Then 'solved N of M,
/// wrong N, median ms, p90 ms, p99 ms'. The exit status is 1 if an answer contradicts what its file
/// states. After Ctrl-C these are the positions until then, and the status is 130.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Files in the formats of bench_positions/README.md (tactical cases, plain positions), files
    /// of games and books of problems in any format of docs/analysis.md, or moves
    #[arg(required = true, value_name = "FILE|MOVES")]
    positions: Vec<OsString>,
    /// Kind of win to look for; by default the kind stated by the file, otherwise a win by threats
    #[arg(long, value_enum, default_value_t = Mode::Auto)]
    mode: Mode,
    /// CPU time for a position, such as 500ms, 10s or 2m
    #[arg(long, value_name = "T", default_value = "10s", value_parser = values::time)]
    time: Duration,
    /// Positions solved at once; idle threads help with the hard searches by threats of the others
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,
    /// Replay every win against all replies; one that fails is wrong
    #[arg(long)]
    verify: bool,
    /// Of wins by fours, find one with the fewest
    #[arg(long)]
    shortest: bool,
    /// Write the proofs of all wins to this file, as games with variations (SGF); without a win no
    /// file is written; '-' is standard output, without the answers
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Print problems made of the games instead, at most N of each rule: positions in which exactly
    /// one move wins by force or defends, equally many of each kind (fours, threats, defend, foul)
    /// and grade
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
          conflicts_with_all = ["mode", "time", "threads", "verify", "shortest", "tree", "after"])]
    make_problems: Option<u32>,
    /// Rule of games and moves [default: what a game names, or freestyle]
    #[arg(long, value_name = "RULE", value_parser = values::rule(), hide_possible_values = true)]
    rule: Option<Rule>,
    /// Board size of moves
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    #[command(flatten)]
    extract: Extract,
}

const EXAMPLES: &str = "\
Examples:
  tengen solve bench_positions/vct.txt --time 1s --verify
  tengen solve --mode vcf --shortest --threads 2 bench_positions/vcf.txt
  tengen solve --rule renju --tree proof.sgf game.sgf
  tengen solve --make-problems 100 games.sgf > problems.txt
  tengen solve --rule renju h8 i9 i7 k6 f9 g6 i8 g10
  printf 'a | renju | 15 | h8 i9 i7 k6 f9 g6 i8 g10 | mine\\n' > p.txt; tengen solve p.txt";

/// The kind of win to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// The kind stated by the file, else a win by threats
    Auto,
    /// A win by continuous fours
    Vcf,
    /// A win by continuous fours or threats
    Vct,
    /// All moves after which the opponent has no win by fours (by threats, if he has none by fours)
    Defend,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if let Some(count) = args.make_problems {
        return problems::make(args, count, out);
    }
    let puzzles = input::read(args)?;
    if let Some(path) = &args.tree {
        output_file::check(path, is_tree)?;
    }
    let mut nothing = io::sink();
    let prints_tree = args.tree.as_deref().is_some_and(is_standard_output);
    let bytes = memory_per_position(args, puzzles.len());
    check_memory(args, bytes, puzzles.len())?;
    let interrupted = stop_search_on_interrupt(|| {})?;
    let is_broken = AtomicBool::new(false);
    let is_stopped = || interrupted.load(Ordering::Relaxed) || is_broken.load(Ordering::Relaxed);
    let bar = counting_bar(puzzles.len() as u64, 0, "");
    let answers = Mutex::new(InOrder {
        out: if prints_tree { &mut nothing } else { &mut *out },
        bar: &bar,
        waiting: BTreeMap::new(),
        next: 0,
        answers: Vec::new(),
        error: None,
    });
    let next = AtomicUsize::new(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.into())
        .build()
        .map_err(|error| Error::Failed(format!("threads: {error}")))?;
    let helpers = Arc::new(HelperPool::new(args.threads.into()));
    pool.broadcast(|_| {
        let guard = helpers.register();
        let mut solver = None;
        while let Some(puzzle) = puzzles.get(next.fetch_add(1, Ordering::Relaxed)) {
            let solver =
                solver.get_or_insert_with(|| Solver::new(args, bytes, &helpers, &is_stopped));
            let Some(answer) = solver.answer(puzzle) else {
                break;
            };
            let mut answers = answers.lock().expect("no thread panics while it prints");
            answers.add(puzzle, answer);
            is_broken.fetch_or(answers.error.is_some(), Ordering::Relaxed);
        }
        drop(solver);
        guard.help();
    });
    bar.finish_and_clear();
    let answers = answers
        .into_inner()
        .expect("no thread panics while it prints");
    let (list, answers, printed) = answers.finish();
    let was_interrupted = interrupted.load(Ordering::Relaxed);
    let printed = printed.and_then(|()| {
        if was_interrupted {
            let (known, all) = (answers.len(), puzzles.len());
            writeln!(list, "interrupted: {known} of {all} positions")?;
        }
        writeln!(list, "{}", summary(&answers))
    });
    // Neither a closed pipe nor a full disk loses the other result.
    if let Some(path) = &args.tree {
        write_tree(path, &puzzles, &answers, out)?;
    }
    printed?;
    let wrong = |answer: &Answer| matches!(answer.judgement, Judgement::Wrong(_));
    let is_wrong = answers.iter().any(|(_, answer)| wrong(answer));
    Ok(match is_wrong && !was_interrupted {
        true => ExitCode::FAILURE,
        false => interrupt::status(was_interrupted),
    })
}

/// Writes the proofs of all wins.
fn write_tree(
    path: &Path,
    puzzles: &[Puzzle],
    answers: &[(usize, Answer)],
    out: &mut Output,
) -> Result<(), Error> {
    let of = |(place, answer): &(usize, Answer)| {
        let puzzle = &puzzles[*place];
        let proof = answer.proof.as_ref()?;
        tree(&puzzle.board, puzzle.rule, &puzzle.id, proof, usize::MAX)
    };
    let text: String = answers.iter().filter_map(of).collect();
    if text.is_empty() {
        let path = path.display();
        eprint_line(format_args!("no win was proved: {path} is not written"));
        return Ok(());
    }
    output_file::write(path, is_tree, &text, out)
}

/// Number of positions solved at the same time.
fn at_once(args: &Args, positions: usize) -> u64 {
    positions.clamp(1, args.threads.into()) as u64
}

/// Checks that the system has room for the tables; otherwise memory may run out in the middle of
/// the work.
fn check_memory(args: &Args, bytes: u64, positions: usize) -> Result<(), Error> {
    let all = bytes * at_once(args, positions);
    match has_room(all) {
        true => Ok(()),
        false => Err(Error::Failed(format!(
            "--hash {}: the system has no room for {} MiB",
            args.hash,
            all >> 20
        ))),
    }
}

/// Bytes of the tables for a position being solved: the tables of all threads if there are fewer
/// positions than threads.
fn memory_per_position(args: &Args, positions: usize) -> u64 {
    (u64::from(args.hash) << 20) * u64::from(args.threads) / at_once(args, positions)
}

/// Solves positions with known answers one after the other, each within ten seconds of CPU time,
/// and checks the proofs of all wins. Returns the number of solved positions, and the ids of those
/// with a wrong answer.
pub(super) fn sample(cases: Vec<TacticCase>) -> (usize, Vec<String>) {
    let args = Args {
        positions: Vec::new(),
        mode: Mode::Auto,
        time: Duration::from_secs(10),
        threads: 1,
        hash: 32,
        verify: true,
        shortest: false,
        tree: None,
        make_problems: None,
        rule: None,
        size: Board::new(15, 15).expect("a supported size"),
        extract: Extract::default(),
    };
    let bytes = memory_per_position(&args, cases.len());
    let mut solver = Solver::new(&args, bytes, &Arc::new(HelperPool::new(1)), &|| false);
    let (mut solved, mut wrong) = (0, Vec::new());
    for (place, case) in cases.into_iter().enumerate() {
        let puzzle = Puzzle {
            place,
            id: case.id,
            rule: case.rule,
            board: case.board,
            claim: Some(case.claim),
        };
        match solver.answer(&puzzle).map(|answer| answer.judgement) {
            Some(Judgement::Solved) => solved += 1,
            Some(Judgement::Unsolved) | None => {}
            Some(Judgement::Wrong(_)) => wrong.push(puzzle.id),
        }
    }
    (solved, wrong)
}

/// Prints answers in the order of the positions; they come in any order.
struct InOrder<'a> {
    out: &'a mut Output,
    bar: &'a ProgressBar,
    /// Answers that wait for an earlier position, by place, with their text.
    waiting: BTreeMap<usize, (String, Answer)>,
    /// Place of the next answer to print.
    next: usize,
    /// The answers so far in order without a gap, with their places.
    answers: Vec<(usize, Answer)>,
    /// The error that ended the printing.
    error: Option<io::Error>,
}

impl<'a> InOrder<'a> {
    fn add(&mut self, puzzle: &Puzzle, answer: Answer) {
        self.bar.inc(1);
        let text = answer.text(puzzle);
        self.waiting.insert(puzzle.place, (text, answer));
        while let Some((text, answer)) = self.waiting.remove(&self.next) {
            self.print(self.next, &text, answer);
        }
    }

    fn print(&mut self, place: usize, text: &str, answer: Answer) {
        if self.error.is_none() {
            self.error = self.bar.suspend(|| writeln!(self.out, "{text}")).err();
        }
        self.answers.push((place, answer));
        self.next = place + 1;
    }

    /// Prints the answers that wait behind a stopped position. Returns all answers, and the result
    /// of the printing.
    fn finish(mut self) -> (&'a mut Output, Vec<(usize, Answer)>, io::Result<()>) {
        for (place, (text, answer)) in std::mem::take(&mut self.waiting) {
            self.print(place, &text, answer);
        }
        (self.out, self.answers, self.error.map_or(Ok(()), Err))
    }
}

fn summary(answers: &[(usize, Answer)]) -> String {
    let count = |wanted: fn(&Judgement) -> bool| {
        answers
            .iter()
            .filter(|(_, answer)| wanted(&answer.judgement))
            .count()
    };
    let solved = count(|judgement| matches!(judgement, Judgement::Solved));
    let wrong = count(|judgement| matches!(judgement, Judgement::Wrong(_)));
    let mut times: Vec<Duration> = answers.iter().map(|(_, answer)| answer.time).collect();
    times.sort_unstable();
    let part = |q| quantile(&times, q).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    format!(
        "solved {solved} of {}, wrong {wrong}, median {:.3} ms, p90 {:.3} ms, p99 {:.3} ms",
        answers.len(),
        part(0.5),
        part(0.9),
        part(0.99),
    )
}
