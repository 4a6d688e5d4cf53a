//! Random traces, and every way in which they could have gone instead, for tests.
//!
//! The scheduler takes the definition by its word: it tries every reordering of every prefix of the threads in which
//! a lock has one holder and each read reads what it read in the trace.

use super::step::{Lock, Mode, Op, Step, Thread, Var};
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) const THREADS: u32 = 3;
const LOCKS: u32 = 3;
const VARS: u32 = 2;

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

/// A trace of a program that nobody wrote.
pub(super) fn random(seed: u64, steps: usize, memory: bool) -> Vec<Step> {
    let mut dice = Dice(seed);
    let mut held: Vec<Vec<Lock>> = vec![Vec::new(); THREADS as usize];
    let mut alive: Vec<bool> = (0..THREADS).map(|t| t == 0 || dice.roll(3) > 0).collect();
    let mut over = vec![false; THREADS as usize];
    let mut trace: Vec<Step> = Vec::new();
    while trace.len() < steps {
        let t = dice.roll(THREADS) as usize;
        if !alive[t] || over[t] {
            if alive[0] && !alive[t] && dice.roll(6) == 0 {
                alive[t] = true;
                trace.push(step(0, fork(t)));
            }
            if over[t] && dice.roll(4) == 0 && t != 0 && !over[0] {
                trace.push(step(0, Op::Join(Thread(t as u32))));
            }
            continue;
        }
        let lock = Lock(dice.roll(LOCKS));
        let free = held.iter().all(|held| !held.contains(&lock));
        let op = match dice.roll(10) {
            0..=3 if free => Op::Acquire {
                lock,
                mode: Mode::Exclusive,
            },
            4..=6 if !held[t].is_empty() => {
                let at = dice.roll(held[t].len() as u32) as usize;
                Op::Release(held[t][at])
            }
            7 if memory => Op::Read(Var(dice.roll(VARS))),
            8 if memory => Op::Write(Var(dice.roll(VARS))),
            9 if held[t].is_empty() && t != 0 && dice.roll(4) == 0 => {
                over[t] = true;
                continue;
            }
            _ => continue,
        };
        match op {
            Op::Acquire { lock, .. } => held[t].push(lock),
            Op::Release(lock) => held[t].retain(|&l| l != lock),
            _ => {}
        }
        trace.push(step(t as u32, op));
    }
    trace
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
    let mut scheduler = Scheduler::of(trace, keep_order);
    let start = State {
        at: vec![0; scheduler.threads.len()],
        written: BTreeMap::new(),
        taken: BTreeMap::new(),
    };
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if !scheduler.seen.insert(state.clone()) {
            continue;
        }
        scheduler.found.extend(scheduler.rings(&state));
        open.extend(scheduler.next(&state));
    }
    scheduler.found
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
    keep_order: bool,
    seen: HashSet<State>,
    found: BTreeSet<Ring>,
}

impl<'t> Scheduler<'t> {
    fn of(trace: &'t [Step], keep_order: bool) -> Self {
        let mut threads = vec![Vec::new(); THREADS as usize];
        let mut wrote = BTreeMap::new();
        let mut last = BTreeMap::new();
        for (index, step) in trace.iter().enumerate() {
            threads[step.thread.0 as usize].push(index);
            match step.op {
                Op::Write(var) => drop(last.insert(var, index)),
                Op::Read(var) => drop(wrote.insert(index, last.get(&var).copied())),
                _ => {}
            }
        }
        Self {
            trace,
            threads,
            wrote,
            keep_order,
            seen: HashSet::new(),
            found: BTreeSet::new(),
        }
    }

    fn held(&self, state: &State) -> BTreeMap<Lock, usize> {
        let mut held = BTreeMap::new();
        for (thread, steps) in self.threads.iter().enumerate() {
            let mut own = BTreeSet::new();
            for &index in &steps[..state.at[thread]] {
                match self.trace[index].op {
                    Op::Acquire { lock, .. } => drop(own.insert(lock)),
                    Op::Release(lock) => drop(own.remove(&lock)),
                    _ => {}
                }
            }
            held.extend(own.into_iter().map(|lock| (lock, thread)));
        }
        held
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
        match self.trace[index].op {
            Op::Acquire { lock, .. } => {
                let in_turn =
                    !self.keep_order || state.taken.get(&lock).is_none_or(|&last| last < index);
                if held.contains_key(&lock) || !in_turn {
                    return None;
                }
                next.taken.insert(lock, index);
            }
            Op::Read(var) if state.written.get(&var).copied() != self.wrote[&index] => return None,
            Op::Write(var) => drop(next.written.insert(var, index)),
            Op::Join(child) if !done(child) => return None,
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

    fn is_forked(&self, state: &State, thread: usize) -> bool {
        let forks = |index: &usize| self.trace[*index].op == fork(thread);
        let mut all = self.threads.iter().enumerate();
        all.all(|(parent, steps)| steps[state.at[parent]..].iter().all(|index| !forks(index)))
    }

    /// Rings of threads, each about to take what the next one holds.
    fn rings(&self, state: &State) -> BTreeSet<Ring> {
        let held = self.held(state);
        let wants = |thread: usize| {
            let &index = self.threads[thread].get(state.at[thread])?;
            match self.trace[index].op {
                Op::Acquire { lock, .. } => Some((lock, *held.get(&lock)?)),
                _ => None,
            }
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
