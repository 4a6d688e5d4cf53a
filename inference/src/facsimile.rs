//! The raw sequence of one lock, completed with what the JVM does not report.
//!
//! HotSpot reports blocking and waiting, not leaving and notifying, and acquisitions only where
//! they blocked. What is reported proves a good deal of the rest; [`complete`] inserts it, each
//! event marked as inferred and with the bounds in time between which it must lie:
//!
//! - `Entered`: a thread that waits or leaves without having entered acquired without blocking.
//! - `Exit`: the holder left before somebody else acquired; a thread about to block holds
//!   nothing. `Wait` releases all levels itself.
//! - `Resumed`: a woken thread held the lock again at some time before its next event.
//! - `Notify`, `NotifyAll`: where a stay of a region that may notify lies within a wait that did
//!   not time out (`notify`).
//! - *Reset*, the state is unknown: on a sequence nothing explains, where events were lost, and
//!   after a long silence, but never because of silence while a thread waits or is blocked: the
//!   monitor cannot have been deflated then, and idle consumers are evidence.
//!
//! Where the VM's own probes were listened to, notifies are observed and none is inserted, and so are exits that woke a
//! successor; the others are inferred as before. A sequence from an exact recording passes through as it is.

mod attribute;
mod contended;
mod exact;
mod notify;
mod stay;

use crate::collect::Losses;
use crate::collect::vm_probes::VmProbesSeen;
use crate::effects::Effects;
use crate::region::RegionId;
use crate::region::place::Place;
use crate::visit::Mark;
use locklens_trace::{Event, EventKind, Nanos, StackId, ThreadId};
use std::collections::BTreeMap;

/// One event of a completed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed {
    /// What happened.
    pub what: What,
    /// In which thread; none for a reset.
    pub thread: Option<ThreadId>,
    /// Reported or inserted.
    pub mark: Mark,
    /// It did not happen before this time.
    pub not_before: Nanos,
    /// Nor after this one; equal to `not_before` if it was observed.
    pub not_after: Nanos,
    /// Where, if that is known.
    pub region: Option<RegionId>,
    /// Whether the region was observed: an event reported without a call chain gets the one its
    /// thread's other events of that kind have.
    pub region_mark: Mark,
}

/// What happened to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An event of the vocabulary of traces.
    Event(EventKind),
    /// From here on the state of the lock is unknown.
    Reset,
}

impl Completed {
    fn reset(at: Nanos) -> Self {
        Self {
            what: What::Reset,
            thread: None,
            mark: Mark::Inferred,
            not_before: at,
            not_after: at,
            region: None,
            region_mark: Mark::Inferred,
        }
    }

    fn placed(self, region_mark: Mark) -> Self {
        Self {
            region_mark,
            ..self
        }
    }

    fn observed(event: &Event, region: Option<RegionId>) -> Self {
        Self {
            what: What::Event(event.kind),
            thread: Some(event.thread),
            mark: Mark::Observed,
            not_before: event.at,
            not_after: event.at,
            region,
            region_mark: Mark::Observed,
        }
    }

    fn inferred(
        kind: EventKind,
        thread: ThreadId,
        (from, to): (Nanos, Nanos),
        region: Option<RegionId>,
    ) -> Self {
        Self {
            what: What::Event(kind),
            thread: Some(thread),
            mark: Mark::Inferred,
            not_before: from.min(to),
            not_after: to,
            region,
            region_mark: Mark::Observed,
        }
    }
}

/// What completing one lock's sequence rests on besides its events.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Every acquisition and release was observed.
    pub exact: bool,
    /// Silence after which the state counts as unknown.
    pub reset_after: Nanos,
    /// The VM's own probes were listened to.
    pub vm_probes: Option<&'a VmProbesSeen>,
    /// When events are missing.
    pub losses: &'a Losses,
    /// Where each call chain stands with respect to this lock; only real places are in it.
    pub places: &'a BTreeMap<StackId, Place>,
    /// What its regions may do to it.
    pub effects: &'a BTreeMap<RegionId, Effects>,
}

impl<'a> Context<'a> {
    fn place(&self, event: &Event) -> Option<&'a Place> {
        self.places.get(&event.stack?)
    }
}

/// Completes one unbroken sequence of one lock's events, given in the order of the monitor.
#[must_use]
pub fn complete(events: &[Event], context: &Context<'_>) -> Vec<Completed> {
    if context.exact {
        return exact::pass(events, context);
    }
    // What began before the recording belongs to no sequence: nobody knows in which order.
    let (before, events): (Vec<Event>, Vec<Event>) =
        events.iter().partition(|event| event.is_from_before());
    let completed = contended::complete(&events, context);
    let observed = before.iter().map(|event| {
        let place = context.place(event);
        Completed::observed(event, place.map(Place::outermost))
    });
    let mut all: Vec<Completed> = observed.collect();
    all.extend(notify::insert(completed, context));
    all
}

#[cfg(test)]
mod tests;
