//! Runs an engine on a thread of its own, so that the caller can go on reading commands.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread;

use super::Engine;
use crate::search::SearchInfo;

/// Stack of the thread in bytes. The system maps only the part that is used.
const STACK_BYTES: usize = 32 << 20;

/// What the thread sends.
pub enum EngineEvent<T> {
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The thread is done; no event follows.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// The result of the work; `None` when it panicked.
        answer: Option<T>,
    },
}

/// Starts a thread that calls `work` with the engine and sends each info of its searches to
/// `listener`. The last event is [`EngineEvent::Finished`], even when `work` panics; then the
/// engine that comes back is a new one.
pub fn spawn<T, L>(
    engine: Box<Engine>,
    listener: Sender<L>,
    work: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T + Send + 'static,
) where
    T: Send + 'static,
    L: From<EngineEvent<T>> + Send + 'static,
{
    let options = engine.options();
    let fallback = listener.clone();
    let thread = thread::Builder::new()
        .name("engine".to_string())
        .stack_size(STACK_BYTES)
        .spawn(move || {
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
        });
    if let Err(error) = thread {
        log::error!("no search thread: {error}");
        let finished = EngineEvent::Finished {
            engine: Box::new(Engine::new(options)),
            answer: None,
        };
        let _ = fallback.send(finished.into());
    }
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
        spawn(engine, listener, |_, _| panic!("as a test"));
        match inbox.recv().unwrap() {
            EngineEvent::Finished { engine, answer } => {
                assert_eq!(engine.options().threads, 3);
                assert_eq!(answer, None);
            }
            EngineEvent::SearchInfo(_) => panic!("something else happened"),
        }
    }
}
