//! The engine in a browser's worker: a session of the protocol behind a few C functions.
//!
//! The host calls [`say`] with lines; the call returns when the engine has nothing more to do.
//! Meanwhile replies go to the host's `reply`. A searching worker receives no messages, so the
//! search asks the host by `wants_stop` about fifty times a second.
//!
//! Bytes pass from the host in blocks: the host gets a block by [`allocate`] and gives it back with
//! the call.

#[cfg(feature = "checks")]
mod checks;
#[cfg(target_feature = "atomics")]
mod threads;

use std::cell::{Cell, OnceCell};
use std::io::{self, Write};

use tengen::protocol::hosted::HostedSession;
use tengen::protocol::{Confinement, Host};
use tengen::time::set_clock;
use tengen_games::convert::to_sgf;

/// Time between two checks of the host's `wants_stop`, in ms.
const LOOK_MS: f64 = 20.0;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since a fixed moment, the same in all threads.
    safe fn now_ms() -> f64;
    /// True if a waiting line of the host ends the search.
    safe fn wants_stop() -> bool;
    /// Takes a line of the session.
    fn reply(text: *const u8, length: usize);
    /// Takes the message of a panic; the program is dead afterwards.
    fn fault(text: *const u8, length: usize);
    /// Takes the result of [`convert`], or the reason for its absence.
    fn converted(text: *const u8, length: usize, is_good: bool);
}

thread_local! {
    static SESSION: OnceCell<HostedSession> = const { OnceCell::new() };
    static LOOKED_AT: Cell<f64> = const { Cell::new(0.0) };
}

/// Begins the session with at most this many search threads and MiB of memory.
#[unsafe(no_mangle)]
pub extern "C" fn start(threads: usize, memory_mib: usize) {
    set_clock(read_clock);
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the text lives as long as the call.
        unsafe { fault(text.as_ptr(), text.len()) };
    }));
    let host = Host {
        tables: vec![tengen_games::commands::COMMANDS],
        store: None,
        confinement: Some(Confinement {
            threads,
            memory: (memory_mib as u64) << 20,
        }),
    };
    SESSION.with(|session| {
        session.get_or_init(|| HostedSession::new(host, Replies(Vec::new())));
    });
}

/// Takes lines, and returns when all their work is done.
///
/// # Safety
/// `text` is a block of `length` bytes from [`allocate`]; from now on the session owns the block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn say(text: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    let lines = unsafe { block(text, length) };
    with_session(|session| {
        session.say(&lines);
        session.work();
    });
}

/// Tells the session that no line came for a moment.
#[unsafe(no_mangle)]
pub extern "C" fn rest() {
    with_session(HostedSession::rest);
}

/// Gives the engine the networks of a file. False if the file holds none.
///
/// # Safety
/// As for [`say`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add_networks(bytes: *mut u8, length: usize) -> bool {
    // SAFETY: as the caller promises.
    let bytes = unsafe { block(bytes, length) };
    let mut is_good = false;
    with_session(|session| is_good = session.add_networks(bytes).is_ok());
    is_good
}

/// Hands a game of any format to the host's `converted` as SGF.
///
/// # Safety
/// As for [`say`], for both blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert(file: *mut u8, length: usize, name: *mut u8, name_length: usize) {
    // SAFETY: as the caller promises.
    let (file, name) = unsafe { (block(file, length), block(name, name_length)) };
    let result = to_sgf(&file, &String::from_utf8_lossy(&name)).map_err(|why| why.to_string());
    let is_good = result.is_ok();
    let (Ok(text) | Err(text)) = result;
    // SAFETY: the text lives as long as the call.
    unsafe { converted(text.as_ptr(), text.len(), is_good) };
}

/// A block of that many bytes for an argument.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes of a block that the host has filled.
///
/// # Safety
/// The block is one of that length from [`allocate`], with no other user.
unsafe fn block(start: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: `allocate` gave the block out as a boxed slice of `length` bytes.
    unsafe { Vec::from_raw_parts(start, length, length) }
}

fn with_session(work: impl FnOnce(&HostedSession)) {
    SESSION.with(|session| work(session.get().expect("the session was started")));
}

/// The clock of the engine. A search reads the clock all the time, so each reading also passes on
/// the search's lines and checks for a stop.
fn read_clock() -> f64 {
    let now = now_ms();
    if now - LOOKED_AT.get() >= LOOK_MS {
        LOOKED_AT.set(now);
        SESSION.with(|session| {
            let Some(session) = session.get() else { return };
            session.listen();
            if wants_stop() {
                session.stop();
            }
        });
    }
    now
}

/// Hands each line to the host.
struct Replies(Vec<u8>);

impl Write for Replies {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    // SAFETY: the line lives as long as the call.
                    unsafe { reply(self.0.as_ptr(), self.0.len()) };
                    self.0.clear();
                }
                _ => self.0.push(byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
