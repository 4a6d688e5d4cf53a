//! The tracks of a trace, which of them have been described, and up to when each is taken.

use super::super::fast::{FastMap, FastSet};
use super::super::names::Names;
use super::super::pprof::MADE_BY;
use super::super::proto::Message;
use super::tid;
use locklens_trace::{Nanos, ThreadId};
use std::collections::BTreeSet;

/// Tracks beside each other on which what overlaps is put.
const LANES: u8 = 64;

/// A track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Track {
    Process,
    /// What is to be said of the recording.
    Recording,
    /// All locks.
    Locks,
    /// A thread, with what held it up.
    Thread(ThreadId),
    /// What overlaps with that, by estimates.
    Beside(ThreadId, u8),
    /// What a thread gave to others: releases, notifies.
    Given(ThreadId),
    /// Its operations on locks of `java.util.concurrent`.
    Operations(ThreadId),
    /// A logical lock.
    Lock(usize),
    /// Who held it.
    Held(usize, u8),
    /// Threads blocked.
    Blocked(usize),
    /// Threads in `Object.wait`.
    Waiting(usize),
    /// Threads parked for it, on average.
    Parked(usize),
    /// Percent of the running time of all threads.
    Pressure(usize),
}

/// Numbers of `CounterDescriptor.Unit` and `TrackDescriptor.ChildTracksOrdering`.
const COUNT: u64 = 2;
const EXPLICIT: u64 = 3;

impl Track {
    /// The number that events refer to it by.
    pub(super) fn uuid(self) -> u64 {
        let (kind, id, lane) = match self {
            Self::Process => (1, 0, 0),
            Self::Recording => (2, 0, 0),
            Self::Locks => (3, 0, 0),
            Self::Thread(ThreadId(id)) => (4, id.into(), 0),
            Self::Beside(ThreadId(id), lane) => (5, id.into(), lane),
            Self::Given(ThreadId(id)) => (6, id.into(), 0),
            Self::Operations(ThreadId(id)) => (7, id.into(), 0),
            Self::Lock(index) => (8, index as u64, 0),
            Self::Held(index, lane) => (9, index as u64, lane),
            Self::Blocked(index) => (10, index as u64, 0),
            Self::Waiting(index) => (11, index as u64, 0),
            Self::Parked(index) => (12, index as u64, 0),
            Self::Pressure(index) => (13, index as u64, 0),
        };
        kind << 48 | id << 8 | u64::from(lane)
    }

    /// The one beside it.
    fn beside(self, lane: u8) -> Self {
        match (self, lane) {
            (track, 0) => track,
            (Self::Thread(thread), lane) => Self::Beside(thread, lane),
            (Self::Held(index, _), lane) => Self::Held(index, lane),
            (track, _) => track,
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Tracks {
    /// Tracks by their numbers: those described, …
    open: FastSet<u64>,
    /// … ends of what was put last on each of the tracks beside each other, …
    ends: FastMap<u64, Vec<Nanos>>,
    /// … and where counters stand.
    counts: FastMap<u64, u32>,
    /// Threads that have a number of their own.
    numbered: BTreeSet<ThreadId>,
}

impl Tracks {
    pub(super) fn of(names: &Names<'_>) -> Self {
        let mut taken = BTreeSet::new();
        let threads = names.catalog().threads.keys();
        let own = |&thread: &ThreadId| tid(names, thread).is_some_and(|tid| taken.insert(tid));
        Self {
            numbered: threads.copied().filter(own).collect(),
            open: FastSet::default(),
            ends: FastMap::default(),
            counts: FastMap::default(),
        }
    }

    pub(super) fn is_open(&self, track: Track) -> bool {
        self.open.contains(&track.uuid())
    }

    pub(super) fn opened(&mut self, track: Track) {
        self.open.insert(track.uuid());
    }

    /// Whether a counter changes by that. It is 0 at first.
    pub(super) fn counts(&mut self, track: Track, count: u32) -> bool {
        self.counts.insert(track.uuid(), count).unwrap_or(0) != count
    }

    /// The first track from this one on that is free from then on, and is taken now; none if there are too many.
    pub(super) fn lane(&mut self, track: Track, from: Nanos, to: Nanos) -> Option<Track> {
        let ends = self.ends.entry(track.uuid()).or_default();
        let lane = match ends.iter().position(|&end| end <= from) {
            Some(free) => free,
            None if ends.len() < LANES.into() => {
                ends.push(Nanos(0));
                ends.len() - 1
            }
            None => return None,
        };
        ends[lane] = to;
        Some(track.beside(u8::try_from(lane).ok()?))
    }

    pub(super) fn parent(&self, track: Track) -> Option<Track> {
        Some(match track {
            Track::Process => return None,
            Track::Recording | Track::Locks | Track::Thread(_) => Track::Process,
            Track::Beside(thread, _) | Track::Given(thread) | Track::Operations(thread) => {
                Track::Thread(thread)
            }
            Track::Lock(_) => Track::Locks,
            Track::Held(index, _)
            | Track::Blocked(index)
            | Track::Waiting(index)
            | Track::Parked(index)
            | Track::Pressure(index) => Track::Lock(index),
        })
    }

    /// Writes a `TrackDescriptor`.
    pub(super) fn describe(&self, track: Track, names: &Names<'_>, out: &mut Message) {
        out.uint(1, track.uuid());
        match track {
            Track::Process => process(names, out),
            Track::Thread(thread) if self.numbered.contains(&thread) => {
                return numbered(thread, names, out);
            }
            Track::Thread(thread) => out.string(2, &names.thread_name(thread)),
            Track::Lock(index) => out.string(2, &names.lock(index)),
            other => out.string(2, title(other)),
        }
        if let Some(parent) = self.parent(track) {
            out.uint(5, parent.uuid());
        }
        if let Track::Lock(index) = track {
            out.int(
                12,
                i64::try_from(index)
                    .unwrap_or(i64::MAX)
                    .min(i32::MAX.into()),
            );
        }
        if track == Track::Locks {
            out.uint(11, EXPLICIT);
        }
        if let Some(unit) = unit(track) {
            out.nested(8, |counter| match unit {
                "" => counter.uint(3, COUNT),
                unit => counter.string(6, unit),
            });
        }
    }
}

fn title(track: Track) -> &'static str {
    match track {
        Track::Recording => "recording",
        Track::Locks => "locks",
        Track::Beside(..) => "held up, estimates",
        Track::Given(_) => "gives to others",
        Track::Operations(_) => "java.util.concurrent",
        Track::Held(..) => "held by",
        Track::Blocked(_) => "threads blocked",
        Track::Waiting(_) => "threads waiting",
        Track::Parked(_) => "threads parked for it, average",
        Track::Pressure(_) => "pressure",
        Track::Process | Track::Thread(_) | Track::Lock(_) => "",
    }
}

/// Of a counter: what it is in, empty for a count.
fn unit(track: Track) -> Option<&'static str> {
    match track {
        Track::Blocked(_) | Track::Waiting(_) => Some(""),
        Track::Parked(_) => Some("threads"),
        Track::Pressure(_) => Some("% of running time"),
        _ => None,
    }
}

/// A `ProcessDescriptor`, with what the recording does not have as labels.
fn process(names: &Names<'_>, out: &mut Message) {
    out.nested(3, |process| {
        process.int(1, names.pid().into());
        process.string(6, &names.program());
        process.string(8, MADE_BY);
        for warning in names.warnings() {
            process.string(8, &warning);
        }
    });
}

/// A `ThreadDescriptor`.
fn numbered(thread: ThreadId, names: &Names<'_>, out: &mut Message) {
    out.nested(4, |descriptor| {
        descriptor.int(1, names.pid().into());
        descriptor.int(2, tid(names, thread).unwrap_or_default());
        descriptor.string(5, &names.thread_name(thread));
    });
}
