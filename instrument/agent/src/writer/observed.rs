//! What the VM's own probes tell: whose event it is, of which lock, and what of it goes into the trace.
//!
//! A probe knows a thread by what monitors call their owners and a lock by its object's identity hash. Both are found
//! among what the JVM's events have shown: whoever is notified has begun to wait before, so its lock has an id. An event
//! of a lock or a thread that is not known is counted and left out, and so is what two locks of one hash have done.

use super::Writer;
use super::owners::Owners;
use crate::entry::Jvm;
use crate::recording::Recording;
use crate::ring::RawEvent;
use crate::structures::Claims;
use crate::vmprobes::VmProbes;
use locklens_trace::record::{LockDef, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::HashMap;

/// See the module.
#[derive(Default)]
pub(super) struct Observed {
    wanted: bool,
    /// None for a hash that two locks share.
    by_hash: HashMap<u32, Option<LockId>>,
    /// Who is blocked or waiting, on which lock, and since when.
    away: HashMap<ThreadId, (LockId, Nanos)>,
    /// Up to here events are missing: who went away before that may have come back.
    lost: Nanos,
    /// Why not, if they were asked for and declined.
    declined: Option<String>,
    /// Since when, nanoseconds of the trace.
    since: Option<u64>,
    /// How many times they were switched on.
    switched: u32,
    told: Told,
    untold: Untold,
}

/// Events in the trace.
#[derive(Default)]
struct Told {
    notifies: u64,
    notify_alls: u64,
    exits: u64,
}

/// Events that are not.
#[derive(Default)]
struct Untold {
    of_locks: u64,
    of_threads: u64,
    by_waiting: u64,
}

impl Observed {
    /// Nothing observed yet; nothing ever, unless it is wanted.
    pub(super) fn new(wanted: bool) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    /// A lock has this hash.
    pub(super) fn learn(&mut self, def: &LockDef) {
        if !self.wanted {
            return;
        }
        let lock = self.by_hash.entry(def.hash as u32).or_insert(Some(def.id));
        if *lock != Some(def.id) {
            *lock = None;
        }
    }

    /// Follows what the JVM's events tell.
    pub(super) fn note(&mut self, event: &Event) {
        if !self.wanted {
            return;
        }
        match (event.kind, event.lock) {
            (EventKind::Enter | EventKind::Wait { .. }, Some(lock)) => {
                self.away.insert(event.thread, (lock, event.at));
            }
            (EventKind::Entered | EventKind::Waited { .. } | EventKind::ThreadEnd, _) => {
                self.away.remove(&event.thread);
            }
            _ => {}
        }
    }

    /// Events were missing up to a time.
    pub(super) fn lose(&mut self, to: Nanos) {
        self.lost = self.lost.max(to);
    }

    fn is_away(&self, thread: ThreadId, from: LockId) -> bool {
        let away = self.away.get(&thread);
        away.is_some_and(|&(lock, since)| lock == from && since > self.lost)
    }

    /// The event with its thread and its lock; none if it is not told.
    pub(super) fn identify(
        &mut self,
        event: Event,
        raw: &RawEvent,
        owners: &Owners,
    ) -> Option<Event> {
        let Some(lock) = self.by_hash.get(&raw.lock).copied().flatten() else {
            self.untold.of_locks += 1;
            return None;
        };
        let Some(thread) = owners.of_itself(raw.arg) else {
            self.untold.of_threads += 1;
            return None;
        };
        // `wait` lets go of the monitor, and whoever is suspended while it enters does: the first has been told by the
        // event of waiting, the second never held it.
        if self.is_away(thread, lock) {
            self.untold.by_waiting += 1;
            return None;
        }
        let count = match event.kind {
            EventKind::Notify => &mut self.told.notifies,
            EventKind::NotifyAll => &mut self.told.notify_alls,
            _ => &mut self.told.exits,
        };
        *count += 1;
        Some(Event {
            thread,
            lock: Some(lock),
            ..event
        })
    }

    /// What the trace says of it.
    pub(super) fn report(&self, recording: &Recording, mut add: impl FnMut(&str, String)) {
        if let Some(why) = &self.declined {
            add(target_key::VM_PROBES, why.clone());
        }
        let (Some(since), Some(listener)) = (self.since, recording.listener.get()) else {
            return;
        };
        if self.declined.is_none() {
            add(target_key::VM_PROBES, "on".to_owned());
        }
        if self.switched > 1 {
            add(target_key::VM_PROBES_SWITCHED, self.switched.to_string());
        }
        add(target_key::VM_PROBES_SINCE, since.to_string());
        add(target_key::VM_PROBES_SITES, listener.sites());
        add(
            target_key::VM_PROBES_NOTIFIES,
            self.told.notifies.to_string(),
        );
        add(
            target_key::VM_PROBES_NOTIFY_ALLS,
            self.told.notify_alls.to_string(),
        );
        add(target_key::VM_PROBES_EXITS, self.told.exits.to_string());
        for (key, count) in [
            (target_key::VM_PROBES_WRONG, listener.wrong_sites() as u64),
            (
                target_key::VM_PROBES_OTHER_LOCKS,
                self.untold.of_locks + listener.unhashed(),
            ),
            (target_key::VM_PROBES_OTHER_THREADS, self.untold.of_threads),
            (target_key::VM_PROBES_BY_WAITING, self.untold.by_waiting),
        ] {
            if count > 0 {
                add(key, count.to_string());
            }
        }
    }
}

impl Writer<'_> {
    /// Listens to the VM's own probes, or says why not.
    pub(super) fn begin_vm_probes(&mut self, jvm: Jvm, claims: Option<&Claims>) {
        if self.recording.options.vm_probes == 0 {
            return;
        }
        self.listen(jvm, claims);
        self.report_vm_probes();
    }

    /// Switches them off and on again, if that was asked for and not done so often; whether it is to be done again.
    pub(super) fn switch_vm_probes(&mut self, jvm: Jvm, claims: Option<&Claims>) -> bool {
        let again = self.observed.switched < self.recording.options.vm_probes;
        if again && self.vm_probes.is_some() {
            self.end_vm_probes();
            self.listen(jvm, claims);
            let done = self.observed.switched == self.recording.options.vm_probes;
            if done || self.vm_probes.is_none() {
                self.report_vm_probes();
            }
        }
        again && self.vm_probes.is_some()
    }

    fn report_vm_probes(&mut self) {
        let mut pairs = self.target.clone();
        self.observed.report(self.recording, |key, value| {
            pairs.push((key.to_owned(), value))
        });
        self.output.push(&Record::Target(pairs));
    }

    fn listen(&mut self, jvm: Jvm, claims: Option<&Claims>) {
        match VmProbes::begin(self.vm, self.recording, jvm, claims) {
            Ok(probes) => {
                self.observed.switched += 1;
                let since = probes.since.saturating_sub(self.recording.start);
                self.observed.since = Some(since);
                self.vm_probes = Some(probes);
            }
            Err(why) => self.observed.declined = Some(why),
        }
    }

    /// Listens no more.
    pub(super) fn end_vm_probes(&mut self) {
        if let Some(probes) = self.vm_probes.take() {
            match self.recording.is_dying() {
                true => probes.abandon(),
                false => probes.end(self.vm),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owner::Meaning;
    use crate::ring::What;
    use locklens_trace::record::{LockObject, Owner};
    use locklens_trace::{ClassId, StackId};

    fn event(at: u64, kind: EventKind) -> Event {
        Event {
            at: Nanos(at),
            thread: ThreadId(1),
            kind,
            lock: Some(LockId(2)),
            stack: None::<StackId>,
            owner: Owner::Unknown,
            seq: None,
        }
    }

    #[test]
    fn who_went_away_before_events_were_missing_may_be_back() {
        let mut owners = Owners::default();
        owners.mean(Meaning::Tid);
        owners.learn_tid(30, ThreadId(1));
        let mut observed = Observed::new(true);
        observed.learn(&LockDef {
            id: LockId(2),
            class: ClassId(1),
            object: LockObject::Plain,
            hash: 77,
        });
        let raw = RawEvent {
            at: 0,
            what: What::VmNotify,
            thread: 0,
            lock: 77,
            stack: 0,
            seq: 0,
            arg: 30,
        };
        let is_told = |observed: &mut Observed, at| {
            let told = observed.identify(event(at, EventKind::Notify), &raw, &owners);
            told.is_some()
        };
        observed.note(&event(10, EventKind::Wait { timeout: None }));
        assert!(!is_told(&mut observed, 11), "by waiting");
        // Its end was among what is missing.
        observed.lose(Nanos(50));
        assert!(is_told(&mut observed, 60));
        observed.note(&event(70, EventKind::Enter));
        assert!(!is_told(&mut observed, 71));
        observed.note(&event(72, EventKind::Entered));
        assert!(is_told(&mut observed, 73));
    }
}
