//! The judgement of cycles against its definition, tried out choice by choice.

use super::chart::Span;
use super::deadlock::Judge;
use super::gate::Gates;
use super::graph::Known;
use super::held::Hold;
use super::ledger::Dependency;
use super::order::{By, Lives, Order};
use super::rings::find;
use locklens_trace::{LockId, Nanos, ThreadId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const NODES: usize = 4;

/// An object of a node: a few of each, or unknown.
fn object(node: usize) -> impl Strategy<Value = Option<LockId>> {
    let known = (0..2u32).prop_map(move |n| Some(LockId(node as u32 * 10 + n + 1)));
    prop_oneof![3 => known, 1 => Just(None)]
}

fn lock() -> impl Strategy<Value = (usize, Option<LockId>)> {
    (0..NODES).prop_flat_map(|node| (Just(node), object(node)))
}

fn dependency() -> impl Strategy<Value = Dependency> {
    let holds = prop::collection::btree_set(lock(), 1..4);
    (1u32..5, lock(), holds, 0u64..400, 0u64..50).prop_map(|(thread, to, holds, first, length)| {
        Dependency {
            thread: ThreadId(thread),
            epoch: first as u32 / 50,
            to: to.0,
            object: to.1,
            wait: false,
            shared: false,
            holds: holds.into_iter().map(hold).collect(),
            span: Span::default(),
            first: Nanos::from_millis(first),
            last: Nanos::from_millis(first + length.min(49 - first % 50)),
            count: 1,
            open: None,
        }
    })
}

fn hold((node, object): (usize, Option<LockId>)) -> Hold {
    Hold {
        node,
        object,
        known: Known::Exact,
        again: false,
        shared: false,
        span: Span::default(),
    }
}

/// Threads 1 to 4, some of them started and joined by the first at multiples of 50 ms.
fn lives() -> impl Strategy<Value = Vec<(u32, u64, u64)>> {
    prop::collection::vec((2u32..5, 0u64..4, 1u64..5), 0..3)
}

fn order(lives: &[(u32, u64, u64)]) -> Order {
    let mut all = Lives::default();
    let mut ends = BTreeMap::new();
    for &(thread, start, length) in lives {
        let (thread, start, end) = (ThreadId(thread), start * 50, (start + length) * 50);
        all.started(thread, Nanos::from_millis(start));
        all.waits_for(ThreadId(1), thread, Nanos::from_millis(start + 1));
        all.wait_ended(ThreadId(1), thread, Nanos::from_millis(end));
        ends.insert(thread, Nanos::from_millis(end));
    }
    all.into_order(&ends)
}

/// The definition: distinct threads, no common lock, no order.
fn can_meet(a: &Dependency, b: &Dependency, gates: &Gates, (order, by): (&Order, By)) -> bool {
    let one = |node| gates.single.contains(&node) || gates.mirrors.contains(&node);
    let same = |x: &Hold, y: &Hold| {
        x.node == y.node
            && match (x.object, y.object) {
                (Some(x), Some(y)) => x == y,
                _ => one(x.node),
            }
    };
    let common = a.holds.iter().any(|x| b.holds.iter().any(|y| same(x, y)));
    let before = |a: &Dependency, b: &Dependency| {
        order
            .clock(b.thread, b.first, by)
            .get(&a.thread)
            .is_some_and(|&at| a.last <= at)
    };
    a.thread != b.thread && !common && !before(a, b) && !before(b, a)
}

/// What a cycle goes over: nodes, or objects of one node.
trait Links {
    fn link(&self, d: &Dependency, from: u32, to: u32) -> bool;
}

struct OfNodes;
struct OfObjects(usize);

impl Links for OfNodes {
    fn link(&self, d: &Dependency, from: u32, to: u32) -> bool {
        d.to == to as usize && d.holds.iter().any(|h| h.node == from as usize)
    }
}

impl Links for OfObjects {
    fn link(&self, d: &Dependency, from: u32, to: u32) -> bool {
        let holds = |h: &Hold| h.node == self.0 && h.object == Some(LockId(from));
        d.to == self.0 && d.object == Some(LockId(to)) && d.holds.iter().any(holds)
    }
}

/// A search for every cycle over `names` for which some choice of dependencies meets the
/// definition, each from its smallest name.
struct Standing<'a, L> {
    names: &'a [u32],
    links: L,
    dependencies: &'a [Dependency],
    meet: &'a dyn Fn(&Dependency, &Dependency) -> bool,
    found: BTreeSet<Vec<u32>>,
}

impl<L: Links> Standing<'_, L> {
    fn all(mut self) -> BTreeSet<Vec<u32>> {
        for &first in self.names {
            self.extend(&mut vec![first], &mut Vec::new());
        }
        self.found
    }

    fn extend(&mut self, path: &mut Vec<u32>, chosen: &mut Vec<Dependency>) {
        for &next in self.names {
            if next != path[0] && (next < path[0] || path.contains(&next)) {
                continue;
            }
            for dependency in self.dependencies {
                let links = self.links.link(dependency, path[path.len() - 1], next);
                if !links || !chosen.iter().all(|c| (self.meet)(c, dependency)) {
                    continue;
                }
                if next == path[0] {
                    if path.len() > 1 {
                        self.found.insert(path.clone());
                    }
                    continue;
                }
                path.push(next);
                chosen.push(dependency.clone());
                self.extend(path, chosen);
                chosen.pop();
                path.pop();
            }
        }
    }
}

fn standing(
    names: &[u32],
    links: impl Links,
    dependencies: &[Dependency],
    meet: &dyn Fn(&Dependency, &Dependency) -> bool,
) -> BTreeSet<Vec<u32>> {
    Standing {
        names,
        links,
        dependencies,
        meet,
        found: BTreeSet::new(),
    }
    .all()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_stands_is_what_the_definition_says(
        dependencies in prop::collection::vec(dependency(), 0..12),
        lives in lives(),
        single in prop::collection::btree_set(0..NODES, 0..2),
        mirrors in prop::collection::btree_set(0..NODES, 0..2),
    ) {
        let order = order(&lives);
        let gates = || Gates { mirrors: mirrors.clone(), single: single.clone() };
        let findings = find(&Judge::new(&dependencies, gates(), &order));
        let meet = |a: &Dependency, b: &Dependency| can_meet(a, b, &gates(), (&order, By::Starts));
        let nodes: Vec<u32> = (0..NODES as u32).collect();
        let expected = standing(&nodes, OfNodes, &dependencies, &meet);
        let stand = |f: &&super::rings::Finding| f.fate.stands();
        let (rings, cycles): (Vec<_>, Vec<_>) =
            findings.cycles.iter().filter(stand).partition(|f| f.nodes.len() == 1);
        let of = |cycles: &[&super::rings::Finding]| -> BTreeSet<Vec<u32>> {
            cycles.iter().map(|f| f.nodes.iter().map(|&n| n as u32).collect()).collect()
        };
        prop_assert_eq!(of(&cycles), expected.clone());
        // What would stand, if who started whom were not believed, says that it rests on that.
        let joined = |a: &Dependency, b: &Dependency| can_meet(a, b, &gates(), (&order, By::Joins));
        let joined = standing(&nodes, OfNodes, &dependencies, &joined);
        let presumed = findings.cycles.iter().filter(|f| f.fate.is_presumed() && f.nodes.len() > 1);
        let presumed = of(&presumed.collect::<Vec<_>>());
        prop_assert_eq!(presumed, &joined - &expected);
        for node in 0..NODES {
            let objects: Vec<u32> = (1..3).map(|n| node as u32 * 10 + n).collect();
            let expected = !standing(&objects, OfObjects(node), &dependencies, &meet).is_empty();
            prop_assert_eq!(rings.iter().any(|f| f.nodes == [node]), expected, "ring on {}", node);
        }
    }
}
