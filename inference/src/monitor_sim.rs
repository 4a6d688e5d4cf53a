//! A simulated monitor, for tests: threads that enter, nest, wait, notify and leave at random,
//! with everything that happened and what a JVM would have reported of it.

use crate::fixtures::event;
use locklens_trace::{Event, EventKind, LockId, StackId, ThreadId};
use std::collections::BTreeMap;

const THREADS: u32 = 4;
const LOCK: LockId = LockId(1);
/// Call chains from this number on are inside `wait`.
const IN_WAIT: u32 = 100;

/// What happened.
pub(crate) struct Truth {
    /// Everything.
    pub(crate) events: Vec<Event>,
    /// Reported by a JVM.
    pub(crate) seen: Vec<bool>,
    pub(crate) exact: bool,
}

impl Truth {
    /// What probes report of it: everything, each acquisition with its site; a return to the lock inside
    /// `wait` when that has returned.
    pub(crate) fn probed(mut self) -> Self {
        let mut entering = BTreeMap::new();
        self.events.retain_mut(|event| {
            if event.kind == EventKind::Enter {
                entering.insert(event.thread, event.stack);
            }
            if event.kind == EventKind::Entered && event.stack.is_none() {
                event.stack = entering.remove(&event.thread).flatten();
                return event.stack.is_some_and(|stack| stack.0 < IN_WAIT);
            }
            if let (EventKind::Wait { .. }, Some(stack)) = (event.kind, &mut event.stack) {
                stack.0 -= IN_WAIT;
            }
            true
        });
        self.exact = true;
        self
    }

    /// What a JVM reports of it: blocking and waiting.
    pub(crate) fn contended(&self) -> Vec<Event> {
        let seen = self
            .events
            .iter()
            .zip(&self.seen)
            .filter(|&(_, &seen)| seen);
        seen.map(|(&event, _)| event).collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Outside,
    Blocked {
        region: u32,
    },
    Waiting {
        region: u32,
        depth: u32,
        timed: bool,
    },
    /// Notified or timed out, `Waited` not yet posted.
    Leaving {
        region: u32,
        depth: u32,
        timed_out: bool,
    },
    Returning {
        region: u32,
        depth: u32,
        blocked: bool,
    },
    Holding {
        region: u32,
        depth: u32,
    },
}

struct Sim {
    random: u64,
    clock: u64,
    truth: Truth,
    states: BTreeMap<ThreadId, State>,
    holder: Option<ThreadId>,
}

/// Runs a monitor for some steps.
pub(crate) fn simulate(seed: u64, steps: u32) -> Truth {
    let mut sim = Sim {
        random: seed | 1,
        clock: 1,
        truth: Truth {
            events: Vec::new(),
            seen: Vec::new(),
            exact: false,
        },
        states: (1..=THREADS)
            .map(|t| (ThreadId(t), State::Outside))
            .collect(),
        holder: None,
    };
    for _ in 0..steps {
        let thread = ThreadId(sim.roll(THREADS) + 1);
        sim.step(thread);
    }
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

    fn post(&mut self, thread: ThreadId, kind: EventKind, seen: bool, stack: u32) {
        self.clock += 1 + u64::from(self.roll(5));
        let stack = (stack > 0).then_some(StackId(stack));
        self.truth.events.push(Event {
            stack,
            ..event(self.clock, thread, kind, LOCK)
        });
        self.truth.seen.push(seen);
    }

    fn step(&mut self, thread: ThreadId) {
        let state = self.states[&thread];
        match state {
            State::Outside => self.arrive(thread),
            State::Blocked { region } if self.holder.is_none() => {
                self.post(thread, EventKind::Entered, true, 0);
                self.hold(thread, region, 1);
            }
            State::Waiting {
                region,
                depth,
                timed,
            } if timed && self.roll(4) == 0 => {
                self.states.insert(
                    thread,
                    State::Leaving {
                        region,
                        depth,
                        timed_out: true,
                    },
                );
            }
            State::Leaving {
                region,
                depth,
                timed_out,
            } => {
                self.post(thread, EventKind::Waited { timed_out }, true, 0);
                let blocked = timed_out && self.holder.is_some();
                if blocked {
                    self.post(thread, EventKind::Enter, true, region + IN_WAIT);
                }
                self.states.insert(
                    thread,
                    State::Returning {
                        region,
                        depth,
                        blocked,
                    },
                );
            }
            State::Returning {
                region,
                depth,
                blocked,
            } if self.holder.is_none() => {
                if blocked {
                    self.post(thread, EventKind::Entered, true, 0);
                }
                self.post(thread, EventKind::Resumed, false, 0);
                self.hold(thread, region, depth);
            }
            State::Holding { region, depth } => self.act(thread, region, depth),
            _ => {}
        }
    }

    fn arrive(&mut self, thread: ThreadId) {
        let region = self.roll(9) + 1;
        if self.holder.is_some() {
            self.post(thread, EventKind::Enter, true, region);
            self.states.insert(thread, State::Blocked { region });
        } else {
            self.post(thread, EventKind::Entered, false, region);
            self.hold(thread, region, 1);
        }
    }

    fn hold(&mut self, thread: ThreadId, region: u32, depth: u32) {
        self.holder = Some(thread);
        self.states.insert(thread, State::Holding { region, depth });
    }

    fn act(&mut self, thread: ThreadId, region: u32, depth: u32) {
        match self.roll(6) {
            0 if depth < 3 => {
                self.post(thread, EventKind::Entered, false, region);
                self.hold(thread, region, depth + 1);
            }
            1 => self.notify(thread, 1),
            2 => self.notify(thread, THREADS),
            3 => self.wait(thread, region, depth),
            _ => self.exit(thread, region, depth),
        }
    }

    fn notify(&mut self, thread: ThreadId, count: u32) {
        let kind = if count == 1 {
            EventKind::Notify
        } else {
            EventKind::NotifyAll
        };
        self.post(thread, kind, false, 0);
        let mut left = count;
        for state in self.states.values_mut() {
            if let (State::Waiting { region, depth, .. }, 1..) = (*state, left) {
                *state = State::Leaving {
                    region,
                    depth,
                    timed_out: false,
                };
                left -= 1;
            }
        }
    }

    fn wait(&mut self, thread: ThreadId, region: u32, depth: u32) {
        let timed = self.roll(2) == 0;
        let timeout = timed.then_some(locklens_trace::Nanos(1_000));
        // The levels of a nested stay are on the call chain of its wait: these are all one region.
        self.post(thread, EventKind::Wait { timeout }, true, region + IN_WAIT);
        self.states.insert(
            thread,
            State::Waiting {
                region,
                depth,
                timed,
            },
        );
        self.holder = None;
    }

    fn exit(&mut self, thread: ThreadId, region: u32, depth: u32) {
        self.post(thread, EventKind::Exit, false, 0);
        if depth == 1 {
            self.states.insert(thread, State::Outside);
            self.holder = None;
        } else {
            self.hold(thread, region, depth - 1);
        }
    }
}
