//! The ceiling of what a recording may take of the target's memory (`--buffer`), how it is shared out,
//! and how much of it is in use.
//!
//! - *Events* have their share in advance: the rings are mapped at the start, and nothing else gets room there.
//! - *Tables* of ids are mapped at the start too. They count in full, though only what was touched is resident.
//! - *Tags*: what the JVM and we keep of each tagged object. The JVM's part can only be estimated
//!   ([`TAG`]), and an object that has died counts on.
//! - *Heap*: the rest. Definitions on their way to the writer, what the writer remembers, code being read, bytes
//!   the command has not fetched. Everything this library allocates goes through [`Counting`], so this
//!   share is known to the byte, and nothing can be forgotten.
//!
//! Who meets a share's end does without, and what that costs is counted as lost; nobody waits. What grows by doubling
//! stops well before the end, so that the doubling itself has room.
//!
//! Where the process itself has nothing left, the [`reserve`] has enough to end the recording in order.
//!
//! Not in it: the library's own pages, that reserve among them (resident only once it is used), the stack of the writer, and what the JVM keeps of its own accord
//! (method ids, inflated monitors).

use crate::exact::arena::Arena;
use crate::reserve;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// What an object's tag costs in the JVM: an entry of its tag map, the weak handle in it, its part of the
/// map's buckets. The JVM's own figures (native memory tracking, 250,000 tags) are 26 bytes on 8 and 11,
/// 43 on 17, 51 on 21 and 25; to these comes what its allocator adds.
pub(crate) const TAG: usize = 64;

/// Bytes of ours on the heap, with what the allocator needs beside them.
static HEAP: AtomicUsize = AtomicUsize::new(0);
/// The most there has been since the last [`Ceiling::new`].
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with a counter.
pub(crate) struct Counting;

// SAFETY: the system's allocator does all of it, or the reserve where that has nothing left; counting allocates nothing and
// cannot panic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let start = unsafe { System.alloc(layout) };
        counted(reserve::instead_of(start, layout), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. The reserve is zero, and nothing of it is given out twice.
        let start = unsafe { System.alloc_zeroed(layout) };
        counted(reserve::instead_of(start, layout), layout.size())
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        HEAP.fetch_sub(cost(layout.size()), Relaxed);
        if !reserve::has(start) {
            // SAFETY: the caller's promise; it is the system's.
            unsafe { System.dealloc(start, layout) };
        }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !reserve::has(start) {
            // SAFETY: the caller's promise; it is the system's.
            let moved = unsafe { System.realloc(start, layout, size) };
            if !moved.is_null() {
                HEAP.fetch_sub(cost(layout.size()), Relaxed);
                return counted(moved, size);
            }
        }
        // SAFETY: the caller's promise: the new size is not zero and can be had in this alignment; both places are as long as
        // what is copied, and no part of each other.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                ptr::copy_nonoverlapping(start, moved, layout.size().min(size));
                self.dealloc(start, layout);
            }
            moved
        }
    }
}

fn counted(start: *mut u8, size: usize) -> *mut u8 {
    if !start.is_null() {
        let now = HEAP.fetch_add(cost(size), Relaxed) + cost(size);
        if now > PEAK.load(Relaxed) {
            PEAK.fetch_max(now, Relaxed);
        }
    }
    start
}

/// A word of bookkeeping, and pieces of sixteen bytes: what the usual allocators take.
fn cost(size: usize) -> usize {
    (size.saturating_add(8) / 16 * 16 + 16).max(32)
}

/// How the ceiling is shared out, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares {
    /// The JVM's events.
    pub(crate) ring: usize,
    /// The probes' records.
    pub(crate) probes: usize,
    /// And the tables of the probes, which are always as large.
    fixed: usize,
    pub(crate) threads: usize,
    pub(crate) chains: usize,
    pub(crate) methods: usize,
    pub(crate) classes: usize,
    /// Kinds of events, for the budget of chains, and virtual threads that have begun to block.
    pub(crate) kinds: usize,
    /// What is tagged.
    pub(crate) tags: usize,
    pub(crate) heap: usize,
}

impl Shares {
    /// The shares of a ceiling; `exact` if there may be probes.
    pub(crate) fn of(ceiling: usize, exact: bool) -> Self {
        let ids = if exact { ceiling / 32 } else { ceiling / 16 };
        let mut shares = Self {
            ring: if exact { ceiling / 16 } else { ceiling / 4 },
            probes: if exact { ceiling / 2 } else { 0 },
            fixed: if exact { Arena::FIXED } else { 0 },
            threads: ids,
            chains: ids,
            methods: ceiling / 32,
            classes: ceiling / 64,
            kinds: ceiling / 64,
            tags: if exact { ceiling / 16 } else { ceiling / 4 },
            heap: 0,
        };
        shares.heap = ceiling.saturating_sub(shares.all());
        shares
    }

    /// Whether the tables of the probes leave room for anything else.
    pub(crate) fn allows_probes(&self) -> bool {
        self.probes > 0 && self.heap >= self.probes / 8
    }

    fn all(&self) -> usize {
        let tables = self.threads + self.chains + self.methods + self.classes + self.kinds;
        self.ring + self.probes + self.fixed + tables + self.tags + self.heap
    }
}

/// The heap's share while a recording lasts.
#[derive(Debug)]
pub(crate) struct Ceiling {
    pub(crate) shares: Shares,
    /// On the heap before the recording: of earlier ones that could not be freed.
    before: usize,
    /// Bytes of events that are held back for a moment.
    held: AtomicUsize,
    /// Bytes of what the pass under way that reads code remembers.
    code: AtomicUsize,
}

impl Ceiling {
    /// Begins to count.
    pub(crate) fn new(shares: Shares) -> Self {
        let before = HEAP.load(Relaxed);
        PEAK.store(before, Relaxed);
        Self {
            shares,
            before,
            held: AtomicUsize::new(0),
            code: AtomicUsize::new(0),
        }
    }

    /// Bytes on the heap.
    pub(crate) fn used(&self) -> usize {
        HEAP.load(Relaxed).saturating_sub(self.before)
    }

    /// The most there have been.
    pub(crate) fn peak(&self) -> usize {
        PEAK.load(Relaxed).saturating_sub(self.before)
    }

    /// So many bytes of what is used are events held back. They have three eighths to themselves: in a
    /// moment they are gone, and must not keep anything from getting the name they need.
    pub(crate) fn note_held(&self, bytes: usize) {
        self.held.store(bytes, Relaxed);
    }

    /// A step of the pass that reads code changed what is used from `before` to what it is now; after its last
    /// one everything is forgotten. As with events, that must not keep anything from getting its name.
    pub(crate) fn note_code(&self, before: usize, is_last: bool) {
        let more = self.used().saturating_sub(before);
        let so_far = self.code.load(Relaxed);
        self.code
            .store(if is_last { 0 } else { so_far + more }, Relaxed);
    }

    /// Whether something new may get a name, which is remembered for the rest of the recording.
    pub(crate) fn has_room_for_names(&self) -> bool {
        let used = self.used();
        used < self.shares.heap / 8 * 7
            && used.saturating_sub(self.passing()) < self.shares.heap / 2
    }

    /// Bytes for what is remembered of rewritten code: the locks it uses must get names besides.
    /// What is on the heap while it is looked for is gone in a moment.
    pub(crate) fn room_for_sites(&self) -> usize {
        self.shares.heap / 8 * 3
    }

    /// Whether a class that is being loaded may be rewritten, within the same share.
    pub(crate) fn has_room_for_sites(&self) -> bool {
        self.used().saturating_sub(self.passing()) < self.room_for_sites()
    }

    /// Bytes of what is gone in a moment.
    fn passing(&self) -> usize {
        self.held.load(Relaxed) + self.code.load(Relaxed)
    }

    /// Whether code may be read, which is forgotten afterwards.
    pub(crate) fn has_room_for_code(&self) -> bool {
        self.used() < self.shares.heap / 4 * 3
    }

    /// Whether there is no room for another event of this size.
    pub(crate) fn is_crowded(&self, each: usize) -> bool {
        self.room_for(each) == 0
    }

    /// How many more events of this size, and of its like in growing collections, there is room for.
    pub(crate) fn room_for(&self, each: usize) -> usize {
        let all = (self.shares.heap / 8 * 7).saturating_sub(self.used());
        let own = (self.shares.heap / 8 * 3).saturating_sub(self.held.load(Relaxed));
        all.min(own) / each
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_ceiling_and_none_is_forgotten() {
        for exact in [false, true] {
            for ceiling in [32 << 20, 50_000_001, 64 << 20, 16 << 30] {
                let shares = Shares::of(ceiling, exact);
                assert_eq!(shares.all(), ceiling, "{shares:?}");
                assert!(shares.heap >= ceiling / 16, "{shares:?}");
                assert!(shares.ring >= ceiling / 16, "{shares:?}");
                assert_eq!((shares.probes > 0, shares.allows_probes()), (exact, exact));
            }
        }
    }

    #[test]
    fn a_small_ceiling_is_kept_too_but_not_with_probes() {
        for ceiling in [1 << 20, 3 << 20, 16 << 20] {
            let shares = Shares::of(ceiling, false);
            assert_eq!(shares.all(), ceiling, "{shares:?}");
            assert!(shares.heap >= ceiling / 4, "{shares:?}");
            assert!(!Shares::of(ceiling, true).allows_probes());
        }
    }

    #[test]
    fn what_is_allocated_is_counted_until_it_is_freed() {
        // Other tests allocate too, but nothing of this size.
        const BIG: usize = 256 << 20;
        const NEARLY: usize = BIG - (16 << 20);
        let shares = Shares::of(4 * BIG, false);
        let ceiling = Ceiling::new(shares);
        assert!(ceiling.has_room_for_names() && ceiling.room_for(1024) > 1000);
        let mut bytes = Vec::<u8>::with_capacity(BIG / 2);
        assert!(ceiling.used() >= NEARLY / 2);
        bytes.reserve_exact(BIG);
        assert!(ceiling.used() >= NEARLY && ceiling.peak() >= NEARLY);
        assert!(!ceiling.has_room_for_names() && !ceiling.has_room_for_code());
        assert_eq!(ceiling.room_for(BIG / 8), 0);
        // What is gone in a moment keeps nothing from getting a name.
        let most = Ceiling::new(Shares::of(2 * BIG, false));
        assert!(most.has_room_for_names() && most.room_for(1 << 20) > 0);
        most.note_held(most.shares.heap / 8 * 3);
        assert_eq!(most.room_for(1), 0);
        ceiling.note_code(0, false);
        assert!(ceiling.has_room_for_names());
        ceiling.note_code(0, true);
        assert!(!ceiling.has_room_for_names());
        ceiling.note_held(NEARLY);
        assert!(ceiling.has_room_for_names());
        ceiling.note_held(0);
        drop(bytes);
        assert!(ceiling.used() < NEARLY / 2 && ceiling.has_room_for_names());
        assert!(ceiling.peak() >= NEARLY);
    }
}
