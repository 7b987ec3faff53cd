//! Commands that search.

use std::time::Instant;

use super::Session;
use super::thinking::{MoveWish, Purpose};
use crate::gtp::analysis::{AnalysisFeed, AnalysisOptions, Dialect};
use crate::gtp::reply::Answer;
use crate::gtp::vertex::parse_color;
use tengen::types::PointSet;

type Outcome = Result<Answer, String>;

impl Session {
    /// `genmove`: chooses a move and plays it.
    pub(super) fn genmove(&mut self, arguments: &[String]) -> Outcome {
        self.plain_move(arguments, Purpose::Move)
    }

    /// `reg_genmove`: chooses a move.
    pub(super) fn reg_genmove(&mut self, arguments: &[String]) -> Outcome {
        self.plain_move(arguments, Purpose::Suggestion)
    }

    fn plain_move(&mut self, arguments: &[String], purpose: Purpose) -> Outcome {
        let color = arguments.first().and_then(|word| parse_color(word));
        let color = color.ok_or("syntax error: no colour")?;
        Ok(self.choose_move(MoveWish {
            color,
            purpose,
            lines: 1,
            excluded: PointSet::EMPTY,
            feed: None,
        }))
    }

    /// `lz-genmove_analyze`, `kata-genmove_analyze`.
    pub(super) fn genmove_analyze(&mut self, arguments: &[String], dialect: Dialect) -> Outcome {
        let wish = self.analyzing_wish(arguments, Purpose::Move, dialect)?;
        Ok(self.choose_move(wish))
    }

    /// `lz-analyze`, `kata-analyze`.
    pub(super) fn begin_analysis(&mut self, arguments: &[String], dialect: Dialect) -> Outcome {
        let wish = self.analyzing_wish(arguments, Purpose::Analysis, dialect)?;
        Ok(self.analyze(wish))
    }

    fn analyzing_wish(
        &self,
        arguments: &[String],
        purpose: Purpose,
        dialect: Dialect,
    ) -> Result<MoveWish, String> {
        let options = AnalysisOptions::parse(arguments, self.game.board())?;
        let color = options.color;
        let color = color.unwrap_or_else(|| self.game.board().side_to_move());
        let board = self.game.with_turn_of(color);
        Ok(MoveWish {
            color,
            purpose,
            // Several candidates cost strength, so a move has several only on request.
            lines: match purpose {
                Purpose::Analysis => options.lines_or_usual(),
                Purpose::Move | Purpose::Suggestion => options.lines.unwrap_or(1),
            },
            excluded: options.excluded(&board),
            feed: Some(AnalysisFeed::new(
                dialect,
                options.interval,
                &board,
                Instant::now(),
            )),
        })
    }
}
