//! Takes the meaning out of a program's names, as an obfuscator does.

use locklens_inference::catalog::Catalog;
use locklens_trace::code::{Constant, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The same program with every method and field of its own called by a number. Methods that
/// only libraries declare keep their names, and so do constructors and `main`, which the launcher
/// calls by its name.
pub(crate) fn obfuscated(catalog: &Catalog) -> Catalog {
    let mut out = catalog.clone();
    let own: BTreeSet<_> = catalog.methods.values().map(|m| m.name.clone()).collect();
    let own: BTreeSet<_> = own
        .into_iter()
        .filter(|n| !n.starts_with('<') && n != "main")
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
