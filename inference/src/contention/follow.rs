//! Threads followed from event to event: what each blocked stay is made of.
//!
//! A thread is held up in one place at a time. What counts as a stay, and which are of unknown length, is as in
//! [`crate::collect`]; only that the way back from a wait is a stay of its own where probes tell of it.

mod ending;

use super::evidence::Reasons;
use super::lock::{Lock, Stand};
use super::roles::{Holders, Needs, Roles};
use super::room::Keep;
use super::sign::Sign;
use super::stay::{Group, Holder, Measure, Part, Piece, Stay, Why};
use super::wait::{Ended, Waiters};
use crate::collect::{Collected, FastHash, IdTable};
use crate::nesting::Scout;
use locklens_trace::held::Held;
use locklens_trace::record::{Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::{HashMap, HashSet};

/// Locks of which stays are told; none: of all.
pub(super) type Shown = Option<HashSet<LockId, FastHash>>;

/// What reasons count on which monitor.
pub(super) type AllReasons = HashMap<LockId, Reasons, FastHash>;

/// One thread.
#[derive(Debug, Default)]
struct Thread {
    /// Something was heard of it before.
    seen: bool,
    blocked: Option<Pending>,
    waiting: Option<Waiting>,
    /// It comes back from a wait on this lock.
    returning: Option<LockId>,
    /// Locks that probes tell it has, or will take again after a wait.
    inside: Vec<LockId>,
    /// That wait, which nobody was seen to end: a probe will tell whether it was interrupted.
    unsettled: Option<Box<Stay>>,
}

/// Where a thread is held up.
#[derive(Clone, Copy, Debug)]
struct Pending {
    lock: LockId,
    since: Nanos,
    stack: Option<StackId>,
    /// It ends when `wait` returns, not when the monitor is acquired.
    until_resumed: bool,
    /// On the way there the JVM told that it was blocked.
    met: bool,
}

/// A thread in `Object.wait`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) lock: LockId,
    pub(super) since: Nanos,
    pub(super) stack: Option<StackId>,
}

/// What one follower leaves to the next.
#[derive(Debug, Default)]
pub(super) struct Past {
    locks: HashMap<LockId, Lock, FastHash>,
    threads: IdTable<Thread>,
    waiters: Option<Waiters>,
    unplaced: (u64, Nanos),
}

/// See the module.
pub(super) struct Follower<'a> {
    collected: &'a Collected,
    scout: &'a Scout,
    reasons: &'a AllReasons,
    shown: Shown,
    locks: HashMap<LockId, Lock, FastHash>,
    threads: IdTable<Thread>,
    /// From when on probes tell, if the trace says so.
    since: Option<Nanos>,
    /// Of these locks probes tell, and nobody was seen to give them back: who has come in has them to the end.
    kept: HashSet<LockId, FastHash>,
    keep: Keep,
    /// Who waits on what, if that is asked for.
    waiters: Option<Waiters>,
    /// Who has passed through locks of the program's own.
    roles: Option<Roles<'a>>,
    /// Waits that may be time blocked on such a lock: how many, and how long.
    unplaced: (u64, Nanos),
    /// Stays that are over, in the order of their ends.
    pub(super) done: Vec<Stay>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(
        collected: &'a Collected,
        scout: &'a Scout,
        reasons: &'a AllReasons,
        shown: Shown,
    ) -> Self {
        let since = probes_since(collected);
        Self {
            collected,
            scout,
            reasons,
            shown,
            locks: HashMap::default(),
            threads: IdTable::default(),
            since,
            kept: since.map_or_else(HashSet::default, |_| kept(collected, scout)),
            keep: Keep::default(),
            waiters: None,
            roles: None,
            unplaced: (0, Nanos(0)),
            done: Vec::new(),
        }
    }

    /// So much is kept of stays under way.
    pub(super) fn keep(&mut self, keep: Keep) {
        self.keep = keep;
    }

    /// Follows waits, too.
    pub(super) fn follow_waits(&mut self, waiters: Waiters) {
        self.waiters = Some(waiters);
    }

    /// Follows locks that the program has built, too.
    pub(super) fn follow_roles(&mut self, roles: Roles<'a>) {
        self.roles = Some(roles);
    }

    /// See [`Roles::holders`].
    pub(super) fn holders(
        &mut self,
        lock: LockId,
        stack: Option<StackId>,
    ) -> Option<(Needs, Holders)> {
        self.roles.as_mut()?.holders(lock, stack)
    }

    /// Waits that may be time blocked on a lock of the program's own, as it is not known in which operation they were: how many, and
    /// how long.
    pub(super) fn unplaced(&self) -> (u64, Nanos) {
        self.unplaced
    }

    /// Waits of which it is inferred who ended them.
    pub(super) fn inferred(&self) -> u64 {
        self.waiters.as_ref().map_or(0, |waiters| waiters.inferred)
    }

    /// Goes on where another one stopped that knew less.
    pub(super) fn go_on(&mut self, past: Past) {
        (self.locks, self.threads) = (past.locks, past.threads);
        for (id, lock) in &mut self.locks {
            lock.judge_by(self.reasons.get(id).copied().unwrap_or_default());
        }
        self.unplaced = past.unplaced;
        if past.waiters.is_some() {
            self.waiters = past.waiters;
        }
        self.wait_on();
    }

    /// Who waits in an operation of a lock of the program's own does so still.
    fn wait_on(&mut self) {
        let Some(roles) = &mut self.roles else { return };
        let waiting = self.threads.iter();
        let waiting = waiting.filter_map(|(id, state)| Some((ThreadId(id), state.waiting?)));
        let mut waiting: Vec<_> = waiting.collect();
        waiting.sort_unstable_by_key(|(thread, at)| (at.since, *thread));
        for (thread, at) in waiting {
            roles.wait(at.since, thread, at.lock, at.stack);
        }
    }

    /// Stops, so that another one can go on.
    pub(super) fn stop(self) -> Past {
        Past {
            locks: self.locks,
            threads: self.threads,
            waiters: self.waiters,
            unplaced: self.unplaced,
        }
    }

    /// Where a thread is held up, and whether it is blocked there and not waiting.
    pub(super) fn held_up(&self, thread: ThreadId) -> Option<(LockId, bool)> {
        let thread = known(&self.threads, thread)?;
        let blocked = thread.blocked.map(|at| (at.lock, true));
        blocked.or(thread.waiting.map(|at| (at.lock, false)))
    }

    /// Whether probes tell of a lock by now.
    pub(super) fn is_exact(&self, lock: LockId) -> bool {
        self.locks.get(&lock).is_some_and(Lock::is_exact)
    }

    /// Takes in what comes next, in the order of time.
    pub(super) fn take(&mut self, sign: &Sign) {
        match sign {
            Sign::Event(event) => self.push(event),
            Sign::Look(held) => self.sighted(held),
        }
    }

    /// The agent saw who owns a monitor. Who is held up elsewhere then has owned it since that began, and does as long as that goes on.
    fn sighted(&mut self, held: &Held) {
        if let Owner::Thread(owner) = held.owner
            && stand(&self.threads, owner, held.lock).is_some()
            && let Some(lock) = self.locks.get_mut(&held.lock)
        {
            lock.sighted(owner, held.at);
        }
    }

    /// Takes in the next event, in the order of time.
    pub(super) fn push(&mut self, event: &Event) {
        match event.lock {
            Some(lock) => self.lock_event(event, lock),
            None if event.kind == EventKind::ThreadEnd => self.ended(event),
            None => {}
        }
        if event.kind != EventKind::ThreadEnd {
            self.thread(event.thread).seen = true;
        }
    }

    fn lock_event(&mut self, event: &Event, id: LockId) {
        self.lock(id, event.at);
        match event.kind {
            EventKind::Enter => self.enter(event, id),
            EventKind::Entered => self.entered(event, id),
            EventKind::Wait { .. } => self.wait(event, id),
            EventKind::Waited { timed_out } => self.waited(event, id, timed_out),
            EventKind::Resumed | EventKind::Interrupted => self.resumed(event, id),
            EventKind::Exit => self.exit(event, id),
            EventKind::Notify | EventKind::NotifyAll => {
                self.abandon(event.thread);
                let waiters = self.waiters.iter_mut();
                waiters.for_each(|waiters| waiters.notify(event, id));
            }
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
        self.note_inside(event.thread, id);
    }

    /// A thread may have come into a lock, or out of it.
    fn note_inside(&mut self, thread: ThreadId, id: LockId) {
        let lock = self.locks.get(&id).filter(|lock| lock.is_exact());
        let Some(lock) = lock else { return };
        let inside = &mut self.threads.get(thread.0).inside;
        let known = inside.iter().position(|&other| other == id);
        match (known, lock.is_of(thread)) {
            (None, true) => inside.push(id),
            (Some(at), false) => drop(inside.swap_remove(at)),
            (None, false) | (Some(_), true) => {}
        }
    }

    fn exit(&mut self, event: &Event, id: LockId) {
        self.abandon(event.thread);
        let fuller = |acquired, site| fuller(self.collected, acquired, site);
        let lock = self.locks.get_mut(&id);
        lock.into_iter().for_each(|lock| lock.exit(event, fuller));
        if let Some(roles) = &mut self.roles {
            roles.exit(event.at, event.thread, id);
        }
    }

    fn thread(&mut self, id: ThreadId) -> &mut Thread {
        self.threads.get(id.0)
    }

    /// The lock, as it is now.
    fn lock(&mut self, id: LockId, at: Nanos) -> &mut Lock {
        let is_exact = self.scout.is_exact(id, at)
            || self.since.is_some_and(|since| at >= since)
                && (self.scout.is_released(id) || self.kept.contains(&id));
        let losses = &self.collected.losses;
        let lock = self.locks.entry(id).or_insert_with(|| {
            let reasons = self.reasons.get(&id).copied().unwrap_or_default();
            Lock::new(reasons, is_shown(&self.shown, id), self.keep)
        });
        let lost = !losses.is_empty() && losses.between(lock.last, at);
        let since_before = |(thread, seen): (ThreadId, Nanos)| {
            let stand = stand(&self.threads, thread, id);
            stand.filter(|stand| stand.since <= seen)
        };
        let expected = lock.expected().and_then(since_before);
        let seen = lock.seen().and_then(since_before);
        lock.place_holder(expected, seen);
        lock.come_to(at, is_exact, lost);
        lock
    }

    fn enter(&mut self, event: &Event, id: LockId) {
        let collected = self.collected;
        let thread = self.thread(event.thread);
        let until_resumed = thread.blocked.as_mut();
        let until_resumed = until_resumed.filter(|at| at.until_resumed && at.lock == id);
        if let Some(returning) = until_resumed {
            returning.met = true;
            return;
        }
        let returns = thread.returning == Some(id) && is_in_wait(collected, event.stack);
        self.abandon(event.thread);
        let group = match returns {
            true => Group::AfterWait,
            false => Group::Monitor,
        };
        self.block(event, id, group, false);
        let named = match event.owner {
            Owner::Thread(owner) => stand(&self.threads, owner, id),
            Owner::Nobody | Owner::Unknown => None,
        };
        let lock = self.lock(id, event.at);
        lock.place_named(named);
        lock.enter(event, group);
    }

    fn block(&mut self, event: &Event, lock: LockId, group: Group, until_resumed: bool) {
        let thread = self.thread(event.thread);
        thread.returning = None;
        thread.blocked = Some(Pending {
            lock,
            since: event.at,
            stack: event.stack,
            until_resumed,
            met: false,
        });
        debug_assert!(group != Group::Wait, "a wait is no blocking");
    }

    fn entered(&mut self, event: &Event, id: LockId) {
        let exact = self.collected.recording.exact;
        let thread = self.thread(event.thread);
        let unheard = !exact && !thread.seen;
        let blocked = thread.blocked.filter(|at| at.lock == id);
        if blocked.is_none() {
            self.abandon(event.thread);
            if unheard || !exact && !self.collected.losses.is_empty() {
                self.unbegun(event, id, unheard);
            }
        }
        let lock = self.lock(id, event.at);
        lock.entered(event);
        if lock.is_exact()
            && let Some(roles) = &mut self.roles
        {
            roles.entered(event.at, event.thread, id, event.stack);
        }
        if blocked.is_some_and(|at| !at.until_resumed) {
            self.conclude_at(event.thread, Some(event.at), event.stack);
        }
    }

    /// An acquisition of which the beginning was not reported: the thread was blocked since before the recording if it
    /// is the first that is heard of it, else for an unknown time.
    fn unbegun(&mut self, event: &Event, lock: LockId, from_start: bool) {
        let from = if from_start { Nanos(0) } else { event.at };
        let known = from_start && !self.collected.losses.between(from, event.at);
        self.finish(Stay {
            group: Group::Monitor,
            lock,
            waiter: event.thread,
            stack: event.stack,
            pieces: vec![Piece::unknown(from, event.at, Why::Before)],
            measure: match known {
                true => Measure::Exact,
                false => Measure::Unknown,
            },
            part: Part::First,
        });
    }

    fn wait(&mut self, event: &Event, id: LockId) {
        self.abandon(event.thread);
        self.lock(id, event.at).wait(event);
        self.thread(event.thread).waiting = Some(Waiting {
            lock: id,
            since: event.at,
            stack: event.stack,
        });
        let waiters = self.waiters.iter_mut();
        waiters.for_each(|waiters| waiters.wait(event, id));
        if let Some(roles) = &mut self.roles {
            roles.wait(event.at, event.thread, id, event.stack);
        }
    }

    fn waited(&mut self, event: &Event, id: LockId, timed_out: bool) {
        let waiting = self
            .thread(event.thread)
            .waiting
            .take_if(|at| at.lock == id);
        self.abandon(event.thread);
        let ended = match timed_out {
            true => Ended::TimedOut,
            false => Ended::Known,
        };
        self.wait_over(event, waiting, ended);
        if waiting.is_none() {
            self.wait_of_unknown_length(event, id, ended);
        }
        self.thread(event.thread).returning = Some(id);
        let lock = self.lock(id, event.at);
        lock.waited(event);
        if lock.is_exact() {
            let stack = waiting.and_then(|waiting| waiting.stack);
            let stack = stack.or(event.stack);
            lock.return_from_wait(event, stack);
            self.block(event, id, Group::AfterWait, true);
        }
    }

    fn resumed(&mut self, event: &Event, id: LockId) {
        let roles = self.roles.iter_mut();
        roles.for_each(|roles| roles.resumed(event.thread, id));
        self.settle(event.thread, event.kind == EventKind::Interrupted);
        let thread = self.thread(event.thread);
        let blocked = thread.blocked.filter(|at| at.lock == id);
        let waiting = thread.waiting.take_if(|at| at.lock == id);
        match blocked {
            Some(_) => {
                self.lock(id, event.at).resumed(event);
                self.conclude(event.thread, Some(event.at));
            }
            None => {
                self.abandon(event.thread);
                let ended = match event.kind {
                    EventKind::Interrupted => Ended::Interrupted,
                    _ => Ended::Known,
                };
                self.wait_over(event, waiting, ended);
                self.lock(id, event.at).resumed(event);
            }
        }
        self.thread(event.thread).returning = None;
    }

    fn wait_over(&mut self, event: &Event, waiting: Option<Waiting>, ended: Ended) {
        let Some(waiting) = waiting else { return };
        let losses = &self.collected.losses;
        let known = !losses.between(waiting.since, event.at);
        let waiters = self.waiters.as_mut();
        let stay = waiters.map(|w| w.over(event.thread, &waiting, event.at, ended, known));
        let comes_back = matches!(event.kind, EventKind::Waited { .. });
        match stay {
            Some(stay)
                if comes_back && self.is_exact(waiting.lock) && stay.is_ended_by_nobody() =>
            {
                self.thread(event.thread).unsettled = Some(Box::new(stay));
            }
            stay => stay.into_iter().for_each(|stay| self.finish(stay)),
        }
        let roles = self.roles.as_ref();
        if known && roles.is_some_and(|roles| roles.is_unplaced(event.thread, &waiting)) {
            let (count, Nanos(sum)) = self.unplaced;
            let length = event.at.since(waiting.since).0;
            self.unplaced = (count + 1, Nanos(sum.saturating_add(length)));
        }
        self.pass(event.thread, waiting.lock, event.at, known, ended);
    }

    /// Its beginning was not told: it counts all the same.
    fn wait_of_unknown_length(&mut self, event: &Event, lock: LockId, ended: Ended) {
        let waiting = Waiting {
            lock,
            since: event.at,
            stack: event.stack,
        };
        let waiters = self.waiters.as_mut();
        let stay = waiters.map(|w| w.over(event.thread, &waiting, event.at, ended, false));
        stay.into_iter().for_each(|stay| self.finish(stay));
    }

    /// A wait in an operation of a lock of the program's own is over.
    fn pass(&mut self, thread: ThreadId, lock: LockId, at: Nanos, known: bool, ended: Ended) {
        let roles = self.roles.as_mut();
        let got = ended == Ended::Known;
        let stay = roles.and_then(|roles| roles.over(at, thread, lock, known, !got));
        stay.into_iter().for_each(|stay| self.finish(stay));
    }

    /// What it is known by now of the wait that it came back from.
    fn settle(&mut self, thread: ThreadId, interrupted: bool) {
        let Some(mut stay) = self.thread(thread).unsettled.take() else {
            return;
        };
        if interrupted {
            let pieces = stay.pieces.iter_mut();
            pieces.for_each(|piece| piece.holder = Holder::Nobody);
        }
        self.finish(*stay);
    }

    /// The thread does something else: where it was held up it is no more, nobody knows since when.
    fn abandon(&mut self, thread: ThreadId) {
        self.settle(thread, false);
        self.conclude(thread, None);
        let state = self.thread(thread);
        state.returning = None;
        let Some(waiting) = state.waiting.take() else {
            return;
        };
        if let Some(waiters) = &mut self.waiters {
            waiters.forget(thread, &waiting);
        }
        self.pass(thread, waiting.lock, waiting.since, false, Ended::Not);
    }

    /// It is held up no more since then, or since nobody knows when.
    fn conclude(&mut self, thread: ThreadId, until: Option<Nanos>) {
        self.conclude_at(thread, until, None);
    }

    /// The same where it comes in: a probe tells of that, whether there was a call chain for the way there or not.
    fn conclude_at(&mut self, thread: ThreadId, until: Option<Nanos>, site: Option<StackId>) {
        let Some(pending) = self.thread(thread).blocked.take() else {
            return;
        };
        let losses = &self.collected.losses;
        let until = until.filter(|&until| !losses.between(pending.since, until));
        let lock = self.locks.get_mut(&pending.lock);
        let stay = lock.and_then(|lock| lock.leave(pending.lock, thread, until));
        let Some(mut stay) = stay else { return };
        stay.stack = stay.stack.or(site);
        // Probes tell of each way back from a wait: who finds the lock free there is not held up. Where the JVM says that he was
        // blocked, somebody had it of whom no probe tells.
        let mut pieces = stay.pieces.iter();
        if pending.until_resumed && pieces.all(|piece| piece.holder == Holder::Nobody) {
            if !pending.met {
                return;
            }
            for piece in &mut stay.pieces {
                *piece = Piece::unknown(piece.from, piece.to, Why::Elsewhere);
            }
        }
        self.finish(stay);
    }

    fn finish(&mut self, stay: Stay) {
        if is_shown(&self.shown, stay.lock) {
            self.done.push(stay);
        }
    }

    fn ended(&mut self, event: &Event) {
        self.abandon(event.thread);
        for id in std::mem::take(&mut self.thread(event.thread).inside) {
            let lock = self.locks.get_mut(&id).filter(|lock| lock.is_exact());
            lock.into_iter().for_each(|lock| lock.ended(event));
        }
    }
}

fn is_shown(shown: &Shown, lock: LockId) -> bool {
    shown.as_ref().is_none_or(|shown| shown.contains(&lock))
}

/// A thread, if anything was heard of it.
fn known(threads: &IdTable<Thread>, id: ThreadId) -> Option<&Thread> {
    threads.find(id.0).map(|slot| threads.peek(slot))
}

/// Where a thread is held up, if it is by another lock than this.
fn stand(threads: &IdTable<Thread>, id: ThreadId, but: LockId) -> Option<Stand> {
    let thread = known(threads, id)?;
    let blocked = thread.blocked.map(|at| (at.lock, at.since, at.stack));
    let waiting = thread.waiting.map(|at| (at.lock, at.since, at.stack));
    let (lock, since, stack) = blocked.or(waiting)?;
    (lock != but).then_some(Stand {
        thread: id,
        since,
        stack,
    })
}

/// The chain was taken inside `Object.wait`.
fn is_in_wait(collected: &Collected, stack: Option<StackId>) -> bool {
    let method = || {
        let catalog = &collected.catalog;
        let frame = catalog.stacks.get(&stack?)?.frames.first()?;
        let method = catalog.methods.get(&frame.method)?;
        let is_wait = matches!(&*method.name, "wait" | "wait0");
        Some(is_wait && catalog.class_name(method.class) == "java.lang.Object")
    };
    method().unwrap_or(false)
}

/// When every acquisition is recorded, from when on.
fn probes_since(collected: &Collected) -> Option<Nanos> {
    let since = collected.target.get(target_key::EXACT_SINCE)?;
    let since = since.parse().ok().map(Nanos);
    since.filter(|_| collected.recording.exact)
}

/// Locks of which probes tell and no release does. Who only tells what is new leaves releases out.
fn kept(collected: &Collected, scout: &Scout) -> HashSet<LockId, FastHash> {
    if collected.target.contains_key(target_key::GUARD) {
        return HashSet::default();
    }
    let logs = collected.locks.iter();
    let kept = logs.filter(|log| log.probed && !scout.is_released(log.lock));
    kept.map(|log| log.lock).collect()
}

/// The chain of the release, unless that of the acquisition says the same and tells callers, too.
fn fuller(collected: &Collected, acquired: StackId, site: StackId) -> StackId {
    let tells_callers = |id| {
        let stack = collected.catalog.stacks.get(&id);
        stack.is_some_and(|stack| stack.frames.len() > 1)
    };
    let says_more = tells_callers(acquired) || !tells_callers(site);
    match says_more && same_method(collected, acquired, site) {
        true => acquired,
        false => site,
    }
}

/// Both begin in the same method.
fn same_method(collected: &Collected, a: StackId, b: StackId) -> bool {
    let method = |id| Some(collected.catalog.stacks.get(&id)?.frames.first()?.method);
    method(a).is_some() && method(a) == method(b)
}
