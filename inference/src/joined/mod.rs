//! Composite locks by their events alone: the histories of several monitors joined to that of one lock.
//!
//! The code tells which monitors are parts of one lock (`composite`). Where every visit is known, so do the
//! events: what a thread does in one monitor and at once in another is one operation. Three ways are told apart:
//!
//! - **handed over** ([`hand_over`]): whoever can't go on leaves the guard and waits on an object of its own, until
//!   somebody who is in the guard, or has just left it, tells it. It has then got what it wanted in that visit of
//!   the other's, or looks again in the guard itself;
//! - **within** ([`within`]): whoever waits on the inner monitor holds the outer one;
//! - **crosswise** ([`crosswise`]): whoever has got through one monitor tells those who wait on the other, and the other way
//!   round.
//!
//! What comes out are histories like those of any lock, which the machines are run over.

mod crosswise;
mod hand_over;
mod last_acts;
mod within;

pub(crate) use crosswise::crosswise;
pub(crate) use hand_over::handed_over;
pub(crate) use last_acts::last_acts;
pub(crate) use within::within;

use crate::visit::{Finish, History, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::BTreeMap;

/// One of so many may be otherwise: the beginning and the end of a recording cut operations in two.
const LINKED: usize = 20;
/// Operations that must be seen at least.
const LEAST: usize = 5;

/// `linked` of `all` are as they should be.
fn nearly_all(linked: usize, all: usize) -> bool {
    linked >= LEAST && (all - linked) * LINKED <= all
}

/// A visit, by where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    from: Nanos,
    to: Nanos,
    object: usize,
    step: usize,
}

/// The visits of each thread, in order of time.
struct Timelines(BTreeMap<ThreadId, Vec<Place>>);

impl Timelines {
    fn of(histories: &[History]) -> Self {
        let mut lines: BTreeMap<ThreadId, Vec<Place>> = BTreeMap::new();
        for (object, history) in histories.iter().enumerate() {
            for (step, visit) in visits(history) {
                let (from, to) = (visit.at, visit.until);
                let place = Place {
                    from,
                    to,
                    object,
                    step,
                };
                lines.entry(visit.thread).or_default().push(place);
            }
        }
        lines.values_mut().for_each(|line| line.sort());
        Self(lines)
    }

    /// The last visit of a thread that began before.
    fn before(&self, thread: ThreadId, at: Nanos) -> Option<Place> {
        let line = self.0.get(&thread)?;
        let next = line.partition_point(|place| place.from <= at);
        line.get(next.checked_sub(1)?).copied()
    }

    /// The first visit of a thread that began after.
    fn after(&self, thread: ThreadId, at: Nanos) -> Option<Place> {
        let line = self.0.get(&thread)?;
        let next = line.partition_point(|place| place.from <= at);
        line.get(next).copied()
    }
}

fn visits(history: &History) -> impl Iterator<Item = (usize, &Visit)> {
    let steps = history.steps.iter().enumerate();
    steps.filter_map(|(at, step)| match step {
        Step::Visit(visit) => Some((at, visit)),
        _ => None,
    })
}

fn visit_at(histories: &[History], place: Place) -> Option<&Visit> {
    match histories.get(place.object)?.steps.get(place.step)? {
        Step::Visit(visit) => Some(visit),
        _ => None,
    }
}

/// Somebody waits.
pub(crate) fn waits(histories: &[History]) -> bool {
    let waits = |visit: &Visit| matches!(visit.finish, Finish::Waits { .. });
    histories
        .iter()
        .any(|history| visits(history).any(|(_, visit)| waits(visit)))
}

#[cfg(test)]
mod tests;
