//! Recordings with accesses: what a clerk who waits for a flag is told of, and what stops that from counting.

use super::finding::{Finding, Memory, Tier};
use super::recording_tests::{REENTRANT, Scene};
use locklens_trace::access::{Access, Phase};
use locklens_trace::code::{MemberRef, Op};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::{LossCause, Lost, target_key};
use locklens_trace::{Nanos, Record, StackId, ThreadId};

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
        let shop = scene.build.class("app.Shop", "java.lang.Object");
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
            is_volatile: false,
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

/// Two clerks, of whom the second reads a flag that the first raises; `waits`: he asks for it before, too.
fn sold(waits: bool, besides: Option<Record>) -> Finding {
    let mut scene = Scene::default();
    let launch = (target_key::MODE.to_owned(), "launch".to_owned());
    scene.push(Record::Target(vec![launch]));
    let flag = Flag::of(&mut scene);
    let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
    let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
    if waits {
        flag.is_read(&mut scene, filler, 0);
    }
    scene.nests(seller, sales, stock);
    flag.is_raised(&mut scene, seller);
    flag.is_read(&mut scene, filler, 1);
    scene.nests(filler, stock, sales);
    besides.into_iter().for_each(|record| scene.push(record));
    let mut report = scene.report();
    assert_eq!(report.findings.len(), 1, "{report:?}");
    report.findings.remove(0)
}

#[test]
fn an_order_counts_where_somebody_waited_for_it() {
    let ordered = sold(true, None);
    assert_eq!((ordered.tier, ordered.memory), (Tier::T5, Memory::Orders));
    assert!(ordered.remarks[0].contains("Shop.sold"), "{ordered:?}");
    let chance = sold(false, None);
    assert_eq!((chance.tier, chance.memory), (Tier::T3, Memory::Unjudged));
    assert!(
        chance.remarks[0].contains("may have made them"),
        "{chance:?}"
    );
}

/// Two clerks of whom the second begins when the first has sold, or before.
fn begun(before: bool) -> Finding {
    let mut scene = Scene::default();
    let of = [
        (target_key::MODE, "launch"),
        (target_key::ACCESSES_OF, "app.Shop"),
    ];
    let of = of.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.push(Record::Target(of.into()));
    let shop = scene.build.class("app.Shop", "java.lang.Object");
    let element = Op::ArrayLoad { wide: false };
    scene.build.coded(shop, "price", 0, vec![element]);
    let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
    let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
    if before {
        scene.begins(filler);
    }
    scene.nests(seller, sales, stock);
    if !before {
        scene.begins(filler);
    }
    scene.nests(filler, stock, sales);
    let mut report = scene.report();
    assert_eq!(report.facts.threads, 2, "{:?}", report.facts);
    report.findings.remove(0)
}

#[test]
fn who_began_after_the_other_had_done_it_may_have_been_started_for_that() {
    let proved = begun(true);
    assert_eq!((proved.tier, proved.memory), (Tier::T3, Memory::Permits));
    for said in [
        "code of app.Shop",
        "VarHandle",
        "elements of arrays (app.Shop.price)",
    ] {
        assert!(proved.remarks[0].contains(said), "{said}: {proved:?}");
    }
    let later = begun(false);
    assert_eq!((later.tier, later.memory), (Tier::T3, Memory::Unjudged));
    assert!(
        later.remarks[0].contains("a thread began after"),
        "{later:?}"
    );
}

#[test]
fn who_was_unparked_by_the_other_may_have_waited_for_him() {
    let sold = |on_lock: bool| {
        let mut scene = Scene::default();
        let of = [
            (target_key::MODE, "launch"),
            (target_key::ACCESSES_OF, "app.Shop"),
        ];
        let of = of.map(|(key, value)| (key.to_owned(), value.to_owned()));
        scene.push(Record::Target(of.into()));
        let [sales, stock] = [REENTRANT; 2].map(|class| scene.lock(class));
        let [seller, filler] = ["seller", "filler"].map(|name| scene.build.thread(name));
        scene.nests(seller, sales, stock);
        let at = scene.now();
        let to = scene.now();
        scene.push(Record::Park(Park {
            thread: filler,
            lock: on_lock.then_some(sales),
            from: at,
            to,
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark { by: seller, at }),
        }));
        scene.nests(filler, stock, sales);
        scene.report().findings.remove(0)
    };
    assert_eq!(sold(true).memory, Memory::Permits);
    let waited = sold(false);
    assert_eq!((waited.tier, waited.memory), (Tier::T3, Memory::Unjudged));
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
    let refused = (
        target_key::EXACT_REFUSED.to_owned(),
        "app.Shop.load()V: it would be 70000 bytes long".to_owned(),
    );
    let late = Access {
        at: Nanos(99_000),
        thread: ThreadId(1),
        phase: Phase::Reading,
        object: 0,
        stack: Some(StackId(1)),
        value: None,
        is_volatile: false,
        late: true,
    };
    for (record, said) in [
        (lost, "are lost"),
        (Record::Target(vec![refused]), "app.Shop.load"),
        (Record::Access(late), "too late"),
    ] {
        let doubted = sold(true, Some(record));
        assert_eq!(doubted.memory, Memory::Unjudged, "{doubted:?}");
        assert!(doubted.tier <= Tier::T4, "{doubted:?}");
        let remarks = doubted.remarks.join(" ");
        assert!(remarks.contains(said), "{doubted:?}");
        assert!(remarks.contains("Shop.sold"), "{doubted:?}");
    }
}
