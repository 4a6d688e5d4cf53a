//! What rests on guesses bears nothing out and refutes nothing.

use super::*;
use crate::trial::bench::{Operation, Reaction};
use crate::trial::fake::{Counter, CounterFault, Fifo, FifoFault, Order};
use proptest::prelude::*;

/// A bench that decides something by a guess in each call of one operation.
#[derive(Clone)]
struct Guessing<S: Subject> {
    bench: Fake<S>,
    by: usize,
    guessed: u32,
    assumed: Vec<&'static str>,
}

impl<S: Subject> Bench for Guessing<S> {
    fn operations(&self) -> &[Operation] {
        self.bench.operations()
    }

    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction {
        self.guessed += u32::from(operation == self.by);
        self.bench.call(thread, operation, token)
    }

    fn expire(&mut self, thread: usize) -> Reaction {
        self.bench.expire(thread)
    }

    fn can_expire(&self, thread: usize) -> bool {
        self.bench.can_expire(thread)
    }

    fn cost(&self) -> u64 {
        self.bench.cost()
    }

    fn guessed(&self) -> u32 {
        self.guessed
    }

    fn assumed(&self) -> Vec<&'static str> {
        self.assumed.clone()
    }
}

/// The operation with this name guesses.
fn guessing<S: Subject>(subject: S, name: &str) -> Guessing<S> {
    let by = subject.names().iter().position(|n| *n == name);
    Guessing {
        bench: Fake::new(subject, 0),
        by: by.expect("an operation of the subject"),
        guessed: 0,
        assumed: Vec::new(),
    }
}

#[test]
fn each_of_two_things_that_are_assumed_costs_certainty() {
    let odds = |assumed: &[&'static str]| {
        let mut bench = guessing(Counter::new(2, CounterFault::None), "acquire");
        bench.by = usize::MAX;
        bench.assumed = assumed.to_vec();
        let benches = [bench];
        let trials = try_out(&benches);
        let semaphore = |c: &&(Hypothesis, Evidence)| c.0.lock_type == LockType::Semaphore;
        let found = trials.confirmed().iter().find(semaphore);
        found.expect("a semaphore").1.log_odds
    };
    let (known, one, two) = (odds(&[]), odds(&["this"]), odds(&["this", "that"]));
    assert!(known > one && one > two && two > 0.0, "{known} {one} {two}");
    assert!((odds(&["this", "that", "more"]) - two).abs() < f64::EPSILON);
}

const PERMITS: [(Role, &str); 2] = [(Role::Acquire, "acquire"), (Role::Release, "release")];

/// What is said of permits when somebody believes in them.
fn asked(bench: &Guessing<Counter>) -> Opinion {
    let names = Counter::new(1, CounterFault::None).names();
    let region = |name| {
        names
            .iter()
            .position(|n| *n == name)
            .map(|at| RegionId(at as u32))
    };
    let roles = PERMITS.map(|(role, name)| (role, region(name).into_iter().collect()));
    let hypothesis = Hypothesis {
        lock_type: LockType::Semaphore,
        roles: roles.into(),
        details: BTreeMap::new(),
    };
    try_out(std::slice::from_ref(bench)).examine(&hypothesis)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_as_it_should_by_a_guess_is_found_and_not_borne_out(
        permits in 2i64..=6,
        at in 0usize..PERMITS.len(),
    ) {
        let subject = Counter::new(permits, CounterFault::None);
        let bench = guessing(subject.clone(), PERMITS[at].1);
        let all = try_out(&[bench]).confirmed().to_vec();
        let sure = found(subject);
        let is_it = |f: &&(Hypothesis, Evidence)| f.0.lock_type == LockType::Semaphore;
        let (guessed, known) = (all.iter().find(is_it), sure.iter().find(is_it));
        let (guessed, known) = (guessed.expect("found"), known.expect("found"));
        prop_assert_eq!(detail(&guessed.0, "permits"), count(permits as u64));
        prop_assert!(!guessed.1.borne_out && known.1.borne_out);
        prop_assert!(guessed.1.log_odds < known.1.log_odds);
    }

    #[test]
    fn what_goes_wrong_by_a_guess_is_not_refuted(
        permits in 2i64..=6,
        fault in prop::sample::select(vec![
            CounterFault::LosesReleases,
            CounterFault::DoublesReleases,
            CounterFault::ForgetsToTake,
        ]),
    ) {
        let bench = guessing(Counter::new(permits, fault), "acquire");
        let trials = try_out(std::slice::from_ref(&bench));
        prop_assert!(trials.confirmed().is_empty());
        prop_assert_eq!(asked(&bench), Opinion::Inconclusive);
    }
}

#[test]
fn another_manner_adds_what_the_first_did_not_find() {
    let blind = Fake::new(Fifo::new(Some(3), Order::OldestFirst, FifoFault::Drops), 0);
    let seeing = Fake::new(Fifo::new(Some(3), Order::OldestFirst, FifoFault::None), 0);
    let all: BTreeSet<_> = blind
        .operations()
        .iter()
        .flat_map(|o| o.regions.clone())
        .collect();
    let (blind, seeing) = ([blind], [seeing]);
    let mut trials = try_out(&blind);
    assert!(trials.confirmed().is_empty() && trials.leaves_open(&all));
    assert!(trials.go_on(&seeing) > 0);
    assert_eq!(
        trials.confirmed()[0].0.lock_type,
        LockType::ProducerConsumer
    );
    assert!(!trials.leaves_open(&trials.confirmed()[0].0.regions()));
}
