//! What the nesting graph and the report know besides: nesting seen on call chains, and deadlocks that the JVM told.
//!
//! Where every acquisition was recorded, its own dependencies say more than the graph, and are believed.

use super::finding::{
    Excluded, Finding, Kind, Memory, Part, Report, Resource, Tier, What, known_by, stable_id,
};
use super::lockouts::{blocked_for_long, unowned};
use super::step::Mode;
use super::{ONE_THREAD, sort};
use crate::effects::is_platform_name;
use crate::model::{CallChain, Deadlock, Model, Stuck};
use crate::nesting::graph::{Cycle, CycleEdge, Fate, Graph, Known, Objects, Reason, ThreadName};
use locklens_trace::LockId;
use std::collections::{BTreeMap, BTreeSet};

const STOOD: &str =
    "each of its threads had been blocked there for more than a second when the recording ended";

impl Report {
    /// Adds what the nesting graph and the report of the same recording tell.
    /// `apart`: names of lock objects that do not go by that of their logical lock.
    pub fn add_watched(&mut self, graph: &Graph, model: &Model, apart: &BTreeMap<LockId, String>) {
        let long = blocked_for_long(model);
        // What goes by the names of its parts was judged by them.
        let is_apart = |edge: &CycleEdge| {
            let held = edge.holds.map(LockId);
            held.is_some_and(|lock| apart.contains_key(&lock))
        };
        let judged = |cycle: &&Cycle| is_recorded(graph, cycle) && cycle.edges.iter().any(is_apart);
        for cycle in graph
            .cycles
            .iter()
            .filter(|cycle| cycle.fate == Fate::Happened || !judged(cycle))
        {
            self.add_cycle(graph, cycle, &long);
        }
        for deadlock in model
            .deadlocks
            .iter()
            .filter(|deadlock| !graph.shows(deadlock))
        {
            let finding = of_deadlock(model, deadlock);
            if !self.has_happened(&finding) {
                self.add(finding);
            }
        }
        let excluded = graph.excluded.iter().filter(|cycle| !judged(cycle));
        let (presumed, excluded): (Vec<_>, Vec<_>) = excluded.partition(|c| c.fate.is_presumed());
        for cycle in presumed {
            let finding = of_cycle(graph, cycle);
            if !self.knows(&finding.id, &names(graph, cycle)) {
                self.add(finding);
            }
        }
        for cycle in excluded {
            self.add_excluded(graph, cycle);
        }
        self.add_likely(model);
        self.add_lockouts(model);
        self.notes.extend(unowned(model, &self.findings));
        sort(&mut self.findings);
    }

    fn add_cycle(&mut self, graph: &Graph, cycle: &Cycle, long: &BTreeSet<(Option<u64>, &str)>) {
        let mut finding = of_cycle(graph, cycle);
        if stood_there(cycle, long) {
            finding.tier = Tier::T4;
            finding.remarks.push(STOOD.to_owned());
        }
        let judged = is_recorded(graph, cycle) && finding.tier != Tier::T0;
        if judged && self.knows(&finding.id, &names(graph, cycle)) {
            return;
        }
        if finding.tier == Tier::T0 && self.has_happened(&finding) {
            return;
        }
        self.excluded.retain(|excluded| excluded.id != finding.id);
        self.add(finding);
    }

    /// Whether it has been judged by its dependencies, one way or the other: of which kind it is, they know better.
    fn knows(&self, id: &str, locks: &[String]) -> bool {
        let found = self
            .findings
            .iter()
            .any(|finding| finding.id == id || around(finding) == locks);
        let is = |excluded: &Excluded| excluded.id == id || excluded.locks == locks;
        found || self.excluded.iter().any(is)
    }

    /// Whether its threads are known to be stuck on each other.
    fn has_happened(&self, finding: &Finding) -> bool {
        let happened = self.findings.iter().filter(|known| known.tier == Tier::T0);
        let mut around = happened.map(around);
        around.any(|locks| locks == self::around(finding))
    }

    /// Of two proofs of one deadlock the better one stays.
    pub(super) fn add(&mut self, finding: Finding) {
        match self
            .findings
            .iter_mut()
            .find(|known| known.id == finding.id)
        {
            Some(known) if finding.tier < known.tier => *known = finding,
            Some(_) => {}
            None => self.findings.push(finding),
        }
    }

    fn add_excluded(&mut self, graph: &Graph, cycle: &Cycle) {
        let locks = names(graph, cycle);
        let id = stable_id(Kind::Order, &locks);
        // What keeps threads apart where not every acquisition was recorded only the graph knows.
        let gated = !graph.exact
            && matches!(&cycle.fate, Fate::Excluded(reasons) if reasons.iter().any(|r| matches!(r, Reason::Gate { .. })));
        let stands = |other: &Cycle| stable_id(Kind::Order, &names(graph, other)) == id;
        let presumed = graph.excluded.iter().filter(|c| c.fate.is_presumed());
        if gated && !graph.cycles.iter().chain(presumed).any(stands) {
            self.findings
                .retain(|finding| finding.named() != id || finding.tier == Tier::T0);
        }
        if self.knows(&id, &locks) {
            return;
        }
        let reasons = match &cycle.fate {
            Fate::Excluded(reasons) => reasons.iter().map(|r| words(graph, r)).collect(),
            _ => Vec::new(),
        };
        self.excluded.push(Excluded { id, locks, reasons });
    }
}

/// Whether all of it is among the dependencies that were judged.
pub(super) fn is_recorded(graph: &Graph, cycle: &Cycle) -> bool {
    let mut edges = cycle.edges.iter();
    graph.exact && edges.all(|edge| edge.known == Known::Exact)
}

pub(super) fn names(graph: &Graph, cycle: &Cycle) -> Vec<String> {
    let names = cycle.nodes.iter().map(|&ix| graph.nodes[ix].name.clone());
    known_by(names.collect())
}

/// Names of a finding, as the graph has them.
pub(super) fn around(finding: &Finding) -> Vec<String> {
    let locks = finding.locks.iter().filter(|lock| lock.what != What::Turn);
    known_by(locks.map(|lock| lock.name.clone()).collect())
}

fn words(graph: &Graph, reason: &Reason) -> String {
    match reason {
        Reason::Shared => "those who share a lock do not keep each other out".to_owned(),
        Reason::OneThread => ONE_THREAD.to_owned(),
        Reason::Searched(why) => why.join("; "),
        Reason::Gate { nodes, .. } => {
            let names: Vec<_> = nodes
                .iter()
                .map(|&ix| graph.nodes[ix].name.as_str())
                .collect();
            format!("held around all of it: {}", names.join(", "))
        }
        Reason::Order { inferred } => {
            let how = match inferred {
                true => {
                    "start or join puts one thread before the other (who started it is inferred)"
                }
                false => "join puts one thread before the other",
            };
            how.to_owned()
        }
    }
}

fn of_cycle(graph: &Graph, cycle: &Cycle) -> Finding {
    let tier = match (&cycle.fate, cycle.objects) {
        (Fate::Happened, _) => Tier::T0,
        (Fate::Stands, Objects::Same) => Tier::T4,
        _ => Tier::T5,
    };
    let locks = cycle.edges.iter().map(|edge| {
        let node = &graph.nodes[edge.from];
        let types: Vec<_> = node.types.iter().map(|t| t.name()).collect();
        Resource {
            name: node.name.clone(),
            id: node.id.to_string(),
            types: types.join("+"),
            mode: Mode::Exclusive.name(),
            what: What::Lock,
            object: edge.holds.map(object),
        }
    });
    Finding {
        id: stable_id(Kind::Order, &names(graph, cycle)),
        tier,
        kind: Kind::Order,
        stall: false,
        locks: locks.collect(),
        edges: (0..cycle.edges.len()).map(|at| part(cycle, at)).collect(),
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: remarks(cycle),
    }
}

/// All of its threads had been blocked there for long when the recording ended.
fn stood_there(cycle: &Cycle, long: &BTreeSet<(Option<u64>, &str)>) -> bool {
    let mut edges = cycle.edges.iter();
    let unknown = (&cycle.fate, cycle.objects) == (&Fate::Stands, Objects::Unknown);
    let is_long = |thread: &ThreadName| long.contains(&(thread.tid, thread.name.as_str()));
    unknown && edges.all(|edge| edge.blocked_at_end && !edge.after_wait && is_long(&edge.thread))
}

fn part(cycle: &Cycle, at: usize) -> Part {
    let edge = &cycle.edges[at];
    let next = &cycle.edges[(at + 1) % cycle.edges.len()];
    let other = edge.wants.filter(|_| edge.wants != next.holds);
    Part {
        thread: edge.thread.clone(),
        holds_at: in_program(&edge.outer),
        wants_at: in_program(&edge.inner),
        wants_object: other.map(object),
        mode: Mode::Exclusive.name(),
        count: edge.count,
        timed: false,
        also_at: Vec::new(),
        also_holds: Vec::new(),
    }
}

fn object(number: u32) -> String {
    format!("object {number}")
}

/// A call chain from the place where the program calls the JDK's locks.
pub(super) fn in_program(frames: &[String]) -> Vec<String> {
    let first = frames.iter().position(|frame| !is_platform_name(frame));
    let frames = frames[first.unwrap_or(0)..].iter();
    frames.map(|frame| place(frame)).collect()
}

/// `Shop.sell(Shop.java:12)` as `Shop.sell:12`, which is how places are told elsewhere.
fn place(frame: &str) -> String {
    let parts = frame
        .strip_suffix(')')
        .and_then(|frame| frame.split_once('('));
    let Some((method, file)) = parts else {
        return frame.to_owned();
    };
    match file.rsplit_once(':') {
        Some((_, line)) => format!("{method}:{line}"),
        None => method.to_owned(),
    }
}

fn remarks(cycle: &Cycle) -> Vec<String> {
    let stack = cycle.edges.iter().any(|edge| edge.known == Known::Stack);
    let objects = match cycle.objects {
        Objects::Same => None,
        Objects::Unknown => Some("which objects are held and wanted is not known of all"),
        Objects::Apart => Some("never seen on the same objects"),
    };
    let stack = stack.then_some("that locks are held is known from call chains");
    let undecided =
        (cycle.fate == Fate::Undecided).then_some("the search for what excludes it was given up");
    let presumed = cycle.fate.is_presumed().then_some(
        "one thread was over before the other began, if who started it is inferred right",
    );
    stack
        .into_iter()
        .chain(objects)
        .chain(undecided)
        .chain(presumed)
        .map(str::to_owned)
        .collect()
}

/// A ring of threads that the recording ended with.
pub(super) fn of_deadlock(model: &Model, deadlock: &Deadlock) -> Finding {
    let threads = &deadlock.threads;
    // What a thread holds is what the one before it wants.
    let before = threads.iter().cycle().skip(threads.len().saturating_sub(1));
    let locks: Vec<Resource> = before
        .take(threads.len())
        .map(|stuck| wanted(model, stuck))
        .collect();
    let known = known_by(locks.iter().map(|lock| lock.name.clone()).collect());
    // Each is owned by one thread alone. Who wants to read it shares it.
    let kind = match threads.iter().any(reads) {
        true => Kind::ReadWrite,
        false => Kind::Order,
    };
    Finding {
        id: stable_id(kind, &known),
        tier: Tier::T0,
        kind,
        stall: false,
        locks,
        edges: threads.iter().map(stuck).collect(),
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: Vec::new(),
    }
}

/// It wants to read a lock that another thread writes.
fn reads(stuck: &Stuck) -> bool {
    let frames = stuck.chain.iter().flat_map(|chain| &chain.frames);
    let mut above = frames.take_while(|frame| is_platform_name(frame));
    above.any(|frame| frame.contains("ReentrantReadWriteLock$ReadLock."))
}

pub(super) fn wanted(model: &Model, stuck: &Stuck) -> Resource {
    let lock = model.locks.iter().find(|lock| Some(lock.id) == stuck.lock);
    let types = lock
        .into_iter()
        .flat_map(|lock| &lock.types)
        .map(|v| v.lock_type.name());
    Resource {
        name: lock.map_or_else(|| stuck.class.clone(), |lock| lock.name.clone()),
        id: stuck.lock.map_or_else(String::new, |id| id.to_string()),
        types: types.collect::<Vec<_>>().join("+"),
        mode: Mode::Exclusive.name(),
        what: What::Lock,
        object: Some(object(stuck.object)),
    }
}

fn stuck(stuck: &Stuck) -> Part {
    let frames = |chain: &CallChain| in_program(&chain.frames);
    let thread = ThreadName {
        name: stuck.thread.clone(),
        tid: stuck.tid,
    };
    Part::wanting(thread, stuck.chain.as_ref().map(frames).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::Nanos;

    fn edge(holds: u32, wants: u32) -> CycleEdge {
        CycleEdge {
            from: 0,
            to: 0,
            thread: ThreadName {
                name: "t".to_owned(),
                tid: None,
            },
            known: Known::Exact,
            outer: Vec::new(),
            inner: Vec::new(),
            first: Nanos(0),
            count: 1,
            holds: Some(holds),
            wants: Some(wants),
            after_wait: false,
            blocked_at_end: false,
        }
    }

    #[test]
    fn threads_that_stood_long_around_a_cycle_when_the_recording_ended_are_more_than_a_cycle_of_kinds()
     {
        let stood = |blocked_at_end, objects, long: &[&'static str]| {
            let edges = [true, blocked_at_end].map(|blocked_at_end| CycleEdge {
                blocked_at_end,
                ..edge(1, 2)
            });
            let cycle = Cycle {
                judged: Vec::new(),
                id: String::new(),
                nodes: vec![0, 0],
                edges: edges.into(),
                fate: Fate::Stands,
                objects,
            };
            stood_there(&cycle, &long.iter().map(|&name| (None, name)).collect())
        };
        assert!(stood(true, Objects::Unknown, &["t"]));
        assert!(!stood(true, Objects::Unknown, &[]));
        assert!(!stood(false, Objects::Unknown, &["t"]));
        assert!(!stood(true, Objects::Apart, &["t"]));
    }

    /// As exact recordings and dumps of the same threads have it: one name for one deadlock.
    #[test]
    fn a_ring_of_locks_of_two_makes_is_of_the_kind_that_its_modes_make_it() {
        let kind = |method: &str| {
            let thread = |lock: u32| Stuck {
                thread: format!("t{lock}"),
                tid: None,
                since: Nanos(1),
                object: lock,
                class: "java.lang.Object".to_owned(),
                lock: Some(lock),
                known: None,
                chain: Some(CallChain {
                    frames: vec![format!("{method}(A.java)"), "app.A.b(A.java:1)".to_owned()],
                    cut: false,
                }),
            };
            let threads = vec![thread(1), thread(2)];
            of_deadlock(&Model::default(), &Deadlock { threads }).kind
        };
        assert_eq!(
            kind("java.util.concurrent.locks.ReentrantLock.lock"),
            Kind::Order
        );
        assert_eq!(
            kind("java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock"),
            Kind::Order
        );
        assert_eq!(
            kind("java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock"),
            Kind::ReadWrite
        );
    }

    #[test]
    fn who_wants_another_object_than_the_next_one_holds_is_told_with_that() {
        let cycle = Cycle {
            judged: Vec::new(),
            id: String::new(),
            nodes: Vec::new(),
            edges: vec![edge(6, 3), edge(3, 5)],
            fate: Fate::Stands,
            objects: Objects::Apart,
        };
        let wanted = |at| part(&cycle, at).wants_object;
        assert_eq!(wanted(0), None);
        assert_eq!(wanted(1).as_deref(), Some("object 5"));
    }
}
