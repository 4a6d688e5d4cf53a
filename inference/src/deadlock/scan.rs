//! The first pass: every distinct dependency, once, and what is known of threads and locks besides.

use super::errands::{Errands, How};
use super::follow::{Act, Follower, Held, Moment, UNRELEASED, Wanted, Watch};
use super::lineage::Lineage;
use super::missed::Missed;
use super::past::Past;
use super::served::Served;
use super::step::{Lock, Mode, Nature, Op, Patience, Reading, Step, Thread};
use super::table::{Dependency, Hold, Table};
use super::waits::Waits;
use super::woken::Woken;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Dependencies remembered of those that hold permits of one semaphore.
const HOLDERS: usize = 2_000;

/// What the first pass found.
#[derive(Debug, Default)]
pub struct Scan {
    pub(super) table: Table,
    pub(super) follower: Follower,
    pub(super) waits: Waits,
    pub(super) missed: Missed,
    users: Users,
    pub(super) errands: Errands,
    pub(super) served: Served,
    pub(super) woken: Woken,
    pub(super) lineage: Lineage,
    pub(super) past: Past,
    /// With which step of all a thread began, and ended.
    pub(super) begins: BTreeMap<Thread, u64>,
    pub(super) ends: BTreeMap<Thread, u64>,
    pub(super) accesses: u64,
    /// Only the first steps of each kind are in the trace: what came between them is not known.
    pub(super) excerpts: bool,
    /// Dependencies by who wants what; only if they are asked for.
    alike: OnceCell<Alike>,
    /// Locks that somebody wants at a place that is known; only if they are asked for.
    placed: OnceCell<BTreeSet<Lock>>,
    pub(super) steps: u64,
    /// Nobody: it stands for all that was done before a thread began.
    ledger: Option<Thread>,
    natures: BTreeMap<Lock, Nature>,
    /// Threads that may run tasks of one pool, as their names tell.
    crews: BTreeMap<Thread, u32>,
    /// By semaphore, dependencies of those that hold permits of it.
    holders: BTreeMap<Lock, Vec<u32>>,
    /// By semaphore, those of who wants several permits of it at once.
    greedy: BTreeMap<Lock, Vec<u32>>,
}

/// Indices of dependencies, by who wants what.
type Alike = BTreeMap<(Thread, Wanted), Vec<u32>>;

fn alike(all: &[Dependency]) -> Alike {
    let mut alike = Alike::default();
    for (index, one) in (0..).zip(all) {
        let same = alike.entry((one.thread, one.wanted)).or_default();
        same.push(index);
    }
    alike
}

impl Scan {
    /// For a trace of which, if `excerpts`, only what was new is told.
    #[must_use]
    pub fn of(excerpts: bool) -> Self {
        Self {
            excerpts,
            ..Self::default()
        }
    }

    /// Of a trace that began when its threads were under way.
    #[must_use]
    pub fn from_under_way(mut self) -> Self {
        self.follower.under_way = true;
        self
    }

    /// The thread was there when the trace began, in the middle of something.
    pub(super) fn is_from_before(&self, thread: Thread) -> bool {
        self.follower.under_way && !self.begins.contains_key(&thread)
    }

    /// What a thread from before did at first with nothing else held, and later always with more, or in code from before, which does not
    /// tell its places: it may have had more before the trace.
    pub(super) fn had_more(&self, index: u32) -> bool {
        let of = &self.table.all[index as usize];
        if !self.is_from_before(of.thread) {
            return false;
        }
        let has = |more: &Dependency, hold: &Hold| {
            let held = more.hold(hold.lock);
            held.is_some_and(|held| held.mode == hold.mode)
        };
        let is_more = |&index: &u32| {
            let more = &self.table.all[index as usize];
            let there = more.site == of.site || of.site.is_none();
            let later = there && more.since > of.until;
            let besides = more.held.len() > of.held.len();
            later && besides && of.held.iter().all(|hold| has(more, hold))
        };
        let alike = self.alike.get_or_init(|| alike(&self.table.all));
        let alike = alike.get(&(of.thread, of.wanted));
        self.is_in_old_code(of) || alike.is_some_and(|alike| alike.iter().any(is_more))
    }

    /// What it holds there of this may have been given back by then: that was not seen, and then somebody else took it.
    pub(super) fn may_have_been_over(&self, index: u32) -> bool {
        let of = &self.table.all[index as usize];
        // Where there are more than are remembered, nothing is sure.
        self.follower.unreleased.len() >= UNRELEASED
            || self.follower.unreleased.iter().any(|hold| {
                // Who waits wants his lock back from the step behind.
                let within = hold.from <= of.first && of.last <= hold.to.saturating_add(1);
                hold.thread == of.thread && within && of.hold(hold.lock).is_some()
            })
    }

    /// None of its places is known, where others that want the same lock have one.
    fn is_in_old_code(&self, of: &Dependency) -> bool {
        let nowhere = of.site.is_none() && of.held.iter().all(|hold| hold.site.is_none());
        let placed = || {
            let all = self.table.all.iter().filter(|one| one.site.is_some());
            all.filter_map(Dependency::wants_lock).collect()
        };
        let wants = of.wants_lock().filter(|_| nowhere);
        wants.is_some_and(|lock| self.placed.get_or_init(placed).contains(&lock))
    }

    /// A thread from before was there several times: who had let it go on by the first of them is not known.
    pub(super) fn is_first_unsure(&self, index: u32) -> bool {
        let of = &self.table.all[index as usize];
        of.count > 1 && self.is_from_before(of.thread)
    }

    /// Takes in the next step of the trace.
    pub fn push(&mut self, step: &Step) {
        self.steps += 1;
        self.table.now = self.steps;
        match step.op {
            Op::Begin => drop(self.begins.insert(step.thread, self.steps)),
            Op::End => drop(self.ends.insert(step.thread, self.steps)),
            _ => {}
        }
        if let Op::MayFollow(ledger, Reading::START) = step.op {
            self.ledger = Some(ledger);
        }
        let accesses = matches!(step.op, Op::Read(_) | Op::Write(_) | Op::Saw { .. });
        self.accesses += u64::from(accesses);
        let mut notes = Notes {
            table: &mut self.table,
            waits: &mut self.waits,
            missed: &mut self.missed,
            users: &mut self.users,
            errands: &mut self.errands,
            served: &mut self.served,
            woken: &mut self.woken,
            excerpts: self.excerpts,
        };
        self.follower.push(step, &mut notes);
        if matches!(step.op, Op::Read(_) | Op::Saw { .. }) {
            let state = &self.follower.threads[step.thread.0 as usize];
            self.missed.reads(step.thread, state.at);
        }
        if matches!(step.op, Op::Fork { .. } | Op::Join { .. }) {
            let state = &self.follower.threads[step.thread.0 as usize];
            self.lineage.saw(step, state.at);
            self.order(step);
        }
    }

    /// Takes in a start or a join.
    fn order(&mut self, step: &Step) {
        let at = |thread: Thread| {
            let state = self.follower.threads.get(thread.0 as usize);
            state.map_or(0, |state| state.at)
        };
        let mine = (step.thread, at(step.thread));
        match step.op {
            Op::Fork {
                child,
                presumed: false,
            } => self.past.saw((child, at(child) + 1), mine),
            Op::Join {
                child,
                timed: false,
            } => self.past.saw(mine, (child, at(child))),
            _ => {}
        }
    }

    /// From when to when each thread lives, by steps of all.
    pub(super) fn lives(&self) -> impl Iterator<Item = (Thread, [u64; 2])> {
        let threads = (0..).map(Thread).zip(&self.follower.threads);
        let there =
            threads.filter(|(thread, state)| !state.is_unseen() && Some(*thread) != self.ledger);
        there.map(|(thread, _)| (thread, self.life(thread)))
    }

    pub(super) fn life(&self, thread: Thread) -> [u64; 2] {
        let begun = self.begins.get(&thread).copied().unwrap_or(0);
        [begun, self.ends.get(&thread).copied().unwrap_or(u64::MAX)]
    }

    /// Takes in what is known of locks besides. That who has one is not let in again has to be known before the first
    /// step.
    pub fn know(&mut self, natures: BTreeMap<Lock, Nature>) {
        self.natures = natures;
        let once = self.natures.iter().filter(|(_, known)| !known.reentrant);
        self.follower.once = once.map(|(&lock, _)| lock).collect();
        for (index, dependency) in (0..).zip(&mut self.table.all) {
            for hold in dependency
                .held
                .iter()
                .filter(|hold| hold.mode.permits() > 0)
            {
                let holders = self.holders.entry(hold.lock).or_default();
                if holders.len() < HOLDERS {
                    holders.push(index);
                }
            }
            match dependency.wanted {
                Wanted::Notice(lock) => {
                    let known = self.natures.get(&lock);
                    dependency.limited |= known.is_some_and(|known| known.limited);
                }
                Wanted::Lock(lock, Mode::Permit(count)) if count > 1 => {
                    let greedy = self.greedy.entry(lock).or_default();
                    if greedy.len() < HOLDERS {
                        greedy.push(index);
                    }
                }
                Wanted::Lock(..) | Wanted::End(_) => {}
            }
        }
    }

    /// Takes in how long threads wait.
    pub fn know_patience(&mut self, patience: &Patience) {
        for dependency in &mut self.table.all {
            let thread = dependency.thread;
            match dependency.wanted {
                Wanted::Notice(lock) => {
                    dependency.limited |= patience.limited.contains(&(thread, lock));
                }
                Wanted::Lock(lock, Mode::Exclusive) if dependency.gives_up() => {
                    dependency.at_once = patience.at_once.contains(&(thread, lock));
                }
                Wanted::Lock(..) | Wanted::End(_) => {}
            }
        }
    }

    /// Takes in which threads may run tasks of one pool.
    pub fn know_crews(&mut self, crews: BTreeMap<Thread, u32>) {
        self.crews = crews;
    }

    /// Others who may run tasks of the same pool as a thread: of none of them is it known of which.
    pub(super) fn crew_of(&self, thread: Thread) -> impl Iterator<Item = Thread> {
        let crew = self.crews.get(&thread).copied();
        let of = move |own: &u32| Some(*own) == crew;
        let mates = self.crews.iter().filter(move |(_, own)| of(own));
        let mates = mates.map(|(&mate, _)| mate);
        mates.filter(|&mate| !self.errands.has_fetched(mate))
    }

    /// What is known of a lock besides.
    pub(super) fn nature(&self, lock: Lock) -> Nature {
        self.natures.get(&lock).copied().unwrap_or_default()
    }

    /// Whether it is counted down, by threads that do not wait there themselves.
    pub(super) fn is_latch(&self, lock: Lock) -> bool {
        let nature = self.nature(lock);
        nature.latch.is_some() && !nature.meets
    }

    /// Dependencies of those that want several permits of a semaphore at once.
    pub(super) fn greedy(&self, lock: Lock) -> &[u32] {
        self.greedy.get(&lock).map_or(&[], Vec::as_slice)
    }

    /// Dependencies of those that hold permits of a semaphore.
    pub(super) fn holders(&self, lock: Lock) -> &[u32] {
        self.holders.get(&lock).map_or(&[], Vec::as_slice)
    }

    /// Steps seen.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Distinct dependencies seen.
    #[must_use]
    pub fn dependencies(&self) -> usize {
        self.table.all.len()
    }

    /// Threads of the trace.
    pub(super) fn threads(&self) -> usize {
        match self.excerpts {
            // Not the ledgers that keep threads apart.
            true => {
                let threads = self.table.all.iter().map(|dependency| dependency.thread);
                threads.collect::<BTreeSet<_>>().len()
            }
            false => self.follower.threads.len() - usize::from(self.ledger.is_some()),
        }
    }

    /// The locks that anybody took.
    pub(super) fn used(&self) -> impl Iterator<Item = Lock> {
        let all = (0..).map(Lock).zip(&self.users.first);
        all.filter_map(|(lock, first)| first.map(|_| lock))
    }

    /// Locks that anybody took.
    pub(super) fn locks(&self) -> usize {
        self.users.first.iter().flatten().count()
    }

    /// Whether more than one thread used a lock.
    pub(super) fn is_shared(&self, lock: Lock) -> bool {
        self.users
            .several
            .get(lock.0 as usize)
            .copied()
            .unwrap_or(false)
    }
}

/// What a scan takes down while it follows the threads.
struct Notes<'s> {
    table: &'s mut Table,
    waits: &'s mut Waits,
    missed: &'s mut Missed,
    users: &'s mut Users,
    errands: &'s mut Errands,
    served: &'s mut Served,
    woken: &'s mut Woken,
    excerpts: bool,
}

impl Notes<'_> {
    fn wants(&mut self, moment: Moment, wanted: Wanted, timed: bool, held: &[Held]) {
        let index = self.table.add(moment, (wanted, timed), held);
        self.served.waits(index);
        let Some(index) = index else {
            return;
        };
        let dependency = &self.table.all[index as usize];
        if let Wanted::Notice(lock) = wanted {
            self.woken.waits(moment.thread, lock);
        }
        if !self.excerpts {
            self.woken
                .wants(moment.thread, index, dependency.count == 1);
        }
        if self.excerpts {
            // How often it is told says nothing of how often it happens.
            self.table.all[index as usize].count = 1;
        }
        self.errands.wants(moment.thread, index);
    }

    /// It has taken a lock with which threads wait, and may wait there, too, as it has before.
    fn comes(&mut self, moment: Moment, lock: Lock, held: &[Held]) {
        let table = &self.table;
        let Some(places) = self.served.places(moment.thread, lock) else {
            return;
        };
        let ways = places
            .iter()
            .flat_map(|&place| [true, false].map(|timed| (Wanted::Notice(place), timed)));
        let known = ways.filter_map(|wants| table.find(moment, wants, held));
        let known = known.collect();
        self.served.comes(moment.thread, lock, known);
    }

    fn notified(&mut self, moment: Moment, lock: Lock, held: &[Held], (how, all): (How, bool)) {
        let thread = moment.thread;
        let dependencies = self.table.all.len();
        let held = held.iter().map(|held| (held.lock, held.mode)).collect();
        let errands = &mut *self.errands;
        let time = errands.notifies(thread, lock, held, how, dependencies);
        self.served.notified(lock, (thread, time), all, moment.site);
    }
}

impl Watch for Notes<'_> {
    fn saw(&mut self, moment: Moment, act: Act, held: &[Held]) {
        match act {
            Act::Wants { wanted, timed } => self.wants(moment, wanted, timed, held),
            Act::Stands { lock, by, gives } => {
                self.served.begins(moment.thread, lock, by, gives);
            }
            Act::Took(lock, _) => {
                self.users.saw(lock, moment.thread);
                self.errands.took(moment.thread);
                self.comes(moment, lock, held);
            }
            Act::Left(lock) => {
                self.served.leaves(moment.thread, lock);
                self.woken.left(moment.thread, lock);
            }
            Act::Lost(lock) => self.woken.left(moment.thread, lock),
            Act::Back(_) => self.served.returns(moment.thread),
            Act::Notified { lock, waiters, all } => {
                if held.iter().any(|held| held.lock == lock) {
                    self.woken.notified(moment.thread, lock, all);
                }
                let heard = waiters > 0;
                let how = (How::Notified { heard }, all);
                self.notified(moment, lock, held, how);
            }
            Act::Opened { lock, over } => {
                let how = (How::Opened { over }, false);
                self.notified(moment, lock, held, how);
            }
            Act::Had(queue) => self.errands.had(moment.thread, queue),
            Act::Gave(queue) => self.errands.gave(moment.thread, queue),
            Act::Forgot => self.errands.forgets(moment.thread),
            Act::Begun(task) => self.errands.begins(moment.thread, task),
            Act::Outside(task) => self.errands.ends(moment.thread, task),
            Act::Fetched { queue, lay, filled } => {
                self.errands.fetched(moment.thread, queue, lay);
                self.served.fetched(moment.thread, filled);
            }
            _ => {}
        }
        self.waits.saw(moment, act, held);
        self.missed.saw(moment, act, held);
    }
}

/// Who used a lock.
#[derive(Debug, Default)]
struct Users {
    first: Vec<Option<Thread>>,
    several: Vec<bool>,
}

impl Users {
    fn saw(&mut self, lock: Lock, thread: Thread) {
        let index = lock.0 as usize;
        if index >= self.first.len() {
            self.first.resize(index + 1, None);
            self.several.resize(index + 1, false);
        }
        match self.first[index] {
            None => self.first[index] = Some(thread),
            Some(first) => self.several[index] |= first != thread,
        }
    }
}
