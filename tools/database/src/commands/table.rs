//! The commands of the database in one table.

use tengen::protocol::Dialect::Yixin;
use tengen::protocol::DuringSearch::Ok as OkInSearch;
use tengen::protocol::Form::{Alone, Block, LineAndBlock, Path, QuoteAndBlock};
use tengen::protocol::Needs::Nothing;
use tengen::protocol::{CommandSpec, Form, Handler};

use super::arguments::{after_cell_text, after_record_edit, after_selection};
use super::with_open;

/// The rows of the database's words, for a session's host.
#[rustfmt::skip]
pub const COMMANDS: &[CommandSpec] = &[
    // Files.
    row(&["YXSETDATABASE"],  Path,  |s, r| with_open(s, |db| db.use_database(r.path()))).outliving_end(),
    row(&["YXSAVEDATABASE"], Alone, |s, _| with_open(s, |db| db.save_database())),
    row(&["YXDBCHECK"],      Alone, |s, _| with_open(s, |db| db.check_database())).outliving_end().reaching_unnamed_file(),
    row(&["YXDBFIX"],        Alone, |s, _| with_open(s, |db| db.fix_database())).outliving_end().reaching_unnamed_file(),
    row(&["YXDBMERGE"],      Path,  |s, r| with_open(s, |db| db.merge_database(r.path()))).outliving_end(),
    row(&["YXDBSPLIT"],      Path,  |s, r| with_open(s, |db| db.split_database(r.path()))).outliving_end(),
    row(&["YXDBTOTXTALL"],   Path,  |s, r| with_open(s, |db| db.export_all_text(r.path()))).outliving_end(),
    row(&["YXDBTOTXT"],      Path,  |s, r| with_open(s, |db| db.export_text(r.path()))).outliving_end(),
    row(&["YXDBTOPOS"],      Path,  |s, r| with_open(s, |db| db.export_moves(r.path()))).outliving_end(),
    row(&["YXTXTTODB"],      Path,  |s, r| with_open(s, |db| db.import_text(r.path()))).outliving_end(),
    row(&["YXLIBTODB"],      Path,  |s, r| with_open(s, |db| db.import_library(r.path()))).outliving_end(),
    row(&["YXDBTOLIB"],      Path,  |s, r| with_open(s, |db| db.export_library(r.path()))).outliving_end(),
    // Records, at the position after the moves of the block.
    row(&["YXQUERYDATABASEALL"],      Block, |s, r| with_open(s, |db| db.query_children(&r.cells))),
    row(&["YXQUERYDATABASEALLT"],     Block, |s, r| with_open(s, |db| db.query_children_and_comment(&r.cells))),
    row(&["YXQUERYDATABASEONE"],      Block, |s, r| with_open(s, |db| db.query_record(&r.cells))),
    row(&["YXQUERYDATABASETEXT"],     Block, |s, r| with_open(s, |db| db.query_comment(&r.cells))),
    row(&["YXEDITTVDDATABASE"],       LineAndBlock(after_record_edit), |s, r| with_open(s, |db| db.edit_record(&r.text, &r.cells))).outliving_end(),
    row(&["YXEDITTEXTDATABASE"],      QuoteAndBlock, |s, r| with_open(s, |db| db.edit_comment(&r.text, &r.cells))).outliving_end(),
    row(&["YXEDITLABELDATABASE"],     LineAndBlock(after_cell_text), |s, r| with_open(s, |db| db.edit_cell_text(&r.text, &r.cells))).outliving_end(),
    row(&["YXSETBESTMOVEDATABASE"],   Block, |s, r| with_open(s, |db| db.mark_best(&r.cells))).outliving_end(),
    row(&["YXCLEARBESTMOVEDATABASE"], Block, |s, r| with_open(s, |db| db.unmark_best(&r.cells))).outliving_end(),
    row(&["YXDELETEDATABASEONE"],     Block, |s, r| with_open(s, |db| db.delete_record(&r.cells))).outliving_end(),
    row(&["YXDELETEDATABASEALL"],     LineAndBlock(after_selection), |s, r| with_open(s, |db| db.delete_after(&r.text, &r.cells))).outliving_end(),
];

const fn row(words: &'static [&'static str], form: Form, handler: Handler) -> CommandSpec {
    CommandSpec::new(words, Yixin, OkInSearch, Nothing, form, handler)
}
