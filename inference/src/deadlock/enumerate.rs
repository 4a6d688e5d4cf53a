//! Simple cycles of a directed graph, the short ones of the whole graph before the longer ones, under a bound.
//!
//! A search from node to node would spend its bound on long ways round in one corner of a large graph; a short cycle,
//! which is the likelier deadlock, must not be missed for that. So the lengths rise for all nodes together, and in each
//! the ways are followed only as far as they can still get back.

use crate::nesting::components;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How much may be looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) cycles: usize,
    /// Steps along edges.
    pub(super) steps: usize,
}

type Successors = BTreeMap<u32, BTreeSet<u32>>;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Rings {
    /// Each from its smallest node.
    pub(super) all: Vec<Vec<u32>>,
    /// There may be more of this length and of longer ones.
    pub(super) stopped_at: Option<usize>,
}

/// The simple cycles of two nodes or more.
pub(super) fn rings(edges: impl IntoIterator<Item = (u32, u32)>, bound: Bound) -> Rings {
    let mut parts: Vec<Part> = components(edges).into_iter().map(Part::new).collect();
    let mut search = Search {
        bound,
        found: Vec::new(),
    };
    let mut length = 2;
    while !parts.is_empty() {
        if parts
            .iter_mut()
            .try_for_each(|part| search.part(part, length))
            .is_none()
        {
            return Rings {
                all: search.found,
                stopped_at: Some(length),
            };
        }
        parts.retain(|part| !part.roots.is_empty());
        length += 1;
    }
    Rings {
        all: search.found,
        stopped_at: None,
    }
}

/// A strongly connected part of the graph.
struct Part {
    after: Successors,
    before: BTreeMap<u32, Vec<u32>>,
    /// Nodes that may be the smallest of cycles not found yet.
    roots: Vec<u32>,
}

impl Part {
    fn new(after: Successors) -> Self {
        let mut before: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (&from, to) in &after {
            for &to in to {
                before.entry(to).or_default().push(from);
            }
        }
        let roots = after.keys().copied().collect();
        Self {
            after,
            before,
            roots,
        }
    }

    /// Steps from each node back to the root, over greater nodes, as far as `most`; whether there are nodes
    /// further away.
    fn back(&self, root: u32, most: usize) -> (BTreeMap<u32, usize>, bool) {
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

struct Search {
    bound: Bound,
    found: Vec<Vec<u32>>,
}

impl Search {
    /// Cycles of one length; none where the bound was met.
    fn part(&mut self, part: &mut Part, length: usize) -> Option<()> {
        let mut left = Vec::new();
        for &root in &part.roots {
            let (back, further) = part.back(root, length);
            self.take(back.len())?;
            if self.from(part, root, &back, length)? || further {
                left.push(root);
            }
        }
        part.roots = left;
        Some(())
    }

    /// Cycles of one length through a root; whether longer ones are thinkable.
    fn from(
        &mut self,
        part: &Part,
        root: u32,
        back: &BTreeMap<u32, usize>,
        length: usize,
    ) -> Option<bool> {
        let mut longer = false;
        let mut path = vec![root];
        let mut ways = vec![part.after[&root].range(root..)];
        while let Some(way) = ways.last_mut() {
            let Some(&next) = way.next() else {
                ways.pop();
                path.pop();
                continue;
            };
            self.take(1)?;
            let Some(&distance) = back.get(&next) else {
                continue;
            };
            if next == root {
                if path.len() == length {
                    self.found(&path)?;
                }
            } else if path.len() + distance > length {
                longer = true;
            } else if !path.contains(&next) {
                path.push(next);
                ways.push(part.after[&next].range(root..));
            }
        }
        Some(longer)
    }

    fn take(&mut self, steps: usize) -> Option<()> {
        self.bound.steps = self.bound.steps.checked_sub(steps)?;
        Some(())
    }

    fn found(&mut self, path: &[u32]) -> Option<()> {
        self.bound.cycles = self.bound.cycles.checked_sub(1)?;
        self.found.push(path.to_vec());
        Some(())
    }
}
