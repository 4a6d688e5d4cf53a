//! The cycles of a recording: threads found blocked on each other, cycles of nodes, and rings of
//! objects within one logical lock.

use super::chart::NodeIx;
use super::deadlock::{Choice, Judge, Judgement};
use super::graph::{Fate, ObjectOrder, Objects, SameLock};
use super::ledger::Dependency;
use crate::cycles::{Bound, Ended, components, simple_cycles};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Cycles looked at.
const CYCLES: Bound = Bound {
    cycles: 1_000,
    steps: 2_000_000,
};

/// A cycle with its judgement.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// One node for a ring of objects.
    pub(super) nodes: Vec<NodeIx>,
    /// For each edge what was seen.
    pub(super) choices: Vec<Choice>,
    pub(super) fate: Fate,
    pub(super) objects: Objects,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) cycles: Vec<Finding>,
    pub(super) same: Vec<SameLock>,
    /// There may be more.
    pub(super) bounded: bool,
}

type ByEdge<N> = BTreeMap<(N, N), Vec<Choice>>;

/// Finds the cycles of what was seen.
pub(super) fn find(judge: &Judge<'_>) -> Findings {
    let mut findings = Findings {
        cycles: happened(judge.dependencies),
        ..Findings::default()
    };
    let mut edges = by_edge(judge.dependencies);
    let own = edges.extract_if(.., |&(from, to), _| from == to);
    let own: Vec<_> = own.collect();
    findings.add_cycles(judge, &edges);
    for ((node, _), choices) in own {
        findings.add_rings(judge, node, &choices);
    }
    findings
}

fn by_edge(dependencies: &[Dependency]) -> ByEdge<NodeIx> {
    let mut edges: ByEdge<NodeIx> = BTreeMap::new();
    for (index, dependency) in dependencies.iter().enumerate() {
        for (hold, held) in dependency.holds.iter().enumerate() {
            edges
                .entry((held.node, dependency.to))
                .or_default()
                .push(Choice {
                    dependency: index,
                    hold,
                });
        }
    }
    edges
}

/// The choices at each edge of a cycle.
fn along<N: Copy + Ord>(cycle: &[N], edges: &ByEdge<N>) -> Vec<Vec<Choice>> {
    let next = cycle.iter().cycle().skip(1);
    let pairs = cycle.iter().zip(next).map(|(&from, &to)| (from, to));
    pairs.map(|pair| edges[&pair].clone()).collect()
}

impl Findings {
    fn add_cycles(&mut self, judge: &Judge<'_>, edges: &ByEdge<NodeIx>) {
        let known: BTreeSet<Vec<NodeIx>> = self.cycles.iter().map(|f| rotated(&f.nodes)).collect();
        let mut found = Vec::new();
        let ended = simple_cycles(edges.keys().copied(), CYCLES, |cycle| {
            if !known.contains(&rotated(cycle)) {
                let judgement = judge.judge(&along(cycle, edges));
                found.push(Finding::of(cycle.to_vec(), judgement));
            }
            ControlFlow::Continue(())
        });
        self.cycles.extend(found);
        self.bounded |= ended != Ended::Whole;
    }

    /// Rings of objects within one node: the first that stands speaks for all, else the one of which least is known against it.
    fn add_rings(&mut self, judge: &Judge<'_>, node: NodeIx, choices: &[Choice]) {
        let edges = by_objects(judge.dependencies, choices);
        let known: usize = edges.values().map(Vec::len).sum();
        let rings = !components(edges.keys().copied()).is_empty();
        self.same.push(SameLock {
            node,
            order: match (known, rings) {
                (0, _) => ObjectOrder::Unknown,
                (_, true) => ObjectOrder::Cyclic,
                (_, false) => ObjectOrder::Ordered,
            },
            known: known as u64,
            unknown: (choices.len() - known) as u64,
        });
        let happened = self.cycles.iter().any(|f| f.nodes == [node]);
        if rings && !happened {
            self.add_ring(judge, node, &edges);
        }
    }

    fn add_ring(&mut self, judge: &Judge<'_>, node: NodeIx, edges: &ByEdge<LockId>) {
        let mut best: Option<Finding> = None;
        let ended = simple_cycles(edges.keys().copied(), CYCLES, |ring| {
            let finding = Finding::of(vec![node], judge.judge(&along(ring, edges)));
            let stands = finding.fate == Fate::Stands;
            let better = |best: &Finding| finding.fate.weight() > best.fate.weight();
            if best.as_ref().is_none_or(better) {
                best = Some(finding);
            }
            match stands {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.cycles.extend(best);
        self.bounded |= ended != Ended::Whole;
    }
}

fn by_objects(dependencies: &[Dependency], choices: &[Choice]) -> ByEdge<LockId> {
    let mut edges: ByEdge<LockId> = BTreeMap::new();
    for &choice in choices {
        let dependency = &dependencies[choice.dependency];
        if let (Some(from), Some(to)) = (dependency.holds[choice.hold].object, dependency.object) {
            edges.entry((from, to)).or_default().push(choice);
        }
    }
    edges
}

impl Finding {
    fn of(nodes: Vec<NodeIx>, judgement: Judgement) -> Self {
        let (choices, fate, objects) = match judgement {
            Judgement::Stands(choices, objects) => (choices, Fate::Stands, objects),
            Judgement::Undecided(choices) => (choices, Fate::Undecided, Objects::Unknown),
            Judgement::Excluded(choices, reasons, objects) => {
                (choices, Fate::Excluded(reasons), objects)
            }
        };
        Self {
            nodes,
            choices,
            fate,
            objects,
        }
    }
}

/// The same cycle from its smallest node.
fn rotated(cycle: &[NodeIx]) -> Vec<NodeIx> {
    let smallest = cycle.iter().enumerate().min_by_key(|&(_, node)| node);
    let mut rotated = cycle.to_vec();
    rotated.rotate_left(smallest.map_or(0, |(at, _)| at));
    rotated
}

/// Rings of threads that were blocked on each other when the recording ended.
fn happened(dependencies: &[Dependency]) -> Vec<Finding> {
    let open = dependencies.iter().enumerate();
    let open: BTreeMap<ThreadId, usize> = open
        .filter(|(_, d)| d.open.is_some())
        .map(|(index, d)| (d.thread, index))
        .collect();
    let blocker = |thread: &ThreadId| blocker(dependencies, &open, open[thread]);
    let blockers: BTreeMap<ThreadId, Choice> = open
        .keys()
        .filter_map(|t| Some((*t, blocker(t)?)))
        .collect();
    let mut done: BTreeSet<ThreadId> = BTreeSet::new();
    let mut found = Vec::new();
    for &start in blockers.keys() {
        if let Some(ring) = ring_from(start, &blockers, dependencies, &mut done) {
            found.push(blocked_ring(ring, dependencies));
        }
    }
    found
}

/// Which blocked thread holds what a blocked thread wants: by the object, or because the JVM
/// named it as the owner and it is blocked inside a region of that lock.
fn blocker(
    dependencies: &[Dependency],
    open: &BTreeMap<ThreadId, usize>,
    waiter: usize,
) -> Option<Choice> {
    let wanted = &dependencies[waiter];
    let others = || open.values().copied().filter(|&d| d != waiter);
    let holds = |d: usize| dependencies[d].holds.iter().enumerate();
    let by_object = others().find_map(|d| {
        let (hold, _) = holds(d).find(|(_, h)| h.object.is_some() && h.object == wanted.object)?;
        Some(Choice {
            dependency: d,
            hold,
        })
    });
    let Some(Owner::Thread(owner)) = wanted.open else {
        return by_object;
    };
    by_object.or_else(|| {
        let d = *open.get(&owner).filter(|&&d| d != waiter)?;
        let (hold, _) = holds(d).find(|(_, h)| h.object.is_none() && h.node == wanted.to)?;
        Some(Choice {
            dependency: d,
            hold,
        })
    })
}

/// Follows the blockers from a thread on; the ring it comes into, if no earlier walk did.
fn ring_from(
    start: ThreadId,
    blockers: &BTreeMap<ThreadId, Choice>,
    dependencies: &[Dependency],
    done: &mut BTreeSet<ThreadId>,
) -> Option<Vec<Choice>> {
    let mut walk: Vec<(ThreadId, Choice)> = Vec::new();
    let mut thread = start;
    while done.insert(thread) {
        let &choice = blockers.get(&thread)?;
        walk.push((thread, choice));
        thread = dependencies[choice.dependency].thread;
    }
    let at = walk.iter().position(|&(t, _)| t == thread)?;
    // Each entry says whom its thread waits for: the ring in the order of who waits.
    Some(walk[at..].iter().map(|&(_, choice)| choice).collect())
}

fn blocked_ring(choices: Vec<Choice>, dependencies: &[Dependency]) -> Finding {
    let hold = |c: &Choice| dependencies[c.dependency].holds[c.hold];
    let mut nodes: Vec<NodeIx> = choices.iter().map(|c| hold(c).node).collect();
    if nodes.iter().all(|&node| node == nodes[0]) {
        nodes.truncate(1);
    }
    let known = choices.iter().all(|c| hold(c).object.is_some());
    Finding {
        nodes,
        choices,
        fate: Fate::Happened,
        objects: if known {
            Objects::Same
        } else {
            Objects::Unknown
        },
    }
}
