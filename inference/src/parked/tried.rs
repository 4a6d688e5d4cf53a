//! What a synchronizer that a program has built of `AbstractQueuedSynchronizer` is, by the methods it gives that.
//!
//! It is asked for by `tryAcquire` alone, or by `tryAcquireShared`, and these either take something (they change its
//! state) or only look whether who comes may pass.

use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use crate::types::LockType;
use locklens_trace::code::{MemberRef, Op};
use locklens_trace::{ClassId, MethodId};
use std::collections::BTreeSet;

/// How far up a class is followed,
const ABOVE: usize = 16;
/// and into how many methods of the program.
const METHODS: usize = 32;

/// What its code says a synchronizer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tried {
    pub(super) lock_type: LockType,
    pub(super) reason: &'static str,
}

/// What a method does to the synchronizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Does {
    /// It looks, and changes nothing.
    Looks,
    Changes,
    /// It calls what is not known.
    Unknown,
}

/// What the code of a class says, if it extends `AbstractQueuedSynchronizer` and enough of it was read.
pub(super) fn tried(catalog: &Catalog, class: ClassId) -> Option<Tried> {
    let classes = own(catalog, class)?;
    let of = |name: &str, ways: [&str; 2]| {
        let mut named = ways.into_iter();
        named.find_map(|descriptor| find(catalog, &classes, name, descriptor))
    };
    let does = |id: MethodId| does(catalog, &classes, id);
    let alone = of("tryAcquire", ["(I)Z", "(J)Z"]).map(does);
    let shared = of("tryAcquireShared", ["(I)I", "(J)J"]).map(does);
    let opens = of("tryReleaseShared", ["(I)Z", "(J)Z"]).is_some();
    let (lock_type, reason) = match (alone, shared) {
        (Some(Does::Changes), None) => (LockType::Lock, "its code has it taken by one alone"),
        (Some(Does::Changes), Some(Does::Changes)) => (
            LockType::ReadWrite,
            "its code has it taken by one alone, and by several together",
        ),
        (None, Some(Does::Changes)) if opens => (
            LockType::Semaphore,
            "its code has several take of what there is, and give it back",
        ),
        (None, Some(Does::Looks)) if opens => (
            LockType::Latch,
            "by its code who comes takes nothing, and passes once it is open",
        ),
        _ => return None,
    };
    Some(Tried { lock_type, reason })
}

/// The class and those above it that are the program's, if they end in a synchronizer of the JDK's.
fn own(catalog: &Catalog, class: ClassId) -> Option<Vec<ClassId>> {
    let mut classes = Vec::new();
    let mut next = class;
    for _ in 0..ABOVE {
        let def = catalog.classes.get(&next)?;
        if is_platform_name(&def.name) || classes.contains(&next) {
            return None;
        }
        classes.push(next);
        let above = def.super_name.as_deref()?;
        if is_synchronizer(above) {
            return Some(classes);
        }
        let named = catalog.classes.values().filter(|other| other.name == above);
        next = named.max_by_key(|other| other.loader == def.loader)?.id;
    }
    None
}

fn is_synchronizer(class: &str) -> bool {
    let name = class.strip_prefix("java.util.concurrent.locks.");
    matches!(
        name,
        Some("AbstractQueuedSynchronizer" | "AbstractQueuedLongSynchronizer")
    )
}

/// The method that an object of the first class has.
fn find(catalog: &Catalog, classes: &[ClassId], name: &str, descriptor: &str) -> Option<MethodId> {
    let mut own = classes.iter();
    own.find_map(|&class| catalog.method(class, name, descriptor))
}

/// What a method does, with those of the program that it calls on the same object.
fn does(catalog: &Catalog, classes: &[ClassId], first: MethodId) -> Does {
    let mut all = Does::Looks;
    let (mut seen, mut left) = (BTreeSet::from([first]), vec![first]);
    while let Some(id) = left.pop() {
        let Some(code) = catalog.code.get(&id) else {
            all = all.max(Does::Unknown);
            continue;
        };
        for insn in &code.insns {
            let does = match &insn.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore { .. } => Does::Changes,
                Op::Invoke { method, .. } => match called(method) {
                    Some(does) => does,
                    None => {
                        let callee = find(catalog, classes, &method.name, &method.descriptor);
                        match callee {
                            Some(callee) if seen.len() < METHODS => {
                                if seen.insert(callee) {
                                    left.push(callee);
                                }
                                Does::Looks
                            }
                            _ => Does::Unknown,
                        }
                    }
                },
                _ => Does::Looks,
            };
            all = all.max(does);
        }
    }
    all
}

/// What is known of a method by its name; none if it is to be looked up.
fn called(method: &MemberRef) -> Option<Does> {
    let name = method.name.as_str();
    match name {
        "compareAndSetState" | "setState" | "setExclusiveOwnerThread" => {
            return Some(Does::Changes);
        }
        "getState"
        | "getExclusiveOwnerThread"
        | "hasQueuedPredecessors"
        | "hasQueuedThreads"
        | "hasContended"
        | "getFirstQueuedThread"
        | "isQueued"
        | "getQueueLength" => return Some(Does::Looks),
        _ => {}
    }
    let class = method.class.as_str();
    let is_atomic = class.starts_with("java.util.concurrent.atomic.")
        || class == "java.lang.invoke.VarHandle"
        || class.ends_with(".Unsafe");
    if is_atomic {
        let reads =
            name.starts_with("get") && !name.starts_with("getAnd") || name.ends_with("Value");
        return Some(if reads { Does::Looks } else { Does::Changes });
    }
    class.starts_with("java.lang.").then_some(Does::Looks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::Record;
    use locklens_trace::code::{Code, Insn, InvokeKind};
    use locklens_trace::record::{ClassDef, MethodDef};

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

    /// A method of the class that calls these, each a class and a name; no code if there are none.
    fn method(catalog: &mut Catalog, (of, id): (u32, u32), name: &str, calls: &[(&str, &str)]) {
        let descriptor = match name {
            "tryAcquireShared" => "(I)I",
            "room" => "()V",
            _ => "(I)Z",
        };
        catalog.define(Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(of),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            flags: 0,
            lines: Vec::new(),
        }));
        let ops = calls.iter().map(|&(class, name)| Op::Invoke {
            kind: InvokeKind::Virtual,
            method: MemberRef {
                class: class.to_owned(),
                name: name.to_owned(),
                descriptor: "()V".to_owned(),
            },
        });
        let insns = (0..).zip(ops).map(|(bci, op)| Insn { bci, op });
        if !calls.is_empty() {
            catalog.define(Record::Code(Code {
                method: MethodId(id),
                insns: insns.collect(),
                handlers: None,
                sites: Vec::new(),
            }));
        }
    }

    const AQS: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
    const READS: &[(&str, &str)] = &[("A", "getState")];
    const TAKES: &[(&str, &str)] = &[("A", "getState"), ("A", "compareAndSetState")];

    /// What a class is that has these methods besides, itself or in the class above.
    fn said(methods: &[(&str, &[(&str, &str)])]) -> Option<LockType> {
        let mut catalog = Catalog::default();
        class(&mut catalog, 1, "A", "B");
        class(&mut catalog, 2, "B", AQS);
        for (id, (name, calls)) in (1..).zip(methods) {
            method(&mut catalog, (1 + id % 2, id), name, calls);
        }
        tried(&catalog, ClassId(1)).map(|tried| tried.lock_type)
    }

    #[test]
    fn what_is_taken_and_what_is_only_looked_at() {
        assert_eq!(said(&[("tryAcquire", TAKES)]), Some(LockType::Lock));
        let shared = |calls: &[(&str, &str)]| {
            said(&[("tryAcquireShared", calls), ("tryReleaseShared", TAKES)])
        };
        assert_eq!(shared(READS), Some(LockType::Latch));
        assert_eq!(shared(TAKES), Some(LockType::Semaphore));
        let counter = "java.util.concurrent.atomic.AtomicLong";
        assert_eq!(shared(&[(counter, "get")]), Some(LockType::Latch));
        assert_eq!(
            shared(&[(counter, "incrementAndGet")]),
            Some(LockType::Semaphore)
        );
        let both = said(&[("tryAcquire", TAKES), ("tryAcquireShared", TAKES)]);
        assert_eq!(both, Some(LockType::ReadWrite));
    }

    #[test]
    fn what_it_calls_of_its_own_is_read_too() {
        let helped = |room: &[(&str, &str)]| {
            said(&[
                ("tryAcquireShared", &[("A", "room")]),
                ("tryReleaseShared", TAKES),
                ("room", room),
            ])
        };
        assert_eq!(helped(READS), Some(LockType::Latch));
        assert_eq!(helped(TAKES), Some(LockType::Semaphore));
        assert_eq!(helped(&[]), None, "its code is not there");
        assert_eq!(helped(&[("app.Queue", "isEmpty")]), None, "not known");
    }

    #[test]
    fn what_is_not_understood_is_nothing() {
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[("tryAcquire", READS)]), None, "nobody takes it");
        assert_eq!(
            said(&[("tryAcquireShared", READS)]),
            None,
            "nobody opens it"
        );
        let mut catalog = Catalog::default();
        class(&mut catalog, 1, "A", "B");
        class(&mut catalog, 2, "B", "A");
        method(&mut catalog, (1, 1), "tryAcquire", TAKES);
        assert_eq!(tried(&catalog, ClassId(1)), None, "no synchronizer");
    }
}
