//! What is accessed: fields and atomics by number, and what is known of each.
//!
//! Of a place only the first access is looked up by name; afterwards it is a number, as its field is.

use super::Write;
use super::kin::Kin;
use crate::catalog::Catalog;
use locklens_trace::access::Access;
use locklens_trace::code::{self, MemberRef};
use locklens_trace::{Nanos, StackId};
use std::collections::HashMap;

/// Variables, and writes to all of them that may still be read.
const VARIABLES: usize = 1 << 20;
const ALL_WRITES: usize = 1 << 20;
/// Writes to one variable that may still be read.
const WRITES: usize = 1 << 7;
/// How javac calls fields of its own, all of them final.
const CAPTURED: [&str; 2] = ["val$", "this$"];
const ATOMICS: &str = "java.util.concurrent.atomic.";

/// A place where something is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The field, by number; every atomic is the same one.
    member: u32,
    /// The same with the class that the code names.
    named: u32,
    is_static: bool,
    /// Which class's field it is is not certain: others of that name, or of its family, may be meant.
    is_shared: bool,
    /// Other code may run in the middle of the access: a class initialiser, a function that is handed over.
    pub(super) nests: bool,
    /// What javac has put there when the object was made: a captured variable, the enclosing object. Nothing else ever does, and
    /// it comes before the constructor of the superclass, where nothing is recorded.
    pub(super) is_captured: bool,
    /// Bits that the field keeps of an int.
    bits: u32,
}

impl Place {
    pub(super) fn is_static(&self) -> bool {
        self.is_static
    }

    /// A value as it is kept there.
    pub(super) fn kept(&self, value: Option<u32>) -> Option<u32> {
        value.map(|value| value & self.bits)
    }
}

/// A variable, and what is known of it.
#[derive(Debug, Default)]
pub(super) struct Variable {
    pub(super) writes: Vec<Write>,
    /// Reads under way: when they began.
    pub(super) reads: Vec<Nanos>,
    /// By which name it was accessed first.
    named: u32,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Variables {
    members: HashMap<(String, String), u32>,
    places: HashMap<StackId, Option<Place>>,
    known: HashMap<(u32, u32), usize>,
    pub(super) all: Vec<Variable>,
    kin: Kin,
    writes: usize,
}

impl Variables {
    /// None of them, with the same numbers of fields.
    pub(super) fn emptied(&mut self) -> Self {
        Self {
            members: std::mem::take(&mut self.members),
            places: std::mem::take(&mut self.places),
            kin: std::mem::take(&mut self.kin),
            ..Self::default()
        }
    }

    /// Where something was accessed.
    pub(super) fn told(&self) -> impl Iterator<Item = StackId> {
        self.places.keys().copied()
    }

    /// What the instruction of an access is; none if that is not known.
    pub(super) fn place(&mut self, catalog: &Catalog, access: &Access) -> Option<Place> {
        let stack = access.stack?;
        if let Some(known) = self.places.get(&stack) {
            return *known;
        }
        let place = member(catalog, access.stack).map(|(member, is_static)| {
            let by = catalog.stacks.get(&stack).and_then(|s| s.frames.first());
            let is_shared = self.kin.is_shared(catalog, (member, is_static), by);
            Place {
                is_shared,
                ..self.named(member, is_static)
            }
        });
        self.places.insert(stack, place);
        place
    }

    fn named(&mut self, member: &MemberRef, is_static: bool) -> Place {
        let is_atomic = member.class.starts_with(ATOMICS);
        let field = format!("{} {}", member.name, member.descriptor);
        let number = match (is_atomic, is_static) {
            (true, _) => self.number(<(String, String)>::default()),
            (false, true) => self.number((member.class.clone(), field.clone())),
            // Which subclass of its own class the code names says nothing of an object's field.
            (false, false) => self.number((String::new(), field.clone())),
        };
        let named = match is_atomic {
            true => number,
            false => self.number((member.class.clone(), field)),
        };
        let functions = ["Update", "update", "ccumulate"];
        Place {
            member: number,
            named,
            is_static,
            is_shared: false,
            is_captured: !is_static && CAPTURED.iter().any(|of| member.name.starts_with(of)),
            nests: is_static || is_atomic && functions.iter().any(|f| member.name.contains(f)),
            bits: match member.descriptor.as_str() {
                "Z" => 1,
                "B" => 0xff,
                "C" | "S" => 0xffff,
                _ => u32::MAX,
            },
        }
    }

    /// The variable at a place; none if there is no room for it.
    pub(super) fn at(&mut self, place: &Place, object: u32) -> Option<usize> {
        let object = if place.is_static { 0 } else { object };
        let next = self.all.len();
        let known = self.known.get(&(place.member, object)).copied();
        if known.is_some() || next >= VARIABLES {
            return known;
        }
        self.known.insert((place.member, object), next);
        self.all.push(Variable {
            named: place.named,
            ..Variable::default()
        });
        Some(next)
    }

    fn number(&mut self, name: (String, String)) -> u32 {
        let next = self.members.len() as u32;
        *self.members.entry(name).or_insert(next)
    }

    /// Whether the same may go by another name, or something else by this one.
    pub(super) fn is_named_twice(&self, variable: usize, place: &Place) -> bool {
        place.is_shared || self.all[variable].named != place.named
    }

    /// Names that are kept.
    #[cfg(test)]
    pub(super) fn names(&self) -> usize {
        self.members.len()
    }

    /// Whether there is room for another write.
    pub(super) fn has_room(&self, variable: usize) -> bool {
        self.writes < ALL_WRITES && self.all[variable].writes.len() < WRITES
    }

    pub(super) fn add(&mut self, variable: usize, write: Write) {
        self.all[variable].writes.push(write);
        self.writes += 1;
    }

    /// Takes out the writes to a variable that are nothing to anybody any more.
    pub(super) fn remove(&mut self, variable: usize, gone: impl Fn(&Write) -> bool) -> Vec<Write> {
        let writes = &mut self.all[variable].writes;
        let removed: Vec<Write> = writes.extract_if(.., |write| gone(write)).collect();
        self.writes -= removed.len();
        removed
    }
}

/// What the instruction at a place accesses, and whether that is static.
pub(super) fn member(catalog: &Catalog, stack: Option<StackId>) -> Option<(&MemberRef, bool)> {
    let frame = catalog.stacks.get(&stack?)?.frames.first()?;
    let insns = &catalog.code.get(&frame.method)?.insns;
    let bci = frame.bci?;
    let at = insns.binary_search_by_key(&bci, |insn| insn.bci).ok()?;
    match &insns[at].op {
        code::Op::GetField(member) | code::Op::PutField(member) => Some((member, false)),
        code::Op::GetStatic(member) | code::Op::PutStatic(member) => Some((member, true)),
        code::Op::Invoke { method, .. } if method.class.starts_with(ATOMICS) => {
            Some((method, false))
        }
        _ => None,
    }
}

/// A field or an atomic in words.
pub(super) fn words(catalog: &Catalog, stack: Option<StackId>) -> Option<String> {
    let (member, is_static) = member(catalog, stack)?;
    let class = member.class.rsplit('.').next().unwrap_or(&member.class);
    Some(match member.class.starts_with(ATOMICS) {
        true => format!("an {class}"),
        false if is_static => format!("{class}.{}", member.name),
        false => format!("field {class}.{}", member.name),
    })
}
