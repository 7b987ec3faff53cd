use super::*;
use crate::share::Share;

#[test]
fn pairs_share_an_opening_and_change_sides() {
    let schedule = Schedule {
        kind: ScheduleKind::RoundRobin,
        players: 3,
        games: 4,
        points: [1.0, 0.5, 0.0],
    };
    let encounters = schedule.next_round(&[]).unwrap();
    let games = schedule.games(&encounters, &[]);
    assert_eq!(games.len(), 12);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].pair, pair[1].pair);
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(
            (pair[0].black, pair[0].white),
            (pair[1].white, pair[1].black)
        );
    }
    assert!(games[..6].iter().all(|g| g.opening == 0));
    assert!(games[6..].iter().all(|g| g.opening == 1));
    assert!(games.iter().enumerate().all(|(i, g)| g.id == i as u64));
}

#[test]
fn an_odd_number_of_games_ends_with_a_single_one() {
    let schedule = Schedule {
        kind: ScheduleKind::Gauntlet,
        players: 2,
        games: 3,
        points: [1.0, 0.5, 0.0],
    };
    let games = schedule.games(&schedule.next_round(&[]).unwrap(), &[]);
    let pairs: Vec<u64> = games.iter().map(|g| g.pair).collect();
    assert_eq!(pairs, [0, 0, 1]);
}

#[test]
fn shards_divide_the_games_without_splitting_a_pair() {
    let schedule = Schedule {
        kind: ScheduleKind::RoundRobin,
        players: 4,
        games: 6,
        points: [1.0, 0.5, 0.0],
    };
    let games = schedule.games(&schedule.next_round(&[]).unwrap(), &[]);
    for game in &games {
        let shards = (0..5).filter(|&index| Share { index, count: 5 }.has(game.pair));
        assert_eq!(shards.count(), 1);
    }
}

#[test]
fn a_schedule_that_can_grow_keeps_its_games() {
    for players in 2..5 {
        for games in 1..6 {
            let schedule = |games| Schedule {
                kind: ScheduleKind::RoundRobin,
                players,
                games,
                points: [1.0, 0.5, 0.0],
            };
            let all = |schedule: Schedule| {
                let encounters = schedule.next_round(&[]).unwrap();
                schedule.games(&encounters, &[])
            };
            let before = all(schedule(games));
            let keeps = all(schedule(games + 1)).starts_with(&before);
            assert_eq!(schedule(games).can_grow(), keeps, "{players}, {games}");
        }
    }
}

/// Plays a schedule out; the player with the lower number always wins, except where `upset`
/// says so.
fn play_out(kind: &str, players: usize, upset: impl Fn(usize, usize) -> bool) -> Vec<Round> {
    let schedule = schedule(kind, players);
    let mut rounds: Vec<Round> = Vec::new();
    while let Some(encounters) = schedule.next_round(&rounds) {
        let games = schedule
            .games(&encounters, &rounds)
            .into_iter()
            .map(|game| {
                let black_wins = (game.black < game.white) != upset(game.black, game.white);
                let outcome = if black_wins {
                    Outcome::Black
                } else {
                    Outcome::White
                };
                (game, outcome)
            })
            .collect();
        rounds.push(Round { encounters, games });
        assert!(rounds.len() < 50, "{kind} does not end");
    }
    rounds
}

fn schedule(kind: &str, players: usize) -> Schedule {
    Schedule {
        kind: kind.parse().unwrap(),
        players,
        games: 2,
        points: [1.0, 0.5, 0.0],
    }
}

fn never(_: usize, _: usize) -> bool {
    false
}

fn order(kind: &str, players: usize, rounds: &[Round]) -> Vec<usize> {
    let table = schedule(kind, players).standings(rounds);
    table.iter().map(|s| s.player).collect()
}

#[test]
fn swiss_rounds_pair_likes_and_never_twice() {
    let rounds = play_out("swiss:4", 9, never);
    assert_eq!(rounds.len(), 4);
    let first: Vec<(usize, usize)> = rounds[0]
        .encounters
        .iter()
        .map(|e| (e.first, e.second))
        .collect();
    assert_eq!(first, [(0, 4), (1, 5), (2, 6), (3, 7)]);
    for a in 0..9 {
        for b in 0..a {
            assert!(standings::meetings(&rounds, a, b) <= 1, "{a} {b}");
        }
        let played = rounds
            .iter()
            .filter(|r| r.encounters.iter().any(|e| e.has(a)));
        assert!(played.count() >= 3, "{a} has at most one bye");
    }
    assert_eq!(order("swiss:4", 9, &rounds)[0], 0);
}

#[test]
fn swiss_goes_on_when_everyone_has_met_everyone() {
    let rounds = play_out("swiss:5", 4, never);
    assert_eq!(rounds.len(), 5);
    assert!(rounds.iter().all(|r| r.encounters.len() == 2));
}

#[test]
fn a_knock_out_leaves_one() {
    let rounds = play_out("knock-out", 6, never);
    let sizes: Vec<usize> = rounds.iter().map(|r| r.encounters.len()).collect();
    assert_eq!(sizes, [2, 2, 1], "two wait, then semifinals");
    assert_eq!(order("knock-out", 6, &rounds)[..2], [0, 1]);
    // The last one beats all.
    let rounds = play_out("knock-out", 6, |a, b| a.max(b) == 5);
    assert_eq!(order("knock-out", 6, &rounds)[0], 5);
}

#[test]
fn double_elimination_gives_a_second_chance() {
    let rounds = play_out("double-knock-out", 8, never);
    let lost: usize = rounds.iter().map(|r| r.encounters.len()).sum();
    assert_eq!(lost, 14, "seven players lose twice");
    assert_eq!(order("double-knock-out", 8, &rounds)[..2], [0, 1]);
    // 7 beats 0 in their first meeting only: 0 comes back and wins the final, twice over.
    let beaten = std::cell::Cell::new(0);
    let rounds = play_out("double-knock-out", 8, |a, b| {
        let surprise = a.min(b) == 0 && a.max(b) == 7 && beaten.get() < 2;
        beaten.set(beaten.get() + u32::from(surprise));
        surprise
    });
    assert_eq!(order("double-knock-out", 8, &rounds)[0], 0);
}

/// Byes go to those with the fewest, so nobody comes far without a win.
#[test]
fn byes_of_a_double_knock_out_are_shared() {
    for players in 2..=20 {
        // Both the seeding and its reverse may be the order of strength.
        for upset in [never, |_, _| true] {
            let rounds = play_out("double-knock-out", players, upset);
            let schedule = schedule("double-knock-out", players);
            let mut byes = vec![0; players];
            let outcomes = schedule.outcomes(&rounds);
            outcomes
                .iter()
                .for_each(|o| o.byes.iter().for_each(|&p| byes[p] += 1));
            let has_won = |p: usize| {
                let won = |round: &Round| {
                    let met = round.encounters.iter().filter(|e| e.has(p));
                    let other = |e: &Encounter| if e.first == p { e.second } else { e.first };
                    met.map(other).any(|q| round.half_points(p, q) > 2)
                };
                rounds.iter().any(won)
            };
            let order = order("double-knock-out", players, &rounds);
            let third = order.get(2).filter(|_| players > 3);
            assert!(third.is_none_or(|&p| has_won(p)), "{players}: {order:?}");
            // The one who waits for the final has no opponent left.
            let waiting = order[0];
            let most = (0..players)
                .filter(|&p| p != waiting)
                .map(|p| byes[p])
                .max();
            assert!(most <= Some(2), "{players}: {byes:?}");
        }
    }
}

#[test]
fn even_meetings_are_played_on_and_then_go_to_the_first_named() {
    let schedule = schedule("knock-out", 2);
    let mut rounds = Vec::new();
    while let Some(encounters) = schedule.next_round(&rounds) {
        let draw = |game: GameSpec| (game, Outcome::Draw);
        let games: Vec<_> = schedule
            .games(&encounters, &rounds)
            .into_iter()
            .map(draw)
            .collect();
        assert_eq!(games[0].0.opening, rounds.len() as u64, "a new opening");
        rounds.push(Round { encounters, games });
    }
    assert_eq!(rounds.len(), 4);
    assert_eq!(order("knock-out", 2, &rounds), [0, 1]);
}

#[test]
fn groups_send_their_best_to_a_knock_out() {
    let rounds = play_out("groups:2:2", 8, never);
    let sizes: Vec<usize> = rounds.iter().map(|r| r.encounters.len()).collect();
    assert_eq!(sizes, [12, 2, 1]);
    // Dealt to and fro: 0 3 4 7 and 1 2 5 6. Winners of one group meet seconds of the other.
    let semifinals: Vec<(usize, usize)> = rounds[1]
        .encounters
        .iter()
        .map(|e| (e.first, e.second))
        .collect();
    assert_eq!(semifinals, [(0, 3), (1, 2)]);
    assert_eq!(order("groups:2:2", 8, &rounds)[..2], [0, 1]);
}

#[test]
fn equal_points_are_ranked_by_sonneborn_berger() {
    // In a circle 0 beats 1, 1 beats 2, 2 beats 0; 3 loses to all but beats 2.
    let upset = |a: usize, b: usize| matches!((a.min(b), a.max(b)), (0, 2) | (2, 3));
    let rounds = play_out("round-robin", 4, upset);
    let table = schedule("round-robin", 4).standings(&rounds);
    let order: Vec<usize> = table.iter().map(|s| s.player).collect();
    // 0 and 1 have 4 points of 6; 0 beat 1 (4) and 3 (2), 1 beat 2 (2) and 3 (2).
    assert_eq!(order[..2], [0, 1]);
    assert_eq!(table[0].sonneborn_berger, 2.0 * (4.0 + 2.0));
    assert_eq!(table[1].sonneborn_berger, 2.0 * (2.0 + 2.0));
}

#[test]
fn interrupted_rounds_are_found_again() {
    let schedule = schedule("swiss:4", 6);
    let rounds = play_out("swiss:4", 6, never);
    let games: Vec<(GameSpec, Outcome)> = rounds.iter().flat_map(|r| r.games.clone()).collect();
    let known = |known: usize| {
        let games = games[..known].to_vec();
        move |id: u64| games.iter().find(|(g, _)| g.id == id).map(|(_, o)| *o)
    };
    assert_eq!(schedule.rounds(known(games.len())), rounds);
    let part = schedule.rounds(known(15));
    assert_eq!(part.len(), 3);
    assert_eq!(part[2].encounters, rounds[2].encounters);
    assert_eq!(part[2].games.len(), 3);
}

#[test]
fn kinds_are_written_as_they_are_read() {
    for text in [
        "round-robin",
        "gauntlet",
        "swiss:7",
        "knock-out",
        "double-knock-out",
        "groups:4:2",
    ] {
        assert_eq!(text.parse::<ScheduleKind>().unwrap().to_string(), text);
    }
    for bad in ["swiss", "swiss:0", "groups:2", "gauntlet:3", "cup"] {
        assert!(bad.parse::<ScheduleKind>().is_err(), "{bad}");
    }
}
