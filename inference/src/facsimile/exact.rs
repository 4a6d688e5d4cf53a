//! Exact sequences: nothing is inferred, only the region of each event is looked up.

use super::{Completed, Context};
use crate::region::RegionId;
use locklens_trace::{Event, EventKind, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Passes every event through; where events were lost, says so by a reset.
pub(super) fn pass(events: &[Event], context: &Context<'_>) -> Vec<Completed> {
    let mut levels = Levels::default();
    let mut done = Vec::with_capacity(events.len());
    let mut before = None;
    for event in events {
        if before.is_some_and(|at| context.losses.between(at, event.at)) {
            done.push(Completed::reset(event.at));
            levels = Levels::default();
        }
        done.push(Completed::observed(event, levels.region(event, context)));
        before = Some(event.at);
    }
    done
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
