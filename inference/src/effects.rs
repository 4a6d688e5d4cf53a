//! What a region may do to its own lock: wait, notify one, notify all.
//!
//! Own bytecode plus transitive callees to a bounded depth, resolved over the classes the trace
//! defines. The lock object is followed through receivers and arguments: a `notify` on something
//! else does not count. Where the object is lost (the callee reaches it by a way of its own), a
//! `notify` on an object of the same declared type counts, for this says what *may* happen.

use crate::program::Program;
use crate::region::flow::successors;
use crate::region::nesting::Call;
use crate::region::subject::Subject;
use crate::region::{Region, RegionPlace};
use locklens_trace::code::{InvokeKind, Op};
use locklens_trace::record::MethodDef;
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What a region can reach. None: not seen to, but code that was not followed might.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// `Object.wait` on its lock.
    pub may_wait: Option<bool>,
    /// The same, without a limit.
    pub may_wait_for_ever: Option<bool>,
    /// `Object.notify` on its lock.
    pub may_notify: Option<bool>,
    /// `Object.notifyAll` on its lock.
    pub may_notify_all: Option<bool>,
    /// A notify and after it, without leaving, a wait.
    pub may_wait_after_notify: Option<bool>,
    /// A wait and after it, without leaving, a notify.
    pub may_notify_after_wait: Option<bool>,
}

impl Effects {
    /// Whether it is known to reach a notify of either kind.
    #[must_use]
    pub fn notifies(self) -> bool {
        self.may_notify == Some(true) || self.may_notify_all == Some(true)
    }
}

/// Effects of regions, worked out once each.
#[derive(Debug)]
pub struct EffectTable<'a, 'p> {
    program: &'a Program<'p>,
    depth: u32,
    known: BTreeMap<Region, Effects>,
}

impl<'a, 'p> EffectTable<'a, 'p> {
    /// An empty table that follows callees `depth` calls deep.
    #[must_use]
    pub fn new(program: &'a Program<'p>, depth: u32) -> Self {
        Self {
            program,
            depth,
            known: BTreeMap::new(),
        }
    }

    /// Effects of a region.
    pub fn of(&mut self, region: &Region) -> Effects {
        if let Some(&effects) = self.known.get(region) {
            return effects;
        }
        let effects = effects(self.program, region, self.depth);
        self.known.insert(region.clone(), effects);
        effects
    }
}

/// Methods one region may visit before its search is called incomplete.
const METHOD_LIMIT: usize = 4_000;

/// A method and what the lock is in its terms, if it can be told.
type Node = (MethodId, Option<Subject>);

struct Reach<'a, 'p> {
    program: &'a Program<'p>,
    /// Declared type of the region's object.
    type_name: Option<String>,
    found: BTreeSet<&'static str>,
    open: bool,
    seen: BTreeSet<Node>,
    queue: VecDeque<(Node, u32)>,
}

/// What each call inside a region does, joined.
fn effects(program: &Program<'_>, region: &Region, depth: u32) -> Effects {
    let Some(nesting) = program.nesting(region.method) else {
        return Effects::default();
    };
    let inside = |bci: u16| match region.place {
        RegionPlace::Method => true,
        RegionPlace::Block { ordinal, .. } => nesting.held_at(bci).contains(&ordinal),
        RegionPlace::Unknown { .. } => false,
    };
    if matches!(region.place, RegionPlace::Unknown { .. }) {
        return Effects::default();
    }
    let calls: Vec<(u16, Effects)> = nesting
        .calls
        .iter()
        .filter(|call| inside(call.bci))
        .map(|call| {
            let innermost = match region.place {
                RegionPlace::Block { ordinal, .. } => {
                    nesting.held_at(call.bci).last() == Some(&ordinal)
                }
                _ => false,
            };
            (
                call.bci,
                Reach::of(program, region, (call, innermost), depth),
            )
        })
        .collect();
    let any = |of: fn(&Effects) -> Option<bool>| any(calls.iter().map(|(_, e)| of(e)));
    let mut joined = Effects {
        may_wait: any(|e| e.may_wait),
        may_wait_for_ever: any(|e| e.may_wait_for_ever),
        may_notify: any(|e| e.may_notify),
        may_notify_all: any(|e| e.may_notify_all),
        may_wait_after_notify: None,
        may_notify_after_wait: None,
    };
    if joined.notifies() && joined.may_wait.is_some() {
        let notify: fn(Effects) -> bool = Effects::notifies;
        let wait: fn(Effects) -> bool = |e| e.may_wait == Some(true);
        let leads = |from, to| Some(leads(program, region, &calls, inside, from, to));
        joined.may_wait_after_notify = leads(notify, wait);
        joined.may_notify_after_wait = leads(wait, notify);
    }
    joined
}

/// True if anything is; false if all is known to be.
fn any(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    answers
        .try_fold(Some(false), |sofar, answer| match (sofar, answer) {
            (_, Some(true)) => Err(Some(true)),
            (None, _) | (_, None) => Ok(None),
            (Some(_), Some(false)) => Ok(Some(false)),
        })
        .unwrap_or_else(|known| known)
}

/// Whether normal flow inside a region leads from a call that does one thing to one that does
/// another. One call that may do both is taken to do it in this order.
fn leads(
    program: &Program<'_>,
    region: &Region,
    calls: &[(u16, Effects)],
    inside: impl Fn(u16) -> bool,
    from: fn(Effects) -> bool,
    to: fn(Effects) -> bool,
) -> bool {
    let Some(code) = program.catalog.code.get(&region.method) else {
        return true;
    };
    let arrives = |bci: u16| calls.iter().any(|&(at, e)| at == bci && to(e));
    let starts = calls.iter().filter(|(_, e)| from(*e));
    if starts.clone().any(|(bci, _)| arrives(*bci)) {
        return true;
    }
    let index = |bci: u16| code.insns.binary_search_by_key(&bci, |i| i.bci).ok();
    let mut work: Vec<usize> = starts.filter_map(|(bci, _)| index(*bci)).collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = work.pop() {
        let (targets, falls) = successors(&code.insns[at].op);
        let next = targets
            .into_iter()
            .filter_map(index)
            .chain(falls.then_some(at + 1));
        for next in next.filter(|&i| code.insns.get(i).is_some_and(|insn| inside(insn.bci))) {
            if arrives(code.insns[next].bci) {
                return true;
            }
            if seen.insert(next) {
                work.push(next);
            }
        }
    }
    false
}

impl<'a, 'p> Reach<'a, 'p> {
    /// What one call made inside a region may do to the region's lock. `innermost`: of the method's regions it is the
    /// innermost there.
    fn of(
        program: &'a Program<'p>,
        region: &Region,
        (call, innermost): (&Call<'_>, bool),
        depth: u32,
    ) -> Effects {
        let subject = program.subject(region);
        let mut reach = Self::new(program, region, &subject);
        let subject = Some(subject).filter(|s| *s != Subject::Unknown);
        // Who waits or notifies must hold what it is on; where neither is known (it is one of several), it is what is
        // held innermost.
        let lost = subject.is_none() && call.arguments.receiver() == Some(&Subject::Unknown);
        match monitor_operation(call).filter(|_| lost && innermost) {
            Some(operation) => reach.finds(operation, region.method, call),
            None => reach.call((region.class, region.method), subject.as_ref(), call, depth),
        }
        reach.run();
        reach.effects()
    }

    fn new(program: &'a Program<'p>, region: &Region, subject: &Subject) -> Self {
        let own = || program.catalog.class_name(region.class);
        Self {
            program,
            type_name: match subject {
                Subject::This => Some(own()),
                other => other.declared_type(),
            },
            found: BTreeSet::new(),
            open: false,
            seen: BTreeSet::new(),
            queue: VecDeque::new(),
        }
    }

    fn run(&mut self) {
        while let Some(((id, subject), depth)) = self.queue.pop_front() {
            let method = self.program.method(id);
            let (Some(method), Some(nesting)) = (method, self.program.nesting(id)) else {
                self.open |= !self.is_platform(method.map_or(ClassId(0), |m| m.class));
                continue;
            };
            for call in &nesting.calls {
                self.call((method.class, id), subject.as_ref(), call, depth);
            }
        }
    }

    fn finds(&mut self, operation: &'static str, method: MethodId, call: &Call<'_>) {
        self.found.insert(operation);
        if operation == "wait" && !is_limited(self.program, method, call) {
            self.found.insert(FOR_EVER);
        }
    }

    /// Takes in one call made in the code of a method of `class` where the lock is `subject`.
    fn call(
        &mut self,
        (class, method): (ClassId, MethodId),
        subject: Option<&Subject>,
        call: &Call<'_>,
        depth: u32,
    ) {
        if let Some(operation) = monitor_operation(call) {
            if self.concerns(class, subject, call) {
                self.finds(operation, method, call);
            }
            return;
        }
        let mut targets = self
            .program
            .hierarchy
            .targets(class, call.kind, call.callee);
        // Others run in place of an abstract method.
        let abstracts =
            |&id: &MethodId| self.program.method(id).is_some_and(MethodDef::is_abstract);
        targets.retain(|id| !abstracts(id));
        if targets.is_empty() {
            self.open |= !is_platform_name(&call.callee.class);
            return;
        }
        if depth == 0 || self.seen.len() >= METHOD_LIMIT {
            self.open = true;
            return;
        }
        for target in targets {
            let node = (target, subject.and_then(|s| s.in_callee(&call.arguments)));
            if self.seen.insert(node.clone()) {
                self.queue.push_back((node, depth - 1));
            }
        }
    }

    /// Whether a wait or notify may be on the region's lock.
    fn concerns(&self, class: ClassId, subject: Option<&Subject>, call: &Call<'_>) -> bool {
        let receiver = call.arguments.receiver().unwrap_or(&Subject::Unknown);
        match subject {
            Some(subject) => subject == receiver,
            None => {
                let own = || self.program.catalog.class_name(class);
                let type_name = match receiver {
                    Subject::This => Some(own()),
                    other => other.declared_type(),
                };
                type_name.is_some() && type_name == self.type_name
            }
        }
    }

    fn is_platform(&self, class: ClassId) -> bool {
        self.program
            .catalog
            .classes
            .get(&class)
            .is_some_and(|c| is_platform_name(&c.name))
    }

    fn effects(&self) -> Effects {
        let may = |name| match self.found.contains(name) {
            true => Some(true),
            false if self.open => None,
            false => Some(false),
        };
        Effects {
            may_wait: may("wait"),
            may_wait_for_ever: may(FOR_EVER),
            may_notify: may("notify"),
            may_notify_all: may("notifyAll"),
            may_wait_after_notify: None,
            may_notify_after_wait: None,
        }
    }
}

/// What is found besides of a wait without a limit.
const FOR_EVER: &str = "wait for ever";

/// Whether a wait has a limit: which its call passes, and is not 0 as it stands there.
fn is_limited(program: &Program<'_>, method: MethodId, call: &Call<'_>) -> bool {
    let insns = program.catalog.code.get(&method).map(|code| &code.insns);
    let at = insns.and_then(|insns| insns.binary_search_by_key(&call.bci, |insn| insn.bci).ok());
    let passed = insns.zip(at.and_then(|at| at.checked_sub(1)));
    let zero = |op: &Op| matches!(op, Op::Const { value: 0, .. });
    call.callee.descriptor != "()V" && passed.is_some_and(|(insns, at)| !zero(&insns[at].op))
}

/// The monitor operation a call is, by its name.
fn monitor_operation(call: &Call<'_>) -> Option<&'static str> {
    let method = call.callee;
    if matches!(call.kind, InvokeKind::Static | InvokeKind::Dynamic) {
        return None;
    }
    match (method.name.as_str(), method.descriptor.as_str()) {
        ("wait", "()V" | "(J)V" | "(JI)V") => Some("wait"),
        ("notify", "()V") => Some("notify"),
        ("notifyAll", "()V") => Some("notifyAll"),
        _ => None,
    }
}

/// Platform code does not notify the locks of applications: leaving its callees out does not
/// make an answer unknown. (What it calls back is resolved where the trace defines it.)
pub(crate) fn is_platform_name(name: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun.", "["]
        .iter()
        .any(|p| name.starts_with(p))
        || name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, call, dup, field, leave, load, store};
    use locklens_trace::code::Cond;

    /// `sync (object) { .. }` without its cleanup handler.
    fn block(object: Op, slot: u16, body: Vec<Op>) -> Vec<Op> {
        let mut ops = vec![object, dup(), store(slot), Op::MonitorEnter];
        ops.extend(body);
        ops.extend([load(slot), Op::MonitorExit]);
        ops
    }

    /// `line = .. ? this.a : this.b; sync (this) { sync (line) { line.wait(); } }`
    #[test]
    fn a_wait_on_one_of_several_objects_is_on_what_is_held_innermost() {
        let mut b = Build::default();
        let gate = b.class("app.Gate", "java.lang.Object");
        let mut ops = vec![
            load(1),
            Op::If {
                cond: Cond::Ne,
                target: 6,
            },
            load(0),
            field("app.Gate", "a"),
            store(2),
            Op::Goto(9),
            load(0),
            field("app.Gate", "b"),
            store(2),
        ];
        let waits = vec![load(2), call("java.lang.Object", "wait")];
        ops.extend(block(load(0), 3, block(load(2), 4, waits)));
        ops.push(leave());
        let method = b.coded(gate, "enter", 0, ops);
        let program = Program::of(&b.catalog);
        let may_wait = [(12, 0), (16, 1)].map(|(bci, ordinal)| {
            let region = Region {
                method,
                class: gate,
                place: RegionPlace::Block { bci, ordinal },
            };
            EffectTable::new(&program, 6).of(&region).may_wait
        });
        assert_eq!(may_wait, [Some(false), Some(true)]);
    }

    /// `synchronized enter() { .. }` that does nothing else than to wait so.
    #[test]
    fn a_wait_has_a_limit_if_its_call_passes_one_that_is_not_0() {
        const SYNCHRONIZED: u32 = 0x0020;
        let may_wait = |descriptor: &str, passes: Option<Op>| {
            let mut b = Build::default();
            let gate = b.class("app.Gate", "java.lang.Object");
            let mut waits = call("java.lang.Object", "wait");
            if let Op::Invoke { method, .. } = &mut waits {
                method.descriptor = descriptor.to_owned();
            }
            let mut ops = vec![load(0)];
            ops.extend(passes);
            ops.extend([waits, leave()]);
            let method = b.coded(gate, "enter", SYNCHRONIZED, ops);
            let program = Program::of(&b.catalog);
            let region = Region {
                method,
                class: gate,
                place: RegionPlace::Method,
            };
            let effects = EffectTable::new(&program, 6).of(&region);
            [effects.may_wait, effects.may_wait_for_ever]
        };
        let constant = |value| Op::Const { value, wide: true };
        assert_eq!(may_wait("()V", None), [Some(true); 2]);
        assert_eq!(may_wait("(J)V", Some(constant(0))), [Some(true); 2]);
        let limited = may_wait("(J)V", Some(constant(50)));
        assert_eq!(limited, [Some(true), Some(false)]);
    }

    /// `synchronized enter() { admits(); }`, where subclasses say who is admitted.
    #[test]
    fn an_abstract_method_does_what_those_do_that_stand_in_for_it() {
        const SYNCHRONIZED: u32 = 0x0020;
        const ABSTRACT: u32 = 0x0400;
        let effects = |stand_in: Option<Vec<Op>>| {
            let mut b = Build::default();
            let gate = b.class("app.Gate", "java.lang.Object");
            let wide = b.class("app.Wide", "app.Gate");
            let ops = vec![load(0), call("app.Gate", "admits"), leave()];
            let method = b.coded(gate, "enter", SYNCHRONIZED, ops);
            b.method(gate, "admits", "()V", ABSTRACT);
            if let Some(ops) = stand_in {
                b.coded(wide, "admits", 0, ops);
            }
            let program = Program::of(&b.catalog);
            let region = Region {
                method,
                class: gate,
                place: RegionPlace::Method,
            };
            EffectTable::new(&program, 6).of(&region).may_wait
        };
        let waits = vec![load(0), call("java.lang.Object", "wait"), leave()];
        assert_eq!(effects(Some(vec![leave()])), Some(false));
        assert_eq!(effects(Some(waits)), Some(true));
        assert_eq!(effects(None), None, "nobody is known");
    }
}
