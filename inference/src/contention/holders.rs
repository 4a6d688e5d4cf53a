//! What looks at the owners of locks come to: shares of the blocked time by who held the lock and where, as estimates. Those at owners of
//! monitors, and those at owners of what threads are parked on, are counted apart.
//!
//! Who blocked whom is divided stay by stay elsewhere, and what contention can't tell is unknown there. Looks say nothing of
//! single stays, but where owners were at times that nobody chose: their share of the blocked time is right but for chance.
//! How far looks came at such times is known from events, and made good (`strata`). How much chance there is depends on how many of them are *independent*: looks one after the other that find the same owner
//! at the same place, and between which nobody else was let in, are taken for one, so that a lock that is held for seconds is not
//! known better than it is.

use super::atlas::{Atlas, Value};
use super::key::Key;
use super::stay::{Chain, Inner};
use super::strata::{Course, Group, Times, Zone, rake};
use super::tally::{FREE, NAMED, NONE};
use crate::chance::interval;
use crate::collect::FastHash;
use crate::model::CallChain;
use locklens_trace::held::Held;
use locklens_trace::parked::Parked;
use locklens_trace::{Event, EventKind, LockId, Nanos, Owner, StackId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Places of which looks are counted; what comes later has none.
const MOST: usize = 1 << 16;
/// Call chains told of one place.
const CHAINS: usize = 3;

/// What all looks come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looks {
    /// Looks at one lock each.
    pub total: u64,
    /// By lock, those blocked on most first.
    pub locks: Vec<LookedAt>,
}

/// A logical lock.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedAt {
    /// Its number in the report, and its name.
    pub lock: Value,
    /// Looks.
    pub looks: u64,
    /// How many independent ones they are worth.
    pub worth: f64,
    /// The blocked time that they stand for.
    pub time: Nanos,
    /// Where its owners were, most first.
    pub places: Vec<Place>,
}

/// Where owners of a lock were.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The method that held it; nobody, or unknown.
    pub method: Value,
    /// Looks.
    pub looks: u64,
    /// Of the blocked time that looks stand for, 0 to 1.
    pub share: f64,
    /// In what the true share is 95 times of 100.
    pub interval: (f64, f64),
    /// Owners, and call chains, each with its share of the same time: those with most.
    pub threads: Vec<(Value, f64)>,
    /// See `threads`.
    pub chains: Vec<(CallChain, f64)>,
}

/// What was seen at one object, of one owner at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Spot {
    lock: LockId,
    holder: Seen,
    stack: Option<StackId>,
}

/// Who was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Seen {
    Unknown,
    Nobody,
    Thread(u32),
}

impl Seen {
    fn of(owner: Owner) -> Self {
        match owner {
            Owner::Unknown => Self::Unknown,
            Owner::Nobody => Self::Nobody,
            Owner::Thread(thread) => Self::Thread(thread.0),
        }
    }
}

/// Counts, in nanoseconds of blocked time.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    looks: u64,
    weight: u64,
}

/// Looks at one object one after the other that found the same, as long as it was not handed on.
#[derive(Clone, Copy, Debug)]
struct Run {
    spot: Spot,
    weight: f64,
}

/// The runs of an object that are over: their weights, and the squares of these.
#[derive(Clone, Copy, Debug, Default)]
struct Runs {
    now: Option<Run>,
    sum: f64,
    squares: f64,
}

impl Runs {
    fn add(&mut self, spot: Spot, weight: f64) {
        match &mut self.now {
            Some(run) if run.spot == spot => run.weight += weight,
            _ => {
                self.end();
                self.now = Some(Run { spot, weight });
            }
        }
    }

    fn end(&mut self) {
        if let Some(run) = self.now.take() {
            self.sum += run.weight;
            self.squares += run.weight * run.weight;
        }
    }
}

/// What was seen, and when between hand-overs.
type Seens = Vec<((Spot, Zone), Count)>;

/// A look, and the blocked time that it stands for.
type Look = (Spot, u64);

/// Counts looks; see the module. Memory grows with lock objects and with places.
#[derive(Clone, Debug, Default)]
pub(super) struct Sightings {
    spots: HashMap<(Spot, Zone), Count, FastHash>,
    runs: HashMap<LockId, Runs, FastHash>,
    /// What goes on at each object, from the first look on.
    courses: HashMap<LockId, Course<Look>, FastHash>,
    /// There was a look.
    any: bool,
    /// How often events were missing.
    losses: u64,
}

impl Sightings {
    pub(super) fn add(&mut self, held: &Held) {
        self.any = true;
        let spot = Spot {
            lock: held.lock,
            holder: Seen::of(held.owner),
            stack: held.stack,
        };
        self.run(spot, held.weight());
        let look = (spot, held.weight());
        let mut counted = Vec::new();
        match self.course(held.lock, held.at, &mut counted) {
            Some(course) => course.look(held.at, look, &mut counted),
            None => counted.push((look, None)),
        }
        self.count_all(counted);
    }

    /// An event of a monitor. Once somebody who was blocked on it has got it whoever has it at the next look has it anew.
    pub(super) fn event(&mut self, event: &Event) {
        let Some(lock) = event.lock.filter(|_| self.any) else {
            return;
        };
        let mut counted = Vec::new();
        match event.kind {
            EventKind::Enter => {
                if let Some(course) = self.course(lock, event.at, &mut counted) {
                    course.enter(event.at, event.thread, &mut counted);
                }
            }
            EventKind::Entered => {
                if let Some(runs) = self.runs.get_mut(&lock) {
                    runs.end();
                }
                let losses = self.losses;
                if let Some(course) = self.courses.get_mut(&lock) {
                    course.known_since(losses, &mut counted);
                    course.hand_over(event.at, event.thread, &mut counted);
                }
            }
            _ => {}
        }
        self.count_all(counted);
    }

    /// Events are missing.
    pub(super) fn lost(&mut self) {
        self.losses += 1;
    }

    fn course(
        &mut self,
        lock: LockId,
        at: Nanos,
        counted: &mut Vec<(Look, Zone)>,
    ) -> Option<&mut Course<Look>> {
        if self.courses.len() >= MOST && !self.courses.contains_key(&lock) {
            return None;
        }
        let losses = self.losses;
        let course = self.courses.entry(lock);
        let course = course.or_insert_with(|| Course::new(at, losses));
        course.known_since(losses, counted);
        Some(course)
    }

    /// A look at a parked thread. Only where it took the owner's call chain, which it does now and then, does it tell where that was.
    pub(super) fn add_parked(&mut self, parked: &Parked) {
        let spot = Spot {
            lock: parked.lock,
            holder: Seen::of(parked.owner),
            stack: parked.owner_stack,
        };
        if spot.stack.is_some() && matches!(spot.holder, Seen::Thread(_)) {
            let weight = parked.time.0 / u64::from(parked.samples.max(1));
            self.run(spot, weight);
            self.count((spot, weight), None);
        }
    }

    fn count_all(&mut self, counted: Vec<(Look, Zone)>) {
        for (look, zone) in counted {
            self.count(look, zone);
        }
    }

    fn count(&mut self, (mut spot, weight): Look, zone: Zone) {
        if self.spots.len() >= MOST && !self.spots.contains_key(&(spot, zone)) {
            spot.stack = None;
            spot.holder = Seen::Unknown;
        }
        let count = self.spots.entry((spot, zone)).or_default();
        count.looks += 1;
        count.weight = count.weight.saturating_add(weight);
    }

    /// Of objects for which there is no room no look is worth anything.
    fn run(&mut self, spot: Spot, weight: u64) {
        if self.runs.len() < MOST || self.runs.contains_key(&spot.lock) {
            let runs = self.runs.entry(spot.lock).or_default();
            runs.add(spot, weight as f64);
        }
    }

    /// By logical lock; what reports leave out is left out here. Who holds a monitor is inside a block of it: `blocks`.
    pub(super) fn looks(&self, atlas: &mut Atlas<'_>, blocks: bool) -> Looks {
        let mut all = self.clone();
        let mut counted = Vec::new();
        for course in all.courses.values_mut() {
            course.known_since(all.losses, &mut counted);
            course.settle(&mut counted);
        }
        all.count_all(counted);
        let mut times: BTreeMap<usize, Times> = BTreeMap::new();
        for (&lock, course) in &all.courses {
            if let Some(index) = atlas.index_of(lock) {
                times.entry(index).or_default().join(&course.times);
            }
        }
        let mut locks: BTreeMap<usize, Seens> = BTreeMap::new();
        for (&spot, &count) in &all.spots {
            if let Some(index) = atlas.index_of(spot.0.lock) {
                locks.entry(index).or_default().push((spot, count));
            }
        }
        let locks = locks.into_iter();
        let mut locks: Vec<_> = locks
            .map(|(index, spots)| {
                let times = times.remove(&index).unwrap_or_default();
                let (spots, design) = raked(spots, &times);
                all.looked_at(spots, design, atlas, blocks)
            })
            .collect();
        locks.sort_by(|a, b| (Reverse(a.time), &a.lock).cmp(&(Reverse(b.time), &b.lock)));
        Looks {
            total: locks.iter().map(|lock| lock.looks).sum(),
            locks,
        }
    }

    fn looked_at(
        &self,
        mut spots: Vec<(Spot, Count)>,
        design: f64,
        atlas: &mut Atlas<'_>,
        blocks: bool,
    ) -> LookedAt {
        // Between the two times that it was seen to own the lock it had let go of it, and taken it again.
        for (spot, _) in &mut spots {
            spot.stack = spot
                .stack
                .filter(|&stack| !blocks || !atlas.is_outside(stack, spot.lock));
        }
        spots.sort_unstable_by_key(|&(spot, count)| (Reverse(count.weight), spot));
        let lock = spots.first().map(|(spot, _)| atlas.lock_of(spot.lock));
        let all = sum(spots.iter().map(|(_, count)| *count));
        let worth = self.worth(&spots) * design;
        let mut places: BTreeMap<u64, Vec<(Spot, Count)>> = BTreeMap::new();
        for &(spot, count) in &spots {
            let code = place(spot, atlas);
            places.entry(code).or_default().push((spot, count));
        }
        let places = places.into_iter();
        let mut places: Vec<_> = places
            .map(|(code, spots)| told((code, &spots), (all, worth), atlas))
            .collect();
        places.sort_by(|a, b| {
            b.share
                .total_cmp(&a.share)
                .then_with(|| a.method.cmp(&b.method))
        });
        LookedAt {
            lock: lock.map_or(Value::Unknown, |code| atlas.value(Key::Lock, code)),
            looks: all.looks,
            worth,
            time: Nanos(all.weight),
            places,
        }
    }

    /// How many independent looks of one weight each tell as much (Kish's effective size of a sample, over runs).
    fn worth(&self, spots: &[(Spot, Count)]) -> f64 {
        let mut objects: Vec<LockId> = spots.iter().map(|(spot, _)| spot.lock).collect();
        objects.sort_unstable();
        objects.dedup();
        let (mut all, mut squares) = (0.0, 0.0);
        for object in objects {
            let mut runs = self.runs.get(&object).copied().unwrap_or_default();
            runs.end();
            all += runs.sum;
            squares += runs.squares;
        }
        if squares > 0.0 {
            all * all / squares
        } else {
            0.0
        }
    }
}

/// Looks with the weights that make good when they came, and how much less they are worth by that: the less alike weights are, the more
/// depends on a few (Kish).
fn raked(mut spots: Seens, times: &Times) -> (Vec<(Spot, Count)>, f64) {
    spots.sort_unstable_by_key(|&(spot, _)| spot);
    let groups: Vec<Group> = spots
        .iter()
        .map(|&((_, zone), count)| Group {
            zone,
            looks: count.looks,
            weight: count.weight as f64,
        })
        .collect();
    let weights = rake(&groups, times);
    let square = |weight: f64, looks: u64| weight * weight / looks.max(1) as f64;
    let before: f64 = groups.iter().map(|g| square(g.weight, g.looks)).sum();
    let after = groups.iter().zip(&weights);
    let after: f64 = after
        .map(|(group, &weight)| square(weight, group.looks))
        .sum();
    let design = if after > before { before / after } else { 1.0 };
    let mut merged: BTreeMap<Spot, Count> = BTreeMap::new();
    for (((spot, _), count), weight) in spots.into_iter().zip(weights) {
        let sum = merged.entry(spot).or_default();
        sum.looks += count.looks;
        sum.weight = sum.weight.saturating_add(weight.round() as u64);
    }
    (merged.into_iter().collect(), design)
}

fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold(Count::default(), |sum, count| Count {
        looks: sum.looks + count.looks,
        weight: sum.weight.saturating_add(count.weight),
    })
}

/// The method whose region of the lock the owner was in, or where it was if that is not known; as a code.
fn place(spot: Spot, atlas: &mut Atlas<'_>) -> u64 {
    match spot.holder {
        Seen::Unknown => NONE,
        Seen::Nobody => FREE,
        Seen::Thread(_) => {
            let at = |end| {
                let looked_at = Chain::looked_at;
                let chain = spot.stack.map(|stack| Chain {
                    end,
                    ..looked_at(stack)
                })?;
                atlas.place(Key::OwnerMethod, Some(chain), spot.lock)
            };
            let known = [Inner::Region, Inner::Look].into_iter().find_map(at);
            known.map_or(NONE, |code| NAMED + code)
        }
    }
}

/// A place as it is told.
fn told(
    (code, spots): (u64, &[(Spot, Count)]),
    (all, worth): (Count, f64),
    atlas: &mut Atlas<'_>,
) -> Place {
    let here = sum(spots.iter().map(|(_, count)| *count));
    let share = |weight: u64| weight as f64 / (all.weight.max(1)) as f64;
    let mut threads: BTreeMap<Value, u64> = BTreeMap::new();
    let mut chains: BTreeMap<CallChain, u64> = BTreeMap::new();
    let catalog = &atlas.collected().catalog;
    for (spot, count) in spots {
        if let Seen::Thread(thread) = spot.holder {
            let value = atlas.value(Key::OwnerThread, u64::from(thread) + NAMED);
            *threads.entry(value).or_default() += count.weight;
        }
        if let Some(chain) = spot.stack.and_then(|stack| catalog.call_chain(stack)) {
            *chains.entry(chain).or_default() += count.weight;
        }
    }
    let mut threads: Vec<_> = threads.into_iter().collect();
    threads.sort_by_key(|(_, weight)| Reverse(*weight));
    let mut chains: Vec<_> = chains.into_iter().collect();
    chains.sort_by_key(|(_, weight)| Reverse(*weight));
    let chains = chains.into_iter().take(CHAINS);
    let chains = chains.map(|(chain, weight)| (chain, share(weight)));
    Place {
        method: atlas.value(Key::OwnerMethod, code),
        looks: here.looks,
        share: share(here.weight),
        interval: interval(share(here.weight), worth),
        threads: threads
            .into_iter()
            .take(CHAINS)
            .map(|(value, weight)| (value, share(weight)))
            .collect(),
        chains: chains.collect(),
    }
}
