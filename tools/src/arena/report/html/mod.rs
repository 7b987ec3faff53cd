//! The report as one HTML file. Everything that it needs is in it, so that it can be sent, put on any
//! server, or opened from a disk.

mod games;
mod parts;
mod result;
mod sections;

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::MatchReport;

/// Says who made the file; see [`is_report`].
const GENERATOR: &str = "tengen match report";
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 3] = [
    include_str!("board.js"),
    include_str!("duration.js"),
    include_str!("games.js"),
];
/// Nothing may be fetched from anywhere, whatever the rest of the page says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

/// The sections of a page: address, title, text.
type Section = (&'static str, &'static str, Markup);

/// Whether a file that begins with `head` is such a report, which another one may replace.
pub fn is_report(head: &[u8]) -> bool {
    let generator = GENERATOR.as_bytes();
    let names_us = head.windows(generator.len()).any(|part| part == generator);
    head.starts_with(b"<!DOCTYPE html>") && names_us
}

/// Writes the page. The same report gives the same bytes.
///
/// # Errors
/// When `out` fails.
pub fn write(report: &MatchReport, out: &mut dyn Write) -> io::Result<()> {
    // Control characters, which HTML forbids, may come with names and with what engines said.
    let forbidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let page = page(report).into_string().replace(forbidden, "\u{fffd}");
    out.write_all(page.as_bytes())
}

fn page(report: &MatchReport) -> Markup {
    let title = result::title(report);
    let sections: Vec<Section> = [
        Some(("result", "Result", result::result(report))),
        sections::colors(report).map(|text| ("colours", "Colours", text)),
        sections::openings(report).map(|text| ("openings", "Openings", text)),
        sections::ends(report).map(|text| ("ends", "Ends and lengths", text)),
        sections::times(report).map(|text| ("times", "Time and depth", text)),
        Some(("games", "Games", games::games(report))),
        Some(("settings", "Settings", sections::settings(report))),
    ]
    .into_iter()
    .flatten()
    .collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(GENERATOR);
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.faint { (result::subtitle(report)) }
                    nav aria-label="Sections" {
                        @for (address, title, _) in &sections {
                            a href=(format!("#{address}")) { (title) }
                        }
                    }
                    (result::notes(report))
                }
                main {
                    @for (address, title, text) in &sections {
                        section id=(address) {
                            h2 { (title) }
                            (text)
                        }
                    }
                }
                footer { "Made by " (GENERATOR) " " (env!("CARGO_PKG_VERSION")) "." }
                @if !report.games.is_empty() {
                    (games::data(report))
                    script { (PreEscaped(SCRIPTS.join("\n"))) }
                }
            }
        }
    }
}
