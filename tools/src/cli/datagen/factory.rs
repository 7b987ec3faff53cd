//! The factory: shard after shard of training games in a folder.

use std::fs;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};

use super::super::error::warn;
use super::super::interrupt;
use super::super::progress_style::counting_bar;
use super::super::{Error, Output};
use crate::datagen::{
    FolderInventory, GameFileError, Inventory, NextShard, Shard, Shards, Totals, run as play,
};
use tengen::engine::Evaluation;
use tengen::rules::Rule;
use tengen::streams::eprint_line;

/// Time between two lines where standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// The work of a factory.
pub(super) struct Factory<'a> {
    pub folder: &'a Path,
    pub shards: Shards,
    /// Games of a shard.
    pub games: u64,
    /// Number of shards to go through, counting finished ones and those of others; `None` for no
    /// end.
    pub limit: Option<u64>,
    pub evaluation: &'a Evaluation,
    pub threads: NonZeroUsize,
    pub stop: &'a AtomicBool,
}

impl Factory<'_> {
    /// Makes shards up to the limit or a stop.
    pub fn run(mut self, out: &mut Output) -> Result<ExitCode, Error> {
        fs::create_dir_all(self.folder).map_err(|error| Error::of_file(self.folder, error))?;
        let mut status = StatusLine::new(FolderInventory::new(self.folder));
        let (mut shards, mut labels) = (0, 0);
        let mut passed = 0;
        let start = Instant::now();
        while self.limit.is_none_or(|limit| passed < limit) && !self.is_stopped() {
            passed += 1;
            let mut skipped = |error: &GameFileError| warn(&error.to_string());
            let next = self
                .shards
                .next_shard(&mut skipped)
                .map_err(Error::failed)?;
            let NextShard::Open(shard) = next else {
                continue;
            };
            let totals = self.make(*shard, &mut status)?;
            shards += u64::from(!self.is_stopped());
            labels += totals.labels;
        }
        let per_second = rate(labels, start.elapsed());
        let labels = HumanCount(labels);
        writeln!(
            out,
            "{shards} shards finished; {labels} labels made, {per_second} a second"
        )?;
        Ok(interrupt::status(self.is_stopped()))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn make(&self, shard: Shard, status: &mut StatusLine) -> Result<Totals, Error> {
        let Shard {
            name,
            settings,
            file,
        } = shard;
        if let Some(repair) = file.repair() {
            warn(&repair);
        }
        status.begin(&name, file.games(), self.games);
        let totals = play(
            &settings,
            self.evaluation,
            file,
            self.games,
            self.threads,
            self.stop,
            &mut |totals| status.show(totals),
        );
        status.end();
        let totals = totals.map_err(Error::failed)?;
        // Other processes have gone on too.
        status.before = status.folder.read();
        Ok(totals)
    }
}

/// Two lines that are drawn again where standard error is a terminal; elsewhere one now and then.
struct StatusLine {
    folder: FolderInventory,
    /// The games of the folder when the shard was begun.
    before: Inventory,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
    shard: String,
    /// Games of the shard when it was begun, and at its end.
    games: (u64, u64),
    start: Instant,
}

impl StatusLine {
    fn new(mut folder: FolderInventory) -> StatusLine {
        StatusLine {
            before: folder.read(),
            folder,
            bar: None,
            last_line: None,
            shard: String::new(),
            games: (0, 0),
            start: Instant::now(),
        }
    }

    fn begin(&mut self, shard: &str, before: u64, games: u64) {
        self.shard = shard.to_string();
        self.games = (before, games);
        self.start = Instant::now();
        if std::io::stderr().is_terminal() {
            self.bar = Some(counting_bar(games, before, " games"));
        }
    }

    fn show(&mut self, totals: &Totals) {
        let (before, games) = self.games;
        let done = before + totals.games;
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(self.text(totals));
        } else if self
            .last_line
            .is_none_or(|last| last.elapsed() >= LINE_EVERY)
        {
            self.last_line = Some(Instant::now());
            eprint_line(format_args!(
                "{done}/{games} games of {}",
                self.text(totals)
            ));
        }
    }

    fn text(&self, totals: &Totals) -> String {
        let per_second = rate(totals.labels, self.start.elapsed());
        let labels = HumanCount(totals.labels);
        let rules = Rule::ALL.map(|rule| {
            let labels = self.before.labels(rule);
            (labels > 0).then(|| format!("{rule} {}, ", HumanCount(labels)))
        });
        let rules: String = rules.into_iter().flatten().collect();
        let megabytes = self.before.bytes as f64 / 1e6;
        format!(
            "{}: {labels} labels, {per_second} a second; before it in the folder: {rules}\
             {megabytes:.1} MB",
            self.shard
        )
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Labels a second.
fn rate(labels: u64, time: Duration) -> u64 {
    (labels as f64 / time.as_secs_f64().max(1e-3)) as u64
}
