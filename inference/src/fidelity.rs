//! How true is the facsimile? An exact recording holds both what a JVM reports of itself and what probes
//! saw; what the facsimile makes of the first is held against the second.
//!
//! 1. `view`: the records a watching recording of the same run would have had.
//! 2. `steps`: what happened, and what the facsimile says, as steps of threads.
//! 3. `tally`: steps that are the same one, and what their times are worth.
//! 4. `agreement`: what the locks are called, by either.
//!
//! **When are an inferred and an observed step the same?** If they are of one kind, lock object and thread, and lie
//! between the same two events that the JVM reported of that thread and lock. Of several the one within the
//! bounds counts; the first release, the last acquisition, for these are what such an event proves. Bounds are no
//! condition: whether they hold is counted.
//!
//! **What can watching know?** What happened in a *shown* stay: one in which the thread blocked or waited, or was
//! seen by somebody who blocked. Of notifies, besides, those that ended a wait. All else leaves no trace.
//!
//! Of each lock object the longest stretch counts in which the exact record knows its state throughout.

mod agreement;
mod chains;
mod steps;
mod tally;
mod view;

use crate::analysis::{Analysis, Sequences, sequences_of};
use crate::catalog::Catalog;
use crate::collect::{Collected, Collector};
use crate::facsimile::Completed;
use crate::model::Options;
use crate::visit::Mark;
pub use agreement::{Agreement, Difference};
pub use chains::Chains;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, Record};
use std::collections::{BTreeMap, BTreeSet};
pub use steps::Kind;
pub use tally::Tally;
pub use view::{Watched, watched};

/// What the facsimile is worth, on one trace or several.
#[derive(Clone, Debug, Default)]
pub struct Fidelity {
    /// Traces.
    pub traces: u64,
    /// Lock objects whose steps were compared.
    pub objects: u64,
    /// Events of theirs that the JVM reports.
    pub reported: u64,
    /// Events that the facsimile inserted among them, of all levels.
    pub inserted: u64,
    /// Where the call chains of waits come from.
    pub chains: Chains,
    /// By kind of step.
    pub kinds: BTreeMap<Kind, Tally>,
    /// What the locks are called.
    pub agreement: Agreement,
}

/// Why a trace tells nothing of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It only watches.
    Watched,
    /// It has no times, and nothing of what the JVM reports.
    Clockless,
}

impl Fidelity {
    /// Of the records of one trace.
    ///
    /// # Errors
    /// If it holds only one of the two.
    pub fn of(records: &[Record], options: &Options) -> Result<Self, Unfit> {
        let exact = all(records, options);
        if !exact.recording.exact {
            return Err(Unfit::Watched);
        }
        if exact.recording.clockless {
            return Err(Unfit::Clockless);
        }
        let view = watched(records, &exact.catalog);
        let told = report(records, options);
        let locks = probed(&exact, &told);
        let mut fidelity = Self {
            traces: 1,
            chains: view.chains,
            agreement: Agreement::of(&told, &report(&view.records, options)),
            ..Self::default()
        };
        let (happened, _) = sequences_of(&exact, &locks, options);
        let watched = all(&view.records, options);
        let (completed, _) = sequences_of(&watched, &locks, options);
        let since = exact.target.get(target_key::EXACT_SINCE);
        let since = Nanos(since.and_then(|at| at.parse().ok()).unwrap_or(0));
        for (lock, happened) in &happened {
            let completed = completed.get(lock).into_iter().flatten();
            let completed: Vec<_> = completed.flat_map(|(_, done)| done).collect();
            fidelity.compare(happened, &completed, since);
        }
        Ok(fidelity)
    }

    fn compare(&mut self, happened: &Sequences, completed: &[&Completed], since: Nanos) {
        let truth = steps::happened(happened, since);
        let Some(span) = truth.span else { return };
        let done = || completed.iter().copied();
        let said = steps::inferred(completed);
        self.objects += 1;
        let of = |mark| done().filter(move |step| step.mark == mark && step.thread.is_some());
        self.reported += of(Mark::Observed).count() as u64;
        self.inserted += of(Mark::Inferred).count() as u64;
        tally::compare(&truth.steps, &said, span, &mut self.kinds);
    }

    /// With those of another.
    pub fn add(&mut self, other: &Self) {
        self.traces += other.traces;
        self.objects += other.objects;
        self.reported += other.reported;
        self.inserted += other.inserted;
        self.chains.add(&other.chains);
        for (&kind, tally) in &other.kinds {
            self.kinds.entry(kind).or_default().add(tally);
        }
        self.agreement.add(&other.agreement);
    }
}

/// Every event of every lock.
fn all(records: &[Record], options: &Options) -> Collected {
    collected(Collector::of_piece(*options, Catalog::default()), records)
}

/// As a report has it.
fn report(records: &[Record], options: &Options) -> Analysis {
    Analysis::of(&collected(Collector::new(*options), records), options)
}

fn collected(mut collector: Collector, records: &[Record]) -> Collected {
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    collector.finish()
}

/// The objects of the locks in the report of which probes told.
fn probed(exact: &Collected, told: &Analysis) -> BTreeSet<LockId> {
    let shown: BTreeSet<_> = told.objects.iter().flatten().collect();
    let probed = exact.locks.iter().filter(|log| log.probed);
    probed
        .map(|log| log.lock)
        .filter(|lock| shown.contains(lock))
        .collect()
}

#[cfg(test)]
mod tests;
