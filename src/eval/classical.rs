use std::sync::OnceLock;

use crate::patterns::{combo_shapes, Shape, COMBOS};
use crate::rules::Rule;
use crate::types::Color;

/// The classical evaluation: what a free cell is worth by the combinations of shapes that both
/// colours have there.
pub struct Weights {
    /// Value of a cell for Black: `[Black's combination][White's combination]`.
    cells: Vec<i16>,
    /// Worth of playing a combination, for ordering moves.
    attack: Vec<i16>,
    /// Worth of denying the opponent a combination, for ordering moves.
    defence: Vec<i16>,
    /// For the side to move.
    pub tempo: i32,
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
        let mut cells = vec![0; COMBOS * COMBOS];
        for (black, &(b, _)) in worth.iter().enumerate() {
            for (white, &(w, _)) in worth.iter().enumerate() {
                cells[black * COMBOS + white] = (b - w).round() as i16;
            }
        }
        Weights {
            cells,
            attack: worth.iter().map(|w| w.1 as i16).collect(),
            defence: worth.iter().map(|w| (w.1 * 0.7) as i16).collect(),
            tempo: 15,
        }
    }

    /// Value for Black of a free cell on which the colours have these combinations.
    #[inline]
    pub fn cell(&self, black: u16, white: u16) -> i32 {
        i32::from(self.cells[usize::from(black) * COMBOS + usize::from(white)])
    }

    /// How promising a move to a cell looks: `own` is the mover's combination there, `other` the
    /// opponent's.
    #[inline]
    pub fn order(&self, own: u16, other: u16) -> i32 {
        i32::from(self.attack[usize::from(own)]) + i32::from(self.defence[usize::from(other)])
    }

    /// Expected points of the side to move, 0 to 1, at `value`.
    pub fn win_rate(value: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(value) / 120.0).exp())
    }

    /// Which way a value for Black counts for `color`.
    #[inline]
    pub fn sign(color: Color) -> i32 {
        match color {
            Color::Black => 1,
            Color::White => -1,
        }
    }
}
