//! Per-thread matching: who does what after what, and who gives back what he took.

use super::log::{End, Log};
use super::score::odds_of;

/// How often a thread that passed region `a` comes to region `b` next.
pub(super) struct Followers {
    regions: usize,
    counts: Vec<u32>,
}

impl Followers {
    /// Of a log. A region that follows itself is not counted: retries and re-entries.
    pub(super) fn of(log: &Log) -> Self {
        let regions = log.usage.len();
        let mut counts = vec![0; regions * regions];
        for instance in &log.instances {
            let mut last: Vec<Option<u16>> = vec![None; log.threads];
            for stay in instance.stays() {
                let slot = &mut last[stay.thread as usize];
                if let Some(a) = slot.filter(|&a| a != stay.region && stay.fresh) {
                    counts[usize::from(a) * regions + usize::from(stay.region)] += 1;
                }
                if stay.end == End::Left {
                    *slot = Some(stay.region);
                }
            }
        }
        Self { regions, counts }
    }

    /// The region out of `among` that follows `a` most often, if any ever does.
    pub(super) fn best(&self, a: usize, among: &[usize]) -> Option<usize> {
        let count = |b: usize| self.counts[a * self.regions + b];
        among
            .iter()
            .copied()
            .rev()
            .filter(|&b| count(b) > 0)
            .max_by_key(|&b| count(b))
    }
}

/// Keeps account of what each thread has taken and not yet given back, and compares "given back
/// by a holder" with chance.
pub(super) struct Holders {
    held: Vec<i64>,
    /// Whether the thread was seen taking or giving since the state was last unknown.
    met: Vec<bool>,
    /// Whether the last taking is only supposed (a trial that may have failed): giving it back
    /// proves nothing.
    supposed: Vec<bool>,
    /// Share of each thread in all givings.
    giving: Vec<f64>,
    /// Chance that a thread drawn by `giving` holds something now.
    chance: f64,
    llr: f64,
    matched: u32,
    unmatched: u32,
}

impl Holders {
    /// `gives` says which regions give back.
    pub(super) fn new(log: &Log, gives: impl Fn(usize) -> bool) -> Self {
        let mut giving = vec![0.0; log.threads];
        for (_, usage) in log.usage.iter().enumerate().filter(|(r, _)| gives(*r)) {
            for (&thread, &times) in &usage.threads {
                giving[thread as usize] += f64::from(times);
            }
        }
        let total: f64 = giving.iter().sum::<f64>().max(1.0);
        giving.iter_mut().for_each(|g| *g /= total);
        Self {
            held: vec![0; log.threads],
            met: vec![false; log.threads],
            supposed: vec![false; log.threads],
            giving,
            chance: 0.0,
            llr: 0.0,
            matched: 0,
            unmatched: 0,
        }
    }

    /// Nobody is known to hold anything.
    pub(super) fn forget(&mut self) {
        self.held.fill(0);
        self.met.fill(false);
        self.chance = 0.0;
    }

    /// A thread took.
    pub(super) fn take(&mut self, thread: u32, amount: i64) {
        let t = thread as usize;
        if self.held[t] == 0 {
            self.chance += self.giving[t];
        }
        self.held[t] += amount;
        self.met[t] = true;
        self.supposed[t] = false;
    }

    /// A thread took, if its trial succeeded.
    pub(super) fn try_take(&mut self, thread: u32, amount: i64) {
        self.take(thread, amount);
        self.supposed[thread as usize] = true;
    }

    /// A thread left, with or without: that it gives something back next proves nothing.
    pub(super) fn may_have_taken(&mut self, thread: u32) {
        let t = thread as usize;
        self.met[t] = true;
        self.supposed[t] = true;
    }

    /// A thread gave back. The first giving of a thread nobody saw taking proves nothing.
    pub(super) fn give(&mut self, thread: u32, amount: i64) {
        let t = thread as usize;
        let holds = self.held[t] > 0;
        if self.met[t] && !self.supposed[t] {
            self.llr += odds_of(holds, self.chance);
            self.matched += u32::from(holds);
            self.unmatched += u32::from(!holds);
        }
        if holds {
            self.held[t] = (self.held[t] - amount).max(0);
            if self.held[t] == 0 {
                self.chance -= self.giving[t];
            }
        }
        self.met[t] = true;
    }

    /// What is held altogether.
    pub(super) fn outstanding(&self) -> i64 {
        self.held.iter().sum()
    }

    /// Evidence that who gives back is who took, against chance.
    pub(super) fn llr(&self) -> f64 {
        self.llr
    }

    /// Share of givings by a holder; none if there were none.
    pub(super) fn share(&self) -> Option<f64> {
        let all = self.matched + self.unmatched;
        (all > 0).then(|| f64::from(self.matched) / f64::from(all))
    }
}
