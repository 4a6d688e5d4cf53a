//! Events a second through the collector and through the whole analysis, on one core, for
//! streams like those of a real recording: many locks, few hot ones, pairs of events.

use divan::counter::ItemsCount;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::model::Options;
use locklens_trace::record::{ClassDef, Frame, LockDef, LockObject, MethodDef, Owner, StackDef};
use locklens_trace::{
    ClassId, Event, EventKind, LockId, MethodId, Nanos, Record, StackId, ThreadId,
};

const EVENTS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// Pairs of events of 16 threads; `locks` is a power of two.
fn stream(locks: u32) -> impl Iterator<Item = Event> {
    let mut state = 1u64;
    (0..EVENTS / 2).flat_map(move |i| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let lock = (state >> 40) as u32 & (locks - 1);
        let stack = lock * 4 + (state >> 33) as u32 % 4 + 1;
        let thread = ThreadId((state >> 50) as u32 % 16 + 1);
        let make = |at, kind, stack| Event {
            at: Nanos(at),
            thread,
            kind,
            lock: Some(LockId(lock + 1)),
            stack,
            owner: Owner::Unknown,
            seq: None,
        };
        let at = i * 2000;
        [
            make(at, EventKind::Enter, Some(StackId(stack))),
            make(at + 1500, EventKind::Entered, None),
        ]
    })
}

/// Classes that the locks are instances of, each with four synchronized methods.
const CLASSES: u32 = 50;

fn definitions(locks: u32) -> impl Iterator<Item = Record> {
    let classes = (1..=CLASSES).flat_map(|class| {
        let methods = (0..4).map(move |m| Record::Method(method(class, m)));
        std::iter::once(Record::Class(definition(class))).chain(methods)
    });
    let objects = (0..locks).flat_map(|lock| {
        let class = lock % CLASSES + 1;
        let stacks = (0..4).map(move |m| Record::Stack(stack(lock * 4 + m + 1, class, m)));
        let def = LockDef {
            id: LockId(lock + 1),
            class: ClassId(class),
            hash: 0,
            object: LockObject::Plain,
        };
        std::iter::once(Record::Lock(def)).chain(stacks)
    });
    classes.chain(objects)
}

fn definition(class: u32) -> ClassDef {
    ClassDef {
        id: ClassId(class),
        loader: None,
        name: format!("app.Class{class}"),
        super_name: Some("java.lang.Object".to_owned()),
        interfaces: Vec::new(),
        flags: 0,
        source_file: None,
    }
}

fn method(class: u32, number: u32) -> MethodDef {
    MethodDef {
        id: MethodId(class * 4 + number),
        class: ClassId(class),
        name: format!("method{number}"),
        descriptor: "()V".to_owned(),
        flags: 0x0020,
        lines: Vec::new(),
    }
}

fn stack(id: u32, class: u32, number: u32) -> StackDef {
    let method = MethodId(class * 4 + number);
    StackDef {
        id: StackId(id),
        frames: vec![Frame {
            method,
            bci: Some(0),
        }],
        cut: false,
    }
}

fn collected(events: &[Event], locks: u32) -> Collected {
    let mut collector = Collector::new(Options::default());
    events
        .iter()
        .for_each(|&event| collector.push(Record::Event(event)));
    definitions(locks).for_each(|record| collector.push(record));
    collector.finish()
}

#[divan::bench(args = [8, 1024, 65_536], sample_count = 5)]
fn collect(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let events: Vec<Event> = stream(locks).collect();
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let mut collector = Collector::new(Options::default());
        events
            .iter()
            .for_each(|&event| collector.push(Record::Event(event)));
        collector.finish()
    });
}

#[divan::bench(args = [8, 1024], sample_count = 5)]
fn collect_and_analyse(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let events: Vec<Event> = stream(locks).collect();
    let options = Options::default();
    bencher
        .counter(ItemsCount::new(EVENTS))
        .bench(|| Analysis::of(&collected(&events, locks), &options));
}
