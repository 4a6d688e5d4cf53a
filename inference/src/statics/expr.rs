//! Symbolic values: what a local, field or condition is in terms of the state at the beginning
//! of an atomic step.
//!
//! Hash-consed: equal values have equal [`Expr`]s within one arena. Sums are kept in linear
//! normal form, so that `c + 1 - 1` is `c`. What cannot be followed is a fresh [`Node::Opaque`].

use super::program::{FieldId, MethodIx};
use crate::collect::FastMap;
use locklens_trace::code::ArithOp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A value of one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Expr(u32);

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    pub(crate) method: MethodIx,
    pub(crate) bci: u16,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    /// A constant.
    Int(i64),
    /// `null`.
    Null,
    /// Second word of a long or double.
    Second,
    /// Where a subroutine of the method returns to (`jsr`), by bci.
    Address(u16),
    /// What a slot held when the method was entered (slot 0: `this`).
    Entry(u16),
    /// The lock itself (only after normalisation).
    Lock,
    /// `Thread.currentThread()`.
    Current,
    /// A reading of a clock.
    Clock(Site),
    /// The mirror of a class.
    Mirror(Arc<str>),
    /// An object or array made here.
    New(Site, Arc<str>),
    /// Not followed; the number tells several results of one site apart.
    Opaque(Site, u32, Option<Arc<str>>),
    /// A field of an object.
    Field(Expr, FieldId),
    /// A field of *some* object, all of them lumped together (only after normalisation).
    Slot(FieldId),
    /// A static field.
    Static(FieldId),
    /// Some element of an array or collection.
    Elem(Expr),
    /// The element of an array at an index.
    Index(Expr, Expr),
    /// An element of a map at a key.
    Keyed(Expr, Expr),
    /// Length of an array.
    Length(Expr),
    /// Number of elements of a collection.
    Size(Expr),
    /// Content of an atomic variable or box.
    Cell(Expr),
    /// Whether a thread is alive.
    Alive(Expr),
    /// The value before the last wait.
    Saved(Expr),
    /// The value after some rounds of a loop.
    Looped(Expr, Site),
    /// A sum: terms and a constant.
    Sum(Vec<(Expr, i64)>, i64),
    /// Any other arithmetic.
    Op(OpKey, Expr, Expr),
    /// Result of a three-way comparison.
    Compare(Expr, Expr),
    /// Whether an object is of a class.
    Is(Expr, Arc<str>),
}

/// [`ArithOp`] with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum OpKey {
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
    Max,
    Min,
}

/// A sum in normal form: terms ascending by value with non-zero factors, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<(Expr, i64)>,
    pub(crate) constant: i64,
}

impl Linear {
    /// `self + factor * other`.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Self {
        let mut terms = self.terms.clone();
        for &(e, k) in &other.terms {
            let k = k.wrapping_mul(factor);
            match terms.binary_search_by_key(&e, |t| t.0) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(k),
                Err(at) => terms.insert(at, (e, k)),
            }
        }
        terms.retain(|t| t.1 != 0);
        let shift = other.constant.wrapping_mul(factor);
        Self {
            terms,
            constant: self.constant.wrapping_add(shift),
        }
    }

    /// Multiplied.
    pub(crate) fn times(&self, factor: i64) -> Self {
        Self::default().plus(self, factor)
    }
}

/// Terms of a sum kept apart; longer sums are not followed.
const MAX_TERMS: usize = 6;
/// Depth of nesting kept; deeper values are not followed.
const MAX_DEPTH: u8 = 12;

/// The arena.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exprs {
    nodes: Vec<(Node, u8)>,
    ids: FastMap<Node, Expr>,
    fresh: u32,
}

impl Exprs {
    /// The value of a node. One that is nested too deep becomes opaque.
    pub(crate) fn make(&mut self, node: Node) -> Expr {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let depth = 1 + children(&node).map(|e| self.depth(e)).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return self.unknown();
        }
        let id = Expr(self.nodes.len() as u32);
        self.nodes.push((node.clone(), depth));
        self.ids.insert(node, id);
        id
    }

    fn depth(&self, e: Expr) -> u8 {
        self.nodes[e.0 as usize].1
    }

    /// What a value is.
    pub(crate) fn node(&self, e: Expr) -> &Node {
        &self.nodes[e.0 as usize].0
    }

    /// A value nothing is known of, unlike any other.
    pub(crate) fn unknown(&mut self) -> Expr {
        self.fresh += 1;
        let nowhere = Site {
            method: MethodIx::MAX,
            bci: 0,
        };
        let node = Node::Opaque(nowhere, self.fresh, None);
        let id = Expr(self.nodes.len() as u32);
        self.nodes.push((node.clone(), 1));
        self.ids.insert(node, id);
        id
    }

    /// A constant.
    pub(crate) fn int(&mut self, value: i64) -> Expr {
        self.make(Node::Int(value))
    }

    /// The constant a value is, if it is one.
    pub(crate) fn constant(&self, e: Expr) -> Option<i64> {
        match self.node(e) {
            Node::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A value as a sum.
    pub(crate) fn linear(&self, e: Expr) -> Linear {
        match self.node(e) {
            Node::Int(value) => Linear {
                terms: Vec::new(),
                constant: *value,
            },
            Node::Sum(terms, constant) => Linear {
                terms: terms.clone(),
                constant: *constant,
            },
            _ => Linear {
                terms: vec![(e, 1)],
                constant: 0,
            },
        }
    }

    /// A sum as a value.
    pub(crate) fn sum(&mut self, sum: Linear) -> Expr {
        match (sum.terms.as_slice(), sum.constant) {
            ([], constant) => self.int(constant),
            (&[(e, 1)], 0) => e,
            (terms, _) if terms.len() > MAX_TERMS => self.unknown(),
            _ => self.make(Node::Sum(sum.terms, sum.constant)),
        }
    }

    /// `a + factor * b`.
    pub(crate) fn plus(&mut self, a: Expr, b: Expr, factor: i64) -> Expr {
        let sum = self.linear(a).plus(&self.linear(b), factor);
        self.sum(sum)
    }

    /// `a + k`.
    pub(crate) fn shift(&mut self, a: Expr, k: i64) -> Expr {
        let mut sum = self.linear(a);
        sum.constant = sum.constant.wrapping_add(k);
        self.sum(sum)
    }

    /// An arithmetic operation.
    pub(crate) fn arith(&mut self, op: ArithOp, a: Expr, b: Expr) -> Expr {
        match op {
            ArithOp::Add => self.plus(a, b, 1),
            ArithOp::Sub => self.plus(a, b, -1),
            ArithOp::Neg => {
                let sum = self.linear(a).times(-1);
                self.sum(sum)
            }
            ArithOp::Mul => self.mul(a, b),
            ArithOp::Div => self.op(OpKey::Div, a, b),
            ArithOp::Rem => self.op(OpKey::Rem, a, b),
            ArithOp::Shl => self.op(OpKey::Shl, a, b),
            ArithOp::Shr => self.op(OpKey::Shr, a, b),
            ArithOp::Ushr => self.op(OpKey::Ushr, a, b),
            ArithOp::And => self.op(OpKey::And, a, b),
            ArithOp::Or => self.op(OpKey::Or, a, b),
            ArithOp::Xor => self.op(OpKey::Xor, a, b),
        }
    }

    fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.constant(a), self.constant(b)) {
            (_, Some(k)) => {
                let sum = self.linear(a).times(k);
                self.sum(sum)
            }
            (Some(k), _) => {
                let sum = self.linear(b).times(k);
                self.sum(sum)
            }
            _ => self.make(Node::Op(OpKey::Mul, a, b)),
        }
    }

    /// An operation that is not linear, folded when both operands are constant.
    pub(crate) fn op(&mut self, op: OpKey, a: Expr, b: Expr) -> Expr {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => match fold(op, x, y) {
                Some(value) => self.int(value),
                None => self.make(Node::Op(op, a, b)),
            },
            _ => self.make(Node::Op(op, a, b)),
        }
    }

    /// `e` with every part that `replace` gives another value for replaced, outermost first.
    pub(crate) fn rewrite(
        &mut self,
        e: Expr,
        replace: &mut dyn FnMut(&mut Self, Expr) -> Option<Expr>,
    ) -> Expr {
        if let Some(other) = replace(self, e) {
            return other;
        }
        match self.node(e).clone() {
            Node::Sum(terms, constant) => {
                let mut sum = Linear {
                    terms: Vec::new(),
                    constant,
                };
                for (term, k) in terms {
                    let term = self.rewrite(term, replace);
                    sum = sum.plus(&self.linear(term), k);
                }
                self.sum(sum)
            }
            Node::Op(op, a, b) => {
                let (a, b) = (self.rewrite(a, replace), self.rewrite(b, replace));
                self.op(op, a, b)
            }
            node => self.rebuild(node, replace),
        }
    }

    fn rebuild(
        &mut self,
        node: Node,
        replace: &mut dyn FnMut(&mut Self, Expr) -> Option<Expr>,
    ) -> Expr {
        let node = match node {
            Node::Field(base, f) => Node::Field(self.rewrite(base, replace), f),
            Node::Elem(a) => Node::Elem(self.rewrite(a, replace)),
            Node::Keyed(a, k) => Node::Keyed(self.rewrite(a, replace), self.rewrite(k, replace)),
            Node::Index(a, i) => Node::Index(self.rewrite(a, replace), self.rewrite(i, replace)),
            Node::Length(a) => Node::Length(self.rewrite(a, replace)),
            Node::Size(a) => Node::Size(self.rewrite(a, replace)),
            Node::Cell(a) => Node::Cell(self.rewrite(a, replace)),
            Node::Alive(a) => Node::Alive(self.rewrite(a, replace)),
            Node::Saved(a) => Node::Saved(self.rewrite(a, replace)),
            Node::Looped(a, s) => Node::Looped(self.rewrite(a, replace), s),
            Node::Compare(a, b) => {
                Node::Compare(self.rewrite(a, replace), self.rewrite(b, replace))
            }
            Node::Is(a, c) => Node::Is(self.rewrite(a, replace), c),
            leaf => leaf,
        };
        self.make(node)
    }

    /// Some part of `e` (itself included) satisfies `is`.
    pub(crate) fn any(&self, e: Expr, is: &dyn Fn(&Node) -> bool) -> bool {
        let node = self.node(e);
        is(node) || children(node).any(|c| self.any(c, is))
    }

    /// A value and all it is made of.
    pub(crate) fn parts(&self, e: Expr, out: &mut BTreeSet<Expr>) {
        if out.insert(e) {
            children(self.node(e)).for_each(|c| self.parts(c, out));
        }
    }

    /// `e` is `part` or has it as a part.
    pub(crate) fn mentions(&self, e: Expr, part: Expr) -> bool {
        e == part || children(self.node(e)).any(|c| self.mentions(c, part))
    }
}

/// The values a node is made of.
pub(crate) fn children(node: &Node) -> Box<dyn Iterator<Item = Expr> + '_> {
    match node {
        Node::Field(a, _)
        | Node::Elem(a)
        | Node::Length(a)
        | Node::Size(a)
        | Node::Cell(a)
        | Node::Alive(a)
        | Node::Saved(a)
        | Node::Looped(a, _)
        | Node::Is(a, _) => Box::new(std::iter::once(*a)),
        Node::Keyed(a, b) | Node::Index(a, b) | Node::Op(_, a, b) | Node::Compare(a, b) => {
            Box::new([*a, *b].into_iter())
        }
        Node::Sum(terms, _) => Box::new(terms.iter().map(|t| t.0)),
        _ => Box::new(std::iter::empty()),
    }
}

fn fold(op: OpKey, x: i64, y: i64) -> Option<i64> {
    match op {
        OpKey::Mul => Some(x.wrapping_mul(y)),
        OpKey::Div => x.checked_div(y),
        OpKey::Rem => x.checked_rem(y),
        OpKey::And => Some(x & y),
        OpKey::Or => Some(x | y),
        OpKey::Xor => Some(x ^ y),
        OpKey::Max => Some(x.max(y)),
        OpKey::Min => Some(x.min(y)),
        OpKey::Shl | OpKey::Shr | OpKey::Ushr if !(0..31).contains(&y) => None,
        OpKey::Shl => x.checked_mul(1 << y),
        OpKey::Shr => Some(x >> y),
        OpKey::Ushr if x >= 0 => Some(x >> y),
        OpKey::Ushr => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_one_form() {
        let mut x = Exprs::default();
        let (a, b) = (x.make(Node::Entry(1)), x.make(Node::Entry(2)));
        let there = x.plus(a, b, 1);
        let there = x.shift(there, 3);
        let back = x.plus(there, b, -1);
        let back = x.shift(back, -3);
        assert_eq!(back, a);
        assert_ne!(there, a);
        let nothing = x.plus(a, a, -1);
        assert_eq!(x.constant(nothing), Some(0));
    }

    #[test]
    fn deep_values_are_not_followed() {
        let mut x = Exprs::default();
        let mut e = x.make(Node::Entry(0));
        for _ in 0..1000 {
            e = x.make(Node::Field(e, FieldId(0)));
        }
        assert!(x.depth(e) <= MAX_DEPTH);
    }
}
