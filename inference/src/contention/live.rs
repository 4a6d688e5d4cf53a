//! Blame of a recording under way: nothing is kept of it but what has been counted.
//!
//! Who held a lock can be told only by somebody who knows what contention is worth as evidence there, and where threads use
//! it; a file is read twice for that. Here records wait in a *stretch* until there are many, and then it is gone through as a
//! file would be, with what has been learnt of the recording by then: evidence, places, and an analysis of all that was
//! collected. The stretches before are not gone through again: what could not be known then stays unknown. So a recording of
//! one stretch has the same result as a file of it; of a longer one each part is judged by what spoke for it by then.
//!
//! The analysis is made anew at the end of the first, second, fourth, eighth … stretch, since it takes longest; which objects
//! are one lock, and what it is called, is settled by the one at the end. Memory grows with lock objects, call chains, threads and
//! rows, and of rows and lock objects there is a most (`books`).

use super::books::{Books, Most};
use super::census::Census;
use super::{Blame, Blamer, Key, Past, Wish};
use crate::analysis::Analysis;
use crate::collect::Collector;
use crate::model::Options;
use locklens_trace::{LockId, Record};

/// Records of one stretch.
pub const STRETCH: usize = 1 << 18;

/// See the module.
#[derive(Debug)]
pub struct Watcher {
    options: Options,
    wish: Wish,
    most: usize,
    collector: Collector,
    census: Census,
    stretch: Vec<Record>,
    past: Past,
    analysis: Analysis,
    last: LockId,
    /// Stretches gone through, and when the next analysis is due.
    through: u64,
    due: u64,
}

impl Watcher {
    /// One that counts by these keys, and goes through so many records at a time (see [`STRETCH`]).
    #[must_use]
    pub fn new(options: Options, keys: &[Key], wish: Wish, stretch: usize) -> Self {
        Self {
            options,
            wish,
            most: stretch.max(1),
            collector: Collector::new(options),
            census: Census::default(),
            stretch: Vec::new(),
            past: Past {
                books: Books::by_object(keys, Most::default()),
                ..Past::default()
            },
            analysis: Analysis::default(),
            last: LockId(0),
            through: 0,
            due: 1,
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: Record) {
        self.census.see(&record);
        let lock = match &record {
            Record::Event(event) => event.lock,
            Record::Parked(parked) => Some(parked.lock),
            _ => None,
        };
        self.last = lock.map_or(self.last, |lock| lock.max(self.last));
        if !defines(&record) {
            self.stretch.push(record.clone());
        }
        self.collector.push(record);
        if self.stretch.len() >= self.most {
            self.go_through(|_| ());
        }
    }

    /// The last lock object that anything was heard of.
    #[must_use]
    pub fn last_lock(&self) -> LockId {
        self.last
    }

    /// A part could not be read: any event may be missing here.
    pub fn gap(&mut self) {
        self.collector.gap();
    }

    /// What is known by now: all that has been sent is divided, and the locks are analysed anew.
    #[must_use]
    pub fn so_far(&mut self) -> (Blame, &Analysis) {
        self.due = self.through;
        let blame = self.go_through(|blamer| blamer.so_far());
        (blame, &self.analysis)
    }

    /// Ends the recording.
    #[must_use]
    pub fn finish(self) -> (Blame, Analysis) {
        let collected = self.collector.finish();
        let analysis = Analysis::of(&collected, &self.options);
        let findings = self.census.finish();
        let mut blamer = Blamer::going_on(&collected, &analysis, &findings, self.wish, self.past);
        self.stretch.iter().for_each(|record| blamer.push(record));
        (blamer.finish(), analysis)
    }

    /// Goes through the stretch, and has somebody look at what it comes to.
    fn go_through<T>(&mut self, look: impl FnOnce(&mut Blamer<'_>) -> T) -> T {
        let collected = self.collector.as_of_now();
        self.through = self.through.saturating_add(1);
        if self.through >= self.due {
            self.analysis = Analysis::of(&collected, &self.options);
            self.due = self.through.saturating_mul(2);
        }
        let findings = self.census.so_far();
        let past = std::mem::take(&mut self.past);
        let mut blamer = Blamer::going_on(&collected, &self.analysis, &findings, self.wish, past);
        for record in self.stretch.drain(..) {
            blamer.push(&record);
        }
        let seen = look(&mut blamer);
        self.past = blamer.stop();
        seen
    }
}

/// It says what something is, not what happens: those who go through a stretch know it already.
fn defines(record: &Record) -> bool {
    matches!(
        record,
        Record::Target(_)
            | Record::Loader(_)
            | Record::Class(_)
            | Record::Method(_)
            | Record::Code(_)
            | Record::Stack(_)
            | Record::Lock(_)
            | Record::Fields(_)
            | Record::Thread(_)
            | Record::Sync(_)
            | Record::Hidden(_)
    )
}

#[cfg(test)]
mod tests;
