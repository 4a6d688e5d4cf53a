//! Random traces, and every way in which they could have gone instead, for tests.
//!
//! The scheduler takes the definition by its word: it tries every reordering of every prefix of the threads in which
//! a lock has one holder, each read reads what it read in the trace, and a wait ends after the notify that ended it. Who
//! still waits when the trace is over needs his lock back as well: without it he does not go on, whoever notifies him.

use super::step::{Lock, Mode, Op, Step, Thread, Var};
use std::collections::{BTreeMap, BTreeSet, HashSet};

const VARS: u32 = 2;

/// What a program that nobody wrote is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kit {
    pub(super) threads: u32,
    pub(super) locks: u32,
    /// They read and write.
    pub(super) memory: bool,
    /// They wait and notify, and take again what they have.
    pub(super) waits: bool,
}

impl Kit {
    /// Three threads and three locks.
    pub(super) fn small(memory: bool) -> Self {
        Self {
            threads: 3,
            locks: 3,
            memory,
            waits: false,
        }
    }
}

/// Numbers between 0 and a bound, from a seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, below: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as u32 % below
    }
}

/// A trace of a program that nobody wrote. It may be shorter, if all of its threads wait.
pub(super) fn random(seed: u64, steps: usize, kit: Kit) -> Vec<Step> {
    let mut dice = Dice(seed);
    let threads = (0..kit.threads).map(|t| Clerk {
        alive: t == 0 || dice.roll(3) > 0,
        ..Clerk::default()
    });
    let mut office = Office {
        kit,
        clerks: threads.collect(),
    };
    let mut trace: Vec<Step> = Vec::new();
    for _ in 0..steps * PATIENCE {
        if trace.len() >= steps {
            break;
        }
        let t = dice.roll(kit.threads);
        trace.extend(office.next(t, &mut dice));
    }
    trace
}

/// Rolls of the dice for a step, at most.
const PATIENCE: usize = 64;

/// A thread of a program that nobody wrote.
#[derive(Clone, Debug, Default)]
struct Clerk {
    alive: bool,
    over: bool,
    /// One of a lock for each level.
    held: Vec<Lock>,
    /// The lock it waits on, how many levels it gave up, and whether it has been notified.
    waits: Option<(Lock, usize, bool)>,
}

struct Office {
    kit: Kit,
    clerks: Vec<Clerk>,
}

impl Office {
    fn next(&mut self, t: u32, dice: &mut Dice) -> Option<Step> {
        let clerk = &self.clerks[t as usize];
        if !clerk.alive || clerk.over {
            return self.start_or_join(t, dice);
        }
        let op = match clerk.waits {
            Some((lock, _, woken)) => {
                let timed_out = false;
                let back = woken && self.owner(lock).is_none();
                back.then_some(Op::Returned { lock, timed_out })
            }
            None => self.act(t, dice),
        };
        self.follow(t, op?);
        Some(step(t, op?))
    }

    /// The first thread starts others, and joins those that are over.
    fn start_or_join(&mut self, t: u32, dice: &mut Dice) -> Option<Step> {
        let free = !self.clerks[0].over && self.clerks[0].waits.is_none() && t != 0;
        let clerk = &mut self.clerks[t as usize];
        if free && !clerk.alive && dice.roll(6) == 0 {
            clerk.alive = true;
            return Some(step(0, fork(t as usize)));
        }
        let (child, timed) = (Thread(t), false);
        (free && clerk.over && dice.roll(4) == 0).then(|| step(0, Op::Join { child, timed }))
    }

    fn owner(&self, lock: Lock) -> Option<usize> {
        self.clerks
            .iter()
            .position(|clerk| clerk.held.contains(&lock))
    }

    fn act(&mut self, t: u32, dice: &mut Dice) -> Option<Op> {
        let lock = Lock(dice.roll(self.kit.locks));
        let mode = Mode::Exclusive;
        let free = match self.owner(lock) {
            Some(owner) => self.kit.waits && owner == t as usize,
            None => true,
        };
        let Kit { memory, waits, .. } = self.kit;
        let clerk = &mut self.clerks[t as usize];
        let mut one = |held: &[Lock]| held[dice.roll(held.len() as u32) as usize];
        let held = (!clerk.held.is_empty()).then(|| one(&clerk.held));
        Some(match (dice.roll(12), held) {
            (0..=3, _) if free => Op::Acquire { lock, mode },
            (4..=6, Some(lock)) => Op::Release(lock),
            (7, _) if memory => Op::Read(Var(dice.roll(VARS))),
            (8, _) if memory => Op::Write(Var(dice.roll(VARS))),
            (9, None) if t != 0 && dice.roll(4) == 0 => {
                clerk.over = true;
                return None;
            }
            (10, Some(lock)) if waits => Op::Wait {
                lock,
                gives: Some(lock),
                timed: false,
                joins: None,
            },
            (11, Some(lock)) if waits => Op::Notify { lock, all: true },
            _ => return None,
        })
    }

    fn follow(&mut self, t: u32, op: Op) {
        let clerk = &mut self.clerks[t as usize];
        match op {
            Op::Acquire { lock, .. } => clerk.held.push(lock),
            Op::Release(lock) => {
                let at = clerk.held.iter().position(|&held| held == lock);
                at.map(|at| clerk.held.remove(at));
            }
            Op::Wait { lock, .. } => {
                let before = clerk.held.len();
                clerk.held.retain(|&held| held != lock);
                clerk.waits = Some((lock, before - clerk.held.len(), false));
            }
            Op::Returned { lock, .. } => {
                let levels = clerk.waits.take().map_or(0, |(_, levels, _)| levels);
                clerk.held.extend(std::iter::repeat_n(lock, levels));
            }
            Op::Notify { lock, .. } => {
                let waits = self.clerks.iter_mut().flat_map(|clerk| &mut clerk.waits);
                waits
                    .filter(|(on, ..)| *on == lock)
                    .for_each(|(.., woken)| *woken = true);
            }
            _ => {}
        }
    }
}

pub(super) fn step(thread: u32, op: Op) -> Step {
    let thread = Thread(thread);
    Step {
        thread,
        op,
        site: None,
    }
}

/// Locks around a ring of threads: each is held by who wants the next. From the smallest.
pub(super) type Ring = Vec<u32>;

/// The rings that threads can come into.
pub(super) fn reachable(trace: &[Step], keep_order: bool) -> BTreeSet<Ring> {
    let mut found = BTreeSet::new();
    explore(trace, keep_order, |scheduler, state| {
        found.extend(scheduler.rings(state));
    });
    found
}

/// Every state that threads can come into, each once.
fn explore(trace: &[Step], keep_order: bool, mut each: impl FnMut(&Scheduler<'_>, &State)) {
    let scheduler = Scheduler::of(trace, keep_order);
    let start = State {
        at: vec![0; scheduler.threads.len()],
        written: BTreeMap::new(),
        taken: BTreeMap::new(),
    };
    let mut seen = HashSet::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if seen.insert(state.clone()) {
            each(&scheduler, &state);
            open.extend(scheduler.next(&state));
        }
    }
}

/// Whether threads can be about to do these steps at the same time.
pub(super) fn stand(trace: &[Step], keep_order: bool, at: &[(usize, usize)]) -> bool {
    let is_at = |scheduler: &Scheduler<'_>, state: &State| {
        let mut at = at.iter();
        at.all(|&(thread, step)| scheduler.threads[thread].get(state.at[thread]) == Some(&step))
    };
    let mut found = false;
    explore(trace, keep_order, |scheduler, state| {
        found |= is_at(scheduler, state);
    });
    found
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// Steps done, by thread.
    at: Vec<usize>,
    written: BTreeMap<Var, usize>,
    /// Of each lock the latest acquisition, where their order is to be kept.
    taken: BTreeMap<Lock, usize>,
}

struct Scheduler<'t> {
    trace: &'t [Step],
    threads: Vec<Vec<usize>>,
    /// What each read read.
    wrote: BTreeMap<usize, Option<usize>>,
    /// The notify that ended each wait, by its return.
    notified: BTreeMap<usize, usize>,
    keep_order: bool,
}

impl<'t> Scheduler<'t> {
    fn of(trace: &'t [Step], keep_order: bool) -> Self {
        let count = trace.iter().map(|step| step.thread.0 as usize + 1).max();
        let children = trace.iter().filter_map(|step| match step.op {
            Op::Fork { child, .. } | Op::Join { child, .. } => Some(child.0 as usize + 1),
            _ => None,
        });
        let count = children.chain(count).max().unwrap_or(0);
        let mut threads = vec![Vec::new(); count];
        let (mut wrote, mut last) = (BTreeMap::new(), BTreeMap::new());
        let (mut notified, mut waiting) = (BTreeMap::new(), BTreeMap::new());
        for (index, step) in trace.iter().enumerate() {
            threads[step.thread.0 as usize].push(index);
            match step.op {
                Op::Write(var) => drop(last.insert(var, index)),
                Op::Read(var) => drop(wrote.insert(index, last.get(&var).copied())),
                Op::Wait { lock, .. } => drop(waiting.insert(step.thread, (lock, None))),
                Op::Notify { lock, .. } => waiting
                    .values_mut()
                    .filter(|(on, by)| *on == lock && by.is_none())
                    .for_each(|(_, by)| *by = Some(index)),
                Op::Returned { .. } => {
                    let by = waiting.remove(&step.thread).and_then(|(_, by)| by);
                    notified.extend(by.map(|by| (index, by)));
                }
                _ => {}
            }
        }
        Self {
            trace,
            threads,
            wrote,
            notified,
            keep_order,
        }
    }

    fn held(&self, state: &State) -> BTreeMap<Lock, usize> {
        let mut held = BTreeMap::new();
        for (thread, steps) in self.threads.iter().enumerate() {
            let mut own: BTreeMap<Lock, usize> = BTreeMap::new();
            let mut given = 0;
            for &index in &steps[..state.at[thread]] {
                match self.trace[index].op {
                    Op::Acquire { lock, .. } => *own.entry(lock).or_default() += 1,
                    Op::Release(lock) => *own.entry(lock).or_insert(1) -= 1,
                    Op::Wait { lock, .. } => given = own.remove(&lock).unwrap_or(0),
                    Op::Returned { lock, .. } => drop(own.insert(lock, given)),
                    _ => {}
                }
            }
            let own = own.into_iter().filter(|(_, levels)| *levels > 0);
            held.extend(own.map(|(lock, _)| (lock, thread)));
        }
        held
    }

    /// The lock that a step takes, unless the thread has it.
    fn taken(&self, index: usize, held: &BTreeMap<Lock, usize>) -> Option<Lock> {
        let thread = self.trace[index].thread.0 as usize;
        match self.trace[index].op {
            Op::Acquire { lock, .. } | Op::Returned { lock, .. } => {
                (held.get(&lock) != Some(&thread)).then_some(lock)
            }
            _ => None,
        }
    }

    fn next(&self, state: &State) -> Vec<State> {
        let held = self.held(state);
        let threads = 0..self.threads.len();
        threads
            .filter_map(|thread| self.stepped(state, thread, &held))
            .collect()
    }

    fn stepped(&self, state: &State, thread: usize, held: &BTreeMap<Lock, usize>) -> Option<State> {
        let &index = self.threads[thread].get(state.at[thread])?;
        let done =
            |child: Thread| state.at[child.0 as usize] == self.threads[child.0 as usize].len();
        let mut next = state.clone();
        if let Some(lock) = self.taken(index, held) {
            let in_turn =
                !self.keep_order || state.taken.get(&lock).is_none_or(|&last| last < index);
            if held.contains_key(&lock) || !in_turn {
                return None;
            }
            next.taken.insert(lock, index);
        }
        match self.trace[index].op {
            Op::Returned { .. } if !self.is_done(state, self.notified.get(&index)) => return None,
            Op::Read(var) if state.written.get(&var).copied() != self.wrote[&index] => return None,
            Op::Write(var) => drop(next.written.insert(var, index)),
            Op::Join { child, .. } if !done(child) => return None,
            _ => {}
        }
        if state.at[thread] == 0 && !self.is_forked(state, thread) {
            return None;
        }
        if !self.keep_order {
            next.taken.clear();
        }
        next.at[thread] += 1;
        Some(next)
    }

    fn is_done(&self, state: &State, index: Option<&usize>) -> bool {
        index.is_some_and(|index| {
            let thread = self.trace[*index].thread.0 as usize;
            self.threads[thread][..state.at[thread]].contains(index)
        })
    }

    fn is_forked(&self, state: &State, thread: usize) -> bool {
        let forks = |index: &usize| self.trace[*index].op == fork(thread);
        let mut all = self.threads.iter().enumerate();
        all.all(|(parent, steps)| steps[state.at[parent]..].iter().all(|index| !forks(index)))
    }

    /// The lock that a thread needs back which still waits when the trace is over: whoever notifies it, it needs that.
    fn awaits(&self, thread: usize) -> Option<Lock> {
        let &last = self.threads[thread].last()?;
        match self.trace[last].op {
            Op::Wait { lock, .. } => Some(lock),
            _ => None,
        }
    }

    /// Rings of threads, each about to take what the next one holds.
    fn rings(&self, state: &State) -> BTreeSet<Ring> {
        let held = self.held(state);
        let wants = |thread: usize| {
            let lock = match self.threads[thread].get(state.at[thread]) {
                Some(&index) => self.taken(index, &held),
                None => self.awaits(thread),
            }?;
            Some((lock, *held.get(&lock)?))
        };
        let mut rings = BTreeSet::new();
        for start in 0..self.threads.len() {
            let (mut thread, mut locks) = (start, Vec::new());
            while let Some((lock, owner)) =
                wants(thread).filter(|_| locks.len() < self.threads.len())
            {
                locks.push(lock.0);
                thread = owner;
                if thread == start {
                    rings.insert(turned(&locks));
                    break;
                }
            }
        }
        rings
    }
}

/// From the smallest.
pub(super) fn turned(locks: &[u32]) -> Ring {
    let mut ring = locks.to_vec();
    let by = (0..ring.len()).min_by_key(|&at| ring[at]).unwrap_or(0);
    ring.rotate_left(by);
    ring
}

fn fork(thread: usize) -> Op {
    Op::Fork {
        child: Thread(thread as u32),
        presumed: false,
    }
}
