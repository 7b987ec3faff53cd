use std::fmt::Debug;
use std::sync::OnceLock;

use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Board;
use crate::eval::Simd;
use crate::types::Point;

#[path = "../../../tests/common/network.rs"]
mod random;
use random::{Section, WIDTHS, file_of, random_file, random_section};

/// Channels of most networks here.
const CHANNELS: usize = WIDTHS[0];

/// A file with random weights for all rules.
fn bytes() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| random_file(&[0, 1, 2, 3], WIDTHS))
}

/// A file with wider ones.
fn wide_bytes() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| random_file(&[0, 1, 2, 3], [64, 96, 32]))
}

/// Answer of `look` to a file of networks with these bytes, which must be the same from disk and
/// from memory.
fn with_file<T: PartialEq + Debug>(
    bytes: &[u8],
    look: impl Fn(&NetworkFile) -> Result<T, NetworkError>,
) -> Result<T, NetworkError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("networks");
    std::fs::write(&path, bytes).unwrap();
    let told = NetworkFile::open(&path).and_then(|file| look(&file));
    assert_eq!(
        NetworkFile::from_bytes(bytes).and_then(|file| look(&file)),
        told
    );
    told
}

/// The networks of a file for all rules.
fn networks(bytes: &'static [u8]) -> [Network; 5] {
    let file = NetworkFile::from_bytes(bytes).unwrap();
    Rule::ALL.map(|rule| Network::new(&file, rule).unwrap())
}

/// Random moves and undos, with a value asked for now and then.
#[test]
fn lazy_sums_equal_freshly_computed_ones() {
    let mut rng = SmallRng::seed_from_u64(8);
    let (narrow, wide) = (networks(bytes()), networks(wide_bytes()));
    let rules = Rule::ALL.iter().cycle();
    for (rule, network) in rules.zip(narrow.iter().chain(&wide)) {
        for (width, height) in [(5, 5), (15, 15), (20, 15), (22, 22), (6, 22)] {
            let mut board = Board::new(width, height).unwrap();
            for _ in 0..2 {
                let p = board.empty_points().choose(&mut rng).unwrap();
                board.block(p);
            }
            let simd = Simd::available().into_iter().choose(&mut rng).unwrap();
            let mut lazy = Accumulator::new(network, &board, simd);
            let mut depth = 0;
            for _ in 0..200 {
                if depth > 0 && rng.random_bool(0.4) {
                    board.undo();
                    depth -= 1;
                } else if let Some(p) = board.empty_points().choose(&mut rng) {
                    if rng.random_bool(0.5) {
                        // As in a search, the opponent's sums are up to date; sometimes another
                        // move is played than the prefetched one.
                        let side = board.side_to_move();
                        board.set_side_to_move(!side);
                        lazy.policy(&board, [].into_iter());
                        board.set_side_to_move(side);
                        let other = board.empty_points().choose(&mut rng).unwrap();
                        lazy.prefetch_child(&board, if rng.random_bool(0.7) { p } else { other });
                    }
                    board.play(p);
                    depth += 1;
                }
                if rng.random_bool(0.1) {
                    board.set_side_to_move(!board.side_to_move());
                }
                if rng.random_bool(0.5) {
                    let mut fresh = Accumulator::new(network, &board, simd);
                    assert_eq!(lazy.value(&board, 7), fresh.value(&board, 7));
                    let side = board.side_to_move();
                    // A value does not commit the last stone to the sums.
                    lazy.policy(&board, [].into_iter());
                    assert!(lazy.equals(&fresh, side), "{rule} {width}x{height}");
                }
            }
        }
    }
}

/// A position of `vectors.txt` and what was computed for it.
struct Vector<'a> {
    net: u32,
    board: Board,
    classical: i32,
    /// The first word of each further line and the numbers behind; words may repeat.
    facts: Vec<(&'a str, Vec<i32>)>,
}

/// Reads what `training/network/vectors.py` has written; its form stands in its head.
fn vectors(text: &str) -> Vec<Vector<'_>> {
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with("# ") && !line.is_empty());
    let mut vectors: Vec<Vector> = Vec::new();
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap();
        let fields: Vec<&str> = rest.split(' ').collect();
        if word != "position" {
            let numbers = fields.iter().map(|field| field.parse().unwrap());
            vectors
                .last_mut()
                .unwrap()
                .facts
                .push((word, numbers.collect()));
            continue;
        }
        let [net, width, height, side, classical] = fields[..] else {
            panic!("{line}");
        };
        let mut board = Board::new(width.parse().unwrap(), height.parse().unwrap()).unwrap();
        for y in 0..board.height() {
            for (x, cell) in lines.next().unwrap().bytes().enumerate() {
                let p = Point::new(x as u8, y);
                match cell {
                    b'.' => {}
                    b'X' => board.put(p, Color::Black),
                    b'O' => board.put(p, Color::White),
                    b'#' => board.block(p),
                    other => panic!("{other}"),
                }
            }
        }
        board.set_side_to_move(match side {
            "X" => Color::Black,
            _ => Color::White,
        });
        vectors.push(Vector {
            net: net.parse().unwrap(),
            board,
            classical: classical.parse().unwrap(),
            facts: Vec::new(),
        });
    }
    vectors
}

/// The rule that is played with network `number`.
fn rule_of(number: u32) -> Rule {
    match number {
        0 => Rule::Freestyle,
        1 => Rule::Standard,
        2 | 3 => Rule::Renju,
        4 => Rule::Caro,
        5 => Rule::CaroExact,
        _ => panic!("{number}"),
    }
}

/// Compares the results of the networks of all rules with those of the trainer's integer
/// arithmetic, another program.
fn assert_equal_to_the_trainer(networks: &[Network; 5], text: &str) {
    let vectors = vectors(text);
    assert!(vectors.len() >= 12);
    for vector in &vectors {
        let network = &networks[rule_of(vector.net).index()];
        for simd in Simd::available() {
            let mut accumulator = Accumulator::new(network, &vector.board, simd);
            let mut values = 0;
            for (word, numbers) in &vector.facts {
                let point = || Point::new(numbers[0] as u8, numbers[1] as u8);
                let context = || format!("{simd:?} {word} {numbers:?}\n{}", vector.board);
                match *word {
                    "x" => {
                        let sums = accumulator.sums_at(&vector.board, point());
                        let sums: Vec<i32> = sums.into_iter().map(i32::from).collect();
                        assert_eq!(sums, numbers[2..], "{}", context());
                    }
                    "value" => {
                        let value = accumulator.value(&vector.board, vector.classical);
                        assert_eq!(value, numbers[0], "{}", context());
                        values += 1;
                    }
                    "move" => {
                        let policy = accumulator.policy(&vector.board, [point()].into_iter());
                        assert_eq!(policy.logit(0, numbers[2]), numbers[3], "{}", context());
                    }
                    _ => {}
                }
            }
            assert_eq!(values, 1);
        }
    }
}

#[test]
fn the_numbers_are_those_of_the_trainer() {
    assert_equal_to_the_trainer(&networks(bytes()), include_str!("vectors.txt"));
    assert_equal_to_the_trainer(&networks(wide_bytes()), include_str!("wide_vectors.txt"));
}

#[test]
fn the_numbers_of_the_program_s_own_network_are_those_of_the_trainer() {
    let file = NetworkFile::embedded().unwrap();
    let networks = Rule::ALL.map(|rule| Network::new(&file, rule).unwrap());
    assert_equal_to_the_trainer(&networks, include_str!("trained_vectors.txt"));
    // Caro's networks have the rows of others.
    let with_rows = [Rule::Freestyle, Rule::Standard, Rule::Renju];
    let packed: u64 = with_rows.map(|rule| file.packed_bytes(rule)).iter().sum();
    assert!(packed < 4 << 20, "small enough to be carried");
}

/// The fingerprint of the network for `rule` after unpacking it.
fn fingerprint(file: &NetworkFile, rule: Rule) -> Result<u64, NetworkError> {
    Network::new(file, rule).map(|network| network.fingerprint())
}

#[test]
fn a_file_is_equal_to_another_with_the_same_networks() {
    let file = |bytes: &[u8]| NetworkFile::from_bytes(bytes).unwrap();
    let embedded = NetworkFile::embedded().unwrap();
    assert_eq!(*embedded, NetworkFile::clone(&embedded));
    assert_ne!(*embedded, file(bytes()));
    let [one, two] = [&[1][..], &[1, 2]].map(|numbers| file(&random_file(numbers, WIDTHS)));
    assert_eq!(
        one.fingerprint(Rule::Standard),
        two.fingerprint(Rule::Standard)
    );
    assert_ne!(one, two);
}

/// A row shared by windows is the row of each of them.
#[test]
fn codes_stand_for_rows() {
    const CODES: usize = 300;
    let mut rng = SmallRng::seed_from_u64(25);
    let plain = random_section(0, WIDTHS);
    let (rows, layers) = plain.split_at(WINDOWS * CHANNELS);
    let shared = &rows[..CODES * CHANNELS];
    let codes: Vec<u16> = (0..WINDOWS)
        .map(|_| rng.random_range(0..CODES as u16))
        .collect();
    let row = |code: u16| &shared[usize::from(code) * CHANNELS..][..CHANNELS];
    let expanded: Vec<u8> = codes.iter().flat_map(|&code| row(code)).copied().collect();
    let file = |codes: &[u16]| {
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        let coded = Section {
            number: 0,
            codes: CODES as u32,
            bytes: [shared, &bytes, layers].concat(),
        };
        NetworkFile::from_bytes(file_of(&[coded], WIDTHS)).unwrap()
    };
    let uncoded = Section {
        number: 0,
        codes: 0,
        bytes: [&expanded[..], layers].concat(),
    };
    let uncoded = NetworkFile::from_bytes(file_of(&[uncoded], WIDTHS));
    let networks = [file(&codes), uncoded.unwrap()].map(|file| file.unpack(0).unwrap());
    assert!(networks[0].rows == networks[1].rows);
    let board = Board::new(15, 15).unwrap();
    let values = networks.map(|net| {
        let network = Network {
            nets: vec![net],
            fingerprint: 1,
        };
        Accumulator::new(&network, &board, Simd::detect()).value(&board, 0)
    });
    assert_eq!(values[0], values[1]);
    let mut beyond = codes;
    beyond[WINDOWS - 1] = CODES as u16;
    let error = file(&beyond).unpack(0).unwrap_err();
    assert_eq!(error, NetworkError::Damaged(0));
}

/// A network of layers alone has the rows of another.
#[test]
fn caro_has_the_rows_of_others_and_layers_of_its_own() {
    let plain = |number: u32| Section {
        number,
        codes: 0,
        bytes: random_section(number, WIDTHS),
    };
    let layers = |number: u32, lender: u32| Section {
        number,
        codes: (1 << 31) + lender,
        bytes: random_section(number, WIDTHS).split_off(WINDOWS * CHANNELS),
    };
    let file = |sections: &[Section]| NetworkFile::from_bytes(file_of(sections, WIDTHS)).unwrap();
    let value = |file: &NetworkFile, rule: Rule| {
        let (network, board) = (
            Network::new(file, rule).unwrap(),
            Board::new(15, 15).unwrap(),
        );
        Accumulator::new(&network, &board, Simd::detect()).value(&board, 0)
    };
    let both = file(&[plain(0), layers(4, 0)]);
    let [own, lent] = [4, 0].map(|number| both.unpack(number).unwrap().rows);
    assert!(own == lent);
    let joined = Section {
        number: 4,
        codes: 0,
        bytes: [
            &plain(0).bytes[..WINDOWS * CHANNELS],
            &layers(4, 0).bytes[..],
        ]
        .concat(),
    };
    assert_eq!(
        value(&both, Rule::Caro),
        value(&file(&[joined]), Rule::Caro)
    );
    assert_ne!(value(&both, Rule::Caro), value(&both, Rule::Freestyle));
    let fingerprint = |file: &NetworkFile, rule| file.fingerprint(rule).unwrap();
    assert_ne!(
        fingerprint(&both, Rule::Caro),
        fingerprint(&both, Rule::Freestyle)
    );
    // A file without caro's own is used as before.
    let without = file(&[plain(0), plain(1)]);
    assert_eq!(
        fingerprint(&without, Rule::Caro),
        fingerprint(&without, Rule::Freestyle)
    );
    assert_eq!(
        fingerprint(&without, Rule::CaroExact),
        fingerprint(&without, Rule::Standard)
    );
    // The rows must be in the file, and not those of a third.
    let missing = file(&[layers(4, 0)]);
    assert_eq!(
        missing.fingerprint(Rule::Caro),
        Err(NetworkError::Missing(0))
    );
    let error = Network::new(&file(&[layers(0, 4), layers(4, 0)]), Rule::Caro).unwrap_err();
    assert_eq!(error, NetworkError::Damaged(4));
    let itself = Network::new(&file(&[layers(4, 4)]), Rule::Caro).unwrap_err();
    assert_eq!(itself, NetworkError::Damaged(4));
    // Nor rows of another width.
    let wide = NetworkFile::from_bytes(wide_bytes()).unwrap();
    let error = Network::new(&both.with(wide), Rule::Caro).unwrap_err();
    assert_eq!(error, NetworkError::OtherChannels(4));
}

#[test]
fn every_damage_is_named() {
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes().to_vec();
        change(&mut bytes);
        with_file(&bytes, |file| fingerprint(file, Rule::Freestyle))
    };
    let flip = |at: usize| error(&move |bytes| bytes[at] ^= 4).unwrap_err();
    assert_eq!(flip(0), NetworkError::NotNetwork);
    assert_eq!(flip(4), NetworkError::Version(0));
    assert_eq!(flip(6), NetworkError::Widths([36, 32, 32]));
    for width in [0, 160] {
        let wrong = error(&|bytes| bytes[8] = width).unwrap_err();
        assert_eq!(wrong, NetworkError::Widths([32, width.into(), 32]));
    }
    // Widths that fit no length.
    let wide = error(&|bytes| bytes[10] = 64).unwrap_err();
    assert_eq!(wide, NetworkError::Length);
    assert_eq!(flip(12), NetworkError::Length);
    assert_eq!(flip(16), NetworkError::Missing(0));
    // The lengths, and the number of codes.
    for length in [20, 24, 28] {
        assert_eq!(flip(length), NetworkError::Length);
    }
    for checked in [32, 500_000, 5_000_000] {
        assert_eq!(flip(checked), NetworkError::Damaged(0));
    }
    for length in [0, 3, 15, 40, 1_000, bytes().len() - 1] {
        let expected = match length {
            0..16 => NetworkError::NotNetwork,
            _ => NetworkError::Length,
        };
        assert_eq!(
            error(&|bytes| bytes.truncate(length)).unwrap_err(),
            expected
        );
    }
    assert!(error(&|_| {}).is_ok());
    // Damage in another rule's network does no harm.
    assert!(error(&|bytes| *bytes.last_mut().unwrap() ^= 1).is_ok());
    let missing = with_file(&random_file(&[0], WIDTHS), |file| {
        fingerprint(file, Rule::Renju)
    });
    assert_eq!(missing.unwrap_err(), NetworkError::Missing(2));
    assert!(matches!(
        NetworkFile::open(std::path::Path::new("no/such/file")),
        Err(NetworkError::Unreadable(_))
    ));
}
