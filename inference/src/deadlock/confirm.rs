//! A finding judged again, by a second recording that has reads and writes of the code concerned.
//!
//! No run proves that a deadlock cannot happen. So what the second run shows is added to what the first one did, and takes
//! nothing from it: a tier may get better, never worse. That the run kept its threads apart, by a gate, an order, or what
//! they read, is said of that run alone.
//!
//! The two are compared by the finding's id, which is that of its locks. Locks may be called otherwise where other code was
//! recorded: then a finding of the same kind, over as many locks of the same sorts, at the same places is the same one.

use super::ONE_THREAD;
use super::finding::{Excluded, Finding, Memory, Report, Tier};
use super::weakness::MAY_HAVE_KEPT;
use std::collections::BTreeSet;

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It happened.
    Happened,
    /// It is proved as far as reads were recorded.
    ProvedAsRecorded,
    /// It stands as it was.
    Stands,
    /// What one thread read of the other may have kept the order in that run.
    OrderedInThisRun,
    /// In that run its threads were kept apart.
    ExcludedInThisRun,
    /// The second run did not come near it.
    NotSeen,
}

impl Verdict {
    /// As printed, and as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Happened => "happened",
            Self::ProvedAsRecorded => "proved-as-recorded",
            Self::Stands => "stands",
            Self::OrderedInThisRun => "ordered-in-this-run",
            Self::ExcludedInThisRun => "excluded-in-this-run",
            Self::NotSeen => "not-seen",
        }
    }
}

/// A finding with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    /// As the run shows it that shows it better; the second one, if both show it as well.
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
    let seen = again(first, second);
    let (verdict, mut why) = match &seen {
        Ok(again) => (verdict(again), again.remarks.clone()),
        Err(gone) => (gone.verdict, vec![gone.why.clone()]),
    };
    if let Some(worse) = seen.as_ref().ok().filter(|again| again.tier > first.tier) {
        why.push(format!(
            "its tier is that of the first recording: this one shows it as {} only",
            worse.tier.name()
        ));
    }
    let doubt = second.doubt.as_ref();
    if let Some(doubt) = doubt.filter(|doubt| !why.iter().any(|said| said.contains(*doubt))) {
        why.push(format!(
            "this recording proves nothing by what was read: {doubt}"
        ));
    }
    let as_good = |again: &&Finding| again.tier <= first.tier && !is_no_better(first, again);
    let seen = seen.ok();
    let better = seen.filter(as_good);
    if let Some(again) = seen.filter(|again| is_no_better(first, again)) {
        why.push(format!(
            "its tier is that of the first recording: that this one shows it as {} speaks for nothing better, since there, too, something put its threads in order",
            again.tier.name()
        ));
    }
    let notes = second.notes.iter().chain(&second.stopped_after);
    Confirmed {
        finding: better.unwrap_or(first).clone(),
        before: first.tier,
        verdict,
        why,
        notes: notes.cloned().collect(),
    }
}

const NOT_NEAR: &str = "the second run did not come near it";
const NOTHING_NEW: &str = "nothing is known that was not known before";

/// A finding that is none of the second run.
struct Gone {
    verdict: Verdict,
    why: String,
}

impl Gone {
    fn unseen(why: &str) -> Self {
        Self {
            verdict: Verdict::NotSeen,
            why: format!("{NOT_NEAR}: {why}; {NOTHING_NEW}"),
        }
    }

    /// In that run it could not have happened.
    fn excluded(gone: &Excluded) -> Self {
        let reasons = gone.reasons.join("; ");
        match gone.reasons.iter().any(|reason| reason == ONE_THREAD) {
            true => Self::unseen(&reasons),
            false => Self {
                verdict: Verdict::ExcludedInThisRun,
                why: format!("in this run: {reasons}; another run may come without it"),
            },
        }
    }
}

/// One run has something that orders its threads, and so does the other, though by something else: neither says that they can meet.
fn is_no_better(first: &Finding, again: &Finding) -> bool {
    let mut remarks = again.remarks.iter();
    let read = remarks.any(|said| said.contains(MAY_HAVE_KEPT));
    let ordered = again.memory == Memory::Orders || again.memory == Memory::Unjudged && read;
    first.tier == Tier::T5 && again.tier < first.tier && ordered
}

/// The same finding in another recording, or why there is none.
fn again<'r>(first: &Finding, second: &'r Report) -> Result<&'r Finding, Gone> {
    let mut all = second.findings.iter();
    if let Some(same) = all.find(|again| again.id == first.id) {
        return Ok(same);
    }
    let named = first.named();
    let is_it = |gone: &&Excluded| gone.id == first.id || gone.id == named;
    match second.excluded.iter().find(is_it) {
        Some(gone) => Err(Gone::excluded(gone)),
        None => at_its_places(first, second).map_err(Gone::unseen),
    }
}

/// The finding of locks that are called otherwise, if there is one only that can be meant.
fn at_its_places<'r>(first: &Finding, second: &'r Report) -> Result<&'r Finding, &'static str> {
    let places = places(first).ok_or("no deadlock of these locks was seen")?;
    let is_there = |again: &&Finding| {
        self::places(again).is_some_and(|there| {
            let meets = |one: &BTreeSet<_>, all: &[BTreeSet<_>]| {
                all.iter().any(|other| !one.is_disjoint(other))
            };
            places.len() == there.len()
                && places.iter().all(|one| meets(one, &there))
                && there.iter().all(|one| meets(one, &places))
        })
    };
    let there: Vec<&Finding> = second.findings.iter().filter(is_there).collect();
    let mut equal = there.iter().filter(|again| sorts(again) == sorts(first));
    match (equal.next(), equal.next(), there.is_empty()) {
        (Some(one), None, _) => Ok(one),
        (Some(_), Some(_), _) => Err("several deadlocks of other locks were seen at its places"),
        (None, _, false) => Err("at its places a deadlock of another kind was seen"),
        (None, _, true) => Err("no deadlock of these locks or at these places was seen"),
    }
}

/// Where each thread can have taken what it holds and want the next, if all of that is known.
fn places(finding: &Finding) -> Option<Vec<BTreeSet<(&str, &str)>>> {
    let known = finding.edges.iter().map(|edge| {
        let also = edge.also_at.iter();
        let also = also.map(|also| (&also.holds_at, &also.wants_at));
        let all = [(&edge.holds_at, &edge.wants_at)].into_iter().chain(also);
        all.map(|(holds, wants)| Some((holds.first()?.as_str(), wants.first()?.as_str())))
            .collect::<Option<BTreeSet<_>>>()
    });
    let places: Vec<BTreeSet<(&str, &str)>> = known.collect::<Option<_>>()?;
    (!places.is_empty()).then_some(places)
}

/// The kind of a finding and of what is around it.
fn sorts(finding: &Finding) -> impl PartialEq {
    let around = finding.locks.iter().zip(&finding.edges);
    let mut around: Vec<_> = around
        .map(|(lock, edge)| (lock.what, lock.mode, edge.mode))
        .collect();
    around.sort_unstable();
    (finding.kind, finding.locks.len(), finding.stall, around)
}

fn verdict(again: &Finding) -> Verdict {
    match (again.tier, again.memory) {
        (Tier::T0, _) => Verdict::Happened,
        (_, Memory::Permits) => Verdict::ProvedAsRecorded,
        (_, Memory::Orders) => Verdict::OrderedInThisRun,
        (_, Memory::Unjudged) => Verdict::Stands,
    }
}

#[cfg(test)]
mod tests;
