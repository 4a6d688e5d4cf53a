//! What keeps out by kind is a CONDITION, and readers may be few.

use super::*;
use crate::trial::fake::{Ample, Bounded, Forks, Keyed, Sitting, Washroom};

#[test]
fn a_room_for_one_group_at_a_time_is_a_condition_whatever_its_places() {
    for most in [2, 3, 99] {
        for one_way_out in [false, true] {
            let subject = Washroom::new(most, one_way_out, false);
            let all = found(subject.clone());
            assert_eq!(all.len(), 1, "{most} {one_way_out} {all:?}");
            let (it, evidence) = &all[0];
            assert_eq!(it.lock_type, LockType::Condition);
            assert!(it.details.is_empty(), "{it:?}");
            assert_eq!(names(&subject, it, Role::Wait), ["enter a", "enter b"]);
            let out: &[&str] = match one_way_out {
                true => &["leave"],
                false => &["leave a", "leave b"],
            };
            assert_eq!(names(&subject, it, Role::Notify), out);
            // So goes a lock that is owned by name.
            assert!(!evidence.borne_out);
        }
    }
}

#[test]
fn a_lock_for_each_key_is_a_striped_lock() {
    let striped = |broken| {
        let (it, evidence) = &found(Keyed::new(broken))[0];
        assert_eq!(it.lock_type, LockType::Lock);
        (detail(it, "form"), evidence.log_odds)
    };
    let (keyed, single) = (striped(false), striped(true));
    assert_eq!(keyed.0, word("striped lock"));
    assert_eq!(single.0, None);
    assert!(keyed.1 > single.1);
}

#[test]
fn who_asks_for_more_than_there_is_holds_no_lock() {
    let (it, _) = &found(Ample::new(3))[0];
    assert_eq!(it.lock_type, LockType::Semaphore, "{it:?}");
    assert_eq!(detail(it, "permits"), count(3));
    assert!(!types(Ample::new(3)).contains(&LockType::Lock));
}

#[test]
fn one_group_of_it_is_no_semaphore() {
    let roles = [(Role::Acquire, "enter a"), (Role::Release, "leave a")];
    let subject = Washroom::new(3, false, false);
    let opinion = asked(subject, LockType::Semaphore, &roles);
    assert!(matches!(opinion, Opinion::Refuted(_)), "{opinion:?}");
    let broken = types(Washroom::new(3, false, true));
    assert!(!broken.contains(&LockType::Condition), "{broken:?}");
}

#[test]
fn who_takes_two_things_at_once_holds_no_lock() {
    let all = found(Forks::new(2));
    let all: Vec<_> = all.iter().map(|f| f.0.lock_type).collect();
    assert_eq!(all, [LockType::Condition]);
    let each = types(Forks::new(1));
    assert_eq!(each.first(), Some(&LockType::Lock), "{each:?}");
}

#[test]
fn readers_may_be_few() {
    for most in [2, 3, 5] {
        let subject = Bounded::new(most, false);
        let all = found(subject.clone());
        let it = &all[0].0;
        assert_eq!(it.lock_type, LockType::ReadWrite, "{most} {all:?}");
        assert_eq!(names(&subject, it, Role::ReadLock), ["read"]);
        assert_eq!(names(&subject, it, Role::WriteLock), ["write"]);
        assert_eq!(detail(it, "preference"), word("readers"));
    }
}

#[test]
fn few_permits_of_which_somebody_takes_all_are_a_semaphore() {
    for most in [2, 3] {
        let all = types(Bounded::new(most, true));
        assert!(!all.contains(&LockType::ReadWrite), "{most} {all:?}");
        assert!(all.contains(&LockType::Semaphore), "{most} {all:?}");
    }
}

#[test]
fn what_several_have_at_once_is_no_lock() {
    let roles = [(Role::Lock, "sit"), (Role::Unlock, "rise")];
    let opinion = asked(Sitting::default(), LockType::Lock, &roles);
    let Opinion::Refuted(evidence) = &opinion else {
        panic!("{opinion:?}");
    };
    assert!(evidence.log_odds <= -6.0, "{evidence:?}");
}
