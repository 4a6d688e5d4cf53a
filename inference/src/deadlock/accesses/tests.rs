//! What a read may have read, by place, time and value.

use super::*;
use locklens_trace::access::Access;
use locklens_trace::code::{Code, Insn, InvokeKind};
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{MethodId, Record};
use proptest::prelude::*;

/// Places: 1 reads a flag, 2 writes it, 3 reads a number, 4 writes it, 5 swaps what an atomic holds, 6 reads a static field.
fn catalog() -> Catalog {
    let field = |class: &str, name: &str, descriptor: &str| MemberRef {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    };
    let ops = [
        code::Op::GetField(field("a.B", "flag", "Z")),
        code::Op::PutField(field("a.B", "flag", "Z")),
        code::Op::GetField(field("a.B", "number", "I")),
        code::Op::PutField(field("a.B", "number", "I")),
        code::Op::Invoke {
            kind: InvokeKind::Virtual,
            method: field(
                "java.util.concurrent.atomic.AtomicBoolean",
                "compareAndSet",
                "(ZZ)Z",
            ),
        },
        code::Op::GetStatic(field("a.B", "all", "Z")),
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

fn steps(told: &[Told]) -> Vec<Op> {
    let (catalog, mut accesses, mut ops) = (catalog(), Accesses::default(), Vec::new());
    for &one in told {
        accesses.push(&catalog, &access(one), &mut |op| ops.push(op));
    }
    assert!(!accesses.doubt);
    ops
}

/// What the reads among some steps are bound by.
fn bonds(told: &[Told]) -> Vec<&'static str> {
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
    steps(told).into_iter().filter_map(bond).collect()
}

use Phase::{Read, Reading, Updated, Updating, Writing, Wrote};

#[test]
fn a_flag_that_was_written_before_tells() {
    let flag = |read, wrote| {
        bonds(&[
            (1, 1, Writing, wrote, None),
            (2, 1, Wrote, wrote, None),
            (3, 2, Reading, read, None),
            (4, 2, Read, read, None),
        ])
    };
    assert_eq!(flag(1, 2), ["told"]);
    assert_eq!(flag(3, 4), ["data"], "a number may tell nothing");
    assert_eq!(flag(1, 4), ["none"], "another field");
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
    assert_eq!(both([Some(1), Some(0), Some(1)]), ["told"]);
    assert_eq!(both([Some(1), Some(1), Some(1)]), ["data", "data"]);
    // Nobody was seen to write what was there before.
    let first = [
        (3, 2, Reading, 1, None),
        (4, 3, Writing, 2, Some(1)),
        (5, 2, Read, 1, Some(1)),
        (6, 3, Wrote, 2, None),
    ];
    assert_eq!(bonds(&first), ["data"]);
}

#[test]
fn a_swap_that_failed_has_written_nothing() {
    let told = bonds(&[
        (1, 1, Updating, 5, Some(1)),
        (2, 1, Updated, 5, Some(0)),
        (3, 2, Updating, 5, Some(1)),
        (4, 2, Read, 5, None),
        (5, 3, Updating, 5, Some(0)),
        (6, 3, Updated, 5, Some(1)),
    ]);
    assert_eq!(told, ["none", "told", "told"]);
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
    assert!(accesses.doubt, "what it is is not known");
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
            told.push(((from, thread, begins, place, None), nth));
            told.push(((to, thread, over, place, None), nth));
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
            accesses.push(&catalog, &access(one), &mut |op| match op {
                Op::Write(var) => drop(of_var.insert(var, nth)),
                Op::Saw { wrote, by } => seen.push((of_var[&wrote], by)),
                _ => {}
            });
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
