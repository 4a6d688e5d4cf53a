//! Threads that stood somewhere when the recording began: what each of them waited for is not in it.
//!
//! Such a thread was parked, or inside a `wait`, and goes on when somebody lets it go on: what it does from then on may be so late
//! because of that. Where others did meanwhile what may let it go on there, it comes after these; where nobody was seen to, it
//! may be anybody for whom it waited, and all that was done by then comes before. Both is presumed, and told by a name of its own.
//! Virtual threads that were there already are not looked at: each of them may have stood.
//!
//! That a thread stood is known from a look that found it parked before it was heard of, or from the end of a wait of which nobody
//! saw the beginning. Who wanted a lock that one thread owns waited for nothing that need have been done first. Nor did who was parked
//! for a time only, unless others were seen to do what may let him go on.

use super::apart::EVERYTHING;
use super::jvm::Jvm;
use super::step::{Op, Step, Thread};
use crate::parked::Owned;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::parked::Parked;
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Times that others may have let one of them go on: of more it is not known which of them it was.
const TIMES: u32 = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Stood {
    /// The look that found a thread parked first.
    parked: BTreeMap<ThreadId, Found>,
    heard: BTreeMap<ThreadId, Heard>,
    /// Who stood, until he goes on.
    threads: BTreeMap<ThreadId, Stander>,
    /// Where they stand until they go on.
    places: BTreeMap<LockId, BTreeSet<ThreadId>>,
    /// How often all that was done has been noted.
    round: u32,
    /// Who did something since it was noted last.
    busy: Vec<ThreadId>,
}

/// What a look found of a thread.
#[derive(Clone, Copy, Debug)]
struct Found {
    at: Nanos,
    on: LockId,
    /// It would have gone on after a while.
    timed: bool,
}

/// A thread that stood.
#[derive(Debug)]
struct Stander {
    place: Option<LockId>,
    timed: bool,
    /// How often others may have let it go on.
    times: u32,
}

/// The first that was heard of a thread.
#[derive(Debug)]
struct Heard {
    at: Nanos,
    /// It came back from a wait of which the beginning was not seen.
    waited: Option<LockId>,
    /// It is a virtual thread, and was there when the recording began.
    is_virtual: bool,
}

/// Whether it may let others go on who are parked there.
fn lets_go(act: Act) -> bool {
    use Act::{
        Arrive, CountDown, Meet, Put, Signal, SignalAll, Take, UnlockStamp, Unlocked, Unshare,
        Unshared,
    };
    matches!(
        act,
        Unshare
            | Unshared
            | UnlockStamp
            | Unlocked
            | Signal
            | SignalAll
            | CountDown
            | Meet
            | Arrive
            | Put
            | Take
    )
}

impl Stood {
    /// From the beginning, with what the first pass has shown.
    fn rewind(&mut self, is_lock: impl Fn(LockId) -> bool) {
        let Self { parked, heard, .. } = std::mem::take(self);
        for (thread, heard) in heard {
            let parked = parked.get(&thread);
            let parked = parked.filter(|found| found.at < heard.at && !is_lock(found.on));
            let place = heard.waited.or(parked.map(|found| found.on));
            if place.is_some() || heard.is_virtual {
                let stander = Stander {
                    place,
                    timed: heard.waited.is_none() && parked.is_some_and(|found| found.timed),
                    times: 0,
                };
                self.threads.insert(thread, stander);
            }
            if let Some(place) = place {
                self.places.entry(place).or_default().insert(thread);
            }
        }
        self.round = 1;
    }

    /// A thread does something; `round` is when it last did.
    pub(super) fn does(&mut self, thread: ThreadId, round: &mut u32) {
        if !self.threads.is_empty() && *round != self.round {
            *round = self.round;
            self.busy.push(thread);
        }
    }

    /// It stands there no longer.
    fn leaves(&mut self, thread: ThreadId) -> Option<Stander> {
        let stander = self.threads.remove(&thread)?;
        if let Some(place) = stander.place
            && let Entry::Occupied(mut standing) = self.places.entry(place)
        {
            standing.get_mut().remove(&thread);
            if standing.get().is_empty() {
                standing.remove();
            }
        }
        Some(stander)
    }
}

impl Jvm<'_> {
    /// A look found a thread parked.
    pub(super) fn found_parked(&mut self, found: &Parked) {
        if self.is_under_way() && !self.again {
            let first = self.stood.parked.entry(found.thread);
            first.or_insert(Found {
                at: found.from,
                on: found.lock,
                timed: found.timed,
            });
        }
    }

    /// Begins again with who stood.
    pub(super) fn rewind_stood(&mut self) {
        let owned = &self.uses.known.owned;
        let is_lock = |lock| owned.get(&lock).is_some_and(|how| *how != Owned::Permit);
        self.stood.rewind(is_lock);
    }

    /// A thread is heard of for the first time, parked since then or doing something.
    pub(super) fn hears(&mut self, event: &Event) {
        let thread = event.thread;
        if self.again || !self.is_under_way() || self.stood.heard.contains_key(&thread) {
            return;
        }
        let def = self.collected.catalog.threads.get(&thread);
        let born = event.kind == EventKind::ThreadStart || self.started.contains(&thread);
        let is_virtual = def.is_some_and(|def| def.is_virtual && def.at_start) && !born;
        // The end of a join is told for what it is.
        let waited = match event.kind {
            EventKind::Waited { timed_out: false } => {
                event.lock.filter(|&lock| self.thread_of(lock).is_none())
            }
            _ => None,
        };
        let heard = Heard {
            at: event.at,
            waited,
            is_virtual,
        };
        self.stood.heard.insert(thread, heard);
    }

    /// A thread that stood goes on.
    pub(super) fn goes_on_at_last(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let Some(stander) = self.stood.leaves(event.thread) else {
            return;
        };
        // With a limit nobody need have let it go on.
        if (1..=TIMES).contains(&stander.times) || stander.timed && stander.times == 0 {
            return;
        }
        let ledger = Event {
            thread: EVERYTHING,
            stack: None,
            ..*event
        };
        self.stood.round = self.stood.round.saturating_add(1);
        let mut busy = std::mem::take(&mut self.stood.busy);
        busy.sort_unstable();
        for before in busy {
            let before = Thread(self.threads.number(before));
            self.tell(&ledger, Op::Follows(before), each);
        }
        let ledger = Thread(self.threads.number(EVERYTHING));
        self.tell(event, Op::StoodFor(ledger), each);
    }

    /// A thread does something that may let those go on who stood there.
    pub(super) fn may_let_go(&mut self, event: &Event, place: LockId, each: &mut dyn FnMut(&Step)) {
        let Some(standing) = self.stood.places.get(&place) else {
            return;
        };
        let others = standing.iter().filter(|&&thread| thread != event.thread);
        for stander in others.copied().collect::<Vec<_>>() {
            let Some(standing) = self.stood.threads.get_mut(&stander) else {
                continue;
            };
            standing.times = standing.times.saturating_add(1);
            if standing.times <= TIMES {
                let by = Thread(self.threads.number(event.thread));
                let event = Event {
                    thread: stander,
                    stack: None,
                    ..*event
                };
                self.tell(&event, Op::StoodFor(by), each);
            }
        }
    }

    /// The same of an operation.
    pub(super) fn operation_may_let_go(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if operation.outcome == Outcome::Done && lets_go(operation.act) {
            self.may_let_go(event, operation.lock, each);
        }
    }
}
