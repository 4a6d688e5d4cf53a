//! The last minute of a recording under way, as a recording of its own.
//!
//! It begins where its oldest event is: that is its time zero, and threads that were blocked or waiting then are told as those of
//! any recording are that stood still when it began. Memory grows with definitions and threads; of events there is a most.

use crate::collect::FastHash;
use locklens_trace::record::{End, EndReason, Owner, target_key};
use locklens_trace::{Event, EventKind, Nanos, Record, ThreadId};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// How long it goes back.
pub const LENGTH: Nanos = Nanos(60_000_000_000);
/// Records that are kept at most.
const MOST: usize = 400_000;

/// What a thread did when the oldest of the records that are kept was told.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// It was blocked or waiting since then.
    standing: Option<Event>,
    ended: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Recent {
    facts: BTreeMap<String, String>,
    /// By kind and id.
    definitions: BTreeMap<(u8, u64), Record>,
    before: HashMap<ThreadId, Before, FastHash>,
    recent: VecDeque<Record>,
    last: Nanos,
}

impl Recent {
    /// Takes in the next record.
    pub fn push(&mut self, record: Record) {
        match (&record, definition(&record)) {
            (_, Some(key)) => drop(self.definitions.insert(key, record)),
            (Record::Target(facts), None) => self.facts.extend(facts.iter().cloned()),
            (
                Record::Event(_)
                | Record::Parked(_)
                | Record::Park(_)
                | Record::Tick(_)
                | Record::Lost(_),
                None,
            ) => {
                self.last = self.last.max(time(&record));
                self.recent.push_back(record);
                self.forget();
            }
            _ => {}
        }
    }

    /// A trace of it, as records in their order; none if nothing has happened.
    #[must_use]
    pub fn snapshot(&self) -> Option<Vec<Record>> {
        let begin = time(self.recent.front()?);
        let mut records = vec![Record::Target(self.facts_at(begin))];
        let definitions = self.definitions.values().cloned();
        records.extend(definitions.map(|definition| self.as_of(definition)));
        records.extend(self.standing());
        records.extend(self.recent.iter().map(|record| moved(record, begin)));
        records.push(Record::End(End {
            at: Nanos(self.last.since(begin).0),
            reason: EndReason::Stopped,
        }));
        Some(records)
    }

    /// What is too old, or too much.
    fn forget(&mut self) {
        let oldest = Nanos(self.last.0.saturating_sub(LENGTH.0));
        while let Some(first) = self.recent.front() {
            if time(first) >= oldest && self.recent.len() <= MOST {
                return;
            }
            if let Some(Record::Event(event)) = self.recent.pop_front() {
                let before = self.before.entry(event.thread).or_default();
                let stands = matches!(event.kind, EventKind::Enter | EventKind::Wait { .. });
                before.standing = stands.then_some(event);
                before.ended = event.kind == EventKind::ThreadEnd;
            }
        }
    }

    fn facts_at(&self, begin: Nanos) -> Vec<(String, String)> {
        let mut facts = self.facts.clone();
        if let Some(started) = facts.get_mut(target_key::STARTED_UNIX_NS)
            && let Ok(at) = started.parse::<u64>()
        {
            *started = at.saturating_add(begin.0).to_string();
        }
        facts.into_iter().collect()
    }

    /// Threads of before were there when it began.
    fn as_of(&self, definition: Record) -> Record {
        match definition {
            Record::Thread(mut def) => {
                def.at_start |= self.before.contains_key(&def.id);
                Record::Thread(def)
            }
            other => other,
        }
    }

    /// What stood still or had ended when it began, told as of its beginning.
    fn standing(&self) -> Vec<Record> {
        let mut threads: Vec<_> = self.before.iter().collect();
        threads.sort_unstable_by_key(|(thread, _)| **thread);
        let told = threads.into_iter().filter_map(|(&thread, before)| {
            let ended = || Event {
                at: Nanos(0),
                thread,
                kind: EventKind::ThreadEnd,
                lock: None,
                stack: None,
                owner: Owner::Unknown,
                seq: None,
            };
            let standing = before.standing.map(|event| Event {
                at: Nanos(0),
                seq: None,
                ..event
            });
            standing.or_else(|| before.ended.then(ended))
        });
        told.map(Record::Event).collect()
    }
}

/// Kind and id of a definition.
fn definition(record: &Record) -> Option<(u8, u64)> {
    let (kind, id) = match record {
        Record::Loader(def) => (0, def.id.0),
        Record::Class(def) => (1, def.id.0),
        Record::Method(def) => (2, def.id.0),
        Record::Code(code) => (3, code.method.0),
        Record::Stack(def) => (4, def.id.0),
        Record::Lock(def) => (5, def.id.0),
        Record::Fields(def) => (6, def.lock.0),
        Record::Thread(def) => (7, def.id.0),
        Record::Sync(def) => (8, def.lock.0),
        _ => return None,
    };
    Some((kind, id.into()))
}

/// When what a record tells was over.
fn time(record: &Record) -> Nanos {
    match record {
        Record::Event(event) => event.at,
        Record::Parked(parked) => parked.to,
        Record::Park(park) => park.to,
        Record::Tick(tick) => tick.at,
        Record::Lost(lost) => lost.to,
        _ => Nanos(0),
    }
}

/// The same in a recording that begins then.
fn moved(record: &Record, begin: Nanos) -> Record {
    let moved = |at: Nanos| Nanos(at.0.saturating_sub(begin.0));
    let mut record = record.clone();
    match &mut record {
        Record::Event(event) => event.at = moved(event.at),
        Record::Parked(parked) => {
            (parked.from, parked.to) = (moved(parked.from), moved(parked.to));
            parked.time = parked.time.min(parked.to);
        }
        Record::Park(park) => {
            (park.from, park.to) = (moved(park.from), moved(park.to));
            park.unpark
                .iter_mut()
                .for_each(|unpark| unpark.at = moved(unpark.at));
        }
        Record::Tick(tick) => tick.at = moved(tick.at),
        Record::Lost(lost) => (lost.from, lost.to) = (moved(lost.from), moved(lost.to)),
        _ => {}
    }
    record
}
