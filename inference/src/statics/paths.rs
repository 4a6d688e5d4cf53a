//! Follows the paths of a region and cuts them into atomic steps.
//!
//! A step begins where the monitor is acquired (on entry, or when a wait returns) and ends where
//! it is given up (by a wait, or by leaving). Within a step nobody else can change what the lock
//! guards, so all values are in terms of the state at its beginning. Callees are followed in
//! `call`. Work is bounded by [`FUEL`], [`MAX_STEPS`] and the widening of loops; what was cut
//! off is said in [`Explored::cut`].
//!
//! Start reading at [`Explorer::run`].

use super::expr::{Expr, Exprs, Node, Site};
use super::facts::Facts;
use super::frame::{Frame, argument_words, execute};
use super::heap::{Heap, saved};
use super::program::{MethodIx, Program};
use super::rounds::Met;
use super::step::{After, End, Explored, From, Note, Step, Timeout};
use super::texts::forget_unkept;
use locklens_trace::ClassId;
use locklens_trace::code::{Insn, Op};
use std::collections::{BTreeMap, BTreeSet};

/// A call being executed.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    pub(super) method: MethodIx,
    pub(super) pc: usize,
    pub(super) frame: Frame,
    /// Loop headers met in this step.
    pub(super) headers: BTreeMap<usize, Met>,
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

/// A path being followed.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) from: From,
    pub(super) calls: Vec<Activation>,
    pub(super) heap: Heap,
    pub(super) facts: Facts,
    pub(super) notes: Vec<Note>,
    pub(super) stored: BTreeSet<Expr>,
    /// Other monitors entered inside.
    pub(super) held: Vec<Expr>,
    /// Times the region's own monitor is held.
    pub(super) own: u32,
    /// Results that could not be followed, by site.
    pub(super) results: BTreeMap<Site, u32>,
    /// Results that are other ways of looking at a collection or map, which they are of.
    pub(super) views: BTreeMap<Expr, Expr>,
    /// Branches taken that could have gone both ways.
    pub(super) forks: u32,
    pub(super) opaque: u32,
    pub(super) foreign_wait: bool,
    /// The block has been left; its step is complete but for what follows.
    pub(super) left: Option<Box<Step>>,
    /// It leaves a loop after one round, or is of no more interest.
    pub(super) after_one_round: bool,
}

/// Instructions executed for one region, over all its paths.
const FUEL: u32 = 15_000;
/// Steps kept of one region.
const MAX_STEPS: usize = 200;
/// Paths waiting to be followed.
const MAX_WORK: usize = 200;
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
    pub(super) work: Vec<State>,
    pub(super) resumed: BTreeSet<(Site, Vec<Frame>)>,
    /// How often each wait has returned, and to what at first.
    pub(super) returns: BTreeMap<Site, (u32, Vec<Frame>)>,
    pub(super) out: Explored,
    pub(super) fuel: u32,
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
            views: BTreeMap::new(),
            forks: 0,
            opaque: 0,
            foreign_wait: false,
            left: None,
            after_one_round: false,
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
            self.note_text(&mut state, site, &insn.op);
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
                let is_element = |p: &Expr| matches!(self.x.node(*p), Node::Index(..));
                let values = elements.iter().filter(|(p, _)| is_element(p)).map(|e| e.1);
                state.stored.extend(values);
            }
            _ => {}
        }
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
            Op::Jsr(target) => self.subroutine(state, *target),
            Op::Ret(slot) => self.end_subroutine(state, *slot),
            op => self.branch(op, state),
        }
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
        let step = step(self.x, &state, End::Leaves(None));
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
        if state.after_one_round {
            return None;
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
        next.views.clear();
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
            None => step(self.x, &state, end),
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
fn step(x: &Exprs, state: &State, end: End) -> Step {
    let mut updates = state.heap.written.clone();
    updates.retain(|place, value| place != value);
    forget_unkept(x, &mut updates);
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
