//! Statistics against brute force, and the windows of raw events.

use super::*;
use crate::fixtures::event;
use locklens_trace::record::{End, EndReason};
use proptest::prelude::*;

const L: LockId = LockId(1);

fn collect(events: impl IntoIterator<Item = Event>) -> Collected {
    let mut collector = Collector::new(Options::default());
    events
        .into_iter()
        .for_each(|e| collector.push(Record::Event(e)));
    collector.finish()
}

fn at_stack(mut event: Event, stack: u32) -> Event {
    event.stack = Some(StackId(stack));
    event
}

#[test]
fn pairs_make_lengths_by_call_chain() {
    let t = ThreadId(1);
    let wait = EventKind::Wait { timeout: None };
    let c = collect([
        at_stack(event(10, t, EventKind::Enter, L), 5),
        event(14, t, EventKind::Entered, L),
        at_stack(event(15, t, wait, L), 6),
        event(40, t, EventKind::Waited { timed_out: true }, L),
    ]);
    let log = &c.locks[0];
    let site = |id| {
        log.sites
            .iter()
            .find(|s| s.stack == Some(StackId(id)))
            .unwrap()
    };
    assert_eq!(site(5).blocked.times().total, Nanos(4_000));
    assert_eq!(
        (site(6).waits.times().total, site(6).timed_out),
        (Nanos(25_000), 1)
    );
    assert_eq!(log.entered, 1);
}

#[test]
fn stays_over_the_edges_count_with_the_part_inside() {
    let (early, late, blocked) = (ThreadId(1), ThreadId(2), ThreadId(3));
    let mut collector = Collector::new(Options::default());
    for e in [
        event(30, early, EventKind::Waited { timed_out: false }, L),
        event(50, late, EventKind::Wait { timeout: None }, L),
        event(60, blocked, EventKind::Enter, L),
    ] {
        collector.push(Record::Event(e));
    }
    collector.push(Record::End(End {
        at: Nanos(100_000),
        reason: EndReason::Stopped,
    }));
    let c = collector.finish();
    let site = &c.locks[0].sites[0];
    assert_eq!(site.waits.total(), Nanos(30_000 + 50_000));
    assert_eq!(site.blocked.total(), Nanos(40_000));
    assert_eq!((site.still_waiting, site.still_blocked), (1, 1));
    assert_eq!(c.locks[0].open.len(), 2);
}

#[test]
fn who_was_blocked_from_the_start_is_known_by_the_end_of_it() {
    let (blocked, other) = (ThreadId(1), ThreadId(2));
    let events = [
        event(30, blocked, EventKind::Entered, L),
        event(40, other, EventKind::Enter, L),
        event(50, other, EventKind::Entered, L),
        event(60, blocked, EventKind::Entered, L),
    ];
    let seen = |exact: &str| {
        let mut collector = Collector::new(Options::default());
        let pairs = vec![(target_key::EXACT.to_owned(), exact.to_owned())];
        collector.push(Record::Target(pairs));
        events
            .iter()
            .for_each(|e| collector.push(Record::Event(*e)));
        let sites = collector.finish().locks.remove(0).sites;
        sites.iter().map(|site| site.blocked.total().0).sum::<u64>()
    };
    assert_eq!(seen("false"), 30_000 + 10_000);
    // Where all acquisitions are reported, one without an ENTER found the lock free.
    assert_eq!(seen("true"), 10_000);
}

#[test]
fn a_lock_no_probe_met_is_not_exact() {
    let t = ThreadId(1);
    let of_jvm = [
        event(10, t, EventKind::Enter, L),
        event(20, t, EventKind::Entered, L),
    ];
    let seen = |events: &[Event]| {
        let mut collector = Collector::new(Options::default());
        let exact = (target_key::EXACT.to_owned(), "true".to_owned());
        collector.push(Record::Target(vec![exact]));
        events
            .iter()
            .for_each(|e| collector.push(Record::Event(*e)));
        let collected = collector.finish();
        (collected.locks[0].probed, collected.recording.unmet)
    };
    assert_eq!(seen(&of_jvm), (false, 1));
    let left = event(30, t, EventKind::Exit, L);
    assert_eq!(seen(&[of_jvm[0], of_jvm[1], left]), (true, 0));
}

/// Who had been blocked when the probes came goes in by the old code, and leaves it untold.
#[test]
fn who_went_in_where_no_probe_is_does_not_hold_it_when_he_comes_again() {
    let t = ThreadId(1);
    let probed = |at| Event {
        stack: Some(StackId(1)),
        ..event(at, t, EventKind::Entered, L)
    };
    let mut collector = Collector::new(Options::default());
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    collector.push(Record::Target(vec![exact]));
    let mut push = |event: Event| collector.push(Record::Event(event));
    push(event(10, t, EventKind::Entered, L));
    for at in [20, 40] {
        push(probed(at));
        push(probed(at + 1));
        push(event(at + 2, t, EventKind::Exit, L));
        push(event(at + 3, t, EventKind::Exit, L));
    }
    assert_eq!(collector.finish().locks[0].entered, 3);
}

#[test]
fn a_thread_that_ended_waits_no_longer() {
    let t = ThreadId(1);
    let mut end = event(20, t, EventKind::ThreadEnd, L);
    end.lock = None;
    let c = collect([event(10, t, EventKind::Wait { timeout: None }, L), end]);
    assert!(c.locks[0].open.is_empty());
    assert_eq!(c.ends[&t], Nanos(20_000));
}

#[test]
fn a_gap_is_a_loss_from_the_last_event_to_the_next() {
    let t = ThreadId(1);
    let mut collector = Collector::new(Options::default());
    collector.push(Record::Event(event(10, t, EventKind::Enter, L)));
    collector.gap();
    collector.push(Record::Event(event(90, t, EventKind::Enter, L)));
    let c = collector.finish();
    assert_eq!(c.recording.gaps, 1);
    assert!(c.losses.between(Nanos(50_000), Nanos(50_000)));
    assert!(!c.losses.between(Nanos(0), Nanos(9_999)));
}

#[test]
fn every_lock_gets_a_share_and_long_ones_keep_head_and_tail() {
    let options = Options {
        window_events: 1_000,
        ..Options::default()
    };
    let mut collector = Collector::new(options);
    for us in 0..5_000u64 {
        collector.push(Record::Event(event(us, ThreadId(1), EventKind::Enter, L)));
    }
    for lock in 2..100 {
        for us in 0..SHARE {
            let e = event(5_000 + us, ThreadId(1), EventKind::Enter, LockId(lock));
            collector.push(Record::Event(e));
        }
    }
    let c = collector.finish();
    let long = c.locks[0].windows.sequences(L);
    assert_eq!(long.len(), 2);
    assert_eq!(long[0].first().map(|e| e.at), Some(Nanos(0)));
    assert_eq!(long[1].last().map(|e| e.at), Some(Nanos(4_999_000)));
    for log in &c.locks[1..] {
        assert_eq!(
            log.windows.sequences(log.lock),
            vec![log.windows.sequences(log.lock).concat()]
        );
        assert_eq!(log.windows.len() as u64, SHARE);
    }
}

/// Events that every lock may keep, however many locks there are: 8 of its beginning and 16 of its end.
const SHARE: u64 = 24;

#[test]
fn ragged_edges_of_a_window_are_cut() {
    let options = Options {
        window_events: 0,
        ..Options::default()
    };
    let mut collector = Collector::new(options);
    // Two threads whose buffers were flushed one after the other: times overlap in the file.
    for (base, thread) in [(0, 1), (10, 2), (1_000, 1), (1_005, 2)] {
        for us in 0..100 {
            collector.push(Record::Event(event(
                base + us,
                ThreadId(thread),
                EventKind::Enter,
                L,
            )));
        }
    }
    let windows = collector.finish().locks.remove(0).windows;
    for sequence in windows.sequences(L) {
        let (from, to) = (
            sequence.first().unwrap().at.0 / 1000,
            sequence.last().unwrap().at.0 / 1000,
        );
        for (base, thread) in [(0, 1), (10, 2), (1_000, 1), (1_005, 2)] {
            let expected = (base..base + 100)
                .filter(|us| (from..=to).contains(us))
                .count();
            let in_base = |e: &&Event| (base..base + 100).contains(&(e.at.0 / 1000));
            let got = sequence
                .iter()
                .filter(|e| e.thread.0 == thread)
                .filter(in_base)
                .count();
            assert_eq!(got, expected, "unbroken from {from} to {to}");
        }
    }
}

proptest! {
    #[test]
    fn counts_and_totals_equal_brute_force(stays in prop::collection::vec((1u32..4, 1u32..5, 1u32..4, any::<bool>(), 1u64..1000), 1..80)) {
        let mut clock = 0;
        let mut events = Vec::new();
        let mut blocked = BTreeMap::new();
        let mut waited = BTreeMap::new();
        for (lock, thread, stack, waits, length) in stays {
            let (lock, thread) = (LockId(lock), ThreadId(thread));
            let (begin, end, totals) = if waits {
                (EventKind::Wait { timeout: None }, EventKind::Waited { timed_out: false }, &mut waited)
            } else {
                (EventKind::Enter, EventKind::Entered, &mut blocked)
            };
            events.push(at_stack(event(clock, thread, begin, lock), stack));
            events.push(event(clock + length, thread, end, lock));
            clock += length;
            let entry = totals.entry((lock, StackId(stack))).or_insert((0u64, 0u64));
            *entry = (entry.0 + 1, entry.1 + length * 1000);
        }
        let c = collect(events);
        for log in &c.locks {
            for site in &log.sites {
                let key = (log.lock, site.stack.unwrap());
                let of = |l: &Lengths| (l.count(), l.total().0);
                prop_assert_eq!(of(&site.blocked), blocked.get(&key).copied().unwrap_or_default());
                prop_assert_eq!(of(&site.waits), waited.get(&key).copied().unwrap_or_default());
            }
        }
    }

    #[test]
    fn no_stream_of_events_panics(stream in prop::collection::vec((any::<u32>(), 0u32..3, 0u8..10, any::<u64>(), prop::option::of(any::<u32>())), 0..100)) {
        let c = collect(stream.into_iter().map(|(lock, thread, kind, at, seq)| Event {
            at: Nanos(at),
            seq,
            ..event(0, ThreadId(thread), kind_of(kind), LockId(lock))
        }));
        for log in &c.locks {
            let _ = log.windows.sequences(log.lock);
        }
    }
}

fn kind_of(number: u8) -> EventKind {
    match number {
        0 => EventKind::Enter,
        1 => EventKind::Entered,
        2 => EventKind::Wait { timeout: None },
        3 => EventKind::Waited { timed_out: false },
        4 => EventKind::Resumed,
        5 => EventKind::Exit,
        6 => EventKind::Notify,
        7 => EventKind::NotifyAll,
        8 => EventKind::ThreadEnd,
        _ => EventKind::Wait {
            timeout: Some(Nanos(5)),
        },
    }
}
