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
//!   one waits on an object that it made itself, or re-tests its condition under the first
//!   monitor while it holds the second (hand-over);
//! - **publication**: an operation writes, under the first monitor only, a field that waiting
//!   regions of the second one read, and then notifies the second.
//!
//! The first monitor of the latter two is a mere guard: nobody ever waits on it. (A queue and the
//! future handed through it are two locks.) Two monitors that are merely used one inside the
//! other are none of this.

use crate::effects::EffectTable;
use crate::program::Program;
use crate::region::nesting::{Call, Origin};
use crate::region::place::around;
use crate::region::subject::Subject;
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_trace::MethodId;
use locklens_trace::code::{MemberRef, Op};
use locklens_trace::record::Frame;
use std::collections::{BTreeMap, BTreeSet};

/// How deep the callees of an operation are followed to regions.
const DEPTH: u32 = 2;

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
    operations: Vec<Vec<Touch>>,
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
    /// Regions of the operation's method around that place.
    around: Vec<RegionId>,
    /// The operation enters it itself.
    own: bool,
    waits: bool,
    notifies: bool,
}

/// Looks for composite locks among monitors, each given by all its regions.
#[must_use]
pub fn couplings(
    program: &Program<'_>,
    table: &RegionTable,
    effects: &mut EffectTable<'_, '_>,
    monitors: &[BTreeSet<RegionId>],
) -> Couplings {
    let mut finder = Finder {
        program,
        table,
        monitor_of: BTreeMap::new(),
        entered: BTreeMap::new(),
    };
    for (index, regions) in monitors.iter().enumerate() {
        for &region in regions {
            finder.monitor_of.entry(region).or_insert(index);
        }
    }
    let operations = finder.operations(effects);
    let is_guard: Vec<bool> = monitors
        .iter()
        .map(|regions| !regions.iter().any(|&r| may_wait(table, effects, r)))
        .collect();
    let mut found = BTreeSet::new();
    crosswise(&operations, &mut found);
    let rooms = waiting_rooms(&operations, &is_guard, &mut found);
    publications(
        &Fields { program, table },
        monitors,
        &operations,
        &is_guard,
        &mut found,
    );
    Couplings {
        found,
        rooms,
        is_guard,
        operations,
    }
}

fn may_wait(table: &RegionTable, effects: &mut EffectTable<'_, '_>, region: RegionId) -> bool {
    table
        .get(region)
        .is_some_and(|r| effects.of(r).may_wait != Some(false))
}

impl Couplings {
    /// Pairs that could be guard and waiting room, where only running them could tell.
    #[must_use]
    pub fn beside(&self) -> BTreeSet<Beside> {
        let mut out = BTreeSet::new();
        for operation in &self.operations {
            for guard in operation.iter().filter(|t| self.is_guard[t.monitor]) {
                let rooms = operation.iter().filter(|t| t.waits);
                let rooms = rooms.filter(|t| t.monitor != guard.monitor);
                out.extend(rooms.map(|room| Beside {
                    guard: guard.monitor,
                    region: guard.region,
                    room: room.monitor,
                }));
            }
        }
        out
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
        for operation in &self.operations {
            let is_member = |t: &&Touch| members.contains(&t.monitor);
            let own: Vec<&Touch> = operation.iter().filter(is_member).collect();
            let Some(first) = own.first() else { continue };
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

struct Finder<'a, 'p> {
    program: &'a Program<'p>,
    table: &'a RegionTable,
    monitor_of: BTreeMap<RegionId, MonitorIx>,
    /// Regions each method enters itself or through callees; those on its own receiver marked.
    entered: BTreeMap<(MethodId, u32), Vec<Entered>>,
}

/// A region entered somewhere in a method, and whether on the method's own receiver.
#[derive(Clone, Copy, Debug)]
struct Entered {
    region: RegionId,
    on_receiver: bool,
}

impl Finder<'_, '_> {
    /// The operations: touches in bci order, of methods that touch two monitors.
    fn operations(&mut self, effects: &mut EffectTable<'_, '_>) -> Vec<Vec<Touch>> {
        let methods = self.program.catalog.code.keys();
        let all = methods.map(|&method| self.touches(method, effects));
        let several =
            |touches: &Vec<Touch>| touches.iter().any(|t| t.monitor != touches[0].monitor);
        all.filter(several).collect()
    }

    fn touches(&mut self, method: MethodId, effects: &mut EffectTable<'_, '_>) -> Vec<Touch> {
        let Some(nesting) = self.program.nesting(method) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(region) = self.method_region(method) {
            found.extend(self.touch(region, 0, None, effects));
        }
        for monitor in &nesting.monitors {
            if let Some(region) = self.block(method, monitor.bci, monitor.ordinal) {
                let touch = self.touch(region, monitor.bci, monitor.origin, effects);
                found.extend(touch.map(|t| Touch {
                    around: self.around(method, t.bci),
                    ..t
                }));
            }
        }
        for call in &nesting.calls {
            for entered in self.called(method, call, DEPTH) {
                let origin = call.origin.filter(|_| entered.on_receiver);
                let touch = self.touch(entered.region, call.bci, origin, effects);
                let around = self.around(method, call.bci);
                found.extend(touch.map(|t| Touch {
                    own: false,
                    around,
                    ..t
                }));
            }
        }
        found.sort_by_key(|touch| touch.bci);
        found
    }

    /// A region the operation enters itself.
    fn touch(
        &self,
        id: RegionId,
        bci: u16,
        origin: Option<Origin>,
        effects: &mut EffectTable<'_, '_>,
    ) -> Option<Touch> {
        let effects = effects.of(self.table.get(id)?);
        Some(Touch {
            monitor: *self.monitor_of.get(&id)?,
            region: id,
            bci,
            origin,
            around: Vec::new(),
            own: true,
            waits: effects.may_wait == Some(true),
            notifies: effects.notifies(),
        })
    }

    fn method_region(&self, method: MethodId) -> Option<RegionId> {
        let def = self
            .program
            .method(method)
            .filter(|m| m.is_synchronized())?;
        self.table.find(&Program::method_region(def))
    }

    fn block(&self, method: MethodId, bci: u16, ordinal: u16) -> Option<RegionId> {
        let class = self.program.method(method)?.class;
        let place = RegionPlace::Block { bci, ordinal };
        self.table.find(&Region {
            method,
            class,
            place,
        })
    }

    fn around(&self, method: MethodId, bci: u16) -> Vec<RegionId> {
        let regions = around(
            self.program,
            Frame {
                method,
                bci: Some(bci),
            },
        );
        regions
            .iter()
            .filter_map(|region| self.table.find(region))
            .collect()
    }

    /// Regions that a call enters.
    fn called(&mut self, from: MethodId, call: &Call<'_>, depth: u32) -> Vec<Entered> {
        let Some(caller) = self.program.method(from) else {
            return Vec::new();
        };
        let targets = self
            .program
            .hierarchy
            .targets(caller.class, call.kind, call.callee);
        targets
            .into_iter()
            .flat_map(|target| self.entered(target, depth))
            .collect()
    }

    /// Regions a method enters, itself or by calls up to a depth.
    fn entered(&mut self, method: MethodId, depth: u32) -> Vec<Entered> {
        if let Some(known) = self.entered.get(&(method, depth)) {
            return known.clone();
        }
        // A recursive method enters nothing new by entering itself again.
        self.entered.insert((method, depth), Vec::new());
        let mut found: Vec<Entered> = self
            .method_region(method)
            .map(on_receiver)
            .into_iter()
            .collect();
        if let Some(nesting) = self.program.nesting(method) {
            for monitor in &nesting.monitors {
                let on_receiver = monitor.subject == Subject::This;
                let region = self.block(method, monitor.bci, monitor.ordinal);
                found.extend(region.map(|region| Entered {
                    region,
                    on_receiver,
                }));
            }
            for call in nesting.calls.iter().filter(|_| depth > 1) {
                let on_this = call.arguments.receiver() == Some(&Subject::This);
                let entered = self.called(method, call, depth - 1).into_iter();
                found.extend(entered.map(|e| Entered {
                    on_receiver: e.on_receiver && on_this,
                    ..e
                }));
            }
        }
        self.entered.insert((method, depth), found.clone());
        found
    }
}

fn on_receiver(region: RegionId) -> Entered {
    Entered {
        region,
        on_receiver: true,
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
    let mut ways: BTreeSet<(MonitorIx, MonitorIx)> = BTreeSet::new();
    for operation in operations {
        ways.extend(pairs(operation, |waits, notifies| {
            waits.own && notifies.own && waits.waits && notifies.notifies
        }));
    }
    for &(a, b) in ways.iter().filter(|&&(a, b)| ways.contains(&(b, a))) {
        couple(found, a, b, Kind::Crosswise);
    }
}

fn waiting_rooms(
    operations: &[Vec<Touch>],
    is_guard: &[bool],
    found: &mut BTreeSet<Coupling>,
) -> BTreeSet<MonitorIx> {
    let waits: BTreeSet<_> = operations.iter().flat_map(|o| waits_in_room(o)).collect();
    let handed = operations.iter().flat_map(|o| hands_over(o));
    let mut rooms = BTreeSet::new();
    for (guard, room) in handed.filter(|pair| is_guard[pair.0] && waits.contains(pair)) {
        couple(found, guard, room, Kind::WaitingRoom);
        rooms.insert(room);
    }
    rooms
}

/// (guard, room): waits on an object of its own making beside the guard, or tests under the
/// guard while it holds the room.
fn waits_in_room(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        let own = room.origin.is_some_and(|o| o.fresh) && guard.bci < room.bci;
        room.waits && (own || guard.around.contains(&room.region))
    })
}

/// (guard, room): notifies an object that it got under the guard.
fn hands_over(operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
    pairs(operation, |guard, room| {
        let got = room
            .origin
            .is_some_and(|o| o.bci >= guard.bci && o.bci < room.bci);
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

fn publications(
    fields: &Fields<'_, '_>,
    monitors: &[BTreeSet<RegionId>],
    operations: &[Vec<Touch>],
    is_guard: &[bool],
    found: &mut BTreeSet<Coupling>,
) {
    for operation in operations {
        let follows = |guard: &Touch, room: &Touch| room.notifies && guard.bci < room.bci;
        for (guard, room) in pairs(operation, follows)
            .into_iter()
            .filter(|p| is_guard[p.0])
        {
            let guards = operation.iter().filter(|t| t.monitor == guard);
            let written = fields.all(guards.map(|t| t.region), Access::Write);
            let own = fields.all(monitors[room].iter().copied(), Access::Write);
            let read = fields.all(monitors[room].iter().copied(), Access::ReadToWait);
            if read.iter().any(|f| written.contains(f) && !own.contains(f)) {
                couple(found, guard, room, Kind::Publication);
            }
        }
    }
}

/// Instance fields that a region's own code uses.
struct Fields<'a, 'p> {
    program: &'a Program<'p>,
    table: &'a RegionTable,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Write,
    /// Read, in a region that itself calls `wait`.
    ReadToWait,
}

impl<'p> Fields<'_, 'p> {
    fn all(
        &self,
        regions: impl Iterator<Item = RegionId>,
        access: Access,
    ) -> BTreeSet<&'p MemberRef> {
        regions.flat_map(|region| self.of(region, access)).collect()
    }

    fn of(&self, id: RegionId, access: Access) -> Vec<&'p MemberRef> {
        let Some(region) = self.table.get(id) else {
            return Vec::new();
        };
        let code = self.program.catalog.code.get(&region.method);
        let (Some(nesting), Some(code)) = (self.program.nesting(region.method), code) else {
            return Vec::new();
        };
        let inside = |bci: u16| match region.place {
            RegionPlace::Method => true,
            RegionPlace::Block { ordinal, .. } => nesting.held_at(bci).contains(&ordinal),
            RegionPlace::Unknown { .. } => false,
        };
        let waits = nesting
            .calls
            .iter()
            .any(|c| inside(c.bci) && c.callee.name == "wait");
        if access == Access::ReadToWait && !waits {
            return Vec::new();
        }
        let insns = code.insns.iter().filter(|insn| inside(insn.bci));
        let used = insns.filter_map(|insn| match (&insn.op, access) {
            (Op::PutField(field), Access::Write) | (Op::GetField(field), Access::ReadToWait) => {
                Some(field)
            }
            _ => None,
        });
        used.collect()
    }
}

#[cfg(test)]
mod tests;
