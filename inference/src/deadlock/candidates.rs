//! Which dependencies can close a cycle, and which choices of them could be a deadlock.
//!
//! The nodes are what a thread can be kept waiting for: locks, notifies, the end of a thread. A dependency leads from
//! everything its thread keeps from others to what it wants. A thread keeps its own end from others all its life, and
//! the notify it is on the way to until it is there.

use super::errands::Way;
use super::follow::Wanted;
use super::kept::Kept;
use super::loops::loops;
use super::past::Orders;
use super::permits::{self, Verdict};
use super::scan::Scan;
use super::step::{Lock, Mode, Thread};
use super::table::Dependency;
use super::ways::Only;
use crate::cycles::{Bound, Ended, all_simple_cycles};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const BOUND: Bound = Bound {
    cycles: 20_000,
    steps: 20_000_000,
};
/// Choices kept of one cycle.
const CHOICES: usize = 128;
/// Others who may let one choice go on whose order is asked for.
const HELPERS: usize = 16;
/// Pairs compared for one cycle, and for all of them.
const COMPARISONS: usize = 20_000;
const ALL_COMPARISONS: usize = 50_000_000;

/// What a thread can be kept waiting for, however it wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Node {
    Lock(Lock),
    Notice(Lock),
    End(Thread),
    /// That nobody waits any more to have a lock alone, whom those that share it let go first.
    Turn(Lock),
}

impl Node {
    pub(super) fn of(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Lock(lock, _) => Self::Lock(lock),
            Wanted::Notice(lock) => Self::Notice(lock),
            Wanted::End(thread) => Self::End(thread),
        }
    }
}

/// Why no choice of threads can be a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Obstacle {
    OneThread,
    Gate(Lock),
    Shared,
    /// There are permits enough.
    Permits(Lock),
    /// Somebody else can notify.
    Notifier(Thread),
    /// Who has the monitor has notified since he took it.
    Woken(Thread),
    Order,
    /// It has a lock of the JVM's own that is known to be safe.
    Safe,
}

/// A cycle with the choices of dependencies that pass the tests on locks and threads.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// Each is held by the dependency of its place, and wanted by the one before.
    pub(super) nodes: Vec<Node>,
    /// Indices of dependencies, one for each node, and those of others that hold the rest of a semaphore's permits.
    pub(super) choices: Vec<Vec<u32>>,
    /// So many of these, the last, are kept apart by what must have come before.
    pub(super) ordered: usize,
    /// There may be more that are not.
    pub(super) is_cut: bool,
    /// Of each choice, others who notified on this without what is kept from them: they may let it go on, if they can do so at that
    /// time. Nothing of a cycle of one lock.
    pub(super) helpers: Vec<Vec<(Lock, Thread)>>,
    pub(super) obstacles: BTreeSet<Obstacle>,
    /// Where the lock of a place can be taken in several methods, the only one that counts here.
    pub(super) only: Only,
}

impl Cycle {
    /// The same with none of its choices yet, of which only those count that take their locks there.
    pub(super) fn without_choices(&self, only: Only) -> Self {
        Self {
            nodes: self.nodes.clone(),
            choices: Vec::new(),
            ordered: 0,
            is_cut: self.is_cut,
            helpers: Vec::new(),
            obstacles: self.obstacles.clone(),
            only,
        }
    }

    /// The choices of which it has to be asked whether they are kept apart.
    pub(super) fn open(&self) -> &[Vec<u32>] {
        &self.choices[..self.choices.len() - self.ordered]
    }

    /// Whether one of those who wait on it in a choice gives up.
    pub(super) fn is_stall(&self, scan: &Scan, choice: &[u32]) -> bool {
        let mut around = choice.iter().take(self.nodes.len());
        around.any(|&index| scan.table.all[index as usize].gives_up())
    }
}

/// All cycles.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) cycles: Vec<Cycle>,
    pub(super) stopped: Vec<String>,
}

/// What of the dependencies keeps what from others, along edges that lie on cycles.
pub(super) fn candidates(scan: &Scan) -> Candidates {
    let graph = Graph::of(scan);
    let (rings, ended) = all_simple_cycles(graph.by_edge.keys().copied(), BOUND);
    let mut stopped = Vec::new();
    if let Ended::At(length) = ended {
        let cycles = rings.len();
        stopped.push(format!(
            "the search stopped after {cycles} cycles: there may be more of {length} and more locks"
        ));
    }
    // Who keeps no lock waits for others because they are slow.
    let keeps = |ring: &&Vec<u32>| {
        let mut nodes = ring.iter().map(|&node| graph.nodes[node as usize]);
        nodes.any(|node| matches!(node, Node::Lock(_) | Node::Turn(_)))
    };
    let rings: Vec<&Vec<u32>> = rings.iter().filter(keeps).collect();
    let mut orders = Orders::of(scan);
    let mut comparisons = ALL_COMPARISONS;
    let mut cut = 0;
    let cycles = rings
        .iter()
        .zip((1..=rings.len()).rev())
        .map(|(ring, others)| {
            let share = comparisons.min(COMPARISONS.max(comparisons / others));
            let mut search = Search::new(scan, &graph, ring, share);
            search.choose_all(&mut orders);
            comparisons -= share - search.left;
            cut += usize::from(search.cycle.is_cut && search.cycle.choices.is_empty());
            search.cycle
        });
    let cycles = cycles.chain(loops(scan)).collect();
    if cut > 0 {
        stopped.push(format!(
            "of {cut} cycles not every choice of threads was looked at"
        ));
    }
    Candidates { cycles, stopped }
}

/// Who keeps what from others, by edge.
struct Graph {
    nodes: Vec<Node>,
    by_edge: BTreeMap<(u32, u32), Vec<u32>>,
}

impl Graph {
    fn of(scan: &Scan) -> Self {
        let kept = Kept::of(scan);
        let mut nodes = Nodes::default();
        let mut by_edge: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (index, dependency) in (0..).zip(&scan.table.all) {
            let kept_from_others = kept.by(index, dependency);
            for to in kept.wanted(dependency) {
                let to = nodes.number(to);
                for &from in &kept_from_others {
                    let from = nodes.number(from);
                    if from != to {
                        by_edge.entry((from, to)).or_default().push(index);
                    }
                }
            }
        }
        // Of choices only so many are kept: those of threads that wait for ever first.
        for edge in by_edge.values_mut() {
            edge.sort_by_key(|&index| scan.table.all[index as usize].gives_up());
        }
        Self {
            nodes: nodes.all,
            by_edge,
        }
    }
}

/// Numbers for nodes, in the order in which they are met.
#[derive(Default)]
struct Nodes {
    all: Vec<Node>,
    known: BTreeMap<Node, u32>,
}

impl Nodes {
    fn number(&mut self, node: Node) -> u32 {
        let all = &mut self.all;
        *self.known.entry(node).or_insert_with(|| {
            all.push(node);
            all.len() as u32 - 1
        })
    }
}

impl Dependency {
    /// The locks it keeps from others while it is kept waiting: the one it waits on is given up.
    pub(super) fn keeps(&self) -> impl Iterator<Item = (Lock, Mode)> {
        let given_up = match self.wanted {
            Wanted::Notice(lock) => Some(lock),
            Wanted::Lock(..) | Wanted::End(_) => None,
        };
        let kept = self
            .held
            .iter()
            .filter(move |hold| Some(hold.lock) != given_up);
        kept.map(|hold| (hold.lock, hold.mode))
    }
}

/// Looks for choices of dependencies for the edges of a cycle.
struct Search<'s> {
    scan: &'s Scan,
    /// The dependencies of each edge; the first leads from the first node.
    edges: Vec<Cow<'s, [u32]>>,
    cycle: Cycle,
    left: usize,
    full: bool,
    /// One of those that were looked at was kept apart by what must have come before.
    met_order: bool,
}

impl<'s> Search<'s> {
    fn new(scan: &'s Scan, graph: &'s Graph, ring: &[u32], left: usize) -> Self {
        let next = ring.iter().cycle().skip(1);
        let edges = ring
            .iter()
            .zip(next)
            .map(|(&from, &to)| Cow::Borrowed(graph.by_edge[&(from, to)].as_slice()));
        Self {
            scan,
            edges: edges.collect(),
            cycle: Cycle {
                nodes: ring
                    .iter()
                    .map(|&node| graph.nodes[node as usize])
                    .collect(),
                choices: Vec::new(),
                ordered: 0,
                is_cut: false,
                helpers: Vec::new(),
                obstacles: BTreeSet::new(),
                only: Only::new(),
            },
            left,
            full: false,
            met_order: false,
        }
    }

    /// Those that what must have come before does not keep apart; then, for what they are, those that it does.
    fn choose_all(&mut self, orders: &mut Orders<'s>) {
        match self.groups(orders) {
            Some(groups) => {
                let all = std::mem::take(&mut self.edges);
                let of = |group: &BTreeSet<u32>, edge: &[u32]| {
                    let those = edge.iter().filter(|index| group.contains(index));
                    Cow::Owned(those.copied().collect())
                };
                for group in groups.iter().filter(|group| group.len() > 1) {
                    self.edges = all.iter().map(|edge| of(group, edge)).collect();
                    self.choose(orders, false);
                }
                self.met_order = groups.len() > 1;
                self.edges = all;
            }
            None => self.choose(orders, false),
        }
        self.cycle.is_cut = self.full || self.left == 0;
        let open = self.cycle.choices.len();
        if self.met_order && !self.full {
            let left = self.left;
            self.left = left.min(COMPARISONS);
            let share = self.left;
            self.choose(orders, true);
            self.left = left - (share - self.left);
        }
        self.cycle.ordered = self.cycle.choices.len() - open;
    }

    /// Where there are too many choices to look at all of them: the dependencies in groups that what must have come before keeps apart, as
    /// where threads are started when those before have been joined.
    fn groups(&self, orders: &mut Orders<'s>) -> Option<Vec<BTreeSet<u32>>> {
        let choices = self.edges.iter().map(|edge| edge.len());
        if choices.fold(1, usize::saturating_mul) <= COMPARISONS {
            return None;
        }
        let all: BTreeSet<u32> = self
            .edges
            .iter()
            .flat_map(|edge| edge.iter().copied())
            .collect();
        let all = all
            .iter()
            .map(|&index| (index, &self.scan.table.all[index as usize]));
        let groups = orders.groups(all.collect())?.into_iter();
        let groups = groups.map(|group| group.into_iter().map(|(index, _)| index).collect());
        Some(groups.collect())
    }

    /// Depth first: a dependency for each edge that goes with those before it.
    fn choose(&mut self, orders: &mut Orders<'s>, ordered: bool) {
        let mut chosen: Vec<u32> = Vec::new();
        let mut next = vec![0];
        while let Some(at) = next.last_mut() {
            let place = chosen.len();
            let Some(&index) = self.edges[place]
                .get(*at)
                .filter(|_| self.left > 0 && !self.full)
            else {
                next.pop();
                chosen.pop();
                continue;
            };
            *at += 1;
            if !self.fits(&chosen, index) || !ordered && self.is_ordered(&chosen, index, orders) {
                continue;
            }
            chosen.push(index);
            if chosen.len() < self.edges.len() {
                next.push(0);
                continue;
            }
            let is_new = !ordered
                || (1..chosen.len()).any(|at| self.is_ordered(&chosen[..at], chosen[at], orders));
            if is_new {
                self.keep(&chosen);
            }
            chosen.pop();
        }
    }

    fn keep(&mut self, chosen: &[u32]) {
        let helpers = self.helpers(chosen);
        // Where only what was new is told, and of very many, their order is not asked for.
        let free = helpers
            .first()
            .filter(|_| self.scan.excerpts || helpers.len() > HELPERS);
        let found = match free {
            Some(&(_, thread)) => Err(Obstacle::Notifier(thread)),
            None => match permits::completed(self.scan, chosen) {
                Verdict::With(others) => Ok([chosen, &others].concat()),
                Verdict::Gate(lock) => Err(Obstacle::Gate(lock)),
                Verdict::Enough(lock) => Err(Obstacle::Permits(lock)),
            },
        };
        match found {
            Ok(choice) => {
                self.cycle.choices.push(choice);
                self.cycle.helpers.push(helpers);
            }
            Err(obstacle) => drop(self.cycle.obstacles.insert(obstacle)),
        }
        self.full = self.cycle.choices.len() >= CHOICES;
    }

    /// Whether what must have come before keeps it apart from one of those chosen.
    fn is_ordered(&mut self, chosen: &[u32], index: u32, orders: &mut Orders<'s>) -> bool {
        let all = &self.scan.table.all;
        let one = &all[index as usize];
        let mut others = chosen.iter().map(|&other| &all[other as usize]);
        let is_ordered = others.any(|other| orders.are_apart(other, one));
        self.met_order |= is_ordered;
        is_ordered
    }

    /// Whether a dependency goes with those chosen before it.
    fn fits(&mut self, chosen: &[u32], index: u32) -> bool {
        let all = &self.scan.table.all;
        let dependency = &all[index as usize];
        for &other in chosen {
            self.left = self.left.saturating_sub(1);
            let of = &all[other as usize];
            let woken = self.woken((of, other), (dependency, index));
            if let Some(obstacle) = apart(of, dependency).or(woken) {
                self.cycle.obstacles.insert(obstacle);
                return false;
            }
        }
        let place = chosen.len();
        let before = chosen.last().map(|&before| (before, index, place));
        let closing = (place + 1 == self.edges.len()).then(|| {
            let first = chosen.first().copied().unwrap_or(index);
            (index, first, 0)
        });
        let pairs = before.into_iter().chain(closing);
        let met = pairs.into_iter().all(|(wanting, holding, place)| {
            keeps_out(
                &all[holding as usize],
                &all[wanting as usize],
                &self.cycle.nodes,
                place,
            )
        });
        if !met {
            self.cycle.obstacles.insert(Obstacle::Shared);
        }
        met
    }

    /// Whether one of two has notified the other one, who waits.
    fn woken(&self, one: (&Dependency, u32), other: (&Dependency, u32)) -> Option<Obstacle> {
        let pairs = [(one, other), (other, one)];
        let mut found = pairs
            .into_iter()
            .filter_map(|((waiter, _), (holder, index))| {
                let Wanted::Notice(lock) = waiter.wanted else {
                    return None;
                };
                let woken = &self.scan.woken;
                woken
                    .is_woken(waiter.thread, lock, (index, holder))
                    .then_some(Obstacle::Woken(holder.thread))
            });
        found.next()
    }

    /// Whoever notified those that wait without any of the locks kept from him.
    fn helpers(&self, chosen: &[u32]) -> Vec<(Lock, Thread)> {
        let all = &self.scan.table.all;
        let threads = chosen.iter().map(|&index| all[index as usize].thread);
        let threads: BTreeSet<Thread> = threads.collect();
        let kept = KeptOut::by(self.scan, chosen);
        // A latch waits for everybody: that somebody else has done his part helps nobody.
        let is_latch = |lock: Lock| self.scan.nature(lock).latch.is_some();
        let awaited = self.cycle.nodes.iter().filter_map(|node| match node {
            Node::Notice(lock) if !is_latch(*lock) => Some(*lock),
            _ => None,
        });
        let found = awaited.flat_map(|lock| {
            let range = (lock, Thread(0))..=(lock, Thread(u32::MAX));
            let ways = self.scan.errands.ways.range(range);
            let others = ways.filter(|((_, thread), _)| !threads.contains(thread));
            others.filter(|(_, ways)| ways.is_any_without(|way| kept.needs(way)))
        });
        found.map(|(&helper, _)| helper).take(HELPERS + 1).collect()
    }
}

/// What those of a choice keep from others.
pub(super) struct KeptOut<'s> {
    scan: &'s Scan,
    locks: BTreeMap<Lock, Vec<Mode>>,
}

impl<'s> KeptOut<'s> {
    pub(super) fn by(scan: &'s Scan, choice: &[u32]) -> Self {
        let mut locks: BTreeMap<Lock, Vec<Mode>> = BTreeMap::new();
        let all = choice.iter().map(|&index| &scan.table.all[index as usize]);
        for (lock, mode) in all.flat_map(Dependency::keeps) {
            locks.entry(lock).or_default().push(mode);
        }
        Self { scan, locks }
    }

    /// Whether somebody on that way needs it, or has it and so keeps them from it.
    pub(super) fn needs(&self, way: &Way) -> bool {
        let wants = |index: &u32| {
            let dependency = &self.scan.table.all[*index as usize];
            matches!(dependency.wanted, Wanted::Lock(lock, _) if self.locks.contains_key(&lock))
        };
        let has = |(lock, mode): &(Lock, Mode)| {
            let kept = self.locks.get(lock).into_iter().flatten();
            kept.into_iter().any(|kept| kept.excludes(*mode))
        };
        way.taken.iter().any(wants) || way.held.iter().any(has)
    }
}

/// Why two dependencies cannot be at the same time.
pub(super) fn apart(a: &Dependency, b: &Dependency) -> Option<Obstacle> {
    if a.thread == b.thread {
        return Some(Obstacle::OneThread);
    }
    let gate = a.keeps().find(|&(lock, mode)| {
        b.keeps()
            .any(|(other, how)| other == lock && mode.excludes(how))
    });
    gate.map(|(lock, _)| Obstacle::Gate(lock))
}

/// Whether one keeps from the other what it wants.
fn keeps_out(holding: &Dependency, wanting: &Dependency, nodes: &[Node], place: usize) -> bool {
    match (nodes[place], wanting.wanted) {
        (Node::Lock(lock), Wanted::Lock(_, mode)) => {
            let Some(hold) = holding.hold(lock) else {
                return false;
            };
            // Who goes first waits for those that share it: another one keeps all of them out by himself.
            let before = nodes[(place + nodes.len() - 1) % nodes.len()];
            let behind = before == Node::Turn(lock) && hold.mode != Mode::Shared;
            hold.mode.keeps_out(mode) && !behind
        }
        _ => true,
    }
}
