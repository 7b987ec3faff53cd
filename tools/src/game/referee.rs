//! The judge of a game: winners, illegal moves and draws.

use std::fmt;

use serde::{Deserialize, Serialize};

use tengen::board::Board;
use tengen::rules::{Foul, Rule, foul, winner, wins_at};
use tengen::types::{Color, Point};

/// Stones until the end of the opening; passes are not allowed before.
const OPENING_STONES: usize = 5;

/// The moment at which a forbidden move of Black costs him the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum FoulPolicy {
    /// At once, as managers of the Gomocup protocol judge.
    #[default]
    AtOnce,
    /// When White answers it with `CLAIM`. A double-three or double-four is forgiven if White lets
    /// it pass; an overline can be claimed until the game ends.
    /// Source: Renju International Federation, rules of play, 9.8.
    #[value(name = "claimed")]
    WhenClaimed,
}

/// Options of the judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Treatment of forbidden moves.
    pub fouls: FoulPolicy,
    /// True if a player may pass; two passes in succession are a draw. Source: ibid., 10.3.
    pub passes: bool,
    /// The game is drawn when this many cells are left free. Piskvork uses 25.
    pub draw_empty: usize,
    /// The game is drawn after this many stones.
    pub max_stones: Option<usize>,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.fouls {
            FoulPolicy::AtOnce => "forbidden moves lose at once",
            FoulPolicy::WhenClaimed => "forbidden moves lose when White claims it",
        })?;
        if self.passes {
            f.write_str("; two passes in a row are a draw")?;
        }
        if self.draw_empty > 0 {
            write!(f, "; a draw when {} cells are free", self.draw_empty)?;
        }
        match self.max_stones {
            Some(stones) => write!(f, "; a draw after {stones} stones"),
            None => Ok(()),
        }
    }
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome that stands on the board; `None` while the game goes on.
    pub fn of(board: &Board, rule: Rule) -> Option<Outcome> {
        let won = winner(board, rule).map(Outcome::win);
        won.or((board.empty_count() == 0).then_some(Outcome::Draw))
    }

    /// `black`, `white` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Black => "black",
            Outcome::White => "white",
            Outcome::Draw => "draw",
        }
    }

    /// The win of `color`.
    pub const fn win(color: Color) -> Outcome {
        match color {
            Color::Black => Outcome::Black,
            Color::White => Outcome::White,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Black => Some(Color::Black),
            Outcome::White => Some(Color::White),
            Outcome::Draw => None,
        }
    }
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A winning row.
    Five,
    /// Black played a forbidden move.
    Foul,
    /// No free cells, or as few as [`Options::draw_empty`].
    FullBoard,
    /// Both sides passed in succession.
    Passes,
    /// [`Options::max_stones`] were reached.
    Length,
    /// Decided by the engines' own evaluations.
    Adjudication,
    /// The loser gave up.
    Resignation,
    /// A move off the board or on a taken cell, a pass or a claim that was not allowed.
    Illegal,
    /// Too slow.
    Time,
    /// The process ended.
    Crash,
    /// The process closed its pipes or does not read them.
    Disconnect,
    /// Too much memory.
    Memory,
    /// The engine could not be started, or refused the game.
    Start,
    /// The engine gave a move unasked.
    Unasked,
}

impl Reason {
    /// True if the loser lost by misbehaviour rather than on the board.
    pub const fn is_forfeit(self) -> bool {
        !matches!(
            self,
            Reason::Five
                | Reason::Foul
                | Reason::FullBoard
                | Reason::Passes
                | Reason::Length
                | Reason::Adjudication
                | Reason::Resignation
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::Five => "five",
            Reason::Foul => "foul",
            Reason::FullBoard => "full board",
            Reason::Passes => "both passed",
            Reason::Length => "length",
            Reason::Adjudication => "adjudication",
            Reason::Resignation => "resignation",
            Reason::Illegal => "illegal move",
            Reason::Time => "time",
            Reason::Crash => "crash",
            Reason::Disconnect => "disconnect",
            Reason::Memory => "memory",
            Reason::Start => "start",
            Reason::Unasked => "unasked move",
        })
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner.
    pub outcome: Outcome,
    /// The reason.
    pub reason: Reason,
    /// More for people; may be empty.
    pub detail: String,
}

impl Ending {
    /// The end of a game that `loser` lost for `reason`.
    pub fn loss(loser: Color, reason: Reason, detail: impl Into<String>) -> Ending {
        Ending {
            outcome: Outcome::win(!loser),
            reason,
            detail: detail.into(),
        }
    }

    /// An end without details.
    pub fn new(outcome: Outcome, reason: Reason) -> Ending {
        Ending {
            outcome,
            reason,
            detail: String::new(),
        }
    }
}

/// A game in progress and its judge.
pub struct Referee {
    board: Board,
    rule: Rule,
    options: Options,
    /// True if the last turn was a pass.
    passed: bool,
    /// The foul of Black's last stone, while White may claim it.
    claimable: Option<(Point, Foul)>,
    /// Black's overlines, claimable to the end.
    overlines: Vec<Point>,
}

impl Referee {
    /// A game from a position without a winner.
    pub fn new(board: Board, rule: Rule, options: Options) -> Referee {
        Referee {
            board,
            rule,
            options,
            passed: false,
            claimable: None,
            overlines: Vec::new(),
        }
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move plays at `x`, `y`. `Some` ends the game; an illegal move is not played.
    pub fn play(&mut self, x: i32, y: i32) -> Option<Ending> {
        let side = self.board.side_to_move();
        let illegal = |what: &str| {
            let detail = format!("{x},{y} {what}");
            Some(Ending::loss(side, Reason::Illegal, detail))
        };
        let Some(p) = self.board.point(x, y) else {
            return illegal("is off the board");
        };
        if !self.board.is_empty(p) {
            return illegal("is taken");
        }
        let foul = if self.rule.restricts(side) {
            foul(&self.board, p)
        } else {
            None
        };
        self.board.play(p);
        self.passed = false;
        self.claimable = None;
        if let Some(foul) = foul {
            if self.options.fouls == FoulPolicy::AtOnce {
                return Some(Ending::loss(side, Reason::Foul, self.foul_text(p, foul)));
            }
            self.claimable = Some((p, foul));
            if foul.overline {
                self.overlines.push(p);
            }
        }
        if wins_at(&self.board, self.rule, p) {
            return Some(Ending::new(Outcome::win(side), Reason::Five));
        }
        let stones = self.board.stones().len();
        if self.board.empty_count() <= self.options.draw_empty {
            return Some(Ending::new(Outcome::Draw, Reason::FullBoard));
        }
        if self.options.max_stones.is_some_and(|max| stones >= max) {
            return Some(Ending::new(Outcome::Draw, Reason::Length));
        }
        None
    }

    /// True after the opening; passes are not allowed before its end.
    pub fn may_pass(board: &Board) -> bool {
        board.stones().len() >= OPENING_STONES
    }

    /// The side to move passes.
    pub fn pass(&mut self) -> Option<Ending> {
        let side = self.board.side_to_move();
        if !self.options.passes || !Referee::may_pass(&self.board) {
            let detail = "a pass is not allowed";
            return Some(Ending::loss(side, Reason::Illegal, detail));
        }
        if self.passed {
            return Some(Ending::new(Outcome::Draw, Reason::Passes));
        }
        self.passed = true;
        self.claimable = None;
        self.board.set_side_to_move(!side);
        None
    }

    /// The side to move claims a foul of the opponent's stone at `at`, or of his last stone. A
    /// wrong claim is an illegal answer.
    pub fn claim(&mut self, at: Option<(i32, i32)>) -> Ending {
        let side = self.board.side_to_move();
        let at = at.map(|(x, y)| self.board.point(x, y));
        let names = |p: Point| at.is_none_or(|at| at == Some(p));
        let last = self.claimable.filter(|(p, _)| names(*p));
        let overline = self.overlines.iter().copied().find(|p| names(*p));
        if let Some((p, foul)) = last {
            return Ending::loss(!side, Reason::Foul, self.foul_text(p, foul));
        }
        if let Some(p) = overline {
            let text = format!("{} makes an overline", p.label(self.board.height()));
            return Ending::loss(!side, Reason::Foul, text);
        }
        Ending::loss(side, Reason::Illegal, "claimed a foul where there is none")
    }

    fn foul_text(&self, p: Point, foul: Foul) -> String {
        format!("{} is forbidden ({foul})", p.label(self.board.height()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::board::parse_moves;

    fn referee(moves: &str, options: Options) -> Referee {
        let mut board = Board::new(15, 15).unwrap();
        parse_moves(&mut board, moves).unwrap();
        Referee::new(board, Rule::Renju, options)
    }

    fn claimed() -> Options {
        Options {
            fouls: FoulPolicy::WhenClaimed,
            passes: true,
            ..Options::default()
        }
    }

    /// Black to move; h8 is a double-three.
    const THREES: &str = "f8 a1 g8 c1 h10 e1 h9 g1";
    /// Black to move; h8 is an overline.
    const SIX: &str = "e8 a1 f8 c1 g8 e1 i8 g1 j8 i1";

    #[test]
    fn fouls_cost_the_game_at_once_by_default() {
        for (moves, kind) in [(THREES, "33"), (SIX, "6")] {
            let ending = referee(moves, Options::default()).play(7, 7).unwrap();
            assert_eq!(ending.outcome, Outcome::White);
            assert_eq!(ending.reason, Reason::Foul);
            assert_eq!(ending.detail, format!("h8 is forbidden ({kind})"));
        }
    }

    #[test]
    fn a_double_three_is_claimed_in_the_next_turn_or_never() {
        let mut game = referee(THREES, claimed());
        assert_eq!(game.play(7, 7), None);
        assert_eq!(game.claim(None).reason, Reason::Foul);
        let mut game = referee(THREES, claimed());
        game.play(7, 7);
        assert_eq!(game.play(0, 0), None, "White plays on");
        assert_eq!(game.play(0, 2), None);
        let ending = game.claim(Some((7, 7)));
        assert_eq!(
            (ending.outcome, ending.reason),
            (Outcome::Black, Reason::Illegal)
        );
    }

    #[test]
    fn an_overline_is_claimed_at_any_time() {
        let mut game = referee(SIX, claimed());
        assert_eq!(game.play(7, 7), None);
        game.play(0, 0);
        game.play(0, 2);
        let ending = game.claim(Some((7, 7)));
        assert_eq!(
            (ending.outcome, ending.reason),
            (Outcome::White, Reason::Foul)
        );
        assert_eq!(ending.detail, "h8 makes an overline");
    }

    #[test]
    fn two_passes_in_a_row_draw_where_they_are_allowed() {
        let mut game = referee(THREES, claimed());
        assert_eq!(game.pass(), None);
        assert_eq!(game.board().side_to_move(), Color::White);
        assert_eq!(game.play(0, 0), None);
        assert_eq!(game.pass(), None);
        assert_eq!(game.pass().unwrap().reason, Reason::Passes);
        let ending = referee(THREES, Options::default()).pass().unwrap();
        assert_eq!(
            (ending.outcome, ending.reason),
            (Outcome::White, Reason::Illegal)
        );
        assert!(
            referee("h8", claimed()).pass().is_some(),
            "not in the opening"
        );
    }

    #[test]
    fn illegal_moves_wins_and_draws() {
        let mut game = referee("h8", Options::default());
        assert_eq!(game.play(7, 7).unwrap().outcome, Outcome::Black);
        assert_eq!(game.play(15, 0).unwrap().reason, Reason::Illegal);
        assert_eq!(game.play(-1, 0).unwrap().reason, Reason::Illegal);
        let mut game = referee("h8 a1 h9 c1 h10 e1 h11 g1", Options::default());
        let ending = game.play(7, 3).unwrap();
        assert_eq!(
            (ending.outcome, ending.reason),
            (Outcome::Black, Reason::Five)
        );
        let board = Board::new(5, 5).unwrap();
        let options = Options {
            draw_empty: 23,
            ..Options::default()
        };
        let mut game = Referee::new(board, Rule::Standard, options);
        assert_eq!(game.play(0, 0), None);
        assert_eq!(game.play(1, 1).unwrap().reason, Reason::FullBoard);
    }
}
