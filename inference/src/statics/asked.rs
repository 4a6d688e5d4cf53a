//! What was found of the code before: it is asked for again with every lock that uses it, and depends on nothing else.

use super::program::{MethodIx, Target};
use crate::collect::FastMap;
use locklens_trace::ClassId;
use std::cell::RefCell;
use std::hash::Hash;

/// A question about a parameter: the method, its slot, and through how many calls it is followed.
pub(crate) type Parameter = (MethodIx, u16, u32);

/// See the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Where a call of a class and selector leads to.
    targets: RefCell<FastMap<(ClassId, u32), Target>>,
    used: RefCell<FastMap<Parameter, bool>>,
    compared: RefCell<FastMap<Parameter, bool>>,
    limits: RefCell<FastMap<Parameter, bool>>,
}

impl Asked {
    pub(super) fn target(&self, call: (ClassId, u32), find: impl FnOnce() -> Target) -> Target {
        known(&self.targets, call, find)
    }

    /// Whether the value of a parameter matters.
    pub(crate) fn used(&self, parameter: Parameter, find: impl FnOnce() -> bool) -> bool {
        known(&self.used, parameter, find)
    }

    /// Whether it is compared with something.
    pub(crate) fn compared(&self, parameter: Parameter, find: impl FnOnce() -> bool) -> bool {
        known(&self.compared, parameter, find)
    }

    /// Whether it is a time limit.
    pub(crate) fn limit(&self, parameter: Parameter, find: impl FnOnce() -> bool) -> bool {
        known(&self.limits, parameter, find)
    }
}

/// The answer there is; else what is found, which may ask for others.
fn known<K: Copy + Eq + Hash, V: Copy>(
    answers: &RefCell<FastMap<K, V>>,
    question: K,
    find: impl FnOnce() -> V,
) -> V {
    let known = answers.borrow().get(&question).copied();
    known.unwrap_or_else(|| {
        let found = find();
        answers.borrow_mut().insert(question, found);
        found
    })
}
