//! Accesses of a recording as reads and writes: which write a read may have read.
//!
//! Of an access two times are known, one before it and one after it. Who wrote what was read is certain only if there is
//! one write that may be meant: it began before the read was over, no other one came after it that was over before the read began, it
//! wrote what was read, as far as values are told, and what was there in the beginning had been overwritten. Where
//! that is not so, all writes that may be meant count, and the order they make is data that nothing is excluded by: what
//! must be in a run is then more than need be, never less.
//!
//! A field that is volatile or holds a truth, and what an atomic holds, is there to tell other threads something: an order by
//! it is believed. What else is read may be told or not.
//!
//! Fields are told apart by the identity hash of their object, which two objects may share: what is said of one lock object by
//! probes is not better known.

use super::step::{Bond, Op, Reading, Var};
use crate::catalog::Catalog;
use locklens_trace::access::{Access, Phase};
use locklens_trace::code::{self, MemberRef};
use locklens_trace::{Nanos, StackId, ThreadId};
use std::collections::{HashMap, HashSet};

/// Accesses one thread is in the middle of: class initialisers run inside of them.
const OPEN: usize = 64;
/// Writes to one variable that may still be read, and variables.
const WRITES: usize = 1 << 7;
const VARIABLES: usize = 1 << 20;
/// Pairs of places that are told by name.
const READINGS: usize = 1 << 16;
/// The variable that nobody writes.
const UNWRITTEN: Var = Var(0);
const ATOMICS: &str = "java.util.concurrent.atomic.";

/// What is read and written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Variable {
    /// The field's class, of a static one; empty otherwise.
    class: String,
    name: String,
    descriptor: String,
    object: u32,
}

/// A write that may be read.
#[derive(Clone, Copy, Debug)]
struct Write {
    var: Var,
    thread: ThreadId,
    from: Nanos,
    /// None while it is under way.
    to: Option<Nanos>,
    stack: Option<StackId>,
    value: Option<u32>,
    late: bool,
}

/// An access under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    stack: Option<StackId>,
    variable: usize,
    phase: Phase,
    from: Nanos,
    /// The write it is.
    write: Option<Var>,
    late: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    variables: HashMap<Variable, usize>,
    writes: Vec<Vec<Write>>,
    /// Reads under way, by variable: when they began.
    reads: HashMap<usize, Vec<Nanos>>,
    open: HashMap<ThreadId, Vec<Open>>,
    free: Vec<Var>,
    vars: u32,
    readings: Readings,
    /// Fields that were seen to be volatile.
    volatile: HashSet<(String, String)>,
    /// There are any.
    pub(super) are_there: bool,
    /// Some accesses are not known as they should be.
    pub(super) doubt: bool,
}

/// Places where something was read, with those where it had been written.
#[derive(Debug, Default)]
struct Readings {
    all: Vec<(Option<StackId>, Option<StackId>)>,
    known: HashMap<(Option<StackId>, Option<StackId>), u32>,
}

impl Accesses {
    /// From the beginning, with the same names of readings.
    pub(super) fn rewind(&mut self) {
        let readings = std::mem::take(&mut self.readings);
        let volatile = std::mem::take(&mut self.volatile);
        let (are_there, doubt) = (self.are_there, self.doubt);
        *self = Self {
            readings,
            volatile,
            are_there,
            doubt,
            ..Self::default()
        };
    }

    /// Nothing is known of what the threads are in the middle of.
    pub(super) fn forget(&mut self) {
        self.doubt = true;
        self.open.clear();
        self.reads.clear();
    }

    /// Takes in an access, and gives what it means.
    pub(super) fn push(&mut self, catalog: &Catalog, access: &Access, each: &mut dyn FnMut(Op)) {
        self.are_there = true;
        self.doubt |= access.late;
        match access.phase.is_before() {
            true => self.begins(catalog, access, each),
            false => self.is_over(catalog, access, each),
        }
    }

    fn begins(&mut self, catalog: &Catalog, access: &Access, each: &mut dyn FnMut(Op)) {
        let Some(variable) = self.variable(catalog, access) else {
            return;
        };
        let mut open = Open {
            stack: access.stack,
            variable,
            phase: access.phase,
            from: access.at,
            write: None,
            late: access.late,
        };
        if access.phase != Phase::Reading {
            open.write = self.writes(access, variable);
            each(open.write.map_or(Op::Other, Op::Write));
        }
        let mine = self.open.entry(access.thread).or_default();
        if mine.len() >= OPEN {
            self.doubt = true;
            return;
        }
        mine.push(open);
        if access.phase != Phase::Writing {
            self.reads.entry(variable).or_default().push(access.at);
        }
    }

    fn writes(&mut self, access: &Access, variable: usize) -> Option<Var> {
        let writes = self.writes.get_mut(variable)?;
        if writes.len() >= WRITES {
            self.doubt = true;
            return None;
        }
        let var = self.free.pop().unwrap_or_else(|| {
            self.vars += 1;
            Var(self.vars)
        });
        writes.push(Write {
            var,
            thread: access.thread,
            from: access.at,
            to: None,
            stack: access.stack,
            value: access.value,
            late: access.late,
        });
        Some(var)
    }

    fn is_over(&mut self, catalog: &Catalog, access: &Access, each: &mut dyn FnMut(Op)) {
        let Some(mine) = self.open.get_mut(&access.thread) else {
            return;
        };
        let Some(at) = mine.iter().rposition(|open| open.stack == access.stack) else {
            return;
        };
        let given_up = mine.split_off(at);
        let Some((open, thrown)) = given_up.split_first() else {
            return;
        };
        // Those inside it were left by an exception.
        for inner in thrown {
            self.drop_write(inner);
            self.drop_read(inner);
        }
        if open.phase != Phase::Writing {
            self.read(catalog, access, open, each);
        }
        self.drop_read(open);
        match access.phase {
            Phase::Wrote | Phase::Updated => self.wrote(access, open),
            _ => self.drop_write(open),
        }
    }

    /// What was read, as far as it is known.
    fn read(&mut self, catalog: &Catalog, access: &Access, open: &Open, each: &mut dyn FnMut(Op)) {
        let Some(writes) = self.writes.get(open.variable) else {
            return;
        };
        let (meant, from_before) = candidates(writes, open, access);
        let certain = matches!(meant[..], [one] if !one.late) && !open.late && !from_before;
        let others = meant.iter().filter(|write| write.thread != access.thread);
        let mut none = true;
        for write in others {
            none = false;
            let tells = certain && self.tells(catalog, open.stack, write.stack);
            let reading = Reading(self.readings.number(open.stack, write.stack));
            let by = if tells {
                Bond::Told(reading)
            } else {
                Bond::Data(reading)
            };
            each(Op::Saw {
                wrote: write.var,
                by,
            });
        }
        if none {
            each(Op::Read(UNWRITTEN));
        }
    }

    /// Whether what is read is there to tell something.
    fn tells(&self, catalog: &Catalog, read: Option<StackId>, wrote: Option<StackId>) -> bool {
        let field = |stack| member(catalog, stack);
        let is_told = |stack: Option<StackId>| {
            field(stack).is_some_and(|(member, _)| {
                member.descriptor == "Z"
                    || member.class.starts_with(ATOMICS)
                    || self.is_volatile(member)
            })
        };
        is_told(read) || is_told(wrote)
    }

    fn is_volatile(&self, member: &MemberRef) -> bool {
        let key = (member.class.clone(), member.name.clone());
        self.volatile.contains(&key)
    }

    fn wrote(&mut self, access: &Access, open: &Open) {
        let Some(writes) = self.writes.get_mut(open.variable) else {
            return;
        };
        let mine = |write: &&mut Write| Some(write.var) == open.write;
        if let Some(write) = writes.iter_mut().find(mine) {
            write.to = Some(access.at);
        }
        let reads = self.reads.get(&open.variable);
        let earliest = reads.and_then(|reads| reads.iter().min());
        let until = earliest.map_or(access.at, |&from| from.min(access.at));
        // A write is read no more when another one came after it that no read overlaps.
        let over = |write: &Write| {
            let later = |other: &Write| {
                write.to.is_some_and(|to| to < other.from) && other.to.is_some_and(|to| to < until)
            };
            writes.iter().any(later)
        };
        let gone: HashSet<Var> = writes.iter().filter(|w| over(w)).map(|w| w.var).collect();
        if !gone.is_empty() {
            writes.retain(|write| !gone.contains(&write.var));
            self.free.extend(gone);
        }
    }

    fn drop_write(&mut self, open: &Open) {
        if let (Some(var), Some(writes)) = (open.write, self.writes.get_mut(open.variable)) {
            writes.retain(|write| write.var != var);
            self.free.push(var);
        }
    }

    fn drop_read(&mut self, open: &Open) {
        let Some(reads) = self.reads.get_mut(&open.variable) else {
            return;
        };
        if open.phase != Phase::Writing
            && let Some(at) = reads.iter().position(|&from| from == open.from)
        {
            reads.swap_remove(at);
        }
    }

    fn variable(&mut self, catalog: &Catalog, access: &Access) -> Option<usize> {
        let Some((member, is_static)) = member(catalog, access.stack) else {
            self.doubt = true;
            return None;
        };
        // The access throws, and nothing is accessed.
        if !is_static && access.object == 0 {
            return None;
        }
        let atomic = member.class.starts_with(ATOMICS);
        let text = |text: &String| if atomic { String::new() } else { text.clone() };
        if access.is_volatile {
            let key = (member.class.clone(), member.name.clone());
            self.volatile.insert(key);
        }
        let variable = Variable {
            class: match is_static {
                true => member.class.clone(),
                false => String::new(),
            },
            name: text(&member.name),
            descriptor: text(&member.descriptor),
            object: access.object,
        };
        if let Some(&known) = self.variables.get(&variable) {
            return Some(known);
        }
        if self.variables.len() >= VARIABLES {
            self.doubt = true;
            return None;
        }
        self.variables.insert(variable, self.writes.len());
        self.writes.push(Vec::new());
        Some(self.writes.len() - 1)
    }

    /// A reading in words; `place` names a call chain.
    pub(super) fn words(
        &self,
        catalog: &Catalog,
        reading: Reading,
        place: impl Fn(StackId) -> String,
    ) -> Option<String> {
        let &(read, wrote) = self.readings.all.get(reading.0 as usize)?;
        let (member, is_static) = member(catalog, read)?;
        let what = match member.class.starts_with(ATOMICS) {
            true => format!("an {}", simple(&member.class)),
            false if is_static => format!("{}.{}", simple(&member.class), member.name),
            false => format!("field {}.{}", simple(&member.class), member.name),
        };
        let (read, wrote) = (place(read?), place(wrote?));
        Some(format!("{what}, written at {wrote}, read at {read}"))
    }
}

/// The writes of which a read may have read one; and whether it may have read what nobody was seen to write.
fn candidates(writes: &[Write], read: &Open, over: &Access) -> (Vec<Write>, bool) {
    let others = || {
        writes
            .iter()
            .filter(|write| Some(write.var) != read.write && write.from <= over.at)
    };
    let was_over = |write: &Write| write.to.is_some_and(|to| to < read.from);
    let hidden = |write: &Write| {
        others().any(|later| write.to.is_some_and(|to| to < later.from) && was_over(later))
    };
    // Of what another value was read for sure nothing came from there.
    let differs = |write: &Write| matches!((write.value, over.value), (Some(wrote), Some(read)) if wrote != read);
    let meant = others().filter(|write| !hidden(write) && !differs(write));
    (meant.copied().collect(), !others().any(was_over))
}

impl Readings {
    fn number(&mut self, read: Option<StackId>, wrote: Option<StackId>) -> u32 {
        let next = self.all.len();
        if let Some(&known) = self.known.get(&(read, wrote)) {
            return known;
        }
        if next < READINGS {
            self.all.push((read, wrote));
            self.known.insert((read, wrote), next as u32);
        }
        next as u32
    }
}

/// What the instruction at a place accesses, and whether that is static.
fn member(catalog: &Catalog, stack: Option<StackId>) -> Option<(&MemberRef, bool)> {
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

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

#[cfg(test)]
mod tests;
