//! The result: every lock of either recording, with what it has in both.

use super::Side;
use crate::pressure::model::Known;
use crate::types::LockType;
use std::cmp::Ordering;

/// Two recordings held against each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Differences first, the largest one first; then the others, what threads were blocked on longest first.
    pub locks: Vec<LockDiff>,
    /// Classes of `java.util.concurrent` of which locks are new and gone that may be the same: no place is known of some.
    pub unclear: Vec<String>,
}

/// By what a lock of one recording is known to be one of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SameBy {
    /// Their name.
    #[default]
    Name,
    /// They have another name, and are locked by the same code.
    Regions,
    /// They are what is left of their class in either, and of the one no place is known.
    Class,
}

impl SameBy {
    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Regions => "regions",
            Self::Class => "class",
        }
    }
}

/// A logical lock of either recording.
#[derive(Clone, Debug, PartialEq)]
pub struct LockDiff {
    /// What it is in the first; none: it is not in it.
    pub a: Option<OfLock>,
    /// And in the second.
    pub b: Option<OfLock>,
    /// By what the two are known to be one lock.
    pub same_by: SameBy,
    /// Time threads were blocked by it, ns a second.
    pub blocked: Figure,
    /// Share of the running time that it took, 0 to 1.
    pub pressure: Figure,
}

/// What one recording says of a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct OfLock {
    /// Its number in the report.
    pub id: u32,
    /// Its name there.
    pub name: String,
    /// Its types with their confidence, best first.
    pub types: Vec<(LockType, f64)>,
    /// What its times are worth; none: nobody was held up.
    pub known: Option<Known>,
    /// Times somebody was held up.
    pub stays: u64,
}

/// One figure of a lock in both recordings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// In the first.
    pub a: Estimate,
    /// In the second.
    pub b: Estimate,
    /// How much more it is in the second.
    pub difference: Estimate,
    /// How likely chance alone makes a difference as large, for this figure alone.
    pub p: f64,
    /// The same, corrected for how many figures were looked at.
    pub adjusted: f64,
    /// What may be said of it.
    pub verdict: Verdict,
}

/// A figure with the interval that has the true one in 95 cases of 100.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// What was measured.
    pub value: f64,
    /// The lower end; none: not known.
    pub low: Option<f64>,
    /// The upper end; none: not known.
    pub high: Option<f64>,
}

/// What may be said of the second recording beside the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is more.
    More,
    /// It is less.
    Less,
    /// More of one figure and less of another.
    Both,
    /// Chance may explain all there is.
    NotShown,
}

/// In which recordings a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In both.
    Both,
    /// In the second only.
    New,
    /// In the first only.
    Gone,
}

impl Verdict {
    /// As programs and people are told.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Both => "more and less",
            Self::NotShown => "no difference shown",
        }
    }
}

impl Status {
    /// As programs and people are told.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }
}

impl OfLock {
    pub(super) fn of(side: Side<'_>, at: Option<usize>) -> Option<Self> {
        let lock = side.model.locks.get(at?)?;
        let course = side.courses.locks.get(&lock.id);
        let types = lock.types.iter();
        Some(Self {
            id: lock.id,
            name: lock.name.clone(),
            types: types.map(|one| (one.lock_type, one.confidence)).collect(),
            known: course.map(|course| course.known),
            stays: course.map_or(0, |course| course.stays),
        })
    }
}

impl LockDiff {
    /// In which recordings it is.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.a, &self.b) {
            (Some(_), Some(_)) => Status::Both,
            (None, _) => Status::New,
            (_, None) => Status::Gone,
        }
    }

    /// Its name in the later recording that has it.
    #[must_use]
    pub fn name(&self) -> &str {
        let lock = self.b.as_ref().or(self.a.as_ref());
        lock.map_or("", |lock| &lock.name)
    }

    /// What may be said of it all in all.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.blocked.verdict, self.pressure.verdict) {
            (Verdict::NotShown, only) | (only, Verdict::NotShown) => only,
            (one, other) if one == other => one,
            _ => Verdict::Both,
        }
    }

    /// Both recordings say what it is, and not the same.
    #[must_use]
    pub fn is_of_other_type(&self) -> bool {
        let known = |lock: &Option<OfLock>| {
            let types = lock.iter().flat_map(|lock| &lock.types);
            let mut types: Vec<LockType> = types.map(|&(kind, _)| kind).collect();
            types.retain(|&kind| kind != LockType::Unknown);
            types.sort_unstable();
            types
        };
        let (a, b) = (known(&self.a), known(&self.b));
        !a.is_empty() && !b.is_empty() && a != b
    }

    /// Differences before others, and then what weighs more.
    pub(super) fn by_weight(&self, other: &Self) -> Ordering {
        let differs = |lock: &Self| lock.verdict() != Verdict::NotShown;
        let weight = |lock: &Self| match differs(lock) {
            true => lock.blocked.difference.value.abs(),
            false => lock.blocked.a.value.max(lock.blocked.b.value),
        };
        let names = |lock: &Self| {
            let name = |of: &Option<OfLock>| of.as_ref().map(|of| of.name.clone());
            let (a, b) = (name(&lock.a), name(&lock.b));
            (a.clone().max(b.clone()), a.min(b))
        };
        differs(other)
            .cmp(&differs(self))
            .then(weight(other).total_cmp(&weight(self)))
            .then_with(|| names(self).cmp(&names(other)))
    }
}
