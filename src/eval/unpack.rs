//! Reading of zstd frames: by the C library zstd, or, without the feature `zstd`, by the slower
//! crate ruzstd, which needs no C compiler.

/// Unpacks the zstd frame `packed` to the start of `out` and returns the number of bytes; `None` if
/// it is damaged or `out` too short.
pub(super) fn unpack(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    #[cfg(feature = "zstd")]
    return unpack_by_c(packed, out);
    #[cfg(not(feature = "zstd"))]
    return unpack_by_rust(packed, out);
}

#[cfg(feature = "zstd")]
fn unpack_by_c(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    zstd::bulk::decompress_to_buffer(packed, out).ok()
}

#[cfg(any(test, not(feature = "zstd")))]
fn unpack_by_rust(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut decoder = ruzstd::decoding::FrameDecoder::new();
    decoder.decode_all(packed, out).ok()
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn both_libraries_read_the_same() {
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
            for unpack in [unpack_by_c, unpack_by_rust] {
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
