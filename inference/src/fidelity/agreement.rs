//! What the locks are called: by everything that is known of them, and by what watching shows.

use crate::analysis::Analysis;
use crate::model::{LogicalLock, Verdict};
use std::cmp::Reverse;

/// How far the two reports agree on the locks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Locks in the report of the exact recording; sampled ones don't count.
    pub locks: u64,
    /// Of these: watching shows nothing of them.
    pub unseen: u64,
    /// Of the others: their first type is the same.
    pub same_type: u64,
    /// Its parameters and properties too.
    pub same_details: u64,
    /// Those whose first type differs.
    pub differing: Vec<Difference>,
}

/// A lock that is called something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub lock: String,
    /// Its first type in the exact report.
    pub exact: &'static str,
    /// And in that of the watched view.
    pub watched: &'static str,
}

impl Agreement {
    pub(super) fn of(exact: &Analysis, watched: &Analysis) -> Self {
        let mut agreement = Self::default();
        for (lock, objects) in exact.model.locks.iter().zip(&exact.objects) {
            if lock.sampled.is_some() {
                continue;
            }
            let others = watched.model.locks.iter().zip(&watched.objects);
            let shared = |of: &std::collections::BTreeSet<_>| objects.intersection(of).count();
            let others = others.filter(|(_, of)| shared(of) > 0);
            // Of equals the one that hurts most.
            let same = others.min_by_key(|(_, of)| Reverse(shared(of)));
            agreement.take(lock, same.map(|(lock, _)| lock));
        }
        agreement
    }

    fn take(&mut self, exact: &LogicalLock, watched: Option<&LogicalLock>) {
        self.locks += 1;
        let Some(watched) = watched else {
            self.unseen += 1;
            return;
        };
        let name = |verdict: Option<&Verdict>| verdict.map_or("", |v| v.lock_type.name());
        let (is, seems) = (exact.types.first(), watched.types.first());
        if name(is) != name(seems) {
            self.differing.push(Difference {
                lock: exact.name.clone(),
                exact: name(is),
                watched: name(seems),
            });
            return;
        }
        self.same_type += 1;
        let details = |verdict: Option<&Verdict>| verdict.map(|v| v.details.clone());
        self.same_details += u64::from(details(is) == details(seems));
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.locks += other.locks;
        self.unseen += other.unseen;
        self.same_type += other.same_type;
        self.same_details += other.same_details;
        self.differing.extend_from_slice(&other.differing);
    }
}
