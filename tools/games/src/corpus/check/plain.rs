use super::Difference;
use crate::corpus::positions::PositionCase;
use tengen::board::Board;
use tengen::rules::{Rule, foul, winner, winning_points, wins_at};

/// The game was played by the rules and goes on.
pub(super) fn position(case: &PositionCase) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut board = Board::new(case.board.width().into(), case.board.height().into())
        .expect("the size of a board");
    for (i, stone) in case.board.stones().iter().enumerate() {
        let p = stone.point;
        let kinds = case
            .rule
            .restricts(stone.color)
            .then(|| foul(&board, p))
            .flatten();
        board.put(p, stone.color);
        let got = match kinds {
            Some(kinds) => kinds.to_string(),
            None if wins_at(&board, case.rule, p) => "a win".to_string(),
            None => continue,
        };
        differences.push(Difference {
            what: format!("{}: move {} at {p}", case.id, i + 1),
            expected: "an ordinary move".to_string(),
            got,
        });
    }
    differences.extend(undecided(&case.id, &board, case.rule));
    differences
}

/// Nobody has a winning row, and the side to move has none at once.
pub(super) fn undecided(id: &str, board: &Board, rule: Rule) -> Vec<Difference> {
    let won = winner(board, rule).map(|color| format!("one of {color}"));
    let fives = winning_points(board, rule, board.side_to_move());
    [
        won.and_then(|got| Difference::between(format!("{id}: winning row"), "none", got)),
        Difference::between(
            format!("{id}: points that win at once"),
            "none",
            super::points_text(&fives),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
