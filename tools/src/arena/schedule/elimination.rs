//! Knock-out: players leave after a number of lost meetings.

use std::cmp::Reverse;

use super::{Encounter, MeetingOutcome, Round, RoundOutcomes};

/// A drawn meeting is repeated at most this often, with new openings; then the player who was named
/// first advances.
const REPLAYS: usize = 3;

/// A player's state in the knock-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entrant {
    player: usize,
    losses: usize,
    /// The stage in which he was last beaten.
    beaten: usize,
    /// Meetings won.
    wins: usize,
    /// Stages without an opponent.
    byes: usize,
}

/// The state of a knock-out.
struct Bracket {
    /// In the order of seeding.
    entrants: Vec<Entrant>,
    /// Meetings to be played next; empty when there is a winner.
    next: Vec<Encounter>,
    /// Outcomes of the rounds so far.
    outcomes: Vec<RoundOutcomes>,
}

/// The meetings that follow `past`; `None` when one player is left. `seeds` are the players, the
/// strongest first; `lives` is the number of lost meetings that put a player out: 1, or 2 for
/// double elimination.
///
/// In every stage players with equally many losses meet: the best seed the worst. When one player
/// of each kind is left, the two meet.
pub fn next_round(seeds: &[usize], lives: usize, past: &[Round]) -> Option<Vec<Encounter>> {
    let state = replay(seeds, lives, past);
    (!state.next.is_empty()).then_some(state.next)
}

/// Players by the stage they reached; equals in the order of seeding.
pub fn ranking(seeds: &[usize], lives: usize, past: &[Round]) -> Vec<usize> {
    let mut entrants = replay(seeds, lives, past).entrants;
    entrants.sort_by_key(|e| (e.losses >= lives, e.losses, Reverse(e.beaten)));
    entrants.into_iter().map(|e| e.player).collect()
}

/// The outcomes of each round.
pub fn outcomes(seeds: &[usize], lives: usize, past: &[Round]) -> Vec<RoundOutcomes> {
    replay(seeds, lives, past).outcomes
}

fn replay(seeds: &[usize], lives: usize, past: &[Round]) -> Bracket {
    let mut entrants: Vec<Entrant> = seeds
        .iter()
        .map(|&player| Entrant {
            player,
            losses: 0,
            beaten: 0,
            wins: 0,
            byes: 0,
        })
        .collect();
    let mut rounds = past.iter();
    let mut outcomes = Vec::new();
    for stage in 1.. {
        let mut open = pairings(&entrants, lives);
        let mut tries = 0;
        let waits =
            |i: &usize| entrants[*i].losses < lives && !open.iter().any(|(a, b)| a == i || b == i);
        let waiting: Vec<usize> = (0..entrants.len()).filter(waits).collect();
        waiting.iter().for_each(|&i| entrants[i].byes += 1);
        let mut byes: Vec<usize> = waiting.iter().map(|&i| entrants[i].player).collect();
        while !open.is_empty() {
            let Some(round) = rounds.next() else {
                let next = open
                    .iter()
                    .map(|&(a, b)| Encounter {
                        first: entrants[a].player,
                        second: entrants[b].player,
                    })
                    .collect();
                return Bracket {
                    entrants,
                    next,
                    outcomes,
                };
            };
            tries += 1;
            let mut meetings = Vec::new();
            for (a, b) in std::mem::take(&mut open) {
                let (first, second) = (entrants[a].player, entrants[b].player);
                let encounter = Encounter { first, second };
                let lead = i64::from(round.half_points(first, second))
                    - i64::from(round.half_points(second, first));
                if lead == 0 && tries <= REPLAYS {
                    open.push((a, b));
                    meetings.push((encounter, MeetingOutcome::Level));
                } else {
                    // `a` stands before `b` in the seeding and wins an even score.
                    let (winner, loser) = if lead >= 0 { (a, b) } else { (b, a) };
                    entrants[winner].wins += 1;
                    entrants[loser].losses += 1;
                    entrants[loser].beaten = stage;
                    let outcome = MeetingOutcome::Won {
                        by_first: lead >= 0,
                        is_out: entrants[loser].losses >= lives,
                        by_order: lead == 0,
                    };
                    meetings.push((encounter, outcome));
                }
            }
            outcomes.push(RoundOutcomes {
                meetings,
                byes: std::mem::take(&mut byes),
            });
        }
        if entrants.iter().filter(|e| e.losses < lives).count() <= 1 {
            break;
        }
    }
    Bracket {
        entrants,
        next: Vec::new(),
        outcomes,
    }
}

/// The meetings of a stage, as places in the seeding.
fn pairings(entrants: &[Entrant], lives: usize) -> Vec<(usize, usize)> {
    let group = |losses: usize| -> Vec<usize> {
        (0..entrants.len())
            .filter(|&i| entrants[i].losses == losses)
            .collect()
    };
    let groups: Vec<Vec<usize>> = (0..lives).map(group).collect();
    if groups.iter().all(|g| g.len() <= 1) {
        let mut left: Vec<usize> = groups.concat();
        left.sort_unstable();
        return match left[..] {
            [a, b] => vec![(a, b)],
            _ => Vec::new(),
        };
    }
    let pairs = |(losses, group): (usize, &Vec<usize>)| fold(entrants, group, losses);
    groups.iter().enumerate().flat_map(pairs).collect()
}

/// Pairs the best with the worst. Without a loss as many sit out as leave a power of two for the
/// next stage, and with a loss one of an odd number. Entrants sit out in order of fewest byes, most
/// wins, best seed.
fn fold(entrants: &[Entrant], group: &[usize], losses: usize) -> Vec<(usize, usize)> {
    let n = group.len();
    let sit_out = match losses {
        0 if n > 2 => n.next_power_of_two() - n,
        _ => n % 2,
    };
    let mut order = group.to_vec();
    order.sort_by_key(|&i| (entrants[i].byes, Reverse(entrants[i].wins), i));
    let mut playing = order.split_off(sit_out);
    playing.sort_unstable();
    let rest = playing.len() / 2;
    (0..rest)
        .map(|i| (playing[i], playing[2 * rest - 1 - i]))
        .collect()
}
