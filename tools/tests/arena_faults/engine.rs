//! An engine of the Gomocup protocol that plays the first free cell, except for one fault.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The fault shows when the engine is asked for its second move, so that a game has begun.
const FAULTY_MOVE: usize = 2;

/// Thinking time of every engine: its opponent's untimely lines arrive in it.
const THINKING: Duration = Duration::from_millis(10);

/// The engine whose opponent prints lines out of turn. Its longer thinking lets these lines arrive
/// before its own answer, even on a busy machine.
pub const SLOW: &str = "slow";
const LONG_THINKING: Duration = Duration::from_millis(150);

/// Lifetime of processes that nobody ends; longer than every test's wait.
const FOREVER: Duration = Duration::from_secs(40);

fn say(text: &str) {
    let mut out = io::stdout().lock();
    // The other side may have closed the pipe, as it should with some faults.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Plays until the end of input.
pub fn run(fault: &str, rest: &[String]) {
    match fault {
        "sleeper" => return sleep(FOREVER),
        // A process between an engine and its daemon: it ends, so the daemon becomes an orphan.
        #[cfg(target_os = "linux")]
        "leaves-sleeper" | "leaves-unmarked-sleeper" => {
            return spawn_daemon("sleeper", fault == "leaves-unmarked-sleeper");
        }
        #[cfg(target_os = "linux")]
        "leaves-glutton" => return spawn_daemon("glutton", false),
        "glutton" => return eat_memory(),
        "exits-at-once" => std::process::exit(4),
        // A first game is played.
        "exits-later" if Path::new(&rest[0]).exists() => std::process::exit(4),
        "exits-later" => note_start(Path::new(&rest[0])),
        "counts-starts" => note_start(Path::new(&rest[0])),
        _ => {}
    }
    let thinking = if fault == SLOW {
        LONG_THINKING
    } else {
        THINKING
    };
    let mut taken = [[false; 15]; 15];
    let mut asked = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else {
            break;
        };
        let mut words = line.split_whitespace();
        match (words.next().unwrap_or(""), words.next()) {
            ("START", _) => {
                match fault {
                    "silent-at-start" => continue,
                    "refuses" => {
                        say("ERROR size\n");
                        continue;
                    }
                    _ => say("OK\n"),
                }
                taken = [[false; 15]; 15];
                asked = 0;
            }
            (word @ ("BEGIN" | "TURN"), point) => {
                if word == "TURN" {
                    let (x, y) = point.unwrap().split_once(',').unwrap();
                    let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
                    taken[y][x] = true;
                }
                asked += 1;
                sleep(thinking);
                let (x, y) = first_free(&taken);
                if asked != FAULTY_MOVE || !misbehave(fault, rest, (x, y)) {
                    taken[y][x] = true;
                    say(&format!("{x},{y}\n"));
                }
            }
            ("SWAP2BOARD", _) => say("UNKNOWN command\n"),
            ("ABOUT", _) if fault == "exits-at-about" => std::process::exit(5),
            ("END", _) if fault != "ignores-end" => return,
            _ => {}
        }
    }
    if fault == "ignores-end" {
        sleep(FOREVER);
    }
}

fn first_free(taken: &[[bool; 15]; 15]) -> (usize, usize) {
    (0..15 * 15)
        .map(|i| (i % 15, i / 15))
        .find(|&(x, y)| !taken[y][x])
        .unwrap()
}

/// Commits the fault; the result is true if the fault replaces the move.
fn misbehave(fault: &str, rest: &[String], (x, y): (usize, usize)) -> bool {
    match fault {
        "silent" => {}
        "flood-of-lines" => loop {
            say("MESSAGE depth 1-1 ev 0 n 1 n/ms 1 tm 1 pv A1\n");
        },
        "flood-without-end" => loop {
            say(&"7,7,".repeat(1000));
        },
        "late" => {
            sleep(super::TURN + super::TOLERANCE + Duration::from_millis(300));
            return false;
        }
        "lags" => {
            sleep(super::TURN + super::TOLERANCE / 4);
            return false;
        }
        "twice" => say(&format!("{x},{y}\n14,14\n")),
        "twice-in-time" => {
            // The second line comes while the opponent, a slow thinker, is asked.
            say(&format!("{x},{y}\n"));
            say("14,14\n");
        }
        "garbage" => {
            let mut out = io::stdout().lock();
            let _ = out.write_all(b"\xff\xfe\x00 7;7\n,\n7,\n,7\nh8\n1,2,3\nERROR what\n");
            let _ = out.flush();
        }
        "half-a-line" => say("3,"),
        "closes-input" => {
            // Seen when the opponent's move is sent.
            say(&format!("{x},{y}\n"));
            close_input();
            sleep(FOREVER);
        }
        "closes-output" => {
            close_output();
            sleep(FOREVER);
        }
        "closes-both" => {
            close_output();
            close_input();
            sleep(FOREVER);
        }
        "exits" => std::process::exit(3),
        "aborts" => std::process::abort(),
        "panics" => panic!("the table is empty"),
        "taken" => say("0,0\n"),
        "off-board" => say("15,0\n"),
        "passes" => say("-1,-1\n"),
        "forks-and-exits" => {
            spawn("sleeper", Stdio::inherit());
            std::process::exit(0);
        }
        "forks-and-is-silent" => spawn("sleeper", Stdio::inherit()),
        #[cfg(target_os = "linux")]
        "has-daemon" => {
            // One sleeper stays a child, and the other's parent ends.
            spawn_daemon("sleeper", false);
            spawn_daemon("leaves-sleeper", false);
            return false;
        }
        #[cfg(target_os = "linux")]
        "has-unmarked-daemon" => {
            spawn_daemon("leaves-unmarked-sleeper", true);
            return false;
        }
        "eats-memory" => eat_memory(),
        "child-eats-memory" => {
            spawn("glutton", Stdio::null());
            sleep(FOREVER);
        }
        #[cfg(target_os = "linux")]
        "daemon-eats-memory" => {
            spawn_daemon("leaves-glutton", false);
            sleep(FOREVER);
        }
        "crashes-once" => {
            let marker = Path::new(&rest[0]);
            if !marker.exists() {
                File::create(marker).unwrap();
                std::process::exit(1);
            }
            return false;
        }
        _ => return false,
    }
    true
}

/// Starts this program again, with another task; the process shares our output if `stdout` says so.
/// Nobody waits for the process: that is the fault.
#[expect(clippy::zombie_processes)]
fn spawn(task: &str, stdout: Stdio) {
    Command::new(std::env::current_exe().unwrap())
        .args(["--engine", task])
        .stdin(Stdio::null())
        .stdout(stdout)
        .spawn()
        .unwrap();
}

/// The same in a session of its own, out of reach of signals to our process group, and with an
/// empty environment if `without_environment` is set.
#[cfg(target_os = "linux")]
#[expect(clippy::zombie_processes)]
fn spawn_daemon(task: &str, without_environment: bool) {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--engine", task])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    if without_environment {
        command.env_clear();
    }
    let leave = || {
        rustix::process::setsid()?;
        Ok(())
    };
    // SAFETY: `leave` takes no memory between fork and exec.
    unsafe { command.pre_exec(leave) };
    command.spawn().unwrap();
}

/// Takes 130 MiB and keeps them.
fn eat_memory() {
    let mut memory = vec![0u8; 130 << 20];
    for page in memory.chunks_mut(4096) {
        page[0] = 1;
    }
    sleep(FOREVER);
    std::hint::black_box(memory);
}

fn note_start(path: &Path) {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    writeln!(file, "{}", std::process::id()).unwrap();
}

#[cfg(unix)]
fn close_output() {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    // SAFETY: nothing else in this process uses the descriptor of its standard output any more.
    drop(unsafe { OwnedFd::from_raw_fd(io::stdout().as_raw_fd()) });
}

#[cfg(unix)]
fn close_input() {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    // SAFETY: nothing else in this process uses the descriptor of its standard input any more.
    drop(unsafe { OwnedFd::from_raw_fd(io::stdin().as_raw_fd()) });
}

#[cfg(windows)]
fn close_output() {
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    // SAFETY: nothing else in this process uses the handle of its standard output any more.
    drop(unsafe { OwnedHandle::from_raw_handle(io::stdout().as_raw_handle()) });
}

#[cfg(windows)]
fn close_input() {
    // Used by a case for Unix only; reading to the end does the same for the compiler.
    let _ = io::stdin().lock().read_line(&mut String::new());
}
