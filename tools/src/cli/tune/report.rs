//! A tuning's parameters as text.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::args::{Stage, TuningSetup};
use crate::arena::spsa::{Knob, Spsa};

/// The `rows` parameters that have moved most, in steps of their own, in the order of the registry.
pub fn table(spsa: &Spsa, rows: usize) -> String {
    let drift = |(knob, value): &(&Knob, &f64)| (**value - f64::from(knob.start)) / knob.c_end;
    let mut numbers: Vec<(usize, (&Knob, &f64))> =
        spsa.knobs().iter().zip(spsa.values()).enumerate().collect();
    numbers.sort_by(|(_, a), (_, b)| drift(b).abs().total_cmp(&drift(a).abs()));
    numbers.truncate(rows);
    numbers.sort_by_key(|(place, _)| *place);
    let mut text = format!(
        "{:<22} {:>9} {:>11} {:>9}  range\n",
        "number", "start", "now", "steps"
    );
    for (_, number) in &numbers {
        let (knob, value) = number;
        let _ = writeln!(
            text,
            "{:<22} {:>9} {:>11.2} {:>+9.2}  {}..={}",
            knob.name,
            knob.start,
            value,
            drift(number),
            knob.min,
            knob.max
        );
    }
    text
}

/// The lines for the registry, and the matches that test them.
pub fn outcome(spsa: &Spsa, setup: &TuningSetup) -> String {
    let mut text = "Lines for src/search/params.rs:\n\n".to_string();
    let mut changes = Vec::new();
    for (param, value) in setup.params.iter().zip(spsa.values()) {
        let value = value.round() as i32;
        let _ = writeln!(
            text,
            "    {} = {value}, {}..={}, {};",
            param.name, param.min, param.max, param.step
        );
        if value != param.default {
            changes.push(format!("option.{}={value}", param.name));
        }
    }
    if changes.is_empty() {
        text.push_str("\nNothing has moved by a whole number.\n");
        return text;
    }
    text.push_str(
        "\nWhether they are better, and not only the last place of a walk, is shown by\n\n",
    );
    for stage in &setup.stages {
        let _ = writeln!(text, "{}", verification(setup, stage, &changes));
    }
    text
}

/// A match of the new parameters against the old ones, with openings unseen by the tuning.
fn verification(setup: &TuningSetup, stage: &Stage, changes: &[String]) -> String {
    let program = format!("cmd={}", shell_words::quote(&setup.program));
    let board = &stage.conditions.board;
    let mut words = vec![setup.program.clone(), "match".into()];
    words.extend(["--engine".into(), program.clone(), "name=tuned".into()]);
    words.extend(changes.iter().cloned());
    words.extend(["--engine".into(), program, "name=shipped".into()]);
    if !setup.terms.each.is_empty() {
        words.push("--each".into());
        words.extend(setup.terms.each.iter().cloned());
    }
    words.extend(setup.judge.iter().cloned());
    let seed = setup.terms.plan.seed.wrapping_add(1);
    words.extend([
        format!("--rule={}", stage.conditions.rule),
        format!("--size={}x{}", board.width(), board.height()),
        "--openings=balanced:200".into(),
        format!("--seed={seed}"),
        format!("--concurrency={}", setup.concurrency),
        "--sprt".into(),
        "elo0=0".into(),
        "elo1=5".into(),
    ]);
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word for a shell, but without the quotes that `key=value` does not need.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:+".contains(c);
    if word.starts_with(|c: char| c != '=') && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        shell_words::quote(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::spsa::Plan;

    #[test]
    fn the_table_shows_what_has_moved_most() {
        let knob = |name: &str, c_end| Knob {
            name: name.to_string(),
            start: 50,
            min: 0,
            max: 100,
            c_end,
        };
        let plan = Plan {
            iterations: 1,
            r_end: 0.1,
            seed: 1,
        };
        let mut spsa = Spsa::new(vec![knob("small", 1.0), knob("large", 4.0)], plan);
        let sign = spsa.trial().flips[1];
        spsa.note(5);
        let text = table(&spsa, 2);
        let row = text.lines().find(|l| l.starts_with("large")).unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        // One iteration: 5 games more, a tenth of a step each.
        let (now, steps) = if sign == 1 {
            ("52.00", "+0.50")
        } else {
            ("48.00", "-0.50")
        };
        assert_eq!(words, ["large", "50", now, steps, "0..=100"]);
        assert_eq!(table(&spsa, 1).lines().count(), 2);
    }
}
