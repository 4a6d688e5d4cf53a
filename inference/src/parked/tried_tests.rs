//! Code of synchronizers, a few instructions each.

use super::*;
use locklens_trace::Record;
use locklens_trace::code::{Code, Insn};
use locklens_trace::record::{ClassDef, MethodDef};

const AQS: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
const COUNTER: &str = "java.util.concurrent.atomic.AtomicLong";

fn class(catalog: &mut Catalog, id: u32, name: &str, above: &str) {
    catalog.define(Record::Class(ClassDef {
        id: ClassId(id),
        loader: None,
        name: name.to_owned(),
        super_name: Some(above.to_owned()),
        interfaces: Vec::new(),
        flags: 0,
        source_file: None,
    }));
}

/// `class.name`, in the class `A`.
fn call(class: &str, name: &str) -> Op {
    invoke(InvokeKind::Virtual, class, name)
}

fn invoke(kind: InvokeKind, class: &str, name: &str) -> Op {
    Op::Invoke {
        kind,
        method: MemberRef {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor(name).to_owned(),
        },
    }
}

fn descriptor(name: &str) -> &'static str {
    match name {
        "tryAcquireShared" => "(I)I",
        "tryAcquire" | "tryRelease" | "tryReleaseShared" => "(I)Z",
        _ => "()V",
    }
}

fn constant(value: i64) -> Op {
    Op::Const { value, wide: false }
}

fn load() -> Op {
    Op::Load {
        slot: 1,
        wide: false,
    }
}

fn field(name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: "A".to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}

fn reads() -> Vec<Op> {
    vec![call("A", "getState")]
}

/// From whatever it is.
fn takes() -> Vec<Op> {
    vec![
        call("A", "getState"),
        load(),
        load(),
        call("A", "compareAndSetState"),
    ]
}

/// From 0.
fn takes_all() -> Vec<Op> {
    vec![constant(0), constant(1), call("A", "compareAndSetState")]
}

/// What is kept in a number of its own, by a method of it.
fn counts(name: &str, how: &str) -> Vec<Op> {
    let kept = field(name, "Ljava/util/concurrent/atomic/AtomicLong;");
    vec![Op::GetField(kept), call(COUNTER, how)]
}

/// `A`, which extends `B`, which extends the JDK's: these methods are in the classes 1 and 2 as is said.
fn classes(methods: Vec<(u32, &str, Vec<Op>)>) -> Catalog {
    let mut catalog = Catalog::default();
    class(&mut catalog, 1, "A", "B");
    class(&mut catalog, 2, "B", AQS);
    for (id, (of, name, ops)) in (1..).zip(methods) {
        catalog.define(Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(of),
            name: name.to_owned(),
            descriptor: descriptor(name).to_owned(),
            flags: 0,
            lines: Vec::new(),
        }));
        let insns = (0..).zip(ops).map(|(bci, op)| Insn { bci, op });
        let insns: Vec<_> = insns.collect();
        if !insns.is_empty() {
            catalog.define(Record::Code(Code {
                method: MethodId(id),
                insns,
                handlers: None,
                sites: Vec::new(),
            }));
        }
    }
    catalog
}

/// What `A` is.
fn is(methods: Vec<(u32, &str, Vec<Op>)>) -> Option<LockType> {
    tried(&classes(methods), ClassId(1)).map(|tried| tried.lock_type)
}

fn shared(acquires: Vec<Op>, releases: Vec<Op>) -> Option<LockType> {
    let methods = [
        (2, "tryAcquireShared", acquires),
        (1, "tryReleaseShared", releases),
    ];
    is(methods.into())
}

#[test]
fn what_is_taken_and_what_is_only_looked_at() {
    assert_eq!(shared(reads(), takes()), Some(LockType::Latch));
    assert_eq!(shared(takes(), takes()), Some(LockType::Semaphore));
    let alone = |ops| is(vec![(1, "tryAcquire", ops)]);
    assert_eq!(alone(takes_all()), Some(LockType::Lock));
    assert_eq!(alone(takes()), None, "it may be one of several");
    let both = vec![
        (1, "tryAcquire", takes_all()),
        (1, "tryAcquireShared", takes()),
    ];
    assert_eq!(is(both), Some(LockType::ReadWrite));
}

#[test]
fn numbers_of_its_own_are_its_state_where_they_go_down_again() {
    let up = || counts("in", "incrementAndGet");
    let down = |name| counts(name, "decrementAndGet");
    assert_eq!(shared(up(), down("in")), Some(LockType::Semaphore));
    assert_eq!(
        shared(counts("in", "get"), down("in")),
        Some(LockType::Latch)
    );
    let counted = [up(), reads()].concat();
    assert_eq!(
        shared(counted, takes()),
        None,
        "statistics, for all one knows"
    );
    let noted = vec![load(), Op::PutField(field("last", "J"))];
    let noted = [noted, reads()].concat();
    assert_eq!(shared(noted, takes()), None, "so is this");
}

#[test]
fn what_it_calls_of_its_own_is_read_too() {
    let helped = |room: Vec<Op>| {
        is(vec![
            (1, "tryAcquireShared", vec![call("A", "room")]),
            (1, "tryReleaseShared", takes()),
            (1, "room", room),
        ])
    };
    assert_eq!(helped(reads()), Some(LockType::Latch));
    assert_eq!(helped(takes()), Some(LockType::Semaphore));
    assert_eq!(helped(Vec::new()), None, "its code is not there");
    assert_eq!(
        helped(vec![call("app.Queue", "isEmpty")]),
        None,
        "not known"
    );
    assert_eq!(helped(vec![call("app.Door", "getState")]), None, "nor that");
}

#[test]
fn what_the_class_above_does_is_no_look_at_oneself() {
    let above = invoke(InvokeKind::Special, "B", "tryAcquireShared");
    let methods = vec![
        (1, "tryAcquireShared", vec![above]),
        (2, "tryAcquireShared", takes()),
        (2, "tryReleaseShared", takes()),
    ];
    assert_eq!(is(methods), Some(LockType::Semaphore));
    let other = call("app.Other", "tryAcquireShared");
    assert_eq!(shared(vec![other], takes()), None, "another object's");
}

#[test]
fn what_may_be_shut_again_is_hardly_a_latch() {
    let shuts = |name| {
        let catalog = classes(vec![
            (1, "tryAcquireShared", reads()),
            (1, "tryReleaseShared", takes()),
            (1, name, vec![call("A", "setState")]),
        ]);
        tried(&catalog, ClassId(1)).expect("a latch").confidence
    };
    assert!(shuts("reset") < 0.7);
    assert!(shuts("<init>") > 0.8);
}

/// How sure it is of a latch whose code is this.
fn latch(looks: Vec<Op>, opens: Vec<Op>, besides: Vec<Op>) -> f64 {
    let catalog = classes(vec![
        (1, "tryAcquireShared", looks),
        (1, "tryReleaseShared", opens),
        (1, "besides", besides),
    ]);
    let tried = tried(&catalog, ClassId(1)).expect("a latch");
    assert_eq!(tried.lock_type, LockType::Latch);
    tried.confidence
}

#[test]
fn so_is_what_is_set_to_what_is_told_or_open_for_some_only() {
    let set = vec![load(), call("A", "setState")];
    assert!(latch(reads(), set, Vec::new()) < 0.7);
    let asked = [reads(), vec![load()]].concat();
    assert!(latch(asked, takes(), Vec::new()) < 0.7);
    assert!(latch(reads(), takes(), Vec::new()) > 0.8);
}

#[test]
fn so_is_what_others_set_that_is_looked_at() {
    let (looks, opens) = (|| counts("shut", "get"), || counts("shut", "set"));
    assert!(latch(looks(), opens(), counts("shut", "set")) < 0.7);
    assert!(latch(looks(), opens(), counts("other", "set")) > 0.8);
    assert!(latch(looks(), opens(), counts("shut", "get")) > 0.8);
    let flag = || field("shut", "Z");
    let looks = [vec![Op::GetField(flag())], reads()].concat();
    let shuts = vec![constant(1), Op::PutField(flag())];
    assert!(latch(looks, takes(), shuts) < 0.7);
}

#[test]
fn a_number_beside_the_state_takes_nothing() {
    let counted = [
        vec![constant(0), constant(1)],
        counts("contended", "compareAndSet"),
        takes(),
    ]
    .concat();
    assert_eq!(
        is(vec![(1, "tryAcquire", counted)]),
        None,
        "permits, it may be"
    );
    let own = |gives: &str| {
        let kept = Op::GetField(field("holder", "Ljava/util/concurrent/atomic/AtomicLong;"));
        let takes = vec![kept, Op::Null, load(), call(COUNTER, "compareAndSet")];
        is(vec![
            (1, "tryAcquire", takes),
            (1, "tryRelease", counts(gives, "set")),
        ])
    };
    assert_eq!(own("holder"), Some(LockType::Lock));
    assert_eq!(own("other"), None);
}

#[test]
fn what_is_called_back_may_do_anything() {
    let called = vec![call("java.lang.Runnable", "run"), call("A", "getState")];
    assert_eq!(shared(called, takes()), None);
    let local = vec![call("java.lang.ThreadLocal", "set"), call("A", "getState")];
    assert_eq!(shared(local, takes()), None);
}

#[test]
fn what_is_not_understood_is_nothing() {
    assert_eq!(is(Vec::new()), None);
    assert_eq!(
        is(vec![(1, "tryAcquire", reads())]),
        None,
        "nobody takes it"
    );
    assert_eq!(
        is(vec![(1, "tryAcquireShared", reads())]),
        None,
        "nobody opens it"
    );
    let mut catalog = Catalog::default();
    class(&mut catalog, 1, "A", "B");
    class(&mut catalog, 2, "B", "A");
    assert_eq!(tried(&catalog, ClassId(1)), None, "no synchronizer");
}
