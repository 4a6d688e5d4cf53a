//! What a synchronizer that a program has built of `AbstractQueuedSynchronizer` is, by the methods it gives that.
//!
//! It is asked for by `tryAcquire` alone, or by `tryAcquireShared`, and these either take something (they change its
//! state) or only look whether who comes may pass.

use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use crate::types::LockType;
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use locklens_trace::{ClassId, MethodId};
use std::collections::BTreeSet;

/// Classes whose methods do nothing to any synchronizer.
const VALUES: [&str; 9] = [
    "java.lang.Object",
    "java.lang.Thread",
    "java.lang.Math",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Boolean",
    "java.lang.String",
    "java.lang.StringBuilder",
    "java.lang.System",
];
/// How far up a class is followed,
const ABOVE: usize = 16;
/// and into how many methods of the program.
const METHODS: usize = 32;

/// What its code says a synchronizer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tried {
    pub(super) lock_type: LockType,
    pub(super) confidence: f64,
    pub(super) reason: &'static str,
}

/// What a method does to the synchronizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// It looks, and changes nothing.
    Looks,
    Changes,
    /// It calls what is not known, or writes where that may mean anything.
    Unknown,
}

/// What a method does, with those that it calls.
#[derive(Default)]
struct Doing {
    /// It calls what is not known.
    unknown: bool,
    /// It writes the state of the synchronizer.
    state: bool,
    /// It writes numbers of its own that several threads may write.
    atomics: bool,
    /// It writes other fields.
    fields: bool,
    /// It takes what was nobody's: its state from 0, or it writes down who has it.
    takes_all: bool,
    /// The same of a number of its own.
    takes_own: bool,
    /// Where these numbers are kept.
    kept: BTreeSet<MemberRef>,
    /// Other fields that it reads.
    looks_at: BTreeSet<MemberRef>,
    /// It goes by the number that it is called with.
    told: bool,
    /// It sets the state to that.
    sets_told: bool,
}

impl Doing {
    /// Beside the method that gives back: what is only counted there is no state.
    fn beside(&self, gives: Option<&Self>) -> Does {
        let shared = gives.is_some_and(|gives| !self.kept.is_disjoint(&gives.kept));
        match self {
            Self { unknown: true, .. } => Does::Unknown,
            Self { state: true, .. } => Does::Changes,
            Self { atomics: true, .. } if shared => Does::Changes,
            Self { atomics: true, .. } | Self { fields: true, .. } => Does::Unknown,
            _ => Does::Looks,
        }
    }
}

/// What the code of a class says, if it extends `AbstractQueuedSynchronizer` and enough of it was read.
pub(super) fn tried(catalog: &Catalog, class: ClassId) -> Option<Tried> {
    let classes = own(catalog, class)?;
    let of = |name: &str, ways: [&str; 2]| {
        let mut named = ways.into_iter();
        let found = named.find_map(|descriptor| find(catalog, &classes, name, descriptor))?;
        Some(doing(catalog, &classes, found))
    };
    let release = of("tryRelease", ["(I)Z", "(J)Z"]);
    let opens = of("tryReleaseShared", ["(I)Z", "(J)Z"]);
    let alone = of("tryAcquire", ["(I)Z", "(J)Z"]);
    let shared = of("tryAcquireShared", ["(I)I", "(J)J"]);
    let takes_all = alone.as_ref().is_some_and(|alone| {
        let is_kept = release
            .as_ref()
            .is_some_and(|r| !alone.kept.is_disjoint(&r.kept));
        alone.takes_all || alone.takes_own && !alone.state && is_kept
    });
    let sets_told = opens.as_ref().is_some_and(|opens| opens.sets_told);
    let may_close = shared
        .as_ref()
        .is_some_and(|looks| sets_told || looks.told || closes(catalog, &classes, looks));
    let alone = alone.map(|alone| alone.beside(release.as_ref()));
    let shared = shared.map(|shared| shared.beside(opens.as_ref()));
    let (lock_type, confidence, reason) = match (alone, shared) {
        (Some(Does::Changes), None) if takes_all => {
            (LockType::Lock, 0.8, "its code has it taken by one alone")
        }
        (Some(Does::Changes), Some(Does::Changes)) if takes_all => (
            LockType::ReadWrite,
            0.8,
            "its code has it taken by one alone, and by several together",
        ),
        (None, Some(Does::Changes)) if opens.is_some() => (
            LockType::Semaphore,
            0.8,
            "its code has several take of what there is, and give it back",
        ),
        (None, Some(Does::Looks)) if opens.is_some() && !may_close => (
            LockType::Latch,
            0.85,
            "by its code who comes takes nothing, and passes once it is open",
        ),
        (None, Some(Does::Looks)) if opens.is_some() => (
            LockType::Latch,
            0.6,
            "by its code who comes takes nothing, and passes once it is open; it may be shut again, or open for some only",
        ),
        _ => return None,
    };
    Some(Tried {
        lock_type,
        confidence,
        reason,
    })
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

/// The method that an object of the first of these classes has.
fn find(catalog: &Catalog, classes: &[ClassId], name: &str, descriptor: &str) -> Option<MethodId> {
    let mut own = classes.iter();
    own.find_map(|&class| catalog.method(class, name, descriptor))
}

/// Another method than those that make it and open it writes its state, or what who comes looks at: what was open may be shut again.
fn closes(catalog: &Catalog, classes: &[ClassId], looks: &Doing) -> bool {
    let own = catalog
        .methods
        .values()
        .filter(|method| classes.contains(&method.class));
    let mut others =
        own.filter(|method| method.name != "<init>" && !method.name.starts_with("tryRelease"));
    others.any(|method| {
        let code = catalog.code.get(&method.id);
        let insns = || code.into_iter().flat_map(|code| &code.insns);
        let has_kept = insns().any(|insn| match &insn.op {
            Op::GetField(field) | Op::GetStatic(field) => looks.kept.contains(field),
            _ => false,
        });
        insns().any(|insn| match &insn.op {
            Op::PutField(field) | Op::PutStatic(field) => looks.looks_at.contains(field),
            Op::Invoke { method, .. } => {
                ["setState", "compareAndSetState"].contains(&method.name.as_str())
                    || has_kept && is_atomic(&method.class) && writes(&method.name)
            }
            _ => false,
        })
    })
}

/// A method of an atomic that does not only read it.
fn writes(name: &str) -> bool {
    !(name.starts_with("get") && !name.starts_with("getAnd") || name.ends_with("Value"))
}

/// What a method does, with those of the program that it calls on the same object.
fn doing(catalog: &Catalog, classes: &[ClassId], first: MethodId) -> Doing {
    let mut all = Doing::default();
    let (mut seen, mut left) = (BTreeSet::from([first]), vec![first]);
    while let Some(id) = left.pop() {
        let Some(code) = catalog.code.get(&id) else {
            all.unknown = true;
            continue;
        };
        for (at, insn) in code.insns.iter().enumerate() {
            match &insn.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore { .. } => all.fields = true,
                Op::GetField(field) | Op::GetStatic(field) if is_atomic(&field.descriptor) => {
                    all.kept.insert(field.clone());
                }
                Op::GetField(field) | Op::GetStatic(field) => {
                    all.looks_at.insert(field.clone());
                }
                Op::Load { slot: 1, .. } if id == first => {
                    all.told = true;
                    let next = code.insns.get(at + 1).map(|insn| &insn.op);
                    all.sets_told |= matches!(next, Some(Op::Invoke { method, .. }) if method.name == "setState");
                }
                Op::Invoke { kind, method } => {
                    let pushed = |back| at.checked_sub(back).map(|at| &code.insns[at].op);
                    // The last argument is pushed by one instruction.
                    let is_simple = matches!(pushed(1), Some(Op::Load { .. } | Op::Const { .. }));
                    let expected = pushed(2).filter(|_| is_simple);
                    if called(catalog, classes, method, expected, &mut all) {
                        continue;
                    }
                    match callee(catalog, classes, *kind, method) {
                        Some(callee) if seen.contains(&callee) => {}
                        Some(callee) if seen.len() < METHODS => {
                            seen.insert(callee);
                            left.push(callee);
                        }
                        _ => all.unknown = true,
                    }
                }
                _ => {}
            }
        }
    }
    all
}

/// The method of the object's own that is called.
fn callee(
    catalog: &Catalog,
    classes: &[ClassId],
    kind: InvokeKind,
    method: &MemberRef,
) -> Option<MethodId> {
    let is_named = |id: &ClassId| catalog.class_name(*id) == method.class;
    let at = classes.iter().position(is_named)?;
    // `super` and what is private is looked for from there on.
    let from = match kind {
        InvokeKind::Special | InvokeKind::Static => at,
        InvokeKind::Virtual | InvokeKind::Interface => 0,
        InvokeKind::Dynamic => return None,
    };
    find(catalog, &classes[from..], &method.name, &method.descriptor)
}

/// Notes what is known of a method of the JDK's; whether it is. `expected` is what is pushed before the last argument.
fn called(
    catalog: &Catalog,
    classes: &[ClassId],
    method: &MemberRef,
    expected: Option<&Op>,
    all: &mut Doing,
) -> bool {
    let (class, name) = (method.class.as_str(), method.name.as_str());
    let from_nothing = matches!(expected, Some(Op::Const { value: 0, .. } | Op::Null));
    if is_atomic(class) || class == "java.lang.invoke.VarHandle" || class.ends_with(".Unsafe") {
        all.atomics |= writes(name);
        all.takes_own |= name.starts_with("compareAndSet") && from_nothing;
        return true;
    }
    let is_own = is_synchronizer(class)
        || classes.iter().any(|&own| catalog.class_name(own) == class)
            && find(catalog, classes, name, &method.descriptor).is_none();
    match name {
        "compareAndSetState" if is_own => {
            all.state = true;
            all.takes_all |= from_nothing;
        }
        "setState" if is_own => all.state = true,
        "setExclusiveOwnerThread" if is_own => all.takes_all = true,
        "getState"
        | "getExclusiveOwnerThread"
        | "hasQueuedPredecessors"
        | "hasQueuedThreads"
        | "hasContended"
        | "getFirstQueuedThread"
        | "isQueued"
        | "isHeldExclusively"
        | "getQueueLength"
            if is_own => {}
        _ => {
            return VALUES.contains(&class)
                || class.ends_with("Exception")
                || class.ends_with("Error");
        }
    }
    true
}

/// A class or descriptor of numbers that several threads may write.
fn is_atomic(class: &str) -> bool {
    let class = class.strip_prefix('L').unwrap_or(class);
    class.starts_with("java.util.concurrent.atomic.")
        || class.starts_with("java/util/concurrent/atomic/")
}

#[cfg(test)]
#[path = "tried_tests.rs"]
mod tests;
