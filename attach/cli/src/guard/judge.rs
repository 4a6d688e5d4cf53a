//! Reads the growing trace again when there is news, and tells what it has not told yet.

use super::Args;
use super::voice::Voice;
use crate::args::Analysis;
use crate::deadlocks::read_nested;
use crate::exit::Failure;
use crate::record::output::Grown;
use crate::study::options;
use crate::terminal::{note, understands_escapes};
use locklens_inference::deadlock::finding::{Report, Tier};
use locklens_inference::deadlock::merged::{Nesting, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Least time between two readings, and how many times as long as one takes: reading must not become what it costs.
const PAUSE: Duration = Duration::from_millis(200);
const REST: u32 = 4;

/// See the module.
pub(super) struct Judge<'a> {
    voice: &'a Voice,
    least: Tier,
    all: bool,
    /// Cycles told, and how well they were proved then.
    cycles: BTreeMap<String, Tier>,
    dependencies: BTreeSet<String>,
}

impl<'a> Judge<'a> {
    /// Nothing told yet.
    pub(super) fn new(args: &Args, voice: &'a Voice) -> Self {
        Self {
            voice,
            least: args.min_tier,
            all: args.all,
            cycles: BTreeMap::new(),
            dependencies: BTreeSet::new(),
        }
    }

    /// Tells what is new until nobody gives news any more; the last report, if there was any news.
    pub(super) fn attend(mut self, news: &Receiver<Grown>) -> Result<Option<Report>, Failure> {
        let Ok(Grown { path, .. }) = news.recv() else {
            return Ok(None);
        };
        loop {
            let began = Instant::now();
            let run = read_nested(&path, &options(&Analysis::default()))?;
            self.tell(&run)?;
            let rest = PAUSE.max(began.elapsed() * REST);
            if !is_more(news, rest) {
                if understands_escapes(&std::io::stderr()) {
                    note("the recording is over: analysing it");
                }
                // What came between the last reading and the end.
                let run = read_nested(&path, &options(&Analysis::default()))?;
                self.tell(&run)?;
                return Ok(Some(run.told()));
            }
        }
    }

    fn tell(&mut self, run: &Run) -> Result<(), Failure> {
        let new: Vec<&Nesting> = run.nestings.iter().filter(|_| self.all).collect();
        for nesting in new {
            if self.dependencies.insert(nesting.key()) {
                self.voice.dependency(nesting)?;
            }
        }
        // Callers that are a part of ids come with classes that are loaded later.
        let told = run.clone().told();
        for (plain, finding) in run.report.findings.iter().zip(&told.findings) {
            let known = self.cycles.get(&plain.id).copied();
            let counts = self.all || finding.tier <= self.least;
            if counts && known.is_none_or(|known| finding.tier < known) {
                self.cycles.insert(plain.id.clone(), finding.tier);
                self.voice.cycle(finding, known)?;
            }
        }
        Ok(())
    }
}

/// Rests, and waits for the next news; none if there will not be any.
fn is_more(news: &Receiver<Grown>, rest: Duration) -> bool {
    let end = Instant::now() + rest;
    let mut any = false;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() && any {
            return true;
        }
        let next = match left.is_zero() {
            true => news.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => news.recv_timeout(left),
        };
        match next {
            Ok(_) => any = true,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::sync::mpsc;

    #[test]
    fn much_news_is_one_reading_and_the_end_is_heard_while_resting() {
        let (tell, news) = mpsc::channel();
        for _ in 0..100 {
            let path = PathBuf::new();
            tell.send(Grown { path, length: 0 }).unwrap();
        }
        assert!(is_more(&news, Duration::from_millis(1)));
        assert!(news.try_recv().is_err());
        drop(tell);
        assert!(!is_more(&news, Duration::from_secs(3600)));
    }
}
