//! The lines that the engine prints, as values. Each is one line of ASCII without its end. Only
//! texts of the database may have other letters; their line ends are escaped by the writer.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use crate::search::{RootMoveEvent, SearchInfo};
use crate::streams::{TextWriter, on_one_line};
use crate::types::{Point, ScoreKind};

/// Most moves printed of a line; managers have buffers of about 1,000 bytes.
const MAX_PV: usize = 100;

/// An answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `OK`, with nothing after it: Piskvork and c-gomoku-cli compare the whole line.
    Ok,
    /// The cells of a move or of an opening, with single blanks between them.
    Moves(Vec<Point>),
    /// The same, followed by a number of fifth stones.
    MovesAndCount(Vec<Point>, u8),
    /// `SWAP`: the engine takes the other colour.
    Swap,
    /// `ERROR` and the reason.
    Error(Cow<'static, str>),
    /// `UNKNOWN` and the word of the line.
    Unknown(String),
    /// The answer to `ABOUT`.
    About,
    /// `MESSAGE` and a text that is not empty: a bare `MESSAGE` is a move for some managers.
    Message(String),
    /// The answer to `YXSHOWFORBID`: two digits for x and two for y of each cell, then a dot.
    Forbid(Vec<Point>),
    /// A line for GUIs, beginning with `INFO`; only sent on request.
    Detail(String),
    /// A comment of the database, in any letters; only sent on request.
    Comment(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => write!(f, "OK"),
            Reply::Moves(points) => write!(f, "{}", joined(points)),
            Reply::MovesAndCount(points, count) => write!(f, "{} {count}", joined(points)),
            Reply::Swap => write!(f, "SWAP"),
            Reply::Error(why) => write!(f, "ERROR {why}"),
            Reply::Unknown(word) => {
                // Only a clean word is repeated, so that the line cannot look like another answer.
                let is_clean = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                if is_clean && (1..=32).contains(&word.len()) {
                    write!(f, "UNKNOWN command {word}")
                } else {
                    write!(f, "UNKNOWN command")
                }
            }
            Reply::About => write!(
                f,
                "name=\"Tengen\", version=\"{}\", author=\"Tengen contributors\"",
                env!("CARGO_PKG_VERSION")
            ),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Forbid(points) => {
                write!(f, "FORBID ")?;
                for p in points {
                    write!(f, "{:02}{:02}", p.x(), p.y())?;
                }
                write!(f, ".")
            }
            Reply::Detail(text) => write!(f, "INFO {text}"),
            Reply::Comment(text) => {
                let text = text.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "MESSAGE DATABASE TEXT \"{text}\"")
            }
        }
    }
}

fn joined(points: &[Point]) -> String {
    let texts: Vec<String> = points.iter().map(Point::to_string).collect();
    texts.join(" ")
}

/// The names of a board's cells for people.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// True if the manager sends a row and a column where others send a column and a row. Its users
    /// see the board that way.
    pub transposed: bool,
    /// True if rows count from the top, as in Rapfi's messages.
    pub rows_from_top: bool,
}

impl Labels {
    /// The line of a report, such as `H8 I9`.
    fn line(self, report: &SearchInfo) -> String {
        let label = |p: &Point| {
            let (x, y, rows) = match self.transposed {
                true => (p.y(), p.x(), self.width),
                false => (p.x(), p.y(), self.height),
            };
            let y = if self.rows_from_top { rows - 1 - y } else { y };
            Point::new(x, y).label(rows).to_ascii_uppercase()
        };
        let texts: Vec<String> = report.pv.iter().take(MAX_PV).map(label).collect();
        texts.join(" ")
    }
}

/// `950`, `1250K`, `120M`: at most five digits up to 10^11.
pub fn short(n: u64) -> String {
    match n {
        0..100_000 => n.to_string(),
        100_000..100_000_000 => format!("{}K", n / 1_000),
        _ => format!("{}M", n / 1_000_000),
    }
}

/// The message about one line of a search, in the format of Rapfi's `ucilike` messages, so that
/// tools for Rapfi read ours: `depth 12-25 ev 143 n 1250K n/ms 812 tm 1342 pv H8 I9`. In its moves
/// Rapfi counts rows from the top.
pub fn search_message(report: &SearchInfo, labels: Labels) -> Reply {
    let rank = if report.lines > 1 {
        format!(" multipv {}", report.rank + 1)
    } else {
        String::new()
    };
    Reply::Message(format!(
        "depth {}-{}{rank} ev {} n {} n/ms {} tm {} pv {}",
        report.depth,
        report.seldepth,
        report.score,
        short(report.nodes),
        report.speed() / 1_000,
        report.elapsed.as_millis(),
        labels.line(report)
    ))
}

/// The detail lines about one line of a search (`INFO show_detail` 2 or 3).
pub fn detail_lines(report: &SearchInfo) -> Vec<Reply> {
    let line: Vec<Point> = report.pv.iter().take(MAX_PV).copied().collect();
    [
        format!("PV {}", report.rank),
        format!("NUMPV {}", report.lines),
        format!("DEPTH {}", report.depth),
        format!("SELDEPTH {}", report.seldepth),
        format!("NODES {}", report.nodes),
        format!("TOTALNODES {}", report.nodes),
        format!("TOTALTIME {}", report.elapsed.as_millis()),
        format!("SPEED {}", report.speed()),
        format!("EVAL {}", report.score),
        format!("WINRATE {:.4}", report.win_rate.clamp(0.0, 1.0)),
        format!("BESTLINE {}", joined(&line)),
        "PV DONE".to_string(),
    ]
    .into_iter()
    .map(Reply::Detail)
    .collect()
}

/// Tells a GUI to forget the marks of the previous search (`INFO show_detail` 1 or 3).
pub fn realtime_refresh() -> Reply {
    Reply::Message("REALTIME REFRESH".to_string())
}

/// The mark for one move at the root (`INFO show_detail` 1 or 3).
pub fn realtime_mark(news: RootMoveEvent) -> Reply {
    Reply::Message(match news {
        RootMoveEvent::Begin(p) => format!("REALTIME POS {p}"),
        RootMoveEvent::Done { point, .. } => format!("REALTIME DONE {point}"),
    })
}

/// Tells a GUI that a move is proved to lose.
pub fn realtime_lost(p: Point) -> Reply {
    Reply::Message(format!("REALTIME LOST {p}"))
}

/// The marks for one line of a search (`INFO show_detail` 1 or 3).
pub fn realtime_lines(report: &SearchInfo, labels: Labels) -> Vec<Reply> {
    let Some(first) = report.pv.first() else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    if matches!(report.score.kind(), ScoreKind::Loss(_)) {
        texts.push(format!("REALTIME LOST {first}"));
    }
    if report.rank == 0 {
        texts.push(format!("REALTIME BEST {first}"));
        texts.push(format!("REALTIME VAL {}", report.score.raw()));
        texts.push(format!("REALTIME PV {}", labels.line(report)));
    }
    texts.into_iter().map(Reply::Message).collect()
}

/// A writer of replies. A manager never sees a part of a line.
pub struct Output(TextWriter);

impl Output {
    /// Replies go to `sink`.
    pub fn new(sink: impl Write + 'static) -> Output {
        Output(TextWriter::new(sink))
    }

    /// Writes one line.
    pub fn send(&mut self, reply: &Reply) {
        let line = on_one_line(&reply.to_string());
        self.0.write(&(line + "\n"));
    }

    /// True if nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use crate::time::Duration;

    use super::*;
    use crate::types::Score;

    const LABELS: Labels = Labels {
        width: 15,
        height: 15,
        transposed: false,
        rows_from_top: false,
    };

    fn report() -> SearchInfo {
        SearchInfo {
            rank: 0,
            lines: 1,
            depth: 12,
            seldepth: 25,
            score: Score::value(143),
            win_rate: 0.5312,
            nodes: 1_250_400,
            elapsed: Duration::from_millis(1_342),
            pv: vec![Point::new(7, 7), Point::new(8, 6)],
        }
    }

    #[test]
    fn messages_are_what_match_runners_parse() {
        assert_eq!(
            search_message(&report(), LABELS).to_string(),
            "MESSAGE depth 12-25 ev 143 n 1250K n/ms 931 tm 1342 pv H8 I9"
        );
        let turned = Labels {
            transposed: true,
            ..LABELS
        };
        let text = search_message(&report(), turned).to_string();
        assert!(text.ends_with(" pv H8 G7"), "{text}");
        let as_rapfi = |labels| Labels {
            rows_from_top: true,
            ..labels
        };
        let text = search_message(&report(), as_rapfi(LABELS)).to_string();
        assert!(text.ends_with(" pv H8 I7"), "{text}");
        let text = search_message(&report(), as_rapfi(turned)).to_string();
        assert!(text.ends_with(" pv H8 G9"), "{text}");
        let wide = Labels {
            width: 20,
            ..as_rapfi(LABELS)
        };
        let text = search_message(&report(), wide).to_string();
        assert!(text.ends_with(" pv H8 I7"), "{text}");
        let second = SearchInfo {
            rank: 1,
            lines: 3,
            score: -Score::win_in(12),
            ..report()
        };
        assert_eq!(
            search_message(&second, LABELS).to_string(),
            "MESSAGE depth 12-25 multipv 2 ev -M12 n 1250K n/ms 931 tm 1342 pv H8 I9"
        );
    }

    #[test]
    fn details_end_with_pv_done() {
        let lines: Vec<String> = detail_lines(&report())
            .iter()
            .map(Reply::to_string)
            .collect();
        assert_eq!(lines.first().unwrap(), "INFO PV 0");
        assert!(lines.contains(&"INFO BESTLINE 7,7 8,6".to_string()));
        assert!(lines.contains(&"INFO WINRATE 0.5312".to_string()));
        assert_eq!(lines.last().unwrap(), "INFO PV DONE");
    }

    #[test]
    fn lost_moves_are_marked_for_guis() {
        let lost = SearchInfo {
            score: Score::loss_in(8),
            ..report()
        };
        let lines: Vec<String> = realtime_lines(&lost, LABELS)
            .iter()
            .map(Reply::to_string)
            .collect();
        assert_eq!(lines[0], "MESSAGE REALTIME LOST 7,7");
        assert_eq!(lines[1], "MESSAGE REALTIME BEST 7,7");
    }

    #[test]
    fn long_lines_stay_within_managers_buffers() {
        let large = Labels {
            width: 22,
            height: 22,
            ..LABELS
        };
        let long = SearchInfo {
            pv: vec![Point::new(21, 0); 400],
            score: Score::win_in(255),
            nodes: u64::MAX,
            ..report()
        };
        assert!(search_message(&long, large).to_string().len() < 1_000);
        for reply in detail_lines(&long)
            .iter()
            .chain(&realtime_lines(&long, large))
        {
            assert!(reply.to_string().len() < 1_000);
        }
    }

    #[test]
    fn replies_have_no_stray_blanks() {
        let points = vec![Point::new(6, 8), Point::new(10, 2)];
        assert_eq!(Reply::Moves(points.clone()).to_string(), "6,8 10,2");
        assert_eq!(Reply::Moves(points[..1].to_vec()).to_string(), "6,8");
        assert_eq!(Reply::Forbid(points).to_string(), "FORBID 06081002.");
        assert_eq!(Reply::Forbid(vec![]).to_string(), "FORBID .");
        assert_eq!(Reply::Unknown("7,7".into()).to_string(), "UNKNOWN command");
        assert_eq!(
            Reply::Unknown("FOO".into()).to_string(),
            "UNKNOWN command FOO"
        );
    }

    #[test]
    fn no_reply_has_a_second_line() {
        let replies = [
            Reply::Message("a\n7,7\r\n\u{85}\u{2028}\u{1b}b".to_string()),
            Reply::Comment("a\n7,7\r\n\u{85}\u{2028}\u{1b}b".to_string()),
        ];
        for reply in replies {
            let line = on_one_line(&reply.to_string());
            let escaped = r"a\n7,7\r\n\u{85}\u{2028}\u{1b}b";
            assert!(line.contains(escaped), "{line}");
        }
        let comment = Reply::Comment("\\n\n\"最后".to_string());
        let line = on_one_line(&comment.to_string());
        assert_eq!(line, r#"MESSAGE DATABASE TEXT "\\n\n\"最后""#);
    }
}
