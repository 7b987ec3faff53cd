//! Turns a worker of the host into a thread of the program. The worker shares the memory, but has
//! no stack and no thread-local data. The host gives it the boot stack (used by one such worker
//! after the other), fetches a stack and thread-local data, sets both and calls [`lend_thread`].

use std::alloc::{Layout, alloc};
use std::cell::UnsafeCell;

/// Stack of each thread.
const STACK_BYTES: usize = 8 << 20;
const BOOT_BYTES: usize = 64 << 10;
/// The target's alignment of stacks.
const STACK_ALIGNMENT: usize = 16;

#[repr(align(16))]
struct BootStack(UnsafeCell<[u8; BOOT_BYTES]>);

// SAFETY: the stack is only a place in memory, and the host lets one worker at a time use it.
unsafe impl Sync for BootStack {}

static BOOT_STACK: BootStack = BootStack(UnsafeCell::new([0; BOOT_BYTES]));

/// The upper end of the boot stack. Needs no stack itself.
#[unsafe(no_mangle)]
pub extern "C" fn boot_stack() -> usize {
    BOOT_STACK.0.get().addr() + BOOT_BYTES
}

/// The upper end of a new stack; 0 where there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn thread_stack() -> usize {
    match block(STACK_BYTES, STACK_ALIGNMENT) {
        0 => 0,
        start => start + STACK_BYTES,
    }
}

/// A place for thread-local data of the linker's size and alignment; 0 where there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn thread_local(bytes: usize, alignment: usize) -> usize {
    block(bytes.max(1), alignment.max(1))
}

/// Counts a thread that is about to be lent: the engine may rely on it from now on.
#[unsafe(no_mangle)]
pub extern "C" fn count_thread() {
    tengen::lent_threads::count();
}

/// Lends the calling thread, counted before, to the engine. Never returns.
#[unsafe(no_mangle)]
pub extern "C" fn lend_thread() {
    tengen::lent_threads::lend();
}

/// A block that is never freed.
fn block(bytes: usize, alignment: usize) -> usize {
    let Ok(layout) = Layout::from_size_align(bytes, alignment) else {
        return 0;
    };
    // SAFETY: the size is not zero.
    unsafe { alloc(layout) }.addr()
}
