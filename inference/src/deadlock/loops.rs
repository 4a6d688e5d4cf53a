//! Threads that want more of what they hold already: readers that want to write, holders of permits that want further
//! ones. Such a cycle has one lock, which each of them holds and wants.

use super::candidates::{Cycle, Node, Obstacle, apart};
use super::follow::Wanted;
use super::permits::{self, Supply, Verdict};
use super::scan::Scan;
use super::step::{Lock, Mode};
use super::table::Dependency;
use super::ways::Only;
use std::collections::{BTreeMap, BTreeSet};

/// Threads of one cycle.
const THREADS: usize = 32;
/// Choices kept of one lock.
const CHOICES: usize = 32;
/// Dependencies of one lock that are looked at.
const LOOKED_AT: usize = 2_000;

/// All of them, lock by lock.
pub(super) fn loops(scan: &Scan) -> Vec<Cycle> {
    let mut by_lock: BTreeMap<Lock, Vec<u32>> = BTreeMap::new();
    for (index, dependency) in (0..).zip(&scan.table.all) {
        if let Wanted::Lock(lock, mode) = dependency.wanted
            && (is_turning(dependency) || mode.permits() > 0 && dependency.hold(lock).is_some())
        {
            let known = by_lock.entry(lock).or_default();
            if known.len() < LOOKED_AT {
                known.push(index);
            }
        }
    }
    let each = by_lock.into_iter();
    each.flat_map(|(lock, mut all)| {
        all.sort_by_key(|&index| scan.table.all[index as usize].gives_up());
        of_lock(scan, lock, &all)
    })
    .collect()
}

fn of_lock(scan: &Scan, lock: Lock, all: &[u32]) -> Vec<Cycle> {
    let mut cycles: BTreeMap<usize, Cycle> = BTreeMap::new();
    for &first in all.iter().take(CHOICES) {
        let (mut threads, found) = match scan.table.all[first as usize].wanted {
            Wanted::Lock(_, Mode::Permit(_)) => of_permits(scan, lock, first, all),
            _ => of_readers(scan, lock, first, all),
        };
        // Who only stands before the others in the line has none of it, and is not on the cycle.
        let has_none = |index: &u32| scan.table.all[*index as usize].hold(lock).is_none();
        threads.sort_by_key(has_none);
        let around = threads.partition_point(|index| !has_none(index));
        let cycle = cycles.entry(around).or_insert_with(|| Cycle {
            nodes: vec![Node::Lock(lock); around],
            choices: Vec::new(),
            helpers: Vec::new(),
            ordered: 0,
            is_cut: false,
            obstacles: BTreeSet::new(),
            only: Only::new(),
        });
        match found {
            None => cycle.choices.push(threads),
            Some(obstacle) => drop(cycle.obstacles.insert(obstacle)),
        }
    }
    cycles.into_values().collect()
}

/// A reader that wants to write: alone where that is never granted, else with another one.
fn of_readers(scan: &Scan, lock: Lock, first: u32, all: &[u32]) -> (Vec<u32>, Option<Obstacle>) {
    let part = |index: u32| &scan.table.all[index as usize];
    if scan.nature(lock).never_turns {
        return (vec![first], None);
    }
    let other = all
        .iter()
        .find(|&&other| apart(part(first), part(other)).is_none());
    match other {
        Some(&other) => (vec![first, other], None),
        None => (vec![first], Some(Obstacle::OneThread)),
    }
}

/// Holders of permits that want more: as many of them as it takes until none is left.
fn of_permits(scan: &Scan, lock: Lock, first: u32, all: &[u32]) -> (Vec<u32>, Option<Obstacle>) {
    let part = |index: u32| &scan.table.all[index as usize];
    let mut threads = vec![first];
    for &more in all {
        let known = scan.nature(lock).permits.is_some_and(|p| p.all.is_some());
        let enough = supply_is_over(scan, &threads, lock) && (known || threads.len() > 1);
        if enough || threads.len() >= THREADS {
            break;
        }
        let goes = |&other: &u32| apart(part(other), part(more)).is_none();
        if threads.iter().all(goes) {
            threads.push(more);
        }
    }
    let obstacle = match permits::completed(scan, &threads) {
        Verdict::Gate(gate) => Some(Obstacle::Gate(gate)),
        Verdict::Enough(lock) => Some(Obstacle::Permits(lock)),
        Verdict::With(more) => {
            threads.extend(more);
            None
        }
    };
    (threads, obstacle)
}

fn supply_is_over(scan: &Scan, threads: &[u32], lock: Lock) -> bool {
    permits::supply(scan, threads, lock) != Supply::Enough
}

/// Whether a dependency is of this kind.
pub(super) fn is_turning(dependency: &Dependency) -> bool {
    match dependency.wanted {
        Wanted::Lock(lock, Mode::Exclusive) => dependency
            .hold(lock)
            .is_some_and(|hold| hold.mode == Mode::Shared),
        _ => false,
    }
}
