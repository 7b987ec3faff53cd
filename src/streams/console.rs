//! Conversations over an input and an output. A thread of its own reads commands; the calling
//! thread owns the session. The session takes commands and events one after the other and writes
//! every answer, so answers come in the order of their commands.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};

use super::{Line, Lines, WriteWatch, read_some};
use crate::time::{Duration, Instant};

/// Most bytes of commands that were read and not taken yet. Then nothing more is read.
const MAX_BYTES: usize = 8 << 20;
/// Bytes of a place in the queue of commands. A command with a longer text takes several places.
const PLACE_BYTES: usize = 512;
/// Time for the session to end by itself after the end of input. The session may block on a reader
/// that does not take its answers.
const FAREWELL: Duration = Duration::from_millis(50);
/// The process ends if no write ends within this many farewells.
const PATIENCE: u32 = 20;
/// Time between two looks at the work left to do, for a session that ends.
const LAST_LOOK: Duration = Duration::from_millis(5);
/// Stack of the reading thread.
const READER_STACK_BYTES: usize = 512 << 10;

/// A session as one side of a conversation.
pub trait Speaker {
    /// A command of the other side.
    type Command: Send + 'static;
    /// An event of the engine, or of the reading thread out of turn.
    type Event: Send + 'static;

    /// False while a command waits, for instance for the end of a search. The following ones stay
    /// in the queue.
    fn takes_commands(&self) -> bool;

    /// Takes a command.
    fn command(&mut self, arrival: Arrival<Self::Command>);

    /// No further command comes.
    fn commands_are_over(&mut self);

    /// Takes an event.
    fn event(&mut self, event: Self::Event);

    /// The time after which [`pause`](Speaker::pause) is called if nothing comes before.
    fn pause_after(&self) -> Option<Duration>;

    /// Nothing came for a moment.
    fn pause(&mut self);

    /// There is no thread to read commands.
    fn cannot_read(&mut self, error: io::Error);

    /// True if a search runs.
    fn is_searching(&self) -> bool;

    /// Stops a running search.
    fn stop(&mut self);

    /// True if nothing is left to do but [`LastWork`].
    fn is_over(&self) -> bool;

    /// True if a command waits for its answer. A session that is over says if one was left without
    /// its answer.
    fn owes_answer(&self) -> bool;
}

/// The end of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEnd {
    /// The end of a file. All of the file is answered first.
    OfFile,
    /// A command that ends the session at once.
    ByCommand,
    /// The end of a pipe or terminal, which ends the session at once.
    OfPipe,
}

/// Work, asked for or begun, for which the end of the process waits: changes of files, for
/// instance.
#[derive(Clone, Default)]
pub struct LastWork(Arc<WorkToken>);

/// A part of this work, not done until the token is dropped.
#[derive(Clone, Default)]
pub struct WorkToken(Arc<()>);

impl LastWork {
    /// Notes a part of the work.
    pub fn begin(&self) -> WorkToken {
        WorkToken::clone(&self.0)
    }

    /// True if a part is not done yet.
    pub fn is_pending(&self) -> bool {
        Arc::strong_count(&self.0.0) > 1
    }
}

/// A command that was read.
pub struct Arrival<C> {
    /// The command.
    pub command: C,
    /// The time at which its line was read.
    pub at: Instant,
    _work: Option<WorkToken>,
}

impl<C> Arrival<C> {
    /// A command that the end of the process does not wait for.
    pub fn new(command: C, at: Instant) -> Arrival<C> {
        Arrival {
            command,
            at,
            _work: None,
        }
    }
}

/// A place in the queue. A long command comes in the last of its places; in a box, because the
/// queue has room for many.
type Place<C> = Option<Box<Arrival<C>>>;

/// The reading end of a conversation with the session `S`.
pub struct ReadingEnd<S: Speaker> {
    commands: Sender<Place<S::Command>>,
    events: Sender<S::Event>,
    work: LastWork,
    /// The time of the last reading.
    at: Cell<Instant>,
    /// True once the session is over.
    is_over: Arc<AtomicBool>,
    debt: Arc<Debt>,
}

/// The answers that a session owes at the end of a pipe.
#[derive(Default)]
struct Debt {
    /// True if the input ended without a command to end.
    is_cut_off: AtomicBool,
    /// True while the session owes an answer.
    is_owed: AtomicBool,
}

impl Debt {
    /// True if the input ended before the answer to one of its commands.
    fn is_left(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed) && self.is_owed.load(Ordering::Relaxed)
    }
}

impl<S: Speaker> ReadingEnd<S> {
    /// The way of events to the session.
    pub fn events(&self) -> Sender<S::Event> {
        self.events.clone()
    }

    /// The work that the end of the process waits for.
    pub fn work(&self) -> LastWork {
        self.work.clone()
    }

    /// Reads `input` to its end, or until `on_line` breaks or the session is over, and calls
    /// `on_line` for each line.
    pub fn read(
        &self,
        mut input: impl Read,
        line_ends: &'static [u8],
        mut on_line: impl FnMut(Line) -> ControlFlow<()>,
    ) {
        let mut lines = Lines::ending_with(line_ends);
        let mut flow = ControlFlow::Continue(());
        let mut on_line = |line: Line, flow: &mut ControlFlow<()>| {
            if flow.is_continue() {
                *flow = on_line(line);
            }
        };
        let mut buffer = [0; 1 << 16];
        while flow.is_continue() && !self.is_over.load(Ordering::Relaxed) {
            let read = read_some(&mut input, &mut buffer);
            self.at.set(Instant::now());
            // Held until all of this is sent: the session may end at the first of these commands,
            // when nobody takes its answer, and must not leave before the others are known.
            let _reading = self.work.begin();
            if read == 0 {
                lines.finish(&mut |line| on_line(line, &mut flow));
                break;
            }
            lines.feed(&buffer[..read], &mut |line| on_line(line, &mut flow));
        }
    }

    /// Sends a command with `bytes` of text; waits while the queue is full. The process does not
    /// end before a command that `outlives_end` is carried out.
    pub fn send(&self, command: S::Command, bytes: usize, outlives_end: bool) {
        let arrival = Arrival {
            command,
            at: self.at.get(),
            _work: outlives_end.then(|| self.work.begin()),
        };
        // Sending fails only when the session is over.
        for _ in 0..bytes / PLACE_BYTES {
            let _ = self.commands.send(None);
        }
        let _ = self.commands.send(Some(Box::new(arrival)));
    }

    /// Notes an end of the input without a command to end. To be called before the last command is
    /// sent.
    pub fn cut_off(&self) {
        self.debt.is_cut_off.store(true, Ordering::Relaxed);
    }

    /// Sends an event past all commands.
    pub fn send_event(&self, event: S::Event) {
        // Fails only when the session is over.
        let _ = self.events.send(event);
    }
}

/// The answering end of a conversation with the session `S`.
pub struct AnsweringEnd<S: Speaker> {
    commands: Receiver<Place<S::Command>>,
    events: Receiver<S::Event>,
    work: LastWork,
    is_over: Arc<AtomicBool>,
    debt: Arc<Debt>,
}

/// The two ends of a conversation.
pub fn open<S: Speaker>() -> (ReadingEnd<S>, AnsweringEnd<S>) {
    let (to_commands, commands) = bounded(MAX_BYTES / PLACE_BYTES);
    let (to_events, events) = unbounded();
    let (work, is_over) = (LastWork::default(), Arc::default());
    let debt = Arc::default();
    let reading = ReadingEnd {
        commands: to_commands,
        events: to_events,
        work: work.clone(),
        at: Cell::new(Instant::now()),
        is_over: Arc::clone(&is_over),
        debt: Arc::clone(&debt),
    };
    let answering = AnsweringEnd {
        commands,
        events,
        work,
        is_over,
        debt,
    };
    (reading, answering)
}

impl<S: Speaker> AnsweringEnd<S> {
    /// Passes commands and events to the session until it is over and its last work is done.
    pub fn talk(&self, session: &mut S) {
        let none = never();
        let mut commands = &self.commands;
        loop {
            let is_owed = session.owes_answer();
            self.debt.is_owed.store(is_owed, Ordering::Relaxed);
            let mut pause = session.pause_after();
            if session.is_over() {
                self.is_over.store(true, Ordering::Relaxed);
                // Nobody wants the result, and a waiting command would hold the process.
                session.stop();
                if !self.work.is_pending() {
                    return;
                }
                pause = Some(LAST_LOOK);
            }
            let commands_now = match session.takes_commands() {
                true => commands,
                false => &none,
            };
            let pause = pause.map_or_else(never, after);
            select! {
                recv(self.events) -> event => event.into_iter().for_each(|event| session.event(event)),
                recv(commands_now) -> arrival => match arrival {
                    Ok(arrival) => arrival.into_iter().for_each(|arrival| session.command(*arrival)),
                    Err(_) => {
                        commands = &none;
                        session.commands_are_over();
                    }
                },
                recv(pause) -> _ => session.pause(),
            }
        }
    }

    /// Stops the search of a session that is over, and waits for its end.
    pub fn wait_for_search(&self, session: &mut S) {
        session.stop();
        while session.is_searching()
            && let Ok(event) = self.events.recv()
        {
            session.event(event);
        }
    }

    /// True if the input ended before the answer to one of its commands.
    pub fn owes_answer(&self) -> bool {
        self.debt.is_left()
    }

    /// The commands, for tests of the reading end.
    pub fn into_commands(self) -> impl Iterator<Item = S::Command> {
        self.commands
            .into_iter()
            .flatten()
            .map(|arrival| arrival.command)
    }
}

/// Holds a conversation until the session is over. `read` runs in a thread of its own. Where its
/// input ends the session at once, the process ends from there if `watch` is given and the session
/// does not end it.
pub fn converse<S: Speaker + 'static>(
    session: impl FnOnce(&ReadingEnd<S>) -> S,
    read: impl FnOnce(&ReadingEnd<S>) -> InputEnd + Send + 'static,
    watch: Option<WriteWatch>,
) -> (S, AnsweringEnd<S>) {
    let (reading, answering) = open();
    let mut session = session(&reading);
    let reader = thread::Builder::new()
        .name("reader".to_string())
        .stack_size(READER_STACK_BYTES)
        .spawn(move || {
            let end = read(&reading);
            let (work, debt) = (reading.work(), Arc::clone(&reading.debt));
            // No command follows.
            drop(reading);
            if let Some(watch) = watch.filter(|_| end != InputEnd::OfFile) {
                leave(&work, &debt, watch);
            }
        });
    match reader {
        Ok(_) => answering.talk(&mut session),
        Err(error) => session.cannot_read(error),
    }
    (session, answering)
}

/// Ends the process if the session does not end it. Waits for work on files, unless nobody takes an
/// answer.
fn leave(work: &LastWork, debt: &Debt, mut watch: WriteWatch) {
    for round in 1_u32.. {
        thread::sleep(FAREWELL);
        if !work.is_pending() {
            break;
        }
        if round.is_multiple_of(PATIENCE) && watch.is_stuck() {
            log::error!("nobody reads standard output: what is left to do is dropped");
            break;
        }
    }
    std::process::exit(debt.is_left().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session that keeps its commands waiting until an event comes.
    #[derive(Default)]
    struct Slow {
        waiting: Option<Arrival<usize>>,
        bytes: Vec<usize>,
        is_over: bool,
    }

    impl Speaker for Slow {
        type Command = usize;
        type Event = ();

        fn takes_commands(&self) -> bool {
            self.waiting.is_none()
        }

        fn command(&mut self, arrival: Arrival<usize>) {
            self.bytes.push(arrival.command);
            self.waiting = Some(arrival);
        }

        fn commands_are_over(&mut self) {
            self.is_over = true;
        }

        fn event(&mut self, (): ()) {
            self.waiting = None;
        }

        fn pause_after(&self) -> Option<Duration> {
            Some(Duration::from_millis(1))
        }

        /// The engine is done.
        fn pause(&mut self) {
            self.waiting = None;
        }

        fn cannot_read(&mut self, error: io::Error) {
            panic!("{error}");
        }

        fn is_searching(&self) -> bool {
            self.waiting.is_some()
        }

        fn stop(&mut self) {}

        fn is_over(&self) -> bool {
            self.is_over && self.waiting.is_none()
        }

        fn owes_answer(&self) -> bool {
            self.waiting.is_some()
        }
    }

    #[test]
    fn commands_wait_in_order_and_none_is_lost() {
        let read = |session: &ReadingEnd<Slow>| {
            session.read(&b"1\n22\n333\n"[..], b"\n", |line| {
                if let Line::Whole(line) = line {
                    session.send(line.len(), line.len(), false);
                }
                ControlFlow::Continue(())
            });
            InputEnd::OfPipe
        };
        let (session, _) = converse(|_| Slow::default(), read, None);
        assert_eq!(session.bytes, [1, 2, 3]);
    }

    #[test]
    fn reading_stops_while_too_much_waits() {
        let (reading, answering) = open::<Slow>();
        let half = MAX_BYTES / 2 - PLACE_BYTES;
        let reader = thread::spawn(move || {
            (0..5).for_each(|_| reading.send(half, half, false));
            // A command larger than the whole queue passes too.
            reading.send(2 * MAX_BYTES, 2 * MAX_BYTES, false);
        });
        while answering.commands.len() < MAX_BYTES / PLACE_BYTES {
            thread::yield_now();
        }
        let waiting = answering.commands.try_iter().take(MAX_BYTES / PLACE_BYTES);
        assert_eq!(waiting.flatten().count(), 2);
        let mut session = Slow::default();
        answering.talk(&mut session);
        assert_eq!(session.bytes, [half, half, half, 2 * MAX_BYTES]);
        reader.join().unwrap();
    }

    #[test]
    fn a_session_ends_after_its_last_work() {
        let work = LastWork::default();
        let (first, second) = (work.begin(), work.clone().begin());
        assert!(work.is_pending());
        drop(first);
        assert!(work.is_pending());
        drop(second);
        assert!(!work.is_pending());
    }
}
