//! Cycles of one name that have nothing else in common.
//!
//! The number that javac gives a lambda or an anonymous class is no part of a name, so that a new one does not rename the others. So
//! two cycles of locks that are called after such code may have one name, and one id, and be two deadlocks: other locks, at
//! places that differ in these numbers. How many there are is no part of the id, but told: one more than a baseline has is new.

use super::candidates::{Cycle, Node};
use super::finding::Names;
use super::scan::Scan;
use super::step::Site;
use crate::stable_name::stable_method;
use std::collections::{BTreeMap, BTreeSet};

/// Cycles of which it is asked: of more they are taken for one.
const CYCLES: usize = 256;

/// Cycles of one name.
pub(super) struct Twins<'c> {
    /// In as many parts as have no place in common and differ in numbers alone.
    pub(super) parts: Vec<Vec<&'c Cycle>>,
    /// Methods with numbers at their places.
    pub(super) numbered: u64,
}

/// Parts them.
pub(super) fn twins<'c>(scan: &Scan, names: &dyn Names, cycles: &[&'c Cycle]) -> Twins<'c> {
    let mut known = BTreeMap::new();
    let methods = cycles.iter().map(|cycle| {
        let methods = sites(scan, cycle).into_iter().filter_map(|site| {
            let method = known.entry(site).or_insert_with(|| method(names, site));
            method.clone()
        });
        methods.collect::<BTreeSet<String>>()
    });
    let methods: Vec<BTreeSet<String>> = methods.collect();
    let all: BTreeSet<&String> = methods.iter().flatten().collect();
    let numbered = all
        .iter()
        .filter(|method| without_numbers(method) != ***method);
    Twins {
        numbered: numbered.count() as u64,
        parts: parts(cycles, methods),
    }
}

fn parts<'c>(cycles: &[&'c Cycle], methods: Vec<BTreeSet<String>>) -> Vec<Vec<&'c Cycle>> {
    let mut parts: Vec<(BTreeSet<String>, Vec<&Cycle>)> = Vec::new();
    if !(2..=CYCLES).contains(&cycles.len()) {
        return vec![cycles.to_vec()];
    }
    for (&cycle, mut methods) in cycles.iter().zip(methods) {
        let meets = |(own, _): &(BTreeSet<String>, _)| !own.is_disjoint(&methods);
        let (same, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(meets);
        parts = others;
        let mut all = Vec::new();
        for (own, cycles) in same {
            methods.extend(own);
            all.extend(cycles);
        }
        all.push(cycle);
        parts.push((methods, all));
    }
    // Other methods are other ways to the same deadlock.
    let unnumbered = |methods: &BTreeSet<String>| -> BTreeSet<String> {
        methods
            .iter()
            .map(|method| without_numbers(method))
            .collect()
    };
    let kinds: BTreeSet<_> = parts.iter().map(|(own, _)| unnumbered(own)).collect();
    match kinds.len() == 1 && parts.iter().all(|(own, _)| !own.is_empty()) {
        true => parts.into_iter().map(|(_, cycles)| cycles).collect(),
        false => vec![cycles.to_vec()],
    }
}

/// Where what is on it is wanted, and was taken.
fn sites(scan: &Scan, cycle: &Cycle) -> BTreeSet<Site> {
    let mut sites = BTreeSet::new();
    for choice in cycle.open() {
        for (&index, node) in choice.iter().zip(&cycle.nodes) {
            let dependency = &scan.table.all[index as usize];
            sites.extend(dependency.site);
            if let Node::Lock(lock) = node {
                sites.extend(dependency.hold(*lock).and_then(|hold| hold.site));
            }
        }
    }
    sites
}

/// The innermost method of a place, without its line.
fn method(names: &dyn Names, site: Site) -> Option<String> {
    let chain = names.chain(site);
    Some(bare(chain.first()?).to_owned())
}

/// A place without its line.
pub(super) fn bare(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((method, line)) if line.bytes().all(|b| b.is_ascii_digit()) => method,
        _ => place,
    }
}

/// Without the numbers of lambdas and anonymous classes.
pub(super) fn without_numbers(method: &str) -> String {
    let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts = class.split('$').filter(|part| !is_number(part));
    let class: Vec<&str> = parts.collect();
    format!("{}.{}", class.join("$"), stable_method(name))
}
