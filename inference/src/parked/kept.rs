//! The field that a lock is kept in, where the code at the places of its use shows it: what the program loads there and calls.
//!
//! Such a name goes by no place, so that it is the same whatever else a run has used.

use super::Place;
use super::kind::Kind;
use crate::program::Program;
use crate::region::RegionTable;
use crate::region::nesting::Call;
use crate::region::subject::Subject;
use crate::stable_name::field_name;
use crate::types::LockType;
use locklens_trace::MethodId;
use locklens_trace::code::{MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

const READ_WRITE: [&str; 2] = [
    "java.util.concurrent.locks.ReentrantReadWriteLock",
    "java.util.concurrent.locks.ReadWriteLock",
];

/// What code says of fields with locks in them.
pub(super) struct Fields<'p, 'a> {
    program: &'p Program<'a>,
    /// Fields that hold one side of a read-write lock, with the field that holds it.
    sides: BTreeMap<&'a MemberRef, &'p MemberRef>,
    /// Fields whose objects some code locks as monitors.
    monitors: BTreeSet<String>,
}

impl<'p, 'a> Fields<'p, 'a> {
    pub(super) fn of(program: &'p Program<'a>, table: &RegionTable) -> Self {
        let regions = table.iter().map(|(_, region)| program.subject(region));
        let named = regions.filter_map(|subject| match subject {
            Subject::Field { field, .. } | Subject::Static(field) => Some(field_name(&field)),
            _ => None,
        });
        Self {
            program,
            sides: sides(program),
            monitors: named.collect(),
        }
    }

    /// The field whose object is called at a place, if that object is the lock itself.
    pub(super) fn kept_in(&self, kind: &Kind, place: Place) -> Option<&'p MemberRef> {
        let (method, bci) = place.frame;
        let nesting = self.program.nesting(MethodId(method))?;
        let call = nesting.call_at(bci?)?;
        if !is_of(kind, &call.callee.class) && !self.inherits(kind, call, place) {
            return None;
        }
        let side = || {
            let made = nesting.call_at(made_at(call)?)?;
            side_of(made)
        };
        let field = receiver(call).or_else(side)?;
        Some(self.sides.get(field).copied().unwrap_or(field))
    }

    /// The field's class is one of the program's that extends the lock's and has the method that is called from it.
    fn inherits(&self, kind: &Kind, call: &Call<'_>, place: Place) -> bool {
        let callee = place.callee.and_then(|callee| self.program.method(callee));
        callee.is_some_and(|callee| {
            let declaring = self.program.catalog.class_name(callee.class);
            let called = (&call.callee.name, &call.callee.descriptor);
            declaring == kind.class && called == (&callee.name, &callee.descriptor)
        })
    }

    /// What a lock of that class in this field is called.
    pub(super) fn name(&self, class: &str, field: &MemberRef) -> String {
        let name = field_name(field);
        match self.monitors.contains(&name) {
            true => format!("{class} {name}"),
            false => name,
        }
    }
}

/// The field that a call's receiver was loaded from. The names of javac's own fields say nothing.
fn receiver<'p>(call: &'p Call<'_>) -> Option<&'p MemberRef> {
    match call.arguments.receiver()? {
        Subject::Field { field, .. } | Subject::Static(field) => {
            (!field.name.contains('$')).then_some(field)
        }
        _ => None,
    }
}

fn made_at(call: &Call<'_>) -> Option<u16> {
    match call.arguments.receiver()? {
        Subject::Made { bci, .. } => Some(*bci),
        _ => None,
    }
}

/// The field with the read-write lock that a call asks for one side of.
fn side_of<'p>(call: &'p Call<'_>) -> Option<&'p MemberRef> {
    let asks = ["readLock", "writeLock"].contains(&call.callee.name.as_str());
    let asks = asks && READ_WRITE.contains(&call.callee.class.as_str());
    receiver(call).filter(|_| asks)
}

/// Fields that are given one side just as it has been asked for; none that are given more than one lock's.
fn sides<'p, 'a>(program: &'p Program<'a>) -> BTreeMap<&'a MemberRef, &'p MemberRef> {
    let mut found: BTreeMap<&MemberRef, BTreeSet<Option<&MemberRef>>> = BTreeMap::new();
    for (&method, code) in &program.catalog.code {
        for pair in code.insns.windows(2) {
            let (Op::PutField(field) | Op::PutStatic(field)) = &pair[1].op else {
                continue;
            };
            if field.descriptor.starts_with("Ljava/util/concurrent/locks/") {
                let nesting = program.nesting(method);
                let call = nesting.and_then(|nesting| nesting.call_at(pair[0].bci));
                found
                    .entry(field)
                    .or_default()
                    .insert(call.and_then(side_of));
            }
        }
    }
    let only = found.into_iter().filter_map(|(field, of)| {
        let only = of.first().copied().flatten()?;
        (of.len() == 1).then_some((field, only))
    });
    only.collect()
}

/// Whether who calls a method of that class calls the lock, not something that uses it.
fn is_of(kind: &Kind, called: &str) -> bool {
    if called == kind.class {
        return true;
    }
    let Some(name) = called.strip_prefix("java.util.concurrent.") else {
        return kind.lock_type == LockType::ProducerConsumer && called == "java.util.Queue";
    };
    match kind.lock_type {
        LockType::Lock => name == "locks.Lock",
        LockType::ReadWrite => {
            let side = called.strip_prefix(&kind.class);
            name == "locks.Lock" || side.is_some_and(|rest| rest.starts_with('$'))
        }
        LockType::ProducerConsumer => name.ends_with("Queue") || name.ends_with("Deque"),
        _ => false,
    }
}
