//! A session without threads, for a host without any to spare, such as a page in a browser. The
//! host passes on every line and decides when the engine works. The working engine asks the host
//! for the time; the host uses these moments to [listen](HostedSession::listen) and to stop the
//! engine.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

use crossbeam_channel::{Receiver, unbounded};

use super::parser::Parser;
use super::session::{Commands, Event, Host, Request, Session};
use crate::engine::background::{EngineJobs, EngineThread};
use crate::engine::{Engine, Evaluation, Options};
use crate::eval::network::{NetworkError, NetworkFile};
use crate::streams::console::{Arrival, Speaker};
use crate::streams::{MAX_LINE, Source};
use crate::time::Instant;

/// A session that acts only inside its methods.
pub struct HostedSession {
    session: RefCell<Session>,
    parser: RefCell<Parser>,
    /// The networks given by the host.
    networks: RefCell<NetworkFile>,
    /// Commands that were not taken yet.
    commands: RefCell<VecDeque<Arrival<Request>>>,
    events: Receiver<Event>,
    jobs: EngineJobs,
}

impl HostedSession {
    /// A session whose replies go to `output`. Without networks the engine evaluates by its tables.
    pub fn new(host: Host, output: impl Write + 'static) -> HostedSession {
        let (to_events, events) = unbounded();
        let (engine, jobs) = EngineThread::by_owner(Engine::new(Options::default()));
        let parser = Parser::new(Commands::new(&host.tables));
        let source = Source::Manager;
        let mut session = Session::new(host, source, output, engine, to_events, Default::default());
        session.set_evaluation(Evaluation::Classical);
        HostedSession {
            session: RefCell::new(session),
            parser: RefCell::new(parser),
            networks: RefCell::default(),
            commands: RefCell::default(),
            events,
            jobs,
        }
    }

    /// Adds the networks of a file to those of the engine.
    ///
    /// # Errors
    /// When `bytes` are no networks of this version.
    pub fn add_networks(&self, bytes: Vec<u8>) -> Result<(), NetworkError> {
        let file = NetworkFile::from_bytes(bytes)?;
        let mut networks = self.networks.borrow_mut();
        *networks = networks.with(file);
        let evaluation = Evaluation::Network(Arc::new(networks.clone()));
        self.session.borrow_mut().set_evaluation(evaluation);
        Ok(())
    }

    /// Takes one or more lines. A line during a search acts as in any other session.
    pub fn say(&self, lines: &[u8]) {
        let at = Instant::now();
        let mut commands = self.commands.borrow_mut();
        let mut send = |request: Request| commands.push_back(Arrival::new(request, at));
        let mut parser = self.parser.borrow_mut();
        for line in lines.split(|byte| b"\n\r".contains(byte)) {
            match line.len() {
                0 => {}
                1..=MAX_LINE => parser.line(line, &mut send),
                _ => parser.line_too_long(&mut send),
            }
        }
        drop(commands);
        self.listen();
    }

    /// Lets the engine work, search after search, until nothing is left to do.
    pub fn work(&self) {
        while self.jobs.run_next() {
            self.listen();
        }
    }

    /// Passes on the events of the working engine, and the commands that waited for them. Does
    /// nothing while the session is busy with a command, because a command may ask for the time
    /// too.
    pub fn listen(&self) {
        let Ok(mut session) = self.session.try_borrow_mut() else {
            return;
        };
        while !session.is_over() {
            if let Ok(event) = self.events.try_recv() {
                session.event(event);
                continue;
            }
            let has_room = session.takes_commands();
            let arrival = has_room.then(|| self.commands.borrow_mut().pop_front());
            match arrival.flatten() {
                Some(arrival) => session.command(arrival),
                None => break,
            }
        }
    }

    /// Stops the running search; it answers with its result so far.
    pub fn stop(&self) {
        if let Ok(mut session) = self.session.try_borrow_mut() {
            session.stop();
        }
    }

    /// No command came for a moment: prepares the first search.
    pub fn rest(&self) {
        let mut session = self.session.borrow_mut();
        if session.wants_rest() {
            session.rest();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::rc::Rc;

    use super::*;
    use crate::protocol::settings::Confinement;

    #[derive(Clone, Default)]
    struct Sink(Rc<RefCell<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn hosted() -> (HostedSession, Sink) {
        let sink = Sink::default();
        let host = Host {
            confinement: Some(Confinement {
                threads: 1,
                memory: 64 << 20,
            }),
            ..Host::default()
        };
        (HostedSession::new(host, sink.clone()), sink)
    }

    /// The answers since the last call, without messages.
    fn answers(sink: &Sink) -> Vec<String> {
        let bytes = std::mem::take(&mut *sink.0.borrow_mut());
        let text = String::from_utf8(bytes).unwrap();
        let answers = text.lines().filter(|line| !line.starts_with("MESSAGE"));
        answers.map(str::to_string).collect()
    }

    #[test]
    fn the_engine_works_when_the_host_says_so() {
        let (session, sink) = hosted();
        session.say(b"START 15\nINFO max_node 1000\nTURN 7,7");
        assert_eq!(answers(&sink), ["OK"]);
        // Waits for the search, as in any session.
        session.say(b"YXSHOWFORBID");
        session.listen();
        assert_eq!(answers(&sink), [""; 0]);
        session.work();
        let answers = answers(&sink);
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert!(answers[0].contains(',') && answers[1] == "FORBID .");
    }

    #[test]
    fn a_search_that_was_stopped_before_ends_at_once() {
        let (session, sink) = hosted();
        session.say(b"START 15\nINFO timeout_turn -1\nTURN 7,7");
        session.stop();
        session.work();
        assert_eq!(answers(&sink).len(), 2);
    }

    #[test]
    fn no_file_is_reached_and_the_host_s_words_are_missing() {
        let (session, sink) = hosted();
        session.say(b"YXHASHDUMP\n/tmp/x\nSTART 15\nYXDBCHECK");
        let answers = answers(&sink);
        assert_eq!(answers.len(), 3, "{answers:?}");
        assert!(answers[0].starts_with("ERROR files cannot"), "{answers:?}");
        assert_eq!(answers[2], "UNKNOWN command YXDBCHECK");
    }

    #[test]
    fn networks_come_from_the_host() {
        let (session, sink) = hosted();
        assert!(session.add_networks(b"no network".to_vec()).is_err());
        let renju = include_bytes!("../eval/weights/network-renju.tgnn");
        session.add_networks(renju.to_vec()).unwrap();
        let think = |rule: &str| {
            session
                .say(format!("INFO rule {rule}\nSTART 15\nINFO max_node 500\nTURN 7,7").as_bytes());
            session.work();
            let text =
                String::from_utf8_lossy(&std::mem::take(&mut *sink.0.borrow_mut())).into_owned();
            text.contains("evaluator: ")
        };
        assert!(!think("4"));
        assert!(think("1"), "there is none for standard");
    }

    #[test]
    fn nothing_is_answered_after_the_end() {
        let (session, sink) = hosted();
        session.say(b"START 15\nEND\nABOUT");
        session.work();
        assert_eq!(answers(&sink), ["OK"]);
    }
}
