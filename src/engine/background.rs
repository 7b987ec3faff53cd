//! Runs engines on a thread of their own, so that the caller can go on reading commands, or where the
//! caller chooses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::thread;

use super::Engine;
use super::resources::STACK_BYTES;
use crate::search::SearchInfo;

/// Message of the thread.
pub enum EngineEvent<T> {
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The work is done; no event of it follows.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// The result of the work; `None` when it panicked.
        answer: Option<T>,
    },
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread on which engines work. It starts before anything large is allocated, which could leave
/// no room for its stack.
pub struct EngineThread {
    /// `None` where the system gives no thread.
    jobs: Option<Sender<Job>>,
}

/// Waiting work of engines, for their owner to do.
pub struct EngineJobs(Receiver<Job>);

impl EngineJobs {
    /// Does the work that has waited longest, with searches and all. False if none waits.
    pub fn run_next(&self) -> bool {
        let job = self.0.try_recv();
        job.map(|job| job()).is_ok()
    }
}

impl EngineThread {
    /// Starts the thread.
    pub fn start() -> EngineThread {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let thread = thread::Builder::new()
            .name("engine".to_string())
            .stack_size(STACK_BYTES)
            .spawn(move || inbox.into_iter().for_each(|job| job()));
        if let Err(error) = &thread {
            log::error!("no thread for the engine: {error}");
        }
        EngineThread {
            jobs: thread.is_ok().then_some(jobs),
        }
    }

    /// No thread of its own: work for engines waits until the owner of the other half does it, on a
    /// thread and a stack of his choice.
    pub fn by_owner() -> (EngineThread, EngineJobs) {
        let (jobs, inbox) = mpsc::channel::<Job>();
        (EngineThread { jobs: Some(jobs) }, EngineJobs(inbox))
    }

    /// True if there is a thread. Without one, [`lend`](EngineThread::lend) works on the calling
    /// thread, whose stack has room for searches of a few plies.
    pub fn is_there(&self) -> bool {
        self.jobs.is_some()
    }

    /// Lets the thread call `work` with the engine and send each info of its searches to
    /// `listener`. The last event is [`EngineEvent::Finished`], even when `work` panics; then the
    /// engine that comes back is a new one.
    pub fn lend<T, L>(
        &self,
        mut engine: Box<Engine>,
        listener: Sender<L>,
        work: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T + Send + 'static,
    ) where
        T: Send + 'static,
        L: From<EngineEvent<T>> + Send + 'static,
    {
        engine.search_on_calling_thread();
        let job: Job = Box::new(move || do_work(engine, &listener, work));
        let sent = match &self.jobs {
            Some(jobs) => jobs.send(job),
            None => Err(SendError(job)),
        };
        if let Err(SendError(job)) = sent {
            job();
        }
    }
}

/// See [`EngineThread::lend`].
fn do_work<T, L: From<EngineEvent<T>> + Send>(
    engine: Box<Engine>,
    listener: &Sender<L>,
    work: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T,
) {
    let options = engine.options();
    let mut lent = Some(engine);
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let engine = lent.as_mut().expect("the engine was just put there");
        work(engine, &mut |info| {
            // Fails only when the receiver is gone.
            let _ = listener.send(EngineEvent::SearchInfo(info.clone()).into());
        })
    }));
    if answer.is_err() {
        // The engine may panic again when it is dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(lent.take())));
    }
    let finished = EngineEvent::Finished {
        engine: lent.unwrap_or_else(|| Box::new(Engine::new(options))),
        answer: answer.ok(),
    };
    let _ = listener.send(finished.into());
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::engine::Options;

    #[test]
    fn a_panic_comes_back_as_no_answer_and_a_new_engine() {
        let (listener, inbox) = mpsc::channel::<EngineEvent<()>>();
        let engine = Box::new(Engine::new(Options {
            threads: 3,
            ..Options::default()
        }));
        let thread = EngineThread::start();
        thread.lend(engine, listener.clone(), |_, _| panic!("as a test"));
        let EngineEvent::Finished { engine, answer } = inbox.recv().unwrap() else {
            panic!("something else happened");
        };
        assert_eq!((engine.options().threads, answer), (3, None));
        // The thread works on.
        thread.lend(engine, listener, |_, _| ());
        let event = inbox.recv().unwrap();
        let is_done = matches!(
            event,
            EngineEvent::Finished {
                answer: Some(()),
                ..
            }
        );
        assert!(is_done);
    }

    #[test]
    fn the_owner_works_when_he_likes() {
        let (listener, inbox) = mpsc::channel::<EngineEvent<thread::ThreadId>>();
        let (thread, jobs) = EngineThread::by_owner();
        assert!(thread.is_there() && !jobs.run_next());
        let engine = Box::new(Engine::new(Options::default()));
        thread.lend(engine, listener, |_, _| thread::current().id());
        assert!(inbox.try_recv().is_err());
        assert!(jobs.run_next() && !jobs.run_next());
        let EngineEvent::Finished { answer, .. } = inbox.try_recv().unwrap() else {
            panic!("something else happened");
        };
        assert_eq!(answer, Some(thread::current().id()));
    }

    #[test]
    fn without_a_thread_the_caller_works() {
        let (listener, inbox) = mpsc::channel::<EngineEvent<thread::ThreadId>>();
        let engine = Box::new(Engine::new(Options::default()));
        let none = EngineThread { jobs: None };
        none.lend(engine, listener, |_, _| thread::current().id());
        let EngineEvent::Finished { answer, .. } = inbox.try_recv().unwrap() else {
            panic!("something else happened");
        };
        assert_eq!(answer, Some(thread::current().id()));
    }
}
