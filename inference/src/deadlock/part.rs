//! A choice of dependencies in the words of a finding.

use super::candidates::Node;
use super::finding::{
    Awaited, Elsewhere, Finding, Kind, LockName, Memory, Names, Other, Part, Resource, Tier, What,
    identify, known_by, stable_id, unnumbered,
};
use super::follow::Wanted;
use super::kinds::Key;
use super::placed::{Spots, Stand};
use super::proof::Best;
use super::scan::Scan;
use super::step::{Lock, Mode, Nature, Site};
use super::table::Dependency;
use super::ways::taken;
use super::weakness::Weakness;
use std::collections::BTreeSet;

/// A node by name.
pub(super) fn resource(names: &dyn Names, node: Node) -> Resource {
    let (lock, what) = match node {
        Node::Lock(lock) => (lock, What::Lock),
        Node::Notice(lock) => (lock, What::Notify),
        Node::Turn(lock) => (lock, What::Turn),
        Node::End(thread) => return end(names, thread),
    };
    let known = names.lock(lock);
    let name = match what {
        What::Notify => format!("{} {}", awaited(&known), known.name),
        What::Turn => format!("turn at {}", known.name),
        What::Lock | What::Release | What::End | What::Init => known.name,
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

fn awaited(lock: &LockName) -> &'static str {
    match lock.awaited {
        Awaited::Count if lock.types == "JOIN" => "completion of",
        Awaited::Count => "count-down of",
        Awaited::Notify => "notify of",
        Awaited::Put => "put into",
        Awaited::Take => "take from",
        Awaited::Meeting => "meeting at",
        Awaited::Permit => "permit of",
    }
}

/// What somebody waits for who joins a thread of that name.
pub(crate) fn end_of(thread: &str) -> String {
    match thread {
        "" => "end of an unnamed thread".to_owned(),
        _ => format!("end of {thread}"),
    }
}

fn end(names: &dyn Names, thread: super::step::Thread) -> Resource {
    Resource {
        name: end_of(&names.stable_thread(thread)),
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
    let (locks, edges) = writer.around(scan, key, &best);
    let others = best.others.iter().map(|other| {
        let (locks, edges) = writer.around(scan, key, other);
        let tier = other.proof.tier;
        Other { tier, locks, edges }
    });
    let others = others.collect();
    let kind = key.named.0;
    Finding {
        id: key.id(),
        tier: best.proof.tier,
        kind,
        stall: best.stall,
        locks,
        edges,
        patterns: best.patterns,
        others,
        alike: best.alike,
        numbered: best.numbered,
        unserved: None,
        memory: best.proof.memory(),
        remarks: remarks(names, &best, kind)
            .chain(writer.natures(scan, &best))
            .chain(writer.others(scan, &best))
            .chain(unread(names, &best))
            .collect(),
    }
}

fn remarks(names: &dyn Names, best: &Best<'_>, kind: Kind) -> impl Iterator<Item = String> {
    let alone = kind == Kind::Upgrade && best.cycle.nodes.len() == 1;
    let nodes = best.cycle.nodes.iter();
    let awaited = nodes.filter_map(|node| match node {
        Node::Notice(lock) => Some(names.lock(*lock).awaited),
        _ => None,
    });
    let awaited: BTreeSet<Awaited> = awaited.collect();
    let said = match kind {
        Kind::NestedWait if awaited == BTreeSet::from([Awaited::Permit]) => {
            Some("taken for granted: nobody else gives permits, and the wait is entered again")
        }
        Kind::NestedWait if !awaited.contains(&Awaited::Notify) => {
            Some("taken for granted: nobody else comes, and the wait is entered again")
        }
        Kind::NestedWait => {
            Some("taken for granted: nobody else notifies, and the wait is entered again")
        }
        Kind::Upgrade if alone => Some(
            "one thread is enough: who shares this lock never gets it alone, not even if nobody else shares it",
        ),
        _ => None,
    };
    let turn = best
        .cycle
        .nodes
        .iter()
        .any(|node| matches!(node, Node::Turn(_)));
    let turn = turn.then_some("a reader waits behind a writer that waits itself, for a reader");
    let why = best.proof.why.map(|why| why.words(names));
    let besides = said.into_iter().chain(turn).map(str::to_owned);
    why.into_iter().chain(besides)
}

/// Said where memory decides nothing between two places of each thread.
const BETWEEN: &str = "by its code, as far as it is recorded, no thread of these reads a field between its two places that is set later than in a constructor, nor an element or an atomic: what one tells the other by memory can keep them apart only before they take the first";

/// What the code says of memory, where only locks are on the cycle and nothing else speaks against it.
fn unread(names: &dyn Names, best: &Best<'_>) -> Option<String> {
    let locks = best
        .cycle
        .nodes
        .iter()
        .all(|node| matches!(node, Node::Lock(_)));
    let stands = best.stands.len() == best.cycle.nodes.len();
    let said = best.proof.why.is_some_and(Weakness::is_of_order);
    if best.proof.tier != Tier::T3 || !locks || !stands || said {
        return None;
    }
    let each = best.stands.iter().map(|stand| names.unread(stand.at));
    let begin: Option<Vec<String>> =
        each.collect::<Option<Vec<_>>>()?
            .into_iter()
            .try_fold(Vec::new(), |mut all, begin| {
                all.extend(begin?);
                Some(all)
            });
    Some(match begin {
        None => BETWEEN.to_owned(),
        Some(begin) => {
            let begin: BTreeSet<String> = begin.into_iter().collect();
            let begin: Vec<String> = begin.into_iter().collect();
            format!(
                "{BETWEEN}; nor is anything read so on the known ways there from where they begin ({}): what is left is what came before that",
                begin.join(", ")
            )
        }
    })
}

/// By how much the cycle is turned so that it reads as its key.
fn start(locks: &[Resource], key: &[String]) -> usize {
    let reads = |by: &usize| {
        let turned = locks[*by..].iter().chain(&locks[..*by]);
        turned.map(|lock| unnumbered(&lock.name)).eq(key)
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
            Node::Notice(_) | Node::End(_) | Node::Turn(_) => None,
        };
        held.map_or(Mode::Exclusive, |hold| hold.mode).name()
    }

    /// What is around the cycle, and each thread's part in it, turned as its key reads.
    fn around(&self, scan: &Scan, key: &Key, best: &Best<'_>) -> (Vec<Resource>, Vec<Part>) {
        let nodes = best.cycle.nodes.iter();
        let mut locks: Vec<Resource> = nodes.map(|&node| resource(self.names, node)).collect();
        let mut edges: Vec<Part> = Vec::new();
        for (place, (&index, &node)) in best.choice.iter().zip(&best.cycle.nodes).enumerate() {
            let dependency = &scan.table.all[index as usize];
            locks[place].mode = self.mode(dependency, node);
            let part = self.part(dependency, node);
            let stand = best.stands.get(place);
            edges.push(stand.map_or(part.clone(), |stand| self.standing(stand, part)));
        }
        let by = start(&locks, &key.named.1);
        locks.rotate_left(by);
        edges.rotate_left(by);
        (locks, edges)
    }

    fn part(&self, dependency: &Dependency, node: Node) -> Part {
        let held = match node {
            Node::Lock(lock) => Some(lock),
            Node::Notice(_) | Node::End(_) | Node::Turn(_) => None,
        };
        let mode = match dependency.wanted {
            Wanted::Lock(_, mode) => mode,
            Wanted::Notice(_) | Wanted::End(_) => Mode::Exclusive,
        };
        self.described(dependency, held, mode)
    }

    /// The same where it was shown that it can stand.
    fn standing(&self, stand: &Stand, part: Part) -> Part {
        let place = |(holds, wants): Spots| Elsewhere {
            holds_at: self.chain(holds),
            wants_at: self.chain(wants),
        };
        let told = place(stand.at);
        let mut also_at: Vec<Elsewhere> = Vec::new();
        for other in stand.also.iter().map(|&also| place(also)) {
            if other != told && !also_at.contains(&other) {
                also_at.push(other);
            }
        }
        Part {
            holds_at: told.holds_at,
            wants_at: told.wants_at,
            // What is told of a count that nobody knows stays so.
            count: part.count.min(stand.count),
            also_at,
            ..part
        }
    }

    /// What is known of the locks on the cycle besides their steps, and how: that of which the program has built one, and how
    /// many permits there are.
    fn natures(&self, scan: &Scan, best: &Best<'_>) -> Vec<String> {
        let locks = best.cycle.nodes.iter().filter_map(|node| match node {
            Node::Lock(lock) | Node::Turn(lock) => self.nature(*lock, scan.nature(*lock)),
            Node::Notice(_) | Node::End(_) => None,
        });
        let words: BTreeSet<String> = locks.collect();
        words.into_iter().collect()
    }

    fn nature(&self, lock: Lock, nature: Nature) -> Option<String> {
        let all = nature.permits.and_then(|permits| permits.all);
        let LockName { name, types, .. } = self.names.lock(lock);
        let permits = |all| if all == 1 { "permit" } else { "permits" };
        match (nature.built, all) {
            (true, Some(all)) => Some(format!(
                "{name} is built of a monitor: that it is a {types} with {all} {} is inferred",
                permits(all)
            )),
            (true, None) => Some(format!(
                "{name} is built of a monitor: that it is a {types} is inferred"
            )),
            (false, Some(all)) if nature.counted_by_code => Some(format!(
                "{name} has {all} {}: the code makes it with so many",
                permits(all)
            )),
            (false, Some(all)) => Some(format!(
                "{name} has {all} {}: somebody waited for one when they were out",
                permits(all)
            )),
            (false, None) => None,
        }
    }

    /// Those who hold the rest of the permits.
    fn others(&self, scan: &Scan, best: &Best<'_>) -> Vec<String> {
        let others = best.choice.iter().skip(best.cycle.nodes.len());
        let words = others.map(|&index| {
            let dependency = &scan.table.all[index as usize];
            let wanted = match dependency.wanted {
                Wanted::Lock(lock, _) | Wanted::Notice(lock) => self.names.lock(lock).name,
                Wanted::End(thread) => self.names.thread(thread).name,
            };
            let held = dependency
                .keeps()
                .map(|(lock, _)| self.names.lock(lock).name);
            let held: Vec<String> = held.collect();
            let thread = self.names.thread(dependency.thread).name;
            if held.is_empty() {
                return format!(
                    "besides, thread \"{thread}\" wants more of {wanted}, which is fair, and is next there"
                );
            }
            format!(
                "besides, thread \"{thread}\" holds {} and wants {wanted}",
                held.join(", ")
            )
        });
        words.collect()
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
            wants_object: None,
            mode: mode.name(),
            count: dependency.count,
            timed: dependency.gives_up(),
            also_at: Vec::new(),
            also_holds: besides
                .map(|(lock, _)| self.names.lock(lock).name)
                .collect(),
        }
    }

    pub(super) fn chain(&self, site: Option<Site>) -> Vec<String> {
        site.map_or_else(Vec::new, |site| self.names.chain(site))
    }

    /// The finding of threads that did get stuck on each other.
    pub(super) fn happened(&self, kind: Kind, nodes: &[Node], parts: Vec<Part>) -> Finding {
        let locks: Vec<Resource> = nodes
            .iter()
            .map(|&node| resource(self.names, node))
            .collect();
        let names = locks.iter().map(|lock| lock.name.clone()).collect();
        let mut id = stable_id(kind, &known_by(names));
        identify(&mut id, &taken(self.names, nodes, &parts));
        Finding {
            id,
            tier: Tier::T0,
            kind,
            stall: false,
            locks,
            edges: parts,
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: None,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        }
    }
}
