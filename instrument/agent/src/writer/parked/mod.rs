//! Locks of `java.util.concurrent`, which make no event: looks at the threads that are parked.
//!
//! A parked thread says what it is parked on (`Thread.parkBlocker`, what `LockSupport.getBlocker` reads), and
//! a synchronizer who owns it. So now and then this thread of ours goes through the platform threads: the field
//! by JNI; their state, which is a field too; a call chain where a stay begins,
//! by a handshake with that one thread. What looks in a row find is one stay ([`stay`]). What all that may cost, and so how
//! often it is done, [`pace`] says; what a blocker is, [`blockers`].
//!
//! To JDK 15 the JVM stops as a whole for a call chain: there few are taken, of each lock [`FEW`], and none of owners; those that lack
//! at the end one stop shows ([`unplaced`]).
//! Virtual threads park without their carrier and are not in the JVM's list: they are not seen.

mod bare;
pub(super) mod blockers;
mod crowd;
mod owners;
pub(super) mod pace;
mod stay;
mod still;
mod stood;
mod turn;
mod unplaced;

use super::output::Output;
use crate::clock;
use crate::exact::Resolved;
use crate::recording::Recording;
use crate::vm::{Field, Ref, ThreadStatus, Vm};
use bare::Bare;
use blockers::{Blockers, Owning};
use crowd::Counter;
use locklens_trace::parked::Parked;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Record, ThreadId};
use owners::{LastOwners, Owned};
use pace::{Pace, Terms};
use stay::{Finding, Stay};
use std::collections::HashMap;
use std::time::Duration;
use still::Stillness;
use stood::Standing;

/// Age at which the chain of a stay is taken anew, ns: the thread may have come back to the same blocker.
const CHAIN_AGE: u64 = 2_000_000_000;
/// Time between two chains of a lock's owners, ns.
const OWNER_PAUSE: u64 = 200_000_000;
/// Time between two statements about blockers and the looks themselves, ns.
const NEWS: u64 = 1_000_000_000;
/// Where the JVM stops for a chain: chains of each lock,
const FEW: u32 = 3;
/// chains at first,
const STOPS: u64 = 32;
/// time for each further one, ns,
const STOP_PAUSE: u64 = 1_000_000_000;
/// and how many times as long as a stop took the JVM runs before the next. The same for the chains of owners,
/// which may keep this thread waiting.
const STOP_REST: u64 = 100;
/// Time between the last two looks.
const LAST: Duration = Duration::from_millis(5);

/// See the module.
pub(super) struct Sampler<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    blocker: Field,
    status: ThreadStatus,
    /// The blocker of the last thread of this look: the threads of a pool have the same one.
    last: Option<(Ref<'vm>, LockId)>,
    blockers: Blockers<'vm>,
    pace: Pace,
    /// By Java tid.
    stays: HashMap<u64, Stay>,
    pass: u64,
    /// This look has found somebody come or gone, or another owner.
    moved: bool,
    /// When the first look was, ns of the trace.
    first: Option<u64>,
    /// Time that all looks stand for.
    span: u64,
    /// Processor time they took.
    cpu: u64,
    threads: usize,
    /// Findings of threads or locks that got no id, as a table or the memory was full.
    untold: u64,
    has_virtual: bool,
    /// Those that are parked without a blocker.
    bare: Bare,
    /// The JVM stops for each chain; chains taken.
    stops: Option<u64>,
    /// When it may stop again, ns of the clock.
    stop_due: u64,
    /// When an owner's chain may be taken again, ns of the clock.
    owner_due: u64,
    news_due: u64,
    /// These are the last looks.
    is_last: bool,
    /// Of the very last: each synchronizer that has an owner.
    owned: Option<Vec<Owned<'vm>>>,
    stillness: Stillness<'vm>,
    /// Where somebody watches.
    counter: Option<Counter>,
    /// Beside probes.
    standing: Option<Standing>,
}

fn terms(recording: &Recording) -> Terms {
    Terms::beside(recording.options.overhead)
}

/// What only the last look can say.
#[derive(Default)]
pub(super) struct LastLook {
    pub(super) owners: LastOwners,
    /// Parked threads that have not run since they were found; none where none was asked.
    pub(super) still: Option<Vec<ThreadId>>,
}

impl<'vm> Sampler<'vm> {
    /// Ready for the first look; none if it is not wanted or cannot be.
    pub(super) fn begin(vm: Vm<'vm>, recording: &'vm Recording) -> Option<Self> {
        let options = &recording.options;
        if options.exact || !options.juc || options.sample.is_some() {
            return None;
        }
        Self::beside_probes(vm, recording)
    }

    /// The same while the probes tell every park: who owns a lock, and where threads park, only looks say.
    pub(super) fn beside_probes(vm: Vm<'vm>, recording: &'vm Recording) -> Option<Self> {
        let thread = &recording.roots.thread;
        let status = vm.thread_status(thread)?;
        Some(Self {
            vm,
            recording,
            blocker: vm.field(thread, c"parkBlocker", c"Ljava/lang/Object;")?,
            status,
            last: None,
            blockers: Blockers::new(vm, recording),
            pace: Pace::new(clock::monotonic(), terms(recording)),
            stays: HashMap::new(),
            pass: 0,
            moved: false,
            first: None,
            span: 0,
            cpu: 0,
            threads: 0,
            untold: 0,
            has_virtual: false,
            bare: Bare::default(),
            stops: vm.stops_for_chains().then_some(0),
            stop_due: 0,
            owner_due: 0,
            news_due: 0,
            is_last: false,
            owned: None,
            stillness: Stillness::new(vm, recording),
            counter: recording.options.live.then(|| Counter::new(status)),
            standing: None,
        })
    }

    /// The same where probes tell operations, too.
    pub(super) fn beside_operations(vm: Vm<'vm>, recording: &'vm Recording) -> Option<Self> {
        let mut sampler = Self::beside_probes(vm, recording)?;
        sampler.blockers.tell_more_apart();
        Some(sampler)
    }

    /// Tells of what nothing was told yet: before what happens to it.
    pub(super) fn tell_new(&mut self, output: &mut Output) {
        if self.blockers.take_new() {
            self.tell_defs(output);
        }
    }

    /// What a blocker is that a probe met.
    pub(super) fn resolve_for_probes(&mut self, blocker: &Ref<'vm>) -> Option<Resolved> {
        self.blockers.resolve_for_probes(blocker)
    }

    /// How long until the next look.
    pub(super) fn until_due(&self) -> Duration {
        // The system waits for whole milliseconds.
        Duration::from_nanos(self.pace.until_due(clock::monotonic()) + 999_999)
    }

    /// Looks, if it is time.
    pub(super) fn go_on(&mut self, output: &mut Output) {
        if self.pace.is_due(clock::monotonic()) {
            self.look(output);
        }
    }

    fn look(&mut self, output: &mut Output) {
        let began = clock::thread_cpu();
        let now = clock::monotonic();
        let weight = self.pace.begin(now);
        let at = now.saturating_sub(self.recording.start);
        self.pass += 1;
        self.moved = false;
        self.stillness.begin_look();
        self.bare.begin_look();
        self.first.get_or_insert(at);
        self.span += weight;
        let threads = self.vm.all_threads().unwrap_or_default();
        self.threads = threads.len();
        let mut chains = 0;
        if let Some(counter) = &mut self.counter {
            counter.begin_look();
        }
        for thread in threads {
            if let Some(counter) = &mut self.counter {
                counter.count(self.vm, self.recording, &thread);
            }
            chains += self.look_at(&thread, (at, weight), output);
        }
        let counted = self.counter.as_mut().and_then(Counter::end_look);
        counted.iter().for_each(|record| output.push(record));
        self.last = None;
        self.end_stays(output);
        if let Some(standing) = &mut self.standing {
            standing.looked(now);
        }
        self.blockers.watch();
        if at >= self.news_due {
            self.news_due = at + NEWS;
            self.tell_news(output);
        }
        let spent = clock::thread_cpu().saturating_sub(began);
        self.cpu += spent;
        self.pace
            .end(clock::monotonic(), spent.saturating_sub(chains), self.moved);
    }

    /// Looks at one thread; what its chains cost.
    fn look_at(&mut self, thread: &Ref<'vm>, (at, weight): (u64, u64), output: &mut Output) -> u64 {
        let vm = self.vm;
        let Some(blocker) = vm.object_field(thread, self.blocker) else {
            return self.look_at_bare(thread, (at, weight));
        };
        let Some(timed) = vm.parks(thread, self.status) else {
            return 0;
        };
        let Some(lock) = self.resolve(&blocker) else {
            self.untold += 1;
            return 0;
        };
        let owned = self
            .blockers
            .meet(&blocker, lock, self.pass, at, OWNER_PAUSE);
        let mut cost = 0;
        let mut owner_stack = owned.stack;
        if let Some(owner) = owned.reference
            && self.stops.is_none()
            && self.pace.affords_chain(false)
            && clock::monotonic() >= self.owner_due
        {
            let began = clock::monotonic();
            let chain = |sampler: &Self| sampler.recording.parked_stack_of(vm, &owner);
            let (stack, spent) = self.charged(chain);
            cost += spent;
            // An owner that runs is waited for until it comes to a safepoint, and nothing is written meanwhile.
            let now = clock::monotonic();
            self.owner_due = now + now.saturating_sub(began).saturating_mul(STOP_REST);
            if self.blockers.is_owned_by(&blocker, lock, &owner) {
                owner_stack = stack;
            }
            self.blockers.set_owner_chain(lock, at, owner_stack);
        }
        let found = Finding {
            lock,
            timed,
            owner: owned.owner,
            owner_stack,
            at,
            weight,
        };
        let tid = self.recording.tid_of(vm, thread);
        if self.note(tid, thread, &blocker, found, output) {
            cost += self.take_chain(tid, thread, &blocker, (lock, at), output);
            self.stood(tid, (thread, &blocker), lock);
        }
        match self.owner_to_keep(&blocker, lock) {
            Some(owner) => self.keep(Owned {
                lock,
                blocker,
                owner,
            }),
            None => self.last = Some((blocker, lock)),
        }
        cost
    }

    /// Looks at a thread that has no blocker; what its chain costs.
    fn look_at_bare(&mut self, thread: &Ref<'vm>, (at, weight): (u64, u64)) -> u64 {
        let vm = self.vm;
        if vm.parks(thread, self.status).is_none() {
            return 0;
        }
        let wanted = self.bare.count((at, weight), self.pass);
        if !wanted || self.stops.is_some() || !self.pace.affords_chain(false) {
            return 0;
        }
        let (stack, spent) = self.charged(|sampler| sampler.recording.park_stack_of(vm, thread));
        self.bare.add(at, stack);
        spent
    }

    /// The owner of a blocker that is to be asked what it does, unless that was noted already.
    fn owner_to_keep(&self, blocker: &Ref<'vm>, lock: LockId) -> Option<Owning<'vm>> {
        let owned = self.owned.as_ref()?;
        match owned.iter().any(|known| known.lock == lock) {
            true => None,
            false => self.blockers.owner_now(blocker, lock),
        }
    }

    fn keep(&mut self, owned: Owned<'vm>) {
        self.owned.get_or_insert_default().push(owned);
    }

    fn resolve(&mut self, blocker: &Ref<'vm>) -> Option<LockId> {
        match &self.last {
            Some((last, lock)) if self.vm.is_same(last, blocker) => Some(*lock),
            _ => self.blockers.resolve(blocker),
        }
    }

    /// Adds a finding to the stay it belongs to; whether that is one.
    fn note(
        &mut self,
        tid: u64,
        thread: &Ref<'vm>,
        blocker: &Ref<'vm>,
        found: Finding,
        output: &mut Output,
    ) -> bool {
        if let Some(stay) = self.stays.get_mut(&tid) {
            if stay.is_at(&found) {
                let so_far = stay.go_on(found, self.pass, self.is_last);
                self.moved |= so_far.is_some();
                tell(output, so_far);
                match self.owned {
                    None => self.stillness.note(stay, thread, found.at),
                    Some(_) => self.stillness.note_last(stay, thread),
                }
                return true;
            }
            if let Some(stay) = self.stays.remove(&tid) {
                self.end_stay(stay, output);
            }
        }
        // It may have gone on to another blocker between the two questions.
        if !self.is_at(thread, blocker) {
            return false;
        }
        let id = self.recording.thread_of_tid(self.vm, tid, thread, false);
        let Ok(id) = id else {
            self.untold += 1;
            return false;
        };
        self.has_virtual |= self.recording.roots.is_carrier(self.vm, thread);
        self.blockers.look_through(blocker, found.lock);
        let stay = Stay::new(id, found, self.pass).watched(self.recording.options.live);
        self.stays.insert(tid, stay);
        self.moved = true;
        true
    }

    fn is_at(&self, thread: &Ref<'vm>, blocker: &Ref<'vm>) -> bool {
        let now = self.vm.object_field(thread, self.blocker);
        now.is_some_and(|now| self.vm.is_same(&now, blocker))
            && self.vm.parks(thread, self.status).is_some()
    }

    /// Takes the chain of a parked thread if its stay wants one and there is credit; what that cost.
    fn take_chain(
        &mut self,
        tid: u64,
        thread: &Ref<'vm>,
        blocker: &Ref<'vm>,
        (lock, at): (LockId, u64),
        output: &mut Output,
    ) -> u64 {
        let Some(stay) = self.stays.get(&tid) else {
            return 0;
        };
        let taken = self.blockers.chains(lock);
        if !stay.wants_chain(at, CHAIN_AGE) || !self.may_take(taken, at) {
            return 0;
        }
        let vm = self.vm;
        let (stack, spent) = self.charged(|sampler| sampler.recording.park_stack_of(vm, thread));
        let stack = if self.is_at(thread, blocker) {
            stack
        } else {
            0
        };
        self.blockers.count_chain(lock);
        if let Some(stay) = self.stays.get_mut(&tid) {
            tell(output, stay.set_chain(at, stack));
        }
        spent
    }

    fn may_take(&mut self, of_lock: u32, at: u64) -> bool {
        if !self.pace.affords_chain(of_lock == 0) {
            return false;
        }
        let Some(taken) = &mut self.stops else {
            return true;
        };
        let most = STOPS + at / STOP_PAUSE;
        // Half are for locks of which there is none yet.
        let most = if of_lock == 0 { most } else { most / 2 };
        let may = of_lock < FEW && *taken < most && clock::monotonic() >= self.stop_due;
        *taken += u64::from(may);
        may
    }

    /// The result of something, and what it cost, which is charged.
    fn charged(&mut self, work: impl FnOnce(&Self) -> u32) -> (u32, u64) {
        let (began, at) = (clock::thread_cpu(), clock::monotonic());
        let result = work(self);
        let spent = clock::thread_cpu().saturating_sub(began);
        self.pace.charge_chain(spent);
        // A stop takes the time of all threads, not this one's.
        let now = clock::monotonic();
        self.stop_due = now + now.saturating_sub(at).saturating_mul(STOP_REST);
        (result, spent)
    }

    /// Tells the stays that this look did not find again.
    fn end_stays(&mut self, output: &mut Output) {
        let pass = self.pass;
        let over = self.stays.extract_if(|_, stay| stay.pass != pass);
        let over: Vec<Stay> = over.map(|(_, stay)| stay).collect();
        over.into_iter()
            .for_each(|stay| self.end_stay(stay, output));
    }

    fn end_stay(&mut self, stay: Stay, output: &mut Output) {
        self.moved = true;
        if let Some(standing) = &mut self.standing {
            standing.ends(&stay, self.recording.start);
        }
        tell(output, stay.end(false));
    }

    fn tell_defs(&mut self, output: &mut Output) {
        for def in self.blockers.take_news() {
            output.push(&Record::Sync(def));
        }
    }

    fn tell_news(&mut self, output: &mut Output) {
        self.tell_defs(output);
        output.push(&Record::Target(self.facts()));
    }

    fn facts(&self) -> Vec<(String, String)> {
        let facts = [
            (target_key::PARKED_SAMPLES, self.pass),
            (target_key::PARKED_SPAN, self.span),
            (target_key::PARKED_WISH, pace::WISH),
            (target_key::PARKED_CPU, self.cpu),
            (target_key::PARKED_SHARE, terms(self.recording).share()),
            (target_key::PARKED_THREADS, self.threads as u64),
        ];
        let pair = |(key, value): (&str, u64)| (key.to_owned(), value.to_string());
        let first = self.first.map(|at| (target_key::PARKED_FIRST, at));
        let facts = facts.into_iter().chain(first).chain(self.bare.facts());
        let mut pairs: Vec<_> = facts.map(pair).collect();
        if self.untold > 0 {
            pairs.push((
                target_key::PARKED_UNTOLD.to_owned(),
                self.untold.to_string(),
            ));
        }
        if self.has_virtual {
            pairs.push((target_key::PARKED_VIRTUAL.to_owned(), "true".to_owned()));
        }
        pairs
    }

    /// The last looks, close together: what both find is told as what there was when the recording ended. Then what
    /// those do who own it.
    fn look_last(&mut self, output: &mut Output) -> LastLook {
        self.is_last = true;
        self.look(output);
        let late = self.take_late_chains();
        std::thread::sleep(LAST);
        self.owned = Some(Vec::new());
        self.look(output);
        self.add_late_chains(late, output);
        let owned = self.owned.take().unwrap_or_default();
        LastLook {
            owners: LastOwners::of(self.vm, self.recording, &self.blockers, owned),
            still: self.stillness.take(),
        }
    }

    /// Tells what is left, and gives back what the JVM holds. `open` if the last look was just now.
    fn finish(mut self, output: &mut Output, open: bool) {
        for stay in std::mem::take(&mut self.stays).into_values() {
            tell(output, stay.end(open));
        }
        self.tell_news(output);
        self.blockers.release();
    }
}

fn tell(output: &mut Output, parked: Option<Parked>) {
    if let Some(parked) = parked {
        output.push(&Record::Parked(parked));
    }
}
