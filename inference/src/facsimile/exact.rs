//! Exact sequences: nothing is inferred, only the region of each event is looked up.
//!
//! Where a thread used the lock in code without probes (a method that was running when its class was
//! rewritten, or one that was not chosen), the JVM alone tells of it: an acquisition without a site, a
//! wait whose call chain is the JVM's, the end of a wait that nobody saw begin. What it did there and when it left is
//! not known, so the sequence is reset.

use super::{Completed, Context};
use crate::region::RegionId;
use locklens_trace::{Event, EventKind, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Events of others for which a thread coming back from a wait in code without probes is reckoned with:
/// it comes back as soon as the lock is free.
const RECKONED: u32 = 8;

/// Passes every event through; where events were lost, or happened unseen, says so by a reset.
pub(super) fn pass(events: &[Event], context: &Context<'_>) -> Vec<Completed> {
    let mut levels = Levels::default();
    let mut unseen = Unseen::default();
    let mut done = Vec::with_capacity(events.len());
    let mut before = None;
    for event in events {
        if before.is_some_and(|at| context.losses.between(at, event.at)) {
            done.push(Completed::reset(event.at));
            levels = Levels::default();
            unseen = Unseen::default();
        }
        if unseen.is_over(event.thread) {
            done.push(Completed::reset(event.at));
        }
        let without_probe = unseen.holds(event, context);
        done.push(Completed::observed(event, levels.region(event, context)));
        if without_probe {
            levels.forget(event.thread);
        }
        if without_probe || unseen.may_be_over() {
            done.push(Completed::reset(event.at));
        }
        before = Some(event.at);
    }
    done
}

/// Threads that use the lock where no probe sees them.
#[derive(Default)]
struct Unseen {
    /// Threads that a probe saw beginning to wait.
    waiting: BTreeSet<ThreadId>,
    /// Threads that come back from a wait no probe saw, and events since.
    returning: BTreeMap<ThreadId, u32>,
}

impl Unseen {
    /// A thread that was coming back has been seen again: it came and left.
    fn is_over(&mut self, thread: ThreadId) -> bool {
        self.returning.remove(&thread).is_some()
    }

    /// Somebody coming back may have come.
    fn may_be_over(&mut self) -> bool {
        self.returning.retain(|_, events| {
            *events += 1;
            *events <= RECKONED
        });
        !self.returning.is_empty()
    }

    /// Whether with this event its thread holds the lock, or did, in code without probes.
    fn holds(&mut self, event: &Event, context: &Context<'_>) -> bool {
        let is_of_jvm = context.place(event).is_some_and(|place| place.in_wait);
        match event.kind {
            EventKind::Entered => event.stack.is_none(),
            EventKind::Wait { .. } if is_of_jvm => true,
            EventKind::Wait { .. } => {
                self.waiting.insert(event.thread);
                false
            }
            EventKind::Waited { .. } if !self.waiting.remove(&event.thread) => {
                self.returning.insert(event.thread, 0);
                true
            }
            _ => false,
        }
    }
}

/// The regions each thread is inside, outermost first.
#[derive(Default)]
struct Levels {
    inside: BTreeMap<ThreadId, Vec<Option<RegionId>>>,
    entering: BTreeMap<ThreadId, Option<RegionId>>,
    /// Threads whose wait has ended but has not returned: they enter no new level.
    returning: BTreeSet<ThreadId>,
}

impl Levels {
    fn forget(&mut self, thread: ThreadId) {
        self.inside.remove(&thread);
        self.returning.remove(&thread);
    }

    fn region(&mut self, event: &Event, context: &Context<'_>) -> Option<RegionId> {
        let placed = context.place(event).map(|p| p.innermost());
        let inside = self.inside.entry(event.thread).or_default();
        match event.kind {
            EventKind::Enter => {
                self.entering.insert(event.thread, placed);
                placed
            }
            EventKind::Entered if !self.returning.contains(&event.thread) => {
                let region = placed.or(self.entering.remove(&event.thread).flatten());
                inside.push(region);
                region
            }
            EventKind::Exit => inside.pop().flatten().or(placed),
            kind => {
                match kind {
                    EventKind::Waited { .. } => drop(self.returning.insert(event.thread)),
                    EventKind::Resumed | EventKind::Interrupted => {
                        self.returning.remove(&event.thread);
                    }
                    _ => {}
                }
                inside.last().copied().flatten().or(placed)
            }
        }
    }
}
