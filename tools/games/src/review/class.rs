//! The quality of a move, in five classes.

use super::value::Value;

/// The class of a move by its loss of expected points. The steps, in points from 0 to 1, are those
/// of chess.com's "expected points model"; lichess judges by the same idea.
///
/// Decided positions need no rule of their own: where every move loses, or every move wins, none
/// loses points. One more rule: a move from a proved win to an unproved one is at least an
/// inaccuracy, because the win was certain.
///
/// Source: <https://support.chess.com/en/articles/8572705-how-are-moves-classified>,
/// <https://lichess.org/page/accuracy>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveClass {
    /// The search finds nothing better.
    Best,
    /// Loses less than 0.05.
    Good,
    /// Loses 0.05 or more, or a proved win.
    Inaccuracy,
    /// Loses 0.10 or more.
    Mistake,
    /// Loses 0.20 or more.
    Blunder,
    /// Part of the opening, or the first stone of the game: not judged.
    Opening,
    /// Not judged, because a limit ended one of its searches before the first iteration.
    Unknown,
}

/// Least losses of the three classes of faults.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

impl MoveClass {
    /// The classes of judged moves, from the best to the worst.
    pub const JUDGED: [MoveClass; 5] = [
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::Blunder,
    ];

    /// Name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::Blunder => "blunder",
            MoveClass::Opening => "opening",
            MoveClass::Unknown => "unknown",
        }
    }

    /// True if the move was a fault.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder
        )
    }

    /// The class of a move other than the best one.
    pub(super) fn of(best: &Value, made: &Value) -> MoveClass {
        let loss = best.win_rate - made.win_rate;
        match loss {
            BLUNDER.. => MoveClass::Blunder,
            MISTAKE.. => MoveClass::Mistake,
            INACCURACY.. => MoveClass::Inaccuracy,
            _ if best.is_win() && !made.is_win() => MoveClass::Inaccuracy,
            _ => MoveClass::Good,
        }
    }
}

/// True if a move is a fault compared with the best one.
pub(super) fn is_blamed(best: &Value, made: &Value) -> bool {
    MoveClass::of(best, made).is_fault()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::types::Score;

    fn value(win_rate: f64) -> Value {
        Value {
            win_rate,
            ..Value::ended(Score::DRAW)
        }
    }

    #[test]
    fn losses_make_classes() {
        let class = |best, made| MoveClass::of(&value(best), &value(made));
        assert_eq!(class(0.6, 0.5501), MoveClass::Good);
        assert_eq!(class(0.6, 0.5499), MoveClass::Inaccuracy);
        assert_eq!(class(0.6, 0.4999), MoveClass::Mistake);
        assert_eq!(class(0.6, 0.3999), MoveClass::Blunder);
    }

    #[test]
    fn decided_positions_have_no_faults_but_a_win_given_up() {
        let (win, slow_win) = (Score::win_in(5), Score::win_in(31));
        let (loss, slow_loss) = (Score::loss_in(4), Score::loss_in(30));
        let class = |best, made| MoveClass::of(&Value::ended(best), &Value::ended(made));
        assert_eq!(class(win, slow_win), MoveClass::Good);
        assert_eq!(class(slow_loss, loss), MoveClass::Good);
        let win = Value::ended(win);
        assert_eq!(MoveClass::of(&win, &value(0.99)), MoveClass::Inaccuracy);
        assert_eq!(MoveClass::of(&win, &value(0.7)), MoveClass::Blunder);
        let loss = Value::ended(loss);
        assert_eq!(MoveClass::of(&value(0.02), &loss), MoveClass::Good);
        assert_eq!(MoveClass::of(&value(0.5), &loss), MoveClass::Blunder);
    }
}
