//! Accesses of a recording as reads and writes: which write a read may have read.
//!
//! Of an access two times are known, one before it and one after it. Who wrote what was read is certain only if there is
//! one write that may be meant: it began before the read was over, no other one came after it that was over before the read began, it
//! wrote what was read, as far as values are told, and what was there in the beginning had been overwritten. Where
//! that is not so, all writes that may be meant count, and the order they make is data that nothing is excluded by: what
//! must be in a run is then more than need be, never less.
//!
//! An order is believed only where the thread that read had waited for it ([`polls`]), and where what it read is there to tell
//! something: a field that is volatile or holds a truth, or what an atomic holds. That something was read which had been written
//! before may be chance.
//!
//! Fields are told apart by the identity hash of their object, which two objects may share: what is said of one lock object by
//! probes is not better known.
//!
//! What cannot be told is a [`Doubt`] of the whole: records that are missing or came late, a value that nobody was seen to
//! write, more of all that than finds room.

mod polls;
mod variables;

use super::step::{Bond, Op, Reading, Var};
use crate::catalog::Catalog;
use locklens_trace::access::{Access, Phase};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use polls::{Asked, Due, Polls};
use std::collections::{BTreeSet, HashMap};
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
    late: bool,
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
    late: bool,
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
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    variables: Variables,
    open: HashMap<ThreadId, Vec<Open>>,
    polls: Polls,
    free: Vec<Var>,
    vars: u32,
    /// Writes that somebody waited for, and whether they are to be forgotten but for that.
    owed: HashMap<Var, bool>,
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
    known: HashMap<(Option<StackId>, Option<StackId>), u32>,
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
        self.polls = Polls::default();
        self.owed.clear();
        self.doubt(Doubt::Missing);
    }

    fn doubt(&mut self, doubt: Doubt) {
        let is_new =
            |known: &Doubt| std::mem::discriminant(known) == std::mem::discriminant(&doubt);
        if !self.doubts.iter().any(is_new) {
            self.doubts.insert(doubt);
        }
    }

    /// A thread is about to take a lock, or to wait: what it had waited for before that is certain now.
    pub(super) fn goes_on(&mut self, thread: ThreadId, each: &mut dyn FnMut(Op)) {
        for due in self.polls.settled(thread) {
            let by = Bond::Told(due.reading);
            each(Op::Saw {
                wrote: due.wrote,
                by,
            });
            self.paid(due);
        }
    }

    /// It takes a lock.
    pub(super) fn takes(&mut self, thread: ThreadId, lock: LockId) {
        self.polls.takes(thread, lock);
    }

    /// It gives a lock back.
    pub(super) fn leaves(&mut self, thread: ThreadId, lock: LockId) {
        self.polls.leaves(thread, lock);
    }

    /// It does something that nobody does who only waits.
    pub(super) fn works(&mut self, thread: ThreadId) {
        self.polls.works(thread);
    }

    /// It is over, or lost from sight.
    pub(super) fn ends(&mut self, thread: ThreadId) {
        for open in self.open.remove(&thread).unwrap_or_default() {
            self.abandon(&open);
        }
        for due in self.polls.forget(thread) {
            self.paid(due);
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
        let mut open = Open {
            stack: access.stack,
            place,
            variable,
            phase: access.phase,
            from: access.at,
            write: None,
            value: place.kept(access.value),
            late: access.late,
        };
        if open.reads() {
            for due in self.polls.asks(access.thread, (open.stack, variable)) {
                self.paid(due);
            }
        }
        if access.phase != Phase::Reading {
            self.goes_on(access.thread, each);
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
            late: open.late,
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
            self.read(access, open, wrote, each);
        }
        self.drop_read(open);
        match wrote {
            true => self.wrote(access, open),
            false => self.drop_write(open),
        }
    }

    /// What was read, as far as it is known.
    fn read(&mut self, access: &Access, open: &Open, wrote: bool, each: &mut dyn FnMut(Op)) {
        let value = open.place.kept(access.value);
        let found = candidates(&self.variables.all[open.variable], open, access, value);
        self.explain(&found, open, value);
        let certain = match found.meant[..] {
            [one] if !one.late && !open.late && !found.from_before => Some(one),
            _ => None,
        };
        let awaited = self.has_waited(access, open, (certain.as_ref(), wrote, value));
        let mut none = true;
        for write in found.meant.iter().filter(|w| w.thread != access.thread) {
            none = false;
            let reading = Reading(self.readings.number(open.stack, write.stack));
            each(Op::Saw {
                wrote: write.var,
                by: match (&awaited, open.phase) {
                    (Some(_), Phase::Updating) => Bond::Told(reading),
                    _ => Bond::Data(reading),
                },
            });
            if let Some(asked) = awaited.filter(|asked| !asked.tries) {
                self.polls.owe(access.thread, &asked, write.var, reading);
                self.owed.entry(write.var).or_insert(false);
            }
        }
        if none {
            each(Op::Read(UNWRITTEN));
        }
    }

    /// Where a thread asked, if it had waited for what it found, and that is there to tell something.
    fn has_waited(
        &mut self,
        access: &Access,
        open: &Open,
        (certain, wrote, value): (Option<&Write>, bool, Option<u32>),
    ) -> Option<Asked> {
        let tries = open.phase == Phase::Updating;
        let asked = Asked {
            stack: open.stack,
            variable: open.variable,
            from: open.from,
            to: access.at,
            value: if tries { open.value } else { value },
            tries,
        };
        if tries && !wrote && !open.place.exchanges {
            self.polls.failed(access.thread, asked);
            return None;
        }
        let waited = self.polls.found(access.thread, asked, certain);
        let write = certain.filter(|write| waited && write.thread != access.thread)?;
        let tells = self.variables.tells(open.stack) || self.variables.tells(write.stack);
        tells.then_some(asked)
    }

    /// Whether somebody was seen to write what was read.
    fn explain(&mut self, found: &Found, open: &Open, value: Option<u32>) {
        if !found.meant.is_empty() {
            return;
        }
        let initial = &mut self.variables.all[open.variable].initial;
        let same = match (value, *initial) {
            (Some(value), Some(initial)) => value == initial,
            (Some(value), None) => {
                *initial = (!found.overwritten).then_some(value);
                true
            }
            (None, _) => true,
        };
        if let Some(stack) = open.stack.filter(|_| !same || found.overwritten) {
            self.doubt(Doubt::Unexplained(stack));
        }
    }

    fn wrote(&mut self, access: &Access, open: &Open) {
        self.polls.works(access.thread);
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
            self.forget_write(gone.var);
        }
    }

    fn drop_write(&mut self, open: &Open) {
        let Some(var) = open.write else {
            return;
        };
        self.variables
            .remove(open.variable, |write| write.var == var);
        self.forget_write(var);
    }

    /// Its number is free again, unless somebody waited for it.
    fn forget_write(&mut self, var: Var) {
        match self.owed.get_mut(&var) {
            Some(gone) => *gone = true,
            None => self.free.push(var),
        }
    }

    /// It is nothing to that thread any more.
    fn paid(&mut self, due: Due) {
        let others = self.polls.owes(due.wrote);
        if !others && self.owed.remove(&due.wrote) == Some(true) {
            self.free.push(due.wrote);
        }
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
    /// It may have been what nobody was seen to write.
    from_before: bool,
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
        |there: Option<u32>| matches!((there, value), (Some(there), Some(read)) if there != read);
    let meant = others().filter(|write| !hidden(write) && !differs(write.value));
    Found {
        meant: meant.copied().collect(),
        overwritten: others().any(was_over),
        from_before: !others().any(was_over) && !differs(variable.initial),
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
