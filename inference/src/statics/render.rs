//! Values and facts in words, for `show` and for the sentences of evidence.

use super::expr::{Expr, Exprs, Linear, Node, OpKey};
use super::facts::{Facts, Range, Terms};
use super::program::{FieldId, Program};

/// Writes values with the names of the program.
pub(super) struct Renderer<'a> {
    pub(super) program: &'a Program,
    pub(super) x: &'a Exprs,
}

impl Renderer<'_> {
    /// A value.
    pub(super) fn value(&self, e: Expr) -> String {
        match self.x.node(e) {
            Node::Int(value) => value.to_string(),
            Node::Null => "null".to_owned(),
            Node::Entry(slot) => format!("argument {slot}"),
            Node::Lock => "lock".to_owned(),
            Node::Current => "current thread".to_owned(),
            Node::Clock(_) => "clock".to_owned(),
            Node::New(..) => "new object".to_owned(),
            Node::Second | Node::Address(_) | Node::Opaque(..) => "?".to_owned(),
            Node::Mirror(class) => format!("{class}.class"),
            Node::Slot(id) => self.field(*id).to_owned(),
            Node::Static(id) => format!("{}.{}", self.program.field(*id).class, self.field(*id)),
            Node::Sum(terms, constant) => {
                let sum = Linear {
                    terms: terms.clone(),
                    constant: *constant,
                };
                self.sum(&sum)
            }
            node => self.compound(node),
        }
    }

    fn compound(&self, node: &Node) -> String {
        let one = |e: &Expr| self.value(*e);
        match node {
            Node::Field(base, id) => format!("{}.{}", one(base), self.field(*id)),
            Node::Elem(a) => format!("{}[]", one(a)),
            Node::Index(a, at) => match self.x.constant(*at) {
                Some(at) => format!("{}[{at}]", one(a)),
                None => format!("{}[]", one(a)),
            },
            Node::Keyed(a, k) => format!("{}[{}]", one(a), one(k)),
            Node::Length(a) => format!("{}.length", one(a)),
            Node::Size(a) => format!("{}.size", one(a)),
            Node::Cell(a) => format!("{}.value", one(a)),
            Node::Alive(a) => format!("{} is alive", one(a)),
            Node::Saved(a) => format!("old {}", one(a)),
            Node::Looped(a, _) => format!("{} after a loop", one(a)),
            Node::Op(op, a, b) => format!("{}({}, {})", operator(*op), one(a), one(b)),
            Node::Compare(a, b) => format!("compare({}, {})", one(a), one(b)),
            Node::Is(a, class) => format!("{} is a {class}", one(a)),
            _ => "?".to_owned(),
        }
    }

    fn field(&self, id: FieldId) -> &str {
        &self.program.field(id).name
    }

    /// A sum.
    pub(super) fn sum(&self, sum: &Linear) -> String {
        let mut out = String::new();
        for &(e, k) in &sum.terms {
            let sign = match (out.is_empty(), k < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let factor = match k.unsigned_abs() {
                1 => String::new(),
                k => format!("{k}·"),
            };
            out += &format!("{sign}{factor}{}", self.value(e));
        }
        match sum.constant {
            0 if !out.is_empty() => out,
            k if out.is_empty() => k.to_string(),
            k if k < 0 => format!("{out} - {}", k.unsigned_abs()),
            k => format!("{out} + {k}"),
        }
    }

    /// All facts, joined by `and`; empty if there are none.
    pub(super) fn facts(&self, facts: &Facts) -> String {
        let ranges = facts.ranges.iter().map(|(t, r)| self.range(t, r));
        let same = facts.same.iter().map(|(&(a, b), &equal)| {
            let sign = if equal { "==" } else { "!=" };
            // `null` and the current thread read better on the right.
            match self.x.node(a) {
                Node::Null | Node::Current => format!("{} {sign} {}", self.value(b), self.value(a)),
                _ => format!("{} {sign} {}", self.value(a), self.value(b)),
            }
        });
        let all: Vec<_> = ranges.chain(same).filter(|s| !s.is_empty()).collect();
        all.join(" and ")
    }

    fn range(&self, terms: &Terms, range: &Range) -> String {
        if range.is_empty() {
            return "false".to_owned();
        }
        let (positive, negative): (Vec<_>, Vec<_>) = terms.iter().partition(|t| t.1 > 0);
        let left = Linear {
            terms: positive,
            constant: 0,
        };
        let right = Linear {
            terms: negative,
            constant: 0,
        }
        .times(-1);
        let mut parts = Vec::new();
        let mut say = |sign: &str, value: i64| {
            let mut right = right.clone();
            right.constant = value;
            parts.push(format!("{} {sign} {}", self.sum(&left), self.sum(&right)));
        };
        match range.only() {
            Some(value) => say("==", value),
            None => {
                if !range.is_open_below() {
                    say(">=", range.low);
                }
                if !range.is_open_above() && range.high < i64::from(i32::MAX) {
                    say("<=", range.high);
                }
                range.not.iter().for_each(|&n| say("!=", n));
            }
        }
        parts.join(" and ")
    }
}

fn operator(op: OpKey) -> &'static str {
    match op {
        OpKey::Mul => "product",
        OpKey::Div => "quotient",
        OpKey::Rem => "remainder",
        OpKey::Shl | OpKey::Shr | OpKey::Ushr => "shift",
        OpKey::And => "and",
        OpKey::Or => "or",
        OpKey::Xor => "xor",
        OpKey::Max => "max",
        OpKey::Min => "min",
    }
}
