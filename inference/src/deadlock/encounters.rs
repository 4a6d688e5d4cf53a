//! Where who comes first waits for another to come: queues that have no room, exchangers, barriers and phases; and queues
//! where somebody waits for an element, or to be rid of one, without any lock inside.
//!
//! Two who meet tell it once it is over, one after the other, and it is at the first of these moments that both have come.
//! Who the other was the first pass finds: the next that tells of it and has done nothing else since then. In the second
//! pass all of it is told for both at that moment: they wait for each other, and what each had done came before what
//! the other does next.

use super::finding::Awaited;
use super::jvm::Jvm;
use super::step::{By, Lock, Op, Over, Step, Thread};
use super::uses::{Deed, class};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::Park;
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The id of a queue with this bit stands for those who take from it.
const TAKERS: u32 = 1 << 27;
/// Meetings remembered of which one has not told yet.
const OPEN: usize = 64;
/// Meetings that are remembered: beyond that the order is not known.
const MEETINGS: usize = 1 << 20;

/// What threads wait for there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A queue that has no room: each is handed over to who takes it.
    Hand,
    /// A queue whose putters may wait, or leave it there.
    Transfer,
    /// Two exchange.
    Swap,
    /// All come, and go on together.
    Phases,
    /// The same; those that come first wait on a condition inside, which is told, and the last one signals there.
    Barrier,
}

impl Place {
    /// Of a class of the JDK's, or of one that is made of it.
    pub(super) fn of(collected: &Collected, lock: LockId) -> Option<Self> {
        let def = collected.catalog.locks.get(&lock)?;
        let class = collected.catalog.classes.get(&def.class)?;
        let known = Self::named(&class.name);
        known.or_else(|| Self::named(class.super_name.as_deref()?))
    }

    fn named(class: &str) -> Option<Self> {
        match class.strip_prefix("java.util.concurrent.")? {
            "SynchronousQueue" => Some(Self::Hand),
            "LinkedTransferQueue" => Some(Self::Transfer),
            "Exchanger" => Some(Self::Swap),
            "Phaser" => Some(Self::Phases),
            "CyclicBarrier" => Some(Self::Barrier),
            _ => None,
        }
    }

    /// Whether threads may be parked on it, or on what is inside of it, to meet others at a place of these kinds.
    pub(super) fn has_inside(kinds: &BTreeSet<Self>, collected: &Collected, lock: LockId) -> bool {
        let class = class(collected, lock).unwrap_or_default();
        let outer = Self::named(class.split('$').next().unwrap_or_default());
        // From JDK 21 on the one is the inside of the other.
        let handed = outer == Some(Self::Transfer) && kinds.contains(&Self::Hand);
        handed || outer.is_some_and(|outer| kinds.contains(&outer))
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
    /// It does not come back before the other has come: who only offers goes on in any case.
    follows: bool,
}

impl Comes {
    fn of(operation: &Operation, place: Place) -> Self {
        let lock = operation.lock;
        let (waits_for, lets_go) = match (place, operation.act) {
            (Place::Hand | Place::Transfer, Act::Put) => (takers_of(lock), lock),
            (Place::Hand | Place::Transfer, _) => (lock, takers_of(lock)),
            (Place::Swap | Place::Phases | Place::Barrier, _) => (lock, lock),
        };
        Self {
            waits_for,
            lets_go,
            waits: !operation.tries,
            follows: !operation.tries || operation.act == Act::Take,
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

    /// When it did something last, besides being parked.
    pub(super) fn idle_since(&self, thread: ThreadId) -> Nanos {
        self.latest.get(&thread).copied().unwrap_or(Nanos(0))
    }

    /// Somebody came out of a meeting: with whom, if that was told before.
    fn learn(&mut self, operation: &Operation, comes: Comes, known: &mut Meetings) {
        let number = self.number(operation);
        let &Operation {
            at, thread, lock, ..
        } = operation;
        let idle_since = self.idle_since(thread);
        let open = self.open.entry(lock).or_default();
        let is_it =
            |end: &End| end.thread != thread && end.comes.meets(&comes) && idle_since <= end.at;
        // What it left open before somebody has met who did not tell of it.
        open.retain(|end| end.thread != thread);
        if let Some(end) = open.iter().rposition(is_it).and_then(|ix| open.remove(ix)) {
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
        self.uses.rounds.learn(deed);
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
        self.at_place(place, operation, event, comes, each)
    }

    pub(super) fn is_place(&self, lock: LockId) -> bool {
        self.uses.known.places.contains_key(&lock)
    }

    fn at_place(
        &mut self,
        place: Place,
        operation: &Operation,
        event: &Event,
        comes: Comes,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        match (place, operation.act) {
            (_, Act::Put | Act::Take | Act::Meet) if operation.outcome != Outcome::Done => {
                self.awaits(event, comes, each);
            }
            (Place::Hand, Act::Put | Act::Take) | (Place::Swap, Act::Meet) => {
                self.encounter(operation, event, comes, each);
                if (place, operation.act) == (Place::Hand, Act::Take) {
                    let (queue, lay) = (Lock(self.locks.number(operation.lock)), false);
                    let filled = None;
                    self.tell(event, Op::Fetched { queue, lay, filled }, each);
                }
            }
            (Place::Transfer, Act::Put) => self.transfers(operation, event, comes, each),
            (Place::Transfer, Act::Take) => {
                self.awaits(event, comes, each);
                self.lets_go(event, comes, each);
                self.takes(operation, event, each);
            }
            (Place::Phases, Act::Meet) => self.round(operation, event, each),
            (Place::Phases, Act::Arrive) => self.lets_go(event, comes, each),
            (Place::Phases, Act::Pass) => {
                self.awaits(event, comes, each);
                return false;
            }
            _ => return false,
        }
        true
    }

    /// A park is over. What ended it, where threads meet, is told after what it was for.
    pub(super) fn goes_on(&mut self, park: &Park, each: &mut dyn FnMut(&Step)) {
        match park.lock.is_some_and(|lock| self.uses.is_inside(lock)) {
            true => {
                self.went_on(park.thread, each);
                self.uses.inner.insert(park.thread, *park);
            }
            false => self.was_let_go(park, each),
        }
    }

    fn was_let_go(&mut self, park: &Park, each: &mut dyn FnMut(&Step)) {
        self.woken(park, each);
        self.may_follow_unpark(park, each);
    }

    /// What it was parked for is told, or it does something else.
    pub(super) fn went_on(&mut self, thread: ThreadId, each: &mut dyn FnMut(&Step)) {
        if let Some(park) = self.uses.inner.remove(&thread) {
            self.was_let_go(&park, each);
        }
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
                    if comes.follows {
                        let other = Thread(self.threads.number(other.thread));
                        self.tell(event, Op::Follows(other), each);
                    }
                }
            }
            // By somebody who met several at once, or whose record is missing.
            Some(Met::First(..)) | None => {
                self.awaits(event, comes, each);
                self.lets_go(event, comes, each);
                self.passed_on(operation, event, each);
            }
        }
    }

    /// What was put comes before what was taken then, whoever it was.
    fn passed_on(&mut self, operation: &Operation, event: &Event, each: &mut dyn FnMut(&Step)) {
        let lock = Lock(self.locks.number(operation.lock));
        match operation.act {
            Act::Put => self.tell(event, Op::Puts(lock), each),
            Act::Take => {
                let any = false;
                self.several(operation.count, Op::Takes { lock, any }, event, each);
            }
            _ => {}
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

    /// Who put what is taken now, and perhaps waits until it is.
    pub(super) fn hands_over(
        &mut self,
        queue: LockId,
        waits: bool,
        by: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if self.uses.known.places.get(&queue) == Some(&Place::Transfer) {
            if waits {
                self.comes_to(takers_of(queue), by, each);
            }
            self.has_come(queue, by, each);
        }
    }

    /// Somebody comes to wait there.
    pub(super) fn comes_to(&mut self, place: LockId, event: &Event, each: &mut dyn FnMut(&Step)) {
        let lock = Lock(self.locks.number(place));
        let (timed, by) = (false, By::Any);
        self.tell(event, Op::Awaits { lock, timed, by }, each);
    }

    /// Somebody is there for whom others may wait.
    pub(super) fn has_come(&mut self, place: LockId, event: &Event, each: &mut dyn FnMut(&Step)) {
        let lock = Lock(self.locks.number(place));
        self.tell(
            event,
            Op::Opens {
                lock,
                over: Over::Nothing,
            },
            each,
        );
    }

    fn awaits(&mut self, event: &Event, comes: Comes, each: &mut dyn FnMut(&Step)) {
        if comes.waits {
            self.comes_to(comes.waits_for, event, each);
        }
    }

    fn lets_go(&mut self, event: &Event, comes: Comes, each: &mut dyn FnMut(&Step)) {
        self.has_come(comes.lets_go, event, each);
    }

    /// What somebody waits for there who does not want to have it.
    pub(super) fn awaited(&self, lock: LockId) -> Awaited {
        let (queue, takers) = queue_of(lock);
        match (self.uses.known.places.get(&queue), takers) {
            (Some(Place::Hand | Place::Transfer), false) => Awaited::Put,
            (Some(Place::Hand | Place::Transfer), true) => Awaited::Take,
            (Some(Place::Swap | Place::Phases | Place::Barrier), _) => Awaited::Meeting,
            (None, _) if self.uses.is_latch(lock) => Awaited::Count,
            (None, _) if self.uses.known.signals.contains(&lock) => Awaited::Permit,
            (None, _) => Awaited::Notify,
        }
    }
}

pub(super) fn elsewhere(event: &Event, thread: ThreadId) -> Event {
    Event {
        thread,
        stack: None,
        ..*event
    }
}
