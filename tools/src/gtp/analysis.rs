//! The arguments of `lz-analyze` and `kata-analyze`, and the printed lines.

use std::time::{Duration, Instant};

use super::vertex::{column_note, parse_color, parse_vertex, vertex_of};
use tengen::board::Board;
use tengen::search::SearchInfo;
use tengen::types::{Color, PointSet};

/// Shortest time between lines.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(50);
/// Time between lines if none is given.
const USUAL_INTERVAL: Duration = Duration::from_secs(1);
/// Candidates if no number is given.
const USUAL_LINES: usize = 5;

/// The program whose lines are imitated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Leela Zero's: win rates in hundredths of a per cent.
    Leela,
    /// KataGo's: win rates from 0 to 1.
    Kata,
}

/// Arguments of a command that analyses.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// The side to move, if it is named.
    pub color: Option<Color>,
    /// Time between lines.
    pub interval: Duration,
    /// Candidates, if their number is given.
    pub lines: Option<usize>,
    /// Cells not to be played, by side.
    avoided: Vec<(Color, PointSet)>,
    /// The only cells to be played, by side.
    allowed: Vec<(Color, PointSet)>,
}

impl AnalysisOptions {
    /// Reads the arguments of `lz-analyze` and the like for a position on `board`.
    ///
    /// # Errors
    /// At the first argument that makes no sense.
    pub fn parse(arguments: &[String], board: &Board) -> Result<AnalysisOptions, String> {
        let mut options = AnalysisOptions {
            color: None,
            interval: USUAL_INTERVAL,
            lines: None,
            avoided: Vec::new(),
            allowed: Vec::new(),
        };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(color) = words.peek().and_then(|word| parse_color(word)) {
            options.color = Some(color);
            words.next();
        }
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(word) = words.next_if(is_number) {
            options.interval = interval(word)?;
        }
        while let Some(key) = words.next() {
            let mut value = || {
                let missing = || format!("syntax error: {} needs a value", known(key));
                words.next().ok_or_else(missing)
            };
            match key {
                "interval" => options.interval = interval(value()?)?,
                "minmoves" | "maxmoves" => {
                    let number = value()?.parse().map_err(|_| "syntax error: no number")?;
                    // With both keys the smaller number is enough.
                    let fewest = options.lines.map_or(number, |lines| lines.min(number));
                    options.lines = Some(fewest.max(1));
                }
                "avoid" | "allow" => {
                    let color = parse_color(value()?).ok_or("syntax error: no colour")?;
                    let cells = cells(value()?, board)?;
                    let _until_move = value()?;
                    match key {
                        "avoid" => options.avoided.push((color, cells)),
                        _ => options.allowed.push((color, cells)),
                    }
                }
                "ownership"
                | "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo" => {
                    value()?;
                }
                _ => return Err("syntax error: unknown option".to_string()),
            }
        }
        Ok(options)
    }

    /// Number of candidates of an analysis.
    pub fn lines_or_usual(&self) -> usize {
        self.lines.unwrap_or(USUAL_LINES)
    }

    /// The cells not to be played by the side to move on `board`.
    pub fn excluded(&self, board: &Board) -> PointSet {
        let side = board.side_to_move();
        let mine = |(color, cells): &(Color, PointSet)| (*color == side).then_some(*cells);
        let all = PointSet::from_iter(board.empty_points());
        let avoided = self.avoided.iter().filter_map(mine);
        let not_allowed = self.allowed.iter().filter_map(mine);
        avoided
            .chain(not_allowed.map(|cells| all.difference(&cells)))
            .fold(PointSet::EMPTY, |sum, cells| sum.union(&cells))
    }
}

/// Names a key in an error only if the key is known: an answer repeats nothing of the input.
fn known(key: &str) -> &'static str {
    let keys = ["interval", "minmoves", "maxmoves", "avoid", "allow"];
    let found = keys.into_iter().find(|known| *known == key);
    found.unwrap_or("the option")
}

/// A number of hundredths of a second.
fn interval(text: &str) -> Result<Duration, String> {
    let hundredths: u32 = text
        .parse()
        .map_err(|_| "syntax error: no interval".to_string())?;
    Ok(SHORTEST_INTERVAL.max(Duration::from_millis(10) * hundredths))
}

/// Points separated by commas.
fn cells(text: &str, board: &Board) -> Result<PointSet, String> {
    let vertex = |word| {
        let fault = || format!("syntax error: no vertex{}", column_note(word));
        parse_vertex(word, board).ok_or_else(fault)
    };
    // No side passes in this game.
    text.split(',')
        .filter_map(|word| vertex(word).transpose())
        .collect()
}

/// The printed lines of one search, and their times.
#[derive(Debug)]
pub struct AnalysisFeed {
    dialect: Dialect,
    interval: Duration,
    height: u8,
    /// The candidates of the unfinished depth.
    incoming: Vec<SearchInfo>,
    /// The candidates of the last complete depth, best first.
    latest: Vec<SearchInfo>,
    is_fresh: bool,
    /// The earliest time of the next line.
    next_at: Instant,
}

impl AnalysisFeed {
    /// A feed without candidates; lines come from `now` on.
    pub fn new(dialect: Dialect, interval: Duration, board: &Board, now: Instant) -> AnalysisFeed {
        AnalysisFeed {
            dialect,
            interval,
            height: board.height(),
            incoming: Vec::new(),
            latest: Vec::new(),
            is_fresh: false,
            next_at: now,
        }
    }

    /// Takes a candidate of a completed depth.
    pub fn take(&mut self, info: SearchInfo) {
        if info.rank == 0 {
            self.incoming.clear();
        }
        let is_last = info.rank + 1 == info.lines;
        self.incoming.push(info);
        if is_last {
            self.latest = std::mem::take(&mut self.incoming);
            self.is_fresh = true;
        }
    }

    /// The time at which the next line is due; `None` without anything new.
    pub fn due_at(&self) -> Option<Instant> {
        self.is_fresh.then_some(self.next_at)
    }

    /// The line due at `now`.
    pub fn due(&mut self, now: Instant) -> Option<String> {
        let is_due = self.due_at().is_some_and(|at| at <= now);
        is_due.then(|| {
            self.next_at = now + self.interval;
            self.line()
        })
    }

    /// The lines not printed yet when the search ends.
    pub fn rest(&mut self) -> Option<String> {
        self.is_fresh.then(|| self.line())
    }

    fn line(&mut self) -> String {
        self.is_fresh = false;
        let candidates: Vec<String> = self.latest.iter().map(|info| self.text(info)).collect();
        candidates.join(" ") + "\n"
    }

    fn text(&self, info: &SearchInfo) -> String {
        let rate = info.win_rate.clamp(0.0, 1.0);
        let values = match self.dialect {
            Dialect::Leela => {
                let rate = (rate * 10_000.0).round();
                format!("winrate {rate} lcb {rate}")
            }
            Dialect::Kata => {
                let utility = 2.0 * rate - 1.0;
                format!("utility {utility:.6} winrate {rate:.6} lcb {rate:.6}")
            }
        };
        let moves: Vec<String> = info.pv.iter().map(|&p| vertex_of(p, self.height)).collect();
        format!(
            "info move {} visits {} {values} order {} pv {}",
            moves[0],
            info.nodes,
            info.rank,
            moves.join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::types::{Point, Score};

    fn options(text: &str) -> Result<AnalysisOptions, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        AnalysisOptions::parse(&words, &Board::new(15, 15).unwrap())
    }

    #[test]
    fn all_forms_of_arguments_are_read() {
        let read = |text| {
            let options = options(text).unwrap();
            let hundredths = options.interval.as_millis() / 10;
            (options.color, hundredths, options.lines_or_usual())
        };
        assert_eq!(read(""), (None, 100, 5));
        assert_eq!(read("B 40"), (Some(Color::Black), 40, 5));
        assert_eq!(read("20 maxmoves 3"), (None, 20, 3));
        assert_eq!(read("white interval 7"), (Some(Color::White), 7, 5));
        assert_eq!(read("0 minmoves 9 maxmoves 2 ownership true"), (None, 5, 2));
        for bad in [
            "x",
            "interval",
            "interval x",
            "avoid b H8",
            "avoid q H8 1",
            "avoid b I8 1",
        ] {
            assert!(
                options(bad).unwrap_err().starts_with("syntax error"),
                "{bad}"
            );
        }
    }

    #[test]
    fn cells_are_avoided_or_alone_allowed() {
        let board = Board::new(15, 15).unwrap();
        let count = |text| options(text).unwrap().excluded(&board).len();
        assert_eq!(count("avoid b H8,J9,pass 1 avoid w A1 1"), 2);
        assert_eq!(count("allow b H8,J9 1"), 223);
        assert_eq!(count("allow w H8,J9 1"), 0);
    }

    fn info(rank: usize, lines: usize, win_rate: f64) -> SearchInfo {
        SearchInfo {
            rank,
            lines,
            depth: 3,
            seldepth: 4,
            score: Score::DRAW,
            win_rate,
            nodes: 1_000,
            elapsed: Duration::ZERO,
            pv: vec![Point::new(8, 7 + rank as u8), Point::new(0, 14)],
        }
    }

    #[test]
    fn whole_depths_are_printed_at_intervals() {
        let board = Board::new(15, 15).unwrap();
        let now = Instant::now();
        let mut feed = AnalysisFeed::new(Dialect::Leela, Duration::from_secs(1), &board, now);
        feed.take(info(0, 2, 0.5));
        assert_eq!(feed.due(now), None);
        feed.take(info(1, 2, 0.25));
        let expected = "info move J8 visits 1000 winrate 5000 lcb 5000 order 0 pv J8 A1 \
                        info move J7 visits 1000 winrate 2500 lcb 2500 order 1 pv J7 A1\n";
        assert_eq!(feed.due(now).as_deref(), Some(expected));
        feed.take(info(0, 1, 1.0));
        assert_eq!(feed.due(now), None);
        assert_eq!(feed.due_at(), Some(now + Duration::from_secs(1)));
        assert!(feed.rest().unwrap().contains("winrate 10000 "));
        assert_eq!(feed.rest(), None);
        let mut feed = AnalysisFeed::new(Dialect::Kata, Duration::ZERO, &board, now);
        feed.take(info(0, 1, 0.25));
        let line = feed.due(now).unwrap();
        assert!(
            line.contains(" utility -0.500000 winrate 0.250000 "),
            "{line}"
        );
    }
}
