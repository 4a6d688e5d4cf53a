//! What is known of locks of `java.util.concurrent` whose operations were recorded: what both passes go by, and what each has
//! followed so far.

use super::counted::{Latch, Semaphore};
use super::encounters::{Encounters, Meetings, Place};
use super::handed::{Course, Handed};
use super::members::Members;
use super::rounds::{Found, Rounds};
use super::signals::Signals;
use super::stages::Stage;
use super::step::Mode;
use super::tasks::{Hands, Whole, is_of_tasks};
use crate::collect::Collected;
use crate::collect::parked::ParkedLog;
use crate::grip::Grip;
use crate::in_time::{Queue, Timed};
use crate::parked::{Owned, checks_owner, owned};
use locklens_trace::access::Access;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::kin::Kin;
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::target_key;
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Operations, or starts and ends of threads, were recorded: they and the events are put in the order of time.
    pub(super) are_there: bool,
    pub(super) queue: Queue<Deed>,
    pub(super) grips: BTreeMap<(ThreadId, LockId), Grip>,
    /// Times that each thread has met others, by barrier, and the most.
    pub(super) meets: BTreeMap<LockId, (BTreeMap<ThreadId, u64>, u64)>,
    /// Parks that were not over at the end, by thread.
    pub(super) open: BTreeMap<ThreadId, Park>,
    pub(super) hands: Hands,
    pub(super) course: Course,
    pub(super) encounters: Encounters,
    pub(super) rounds: Rounds,
    pub(super) signals: Signals,
    /// Parks at a place where threads meet, until that is told.
    pub(super) inner: BTreeMap<ThreadId, Park>,
    pub(super) members: Members,
    pub(super) known: Known,
}

/// What both passes go by.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Locks that can be held.
    pub(super) owned: BTreeMap<LockId, Owned>,
    /// Semaphores whose permits come from who was not seen to take them.
    pub(super) signals: BTreeSet<LockId>,
    /// By condition its lock.
    pub(super) outer: BTreeMap<LockId, LockId>,
    pub(super) latches: BTreeMap<LockId, Latch>,
    /// Futures of which something is to be run once they are complete.
    pub(super) stages: BTreeMap<LockId, Stage>,
    /// Futures that a thread found complete when it made another one of them, the how manieth that it named: and when it did.
    pub(super) complete_at: BTreeMap<(ThreadId, u64), Nanos>,
    /// What is run by a task of its own once all of these are complete.
    pub(super) needed: BTreeMap<LockId, Vec<LockId>>,
    /// What is complete only once these are.
    pub(super) wholes: BTreeMap<LockId, Whole>,
    pub(super) semaphores: BTreeMap<LockId, Semaphore>,
    /// Whether threads parked on it with a limit, and without.
    pub(super) limits: BTreeMap<LockId, (bool, bool)>,
    /// The same of one thread at a condition.
    pub(super) own_limits: BTreeMap<(LockId, ThreadId), (bool, bool)>,
    /// By lock and who tried to have it alone, whether he may have stood in line for that: he did not always try at once.
    pub(super) own_tries: BTreeMap<(LockId, ThreadId), bool>,
    /// Something was taken out of a queue.
    pub(super) queues: bool,
    /// Queues that may give any of their elements.
    pub(super) any: BTreeSet<LockId>,
    /// Puts that are told with the take of what was put.
    pub(super) handed: Handed,
    /// Where who comes first waits for others, and who met whom there.
    pub(super) places: BTreeMap<LockId, Place>,
    pub(super) meetings: Meetings,
    pub(super) rounds: Found,
    /// What threads are parked on there.
    pub(super) inside: BTreeSet<LockId>,
    /// There are tasks that are not told apart, and what happens to them is not told.
    pub(super) untold: bool,
    /// The first pass is over.
    pub(super) complete: bool,
}

/// What a thread did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Event(Event),
    Access(Access),
    Operation(Operation),
    Park(Park),
    /// The unpark that ended a park, at its own time.
    Unpark(Park, Unpark),
    Kin(Kin),
}

impl Timed for Deed {
    fn series(&self) -> (ThreadId, u8) {
        match self {
            // The accesses of a thread come among its events in the order of the file.
            Self::Event(Event { thread, .. }) | Self::Access(Access { thread, .. }) => (*thread, 0),
            Self::Operation(operation) => (operation.thread, 1),
            Self::Park(park) => (park.thread, 2),
            Self::Unpark(park, _) => (park.thread, 3),
            // Told as soon as it is known, while events of the same thread may wait for what a probe says.
            Self::Kin(kin) => (kin.thread, 4),
        }
    }

    fn at(&self) -> Nanos {
        match self {
            Self::Event(event) => event.at,
            Self::Access(access) => access.at,
            Self::Operation(operation) => operation.at,
            Self::Park(park) => park.to,
            Self::Unpark(_, unpark) => unpark.at,
            Self::Kin(kin) => kin.at,
        }
    }

    fn at_mut(&mut self) -> &mut Nanos {
        match self {
            Self::Event(event) => &mut event.at,
            Self::Access(access) => &mut access.at,
            Self::Operation(operation) => &mut operation.at,
            Self::Park(park) => &mut park.to,
            Self::Unpark(_, unpark) => &mut unpark.at,
            Self::Kin(kin) => &mut kin.at,
        }
    }
}

impl Uses {
    pub(super) fn of(collected: &Collected, has_kin: bool) -> Self {
        let logs = || collected.parked.iter();
        let is_one = |lock: &LockId| {
            let def = collected.parked.get(lock).and_then(|log| log.def);
            def.is_none_or(|def| !def.shared)
        };
        let under_way = collected.was_under_way();
        let strays = |lock: &LockId| {
            let uses = collected
                .parked
                .get(lock)
                .and_then(|log| log.uses.as_deref());
            uses.is_some_and(|uses| uses.is_given_by_others(under_way))
        };
        let mut owned = owned(collected, collected.recording.options.hide_safe);
        owned.retain(|lock, _| is_one(lock));
        let signals = owned
            .iter()
            .filter(|&(lock, how)| *how == Owned::Permit && strays(lock));
        let signals: BTreeSet<LockId> = signals.map(|(&lock, _)| lock).collect();
        // What was not seen to be taken was from before.
        let is_checked =
            |lock: &LockId| class(collected, *lock).is_some_and(|class| checks_owner(&class));
        // Where anybody may give back, nobody knows whose it is.
        owned.retain(|lock, _| !strays(lock) || is_checked(lock));
        let conditions = logs().filter_map(|(&lock, log)| Some((lock, log.synchronizer()?)));
        let latches = logs().filter(|(lock, _)| is_one(lock) && is_latch(collected, **lock));
        let has_tasks = |log: &ParkedLog| {
            let uses = log.uses.as_deref();
            // What several tasks are handed over in is none itself.
            let is_group = |act: Act| matches!(act, Act::Spread | Act::Gathered);
            let is_task = |act: Act| act.is_of_tasks() && !is_group(act);
            uses.is_some_and(|uses| uses.acts.keys().any(|&(act, _)| is_task(act)))
        };
        let untold = logs().any(|(lock, log)| !is_one(lock) && has_tasks(log));
        let used = logs().filter(|(lock, log)| is_one(lock) && log.uses.is_some());
        let places = used.filter_map(|(&lock, _)| Some((lock, Place::of(collected, lock)?)));
        let places: BTreeMap<LockId, Place> = places.collect();
        // There may be very many places, and few kinds of them.
        let kinds: BTreeSet<Place> = places.values().copied().collect();
        let inside = logs().filter(|(lock, _)| {
            is_signal(collected, **lock) || Place::has_inside(&kinds, collected, **lock)
        });
        let inside: BTreeSet<LockId> = inside.map(|(&lock, _)| lock).collect();
        let any = logs().filter(|(lock, log)| log.uses.is_some() && gives_any(collected, **lock));
        let has_queues = logs()
            .filter_map(|(_, log)| log.uses.as_deref())
            .any(|uses| uses.count(Act::Take, Outcome::Done) > 0);
        Self {
            are_there: has_kin
                || logs().any(|(_, log)| log.uses.is_some())
                // Parks have to come between the accesses, too.
                || collected.target.contains_key(target_key::ACCESSES_OF),
            known: Known {
                owned,
                signals,
                outer: conditions.collect(),
                latches: latches.map(|(&lock, _)| (lock, Latch::default())).collect(),
                untold,
                queues: has_queues,
                inside,
                any: any.map(|(&lock, _)| lock).collect(),
                places,
                ..Known::default()
            },
            members: Members::of(collected),
            ..Self::default()
        }
    }

    /// From the beginning, with what the first pass has shown.
    pub(super) fn rewind(&mut self) {
        let mut known = std::mem::take(&mut self.known);
        known.complete = true;
        let mut members = std::mem::take(&mut self.members);
        members.rewind();
        *self = Self {
            are_there: self.are_there,
            members,
            known,
            ..Self::default()
        };
    }

    /// Whether all who meet there are needed each time, as far as the first pass saw that.
    pub(super) fn is_even(&self, lock: LockId) -> bool {
        match self.known.places.get(&lock) {
            Some(Place::Phases) => self.rounds.are_even(lock),
            _ => self.meets.get(&lock).is_some_and(|(times, most)| {
                times.len() > 1 && times.values().all(|own| own == most)
            }),
        }
    }

    pub(super) fn is_latch(&self, lock: LockId) -> bool {
        self.known.latches.contains_key(&lock)
    }

    /// Whether threads are parked on it to meet others, which is told.
    pub(super) fn is_inside(&self, lock: LockId) -> bool {
        self.known.inside.contains(&lock)
    }

    /// Whether a lock, or a condition of it, has an owner or permits.
    pub(super) fn is_owned(&self, lock: LockId) -> bool {
        let of = self.known.outer.get(&lock).copied().unwrap_or(lock);
        self.known.owned.contains_key(&of)
    }

    pub(super) fn learn_park(&mut self, park: &Park) {
        let Some(lock) = park.lock else {
            return;
        };
        if park.end == ParkEnd::Open {
            self.open.insert(park.thread, *park);
        }
        if self.known.complete {
            return;
        }
        let known = &mut self.known;
        let of_all = known.limits.entry(lock).or_default();
        let is_condition = known.outer.contains_key(&lock);
        let own = is_condition.then(|| known.own_limits.entry((lock, park.thread)).or_default());
        for limits in [Some(of_all), own].into_iter().flatten() {
            match park.limit {
                Some(_) => limits.0 = true,
                None => limits.1 = true,
            }
        }
        if let Some(latch) = self.known.latches.get_mut(&lock) {
            latch.park(park);
        }
        if let Some(semaphore) = self.known.semaphores.get_mut(&lock) {
            semaphore.park(park);
        }
    }

    /// What a thread holds, and what it is in the middle of, is not known any more.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.grips.retain(|(of, _), _| *of != thread);
        self.hands.forget(thread);
        self.members.forget(thread);
    }

    /// What an operation leaves its thread with: how it held the lock before, and how it does now.
    pub(super) fn turned(
        &mut self,
        operation: &Operation,
        lock: LockId,
    ) -> (Option<Mode>, Option<Mode>) {
        let Some(&how) = self.known.owned.get(&lock) else {
            return (None, None);
        };
        let key = (operation.thread, lock);
        let before = self.grips.get(&key).copied().unwrap_or_default();
        let mut after = before;
        after.apply(operation);
        match after.is_free() {
            true => drop(self.grips.remove(&key)),
            false => drop(self.grips.insert(key, after)),
        }
        if how == Owned::Permit && !self.known.complete {
            let semaphore = self.known.semaphores.entry(lock).or_default();
            semaphore.turned(operation.at, before.shared, after.shared);
            if operation.act == Act::Share {
                semaphore.asked(operation);
            }
        }
        (mode(how, before), mode(how, after))
    }
}

/// How a lock is held.
fn mode(how: Owned, grip: Grip) -> Option<Mode> {
    match (grip.alone, grip.shared, how) {
        (0, 0, _) => None,
        (0, count, Owned::Permit) => Some(Mode::Permit(count)),
        (0, _, _) => Some(Mode::Shared),
        _ => Some(Mode::Exclusive),
    }
}

pub(super) fn class(collected: &Collected, lock: LockId) -> Option<String> {
    let def = collected.catalog.locks.get(&lock)?;
    Some(collected.catalog.class_name(def.class))
}

fn is_latch(collected: &Collected, lock: LockId) -> bool {
    is_counted(collected, lock) || is_of_tasks(collected, lock)
}

/// What those are parked on who wait for a future.
fn is_signal(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.CompletableFuture$"))
}

/// Which element of a queue is next its order says, or who takes from its other end.
fn gives_any(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock).unwrap_or_default();
    let inner = class.strip_prefix("java.util.concurrent.");
    matches!(
        inner,
        Some("PriorityBlockingQueue" | "DelayQueue" | "LinkedBlockingDeque")
    )
}

/// A latch that the program counts down itself.
pub(super) fn is_counted(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.CountDownLatch"))
}

/// A lock of the JDK's that lets nobody in who has it already.
pub(super) fn is_stamped(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.locks.StampedLock"))
}

/// A semaphore of the JDK's where nobody comes before who has waited longer.
pub(super) fn is_fair(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class == "java.util.concurrent.Semaphore$FairSync")
}

/// A lock of the JDK's that readers share.
pub(super) fn is_of_readers(collected: &Collected, lock: LockId) -> bool {
    let known = ["ReentrantReadWriteLock", "StampedLock"];
    let class = class(collected, lock);
    let inner = class
        .as_deref()
        .and_then(|class| class.strip_prefix("java.util.concurrent.locks."));
    inner.is_some_and(|inner| known.iter().any(|name| inner.starts_with(name)))
}
