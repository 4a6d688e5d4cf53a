//! Follows the paths of a region and cuts them into atomic steps.
//!
//! A step begins where the monitor is acquired (on entry, or when a wait returns) and ends where
//! it is given up (by a wait, or by leaving). Within a step nobody else can change what the lock
//! guards, so all values are in terms of the state at its beginning. Callees are followed in
//! `call`. Work is bounded by [`FUEL`], [`MAX_STEPS`] and the widening of loops; what was cut
//! off is said in [`Explored::cut`].
//!
//! Start reading at [`Explorer::run`].

use super::expr::{Expr, Exprs, Linear, Node, OpKey, Site};
use super::facts::{Facts, negated};
use super::frame::{Frame, argument_words, execute};
use super::heap::{Heap, domain, saved};
use super::program::{MethodIx, Program};
use locklens_trace::ClassId;
use locklens_trace::code::{Cond, Insn, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Where a step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum From {
    /// Entering the region.
    Entry,
    /// A wait returns.
    Wait(Site),
}

/// The time-out of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timeout {
    /// None.
    Never,
    /// A constant number of milliseconds.
    Millis(i64),
    /// Some value.
    Some,
}

/// How a step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// The region is left, from a method with this result if any.
    Leaves(Option<Expr>),
    /// A wait on the lock.
    Waits(Site, Timeout),
    /// An exception is thrown.
    Throws,
}

/// A notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Note {
    /// `notifyAll`.
    pub(super) all: bool,
    /// The object, if it is not the lock of the region.
    pub(super) other: Option<Expr>,
}

/// One atomic step along one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: From,
    pub(super) end: End,
    /// What was found true at its beginning.
    pub(super) facts: Facts,
    /// New contents of places.
    pub(super) updates: BTreeMap<Expr, Expr>,
    /// Places read.
    pub(super) reads: BTreeSet<Expr>,
    pub(super) notes: Vec<Note>,
    /// Values put into arrays, collections or linked objects.
    pub(super) stored: BTreeSet<Expr>,
    /// Calls that could not be followed.
    pub(super) opaque: u32,
    /// A wait on another monitor while this one is held.
    pub(super) foreign_wait: bool,
    /// What the method goes on to do with objects made or found in a block, once it has left it.
    pub(super) after: After,
}

impl Step {
    /// They differ at most in what follows.
    fn is_same(&self, other: &Self) -> bool {
        self.from == other.from
            && self.end == other.end
            && self.facts == other.facts
            && self.updates == other.updates
            && self.notes == other.notes
            && self.stored == other.stored
            && self.reads == other.reads
            && (self.opaque, self.foreign_wait) == (other.opaque, other.foreign_wait)
    }
}

/// What follows a block on the same path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct After {
    /// It waits on an object made on this path, which others may find in the lock's state.
    pub(super) waits: bool,
    /// It notifies some other object.
    pub(super) notifies: bool,
}

impl After {
    fn join(&mut self, other: Self) {
        self.waits |= other.waits;
        self.notifies |= other.notifies;
    }
}

/// All steps found.
#[derive(Clone, Debug, Default)]
pub(super) struct Explored {
    pub(super) steps: Vec<Step>,
    /// Some paths were not followed to their end.
    pub(super) cut: bool,
}

/// A call being executed.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    pub(super) method: MethodIx,
    pub(super) pc: usize,
    pub(super) frame: Frame,
    /// Loop headers met in this step.
    headers: BTreeMap<usize, Met>,
    /// The monitor a synchronized callee entered.
    pub(super) monitor: Option<Expr>,
}

impl Activation {
    pub(super) fn new(method: MethodIx, pc: usize, frame: Frame) -> Self {
        Self {
            method,
            pc,
            frame,
            headers: BTreeMap::new(),
            monitor: None,
        }
    }
}

/// The state in which a loop header was last met.
#[derive(Clone, Debug)]
struct Met {
    times: u32,
    forks: u32,
    locals: Vec<Expr>,
    heap: BTreeMap<Expr, Expr>,
}

/// A path being followed.
#[derive(Clone, Debug)]
pub(super) struct State {
    from: From,
    pub(super) calls: Vec<Activation>,
    pub(super) heap: Heap,
    pub(super) facts: Facts,
    pub(super) notes: Vec<Note>,
    pub(super) stored: BTreeSet<Expr>,
    /// Other monitors entered inside.
    held: Vec<Expr>,
    /// Times the region's own monitor is held.
    own: u32,
    /// Results that could not be followed, by site.
    results: BTreeMap<Site, u32>,
    /// Branches taken that could have gone both ways.
    forks: u32,
    pub(super) opaque: u32,
    foreign_wait: bool,
    /// The block has been left; its step is complete but for what follows.
    left: Option<Box<Step>>,
}

/// Instructions executed for one region, over all its paths.
const FUEL: u32 = 15_000;
/// Steps kept of one region.
const MAX_STEPS: usize = 200;
/// Paths waiting to be followed.
const MAX_WORK: usize = 200;
/// Returns from one wait that keep their locals apart.
const MAX_RETURNS: u32 = 3;
/// Rounds of a loop whose tests are all decided by constants.
const MAX_ROUNDS: u32 = 200;

/// Open branches followed once the region has been left.
const MAX_FORKS_AFTER: u32 = 4;

/// What to explore.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) method: MethodIx,
    pub(super) pc: usize,
    pub(super) frame: Frame,
    /// The monitor; none for a constructor.
    pub(super) lock: Option<Expr>,
    /// The exact class of the object the method is called on.
    pub(super) this_class: Option<ClassId>,
}

impl Start {
    /// A whole method.
    pub(super) fn method(program: &Program, x: &mut Exprs, ix: MethodIx) -> Self {
        let method = &program.methods[ix];
        let words = argument_words(&method.signature, method.def.is_static());
        Self {
            method: ix,
            pc: 0,
            frame: Frame::entry(x, words),
            lock: None,
            this_class: None,
        }
    }
}

pub(super) struct Explorer<'a> {
    pub(super) program: &'a Program,
    pub(super) x: &'a mut Exprs,
    pub(super) lock: Option<Expr>,
    pub(super) this_class: Option<ClassId>,
    pub(super) depth: usize,
    work: Vec<State>,
    resumed: BTreeSet<(Site, Vec<Frame>)>,
    /// How often each wait has returned, and to what at first.
    returns: BTreeMap<Site, (u32, Vec<Frame>)>,
    out: Explored,
    fuel: u32,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(program: &'a Program, x: &'a mut Exprs, depth: u32) -> Self {
        Self {
            program,
            x,
            lock: None,
            this_class: None,
            depth: depth as usize,
            work: Vec::new(),
            resumed: BTreeSet::new(),
            returns: BTreeMap::new(),
            out: Explored::default(),
            fuel: FUEL,
        }
    }

    /// Explores a region from where it is entered.
    pub(super) fn run(mut self, start: Start) -> Explored {
        self.lock = start.lock;
        self.this_class = start.this_class;
        let mut heap = Heap::default();
        if start.lock.is_none() {
            heap.fresh.insert(self.x.make(Node::Entry(0)));
        }
        let activation = Activation::new(start.method, start.pc, start.frame);
        self.work.push(State {
            from: From::Entry,
            calls: vec![activation],
            heap,
            facts: Facts::default(),
            notes: Vec::new(),
            stored: BTreeSet::new(),
            held: Vec::new(),
            own: u32::from(start.lock.is_some()),
            results: BTreeMap::new(),
            forks: 0,
            opaque: 0,
            foreign_wait: false,
            left: None,
        });
        while let Some(state) = self.work.pop() {
            self.follow(state);
        }
        self.out
    }

    fn follow(&mut self, mut state: State) {
        loop {
            if self.fuel == 0 || self.out.steps.len() >= MAX_STEPS {
                self.out.cut = true;
                return;
            }
            self.fuel -= 1;
            match self.step(state) {
                Some(next) => state = next,
                None => return,
            }
        }
    }

    /// Follows another path later.
    pub(super) fn later(&mut self, state: State) {
        if self.work.len() < MAX_WORK {
            self.work.push(state);
        } else {
            self.out.cut = true;
        }
    }

    fn step(&mut self, mut state: State) -> Option<State> {
        if state.left.is_some() && state.forks > MAX_FORKS_AFTER {
            return None;
        }
        let program = self.program;
        let call = state.calls.last_mut()?;
        let method = &program.methods[call.method];
        let insn = method.code.get(call.pc)?;
        if method.headers.contains(&call.pc) && !self.meet(&mut state) {
            return None;
        }
        let call = state.calls.last_mut()?;
        let site = Site {
            method: call.method,
            bci: insn.bci,
        };
        if execute(
            insn,
            site,
            &mut call.frame,
            self.x,
            program,
            &mut state.heap,
        ) {
            self.note_store(insn, site, &mut state);
            state.calls.last_mut()?.pc += 1;
            return Some(state);
        }
        self.control(insn, site, state)
    }

    /// Remembers objects made here, and values that went into arrays and linked objects.
    fn note_store(&mut self, insn: &Insn, site: Site, state: &mut State) {
        match &insn.op {
            Op::New(class) => {
                let object = self.x.make(Node::New(site, class.as_str().into()));
                state.heap.fresh.insert(object);
            }
            Op::ArrayStore { .. } => {
                let elements: Vec<_> = state.heap.written.iter().map(|(&p, &v)| (p, v)).collect();
                let is_element = |p: &Expr| matches!(self.x.node(*p), Node::Elem(_));
                let values = elements.iter().filter(|(p, _)| is_element(p)).map(|e| e.1);
                state.stored.extend(values);
            }
            _ => {}
        }
    }

    /// A loop header: true if the path goes on. Met again after branches that could have gone
    /// both ways, what changed in between becomes the result of some rounds.
    fn meet(&mut self, state: &mut State) -> bool {
        let forks = state.forks;
        let Some(call) = state.calls.last_mut() else {
            return false;
        };
        let site = Site {
            method: call.method,
            bci: self.program.methods[call.method].code[call.pc].bci,
        };
        if let Some(met) = call.headers.get(&call.pc) {
            let decided = met.forks == forks;
            if met.times > MAX_ROUNDS || !decided && met.times > 1 {
                self.out.cut |= decided;
                return false;
            }
            if !decided {
                let (locals, heap) = (met.locals.clone(), met.heap.clone());
                widen(self.x, site, &mut call.frame.locals, &locals);
                widen_heap(self.x, site, &mut state.heap.written, &heap);
            }
        }
        let met = Met {
            times: call.headers.get(&call.pc).map_or(0, |m| m.times) + 1,
            forks,
            locals: call.frame.locals.clone(),
            heap: state.heap.written.clone(),
        };
        call.headers.insert(call.pc, met);
        true
    }

    fn control(&mut self, insn: &Insn, site: Site, mut state: State) -> Option<State> {
        match &insn.op {
            Op::Invoke { kind, method } => self.invoke(*kind, method, site, state),
            Op::Return { value } => self.leave(*value, state),
            Op::Goto(target) => self.jump(state, *target),
            Op::Switch { cases, default } => self.switch(state, cases, *default),
            Op::MonitorEnter => {
                let object = state.calls.last_mut()?.frame.pop(self.x, false);
                self.enter(&mut state, object);
                state.calls.last_mut()?.pc += 1;
                Some(state)
            }
            Op::MonitorExit => {
                let object = state.calls.last_mut()?.frame.pop(self.x, false);
                self.exit(&mut state, object);
                state.calls.last_mut()?.pc += 1;
                self.unless_released(state)
            }
            Op::Throw => {
                self.finish(state, End::Throws);
                None
            }
            Op::Jsr(_) | Op::Ret(_) => {
                self.out.cut = true;
                None
            }
            op => self.branch(op, state),
        }
    }

    fn branch(&mut self, op: &Op, mut state: State) -> Option<State> {
        let frame = &mut state.calls.last_mut()?.frame;
        match *op {
            Op::If { cond, target } => {
                let value = frame.pop(self.x, false);
                self.test(state, value, cond, target)
            }
            Op::IfCmp { cond, target } => {
                let (b, a) = (frame.pop(self.x, false), frame.pop(self.x, false));
                let value = self.x.plus(a, b, -1);
                self.test(state, value, cond, target)
            }
            Op::IfRef { equal, target } => {
                let (b, a) = (frame.pop(self.x, false), frame.pop(self.x, false));
                self.test_same(state, a, b, equal, target)
            }
            Op::IfNull { null, target } => {
                let a = frame.pop(self.x, false);
                let b = self.x.make(Node::Null);
                self.test_same(state, a, b, null, target)
            }
            _ => None,
        }
    }

    fn test(&mut self, state: State, value: Expr, cond: Cond, target: u16) -> Option<State> {
        let (yes, no) = self.split(state, value, cond);
        self.both(yes, no, target)
    }

    /// The state where `value cond 0` and the one where not; both if it is not decided.
    pub(super) fn split(
        &mut self,
        state: State,
        value: Expr,
        cond: Cond,
    ) -> (Option<State>, Option<State>) {
        let mut no = state.clone();
        let mut yes = state;
        let can = self.assume(&mut yes, value, cond);
        let cannot = self.assume(&mut no, value, negated(cond));
        if can && cannot {
            yes.forks += 1;
            no.forks += 1;
        }
        (can.then_some(yes), cannot.then_some(no))
    }

    fn assume(&mut self, state: &mut State, value: Expr, cond: Cond) -> bool {
        let program = self.program;
        let domain = |x: &Exprs, e: Expr| domain(program, x, e);
        match (self.x.node(value).clone(), cond) {
            (Node::Compare(a, b), _) => {
                let sum = self.x.linear(a).plus(&self.x.linear(b), -1);
                state.facts.assume(self.x, &sum, cond, &domain)
            }
            (Node::Op(OpKey::And, a, b), Cond::Ne) | (Node::Op(OpKey::Or, a, b), Cond::Eq)
                if self.is_truth(a) && self.is_truth(b) =>
            {
                self.assume(state, a, cond) && self.assume(state, b, cond)
            }
            (Node::Op(OpKey::Xor, a, b), Cond::Eq | Cond::Ne)
                if self.x.constant(b) == Some(1) && self.is_truth(a) =>
            {
                self.assume(state, a, negated(cond))
            }
            _ => {
                let sum: Linear = self.x.linear(value);
                state.facts.assume(self.x, &sum, cond, &domain)
            }
        }
    }

    /// The value is 0 or 1.
    fn is_truth(&self, e: Expr) -> bool {
        match self.x.node(e) {
            Node::Int(value) => matches!(value, 0 | 1),
            Node::Op(OpKey::And | OpKey::Or | OpKey::Xor, a, b) => {
                self.is_truth(*a) && self.is_truth(*b)
            }
            _ => {
                let range = domain(self.program, self.x, e);
                range.low == 0 && range.high == 1
            }
        }
    }

    fn test_same(
        &mut self,
        state: State,
        a: Expr,
        b: Expr,
        equal: bool,
        target: u16,
    ) -> Option<State> {
        let (yes, no) = self.split_same(state, a, b);
        match equal {
            true => self.both(yes, no, target),
            false => self.both(no, yes, target),
        }
    }

    /// The state where two references are equal and the one where they differ.
    pub(super) fn split_same(
        &mut self,
        state: State,
        a: Expr,
        b: Expr,
    ) -> (Option<State>, Option<State>) {
        let mut no = state.clone();
        let mut yes = state;
        let can = yes.facts.assume_same(self.x, a, b, true);
        let cannot = no.facts.assume_same(self.x, a, b, false);
        if can && cannot {
            yes.forks += 1;
            no.forks += 1;
        }
        (can.then_some(yes), cannot.then_some(no))
    }

    /// Goes on with the one that falls through, leaves the one that jumps for later.
    fn both(&mut self, jumps: Option<State>, falls: Option<State>, target: u16) -> Option<State> {
        let jumps = jumps.and_then(|state| self.jump(state, target));
        let falls = falls.and_then(|mut state| {
            state.calls.last_mut()?.pc += 1;
            Some(state)
        });
        match (jumps, falls) {
            (Some(jumps), Some(falls)) => {
                self.later(jumps);
                Some(falls)
            }
            (one, other) => one.or(other),
        }
    }

    fn jump(&self, mut state: State, target: u16) -> Option<State> {
        let call = state.calls.last_mut()?;
        call.pc = self.program.methods[call.method].at(target)?;
        Some(state)
    }

    fn switch(&mut self, mut state: State, cases: &[(i32, u16)], default: u16) -> Option<State> {
        let value = state.calls.last_mut()?.frame.pop(self.x, false);
        let mut rest = Some(state);
        for &(key, target) in cases {
            let Some(state) = rest.take() else { break };
            let difference = self.x.shift(value, -i64::from(key));
            let (yes, no) = self.split(state, difference, Cond::Eq);
            if let Some(yes) = yes.and_then(|s| self.jump(s, target)) {
                self.later(yes);
            }
            rest = no;
        }
        rest.and_then(|s| self.jump(s, default))
    }

    /// Enters a monitor.
    pub(super) fn enter(&mut self, state: &mut State, object: Expr) {
        if Some(object) == self.lock && state.left.is_none() {
            state.own += 1;
        } else {
            state.held.push(object);
        }
    }

    fn exit(&mut self, state: &mut State, object: Expr) {
        if Some(object) == self.lock {
            state.own = state.own.saturating_sub(1);
        } else if let Some(index) = state.held.iter().rposition(|&h| h == object) {
            state.held.remove(index);
        }
    }

    /// Goes on, unless the region's own monitor has just been released.
    fn unless_released(&mut self, mut state: State) -> Option<State> {
        if self.lock.is_none() || state.own > 0 || state.left.is_some() {
            return Some(state);
        }
        let step = step(&state, End::Leaves(None));
        self.keep(step.clone());
        state.left = Some(Box::new(step));
        state.forks = 0;
        Some(state)
    }

    fn leave(&mut self, value: bool, mut state: State) -> Option<State> {
        let mut call = state.calls.pop()?;
        let signature = &self.program.methods[call.method].signature;
        let wide = signature.result().is_some_and(|t| t.is_wide());
        let result = value.then(|| call.frame.pop(self.x, wide));
        if let Some(monitor) = call.monitor {
            self.exit(&mut state, monitor);
        }
        match state.calls.last_mut() {
            None => {
                self.finish(state, End::Leaves(result));
                None
            }
            Some(caller) => {
                if let Some(result) = result {
                    caller.frame.push(self.x, result, wide);
                }
                caller.pc += 1;
                Some(state)
            }
        }
    }

    /// A result that could not be followed, unlike earlier ones of the same site.
    pub(super) fn result(&mut self, state: &mut State, site: Site, class: Option<String>) -> Expr {
        let number = state.results.entry(site).or_default();
        *number += 1;
        self.x
            .make(Node::Opaque(site, *number, class.map(Into::into)))
    }

    /// A wait: on the region's lock the step ends and another begins behind it.
    pub(super) fn wait(
        &mut self,
        mut state: State,
        on: Expr,
        timeout: Timeout,
        site: Site,
    ) -> Option<State> {
        state.calls.last_mut()?.pc += 1;
        if state.left.is_some() {
            return self.wait_after(state, on);
        }
        let vague = matches!(self.x.node(on), Node::Opaque(..) | Node::Looped(..));
        let own = Some(on) == self.lock || vague && state.held.is_empty();
        if !own || self.lock.is_none() {
            state.foreign_wait = true;
            return Some(state);
        }
        let next = self.resume(&state, site);
        self.finish(state, End::Waits(site, timeout));
        next
    }

    /// A wait after the block has been left. One on an object of this path's own belongs to what
    /// the block has decided.
    fn wait_after(&mut self, mut state: State, on: Expr) -> Option<State> {
        if !matches!(self.x.node(on), Node::New(..)) {
            return Some(state);
        }
        if let Some(step) = &mut state.left {
            step.after.waits = true;
        }
        self.finish(state, End::Leaves(None));
        None
    }

    /// A notification: after the block it only says that there is one.
    pub(super) fn note(&mut self, state: &mut State, note: Note) {
        match &mut state.left {
            Some(step) => step.after.notifies = true,
            None => state.notes.push(note),
        }
    }

    /// The state behind a wait, unless it has been followed already.
    fn resume(&mut self, state: &State, site: Site) -> Option<State> {
        let mut next = state.clone();
        next.from = From::Wait(site);
        next.heap.forget();
        next.facts = self.lasting(&state.facts);
        next.notes.clear();
        next.stored.clear();
        next.results.clear();
        next.forks = 0;
        next.opaque = 0;
        next.foreign_wait = false;
        for call in &mut next.calls {
            call.headers.clear();
            for value in call.frame.locals.iter_mut().chain(&mut call.frame.stack) {
                *value = saved(self.program, self.x, *value);
            }
        }
        self.settle(&mut next, site);
        let frames = next.calls.iter().map(|c| c.frame.clone()).collect();
        let many = self.resumed.len() >= MAX_WORK / 4;
        self.out.cut |= many;
        (!many && self.resumed.insert((site, frames))).then_some(next)
    }

    /// Locals that are different at every return from a wait, such as a count of the rounds,
    /// become the result of some rounds.
    fn settle(&mut self, next: &mut State, site: Site) {
        let frames = || next.calls.iter().map(|c| c.frame.clone()).collect();
        let (times, first) = self.returns.entry(site).or_insert_with(|| (0, frames()));
        *times += 1;
        if *times <= MAX_RETURNS || first.len() != next.calls.len() {
            return;
        }
        for (call, first) in next.calls.iter_mut().zip(first.iter()) {
            widen(self.x, site, &mut call.frame.locals, &first.locals);
            widen(self.x, site, &mut call.frame.stack, &first.stack);
        }
    }

    /// Facts that hold over a wait: those about what nobody can change.
    fn lasting(&self, facts: &Facts) -> Facts {
        let stable = |e: Expr| super::heap::is_stable(self.program, self.x, e);
        let mut kept = facts.clone();
        kept.ranges
            .retain(|terms, _| terms.iter().all(|t| stable(t.0)));
        kept.same.retain(|&(a, b), _| stable(a) && stable(b));
        kept
    }

    /// Keeps a step. One that differs from another only in what follows it is joined with it.
    fn finish(&mut self, mut state: State, end: End) {
        let step = match state.left.take() {
            Some(step) => *step,
            None => step(&state, end),
        };
        self.keep(step);
    }

    fn keep(&mut self, step: Step) {
        match self.out.steps.iter_mut().find(|s| s.is_same(&step)) {
            Some(known) => known.after.join(step.after),
            None => self.out.steps.push(step),
        }
    }
}

/// The step a state has made.
fn step(state: &State, end: End) -> Step {
    let mut updates = state.heap.written.clone();
    updates.retain(|place, value| place != value);
    Step {
        from: state.from,
        end,
        facts: state.facts.clone(),
        updates,
        reads: state.heap.reads.clone(),
        notes: state.notes.clone(),
        stored: state.stored.clone(),
        opaque: state.opaque,
        foreign_wait: state.foreign_wait,
        after: After::default(),
    }
}

fn widen(x: &mut Exprs, site: Site, now: &mut [Expr], before: &[Expr]) {
    for (value, &old) in now.iter_mut().zip(before) {
        if *value != old {
            *value = looped(x, old, site);
        }
    }
}

fn widen_heap(
    x: &mut Exprs,
    site: Site,
    now: &mut BTreeMap<Expr, Expr>,
    before: &BTreeMap<Expr, Expr>,
) {
    for (&place, value) in now.iter_mut() {
        let old = before.get(&place).copied().unwrap_or(place);
        if *value != old {
            *value = looped(x, old, site);
        }
    }
}

fn looped(x: &mut Exprs, old: Expr, site: Site) -> Expr {
    match x.node(old) {
        Node::Looped(_, same) if *same == site => old,
        _ => x.make(Node::Looped(old, site)),
    }
}
