//! The 26 openings of renju: two stones of Black and one of White in the middle of the board.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::types::{Color, Point, Symmetry};

/// Direct openings, by number: Black's second stone from his first, with y downwards and White's
/// stone just above it; names in English (romanised), Chinese and Japanese.
const DIRECT: [OpeningRow; COUNT] = [
    ((0, -2), "Kansei", "寒星", "寒星"),
    ((1, -2), "Keigetsu", "溪月", "渓月"),
    ((2, -2), "Sosei", "疏星", "疎星"),
    ((1, -1), "Kagetsu", "花月", "花月"),
    ((2, -1), "Zangetsu", "残月", "残月"),
    ((1, 0), "Ugetsu", "雨月", "雨月"),
    ((2, 0), "Kinsei", "金星", "金星"),
    ((0, 1), "Shogetsu", "松月", "松月"),
    ((1, 1), "Kyugetsu", "丘月", "丘月"),
    ((2, 1), "Shingetsu", "新月", "新月"),
    ((0, 2), "Zuisei", "瑞星", "瑞星"),
    ((1, 2), "Sangetsu", "山月", "山月"),
    ((2, 2), "Yusei", "游星", "遊星"),
];
/// Indirect openings: White's stone is above and to the right of Black's first.
const INDIRECT: [OpeningRow; COUNT] = [
    ((2, -2), "Chosei", "长星", "長星"),
    ((2, -1), "Kyogetsu", "峡月", "峡月"),
    ((2, 0), "Kosei", "恒星", "恒星"),
    ((2, 1), "Suigetsu", "水月", "水月"),
    ((2, 2), "Ryusei", "流星", "流星"),
    ((1, 0), "Ungetsu", "云月", "雲月"),
    ((1, 1), "Hogetsu", "浦月", "浦月"),
    ((1, 2), "Rangetsu", "岚月", "嵐月"),
    ((0, 1), "Gingetsu", "银月", "銀月"),
    ((0, 2), "Myojo", "明星", "明星"),
    ((-1, 1), "Shagetsu", "斜月", "斜月"),
    ((-1, 2), "Meigetsu", "名月", "名月"),
    ((-2, 2), "Suisei", "彗星", "彗星"),
];
/// Openings of either kind.
const COUNT: usize = 13;

type Offset = (i32, i32);
type OpeningRow = (Offset, &'static str, &'static str, &'static str);

/// One of the 26 openings. Written as `4D Kagetsu (花月)`, or `6I Ungetsu (Chinese 云月, Japanese
/// 雲月)` where the characters differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedOpening {
    direct: bool,
    /// 1 to 13.
    number: u8,
}

impl NamedOpening {
    /// All of them, the direct ones first, by number.
    pub fn all() -> impl Iterator<Item = NamedOpening> {
        [true, false]
            .into_iter()
            .flat_map(|direct| (1..=COUNT as u8).map(move |number| NamedOpening { direct, number }))
    }

    /// True if White's stone touches Black's first along a row or column, not along a diagonal.
    pub const fn is_direct(self) -> bool {
        self.direct
    }

    /// 1 to 13 among the direct or the indirect ones.
    pub const fn number(self) -> u8 {
        self.number
    }

    /// `4D` for the fourth direct one, `7I` for the seventh indirect one.
    pub fn code(self) -> String {
        format!("{}{}", self.number, if self.direct { 'D' } else { 'I' })
    }

    /// The name as English texts write it: Japanese in Latin letters.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// The name in simplified Chinese.
    pub fn chinese(self) -> &'static str {
        self.entry().2
    }

    /// The name in Japanese.
    pub fn japanese(self) -> &'static str {
        self.entry().3
    }

    /// Its stones (black, white, black) from the centre of a board of that size, not turned.
    /// Both sides must be 5 or longer.
    pub fn points(self, width: u8, height: u8) -> [Point; 3] {
        let centre = Point::centre(width, height);
        let at = |(dx, dy): Offset| {
            Point::new(
                (i32::from(centre.x()) + dx) as u8,
                (i32::from(centre.y()) + dy) as u8,
            )
        };
        [centre, at(self.white()), at(self.entry().0)]
    }

    /// The opening of the first three stones of `board`, in any orientation and with Black's two
    /// stones in any order. One of them must stand in the middle of the board; where a side has
    /// even length, on either of the two middle lines.
    pub fn of(board: &Board) -> Option<NamedOpening> {
        let [a, white, b] = board.stones().get(..3)? else {
            return None;
        };
        let colors = [a.color, white.color, b.color];
        if colors != [Color::Black, Color::White, Color::Black] {
            return None;
        }
        let middle = |p: Point| is_middle(p.x(), board.width()) && is_middle(p.y(), board.height());
        [(a.point, b.point), (b.point, a.point)]
            .into_iter()
            .filter(|&(centre, _)| middle(centre))
            .find_map(|(centre, other)| {
                let from = |p: Point| {
                    let dx = i32::from(p.x()) - i32::from(centre.x());
                    let dy = i32::from(p.y()) - i32::from(centre.y());
                    (dx, dy)
                };
                NamedOpening::of_offsets(from(white.point), from(other))
            })
    }

    /// The opening whose second and third stone lie so from the first.
    fn of_offsets(white: Offset, black: Offset) -> Option<NamedOpening> {
        NamedOpening::all().find(|opening| {
            (0..8).map(Symmetry::new).any(|turn| {
                turn.turn(white) == opening.white() && turn.turn(black) == opening.entry().0
            })
        })
    }

    fn entry(self) -> &'static OpeningRow {
        let table = if self.direct { &DIRECT } else { &INDIRECT };
        &table[usize::from(self.number) - 1]
    }

    fn white(self) -> Offset {
        if self.direct { (0, -1) } else { (1, -1) }
    }
}

fn is_middle(place: u8, side: u8) -> bool {
    place == side / 2 || place == (side - 1) / 2
}

impl fmt::Display for NamedOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.code(), self.name())?;
        let (chinese, japanese) = (self.chinese(), self.japanese());
        if chinese == japanese {
            write!(f, "({chinese})")
        } else {
            write!(f, "(Chinese {chinese}, Japanese {japanese})")
        }
    }
}

/// The text is not the name of an opening; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is none of the 26 openings (such as 4D, I7, Kagetsu or 花月)")]
pub struct ParseOpeningError(pub String);

/// Reads a code (`4D` or `D4`, in any letter case) or a name in any of the three languages.
impl FromStr for NamedOpening {
    type Err = ParseOpeningError;

    fn from_str(text: &str) -> Result<NamedOpening, ParseOpeningError> {
        NamedOpening::all()
            .find(|opening| {
                let code = opening.code();
                let (number, letter) = code.split_at(code.len() - 1);
                code.eq_ignore_ascii_case(text)
                    || format!("{letter}{number}").eq_ignore_ascii_case(text)
                    || opening.name().eq_ignore_ascii_case(text)
                    || [opening.chinese(), opening.japanese()].contains(&text)
            })
            .ok_or_else(|| ParseOpeningError(text.to_string()))
    }
}
