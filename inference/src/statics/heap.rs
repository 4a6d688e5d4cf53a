//! What fields, elements and collections hold on one path, relative to the beginning of its
//! step.

use super::descriptor::Type;
use super::expr::{Expr, Exprs, Node};
use super::facts::Range;
use super::frame::Memory;
use super::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The heap of one path. A place not written in this step holds its own name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Heap {
    pub(super) written: BTreeMap<Expr, Expr>,
    /// Objects made in this step: fields not written hold zero.
    pub(super) fresh: BTreeSet<Expr>,
    /// Places read before they were written.
    pub(super) reads: BTreeSet<Expr>,
}

impl Heap {
    /// What holds when a wait has returned: others may have written anything.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Heap {
    /// The array of an element that has been written, perhaps, under another index.
    fn overwritten(&self, x: &Exprs, place: Expr) -> Option<Expr> {
        let Node::Index(array, index) = *x.node(place) else {
            return None;
        };
        let apart = |other: Expr| {
            let both = (x.node(index), x.node(other));
            matches!(both, (Node::Int(a), Node::Int(b)) if a != b)
        };
        let mut elements = self.written.keys().map(|&other| x.node(other));
        let perhaps =
            elements.any(|node| matches!(*node, Node::Index(of, at) if of == array && !apart(at)));
        perhaps.then_some(array)
    }
}

impl Memory for Heap {
    fn read(&mut self, x: &mut Exprs, program: &Program, place: Expr) -> Expr {
        let lumped = matches!(x.node(place), Node::Elem(_));
        if let Some(&value) = self.written.get(&place)
            && !lumped
        {
            return value;
        }
        if let Some(array) = self.overwritten(x, place) {
            return x.make(Node::Elem(array));
        }
        let default = match *x.node(place) {
            Node::Field(base, id) if self.fresh.contains(&base) => {
                let reference = Type(&program.field(id).descriptor).is_reference();
                Some(if reference { Node::Null } else { Node::Int(0) })
            }
            Node::Size(base) | Node::Cell(base) if self.fresh.contains(&base) => Some(Node::Int(0)),
            _ => None,
        };
        if let Some(default) = default {
            return x.make(default);
        }
        self.reads.insert(place);
        place
    }

    fn write(&mut self, place: Expr, value: Expr) {
        self.written.insert(place, value);
    }
}

/// What a value can be by its kind alone.
pub(super) fn domain(program: &Program, x: &Exprs, e: Expr) -> Range {
    match x.node(e) {
        Node::Size(_) | Node::Length(_) => Range::between(0, i64::from(i32::MAX)),
        Node::Alive(_) | Node::Is(..) => Range::between(0, 1),
        Node::Field(_, id) | Node::Static(id) | Node::Slot(id)
            if program.field(*id).descriptor == "Z" =>
        {
            Range::between(0, 1)
        }
        Node::Saved(inner) | Node::Looped(inner, _) => domain(program, x, *inner),
        _ => Range::all(),
    }
}

/// The value cannot change while nobody holds the lock: it is made of constants, arguments and
/// fields that only constructors write.
pub(super) fn is_stable(program: &Program, x: &Exprs, e: Expr) -> bool {
    match x.node(e) {
        Node::Int(_)
        | Node::Null
        | Node::Second
        | Node::Address(_)
        | Node::Entry(_)
        | Node::Lock
        | Node::Current
        | Node::Mirror(_)
        | Node::New(..)
        | Node::Opaque(..)
        | Node::Clock(_)
        | Node::Saved(_) => true,
        Node::Static(id) | Node::Slot(id) => program.is_stable(*id),
        Node::Field(base, id) => program.is_stable(*id) && is_stable(program, x, *base),
        Node::Length(base) | Node::Is(base, _) | Node::Looped(base, _) => {
            is_stable(program, x, *base)
        }
        Node::Elem(_)
        | Node::Index(..)
        | Node::Keyed(..)
        | Node::Size(_)
        | Node::Cell(_)
        | Node::Alive(_) => false,
        Node::Op(_, a, b) | Node::Compare(a, b) => {
            is_stable(program, x, *a) && is_stable(program, x, *b)
        }
        Node::Sum(terms, _) => terms.iter().all(|t| is_stable(program, x, t.0)),
    }
}

/// `e` as remembered over a wait: parts that can change are marked as old.
pub(super) fn saved(program: &Program, x: &mut Exprs, e: Expr) -> Expr {
    x.rewrite(e, &mut |x, part| {
        if is_stable(program, x, part) {
            return Some(part);
        }
        match x.node(part) {
            Node::Sum(..) | Node::Op(..) | Node::Compare(..) => None,
            _ => Some(x.make(Node::Saved(part))),
        }
    })
}
