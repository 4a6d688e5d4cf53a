//! The steps of all regions of one lock, in common terms.
//!
//! Each region sees the lock's state through its own `this`, parameters and fields; here the
//! lock is [`Node::Lock`] wherever it came from, and a field of an object that a fixed path leads
//! to is [`Node::Slot`], whichever path it was. Distinct objects that hold fields of the same
//! declaration are lumped together: within one lock they play the same part.

use super::expr::{Expr, Exprs, Linear, Node, Site};
use super::facts::{Facts, Range, Terms};
use super::flow::flow;
use super::heap::{is_stable, saved};
use super::paths::{Explorer, Start};
use super::program::Program;
use super::step::{End, Step};
use super::survey::{Surveyed, own_object};
use crate::region::RegionId;
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::collections::{BTreeMap, BTreeSet};

/// What one region does.
#[derive(Clone, Debug)]
pub(super) struct Behaviour {
    pub(super) steps: Vec<Step>,
    /// Some paths were not followed to their end.
    pub(super) cut: bool,
    /// The code says that it can wait on the lock.
    pub(super) may_wait: bool,
    /// A way out of it has looked at entries of an array or table that its caller names, and changed others of them alone.
    pub(super) crosses: bool,
    /// Results of the leaving steps are taken from a method that is the region.
    pub(super) method: super::program::MethodIx,
    /// Instruction index of its `monitorenter`; none for a synchronized method.
    pub(super) enter: Option<usize>,
}

/// The regions of one lock.
#[derive(Clone, Debug, Default)]
pub(super) struct Automaton {
    pub(super) x: Exprs,
    pub(super) regions: BTreeMap<RegionId, Behaviour>,
    /// The field that holds the lock, where regions take it from one.
    pub(super) holder: Option<Expr>,
    /// Arrays of which elements are used.
    indexed: BTreeMap<Expr, Indexing>,
    /// Those whose elements are variables by themselves.
    fixed: BTreeSet<Expr>,
}

/// Who says which element of an array is used.
#[derive(Clone, Copy, Debug)]
struct Indexing {
    /// Always the caller.
    named: bool,
    /// Always the code: each element is a variable by itself.
    fixed: bool,
}

/// A region as it was explored, in its own terms.
struct Raw {
    id: RegionId,
    lock: Expr,
    steps: Vec<Step>,
    behaviour: Behaviour,
}

impl Automaton {
    /// Explores regions. `exact` is the class of the lock objects, if there is only one.
    pub(super) fn explore(
        program: &Program,
        regions: &BTreeMap<RegionId, &Surveyed>,
        exact: Option<ClassId>,
        depth: u32,
    ) -> Self {
        let mut automaton = Self::default();
        let explored = regions
            .iter()
            .filter_map(|(&id, surveyed)| automaton.raw(program, (id, surveyed), exact, depth));
        let explored: Vec<Raw> = explored.collect();
        // Which elements are used must be known of all regions before any of them is told of.
        for raw in &explored {
            automaton.in_common(program, raw);
        }
        let fixed = automaton.indexed.iter().filter(|(_, of)| of.fixed);
        let fixed: BTreeSet<Expr> = fixed.map(|(&array, _)| array).collect();
        automaton.fixed = fixed;
        for raw in explored {
            let steps = automaton.in_common(program, &raw);
            let behaviour = Behaviour {
                steps,
                ..raw.behaviour
            };
            automaton.regions.insert(raw.id, behaviour);
        }
        automaton
    }

    fn raw(
        &mut self,
        program: &Program,
        (id, surveyed): (RegionId, &Surveyed),
        exact: Option<ClassId>,
        depth: u32,
    ) -> Option<Raw> {
        let x = &mut self.x;
        let mut start = start(program, x, surveyed)?;
        start.this_class = exact.filter(|&c| fits(program, c, surveyed));
        let lock = start.lock?;
        if let Node::Field(_, id) = *x.node(lock) {
            self.holder = Some(x.make(Node::Slot(id)));
        } else if let Node::Static(_) = x.node(lock) {
            self.holder = Some(lock);
        }
        let explored = Explorer::new(program, x, depth).run(start);
        let crosses = explored.steps.iter().any(|step| crosses(program, x, step));
        Some(Raw {
            id,
            lock,
            steps: explored.steps,
            behaviour: Behaviour {
                steps: Vec::new(),
                cut: explored.cut,
                crosses,
                may_wait: surveyed.reach.wait,
                method: surveyed.method,
                enter: surveyed.enter,
            },
        })
    }

    /// The steps of a region in common terms.
    fn in_common(&mut self, program: &Program, raw: &Raw) -> Vec<Step> {
        let mut common = Common {
            program,
            x: &mut self.x,
            lock: raw.lock,
            fixed: &self.fixed,
            indexed: &mut self.indexed,
        };
        let mut steps = Vec::new();
        for step in &raw.steps {
            let step = common.step(step);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }
}

impl Automaton {
    /// Arrays of which it is always the caller who names the element: each of these is a lock, a number, a flag by itself.
    pub(super) fn named(&self) -> impl Iterator<Item = Expr> {
        let named = self.indexed.iter().filter(|(_, of)| of.named);
        named.map(|(&array, _)| array)
    }
}

/// Of the entries that the caller names, a step that leaves looks at others than those that it changes.
fn crosses(program: &Program, x: &Exprs, step: &Step) -> bool {
    if !matches!(step.end, End::Leaves(_)) {
        return false;
    }
    let named = |e: Expr| match *x.node(e) {
        Node::Index(array, index) if is_named(program, x, index) => Some((array, e)),
        _ => None,
    };
    let tested = step.facts.ranges.keys().flatten().map(|t| t.0);
    let tested = tested.chain(step.facts.same.keys().flat_map(|&(a, b)| [a, b]));
    let changed: BTreeSet<_> = step.updates.keys().filter_map(|&e| named(e)).collect();
    let mut tested = tested.filter_map(named);
    tested.any(|of| !changed.contains(&of) && changed.iter().any(|other| other.0 == of.0))
}

/// The lock object's class can be the class of the region's `this`.
fn fits(program: &Program, class: ClassId, surveyed: &Surveyed) -> bool {
    let declaring = program.methods[surveyed.method].def.class;
    program.classes.above(class).contains(&declaring)
}

/// Where a region begins.
fn start(program: &Program, x: &mut Exprs, surveyed: &Surveyed) -> Option<Start> {
    let whole = Start::method(program, x, surveyed.method);
    let Some(at) = surveyed.enter else {
        let lock = own_object(program, x, surveyed.method);
        return Some(Start {
            lock: Some(lock),
            ..whole
        });
    };
    let points = flow(program, x, surveyed.method).points;
    let point = points.into_iter().nth(at)??;
    let mut frame = point.frame;
    let lock = frame.pop(x, false);
    for value in frame.locals.iter_mut().chain(&mut frame.stack) {
        if *value != lock {
            *value = saved(program, x, *value);
        }
    }
    Some(Start {
        pc: at + 1,
        frame,
        lock: Some(lock),
        ..whole
    })
}

/// Brings the values of one region into common terms.
struct Common<'a> {
    program: &'a Program,
    x: &'a mut Exprs,
    lock: Expr,
    fixed: &'a BTreeSet<Expr>,
    indexed: &'a mut BTreeMap<Expr, Indexing>,
}

impl Common<'_> {
    fn step(&mut self, step: &Step) -> Step {
        let mut out = step.clone();
        out.facts = self.facts(&step.facts);
        out.updates = step
            .updates
            .iter()
            .map(|(&p, &v)| (self.value(p), self.value(v)))
            .collect();
        out.reads = step.reads.iter().map(|&e| self.value(e)).collect();
        out.stored = self.passed_in(&step.stored);
        for note in &mut out.notes {
            note.other = note.other.map(|e| self.value(e));
        }
        if let End::Leaves(Some(result)) = out.end {
            out.end = End::Leaves(Some(self.value(result)));
        }
        out
    }

    fn passed_in(&mut self, stored: &BTreeSet<Expr>) -> BTreeSet<Expr> {
        stored.iter().map(|&e| self.value(e)).collect()
    }

    fn facts(&mut self, facts: &Facts) -> Facts {
        let mut out = Facts::default();
        for (terms, range) in &facts.ranges {
            // What cannot change says nothing about the lock's state.
            if terms.iter().all(|t| is_stable(self.program, self.x, t.0)) {
                continue;
            }
            if let Some((terms, range)) = self.range(terms, range) {
                let known = out.ranges.entry(terms).or_insert_with(Range::all);
                known.meet(&range);
            }
        }
        // Several elements lumped together can have been found different.
        out.ranges.retain(|_, range| !range.is_empty());
        for (&(a, b), &equal) in &facts.same {
            let (a, b) = (self.value(a), self.value(b));
            if a != b {
                out.same.insert((a.min(b), a.max(b)), equal);
            }
        }
        out
    }

    fn range(&mut self, terms: &Terms, range: &Range) -> Option<(Terms, Range)> {
        let mut sum = Linear::default();
        for &(e, k) in terms {
            let e = self.value(e);
            sum = sum.plus(&self.x.linear(e), k);
        }
        let &(_, first) = sum.terms.first()?;
        let shifted = range.shifted(-sum.constant);
        match first > 0 {
            true => Some((sum.terms, shifted)),
            false => Some((sum.times(-1).terms, shifted.mirrored())),
        }
    }

    fn value(&mut self, e: Expr) -> Expr {
        let of = (self.program, self.lock, self.fixed);
        common(of, self.x, self.indexed, e)
    }
}

fn common(
    of: (&Program, Expr, &BTreeSet<Expr>),
    x: &mut Exprs,
    indexed: &mut BTreeMap<Expr, Indexing>,
    e: Expr,
) -> Expr {
    let (program, lock, fixed) = of;
    x.rewrite(e, &mut |x, part| {
        if part == lock {
            return Some(x.make(Node::Lock));
        }
        let (base, id) = match *x.node(part) {
            Node::Field(base, id) => (base, id),
            Node::Index(array, index) => {
                let array = common(of, x, indexed, array);
                let is_fixed = matches!(x.node(index), Node::Int(_));
                let known = indexed.entry(array).or_insert(Indexing {
                    named: true,
                    fixed: true,
                });
                known.named &= is_named(program, x, index);
                known.fixed &= is_fixed;
                return Some(x.make(match fixed.contains(&array) {
                    true => Node::Index(array, index),
                    false => Node::Elem(array),
                }));
            }
            _ => return None,
        };
        let base = common(of, x, indexed, base);
        let keeps = matches!(x.node(base), Node::New(..)) || !is_stable(program, x, base);
        let node = if keeps {
            Node::Field(base, id)
        } else {
            Node::Slot(id)
        };
        Some(x.make(node))
    })
}

/// An index is made of what the caller gives, not searched for, and not kept with the lock.
fn is_named(program: &Program, x: &Exprs, index: Expr) -> bool {
    let given = |node: &Node| match node {
        Node::Entry(_) => true,
        Node::Opaque(site, ..) => is_of_value(program, *site),
        _ => false,
    };
    let found = |node: &Node| match node {
        Node::Looped(..) | Node::Elem(_) | Node::Index(..) => true,
        Node::Opaque(site, ..) => !is_of_value(program, *site),
        _ => false,
    };
    is_stable(program, x, index) && x.any(index, &given) && !x.any(index, &found)
}

/// The result of a method that makes a number of a value, whatever it is.
fn is_of_value(program: &Program, site: Site) -> bool {
    let Some(method) = program.methods.get(site.method) else {
        return false;
    };
    let mut code = method.code.iter();
    let insn = code.find(|insn| insn.bci == site.bci);
    insn.is_some_and(|insn| {
        matches!(&insn.op, Op::Invoke { method, .. }
            if matches!(method.name.as_str(), "hashCode" | "identityHashCode" | "ordinal" | "floorMod" | "abs"))
    })
}
