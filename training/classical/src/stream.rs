//! The command `batches`: from games to batches for the network's trainer.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use tengen::rules::Rule;
use tengen::types::{Color, Symmetry};

use crate::batches::{Batch, Block};
use crate::features::{FeatureRecorder, NETS, net_index};
use crate::games::Games;
use crate::options::{lender, unit_interval};
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
    /// Games of a block; a batch does not reach beyond its block, and a run can begin with any block
    #[arg(long, default_value_t = 8192)]
    block_games: usize,
    /// First block to write, counted through all passes
    #[arg(long, default_value_t = 0)]
    from_block: u32,
    /// Write every n-th block only, beginning with the first; n processes with consecutive first
    /// blocks write all of them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    block_step: u32,
    /// Passes over the games; 0 goes on until the reader stops
    #[arg(long, default_value_t = 0)]
    passes: u32,
    /// Games to use, chosen by the seed; all if left out
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

/// Does what the arguments ask for.
///
/// # Errors
/// When games cannot be read or batches cannot be written. A reader that stops early is no error.
pub fn run(arguments: &BatchArguments) -> Result<(), TrainError> {
    check_rules(&arguments.rules)?;
    let games = Games::load(&arguments.games, &arguments.rules)?;
    let output = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    match BatchStream::new(arguments, &games, output).run() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(TrainError::File(PathBuf::from("standard output"), error))
        }
        _ => Ok(()),
    }
}

/// Refuses rules that share a network: one of them would be trained on games of the other.
fn check_rules(rules: &[Rule]) -> Result<(), TrainError> {
    let lent = |&rule: &Rule| Some((rule, lender(rule)?));
    let mut borrowers = rules.iter().filter_map(lent);
    match borrowers.find(|(_, lender)| rules.contains(lender)) {
        Some((rule, lender)) => Err(TrainError::SharedNetwork(rule, lender)),
        None => Ok(()),
    }
}

struct BatchStream<'a, W> {
    arguments: &'a BatchArguments,
    games: &'a [Games],
    /// Every game: index of its rule, where it begins.
    order: Vec<(usize, usize)>,
    batches: [Batch; NETS],
    recorder: FeatureRecorder,
    sampler: Sampler,
    output: W,
}

impl<'a, W: Write> BatchStream<'a, W> {
    fn new(arguments: &'a BatchArguments, games: &'a [Games], output: W) -> BatchStream<'a, W> {
        let starts = |games: &'a Games| match arguments.held_out {
            true => games.held_out(),
            false => games.training(),
        };
        let mut order: Vec<(usize, usize)> = games
            .iter()
            .enumerate()
            .flat_map(|(rule, games)| starts(games).iter().map(move |&start| (rule, start)))
            .collect();
        if let Some(most) = arguments.max_games {
            order.shuffle(&mut StdRng::seed_from_u64(arguments.seed));
            order.truncate(most);
            order.sort_unstable();
        }
        BatchStream {
            arguments,
            games,
            order,
            batches: std::array::from_fn(Batch::new),
            recorder: FeatureRecorder::new(),
            sampler: Sampler::new(arguments.td_lambda),
            output,
        }
    }

    fn run(mut self) -> io::Result<()> {
        let size = self.arguments.block_games.max(1);
        let in_pass = self.order.len().div_ceil(size) as u32;
        if in_pass == 0 {
            return Ok(());
        }
        let sorted = self.order.clone();
        let mut pass = self.arguments.from_block / in_pass;
        let mut skipped = self.arguments.from_block % in_pass;
        while self.arguments.passes == 0 || pass < self.arguments.passes {
            let seed = self.arguments.seed.wrapping_add(u64::from(pass));
            let mut order = sorted.clone();
            order.shuffle(&mut StdRng::seed_from_u64(seed));
            for number in std::mem::take(&mut skipped)..in_pass {
                let block = Block {
                    number: pass * in_pass + number,
                    in_pass,
                };
                let after_first = block.number - self.arguments.from_block;
                if !after_first.is_multiple_of(self.arguments.block_step) {
                    continue;
                }
                let from = number as usize * size;
                let games = &order[from..order.len().min(from + size)];
                self.block(games, block)?;
            }
            pass += 1;
        }
        self.output.flush()
    }

    /// Writes the batches of a block.
    fn block(&mut self, games: &[(usize, usize)], block: Block) -> io::Result<()> {
        let seed =
            self.arguments.seed ^ u64::from(block.number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = StdRng::seed_from_u64(seed);
        for &(rule, start) in games {
            let turn = rng.random_range(0..Symmetry::count(1, 1));
            let symmetry = Symmetry::new(if self.arguments.held_out { 0 } else { turn });
            let game = self.games[rule].game(start);
            let recorder = &mut self.recorder;
            self.sampler.replay(&game, &mut |sample, position| {
                recorder.add(sample, position, symmetry);
            });
            let features = self.recorder.finish();
            for side in Color::BOTH {
                let batch = &mut self.batches[net_index(game.rule, side)];
                batch.add(&features[side]);
                if batch.len() >= self.arguments.batch_size {
                    batch.write(block, false, &mut self.output)?;
                }
            }
        }
        // The incomplete batches; the last one ends the block. Without any an empty batch does.
        let left: Vec<usize> = (0..NETS).filter(|&n| self.batches[n].len() > 0).collect();
        for &net in &left {
            let is_last = Some(&net) == left.last();
            self.batches[net].write(block, is_last, &mut self.output)?;
        }
        if left.is_empty() {
            self.batches[0].write(block, true, &mut self.output)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use tengen::datagen::{GameResult, TrainingRecord};
    use tengen::types::Point;

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
                soft_labels: Vec::new(),
            };
            game.write(&mut bytes).unwrap();
        }
        zstd::encode_all(&bytes[..], 1).unwrap()
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
        BatchStream::new(&arguments, &games, &mut output)
            .run()
            .unwrap();
        output
    }

    #[test]
    fn a_run_can_begin_with_any_block() {
        let whole = written(&["--passes", "2"]);
        let mut ends = vec![whole.len()];
        for block in ["1", "2", "3", "4", "5"] {
            let rest = written(&["--passes", "2", "--from-block", block]);
            assert!(whole.ends_with(&rest) && !rest.is_empty());
            ends.push(rest.len());
        }
        assert!(ends.is_sorted_by(|a, b| a > b));
        // The second pass has another order.
        let first = written(&["--passes", "1"]);
        assert!(whole.starts_with(&first) && whole[first.len()..] != first);
    }

    #[test]
    fn rules_that_share_a_network_are_refused() {
        assert!(check_rules(&[Rule::Freestyle, Rule::Renju]).is_ok());
        assert!(check_rules(&[Rule::Caro, Rule::CaroExact]).is_ok());
        let error = check_rules(&[Rule::CaroExact, Rule::Standard]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("caro9") && text.contains("standard"),
            "{text}"
        );
    }

    #[test]
    fn processes_share_the_blocks() {
        let share = |first, step| {
            let options = ["--passes", "2", "--from-block", first, "--block-step", step];
            written(&options)
        };
        let whole = share("0", "1");
        // Six blocks in two passes.
        let (even, odd) = (share("0", "2"), share("1", "2"));
        assert_eq!(even.len() + odd.len(), whole.len());
        assert!(whole.starts_with(&share("0", "6")) && even.starts_with(&share("0", "6")));
        assert!(whole.ends_with(&share("5", "3")) && odd.ends_with(&share("5", "3")));
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
