//! Every type is recognised with its roles and parameters, whatever the order and company of its
//! operations; what is broken is not.

mod budget;
mod counting;
mod guessing;
mod meeting;
mod properties;
mod rooms;
mod sharing;
mod weighing;
mod working;

use super::bench::Bench;
use super::fake::{Fake, Subject};
use super::verdict::{Opinion, try_out};
use crate::region::RegionId;
use crate::types::{Detail, Evidence, Hypothesis, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// What a subject is found to be.
fn found<S: Subject>(subject: S) -> Vec<(Hypothesis, Evidence)> {
    try_out(&[Fake::new(subject, 1)]).confirmed().to_vec()
}

/// The types it is found to be, best first.
fn types<S: Subject>(subject: S) -> Vec<LockType> {
    found(subject).iter().map(|f| f.0.lock_type).collect()
}

/// The names of a role's operations, in the subject's order.
fn names<S: Subject>(subject: &S, hypothesis: &Hypothesis, role: Role) -> Vec<&'static str> {
    let all = subject.names();
    let regions = hypothesis.roles.get(&role).into_iter().flatten();
    regions.map(|r| all[r.index()]).collect()
}

fn count(n: u64) -> Option<Detail> {
    Some(Detail::Count(n))
}

fn flag(so: bool) -> Option<Detail> {
    Some(Detail::Flag(so))
}

fn word(word: &str) -> Option<Detail> {
    Some(Detail::Word(word.to_owned()))
}

fn detail(hypothesis: &Hypothesis, key: &str) -> Option<Detail> {
    hypothesis.details.get(key).cloned()
}

/// What is said of a subject when somebody believes that it is this.
fn asked<S: Subject>(subject: S, lock_type: LockType, roles: &[(Role, &str)]) -> Opinion {
    let all = subject.names();
    let mut cast: BTreeMap<Role, BTreeSet<RegionId>> = BTreeMap::new();
    for (role, name) in roles {
        let region = all.iter().position(|n| n == name).unwrap_or(all.len());
        cast.entry(*role)
            .or_default()
            .insert(RegionId(region as u32));
    }
    let hypothesis = Hypothesis {
        lock_type,
        roles: cast,
        details: BTreeMap::new(),
    };
    let bench = Fake::new(subject, 0);
    assert!(!bench.operations().is_empty());
    try_out(&[bench]).examine(&hypothesis)
}
