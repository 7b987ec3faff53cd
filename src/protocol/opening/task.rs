//! The engine's part in a step of an opening.

use rand::rngs::StdRng;

use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::engine::opening::{ChoiceContext, choose};
use crate::openings::wire::{AnswerStyle, OpeningRequest};
use crate::openings::{Choice, OpeningStep, Phase, Player};
use crate::protocol::decision::Decision;
use crate::search::{SearchInfo, SearchRequest};

/// A step of an opening for the engine to take.
#[derive(Clone, Debug)]
pub struct OpeningTask {
    pub(super) request: OpeningRequest,
    /// The state of the opening before the step.
    pub(super) phase: Phase,
    /// The player whose part the engine takes.
    me: Player,
}

impl OpeningTask {
    /// The step asked for by `request` in `phase`.
    pub fn new(request: OpeningRequest, phase: Phase) -> OpeningTask {
        let to_move = phase.holder(phase.board().side_to_move());
        let me = phase.decider().unwrap_or(to_move);
        OpeningTask { request, phase, me }
    }

    /// True if the request is Yixin-Board's. Yixin-Board sends the whole board again after each
    /// step.
    pub fn is_yixin(&self) -> bool {
        self.request.is_yixin()
    }

    /// True if the engine has more to decide after `choice`, which led to `phase`.
    fn goes_on(&self, choice: &Choice, phase: &Phase) -> bool {
        let is_swap = *choice == Choice::Take(!phase.board().side_to_move());
        let one_decision = match self.request.answer_style() {
            AnswerStyle::Gomocup => false,
            AnswerStyle::YixinSwap2 | AnswerStyle::YixinSoosorv => {
                matches!(choice, Choice::Take(_) | Choice::Keep(_))
            }
        };
        !is_swap && !one_decision
    }

    /// True if the engine's part ends with its step in `phase`, whatever the choice.
    fn ends_with(&self, phase: &Phase) -> bool {
        let is_open = matches!(
            phase.step(),
            Some(OpeningStep::Take(_) | OpeningStep::Keep) | None
        );
        if is_open {
            return false;
        }
        let mut after = phase.clone();
        let choice = after.any_choice();
        after.choose(&choice).is_ok() && after.decider() != Some(self.me) && !self.moves_on(&after)
    }

    /// True if the engine also makes the first ordinary move: the colours are settled, and it is
    /// its turn.
    fn moves_on(&self, phase: &Phase) -> bool {
        phase.is_over() && phase.holder(phase.board().side_to_move()) == self.me
    }
}

/// Takes all decisions of the engine up to the next one of the other player, and its first ordinary
/// move if that follows.
pub fn decide(
    engine: &mut Engine,
    opening: &OpeningTask,
    request: &SearchRequest,
    control: &MoveControl,
    rng: &mut StdRng,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    // The control bounds single searches. A choice takes several searches, and each has the node
    // limit.
    let max_nodes = control.whole().max_nodes();
    let request = &SearchRequest {
        max_nodes: (max_nodes < u64::MAX).then_some(max_nodes),
        ..request.clone()
    };
    let mut phase = opening.phase.clone();
    let mut decision = Decision::default();
    let mut goes_on = true;
    while goes_on && phase.decider() == Some(opening.me) {
        // If another decision or a move may follow, half the time is left for it.
        let parts = if opening.ends_with(&phase) { 1 } else { 2 };
        let context = ChoiceContext {
            request,
            control,
            time_ms: control.left_ms() / parts,
            report: &mut *report,
        };
        let chosen = choose(engine, &phase, context, rng);
        let choice = limited(chosen.choice, opening.request.most());
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

/// `choice` with at most as many fifth stones as the manager allows.
fn limited(choice: Choice, most: Option<u8>) -> Choice {
    match (choice, most) {
        (Choice::Declare(count), Some(most)) => Choice::Declare(count.min(most)),
        (choice, _) => choice,
    }
}

/// A step taken by the engine.
#[derive(Clone, Debug)]
pub struct TakenStep {
    /// The state of the opening after it.
    pub phase: Phase,
    /// The decisions in order; every one is legal.
    pub choices: Vec<Choice>,
    /// True if an ordinary move follows.
    pub moves_on: bool,
    /// True if the engine took the colour that is not to move.
    pub swapped: bool,
}

/// Takes the step by the choices `decided`. A missing or illegal choice, as after a search that
/// broke down, is replaced by a legal one.
pub fn take_step(opening: &OpeningTask, decided: &[Choice]) -> TakenStep {
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
    TakenStep {
        moves_on: goes_on && opening.moves_on(&phase),
        swapped: choices.last() == Some(&Choice::Take(!side)),
        choices,
        phase,
    }
}
