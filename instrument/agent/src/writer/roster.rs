//! Thread names, read again: the JVM does not say when a thread is renamed.

use super::describe::Describer;
use super::output::Output;
use crate::recording::Recording;
use crate::vm::Vm;
use locklens_trace::ThreadId;
use std::collections::HashMap;

impl Describer {
    /// Compares the name of every live platform thread we know with the one last said.
    pub(super) fn read_names(&mut self, vm: Vm<'_>, recording: &Recording, output: &mut Output) {
        let by_tid: HashMap<u64, ThreadId> = self
            .threads
            .iter()
            .map(|(&id, def)| (def.tid, id))
            .collect();
        for thread in vm.all_threads().unwrap_or_default() {
            let tid = vm.long_field(&thread, recording.roots.tid) as u64;
            if let Some(&id) = by_tid.get(&tid) {
                let name = recording.roots.name_of(vm, &thread);
                self.rename(id, name, output);
            }
        }
    }
}
