//! With every visit known, types, roles and details come out right, with the bytecode and
//! without, and with a bytecode that lies; also when notifies are lost or misplaced and the state
//! is forgotten now and then.

mod types_sim;

use locklens_inference::types::LockType;
use types_sim::measure::{Statics, Trial, View, assess, attempt};
use types_sim::meeting::cyclic_barrier;
use types_sim::noise::exact;
use types_sim::{settled, subjects};

const SEEDS: u64 = 3;

fn trials(view: View, statics: Statics, visits: usize) -> Vec<(String, Trial)> {
    let mut all = Vec::new();
    for subject in subjects() {
        for seed in 0..SEEDS {
            let trial = attempt(&subject, view, statics, visits, seed);
            let what = format!("{} (seed {seed}): {}", subject.name, trial.line());
            if settled(&subject, visits, seed) {
                all.push((what, trial));
            }
        }
    }
    all
}

fn assert_share(trials: &[(String, Trial)], least: f64, right: impl Fn(&Trial) -> bool) {
    let wrong: Vec<&str> = trials
        .iter()
        .filter(|t| !right(&t.1))
        .map(|t| t.0.as_str())
        .collect();
    let share = 1.0 - wrong.len() as f64 / trials.len() as f64;
    assert!(
        share >= least,
        "{share:.3} right; wrong:\n{}",
        wrong.join("\n")
    );
}

fn assert_none_falsely_sure(trials: &[(String, Trial)]) {
    assert_share(trials, 1.0, |t| !t.falsely_sure());
}

#[test]
fn a_thousand_visits_settle_everything() {
    for statics in [Statics::None, Statics::True] {
        let trials = trials(View::Complete, statics, 1000);
        assert_share(&trials, 0.99, Trial::all_right);
        assert_none_falsely_sure(&trials);
    }
}

#[test]
fn a_hundred_visits_settle_the_type() {
    for statics in [Statics::None, Statics::True] {
        let trials = trials(View::Complete, statics, 100);
        assert_share(&trials, 0.99, |t| t.first_right);
        assert_none_falsely_sure(&trials);
    }
}

#[test]
fn ten_visits_may_be_too_few_but_never_make_it_falsely_sure() {
    for statics in [Statics::None, Statics::True, Statics::False] {
        assert_none_falsely_sure(&trials(View::Complete, statics, 10));
    }
}

#[test]
fn bytecode_that_lies_is_outvoted_and_the_contradiction_is_said() {
    let trials = trials(View::Complete, Statics::False, 1000);
    assert_share(&trials, 0.99, |t| t.first_right);
    assert_none_falsely_sure(&trials);
    assert_share(&trials, 0.99, |t| !t.typing.contradictions.is_empty());
}

#[test]
fn bytecode_that_lies_with_conviction_is_not_believed_either() {
    for visits in [10, 100, 1000] {
        assert_none_falsely_sure(&trials(View::Complete, Statics::Convinced, visits));
    }
}

/// A queue of one place goes through the steps of a lock. Then it is no reason against it that a lock would
/// predict them a little more tightly, but one not to be sure.
#[test]
fn code_that_every_step_bears_out_is_not_outvoted() {
    let trials = trials(View::Complete, Statics::Convinced, 1000);
    let mut locks = trials.iter().filter(|t| t.0.starts_with("lock (seed"));
    assert!(locks.clone().count() > 0);
    let queue = |t: &Trial| {
        let first = &t.typing.types[0];
        first.lock_type == LockType::ProducerConsumer && first.confidence <= 0.85
    };
    assert!(locks.all(|t| queue(&t.1)));
}

#[test]
fn lost_and_misplaced_notifies_and_resets_do_no_harm_in_a_long_history() {
    for statics in [Statics::None, Statics::True] {
        let trials = trials(View::Damaged, statics, 1000);
        assert_share(&trials, 0.99, |t| t.first_right);
        assert_share(&trials, 0.95, Trial::all_right);
        assert_none_falsely_sure(&trials);
    }
}

#[test]
fn barriers_made_for_different_numbers_are_barriers_of_no_number() {
    let said = |parties: &[u32]| {
        let histories = parties
            .iter()
            .flat_map(|&n| exact(&cyclic_barrier(n).record(500, 7)));
        let histories: Vec<_> = histories.collect();
        let typing = assess(&cyclic_barrier(4), &histories, Statics::None);
        let best = typing.types[0].clone();
        (best.lock_type, best.details.get("parties").cloned())
    };
    let four = locklens_inference::types::Detail::Count(4);
    assert_eq!(said(&[4]), (LockType::Barrier, Some(four.clone())));
    assert_eq!(said(&[4, 4]), (LockType::Barrier, Some(four)));
    assert_eq!(said(&[2, 4]), (LockType::Barrier, None));
    assert_eq!(said(&[3, 5, 4]), (LockType::Barrier, None));
}
