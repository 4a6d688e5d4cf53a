//! Which threads of several runs are two, and which were there at one time.

use super::super::lineage::{Away, Span};
use super::{FromRun, Run};
use std::collections::{BTreeMap, BTreeSet};

/// Nestings of which it is remembered who was not there meanwhile.
const ASKED: usize = 1_000;

/// Starts and joins of the runs; whether they have put any two nestings apart.
pub(super) struct Apart<'r> {
    runs: &'r [Run],
    /// Who did what, in each run.
    doers: Vec<Doers<'r>>,
    /// By run and nesting, who was not there meanwhile.
    away: BTreeMap<(usize, Span), Away<'r>>,
    pub(super) met: bool,
}

impl<'r> Apart<'r> {
    pub(super) fn of(runs: &'r [Run]) -> Self {
        Self {
            runs,
            doers: runs.iter().map(doers).collect(),
            away: BTreeMap::new(),
            met: false,
        }
    }

    /// Whether one of the two threads was not there when the other one did its part, in the run that shows it.
    pub(super) fn keep(&mut self, a: FromRun<'_>, b: FromRun<'_>) -> bool {
        let apart = self.is_away(a, b) || self.is_away(b, a);
        self.met |= apart;
        apart
    }

    fn is_away(&mut self, of: FromRun<'_>, other: FromRun<'_>) -> bool {
        let Some(span) = of.nesting.span else {
            return false;
        };
        let lineage = &self.runs[of.run].lineage;
        if self.away.len() >= ASKED {
            self.away.clear();
        }
        let away = self.away.entry((of.run, span));
        let away = away.or_insert_with(|| lineage.away(span));
        // Within one run it is known who it was.
        match other.nesting.span.filter(|_| of.run == other.run) {
            Some(other) => away.threads.contains(&other.thread),
            None => away.names.contains(other.nesting.stable.as_str()),
        }
    }

    /// Whether two threads are two, whatever numbers they have: names of two runs that differ in these alone may be one thread's, unless
    /// two that are called so were there at one time, and in no run one alone has done both.
    pub(super) fn are_two(&self, a: FromRun<'_>, b: FromRun<'_>) -> bool {
        let (one, other) = (a.nesting, b.nesting);
        if one.part.thread.name == other.part.thread.name {
            return false;
        }
        if a.run == b.run || one.stable != other.stable {
            return true;
        }
        let together = |run: &Run| run.lineage.are_together(&one.stable);
        self.runs.iter().any(together) && self.are_done_by_two([&one.way(), &other.way()])
    }

    /// Whether two were seen to do one or the other of these, or nobody to do both.
    fn are_done_by_two(&self, ways: [&str; 2]) -> bool {
        let (mut several, mut both) = (false, false);
        for doers in &self.doers {
            let [a, b] = ways.map(|way| doers.get(way));
            let all: BTreeSet<_> = a.into_iter().chain(b).flatten().collect();
            several |= all.len() > 1;
            both |= a.zip(b).is_some_and(|(a, b)| !a.is_disjoint(b));
        }
        several || !both
    }
}

/// By what was done, the numbers and names of the threads that did it.
type Doers<'r> = BTreeMap<String, BTreeSet<(Option<u64>, &'r str)>>;

/// Who has done what in a run.
fn doers(run: &Run) -> Doers<'_> {
    let mut doers = Doers::new();
    for nesting in &run.nestings {
        let thread = &nesting.part.thread;
        let by = doers.entry(nesting.way()).or_default();
        by.insert((thread.tid, thread.name.as_str()));
    }
    doers
}
