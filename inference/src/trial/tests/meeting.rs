//! BARRIER, LATCH, and what looks like them.

use super::*;
use crate::trial::fake::{
    Handover, HandoverFault, Meeting, MeetingFault, Molecule, Opening, OpeningKind, Registering,
    Stages,
};

#[test]
fn a_barrier_is_found_with_its_parties() {
    for parties in 2..=8 {
        let all = found(Meeting::new(parties, MeetingFault::None));
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].0.lock_type, LockType::Barrier);
        assert_eq!(detail(&all[0].0, "parties"), count(u64::from(parties)));
    }
}

#[test]
fn an_exchanger_is_a_barrier_that_carries() {
    let all = found(Meeting::new(2, MeetingFault::Exchanges));
    assert_eq!(detail(&all[0].0, "form"), word("exchanger"), "{all:?}");
}

#[test]
fn a_barrier_at_which_parties_register_is_one_of_no_number() {
    for parties in [0, 1, 3] {
        let subject = Registering::new(parties, false);
        let all = found(subject.clone());
        assert_eq!(all.len(), 1, "{parties} {all:?}");
        let it = &all[0].0;
        assert_eq!(it.lock_type, LockType::Barrier);
        assert_eq!(detail(it, "form"), word("phaser"), "{parties} {it:?}");
        assert_eq!(detail(it, "parties"), None);
        assert_eq!(names(&subject, it, Role::Arrive), ["arrive"]);
        assert_eq!(it.roles.len(), 1);
    }
    assert_eq!(types(Registering::new(0, true)), []);
}

#[test]
fn broken_barriers_are_nothing() {
    assert_eq!(types(Meeting::new(3, MeetingFault::Uneven)), []);
}

/// It is said with less conviction: so goes whatever counts those who come, and is never set back.
#[test]
fn a_barrier_may_serve_for_one_meeting() {
    let all = found(Meeting::new(4, MeetingFault::Once));
    let again = found(Meeting::new(4, MeetingFault::None));
    assert_eq!(all.len(), 1, "{all:?}");
    let (barrier, evidence) = &all[0];
    assert_eq!(barrier.lock_type, LockType::Barrier);
    assert_eq!(detail(barrier, "parties"), count(4));
    assert!(evidence.log_odds < again[0].1.log_odds, "{evidence:?}");
}

#[test]
fn a_latch_is_found_with_its_count() {
    for kind in [OpeningKind::Latch, OpeningKind::Votes, OpeningKind::Strict] {
        for n in 1..=6 {
            let subject = Opening::new(n, kind);
            let all = found(subject.clone());
            assert_eq!(all.len(), 1, "{kind:?} {n} {all:?}");
            let latch = &all[0].0;
            assert_eq!(latch.lock_type, LockType::Latch);
            assert_eq!(detail(latch, "count"), count(u64::from(n)));
            assert_eq!(names(&subject, latch, Role::Await), ["await"]);
            assert_eq!(names(&subject, latch, Role::CountDown), ["down"]);
        }
    }
}

#[test]
fn what_shuts_again_is_no_latch() {
    for kind in [
        OpeningKind::Resettable,
        OpeningKind::AutoReset,
        OpeningKind::Fickle,
    ] {
        let found = types(Opening::new(1, kind));
        assert!(!found.contains(&LockType::Latch), "{kind:?} {found:?}");
        assert!(
            !found.contains(&LockType::ProducerConsumer),
            "{kind:?} {found:?}"
        );
    }
}

#[test]
fn what_another_operation_lets_one_through_is_no_latch() {
    let found = types(Opening::new(1, OpeningKind::Fed));
    assert!(!found.contains(&LockType::Latch), "{found:?}");
}

#[test]
fn what_cannot_be_followed_is_neither_confirmed_nor_refuted() {
    let roles = [(Role::Await, "await"), (Role::CountDown, "down")];
    let subject = Opening::new(2, OpeningKind::Opaque);
    assert_eq!(types(subject.clone()), []);
    assert_eq!(
        asked(subject, LockType::Latch, &roles),
        Opinion::Inconclusive
    );
}

#[test]
fn a_hand_over_is_a_queue_without_room() {
    let subject = Handover::new(HandoverFault::None);
    let all = found(subject.clone());
    assert_eq!(all.len(), 1, "{all:?}");
    let queue = &all[0].0;
    assert_eq!(queue.lock_type, LockType::ProducerConsumer);
    assert_eq!(detail(queue, "capacity"), count(0));
    assert_eq!(names(&subject, queue, Role::Put), ["put"]);
    assert_eq!(names(&subject, queue, Role::Take), ["take"]);
}

#[test]
fn broken_hand_overs_are_nothing() {
    for fault in [HandoverFault::Twice, HandoverFault::Deaf] {
        assert_eq!(types(Handover::new(fault)), [], "{fault:?}");
    }
}

#[test]
fn what_is_handed_in_opens_it_and_not_how_often() {
    let all = found(Stages::default());
    assert_eq!(all[0].0.lock_type, LockType::Latch, "{all:?}");
    assert_eq!(detail(&all[0].0, "count"), None);
}

#[test]
fn who_meets_none_of_his_own_kind_is_at_no_barrier() {
    for kind in ["h", "o"] {
        let opinion = asked(
            Molecule::default(),
            LockType::Barrier,
            &[(Role::Arrive, kind)],
        );
        assert!(matches!(opinion, Opinion::Refuted(_)), "{opinion:?}");
    }
    let both = [(Role::Arrive, "h"), (Role::Arrive, "o")];
    let opinion = asked(Molecule::default(), LockType::Barrier, &both);
    assert!(!matches!(opinion, Opinion::Confirmed(..)), "{opinion:?}");
}
