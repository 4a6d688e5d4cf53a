//! Recordings with accesses: what a clerk who waits for a flag is told of, and what stops that from counting.

use super::finding::{Finding, Memory, Tier};
use super::recording_tests::{REENTRANT, Scene};
use crate::fixtures::call;
use locklens_trace::access::{Access, Phase};
use locklens_trace::code::{MemberRef, Op};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::{LossCause, Lost, target_key};
use locklens_trace::{ClassId, Nanos, Record, StackId, ThreadId};

/// A flag, with the places where it is read and written.
struct Flag {
    read: StackId,
    write: StackId,
}

impl Flag {
    fn of(scene: &mut Scene) -> Self {
        let member = MemberRef {
            class: "app.Shop".to_owned(),
            name: "sold".to_owned(),
            descriptor: "Z".to_owned(),
        };
        let shop = shop(scene);
        let ops = vec![Op::GetStatic(member.clone()), Op::PutStatic(member)];
        let method = scene.build.coded(shop, "sell", 0, ops);
        Self {
            read: scene.build.stack(&[(method, 0)]),
            write: scene.build.stack(&[(method, 1)]),
        }
    }

    fn access(scene: &mut Scene, thread: ThreadId, stack: StackId, told: (Phase, Option<u32>)) {
        let at = scene.now();
        scene.push(Record::Access(Access {
            at,
            thread,
            phase: told.0,
            object: 0,
            stack: Some(stack),
            value: told.1,
            late: false,
        }));
    }

    fn is_read(&self, scene: &mut Scene, thread: ThreadId, value: u32) {
        Self::access(scene, thread, self.read, (Phase::Reading, None));
        Self::access(scene, thread, self.read, (Phase::Read, Some(value)));
    }

    fn is_raised(&self, scene: &mut Scene, thread: ThreadId) {
        Self::access(scene, thread, self.write, (Phase::Writing, Some(1)));
        Self::access(scene, thread, self.write, (Phase::Wrote, None));
    }
}

/// A program that is started under the recording, with the accesses of a class.
fn launched(scene: &mut Scene) {
    let of = [
        (target_key::MODE, "launch"),
        (target_key::ACCESSES_OF, "app.Shop"),
    ];
    let of = of.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.push(Record::Target(of.into()));
}

/// Its class.
fn shop(scene: &mut Scene) -> ClassId {
    let mut classes = scene.build.catalog.classes.values();
    let known = classes
        .find(|class| class.name == "app.Shop")
        .map(|class| class.id);
    known.unwrap_or_else(|| scene.build.class("app.Shop", "java.lang.Object"))
}

fn lock() -> Op {
    call("java.util.concurrent.locks.ReentrantLock", "lock")
}

/// Two places of one method where locks are taken, with some code between them.
fn places(scene: &mut Scene, between: &[Op]) -> [StackId; 2] {
    let shop = shop(scene);
    let ops = [&[lock()][..], between, &[lock()]].concat();
    let last = ops.len() as u16 - 1;
    let method = scene.build.coded(shop, "trade", 0, ops);
    [0, last].map(|bci| scene.build.stack(&[(method, bci)]))
}

/// Two clerks, of whom the second reads a flag that the first raises.
fn sold(besides: Option<Record>) -> Finding {
    let mut scene = Scene::default();
    launched(&mut scene);
    let flag = Flag::of(&mut scene);
    let at = places(&mut scene, &[]);
    let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
    let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
    flag.is_read(&mut scene, filler, 0);
    scene.nests_at(seller, [sales, stock], at);
    flag.is_raised(&mut scene, seller);
    flag.is_read(&mut scene, filler, 1);
    scene.nests_at(filler, [stock, sales], at);
    besides.into_iter().for_each(|record| scene.push(record));
    let mut report = scene.report();
    assert_eq!(report.findings.len(), 1, "{report:?}");
    report.findings.remove(0)
}

#[test]
fn what_was_read_is_an_order_of_this_run_and_takes_no_tier() {
    let ordered = sold(None);
    assert_eq!((ordered.tier, ordered.memory), (Tier::T3, Memory::Orders));
    let said = &ordered.remarks[0];
    assert!(said.contains("Shop.sold"), "{ordered:?}");
    assert!(said.contains("another run may"), "{ordered:?}");
}

/// Two clerks of whom the second begins when the first has sold, or before; with some code between their locks.
fn begun(before: bool, between: &[Op]) -> Finding {
    let mut scene = Scene::default();
    launched(&mut scene);
    let at = places(&mut scene, between);
    let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
    let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
    if before {
        scene.begins(filler);
    }
    scene.nests_at(seller, [sales, stock], at);
    if !before {
        scene.begins(filler);
    }
    scene.nests_at(filler, [stock, sales], at);
    let mut report = scene.report();
    assert_eq!(report.facts.threads, 2, "{:?}", report.facts);
    report.findings.remove(0)
}

#[test]
fn who_began_after_the_other_had_done_it_may_have_been_started_for_that() {
    let proved = begun(true, &[Op::ArrayLoad { wide: false }]);
    assert_eq!((proved.tier, proved.memory), (Tier::T3, Memory::Permits));
    for said in [
        "code of app.Shop",
        "VarHandle",
        "elements of arrays (app.Shop.trade)",
    ] {
        assert!(proved.remarks[0].contains(said), "{said}: {proved:?}");
    }
    let later = begun(false, &[]);
    assert_eq!((later.tier, later.memory), (Tier::T3, Memory::Orders));
    assert!(
        later.remarks[0].contains("a thread began after"),
        "{later:?}"
    );
}

#[test]
fn where_code_between_the_locks_is_not_recorded_nothing_is_proved() {
    let sleeps = begun(true, &[call("java.lang.Thread", "sleep")]);
    assert_eq!((sleeps.tier, sleeps.memory), (Tier::T3, Memory::Unjudged));
    let said = &sleeps.remarks[0];
    assert!(said.contains("java.lang.Thread.sleep"), "{sleeps:?}");
}

#[test]
fn where_the_code_has_ways_that_no_probe_sees_nothing_is_proved() {
    for (class, name, said) in [
        ("java.lang.invoke.VarHandle", "get", "VarHandle"),
        (
            "java.util.concurrent.ConcurrentHashMap",
            "get",
            "concurrent map",
        ),
        (
            "java.util.concurrent.Semaphore",
            "availablePermits",
            "its state",
        ),
        (
            "java.util.concurrent.atomic.AtomicLongArray",
            "get",
            "other atomics",
        ),
        ("java.util.Map", "get", "a collection"),
        ("java.lang.Iterable", "iterator", "a collection"),
        ("java.lang.Number", "intValue", "may be an atomic"),
        (
            "java.util.concurrent.locks.LockSupport",
            "park",
            "return at once",
        ),
        ("app.Till", "isClosed", "app.Till.isClosed"),
    ] {
        let unseen = begun(true, &[call(class, name)]);
        assert_eq!((unseen.tier, unseen.memory), (Tier::T3, Memory::Unjudged));
        let said_so = unseen.remarks.iter().any(|remark| remark.contains(said));
        assert!(said_so, "{said}: {unseen:?}");
    }
}

#[test]
fn who_was_unparked_by_the_other_may_have_waited_for_him() {
    let sold = |on_lock: bool| {
        let mut scene = Scene::default();
        launched(&mut scene);
        let places = places(&mut scene, &[]);
        let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
        let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
        scene.nests_at(seller, [sales, stock], places);
        let at = scene.now();
        let to = scene.now();
        scene.push(Record::Park(Park {
            stack: None,
            thread: filler,
            lock: on_lock.then_some(sales),
            from: at,
            to,
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by: seller,
                at,
            }),
        }));
        scene.nests_at(filler, [stock, sales], places);
        scene.report().findings.remove(0)
    };
    assert_eq!(sold(true).memory, Memory::Permits);
    let waited = sold(false);
    assert_eq!((waited.tier, waited.memory), (Tier::T3, Memory::Orders));
    assert!(waited.remarks[0].contains("unparked it"), "{waited:?}");
}

#[test]
fn what_is_missing_stops_it() {
    let lost = Record::Lost(Lost {
        cause: LossCause::BufferFull,
        count: 1,
        from: Nanos(98_000),
        to: Nanos(98_000),
    });
    let fact = |key: &str, value: &str| Record::Target(vec![(key.to_owned(), value.to_owned())]);
    let refused = fact(
        target_key::EXACT_REFUSED,
        "app.Shop.load()V: it would be 70000 bytes long",
    );
    let late = Access {
        at: Nanos(99_000),
        thread: ThreadId(1),
        phase: Phase::Reading,
        object: 0,
        stack: Some(StackId(1)),
        value: None,
        late: true,
    };
    for (record, said) in [
        (lost, "are lost"),
        (refused, "app.Shop.load"),
        (Record::Access(late), "too late"),
        (fact(target_key::MODE, "live"), "under way"),
    ] {
        let doubted = sold(Some(record));
        assert_eq!(doubted.memory, Memory::Unjudged, "{doubted:?}");
        assert!(doubted.tier <= Tier::T4, "{doubted:?}");
        let remarks = doubted.remarks.join(" ");
        assert!(remarks.contains(said), "{doubted:?}");
        assert!(remarks.contains("Shop.sold"), "{doubted:?}");
    }
}
