//! What a thread holds, and since when: monitors of an exact recording, and locks of `java.util.concurrent` whose
//! operations were recorded.

use crate::grip::Grip;
use locklens_trace::juc::Operation;
use locklens_trace::{LockId, StackId};

/// Monitors remembered as held by one thread at most: more of them are exits that got lost.
const HELD: usize = 256;

/// A monitor that is held.
#[derive(Clone, Copy, Debug)]
struct Level {
    lock: LockId,
    depth: u32,
    /// Since when; none while the thread waits on it.
    since: Option<u64>,
    stack: Option<StackId>,
    /// A probe told that it was taken: one tells when it is given back, too.
    probed: bool,
}

/// A stay in a lock that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) lock: LockId,
    pub(super) since: u64,
    pub(super) stack: Option<StackId>,
    /// It is a lock of `java.util.concurrent`.
    pub(super) concurrent: bool,
    /// It was held with others.
    pub(super) shared: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Holds {
    monitors: Vec<Level>,
    grips: Vec<(LockId, Grip, u64, Option<StackId>)>,
    /// Losses of the recording up to which this is known.
    losses: u64,
}

impl Holds {
    /// How many locks it is about.
    pub(super) fn len(&self) -> usize {
        self.monitors.len() + self.grips.len()
    }

    /// What it holds of locks of `java.util.concurrent`, and since when.
    pub(super) fn grips(&self) -> impl Iterator<Item = (LockId, Grip, u64)> {
        let grips = self.grips.iter();
        grips.map(|&(lock, grip, since, _)| (lock, grip, since))
    }

    /// So many losses have been met. After each nobody knows what is held.
    pub(super) fn known_since(&mut self, losses: u64) {
        if self.losses != losses {
            self.losses = losses;
            self.monitors.clear();
            self.grips.clear();
        }
    }

    /// It has entered; who was `blocked` there did not hold it. Who had entered where no probe is may have left it untold since
    /// then: when it comes again it is taken to have done so, nobody knows when.
    pub(super) fn enter(
        &mut self,
        lock: LockId,
        (blocked, probed): (bool, bool),
        at: u64,
        stack: Option<StackId>,
    ) {
        if blocked {
            self.monitors.retain(|level| level.lock != lock);
        }
        if let Some(level) = self.of(lock).filter(|level| level.probed && probed) {
            level.depth = level.depth.saturating_add(1);
            return;
        }
        self.monitors.retain(|level| level.lock != lock);
        if self.monitors.len() >= HELD {
            self.monitors.remove(0);
        }
        self.monitors.push(Level {
            lock,
            depth: 1,
            since: Some(at),
            stack,
            probed,
        });
    }

    fn of(&mut self, lock: LockId) -> Option<&mut Level> {
        self.monitors.iter_mut().rev().find(|l| l.lock == lock)
    }

    /// It leaves one level.
    pub(super) fn exit(&mut self, lock: LockId) -> Option<Held> {
        let at = self.monitors.iter().rposition(|l| l.lock == lock)?;
        self.monitors[at].depth -= 1;
        match self.monitors[at].depth {
            0 => self.monitors.remove(at).held(),
            _ => None,
        }
    }

    /// It waits, and gives all levels back for so long.
    pub(super) fn suspend(&mut self, lock: LockId) -> Option<Held> {
        let level = self.of(lock)?;
        let held = level.held();
        level.since = None;
        held
    }

    /// It has come back from there.
    pub(super) fn resume(&mut self, lock: LockId, at: u64) {
        if let Some(level) = self.of(lock) {
            level.since = Some(at);
        }
    }

    /// It used a lock of `java.util.concurrent`; of a condition, its synchronizer is the lock.
    pub(super) fn operate(&mut self, operation: &Operation, lock: LockId, at: u64) -> Option<Held> {
        let known = self.grips.iter().position(|grip| grip.0 == lock);
        let index = known.unwrap_or(self.grips.len());
        if known.is_none() {
            if index >= HELD {
                return None;
            }
            self.grips
                .push((lock, Grip::default(), at, operation.stack));
        }
        let (_, grip, since, stack) = &mut self.grips[index];
        let (before, shared) = (grip.holds(), grip.alone == 0);
        grip.apply(operation);
        let (after, is_free) = (grip.holds(), grip.is_free());
        let held = Held {
            lock,
            since: *since,
            stack: *stack,
            concurrent: true,
            shared,
        };
        if !before && after {
            (*since, *stack) = (at, operation.stack);
        }
        if is_free {
            self.grips.swap_remove(index);
        }
        (before && !after).then_some(held)
    }

    /// What it holds at the end. Of what no probe told, nobody knows whether it still does.
    pub(super) fn end(&mut self) -> Vec<Held> {
        let monitors = std::mem::take(&mut self.monitors).into_iter();
        let grips = std::mem::take(&mut self.grips).into_iter();
        let grips = grips.filter(|(_, grip, _, _)| grip.holds());
        let grips = grips.map(|(lock, grip, since, stack)| Held {
            lock,
            since,
            stack,
            concurrent: true,
            shared: grip.alone == 0,
        });
        let monitors = monitors.filter(|level| level.probed);
        let monitors = monitors.filter_map(|level| level.held());
        monitors.chain(grips).collect()
    }
}

impl Level {
    fn held(&self) -> Option<Held> {
        Some(Held {
            lock: self.lock,
            since: self.since?,
            stack: self.stack,
            concurrent: false,
            shared: false,
        })
    }
}
