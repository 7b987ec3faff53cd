//! The classical weights that the program carries.

use std::sync::OnceLock;

use super::classical::Weights;
use super::weights_file::decode;
use crate::rules::Rule;

impl Weights {
    /// The weights of `rule`, read at the first call.
    ///
    /// Caro has none of its own: where longer rows win it takes freestyle's, where only a row of
    /// exactly five does, standard's. That a five between two opponent's stones does not count is
    /// in the shapes already.
    pub fn get(rule: Rule) -> &'static Weights {
        static WEIGHTS: [OnceLock<Weights>; 3] = [const { OnceLock::new() }; 3];
        let trained = trained_rule(rule);
        WEIGHTS[trained.index()].get_or_init(|| {
            decode(embedded(trained), trained).unwrap_or_else(|error| {
                // Happens only while the shapes are being changed, before the next training.
                log::error!("weights of {trained}: {error}; using the hand-set ones");
                Weights::hand_set()
            })
        })
    }
}

/// The rule whose games the weights of `rule` come from.
fn trained_rule(rule: Rule) -> Rule {
    match rule {
        Rule::Freestyle | Rule::Caro => Rule::Freestyle,
        Rule::Standard | Rule::CaroExact => Rule::Standard,
        Rule::Renju => Rule::Renju,
    }
}

/// The file of classical weights for `rule`, as [`encode`](super::encode) wrote it.
pub fn embedded(rule: Rule) -> &'static [u8] {
    match trained_rule(rule) {
        Rule::Standard => include_bytes!("weights/standard.bin"),
        Rule::Renju => include_bytes!("weights/renju.bin"),
        _ => include_bytes!("weights/freestyle.bin"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_fit_the_present_shapes() {
        for rule in Rule::ALL {
            let trained = trained_rule(rule);
            let weights = decode(embedded(rule), trained);
            assert_eq!(weights.as_ref(), Ok(Weights::get(rule)), "{rule}");
            assert_ne!(Weights::get(rule), &Weights::hand_set());
        }
        assert_eq!(Weights::get(Rule::Caro), Weights::get(Rule::Freestyle));
        assert_eq!(Weights::get(Rule::CaroExact), Weights::get(Rule::Standard));
    }
}
