//! What large blocks of memory ask of the system and of the processor.

/// Asks the system to back `block` by large pages: with pages of 4 KiB, random accesses would
/// nearly always miss the TLB. Only a hint, and only useful before the memory is touched.
#[cfg(target_os = "linux")]
pub fn advise_huge_pages<T>(block: &[T]) {
    const PAGE: usize = 4096;
    let start = block.as_ptr().addr();
    // From the page of the first byte on, so that an allocator's header before it does not cost the
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

/// Other systems use large pages by themselves, or for privileged programs only.
#[cfg(not(target_os = "linux"))]
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
