//! A finding judged again, by a second recording that has reads and writes of the code concerned.
//!
//! The two runs are compared by the finding's id, which is that of its locks. What the second run shows takes the
//! place of what the first one did; a deadlock that did not come near again is as it was.

use super::finding::{Finding, Memory, Report, Tier};

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
    let found = second.findings.iter().find(|again| again.id == first.id);
    let excluded = second.excluded.iter().find(|gone| gone.id == first.id);
    let (verdict, why) = match (found, excluded) {
        (Some(again), _) => (verdict(again), again.remarks.clone()),
        (None, Some(gone)) => (Verdict::Excluded, gone.reasons.clone()),
        (None, None) => (
            Verdict::NotSeen,
            vec![
                "the second run did not come near it: nothing is known that was not known before"
                    .to_owned(),
            ],
        ),
    };
    Confirmed {
        finding: found.unwrap_or(first).clone(),
        before: first.tier,
        verdict,
        why,
        notes: second
            .notes
            .iter()
            .chain(&second.stopped_after)
            .cloned()
            .collect(),
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
