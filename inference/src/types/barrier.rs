//! BARRIER: k parties meet; all but the last wait, and the last lets them go.

use super::case::{Case, Checker, Explanation};
use super::interval::Interval;
use super::log::{End, Entry, Instance, Log, Stay};
use super::score::{Score, Stakes};
use super::search::{NONE, Roles};
use super::{Detail, LockType, Role};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The checker.
pub(super) struct Barrier;

const ARRIVE: u8 = 1;

impl Checker for Barrier {
    fn lock_type(&self) -> LockType {
        LockType::Barrier
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        if code == ARRIVE { &[Role::Arrive] } else { &[] }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Arrive) {
            ARRIVE
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let alone = |region: usize| {
            let mut roles = case.nobody();
            roles[region] = ARRIVE;
            roles
        };
        case.waiting(6).into_iter().map(alone).collect()
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        if case.waited(region) {
            vec![ARRIVE]
        } else {
            Vec::new()
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        seen(log, roles).1
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let (log, _) = &seen(log, roles);
        let sizes = Sizes::of(log, roles);
        let mut out = Explanation::default();
        let complete = log.instances.iter().filter(|i| i.complete);
        let own: BTreeSet<i64> = complete.filter_map(|i| own_parties(i, roles)).collect();
        if own.len() > 1 {
            out.pro
                .push("at each object as many met each time".to_owned());
        } else if let Some(parties) = sizes.parties() {
            let others = sizes.others(parties);
            if others < OTHERS || others * OTHERS_PART < sizes.groups() {
                out.details.insert("parties", Detail::Count(parties as u64));
            } else {
                out.pro.push(format!("{others} times others than that met"));
            }
            let groups = sizes.whole.get(&parties).copied().unwrap_or(0)
                + sizes.first.get(&parties).copied().unwrap_or(0);
            out.pro
                .push(format!("{groups} times exactly {parties} met"));
        }
        out
    }
}

/// Share of predictions that fail from which on it is looked whether those who come early have to wait outside, share up to which
/// they do, and what that further assumption costs, in nats.
const FAILING: f64 = 0.03;
const QUEUE_COST: f64 = 4.0;
/// Predictions that must come true of those who have come inside, and one in how many of those there are without that assumption: it may not
/// do by saying nothing.
const TOLD: u32 = 10;
const TOLD_PART: u32 = 4;

/// The log as a barrier sees it, with the score of that.
fn seen<'a>(log: &'a Log, roles: &[u8]) -> (Cow<'a, Log>, Score) {
    let log = joined(log, roles);
    let score = scored(&log, roles);
    if score == Score::IMPOSSIBLE || score.failed() <= FAILING {
        return (log, score);
    }
    let waiting_outside = queued(&log, roles);
    let other = scored(&waiting_outside, roles);
    let all = score.confirmed.saturating_add(score.contradicted);
    let tells = other.confirmed >= TOLD.max(all / TOLD_PART);
    match tells && other.failed() <= FAILING {
        true => (Cow::Owned(waiting_outside), other.plus(-QUEUE_COST)),
        false => (log, score),
    }
}

fn scored(log: &Log, roles: &[u8]) -> Score {
    let sizes = Sizes::of(log, roles);
    let parties = sizes.parties();
    parties.map_or(Score::IMPOSSIBLE, |parties| {
        run(log, roles, parties, sizes.starts_empty(parties))
    })
}

/// Who comes while some who have met are still there waits until they are gone, and has come only then: an exchanger with one place.
fn queued(log: &Log, roles: &[u8]) -> Log {
    let mut log = log.clone();
    for instance in log.instances.iter_mut().filter(|i| i.complete) {
        let mut door = Door::default();
        for entry in &mut instance.entries {
            match entry {
                Entry::Stay(stay) if roles[usize::from(stay.region)] == ARRIVE => door.step(stay),
                Entry::Reset => door = Door::default(),
                _ => {}
            }
        }
    }
    log
}

/// Where the threads are that have come to a barrier.
#[derive(Default)]
struct Door {
    outside: BTreeSet<u32>,
    arrived: BTreeSet<u32>,
    leaving: BTreeSet<u32>,
}

impl Door {
    /// A stay of who has not arrived yet is none that is fresh, and the one in which he arrives is.
    fn step(&mut self, stay: &mut Stay) {
        let waits_outside = stay.waits() && !self.leaving.is_empty();
        if stay.fresh && waits_outside {
            stay.fresh = false;
            self.outside.insert(stay.thread);
        } else if stay.fresh {
            self.arrive(stay);
        } else if self.outside.contains(&stay.thread) {
            if !waits_outside {
                self.outside.remove(&stay.thread);
                stay.fresh = !stay.ran_out();
                self.arrive(stay);
            }
        } else if stay.end == End::Left {
            self.arrived.remove(&stay.thread);
            self.leaving.remove(&stay.thread);
        }
    }

    fn arrive(&mut self, stay: &Stay) {
        if stay.waits() {
            self.arrived.insert(stay.thread);
        } else if stay.fresh && stay.end == End::Left {
            self.leaving.append(&mut self.arrived);
        }
    }
}

/// Who counts himself in one region and waits in another has arrived once: where he goes on to the other one, he waits from the
/// first one on.
fn joined<'a>(log: &'a Log, roles: &[u8]) -> Cow<'a, Log> {
    let arrives = |region: usize| roles[region] == ARRIVE && log.usage[region].stays > 0;
    let waits = |region: usize| log.usage[region].waits > 0;
    let (wait, count): (Vec<usize>, Vec<usize>) = (0..roles.len())
        .filter(|&r| arrives(r))
        .partition(|&r| waits(r));
    if wait.is_empty() || count.is_empty() {
        return Cow::Borrowed(log);
    }
    let mut log = log.clone();
    for instance in &mut log.instances {
        let mut counted: BTreeMap<u32, usize> = BTreeMap::new();
        for at in 0..instance.entries.len() {
            let Entry::Stay(stay) = &mut instance.entries[at] else {
                continue;
            };
            let region = usize::from(stay.region);
            let before = counted.remove(&stay.thread);
            if stay.fresh && count.contains(&region) && stay.end == End::Left {
                counted.insert(stay.thread, at);
            } else if let Some(before) = before.filter(|_| stay.fresh && wait.contains(&region)) {
                stay.fresh = false;
                if let Entry::Stay(first) = &mut instance.entries[before] {
                    first.end = End::Waits;
                }
            }
        }
    }
    Cow::Owned(log)
}

/// How many arrived from one opening to the next.
struct Sizes {
    /// Between two openings: the group is whole.
    whole: BTreeMap<i64, u32>,
    /// Up to the first opening of an instance: some may have come before the history begins.
    first: BTreeMap<i64, u32>,
}

/// Groups of another size from which on it is not always as many that meet, if they are more than this part of all.
const OTHERS: u32 = 3;
const OTHERS_PART: u32 = 20;

impl Sizes {
    fn groups(&self) -> u32 {
        self.whole.values().sum()
    }

    /// Whole groups of another size.
    fn others(&self, parties: i64) -> u32 {
        self.groups() - self.whole.get(&parties).copied().unwrap_or(0)
    }

    fn of(log: &Log, roles: &[u8]) -> Self {
        let mut sizes = Self {
            whole: BTreeMap::new(),
            first: BTreeMap::new(),
        };
        for instance in log.instances.iter().filter(|i| i.complete) {
            sizes.add(instance, roles);
        }
        sizes
    }

    fn add(&mut self, instance: &Instance, roles: &[u8]) {
        let (mut arrived, mut first, mut certain) = (0, true, true);
        for entry in &instance.entries {
            match entry {
                Entry::Stay(s) if arrives(s, roles) => {
                    arrived += 1;
                    if s.end == End::Left {
                        let sizes = if first {
                            &mut self.first
                        } else {
                            &mut self.whole
                        };
                        if certain {
                            *sizes.entry(arrived).or_default() += 1;
                        }
                        (arrived, first, certain) = (0, false, true);
                    }
                }
                Entry::Reset => certain = false,
                _ => {}
            }
        }
    }

    /// The usual size, at least two.
    fn parties(&self) -> Option<i64> {
        let sizes = if self.whole.is_empty() {
            &self.first
        } else {
            &self.whole
        };
        let most = sizes.iter().max_by_key(|&(&size, &times)| (times, size))?;
        Some(*most.0).filter(|&size| size >= 2)
    }

    /// Histories begin with nobody inside.
    fn starts_empty(&self, parties: i64) -> bool {
        let all: u32 = self.first.values().sum();
        let equal = self.first.get(&parties).copied().unwrap_or(0);
        all > 0 && equal * 5 >= all * 4
    }
}

/// Groups of one object that must be of one size before it is that object's own.
const OWN_GROUPS: u32 = 3;

/// How many meet at this object, where that is plain: objects may have been made for different numbers.
fn own_parties(instance: &Instance, roles: &[u8]) -> Option<i64> {
    let mut sizes = Sizes {
        whole: BTreeMap::new(),
        first: BTreeMap::new(),
    };
    sizes.add(instance, roles);
    let all: u32 = sizes.whole.values().sum();
    let parties = sizes.parties()?;
    let times = sizes.whole.get(&parties).copied().unwrap_or(0);
    (times >= OWN_GROUPS && times * 5 >= all * 4).then_some(parties)
}

fn arrives(stay: &Stay, roles: &[u8]) -> bool {
    stay.fresh && roles[usize::from(stay.region)] == ARRIVE && stay.end != End::Unknown
}

fn run(log: &Log, roles: &[u8], parties: i64, starts_empty: bool) -> Score {
    let mut machine = Machine {
        roles,
        parties,
        stakes: Stakes::new(log),
        score: Score::default(),
        arrived: Interval::UNKNOWN,
        generation: 0,
        joined: vec![None; log.threads],
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        machine.parties = own_parties(instance, roles).unwrap_or(parties);
        machine.begin(starts_empty);
        for entry in &instance.entries {
            match entry {
                Entry::Stay(stay) => machine.step(stay),
                Entry::Reset => machine.begin(false),
                Entry::SubjectEnded => {}
            }
        }
    }
    machine.score
}

struct Machine<'a> {
    roles: &'a [u8],
    parties: i64,
    stakes: Stakes,
    score: Score,
    /// Parties that have arrived and wait.
    arrived: Interval,
    generation: u64,
    /// The generation each waiting thread belongs to, if its arrival was seen.
    joined: Vec<Option<u64>>,
}

impl Machine<'_> {
    fn begin(&mut self, empty: bool) {
        self.arrived = Interval {
            lo: 0,
            hi: if empty { 0 } else { self.parties - 1 },
        };
        self.generation += 1;
        self.joined.fill(None);
    }

    fn step(&mut self, stay: &Stay) {
        if arrives(stay, self.roles) {
            self.arrive(stay);
        } else if self.roles[usize::from(stay.region)] == ARRIVE && !stay.timed_out {
            self.resume(stay);
        }
    }

    fn arrive(&mut self, stay: &Stay) {
        let last = self.parties - 1;
        if let Some(opens) = self.arrived.at_least(last) {
            self.stakes.settle(&mut self.score, stay, !opens);
        }
        if stay.waits() {
            self.arrived.learn_below(last);
            self.arrived.add(1);
            self.joined[stay.thread as usize] = Some(self.generation);
        } else {
            self.arrived = Interval::exactly(0);
            self.generation += 1;
        }
    }

    /// Goes on only if its generation has met.
    fn resume(&mut self, stay: &Stay) {
        if let Some(joined) = self.joined[stay.thread as usize] {
            self.stakes
                .settle(&mut self.score, stay, joined == self.generation);
        }
        if stay.end == End::Left {
            self.joined[stay.thread as usize] = None;
        }
    }
}
