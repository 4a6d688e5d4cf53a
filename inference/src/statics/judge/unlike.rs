//! Who takes something else than what he waits for: neither a lock nor a semaphore, however the numbers go.
//!
//! Of an array or table of flags or counts he looks at the entries of others and changes his own (philosophers on one
//! monitor, kinds that keep each other out). Or he brings a mode that he compares with the one that there is, and leaves
//! his own: who has the same is let in. Nor is it a latch where he takes of what he waits for. A sandbox that calls all operations with the same arguments sees none of it, nor
//! numbers that differ with these arguments.

use super::super::change::Move;
use super::super::profile::{Side, Test, Var};
use super::super::step::{End, From, Step, Timeout};
use super::case::Case;
use super::family::side;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// What a reading loses: more than a sandbox can give it.
const UNLIKE: f64 = 15.0;

/// What the code says of callers that a sandbox does not show.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Unlike {
    /// Regions whose callers wait for one thing and take another, and how that is seen.
    ways: BTreeMap<RegionId, Way>,
    /// Types whose numbers no call shows, with the regions that wait and what is known nevertheless.
    uncounted: Vec<(LockType, BTreeSet<RegionId>, Details)>,
    /// Regions of writers who claim the lock before they wait for readers. In a sandbox, in which those who woke go on in the order in
    /// which they came, that looks fair.
    claims: BTreeSet<RegionId>,
}

/// How what is waited for and what is taken differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Way {
    Entries,
    Mode,
    Taking,
    InVain,
}

impl Way {
    /// The owner of a lock may be a mode as well, if nobody else brings the same.
    fn excludes(self, lock_type: LockType) -> bool {
        match lock_type {
            LockType::Latch => matches!(self, Self::Taking | Self::InVain),
            LockType::Semaphore => self != Self::Taking,
            LockType::Lock => matches!(self, Self::Entries | Self::InVain),
            LockType::ProducerConsumer => self == Self::InVain,
            _ => false,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Entries => "who waits looks at the entries of others, and changes his own",
            Self::Mode => "who waits brings a mode: who has that one already is let in",
            Self::Taking => "who goes on takes of what he waited for",
            Self::InVain => {
                "who has waited in vain goes on all the same, and sets back what he waited for"
            }
        }
    }
}

pub(super) fn find(case: &Case<'_>, found: &[Finding]) -> Unlike {
    let seen = |&id: &RegionId| match () {
        () if case.profile(id).behaviour.crosses => Some((id, Way::Entries)),
        () if brings_a_mode(case, id) => Some((id, Way::Mode)),
        () if goes_on_in_vain(case, id) => Some((id, Way::InVain)),
        () if always_takes(case, id) => Some((id, Way::Taking)),
        () => None,
    };
    let uncounted = found.iter().filter(|f| f.uncounted);
    let waits = |id: &RegionId| !case.blocks(*id).is_empty();
    let uncounted = uncounted.map(|f| {
        let waiting = f.regions().into_iter().filter(waits).collect();
        (f.lock_type, waiting, f.details.clone())
    });
    let claimed = found.iter().filter(|f| f.claimed);
    let writers = claimed.filter_map(|f| f.roles.get(&Role::WriteLock));
    Unlike {
        ways: case.profiles.keys().filter_map(seen).collect(),
        uncounted: uncounted.collect(),
        claims: writers.flatten().copied().collect(),
    }
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

/// Whoever comes back from a wait with a time limit for a flag leaves and sets it back, without a look at it.
fn goes_on_in_vain(case: &Case<'_>, id: RegionId) -> bool {
    let profile = case.profile(id);
    let steps = || profile.behaviour.steps.iter();
    let limited = steps().filter_map(|step| match step.end {
        End::Waits(site, Timeout::Millis(_) | Timeout::Some) => Some(From::Wait(site)),
        _ => None,
    });
    let limited: BTreeSet<From> = limited.collect();
    let vars = case.vars();
    let flags = vars
        .iter()
        .filter(|var| case.is_binary(var) && side(case, profile, var).is_some());
    let mut places = flags.flat_map(|flag| case.places(flag));
    places.any(|place| {
        let blind = |step: &Step| {
            let leaves = matches!(step.end, End::Leaves(_)) && limited.contains(&step.from);
            leaves && step.updates.contains_key(&place) && !step.reads.contains(&place)
        };
        steps().any(blind)
    })
}

/// On every way out of a region a number moves towards what the region waits at.
fn always_takes(case: &Case<'_>, id: RegionId) -> bool {
    let profile = case.profile(id);
    case.vars().iter().any(|var| {
        let closing = match side(case, profile, var) {
            Some(Side::Low) => Move::Down,
            Some(Side::High) => Move::Up,
            None => return false,
        };
        let mut passes = profile.passes.iter();
        let closes = |step: &Step| {
            let change = case.change(step, var);
            change.is_some_and(|c| case.see.direction(step, var, &c) == closing)
        };
        matches!(var, Var::Count(_)) && !case.is_binary(var) && passes.all(|step| closes(step))
    })
}

/// What nobody has read may be what steps suggest: permits that who has waited in vain takes all the same.
fn permits_in_vain(
    unlike: &Unlike,
    readings: &[(Hypothesis, Evidence)],
) -> Option<(Hypothesis, Evidence)> {
    let vain = unlike.ways.iter().filter(|(_, way)| **way == Way::InVain);
    let vain: BTreeSet<RegionId> = vain.map(|(&region, _)| region).collect();
    let read = |(h, _): &(Hypothesis, Evidence)| {
        h.lock_type == LockType::Semaphore && !h.waiting().is_disjoint(&vain)
    };
    let unread = !vain.is_empty() && !readings.iter().any(read);
    unread.then(|| {
        let permits = Hypothesis {
            lock_type: LockType::Semaphore,
            roles: BTreeMap::from([(Role::Acquire, vain)]),
            details: Details::new(),
        };
        (permits, Evidence::default())
    })
}

/// Locks, semaphores and latches lose, be it that they were read or that a sandbox found them; and numbers go that no sandbox shows.
pub(in super::super) fn tell(unlike: &Unlike, readings: &mut Vec<(Hypothesis, Evidence)>) {
    readings.extend(permits_in_vain(unlike, readings));
    for (hypothesis, evidence) in readings {
        let waiting = hypothesis.waiting();
        let mut ways = waiting.iter().filter_map(|r| unlike.ways.get(r));
        if let Some(way) = ways.find(|way| way.excludes(hypothesis.lock_type)) {
            evidence.log_odds -= UNLIKE;
            evidence.contradicted += 1;
            evidence.borne_out = false;
            evidence.refuted = true;
            evidence.contra.push(way.text().to_owned());
        }
        let same = |(of, regions, _): &&(LockType, BTreeSet<RegionId>, Details)| {
            *of == hypothesis.lock_type && !regions.is_disjoint(&waiting)
        };
        if let Some((.., read)) = unlike.uncounted.iter().find(same) {
            let details = &mut hypothesis.details;
            details.retain(|_, detail| !matches!(detail, Detail::Count(_)));
            details.extend(read.clone());
        }
        let writers = hypothesis.roles.get(&Role::WriteLock);
        let claims = writers.is_some_and(|of| of.is_subset(&unlike.claims));
        if claims && hypothesis.details.get("preference") == Some(&Detail::Word("fair".to_owned()))
        {
            let writers = Detail::Word("writers".to_owned());
            hypothesis.details.insert("preference", writers);
        }
    }
}
