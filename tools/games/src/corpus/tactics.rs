//! Tactical cases: ten TAB separated columns, `id, rule, size, side to move, black stones, white
//! stones, claim, confirmed by, difficulty, tags`; stones are separated by blanks.

use super::fields::{board, columns, free_point, items, rule, value};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::{Color, Point};

/// A position with a forced win of the side to move, or with a forced win to prevent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticCase {
    /// Name of the position.
    pub id: String,
    /// Rule set.
    pub rule: Rule,
    /// The stones and the side to move.
    pub board: Board,
    /// The claim.
    pub claim: Claim,
    /// A shortest winning line of fours, attacker first, if the corpus gives one, up to the four
    /// that cannot be stopped.
    pub line: Vec<Point>,
    /// The programs that found the claim true.
    pub confirmed_by: String,
    /// Work needed by solvers, for people.
    pub difficulty: String,
    /// Source and features, for people.
    pub tags: String,
}

/// The statement of a tactical case about the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The side wins by continuous fours.
    VcfWin {
        /// Number of fours, up to and including the one that cannot be stopped: the five comes at
        /// ply `2 * fours + 1` at the latest. 0 for a five at once.
        fours: u32,
        /// True if no shorter win exists; else `fours` is an upper bound.
        minimal: bool,
    },
    /// The side has no win by continuous fours.
    VcfNone,
    /// The side has no win by continuous fours, but one by threats.
    VctWin {
        /// Plies up to the five, if known.
        plies: Option<u32>,
    },
    /// The opponent would win by continuous fours if the side passed. These are all the allowed
    /// moves to prevent that.
    Defend(Vec<Point>),
}

const COLUMNS: &str = "id, rule, size, side to move, black, white, claim, confirmed by, \
                       difficulty, tags";

/// Reads the columns of a tactical case.
pub(super) fn parse(columns: &[&str]) -> Result<TacticCase, String> {
    let [
        id,
        rule_name,
        size,
        side,
        black,
        white,
        claim,
        confirmed_by,
        difficulty,
        tags,
    ] = self::columns(columns, COLUMNS)?;
    let rule = rule(rule_name)?;
    let mut board = board(size, [black, white], ' ', None)?;
    board.set_side_to_move(match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err(value("the side to move, b or w", side)),
    });
    let claim = parse_claim(&board, claim)?;
    let line = items(tags, ';')
        .find_map(|tag| tag.strip_prefix("pv="))
        .unwrap_or_default();
    let line = free_points(&board, line)?;
    Ok(TacticCase {
        id: id.to_string(),
        rule,
        board,
        claim,
        line,
        confirmed_by: confirmed_by.to_string(),
        difficulty: difficulty.to_string(),
        tags: tags.to_string(),
    })
}

fn parse_claim(board: &Board, text: &str) -> Result<Claim, String> {
    let error = || {
        value(
            "a claim: 'vcf_win 4', 'vcf_win <=4', 'vcf_none', 'vct_win <=9', 'vct_win ?' or \
             'defend 7,7 8,8'",
            text,
        )
    };
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let number = |text: &str| text.parse().map_err(|_| error());
    match (kind, rest) {
        ("vcf_none", "") => Ok(Claim::VcfNone),
        ("vct_win", "?") => Ok(Claim::VctWin { plies: None }),
        ("vct_win", bound) => {
            let plies = number(bound.strip_prefix("<=").ok_or_else(error)?)?;
            Ok(Claim::VctWin { plies: Some(plies) })
        }
        ("vcf_win", fours) => Ok(match fours.strip_prefix("<=") {
            Some(bound) => Claim::VcfWin {
                fours: number(bound)?,
                minimal: false,
            },
            None => Claim::VcfWin {
                fours: number(fours)?,
                minimal: true,
            },
        }),
        ("defend", moves) => Ok(Claim::Defend(free_points(board, moves)?)),
        _ => Err(error()),
    }
}

fn free_points(board: &Board, text: &str) -> Result<Vec<Point>, String> {
    items(text, ' ').map(|p| free_point(board, p)).collect()
}
