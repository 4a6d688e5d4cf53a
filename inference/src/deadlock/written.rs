//! Where the program writes fields, and what: whether a loop that waits for one can be left before a thread has come past a place.

use super::asked::Asked;
use super::callers::{Call, called, is_meant};
use super::polls::{OF_ATOMICS, Polls, Test, Value, Ways, is_constant, is_get};
use super::unseen::is_program;
use crate::catalog::Catalog;
use crate::region::subject::{split_descriptor, words};
use locklens_trace::MethodId;
use locklens_trace::code::{Code, Insn, InvokeKind, MemberRef, Op};
use locklens_trace::record::Frame;
use std::collections::{BTreeSet, HashMap};

/// What sets an atomic to its last argument, …
const SETS: [&str; 9] = [
    "set",
    "setPlain",
    "setOpaque",
    "setRelease",
    "lazySet",
    "getAndSet",
    "compareAndSet",
    "weakCompareAndSet",
    "weakCompareAndSetVolatile",
];
/// … and as a field is described.
const ATOMIC: &str = "Ljava/util/concurrent/atomic/Atomic";

/// A place that changes a field, or may.
#[derive(Debug)]
struct Write<'c> {
    method: MethodId,
    bci: u16,
    field: &'c MemberRef,
    value: Value,
    /// By the constructor or initialiser of the field's class.
    initial: bool,
}

/// What is known of the thread that would have to be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// It had ended by then.
    pub ended: bool,
    /// It came to its place once.
    pub once: bool,
    /// No other thread came there.
    pub alone: bool,
}

/// All of them, by the names of the fields.
#[derive(Debug)]
pub(super) struct Written<'c> {
    catalog: &'c Catalog,
    polls: Polls<'c>,
    by_name: HashMap<&'c str, Vec<Write<'c>>>,
}

impl<'c> Written<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Self {
        let mut by_name: HashMap<&str, Vec<Write<'_>>> = HashMap::new();
        for def in catalog.methods.values() {
            let class = catalog.class_name(def.class);
            let Some(code) = catalog.code.get(&def.id).filter(|_| is_program(&class)) else {
                continue;
            };
            let begins = matches!(def.name.as_str(), "<init>" | "<clinit>");
            for (insn, field, value) in changes(code) {
                by_name.entry(&field.name).or_default().push(Write {
                    method: def.id,
                    bci: insn.bci,
                    field,
                    value,
                    initial: begins && field.class == class,
                });
            }
        }
        Self {
            catalog,
            polls: Polls::of(catalog),
            by_name,
        }
    }

    /// Whether some code sets this field that is not the constructor or initialiser of its class.
    pub(super) fn sets_later(&self, read: (MethodId, &MemberRef)) -> bool {
        let named = self.by_name.get(read.1.name.as_str());
        let mut others = named.into_iter().flatten().filter(|write| !write.initial);
        others.any(|write| self.polls.is_same(read, (write.method, write.field)))
    }

    /// For what a method waits in a loop before it comes to a place, if only code behind places of the other thread writes that, in words.
    pub(super) fn waits(
        &self,
        (code, bci): (&'c Code, u16),
        (asked, answers): (&Asked<'c>, &[Frame]),
        past: Past,
    ) -> Option<String> {
        let loops = self.polls.before(code, bci);
        let mut loops = loops.iter();
        // Who writes it behind such a loop of his own has been let go before by somebody else.
        let later = |tests: &[Test], write: &Write<'_>| {
            let own = write.method == code.method;
            own && self
                .polls
                .before(code, write.bci)
                .iter()
                .any(|passed| passed == tests)
        };
        let tests = loops.find(|tests| {
            let letting = self.letting_all(asked, tests);
            let letting = letting.map(|all| all.into_iter().filter(|write| !later(tests, write)));
            let letting: Option<Vec<&Write<'_>>> = letting.map(Iterator::collect);
            letting.is_some_and(|all| self.only_behind(&all, asked, answers, past.once))
        })?;
        let fields: BTreeSet<String> = tests.iter().map(|test| told(&test.field)).collect();
        let fields: Vec<String> = fields.into_iter().collect();
        let place = self.place(code.method);
        Some(format!(
            "{place} waits for {}, which nothing else sets than what comes behind the other place",
            fields.join(" or ")
        ))
    }

    fn place(&self, method: MethodId) -> String {
        let def = self.catalog.methods.get(&method);
        def.map_or_else(String::new, |def| {
            format!("{}.{}", self.catalog.class_name(def.class), def.name)
        })
    }

    /// Whether all that lets a loop go comes behind a place, on every way there.
    fn only_behind(
        &self,
        letting: &[&Write<'_>],
        asked: &Asked<'c>,
        answers: &[Frame],
        once: bool,
    ) -> bool {
        let behind = |code: &Code, bci: u16| {
            let here = (code, bci);
            let mut all = letting.iter();
            let often = || asked.begins(code.method) && leads(code, bci, bci) == Some(true);
            let may_come_again = !once && !often();
            let all = all.all(|write| {
                let at = (write.method, write.bci);
                self.is_behind(asked, at, here, &mut BTreeSet::new())
            });
            (all && !may_come_again).then(String::new)
        };
        !letting.is_empty() && asked.on_every_way(answers, &behind).is_some()
    }

    fn letting_all(&self, asked: &Asked<'c>, tests: &[Test]) -> Option<Vec<&Write<'c>>> {
        let each: Option<Vec<_>> = tests.iter().map(|test| self.letting(asked, test)).collect();
        each.map(|all| all.into_iter().flatten().collect())
    }

    /// What lets it go; none if it may go from the beginning.
    fn letting(&self, asked: &Asked<'c>, test: &Test) -> Option<Vec<&Write<'c>>> {
        let named = self.by_name.get(test.field.name.as_str());
        let same = named.into_iter().flatten().filter(|write| {
            let read = (test.method, &test.field);
            self.polls.is_same(read, (write.method, write.field))
        });
        let (initial, others): (Vec<_>, Vec<_>) = same.partition(|write| write.initial);
        let initial: Vec<Value> = initial
            .iter()
            .flat_map(|write| self.made(asked, write))
            .collect();
        let unset = match test.field.descriptor.starts_with(['L', '[']) {
            true => Value::Null,
            false => Value::Number(0),
        };
        let may_leave = match initial.is_empty() {
            true => test.may_leave(&unset),
            false => initial.iter().any(|value| test.may_leave(value)),
        };
        let letting = others
            .into_iter()
            .filter(|write| test.may_leave(&write.value));
        (!may_leave).then(|| letting.collect())
    }

    /// With what an object begins: where its constructor is handed that, what all who call it hand in.
    fn made(&self, asked: &Asked<'c>, write: &Write<'c>) -> Vec<Value> {
        let unknown = vec![Value::Unknown];
        let known = || {
            let code = self.catalog.code.get(&write.method)?;
            let at = Ways::of(code)?.index(write.bci)?;
            let Op::Load { slot, .. } = code.insns[at.checked_sub(1)?].op else {
                return None;
            };
            let changed = |op: &Op| matches!(op, Op::Store { slot: to, .. } if *to == slot);
            let steady = !code.insns.iter().any(|insn| changed(&insn.op));
            let def = self.catalog.methods.get(&write.method)?;
            let class = self.catalog.class_name(def.class);
            let calls = asked.calls_of(def).iter();
            let calls = calls.filter(|call| is_meant(call.kind, call.class, &class));
            let handed = calls.map(|call| self.handed(call, &def.descriptor, slot));
            let handed: Vec<Value> = handed.collect();
            (steady && def.name == "<init>" && !handed.is_empty()).then_some(handed)
        };
        match write.value {
            Value::Unknown => known().unwrap_or(unknown),
            _ => vec![write.value.clone()],
        }
    }

    /// What a call hands in for a local variable.
    fn handed(&self, call: &Call<'_>, descriptor: &str, slot: u16) -> Value {
        let (given, _) = split_descriptor(descriptor);
        let mut next = 1;
        let slots = given.iter().map(|given| {
            let slot = next;
            next += words(given);
            slot
        });
        let slots: Vec<usize> = slots.collect();
        let value = || {
            let which = slots.iter().position(|&at| at == usize::from(slot))?;
            let insns = self.catalog.code.get(&call.method)?.insns.as_slice();
            let at = insns
                .binary_search_by_key(&call.bci, |insn| insn.bci)
                .ok()?;
            let behind = slots.len() - which;
            let handed = insns.get(at.checked_sub(behind)?..at)?;
            let plain = handed.iter().all(is_plain);
            plain.then(|| constant(&handed[0].op))
        };
        value().unwrap_or(Value::Unknown)
    }

    /// Whether a thread that is at one place has come past the other one before, and can't come there again.
    fn is_behind(
        &self,
        asked: &Asked<'c>,
        (method, bci): (MethodId, u16),
        place: (&Code, u16),
        seen: &mut BTreeSet<MethodId>,
    ) -> bool {
        if method == place.0.method {
            // Within the call that leads there it may come first.
            return bci != place.1 && leads(place.0, bci, place.1) == Some(false);
        }
        if !seen.insert(method) {
            return true;
        }
        let Some(def) = self.catalog.methods.get(&method) else {
            return false;
        };
        let class = self.catalog.class_name(def.class);
        let mut calls = asked
            .calls_of(def)
            .iter()
            .filter(|call| is_meant(call.kind, call.class, &class));
        let mut any = false;
        let all = calls.all(|call| {
            any = true;
            self.is_behind(asked, (call.method, call.bci), place, seen)
        });
        all && any && !asked.begins(method)
    }
}

/// Whether a way leads from behind one place of some code to another one.
fn leads(code: &Code, from: u16, to: u16) -> Option<bool> {
    let ways = Ways::of(code)?;
    Some(ways.leads(ways.index(from)?, ways.index(to)?))
}

fn told(field: &MemberRef) -> String {
    format!("{}.{}", field.class, field.name)
}

/// What some code does to fields, and to atomics that fields have.
fn changes(code: &Code) -> impl Iterator<Item = (&Insn, &MemberRef, Value)> {
    let all = code.insns.iter().enumerate();
    all.filter_map(|(at, insn)| {
        let (field, value) = match &insn.op {
            Op::PutField(field) | Op::PutStatic(field) => {
                let last = at.checked_sub(1)?;
                let value = match field.descriptor.starts_with(ATOMIC) {
                    true => made_with(&code.insns, last),
                    false => constant(&code.insns[last].op),
                };
                (field, value)
            }
            Op::GetField(field) | Op::GetStatic(field) => {
                let of_atomic = field.descriptor.starts_with(ATOMIC);
                (
                    field,
                    of_atomic.then(|| done_to(&code.insns, at)).flatten()?,
                )
            }
            _ => return None,
        };
        Some((insn, field, value))
    })
}

/// Whether it puts one value on the stack, and takes none.
fn is_plain(insn: &Insn) -> bool {
    matches!(
        insn.op,
        Op::Const { .. } | Op::Null | Op::Load { .. } | Op::Text(_) | Op::GetStatic(_)
    )
}

fn constant(op: &Op) -> Value {
    match op {
        Op::Const { value, .. } => Value::Number(*value),
        Op::Null => Value::Null,
        Op::GetStatic(field) if is_constant(field) => Value::Constant(field.clone()),
        _ => Value::Unknown,
    }
}

/// What is in an atomic that was made just before.
fn made_with(insns: &[Insn], at: usize) -> Value {
    let Op::Invoke {
        kind: InvokeKind::Special,
        method,
    } = &insns[at].op
    else {
        return Value::Unknown;
    };
    if !method.class.starts_with(OF_ATOMICS) {
        return Value::Unknown;
    }
    match (method.descriptor.as_str(), at.checked_sub(1)) {
        ("()V", _) if method.class.ends_with("Reference") => Value::Null,
        ("()V", _) => Value::Number(0),
        (_, Some(given)) => constant(&insns[given].op),
        _ => Value::Unknown,
    }
}

/// What is written into an atomic that was just loaded: nothing if it is only read, and nobody knows what if it goes elsewhere.
fn done_to(insns: &[Insn], at: usize) -> Option<Value> {
    let behind = insns.get(at + 1..).unwrap_or_default();
    let given = behind.iter().take_while(|insn| is_plain(insn)).count();
    let callee = behind.get(given).and_then(called).map(|(_, callee)| callee);
    match callee.filter(|callee| callee.class.starts_with(OF_ATOMICS)) {
        Some(callee) if given == 0 && is_get(callee) => None,
        Some(callee) if given > 0 && SETS.contains(&callee.name.as_str()) => {
            Some(constant(&behind[given - 1].op))
        }
        _ => Some(Value::Unknown),
    }
}

#[cfg(test)]
mod tests;
