//! The table of commands.

use super::Session;
use crate::gtp::analysis::Dialect;
use crate::gtp::input::QUIT;
use crate::gtp::reply::Answer;

/// A row of the table.
pub(super) struct CommandSpec {
    pub(super) name: &'static str,
    /// Gets the arguments; the error is the text of the answer.
    pub(super) handler: fn(&mut Session, &[String]) -> Result<Answer, String>,
}

macro_rules! commands {
    ($($name:expr => $handler:expr),* $(,)?) => {
        [$(CommandSpec { name: $name, handler: $handler }),*]
    };
}

static COMMANDS: &[CommandSpec] = &commands![
    "protocol_version" => |_, _| Ok("2".into()),
    "name" => |_, _| Ok("Tengen".into()),
    "version" => |_, _| Ok(env!("CARGO_PKG_VERSION").into()),
    "known_command" => Session::known_command,
    "list_commands" => Session::list_commands,
    QUIT => Session::quit,
    "boardsize" => Session::boardsize,
    "rectangular_boardsize" => Session::boardsize,
    "clear_board" => Session::clear_board,
    "komi" => Session::komi,
    "play" => Session::play,
    "genmove" => Session::genmove,
    "reg_genmove" => Session::reg_genmove,
    "undo" => Session::undo,
    "time_settings" => Session::time_settings,
    "time_left" => Session::time_left,
    "kgs-time_settings" => Session::named_time_settings,
    "kata-time_settings" => Session::named_time_settings,
    "kata-list_time_settings" => Session::list_time_settings,
    "cputime" => Session::cputime,
    "fixed_handicap" => Session::fixed_handicap,
    "place_free_handicap" => Session::place_free_handicap,
    "set_free_handicap" => Session::set_free_handicap,
    "loadsgf" => Session::loadsgf,
    "printsgf" => Session::printsgf,
    "final_score" => Session::final_score,
    "showboard" => Session::showboard,
    "lz-analyze" => |session, words| session.begin_analysis(words, Dialect::Leela),
    "lz-genmove_analyze" => |session, words| session.genmove_analyze(words, Dialect::Leela),
    "kata-analyze" => |session, words| session.begin_analysis(words, Dialect::Kata),
    "kata-genmove_analyze" => |session, words| session.genmove_analyze(words, Dialect::Kata),
    "gomoku-rules" => Session::rules,
    "gomoku-forbidden" => Session::forbidden,
    "kata-set-rules" => Session::rules,
    "gogui-analyze_commands" => Session::gogui_commands,
    "gogui-interrupt" => Session::gogui_interrupt,
    "gogui-play_sequence" => Session::gogui_play_sequence,
    "gogui-setup" => Session::gogui_setup,
    "gogui-setup_player" => Session::gogui_setup_player,
    "gogui-rules_game_id" => Session::gogui_game_id,
    "gogui-rules_board" => Session::gogui_board,
    "gogui-rules_board_size" => Session::gogui_board_size,
    "gogui-rules_legal_moves" => Session::gogui_legal_moves,
    "gogui-rules_side_to_move" => Session::gogui_side_to_move,
    "gogui-rules_final_result" => Session::gogui_final_result,
];

/// The command of that name in lower case.
pub(super) fn find(name: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|command| command.name)
}
