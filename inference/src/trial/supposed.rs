//! Numbers that a caller says: how many may be inside, how many meet.
//!
//! Where nobody is known to call an operation with a number, or not always with the same, the sandbox supposes one, and
//! what it then counts may be its own. Called with a higher one the lock has more room, if so; that number is nothing to tell.
//! One that is lower then is a matter of weights: there each call takes several.

use super::bench::Bench;
use super::conclude::{self, Conclusion};
use super::conform::Finding;
use super::lab::{Budget, Lab};
use super::probe::{Allowed, Probes};
use super::search::search;
use crate::types::{Detail, LockType};

/// What may be spent on trying it otherwise.
const OTHERWISE: Budget = Budget {
    calls: 6_000,
    cost: 600_000,
};

/// What a finding says, less the numbers that are the sandbox's own; none if something else is meant by what looks like it.
pub(super) fn conclude<B: Bench>(lab: &Lab<'_, B>, finding: Finding) -> Option<Conclusion> {
    let mut conclusion = conclude::conclude(lab, finding)?;
    let is_count = |detail: &Detail| matches!(detail, Detail::Count(_));
    let varies = |n: u64| lab.bench().varies(n);
    if conclusion.details.values().any(is_count)
        && let Some(other) = lab.bench().otherwise(&conclusion.finding.operations())
        && let Some(again) = again(&other, &conclusion)
    {
        let grows =
            |key: &str, n: u64| matches!(again.details.get(key), Some(Detail::Count(m)) if *m > n);
        // What form it has by such a number, it has not.
        let form = |key: &str, form: &Detail| again.details.get(key) == Some(form);
        disown(&mut conclusion, (grows, form), "how many, its callers say");
    }
    let without =
        |_: &str, form: &Detail| !matches!(form, Detail::Word(word) if word == "rendezvous");
    disown(
        &mut conclusion,
        (|_: &str, n| varies(n), without),
        "how many differs from object to object",
    );
    Some(conclusion)
}

/// The same roles, played by the same operations.
fn again<B: Bench>(bench: &B, conclusion: &Conclusion) -> Option<Conclusion> {
    let probes = Probes::new(Lab::new(bench, OTHERWISE));
    let cast = conclusion.finding.cast.iter();
    let cast = cast.map(|(&role, members)| (role, members.iter().map(|m| m.operation).collect()));
    let lock_type = conclusion.finding.machine.lock_type();
    let found = search(&probes, lock_type, &Allowed::Only(cast.collect())).found;
    let mut meant = found
        .into_iter()
        .filter_map(|f| conclude::conclude(&probes.lab, f));
    meant.next()
}

/// Takes out the numbers that are none of the lock's, and words that say no more without them.
fn disown(
    conclusion: &mut Conclusion,
    (is_other, keeps): (impl Fn(&str, u64) -> bool, impl Fn(&str, &Detail) -> bool),
    why: &str,
) {
    let before = conclusion.details.len();
    conclusion.details.retain(|key, detail| match detail {
        Detail::Count(n) => !is_other(key, *n),
        _ => true,
    });
    if conclusion.details.len() == before {
        return;
    }
    conclusion.details.retain(|key, detail| match detail {
        Detail::Word(_) => keeps(key, detail),
        _ => true,
    });
    conclusion.what = match conclusion.finding.machine.lock_type() {
        LockType::Barrier => "a barrier",
        LockType::Semaphore => "a semaphore",
        LockType::Latch => "a latch",
        _ => "a bounded queue",
    }
    .to_owned();
    conclusion.notes.push(why.to_owned());
}
