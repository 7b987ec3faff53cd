//! Network files with random weights: of the right shape, and without any skill.
//!
//! Tests of the library use this file too, so it imports nothing from the library.

pub const WINDOWS: usize = 199_290;
/// Channels, and outputs of the first and of the second layer, of the networks in the program.
pub const WIDTHS: [usize; 3] = [32; 3];

/// A section of a file.
pub struct Section {
    /// The network's number.
    pub number: u32,
    /// Number of rows shared by its windows, 0 if each has its own, 2^31 + N for those of network
    /// N.
    pub codes: u32,
    pub bytes: Vec<u8>,
}

/// A file with the networks of these `numbers`. Each network depends only on its number, so that
/// other programs can make the same ones: another program computed `src/eval/network/vectors.txt`.
pub fn random_file(numbers: &[u32], widths: [usize; 3]) -> Vec<u8> {
    let plain = |&number: &u32| Section {
        number,
        codes: 0,
        bytes: random_section(number, widths),
    };
    file_of(&numbers.iter().map(plain).collect::<Vec<_>>(), widths)
}

/// The file with these sections, of networks of these widths.
pub fn file_of(sections: &[Section], widths: [usize; 3]) -> Vec<u8> {
    let packed: Vec<Vec<u8>> = sections
        .iter()
        .map(|section| {
            zstd::bulk::compress(&section.bytes, 1).expect("memory takes what is packed")
        })
        .collect();
    let mut file = b"TGNN".to_vec();
    let count = sections.len() as u16;
    let [channels, first, second] = widths.map(|width| width as u16);
    for field in [4, channels, first, second, count, 0] {
        file.extend(field.to_le_bytes());
    }
    for (section, packed) in sections.iter().zip(&packed) {
        let lengths = [packed.len(), section.bytes.len()].map(|length| length as u32);
        for field in [section.number, lengths[0], lengths[1], section.codes] {
            file.extend(field.to_le_bytes());
        }
        file.extend(checksum(&section.bytes).to_le_bytes());
    }
    file.extend(packed.concat());
    file
}

/// A section without codes. Its random numbers neither vanish nor overflow in the layers.
pub fn random_section(number: u32, [channels, first, second]: [usize; 3]) -> Vec<u8> {
    let mut state = u64::from(number) << 32;
    // A number between two bounds, both included, by splitmix64 (G. L. Steele, D. Lea, C. H. Flood,
    // 2014).
    let mut random = |low: i32, high: i32| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let span = (high - low + 1) as u64;
        low + ((((z ^ (z >> 31)) >> 32) * span) >> 32) as i32
    };
    let mut bytes: Vec<u8> = (0..WINDOWS * channels)
        .map(|_| random(-50, 60) as u8)
        .collect();
    let mut layer = |bytes: &mut Vec<u8>, inputs: usize, outputs: usize, weight: i32, bias: i32| {
        for _ in 0..inputs * outputs {
            bytes.extend((random(-weight, weight) as i16).to_le_bytes());
        }
        for _ in 0..outputs {
            bytes.extend(random(-bias, bias).to_le_bytes());
        }
    };
    layer(&mut bytes, 10 * channels, first, 1_500, 600_000);
    layer(&mut bytes, first, second, 500, 400_000);
    layer(&mut bytes, second, 3, 300, 90_000);
    let skip: i32 = 2_000;
    bytes.extend(skip.to_le_bytes());
    layer(&mut bytes, 10 * channels, first, 1_500, 600_000);
    layer(&mut bytes, first, channels, 60, 100_000);
    let order: i32 = 200;
    bytes.extend(order.to_le_bytes());
    for i in 0..1024 {
        let entry = 8192.0 * (-(f64::from(i) + 0.5) / 128.0).exp().ln_1p();
        bytes.extend((entry.round() as u16).to_le_bytes());
    }
    bytes
}

/// The checksum of a section in the header, over words of eight bytes.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word));
    let rest = rest.iter().map(|&byte| u64::from(byte));
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23)
    })
}
