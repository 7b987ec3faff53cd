//! Results by colour and opening, ends and lengths, times, settings.

use maud::{Markup, html};

use super::parts::Column::{Long, Number, Text};
use super::parts::{bar, cell, figures, game_link, or_dash, percent, slow_move, table};
use crate::arena::record::sgf::date;
use crate::arena::report::ends::EndKind;
use crate::arena::report::openings::OpeningWinner;
use crate::arena::report::times::PlayerTimes;
use crate::arena::report::{MatchReport, charts};
use crate::arena::stats::quantile;

pub(super) fn colors(report: &MatchReport) -> Option<Markup> {
    let summary = &report.summary;
    if summary.games == 0 {
        return None;
    }
    let columns = [
        Text("player"),
        Text("with Black"),
        Number("score"),
        Text("with White"),
        Number("score"),
    ];
    let rows = summary.players.iter().map(|player| {
        let (black, white) = (&player.stats.black, &player.stats.white);
        [
            cell(&player.name),
            cell(black.to_string()),
            percent(black.score()),
            cell(white.to_string()),
            percent(white.score()),
        ]
    });
    let black = &summary.black;
    Some(html! {
        p {
            "Black won " (black.wins) ", drew " (black.draws) " and lost " (black.losses)
            " games, a score of " (percent(black.score()))
            @if let Some(worth) = summary.black_rating {
                "; the black stones are worth " (worth.to_string()) " Elo"
            }
            "."
        }
        (bar(black))
        @if let Some(first) = &summary.first {
            p {
                "Opening rule " (first.rule) ": the player who began scored " (percent(first.results.score()))
                " (" (first.results.to_string()) ") and played White after a swap in "
                (first.swapped) " of " (first.results.games()) " games."
            }
        }
        (table("Won, drawn and lost", columns, rows))
    })
}

pub(super) fn openings(report: &MatchReport) -> Option<Markup> {
    let openings = &report.openings;
    if openings.is_empty() {
        return None;
    }
    let won = |winner| openings.iter().filter(|o| o.winner() == winner).count();
    let pairs = |of: fn(&crate::arena::report::openings::PairResults) -> u64| -> u64 {
        openings.iter().map(|opening| of(&opening.pairs)).sum()
    };
    let paired = pairs(|p| p.black + p.white + p.player + p.drawn);
    let columns = [
        Text("opening"),
        Number("games"),
        Text("Black"),
        Text("Black – White"),
        Text("won by"),
        Text("first game"),
        Long("stones"),
    ];
    let rows = openings.iter().map(|opening| {
        [
            cell(&opening.name),
            cell(opening.black.games()),
            cell(opening.black.to_string()),
            bar(&opening.black),
            cell(opening.winner().text()),
            game_link(opening.first_game),
            cell(opening.stones.join(" ")),
        ]
    });
    let rows = table("", columns, rows);
    Some(html! {
        p {
            (openings.len()) " openings: " (won(OpeningWinner::Black)) " won by Black alone, "
            (won(OpeningWinner::White)) " by White alone, " (won(OpeningWinner::Both))
            " by both colours, " (won(OpeningWinner::Nobody)) " by nobody. "
            "Games that were lost by misbehaviour are left out."
        }
        @if paired > 0 {
            p {
                "Pairs of games with sides changed: Black won both " (pairs(|p| p.black))
                ", White won both " (pairs(|p| p.white)) ", one player won both " (pairs(|p| p.player))
                ", with a draw " (pairs(|p| p.drawn)) "."
            }
        }
        div.scroll.tall { (rows) }
    })
}

pub(super) fn ends(report: &MatchReport) -> Option<Markup> {
    if report.ends.is_empty() {
        return None;
    }
    let columns = [
        Text("ended by"),
        Number("games"),
        Number("Black won"),
        Number("White won"),
        Number("drawn"),
        Text("lost by"),
    ];
    let rows = report.ends.iter().map(|(reason, counts)| {
        [
            cell(reason.to_string()),
            cell(counts.games()),
            cell(counts.black),
            cell(counts.white),
            cell(counts.draws),
            cell(counts.losers()),
        ]
    });
    let length_columns = [
        Text("games"),
        Number("number"),
        Number("shortest"),
        Number("median"),
        Number("longest"),
    ];
    let lengths = EndKind::ALL.into_iter().filter_map(|kind| {
        let lengths = &report.lengths.sorted[kind as usize];
        Some([
            cell(kind.text()),
            cell(lengths.len()),
            cell(lengths.first()?),
            cell(quantile(lengths, 0.5)?),
            cell(lengths.last()?),
        ])
    });
    Some(html! {
        (table("", columns, rows))
        @if !report.forfeits.is_empty() {
            h3 { "Games lost by misbehaviour" }
            div.scroll.tall { (forfeits(report)) }
        }
        h3 { "Lengths in stones" }
        (table("", length_columns, lengths))
        (figures([charts::lengths(&report.lengths)]))
    })
}

fn forfeits(report: &MatchReport) -> Markup {
    let columns = [
        Text("game"),
        Text("player"),
        Text("by"),
        Long("what happened"),
    ];
    let rows = report.forfeits.iter().map(|forfeit| {
        [
            game_link(forfeit.game),
            cell(&forfeit.loser),
            cell(forfeit.reason.to_string()),
            cell(&forfeit.detail),
        ]
    });
    table("", columns, rows)
}

pub(super) fn times(report: &MatchReport) -> Option<Markup> {
    let times = &report.times;
    if times.iter().all(|player| player.sorted_ms.is_empty()) {
        return None;
    }
    let columns = [
        Text("player"),
        Number("moves"),
        Number("median"),
        Number("95 %"),
        Number("slowest"),
        Number("late"),
        Number("worst overrun"),
        Number("lost on time"),
        Number("in all"),
    ];
    let rows = times.iter().map(|player| {
        let ms = |q| quantile(&player.sorted_ms, q).map(charts::duration);
        let total: f64 = player.sorted_ms.iter().sum();
        [
            cell(&player.name),
            cell(player.sorted_ms.len()),
            or_dash(ms(0.5)),
            or_dash(ms(0.95)),
            slow_move(player.slowest),
            or_dash((player.limited > 0).then_some(player.late)),
            slow_move(player.latest),
            cell(player.lost_on_time),
            cell(charts::duration(total)),
        ]
    });
    let is_limited = times.iter().any(|player| player.limited > 0);
    let drawn = [charts::move_times(times), charts::depths(times)];
    Some(html! {
        (table("Time of a move, without those of openings", columns, rows))
        p.faint {
            "Late are moves beyond their limit that were accepted as lag. "
            @if !is_limited { "The journal has no limits of moves. " }
            "95 %: as many moves took at most this long."
        }
        (depths(report, times))
        (figures(drawn.into_iter().flatten()))
    })
}

/// What the engines reported of their searches.
fn depths(report: &MatchReport, times: &[PlayerTimes]) -> Markup {
    let columns = [
        Text("player"),
        Number("median depth"),
        Number("average depth"),
        Number("greatest depth"),
        Number("median nodes"),
        Number("nodes/s"),
    ];
    let players = times.iter().zip(&report.summary.players);
    let reported = players.filter(|(times, player)| {
        !times.depths.is_empty() || !times.nodes.is_empty() || player.speed.is_some()
    });
    let rows: Vec<[Markup; 6]> = reported
        .map(|(times, player)| {
            [
                cell(&times.name),
                or_dash(quantile(&times.depths, 0.5)),
                or_dash(player.mean_depth.map(|depth| format!("{depth:.1}"))),
                or_dash(times.depths.last()),
                or_dash(quantile(&times.nodes, 0.5)),
                or_dash(player.speed.map(|speed| format!("{speed:.0}"))),
            ]
        })
        .collect();
    html! {
        @if !rows.is_empty() { (table("What the engines reported, in plies and nodes", columns, rows)) }
    }
}

pub(super) fn settings(report: &MatchReport) -> Markup {
    let terms = &report.terms;
    let mut facts = vec![
        ("Rule", terms.rule.clone()),
        ("Board", format!("{}x{}", terms.width, terms.height)),
        ("Schedule", terms.schedule.clone()),
        ("Games of a meeting", terms.games.to_string()),
        ("Openings", terms.openings.clone()),
        ("Seed", terms.seed.to_string()),
        ("Judge", terms.judge.clone()),
    ];
    if let Some(sprt) = &terms.sprt {
        let bounds = format!("elo0={} elo1={}", sprt.elo0, sprt.elo1);
        let errors = format!("alpha={} beta={}", sprt.alpha, sprt.beta);
        facts.push(("Sequential test", format!("{bounds} {errors}")));
    }
    if let Some(planned) = report.planned {
        facts.push(("Games planned", planned.to_string()));
    }
    if let Some((first, last)) = report.ended() {
        facts.push(("First game ended", date(first)));
        facts.push(("Last game ended", date(last)));
    }
    facts.push(("Played by", format!("tengen match {}", terms.version)));
    let players = terms.players.iter().map(|player| {
        let settings = html! { code { (player.settings.join(" ")) } };
        [cell(&player.name), settings]
    });
    html! {
        dl {
            @for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
                dt { (name) }
                dd { (value) }
            }
        }
        (table("", [Text("player"), Long("settings")], players))
    }
}
