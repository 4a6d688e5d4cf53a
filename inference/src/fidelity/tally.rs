//! Steps that are the same one, counted.

use super::steps::{Kind, Span, Step};
use crate::model::Times;
use crate::times::Lengths;
use locklens_trace::{Nanos, ThreadId};
use std::collections::BTreeMap;

/// The probe's word for an acquisition comes when the thread, which has the monitor, runs on: that much later,
/// nanoseconds. Somebody who blocks may have met it inside before.
const SLACK: u64 = 10_000;

/// What the facsimile's steps of one kind are worth.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Steps that happened.
    pub observed: u64,
    /// Of these: watching can know them.
    pub knowable: u64,
    /// Steps the facsimile says happened.
    pub inferred: u64,
    /// Of these: they did.
    pub right: u64,
    /// Of those that are right: watching can know them.
    pub right_knowable: u64,
    /// Of those that are right: `notify` was not taken for `notifyAll`, nor the other way round.
    pub right_call: u64,
    /// Of those that are right: it happened within the bounds, an acquisition up to 10 µs later.
    pub within: u64,
    /// Inferred steps that nobody can judge, since they may have happened where the exact record has a gap.
    pub unjudged: u64,
    error: Lengths,
    width: Lengths,
}

impl Tally {
    /// Share of the inferred steps that happened.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.inferred)
    }

    /// Share of the steps that happened that were inferred.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        share(self.right, self.observed)
    }

    /// The same of those that watching can know.
    #[must_use]
    pub fn recall_of_knowable(&self) -> Option<f64> {
        share(self.right_knowable, self.knowable)
    }

    /// Share of the right ones that happened within their bounds.
    #[must_use]
    pub fn share_within(&self) -> Option<f64> {
        share(self.within, self.right)
    }

    /// How far a right step was from the time it stands at: the later bound.
    #[must_use]
    pub fn error(&self) -> Times {
        self.error.times()
    }

    /// How far apart its bounds are.
    #[must_use]
    pub fn width(&self) -> Times {
        self.width.times()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.observed += other.observed;
        self.knowable += other.knowable;
        self.inferred += other.inferred;
        self.right += other.right;
        self.right_knowable += other.right_knowable;
        self.right_call += other.right_call;
        self.within += other.within;
        self.unjudged += other.unjudged;
        self.error.merge(&other.error);
        self.width.merge(&other.width);
    }

    fn pair(&mut self, happened: &Step, said: &Step) {
        self.right += 1;
        self.right_knowable += u64::from(is_knowable(happened));
        self.right_call += u64::from(happened.all == said.all);
        self.within += u64::from(is_within(happened, said));
        let error = said.to.0.abs_diff(happened.to.0);
        self.error.add(Nanos(error));
        self.width.add(said.to.since(said.from));
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn is_knowable(step: &Step) -> bool {
    step.shown && (step.kind != Kind::Notify || step.ends_wait)
}

fn is_within(happened: &Step, said: &Step) -> bool {
    let slack = match happened.kind {
        Kind::Entered | Kind::Resumed => SLACK,
        Kind::Exit | Kind::Notify => 0,
    };
    said.from <= happened.to && happened.to.0.saturating_sub(slack) <= said.to.0
}

/// Steps between the same two events of a thread: those that happened, and those that are said to have.
type Stretches<'a> = BTreeMap<(Kind, ThreadId, u32), [Vec<&'a Step>; 2]>;

/// Holds steps of one lock object against each other, within a time.
pub(super) fn compare(
    happened: &[Step],
    said: &[Step],
    (begin, end): Span,
    kinds: &mut BTreeMap<Kind, Tally>,
) {
    let mut stretches = Stretches::new();
    for (side, steps) in [happened, said].into_iter().enumerate() {
        for step in steps {
            if (begin..=end).contains(&step.to) {
                let stretch = (step.kind, step.thread, step.after);
                stretches.entry(stretch).or_default()[side].push(step);
            }
        }
    }
    for ((kind, ..), [mut happened, mut said]) in stretches {
        if kind == Kind::Entered {
            happened.reverse();
            said.reverse();
        }
        let tally = kinds.entry(kind).or_default();
        tally.observed += happened.len() as u64;
        tally.knowable += happened.iter().filter(|s| is_knowable(s)).count() as u64;
        for said in said {
            let within = happened.iter().position(|h| is_within(h, said));
            let found = within.or((!happened.is_empty()).then_some(0));
            match found {
                Some(at) => tally.pair(happened.remove(at), said),
                None if said.from < begin => {
                    tally.unjudged += 1;
                    continue;
                }
                None => {}
            }
            tally.inferred += 1;
        }
    }
}
