use std::sync::OnceLock;

use crate::patterns::{combo_shapes, Shape, COMBOS};
use crate::rules::Rule;
use crate::types::{Color, PerColor};

/// Number of threat keys, see [`Weights::threat`].
pub const THREAT_KEYS: usize = 512;

/// Number of entries of a table over both colours' combinations.
pub const PAIRS: usize = COMBOS * COMBOS;

/// The classical evaluation: what a position is worth for the side to move by the combinations of
/// shapes that both colours have on each free cell, and how promising a move to a cell is.
///
/// Every table is kept for each side to move, from its own view: having the move changes what a
/// shape is worth, and in renju the colours have different aims.
pub struct Weights {
    /// Value of a free cell: `[Black's combination * COMBOS + White's combination]`, for Black to
    /// move and for White to move.
    cells: Box<[PerColor<i16>; PAIRS]>,
    /// Value of the threats on the whole board, by threat key.
    threats: PerColor<Vec<i16>>,
    /// Promise of a move: `[own combination * COMBOS + opponent's combination]`; 256 units make a move e times as likely to be the
    /// right one.
    moves: PerColor<Vec<i16>>,
}

/// Hand-set worth of a shape on a free cell: for the evaluation, and for ordering moves.
fn shape_worth(shape: Shape) -> (f64, f64) {
    match shape {
        Shape::Dead => (0.0, 0.0),
        Shape::ClosedOne => (0.5, 1.0),
        Shape::OpenOne => (1.5, 4.0),
        Shape::ClosedTwo => (2.5, 6.0),
        Shape::OpenTwo => (6.0, 14.0),
        Shape::WideTwo => (7.0, 18.0),
        Shape::ClosedThree => (8.0, 24.0),
        Shape::OpenThree => (20.0, 50.0),
        Shape::WideThree => (24.0, 60.0),
        Shape::Four => (22.0, 70.0),
        Shape::LineDoubleFour | Shape::StraightFour => (120.0, 500.0),
        Shape::Five => (150.0, 2000.0),
        Shape::Overline => (0.0, 0.0),
    }
}

impl Weights {
    /// The weights of `rule`, built at the first call.
    pub fn get(rule: Rule) -> &'static Weights {
        static WEIGHTS: [OnceLock<Weights>; 5] = [const { OnceLock::new() }; 5];
        WEIGHTS[rule.index()].get_or_init(Weights::hand_set)
    }

    fn hand_set() -> Weights {
        // Lines that meet are worth more than their sum.
        let worth: Vec<(f64, f64)> = (0..COMBOS)
            .map(|combo| {
                let (values, orders): (Vec<f64>, Vec<f64>) =
                    combo_shapes(combo).into_iter().map(shape_worth).unzip();
                let sum: f64 = values.iter().sum();
                let square: f64 = values.iter().map(|v| v * v).sum();
                (sum + 0.5 * (sum * sum - square).sqrt(), orders.iter().sum())
            })
            .collect();
        let mut cells: Box<[PerColor<i16>; PAIRS]> = bytemuck::zeroed_box();
        let mut moves = vec![0; PAIRS];
        for (own, &(own_value, attack)) in worth.iter().enumerate() {
            for (other, &(other_value, defence)) in worth.iter().enumerate() {
                let value = (own_value - other_value).round() as i16;
                cells[own * COMBOS + other][Color::Black] = value;
                cells[other * COMBOS + own][Color::White] = value;
                moves[own * COMBOS + other] = ((attack + 0.7 * defence) * 12.0).round() as i16;
            }
        }
        Weights {
            cells,
            threats: PerColor([vec![15; THREAT_KEYS], vec![15; THREAT_KEYS]]),
            moves: PerColor([moves.clone(), moves]),
        }
    }

    /// Value of a free cell with these combinations for each side when it is to move.
    #[inline]
    pub fn cell(&self, black: u8, white: u8) -> PerColor<i16> {
        self.cells[usize::from(black) * COMBOS + usize::from(white)]
    }

    /// Value for `side`, to move, of the threats that `key` (below [`THREAT_KEYS`]) stands for.
    #[inline]
    pub fn threat(&self, side: Color, key: usize) -> i16 {
        self.threats[side][key]
    }

    /// How promising a move of `side` to a cell with these combinations looks.
    #[inline]
    pub fn order(&self, side: Color, own: u8, other: u8) -> i32 {
        i32::from(self.moves[side][usize::from(own) * COMBOS + usize::from(other)])
    }

    /// Expected points of the side to move, 0 to 1, at `value`.
    pub fn win_rate(value: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(value) / 120.0).exp())
    }
}
