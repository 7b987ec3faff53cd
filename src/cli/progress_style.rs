//! How the bars look that count what is done.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressState, ProgressStyle};

/// The style of a template of `indicatif`, in which `{left}` stands for the time that is left.
pub fn style_with_estimate(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("a template that is in order")
        .with_key("left", |state: &ProgressState, text: &mut dyn Write| {
            let is_over = state.len().is_none_or(|len| state.pos() >= len);
            let _ = text.write_str(&time_left(state.eta(), is_over));
        })
}

/// `indicatif` estimates no time at all before the first item is done.
fn time_left(estimate: Duration, is_over: bool) -> String {
    if estimate.is_zero() && !is_over {
        "?".to_string()
    } else {
        format!("{:#}", HumanDuration(estimate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_the_first_item_the_time_left_is_unknown() {
        assert_eq!(time_left(Duration::ZERO, false), "?");
        assert_eq!(time_left(Duration::ZERO, true), "0s");
        assert_eq!(time_left(Duration::from_secs(45), false), "45s");
    }
}
