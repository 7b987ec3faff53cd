//! `tune`: better parameters for the search, by SPSA on games of this program against itself.

mod args;
mod progress;
mod report;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Error;
use super::error::warn;
use super::interrupt::{self, stop_on_interrupt};
use crate::arena::forfeits::{ForfeitStreaks, MAX_FORFEITS};
use crate::arena::json_lines;
use crate::arena::runner::{self, Match, MatchEnd, MatchEvent};
use crate::arena::schedule::{Schedule, ScheduleKind};
use crate::arena::spsa::journal::Tuning;
use crate::arena::stats::ScoreCounts;
use tengen::streams::eprint_line;
use tengen::types::Color;

pub(super) use args::Args;
use args::{MINUS, PLUS, TuningSetup};
use progress::Progress;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Error> {
    json_lines::check_free(&args.journal, args.resume)?;
    let mut setup = args.setup()?;
    setup.warnings.iter().for_each(|text| warn(text));
    let mut tuning = if args.resume {
        Tuning::resume(&args.journal, &setup.terms, &setup.found)?
    } else {
        Tuning::create(&args.journal, &setup.terms, &setup.found)?
    };
    let stop = stop_on_interrupt()?;
    let games = 2 * setup.terms.pairs;
    let iterations = setup.terms.plan.iterations;
    let mut progress = Progress::new(games * iterations, games * tuning.spsa().done());
    let mut streaks = ForfeitStreaks::new(MAX_FORFEITS);
    while !tuning.spsa().is_complete() {
        let Some(result) = play(&mut setup, &tuning, &stop, &mut progress, &mut streaks)? else {
            break;
        };
        let stage = setup.stage(tuning.spsa().done()).to_string();
        tuning.note(result)?;
        progress.iteration(tuning.spsa(), iterations, &stage, &result);
    }
    progress.finish();
    let spsa = tuning.spsa();
    writeln!(
        out,
        "{} of {iterations} iterations of {games} games\n\n{}",
        spsa.done(),
        report::table(spsa, spsa.knobs().len())
    )?;
    if !spsa.is_complete() {
        eprint_line("stopped; --resume goes on, the games of this iteration are played again");
        return Ok(interrupt::status(true));
    }
    write!(out, "{}", report::outcome(spsa, &setup))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the games of the next iteration; `None` if the tuning was stopped.
fn play(
    setup: &mut TuningSetup,
    tuning: &Tuning,
    stop: &Arc<AtomicBool>,
    progress: &mut Progress,
    streaks: &mut ForfeitStreaks,
) -> Result<Option<ScoreCounts>, Error> {
    let number = tuning.spsa().done();
    let stage = setup.stage(number);
    let lap = number / setup.stages.len() as u64;
    let contest = Match {
        engines: setup.versions(&tuning.spsa().trial())?,
        conditions: stage.conditions.clone(),
        book: stage.book.clone().starting_at(lap * setup.terms.pairs),
        schedule: Schedule {
            kind: ScheduleKind::RoundRobin,
            players: 2,
            games: 2 * setup.terms.pairs,
            points: [1.0, 0.5, 0.0],
        },
        shard: None,
        sprt: None,
        concurrency: setup.concurrency,
        seed: 0,
        trace: None,
    };
    let mut result = ScoreCounts::default();
    let end = runner::run(&contest, Vec::new(), stop, &mut |event| {
        match event {
            MatchEvent::Finished(game) => {
                let color = game.color_against(PLUS, MINUS).unwrap_or(Color::White);
                result.add(game.half_points(color));
                progress.game(game);
                streaks.note(game)?;
            }
            MatchEvent::Narrowed(games, why) => {
                setup.concurrency = games;
                progress.narrowed(games, why);
            }
            MatchEvent::Started(_) => {}
        }
        Ok::<_, Error>(())
    })?;
    Ok((end == MatchEnd::Complete).then_some(result))
}
