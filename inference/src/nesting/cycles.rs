//! Simple cycles of a directed graph, shortest first from each node, under a bound.
//!
//! Strongly connected components come from petgraph. Within each, every cycle is found from its
//! smallest node: paths of a given length over greater nodes that can still get back in the steps
//! that are left. The lengths rise until no path was cut off.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// How much may be looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Cycles.
    pub(super) cycles: usize,
    /// Steps along edges.
    pub(super) steps: usize,
}

type Successors<N> = BTreeMap<N, BTreeSet<N>>;

/// Gives the simple cycles of two nodes or more to `each`, until it breaks; false if the bound was
/// met first.
pub(super) fn simple_cycles<N: Copy + Ord>(
    edges: impl IntoIterator<Item = (N, N)>,
    bound: Bound,
    mut each: impl FnMut(&[N]) -> ControlFlow<()>,
) -> bool {
    let mut search = Search {
        bound,
        each: &mut each,
    };
    for component in components(edges) {
        match search.component(component) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(Stop::Enough) => return true,
            ControlFlow::Break(Stop::Bound) => return false,
        }
    }
    true
}

/// The strongly connected components of two nodes or more, each with its inner edges, in the order
/// of their smallest nodes.
pub(crate) fn components<N: Copy + Ord>(
    edges: impl IntoIterator<Item = (N, N)>,
) -> Vec<Successors<N>> {
    let mut graph = DiGraph::<N, ()>::new();
    let mut index: BTreeMap<N, NodeIndex> = BTreeMap::new();
    for (from, to) in edges {
        let [from, to] = [from, to].map(|n| *index.entry(n).or_insert_with(|| graph.add_node(n)));
        graph.update_edge(from, to, ());
    }
    let sets = kosaraju_scc(&graph).into_iter().filter(|set| set.len() > 1);
    let mut found: Vec<Successors<N>> = sets.map(|set| inner_edges(&graph, &set)).collect();
    found.sort();
    found
}

fn inner_edges<N: Copy + Ord>(graph: &DiGraph<N, ()>, set: &[NodeIndex]) -> Successors<N> {
    let members: BTreeSet<NodeIndex> = set.iter().copied().collect();
    let inner = |&from: &NodeIndex| {
        let to = graph
            .neighbors(from)
            .filter(|to| *to != from && members.contains(to));
        (graph[from], to.map(|to| graph[to]).collect())
    };
    set.iter().map(inner).collect()
}

enum Stop {
    Enough,
    Bound,
}

struct Search<'e, N> {
    bound: Bound,
    each: &'e mut dyn FnMut(&[N]) -> ControlFlow<()>,
}

impl<N: Copy + Ord> Search<'_, N> {
    fn component(&mut self, mut edges: Successors<N>) -> ControlFlow<Stop> {
        let before = predecessors(&edges);
        while let Some((&root, _)) = edges.first_key_value() {
            let back = distances_back(&before, &edges, root);
            self.steps(back.len())?;
            let mut length = 2;
            while self.from(root, &edges, &back, length)? && length < edges.len() {
                length += 1;
            }
            edges.remove(&root);
        }
        ControlFlow::Continue(())
    }

    /// Cycles of one length through the root; tells whether longer ones are thinkable.
    fn from(
        &mut self,
        root: N,
        edges: &Successors<N>,
        back: &BTreeMap<N, usize>,
        length: usize,
    ) -> ControlFlow<Stop, bool> {
        let mut cut_off = false;
        let mut path = vec![root];
        let mut on_path = BTreeSet::from([root]);
        let mut ways = vec![edges[&root].iter()];
        while let Some(way) = ways.last_mut() {
            let Some(&next) = way.next() else {
                ways.pop();
                path.pop().map(|node| on_path.remove(&node));
                continue;
            };
            self.steps(1)?;
            let Some(&distance) = back.get(&next) else {
                continue;
            };
            if next == root {
                if path.len() == length {
                    self.found(&path)?;
                }
            } else if path.len() + distance > length {
                cut_off = true;
            } else if on_path.insert(next) {
                path.push(next);
                ways.push(edges[&next].iter());
            }
        }
        ControlFlow::Continue(cut_off)
    }

    fn steps(&mut self, number: usize) -> ControlFlow<Stop> {
        take(&mut self.bound.steps, number)
    }

    fn found(&mut self, cycle: &[N]) -> ControlFlow<Stop> {
        take(&mut self.bound.cycles, 1)?;
        match (self.each)(cycle) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Enough),
        }
    }
}

/// Takes a number out of a bound.
fn take(bound: &mut usize, number: usize) -> ControlFlow<Stop> {
    match bound.checked_sub(number) {
        Some(left) => *bound = left,
        None => return ControlFlow::Break(Stop::Bound),
    }
    ControlFlow::Continue(())
}

fn predecessors<N: Copy + Ord>(edges: &Successors<N>) -> BTreeMap<N, Vec<N>> {
    let mut before: BTreeMap<N, Vec<N>> = BTreeMap::new();
    for (&from, to) in edges {
        for &to in to {
            before.entry(to).or_default().push(from);
        }
    }
    before
}

/// Steps from each node back to the root, over nodes that are left.
fn distances_back<N: Copy + Ord>(
    before: &BTreeMap<N, Vec<N>>,
    left: &Successors<N>,
    root: N,
) -> BTreeMap<N, usize> {
    let mut found = BTreeMap::from([(root, 0)]);
    let mut queue = VecDeque::from([root]);
    while let Some(node) = queue.pop_front() {
        let distance = found[&node] + 1;
        let nodes = before.get(&node).into_iter().flatten();
        for &from in nodes.filter(|from| left.contains_key(from)) {
            found.entry(from).or_insert_with(|| {
                queue.push_back(from);
                distance
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDE: Bound = Bound {
        cycles: 100_000,
        steps: 1_000_000,
    };

    fn all(edges: &[(u8, u8)], bound: Bound) -> (BTreeSet<Vec<u8>>, usize, bool) {
        let mut found = Vec::new();
        let whole = simple_cycles(edges.iter().copied(), bound, |cycle| {
            found.push(cycle.to_vec());
            ControlFlow::Continue(())
        });
        let count = found.len();
        (found.into_iter().collect(), count, whole)
    }

    /// Every sequence of distinct nodes whose edges exist, from its smallest node.
    fn brute_force(edges: &BTreeSet<(u8, u8)>, path: &mut Vec<u8>, found: &mut BTreeSet<Vec<u8>>) {
        let last = path[path.len() - 1];
        for &(_, to) in edges.iter().filter(|&&(from, _)| from == last) {
            if to == path[0] && path.len() > 1 {
                found.insert(path.clone());
            } else if to > path[0] && !path.contains(&to) {
                path.push(to);
                brute_force(edges, path, found);
                path.pop();
            }
        }
    }

    proptest! {
        #[test]
        fn every_simple_cycle_is_found_once(edges in prop::collection::vec((0u8..6, 0u8..6), 0..20)) {
            let mut expected = BTreeSet::new();
            let set: BTreeSet<_> = edges.iter().copied().collect();
            for root in 0..6 {
                brute_force(&set, &mut vec![root], &mut expected);
            }
            let (found, count, whole) = all(&edges, WIDE);
            prop_assert!(whole);
            prop_assert_eq!(count, found.len(), "once each");
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_bound_that_was_met_is_told() {
        let everything: Vec<_> = (0..12).flat_map(|a| (0..12).map(move |b| (a, b))).collect();
        let few = Bound { cycles: 50, ..WIDE };
        let (found, _, whole) = all(&everything, few);
        assert_eq!((found.len(), whole), (50, false));
        let short = Bound {
            steps: 1_000,
            ..WIDE
        };
        assert!(!all(&everything, short).2);
    }

    #[test]
    fn a_long_ring_is_one_cycle() {
        let ring: Vec<(u32, u32)> = (0..2_000).map(|n| (n, (n + 1) % 2_000)).collect();
        let mut lengths = Vec::new();
        let whole = simple_cycles(ring, WIDE, |cycle| {
            lengths.push(cycle.len());
            ControlFlow::Continue(())
        });
        assert_eq!((lengths, whole), (vec![2_000], true));
    }
}
