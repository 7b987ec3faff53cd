//! The engine's commands in one table. A new command is a new row and its handler.

use super::Session;
use super::command::Dialect::{Gomocup, Yixin};
use super::command::DuringSearch::{EndsSession, Ok as OkInSearch, OkInPondering, StopsIt};
use super::command::Form::{Alone, Block, Line, Path};
use super::command::Needs::{Board, Nothing};
use super::command::{CommandSpec, Dialect, DuringSearch, Form, Needs};
use crate::openings::wire::{opening_command, opening_words};

/// The commands except for the steps of openings, whose rows are made of the rule and the stones in
/// a table of their own. `protocol.md` describes the handlers' work.
#[rustfmt::skip]
const COMMANDS: &[CommandSpec] = &[
    // A game.
    CommandSpec::new(&["START"],            Gomocup, OkInPondering, Nothing, Line,  Session::start).interrupting(),
    CommandSpec::new(&["RECTSTART"],        Gomocup, OkInPondering, Nothing, Line,  Session::start_rectangle).interrupting(),
    CommandSpec::new(&["RESTART"],          Gomocup, OkInPondering, Board,   Alone, Session::restart).interrupting(),
    CommandSpec::new(&["END"],              Gomocup, EndsSession,   Nothing, Alone, |_, _| Ok(())).interrupting(),
    CommandSpec::new(&["BEGIN"],            Gomocup, StopsIt,       Board,   Alone, Session::begin_game),
    CommandSpec::new(&["TURN"],             Gomocup, StopsIt,       Board,   Line,  Session::turn),
    CommandSpec::new(&["BOARD"],            Gomocup, StopsIt,       Board,   Block, Session::move_on_board),
    CommandSpec::new(&["TAKEBACK"],         Gomocup, StopsIt,       Board,   Line,  Session::take_back),
    CommandSpec::new(&["PLAY"],             Gomocup, StopsIt,       Board,   Line,  Session::play),
    CommandSpec::new(&["STOP", "YXSTOP"],   Gomocup, OkInSearch,    Nothing, Alone, Session::stop_search),
    CommandSpec::new(&["INFO"],             Gomocup, OkInSearch,    Nothing, Line,  Session::apply_setting),
    CommandSpec::new(&["ABOUT"],            Gomocup, OkInSearch,    Nothing, Alone, Session::show_name),
    CommandSpec::new(&["TRACEBOARD"],       Gomocup, OkInSearch,    Nothing, Alone, Session::trace_board),
    CommandSpec::new(&["RELOADCONFIG", "LOADMODEL", "EXPORTMODEL"],
                                            Gomocup, OkInSearch,    Nothing, Alone, |_, _| Ok(())),
    // A position, and searches in it.
    CommandSpec::new(&["YXBOARD"],          Yixin,   OkInPondering, Board,   Block, Session::set_position),
    CommandSpec::new(&["YXNBEST"],          Yixin,   StopsIt,       Board,   Line,  Session::search_best),
    CommandSpec::new(&["YXSEARCHDEFEND"],   Yixin,   StopsIt,       Board,   Alone, Session::search_all),
    CommandSpec::new(&["YXBALANCEONE"],     Yixin,   StopsIt,       Board,   Line,  Session::balance_one),
    CommandSpec::new(&["YXBALANCETWO"],     Yixin,   StopsIt,       Board,   Line,  Session::balance_two),
    CommandSpec::new(&["YXBLOCK"],          Yixin,   OkInPondering, Board,   Block, Session::exclude),
    CommandSpec::new(&["YXBLOCKUNDO"],      Yixin,   OkInPondering, Board,   Block, Session::allow),
    CommandSpec::new(&["YXBLOCKRESET"],     Yixin,   OkInPondering, Board,   Alone, Session::allow_all),
    CommandSpec::new(&["YXBLOCKPATH"],      Yixin,   OkInPondering, Board,   Block, Session::exclude_after),
    CommandSpec::new(&["YXBLOCKPATHUNDO"],  Yixin,   OkInPondering, Board,   Block, Session::allow_after),
    CommandSpec::new(&["YXBLOCKPATHRESET"], Yixin,   OkInPondering, Board,   Alone, Session::allow_all_after),
    CommandSpec::new(&["YXFORBID"],         Yixin,   OkInPondering, Board,   Line,  Session::forbid),
    // Questions.
    CommandSpec::new(&["YXSHOWINFO"],       Yixin,   OkInSearch,    Nothing, Alone, Session::show_info),
    CommandSpec::new(&["YXSHOWFORBID"],     Yixin,   OkInPondering, Nothing, Alone, Session::show_forbid),
    CommandSpec::new(&["YXPRINTFEATURE"],   Yixin,   OkInSearch,    Nothing, Alone, Session::show_evaluation),
    CommandSpec::new(&["YXDRAW"],           Yixin,   OkInSearch,    Nothing, Alone, Session::answer_draw),
    CommandSpec::new(&["YXRESIGN"],         Yixin,   OkInSearch,    Nothing, Alone, Session::answer_resignation),
    // The transposition table.
    CommandSpec::new(&["YXSHOWHASHUSAGE"],  Yixin,   OkInSearch,    Nothing, Alone, Session::show_hash_usage),
    CommandSpec::new(&["YXHASHCLEAR"],      Yixin,   StopsIt,       Nothing, Alone, Session::clear_hash),
    CommandSpec::new(&["YXHASHDUMP"],       Yixin,   OkInSearch,    Nothing, Path,  Session::dump_hash).outliving_end(),
    CommandSpec::new(&["YXHASHLOAD"],       Yixin,   OkInSearch,    Nothing, Path,  Session::load_hash),
];

/// All words known to a session: the engine's own, those of its host, and the steps of openings.
#[derive(Clone, Default)]
pub struct Commands(Vec<&'static [CommandSpec]>);

impl Commands {
    /// The engine's words and those of `tables`.
    pub fn new(tables: &[&'static [CommandSpec]]) -> Commands {
        Commands(tables.to_vec())
    }

    fn rows(&self) -> impl Iterator<Item = &'static CommandSpec> {
        COMMANDS.iter().chain(self.0.iter().copied().flatten())
    }

    /// The row of `word`, given in upper case; `None` for an unknown word.
    pub fn find(&self, word: &str) -> Option<CommandSpec> {
        let spec = self.rows().find(|spec| spec.words.contains(&word));
        spec.copied().or_else(|| {
            let command = opening_command(word)?;
            let dialect = if command.is_yixin() {
                Dialect::Yixin
            } else {
                Dialect::Gomocup
            };
            Some(CommandSpec::new(
                std::slice::from_ref(&command.word),
                dialect,
                DuringSearch::StopsIt,
                Needs::Board,
                Form::Opening(command),
                Session::opening_step,
            ))
        })
    }

    /// The words of all commands, in upper case.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let words = self.rows().flat_map(|spec| spec.words).copied();
        words.chain(opening_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_in_one_row() {
        let commands = Commands::default();
        let mut words: Vec<&str> = commands.words().collect();
        let count = words.len();
        assert!(words.iter().all(|word| commands.find(word).is_some()));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
