//! Recordings written by hand in which threads wait for each other to come, with a lock that the other takes first.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use locklens_trace::juc::Act;
use locklens_trace::{LockId, ThreadId};

const SYNCHRONOUS: &str = "java.util.concurrent.SynchronousQueue";
const TRANSFER: &str = "java.util.concurrent.LinkedTransferQueue";
const EXCHANGER: &str = "java.util.concurrent.Exchanger";
const PHASER: &str = "java.util.concurrent.Phaser";
const LATCH: &str = "java.util.concurrent.CountDownLatch$Sync";
const BARRIER: &str = "java.util.concurrent.CyclicBarrier";
const SEMAPHORE: &str = "java.util.concurrent.Semaphore$NonfairSync";
const PRIORITY: &str = "java.util.concurrent.PriorityBlockingQueue";
const BLOCKING: &str = "java.util.concurrent.ArrayBlockingQueue";
const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
const INSIDE: [(Tier, Kind); 1] = [(Tier::T3, Kind::NestedWait)];

/// A lock, and a place where two threads meet.
struct Shop {
    lock: LockId,
    place: LockId,
    buyer: ThreadId,
    driver: ThreadId,
}

impl Shop {
    fn of(scene: &mut Scene, class: &str) -> Self {
        let [buyer, driver] = ["buyer", "driver"].map(|name| scene.build.thread(name));
        Self {
            lock: scene.lock(REENTRANT),
            place: scene.lock(class),
            buyer,
            driver,
        }
    }

    fn goes_through(&self, scene: &mut Scene, thread: ThreadId) {
        scene.did(thread, self.lock, &[(Act::Lock, 1), (Act::Unlock, 1)]);
    }

    /// Both meet, and whoever comes out first tells it first.
    fn meet(&self, scene: &mut Scene, acts: [Act; 2], buyer_first: bool) {
        let mut both = [(self.buyer, acts[0]), (self.driver, acts[1])];
        if !buyer_first {
            both.reverse();
        }
        for (thread, act) in both {
            scene.did(thread, self.place, &[(act, 1)]);
        }
    }
}

/// What is found where the driver goes through the shop before they meet, and where he does so afterwards.
fn found(class: &str, acts: [Act; 2], buyer_first: bool) -> [Vec<(Tier, Kind)>; 2] {
    [true, false].map(|before| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, class);
        if before {
            shop.goes_through(&mut scene, shop.driver);
        }
        scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
        shop.meet(&mut scene, acts, buyer_first);
        scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
        if !before {
            shop.goes_through(&mut scene, shop.driver);
        }
        scene.found()
    })
}

#[test]
fn who_waits_for_another_with_a_lock_that_he_takes_first_is_found_whoever_tells_it_first() {
    let places = [
        (SYNCHRONOUS, [Act::Take, Act::Put]),
        (SYNCHRONOUS, [Act::Put, Act::Take]),
        (TRANSFER, [Act::Take, Act::Put]),
        (TRANSFER, [Act::Put, Act::Take]),
        (EXCHANGER, [Act::Meet, Act::Meet]),
        (PHASER, [Act::Meet, Act::Meet]),
    ];
    for (class, acts) in places {
        for buyer_first in [true, false] {
            let [before, after] = found(class, acts, buyer_first);
            assert_eq!(before, INSIDE, "{class} {acts:?} {buyer_first}");
            assert_eq!(after, [], "{class} {acts:?} {buyer_first}");
        }
    }
}

#[test]
fn those_who_meet_are_ordered_both_ways() {
    let found = |class: &str, acts: Option<[Act; 2]>| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, class);
        let other = scene.lock(REENTRANT);
        scene.nests(shop.buyer, shop.lock, other);
        if let Some(acts) = acts {
            // The driver comes out first: what he does next is after what the buyer has done nevertheless.
            shop.meet(&mut scene, acts, false);
        }
        scene.nests(shop.driver, other, shop.lock);
        scene.found()
    };
    let ordered = [(Tier::T5, Kind::Order)];
    let unordered = [(Tier::T3, Kind::Order)];
    for (class, acts) in [
        (SYNCHRONOUS, [Act::Put, Act::Take]),
        (SYNCHRONOUS, [Act::Take, Act::Put]),
        (EXCHANGER, [Act::Meet, Act::Meet]),
        (PHASER, [Act::Meet, Act::Meet]),
    ] {
        assert_eq!(found(class, Some(acts)), ordered, "{class} {acts:?}");
        assert_eq!(found(class, None), unordered);
    }
}

#[test]
fn who_only_offers_comes_after_nobody() {
    let found = |offers: bool| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, SYNCHRONOUS);
        let other = scene.lock(REENTRANT);
        scene.nests(shop.buyer, shop.lock, other);
        match offers {
            true => scene.tries(shop.driver, shop.place, Act::Put),
            false => scene.did(shop.driver, shop.place, &[(Act::Put, 1)]),
        }
        scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
        scene.nests(shop.driver, other, shop.lock);
        scene.found()
    };
    assert_eq!(found(false), [(Tier::T5, Kind::Order)]);
    assert_eq!(
        found(true),
        [(Tier::T3, Kind::Order)],
        "it would have gone on in any case"
    );
}

#[test]
fn who_lets_a_transfer_go_comes_before_what_follows_it() {
    let found = |parks: bool| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, TRANSFER);
        let other = scene.lock(REENTRANT);
        scene.nests(shop.buyer, shop.lock, other);
        if parks {
            scene.is_let_go(shop.driver, shop.place, shop.buyer);
        }
        scene.did(shop.driver, shop.place, &[(Act::Put, 1)]);
        scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
        scene.nests(shop.driver, other, shop.lock);
        scene.found()
    };
    assert_eq!(found(true), [(Tier::T5, Kind::Order)]);
    assert_eq!(found(false), [(Tier::T3, Kind::Order)]);
}

#[test]
fn rounds_are_of_those_who_came_to_them() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, PHASER);
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    for thread in [one, two] {
        scene.did(thread, shop.place, &[(Act::Meet, 1)]);
    }
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    shop.meet(&mut scene, [Act::Meet, Act::Meet], true);
    // Others have come to it without him.
    assert_eq!(scene.found(), [(Tier::T5, Kind::NestedWait)]);
}

#[test]
fn who_registers_was_not_needed_before() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, PHASER);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(
        shop.driver,
        shop.place,
        &[(Act::Register, 1), (Act::Arrive, 1)],
    );
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Meet, 1)]);
    assert_eq!(scene.found(), [(Tier::T5, Kind::NestedWait)]);
}

/// The buyer comes last to a barrier, and keeps the shop locked; the driver goes through it before he comes, or afterwards.
#[test]
fn who_comes_last_to_a_barrier_might_have_come_first() {
    let found = |before: bool| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, BARRIER);
        let own = scene.lock(REENTRANT);
        let trip = scene.condition(CONDITION, own);
        if before {
            shop.goes_through(&mut scene, shop.driver);
        }
        scene.did(shop.driver, own, &[(Act::Lock, 1)]);
        scene.did(shop.driver, trip, &[(Act::Await, 1)]);
        scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
        scene.did(shop.buyer, own, &[(Act::Lock, 1)]);
        scene.did(shop.buyer, trip, &[(Act::SignalAll, 1)]);
        scene.did(shop.buyer, own, &[(Act::Unlock, 1)]);
        scene.did(shop.buyer, shop.place, &[(Act::Meet, 1)]);
        scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
        scene.did(shop.driver, trip, &[(Act::Awaited, 1)]);
        scene.did(shop.driver, own, &[(Act::Unlock, 1)]);
        scene.did(shop.driver, shop.place, &[(Act::Meet, 1)]);
        if !before {
            shop.goes_through(&mut scene, shop.driver);
        }
        scene.found()
    };
    assert_eq!(found(true), INSIDE);
    assert_eq!(found(false), []);
}

#[test]
fn somebody_else_who_may_come_lets_it_go() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, SYNCHRONOUS);
    let other = scene.build.thread("other");
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    shop.meet(&mut scene, [Act::Take, Act::Put], true);
    scene.did(other, shop.place, &[(Act::Put, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
    assert_eq!(scene.found(), []);
}

#[test]
fn who_only_asks_does_not_wait() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, SYNCHRONOUS);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    scene.tries(shop.buyer, shop.place, Act::Take);
    scene.did(shop.driver, shop.place, &[(Act::Put, 1)]);
    assert_eq!(scene.found(), []);
}

#[test]
fn whose_part_at_a_phase_is_not_needed_each_time_is_not_sure() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, PHASER);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    shop.meet(&mut scene, [Act::Meet, Act::Meet], true);
    scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
    let meets = [(Act::Meet, 1), (Act::Meet, 1)];
    scene.did(shop.buyer, shop.place, &meets);
    assert_eq!(scene.found(), [(Tier::T5, Kind::NestedWait)]);
}

#[test]
fn what_was_taken_before_another_latch_was_counted_down_is_needed_too() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, LATCH);
    let other = scene.lock(LATCH);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.driver, other, &[(Act::CountDown, 1)]);
    scene.did(shop.driver, shop.place, &[(Act::CountDown, 1)]);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Pass, 1)]);
    assert_eq!(scene.found(), [(Tier::T3, Kind::Latch)]);
}

/// One element goes from hand to hand: who puts it back has gone through the shop before he took it.
#[test]
fn who_gives_back_what_he_had_needs_nothing_that_he_took_before() {
    let found = |take: fn(&mut Scene, &Shop)| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, BLOCKING);
        let own = scene.lock(REENTRANT);
        let filled = scene.condition(CONDITION, own);
        shop.goes_through(&mut scene, shop.driver);
        take(&mut scene, &shop);
        scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
        scene.did(shop.buyer, own, &[(Act::Lock, 1)]);
        scene.did(shop.buyer, filled, &[(Act::Await, 1)]);
        scene.did(shop.driver, own, &[(Act::Lock, 1)]);
        scene.did(shop.driver, filled, &[(Act::Signal, 1)]);
        scene.did(shop.driver, own, &[(Act::Unlock, 1)]);
        scene.did(shop.driver, shop.place, &[(Act::Put, 1)]);
        scene.did(shop.buyer, filled, &[(Act::Awaited, 1)]);
        scene.did(shop.buyer, own, &[(Act::Unlock, 1)]);
        scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
        scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
        scene.found()
    };
    assert_eq!(found(|_, _| {}), INSIDE);
    let took = found(|scene, shop| scene.did(shop.driver, shop.place, &[(Act::Take, 1)]));
    assert_eq!(took, []);
    let polled = found(|scene, shop| scene.tries(shop.driver, shop.place, Act::Take));
    assert_eq!(
        polled, INSIDE,
        "had there been nothing, he would have put nevertheless"
    );
}

#[test]
fn what_a_semaphore_hands_on_is_no_element() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, LATCH);
    let permits = scene.lock(SEMAPHORE);
    // Given back by who did not take them: they are handed on.
    scene.did(shop.buyer, permits, &[(Act::Unshare, 1)]);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.driver, permits, &[(Act::Share, 1)]);
    scene.did(shop.driver, shop.place, &[(Act::CountDown, 1)]);
    scene.did(shop.driver, permits, &[(Act::Unshare, 1)]);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Pass, 1)]);
    assert_eq!(scene.found(), [(Tier::T3, Kind::Latch)]);
}

/// Several elements lie in a queue that gives them in an order of its own: which one is taken is not known.
#[test]
fn of_several_elements_of_a_queue_by_priority_any_may_be_taken() {
    let found = |class: &str, others: u32| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, class);
        let other = scene.lock(REENTRANT);
        let third = scene.build.thread("third");
        scene.nests(shop.driver, shop.lock, other);
        scene.did(shop.driver, shop.place, &[(Act::Put, 1)]);
        for _ in 0..others {
            scene.did(third, shop.place, &[(Act::Put, 1)]);
        }
        scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
        scene.nests(shop.buyer, other, shop.lock);
        scene.found()
    };
    let ordered = [(Tier::T5, Kind::Order)];
    let unordered = [(Tier::T3, Kind::Order)];
    assert_eq!(found(BLOCKING, 1), ordered);
    assert_eq!(found(PRIORITY, 0), ordered);
    assert_eq!(found(PRIORITY, 1), unordered);
}

/// Who hands over two, one after the other, with the lock that the buyer has: whoever does the same cannot help.
#[test]
fn who_has_what_is_kept_from_him_cannot_help() {
    let found = |without: bool| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, SYNCHRONOUS);
        let [second, taker] = ["second", "taker"].map(|name| scene.build.thread(name));
        for driver in [shop.driver, second] {
            let holds = driver == shop.driver || !without;
            if holds {
                scene.did(driver, shop.lock, &[(Act::Lock, 1)]);
            }
            for _ in 0..2 {
                scene.did(driver, shop.place, &[(Act::Put, 1)]);
                scene.did(taker, shop.place, &[(Act::Take, 1)]);
            }
            if holds {
                scene.did(driver, shop.lock, &[(Act::Unlock, 1)]);
            }
        }
        scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
        scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
        scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
        scene.found()
    };
    assert_eq!(found(false), INSIDE);
    assert_eq!(found(true), []);
}

/// Of two elements that somebody has he gives back the one that he took before he went through the shop.
#[test]
fn who_has_an_older_element_needs_what_he_took_since_then() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, TRANSFER);
    let act = |scene: &mut Scene, acts: &[(Act, u32)]| scene.did(shop.driver, shop.place, acts);
    scene.tries(shop.driver, shop.place, Act::Put);
    scene.tries(shop.driver, shop.place, Act::Put);
    act(&mut scene, &[(Act::Take, 1)]);
    shop.goes_through(&mut scene, shop.driver);
    act(&mut scene, &[(Act::Take, 1)]);
    scene.tries(shop.driver, shop.place, Act::Put);
    scene.tries(shop.driver, shop.place, Act::Put);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
    scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
    assert_eq!(scene.found(), INSIDE);
}

/// Three meet; the buyer waits with the shop locked, somebody else comes last, and the driver goes through the shop before.
#[test]
fn whoever_comes_last_the_others_were_needed_too() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, BARRIER);
    let last = scene.build.thread("last");
    let own = scene.lock(REENTRANT);
    let trip = scene.condition(CONDITION, own);
    shop.goes_through(&mut scene, shop.driver);
    scene.did(shop.buyer, shop.lock, &[(Act::Lock, 1)]);
    for thread in [shop.buyer, shop.driver] {
        scene.did(thread, own, &[(Act::Lock, 1)]);
        scene.did(thread, trip, &[(Act::Await, 1)]);
    }
    scene.did(last, own, &[(Act::Lock, 1)]);
    scene.did(last, trip, &[(Act::SignalAll, 1)]);
    scene.did(last, own, &[(Act::Unlock, 1)]);
    scene.did(last, shop.place, &[(Act::Meet, 1)]);
    for thread in [shop.buyer, shop.driver] {
        scene.did(thread, trip, &[(Act::Awaited, 1)]);
        scene.did(thread, own, &[(Act::Unlock, 1)]);
        scene.did(thread, shop.place, &[(Act::Meet, 1)]);
    }
    scene.did(shop.buyer, shop.lock, &[(Act::Unlock, 1)]);
    assert_eq!(scene.found(), INSIDE);
}

/// More elements lie in a queue than are known by their putters: whose the rest are is not known, nor those that come behind.
#[test]
fn what_is_behind_too_many_elements_is_nobodys() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, BLOCKING);
    let other = scene.lock(REENTRANT);
    let [filler, taker] = ["filler", "taker"].map(|name| scene.build.thread(name));
    scene.did(filler, shop.place, &[(Act::Put, 1); 1_500]);
    scene.did(taker, shop.place, &[(Act::Take, 1); 1_100]);
    scene.nests(shop.driver, shop.lock, other);
    scene.did(shop.driver, shop.place, &[(Act::Put, 1)]);
    scene.did(shop.buyer, shop.place, &[(Act::Take, 1)]);
    scene.nests(shop.buyer, other, shop.lock);
    assert_eq!(scene.found(), [(Tier::T3, Kind::Order)]);
}
