//! Values of arguments, read and checked.

use crate::arena::adjudication::Adjudication;
use crate::arena::schedule::ScheduleKind;
use tengen::types::Point;

/// Points for a win, a draw and a loss.
pub type Points = [f64; 3];

/// A hash of a list of openings, the same on every machine (FNV-1a).
pub fn fingerprint(openings: &[Vec<Point>]) -> u64 {
    let ends = |opening: &Vec<Point>| {
        let points = opening.iter().map(|p| p.index() as u64 + 1);
        points.chain([0]).collect::<Vec<_>>()
    };
    openings
        .iter()
        .flat_map(ends)
        .fold(0xcbf2_9ce4_8422_2325, |hash, n| {
            (hash ^ n).wrapping_mul(0x0100_0000_01b3)
        })
}

/// Checks that there are enough players for a schedule.
pub fn check_kind(kind: ScheduleKind, players: usize) -> Result<(), String> {
    let ScheduleKind::Groups { groups, advance } = kind else {
        return Ok(());
    };
    let smallest = players / groups;
    if smallest < 2 {
        return Err(format!("{players} players are too few for {groups} groups"));
    }
    if advance > smallest {
        return Err(format!(
            "a group of {smallest} cannot send {advance} players on"
        ));
    }
    Ok(())
}

/// Reads `4..6` (both included) or `5`.
///
/// # Errors
/// With the expected form.
pub fn parse_plies(text: &str) -> Result<(usize, usize), String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.parse(), high.trim_start_matches('=').parse()) {
        (Ok(low), Ok(high)) if 1 <= low && low <= high && high <= 20 => Ok((low, high)),
        _ => Err("write the fewest and most stones, such as 4..6 (at most 20)".to_string()),
    }
}

pub fn parse_points(text: &str) -> Result<Points, String> {
    let numbers: Option<Vec<f64>> = text
        .split('/')
        .map(|part| part.parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    numbers
        .and_then(|numbers| Points::try_from(numbers).ok())
        .ok_or_else(|| "three numbers are expected, such as 3/1/0".to_string())
}

pub fn parse_adjudication(words: &[String]) -> Result<Adjudication, String> {
    let mut rules = Adjudication::default();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("'{word}' is not of the form key=value"))?;
        let count = |text: &str| match text.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(format!(
                "'{word}': a number of moves of at least 1 is missing"
            )),
        };
        let bound = || -> Result<(f64, u32), String> {
            let (bound, moves) = value
                .split_once('x')
                .ok_or_else(|| format!("'{word}': write VALUExMOVES, such as {key}=500x3"))?;
            let bound: f64 = bound
                .parse()
                .ok()
                .filter(|b: &f64| b.is_finite() && *b >= 0.0)
                .ok_or_else(|| format!("'{word}': '{bound}' is not a value"))?;
            Ok((bound, count(moves)?))
        };
        match key {
            "proved" => rules.proved = Some(count(value)?),
            "lost" => rules.lost = Some(bound()?),
            "draw" => rules.draw = Some(bound()?),
            _ => return Err(format!("'{key}' is none of proved, lost, draw")),
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_stones() {
        assert_eq!(parse_plies("4..6"), Ok((4, 6)));
        assert_eq!(parse_plies("5"), Ok((5, 5)));
        for bad in ["", "6..4", "0..3", "a..b", "3..99"] {
            assert!(parse_plies(bad).is_err(), "{bad}");
        }
    }
}
