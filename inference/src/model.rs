//! The result of an analysis: everything a renderer may know, nothing it must compute.
//!
//! Wire forms (JSON, CSV) are made from this in the viz crate and versioned there.

mod further;
mod inside;
mod stuck;

pub use crate::collect::parked::{Bare, Looks};
pub use crate::collect::parks::ParksSeen;
pub use crate::collect::vm_probes::VmProbesSeen;
use crate::deadlock::finding::Report;
use crate::region::RegionId;
use crate::types::{Details, LockType, Role};
pub use inside::Inside;
use locklens_trace::juc::{Act, Outcome};
use locklens_trace::record::StandingStill;
use locklens_trace::{LockId, Nanos};
use std::collections::{BTreeMap, BTreeSet};
pub use stuck::{Blockage, Deadlock, Holder, KnownBy, Stand, Standstill, Stuck, Wants};

/// A whole analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// What was recorded: `key = value`, as the trace says (see `locklens_trace::record::target_key`).
    pub target: BTreeMap<String, String>,
    /// The recording as a whole.
    pub recording: Recording,
    /// The logical locks, in order of id.
    pub locks: Vec<LogicalLock>,
    /// Rings of threads that were blocked on each other when the recording ended.
    pub deadlocks: Vec<Deadlock>,
    /// Lock objects that threads were still blocked on when the recording ended, the one blocked on for
    /// the longest time first.
    pub blockages: Vec<Blockage>,
    /// What threads were parked on all along.
    pub standstills: Vec<Standstill>,
    /// How the threads stood when it was over, by thread dumps that the recording has.
    pub stood: Option<Box<Report>>,
}

/// A time in which nothing was recorded though that was to be expected, and the agent's own thread did not get on either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// From then on,
    pub from: Nanos,
    /// until then.
    pub to: Nanos,
    /// For how long of it that thread waited for a processor.
    pub delayed: Nanos,
}

/// The recording as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// From first to last statement.
    pub duration: Nanos,
    /// Of an exact recording: when its probes were switched off. What went on then ended sometime later.
    pub probes_off: Option<Nanos>,
    /// When the whole process stood still, stopped or frozen from outside.
    pub stops: Vec<(Nanos, Nanos)>,
    /// When nobody got on, for another reason.
    pub stalls: Vec<Stall>,
    /// Events in the trace.
    pub events: u64,
    /// Events dropped by the agent.
    pub lost: u64,
    /// Those of them whose thread, or lock, found no room in a table of the agent's.
    pub no_room: u64,
    /// How long events of monitors were switched off, to stay within what it may cost: what there is of them was recorded in
    /// slices of time, and counts and times are lower bounds.
    pub paused: Nanos,
    /// When that was: the first of these times, as many as there is room for.
    pub pauses: Vec<(Nanos, Nanos)>,
    /// Call chains left out under their budget.
    pub stacks_lost: u64,
    /// Parts of the trace that could not be read.
    pub gaps: u64,
    /// Ended properly (false: cut off, the result is partial).
    pub ended: bool,
    /// Acquisitions and releases of the recorded locks were observed, not only contention.
    pub exact: bool,
    /// Whether they were is not known: the part of the trace that says how it was recorded could not be read.
    pub headless: bool,
    /// Of an exact recording: why acquisitions may be missing all the same. None: it has them all.
    pub incomplete: Vec<Doubt>,
    /// No clock was read: there are no lengths of time, and blocking was not observed.
    pub clockless: bool,
    /// Lock objects of an exact recording of which that is not so: no probe met them.
    pub unmet: u64,
    /// Share of events in the facsimile that were inferred, 0 to 1; none without any event.
    pub inferred_share: Option<f64>,
    /// Known-safe locks left out: name and events.
    pub hidden: BTreeMap<String, u64>,
    /// How long threads were blocked on them, as far as it is known.
    pub hidden_blocked: Nanos,
    /// Threads still blocked when it ended.
    pub still_blocked: u64,
    /// Threads still waiting when it ended.
    pub still_waiting: u64,
    /// Threads that had been blocked or waiting already when it began.
    pub from_before: u64,
    /// Virtual threads, or carriers of such, were seen.
    pub virtual_threads: bool,
    /// What threads were doing when it began, if that was looked at.
    pub at_start: Option<StandingStill>,
    /// And when it ended.
    pub at_end: Option<StandingStill>,
    /// The looks at parked threads, if there were any: what sampled locks rest on.
    pub looks: Option<Looks>,
    /// Those they found parked that do not say on what, if there were any.
    pub bare: Option<Bare>,
    /// Every park was recorded.
    pub parks: Option<ParksSeen>,
    /// The VM's own probes were listened to.
    pub vm_probes: Option<VmProbesSeen>,
    /// Why they were not, although that was asked for.
    pub vm_probes_declined: Option<String>,
    /// Options that shaped the result.
    pub options: Options,
}

impl Recording {
    /// Up to when it is known what threads do with locks.
    #[must_use]
    pub fn until(&self) -> Nanos {
        self.probes_off.unwrap_or(self.duration)
    }

    /// How long the process was stopped, all in all.
    #[must_use]
    pub fn stopped(&self) -> Nanos {
        let lengths = self.stops.iter().map(|&(from, to)| to.since(from).0);
        Nanos(lengths.fold(0, u64::saturating_add))
    }

    /// How long it stood still, stopped or for want of a processor.
    #[must_use]
    pub fn stood_still(&self) -> Nanos {
        self.stood_still_since(Nanos(0))
    }

    /// How long it stood still since then, for whatever reason.
    fn stood_still_since(&self, since: Nanos) -> Nanos {
        let stalls = self.stalls.iter().map(|stall| (stall.from, stall.to));
        let all = self.stops.iter().copied().chain(stalls);
        let lengths = all.map(|(from, to)| to.since(from.max(since)).0);
        Nanos(lengths.fold(0, u64::saturating_add))
    }

    /// How long something lasts that began then and goes on: what the process stood still in between is no time of its own.
    #[must_use]
    pub fn lasts_since(&self, since: Nanos) -> Nanos {
        let all = self.until().since(since).0;
        Nanos(all.saturating_sub(self.stood_still_since(since).0))
    }

    /// Nothing is known to be missing from it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.ended && self.lost == 0 && self.gaps == 0 && self.paused == Nanos(0)
    }
}

/// Why an exact recording is known not to be complete, or not known to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It was cut off.
    CutOff,
    /// So many events were dropped.
    Lost(u64),
    /// So many parts of the trace could not be read.
    Gaps(u64),
    /// So many contended enters (as the trace says) were in code that reports nothing.
    Elsewhere(String),
    /// Threads inside code from before, as the trace says.
    OldCode(String),
    /// Another agent had rewritten classes replaced: what runs in them from then on is not in it.
    Replaced {
        /// Their names.
        classes: Vec<String>,
        /// When the first was.
        since: Nanos,
    },
    /// Code that locks, waits or notifies was not rewritten: which, and why. What it does with the same locks is not in it.
    Unprobed(Vec<String>),
    /// Only chosen methods were rewritten: what others do with the same locks is not in it.
    Chosen,
    /// Only what was new was told: each dependency between locks the first times.
    Guarded,
    /// These lock objects were waited on where no probe can tell of it; so they may be notified. 0 stands for those that are
    /// not named.
    Bare(BTreeSet<LockId>),
    /// So many lock objects were met by no probe: the code that uses them was running when it was
    /// rewritten.
    Unmet(u64),
}

/// What the user may choose about the analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Silence on a lock after which its state counts as unknown (inference.md §1).
    pub reset_after: Nanos,
    /// How deep callees of a region are followed in search of `wait` and `notify`.
    pub call_depth: u32,
    /// Hide the locks of the known-safe table.
    pub hide_safe: bool,
    /// Use the bytecode of regions as evidence.
    pub static_model: bool,
    /// Use events as evidence of the type.
    pub dynamic_model: bool,
    /// Visits kept for type inference, over all locks.
    pub window_events: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            reset_after: Nanos::from_millis(250),
            call_depth: 6,
            hide_safe: true,
            static_model: true,
            dynamic_model: true,
            window_events: 1_500_000,
        }
    }
}

/// One logical lock: all the objects that are used as this lock.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalLock {
    /// Number in this report, from 1, in order of what hurts.
    pub id: u32,
    /// Stable name: the same lock has the same name in another run and another build.
    pub name: String,
    /// Binary names of the classes of its objects, most frequent first.
    pub classes: Vec<String>,
    /// Where its name is that of a class which those of its objects extend: these without their packages, most frequent first.
    pub concrete: Vec<String>,
    /// Its types, best first; never empty (UNKNOWN at least).
    pub types: Vec<Verdict>,
    /// Types considered and not chosen, best first.
    pub runners_up: Vec<Verdict>,
    /// Where evidence contradicts itself, in sentences.
    pub contradictions: Vec<String>,
    /// Its regions, most used first.
    pub regions: Vec<RegionReport>,
    /// Stays that belong to none of them: without a call chain, or with one that stands in no region.
    pub unplaced: Stays,
    /// Lock objects seen.
    pub instances: u64,
    /// Threads seen on it.
    pub threads: u64,
    /// Acquisitions observed, without nested ones; only known from an exact recording. It may lack some:
    /// see [`Recording::incomplete`].
    pub locked: Option<u64>,
    /// Times a thread blocked entering.
    pub blocked: Times,
    /// Waits.
    pub waits: Times,
    /// Waits that ended by time-out.
    pub timed_out: u64,
    /// Threads still waiting / blocked at the end of the recording.
    pub still_waiting: u64,
    /// See [`LogicalLock::still_waiting`].
    pub still_blocked: u64,
    /// It is a lock of `java.util.concurrent` or the like, known from looks at parked threads: its counts and
    /// times are estimates, and of its lengths only the sum is known. Not so where there are also [`LogicalLock::parks`].
    pub sampled: Option<Sampled>,
    /// Every park on it was recorded: counts are of parks, of which one stay may have several, and times are exact.
    /// Its regions are estimates all the same.
    pub parks: Option<Parks>,
    /// Every operation on it was recorded.
    pub uses: Option<Uses>,
}

/// Classes that are shown with a name.
const CONCRETE: usize = 2;

impl LogicalLock {
    /// Its name as people read it: with the classes of its objects, where it says only what these extend.
    #[must_use]
    pub fn called(&self) -> String {
        let more = match self.concrete.len().saturating_sub(CONCRETE) {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        let shown = self.concrete.iter().take(CONCRETE);
        match Vec::from_iter(shown.map(String::as_str)).join(", ") {
            none if none.is_empty() => self.name.clone(),
            classes => format!("{} [{classes}{more}]", self.name),
        }
    }

    /// Whether it is known, of each moment, who holds it: what is taken inside what can be told. Who has which permit of a
    /// semaphore says nothing of that.
    #[must_use]
    pub fn nests(&self) -> bool {
        let permits = |verdict: &Verdict| verdict.lock_type == LockType::Semaphore;
        let held = self.uses.is_some() && self.locked.is_some();
        self.sampled.is_none() || held && !self.types.first().is_some_and(permits)
    }

    /// Whether its counts and times are estimates.
    #[must_use]
    pub fn is_estimated(&self) -> bool {
        // Where every operation was recorded and no look found anybody, nobody parked.
        let looked_at = |sampled: &Sampled| sampled.samples > 0 || self.uses.is_none();
        self.sampled.as_ref().is_some_and(looked_at) && self.parks.is_none()
    }
}

/// Every park on a logical lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parks {
    /// How many there were.
    pub count: u64,
    /// They ended by an unpark.
    pub unparked: u64,
    /// Of these: the unpark had come before.
    pub at_once: u64,
    /// They ended by their time-out.
    pub timed_out: u64,
    /// By an interrupt.
    pub interrupted: u64,
    /// For no reason that is known.
    pub unknown: u64,
    /// The end was not seen.
    pub unseen: u64,
    /// They had not ended when the recording did.
    pub open: u64,
    /// Who unparked, most often first.
    pub by: Vec<(String, u64)>,
    /// Threads that unparked.
    pub unparkers: u64,
    /// What they did when they ended a park, and from where, most often first; where operations were recorded.
    pub releases: Vec<Release>,
}

/// What ended parks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The thread.
    pub thread: String,
    /// What it did; none: not known.
    pub act: Option<Act>,
    /// From where; none: not known.
    pub chain: Option<CallChain>,
    /// How many parks that ended.
    pub times: u64,
}

/// Every operation on a logical lock of `java.util.concurrent`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Times a thread took it alone, nested ones left out.
    pub alone: u64,
    /// The same together with others: reading, or permits.
    pub shared: u64,
    /// How often what was done, and how it went, by name.
    pub acts: BTreeMap<(Act, Outcome), u64>,
    /// Permits, elements or parties that those came to that were done.
    pub counts: BTreeMap<Act, u64>,
    /// How long it was held alone.
    pub held_alone: Times,
    /// How long a thread held it with others.
    pub held_shared: Times,
    /// The most permits or reading holds that were out at once, of one object.
    pub most: u64,
    /// Times that was given back which nobody was seen to take.
    pub strays: u64,
}

/// What looks at parked threads found of a logical lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// Stays that were told apart. Those between two looks were missed.
    pub stays: u64,
    /// Findings: one for each thread and look.
    pub samples: u64,
    /// The time they stand for: an estimate of the time parked.
    pub time: Nanos,
    /// Its standard error, at most.
    pub error: Nanos,
    /// The most threads parked on one of its objects at once.
    pub most: u64,
    /// What the parked threads were doing, most found first.
    pub waiters: Vec<SampledChain>,
    /// What the owners were doing then, likewise.
    pub owners: Vec<SampledChain>,
    /// Who owned it, most found first.
    pub owner_threads: Vec<(String, u64)>,
    /// Its objects were not told apart.
    pub shared: bool,
}

/// A call chain with what was found of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledChain {
    /// Findings.
    pub samples: u64,
    /// The chain.
    pub chain: CallChain,
}

/// A call chain in words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallChain {
    /// Its frames, `Class.method(Source.java:12)`, innermost first.
    pub frames: Vec<String>,
    /// There were more.
    pub cut: bool,
}

/// Counts and lengths of one kind of event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// How many.
    pub count: u64,
    /// Those of them whose length is not known. They are in no other figure.
    pub unknown: u64,
    /// Sum of the others.
    pub total: Nanos,
    /// Median, off by a thirtieth at most.
    pub p50: Nanos,
    /// 99th percentile, likewise.
    pub p99: Nanos,
    /// Longest.
    pub max: Nanos,
}

impl Times {
    /// The sum, if a length was measured or there was nothing to measure.
    #[must_use]
    pub fn known_total(&self) -> Option<Nanos> {
        (self.count == 0 || self.unknown < self.count).then_some(self.total)
    }
}

/// Stays of both kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stays {
    /// Blocked.
    pub blocked: Times,
    /// Waiting.
    pub waits: Times,
    /// Waits that ended by time-out.
    pub timed_out: u64,
}

/// A type given to a logical lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The type.
    pub lock_type: LockType,
    /// Probability that this is right, 0 to 1.
    pub confidence: f64,
    /// Parameters and properties.
    pub details: Details,
    /// Which region does what.
    pub roles: BTreeMap<Role, BTreeSet<RegionId>>,
    /// Why.
    pub evidence: EvidenceReport,
}

/// Why a verdict was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvidenceReport {
    /// Log-odds (natural) from the bytecode.
    pub static_log_odds: f64,
    /// Log-odds from the events.
    pub dynamic_log_odds: f64,
    /// Predicted steps that came true.
    pub confirmed: u64,
    /// Steps that the type forbids.
    pub contradicted: u64,
    /// Sentences for it.
    pub pro: Vec<String>,
    /// Sentences against it.
    pub contra: Vec<String>,
}

/// A region of a logical lock.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionReport {
    /// Its id.
    pub id: RegionId,
    /// Binary name of the declaring class.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Method descriptor.
    pub descriptor: String,
    /// Stable ordinal of the region in its method; none if it is no block of it.
    pub ordinal: Option<u16>,
    /// It is all of a synchronized method. If it is that neither, the lock is taken further out, or nobody knows where.
    pub synchronized: bool,
    /// Source file and line, where known.
    pub source: Option<String>,
    /// Line of the region's beginning.
    pub line: Option<u32>,
    /// Roles it plays, over all types of the lock.
    pub roles: BTreeSet<Role>,
    /// Seen in events (false: known from the bytecode only).
    pub seen: bool,
    /// Blocking here.
    pub blocked: Times,
    /// Waiting here.
    pub waits: Times,
    /// Waits that ended by time-out.
    pub timed_out: u64,
    /// Of these stays those without a call chain: counted here because the lock has no other region.
    pub supposed: u64,
}

/// One line of the history of a lock (the paper's Figure 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// Earliest time it can have happened; equal to `not_after` when observed.
    pub not_before: Nanos,
    /// Latest time it can have happened.
    pub not_after: Nanos,
    /// Event name (`ENTER`, `WAIT` … as in [`crate::volume::event_name`], `RESET`).
    pub event: &'static str,
    /// What belongs to the event: a time-out, how a wait ended, the owner.
    pub note: String,
    /// Java thread id; none for a reset.
    pub tid: Option<u64>,
    /// Thread name.
    pub thread: String,
    /// Number of the lock object; 0 for events of none.
    pub object: u32,
    /// Id in the report of the lock it belongs to; none if the report does not show it.
    pub lock: Option<u32>,
    /// `Class.method` and place of the region, as far as known.
    pub region: String,
    /// Inserted by inference.
    pub inferred: bool,
}
