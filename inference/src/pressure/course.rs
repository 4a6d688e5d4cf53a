//! The bare times of a recording in short intervals: what recordings are compared by.

use super::draft::Draft;
use super::model::Known;
use super::series::{LATEST, Sum};
use super::{Gauge, Wanted};
use crate::analysis::Analysis;
use crate::collect::Collected;
use crate::parked;
use locklens_trace::Nanos;
use std::collections::BTreeMap;

/// Time of a recording and its locks by interval, without the intervals before anything was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Courses {
    /// Length of each interval, as far as it was recorded, ns.
    pub elapsed: Vec<u64>,
    /// Running time of all threads in each, ns.
    pub running: Vec<u64>,
    /// The locks that somebody acquired with a delay, by their number in the report.
    pub locks: BTreeMap<u32, Course>,
}

/// What of that belongs to one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// What the figures are worth.
    pub known: Known,
    /// Time threads spent acquiring it in each interval, ns.
    pub times: Vec<u64>,
    /// Stays that time is made of.
    pub stays: u64,
}

impl Gauge {
    /// One that cuts what was recorded into about so many intervals.
    #[must_use]
    pub fn in_parts(collected: &Collected, parts: u32) -> Self {
        let one = Wanted {
            interval: Nanos(LATEST),
            most: None,
            threads: None,
        };
        let begin = Self::informed(&one, collected).begin;
        let span = collected.recording.duration.0.saturating_sub(begin);
        let interval = Nanos(span.div_ceil(u64::from(parts.max(1))));
        Self::informed(&Wanted { interval, ..one }, collected)
    }

    /// Ends the pass with bare times.
    #[must_use]
    pub fn courses(mut self, collected: &Collected, analysis: &Analysis) -> Courses {
        self.settle(self.known_to());
        let own = parked::owning(collected);
        let groups = self.groups(analysis, &own);
        let whole = self.whole(&own);
        let recorded = |at: u32| {
            let (from, to) = whole.bounds(at);
            (to > from).then_some((at as usize, to - from))
        };
        let kept: Vec<(usize, u64)> = (0..whole.intervals).filter_map(recorded).collect();
        let of_kept = |all: &[u64]| kept.iter().map(|&(at, _)| all[at]).collect::<Vec<u64>>();
        let locks = groups.iter().map(|(&at, objects)| {
            let draft = Draft {
                gauge: &self,
                collected,
                whole: &whole,
                lock: &analysis.model.locks[at],
                objects,
            };
            let (times, spans) = draft.times();
            let course = Course {
                known: draft.known(),
                times: of_kept(&times),
                stays: draft.stays(spans),
            };
            (draft.lock.id, course)
        });
        Courses {
            elapsed: kept.iter().map(|&(_, length)| length).collect(),
            running: of_kept(&whole.running),
            locks: locks.collect(),
        }
    }
}

impl Draft<'_> {
    /// Time of each interval, and of how many spans.
    pub(super) fn times(&self) -> (Vec<u64>, u64) {
        let (mut sum, mut spans) = (Sum::default(), 0u64);
        for series in self.objects.iter().flat_map(|o| self.gauge.acquiring(o)) {
            sum.add(series);
            spans = spans.saturating_add(series.spans());
        }
        (sum.each(self.whole.intervals, self.whole.length), spans)
    }

    /// A stay that many looks found has a span for each.
    fn stays(&self, spans: u64) -> u64 {
        match (&self.lock.sampled, &self.lock.parks) {
            (Some(sampled), None) => sampled.stays.min(spans),
            _ => spans,
        }
    }
}
