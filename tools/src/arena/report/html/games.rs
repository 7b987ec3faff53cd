//! The list of games and the board on which they are played through. The script fills them.

use maud::{Markup, PreEscaped, html};

use crate::arena::report::{MatchReport, games};

/// The games for the script.
pub(super) fn data(report: &MatchReport) -> Markup {
    let json = games::json(report);
    html! { script id="games-data" type="application/json" { (PreEscaped(json)) } }
}

pub(super) fn games(report: &MatchReport) -> Markup {
    if report.games.is_empty() {
        return html! { p { "No game has ended yet." } };
    }
    html! {
        noscript { p { "The list of games and the board need JavaScript." } }
        (viewer())
        (filters())
        div.scroll.tall {
            table {
                thead { tr id="games-head" {} }
                tbody id="games-rows" {}
            }
        }
        p { button id="games-more" type="button" hidden { "Show more games" } }
    }
}

fn viewer() -> Markup {
    html! {
        div id="viewer" tabindex="-1" hidden {
            h3 id="viewer-title" {}
            p id="viewer-facts" {}
            p.faint id="viewer-steps" {}
            div.play {
                div {
                    div id="viewer-board" {}
                    div.controls {
                        button id="viewer-first" type="button" title="To the start (Home)" aria-label="To the start" { "«" }
                        button id="viewer-back" type="button" title="Back (←)" aria-label="One move back" { "‹" }
                        button id="viewer-forward" type="button" title="Forward (→)" aria-label="One move forward" { "›" }
                        button id="viewer-end" type="button" title="To the end (End)" aria-label="To the end" { "»" }
                        label { input id="viewer-numbers" type="checkbox" checked; " numbers" }
                    }
                    input id="viewer-slider" type="range" min="0" max="0" value="0" aria-label="Move";
                    p id="viewer-move" aria-live="polite" {}
                    div.controls {
                        button id="viewer-previous" type="button" { "Previous game" }
                        button id="viewer-next" type="button" { "Next game" }
                    }
                }
                div {
                    div.scroll.tall {
                        table {
                            thead {
                                tr {
                                    th scope="col" { "#" }
                                    th scope="col" { "move" }
                                    th scope="col" { "time" }
                                    th scope="col" { "value" }
                                    th scope="col" { "depth" }
                                    th scope="col" { "nodes" }
                                }
                            }
                            tbody id="viewer-moves" {}
                        }
                    }
                    p {
                        label for="viewer-text" { "Moves as text, for " code { "tengen analyze" } ":" }
                        input id="viewer-text" type="text" readonly;
                    }
                }
            }
        }
    }
}

fn filters() -> Markup {
    let results = [
        ("", "all"),
        ("black", "Black won"),
        ("white", "White won"),
        ("draw", "drawn"),
        ("won", "won by the player"),
        ("lost", "lost by the player"),
    ];
    html! {
        div.filters {
            (filter("filter-player", "Player", &[("", "all")]))
            (filter("filter-result", "Result", &results))
            (filter("filter-reason", "Ended by", &[("", "all")]))
            (filter("filter-opening", "Opening", &[("", "all")]))
        }
        p.faint id="games-count" aria-live="polite" {}
    }
}

fn filter(id: &str, name: &str, choices: &[(&str, &str)]) -> Markup {
    html! {
        label {
            (name) " "
            select id=(id) {
                @for (value, text) in choices { option value=(value) { (text) } }
            }
        }
    }
}
