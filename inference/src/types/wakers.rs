//! Who ends whose waits: who regularly is the first to tell everybody after a waiter began to wait for good, and also the
//! last to notify before it went on; the last alone where nobody is both.

use super::log::{End, Entry, Instance, Log, Stay};
use std::collections::BTreeMap;

/// One end of a wait in so many, of those in a region, makes who brought it about one who does so regularly.
const REGULAR: u32 = 5;

/// By region in which waits ended: the regions that ended them, and how often.
#[derive(Debug, Default)]
pub(super) struct Wakers(BTreeMap<u16, Ended>);

/// How often regions ended the waits in another one.
#[derive(Debug, Default)]
struct Ended {
    all: u32,
    first: BTreeMap<u16, u32>,
    last: BTreeMap<u16, u32>,
}

impl Ended {
    fn is_regular(&self, times: Option<&u32>) -> bool {
        times.is_some_and(|times| times * REGULAR >= self.all)
    }

    fn by(&self) -> Vec<usize> {
        let last = self
            .last
            .iter()
            .filter(|(_, times)| self.is_regular(Some(times)));
        let last: Vec<u16> = last.map(|(&waker, _)| waker).collect();
        let also_first = |waker: &&u16| self.is_regular(self.first.get(waker));
        let both: Vec<u16> = last.iter().filter(also_first).copied().collect();
        let wakers = if both.is_empty() { last } else { both };
        wakers.into_iter().map(usize::from).collect()
    }
}

/// Who told a waiter.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// The first to tell everybody.
    all: Option<u16>,
    last: Option<u16>,
}

impl Told {
    fn add(&mut self, stay: &Stay) {
        self.last = Some(stay.region);
        if stay.notified_all {
            self.all = self.all.or(Some(stay.region));
        }
    }
}

impl Wakers {
    /// Of complete instances.
    pub(super) fn of(log: &Log) -> Self {
        let mut wakers = Self::default();
        let complete = log.instances.iter().filter(|i| i.complete);
        complete.for_each(|instance| wakers.add(instance));
        wakers
    }

    fn add(&mut self, instance: &Instance) {
        let mut waiting: BTreeMap<u32, Told> = BTreeMap::new();
        for entry in &instance.entries {
            let Entry::Stay(stay) = entry else {
                waiting.clear();
                continue;
            };
            let told = waiting.remove(&stay.thread).unwrap_or_default();
            let goes_on = !stay.fresh && !stay.timed_out && stay.end == End::Left;
            if let Some(last) = told.last.filter(|_| goes_on) {
                let ended = self.0.entry(stay.region).or_default();
                ended.all += 1;
                *ended.last.entry(last).or_default() += 1;
                *ended.first.entry(told.all.unwrap_or(last)).or_default() += 1;
            }
            if stay.notified {
                waiting.values_mut().for_each(|told| told.add(stay));
            }
            if stay.waits() {
                waiting.insert(stay.thread, Told::default());
            }
        }
    }

    /// Regions that regularly end waits in this one.
    pub(super) fn of_region(&self, region: usize) -> Vec<usize> {
        let ended = u16::try_from(region).ok().and_then(|r| self.0.get(&r));
        ended.map_or_else(Vec::new, Ended::by)
    }
}
