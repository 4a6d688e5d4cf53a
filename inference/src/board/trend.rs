//! What is kept of each lock object: its last intervals, and a sum.

use crate::pressure::live::{Share, Slice};
use locklens_trace::{LockId, Nanos, StackId};
use std::collections::{BTreeMap, VecDeque};

/// Intervals that are kept.
const KEPT: usize = 60;
/// Lock objects that are told apart.
const OBJECTS: usize = 1 << 16;

/// What is kept of one object, or of several.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    /// By the number of the interval.
    recent: BTreeMap<u64, u64>,
    peak: f64,
    pub(super) total: u64,
    pub(super) stack: Option<StackId>,
    /// The most that one interval had where it was acquired there.
    most: u64,
    pub(super) class: Option<String>,
    pub(super) objects: usize,
}

impl Trend {
    /// Counts what another object of the same lock has.
    pub(super) fn join(&mut self, other: &Self) {
        for (&number, &time) in &other.recent {
            let sum = self.recent.entry(number).or_default();
            *sum = sum.saturating_add(time);
        }
        self.total = self.total.saturating_add(other.total);
        self.peak = self.peak.max(other.peak);
        self.objects += other.objects;
        if other.most > self.most {
            (self.most, self.stack) = (other.most, other.stack);
        }
        self.class = self.class.take().or_else(|| other.class.clone());
    }

    fn add(&mut self, number: u64, share: &Share, running: u64) {
        let time = share.time.0;
        let sum = self.recent.entry(number).or_default();
        *sum = sum.saturating_add(time);
        self.peak = self.peak.max(part(*sum, running));
        while self.recent.len() > KEPT {
            self.recent.pop_first();
        }
        self.total = self.total.saturating_add(time);
        self.objects = 1;
        if time > self.most {
            (self.most, self.stack) = (time, share.stack);
        }
        if share.class.is_some() {
            self.class.clone_from(&share.class);
        }
    }
}

/// All objects, and the time threads were running.
#[derive(Debug, Default)]
pub(super) struct Trends {
    objects: BTreeMap<LockId, Trend>,
    /// Objects there was no room for any more.
    rest: Trend,
    /// Number of the next interval.
    next: u64,
    /// Running time of the last ones, the latest at the end.
    recent: VecDeque<u64>,
    running: u64,
    /// End of the last one.
    pub(super) until: Nanos,
}

impl Trends {
    /// Counts an interval that is over.
    pub(super) fn add(&mut self, slice: &Slice) {
        let running = slice.running.0;
        for (&lock, share) in &slice.locks {
            let has_room = self.objects.len() < OBJECTS || self.objects.contains_key(&lock);
            let trend = match has_room {
                true => self.objects.entry(lock).or_default(),
                false => &mut self.rest,
            };
            trend.add(self.next, share, running);
        }
        self.recent.push_back(running);
        if self.recent.len() > KEPT {
            self.recent.pop_front();
        }
        self.next += 1;
        self.running = self.running.saturating_add(running);
        self.until = slice.end;
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (LockId, &Trend)> {
        self.objects.iter().map(|(&lock, trend)| (lock, trend))
    }

    /// What there was no room for, if there was any.
    pub(super) fn rest(&self) -> Option<&Trend> {
        Some(&self.rest).filter(|rest| rest.total > 0)
    }

    /// Pressure in the last interval, on average, at most, and of the last intervals one by one.
    pub(super) fn shares(&self, trend: &Trend) -> (f64, f64, f64, Vec<f64>) {
        let first = self.next.saturating_sub(self.recent.len() as u64);
        let each = (first..).zip(&self.recent);
        let each = each.map(|(number, &running)| {
            let time = trend.recent.get(&number).copied().unwrap_or(0);
            part(time, running)
        });
        let series: Vec<f64> = each.collect();
        let last = series.last().copied().unwrap_or(0.0);
        let peak = series.iter().copied().fold(trend.peak, f64::max);
        (last, part(trend.total, self.running), peak, series)
    }
}

fn part(time: u64, running: u64) -> f64 {
    match running {
        0 => 0.0,
        running => time as f64 / running as f64,
    }
}
