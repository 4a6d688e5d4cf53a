//! Who takes something else than what he waits for: neither a lock nor a semaphore, however the numbers go.
//!
//! Of an array or table of flags or counts he looks at the entries of others and changes his own (philosophers on one
//! monitor, kinds that keep each other out). Or he brings a mode that he compares with the one that there is, and leaves
//! his own: who has the same is let in. A sandbox that calls all operations with the same arguments sees none of it.

use super::super::profile::{Test, Var};
use super::super::step::End;
use super::case::Case;
use crate::region::RegionId;
use crate::types::{Evidence, Hypothesis, LockType};
use std::collections::BTreeMap;

/// What a reading loses: more than a sandbox can give it.
const UNLIKE: f64 = 15.0;

/// Regions whose callers wait for one thing and take another, and how that is seen.
pub(in super::super) type Unlike = BTreeMap<RegionId, Way>;

/// How what is waited for and what is taken differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Way {
    Entries,
    Mode,
}

impl Way {
    /// The owner of a lock may be a mode as well, if nobody else brings the same.
    fn excludes(self, lock_type: LockType) -> bool {
        match lock_type {
            LockType::Semaphore => true,
            LockType::Lock => self == Self::Entries,
            _ => false,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Entries => "who waits looks at the entries of others, and changes his own",
            Self::Mode => "who waits brings a mode: who has that one already is let in",
        }
    }
}

pub(super) fn find(case: &Case<'_>) -> Unlike {
    let seen = |&id: &RegionId| match () {
        () if case.profile(id).behaviour.crosses => Some((id, Way::Entries)),
        () if brings_a_mode(case, id) => Some((id, Way::Mode)),
        () => None,
    };
    case.profiles.keys().filter_map(seen).collect()
}

/// A region waits while something differs from what its caller gives, and sets it to that when it goes on.
fn brings_a_mode(case: &Case<'_>, id: RegionId) -> bool {
    let profile = case.profile(id);
    let differs = |test: &Test| match test {
        Test::IsNot(bound) | Test::Is(bound) => bound.terms.iter().any(|t| case.is_callers(t.0)),
        Test::Same(other, _) => case.is_callers(*other),
        _ => false,
    };
    let compared = profile.blocks.iter().filter(|c| differs(&c.test));
    let places = compared.flat_map(|c| match &c.var {
        Var::Count(terms) if terms.len() == 1 => vec![terms[0].0],
        Var::Present(place) => vec![*place],
        Var::Count(_) => Vec::new(),
    });
    let mut places = places.filter(|&place| !case.is_callers(place));
    places.any(|place| {
        let mut passes = profile.passes.iter();
        passes.any(|step| {
            let left = step.updates.get(&place);
            matches!(step.end, End::Leaves(_)) && left.is_some_and(|&value| case.is_callers(value))
        })
    })
}

/// Locks and semaphores lose, be it that they were read or that a sandbox found them.
pub(in super::super) fn tell(unlike: &Unlike, readings: &mut [(Hypothesis, Evidence)]) {
    for (hypothesis, evidence) in readings {
        let waiting = hypothesis.waiting();
        let mut ways = waiting.iter().filter_map(|r| unlike.get(r));
        if let Some(way) = ways.find(|way| way.excludes(hypothesis.lock_type)) {
            evidence.log_odds -= UNLIKE;
            evidence.contradicted += 1;
            evidence.borne_out = false;
            evidence.refuted = true;
            evidence.contra.push(way.text().to_owned());
        }
    }
}
