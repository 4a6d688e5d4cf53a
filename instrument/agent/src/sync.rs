//! Atomics and pauses of what several threads share without a lock: [`gate`](crate::gate), [`ring`](crate::ring) and
//! [`idmap`](crate::idmap). `tests/loom` puts a model checker's in their place, and tries these modules with every order of
//! steps that the memory model allows.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};
pub(crate) use std::thread::yield_now;

/// Waits a moment for others, who have something short to do.
pub(crate) fn nap() {
    std::thread::sleep(std::time::Duration::from_micros(200));
}
