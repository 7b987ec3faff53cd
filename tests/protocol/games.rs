//! Whole games between two processes under a referee.

use std::time::Duration;

use tengen::board::Board;
use tengen::rules::{Rule, forbidden_points, wins_at};

use crate::common::Session;

/// Plays one game with only legal moves. Returns the time of each move.
pub fn play(width: u32, height: u32, rule: Rule, turn_ms: u32, most: usize) -> Vec<Duration> {
    let mut players: Vec<Session> = (0..2)
        .map(|_| {
            let mut session = Session::spawn();
            session
                .send(format!("RECTSTART {width},{height}"))
                .expect_ok();
            session
                .info("rule", rule.info_code())
                .info("timeout_turn", turn_ms);
            session
        })
        .collect();
    let mut board = Board::new(width, height).unwrap();
    let mut times = Vec::new();
    players[0].send("BEGIN");
    for turn in 0..most {
        let session = &mut players[turn % 2];
        let (took, (x, y)) = session.timed_cell();
        let p = board
            .point(x as i32, y as i32)
            .expect("a cell of the board");
        assert!(board.is_empty(p), "{p} is taken in\n{board}");
        let forbidden = forbidden_points(&board, rule, board.side_to_move());
        let has_choice = forbidden.len() < board.empty_count();
        assert!(
            !has_choice || !forbidden.contains(&p),
            "{p} is forbidden in\n{board}"
        );
        board.play(p);
        times.push(took);
        if wins_at(&board, rule, p) || board.empty_count() == 0 || turn + 1 == most {
            break;
        }
        players[(turn + 1) % 2].turn(x, y);
    }
    for session in &mut players {
        session.end();
    }
    times
}

#[test]
fn games_are_legal_under_every_rule() {
    for rule in Rule::ALL {
        play(15, 15, rule, 20, 225);
    }
}

#[test]
fn games_are_legal_on_other_boards() {
    play(20, 20, Rule::Freestyle, 20, 400);
    play(20, 9, Rule::Renju, 20, 180);
    play(5, 5, Rule::Renju, 20, 25);
    play(6, 6, Rule::CaroExact, 20, 36);
}
