//! Histories in the dense form the machines run on.
//!
//! Regions, threads and instances are renumbered by what they *do*, never by their ids: whoever
//! permutes region ids or the order of the histories gets the same numbers, hence the same
//! ties and the same verdict.

use super::{TypeInput, missing};
use crate::region::RegionId;
use crate::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

/// How a stay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Left,
    Waits,
    Unknown,
}

/// One stay in the monitor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// When it began.
    pub(super) at: u64,
    pub(super) thread: u32,
    pub(super) region: u16,
    /// Acquired from outside; false: resumed from a wait.
    pub(super) fresh: bool,
    /// Resumed without anybody having notified it: by time-out, or interrupted.
    pub(super) timed_out: bool,
    /// Resumed since it was interrupted.
    pub(super) interrupted: bool,
    /// The wait it ends with has a time-out.
    pub(super) timed: bool,
    pub(super) end: End,
    pub(super) notified: bool,
    pub(super) notified_all: bool,
}

impl Stay {
    /// Ends with a wait.
    pub(super) fn waits(&self) -> bool {
        self.end == End::Waits
    }

    /// Left after its time was up: whether it got what it wanted is not known.
    pub(super) fn may_have_given_up(&self) -> bool {
        self.timed_out && self.end == End::Left
    }

    /// Its time was up, and it is not known to have waited again.
    pub(super) fn ran_out(&self) -> bool {
        self.timed_out && self.end != End::Waits
    }
}

/// One element of the history of an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Stay(Stay),
    Reset,
    SubjectEnded,
}

/// One lock object.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) entries: Vec<Entry>,
    /// Every stay is there.
    pub(super) complete: bool,
}

impl Instance {
    /// The stays, without what is between them.
    pub(super) fn stays(&self) -> impl Iterator<Item = &Stay> {
        self.entries.iter().filter_map(|e| match e {
            Entry::Stay(stay) => Some(stay),
            _ => None,
        })
    }
}

/// What a region did, over all instances.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    pub(super) stays: u32,
    pub(super) waits: u32,
    pub(super) timed_waits: u32,
    pub(super) timed_out: u32,
    pub(super) notifies: u32,
    /// Fresh stays by thread.
    pub(super) threads: BTreeMap<u32, u32>,
}

impl Usage {
    fn add(&mut self, stay: &Stay) {
        self.stays += 1;
        self.waits += u32::from(stay.waits());
        self.timed_waits += u32::from(stay.waits() && stay.timed);
        self.timed_out += u32::from(stay.timed_out && !stay.interrupted);
        self.notifies += u32::from(stay.notified);
        *self.threads.entry(stay.thread).or_default() += u32::from(stay.fresh);
    }

    /// Share of its stays that end with a wait, kept off 0 and 1 by half an observation.
    pub(super) fn wait_share(&self) -> f64 {
        (f64::from(self.waits) + 0.5) / (f64::from(self.stays) + 1.0)
    }
}

/// All instances of one logical lock.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) instances: Vec<Instance>,
    /// By dense region number.
    pub(super) usage: Vec<Usage>,
    /// Number of dense threads.
    pub(super) threads: usize,
    /// Probability that a step is not what an exact record would say.
    pub(super) slip: f64,
}

/// A log, and the region ids its numbers stand for.
pub(super) struct Dense {
    pub(super) log: Log,
    pub(super) regions: Vec<RegionId>,
}

impl Dense {
    /// Renumbers the histories of a lock. Regions only known from the bytecode come last.
    pub(super) fn new(input: &TypeInput) -> Self {
        let order = Order::of(input.histories);
        let mut regions = order.regions;
        let seen: BTreeSet<RegionId> = regions.iter().copied().collect();
        let unseen = unseen(input).into_iter().filter(|r| !seen.contains(r));
        regions.extend(unseen.collect::<BTreeSet<_>>());
        regions.truncate(usize::from(u16::MAX));
        let log = Renumber::new(&regions).log(&order.histories, regions.len());
        Self { log, regions }
    }
}

fn unseen<'a>(input: &TypeInput<'a>) -> Vec<RegionId> {
    let facts = input.regions.keys().copied();
    facts
        .chain(input.seeds.iter().flat_map(|s| s.0.regions()))
        .collect()
}

/// Histories and regions in an order that depends only on what happened.
struct Order<'a> {
    histories: Vec<&'a History>,
    regions: Vec<RegionId>,
}

impl<'a> Order<'a> {
    fn of(histories: &'a [History]) -> Self {
        let mut signatures: BTreeMap<RegionId, (u64, u64)> = BTreeMap::new();
        for history in histories {
            let base = history.steps.iter().fold(17, |h, s| mix(h, shape(s)));
            for (position, visit) in visits(history).enumerate() {
                let signature = signatures.entry(visit.region).or_default();
                signature.0 += 1;
                signature.1 = signature.1.wrapping_add(mix(base, position as u64));
            }
        }
        let mut regions: Vec<RegionId> = signatures.keys().copied().collect();
        regions.sort_by_key(|r| std::cmp::Reverse(signatures[r]));
        let mut histories: Vec<&History> = histories.iter().collect();
        histories.sort_by_cached_key(|h| (std::cmp::Reverse(h.steps.len()), full(h, &signatures)));
        Self { histories, regions }
    }
}

fn visits(history: &History) -> impl Iterator<Item = &Visit> {
    history.steps.iter().filter_map(|s| match s {
        Step::Visit(v) => Some(v),
        _ => None,
    })
}

fn full(history: &History, signatures: &BTreeMap<RegionId, (u64, u64)>) -> u64 {
    history.steps.iter().fold(31, |h, s| {
        let region = match s {
            Step::Visit(v) => signatures.get(&v.region).map_or(0, |s| s.1),
            _ => 0,
        };
        mix(mix(h, shape(s)), region)
    })
}

/// Everything about a step but its region.
fn shape(step: &Step) -> u64 {
    match step {
        Step::Reset(at) => mix(1, at.0),
        Step::SubjectEnded(at) => mix(2, at.0),
        Step::Visit(v) => {
            let begin = match v.begin {
                Begin::Fresh { blocked } => u64::from(blocked),
                Begin::Resumed { timed_out } => 2 + u64::from(timed_out),
                Begin::Interrupted => 4,
            };
            let finish = match v.finish {
                Finish::Left => 0,
                Finish::Waits { timeout } => timeout.map_or(1, |t| t.0.saturating_add(2)),
                Finish::Unknown => u64::MAX,
            };
            let notified = match v.notified {
                Notified::No => 0,
                Notified::One(_) => 1,
                Notified::All(_) => 2,
            };
            [begin, finish, notified, v.at.0]
                .into_iter()
                .fold(u64::from(v.thread.0) + 3, mix)
        }
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let x = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Dense numbers for regions and threads.
struct Renumber {
    regions: BTreeMap<RegionId, u16>,
    threads: BTreeMap<ThreadId, u32>,
    inferred: bool,
}

impl Renumber {
    fn new(regions: &[RegionId]) -> Self {
        let regions = regions.iter().copied().zip(0u16..).collect();
        Self {
            regions,
            threads: BTreeMap::new(),
            inferred: false,
        }
    }

    fn log(mut self, histories: &[&History], regions: usize) -> Log {
        let instances: Vec<Instance> = histories.iter().map(|h| self.instance(h)).collect();
        let slip = if self.inferred { 0.05 } else { 0.01 };
        Log::new(instances, regions, self.threads.len(), slip)
    }

    fn instance(&mut self, history: &History) -> Instance {
        let entries = history.steps.iter().filter_map(|s| self.entry(s));
        let entries: Vec<Entry> = entries.collect();
        Instance {
            complete: history.complete && !missing::ends_unseen(&entries),
            entries,
        }
    }

    fn entry(&mut self, step: &Step) -> Option<Entry> {
        match step {
            Step::Reset(_) => Some(Entry::Reset),
            Step::SubjectEnded(_) => Some(Entry::SubjectEnded),
            Step::Visit(v) => self.stay(v).map(Entry::Stay),
        }
    }

    fn stay(&mut self, v: &Visit) -> Option<Stay> {
        let region = *self.regions.get(&v.region)?;
        let next = self.threads.len() as u32;
        let thread = *self.threads.entry(v.thread).or_insert(next);
        let inferred = matches!(
            v.notified,
            Notified::One(Mark::Inferred) | Notified::All(Mark::Inferred)
        );
        self.inferred |= inferred;
        Some(Stay {
            at: v.at.0,
            thread,
            region,
            fresh: matches!(v.begin, Begin::Fresh { .. }),
            timed_out: v.begin.is_unnotified(),
            interrupted: v.begin == Begin::Interrupted,
            timed: matches!(v.finish, Finish::Waits { timeout: Some(_) }),
            end: match v.finish {
                Finish::Left => End::Left,
                Finish::Waits { .. } => End::Waits,
                Finish::Unknown => End::Unknown,
            },
            notified: v.notified != Notified::No,
            notified_all: matches!(v.notified, Notified::All(_)),
        })
    }
}

impl Log {
    fn new(instances: Vec<Instance>, regions: usize, threads: usize, slip: f64) -> Self {
        let mut usage = vec![Usage::default(); regions];
        for stay in instances.iter().flat_map(Instance::stays) {
            usage[usize::from(stay.region)].add(stay);
        }
        Self {
            instances,
            usage,
            threads,
            slip,
        }
    }

    /// Only the instances of which every stay is known, or only the others.
    pub(super) fn part(&self, complete: bool) -> Self {
        let wanted = |i: &&Instance| i.complete == complete;
        let instances = self.instances.iter().filter(wanted).cloned().collect();
        Self::new(instances, self.usage.len(), self.threads, self.slip)
    }

    /// Without the stays in regions that an accepted type has taken.
    pub(super) fn without(&self, taken: &[bool]) -> Self {
        let free = |e: &&Entry| match e {
            Entry::Stay(stay) => !taken[usize::from(stay.region)],
            _ => true,
        };
        let cut = |i: &Instance| Instance {
            entries: i.entries.iter().filter(free).copied().collect(),
            complete: i.complete,
        };
        let instances = self.instances.iter().map(cut).collect();
        Self::new(instances, self.usage.len(), self.threads, self.slip)
    }

    /// At most about so many stays, a stretch from the beginning of each instance.
    pub(super) fn window(&self, most: usize) -> Self {
        let quota = (most / self.instances.len().max(1)).max(60);
        let mut left = most;
        let mut instances = Vec::new();
        for instance in &self.instances {
            let length = instance.entries.len().min(quota).min(left);
            left -= length;
            if length > 0 {
                let entries = instance.entries[..length].to_vec();
                instances.push(Instance {
                    entries,
                    complete: instance.complete,
                });
            }
        }
        Self::new(instances, self.usage.len(), self.threads, self.slip)
    }

    /// Number of stays.
    pub(super) fn stays(&self) -> u32 {
        self.usage.iter().map(|u| u.stays).sum()
    }

    /// Number of waits.
    pub(super) fn waits(&self) -> u32 {
        self.usage.iter().map(|u| u.waits).sum()
    }
}
