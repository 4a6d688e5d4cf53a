//! Of which class the lock objects are that probes have met, by hash.
//!
//! Unlike in a whole recording none of them is tagged, nor defined before it is told: a program that runs for days locks more
//! objects than can be remembered. Where there are too many all are forgotten, and those still in use come again. An object that
//! was told keeps its id.

use super::super::arena::{Arena, Lane};
use super::super::ledger::Ledger;
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use locklens_trace::record::{LockDef, LockObject};
use locklens_trace::{ClassId, LockId};
use std::collections::HashMap;

/// Objects remembered.
const MOST: usize = 57_344;
/// How long they are at least, nanoseconds.
const KEPT_FOR: u64 = 10_000_000_000;

/// What is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// Nobody asked for it.
    Ignored,
    /// Its class, and the class it is the mirror of.
    Of(ClassId, Option<ClassId>),
}

/// See the module.
#[derive(Default)]
pub(super) struct Objects {
    by_hash: HashMap<u32, Object>,
    told: HashMap<(u32, ClassId), LockId>,
    forgotten: u64,
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
        if self.by_hash.len() >= MOST {
            return;
        }
        if let Some(known) = look(vm, recording, ledger, object) {
            if known == Object::Ignored {
                ledger.ignore(hash);
            }
            self.by_hash.insert(hash, known);
        }
    }

    /// Forgets all if there are too many and it was not done just now.
    pub(super) fn turn(&mut self, arena: &Arena, now: u64) {
        if self.by_hash.len() >= MOST && now.saturating_sub(self.forgotten) >= KEPT_FOR {
            self.forgotten = now;
            self.by_hash.clear();
            arena.forget_all(Lane::Locks);
        }
    }

    /// What a hash stands for, if it has come.
    pub(super) fn get(&self, hash: u32) -> Option<Object> {
        self.by_hash.get(&hash).copied()
    }

    /// Whether a name may come: what no probe has met by now gets none, unless it is one of those that were forgotten.
    pub(super) fn may_be_named(&self, hash: u32) -> bool {
        self.forgotten != 0 || self.get(hash).is_some_and(|known| known != Object::Ignored)
    }

    /// Lock objects told.
    pub(super) fn told(&self) -> usize {
        self.told.len()
    }

    /// The id of an object that is told now; none if there are too many.
    pub(super) fn name(
        &mut self,
        recording: &Recording,
        hash: u32,
        (class, mirrored): (ClassId, Option<ClassId>),
    ) -> Option<LockId> {
        if let Some(&known) = self.told.get(&(hash, class)) {
            return Some(known);
        }
        let object = mirrored.map_or(LockObject::Plain, LockObject::ClassMirror);
        let id = recording.define_lock(|id| LockDef {
            id,
            class,
            object,
            hash: hash as i32,
        })?;
        self.told.insert((hash, class), id);
        Some(id)
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
