//! Who calls the code that takes a lock: what the callers read decides, too, whether a thread comes there.
//!
//! A probe tells where a lock is taken, and not from where that was called. So callers are those that a chain shows, and those
//! whose known code calls it, up to where a thread begins: each must be among the classes whose accesses are recorded, and none
//! may ask how another thread is. Callers of which nothing is known are among what is never seen.

use super::ran::Ran;
use super::unseen::{asks_thread, is_program};
use crate::catalog::Catalog;
use crate::hierarchy::Hierarchy;
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op};
use locklens_trace::record::MethodDef;
use locklens_trace::{ClassId, MethodId, StackId};
use std::collections::{BTreeSet, HashMap};

/// What callers may have read that is not recorded, in words. `classes`: those whose accesses are.
pub(super) fn unrecorded(
    (catalog, ran): (&Catalog, &Ran<'_>),
    classes: &BTreeSet<&str>,
    stack: StackId,
) -> Option<String> {
    let frames = &catalog.stacks.get(&stack)?.frames;
    let mut open: Vec<MethodId> = frames.iter().map(|frame| frame.method).collect();
    let mut seen: BTreeSet<MethodId> = open.iter().copied().collect();
    let calls = calls(catalog);
    while let Some(method) = open.pop() {
        let Some(def) = catalog.methods.get(&method) else {
            continue;
        };
        let class = catalog.class_name(def.class);
        if !is_program(&class) {
            continue;
        }
        if let Some(told) = of_caller((catalog, ran), classes, (def, &class)) {
            return Some(told);
        }
        let name = (def.name.as_str(), def.descriptor.as_str());
        let all = calls.get(&name).into_iter().flatten();
        let mine = all.filter(|call| is_meant(call.kind, call.class, &class));
        let mine = mine.filter(|call| ran.may(call.method, call.bci));
        open.extend(
            mine.map(|call| call.method)
                .filter(|&caller| seen.insert(caller)),
        );
    }
    None
}

fn of_caller(
    (catalog, ran): (&Catalog, &Ran<'_>),
    classes: &BTreeSet<&str>,
    (method, class): (&MethodDef, &str),
) -> Option<String> {
    let name = format!("{class}.{}", method.name);
    if !classes.contains(class) {
        return Some(format!("what {name} reads, which leads there"));
    }
    let mut insns = insns(catalog, method.id).filter(|insn| ran.may(method.id, insn.bci));
    let asks = insns.any(|insn| called(insn).is_some_and(|(_, method)| asks_thread(method)));
    asks.then(|| {
        format!("{name} leads there, and asks for the end, the state or the interrupt of a thread")
    })
}

/// Who calls.
#[derive(Debug)]
pub(super) struct Call<'c> {
    pub(super) method: MethodId,
    pub(super) bci: u16,
    pub(super) kind: InvokeKind,
    /// What it says of the class; of a static method the one that has it, where that is known.
    pub(super) class: &'c str,
}

/// The application's calls, by name and descriptor.
pub(super) fn calls(catalog: &Catalog) -> HashMap<(&str, &str), Vec<Call<'_>>> {
    let mut calls: HashMap<_, Vec<_>> = HashMap::new();
    let hierarchy = Hierarchy::of(catalog);
    let own = catalog.methods.values();
    let own = own.filter(|method| is_program(&catalog.class_name(method.class)));
    for method in own {
        let insns = insns(catalog, method.id);
        for (bci, (kind, called)) in insns.filter_map(|insn| Some((insn.bci, called(insn)?))) {
            let name = (called.name.as_str(), called.descriptor.as_str());
            calls.entry(name).or_default().push(Call {
                method: method.id,
                bci,
                kind,
                class: declaring(catalog, &hierarchy, method.class, (kind, called))
                    .unwrap_or(&called.class),
            });
        }
    }
    calls
}

/// The class that has a static method which is called through one that inherits it.
fn declaring<'c>(
    catalog: &'c Catalog,
    hierarchy: &Hierarchy<'c>,
    from: ClassId,
    (kind, called): (InvokeKind, &MemberRef),
) -> Option<&'c str> {
    let class = hierarchy.resolve(from, &called.class);
    let class = class.filter(|_| kind == InvokeKind::Static)?;
    let method = hierarchy.inherited(class, &called.name, &called.descriptor)?;
    let class = catalog.methods.get(&method)?.class;
    Some(catalog.classes.get(&class)?.name.as_str())
}

/// Whether a method of this class may be meant.
pub(super) fn is_meant(kind: InvokeKind, called: &str, class: &str) -> bool {
    match kind {
        InvokeKind::Static | InvokeKind::Special => called == class,
        InvokeKind::Virtual | InvokeKind::Interface => true,
        InvokeKind::Dynamic => false,
    }
}

pub(super) fn insns(catalog: &Catalog, method: MethodId) -> impl Iterator<Item = &Insn> {
    let code = catalog.code.get(&method);
    code.into_iter().flat_map(|code| &code.insns)
}

pub(super) fn called(insn: &Insn) -> Option<(InvokeKind, &MemberRef)> {
    match &insn.op {
        Op::Invoke { kind, method } => Some((*kind, method)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, STATIC, call, virtual_ref};

    /// What is said of `a.B.take` that a method of this class calls, and it something else besides.
    fn called_from(class: &str, besides: (&str, &str)) -> Option<String> {
        let mut build = Build::default();
        let own = build.class("a.B", "java.lang.Object");
        let caller = match class {
            "a.B" => own,
            _ => build.class(class, "java.lang.Object"),
        };
        let take = build.coded(own, "take", 0, vec![Op::MonitorEnter]);
        let ops = vec![call("a.B", "take"), call(besides.0, besides.1)];
        build.coded(caller, "run", 0, ops);
        let stack = build.stack(&[(take, 0)]);
        let classes = BTreeSet::from(["a.B"]);
        let ran = Ran::of(&build.catalog, &classes, std::iter::empty());
        unrecorded((&build.catalog, &ran), &classes, stack)
    }

    #[test]
    fn callers_are_recorded_or_told() {
        let sleeps = ("java.lang.Thread", "sleep");
        assert_eq!(called_from("a.B", sleeps), None);
        assert_eq!(called_from("java.lang.Thread", sleeps), None);
        assert_eq!(called_from("a.B$$Lambda$7/0x12", sleeps), None);
        for (class, besides) in [("a.Main", sleeps), ("a.B", ("java.lang.Thread", "join"))] {
            let told = called_from(class, besides);
            let name = format!("{class}.run");
            assert!(
                told.as_ref().is_some_and(|told| told.contains(&name)),
                "{told:?}"
            );
        }
    }

    #[test]
    fn a_static_method_is_called_through_classes_that_inherit_it() {
        let mut build = Build::default();
        let own = build.class("a.B", "java.lang.Object");
        build.class("a.C", "a.B");
        build.coded(own, "take", STATIC, vec![Op::MonitorEnter]);
        let call = Op::Invoke {
            kind: InvokeKind::Static,
            method: virtual_ref("a.C", "take", "()V"),
        };
        build.coded(own, "run", 0, vec![call]);
        let all = calls(&build.catalog);
        assert_eq!(all[&("take", "()V")][0].class, "a.B");
    }
}
