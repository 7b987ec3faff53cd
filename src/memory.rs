//! Large blocks of memory: pages, prefetches, and room for them.

/// Asks the system to back `block` by large pages: with pages of 4 KiB, random accesses would
/// nearly always miss the TLB. Only a hint, and only useful before the memory is touched.
#[cfg(all(target_os = "linux", not(miri)))]
pub fn advise_huge_pages<T>(block: &[T]) {
    const PAGE: usize = 4096;
    let start = block.as_ptr().addr();
    // From the page of the first byte on, so an allocator's header before it does not cost the
    // first large page.
    let before = start % PAGE;
    let bytes = (before + std::mem::size_of_val(block)) / PAGE * PAGE;
    if bytes < 2 << 20 {
        return;
    }
    // SAFETY: the pages hold bytes of `block`, so they are mapped, and this advice leaves what the
    // memory holds as it is. Where pages are larger, the system refuses.
    unsafe {
        let from = block.as_ptr().cast::<u8>().wrapping_sub(before);
        libc::madvise(from.cast_mut().cast(), bytes, libc::MADV_HUGEPAGE);
    }
}

/// Other systems use large pages by themselves, or for privileged programs only; Miri has none.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub fn advise_huge_pages<T>(_: &[T]) {}

/// Prefetches the memory at `place`, which may be any address.
#[inline]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch touches no memory that the program can see, whatever its address; the
        // instruction is part of SSE, which every x86-64 processor has.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// True if the system would give a block of that many bytes now. Keeps nothing. WebAssembly never
/// gives memory back, so it is not asked.
pub fn has_room(bytes: u64) -> bool {
    let mut block = Vec::<u8>::new();
    let is_granted = cfg!(target_family = "wasm")
        || usize::try_from(bytes).is_ok_and(|bytes| block.try_reserve_exact(bytes).is_ok());
    // Otherwise the compiler may leave out the allocation.
    std::hint::black_box(&mut block);
    is_granted
}

/// The first success of `attempt` with `most`, half of it, a quarter and so on, down to `least`.
pub fn halved<T>(most: u64, least: u64, attempt: impl FnMut(u64) -> Option<T>) -> Option<T> {
    let half = |&n: &u64| (n > least).then(|| (n / 2).max(least));
    std::iter::successors(Some(most).filter(|&n| n >= least), half).find_map(attempt)
}

/// Lets the allocator reserve no address space in advance where that is limited (`ulimit -v`), and
/// return large blocks at once: otherwise glibc reserves 64 MiB for each thread, and keeps freed
/// blocks for others of their size. Of use before the first thread starts.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn spare_address_space() {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the first call writes to `limit` alone, the others set numbers of the allocator.
    unsafe {
        libc::getrlimit(libc::RLIMIT_AS, &mut limit);
        if limit.rlim_cur != libc::RLIM_INFINITY {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        }
    }
}

/// Other allocators do that by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn spare_address_space() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_halved_down_to_the_least() {
        let granted = |most, least, limit| halved(most, least, |n| (n <= limit).then_some(n));
        assert_eq!(granted(100, 1, 100), Some(100));
        assert_eq!(granted(100, 20, 30), Some(25));
        assert_eq!(granted(100, 20, 20), Some(20));
        assert_eq!(granted(100, 20, 19), None);
        assert_eq!(granted(0, 1, 0), None);
    }

    #[test]
    fn there_is_room_for_some_and_not_for_all() {
        assert!(has_room(0) && has_room(1 << 20));
        assert!(!has_room(u64::MAX / 4));
    }
}
