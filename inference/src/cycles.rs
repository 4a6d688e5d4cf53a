//! Simple cycles of a directed graph, the short ones of the whole graph before the longer ones, under a bound.
//!
//! A search from node to node would spend its bound on long ways round in one corner of a large graph; a short cycle,
//! which is the likelier deadlock, must not be missed for that. So the lengths rise for all nodes together, and in each
//! the ways are followed only as far as they can still get back. Every cycle is found from its smallest node. Lengths that
//! nothing can have are passed over.
//!
//! Strongly connected components come from petgraph.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// How much may be looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// Cycles.
    pub(crate) cycles: usize,
    /// Steps along edges.
    pub(crate) steps: usize,
}

/// Where a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There are no more, or nobody wants more.
    Whole,
    /// At the bound: there may be more of this length and of longer ones.
    At(usize),
}

type Successors<N> = BTreeMap<N, BTreeSet<N>>;

/// Gives the simple cycles of two nodes or more to `each`, until it breaks.
pub(crate) fn simple_cycles<N: Copy + Ord>(
    edges: impl IntoIterator<Item = (N, N)>,
    bound: Bound,
    mut each: impl FnMut(&[N]) -> ControlFlow<()>,
) -> Ended {
    let mut parts: Vec<Part<N>> = components(edges).into_iter().map(Part::new).collect();
    let mut search = Search {
        bound,
        each: &mut each,
    };
    let mut length = 2;
    loop {
        for part in &mut parts {
            match search.part(part, length) {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(Stop::Enough) => return Ended::Whole,
                ControlFlow::Break(Stop::Bound) => return Ended::At(length),
            }
        }
        parts.retain(|part| !part.roots.is_empty());
        let least = parts.iter().flat_map(|part| part.roots.values()).min();
        match least {
            Some(&least) => length = least,
            None => return Ended::Whole,
        }
    }
}

/// All of them, as far as the bound goes.
pub(crate) fn all_simple_cycles<N: Copy + Ord>(
    edges: impl IntoIterator<Item = (N, N)>,
    bound: Bound,
) -> (Vec<Vec<N>>, Ended) {
    let mut all = Vec::new();
    let ended = simple_cycles(edges, bound, |cycle| {
        all.push(cycle.to_vec());
        ControlFlow::Continue(())
    });
    (all, ended)
}

/// The strongly connected components of two nodes or more, each with its inner edges, in the order
/// of their smallest nodes.
pub(crate) fn components<N: Copy + Ord>(
    edges: impl IntoIterator<Item = (N, N)>,
) -> Vec<Successors<N>> {
    let mut graph = DiGraph::<N, ()>::new();
    let mut index: BTreeMap<N, NodeIndex> = BTreeMap::new();
    // `update_edge` would go over all edges from a node for each one.
    let mut seen = BTreeSet::new();
    for (from, to) in edges.into_iter().filter(|edge| seen.insert(*edge)) {
        let [from, to] = [from, to].map(|n| *index.entry(n).or_insert_with(|| graph.add_node(n)));
        graph.add_edge(from, to, ());
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

/// A strongly connected part of the graph.
struct Part<N> {
    after: Successors<N>,
    before: BTreeMap<N, Vec<N>>,
    /// Nodes that may be the smallest of cycles not found yet, and the least length of these.
    roots: BTreeMap<N, usize>,
}

impl<N: Copy + Ord> Part<N> {
    fn new(after: Successors<N>) -> Self {
        let mut before: BTreeMap<N, Vec<N>> = BTreeMap::new();
        for (&from, to) in &after {
            for &to in to {
                before.entry(to).or_default().push(from);
            }
        }
        let roots = after.keys().map(|&node| (node, 2)).collect();
        Self {
            after,
            before,
            roots,
        }
    }

    /// Steps from each node back to the root, over greater nodes, as far as `most`; whether there are nodes
    /// further away.
    fn back(&self, root: N, most: usize) -> (BTreeMap<N, usize>, bool) {
        let mut found = BTreeMap::from([(root, 0)]);
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            let distance = found[&node] + 1;
            if distance > most {
                return (found, true);
            }
            let nodes = self.before.get(&node).into_iter().flatten();
            for &from in nodes.filter(|&&from| from > root) {
                found.entry(from).or_insert_with(|| {
                    queue.push_back(from);
                    distance
                });
            }
        }
        (found, false)
    }
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
    /// Cycles of one length.
    fn part(&mut self, part: &mut Part<N>, length: usize) -> ControlFlow<Stop> {
        let due: Vec<N> = part
            .roots
            .iter()
            .filter(|(_, least)| **least <= length)
            .map(|(&root, _)| root)
            .collect();
        for root in due {
            // Further than this cycle goes, so that the next length that is thinkable is known, or far ahead.
            let most = 2 * length;
            let (back, further) = part.back(root, most);
            self.steps(back.len())?;
            let seen = self.from(part, root, &back, length)?;
            let unseen = further.then_some(most + 2);
            match seen.into_iter().chain(unseen).min() {
                Some(least) => part.roots.insert(root, least),
                None => part.roots.remove(&root),
            };
        }
        ControlFlow::Continue(())
    }

    /// Cycles of one length through a root; the least greater one that is thinkable.
    fn from(
        &mut self,
        part: &Part<N>,
        root: N,
        back: &BTreeMap<N, usize>,
        length: usize,
    ) -> ControlFlow<Stop, Option<usize>> {
        let mut least: Option<usize> = None;
        let mut path = vec![root];
        let mut on_path = BTreeSet::from([root]);
        let mut ways = vec![part.after[&root].range(root..)];
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
            let thinkable = path.len() + distance;
            if next == root {
                if path.len() == length {
                    self.found(&path)?;
                }
            } else if thinkable > length {
                least = Some(least.map_or(thinkable, |known| known.min(thinkable)));
            } else if on_path.insert(next) {
                path.push(next);
                ways.push(part.after[&next].range(root..));
            }
        }
        ControlFlow::Continue(least)
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
        (found.into_iter().collect(), count, whole == Ended::Whole)
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
        assert_eq!((lengths, whole), (vec![2_000], Ended::Whole));
    }

    #[test]
    fn short_cycles_of_the_whole_graph_come_first() {
        let edges = (0..40).flat_map(|a| (0..40).map(move |b| (a, b)));
        let most = Bound {
            cycles: 800,
            ..WIDE
        };
        let mut pairs = 0;
        let ended = simple_cycles(edges, most, |ring| {
            pairs += usize::from(ring.len() == 2);
            ControlFlow::Continue(())
        });
        assert_eq!((pairs, ended), (780, Ended::At(3)));
    }
}
