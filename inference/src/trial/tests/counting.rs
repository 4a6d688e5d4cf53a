//! LOCK, SEMAPHORE, PRODUCER-CONSUMER.

use super::*;
use crate::trial::fake::{
    Counter, CounterFault, Fifo, FifoFault, Mutual, MutualFault, Order, Turns, Window,
};

#[test]
fn a_semaphore_is_found_with_its_permits_and_variants() {
    let subject = Counter::new(3, CounterFault::None);
    let all = found(subject.clone());
    let (best, evidence) = &all[0];
    assert_eq!(best.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(best, "permits"), count(3));
    assert_eq!(
        names(&subject, best, Role::Acquire),
        ["acquire", "try", "timed", "acquire2"]
    );
    assert_eq!(
        names(&subject, best, Role::Release),
        ["release", "release2"]
    );
    assert!(evidence.log_odds >= 4.0);
    assert!(
        evidence.pro[0].contains("as a semaphore with 3 permits would"),
        "{evidence:?}"
    );
}

#[test]
fn no_permits_at_first_is_a_semaphore_still() {
    let all = found(Counter::new(0, CounterFault::None));
    assert_eq!(all[0].0.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(&all[0].0, "permits"), count(0));
}

#[test]
fn one_permit_that_anybody_gives_may_be_both_but_more_a_semaphore_if_it_grows() {
    let all = found(Counter::new(1, CounterFault::None));
    assert_eq!(all[0].0.lock_type, LockType::Semaphore, "{all:?}");
}

#[test]
fn broken_counters_are_nothing() {
    for fault in [
        CounterFault::LosesReleases,
        CounterFault::DoublesReleases,
        CounterFault::ForgetsToTake,
        CounterFault::LetsAnybodyIn,
    ] {
        for permits in [2, 5] {
            let found = types(Counter::new(permits, fault));
            assert_eq!(found, [], "{fault:?} {permits}");
        }
    }
}

#[test]
fn a_lock_is_found_whoever_may_unlock_it() {
    for (reentrant, checks) in [(true, true), (false, true), (false, false)] {
        let subject = Mutual::new(reentrant, checks, MutualFault::None);
        let all = found(subject.clone());
        let (best, _) = &all[0];
        assert_eq!(best.lock_type, LockType::Lock, "{all:?}");
        assert_eq!(detail(best, "reentrant"), flag(reentrant));
        assert_eq!(names(&subject, best, Role::Lock), ["lock", "try"]);
        assert_eq!(names(&subject, best, Role::Unlock), ["unlock"]);
        let semaphore = all.iter().any(|f| f.0.lock_type == LockType::Semaphore);
        assert_eq!(semaphore, !checks);
    }
}

#[test]
fn broken_locks_are_no_locks() {
    for fault in [MutualFault::LosesReleases, MutualFault::HoldsTwo] {
        let found = types(Mutual::new(true, true, fault));
        assert!(!found.contains(&LockType::Lock), "{fault:?} {found:?}");
    }
}

#[test]
fn a_lock_that_is_given_back_at_once_may_be_taken_again() {
    let all = found(Mutual::new(true, true, MutualFault::ForgetsDepth));
    let (best, evidence) = &all[0];
    assert_eq!(best.lock_type, LockType::Lock, "{all:?}");
    assert_eq!(detail(best, "reentrant"), flag(true));
    let told = |p: &String| p.contains("however often it was taken");
    assert!(evidence.pro.iter().any(told), "{evidence:?}");
}

#[test]
fn a_queue_that_holds_more_at_times_has_no_capacity() {
    let all = found(Fifo::new(Some(3), Order::OldestFirst, FifoFault::Overfills));
    assert!(!all.is_empty());
    for (queue, _) in all {
        assert_eq!(queue.lock_type, LockType::ProducerConsumer);
        assert_eq!(detail(&queue, "capacity"), None);
    }
}

#[test]
fn a_queue_is_found_with_its_capacity() {
    for order in [Order::OldestFirst, Order::NewestFirst, Order::Recycles] {
        let subject = Fifo::new(Some(4), order, FifoFault::None);
        let all = found(subject.clone());
        assert_eq!(
            types(subject.clone()),
            [LockType::ProducerConsumer],
            "{all:?}"
        );
        let (best, evidence) = &all[0];
        assert_eq!(detail(best, "capacity"), count(4));
        assert_eq!(names(&subject, best, Role::Put), ["put", "offer"]);
        assert_eq!(
            names(&subject, best, Role::Take),
            ["take", "poll", "timed", "drain"]
        );
        assert!(evidence.log_odds >= 4.0);
    }
}

#[test]
fn a_queue_without_bound_is_no_semaphore() {
    let all = found(Fifo::new(None, Order::OldestFirst, FifoFault::None));
    let types: Vec<_> = all.iter().map(|f| f.0.lock_type).collect();
    assert_eq!(types, [LockType::ProducerConsumer]);
    assert_eq!(detail(&all[0].0, "capacity"), word("unbounded"));
}

#[test]
fn a_queue_of_one_is_no_lock() {
    let all = found(Fifo::new(Some(1), Order::OldestFirst, FifoFault::None));
    let types: Vec<_> = all.iter().map(|f| f.0.lock_type).collect();
    assert_eq!(types, [LockType::ProducerConsumer]);
    assert_eq!(detail(&all[0].0, "capacity"), count(1));
}

#[test]
fn broken_queues_are_nothing() {
    for fault in [FifoFault::Copies, FifoFault::Drops] {
        assert_eq!(
            types(Fifo::new(Some(3), Order::OldestFirst, fault)),
            [],
            "{fault:?}"
        );
    }
}

#[test]
fn a_wrong_belief_is_refuted() {
    let lock = [(Role::Lock, "put"), (Role::Unlock, "take")];
    let queue = Fifo::new(Some(1), Order::OldestFirst, FifoFault::None);
    let opinion = asked(queue, LockType::Lock, &lock);
    assert!(matches!(opinion, Opinion::Refuted(_)), "{opinion:?}");
    let pair = [(Role::Acquire, "acquire"), (Role::Release, "release")];
    let broken = Counter::new(3, CounterFault::LosesReleases);
    let Opinion::Refuted(why) = asked(broken, LockType::Semaphore, &pair) else {
        panic!("not refuted");
    };
    assert!(why.log_odds < -3.0 && why.contra.len() == 1, "{why:?}");
}

#[test]
fn a_right_belief_is_confirmed_with_parameters() {
    let pair = [(Role::Acquire, "acquire"), (Role::Release, "release")];
    let subject = Counter::new(7, CounterFault::None);
    let Opinion::Confirmed(details, evidence, _) = asked(subject, LockType::Semaphore, &pair)
    else {
        panic!("not confirmed");
    };
    assert_eq!(details.get("permits").cloned(), count(7));
    assert!(evidence.log_odds >= 4.0);
}

#[test]
fn a_queue_may_be_emptied_at_once_or_hold_the_latest_only() {
    let all = found(Fifo::new(Some(5), Order::AllAtOnce, FifoFault::None));
    assert_eq!(all[0].0.lock_type, LockType::ProducerConsumer, "{all:?}");
    assert_eq!(detail(&all[0].0, "capacity"), count(5));
    let all = found(Fifo::new(None, Order::Replaces, FifoFault::None));
    assert_eq!(all[0].0.lock_type, LockType::ProducerConsumer, "{all:?}");
    // What replaces may do so by a key: its room is not known.
    assert_eq!(detail(&all[0].0, "capacity"), None);
}

#[test]
fn what_begins_filled_is_a_pool() {
    let all = found(Fifo::new(None, Order::Filled(4), FifoFault::None));
    let (best, _) = &all[0];
    assert_eq!(best.lock_type, LockType::Semaphore, "{all:?}");
    assert_eq!(detail(best, "permits"), count(4));
    assert_eq!(detail(best, "form"), word("object pool"));
}

#[test]
fn what_is_filled_up_again_is_a_limiter_of_rates() {
    for most in [2, 5, 20] {
        let subject = Window::new(most);
        let all = found(subject.clone());
        let (best, evidence) = &all[0];
        assert_eq!(best.lock_type, LockType::Semaphore, "{all:?}");
        assert_eq!(detail(best, "form"), word("rate limiter"));
        assert_eq!(names(&subject, best, Role::Acquire), ["permit"]);
        assert_eq!(names(&subject, best, Role::Release), ["refresh"]);
        // A buffer that is emptied from outside fills up alike.
        assert!(evidence.log_odds < 3.0, "{evidence:?}");
    }
}

#[test]
fn two_who_take_turns_hardly_hand_anything_over() {
    let all = found(Turns::default());
    assert!(all.iter().all(|f| f.1.log_odds < 1.0), "{all:?}");
}
