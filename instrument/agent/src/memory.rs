//! Memory straight from the kernel: zeroed, resident only where touched, given back at once.
//!
//! All tables that callbacks write are of this kind. They never move, so a reader needs no lock,
//! and their ceiling is a number of addresses, not of pages in use.

use std::io;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Types of which all-zero bytes are a valid value and which are shared between threads as they are.
///
/// # Safety
/// Implementors consist of atomics only and need no drop.
pub(crate) unsafe trait Zeroable: Sync {}

// SAFETY: an atomic integer; zero is a value of it.
unsafe impl Zeroable for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroable for AtomicU64 {}

/// A fixed array of atomics in its own mapping.
pub(crate) struct Slab<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the mapping belongs to the slab alone, and `T: Sync` may be used from any thread.
unsafe impl<T: Zeroable> Send for Slab<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Sync for Slab<T> {}

impl<T: Zeroable> Slab<T> {
    /// Maps `len` zeroed elements; at least one.
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let len = len.max(1);
        let bytes = len
            .checked_mul(size_of::<T>())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let start = kernel::map(bytes)?.cast();
        Ok(Self { start, len })
    }

    /// Gives the pages of these elements back; they read as zero afterwards. Only whole pages
    /// within the range are touched.
    ///
    /// # Safety
    /// No thread uses the elements meanwhile, or ever relies on what they held.
    pub(crate) unsafe fn discard(&self, range: Range<usize>) {
        const PAGE: usize = 1 << 16;
        let base = self.start.as_ptr() as usize;
        let from = (base + range.start.min(self.len) * size_of::<T>()).next_multiple_of(PAGE);
        let to = (base + range.end.min(self.len) * size_of::<T>()) / PAGE * PAGE;
        if from < to {
            // With the mapping's own provenance, for who checks such things.
            let at = self.start.cast::<u8>().as_ptr().with_addr(from);
            // SAFETY: page-aligned and inside our own mapping; the caller vouches for the contents.
            unsafe { kernel::discard(at, to - from) };
        }
    }
}

impl<T: Zeroable> Deref for Slab<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the mapping holds `len` elements, zeroed at first (a value of `T`), and lives as
        // long as `self`; mmap aligns to pages, more than any `T` needs.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> Drop for Slab<T> {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping made in `new`; nobody borrows from it any more.
        unsafe { kernel::unmap(self.start.cast(), self.len * size_of::<T>()) };
    }
}

/// What the kernel does for this module.
#[cfg(not(miri))]
mod kernel {
    use std::io;
    use std::ptr::{self, NonNull};

    pub(super) fn map(bytes: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        match NonNull::new(start.cast()) {
            Some(mapped) if start != libc::MAP_FAILED => Ok(mapped),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// # Safety
    /// Whole pages of a mapping, whose contents nobody relies on.
    pub(super) unsafe fn discard(at: *mut u8, bytes: usize) {
        // SAFETY: the caller's word.
        unsafe { libc::madvise(at.cast(), bytes, libc::MADV_DONTNEED) };
    }

    /// # Safety
    /// A mapping as it was made, which nobody uses any more.
    pub(super) unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's word.
        unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
    }
}

/// The same of Rust's own memory, for Miri, which knows no kernel that takes pages back.
#[cfg(miri)]
mod kernel {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::io;
    use std::ptr::NonNull;

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, 1 << 16).expect("what was mapped fits")
    }

    pub(super) fn map(bytes: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: there is at least one element, and none is of no size.
        let start = unsafe { alloc_zeroed(layout(bytes)) };
        NonNull::new(start).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    /// # Safety
    /// As above; it is written to with no order, so that whoever uses it meanwhile is found.
    pub(super) unsafe fn discard(at: *mut u8, bytes: usize) {
        // SAFETY: the caller's word.
        unsafe { at.write_bytes(0, bytes) };
    }

    /// # Safety
    /// As above.
    pub(super) unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: as it was allocated.
        unsafe { dealloc(start.as_ptr(), layout(bytes)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn discarded_pages_read_as_zero_and_the_rest_stays() {
        let slab = Slab::<AtomicU64>::new(1 << 16).expect("memory");
        for word in slab.iter() {
            word.store(7, Relaxed);
        }
        // SAFETY: single-threaded.
        unsafe { slab.discard(0..1 << 15) };
        let inner = &slab[1 << 13..1 << 14];
        assert!(inner.iter().all(|word| word.load(Relaxed) == 0));
        assert!(slab[1 << 15..].iter().all(|word| word.load(Relaxed) == 7));
    }
}
