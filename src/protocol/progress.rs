//! Which news of a search are printed: enough to follow it, never a flood.

use std::time::{Duration, Instant};

use super::reply::{detail_lines, realtime_lines, search_message, Reply};
use super::settings::Detail;
use crate::search::Report;

/// Iterations printed at once before the rate counts.
const BURST: f64 = 20.0;
/// Iterations printed in a second after that.
const PER_SECOND: f64 = 20.0;

/// What was printed of one search.
#[derive(Debug)]
pub struct Progress {
    detail: Detail,
    height: u8,
    /// Iterations that may be printed now. An iteration with many lines costs more than one.
    tokens: f64,
    filled_at: Instant,
    /// Whether the lines of the iteration that is coming in are printed.
    is_open: bool,
    /// The last report printed of each line, by rank.
    printed: Vec<Option<Report>>,
}

impl Progress {
    /// Nothing was printed yet, on a board of `height` rows.
    pub fn new(detail: Detail, height: u8) -> Progress {
        Progress {
            detail,
            height,
            tokens: BURST,
            filled_at: Instant::now(),
            is_open: false,
            printed: Vec::new(),
        }
    }

    /// A report came in at `now`; returns what to print.
    pub fn report(&mut self, report: &Report, now: Instant) -> Vec<Reply> {
        if report.rank == 0 {
            self.refill(now.saturating_duration_since(self.filled_at));
            self.filled_at = now;
            self.is_open = self.tokens >= 1.0;
            if self.is_open {
                self.tokens -= (report.lines.max(1) as f64).sqrt();
            }
        }
        if self.is_open {
            self.print(report)
        } else {
            Vec::new()
        }
    }

    /// The search ended with `lines`; returns what was not printed of them.
    pub fn finish(&mut self, lines: &[Report]) -> Vec<Reply> {
        let news: Vec<&Report> = lines
            .iter()
            .filter(|line| {
                let printed = self.printed.get(line.rank).and_then(Option::as_ref);
                printed.map(essence) != Some(essence(line))
            })
            .collect();
        news.into_iter().flat_map(|line| self.print(line)).collect()
    }

    fn refill(&mut self, passed: Duration) {
        self.tokens = (self.tokens + PER_SECOND * passed.as_secs_f64()).min(BURST);
    }

    fn print(&mut self, report: &Report) -> Vec<Reply> {
        if self.printed.len() <= report.rank {
            self.printed.resize(report.rank + 1, None);
        }
        self.printed[report.rank] = Some(report.clone());
        let mut replies = vec![search_message(report, self.height)];
        if self.detail.lines {
            replies.extend(detail_lines(report));
        }
        if self.detail.realtime {
            replies.extend(realtime_lines(report, self.height));
        }
        replies
    }
}

/// What makes two reports of a line different to a reader.
fn essence(report: &Report) -> (u32, crate::types::Score, &[crate::types::Point]) {
    (report.depth, report.score, &report.pv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Point, Score};

    fn report(depth: u32, rank: usize, lines: usize) -> Report {
        Report {
            rank,
            lines,
            depth,
            seldepth: depth,
            score: Score::DRAW,
            win_rate: 0.5,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![Point::new(rank as u8, 0)],
        }
    }

    #[test]
    fn a_flood_is_thinned_but_the_end_is_shown() {
        let mut progress = Progress::new(Detail::default(), 15);
        let now = progress.filled_at;
        let printed: usize = (1..=200)
            .map(|depth| progress.report(&report(depth, 0, 1), now).len())
            .sum();
        assert_eq!(printed, BURST as usize);
        let second = now + Duration::from_secs(1);
        let printed: usize = (201..=400)
            .map(|depth| progress.report(&report(depth, 0, 1), second).len())
            .sum();
        assert_eq!(printed, PER_SECOND as usize);
        assert_eq!(progress.finish(&[report(400, 0, 1)]).len(), 1);
        assert_eq!(progress.finish(&[report(400, 0, 1)]).len(), 0);
    }

    #[test]
    fn iterations_with_many_lines_are_whole() {
        let mut progress = Progress::new(Detail::default(), 15);
        let now = progress.filled_at;
        for depth in 1..20 {
            let printed = (0..9).map(|rank| progress.report(&report(depth, rank, 9), now).len());
            let printed: usize = printed.sum();
            assert!(printed == 0 || printed == 9, "{printed}");
        }
    }

    #[test]
    fn guis_get_their_lines() {
        let detail = Detail {
            realtime: true,
            lines: true,
        };
        let mut progress = Progress::new(detail, 15);
        let now = progress.filled_at;
        let texts: Vec<String> = progress
            .report(&report(3, 0, 1), now)
            .iter()
            .map(Reply::to_string)
            .collect();
        assert!(texts[0].starts_with("MESSAGE depth 3-3 "));
        assert!(texts.contains(&"INFO PV DONE".to_string()));
        assert!(texts.contains(&"MESSAGE REALTIME BEST 0,0".to_string()));
    }
}
