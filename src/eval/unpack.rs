//! Reading of zstd frames, by a crate that needs no C compiler.

/// Unpacks the zstd frame `packed` to the start of `out` and returns the number of bytes; `None` if
/// it is damaged or `out` too short.
pub(super) fn unpack(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut decoder = ruzstd::decoding::FrameDecoder::new();
    decoder.decode_all(packed, out).ok()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn frames_of_the_c_library_are_read_and_damaged_ones_are_not() {
        let mut rng = SmallRng::seed_from_u64(9);
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
            let mut out = vec![0; bytes.len()];
            assert_eq!(unpack(&packed, &mut out), Some(bytes.len()));
            assert!(out == bytes);
            assert_eq!(unpack(&packed, &mut out[1..]), None);
            assert_eq!(unpack(&packed[..packed.len() / 2], &mut out), None);
            assert_eq!(unpack(&packed[1..], &mut out), None);
        }
    }
}
