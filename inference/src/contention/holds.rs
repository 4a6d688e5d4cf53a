//! Who held the locks of `java.util.concurrent`, where every operation was recorded.
//!
//! A stretch in which several held a lock together, readers or holders of permits, is charged to all of them in equal parts,
//! one after the other.

use super::pieces::Pieces;
use super::span::Hold;
use super::stay::{Chain, Holder, Piece, Why};
use crate::collect::uses::UseLog;
use crate::collect::{Collected, FastHash, FastMap};
use crate::grip::{Change, Grip, Mode};
use crate::parked::Owned;
use locklens_trace::juc::{Act, Operation};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Stretches of one lock that are remembered, …
const PAST: usize = 4096;
/// … and in all.
const ALL: usize = 1 << 20;

/// How long after its hold has ended a thread may come to unpark the next one: both are in one call.
const RELEASING: Nanos = Nanos(1_000_000);
/// Holds of a lock, the last ones, among which the one is that an unpark has ended.
const RECENT: usize = 256;
/// Holders that a stretch is divided among; with more of them it is nobody's in particular.
const TOGETHER: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Holds {
    locks: HashMap<LockId, Held, FastHash>,
    /// By condition its lock.
    outer: FastMap<LockId, LockId>,
    /// Locks of which something was given back that nobody was seen to take.
    doubtful: FastMap<LockId, Doubt>,
    /// Recorded from the start of the program.
    is_whole: bool,
    /// Operations were missing.
    forgot: bool,
    kept: usize,
    /// Holds that are over, if somebody wants to know.
    over: Option<Vec<Hold>>,
}

/// Something was given back that nobody was seen to take.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    /// When that was last.
    last: Nanos,
    /// By threads that had been seen to take something before: what they gave back may be what others took.
    handed_over: bool,
}

impl Doubt {
    fn of(uses: &UseLog) -> Self {
        Self {
            last: uses.last_stray,
            handed_over: uses.handed_over > 0,
        }
    }
}

/// One lock.
#[derive(Debug, Default)]
struct Held {
    /// When the first operation on it was seen, or the first since events were lost.
    since: Option<Nanos>,
    /// When somebody had it alone for the first time since nobody has given back what he was not seen to take: from then on
    /// nobody can have it but those who were seen to take it.
    sure: Option<Nanos>,
    /// What each thread has done to it that may matter for what it does next.
    now: HashMap<ThreadId, Grasp, FastHash>,
    /// Those of them who hold it, in order: of thousands that have used it, few.
    holding: Vec<ThreadId>,
    past: VecDeque<Past>,
    /// Some of them overlap: several held it at a time.
    together: bool,
}

/// Somebody holds it.
#[derive(Clone, Copy, Debug)]
struct Grasp {
    thread: ThreadId,
    grip: Grip,
    since: Nanos,
    stack: Option<StackId>,
}

/// Somebody has held it, or holds it still. Of thousands each stay goes through, so there is nothing else in it.
#[derive(Clone, Copy, Debug)]
struct Past {
    since: Nanos,
    end: Nanos,
    thread: ThreadId,
    stack: Option<StackId>,
}

impl Grasp {
    fn ended(&self, end: Nanos) -> Past {
        Past {
            since: self.since,
            end,
            thread: self.thread,
            stack: self.stack,
        }
    }

    fn until(&self, lock: LockId, at: Nanos) -> Hold {
        Hold {
            lock,
            thread: self.thread,
            from: self.since,
            to: at.max(self.since),
            stack: self.stack,
        }
    }
}

impl Holds {
    pub(super) fn of(collected: &Collected) -> Self {
        let mut holds = Self {
            is_whole: collected.was_launched(),
            ..Self::default()
        };
        for (&lock, log) in &collected.parked {
            let of = log.synchronizer();
            holds.outer.extend(of.map(|of| (lock, of)));
            let doubt = log.uses.as_ref().filter(|uses| uses.strays > 0);
            holds
                .doubtful
                .extend(doubt.map(|uses| (lock, Doubt::of(uses))));
        }
        holds
    }

    /// Takes in the next operation.
    pub(super) fn take_in(&mut self, operation: &Operation) {
        let outer = self.outer.get(&operation.lock);
        let lock = outer.copied().unwrap_or(operation.lock);
        let held = self.locks.entry(lock).or_default();
        held.since.get_or_insert(operation.at);
        let new = Grasp {
            thread: operation.thread,
            grip: Grip::default(),
            since: operation.at,
            stack: operation.stack,
        };
        let hold = held.now.entry(operation.thread).or_insert(new);
        let before = hold.grip.holds();
        let was = *hold;
        let change = hold.grip.apply(operation);
        if matches!(
            change,
            Change::Took(Mode::Alone) | Change::Turned(Mode::Alone)
        ) && self
            .doubtful
            .get(&lock)
            .is_none_or(|doubt| doubt.last < operation.at)
        {
            held.sure.get_or_insert(operation.at);
        }
        let (after, is_free) = (hold.grip.holds(), hold.grip.is_free());
        if !before && after {
            (hold.since, hold.stack) = (operation.at, operation.stack);
        }
        if is_free {
            held.now.remove(&operation.thread);
        }
        if before != after {
            held.set_holding(operation.thread, after);
        }
        if before && !after {
            // Where it gives it back, as with what there is a whole chain of; who waits has it where he took it.
            let given = operation.stack.filter(|_| operation.act != Act::Await);
            let was = Grasp {
                stack: given.or(was.stack),
                ..was
            };
            let over = self.over.iter_mut();
            over.for_each(|over| over.push(was.until(lock, operation.at)));
            held.is_over(was.ended(operation.at));
            self.kept += 1;
            if held.past.len() > PAST || self.kept > ALL {
                held.past.pop_front();
                self.kept -= 1;
            }
        }
    }

    /// A thread unparked another one for a lock: that was when its last hold ended, if that was just before and it has not taken it
    /// again meanwhile. By which way it gave it back is then known, where of the operation that took it only the place is.
    pub(super) fn released(&mut self, lock: LockId, by: ThreadId, (at, stack): (Nanos, StackId)) {
        let Some(held) = self.locks.get_mut(&lock) else {
            return;
        };
        let again = held.now.get(&by);
        if again.is_some_and(|hold| hold.grip.holds() && hold.since < at) {
            return;
        }
        let mut recent = held.past.iter_mut().rev().take(RECENT);
        // The latest that had begun by then: it is over if it is the one.
        let last = recent.find(|hold| hold.thread == by && hold.since < at);
        if let Some(hold) = last
            && hold.end <= at
            && at.since(hold.end) <= RELEASING
        {
            hold.stack = Some(stack);
        }
    }

    /// A thread has held a lock since then, and that is all it did to it.
    pub(super) fn hold(&mut self, thread: ThreadId, lock: LockId, (grip, since): (Grip, Nanos)) {
        let held = self.locks.entry(lock).or_default();
        held.since.get_or_insert(since);
        let grasp = Grasp {
            thread,
            grip,
            since,
            stack: None,
        };
        held.set_holding(thread, grasp.grip.holds());
        held.now.insert(thread, grasp);
    }

    /// Who holds a lock now; none if not all of them are known.
    pub(super) fn now(&self, lock: LockId) -> Option<Vec<(ThreadId, Option<StackId>)>> {
        if !self.is_whole || self.forgot || self.doubtful.contains_key(&lock) {
            return None;
        }
        let held = self.locks.get(&lock)?;
        let now = held.holding();
        Some(now.map(|hold| (hold.thread, hold.stack)).collect())
    }

    /// Whether all that is done to a lock since that time is told.
    pub(super) fn are_told(&self, lock: LockId, since: Nanos) -> bool {
        let held = self.locks.get(&lock);
        let told = held.and_then(|held| held.since);
        !self.forgot && told.is_some_and(|told| self.is_whole || told <= since)
    }

    /// Keeps holds that are over until they are taken.
    pub(super) fn tell_holds(&mut self) {
        self.over = Some(Vec::new());
    }

    /// Holds that are over since they were taken last.
    pub(super) fn take_over(&mut self) -> Vec<Hold> {
        self.over.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Holds that go on.
    pub(super) fn still(&self, at: Nanos) -> Vec<Hold> {
        let locks: BTreeMap<LockId, &Held> =
            self.locks.iter().map(|(&id, held)| (id, held)).collect();
        let of = |(lock, held): (LockId, &Held)| {
            let holds = held.holding();
            holds.map(|hold| hold.until(lock, at)).collect::<Vec<_>>()
        };
        locks.into_iter().flat_map(of).collect()
    }

    /// Operations are missing.
    pub(super) fn forget(&mut self) {
        self.forgot = true;
        self.locks.clear();
        self.kept = 0;
    }

    /// What is known of who held a lock while a thread was parked on it, put together in `pieces`; none if no operation on it was
    /// seen.
    pub(super) fn pieces(
        &self,
        (lock, owned): (LockId, Owned),
        waiter: ThreadId,
        (from, to): (Nanos, Nanos),
        pieces: &mut Pieces,
    ) -> Option<Vec<Piece>> {
        let held = self.locks.get(&lock)?;
        let doubt = self.doubtful.get(&lock);
        let since = match (owned, doubt) {
            // Each acquisition says that nobody else has it.
            (Owned::Alone, _) | (_, None) => held.since,
            (Owned::Shared, Some(_)) => Some(held.sure?),
            (Owned::Permit, Some(doubt)) if doubt.handed_over || self.is_whole => return None,
            // What others had since before the recording they have given back by then.
            (Owned::Permit, Some(doubt)) => held.since.max(Some(doubt.last)),
        };
        let are_all = |begin| {
            let is_sure = held.sure.is_some_and(|sure| sure <= begin);
            self.is_whole || owned == Owned::Alone || owned == Owned::Shared && is_sure
        };
        held.stretches(waiter, since, (from, to), &mut |begin, end, holders| {
            let is_known = since.is_some_and(|since| since <= begin);
            match (holders.len(), is_known) {
                (_, false) if owned != Owned::Alone && doubt.is_some() => {
                    pieces.push(Piece::unknown(begin, end, Why::Before));
                }
                (1..=TOGETHER, _) => divided(holders, begin, end, |piece| pieces.push(piece)),
                (0, true) if are_all(begin) => {
                    pieces.push(Piece::new(begin, end, Holder::Nobody, None));
                }
                (0, false) if self.is_whole => {
                    pieces.push(Piece::new(begin, end, Holder::Nobody, None));
                }
                (0, false) => pieces.push(Piece::unknown(begin, end, Why::Before)),
                _ => pieces.push(Piece::unknown(begin, end, Why::Shared)),
            }
            pieces.go_on(to)
        });
        let pieces = pieces.take();
        (!pieces.is_empty()).then_some(pieces)
    }
}

/// Learns of a stretch, and of those who held the lock throughout; whether it wants to know more.
type Tell<'t> = dyn FnMut(Nanos, Nanos, &[&Past]) -> bool + 't;

/// Tells time cut where anybody takes or gives back, and where the first was seen: each stretch with those who held the lock throughout it.
fn together(holds: &[Past], since: Option<Nanos>, (from, to): (Nanos, Nanos), tell: &mut Tell<'_>) {
    let since = since.filter(|at| (from..to).contains(at));
    let mut cuts: Vec<(Nanos, Option<(usize, bool)>)> = vec![(to, None)];
    cuts.extend(since.map(|at| (at, None)));
    for (index, hold) in holds.iter().enumerate() {
        cuts.push((hold.since.max(from), Some((index, true))));
        cuts.push((hold.end.min(to), Some((index, false))));
    }
    cuts.sort_by_key(|(at, _)| *at);
    let mut there: BTreeSet<usize> = BTreeSet::new();
    let mut done = from;
    for (at, change) in cuts {
        if at > done {
            let holders = there.iter().take(TOGETHER + 1);
            let holders: Vec<&Past> = holders.map(|&index| &holds[index]).collect();
            if !tell(done, at, &holders) {
                return;
            }
            done = at;
        }
        match change {
            Some((index, true)) => drop(there.insert(index)),
            Some((index, false)) => drop(there.remove(&index)),
            None => {}
        }
    }
}

/// The same where nobody held it together with others, as of most locks: thousands may have held it while one thread was parked.
fn one_by_one(
    holds: impl Iterator<Item = Past>,
    since: Option<Nanos>,
    (from, to): (Nanos, Nanos),
    tell: &mut Tell<'_>,
) {
    let mut cut = |from: Nanos, to: Nanos, holders: &[&Past]| {
        let at = since.filter(|&at| from < at && at < to);
        let parts = [(from, at.unwrap_or(to)), (at.unwrap_or(to), to)];
        let mut parts = parts.into_iter().filter(|(from, to)| from < to);
        parts.all(|(from, to)| tell(from, to, holders))
    };
    let mut done = from;
    for hold in holds {
        let (begin, end) = (hold.since.max(done), hold.end.min(to));
        if !cut(done, begin.min(to), &[]) || !cut(begin, end, &[&hold]) {
            return;
        }
        done = done.max(end);
    }
    cut(done, to, &[]);
}

impl Held {
    /// What those have of it who hold it.
    fn holding(&self) -> impl Iterator<Item = &Grasp> + Clone {
        let holding = self.holding.iter();
        holding.filter_map(|thread| self.now.get(thread))
    }

    fn set_holding(&mut self, thread: ThreadId, holds: bool) {
        match (self.holding.binary_search(&thread), holds) {
            (Err(at), true) => self.holding.insert(at, thread),
            (Ok(at), false) => drop(self.holding.remove(at)),
            (Ok(_), true) | (Err(_), false) => {}
        }
    }

    /// Remembers a hold that has ended. Nearly all of them come in the order in which they end.
    fn is_over(&mut self, hold: Past) {
        let later = self.past.iter().rev();
        let later = later.take_while(|later| later.end > hold.end).count();
        let overlaps = |last: &Past| hold.since < last.end;
        self.together |= later > 0 || self.past.back().is_some_and(overlaps);
        self.past.insert(self.past.len() - later, hold);
    }

    /// Each has held it after the one before had given it back.
    fn is_in_turn(&self) -> bool {
        let last = self.past.back().map_or(Nanos(0), |last| last.end);
        let after = |hold: &Grasp| hold.since >= last;
        !self.together && self.holding.len() < 2 && self.holding().all(after)
    }

    /// Tells stretches of time, and who held it throughout each, but for one who wants it.
    fn stretches(
        &self,
        waiter: ThreadId,
        since: Option<Nanos>,
        (from, to): (Nanos, Nanos),
        tell: &mut Tell<'_>,
    ) {
        let now = self.holding();
        let now = now.map(|hold| hold.ended(Nanos(u64::MAX)));
        let first = self.past.partition_point(|hold| hold.end <= from);
        let past = self.past.range(first..).copied();
        let reaches = |hold: &Past| hold.thread != waiter && hold.since < to;
        let holds = past.chain(now).filter(reaches);
        if self.is_in_turn() || are_in_turn(holds.clone()) {
            return one_by_one(holds, since, (from, to), tell);
        }
        let mut holds: Vec<Past> = holds.collect();
        holds.sort_by_key(|hold| (hold.since, hold.end, hold.thread));
        let after = |pair: &[Past]| pair[0].end <= pair[1].since;
        match holds.windows(2).all(after) {
            true => one_by_one(holds.into_iter(), since, (from, to), tell),
            false => together(&holds, since, (from, to), tell),
        }
    }
}

/// Each has begun after the one before was over.
fn are_in_turn(holds: impl Iterator<Item = Past>) -> bool {
    let mut last = Nanos(0);
    let mut ends = holds.map(|hold| (hold.since, std::mem::replace(&mut last, hold.end)));
    ends.all(|(since, end)| end <= since)
}

/// A stretch in equal parts.
fn divided(holders: &[&Past], from: Nanos, to: Nanos, mut tell: impl FnMut(Piece)) {
    let parts = holders.len() as u64;
    let length = to.since(from).0;
    let at = |part: u64| {
        let share = u128::from(length) * u128::from(part) / u128::from(parts.max(1));
        Nanos(from.0.saturating_add(share as u64))
    };
    for (part, hold) in (0..).zip(holders) {
        let (from, to) = match parts {
            1 => (from, to),
            _ => (at(part), at(part + 1)),
        };
        if from < to {
            let chain = hold.stack.map(Chain::at_end);
            tell(Piece::new(from, to, Holder::Thread(hold.thread), chain));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds one after the other are told as they are when those who hold it together are looked for.
    #[test]
    fn one_by_one_is_what_is_found_of_several_at_a_time() {
        let mut state = 7_u64;
        let mut next = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % most
        };
        for _ in 0..500 {
            let mut at = next(5);
            let mut holds = Vec::new();
            for thread in 0..next(6) {
                at += next(3);
                let since = Nanos(at);
                at += next(4);
                holds.push(Past {
                    since,
                    end: Nanos(at),
                    thread: ThreadId(thread as u32),
                    stack: None,
                });
            }
            let from = next(4);
            let to = from + 1 + next(20);
            holds.retain(|hold| hold.end.0 > from && hold.since.0 < to);
            let since = (next(2) == 0).then(|| Nanos(next(20)));
            let span = (Nanos(from), Nanos(to));
            let told = |how: &dyn Fn(&mut Tell<'_>)| {
                let mut told = Vec::new();
                how(&mut |from, to, holders| {
                    let holders: Vec<_> = holders.iter().map(|hold| hold.thread).collect();
                    told.push((from, to, holders));
                    true
                });
                told
            };
            let fast = told(&|tell| one_by_one(holds.iter().copied(), since, span, tell));
            let slow = told(&|tell| together(&holds, since, span, tell));
            assert_eq!(fast, slow, "{holds:?} {since:?} {span:?}");
        }
    }
}
