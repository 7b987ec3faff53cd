//! The commands for opening steps as the page reads them: by rule, step and number of stones. `#`
//! stands for the number of fifth stones that was declared.

use std::collections::BTreeMap;

use super::super::wire::request;
use crate::board::Board;
use crate::openings::{Alternative, Choice, OpeningRule, OpeningStep, Phase, unequal_points};

/// Declared where a number is; no rule has it.
const DECLARED: u8 = 7;

/// Adds the commands of the next step and of all possible later ones.
fn add(commands: &mut BTreeMap<String, String>, phase: &Phase) {
    let Some(step) = phase.step() else {
        return;
    };
    let fifths = |count: u8| {
        let mut points = unequal_points(phase.board());
        points.truncate(count.into());
        Choice::Offer(points)
    };
    let (name, choices) = match step {
        OpeningStep::Put(_) => ("put", vec![phase.any_choice()]),
        OpeningStep::Take(or) => {
            let other = match or {
                None => phase.any_choice(),
                Some(Alternative::Add) => {
                    let free: Vec<_> = phase.board().empty_points().take(2).collect();
                    Choice::Add([free[0], free[1]])
                }
                Some(Alternative::Offer { count }) => fifths(count),
            };
            ("take", vec![phase.any_choice(), other])
        }
        OpeningStep::Declare { .. } => ("declare", vec![Choice::Declare(DECLARED)]),
        OpeningStep::Offer { count } => ("offer", vec![fifths(count)]),
        OpeningStep::Keep => ("keep", vec![phase.any_choice()]),
    };
    let text = request(phase);
    let head = text.lines().next().expect("a command");
    let command = head.replace(&format!(" {DECLARED}"), " #");
    let key = format!("{name} {}", phase.board().stones().len());
    let known = commands.insert(key, command.clone());
    assert!(known.is_none_or(|known| known == command), "{command}");
    for choice in choices {
        let mut next = phase.clone();
        next.choose(&choice).expect("a legal choice");
        add(commands, &next);
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn the_page_has_these_commands() {
    let designated = format!("designated:1D:{DECLARED}").parse().unwrap();
    let rules = OpeningRule::PLAIN
        .into_iter()
        .chain([designated])
        .map(|rule: OpeningRule| {
            let mut commands = BTreeMap::new();
            add(
                &mut commands,
                &Phase::new(rule, &Board::new(15, 15).unwrap()).unwrap(),
            );
            let lines: Vec<String> = commands
                .iter()
                .map(|(key, command)| format!("    \"{key}\": \"{command}\""))
                .collect();
            format!("  \"{}\": {{\n{}\n  }}", rule.name(), lines.join(",\n"))
        });
    let rules: Vec<String> = rules.skip(1).collect();
    crate::held::assert_held(
        "web/src/engine/opening-commands.json",
        &format!("{{\n{}\n}}\n", rules.join(",\n")),
    );
}
