//! The numbers that the program itself calls an operation with.

use super::{MethodIx, Op, Program};
use crate::statics::expr::{Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::frame::locals_of;
use std::collections::BTreeSet;

/// Most numbers of one parameter that are of interest.
const MAX_NUMBERS: usize = 8;
/// Most calls that are looked at: what is called from everywhere says nothing.
const MAX_SITES: usize = 48;

/// The numbers handed to a parameter, where all calls that are known hand in constants: themselves, or what they were
/// handed as constants in `calls` levels above.
pub(super) fn constants(
    program: &Program,
    method: MethodIx,
    slot: u16,
    calls: u32,
) -> Option<BTreeSet<i64>> {
    let of = &program.methods[method];
    let mut found = BTreeSet::new();
    let sites: Vec<_> = program.callers(&of.def).take(MAX_SITES + 1).collect();
    if sites.len() > MAX_SITES {
        return None;
    }
    for (caller, at) in sites {
        let mut x = Exprs::default();
        let points = flow(program, &mut x, caller).points;
        let is_call = matches!(program.methods[caller].code[at].op, Op::Invoke { .. });
        let Some(point) = points[at].as_ref().filter(|_| is_call) else {
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
                found.extend(constants(program, caller, *from, calls - 1)?);
            }
            _ => return None,
        }
    }
    (!found.is_empty() && found.len() <= MAX_NUMBERS).then_some(found)
}
