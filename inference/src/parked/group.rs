//! One logical lock of parked threads as the report says it: sums, places, call chains.

use super::kind::{Kind, has_parts};
use super::made::Number;
use super::{FrameKey, Seen, add};
use crate::collect::Collected;
use crate::collect::parked::ParkedSums;
use crate::collect::parks::ParkLog;
use crate::collect::releases::Release;
use crate::collect::uses::UseLog;
use crate::model::{
    self, CallChain, EvidenceReport, LogicalLock, Parks, RegionReport, Sampled, SampledChain,
    Stays, Times, Uses, Verdict,
};
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use crate::stable_name::{short, stable_method};
use crate::types::Role;
use locklens_trace::juc::Act;
use locklens_trace::park::ParkEnd;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Call chains of each kind that are kept.
const CHAINS: usize = 8;
/// Owners that are named.
const OWNERS: usize = 8;
/// Ways parks ended that are told.
const RELEASES: usize = 8;
/// A queue of which each end has a lock of its own.
const TWO_ENDS: &str = "java.util.concurrent.LinkedBlockingQueue";
/// Says what [`Group::adopts`].
const ADOPTED: &str = "what threads are parked on names no queue: it is taken for the inside of the one used from the same place";

/// A logical lock about to be told.
pub(super) struct Group<'s, 'a> {
    pub(super) collected: &'s Collected,
    pub(super) group: Vec<&'s Seen<'a>>,
    /// The name of the field that all of them are kept in.
    pub(super) kept: Option<String>,
    /// What the code that makes them says.
    pub(super) number: Option<Number>,
}

impl Group<'_, '_> {
    pub(super) fn logical_lock(&self, table: &mut RegionTable) -> LogicalLock {
        let kind = &self.group[0].kind;
        let (mut blocked, mut waits) = (ParkedSums::default(), ParkedSums::default());
        for one in &self.group {
            let sums = if one.kind.blocks {
                &mut blocked
            } else {
                &mut waits
            };
            sums.join(&one.sums());
        }
        let adopts = self.adopts();
        let wholes = self.group.iter().filter(|one| !adopts || !one.is_orphan());
        let objects = match &*kind.class {
            // Each end has a lock of its own, and nothing leads from one to the other.
            TWO_ENDS => {
                let (put, taken): (Vec<_>, Vec<_>) = wholes.partition(|one| one.is_of_putters());
                let several = |of: Vec<&&Seen<'_>>| {
                    let wholes: BTreeSet<LockId> = of.into_iter().map(|one| one.whole).collect();
                    wholes.len()
                };
                several(put).max(several(taken))
            }
            class if kind.is_part || has_parts(class) => {
                let wholes: BTreeSet<LockId> = wholes.map(|one| one.whole).collect();
                wholes.len()
            }
            _ => self.group.len(),
        };
        let lock = self.estimated(table, (&blocked, &waits), objects);
        let parks = self.parks(None);
        let lock = match parks.count() {
            0 => lock,
            _ => self.exactly(parks, lock),
        };
        self.with_uses(lock)
    }

    /// Some of it is taken for the inside of a queue in it, by the place alone.
    fn adopts(&self) -> bool {
        let orphans = self.group.iter().filter(|one| one.is_orphan()).count();
        (1..self.group.len()).contains(&orphans)
    }

    /// The same lock with what was done to it.
    fn with_uses(&self, lock: LogicalLock) -> LogicalLock {
        let mut sum = UseLog::default();
        let logs = self.group.iter().filter_map(|one| one.log.uses.as_ref());
        logs.for_each(|uses| sum.join(uses));
        if sum.acts.is_empty() {
            return lock;
        }
        let holds = sum.taken_alone.saturating_add(sum.taken_shared);
        LogicalLock {
            locked: (holds > 0).then_some(holds),
            uses: Some(Uses {
                alone: sum.taken_alone,
                shared: sum.taken_shared,
                held_alone: sum.held_alone.times(),
                held_shared: sum.held_shared.times(),
                most: sum.most,
                strays: sum.strays,
                acts: sum.acts,
                counts: sum.counts,
            }),
            ..lock
        }
    }

    /// What every park on it comes to; or only those to own it, or not to.
    fn parks(&self, blocks: Option<bool>) -> ParkLog {
        let mut sum = ParkLog::default();
        let wanted = |one: &&&Seen<'_>| blocks.is_none_or(|blocks| one.kind.blocks == blocks);
        for log in self.group.iter().filter(wanted) {
            log.log.parks.iter().for_each(|parks| sum.join(parks));
        }
        sum
    }

    /// The same lock, with its parks in place of estimates.
    fn exactly(&self, parks: ParkLog, lock: LogicalLock) -> LogicalLock {
        let ended = |end| parks.ended(end);
        LogicalLock {
            blocked: self.parks(Some(true)).lengths.times(),
            waits: self.parks(Some(false)).lengths.times(),
            timed_out: self.parks(Some(false)).ended(ParkEnd::TimedOut),
            parks: Some(Parks {
                count: parks.count(),
                unparked: ended(ParkEnd::Unparked),
                at_once: parks.at_once,
                timed_out: ended(ParkEnd::TimedOut),
                interrupted: ended(ParkEnd::Interrupted),
                unknown: ended(ParkEnd::Unknown),
                unseen: ended(ParkEnd::Unseen),
                open: ended(ParkEnd::Open),
                unparkers: parks.by.len() as u64,
                releases: self.releases(&parks.releases),
                by: self.threads(parks.by),
            }),
            ..lock
        }
    }

    /// What ended parks, most often first; nothing where no operations were recorded.
    fn releases(&self, all: &BTreeMap<Release, u64>) -> Vec<model::Release> {
        if all.keys().all(|release| release.act.is_none()) {
            return Vec::new();
        }
        let mut rows: BTreeMap<(ThreadId, Option<Act>, Option<CallChain>), u64> = BTreeMap::new();
        for (release, times) in all {
            let chain = release.stack.and_then(|stack| self.callers(stack));
            *rows.entry((release.by, release.act, chain)).or_default() += times;
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, times)| Reverse(*times));
        let told = |((by, act, chain), times)| model::Release {
            thread: self.collected.catalog.thread_name(by),
            act,
            chain,
            times,
        };
        rows.into_iter().take(RELEASES).map(told).collect()
    }

    /// A call chain from the program's own code on, without the frames of `java.util.concurrent` that unpark for it.
    fn callers(&self, stack: StackId) -> Option<CallChain> {
        let catalog = &self.collected.catalog;
        let frames = &catalog.stacks.get(&stack)?.frames;
        let inner = frames
            .iter()
            .take_while(|frame| catalog.is_concurrent(frame));
        let inner = inner.count();
        let mut chain = catalog.call_chain(stack)?;
        if inner < chain.frames.len() {
            chain.frames.drain(..inner);
        }
        Some(chain)
    }

    fn estimated(
        &self,
        table: &mut RegionTable,
        (blocked, waits): (&ParkedSums, &ParkedSums),
        objects: usize,
    ) -> LogicalLock {
        let kind = &self.group[0].kind;
        let (regions, unplaced) = self.regions(table);
        let threads: BTreeSet<ThreadId> = self
            .group
            .iter()
            .flat_map(|one| one.log.threads.iter().copied())
            .collect();
        let open = |blocks: bool| {
            let of_kind = self.group.iter().filter(|one| one.kind.blocks == blocks);
            of_kind.map(|one| one.log.open.len() as u64).sum()
        };
        LogicalLock {
            id: 0,
            name: self.kept.clone().unwrap_or_else(|| name(kind, &regions)),
            classes: vec![kind.class.clone()],
            concrete: Vec::new(),
            types: vec![self.verdict(&regions)],
            runners_up: Vec::new(),
            contradictions: Vec::new(),
            regions,
            unplaced,
            instances: objects as u64,
            threads: threads.len() as u64,
            locked: None,
            blocked: times(blocked),
            waits: times(waits),
            timed_out: 0,
            still_waiting: open(false),
            still_blocked: open(true),
            sampled: Some(self.sampled(blocked, waits)),
            parks: None,
            uses: None,
        }
    }

    /// The type with the details of all objects, as far as they agree; of bounds the widest.
    fn verdict(&self, regions: &[RegionReport]) -> Verdict {
        let kind = &self.group[0].kind;
        let mut details = kind.details.clone();
        let mut disputed = BTreeSet::new();
        for other in &self.group[1..] {
            for (&key, value) in &other.kind.details {
                let known = details.entry(key).or_insert_with(|| value.clone());
                match key.ends_with("_at_least") {
                    true => *known = value.clone().max(known.clone()),
                    false if known != value => drop(disputed.insert(key)),
                    false => {}
                }
            }
        }
        details.retain(|key, _| !disputed.contains(key));
        if let Some((key, number)) = &self.number {
            details.retain(|known, _| *known != "free" && !known.ends_with("_at_least"));
            details.insert(key, number.clone());
        }
        Verdict {
            lock_type: kind.lock_type,
            confidence: kind.confidence,
            details,
            roles: roles(regions),
            evidence: EvidenceReport {
                pro: std::iter::once(kind.reason.clone())
                    .chain(self.adopts().then(|| ADOPTED.to_owned()))
                    .chain(
                        self.number
                            .as_ref()
                            .map(|(key, _)| format!("{key}: as the code makes it")),
                    )
                    .collect(),
                ..EvidenceReport::default()
            },
        }
    }

    /// The places of the program, most used first, and what has none.
    fn regions(&self, table: &mut RegionTable) -> (Vec<RegionReport>, Stays) {
        let mut places: BTreeMap<FrameKey, (ParkedSums, ParkedSums, BTreeSet<Role>)> =
            BTreeMap::new();
        let mut nowhere = (ParkedSums::default(), ParkedSums::default());
        for one in &self.group {
            for (_, place, sums) in &one.sites {
                let (blocked, waits) = match place {
                    Some(place) => {
                        let (blocked, waits, roles) = places.entry(place.frame).or_default();
                        roles.extend(place.role);
                        (blocked, waits)
                    }
                    None => (&mut nowhere.0, &mut nowhere.1),
                };
                if one.kind.blocks { blocked } else { waits }.join(sums);
            }
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|(_, (blocked, waits, _))| {
            Reverse(blocked.samples.saturating_add(waits.samples))
        });
        let reports = places
            .into_iter()
            .filter_map(|(frame, (blocked, waits, roles))| {
                let report = self.place(frame, table)?;
                Some(RegionReport {
                    roles,
                    blocked: times(&blocked),
                    waits: times(&waits),
                    ..report
                })
            });
        let unplaced = Stays {
            blocked: times(&nowhere.0),
            waits: times(&nowhere.1),
            timed_out: 0,
        };
        (reports.collect(), unplaced)
    }

    fn place(&self, (method, bci): FrameKey, table: &mut RegionTable) -> Option<RegionReport> {
        let catalog = &self.collected.catalog;
        let def = catalog.methods.get(&locklens_trace::MethodId(method))?;
        let id: RegionId = table.intern(Region {
            method: def.id,
            class: def.class,
            place: RegionPlace::Unknown { bci },
        });
        Some(RegionReport {
            id,
            class: catalog.class_name(def.class),
            method: def.name.clone(),
            descriptor: def.descriptor.clone(),
            ordinal: None,
            synchronized: false,
            source: catalog
                .classes
                .get(&def.class)
                .and_then(|class| class.source_file.clone()),
            line: bci.and_then(|bci| def.line_at(bci)).map(u32::from),
            roles: BTreeSet::new(),
            seen: true,
            blocked: Times::default(),
            waits: Times::default(),
            timed_out: 0,
            supposed: 0,
        })
    }

    fn sampled(&self, blocked: &ParkedSums, waits: &ParkedSums) -> Sampled {
        let mut all = *blocked;
        all.join(waits);
        let most = |one: &&Seen<'_>| one.log.def.map_or(0, |def| u64::from(def.most));
        let together: u64 = self.group.iter().map(most).sum();
        let mut waiters: BTreeMap<StackId, u64> = BTreeMap::new();
        let mut owners: BTreeMap<StackId, u64> = BTreeMap::new();
        let mut threads: BTreeMap<ThreadId, u64> = BTreeMap::new();
        for one in &self.group {
            for (stack, _, sums) in &one.sites {
                if let Some(stack) = stack.filter(|_| sums.samples > 0) {
                    add(waiters.entry(stack).or_default(), sums.samples);
                }
            }
            for (&(thread, stack), &looks) in &one.log.owners {
                add(threads.entry(thread).or_default(), looks);
                if let Some(stack) = stack {
                    add(owners.entry(stack).or_default(), looks);
                }
            }
        }
        Sampled {
            stays: all.stays,
            samples: all.samples,
            time: all.time,
            error: error(&all, together),
            most: self.group.iter().map(most).max().unwrap_or(0),
            waiters: self.chains(waiters),
            owners: self.chains(owners),
            owner_threads: self.threads(threads),
            shared: self
                .group
                .iter()
                .any(|one| one.log.def.is_some_and(|def| def.shared)),
        }
    }

    fn threads(&self, threads: BTreeMap<ThreadId, u64>) -> Vec<(String, u64)> {
        let mut threads: Vec<_> = threads.into_iter().collect();
        threads.sort_by_key(|&(_, looks)| Reverse(looks));
        let catalog = &self.collected.catalog;
        let named = threads.into_iter().take(OWNERS);
        named
            .map(|(id, looks)| (catalog.thread_name(id), looks))
            .collect()
    }

    fn chains(&self, stacks: BTreeMap<StackId, u64>) -> Vec<SampledChain> {
        let mut stacks: Vec<_> = stacks.into_iter().collect();
        stacks.sort_by_key(|&(_, samples)| Reverse(samples));
        let chain = |(id, samples): (StackId, u64)| {
            let chain = self.collected.catalog.call_chain(id)?;
            Some(SampledChain { samples, chain })
        };
        stacks.into_iter().filter_map(chain).take(CHAINS).collect()
    }
}

/// The standard error of the estimated time, at most.
///
/// Within the time d a look stands for, a thread is parked for some share p of it; the look finds it there or not, which
/// has the variance p(1−p)d² ≤ pd²: on average what findings alone sum up. Looks are independent of each other, as their times are uneven; threads
/// found by one look may not be, and are taken to go together.
fn error(sums: &ParkedSums, together: u64) -> Nanos {
    let variance = sums.squares as f64 * together.max(1) as f64;
    Nanos((variance.sqrt() * 1e3) as u64)
}

fn times(sums: &ParkedSums) -> Times {
    Times {
        count: sums.stays,
        total: sums.time,
        ..Times::default()
    }
}

/// Where no field is known: which place was used most may be another one in another run, and lambdas are numbered anew in another build.
fn name(kind: &Kind, regions: &[RegionReport]) -> String {
    let class = short(&kind.class);
    let places = regions
        .iter()
        .map(|region| format!("{}.{}", short(&region.class), stable_method(&region.method)));
    match places.min() {
        Some(place) => format!("{class} in {place}"),
        None => class,
    }
}

/// The places by what is done there.
fn roles(regions: &[RegionReport]) -> BTreeMap<Role, BTreeSet<RegionId>> {
    let mut roles: BTreeMap<Role, BTreeSet<RegionId>> = BTreeMap::new();
    for region in regions {
        for &role in &region.roles {
            roles.entry(role).or_default().insert(region.id);
        }
    }
    roles
}
