//! What the page shows below its timelines, taken from the same two passes: who blocked whom, which locks are taken inside
//! which, and pressure.

use crate::contention::census;
use crate::crowd::{Crowd, joined};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::contention::cells::Cells;
use locklens_inference::contention::{Blame, Blamer, Findings, Key, Wish};
use locklens_inference::model::Options;
use locklens_inference::nesting::graph::Graph;
use locklens_inference::nesting::{Nester, Scout};
use locklens_inference::pressure::model::Pressure;
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::Nanos;
use locklens_trace::read::{Item, Reader};
use locklens_viz::html::Panels;
use std::io::Read;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Cells of blocked time that a page has: what is left out of them is one cell of the rest.
const CELLS: usize = 10_000;
/// A lock that takes so much of the running time has a phase: what `locklens pressure` says if nothing is asked for.
const THRESHOLD: f64 = 0.1;
/// So many intervals of pressure at most, and none shorter than that: shorter ones show chance.
const INTERVALS: u64 = 400;
const SHORTEST: u64 = 20_000_000;
/// Phases are of intervals so long, as those of `locklens pressure` are if nothing is asked for.
const SECOND: Nanos = Nanos(1_000_000_000);

/// What the first pass takes from a trace.
pub(crate) struct First {
    pub(crate) collected: Collected,
    pub(crate) findings: Findings,
    pub(crate) scout: Scout,
}

impl First {
    /// Reads it; `begins` learns where each chunk begins.
    pub(crate) fn of(
        reader: Reader<impl Read + Send>,
        options: &Options,
        mut begins: impl FnMut(u64),
    ) -> Self {
        thread::scope(|scope| {
            let mut crowd = Crowd::default();
            let census = census(scope, &mut crowd);
            let own = crowd.member();
            crowd.read(scope, reader);
            let mut taken = (Collector::new(*options), Scout::default());
            own.each_of(
                &mut taken,
                |_, offset| begins(offset),
                |(collector, scout), item| match item {
                    Item::Record(record) => {
                        scout.see(record);
                        collector.see(record);
                    }
                    Item::Gap(_) => collector.gap(),
                },
            );
            let (collector, scout) = taken;
            Self {
                collected: collector.finish(),
                findings: joined(census),
                scout,
            }
        })
    }
}

/// The second pass: each panel on a thread of its own.
pub(super) struct Second<'scope> {
    blame: ScopedJoinHandle<'scope, (Blame, Cells)>,
    nesting: ScopedJoinHandle<'scope, Graph>,
    pressure: ScopedJoinHandle<'scope, Pressure>,
}

impl<'scope> Second<'scope> {
    pub(super) fn begin(
        scope: &'scope Scope<'scope, '_>,
        crowd: &mut Crowd,
        first: &'scope First,
        analysis: &'scope Analysis,
    ) -> Self {
        let First {
            collected,
            findings,
            scout,
        } = first;
        let shares = [crowd.member(), crowd.member(), crowd.member()];
        let [blame, nesting, pressure] = shares;
        Self {
            blame: scope.spawn(move || {
                let blamer =
                    Blamer::new(collected, analysis, findings, &[Key::Lock], Wish::default());
                let blamer = blamer
                    .with_cells()
                    .beside(|tell| blame.each_record(|record| tell(record)));
                blamer.finish_with_cells(CELLS)
            }),
            nesting: scope.spawn(move || {
                let mut nester = Nester::new(collected, analysis, scout);
                nesting.each_record(|record| nester.see(record));
                nester.finish()
            }),
            pressure: scope.spawn(move || {
                let wanted = wanted(collected);
                let mut gauge = Gauge::informed(&wanted, collected);
                let second = Wanted {
                    interval: SECOND,
                    ..wanted
                };
                let mut of_seconds = Gauge::informed(&second, collected);
                pressure.each(|item| match item {
                    Item::Record(record) => {
                        gauge.push(record);
                        of_seconds.push(record);
                    }
                    Item::Gap(_) => {
                        gauge.gap();
                        of_seconds.gap();
                    }
                });
                let pressure = gauge.finish(collected, analysis, THRESHOLD);
                with_phases(pressure, of_seconds.finish(collected, analysis, THRESHOLD))
            }),
        }
    }

    pub(super) fn end(self) -> Panels {
        let (blame, cells) = joined(self.blame);
        Panels {
            blame,
            cells,
            nesting: joined(self.nesting),
            pressure: joined(self.pressure),
        }
    }
}

/// Phases are those of intervals that are told to people: of shorter ones most are chance.
fn with_phases(mut pressure: Pressure, told: Pressure) -> Pressure {
    for lock in &mut pressure.locks {
        let same = told.locks.iter().find(|other| other.id == lock.id);
        lock.phases = same.map_or(Vec::new(), |same| same.phases.clone());
        lock.more_phases = same.map_or(0, |same| same.more_phases);
    }
    pressure
}

/// Intervals of a length that people use: 1, 2 or 5 of a power of ten.
fn wanted(collected: &Collected) -> Wanted {
    let least = collected.recording.duration.0 / INTERVALS;
    let mut lengths = (7..19).flat_map(|power| [1, 2, 5].map(|factor| factor * 10_u64.pow(power)));
    let interval = lengths.find(|&length| length >= least.max(SHORTEST));
    Wanted {
        interval: Nanos(interval.unwrap_or(u64::MAX)),
        most: None,
        threads: None,
    }
}
