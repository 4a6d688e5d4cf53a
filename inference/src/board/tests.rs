//! Boards of recordings written by hand.

use super::*;
use crate::contention::Wish;
use crate::contention::live::{STRETCH, Watcher};
use crate::fixtures::{Build, event, leave};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{ClassDef, LockDef, LockObject, Owner, Tick};
use locklens_trace::{ClassId, EventKind, ThreadId};

const SECOND: u64 = 1_000_000;
const MAIN: ThreadId = ThreadId(1);
const WORKER: ThreadId = ThreadId(2);
const LOCK: LockId = LockId(1);

fn tick(us: u64) -> Record {
    Record::Tick(Tick {
        at: Nanos(us * 1000),
        agent_cpu: Nanos(0),
    })
}

/// What is defined, and two threads from the beginning.
fn begun(mut build: Build) -> Vec<Record> {
    for name in ["main", "worker"] {
        build.thread(name);
    }
    let catalog = build.catalog;
    let mut records: Vec<Record> = Vec::new();
    records.extend(catalog.classes.into_values().map(Record::Class));
    records.extend(catalog.methods.into_values().map(Record::Method));
    records.extend(catalog.stacks.into_values().map(Record::Stack));
    records.extend(catalog.locks.into_values().map(Record::Lock));
    records.extend(catalog.threads.into_values().map(|mut def| {
        def.at_start = true;
        Record::Thread(def)
    }));
    records
}

/// The worker is blocked by main for half of the second second.
fn half_a_second() -> Vec<Record> {
    let mut build = Build::default();
    let class = build.class("app.Store", "java.lang.Object");
    let put = build.coded(class, "put", 0, vec![leave()]);
    let stack = build.stack(&[(put, 0)]);
    build.lock(class);
    let mut records = begun(build);
    let mut enter = event(SECOND, WORKER, EventKind::Enter, LOCK);
    (enter.owner, enter.stack) = (Owner::Thread(MAIN), Some(stack));
    records.extend([Record::Event(enter), tick(SECOND * 5 / 4)]);
    let entered = event(SECOND * 3 / 2, WORKER, EventKind::Entered, LOCK);
    records.extend([Record::Event(entered), tick(4 * SECOND)]);
    records
}

fn board(records: &[Record]) -> Board {
    let mut board = Board::new(Nanos(SECOND * 1000));
    for record in records {
        board.push(record.clone());
        board.turn();
    }
    board
}

#[test]
fn pressure_is_told_by_interval() {
    let mut board = board(&half_a_second());
    let view = board.view(&Study::default());
    assert_eq!(
        (view.at, view.events, view.lost),
        (Nanos(3 * SECOND * 1000), 2, 0)
    );
    let [line] = &view.locks[..] else {
        panic!("{view:#?}")
    };
    assert_eq!(line.name, "app.Store");
    assert_eq!(line.trend, [0.0, 0.25, 0.0]);
    assert_eq!(
        (line.pressure, line.peak, line.time.0),
        (0.0, 0.25, SECOND * 500)
    );
    assert!(line.types.is_empty() && line.id.is_none() && line.blocked.is_empty());
    assert_eq!(line.place.as_deref(), Some("app.Store.put"));
}

#[test]
fn who_is_blocked_now_is_told_with_who_was_named() {
    let records = half_a_second();
    let mut board = board(&records[..records.len() - 2]);
    let view = board.view(&Study::default());
    assert_eq!(view.blocked, 1);
    let standing = &view.locks[0].blocked[0];
    assert_eq!(
        (&*standing.thread, standing.by.as_deref()),
        ("worker", Some("main"))
    );
    assert_eq!(standing.time, Nanos(SECOND * 250));
    assert_eq!(standing.chain.as_ref().unwrap().frames, ["app.Store.put"]);
}

#[test]
fn what_threads_do_adds_up_to_all_that_a_look_found() {
    let mut records = half_a_second();
    records.truncate(records.len() - 2);
    let mut sync = Build::default();
    let class = sync.class(
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        "java.lang.Object",
    );
    let def = sync.catalog.classes.remove(&class).expect("its class");
    let (class, lock) = (ClassId(99), LockId(9));
    records.push(Record::Class(ClassDef { id: class, ..def }));
    records.push(Record::Lock(LockDef {
        id: lock,
        class,
        hash: 9,
        object: LockObject::Plain,
    }));
    records.push(Record::Sync(SyncDef {
        lock,
        kind: SyncKind::Synchronizer,
        of: None,
        shared: false,
        most: 1,
        state: None,
    }));
    let at = Nanos(SECOND * 1_200);
    records.push(Record::Parked(Parked {
        thread: MAIN,
        lock,
        stack: None,
        owner: Owner::Unknown,
        owner_stack: None,
        from: at,
        to: at,
        samples: 1,
        time: Nanos(1),
        continues: false,
        open: true,
        timed: false,
    }));
    // The look came before the worker was blocked.
    let crowd = Crowd {
        waiting: 2,
        sleeping: 5,
        ..Crowd::default()
    };
    let now = (target_key::THREADS_NOW.to_owned(), crowd.to_string());
    records.push(Record::Target(vec![now]));
    let view = board(&records).view(&Study::default());
    let told = Crowd {
        blocked: 1,
        waiting: 1,
        ..crowd
    };
    assert_eq!((view.crowd, view.blocked), (Some(told), 2));
}

#[test]
fn a_study_names_locks_and_says_who_is_to_blame() {
    let records = half_a_second();
    let mut watcher = Watcher::new(Options::default(), &KEYS, Wish::default(), STRETCH);
    records
        .iter()
        .for_each(|record| watcher.push(record.clone()));
    let (blame, analysis) = watcher.so_far();
    let study = Study::of(analysis, blame, LOCK);
    let view = board(&records).view(&study);
    let [line] = &view.locks[..] else {
        panic!("{view:#?}")
    };
    let reported = &analysis.model.locks[0];
    assert_eq!((line.id, &line.name), (Some(1), &reported.name));
    assert_eq!(line.types[0].0, reported.types[0].lock_type.name());
    assert_eq!(line.blame.as_ref().unwrap().ns, Nanos(SECOND * 500));
}

#[test]
fn the_last_minute_is_a_recording_of_its_own() {
    let mut recent = recent::Recent::default();
    for record in half_a_second() {
        recent.push(record);
    }
    let late = 62 * SECOND;
    recent.push(Record::Event(event(late, MAIN, EventKind::Enter, LOCK)));
    recent.push(tick(late + SECOND));
    let snapshot = recent.snapshot().unwrap();
    let mut collector = Collector::new(Options::default());
    snapshot
        .into_iter()
        .for_each(|record| collector.push(record));
    let collected = collector.finish();
    assert!(collected.recording.ended);
    // It begins with the heartbeat at 4 s: the stay of the first second is over by then.
    assert_eq!(
        collected.recording.duration,
        Nanos((late - 3 * SECOND) * 1000)
    );
    assert_eq!(
        (collected.recording.events, collected.locks[0].open.len()),
        (1, 1)
    );
    assert_eq!(
        collected.locks[0].open[0].since,
        Nanos((late - 4 * SECOND) * 1000)
    );
    assert!(collected.catalog.threads[&WORKER].at_start);
}

#[test]
fn who_is_blocked_when_the_last_minute_begins_is_told_so() {
    let mut records = half_a_second();
    records.truncate(records.len() - 2);
    let mut recent = recent::Recent::default();
    records.into_iter().for_each(|record| recent.push(record));
    recent.push(tick(90 * SECOND));
    let snapshot = recent.snapshot().unwrap();
    let before = snapshot.iter().filter_map(|record| match record {
        Record::Event(event) => Some((event.thread, event.is_from_before())),
        _ => None,
    });
    assert_eq!(before.collect::<Vec<_>>(), [(WORKER, true)]);
}

#[test]
fn a_lock_that_reports_leave_out_is_not_shown_once_that_is_known() {
    let mut board = board(&half_a_second());
    let study = Study::of(
        &crate::analysis::Analysis::default(),
        crate::contention::Blame::default(),
        LOCK,
    );
    assert!(board.view(&study).locks.is_empty());
}

/// Objects of a class of the JDK, each made for one step: two wanted in `get`, one in `set`. The last two are new.
fn nodes() -> Vec<Record> {
    let mut build = Build::default();
    let class = build.class("app.Prices", "java.lang.Object");
    let node = build.class(
        "java.util.concurrent.ConcurrentHashMap$ReservationNode",
        "java.lang.Object",
    );
    let stacks = ["get", "set"].map(|name| {
        let method = build.coded(class, name, 0, vec![leave()]);
        build.stack(&[(method, 0)])
    });
    for _ in 0..4 {
        build.lock(node);
    }
    let mut records = begun(build);
    for (nth, stack) in (0..).zip([stacks[0], stacks[0], stacks[1]]) {
        let (at, lock) = (SECOND * (nth + 1) / 4, LockId(nth as u32 + 1));
        let mut enter = event(at, WORKER, EventKind::Enter, lock);
        (enter.owner, enter.stack) = (Owner::Thread(MAIN), Some(stack));
        records.push(Record::Event(enter));
        let entered = event(at + SECOND / 8, WORKER, EventKind::Entered, lock);
        records.push(Record::Event(entered));
    }
    let mut enter = event(SECOND, WORKER, EventKind::Enter, LockId(4));
    (enter.owner, enter.stack) = (Owner::Thread(MAIN), Some(stacks[0]));
    records.extend([Record::Event(enter), tick(2 * SECOND)]);
    records
}

#[test]
fn objects_of_the_jdk_that_are_wanted_at_one_place_are_one_line() {
    let view = board(&nodes()).view(&Study::default());
    let mut lines: Vec<_> = view.locks.iter().collect();
    lines.sort_by_key(|line| line.key);
    let told: Vec<_> = lines
        .iter()
        .map(|line| (line.place.as_deref(), line.time.0, line.blocked.len()))
        .collect();
    let eighth = SECOND * 1000 / 8;
    assert_eq!(
        told,
        [
            (Some("app.Prices.get"), 2 * eighth, 1),
            (Some("app.Prices.set"), eighth, 0)
        ]
    );
}

#[test]
fn a_new_object_is_of_the_lock_that_all_known_ones_of_its_place_are_of() {
    let records = nodes();
    let mut watcher = Watcher::new(Options::default(), &KEYS, Wish::default(), STRETCH);
    let (known, _) = records.split_at(records.len() - 6);
    known.iter().for_each(|record| watcher.push(record.clone()));
    let (blame, analysis) = watcher.so_far();
    let study = Study::of(analysis, blame, LOCK);
    assert_eq!(analysis.model.locks.len(), 1);
    let view = board(&records).view(&study);
    let told = |line: &Line| (line.id, line.objects, line.blocked.len());
    let mut told: Vec<_> = view.locks.iter().map(told).collect();
    told.sort();
    assert_eq!(told, [(None, 1, 0), (Some(1), 2, 1)]);
}

/// Two objects of one class have half a second each at the same time, and nothing for a long time after.
#[test]
fn what_a_lock_had_at_most_is_of_all_its_objects_together_and_stays() {
    let mut records = half_a_second();
    let Some(Record::Lock(def)) = records.iter().find(|r| matches!(r, Record::Lock(_))) else {
        panic!("a lock")
    };
    let other = LockDef {
        id: LockId(2),
        ..def.clone()
    };
    let third = ThreadId(3);
    let mut more = vec![Record::Lock(other)];
    let Some(Record::Thread(def)) = records.iter().find(|r| matches!(r, Record::Thread(_))) else {
        panic!("a thread")
    };
    let mut thread = def.clone();
    (thread.id, thread.tid, thread.name) = (third, 77, "third".to_owned());
    more.push(Record::Thread(thread));
    let mut enter = event(SECOND, third, EventKind::Enter, LockId(2));
    enter.owner = Owner::Thread(MAIN);
    more.push(Record::Event(enter));
    let at = records
        .iter()
        .position(|r| matches!(r, Record::Tick(_)))
        .unwrap();
    let entered = event(SECOND * 3 / 2, third, EventKind::Entered, LockId(2));
    records.insert(at + 1, Record::Event(entered));
    records.splice(at..at, more);
    let mut board = board(&records);
    let peak = |board: &mut Board| {
        let view = board.view(&Study::default());
        assert_eq!(view.locks.len(), 1);
        (view.locks[0].peak, view.locks[0].average)
    };
    let (first, _) = peak(&mut board);
    // Of three seconds that three threads ran.
    assert!((first - 1.0 / 3.0).abs() < 1e-9, "{first}");
    for second in 5..100 {
        board.push(tick(second * SECOND));
        board.turn();
    }
    let (later, average) = peak(&mut board);
    assert_eq!(later, first);
    assert!(average < later, "{average} {later}");
}
