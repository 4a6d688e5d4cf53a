//! The reading end of a queue of objects that probes met for the first time. There is one for each lane.
//!
//! The queue is an array of the probe class, which keeps its objects alive until they are taken out. Their hashes come with
//! them: to ask the JVM for that of an object whose lock somebody holds would inflate its monitor, up to JDK 22 or so.

use super::arena::{Arena, Lane, Vigil};
use crate::vm::{Object, Ref, Vm};
use std::collections::HashSet;
use std::time::Duration;

/// How long a place in the queue may stay reserved and empty.
const PATIENCE: Duration = Duration::from_millis(500);

/// See the module.
pub(super) struct Intake {
    arena: &'static Arena,
    lane: Lane,
    vigil: Vigil,
    /// Places passed by: who comes there late may leave its object beside the hash of another.
    late: HashSet<usize>,
}

impl Intake {
    /// The reading end of a lane's queue, with nothing left in it.
    pub(super) fn new(
        arena: &'static Arena,
        lane: Lane,
        (vm, queue): (Vm<'_>, &impl Object),
    ) -> Self {
        empty(arena, vm, (lane, queue));
        Self {
            arena,
            lane,
            vigil: Vigil::default(),
            late: HashSet::new(),
        }
    }

    /// How many wait, and how many may.
    pub(super) fn filled(&self) -> (u64, u64) {
        let (head, tail) = self.arena.fresh(self.lane);
        (tail.saturating_sub(head), self.lane.fresh())
    }

    /// Takes out what there is now.
    pub(super) fn take<'vm>(
        &mut self,
        vm: Vm<'vm>,
        queue: &impl Object,
        each: impl FnMut(Ref<'vm>, u32),
    ) {
        self.take_some(vm, queue, usize::MAX, each);
    }

    /// Takes out so many of what there is now.
    pub(super) fn take_some<'vm>(
        &mut self,
        vm: Vm<'vm>,
        queue: &impl Object,
        most: usize,
        mut each: impl FnMut(Ref<'vm>, u32),
    ) {
        let (mut at, end) = self.arena.fresh(self.lane);
        let end = end.min(at.saturating_add(most as u64));
        while at < end {
            let place = (at % self.lane.fresh()) as usize;
            let object = vm.element(queue, place);
            match object.zip(self.arena.fresh_hash(self.lane, place)) {
                Some((object, hash)) => {
                    vm.clear_element(queue, place);
                    self.arena.forget_fresh(self.lane, place);
                    let asked = || vm.identity_hash(&object).map_or(hash, |hash| hash as u32);
                    let hash = match self.late.contains(&place) {
                        true => asked(),
                        false => hash,
                    };
                    each(object, hash);
                }
                None if self.vigil.is_in_vain(at, PATIENCE) => drop(self.late.insert(place)),
                None => break,
            }
            at += 1;
        }
        self.arena.took_fresh(self.lane, at);
    }
}

/// Empties a queue without looking at what was in it: it must not keep objects alive.
pub(super) fn empty(arena: &Arena, vm: Vm<'_>, (lane, queue): (Lane, &impl Object)) {
    let (_, end) = arena.fresh(lane);
    for place in 0..lane.fresh() as usize {
        vm.clear_element(queue, place);
        arena.forget_fresh(lane, place);
    }
    arena.took_fresh(lane, end);
}
