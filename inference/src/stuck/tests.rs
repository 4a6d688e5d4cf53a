//! Deadlocks of recordings written by hand.

use crate::analysis::Analysis;
use crate::collect::{Collected, Collector};
use crate::fixtures::{Build, STATIC, SYNCHRONIZED, event, leave};
use crate::model::{Blockage, Holder, KnownBy, Options, Wants};
use locklens_trace::parked::Parked;
use locklens_trace::record::{LockObject, Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

/// Two threads and two locks.
struct Scene {
    build: Build,
    threads: [ThreadId; 3],
    locks: [LockId; 2],
    stack: StackId,
}

impl Scene {
    fn new() -> Self {
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let method = build.coded(class, "use", SYNCHRONIZED, vec![leave()]);
        let threads = ["one", "two", "three"].map(|name| build.thread(name));
        let locks = [build.lock(class), build.lock(class)];
        let stack = build.stack(&[(method, 0)]);
        Self {
            build,
            threads,
            locks,
            stack,
        }
    }

    fn enter(&self, us: u64, thread: usize, lock: usize, owner: Option<usize>) -> Event {
        let owner = owner.map_or(Owner::Unknown, |owner| Owner::Thread(self.threads[owner]));
        Event {
            owner,
            stack: Some(self.stack),
            ..event(us, self.threads[thread], EventKind::Enter, self.locks[lock])
        }
    }

    fn collected(&self, events: &[Event], end_owners: &str) -> Collected {
        self.told(events, &[(target_key::END_OWNERS, end_owners)])
    }

    fn told(&self, events: &[Event], facts: &[(&str, &str)]) -> Collected {
        let catalog = self.build.catalog.clone();
        let mut collector = Collector::of_piece(Options::default(), catalog);
        let facts = facts.iter();
        let facts = facts.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        collector.push(Record::Target(facts.collect()));
        for event in events {
            collector.push(Record::Event(*event));
        }
        collector.finish()
    }

    /// A step of a thread that a probe tells.
    fn step(&self, us: u64, thread: usize, kind: EventKind, lock: usize) -> Event {
        Event {
            stack: Some(self.stack),
            ..event(us, self.threads[thread], kind, self.locks[lock])
        }
    }

    fn wait(&self, us: u64, thread: usize, lock: usize, timeout: Option<Nanos>) -> Event {
        let kind = EventKind::Wait { timeout };
        event(us, self.threads[thread], kind, self.locks[lock])
    }

    fn blockages(&self, events: &[Event], end_owners: &str) -> Vec<Blockage> {
        let collected = self.collected(events, end_owners);
        Analysis::of(&collected, &Options::default())
            .model
            .blockages
    }

    /// The names of the threads of each ring.
    fn rings(&self, events: &[Event], end_owners: &str) -> Vec<Vec<String>> {
        let collected = self.collected(events, end_owners);
        let model = Analysis::of(&collected, &Options::default()).model;
        let names = |deadlock: &crate::model::Deadlock| {
            let threads = deadlock.threads.iter();
            threads.map(|stuck| stuck.thread.clone()).collect()
        };
        model.deadlocks.iter().map(names).collect()
    }
}

#[test]
fn owners_read_at_the_end_make_a_ring_and_who_waits_behind_it_is_not_in_it() {
    let scene = Scene::new();
    let events = [
        scene.enter(0, 2, 0, None),
        scene.enter(0, 0, 1, None),
        scene.enter(0, 1, 0, None),
    ];
    let owners = "3 1 1\n1 2 2\n2 1 1";
    assert_eq!(scene.rings(&events, owners), [["one", "two"]]);
    let collected = scene.collected(&events, owners);
    assert_eq!(collected.recording.still_blocked, 3);
    assert_eq!(collected.recording.from_before, 3);
    assert!(!collected.target.contains_key(target_key::END_OWNERS));
}

#[test]
fn what_went_from_hand_to_hand_has_not_been_held_since_the_first_was_blocked() {
    let scene = Scene::new();
    let mut events = vec![scene.enter(1, 0, 0, None), scene.enter(2, 1, 0, None)];
    let found = scene.blockages(&events, "");
    assert_eq!(
        (found[0].handed_on, found[0].since()),
        (Nanos(0), Nanos(1000))
    );
    events.push(event(
        5,
        scene.threads[1],
        EventKind::Entered,
        scene.locks[0],
    ));
    let found = scene.blockages(&events, "");
    assert_eq!(found[0].first().since, Nanos(1000));
    assert_eq!(found[0].since(), Nanos(5000));
}

#[test]
fn an_owner_that_was_blocked_already_still_holds_what_it_held() {
    let scene = Scene::new();
    let both = |second| {
        [
            scene.enter(0, 0, 1, Some(1)),
            scene.enter(second, 1, 0, Some(0)),
        ]
    };
    assert_eq!(scene.rings(&both(0), ""), [["one", "two"]]);
    // The second may have let go of its lock before it blocked.
    assert!(scene.rings(&both(5), "").is_empty());
}

/// The last look names who ran then; it let go of that lock, and only then was blocked on another.
#[test]
fn who_was_blocked_after_the_last_look_may_have_let_go_of_what_it_owned_then() {
    let scene = Scene::new();
    let events = [scene.enter(0, 0, 1, None), scene.enter(5, 1, 0, Some(0))];
    assert!(scene.rings(&events, "1 2 2").is_empty());
    assert_eq!(scene.rings(&events, "1 2 2\n2 1 1"), [["one", "two"]]);
    // What it was blocked on at the look, it got.
    assert!(scene.rings(&events, "1 2 2\n2 3 1").is_empty());
}

#[test]
fn who_took_it_and_did_not_let_go_holds_it_where_all_steps_are_recorded() {
    let scene = Scene::new();
    let [takes, leaves] = [EventKind::Entered, EventKind::Exit].map(|kind| {
        let us = if kind == EventKind::Exit { 4 } else { 1 };
        scene.step(us, 0, kind, 0)
    });
    let limit = Some(Nanos(1_000_000_000));
    let [wants, waits] = [scene.enter(3, 1, 0, None), scene.wait(5, 0, 1, limit)];
    let exact = [(target_key::EXACT, "true")];
    let holder = |events: &[Event], facts: &[(&str, &str)]| {
        let collected = scene.told(events, facts);
        let model = Analysis::of(&collected, &Options::default()).model;
        let [blockage] = &model.blockages[..] else {
            panic!()
        };
        holder(blockage).map(|(name, known, at)| (name.to_owned(), known, at))
    };
    let one = Some(("one".to_owned(), KnownBy::Steps, Some(2)));
    assert_eq!(holder(&[takes, wants, waits], &exact), one);
    assert_eq!(holder(&[takes, wants, leaves, waits], &exact), None);
    assert_eq!(holder(&[takes, wants, waits], &[]), None);
    // Who waits on it does not hold it, until he is back.
    let away = scene.wait(2, 0, 0, limit);
    assert_eq!(holder(&[takes, away, wants], &exact), None);
    let back = scene.step(3, 0, EventKind::Resumed, 0);
    assert_eq!(holder(&[takes, away, back, wants, waits], &exact), one);
    // When the other one came, the probes were off.
    let off = [exact[0], (target_key::EXACT_UNTIL, "2000")];
    assert_eq!(holder(&[takes, wants, waits], &off), None);
    // Of two one has let go of it, and nobody knows which.
    let another = scene.step(2, 2, EventKind::Entered, 0);
    assert_eq!(holder(&[takes, another, wants, waits], &exact), None);
}

#[test]
fn what_the_end_says_wins_over_the_beginning() {
    let scene = Scene::new();
    let events = [scene.enter(0, 0, 1, Some(1)), scene.enter(0, 1, 0, Some(0))];
    assert!(scene.rings(&events, "1 2 3").is_empty());
    assert!(scene.rings(&events, "1 2 0").is_empty());
    // Said of another lock, it says nothing.
    assert_eq!(scene.rings(&events, "1 1 3"), [["one", "two"]]);
    assert_eq!(scene.rings(&events, "nonsense"), [["one", "two"]]);
}

/// Name of the holder, how it is known, and on which object it stands itself.
fn holder(blockage: &Blockage) -> Option<(&str, KnownBy, Option<u32>)> {
    match &blockage.holder {
        Holder::Thread {
            thread,
            known,
            stand,
            ..
        } => {
            let at = stand.as_ref().map(|stand| stand.at.object);
            Some((thread, *known, at))
        }
        Holder::Unknown | Holder::Nobody | Holder::Readers => None,
    }
}

#[test]
fn who_holds_what_others_want_is_told_with_what_it_stands_at_itself() {
    let scene = Scene::new();
    let stuck = |timeout| {
        let events = [
            scene.wait(0, 0, 1, timeout),
            scene.enter(3, 1, 0, None),
            scene.enter(2, 2, 0, None),
        ];
        scene.blockages(&events, "2 1 1\n3 1 1")
    };
    let found = stuck(None);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(holder(&found[0]), Some(("one", KnownBy::End, Some(2))));
    let blocked: Vec<_> = found[0].threads.iter().map(|t| &t.thread).collect();
    assert_eq!(blocked, ["three", "two"], "the longest blocked first");
    assert!(found[0].may_be_lockout);
    assert!(
        !stuck(Some(Nanos(0)))[0].may_be_lockout,
        "it will go on by itself"
    );
}

/// The only blockage, whose holder is parked on a semaphore.
fn behind_a_parked_holder(timed: bool) -> Blockage {
    let mut scene = Scene::new();
    let semaphore = scene.build.class(
        "java.util.concurrent.Semaphore$NonfairSync",
        "java.lang.Object",
    );
    let semaphore = scene.build.lock(semaphore);
    let enter = scene.enter(2, 1, 0, None);
    let parked = Record::Parked(Parked {
        thread: scene.threads[0],
        lock: semaphore,
        stack: None,
        owner: Owner::Unknown,
        owner_stack: None,
        from: Nanos::from_millis(20),
        to: Nanos::from_millis(100),
        samples: 5,
        time: Nanos::from_millis(100),
        continues: false,
        open: true,
        timed,
    });
    let catalog = scene.build.catalog.clone();
    let mut collector = Collector::of_piece(Options::default(), catalog);
    let pair = (target_key::END_OWNERS.to_owned(), "2 1 1".to_owned());
    for record in [Record::Event(enter), parked, Record::Target(vec![pair])] {
        collector.push(record);
    }
    let model = Analysis::of(&collector.finish(), &Options::default()).model;
    let [blockage] = &model.blockages[..] else {
        panic!("{:?}", model.blockages);
    };
    assert_eq!(
        holder(blockage),
        Some(("one", KnownBy::End, Some(semaphore.0)))
    );
    blockage.clone()
}

#[test]
fn a_holder_that_is_parked_waits() {
    let found = behind_a_parked_holder(false);
    assert!(found.may_be_lockout);
    assert!(matches!(
        found.holder,
        Holder::Thread { stand: Some(stand), .. } if stand.waits && !stand.timed
    ));
    assert!(!behind_a_parked_holder(true).may_be_lockout);
}

#[test]
fn what_a_holder_was_doing_is_asked_of_it_and_else_where_it_stood() {
    let scene = Scene::new();
    let of = |chains: Option<&str>, holder: usize| {
        let mut collector = Collector::of_piece(Options::default(), scene.build.catalog.clone());
        collector.push(Record::Event(scene.enter(1, 1, 1, None)));
        collector.push(Record::Event(scene.enter(2, 0, 0, None)));
        let owner = scene.threads[holder].0;
        let mut pairs = vec![(target_key::END_OWNERS.to_owned(), format!("1 1 {owner}"))];
        pairs.extend(chains.map(|text| (target_key::END_CHAINS.to_owned(), text.to_owned())));
        collector.push(Record::Target(pairs));
        let model = Analysis::of(&collector.finish(), &Options::default()).model;
        let first = model.blockages.into_iter().find(|b| b.first().object == 1);
        match first.expect("the first thread is blocked").holder {
            Holder::Thread { chain, .. } => chain.map(|chain| chain.frames),
            other => panic!("{other:?}"),
        }
    };
    let told = Some(vec!["a.Desk.use".to_owned()]);
    assert_eq!(of(Some("3 1\nnonsense\n4"), 2), told);
    assert_eq!(of(Some("3 77"), 2), None, "a chain that is not defined");
    assert_eq!(of(None, 2), None);
    assert_eq!(of(None, 1), told, "blocked itself");
}

#[test]
fn who_waits_for_a_process_is_kept_waiting_by_nobody_it_keeps_out() {
    let may_be = |class: &str| {
        let mut scene = Scene::new();
        let class = scene.build.class(class, "java.lang.Object");
        scene.locks[1] = scene.build.lock(class);
        let events = [scene.wait(0, 0, 1, None), scene.enter(3, 1, 0, None)];
        let found = scene.blockages(&events, "2 1 1");
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].may_be_lockout
    };
    assert!(may_be("a.Pool"));
    for class in [
        "java.lang.ProcessImpl",
        "java.lang.UNIXProcess",
        "java.lang.ref.ReferenceQueue$Lock",
    ] {
        assert!(!may_be(class), "{class}");
    }
}

#[test]
fn an_owner_named_at_the_beginning_is_the_last_that_is_known() {
    let scene = Scene::new();
    let found = scene.blockages(&[scene.enter(1, 0, 0, Some(2))], "");
    assert_eq!(holder(&found[0]), Some(("three", KnownBy::Beginning, None)));
    let found = scene.blockages(&[scene.enter(1, 0, 0, None)], "");
    assert_eq!(found[0].holder, Holder::Unknown);
    let found = scene.blockages(&[scene.enter(1, 0, 0, Some(2))], "1 1 0");
    assert_eq!(found[0].holder, Holder::Nobody);
    // Who waits on the lock itself has let go of it.
    let events = [scene.wait(0, 2, 0, None), scene.enter(1, 0, 0, Some(2))];
    assert_eq!(scene.blockages(&events, "")[0].holder, Holder::Unknown);
}

#[test]
fn a_ring_of_call_chains_in_regions_of_one_object_needs_no_owner() {
    let mut build = Build::default();
    let classes = ["a.Left", "a.Right"].map(|name| build.class(name, "java.lang.Object"));
    let methods = classes
        .map(|class| build.coded(class, "use", STATIC | SYNCHRONIZED, vec![leave(), leave()]));
    let threads = ["one", "two", "three"].map(|name| build.thread(name));
    let locks = classes.map(|class| build.lock_as(class, LockObject::ClassMirror(class)));
    let [left, right] = methods;
    let stack = build.stack(&[(right, 0), (left, 1)]);
    let other = build.stack(&[(left, 0), (right, 1)]);
    let scene = Scene {
        build,
        threads,
        locks,
        stack,
    };
    let events = [
        scene.enter(1, 0, 1, None),
        Event {
            stack: Some(other),
            ..scene.enter(2, 1, 0, None)
        },
    ];
    assert_eq!(scene.rings(&events, ""), [["one", "two"]]);
    let found = scene.blockages(&events, "");
    assert_eq!(
        holder(&found[0]),
        Some(("two", KnownBy::CallChain, Some(1)))
    );
    assert!(
        scene.rings(&events, "1 2 3").is_empty(),
        "what the JVM says goes before it"
    );
}

/// An exact recording stops telling before it ends: who owns the lock then is blocked on it no longer.
#[test]
fn nobody_is_blocked_by_himself() {
    let scene = Scene::new();
    let events = [
        scene.enter(5, 0, 0, Some(2)),
        scene.enter(10, 1, 0, Some(2)),
    ];
    let blockages = scene.blockages(&events, "2 1 1\n");
    assert_eq!(blockages.len(), 1);
    let blocked = blockages[0].threads.iter();
    assert_eq!(
        blocked.map(|stuck| &*stuck.thread).collect::<Vec<_>>(),
        ["two"]
    );
    assert_eq!(holder(&blockages[0]), Some(("one", KnownBy::End, None)));
    assert!(scene.rings(&events, "1 1 1\n2 1 1\n").is_empty());
}

/// Two tellers wait in a lock manager since before the recording, or since it had begun; another one came late.
#[test]
fn who_waits_all_along_is_told_where_several_do() {
    const SECOND: u64 = 1_000_000;
    let found = |begin: u64| {
        let scene = Scene::new();
        let hour = Some(Nanos(3_600_000_000_000));
        let events = [
            scene.wait(begin, 0, 0, hour),
            scene.wait(begin, 1, 0, None),
            scene.wait(9 * SECOND, 2, 0, None),
            event(10 * SECOND, ThreadId(9), EventKind::ThreadStart, LockId(1)),
        ];
        let collected = scene.collected(&events, "");
        let model = Analysis::of(&collected, &Options::default()).model;
        let all = model.standstills;
        all.iter()
            .map(|at| (at.wants, at.threads.len(), at.first().since))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(0), [(Wants::Notify, 2, Nanos(0))]);
    assert_eq!(found(SECOND), [], "not all along");
}
