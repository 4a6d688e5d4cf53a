//! What is looked for among callers, and what was found so far.

use super::{Callers, Handed};
use crate::region::subject::Subject;
use locklens_trace::record::MethodDef;
use std::collections::BTreeSet;

/// Callers of one method that are told apart, …
pub(super) const CALLERS: usize = 256;
/// … and calls looked at for that.
const CALLS: usize = 4096;

/// What is wanted of the callers of a method.
#[derive(Clone)]
pub(super) struct Wanted {
    /// What it locks.
    pub(super) what: Vec<Subject>,
    /// Which of them within which.
    pub(super) nested: BTreeSet<(usize, usize)>,
}

impl Wanted {
    /// All of them, each within those before it.
    pub(super) fn in_order(what: Vec<Subject>) -> Self {
        let all = 0..what.len();
        let nested = all.flat_map(|outer| (outer + 1..what.len()).map(move |inner| (outer, inner)));
        Self {
            nested: nested.collect(),
            what,
        }
    }

    pub(super) fn with(&self, what: Vec<Subject>) -> Self {
        Self {
            what,
            nested: self.nested.clone(),
        }
    }

    pub(super) fn has_param(&self) -> bool {
        self.what.iter().any(is_param)
    }
}

pub(super) fn is_param(subject: &Subject) -> bool {
    matches!(subject, Subject::Param(_))
}

/// One search: what was found, and what is still to be looked at.
#[derive(Default)]
pub(super) struct Search<'c> {
    pub(super) found: Callers,
    /// What stands between a lock and who hands it in, with how many such there are behind it.
    pub(super) between: Vec<(&'c MethodDef, Wanted, usize)>,
    /// Who hands in fields of his own with such of another object.
    pub(super) apart: Vec<Handed>,
    pub(super) left: usize,
    pub(super) depth: usize,
}

impl Search<'_> {
    pub(super) fn new() -> Self {
        Self {
            left: CALLS,
            ..Self::default()
        }
    }

    /// What was found, unless there was too much: which was left out would depend on the recording.
    pub(super) fn taken(&mut self) -> Callers {
        let found = std::mem::take(&mut self.found);
        match self.left == 0 || found.len() >= CALLERS {
            true => Callers::new(),
            false => found,
        }
    }
}
