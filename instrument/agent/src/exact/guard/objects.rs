//! Of which class the lock objects are that probes have met, by hash.
//!
//! Unlike in a whole recording none of them is tagged, nor defined before it is told: a program that runs for days locks more
//! objects than can be remembered. Where there are too many all are forgotten, and those still in use come again. An object that
//! was told keeps its id.
//!
//! There are two tables, as there are two lanes of objects: those whose monitors are used (and synchronizers of the program's, whose
//! operations are told of the object itself), and what is inside the locks of `java.util.concurrent`.

use super::super::arena::{Arena, Lane};
use super::super::ledger::Ledger;
use super::deeds::{CONCURRENT, Identify};
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::scattered::Map;
use crate::vm::{Ref, Vm};
use locklens_trace::record::{LockDef, LockObject};
use locklens_trace::{ClassId, LockId};
use std::collections::HashMap;

/// Objects remembered, by lane.
const MOST: usize = 57_344;
const MOST_CONCURRENT: usize = 28_672;
/// How long they are at least, nanoseconds.
const KEPT_FOR: u64 = 10_000_000_000;

/// What is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// Nobody asked for it.
    Ignored,
    /// Its class, and the class it is the mirror of.
    Of(ClassId, Option<ClassId>),
    /// It is a condition of the lock of this hash.
    Condition(u32),
}

/// See the module.
#[derive(Default)]
pub(super) struct Objects {
    monitors: Table,
    concurrent: Table,
    told: HashMap<(u32, ClassId), LockId>,
}

/// Those of one lane.
#[derive(Default)]
struct Table {
    by_hash: Map<u32, Object>,
    forgotten: u64,
}

impl Table {
    fn turn(&mut self, arena: &Arena, (lane, most): (Lane, usize), now: u64) {
        if self.by_hash.len() >= most && now.saturating_sub(self.forgotten) >= KEPT_FOR {
            self.forgotten = now;
            self.by_hash.clear();
            arena.forget_all(lane);
        }
    }
}

impl Objects {
    /// Takes in an object met for the first time.
    pub(super) fn enter(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        ledger: &Ledger,
        (object, hash): (&Ref<'_>, u32),
    ) {
        if self.monitors.by_hash.len() >= MOST {
            return;
        }
        if let Some(known) = look(vm, recording, ledger, object) {
            if known == Object::Ignored {
                ledger.ignore(hash);
            }
            self.monitors.by_hash.insert(hash, known);
        }
    }

    /// The same of what is inside a lock of `java.util.concurrent`, and of conditions.
    pub(super) fn enter_concurrent(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        (object, hash): (&Ref<'_>, u32),
    ) {
        if self.concurrent.by_hash.len() >= MOST_CONCURRENT {
            return;
        }
        if let Some(known) = look_inside(vm, recording, object) {
            self.concurrent.by_hash.insert(hash, known);
        }
    }

    /// Forgets all if there are too many and it was not done just now.
    pub(super) fn turn(&mut self, arena: &Arena, now: u64) {
        self.monitors.turn(arena, (Lane::Locks, MOST), now);
        let concurrent = (Lane::Blockers, MOST_CONCURRENT);
        self.concurrent.turn(arena, concurrent, now);
    }

    /// What a lock is, if it has come.
    pub(super) fn get(&self, lock: u32) -> Option<Object> {
        let hash = &(lock & !CONCURRENT);
        let own = || self.monitors.by_hash.get(hash).copied();
        match lock & CONCURRENT {
            0 => own(),
            _ => self.concurrent.by_hash.get(hash).copied().or_else(own),
        }
    }

    /// Whether a name may come: what no probe has met by now gets none, unless it is one of those that were forgotten.
    pub(super) fn may_be_named(&self, lock: u32) -> bool {
        let forgotten = match lock & CONCURRENT {
            0 => self.monitors.forgotten,
            _ => self.concurrent.forgotten,
        };
        forgotten != 0 || self.get(lock).is_some_and(|known| known != Object::Ignored)
    }

    /// Lock objects told.
    pub(super) fn told(&self) -> usize {
        self.told.len()
    }

    /// The id of an object that is told now; none if there are too many.
    pub(super) fn name(
        &mut self,
        recording: &Recording,
        lock: u32,
        (class, mirrored): (ClassId, Option<ClassId>),
    ) -> Option<LockId> {
        if let Some(&known) = self.told.get(&(lock, class)) {
            return Some(known);
        }
        let object = mirrored.map_or(LockObject::Plain, LockObject::ClassMirror);
        let id = recording.define_lock(|id| LockDef {
            id,
            class,
            object,
            hash: (lock & !CONCURRENT) as i32,
        })?;
        self.told.insert((lock, class), id);
        Some(id)
    }
}

impl Identify for Objects {
    fn lock_of(&self, condition: u32) -> Option<u32> {
        match self.concurrent.by_hash.get(&condition) {
            Some(&Object::Condition(lock)) => Some(lock),
            _ => None,
        }
    }

    fn is_the_programs(&self, synchronizer: u32) -> Option<bool> {
        let known = self.monitors.by_hash.get(&synchronizer)?;
        Some(*known != Object::Ignored)
    }
}

fn look(vm: Vm<'_>, recording: &Recording, ledger: &Ledger, object: &Ref<'_>) -> Option<Object> {
    if !ledger.is_of_interest(vm, recording, object) {
        return Some(Object::Ignored);
    }
    let class = recording.class(vm, &vm.class_of(object)?).ok()?;
    if recording.is_known_safe(vm, object, class) {
        return Some(Object::Ignored);
    }
    let is_mirror = vm.is_instance(object, &recording.roots.class);
    let mirrored = is_mirror
        .then(|| recording.class(vm, object).ok())
        .flatten();
    Some(Object::Of(class, mirrored))
}

fn look_inside(vm: Vm<'_>, recording: &Recording, object: &Ref<'_>) -> Option<Object> {
    let mirror = vm.class_of(object)?;
    let lock = outer_of_condition(vm, object).and_then(|lock| vm.identity_hash(&lock).ok());
    if let Some(lock) = lock {
        return Some(Object::Condition(lock as u32));
    }
    let class = recording.class(vm, &mirror).ok()?;
    Some(Object::Of(class, None))
}

/// The synchronizer that a condition belongs to.
fn outer_of_condition<'vm>(vm: Vm<'vm>, object: &Ref<'vm>) -> Option<Ref<'vm>> {
    let mut above = vm.class_of(object);
    while let Some(class) = above {
        let signature = vm.class_signature(&class).unwrap_or_default();
        let descriptor = match binary_name(&signature).as_str() {
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject" => {
                c"Ljava/util/concurrent/locks/AbstractQueuedSynchronizer;"
            }
            "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject" => {
                c"Ljava/util/concurrent/locks/AbstractQueuedLongSynchronizer;"
            }
            _ => {
                above = vm.superclass(&class);
                continue;
            }
        };
        let outer = vm.field(&class, c"this$0", descriptor)?;
        return vm.object_field(object, outer);
    }
    None
}
