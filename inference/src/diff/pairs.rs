//! Which lock of one recording is which lock of the other.
//!
//! By their stable names first, then by the code that locks them: a name has more words where another lock has a claim to
//! the short one, and a number where two can't be told apart, so it may change with what else was seen.

use super::model::SameBy;
use crate::model::LogicalLock;
use crate::stable_name::{Signature, stable_class, stable_method};
use crate::types::LockType;
use std::collections::{BTreeMap, BTreeSet};

/// Locks have at least so much of their code in common if they are the same.
const ENOUGH: f64 = 0.5;

/// A lock of either recording, by its place there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
    pub(super) same_by: SameBy,
}

/// Every lock of both, once.
pub(super) fn pairs(a: &[LogicalLock], b: &[LogicalLock]) -> Vec<Pair> {
    let mut pairs = by_name(a, b);
    let left = |pick: fn(&Pair) -> Option<usize>, all: usize, pairs: &[Pair]| {
        let taken: BTreeSet<usize> = pairs.iter().filter_map(pick).collect();
        (0..all)
            .filter(|at| !taken.contains(at))
            .collect::<Vec<_>>()
    };
    let (left_a, left_b) = (
        left(|pair| pair.a, a.len(), &pairs),
        left(|pair| pair.b, b.len(), &pairs),
    );
    pairs.extend(by_regions((a, &left_a), (b, &left_b)));
    let (left_a, left_b) = (
        left(|pair| pair.a, a.len(), &pairs),
        left(|pair| pair.b, b.len(), &pairs),
    );
    pairs.extend(by_class((a, &left_a), (b, &left_b)));
    let (left_a, left_b) = (
        left(|pair| pair.a, a.len(), &pairs),
        left(|pair| pair.b, b.len(), &pairs),
    );
    pairs.extend(left_a.into_iter().map(|at| Pair {
        a: Some(at),
        ..Pair::default()
    }));
    pairs.extend(left_b.into_iter().map(|at| Pair {
        b: Some(at),
        ..Pair::default()
    }));
    pairs
}

/// Those of one name. A number at its end is no name: such locks must have code in common, too.
fn by_name(a: &[LogicalLock], b: &[LogicalLock]) -> Vec<Pair> {
    let of_b = b.iter().enumerate();
    let of_b: BTreeMap<&str, usize> = of_b.map(|(at, lock)| (lock.name.as_str(), at)).collect();
    let is_numbered = |name: &str| name.ends_with(')') && name.contains(" (");
    let pair = |(at, lock): (usize, &LogicalLock)| {
        let other = *of_b.get(lock.name.as_str())?;
        let same = || signature(lock).overlap(&signature(&b[other])) >= ENOUGH;
        (!is_numbered(&lock.name) || same()).then_some(Pair {
            a: Some(at),
            b: Some(other),
            same_by: SameBy::Name,
        })
    };
    a.iter().enumerate().filter_map(pair).collect()
}

/// Those left that have more code in common with each other than with any other.
fn by_regions(
    (a, left_a): (&[LogicalLock], &[usize]),
    (b, left_b): (&[LogicalLock], &[usize]),
) -> Vec<Pair> {
    let signatures = |all: &[LogicalLock], left: &[usize]| -> Vec<Signature> {
        left.iter().map(|&at| signature(&all[at])).collect()
    };
    let (of_a, of_b) = (signatures(a, left_a), signatures(b, left_b));
    let best_in_b: Vec<_> = of_a.iter().map(|one| best(one, &of_b)).collect();
    let best_in_a: Vec<_> = of_b.iter().map(|one| best(one, &of_a)).collect();
    let each_other = best_in_b.iter().enumerate().filter_map(|(in_a, &in_b)| {
        let in_b = in_b.filter(|&in_b| best_in_a[in_b] == Some(in_a))?;
        Some(Pair {
            a: Some(left_a[in_a]),
            b: Some(left_b[in_b]),
            same_by: SameBy::Regions,
        })
    });
    each_other.collect()
}

/// The only one that has most in common with it. Locks without a region are known by name only: their class may have many.
fn best(one: &Signature, all: &[Signature]) -> Option<usize> {
    let overlap = |other: &Signature| match one.regions.is_empty() || other.regions.is_empty() {
        true => 0.0,
        false => one.overlap(other),
    };
    let overlaps: Vec<f64> = all.iter().map(overlap).collect();
    let most = overlaps.iter().copied().fold(0.0, f64::max);
    let mut like_it = overlaps.iter().enumerate().filter(|(_, is)| **is >= most);
    match (like_it.next(), like_it.next()) {
        (Some((at, _)), None) if most >= ENOUGH => Some(at),
        _ => None,
    }
}

/// Locks that looks found are called by their place, where a call chain was taken, and else by their class. Where one is left of a class and
/// kind in either recording, and no place is known of the one, they are the same.
fn by_class(
    (a, left_a): (&[LogicalLock], &[usize]),
    (b, left_b): (&[LogicalLock], &[usize]),
) -> Vec<Pair> {
    let (of_a, of_b) = (by_kind(a, left_a), by_kind(b, left_b));
    let pair = |(key, in_a): (&ClassAndKind, &Vec<usize>)| {
        let (&[in_a], &[in_b]) = (in_a.as_slice(), of_b.get(key)?.as_slice()) else {
            return None;
        };
        let nowhere = a[in_a].regions.is_empty() || b[in_b].regions.is_empty();
        nowhere.then_some(Pair {
            a: Some(in_a),
            b: Some(in_b),
            same_by: SameBy::Class,
        })
    };
    of_a.iter().filter_map(pair).collect()
}

type ClassAndKind = (Vec<String>, LockType);

/// What looks found of these, by class and kind.
fn by_kind(all: &[LogicalLock], left: &[usize]) -> BTreeMap<ClassAndKind, Vec<usize>> {
    let mut kinds: BTreeMap<ClassAndKind, Vec<usize>> = BTreeMap::new();
    for &at in left {
        let lock = &all[at];
        if let (Some(_), Some(verdict)) = (&lock.sampled, lock.types.first()) {
            let classes = lock.classes.iter().map(|class| stable_class(class));
            let kind = (classes.collect(), verdict.lock_type);
            kinds.entry(kind).or_default().push(at);
        }
    }
    kinds
}

/// Classes of which a lock without a place is left in one recording and others in the other: they may be the same.
pub(super) fn unclear(a: &[LogicalLock], b: &[LogicalLock], pairs: &[Pair]) -> Vec<String> {
    let alone = pairs
        .iter()
        .filter(|pair| pair.a.is_none() || pair.b.is_none());
    let (left_a, left_b): (Vec<_>, Vec<_>) = alone.map(|pair| (pair.a, pair.b)).unzip();
    let flat = |left: Vec<Option<usize>>| left.into_iter().flatten().collect::<Vec<_>>();
    let (of_a, of_b) = (by_kind(a, &flat(left_a)), by_kind(b, &flat(left_b)));
    let nowhere =
        |all: &[LogicalLock], some: &[usize]| some.iter().any(|&at| all[at].regions.is_empty());
    let both = of_a.iter().filter_map(|(key, in_a)| {
        let in_b = of_b.get(key)?;
        (nowhere(a, in_a) || nowhere(b, in_b)).then(|| key.0.join(", "))
    });
    both.collect()
}

/// What it is known by, without what the JVM and the compiler number.
fn signature(lock: &LogicalLock) -> Signature {
    let region = |region: &crate::model::RegionReport| {
        let (class, method) = (stable_class(&region.class), stable_method(&region.method));
        let place = region.ordinal.map_or(String::new(), |n| format!("#{n}"));
        format!("{class}.{method}{}{place}", region.descriptor)
    };
    Signature {
        classes: lock
            .classes
            .iter()
            .map(|class| stable_class(class))
            .collect(),
        regions: lock.regions.iter().map(region).collect(),
    }
}
