//! Parks beside monitors: from the probes' records to what the trace is told.

use super::apparatus::Apparatus;
use super::arena::{Lane, Note};
use super::blocked::Blocked;
use super::intake::Intake;
use super::parks::{self, Deed, Parks, Step, Stood};
use super::probe::kind;
use super::{Exact, thread};
use crate::recording::Recording;
use crate::vm::Vm;
use locklens_trace::record::LossCause;
use locklens_trace::{Record, StackId};
use std::collections::BTreeMap;

/// What there is to do for parks.
pub(super) struct Juc {
    pub(super) parks: Parks,
    /// What threads park on, met for the first time.
    pub(super) fresh: Intake,
    pub(super) blocked: Blocked,
    /// All of `LockSupport` has probes. Where it has not, what they tell is left out: half of the parks and
    /// unparks would be laid side by side wrongly.
    pub(super) whole: bool,
}

impl Juc {
    pub(super) fn new(vm: Vm<'_>, apparatus: &'static Apparatus) -> Self {
        let arena = &apparatus.arena;
        Self {
            parks: Parks::default(),
            fresh: Intake::new(arena, Lane::Blockers, (vm, &apparatus.blockers)),
            blocked: Blocked::new(arena),
            whole: true,
        }
    }
}

impl Exact {
    /// Takes in a record of a park.
    pub(super) fn take_park(&mut self, recording: &Recording, note: &Note, now: u64) {
        let Some(juc) = self.juc.as_mut().filter(|juc| juc.whole) else {
            return;
        };
        let what = match note.kind {
            kind::PARK => {
                let Ok(lock) = juc.blocked.lock(note) else {
                    recording.losses.count(LossCause::Unidentified, now);
                    return;
                };
                Deed::Park(lock, parks::limit(note))
            }
            kind::PARKED => Deed::Parked(note.argument == 1),
            _ => match thread(recording, parks::unparked(note)) {
                Some(target) => Deed::Unpark(target),
                None => return,
            },
        };
        if let Some(thread) = thread(recording, note.tid) {
            let at = note.at;
            let stack = (note.chain != 0).then_some(StackId(note.chain));
            juc.parks.hold(Step {
                at,
                thread,
                what,
                stack,
            });
        }
    }

    /// Takes in what a look saw of threads that were parked when the probes came.
    pub(crate) fn note_stood(&mut self, stood: Stood) {
        if let Some(juc) = self.juc.as_mut().filter(|juc| juc.whole) {
            juc.parks.look(stood);
        }
    }

    /// Whether parks are recorded.
    pub(crate) fn has_parks(&self) -> bool {
        self.juc.as_ref().is_some_and(|juc| juc.whole)
    }

    /// Tells the parks that ended before a time.
    pub(crate) fn release_parks(&mut self, mark: u64, start: u64, emit: &mut impl FnMut(Record)) {
        if let Some(juc) = &mut self.juc {
            juc.parks.release(mark, start, emit);
        }
    }

    /// Tells all the others, and what there is to say of them.
    pub(crate) fn finish_parks(
        &mut self,
        start: u64,
        emit: &mut impl FnMut(Record),
    ) -> BTreeMap<&'static str, String> {
        let Some(juc) = self.juc.as_mut().filter(|juc| juc.whole) else {
            return BTreeMap::new();
        };
        juc.parks.finish(self.until, start, emit);
        juc.parks.facts()
    }
}
