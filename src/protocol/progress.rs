//! The printed events of a search: enough to follow it, at a limited rate.

use crate::time::Instant;

use super::reply::{
    Labels, Reply, detail_lines, realtime_lines, realtime_lost, realtime_mark, realtime_refresh,
    search_message,
};
use super::settings::Detail;
use crate::search::{RootMoveEvent, SearchInfo};
use crate::types::{Point, PointSet};

/// Most iterations printed at once, and then in every second.
const LINES: f64 = 20.0;
/// The same for the marks of moves at the root.
const MARKS: f64 = 100.0;

/// A token bucket: lets `most` things pass at once, and as many in every second after that.
#[derive(Debug)]
struct RateLimiter {
    most: f64,
    /// The tokens in the bucket.
    tokens: f64,
    filled_at: Instant,
}

impl RateLimiter {
    fn new(most: f64, now: Instant) -> RateLimiter {
        RateLimiter {
            most,
            tokens: most,
            filled_at: now,
        }
    }

    /// True if something of that weight passes at `now`. One token is enough to pass; something
    /// heavy takes more, and the next ones wait longer.
    fn passes(&mut self, weight: f64, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled_at);
        self.filled_at = now;
        self.tokens = (self.tokens + self.most * passed.as_secs_f64()).min(self.most);
        let passes = self.tokens >= 1.0;
        if passes {
            self.tokens -= weight;
        }
        passes
    }
}

/// The printed lines of one search.
#[derive(Debug)]
pub struct Progress {
    detail: Detail,
    labels: Labels,
    /// For iterations; one with many lines weighs more.
    lines: RateLimiter,
    /// For marks of moves at the root.
    marks: RateLimiter,
    /// Moves at the root shown as examined in this iteration.
    marked: Vec<Point>,
    /// The move under examination, if that was shown.
    examined: Option<Point>,
    /// Moves known to be proved lost.
    lost: PointSet,
    /// True if the lines of the present iteration are printed.
    is_open: bool,
    /// The last report printed of each line, by rank.
    printed: Vec<Option<SearchInfo>>,
}

impl Progress {
    /// The beginning of a search.
    pub fn new(detail: Detail, labels: Labels) -> Progress {
        let now = Instant::now();
        Progress {
            detail,
            labels,
            lines: RateLimiter::new(LINES, now),
            marks: RateLimiter::new(MARKS, now),
            marked: Vec::new(),
            examined: None,
            lost: PointSet::EMPTY,
            is_open: false,
            printed: Vec::new(),
        }
    }

    /// The lines to print for a report at `now`.
    pub fn report(&mut self, report: &SearchInfo, now: Instant) -> Vec<Reply> {
        if report.rank == 0 {
            let weight = (report.lines.max(1) as f64).sqrt();
            self.is_open = self.lines.passes(weight, now);
        }
        if self.is_open {
            self.print(report)
        } else {
            Vec::new()
        }
    }

    /// The lines to print when the search begins or ends a move at the root at `now`. With too many
    /// events, both marks of a move are left out; the mark of a lost move is always printed.
    pub fn root_news(&mut self, news: RootMoveEvent, now: Instant) -> Vec<Reply> {
        let mut replies = Vec::new();
        match news {
            RootMoveEvent::Begin(p) => {
                self.examined = None;
                if !self.marks.passes(1.0, now) {
                    return replies;
                }
                self.examined = Some(p);
                if self.marked.contains(&p) {
                    // A new iteration, or a wider window: the marks start over.
                    replies.push(realtime_refresh());
                    self.marked.clear();
                }
                self.marked.push(p);
            }
            RootMoveEvent::Done { point, lost } => {
                if self.examined.take() == Some(point) {
                    replies.push(realtime_mark(news));
                }
                if lost && !self.lost.contains(point) {
                    self.lost.insert(point);
                    replies.push(realtime_lost(point));
                }
                return replies;
            }
        }
        replies.push(realtime_mark(news));
        replies
    }

    /// The search ended with `lines`; returns the lines that were not printed.
    pub fn finish(&mut self, lines: &[SearchInfo]) -> Vec<Reply> {
        let news: Vec<&SearchInfo> = lines
            .iter()
            .filter(|line| {
                let printed = self.printed.get(line.rank).and_then(Option::as_ref);
                printed.map(essence) != Some(essence(line))
            })
            .collect();
        news.into_iter().flat_map(|line| self.print(line)).collect()
    }

    fn print(&mut self, report: &SearchInfo) -> Vec<Reply> {
        if self.printed.len() <= report.rank {
            self.printed.resize(report.rank + 1, None);
        }
        self.printed[report.rank] = Some(report.clone());
        let mut replies = vec![search_message(report, self.labels)];
        if self.detail.lines {
            replies.extend(detail_lines(report));
        }
        if self.detail.realtime {
            replies.extend(realtime_lines(report, self.labels));
        }
        replies
    }
}

/// The compared part of a report: of two reports alike in it, one is enough.
fn essence(report: &SearchInfo) -> (u32, crate::types::Score, &[crate::types::Point]) {
    (report.depth, report.score, &report.pv)
}

#[cfg(test)]
mod tests {
    use crate::time::Duration;

    use super::*;
    use crate::types::{Point, Score};

    const LABELS: Labels = Labels {
        width: 15,
        height: 15,
        transposed: false,
        rows_from_top: false,
    };

    fn report(depth: u32, rank: usize, lines: usize) -> SearchInfo {
        SearchInfo {
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
        let mut progress = Progress::new(Detail::default(), LABELS);
        let now = progress.lines.filled_at;
        let printed: usize = (1..=200)
            .map(|depth| progress.report(&report(depth, 0, 1), now).len())
            .sum();
        assert_eq!(printed, LINES as usize);
        let second = now + Duration::from_secs(1);
        let printed: usize = (201..=400)
            .map(|depth| progress.report(&report(depth, 0, 1), second).len())
            .sum();
        assert_eq!(printed, LINES as usize);
        assert_eq!(progress.finish(&[report(400, 0, 1)]).len(), 1);
        assert_eq!(progress.finish(&[report(400, 0, 1)]).len(), 0);
    }

    #[test]
    fn iterations_with_many_lines_are_whole() {
        let mut progress = Progress::new(Detail::default(), LABELS);
        let now = progress.lines.filled_at;
        for depth in 1..20 {
            let printed = (0..9).map(|rank| progress.report(&report(depth, rank, 9), now).len());
            let printed: usize = printed.sum();
            assert!(printed == 0 || printed == 9, "{printed}");
        }
    }

    #[test]
    fn marks_come_in_pairs_and_start_over() {
        let mut progress = Progress::new(Detail::default(), LABELS);
        let now = progress.lines.filled_at;
        let mut say = |news| -> Vec<String> {
            let replies = progress.root_news(news, now);
            replies.iter().map(Reply::to_string).collect()
        };
        let (p, q) = (Point::new(7, 7), Point::new(8, 6));
        let done = |point, lost| RootMoveEvent::Done { point, lost };
        assert_eq!(say(RootMoveEvent::Begin(p)), ["MESSAGE REALTIME POS 7,7"]);
        assert_eq!(say(done(p, false)), ["MESSAGE REALTIME DONE 7,7"]);
        assert_eq!(say(RootMoveEvent::Begin(q)), ["MESSAGE REALTIME POS 8,6"]);
        assert_eq!(
            say(done(q, true)),
            ["MESSAGE REALTIME DONE 8,6", "MESSAGE REALTIME LOST 8,6"]
        );
        assert_eq!(
            say(RootMoveEvent::Begin(p)),
            ["MESSAGE REALTIME REFRESH", "MESSAGE REALTIME POS 7,7"]
        );
        // In a flood both marks of a move are missing.
        let mut shown = 0;
        for _ in 0..1_000 {
            let begun = say(RootMoveEvent::Begin(p)).len();
            let ended = say(done(p, false)).len();
            if begun == 0 && shown > 0 {
                assert_eq!(ended, 0);
                return;
            }
            shown += begun;
            say(RootMoveEvent::Begin(q));
        }
        panic!("the flood was not thinned");
    }

    #[test]
    fn guis_get_their_lines() {
        let detail = Detail {
            realtime: true,
            lines: true,
        };
        let mut progress = Progress::new(detail, LABELS);
        let now = progress.lines.filled_at;
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
