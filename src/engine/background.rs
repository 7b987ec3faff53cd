//! Lends an engine to a thread of its own, so that whoever asked stays free to listen.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread;

use super::Engine;
use crate::search::SearchInfo;

/// Stack of the thread in bytes. Only what is used is ever backed by memory.
const STACK_BYTES: usize = 32 << 20;

/// What comes back from the thread.
pub enum News<T> {
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The thread is done; nothing follows.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// What was found; `None` when the search broke down.
        answer: Option<T>,
    },
}

/// Starts a thread that lets `think` work with the engine and sends what it tells to `listener`.
/// It ends with [`News::Finished`], even when `think` panics; the engine that comes back then is a
/// new one.
pub fn spawn<T, L>(
    engine: Box<Engine>,
    listener: Sender<L>,
    think: impl FnOnce(&mut Engine, &mut (dyn FnMut(&SearchInfo) + Send)) -> T + Send + 'static,
) where
    T: Send + 'static,
    L: From<News<T>> + Send + 'static,
{
    let options = engine.options();
    let fallback = listener.clone();
    let thread = thread::Builder::new()
        .name("thinker".to_string())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let mut lent = Some(engine);
            let answer = catch_unwind(AssertUnwindSafe(|| {
                let engine = lent.as_mut().expect("the engine was just put there");
                think(engine, &mut |report| {
                    // Fails only when nobody listens any more.
                    let _ = listener.send(News::SearchInfo(report.clone()).into());
                })
            }));
            if answer.is_err() {
                // What the panic left behind may panic again when it is dropped.
                let _ = catch_unwind(AssertUnwindSafe(|| drop(lent.take())));
            }
            let news = News::Finished {
                engine: lent.unwrap_or_else(|| Box::new(Engine::new(options))),
                answer: answer.ok(),
            };
            let _ = listener.send(news.into());
        });
    if let Err(error) = thread {
        log::error!("no thread to search on: {error}");
        let news = News::Finished {
            engine: Box::new(Engine::new(options)),
            answer: None,
        };
        let _ = fallback.send(news.into());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::engine::Options;

    #[test]
    fn a_panic_comes_back_as_no_answer_and_a_new_engine() {
        let (listener, inbox) = mpsc::channel::<News<()>>();
        let engine = Box::new(Engine::new(Options {
            threads: 3,
            ..Options::default()
        }));
        spawn(engine, listener, |_, _| panic!("as a test"));
        match inbox.recv().unwrap() {
            News::Finished { engine, answer } => {
                assert_eq!(engine.options().threads, 3);
                assert_eq!(answer, None);
            }
            News::SearchInfo(_) => panic!("something else happened"),
        }
    }
}
