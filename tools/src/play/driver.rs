//! The driver carries out the model's wishes: searches in a thread of their own, and files.

use std::collections::VecDeque;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::keep::Keeper;
use super::model::{Answer, Effect, Model, SearchJob, SearchTask};
use tengen::engine::Engine;
use tengen::engine::background::{EngineEvent, EngineThread};
use tengen::engine::move_control::MoveControl;
use tengen::engine::opening::{ChoiceContext, choose};
use tengen::files::{any_kind, no_kind, read_regular_file, write_file};
use tengen::search::SearchInfo;
use tengen::time::random_seed;

/// A search that runs.
struct Running {
    id: u64,
    control: Arc<MoveControl>,
}

/// The engine in its thread. `L` is the event type of the owner's channel; the owner passes the
/// engine's events to [`engine_event`](Driver::engine_event).
pub struct Driver<L> {
    engine: EngineThread,
    running: Option<Running>,
    /// The job after the search that is being stopped.
    next: Option<Box<SearchJob>>,
    /// Keeps the games on disk.
    keeper: Option<Keeper>,
    /// The reason why the game is not kept, if it was told.
    unkept: Option<String>,
    listener: Sender<L>,
}

impl<L: From<EngineEvent<Answer>> + Send + 'static> Driver<L> {
    /// An engine at rest. With a keeper, the games are kept on disk.
    pub fn new(engine: Engine, keeper: Option<Keeper>, listener: Sender<L>) -> Driver<L> {
        Driver {
            engine: EngineThread::start(engine),
            running: None,
            next: None,
            keeper,
            unkept: None,
            listener,
        }
    }

    /// The file in which the present game is kept.
    pub fn kept_file(&self, model: &Model) -> Option<&Path> {
        self.keeper.as_ref()?.file_of(model)
    }

    /// Carries out all effects of the model, and the further effects of their results. Breaks when
    /// an effect is to leave.
    pub fn carry_out(&mut self, model: &mut Model, effects: Vec<Effect>) -> ControlFlow<()> {
        let carried_out = self.carry_out_all(model, effects);
        let Some(keeper) = &mut self.keeper else {
            return carried_out;
        };
        let failed = keeper.keep(model).err().map(|error| error.to_string());
        if let Some(reason) = failed.as_ref().filter(|_| failed != self.unkept) {
            model.not_kept(reason);
        }
        self.unkept = failed;
        carried_out
    }

    fn carry_out_all(&mut self, model: &mut Model, effects: Vec<Effect>) -> ControlFlow<()> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Start(job) => self.start(job),
                Effect::Stop => self.stop(),
                Effect::Drop => {
                    self.next = None;
                    self.stop();
                }
                Effect::Write {
                    path,
                    text,
                    overwrite,
                } => model.written(&path, write(&path, &text, overwrite)),
                Effect::Read(path) => {
                    effects.extend(model.read(&path, read(&path), Instant::now()));
                }
                Effect::Quit => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    /// Handles an event of the engine. Breaks like [`carry_out`](Driver::carry_out).
    pub fn engine_event(
        &mut self,
        model: &mut Model,
        event: EngineEvent<Answer>,
    ) -> ControlFlow<()> {
        match event {
            EngineEvent::SearchInfo(info) => {
                if let Some(running) = &self.running {
                    model.report(running.id, info);
                }
                ControlFlow::Continue(())
            }
            EngineEvent::Finished(answer) => {
                let id = self.running.take().map(|running| running.id);
                if let Some(job) = self.next.take() {
                    self.start(job);
                }
                let effects = id.map(|id| model.finished(id, answer, Instant::now()));
                self.carry_out(model, effects.unwrap_or_default())
            }
        }
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    fn start(&mut self, job: Box<SearchJob>) {
        if self.running.is_some() {
            self.stop();
            self.next = Some(job);
            return;
        }
        let control = Arc::new(MoveControl::new(Instant::now(), &job.time));
        self.running = Some(Running {
            id: job.id,
            control: Arc::clone(&control),
        });
        let listener = self.listener.clone();
        let send = move |event: EngineEvent<Answer>| {
            // Fails only when the owner is gone.
            let _ = listener.send(event.into());
        };
        self.engine.begin(send, move |engine, report| {
            answer(engine, &job.task, &control, report)
        });
    }
}

/// The engine's answer, searched for in the calling thread.
pub fn answer(
    engine: &mut Engine,
    task: &SearchTask,
    control: &MoveControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Answer {
    match &task.opening {
        None => {
            let outcome = engine.go_as(task.strength, &task.request, control.whole(), report);
            Answer {
                point: outcome.best,
                choice: None,
                lines: outcome.lines,
            }
        }
        Some(opening) => {
            let context = ChoiceContext {
                request: &task.request,
                control,
                time_ms: control.left_ms(),
                report,
            };
            let mut rng = StdRng::seed_from_u64(random_seed());
            let chosen = choose(engine, opening, context, &mut rng);
            Answer {
                point: None,
                choice: Some(chosen.choice),
                lines: chosen.lines,
            }
        }
    }
}

/// The bytes of a record.
///
/// # Errors
/// With the reason why the file cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    read_regular_file(path).map_err(|error| error.to_string())
}

/// Writes a file; a file already there stays unless `overwrite` or empty.
fn write(path: &Path, text: &str, overwrite: bool) -> Result<(), String> {
    let replaces = if overwrite { any_kind } else { no_kind };
    let written = write_file(path, replaces, |file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => "it exists; save! overwrites it".to_string(),
        _ => error.to_string(),
    })
}
