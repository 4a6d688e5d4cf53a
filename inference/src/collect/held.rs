//! The locks that each thread holds, as far as an exact recording tells by the thread's own steps.

use std::collections::BTreeMap;

/// Locks remembered as held by one thread at most: more of them are exits that got lost.
const HELD: usize = 256;

/// The locks that a thread holds, and how often, as far as an exact recording tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    locks: Vec<Hold>,
}

#[derive(Clone, Copy, Debug)]
struct Hold {
    lock: u32,
    depth: u32,
    /// A probe told that it was taken. Of what only the JVM tells the exit is hardly ever told.
    probed: bool,
    /// It waits on it, or comes back from that.
    away: bool,
}

impl Held {
    /// Whether entering it acquires it. Who was `blocked` there did not hold it. Who had entered it where no probe is may have left
    /// it untold since then: when he comes again he is taken to have done so.
    pub(super) fn enter(&mut self, lock: u32, blocked: bool, probed: bool) -> bool {
        if blocked {
            self.locks.retain(|hold| hold.lock != lock);
        }
        let fresh = Hold {
            lock,
            depth: 1,
            probed,
            away: false,
        };
        if let Some(hold) = self.locks.iter_mut().find(|hold| hold.lock == lock) {
            if hold.probed && probed {
                hold.depth = hold.depth.saturating_add(1);
                return false;
            }
            *hold = fresh;
            return true;
        }
        if self.locks.len() >= HELD {
            self.locks.remove(0);
        }
        self.locks.push(fresh);
        true
    }

    /// It is given up for a wait, or had again after one.
    pub(super) fn waits(&mut self, lock: u32, away: bool) {
        if let Some(hold) = self.locks.iter_mut().find(|hold| hold.lock == lock) {
            hold.away = away;
        }
    }

    /// One level is left.
    pub(super) fn exit(&mut self, lock: u32) {
        if let Some(hold) = self.locks.iter_mut().find(|hold| hold.lock == lock) {
            hold.depth -= 1;
        }
        self.locks.retain(|hold| hold.depth > 0);
    }

    /// What probes told that it was taken, and not that it was left.
    fn known(&self) -> impl Iterator<Item = u32> {
        let known = self.locks.iter().filter(|hold| hold.probed && !hold.away);
        known.map(|hold| hold.lock)
    }
}

/// Who holds which lock, by slots, where one thread does: each with what it holds, and what it is blocked on.
pub(super) fn holders<'h>(
    threads: impl Iterator<Item = (u32, &'h Held, Option<u32>)>,
) -> BTreeMap<u32, u32> {
    let mut all: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for (thread, held, wanted) in threads {
        for lock in held.known().filter(|lock| Some(*lock) != wanted) {
            let of = all.entry(lock).or_insert(Some(thread));
            // Of two one must have left it.
            *of = of.filter(|known| *known == thread);
        }
    }
    let one = all.into_iter().filter_map(|(lock, of)| Some((lock, of?)));
    one.collect()
}
