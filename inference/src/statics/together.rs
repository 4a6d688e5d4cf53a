//! Whether some method does both of two things, itself or in what it calls.

use super::program::{MethodIx, Program};
use std::collections::{BTreeMap, BTreeSet};

/// How many calls above a method its callers are looked for.
const LEVELS: usize = 5;
/// Callers looked for in all.
const MOST: usize = 400;
const SYNTHETIC: u32 = 0x1000;

/// Some method calls methods of both sets, itself or through others: the same thread does both. None if one of them
/// is called nowhere, or by who knows whom. Callers that are `inside` do not count.
pub(crate) fn called_together(
    program: &Program,
    one: &BTreeSet<MethodIx>,
    other: &BTreeSet<MethodIx>,
    inside: &BTreeSet<MethodIx>,
) -> Option<bool> {
    let (a, b) = (
        calling(program, one, inside),
        calling(program, other, inside),
    );
    let (Some(a), Some(b)) = (a, b) else {
        return None;
    };
    if a.is_empty() || b.is_empty() {
        return None;
    }
    // One call that leads to both may lead to this one today and to the other tomorrow.
    let both = |(method, sites): (&MethodIx, &BTreeSet<usize>)| {
        let others = b.get(method);
        others.is_some_and(|others| others.iter().any(|at| sites.iter().any(|s| s != at)))
    };
    Some(a.iter().any(both))
}

/// Methods from which these are reached within a few calls, with the calls that lead there. None if there are too many, or
/// others that no call shows. (What a lambda does is done by itself: nothing but its body calls it.)
fn calling(
    program: &Program,
    methods: &BTreeSet<MethodIx>,
    inside: &BTreeSet<MethodIx>,
) -> Option<BTreeMap<MethodIx, BTreeSet<usize>>> {
    let mut found: BTreeMap<MethodIx, BTreeSet<usize>> = BTreeMap::new();
    let mut known = methods.clone();
    let mut next = methods.clone();
    for _ in 0..LEVELS {
        let mut above = BTreeSet::new();
        for method in next {
            let def = &program.methods[method].def;
            if def.flags & SYNTHETIC == 0 && program.is_handed_on(def) {
                return None;
            }
            for (caller, at) in program.callers(def) {
                if !inside.contains(&caller) {
                    found.entry(caller).or_default().insert(at);
                    above.insert(caller);
                }
            }
        }
        next = above.into_iter().filter(|m| known.insert(*m)).collect();
        if known.len() > MOST {
            return None;
        }
    }
    Some(found)
}
