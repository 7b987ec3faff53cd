//! What several sections are made of: tables, bars, charts, links.

use maud::{Markup, PreEscaped, Render, html};

use crate::arena::report::charts::{self, Chart};
use crate::arena::report::times::SlowMove;
use crate::arena::stats::ScoreCounts;

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// Of words.
    Text(&'static str),
    /// Of numbers, which stand at the right.
    Number(&'static str),
    /// Of long texts, which may be broken into lines.
    Long(&'static str),
}

use Column::{Long, Number, Text};

impl Column {
    fn title(self) -> &'static str {
        match self {
            Text(title) | Number(title) | Long(title) => title,
        }
    }

    fn class(self) -> Option<&'static str> {
        match self {
            Text(_) => None,
            Number(_) => Some("number"),
            Long(_) => Some("long"),
        }
    }
}

/// A table in a box of its own, in which it scrolls where it is too wide. The first cell of each row
/// is its head.
pub(super) fn table<const N: usize>(
    caption: &str,
    columns: [Column; N],
    rows: impl IntoIterator<Item = [Markup; N]>,
) -> Markup {
    html! {
        div.scroll {
            table {
                @if !caption.is_empty() { caption { (caption) } }
                thead {
                    tr { @for column in columns { th scope="col" class=[column.class()] { (column.title()) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (place, (cell, column)) in row.iter().zip(columns).enumerate() {
                                @if place == 0 {
                                    th scope="row" class=[column.class()] { (cell) }
                                } @else {
                                    td class=[column.class()] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A cell.
pub(super) fn cell(content: impl Render) -> Markup {
    html! { (content) }
}

/// A cell, or a dash where there is nothing.
pub(super) fn or_dash(content: Option<impl Render>) -> Markup {
    match content {
        Some(content) => cell(content),
        None => cell("–"),
    }
}

/// A cell with a part of one in percent.
pub(super) fn percent(part: f64) -> Markup {
    cell(format!("{:.1} %", 100.0 * part))
}

/// Results of Black as a bar: wins of Black, draws, wins of White.
pub(super) fn bar(black: &ScoreCounts) -> Markup {
    let width = |n: u64| {
        format!(
            "width:{:.2}%",
            100.0 * n as f64 / black.games().max(1) as f64
        )
    };
    html! {
        div.bar title=(format!("Black {black}")) {
            span.end0 style=(width(black.wins)) {}
            span style=(width(black.draws)) {}
            span.end1 style=(width(black.losses)) {}
        }
    }
}

/// A link to a game of the list, which is numbered from 0 here and from 1 there.
pub(super) fn game_link(id: u64) -> Markup {
    let id = id.saturating_add(1);
    html! { a href=(format!("#game-{id}")) { "game " (id) } }
}

/// A time with a link to its move.
pub(super) fn slow_move(slow: Option<SlowMove>) -> Markup {
    let Some(slow) = slow else {
        return cell("–");
    };
    let address = format!("#game-{}-{}", slow.game.saturating_add(1), slow.turn);
    html! { a href=(address) { (charts::duration(slow.ms)) } }
}

/// Charts beside one another.
pub(super) fn figures(charts: impl IntoIterator<Item = Chart>) -> Markup {
    html! {
        div.charts {
            @for chart in charts {
                figure {
                    figcaption {
                        (chart.title)
                        ul.legend {
                            @for (class, meaning) in &chart.legend {
                                li { i class=(class) {} (meaning) }
                            }
                        }
                    }
                    div.chart role="img" aria-label=(chart.title) { (PreEscaped(chart.svg)) }
                }
            }
        }
    }
}
