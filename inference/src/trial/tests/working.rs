//! Lists of work.

use super::*;
use crate::trial::fake::{Over, Worklist};
use crate::trial::work::at_work;

#[test]
fn a_list_of_work_that_ends_is_a_queue_while_somebody_is_at_work() {
    for begins in [0, 1, 3] {
        let subject = Worklist::new(begins, Over::Told);
        let bench = Fake::new(subject.clone(), 1);
        let busy = at_work(&bench).into_iter().collect::<Vec<_>>();
        let benches = [bench];
        let mut trials = try_out(&benches);
        assert!(!trials.knows(LockType::ProducerConsumer), "{begins}");
        trials.in_use(&busy, "at work");
        let (best, _) = &trials.confirmed()[0];
        assert_eq!(best.lock_type, LockType::ProducerConsumer, "{best:?}");
        assert_eq!(detail(best, "capacity"), word("unbounded"));
        assert_eq!(names(&subject, best, Role::Put), ["add"]);
        assert_eq!(names(&subject, best, Role::Take), ["next"]);
    }
}

#[test]
fn where_all_wait_for_more_nobody_is_told() {
    for begins in [0, 1, 3] {
        let bench = Fake::new(Worklist::new(begins, Over::Waits), 1);
        assert!(at_work(&bench).is_none(), "{begins}");
    }
}
