use crate::memory::prefetch;
use crate::patterns::{COMBOS, Shape, combo_shapes};
use crate::types::{Color, PerColor};

/// Number of threat keys, see [`Weights::threat`].
pub const THREAT_KEYS: usize = 512;

/// Number of entries of a table over both colours' combinations.
pub const PAIRS: usize = COMBOS * COMBOS;

/// Evaluation units that make the odds of winning e times as good.
pub const LOGIT: f64 = 200.0;

/// Units of a policy logit that make a move e times as likely to be the right one.
pub const POLICY_LOGIT: f64 = 256.0;

/// The tables of one side, for positions with this side to move, from its own view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWeights {
    /// Value of a free cell in units of [`LOGIT`], [`PAIRS`] entries: `[own combination * COMBOS +
    /// opponent's combination]`.
    pub cells: Vec<i16>,
    /// Value of the threats on the whole board in units of [`LOGIT`], by threat key:
    /// [`THREAT_KEYS`] entries.
    pub threats: Vec<i16>,
    /// Policy logit of a move in units of [`POLICY_LOGIT`], indexed as `cells`.
    pub policy: Vec<i16>,
}

/// The classical evaluation: the value of a position for the side to move, and the policy logits of
/// its moves, by the combinations of shapes that both colours have on each free cell.
///
/// Each side to move has tables of its own, from its view: having the move changes the value of a
/// shape, and in renju the colours have different aims. The numbers are learned from games
/// (`training/classical`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Value of a free cell: `[Black's combination * COMBOS + White's combination]`, for Black to
    /// move and for White to move.
    cells: Box<[PerColor<i16>; PAIRS]>,
    /// Value of the threats on the whole board, by threat key.
    threats: PerColor<Vec<i16>>,
    /// Policy logit of a move: `[own combination * COMBOS + opponent's combination]`.
    policy: PerColor<Vec<i16>>,
}

impl Weights {
    /// Weights with these tables for Black and White to move.
    ///
    /// # Panics
    /// When a table does not have the length that [`SideWeights`] states.
    pub fn new(sides: &PerColor<SideWeights>) -> Weights {
        for side in &sides.0 {
            assert_eq!(side.cells.len(), PAIRS);
            assert_eq!(side.threats.len(), THREAT_KEYS);
            assert_eq!(side.policy.len(), PAIRS);
        }
        let mut cells: Box<[PerColor<i16>; PAIRS]> = bytemuck::zeroed_box();
        for (black, white) in (0..COMBOS).flat_map(|b| (0..COMBOS).map(move |w| (b, w))) {
            cells[black * COMBOS + white] = PerColor([
                sides[Color::Black].cells[black * COMBOS + white],
                sides[Color::White].cells[white * COMBOS + black],
            ]);
        }
        Weights {
            cells,
            threats: PerColor(Color::BOTH.map(|color| sides[color].threats.clone())),
            policy: PerColor(Color::BOTH.map(|color| sides[color].policy.clone())),
        }
    }

    /// The tables for `side` to move.
    pub fn side(&self, side: Color) -> SideWeights {
        let entry = |own: usize, other: usize| match side {
            Color::Black => own * COMBOS + other,
            Color::White => other * COMBOS + own,
        };
        SideWeights {
            cells: (0..PAIRS)
                .map(|pair| self.cells[entry(pair / COMBOS, pair % COMBOS)][side])
                .collect(),
            threats: self.threats[side].clone(),
            policy: self.policy[side].clone(),
        }
    }

    /// Weights made without games: the baseline of training, used by the engine while there are no
    /// trained ones.
    pub fn hand_set() -> Weights {
        // Lines that meet are worth more than their sum.
        let worth: Vec<(f64, f64)> = (0..COMBOS)
            .map(|combo| {
                let (values, policies): (Vec<f64>, Vec<f64>) =
                    combo_shapes(combo).into_iter().map(shape_worth).unzip();
                let sum: f64 = values.iter().sum();
                let square: f64 = values.iter().map(|v| v * v).sum();
                (
                    sum + 0.5 * (sum * sum - square).sqrt(),
                    policies.iter().sum(),
                )
            })
            .collect();
        let mut cells = vec![0; PAIRS];
        let mut policy = vec![0; PAIRS];
        for (own, &(own_value, attack)) in worth.iter().enumerate() {
            for (other, &(other_value, defence)) in worth.iter().enumerate() {
                cells[own * COMBOS + other] = (own_value - other_value).round() as i16;
                policy[own * COMBOS + other] = ((attack + 0.7 * defence) * 12.0).round() as i16;
            }
        }
        let side = SideWeights {
            cells,
            threats: vec![15; THREAT_KEYS],
            policy,
        };
        Weights::new(&PerColor([side.clone(), side]))
    }

    /// Place of these combinations in the table of values.
    #[inline]
    pub fn place(black: u8, white: u8) -> usize {
        usize::from(black) * COMBOS + usize::from(white)
    }

    /// Value of a free cell with these combinations for each side when it is to move.
    #[inline]
    pub fn cell(&self, black: u8, white: u8) -> PerColor<i16> {
        self.cell_at(Weights::place(black, white))
    }

    /// The value at that [`place`](Weights::place).
    #[inline]
    pub fn cell_at(&self, place: usize) -> PerColor<i16> {
        self.cells[place]
    }

    /// Prefetches that value.
    #[inline]
    pub fn prefetch_cell(&self, place: usize) {
        prefetch(self.cells.as_ptr().wrapping_add(place));
    }

    /// Value for `side`, to move, of the threats that `key` (below [`THREAT_KEYS`]) stands for.
    #[inline]
    pub fn threat(&self, side: Color, key: usize) -> i16 {
        self.threats[side][key]
    }

    /// Policy logit of a move of `side` to a cell with these combinations, in units of
    /// [`POLICY_LOGIT`].
    #[inline]
    pub fn policy(&self, side: Color, own: u8, other: u8) -> i32 {
        i32::from(self.policy[side][usize::from(own) * COMBOS + usize::from(other)])
    }

    /// Expected points of the side to move, 0 to 1, at `value`.
    pub fn win_rate(value: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(value) / LOGIT).exp())
    }
}

/// Hand-set worth of a shape on a free cell: for the value, and for the policy.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;

    const TRAINED: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// Number of the combination of these shapes.
    fn combo(shapes: &[Shape]) -> u8 {
        (0..COMBOS)
            .find(|&combo| combo_shapes(combo) == shapes)
            .expect("a combination of these shapes") as u8
    }

    fn value(weights: &Weights, side: Color, own: u8, other: u8) -> i16 {
        match side {
            Color::Black => weights.cell(own, other)[side],
            Color::White => weights.cell(other, own)[side],
        }
    }

    #[test]
    fn having_a_shape_is_worth_more_than_facing_it() {
        use Shape::{Four, OpenOne, OpenThree, OpenTwo, WideThree};
        let plain = combo(&[OpenOne, OpenOne, OpenOne]);
        for (rule, side) in TRAINED
            .into_iter()
            .flat_map(|rule| Color::BOTH.map(|side| (rule, side)))
        {
            let weights = Weights::get(rule);
            assert_eq!(value(weights, side, plain, plain), 0);
            for shapes in [
                [OpenTwo, OpenTwo, OpenOne],
                [OpenThree, OpenOne, OpenOne],
                [WideThree, OpenTwo, OpenOne],
                [Four, OpenTwo, OpenOne],
            ] {
                let own = combo(&shapes);
                let (have, face) = (
                    value(weights, side, own, plain),
                    value(weights, side, plain, own),
                );
                assert!(have > face, "{rule} {side} {shapes:?}: {have} {face}");
            }
        }
    }

    #[test]
    fn strong_moves_come_before_weak_ones() {
        use Shape::{Four, OpenOne, OpenThree, OpenTwo, StraightFour, WideThree, WideTwo};
        let plain = combo(&[OpenOne, OpenOne, OpenOne]);
        let two = combo(&[WideTwo, OpenOne, OpenOne]);
        let three = combo(&[WideThree, OpenTwo, OpenOne]);
        let four_three = combo(&[Four, OpenThree, OpenOne]);
        let straight_four = combo(&[StraightFour]);
        let five = combo(&[Shape::Five]);
        for (rule, side) in TRAINED
            .into_iter()
            .flat_map(|rule| Color::BOTH.map(|side| (rule, side)))
        {
            let policy = |own: u8, other: u8| Weights::get(rule).policy(side, own, other);
            let falling = [five, straight_four, four_three, three, two, plain];
            for pair in falling.windows(2) {
                assert!(
                    policy(pair[0], plain) > policy(pair[1], plain),
                    "{rule} {side}"
                );
            }
            assert!(
                policy(plain, straight_four) > policy(two, plain),
                "{rule} {side}"
            );
        }
    }

    #[test]
    fn odds_grow_by_e_with_each_logit() {
        assert_eq!(Weights::win_rate(0), 0.5);
        let rate = Weights::win_rate(LOGIT as i32);
        assert!((rate / (1.0 - rate) - std::f64::consts::E).abs() < 1e-9);
        assert!((Weights::win_rate(-LOGIT as i32) + rate - 1.0).abs() < 1e-9);
    }
}
