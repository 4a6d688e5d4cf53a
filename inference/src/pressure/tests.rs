//! Each rule of the definition, by events made by hand. Times are in milliseconds.

use super::live::Follower;
use super::model::{Known, LockPressure, Pressure};
use super::{Gauge, Wanted};
use crate::analysis::Analysis;
use crate::collect::{Collected, Collector};
use crate::model::Options;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{
    ClassDef, End, EndReason, Frame, LockDef, LockObject, LossCause, Lost, MethodDef, Owner,
    StackDef, ThreadDef, Tick, target_key,
};
use locklens_trace::{
    ClassId, Event, EventKind, LockId, MethodId, Nanos, Record, StackId, ThreadId,
};

const WAIT: EventKind = EventKind::Wait { timeout: None };
const WAITED: EventKind = EventKind::Waited { timed_out: false };
const TIMED_OUT: EventKind = EventKind::Waited { timed_out: true };

fn ms(at: u64) -> Nanos {
    Nanos::from_millis(at)
}

fn thread_in(id: u32, name: &str, group: &str) -> Record {
    Record::Thread(ThreadDef {
        id: ThreadId(id),
        tid: u64::from(id),
        name: name.to_owned(),
        group: Some(group.to_owned()),
        daemon: false,
        is_virtual: false,
        at_start: true,
    })
}

fn threads(n: u32) -> Vec<Record> {
    (1..=n)
        .map(|id| thread_in(id, &format!("t{id}"), "main"))
        .collect()
}

fn event(at: u64, thread: u32, kind: EventKind) -> Record {
    on(1, at, thread, kind)
}

fn on(lock: u32, at: u64, thread: u32, kind: EventKind) -> Record {
    let begins = matches!(kind, EventKind::Enter | EventKind::Wait { .. });
    let of_probe = matches!(kind, EventKind::Entered);
    Record::Event(Event {
        at: ms(at),
        thread: ThreadId(thread),
        kind,
        lock: Some(LockId(lock)),
        stack: (begins || of_probe).then_some(StackId(lock)),
        owner: Owner::Unknown,
        seq: None,
    })
}

fn life(at: u64, thread: u32, kind: EventKind) -> Record {
    Record::Event(Event {
        at: ms(at),
        thread: ThreadId(thread),
        kind,
        lock: None,
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    })
}

fn end(at: u64) -> Record {
    Record::End(End {
        at: ms(at),
        reason: EndReason::Stopped,
    })
}

fn said(key: &str, value: &str) -> Record {
    Record::Target(vec![(key.to_owned(), value.to_owned())])
}

/// Two lock objects, each of a class of its own.
fn definitions() -> Vec<Record> {
    let class = |id: u32, name: &str| {
        Record::Class(ClassDef {
            id: ClassId(id),
            loader: None,
            name: name.to_owned(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        })
    };
    let lock = |id: u32| {
        Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(id),
            hash: 0,
            object: LockObject::Plain,
        })
    };
    let used = |id: u32| {
        let method = Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(id),
            name: format!("use{id}"),
            descriptor: "()V".to_owned(),
            flags: 0x0020,
            lines: Vec::new(),
        });
        let stack = Record::Stack(StackDef {
            id: StackId(id),
            frames: vec![Frame {
                method: MethodId(id),
                bci: Some(0),
            }],
            cut: false,
        });
        [method, stack]
    };
    let reentrant = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let names = [
        "app.Pool",
        "app.Queue",
        reentrant,
        "java.util.concurrent.CountDownLatch$Sync",
    ];
    let defs = (1..)
        .zip(names)
        .flat_map(|(id, name)| [class(id, name), lock(id)]);
    defs.chain((1..=2).flat_map(used)).collect()
}

fn wanted() -> Wanted {
    Wanted {
        interval: ms(100),
        most: None,
        threads: None,
    }
}

fn collected(records: &[Record]) -> (Collected, Vec<Record>) {
    let all: Vec<Record> = definitions()
        .into_iter()
        .chain(records.iter().cloned())
        .collect();
    let mut collector = Collector::new(Options::default());
    all.iter().for_each(|record| collector.push(record.clone()));
    (collector.finish(), all)
}

fn measured(wanted: &Wanted, threshold: f64, records: &[Record]) -> Pressure {
    let (collected, all) = collected(records);
    let analysis = Analysis::of(&collected, &Options::default());
    let mut gauge = Gauge::informed(wanted, &collected);
    all.iter().for_each(|record| gauge.push(record));
    gauge.finish(&collected, &analysis, threshold)
}

fn pressure(records: Vec<Record>) -> Pressure {
    measured(&wanted(), 0.1, &records)
}

#[track_caller]
fn only(pressure: &Pressure) -> &LockPressure {
    assert_eq!(pressure.locks.len(), 1, "{pressure:#?}");
    &pressure.locks[0]
}

/// Running and acquiring in milliseconds.
fn sums(pressure: &Pressure) -> (u64, u64) {
    (
        pressure.running.0 / 1_000_000,
        pressure.acquiring.0 / 1_000_000,
    )
}

fn all(parts: &[Vec<Record>]) -> Vec<Record> {
    parts.concat()
}

/// One of two threads is always blocked.
fn ping_pong() -> Vec<Record> {
    let rounds = (0..10).flat_map(|round| {
        let (at, blocked) = (round * 100, round as u32 % 2 + 1);
        [
            event(at + 1, blocked, EventKind::Enter),
            event(at + 101, blocked, EventKind::Entered),
        ]
    });
    rounds.chain([end(1001)]).collect()
}

#[test]
fn one_of_two_blocked_is_a_half() {
    let pressure = pressure(all(&[threads(2), ping_pong()]));
    let lock = only(&pressure);
    assert_eq!(sums(&pressure), (2002, 1000));
    assert!((lock.average - 0.5).abs() < 0.001 && lock.known == Known::AtLeast);
    assert!((lock.peak - 0.5).abs() < 0.001, "{}", lock.peak);
    assert_eq!((lock.series.len(), lock.phases.len()), (11, 1));
}

/// In some intervals there are no events at all, in others for a part of it: they have a lower bound.
#[test]
fn of_a_jvm_that_ran_before_nobody_knows_all_virtual_threads() {
    for (mode, known) in [("live", Known::Estimate), ("launch", Known::AtLeast)] {
        let mut records = ping_pong();
        records.insert(0, said(target_key::MODE, mode));
        let known_of = |records| only(&pressure(records)).known;
        assert_eq!(known_of(records.clone()), Known::AtLeast, "{mode}");
        let virtual_one = match thread_in(9, "v", "VirtualThreads") {
            Record::Thread(def) => Record::Thread(ThreadDef {
                is_virtual: true,
                ..def
            }),
            other => other,
        };
        records.insert(1, virtual_one);
        assert_eq!(known_of(records), known, "{mode}");
    }
}

#[test]
fn what_was_not_recorded_is_no_calm() {
    let off = |from: u64, to: u64| {
        Record::Lost(Lost {
            cause: LossCause::Paused,
            from: ms(from),
            to: ms(to),
            count: 0,
        })
    };
    let pauses = vec![off(110, 190), off(300, 420), off(420, 490), off(490, 580)];
    let pressure = pressure(all(&[threads(2), ping_pong(), pauses]));
    let series = &only(&pressure).series;
    let gaps = (0..).zip(series).filter(|(_, share)| share.is_none());
    let gaps: Vec<u32> = gaps.map(|(at, _)| at).collect();
    assert_eq!(gaps, [3, 4]);
}

#[test]
fn what_is_left_out_is_counted_and_bounds_nothing() {
    let lost = |cause, from: u64, to: u64| {
        Record::Lost(Lost {
            cause,
            from: ms(from),
            to: ms(to),
            count: 3,
        })
    };
    let begun = vec![lost(LossCause::BufferFull, 0, 2_000)];
    let unknown = pressure(all(&[threads(2), ping_pong(), begun]));
    assert!(unknown.unmeasured > 0 && unknown.locks.is_empty());
    let full = vec![lost(LossCause::TableFull, 0, 0)];
    let crowded = pressure(all(&[threads(2), ping_pong(), full]));
    assert_eq!(
        (only(&crowded).known, crowded.unmeasured),
        (Known::Estimate, 0)
    );
}

#[test]
fn threads_that_never_meet_a_lock_run_all_the_same() {
    let pressure = pressure(all(&[threads(48), ping_pong()]));
    assert!((only(&pressure).average - 1.0 / 48.0).abs() < 0.001);
    assert_eq!((pressure.threads, only(&pressure).phases.len()), (48, 0));
}

#[test]
fn who_waits_does_not_run_and_who_sleeps_does() {
    let waits = vec![event(100, 1, WAIT), event(900, 1, WAITED), end(1000)];
    assert_eq!(sums(&pressure(all(&[threads(2), waits]))), (1200, 0));
    let for_ever = vec![event(100, 1, WAIT), end(1000)];
    assert_eq!(sums(&pressure(all(&[threads(2), for_ever]))), (1100, 0));
}

#[test]
fn an_exact_recording_tells_the_way_back_from_a_wait() {
    let exact = vec![said(target_key::EXACT, "true")];
    let waits = vec![
        event(100, 1, WAIT),
        event(200, 2, WAIT),
        event(400, 3, EventKind::Notify),
        event(700, 1, WAITED),
        event(800, 1, EventKind::Resumed),
        end(1000),
    ];
    // The first waits for 300 and acquires for 400; the second waits for 800.
    let pressure = pressure(all(&[exact.clone(), threads(3), waits]));
    assert_eq!(sums(&pressure), (3000 - 300 - 800, 400));
    let all_wake = vec![
        event(100, 1, WAIT),
        event(200, 2, WAIT),
        event(400, 3, EventKind::NotifyAll),
        event(500, 1, EventKind::Resumed),
        event(600, 2, EventKind::Resumed),
        end(1000),
    ];
    let pressure = self::pressure(all(&[exact, threads(3), all_wake]));
    assert_eq!(sums(&pressure), (3000 - 300 - 200, 100 + 200));
}

#[test]
fn who_was_late_by_himself_has_not_taken_the_notify() {
    let events = vec![
        said(target_key::EXACT, "true"),
        event(
            100,
            1,
            EventKind::Wait {
                timeout: Some(ms(350)),
            },
        ),
        event(200, 2, WAIT),
        event(400, 3, EventKind::Notify),
        event(450, 1, TIMED_OUT),
        event(500, 1, EventKind::Resumed),
        event(600, 2, WAITED),
        event(600, 2, EventKind::Resumed),
        end(1000),
    ];
    let pressure = pressure(all(&[threads(3), events]));
    assert_eq!(sums(&pressure), (3000 - 350 - 200, 50 + 200));
}

#[test]
fn what_began_before_counts_from_the_beginning() {
    // Told late, as the agent does.
    let events = vec![
        event(300, 3, EventKind::Enter),
        event(400, 3, EventKind::Entered),
        event(0, 1, EventKind::Enter),
        event(0, 2, WAIT),
        event(600, 1, EventKind::Entered),
        end(1000),
    ];
    assert_eq!(sums(&pressure(all(&[threads(3), events]))), (2000, 700));
    // Let in before anybody looked.
    let events = vec![
        event(150, 1, EventKind::Entered),
        event(250, 2, WAITED),
        end(1000),
    ];
    assert_eq!(sums(&pressure(all(&[threads(2), events]))), (1750, 150));
}

#[test]
fn threads_run_from_their_start_to_their_end() {
    let start = |id| {
        let Record::Thread(def) = thread_in(id, "late", "main") else {
            unreachable!()
        };
        Record::Thread(ThreadDef {
            at_start: false,
            ..def
        })
    };
    let events = vec![
        start(2),
        life(400, 2, EventKind::ThreadStart),
        event(500, 2, EventKind::Enter),
        life(700, 2, EventKind::ThreadEnd),
        life(900, 1, EventKind::ThreadEnd),
        end(1000),
    ];
    // What it was blocked on when it ended, it never got.
    assert_eq!(sums(&pressure(all(&[threads(1), events]))), (1200, 0));
}

#[test]
fn service_threads_neither_run_nor_acquire() {
    let service = vec![
        thread_in(3, "Signal Dispatcher", "system"),
        event(0, 3, EventKind::Enter),
        event(500, 3, EventKind::Entered),
    ];
    let pressure = pressure(all(&[threads(2), service, ping_pong()]));
    assert_eq!(sums(&pressure), (2002, 1000));
    assert_eq!((pressure.threads, pressure.service), (2, 1));
}

#[test]
fn a_group_of_threads_is_looked_at_by_itself() {
    let wanted = Wanted {
        threads: Some("t1".to_owned()),
        ..wanted()
    };
    let pressure = measured(&wanted, 0.1, &all(&[threads(20), ping_pong()]));
    assert_eq!(sums(&pressure), (1001, 500));
    assert!((only(&pressure).peak - 1.0).abs() < 0.02);
    let wanted = Wanted {
        threads: Some("nobody".to_owned()),
        ..wanted
    };
    let pressure = measured(&wanted, 0.1, &all(&[threads(20), ping_pong()]));
    assert_eq!((sums(&pressure), pressure.threads), ((0, 0), 0));
}

fn found(lock: u32, thread: u32, (from, to): (u64, u64), samples: u32) -> Record {
    Record::Parked(Parked {
        thread: ThreadId(thread),
        lock: LockId(lock),
        stack: None,
        owner: Owner::Unknown,
        owner_stack: None,
        from: ms(from),
        to: ms(to),
        samples,
        time: ms(to - from + 20),
        continues: false,
        open: false,
        timed: false,
    })
}

fn sync(lock: u32) -> Record {
    Record::Sync(SyncDef {
        lock: LockId(lock),
        kind: SyncKind::Synchronizer,
        of: None,
        shared: false,
        most: 1,
        state: None,
    })
}

#[test]
fn parked_to_own_is_acquiring_and_parked_for_anything_else_is_waiting() {
    let events = vec![
        sync(3),
        sync(4),
        found(3, 1, (120, 200), 5),
        found(4, 2, (320, 400), 5),
        end(1000),
    ];
    let pressure = pressure(all(&[threads(2), events]));
    assert_eq!(sums(&pressure), (1900, 100));
    assert_eq!(only(&pressure).known, Known::Estimate);
}

#[test]
fn every_park_takes_the_place_of_looks() {
    let park = |lock: Option<u32>, from, to, end| {
        Record::Park(Park {
            stack: None,
            thread: ThreadId(1),
            lock: lock.map(LockId),
            from: ms(from),
            to: ms(to),
            limit: None,
            end,
            unpark: None,
        })
    };
    let events = vec![
        said(target_key::PARKS_SINCE, "0"),
        sync(3),
        found(3, 1, (120, 200), 5),
        park(Some(3), 100, 240, ParkEnd::Unparked),
        park(None, 400, 500, ParkEnd::Unknown),
        park(Some(3), 600, 600, ParkEnd::Unseen),
        end(1000),
    ];
    let pressure = pressure(all(&[threads(2), events]));
    assert_eq!(sums(&pressure), (1900, 140));
    assert_eq!(only(&pressure).known, Known::Exact);
}

#[test]
fn where_events_are_missing_nothing_is_made_up() {
    let lost = Record::Lost(Lost {
        from: ms(300),
        to: ms(350),
        count: 9,
        cause: LossCause::BufferFull,
    });
    let events = vec![
        event(100, 1, EventKind::Enter),
        event(200, 1, EventKind::Entered),
        event(310, 1, EventKind::Enter),
        event(600, 1, EventKind::Entered),
        lost,
        end(1000),
    ];
    assert_eq!(sums(&pressure(all(&[threads(2), events]))), (2000, 100));
}

#[test]
fn phases_have_their_bounds_and_chains() {
    let busy = |from: u64, to: u64| {
        [
            event(from, 1, EventKind::Enter),
            event(to, 1, EventKind::Entered),
        ]
    };
    let events: Vec<Record> = busy(250, 480)
        .into_iter()
        .chain(busy(700, 705))
        .chain([
            on(2, 800, 2, EventKind::Enter),
            on(2, 820, 2, EventKind::Entered),
            end(1000),
        ])
        .collect();
    let pressure = pressure(all(&[threads(2), events]));
    let lock = &pressure.locks[0];
    let phase = &lock.phases[0];
    assert_eq!(
        (phase.start, phase.end, lock.phases.len()),
        (ms(200), ms(500), 1)
    );
    assert!((phase.peak - 0.5).abs() < 1e-9 && (phase.average - 230.0 / 600.0).abs() < 1e-9);
    let chain = &phase.chains[0];
    assert!((chain.share - 1.0).abs() < 1e-9, "{phase:?}");
    assert_eq!(
        chain.chain.as_ref().map(|c| c.frames[0].as_str()),
        Some("app.Pool.use1")
    );
    assert_eq!(
        pressure.locks[1].phases[0].start,
        ms(800),
        "a tenth reaches a tenth"
    );
    let shares: Vec<f64> = lock
        .series
        .iter()
        .map(|share| share.unwrap_or(-1.0))
        .collect();
    assert_eq!(
        shares,
        [0.0, 0.0, 0.25, 0.5, 0.4, 0.0, 0.0, 0.025, 0.0, 0.0]
    );
}

#[test]
fn of_several_objects_the_worst_is_told() {
    let lock = Record::Lock(LockDef {
        id: LockId(9),
        class: ClassId(1),
        hash: 0,
        object: LockObject::Plain,
    });
    let mut other = [
        on(9, 100, 2, EventKind::Enter),
        on(9, 400, 2, EventKind::Entered),
    ];
    for record in &mut other {
        if let Record::Event(event) = record {
            event.stack = event.stack.map(|_| StackId(1));
        }
    }
    let one = vec![
        lock,
        event(100, 1, EventKind::Enter),
        event(200, 1, EventKind::Entered),
    ];
    let pressure = pressure(all(&[threads(2), one, other.to_vec(), vec![end(1000)]]));
    let lock = only(&pressure);
    let worst = lock.worst.unwrap_or_else(|| panic!("{lock:?}"));
    assert_eq!((lock.objects, worst.object), (2, 9));
    assert!((lock.average - 0.2).abs() < 1e-9 && (worst.average - 0.15).abs() < 1e-9);
    assert!((lock.peak - 1.0).abs() < 1e-9 && (worst.peak - 0.5).abs() < 1e-9);
}

#[test]
fn metrics_that_need_every_acquisition_come_from_exact_recordings_only() {
    let events = vec![
        event(100, 1, EventKind::Entered),
        event(120, 1, EventKind::Entered),
        event(150, 2, EventKind::Enter),
        event(180, 1, EventKind::Exit),
        event(200, 1, EventKind::Exit),
        event(200, 2, EventKind::Entered),
        event(300, 2, EventKind::Exit),
        end(1000),
    ];
    let exact = vec![said(target_key::EXACT, "true")];
    let pressure = pressure(all(&[exact, threads(2), events]));
    let metrics = only(&pressure).metrics;
    assert_eq!(
        (metrics.gets, metrics.slow, metrics.recursive),
        (Some(3), Some(1), Some(1))
    );
    assert_eq!((metrics.miss, metrics.utilisation), (Some(0.5), Some(0.2)));
    assert_eq!(
        (metrics.mean_hold, metrics.failed_per_second),
        (Some(ms(100)), Some(1.0))
    );
    assert!((metrics.of_elapsed - 0.05).abs() < 1e-9 && (metrics.of_acquiring - 1.0).abs() < 1e-9);
    let watched = self::pressure(all(&[threads(2), ping_pong()]));
    let metrics = only(&watched).metrics;
    assert_eq!(
        (metrics.gets, metrics.miss, metrics.mean_hold),
        (None, None, None)
    );
    assert_eq!((metrics.slow, metrics.recursive), (Some(10), None));
}

#[test]
fn a_recording_too_long_gets_longer_intervals() {
    let wanted = Wanted {
        most: Some(4),
        ..wanted()
    };
    let pressure = measured(&wanted, 0.1, &all(&[threads(2), ping_pong()]));
    assert_eq!((pressure.interval, pressure.asked), (ms(400), ms(100)));
    assert_eq!(sums(&pressure), (2002, 1000));
    assert_eq!(only(&pressure).series.len(), 3);
}

#[test]
fn nothing_at_all_is_an_answer() {
    let nothing = pressure(Vec::new());
    assert_eq!((nothing.locks.len(), sums(&nothing)), (0, (0, 0)));
}

/// A recording under way, with a tick after each record.
fn followed(records: &[Record]) -> Vec<(bool, u64, u64)> {
    let mut collector = Collector::new(Options::default());
    let mut follower = Follower::new(&wanted(), 0.1);
    let mut news = Vec::new();
    for record in definitions().iter().chain(records) {
        collector.push(record.clone());
        follower.push(record);
        news.extend(follower.news(&collector));
    }
    news.extend(follower.last_news(&collector));
    let told = news
        .iter()
        .map(|n| (n.over, n.start.0 / 1_000_000, n.end.0 / 1_000_000));
    told.collect()
}

fn tick(at: u64) -> Record {
    Record::Tick(Tick {
        at: ms(at),
        agent_cpu: Nanos(0),
    })
}

#[test]
fn phases_are_told_as_they_begin_and_end() {
    let hot = vec![
        event(250, 1, EventKind::Enter),
        event(480, 1, EventKind::Entered),
    ];
    let later = vec![tick(1600), event(1620, 1, EventKind::Enter), tick(2000)];
    let news = followed(&all(&[threads(2), hot, later]));
    assert_eq!(news[..2], [(false, 200, 300), (true, 200, 500)]);
    assert_eq!(
        news[2..],
        [(false, 1600, 1700), (true, 1600, 2000)],
        "the end ends it"
    );
}

#[test]
fn what_a_lock_was_called_while_it_was_followed_is_said_at_the_end() {
    let hot = vec![
        event(250, 1, EventKind::Enter),
        event(480, 1, EventKind::Entered),
    ];
    let records = all(&[threads(2), hot, vec![tick(2000)]]);
    let mut collector = Collector::new(Options::default());
    let mut follower = Follower::new(&wanted(), 0.1);
    for record in definitions().iter().chain(&records) {
        collector.push(record.clone());
        follower.push(record);
    }
    let news = follower.news(&collector);
    let mut pressure = pressure(records);
    let collected = collector.finish();
    follower.say_names(&mut pressure, &collected.catalog);
    assert_eq!(only(&pressure).told_as.as_ref(), Some(&news[0].lock));
}

#[test]
fn who_is_parked_for_long_does_not_run_meanwhile() {
    let idle = |from: u64| found(4, 2, (from + 20, from + 500), 5);
    let events = vec![
        sync(4),
        idle(0),
        idle(500),
        // A tenth of one thread: less than a tenth if both ran.
        event(310, 1, EventKind::Enter),
        event(325, 1, EventKind::Entered),
        tick(2000),
    ];
    assert_eq!(followed(&all(&[threads(2), events]))[0], (false, 300, 400));
}
