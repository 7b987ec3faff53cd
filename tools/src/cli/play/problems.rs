//! `play --problems`: problems to solve, line by line, with a rating.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use super::super::board_text;
use super::super::error::warn;
use super::super::{Error, Output};
use super::describe::capital;
use tengen::board::{Board, parse_moves};
use tengen::files::{any_kind, read_regular_file, write_file};
use tengen::position::Position;
use tengen::types::Point;
use tengen_games::corpus::{self, Case};
use tengen_games::problems::{GRADES, Judged, Kind, Problem, ProblemMaker, rating_after, suitable};

const PROBLEMS: &str = include_str!("../../../../bench_positions/problems.txt");
/// Memory of the solvers in bytes.
const MEMORY: u64 = 32 << 20;

const HELP: &str = "\
  h8                 your move
  next               another problem
  kind K             only problems of a kind: fours, threats, defend, foul; all
  grade N            only problems of a grade, 1 to 5; auto: by your rating
  fours-12           the problem of that name
  again              back to the first position
  hint               the column of the first move; then its row
  give up            shows the solution
  board              shows the board
  help               these words
  quit               the end";

/// The record of a user of a terminal.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    rating: i32,
    /// Problems solved in a row.
    streak: u32,
    /// Names of the solved problems.
    solved: BTreeSet<String>,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            rating: 1000,
            streak: 0,
            solved: BTreeSet::new(),
        }
    }
}

/// The state of the problem at hand.
struct Task {
    /// Place among all problems.
    place: usize,
    /// The position in which the user is to move.
    board: Board,
    last: Option<Point>,
    hints: u8,
    /// True once the first try has counted.
    is_counted: bool,
    is_over: bool,
}

struct Trainer<'a> {
    problems: Vec<(String, Problem)>,
    maker: ProblemMaker,
    kind: Option<Kind>,
    grade: Option<u8>,
    record: Record,
    /// The file of the record.
    file: Option<&'a Path>,
    task: Option<Task>,
}

/// Lets the user solve problems until the end of the input. With a terminal the record is kept in
/// `file`.
pub(super) fn run(file: Option<PathBuf>, out: &mut Output) -> Result<ExitCode, Error> {
    let is_terminal = io::stdin().is_terminal();
    let file = file.filter(|_| is_terminal);
    let mut trainer = Trainer {
        problems: problems()?,
        maker: ProblemMaker::new(MEMORY),
        kind: None,
        grade: None,
        record: file.as_deref().map(read_record).unwrap_or_default(),
        file: file.as_deref(),
        task: None,
    };
    writeln!(
        out,
        "{} problems; 'help' lists the words",
        trainer.problems.len()
    )?;
    if is_terminal {
        trainer.next(out)?;
    }
    let mut input = io::stdin().lock();
    loop {
        if is_terminal {
            write!(out, "> ")?;
        }
        out.flush()?;
        let mut bytes = Vec::new();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_ascii_lowercase();
        let line = line.split('#').next().unwrap_or_default().trim();
        if matches!(line, "quit" | "exit") {
            break;
        }
        if !line.is_empty() {
            trainer.line(line, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn problems() -> Result<Vec<(String, Problem)>, Error> {
    let cases = corpus::parse("bench_positions/problems.txt", PROBLEMS)?;
    let of = |case| match case {
        Case::Tactic(case) => Problem::of(&case).map(|problem| (case.id, problem)),
        _ => None,
    };
    Ok(cases.into_iter().filter_map(|line| of(line.case)).collect())
}

/// The record in a file; a new one where there is none that can be read.
fn read_record(path: &Path) -> Record {
    match read_regular_file(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
            warn(&format!(
                "{}: {error}; the rating begins anew",
                path.display()
            ));
            Record::default()
        }),
        Err(_) => Record::default(),
    }
}

impl Trainer<'_> {
    fn line(&mut self, line: &str, out: &mut Output) -> io::Result<()> {
        if let Some(place) = self.problems.iter().position(|(id, _)| id == line) {
            return self.open(place, false, out);
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["help" | "?"] => writeln!(out, "{HELP}"),
            ["next" | "n"] => self.next(out),
            ["kind", word] => {
                self.kind = Kind::named(word);
                match self.kind.is_some() || word == "all" {
                    true => self.next(out),
                    false => writeln!(out, "expected fours, threats, defend, foul or all"),
                }
            }
            ["grade", word] => {
                let grade = word.parse().ok();
                self.grade = grade.filter(|grade| (1..=GRADES).contains(grade));
                match self.grade.is_some() || word == "auto" {
                    true => self.next(out),
                    false => writeln!(out, "expected a grade from 1 to {GRADES}, or auto"),
                }
            }
            _ if self.task.is_none() => writeln!(out, "there is no problem yet: 'next' shows one"),
            ["board"] => self.show(out),
            ["again"] => {
                let task = self.task.as_ref();
                let (place, is_counted) = task.map_or((0, false), |t| (t.place, t.is_counted));
                self.open(place, is_counted, out)
            }
            ["hint"] => self.hint(out),
            ["give", "up"] | ["solution"] => self.give_up(out),
            _ => self.try_move(line, out),
        }
    }

    /// Another problem of the chosen kind and grade; without a grade of the one nearest to the
    /// rating.
    fn next(&mut self, out: &mut Output) -> io::Result<()> {
        let here = self.task.as_ref().map(|task| &self.problems[task.place].0);
        let record = &self.record;
        let is_left_out =
            |id: &str| here.is_some_and(|here| here == id) || record.solved.contains(id);
        let best = suitable(
            &self.problems,
            self.kind,
            self.grade,
            record.rating,
            is_left_out,
        );
        match best.choose(&mut rand::rng()) {
            Some(&place) => self.open(place, false, out),
            None => writeln!(out, "all problems of this choice are solved"),
        }
    }

    /// Begins a problem; `is_counted` after an earlier try.
    fn open(&mut self, place: usize, is_counted: bool, out: &mut Output) -> io::Result<()> {
        let (id, problem) = &self.problems[place];
        self.task = Some(Task {
            place,
            board: problem.board.clone(),
            last: None,
            hints: 0,
            is_counted,
            is_over: false,
        });
        writeln!(
            out,
            "{id}, grade {}, {}; your rating {}, {} solved in a row",
            problem.grade, problem.rule, self.record.rating, self.record.streak
        )?;
        self.show(out)
    }

    /// The board, and the task below it.
    fn show(&self, out: &mut Output) -> io::Result<()> {
        let Some(task) = &self.task else {
            return Ok(());
        };
        let problem = &self.problems[task.place].1;
        let forbidden: Vec<Point> = Position::new(&task.board, problem.rule)
            .forbidden_set(task.board.side_to_move())
            .iter()
            .collect();
        board_text::write(out, &task.board, task.last, &forbidden, &[])?;
        let side = capital(task.board.side_to_move());
        match problem.kind {
            Kind::Fours => writeln!(out, "{side} wins by fours"),
            Kind::Threats => writeln!(out, "{side} wins by threats"),
            Kind::Defend => writeln!(out, "{side} must defend: one move alone holds"),
            Kind::Foul => writeln!(
                out,
                "{side} wins by fours, because a point is forbidden for Black"
            ),
        }
    }

    fn try_move(&mut self, line: &str, out: &mut Output) -> io::Result<()> {
        let Some(task) = &mut self.task else {
            return Ok(());
        };
        if task.is_over {
            return writeln!(
                out,
                "the problem is over: 'next' shows another, 'again' the same"
            );
        }
        let problem = &self.problems[task.place].1;
        let (rule, side) = (problem.rule, task.board.side_to_move());
        let mut next = task.board.clone();
        if let Err(error) = parse_moves(&mut next, line) {
            return writeln!(out, "{error}; 'help' lists the words");
        }
        let [.., stone] = next.stones() else {
            return Ok(());
        };
        let p = stone.point;
        if next.stones().len() != task.board.stones().len() + 1 {
            return writeln!(out, "expected one move");
        }
        if Position::new(&task.board, rule).is_forbidden(side, p) {
            return writeln!(out, "this point is forbidden");
        }
        let height = next.height();
        let is_first = task.board.stones().len() == problem.board.stones().len();
        let is_solution = p == problem.first_move();
        let judged = match self.maker.judge(&task.board, rule, problem.kind, p) {
            // Proved within the limits that the command for making problems states.
            Judged::GoesOn(reply) if is_first && !is_solution => Judged::Fails(vec![reply]),
            judged => judged,
        };
        match judged {
            Judged::Solved => {
                task.is_over = true;
                writeln!(out, "{} solves it", p.label(height))?;
                self.count(true);
            }
            Judged::GoesOn(reply) => {
                next.play(reply);
                task.board = next;
                task.last = Some(reply);
                writeln!(
                    out,
                    "{} is right; the reply is {}",
                    p.label(height),
                    reply.label(height)
                )?;
                return self.show(out);
            }
            Judged::Fails(line) => {
                let labels: Vec<String> = line.iter().map(|p| p.label(height)).collect();
                match labels.is_empty() {
                    true => writeln!(out, "{} threatens nothing", p.label(height))?,
                    false => writeln!(out, "{} fails to {}", p.label(height), labels.join(" "))?,
                }
                self.count(false);
            }
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut Output) -> io::Result<()> {
        let Some(task) = &mut self.task else {
            return Ok(());
        };
        let problem = &self.problems[task.place].1;
        let label = problem.first_move().label(problem.board.height());
        let (column, row) = label.split_at(1);
        task.hints += 1;
        match task.hints {
            1 => writeln!(out, "hint: the first move stands in column {column}")?,
            _ => writeln!(
                out,
                "hint: the first move stands in column {column}, row {row}"
            )?,
        }
        self.count(false);
        Ok(())
    }

    fn give_up(&mut self, out: &mut Output) -> io::Result<()> {
        let Some(task) = &mut self.task else {
            return Ok(());
        };
        task.is_over = true;
        let problem = &self.problems[task.place].1;
        let height = problem.board.height();
        let labels: Vec<String> = problem.line.iter().map(|p| p.label(height)).collect();
        writeln!(out, "the solution: {}", labels.join(" "))?;
        self.count(false);
        Ok(())
    }

    /// Counts the first try of a problem for streak and rating.
    fn count(&mut self, is_solved: bool) {
        let Some(task) = &mut self.task else {
            return;
        };
        let (id, problem) = &self.problems[task.place];
        let is_new = !std::mem::replace(&mut task.is_counted, true);
        if is_new {
            self.record.rating = rating_after(self.record.rating, problem.grade, is_solved);
            self.record.streak = if is_solved { self.record.streak + 1 } else { 0 };
        }
        if is_solved {
            self.record.solved.insert(id.clone());
        }
        if let Some(file) = self.file {
            let kept = file
                .parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| {
                    let text = serde_json::to_vec(&self.record).map_err(io::Error::other)?;
                    write_file(file, any_kind, |out| out.write_all(&text))
                });
            if let Err(error) = kept {
                warn(&format!("{}: {error}", file.display()));
            }
        }
    }
}
