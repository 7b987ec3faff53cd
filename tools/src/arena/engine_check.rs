//! Starts every engine once before a match, so that a missing or silent engine cannot lose the
//! games, and with them a test.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::conversation::{Failure, Session};
use super::game::Conditions;
use super::spec::EngineSpec;
use crate::game::clock::Clock;
use tengen::openings::{Phase, wire};

/// An engine that cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine {name}: {failure}")]
pub struct UnfitEngine {
    /// Its name.
    pub name: String,
    /// The engine's failure. [`Failure::Stopped`] says that the match was stopped meanwhile.
    pub failure: Failure,
}

/// Starts each engine, begins a game, asks for name and version and for the first step of the
/// opening rule, and ends the engine.
///
/// # Errors
/// With the first engine that fails.
pub fn check(
    engines: &[Arc<EngineSpec>],
    conditions: &Conditions,
    stop: &Arc<AtomicBool>,
    trace: Option<&Path>,
) -> Result<(), UnfitEngine> {
    engines.iter().try_for_each(|engine| {
        check_one(engine, conditions, stop, trace).map_err(|failure| UnfitEngine {
            name: engine.name.clone(),
            failure,
        })
    })
}

fn check_one(
    engine: &Arc<EngineSpec>,
    conditions: &Conditions,
    stop: &Arc<AtomicBool>,
    trace: Option<&Path>,
) -> Result<(), Failure> {
    let mut session = Session::launch(engine, None, stop, trace)?;
    let (width, height) = (conditions.board.width(), conditions.board.height());
    let clock = Clock::new(engine.limits.time);
    session.start_game(width, height, conditions.rule, &clock)?;
    match session.ask_about()? {
        Some(about) => log::info!("{}: {about}", engine.name),
        None => log::warn!("{} does not answer ABOUT", engine.name),
    }
    if let Ok(phase) = Phase::new(conditions.opening_rule, &conditions.board)
        && phase.step().is_some()
    {
        session.try_command(&wire::request(&phase))?;
    }
    session.end();
    Ok(())
}
