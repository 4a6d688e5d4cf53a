//! The table of methods against itself, and what their results tell.

use super::table::{OF_COLLECTION, TIMED};
use super::*;

#[test]
fn acts_stand_where_their_numbers_say() {
    for (number, act) in ACTS.into_iter().enumerate() {
        assert_eq!(act as usize, number);
    }
}

#[test]
fn every_method_has_a_number_of_its_own_and_a_class_is_named_once() {
    let all: usize = CLASSES.iter().map(|class| class.methods.len()).sum();
    assert!(all <= 256 && methods().count() == all);
    for class in CLASSES {
        let of_that_name = CLASSES.iter().filter(|other| other.name == class.name);
        assert_eq!(of_that_name.count(), 1, "{}", class.name);
        assert!(class_named(class.name).is_some());
    }
}

#[test]
fn who_tries_at_once_is_told_from_who_tries_for_a_time() {
    let all = methods().filter(|(_, _, method)| method.is_at_once());
    let found: Vec<_> = all
        .map(|(_, class, m)| (class.name, m.name, m.descriptor))
        .collect();
    let locks = "java.util.concurrent.locks";
    let expected = [
        ("ReentrantLock", "tryLock", "()Z"),
        ("ReentrantReadWriteLock$WriteLock", "tryLock", "()Z"),
        ("StampedLock", "tryWriteLock", "()J"),
    ];
    let expected = expected.map(|(class, name, of)| (format!("{locks}.{class}"), name, of));
    let found: Vec<_> = found
        .into_iter()
        .map(|(class, name, of)| (class.to_owned(), name, of))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn results_tell_what_they_can() {
    let verdict = |class: &str, name: &str, descriptor: &str| {
        let class = class_named(class).expect("there");
        let mut methods = class.methods.iter();
        let method = methods.find(|m| (m.name, m.descriptor) == (name, descriptor));
        method.expect("there").verdict()
    };
    let lock = "java.util.concurrent.locks.ReentrantLock";
    assert_eq!(verdict(lock, "lock", "()V"), Verdict::Always);
    assert_eq!(verdict(lock, "tryLock", "()Z"), Verdict::Truth);
    let own = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
    assert_eq!(verdict(own, "release", "(I)Z"), Verdict::Always);
    let condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    assert_eq!(verdict(condition, "awaitNanos", "(J)J"), Verdict::Always);
    assert_eq!(verdict(condition, "await", TIMED), Verdict::Truth);
    let stamped = "java.util.concurrent.locks.StampedLock";
    assert_eq!(verdict(stamped, "tryReadLock", "()J"), Verdict::Stamp);
    let queue = "java.util.concurrent.ArrayBlockingQueue";
    assert_eq!(
        verdict(queue, "poll", "()Ljava/lang/Object;"),
        Verdict::Reference
    );
    assert_eq!(verdict(queue, "drainTo", OF_COLLECTION), Verdict::Amount);
}
