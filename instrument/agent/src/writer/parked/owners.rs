//! What those do who own what others are parked on, when the recording ends.

use super::blockers::{Blockers, Owning};
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use crate::writer::look::{LAST, OWNERS};
use crate::writer::sight::Chains;
use locklens_trace::{LockId, ThreadId};
use std::time::Instant;

/// A synchronizer with its owner.
pub(super) struct Owned<'vm> {
    pub(super) lock: LockId,
    pub(super) blocker: Ref<'vm>,
    pub(super) owner: Owning<'vm>,
}

/// See the module.
#[derive(Default)]
pub(in crate::writer) struct LastOwners {
    /// Owners with the call chain of each.
    pub(in crate::writer) chains: Vec<(ThreadId, u32)>,
    /// Owners that had ended: nobody lets go of what they took.
    pub(in crate::writer) ended: Vec<ThreadId>,
}

impl LastOwners {
    /// Asks the owners, as many as there is time for. One that is no longer the owner afterwards is not told.
    pub(super) fn of<'vm>(
        vm: Vm<'vm>,
        recording: &Recording,
        blockers: &Blockers<'vm>,
        owned: Vec<Owned<'vm>>,
    ) -> Self {
        let mut last = Self::default();
        let mut chains = Chains::new(vm, recording);
        let until = Instant::now() + LAST;
        for held in owned {
            if Instant::now() >= until {
                break;
            }
            let Owning { thread, reference } = &held.owner;
            let still = || blockers.is_owned_by(&held.blocker, held.lock, reference);
            if last.knows(*thread) {
                continue;
            }
            if vm.has_ended(reference) {
                last.ended.extend(still().then_some(*thread));
                continue;
            }
            // What the JVM says of a carrier may be meant for the virtual thread on it.
            if last.chains.len() >= OWNERS || recording.roots.is_carrier(vm, reference) {
                continue;
            }
            let chain = chains.take(|recording| recording.parked_stack_of(vm, reference));
            if chain != 0 && still() {
                last.chains.push((*thread, chain));
            }
        }
        last
    }

    fn knows(&self, thread: ThreadId) -> bool {
        self.ended.contains(&thread) || self.chains.iter().any(|(known, _)| *known == thread)
    }
}
