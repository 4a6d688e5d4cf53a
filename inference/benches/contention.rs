//! Events a second through the second pass of blame, by three keys, on one core.
//!
//! `cargo bench -p locklens-inference --bench contention`

use divan::counter::ItemsCount;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collector;
use locklens_inference::contention::{Blamer, Census, Key, Wish};
use locklens_inference::model::Options;
use locklens_trace::record::{
    ClassDef, Frame, LockDef, LockObject, MethodDef, Owner, StackDef, Tick,
};
use locklens_trace::{
    ClassId, Event, EventKind, LockId, MethodId, Nanos, Record, StackId, ThreadId,
};

const EVENTS: u64 = 1_000_000;
/// Events between two heartbeats.
const BEAT: u64 = 10_000;

fn main() {
    divan::main();
}

/// Pairs of events of 16 threads, as of a program that contends for some locks; `locks` is a power of two.
fn records(locks: u32) -> Vec<Record> {
    let mut state = 1u64;
    let mut records: Vec<Record> = definitions(locks).collect();
    for i in 0..EVENTS / 2 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let lock = (state >> 40) as u32 & (locks - 1);
        let thread = (state >> 50) as u32 % 16;
        let stack = StackId(lock * 4 + (state >> 33) as u32 % 4 + 1);
        let make = |at, kind, stack| {
            Record::Event(Event {
                at: Nanos(at),
                thread: ThreadId(thread + 1),
                kind,
                lock: Some(LockId(lock + 1)),
                stack,
                owner: Owner::Thread(ThreadId((thread + 1 + (state >> 20) as u32 % 3) % 16 + 1)),
                seq: None,
            })
        };
        let at = i * 2000;
        records.push(make(at, EventKind::Enter, Some(stack)));
        records.push(make(at + 1500, EventKind::Entered, None));
        if i % BEAT == 0 {
            let (at, agent_cpu) = (Nanos(at), Nanos(0));
            records.push(Record::Tick(Tick { at, agent_cpu }));
        }
    }
    records
}

fn definitions(locks: u32) -> impl Iterator<Item = Record> {
    let class = ClassId(1);
    let methods = (1..=4).map(move |id| {
        Record::Method(MethodDef {
            id: MethodId(id),
            class,
            name: format!("method{id}"),
            descriptor: "()V".to_owned(),
            flags: 0x0020,
            lines: Vec::new(),
        })
    });
    let objects = (1..=locks).map(move |id| {
        Record::Lock(LockDef {
            id: LockId(id),
            class,
            hash: 0,
            object: LockObject::Plain,
        })
    });
    let stacks = (0..4 * locks).map(|id| {
        let method = MethodId(id % 4 + 1);
        Record::Stack(StackDef {
            id: StackId(id + 1),
            frames: vec![Frame {
                method,
                bci: Some(0),
            }],
            cut: false,
        })
    });
    let class = Record::Class(ClassDef {
        id: class,
        loader: None,
        name: "app.Store".to_owned(),
        super_name: Some("java.lang.Object".to_owned()),
        interfaces: Vec::new(),
        flags: 0,
        source_file: None,
    });
    std::iter::once(class)
        .chain(methods)
        .chain(objects)
        .chain(stacks)
}

fn blame(bencher: divan::Bencher<'_, '_>, locks: u32, keys: &[Key]) {
    let records = records(locks);
    let options = Options::default();
    let (mut collector, mut census) = (Collector::new(options), Census::default());
    for record in &records {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let findings = census.finish();
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let wish = Wish::default();
        let mut blamer = Blamer::new(&collected, &analysis, &findings, keys, wish);
        records.iter().for_each(|record| blamer.push(record));
        blamer.finish()
    });
}

#[divan::bench(args = [8, 1024], sample_count = 5)]
fn lock_owner_waiter(bencher: divan::Bencher<'_, '_>, locks: u32) {
    blame(
        bencher,
        locks,
        &[Key::Lock, Key::OwnerMethod, Key::WaiterMethod],
    );
}

#[divan::bench(args = [8, 1024], sample_count = 5)]
fn class_waiter_owner_chains(bencher: divan::Bencher<'_, '_>, locks: u32) {
    blame(
        bencher,
        locks,
        &[Key::LockClass, Key::WaiterStack, Key::OwnerStack],
    );
}

#[divan::bench(args = [8, 1024], sample_count = 5)]
fn first_pass(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let records = records(locks);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let mut census = Census::default();
        records.iter().for_each(|record| census.see(record));
        census.finish()
    });
}
