//! Notifies, where the bytecode allows them and a wake-up asks for one.
//!
//! A wait that did not time out was ended by a notify (or an interrupt, or spuriously: the JVM
//! does not say). If, within the wait, another thread stayed in a region that may notify, the
//! latest such stay is taken to have done it. A single notify wakes one thread; a stay that is
//! needed by two of them must have called `notifyAll`, if its region can.
//! A stay that goes on to wait counts only if its code can wait after it has notified.
//! Most notifiers never block and are not in the sequence at all: then nothing is inserted.
//!
//! After a `notifyAll` the waits end one after the other, each as the one before leaves. So a stay of a thread that was
//! itself woken within the wait, and waited again, explains nothing that its own wake-up does not: who ended that may
//! have notified all. The wait is then put down to that one, or to nobody if it left no trace. One that left has
//! gone on, and is believed to have notified.

use super::{Completed, Context, What};
use crate::effects::Effects;
use crate::region::RegionId;
use crate::visit::Mark;
use locklens_trace::{EventKind, Nanos, ThreadId};
use std::collections::BTreeMap;

/// Inserts the notifies that wake-ups ask for.
pub(super) fn insert(completed: Vec<Completed>, context: &Context<'_>) -> Vec<Completed> {
    let mut search = Search::new(context);
    let mut regions = completed.iter().map(|event| event.region);
    search.some_notify_all = regions.any(|region| search.effects_allow_all(region));
    for (index, event) in completed.iter().enumerate() {
        search.look_at(index, event);
    }
    search.merge(completed)
}

/// A stay of a region that may notify.
struct Stay {
    thread: ThreadId,
    region: Option<RegionId>,
    begin: usize,
    not_before: Nanos,
    /// Its end: index in the sequence and time by which it was over.
    end: Option<(usize, Nanos)>,
    /// It came back from a wait that did not time out.
    woken_by: Option<WakeUp>,
    /// It went on to wait.
    waits: bool,
    /// Threads it has woken.
    woken: u32,
    /// What was observed of it.
    observed: Option<EventKind>,
    /// Where a notify was inserted.
    inserted: Option<usize>,
}

/// The end of a wait that did not time out.
#[derive(Clone, Copy)]
struct WakeUp {
    /// Where in the sequence.
    at: usize,
    /// The stay that is taken to have notified; none if that left no trace.
    by: Option<usize>,
}

struct Search<'a> {
    context: &'a Context<'a>,
    /// The stay going on.
    current: Option<(ThreadId, Option<usize>)>,
    depth: usize,
    stays: Vec<Stay>,
    /// Stays that may still wake somebody, oldest first.
    open: Vec<usize>,
    waiting: BTreeMap<ThreadId, usize>,
    /// Levels a waiting thread comes back to.
    depths: BTreeMap<ThreadId, usize>,
    /// Threads that were woken and have not come back yet.
    woken: BTreeMap<ThreadId, WakeUp>,
    inserted: Vec<(usize, Completed)>,
    /// A region of this lock is known that may call `notifyAll`.
    some_notify_all: bool,
    /// Where the last notify was that was observed.
    last_observed: Option<usize>,
}

impl<'a> Search<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        Self {
            context,
            current: None,
            depth: 0,
            stays: Vec::new(),
            open: Vec::new(),
            waiting: BTreeMap::new(),
            depths: BTreeMap::new(),
            woken: BTreeMap::new(),
            inserted: Vec::new(),
            some_notify_all: false,
            last_observed: None,
        }
    }

    fn look_at(&mut self, index: usize, event: &Completed) {
        let (What::Event(kind), Some(thread)) = (event.what, event.thread) else {
            self.current = None;
            self.open.clear();
            self.waiting.clear();
            self.depths.clear();
            self.woken.clear();
            return;
        };
        match kind {
            EventKind::Entered => self.begin(index, thread, event),
            EventKind::Resumed | EventKind::Interrupted => {
                self.begin(index, thread, event);
                self.depth = self.depths.remove(&thread).unwrap_or(1);
            }
            EventKind::Exit => self.exit(index, event),
            EventKind::Wait { .. } => {
                self.depths.insert(thread, self.depth);
                self.discard_if_it_cannot_have_notified();
                if let Some((_, Some(stay))) = self.current {
                    self.stays[stay].waits = true;
                }
                self.end(index, event);
                self.waiting.insert(thread, index);
            }
            EventKind::Notify | EventKind::NotifyAll => {
                self.last_observed = Some(index);
                self.observed(kind);
            }
            EventKind::Waited { timed_out } => {
                let since = self.waiting.remove(&thread);
                self.woken.remove(&thread);
                if !timed_out {
                    self.woken_up(thread, index, (since, event.not_before));
                }
            }
            EventKind::Enter | EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    /// A wait that did not time out has ended. Nobody is taken to have ended it where a notify was observed that may
    /// have, or would have been.
    fn woken_up(&mut self, thread: ThreadId, index: usize, (since, at): (Option<usize>, Nanos)) {
        let known = since.is_some_and(|since| self.last_observed > Some(since));
        let told = self
            .context
            .vm_probes
            .is_some_and(|told| told.has_every_notify() && told.since <= at);
        let search = since.filter(|_| !known && !told);
        let by = search.and_then(|since| self.notifier(thread, since));
        self.woken.insert(thread, WakeUp { at: index, by });
        if let Some(slot) = by {
            self.explain(slot, index, at);
        }
    }

    fn begin(&mut self, index: usize, thread: ThreadId, event: &Completed) {
        if self.current.is_some_and(|(holder, _)| holder == thread) {
            self.depth += 1;
            return;
        }
        self.depth = 1;
        let woken_by = self.woken.remove(&thread);
        let effects = event.region.and_then(|r| self.context.effects.get(&r));
        let resumes = !matches!(event.what, What::Event(EventKind::Entered));
        let can =
            |e: &&Effects| e.notifies() && !(resumes && e.may_notify_after_wait == Some(false));
        let candidate = effects.filter(can).map(|_| {
            self.stays.push(Stay {
                thread,
                region: event.region,
                begin: index,
                not_before: event.not_before,
                end: None,
                woken_by,
                waits: false,
                woken: 0,
                observed: None,
                inserted: None,
            });
            self.open.push(self.stays.len() - 1);
            self.stays.len() - 1
        });
        self.current = Some((thread, candidate));
    }

    fn exit(&mut self, index: usize, event: &Completed) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.end(index, event);
        }
    }

    fn end(&mut self, index: usize, event: &Completed) {
        if let Some((_, Some(stay))) = self.current.take() {
            self.stays[stay].end = Some((index, event.not_after));
        }
    }

    /// A stay that ends waiting did not notify, if its code cannot do one after the other.
    fn discard_if_it_cannot_have_notified(&mut self) {
        let Some((_, Some(slot))) = self.current else {
            return;
        };
        let region = self.stays[slot].region;
        let effects = region.and_then(|r| self.context.effects.get(&r));
        let cannot = effects.is_some_and(|e| e.may_wait_after_notify == Some(false));
        if cannot && self.stays[slot].observed.is_none() && self.stays[slot].woken == 0 {
            self.close(slot);
        }
    }

    /// A stay wakes nobody any more. They are in order, and many stay open for good.
    fn close(&mut self, slot: usize) {
        if let Ok(at) = self.open.binary_search(&slot) {
            self.open.remove(at);
        }
    }

    fn observed(&mut self, kind: EventKind) {
        if let Some((_, Some(stay))) = self.current {
            self.stays[stay].observed = Some(kind);
        }
    }

    /// The stay that ended the wait of `thread` begun at index `since`: the latest that may have. One that was itself
    /// woken within that wait and waited again has hardly done anything: whoever woke it may have notified all.
    fn notifier(&self, thread: ThreadId, since: usize) -> Option<usize> {
        let suits = |&slot: &usize| self.stays[slot].thread != thread;
        let mut recent = self
            .open
            .iter()
            .rev()
            .copied()
            .take_while(|&slot| self.stays[slot].begin > since);
        let mut slot = recent.find(suits)?;
        while let Some(wake_up) = self.woken_within(slot, since) {
            match wake_up.by {
                Some(by) if self.may_also_have_woken(by, thread, since) => slot = by,
                None if self.some_notify_all => return None,
                _ => break,
            }
        }
        Some(slot)
    }

    /// The wake-up after `since` that led to a stay which waited again, unless that is known to have notified.
    fn woken_within(&self, slot: usize, since: usize) -> Option<WakeUp> {
        let stay = &self.stays[slot];
        let idle = stay.waits && stay.observed.is_none();
        stay.woken_by.filter(|w| idle && w.at > since)
    }

    fn may_also_have_woken(&self, slot: usize, thread: ThreadId, since: usize) -> bool {
        let stay = &self.stays[slot];
        let within = stay.thread != thread && stay.begin > since;
        within && self.open.binary_search(&slot).is_ok() && self.may_notify_all(slot)
    }

    fn explain(&mut self, slot: usize, index: usize, at: Nanos) {
        let all = self.may_notify_all(slot);
        self.stays[slot].woken += 1;
        self.note(slot, index, at);
        if !all {
            self.close(slot);
        }
    }

    /// Whether a stay can wake more than one thread.
    fn may_notify_all(&self, slot: usize) -> bool {
        let stay = &self.stays[slot];
        match stay.observed {
            Some(kind) => kind == EventKind::NotifyAll,
            None => self.effects_allow_all(stay.region),
        }
    }

    fn effects_allow_all(&self, region: Option<RegionId>) -> bool {
        let effects = region.and_then(|r| self.context.effects.get(&r));
        effects.is_some_and(|e| e.may_notify_all == Some(true))
    }

    /// Inserts the stay's notify, or makes one already there a notify of all.
    fn note(&mut self, slot: usize, waited: usize, at: Nanos) {
        let kind = self.kind(slot);
        let stay = &mut self.stays[slot];
        if stay.observed.is_some() {
            return;
        }
        if let Some(inserted) = stay.inserted {
            self.inserted[inserted].1.what = What::Event(kind);
            return;
        }
        let (before, over) = stay.end.unwrap_or((waited, at));
        stay.inserted = Some(self.inserted.len());
        let event = Completed {
            mark: Mark::Inferred,
            ..Completed::inferred(
                kind,
                stay.thread,
                (stay.not_before, over.min(at)),
                stay.region,
            )
        };
        self.inserted.push((before.min(waited), event));
    }

    fn kind(&self, slot: usize) -> EventKind {
        let stay = &self.stays[slot];
        let effects = stay.region.and_then(|r| self.context.effects.get(&r));
        let one = effects.is_some_and(|e| e.may_notify == Some(true));
        if one && stay.woken < 2 {
            EventKind::Notify
        } else {
            EventKind::NotifyAll
        }
    }

    fn merge(mut self, completed: Vec<Completed>) -> Vec<Completed> {
        self.inserted.sort_by_key(|&(before, _)| before);
        let mut inserted = self.inserted.into_iter().peekable();
        let mut done = Vec::with_capacity(completed.len() + inserted.len());
        for (index, event) in completed.into_iter().enumerate() {
            while let Some((_, notify)) = inserted.next_if(|&(before, _)| before == index) {
                done.push(notify);
            }
            done.push(event);
        }
        done
    }
}
