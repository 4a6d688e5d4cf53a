//! Notifies, where the bytecode allows them and a wake-up asks for one.
//!
//! A wait that did not time out was ended by a notify (or an interrupt, or spuriously: the JVM
//! does not say). If, within the wait, another thread stayed in a region that may notify, the
//! latest such stay is taken to have done it. A single notify wakes one thread; a stay that is
//! needed by two of them must have called `notifyAll`, if its region can.
//! A stay that goes on to wait counts only if its code can wait after it has notified.
//! Most notifiers never block and are not in the sequence at all: then nothing is inserted.

use super::{Completed, Context, What};
use crate::effects::Effects;
use crate::region::RegionId;
use crate::visit::Mark;
use locklens_trace::{EventKind, Nanos, ThreadId};
use std::collections::BTreeMap;

/// Inserts the notifies that wake-ups ask for.
pub(super) fn insert(completed: Vec<Completed>, context: &Context<'_>) -> Vec<Completed> {
    let mut search = Search {
        context,
        ..Search::new(context)
    };
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
    /// Threads it has woken.
    woken: u32,
    /// What was observed of it.
    observed: Option<EventKind>,
    /// Where a notify was inserted.
    inserted: Option<usize>,
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
    inserted: Vec<(usize, Completed)>,
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
            inserted: Vec::new(),
        }
    }

    fn look_at(&mut self, index: usize, event: &Completed) {
        let (What::Event(kind), Some(thread)) = (event.what, event.thread) else {
            self.current = None;
            self.open.clear();
            self.waiting.clear();
            self.depths.clear();
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
                self.end(index, event);
                self.waiting.insert(thread, index);
            }
            EventKind::Notify | EventKind::NotifyAll => self.observed(kind),
            EventKind::Waited { timed_out } => {
                let since = self.waiting.remove(&thread);
                if let (Some(since), false) = (since, timed_out) {
                    self.explain(index, thread, since, event.not_before);
                }
            }
            EventKind::Enter | EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    fn begin(&mut self, index: usize, thread: ThreadId, event: &Completed) {
        if self.current.is_some_and(|(holder, _)| holder == thread) {
            self.depth += 1;
            return;
        }
        self.depth = 1;
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
            self.open.retain(|&open| open != slot);
        }
    }

    fn observed(&mut self, kind: EventKind) {
        if let Some((_, Some(stay))) = self.current {
            self.stays[stay].observed = Some(kind);
        }
    }

    /// Finds the stay that ended the wait of `thread` begun at index `since`.
    fn explain(&mut self, index: usize, thread: ThreadId, since: usize, at: Nanos) {
        let suits = |&slot: &usize| self.stays[slot].thread != thread;
        let recent = self
            .open
            .iter()
            .rev()
            .take_while(|&&slot| self.stays[slot].begin > since);
        let Some(slot) = recent.copied().find(suits) else {
            return;
        };
        let all = self.may_notify_all(slot);
        self.stays[slot].woken += 1;
        self.note(slot, index, at);
        if !all {
            self.open.retain(|&open| open != slot);
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
