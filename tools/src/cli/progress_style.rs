//! The look of progress bars.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// Time between two drawings of a bar while nothing else happens.
const TICK: Duration = Duration::from_millis(500);

/// A bar on standard error, hidden where that is no terminal. The bar counts `total` things, `done`
/// of them before this run. `things`, which may be empty, stands behind the numbers; the bar's
/// message has a line of its own.
pub fn counting_bar(total: u64, done: u64, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(total).with_style(counting_style(things));
    bar.set_position(done);
    bar.reset_eta();
    bar.enable_steady_tick(TICK);
    bar
}

/// The same without a total: no time can be estimated.
pub fn endless_bar(done: u64, things: &str) -> ProgressBar {
    let template = format!("{{elapsed_precise}} {{spinner}} {{pos}}{things}\n{{msg}}");
    let bar = ProgressBar::new_spinner().with_style(style(&template));
    bar.set_position(done);
    bar.enable_steady_tick(TICK);
    bar
}

fn counting_style(things: &str) -> ProgressStyle {
    let template =
        format!("{{elapsed_precise}} {{bar:24}} {{pos}}/{{len}}{things}{{left}}\n{{msg}}");
    style(&template).with_key("left", |state: &ProgressState, text: &mut dyn Write| {
        let is_over = state.len().is_none_or(|len| state.pos() >= len);
        let _ = text.write_str(&time_left(state.eta(), is_over));
    })
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a template that is in order")
}

/// The time left, for the end of the line; empty where the time is unknown, as before the first
/// thing is done (`indicatif` estimates no time then).
fn time_left(estimate: Duration, is_over: bool) -> String {
    if estimate.is_zero() || is_over {
        return String::new();
    }
    // Rounded up, because 0 s are left only at the end.
    let seconds = Duration::from_secs(estimate.as_millis().div_ceil(1000) as u64);
    format!(" ({:#} left)", HumanDuration(seconds))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that keeps the text written last.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn before_the_first_item_the_time_left_is_unknown() {
        assert_eq!(time_left(Duration::ZERO, false), "");
        assert_eq!(time_left(Duration::from_secs(45), true), "");
        assert_eq!(time_left(Duration::from_secs(45), false), " (45s left)");
        assert_eq!(time_left(Duration::from_millis(20), false), " (1s left)");
    }

    #[test]
    fn a_bar_shows_no_time_before_it_has_an_estimate() {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let bar = ProgressBar::with_draw_target(Some(10), target);
        bar.set_style(counting_style(" games"));
        let shown = || {
            bar.tick();
            paper.0.lock().unwrap().trim_end().to_string()
        };
        assert!(shown().ends_with(" 0/10 games"), "{}", shown());
        std::thread::sleep(Duration::from_millis(20));
        bar.inc(1);
        assert!(shown().contains(" 1/10 games ("), "{}", shown());
        assert!(shown().ends_with(" left)"), "{}", shown());
    }
}
