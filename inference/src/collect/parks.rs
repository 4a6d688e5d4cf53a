//! Parks, where every one was recorded: counts and lengths by lock object.

use super::releases::Release;
use crate::times::Lengths;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::record::target_key;
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The parks on one lock object, or on none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParkLog {
    /// How long they took; those whose end was not seen are of unknown length. Those that went on when the recording
    /// ended are counted up to then.
    pub lengths: Lengths,
    /// How they ended.
    pub ends: BTreeMap<ParkEnd, u64>,
    /// Of those unparked: where the unpark had come before, so that the thread went on at once.
    pub at_once: u64,
    /// Who unparked.
    pub by: BTreeMap<ThreadId, u64>,
    /// The same with what he did and from where, of those that ended by it on an operation, as far as that is known.
    pub releases: BTreeMap<Release, u64>,
    /// Who parked.
    pub threads: BTreeSet<ThreadId>,
}

/// Releases of one object that are told apart: of others only the thread is.
const RELEASES: usize = 4096;

impl ParkLog {
    /// Takes one in.
    pub(super) fn add(&mut self, park: &Park) {
        let ends = self.ends.entry(park.end).or_default();
        *ends = ends.saturating_add(1);
        self.threads.insert(park.thread);
        match park.end {
            ParkEnd::Unseen => self.lengths.add_unknown(),
            _ => {
                let length = park.to.0.saturating_sub(park.from.0);
                self.lengths.add(Nanos(length));
            }
        }
        if let Some(unpark) = park.unpark {
            let times = self.by.entry(unpark.by).or_default();
            *times = times.saturating_add(1);
            self.at_once = self
                .at_once
                .saturating_add(u64::from(unpark.at < park.from));
        }
    }

    /// That ended one of the parks.
    pub(super) fn ended_by(&mut self, release: Release) {
        let without_chain = Release {
            stack: None,
            ..release
        };
        let unknown = Release {
            act: None,
            ..without_chain
        };
        // What was done is told longer than from where.
        let many = self.releases.len();
        let has = |one: &Release| self.releases.contains_key(one);
        let kept = [(release, RELEASES), (without_chain, 2 * RELEASES)];
        let kept = kept
            .into_iter()
            .find(|(one, most)| has(one) || many < *most);
        let release = kept.map_or(unknown, |(one, _)| one);
        let times = self.releases.entry(release).or_default();
        *times = times.saturating_add(1);
    }

    /// Adds the parks on another object.
    pub(crate) fn join(&mut self, other: &Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        self.lengths.merge(&other.lengths);
        for (&end, &n) in &other.ends {
            add(self.ends.entry(end).or_default(), n);
        }
        for (&thread, &n) in &other.by {
            add(self.by.entry(thread).or_default(), n);
        }
        for (&release, &n) in &other.releases {
            add(self.releases.entry(release).or_default(), n);
        }
        add(&mut self.at_once, other.at_once);
        self.threads.extend(&other.threads);
    }

    /// Parks that ended so.
    #[must_use]
    pub fn ended(&self, end: ParkEnd) -> u64 {
        self.ends.get(&end).copied().unwrap_or(0)
    }

    /// All of them.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.ends.values().fold(0, |sum, &n| sum.saturating_add(n))
    }
}

/// How many parks there were.
#[derive(Clone, Debug, Default)]
pub(super) struct ParkCounts {
    all: u64,
    /// Of them on no blocker that was named.
    nameless: u64,
    /// When the probes came.
    since: Option<Nanos>,
    under_way: u64,
    under_way_time: Nanos,
}

impl ParkCounts {
    /// What the trace says.
    pub(super) fn learn(&mut self, target: &BTreeMap<String, String>) {
        let since = target.get(target_key::PARKS_SINCE);
        self.since = since.and_then(|at| at.parse().ok()).map(Nanos);
    }

    /// Takes one in.
    pub(super) fn add(&mut self, park: &Park, named: bool) {
        let one = |n: &mut u64, is: bool| *n = n.saturating_add(u64::from(is));
        let under_way = self.since.is_some_and(|since| is_under_way(park, since));
        one(&mut self.all, true);
        one(&mut self.nameless, !named);
        one(&mut self.under_way, under_way);
        if under_way {
            let time = park.to.since(park.from).0;
            self.under_way_time = Nanos(self.under_way_time.0.saturating_add(time));
        }
    }
}

/// Whether a thread was parked already when the probes came: then it is told from that very time on.
pub(crate) fn is_under_way(park: &Park, since: Nanos) -> bool {
    park.from <= since
}

/// What a recording of every park says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParksSeen {
    /// From when on.
    pub since: Nanos,
    /// Parks.
    pub parks: u64,
    /// Of them on no blocker that was named.
    pub nameless: u64,
    /// Of them those that were under way when the probes came, and their time from then on.
    pub under_way: u64,
    /// See [`Self::under_way`].
    pub under_way_time: Nanos,
    /// Unparks, of whomever.
    pub unparks: u64,
    /// Nothing else was recorded: no monitor.
    pub alone: bool,
    /// When another agent took the probes away: what came after is missing.
    pub replaced: Option<Nanos>,
}

impl ParksSeen {
    /// What the trace says; none if parks were not recorded.
    pub(super) fn of(target: &BTreeMap<String, String>, parks: &ParkCounts) -> Option<Self> {
        let number = |key: &str| target.get(key)?.parse::<u64>().ok();
        Some(Self {
            since: Nanos(number(target_key::PARKS_SINCE)?),
            parks: parks.all,
            nameless: parks.nameless,
            under_way: parks.under_way,
            under_way_time: parks.under_way_time,
            unparks: number(target_key::PARKS_UNPARKS).unwrap_or(0),
            alone: target
                .get(target_key::EXACT_CHOSEN)
                .is_some_and(|by| by == "parks"),
            replaced: number(target_key::PARKS_REPLACED).map(Nanos),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::LockId;
    use locklens_trace::park::Unpark;

    #[test]
    fn ends_lengths_and_who_unparked_are_counted() {
        let park = |from: u64, to: u64, end, unpark: Option<(u32, u64)>| Park {
            stack: None,
            thread: ThreadId(1),
            lock: Some(LockId(1)),
            from: Nanos(from),
            to: Nanos(to),
            limit: None,
            end,
            unpark: unpark.map(|(by, at)| Unpark {
                stack: None,
                by: ThreadId(by),
                at: Nanos(at),
            }),
        };
        let mut log = ParkLog::default();
        log.add(&park(10, 30, ParkEnd::Unparked, Some((2, 20))));
        log.add(&park(40, 41, ParkEnd::Unparked, Some((2, 35))));
        log.add(&park(50, 50, ParkEnd::Unseen, None));
        log.add(&park(60, 90, ParkEnd::Open, None));
        let mut twice = log.clone();
        twice.join(&log);
        let (times, all) = (log.lengths.times(), twice.lengths.times());
        assert_eq!((times.count, times.unknown, times.total), (4, 1, Nanos(51)));
        assert_eq!((all.count, all.total, all.max), (8, Nanos(102), Nanos(30)));
        assert_eq!((log.at_once, twice.at_once, twice.count()), (1, 2, 8));
        assert_eq!(twice.by, BTreeMap::from([(ThreadId(2), 4)]));
        assert_eq!(twice.ended(ParkEnd::Unparked), 4);
    }
}
