//! The products of a factory: kinds of games, and the amount of each.

use std::fmt;
use std::str::FromStr;

use tengen::rules::Rule;
use tengen::types::MAX_SIDE;

/// Smallest board; the random stones of an opening need room.
pub const MIN_DATAGEN_SIDE: u8 = 9;

/// A rule and a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The rule.
    pub rule: Rule,
    /// Columns and rows of the board.
    pub size: u8,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.rule, self.size)
    }
}

/// Kinds of games, each with its weight: of so many shards together so many are of the kind.
/// Written `freestyle-15:6,caro-15:1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan(Vec<(Kind, u32)>);

impl Default for Plan {
    /// Every rule, freestyle on both boards. Caro has little, for its networks begin with those of
    /// other rules.
    fn default() -> Plan {
        let text = "freestyle-15:6,freestyle-20:6,standard-15:6,renju-15:6,caro-15:1,caro9-15:1";
        text.parse().expect("a plan that is in order")
    }
}

/// Why a text is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not of the form RULE-SIZE:WEIGHT, such as freestyle-15:6, each kind once")]
pub struct ParsePlanError(String);

impl FromStr for Plan {
    type Err = ParsePlanError;

    fn from_str(text: &str) -> Result<Plan, ParsePlanError> {
        let mut kinds: Vec<(Kind, u32)> = Vec::new();
        for word in text.split(',') {
            let entry =
                entry(word.trim()).filter(|(kind, _)| !kinds.iter().any(|(k, _)| k == kind));
            kinds.push(entry.ok_or_else(|| ParsePlanError(word.to_string()))?);
        }
        Ok(Plan(kinds))
    }
}

/// One kind of a plan; without a weight it has 1.
fn entry(word: &str) -> Option<(Kind, u32)> {
    let (kind, weight) = word.split_once(':').unwrap_or((word, "1"));
    let (rule, size) = kind.rsplit_once('-')?;
    let kind = Kind {
        rule: rule.parse().ok()?,
        size: size.parse().ok()?,
    };
    let weight = weight
        .parse()
        .ok()
        .filter(|weight| (1..=1000).contains(weight))?;
    (MIN_DATAGEN_SIDE..=MAX_SIDE)
        .contains(&kind.size)
        .then_some((kind, weight))
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (kind, weight)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{kind}:{weight}")?;
        }
        Ok(())
    }
}

impl Plan {
    /// The kinds.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.0.iter().map(|&(kind, _)| kind)
    }

    /// The kind of each shard, one after another without end, as evenly mixed as the weights allow
    /// (smooth weighted round robin). Items are places in [`kinds`](Plan::kinds).
    pub(super) fn order(&self) -> impl Iterator<Item = usize> + 'static {
        let weights: Vec<i64> = self.0.iter().map(|&(_, weight)| weight.into()).collect();
        let sum: i64 = weights.iter().sum();
        let mut due = vec![0; weights.len()];
        std::iter::repeat_with(move || {
            for (due, weight) in due.iter_mut().zip(&weights) {
                *due += weight;
            }
            let place = (0..due.len()).rev().max_by_key(|&place| due[place]);
            let place = place.expect("a plan has kinds");
            due[place] -= sum;
            place
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_and_written() {
        let text = Plan::default().to_string();
        assert_eq!(text.parse(), Ok(Plan::default()));
        let plan: Plan = "caro9-22, renju-9:3".parse().unwrap();
        assert_eq!(plan.to_string(), "caro9-22:1,renju-9:3");
        for wrong in [
            "",
            "renju",
            "renju-8",
            "renju-15:0",
            "go-15",
            "renju-15,renju-15:2",
        ] {
            assert!(wrong.parse::<Plan>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_are_mixed_by_their_weights() {
        let plan: Plan = "freestyle-15:3,renju-15:2,caro-15:1".parse().unwrap();
        let order: Vec<usize> = plan.order().take(12).collect();
        assert_eq!(order, [0, 1, 0, 2, 1, 0, 0, 1, 0, 2, 1, 0]);
    }
}
