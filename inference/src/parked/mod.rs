//! Locks known from looks at parked threads: those of `java.util.concurrent`, and what is built on the same
//! ground. What they are their classes say ([`kind`]); here they are grouped into logical locks as monitors are, by
//! the places of the program from which they are used, and counted.

mod kind;

use crate::collect::Collected;
use crate::collect::parked::{ParkedLog, ParkedSums};
use crate::model::{
    EvidenceReport, LogicalLock, RegionReport, Sampled, SampledChain, Stays, Times, Verdict,
};
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use crate::stable_name::{short, stable_class};
use crate::types::{LockType, Role};
use kind::Kind;
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Call chains of each kind that are kept.
const CHAINS: usize = 8;
/// Owners that are named.
const OWNERS: usize = 8;

/// What is known of parked threads.
#[derive(Default)]
pub(crate) struct Found {
    /// Logical locks with their objects.
    pub(crate) locks: Vec<(BTreeSet<LockId>, LogicalLock)>,
    /// Stays of idle threads that are not wanted, by name.
    pub(crate) hidden: BTreeMap<String, u64>,
}

/// The logical locks that threads were found parked on.
pub(crate) fn found(collected: &Collected, table: &mut RegionTable, hide_idle: bool) -> Found {
    let mut found = Found::default();
    let mut seen = Vec::new();
    for (&lock, log) in &collected.parked {
        if let Some(one) = Seen::of(collected, lock, log, hide_idle, &mut found.hidden) {
            seen.push(one);
        }
    }
    found.locks = groups(&seen)
        .into_iter()
        .map(|group| {
            let group: Vec<&Seen<'_>> = group.into_iter().map(|at| &seen[at]).collect();
            let objects = group.iter().map(|one| one.lock).collect();
            (objects, Group { collected, group }.logical_lock(table))
        })
        .collect();
    tell_names_apart(&mut found.locks);
    found
}

/// Where the program uses a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    frame: FrameKey,
    /// What for, where the JDK's frames above say so.
    role: Option<Role>,
}

/// Method and bci.
type FrameKey = (u32, Option<u16>);

/// A blocker with what the looks found of it.
struct Seen<'a> {
    lock: LockId,
    log: &'a ParkedLog,
    kind: Kind,
    /// Call chains with their place; none without one.
    sites: Vec<(Option<StackId>, Option<Place>, ParkedSums)>,
    /// What it is the lock or a condition of.
    whole: LockId,
}

/// What a call chain says.
#[derive(Default)]
struct Reading {
    /// The JDK's class whose code uses the lock.
    container: Option<String>,
    place: Option<Place>,
    idle: Option<&'static str>,
}

fn read(collected: &Collected, stack: &StackDef) -> Reading {
    let catalog = &collected.catalog;
    let mut reading = Reading::default();
    let mut role = None;
    for frame in &stack.frames {
        let Some(method) = catalog.methods.get(&frame.method) else {
            break;
        };
        let class = catalog.class_name(method.class);
        reading.idle = reading.idle.or(kind::idle(&class, &method.name));
        if !kind::is_concurrent(&class) {
            let frame = (frame.method.0, frame.bci);
            reading.place.get_or_insert(Place { frame, role });
        } else if reading.place.is_none() {
            role = role.or(self::role(&class));
            if !kind::is_parking(&class) {
                reading.container.get_or_insert(class);
            }
        }
    }
    reading
}

fn role(class: &str) -> Option<Role> {
    match class {
        "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock" => Some(Role::ReadLock),
        "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock" => Some(Role::WriteLock),
        _ => None,
    }
}

impl<'a> Seen<'a> {
    /// None if there is nothing to say of it: it is the lock of something and nobody was parked on it, or only
    /// idle threads were.
    fn of(
        collected: &Collected,
        lock: LockId,
        log: &'a ParkedLog,
        hide_idle: bool,
        hidden: &mut BTreeMap<String, u64>,
    ) -> Option<Self> {
        let catalog = &collected.catalog;
        let def = catalog.locks.get(&lock);
        let class = def.map_or_else(
            || "<unknown>".to_owned(),
            |def| stable_class(&catalog.class_name(def.class)),
        );
        let mut containers: BTreeMap<String, u64> = BTreeMap::new();
        let (mut sites, mut idle) = (Vec::new(), Vec::new());
        let pool = class == "java.util.concurrent.ForkJoinPool";
        for (&stack, &sums) in &log.sites {
            let chain = stack.and_then(|id| catalog.stacks.get(&id));
            let reading = chain.map_or_else(Reading::default, |chain| read(collected, chain));
            let reason = reading.idle.or(pool.then_some(kind::IDLE));
            if let Some(container) = reading.container {
                *containers.entry(container).or_default() += sums.samples;
            }
            match reason {
                Some(reason) => idle.push((reason, (stack, reading.place, sums))),
                None => sites.push((stack, reading.place, sums)),
            }
        }
        if hide_idle {
            // What has no chain is what those with one are.
            if !idle.is_empty() && sites.iter().all(|(stack, ..)| stack.is_none()) {
                let reason = idle[0].0;
                idle.extend(sites.drain(..).map(|site| (reason, site)));
            }
            for (reason, (_, _, sums)) in idle {
                let stays = hidden.entry(reason.to_owned()).or_default();
                *stays = stays.saturating_add(sums.stays);
            }
        } else {
            sites.extend(idle.into_iter().map(|(_, site)| site));
        }
        if sites.is_empty() {
            return None;
        }
        let container = containers.into_iter().max_by_key(|&(_, samples)| samples);
        let container = container.map(|(name, _)| name);
        let whole = log.def.and_then(|def| def.of).unwrap_or(lock);
        Some(Self {
            kind: Kind::of(&class, container.as_deref(), log),
            lock,
            log,
            sites,
            whole,
        })
    }

    /// What it has in common with others of its logical lock.
    fn keys(&self) -> Vec<Key<'_>> {
        let kind = (self.kind.lock_type, self.kind.class.as_str());
        let places = self.sites.iter().filter_map(|(_, place, _)| *place);
        let mut keys: Vec<_> = places.map(|place| Key::Place(kind, place.frame)).collect();
        if self.kind.is_part {
            keys.push(Key::Whole(kind, self.whole));
        }
        if keys.is_empty() {
            keys.push(Key::Nowhere(kind));
        }
        keys
    }

    fn sums(&self) -> ParkedSums {
        let mut sums = ParkedSums::default();
        self.sites.iter().for_each(|(_, _, site)| sums.join(site));
        sums
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'s> {
    Place((LockType, &'s str), FrameKey),
    Whole((LockType, &'s str), LockId),
    Nowhere((LockType, &'s str)),
}

/// Those that have a key in common, directly or through others; in order of their first lock.
fn groups(seen: &[Seen<'_>]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..seen.len()).collect();
    let mut first: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    for (at, one) in seen.iter().enumerate() {
        for key in one.keys() {
            let other = *first.entry(key).or_insert(at);
            let (a, b) = (root(&mut parent, at), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..seen.len() {
        groups.entry(root(&mut parent, at)).or_default().push(at);
    }
    groups.into_values().collect()
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// A logical lock about to be told.
struct Group<'s, 'a> {
    collected: &'s Collected,
    group: Vec<&'s Seen<'a>>,
}

impl Group<'_, '_> {
    fn logical_lock(&self, table: &mut RegionTable) -> LogicalLock {
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
        let wholes: BTreeSet<LockId> = self.group.iter().map(|one| one.whole).collect();
        let objects = if kind.is_part {
            wholes.len()
        } else {
            self.group.len()
        };
        LogicalLock {
            id: 0,
            name: name(kind, regions.first()),
            classes: vec![kind.class.clone()],
            types: vec![self.verdict()],
            runners_up: Vec::new(),
            contradictions: Vec::new(),
            regions,
            unplaced,
            instances: objects as u64,
            threads: threads.len() as u64,
            locked: None,
            blocked: times(&blocked),
            waits: times(&waits),
            timed_out: 0,
            still_waiting: open(false),
            still_blocked: open(true),
            sampled: Some(self.sampled(&blocked, &waits)),
        }
    }

    /// The type with the details of all objects, as far as they agree; of bounds the widest.
    fn verdict(&self) -> Verdict {
        let kind = &self.group[0].kind;
        let mut details = kind.details.clone();
        for other in &self.group[1..] {
            for (&key, value) in &other.kind.details {
                let bound = key.ends_with("_at_least");
                match details.get_mut(key) {
                    None => drop(details.insert(key, value.clone())),
                    Some(known) if bound => *known = value.clone().max(known.clone()),
                    Some(known) if known != value => drop(details.remove(key)),
                    Some(_) => {}
                }
            }
        }
        Verdict {
            lock_type: kind.lock_type,
            confidence: kind.confidence,
            details,
            roles: BTreeMap::new(),
            evidence: EvidenceReport {
                pro: vec![kind.reason.clone()],
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
        places.sort_by_key(|(_, (blocked, waits, _))| Reverse(blocked.samples + waits.samples));
        let reports = places.into_iter().filter_map(|(frame, (blocked, waits, roles))| {
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
                if let Some(stack) = stack {
                    *waiters.entry(*stack).or_default() += sums.samples;
                }
            }
            for (&(thread, stack), &looks) in &one.log.owners {
                *threads.entry(thread).or_default() += looks;
                if let Some(stack) = stack {
                    *owners.entry(stack).or_default() += looks;
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
        let name = |id: ThreadId| {
            let def = self.collected.catalog.threads.get(&id);
            def.map_or_else(|| format!("<thread {}>", id.0), |def| def.name.clone())
        };
        let named = threads.into_iter().take(OWNERS);
        named.map(|(id, looks)| (name(id), looks)).collect()
    }

    fn chains(&self, stacks: BTreeMap<StackId, u64>) -> Vec<SampledChain> {
        let mut stacks: Vec<_> = stacks.into_iter().collect();
        stacks.sort_by_key(|&(_, samples)| Reverse(samples));
        let chain = |(id, samples): (StackId, u64)| {
            let def = self.collected.catalog.stacks.get(&id)?;
            Some(SampledChain {
                samples,
                frames: def.frames.iter().map(|frame| self.frame(frame)).collect(),
                cut: def.cut,
            })
        };
        stacks.into_iter().filter_map(chain).take(CHAINS).collect()
    }

    fn frame(&self, frame: &Frame) -> String {
        let catalog = &self.collected.catalog;
        let Some(method) = catalog.methods.get(&frame.method) else {
            return format!("<method {}>", frame.method.0);
        };
        let class = catalog.classes.get(&method.class);
        let file = class.and_then(|class| class.source_file.as_deref());
        let line = frame.bci.and_then(|bci| method.line_at(bci));
        let place = match (file, line) {
            (Some(file), Some(line)) => format!("({file}:{line})"),
            (Some(file), None) => format!("({file})"),
            (None, _) => String::new(),
        };
        format!("{}.{}{place}", catalog.class_name(method.class), method.name)
    }
}

/// The standard error of the estimated time, at most.
///
/// Within the time a look stands for, a thread is parked for some share p of it; the look finds it there or not, which
/// is off by √(p(1−p)) ≤ ½ of that time. Looks are independent of each other, as their times are uneven; threads
/// found by one look may not be, and are taken to go together.
fn error(sums: &ParkedSums, together: u64) -> Nanos {
    let variance = sums.squares as f64 * together.max(1) as f64 / 4.0;
    Nanos((variance.sqrt() * 1e3) as u64)
}

fn times(sums: &ParkedSums) -> Times {
    Times {
        count: sums.stays,
        total: sums.time,
        ..Times::default()
    }
}

fn name(kind: &Kind, first: Option<&RegionReport>) -> String {
    let class = short(&kind.class);
    first.map_or_else(
        || class.clone(),
        |region| format!("{class} in {}.{}", short(&region.class), region.method),
    )
}

/// Locks of one name get the line of their place, or a number, behind it.
fn tell_names_apart(locks: &mut [(BTreeSet<LockId>, LogicalLock)]) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (_, lock) in locks {
        let count = counts.entry(lock.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            lock.name = format!("{} ({count})", lock.name);
        }
    }
}

#[cfg(test)]
mod tests;
