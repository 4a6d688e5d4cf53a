//! A recording under way, as somebody watches it: which locks keep threads from running now, and who is blocked.
//!
//! A [`Board`] takes in the records as they come and says at any time how it stands ([`view`]). It counts by lock object, in
//! intervals, and of each object keeps the last few and a sum. Which objects are one lock, of what type, and who held it,
//! takes an analysis: a [`Study`], made now and then by somebody else with [`crate::contention::live::Watcher`]. Until then
//! objects of a class of the program count as one lock, and those of a class of the JDK that are wanted at one place.
//!
//! `trend` is what is kept of an object, `place` which objects seem to be one lock, `now` who is blocked at the moment, `fate` which of them nobody frees any more, `study`
//! what an analysis adds, [`recent`] the last minute as a trace.

mod fate;
mod now;
mod place;
pub mod recent;
mod study;
mod trend;
pub mod view;

use crate::collect::Collector;
use crate::deadlock::finding::Report;
use crate::effects::is_platform_name;
use crate::model::Options;
use crate::pressure::Wanted;
use crate::pressure::live::{Follower, Slice, place};
use fate::Fate;
use locklens_trace::crowd::Crowd;
use locklens_trace::record::{LossCause, target_key};
use locklens_trace::{LockId, Nanos, Record, StackId};
use now::Now;
use place::{Kind, Kinds};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
pub use study::{KEYS, Study};
use trend::{Trend, Trends};
use view::{Line, View};

/// Locks of which it is remembered how much they had at most.
const PEAKS: usize = 1 << 16;

/// What counts as one lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A logical lock of the study, by its index.
    Known(usize),
    Kind(Kind),
    Object(LockId),
    /// All that there was no room for.
    Rest,
}

/// See the module.
#[derive(Debug)]
pub struct Board {
    interval: Nanos,
    follower: Follower,
    /// For names: it keeps no events.
    collector: Collector,
    now: Now,
    trends: Trends,
    fate: Fate,
    crowd: Option<Crowd>,
    events: u64,
    lost: u64,
    /// The most that each lock has had so far, by its name: objects have theirs at different times.
    peaks: HashMap<(String, Option<String>), f64>,
}

impl Board {
    /// One that counts in intervals of that length.
    #[must_use]
    pub fn new(interval: Nanos) -> Self {
        let wanted = Wanted {
            interval,
            most: None,
            threads: None,
        };
        let options = Options {
            window_events: 0,
            ..Options::default()
        };
        Self {
            interval,
            follower: Follower::new(&wanted, 1.0),
            collector: Collector::new(options),
            now: Now::default(),
            trends: Trends::default(),
            fate: Fate::default(),
            crowd: None,
            events: 0,
            lost: 0,
            peaks: HashMap::new(),
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: Record) {
        self.follower.push(&record);
        self.now.see(&record);
        match &record {
            Record::Event(event) => {
                self.events = self.events.saturating_add(1);
                let (catalog, _) = self.collector.so_far();
                self.fate.see(event, catalog);
            }
            Record::Target(facts) => {
                let mut facts = facts.iter();
                let told = facts.find(|(key, _)| key == target_key::THREADS_NOW);
                self.crowd = told.map(|(_, text)| Crowd::parse(text)).or(self.crowd);
            }
            Record::Lost(lost) if lost.cause != LossCause::StackBudget => {
                self.lost = self.lost.saturating_add(lost.count);
            }
            _ => {}
        }
        self.collector.push(record);
    }

    /// Counts the intervals that are over by now; true if there are any.
    pub fn turn(&mut self) -> bool {
        let slices: Vec<Slice> = self.follower.slices(&self.collector);
        slices.iter().for_each(|slice| self.trends.add(slice));
        !slices.is_empty()
    }

    /// Whether somebody else has been blocked for long since the JVM was last asked who is stuck: that it be asked is worth while.
    #[must_use]
    pub fn is_suspicious(&self) -> bool {
        self.fate.is_suspicious(&self.now.long())
    }

    /// The JVM is being asked.
    pub fn asks(&mut self) {
        self.fate.asks(self.now.long());
    }

    /// What it came to: of several thread dumps; none if it did not answer.
    pub fn answered(&mut self, report: Option<Report>) {
        self.fate.answered(report);
    }

    /// How it stands, with what a study has found.
    #[must_use]
    pub fn view(&mut self, study: &Study) -> View {
        let mut view = self.as_it_stands(study);
        for line in &mut view.locks {
            // What no analysis has named is called by its class.
            let place = line.place.clone().filter(|_| line.id.is_none());
            let name = (line.name.clone(), place);
            if self.peaks.len() < PEAKS || self.peaks.contains_key(&name) {
                let peak = self.peaks.entry(name).or_default();
                *peak = peak.max(line.peak);
                line.peak = *peak;
            }
        }
        view
    }

    fn as_it_stands(&self, study: &Study) -> View {
        let (catalog, parked) = self.collector.so_far();
        let blocked = self.now.blocked(catalog, parked);
        let keys = self.keys(study);
        let mut locks: BTreeMap<Key, (LockId, Trend)> = BTreeMap::new();
        for (lock, trend) in self.trends.all() {
            if let Some(&key) = keys.get(&lock) {
                let (_, sum) = locks.entry(key).or_insert((lock, Trend::default()));
                sum.join(trend);
            }
        }
        for lock in blocked.keys().copied() {
            if let Some(&key) = keys.get(&lock) {
                locks.entry(key).or_insert((lock, Trend::default()));
            }
        }
        if let Some(rest) = self.trends.rest() {
            locks.insert(Key::Rest, (LockId(0), rest.clone()));
        }
        let lines = locks.into_iter();
        let lines = lines.map(|(key, (first, trend))| (key, self.line(key, first, &trend, study)));
        let mut lines: BTreeMap<Key, Line> = lines.collect();
        let all = blocked.values().map(Vec::len).sum();
        let parked = self.now.parked_to_own(catalog, parked).count();
        for (lock, standing) in blocked {
            let line = keys.get(&lock).and_then(|key| lines.get_mut(key));
            line.into_iter()
                .for_each(|line| line.blocked.extend_from_slice(&standing));
        }
        for line in lines.values_mut() {
            line.blocked.sort_by_key(|standing| Reverse(standing.time));
        }
        View {
            at: self.trends.until,
            interval: self.interval,
            crowd: self.crowd.map(|crowd| divided(crowd, parked as u64)),
            virtual_blocked: self.now.virtual_blocked(catalog),
            blocked: all,
            deadlocks: self.fate.stuck().to_vec(),
            rings: self.fate.untold(self.now.rings(catalog)),
            events: self.events,
            lost: self.lost,
            locks: lines.into_values().collect(),
            inside: study.inside.clone(),
        }
    }

    /// What lock each object is; nothing of those that reports leave out.
    fn keys(&self, study: &Study) -> BTreeMap<LockId, Key> {
        let (catalog, logs) = self.collector.so_far();
        let mut kinds = Kinds::new(catalog);
        let (mut keys, mut unknown) = (BTreeMap::new(), Vec::new());
        let trends = self.trends.all();
        let trends = trends.map(|(lock, trend)| (lock, (trend.class.as_deref(), trend.stack)));
        let mut objects: BTreeMap<LockId, (Option<&str>, Option<StackId>)> = trends.collect();
        for (lock, stack) in self.now.wanted(catalog, logs) {
            let (_, wanted) = objects.entry(lock).or_default();
            *wanted = wanted.or(stack);
        }
        for (lock, (class, wanted)) in objects {
            let kind = kinds.of(lock, self.is_of_program(lock, class), wanted);
            match (study.index_of(lock), kind) {
                (Some(index), kind) => {
                    keys.insert(lock, Key::Known(index));
                    kind.into_iter()
                        .for_each(|kind| kinds.is_known(kind, index));
                }
                (None, _) if study.has_seen(lock) => {}
                (None, kind) => unknown.push((lock, kind)),
            }
        }
        for (lock, kind) in unknown {
            let known = kind.and_then(|kind| kinds.lock(kind)).map(Key::Known);
            let key = known.or(kind.map(Key::Kind)).unwrap_or(Key::Object(lock));
            keys.insert(lock, key);
        }
        keys
    }

    fn is_of_program(&self, lock: LockId, class: Option<&str>) -> bool {
        let (catalog, _) = self.collector.so_far();
        let is_of_program = |name: &str| !is_platform_name(name) && !name.starts_with('[');
        match (class, catalog.locks.get(&lock)) {
            (Some(class), _) => is_of_program(class),
            (None, Some(def)) => is_of_program(&catalog.class_name(def.class)),
            (None, None) => false,
        }
    }

    fn line(&self, key: Key, first: LockId, trend: &Trend, study: &Study) -> Line {
        let (catalog, _) = self.collector.so_far();
        let class = || {
            let def = catalog.locks.get(&first);
            let of = def.map(|def| catalog.class_name(def.class));
            let class = trend.class.clone().or(of);
            class.unwrap_or_else(|| "<unknown>".to_owned())
        };
        let (pressure, average, peak, series) = self.trends.shares(trend);
        let mut line = Line {
            key: first.0,
            name: String::new(),
            place: trend.stack.and_then(|stack| place(catalog, stack)),
            pressure,
            average,
            peak,
            trend: series,
            time: Nanos(trend.total),
            objects: trend.objects,
            // Nor is it known how many virtual threads run beside those that were met.
            is_estimate: trend.class.is_some() || self.now.virtual_blocked(catalog).is_some(),
            ..Line::default()
        };
        match key {
            Key::Known(index) => study.complete(index, &mut line),
            Key::Kind(_) | Key::Object(_) => line.name = class(),
            Key::Rest => {
                (line.name, line.place) = ("(other: cap reached)".to_owned(), None);
            }
        }
        line
    }
}

/// What a look found threads doing. Who is parked to own a lock is blocked; to the JVM it waits.
fn divided(crowd: Crowd, parked: u64) -> Crowd {
    let parked = parked.min(crowd.waiting);
    Crowd {
        blocked: crowd.blocked.saturating_add(parked),
        waiting: crowd.waiting - parked,
        ..crowd
    }
}

#[cfg(test)]
mod tests;
