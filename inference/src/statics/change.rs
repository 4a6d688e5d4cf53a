//! How a step changes a quantity, and in which direction.

use super::drained;
use super::expr::{Expr, Linear, Node, OpKey};
use super::facts::{Facts, Range, Terms};
use super::heap::domain;
use super::profile::{See, Var};
use super::step::Step;
use locklens_trace::code::Op;

/// How a quantity changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    Add(i64),
    /// By an amount the caller gives, up or down.
    By(Linear, bool),
    Set(i64),
    /// To the next of a linked list.
    Advance,
    /// By an amount, but not beyond a limit; up or down.
    Toward(bool),
    Unknown,
}

/// What the library calls how much there is: never less than nothing.
const MEASURES: [&str; 5] = ["capacity", "length", "limit", "remaining", "size"];

/// Direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Move {
    Up,
    Down,
    Unknown,
}

impl See<'_> {
    /// How a step changes a quantity; none if it does not.
    pub(super) fn change(&self, step: &Step, var: &Var) -> Option<Change> {
        match var {
            Var::Present(place) => {
                let change = match step.updates.get(place) {
                    Some(&value) => self.reference_change(*place, value),
                    None => self.moved_along(step, *place)?,
                };
                let kept = |v: i64| self.presence(step, *place) == Some(v);
                let given = step.updates.get(place).is_some_and(|&v| self.is_given(v));
                (given || !matches!(change, Change::Set(v) if kept(v))).then_some(change)
            }
            Var::Count(terms) if terms.iter().any(|t| self.is_turned(step, t.0)) => {
                Some(Change::Unknown)
            }
            Var::Count(terms) => {
                let (old, new) = self.before_and_after(step, terms)?;
                Some(self.sum_change(step, &old, &new))
            }
        }
    }

    /// By how much a step changes a sum of places; none if it does not.
    pub(super) fn shift(&self, step: &Step, var: &Var) -> Option<Linear> {
        let Var::Count(terms) = var else { return None };
        let (old, new) = self.before_and_after(step, terms)?;
        Some(new.plus(&old, -1))
    }

    fn before_and_after(&self, step: &Step, terms: &Terms) -> Option<(Linear, Linear)> {
        let exchanged = |place: Expr| self.is_exchanged(step, place);
        let changed =
            |&(place, _): &(Expr, i64)| self.updated(step, place).is_some() || exchanged(place);
        if !terms.iter().any(changed) {
            return None;
        }
        let old = Linear {
            terms: terms.clone(),
            constant: 0,
        };
        let mut new = Linear::default();
        for &(place, k) in terms.iter().filter(|t| !exchanged(t.0)) {
            let value = self.updated(step, place).unwrap_or(place);
            new = new.plus(&self.x.linear(value), k);
        }
        Some((old, new))
    }

    /// Two collections change places: the other one.
    fn swapped(&self, step: &Step, place: Expr) -> Option<[Expr; 2]> {
        let Node::Size(base) = *self.x.node(place) else {
            return None;
        };
        let other = step.updates.get(&base).copied()?;
        let swapped = other != base && step.updates.get(&other) == Some(&base);
        (swapped && self.updated(step, place).is_none()).then_some([base, other])
    }

    /// The one that is left is empty: who takes all that is in the other one leaves nothing.
    fn is_exchanged(&self, step: &Step, place: Expr) -> bool {
        let pair = self.swapped(step, place);
        pair.is_some_and(|pair| self.is_found_empty(step, pair[1]) || self.is_drained(pair))
    }

    /// How much there is in the one that is left is not known.
    fn is_turned(&self, step: &Step, place: Expr) -> bool {
        self.swapped(step, place).is_some() && !self.is_exchanged(step, place)
    }

    /// The step found nothing in it.
    fn is_found_empty(&self, step: &Step, collection: Expr) -> bool {
        let mut known = step.facts.ranges.iter();
        known.any(|(terms, range)| {
            let size = |e: Expr| *self.x.node(e) == Node::Size(collection);
            matches!(terms.as_slice(), &[(e, 1)] if size(e)) && range.only() == Some(0)
        })
    }

    /// Who has taken the one empties it before he comes again.
    fn is_drained(&self, pair: [Expr; 2]) -> bool {
        let id = |e: Expr| match *self.x.node(e) {
            Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => Some(id),
            _ => None,
        };
        match pair.map(id) {
            [Some(one), Some(other)] => drained::is_drained(self.program, [one, other]),
            _ => false,
        }
    }

    /// What a step leaves in a place, also when the collection or array itself is replaced.
    fn updated(&self, step: &Step, place: Expr) -> Option<Expr> {
        if let Some(&value) = step.updates.get(&place) {
            return Some(value);
        }
        let (base, size) = match *self.x.node(place) {
            Node::Size(base) => (base, true),
            Node::Length(base) => (base, false),
            _ => return None,
        };
        let replaced = *step.updates.get(&base)?;
        let fits = |e: Expr| match *self.x.node(e) {
            Node::Size(other) => size && other == replaced,
            Node::Length(other) => !size && other == replaced,
            _ => false,
        };
        let found = step.updates.iter().find(|(p, _)| fits(**p));
        found.map(|(_, &value)| value)
    }

    /// A reference found in an object that is itself replaced by what it leads to.
    fn moved_along(&self, step: &Step, place: Expr) -> Option<Change> {
        let Node::Field(base, _) = *self.x.node(place) else {
            return None;
        };
        let &replaced = step.updates.get(&base)?;
        Some(match replaced == place {
            true => Change::Advance,
            false => Change::Unknown,
        })
    }

    /// Whether a place was found to hold an object (1) or not (0).
    fn presence(&self, step: &Step, place: Expr) -> Option<i64> {
        step.facts.same.iter().find_map(|(&(a, b), &equal)| {
            let other = match () {
                () if a == place => b,
                () if b == place => a,
                () => return None,
            };
            match (self.x.node(other), equal) {
                (Node::Null, _) => Some(i64::from(!equal)),
                (Node::Current, true) => Some(1),
                _ => None,
            }
        })
    }

    /// An argument or an object made here: put there, where another may have been.
    fn is_given(&self, value: Expr) -> bool {
        matches!(self.x.node(value), Node::Entry(_) | Node::New(..))
    }

    fn reference_change(&self, place: Expr, value: Expr) -> Change {
        match self.x.node(value) {
            Node::Null => Change::Set(0),
            Node::Field(base, _) if *base == place => Change::Advance,
            Node::Field(base, _) if self.x.mentions(*base, place) => Change::Advance,
            Node::Looped(..) => Change::Unknown,
            _ => Change::Set(1),
        }
    }

    fn sum_change(&self, step: &Step, old: &Linear, new: &Linear) -> Change {
        let difference = new.plus(old, -1);
        if difference.terms.is_empty() {
            return Change::Add(difference.constant);
        }
        if new.terms.is_empty() {
            return Change::Set(new.constant);
        }
        if let Some(value) = pinned(&step.facts, new) {
            return Change::Set(value);
        }
        let known = self
            .saturates(old, new)
            .or_else(|| self.signed(step, &difference));
        if let Some(up) = known {
            return Change::Toward(up);
        }
        let given = |t: &(Expr, i64)| {
            let limited = matches!(self.x.node(t.0), Node::Op(OpKey::Min, ..));
            limited || !self.changes(t.0) && (self.is_measure(t.0) || !self.is_vague(t.0))
        };
        match difference.terms.iter().all(given) {
            true => {
                let up = difference.terms.iter().map(|t| t.1).sum::<i64>() > 0;
                Change::By(difference, up)
            }
            false => Change::Unknown,
        }
    }

    /// The sign of a sum, by what the step found.
    fn signed(&self, step: &Step, sum: &Linear) -> Option<bool> {
        let &(_, first) = sum.terms.first()?;
        let terms = sum.times(first.signum()).terms;
        let single = match terms.as_slice() {
            &[(e, 1)] => domain(self.program, self.x, e),
            _ => Range::all(),
        };
        let mut range = step.facts.ranges.get(&terms).cloned().unwrap_or(single);
        if first < 0 {
            range = range.mirrored();
        }
        let range = range.shifted(sum.constant);
        match (range.low > 0, range.high < 0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// `min(limit, old + k)` goes up, `max(limit, old - k)` down; so do bits set and cleared.
    fn saturates(&self, old: &Linear, new: &Linear) -> Option<bool> {
        let (&[(value, 1)], &[(place, 1)]) = (new.terms.as_slice(), old.terms.as_slice()) else {
            return None;
        };
        let &Node::Op(op, a, b) = self.x.node(value) else {
            return None;
        };
        let mentions = self.x.mentions(a, place) || self.x.mentions(b, place);
        match op {
            OpKey::Min | OpKey::Or if mentions => Some(true),
            OpKey::Max | OpKey::And | OpKey::Xor if mentions => Some(false),
            _ => None,
        }
    }

    /// What a thing of the library says of its size, as a buffer that is given back.
    fn is_measure(&self, e: Expr) -> bool {
        let Node::Opaque(site, ..) = self.x.node(e) else {
            return false;
        };
        let made = self.program.methods.get(site.method);
        let mut code = made.into_iter().flat_map(|m| &m.code);
        code.any(|insn| match &insn.op {
            Op::Invoke { method, .. } if insn.bci == site.bci => {
                method.class.starts_with("java.") && MEASURES.contains(&method.name.as_str())
            }
            _ => false,
        })
    }

    fn is_vague(&self, e: Expr) -> bool {
        self.x.any(e, &|n| {
            matches!(n, Node::Opaque(..) | Node::Looped(..) | Node::Saved(_))
        })
    }

    /// Direction of a change, given what the step found at its beginning.
    pub(super) fn direction(&self, step: &Step, var: &Var, change: &Change) -> Move {
        match change {
            Change::Add(k) if *k > 0 => Move::Up,
            Change::Add(_) | Change::Advance => Move::Down,
            Change::By(_, true) | Change::Toward(true) => Move::Up,
            Change::By(..) | Change::Toward(_) => Move::Down,
            Change::Set(value) => self.set_direction(step, var, *value),
            Change::Unknown => Move::Unknown,
        }
    }

    fn set_direction(&self, step: &Step, var: &Var, value: i64) -> Move {
        let natural = self.natural(var);
        let before = match var {
            Var::Count(terms) => step.facts.ranges.get(terms).cloned().unwrap_or(natural),
            Var::Present(_) => natural,
        };
        let rises = before.high < value;
        let falls = before.low > value;
        match value {
            _ if rises => Move::Up,
            _ if falls => Move::Down,
            value if value > 0 => Move::Up,
            _ => Move::Down,
        }
    }
}

/// The constant a sum is by the facts of a step.
fn pinned(facts: &Facts, sum: &Linear) -> Option<i64> {
    let &(_, first) = sum.terms.first()?;
    let key = if first > 0 {
        sum.clone()
    } else {
        sum.times(-1)
    };
    let value = facts.ranges.get(&key.terms)?.only()?;
    Some(value * first.signum() + sum.constant)
}
