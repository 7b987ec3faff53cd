//! The game of a session: stones and passes in any order of colours, as the Go Text Protocol
//! allows.

use super::vertex::{column_letter, vertex_of};
use crate::game::referee::Outcome;
use tengen::board::{Board, Cell, Move};
use tengen::engine::safety::{is_legal, playable_cells};
use tengen::rules::{Rule, forbidden_points, foul};
use tengen::types::{Color, Point};
use tengen_games::records::RecordedGame;

/// A position and the moves to it.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins on `board`.
    pub fn new(board: Board) -> Game {
        Game {
            board,
            moves: Vec::new(),
        }
    }

    /// The game of a record, without names, clocks and comments.
    pub fn of_record(record: &RecordedGame) -> Game {
        let mut game = Game::new(record.start.clone());
        record.moves.iter().for_each(|&made| game.push(made));
        game
    }

    /// The game as a record.
    pub fn record(&self) -> RecordedGame {
        let mut start = self.clone();
        while start.undo() {}
        let mut record = RecordedGame::from_position(start.board);
        self.moves.iter().for_each(|&made| record.play(made));
        record
    }

    /// True if no stone was put.
    pub fn is_empty(&self) -> bool {
        self.board.stones().is_empty()
    }

    /// The position. The side to move follows the alternation of colours.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position with `color` to move.
    pub fn with_turn_of(&self, color: Color) -> Board {
        let mut board = self.board.clone();
        board.set_side_to_move(color);
        board
    }

    /// Begins again on an empty board of the same size.
    pub fn clear(&mut self) {
        *self = Game::new(self.board.cleared());
    }

    /// Gives the turn to `color`.
    pub fn set_turn(&mut self, color: Color) {
        self.board.set_side_to_move(color);
    }

    /// Puts a stone of the position at the game's start; false on a taken cell.
    pub fn set_up(&mut self, color: Color, p: Point) -> bool {
        let is_free = self.moves.is_empty() && self.board.is_empty(p);
        if is_free {
            self.board.put(p, color);
        }
        is_free
    }

    /// Plays a move of any side.
    ///
    /// # Errors
    /// When the cell is taken, or forbidden in a game with alternating colours. A position built up
    /// stone by stone may pass through forbidden shapes.
    pub fn play(&mut self, made: Move, rule: Rule) -> Result<(), String> {
        if let Some(p) = made.point {
            if !self.board.is_empty(p) {
                return Err("illegal move: the point is taken".to_string());
            }
            let position = self.with_turn_of(made.color);
            if self.alternates_with(made.color) && !is_legal(&position, rule, p) {
                let foul = foul(&position, p).unwrap_or_default();
                return Err(format!("illegal move: forbidden for Black ({foul})"));
            }
        }
        self.push(made);
        Ok(())
    }

    /// Plays a move chosen as a legal one.
    pub fn push(&mut self, made: Move) {
        self.board.make(made);
        self.moves.push(made);
    }

    /// True if the sides take turns from the first move to a next one of `color`. Black has to
    /// begin, unless stones were set up.
    fn alternates_with(&self, color: Color) -> bool {
        let played = self.moves.iter().filter(|made| made.point.is_some());
        let is_set_up = self.board.stones().len() > played.count();
        let colors: Vec<Color> = self.moves.iter().map(|made| made.color).collect();
        let first = colors.first().copied().unwrap_or(color);
        (is_set_up || first == Color::Black)
            && colors.windows(2).all(|pair| pair[0] != pair[1])
            && colors.last() != Some(&color)
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(made) = self.moves.pop() else {
            return false;
        };
        if made.point.is_some() {
            self.board.undo();
        }
        self.board.set_side_to_move(made.color);
        true
    }

    /// The end of the game; `None` while it goes on.
    pub fn outcome(&self, rule: Rule) -> Option<Outcome> {
        Outcome::of(&self.board, rule)
    }

    /// The cells open to `color`, as vertices.
    pub fn legal_vertices(&self, color: Color, rule: Rule) -> Vec<String> {
        if self.outcome(rule).is_some() {
            return Vec::new();
        }
        let cells = playable_cells(&self.with_turn_of(color), rule);
        let height = self.board.height();
        cells.iter().map(|p| vertex_of(p, height)).collect()
    }

    /// The points forbidden to Black, as vertices.
    pub fn forbidden_vertices(&self, rule: Rule) -> Vec<String> {
        let points = forbidden_points(&self.board, rule, Color::Black);
        let height = self.board.height();
        points.iter().map(|&p| vertex_of(p, height)).collect()
    }

    /// The rows from the top: `X` black, `O` white, `.` free, separated by blanks.
    pub fn rows(&self) -> Vec<String> {
        let symbol = |x, y| match self.board.cell(Point::new(x, y)) {
            Cell::Black => "X",
            Cell::White => "O",
            Cell::Empty | Cell::Blocked => ".",
        };
        let row = |y| {
            let cells: Vec<&str> = (0..self.board.width()).map(|x| symbol(x, y)).collect();
            cells.join(" ")
        };
        (0..self.board.height()).map(row).collect()
    }

    /// The rows with their numbers, and the letters of the columns.
    pub fn diagram(&self) -> String {
        let letters: Vec<String> = (0..self.board.width())
            .map(|x| column_letter(x).to_string())
            .collect();
        let letters = format!("   {}", letters.join(" "));
        let numbered = self.rows().into_iter().enumerate().map(|(y, row)| {
            let number = usize::from(self.board.height()) - y;
            format!("{number:>2} {row} {number}")
        });
        let lines: Vec<String> = [letters.clone()]
            .into_iter()
            .chain(numbered)
            .chain([letters])
            .collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::vertex::{parse_color, parse_vertex};

    fn game(moves: &str, rule: Rule) -> Result<Game, String> {
        let mut game = Game::new(Board::new(15, 15).unwrap());
        for word in moves.split_whitespace() {
            let (color, vertex) = word.split_at(1);
            let color = parse_color(color).unwrap();
            let point = parse_vertex(vertex, game.board()).unwrap();
            game.play(Move { color, point }, rule)?;
        }
        Ok(game)
    }

    const DOUBLE_THREE: &str = "bF8 wA1 bG8 wA15 bH10 wP1 bH9 wP15";

    #[test]
    fn forbidden_points_are_refused_in_a_game_alone() {
        let played = format!("{DOUBLE_THREE} bH8");
        let refused = game(&played, Rule::Renju).unwrap_err();
        assert_eq!(refused, "illegal move: forbidden for Black (33)");
        assert!(game(&played, Rule::Freestyle).is_ok());
        let with_pass = format!("{DOUBLE_THREE} bPass wpass bH8");
        assert!(game(&with_pass, Rule::Renju).is_err());
        assert!(game("bF8 bG8 bH10 bH9 bH8", Rule::Renju).is_ok());
        assert!(game("wA1 bF8 wA2 bG8 wA4 bH10 wA6 bH9 wA8 bH8", Rule::Renju).is_ok());
        assert!(game("bF8 wF8", Rule::Renju).is_err());
    }

    #[test]
    fn every_move_can_be_taken_back() {
        let mut game = game("bH8 wJ9 wPass bA1 bA2", Rule::Freestyle).unwrap();
        let sides: Vec<Color> = std::iter::from_fn(|| {
            let is_undone = game.undo();
            is_undone.then(|| game.board().side_to_move())
        })
        .collect();
        use Color::{Black, White};
        assert_eq!(sides, [Black, Black, White, White, Black]);
        assert_eq!(game.board(), &Board::new(15, 15).unwrap());
    }

    #[test]
    fn the_position_before_the_first_move_stays() {
        let mut game = Game::new(Board::new(5, 5).unwrap());
        assert!(game.set_up(Color::White, Point::new(0, 0)));
        assert!(!game.set_up(Color::Black, Point::new(0, 0)));
        game.push(Move {
            color: Color::Black,
            point: Some(Point::new(1, 0)),
        });
        assert!(!game.set_up(Color::White, Point::new(4, 4)));
        assert_eq!(game.rows()[0], "O X . . .");
        assert!(game.undo() && !game.undo());
        assert_eq!(game.rows()[0], "O . . . .");
        assert!(game.diagram().starts_with("   A B C D E\n 5 O . . . . 5\n"));
    }
}
