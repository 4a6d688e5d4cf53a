//! A finding judged again, by a second recording that has reads and writes of the code concerned.
//!
//! The two runs are compared by the finding's id, which is that of its locks; locks may be called otherwise where other
//! code was recorded, and then the places count. What the second run shows takes the place of what the first one did, where
//! it shows more; a deadlock that did not come near again is as it was, and so is one that only this run kept apart.

use super::ONE_THREAD;
use super::finding::{Excluded, Finding, Memory, Report, Tier};

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It happened.
    Happened,
    /// It is proved, every read included.
    Proved,
    /// It is proved as far as reads were recorded.
    ProvedAsRecorded,
    /// It stands as it was: neither proved nor excluded.
    Stands,
    /// What one thread read of the other put them in order.
    Ordered,
    /// It cannot happen.
    Excluded,
    /// The second run did not come near it.
    NotSeen,
}

impl Verdict {
    /// As printed, and as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Happened => "happened",
            Self::Proved => "proved",
            Self::ProvedAsRecorded => "proved-as-recorded",
            Self::Stands => "stands",
            Self::Ordered => "ordered",
            Self::Excluded => "excluded",
            Self::NotSeen => "not-seen",
        }
    }

    /// Whether it is to be reckoned with after that.
    #[must_use]
    pub fn stands(self) -> bool {
        !matches!(self, Self::Ordered | Self::Excluded)
    }
}

/// A finding with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    /// As the second run shows it; as the first one did, if that shows nothing of it.
    pub finding: Finding,
    /// Its tier by the first recording.
    pub before: Tier,
    /// What became of it.
    pub verdict: Verdict,
    /// Why, in sentences.
    pub why: Vec<String>,
    /// What the second recording cannot tell, in sentences.
    pub notes: Vec<String>,
}

/// Judges a finding by what a second recording shows.
#[must_use]
pub fn confirm(first: &Finding, second: &Report) -> Confirmed {
    let found = again(first, second);
    let excluded = second.excluded.iter().find(|gone| gone.id == first.id);
    let (verdict, mut why) = match (found, excluded) {
        (Some(again), _) => (verdict(again), again.remarks.clone()),
        (None, Some(gone)) => without(first, gone, second.doubt.as_deref()),
        (None, None) => (Verdict::NotSeen, vec![format!("{NOT_NEAR}: {NOTHING_NEW}")]),
    };
    let doubt = second.doubt.as_ref().filter(|_| verdict == Verdict::Stands);
    if let Some(doubt) = doubt.filter(|doubt| !why.iter().any(|said| said.contains(*doubt))) {
        why.insert(
            0,
            format!("no proof, and no order by what was read: {doubt}"),
        );
    }
    let mut finding = found.unwrap_or(first).clone();
    let mut notes: Vec<String> = Vec::new();
    if verdict == Verdict::Stands && first.tier < finding.tier {
        // What the first run showed is as true as it was.
        finding.tier = first.tier;
        notes.push(format!(
            "its tier is that of the first recording, {}: this one does not show it better",
            first.tier.name()
        ));
    }
    notes.extend(second.notes.iter().chain(&second.stopped_after).cloned());
    Confirmed {
        finding,
        before: first.tier,
        verdict,
        why,
        notes,
    }
}

const NOT_NEAR: &str = "the second run did not come near it";
const NOTHING_NEW: &str = "nothing is known that was not known before";

/// The same finding in another recording: that of its locks, or, where they are called otherwise there, of its places.
fn again<'r>(first: &Finding, second: &'r Report) -> Option<&'r Finding> {
    let of_locks = second.findings.iter().find(|again| again.id == first.id);
    let places = places(first);
    let of_places = || {
        let mut all = second.findings.iter();
        all.find(|again| places.is_some() && self::places(again) == places)
    };
    of_locks.or_else(of_places)
}

/// Where each thread took what it holds and wants the next, if all of that is known.
fn places(finding: &Finding) -> Option<Vec<(&str, &str)>> {
    let known = finding.edges.iter().map(|edge| {
        let (holds, wants) = (edge.holds_at.first()?, edge.wants_at.first()?);
        Some((holds.as_str(), wants.as_str()))
    });
    let mut places: Vec<(&str, &str)> = known.collect::<Option<_>>()?;
    places.sort_unstable();
    (!places.is_empty()).then_some(places)
}

/// What to make of a run in which it could not have happened.
fn without(first: &Finding, gone: &Excluded, doubt: Option<&str>) -> (Verdict, Vec<String>) {
    let reasons = gone.reasons.join("; ");
    let alone = gone.reasons.iter().any(|reason| reason == ONE_THREAD);
    // That the first run had no such gate or order is known, unless it was weakly proved.
    let other_run = gone.of_this_run && first.tier < Tier::T5;
    match doubt {
        _ if alone || other_run => {
            let why = format!("{NOT_NEAR} ({reasons}): {NOTHING_NEW}");
            (Verdict::NotSeen, vec![why])
        }
        Some(doubt) => {
            let why = format!("not excluded by the second run ({reasons}): {doubt}");
            (Verdict::NotSeen, vec![why])
        }
        None => (Verdict::Excluded, gone.reasons.clone()),
    }
}

fn verdict(again: &Finding) -> Verdict {
    match (again.tier, again.memory) {
        (Tier::T0, _) => Verdict::Happened,
        (Tier::T1, _) => Verdict::Proved,
        (_, Memory::Permits) => Verdict::ProvedAsRecorded,
        (_, Memory::Orders) => Verdict::Ordered,
        (_, Memory::Unjudged) => Verdict::Stands,
    }
}

#[cfg(test)]
mod tests;
