//! Thread names, read again: the JVM does not say when a thread is renamed.

use super::describe::Describer;
use super::output::Output;
use crate::owner::Peek;
use crate::recording::Recording;
use crate::structures::Memory;
use crate::vm::Vm;
use locklens_trace::ThreadId;
use std::collections::{HashMap, HashSet};

impl Describer {
    /// Finds out where the threads are that were there before us.
    pub(super) fn place_threads(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        peek: &Peek,
        memory: &Memory,
    ) {
        let known = self.by_tid();
        for thread in vm.all_threads().unwrap_or_default() {
            let address = recording.address_of(vm, &thread);
            if address == 0 || recording.roots.is_carrier(vm, &thread) {
                continue;
            }
            let place = peek.place_of(memory, address);
            // Still there after its memory was read: so that was its memory.
            let there = recording.address_of(vm, &thread) == address;
            let id = known.get(&recording.tid_of(vm, &thread));
            if let (true, Some(&id)) = (there, id) {
                self.owners.learn_place(id, place);
                self.owners.start(id);
            }
        }
    }

    /// The threads described so far, by tid.
    pub(super) fn by_tid(&self) -> HashMap<u64, ThreadId> {
        let threads = self.threads.iter();
        threads.map(|(&id, def)| (def.tid, id)).collect()
    }

    /// Compares the name of every live platform thread we know with the one last said. Whose end was lost is found missing.
    pub(super) fn read_names(&mut self, vm: Vm<'_>, recording: &Recording, output: &mut Output) {
        let known = self.by_tid();
        let Ok(threads) = vm.all_threads() else {
            return;
        };
        let mut alive = HashSet::new();
        for thread in threads {
            let tid = recording.tid_of(vm, &thread);
            if let Some(&id) = known.get(&tid) {
                alive.insert(id);
                let name = recording.roots.name_of(vm, &thread);
                self.rename(id, name, output);
            }
        }
        if self.owners.take_lost() {
            self.owners.bury(&alive);
        }
    }
}
