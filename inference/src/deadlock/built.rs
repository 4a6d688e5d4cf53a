//! Locks that the program has built of a monitor: who has a semaphore's permits, who is in a lock, who reads and who writes.
//!
//! The monitor of such a lock is left at the end of each operation; what its thread has from then on is no monitor any
//! more, and others wait for it all the same. So beside the steps of the monitor there are those of the lock: wanted where an operation that takes
//! it begins, had when that has left the monitor, given back likewise.
//!
//! Which operations these are is inferred, with the lock's type. It is believed of an object only if the whole recording
//! goes by it (`survey`): nobody gives back what he has not got, no thread ends with it, and never do more have it than can.
//! So an attempt that failed and was not seen to, or a permit that is handed on, leaves the object what its monitor is.

use super::jvm::Jvm;
use super::step::{Lock, Mode, Nature, Op, Permits, Step};
use crate::analysis::Analysis;
use crate::collect::{Collected, FastMap};
use crate::effects::{EffectTable, Effects};
use crate::model::{LogicalLock, Verdict};
use crate::program::Program;
use crate::region::Region;
use crate::region::place::standing;
use crate::types::{Detail, LockType, Role};
use locklens_trace::{Event, EventKind, LockId, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The ids of a recording are counted from 1 on: those with this bit stand for what was built of the monitor with the rest.
const BUILT: u32 = 1 << 31;

/// Calls that are followed from an operation to find whether it waits.
const CALLS: u32 = 6;

/// What two types of lock have to come to together to be believed.
const SURE: f64 = 0.5;

/// The id of what was built of a monitor.
pub(super) fn built_of(monitor: LockId) -> LockId {
    LockId(monitor.0 | BUILT)
}

/// The monitor that a lock is, or was built of; and whether it was built.
pub(super) fn monitor_of(lock: LockId) -> (LockId, bool) {
    (LockId(lock.0 & !BUILT), lock.0 & BUILT != 0)
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Takes(Mode),
    /// Takes it if it is free, or becomes so in time.
    Tries(Mode),
    Gives,
    /// Takes an element, or puts one.
    Gets,
    Puts,
}

impl Act {
    /// How it takes it.
    fn takes(self) -> Option<Mode> {
        match self {
            Self::Takes(mode) | Self::Tries(mode) => Some(mode),
            Self::Gives | Self::Gets | Self::Puts => None,
        }
    }
}

/// How the operations of a logical lock are read.
#[derive(Clone, Debug)]
struct Plan {
    acts: BTreeMap<Region, Act>,
    /// Of a semaphore: how many permits there are, if that is known.
    permits: Option<u32>,
    is_semaphore: bool,
    /// Who wants to read waits behind who waits to write.
    queues: bool,
}

/// A thread inside the monitor.
#[derive(Clone, Copy, Debug)]
struct Visit {
    depth: u32,
    act: Option<Act>,
    site: Option<StackId>,
    /// Its latest wait ended without a notify.
    gave_up: bool,
}

/// What becomes of a lock by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) op: Option<Op>,
    /// That its thread has got something there that others wait for, or has given it back.
    pub(super) deal: Option<Op>,
    pub(super) site: Option<StackId>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Built<'a> {
    program: Option<(Program<'a>, &'a Collected)>,
    objects: FastMap<LockId, usize>,
    plans: BTreeMap<usize, Plan>,
    acts: FastMap<(usize, StackId), Option<Act>>,
    visits: FastMap<(ThreadId, LockId), Visit>,
    /// How often each thread has it, and in which way.
    had: BTreeMap<LockId, BTreeMap<ThreadId, (Mode, u32)>>,
    refuted: BTreeSet<LockId>,
    /// How many more were given than taken, where it never were less.
    left: BTreeMap<LockId, Option<u64>>,
}

/// Monitors that did not go as what is thought to have been built of them would.
#[derive(Debug, Default)]
pub struct Refuted {
    monitors: BTreeSet<LockId>,
    /// Of these those of which nobody took what had not been given before: that was put there.
    queues: BTreeSet<LockId>,
}

impl<'a> Built<'a> {
    /// Those of a recording that has every acquisition.
    pub(super) fn of(collected: &'a Collected, analysis: &Analysis) -> Self {
        let recording = &collected.recording;
        if !recording.exact || recording.lost > 0 || recording.gaps > 0 {
            return Self::default();
        }
        let mut built = Self::default();
        let locks = analysis.model.locks.iter().zip(&analysis.objects);
        for (index, (lock, objects)) in locks.enumerate() {
            if let Some(plan) = Plan::of(lock, analysis) {
                built.objects.extend(objects.iter().map(|&id| (id, index)));
                built.plans.insert(index, plan);
            }
        }
        if !built.plans.is_empty() {
            let program = Program::of(&collected.catalog);
            let mut effects = EffectTable::new(&program, CALLS);
            let plans = built.plans.values_mut();
            plans.for_each(|plan| plan.try_where(|region| effects.of(region)));
            built.program = Some((program, collected));
        }
        built
    }

    /// Whether there is any that somebody has.
    fn is_any(&self) -> bool {
        let mut acts = self.plans.values().flat_map(|plan| plan.acts.values());
        acts.any(|act| act.takes().is_some() || *act == Act::Gives)
    }

    /// From the beginning.
    pub(super) fn rewind(&mut self) {
        self.visits.clear();
        self.had.clear();
        self.left.clear();
    }

    /// A thread has ended, with nothing that it can give back.
    pub(super) fn ended(&mut self, thread: ThreadId) {
        for (&monitor, had) in &mut self.had {
            if had.remove(&thread).is_some() {
                self.refuted.insert(monitor);
            }
        }
    }

    /// What a thread is in the middle of is not known any more.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.visits.retain(|(of, _), _| *of != thread);
        for had in self.had.values_mut() {
            had.remove(&thread);
        }
    }

    /// Takes in an event of a monitor, told by a probe; `number` is that of what was built of it.
    fn saw(
        &mut self,
        (thread, monitor): (ThreadId, LockId),
        kind: EventKind,
        stack: Option<StackId>,
        number: impl FnOnce() -> Lock,
    ) -> Option<Change> {
        let index = *self.objects.get(&monitor)?;
        match kind {
            EventKind::Entered => self.enters(index, (thread, monitor), stack, number),
            EventKind::Exit => self.leaves((thread, monitor), number),
            _ => None,
        }
    }

    fn enters(
        &mut self,
        index: usize,
        key: (ThreadId, LockId),
        site: Option<StackId>,
        number: impl FnOnce() -> Lock,
    ) -> Option<Change> {
        if let Some(visit) = self.visits.get_mut(&key) {
            visit.depth = visit.depth.saturating_add(1);
            return None;
        }
        let act = site.and_then(|site| self.act(index, site));
        let visit = Visit {
            depth: 1,
            act,
            site,
            gave_up: false,
        };
        self.visits.insert(key, visit);
        let mode = act.and_then(Act::takes)?;
        let timed = matches!(act, Some(Act::Tries(_)));
        let lock = number();
        let op = Some(Op::Request { lock, mode, timed });
        let deal = None;
        Some(Change { op, deal, site })
    }

    fn leaves(&mut self, key: (ThreadId, LockId), number: impl FnOnce() -> Lock) -> Option<Change> {
        let visit = self.visits.get_mut(&key)?;
        visit.depth -= 1;
        if visit.depth > 0 {
            return None;
        }
        let visit = self.visits.remove(&key)?;
        let (thread, monitor) = key;
        let act = visit.act.filter(|_| !visit.gave_up)?;
        let (lock, site) = (number(), visit.site);
        let deal = Some(match act {
            Act::Takes(_) | Act::Tries(_) | Act::Gets => Op::Had(lock),
            Act::Gives | Act::Puts => Op::Gave(lock),
        });
        if matches!(act, Act::Gets | Act::Puts) {
            let op = None;
            return Some(Change { op, deal, site });
        }
        if !self.can(key, act) {
            self.refuted.insert(monitor);
        }
        let left = self.left.entry(monitor).or_insert(Some(0));
        *left = match act {
            Act::Gives => left.map(|left| left.saturating_add(1)),
            _ => left.and_then(|left| left.checked_sub(1)),
        };
        let had = self.had.entry(monitor).or_default();
        let before = had.get(&thread).copied();
        let after = match (act, before) {
            (Act::Takes(mode) | Act::Tries(mode), None) => Some((mode, 1)),
            (Act::Takes(_) | Act::Tries(_), Some((mode, times))) => Some((mode, times + 1)),
            (Act::Gives, None | Some((_, 1))) => None,
            (Act::Gives, Some((mode, times))) => Some((mode, times - 1)),
            (Act::Gets | Act::Puts, held) => held,
        };
        match after {
            Some(after) => had.insert(thread, after),
            None => had.remove(&thread),
        };
        let mode = |(mode, times)| match mode {
            Mode::Permit(_) => Mode::Permit(times),
            Mode::Exclusive | Mode::Shared => mode,
        };
        let op = match (before.map(mode), after.map(mode)) {
            (before, after) if before == after => None,
            (_, Some(mode)) => Some(Op::Turn { lock, mode }),
            (_, None) => Some(Op::Release(lock)),
        };
        Some(Change { op, deal, site })
    }

    /// Whether that can be, after what came before.
    fn can(&self, (thread, monitor): (ThreadId, LockId), act: Act) -> bool {
        let had = self.had.get(&monitor).into_iter().flatten();
        let permits = self.objects.get(&monitor);
        let permits = permits.and_then(|index| self.plans.get(index)?.permits);
        let mut had = had.map(|(&by, &(mode, times))| (by, mode, times));
        match act {
            Act::Gives => had.any(|(by, ..)| by == thread),
            Act::Gets | Act::Puts => true,
            Act::Takes(Mode::Permit(_)) | Act::Tries(Mode::Permit(_)) => {
                let out: u32 = had.map(|(_, _, times)| times).sum();
                permits.is_none_or(|permits| out < permits)
            }
            Act::Takes(wanted) | Act::Tries(wanted) => {
                had.all(|(by, mode, _)| match by == thread {
                    true => mode == wanted,
                    false => !mode.keeps_out(wanted),
                })
            }
        }
    }

    /// A wait of a thread is over.
    pub(super) fn back(&mut self, thread: ThreadId, monitor: LockId, timed_out: bool) {
        if let Some(visit) = self.visits.get_mut(&(thread, monitor)) {
            visit.gave_up = timed_out;
        }
    }

    /// What is done in the region that a chain stands in.
    fn act(&mut self, index: usize, stack: StackId) -> Option<Act> {
        if let Some(&act) = self.acts.get(&(index, stack)) {
            return act;
        }
        let plan = self.plans.get(&index)?;
        let (program, collected) = self.program.as_ref()?;
        let frames = &collected.catalog.stacks.get(&stack)?.frames;
        let regions = frames
            .iter()
            .rev()
            .flat_map(|&frame| standing(program, frame).into_iter().rev());
        let act = regions.filter_map(|region| plan.acts.get(&region)).next();
        let act = act.copied();
        self.acts.insert((index, stack), act);
        act
    }

    /// What is known of what was built of a monitor.
    pub(super) fn nature(&self, monitor: LockId) -> Nature {
        let plan = self.objects.get(&monitor);
        let plan = plan.and_then(|index| self.plans.get(index));
        let permits = plan.filter(|plan| plan.is_semaphore).map(|plan| Permits {
            least: plan.permits.unwrap_or(0),
            all: plan.permits,
        });
        Nature {
            queues: plan.is_some_and(|plan| plan.queues),
            permits,
            built: true,
            ..Nature::default()
        }
    }
}

impl Jvm<'_> {
    /// Whether it takes monitors for what the recording may refute: then another one goes through it before, for
    /// [`Jvm::refuted`].
    #[must_use]
    pub fn is_to_survey(&self) -> bool {
        self.built.is_any()
    }

    /// What did not go as was thought, now that it has seen all.
    #[must_use]
    pub fn refuted(self) -> Refuted {
        let Built {
            refuted,
            left,
            objects,
            plans,
            ..
        } = self.built;
        let is_queue = |monitor: &&LockId| {
            let plan = objects.get(monitor).and_then(|index| plans.get(index));
            let is_put = left.get(monitor).is_some_and(Option::is_some);
            is_put && plan.is_some_and(|plan| plan.is_semaphore)
        };
        Refuted {
            queues: refuted.iter().filter(is_queue).copied().collect(),
            monitors: refuted,
        }
    }

    /// Leaves aside what another one has refuted. What was put where nobody has taken it first goes on as a queue of such things does.
    pub fn leave(&mut self, refuted: &Refuted) {
        let Built { objects, plans, .. } = &mut self.built;
        for monitor in &refuted.queues {
            if let Some(&index) = objects.get(monitor)
                && let Some(plan) = plans.get(&index)
            {
                let queue = plan.as_queue();
                plans.insert(usize::MAX - index, queue);
                objects.insert(*monitor, usize::MAX - index);
            }
        }
        let is_left = |monitor: &LockId| {
            refuted.monitors.contains(monitor) && !refuted.queues.contains(monitor)
        };
        objects.retain(|monitor, _| !is_left(monitor));
    }

    /// What an event is to the lock that was built of a monitor, before it is anything to the monitor and after that.
    pub(super) fn change(&mut self, event: &Event, monitor: LockId) -> [Option<Change>; 2] {
        if event.kind == EventKind::Entered && event.stack.is_none() {
            return [None, None];
        }
        let locks = &mut self.locks;
        let number = || Lock(locks.number(built_of(monitor)));
        let who = (event.thread, monitor);
        let change = self.built.saw(who, event.kind, event.stack, number);
        match event.kind {
            EventKind::Entered => [change, None],
            _ => [None, change],
        }
    }

    pub(super) fn tell_change(
        &mut self,
        event: &Event,
        change: Option<Change>,
        each: &mut dyn FnMut(&Step),
    ) {
        if let Some(Change { op, deal, site }) = change {
            let by = Event {
                stack: site,
                ..*event
            };
            for op in [op, deal].into_iter().flatten() {
                self.tell(&by, op, each);
            }
        }
    }
}

impl Plan {
    /// The same, where what is given is put there, and who takes it takes what others have put.
    fn as_queue(&self) -> Self {
        let acts = self.acts.iter().map(|(region, act)| {
            let act = match act {
                Act::Takes(_) | Act::Tries(_) | Act::Gets => Act::Gets,
                Act::Gives | Act::Puts => Act::Puts,
            };
            (region.clone(), act)
        });
        Self {
            acts: acts.collect(),
            permits: None,
            is_semaphore: false,
            queues: false,
        }
    }

    /// Who takes it in a region that cannot wait without a limit does not wait for ever. Where there is no wait at all, and
    /// none in any other region that takes it, the waiting is done elsewhere.
    fn try_where(&mut self, mut effects: impl FnMut(&Region) -> Effects) {
        let takes = self.acts.iter().filter(|(_, act)| act.takes().is_some());
        let all: Vec<(Region, Effects)> = takes
            .map(|(region, _)| (region.clone(), effects(region)))
            .collect();
        let waits = |effects: &Effects| effects.may_wait == Some(true);
        let here = all.iter().any(|(_, effects)| waits(effects));
        for (region, effects) in all {
            let is_try = effects.may_wait_for_ever == Some(false) && here;
            if let Some(act) = self.acts.get_mut(&region).filter(|_| is_try)
                && let Act::Takes(mode) = *act
            {
                *act = Act::Tries(mode);
            }
        }
    }

    fn of(lock: &LogicalLock, analysis: &Analysis) -> Option<Self> {
        let verdict = lock.types.iter().find(|verdict| is_held(verdict))?;
        let alike = lock.types.iter().chain(&lock.runners_up);
        let sure: f64 = alike
            .filter(|verdict| is_held(verdict))
            .map(|v| v.confidence)
            .sum();
        if sure < SURE || lock.sampled.is_some() {
            return None;
        }
        let mut acts = BTreeMap::new();
        for (role, regions) in &verdict.roles {
            let act = match role {
                Role::Acquire => Act::Takes(Mode::Permit(1)),
                Role::Lock | Role::WriteLock => Act::Takes(Mode::Exclusive),
                Role::ReadLock => Act::Takes(Mode::Shared),
                Role::Take => Act::Gets,
                Role::Put => Act::Puts,
                Role::Release | Role::Unlock | Role::ReadUnlock | Role::WriteUnlock => Act::Gives,
                _ => continue,
            };
            for &region in regions {
                let region = analysis.regions.get(region)?.clone();
                if acts.insert(region, act).is_some_and(|other| other != act) {
                    return None;
                }
            }
        }
        let detail = |name| verdict.details.get(name);
        Some(Self {
            acts,
            permits: match detail("permits") {
                Some(&Detail::Count(permits)) => u32::try_from(permits).ok(),
                _ => None,
            },
            is_semaphore: verdict.lock_type == LockType::Semaphore,
            queues: matches!(detail("preference"), Some(Detail::Word(who)) if who != "readers"),
        })
    }
}

fn is_held(verdict: &Verdict) -> bool {
    matches!(
        verdict.lock_type,
        LockType::Semaphore | LockType::Lock | LockType::ReadWrite | LockType::ProducerConsumer
    )
}

#[cfg(test)]
mod tests;
