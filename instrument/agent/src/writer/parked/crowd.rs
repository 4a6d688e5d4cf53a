//! What the program's threads do at each look, in numbers: for somebody who watches.

use crate::recording::Recording;
use crate::vm::{Ref, ThreadStatus, Vm};
use locklens_trace::Record;
use locklens_trace::crowd::{Crowd, is_service};
use locklens_trace::record::target_key;
use std::collections::HashMap;

/// See the module.
pub(super) struct Counter {
    status: ThreadStatus,
    /// By Java tid, whether it is one of the JVM's own, and the last look that found it.
    known: HashMap<u64, (bool, u64)>,
    pass: u64,
    now: Crowd,
    told: Option<Crowd>,
}

impl Counter {
    pub(super) fn new(status: ThreadStatus) -> Self {
        Self {
            status,
            known: HashMap::new(),
            pass: 0,
            now: Crowd::default(),
            told: None,
        }
    }

    pub(super) fn begin_look(&mut self) {
        self.pass += 1;
        self.now = Crowd::default();
    }

    /// Counts a thread of the program's.
    pub(super) fn count(&mut self, vm: Vm<'_>, recording: &Recording, thread: &Ref<'_>) {
        let Some(state) = vm.status(thread, self.status) else {
            return;
        };
        let tid = recording.tid_of(vm, thread);
        let known = self.known.entry(tid).or_insert_with(|| {
            let info = vm.thread_info(thread).ok();
            let ours = |(name, _, group): (String, bool, Option<String>)| {
                is_service(&name, group.as_deref().unwrap_or(""))
            };
            (info.is_some_and(ours), 0)
        });
        known.1 = self.pass;
        if !known.0 {
            self.now.add(state);
        }
    }

    /// What there is to tell of this look; nothing if it found what the one before did.
    pub(super) fn end_look(&mut self) -> Option<Record> {
        let pass = self.pass;
        self.known.retain(|_, (_, last)| *last == pass);
        let told = self.told.replace(self.now);
        let pair = (target_key::THREADS_NOW.to_owned(), self.now.to_string());
        (told != Some(self.now)).then(|| Record::Target(vec![pair]))
    }
}
