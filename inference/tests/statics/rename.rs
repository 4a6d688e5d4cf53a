//! Takes the meaning out of a program's names, as an obfuscator does.

use locklens_inference::catalog::Catalog;
use locklens_trace::code::{Constant, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The same program with every method and field of its own called by a number. Methods that
/// libraries declare keep their names, whoever else has one of that name, and so do constructors and `main`,
/// which the launcher calls by its name.
pub(crate) fn obfuscated(catalog: &Catalog) -> Catalog {
    let mut out = catalog.clone();
    let own: BTreeSet<_> = catalog.methods.values().map(|m| m.name.clone()).collect();
    let inherited = inherited(catalog);
    let own: BTreeSet<_> = own
        .into_iter()
        .filter(|n| !n.starts_with('<') && n != "main" && !inherited.contains(n))
        .collect();
    let numbers: BTreeMap<_, _> = own.iter().zip(0..).collect();
    let method = |name: &str| match numbers.get(&name.to_owned()) {
        Some(number) => format!("m{number}"),
        None => name.to_owned(),
    };
    for def in out.methods.values_mut() {
        def.name = method(&def.name);
    }
    let is_library = |member: &MemberRef| member.class.starts_with("java.");
    let sites = out.code.values_mut().flat_map(|c| &mut c.sites);
    for constant in sites.flat_map(|s| &mut s.bootstrap.arguments) {
        if let Constant::Handle { member, .. } = constant
            && !is_library(member)
        {
            member.name = method(&member.name);
        }
    }
    for insn in out.code.values_mut().flat_map(|c| &mut c.insns) {
        match &mut insn.op {
            Op::Invoke { method: called, .. } if !is_library(called) => {
                called.name = method(&called.name);
            }
            Op::GetField(f) | Op::PutField(f) | Op::GetStatic(f) | Op::PutStatic(f)
                if !is_library(f) =>
            {
                // Reversed, so that the order of fields changes with their names.
                f.name = f
                    .name
                    .chars()
                    .rev()
                    .map(|c| format!("{:x}", u32::from(c)))
                    .collect();
            }
            _ => {}
        }
    }
    out
}

/// Names under which methods of libraries are called on objects of the program's own classes.
fn inherited(catalog: &Catalog) -> BTreeSet<String> {
    let classes: BTreeMap<_, _> = catalog.classes.values().map(|c| (&*c.name, c)).collect();
    let declared: BTreeSet<_> = { catalog.methods.values() }
        .map(|m| (m.class, &*m.name))
        .collect();
    let is_own = |called: &MemberRef| {
        let mut open = vec![&*called.class];
        while let Some(class) = open.pop().and_then(|name| classes.get(name)) {
            if declared.contains(&(class.id, &*called.name)) {
                return true;
            }
            open.extend(
                class
                    .super_name
                    .iter()
                    .chain(&class.interfaces)
                    .map(|s| &**s),
            );
        }
        false
    };
    let insns = catalog.code.values().flat_map(|c| &c.insns);
    let calls = insns.filter_map(|insn| match &insn.op {
        Op::Invoke { method, .. } if classes.contains_key(&*method.class) => Some(method),
        _ => None,
    });
    let called = calls.filter(|called| !is_own(called));
    // The JVM itself calls what a thread of the program's own class does.
    let own = classes
        .values()
        .filter(|class| class.super_name.as_deref() == Some("java.lang.Thread"));
    let run = own.take(1).map(|_| "run".to_owned());
    called
        .map(|called| called.name.clone())
        .chain(run)
        .collect()
}
