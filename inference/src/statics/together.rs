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
        Callers::of(program, one, inside),
        Callers::of(program, other, inside),
    );
    if a.found.is_empty() || b.found.is_empty() {
        return None;
    }
    // One call that leads to both may lead to this one today and to the other tomorrow.
    let both = |(method, sites): (&MethodIx, &BTreeSet<usize>)| {
        let others = b.found.get(method);
        others.is_some_and(|others| others.iter().any(|at| sites.iter().any(|s| s != at)))
    };
    match a.found.iter().any(both) {
        true => Some(true),
        // Of two functions handed on nobody knows whether one caller gets both.
        false => (a.are_all || b.are_all).then_some(false),
    }
}

/// Who calls some methods, itself or through others.
#[derive(Default)]
struct Callers {
    /// Methods from which they are reached within a few calls, with the calls that lead there.
    found: BTreeMap<MethodIx, BTreeSet<usize>>,
    /// There are no others. (What a lambda does is done by itself: nothing but its body calls it.)
    are_all: bool,
}

impl Callers {
    fn of(program: &Program, methods: &BTreeSet<MethodIx>, inside: &BTreeSet<MethodIx>) -> Self {
        let mut callers = Self {
            are_all: true,
            ..Self::default()
        };
        let mut known = methods.clone();
        let mut next = methods.clone();
        for _ in 0..LEVELS {
            let mut above = BTreeSet::new();
            for method in next {
                let def = &program.methods[method].def;
                callers.are_all &= def.flags & SYNTHETIC != 0 || !program.is_handed_on(def);
                for (caller, at) in program.callers(def) {
                    if !inside.contains(&caller) {
                        callers.found.entry(caller).or_default().insert(at);
                        above.insert(caller);
                    }
                }
            }
            next = above.into_iter().filter(|m| known.insert(*m)).collect();
            if known.len() > MOST {
                callers.are_all = false;
                break;
            }
        }
        callers
    }
}
