//! Readings of somebody else, borne out, refuted and completed.

use super::*;
use crate::trial::fake::{Counter, CounterFault, Fifo, FifoFault, Order};
use crate::trial::weigh::weigh;

fn reading(lock_type: LockType, roles: &[(Role, u32)], odds: f64) -> (Hypothesis, Evidence) {
    let one = |&(role, region)| (role, BTreeSet::from([RegionId(region)]));
    let hypothesis = Hypothesis {
        lock_type,
        roles: roles.iter().map(one).collect(),
        details: BTreeMap::new(),
    };
    let evidence = Evidence {
        log_odds: odds,
        ..Evidence::default()
    };
    (hypothesis, evidence)
}

#[test]
fn a_right_reading_gains_odds_parameters_and_variants() {
    let read = reading(
        LockType::Semaphore,
        &[(Role::Acquire, 0), (Role::Release, 1)],
        2.0,
    );
    let bench = [Fake::new(Counter::new(3, CounterFault::None), 0)];
    let weighed = weigh(vec![read.clone()], &try_out(&bench));
    for (role, regions) in &read.0.roles {
        let more = &weighed[0].0.roles[role];
        assert!(more.is_superset(regions) && more.len() > regions.len());
    }
    assert!(weighed[0].1.log_odds > 5.0, "{weighed:?}");
    assert_eq!(detail(&weighed[0].0, "permits"), count(3));
}

#[test]
fn a_number_that_was_read_stays() {
    let mut read = reading(
        LockType::ProducerConsumer,
        &[(Role::Put, 0), (Role::Take, 1)],
        2.0,
    );
    read.0.details.insert("capacity", Detail::Count(16));
    let fifo = |n| Fake::new(Fifo::new(Some(n), Order::OldestFirst, FifoFault::None), 0);
    let weighed = weigh(vec![read], &try_out(&[fifo(2), fifo(3)]));
    assert_eq!(detail(&weighed[0].0, "capacity"), count(16));
}

#[test]
fn numbers_that_differ_from_lock_to_lock_are_not_said() {
    let counter = |n| Fake::new(Counter::new(n, CounterFault::None), 0);
    let weighed = weigh(Vec::new(), &try_out(&[counter(2), counter(3)]));
    assert_eq!(weighed[0].0.lock_type, LockType::Semaphore);
    assert_eq!(detail(&weighed[0].0, "permits"), None);
}

#[test]
fn a_wrong_reading_loses_to_what_was_seen() {
    let read = reading(LockType::Lock, &[(Role::Lock, 0), (Role::Unlock, 1)], 4.5);
    let bench = [Fake::new(
        Fifo::new(Some(1), Order::OldestFirst, FifoFault::None),
        0,
    )];
    let weighed = weigh(vec![read], &try_out(&bench));
    assert_eq!(
        weighed[0].0.lock_type,
        LockType::ProducerConsumer,
        "{weighed:?}"
    );
    assert!(weighed[1].1.log_odds <= 2.0);
}

#[test]
fn without_benches_nothing_changes() {
    let read = vec![reading(LockType::Latch, &[(Role::Await, 0)], 1.5)];
    let none: [Fake<Counter>; 0] = [];
    assert_eq!(weigh(read.clone(), &try_out(&none)), read);
}
