//! What is known of values on one path: ranges of sums, equality of references.
//!
//! The branches taken on a path are kept in this form rather than as a list of tests, so that
//! `c > 0`, `c >= 1` and `!(c <= 0)` are the same fact.

use super::expr::{Expr, Exprs, Linear, Node};
use locklens_trace::code::Cond;
use std::collections::{BTreeMap, BTreeSet};

/// The terms of a sum, first factor positive, constant left out.
pub(super) type Terms = Vec<(Expr, i64)>;

/// Values a sum can have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
    /// Values excepted from it.
    pub(super) not: BTreeSet<i64>,
}

const MIN: i64 = i64::MIN / 4;
const MAX: i64 = i64::MAX / 4;

impl Range {
    /// Everything.
    pub(super) fn all() -> Self {
        Self::between(MIN, MAX)
    }

    /// From `low` to `high`, both included.
    pub(super) fn between(low: i64, high: i64) -> Self {
        Self {
            low,
            high,
            not: BTreeSet::new(),
        }
    }

    /// The only value left.
    pub(super) fn only(&self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// No lower bound.
    pub(super) fn is_open_below(&self) -> bool {
        self.low <= MIN
    }

    /// No upper bound.
    pub(super) fn is_open_above(&self) -> bool {
        self.high >= MAX
    }

    /// Nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// No value is in both.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let mut both = self.clone();
        both.meet(other);
        both.is_empty()
    }

    /// The range of `sum + by` where this is the range of `sum`.
    pub(super) fn shifted(&self, by: i64) -> Self {
        Self {
            low: if self.is_open_below() {
                MIN
            } else {
                self.low.saturating_add(by)
            },
            high: if self.is_open_above() {
                MAX
            } else {
                self.high.saturating_add(by)
            },
            not: self.not.iter().map(|n| n.saturating_add(by)).collect(),
        }
    }

    /// The range of `-sum` where this is the range of `sum`.
    pub(super) fn mirrored(&self) -> Self {
        Self {
            low: if self.is_open_above() {
                MIN
            } else {
                self.high.saturating_neg()
            },
            high: if self.is_open_below() {
                MAX
            } else {
                self.low.saturating_neg()
            },
            not: self.not.iter().map(|n| n.saturating_neg()).collect(),
        }
    }

    fn contains(&self, value: i64) -> bool {
        (self.low..=self.high).contains(&value) && !self.not.contains(&value)
    }

    /// Keeps what is in both.
    pub(super) fn meet(&mut self, other: &Self) {
        self.low = self.low.max(other.low);
        self.high = self.high.min(other.high);
        self.not.extend(&other.not);
        self.tighten();
    }

    fn tighten(&mut self) {
        while self.low <= self.high && self.not.contains(&self.low) {
            self.not.remove(&self.low);
            self.low += 1;
        }
        while self.low <= self.high && self.not.contains(&self.high) {
            self.not.remove(&self.high);
            self.high -= 1;
        }
        let (low, high) = (self.low, self.high);
        self.not.retain(|n| (low..=high).contains(n));
    }

    fn narrow(&mut self, cond: Cond, value: i64) {
        match cond {
            Cond::Eq if self.contains(value) => *self = Self::between(value, value),
            Cond::Eq => self.high = self.low - 1,
            Cond::Ne => drop(self.not.insert(value)),
            Cond::Lt => self.high = self.high.min(value.saturating_sub(1)),
            Cond::Le => self.high = self.high.min(value),
            Cond::Gt => self.low = self.low.max(value.saturating_add(1)),
            Cond::Ge => self.low = self.low.max(value),
        }
        self.tighten();
    }
}

/// The facts of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Facts {
    pub(super) ranges: BTreeMap<Terms, Range>,
    /// (a, b) with a < b: equal or not.
    pub(super) same: BTreeMap<(Expr, Expr), bool>,
}

/// Names one fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Range(Terms),
    Same(Expr, Expr),
}

/// What is known of a single value before any test.
pub(super) type Domain<'a> = dyn Fn(&Exprs, Expr) -> Range + 'a;

impl Facts {
    /// Takes `sum cond 0` for true. False: it contradicts what is known.
    pub(super) fn assume(
        &mut self,
        x: &Exprs,
        sum: &Linear,
        cond: Cond,
        domain: &Domain<'_>,
    ) -> bool {
        let Some((terms, cond, value)) = normal(sum, cond) else {
            return compare(cond, sum.constant);
        };
        let range = self.ranges.entry(terms);
        let range = range.or_insert_with_key(|terms| natural(x, terms, domain));
        range.narrow(cond, value);
        !range.is_empty()
    }

    /// Takes two references for equal, or for different. False: a contradiction.
    pub(super) fn assume_same(&mut self, x: &Exprs, a: Expr, b: Expr, equal: bool) -> bool {
        match self.decide_same(x, a, b) {
            Some(known) => known == equal,
            None => {
                self.same.insert((a.min(b), a.max(b)), equal);
                true
            }
        }
    }

    /// Takes a value for an object. False: it is known to be null.
    pub(super) fn assume_not_null(&mut self, x: &mut Exprs, value: Expr) -> bool {
        let null = x.make(Node::Null);
        match x.node(value) {
            Node::Int(_) | Node::Sum(..) => true,
            _ => self.assume_same(x, value, null, false),
        }
    }

    fn decide_same(&self, x: &Exprs, a: Expr, b: Expr) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (na, nb) = (x.node(a), x.node(b));
        if is_object(na) && *nb == Node::Null || is_object(nb) && *na == Node::Null {
            return Some(false);
        }
        let known = self.same.get(&(a.min(b), a.max(b))).copied();
        known.or_else(|| self.by_transitivity(x, a, b))
    }

    /// `a == null` follows from nothing else, but `a != null` does from `a == currentThread`.
    fn by_transitivity(&self, x: &Exprs, a: Expr, b: Expr) -> Option<bool> {
        let (value, object) = match (x.node(a), x.node(b)) {
            (Node::Null, _) => (b, true),
            (_, Node::Null) => (a, true),
            (Node::Current, _) => (b, false),
            (_, Node::Current) => (a, false),
            _ => return None,
        };
        self.same.iter().find_map(|(&(p, q), &equal)| {
            let other = if p == value { q } else { p };
            let about = (p == value || q == value) && equal;
            let contradicts = match x.node(other) {
                Node::Null => !object,
                node => object && is_object(node),
            };
            (about && contradicts).then_some(false)
        })
    }

    /// What both looked at and found differently.
    pub(super) fn apart(&self, other: &Self) -> Vec<Key> {
        let ranges = self
            .ranges
            .iter()
            .filter(|(terms, range)| other.ranges.get(*terms).is_some_and(|r| r.excludes(range)));
        let same = self.same.iter();
        let same = same.filter(|(pair, equal)| other.same.get(pair).is_some_and(|e| e != *equal));
        let ranges = ranges.map(|(terms, _)| Key::Range(terms.clone()));
        ranges
            .chain(same.map(|(&(a, b), _)| Key::Same(a, b)))
            .collect()
    }

    /// No state satisfies both.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        !self.apart(other).is_empty()
    }
}

/// A value that is certainly an object.
fn is_object(node: &Node) -> bool {
    matches!(
        node,
        Node::New(..) | Node::Current | Node::Mirror(_) | Node::Lock
    )
}

/// The range of a sum no test has been made of.
fn natural(x: &Exprs, terms: &Terms, domain: &Domain<'_>) -> Range {
    match terms.as_slice() {
        &[(e, 1)] => domain(x, e),
        _ => Range::all(),
    }
}

/// Brings `sum cond 0` into the form `terms cond value`; none for a constant.
pub(super) fn normal(sum: &Linear, cond: Cond) -> Option<(Terms, Cond, i64)> {
    let &(_, first) = sum.terms.first()?;
    if first > 0 {
        Some((sum.terms.clone(), cond, sum.constant.wrapping_neg()))
    } else {
        Some((sum.times(-1).terms, mirrored(cond), sum.constant))
    }
}

/// The condition with its operands exchanged.
pub(super) fn mirrored(cond: Cond) -> Cond {
    match cond {
        Cond::Lt => Cond::Gt,
        Cond::Le => Cond::Ge,
        Cond::Gt => Cond::Lt,
        Cond::Ge => Cond::Le,
        same => same,
    }
}

/// The opposite condition.
pub(crate) fn negated(cond: Cond) -> Cond {
    match cond {
        Cond::Eq => Cond::Ne,
        Cond::Ne => Cond::Eq,
        Cond::Lt => Cond::Ge,
        Cond::Ge => Cond::Lt,
        Cond::Gt => Cond::Le,
        Cond::Le => Cond::Gt,
    }
}

fn compare(cond: Cond, value: i64) -> bool {
    match cond {
        Cond::Eq => value == 0,
        Cond::Ne => value != 0,
        Cond::Lt => value < 0,
        Cond::Ge => value >= 0,
        Cond::Gt => value > 0,
        Cond::Le => value <= 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anything(_: &Exprs, _: Expr) -> Range {
        Range::all()
    }

    #[test]
    fn a_fact_decides_what_it_implies() {
        let mut x = Exprs::default();
        let c = x.make(Node::Entry(1));
        let sum = x.linear(c);
        let mut facts = Facts::default();
        assert!(facts.assume(&x, &sum, Cond::Gt, &anything));
        assert!(facts.clone().assume(&x, &sum, Cond::Ne, &anything));
        assert!(!facts.clone().assume(&x, &sum, Cond::Eq, &anything));
        assert!(!facts.assume(&x, &sum, Cond::Le, &anything));
    }

    #[test]
    fn an_owner_that_is_this_thread_is_not_null() {
        let mut x = Exprs::default();
        let owner = x.make(Node::Entry(1));
        let (null, me) = (x.make(Node::Null), x.make(Node::Current));
        let mut facts = Facts::default();
        assert!(facts.assume_same(&x, owner, me, true));
        assert!(!facts.assume_same(&x, owner, null, true));
        let mut facts = Facts::default();
        assert!(facts.assume_same(&x, owner, null, true));
        assert!(!facts.assume_same(&x, owner, me, true));
    }

    #[test]
    fn ranges_close_around_exceptions() {
        let mut range = Range::between(0, 1);
        range.narrow(Cond::Ne, 0);
        assert_eq!(range.only(), Some(1));
        range.narrow(Cond::Ne, 1);
        assert!(range.is_empty());
    }
}
