//! Acquisitions and how long locks are held, where every event was recorded: what the classical metrics need.

/// Locks remembered as held by one thread at most: more of them are exits that got lost.
const HELD: usize = 256;

/// What was counted on one lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Acquisitions, without nested ones.
    pub(super) gets: u64,
    /// Nested ones.
    pub(super) recursive: u64,
    /// Times a thread blocked.
    pub(super) slow: u64,
    /// Time held, ns.
    pub(super) held: u64,
    /// A probe told of it.
    pub(super) probed: bool,
}

impl Uses {
    /// Both together.
    pub(super) fn join(&mut self, other: &Self) {
        self.gets = self.gets.saturating_add(other.gets);
        self.recursive = self.recursive.saturating_add(other.recursive);
        self.slow = self.slow.saturating_add(other.slow);
        self.held = self.held.saturating_add(other.held);
        self.probed &= other.probed;
    }

    fn release(&mut self, since: u64, at: u64) {
        self.held = self.held.saturating_add(at.saturating_sub(since));
    }
}

/// One lock that a thread holds.
#[derive(Clone, Copy, Debug)]
struct Hold {
    lock: u32,
    depth: u32,
    /// Since when; none while it waits on it.
    since: Option<u64>,
    /// A probe told that it was taken.
    probed: bool,
}

/// The locks that a thread holds.
#[derive(Debug, Default)]
pub(super) struct Holds(Vec<Hold>);

impl Holds {
    /// It has entered; who was `blocked` there did not hold it. Who had entered where no probe is may have left it untold since
    /// then: when he comes again he is taken to have done so, nobody knows when.
    pub(super) fn enter(
        &mut self,
        lock: u32,
        (blocked, probed): (bool, bool),
        at: u64,
        uses: &mut Uses,
    ) {
        if blocked {
            self.0.retain(|hold| hold.lock != lock);
        }
        let known = self.of(lock);
        if let Some(hold) = known.filter(|hold| hold.probed && probed) {
            hold.depth = hold.depth.saturating_add(1);
            uses.recursive = uses.recursive.saturating_add(1);
            return;
        }
        self.0.retain(|hold| hold.lock != lock);
        uses.gets = uses.gets.saturating_add(1);
        if self.0.len() >= HELD {
            self.0.remove(0);
        }
        self.0.push(Hold {
            lock,
            depth: 1,
            since: Some(at),
            probed,
        });
    }

    fn of(&mut self, lock: u32) -> Option<&mut Hold> {
        self.0.iter_mut().find(|hold| hold.lock == lock)
    }

    /// It leaves one level.
    pub(super) fn exit(&mut self, lock: u32, at: u64, uses: &mut Uses) {
        let Some(hold) = self.of(lock) else { return };
        hold.depth -= 1;
        if hold.depth == 0 {
            if let Some(since) = hold.since {
                uses.release(since, at);
            }
            self.0.retain(|hold| hold.lock != lock);
        }
    }

    /// It waits, and gives all levels back for so long.
    pub(super) fn suspend(&mut self, lock: u32, at: u64, uses: &mut Uses) {
        if let Some(since) = self.of(lock).and_then(|hold| hold.since.take()) {
            uses.release(since, at);
        }
    }

    /// It has come back from there. One that has waited since before probes were there leaves in code without them: of
    /// that nothing is heard.
    pub(super) fn resume(&mut self, lock: u32, at: u64) {
        if let Some(hold) = self.of(lock) {
            hold.since = Some(at);
        }
    }

    /// What it still holds counts up to then.
    pub(super) fn end(&mut self, at: u64, mut of: impl FnMut(u32, u64)) {
        for hold in std::mem::take(&mut self.0) {
            if let Some(since) = hold.since.filter(|_| hold.probed) {
                of(hold.lock, at.saturating_sub(since));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An enter that only the JVM tells: no exit follows.
    #[test]
    fn who_enters_where_no_probe_is_has_left_when_he_comes_again() {
        let (mut holds, mut uses) = (Holds::default(), Uses::default());
        holds.enter(1, (true, false), 10, &mut uses);
        for at in [20, 30] {
            holds.enter(1, (false, true), at, &mut uses);
            holds.exit(1, at + 5, &mut uses);
        }
        assert_eq!((uses.gets, uses.recursive), (3, 0));
    }

    #[test]
    fn nested_levels_are_one_hold_and_waiting_is_none() {
        let (mut holds, mut uses) = (Holds::default(), Uses::default());
        holds.enter(1, (false, true), 10, &mut uses);
        holds.enter(1, (false, true), 12, &mut uses);
        holds.suspend(1, 20, &mut uses);
        holds.resume(1, 50);
        holds.exit(1, 55, &mut uses);
        assert_eq!((uses.gets, uses.recursive, uses.held), (1, 1, 10));
        holds.exit(1, 60, &mut uses);
        holds.exit(1, 70, &mut uses);
        assert_eq!(uses.held, 20, "an exit more is none");
        holds.enter(1, (true, true), 80, &mut uses);
        let mut open = 0;
        holds.end(100, |_, held| open += held);
        assert_eq!((uses.gets, open), (2, 20));
    }

    #[test]
    fn who_comes_back_into_code_without_probes_holds_nothing_for_ever() {
        let (mut holds, mut uses) = (Holds::default(), Uses::default());
        holds.resume(1, 10);
        holds.enter(1, (false, true), 50, &mut uses);
        holds.exit(1, 60, &mut uses);
        assert_eq!((uses.gets, uses.recursive, uses.held), (1, 0, 10));
    }
}
