//! The terminal as a resource: taken over for the full screen, and given back on every way out.

use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// True while the terminal is taken over, so it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, taken over until this is dropped.
pub(super) struct Screen {
    /// The drawing surface. Dropped, it would print an error where the terminal is gone, and panic
    /// where standard error is gone too.
    pub(super) terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl Screen {
    /// Takes the terminal over. A panic of the calling thread gives the terminal back before the
    /// message is printed; a panic in another thread goes to the log, because its text would spoil
    /// the screen.
    pub(super) fn take() -> io::Result<Screen> {
        let usual = panic::take_hook();
        let owner = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == owner {
                give_back();
                usual(info);
            } else {
                log::error!("{info}");
            }
        }));
        let terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(stdout()))?);
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        // Made before the rest, so an error gives the terminal back.
        let screen = Screen { terminal };
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }

    /// Takes the terminal over again after a shell had it. The whole screen must be drawn then.
    pub(super) fn take_again(&self) -> io::Result<()> {
        // The library leaves out a mode believed to be set, so raw mode is ended first.
        disable_raw_mode()?;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, if it is taken. Errors are ignored, because they cannot be shown.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            stdout(),
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}
