//! Results as text for people.

use std::fmt::{self, Write as _};

use Side::{Left, Right};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::ratings::Rating;
use super::sprt::Hypothesis;
use super::stats::{EloEstimate, ScoreCounts};
use super::summary::{Duel, PlayerSummary, SprtState, Summary};
use tengen::streams::on_one_line;

impl fmt::Display for ScoreCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("+{} ={} -{}", self.wins, self.draws, self.losses))
    }
}

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.error.is_finite() {
            write!(f, "{:+.1} ± {:.1}", unsigned_zero(self.elo), self.error)
        } else {
            // One player won all games, or there are too few.
            f.write_str("not measurable yet")
        }
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} ± {:.1}", unsigned_zero(self.elo), self.error)
    }
}

/// The same number, without the minus sign where it rounds to zero at one place: "-0.0" looks like
/// a loss.
fn unsigned_zero(elo: f64) -> f64 {
    if elo.abs() < 0.05 { 0.0 } else { elo }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "elo0={} elo1={}: LLR {:.2} [{:.2}, {:.2}]",
            self.elo0, self.elo1, self.llr, self.lower, self.upper
        )?;
        match self.accepted {
            Some(Hypothesis::H0) => f.write_str(", H0 accepted")?,
            Some(Hypothesis::H1) => f.write_str(", H1 accepted")?,
            None => f.write_str(", no answer yet")?,
        }
        f.write_str(if self.by_forfeits {
            ", decided by forfeits"
        } else {
            ""
        })
    }
}

/// One line on the state of a match, for a progress bar or a log.
pub fn status_line(summary: &Summary) -> String {
    let mut text = String::new();
    match (&summary.duel, &summary.players[..]) {
        (Some(duel), [first, ..]) => {
            let all = &first.stats.all;
            let _ = write!(text, "{} {all} ({:.3})", first.name, all.score());
            if let Some(elo) = &duel.elo {
                let _ = write!(text, ", Elo {elo}");
            }
            text.push_str(&forfeits(&summary.players));
            if duel.repeated > 0 {
                let _ = write!(text, ", {} repeated", duel.repeated);
            }
            if let Some(sprt) = &duel.sprt {
                let _ = write!(
                    text,
                    ", LLR {:.2} [{:.2}, {:.2}]",
                    sprt.llr, sprt.lower, sprt.upper
                );
            }
        }
        (_, players) => {
            let mut leaders: Vec<&PlayerSummary> = players.iter().collect();
            leaders.sort_by(|a, b| b.points.total_cmp(&a.points));
            let names: Vec<String> = leaders
                .iter()
                .take(3)
                .map(|p| format!("{} {}/{}", p.name, p.points, p.stats.all.games()))
                .collect();
            text.push_str(&names.join(", "));
        }
    }
    on_one_line(&text)
}

/// `, forfeits: A 3, B 1`; empty without forfeits.
fn forfeits(players: &[PlayerSummary]) -> String {
    let forfeited = players.iter().filter(|player| player.forfeits() > 0);
    let counts = forfeited.map(|player| format!("{} {}", player.shown_name(), player.forfeits()));
    let counts: Vec<String> = counts.collect();
    match counts.is_empty() {
        true => String::new(),
        false => format!(", forfeits: {}", counts.join(", ")),
    }
}

/// The whole result. Names and rules may come from a foreign journal, so they are escaped.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}x{}, {} games",
            on_one_line(&self.rule),
            self.width,
            self.height,
            self.games
        )?;
        if self.uncounted > 0 {
            write!(
                f,
                " ({} more ended after the test had its answer)",
                self.uncounted
            )?;
        }
        writeln!(f)?;
        self.write_standings(f)?;
        if let Some(duel) = &self.duel {
            self.write_duel(f, duel)?;
        } else {
            self.write_cross_table(f)?;
            self.write_ratings(f)?;
        }
        if let Some(course) = &self.course {
            write!(f, "{course}")?;
        }
        self.write_games(f)?;
        self.write_moves(f)
    }
}

/// Alignment of a column's text.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Left,
    Right,
}

/// Columns of a terminal, the width of tables as far as cut names allow it.
const COLUMNS: usize = 80;
/// Fewest columns of a name, even in a table that is then too wide.
const MIN_NAME: usize = 16;

/// A name without its middle where it is longer than `width`: versions of a program often begin
/// alike or end alike.
fn cut(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_string();
    }
    // Letters as long as there are columns for them.
    let fitting = |columns: usize| {
        let mut used = 0;
        move |letter: &char| {
            used += letter.width().unwrap_or(0);
            used <= columns
        }
    };
    let start: String = name.chars().take_while(fitting(width / 2)).collect();
    let end: Vec<char> = name
        .chars()
        .rev()
        .take_while(fitting((width - 1) / 2))
        .collect();
    let end: String = end.into_iter().rev().collect();
    format!("{start}…{end}")
}

/// Writes rows of equally many cells, each column as wide as its widest cell. The first column
/// names the rows and is cut where the table would be too wide. Control characters in cells are
/// escaped. Letters of Chinese, Japanese and Korean take two columns.
pub(super) fn write_columns(
    f: &mut fmt::Formatter<'_>,
    rows: &[Vec<String>],
    sides: &[Side],
) -> fmt::Result {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| on_one_line(cell)).collect();
    let mut rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].width());
        cells.max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..sides.len()).map(width).collect();
    let others: usize = widths[1..].iter().map(|width| 2 + width).sum();
    let room = COLUMNS.saturating_sub(2 + others).max(MIN_NAME);
    widths[0] = widths[0].min(room);
    for row in &mut rows {
        row[0] = cut(&row[0], room);
        let mut line = String::new();
        for ((cell, side), &width) in row.iter().zip(sides).zip(&widths) {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            let _ = match side {
                Left => write!(line, "  {cell}{padding}"),
                Right => write!(line, "  {padding}{cell}"),
            };
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

impl PlayerSummary {
    /// The name as a table shows it.
    fn shown_name(&self) -> String {
        on_one_line(&self.name)
    }
}

impl Summary {
    /// The players' places, tie-breaks and ratings.
    fn write_ratings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranked_by = "Equal points are ranked by:";
        let gap = match ranked_by.len() + 1 + self.tie_break.len() > COLUMNS {
            true => "\n  ",
            false => " ",
        };
        writeln!(f, "{ranked_by}{gap}{}", self.tie_break)?;
        let head = [
            "player",
            "Buchholz",
            "Sonneborn",
            "rating (95 %, average 0)",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(self.ranked().into_iter().map(|i| {
            let player = &self.players[i];
            vec![
                player.name.clone(),
                format!("{:.1}", player.buchholz),
                format!("{:.1}", player.sonneborn_berger),
                player.rating.map(|r| r.to_string()).unwrap_or_default(),
            ]
        }));
        write_columns(f, &rows, &[Left, Right, Right, Left])?;
        match self.black_rating {
            Some(black) => writeln!(f, "The black stones are worth {black} Elo"),
            None => Ok(()),
        }
    }

    /// Players by place.
    fn ranked(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by_key(|&i| self.players[i].place);
        order
    }

    fn write_standings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = [
            "player", "points", "games", "score", "all", "as black", "as white",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        let mut forfeits = String::new();
        for i in self.ranked() {
            let player = &self.players[i];
            let stats = &player.stats;
            rows.push(vec![
                player.name.clone(),
                player.points.to_string(),
                stats.all.games().to_string(),
                format!("{:.3}", stats.all.score()),
                stats.all.to_string(),
                stats.black.to_string(),
                stats.white.to_string(),
            ]);
            let reasons = stats.forfeits.iter().map(|(why, n)| format!("{why} {n}"));
            let reasons: Vec<String> = reasons.collect();
            if !reasons.is_empty() {
                let _ = writeln!(
                    forfeits,
                    "Forfeits of {}: {}",
                    player.shown_name(),
                    reasons.join(", ")
                );
            }
        }
        write_columns(f, &rows, &[Left, Right, Right, Right, Left, Left, Left])?;
        let byes = self.points_by_byes();
        if !byes.is_empty() {
            writeln!(f, "{}", on_one_line(&byes))?;
        }
        f.write_str(&forfeits)
    }

    /// The players with points from rounds without an opponent, and these points; empty without
    /// such points.
    fn points_by_byes(&self) -> String {
        let ranked = self.ranked().into_iter().map(|i| &self.players[i]);
        let byes = ranked.filter(|player| player.bye_points > 0.0);
        let byes: Vec<String> = byes
            .map(|player| format!("{} {}", player.name, player.bye_points))
            .collect();
        match byes.is_empty() {
            true => String::new(),
            false => format!("Points by byes, without a game: {}", byes.join(", ")),
        }
    }

    fn write_duel(&self, f: &mut fmt::Formatter<'_>, duel: &Duel) -> fmt::Result {
        let [first, second] = &self.players[..] else {
            return Ok(());
        };
        if let Some(elo) = &duel.elo {
            writeln!(
                f,
                "Elo of {} against {}: {elo} (95 %){}\n\
                 Likelihood of superiority {:.1} %, draws {:.1} %",
                first.shown_name(),
                second.shown_name(),
                forfeits(&self.players),
                100.0 * elo.los,
                100.0 * first.stats.all.draw_ratio(),
            )?;
        }
        if duel.repeated > 0 {
            writeln!(
                f,
                "{} games are in pairs that repeat earlier ones move by move: they count in the table alone",
                duel.repeated
            )?;
        }
        if duel.alike {
            writeln!(
                f,
                "Both players always chose the same moves: is a setting misspelt, or one file named twice?"
            )?;
        }
        let pairs = duel.pairs;
        writeln!(
            f,
            "Pairs with 0, 1/2, 1, 3/2, 2 points: {}, {}, {}, {}, {}",
            pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]
        )?;
        if let Some(sprt) = &duel.sprt {
            writeln!(f, "SPRT {sprt}")?;
        }
        Ok(())
    }

    fn write_cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.ranked();
        let places = (1..=order.len()).map(|place| place.to_string());
        let mut rows = vec![std::iter::once(String::new()).chain(places).collect()];
        for &row in &order {
            let mut cells = vec![self.players[row].name.clone()];
            cells.extend(order.iter().map(|&column| {
                let counts = &self.cross_table[row][column];
                match counts.games() {
                    0 => "-".to_string(),
                    n => format!("{}/{n}", counts.points([1.0, 0.5, 0.0])),
                }
            }));
            rows.push(cells);
        }
        let mut sides = vec![Right; 1 + order.len()];
        sides[0] = Left;
        write_columns(f, &rows, &sides)
    }

    fn write_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self
            .reasons
            .iter()
            .map(|(reason, n)| format!("{reason} {n}"))
            .collect();
        writeln!(
            f,
            "Black {} ({:.3}); ended by: {}",
            self.black,
            self.black.score(),
            reasons.join(", ")
        )?;
        match &self.first {
            Some(first) => writeln!(
                f,
                "Opening rule {}: who began {} ({:.3}), White after a swap in {} of {}",
                on_one_line(&first.rule),
                first.results,
                first.results.score(),
                first.swapped,
                first.results.games()
            ),
            None => Ok(()),
        }
    }

    fn write_moves(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_string(), |v| format!("{v:.digits$}"))
        };
        let head = ["player", "moves", "ms/move", "longest", "depth", "nodes/s"];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(self.players.iter().map(|player| {
            let moves = &player.stats.moves;
            vec![
                player.name.clone(),
                moves.moves.to_string(),
                number(Some(player.mean_ms), 1),
                number(Some(moves.max_ms), 1),
                number(player.mean_depth, 1),
                number(player.speed, 0),
            ]
        }));
        write_columns(f, &rows, &[Left, Right, Right, Right, Right, Right])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_two_columns_are_counted_as_two() {
        assert_eq!(cut("天元", 4), "天元");
        assert_eq!(cut("天元の碁盤と石", 9), "天元…と石");
        assert_eq!(cut("abcdefghij", 9), "abcd…ghij");
    }
}
