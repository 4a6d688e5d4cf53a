//! Whether the threads of a cycle can be in it at the same time.
//!
//! A cycle of nodes or of objects gives for each of its edges the dependencies that were seen
//! there. It stands if one can be chosen for each edge so that their threads differ, no lock is
//! held by two of them, and neither start nor join orders any two. The choice is a search with
//! a bound; what it could not decide counts as standing, and is said to be undecided.

use super::chart::NodeIx;
use super::gate::{Gate, Gates};
use super::graph::{Objects, Reason};
use super::held::{EPOCHS, Hold};
use super::ledger::Dependency;
use super::order::{By, Clock, Order};
use locklens_trace::{LockId, Nanos, ThreadId};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Pairs of dependencies compared for one question.
const COMPARISONS: usize = 200_000;
/// Entries of clocks that are kept.
const KEPT: usize = 2_000_000;
/// And for a whole recording.
const ALL_COMPARISONS: usize = 40_000_000;

/// A dependency as an edge: the lock wanted, and one of those held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice {
    /// Index of the dependency.
    pub(super) dependency: usize,
    /// Index of the lock held.
    pub(super) hold: usize,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// These can be together.
    Stands(Vec<Choice>, Objects),
    /// The search was given up.
    Undecided(Vec<Choice>),
    /// No choice can; these would, but for the reasons.
    Excluded(Vec<Choice>, Vec<Reason>, Objects),
}

/// What a choice must satisfy besides distinct threads.
#[derive(Clone, Copy, Debug)]
struct Demand {
    objects: Objects,
    gates: bool,
    order: By,
    /// Who wants a lock together with who holds it so gets it.
    modes: bool,
}

const ANY: Demand = Demand {
    objects: Objects::Apart,
    gates: true,
    order: By::Starts,
    modes: true,
};

enum Search {
    Found(Vec<Choice>),
    None,
    GivenUp,
}

/// For each edge the first that was seen there.
fn first(edges: &[Vec<Choice>]) -> Vec<Choice> {
    edges.iter().map(|edge| edge[0]).collect()
}

/// Clocks that were asked for, and how many entries they have.
#[derive(Debug, Default)]
struct Clocks {
    of: HashMap<(ThreadId, Nanos, By), Rc<Clock>>,
    entries: usize,
}

/// Judges the cycles of one recording.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    pub(super) dependencies: &'a [Dependency],
    pub(super) gates: Gates,
    order: &'a Order,
    clocks: RefCell<Clocks>,
    left: Cell<usize>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(dependencies: &'a [Dependency], gates: Gates, order: &'a Order) -> Self {
        Self {
            dependencies,
            gates,
            order,
            clocks: RefCell::new(Clocks::default()),
            left: Cell::new(ALL_COMPARISONS),
        }
    }

    fn dependency(&self, choice: Choice) -> &'a Dependency {
        &self.dependencies[choice.dependency]
    }

    fn hold(&self, choice: Choice) -> &'a Hold {
        &self.dependency(choice).holds[choice.hold]
    }

    /// Judges a cycle, given what was seen at each of its edges in turn.
    pub(super) fn judge(&self, edges: &[Vec<Choice>]) -> Judgement {
        if let Some(by) = self.chain(edges) {
            let inferred = by == By::Starts;
            let reasons = vec![Reason::Order { inferred }];
            return Judgement::Excluded(first(edges), reasons, Objects::Unknown);
        }
        for objects in [Objects::Same, Objects::Unknown] {
            let demand = Demand { objects, ..ANY };
            if let Search::Found(chosen) = self.search(edges, demand) {
                return Judgement::Stands(chosen, objects);
            }
        }
        let few = self.representatives(edges);
        match self.search(&few, ANY) {
            Search::Found(chosen) => Judgement::Stands(chosen, Objects::Apart),
            Search::GivenUp => Judgement::Undecided(first(&few)),
            Search::None => {
                let presumed = self.presumed(edges, &few);
                presumed.unwrap_or_else(|| self.excluded(&few))
            }
        }
    }

    /// By what all that was seen at any edge came one after the other, where there are too many choices to look at all of them: each thread
    /// is started when the one before has been joined.
    fn chain(&self, edges: &[Vec<Choice>]) -> Option<By> {
        let choices = edges.iter().map(Vec::len);
        if self.order.is_empty() || choices.fold(1, usize::saturating_mul) <= COMPARISONS {
            return None;
        }
        let all: BTreeSet<usize> = edges.iter().flatten().map(|c| c.dependency).collect();
        let all = all.iter().map(|&index| &self.dependencies[index]);
        let mut all: Vec<&Dependency> = all.collect();
        all.sort_unstable_by_key(|one| (one.first, one.last, one.thread));
        let are_apart = |by: &By| {
            all.windows(2).all(|pair| {
                let (a, b) = (pair[0], pair[1]);
                let in_turn = || {
                    let (a, b) = ((a.thread, a.last), (b.thread, b.first));
                    a.0 == b.0 || self.order.is_before(a, b, *by)
                };
                a.last < b.first && in_turn()
            })
        };
        [By::Joins, By::Starts].into_iter().find(are_apart)
    }

    /// What these would be, if starts that are only inferred did not exclude it.
    fn presumed(&self, edges: &[Vec<Choice>], few: &[Vec<Choice>]) -> Option<Judgement> {
        if !self.order.has_starts() {
            return None;
        }
        let told = |chosen, objects| {
            let reasons = vec![Reason::Order { inferred: true }];
            Judgement::Excluded(chosen, reasons, objects)
        };
        let joins = |objects| Demand {
            objects,
            order: By::Joins,
            ..ANY
        };
        for objects in [Objects::Same, Objects::Unknown] {
            if let Search::Found(chosen) = self.search(edges, joins(objects)) {
                return Some(told(chosen, objects));
            }
        }
        match self.search(few, joins(Objects::Apart)) {
            Search::Found(chosen) => Some(told(chosen, Objects::Apart)),
            Search::GivenUp => Some(told(first(few), Objects::Unknown)),
            Search::None => None,
        }
    }

    /// Why nothing stands, whoever started whom.
    fn excluded(&self, edges: &[Vec<Choice>]) -> Judgement {
        let told = |chosen, reasons| Judgement::Excluded(chosen, reasons, Objects::Unknown);
        let relaxed = |modes, gates, order| {
            self.search(
                edges,
                Demand {
                    objects: Objects::Apart,
                    gates,
                    order,
                    modes,
                },
            )
        };
        if let Search::Found(chosen) = relaxed(false, true, By::Joins) {
            return told(chosen, vec![Reason::Shared]);
        }
        if let Search::Found(chosen) = relaxed(true, false, By::Joins) {
            let reasons = self.gate(&chosen).into_iter().collect();
            return told(chosen, reasons);
        }
        let order = Reason::Order { inferred: false };
        if let Search::Found(chosen) = relaxed(true, true, By::Nothing) {
            return told(chosen, vec![order]);
        }
        match relaxed(true, false, By::Nothing) {
            Search::Found(chosen) => {
                let gate = self.gate(&chosen).into_iter();
                let reasons = gate.chain([order]).collect();
                told(chosen, reasons)
            }
            Search::None => told(first(edges), vec![Reason::OneThread]),
            Search::GivenUp => told(first(edges), Vec::new()),
        }
    }

    /// The gates among these.
    fn gate(&self, chosen: &[Choice]) -> Option<Reason> {
        let mut found: BTreeSet<Gate> = BTreeSet::new();
        for (index, &a) in chosen.iter().enumerate() {
            let holds = |c| &self.dependency(c).holds;
            let others = chosen[..index].iter();
            found.extend(others.filter_map(|&b| self.gates.between(holds(a), holds(b))));
        }
        let nodes: BTreeSet<NodeIx> = found.iter().map(|gate| gate.node).collect();
        (!nodes.is_empty()).then(|| Reason::Gate {
            nodes: nodes.into_iter().collect(),
            inferred: found.iter().any(|gate| gate.inferred),
        })
    }

    /// One of all that make no difference to any question but that of objects: equal in thread,
    /// part of its life, and in every lock held that could be a gate. Of these the latest.
    fn representatives(&self, edges: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
        let all = edges.iter().flatten();
        let inner: BTreeSet<NodeIx> = all.flat_map(|&c| self.others(c).map(|h| h.node)).collect();
        edges
            .iter()
            .map(|edge| self.distinct(edge, &inner))
            .collect()
    }

    fn distinct(&self, edge: &[Choice], inner: &BTreeSet<NodeIx>) -> Vec<Choice> {
        let mut latest: BTreeMap<_, Choice> = BTreeMap::new();
        for &choice in edge {
            let dependency = self.dependency(choice);
            let hold = self.hold(choice);
            let object = inner.contains(&hold.node).then_some(hold.object);
            let others: Vec<(NodeIx, Option<LockId>)> =
                self.others(choice).map(|h| (h.node, h.object)).collect();
            // The last part of a long life is not one part: its beginnings differ.
            let began = (dependency.epoch == EPOCHS).then_some(dependency.first);
            let part = (dependency.epoch, began);
            let key = (dependency.thread, part, object, others);
            let best = latest.entry(key).or_insert(choice);
            if self.dependency(*best).last < dependency.last {
                *best = choice;
            }
        }
        latest.into_values().collect()
    }

    /// Locks held besides the one of the edge.
    fn others(&self, choice: Choice) -> impl Iterator<Item = &'a Hold> {
        let holds = self.dependency(choice).holds.iter().enumerate();
        holds
            .filter(move |&(index, _)| index != choice.hold)
            .map(|(_, hold)| hold)
    }

    /// Chooses one for each edge.
    fn search(&self, edges: &[Vec<Choice>], demand: Demand) -> Search {
        let mut chosen: Vec<Choice> = Vec::new();
        let mut next = vec![0];
        let mut comparisons = COMPARISONS.min(self.left.get());
        while let Some(tried) = next.last_mut() {
            let Some(&choice) = edges[chosen.len()].get(*tried) else {
                next.pop();
                chosen.pop();
                continue;
            };
            *tried += 1;
            let left = comparisons.checked_sub(chosen.len() + 1);
            let Some(left) = left.filter(|_| self.left.get() > 0) else {
                return Search::GivenUp;
            };
            comparisons = left;
            self.left
                .set(self.left.get().saturating_sub(chosen.len() + 1));
            if !self.fits(&chosen, choice, edges.len(), demand) {
                continue;
            }
            chosen.push(choice);
            if chosen.len() == edges.len() {
                return Search::Found(chosen);
            }
            next.push(0);
        }
        Search::None
    }

    /// Whether a choice for the next edge goes with those before it.
    fn fits(&self, chosen: &[Choice], choice: Choice, edges: usize, demand: Demand) -> bool {
        let together = chosen
            .iter()
            .all(|&other| self.together(other, choice, demand));
        let before = chosen
            .last()
            .is_none_or(|&last| self.meets(last, choice, demand));
        let closes = chosen.len() + 1 < edges
            || chosen
                .first()
                .is_none_or(|&first| self.meets(choice, first, demand));
        together && before && closes
    }

    /// Whether the lock that one wants can be the one that the other holds, as far as is asked.
    fn meets(&self, one: Choice, other: Choice, demand: Demand) -> bool {
        if demand.modes && self.dependency(one).shared && self.hold(other).shared {
            return false;
        }
        let (wanted, held) = (self.dependency(one).object, self.hold(other).object);
        match (demand.objects, wanted.zip(held)) {
            (Objects::Apart, _) | (Objects::Unknown, None) => true,
            (Objects::Same, None) => false,
            (_, Some((wanted, held))) => wanted == held,
        }
    }

    fn together(&self, a: Choice, b: Choice, demand: Demand) -> bool {
        let (a, b) = (self.dependency(a), self.dependency(b));
        a.thread != b.thread
            && !(demand.gates && self.gates.between(&a.holds, &b.holds).is_some())
            && !(self.before(a, b, demand.order) || self.before(b, a, demand.order))
    }

    /// Whether all of one was over before any of the other.
    fn before(&self, a: &Dependency, b: &Dependency, by: By) -> bool {
        if by == By::Nothing || self.order.is_empty() {
            return false;
        }
        let clock = self.clock(b.thread, b.first, by);
        clock
            .get(&a.thread)
            .is_some_and(|&reached| a.last <= reached)
    }

    fn clock(&self, thread: ThreadId, at: Nanos, by: By) -> Rc<Clock> {
        let mut clocks = self.clocks.borrow_mut();
        if let Some(clock) = clocks.of.get(&(thread, at, by)) {
            return Rc::clone(clock);
        }
        let clock = Rc::new(self.order.clock(thread, at, by));
        clocks.entries += clock.len() + 1;
        if clocks.entries > KEPT {
            clocks.of.clear();
            clocks.entries = clock.len() + 1;
        }
        // To make one takes as long as many comparisons.
        let left = self.left.get().saturating_sub(clock.len());
        self.left.set(left);
        clocks.of.insert((thread, at, by), Rc::clone(&clock));
        clock
    }
}
