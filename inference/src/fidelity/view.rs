//! The watched view: the records that a recording which only watches would have had of the same run.
//!
//! An exact recording tells once what both the JVM and a probe saw, and tells it as the probe saw it. The view undoes that: what
//! only probes see is left out, an acquisition that blocked loses its site, the return of a wait that had to block
//! is the JVM's ENTERED, and a wait gets back the call chain that the JVM had taken of it (`chains`). Owner peeks
//! and the chains of blocked entries are the JVM's as they stand. What the view lacks against a real one: the
//! locks that were not chosen, and numbers of events on their lock (times were read while it was held: they order them).

use super::chains::{Callers, Chains};
use crate::catalog::Catalog;
use locklens_trace::record::target_key;
use locklens_trace::{Event, EventKind, LockId, Record, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The watched view of an exact recording.
#[derive(Debug)]
pub struct Watched {
    /// Its records.
    pub records: Vec<Record>,
    /// Where the call chains of its waits come from.
    pub chains: Chains,
}

/// Makes the watched view of a recording with these definitions.
#[must_use]
pub fn watched(records: &[Record], catalog: &Catalog) -> Watched {
    let mut view = View {
        sight: Sight::default(),
        callers: Callers::of(catalog, records),
        inside: BTreeMap::new(),
    };
    let records = records.iter().filter_map(|record| view.record(record));
    Watched {
        records: records.collect(),
        chains: view.callers.chains,
    }
}

/// Which events of an exact recording a JVM reports, too.
#[derive(Debug, Default)]
pub(super) struct Sight {
    blocked: BTreeSet<(ThreadId, LockId)>,
}

impl Sight {
    /// As what it reports this one.
    pub(super) fn told(&mut self, event: &Event) -> Option<EventKind> {
        let Some(lock) = event.lock else {
            return Some(event.kind);
        };
        let key = (event.thread, lock);
        let blocked = self.blocked.remove(&key);
        match event.kind {
            EventKind::Enter => {
                self.blocked.insert(key);
                Some(event.kind)
            }
            EventKind::Entered => (blocked || event.stack.is_none()).then_some(event.kind),
            // The JVM's word for it was left out for the probe's.
            EventKind::Resumed | EventKind::Interrupted => blocked.then_some(EventKind::Entered),
            EventKind::Exit | EventKind::Notify | EventKind::NotifyAll => None,
            kind => Some(kind),
        }
    }
}

struct View<'a> {
    sight: Sight,
    callers: Callers<'a>,
    /// Sites of the levels each thread is inside, outermost first.
    inside: BTreeMap<(ThreadId, LockId), Vec<StackId>>,
}

impl View<'_> {
    fn record(&mut self, record: &Record) -> Option<Record> {
        match record {
            Record::Event(event) => self.event(event).map(Record::Event),
            Record::Target(facts) => {
                let watched = facts.iter().filter(|(key, _)| !is_of_probes(key));
                Some(Record::Target(watched.cloned().collect()))
            }
            Record::Park(_) | Record::Operation(_) | Record::Access(_) | Record::Kin(_) => None,
            other => Some(other.clone()),
        }
    }

    fn event(&mut self, event: &Event) -> Option<Event> {
        let told = self.sight.told(event);
        self.follow(event);
        let kind = told?;
        let stack = match (kind, event.lock, event.stack) {
            (EventKind::Entered, ..) => None,
            (EventKind::Wait { .. }, Some(lock), Some(site)) => {
                let levels = self.inside.get(&(event.thread, lock));
                let levels = levels.map_or(&[][..], Vec::as_slice);
                self.callers.of_wait(event.thread, site, levels)
            }
            (_, _, stack) => stack,
        };
        Some(Event {
            kind,
            stack,
            ..*event
        })
    }

    fn follow(&mut self, event: &Event) {
        let Some(lock) = event.lock else { return };
        let inside = self.inside.entry((event.thread, lock)).or_default();
        match (event.kind, event.stack) {
            (EventKind::Entered, Some(site)) => inside.push(site),
            // Nothing is held by who blocks, unless it comes back from a wait, of which the sites are known already.
            (EventKind::Entered, None) => inside.clear(),
            (EventKind::Exit, _) => drop(inside.pop()),
            _ => {}
        }
    }
}

/// What a recording says of itself only if there are probes.
fn is_of_probes(key: &str) -> bool {
    let of_probes = [target_key::EXACT, target_key::PARKS, target_key::VM_PROBES];
    of_probes.iter().any(|of| {
        let rest = key.strip_prefix(of);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
