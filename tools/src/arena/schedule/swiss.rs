//! Swiss rounds: players with similar results meet, and no two meet twice if possible.

use super::standings::{Points, Standing, meetings, rank, standings};
use super::{Encounter, Round};

/// Tries at a pairing without a second meeting, before second meetings are accepted.
const TRIES: usize = 100_000;

/// The pairings of the round after `past`. Among players with equal points, ranked by Buchholz, the
/// upper half meets the lower half. With an odd number of players the last one without a bye so far
/// gets one: a bye counts as all games won.
pub fn next_round(players: usize, games: u64, past: &[Round], scale: Points) -> Vec<Encounter> {
    let everyone: Vec<usize> = (0..players).collect();
    let mut table = standings(&everyone, past, scale, Some(games));
    rank(&mut table, true);
    if players % 2 == 1 {
        let fewest = table.iter().map(|s| s.byes).min().unwrap_or(0);
        if let Some(place) = table.iter().rposition(|s| s.byes == fewest) {
            table.remove(place);
        }
    }
    // The first try forbids second meetings, the next third ones, and so on.
    let pairs = (0..)
        .find_map(|most| {
            let mut search = PairingSearch {
                past,
                most,
                tries: TRIES,
                pairs: Vec::new(),
            };
            search.pair(&table).then_some(search.pairs)
        })
        .expect("with enough meetings allowed anyone can meet anyone");
    pairs
        .into_iter()
        .map(|(a, b)| order_of_colours(a, b, past))
        .collect()
}

/// The player who began fewer meetings begins this one.
fn order_of_colours(a: usize, b: usize, past: &[Round]) -> Encounter {
    let begun = |player: usize| {
        let encounters = past.iter().flat_map(|r| &r.encounters);
        encounters.filter(|e| e.first == player).count()
    };
    if begun(b) < begun(a) {
        Encounter {
            first: b,
            second: a,
        }
    } else {
        Encounter {
            first: a,
            second: b,
        }
    }
}

/// A search with backtracking.
struct PairingSearch<'a> {
    past: &'a [Round],
    /// Previous meetings allowed for a pair.
    most: usize,
    tries: usize,
    pairs: Vec<(usize, usize)>,
}

impl PairingSearch<'_> {
    /// Pairs all of `table`, best first; false if it cannot be done.
    fn pair(&mut self, table: &[Standing]) -> bool {
        let Some((top, rest)) = table.split_first() else {
            return true;
        };
        let equals = 1 + rest.iter().take_while(|s| s.points == top.points).count();
        // Half a group further down, or as near to it as possible; other groups after the own one.
        let mut candidates: Vec<usize> = (0..rest.len()).collect();
        candidates.sort_by_key(|&i| {
            let place = i + 1;
            (place >= equals, place.abs_diff((equals / 2).max(1)), place)
        });
        for i in candidates {
            if self.tries == 0 {
                return false;
            }
            self.tries -= 1;
            if meetings(self.past, top.player, rest[i].player) > self.most {
                continue;
            }
            let mut others = rest.to_vec();
            others.remove(i);
            self.pairs.push((top.player, rest[i].player));
            if self.pair(&others) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }
}
