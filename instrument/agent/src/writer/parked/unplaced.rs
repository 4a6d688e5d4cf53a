//! Where those stand of whose locks no call chain was taken, when the recording ends.
//!
//! To JDK 15 the JVM stops as a whole for a chain, so few are taken; on a busy machine, where a stop takes long, hardly any. But one
//! stop is enough for many threads: who is parked still at the end shows of what place all the time at that lock was.

use super::{Sampler, tell};
use crate::vm::Ref;
use crate::writer::output::Output;
use locklens_trace::LockId;
use std::collections::BTreeMap;

/// Threads that are looked at, …
const MOST: usize = 128;
/// … of each lock.
const OF_LOCK: usize = 2;

/// A chain that was taken of a stay, which is told by the thread's tid and when it began.
pub(super) struct Late {
    tid: u64,
    began: u64,
    lock: LockId,
    stack: u32,
}

impl Sampler<'_> {
    /// Takes them, after the last look but one: it is the last one that shows whether they are still the same stays.
    pub(super) fn take_late_chains(&mut self) -> Vec<Late> {
        if self.stops.is_none() {
            return Vec::new();
        }
        let (mut late, mut threads): (Vec<Late>, Vec<Ref<'_>>) = (Vec::new(), Vec::new());
        let mut of_lock: BTreeMap<LockId, usize> = BTreeMap::new();
        for thread in self.vm.all_threads().unwrap_or_default() {
            let tid = self.recording.tid_of(self.vm, &thread);
            let stay = self.stays.get(&tid).filter(|stay| stay.pass == self.pass);
            let Some((lock, began)) = stay.map(|stay| (stay.lock(), stay.began)) else {
                continue;
            };
            let taken = of_lock.entry(lock).or_default();
            if self.blockers.chains(lock) == 0 && *taken < OF_LOCK && late.len() < MOST {
                *taken += 1;
                late.push(Late {
                    tid,
                    began,
                    lock,
                    stack: 0,
                });
                threads.push(thread);
            }
        }
        if !threads.is_empty() {
            let stacks = self.recording.parked_stacks_of(self.vm, &threads, true);
            for (late, stack) in late.iter_mut().zip(stacks) {
                late.stack = stack;
            }
        }
        late
    }

    /// Adds them, after the last look.
    pub(super) fn add_late_chains(&mut self, late: Vec<Late>, output: &mut Output) {
        let pass = self.pass;
        for Late {
            tid,
            began,
            lock,
            stack,
        } in late
        {
            let stay = self.stays.get_mut(&tid);
            let stay = stay.filter(|stay| (stay.pass, stay.began) == (pass, began));
            if let Some(stay) = stay.filter(|stay| stay.lock() == lock) {
                tell(output, stay.set_chain(stay.last(), stack));
            }
        }
    }
}
