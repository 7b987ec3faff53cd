use super::*;
use crate::random_boards::RandomBoards;

#[test]
fn the_quick_look_before_a_foul_hides_none() {
    for board in RandomBoards::new(2).take(400) {
        for p in board.empty_points() {
            let judged = foul(&board, p);
            assert_eq!(
                judged,
                renju::foul_without_quick_check(&board, p),
                "{p}\n{board}"
            );
        }
    }
}
