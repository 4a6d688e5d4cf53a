//! What orders threads besides their own steps: latches and barriers that they come past, and what is handed on, one for
//! one: single notifies, elements of a queue.

use super::follow::{Act, Follower, Moment, Watch};
use super::step::{Bond, Lock, Needs, Thread};
use std::collections::BTreeMap;

/// Single notifies remembered of a lock whose waiters have not come back, and elements of a queue.
const NOTICES: usize = 1024;
/// Threads remembered that did their part for others to come past something.
const PARTS: usize = 4096;

/// What threads did for others to come past a latch or a barrier.
#[derive(Debug, Default)]
pub(super) struct Gate {
    first: Option<(Thread, u32)>,
    last: Option<(Thread, u32)>,
    latest: BTreeMap<Thread, u32>,
}

impl Follower {
    pub(super) fn comes_after(
        &self,
        m: Moment,
        from: (Thread, u32),
        by: Bond,
        watch: &mut impl Watch,
    ) {
        let (thread, at) = from;
        if thread != m.thread {
            self.tell(m, Act::After { thread, at, by }, watch);
        }
    }

    pub(super) fn arrives(&mut self, moment: Moment, lock: Lock) {
        let gate = self.gates.entry(lock).or_default();
        gate.first.get_or_insert((moment.thread, moment.at));
        gate.last = Some((moment.thread, moment.at));
        if gate.latest.len() < PARTS || gate.latest.contains_key(&moment.thread) {
            gate.latest.insert(moment.thread, moment.at);
        }
    }

    pub(super) fn passes(
        &mut self,
        moment: Moment,
        lock: Lock,
        needs: Needs,
        watch: &mut impl Watch,
    ) {
        let Some(gate) = self.gates.get(&lock) else {
            return;
        };
        if let (Needs::First, Some(first)) = (needs, gate.first) {
            self.comes_after(moment, first, Bond::Must, watch);
        }
        for (&thread, &at) in &gate.latest {
            let by = match needs {
                Needs::All => Bond::Must,
                Needs::Any => Bond::Opened(lock),
                Needs::First | Needs::Unknown => Bond::Presumed,
            };
            self.comes_after(moment, (thread, at), by, watch);
        }
    }

    /// Where nobody has arrived there is nothing to run.
    pub(super) fn enters(&self, m: Moment, lock: Lock, needed: bool, watch: &mut impl Watch) {
        let Some(first) = self.gates.get(&lock).map(|gate| gate.first) else {
            return;
        };
        let after = first.filter(|(thread, _)| needed && *thread != m.thread);
        self.tell(m, Act::Within { lock, after }, watch);
    }

    pub(super) fn runs(&self, m: Moment, lock: Lock, watch: &mut impl Watch) {
        self.tell(m, Act::Begun(lock), watch);
        if let Some(last) = self.gates.get(&lock).map(|gate| gate.last) {
            let after = last.filter(|(thread, _)| *thread != m.thread);
            self.tell(m, Act::Within { lock, after }, watch);
        }
    }

    /// The earliest single notify that nobody has come back from yet.
    pub(super) fn notice(&mut self, lock: Lock) -> Option<(Thread, u32)> {
        let notice = self.notices.get_mut(&lock)?.pop_front();
        if let (None, Some(dropped)) = (notice, self.dropped.get_mut(&lock)) {
            *dropped = dropped.saturating_sub(1);
        }
        notice
    }

    /// Who put what is taken out of a queue. If it is any of several, that is not known, nor of those that are left.
    pub(super) fn element(&mut self, lock: Lock, any: bool) -> Option<(Thread, u32)> {
        if !any {
            return self.notice(lock);
        }
        let dropped = self.dropped.get(&lock).is_some_and(|count| *count > 0);
        let several = dropped || self.notices.get(&lock).is_some_and(|all| all.len() > 1);
        if several {
            self.mixed.insert(lock);
        }
        let put = self.notice(lock)?;
        let known = !self.mixed.contains(&lock);
        if !several {
            self.mixed.remove(&lock);
        }
        known.then_some(put)
    }

    /// Nobody comes back from what was noted there.
    pub(super) fn forget_notices(&mut self, lock: Lock) {
        self.notices.remove(&lock);
        self.dropped.remove(&lock);
    }

    pub(super) fn note(&mut self, lock: Lock, from: (Thread, u32)) {
        let notices = self.notices.entry(lock).or_default();
        let dropped = self.dropped.get_mut(&lock).filter(|count| **count > 0);
        match dropped {
            // What comes behind one that is not known is taken after it.
            Some(count) => *count += 1,
            None if notices.len() < NOTICES => notices.push_back(from),
            None => drop(self.dropped.insert(lock, 1)),
        }
    }
}
