//! In the place of the agent's `sync`: the same by the model checker.
//!
//! loom takes a sequentially consistent access for one that acquires and releases, and so finds faults that are none. What
//! such an access is more is told by fences, as compilers do for processors that have no instruction for it: before each of
//! them, or after each that writes. Either way would do, and each orders something that the access itself does not: what is
//! right holds with both, so both are tried.

pub(crate) use loom::hint::spin_loop;
use loom::sync::atomic;
use loom::sync::atomic::Ordering::{self, SeqCst};
use loom::sync::atomic::fence;
pub(crate) use loom::thread::yield_now;
use std::cell::Cell;

/// Where the fences stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fences {
    Before,
    After,
}

thread_local! {
    /// The checker runs all threads of a model on one of the system's.
    pub(crate) static FENCES: Cell<Fences> = const { Cell::new(Fences::Before) };
}

pub(crate) fn nap() {
    yield_now();
}

/// An access that writes, or only reads.
fn access<T>(writes: bool, by: Ordering, access: impl FnOnce() -> T) -> T {
    let fences = FENCES.get();
    if by == SeqCst && fences == Fences::Before {
        fence(SeqCst);
    }
    let value = access();
    if by == SeqCst && fences == Fences::After && writes {
        fence(SeqCst);
    }
    value
}

macro_rules! atomic {
    ($name:ident, $inner:ty, $value:ty $(, $generic:ident)?) => {
        #[derive(Debug)]
        pub(crate) struct $name$(<$generic>)?($inner);

        impl$(<$generic>)? $name$(<$generic>)? {
            pub(crate) fn new(value: $value) -> Self {
                Self(<$inner>::new(value))
            }

            pub(crate) fn load(&self, by: Ordering) -> $value {
                access(false, by, || self.0.load(by))
            }

            pub(crate) fn store(&self, value: $value, by: Ordering) {
                access(true, by, || self.0.store(value, by));
            }

            pub(crate) fn swap(&self, value: $value, by: Ordering) -> $value {
                access(true, by, || self.0.swap(value, by))
            }

            pub(crate) fn compare_exchange(
                &self,
                from: $value,
                to: $value,
                by: Ordering,
                otherwise: Ordering,
            ) -> Result<$value, $value> {
                access(true, by, || self.0.compare_exchange(from, to, by, otherwise))
            }
        }
    };
}

atomic!(AtomicU32, atomic::AtomicU32, u32);
atomic!(AtomicU64, atomic::AtomicU64, u64);
atomic!(AtomicPtr, atomic::AtomicPtr<T>, *mut T, T);

impl AtomicU32 {
    pub(crate) fn fetch_add(&self, value: u32, by: Ordering) -> u32 {
        self.0.fetch_add(value, by)
    }
}

impl AtomicU64 {
    pub(crate) fn fetch_add(&self, value: u64, by: Ordering) -> u64 {
        self.0.fetch_add(value, by)
    }

    pub(crate) fn fetch_max(&self, value: u64, by: Ordering) -> u64 {
        access(true, by, || self.0.fetch_max(value, by))
    }

    pub(crate) fn compare_exchange_weak(
        &self,
        from: u64,
        to: u64,
        by: Ordering,
        otherwise: Ordering,
    ) -> Result<u64, u64> {
        self.0.compare_exchange_weak(from, to, by, otherwise)
    }
}

impl Default for AtomicU32 {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Default for AtomicU64 {
    fn default() -> Self {
        Self::new(0)
    }
}
