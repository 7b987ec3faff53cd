//! How games are judged, as arguments.

use super::Error;
use super::parse::parse_adjudication;
use crate::arena::adjudication::Adjudication;
use crate::arena::referee::{FoulPolicy, Options};

/// The judge's arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct JudgeArgs {
    /// Who judges forbidden moves: the referee at once, or White by answering CLAIM
    #[arg(long, value_enum, default_value = "at-once", help_heading = "Game")]
    fouls: Fouls,
    /// Allow passes; two in a row are a draw
    #[arg(long, help_heading = "Game")]
    passes: bool,
    /// Draw when this many cells are left free (Piskvork: 25)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Game")]
    draw_empty: usize,
    /// Draw after this many stones
    #[arg(long, value_name = "N", help_heading = "Game")]
    draw_after: Option<usize>,
    /// End games early: proved=N (wins reported in N own moves in a row), lost=VALUExN, draw=VALUExN
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Game")]
    adjudicate: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Fouls {
    AtOnce,
    Claimed,
}

impl JudgeArgs {
    /// The same for the arena.
    ///
    /// # Errors
    /// When a word of `--adjudicate` is wrong.
    pub fn read(&self) -> Result<(Options, Adjudication), Error> {
        let adjudication = parse_adjudication(&self.adjudicate)
            .map_err(|e| Error::Usage(format!("--adjudicate: {e}")))?;
        let referee = Options {
            fouls: match self.fouls {
                Fouls::AtOnce => FoulPolicy::AtOnce,
                Fouls::Claimed => FoulPolicy::WhenClaimed,
            },
            passes: self.passes,
            draw_empty: self.draw_empty,
            max_stones: self.draw_after,
        };
        Ok((referee, adjudication))
    }
}
