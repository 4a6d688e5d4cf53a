//! The simulator the tests of the type checkers run on: reference implementations of every
//! lock type as small programs over a Java monitor, run by threads scheduled at random from a
//! seed. It gives complete histories, what a watcher would have seen of them, and damaged ones.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "a module of several tests and an example; each uses a part of it"
)]

pub mod counting;
pub mod hard;
pub mod measure;
pub mod meeting;
pub mod monitor;
pub mod noise;
pub mod rng;
pub mod sharing;
pub mod subject;

use locklens_inference::visit::{Finish, Step};
use subject::Subject;

/// Whether so short a run shows what the subject is at all: somebody waited, if anybody can.
pub fn settled(subject: &Subject, visits: usize, seed: u64) -> bool {
    let histories = noise::exact(&subject.record(visits, seed));
    let facts = subject.facts(&histories, true);
    let waits = |s: &Step| matches!(s, Step::Visit(v) if matches!(v.finish, Finish::Waits { .. }));
    let waited = histories
        .iter()
        .flat_map(|h| &h.steps)
        .filter(|s| waits(s))
        .count();
    waited >= 3 || facts.values().all(|f| f.may_wait == Some(false))
}

/// Every subject.
pub fn subjects() -> Vec<Subject> {
    let mut all = counting::subjects();
    all.extend(sharing::subjects());
    all.extend(meeting::subjects());
    all
}
