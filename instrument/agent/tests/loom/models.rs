//! Programs of two or three threads that do what the agent's threads do, as short as they show it.

use crate::clock;
use crate::gate::Gate;
use crate::idmap::{Claim, IdMap};
use crate::ring::{Blocks, Pushed, RawEvent, Ring, What};
use crate::sync::{FENCES, Fences};
use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;
use std::time::Duration;

/// More than any model takes.
const LONG: Duration = Duration::from_secs(36_000);

/// All orders, with at most so many places where a thread is stopped in the middle of something; all of them, if none is said.
fn every_order(preemptions: Option<usize>, model: impl Fn() + Sync + Send + Copy + 'static) {
    for fences in [Fences::Before, Fences::After] {
        FENCES.set(fences);
        let mut builder = Builder::new();
        builder.preemption_bound = builder.preemption_bound.or(preemptions);
        builder.max_branches = 100_000;
        builder.check(model);
    }
}

fn event(thread: u32, at: u64) -> RawEvent {
    RawEvent {
        at,
        what: What::Wait,
        thread,
        lock: 2,
        stack: 3,
        seq: 4,
        arg: at * 3,
    }
}

/// Takes out what is there, which must be whole.
fn drain(ring: &Ring, blocks: Blocks, seen: &mut Vec<RawEvent>) {
    ring.drain(usize::MAX, blocks, |found| {
        assert_eq!(found, event(found.thread, found.at), "torn");
        seen.push(found);
    });
}

/// What is freed is no longer in use, and what is in use was made before: the checker follows who has seen what was done to
/// the cell.
struct Recording(UnsafeCell<bool>);

fn recording() -> Box<Recording> {
    let made = Box::new(Recording(UnsafeCell::new(false)));
    // SAFETY: nobody else knows it yet.
    made.0.with_mut(|valid| unsafe { *valid = true });
    made
}

#[test]
fn a_gate_gives_back_what_nobody_uses() {
    every_order(None, || {
        let gate = Arc::new(Gate::new());
        gate.open(recording());
        let callback = {
            let gate = Arc::clone(&gate);
            thread::spawn(move || {
                if let Some(pass) = gate.enter(1) {
                    // SAFETY: nobody writes while somebody is inside: that is what is tried.
                    pass.0.with(|valid| assert!(unsafe { *valid }));
                }
            })
        };
        let left = gate.close(LONG, 0).expect("nobody stays inside");
        // SAFETY: it came back.
        let recording = unsafe { left.take() };
        // SAFETY: as above; the checker would tell.
        recording.0.with_mut(|valid| unsafe { *valid = false });
        drop(recording);
        callback.join().expect("no panic");
        assert!(gate.enter(1).is_none());
    });
}

#[test]
fn a_second_recording_is_not_taken_for_the_first() {
    every_order(Some(3), || {
        let gate = Arc::new(Gate::<Recording>::new());
        let callback = {
            let gate = Arc::clone(&gate);
            thread::spawn(move || {
                if let Some(pass) = gate.enter(1) {
                    // SAFETY: as above.
                    pass.0.with(|valid| assert!(unsafe { *valid }));
                }
            })
        };
        for _ in 0..2 {
            let since = clock::monotonic();
            gate.open(recording());
            let left = gate.close(LONG, since).expect("nobody stays inside");
            // SAFETY: it came back.
            let recording = unsafe { left.take() };
            // SAFETY: as above.
            recording.0.with_mut(|valid| unsafe { *valid = false });
        }
        callback.join().expect("no panic");
    });
}

#[test]
fn what_comes_later_than_a_watermark_is_not_older() {
    every_order(Some(3), || {
        let shared = Arc::new((Gate::new(), Ring::of(8).expect("memory")));
        shared.0.open(Box::new(()));
        let callbacks = [1, 2].map(|thread| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (gate, ring) = &*shared;
                if let Some(pass) = gate.enter(thread as usize) {
                    assert_ne!(ring.push(&event(thread, pass.at)), Pushed::Full);
                }
            })
        });
        let (gate, ring) = &*shared;
        let (mut early, mut late) = (Vec::new(), Vec::new());
        let keep = |event| early.push(event);
        let drained = ring.drain_to(|| gate.watermark(0, 0), usize::MAX, Blocks::GiveBack, keep);
        for callback in callbacks {
            callback.join().expect("no panic");
        }
        drain(ring, Blocks::GiveBack, &mut late);
        let older = late.iter().filter(|event| event.at < drained.mark);
        assert!(!drained.whole || older.count() == 0, "{late:?} {drained:?}");
        let turned_away = gate.take_turned_away((0, u64::MAX));
        let turned_away = turned_away.map_or(0, |lost| lost.count as usize);
        assert_eq!(early.len() + late.len() + turned_away, 2);
        drop(gate.close(LONG, 0).map(|left| {
            // SAFETY: nobody uses it.
            unsafe { left.take() }
        }));
    });
}

/// A ring of so many slots whose next position is the last but so many before its end.
fn ring_before_its_end(slots: usize, left: u64) -> Ring {
    let ring = Ring::of(slots).expect("memory");
    for at in 0..slots as u64 - left {
        assert_ne!(ring.push(&event(7, at)), Pushed::Full);
        assert_eq!(ring.drain(1, Blocks::GiveBack, |_| {}), 1);
    }
    ring
}

#[test]
fn what_two_push_while_one_drains_is_there_once_and_in_order() {
    every_order(Some(3), || {
        let ring = Arc::new(ring_before_its_end(8, 2));
        let producers = [1, 2].map(|thread| {
            let ring = Arc::clone(&ring);
            thread::spawn(move || {
                for at in 1..=2 {
                    assert_ne!(ring.push(&event(thread, at)), Pushed::Full);
                }
            })
        });
        let mut seen = Vec::new();
        drain(&ring, Blocks::GiveBack, &mut seen);
        for producer in producers {
            producer.join().expect("no panic");
        }
        drain(&ring, Blocks::GiveBack, &mut seen);
        for thread in [1, 2] {
            let of = seen.iter().filter(|event| event.thread == thread);
            assert_eq!(of.map(|event| event.at).collect::<Vec<_>>(), [1, 2]);
        }
    });
}

#[test]
fn a_full_ring_takes_again_what_there_is_room_for_and_nothing_is_written_over() {
    // Blocks of one slot, and of two, in the middle of which the consumer stands.
    let rings = [8, 16].into_iter();
    for (slots, blocks) in
        rings.flat_map(|slots| [(slots, Blocks::GiveBack), (slots, Blocks::Keep)])
    {
        every_order(Some(4), move || {
            let ring = Arc::new(ring_before_its_end(slots, 3));
            let room = ring.capacity();
            for at in 0..room {
                assert_ne!(ring.push(&event(3, at)), Pushed::Full);
            }
            let producer = {
                let ring = Arc::clone(&ring);
                thread::spawn(move || {
                    let stored = |at: &u64| ring.push(&event(1, *at)) != Pushed::Full;
                    (0..3).filter(stored).collect::<Vec<_>>()
                })
            };
            let mut seen = Vec::new();
            ring.drain(2, blocks, |event| seen.push(event));
            let stored = producer.join().expect("no panic");
            assert!(stored.len() <= 2, "{stored:?}");
            drain(&ring, blocks, &mut seen);
            let (old, new) = seen.split_at(room as usize);
            let times =
                |events: &[RawEvent]| events.iter().map(|event| event.at).collect::<Vec<_>>();
            assert_eq!(times(old), (0..room).collect::<Vec<_>>());
            assert_eq!(times(new), stored);
        });
    }
}

#[test]
fn a_key_has_one_id_whoever_claims_it() {
    every_order(None, || {
        // With room for more: where there is none, who is late may be told so, although somebody else was faster.
        let map = Arc::new(IdMap::within(4 * IdMap::ENTRY_BYTES).expect("memory"));
        let other = {
            let map = Arc::clone(&map);
            thread::spawn(move || [map.claim(5), map.claim(6)])
        };
        let mine = [map.claim(6), map.claim(5)];
        let [their5, their6] = other.join().expect("no panic");
        let [my6, my5] = mine;
        for pair in [[my5, their5], [my6, their6]] {
            let new = pair.iter().filter(|claim| matches!(claim, Claim::New(_)));
            assert_eq!(new.count(), 1, "{pair:?}");
            let ids = pair.map(|claim| match claim {
                Claim::New(id) | Claim::Known(id) => id,
                Claim::Full => panic!("there is room for two"),
            });
            assert!(ids[0] == ids[1] && (1..=2).contains(&ids[0]), "{pair:?}");
        }
        assert_ne!(map.claim(5), map.claim(6));
    });
}

#[test]
fn a_map_that_fills_up_still_gives_each_id_once() {
    every_order(Some(3), || {
        let map = Arc::new(IdMap::within(0).expect("memory"));
        let others = [5, 6].map(|key| {
            let map = Arc::clone(&map);
            thread::spawn(move || (map.claim(key), map.find(key)))
        });
        let mut given = vec![map.claim(7)];
        for other in others {
            let (claimed, found) = other.join().expect("no panic");
            if let Claim::New(id) = claimed {
                assert_eq!(found, Some(Claim::Known(id)));
            }
            given.push(claimed);
        }
        let ids = given.iter().filter_map(|claim| match claim {
            Claim::New(id) => Some(*id),
            Claim::Known(_) => panic!("{given:?}: nobody else has that key"),
            Claim::Full => None,
        });
        let mut ids: Vec<u32> = ids.collect();
        ids.sort_unstable();
        assert!(ids.len() >= 2, "{given:?}");
        assert_eq!(ids, (1..=ids.len() as u32).collect::<Vec<_>>());
    });
}
