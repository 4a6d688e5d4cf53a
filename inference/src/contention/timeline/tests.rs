//! Timelines of events written by hand, and of any events at all.

use super::super::parks_tests::{look, parked_scene};
use super::super::tests::{Scene, blame};
use super::super::{Census, Key, Share, Why, Wish};
use super::*;
use crate::collect::Collector;
use crate::model::Options;
use locklens_trace::record::{Owner, Tick};
use locklens_trace::{StackId, ThreadId};
use proptest::prelude::*;

const A: ThreadId = ThreadId(1);
const B: ThreadId = ThreadId(2);
const C: ThreadId = ThreadId(3);
const LOCK: LockId = LockId(1);

fn timeline(records: &[Record]) -> Vec<Happening> {
    let options = Options::default();
    let (mut collector, mut census) = (Collector::new(options), Census::default());
    for record in records {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let findings = census.finish();
    let mut timeline = Timeline::new(&collected, &analysis, &findings);
    let mut told = Vec::new();
    for record in records {
        told.extend(timeline.push(record));
    }
    told.extend(timeline.finish());
    told
}

fn stays(told: &[Happening]) -> Vec<&Span> {
    let mut stays = Vec::new();
    for happening in told {
        if let Happening::Stay(span) = happening {
            stays.push(span);
        }
    }
    stays
}

fn us(at: Nanos) -> u64 {
    at.0 / 1000
}

/// A takes the lock, B is blocked and then C; each holds it after the other.
fn handed_on() -> Vec<Record> {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, B, Owner::Thread(A));
    scene.enter(30, C, Owner::Thread(A));
    scene.push(50, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(51, B, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(60, B, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(61, C, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(70, C, EventKind::Exit, LOCK).stack = Some(put);
    scene.all()
}

#[test]
fn a_stay_says_who_held_the_lock_and_who_let_it_go_on() {
    let told = timeline(&handed_on());
    let told = stays(&told).into_iter().map(|span| {
        let by: Vec<_> = span.shares.iter().map(|s| (s.by, us(s.time))).collect();
        let waker = span.waker.map(|waker| (waker.thread, us(waker.at)));
        (
            span.thread,
            us(span.from),
            us(span.to),
            span.others,
            by,
            waker,
        )
    });
    let expected = [
        (
            B,
            20,
            51,
            0,
            vec![(By::Thread(A), 30), (By::Nobody, 1)],
            Some((A, 50)),
        ),
        (
            C,
            30,
            61,
            1,
            vec![(By::Thread(A), 20), (By::Nobody, 2), (By::Thread(B), 9)],
            Some((B, 60)),
        ),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn holds_are_told_of_what_probes_saw() {
    let told = timeline(&handed_on());
    let holds = told.iter().filter_map(|one| match one {
        Happening::Hold(hold) => Some((hold.thread, us(hold.from), us(hold.to))),
        _ => None,
    });
    assert_eq!(
        holds.collect::<Vec<_>>(),
        [(A, 10, 50), (B, 51, 60), (C, 61, 70)]
    );
}

#[test]
fn a_queue_is_told_when_it_changes() {
    let told = timeline(&handed_on());
    let queue = told.iter().filter_map(|one| match one {
        Happening::Queue(queued) => Some((us(queued.at), queued.blocked, queued.waiting)),
        _ => None,
    });
    assert_eq!(
        queue.collect::<Vec<_>>(),
        [(20, 1, 0), (30, 2, 0), (51, 1, 0), (61, 0, 0)]
    );
}

/// A thread that has the lock waits on it.
fn waits() -> (Scene, StackId) {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    let wait = EventKind::Wait { timeout: None };
    scene.push(11, A, wait, LOCK).stack = Some(put);
    (scene, put)
}

#[test]
fn a_wait_says_who_notified_and_when() {
    let (mut scene, put) = waits();
    scene.push(20, B, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(25, B, EventKind::Notify, LOCK).stack = Some(put);
    scene.push(30, B, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(31, A, EventKind::Waited { timed_out: false }, LOCK);
    scene.push(32, A, EventKind::Resumed, LOCK).stack = Some(put);
    scene.push(40, A, EventKind::Exit, LOCK).stack = Some(put);
    let told = timeline(&scene.all());
    let wait = stays(&told)[0];
    assert_eq!(
        (wait.kind, us(wait.from), us(wait.to)),
        (Kind::Wait, 11, 31)
    );
    let waker = Waker {
        thread: B,
        at: Nanos(25_000),
    };
    assert_eq!(wait.waker, Some(waker));
    assert_eq!(stays(&told).len(), 1, "it was free when it came back");
}

#[test]
fn who_finds_it_taken_on_the_way_back_from_a_wait_is_blocked() {
    let (mut scene, put) = waits();
    scene.push(20, B, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(31, A, EventKind::Waited { timed_out: true }, LOCK);
    scene.push(34, B, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(35, A, EventKind::Resumed, LOCK).stack = Some(put);
    scene.push(40, A, EventKind::Exit, LOCK).stack = Some(put);
    let told = timeline(&scene.all());
    let back = stays(&told)[1];
    assert_eq!(
        (back.kind, us(back.from), us(back.to)),
        (Kind::AfterWait, 31, 35)
    );
}

/// The lock was had by code in which there are no probes.
#[test]
fn who_is_blocked_on_the_way_back_by_nobody_that_probes_tell_of_is_so_by_somebody_unknown() {
    let (mut scene, put) = waits();
    scene.push(31, A, EventKind::Waited { timed_out: true }, LOCK);
    scene.enter(32, A, Owner::Thread(C));
    scene.push(90, A, EventKind::Resumed, LOCK).stack = Some(put);
    scene.push(95, A, EventKind::Exit, LOCK).stack = Some(put);
    let told = timeline(&scene.all());
    let back = stays(&told)[1];
    assert_eq!(
        (back.kind, us(back.from), us(back.to)),
        (Kind::AfterWait, 31, 90)
    );
    let by: Vec<_> = back.shares.iter().map(|share| share.by).collect();
    assert_eq!(by, [By::Unknown(Why::Elsewhere)]);
}

/// What looks found of a thread: from, to and the time in ms, who owned the lock, and whether it is still the same stay.
fn found((from, to, ms): (u64, u64, u64), owner: Owner, continues: bool) -> Record {
    let mut parked = look(A, from, to - from, owner);
    (parked.time, parked.continues) = (Nanos::from_millis(ms), continues);
    Record::Parked(parked)
}

#[test]
fn a_stay_that_looks_found_under_several_owners_is_one() {
    let mut scene = parked_scene();
    let all = [
        found((20, 40, 40), Owner::Thread(B), false),
        found((41, 41, 1), Owner::Thread(C), true),
        found((42, 44, 3), Owner::Thread(B), true),
        // The look at 50 did not find it there.
        found((60, 60, 10), Owner::Thread(B), false),
    ];
    scene.records.extend(all);
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    let told = timeline(&scene.all());
    let spans = stays(&told);
    let times = spans.iter().map(|span| (us(span.from), us(span.to)));
    assert_eq!(times.collect::<Vec<_>>(), [(0, 44_000), (50_000, 60_000)]);
    let by = |s: &Share| (s.by, us(s.time));
    assert_eq!(
        spans[0].shares.iter().map(by).collect::<Vec<_>>(),
        [(By::Thread(B), 43_000), (By::Thread(C), 1_000)]
    );
    let ns: u64 = spans.iter().map(|span| span.to.since(span.from).0).sum();
    assert_eq!((blame.total.count, blame.total.ns), (2, Nanos(ns)));
}

#[test]
fn a_stay_that_looks_found_is_told_when_nothing_goes_on_of_it() {
    let mut scene = parked_scene();
    let mut records = vec![found((20, 40, 40), Owner::Nobody, false)];
    records.extend([5_000, 8_000].map(|ms| {
        let (at, agent_cpu) = (Nanos::from_millis(ms), Nanos(0));
        Record::Tick(Tick { at, agent_cpu })
    }));
    scene.records.extend(records);
    let all = scene.all();
    assert_eq!(stays(&timeline(&all)).len(), 1);
    let options = Options::default();
    let (mut collector, mut census) = (Collector::new(options), Census::default());
    for record in &all {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let findings = census.finish();
    let mut timeline = Timeline::new(&collected, &analysis, &findings);
    let told = all.iter().map(|record| timeline.push(record).len());
    let told: Vec<usize> = told.collect();
    assert_eq!(told[told.len() - 2..], [0, 1]);
}

#[test]
fn nothing_is_told_of_nothing() {
    assert_eq!(timeline(&[]), []);
}

proptest! {
    /// Blocked time is that which is counted, whatever the events are; a stay is no shorter than nothing; each
    /// batch is in the order of its ends.
    #[test]
    fn it_tells_what_is_counted(
        steps in prop::collection::vec((0u64..4, 1u32..4, 0u8..7), 0..60),
    ) {
        let mut scene = Scene::exact();
        let put = scene.at(0);
        let mut at = 1;
        for (pause, thread, what) in steps {
            at += pause;
            let thread = ThreadId(thread);
            match what {
                0 => scene.enter(at, thread, Owner::Thread(A)),
                kind => {
                    let kind = match kind {
                        1 | 2 => EventKind::Entered,
                        3 => EventKind::Exit,
                        4 => EventKind::Wait { timeout: None },
                        5 => EventKind::NotifyAll,
                        _ => EventKind::Waited { timed_out: false },
                    };
                    scene.push(at, thread, kind, LOCK).stack = Some(put);
                }
            }
        }
        let mut records = scene.all();
        records.push(Record::Tick(Tick { at: Nanos(at * 1000), agent_cpu: Nanos(0) }));
        let told = timeline(&records);
        let spans = stays(&told);
        prop_assert!(spans.iter().all(|span| span.from <= span.to));
        let is_blocked = |span: &&&Span| {
            matches!(span.kind, Kind::Monitor | Kind::AfterWait) && span.length != Length::Unknown
        };
        let blocked = spans.iter().filter(is_blocked);
        let blocked: u64 = blocked.map(|span| span.to.since(span.from).0).sum();
        let counted = blame(&records, &[Key::Group], Wish::default());
        let rows = counted.total.rows.iter();
        let monitors = rows.filter(|row| matches!(
            &row.value,
            Some(super::super::Value::Named(name)) if name.starts_with("monitor")
        ));
        prop_assert_eq!(blocked, monitors.map(|row| row.ns.0).sum::<u64>());
        let waits = spans.iter().filter(|span| span.kind == Kind::Wait && span.length != Length::Unknown);
        let waits: u64 = waits.map(|span| span.to.since(span.from).0).sum();
        let wish = Wish { waits: true, ..Wish::default() };
        prop_assert_eq!(waits, blame(&records, &[], wish).total.ns.0);
    }
}
