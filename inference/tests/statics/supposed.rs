//! Locks that do not show what they are unless something is supposed: what is found, how sure it is,
//! and that nothing is found where the supposition decides everything.

use crate::subjects::{Program, compile_one};
use locklens_inference::trial::bench::{Bench, Outcome};
use locklens_inference::trial::machine::{Bias, Manner, benches_in};
use locklens_inference::types::{Detail, Evidence, Hypothesis, LockType, Role};
use locklens_trace::ClassId;
use std::collections::BTreeSet;

const SOURCE: &str = "tests/trials/Guesses.java";

fn program() -> Program {
    compile_one(SOURCE)
}

/// The regions of a class, and the class.
fn lock(
    program: &Program,
    class: &str,
) -> (BTreeSet<locklens_inference::region::RegionId>, Vec<ClassId>) {
    let own = program.catalog.classes.values().filter(|c| c.name == class);
    let classes: Vec<_> = own.map(|c| c.id).collect();
    let regions = program.regions.iter();
    let regions: BTreeSet<_> = regions
        .filter(|(_, r)| classes.contains(&r.class))
        .map(|r| r.0)
        .collect();
    assert!(!regions.is_empty(), "no regions of {class}");
    (regions, classes)
}

/// What a lock goes as, best first.
fn found(class: &str) -> Vec<(Hypothesis, Evidence)> {
    let program = program();
    let (regions, classes) = lock(&program, &format!("Guesses${class}"));
    program.model.run(&regions, &classes)
}

/// The best reading of a lock whose callers say how many.
fn called(class: &str) -> (Hypothesis, Evidence) {
    let program = compile_one("tests/trials/Callers.java");
    let (regions, classes) = lock(&program, &format!("Callers${class}"));
    program.model.run(&regions, &classes).swap_remove(0)
}

/// The readings of the same, best first, as reports have them.
fn judged(class: &str) -> Vec<(Hypothesis, Evidence)> {
    let program = compile_one("tests/trials/Callers.java");
    let (regions, classes) = lock(&program, &format!("Callers${class}"));
    program.model.judge(&regions, &classes)
}

fn detail(found: &(Hypothesis, Evidence), key: &str) -> Option<Detail> {
    found.0.details.get(key).cloned()
}

#[test]
fn what_is_only_written_down_does_not_matter_but_is_no_proof() {
    let all = found("Sampled");
    let best = &all[0];
    assert_eq!(best.0.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(best, "permits"), Some(Detail::Count(3)));
    assert!(!best.1.borne_out, "{best:?}");
    assert!(best.1.pro.iter().any(|p| p.contains("guesses")), "{best:?}");
}

#[test]
fn a_guess_that_decides_who_waits_bears_nothing_out() {
    let all = found("Chancy");
    assert!(all.iter().all(|f| !f.1.borne_out), "{all:?}");
}

#[test]
fn a_loop_ends_that_chance_alone_would_end() {
    let program = program();
    let (regions, classes) = lock(&program, "Guesses$Sampled");
    for bias in [Bias::Zero, Bias::One, Bias::Mixed] {
        let manner = Manner {
            guess: Some(bias),
            ..Manner::default()
        };
        for bench in benches_in(manner, &program.model, &regions, &classes) {
            let (mut first, mut second) = (bench.clone(), bench.clone());
            for operation in 0..bench.operations().len() {
                let reaction = first.call(operation, operation, 1);
                assert!(
                    matches!(reaction.own, Outcome::Passed(_)),
                    "{bias:?} {reaction:?} {:?}",
                    first.why()
                );
                assert_eq!(reaction, second.call(operation, operation, 1));
            }
        }
    }
}

#[test]
fn without_guesses_what_is_not_known_ends_a_run() {
    let program = program();
    let (regions, classes) = lock(&program, "Guesses$Sampled");
    let plain = benches_in(Manner::default(), &program.model, &regions, &classes);
    assert!(plain.iter().all(|b| !b.left_out().is_empty()));
}

#[test]
fn who_looks_again_after_a_while_needs_no_notify() {
    let all = found("Pipe");
    assert_eq!(all[0].0.lock_type, LockType::ProducerConsumer, "{all:?}");
    assert_eq!(detail(&all[0], "capacity"), Some(Detail::Count(5)));
    assert!(all[0].1.pro.iter().any(|p| p.contains("time limit")));
}

#[test]
fn who_goes_on_without_looking_again_has_no_permit() {
    let all = found("Hasty");
    assert_eq!(all.len(), 0, "{all:?}");
}

#[test]
fn a_barrier_may_reckon() {
    let all = found("Sweep");
    assert_eq!(all[0].0.lock_type, LockType::Barrier, "{all:?}");
    assert_eq!(detail(&all[0], "parties"), Some(Detail::Count(3)));
}

#[test]
fn permits_that_come_with_time_are_a_limiter_of_rates() {
    let all = found("Drip");
    assert_eq!(all[0].0.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(&all[0], "permits"), Some(Detail::Count(4)));
    let form = Some(Detail::Word("rate limiter".to_owned()));
    assert_eq!(detail(&all[0], "form"), form);
}

#[test]
fn a_lock_may_be_held_by_what_a_thread_brings_with_it() {
    let all = found("Room");
    assert_eq!(all[0].0.lock_type, LockType::Lock, "{all:?}");
    assert_eq!(detail(&all[0], "reentrant"), Some(Detail::Flag(false)));
    assert!(all[0].1.borne_out);
}

#[test]
fn what_lends_the_same_things_again_is_a_pool_however_it_is_kept() {
    let all = found("Shelf");
    assert_eq!(all[0].0.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(&all[0], "permits"), Some(Detail::Count(3)));
    let form = Some(Detail::Word("object pool".to_owned()));
    assert_eq!(detail(&all[0], "form"), form);
}

#[test]
fn what_replaces_by_a_key_has_no_bound() {
    let all = found("Book");
    assert_eq!(all[0].0.lock_type, LockType::ProducerConsumer, "{all:?}");
    let unbounded = Some(Detail::Word("unbounded".to_owned()));
    assert_eq!(detail(&all[0], "capacity"), unbounded);
}

#[test]
fn levels_may_be_given_back_all_at_once_as_well() {
    let all = found("Claim");
    let (best, _) = &all[0];
    assert_eq!(best.lock_type, LockType::Lock, "{all:?}");
    assert_eq!(detail(&all[0], "reentrant"), Some(Detail::Flag(true)));
    assert_eq!(best.roles[&Role::Unlock].len(), 2, "{all:?}");
}

#[test]
fn the_one_number_that_all_callers_hand_in_is_the_locks() {
    for (class, lock_type, key, number) in [
        ("Meet", LockType::Barrier, "parties", 3),
        ("Box", LockType::ProducerConsumer, "capacity", 4),
        ("Told", LockType::ProducerConsumer, "capacity", 5),
        ("Alike", LockType::Semaphore, "permits", 2),
    ] {
        let best = called(class);
        assert_eq!(best.0.lock_type, lock_type, "{best:?}");
        assert_eq!(detail(&best, key), Some(Detail::Count(number)), "{best:?}");
    }
}

#[test]
fn a_number_that_only_the_sandbox_hands_in_is_not_told() {
    for (class, lock_type, key) in [
        ("Unknown", LockType::Barrier, "parties"),
        ("Rooms", LockType::Semaphore, "permits"),
        ("Retold", LockType::Semaphore, "permits"),
        ("Unlike", LockType::Semaphore, "permits"),
    ] {
        let best = called(class);
        assert_eq!(best.0.lock_type, lock_type, "{best:?}");
        assert_eq!(
            (detail(&best, key), detail(&best, "form")),
            (None, None),
            "{best:?}"
        );
    }
    let weights = called("Weights");
    assert_eq!(
        detail(&weights, "permits"),
        Some(Detail::Count(6)),
        "{weights:?}"
    );
}

#[test]
fn what_static_fields_keep_may_be_made_for_different_numbers() {
    let best = judged("Counted").swap_remove(0);
    assert_eq!(best.0.lock_type, LockType::Latch);
    assert_eq!(detail(&best, "count"), None, "{best:?}");
}

#[test]
fn what_may_be_resized_or_is_made_in_a_loop_has_no_number() {
    for class in ["Quota", "Step"] {
        let best = judged(class).swap_remove(0);
        assert_eq!(best.0.lock_type, LockType::Semaphore);
        assert_eq!(detail(&best, "permits"), None, "{best:?}");
    }
}

#[test]
fn how_many_fit_in_is_not_told_where_somebody_changes_it() {
    let best = judged("Shelf").swap_remove(0);
    assert_eq!(best.0.lock_type, LockType::ProducerConsumer, "{best:?}");
    let bounded = Some(Detail::Word("bounded".to_owned()));
    assert_eq!(detail(&best, "capacity"), bounded, "{best:?}");
}

#[test]
fn what_its_own_class_writes_by_a_method_and_how_far_somebody_has_come_are_no_limits() {
    let window = judged("Window").swap_remove(0);
    assert_eq!(window.0.lock_type, LockType::Semaphore, "{window:?}");
    let eight = Some(Detail::Count(8));
    assert_eq!(detail(&window, "permits"), eight, "{window:?}");
    let written = judged("Written").swap_remove(0);
    assert_eq!(written.0.lock_type, LockType::Barrier, "{written:?}");
    let three = Some(Detail::Count(3));
    assert_eq!(detail(&written, "parties"), three, "{written:?}");
}

#[test]
fn what_one_object_makes_with_different_numbers_has_none() {
    let two = Some(Detail::Count(2));
    for (class, permits) in [("Stock", None), ("Pairs", two)] {
        let best = judged(class).swap_remove(0);
        assert_eq!(best.0.lock_type, LockType::Semaphore, "{best:?}");
        assert_eq!(detail(&best, "permits"), permits, "{best:?}");
    }
}

#[test]
fn two_who_wait_for_each_other_and_hand_nothing_over_are_no_queue() {
    let all = judged("Sides");
    let queue = |found: &&(Hypothesis, Evidence)| {
        found.0.lock_type == LockType::ProducerConsumer && found.1.log_odds > 1.0
    };
    assert!(!all.is_empty());
    assert!(!all.iter().any(|found| queue(&found)), "{all:?}");
}

#[test]
fn what_was_given_back_is_not_how_many_there_can_be() {
    let best = judged("Flat").swap_remove(0);
    assert_eq!(best.0.lock_type, LockType::Semaphore, "{best:?}");
    let three = Some(Detail::Count(3));
    assert_eq!(detail(&best, "permits"), three, "{best:?}");
}

#[test]
fn what_is_told_before_anybody_has_it_belongs_to_its_making() {
    for class in ["Hired", "Fluent"] {
        let best = judged(class).swap_remove(0);
        assert_eq!(best.0.lock_type, LockType::Semaphore);
        let four = Some(Detail::Count(4));
        assert_eq!(detail(&best, "permits"), four, "{best:?}");
    }
}

#[test]
fn whether_an_owner_by_a_value_is_let_in_again_is_not_denied() {
    for (class, reentrant) in [("Signed", None), ("Sealed", Some(Detail::Flag(false)))] {
        let best = judged(class).swap_remove(0);
        assert_eq!(best.0.lock_type, LockType::Lock, "{best:?}");
        assert_eq!(detail(&best, "reentrant"), reentrant, "{best:?}");
    }
}

#[test]
fn who_takes_one_and_gives_another_holds_neither() {
    for class in ["Baton", "Ring"] {
        let best = judged(class).swap_remove(0);
        assert_eq!(best.0.lock_type, LockType::Semaphore, "{best:?}");
    }
}
