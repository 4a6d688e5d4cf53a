//! A choice of dependencies in the words of a finding.

use super::candidates::Node;
use super::finding::{
    Finding, Kind, Memory, Names, Part, Resource, Tier, What, known_by, stable_id,
};
use super::follow::Wanted;
use super::judge::{Best, Key};
use super::scan::{Dependency, Scan};
use super::step::{Lock, Mode, Site};

/// A node by name.
pub(super) fn resource(names: &dyn Names, node: Node) -> Resource {
    let (lock, what) = match node {
        Node::Lock(lock) => (lock, What::Lock),
        Node::Notice(lock) => (lock, What::Notify),
        Node::End(thread) => return end(names, thread),
    };
    let known = names.lock(lock);
    let name = match what {
        What::Notify => format!("notify of {}", known.name),
        What::Lock | What::End => known.name,
    };
    Resource {
        name,
        id: known.id,
        types: known.types,
        mode: Mode::Exclusive.name(),
        what,
        object: known.object,
    }
}

fn end(names: &dyn Names, thread: super::step::Thread) -> Resource {
    Resource {
        name: format!("end of {}", names.stable_thread(thread)),
        id: names.thread(thread).name,
        types: "THREAD".to_owned(),
        mode: Mode::Exclusive.name(),
        what: What::End,
        object: None,
    }
}

/// The finding that a choice is.
pub(super) fn finding(scan: &Scan, names: &dyn Names, key: &Key, best: Best<'_>) -> Finding {
    let writer = Writer { names };
    let mut locks: Vec<Resource> = best
        .cycle
        .nodes
        .iter()
        .map(|&node| resource(names, node))
        .collect();
    let mut edges: Vec<Part> = Vec::new();
    for (place, &index) in best.choice.iter().enumerate() {
        let dependency = &scan.table.all[index as usize];
        let node = best.cycle.nodes[place];
        locks[place].mode = writer.mode(dependency, node);
        edges.push(writer.part(dependency, node));
    }
    let by = start(&locks, &key.1);
    locks.rotate_left(by);
    edges.rotate_left(by);
    let (kind, around) = key;
    Finding {
        id: stable_id(*kind, around),
        tier: best.proof.tier,
        kind: *kind,
        stall: edges.iter().any(|edge| edge.timed),
        locks,
        edges,
        patterns: best.patterns,
        unserved: None,
        memory: best.proof.memory(),
        remarks: remarks(names, &best, *kind),
    }
}

fn remarks(names: &dyn Names, best: &Best<'_>, kind: Kind) -> Vec<String> {
    let nested = "taken for granted: nobody else notifies, and the wait is entered again";
    let nested = (kind == Kind::NestedWait).then(|| nested.to_owned());
    let why = best.proof.why.map(|why| why.words(names));
    why.into_iter().chain(nested).collect()
}

/// By how much the cycle is turned so that it reads as its key.
fn start(locks: &[Resource], key: &[String]) -> usize {
    let reads = |by: &usize| {
        let turned = locks[*by..].iter().chain(&locks[..*by]);
        turned.map(|lock| &lock.name).eq(key)
    };
    (0..locks.len()).find(reads).unwrap_or(0)
}

/// Names what a dependency is about.
pub(super) struct Writer<'w> {
    pub(super) names: &'w dyn Names,
}

impl Writer<'_> {
    fn mode(&self, dependency: &Dependency, node: Node) -> &'static str {
        let held = match node {
            Node::Lock(lock) => dependency.hold(lock),
            Node::Notice(_) | Node::End(_) => None,
        };
        held.map_or(Mode::Exclusive, |hold| hold.mode).name()
    }

    fn part(&self, dependency: &Dependency, node: Node) -> Part {
        let held = match node {
            Node::Lock(lock) => Some(lock),
            Node::Notice(_) | Node::End(_) => None,
        };
        let mode = match dependency.wanted {
            Wanted::Lock(_, mode) => mode,
            Wanted::Notice(_) | Wanted::End(_) => Mode::Exclusive,
        };
        self.described(dependency, held, mode)
    }

    /// A dependency by itself: of the locks held the first is told with its place.
    pub(super) fn wanting(&self, dependency: &Dependency, mode: Mode) -> Part {
        let first = dependency.keeps().next();
        self.described(dependency, first.map(|(lock, _)| lock), mode)
    }

    fn described(&self, dependency: &Dependency, held: Option<Lock>, mode: Mode) -> Part {
        let hold = held.and_then(|lock| dependency.hold(lock));
        let besides = dependency.keeps().filter(|&(lock, _)| Some(lock) != held);
        Part {
            thread: self.names.thread(dependency.thread),
            holds_at: self.chain(hold.and_then(|hold| hold.site)),
            wants_at: self.chain(dependency.site),
            mode: mode.name(),
            count: dependency.count,
            timed: dependency.timed,
            also_holds: besides
                .map(|(lock, _)| self.names.lock(lock).name)
                .collect(),
        }
    }

    pub(super) fn chain(&self, site: Option<Site>) -> Vec<String> {
        site.map_or_else(Vec::new, |site| self.names.chain(site))
    }

    /// The finding of threads that did get stuck on each other.
    pub(super) fn happened(&self, nodes: &[Node], parts: Vec<Part>) -> Finding {
        let locks: Vec<Resource> = nodes
            .iter()
            .map(|&node| resource(self.names, node))
            .collect();
        let names = locks.iter().map(|lock| lock.name.clone()).collect();
        let id = stable_id(Kind::Order, &known_by(names));
        Finding {
            id,
            tier: Tier::T0,
            kind: Kind::Order,
            stall: false,
            locks,
            edges: parts,
            patterns: 1,
            unserved: None,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        }
    }
}
