//! The dip: what rewriting does to a JVM, watched from outside, and when it is over.
//!
//! Discarded code runs interpreted until it is compiled again, so the compiler threads' processor time is what shows it.
//! It is compared with what they took before anything was rewritten.

use locklens_hotspot::{Effort, EffortMeter, Jvm};
use locklens_trace::Nanos;
use locklens_trace::record::target_key as key;
use locklens_trace::toll::Toll;
use std::time::{Duration, Instant};

/// Time between two looks at the compiler threads: their times come in hundredths of a second.
const WINDOW: Duration = Duration::from_millis(500);
/// Processor time of compiler threads above that of before that still counts as settled, share of one processor.
const MARGIN: f64 = 0.15;
/// So many looks in a row must find it so: one may fall into a pause, or between two waves.
const IN_A_ROW: u32 = 2;
/// The JIT is waited for no longer.
const LONGEST: Duration = Duration::from_secs(30);
/// For so long it is watched what putting the bytes back does.
const AFTER: Duration = Duration::from_millis(500);

/// What was spent up to a point in time.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Instant,
    effort: Effort,
}

impl Reading {
    /// What was spent from then to now.
    fn until(self, later: Self) -> Toll {
        let (from, to) = (self.effort, later.effort);
        let compiled = to.compiled.zip(from.compiled);
        Toll {
            span: nanos(later.at.saturating_duration_since(self.at)),
            compilers: nanos(to.compilers.saturating_sub(from.compilers)),
            others: nanos(to.others.saturating_sub(from.others)),
            compiled: compiled.map(|(to, from)| to.saturating_sub(from)),
        }
    }
}

fn nanos(duration: Duration) -> Nanos {
    Nanos(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

/// How far the JVM is.
#[derive(Debug)]
enum State {
    /// Nothing has been rewritten.
    Untouched,
    /// Classes have been rewritten; the last look at what is compiled, and how many in a row found it quiet.
    Settling(Reading, u32),
    /// The recording proper has begun.
    Recording,
}

/// Watches a JVM on the way.
#[derive(Debug)]
pub(crate) struct Dip {
    meter: EffortMeter,
    began: Option<Reading>,
    rewriting: Option<Reading>,
    settled: Option<Reading>,
    state: State,
    in_time: bool,
    ended: Option<Reading>,
    after: Option<Toll>,
}

impl Dip {
    /// Begins to watch: as long before the rewriting as can be, that is what all else is compared with.
    pub(crate) fn new(jvm: &Jvm) -> Self {
        let mut meter = EffortMeter::new(jvm);
        let began = read(&mut meter);
        Self {
            meter,
            began,
            rewriting: None,
            settled: None,
            state: State::Untouched,
            in_time: false,
            ended: None,
            after: None,
        }
    }

    /// The order to rewrite is about to be given.
    pub(crate) fn ordered(&mut self) {
        self.rewriting = read(&mut self.meter);
    }

    /// Classes have been rewritten.
    pub(super) fn rewritten(&mut self) {
        if let State::Untouched = self.state
            && let Some(now) = read(&mut self.meter)
        {
            self.state = State::Settling(now, 0);
        }
    }

    /// Whether what was discarded is compiled again, or was waited for long enough. Looked at now and then.
    pub(super) fn is_over(&mut self) -> bool {
        if let State::Recording = self.state {
            return true;
        }
        let late = self
            .rewriting
            .is_none_or(|order| order.at.elapsed() >= LONGEST);
        self.in_time = self.is_quiet();
        if self.in_time || late {
            self.settled = read(&mut self.meter);
            self.state = State::Recording;
        }
        self.in_time || late
    }

    /// Whether the compiler threads did no more than usual since the last look, if it is time for another.
    fn is_quiet(&mut self) -> bool {
        let State::Settling(last, quiet) = self.state else {
            return false;
        };
        if last.at.elapsed() < WINDOW {
            return false;
        }
        let Some(now) = read(&mut self.meter) else {
            return false;
        };
        let quiet = match share(last.until(now)) <= self.usual() + MARGIN {
            true => quiet + 1,
            false => 0,
        };
        self.state = State::Settling(now, quiet);
        quiet >= IN_A_ROW
    }

    /// What the compiler threads took before.
    fn usual(&self) -> f64 {
        let before = self.began.zip(self.rewriting);
        before.map_or(0.0, |(began, rewriting)| share(began.until(rewriting)))
    }

    /// The recording is about to end.
    pub(super) fn ending(&mut self) {
        self.ended = read(&mut self.meter);
    }

    /// The original bytes are back: watches for a moment more, unless somebody does not want to wait.
    pub(super) fn restored(&mut self, mut impatient: impl FnMut() -> bool) {
        let Some(before) = read(&mut self.meter).filter(|_| self.settled.is_some()) else {
            return;
        };
        while before.at.elapsed() < AFTER && !impatient() {
            std::thread::sleep(AFTER / 10);
        }
        // A part of it tells nothing: times come in hundredths of a second.
        if before.at.elapsed() >= AFTER {
            self.after = read(&mut self.meter).map(|now| before.until(now));
        }
    }

    /// What was measured, as facts of the trace.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let stretch = |from: Option<Reading>, to| Some(from?.until(to?));
        let stretches = [
            (key::TOLL_BEFORE, stretch(self.began, self.rewriting)),
            (key::TOLL_SETTLING, stretch(self.rewriting, self.settled)),
            (key::TOLL_RECORDING, stretch(self.settled, self.ended)),
            (key::TOLL_AFTER, self.after),
        ];
        let facts = stretches
            .into_iter()
            .filter_map(|(key, toll)| Some((key.to_owned(), toll?.to_string())));
        let settled = self.settled.map(|_| self.in_time.to_string());
        facts
            .chain(settled.map(|settled| (key::TOLL_SETTLED.to_owned(), settled)))
            .collect()
    }
}

fn read(meter: &mut EffortMeter) -> Option<Reading> {
    let at = Instant::now();
    meter.read().map(|effort| Reading { at, effort })
}

/// The share of one processor that compiler threads took.
fn share(toll: Toll) -> f64 {
    toll.share(toll.compilers)
}
