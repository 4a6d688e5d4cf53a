//! What is a stay, how long it was, and when nobody knows.

use super::*;
use crate::fixtures::event;
use crate::model::{Doubt, Times};
use locklens_trace::record::{End, EndReason, LossCause, Lost, Tick};

const L: LockId = LockId(1);
const OTHER: LockId = LockId(2);
const T: ThreadId = ThreadId(1);
const WAIT: EventKind = EventKind::Wait { timeout: None };

fn at(us: u64, kind: EventKind) -> Record {
    Record::Event(event(us, T, kind, L))
}

fn lost(from: u64, to: u64) -> Record {
    Record::Lost(Lost {
        from: Nanos(from * 1000),
        to: Nanos(to * 1000),
        count: 2,
        cause: LossCause::BufferFull,
    })
}

fn facts(pairs: &[(&str, &str)]) -> Record {
    let pairs = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into()));
    Record::Target(pairs.collect())
}

fn exact() -> Record {
    facts(&[(target_key::EXACT, "true")])
}

fn end(us: u64) -> Record {
    Record::End(End {
        at: Nanos(us * 1000),
        reason: EndReason::Stopped,
    })
}

fn collect(records: impl IntoIterator<Item = Record>) -> Collected {
    let mut collector = Collector::new(Options::default());
    records.into_iter().for_each(|r| collector.push(r));
    collector.finish()
}

fn sums(collected: &Collected) -> (Times, Times) {
    let (mut blocked, mut waits) = (Lengths::default(), Lengths::default());
    for site in &collected.locks[0].sites {
        blocked.merge(&site.blocked);
        waits.merge(&site.waits);
    }
    (blocked.times(), waits.times())
}

/// Count, how many of unknown length, total in µs.
fn short(times: Times) -> (u64, u64, u64) {
    (times.count, times.unknown, times.total.0 / 1000)
}

#[test]
fn a_wait_that_is_over_ends_the_blocking_on_the_way_back() {
    let c = collect([
        exact(),
        at(10, EventKind::Entered),
        at(20, WAIT),
        at(50, EventKind::Waited { timed_out: false }),
        at(50, EventKind::Enter),
        at(60, EventKind::Resumed),
        at(70, EventKind::Exit),
        at(900, EventKind::Entered),
        end(1000),
    ]);
    let (blocked, waits) = sums(&c);
    assert_eq!((short(blocked), short(waits)), ((1, 0, 10), (1, 0, 30)));
}

#[test]
fn a_wait_whose_end_only_the_probe_saw_was_a_wait() {
    for kind in [EventKind::Resumed, EventKind::Interrupted] {
        let c = collect([exact(), at(20, WAIT), at(50, kind), end(1000)]);
        assert_eq!(short(sums(&c).1), (1, 0, 30));
    }
}

#[test]
fn whoever_leaves_or_notifies_is_not_blocked() {
    for kind in [EventKind::Exit, EventKind::Notify, EventKind::NotifyAll] {
        let c = collect([exact(), at(10, EventKind::Enter), at(20, kind), end(1000)]);
        assert_eq!(short(sums(&c).0), (1, 1, 0), "{kind:?}");
        assert_eq!(c.locks[0].sites[0].still_blocked, 0);
    }
}

#[test]
fn a_loss_between_the_ends_of_a_stay_leaves_its_length_unknown() {
    let (begin, over) = (at(10, EventKind::Enter), at(90, EventKind::Entered));
    let told_before = [begin.clone(), lost(20, 30), over.clone(), end(100)];
    let told_after = [begin.clone(), over.clone(), lost(20, 30), end(100)];
    let elsewhere = [begin, over, lost(95, 99), end(100)];
    assert_eq!(short(sums(&collect(told_before)).0), (1, 1, 0));
    assert_eq!(short(sums(&collect(told_after)).0), (1, 1, 0));
    assert_eq!(short(sums(&collect(elsewhere)).0), (1, 0, 80));
}

#[test]
fn a_loss_told_at_the_next_heartbeat_is_not_too_late() {
    let tick = |us: u64| {
        Record::Tick(Tick {
            at: Nanos(us * 1000),
            agent_cpu: Nanos(0),
        })
    };
    let c = collect([
        at(10, EventKind::Enter),
        at(90, EventKind::Entered),
        tick(91),
        lost(20, 30),
        tick(200),
        end(300),
    ]);
    assert_eq!(short(sums(&c).0), (1, 1, 0));
}

#[test]
fn nobody_was_there_all_along_if_events_are_missing_before() {
    let over = || at(900, EventKind::Entered);
    assert_eq!(short(sums(&collect([over(), end(1000)])).0), (1, 0, 900));
    let c = collect([lost(800, 801), over(), end(1000)]);
    assert_eq!(short(sums(&c).0), (1, 1, 0));
    let c = collect([over(), lost(800, 801), end(1000)]);
    assert_eq!(short(sums(&c).0), (1, 1, 0));
}

#[test]
fn a_virtual_thread_on_its_way_back_from_a_wait_was_not_seen_to_block() {
    let c = collect([
        at(10, WAIT),
        at(20, EventKind::Waited { timed_out: false }),
        at(25, EventKind::Entered),
        end(1000),
    ]);
    let (blocked, waits) = sums(&c);
    assert_eq!((short(blocked), short(waits)), ((0, 0, 0), (1, 0, 10)));
}

#[test]
fn a_gap_leaves_open_what_reaches_over_it() {
    let mut collector = Collector::new(Options::default());
    collector.push(at(10, EventKind::Enter));
    collector.gap();
    collector.push(at(900, EventKind::Entered));
    collector.push(at(910, EventKind::Enter));
    collector.push(at(930, EventKind::Entered));
    assert_eq!(short(sums(&collector.finish()).0), (2, 1, 20));
}

#[test]
fn whether_a_stay_still_goes_on_after_a_loss_is_not_known() {
    let c = collect([at(10, EventKind::Enter), lost(20, 30), end(1000)]);
    let site = &c.locks[0].sites[0];
    assert_eq!(
        (short(site.blocked.times()), site.still_blocked),
        ((1, 1, 0), 0)
    );
    assert!(c.locks[0].open.is_empty());
}

#[test]
fn waits_that_ran_out_are_waits() {
    let out = EventKind::Waited { timed_out: true };
    let c = collect([
        at(5, EventKind::Enter),
        at(9, EventKind::Entered),
        at(10, out),
        at(20, out),
    ]);
    let timed_out: u64 = c.locks[0].sites.iter().map(|s| s.timed_out).sum();
    assert_eq!((timed_out, short(sums(&c).1)), (2, (2, 2, 0)));
}

#[test]
fn without_a_clock_waits_are_counted_and_not_measured() {
    let clockless = [
        (target_key::EXACT, "true"),
        (target_key::EXACT_CLOCK, "none"),
    ];
    let c = collect([
        facts(&clockless),
        at(10, EventKind::Entered),
        at(10, WAIT),
        at(500, EventKind::Resumed),
        at(500, EventKind::Exit),
        end(1000),
    ]);
    assert_eq!(short(sums(&c).1), (1, 1, 0));
    assert!(c.recording.clockless);
}

#[test]
fn nested_enters_acquire_nothing() {
    let probed = |us, lock| {
        let event = event(us, T, EventKind::Entered, lock);
        Record::Event(Event {
            stack: Some(StackId(1)),
            ..event
        })
    };
    let c = collect([
        exact(),
        probed(1, L),
        probed(2, L),
        probed(3, OTHER),
        at(4, EventKind::Exit),
        at(5, WAIT),
        at(6, EventKind::Resumed),
        probed(7, L),
        at(8, EventKind::Exit),
        at(9, EventKind::Exit),
        probed(10, L),
        // Its exit was lost: whoever blocks does not hold it.
        at(11, EventKind::Enter),
        probed(12, L),
    ]);
    let entered: Vec<_> = c.locks.iter().map(|log| log.entered).collect();
    assert_eq!(entered, [3, 1]);
}

#[test]
fn what_may_be_missing_from_an_exact_recording_is_known() {
    let old = target_key::EXACT_OLD_CODE;
    let whole = [
        exact(),
        facts(&[(old[0], "1: main in run"), (old[3], "0")]),
        end(9),
    ];
    assert_eq!(collect(whole).recording.incomplete, []);
    let doubted = [
        exact(),
        facts(&[
            (target_key::EXACT_ELSEWHERE, "4"),
            (old[3], "1: main in run"),
            (target_key::EXACT_REPLACED, "a.B\na.C"),
            (target_key::EXACT_REPLACED_SINCE, "7"),
        ]),
        lost(1, 2),
    ];
    assert_eq!(
        collect(doubted).recording.incomplete,
        [
            Doubt::CutOff,
            Doubt::Lost(2),
            Doubt::Elsewhere("4".into()),
            Doubt::OldCode("1: main in run".into()),
            Doubt::Replaced {
                classes: vec!["a.B".into(), "a.C".into()],
                since: Nanos(7)
            }
        ]
    );
    assert_eq!(collect([lost(1, 2)]).recording.incomplete, []);
}

#[test]
fn sums_of_what_a_hostile_trace_claims_do_not_wrap() {
    let most = || {
        Record::Lost(Lost {
            from: Nanos(0),
            to: Nanos(u64::MAX),
            count: u64::MAX,
            cause: LossCause::BufferFull,
        })
    };
    assert_eq!(collect([most(), most()]).recording.lost, u64::MAX);
}

#[test]
fn what_goes_on_when_the_probes_are_switched_off_counts_up_to_then() {
    let until = facts(&[
        (target_key::EXACT_UNTIL, "40000"),
        (target_key::EXACT_RESTORED, "1"),
    ]);
    let records = [exact(), at(10, EventKind::Enter), until, end(600)];
    let collected = collect(records);
    assert_eq!(short(sums(&collected).0), (1, 0, 30));
    assert_eq!(collected.recording.duration, Nanos(600_000));
    assert_eq!(collected.recording.until(), Nanos(40_000));
    assert_eq!(collected.recording.still_blocked, 1);
}

/// Older recordings tell only that the original bytes are back.
#[test]
fn without_the_time_it_is_that_of_the_last_word_before_the_bytes_were_back() {
    let back = facts(&[(target_key::EXACT_RESTORED, "1")]);
    let tick = Record::Tick(Tick {
        at: Nanos(25_000),
        agent_cpu: Nanos(0),
    });
    let records = [exact(), at(10, WAIT), tick, back, end(600)];
    let collected = collect(records);
    assert_eq!(short(sums(&collected).1), (1, 0, 15));
    let watched = collect([at(10, WAIT), end(600)]);
    assert_eq!(short(sums(&watched).1), (1, 0, 590));
    assert_eq!(watched.recording.probes_off, None);
}

#[test]
fn what_the_process_stood_still_is_no_time_of_a_stay_that_goes_on() {
    let stops = facts(&[(target_key::STOPS, "100000 400000\nnonsense\n500000 550000")]);
    let collected = collect([at(200, EventKind::Enter), stops, end(600)]);
    let recording = &collected.recording;
    assert_eq!(recording.stopped(), Nanos(350_000));
    assert_eq!(recording.lasts_since(Nanos(200_000)), Nanos(150_000));
    assert_eq!(recording.lasts_since(Nanos(450_000)), Nanos(100_000));
    let stalls = facts(&[(target_key::STALLS, "100000 400000 7\n1 2\nnonsense")]);
    let collected = collect([at(200, EventKind::Enter), stalls, end(600)]);
    let recording = &collected.recording;
    let told = recording.stalls.iter().map(|stall| stall.delayed);
    assert_eq!(told.collect::<Vec<_>>(), [Nanos(7)]);
    assert_eq!(recording.stopped(), Nanos(0));
    assert_eq!(recording.lasts_since(Nanos(200_000)), Nanos(200_000));
    let stalls = facts(&[(target_key::STALLS, "100000 400000 7\n500000 550000 0")]);
    let dropped = Record::Lost(Lost {
        from: Nanos(450_000),
        to: Nanos(500_000),
        count: 1,
        cause: LossCause::BufferFull,
    });
    let collected = collect([at(200, EventKind::Enter), dropped, stalls, end(600)]);
    let told = collected.recording.stalls.iter().map(|stall| stall.from.0);
    assert_eq!(
        told.collect::<Vec<_>>(),
        [100_000],
        "events of the other are missing"
    );
}
