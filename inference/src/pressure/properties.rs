//! What holds whatever a trace says.

use super::live::Follower;
use super::model::Pressure;
use super::{Gauge, Wanted};
use crate::analysis::Analysis;
use crate::collect::Collector;
use crate::model::Options;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{LossCause, Lost, Owner, ThreadDef, Tick, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};
use proptest::prelude::*;

fn kind() -> impl Strategy<Value = EventKind> {
    prop_oneof![
        4 => Just(EventKind::Enter),
        4 => Just(EventKind::Entered),
        2 => Just(EventKind::Wait { timeout: None }),
        2 => any::<bool>().prop_map(|timed_out| EventKind::Waited { timed_out }),
        1 => Just(EventKind::Resumed),
        1 => Just(EventKind::Interrupted),
        2 => Just(EventKind::Exit),
        1 => Just(EventKind::Notify),
        1 => Just(EventKind::NotifyAll),
        1 => Just(EventKind::ThreadStart),
        1 => Just(EventKind::ThreadEnd),
    ]
}

/// Any time at all, but most of them near.
fn time() -> impl Strategy<Value = Nanos> {
    prop_oneof![20 => 0u64..5_000, 1 => any::<u64>()].prop_map(Nanos)
}

fn event() -> impl Strategy<Value = Record> {
    (
        time(),
        1u32..6,
        kind(),
        prop::option::weighted(0.95, 1u32..4),
        prop::option::of(1u32..4),
    )
        .prop_map(|(at, thread, kind, lock, stack)| {
            Record::Event(Event {
                at,
                thread: ThreadId(thread),
                kind,
                lock: lock.map(LockId),
                stack: stack.map(StackId),
                owner: Owner::Unknown,
                seq: None,
            })
        })
}

fn other() -> impl Strategy<Value = Record> {
    let parked =
        (1u32..6, 3u32..6, time(), time(), time()).prop_map(|(thread, lock, from, to, time)| {
            Record::Parked(Parked {
                thread: ThreadId(thread),
                lock: LockId(lock),
                stack: None,
                owner: Owner::Thread(ThreadId(1)),
                owner_stack: None,
                from,
                to,
                samples: 2,
                time,
                continues: false,
                open: false,
                timed: false,
            })
        });
    let park = (1u32..6, prop::option::of(3u32..6), time(), time()).prop_map(
        |(thread, lock, from, to)| {
            Record::Park(Park {
                stack: None,
                thread: ThreadId(thread),
                lock: lock.map(LockId),
                from,
                to,
                limit: None,
                end: ParkEnd::Unparked,
                unpark: None,
            })
        },
    );
    let sync = (3u32..6).prop_map(|lock| {
        Record::Sync(SyncDef {
            lock: LockId(lock),
            kind: SyncKind::Synchronizer,
            of: None,
            shared: false,
            most: 1,
            state: None,
        })
    });
    let thread = (1u32..6, any::<bool>(), any::<bool>()).prop_map(|(id, at_start, service)| {
        Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: u64::from(id),
            name: format!("t{id}"),
            group: Some(if service { "system" } else { "main" }.to_owned()),
            daemon: false,
            is_virtual: false,
            at_start,
        })
    });
    let lost = (time(), time()).prop_map(|(from, to)| {
        Record::Lost(Lost {
            from,
            to,
            count: 1,
            cause: LossCause::BufferFull,
        })
    });
    let tick = time().prop_map(|at| {
        Record::Tick(Tick {
            at,
            agent_cpu: Nanos(0),
        })
    });
    let exact = Just(Record::Target(vec![(
        target_key::EXACT.to_owned(),
        "true".to_owned(),
    )]));
    prop_oneof![parked, park, sync, thread, lost, tick, exact]
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(prop_oneof![5 => event(), 1 => other()], 0..80)
}

/// Events as they can have been, as far as time goes.
fn in_order(records: Vec<Record>) -> Vec<Record> {
    let mut events: Vec<Event> = records
        .into_iter()
        .filter_map(|record| match record {
            Record::Event(event) => Some(event),
            _ => None,
        })
        .filter(|event| !matches!(event.kind, EventKind::ThreadStart | EventKind::ThreadEnd))
        .collect();
    events.sort_by_key(|event| event.at);
    events.into_iter().map(Record::Event).collect()
}

fn measured(records: &[Record], interval: u64, most: u32) -> Pressure {
    let mut collector = Collector::new(Options::default());
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &Options::default());
    let wanted = Wanted {
        interval: Nanos(interval),
        most: Some(most),
        threads: None,
    };
    let mut gauge = Gauge::informed(&wanted, &collected);
    records.iter().for_each(|record| gauge.push(record));
    gauge.finish(&collected, &analysis, 0.1)
}

proptest! {
    #[test]
    fn nobody_acquires_who_does_not_run(records in records(), interval in 1u64..3_000) {
        let pressure = measured(&records, interval, 1_000);
        prop_assert!(pressure.acquiring <= pressure.running);
        let told: u64 = pressure.locks.iter().map(|lock| lock.acquiring.0).sum();
        prop_assert!(told <= pressure.acquiring.0);
        let longest = pressure.locks.iter().map(|lock| lock.series.len()).max().unwrap_or(0);
        for at in 0..longest {
            let shares = pressure.locks.iter().filter_map(|lock| lock.series[at]);
            prop_assert!(shares.sum::<f64>() <= 1.0 + 1e-9);
        }
        for lock in &pressure.locks {
            prop_assert!(lock.average <= 1.0 && lock.peak <= 1.0);
            let phases = lock.phases.windows(2);
            prop_assert!(phases.into_iter().all(|pair| pair[0].end < pair[1].start));
            prop_assert!(lock.phases.iter().all(|phase| phase.start < phase.end && phase.peak >= 0.1));
        }
    }

    #[test]
    fn how_time_is_cut_changes_no_sum_of_events(
        records in prop::collection::vec(event(), 0..80).prop_map(in_order),
        one in 1u64..3_000,
        other in 1u64..3_000,
    ) {
        let (one, other) = (measured(&records, one, 5_000), measured(&records, other, 50));
        prop_assert_eq!((one.running, one.acquiring), (other.running, other.acquiring));
        let sums = |pressure: &Pressure| -> Vec<(u32, Nanos)> {
            pressure.locks.iter().map(|lock| (lock.id, lock.acquiring)).collect()
        };
        prop_assert_eq!(sums(&one), sums(&other));
    }

    #[test]
    fn a_phase_that_begins_ends(records in records(), interval in 1u64..3_000) {
        let wanted = Wanted {
            interval: Nanos(interval),
            most: None,
            threads: None,
        };
        let mut collector = Collector::new(Options::default());
        let mut follower = Follower::new(&wanted, 0.1);
        let mut news = Vec::new();
        for record in &records {
            collector.push(record.clone());
            follower.push(record);
            news.extend(follower.news(&collector));
        }
        news.extend(follower.last_news(&collector));
        let over = news.iter().filter(|news| news.over).count();
        prop_assert_eq!(2 * over, news.len());
        prop_assert!(news.iter().all(|news| news.start < news.end && news.peak <= 1.0));
        prop_assert!(news.iter().all(|news| news.average <= news.peak + 1e-9));
    }
}
