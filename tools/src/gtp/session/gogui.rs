//! Commands by which GoGui learns the rules of a game other than Go, and sets up positions.
//! Source: the GoGui manual, chapters "Analyze Commands", "Rules" and "Compatibility".

use super::Session;
use crate::game::referee::Outcome;
use crate::gtp::reply::Answer;
use crate::gtp::vertex::parse_color;
use tengen::rules::Rule;

/// Type, label and command of each entry of GoGui's window of analysis commands.
const ANALYZE_COMMANDS: &str = "\
pstring/Best Move/reg_genmove %m
plist/Legal Moves/gogui-rules_legal_moves
plist/Forbidden Points/gomoku-forbidden
string/Result/gogui-rules_final_result
string/Rule/gomoku-rules %o";

impl Session {
    /// `gogui-analyze_commands`.
    pub(super) fn gogui_commands(&mut self, _: &[String]) -> Result<Answer, String> {
        Ok(ANALYZE_COMMANDS.into())
    }

    /// `gogui-interrupt`: a comment line `# interrupt` stops a search.
    pub(super) fn gogui_interrupt(&mut self, _: &[String]) -> Result<Answer, String> {
        Ok(Answer::NOTHING)
    }

    /// `gogui-rules_game_id`.
    pub(super) fn gogui_game_id(&mut self, _: &[String]) -> Result<Answer, String> {
        let id = match self.rule {
            Rule::Renju => "renju",
            Rule::Freestyle | Rule::Standard | Rule::Caro | Rule::CaroExact => "gomoku",
        };
        Ok(id.into())
    }

    /// `gogui-rules_board`.
    pub(super) fn gogui_board(&mut self, _: &[String]) -> Result<Answer, String> {
        Ok(format!("\n{}", self.game.rows().join("\n")).into())
    }

    /// `gogui-rules_board_size`.
    pub(super) fn gogui_board_size(&mut self, _: &[String]) -> Result<Answer, String> {
        let board = self.game.board();
        match board.width() == board.height() {
            true => Ok(board.width().to_string().into()),
            false => Err("the board is no square".to_string()),
        }
    }

    /// `gogui-rules_legal_moves`: the moves of the side to move; none when the game is over.
    pub(super) fn gogui_legal_moves(&mut self, _: &[String]) -> Result<Answer, String> {
        let side = self.game.board().side_to_move();
        Ok(self.game.legal_vertices(side, self.rule).join(" ").into())
    }

    /// `gogui-rules_side_to_move`.
    pub(super) fn gogui_side_to_move(&mut self, _: &[String]) -> Result<Answer, String> {
        Ok(self.game.board().side_to_move().to_string().into())
    }

    /// `gogui-rules_final_result`.
    pub(super) fn gogui_final_result(&mut self, _: &[String]) -> Result<Answer, String> {
        let outcome = self.game.outcome(self.rule);
        Ok(outcome.map_or("unknown", Outcome::name).into())
    }

    /// `gogui-play_sequence`: moves, each a colour and a vertex. The moves before a wrong one stay.
    pub(super) fn gogui_play_sequence(&mut self, arguments: &[String]) -> Result<Answer, String> {
        let (moves, rest) = arguments.as_chunks::<2>();
        for [color, vertex] in moves {
            self.game.play(self.read_move(color, vertex)?, self.rule)?;
        }
        match rest.is_empty() {
            true => Ok(Answer::NOTHING),
            false => Err("invalid color or coordinate".to_string()),
        }
    }

    /// `gogui-setup`: stones of the position at the game's start.
    pub(super) fn gogui_setup(&mut self, arguments: &[String]) -> Result<Answer, String> {
        for stone in arguments.chunks(2) {
            let [color, vertex] = stone else {
                return Err("invalid color or coordinate".to_string());
            };
            let made = self.read_move(color, vertex)?;
            if !made.point.is_some_and(|p| self.game.set_up(made.color, p)) {
                return Err("no stone can be set up there".to_string());
            }
        }
        Ok(Answer::NOTHING)
    }

    /// `gogui-setup_player`: the side to move.
    pub(super) fn gogui_setup_player(&mut self, arguments: &[String]) -> Result<Answer, String> {
        let color = arguments.first().and_then(|word| parse_color(word));
        self.game.set_turn(color.ok_or("syntax error: no colour")?);
        Ok(Answer::NOTHING)
    }
}
