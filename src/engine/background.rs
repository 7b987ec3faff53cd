//! An engine that works on a thread of its own, while the owner reads commands, or where the owner
//! chooses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::thread;

use super::Engine;
use super::resources::STACK_BYTES;
use crate::search::SearchInfo;

/// Depth of searches without a thread: the owner's stack has room for a few plies.
const SMALL_DEPTH: u32 = 4;

/// Message of a working engine.
pub enum EngineEvent<T> {
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The work is done, with its result; `None` when it panicked. No event of it follows, and the
    /// engine is idle.
    Finished(Option<T>),
}

type Job = Box<dyn FnOnce() + Send>;

/// An engine with a thread for its work. The thread starts before anything large is allocated: a
/// table could leave no room for its stack.
pub struct EngineThread {
    /// `None` while the engine works.
    engine: Option<Box<Engine>>,
    /// Brings the engine back when its work is done.
    returns: Receiver<Box<Engine>>,
    to_return: Sender<Box<Engine>>,
    /// `None` where the system gives no thread.
    jobs: Option<Sender<Job>>,
}

/// Waiting work of an engine, for its owner to do.
pub struct EngineJobs(Receiver<Job>);

impl EngineJobs {
    /// Does the work that has waited longest, with searches and all. False if none waits.
    pub fn run_next(&self) -> bool {
        let job = self.0.try_recv();
        job.map(|job| job()).is_ok()
    }
}

impl EngineThread {
    /// Starts the thread of `engine`.
    pub fn start(engine: Engine) -> EngineThread {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let thread = thread::Builder::new()
            .name("engine".to_string())
            .stack_size(STACK_BYTES)
            .spawn(move || inbox.into_iter().for_each(|job| job()));
        if let Err(error) = &thread {
            log::error!("no thread for the engine: {error}");
        }
        EngineThread::with_jobs(engine, thread.is_ok().then_some(jobs))
    }

    /// No thread of its own: work for the engine waits until the owner of the other half does it,
    /// on a thread and a stack of his choice.
    pub fn by_owner(engine: Engine) -> (EngineThread, EngineJobs) {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let thread = EngineThread::with_jobs(engine, Some(jobs));
        (thread, EngineJobs(inbox))
    }

    fn with_jobs(mut engine: Engine, jobs: Option<Sender<Job>>) -> EngineThread {
        engine.search_on_calling_thread();
        let (to_return, returns) = mpsc::channel();
        EngineThread {
            engine: Some(Box::new(engine)),
            returns,
            to_return,
            jobs,
        }
    }

    /// True if there is a thread. Without one, [`begin`](EngineThread::begin) works on the calling
    /// thread.
    pub fn is_there(&self) -> bool {
        self.jobs.is_some()
    }

    /// `depth`, or a small one without a thread.
    pub fn depth(&self, depth: Option<u32>) -> Option<u32> {
        match self.is_there() {
            true => depth,
            false => Some(depth.map_or(SMALL_DEPTH, |depth| depth.min(SMALL_DEPTH))),
        }
    }

    /// The engine; `None` while it works.
    pub fn idle(&mut self) -> Option<&mut Engine> {
        if self.engine.is_none() {
            self.engine = self.returns.try_recv().ok();
        }
        self.engine.as_deref_mut()
    }

    /// Lets the engine do `work`, which may report the depths of its searches. All events go to
    /// `listener`; the last one is [`EngineEvent::Finished`], even when `work` panics. Then a new
    /// engine takes the place of the old one. Does nothing while the engine works.
    pub fn begin<T>(
        &mut self,
        listener: impl Fn(EngineEvent<T>) + Send + Sync + 'static,
        work: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T + Send + 'static,
    ) {
        self.idle();
        let Some(engine) = self.engine.take() else {
            return log::error!("work begins while the engine works");
        };
        let to_return = self.to_return.clone();
        let job: Job = Box::new(move || {
            let (engine, answer) = do_work(engine, &listener, work);
            // Fails only when the owner is gone, as the listener's receiver may be.
            let _ = to_return.send(engine);
            listener(EngineEvent::Finished(answer));
        });
        let sent = match &self.jobs {
            Some(jobs) => jobs.send(job),
            None => Err(SendError(job)),
        };
        if let Err(SendError(job)) = sent {
            job();
        }
    }
}

/// Does the work, and returns the engine, or a new one after a panic, and the result.
fn do_work<T>(
    mut engine: Box<Engine>,
    listener: &(impl Fn(EngineEvent<T>) + Sync),
    work: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T,
) -> (Box<Engine>, Option<T>) {
    let options = engine.options();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let report = &mut |info: &SearchInfo| listener(EngineEvent::SearchInfo(info.clone()));
        work(&mut engine, report)
    }));
    if answer.is_err() {
        // The engine may panic again when it is dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(engine)));
        engine = Box::new(Engine::new(options));
        engine.search_on_calling_thread();
    }
    (engine, answer.ok())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::engine::Options;

    /// Begins `work`; its result comes through the channel.
    fn begin<T: Send + 'static>(
        thread: &mut EngineThread,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Receiver<Option<T>> {
        let (results, inbox) = mpsc::channel();
        let listener = move |event| match event {
            EngineEvent::Finished(answer) => results.send(answer).unwrap(),
            EngineEvent::SearchInfo(_) => panic!("nothing is searched"),
        };
        thread.begin(listener, move |_, _| work());
        inbox
    }

    #[test]
    fn a_panic_leaves_no_answer_and_a_new_engine() {
        let mut thread = EngineThread::start(Engine::new(Options {
            threads: 3,
            ..Options::default()
        }));
        let results = begin::<()>(&mut thread, || panic!("as a test"));
        assert_eq!(results.recv().unwrap(), None);
        assert_eq!(thread.idle().unwrap().options().threads, 3);
        // The thread works on.
        assert_eq!(begin(&mut thread, || 5).recv().unwrap(), Some(5));
    }

    #[test]
    fn a_working_engine_is_not_there() {
        let mut thread = EngineThread::start(Engine::new(Options::default()));
        let (end, ended) = mpsc::channel();
        let results = begin(&mut thread, move || ended.recv().unwrap());
        assert!(thread.idle().is_none());
        // Only one work at a time.
        assert!(begin(&mut thread, || ()).recv().is_err());
        end.send(()).unwrap();
        results.recv().unwrap();
        assert!(thread.idle().is_some());
    }

    #[test]
    fn the_owner_works_when_he_likes() {
        let (mut thread, jobs) = EngineThread::by_owner(Engine::new(Options::default()));
        assert!(thread.is_there() && !jobs.run_next());
        let results = begin(&mut thread, || thread::current().id());
        assert!(results.try_recv().is_err());
        assert!(jobs.run_next() && !jobs.run_next());
        assert_eq!(results.try_recv(), Ok(Some(thread::current().id())));
    }

    #[test]
    fn without_a_thread_the_caller_works() {
        let mut none = EngineThread::with_jobs(Engine::new(Options::default()), None);
        let results = begin(&mut none, || thread::current().id());
        assert_eq!(results.try_recv(), Ok(Some(thread::current().id())));
        assert_eq!((none.depth(None), none.depth(Some(2))), (Some(4), Some(2)));
    }
}
