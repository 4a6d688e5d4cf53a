//! What is accessed: fields and atomics by number, and what is known of each.
//!
//! Of a place only the first access is looked up by name; afterwards it is a number, as its field is.

use super::Write;
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
const ATOMICS: &str = "java.util.concurrent.atomic.";

/// A place where something is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The field, by number; every atomic is the same one.
    member: u32,
    /// The same with the class that the code names.
    named: u32,
    is_static: bool,
    /// Other code may run in the middle of the access: a class initialiser, a function that is handed over.
    pub(super) nests: bool,
    /// It gives what was there, so that who fails knows what to expect.
    pub(super) exchanges: bool,
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
    /// What was in it before anybody was seen to write.
    pub(super) initial: Option<u32>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Variables {
    members: HashMap<(String, String), u32>,
    places: HashMap<StackId, Option<Place>>,
    known: HashMap<(u32, u32), usize>,
    pub(super) all: Vec<Variable>,
    writes: usize,
    /// By name with the class, fields that are there to tell something: volatile, or a truth.
    tells: Vec<bool>,
}

impl Variables {
    /// None of them, with the same numbers of fields.
    pub(super) fn emptied(&mut self) -> Self {
        Self {
            members: std::mem::take(&mut self.members),
            places: std::mem::take(&mut self.places),
            tells: std::mem::take(&mut self.tells),
            ..Self::default()
        }
    }

    /// What the instruction of an access is; none if that is not known.
    pub(super) fn place(&mut self, catalog: &Catalog, access: &Access) -> Option<Place> {
        let stack = access.stack?;
        let place = match self.places.get(&stack) {
            Some(known) => *known,
            None => {
                let looked_up = member(catalog, access.stack).map(|(m, is)| self.named(m, is));
                self.places.insert(stack, looked_up);
                looked_up
            }
        }?;
        self.tells[place.named as usize] |= access.is_volatile;
        Some(place)
    }

    fn named(&mut self, member: &MemberRef, is_static: bool) -> Place {
        let is_atomic = member.class.starts_with(ATOMICS);
        let named = self.number((member.class.clone(), member.name.clone()));
        let number = match (is_atomic, is_static) {
            (true, _) => self.number(<(String, String)>::default()),
            (false, true) => named,
            // Which subclass of its own class the code names says nothing of an object's field.
            (false, false) => {
                let name = format!("{} {}", member.name, member.descriptor);
                self.number((String::new(), name))
            }
        };
        self.tells[named as usize] |= is_atomic || member.descriptor == "Z";
        let functions = ["Update", "update", "ccumulate"];
        Place {
            member: number,
            named,
            is_static,
            nests: is_static || is_atomic && functions.iter().any(|f| member.name.contains(f)),
            exchanges: is_atomic && member.name.starts_with("compareAndExchange"),
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
        self.all.push(Variable::default());
        Some(next)
    }

    fn number(&mut self, name: (String, String)) -> u32 {
        let next = self.tells.len() as u32;
        let number = *self.members.entry(name).or_insert(next);
        if number == next {
            self.tells.push(false);
        }
        number
    }

    /// Whether what is accessed at a place is there to tell something.
    pub(super) fn tells(&self, stack: Option<StackId>) -> bool {
        let place = stack.and_then(|stack| self.places.get(&stack)?.as_ref());
        place.is_some_and(|place| self.tells[place.named as usize])
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
