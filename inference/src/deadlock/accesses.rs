//! Accesses of a recording as reads and writes: which write a read may have read.
//!
//! Of an access two times are known, one before it and one after it. A write may be meant if it began before the read was
//! over, no other one came after it that was over before the read began, and it wrote what was read, as far as values are told.
//! All writes that may be meant count: what must be in a run is then more than need be, never less. That something was read
//! which had been written before may be chance, so nothing is excluded by it.
//!
//! Fields are told apart by the identity hash of their object, which two objects may share: what is said of one lock object by
//! probes is not better known.
//!
//! What cannot be told is a [`Doubt`] of the whole: records that are missing or came late, a value that nobody was seen to
//! write, a field that goes by several names, more of all that than finds room.

mod kin;
mod variables;

use super::step::{Op, Reading, Var};
use crate::catalog::Catalog;
use crate::collect::FastMap;
use locklens_trace::access::{Access, Phase};
use locklens_trace::{Nanos, StackId, ThreadId};
use std::collections::BTreeSet;
use variables::{Place, Variable, Variables};

/// Accesses one thread is in the middle of: class initialisers run inside of them.
const OPEN: usize = 64;
/// Pairs of places that are told by name.
const READINGS: usize = 1 << 16;
/// The variable that nobody writes.
const UNWRITTEN: Var = Var(0);

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
}

/// An access under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    stack: Option<StackId>,
    place: Place,
    variable: usize,
    phase: Phase,
    from: Nanos,
    /// The write it is.
    write: Option<Var>,
    /// What it is about to write.
    value: Option<u32>,
}

impl Open {
    fn reads(&self) -> bool {
        self.phase != Phase::Writing
    }
}

/// Why nothing is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// Accesses are missing.
    Missing,
    /// Some were told too late to be put in their place.
    Late,
    /// There were more than are kept.
    Partial,
    /// A value was read here that nobody was seen to write.
    Unexplained(StackId),
    /// What is accessed here is accessed by the name of another class, too, or several classes have this name.
    Named(StackId),
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    variables: Variables,
    open: FastMap<ThreadId, Vec<Open>>,
    free: Vec<Var>,
    vars: u32,
    readings: Readings,
    /// There are any.
    pub(super) are_there: bool,
    /// The worst first.
    pub(super) doubts: BTreeSet<Doubt>,
}

/// Places where something was read, with those where it had been written.
#[derive(Debug, Default)]
struct Readings {
    all: Vec<(Option<StackId>, Option<StackId>)>,
    known: FastMap<(Option<StackId>, Option<StackId>), u32>,
}

impl Accesses {
    /// From the beginning, with the same names of readings.
    pub(super) fn rewind(&mut self) {
        *self = Self {
            variables: self.variables.emptied(),
            readings: std::mem::take(&mut self.readings),
            doubts: std::mem::take(&mut self.doubts),
            are_there: self.are_there,
            ..Self::default()
        };
    }

    /// Nothing is known of what the threads are in the middle of.
    pub(super) fn forget(&mut self) {
        let threads: Vec<ThreadId> = self.open.keys().copied().collect();
        for thread in threads {
            self.ends(thread);
        }
        self.doubt(Doubt::Missing);
    }

    /// Where there were any.
    pub(super) fn told(&self) -> impl Iterator<Item = StackId> {
        self.variables.told()
    }

    fn doubt(&mut self, doubt: Doubt) {
        let is_new =
            |known: &Doubt| std::mem::discriminant(known) == std::mem::discriminant(&doubt);
        if !self.doubts.iter().any(is_new) {
            self.doubts.insert(doubt);
        }
    }

    /// It is over, or lost from sight.
    pub(super) fn ends(&mut self, thread: ThreadId) {
        for open in self.open.remove(&thread).unwrap_or_default() {
            self.abandon(&open);
        }
    }

    /// Takes in an access, and gives what it means.
    pub(super) fn push(&mut self, catalog: &Catalog, access: &Access, each: &mut dyn FnMut(Op)) {
        self.are_there = true;
        if access.late {
            self.doubt(Doubt::Late);
        }
        match access.phase.is_before() {
            true => self.begins(catalog, access, each),
            false => self.is_over(access, each),
        }
    }

    fn begins(&mut self, catalog: &Catalog, access: &Access, each: &mut dyn FnMut(Op)) {
        let Some(place) = self.variables.place(catalog, access) else {
            return self.doubt(Doubt::Missing);
        };
        self.close_left_ones(access.thread);
        // The access throws, and nothing is accessed.
        if !place.is_static() && access.object == 0 {
            return;
        }
        let Some(variable) = self.variables.at(&place, access.object) else {
            return self.doubt(Doubt::Partial);
        };
        if let Some(stack) = access
            .stack
            .filter(|_| self.variables.is_named_twice(variable, &place))
        {
            self.doubt(Doubt::Named(stack));
        }
        let mut open = Open {
            stack: access.stack,
            place,
            variable,
            phase: access.phase,
            from: access.at,
            write: None,
            value: place.kept(access.value),
        };
        if access.phase != Phase::Reading {
            open.write = self.writes(access.thread, &open);
            each(open.write.map_or(Op::Other, Op::Write));
        }
        self.opened(access.thread, open);
    }

    fn opened(&mut self, thread: ThreadId, open: Open) {
        let mine = self.open.entry(thread).or_default();
        if mine.len() >= OPEN {
            self.abandon(&open);
            return self.doubt(Doubt::Partial);
        }
        mine.push(open);
        if open.reads() {
            let reads = &mut self.variables.all[open.variable].reads;
            reads.push(open.from);
        }
    }

    /// Whoever does something else is out of an access that no other code runs inside of: it threw.
    fn close_left_ones(&mut self, thread: ThreadId) {
        let Some(mine) = self.open.get_mut(&thread) else {
            return;
        };
        let mut left = Vec::new();
        while let Some(open) = mine.pop_if(|open| !open.place.nests) {
            left.push(open);
        }
        left.iter().for_each(|open| self.abandon(open));
    }

    fn writes(&mut self, thread: ThreadId, open: &Open) -> Option<Var> {
        if !self.variables.has_room(open.variable) {
            self.doubt(Doubt::Partial);
            return None;
        }
        let var = self.free.pop().unwrap_or_else(|| {
            self.vars += 1;
            Var(self.vars)
        });
        let write = Write {
            var,
            thread,
            from: open.from,
            to: None,
            stack: open.stack,
            value: open.value,
        };
        self.variables.add(open.variable, write);
        Some(var)
    }

    fn is_over(&mut self, access: &Access, each: &mut dyn FnMut(Op)) {
        let mine = self.open.entry(access.thread).or_default();
        let Some(at) = mine.iter().rposition(|open| open.stack == access.stack) else {
            // It began unseen.
            return self.doubt(Doubt::Missing);
        };
        let given_up = mine.split_off(at);
        let Some((open, thrown)) = given_up.split_first() else {
            return;
        };
        // Those inside it were left by an exception.
        thrown.iter().for_each(|inner| self.abandon(inner));
        let wrote = matches!(access.phase, Phase::Wrote | Phase::Updated);
        if open.reads() {
            self.read(access, open, each);
        }
        self.drop_read(open);
        match wrote {
            true => self.wrote(access, open),
            false => self.drop_write(open),
        }
    }

    /// What was read, as far as it is known.
    fn read(&mut self, access: &Access, open: &Open, each: &mut dyn FnMut(Op)) {
        let value = open.place.kept(access.value);
        let found = candidates(&self.variables.all[open.variable], open, access, value);
        let captured = open.place.is_captured && found.is_unwritten();
        if let Some(stack) = open.stack.filter(|_| !captured && !found.explains(value)) {
            self.doubt(Doubt::Unexplained(stack));
        }
        let mut none = true;
        for write in found.meant.iter().filter(|w| w.thread != access.thread) {
            none = false;
            let reading = Reading(self.readings.number(open.stack, write.stack));
            each(Op::Saw {
                wrote: write.var,
                reading,
            });
        }
        if none {
            each(Op::Read(UNWRITTEN));
        }
    }

    fn wrote(&mut self, access: &Access, open: &Open) {
        let variable = &mut self.variables.all[open.variable];
        let mine = |write: &&mut Write| Some(write.var) == open.write;
        if let Some(write) = variable.writes.iter_mut().find(mine) {
            write.to = Some(access.at);
        }
        let earliest = variable.reads.iter().min();
        let until = earliest.map_or(access.at, |&from| from.min(access.at));
        // A write is read no more when another one came after it that no read overlaps.
        let later = variable.writes.iter();
        let later = later.filter(|later| later.to.is_some_and(|to| to < until));
        let Some(latest) = later.map(|later| later.from).max() else {
            return;
        };
        let over = |write: &Write| write.to.is_some_and(|to| to < latest);
        for gone in self.variables.remove(open.variable, over) {
            self.free.push(gone.var);
        }
    }

    fn drop_write(&mut self, open: &Open) {
        let Some(var) = open.write else {
            return;
        };
        self.variables
            .remove(open.variable, |write| write.var == var);
        self.free.push(var);
    }

    fn abandon(&mut self, open: &Open) {
        self.drop_write(open);
        self.drop_read(open);
    }

    fn drop_read(&mut self, open: &Open) {
        let reads = &mut self.variables.all[open.variable].reads;
        if let Some(at) = reads
            .iter()
            .position(|&from| open.reads() && from == open.from)
        {
            reads.swap_remove(at);
        }
    }

    /// A reading in words; `place` names a call chain.
    pub(super) fn words(
        &self,
        catalog: &Catalog,
        reading: Reading,
        place: impl Fn(StackId) -> String,
    ) -> Option<String> {
        let &(read, wrote) = self.readings.all.get(reading.0 as usize)?;
        let what = variables::words(catalog, read)?;
        let (read, wrote) = (place(read?), place(wrote?));
        Some(format!("{what}, written at {wrote}, read at {read}"))
    }

    /// What is read at a place, in words.
    pub(super) fn what(catalog: &Catalog, read: StackId) -> String {
        variables::words(catalog, Some(read)).unwrap_or_else(|| "a field".to_owned())
    }
}

/// What a read may have read.
struct Found {
    meant: Vec<Write>,
    /// What was there in the beginning was not there any more.
    overwritten: bool,
}

impl Found {
    /// Nobody was seen to write it, ever.
    fn is_unwritten(&self) -> bool {
        self.meant.is_empty() && !self.overwritten
    }

    /// Whether somebody was seen to write what was read, or nobody need have: what has not been written is zero.
    fn explains(&self, value: Option<u32>) -> bool {
        !self.meant.is_empty() || !self.overwritten && value.is_none_or(|value| value == 0)
    }
}

/// The writes of which a read may have read one.
fn candidates(variable: &Variable, read: &Open, over: &Access, value: Option<u32>) -> Found {
    let others = || {
        variable
            .writes
            .iter()
            .filter(|write| Some(write.var) != read.write && write.from <= over.at)
    };
    let was_over = |write: &Write| write.to.is_some_and(|to| to < read.from);
    let hidden = |write: &Write| {
        others().any(|later| write.to.is_some_and(|to| to < later.from) && was_over(later))
    };
    // Of what another value was read for sure nothing came from there.
    let differs =
        |write: &Write| matches!((write.value, value), (Some(there), Some(read)) if there != read);
    let meant = others().filter(|write| !hidden(write) && !differs(write));
    Found {
        meant: meant.copied().collect(),
        overwritten: others().any(was_over),
    }
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

#[cfg(test)]
mod tests;
