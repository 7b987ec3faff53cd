//! Reports of engines during a search.
//!
//! Read are the forms in use: `depth 12-25 ev 143 n 1250K n/ms 812 tm 1342 pv H8 …` (ours, Rapfi's
//! `ucilike` and AlphaGomoku's), `Depth 12-25 | Eval 143 | Time 1342ms | H8 …` with its closing
//! `Speed 812K | Depth 17-30 | Eval +M15 | Node 21M | Time 27s` (Rapfi's usual), and the detail
//! lines of the Yixin-Board extension, `INFO DEPTH 12`, `INFO EVAL 143`, `INFO TOTALNODES …`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A value as an engine reports it, from its own view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Eval {
    /// An estimate in the engine's own unit.
    Value(f64),
    /// A win in this many plies (0: not reported).
    Win(u32),
    /// A loss in this many plies (0: not reported).
    Loss(u32),
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Eval::Value(v) => write!(f, "{v}"),
            Eval::Win(n) => write!(f, "+M{n}"),
            Eval::Loss(n) => write!(f, "-M{n}"),
        }
    }
}

impl From<Eval> for String {
    fn from(eval: Eval) -> String {
        eval.to_string()
    }
}

impl TryFrom<String> for Eval {
    type Error = String;

    fn try_from(text: String) -> Result<Eval, String> {
        Eval::parse(&text).ok_or_else(|| format!("'{text}' is not an evaluation"))
    }
}

impl Eval {
    /// Reads `143`, `-0.5`, `+M15`, `-M12`, `M3`, `+M*` (a win from a database).
    pub fn parse(text: &str) -> Option<Eval> {
        let (losing, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if let Some(plies) = rest.strip_prefix(['M', 'm']) {
            let plies = match plies {
                "*" | "" => 0,
                digits => digits.parse().ok()?,
            };
            return Some(if losing {
                Eval::Loss(plies)
            } else {
                Eval::Win(plies)
            });
        }
        let value: f64 = text.parse().ok()?;
        value.is_finite().then_some(Eval::Value(value))
    }
}

/// The latest report of an engine about its search for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReportedSearch {
    /// Value for itself.
    pub eval: Option<Eval>,
    /// Completed depth in plies.
    pub depth: Option<u32>,
    /// Deepest ply.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub speed: Option<u64>,
    /// True if the line read last belongs to the second best line of play or a worse one
    /// (multi-PV): its value is not the move's.
    lesser_line: bool,
}

impl ReportedSearch {
    /// Takes in one line of output; lines of other kinds change nothing.
    pub fn read(&mut self, line: &str) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if word.eq_ignore_ascii_case("INFO") {
            self.read_detail(rest);
        } else if word.eq_ignore_ascii_case("MESSAGE") {
            self.read_message(rest);
        }
    }

    /// `KEY value` of the Yixin-Board extension.
    fn read_detail(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else {
            return;
        };
        let key = key.to_ascii_uppercase();
        match key.as_str() {
            "PV" => self.lesser_line = value.parse::<u32>().is_ok_and(|k| k > 0),
            "TOTALNODES" => replace(&mut self.nodes, parse_count(value)),
            "SPEED" => replace(&mut self.speed, parse_count(value)),
            _ if self.lesser_line => {}
            "DEPTH" => replace(&mut self.depth, value.parse().ok()),
            "SELDEPTH" => replace(&mut self.seldepth, value.parse().ok()),
            "EVAL" => replace(&mut self.eval, Eval::parse(value)),
            _ => {}
        }
    }

    /// Pairs of a key and a value, separated by blanks or bars; the line of play ends them.
    fn read_message(&mut self, text: &str) {
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c == '|' || c == ',')
            .filter(|word| !word.is_empty())
            .collect();
        let mut found = ReportedSearch::default();
        let mut pairs = words.windows(2);
        while let Some([key, value]) = pairs.next() {
            let key = key.trim_end_matches(':').to_ascii_lowercase();
            match key.as_str() {
                "depth" => {
                    let (depth, seldepth) = value.split_once('-').unwrap_or((value, ""));
                    replace(&mut found.depth, depth.parse().ok());
                    replace(&mut found.seldepth, seldepth.parse().ok());
                }
                "ev" | "eval" => replace(&mut found.eval, Eval::parse(value)),
                "n" | "node" | "nodes" => replace(&mut found.nodes, parse_count(value)),
                "n/ms" => replace(
                    &mut found.speed,
                    parse_count(value).and_then(|n| n.checked_mul(1000)),
                ),
                "n/s" | "nps" | "speed" => replace(&mut found.speed, parse_count(value)),
                "multipv" => found.lesser_line = value.parse::<u32>().is_ok_and(|k| k > 1),
                "pv" => break,
                _ => continue,
            }
            // The value is not the next key.
            pairs.next();
        }
        // A message that only contains such a word is no report of a search.
        if found.depth.is_none() && found.eval.is_none() {
            return;
        }
        replace(&mut self.nodes, found.nodes);
        replace(&mut self.speed, found.speed);
        if !found.lesser_line {
            replace(&mut self.depth, found.depth);
            replace(&mut self.seldepth, found.seldepth);
            replace(&mut self.eval, found.eval);
        }
    }
}

fn replace<T>(old: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *old = new;
    }
}

/// Reads `812`, `1250K`, `21M`, `1.2G`.
fn parse_count(text: &str) -> Option<u64> {
    let split = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" => 1.0,
        "K" | "k" => 1e3,
        "M" | "m" => 1e6,
        "G" | "g" | "B" => 1e9,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    (number >= 0.0).then_some((number * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> ReportedSearch {
        let mut thought = ReportedSearch::default();
        lines.iter().for_each(|line| thought.read(line));
        thought
    }

    #[test]
    fn our_form_and_rapfis_ucilike() {
        let thought = read(&["MESSAGE depth 12-25 ev 143 n 1250K n/ms 812 tm 1342 pv H8 I9 G7"]);
        assert_eq!(thought.depth, Some(12));
        assert_eq!(thought.seldepth, Some(25));
        assert_eq!(thought.eval, Some(Eval::Value(143.0)));
        assert_eq!(thought.nodes, Some(1_250_000));
        assert_eq!(thought.speed, Some(812_000));
    }

    #[test]
    fn lesser_lines_of_multi_pv_do_not_speak_for_the_move() {
        let thought = read(&[
            "MESSAGE depth 9-20 multipv 1 ev 80 n 10K n/ms 900 tm 11 pv H8",
            "MESSAGE depth 9-20 multipv 2 ev -30 n 12K n/ms 900 tm 13 pv I9",
        ]);
        assert_eq!(thought.eval, Some(Eval::Value(80.0)));
        assert_eq!(thought.nodes, Some(12_000));
    }

    #[test]
    fn alphagomokus_form() {
        let thought = read(&[
            "MESSAGE depth 1-45 ev 60.1 winrate 56.7 drawrate 6.9 n 288959 n/s 12487 tm 23140 pv Xf4",
        ]);
        assert_eq!(thought.eval, Some(Eval::Value(60.1)));
        assert_eq!(thought.nodes, Some(288_959));
        assert_eq!(thought.speed, Some(12_487));
    }

    #[test]
    fn rapfis_usual_form_with_its_closing_line() {
        let thought = read(&[
            "MESSAGE Depth 12-25 | Eval -143 | Time 1342ms | H8 G7 H6",
            "MESSAGE Speed 812K | Depth 17-30 | Eval +M15 | Node 21M | Time 27s",
            "MESSAGE Bestline H8 G7 H6",
            "MESSAGE OptiTime 1s | MaxTime 2s",
        ]);
        assert_eq!(thought.depth, Some(17));
        assert_eq!(thought.eval, Some(Eval::Win(15)));
        assert_eq!(thought.nodes, Some(21_000_000));
        assert_eq!(thought.speed, Some(812_000));
    }

    #[test]
    fn yixin_boards_detail_lines() {
        let thought = read(&[
            "INFO PV 0",
            "INFO NUMPV 2",
            "INFO DEPTH 14",
            "INFO SELDEPTH 28",
            "INFO NODES 40",
            "INFO TOTALNODES 90000",
            "INFO SPEED 700000",
            "INFO EVAL -M4",
            "INFO PV DONE",
            "INFO PV 1",
            "INFO DEPTH 13",
            "INFO EVAL -500",
            "INFO PV DONE",
        ]);
        assert_eq!(thought.depth, Some(14));
        assert_eq!(thought.eval, Some(Eval::Loss(4)));
        assert_eq!(thought.nodes, Some(90_000));
        assert_eq!(thought.speed, Some(700_000));
    }

    #[test]
    fn prose_and_nonsense_change_nothing() {
        let thought = read(&[
            "MESSAGE",
            "MESSAGE node speed is high",
            "MESSAGE depth x ev y",
            "DEBUG depth 5 ev 3",
            "7,7",
            "INFO DEPTH",
            "MESSAGE depth",
        ]);
        assert_eq!(thought, ReportedSearch::default());
    }

    #[test]
    fn evaluations_are_written_as_they_are_read() {
        for text in ["143", "-0.5", "+M15", "-M12", "+M0"] {
            assert_eq!(Eval::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Eval::parse("nan"), None);
        assert_eq!(Eval::parse("+M*"), Some(Eval::Win(0)));
    }
}
