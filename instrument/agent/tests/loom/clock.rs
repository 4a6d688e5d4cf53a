//! In the place of the agent's `clock`: every look at it is a moment later, and who looks has seen what was done before.

use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::Ordering::AcqRel;

loom::lazy_static! {
    static ref TIME: AtomicU64 = AtomicU64::new(10);
}

pub(crate) fn monotonic() -> u64 {
    TIME.fetch_add(1, AcqRel)
}
