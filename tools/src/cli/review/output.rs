//! A review as JSON, as a game with variations, and as a page.

use serde_json::{Value, json};

use super::super::error::warn;
use super::super::output_file;
use super::super::{Error, Output};
use super::{Args, Reviewed};
use crate::serve::Page;
use tengen::board::Move;
use tengen::types::Point;
use tengen_games::review::{Judgement, MoveClass};
use tengen_games::sgf::{Property, Tree};

/// Version of the JSON.
const VERSION: u32 = 1;
/// In the comment of the root of a reviewed game.
const MARK: &str = "Reviewed by Tengen.";

/// Checks that the files of the arguments can be written.
pub(super) fn check(args: &Args) -> Result<(), Error> {
    if args.sgf.is_some() && args.sgf == args.html {
        let text = "--sgf and --html name the same file";
        return Err(Error::Usage(text.to_string()));
    }
    if args.json && args.prints_file() {
        let text = "--json and the '-' of a file both mean standard output";
        return Err(Error::Usage(text.to_string()));
    }
    if let Some(path) = &args.sgf {
        output_file::check(path, is_reviewed_game)?;
    }
    if let Some(path) = &args.html {
        page()?.review("null").map_err(Error::failed)?;
        output_file::check(path, is_page)?;
    }
    Ok(())
}

/// Writes the files of the arguments. Where nothing was judged, those of an older review stay.
pub(super) fn write_files(args: &Args, reviewed: &Reviewed, out: &mut Output) -> Result<(), Error> {
    let judgements = &reviewed.review.judgements;
    if judgements.iter().all(|j| j.class == MoveClass::Unknown) {
        for path in args.sgf.iter().chain(&args.html) {
            let path = path.display();
            warn(&format!("nothing was judged: {path} is not written"));
        }
        return Ok(());
    }
    if let Some(path) = &args.sgf {
        let game = game_with_values(reviewed);
        output_file::write(path, is_reviewed_game, &game, out)?;
    }
    if let Some(path) = &args.html {
        let html = page()?.review(&json(reviewed)).map_err(Error::failed)?;
        output_file::write(path, is_page, &html, out)?;
    }
    Ok(())
}

fn page() -> Result<Page, Error> {
    Page::built_in().map_err(Error::failed)
}

fn is_reviewed_game(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("(;") && text.contains(MARK)
}

fn is_page(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("<!doctype html>") && text.contains("Tengen: review of a game")
}

/// The whole review as one JSON object.
pub(super) fn json(reviewed: &Reviewed) -> String {
    let record = &reviewed.record;
    let positions: Vec<Value> = reviewed
        .review
        .judgements
        .iter()
        .map(Judgement::json)
        .collect();
    let json = json!({
        "version": VERSION,
        "sgf": record.bare().sgf(reviewed.rule),
        "rule": reviewed.rule.to_string(),
        "width": record.start.width(),
        "height": record.start.height(),
        "positions": positions,
        "summary": reviewed.review.summary.json(),
    });
    json.to_string()
}

/// The game with all that its file says, a comment on each move, and the better lines as
/// variations. The comments and marks of an earlier review are replaced.
fn game_with_values(reviewed: &Reviewed) -> String {
    let mut record = reviewed.record.clone();
    let places = record.places();
    if is_reviewed(&record.tree) {
        forget_review(&mut record.tree);
    }
    let root = format!("{MARK}{}", accuracy(reviewed));
    add_comment(&mut record.tree, Tree::ROOT, &root);
    let missing = reviewed.review.summary.moves - reviewed.review.judgements.len();
    let height = record.start.height();
    for (index, judgement) in (missing..).zip(&reviewed.review.judgements) {
        let Some(&place) = places.get(index) else {
            break;
        };
        let tree = &mut record.tree;
        let mark = match judgement.class {
            MoveClass::Inaccuracy => Some(("DO", "")),
            MoveClass::Mistake => Some(("BM", "1")),
            MoveClass::Blunder => Some(("BM", "2")),
            _ => None,
        };
        if let Some((name, value)) = mark.filter(|(name, _)| tree.node(place).find(name).is_none())
        {
            tree.node_mut(place)
                .properties
                .push(Property::new(name, value));
        }
        add_comment(tree, place, &comment(judgement, height));
        if judgement.class.is_fault() {
            let parent = index
                .checked_sub(1)
                .map_or_else(|| parent(tree, place), |i| places[i]);
            add_line(tree, parent, judgement);
        }
    }
    record.sgf(reviewed.rule)
}

/// The node before the one at `place` on the main line.
fn parent(tree: &Tree, place: usize) -> usize {
    let mut line = tree.main_line().take_while(|&at| at != place);
    line.by_ref().last().unwrap_or(Tree::ROOT)
}

/// Adds a better line after the node at `parent`. Moves that are there already are not added again.
fn add_line(tree: &mut Tree, parent: usize, judgement: &Judgement) {
    let mut at = parent;
    let mut color = judgement.made.color;
    for &point in &judgement.best_value.line {
        let made = Some(Move {
            color,
            point: Some(point),
        });
        let known = tree
            .children(at)
            .find(|&reply| tree.node(reply).made == made);
        at = known.unwrap_or_else(|| tree.add(at, made));
        color = !color;
    }
}

/// Adds a comment behind the one that a node has; the root's stands first, so that the file is
/// known again by its beginning.
fn add_comment(tree: &mut Tree, place: usize, text: &str) {
    let properties = &mut tree.node_mut(place).properties;
    let known = properties.iter().position(|p| p.name == "C");
    let known = known.map(|at| properties.remove(at));
    let text = match (known, place) {
        (None, _) => text.to_string(),
        (Some(known), Tree::ROOT) => format!("{text}\n{}", known.value()),
        (Some(known), _) => format!("{}\n{text}", known.value()),
    };
    let at = if place == Tree::ROOT {
        0
    } else {
        properties.len()
    };
    properties.insert(at, Property::new("C", text));
}

fn is_reviewed(tree: &Tree) -> bool {
    let comment = tree.node(Tree::ROOT).find("C");
    comment.is_some_and(|comment| comment.value().starts_with(MARK))
}

/// Takes the comments and marks of an earlier review from the main line; its variations stay.
fn forget_review(tree: &mut Tree) {
    let line: Vec<usize> = tree.main_line().collect();
    for place in line {
        let properties = &mut tree.node_mut(place).properties;
        properties.retain(|p| !matches!(p.name.as_str(), "DO" | "BM"));
        let Some(at) = properties.iter().position(|p| p.name == "C") else {
            continue;
        };
        let text = properties[at].value();
        let classes = MoveClass::JUDGED.into_iter();
        let classes = classes.chain([MoveClass::Opening, MoveClass::Unknown]);
        let is_ours = |line: &&str| classes.clone().any(|class| is_comment(line, class));
        let rest = match (place, text.rsplit_once('\n')) {
            (Tree::ROOT, _) => text.split_once('\n').map_or("", |(_, rest)| rest),
            (_, Some((rest, last))) if is_ours(&last) => rest,
            (_, None) if is_ours(&text) => "",
            _ => continue,
        };
        match rest.is_empty() {
            true => drop(properties.remove(at)),
            false => properties[at] = Property::new("C", rest),
        }
    }
}

/// True for a line as [`comment`] writes it.
fn is_comment(line: &str, class: MoveClass) -> bool {
    let rest = line.strip_prefix(class.name());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
}

fn accuracy(reviewed: &Reviewed) -> String {
    let sides = ["Black", "White"]
        .into_iter()
        .zip(reviewed.review.summary.accuracy);
    let text = |(side, accuracy): (&str, Option<f64>)| {
        accuracy.map_or(String::new(), |value| {
            format!(" {side}: accuracy {value:.1} %.")
        })
    };
    sides.map(text).collect()
}

fn comment(judgement: &Judgement, height: u8) -> String {
    let rate = |win_rate: f64| format!("{:.1} %", 100.0 * win_rate);
    if judgement.class == MoveClass::Unknown {
        return judgement.class.name().to_string();
    }
    let mut text = format!(
        "{}: {} for {} ({})",
        judgement.class.name(),
        rate(judgement.value.win_rate),
        judgement.made.color,
        judgement.value.score,
    );
    let better = judgement
        .best
        .filter(|_| judgement.best != judgement.made.point);
    if let Some(best) = better {
        let labels = judgement
            .best_value
            .line
            .iter()
            .map(|p: &Point| p.label(height));
        let line: Vec<String> = labels.collect();
        text += &format!(
            "; {}: {} ({}), {}",
            best.label(height),
            rate(judgement.best_value.win_rate),
            judgement.best_value.score,
            line.join(" "),
        );
    }
    text
}
