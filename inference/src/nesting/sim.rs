//! A simulated program, for tests: threads that take locks within each other at random, wait on
//! them, get stuck on each other and end, with every event of it and what was nested in what.

use crate::fixtures::event;
use locklens_trace::{Event, EventKind, LockId, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const THREADS: u32 = 4;
pub(super) const LOCKS: u32 = 7;
pub(super) const CLASSES: u32 = 4;

/// Where everything happens: acquisitions that a probe tells have a site.
pub(super) const SITE: StackId = StackId(1);

/// Of which class a lock object is.
pub(super) fn class_of(lock: LockId) -> u32 {
    lock.0 % CLASSES
}

/// How often, and by whom, one class was taken within another.
pub(super) type Edges = BTreeMap<(u32, u32), (u64, BTreeSet<ThreadId>)>;

/// What happened.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) events: Vec<Event>,
    pub(super) edges: Edges,
    /// Threads that were blocked at the end, and on what.
    pub(super) blocked: BTreeMap<ThreadId, LockId>,
    /// Who holds what at the end.
    pub(super) held: BTreeMap<LockId, ThreadId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Running,
    Blocked(LockId),
    Waiting(LockId, u32),
    /// The wait is over; blocked on its way back or not yet.
    Returning(LockId, u32, bool),
    Ended,
}

struct Sim {
    random: u64,
    clock: u64,
    states: BTreeMap<ThreadId, State>,
    /// Levels of each lock that is held.
    owners: BTreeMap<LockId, (ThreadId, u32)>,
    truth: Truth,
}

/// Runs a program for some steps.
pub(super) fn simulate(seed: u64, steps: u32) -> Truth {
    let mut sim = Sim {
        random: seed | 1,
        clock: 1,
        states: (1..=THREADS)
            .map(|t| (ThreadId(t), State::Running))
            .collect(),
        owners: BTreeMap::new(),
        truth: Truth::default(),
    };
    for _ in 0..steps {
        let thread = ThreadId(sim.roll(THREADS) + 1);
        sim.step(thread);
    }
    let blocked = sim.states.iter().filter_map(|(&t, &s)| match s {
        State::Blocked(lock) | State::Returning(lock, ..) => Some((t, lock)),
        _ => None,
    });
    sim.truth.blocked = blocked.collect();
    sim.truth.held = sim.owners.iter().map(|(&l, &(t, _))| (l, t)).collect();
    sim.truth
}

impl Sim {
    fn roll(&mut self, below: u32) -> u32 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 40) as u32 % below
    }

    fn post(&mut self, thread: ThreadId, kind: EventKind, lock: LockId) {
        self.clock += 1 + u64::from(self.roll(5));
        let event = event(self.clock, thread, kind, lock);
        self.truth.events.push(Event {
            stack: (kind == EventKind::Entered).then_some(SITE),
            ..event
        });
    }

    fn step(&mut self, thread: ThreadId) {
        match self.states[&thread] {
            State::Running => self.act(thread),
            State::Blocked(lock) if !self.owners.contains_key(&lock) => {
                self.take(thread, lock, 1);
                self.post(thread, EventKind::Entered, lock);
            }
            State::Waiting(lock, depth) => self.wake(thread, lock, depth),
            State::Returning(lock, depth, blocked) if !self.owners.contains_key(&lock) => {
                self.take(thread, lock, depth);
                if blocked {
                    self.post(thread, EventKind::Entered, lock);
                }
                self.post(thread, EventKind::Resumed, lock);
            }
            _ => {}
        }
    }

    fn act(&mut self, thread: ThreadId) {
        let held = self.held_by(thread);
        let lock = LockId(self.roll(LOCKS) + 1);
        match (self.roll(10), held.len()) {
            (0, 0) if self.roll(20) == 0 => {
                self.clock += 1;
                let end = event(self.clock, thread, EventKind::ThreadEnd, lock);
                self.truth.events.push(Event { lock: None, ..end });
                self.states.insert(thread, State::Ended);
            }
            (0..=4, 0..=3) => self.acquire(thread, lock),
            (5, 1..) => self.wait(thread, held[self.clock as usize % held.len()]),
            (6.., 1..) => self.release(thread, held[self.clock as usize % held.len()]),
            _ => {}
        }
    }

    fn held_by(&self, thread: ThreadId) -> Vec<LockId> {
        let owners = self.owners.iter().filter(|(_, (t, _))| *t == thread);
        owners.map(|(&lock, _)| lock).collect()
    }

    fn take(&mut self, thread: ThreadId, lock: LockId, depth: u32) {
        self.owners.insert(lock, (thread, depth));
        self.states.insert(thread, State::Running);
    }

    fn acquire(&mut self, thread: ThreadId, lock: LockId) {
        match self.owners.get(&lock).copied() {
            Some((owner, depth)) if owner == thread => {
                self.owners.insert(lock, (thread, depth + 1));
                self.post(thread, EventKind::Entered, lock);
            }
            Some(_) => {
                self.attempt(thread, lock);
                self.post(thread, EventKind::Enter, lock);
                self.states.insert(thread, State::Blocked(lock));
            }
            None => {
                self.attempt(thread, lock);
                self.take(thread, lock, 1);
                self.post(thread, EventKind::Entered, lock);
            }
        }
    }

    /// Books what is about to be nested.
    fn attempt(&mut self, thread: ThreadId, lock: LockId) {
        let others = self
            .held_by(thread)
            .into_iter()
            .filter(|&held| held != lock);
        let classes: BTreeSet<u32> = others.map(class_of).collect();
        for class in classes {
            let edge = self.truth.edges.entry((class, class_of(lock))).or_default();
            edge.0 += 1;
            edge.1.insert(thread);
        }
    }

    fn wait(&mut self, thread: ThreadId, lock: LockId) {
        self.attempt(thread, lock);
        let (_, depth) = self.owners.remove(&lock).unwrap_or((thread, 1));
        self.post(thread, EventKind::Wait { timeout: None }, lock);
        self.states.insert(thread, State::Waiting(lock, depth));
    }

    fn wake(&mut self, thread: ThreadId, lock: LockId, depth: u32) {
        if self.roll(3) > 0 {
            return;
        }
        let timed_out = self.roll(2) == 0;
        self.post(thread, EventKind::Waited { timed_out }, lock);
        let blocked = timed_out && self.owners.contains_key(&lock);
        if blocked {
            self.post(thread, EventKind::Enter, lock);
        }
        self.states
            .insert(thread, State::Returning(lock, depth, blocked));
    }

    fn release(&mut self, thread: ThreadId, lock: LockId) {
        match self.owners.get_mut(&lock) {
            Some((_, depth)) if *depth > 1 => *depth -= 1,
            _ => drop(self.owners.remove(&lock)),
        }
        self.post(thread, EventKind::Exit, lock);
    }
}
