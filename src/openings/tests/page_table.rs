//! The opening rules and the 26 openings as the page reads them.

use super::super::rule::Item;
use super::*;
use crate::types::Point;

fn area(area: Area) -> String {
    match area {
        Area::Anywhere => "\"anywhere\"".to_string(),
        Area::Within(radius) => format!("{{ \"within\": {radius} }}"),
        Area::Beyond(radius) => format!("{{ \"beyond\": {radius} }}"),
    }
}

fn step(item: &Item) -> String {
    let put = |by, at| {
        format!(
            "{{ \"do\": \"put\", \"by\": \"{by}\", \"area\": {} }}",
            area(at)
        )
    };
    let take = |or: String| format!("{{ \"do\": \"take\", \"or\": {or} }}");
    let number = |n: Option<u8>| n.map_or("null".to_string(), |n| n.to_string());
    match *item {
        Item::First(at) => put("first", at),
        Item::Mover(at) => put("mover", at),
        Item::Take => take("null".to_string()),
        Item::TakeOrAdd => take("\"add\"".to_string()),
        Item::TakeOrOffer(count) => take(format!("{{ \"offer\": {count} }}")),
        Item::Declare(most) => format!("{{ \"do\": \"declare\", \"most\": {} }}", number(most)),
        Item::Offer(count) => format!("{{ \"do\": \"offer\", \"count\": {} }}", number(count)),
        Item::Keep => "{ \"do\": \"keep\" }".to_string(),
    }
}

fn rule(rule: OpeningRule) -> String {
    let steps: Vec<String> = rule
        .script()
        .iter()
        .map(|item| format!("        {}", step(item)))
        .collect();
    let steps = match steps.is_empty() {
        true => String::new(),
        false => format!("\n{}\n      ", steps.join(",\n")),
    };
    format!(
        "    \"{}\": {{\n      \"isRenju\": {},\n      \"leastSide\": {},\n      \"steps\": [{steps}]\n    }}",
        rule.name(),
        rule.kind() == RuleKind::Renju,
        rule.least_side(),
    )
}

fn opening(opening: NamedOpening) -> String {
    let [centre, white, black] = opening.points(15, 15);
    let offset = |p: Point| {
        let from = |at: u8, middle: u8| i32::from(at) - i32::from(middle);
        format!("[{}, {}]", from(p.x(), centre.x()), from(p.y(), centre.y()))
    };
    format!(
        "    {{ \"code\": \"{}\", \"name\": \"{}\", \"chinese\": \"{}\", \"japanese\": \"{}\", \"white\": {}, \"black\": {} }}",
        opening.code(),
        opening.name(),
        opening.chinese(),
        opening.japanese(),
        offset(white),
        offset(black),
    )
}

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn the_page_has_these_rules_and_openings() {
    let designated = "designated:1D:1".parse().unwrap();
    let all = OpeningRule::PLAIN.into_iter().chain([designated]);
    let rules: Vec<String> = all.map(rule).collect();
    let openings: Vec<String> = NamedOpening::all().map(opening).collect();
    crate::held::assert_held(
        "web/src/game/openings.json",
        &format!(
            "{{\n  \"rules\": {{\n{}\n  }},\n  \"openings\": [\n{}\n  ]\n}}\n",
            rules.join(",\n"),
            openings.join(",\n")
        ),
    );
}
