use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Deepest ply, counted from the root, that a search visits.
pub const MAX_PLY: usize = 256;

/// A value from the side to move's view, in units of which about 100 are a clear advantage. The
/// range near [`Score::WIN`] is for wins and losses, counted in plies from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// Meaning of a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// An estimate.
    Value(i32),
    /// Proved: the side to move makes five (or its equal) in that many plies.
    Win(u32),
    /// Proved: the opponent does so in that many plies.
    Loss(u32),
}

impl Score {
    /// The value of a draw.
    pub const DRAW: Score = Score(0);
    /// A win on the spot; [`win_in`](Score::win_in) counts down from here.
    pub const WIN: Score = Score(30_000);
    /// Above every score.
    pub const INFINITE: Score = Score(30_001);
    /// No score is known.
    pub const NONE: Score = Score(-30_002);
    /// Scores at or above this are wins.
    pub const WIN_BOUND: Score = Score(30_000 - 1_000);
    /// Largest estimate; everything between this and a win is unused.
    pub const MAX_VALUE: Score = Score(20_000);

    /// An estimate, clamped to the range between wins and losses.
    #[inline]
    pub fn value(v: i32) -> Score {
        let max = i32::from(Score::MAX_VALUE.0);
        Score(v.clamp(-max, max) as i16)
    }

    /// The side to move completes its win at `ply` plies from the root.
    #[inline]
    pub const fn win_in(ply: usize) -> Score {
        Score(Score::WIN.0 - ply as i16)
    }

    /// The opponent completes a win at `ply` plies from the root.
    #[inline]
    pub const fn loss_in(ply: usize) -> Score {
        Score(-Score::WIN.0 + ply as i16)
    }

    /// True if this is a proved win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::WIN_BOUND.0
    }

    /// True if this is a proved loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::WIN_BOUND.0
    }

    /// True if this is a proved win or loss.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Meaning of the score.
    pub fn kind(self) -> ScoreKind {
        if self.is_win() {
            ScoreKind::Win((Score::WIN.0 - self.0).max(0) as u32)
        } else if self.is_loss() {
            ScoreKind::Loss((Score::WIN.0 + self.0).max(0) as u32)
        } else {
            ScoreKind::Value(i32::from(self.0))
        }
    }

    /// The bare number.
    #[inline]
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// A score from its [`raw`](Score::raw) number. A number outside the range of scores, as a file
    /// may hold, becomes the nearest score, so that negating and adding plies never overflow.
    #[inline]
    pub fn from_raw(raw: i16) -> Score {
        Score(raw.clamp(Score::NONE.0, -Score::NONE.0))
    }

    /// Wins counted from a node at `ply` instead of from the root: the form in the transposition
    /// table, whose entries are reached at different plies.
    #[inline]
    pub const fn to_node(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 + ply as i16)
        } else if self.is_loss() {
            Score(self.0 - ply as i16)
        } else {
            self
        }
    }

    /// The inverse of [`to_node`](Score::to_node).
    #[inline]
    pub const fn from_node(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 - ply as i16)
        } else if self.is_loss() {
            Score(self.0 + ply as i16)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    /// Saturates within the range of all scores.
    #[inline]
    fn add(self, v: i32) -> Score {
        let max = i32::from(Score::INFINITE.0);
        Score((i32::from(self.0) + v).clamp(-max, max) as i16)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, v: i32) -> Score {
        self + -v
    }
}

/// `143`, `+M15` (win in 15 plies), `-M12` (loss in 12), as other engines of the field write it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Value(v) => f.pad(&v.to_string()),
            ScoreKind::Win(n) => f.pad(&format!("+M{n}")),
            ScoreKind::Loss(n) => f.pad(&format!("-M{n}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_from_the_root_and_from_the_node() {
        let win = Score::win_in(9);
        assert_eq!(win.to_node(4), Score::win_in(5));
        assert_eq!(win.to_node(4).from_node(4), win);
        assert_eq!((-win).kind(), ScoreKind::Loss(9));
        assert_eq!(win.to_string(), "+M9");
        assert_eq!(Score::value(1_000_000).kind(), ScoreKind::Value(20_000));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn every_number_makes_a_score() {
        for raw in i16::MIN..=i16::MAX {
            let score = Score::from_raw(raw);
            assert_eq!(-(-score), score);
            assert_eq!(score.to_node(MAX_PLY).raw().signum(), raw.signum());
            assert!(score.to_string().len() <= 6, "{score}");
        }
        for known in [Score::NONE, Score::INFINITE, Score::WIN, -Score::WIN] {
            assert_eq!(Score::from_raw(known.raw()), known);
        }
        assert_eq!(Score::from_raw(i16::MIN).kind(), ScoreKind::Loss(0));
    }
}
