//! Trials: the operations of a lock are called on fresh locks, and what passes, waits and is let
//! go is compared with what a lock of each type does.
//!
//! Only `machine` knows what a lock is made of and runs it; everything else sees a [`bench::Bench`].
//! What cannot be followed says nothing; one step against the rules refutes a type. All work
//! is bounded, and the same bench always gives the same result.
//!
//! - `bench`: the lock as seen from outside; `lab`: fresh ones, within a budget;
//! - `machine`: the sandbox that runs recorded bytecode, one such bench;
//! - `spec`: the reference machine of each type;
//! - `walk`: lock and machine take the same steps; `tally`, `chance`: what for and where to;
//! - `probe`, `measure`: which operations could play which role, with which parameters;
//! - `work`: locks of which somebody has taken something to work at;
//! - `manners`: what more is supposed of a lock that does not show what it is by itself;
//! - `linked`: operations that are two steps of one;
//! - `conform`, `extend`, `search`: the assignments that survive their walks;
//! - `conclude`, `supposed`, `verdict`, `weigh`: what they mean. Start reading here.

pub mod bench;
mod chance;
mod conclude;
mod conform;
mod extend;
mod lab;
mod linked;
pub mod machine;
mod manners;
mod measure;
mod probe;
mod search;
mod spec;
mod supposed;
mod tally;
mod verdict;
mod walk;
mod weigh;
mod work;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(test)]
mod fake;
#[cfg(test)]
mod tests;

#[cfg(test)]
#[test]
fn a_panic_costs_one_trial() {
    assert!(!panics_are_caught());
    let number = guarded(|| match panics_are_caught() {
        true => panic!("meant"),
        false => 1,
    });
    assert_eq!((number, panics_are_caught()), (0, false));
}

pub(crate) use manners::{PATIENTLY, Stock};
pub(crate) use verdict::try_out;
pub(crate) use weigh::weigh;

/// What a trial gives; nothing where it comes upon a fault of ours, which the panic hook tells: the code of one lock must not cost the
/// report of all others.
pub(crate) fn guarded<T: Default>(run: impl FnOnce() -> T) -> T {
    let outer = GUARDED.replace(true);
    // What a trial leaves behind are caches, which are filled when an answer is there.
    let done = catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(outer);
    done.unwrap_or_default()
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be caught, and cost one lock its trial only: for panic hooks that end something.
#[must_use]
pub fn panics_are_caught() -> bool {
    GUARDED.get()
}
