//! In which manners a lock is tried: as its code says, and where that leaves it open, supposing
//! more and more.

use super::bench::Bench;
use super::machine::{self, Bias, Machine, Manner};
use super::verdict::{Trials, try_out};
use super::work;
use crate::region::RegionId;
use crate::statics::StaticModel;
use crate::types::LockType;
use locklens_trace::ClassId;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What is tried further, the manner that supposes least first.
const FURTHER: [Manner; 8] = [
    manner(None, true, false),
    manner(None, false, true),
    manner(Some(Bias::Zero), false, false),
    manner(Some(Bias::One), false, false),
    manner(Some(Bias::Mixed), false, false),
    manner(Some(Bias::Zero), true, false),
    manner(Some(Bias::One), true, false),
    manner(Some(Bias::Zero), false, true),
];

/// Where somebody may give up a lock may be lost with him, or be had by two: that is a fault, or a lease, and says nothing of what it is.
pub(crate) const PATIENTLY: Manner = Manner {
    patient: true,
    ..manner(None, false, false)
};

/// Instructions after which no further manner is tried.
const MOST: u64 = 4_000_000;

const fn manner(guess: Option<Bias>, polls: bool, inner: bool) -> Manner {
    Manner {
        guess,
        polls,
        inner,
        patient: false,
    }
}

/// The fresh locks of one logical lock, made as they are needed.
pub(crate) struct Stock<'a> {
    model: &'a StaticModel,
    regions: BTreeSet<RegionId>,
    classes: Vec<ClassId>,
    plain: Vec<Machine<'a>>,
    /// Those where somebody is at work with what he took.
    at_work: OnceCell<Vec<Machine<'a>>>,
    /// Those that have been started.
    started: OnceCell<Vec<Machine<'a>>>,
    further: [OnceCell<Vec<Machine<'a>>>; FURTHER.len()],
    /// Those where nobody's time runs out.
    patient: OnceCell<Vec<Machine<'a>>>,
}

impl<'a> Stock<'a> {
    /// Fresh locks with these regions and lock classes.
    pub(crate) fn new(
        model: &'a StaticModel,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> Self {
        Self {
            model,
            regions: regions.clone(),
            classes: classes.to_vec(),
            plain: machine::benches(model, regions, classes),
            at_work: OnceCell::new(),
            started: OnceCell::new(),
            further: Default::default(),
            patient: OnceCell::new(),
        }
    }

    /// The trials of it, in further manners until nothing of it is left open. What was found with a
    /// guess is tried with the others, too: what differs then rests on the guess.
    pub(crate) fn trials(&self) -> Trials<'_, Machine<'a>> {
        let mut trials = try_out(&self.plain);
        let signalling = self.model.signalling(&self.regions);
        for (used, make, how) in [
            (
                &self.at_work,
                work::at_work as fn(&Machine<'a>) -> Option<Machine<'a>>,
                "who comes when nobody is at work any more is let go",
            ),
            (&self.started, work::started, "once it has been started"),
        ] {
            if !trials.knows(LockType::ProducerConsumer) {
                let make = || self.plain.iter().filter_map(make).collect();
                trials.in_use(used.get_or_init(make), how);
            }
        }
        let mut guessed = None;
        let mut spent = 0;
        for (manner, benches) in FURTHER.iter().zip(&self.further) {
            let open = trials.leaves_open(&signalling);
            let alike = guessed == Some((manner.polls, manner.inner));
            if spent > MOST || !open && (!alike || manner.guess.is_none()) {
                continue;
            }
            if self.may_help(*manner, &trials) {
                let make =
                    || machine::benches_in(*manner, self.model, &self.regions, &self.classes);
                spent += trials.go_on(benches.get_or_init(make));
            }
            if open && !trials.leaves_open(&signalling) {
                guessed = manner.guess.map(|_| (manner.polls, manner.inner));
            }
        }
        let runs_out = || machine::waits_with_limit(self.model, &self.regions);
        if trials.leaves_open(&signalling) && spent <= MOST && runs_out() {
            let make = || machine::benches_in(PATIENTLY, self.model, &self.regions, &self.classes);
            trials.leased(self.patient.get_or_init(make));
        }
        trials
    }

    fn may_help(&self, manner: Manner, trials: &Trials<'_, Machine<'a>>) -> bool {
        let stuck = || {
            let left_out = |m: &Machine<'_>| !m.left_out().is_empty();
            trials.got_stuck() || self.plain.iter().any(left_out)
        };
        let nested = || {
            let operations = self.plain.iter().flat_map(|m| m.operations());
            operations.into_iter().any(|o| o.regions.len() > 1)
        };
        let timed = || machine::waits_with_limit(self.model, &self.regions);
        (manner.guess.is_none() || stuck())
            && (!manner.polls || timed())
            && (!manner.inner || nested())
    }
}
