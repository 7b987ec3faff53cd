//! Arguments about the judging of games.

use super::Error;
use super::parse::parse_adjudication;
use crate::arena::adjudication::Adjudication;
use crate::game::referee::{FoulPolicy, Options};

/// The judge's arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct JudgeArgs {
    /// Judge of forbidden moves: the referee (at-once), or White by answering CLAIM (claimed)
    #[arg(
        long,
        value_enum,
        default_value = "at-once",
        hide_possible_values = true,
        help_heading = "Game"
    )]
    fouls: FoulPolicy,
    /// Allow passes; two in a row are a draw
    #[arg(long, help_heading = "Game")]
    passes: bool,
    /// Draw when this many cells are left free (Piskvork: 25)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Game")]
    draw_empty: usize,
    /// Draw after this many stones
    #[arg(long, value_name = "N", help_heading = "Game")]
    draw_after: Option<usize>,
    /// End games early, such as proved=2 lost=800x3 draw=10x5: a side reports a proved win in 2 of
    /// its moves in a row; a value of -800 or less in 3; both sides values of -10 to 10 in 5.
    /// Values are in the engine's own unit
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Game")]
    adjudicate: Vec<String>,
}

impl JudgeArgs {
    /// The arguments as the arena's options.
    ///
    /// # Errors
    /// When a word of `--adjudicate` is wrong.
    pub fn read(&self) -> Result<(Options, Adjudication), Error> {
        let adjudication = parse_adjudication(&self.adjudicate)
            .map_err(|e| Error::Usage(format!("--adjudicate: {e}")))?;
        let referee = Options {
            fouls: self.fouls,
            passes: self.passes,
            draw_empty: self.draw_empty,
            max_stones: self.draw_after,
        };
        Ok((referee, adjudication))
    }

    /// The arguments with the same meaning.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.fouls == FoulPolicy::WhenClaimed {
            words.push("--fouls=claimed".to_string());
        }
        if self.passes {
            words.push("--passes".to_string());
        }
        if self.draw_empty > 0 {
            words.push(format!("--draw-empty={}", self.draw_empty));
        }
        if let Some(stones) = self.draw_after {
            words.push(format!("--draw-after={stones}"));
        }
        if !self.adjudicate.is_empty() {
            words.push("--adjudicate".to_string());
            words.extend(self.adjudicate.iter().cloned());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Call {
        #[command(flatten)]
        judge: JudgeArgs,
    }

    /// Journals and reports describe the judge's options for people.
    #[test]
    fn the_judge_is_described_in_words() {
        let call =
            |words: &str| Call::parse_from(std::iter::once("").chain(words.split_whitespace()));
        let described = |words: &str| {
            let said = call(words).judge.words().join(" ");
            assert_eq!(call(&said).judge.words().join(" "), said);
            let call = call(&said);
            let (referee, adjudication) = call.judge.read().unwrap();
            format!("{referee}; {adjudication}")
        };
        assert_eq!(described(""), "forbidden moves lose at once; no early end");
        assert_eq!(
            described(
                "--fouls claimed --passes --draw-empty 25 --draw-after 200 \
                 --adjudicate proved=2 lost=800x3 draw=10x5"
            ),
            "forbidden moves lose when White claims it; two passes in a row are a draw; \
             a draw when 25 cells are free; a draw after 200 stones; won after 2 proved wins; \
             lost after 3 values of -800 or less; drawn after 5 values within 10 of 0 on both sides"
        );
    }
}
