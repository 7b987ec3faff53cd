//! Every command of the protocol in one table. A new command is a new row and its handler.

use super::Session;
use super::command::Dialect::{Gomocup, Yixin};
use super::command::DuringSearch::{EndsSession, Ok as OkInSearch, OkInPondering, StopsIt};
use super::command::Needs::{Board, Nothing};
use super::command::Syntax::{Alone, Block, Line, LineAndBlock, Path, QuoteAndBlock};
use super::command::{BlockCall, Call, CommandSpec, Dialect, DuringSearch, Needs, Syntax};
use crate::protocol::arguments::{
    bias, board_size, cell, forbidden_cell, move_count, rectangle, setting,
};
use crate::protocol::database_arguments::{cell_text, record_edit, selection};
use crate::protocol::opening::{opening_command, opening_words};
#[cfg(feature = "review")]
use crate::protocol::review_arguments::review_options;
#[cfg(feature = "review")]
use crate::protocol::solve_task::solve_means;
use crate::protocol::text::BoardEntry;

/// The commands except for the steps of openings, which have a table of their own: their rows are
/// made of the rule and the stones. What the handlers do stands in `protocol.md`.
#[rustfmt::skip]
const COMMANDS: &[CommandSpec] = &[
    // A game.
    row(&["START"],            Gomocup, OkInPondering, Nothing, Line(|text| call(board_size(text), Session::start))).interrupting(),
    row(&["RECTSTART"],        Gomocup, OkInPondering, Nothing, Line(|text| call(rectangle(text), Session::start))).interrupting(),
    row(&["RESTART"],          Gomocup, OkInPondering, Board,   Alone(Session::restart)).interrupting(),
    row(&["END"],              Gomocup, EndsSession,   Nothing, Alone(|_| {})).interrupting(),
    row(&["BEGIN"],            Gomocup, StopsIt,       Board,   Alone(Session::begin_game)),
    row(&["TURN"],             Gomocup, StopsIt,       Board,   Line(|text| call(cell(text), Session::turn))),
    row(&["BOARD"],            Gomocup, StopsIt,       Board,   Block(Session::move_on_board)),
    row(&["TAKEBACK"],         Gomocup, StopsIt,       Board,   Line(|text| call(cell(text), Session::take_back))),
    row(&["PLAY"],             Gomocup, StopsIt,       Board,   Line(|text| call(cell(text), Session::play))),
    row(&["STOP", "YXSTOP"],   Gomocup, OkInSearch,    Nothing, Alone(Session::stop)),
    row(&["INFO"],             Gomocup, OkInSearch,    Nothing, Line(|text| call(Ok(setting(text)), Session::apply_setting))),
    row(&["ABOUT"],            Gomocup, OkInSearch,    Nothing, Alone(Session::show_name)),
    row(&["TRACEBOARD"],       Gomocup, OkInSearch,    Nothing, Alone(Session::trace_board)),
    row(&["RELOADCONFIG", "LOADMODEL", "EXPORTMODEL"],
                               Gomocup, OkInSearch,    Nothing, Alone(|_| {})),
    // A position, and searches in it.
    row(&["YXBOARD"],          Yixin,   OkInPondering, Board,   Block(Session::set_position)),
    row(&["YXNBEST"],          Yixin,   StopsIt,       Board,   Line(|text| call(Ok(move_count(text)), Session::search_best))),
    row(&["YXSEARCHDEFEND"],   Yixin,   StopsIt,       Board,   Alone(|session| session.search_best(usize::MAX))),
    row(&["YXBALANCEONE"],     Yixin,   StopsIt,       Board,   Line(|text| call(Ok(bias(text)), Session::balance_one))),
    row(&["YXBALANCETWO"],     Yixin,   StopsIt,       Board,   Line(|text| call(Ok(bias(text)), Session::balance_two))),
    #[cfg(feature = "review")]
    row(&["TENGENREVIEW"],     Gomocup, StopsIt,       Board,   LineAndBlock(|text| call_block(Some(review_options(text)), Session::review))),
    #[cfg(feature = "review")]
    row(&["TENGENSOLVE"],      Gomocup, StopsIt,       Board,   Line(|text| call(solve_means(text), Session::solve))),
    row(&["YXBLOCK"],          Yixin,   OkInPondering, Board,   Block(Session::exclude)),
    row(&["YXBLOCKUNDO"],      Yixin,   OkInPondering, Board,   Block(Session::allow)),
    row(&["YXBLOCKRESET"],     Yixin,   OkInPondering, Board,   Alone(Session::allow_all)),
    row(&["YXBLOCKPATH"],      Yixin,   OkInPondering, Board,   Block(Session::exclude_after)),
    row(&["YXBLOCKPATHUNDO"],  Yixin,   OkInPondering, Board,   Block(Session::allow_after)),
    row(&["YXBLOCKPATHRESET"], Yixin,   OkInPondering, Board,   Alone(Session::allow_all_after)),
    row(&["YXFORBID"],         Yixin,   OkInPondering, Board,   Line(|text| call(forbidden_cell(text), Session::forbid))),
    // Questions.
    row(&["YXSHOWINFO"],       Yixin,   OkInSearch,    Nothing, Alone(Session::show_info)),
    row(&["YXSHOWFORBID"],     Yixin,   OkInPondering, Nothing, Alone(Session::show_forbid)),
    row(&["YXPRINTFEATURE"],   Yixin,   OkInSearch,    Nothing, Alone(Session::show_evaluation)),
    row(&["YXDRAW"],           Yixin,   OkInSearch,    Nothing, Alone(Session::answer_draw)),
    row(&["YXRESIGN"],         Yixin,   OkInSearch,    Nothing, Alone(Session::answer_resignation)),
    // The transposition table.
    row(&["YXSHOWHASHUSAGE"],  Yixin,   OkInSearch,    Nothing, Alone(Session::show_hash_usage)),
    row(&["YXHASHCLEAR"],      Yixin,   StopsIt,       Nothing, Alone(Session::clear_hash)),
    row(&["YXHASHDUMP"],       Yixin,   OkInSearch,    Nothing, Path(Session::dump_hash)).outliving_end(),
    row(&["YXHASHLOAD"],       Yixin,   OkInSearch,    Nothing, Path(Session::load_hash)),
    // Files of the database.
    row(&["YXSETDATABASE"],    Yixin,   OkInSearch,    Nothing, Path(Session::use_database)).outliving_end(),
    row(&["YXSAVEDATABASE"],   Yixin,   OkInSearch,    Nothing, Alone(Session::save_database)),
    row(&["YXDBCHECK"],        Yixin,   OkInSearch,    Nothing, Alone(Session::check_database)).outliving_end().reaching_damaged(),
    row(&["YXDBFIX"],          Yixin,   OkInSearch,    Nothing, Alone(Session::fix_database)).outliving_end().reaching_damaged(),
    row(&["YXDBMERGE"],        Yixin,   OkInSearch,    Nothing, Path(Session::merge_database)).outliving_end(),
    row(&["YXDBSPLIT"],        Yixin,   OkInSearch,    Nothing, Path(Session::split_database)).outliving_end(),
    row(&["YXDBTOTXTALL"],     Yixin,   OkInSearch,    Nothing, Path(Session::export_all_text)).outliving_end(),
    row(&["YXDBTOTXT"],        Yixin,   OkInSearch,    Nothing, Path(Session::export_text)).outliving_end(),
    row(&["YXDBTOPOS"],        Yixin,   OkInSearch,    Nothing, Path(Session::export_moves)).outliving_end(),
    row(&["YXTXTTODB"],        Yixin,   OkInSearch,    Nothing, Path(Session::import_text)).outliving_end(),
    row(&["YXLIBTODB"],        Yixin,   OkInSearch,    Nothing, Path(Session::import_library)).outliving_end(),
    row(&["YXDBTOLIB"],        Yixin,   OkInSearch,    Nothing, Path(Session::export_library)).outliving_end(),
    // Records of the database, at the position after the moves of the block.
    row(&["YXQUERYDATABASEALL"],     Yixin, OkInSearch, Nothing, Block(Session::query_children)),
    row(&["YXQUERYDATABASEALLT"],    Yixin, OkInSearch, Nothing, Block(Session::query_children_and_comment)),
    row(&["YXQUERYDATABASEONE"],     Yixin, OkInSearch, Nothing, Block(Session::query_record)),
    row(&["YXQUERYDATABASETEXT"],    Yixin, OkInSearch, Nothing, Block(Session::query_comment)),
    row(&["YXEDITTVDDATABASE"],      Yixin, OkInSearch, Nothing, LineAndBlock(|text| call_block(record_edit(text), Session::edit_record))).outliving_end(),
    row(&["YXEDITTEXTDATABASE"],     Yixin, OkInSearch, Nothing, QuoteAndBlock(Session::edit_comment)).outliving_end(),
    row(&["YXEDITLABELDATABASE"],    Yixin, OkInSearch, Nothing, LineAndBlock(|text| call_block(cell_text(text), Session::edit_cell_text))).outliving_end(),
    row(&["YXSETBESTMOVEDATABASE"],  Yixin, OkInSearch, Nothing, Block(Session::mark_best)).outliving_end(),
    row(&["YXCLEARBESTMOVEDATABASE"],Yixin, OkInSearch, Nothing, Block(Session::unmark_best)).outliving_end(),
    row(&["YXDELETEDATABASEONE"],    Yixin, OkInSearch, Nothing, Block(Session::delete_record)).outliving_end(),
    row(&["YXDELETEDATABASEALL"],    Yixin, OkInSearch, Nothing, LineAndBlock(|text| call_block(selection(text), Session::delete_after))).outliving_end(),
];

const fn row(
    words: &'static [&'static str],
    dialect: Dialect,
    during_search: DuringSearch,
    needs: Needs,
    syntax: Syntax,
) -> CommandSpec {
    CommandSpec {
        words,
        dialect,
        during_search,
        needs,
        syntax,
        interrupts_block: false,
        outlives_end: false,
        reaches_damaged: false,
    }
}

impl CommandSpec {
    const fn interrupting(self) -> CommandSpec {
        CommandSpec {
            interrupts_block: true,
            ..self
        }
    }

    const fn outliving_end(self) -> CommandSpec {
        CommandSpec {
            outlives_end: true,
            ..self
        }
    }

    const fn reaching_damaged(self) -> CommandSpec {
        CommandSpec {
            reaches_damaged: true,
            ..self
        }
    }
}

/// The row of `word`, which is in upper case. `None` if there is no such command.
pub fn find(word: &str) -> Option<CommandSpec> {
    let spec = COMMANDS.iter().find(|spec| spec.words.contains(&word));
    spec.copied().or_else(|| {
        let command = opening_command(word)?;
        let dialect = if command.is_yixin() { Yixin } else { Gomocup };
        let words = std::slice::from_ref(&command.word);
        Some(row(
            words,
            dialect,
            StopsIt,
            Board,
            Syntax::Opening(command),
        ))
    })
}

/// The words of all commands, in upper case.
pub fn words() -> impl Iterator<Item = &'static str> {
    let words = COMMANDS.iter().flat_map(|spec| spec.words).copied();
    words.chain(opening_words())
}

fn call<A: std::fmt::Debug + Send + 'static>(
    arguments: Result<A, &'static str>,
    handler: fn(&mut Session, A),
) -> Result<Call, &'static str> {
    arguments.map(|arguments| Call::new(arguments, handler))
}

/// Arguments and the text after them, to the call and the text after them.
fn call_block<A: std::fmt::Debug + Send + 'static>(
    arguments: Option<(A, &str)>,
    handler: fn(&mut Session, A, &[BoardEntry]),
) -> Option<(BlockCall, &str)> {
    let (arguments, rest) = arguments?;
    let call: BlockCall = Box::new(move |entries| {
        Call::new(
            (arguments, entries),
            move |session, (arguments, entries)| {
                handler(session, arguments, &entries);
            },
        )
    });
    Some((call, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_in_one_row() {
        let mut words: Vec<&str> = words().collect();
        let count = words.len();
        assert!(words.iter().all(|word| find(word).is_some()));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
