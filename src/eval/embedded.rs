//! The classical weights that the program carries, packed by zstd: a tournament's limit of 8 MB
//! counts the program's bytes.

use std::sync::OnceLock;

use super::classical::Weights;
use super::unpack::unpack;
use super::weights_file::{MAX_BYTES, WeightsError, decode};
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
            let weights = embedded(trained).and_then(|file| decode(&file, trained));
            weights.unwrap_or_else(|error| {
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
///
/// # Errors
/// When the program is damaged.
pub fn embedded(rule: Rule) -> Result<Vec<u8>, WeightsError> {
    let mut file = vec![0; MAX_BYTES];
    let length = unpack(packed(rule), &mut file).ok_or(WeightsError::Packing)?;
    file.truncate(length);
    Ok(file)
}

/// The zstd frame of the file for `rule`.
fn packed(rule: Rule) -> &'static [u8] {
    match trained_rule(rule) {
        Rule::Standard => include_bytes!("weights/standard.bin.zst"),
        Rule::Renju => include_bytes!("weights/renju.bin.zst"),
        _ => include_bytes!("weights/freestyle.bin.zst"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_fit_the_present_shapes() {
        for rule in Rule::ALL {
            let trained = trained_rule(rule);
            let weights = decode(&embedded(rule).unwrap(), trained);
            assert_eq!(weights.as_ref(), Ok(Weights::get(rule)), "{rule}");
            assert_ne!(Weights::get(rule), &Weights::hand_set());
        }
        assert_eq!(Weights::get(Rule::Caro), Weights::get(Rule::Freestyle));
        assert_eq!(Weights::get(Rule::CaroExact), Weights::get(Rule::Standard));
    }
}
