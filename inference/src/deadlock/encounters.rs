//! Where who comes first waits for another to come: queues that have no room, exchangers, barriers and phases; and queues
//! where somebody waits for an element, or to be rid of one, without any lock inside.
//!
//! Two who meet tell it once it is over, one after the other, and it is at the first of these moments that both have come.
//! Who the other was the first pass finds: the next that tells of it and has done nothing else since then. In the second
//! pass all of it is told for both at that moment: they wait for each other, and what each had done came before what
//! the other does next.

use super::finding::Awaited;
use super::jvm::Jvm;
use super::step::{Lock, Op, Step, Thread};
use super::uses::{Deed, class};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, VecDeque};

/// The id of a queue with this bit stands for those who take from it.
const TAKERS: u32 = 1 << 27;
/// Meetings remembered of which one has not told yet.
const OPEN: usize = 64;
/// Meetings that are remembered: beyond that the order is not known.
const MEETINGS: usize = 1 << 20;

/// What threads wait for there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A queue that has no room: each is handed over to who takes it.
    Hand,
    /// A queue whose putters may wait, or leave it there.
    Transfer,
    /// Two exchange.
    Swap,
    /// All come, and go on together.
    Barrier,
}

impl Place {
    pub(super) fn of(collected: &Collected, lock: LockId) -> Option<Self> {
        let class = class(collected, lock)?;
        match class.strip_prefix("java.util.concurrent.")? {
            "SynchronousQueue" => Some(Self::Hand),
            "LinkedTransferQueue" => Some(Self::Transfer),
            "Exchanger" => Some(Self::Swap),
            "Phaser" | "CyclicBarrier" => Some(Self::Barrier),
            _ => None,
        }
    }

    /// Whether a lock is such a place, or what threads are parked on inside one.
    pub(super) fn has_inside(collected: &Collected, lock: LockId) -> bool {
        let class = class(collected, lock).unwrap_or_default();
        let outer = class.strip_prefix("java.util.concurrent.");
        let outer = outer.and_then(|inner| inner.split('$').next());
        matches!(
            outer,
            Some("SynchronousQueue" | "LinkedTransferQueue" | "Exchanger" | "Phaser")
        )
    }
}

/// The queue itself, and whether its takers are meant.
pub(super) fn queue_of(lock: LockId) -> (LockId, bool) {
    (LockId(lock.0 & !TAKERS), lock.0 & TAKERS != 0)
}

fn takers_of(queue: LockId) -> LockId {
    LockId(queue.0 | TAKERS)
}

/// How a thread met another one.
#[derive(Clone, Copy, Debug)]
enum Met {
    /// It told of it first; the other did it this way.
    First(ThreadId, Comes),
    /// It was told with the other one.
    Second,
}

/// What somebody comes for, and to whom it matters that he does.
#[derive(Clone, Copy, Debug)]
struct Comes {
    waits_for: LockId,
    lets_go: LockId,
    /// It waits as long as it takes.
    waits: bool,
}

impl Comes {
    fn of(operation: &Operation, place: Place) -> Self {
        let lock = operation.lock;
        let (waits_for, lets_go) = match (place, operation.act) {
            (Place::Hand | Place::Transfer, Act::Put) => (takers_of(lock), lock),
            (Place::Hand | Place::Transfer, _) => (lock, takers_of(lock)),
            (Place::Swap | Place::Barrier, _) => (lock, lock),
        };
        Self {
            waits_for,
            lets_go,
            waits: !operation.tries,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.lets_go == other.waits_for
    }
}

/// Meetings that were found in the first pass, by place, thread and number.
#[derive(Debug, Default)]
pub(super) struct Meetings(BTreeMap<(LockId, ThreadId, u64), Met>);

/// What was told so far.
#[derive(Debug, Default)]
pub(super) struct Encounters {
    numbers: BTreeMap<(LockId, ThreadId), u64>,
    /// By place, those whose other one has not told yet.
    open: BTreeMap<LockId, VecDeque<End>>,
    /// When threads did something last.
    latest: BTreeMap<ThreadId, Nanos>,
}

/// Somebody came out.
#[derive(Clone, Copy, Debug)]
struct End {
    at: Nanos,
    thread: ThreadId,
    number: u64,
    comes: Comes,
}

impl Encounters {
    fn number(&mut self, operation: &Operation) -> u64 {
        let number = self.numbers.entry((operation.lock, operation.thread));
        let number = number.or_default();
        *number += 1;
        *number
    }

    /// Somebody came out of a meeting: with whom, if that was told before.
    fn learn(&mut self, operation: &Operation, comes: Comes, known: &mut Meetings) {
        let number = self.number(operation);
        let &Operation {
            at, thread, lock, ..
        } = operation;
        let idle_since = self.latest.get(&thread).copied().unwrap_or(Nanos(0));
        let open = self.open.entry(lock).or_default();
        let is_it =
            |end: &End| end.thread != thread && end.comes.meets(&comes) && idle_since <= end.at;
        if let Some(end) = open.iter().position(is_it).and_then(|ix| open.remove(ix)) {
            if known.0.len() < MEETINGS {
                let first = (lock, end.thread, end.number);
                known.0.insert(first, Met::First(thread, comes));
                known.0.insert((lock, thread, number), Met::Second);
            }
            return;
        }
        if open.len() >= OPEN {
            open.pop_front();
        }
        open.push_back(End {
            at,
            thread,
            number,
            comes,
        });
    }
}

impl Jvm<'_> {
    /// Notes in the first pass that a thread did something.
    pub(super) fn learn_latest(&mut self, deed: &Deed) {
        if self.uses.known.complete || self.uses.known.places.is_empty() {
            return;
        }
        let (thread, at) = match deed {
            Deed::Event(event) => (event.thread, event.at),
            Deed::Access(access) => (access.thread, access.at),
            Deed::Operation(operation) => (operation.thread, operation.at),
            Deed::Kin(kin) => (kin.thread, kin.at),
            // It does that within the meeting.
            Deed::Park(_) | Deed::Unpark(..) => return,
        };
        self.uses.encounters.latest.insert(thread, at);
    }

    /// What is done where others may have to come first; false if that is told elsewhere.
    pub(super) fn meets_at(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        let Some(&place) = self.uses.known.places.get(&operation.lock) else {
            return false;
        };
        let comes = Comes::of(operation, place);
        match (place, operation.act) {
            (_, Act::Put | Act::Take | Act::Meet) if operation.outcome != Outcome::Done => {
                self.awaits(event, comes, each);
            }
            (Place::Hand, Act::Put | Act::Take) | (Place::Swap, Act::Meet) => {
                self.encounter(operation, event, comes, each);
            }
            (Place::Transfer, Act::Put) => self.transfers(operation, event, comes, each),
            (Place::Transfer, Act::Take) => {
                self.awaits(event, comes, each);
                self.lets_go(event, comes, each);
                self.takes(operation, event, each);
            }
            (Place::Barrier, Act::Arrive) => self.lets_go(event, comes, each),
            (Place::Barrier, Act::Pass) => {
                self.awaits(event, comes, each);
                return false;
            }
            _ => return false,
        }
        true
    }

    /// Two meet.
    fn encounter(
        &mut self,
        operation: &Operation,
        event: &Event,
        comes: Comes,
        each: &mut dyn FnMut(&Step),
    ) {
        let known = &mut self.uses.known;
        if !known.complete {
            let (encounters, meetings) = (&mut self.uses.encounters, &mut known.meetings);
            encounters.learn(operation, comes, meetings);
            self.awaits(event, comes, each);
            return self.lets_go(event, comes, each);
        }
        let number = self.uses.encounters.number(operation);
        let met = known
            .meetings
            .0
            .get(&(operation.lock, event.thread, number));
        match met.copied() {
            Some(Met::Second) => {}
            Some(Met::First(other, its)) if self.threads.known.contains_key(&other) => {
                let both = [(*event, comes), (elsewhere(event, other), its)];
                for (event, comes) in &both {
                    self.awaits(event, *comes, each);
                }
                for ((event, comes), (other, _)) in both.iter().zip(both.iter().rev()) {
                    self.lets_go(event, *comes, each);
                    let other = Thread(self.threads.number(other.thread));
                    self.tell(event, Op::Follows(other), each);
                }
            }
            Some(Met::First(..)) | None => {
                self.awaits(event, comes, each);
                self.lets_go(event, comes, each);
            }
        }
    }

    /// What is put may be left there. If it is told with its take, so is the wait for that.
    fn transfers(
        &mut self,
        operation: &Operation,
        event: &Event,
        comes: Comes,
        each: &mut dyn FnMut(&Step),
    ) {
        if self.is_told_here(operation) {
            self.awaits(event, comes, each);
            self.lets_go(event, comes, each);
            self.puts(operation.lock, event, each);
        }
    }

    /// Who put what is taken now, and waits until it is.
    pub(super) fn hands_over(&mut self, queue: LockId, by: &Event, each: &mut dyn FnMut(&Step)) {
        if self.uses.known.places.get(&queue) == Some(&Place::Transfer) {
            let lock = Lock(self.locks.number(takers_of(queue)));
            self.tell(by, Op::Awaits { lock, timed: false }, each);
        }
    }

    /// All who meet at a barrier wait for each other from the moment on at which the first comes out.
    pub(super) fn come_together(
        &mut self,
        operation: &Operation,
        events: &[Event],
        each: &mut dyn FnMut(&Step),
    ) {
        let comes = Comes::of(operation, Place::Barrier);
        for event in events {
            self.awaits(event, comes, each);
        }
    }

    /// That somebody came to wait at a barrier.
    pub(super) fn comes_to(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let comes = Comes::of(operation, Place::Barrier);
        self.awaits(event, comes, each);
    }

    fn awaits(&mut self, event: &Event, comes: Comes, each: &mut dyn FnMut(&Step)) {
        if comes.waits {
            let lock = Lock(self.locks.number(comes.waits_for));
            self.tell(event, Op::Awaits { lock, timed: false }, each);
        }
    }

    fn lets_go(&mut self, event: &Event, comes: Comes, each: &mut dyn FnMut(&Step)) {
        let lock = Lock(self.locks.number(comes.lets_go));
        self.tell(event, Op::Opens { lock, over: false }, each);
    }

    /// What somebody waits for there who does not want to have it.
    pub(super) fn awaited(&self, lock: LockId) -> Awaited {
        let (queue, takers) = queue_of(lock);
        match (self.uses.known.places.get(&queue), takers) {
            (Some(Place::Hand | Place::Transfer), false) => Awaited::Put,
            (Some(Place::Hand | Place::Transfer), true) => Awaited::Take,
            (Some(Place::Swap | Place::Barrier), _) => Awaited::Meeting,
            (None, _) if self.uses.is_latch(lock) => Awaited::Count,
            (None, _) => Awaited::Notify,
        }
    }
}

fn elsewhere(event: &Event, thread: ThreadId) -> Event {
    Event {
        thread,
        stack: None,
        ..*event
    }
}
