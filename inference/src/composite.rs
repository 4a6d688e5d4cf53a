//! Composite locks: several monitors that are one logical lock.
//!
//! A queue with a monitor for each end, a semaphore whose waiters each wait on an object of their
//! own, a read-write lock with a waiting room for either kind: what they are shows only when
//! their monitors are looked at together. Watching sees too little of them to tell (the monitor
//! that guards the state hardly ever blocks), so the code decides. Its *operations* are the
//! methods that enter regions of two monitors, themselves or through what they call. Two
//! monitors belong together if
//!
//! - **crosswise**: one operation waits on the first and notifies the second, another one waits
//!   on the second and notifies the first (a buffer counted from both ends);
//! - **waiting room**: an operation notifies an object that it got under the first monitor, and
//!   one waits on an object that it made itself, having entered the first monitor by a step of its own, or re-tests
//!   its condition under the first monitor while it holds the second (hand-over);
//! - **publication**: an operation writes, under the first monitor only, a field that waiting
//!   regions of the second one read, and then notifies the second.
//!
//! The first monitor of the latter two is a mere guard: nobody ever waits on it. (A queue and the
//! future handed through it are two locks.) Two monitors that are merely used one inside the
//! other are none of this.
//!
//! Where none of this is written plainly (waiters queue up in a list that somebody else empties, steps
//! are methods of their own), running decides: monitors that operations use *together*, by blocks and
//! steps of their own, are one lock if they have to do with each other ([`links`]), and the operations go as one in the sandbox and explain
//! every wait on these monitors. What is called on another object that was there before is used, and no part, unless it is
//! one of several that the class alone makes and keeps in an array, or one after the other in a field; a function of the class alone is a step, and enters
//! the monitor in the field that it is handed.

mod links;
mod operations;
mod publication;
mod uses;

use crate::effects::EffectTable;
use crate::program::Program;
use crate::region::nesting::Origin;
use crate::region::{RegionId, RegionTable};
use crate::sets::DisjointSets;
use links::{Links, ordered};
use locklens_trace::code::MemberRef;
use operations::Finder;
use publication::{Fields, publications};
use std::collections::{BTreeMap, BTreeSet};
use uses::Uses;

/// Index of a monitor: one of the sets of regions given.
pub type MonitorIx = usize;

/// Two monitors that belong together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coupling {
    /// The smaller index.
    pub first: MonitorIx,
    /// The larger one.
    pub second: MonitorIx,
    /// Why.
    pub kind: Kind,
}

/// Why two monitors belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Each is waited on where the other is notified.
    Crosswise,
    /// Waiters of one wait on the other.
    WaitingRoom,
    /// State guarded by one is waited for on the other.
    Publication,
}

/// What the code says of composite locks.
#[derive(Debug)]
pub struct Couplings {
    /// The couplings found.
    pub found: BTreeSet<Coupling>,
    /// Monitors that are waiting rooms of another one.
    pub rooms: BTreeSet<MonitorIx>,
    /// Monitors on which no region waits.
    is_guard: Vec<bool>,
    /// Regions that wait.
    waiting: BTreeSet<RegionId>,
    operations: Vec<Vec<Touch>>,
    /// Monitors that one of these operations uses, and that have to do with each other.
    linked: BTreeSet<(MonitorIx, MonitorIx)>,
    /// Guards under which it is tested whether to wait, with what is waited on.
    asked: BTreeSet<(MonitorIx, MonitorIx)>,
    /// Which of these operations touch what.
    uses: Uses,
}

/// What some operations enter.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// The monitors.
    pub monitors: BTreeSet<MonitorIx>,
    /// Their regions.
    pub regions: BTreeSet<RegionId>,
}

/// An operation enters a guard here and waits on another monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beside {
    /// The guard, on which nobody ever waits.
    pub guard: MonitorIx,
    /// Its region.
    pub region: RegionId,
    /// The monitor that the operation waits on.
    pub room: MonitorIx,
}

/// A region entered in an operation.
#[derive(Clone, Debug)]
struct Touch {
    monitor: MonitorIx,
    region: RegionId,
    /// Where the operation enters it, or calls what enters it.
    bci: u16,
    /// Where the operation got the object from, if it is the operation's own value.
    origin: Option<Origin>,
    /// Regions of the operation's method in which it got it from there.
    got_in: Vec<RegionId>,
    /// Regions of the operation's method around that place.
    around: Vec<RegionId>,
    /// The operation enters it itself.
    own: bool,
    /// … or by a step of its own: a call on its own object, or on one that it made.
    inner: bool,
    /// … or by a call on an object that somebody has handed to it.
    handed: bool,
    waits: bool,
    notifies: bool,
    /// … or by a call on another object that is a part of its own.
    part: bool,
    /// … which it has made itself.
    made: bool,
    /// The field that its object comes from.
    on: Option<MemberRef>,
    /// What the call returns that enters it is used for more than to be returned.
    result_used: bool,
}

/// Looks for composite locks among monitors, each given by all its regions.
#[must_use]
pub fn couplings(
    program: &Program<'_>,
    table: &RegionTable,
    effects: &mut EffectTable<'_, '_>,
    monitors: &[BTreeSet<RegionId>],
) -> Couplings {
    let mut finder = Finder::new(program, table, monitors);
    let operations = finder.operations(effects);
    let is_guard: Vec<bool> = monitors
        .iter()
        .map(|regions| !regions.iter().any(|&r| may_wait(table, effects, r)))
        .collect();
    let waits = |r: &RegionId| {
        table
            .get(*r)
            .is_some_and(|r| effects.of(r).may_wait == Some(true))
    };
    let waiting = finder.monitor_of.keys().copied().filter(waits).collect();
    let mut found = BTreeSet::new();
    crosswise(&operations, &mut found);
    let asked = operations.iter().flat_map(|o| asks_inside(o)).collect();
    let rooms = waiting_rooms(&operations, &is_guard, &asked, &mut found);
    publications(
        &Fields { program, table },
        monitors,
        &operations,
        &is_guard,
        &mut found,
    );
    let mut links = Links::new(program, table, monitors, &is_guard);
    let linked = operations
        .iter()
        .flat_map(|operation| links.pairs(operation));
    let linked = linked.collect();
    Couplings {
        found,
        rooms,
        is_guard,
        waiting,
        linked,
        asked,
        uses: Uses::of(&operations),
        operations,
    }
}

fn may_wait(table: &RegionTable, effects: &mut EffectTable<'_, '_>, region: RegionId) -> bool {
    table
        .get(region)
        .is_some_and(|r| effects.of(r).may_wait != Some(false))
}

impl Couplings {
    /// Pairs that could be guard and waiting room, where only running them could tell. Who merely uses a lock and waits for
    /// something else besides makes them no pair.
    #[must_use]
    pub fn beside(&self) -> BTreeSet<Beside> {
        let mut out = BTreeSet::new();
        for operation in &self.operations {
            let guards = operation.iter().filter(|t| self.is_guard[t.monitor]);
            for guard in guards.filter(|t| t.inner) {
                // Who waits for what he was handed and enters the guard only then merely uses both.
                let uses = |room: &Touch| room.handed && room.bci < guard.bci;
                let rooms = operation.iter().filter(|t| t.waits && !uses(t));
                let rooms =
                    rooms.filter(|t| self.linked.contains(&ordered(t.monitor, guard.monitor)));
                out.extend(rooms.map(|room| Beside {
                    guard: guard.monitor,
                    region: guard.region,
                    room: room.monitor,
                }));
            }
        }
        out
    }

    /// Some operation uses both, and they have to do with each other there.
    #[must_use]
    pub fn are_linked(&self, guard: MonitorIx, room: MonitorIx) -> bool {
        self.linked.contains(&ordered(guard, room)) || self.asked.contains(&(guard, room))
    }

    /// Guards that a step of an operation's own holds while it waits on another monitor: who waits to
    /// enter them waits for what is waited for there.
    #[must_use]
    pub fn held_while_waiting(&self) -> BTreeSet<MonitorIx> {
        let mut found = BTreeSet::new();
        for operation in &self.operations {
            for room in operation.iter().filter(|t| t.waits && t.inner) {
                let guards = operation.iter().filter(|t| self.is_guard[t.monitor]);
                let held = guards.filter(|t| room.around.contains(&t.region));
                found.extend(held.map(|t| t.monitor).filter(|&m| m != room.monitor));
            }
        }
        found
    }

    /// Sets of monitors that operations use together, by steps of their own, and that have to do with each other: perhaps one lock. Only
    /// running them could tell.
    #[must_use]
    pub fn together(&self) -> Vec<BTreeSet<MonitorIx>> {
        let together = self.operations.iter().flat_map(|operation| {
            let steps: Vec<&Touch> = operation.iter().filter(|t| t.inner).collect();
            let used: BTreeSet<MonitorIx> = steps.iter().map(|t| t.monitor).collect();
            let pairs = used
                .iter()
                .flat_map(|&a| used.range(a + 1..).map(move |&b| (a, b)));
            let linked = pairs.filter(|pair| self.linked.contains(pair));
            let sets = self.connected(linked.map(|(a, b)| BTreeSet::from([a, b])));
            sets.into_iter().filter(move |set| {
                let mut within = steps.iter().filter(|t| set.contains(&t.monitor));
                within.any(|t| t.waits || t.notifies)
            })
        });
        self.connected(together.chain(self.coupled()))
    }

    fn coupled(&self) -> impl Iterator<Item = BTreeSet<MonitorIx>> {
        let coupled = self.found.iter();
        coupled.map(|c| BTreeSet::from([c.first, c.second]))
    }

    /// All monitors that these sets connect, in sets that share none.
    fn connected(
        &self,
        links: impl Iterator<Item = BTreeSet<MonitorIx>>,
    ) -> Vec<BTreeSet<MonitorIx>> {
        let mut sets = DisjointSets::new(self.is_guard.len());
        let mut linked = BTreeSet::new();
        for link in links {
            let first = link.first().copied();
            for &monitor in &link {
                sets.join(first.unwrap_or(monitor), monitor);
            }
            linked.extend(link);
        }
        let mut found: BTreeMap<MonitorIx, BTreeSet<MonitorIx>> = BTreeMap::new();
        for monitor in linked {
            let root = sets.root(monitor);
            found.entry(root).or_default().insert(monitor);
        }
        let mut found: Vec<_> = found.into_values().collect();
        found.sort();
        found
    }

    /// One of two operations waits on the one of these monitors and notifies the other, and the second
    /// operation the other way round.
    #[must_use]
    pub fn are_crosswise(&self, members: &BTreeSet<MonitorIx>) -> bool {
        members.iter().any(|&first| {
            let at = |second| Coupling {
                first,
                second,
                kind: Kind::Crosswise,
            };
            let mut found = self.found.range(at(0)..=at(MonitorIx::MAX));
            found.any(|c| c.kind == Kind::Crosswise && members.contains(&c.second))
        })
    }

    /// A region that waits.
    #[must_use]
    pub fn waits(&self, region: RegionId) -> bool {
        self.waiting.contains(&region)
    }

    /// What operations that begin in these regions enter.
    #[must_use]
    pub fn reach(&self, beginnings: &BTreeSet<RegionId>) -> Span {
        let mut span = Span::default();
        for at in self.uses.of_regions(beginnings) {
            let steps = self.operations[at].iter().filter(|t| t.inner);
            span.monitors.extend(steps.clone().map(|t| t.monitor));
            span.regions.extend(steps.map(|t| t.region));
        }
        span.regions.extend(beginnings);
        span
    }

    /// Regions that operations themselves wait in, of all that begin in these regions, if they are of several classes that have
    /// nothing to do with each other: what they begin with is then a lock that each uses in a way of its own.
    #[must_use]
    pub fn waits_of_strangers(
        &self,
        beginnings: &BTreeSet<RegionId>,
        are_kin: impl Fn(RegionId, RegionId) -> bool,
    ) -> BTreeSet<RegionId> {
        let all = self.uses.of_regions(beginnings).into_iter();
        let all = all.map(|at| &self.operations[at]);
        let begin = all.filter(|touches| beginnings.contains(&touches[0].region));
        let own: Vec<Vec<&Touch>> = begin
            .map(|touches| touches.iter().filter(|t| t.own).collect())
            .collect();
        let mut firsts = own.iter().filter_map(|touches| touches.first());
        let Some(one) = firsts.next() else {
            return BTreeSet::new();
        };
        let strangers = firsts.any(|other| !are_kin(one.region, other.region));
        let waits = own.iter().flatten().filter(|t| strangers && t.waits);
        waits.map(|t| t.region).collect()
    }

    /// Sets of monitors that couplings connect.
    #[must_use]
    pub fn components(&self) -> Vec<BTreeSet<MonitorIx>> {
        self.connected(self.coupled())
    }

    /// Takes the second monitor for a waiting room of the first.
    pub fn join(&mut self, guard: MonitorIx, room: MonitorIx) {
        couple(&mut self.found, guard, room, Kind::WaitingRoom);
        self.rooms.insert(room);
    }

    /// For regions of a composite that operations enter only after they have left another of its
    /// regions: that other region, in which the operation begins. Left out where operations differ.
    #[must_use]
    pub fn beginnings(&self, members: &BTreeSet<MonitorIx>) -> BTreeMap<RegionId, RegionId> {
        let mut found: BTreeMap<RegionId, Option<RegionId>> = BTreeMap::new();
        for at in self.uses.of_monitors(members) {
            let operation = &self.operations[at];
            let is_member = |t: &&Touch| t.inner && members.contains(&t.monitor);
            let own: Vec<&Touch> = operation.iter().filter(is_member).collect();
            // Who makes an object and calls it, one method after the other, uses it: each call is an operation.
            let Some(first) = own.first().filter(|_| !own.iter().all(|t| t.made)) else {
                continue;
            };
            for touch in &own {
                let nested = own.iter().any(|outer| touch.around.contains(&outer.region));
                let begins = (!nested).then_some(first.region);
                let known = found.entry(touch.region).or_insert(begins);
                *known = known.filter(|&known| Some(known) == begins);
            }
        }
        let agreed = found
            .into_iter()
            .filter_map(|(region, first)| Some((region, first?)));
        agreed.filter(|(region, first)| region != first).collect()
    }
}

fn couple(found: &mut BTreeSet<Coupling>, a: MonitorIx, b: MonitorIx, kind: Kind) {
    if a != b {
        found.insert(Coupling {
            first: a.min(b),
            second: a.max(b),
            kind,
        });
    }
}

/// Only what operations do themselves counts: methods that merely call two queues, in two
/// directions, make them no one lock.
fn crosswise(operations: &[Vec<Touch>], found: &mut BTreeSet<Coupling>) {
    let mut ways: BTreeMap<(MonitorIx, MonitorIx), BTreeSet<usize>> = BTreeMap::new();
    for (at, operation) in operations.iter().enumerate() {
        let both = pairs(operation, |waits, notifies| {
            waits.own && notifies.own && waits.waits && notifies.notifies
        });
        for way in both {
            ways.entry(way).or_default().insert(at);
        }
    }
    for (&(a, b), there) in &ways {
        // One operation that does either is no two ends: it uses one lock around the other.
        let back = ways.get(&(b, a));
        if back.is_some_and(|back| there.iter().any(|t| back.iter().any(|b| b != t))) {
            couple(found, a, b, Kind::Crosswise);
        }
    }
}

fn waiting_rooms(
    operations: &[Vec<Touch>],
    is_guard: &[bool],
    asked: &BTreeSet<(MonitorIx, MonitorIx)>,
    found: &mut BTreeSet<Coupling>,
) -> BTreeSet<MonitorIx> {
    let own: BTreeSet<_> = operations.iter().flat_map(|o| waits_on_own(o)).collect();
    let handed = operations.iter().flat_map(|o| hands_over(o));
    let handed = handed.filter(|pair| own.contains(pair) || asked.contains(pair));
    let behind = operations.iter().flat_map(|o| notifies_behind(o));
    let behind = behind.filter(|pair| asked.contains(pair));
    let mut rooms = BTreeSet::new();
    for (guard, room) in handed.chain(behind).filter(|pair| is_guard[pair.0]) {
        couple(found, guard, room, Kind::WaitingRoom);
        rooms.insert(room);
    }
    rooms
}

/// (guard, room): waits on an object of its own making beside the guard.
fn waits_on_own(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        let own = room.origin.is_some_and(|o| o.fresh) && guard.bci < room.bci;
        room.waits && own && guard.inner
    })
}

/// (guard, room): tests under the guard while it holds the room, and waits in that.
fn asks_inside(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        room.waits && guard.around.contains(&room.region)
    })
}

/// (guard, room): notifies an object that it got behind the guard: of one that is waited for with the guard's state that is as good as
/// under it.
fn notifies_behind(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        let got = room
            .origin
            .is_some_and(|o| (guard.bci..room.bci).contains(&o.bci));
        room.notifies && got && !guard.around.contains(&room.region)
    })
}

/// (guard, room): notifies an object that it got under the guard, or was handed by the call that enters it.
fn hands_over(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        let handed = room.origin.is_some_and(|o| o.bci == guard.bci);
        let got = handed || room.got_in.contains(&guard.region);
        room.notifies && got && !guard.around.contains(&room.region)
    })
}

fn pairs(
    operation: &[Touch],
    fits: impl Fn(&Touch, &Touch) -> bool,
) -> Vec<(MonitorIx, MonitorIx)> {
    let all = operation
        .iter()
        .flat_map(|a| operation.iter().map(move |b| (a, b)));
    let apart = all.filter(|(a, b)| a.monitor != b.monitor);
    apart
        .filter(|(a, b)| fits(a, b))
        .map(|(a, b)| (a.monitor, b.monitor))
        .collect()
}

#[cfg(test)]
mod tests;
