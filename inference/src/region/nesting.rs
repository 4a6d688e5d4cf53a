//! Which monitors each instruction of a method is lexically inside, and what its calls pass.
//!
//! Normal control flow is followed from the method's entry. Exception handlers are unknown on a
//! live attach; code that normal flow does not reach is then a handler, and what is held at its
//! beginning is worked out backwards (`Flow::held_at_handler`):
//!
//! 1. The cleanup handler compilers emit behind every `synchronized` block (unlock, rethrow) is
//!    outside the block it ends.
//! 2. A handler that joins code with known monitors, or returns, held on entry what makes this
//!    come out even: what it unlocks without having locked it was held.
//! 3. One that can only throw was inside every block whose `monitorenter` lies before it and
//!    whose cleanup handler lies behind it: compilers lay a block out contiguously.
//! 4. Else it holds what the instruction before it in the method holds.

use super::flow::{Held, State, Used, Value, execute, successors};
use super::layout::{
    cleanup_slot, home_slot, index_of, leaders, loaded_slot, ordinals, parameter_slots,
};
use super::subject::{Arguments, Subject};
use locklens_trace::code::{Code, InvokeKind, MemberRef, Op};
use locklens_trace::record::MethodDef;
use naming::Notes;
use std::collections::{BTreeMap, BTreeSet};

mod naming;

/// A `monitorenter` of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Its bci.
    pub bci: u16,
    /// Its number among the method's, in bci order, from 0.
    pub ordinal: u16,
    /// What it locks.
    pub subject: Subject,
    /// Where that was made or read.
    pub origin: Option<Origin>,
}

/// The instruction a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its bci.
    pub bci: u16,
    /// It makes a new object.
    pub fresh: bool,
}

/// A call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// Its bci.
    pub bci: u16,
    /// How it calls.
    pub kind: InvokeKind,
    /// What it calls.
    pub callee: &'a MemberRef,
    /// What it passes.
    pub arguments: Arguments,
    /// Where its first argument (the receiver, if it has one) was made or read.
    pub origin: Option<Origin>,
}

/// The lexical structure of one method's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nesting<'a> {
    /// Its `monitorenter`s in bci order.
    pub monitors: Vec<Monitor>,
    /// Its calls in bci order.
    pub calls: Vec<Call<'a>>,
    /// Bci of each `monitorexit` and the ordinal of the monitor it lets go of.
    exits: Vec<(u16, u16)>,
    bcis: Vec<u16>,
    held: Vec<u32>,
    combinations: Vec<Vec<u16>>,
}

impl<'a> Nesting<'a> {
    /// Reads the structure off a method's code; none if the code is too large or too irregular
    /// to be followed.
    #[must_use]
    pub fn of(method: &'a MethodDef, code: &'a Code) -> Option<Self> {
        let mut flow = Flow::new(method, code)?;
        flow.run()?;
        Some(flow.record())
    }

    /// Ordinals of the monitors held when the instruction at `bci` begins, outermost first.
    #[must_use]
    pub fn held_at(&self, bci: u16) -> &[u16] {
        let after = self.bcis.partition_point(|&b| b <= bci);
        let index = after.checked_sub(1).and_then(|i| self.held.get(i));
        index.map_or(&[], |&i| &self.combinations[i as usize])
    }

    /// The `monitorenter` at a bci.
    #[must_use]
    pub fn monitor_at(&self, bci: u16) -> Option<&Monitor> {
        self.monitors.iter().find(|m| m.bci == bci)
    }

    /// The `monitorenter`, an instruction of one byte, right before a bci: there interpreted code stands that is blocked.
    #[must_use]
    pub fn monitor_before(&self, bci: u16) -> Option<&Monitor> {
        self.monitor_at(bci.checked_sub(1)?)
    }

    /// The monitor that the `monitorexit` at a bci lets go of. In a cleanup handler it is one that is not around the bci.
    #[must_use]
    pub fn exited_at(&self, bci: u16) -> Option<&Monitor> {
        let at = self.exits.binary_search_by_key(&bci, |e| e.0).ok()?;
        self.monitors.get(usize::from(self.exits[at].1))
    }

    /// The call at a bci.
    #[must_use]
    pub fn call_at(&self, bci: u16) -> Option<&Call<'a>> {
        let at = self.calls.binary_search_by_key(&bci, |c| c.bci).ok()?;
        Some(&self.calls[at])
    }
}

/// Words of abstract state a method may cost before it is given up.
const STATE_BUDGET: usize = 4_000_000;
/// Times each instruction may be executed, on average, before the method is given up.
const VISITS: usize = 64;

struct Flow<'a> {
    method: &'a MethodDef,
    code: &'a Code,
    leaders: BTreeSet<usize>,
    entries: BTreeMap<usize, State>,
    work: BTreeSet<usize>,
    stored: BTreeMap<u16, Value>,
    ordinals: BTreeMap<usize, u16>,
    /// The `monitorexit`s of cleanup handlers, each with the ordinal of the monitor it lets go of.
    cleanups: BTreeMap<usize, u16>,
    fuel: usize,
}

impl<'a> Flow<'a> {
    fn new(method: &'a MethodDef, code: &'a Code) -> Option<Self> {
        let ascending = code.insns.windows(2).all(|w| w[0].bci < w[1].bci);
        if code.insns.is_empty() || !ascending {
            return None;
        }
        let mut flow = Flow {
            method,
            code,
            leaders: leaders(code),
            entries: BTreeMap::new(),
            work: BTreeSet::new(),
            stored: BTreeMap::new(),
            ordinals: ordinals(code),
            cleanups: BTreeMap::new(),
            fuel: code.insns.len() * VISITS,
        };
        flow.cleanups = flow.cleanup_exits();
        let first = flow.first_state();
        if flow.leaders.len().saturating_mul(first.locals.len()) > STATE_BUDGET {
            return None;
        }
        flow.arrive(0, &first);
        Some(flow)
    }

    fn cleanup_exits(&self) -> BTreeMap<usize, u16> {
        let begun = (0..self.code.insns.len()).filter_map(|at| {
            let slot = cleanup_slot(self.code, at)?;
            let behind = (at..).find(|&i| self.code.insns[i].op == Op::MonitorExit)?;
            Some((behind, self.monitor_of_slot(slot, at)?))
        });
        begun.collect()
    }

    /// Executes an instruction. The block that a cleanup handler ends is not around it, so its `monitorexit` ends no other one.
    fn step(&self, index: usize, state: &mut State) -> Used {
        let held = self.cleanups.contains_key(&index);
        let held = held.then(|| state.held.clone());
        let used = execute(self.code, index, self.ordinal(index), state);
        if let Some(held) = held {
            state.held = held;
        }
        used
    }

    fn first_state(&self) -> State {
        let slots = self.code.insns.iter().map(|insn| match insn.op {
            Op::Load { slot, .. } | Op::Store { slot, .. } => usize::from(slot) + 1,
            _ => 0,
        });
        let mut locals = vec![Value::Unknown; slots.max().unwrap_or(0)];
        for slot in parameter_slots(self.method) {
            if let Some(local) = locals.get_mut(usize::from(slot)) {
                *local = Value::Initial(slot);
            }
        }
        State {
            stack: Vec::new(),
            locals,
            held: Vec::new(),
        }
    }

    /// Follows normal flow, then every handler it did not reach; none when out of fuel.
    fn run(&mut self) -> Option<()> {
        self.follow()?;
        while let Some(handler) = self.first_unreached() {
            let state = State {
                stack: vec![Value::Unknown],
                locals: self.lasting_locals(),
                held: self.held_at_handler(handler),
            };
            self.leaders.insert(handler);
            self.arrive(handler, &state);
            self.follow()?;
        }
        Some(())
    }

    fn first_unreached(&self) -> Option<usize> {
        self.leaders
            .iter()
            .copied()
            .find(|l| !self.entries.contains_key(l))
    }

    fn follow(&mut self) -> Option<()> {
        while let Some(leader) = self.work.pop_first() {
            let mut state = self.entries[&leader].clone();
            for index in self.block(leader) {
                self.fuel = self.fuel.checked_sub(1)?;
                self.reach_handlers(index, &state);
                self.note_store(index, &state);
                self.step(index, &mut state);
                self.reach_successors(index, &state);
            }
        }
        Some(())
    }

    /// Instructions from a leader to the next one.
    fn block(&self, leader: usize) -> std::ops::Range<usize> {
        let next = self.leaders.range(leader + 1..).next();
        leader..next.copied().unwrap_or(self.code.insns.len())
    }

    fn ordinal(&self, index: usize) -> u16 {
        self.ordinals.get(&index).copied().unwrap_or(0)
    }

    fn note_store(&mut self, index: usize, state: &State) {
        if let Op::Store { slot, .. } = self.code.insns[index].op {
            let value = state.stack.last().copied().unwrap_or(Value::Unknown);
            let stored = self.stored.entry(slot).or_insert(value);
            *stored = stored.join(value);
        }
    }

    fn reach_successors(&mut self, index: usize, state: &State) {
        let (targets, falls) = successors(&self.code.insns[index].op);
        for target in targets {
            if let Some(target) = index_of(self.code, target) {
                self.arrive(target, state);
            }
        }
        if falls && self.leaders.contains(&(index + 1)) {
            self.arrive(index + 1, state);
        }
    }

    fn reach_handlers(&mut self, index: usize, state: &State) {
        let code = self.code;
        let bci = code.insns[index].bci;
        let covering = code.handlers.iter().flatten();
        for handler in covering.filter(|h| h.start <= bci && bci < h.end) {
            let Some(target) = index_of(code, handler.target) else {
                continue;
            };
            let mut state = State {
                stack: vec![Value::Unknown],
                ..state.clone()
            };
            if let Some(slot) = cleanup_slot(code, target) {
                let ended = self.monitor_of_slot(slot, target);
                state.held.retain(|h| Some(h.ordinal) != ended);
            }
            self.arrive(target, &state);
        }
    }

    fn arrive(&mut self, leader: usize, state: &State) {
        let changed = match self.entries.get_mut(&leader) {
            Some(known) => known.join(state),
            None => {
                self.entries.insert(leader, state.clone());
                true
            }
        };
        if changed {
            self.work.insert(leader);
        }
    }

    /// Locals a handler may rely on: parameters never assigned, and slots that only ever got
    /// one value.
    fn lasting_locals(&self) -> Vec<Value> {
        let mut locals = self.first_state().locals;
        for (&slot, &value) in &self.stored {
            if let Some(local) = locals.get_mut(usize::from(slot)) {
                *local = if *local == Value::Unknown {
                    value
                } else {
                    Value::Unknown
                };
            }
        }
        locals
    }

    /// See the module's comment for the rules.
    fn held_at_handler(&self, handler: usize) -> Vec<Held> {
        if cleanup_slot(self.code, handler).is_some() {
            return self.surrounding(handler);
        }
        if let Some(held) = self.explore(handler) {
            return held;
        }
        let around = self.surrounding(handler);
        if around.is_empty() {
            self.held_before(handler)
        } else {
            around
        }
    }

    /// Monitors entered before an instruction whose cleanup handler lies behind it.
    fn surrounding(&self, index: usize) -> Vec<Held> {
        let entered = self.ordinals.iter().take_while(|&(&at, _)| at < index);
        entered
            .filter(|&(&at, _)| self.cleanup_of(at).is_some_and(|cleanup| cleanup > index))
            .map(|(&at, &ordinal)| self.held_by(at, ordinal))
            .collect()
    }

    fn held_by(&self, enter: usize, ordinal: u16) -> Held {
        let value = home_slot(self.code, enter).and_then(|slot| self.stored.get(&slot));
        Held {
            ordinal,
            value: value.copied().unwrap_or(Value::Unknown),
        }
    }

    /// The cleanup handler of the `monitorenter` at an index.
    fn cleanup_of(&self, enter: usize) -> Option<usize> {
        let slot = home_slot(self.code, enter)?;
        let behind = enter + 1..self.code.insns.len();
        behind
            .into_iter()
            .find(|&i| cleanup_slot(self.code, i) == Some(slot))
    }

    /// Held at the instruction in front of `index`, before it runs.
    fn held_before(&self, index: usize) -> Vec<Held> {
        let Some((&leader, entry)) = self.entries.range(..index).next_back() else {
            return Vec::new();
        };
        let mut state = entry.clone();
        for i in leader..index.saturating_sub(1) {
            self.step(i, &mut state);
        }
        state.held
    }

    /// Follows an unreached handler forward to a return or to code with known monitors, and
    /// works out what must have been held at its beginning; none if it can only throw.
    fn explore(&self, handler: usize) -> Option<Vec<Held>> {
        let mut seen = BTreeSet::new();
        let mut work = vec![(handler, Vec::new(), 0usize)];
        while let Some((index, mut exits, mut enters)) = work.pop() {
            if let Some(known) = self.entries.get(&index) {
                return self.settle(&known.held, &exits, enters, handler);
            }
            if index >= self.code.insns.len() || !seen.insert(index) {
                continue;
            }
            match self.code.insns[index].op {
                Op::Return { .. } => return self.settle(&[], &exits, enters, handler),
                Op::MonitorEnter => enters += 1,
                Op::MonitorExit if enters > 0 => enters -= 1,
                Op::MonitorExit => exits.push(loaded_slot(self.code, index)?),
                _ => {}
            }
            let (targets, falls) = successors(&self.code.insns[index].op);
            let targets = targets.into_iter().filter_map(|t| index_of(self.code, t));
            for next in targets.chain(falls.then_some(index + 1)) {
                work.push((next, exits.clone(), enters));
            }
        }
        None
    }

    /// What was held at the beginning of a way that unlocked `exits` (in this order) and locked
    /// `enters` monitors more, and ended holding `end`.
    fn settle(&self, end: &[Held], exits: &[u16], enters: usize, from: usize) -> Option<Vec<Held>> {
        let mut held = end[..end.len().checked_sub(enters)?].to_vec();
        for &slot in exits.iter().rev() {
            let ordinal = self.monitor_of_slot(slot, from)?;
            let (&at, _) = self.ordinals.iter().find(|&(_, &o)| o == ordinal)?;
            held.push(self.held_by(at, ordinal));
        }
        Some(held)
    }

    /// The nearest `monitorenter` before an instruction that keeps its object in a slot.
    fn monitor_of_slot(&self, slot: u16, before: usize) -> Option<u16> {
        let entered = self.ordinals.range(..before).rev();
        let mut of_slot = entered.filter(|&(&at, _)| home_slot(self.code, at) == Some(slot));
        of_slot.next().map(|(_, &ordinal)| ordinal)
    }

    /// Runs every block once more from its final entry state and keeps what is of interest.
    fn record(&self) -> Nesting<'a> {
        let mut notes = Notes::default();
        let mut nesting = Nesting {
            bcis: self.code.insns.iter().map(|i| i.bci).collect(),
            held: vec![0; self.code.insns.len()],
            combinations: vec![Vec::new()],
            ..Nesting::default()
        };
        for (&leader, entry) in &self.entries {
            let mut state = entry.clone();
            for index in self.block(leader) {
                nesting.held[index] = intern(&mut nesting.combinations, &state.held);
                let exited = self.exited(index, &state);
                let bci = self.code.insns[index].bci;
                nesting.exits.extend(exited.map(|ordinal| (bci, ordinal)));
                let used = self.step(index, &mut state);
                notes.keep(index, &self.code.insns[index].op, used.values);
            }
        }
        self.name_subjects(&notes, &mut nesting);
        nesting
    }

    /// The monitor that a `monitorexit` lets go of.
    fn exited(&self, index: usize, state: &State) -> Option<u16> {
        if self.code.insns[index].op != Op::MonitorExit {
            return None;
        }
        let of_cleanup = self.cleanups.get(&index).copied();
        of_cleanup.or_else(|| state.next_released())
    }
}

fn intern(combinations: &mut Vec<Vec<u16>>, held: &[Held]) -> u32 {
    let ordinals: Vec<u16> = held.iter().map(|h| h.ordinal).collect();
    let known = combinations.iter().position(|c| *c == ordinals);
    let index = known.unwrap_or_else(|| {
        combinations.push(ordinals);
        combinations.len() - 1
    });
    index as u32
}
