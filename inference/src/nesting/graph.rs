//! The nesting graph as a renderer sees it: names and numbers, nothing left to compute.

use crate::model::{Deadlock, Times};
use crate::types::LockType;
use locklens_trace::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// The nesting graph of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// What was recorded, as the trace says.
    pub target: BTreeMap<String, String>,
    /// Every acquisition and release of the recorded locks was observed.
    pub exact: bool,
    /// The logical locks of the report that are monitors, in its order, then what could not be mapped to one.
    pub nodes: Vec<Node>,
    /// Edges in order of their nodes.
    pub edges: Vec<Edge>,
    /// Cycles that nothing excludes, what happened first, then the best founded, then the shortest.
    pub cycles: Vec<Cycle>,
    /// Cycles that gates, the order of threads or the lack of a second thread exclude.
    pub excluded: Vec<Cycle>,
    /// Nesting within one logical lock.
    pub same: Vec<SameLock>,
    /// What the graph cannot know.
    pub limits: Limits,
}

impl Graph {
    /// Whether one of the cycles is this deadlock: it happened, among the same threads. A deadlock that has a
    /// lock of `java.util.concurrent` is none of them: such locks are no nodes.
    #[must_use]
    pub fn shows(&self, deadlock: &Deadlock) -> bool {
        let stuck = deadlock.threads.iter().map(|s| (s.tid, s.thread.as_str()));
        let stuck: BTreeSet<_> = stuck.collect();
        let mut happened = self.cycles.iter().filter(|c| c.fate == Fate::Happened);
        happened.any(|cycle| {
            let threads = cycle.edges.iter().map(|edge| &edge.thread);
            let threads = threads.map(|t| (t.tid, t.name.as_str()));
            threads.collect::<BTreeSet<_>>() == stuck
        })
    }
}

/// A node of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Of a logical lock its number in the report; others are numbered on from there.
    pub id: u32,
    /// Stable name.
    pub name: String,
    /// As people read it: with the classes of its objects, where the name says only what these extend.
    pub called: String,
    /// Its types, best first; empty for what is no logical lock.
    pub types: Vec<LockType>,
    /// What it stands for.
    pub kind: NodeKind,
    /// Lock objects seen.
    pub instances: u64,
    /// Times a thread blocked entering.
    pub blocked: Times,
    /// Waits.
    pub waits: Times,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A logical lock.
    Lock,
    /// What a class locks by its static methods or by its own on themselves, or what a static
    /// field holds: no event was seen on it, so nothing is known of it but these regions.
    Unseen,
    /// A synchronized region of which it is not known whose lock it takes.
    Region {
        /// Ids of the logical locks that have it, if any.
        candidates: Vec<u32>,
    },
}

/// How it is known that a lock was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// By a region on the call chain.
    Stack,
    /// By its enter and exit events.
    Exact,
}

impl Known {
    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::Exact => "exact",
        }
    }
}

/// B was entered within A.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Index of the node held.
    pub from: usize,
    /// Index of the node entered.
    pub to: usize,
    /// Attempts seen to enter it so; of a nesting known from the chain alone, events that show it.
    pub count: u64,
    /// Threads that did it, by id.
    pub threads: Vec<ThreadName>,
    /// The best way in which it is known.
    pub known: Known,
    /// Places, most frequent first.
    pub sites: Vec<Site>,
    /// Further places left out.
    pub more_sites: u64,
    /// First seen.
    pub first: Nanos,
    /// It lies on a cycle that nothing excludes.
    pub in_cycle: bool,
}

/// A thread as people know it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadName {
    /// Name.
    pub name: String,
    /// Java thread id, if known.
    pub tid: Option<u64>,
}

/// Where one lock was entered within another.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Call chain of the outer acquisition, innermost frame first; empty if unknown.
    pub outer: Vec<String>,
    /// Call chain of the inner one.
    pub inner: Vec<String>,
    /// How the outer one is known.
    pub known: Known,
    /// Times seen.
    pub count: u64,
    /// First seen.
    pub first: Nanos,
    /// By this thread.
    pub thread: ThreadName,
}

/// A cycle of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// The same for the same locks in any recording.
    pub id: String,
    /// Indices of its nodes, the first by name first; one node for a ring of objects of one lock.
    pub nodes: Vec<usize>,
    /// Threads and places that together are the cycle (of an excluded one: that would be).
    pub edges: Vec<CycleEdge>,
    /// What is known of it.
    pub fate: Fate,
    /// Whether the objects coincide.
    pub objects: Objects,
    /// What the search for deadlocks says of these locks, where that was asked.
    pub judged: Vec<Judged>,
}

/// A potential deadlock over the locks of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its id there, which is not that of the cycle.
    pub id: String,
    /// How well it is proved: `T3`.
    pub tier: &'static str,
    /// Somebody gives up after a while.
    pub stall: bool,
    /// What more there is to say, in sentences.
    pub remarks: Vec<String>,
}

/// One thread's part in a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleEdge {
    /// Index of the node held.
    pub from: usize,
    /// Index of the node entered.
    pub to: usize,
    /// The thread.
    pub thread: ThreadName,
    /// How it is known that the first is held.
    pub known: Known,
    /// Call chain of the outer acquisition.
    pub outer: Vec<String>,
    /// Call chain of the inner one.
    pub inner: Vec<String>,
    /// First seen.
    pub first: Nanos,
    /// Times seen.
    pub count: u64,
    /// The lock object held, if known.
    pub holds: Option<u32>,
    /// The lock object wanted, if known.
    pub wants: Option<u32>,
    /// The thread takes it again, at the end of a wait.
    pub after_wait: bool,
    /// The thread was still blocked here when the recording ended.
    pub blocked_at_end: bool,
}

/// What is known of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its threads were blocked on each other when the recording ended.
    Happened,
    /// Nothing excludes it.
    Stands,
    /// Looking for what excludes it was given up; it counts as standing.
    Undecided,
    /// It cannot become a deadlock, for all of these reasons.
    Excluded(Vec<Reason>),
}

impl Fate {
    /// Nothing excludes it but starts of threads that are inferred.
    #[must_use]
    pub fn is_presumed(&self) -> bool {
        matches!(self, Self::Excluded(reasons) if matches!(reasons[..], [Reason::Order { inferred: true }]))
    }

    /// How little speaks against it.
    pub(super) fn weight(&self) -> u8 {
        match self {
            Self::Happened => 4,
            Self::Stands => 3,
            Self::Undecided => 2,
            Self::Excluded(_) => u8::from(self.is_presumed()),
        }
    }

    /// Whether it counts.
    #[must_use]
    pub fn stands(&self) -> bool {
        !matches!(self, Self::Excluded(_))
    }
}

/// Why a cycle cannot become a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A lock of it is only held and wanted together with others, who do not keep each other out.
    Shared,
    /// No distinct threads were seen at its edges.
    OneThread,
    /// A lock that is held around its edges keeps them apart.
    Gate {
        /// Indices of the nodes.
        nodes: Vec<usize>,
        /// It is taken to be one object, since no other of that lock was seen.
        inferred: bool,
    },
    /// One thread was over, by a join, before the other came to it, or before the other was started.
    Order {
        /// By whom that was is inferred.
        inferred: bool,
    },
    /// The search for deadlocks excludes it, for what it says in words.
    Searched(Vec<String>),
}

/// Whether the objects held and wanted around a cycle are the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objects {
    /// They are.
    Same,
    /// Not all of them are known.
    Unknown,
    /// All are known, and no cycle of objects was seen.
    Apart,
}

/// Nesting within one logical lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameLock {
    /// Index of the node.
    pub node: usize,
    /// In which order its objects were taken.
    pub order: ObjectOrder,
    /// Distinct nestings with both objects known.
    pub known: u64,
    /// Distinct nestings of which an object is unknown.
    pub unknown: u64,
}

/// The order in which objects of one logical lock are taken within each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOrder {
    /// No object was ever taken, over whatever others, within itself: hand over hand, ordered pairs.
    Ordered,
    /// There are rings of objects.
    Cyclic,
    /// No nesting with both objects known.
    Unknown,
}

/// What the graph cannot know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Call chains used that were cut: what is held further out is unknown.
    pub cut_chains: u64,
    /// Methods on used call chains whose code is unknown: their blocks are not seen.
    pub unread_methods: u64,
    /// Contended acquisitions and waits without a call chain.
    pub without_chain: u64,
    /// Times what a thread held was forgotten, since events are missing.
    pub forgotten: u64,
    /// Distinct nestings left out of the search for cycles: there were too many.
    pub left_out: u64,
    /// There may be more cycles than were looked at.
    pub bounded: bool,
}
