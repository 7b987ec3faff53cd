//! The head of the page and the result: standings, strength, cross table, course.

use maud::{Markup, html};

use super::parts::Column::{Number, Text};
use super::parts::{cell, figures, or_dash, percent, table};
use crate::arena::course::Course;
use crate::arena::record::sgf::date;
use crate::arena::report::charts::RatedPlayer;
use crate::arena::report::{MatchReport, charts};
use crate::arena::stats::ScoreCounts;
use crate::arena::summary::{Duel, PlayerSummary};

/// Most players whom the title names.
const MOST_NAMED: usize = 4;

pub(super) fn title(report: &MatchReport) -> String {
    let players = &report.terms.players;
    if players.len() > MOST_NAMED {
        return format!("Match of {} players", players.len());
    }
    let names: Vec<&str> = players.iter().map(|p| p.name.as_str()).collect();
    format!("Match: {}", names.join(" – "))
}

pub(super) fn subtitle(report: &MatchReport) -> String {
    let summary = &report.summary;
    let mut parts = vec![
        format!("{} {}x{}", summary.rule, summary.width, summary.height),
        format!("{} games", report.games.len()),
    ];
    if let Some((first, last)) = report.ended().map(|(a, b)| (date(a), date(b))) {
        parts.push(if first == last {
            first
        } else {
            format!("{first} to {last}")
        });
    }
    parts.join(" · ")
}

pub(super) fn notes(report: &MatchReport) -> Markup {
    html! {
        @if !report.notes.is_empty() {
            div.notes role="note" {
                strong { "Please note" }
                ul { @for note in &report.notes { li { (note) } } }
            }
        }
    }
}

pub(super) fn result(report: &MatchReport) -> Markup {
    let summary = &report.summary;
    if report.games.is_empty() {
        return html! { p { "No game has ended yet." } };
    }
    let mut ranked: Vec<(usize, &PlayerSummary)> = summary.players.iter().enumerate().collect();
    ranked.sort_by_key(|(_, player)| player.place);
    let rated: Vec<RatedPlayer> = ranked
        .iter()
        .filter_map(|(place, player)| {
            Some(RatedPlayer {
                place: *place,
                name: &player.name,
                rating: player.rating?,
            })
        })
        .collect();
    html! {
        @if let (Some(duel), [first, second]) = (&summary.duel, &summary.players[..]) {
            (comparison(duel, first, second))
        }
        @if summary.uncounted > 0 {
            p { (summary.uncounted) " more games ended after the test had its answer; they do not count." }
        }
        (standings(report, &ranked))
        (cross_table(report, &ranked))
        @if summary.players.len() > 2 {
            (ratings(summary.tie_break, &ranked))
        }
        @if let Some(course) = &summary.course { (course_of(course)) }
        (figures(strength_charts(report, &rated)))
    }
}

fn comparison(duel: &Duel, first: &PlayerSummary, second: &PlayerSummary) -> Markup {
    let [zero, half, one, three_halves, two] = duel.pairs;
    html! {
        @if let Some(elo) = &duel.elo {
            p.result { "Elo of " (first.name) " against " (second.name) ": " (elo) " (95 %)" }
            p {
                "Likelihood of superiority " (format!("{:.1}", 100.0 * elo.los)) " %, draws "
                (format!("{:.1}", 100.0 * first.stats.all.draw_ratio())) " %."
                " Pairs of games with 0, ½, 1, 1½ and 2 points: "
                (zero) ", " (half) ", " (one) ", " (three_halves) ", " (two) "."
            }
        }
        @if let Some(sprt) = &duel.sprt {
            p {
                "Sequential test " (sprt)
                @if sprt.accepted.is_none() { ", without an answer so far" }
                "."
            }
        }
    }
}

fn standings(report: &MatchReport, ranked: &[(usize, &PlayerSummary)]) -> Markup {
    let columns = [
        Number("#"),
        Text("player"),
        Number("points"),
        Number("games"),
        Number("score"),
        Text("won, drawn, lost"),
        Text("forfeits"),
    ];
    let rows = ranked.iter().map(|(_, player)| {
        let stats = &player.stats;
        let forfeits = stats.forfeits.iter().map(|(why, n)| format!("{why} {n}"));
        [
            cell(player.place),
            cell(&player.name),
            cell(player.points),
            cell(stats.all.games()),
            percent(stats.all.score()),
            cell(stats.all.to_string()),
            cell(forfeits.collect::<Vec<_>>().join(", ")),
        ]
    });
    let [win, draw, loss] = report.summary.points;
    let caption = format!("Points: {win} for a win, {draw} for a draw, {loss} for a loss");
    let byes = report.summary.points_by_byes();
    html! {
        (table(&caption, columns, rows))
        @if !byes.is_empty() { p.faint { (byes) } }
    }
}

/// Strength of each player and what ranks equal points.
fn ratings(tie_break: &str, ranked: &[(usize, &PlayerSummary)]) -> Markup {
    let columns = [
        Text("player"),
        Text("Elo (95 %)"),
        Number("Buchholz"),
        Number("Sonneborn"),
    ];
    let rows = ranked.iter().map(|(_, player)| {
        [
            cell(&player.name),
            or_dash(player.rating.map(|rating| rating.to_string())),
            cell(format!("{:.1}", player.buchholz)),
            cell(format!("{:.1}", player.sonneborn_berger)),
        ]
    });
    html! {
        h3 { "Strength" }
        p.faint { "The average of all players is 0. Equal points are ranked by: " (tie_break) "." }
        (table("", columns, rows))
    }
}

/// Results of the row's player against the column's.
fn cross_table(report: &MatchReport, ranked: &[(usize, &PlayerSummary)]) -> Markup {
    let result = |counts: &ScoreCounts| match counts.games() {
        0 => "–".to_string(),
        n => format!("{} / {n}", counts.points([1.0, 0.5, 0.0])),
    };
    html! {
        h3 { "Cross table" }
        p.faint {
            "Games won by the player of the row against that of the column, draws counted as halves"
        }
        div.scroll {
            table {
                thead {
                    tr {
                        th scope="col" { "player" }
                        @for (_, player) in ranked { th.number scope="col" { (player.place) } }
                    }
                }
                tbody {
                    @for (row, player) in ranked {
                        tr {
                            th scope="row" { (player.place) ". " (player.name) }
                            @for (column, _) in ranked {
                                @let counts = &report.summary.cross_table[*row][*column];
                                td.number title=(counts) { (result(counts)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Who met whom and went on.
fn course_of(course: &Course) -> Markup {
    html! {
        h3 { "Course" }
        @for (group, number) in course.groups.iter().zip(1..) {
            p {
                "Group " (number) ": "
                @for (place, player) in group.iter().enumerate() {
                    @if place > 0 { ", " }
                    (player.player) " " (player.points)
                    @if player.advances { " goes on" }
                }
            }
        }
        @for (round, number) in course.rounds.iter().zip(1..) {
            p { strong { "Round " (number) } }
            ul {
                @for meeting in &round.meetings {
                    li {
                        (meeting.first) " " (meeting.points[0]) " – " (meeting.points[1]) " " (meeting.second)
                        @if let Some(result) = &meeting.result { ": " (result) }
                    }
                }
                @for bye in &round.byes { li { (bye) " has a bye" } }
            }
        }
    }
}

fn strength_charts(report: &MatchReport, rated: &[RatedPlayer]) -> Vec<charts::Chart> {
    let mut drawn = Vec::new();
    if !rated.is_empty() {
        drawn.push(charts::ratings(rated));
    }
    let points = &report.progress;
    if points.iter().filter(|p| p.elo.elo.is_finite()).count() > 1 {
        drawn.push(charts::elo(points));
    }
    let sprt = report.summary.duel.as_ref().and_then(|duel| duel.sprt);
    if let Some(sprt) = sprt.filter(|_| points.len() > 1) {
        drawn.push(charts::llr(points, &sprt));
    }
    drawn
}
