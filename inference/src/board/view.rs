//! How things stand: what somebody who watches is shown.

use crate::contention::Row;
use crate::deadlock::finding::Finding;
use crate::model::CallChain;
use locklens_trace::Nanos;
use locklens_trace::crowd::Crowd;

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Intervals are told up to here.
    pub at: Nanos,
    /// Length of one.
    pub interval: Nanos,
    /// What the program's platform threads did at the last look; none before there was one, or where nobody looks. Who was
    /// parked to own a lock is blocked.
    pub crowd: Option<Crowd>,
    /// Virtual threads that are blocked at the moment, by the events so far; none if none is known.
    pub virtual_blocked: Option<usize>,
    /// Threads that are blocked at the moment: on a monitor, or parked to own a lock.
    pub blocked: usize,
    /// Threads that nobody frees any more, by several thread dumps: T0 all of them.
    pub deadlocks: Vec<Finding>,
    /// Threads that seem to be blocked on each other, by who was named as the owner last, and are in none of these.
    pub rings: Vec<Ring>,
    /// Events so far.
    pub events: u64,
    /// Events that were lost.
    pub lost: u64,
    /// The locks, in no order.
    pub locks: Vec<Line>,
    /// What is in none of them; none if there is nothing, or before there has been an analysis.
    pub inside: Option<Inside>,
}

/// Waits inside locks that the program has built of monitors, to get them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    /// How long all of them were together, as far as they are over.
    pub time: Nanos,
    /// How many locks.
    pub locks: usize,
    /// The one with most.
    pub most: String,
}

/// Threads each of which is blocked on what the next one was seen to own last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring {
    /// Their names.
    pub threads: Vec<String>,
    /// For how long all of them have been blocked.
    pub time: Nanos,
}

/// A lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// One of its objects: what it is told by from one view to the next.
    pub key: u32,
    /// Its number in a report, once there has been an analysis.
    pub id: Option<u32>,
    /// Its name in a report; before there has been an analysis, its class.
    pub name: String,
    /// Its types and how sure they are, the best first. None before there has been an analysis.
    pub types: Vec<(String, f64)>,
    /// Where the program wants it, most of the time.
    pub place: Option<String>,
    /// Time threads spent acquiring it in the last interval, by the time they were running.
    pub pressure: f64,
    /// The same of all intervals together.
    pub average: f64,
    /// The most that one had.
    pub peak: f64,
    /// Of the last intervals, the latest at the end.
    pub trend: Vec<f64>,
    /// All time threads spent acquiring it.
    pub time: Nanos,
    /// Lock objects that threads had to acquire.
    pub objects: usize,
    /// From looks at parked threads.
    pub is_estimate: bool,
    /// Who is blocked on it at the moment.
    pub blocked: Vec<Standing>,
    /// Blocked time up to now by where threads were blocked, who held the lock, and where.
    pub blame: Option<Row>,
}

/// A thread that is blocked at the moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Its name.
    pub thread: String,
    /// For how long.
    pub time: Nanos,
    /// Where.
    pub chain: Option<CallChain>,
    /// Who was named last as the one who holds the lock.
    pub by: Option<String>,
    /// Where that one is, as far as it is known.
    pub by_chain: Option<CallChain>,
}
