use super::Encounter;

/// Every pair of players once.
pub fn round_robin(players: usize) -> Vec<Encounter> {
    (0..players)
        .flat_map(|first| (first + 1..players).map(move |second| Encounter { first, second }))
        .collect()
}

/// The first player against each of the others.
pub fn gauntlet(players: usize) -> Vec<Encounter> {
    (1..players)
        .map(|second| Encounter { first: 0, second })
        .collect()
}
