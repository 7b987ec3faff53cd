//! Files of networks and of classical weights: any bytes, and a network of the program with changed
//! numbers. An accepted file evaluates positions to the same values by every kind of instructions.

#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::eval::network::{Accumulator, Network, NetworkFile};
use tengen::eval::{Simd, decode, encode};
use tengen::rules::Rule;
use tengen_fuzz::sound;

/// A file with a network for freestyle.
const FILE: &[u8] = include_bytes!("../../src/eval/weights/network-freestyle.tgnn");
const HEADER: usize = 16;
const ENTRY: usize = 24;

/// The first section of [`FILE`], unpacked.
static SECTION: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let four = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| FILE[at + i])) as usize;
    let sections = usize::from(u16::from_le_bytes([FILE[12], FILE[13]]));
    let start = HEADER + sections * ENTRY;
    let packed = &FILE[start..][..four(HEADER + 4)];
    zstd::bulk::decompress(packed, four(HEADER + 8)).expect("the program's network is sound")
});

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Bytes(&'a [u8]),
    Header(Vec<(u8, u8)>),
    Numbers {
        changes: Vec<(u32, i16)>,
        moves: Vec<u8>,
    },
}

fuzz_target!(|input: Input| match input {
    Input::Bytes(bytes) => {
        let _ = NetworkFile::from_bytes(bytes);
        for rule in Rule::ALL {
            if let Ok(weights) = decode(bytes, rule) {
                let written = encode(&weights, rule);
                let again = sound(decode(&written, rule), "weights");
                assert_eq!(encode(&again, rule), written);
            }
        }
    }
    Input::Header(changes) => {
        let mut bytes = FILE.to_vec();
        for (at, byte) in changes {
            bytes[usize::from(at) % (HEADER + ENTRY)] = byte;
        }
        if let Ok(file) = NetworkFile::from_bytes(bytes) {
            let _ = (
                file.fingerprint(Rule::Freestyle),
                file.packed_bytes(Rule::Freestyle),
            );
            let _ = Network::new(&file, Rule::Freestyle);
        }
    }
    Input::Numbers { changes, moves } => {
        let mut section = SECTION.clone();
        let end = section.len() - 2;
        for &(at, number) in &changes {
            // Half of the changes go to the layers, which lie at the end.
            let at = match at % 2 {
                0 => at as usize / 2 % end,
                _ => end - at as usize / 2 % 20_000,
            };
            section[at..at + 2].copy_from_slice(&number.to_le_bytes());
        }
        let file = sound(
            NetworkFile::from_bytes(file_of(&section)),
            "a file with a true header",
        );
        match Network::new(&file, Rule::Freestyle) {
            Ok(network) => evaluate(&network, &moves),
            Err(error) => assert!(!changes.is_empty(), "the program's network: {error}"),
        }
    }
});

/// The values of a position and of its predecessors, by all kinds of instructions.
fn evaluate(network: &Network, moves: &[u8]) {
    let empty = Board::new(15, 15).expect("a usual size");
    let values = |simd: Simd| {
        let mut board = empty.clone();
        let mut accumulator = Accumulator::new(network, &board, simd);
        let mut values = vec![accumulator.value(&board, 0)];
        for number in moves.iter().take(30) {
            let p = board
                .points()
                .nth(usize::from(*number) % 225)
                .expect("225 cells");
            if board.is_empty(p) {
                board.play(p);
                values.push(accumulator.value(&board, 100));
                let policy = accumulator.policy(&board, board.empty_points());
                values.push(policy.logit(0, 5));
            }
        }
        values
    };
    let all: Vec<Vec<i32>> = Simd::available().into_iter().map(values).collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}

/// A file with one section, for freestyle.
fn file_of(section: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(section, 1).expect("memory is enough");
    let mut file = FILE[..HEADER].to_vec();
    file[12] = 1;
    file.extend(0_u32.to_le_bytes());
    file.extend((packed.len() as u32).to_le_bytes());
    file.extend((section.len() as u32).to_le_bytes());
    // The number of codes.
    file.extend(&FILE[HEADER + 12..][..4]);
    file.extend(checksum(section).to_le_bytes());
    file.extend(packed);
    file
}

/// The checksum of a file's sections: words of eight bytes, then the remaining bytes.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word));
    let all = words.chain(rest.iter().map(|&byte| byte.into()));
    all.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23)
    })
}
