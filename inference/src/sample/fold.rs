//! Samples, added up as they come.

use super::{Seen, Spot, State, Who};
use std::collections::HashMap;

/// Threads that get a row of their own: further ones are counted together. Servers with more threads at once do not exist;
/// with more, one after the other, they do.
const THREADS: usize = 20_000;
/// Places that get one.
const SPOTS: usize = 20_000;
/// Groups that get one.
const GROUPS: usize = 5_000;
/// Pairs of a thread and what it did where.
const CELLS: usize = 400_000;
/// What is counted together is called so.
const OTHERS: &str = "(others)";

/// How often something was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Findings.
    pub(super) samples: u64,
    /// Looks with any.
    pub(super) looks: u64,
    /// The last of them, and its findings.
    last: u64,
    here: u64,
    /// Sum of the squares of each look's findings.
    squares: u64,
}

impl Tally {
    fn count(&mut self, look: u64) {
        self.samples += 1;
        if self.last != look {
            (self.last, self.here) = (look, 0);
            self.looks += 1;
        }
        // (n + 1)² = n² + 2n + 1
        let more = self.here.saturating_mul(2).saturating_add(1);
        self.squares = self.squares.saturating_add(more);
        self.here += 1;
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.samples += other.samples;
        self.looks += other.looks;
        self.squares = self.squares.saturating_add(other.squares);
        self.last = 0;
    }

    /// So many looks with as many findings each tell as much: where most findings are of a few looks, these decide (Kish's effective
    /// size of a sample).
    pub(super) fn worth(&self) -> f64 {
        match self.squares {
            0 => 0.0,
            squares => self.samples as f64 * self.samples as f64 / squares as f64,
        }
    }
}

/// A thread, or all those that are counted together.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) who: Who,
    pub(super) group: usize,
    pub(super) tally: Tally,
}

/// What a thread did, where: numbers of a thread, its state, and a place.
pub(super) type Cell = (usize, State, Option<usize>);

/// Rows that grow with what is different, not with time. See the module.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    pub(super) looks: u64,
    pub(super) findings: u64,
    pub(super) filtered: u64,
    /// Threads of the JVM's own, which are left out, most of them in one look.
    pub(super) service: u64,
    /// Findings counted together with others for want of room.
    pub(super) lumped: u64,
    /// Threads were seen that carry virtual ones.
    pub(super) has_carriers: bool,
    /// All looks are at one JVM: its numbers of threads are of these.
    pub(super) is_of_one: bool,
    pub(super) subjects: Vec<Subject>,
    subject_of: HashMap<(Option<u64>, String), usize>,
    pub(super) groups: Vec<(String, Tally)>,
    group_of: HashMap<String, usize>,
    pub(super) spots: Vec<Spot>,
    spot_of: HashMap<Spot, usize>,
    /// All findings, and those of each state.
    pub(super) all: Tally,
    pub(super) states: HashMap<State, Tally>,
    pub(super) cells: HashMap<Cell, u64>,
}

impl Fold {
    /// Another look begins; `service` threads of the JVM's own are left out of it.
    pub fn begin_look(&mut self, service: u64) {
        self.looks += 1;
        self.service = self.service.max(service);
    }

    /// A thread was seen that carries virtual ones.
    pub fn see_carrier(&mut self) {
        self.has_carriers = true;
    }

    /// All looks are at one JVM.
    pub(super) fn of_one_jvm(&mut self) {
        self.is_of_one = true;
    }

    /// The look found this thread so. Each thread once in a look.
    pub fn see(&mut self, seen: &Seen) {
        let look = self.looks;
        self.findings += 1;
        self.filtered += seen.filtered;
        let subject = self.subject(&seen.who);
        let spot = seen.spot.as_ref().map(|spot| self.spot(spot));
        self.all.count(look);
        self.states.entry(seen.state).or_default().count(look);
        self.subjects[subject].tally.count(look);
        let group = self.subjects[subject].group;
        self.groups[group].1.count(look);
        self.add((subject, seen.state, spot), 1);
    }

    /// Looks so far.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Adds what another one counted, of other looks.
    pub fn merge(&mut self, other: &Self) {
        self.looks += other.looks;
        self.findings += other.findings;
        self.filtered += other.filtered;
        self.service = self.service.max(other.service);
        self.lumped += other.lumped;
        self.has_carriers |= other.has_carriers;
        self.is_of_one |= other.is_of_one;
        self.all.merge(other.all);
        for (name, tally) in &other.groups {
            let group = self.group(name);
            self.groups[group].1.merge(*tally);
        }
        for (&state, &tally) in &other.states {
            self.states.entry(state).or_default().merge(tally);
        }
        let subjects: Vec<usize> = other
            .subjects
            .iter()
            .map(|theirs| {
                let ours = self.subject(&theirs.who);
                self.subjects[ours].tally.merge(theirs.tally);
                ours
            })
            .collect();
        let spots: Vec<usize> = other.spots.iter().map(|spot| self.spot(spot)).collect();
        let mut cells: Vec<_> = other.cells.iter().collect();
        cells.sort_unstable();
        for (&(subject, state, spot), &n) in cells {
            self.add((subjects[subject], state, spot.map(|spot| spots[spot])), n);
        }
    }

    fn add(&mut self, cell: Cell, n: u64) {
        let room = self.cells.len() < CELLS;
        if !room && !self.cells.contains_key(&cell) {
            self.lumped += n;
            let (subject, state, _) = cell;
            *self.cells.entry((subject, state, None)).or_default() += n;
            return;
        }
        *self.cells.entry(cell).or_default() += n;
    }

    fn subject(&mut self, who: &Who) -> usize {
        let key = (who.tid, who.name.clone());
        if let Some(&known) = self.subject_of.get(&key) {
            return known;
        }
        if self.subjects.len() >= THREADS && who.name != OTHERS {
            self.lumped += 1;
            return self.subject(&Who {
                tid: None,
                name: OTHERS.to_owned(),
                thread_group: None,
                group: OTHERS.to_owned(),
            });
        }
        let group = self.group(&who.group);
        self.subjects.push(Subject {
            who: who.clone(),
            group,
            tally: Tally::default(),
        });
        self.subject_of.insert(key, self.subjects.len() - 1);
        self.subjects.len() - 1
    }

    fn group(&mut self, name: &str) -> usize {
        if let Some(&known) = self.group_of.get(name) {
            return known;
        }
        if self.groups.len() >= GROUPS && name != OTHERS {
            return self.group(OTHERS);
        }
        self.groups.push((name.to_owned(), Tally::default()));
        self.group_of.insert(name.to_owned(), self.groups.len() - 1);
        self.groups.len() - 1
    }

    fn spot(&mut self, spot: &Spot) -> usize {
        if let Some(&known) = self.spot_of.get(spot) {
            return known;
        }
        let others = super::Location::At(OTHERS.to_owned());
        if self.spots.len() >= SPOTS && spot.location != others {
            self.lumped += 1;
            return self.spot(&Spot {
                lock: None,
                location: others,
            });
        }
        self.spots.push(spot.clone());
        self.spot_of.insert(spot.clone(), self.spots.len() - 1);
        self.spots.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{By, Keys, Lens, Location, Profile, Row};
    use proptest::prelude::*;

    fn seen(tid: u64, state: State, lock: Option<&str>) -> Seen {
        let frame = crate::sample::filter::Frame {
            method: format!("app.Work.step{}", tid % 3),
            source: String::new(),
        };
        let lock = lock.map(str::to_owned);
        Lens::default().seen(
            (Some(tid), &format!("w-{tid}"), Some("main")),
            state,
            &[frame],
            lock,
        )
    }

    fn row(rows: &[Row], state: State) -> &Row {
        rows.iter().find(|row| row.state == state).expect("a row")
    }

    #[test]
    fn shares_have_the_errors_of_a_sample() {
        let mut fold = Fold::default();
        for look in 0..100 {
            fold.begin_look(3);
            let state = if look < 20 {
                State::Blocked
            } else {
                State::Runnable
            };
            fold.see(&seen(1, state, Some("app.Gate")));
            fold.see(&seen(2, state, Some("app.Gate")));
        }
        let profile = Profile::of(&fold, None);
        assert_eq!(
            (profile.samples, profile.findings, profile.service),
            (100, 200, 3)
        );
        let group = row(profile.rows(By::Group), State::Blocked);
        assert_eq!((group.samples, group.of, group.threads), (40, 200, 2));
        assert!((group.share() - 0.2).abs() < 1e-9);
        // Of 20 in 100: two threads of one look count once.
        let (low, high) = group.interval();
        assert!(
            (low - 0.1334).abs() < 1e-4 && (high - 0.2888).abs() < 1e-4,
            "{low} {high}"
        );
        assert!((group.error() - 0.0888).abs() < 1e-4, "{}", group.error());
        let place = row(profile.rows(By::Location), State::Blocked);
        assert_eq!((place.samples, place.of, place.looks), (20, 40, 20));
        assert!(
            matches!(&place.keys, Keys::Location(spot) if spot.lock.as_deref() == Some("app.Gate"))
        );
    }

    /// Ten threads, and in a tenth of the looks 190 more: two thirds of all findings are of these looks.
    #[test]
    fn looks_that_find_more_threads_than_others_decide() {
        let mut fold = Fold::default();
        for look in 0..100 {
            fold.begin_look(0);
            let threads = if look % 10 == 0 { 200 } else { 10 };
            (0..threads).for_each(|tid| fold.see(&seen(tid, State::Blocked, None)));
        }
        let profile = Profile::of(&fold, None);
        let all = row(&profile.states, State::Blocked);
        assert_eq!((all.samples, all.looks), (2_900, 100));
        let worth = 2_900.0 * 2_900.0 / (10.0 * 40_000.0 + 90.0 * 100.0);
        assert!((all.worth - worth).abs() < 1e-9, "{}", all.worth);
        let group = row(profile.rows(By::Group), State::Blocked);
        assert!((group.worth - worth).abs() < 1e-9, "{}", group.worth);
        let thread = row(profile.rows(By::Thread), State::Blocked);
        assert!((thread.worth - 100.0).abs() < 1e-9, "{}", thread.worth);
    }

    #[test]
    fn few_looks_say_little_even_where_all_agree() {
        let mut fold = Fold::default();
        fold.begin_look(0);
        fold.see(&seen(1, State::Blocked, None));
        let profile = Profile::of(&fold, None);
        let one = row(profile.rows(By::Thread), State::Blocked);
        assert_eq!(one.share(), 1.0);
        let (low, high) = one.interval();
        assert!(low < 0.25 && high == 1.0, "{low} {high}");
    }

    #[test]
    fn the_true_share_is_within_the_error_95_times_of_100() {
        let mut random = 1_u64;
        let mut chance = move || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % 100
        };
        let mut within = 0;
        for _ in 0..1_000 {
            let mut fold = Fold::default();
            for _ in 0..300 {
                fold.begin_look(0);
                let state = if chance() < 30 {
                    State::Blocked
                } else {
                    State::Runnable
                };
                fold.see(&seen(1, state, None));
            }
            let profile = Profile::of(&fold, None);
            let row = row(profile.rows(By::Thread), State::Blocked);
            within += u32::from((row.share() - 0.3).abs() <= row.error());
        }
        assert!((930..=970).contains(&within), "{within}");
    }

    #[test]
    fn a_thread_that_lives_for_a_while_has_shares_of_that_while() {
        let mut fold = Fold::default();
        for look in 0..100 {
            fold.begin_look(0);
            if look < 10 {
                fold.see(&seen(1, State::Sleeping, None));
            }
        }
        let profile = Profile::of(&fold, None);
        let row = &profile.rows(By::Thread)[0];
        assert_eq!((row.samples, row.of, row.looks), (10, 10, 10));
    }

    #[test]
    fn memory_is_bounded_whatever_comes() {
        let mut fold = Fold::default();
        fold.begin_look(0);
        for tid in 0..(THREADS as u64 + 500) {
            let mut seen = seen(tid, State::Blocked, None);
            let location = Location::At(format!("at {tid}"));
            seen.spot = Some(Spot {
                lock: None,
                location,
            });
            seen.who.group = format!("g{tid}");
            fold.see(&seen);
        }
        assert!(fold.subjects.len() <= THREADS + 1 && fold.spots.len() <= SPOTS + 1);
        assert!(fold.groups.len() <= GROUPS + 1 && fold.lumped >= 500);
        let profile = Profile::of(&fold, None);
        let sum: u64 = profile.threads.iter().map(|row| row.samples).sum();
        assert_eq!(sum, profile.findings);
    }

    proptest! {
        #[test]
        fn pieces_add_up_to_the_whole(
            looks in prop::collection::vec(prop::collection::btree_map(0..6_u64, 0..8_usize, 0..6), 0..20),
            cut in any::<prop::sample::Index>(),
        ) {
            let (mut whole, mut first, mut second) = (Fold::default(), Fold::default(), Fold::default());
            let at = cut.index(looks.len() + 1);
            for (nth, look) in looks.iter().enumerate() {
                let piece = if nth < at { &mut first } else { &mut second };
                for fold in [&mut whole, piece] {
                    fold.begin_look(1);
                    for (&tid, &state) in look {
                        fold.see(&seen(tid, State::ALL[state], Some("L").filter(|_| tid > 2)));
                    }
                }
            }
            let mut joined = Fold::default();
            joined.merge(&first);
            joined.merge(&second);
            prop_assert_eq!(Profile::of(&joined, None), Profile::of(&whole, None));
        }
    }
}
