//! Recordings written by hand in which one thread takes permits that another gives, with a lock that the other takes first.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use crate::fixtures::{call, dup, field, leave, load, virtual_ref};
use locklens_trace::code::{InvokeKind, Op};
use locklens_trace::juc::Act;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Record, ThreadId};

const SEMAPHORE: &str = "java.util.concurrent.Semaphore$NonfairSync";
const INSIDE: [(Tier, Kind); 1] = [(Tier::T3, Kind::NestedWait)];
const GIVE: (Act, u32) = (Act::Unshare, 1);
const TAKE: (Act, u32) = (Act::Share, 1);

struct Shop {
    lock: LockId,
    signal: LockId,
    giver: ThreadId,
    taker: ThreadId,
}

impl Shop {
    fn of(scene: &mut Scene, launched: bool) -> Self {
        if launched {
            let mode = (target_key::MODE.to_owned(), "launch".to_owned());
            scene.push(Record::Target(vec![mode]));
        }
        let [giver, taker] = ["giver", "taker"].map(|name| scene.build.thread(name));
        Self {
            lock: scene.lock(REENTRANT),
            signal: scene.lock(SEMAPHORE),
            giver,
            taker,
        }
    }

    /// He goes through the shop, then gives a permit.
    fn gives(&self, scene: &mut Scene) {
        scene.did(self.giver, self.lock, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        scene.did(self.giver, self.signal, &[GIVE]);
    }

    /// He takes one and keeps the shop locked.
    fn takes(&self, scene: &mut Scene, waits: bool) {
        scene.did(self.taker, self.lock, &[(Act::Lock, 1)]);
        if waits {
            scene.is_let_go(self.taker, self.signal, self.giver);
        }
        scene.did(self.taker, self.signal, &[TAKE]);
        scene.did(self.taker, self.lock, &[(Act::Unlock, 1)]);
    }
}

/// What is found where something happens to the semaphore before.
fn found(launched: bool, waits: bool, before: impl Fn(&mut Scene, &Shop)) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, launched);
    before(&mut scene, &shop);
    shop.gives(&mut scene);
    shop.takes(&mut scene, waits);
    scene.found()
}

/// Somebody had to wait for a permit when all were taken that had been given.
fn began_empty(scene: &mut Scene, shop: &Shop) {
    scene.did(shop.giver, shop.signal, &[GIVE]);
    scene.is_let_go(shop.taker, shop.signal, shop.giver);
    scene.did(shop.taker, shop.signal, &[TAKE]);
}

#[test]
fn who_found_the_only_permit_would_have_waited_for_it() {
    assert_eq!(found(true, false, began_empty), INSIDE);
    let suspected = [(Tier::T5, Kind::NestedWait)];
    let nothing = |_: &mut Scene, _: &Shop| {};
    assert_eq!(
        found(true, false, nothing),
        suspected,
        "it may have had some"
    );
    assert_eq!(found(false, false, began_empty), [], "it was under way");
    assert_eq!(found(false, true, nothing), INSIDE, "he did wait");
}

#[test]
fn who_finds_more_than_he_takes_waits_for_none() {
    let more = |scene: &mut Scene, shop: &Shop| {
        began_empty(scene, shop);
        scene.did(shop.giver, shop.signal, &[GIVE]);
    };
    assert_eq!(found(true, false, more), []);
}

#[test]
fn how_many_there_are_is_not_known_where_some_were_there_before() {
    let before = |scene: &mut Scene, shop: &Shop| scene.did(shop.taker, shop.signal, &[TAKE]);
    assert_eq!(found(true, false, before), []);
    assert_eq!(found(true, true, before), INSIDE, "he did wait");
}

#[test]
fn who_takes_permits_himself_gives_back_what_he_has() {
    let lends = |scene: &mut Scene, shop: &Shop| {
        scene.did(shop.giver, shop.signal, &[GIVE, TAKE]);
    };
    assert_eq!(found(true, false, lends), []);
}

#[test]
fn somebody_else_who_gives_one_helps() {
    let mut scene = Scene::default();
    let shop = Shop::of(&mut scene, true);
    began_empty(&mut scene, &shop);
    shop.gives(&mut scene);
    shop.takes(&mut scene, false);
    let other = scene.build.thread("other");
    scene.did(other, shop.signal, &[GIVE]);
    assert_eq!(scene.found(), []);
}

#[test]
fn who_waits_for_a_permit_when_the_recording_ends_waits_for_who_gives_them() {
    let found = |waits: bool| {
        let mut scene = Scene::default();
        let shop = Shop::of(&mut scene, false);
        shop.gives(&mut scene);
        scene.did(shop.taker, shop.lock, &[(Act::Lock, 1)]);
        if waits {
            scene.is_parked(shop.taker, shop.signal, None);
        }
        scene.found()
    };
    assert_eq!(found(true), INSIDE);
    assert_eq!(found(false), []);
}

/// Two have one permit each of a semaphore that the code makes with so many, and want another one.
fn hoarded(permits: i64) -> Vec<(Tier, Kind)> {
    const CLASS: &str = "java.util.concurrent.Semaphore";
    let mut scene = Scene::default();
    let semaphore = scene.lock(SEMAPHORE);
    let [outer, app] = [CLASS, "app.Shop"].map(|name| scene.build.class(name, "java.lang.Object"));
    let put = match field("app.Shop", "a") {
        Op::GetField(member) => Op::PutField(member),
        other => other,
    };
    let made = Op::Invoke {
        kind: InvokeKind::Special,
        method: virtual_ref(CLASS, "<init>", "(I)V"),
    };
    let number = Op::Const {
        value: permits,
        wide: false,
    };
    let new = Op::New(CLASS.to_owned());
    let fills = vec![load(0), new, dup(), number, made, put, leave()];
    scene.build.coded(app, "<init>", 0, fills);
    let asks = vec![load(0), field("app.Shop", "a"), call(CLASS, "acquire")];
    let caller = scene.build.coded(app, "sell", 0, asks);
    let inner = scene.build.method(outer, "acquire", "()V", 0);
    let stack = scene.build.stack(&[(inner, 7), (caller, 2)]);
    let both = ["one", "two"].map(|name| scene.build.thread(name));
    for thread in both {
        scene.did(thread, semaphore, &[(Act::Share, 1)]);
    }
    for thread in both {
        scene.is_parked_at(thread, semaphore, Some(stack));
    }
    scene.found()
}

#[test]
fn who_have_all_permits_that_the_code_makes_and_want_more_are_stuck() {
    assert!(hoarded(2).contains(&(Tier::T0, Kind::Permit)));
    assert!(!hoarded(3).iter().any(|(tier, _)| *tier == Tier::T0));
}
