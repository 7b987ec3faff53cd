//! Makes a failing sequence small: drops commands and entries of blocks while the sequence still
//! fails.

use std::time::{Duration, Instant};

use crate::command::Style;
use crate::conversation::{Failure, Sequence, Step, Then};

/// Shrinking ends after this.
const PATIENCE: Duration = Duration::from_secs(90);

/// The smallest failing sequence found, and its failure.
pub fn shrink(
    sequence: Sequence,
    failure: Failure,
    fails: impl Fn(&Sequence) -> Option<Failure>,
) -> (Vec<Step>, Failure) {
    let until = Instant::now() + PATIENCE;
    let mut best = (sequence, failure);
    loop {
        let smaller = candidates(&best.0)
            .into_iter()
            .take_while(|_| Instant::now() < until)
            .find_map(|candidate| {
                let failure = fails(&candidate)?;
                Some((candidate, failure))
            });
        match smaller {
            Some(smaller) => best = smaller,
            None => return (best.0.steps, best.1),
        }
    }
}

/// Smaller sequences, the smallest first.
fn candidates(sequence: &Sequence) -> Vec<Sequence> {
    let steps = &sequence.steps;
    let mut found = Vec::new();
    let mut add = |steps: Vec<Step>| {
        found.push(Sequence {
            steps,
            ends_early: sequence.ends_early,
        });
    };
    for part in parts(steps.len()) {
        add([&steps[..part.start], &steps[part.end..]].concat());
    }
    for (i, step) in steps.iter().enumerate() {
        for simpler in simpler_steps(step) {
            let mut steps = steps.clone();
            steps[i] = simpler;
            add(steps);
        }
    }
    found
}

/// Halves, quarters and so on of a list, down to its single elements.
fn parts(length: usize) -> Vec<std::ops::Range<usize>> {
    let mut parts = Vec::new();
    let mut size = length;
    while size > 0 {
        parts.extend((0..length).step_by(size).map(|i| i..(i + size).min(length)));
        size /= 2;
    }
    parts
}

fn simpler_steps(step: &Step) -> Vec<Step> {
    let mut simpler = Vec::new();
    if step.style != Style::PLAIN || step.cut != usize::MAX {
        simpler.push(Step {
            style: Style::PLAIN,
            cut: usize::MAX,
            ..step.clone()
        });
    }
    if step.then != Then::Wait {
        simpler.push(Step {
            then: Then::Wait,
            ..step.clone()
        });
    }
    let mut command = step.command.clone();
    let length = command.entries_mut().map_or(0, |entries| entries.len());
    for part in parts(length) {
        let mut command = step.command.clone();
        if let Some(entries) = command.entries_mut() {
            entries.drain(part);
        }
        simpler.push(Step {
            command,
            ..step.clone()
        });
    }
    simpler
}
