//! Windows of events under one budget.

use super::*;
use proptest::prelude::*;

fn kind() -> impl Strategy<Value = EventKind> {
    let timeout = prop::option::of((0..u64::MAX).prop_map(Nanos));
    prop_oneof![
        Just(EventKind::Enter),
        Just(EventKind::Entered),
        timeout.prop_map(|timeout| EventKind::Wait { timeout }),
        any::<bool>().prop_map(|timed_out| EventKind::Waited { timed_out }),
        Just(EventKind::Resumed),
        Just(EventKind::Exit),
        Just(EventKind::Notify),
        Just(EventKind::NotifyAll),
    ]
}

fn owner() -> impl Strategy<Value = Owner> {
    prop_oneof![
        Just(Owner::Unknown),
        Just(Owner::Nobody),
        any::<u32>().prop_map(|id| Owner::Thread(ThreadId(id))),
    ]
}

#[test]
fn many_locks_share_one_budget() {
    let mut budget = Budget::new(1_000);
    let locks = 0..400;
    let kept = |slot, budget: &mut Budget| {
        let asked = (0..50).map(|_| budget.place(slot));
        asked.filter(|place| *place == Place::Head).count()
    };
    let heads: Vec<usize> = locks.map(|slot| kept(slot, &mut budget)).collect();
    assert!(heads.iter().all(|&head| head >= TINY), "something of each");
    assert!(heads[..10].iter().all(|&head| head >= SMALL), "{heads:?}");
    assert!(heads.iter().sum::<usize>() <= 1_000 + 400 * TINY);
}

#[test]
fn a_lock_with_few_events_takes_little() {
    let mut windows = Windows::default();
    let event = crate::fixtures::event(1, ThreadId(1), EventKind::Enter, LockId(1));
    for (events, room) in [(1, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 96)] {
        while windows.len() < events {
            windows.push(&Kept::new(&event, 0, 0, Marks::at(Place::Head)));
        }
        assert_eq!(windows.head.capacity(), room, "of {events}");
    }
}

proptest! {
    #[test]
    fn what_is_kept_is_what_was_there(
        at: u64,
        thread: u32,
        kind in kind(),
        owner in owner(),
        stack in prop::option::of(1u32..),
        seq in prop::option::of(0..u32::MAX),
    ) {
        // The trace tells an owner with a blocking alone.
        let owner = if kind == EventKind::Enter { owner } else { Owner::Unknown };
        let lock = LockId(3);
        let event = Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: Some(lock),
            stack: stack.map(StackId),
            owner,
            seq,
        };
        prop_assert_eq!(Raw::from(&event).event(lock), event);
    }
}
