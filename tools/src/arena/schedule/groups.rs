//! Groups in which everyone meets everyone, then a knock-out of the best.

use super::standings::{Points, Standing, rank, standings};
use super::{Encounter, Round, RoundOutcomes, elimination};

/// Players of each group, dealt to and fro, so that the groups are about equally strong.
fn deal(players: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); groups];
    for player in 0..players {
        let (lap, place) = (player / groups, player % groups);
        let group = if lap % 2 == 0 {
            place
        } else {
            groups - 1 - place
        };
        dealt[group].push(player);
    }
    dealt
}

/// The meetings that follow `past`.
pub fn next_round(
    players: usize,
    groups: usize,
    advance: usize,
    past: &[Round],
    scale: Points,
) -> Option<Vec<Encounter>> {
    let Some((_, knock_out)) = past.split_first() else {
        let within = |group: &Vec<usize>| -> Vec<Encounter> {
            let pairs = super::all_play_all::round_robin(group.len());
            let member = |e: &Encounter| Encounter {
                first: group[e.first],
                second: group[e.second],
            };
            pairs.iter().map(member).collect()
        };
        return Some(deal(players, groups).iter().flat_map(within).collect());
    };
    elimination::next_round(
        &qualified(players, groups, advance, past, scale),
        1,
        knock_out,
    )
}

/// The tables of the groups after their `round`, the best first.
pub fn tables(players: usize, groups: usize, round: &Round, scale: Points) -> Vec<Vec<Standing>> {
    let table = |group: &Vec<usize>| {
        let mut table = standings(group, std::slice::from_ref(round), scale, None);
        rank(&mut table, false);
        table
    };
    deal(players, groups).iter().map(table).collect()
}

/// The outcomes of the rounds after the groups.
pub fn outcomes(
    players: usize,
    groups: usize,
    advance: usize,
    past: &[Round],
    scale: Points,
) -> Vec<RoundOutcomes> {
    match past {
        [] | [_] => Vec::new(),
        [_, knock_out @ ..] => {
            let seeds = qualified(players, groups, advance, past, scale);
            elimination::outcomes(&seeds, 1, knock_out)
        }
    }
}

/// The players of the knock-out: all winners of groups, then all second, and so on; equal places
/// by points.
fn qualified(
    players: usize,
    groups: usize,
    advance: usize,
    past: &[Round],
    scale: Points,
) -> Vec<usize> {
    let tables = tables(players, groups, &past[0], scale);
    let mut seeds = Vec::new();
    for place in 0..advance {
        let mut equals: Vec<_> = tables
            .iter()
            .filter_map(|t| t.get(place))
            .copied()
            .collect();
        rank(&mut equals, false);
        seeds.extend(equals.iter().map(|s| s.player));
    }
    seeds
}

/// Players by the stage they reached; players who did not qualify, by their points.
pub fn ranking(
    players: usize,
    groups: usize,
    advance: usize,
    past: &[Round],
    scale: Points,
) -> Vec<usize> {
    let everyone: Vec<usize> = (0..players).collect();
    let first = &past[..past.len().min(1)];
    let mut table = standings(&everyone, first, scale, None);
    rank(&mut table, false);
    let mut order = if past.is_empty() {
        Vec::new()
    } else {
        let seeds = qualified(players, groups, advance, past, scale);
        elimination::ranking(&seeds, 1, &past[1..])
    };
    for standing in table {
        if !order.contains(&standing.player) {
            order.push(standing.player);
        }
    }
    order
}
