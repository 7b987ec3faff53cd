//! The commands `batches` and `boards`: from games to batches for the network's trainer and for the
//! teacher's.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use clap::Args;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use tengen::rules::Rule;
use tengen::types::{Color, Symmetry};
use tengen_tools::datagen::TrainingRecord;

use crate::batches::{Batch, Block};
use crate::boards::BoardCollector;
use crate::features::{FeatureRecorder, NETS, net_index};
use crate::games::Games;
use crate::lanes::{Closed, Lane, Outlet, write_in_turns};
use crate::options::unit_interval;
use crate::samples::Sampler;
use crate::train::TrainError;

/// Writes batches of positions for the network's trainer to the standard output.
#[derive(Args)]
pub struct BatchArguments {
    /// Files of games, or folders with .bin.zst files
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Rules whose games are used
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "freestyle,standard,renju"
    )]
    rules: Vec<Rule>,
    /// Positions of a batch
    #[arg(long, default_value_t = 2048)]
    batch_size: usize,
    /// Records, games and branches, of a block; a batch does not reach beyond its block, and a run
    /// can begin with any block
    #[arg(long, default_value_t = 8192)]
    block_games: usize,
    /// Threads, each with its first block, counted through all passes, and how many batches of that
    /// are left out. Of n threads each makes every n-th block from its first one on
    #[arg(
        long,
        value_name = "BLOCK:READ",
        value_delimiter = ',',
        default_value = "0:0"
    )]
    lanes: Vec<Lane>,
    /// The thread, from 0, whose batch is written first; then they take turns
    #[arg(long, default_value_t = 0)]
    turn: usize,
    /// Passes over the games; 0 goes on until the reader stops
    #[arg(long, default_value_t = 0)]
    passes: u32,
    /// Records, games and branches, to use, chosen by the seed; all if left out
    #[arg(long)]
    max_games: Option<usize>,
    /// Use the held-out games, without symmetries
    #[arg(long)]
    held_out: bool,
    /// Weight of later values, up to the result, in the search's value of each position, 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = unit_interval)]
    td_lambda: f32,
    /// Seed of the order of the games and of their symmetries
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Writes batches of whole boards for the teacher to the standard output.
#[derive(Args)]
pub struct BoardArguments {
    #[command(flatten)]
    stream: BatchArguments,
    /// All games once, each with its record, so that they can be labelled
    #[arg(long, conflicts_with_all = ["held_out", "passes"])]
    label: bool,
}

/// Runs `batches` by its arguments.
///
/// # Errors
/// When games cannot be read or batches cannot be written. A reader that stops early is no error.
pub fn run(arguments: &BatchArguments) -> Result<(), TrainError> {
    write_batches(arguments, false, || {
        WindowCollector::new(arguments.batch_size)
    })
}

/// Runs `boards` by its arguments.
///
/// # Errors
/// As [`run`].
pub fn run_boards(arguments: &BoardArguments) -> Result<(), TrainError> {
    let (stream, label) = (&arguments.stream, arguments.label);
    write_batches(stream, label, || {
        BoardCollector::new(stream.batch_size, label)
    })
}

fn write_batches<C: Collector>(
    arguments: &BatchArguments,
    in_order: bool,
    collector: impl Fn() -> C + Sync,
) -> Result<(), TrainError> {
    let games = Games::load(&arguments.games, &arguments.rules)?;
    let mut output = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let stream = GameStream::new(arguments, &games, in_order);
    match stream.write(&mut output, collector) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(TrainError::File(PathBuf::from("standard output"), error))
        }
        _ => Ok(()),
    }
}

/// Collects the positions of games until they make batches.
pub trait Collector {
    /// Adds the positions of a game, and hands on the batches that are full.
    ///
    /// # Errors
    /// When the reader wants no more batches.
    fn add(
        &mut self,
        game: &TrainingRecord,
        sampler: &mut Sampler,
        symmetry: Symmetry,
        block: Block,
        outlet: &mut Outlet,
    ) -> Result<(), Closed>;

    /// Hands on the incomplete batches. The last one ends the block; without any an empty one does.
    ///
    /// # Errors
    /// As [`add`](Collector::add).
    fn end_block(&mut self, block: Block, outlet: &mut Outlet) -> Result<(), Closed>;
}

/// Collects the inputs of the engine's networks.
struct WindowCollector {
    batch_size: usize,
    batches: [Batch; NETS],
    recorder: FeatureRecorder,
}

impl WindowCollector {
    fn new(batch_size: usize) -> WindowCollector {
        WindowCollector {
            batch_size,
            batches: std::array::from_fn(Batch::new),
            recorder: FeatureRecorder::new(),
        }
    }
}

impl Collector for WindowCollector {
    fn add(
        &mut self,
        game: &TrainingRecord,
        sampler: &mut Sampler,
        symmetry: Symmetry,
        block: Block,
        outlet: &mut Outlet,
    ) -> Result<(), Closed> {
        let recorder = &mut self.recorder;
        sampler.replay(game, &mut |sample, position| {
            recorder.add(sample, position, symmetry);
        });
        let features = self.recorder.finish();
        for side in Color::BOTH {
            let batch = &mut self.batches[net_index(game.rule, side)];
            batch.add(&features[side]);
            if batch.len() >= self.batch_size {
                outlet.put(batch.take(block, false))?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self, block: Block, outlet: &mut Outlet) -> Result<(), Closed> {
        let left: Vec<usize> = (0..NETS).filter(|&n| self.batches[n].len() > 0).collect();
        for &net in &left {
            let is_last = Some(&net) == left.last();
            outlet.put(self.batches[net].take(block, is_last))?;
        }
        if left.is_empty() {
            outlet.put(self.batches[0].take(block, true))?;
        }
        Ok(())
    }
}

/// The games in the order of their use.
struct GameStream<'a> {
    arguments: &'a BatchArguments,
    games: &'a [Games],
    /// Every game: index of its rule, start of its record.
    sorted: Vec<(usize, usize)>,
    /// True if the games are used once, in that order and without symmetries.
    in_order: bool,
}

impl<'a> GameStream<'a> {
    fn new(arguments: &'a BatchArguments, games: &'a [Games], in_order: bool) -> GameStream<'a> {
        let starts = |games: &'a Games| -> Vec<usize> {
            match (in_order, arguments.held_out) {
                (true, _) => [games.training(), games.held_out()].concat(),
                (false, true) => games.held_out().to_vec(),
                (false, false) => games.training().to_vec(),
            }
        };
        let of = |(rule, games)| starts(games).into_iter().map(move |start| (rule, start));
        let mut sorted: Vec<(usize, usize)> = games.iter().enumerate().flat_map(of).collect();
        if let Some(most) = arguments.max_games {
            sorted.shuffle(&mut StdRng::seed_from_u64(arguments.seed));
            sorted.truncate(most);
        }
        sorted.sort_unstable();
        GameStream {
            arguments,
            games,
            sorted,
            in_order,
        }
    }

    fn write<C: Collector>(
        &self,
        output: &mut impl io::Write,
        collector: impl Fn() -> C + Sync,
    ) -> io::Result<()> {
        let (lanes, turn) = (&self.arguments.lanes, self.arguments.turn);
        write_in_turns(lanes, turn, output, |lane, outlet| {
            self.produce(lane, &mut collector(), outlet)
        })
    }

    /// Makes the batches of a lane.
    fn produce(
        &self,
        lane: Lane,
        collector: &mut impl Collector,
        outlet: &mut Outlet,
    ) -> Result<(), Closed> {
        let size = self.arguments.block_games.max(1);
        let in_pass = self.sorted.len().div_ceil(size) as u32;
        if in_pass == 0 {
            return Ok(());
        }
        let passes = if self.in_order {
            1
        } else {
            self.arguments.passes
        };
        let mut sampler = Sampler::new(self.arguments.td_lambda);
        let mut pass = lane.block / in_pass;
        let mut skipped = lane.block % in_pass;
        while passes == 0 || pass < passes {
            let seed = self.arguments.seed.wrapping_add(u64::from(pass));
            let mut order = self.sorted.clone();
            if !self.in_order {
                order.shuffle(&mut StdRng::seed_from_u64(seed));
            }
            for number in std::mem::take(&mut skipped)..in_pass {
                let block = Block {
                    number: pass * in_pass + number,
                    in_pass,
                };
                let after_first = (block.number - lane.block) as usize;
                if !after_first.is_multiple_of(self.arguments.lanes.len()) {
                    continue;
                }
                let from = number as usize * size;
                let games = &order[from..order.len().min(from + size)];
                self.block(games, block, &mut sampler, collector, outlet)?;
            }
            pass += 1;
        }
        Ok(())
    }

    /// Makes the batches of a block.
    fn block(
        &self,
        games: &[(usize, usize)],
        block: Block,
        sampler: &mut Sampler,
        collector: &mut impl Collector,
        outlet: &mut Outlet,
    ) -> Result<(), Closed> {
        let seed =
            self.arguments.seed ^ u64::from(block.number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = StdRng::seed_from_u64(seed);
        for &(rule, start) in games {
            let turn = rng.random_range(0..Symmetry::count(1, 1));
            let is_turned = !self.arguments.held_out && !self.in_order;
            let symmetry = Symmetry::new(if is_turned { turn } else { 0 });
            let game = self.games[rule].game(start);
            collector.add(&game, sampler, symmetry, block, outlet)?;
        }
        collector.end_block(block, outlet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use tengen::types::Point;
    use tengen_tools::datagen::{GameResult, TrainingRecord};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: BatchArguments,
    }

    /// Twelve short games of two rules.
    fn games() -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in 0..12 {
            let game = TrainingRecord {
                size: 15,
                rule: [Rule::Freestyle, Rule::Renju][number % 2],
                opening: 1,
                result: GameResult::Win(Color::Black),
                moves: (0..5)
                    .map(|i| Point::new(3 + (number as u8 + 3 * i) % 11, 4 + i))
                    .collect(),
                values: vec![Some(number as i8); 5],
            };
            game.write(&mut bytes).unwrap();
        }
        let games = zstd::encode_all(&bytes[..], 1).unwrap();
        [crate::games::tests::header(), games].concat()
    }

    fn written(more: &[&str]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin.zst");
        std::fs::write(&path, games()).unwrap();
        let fixed = ["batches", path.to_str().unwrap(), "--block-games", "5"];
        let line = Line::parse_from(fixed.iter().chain(more));
        let arguments = line.arguments;
        let games = Games::load(&arguments.games, &arguments.rules).unwrap();
        let mut output = Vec::new();
        let collector = || WindowCollector::new(arguments.batch_size);
        let stream = GameStream::new(&arguments, &games, false);
        stream.write(&mut output, collector).unwrap();
        output
    }

    #[test]
    fn a_run_can_begin_with_any_block() {
        let whole = written(&["--passes", "2"]);
        let mut ends = vec![whole.len()];
        for lane in ["1:0", "2:0", "3:0", "4:0", "5:0"] {
            let rest = written(&["--passes", "2", "--lanes", lane]);
            assert!(whole.ends_with(&rest) && !rest.is_empty());
            ends.push(rest.len());
        }
        assert!(ends.is_sorted_by(|a, b| a > b));
        // The second pass has another order.
        let first = written(&["--passes", "1"]);
        assert!(whole.starts_with(&first) && whole[first.len()..] != first);
    }

    /// Each block has one batch, so threads in turns write the same as one alone; each goes on
    /// behind the batches that were read before.
    #[test]
    fn threads_share_the_blocks() {
        let lanes = |lanes, turn| {
            let options = ["--passes", "2", "--rules", "freestyle", "--lanes", lanes];
            written(&[&options[..], &["--turn", turn]].concat())
        };
        let whole = lanes("0:0", "0");
        assert_eq!(lanes("0:0,1:0", "0"), whole);
        assert_eq!(lanes("0:0,1:0,2:0", "0"), whole);
        let rest = lanes("0:1,1:0", "1");
        assert!(whole.ends_with(&rest) && rest.len() < whole.len());
        assert_eq!(lanes("2:0,1:0", "1"), rest);
    }

    #[test]
    fn output_depends_on_the_seed_alone() {
        assert_eq!(written(&["--passes", "1"]), written(&["--passes", "1"]));
        assert_ne!(
            written(&["--passes", "1", "--seed", "2"]),
            written(&["--passes", "1"])
        );
        let few = written(&["--passes", "1", "--max-games", "3"]);
        assert!(few.len() < written(&["--passes", "1"]).len());
    }
}
