//! `play` in a terminal: the real program on a pseudo terminal, whose screen is read.
#![cfg(unix)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

/// Longest wait for a text, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person at a terminal of 24 rows and 80 columns.
struct Terminal {
    pty: Pty,
    child: Child,
    parser: vt100::Parser,
}

impl Terminal {
    /// Starts `tengen play` with `home` as the user's folder.
    fn start(home: &Path, args: &[&str]) -> Terminal {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["play", "--hash", "4", "--depth", "2"])
            .args(args)
            .env("XDG_STATE_HOME", home)
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .current_dir(home)
            .spawn(pts)
            .unwrap();
        let (rows, columns) = (NonZero::new(24).unwrap(), NonZero::new(80).unwrap());
        Terminal {
            pty,
            child,
            parser: vt100::Parser::new(rows, columns, 0),
        }
    }

    /// Reads output that comes within `wait`; false without any.
    fn read(&mut self, wait: Duration) -> bool {
        let mut ready = libc::pollfd {
            fd: self.pty.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one descriptor, which is open as long as `self`.
        let count = unsafe { libc::poll(&mut ready, 1, wait.as_millis() as i32) };
        let mut bytes = [0; 4096];
        // Linux answers with an error once the program is gone.
        let read = match count {
            1 => self.pty.read(&mut bytes).unwrap_or(0),
            _ => 0,
        };
        self.parser.process(&bytes[..read]);
        read > 0
    }

    fn type_keys(&mut self, keys: &str) -> &mut Terminal {
        self.pty.write_all(keys.as_bytes()).unwrap();
        self
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }

    fn screen(&self) -> String {
        let contents = self.parser.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_string()
    }

    /// Waits until the screen shows `text`.
    fn sees(&mut self, text: &str) -> &mut Terminal {
        self.waits_for(text, |screen| screen.contains(text))
    }

    fn waits_for(&mut self, what: &str, is_seen: impl Fn(&str) -> bool) -> &mut Terminal {
        let end = Instant::now() + PATIENCE;
        while !is_seen(&self.screen()) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(self.read(left), "no '{what}':\n{}", self.screen());
        }
        self
    }

    /// The modes of the terminal's line.
    fn modes(&self) -> libc::termios {
        // SAFETY: all bits zero are valid, and the descriptor is open as long as `self`.
        unsafe {
            let mut modes = std::mem::zeroed();
            libc::tcgetattr(self.pty.as_raw_fd(), &mut modes);
            modes
        }
    }

    fn signal(&self, signal: i32) {
        // SAFETY: `kill` has no conditions; the child is not waited for yet, so the id is its own.
        unsafe { libc::kill(self.child.id() as i32, signal) };
    }

    /// Waits for the end of the program; its last words are on the screen.
    fn ends(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        while self.read(Duration::from_millis(200)) {}
        status
    }

    /// Closes the terminal's window: the system hangs up, and nothing can be written any more.
    fn close(self) -> ExitStatus {
        let Terminal { pty, mut child, .. } = self;
        drop(pty);
        child.wait().unwrap()
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The only kept game.
fn kept(home: &Path) -> String {
    let entries = fs::read_dir(home.join("tengen/games")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let games: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "sgf"))
        .collect();
    assert_eq!(games.len(), 1, "{games:?}");
    fs::read_to_string(&games[0]).unwrap()
}

/// Shells clear the line with Ctrl-U and Ctrl-C, and search with Ctrl-R; Ctrl-Q goes on with
/// output.
#[test]
fn the_habits_of_shells_cost_no_move() {
    let home = home();
    let mut terminal = Terminal::start(home.path(), &["--side", "both"]);
    terminal.sees("Black to move").type_keys("h8\ri9\rh7\r");
    terminal
        .sees("1.h8 2.i9 3.h7")
        .type_keys("abc")
        .sees("> abc");
    for keys in ["\x15", "xyz\x03", "xyz\x17\x12\x11"] {
        terminal.type_keys(keys).type_keys("q1");
        terminal.waits_for("> q1 alone", |screen| screen.ends_with("> q1"));
        assert!(terminal.screen().contains("3.h7"), "{}", terminal.screen());
        terminal.type_keys("\x1b");
        thread::sleep(Duration::from_millis(50));
        terminal.type_keys("\x15");
        terminal.waits_for("an empty line", |screen| screen.ends_with('>'));
    }
    terminal
        .type_keys("\x0c\x1a")
        .waits_for("one move less", |screen| {
            screen.contains("2.i9") && !screen.contains("3.h7")
        });
    terminal.type_keys("\x19").sees("3.h7");
}

/// However a game is left, `--resume` goes on with it.
#[test]
fn no_end_of_the_program_loses_the_game() {
    let home = home();
    let side = ["--side", "both"];
    let mut terminal = Terminal::start(home.path(), &side);
    terminal
        .sees("Black to move")
        .type_keys("h8\r")
        .sees("1.h8");
    terminal.type_keys("\x03");
    assert!(terminal.ends().success());
    assert!(terminal.screen().contains("tengen play --resume goes on"));
    let mut moves = "1.h8".to_string();
    for (number, point, leave) in [
        (2, "i9", "\x04"),
        (3, "h7", "quit\r"),
        (4, "h6", "kill"),
        (5, "j9", "end"),
        (6, "j8", "hang up"),
    ] {
        let mut terminal = Terminal::start(home.path(), &["--resume"]);
        terminal.sees(&moves).type_keys(&format!("{point}\r"));
        moves += &format!(" {number}.{point}");
        terminal.sees(&moves);
        match leave {
            "kill" => terminal.signal(libc::SIGKILL),
            "end" => terminal.signal(libc::SIGTERM),
            "hang up" => {
                assert_ne!(terminal.close().code(), Some(101), "a panic");
                continue;
            }
            keys => drop(terminal.type_keys(keys)),
        }
        terminal.ends();
    }
    let game = kept(home.path());
    assert!(game.contains(";W[jh]"), "{game}");
    // Line by line, too; and a game of another process is left alone.
    let mut first = Terminal::start(home.path(), &["--resume", "--plain"]);
    first.sees("Black to move");
    let mut second = Terminal::start(home.path(), &["--resume"]);
    assert_eq!(second.ends().code(), Some(1));
    assert!(second.screen().contains("another process plays"));
    first.type_keys("a1\rquit\r");
    assert!(first.ends().success());
    assert!(kept(home.path()).contains(";B[ao]"));
}

/// A shell that stops the program takes its terminal; the program takes the terminal again when
/// continued.
#[test]
fn a_stopped_program_goes_on_with_its_screen() {
    let home = home();
    let mut terminal = Terminal::start(home.path(), &["--side", "both"]);
    terminal
        .sees("Black to move")
        .type_keys("h8\r")
        .sees("1.h8");
    terminal.signal(libc::SIGSTOP);
    let mut status = 0;
    let pid = terminal.child.id() as i32;
    // SAFETY: `status` is valid; a stop that is waited for leaves the child to be waited for.
    unsafe { libc::waitpid(pid, &mut status, libc::WUNTRACED) };
    while terminal.read(Duration::ZERO) {}
    terminal.parser.process(b"\x1b[?1000l\x1b[?1049l$ fg\r\n");
    let raw = terminal.modes();
    let mut cooked = raw;
    cooked.c_lflag |= libc::ICANON | libc::ECHO | libc::ISIG;
    // SAFETY: the descriptor is open, and `cooked` is valid.
    unsafe { libc::tcsetattr(terminal.pty.as_raw_fd(), libc::TCSANOW, &cooked) };
    terminal.signal(libc::SIGCONT);
    terminal.sees("1.h8").sees("White to move");
    assert!(terminal.parser.screen().alternate_screen());
    assert_eq!(terminal.modes().c_lflag, raw.c_lflag);
    terminal.type_keys("i9\r").sees("1.h8 2.i9");
    // Without the modes of the screen, the shell has its own back.
    terminal.type_keys("quit\r");
    assert!(terminal.ends().success());
    assert!(!terminal.parser.screen().alternate_screen());
}

#[test]
fn a_terminal_without_rows_or_columns_ends_nothing() {
    let home = home();
    let mut terminal = Terminal::start(home.path(), &["--side", "both"]);
    terminal.sees("Black to move");
    for (rows, columns) in [(0, 80), (24, 0), (0, 0), (1, 1), (2, 200)] {
        terminal.resize(rows, columns);
        thread::sleep(Duration::from_millis(300));
        terminal.type_keys("x\x15");
    }
    terminal.resize(24, 80);
    thread::sleep(Duration::from_millis(300));
    terminal.type_keys("\x0ch8\r").sees("1.h8");
}

#[test]
fn keys_switch_values_and_numbers_and_the_end_names_review() {
    let home = home();
    let mut terminal = Terminal::start(home.path(), &["--strength", "70"]);
    terminal
        .sees("freestyle, 15x15, strength 70")
        .type_keys("h8\r");
    terminal.sees("Black's win rate").type_keys("\x1bOQ");
    terminal.waits_for("no win rate", |screen| !screen.contains("Black's win rate"));
    terminal.type_keys("\x1bOR").sees(" 1]");
    terminal.type_keys("resign\r").sees("judges every move");
    terminal
        .type_keys("save game.sgf\r")
        .sees("saved to game.sgf");
    terminal.waits_for("the file's name", |screen| !screen.contains("FILE"));
    let game = fs::read_to_string(home.path().join("game.sgf")).unwrap();
    assert!(game.contains(", strength 70]"), "{game}");
}
