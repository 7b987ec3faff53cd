//! The report as plain text.

use std::fmt;

use super::MatchReport;
use super::openings::OpeningWinner;
use super::times::SlowMove;
use crate::arena::table::Side::{self, Left, Right};
use crate::arena::table::write_columns;

/// Most openings, and games lost by misbehaviour, that are listed; the HTML report has all of them.
const MOST_LISTED: usize = 100;

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.summary)?;
        if self.games.is_empty() {
            return Ok(());
        }
        self.write_openings(f)?;
        self.write_ends(f)?;
        self.write_lengths(f)?;
        self.write_times(f)
    }
}

/// `17.3, game 4 move 31`, or a dash.
fn slow_move(slow: Option<SlowMove>) -> String {
    slow.map_or_else(
        || "-".to_string(),
        |slow| {
            format!(
                "{:.1}, game {} move {}",
                slow.ms,
                slow.game.saturating_add(1),
                slow.turn
            )
        },
    )
}

fn or_dash<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_string(), |value| value.to_string())
}

/// Writes the number of unlisted things of `count`.
fn write_rest(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    match count.saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more"),
    }
}

/// A table: the head, the rows, and at which side each column stands.
fn table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    head: [(&str, Side); N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> fmt::Result {
    let titles = head.map(|(title, _)| title.to_string()).to_vec();
    let rows = rows.into_iter().map(|row| row.to_vec());
    let rows: Vec<Vec<String>> = [titles].into_iter().chain(rows).collect();
    write_columns(f, &rows, &head.map(|(_, side)| side))
}

impl MatchReport {
    fn write_openings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.openings.is_empty() {
            return Ok(());
        }
        let won = |winner| self.openings.iter().filter(|o| o.winner == winner).count();
        writeln!(
            f,
            "\n{} openings: {} won by Black alone, {} by White alone, {} by both, {} by nobody",
            self.openings.len(),
            won(OpeningWinner::Black),
            won(OpeningWinner::White),
            won(OpeningWinner::Both),
            won(OpeningWinner::Nobody),
        )?;
        let head = [
            ("opening", Left),
            ("games", Right),
            ("Black", Left),
            ("won by", Left),
            ("stones", Left),
        ];
        let rows = self.openings.iter().take(MOST_LISTED).map(|opening| {
            [
                opening.name.clone(),
                opening.black.games().to_string(),
                opening.black.to_string(),
                opening.winner.text().to_string(),
                opening.stones.join(" "),
            ]
        });
        table(f, head, rows)?;
        write_rest(f, self.openings.len())
    }

    fn write_ends(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nHow the games ended")?;
        let head = [
            ("by", Left),
            ("games", Right),
            ("Black won", Right),
            ("White won", Right),
            ("drawn", Right),
            ("lost by", Left),
        ];
        let rows = self.ends.iter().map(|(reason, counts)| {
            [
                reason.to_string(),
                counts.games().to_string(),
                counts.black.to_string(),
                counts.white.to_string(),
                counts.draws.to_string(),
                counts.losers(),
            ]
        });
        table(f, head, rows)?;
        if self.forfeits.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nLost by misbehaviour")?;
        let head = [
            ("game", Right),
            ("player", Left),
            ("by", Left),
            ("what happened", Left),
        ];
        let rows = self.forfeits.iter().take(MOST_LISTED).map(|forfeit| {
            [
                forfeit.game.saturating_add(1).to_string(),
                forfeit.loser.clone(),
                forfeit.reason.to_string(),
                forfeit.detail.clone(),
            ]
        });
        table(f, head, rows)?;
        write_rest(f, self.forfeits.len())
    }

    fn write_lengths(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nLength in stones")?;
        let head = [
            ("games", Left),
            ("number", Right),
            ("shortest", Right),
            ("median", Right),
            ("longest", Right),
        ];
        let rows = self.lengths.ranges.iter().map(|range| {
            [
                range.kind.text().to_string(),
                range.games.to_string(),
                range.shortest.to_string(),
                range.median.to_string(),
                range.longest.to_string(),
            ]
        });
        table(f, head, rows)
    }

    fn write_times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nTime of a move in ms, depth in plies")?;
        let head = [
            ("player", Left),
            ("median", Right),
            ("95 %", Right),
            ("late", Right),
            ("lost", Right),
            ("depth", Right),
            ("slowest", Left),
        ];
        let rows = self.times.iter().map(|player| {
            let ms = |ms: Option<f64>| or_dash(ms.map(|ms| format!("{ms:.1}")));
            let limited = player.limited > 0;
            [
                player.name.clone(),
                ms(player.median_ms),
                ms(player.p95_ms),
                or_dash(limited.then_some(player.late)),
                player.lost_on_time.to_string(),
                or_dash(player.median_depth),
                slow_move(player.slowest),
            ]
        });
        table(f, head, rows)?;
        writeln!(
            f,
            "late: moves beyond their limit, accepted as lag; lost: games lost on time"
        )
    }
}
