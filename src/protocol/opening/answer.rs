//! The lines that answer a request for a step of an opening, in the managers' styles.

use super::task::{OpeningTask, TakenStep};
use crate::openings::Choice;
use crate::openings::wire::AnswerStyle;
use crate::protocol::reply::Reply;
use crate::types::Point;

/// The lines that report the step; `moves` are the ordinary moves after it.
pub fn replies(opening: &OpeningTask, step: &TakenStep, moves: &[Point]) -> Vec<Reply> {
    match opening.request.answer_style() {
        AnswerStyle::Gomocup => vec![gomocup(step, moves)],
        AnswerStyle::YixinSwap2 => yixin_swap2(opening, step),
        AnswerStyle::YixinSoosorv => yixin_soosorv(opening, step),
    }
}

fn gomocup(step: &TakenStep, moves: &[Point]) -> Reply {
    if step.swapped {
        return Reply::Swap;
    }
    let mut points = Vec::new();
    let mut number = None;
    for choice in &step.choices {
        match choice {
            Choice::Put(p) | Choice::Keep(p) => points.push(*p),
            Choice::Add(added) => points.extend(added),
            Choice::Offer(offered) => points.extend(offered),
            Choice::Declare(count) => number = Some(*count),
            Choice::Take(_) => {}
        }
    }
    points.extend(moves);
    match number {
        Some(count) => Reply::MovesAndCount(points, count),
        None => Reply::Moves(points),
    }
}

/// `MOVE4 7 7` and so on, numbered from the engine's first stone.
fn numbered(head: &str, before: usize, points: &[Point]) -> Vec<Reply> {
    let line = |(i, p): (usize, &Point)| {
        let number = before + i + 1;
        Reply::Message(format!("{head} MOVE{number} {} {}", p.x(), p.y()))
    };
    points.iter().enumerate().map(line).collect()
}

fn put_points(step: &TakenStep) -> Vec<Point> {
    let points = step.choices.iter().flat_map(|choice| match choice {
        Choice::Put(p) => vec![*p],
        Choice::Add(added) => added.to_vec(),
        _ => Vec::new(),
    });
    points.collect()
}

fn yixin_swap2(opening: &OpeningTask, step: &TakenStep) -> Vec<Reply> {
    let before = opening.phase.board().stones().len();
    let points = put_points(step);
    if !points.is_empty() {
        return numbered("SWAP2", before, &points);
    }
    // YES: the engine plays Black from now on.
    let choice = if step.swapped { "YES" } else { "NO" };
    let which = if before == 3 { "SWAP1" } else { "SWAP2" };
    vec![Reply::Message(format!("SWAP2 {which} {choice}"))]
}

fn yixin_soosorv(opening: &OpeningTask, step: &TakenStep) -> Vec<Reply> {
    let before = opening.phase.board().stones().len();
    let message = |text: String| Reply::Message(format!("SOOSORV {text}"));
    match step.choices.last() {
        Some(Choice::Take(_)) => {
            let which = if before == 3 { "SWAP1" } else { "SWAP2" };
            let choice = if step.swapped { "Y" } else { "N" };
            vec![message(format!("{which} {choice}"))]
        }
        Some(Choice::Declare(count)) => put_points(step)
            .iter()
            .map(|p| message(format!("MOVE4 {} {} {count}", p.x(), p.y())))
            .collect(),
        Some(Choice::Offer(points)) => {
            let mut lines = vec![message("MOVE5 REFRESH".to_string())];
            lines.extend(
                points
                    .iter()
                    .map(|p| message(format!("MOVE5 {} {}", p.x(), p.y()))),
            );
            lines.push(message("MOVE5 DONE".to_string()));
            lines
        }
        Some(Choice::Keep(p)) => vec![message(format!("MOVE5C {} {}", p.x(), p.y()))],
        _ => numbered("SOOSORV", before, &put_points(step)),
    }
}
