//! What is to be run once futures are complete: by whom it was left there, and which of them it needs.
//!
//! What needs several futures is left with all of them, and run by who completes the last one, or handed on by him. Of what a
//! thread runs when it completes a future it is not known which of all that was left there it is: only what all of that needs
//! came before.
//!
//! A call that makes a future of others names them at its beginning, and tells at its end what it has made. What it leaves, does or
//! makes in between belongs to that. If it has left nothing with one of them, that was complete; if it does anything else, all of
//! them were, since what it does is what was to be run then.

use super::jvm::Jvm;
use super::operations::at;
use super::step::{Lock, Needs, Op, Step};
use super::tasks::{PARTS, Whole};
use super::uses::{Deed, Known, class};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The ids of a recording are counted from 1 on: those with this bit stand for what is to be run once a future is complete.
const STAGES: u32 = 1 << 29;
/// What was left there.
const COMPLETABLE: &str = "java.util.concurrent.CompletableFuture";
/// Futures remembered that one was complete for when it was named, and those made of one.
const NAMED: usize = 1 << 20;
const MADE: usize = 64;

fn stage_of(future: LockId) -> LockId {
    LockId(future.0 | STAGES)
}

/// What was left to be run when a future is complete.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// By whom: two at most.
    by: BTreeSet<ThreadId>,
    /// How often.
    times: u64,
    /// What all of it needs; none if nothing was left.
    needs: Option<BTreeSet<LockId>>,
    /// The futures that it makes complete.
    made: BTreeSet<LockId>,
    /// There are others.
    more: bool,
    /// Some of it may need others instead of this one.
    any: bool,
}

impl Stage {
    fn left(&mut self, by: ThreadId, needs: BTreeSet<LockId>) {
        self.times += 1;
        if self.by.len() < 2 {
            self.by.insert(by);
        }
        let known = self.needs.take();
        let common = known.map(|known| known.intersection(&needs).copied().collect());
        self.needs = Some(common.unwrap_or(needs));
    }

    fn makes(&mut self, whole: LockId) {
        match self.made.len() < MADE {
            true => drop(self.made.insert(whole)),
            false => self.more = true,
        }
    }

    /// Whatever is run of it, the first that was left had been left by then.
    fn needs_first(&self) -> bool {
        self.by.len() == 1
    }
}

/// A future that a thread has named to make another one of it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    future: LockId,
    /// Of how many.
    of: u32,
    /// The how manieth that it named, and when.
    number: u64,
    at: Nanos,
    /// Something was left with it; and with one that was named with it.
    left: bool,
    with: bool,
    /// When it first did something else after that.
    otherwise: Option<Nanos>,
}

impl Piece {
    /// When it was complete, at the latest, if it was before another one had been made of it.
    fn complete(&self, made: Nanos) -> Option<Nanos> {
        match self.left {
            false => Some(self.at),
            true => self.otherwise.filter(|&at| self.at < at && at < made),
        }
    }
}

/// What threads are in the middle of.
#[derive(Debug, Default)]
pub(super) struct Stages {
    /// What each thread has named.
    pieces: BTreeMap<ThreadId, Vec<Piece>>,
    /// How many.
    named: BTreeMap<ThreadId, u64>,
    /// When what it has left something with will be known to be complete.
    ripening: BTreeMap<ThreadId, Vec<(Nanos, LockId)>>,
    /// Futures that it has completed, the innermost last, and runs what was left there: whether that is one thing only.
    open: BTreeMap<ThreadId, Vec<(LockId, bool)>>,
}

/// How many of what was named last belong together.
fn together(pieces: &[Piece]) -> usize {
    let of = pieces.last().map_or(0, |piece| piece.of);
    let same = pieces.iter().rev().take_while(|piece| piece.of == of);
    same.count().min(of as usize)
}

impl Stages {
    fn names(&mut self, operation: &Operation) -> u64 {
        let by = operation.thread;
        let number = self.named.entry(by).or_default();
        *number += 1;
        let pieces = self.pieces.entry(by).or_default();
        if pieces.len() >= PARTS {
            pieces.clear();
        }
        pieces.push(Piece {
            future: operation.lock,
            of: operation.count,
            number: *number,
            at: operation.at,
            left: false,
            with: false,
            otherwise: None,
        });
        *number
    }

    /// What a thread makes another future of.
    fn group(&mut self, by: ThreadId) -> &mut [Piece] {
        let pieces = self.pieces.entry(by).or_default();
        let from = pieces.len() - together(pieces);
        &mut pieces[from..]
    }

    /// It is made.
    fn taken(&mut self, by: ThreadId) -> Vec<Piece> {
        let pieces = self.pieces.entry(by).or_default();
        let from = pieces.len() - together(pieces);
        pieces.drain(from..).collect()
    }

    /// A thread does something that is no part of making a future of others. What it has named of several is not all yet.
    fn does_otherwise(&mut self, by: ThreadId, act: Option<Act>, at: Nanos) {
        use Act::{Arrive, CountDown, Made, Register, Whole};
        let Some(pieces) = self.pieces.get_mut(&by) else {
            return;
        };
        let of = pieces.last().map_or(1, |piece| piece.of.max(1));
        let all = match act {
            Some(Arrive | CountDown | Made | Register | Whole) => 0,
            Some(Act::Part) => pieces.len() - together(pieces) % of as usize,
            _ => pieces.len(),
        };
        for piece in &mut pieces[..all] {
            piece.otherwise.get_or_insert(at);
        }
    }

    /// A future will be known to be complete at this time, when the thread does something else.
    fn ripens(&mut self, by: ThreadId, at: Nanos, future: LockId) {
        let ripening = self.ripening.entry(by).or_default();
        if ripening.len() < PARTS {
            ripening.push((at, future));
        }
    }

    /// Those that are by now.
    fn ripe(&mut self, by: ThreadId, now: Nanos) -> Vec<LockId> {
        let Some(ripening) = self.ripening.get_mut(&by) else {
            return Vec::new();
        };
        let ripe = ripening.extract_if(.., |(at, _)| *at <= now);
        ripe.map(|(_, future)| future).collect()
    }

    /// It begins to run what was left with a future: whether nothing else can be run until it is through with all.
    fn enters(&mut self, by: ThreadId, future: LockId, single: bool) -> bool {
        let open = self.open.entry(by).or_default();
        let alone = open.iter().all(|(_, single)| *single);
        if open.len() >= PARTS {
            return false;
        }
        open.push((future, single));
        alone
    }

    fn leaves(&mut self, by: ThreadId, future: LockId) {
        let open = self.open.entry(by).or_default();
        if let Some(from) = open.iter().rposition(|(one, _)| *one == future) {
            open.truncate(from);
        }
    }

    /// Whether it runs what was left with a future that may be any one of several.
    fn runs_of_any(&self, by: ThreadId, stages: &BTreeMap<LockId, Stage>) -> bool {
        let mut open = self.open.get(&by).into_iter().flatten();
        open.any(|(future, _)| stages.get(future).is_some_and(|stage| stage.any))
    }

    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.pieces.remove(&thread);
        self.ripening.remove(&thread);
        self.open.remove(&thread);
    }
}

impl Known {
    /// Whether a future was completed by what may have been left with several, of which any one would have done; or is made of one
    /// that was. What only some of those tell of that it needs is not known either.
    pub(super) fn is_of_any(&self, future: LockId) -> bool {
        let (mut seen, mut next) = (BTreeSet::from([future]), vec![future]);
        while let Some(one) = next.pop() {
            let latch = self.latches.get(&one);
            match self.wholes.get(&one) {
                Some(whole) => {
                    let new = whole.parts.iter().filter(|&&part| seen.insert(part));
                    next.extend(new);
                }
                None if latch.is_some_and(|latch| latch.by_any) => return true,
                None => {}
            }
            if seen.len() > PARTS {
                return true;
            }
        }
        false
    }

    /// Whether somebody else would complete, by hand, one of the futures that this one makes complete, or those make.
    fn are_completed_by_others(&self, future: LockId) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![future]);
        while let Some(one) = next.pop() {
            let Some(stage) = self.stages.get(&one) else {
                continue;
            };
            for &made in &stage.made {
                if stage.more || seen.len() >= PARTS || self.is_completed_by_others(made) {
                    return true;
                }
                if seen.insert(made) {
                    next.push(made);
                }
            }
        }
        false
    }

    /// What came before all that is run when a future is complete; `alone` if nothing else is run then.
    fn needs_of(&self, future: LockId, alone: bool, event: &Event) -> BTreeSet<LockId> {
        let stage = self.stages.get(&future);
        let mut needs = match self.are_completed_by_others(future) {
            true => BTreeSet::new(),
            false => stage
                .and_then(|stage| stage.needs.clone())
                .unwrap_or_default(),
        };
        if !self.is_completed_by_others(future) {
            let parts = self.all_parts_of(future, event.at);
            let sure = parts.into_iter().filter(|(_, presumed)| !presumed);
            needs.extend(sure.map(|(part, _)| part));
        }
        needs.remove(&future);
        match alone {
            true => needs,
            false => BTreeSet::new(),
        }
    }
}

impl Jvm<'_> {
    /// Something is to be run when a future is complete, or what was to be has been run. False if it is neither.
    pub(super) fn stage(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        let acts = matches!(operation.act, Act::Register | Act::Arrive);
        let is_stage = || class(self.collected, operation.lock).as_deref() == Some(COMPLETABLE);
        if !(acts && is_stage()) {
            return false;
        }
        if operation.outcome != Outcome::Done || self.is_many(operation.lock) {
            return true;
        }
        match operation.act {
            Act::Register => self.registers(operation, event, each),
            _ => {
                let stages = &mut self.uses.hands.stages;
                stages.leaves(operation.thread, operation.lock);
                self.stage_step(operation.lock, Op::Leaves, event, each);
            }
        }
        true
    }

    fn stage_step(
        &mut self,
        future: LockId,
        op: fn(Lock) -> Op,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let lock = Lock(self.locks.number(stage_of(future)));
        self.tell(event, op(lock), each);
    }

    /// Something is left with a future, and with all others that it needs: not every JDK tells of these.
    fn registers(&mut self, operation: &Operation, event: &Event, each: &mut dyn FnMut(&Step)) {
        let (by, future) = (operation.thread, operation.lock);
        let group = self.uses.hands.stages.group(by);
        let own = group.iter().position(|piece| piece.future == future);
        let mut with = BTreeSet::from([future]);
        let mut needs = BTreeSet::new();
        if let Some(own) = own {
            (group[own].left, group[own].otherwise) = (true, None);
            if std::mem::replace(&mut group[own].with, true) {
                return;
            }
            group.iter_mut().for_each(|piece| piece.with = true);
            needs.extend(group.iter().map(|piece| piece.future));
            with.extend(&needs);
        }
        for future in with {
            let known = &mut self.uses.known;
            if !known.complete {
                let stage = known.stages.entry(future).or_default();
                stage.left(by, needs.clone());
                stage.any |= own.is_none();
            }
            self.stage_step(future, Op::Arrives, event, each);
        }
    }

    /// A future is named of which another one is to be made.
    pub(super) fn part(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let (by, future) = (operation.thread, operation.lock);
        let number = self.uses.hands.stages.names(operation);
        let complete = self.uses.known.complete_at.get(&(by, number)).copied();
        match complete {
            Some(at) if at > event.at => self.uses.hands.stages.ripens(by, at, future),
            Some(_) => self.after_completion(future, event, each),
            None => {}
        }
    }

    /// The other one is made.
    pub(super) fn whole(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let (by, whole) = (operation.thread, operation.lock);
        let pieces = self.uses.hands.stages.taken(by);
        for piece in pieces.iter().rev() {
            let lock = Lock(self.locks.number(piece.future));
            self.tell(event, Op::Leaves(lock), each);
        }
        let is_many = self.is_many(whole);
        let known = &mut self.uses.known;
        if known.complete || operation.outcome != Outcome::Done {
            return;
        }
        let parts: Vec<LockId> = pieces.iter().map(|piece| piece.future).collect();
        let is_left = pieces.iter().any(|piece| piece.left);
        for piece in &pieces {
            if let Some(at) = piece.complete(event.at)
                && known.complete_at.len() < NAMED
            {
                known.complete_at.insert((by, piece.number), at);
            }
            if is_left && let Some(stage) = known.stages.get_mut(&piece.future) {
                stage.makes(whole);
            }
        }
        let of = pieces.first().map_or(0, |piece| piece.of);
        if !parts.contains(&whole) && !is_many {
            let is_known = parts.len() == of as usize;
            known.wholes.insert(whole, Whole { parts, is_known });
        }
    }

    /// Takes in that a thread does something. What it has left with a future that turned out to be complete meanwhile it runs, or
    /// hands on, itself.
    pub(super) fn learn_otherwise(&mut self, deed: &Deed, each: &mut dyn FnMut(&Step)) {
        let (by, act, now) = match deed {
            Deed::Event(event) => (event.thread, None, event.at),
            Deed::Kin(kin) => (kin.thread, None, kin.at),
            Deed::Operation(operation) => {
                let act = Some(operation.act);
                (operation.thread, act, operation.at)
            }
            Deed::Access(_) | Deed::Park(_) | Deed::Unpark(..) => return,
        };
        if !self.uses.known.complete {
            return self.uses.hands.stages.does_otherwise(by, act, now);
        }
        for future in self.uses.hands.stages.ripe(by, now) {
            self.after_completion(future, &self::at(now, by, LockId(0)), each);
        }
    }

    /// A task is made: what is to be run once futures are complete, if that is what it is.
    pub(super) fn made(&mut self, operation: &Operation) {
        let group = self.uses.hands.stages.group(operation.thread);
        let futures: Vec<LockId> = group.iter().map(|piece| piece.future).collect();
        if futures.is_empty() || self.uses.known.complete || self.is_many(operation.lock) {
            return;
        }
        let class = class(self.collected, operation.lock).unwrap_or_default();
        let inner = class.strip_prefix(COMPLETABLE);
        if inner.is_some_and(|inner| inner.starts_with('$')) {
            self.uses.known.needed.insert(operation.lock, futures);
        }
    }

    /// A task is run: if it is such a one, after all of these were completed.
    pub(super) fn runs_stage(&mut self, task: LockId, event: &Event, each: &mut dyn FnMut(&Step)) {
        let needed = self.uses.known.needed.get(&task).cloned();
        for future in needed.unwrap_or_default() {
            self.after_completion(future, event, each);
        }
    }

    /// A future is about to be complete: what is to be run then is run by the same thread, or handed on by it.
    pub(super) fn completes(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let (by, future) = (operation.thread, operation.lock);
        let known = &mut self.uses.known;
        let by_any = self.uses.hands.stages.runs_of_any(by, &known.stages);
        if let Some(latch) = known.latches.get_mut(&future) {
            latch.by_any |= by_any;
        }
        known.completes(future, event.at);
        let stage = known.stages.get(&future);
        if let (Some(stage), Outcome::Done) = (stage, operation.outcome) {
            let needed = stage.needs_first();
            let single = stage.times == 1;
            let alone = self.uses.hands.stages.enters(by, future, single);
            let needs = known.needs_of(future, alone, event);
            let lock = Lock(self.locks.number(stage_of(future)));
            self.tell(event, Op::Enters { lock, needed }, each);
            for future in needs {
                self.after_completion(future, event, each);
            }
        }
    }

    /// What a thread does from now on, until that is over, comes after who completed a future, if it is known who did.
    fn after_completion(&mut self, future: LockId, event: &Event, each: &mut dyn FnMut(&Step)) {
        let known = self.uses.is_latch(future) && !self.is_many(future);
        if known && matches!(self.needs(future), Needs::All | Needs::First) {
            let needed = true;
            let lock = Lock(self.locks.number(future));
            self.tell(event, Op::Enters { lock, needed }, each);
        }
    }
}
