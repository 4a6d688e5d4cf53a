//! Loops that a thread cannot leave before another one has written something: a flag that it polls, a field for which it waits under a
//! monitor, an atomic that counts whose turn it is.
//!
//! A loop counts if every way out of it to the place asks fields for values that they do not have from the beginning. Where they are
//! written is [`super::written`]'s to say.

use super::callers::called;
use crate::catalog::Catalog;
use crate::hierarchy::Hierarchy;
use crate::region::flow::successors;
use crate::statics::negated;
use locklens_trace::MethodId;
use locklens_trace::code::{Code, Cond, Insn, InvokeKind, MemberRef, Op, StackOp};
use std::collections::BTreeSet;

/// Longest code that is looked at, …
const LENGTH: usize = 4_096;
/// … its loops, …
const LOOPS: usize = 64;
/// … and calls within calls.
const DEPTH: usize = 3;

pub(super) const OF_ATOMICS: &str = "java.util.concurrent.atomic.Atomic";
/// What reads an atomic, and nothing else.
pub(super) const GETS: [&str; 5] = ["get", "getPlain", "getOpaque", "getAcquire", "intValue"];

/// A value as far as code tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(i64),
    Null,
    /// A constant of an enum: what a static field of its own class has.
    Constant(MemberRef),
    Unknown,
}

/// A field, and when the loop is left for what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// Whose code it is, which says what the name of the class means.
    pub(super) method: MethodId,
    pub(super) field: MemberRef,
    leaves: Leaves,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Leaves {
    Number(Cond, i64),
    Null(bool),
    Constant(bool, MemberRef),
}

impl Test {
    /// Whether the loop may be left with that in the field.
    pub(super) fn may_leave(&self, value: &Value) -> bool {
        match (&self.leaves, value) {
            (&Leaves::Number(cond, with), &Value::Number(is)) => match cond {
                Cond::Eq => is == with,
                Cond::Ne => is != with,
                Cond::Lt => is < with,
                Cond::Ge => is >= with,
                Cond::Gt => is > with,
                Cond::Le => is <= with,
            },
            (Leaves::Null(null), Value::Null) => *null,
            (Leaves::Null(null), Value::Constant(_)) => !null,
            (Leaves::Constant(equal, _), Value::Null) => !equal,
            (Leaves::Constant(equal, with), Value::Constant(is)) => (with == is) == *equal,
            _ => true,
        }
    }
}

/// The ways through the code of one method, by the numbers of its instructions. Ways by exceptions are none: who is interrupted did not
/// have what it waited for.
pub(super) struct Ways<'c> {
    pub(super) insns: &'c [Insn],
    next: Vec<Vec<usize>>,
}

impl<'c> Ways<'c> {
    /// None of code that is too long.
    pub(super) fn of(code: &'c Code) -> Option<Self> {
        let insns = code.insns.as_slice();
        if insns.len() > LENGTH {
            return None;
        }
        let next = insns.iter().enumerate().map(|(at, insn)| {
            let (targets, falls) = successors(&insn.op);
            let targets = targets.iter().filter_map(|&bci| index(insns, bci));
            let behind = Some(at + 1).filter(|&next| falls && next < insns.len());
            targets.chain(behind).collect()
        });
        let next = next.collect();
        Some(Self { insns, next })
    }

    pub(super) fn index(&self, bci: u16) -> Option<usize> {
        index(self.insns, bci)
    }

    /// Whether a way leads from behind one instruction to another one.
    pub(super) fn leads(&self, from: usize, to: usize) -> bool {
        self.from(&self.next[from], &|_| false)[to]
    }

    /// Where ways lead from there that avoid some.
    pub(super) fn from(&self, begin: &[usize], avoid: &dyn Fn(usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.insns.len()];
        let mut open: Vec<usize> = begin.to_vec();
        while let Some(at) = open.pop() {
            if !avoid(at) && !std::mem::replace(&mut seen[at], true) {
                open.extend(&self.next[at]);
            }
        }
        seen
    }

    /// Whether every way from the beginning to one of these goes through one of those.
    fn every_way(&self, to: &[usize], through: &dyn Fn(usize) -> bool) -> bool {
        let others = self.from(&[0], through);
        !to.iter().any(|&at| others[at])
    }

    /// The instructions of each loop.
    fn loops(&self) -> Vec<Vec<bool>> {
        let all = self.next.iter().enumerate();
        let back = all.flat_map(|(at, next)| {
            let heads = next.iter().filter(move |&&head| head <= at);
            heads.map(move |&head| (head, at))
        });
        let back: BTreeSet<(usize, usize)> = back.collect();
        let heads: BTreeSet<usize> = back.iter().map(|&(head, _)| head).collect();
        let heads = heads.into_iter().take(LOOPS);
        let body = |head: usize| {
            let ends = back.iter().filter(|(of, _)| *of == head);
            self.body(head, ends.map(|&(_, end)| end).collect())
        };
        heads.map(body).collect()
    }

    fn body(&self, head: usize, ends: Vec<usize>) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.insns.len()];
        for (at, next) in self.next.iter().enumerate() {
            for &to in next {
                before[to].push(at);
            }
        }
        let mut body = vec![false; self.insns.len()];
        body[head] = true;
        let mut open = ends;
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut body[at], true) {
                open.extend(&before[at]);
            }
        }
        body
    }

    /// Where it returns.
    fn returns(&self) -> Vec<usize> {
        let all = self.insns.iter().enumerate();
        let returns = all.filter(|(_, insn)| matches!(insn.op, Op::Return { .. }));
        returns.map(|(at, _)| at).collect()
    }
}

fn index(insns: &[Insn], bci: u16) -> Option<usize> {
    insns.binary_search_by_key(&bci, |insn| insn.bci).ok()
}

/// Finds such loops.
pub(super) struct Polls<'c> {
    catalog: &'c Catalog,
    hierarchy: Hierarchy<'c>,
}

impl std::fmt::Debug for Polls<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Polls")
    }
}

impl<'c> Polls<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Self {
        Self {
            catalog,
            hierarchy: Hierarchy::of(catalog),
        }
    }

    /// For each loop that a method cannot but have left when it comes to a place, what it was left for.
    pub(super) fn before(&self, code: &'c Code, bci: u16) -> Vec<Vec<Test>> {
        let ways = Ways::of(code);
        let at = ways.as_ref().and_then(|ways| ways.index(bci));
        match (ways, at) {
            (Some(ways), Some(at)) => self.on_the_way(&ways, code.method, &[at], DEPTH),
            _ => Vec::new(),
        }
    }

    fn on_the_way(
        &self,
        ways: &Ways<'c>,
        method: MethodId,
        places: &[usize],
        depth: usize,
    ) -> Vec<Vec<Test>> {
        let passed = |body: &Vec<bool>| {
            let outside = !places.iter().any(|&at| body[at]);
            outside && ways.every_way(places, &|at| body[at])
        };
        let loops = ways.loops();
        let loops = loops.iter().filter(|body| passed(body));
        let mut found: Vec<Vec<Test>> = loops
            .filter_map(|body| self.left_for(ways, method, body, places))
            .collect();
        for (at, insn) in ways.insns.iter().enumerate() {
            let Some((kind, callee)) = called(insn).filter(|_| depth > 0) else {
                continue;
            };
            if ways.every_way(places, &|other| other == at) {
                found.extend(self.within(method, kind, callee, depth - 1));
            }
        }
        found
    }

    /// What a call can't return without.
    fn within(
        &self,
        caller: MethodId,
        kind: InvokeKind,
        callee: &MemberRef,
        depth: usize,
    ) -> Vec<Vec<Test>> {
        // Which of several methods it is nobody knows.
        let [method] = self.targets(caller, kind, callee)[..] else {
            return Vec::new();
        };
        let code = self.catalog.code.get(&method);
        let ways = code.and_then(Ways::of);
        let Some(ways) = ways.filter(|ways| !ways.insns.is_empty()) else {
            return Vec::new();
        };
        let returns = ways.returns();
        match returns.is_empty() {
            true => Vec::new(),
            false => self.on_the_way(&ways, method, &returns, depth),
        }
    }

    pub(super) fn targets(
        &self,
        caller: MethodId,
        kind: InvokeKind,
        callee: &MemberRef,
    ) -> Vec<MethodId> {
        let def = self.catalog.methods.get(&caller);
        let found = def.map(|def| self.hierarchy.targets(def.class, kind, callee));
        found.unwrap_or_default()
    }

    /// Whether two references to a field may be to the same one.
    pub(super) fn is_same(&self, a: (MethodId, &MemberRef), b: (MethodId, &MemberRef)) -> bool {
        let named = |of: &MemberRef| (of.name.clone(), of.descriptor.clone());
        if named(a.1) != named(b.1) {
            return false;
        }
        let class = |(method, field): (MethodId, &MemberRef)| {
            let from = self.catalog.methods.get(&method)?.class;
            self.hierarchy.resolve(from, &field.class)
        };
        match (class(a), class(b)) {
            (Some(a), Some(b)) => {
                let is_above = |a, b| self.hierarchy.extends(a, b) != Some(false);
                is_above(a, b) || is_above(b, a)
            }
            _ => true,
        }
    }

    /// What every way out of a loop to these places asks for.
    fn left_for(
        &self,
        ways: &Ways<'c>,
        method: MethodId,
        body: &[bool],
        places: &[usize],
    ) -> Option<Vec<Test>> {
        let mut tests = Vec::new();
        for at in (0..body.len()).filter(|&at| body[at]) {
            for &out in ways.next[at].iter().filter(|&&next| !body[next]) {
                let reached = ways.from(&[out], &|_| false);
                if places.iter().any(|&place| reached[place]) {
                    tests.push(self.test(ways, method, (at, out), body)?);
                }
            }
        }
        (!tests.is_empty()).then_some(tests)
    }

    fn test(
        &self,
        ways: &Ways<'_>,
        method: MethodId,
        (at, out): (usize, usize),
        body: &[bool],
    ) -> Option<Test> {
        let op = |at: usize| ways.insns.get(at).map(|insn| &insn.op);
        let before = |at: usize| at.checked_sub(1);
        let jumps = |target: u16| ways.index(target) == Some(out);
        let last = before(at)?;
        let (leaves, read) = match *op(at)? {
            Op::If { cond, target } => {
                let cond = if jumps(target) { cond } else { negated(cond) };
                match (op(last)?, before(last).and_then(op)) {
                    (Op::Compare { .. }, Some(&Op::Const { value, .. })) => {
                        (Leaves::Number(cond, value), last.checked_sub(2)?)
                    }
                    (Op::Compare { .. }, _) => return None,
                    _ => (Leaves::Number(cond, 0), last),
                }
            }
            Op::IfCmp { cond, target } => {
                let cond = if jumps(target) { cond } else { negated(cond) };
                match op(last)? {
                    &Op::Const { value, .. } => (Leaves::Number(cond, value), before(last)?),
                    _ => return None,
                }
            }
            Op::IfRef { equal, target } => match op(last)? {
                Op::GetStatic(with) if is_constant(with) => {
                    let leaves = Leaves::Constant(equal == jumps(target), with.clone());
                    (leaves, before(last)?)
                }
                _ => return None,
            },
            Op::IfNull { null, target } => (Leaves::Null(null == jumps(target)), last),
            _ => return None,
        };
        let field = self.read(ways, method, read, body)?;
        Some(Test {
            method,
            field,
            leaves,
        })
    }

    /// The field whose value an instruction leaves on the stack.
    fn read(
        &self,
        ways: &Ways<'_>,
        method: MethodId,
        at: usize,
        body: &[bool],
    ) -> Option<MemberRef> {
        let insns = ways.insns;
        match &insns[at].op {
            Op::GetStatic(field) => Some(field.clone()),
            Op::GetField(field) => {
                is_steady(insns, at.checked_sub(1)?, body).then(|| field.clone())
            }
            // Kept in a variable besides.
            Op::Store { .. } if matches!(insns[at.checked_sub(1)?].op, Op::Stack(StackOp::Dup)) => {
                self.read(ways, method, at.checked_sub(2)?, body)
            }
            Op::CheckCast(_) => self.read(ways, method, at.checked_sub(1)?, body),
            Op::Invoke { method: called, .. } if is_get(called) => {
                self.read(ways, method, at.checked_sub(1)?, body)
            }
            Op::Invoke {
                kind,
                method: called,
            } => {
                let found = self.getter(method, *kind, called)?;
                let of_none = *kind == InvokeKind::Static && called.descriptor.starts_with("()");
                (of_none || is_steady(insns, at.checked_sub(1)?, body)).then_some(found)
            }
            _ => None,
        }
    }

    /// The field of which a method tells, which does nothing else.
    fn getter(&self, caller: MethodId, kind: InvokeKind, called: &MemberRef) -> Option<MemberRef> {
        let [method] = self.targets(caller, kind, called)[..] else {
            return None;
        };
        let insns = self.catalog.code.get(&method)?.insns.as_slice();
        let ops: Vec<&Op> = insns.iter().map(|insn| &insn.op).collect();
        let own = matches!(ops.first()?, Op::Load { slot: 0, .. });
        let field = match &ops[usize::from(own)..] {
            [
                Op::GetField(field) | Op::GetStatic(field),
                Op::Return { value: true },
            ] => field,
            [
                Op::GetField(field) | Op::GetStatic(field),
                Op::Invoke { method: called, .. },
                Op::Return { value: true },
            ] if is_get(called) => field,
            _ => return None,
        };
        Some(field.clone())
    }
}

/// Whether what an instruction leaves is the same object in every round of a loop.
fn is_steady(insns: &[Insn], at: usize, body: &[bool]) -> bool {
    match &insns[at].op {
        Op::Load { slot, .. } => {
            let changed = |op: &Op| matches!(op, Op::Store { slot: to, .. } if to == slot);
            let mut inside = insns.iter().zip(body).filter(|(_, inside)| **inside);
            !inside.any(|(insn, _)| changed(&insn.op))
        }
        Op::GetStatic(_) => true,
        Op::GetField(_) => at > 0 && is_steady(insns, at - 1, body),
        _ => false,
    }
}

pub(super) fn is_get(called: &MemberRef) -> bool {
    called.class.starts_with(OF_ATOMICS)
        && GETS.contains(&called.name.as_str())
        && called.descriptor.starts_with("()")
}

/// Whether a static field has one of the objects of its own class, as the constants of an enum do.
pub(super) fn is_constant(field: &MemberRef) -> bool {
    let class = field.descriptor.strip_prefix('L');
    let class = class.and_then(|class| class.strip_suffix(';'));
    class.is_some_and(|class| class.replace('/', ".") == field.class)
}
