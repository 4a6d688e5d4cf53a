//! What a read may have read, by place, time and value.

use super::*;
use locklens_trace::access::Access;
use locklens_trace::code::{self, Code, Insn, InvokeKind, MemberRef};
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{MethodId, Record};
use proptest::prelude::*;

/// Places: 1 reads a flag, 2 writes it, 3 reads a number, 4 writes it, 5 swaps what an atomic holds, 6 reads a static field,
/// 7 reads what the atomic holds, 8 writes a byte, 9 reads it, 10 exchanges what the atomic holds.
fn catalog() -> Catalog {
    let field = |class: &str, name: &str, descriptor: &str| MemberRef {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    };
    let call = |name: &str, descriptor: &str| code::Op::Invoke {
        kind: InvokeKind::Virtual,
        method: field(
            "java.util.concurrent.atomic.AtomicBoolean",
            name,
            descriptor,
        ),
    };
    let ops = [
        code::Op::GetField(field("a.B", "flag", "Z")),
        code::Op::PutField(field("a.B", "flag", "Z")),
        code::Op::GetField(field("a.B", "number", "I")),
        code::Op::PutField(field("a.B", "number", "I")),
        call("compareAndSet", "(ZZ)Z"),
        code::Op::GetStatic(field("a.B", "all", "Z")),
        call("get", "()Z"),
        code::Op::PutField(field("a.B", "small", "B")),
        code::Op::GetField(field("a.B", "small", "B")),
        call("compareAndExchange", "(ZZ)Z"),
    ];
    let mut catalog = Catalog::default();
    let method = MethodId(1);
    for (id, bci) in (1..).zip(0..ops.len() as u16) {
        catalog.define(Record::Stack(StackDef {
            id: StackId(id),
            frames: vec![Frame {
                method,
                bci: Some(bci),
            }],
            cut: false,
        }));
    }
    let insns = (0..).zip(ops).map(|(bci, op)| Insn { bci, op });
    catalog.define(Record::Code(Code {
        method,
        insns: insns.collect(),
        handlers: None,
        sites: Vec::new(),
    }));
    catalog
}

/// One step of a thread at a place: when, who, what, where, and a value.
type Told = (u64, u32, Phase, u32, Option<u32>);

fn access((at, thread, phase, place, value): Told) -> Access {
    Access {
        at: Nanos(at),
        thread: ThreadId(thread),
        phase,
        object: if phase.is_before() { 7 } else { 0 },
        stack: Some(StackId(place)),
        value,
        is_volatile: false,
        late: false,
    }
}

/// What threads do.
#[derive(Clone, Copy)]
enum Deed {
    Access(Told),
    /// Thread 2 takes the lock of this number, or gives it back.
    Takes(u32),
    Leaves(u32),
}

use Deed::{Access as A, Leaves, Takes};

/// What it is to read a flag, a number, …: from its place on, one nanosecond after the other.
fn once(at: u64, thread: u32, place: u32, value: u32) -> [Deed; 2] {
    let (begins, over, values) = match place {
        2 | 4 | 8 => (Writing, Wrote, [Some(value), None]),
        _ => (Reading, Read, [None, Some(value)]),
    };
    [
        A((at, thread, begins, place, values[0])),
        A((at + 1, thread, over, place, values[1])),
    ]
}

/// After some deeds thread 2 goes on to take a lock.
fn done(deeds: &[Deed]) -> (Accesses, Vec<Op>) {
    let (catalog, mut accesses, mut ops) = (catalog(), Accesses::default(), Vec::new());
    let two = ThreadId(2);
    for &deed in deeds {
        match deed {
            A(told) => accesses.push(&catalog, &access(told), &mut |op| ops.push(op)),
            Takes(lock) => {
                accesses.goes_on(two, &mut |op| ops.push(op));
                accesses.takes(two, LockId(lock));
            }
            Leaves(lock) => accesses.leaves(two, LockId(lock)),
        }
    }
    accesses.goes_on(two, &mut |op| ops.push(op));
    (accesses, ops)
}

/// What the reads among some deeds are bound by.
fn bonds_of(deeds: &[Deed]) -> Vec<&'static str> {
    let bond = |op: Op| match op {
        Op::Saw {
            by: Bond::Told(_), ..
        } => Some("told"),
        Op::Saw {
            by: Bond::Data(_), ..
        } => Some("data"),
        Op::Read(_) => Some("none"),
        _ => None,
    };
    let (accesses, ops) = done(deeds);
    assert_eq!(accesses.doubts, BTreeSet::new());
    ops.into_iter().filter_map(bond).collect()
}

fn bonds(told: &[Told]) -> Vec<&'static str> {
    let deeds: Vec<Deed> = told.iter().map(|&told| A(told)).collect();
    bonds_of(&deeds)
}

use Phase::{Read, Reading, Updated, Updating, Writing, Wrote};

#[test]
fn what_was_written_before_it_was_read_is_no_order() {
    let flag = |read, wrote| {
        bonds(&[
            (1, 1, Writing, wrote, None),
            (2, 1, Wrote, wrote, None),
            (3, 2, Reading, read, None),
            (4, 2, Read, read, None),
        ])
    };
    assert_eq!(flag(1, 2), ["data"], "it may be chance");
    assert_eq!(flag(3, 4), ["data"]);
    assert_eq!(flag(1, 4), ["none"], "another field");
}

/// Thread 2 reads 0, thread 1 writes 1, thread 2 reads that.
fn poll(read: u32, wrote: u32, meanwhile: &[Deed], then: &[Deed]) -> Vec<&'static str> {
    let first = once(1, 2, read, 0);
    let write = once(3, 1, wrote, 1);
    let again = once(20, 2, read, 1);
    bonds_of(&[&first[..], &write, meanwhile, &again, then].concat())
}

#[test]
fn who_asks_until_he_finds_another_value_has_waited() {
    assert_eq!(poll(1, 2, &[], &[]), ["none", "data", "told"]);
    assert_eq!(
        poll(3, 4, &[], &[]),
        ["none", "data"],
        "a number may tell nothing"
    );
    let unknown = [
        (1, 2, Reading, 1, None),
        (2, 2, Read, 1, None),
        (3, 1, Writing, 2, None),
        (4, 1, Wrote, 2, None),
        (5, 2, Reading, 1, None),
        (6, 2, Read, 1, None),
    ];
    assert_eq!(bonds(&unknown), ["none", "data", "told"]);
}

#[test]
fn who_asks_once_more_has_not_waited() {
    let again = once(30, 2, 1, 1);
    assert_eq!(poll(1, 2, &[], &again), ["none", "data", "data"]);
}

#[test]
fn who_does_something_else_meanwhile_has_not_waited() {
    let works = once(10, 2, 4, 7);
    assert_eq!(poll(1, 2, &works, &[]), ["none", "data"]);
    let elsewhere = [Takes(1), Leaves(1)];
    assert_eq!(poll(1, 2, &elsewhere, &[]), ["none", "data"]);
    let nested = [Takes(1), Takes(2), Leaves(2)];
    assert_eq!(poll(1, 2, &nested, &[]), ["none", "data"]);
}

#[test]
fn who_takes_a_lock_to_look_under_it_has_waited() {
    let under = [Takes(1)];
    assert_eq!(poll(1, 2, &under, &[Leaves(1)]), ["none", "data", "told"]);
}

#[test]
fn who_wrote_last_is_not_known_of_what_happens_at_the_same_time() {
    let both = |values: [Option<u32>; 3]| {
        bonds(&[
            (1, 1, Writing, 2, values[0]),
            (2, 1, Wrote, 2, None),
            (3, 2, Reading, 1, None),
            (4, 3, Writing, 2, values[1]),
            (5, 2, Read, 1, values[2]),
            (6, 3, Wrote, 2, None),
        ])
    };
    assert_eq!(both([None; 3]), ["data", "data"]);
    assert_eq!(both([Some(1), Some(0), Some(1)]), ["data"]);
    assert_eq!(both([Some(1), Some(1), Some(1)]), ["data", "data"]);
}

#[test]
fn a_swap_that_failed_has_written_nothing_and_waits() {
    let swap = |at, thread, swaps: bool, [there, new]: [u32; 2]| {
        let over = if swaps { Updated } else { Read };
        [
            A((at, thread, Updating, 5, Some(new))),
            A((at + 1, thread, over, 5, swaps.then_some(there))),
        ]
    };
    let first = swap(1, 1, true, [0, 1]);
    let fails = swap(3, 2, false, [0, 1]);
    let back = swap(5, 3, true, [1, 0]);
    let succeeds = swap(7, 2, true, [0, 1]);
    let all = |looks: &[Deed]| bonds_of(&[&first[..], &fails, &back, looks, &succeeds].concat());
    assert_eq!(all(&[]), ["none", "data", "data", "told"]);
    // Who looks what to expect competes with the others.
    let looks = once(20, 2, 7, 0);
    let succeeds = swap(30, 2, true, [0, 1]);
    let looked = bonds_of(&[&first[..], &fails, &back, &looks, &succeeds].concat());
    assert_eq!(looked, ["none", "data", "data", "data", "data"]);
}

#[test]
fn an_exchange_that_failed_has_written_nothing() {
    let told = bonds(&[
        (1, 1, Updating, 10, Some(1)),
        (2, 1, Updated, 10, Some(0)),
        (3, 3, Updating, 10, Some(0)),
        (4, 3, Read, 10, Some(1)),
        (5, 2, Reading, 7, None),
        (6, 2, Read, 7, Some(1)),
    ]);
    assert_eq!(
        told,
        ["none", "data", "data"],
        "the last one reads what 1 wrote"
    );
}

#[test]
fn a_byte_is_what_is_left_of_an_int() {
    let told = [once(1, 1, 8, 300), once(3, 2, 9, 300 & 0xff)].concat();
    assert_eq!(bonds_of(&told), ["data"]);
}

#[test]
fn a_value_that_nobody_wrote_is_a_doubt() {
    let doubts = |deeds: &[Deed]| done(deeds).0.doubts;
    let of = |stack| BTreeSet::from([Doubt::Unexplained(StackId(stack))]);
    // Twice what was there in the beginning, and then something else.
    let read = |at, value| once(at, 2, 3, value);
    let changes = [read(1, 5), read(3, 5), read(5, 6)].concat();
    assert_eq!(doubts(&changes[..4]), BTreeSet::new());
    assert_eq!(doubts(&changes), of(3));
    let overwritten = [once(1, 1, 4, 7), read(3, 8)].concat();
    assert_eq!(doubts(&overwritten), of(3));
}

#[test]
fn what_finds_no_room_makes_the_whole_partial() {
    let writes: Vec<Deed> = (1..=200)
        .map(|thread| A((u64::from(thread), thread, Writing, 4, None)))
        .collect();
    let (accesses, _) = done(&writes);
    assert_eq!(accesses.doubts, BTreeSet::from([Doubt::Partial]));
}

#[test]
fn an_access_that_was_left_by_an_exception_or_with_its_thread_is_none() {
    let begun = A((1, 2, Reading, 3, None));
    let reads = |accesses: &Accesses| -> usize {
        let all = accesses.variables.all.iter();
        all.map(|variable| variable.reads.len()).sum()
    };
    assert_eq!(reads(&done(&[begun]).0), 1);
    let goes_on = [&[begun][..], &once(3, 2, 1, 0)].concat();
    assert_eq!(reads(&done(&goes_on).0), 0);
    let (mut accesses, _) = done(&[begun]);
    accesses.ends(ThreadId(2));
    assert_eq!(reads(&accesses), 0);
    let over = A((2, 2, Read, 3, None));
    assert_eq!(done(&[over]).0.doubts, BTreeSet::from([Doubt::Missing]));
}

#[test]
fn many_objects_of_one_field_share_its_name() {
    let (catalog, mut accesses) = (catalog(), Accesses::default());
    for object in 1..1_000 {
        let one = Access {
            object,
            ..access((u64::from(object), 1, Writing, 4, None))
        };
        accesses.push(&catalog, &one, &mut |_| {});
    }
    assert_eq!(accesses.variables.all.len(), 999);
    assert!(accesses.variables.names() <= 2);
}

#[test]
fn an_access_to_nothing_is_none() {
    let catalog = catalog();
    let mut accesses = Accesses::default();
    let nothing = Access {
        object: 0,
        ..access((1, 1, Writing, 2, None))
    };
    accesses.push(&catalog, &nothing, &mut |op| panic!("{op:?}"));
    let elsewhere = Access {
        stack: Some(StackId(99)),
        ..nothing
    };
    accesses.push(&catalog, &elsewhere, &mut |op| panic!("{op:?}"));
    let missing = BTreeSet::from([Doubt::Missing]);
    assert_eq!(accesses.doubts, missing, "what it is is not known");
}

/// Accesses at moments of their own, with times around them: thread, whether it writes, room before and after.
fn run() -> impl Strategy<Value = Vec<(u32, bool, u64, u64)>> {
    let one = (1..4u32, any::<bool>(), 0..60u64, 0..60u64);
    proptest::collection::vec(one, 1..40)
}

proptest! {
    /// Whatever times are seen around the accesses, who really wrote what was read is among those that may have, and who
    /// is told for sure is the one.
    #[test]
    fn the_writer_is_always_among_those_that_may_be_meant(run in run()) {
        // A thread does one thing at a time: its accesses do not overlap.
        let mut free: HashMap<u32, u64> = HashMap::new();
        let mut told: Vec<(Told, usize)> = Vec::new();
        let mut truth: Vec<Option<usize>> = Vec::new();
        let mut writer = None;
        let mut ends: Vec<(u64, u64, u64)> = Vec::new();
        for (nth, &(thread, writes, before, after)) in run.iter().enumerate() {
            let moment = 100 * (nth as u64 + 1);
            let from = moment.saturating_sub(before * 5).max(free.get(&thread).map_or(0, |f| f + 1));
            let next = run.iter().enumerate().skip(nth + 1).find(|(_, other)| other.0 == thread);
            let latest = next.map_or(u64::MAX, |(nth, _)| 100 * (nth as u64 + 1) - 1);
            let to = (moment + after * 5 + 1).min(latest);
            let from = from.min(moment);
            free.insert(thread, to);
            ends.push((from, to, moment));
            let place = if writes { 2 } else { 1 };
            let (begins, over) = if writes { (Writing, Wrote) } else { (Reading, Read) };
            let value = writer.map_or(0, |writer: usize| writer as u32 % 2);
            let values = if writes { [Some(nth as u32 % 2), None] } else { [None, Some(value)] };
            told.push(((from, thread, begins, place, values[0]), nth));
            told.push(((to, thread, over, place, values[1]), nth));
            truth.push(writer);
            if writes {
                writer = Some(nth);
            }
        }
        told.sort_by_key(|&((at, ..), _)| at);
        let (catalog, mut accesses) = (catalog(), Accesses::default());
        let mut of_var: HashMap<Var, usize> = HashMap::new();
        for (one, nth) in told {
            let mut seen = Vec::new();
            let mut see = |op| match op {
                Op::Write(var) => drop(of_var.insert(var, nth)),
                Op::Saw { wrote, by } => seen.push((of_var[&wrote], by)),
                _ => {}
            };
            accesses.push(&catalog, &access(one), &mut see);
            accesses.goes_on(ThreadId(one.1), &mut see);
            prop_assert_eq!(accesses.doubts.len(), 0);
            if one.2 != Read {
                continue;
            }
            if let Some(writer) = truth[nth].filter(|&writer| run[writer].0 != one.1) {
                prop_assert!(seen.iter().any(|&(who, _)| who == writer), "{seen:?} {writer}");
            }
            for &(who, by) in &seen {
                if matches!(by, Bond::Told(_)) {
                    prop_assert_eq!(Some(who), truth[nth]);
                }
            }
        }
    }
}
