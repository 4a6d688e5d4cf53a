//! In the place of the agent's `memory`: atomics of the model checker, which no kernel can make.

use crate::sync::{AtomicU32, AtomicU64};
use std::cell::UnsafeCell;
use std::io;
use std::ops::{Deref, Range};
use std::ptr;

/// Types of which the default is what all-zero bytes are.
///
/// # Safety
/// As in the agent.
pub(crate) unsafe trait Zeroable: Default + Sync {}

// SAFETY: an atomic.
unsafe impl Zeroable for AtomicU32 {}
// SAFETY: an atomic.
unsafe impl Zeroable for AtomicU64 {}

/// A fixed array of atomics.
pub(crate) struct Slab<T>(Box<[UnsafeCell<T>]>);

// SAFETY: as in the agent; the checker runs one thread at a time.
unsafe impl<T: Zeroable> Send for Slab<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Sync for Slab<T> {}

impl<T: Zeroable> Slab<T> {
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        let cells = (0..len.max(1)).map(|_| UnsafeCell::new(T::default()));
        Ok(Self(cells.collect()))
    }

    /// The elements read as zero afterwards: all that they held is gone, also what somebody has just written there.
    ///
    /// # Safety
    /// As in the agent.
    pub(crate) unsafe fn discard(&self, range: Range<usize>) {
        for cell in &self.0[range] {
            // SAFETY: the caller's word that nobody uses the elements. Where he errs, an event is missed.
            unsafe { *cell.get() = T::default() };
        }
    }
}

impl<T> Deref for Slab<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: a cell has the form of what is in it.
        unsafe { &*(ptr::from_ref(&*self.0) as *const [T]) }
    }
}
