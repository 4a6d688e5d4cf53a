//! Phases of a recording under way, as they begin and end.
//!
//! What a lock is, only an analysis of the whole can say. Here locks of a class of the program go by that class; those of
//! the JDK's classes go each by itself. An interval is looked at a moment after it is over, as parked threads are told a
//! little late, and forgotten then.

use super::model::Pressure;
use super::series::Series;
use super::{Gauge, Wanted};
use crate::catalog::Catalog;
use crate::collect::Collector;
use crate::effects::is_platform_name;
use crate::parked::owned_class;
use locklens_trace::{ClassId, LockId, Nanos, Record, StackId};
use std::collections::BTreeMap;

/// How long after its end an interval is looked at.
const LATE: Nanos = Nanos(1_000_000_000);
/// Intervals that are looked at at once; a recording that says nothing for longer has a hole.
const MOST: u32 = 1_000;

/// Names that are kept.
const CALLED: usize = 4_096;

/// A phase begins or ends.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// It ends; else it begins.
    pub over: bool,
    /// The class of the lock.
    pub lock: String,
    /// Where the program wants it, most of the time.
    pub place: Option<String>,
    /// Begin of the phase.
    pub start: Nanos,
    /// End of its last interval so far.
    pub end: Nanos,
    /// The most that one of its intervals has.
    pub peak: f64,
    /// What they have together.
    pub average: f64,
}

/// What is taken to be one lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Class(ClassId),
    Object(LockId),
}

/// An interval that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    /// Its begin.
    pub start: Nanos,
    /// Its end.
    pub end: Nanos,
    /// The time threads were running in it.
    pub running: Nanos,
    /// The lock objects that threads acquired in it.
    pub locks: BTreeMap<LockId, Share>,
}

/// What a lock object has of an interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// Time threads spent acquiring it.
    pub time: Nanos,
    /// Where most of it was spent.
    pub stack: Option<StackId>,
    most: u64,
    /// Of a lock that threads park on: its class, as a report calls it.
    pub class: Option<String>,
}

/// A lock in one interval.
#[derive(Default)]
struct Found {
    name: String,
    time: u64,
    /// The place with most time.
    stack: Option<StackId>,
    most: u64,
}

/// A phase that goes on.
#[derive(Debug)]
struct Going {
    news: News,
    acquiring: u64,
    running: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Follower {
    gauge: Gauge,
    threshold: f64,
    /// Everything up to then has been told.
    told: Nanos,
    next: u32,
    going: BTreeMap<Key, Going>,
    /// What locks were called when their phases began.
    called: BTreeMap<Key, String>,
}

impl Follower {
    /// One that tells where a lock has at least that share of the running time.
    #[must_use]
    pub fn new(wanted: &Wanted, threshold: f64) -> Self {
        let wanted = Wanted {
            most: Some(u32::MAX),
            ..wanted.clone()
        };
        Self {
            gauge: Gauge::new(&wanted),
            threshold,
            told: Nanos(0),
            next: 0,
            going: BTreeMap::new(),
            called: BTreeMap::new(),
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: &Record) {
        self.gauge.push(record);
        if let Record::Tick(tick) = record {
            self.told = self.told.max(tick.at);
        }
    }

    /// A part could not be read.
    pub fn gap(&mut self) {
        self.gauge.gap();
    }

    /// What there is to say of the intervals that are over. `known` has seen the same records.
    pub fn news(&mut self, known: &Collector) -> Vec<News> {
        self.until(known, self.told.0.saturating_sub(LATE.0))
    }

    /// The same when the recording has ended: phases that go on end with it.
    pub fn last_news(&mut self, known: &Collector) -> Vec<News> {
        let mut news = self.until(known, self.told.0);
        let going = std::mem::take(&mut self.going).into_values();
        news.extend(going.map(Going::end));
        news
    }

    /// Says of each lock what the news called it, if they told of it.
    pub fn say_names(&self, pressure: &mut Pressure, catalog: &Catalog) {
        for lock in &mut pressure.locks {
            let object = lock.worst.map(|worst| LockId(worst.object));
            lock.told_as = object.and_then(|id| {
                let class = catalog.locks.get(&id).map(|def| Key::Class(def.class));
                let mut keys = [Some(Key::Object(id)), class].into_iter().flatten();
                keys.find_map(|key| self.called.get(&key)).cloned()
            });
        }
    }

    /// The intervals that are over, by lock object: for those who follow locks themselves. What is told here is told in no
    /// news.
    pub fn slices(&mut self, known: &Collector) -> Vec<Slice> {
        let end = self.catch_up(self.told.0.saturating_sub(LATE.0));
        let mut slices = Vec::new();
        while self.next < end {
            slices.push(self.slice(known));
            self.next += 1;
        }
        slices
    }

    fn slice(&mut self, known: &Collector) -> Slice {
        let mut locks: BTreeMap<LockId, Share> = BTreeMap::new();
        let ((start, end), running) = self.measured(known, |(lock, class), time, stack| {
            let share = locks.entry(lock).or_default();
            share.time = Nanos(share.time.0.saturating_add(time));
            share.class = class;
            if time > share.most {
                (share.most, share.stack) = (time, stack);
            }
        });
        Slice {
            start,
            end,
            running: Nanos(running),
            locks,
        }
    }

    /// The first interval that is not over at that time; so many before it are looked at at once.
    fn catch_up(&mut self, until: u64) -> u32 {
        let length = self.gauge.length;
        let end = u32::try_from(until.min(super::series::LATEST) / length).unwrap_or(u32::MAX);
        self.next = self.next.max(end.saturating_sub(MOST));
        end
    }

    fn until(&mut self, known: &Collector, until: u64) -> Vec<News> {
        let end = self.catch_up(until);
        let mut news = Vec::new();
        while self.next < end {
            self.close(known, &mut news);
            self.next += 1;
        }
        news
    }

    fn close(&mut self, known: &Collector, news: &mut Vec<News>) {
        let (catalog, _) = known.so_far();
        let mut found: BTreeMap<Key, Found> = BTreeMap::new();
        let (bounds, running) = self.measured(known, |lock, time, stack| {
            note(catalog, &mut found, lock, time, stack);
        });
        let reached: BTreeMap<Key, Found> = found
            .into_iter()
            .filter(|(_, lock)| lock.time as f64 >= self.threshold * running as f64)
            .filter(|(_, lock)| lock.time > 0)
            .collect();
        let over = self
            .going
            .extract_if(.., |key, _| !reached.contains_key(key));
        news.extend(over.map(|(_, going)| going.end()));
        for (key, lock) in reached {
            self.reach(key, &lock, running, bounds, catalog, news);
        }
    }

    fn reach(
        &mut self,
        key: Key,
        lock: &Found,
        running: u64,
        (start, end): (Nanos, Nanos),
        catalog: &Catalog,
        news: &mut Vec<News>,
    ) {
        let share = lock.time as f64 / running as f64;
        if let Some(going) = self.going.get_mut(&key) {
            going.acquiring = going.acquiring.saturating_add(lock.time);
            going.running = going.running.saturating_add(running);
            going.news.peak = going.news.peak.max(share);
            going.news.end = end;
            return;
        }
        let begun = News {
            over: false,
            lock: lock.name.clone(),
            place: lock.stack.and_then(|stack| place(catalog, stack)),
            start,
            end,
            peak: share,
            average: share,
        };
        news.push(begun.clone());
        if self.called.len() < CALLED {
            self.called.entry(key).or_insert_with(|| lock.name.clone());
        }
        let going = Going {
            news: begun,
            acquiring: lock.time,
            running,
        };
        self.going.insert(key, going);
    }

    /// Gives the locks that threads acquired in this interval to `each`; its bounds, and the time they were running.
    fn measured(
        &mut self,
        known: &Collector,
        mut each: impl FnMut((LockId, Option<String>), u64, Option<StackId>),
    ) -> ((Nanos, Nanos), u64) {
        let (interval, length) = (self.next, self.gauge.length);
        let start = u64::from(interval) * length;
        self.gauge.settle(start + length);
        let mut acquiring = 0u64;
        let idle = self.sites(known, |lock, time, stack| {
            acquiring = acquiring.saturating_add(time);
            each(lock, time, stack);
        });
        let take = |series: &mut Series| series.take(interval, length);
        let alive = take(&mut self.gauge.alive);
        let idle = take(&mut self.gauge.idle).saturating_add(idle);
        let running = alive.saturating_sub(idle).max(acquiring);
        ((Nanos(start), Nanos(start + length)), running)
    }

    /// The same of each place where they did; gives the time they were parked for something else.
    fn sites(
        &mut self,
        known: &Collector,
        mut each: impl FnMut((LockId, Option<String>), u64, Option<StackId>),
    ) -> u64 {
        let (catalog, parked) = known.so_far();
        let (interval, length) = (self.next, self.gauge.length);
        let mut idle = 0u64;
        let ids: Vec<LockId> = self.gauge.locks.iter().map(|(id, _)| LockId(id)).collect();
        let is_look = |gauge: &Gauge, lock: u32, site: u32| {
            let looks = &gauge.locks.peek(lock).looks;
            looks.binary_search(&site).is_ok()
        };
        for site in 0..self.gauge.sites.len() as u32 {
            let at = &mut self.gauge.sites[site as usize];
            let time = at.time.take(interval, length);
            if time == 0 {
                continue;
            }
            let (lock, stack) = (at.lock, at.stack);
            let id = ids[lock as usize];
            let owned = match is_look(&self.gauge, lock, site) {
                false => Some(None),
                true => parked
                    .get(&id)
                    .and_then(|log| owned_class(catalog, id, log))
                    .map(Some),
            };
            match owned {
                Some(class) => each((id, class), time, stack),
                None => idle = idle.saturating_add(time),
            }
        }
        idle
    }
}

/// Adds the time at one site.
fn note(
    catalog: &Catalog,
    found: &mut BTreeMap<Key, Found>,
    (id, class): (LockId, Option<String>),
    time: u64,
    stack: Option<StackId>,
) {
    let of = catalog.locks.get(&id).map(|def| def.class);
    let name = class.or_else(|| of.map(|class| catalog.class_name(class)));
    let name = name.unwrap_or_else(|| "<unknown>".to_owned());
    let key = match of.filter(|_| !is_platform_name(&name) && !name.starts_with('[')) {
        Some(class) => Key::Class(class),
        None => Key::Object(id),
    };
    let lock = found.entry(key).or_default();
    lock.name = name;
    lock.time = lock.time.saturating_add(time);
    if time > lock.most {
        (lock.most, lock.stack) = (time, stack);
    }
}

impl Going {
    fn end(self) -> News {
        News {
            over: true,
            average: self.acquiring as f64 / self.running.max(1) as f64,
            ..self.news
        }
    }
}

/// The innermost frame of the program, or of all.
pub(crate) fn place(catalog: &Catalog, stack: StackId) -> Option<String> {
    let chain = catalog.call_chain(stack)?;
    let of_program = chain.frames.iter().find(|frame| !is_platform_name(frame));
    of_program.or(chain.frames.first()).cloned()
}
