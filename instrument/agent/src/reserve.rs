//! Memory for the end of a recording in a process that has none left.
//!
//! Rust ends the process where an allocation fails. A target may live on with that, as Java programs do that catch their
//! `OutOfMemoryError`: so what this library asks for and the system does not give comes from here, and the writer, which
//! asks at each turn what is [`used`] of it, ends the recording. It is a part of the library's own pages, so that it is there once the
//! library is; what was never used is not resident. Nothing of it is given back: it lasts for one end, or a few small ones.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// A recording ends within some hundred kilobytes: what is held back is written out, piece by piece.
const SIZE: usize = 2 << 20;
/// What the beginning is aligned to.
const ALIGN: usize = 64;

#[repr(align(64))]
struct Pool(UnsafeCell<[u8; SIZE]>);

// SAFETY: each byte is given out once, to whoever has moved `USED` past it.
unsafe impl Sync for Pool {}

static POOL: Pool = Pool(UnsafeCell::new([0; SIZE]));
/// Bytes that have been given out.
static USED: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the system had not for this library, up to now.
pub(crate) fn used() -> usize {
    USED.load(Relaxed)
}

/// What the system gave, or where it gave nothing a piece of the reserve; null where that is used up, too.
pub(crate) fn instead_of(start: *mut u8, layout: Layout) -> *mut u8 {
    if !start.is_null() {
        return start;
    }
    taken(&USED, layout).map_or(start, |from| {
        // SAFETY: within the pool.
        unsafe { POOL.0.get().cast::<u8>().add(from) }
    })
}

/// Where a piece begins, from the beginning of the pool.
fn taken(used: &AtomicUsize, layout: Layout) -> Option<usize> {
    if layout.align() > ALIGN {
        return None;
    }
    let begin = |used: usize| used.checked_next_multiple_of(layout.align());
    let end = |used: usize| begin(used)?.checked_add(layout.size().max(1));
    let before = used.fetch_update(Relaxed, Relaxed, |used| {
        end(used).filter(|&end| end <= SIZE)
    });
    begin(before.ok()?)
}

/// Whether a piece is of the reserve.
pub(crate) fn has(start: *mut u8) -> bool {
    (start as usize).wrapping_sub(POOL.0.get() as usize) < SIZE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_aligned_and_lie_behind_each_other_until_it_is_used_up() {
        let used = AtomicUsize::new(0);
        let piece = |size, align| taken(&used, Layout::from_size_align(size, align).unwrap());
        assert_eq!(piece(3, 1), Some(0));
        assert_eq!(piece(16, 16), Some(16));
        assert_eq!(piece(0, 1), Some(32));
        assert_eq!(piece(8, 64), Some(64));
        assert_eq!(piece(8, 128), None, "no more than the pool itself");
        assert_eq!(piece(SIZE, 1), None);
        assert_eq!(piece(SIZE - 72, 8), Some(72));
        assert_eq!(piece(1, 1), None);
    }

    #[test]
    fn what_the_system_gives_is_not_of_it() {
        let mut byte = 1_u8;
        let own: *mut u8 = &raw mut byte;
        assert_eq!(instead_of(own, Layout::new::<u8>()), own);
        assert!(!has(own) && !has(std::ptr::null_mut()));
        let pool = POOL.0.get().cast::<u8>();
        assert!(has(pool) && has(pool.wrapping_add(SIZE - 1)) && !has(pool.wrapping_add(SIZE)));
    }
}
