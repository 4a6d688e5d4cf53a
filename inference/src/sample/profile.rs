//! What samples come to: rows with a share and how far it may be off.

use super::fold::{Fold, Tally};
use super::{Location, Spot, State};
use crate::chance;
use locklens_trace::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// What rows are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Each thread.
    Thread,
    /// Each group of threads.
    #[default]
    Group,
    /// Each lock and place that threads stand at.
    Location,
}

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keys {
    /// All threads.
    All,
    /// One thread: its name, and its number in the JVM if known.
    Thread(String, Option<u64>),
    /// A group of threads, and the `ThreadGroup`s they are in, as far as known.
    Group(String, Vec<String>),
    /// A lock and a place.
    Location(Spot),
}

/// How often a state was found, of all findings that the row speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is about.
    pub keys: Keys,
    /// The state.
    pub state: State,
    /// Findings.
    pub samples: u64,
    /// Of so many: all of the thread or group; for a place all in this state.
    pub of: u64,
    /// Looks these were found in.
    pub looks: u64,
    /// Findings of one look depend on each other, so it is looks that count for the error: as many as so many with as many findings each.
    pub worth: f64,
    /// Groups: how many threads were ever in it. Else 1.
    pub threads: u64,
}

impl Row {
    /// The share, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.of {
            0 => 0.0,
            of => self.samples as f64 / of as f64,
        }
    }

    /// What the true share is in 95 times of 100, if looks were independent; see [`chance`].
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        chance::interval(self.share(), self.worth)
    }

    /// How far off the share may be by that, at most.
    #[must_use]
    pub fn error(&self) -> f64 {
        let (low, high) = self.interval();
        (self.share() - low).max(high - self.share())
    }
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Looks.
    pub samples: u64,
    /// Time between two of them, on average; none where it is not known.
    pub period: Option<Nanos>,
    /// Findings: each look finds each thread once.
    pub findings: u64,
    /// Threads of the JVM's own that are left out.
    pub service: u64,
    /// Frames that were filtered out.
    pub filtered: u64,
    /// Findings counted under other rows' names for want of room.
    pub lumped: u64,
    /// There are virtual threads, of which no look tells.
    pub has_virtual: bool,
    /// All threads, by state.
    pub states: Vec<Row>,
    /// By state of each thread.
    pub threads: Vec<Row>,
    /// By state of each group.
    pub groups: Vec<Row>,
    /// Of each state in which threads stand still: where.
    pub locations: Vec<Row>,
    /// The same of each group.
    pub group_locations: BTreeMap<String, Vec<Row>>,
}

impl Profile {
    /// What samples came to, taken so far apart.
    #[must_use]
    pub fn of(fold: &Fold, period: Option<Nanos>) -> Self {
        Self {
            samples: fold.looks,
            period,
            findings: fold.findings,
            service: fold.service,
            filtered: fold.filtered,
            lumped: fold.lumped,
            has_virtual: fold.has_carriers,
            states: states(fold),
            threads: threads(fold),
            groups: groups(fold),
            locations: locations(fold),
            group_locations: group_locations(fold),
        }
    }

    /// The rows for each of something.
    #[must_use]
    pub fn rows(&self, by: By) -> &[Row] {
        match by {
            By::Thread => &self.threads,
            By::Group => &self.groups,
            By::Location => &self.locations,
        }
    }
}

/// Adds up cells by what `key` makes of them.
fn sums<K: Ord>(
    fold: &Fold,
    key: impl Fn(usize, State, Option<usize>) -> Option<K>,
) -> BTreeMap<K, u64> {
    let mut sums = BTreeMap::new();
    for (&(subject, state, spot), &n) in &fold.cells {
        if let Some(key) = key(subject, state, spot) {
            *sums.entry(key).or_insert(0) += n;
        }
    }
    sums
}

fn states(fold: &Fold) -> Vec<Row> {
    let row = |(&state, tally): (&State, &Tally)| Row {
        keys: Keys::All,
        state,
        samples: tally.samples,
        of: fold.findings,
        looks: fold.looks,
        worth: fold.all.worth(),
        threads: 1,
    };
    let mut rows: Vec<Row> = fold.states.iter().map(row).collect();
    rows.sort_by_key(|row| row.state);
    rows
}

/// Of one JVM a thread is one row, by the name that it had last.
fn threads(fold: &Fold) -> Vec<Row> {
    let mut last: BTreeMap<u64, usize> = BTreeMap::new();
    let mut tallies: BTreeMap<usize, Tally> = BTreeMap::new();
    let numbers = fold.subjects.iter().map(|subject| subject.who.tid);
    let numbers = numbers.map(|tid| tid.filter(|_| fold.is_of_one));
    for (nth, tid) in numbers.clone().enumerate() {
        last.extend(tid.map(|tid| (tid, nth)));
    }
    let whose: Vec<usize> = numbers
        .enumerate()
        .map(|(nth, tid)| tid.map_or(nth, |tid| last[&tid]))
        .collect();
    for (subject, &nth) in fold.subjects.iter().zip(&whose) {
        tallies.entry(nth).or_default().merge(subject.tally);
    }
    let row = |((subject, state), samples): ((usize, State), u64)| {
        let who = &fold.subjects[subject].who;
        let tally = tallies[&subject];
        Row {
            keys: Keys::Thread(who.name.clone(), who.tid),
            state,
            samples,
            of: tally.samples,
            looks: tally.looks,
            worth: tally.worth(),
            threads: 1,
        }
    };
    let sums = sums(fold, |subject, state, _| Some((whose[subject], state)));
    let mut rows: Vec<Row> = sums.into_iter().map(row).collect();
    rows.sort_by(|a, b| (&a.keys, a.state).cmp(&(&b.keys, b.state)));
    rows
}

fn groups(fold: &Fold) -> Vec<Row> {
    let members = members(fold);
    let row = |((group, state), samples): ((usize, State), u64)| {
        let (name, tally) = &fold.groups[group];
        let (threads, thread_groups) = &members[group];
        Row {
            keys: Keys::Group(name.clone(), thread_groups.iter().cloned().collect()),
            state,
            samples,
            of: tally.samples,
            looks: tally.looks,
            worth: tally.worth(),
            threads: *threads,
        }
    };
    let group = |subject: usize| fold.subjects[subject].group;
    let sums = sums(fold, |subject, state, _| Some((group(subject), state)));
    let mut rows: Vec<Row> = sums.into_iter().map(row).collect();
    rows.sort_by(|a, b| (&a.keys, a.state).cmp(&(&b.keys, b.state)));
    rows
}

/// Of each group: how many threads, and in which `ThreadGroup`s.
fn members(fold: &Fold) -> Vec<(u64, BTreeSet<String>)> {
    let mut members = vec![(0, BTreeSet::new()); fold.groups.len()];
    let mut met = BTreeSet::new();
    for subject in &fold.subjects {
        let (threads, thread_groups) = &mut members[subject.group];
        let again = subject.who.tid.filter(|_| fold.is_of_one);
        let again = again.is_some_and(|tid| !met.insert((subject.group, tid)));
        *threads += u64::from(!again);
        thread_groups.extend(subject.who.thread_group.clone());
    }
    members
}

fn locations(fold: &Fold) -> Vec<Row> {
    let key = |_, state: State, spot: Option<usize>| state.stands().then_some((state, spot));
    let mut rows: Vec<Row> = sums(fold, key)
        .into_iter()
        .map(|((state, spot), samples)| location(fold, state, spot, samples))
        .collect();
    sort_locations(&mut rows);
    rows
}

fn location(fold: &Fold, state: State, spot: Option<usize>, samples: u64) -> Row {
    let tally = fold.states.get(&state).copied().unwrap_or_default();
    let spot = spot.map(|spot| fold.spots[spot].clone());
    Row {
        keys: Keys::Location(spot.unwrap_or_default()),
        state,
        samples,
        of: tally.samples,
        looks: tally.looks,
        worth: tally.worth(),
        threads: 1,
    }
}

/// Each state, the most frequent place first, that of frames nobody cares for last.
fn sort_locations(rows: &mut [Row]) {
    let filtered = |row: &Row| match &row.keys {
        Keys::Location(spot) => spot.location == Location::Filtered,
        _ => false,
    };
    rows.sort_by(|a, b| {
        let order = |row: &Row| (row.state, filtered(row), std::cmp::Reverse(row.samples));
        order(a).cmp(&order(b)).then_with(|| a.keys.cmp(&b.keys))
    });
}

fn group_locations(fold: &Fold) -> BTreeMap<String, Vec<Row>> {
    let mut of_groups: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let key = |subject: usize, state: State, spot: Option<usize>| {
        let group = fold.subjects[subject].group;
        state.stands().then_some((group, state, spot))
    };
    for ((group, state, spot), samples) in sums(fold, key) {
        let (name, tally) = &fold.groups[group];
        let row = Row {
            of: tally.samples,
            looks: tally.looks,
            worth: tally.worth(),
            ..location(fold, state, spot, samples)
        };
        of_groups.entry(name.clone()).or_default().push(row);
    }
    of_groups.values_mut().for_each(|rows| sort_locations(rows));
    of_groups
}
