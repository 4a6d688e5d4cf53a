//! Rings that are drained in turns, and in which order what they held comes out.

use super::*;
use proptest::prelude::*;

fn event(at: u64) -> RawEvent {
    RawEvent {
        at,
        what: What::Waited,
        thread: 1,
        lock: 0,
        stack: 0,
        seq: 0,
        arg: 1,
    }
}

#[test]
fn only_ripe_events_come_out_and_in_order() {
    let mut order = Order::new(100, 10);
    for at in [130, 110, 120, 150] {
        order.hold(event(at));
    }
    let mut times = Vec::new();
    assert!(!order.holds_many());
    order.release(130, false, |event, _| times.push(event.at.0));
    assert_eq!(times, [10, 20]);
    order.release(200, false, |event, _| times.push(event.at.0));
    assert_eq!((times, order.mark()), (vec![10, 20, 30, 50], 200));
}

#[test]
fn a_start_that_comes_too_late_is_not_told_and_the_wait_for_an_end_is() {
    let kin = |at, joined| RawEvent {
        what: What::Kin,
        arg: u64::from(joined) << 32 | 7,
        ..event(at)
    };
    let mut order = Order::new(100, 10);
    order.release(150, false, |_, _| {});
    for (at, joined) in [(140, false), (145, true), (150, false)] {
        order.hold(kin(at, joined));
    }
    let mut told = Vec::new();
    order.release(200, false, |event, raw| {
        told.push((event.at.0, raw.arg >> 32))
    });
    assert_eq!(told, [(50, 1), (50, 0)]);
}

#[test]
fn patience_ends_when_too_much_is_held_back() {
    let mut order = Order::new(100, 3);
    for at in [110, 120, 130] {
        order.hold(event(at));
    }
    assert_eq!(order.patience_from(false), 100);
    assert_eq!(
        order.patience_from(true),
        120,
        "there is no room for one more"
    );
    assert!(order.holds_many());
    order.hold(event(140));
    let from = order.patience_from(false);
    assert_eq!(from, 130);
    let mut times = Vec::new();
    order.release(from, false, |event, _| times.push(event.at.0));
    // Whoever was not waited for counts from now on.
    order.hold(event(105));
    order.release(200, false, |event, _| times.push(event.at.0));
    assert_eq!(times, [10, 20, 30, 30, 40]);
}

fn numbered(at: u64, thread: u32, lock: u32, seq: u32) -> RawEvent {
    RawEvent {
        thread,
        lock,
        seq,
        what: What::ProbeEntered,
        ..event(at)
    }
}

#[test]
fn without_a_clock_numbers_and_threads_tell_the_order_even_across_looks() {
    let mut order = Order::new(100, 100);
    order.go_by_numbers();
    // Thread 1's ring is looked at first and cut off within the lock; what thread 2 did after it stands in the same look.
    for raw in [
        numbered(110, 1, 7, 1),
        numbered(110, 2, 7, 4),
        numbered(110, 2, 8, 2),
        numbered(120, 1, 8, 1),
        numbered(120, 1, 7, 2),
        numbered(120, 1, 9, 1),
        numbered(120, 2, 7, 5),
    ] {
        order.hold(raw);
    }
    let told = |order: &mut Order, to| {
        let mut told = Vec::new();
        order.release(to, false, |event, raw| {
            told.push((event.at.0, raw.thread, raw.lock, raw.seq))
        });
        told
    };
    let first = [
        (10, 1, 7, 1),
        (10, 1, 8, 1),
        (10, 1, 7, 2),
        (10, 2, 7, 4),
        (10, 2, 8, 2),
    ];
    assert_eq!(told(&mut order, 115), first);
    assert_eq!(told(&mut order, 200), [(20, 1, 9, 1), (20, 2, 7, 5)]);
}

#[test]
fn numbers_that_contradict_the_threads_lose_nothing() {
    let mut order = Order::new(100, 100);
    order.go_by_numbers();
    for raw in [
        numbered(110, 1, 7, 2),
        numbered(110, 1, 7, 1),
        numbered(110, 2, 7, 2),
    ] {
        order.hold(raw);
    }
    let mut told = 0;
    order.release(200, false, |_, _| told += 1);
    assert_eq!(told, 3);
}

fn counted(at: u64, thread: u32, lock: u32, seq: u32) -> RawEvent {
    RawEvent {
        arg: COUNTED,
        ..numbered(at, thread, lock, seq)
    }
}

#[test]
fn what_a_ring_still_has_is_waited_for_however_much_is_held_back() {
    let mut order = Order::new(100, 2);
    order.go_by_numbers();
    // There was no room for the rest of thread 1's ring, which is inside the lock.
    for raw in [
        counted(110, 1, 7, 1),
        counted(110, 2, 7, 3),
        counted(110, 2, 7, 4),
        counted(110, 3, 8, 1),
    ] {
        order.hold(raw);
    }
    let mut told = Vec::new();
    let mut each = |event: Event, raw: &RawEvent| told.push((event.at.0, raw.thread, raw.arg));
    assert_eq!(order.impatient_from(true), None);
    order.release(100, true, &mut each);
    assert_eq!(order.impatient_from(true), None);
    // Nothing more goes by its number: then what has waited longest goes.
    order.release(100, true, &mut each);
    assert_eq!(order.impatient_from(true), Some(110));
    order.hold(counted(120, 1, 7, 2));
    order.release(105, true, &mut each);
    assert_eq!(
        told,
        [(10, 1, 0), (10, 3, 0), (20, 1, 0), (20, 2, 0), (20, 2, 0)]
    );
}

#[test]
fn a_thread_ends_after_all_that_it_did() {
    let end = |at, thread| RawEvent {
        what: What::ThreadEnd,
        ..numbered(at, thread, 0, 0)
    };
    let mut order = Order::new(100, 100);
    order.go_by_numbers();
    for raw in [end(112, 1), counted(120, 1, 7, 1), counted(120, 2, 7, 2)] {
        order.hold(raw);
    }
    let mut told = Vec::new();
    order.release(115, false, |event, raw| told.push((event.at.0, raw.what)));
    assert_eq!(told, [(12, What::ProbeEntered), (12, What::ThreadEnd)]);
    // Where too much is held back, more of it may be in a ring.
    let mut order = Order::new(100, 1);
    order.go_by_numbers();
    order.hold(end(112, 1));
    order.hold(counted(120, 1, 7, 1));
    let mut told = Vec::new();
    order.release(100, true, |_, raw| told.push(raw.what));
    assert_eq!(told, [What::ProbeEntered]);
}

#[test]
fn numbers_go_round() {
    let mut order = Order::new(100, 100);
    order.go_by_numbers();
    let mut told = Vec::new();
    for seq in [u32::MAX - 1, u32::MAX] {
        order.hold(numbered(110, 1, 7, seq));
    }
    order.release(115, false, |_, raw| told.push(raw.seq));
    for (thread, seq) in [(2, 3), (1, 1), (1, 2)] {
        order.hold(numbered(120, thread, 7, seq));
    }
    order.release(130, false, |_, raw| told.push(raw.seq));
    assert_eq!(told, [u32::MAX - 1, u32::MAX, 1, 2, 3]);
}

proptest! {
    /// Threads take locks in any order, their records lie in rings of their own, and looks find any prefix of each ring that is
    /// not behind the last look.
    #[test]
    fn what_was_found_in_any_looks_is_told_as_it_happened(
        doings in prop::collection::vec((1u32..4, 1u32..4), 1..60),
        cuts in prop::collection::vec((0usize..61, 0usize..61, 0usize..61), 0..6),
    ) {
        let mut numbers = [0; 4];
        let mut happened = Vec::new();
        for (thread, lock) in doings {
            numbers[lock as usize] += 1;
            happened.push((thread, lock, numbers[lock as usize]));
        }
        let mut cuts: Vec<[usize; 3]> = cuts.into_iter().map(|(a, b, c)| [a, b, c]).collect();
        cuts.sort();
        let (mut done, mut order) = ([0; 3], Order::new(100, 1000));
        order.go_by_numbers();
        let mut told = Vec::new();
        let mut at = 100;
        let all = [happened.len(); 3];
        for cut in cuts.into_iter().chain([all, all]) {
            at += 10;
            // All that had happened when the last ring of the former look was read is in the rings when the first of this one is.
            let least = done.into_iter().max().unwrap_or(0);
            for ring in 0..3 {
                let end = cut[ring].max(least).min(happened.len());
                for &(thread, lock, seq) in &happened[done[ring].min(end)..end] {
                    if thread as usize == ring + 1 {
                        order.hold(numbered(at, thread, lock, seq));
                    }
                }
                done[ring] = end.max(done[ring]);
            }
            order.release(at, false, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
        }
        order.release(u64::MAX, false, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
        prop_assert_eq!(told.len(), happened.len());
        let of = |all: &[(u32, u32, u32)], thread: u32| all.iter().copied().filter(|e| e.0 == thread).collect::<Vec<_>>();
        for thread in 1..4 {
            prop_assert_eq!(of(&told, thread), of(&happened, thread));
        }
        for lock in 1..4 {
            let numbers: Vec<u32> = told.iter().filter(|e| e.1 == lock).map(|e| e.2).collect();
            prop_assert!(numbers.is_sorted(), "{:?}", told);
        }
    }

    /// There is no room for whole looks: they find any piece of any ring.
    #[test]
    fn what_there_was_no_room_for_is_told_as_it_happened(
        doings in prop::collection::vec((1u32..4, 1u32..4), 1..60),
        pieces in prop::collection::vec((0usize..3, 1usize..6), 0..40),
    ) {
        let mut numbers = [0; 4];
        let mut rings = [const { Vec::new() }; 3];
        for &(thread, lock) in &doings {
            numbers[lock as usize] += 1;
            rings[thread as usize - 1].push((thread, lock, numbers[lock as usize]));
        }
        let (mut done, mut order) = ([0; 3], Order::new(100, 0));
        order.go_by_numbers();
        let mut told = Vec::new();
        let mut at = 100;
        for (ring, most) in pieces.into_iter().chain([(0, 60), (1, 60), (2, 60)]) {
            at += 10;
            let end = (done[ring] + most).min(rings[ring].len());
            for &(thread, lock, seq) in &rings[ring][done[ring]..end] {
                order.hold(counted(at, thread, lock, seq));
            }
            done[ring] = end;
            order.release(100, true, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
        }
        prop_assert_eq!(told.len(), doings.len());
        for thread in 1..4 {
            let of: Vec<_> = told.iter().copied().filter(|e| e.0 == thread).collect();
            prop_assert_eq!(&of, &rings[thread as usize - 1]);
        }
        for lock in 1..4 {
            let numbers: Vec<u32> = told.iter().filter(|e| e.1 == lock).map(|e| e.2).collect();
            prop_assert!(numbers.is_sorted(), "{:?}", told);
        }
    }
}
