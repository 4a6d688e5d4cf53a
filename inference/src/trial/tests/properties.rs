//! Any parameters are measured right, in any order of operations; any mutant is not what it pretends.

use super::*;
use crate::trial::fake::*;
use proptest::prelude::*;

fn best<S: Subject>(subject: S, rotate: usize) -> Option<Hypothesis> {
    let trials = try_out(&[Fake::new(subject, rotate)]).confirmed().to_vec();
    trials.into_iter().next().map(|f| f.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn semaphores_of_any_size(permits in 2i64..=16, rotate in 0usize..8) {
        let it = best(Counter::new(permits, CounterFault::None), rotate).expect("found");
        prop_assert_eq!(it.lock_type, LockType::Semaphore);
        prop_assert_eq!(detail(&it, "permits"), count(permits as u64));
        prop_assert!(it.roles[&Role::Acquire].contains(&RegionId(0)));
        prop_assert!(it.roles[&Role::Release].contains(&RegionId(1)));
    }

    #[test]
    fn queues_of_any_size(capacity in 1usize..=40, newest in any::<bool>(), rotate in 0usize..8) {
        let order = if newest { Order::NewestFirst } else { Order::OldestFirst };
        let it = best(Fifo::new(Some(capacity), order, FifoFault::None), rotate).expect("found");
        prop_assert_eq!(it.lock_type, LockType::ProducerConsumer);
        prop_assert_eq!(detail(&it, "capacity"), count(capacity as u64));
        prop_assert!(it.roles[&Role::Put].contains(&RegionId(0)));
        prop_assert!(it.roles[&Role::Take].contains(&RegionId(1)));
    }

    #[test]
    fn faults_are_never_what_they_pretend(
        size in 2u32..=6,
        fault in 0usize..4,
        rotate in 0usize..8,
    ) {
        let counter = [
            CounterFault::LosesReleases,
            CounterFault::DoublesReleases,
            CounterFault::ForgetsToTake,
            CounterFault::LetsAnybodyIn,
        ][fault];
        prop_assert_eq!(best(Counter::new(size.into(), counter), rotate), None);
        let queue = [FifoFault::Copies, FifoFault::Drops][fault % 2];
        prop_assert_eq!(best(Fifo::new(Some(size as usize), Order::OldestFirst, queue), rotate), None);
        prop_assert_eq!(best(Meeting::new(size, MeetingFault::Uneven), rotate), None);
    }
}
