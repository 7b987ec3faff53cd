use super::random_boards::{RandomBoards, Style};
use super::*;

#[test]
fn random_boards_are_balanced_undecided_and_repeatable() {
    let boards: Vec<Board> = RandomBoards::new(7).take(300).collect();
    assert!(RandomBoards::new(7).take(300).eq(boards.iter().cloned()));
    assert!(boards.iter().any(|board| board.width() != board.height()));
    assert!(boards.iter().any(|board| board.width() == 5));
    for board in &boards {
        let black = board
            .stones()
            .iter()
            .filter(|stone| stone.color == Color::Black)
            .count();
        let white = board.stones().len() - black;
        assert!(black == white || black == white + 1);
        assert_eq!(winner(board, Rule::Freestyle), None);
    }
    let edge = RandomBoards::new(7).board(15, 15, Style::Edge);
    for stone in edge.stones() {
        assert!(random_boards::to_edge(&edge, stone.point) < 3);
    }
}

#[test]
fn random_boards_are_full_of_forbidden_points() {
    let mut kinds = [0; 3];
    for board in RandomBoards::new(1).take(400) {
        for foul in board.empty_points().filter_map(|p| foul(&board, p)) {
            kinds[0] += usize::from(foul.overline);
            kinds[1] += usize::from(foul.double_four);
            kinds[2] += usize::from(foul.double_three);
        }
    }
    assert!(kinds.iter().all(|&n| n > 100), "{kinds:?}");
}

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
