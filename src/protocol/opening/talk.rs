//! Decides what is asked in an opening, and words the answer.

use rand::rngs::StdRng;

use super::ask::{Ask, Tongue};
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::engine::opening::{ChoiceContext, choose};
use crate::openings::{Choice, Phase, Player, Step};
use crate::protocol::decision::Decision;
use crate::protocol::reply::Reply;
use crate::search::{SearchInfo, SearchRequest};
use crate::types::Point;

/// A step of an opening that the engine is to take.
#[derive(Clone, Debug)]
pub struct Opening {
    ask: Ask,
    phase: Phase,
    /// Whose part the engine plays.
    me: Player,
}

impl Opening {
    /// The step that `ask` wants in `phase`.
    pub fn new(ask: Ask, phase: Phase) -> Opening {
        let to_move = phase.holder(phase.board().side_to_move());
        let me = phase.decider().unwrap_or(to_move);
        Opening { ask, phase, me }
    }

    /// Whether one of Yixin-Board's commands asks: it sends the board anew after each step.
    pub fn is_yixin(&self) -> bool {
        self.ask.is_yixin()
    }

    /// Whether the engine has more to decide after `choice`, which led to `phase`.
    fn goes_on(&self, choice: &Choice, phase: &Phase) -> bool {
        let is_swap = *choice == Choice::Take(!phase.board().side_to_move());
        let one_decision = match self.ask.tongue() {
            Tongue::Gomocup => false,
            Tongue::YixinSwap2 | Tongue::YixinSoosorv => {
                matches!(choice, Choice::Take(_) | Choice::Keep(_))
            }
        };
        !is_swap && !one_decision
    }

    /// Whether nothing is left for the engine to do after its step in `phase`, whatever it chooses.
    fn ends_with(&self, phase: &Phase) -> bool {
        let is_open = matches!(phase.step(), Some(Step::Take(_) | Step::Keep) | None);
        if is_open {
            return false;
        }
        let mut after = phase.clone();
        let choice = after.any_choice();
        after.choose(&choice).is_ok() && after.decider() != Some(self.me) && !self.moves_on(&after)
    }

    /// Whether the engine also makes the first ordinary move: the colours are settled, and it is
    /// its turn.
    fn moves_on(&self, phase: &Phase) -> bool {
        phase.is_over() && phase.holder(phase.board().side_to_move()) == self.me
    }
}

/// Takes all the decisions that are the engine's before the other player's next, and its first
/// ordinary move where that follows.
pub fn decide(
    engine: &mut Engine,
    opening: &Opening,
    request: &SearchRequest,
    control: &MoveControl,
    rng: &mut StdRng,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    // The control bound single searches; a choice takes several, and no more nodes for that.
    let max_nodes = control.whole().max_nodes();
    let request = &SearchRequest {
        max_nodes: (max_nodes < u64::MAX).then_some(max_nodes),
        ..request.clone()
    };
    let mut phase = opening.phase.clone();
    let mut decision = Decision::default();
    let mut goes_on = true;
    while goes_on && phase.decider() == Some(opening.me) {
        // A decision or a move that may follow is worth as much.
        let parts = if opening.ends_with(&phase) { 1 } else { 2 };
        let context = ChoiceContext {
            request,
            control,
            time_ms: control.left_ms() / parts,
            report: &mut *report,
        };
        let chosen = choose(engine, &phase, context, rng);
        let choice = limited(chosen.choice, opening.ask.most());
        if phase.choose(&choice).is_err() {
            return decision;
        }
        goes_on = opening.goes_on(&choice, &phase);
        decision.lines = chosen.lines;
        decision.choices.push(choice);
    }
    if goes_on && opening.moves_on(&phase) {
        let request = SearchRequest {
            board: phase.board().clone(),
            ..request.clone()
        };
        let control = control.step(control.left_ms());
        let outcome = engine.go(&request, &control, report);
        decision.points = outcome.best.into_iter().collect();
        decision.lines = outcome.lines;
    }
    decision
}

/// A number of fifth stones not above what the manager allows.
fn limited(choice: Choice, most: Option<u8>) -> Choice {
    match (choice, most) {
        (Choice::Declare(count), Some(most)) => Choice::Declare(count.min(most)),
        (choice, _) => choice,
    }
}

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The opening afterwards.
    pub phase: Phase,
    /// What was decided, in order; every one is legal.
    pub choices: Vec<Choice>,
    /// Whether an ordinary move follows.
    pub moves_on: bool,
    /// Whether the engine took the colour that is not to move.
    pub swapped: bool,
}

/// Takes over what was decided, with a legal choice wherever one is missing or illegal, as after a
/// search that broke down.
pub fn settle(opening: &Opening, decided: &[Choice]) -> Settled {
    let mut phase = opening.phase.clone();
    let mut choices: Vec<Choice> = Vec::new();
    let mut goes_on = true;
    while goes_on && phase.decider() == Some(opening.me) {
        let proposal = decided.get(choices.len());
        let legal = proposal.filter(|choice| phase.judge(choice).is_ok());
        let choice = legal.cloned().unwrap_or_else(|| {
            log::error!("the engine proposed {proposal:?} in {phase:?}");
            phase.any_choice()
        });
        phase.choose(&choice).expect("judged, or made to be legal");
        goes_on = opening.goes_on(&choice, &phase);
        choices.push(choice);
    }
    let side = phase.board().side_to_move();
    Settled {
        moves_on: goes_on && opening.moves_on(&phase),
        swapped: choices.last() == Some(&Choice::Take(!side)),
        choices,
        phase,
    }
}

/// The lines that tell what was decided; `moves` are ordinary ones that follow.
pub fn words(opening: &Opening, settled: &Settled, moves: &[Point]) -> Vec<Reply> {
    match opening.ask.tongue() {
        Tongue::Gomocup => vec![gomocup(settled, moves)],
        Tongue::YixinSwap2 => yixin_swap2(opening, settled),
        Tongue::YixinSoosorv => yixin_soosorv(opening, settled),
    }
}

fn gomocup(settled: &Settled, moves: &[Point]) -> Reply {
    if settled.swapped {
        return Reply::Swap;
    }
    let mut points = Vec::new();
    let mut number = None;
    for choice in &settled.choices {
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

/// `MOVE4 7 7` and so on, numbered from the first stone that the engine puts.
fn numbered(head: &str, before: usize, points: &[Point]) -> Vec<Reply> {
    let line = |(i, p): (usize, &Point)| {
        let number = before + i + 1;
        Reply::Message(format!("{head} MOVE{number} {} {}", p.x(), p.y()))
    };
    points.iter().enumerate().map(line).collect()
}

fn put_points(settled: &Settled) -> Vec<Point> {
    let points = settled.choices.iter().flat_map(|choice| match choice {
        Choice::Put(p) => vec![*p],
        Choice::Add(added) => added.to_vec(),
        _ => Vec::new(),
    });
    points.collect()
}

fn yixin_swap2(opening: &Opening, settled: &Settled) -> Vec<Reply> {
    let before = opening.phase.board().stones().len();
    let points = put_points(settled);
    if !points.is_empty() {
        return numbered("SWAP2", before, &points);
    }
    // YES: the engine plays Black from now on.
    let choice = if settled.swapped { "YES" } else { "NO" };
    let which = if before == 3 { "SWAP1" } else { "SWAP2" };
    vec![Reply::Message(format!("SWAP2 {which} {choice}"))]
}

fn yixin_soosorv(opening: &Opening, settled: &Settled) -> Vec<Reply> {
    let before = opening.phase.board().stones().len();
    let message = |text: String| Reply::Message(format!("SOOSORV {text}"));
    match settled.choices.last() {
        Some(Choice::Take(_)) => {
            let which = if before == 3 { "SWAP1" } else { "SWAP2" };
            let choice = if settled.swapped { "Y" } else { "N" };
            vec![message(format!("{which} {choice}"))]
        }
        Some(Choice::Declare(count)) => put_points(settled)
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
        _ => numbered("SOOSORV", before, &put_points(settled)),
    }
}
