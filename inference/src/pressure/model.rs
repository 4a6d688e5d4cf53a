//! The result: pressure by lock and interval, phases, and the classical metrics.

use crate::model::CallChain;
use locklens_trace::Nanos;

/// How much locks keep the threads of a program from running.
///
/// Shares are of running time, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Length of an interval.
    pub interval: Nanos,
    /// The length that was asked for: less, where there would be too many.
    pub asked: Nanos,
    /// A phase is where a lock has at least this much.
    pub threshold: f64,
    /// What was measured begins here, …
    pub begin: Nanos,
    /// … and ends here.
    pub end: Nanos,
    /// Threads that were counted.
    pub threads: u64,
    /// Service threads of the JVM, which were not.
    pub service: u64,
    /// Only threads of this pattern were counted.
    pub only: Option<String>,
    /// Running time of these threads.
    pub running: Nanos,
    /// Time of that in which they acquired any lock.
    pub acquiring: Nanos,
    /// Of that on locks that the report leaves out.
    pub elsewhere: Nanos,
    /// Times that threads were blocked or waited between whose ends events may be missing: they count as running.
    pub unmeasured: u64,
    /// The logical locks that were acquired with a delay, most pressure first.
    pub locks: Vec<LockPressure>,
    /// The metrics of each are asked for.
    pub metrics: bool,
}

/// What a figure is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Contended events: it is more, if anything.
    AtLeast,
    /// Looks at parked threads, or not all threads are known that ran: an estimate.
    Estimate,
    /// Every event.
    Exact,
}

impl Known {
    /// As programs are told.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AtLeast => "lower-bound",
            Self::Estimate => "estimate",
            Self::Exact => "exact",
        }
    }
}

/// A logical lock.
#[derive(Clone, Debug, PartialEq)]
pub struct LockPressure {
    /// Its number in the report.
    pub id: u32,
    /// Its name there.
    pub name: String,
    /// As people read it: with the classes of its objects, where the name says only what these extend.
    pub called: String,
    /// What the lines of a recording under way called it, which go by the class of its object.
    pub told_as: Option<String>,
    /// What its figures are worth.
    pub known: Known,
    /// Time spent acquiring it.
    pub acquiring: Nanos,
    /// That by all running time.
    pub average: f64,
    /// The most that an interval has.
    pub peak: f64,
    /// Each interval; none where no thread ran.
    pub series: Vec<Option<f64>>,
    /// Lock objects that were acquired with a delay.
    pub objects: u64,
    /// The one that has most.
    pub worst: Option<Worst>,
    /// Where it reaches the threshold.
    pub phases: Vec<Phase>,
    /// Further ones that are not told.
    pub more_phases: u64,
    /// How it is reached, all in all.
    pub chains: Vec<ChainShare>,
    /// The classical metrics.
    pub metrics: Metrics,
}

/// One lock object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Its number in the trace.
    pub object: u32,
    /// Its share of all running time.
    pub average: f64,
    /// The most that an interval has.
    pub peak: f64,
}

/// Intervals in a row that reach the threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Begin of the first.
    pub start: Nanos,
    /// End of the last.
    pub end: Nanos,
    /// The most that one of them has.
    pub peak: f64,
    /// What they have together.
    pub average: f64,
    /// How the lock is reached in them.
    pub chains: Vec<ChainShare>,
}

/// A call chain that reaches a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainShare {
    /// Its share of the time spent acquiring.
    pub share: f64,
    /// None for what has no chain.
    pub chain: Option<CallChain>,
    /// The share is an estimate.
    pub estimated: bool,
}

/// What others measure of locks. What is not known is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Acquisitions, nested ones too.
    pub gets: Option<u64>,
    /// Acquisitions that had to block.
    pub slow: Option<u64>,
    /// Those by all that are not nested.
    pub miss: Option<f64>,
    /// Nested acquisitions.
    pub recursive: Option<u64>,
    /// Time held by elapsed time.
    pub utilisation: Option<f64>,
    /// Time held by acquisitions that are not nested.
    pub mean_hold: Option<Nanos>,
    /// Acquisitions that had to block, a second.
    pub failed_per_second: Option<f64>,
    /// Time spent acquiring by elapsed time: more than 1 where several threads are blocked at once.
    pub of_elapsed: f64,
    /// Time spent acquiring by that of all locks.
    pub of_acquiring: f64,
}
