//! Whether a thread that has left a region may come back to its lock at once, by another method.
//!
//! That is what a call chain can't show: who comes back before the next in the queue is awake does not block. It takes
//! code beside the calls of the chain that leads to another region of the lock. Calls through interfaces are not
//! followed, nor code that was not recorded.

use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use locklens_trace::MethodId;
use locklens_trace::code::{Code, MemberRef, Op};
use locklens_trace::record::{Frame, StackDef};
use std::collections::{BTreeSet, HashMap};

/// Calls that are followed, one from the other.
const DEPTH: u32 = 3;

/// See the module.
#[derive(Debug)]
pub(super) struct Calls<'a> {
    catalog: &'a Catalog,
    methods: HashMap<(&'a str, &'a str, &'a str), MethodId>,
}

impl<'a> Calls<'a> {
    pub(super) fn of(catalog: &'a Catalog) -> Self {
        let methods = catalog.methods.values().filter_map(|method| {
            let class = catalog.classes.get(&method.class)?;
            let named = (&*class.name, &*method.name, &*method.descriptor);
            Some((named, method.id))
        });
        Self {
            methods: methods.collect(),
            catalog,
        }
    }

    /// Beside the calls of this chain there may be one that leads to one of these methods.
    pub(super) fn lead_to(&self, stack: &StackDef, others: &BTreeSet<MethodId>) -> bool {
        let mut seen = BTreeSet::new();
        let mut frames = stack.frames.iter();
        !others.is_empty() && frames.any(|frame| self.leads_to(frame, others, &mut seen))
    }

    fn leads_to(
        &self,
        frame: &Frame,
        others: &BTreeSet<MethodId>,
        seen: &mut BTreeSet<MethodId>,
    ) -> bool {
        let Some(code) = self.catalog.code.get(&frame.method) else {
            return !self.is_platform(frame.method);
        };
        let beside = code.insns.iter().filter(|insn| Some(insn.bci) != frame.bci);
        let mut calls = beside.filter_map(|insn| called(&insn.op));
        calls.any(|method| self.reaches(method, others, seen, DEPTH))
    }

    fn reaches(
        &self,
        callee: &MemberRef,
        others: &BTreeSet<MethodId>,
        seen: &mut BTreeSet<MethodId>,
        depth: u32,
    ) -> bool {
        let named = (&*callee.class, &*callee.name, &*callee.descriptor);
        let Some(&id) = self.methods.get(&named) else {
            return false;
        };
        if others.contains(&id) {
            return true;
        }
        if depth == 0 || !seen.insert(id) {
            return false;
        }
        let code: Option<&Code> = self.catalog.code.get(&id);
        let insns = code.into_iter().flat_map(|code| &code.insns);
        let mut calls = insns.filter_map(|insn| called(&insn.op));
        calls.any(|method| self.reaches(method, others, seen, depth - 1))
    }

    fn is_platform(&self, id: MethodId) -> bool {
        let class = self.catalog.methods.get(&id).map(|method| method.class);
        class.is_some_and(|class| is_platform_name(&self.catalog.class_name(class)))
    }
}

fn called(op: &Op) -> Option<&MemberRef> {
    match op {
        Op::Invoke { method, .. } => Some(method),
        _ => None,
    }
}
