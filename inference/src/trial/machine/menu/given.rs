//! The numbers that the program itself calls an operation with.

use super::{MethodIx, Program};
use crate::statics::expr::{Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::frame::locals_of;
use std::collections::BTreeSet;

/// Most numbers of one parameter that are of interest.
const MAX_NUMBERS: usize = 8;

/// Callers that are looked at for one parameter, at all levels together: what more call is no matter of a few numbers,
/// and each takes as long as its code.
const MAX_CALLERS: usize = 64;

/// The numbers handed to a parameter, where all calls that are known hand in constants: themselves, or what they were
/// handed as constants in `calls` levels above. None where there are too many of either.
pub(super) fn constants(
    program: &Program,
    method: MethodIx,
    slot: u16,
    calls: u32,
) -> Option<BTreeSet<i64>> {
    let (mut found, mut left) = (BTreeSet::new(), MAX_CALLERS);
    collect(program, (method, slot), calls, &mut left, &mut found)?;
    (!found.is_empty()).then_some(found)
}

/// Adds those of one method; `left`: callers that may still be looked at.
fn collect(
    program: &Program,
    (method, slot): (MethodIx, u16),
    calls: u32,
    left: &mut usize,
    found: &mut BTreeSet<i64>,
) -> Option<()> {
    let of = &program.methods[method];
    if program.is_handed_on(&of.def) {
        return None;
    }
    let sites: Vec<_> = program.callers(&of.def).collect();
    let mut known = false;
    for sites in sites.chunk_by(|a, b| a.0 == b.0) {
        *left = left.checked_sub(1)?;
        let caller = sites[0].0;
        let mut x = Exprs::default();
        let points = flow(program, &mut x, caller).points;
        for &(_, at) in sites {
            let Some(point) = points[at].as_ref() else {
                continue;
            };
            let args = point
                .frame
                .clone()
                .pop_call(&mut x, &of.signature, !of.def.is_static());
            let handed = locals_of(&mut x, &of.signature, &args)
                .get(usize::from(slot))
                .copied()?;
            match x.node(handed) {
                Node::Int(number) => drop(found.insert(*number)),
                Node::Entry(from) if calls > 0 && caller != method => {
                    collect(program, (caller, *from), calls - 1, left, found)?;
                }
                _ => return None,
            }
            known = true;
            if found.len() > MAX_NUMBERS {
                return None;
            }
        }
    }
    known.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use locklens_trace::code::{Code, Insn, InvokeKind, MemberRef, Op};
    use locklens_trace::record::{ClassDef, MethodDef, Record};
    use locklens_trace::{ClassId, MethodId};

    const STATIC: u32 = 8;

    /// Defines `static void NAME(int)`, which hands one value (none: its own parameter) to each of some others.
    fn method(catalog: &mut Catalog, name: &str, calls: &[(&str, Option<i64>)]) {
        let id = MethodId(catalog.methods.len() as u32 + 1);
        catalog.define(Record::Method(MethodDef {
            id,
            class: ClassId(1),
            name: name.to_owned(),
            descriptor: "(I)V".to_owned(),
            flags: STATIC,
            lines: Vec::new(),
        }));
        let mut ops = Vec::new();
        for &(callee, value) in calls {
            ops.push(match value {
                Some(value) => Op::Const { value, wide: false },
                None => Op::Load {
                    slot: 0,
                    wide: false,
                },
            });
            ops.push(Op::Invoke {
                kind: InvokeKind::Static,
                method: MemberRef {
                    class: "A".to_owned(),
                    name: callee.to_owned(),
                    descriptor: "(I)V".to_owned(),
                },
            });
        }
        let insns = (0u16..).zip(ops).map(|(bci, op)| Insn { bci, op });
        catalog.define(Record::Code(Code {
            method: id,
            insns: insns.collect(),
            handlers: Some(Vec::new()),
            sites: Vec::new(),
        }));
    }

    /// What the first method is handed.
    fn handed(define: impl FnOnce(&mut Catalog)) -> Option<Vec<i64>> {
        let mut catalog = Catalog::default();
        catalog.define(Record::Class(ClassDef {
            id: ClassId(1),
            loader: None,
            name: "A".to_owned(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        }));
        method(&mut catalog, "set", &[]);
        define(&mut catalog);
        let found = constants(&Program::new(&catalog), 0, 0, 3)?;
        Some(found.into_iter().collect())
    }

    #[test]
    fn constants_come_from_all_levels() {
        let found = handed(|catalog| {
            method(catalog, "through", &[("set", None)]);
            method(catalog, "one", &[("set", Some(4)), ("set", Some(5))]);
            method(catalog, "two", &[("through", Some(7))]);
        });
        assert_eq!(found, Some(vec![4, 5, 7]));
    }

    #[test]
    fn too_many_numbers_are_none() {
        let each: Vec<_> = (0..=MAX_NUMBERS as i64).map(|n| ("set", Some(n))).collect();
        let found = |most: usize| handed(|catalog| method(catalog, "all", &each[..most]));
        assert_eq!(found(MAX_NUMBERS).map(|f| f.len()), Some(MAX_NUMBERS));
        assert_eq!(found(MAX_NUMBERS + 1), None);
    }

    /// Who calls each other through several levels is as many callers as there are ways.
    #[test]
    fn of_many_callers_not_all_are_looked_at() {
        let direct = |callers: usize| {
            handed(|catalog| {
                for caller in 0..callers {
                    method(catalog, &format!("m{caller}"), &[("set", Some(1))]);
                }
            })
        };
        assert_eq!(direct(MAX_CALLERS), Some(vec![1]));
        assert_eq!(direct(MAX_CALLERS + 1), None);
        let ways = handed(|catalog| {
            for way in 0..8 {
                method(catalog, &format!("low{way}"), &[("set", None)]);
            }
            let low: Vec<_> = (0..8).map(|way| format!("low{way}")).collect();
            let low: Vec<_> = low.iter().map(|way| (way.as_str(), Some(1))).collect();
            for way in 0..8 {
                method(catalog, &format!("high{way}"), &low);
            }
        });
        assert_eq!(ways, None);
    }
}
