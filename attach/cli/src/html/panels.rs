//! What the page shows below its timelines, taken from the same two passes: who blocked whom, which locks are taken inside
//! which, and pressure.

use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::contention::{Blamer, Census, Findings, Wish};
use locklens_inference::model::Options;
use locklens_inference::nesting::{Nester, Scout};
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::read::{Item, Reader};
use locklens_trace::{Nanos, Record};
use locklens_viz::html::Panels;
use std::io::Read;

/// Cells of blocked time that a page has: what is left out of them is one cell of the rest.
const CELLS: usize = 10_000;
/// A lock that takes so much of the running time has a phase: what `locklens pressure` says if nothing is asked for.
const THRESHOLD: f64 = 0.1;
/// So many intervals of pressure at most, and none shorter than that: shorter ones show chance.
const INTERVALS: u64 = 400;
const SHORTEST: u64 = 20_000_000;

/// What the first pass takes from a trace.
pub(crate) struct First {
    pub(crate) collected: Collected,
    findings: Findings,
    scout: Scout,
}

impl First {
    /// Reads it; `begins` learns where each chunk begins.
    pub(crate) fn of(
        mut reader: Reader<impl Read>,
        options: &Options,
        mut begins: impl FnMut(u64),
    ) -> Self {
        let (mut census, mut scout) = (Census::default(), Scout::default());
        let mut collector = Collector::new(*options);
        let mut here = 0;
        while let Some(item) = reader.next_item() {
            if reader.chunk_offset() != here {
                here = reader.chunk_offset();
                begins(here);
            }
            match item {
                Item::Record(record) => {
                    census.see(&record);
                    scout.see(&record);
                    collector.push(record);
                }
                Item::Gap(_) => collector.gap(),
            }
        }
        Self {
            collected: collector.finish(),
            findings: census.finish(),
            scout,
        }
    }
}

/// The second pass.
pub(super) struct Second<'a> {
    first: &'a First,
    analysis: &'a Analysis,
    blamer: Blamer<'a>,
    nester: Nester<'a>,
    gauge: Gauge,
}

impl<'a> Second<'a> {
    pub(super) fn new(first: &'a First, analysis: &'a Analysis) -> Self {
        let First {
            collected,
            findings,
            scout,
        } = first;
        let blamer = Blamer::new(collected, analysis, findings, &[], Wish::default());
        Self {
            first,
            analysis,
            blamer: blamer.with_cells(),
            nester: Nester::new(collected, analysis, scout),
            gauge: Gauge::informed(&wanted(collected), collected),
        }
    }

    pub(super) fn push(&mut self, record: &Record) {
        self.blamer.push(record);
        self.nester.see(record);
        self.gauge.push(record);
    }

    pub(super) fn gap(&mut self) {
        self.gauge.gap();
    }

    pub(super) fn finish(self) -> Panels {
        let (blame, cells) = self.blamer.finish_with_cells(CELLS);
        Panels {
            blame,
            cells,
            nesting: self.nester.finish(),
            pressure: { self.gauge }.finish(&self.first.collected, self.analysis, THRESHOLD),
        }
    }
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
