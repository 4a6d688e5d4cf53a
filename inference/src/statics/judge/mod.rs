//! From the machine of a lock to the types it can be.
//!
//! One file a type; each looks only at guards, changes and notifies and gives what it finds with
//! its odds. Readings that exclude each other are all given: choosing is for the caller, who
//! also has the events. Scale: a machine that matches fully, all roles present, is about 5 to
//! 7; a partial one 1 to 3.

mod barrier;
mod case;
pub(super) mod condition;
mod data;
mod delay;
mod family;
mod finding;
mod join;
mod joint;
pub(super) mod latch;
mod lazy;
mod lock;
mod mutex;
mod outside;
pub(super) mod queue;
mod read_write;
mod ring;
mod semaphore;
pub(super) mod unlike;
mod unsettled;
mod wanted;

pub(super) use case::{Case, prepare};
pub(super) use finding::Finding;
pub(super) use unlike::Unlike;

use crate::region::RegionId;
use crate::types::{Evidence, Hypothesis};
use std::collections::BTreeSet;

/// The reading of a lock whose methods can reach no wait and no notify at all.
pub(super) fn quiet(regions: &BTreeSet<RegionId>) -> Vec<(Hypothesis, Evidence)> {
    let found = mutex::never_waits(regions, false);
    found.into_iter().map(Finding::finish).collect()
}

/// All readings of a lock, best first, and what no sandbox can tell of its callers.
pub(super) fn judge(case: &Case<'_>) -> (Vec<(Hypothesis, Evidence)>, Unlike) {
    let mut found = Vec::new();
    if case.never_waits() {
        found.extend(mutex::whole(case));
    } else {
        found.extend(join::find(case));
        found.extend(delay::find(case));
        found.extend(barrier::find(case));
        found.extend(read_write::find(case));
        found.extend(queue::find(case));
        found.extend(latch::find(case));
        found.extend(lazy::find(case));
        found.extend(wanted::find(case));
        found.extend(lock::find(case));
        found.extend(semaphore::find(case));
        found.extend(condition::find(case, &found));
        found.extend(mutex::rest(case, &found));
    }
    found.iter_mut().for_each(|f| unsettled::uncount(case, f));
    let unlike = unlike::find(case, &found);
    let mut out: Vec<_> = found.into_iter().map(Finding::finish).collect();
    out.sort_by(|a, b| b.1.log_odds.total_cmp(&a.1.log_odds));
    (out, unlike)
}
