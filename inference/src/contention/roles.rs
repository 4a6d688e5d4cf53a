//! Locks that the program has built of a monitor: a wait in an operation that acquires is time blocked on them.
//!
//! (Reiss 2008, §2.) A thread that waits inside `acquire`, `lock`, `read-lock`, `write-lock`, `put`, `take` or `await`
//! is in nobody's way at the monitor, and yet held up: by those who have passed through an operation that acquires and
//! not yet through one that releases. Where probes tell of every operation these are followed, each with the chain where
//! it acquired; time is divided equally among readers, and among those who have a permit. Who waits in `put`, `take` or
//! `await` waits for something to be done, which nobody holds back by holding. Elsewhere it is not known who has passed.

use super::acts::{Act, act_of_waits, acts};
use super::follow::Waiting;
use super::room::Room;
use super::stay::{Chain, Group, Holder, Measure, Part, Piece, Stay, Why};
use crate::analysis::Analysis;
use crate::collect::{Collected, FastHash};
use crate::model::LogicalLock;
use crate::program::Program;
use crate::region::Region;
use crate::region::place::standing;
use crate::types::{Detail, LockType};
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, HashMap};

/// Holders of one lock that are told apart.
const MOST: usize = 1024;

/// Threads that hold a lock, and where they took it.
pub(super) type Holders = Vec<(ThreadId, Option<StackId>)>;

/// What has to be for somebody to get through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nobody else is in it.
    Alone,
    /// Nobody is alone in it.
    Shared,
    /// Somebody gives back a permit.
    Permit,
}

/// A thread inside the monitor.
#[derive(Clone, Copy, Debug)]
struct Visit {
    depth: u32,
    act: Act,
    site: Option<StackId>,
    /// A wait in it ended by its time-out: nobody knows whether it got through.
    is_unclear: bool,
    /// It has waited in it.
    has_waited: bool,
    /// It has begun to wait, and was not seen to have the monitor again.
    is_away: bool,
}

/// A thread has got through.
#[derive(Clone, Copy, Debug)]
struct Hold {
    by: ThreadId,
    site: Option<StackId>,
    /// It had got through before, and still has.
    is_again: bool,
}

/// Who has got through.
#[derive(Debug, Default)]
struct Held {
    by: Vec<Hold>,
    /// All of them are known.
    is_known: bool,
    /// What they have are permits, of which a thread may have several.
    permits: bool,
    since: Nanos,
    room: Room,
    /// The same for those who wait for something to be done, …
    awaiting: Room,
    /// … or for something to take.
    idle: Room,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Roles<'a> {
    collected: &'a Collected,
    program: Program<'a>,
    objects: HashMap<LockId, usize, FastHash>,
    /// What the regions of each logical lock do.
    acts: BTreeMap<usize, BTreeMap<Region, Act>>,
    of_stack: HashMap<(usize, StackId), Act>,
    /// What is done wherever threads were seen to wait, if that is one thing: a wait without a call chain is in such an operation.
    of_waits: BTreeMap<usize, Act>,
    /// How many permits each logical lock has, where that is known.
    permits: BTreeMap<usize, u64>,
    visits: HashMap<(ThreadId, LockId), Visit>,
    /// Who came into each monitor last.
    last: HashMap<LockId, ThreadId, FastHash>,
    held: HashMap<LockId, Held, FastHash>,
    from_launch: bool,
}

impl<'a> Roles<'a> {
    pub(super) fn new(collected: &'a Collected, analysis: &Analysis) -> Self {
        let mut roles = Self {
            collected,
            program: Program::of(&collected.catalog),
            objects: HashMap::default(),
            acts: BTreeMap::new(),
            of_stack: HashMap::new(),
            of_waits: BTreeMap::new(),
            permits: BTreeMap::new(),
            visits: HashMap::new(),
            last: HashMap::default(),
            held: HashMap::default(),
            from_launch: is_launch(collected),
        };
        let locks = analysis.model.locks.iter().zip(&analysis.objects);
        for (index, (lock, objects)) in locks.enumerate() {
            let acts = acts(lock, analysis);
            if lock.is_likely() && lock.sampled.is_none() && acts.values().any(|act| act.blocks()) {
                roles.objects.extend(objects.iter().map(|&id| (id, index)));
                let of_waits = act_of_waits(lock, &acts, analysis);
                roles.of_waits.extend(of_waits.map(|act| (index, act)));
                roles.acts.insert(index, acts);
                roles
                    .permits
                    .extend(permits(lock).map(|permits| (index, permits)));
            }
        }
        roles
    }

    /// Who has got through to what a thread wants that waits there; none if not all of them are known, or it wants no such.
    pub(super) fn holders(
        &mut self,
        lock: LockId,
        stack: Option<StackId>,
    ) -> Option<(Needs, Holders)> {
        let act = self.waiting_act(lock, stack).filter(|act| act.gets)?;
        let needs = match (act.alone, act.permit) {
            (true, false) => Needs::Alone,
            (false, true) => Needs::Permit,
            (false, false) => Needs::Shared,
            (true, true) => return None,
        };
        let held = self.held.get(&lock).filter(|held| held.is_known)?;
        let by = held.by.iter().map(|hold| (hold.by, hold.site));
        Some((needs, by.collect()))
    }

    /// A probe saw a thread come in.
    pub(super) fn entered(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        lock: LockId,
        site: Option<StackId>,
    ) {
        let Some(act) = self.act(lock, site) else {
            return;
        };
        self.unseen(at, thread, lock);
        let visit = Visit {
            depth: 0,
            act,
            site,
            is_unclear: false,
            has_waited: false,
            is_away: false,
        };
        let visit = self.visits.entry((thread, lock)).or_insert(visit);
        visit.depth = visit.depth.saturating_add(1);
    }

    /// A thread comes in. Who is said to be inside, or comes in itself though it is said to wait, has left without being seen, in code
    /// from before the rewriting: what it did to the lock is not known.
    fn unseen(&mut self, at: Nanos, thread: ThreadId, lock: LockId) {
        let last = self.last.insert(lock, thread);
        let other = last.filter(|&other| other != thread);
        let is_inside = |id: &ThreadId| self.visits.get(&(*id, lock)).is_some_and(|v| !v.is_away);
        let is_away = |id: &ThreadId| self.visits.get(&(*id, lock)).is_some_and(|v| v.is_away);
        let gone = [other.filter(is_inside), Some(thread).filter(is_away)];
        for gone in gone.into_iter().flatten() {
            let visit = self.visits.remove(&(gone, lock));
            if visit.is_some_and(|visit| visit.act.changes()) {
                let held = self.held_of(lock);
                held.tell(at);
                held.is_known = false;
            }
        }
    }

    /// A thread that waited has the monitor again.
    pub(super) fn resumed(&mut self, thread: ThreadId, lock: LockId) {
        if let Some(visit) = self.visits.get_mut(&(thread, lock)) {
            visit.is_away = false;
            self.last.insert(lock, thread);
        }
    }

    /// A probe saw it leave.
    pub(super) fn exit(&mut self, at: Nanos, thread: ThreadId, lock: LockId) {
        let Some(visit) = self.visits.get_mut(&(thread, lock)) else {
            return;
        };
        visit.depth -= 1;
        if visit.depth > 0 {
            return;
        }
        let visit = *visit;
        self.visits.remove(&(thread, lock));
        if visit.act.changes() {
            let permits = self.objects.get(&lock);
            let permits = permits.and_then(|index| self.permits.get(index).copied());
            self.held_of(lock).change(at, thread, &visit, permits);
        }
    }

    /// A thread waits; true if that is time blocked.
    pub(super) fn wait(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        lock: LockId,
        stack: Option<StackId>,
    ) {
        let visit = self.visits.get_mut(&(thread, lock));
        let visit = visit.map(|visit| {
            visit.is_away = true;
            visit.act
        });
        let act = visit.or_else(|| self.waiting_act(lock, stack));
        let Some(act) = act.filter(|act| act.blocks()) else {
            return;
        };
        let held = self.held_of(lock);
        held.tell(at);
        let room = match act {
            Act { gets: true, .. } => &mut held.room,
            Act { takes: true, .. } => &mut held.idle,
            _ => &mut held.awaiting,
        };
        room.enter(thread, Group::Logical, stack, at);
    }

    /// The wait is over; none if it was no time blocked.
    pub(super) fn over(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        lock: LockId,
        is_known: bool,
        timed_out: bool,
    ) -> Option<Stay> {
        let visit = self.visits.get_mut(&(thread, lock));
        let part = visit.map_or(Part::Unclear, |visit| {
            visit.is_unclear |= timed_out;
            match std::mem::replace(&mut visit.has_waited, true) {
                true => Part::Later,
                false => Part::First,
            }
        });
        let held = self.held.get_mut(&lock)?;
        held.tell(at);
        let left = held.room.leave(thread, at);
        let left = left.or_else(|| held.awaiting.leave(thread, at));
        let (blocked, pieces) = left.or_else(|| held.idle.leave(thread, at))?;
        Some(Stay {
            group: Group::Logical,
            lock,
            waiter: thread,
            stack: blocked.stack,
            pieces,
            measure: match is_known {
                true => Measure::Exact,
                false => Measure::Unknown,
            },
            part,
        })
    }

    /// Whether a wait there may be time blocked, and nobody knows.
    pub(super) fn is_unplaced(&self, thread: ThreadId, at: &Waiting) -> bool {
        let is_told = at.stack.is_some() || self.visits.contains_key(&(thread, at.lock));
        let index = self.objects.get(&at.lock).filter(|_| !is_told);
        index.is_some_and(|index| !self.of_waits.contains_key(index))
    }

    /// What is done where a thread waits.
    fn waiting_act(&mut self, lock: LockId, stack: Option<StackId>) -> Option<Act> {
        match stack {
            Some(_) => self.act(lock, stack),
            None => self.of_waits.get(self.objects.get(&lock)?).copied(),
        }
    }

    fn held_of(&mut self, lock: LockId) -> &mut Held {
        let is_known = self.from_launch;
        self.held.entry(lock).or_insert_with(|| Held {
            is_known,
            ..Held::default()
        })
    }

    /// What is done in the region that a chain stands in; none of a lock that is no such.
    fn act(&mut self, lock: LockId, stack: Option<StackId>) -> Option<Act> {
        let index = *self.objects.get(&lock)?;
        let stack = stack?;
        if let Some(&act) = self.of_stack.get(&(index, stack)) {
            return Some(act);
        }
        let acts = self.acts.get(&index)?;
        let frames = &self.collected.catalog.stacks.get(&stack)?.frames;
        let regions = frames
            .iter()
            .rev()
            .flat_map(|&frame| standing(&self.program, frame).into_iter().rev());
        let (mut act, mut keeps) = (None, false);
        for region in regions {
            match acts.get(&region) {
                Some(found) => act = act.or(Some(*found)),
                None => keeps = true,
            }
        }
        let mut act: Act = act.unwrap_or_default();
        // Who keeps another monitor from others while he waits is not idle.
        act.takes &= !keeps;
        self.of_stack.insert((index, stack), act);
        Some(act)
    }
}

impl Held {
    /// Tells those who wait how it has been since the last change.
    fn tell(&mut self, at: Nanos) {
        let (from, to) = (self.since, at.max(self.since));
        self.since = to;
        self.awaiting
            .tell(Piece::new(from, to, Holder::Nobody, None));
        self.idle.tell(Piece::new(from, to, Holder::Empty, None));
        let each = |holder, chain| vec![Piece::new(from, to, holder, chain)];
        let pieces = match (self.is_known, self.by.is_empty()) {
            (false, _) => each(Holder::Unknown(Why::Uncounted), None),
            (true, true) => each(Holder::Nobody, None),
            (true, false) => self.shares(from, to),
        };
        pieces.into_iter().for_each(|piece| self.room.tell(piece));
    }

    /// An equal part of the time for each: of permits for each of these, else for each thread, which may have taken the lock again. That
    /// is with the first time that it took it.
    fn shares(&self, from: Nanos, to: Nanos) -> Vec<Piece> {
        let each = self.by.iter().filter(|h| self.permits || !h.is_again);
        let n = each.clone().count() as u64;
        let length = u128::from(to.since(from).0);
        let end = |nth: u64| Nanos(from.0 + (length * u128::from(nth) / u128::from(n)) as u64);
        let each = (0..n).zip(each);
        each.map(|(nth, hold)| {
            let chain = hold.site.map(Chain::at_end);
            Piece::new(end(nth), end(nth + 1), Holder::Thread(hold.by), chain)
        })
        .collect()
    }

    /// A thread has left the monitor after an operation.
    fn change(&mut self, at: Nanos, thread: ThreadId, visit: &Visit, permits: Option<u64>) {
        self.tell(at);
        match (visit.act.gets, visit.act.gives) {
            (true, false) if !visit.is_unclear && !visit.act.goes_on => {
                self.get(thread, visit, permits);
            }
            (false, true) => self.give(thread),
            _ => self.is_known = false,
        }
    }

    fn get(&mut self, thread: ThreadId, visit: &Visit, permits: Option<u64>) {
        self.permits = visit.act.permit;
        if visit.act.alone {
            // Nobody else can be in it; of the same thread there may be several levels.
            self.by.retain(|hold| hold.by == thread);
            self.is_known = true;
        }
        let hold = Hold {
            by: thread,
            site: visit.site,
            is_again: self.by.iter().any(|hold| hold.by == thread),
        };
        match self.by.len() < MOST {
            true => self.by.push(hold),
            false => self.is_known = false,
        }
        // All permits are with those who were seen to take one: nobody has had one since before.
        self.is_known |= visit.act.permit && permits == Some(self.by.len() as u64);
    }

    fn give(&mut self, thread: ThreadId) {
        match self.by.iter().rposition(|hold| hold.by == thread) {
            Some(index) => drop(self.by.remove(index)),
            // It gives back what another has got, or what was got before anybody watched.
            None => self.is_known = false,
        }
    }
}

/// The permits of what is a semaphore by the verdict believed most.
fn permits(lock: &LogicalLock) -> Option<u64> {
    let verdict = lock.types.first()?;
    let is_semaphore = verdict.lock_type == LockType::Semaphore;
    match verdict
        .details
        .get("permits")
        .filter(|_| is_semaphore)?
        .clone()
    {
        Detail::Count(permits) => Some(permits),
        _ => None,
    }
}

fn is_launch(collected: &Collected) -> bool {
    let mode = collected.target.get(target_key::MODE);
    collected.recording.exact && mode.is_some_and(|mode| mode == "launch")
}
