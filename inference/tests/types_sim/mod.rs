//! The simulator the tests of the type checkers run on: reference implementations of every
//! lock type as small programs over a Java monitor, run by threads scheduled at random from a
//! seed. It gives complete histories, what a watcher would have seen of them, and damaged ones.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "a module of several tests and an example; each uses a part of it"
)]

pub mod counting;
pub mod measure;
pub mod meeting;
pub mod monitor;
pub mod noise;
pub mod rng;
pub mod sharing;
pub mod subject;

use subject::Subject;

/// Every subject.
pub fn subjects() -> Vec<Subject> {
    let mut all = counting::subjects();
    all.extend(sharing::subjects());
    all.extend(meeting::subjects());
    all
}
