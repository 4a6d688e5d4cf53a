//! Steps of threads on one lock object: those that happened, and those that the facsimile says happened.
//!
//! Only what takes and gives the monitor away counts: of several levels the outermost.

use super::view::Sight;
use crate::analysis::Sequences;
use crate::facsimile::{Completed, What};
use crate::visit::Mark;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, Nanos, ThreadId};
use std::collections::{BTreeMap, VecDeque};

/// What the JVM does not report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The monitor was given up, by leaving it.
    Exit,
    /// `notify` or `notifyAll`.
    Notify,
    /// The monitor was taken without blocking.
    Entered,
    /// `wait` returned, or threw: the monitor is held again.
    Resumed,
}

impl Kind {
    fn of(kind: EventKind) -> Option<Self> {
        match kind {
            EventKind::Exit => Some(Self::Exit),
            EventKind::Notify | EventKind::NotifyAll => Some(Self::Notify),
            EventKind::Entered => Some(Self::Entered),
            EventKind::Resumed | EventKind::Interrupted => Some(Self::Resumed),
            _ => None,
        }
    }
}

/// Something that happened, or is said to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) thread: ThreadId,
    /// Events the JVM has reported of that thread and lock before.
    pub(super) after: u32,
    /// Not before this time …
    pub(super) from: Nanos,
    /// … and not after this one.
    pub(super) to: Nanos,
    /// All were notified.
    pub(super) all: bool,
    /// Of a notify: somebody waited.
    pub(super) ends_wait: bool,
    /// It is of a stay that watching shows.
    pub(super) shown: bool,
}

/// Time from when to when.
pub(super) type Span = (Nanos, Nanos);

/// What happened on one lock object.
#[derive(Debug)]
pub(super) struct Happened {
    pub(super) steps: Vec<Step>,
    /// The longest time throughout which its state is known.
    pub(super) span: Option<Span>,
}

/// What happened, from an exact recording with probes since then.
pub(super) fn happened(sequences: &Sequences, since: Nanos) -> Happened {
    let mut truth = Truth::default();
    for (events, completed) in sequences {
        let mut events = events.iter();
        for step in completed {
            match step.what {
                What::Reset => truth.reset(step.not_after),
                What::Event(_) => events.by_ref().take(1).for_each(|e| truth.see(e)),
            }
        }
    }
    truth.done(since)
}

/// A thread inside, waiting or not.
struct Inside {
    depth: u32,
    stay: usize,
    /// It was seen coming in. Who was inside before there were probes may leave where there are none.
    came_in: bool,
}

#[derive(Default)]
struct Truth {
    sight: Sight,
    told: BTreeMap<ThreadId, u32>,
    inside: BTreeMap<ThreadId, Inside>,
    /// Whether watching shows each stay.
    shown: Vec<bool>,
    /// Threads that nobody has notified yet, the first to wait first: HotSpot notifies them in this order.
    waiting: VecDeque<ThreadId>,
    steps: Vec<(Step, usize)>,
    /// Begin and end of the times between resets.
    spans: Vec<Span>,
}

impl Truth {
    fn reset(&mut self, at: Nanos) {
        self.inside.clear();
        self.waiting.clear();
        self.spans.push((at, at));
    }

    fn see(&mut self, event: &Event) {
        match self.spans.last_mut() {
            Some(span) => span.1 = span.1.max(event.at),
            None => self.spans.push((event.at, event.at)),
        }
        let told = self.sight.told(event).is_some();
        let count = self.told.entry(event.thread).or_default();
        *count += u32::from(told);
        match event.kind {
            EventKind::Enter => self.peek(event.owner),
            EventKind::Entered => self.enter(event, told),
            EventKind::Exit => self.exit(event),
            EventKind::Wait { .. } => {
                self.show(event.thread);
                self.waiting.push_back(event.thread);
            }
            EventKind::Waited { .. } => self.waiting.retain(|&t| t != event.thread),
            EventKind::Resumed | EventKind::Interrupted => {
                self.waiting.retain(|&t| t != event.thread);
                let stay = self.stay(event.thread);
                self.shown[stay] = true;
                self.step(event, stay, false);
            }
            EventKind::Notify => {
                let ends_wait = self.waiting.pop_front().is_some();
                let stay = self.stay(event.thread);
                self.step(event, stay, ends_wait);
            }
            EventKind::NotifyAll => {
                let ends_wait = !self.waiting.is_empty();
                self.waiting.clear();
                let stay = self.stay(event.thread);
                self.step(event, stay, ends_wait);
            }
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    fn enter(&mut self, event: &Event, told: bool) {
        let inside = self.inside.get_mut(&event.thread);
        if let Some(inside) = inside.filter(|inside| inside.came_in && !told) {
            inside.depth += 1;
            return;
        }
        self.inside.remove(&event.thread);
        let stay = self.stay(event.thread);
        self.inside
            .entry(event.thread)
            .and_modify(|inside| inside.came_in = true);
        self.shown[stay] |= told;
        if !told {
            self.step(event, stay, false);
        }
    }

    fn exit(&mut self, event: &Event) {
        let stay = self.stay(event.thread);
        let inside = self.inside.get_mut(&event.thread);
        let depth = inside.map_or(0, |inside| {
            inside.depth -= 1;
            inside.depth
        });
        if depth == 0 {
            self.inside.remove(&event.thread);
            self.step(event, stay, false);
        }
    }

    /// The stay of a thread that is inside; a new one if nobody knew.
    fn stay(&mut self, thread: ThreadId) -> usize {
        let next = self.shown.len();
        let new = Inside {
            depth: 1,
            stay: next,
            came_in: false,
        };
        let stay = self.inside.entry(thread).or_insert(new).stay;
        if stay == next {
            self.shown.push(false);
        }
        stay
    }

    fn show(&mut self, thread: ThreadId) {
        let stay = self.stay(thread);
        self.shown[stay] = true;
    }

    fn peek(&mut self, owner: Owner) {
        if let Owner::Thread(owner) = owner
            && let Some(inside) = self.inside.get(&owner)
        {
            self.shown[inside.stay] = true;
        }
    }

    fn step(&mut self, event: &Event, stay: usize, ends_wait: bool) {
        let Some(kind) = Kind::of(event.kind) else {
            return;
        };
        let step = Step {
            kind,
            thread: event.thread,
            after: self.told.get(&event.thread).copied().unwrap_or(0),
            from: event.at,
            to: event.at,
            all: event.kind == EventKind::NotifyAll,
            ends_wait,
            shown: false,
        };
        self.steps.push((step, stay));
    }

    fn done(self, since: Nanos) -> Happened {
        let shown = self.shown;
        let steps = self.steps.into_iter().map(|(step, stay)| Step {
            shown: shown[stay],
            ..step
        });
        let spans = self.spans.iter().map(|&(a, b)| (a.max(since), b));
        // Of equals the first.
        let span = spans.rev().max_by_key(|(a, b)| b.since(*a));
        Happened {
            steps: steps.collect(),
            span: span.filter(|(a, b)| a < b),
        }
    }
}

/// What the facsimile has inserted.
pub(super) fn inferred(completed: &[&Completed]) -> Vec<Step> {
    let mut told: BTreeMap<ThreadId, u32> = BTreeMap::new();
    let mut holder = None;
    let mut steps = Vec::new();
    for (index, &step) in completed.iter().enumerate() {
        let (What::Event(kind), Some(thread)) = (step.what, step.thread) else {
            holder = None;
            continue;
        };
        if step.mark == Mark::Observed {
            *told.entry(thread).or_default() += 1;
        }
        let outermost = match kind {
            EventKind::Entered | EventKind::Resumed => holder.replace(thread) != Some(thread),
            EventKind::Exit => is_last_level(&completed[index + 1..], thread),
            EventKind::Notify | EventKind::NotifyAll => true,
            _ => false,
        };
        if matches!(kind, EventKind::Exit | EventKind::Wait { .. }) && holder == Some(thread) {
            holder = None;
        }
        // The JVM's word for a return that blocked, and the return.
        let returns = kind == EventKind::Resumed;
        if step.mark == Mark::Inferred && (outermost || returns) {
            steps.extend(Kind::of(kind).map(|kind| Step {
                kind,
                thread,
                after: told.get(&thread).copied().unwrap_or(0),
                from: step.not_before,
                to: step.not_after,
                all: step.what == What::Event(EventKind::NotifyAll),
                ends_wait: true,
                shown: true,
            }));
        }
    }
    steps
}

/// No further level is left in the same breath.
fn is_last_level(rest: &[&Completed], thread: ThreadId) -> bool {
    let notified = |step: &&&Completed| {
        matches!(
            step.what,
            What::Event(EventKind::Notify | EventKind::NotifyAll)
        )
    };
    let next = rest.iter().find(|step| !notified(step));
    next.is_none_or(|next| next.what != What::Event(EventKind::Exit) || next.thread != Some(thread))
}
