//! Finds every region of the program, what it locks, and whether it can reach a wait or notify.
//!
//! Start reading at [`Surveyor::run`].

use super::descriptor::Signature;
use super::expr::{Expr, Exprs, Node};
use super::flow::{Point, flow, ordinals, substitute};
use super::frame::locals_of;
use super::program::{MethodIx, Program, Target};
use super::subject::{Subject, subject};
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

/// A region and what was read off its code.
#[derive(Clone, Debug)]
pub(crate) struct Surveyed {
    pub(crate) method: MethodIx,
    /// Instruction index of the `monitorenter`; none for a synchronized method.
    pub(crate) enter: Option<usize>,
    pub(crate) subject: Subject,
    pub(crate) reach: Reach,
    /// Its method can reach a wait or notify on some object, be it another one.
    pub(crate) signals: bool,
}

/// What can be reached on the region's own lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) wait: bool,
    pub(crate) notify: bool,
    pub(crate) notify_all: bool,
}

impl Reach {
    fn add(&mut self, signal: Signal) {
        match signal {
            Signal::Wait => self.wait = true,
            Signal::Notify => self.notify = true,
            Signal::NotifyAll => self.notify_all = true,
        }
    }
}

/// The three methods of every monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Signal {
    Wait,
    Notify,
    NotifyAll,
}

/// The monitor method a call is, if any, and which of its operands is the monitor. They are
/// final: no class can redefine them.
pub(crate) fn signal(kind: InvokeKind, method: &MemberRef) -> Option<(Signal, usize)> {
    if matches!(kind, InvokeKind::Static | InvokeKind::Dynamic) {
        return None;
    }
    match (method.name.as_str(), method.descriptor.as_str()) {
        ("wait", "()V" | "(J)V" | "(JI)V") => Some((Signal::Wait, 0)),
        ("notify", "()V") => Some((Signal::Notify, 0)),
        ("notifyAll", "()V") => Some((Signal::NotifyAll, 0)),
        ("timedWait", "(Ljava/lang/Object;J)V") if method.class == TIME_UNIT => {
            Some((Signal::Wait, 1))
        }
        _ => None,
    }
}

/// Instructions between a wait and the end of its region that are looked at.
const MAX_WAY: usize = 16;

/// After each of its waits a block is left and entered again, and nothing else is done: the loop in which its condition
/// is looked at once more is around it.
pub(crate) fn asks_again(program: &Program, region: &Surveyed) -> bool {
    let (Some(enter), true) = (region.enter, region.reach.wait) else {
        return false;
    };
    let method = &program.methods[region.method];
    let mut waits = (0..method.code.len()).filter(|&at| match &method.code[at].op {
        Op::Invoke { kind, method } => {
            matches!(signal(*kind, method), Some((Signal::Wait, _)))
        }
        _ => false,
    });
    let leads_back = |wait: usize| {
        let (mut at, mut left) = (wait + 1, false);
        for _ in 0..MAX_WAY {
            if at == enter {
                return left;
            }
            let Some(insn) = method.code.get(at) else {
                return false;
            };
            at = match &insn.op {
                Op::Goto(target) => match method.at(*target) {
                    Some(target) => target,
                    None => return false,
                },
                Op::MonitorExit => {
                    left = true;
                    at + 1
                }
                Op::Nop
                | Op::Const { .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Stack(_)
                | Op::GetField(_)
                | Op::GetStatic(_) => at + 1,
                _ => return false,
            };
        }
        false
    };
    let first = waits.next();
    first.is_some_and(leads_back) && waits.all(leads_back)
}

const TIME_UNIT: &str = "java.util.concurrent.TimeUnit";

/// One wait, notify or call in a method.
struct Act {
    at: usize,
    /// Blocks of this method held here.
    held: Vec<usize>,
    what: What,
}

enum What {
    Signal(Signal, Expr),
    Call(MethodIx, Vec<Expr>),
}

/// A monitor method reachable from the entry of a method, on an object of its caller's.
type Signals = BTreeSet<(Signal, Option<Expr>)>;

pub(crate) struct Surveyor<'a> {
    program: &'a Program,
    x: Exprs,
    depth: u32,
    acts: BTreeMap<MethodIx, Vec<Act>>,
    signals: BTreeMap<(MethodIx, u32), Signals>,
    /// Methods that could reach any wait or notify at all: the others need no analysis.
    relevant: BTreeSet<MethodIx>,
}

impl<'a> Surveyor<'a> {
    pub(crate) fn new(program: &'a Program, depth: u32) -> Self {
        Self {
            program,
            x: Exprs::default(),
            depth,
            acts: BTreeMap::new(),
            signals: BTreeMap::new(),
            relevant: signalling(program, depth),
        }
    }

    /// Interns every region of the program and says what is known of it.
    pub(crate) fn run(mut self, table: &mut RegionTable) -> BTreeMap<RegionId, Surveyed> {
        let mut out = BTreeMap::new();
        for ix in 0..self.program.methods.len() {
            self.regions_of(ix, table, &mut out);
        }
        out
    }

    fn regions_of(
        &mut self,
        ix: MethodIx,
        table: &mut RegionTable,
        out: &mut BTreeMap<RegionId, Surveyed>,
    ) {
        let method = &self.program.methods[ix];
        let enters = ordinals(method);
        let synchronized = method.def.is_synchronized();
        if enters.is_empty() && !synchronized {
            return;
        }
        let points = flow(self.program, &mut self.x, ix).points;
        let mut intern = |place| {
            let (class, method) = (method.def.class, method.def.id);
            table.intern(Region {
                method,
                class,
                place,
            })
        };
        if synchronized {
            let id = intern(RegionPlace::Method);
            out.insert(id, self.survey(ix, None, &points));
        }
        for (&at, &ordinal) in &enters {
            let bci = method.code[at].bci;
            let id = intern(RegionPlace::Block { bci, ordinal });
            out.insert(id, self.survey(ix, Some(at), &points));
        }
    }

    fn survey(&mut self, ix: MethodIx, enter: Option<usize>, points: &[Option<Point>]) -> Surveyed {
        let object = self.object(ix, enter, points);
        Surveyed {
            method: ix,
            enter,
            subject: subject(self.program, &self.x, ix, object),
            reach: self.reach(ix, enter, object, points),
            signals: !self.method_signals(ix, self.depth).is_empty(),
        }
    }

    fn object(&mut self, ix: MethodIx, enter: Option<usize>, points: &[Option<Point>]) -> Expr {
        match enter {
            None => own_object(self.program, &mut self.x, ix),
            Some(at) => {
                let point = points.get(at).and_then(Option::as_ref);
                let top = point.and_then(|p| p.frame.stack.last().copied());
                top.unwrap_or_else(|| self.x.unknown())
            }
        }
    }

    /// Waits and notifies inside a region: all those on its object, and those on an object that
    /// is not known while it is the innermost (they would throw if they were on another).
    fn reach(
        &mut self,
        ix: MethodIx,
        enter: Option<usize>,
        object: Expr,
        points: &[Option<Point>],
    ) -> Reach {
        let mut reach = Reach::default();
        if !self.relevant.contains(&ix) {
            return reach;
        }
        self.index_acts(ix, points);
        let acts = self.acts.remove(&ix).unwrap_or_default();
        for act in &acts {
            let inside = enter.is_none_or(|at| act.held.contains(&at));
            let innermost = act.held.last().copied() == enter;
            if !inside {
                continue;
            }
            for (signal, on) in self.signals_of(act, self.depth) {
                let mine = on.is_none_or(|on| self.vague(on)) && innermost;
                if mine || on == Some(object) {
                    reach.add(signal);
                }
            }
        }
        self.acts.insert(ix, acts);
        reach
    }

    fn vague(&self, e: Expr) -> bool {
        matches!(self.x.node(e), Node::Opaque(..))
    }

    fn signals_of(&mut self, act: &Act, depth: u32) -> Signals {
        match &act.what {
            What::Signal(signal, on) => Signals::from([(*signal, Some(*on))]),
            What::Call(callee, args) if depth > 0 => {
                let inner = self.method_signals(*callee, depth - 1);
                let signature = &self.program.methods[*callee].signature;
                let locals = locals_of(&mut self.x, signature, args);
                let x = &mut self.x;
                let outward = |on: Option<Expr>| on.map(|e| substitute(x, e, &locals));
                let mut outward = outward;
                inner.into_iter().map(|(s, on)| (s, outward(on))).collect()
            }
            What::Call(..) => Signals::new(),
        }
    }

    /// Every monitor method reachable from a method's entry. A cycle of calls adds nothing.
    fn method_signals(&mut self, ix: MethodIx, depth: u32) -> Signals {
        if !self.relevant.contains(&ix) {
            return Signals::new();
        }
        if let Some(known) = self.signals.get(&(ix, depth)) {
            return known.clone();
        }
        self.signals.insert((ix, depth), Signals::new());
        if !self.acts.contains_key(&ix) {
            let points = flow(self.program, &mut self.x, ix).points;
            self.index_acts(ix, &points);
        }
        let acts = self.acts.remove(&ix).unwrap_or_default();
        let mut all = Signals::new();
        for act in &acts {
            all.extend(self.signals_of(act, depth));
        }
        self.acts.insert(ix, acts);
        self.signals.insert((ix, depth), all.clone());
        all
    }

    fn index_acts(&mut self, ix: MethodIx, points: &[Option<Point>]) {
        if self.acts.contains_key(&ix) {
            return;
        }
        let mut acts = Vec::new();
        for (at, insn) in self.program.methods[ix].code.iter().enumerate() {
            if let (Op::Invoke { kind, method }, Some(Some(point))) = (&insn.op, points.get(at)) {
                let held = point.held.iter().map(|h| h.0).collect();
                let what = self.what(ix, *kind, method, point);
                acts.extend(what.map(|what| Act { at, held, what }));
            }
        }
        acts.sort_by_key(|a| a.at);
        self.acts.insert(ix, acts);
    }

    fn what(
        &mut self,
        ix: MethodIx,
        kind: InvokeKind,
        method: &MemberRef,
        point: &Point,
    ) -> Option<What> {
        let signature = Signature::parse(&method.descriptor);
        let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        let args = point
            .frame
            .clone()
            .pop_call(&mut self.x, &signature, receiver);
        if let Some((signal, operand)) = signal(kind, method) {
            return args.get(operand).map(|&on| What::Signal(signal, on));
        }
        let from = self.program.methods[ix].def.class;
        match self.program.resolve(kind, method, from, None) {
            Target::Code(callee) if callee != ix => Some(What::Call(callee, args)),
            _ => None,
        }
    }
}

/// What a synchronized method locks.
pub(crate) fn own_object(program: &Program, x: &mut Exprs, ix: MethodIx) -> Expr {
    let def = &program.methods[ix].def;
    let name = program.classes.name(def.class);
    x.make(match def.is_static() {
        true => Node::Mirror(name.into()),
        false => Node::Entry(0),
    })
}

/// Methods from which a wait or notify can be reached within `depth` calls.
fn signalling(program: &Program, depth: u32) -> BTreeSet<MethodIx> {
    let mut found = BTreeSet::new();
    for (ix, method) in program.methods.iter().enumerate() {
        let signals = |op: &Op| match op {
            Op::Invoke { kind, method } => signal(*kind, method).is_some(),
            _ => false,
        };
        if method.code.iter().any(|i| signals(&i.op)) {
            found.insert(ix);
        }
    }
    let mut edge = found.clone();
    for _ in 0..depth {
        let mut next = BTreeSet::new();
        for &ix in &edge {
            next.extend(program.callers(&program.methods[ix].def).map(|c| c.0));
        }
        edge = next.difference(&found).copied().collect();
        found.extend(&edge);
    }
    found
}
