//! Positions with one right answer: the acceptance test of the Gomocup judge. Cases 9 to 12.

use crate::common::Session;

/// Asks for a move in a position on a board of `size` under `rule`, within a second.
fn ask(size: u32, rule: u32, entries: &str) -> Session {
    let mut session = Session::start(size);
    session.info("rule", rule).info("timeout_turn", 1_000);
    session.block("BOARD", entries);
    session
}

#[test]
fn c09_a_five_is_made_under_every_rule_and_size() {
    let four = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";
    for size in [15, 20] {
        for rule in [0, 1, 4, 8, 9] {
            ask(size, rule, four).expect_one_of("6,7 11,7");
        }
    }
}

#[test]
fn c10_a_four_that_can_only_become_six_is_worth_nothing() {
    let entries = "7,7,2 7,8,1 8,7,2 7,9,1 6,7,2 7,10,1 9,12,2 7,11,1 6,13,2 7,13,1 8,14,2";
    ask(15, 1, entries).expect_one_of("5,7 9,7");
}

#[test]
fn c11_black_does_not_make_a_double_three() {
    let entries = "7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2";
    let mut session = ask(15, 4, entries);
    assert_ne!(session.expect_move(), (6, 8));
    session.block("YXBOARD", entries);
    session.send("YXSHOWFORBID").expect_line("FORBID 0608.");
    // White may play there, and other rules forbid nothing.
    session
        .info("rule", 0)
        .send("YXSHOWFORBID")
        .expect_line("FORBID .");
}

#[test]
fn c12_a_five_blocked_at_both_ends_is_none_in_caro() {
    let entries = "7,7,1 5,7,2 6,7,1 5,8,2 8,7,1 5,6,2 9,7,1 11,7,2";
    for rule in [8, 9] {
        ask(15, rule, entries).expect_one_of("5,4 5,5 5,9 5,10");
    }
}
