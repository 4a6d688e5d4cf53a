//! Whether two monitors that an operation uses have to do with each other.
//!
//! A lock that is merely taken besides (statistics, a log, a second lock around or after the first) guards data of its own, and
//! nothing that is found out under it decides what happens to the other one. Parts of one lock share what they guard, lead to each other's
//! objects, or decide by what was read under one of them whether the other is waited on.

use super::{MonitorIx, Touch};
use crate::program::Program;
use crate::region::nesting::Nesting;
use crate::region::{RegionId, RegionPlace, RegionTable};
use locklens_trace::MethodId;
use locklens_trace::code::{Code, Insn, InvokeKind, MemberRef, Op, StackOp};
use std::collections::{BTreeMap, BTreeSet};

/// How deep callees of a region are followed to the fields they use.
const DEPTH: u32 = 3;
/// Methods looked at for one monitor; with more of them nothing is ruled out.
const METHODS: usize = 200;

/// See the module.
pub(super) struct Links<'a, 'p> {
    program: &'a Program<'p>,
    table: &'a RegionTable,
    monitors: &'a [BTreeSet<RegionId>],
    /// Monitors on which nobody waits.
    is_guard: &'a [bool],
    known: BTreeMap<MonitorIx, Option<Guarded<'p>>>,
}

/// Fields that code under a monitor uses.
#[derive(Clone, Debug, Default)]
struct Guarded<'p> {
    used: BTreeSet<&'p MemberRef>,
    /// Of these, those that it may change: itself, or the object or array in it.
    changed: BTreeSet<&'p MemberRef>,
}

impl<'a, 'p> Links<'a, 'p> {
    pub(super) fn new(
        program: &'a Program<'p>,
        table: &'a RegionTable,
        monitors: &'a [BTreeSet<RegionId>],
        is_guard: &'a [bool],
    ) -> Self {
        Self {
            program,
            table,
            monitors,
            is_guard,
            known: BTreeMap::new(),
        }
    }

    /// Monitors of an operation that have to do with each other, the smaller index first.
    pub(super) fn pairs(&mut self, operation: &[Touch]) -> Vec<(MonitorIx, MonitorIx)> {
        let called = operation.iter().filter(|t| !t.own);
        let calls: BTreeSet<u16> = called.map(|t| t.bci).collect();
        let mut linked: Vec<(&Touch, &Touch)> = Vec::new();
        for (at, one) in operation.iter().enumerate() {
            for other in &operation[at + 1..] {
                let two_ends = one.monitor == other.monitor
                    && (one.waits && other.notifies)
                    && (one.on.is_some() && other.on.is_some() && one.on != other.on);
                let apart = one.monitor != other.monitor;
                let both_wait = apart && self.are_both_waited_on(operation, one, other);
                if two_ends || both_wait || apart && self.are_linked(one, other, &calls) {
                    linked.push((one, other));
                }
            }
        }
        // What happens between the two ends of a lock is a part of it.
        let between = operation.iter().flat_map(|step| {
            let ends = linked
                .iter()
                .filter(move |(first, last)| first.bci < step.bci && step.bci < last.bci);
            ends.map(|(first, _)| ordered(first.monitor, step.monitor))
        });
        let ends = linked.iter().map(|(a, b)| ordered(a.monitor, b.monitor));
        let apart = between.chain(ends).filter(|(a, b)| a != b);
        apart.collect()
    }

    /// Somebody waits on either, and the operation does not take one and give it back around the other.
    fn are_both_waited_on(&self, operation: &[Touch], one: &Touch, other: &Touch) -> bool {
        let is_around = |monitor: MonitorIx| {
            let of = || operation.iter().filter(|t| t.monitor == monitor);
            of().any(|first| {
                let gives = |t: &Touch| t.bci > first.bci && t.notifies && t.on == first.on;
                first.waits && of().any(gives)
            })
        };
        let waited_on = |touch: &Touch| !self.is_guard[touch.monitor];
        let own = one.inner && other.inner && waited_on(one) && waited_on(other);
        own && !is_around(one.monitor) && !is_around(other.monitor)
    }

    /// `one` comes before `other`, or around it.
    fn are_linked(&mut self, one: &Touch, other: &Touch, calls: &BTreeSet<u16>) -> bool {
        let made = |touch: &Touch| touch.part || touch.origin.is_some_and(|o| o.fresh);
        let holds = other.waits && other.around.contains(&one.region);
        holds
            || made(one)
            || made(other)
            || self.decides(one, calls)
            || self.share(one.monitor, other.monitor)
    }

    /// What is found out under a monitor decides what is done behind it.
    fn decides(&self, touch: &Touch, calls: &BTreeSet<u16>) -> bool {
        let region = match self.table.get(touch.region) {
            Some(region) if touch.own => region,
            _ => return touch.result_used,
        };
        let RegionPlace::Block { ordinal, .. } = region.place else {
            return false;
        };
        let code = self.program.catalog.code.get(&region.method);
        match (self.program.nesting(region.method), code) {
            (Some(nesting), Some(code)) => decides(nesting, code, (ordinal, calls)),
            _ => true,
        }
    }

    fn share(&mut self, one: MonitorIx, other: MonitorIx) -> bool {
        // One function of both.
        if !self.monitors[one].is_disjoint(&self.monitors[other]) {
            return true;
        }
        self.look_at(one);
        self.look_at(other);
        let (Some(Some(one)), Some(Some(other))) = (self.known.get(&one), self.known.get(&other))
        else {
            return true;
        };
        let changed = |a: &Guarded<'p>, b: &Guarded<'p>| !a.changed.is_disjoint(&b.used);
        changed(one, other) || changed(other, one)
    }

    fn look_at(&mut self, monitor: MonitorIx) {
        if !self.known.contains_key(&monitor) {
            let guarded = self.guarded(monitor);
            self.known.insert(monitor, guarded);
        }
    }

    /// None if there is too much of it.
    fn guarded(&self, monitor: MonitorIx) -> Option<Guarded<'p>> {
        let mut guarded = Guarded::default();
        let mut seen = BTreeSet::new();
        let mut open: Vec<(MethodId, u32)> = Vec::new();
        for &id in &self.monitors[monitor] {
            let region = self.table.get(id)?;
            let ordinal = match region.place {
                RegionPlace::Method => None,
                RegionPlace::Block { ordinal, .. } => Some(ordinal),
                RegionPlace::Unknown { .. } => return None,
            };
            let nesting = self.program.nesting(region.method)?;
            // What a block further in guards is that one's.
            let inside = |bci: u16| nesting.held_at(bci).last().copied() == ordinal;
            self.read(region.method, inside, DEPTH, (&mut guarded, &mut open))?;
        }
        while let Some((method, depth)) = open.pop() {
            if !seen.insert(method) {
                continue;
            }
            if seen.len() > METHODS {
                return None;
            }
            let def = self.program.method(method)?;
            // What another monitor guards is its own.
            if def.is_synchronized() {
                continue;
            }
            let Some(nesting) = self.program.nesting(method) else {
                continue;
            };
            let outside = |bci: u16| nesting.held_at(bci).is_empty();
            self.read(method, outside, depth, (&mut guarded, &mut open))?;
        }
        Some(guarded)
    }

    /// The fields that a part of a method uses, and what it calls. None if its code is not known.
    fn read(
        &self,
        method: MethodId,
        inside: impl Fn(u16) -> bool,
        depth: u32,
        (guarded, open): (&mut Guarded<'p>, &mut Vec<(MethodId, u32)>),
    ) -> Option<()> {
        let def = self.program.method(method)?;
        let code = self.program.catalog.code.get(&method)?;
        for (at, insn) in code.insns.iter().enumerate() {
            if !inside(insn.bci) {
                continue;
            }
            match &insn.op {
                Op::PutField(field) | Op::PutStatic(field) => {
                    guarded.used.insert(field);
                    guarded.changed.insert(field);
                }
                Op::GetField(field) | Op::GetStatic(field) => {
                    if is_locked_only(&code.insns[at + 1..]) || is_of_the_jdk(field) {
                        continue;
                    }
                    guarded.used.insert(field);
                    if is_changeable(&field.descriptor) {
                        guarded.changed.insert(field);
                    }
                }
                Op::Invoke { kind, method } if depth > 1 => {
                    let targets = self.program.hierarchy.targets(def.class, *kind, method);
                    open.extend(targets.into_iter().map(|target| (target, depth - 1)));
                }
                _ => {}
            }
        }
        Some(())
    }
}

pub(super) fn ordered(one: MonitorIx, other: MonitorIx) -> (MonitorIx, MonitorIx) {
    (one.min(other), one.max(other))
}

/// The object just pushed is locked, waited on or notified, and nothing else.
fn is_locked_only(then: &[Insn]) -> bool {
    for insn in then.iter().take(4) {
        match &insn.op {
            Op::MonitorEnter => return true,
            Op::Invoke { kind, method } => {
                let signal = matches!(method.name.as_str(), "wait" | "notify" | "notifyAll");
                return signal && *kind == InvokeKind::Virtual;
            }
            Op::Stack(StackOp::Dup) | Op::Store { .. } | Op::Const { .. } => {}
            _ => return false,
        }
    }
    false
}

fn is_of_the_jdk(field: &MemberRef) -> bool {
    [
        "java.", "java/", "javax.", "javax/", "jdk.", "jdk/", "sun.", "sun/",
    ]
    .iter()
    .any(|start| field.class.starts_with(start))
}

/// What the field holds may be changed though the field is not.
fn is_changeable(descriptor: &str) -> bool {
    let value = matches!(
        descriptor,
        "Ljava/lang/String;" | "Ljava.lang.String;" | "Ljava/lang/Thread;" | "Ljava.lang.Thread;"
    );
    descriptor.starts_with(['L', '[']) && !value
}

/// Whether a value that is found out in a block is behind it what the code branches on, locks, calls something on or hands to a call that
/// locks; or whether it is found out there that the method returns.
fn decides(nesting: &Nesting<'_>, code: &Code, (ordinal, calls): (u16, &BTreeSet<u16>)) -> bool {
    let inside = |bci: u16| nesting.held_at(bci).contains(&ordinal);
    let mut stored_in: BTreeMap<u16, bool> = BTreeMap::new();
    let (mut returns, mut goes_on) = (false, false);
    for (at, insn) in code.insns.iter().enumerate() {
        let within = inside(insn.bci);
        let after = |n: usize| code.insns.get(at + n).map(|i| &i.op);
        let next = after(1);
        match &insn.op {
            Op::Store { slot, .. } => drop(stored_in.insert(*slot, within)),
            Op::Iinc { slot, .. } if within => drop(stored_in.insert(*slot, true)),
            Op::Load { slot, .. } | Op::Iinc { slot, .. } => {
                let found_out = stored_in.get(slot) == Some(&true);
                if found_out && !within && leads(&code.insns[at + 1..], calls) {
                    return true;
                }
            }
            Op::MonitorExit
                if within
                    && nesting
                        .exited_at(insn.bci)
                        .is_some_and(|m| m.ordinal == ordinal) =>
            {
                match next {
                    Some(
                        Op::Store { .. }
                        | Op::If { .. }
                        | Op::IfNull { .. }
                        | Op::PutField(_)
                        | Op::PutStatic(_),
                    ) => return true,
                    Some(Op::Return { .. }) => returns = true,
                    Some(Op::Load { .. })
                        if matches!(after(2), Some(Op::Return { value: true })) =>
                    {
                        returns = true;
                    }
                    _ => goes_on = true,
                }
            }
            _ => {}
        }
    }
    returns && goes_on
}

/// What was just pushed is branched on or locked, has something called on it, or is handed to a call that locks.
fn leads(then: &[Insn], calls: &BTreeSet<u16>) -> bool {
    for (at, insn) in then.iter().take(6).enumerate() {
        match &insn.op {
            Op::If { .. }
            | Op::IfCmp { .. }
            | Op::IfRef { .. }
            | Op::IfNull { .. }
            | Op::Switch { .. }
            | Op::MonitorEnter => return true,
            Op::Invoke { kind, method } => {
                let on_it = at == 0 && *kind != InvokeKind::Static;
                return calls.contains(&insn.bci) || on_it && method.descriptor.starts_with("()");
            }
            Op::Load { .. }
            | Op::Const { .. }
            | Op::Null
            | Op::Arith { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::InstanceOf(_)
            | Op::CheckCast(_)
            | Op::ArrayLength
            | Op::Stack(StackOp::Dup) => {}
            Op::Store { .. }
                if matches!(then.get(at + 1).map(|i| &i.op), Some(Op::MonitorEnter)) => {}
            _ => return false,
        }
    }
    false
}
