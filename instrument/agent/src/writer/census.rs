//! Samples: looks at all threads, where no event is recorded.
//!
//! A look asks each platform thread for its state, a field; those that stand still, for what they stand at: a monitor
//! as [`super::sight`] reads it, a blocker as looks at parked threads do. A call chain is asked for where a thread is
//! found standing elsewhere than before, or has run since: a thread that took no processor time has not moved. Blocked
//! threads are asked for that by each look, others at the same place every [`RECHECK`]. So a program that stands costs
//! nearly nothing. Only what has changed is told. What all that may cost [`Pace`] says;
//! chains that would cost more are left out, and their places are unknown.
//!
//! **The object of a monitor** is asked for only where an earlier look, not long ago, found somebody at that monitor too, and once as
//! long as looks in a row do ([`monitors`]): it is in use, and what [`super::sight`] says of the moment between reading and asking
//! holds. Who is found at a monitor that nobody was found at before stands at something unknown. So the very first look
//! is not told: it would know no monitor.
//!
//! To JDK 9 the JVM must not be asked for processor times. There each look wants the chains of blocked threads, and those of
//! others again after [`CHAIN_AGE`].
//! To JDK 15 it stops as a whole for chains: all that a look wants are taken in one stop, and the stops take no more
//! than 1 % of the time.

mod monitors;

use super::Writer;
use super::parked::blockers::Blockers;
use super::parked::pace::{CREDIT, Pace, Terms};
use super::sight::Sight;
use crate::clock;
use crate::recording::Recording;
use crate::vm::{Doing, Field, Ref, ThreadStatus, Vm};
use locklens_trace::looks::{Look, Sighting, ThreadState};
use locklens_trace::{LockId, Nanos, Record, StackId, ThreadId};
use monitors::{Met, Monitors};
use std::collections::HashMap;
use std::time::Duration;

/// What looks and chains may take of one processor, parts in 10,000: together 1 %.
const WALK: u64 = 70;
const CHAINS: u64 = 30;
/// Age at which a chain is taken anew where the JVM can't be asked whether its thread has run, ns.
const CHAIN_AGE: u64 = 10_000_000_000;
/// Time after which a thread that is not blocked is asked again whether it has run, ns.
const RECHECK: u64 = 1_000_000_000;
/// Threads asked in one look whether they have run.
const ASKED: u32 = 512;
/// The JVM may stop for chains one nanosecond in so many,
const STOPS: u64 = 100;
/// and save up so much of that, ns.
const STOP_CREDIT: i64 = 5_000_000;

/// Most call chains that are taken in one stop of the JVM.
const TOGETHER: usize = 64;

/// A thread that was found, as it was told.
struct Known {
    told: Sighting,
    /// Address of the monitor it stands at, or 0.
    monitor: u64,
    /// When its chain was taken, and when that was found to hold still, ns of the trace.
    chain_at: u64,
    checked_at: u64,
    /// The processor time it had taken by then.
    ran: Option<i64>,
    /// The last look that found it.
    pass: u64,
}

impl Known {
    fn new(thread: ThreadId) -> Self {
        Self {
            told: Sighting {
                thread,
                state: None,
                lock: None,
                stack: None,
            },
            monitor: 0,
            chain_at: 0,
            checked_at: 0,
            ran: None,
            pass: 0,
        }
    }
}

/// Where a look finds a thread.
#[derive(Clone, Copy)]
struct Found {
    thread: ThreadId,
    state: ThreadState,
    monitor: u64,
    /// What it is parked on.
    blocker: Option<LockId>,
}

impl Found {
    fn is(&self, known: &Known) -> bool {
        let parked = matches!(self.state, ThreadState::Parked | ThreadState::ParkedTimed);
        known.told.state == Some(self.state)
            && known.monitor == self.monitor
            && (!parked || known.told.lock == self.blocker)
    }

    /// Whether a thread in this state has a place.
    fn stands(&self) -> bool {
        !matches!(self.state, ThreadState::Runnable | ThreadState::Unknown)
    }
}

/// See the module.
pub(super) struct Census<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    status: ThreadStatus,
    blocker: Field,
    blockers: Blockers<'vm>,
    sight: Option<Sight<'vm, 'vm>>,
    pace: Pace,
    /// By Java tid.
    known: HashMap<u64, Known>,
    monitors: Monitors,
    pass: u64,
    /// Threads that may still be asked in this look whether they have run.
    asks: u32,
    /// Time that the JVM may still stop for chains, ns; none where it does not stop for them.
    stops: Option<i64>,
    /// When that was added to, ns of the clock.
    earned: u64,
    untold: u32,
    /// Threads whose chains are to be taken in one stop at the end of the look.
    pending: Vec<(u64, Found)>,
    pending_threads: Vec<Ref<'vm>>,
    news: Vec<Record>,
    gone: Vec<ThreadId>,
}

impl<'vm> Census<'vm> {
    /// Ready for the first look; none if it is not wanted or cannot be.
    pub(super) fn begin(vm: Vm<'vm>, recording: &'vm Recording) -> Option<Self> {
        let period = recording.options.sample?;
        let thread = &recording.roots.thread;
        let now = clock::monotonic();
        let terms = Terms {
            wish: u64::try_from(period.as_nanos()).unwrap_or(u64::MAX),
            walk: WALK,
            chains: CHAINS,
            credit: CREDIT,
            rest: 1,
        };
        Some(Self {
            vm,
            recording,
            status: vm.thread_status(thread)?,
            blocker: vm.field(thread, c"parkBlocker", c"Ljava/lang/Object;")?,
            blockers: Blockers::new(vm, recording),
            sight: Sight::new(vm, recording),
            pace: Pace::new(now, terms),
            known: HashMap::new(),
            monitors: Monitors::default(),
            pass: 0,
            asks: 0,
            stops: vm.stops_for_chains().then_some(STOP_CREDIT),
            earned: now,
            untold: 0,
            pending: Vec::new(),
            pending_threads: Vec::new(),
            news: Vec::new(),
            gone: Vec::new(),
        })
    }

    /// How long until the next look.
    pub(super) fn until_due(&self) -> Duration {
        // The system waits for whole milliseconds.
        Duration::from_nanos(self.pace.until_due(clock::monotonic()) + 999_999)
    }

    fn look(&mut self) {
        let (began, now) = (clock::thread_cpu(), clock::monotonic());
        self.pace.begin(now);
        self.earn(now);
        self.pass += 1;
        self.asks = ASKED;
        self.untold = 0;
        let at = now.saturating_sub(self.recording.start);
        let mut threads = self.vm.all_threads().unwrap_or_default();
        // Chains may not suffice for all: then it is not always the same threads that go without.
        let first = self.pass.wrapping_mul(7919) as usize % threads.len().max(1);
        threads.rotate_left(first);
        let mut chains = 0;
        for thread in threads {
            chains += self.look_at(&thread, at);
        }
        chains += self.take_together();
        self.leave_behind();
        // The first look only gets to know the monitors.
        let counts = self.pass > 1;
        self.news.extend(counts.then_some(Record::Look(Look {
            at: Nanos(at),
            untold: self.untold,
        })));
        let spent = clock::thread_cpu().saturating_sub(began);
        self.pace
            .end(clock::monotonic(), spent.saturating_sub(chains), true);
    }

    fn earn(&mut self, now: u64) {
        let since = now.saturating_sub(std::mem::replace(&mut self.earned, now));
        if let Some(credit) = &mut self.stops {
            let earned = i64::try_from(since / STOPS).unwrap_or(STOP_CREDIT);
            *credit = credit.saturating_add(earned).min(STOP_CREDIT);
        }
    }

    /// Tells of threads that are gone, and forgets monitors nobody is at.
    fn leave_behind(&mut self) {
        let pass = self.pass;
        for (_, known) in self.known.extract_if(|_, known| known.pass != pass) {
            self.gone.push(known.told.thread);
            self.news.push(Record::Sighting(Sighting {
                thread: known.told.thread,
                state: None,
                lock: None,
                stack: None,
            }));
        }
        self.monitors.forget(pass);
    }

    /// Looks at one thread; what its chain cost.
    fn look_at(&mut self, thread: &Ref<'vm>, at: u64) -> u64 {
        let Some((tid, found)) = self.find(thread) else {
            return 0;
        };
        let known = self.known.remove(&tid);
        let mut known = known.unwrap_or_else(|| Known::new(found.thread));
        let (stack, cost) = match found.stands() {
            true => self.chain(thread, (tid, &found), &mut known, at),
            false => (0, 0),
        };
        let lock = match found.monitor {
            0 => found.blocker,
            _ => self.lock(thread, &found, found.is(&known)),
        };
        let told = Sighting {
            thread: found.thread,
            state: Some(found.state),
            lock,
            stack: (stack != 0).then_some(StackId(stack)),
        };
        if told != known.told {
            self.news.push(Record::Sighting(told));
        }
        (known.told, known.monitor, known.pass) = (told, found.monitor, self.pass);
        self.known.insert(tid, known);
        cost
    }

    /// Number of a thread in Java, and where it is found. None of one that has not begun, or gets no id.
    fn find(&mut self, thread: &Ref<'vm>) -> Option<(u64, Found)> {
        let state = self.state(thread)?;
        let tid = self.recording.tid_of(self.vm, thread);
        let id = self.recording.thread_of_tid(self.vm, tid, thread, false);
        let Ok(id) = id else {
            self.untold = self.untold.saturating_add(1);
            return None;
        };
        let found = Found {
            thread: id,
            state,
            monitor: self.monitor(thread, state),
            blocker: self.blocker(thread, state),
        };
        Some((tid, found))
    }

    /// What a carrier does may be its virtual thread's doing, save where it parks for want of one.
    fn state(&self, thread: &Ref<'vm>) -> Option<ThreadState> {
        let state = self.vm.status(thread, self.status)?;
        let parked = matches!(state, ThreadState::Parked | ThreadState::ParkedTimed);
        match !parked && self.recording.roots.is_carrier(self.vm, thread) {
            true => Some(ThreadState::Unknown),
            false => Some(state),
        }
    }

    /// What a thread is parked on.
    fn blocker(&mut self, thread: &Ref<'vm>, state: ThreadState) -> Option<LockId> {
        if !matches!(state, ThreadState::Parked | ThreadState::ParkedTimed) {
            return None;
        }
        let blocker = self.vm.object_field(thread, self.blocker)?;
        self.blockers.resolve(&blocker)
    }

    /// Address of the monitor a thread stands at; 0 for none, or where it can't be read.
    fn monitor(&self, thread: &Ref<'vm>, state: ThreadState) -> u64 {
        let Some((sight, doing)) = self.sight.as_ref().zip(doing(state)) else {
            return 0;
        };
        let address = self.recording.address_of(self.vm, thread);
        let monitor = (address != 0).then(|| sight.monitor(address, doing));
        monitor.flatten().unwrap_or(0)
    }

    /// The call chain of a thread that stands, the known one if that still holds; 0 for none. And what it cost.
    fn chain(
        &mut self,
        thread: &Ref<'vm>,
        (tid, found): (u64, &Found),
        known: &mut Known,
        at: u64,
    ) -> (u32, u64) {
        let old = known.told.stack.map_or(0, |stack| stack.0);
        let stands = found.is(known) && old != 0;
        let blocked = found.state == ThreadState::Blocked;
        if stands && !blocked && at.saturating_sub(known.checked_at) < RECHECK {
            return (old, 0);
        }
        known.checked_at = at;
        let ran = self.time_of(thread);
        let moved = ran.is_some() && ran != known.ran;
        let age = at.saturating_sub(known.chain_at);
        let aged = ran.is_none() && (blocked || age > CHAIN_AGE);
        if stands && !moved && !aged {
            return (old, 0);
        }
        if !self.may_take(blocked) {
            return (if stands && !moved { old } else { 0 }, 0);
        }
        (known.ran, known.chain_at) = (ran, at);
        if self.stops.is_some() {
            self.put_off(thread, tid, found);
            return (0, 0);
        }
        let (stack, cost) = self.take(thread);
        match self.is_there(thread, found) {
            true => (stack, cost),
            false => (0, cost),
        }
    }

    /// Has its chain taken with others.
    fn put_off(&mut self, thread: &Ref<'vm>, tid: u64, found: &Found) {
        if self.pending.len() >= TOGETHER {
            return;
        }
        if let Some(again) = self.vm.again(thread) {
            self.pending.push((tid, *found));
            self.pending_threads.push(again);
        }
    }

    /// It may have gone on between two questions.
    fn is_there(&self, thread: &Ref<'vm>, found: &Found) -> bool {
        self.state(thread) == Some(found.state)
            && self.monitor(thread, found.state) == found.monitor
    }

    /// Takes the chains that this look wants in one stop of the JVM; what that cost.
    fn take_together(&mut self) -> u64 {
        let pending = std::mem::take(&mut self.pending);
        let threads = std::mem::take(&mut self.pending_threads);
        if pending.is_empty() {
            return 0;
        }
        let (began, at) = (clock::thread_cpu(), clock::monotonic());
        let stacks = self.recording.parked_stacks_of(self.vm, &threads, false);
        self.charge_stop(at);
        for (((tid, found), thread), stack) in pending.into_iter().zip(threads).zip(stacks) {
            if stack != 0 && self.is_there(&thread, &found) {
                self.add_chain(tid, StackId(stack));
            }
        }
        clock::thread_cpu().saturating_sub(began)
    }

    fn add_chain(&mut self, tid: u64, stack: StackId) {
        if let Some(known) = self.known.get_mut(&tid) {
            known.told.stack = Some(stack);
            self.news.push(Record::Sighting(known.told));
        }
    }

    fn charge_stop(&mut self, began: u64) {
        if let Some(credit) = &mut self.stops {
            let stopped = clock::monotonic().saturating_sub(began);
            *credit -= i64::try_from(stopped).unwrap_or(STOP_CREDIT);
        }
    }

    /// The processor time a thread has taken; none where the JVM can't be asked, or not so often.
    fn time_of(&mut self, thread: &Ref<'vm>) -> Option<i64> {
        self.asks = self.asks.checked_sub(1)?;
        self.vm.cpu_time(thread)
    }

    fn may_take(&self, blocked: bool) -> bool {
        match self.stops {
            Some(credit) => credit > 0,
            None => self.pace.affords_chain(blocked),
        }
    }

    fn take(&mut self, thread: &Ref<'vm>) -> (u32, u64) {
        let began = clock::thread_cpu();
        let stack = self.recording.parked_stack_of(self.vm, thread);
        let spent = clock::thread_cpu().saturating_sub(began);
        self.pace.charge_chain(spent);
        (stack, spent)
    }

    /// The lock object of the monitor a thread stands at. As long as it does that is not taken down; `stood`: it did at the look
    /// before.
    fn lock(&mut self, thread: &Ref<'vm>, found: &Found, stood: bool) -> Option<LockId> {
        let (sight, doing) = self.sight.as_ref().zip(doing(found.state))?;
        let (address, pass) = (found.monitor, self.pass);
        if let Some(lock) = self.monitors.named(address, pass) {
            return Some(lock);
        }
        let word = sight.object_word(address)?;
        match self.monitors.meet(address, word, (pass, stood)) {
            Met::Named(lock) => return Some(lock),
            Met::New => return None,
            Met::InUse => {}
        }
        let thread = self.vm.again(thread)?;
        let candidate = sight.candidate(thread, found.thread, doing)?;
        // It may have gone on to another one.
        let object = (candidate.monitor == address).then(|| sight.object(&candidate));
        let lock = self.recording.lock(self.vm, &object??).ok()?;
        self.monitors.name(address, lock);
        Some(lock)
    }
}

/// In the words of those who read monitors; none where a thread stands at none.
fn doing(state: ThreadState) -> Option<Doing> {
    match state {
        ThreadState::Blocked => Some(Doing::Blocked),
        ThreadState::Waiting => Some(Doing::Waiting { timed: false }),
        ThreadState::WaitingTimed => Some(Doing::Waiting { timed: true }),
        _ => None,
    }
}

impl Writer<'_> {
    /// Looks at all threads, if it is time, and tells what has changed.
    pub(super) fn sample(&mut self) {
        let Some(census) = &mut self.census else {
            return;
        };
        if !census.pace.is_due(clock::monotonic()) {
            return;
        }
        census.look();
        let (news, gone) = (
            std::mem::take(&mut census.news),
            std::mem::take(&mut census.gone),
        );
        // What names the ids in it comes before.
        self.define();
        news.iter().for_each(|record| self.output.push(record));
        gone.into_iter()
            .for_each(|thread| self.describer.ended(thread));
        self.output.cut();
    }

    /// No more looks.
    pub(super) fn end_samples(&mut self) {
        if let Some(census) = self.census.take() {
            census.blockers.release();
        }
    }
}
