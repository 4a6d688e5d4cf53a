//! Which regions are the last act of a thread: what they open is that thread's end.
//!
//! A region is left for good when nothing follows it in its method but the way out, and so on up
//! through all callers, to the method that a `Thread` was made to run. Start at
//! [`Endings::of`]. A lambda's body is known by the call site that links it; where that was not
//! recorded, it is not known who runs it.

use super::descriptor::Signature;
use super::expr::{Expr, Exprs, Node, Site};
use super::flow::{Flow, flow};
use super::frame::locals_of;
use super::program::{MethodIx, Program, Target, branch_targets};
use super::survey::Surveyed;
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Levels of callers looked at, and of calls that a task is handed through.
const MAX_DEPTH: usize = 6;
/// Calls of one method that are looked at; with more of them it is not known.
const MAX_CALLS: usize = 24;
/// Methods, and instructions of each, that are looked at for what takes its time.
const MAX_CALLED: usize = 64;
const MAX_FOLLOWED: usize = 2_000;

/// What comes to its end with a region or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// A thread.
    Thread,
    /// That can't be told.
    Unknown,
    /// Nothing: whoever ran it goes on.
    Nothing,
}

/// Answers by method.
pub(crate) struct Endings<'a> {
    program: &'a Program,
    x: Exprs,
    flows: BTreeMap<MethodIx, Flow>,
    made: &'a Made,
    known: BTreeMap<MethodIx, Ending>,
    /// Only what surely takes its time follows an end: words of farewell are part of it, and so is whatever is not known.
    roughly: bool,
}

/// Where functions are made, by the method that is their body.
pub(crate) type Made = BTreeMap<MethodIx, Vec<(MethodIx, usize)>>;

/// The functions that a program makes.
pub(crate) fn made(program: &Program) -> Made {
    let mut made = Made::new();
    for ix in 0..program.methods.len() {
        for (at, body) in functions(program, ix) {
            made.entry(body).or_default().push((ix, at));
        }
    }
    made
}

impl<'a> Endings<'a> {
    pub(crate) fn new(program: &'a Program, made: &'a Made) -> Self {
        Self {
            program,
            x: Exprs::default(),
            flows: BTreeMap::new(),
            made,
            known: BTreeMap::new(),
            roughly: false,
        }
    }

    /// Answers of what ends, be it a task in the hands of a pool, where nothing follows but what takes no time. There, that
    /// nothing ends is sure.
    pub(crate) fn roughly(program: &'a Program, made: &'a Made) -> Self {
        Self {
            roughly: true,
            ..Self::new(program, made)
        }
    }

    /// What ends when a region has been left.
    pub(crate) fn of(&mut self, region: &Surveyed) -> Ending {
        let exits = match region.enter {
            None => Vec::new(),
            Some(enter) => self.exits(region.method, enter),
        };
        match region.enter.is_none() || !exits.is_empty() && self.leads_out(region.method, exits) {
            true => self.method(region.method, &mut Vec::new()),
            false => Ending::Nothing,
        }
    }

    /// The region is left with the `run` of a task which no thread is seen to be made for.
    pub(crate) fn is_of_task(&mut self, region: &Surveyed) -> bool {
        let ix = region.method;
        let def = &self.program.methods[ix].def;
        let is = |class: &str| self.program.classes.is_a(def.class, class);
        let is_task = (def.name.as_str(), def.descriptor.as_str()) == ("run", "()V")
            && is("java.lang.Runnable")
            && !is(THREAD);
        is_task && joined(self.constructed(ix)) != Ending::Thread
    }

    /// The instructions that follow where a block of a method is left.
    fn exits(&mut self, ix: MethodIx, enter: usize) -> Vec<usize> {
        let code = &self.program.methods[ix].code;
        let points = &self.flow(ix).points;
        let holds = |at: usize| {
            let point = points.get(at).and_then(Option::as_ref);
            point.map(|p| p.held.iter().any(|h| h.0 == enter))
        };
        let leaves = |&at: &usize| {
            code[at].op == Op::MonitorExit
                && holds(at) == Some(true)
                && holds(at + 1) == Some(false)
        };
        (0..code.len()).filter(leaves).map(|at| at + 1).collect()
    }

    /// From these instructions on a method does nothing but end.
    fn leads_out(&self, ix: MethodIx, mut work: Vec<usize>) -> bool {
        let method = &self.program.methods[ix];
        let mut seen = BTreeSet::new();
        while let Some(at) = work.pop() {
            let Some(insn) = method.code.get(at) else {
                return false;
            };
            if !seen.insert(at) {
                continue;
            }
            match &insn.op {
                op if !self.roughly && acts(op) => return false,
                op if self.roughly && self.goes_on(ix, at, op) => return false,
                Op::Return { .. } | Op::Throw => continue,
                op => {
                    let targets = branch_targets(op);
                    work.extend(targets.into_iter().filter_map(|bci| method.at(bci)));
                    if !matches!(op, Op::Goto(_) | Op::Switch { .. }) {
                        work.push(at + 1);
                    }
                }
            }
        }
        true
    }

    /// What is done here takes its time: it blocks, or the method goes on and on.
    fn goes_on(&self, ix: MethodIx, at: usize, op: &Op) -> bool {
        let method = &self.program.methods[ix];
        let mut targets = branch_targets(op).into_iter();
        if targets.any(|bci| method.at(bci).is_some_and(|to| to <= at)) {
            return true;
        }
        // Each method that is called is looked at once, however many ways lead there.
        let (mut work, mut seen) = (Vec::new(), BTreeSet::new());
        let mut calls = |of: MethodIx, op: &Op, work: &mut Vec<MethodIx>| {
            let Op::Invoke { kind, method } = op else {
                return false;
            };
            let from = self.program.methods[of].def.class;
            if let Target::Code(callee) = self.program.resolve(*kind, method, from, None)
                && seen.len() < MAX_CALLED
                && seen.insert(callee)
            {
                work.push(callee);
            }
            blocks(method)
        };
        if calls(ix, op, &mut work) {
            return true;
        }
        while let Some(callee) = work.pop() {
            let code = self.program.methods[callee].code.iter();
            let mut code = code.take(MAX_FOLLOWED);
            if code.any(|insn| calls(callee, &insn.op, &mut work)) {
                return true;
            }
        }
        false
    }

    /// What ends when a method has returned.
    fn method(&mut self, ix: MethodIx, above: &mut Vec<MethodIx>) -> Ending {
        if let Some(&known) = self.known.get(&ix) {
            return known;
        }
        if above.len() > MAX_DEPTH || above.contains(&ix) {
            return Ending::Unknown;
        }
        above.push(ix);
        let ending = self.called(ix, above);
        above.pop();
        self.known.insert(ix, ending);
        ending
    }

    fn called(&mut self, ix: MethodIx, above: &mut Vec<MethodIx>) -> Ending {
        let def = &self.program.methods[ix].def;
        let is = |class: &str| self.program.classes.is_a(def.class, class);
        let runs = def.name == "run" && def.descriptor == "()V" && !def.is_static();
        let mut all = match runs {
            true if is(THREAD) => return Ending::Thread,
            true if is("java.lang.Runnable") => self.constructed(ix),
            _ => self.by_callers(ix, above),
        };
        let made = self.made.get(&ix).cloned().unwrap_or_default();
        for (maker, at) in made {
            let bci = self.program.methods[maker].code[at].bci;
            let site = Site { method: maker, bci };
            all.extend(self.ran(
                maker,
                &|n| matches!(n, Node::Opaque(s, _, _) if *s == site),
                0,
            ));
        }
        joined(all)
    }

    fn by_callers(&mut self, ix: MethodIx, above: &mut Vec<MethodIx>) -> Vec<Ending> {
        let callers = self.program.callers(&self.program.methods[ix].def);
        let callers: Vec<_> = callers.take(MAX_CALLS + 1).collect();
        if callers.len() > MAX_CALLS {
            return vec![Ending::Unknown];
        }
        let mut all = Vec::new();
        for (caller, at) in callers {
            all.push(match self.leads_out(caller, vec![at + 1]) {
                true => self.method(caller, above),
                false => Ending::Nothing,
            });
        }
        all
    }

    /// What ends with the `run` of the objects of a class.
    fn constructed(&mut self, run: MethodIx) -> Vec<Ending> {
        let program = self.program;
        let name = program.classes.name(program.methods[run].def.class);
        let mut all = Vec::new();
        for &(maker, at) in program.constructions(name).iter().take(MAX_CALLS) {
            let args = self.arguments(maker, at);
            let Some(Node::New(site, class)) = args.first().map(|&e| self.x.node(e).clone()) else {
                continue;
            };
            let new = Node::New(site, class);
            let kept = self.is_kept(maker, args[0]);
            let is = |n: &Node| *n == new || kept && matches!(n, Node::Opaque(_, _, None));
            let found = self.ran(maker, &is, 0);
            all.push(found.unwrap_or(Ending::Unknown));
        }
        all
    }

    /// A method puts a value into an array or collection: what it runs and is not known may be that value.
    fn is_kept(&mut self, ix: MethodIx, value: Expr) -> bool {
        let code = &self.program.methods[ix].code;
        code.iter().enumerate().any(|(at, insn)| match &insn.op {
            Op::ArrayStore { .. } => {
                let point = self.flow(ix).points.get(at).and_then(Option::as_ref);
                point.and_then(|p| p.frame.stack.last()) == Some(&value)
            }
            Op::Invoke { method, .. } if method.name == "add" => {
                self.arguments(ix, at).get(1) == Some(&value)
            }
            _ => false,
        })
    }

    /// Who runs a value of a method that is handed to something as a task; none if nobody that is
    /// known of.
    fn ran(&mut self, ix: MethodIx, is: &dyn Fn(&Node) -> bool, level: usize) -> Option<Ending> {
        if level > MAX_DEPTH {
            return Some(Ending::Unknown);
        }
        let mut all = Vec::new();
        let method = &self.program.methods[ix];
        for (at, insn) in method.code.iter().enumerate() {
            let Op::Invoke {
                kind,
                method: called,
            } = &insn.op
            else {
                continue;
            };
            let args = self.arguments(ix, at);
            let from = usize::from(!matches!(kind, InvokeKind::Static | InvokeKind::Dynamic));
            let handed: Vec<bool> = args.iter().map(|&e| is(self.x.node(e))).collect();
            if from == 1 && handed.first() == Some(&true) && called.name != "<init>" {
                all.extend(self.starts_itself((ix, *kind, called), level));
            }
            if handed.iter().skip(from).any(|&h| h) {
                all.extend(self.taken(ix, (*kind, called), &args, is, level));
            }
        }
        (!all.is_empty()).then(|| joined(all))
    }

    /// Who runs an object that one of its own methods is called on.
    fn starts_itself(
        &mut self,
        (ix, kind, called): (MethodIx, InvokeKind, &MemberRef),
        level: usize,
    ) -> Option<Ending> {
        let from = self.program.methods[ix].def.class;
        match self.program.resolve(kind, called, from, None) {
            Target::Code(callee) => self.ran(callee, &|n| *n == Node::Entry(0), level + 1),
            Target::Opaque => None,
        }
    }

    /// Who runs what is handed to a call.
    fn taken(
        &mut self,
        ix: MethodIx,
        (kind, called): (InvokeKind, &MemberRef),
        args: &[Expr],
        is: &dyn Fn(&Node) -> bool,
        level: usize,
    ) -> Option<Ending> {
        if starts(called) {
            return Some(Ending::Thread);
        }
        let from = self.program.methods[ix].def.class;
        if let Target::Code(callee) = self.program.resolve(kind, called, from, None) {
            let signature = &self.program.methods[callee].signature;
            let locals = locals_of(&mut self.x, signature, args);
            let slots: BTreeSet<u16> = (0..)
                .zip(&locals)
                .filter(|(_, e)| is(self.x.node(**e)))
                .map(|(slot, _)| slot)
                .collect();
            let entry = |n: &Node| matches!(n, Node::Entry(slot) if slots.contains(slot));
            return self.ran(callee, &entry, level + 1);
        }
        let signature = Signature::parse(&called.descriptor);
        let task =
            |name: &str| matches!(name, "java.lang.Runnable" | "java.util.concurrent.Callable");
        let mut params = signature.params().filter_map(|ty| ty.class_name());
        let ends = match self.roughly {
            true => Ending::Thread,
            false => Ending::Nothing,
        };
        params.any(|name| task(&name)).then_some(ends)
    }

    /// Receiver and arguments of a call.
    fn arguments(&mut self, ix: MethodIx, at: usize) -> Vec<Expr> {
        let Op::Invoke { kind, method } = &self.program.methods[ix].code[at].op else {
            return Vec::new();
        };
        let point = self.flow(ix).points.get(at).cloned().flatten();
        let Some(mut point) = point else {
            return Vec::new();
        };
        let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        let signature = Signature::parse(&method.descriptor);
        point.frame.pop_call(&mut self.x, &signature, receiver)
    }

    fn flow(&mut self, ix: MethodIx) -> &Flow {
        let (program, x) = (self.program, &mut self.x);
        self.flows.entry(ix).or_insert_with(|| flow(program, x, ix))
    }
}

const THREAD: &str = "java.lang.Thread";

/// Some code of the program runs one task after the other: its own pool, or a loop that does whatever it is told to.
pub(crate) fn runs_in_turn(program: &Program) -> bool {
    let is_run = |op: &Op| match op {
        Op::Invoke { method, .. } => {
            (method.class.as_str(), method.name.as_str()) == ("java.lang.Runnable", "run")
        }
        _ => false,
    };
    program.methods.iter().any(|method| {
        let calls = method.code.iter().enumerate();
        let mut calls = calls.filter(|(_, insn)| is_run(&insn.op));
        calls.any(|(at, _)| method.is_in_loop(at))
    })
}

/// Something ends only if it does on every way.
fn joined(all: impl IntoIterator<Item = Ending>) -> Ending {
    all.into_iter().max().unwrap_or(Ending::Unknown)
}

/// Others may notice the instruction.
fn acts(op: &Op) -> bool {
    matches!(
        op,
        Op::Invoke { .. }
            | Op::PutField(_)
            | Op::PutStatic(_)
            | Op::ArrayStore { .. }
            | Op::MonitorEnter
            | Op::Jsr(_)
            | Op::Ret(_)
    )
}

/// A call of the library that waits for something.
fn blocks(called: &MemberRef) -> bool {
    let class = called.class.as_str();
    match called.name.as_str() {
        "sleep" => class == THREAD || class == "java.util.concurrent.TimeUnit",
        "join" => class == THREAD,
        "wait" => called.descriptor.ends_with('V') && called.descriptor.len() <= "(JI)V".len(),
        "park" | "parkNanos" | "parkUntil" => class == "java.util.concurrent.locks.LockSupport",
        "take" | "put" => {
            let of_queue = class.ends_with("Queue") || class.ends_with("Deque");
            of_queue && class.starts_with("java.util.concurrent.")
        }
        "await" | "acquire" | "exchange" => class.starts_with("java.util.concurrent."),
        "get" => class.starts_with("java.util.concurrent.") && class.contains("Future"),
        _ => false,
    }
}

/// A call of the library that makes a thread of the task it is handed.
fn starts(called: &MemberRef) -> bool {
    match (called.class.as_str(), called.name.as_str()) {
        (THREAD, "<init>" | "startVirtualThread") => true,
        ("java.util.concurrent.ThreadFactory", "newThread") => true,
        (class, "start" | "unstarted") => class.starts_with("java.lang.Thread$Builder"),
        _ => false,
    }
}

/// The functions that a method makes: where, and the method that is the body.
fn functions(program: &Program, ix: MethodIx) -> Vec<(usize, MethodIx)> {
    let code = program.methods[ix].code.iter().enumerate();
    code.filter_map(|(at, insn)| Some((at, program.function(ix, insn.bci)?)))
        .collect()
}
