//! What a read may have read, by place, time and value.

use super::*;
use crate::fixtures::Build;
use locklens_trace::access::Access;
use locklens_trace::code::{self, Code, Insn, InvokeKind, MemberRef};
use locklens_trace::record::ClassDef;
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{ClassId, LoaderId, Record};
use proptest::prelude::*;

/// Places: 1 reads a flag, 2 writes it, 3 reads a number, 4 writes it, 5 swaps what an atomic holds, 6 reads a static field,
/// 7 reads what the atomic holds, 8 writes a byte, 9 reads it, 10 exchanges what the atomic holds, 11 reads the number by the
/// name of a subclass, 12 writes the static field by that, 13 reads a static field of that name of another class, 14 reads a
/// captured variable.
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
        code::Op::GetField(field("a.C", "number", "I")),
        code::Op::PutStatic(field("a.C", "all", "Z")),
        code::Op::GetStatic(field("a.D", "all", "Z")),
        code::Op::GetField(field("a.B", "val$amount", "I")),
    ];
    let mut build = Build::default();
    let class = build.class("a.B", "java.lang.Object");
    build.class("a.C", "a.B");
    build.class("a.D", "java.lang.Object");
    let method = build.method(class, "m", "()V", 0);
    let mut catalog = build.catalog;
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
        late: false,
    }
}

/// What it is to read a flag, a number, …: from its place on, one nanosecond after the other.
fn once(at: u64, thread: u32, place: u32, value: u32) -> [Told; 2] {
    let (begins, over, values) = match place {
        2 | 4 | 8 | 12 => (Writing, Wrote, [Some(value), None]),
        _ => (Reading, Read, [None, Some(value)]),
    };
    [
        (at, thread, begins, place, values[0]),
        (at + 1, thread, over, place, values[1]),
    ]
}

fn done(told: &[Told]) -> (Accesses, Vec<Op>) {
    let (catalog, mut accesses, mut ops) = (catalog(), Accesses::default(), Vec::new());
    for &one in told {
        accesses.push(&catalog, &access(one), &mut |op| ops.push(op));
    }
    (accesses, ops)
}

/// How many writes of others each read may have read.
fn meant(told: &[Told]) -> Vec<usize> {
    let (accesses, ops) = done(told);
    assert_eq!(accesses.doubts, BTreeSet::new());
    counted(&ops)
}

fn counted(ops: &[Op]) -> Vec<usize> {
    let reads = ops
        .iter()
        .filter(|op| !matches!(op, Op::Write(_) | Op::Other));
    let kinds: Vec<bool> = reads.map(|op| matches!(op, Op::Saw { .. })).collect();
    let runs = kinds.chunk_by(|a, b| *a && *b);
    runs.map(|run| if run[0] { run.len() } else { 0 }).collect()
}

use Phase::{Read, Reading, Updated, Updating, Writing, Wrote};

#[test]
fn what_was_written_before_may_have_been_read() {
    let flag = |read, wrote| {
        meant(&[
            (1, 1, Writing, wrote, None),
            (2, 1, Wrote, wrote, None),
            (3, 2, Reading, read, None),
            (4, 2, Read, read, None),
        ])
    };
    assert_eq!(flag(1, 2), [1]);
    assert_eq!(flag(3, 4), [1]);
    assert_eq!(flag(1, 4), [0], "another field");
}

/// javac writes it before the constructor of the superclass, where nothing is recorded.
#[test]
fn a_captured_variable_was_written_when_its_object_was_made() {
    let doubts = |place| done(&once(1, 1, place, 5)).0.doubts;
    assert_eq!(doubts(14), BTreeSet::new());
    assert_eq!(doubts(3), BTreeSet::from([Doubt::Unexplained(StackId(3))]));
}

#[test]
fn who_wrote_last_is_not_known_of_what_happens_at_the_same_time() {
    let both = |values: [Option<u32>; 3]| {
        meant(&[
            (1, 1, Writing, 2, values[0]),
            (2, 1, Wrote, 2, None),
            (3, 2, Reading, 1, None),
            (4, 3, Writing, 2, values[1]),
            (5, 2, Read, 1, values[2]),
            (6, 3, Wrote, 2, None),
        ])
    };
    assert_eq!(both([None; 3]), [2]);
    assert_eq!(both([Some(1), Some(0), Some(1)]), [1]);
    assert_eq!(both([Some(1), Some(1), Some(1)]), [2]);
}

#[test]
fn a_swap_that_failed_has_written_nothing() {
    let told = [
        (1, 1, Updating, 5, Some(1)),
        (2, 1, Updated, 5, Some(0)),
        (3, 3, Updating, 5, Some(0)),
        (4, 3, Read, 5, None),
        (5, 2, Reading, 7, None),
        (6, 2, Read, 7, Some(1)),
    ];
    let (accesses, ops) = done(&told);
    assert_eq!(accesses.doubts, BTreeSet::new());
    let [first, last] = [&ops[0], &ops[ops.len() - 1]];
    assert!(
        matches!((first, last), (Op::Write(one), Op::Saw { wrote, .. }) if one == wrote),
        "{ops:?}"
    );
}

#[test]
fn a_byte_is_what_is_left_of_an_int() {
    let told = [once(1, 1, 8, 300), once(3, 2, 9, 300 & 0xff)].concat();
    assert_eq!(meant(&told), [1]);
}

#[test]
fn a_value_that_nobody_wrote_is_a_doubt() {
    let doubts = |told: &[Told]| done(told).0.doubts;
    let of = |stack| BTreeSet::from([Doubt::Unexplained(StackId(stack))]);
    let read = |at, value| once(at, 2, 3, value);
    assert_eq!(doubts(&read(1, 0)), BTreeSet::new());
    assert_eq!(
        doubts(&read(1, 5)),
        of(3),
        "it was no zero in the beginning"
    );
    let overwritten = [once(1, 1, 4, 7), read(3, 0)].concat();
    assert_eq!(doubts(&overwritten), of(3));
}

#[test]
fn a_field_by_the_name_of_another_class_is_a_doubt() {
    let named = |told: &[Told]| done(told).0.doubts;
    let by = |stack| BTreeSet::from([Doubt::Named(StackId(stack))]);
    // An object's number as that of a subclass of its class.
    let number = [once(1, 1, 4, 7), once(3, 2, 11, 7)].concat();
    assert_eq!(named(&number), by(11));
    // A static field by its class and by a subclass.
    let inherited = [once(1, 1, 6, 0), once(3, 2, 12, 1)].concat();
    assert_eq!(named(&inherited), by(12));
    let unrelated = [once(1, 1, 6, 0), once(3, 2, 13, 0)].concat();
    assert_eq!(named(&unrelated), BTreeSet::new());
}

#[test]
fn a_static_field_of_a_class_that_is_there_twice_is_a_doubt() {
    let mut catalog = catalog();
    let again = ClassDef {
        id: ClassId(9),
        loader: Some(LoaderId(2)),
        ..catalog.classes[&ClassId(1)].clone()
    };
    catalog.define(Record::Class(again));
    let mut accesses = Accesses::default();
    let told = access((1, 1, Reading, 6, None));
    accesses.push(&catalog, &told, &mut |_| {});
    assert_eq!(accesses.doubts, BTreeSet::from([Doubt::Named(StackId(6))]));
}

#[test]
fn what_finds_no_room_makes_the_whole_partial() {
    let writes: Vec<Told> = (1..=200)
        .map(|thread| (u64::from(thread), thread, Writing, 4, None))
        .collect();
    let (accesses, _) = done(&writes);
    assert_eq!(accesses.doubts, BTreeSet::from([Doubt::Partial]));
}

#[test]
fn an_access_that_was_left_by_an_exception_or_with_its_thread_is_none() {
    let begun = (1, 2, Reading, 3, None);
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
    let over = (2, 2, Read, 3, None);
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
    /// Whatever times are seen around the accesses, who really wrote what was read is among those that may have.
    #[test]
    fn the_writer_is_always_among_those_that_may_be_meant(run in run()) {
        // A thread does one thing at a time: its accesses do not overlap.
        let mut free: FastMap<u32, u64> = FastMap::default();
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
        let mut of_var: FastMap<Var, usize> = FastMap::default();
        for (one, nth) in told {
            let mut seen = Vec::new();
            let mut see = |op| match op {
                Op::Write(var) => drop(of_var.insert(var, nth)),
                Op::Saw { wrote, .. } => seen.push(of_var[&wrote]),
                _ => {}
            };
            accesses.push(&catalog, &access(one), &mut see);
            prop_assert_eq!(accesses.doubts.len(), 0);
            if one.2 != Read {
                continue;
            }
            if let Some(writer) = truth[nth].filter(|&writer| run[writer].0 != one.1) {
                prop_assert!(seen.contains(&writer), "{seen:?} {writer}");
            }
        }
    }
}
