//! The journal of a tuning: its terms, then one line for every iteration. The values follow from
//! the scores alone, so an interrupted tuning goes on as if there had been no interruption.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Knob, Plan, Spsa, Trial};
use crate::arena::json_lines::{FoundOpenings, JournalError, JsonLines, Numbered};
use crate::arena::stats::ScoreCounts;

/// The terms that two runs of the same tuning share. The number of games at once may differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningTerms {
    /// Version of the program that began the journal; another may go on with it.
    pub version: String,
    /// The tuned parameters.
    pub knobs: Vec<Knob>,
    /// Length, boldness and seed.
    pub plan: Plan,
    /// Pairs of games in an iteration.
    pub pairs: u64,
    /// Settings of both engines.
    pub each: Vec<String>,
    /// Rule, board and openings of the iterations in turn.
    pub stages: Vec<String>,
    /// Options of the judge and of early endings.
    pub judge: String,
}

/// An iteration that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub number: u64,
    /// The two versions that played.
    #[serde(flatten)]
    pub trial: Trial,
    /// Results of `plus`.
    pub result: ScoreCounts,
    /// The values after it.
    pub values: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum TuningLine {
    Tuning(TuningTerms),
    Openings(FoundOpenings),
    Iteration(Iteration),
}

/// A tuning in progress, kept in a journal.
pub struct Tuning {
    spsa: Spsa,
    journal: JsonLines,
}

impl Tuning {
    /// Begins a tuning.
    ///
    /// # Errors
    /// When the journal exists or cannot be written.
    pub fn create(
        path: &Path,
        terms: &TuningTerms,
        found: &[FoundOpenings],
    ) -> Result<Tuning, JournalError> {
        Ok(Tuning {
            spsa: Spsa::new(terms.knobs.clone(), terms.plan),
            journal: JsonLines::create(path, &head(terms, found))?,
        })
    }

    /// Goes on with a tuning. A journal that does not exist, or holds nothing whole, is begun.
    ///
    /// # Errors
    /// When the file is no journal, is of another tuning, does not fit together, or cannot be read
    /// or written. A refused file stays unchanged.
    pub fn resume(
        path: &Path,
        terms: &TuningTerms,
        found: &[FoundOpenings],
    ) -> Result<Tuning, JournalError> {
        let head = head(terms, found);
        let (journal, spsa) = JsonLines::resume(path, &head, |lines| replay(path, terms, lines))?;
        Ok(Tuning { spsa, journal })
    }

    /// The state.
    pub fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// Adds the results of `plus` in the games of the present [`Spsa::trial`]; they are on the disk
    /// when this returns.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn note(&mut self, result: ScoreCounts) -> Result<(), JournalError> {
        let (number, trial) = (self.spsa.done(), self.spsa.trial());
        self.spsa.note(score(&result));
        self.journal.add(&TuningLine::Iteration(Iteration {
            number,
            trial,
            result,
            values: self.spsa.values().to_vec(),
        }))
    }
}

impl TuningTerms {
    /// The first thing that differs from `other`, for a message.
    fn difference(&self, other: &TuningTerms) -> Option<String> {
        let fields = |terms: &TuningTerms| {
            let knobs: Vec<String> = terms.knobs.iter().map(|k| format!("{k:?}")).collect();
            [
                ("parameters", knobs.join(", ")),
                ("iterations", terms.plan.iterations.to_string()),
                ("r-end", terms.plan.r_end.to_string()),
                ("seed", terms.plan.seed.to_string()),
                ("pairs", terms.pairs.to_string()),
                ("each", terms.each.join(" ")),
                ("games on", terms.stages.join("; ")),
                ("judge", terms.judge.clone()),
            ]
        };
        fields(self)
            .into_iter()
            .zip(fields(other))
            .find(|(a, b)| a != b)
            .map(|((field, a), (_, b))| format!("{field} was '{a}', now '{b}'"))
    }
}

/// The first lines of a journal.
fn head(terms: &TuningTerms, found: &[FoundOpenings]) -> Vec<TuningLine> {
    let found = found.iter().cloned().map(TuningLine::Openings);
    std::iter::once(TuningLine::Tuning(terms.clone()))
        .chain(found)
        .collect()
}

/// The state after the lines of a journal.
fn replay(
    path: &Path,
    terms: &TuningTerms,
    lines: Vec<Numbered<TuningLine>>,
) -> Result<Spsa, JournalError> {
    let mut spsa = Spsa::new(terms.knobs.clone(), terms.plan);
    let is_openings = |line: &Numbered<TuningLine>| matches!(line.line, TuningLine::Openings(_));
    let lines = lines.into_iter().filter(|line| !is_openings(line));
    for (i, Numbered { number, line }) in lines.enumerate() {
        let corrupt = |problem: &str| JournalError::Corrupt {
            path: path.to_path_buf(),
            line: number,
            problem: problem.to_string(),
        };
        match line {
            TuningLine::Tuning(old) if i == 0 => {
                if let Some(difference) = old.difference(terms) {
                    return Err(JournalError::OtherTerms {
                        path: PathBuf::from(path),
                        difference,
                    });
                }
            }
            // The first and the last line of a journal are enough to go on with the tuning.
            TuningLine::Iteration(first) if i == 1 && first.number > 0 => {
                let (knobs, done) = (terms.knobs.clone(), first.number + 1);
                spsa = Spsa::after(knobs, terms.plan, done, first.values)
                    .ok_or_else(|| corrupt("the values are not those of the parameters"))?;
            }
            TuningLine::Iteration(iteration) if i > 0 => {
                if iteration.number != spsa.done() || iteration.trial != spsa.trial() {
                    return Err(corrupt("not the iteration that comes here"));
                }
                spsa.note(score(&iteration.result));
                if !near(&iteration.values, spsa.values()) {
                    return Err(corrupt("the values do not follow from the results"));
                }
            }
            _ => return Err(corrupt("not the journal of a tuning")),
        }
    }
    Ok(spsa)
}

/// Games won less games lost.
fn score(result: &ScoreCounts) -> i64 {
    result.wins as i64 - result.losses as i64
}

/// Equal but for the last digits, because a text may lose these.
fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> TuningTerms {
        let knob = |name: &str| Knob {
            name: name.to_string(),
            start: 60,
            min: -100,
            max: 300,
            c_end: 15.0,
        };
        TuningTerms {
            version: "0".to_string(),
            knobs: vec![knob("a"), knob("b")],
            plan: Plan {
                iterations: 40,
                r_end: 0.1,
                seed: 3,
            },
            pairs: 2,
            each: vec!["nodes=300".to_string()],
            stages: vec!["renju 15x15".to_string()],
            judge: String::new(),
        }
    }

    /// A result that depends on the versions alone, as in games at fixed nodes.
    fn play(trial: &Trial) -> ScoreCounts {
        let wins = (trial.plus[0] * 7 + trial.minus[1] * 3).rem_euclid(5) as u64;
        ScoreCounts {
            wins,
            draws: 0,
            losses: 4 - wins,
        }
    }

    fn run(tuning: &mut Tuning, iterations: u64) {
        for _ in 0..iterations {
            let result = play(&tuning.spsa().trial());
            tuning.note(result).unwrap();
        }
    }

    #[test]
    fn interrupted_tunings_end_like_whole_ones() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let mut whole = Tuning::create(&at("whole"), &terms(), &[]).unwrap();
        run(&mut whole, 40);
        assert!(whole.spsa().is_complete());
        assert_ne!(whole.spsa().values(), [60.0, 60.0]);

        let path = at("cut");
        let mut tuning = Tuning::resume(&path, &terms(), &[]).unwrap();
        for stop in [7, 8, 30] {
            let done = tuning.spsa().done();
            run(&mut tuning, stop - done);
            drop(tuning);
            // Killed in the middle of a line.
            let mut text = std::fs::read(&path).unwrap();
            text.extend_from_slice(b"{\"type\":\"iteration\",\"num");
            std::fs::write(&path, text).unwrap();
            tuning = Tuning::resume(&path, &terms(), &[]).unwrap();
            assert_eq!(tuning.spsa().done(), stop);
        }
        run(&mut tuning, 10);
        assert_eq!(tuning.spsa(), whole.spsa());
        let text = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert_eq!(text(&path), text(&at("whole")));
        assert_eq!(text(&path).lines().count(), 41);
    }

    #[test]
    fn the_first_and_the_last_line_are_enough_to_go_on() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let mut whole = Tuning::create(&at("whole"), &terms(), &[]).unwrap();
        run(&mut whole, 17);
        let text = std::fs::read_to_string(at("whole")).unwrap();
        let (first, last) = (text.lines().next().unwrap(), text.lines().last().unwrap());
        std::fs::write(at("state"), format!("{first}\n{last}\n")).unwrap();
        let mut state = Tuning::resume(&at("state"), &terms(), &[]).unwrap();
        assert_eq!(state.spsa(), whole.spsa());
        run(&mut whole, 23);
        run(&mut state, 23);
        assert_eq!(state.spsa(), whole.spsa());
        drop(state);
        let again = Tuning::resume(&at("state"), &terms(), &[]).unwrap();
        assert!(again.spsa().is_complete());
    }

    #[test]
    fn journals_are_not_overwritten_nor_mixed_nor_mended() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        run(&mut Tuning::create(&path, &terms(), &[]).unwrap(), 3);
        let complaint = |terms: &TuningTerms| match Tuning::resume(&path, terms, &[]) {
            Ok(_) => panic!("was taken"),
            Err(error) => error.to_string(),
        };
        assert!(matches!(
            Tuning::create(&path, &terms(), &[]),
            Err(JournalError::Exists(_))
        ));
        let mut other = terms();
        other.plan.iterations = 50;
        assert!(complaint(&other).contains("iterations was '40', now '50'"));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // A line is missing; a value was changed; there is no head.
        std::fs::write(&path, [lines[0], lines[1], lines[3], ""].join("\n")).unwrap();
        assert!(complaint(&terms()).contains("line 3: not the iteration"));
        let far = lines[3].replace("\"values\":[", "\"values\":[301.0,");
        std::fs::write(&path, [lines[0], &far, ""].join("\n")).unwrap();
        assert!(complaint(&terms()).contains("line 2: the values are not those"));
        let start = lines[1].find("\"values\":[").unwrap();
        let changed = format!("{}\"values\":[1.0,2.0]}}", &lines[1][..start]);
        std::fs::write(&path, [lines[0], &changed, ""].join("\n")).unwrap();
        assert!(complaint(&terms()).contains("line 2: the values"));
        std::fs::write(&path, [lines[1], ""].join("\n")).unwrap();
        assert!(complaint(&terms()).contains("line 1: not the journal of a tuning"));
        // Refused files are left as they are, half a line at the end included.
        let cut = format!("{}\n{}\n{}\n{{\"type\"", lines[0], lines[1], lines[3]);
        for foreign in ["notes without a line end", "\n", "more\nnotes", &cut] {
            std::fs::write(&path, foreign).unwrap();
            assert!(complaint(&terms()).contains("line"), "{foreign}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
        }
    }
}
