//! A whole analysis of a small recording made by hand.

use super::*;
use crate::collect::Collector;
use crate::fixtures::{Build, SYNCHRONIZED, call, event, leave, load};
use crate::types::LockType;
use locklens_trace::record::target_key;
use locklens_trace::{EventKind, Record, StackId, ThreadId};

/// Two queues (`put` notifies, `take` waits) used by three threads, a class initialisation lock,
/// and a thread that is joined.
struct Recording {
    b: Build,
    events: Vec<Event>,
}

fn recording() -> Recording {
    let mut b = Build::default();
    let wait = b.object_wait();
    let queue = b.class("app.Queue", "java.lang.Object");
    let ints = b.class("[I", "java.lang.Object");
    let put = b.coded(
        queue,
        "put",
        SYNCHRONIZED,
        vec![load(0), call("java.lang.Object", "notifyAll"), leave()],
    );
    let take = b.coded(
        queue,
        "take",
        SYNCHRONIZED,
        vec![load(0), call("java.lang.Object", "wait"), leave()],
    );
    let fresh = b.coded(queue, "fresh", 0, vec![leave()]);
    let (in_put, in_take) = (b.stack(&[(put, 0)]), b.stack(&[(wait, 0), (take, 1)]));
    let in_fresh = b.stack(&[(fresh, 0)]);
    let (first, second, init) = (b.lock(queue), b.lock(queue), b.lock(ints));
    let [producer, one, two, other] = ["p", "c1", "c2", "o"].map(|n| b.thread(n));
    let placed = |e: Event, stack: StackId| Event {
        stack: Some(stack),
        ..e
    };
    let mut events = Vec::new();
    for (lock, consumer) in [(first, one), (second, two)] {
        let base = u64::from(lock.0) * 1_000;
        let forever = EventKind::Wait { timeout: None };
        events.extend([
            placed(event(base, consumer, forever, lock), in_take),
            placed(event(base + 10, producer, EventKind::Enter, lock), in_put),
            event(base + 30, producer, EventKind::Entered, lock),
            event(
                base + 40,
                consumer,
                EventKind::Waited { timed_out: false },
                lock,
            ),
            placed(event(base + 60, consumer, forever, lock), in_take),
        ]);
    }
    // The longest blocking of all.
    let enter = event(5_000, other, EventKind::Enter, init);
    events.push(placed(enter, in_fresh));
    events.push(event(6_001, other, EventKind::Entered, init));
    Recording { b, events }
}

fn collected(recording: &Recording) -> Collected {
    let mut c = Collector::new(Options::default());
    fill(&mut c, recording);
    c.finish()
}

fn fill(c: &mut Collector, recording: &Recording) {
    let catalog = &recording.b.catalog;
    recording
        .events
        .iter()
        .for_each(|&e| c.push(Record::Event(e)));
    // Definitions may come last.
    catalog
        .classes
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Class(d)));
    catalog
        .methods
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Method(d)));
    catalog
        .code
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Code(d)));
    catalog
        .stacks
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Stack(d)));
    catalog
        .locks
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Lock(d)));
    catalog
        .threads
        .values()
        .cloned()
        .for_each(|d| c.push(Record::Thread(d)));
}

#[test]
fn objects_regions_and_times_of_a_logical_lock_come_together() {
    let recording = recording();
    let model = analyze(&collected(&recording), &Options::default());
    let [lock] = &model.locks[..] else {
        panic!("one lock besides the hidden one: {:?}", model.locks);
    };
    assert_eq!((lock.id, lock.name.as_str()), (1, "Queue"));
    assert_eq!((lock.instances, lock.threads), (2, 3));
    assert_eq!((lock.blocked.count, lock.blocked.total.0), (2, 40_000));
    assert_eq!(lock.waits.count, 4, "two of them still going on");
    assert_eq!(lock.still_waiting, 2);
    let methods: Vec<_> = lock.regions.iter().map(|r| r.method.as_str()).collect();
    assert_eq!(methods, ["take", "put"]);
    assert_eq!(model.recording.hidden["class initialisation"], 2);
    assert!(
        model
            .recording
            .inferred_share
            .is_some_and(|share| share > 0.2)
    );
}

#[test]
fn safe_locks_are_shown_when_asked_for() {
    let options = Options {
        hide_safe: false,
        ..Options::default()
    };
    let analysis = Analysis::of(&collected(&recording()), &options);
    assert_eq!(analysis.model.locks.len(), 2);
    assert_eq!(analysis.objects[0].len(), 2);
    assert!(analysis.model.recording.hidden.is_empty());
    // Whether they are shown or not, the others keep their numbers.
    assert_eq!(analysis.model.locks[0].name, "Queue");
}

/// The lock of a recording with these changes to its events.
fn only_lock(change: impl FnOnce(&mut Recording)) -> crate::model::LogicalLock {
    let mut recording = recording();
    change(&mut recording);
    let mut model = analyze(&collected(&recording), &Options::default());
    model.locks.swap_remove(0)
}

#[test]
fn regions_and_what_is_in_none_add_up_to_the_lock() {
    let lock = only_lock(|recording| {
        for event in &mut recording.events {
            if event.kind == EventKind::Enter && event.lock == Some(LockId(1)) {
                event.stack = None;
            }
        }
    });
    let blocked = |count: u64, us: u64| (count, us * 1000);
    let of = |times: &crate::model::Times| (times.count, times.total.0);
    assert_eq!(of(&lock.blocked), blocked(2, 40));
    assert_eq!(of(&lock.unplaced.blocked), blocked(1, 20));
    let in_regions = lock.regions.iter().map(|r| r.blocked.count).sum::<u64>();
    assert_eq!(in_regions, 1);
}

#[test]
fn the_only_region_has_everything_and_says_what_it_does_not_know() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let pass = b.coded(gate, "pass", SYNCHRONIZED, vec![leave()]);
    let stack = b.stack(&[(pass, 0)]);
    let (lock, thread) = (b.lock(gate), b.thread("t"));
    let mut known = event(1, thread, EventKind::Enter, lock);
    known.stack = Some(stack);
    let events = vec![
        known,
        event(4, thread, EventKind::Entered, lock),
        event(5, thread, EventKind::Enter, lock),
        event(9, thread, EventKind::Entered, lock),
    ];
    let model = analyze(&collected(&Recording { b, events }), &Options::default());
    let [region] = &model.locks[0].regions[..] else {
        panic!("one region");
    };
    assert_eq!(
        (region.blocked.count, region.blocked.total),
        (2, Nanos(7_000))
    );
    assert_eq!(
        (region.supposed, model.locks[0].unplaced.blocked.count),
        (1, 0)
    );
}

#[test]
fn one_lock_in_full_shows_the_inferred_notify() {
    let (sequences, table) = sequences(&collected(&recording()), LockId(1), &Options::default());
    let [(raw, done)] = &sequences[..] else {
        panic!("one unbroken sequence");
    };
    assert_eq!(raw.len(), 5);
    let notify = done
        .iter()
        .find(|c| c.what == crate::facsimile::What::Event(EventKind::NotifyAll))
        .expect("put may notify and a wait ended");
    assert_eq!(notify.thread, Some(ThreadId(1)));
    assert!(notify.region.and_then(|r| table.get(r)).is_some());
}

#[test]
fn a_lock_that_somebody_is_blocked_on_is_shared() {
    let types = |comes: bool| {
        let mut b = Build::default();
        let shop = b.class("app.Shop", "java.lang.Object");
        let sell = b.coded(shop, "sell", SYNCHRONIZED, vec![leave()]);
        let (stack, lock) = (b.stack(&[(sell, 0)]), b.lock(shop));
        let [clerk, other] = ["clerk", "other"].map(|name| b.thread(name));
        let mut events: Vec<Event> = Vec::new();
        let kinds = [EventKind::Entered, EventKind::Exit];
        let stays = (0..60).map(|at| (at, clerk, kinds[at as usize % 2]));
        // It has it when the recording ends.
        let last = [
            (70, clerk, EventKind::Entered),
            (80, other, EventKind::Enter),
        ];
        let last = last.into_iter().take(if comes { 2 } else { 1 });
        events.extend(stays.chain(last).map(|(at, thread, kind)| Event {
            stack: Some(stack),
            ..event(at, thread, kind, lock)
        }));
        let mut c = Collector::new(Options::default());
        let facts = [
            (target_key::EXACT, "true"),
            (target_key::EXACT_SINCE, "0"),
            (target_key::MODE, "launch"),
        ];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        c.push(Record::Target(facts.to_vec()));
        fill(&mut c, &Recording { b, events });
        let model = analyze(&c.finish(), &Options::default());
        model.locks[0].types[0].lock_type
    };
    assert_eq!(types(false), LockType::NotShared);
    assert_eq!(types(true), LockType::Mutex);
}

#[test]
fn an_empty_trace_gives_an_empty_model() {
    let model = analyze(
        &Collector::new(Options::default()).finish(),
        &Options::default(),
    );
    assert!(model.locks.is_empty());
    assert_eq!(model.recording.inferred_share, None);
}
