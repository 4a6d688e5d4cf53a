//! Follows every thread through its locks: steps in, what they mean out.
//!
//! Both passes over a trace go through here, so that they agree on what was held when. Second entries of a lock are
//! no acquisitions. What a trace cannot be (a lock held twice, a release of what is not held) is counted and taken
//! for the less: a hold that somebody else's acquisition contradicts is over.

mod waits;

use super::gates::Gate;
use super::step::{Bond, By, Lock, Mode, Op, Over, Site, Step, Thread};
use crate::collect::FastMap;
use std::collections::{BTreeSet, VecDeque};

/// Threads remembered that wait on one lock.
const WAITERS: usize = 1024;
/// Locks that one thread is followed into, each inside the one before.
pub(super) const DEPTH: usize = 256;
/// Holds remembered of which the release was not seen.
pub(super) const UNRELEASED: usize = 4096;

/// A moment of a thread: how many of its steps are over, this one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) thread: Thread,
    pub(super) at: u32,
    pub(super) site: Option<Site>,
    /// All that the thread holds is known.
    pub(super) sure: bool,
}

/// What a thread can be kept waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Wanted {
    /// A lock.
    Lock(Lock, Mode),
    /// Somebody who notifies those that wait on it.
    Notice(Lock),
    /// The end of a thread.
    End(Thread),
}

/// What a step means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// About to wait for something; `timed`: not for ever.
    Wants { wanted: Wanted, timed: bool },
    /// What it wants is that others let it go on at this lock.
    Stands {
        lock: Lock,
        by: By,
        /// What it gives up for that.
        gives: Option<Lock>,
    },
    /// Waits in a monitor, and gives it up for that.
    Waits { lock: Lock, gave: Held, timed: bool },
    /// A lock is held from now on.
    Took(Lock, Mode),
    /// It is not any more.
    Left(Lock),
    /// Whether and when it was left will never be known.
    Lost(Lock),
    /// Notified those that wait on a lock, of which there were so many.
    Notified {
        lock: Lock,
        all: bool,
        waiters: usize,
    },
    /// Did its part for others to come past a latch or a barrier.
    Opened {
        lock: Lock,
        /// What is over for it with that.
        over: Over,
    },
    /// Does what may let others go on there, whether it did this time or not.
    MayOpen(Lock),
    /// Got an element out of a queue for which it would have waited.
    Had(Lock),
    /// Got one out of a queue, however it did; whether it may have lain there before.
    Fetched {
        queue: Lock,
        lay: bool,
        filled: Option<Lock>,
    },
    /// Put one into a queue.
    Gave(Lock),
    /// Begins to run a task, until that is over.
    Begun(Lock),
    /// Everything up to a moment of another thread came before.
    After { thread: Thread, at: u32, by: Bond },
    /// What it does from now on came after a moment of another thread, if it is known of which, until that is over.
    Within {
        lock: Lock,
        after: Option<(Thread, u32)>,
    },
    /// That is over, and all that has begun since.
    Outside(Lock),
    /// Whether any of it is over is not known.
    Forgot,
    /// Its wait is over.
    Back(Lock),
    /// It ended.
    Ended,
}

/// Somebody who is told.
pub(super) trait Watch {
    /// Of something that a thread did, and what it held just before.
    fn saw(&mut self, moment: Moment, act: Act, held: &[Held]);
}

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) lock: Lock,
    pub(super) mode: Mode,
    pub(super) site: Option<Site>,
    /// Since which step of its thread.
    pub(super) at: u32,
    depth: u32,
}

/// A hold that somebody else's acquisition ended: between which steps of its thread it may have been over by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unreleased {
    pub(super) thread: Thread,
    pub(super) lock: Lock,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A thread inside `wait`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// What is notified.
    pub(super) lock: Lock,
    gives: Option<Lock>,
    pub(super) timed: bool,
    /// For the end of another thread.
    pub(super) joins: Option<Thread>,
    pub(super) site: Option<Site>,
    hold: Option<Held>,
    woken: Option<(Thread, u32)>,
}

impl Waiting {
    /// The thread whose end it waits for, as long as that takes.
    pub(super) fn wants_end(&self) -> Option<Thread> {
        self.joins.filter(|_| !self.timed)
    }

    /// It waits to be notified by somebody who has that monitor.
    fn is_of_monitor(&self) -> bool {
        self.gives == Some(self.lock) && self.joins.is_none()
    }

    /// It has been notified.
    pub(super) fn is_woken(&self) -> bool {
        self.woken.is_some()
    }

    /// The lock that it needs to go on, whatever ends its wait.
    pub(super) fn wants_back(&self) -> Option<(Lock, Mode, Option<Site>)> {
        let hold = self.hold?;
        Some((hold.lock, hold.mode, self.site))
    }
}

/// A thread on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) at: u32,
    pub(super) held: Vec<Held>,
    /// What it has asked for and not got.
    pub(super) pending: Option<(Lock, Mode, Option<Site>)>,
    /// The lock that it asked for just before.
    asked: Option<Lock>,
    pub(super) waiting: Option<Waiting>,
    pub(super) ended: bool,
    /// Steps of it are missing: it may hold what nobody saw it take.
    pub(super) gap: bool,
    /// By whom, when, and whether that is only presumed; until it begins.
    forked: Option<(Thread, u32, bool)>,
    /// Who started it was seen.
    pub(super) was_forked: bool,
    /// It began within the trace.
    begun: bool,
}

impl State {
    /// It did nothing: its id is that of a thread which was started, and no more is known.
    pub(super) fn is_unseen(&self) -> bool {
        self.at == 0 && self.forked.is_none()
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Follower {
    pub(super) threads: Vec<State>,
    /// Who holds a lock alone.
    owners: Vec<Option<Thread>>,
    /// Threads inside `wait`, by lock.
    waiters: FastMap<Lock, Vec<Thread>>,
    pub(super) notices: FastMap<Lock, VecDeque<(Thread, u32)>>,
    /// Queues of whose elements it is not known who put which.
    pub(super) mixed: BTreeSet<Lock>,
    /// How many notifies or elements there were besides those of which it is known whose they are.
    pub(super) dropped: FastMap<Lock, u64>,
    /// Who holds a lock together with others.
    sharers: FastMap<Lock, Vec<Thread>>,
    pub(super) gates: FastMap<Lock, Gate>,
    /// Locks that let nobody in who has them already.
    pub(super) once: BTreeSet<Lock>,
    /// Last writer of each variable.
    writers: Vec<Option<(Thread, u32)>>,
    /// Steps that cannot be.
    pub(super) impossible: u64,
    /// Holds of which the release was not seen.
    pub(super) unreleased: Vec<Unreleased>,
    /// Times steps were missing.
    pub(super) gaps: u64,
    /// Times a thread took a lock with more held than it is followed into.
    pub(super) too_deep: u64,
    /// Threads were under way when the trace began: what they do in code from before is not in it.
    pub(super) under_way: bool,
}

impl Follower {
    /// One that begins again with what another knew of locks.
    pub(super) fn again(other: &Self) -> Self {
        Self {
            once: other.once.clone(),
            under_way: other.under_way,
            ..Self::default()
        }
    }

    /// Takes in the next step of the trace.
    pub(super) fn push(&mut self, step: &Step, watch: &mut impl Watch) {
        let moment = self.advance(step, watch);
        match step.op {
            Op::Request { lock, mode, timed } => self.request(moment, lock, mode, timed, watch),
            Op::Acquire { lock, mode } => self.acquire(moment, lock, mode, watch),
            Op::Release(lock) => self.release(moment, lock, watch),
            Op::Turn { lock, mode } => self.turn(moment, lock, mode, watch),
            Op::Retake(lock) => {
                if self.holds(moment.thread, lock).is_none() {
                    self.acquire(moment, lock, Mode::Exclusive, watch);
                }
            }
            Op::Wait {
                lock,
                gives,
                timed,
                joins,
            } => self.wait(moment, (lock, gives), (timed, joins), watch),
            Op::Limited => {
                if let Some(waiting) = &mut self.state(moment.thread).waiting {
                    waiting.timed = true;
                }
            }
            Op::Returned { lock, timed_out } => self.returned(moment, lock, timed_out, watch),
            Op::Notify { lock, all } => {
                self.goes_on(moment.thread);
                self.notify(moment, lock, all, watch);
            }
            Op::Opens { lock, over } => {
                self.arrives(moment, lock);
                self.tell(moment, Act::Opened { lock, over }, watch);
            }
            Op::Arrives(lock) => self.arrives(moment, lock),
            Op::MayOpen(lock) => self.tell(moment, Act::MayOpen(lock), watch),
            Op::Awaits { lock, timed, by } => {
                let wanted = Wanted::Notice(lock);
                self.tell(moment, Act::Wants { wanted, timed }, watch);
                let gives = None;
                self.tell(moment, Act::Stands { lock, by, gives }, watch);
            }
            Op::Passes { lock, needs } => self.passes(moment, lock, needs, watch),
            Op::Enters { lock, needed } => self.enters(moment, lock, needed, watch),
            Op::Runs(lock) => self.runs(moment, lock, watch),
            Op::Leaves(lock) => self.tell(moment, Act::Outside(lock), watch),
            Op::Puts(lock) => self.note(lock, (moment.thread, moment.at)),
            Op::Had(queue) => self.tell(moment, Act::Had(queue), watch),
            Op::Gave(queue) => self.tell(moment, Act::Gave(queue), watch),
            Op::Fetched { queue, lay, filled } => {
                self.tell(moment, Act::Fetched { queue, lay, filled }, watch);
            }
            Op::Takes { lock, any } => {
                if let Some(put) = self.element(lock, any) {
                    self.comes_after(moment, put, Bond::Presumed, watch);
                }
            }
            Op::Read(var) => {
                self.goes_on(moment.thread);
                self.read(moment, var.0, Bond::Read, watch);
            }
            Op::Saw { wrote, reading } => {
                self.read(moment, wrote.0, Bond::Data(reading), watch);
            }
            Op::Write(var) => {
                self.goes_on(moment.thread);
                self.write(moment, var.0);
            }
            Op::Fork { child, presumed } => {
                self.goes_on(moment.thread);
                let state = self.state(child);
                state.forked = Some((moment.thread, moment.at, presumed));
                state.was_forked = true;
            }
            Op::Join { child, timed } => {
                self.goes_on(moment.thread);
                self.join(moment, child, timed, watch);
            }
            Op::Follows(before) => self.follows(moment, (before, Bond::Presumed), watch),
            Op::StoodFor(before) => self.follows(moment, (before, Bond::Stood), watch),
            Op::MayFollow(before, why) => self.follows(moment, (before, Bond::Data(why)), watch),
            Op::Forget => self.forget(moment, watch),
            Op::End => self.end(moment, watch),
            // Who begins holds nothing that nobody saw.
            Op::Begin => {
                let state = self.state(moment.thread);
                (state.pending, state.asked, state.gap) = (None, None, false);
                state.begun = true;
            }
            Op::Other => self.goes_on(moment.thread),
        }
    }

    fn state(&mut self, thread: Thread) -> &mut State {
        let index = thread.0 as usize;
        if index >= self.threads.len() {
            self.threads.resize_with(index + 1, State::default);
        }
        &mut self.threads[index]
    }

    /// What it asked for it has given up, if it has not got it.
    fn goes_on(&mut self, thread: Thread) {
        let state = self.state(thread);
        (state.pending, state.asked) = (None, None);
    }

    fn owner(&mut self, lock: Lock) -> &mut Option<Thread> {
        let index = lock.0 as usize;
        if index >= self.owners.len() {
            self.owners.resize(index + 1, None);
        }
        &mut self.owners[index]
    }

    fn disown(&mut self, thread: Thread, lock: Lock) {
        let owner = self.owner(lock);
        if *owner == Some(thread) {
            *owner = None;
        }
        if let Some(sharers) = self.sharers.get_mut(&lock) {
            sharers.retain(|&sharer| sharer != thread);
        }
    }

    pub(super) fn tell(&self, moment: Moment, act: Act, watch: &mut impl Watch) {
        watch.saw(moment, act, &self.threads[moment.thread.0 as usize].held);
    }

    /// One step further; the first of a thread comes after the step that started it.
    fn advance(&mut self, step: &Step, watch: &mut impl Watch) -> Moment {
        let state = self.state(step.thread);
        state.at = state.at.saturating_add(1);
        let moment = Moment {
            thread: step.thread,
            at: state.at,
            site: step.site,
            sure: !state.gap,
        };
        if let Some((thread, at, presumed)) = state.forked.take() {
            let by = if presumed { Bond::Presumed } else { Bond::Must };
            self.tell(moment, Act::After { thread, at, by }, watch);
        }
        moment
    }

    fn holds(&mut self, thread: Thread, lock: Lock) -> Option<&mut Held> {
        let held = &mut self.state(thread).held;
        held.iter_mut().rev().find(|held| held.lock == lock)
    }

    fn request(&mut self, moment: Moment, lock: Lock, mode: Mode, timed: bool, w: &mut impl Watch) {
        let waiting = self.state(moment.thread).waiting;
        if waiting.is_some_and(|waiting| waiting.gives == Some(lock)) {
            // On its way back from there: that it would want it was told when it began to wait.
            self.state(moment.thread).pending = Some((lock, mode, moment.site));
            return;
        }
        let reentrant = !self.once.contains(&lock);
        let held = self.holds(moment.thread, lock);
        if reentrant && held.is_some_and(|held| held.covers(mode)) {
            return;
        }
        let wanted = Wanted::Lock(lock, mode);
        self.tell(moment, Act::Wants { wanted, timed }, w);
        self.state(moment.thread).pending = (!timed).then_some((lock, mode, moment.site));
        self.state(moment.thread).asked = Some(lock);
    }

    fn acquire(&mut self, moment: Moment, lock: Lock, mode: Mode, watch: &mut impl Watch) {
        let state = self.state(moment.thread);
        state.pending = None;
        let asked = state.asked.take();
        if let Some(held) = self.holds(moment.thread, lock).filter(|h| h.covers(mode)) {
            held.depth = held.depth.saturating_add(1);
            return;
        }
        if asked != Some(lock) {
            let wanted = Wanted::Lock(lock, mode);
            let timed = false;
            self.tell(moment, Act::Wants { wanted, timed }, watch);
        }
        self.take(moment, Held::new(lock, mode, moment.site), watch);
    }

    fn take(&mut self, moment: Moment, held: Held, watch: &mut impl Watch) {
        for holder in self.kept_out(moment.thread, held) {
            self.contradict(holder, held.lock, watch);
        }
        self.tell(moment, Act::Took(held.lock, held.mode), watch);
        let state = self.state(moment.thread);
        if state.held.len() < DEPTH {
            state.held.push(Held {
                at: moment.at,
                ..held
            });
        } else {
            state.gap = true;
            self.too_deep += 1;
        }
    }

    /// Everything that threads hold is known.
    pub(super) fn is_whole(&self) -> bool {
        self.gaps == 0 && self.too_deep == 0
    }

    /// Notes who has it now; those who cannot have it any more.
    fn kept_out(&mut self, thread: Thread, held: Held) -> Vec<Thread> {
        let owner = match held.mode {
            Mode::Exclusive => self.owner(held.lock).replace(thread),
            Mode::Shared => self.owner(held.lock).take(),
            Mode::Permit(_) => return Vec::new(),
        };
        let mut out: Vec<Thread> = owner.into_iter().collect();
        match held.mode {
            Mode::Shared => self.sharers.entry(held.lock).or_default().push(thread),
            // Most traces have none.
            _ if self.sharers.is_empty() => {}
            _ => out.extend(self.sharers.remove(&held.lock).unwrap_or_default()),
        }
        out.retain(|&other| other != thread);
        out
    }

    /// It holds it in another way.
    fn turn(&mut self, moment: Moment, lock: Lock, mode: Mode, watch: &mut impl Watch) {
        let state = self.state(moment.thread);
        (state.pending, state.asked) = (None, None);
        let before = self.drop_hold(moment, lock, watch);
        let site = before.map_or(moment.site, |held| held.site);
        self.take(moment, Held::new(lock, mode, site), watch);
    }

    /// Somebody else has the lock: its release was not seen.
    fn contradict(&mut self, owner: Thread, lock: Lock, watch: &mut impl Watch) {
        let state = self.state(owner);
        let Some(index) = state.held.iter().rposition(|held| held.lock == lock) else {
            return;
        };
        let from = state.held.remove(index).at;
        let to = state.at;
        let moment = Moment {
            thread: owner,
            at: state.at.saturating_add(1),
            site: None,
            sure: true,
        };
        self.impossible += 1;
        if self.unreleased.len() < UNRELEASED {
            self.unreleased.push(Unreleased {
                thread: owner,
                lock,
                from,
                to,
            });
        }
        self.tell(moment, Act::Left(lock), watch);
    }

    fn release(&mut self, moment: Moment, lock: Lock, watch: &mut impl Watch) {
        let state = self.state(moment.thread);
        (state.pending, state.asked) = (None, None);
        let Some(held) = self.holds(moment.thread, lock) else {
            self.impossible += 1;
            return;
        };
        held.depth -= 1;
        if held.depth == 0 {
            self.drop_hold(moment, lock, watch);
        }
    }

    fn drop_hold(&mut self, moment: Moment, lock: Lock, watch: &mut impl Watch) -> Option<Held> {
        let held = &mut self.state(moment.thread).held;
        let index = held.iter().rposition(|held| held.lock == lock)?;
        let hold = held.remove(index);
        self.disown(moment.thread, lock);
        self.tell(moment, Act::Left(lock), watch);
        Some(hold)
    }

    fn read(&mut self, moment: Moment, var: u32, by: Bond, watch: &mut impl Watch) {
        let writer = self.writers.get(var as usize).copied().flatten();
        if let Some((thread, at)) = writer.filter(|(thread, _)| *thread != moment.thread) {
            self.tell(moment, Act::After { thread, at, by }, watch);
        }
    }

    fn write(&mut self, moment: Moment, var: u32) {
        let index = var as usize;
        if index >= self.writers.len() {
            self.writers.resize(index + 1, None);
        }
        self.writers[index] = Some((moment.thread, moment.at));
    }

    fn join(&mut self, moment: Moment, child: Thread, timed: bool, watch: &mut impl Watch) {
        let wanted = Wanted::End(child);
        self.tell(moment, Act::Wants { wanted, timed }, watch);
        let state = self.state(child);
        state.ended = true;
        // Where nothing of it is in the trace it was started before it had ended all the same.
        let (thread, at) = match state.forked {
            Some((parent, at, false)) => (parent, at),
            _ => (child, state.at),
        };
        // With a limit it would have gone on a little later without.
        let by = match timed {
            true => Bond::Presumed,
            false => Bond::Must,
        };
        self.tell(moment, Act::After { thread, at, by }, watch);
    }

    fn follows(&mut self, moment: Moment, (thread, by): (Thread, Bond), watch: &mut impl Watch) {
        let at = self.state(thread).at;
        self.tell(moment, Act::After { thread, at, by }, watch);
    }

    fn forget(&mut self, moment: Moment, watch: &mut impl Watch) {
        self.gaps += 1;
        let state = self.state(moment.thread);
        let held = std::mem::take(&mut state.held);
        (state.pending, state.asked) = (None, None);
        state.gap = true;
        let waiting = state.waiting.take();
        self.tell(moment, Act::Forgot, watch);
        for hold in held {
            self.disown(moment.thread, hold.lock);
            self.tell(moment, Act::Lost(hold.lock), watch);
        }
        if let Some(waiting) = waiting {
            self.leave_waiters(moment.thread, waiting.lock);
        }
    }

    fn end(&mut self, moment: Moment, watch: &mut impl Watch) {
        let state = self.state(moment.thread);
        state.ended = true;
        state.pending = None;
        self.tell(moment, Act::Ended, watch);
    }
}

impl Held {
    fn new(lock: Lock, mode: Mode, site: Option<Site>) -> Self {
        Self {
            lock,
            mode,
            site,
            at: 0,
            depth: 1,
        }
    }

    /// Whether who holds it so has that, too.
    fn covers(&self, wanted: Mode) -> bool {
        match self.mode {
            Mode::Exclusive => true,
            Mode::Shared => wanted == Mode::Shared,
            Mode::Permit(_) => false,
        }
    }
}
