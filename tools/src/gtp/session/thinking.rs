//! Searches of a session: their start and the answers with their results.

use std::sync::Arc;

use super::Session;
use crate::game::referee::Outcome;
use crate::gtp::analysis::AnalysisFeed;
use crate::gtp::reply::{Answer, beginning, success};
use crate::gtp::vertex::vertex_of;
use tengen::board::{Board, Move};
use tengen::engine::background::EngineEvent;
use tengen::engine::move_control::MoveControl;
use tengen::engine::safety::play_legally;
use tengen::engine::strength::Strength;
use tengen::search::{SearchRequest, SearchResult, TimeSettings};
use tengen::types::{Color, Point, PointSet};

/// Time for a move without any limit, in ms.
const USUAL_TURN_MS: u64 = 5_000;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move to play.
    Move,
    /// A move to name.
    Suggestion,
    /// Candidates, until a line comes.
    Analysis,
}

/// A running search.
pub(super) struct RunningSearch {
    control: Arc<MoveControl>,
    request: Arc<SearchRequest>,
    purpose: Purpose,
    /// The lines printed before its end.
    pub(super) feed: Option<AnalysisFeed>,
}

impl RunningSearch {
    pub(super) fn stop(&self) {
        self.control.stop();
    }

    pub(super) fn is_analysis(&self) -> bool {
        self.purpose == Purpose::Analysis
    }
}

/// The terms of a request for a move.
pub(super) struct MoveWish {
    pub(super) color: Color,
    pub(super) purpose: Purpose,
    pub(super) lines: usize,
    pub(super) excluded: PointSet,
    pub(super) feed: Option<AnalysisFeed>,
}

impl Session {
    /// Begins the search for a move, or answers at once if no search is needed.
    pub(super) fn choose_move(&mut self, wish: MoveWish) -> Answer {
        let side = wish.color;
        let unsearched = match self.game.outcome(self.rule) {
            // The loser gives up; the winner, or nobody after a draw, has nothing left to do.
            Some(outcome) if outcome == Outcome::win(!side) => Some("resign".to_string()),
            Some(_) => Some(self.make_move(&wish, None)),
            None if self.is_leaving => Some(self.play_best(&wish, None)),
            None => None,
        };
        let has_feed = wish.feed.is_some();
        if let Some(vertex) = unsearched {
            return Answer::Text(answer_text(&vertex, has_feed));
        }
        if has_feed {
            self.output.write(&beginning(&self.id));
        }
        let board = self.game.with_turn_of(side);
        let time = self.time(side);
        self.search(board, wish, self.setup.strength, &time);
        Answer::Later
    }

    /// Begins an analysis of the position with `wish.color` to move.
    pub(super) fn analyze(&mut self, wish: MoveWish) -> Answer {
        self.output.write(&beginning(&self.id));
        self.is_analysis_open = true;
        // The line that ends the analysis may have come already, during another search.
        let is_wanted = self.waiting.is_none() && !self.is_leaving;
        if is_wanted && self.game.outcome(self.rule).is_none() {
            let board = self.game.with_turn_of(wish.color);
            self.search(board, wish, Strength::FULL, &TimeSettings::default());
        }
        Answer::Later
    }

    /// The limits of a move of `color`.
    fn time(&self, color: Color) -> TimeSettings {
        let turn = self.setup.turn.map(|turn| turn.as_millis() as u64);
        let clock = self.clocks.limits(color);
        let is_bounded =
            clock.is_some() || self.setup.depth.is_some() || self.setup.nodes.is_some();
        let usual = (!is_bounded).then_some(USUAL_TURN_MS);
        let clock = clock.unwrap_or_default();
        TimeSettings {
            turn_ms: [clock.turn_ms, turn].into_iter().flatten().min().or(usual),
            ..clock
        }
    }

    /// Begins a search.
    fn search(&mut self, board: Board, wish: MoveWish, strength: Strength, time: &TimeSettings) {
        self.prepare();
        let control = Arc::new(MoveControl::new(self.asked_at, time));
        let (depth, nodes) = match wish.purpose {
            Purpose::Analysis => (None, None),
            Purpose::Move | Purpose::Suggestion => (self.setup.depth, self.setup.nodes),
        };
        if !self.engine.is_there() {
            self.warn("the system gives no thread for the search: small searches only".into());
        }
        control.set_bounds(self.engine.depth(depth), nodes);
        let request = Arc::new(SearchRequest {
            multi_pv: wish.lines.clamp(1, board.empty_count()),
            excluded: wish.excluded,
            is_analysis: matches!(wish.purpose, Purpose::Analysis),
            ..SearchRequest::new(board, self.rule)
        });
        self.search = Some(RunningSearch {
            control: Arc::clone(&control),
            request: Arc::clone(&request),
            purpose: wish.purpose,
            feed: wish.feed,
        });
        let events = self.events.clone();
        let send = move |event: EngineEvent<SearchResult>| {
            // Fails only when the session is over.
            let _ = events.send(event.into());
        };
        self.engine.begin(send, move |engine, report| {
            engine.go_as(strength, &request, control.whole(), report)
        });
    }

    /// The search ended: answers with its result.
    pub(super) fn finish(&mut self, result: Option<SearchResult>) {
        if let Some(engine) = self.engine.idle() {
            let (fault, shortages) = (engine.take_network_fault(), engine.take_shortages());
            if let Some(fault) = fault {
                self.warn(format!("evaluator: {fault}"));
            }
            for shortage in shortages {
                self.warn(shortage.to_string());
            }
        }
        let Some(mut search) = self.search.take() else {
            return log::error!("a search ended that had not begun");
        };
        let rest = search.feed.as_mut().and_then(AnalysisFeed::rest);
        if let Some(line) = rest {
            self.output.write(&line);
        }
        if !search.is_analysis() {
            let wish = MoveWish {
                color: search.request.board.side_to_move(),
                purpose: search.purpose,
                lines: 1,
                excluded: search.request.excluded,
                feed: None,
            };
            let vertex = self.play_best(&wish, result.as_ref());
            if search.purpose == Purpose::Move {
                self.clocks.moved(wish.color, search.control.elapsed());
            }
            // With printed candidates the first line of the answer stands already.
            let text = match search.feed {
                Some(_) => format!("play {vertex}\n\n"),
                None => success(&self.id, &vertex),
            };
            self.output.write(&text);
        }
    }

    /// The vertex of the best move of `result`, or of another legal one; played if `wish` says so.
    fn play_best(&mut self, wish: &MoveWish, result: Option<&SearchResult>) -> String {
        let mut board = self.game.with_turn_of(wish.color);
        let proposed: Vec<_> = result.and_then(|result| result.best).into_iter().collect();
        let played = play_legally(&mut board, self.rule, &wish.excluded, &proposed, 1);
        self.make_move(wish, played.first().copied())
    }

    /// Plays a move if `wish` says so; returns its vertex.
    fn make_move(&mut self, wish: &MoveWish, point: Option<Point>) -> String {
        if wish.purpose == Purpose::Move {
            let color = wish.color;
            self.game.push(Move { color, point });
        }
        let height = self.game.board().height();
        point.map_or_else(|| "pass".to_string(), |p| vertex_of(p, height))
    }
}

/// The answer to a request for a move. After printed candidates the move stands on its own line.
fn answer_text(vertex: &str, has_feed: bool) -> String {
    match has_feed {
        true => format!("\nplay {vertex}"),
        false => vertex.to_string(),
    }
}
