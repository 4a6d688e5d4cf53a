//! Work is bounded.

use super::*;
use crate::trial::bench::{Operation, Outcome, Reaction, Returned};
use crate::trial::fake::Subject;
use std::cell::Cell;
use std::rc::Rc;

/// Many operations that tell nothing, each at a price. Counts the calls of all its copies.
#[derive(Clone)]
struct Dull {
    operations: Vec<Operation>,
    cost: u64,
    price: u64,
    calls: Rc<Cell<u64>>,
}

impl Bench for Dull {
    fn operations(&self) -> &[Operation] {
        &self.operations
    }

    fn call(&mut self, thread: usize, _operation: usize, _token: u32) -> Reaction {
        self.calls.set(self.calls.get() + 1);
        self.cost += self.price;
        let own = match thread {
            0..2 => Outcome::Passed(Returned::Nothing),
            _ => Outcome::Waits { timed: true },
        };
        let others = Vec::new();
        Reaction { own, others }
    }

    fn expire(&mut self, _thread: usize) -> Reaction {
        let own = Outcome::Waits { timed: true };
        let others = Vec::new();
        Reaction { own, others }
    }

    fn can_expire(&self, _thread: usize) -> bool {
        true
    }

    fn cost(&self) -> u64 {
        self.cost
    }
}

fn calls_of(operations: u32, price: u64) -> u64 {
    let operation = |n| Operation {
        once: false,
        alternates: false,
        regions: vec![RegionId(n)],
        name: format!("op{n}"),
    };
    let calls = Rc::new(Cell::new(0));
    let bench = Dull {
        operations: (0..operations).map(operation).collect(),
        cost: 0,
        price,
        calls: Rc::clone(&calls),
    };
    assert!(try_out(&[bench]).confirmed().is_empty());
    calls.get()
}

#[test]
fn calls_are_bounded_however_many_operations_there_are() {
    assert!(calls_of(400, 1) <= 60_000);
}

#[test]
fn instructions_are_bounded_however_dear_a_call_is() {
    assert!(calls_of(20, 500_000) <= 13);
}

#[test]
fn a_bench_without_operations_says_nothing() {
    assert_eq!(calls_of(0, 1), 0);
}

#[test]
fn what_was_found_is_measured_however_much_the_search_has_cost() {
    use crate::trial::conclude::conclude;
    use crate::trial::fake::{Fake, Preference, Sharing, SharingFault};
    use crate::trial::lab::{Budget, Lab};
    use crate::trial::probe::{Allowed, Probes};
    use crate::trial::search::search;
    let subject = Sharing::new(Preference::Readers, false, false, SharingFault::None);
    let bench = Fake::new(subject, 0);
    let plenty = Budget {
        calls: 60_000,
        cost: 6_000_000,
    };
    let probes = Probes::new(Lab::new(&bench, plenty));
    let found = search(&probes, LockType::ReadWrite, &Allowed::All).found;
    while !probes.lab.is_spent() {
        probes.lab.session().call(0, 0);
    }
    let meant = found.into_iter().map(|f| conclude(&probes.lab, f));
    let details: Vec<_> = meant.flatten().map(|c| c.details).collect();
    assert!(!details.is_empty());
    for details in details {
        assert_eq!(details.get("preference").cloned(), word("readers"));
    }
}

#[test]
fn the_same_bench_gives_the_same_result() {
    use crate::trial::fake::{Counter, CounterFault};
    let subject = Counter::new(4, CounterFault::None);
    assert!(subject.names().len() > 4);
    assert_eq!(found(subject.clone()), found(subject));
}
