//! The classical weights and their file form. The program carries three files, packed by zstd
//! because a tournament's limit of 8 MB counts the program's bytes. Little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 4 | `TGNW` |
//! | 2 | version, 1 |
//! | 1 | rule: 0 freestyle, 1 standard, 2 renju |
//! | 1 | views: 1 (both colours share the tables) or 2 (Black to move, White to move) |
//! | 2 | number of shape combinations |
//! | 2 | number of threat keys |
//! | 8 | fingerprint of what the combinations mean |
//! | 8 | checksum of all that follows |
//! | | for each view, as i16: cells, threats, policy (see [`SideWeights`]) |

use std::sync::OnceLock;

use super::classical::{PAIRS, SideWeights, THREAT_KEYS, Weights};
use crate::patterns::{COMBOS, combo_shapes};
use crate::rules::Rule;
use crate::types::{Color, PerColor};

const MAGIC: [u8; 4] = *b"TGNW";
const VERSION: u16 = 1;
const HEADER: usize = 28;
/// Numbers of one view.
const VIEW: usize = 2 * PAIRS + THREAT_KEYS;
/// Length of a file with two views.
const MAX_BYTES: usize = HEADER + 2 * 2 * VIEW;

/// Why a weights file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Not a zstd frame, or longer than any weights.
    #[error("does not unpack")]
    Packing,
    /// Shorter than a header, or without the magic bytes.
    #[error("not a weights file")]
    NotWeights,
    /// Another version of the format.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Trained for another rule; holds its number.
    #[error("trained for rule number {0}")]
    Rule(u8),
    /// The shapes, their combinations or the threat keys have changed since the training.
    #[error("trained with other shape combinations or threat keys; train again")]
    Combos,
    /// The length does not fit the header.
    #[error("{found} bytes long, expected {expected}")]
    Length {
        /// Bytes that the header asks for.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The contents do not match the checksum.
    #[error("checksum does not match")]
    Checksum,
}

/// The file of `weights`, which were trained for `rule`. Equal tables of the two sides are written
/// once.
pub fn encode(weights: &Weights, rule: Rule) -> Vec<u8> {
    let [black, white] = Color::BOTH.map(|color| weights.side(color));
    let views = if black == white {
        vec![black]
    } else {
        vec![black, white]
    };
    let payload: Vec<u8> = views
        .iter()
        .flat_map(|view| [&view.cells, &view.threats, &view.policy])
        .flatten()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let mut file = Vec::with_capacity(HEADER + payload.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.push(rule.index() as u8);
    file.push(views.len() as u8);
    file.extend((COMBOS as u16).to_le_bytes());
    file.extend((THREAT_KEYS as u16).to_le_bytes());
    file.extend(combos_fingerprint().to_le_bytes());
    file.extend(checksum(&payload).to_le_bytes());
    file.extend(payload);
    file
}

/// The weights in `file`, which must have been trained for `rule`.
///
/// # Errors
/// When the file is damaged, of another format or rule, or older than the present shapes.
pub fn decode(file: &[u8], rule: Rule) -> Result<Weights, WeightsError> {
    if file.len() < HEADER || file[..4] != MAGIC {
        return Err(WeightsError::NotWeights);
    }
    let two = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
    let eight = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| file[at + i]));
    let version = two(4);
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    if usize::from(file[6]) != rule.index() {
        return Err(WeightsError::Rule(file[6]));
    }
    let known = (COMBOS, THREAT_KEYS, combos_fingerprint());
    if (usize::from(two(8)), usize::from(two(10)), eight(12)) != known {
        return Err(WeightsError::Combos);
    }
    let views = if file[7] == 1 { 1 } else { 2 };
    let payload = &file[HEADER..];
    if payload.len() != views * VIEW * 2 {
        return Err(WeightsError::Length {
            expected: HEADER + views * VIEW * 2,
            found: file.len(),
        });
    }
    if checksum(payload) != eight(20) {
        return Err(WeightsError::Checksum);
    }
    let numbers: Vec<i16> = payload
        .chunks_exact(2)
        .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let view = |index: usize| {
        let numbers = &numbers[index * VIEW..][..VIEW];
        let (cells, rest) = numbers.split_at(PAIRS);
        let (threats, policy) = rest.split_at(THREAT_KEYS);
        SideWeights {
            cells: cells.to_vec(),
            threats: threats.to_vec(),
            policy: policy.to_vec(),
        }
    };
    Ok(Weights::new(&PerColor([view(0), view(views - 1)])))
}

/// The checksum of `file`, if the file can be used for `rule`.
///
/// # Errors
/// As [`decode`].
pub fn verify(file: &[u8], rule: Rule) -> Result<u64, WeightsError> {
    decode(file, rule).map(|_| checksum(&file[HEADER..]))
}

/// A number that changes with the meaning of the combinations.
fn combos_fingerprint() -> u64 {
    let shapes: Vec<u8> = (0..COMBOS)
        .flat_map(|combo| combo_shapes(combo).into_iter().map(|shape| shape as u8))
        .collect();
    checksum(&shapes)
}

/// A hash that detects accidental damage: FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), but by words of
/// eight bytes, which makes loading a file fast.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &word| {
        step(hash, u64::from_le_bytes(word))
    });
    rest.iter()
        .fold(hash, |hash, &byte| step(hash, u64::from(byte)))
}

impl Weights {
    /// The weights of `rule`, read at the first call.
    ///
    /// Caro has none of its own: where longer rows win it takes freestyle's, where only a row of
    /// exactly five does, standard's. The shapes already say that a five between two opponent's
    /// stones does not count.
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

/// The file of classical weights for `rule`, as [`encode`] wrote it.
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

/// Unpacks the zstd frame `packed` to the start of `out` and returns the number of bytes; `None` if
/// the frame is damaged or `out` too short.
#[cfg(not(target_family = "wasm"))]
pub(super) fn unpack(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    // The C library: with ruzstd renju's network takes 166 million instructions more, some 10 ms of
    // a first move.
    zstd::bulk::decompress_to_buffer(packed, out).ok()
}

/// The same where no C compiler builds for the target.
#[cfg(target_family = "wasm")]
pub(super) fn unpack(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    unpack_by_rust(packed, out)
}

#[cfg(any(test, target_family = "wasm"))]
fn unpack_by_rust(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut decoder = ruzstd::decoding::FrameDecoder::new();
    decoder.decode_all(packed, out).ok()
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

    fn weights() -> Weights {
        let side = |start: i16| SideWeights {
            cells: (0..PAIRS).map(|i| start.wrapping_add(i as i16)).collect(),
            threats: (0..THREAT_KEYS).map(|i| start - i as i16).collect(),
            policy: (0..PAIRS).map(|i| start ^ i as i16).collect(),
        };
        Weights::new(&PerColor([side(7), side(-300)]))
    }

    #[test]
    fn weights_come_back_as_they_were_written() {
        let file = encode(&weights(), Rule::Renju);
        assert_eq!(file.len(), MAX_BYTES);
        assert_eq!(decode(&file, Rule::Renju), Ok(weights()));
        let stated = u64::from_le_bytes(std::array::from_fn(|i| file[20 + i]));
        assert_eq!(verify(&file, Rule::Renju), Ok(stated));
        // Tables that do not depend on the colour are written once.
        let file = encode(&Weights::hand_set(), Rule::Standard);
        assert_eq!(file.len(), HEADER + 2 * VIEW);
        assert_eq!(decode(&file, Rule::Standard), Ok(Weights::hand_set()));
    }

    #[test]
    fn every_damage_is_named() {
        let file = encode(&weights(), Rule::Renju);
        let error_with = |at: usize| {
            let mut file = file.clone();
            file[at] ^= 4;
            decode(&file, Rule::Renju).unwrap_err()
        };
        assert_eq!(error_with(0), WeightsError::NotWeights);
        assert_eq!(error_with(4), WeightsError::Version(5));
        assert_eq!(error_with(6), WeightsError::Rule(6));
        for combos in [8, 10, 12, 19] {
            assert_eq!(error_with(combos), WeightsError::Combos);
        }
        for payload in [20, HEADER, HEADER + 100_000, file.len() - 1] {
            assert_eq!(error_with(payload), WeightsError::Checksum);
        }
        let cut = decode(&file[..file.len() - 2], Rule::Renju);
        assert!(matches!(cut, Err(WeightsError::Length { .. })));
        assert_eq!(decode(&[], Rule::Renju), Err(WeightsError::NotWeights));
        assert_eq!(decode(&file, Rule::Standard), Err(WeightsError::Rule(2)));
    }

    #[test]
    #[cfg(not(target_family = "wasm"))]
    fn both_libraries_read_the_same() {
        use rand::{RngExt, SeedableRng};

        let mut rng = rand::rngs::SmallRng::seed_from_u64(9);
        // Runs and noise, so that the frame has blocks of several kinds.
        let bytes: Vec<u8> = (0..300_000_u32)
            .map(|i| {
                if i % 50_000 < 20_000 {
                    (i / 700) as u8
                } else {
                    rng.random_range(0..40)
                }
            })
            .collect();
        for level in [1, 19] {
            let packed = zstd::bulk::compress(&bytes, level).unwrap();
            for unpack in [unpack, unpack_by_rust] {
                let mut out = vec![0; bytes.len()];
                assert_eq!(unpack(&packed, &mut out), Some(bytes.len()));
                assert!(out == bytes);
                assert_eq!(unpack(&packed, &mut out[1..]), None);
                assert_eq!(unpack(&packed[..packed.len() / 2], &mut out), None);
                assert_eq!(unpack(&packed[1..], &mut out), None);
            }
        }
    }
}
