//! Sequences of contended events, completed by what they prove.
//!
//! A small model of the monitor runs over the events: who holds it, who waits, who was woken
//! and has not come back, who is blocked. Where an event contradicts the model, the model
//! catches up by the events that must have happened in between.

use super::attribute::Habits;
use super::stay::{Stay, Whereabouts};
use super::{Completed, Context, What};
use crate::region::RegionId;
use crate::visit::Mark;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, Nanos, ThreadId};
use std::collections::BTreeMap;

/// How far back somebody is looked for who has left.
const RECENT: usize = 64;

/// Inserts everything but notifies.
pub(super) fn complete(events: &[Event], context: &Context<'_>) -> Vec<Completed> {
    let mut monitor = Monitor::new(events, context);
    for (index, event) in events.iter().enumerate() {
        monitor.reset_if_due(index);
        monitor.step(index, event);
        monitor.resume_woken(index);
        monitor.seen.insert(event.thread, event.at);
    }
    monitor.done
}

struct Holder {
    thread: ThreadId,
    stay: Stay,
    /// It held the monitor at this time, or acquired it after.
    since: Nanos,
    /// The step that says it came back from a wait, where that is supposed.
    resumed: Option<usize>,
}

struct Woken {
    thread: ThreadId,
    stay: Stay,
    at: Nanos,
    timed_out: bool,
}

struct Blocked {
    stay: Stay,
    /// Inside `wait()`, coming back.
    returns: bool,
}

struct Monitor<'a> {
    context: &'a Context<'a>,
    habits: Habits<'a>,
    events: &'a [Event],
    /// For each event the next one of the same thread.
    next: Vec<Option<usize>>,
    /// The next event of each thread, from the one now looked at on.
    upcoming: BTreeMap<ThreadId, usize>,
    done: Vec<Completed>,
    holder: Option<Holder>,
    waiting: BTreeMap<ThreadId, Stay>,
    woken: Vec<Woken>,
    blocked: BTreeMap<ThreadId, Blocked>,
    /// Last event of each thread.
    seen: BTreeMap<ThreadId, Nanos>,
    /// Last time at which somebody was seen holding it.
    held: Nanos,
}

impl<'a> Monitor<'a> {
    fn new(events: &'a [Event], context: &'a Context<'a>) -> Self {
        Self {
            context,
            habits: Habits::of(events, context.places),
            events,
            next: next_of_thread(events),
            upcoming: BTreeMap::new(),
            done: Vec::with_capacity(events.len() * 2),
            holder: None,
            waiting: BTreeMap::new(),
            woken: Vec::new(),
            blocked: BTreeMap::new(),
            seen: BTreeMap::new(),
            // Who is found inside may have been there since before the first event.
            held: Nanos(0),
        }
    }

    /// Where an event happened, by its call chain or else by habit.
    fn stay(&self, event: &Event) -> Stay {
        match self.context.place(event) {
            None => self
                .habits
                .place(event)
                .map_or_else(|| Stay::at(None), Stay::by_habit),
            known => Stay::at(known),
        }
    }

    fn reset_if_due(&mut self, index: usize) {
        let Some(before) = index.checked_sub(1).map(|i| self.events[i].at) else {
            return;
        };
        let at = self.events[index].at;
        let quiet = self.waiting.is_empty() && self.blocked.is_empty();
        let silent = quiet && at.since(before) > self.context.reset_after;
        if silent || self.context.losses.between(before, at) {
            self.reset(at);
        }
    }

    fn reset(&mut self, at: Nanos) {
        self.done.push(Completed::reset(at));
        self.holder = None;
        self.waiting.clear();
        self.woken.clear();
        self.blocked.clear();
        self.seen.clear();
    }

    fn step(&mut self, index: usize, event: &Event) {
        self.set_upcoming(index, event.thread);
        match event.kind {
            EventKind::Enter => self.enter(event),
            EventKind::Entered => self.entered(event),
            EventKind::Wait { .. } => self.wait(event),
            EventKind::Waited { timed_out } => self.waited(event, timed_out),
            EventKind::Resumed | EventKind::Interrupted => self.resumed(event),
            EventKind::Exit => self.exit(event),
            EventKind::Notify | EventKind::NotifyAll => self.notify(event),
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    fn set_upcoming(&mut self, index: usize, thread: ThreadId) {
        match self.next[index] {
            Some(next) => drop(self.upcoming.insert(thread, next)),
            None => drop(self.upcoming.remove(&thread)),
        }
    }

    fn upcoming(&self, thread: ThreadId) -> Option<&'a Event> {
        self.upcoming.get(&thread).map(|&i| &self.events[i])
    }

    /// A thread about to block holds no level of this lock, unless it is coming back from a wait.
    fn enter(&mut self, event: &Event) {
        let returns = self.returns(event);
        if !returns {
            self.must_be_outside(event);
        }
        let woken = self
            .woken
            .iter()
            .find(|w| returns && w.thread == event.thread);
        let stay = woken.map_or_else(|| self.stay(event), |w| w.stay.clone());
        self.observe(event, stay.whereabouts());
        self.blocked.insert(event.thread, Blocked { stay, returns });
        if let Owner::Thread(owner) = event.owner {
            self.owner_seen(owner, event);
        }
    }

    /// Whether a blocked entry happens inside `wait()`. Only a wait that timed out (or was
    /// interrupted) posts one, so without a call chain that decides.
    fn returns(&self, event: &Event) -> bool {
        let woken = self.woken.iter().find(|w| w.thread == event.thread);
        woken.is_some_and(|w| self.context.place(event).map_or(w.timed_out, |p| p.in_wait))
    }

    fn must_be_outside(&mut self, event: &Event) {
        let thread = event.thread;
        if self.waiting.contains_key(&thread) {
            self.reset(event.at);
        }
        self.resume_if_woken(thread, event.at);
        self.leave_if_held_by(thread, event.at);
    }

    /// The owner was peeked at a moment before `event` was recorded: that is believed where it
    /// fills a hole in the model, not where it contradicts it.
    fn owner_seen(&mut self, owner: ThreadId, event: &Event) {
        if self.holder.is_some() || owner == event.thread || self.waiting.contains_key(&owner) {
            return;
        }
        self.resume_if_woken(owner, event.at);
        if self.holder.is_none() && !self.blocked.contains_key(&owner) {
            self.acquire(owner, Stay::at(None), event.at);
        }
    }

    fn entered(&mut self, event: &Event) {
        let blocked = self.blocked.remove(&event.thread);
        let woken = self.woken.iter().find(|w| w.thread == event.thread);
        match (blocked.as_ref(), woken) {
            (Some(b), _) if b.returns => return self.returned(event, b.stay.clone()),
            // A virtual thread's re-entry (JDK 25) comes without a beginning.
            (None, Some(woken)) => return self.returned(event, woken.stay.clone()),
            _ => {}
        }
        self.must_be_outside(event);
        self.free(event.at);
        let stay = match self.context.place(event) {
            Some(place) => Stay::at(Some(place)),
            None => blocked.map_or_else(|| Stay::at(None), |b| b.stay),
        };
        self.observe(event, stay.whereabouts());
        self.hold(event.thread, stay, event.at);
    }

    /// The monitor was re-acquired by blocking, inside `wait()`, which returns now.
    fn returned(&mut self, event: &Event, stay: Stay) {
        self.free(event.at);
        self.woken.retain(|w| w.thread != event.thread);
        self.observe(event, stay.whereabouts());
        let now = (event.at, event.at);
        self.infer(EventKind::Resumed, event.thread, now, stay.whereabouts());
        self.hold(event.thread, stay, event.at);
    }

    fn wait(&mut self, event: &Event) {
        if self.waiting.contains_key(&event.thread) {
            self.reset(event.at);
        }
        let stay = self.stay(event);
        self.must_be_inside(event, &stay);
        self.observe(event, stay.whereabouts());
        self.holder = None;
        self.held = event.at;
        self.waiting.insert(event.thread, stay);
    }

    /// Makes `event.thread` the holder, in this place, by whatever must have happened before.
    fn must_be_inside(&mut self, event: &Event, stay: &Stay) {
        self.resume_if_woken(event.thread, event.at);
        match &self.holder {
            Some(h) if h.thread == event.thread && h.stay.continues(stay) => {
                self.nest(event.thread, stay, event.at);
            }
            _ => {
                self.free(event.at);
                self.acquire(event.thread, stay.clone(), event.at);
            }
        }
    }

    /// Levels the holder has entered since it acquired the monitor, which posts nothing.
    fn nest(&mut self, thread: ThreadId, stay: &Stay, at: Nanos) {
        let Some(holder) = &mut self.holder else {
            return;
        };
        let (since, known) = (holder.since, holder.stay.levels.len());
        let more: Vec<_> = stay.levels.iter().skip(known).copied().collect();
        holder.stay.levels.extend(&more);
        for level in more {
            self.infer(EventKind::Entered, thread, (since, at), (level, stay.mark));
        }
    }

    fn waited(&mut self, event: &Event, timed_out: bool) {
        if self
            .holder
            .as_ref()
            .is_some_and(|h| h.thread == event.thread)
        {
            self.reset(event.at);
        }
        self.woken.retain(|w| w.thread != event.thread);
        let waiting = self.waiting.remove(&event.thread);
        let stay = waiting.unwrap_or_else(|| self.stay(event));
        self.observe(event, stay.whereabouts());
        self.woken.push(Woken {
            thread: event.thread,
            stay,
            at: event.at,
            timed_out,
        });
    }

    fn resumed(&mut self, event: &Event) {
        if self.waiting.contains_key(&event.thread) {
            self.reset(event.at);
        }
        self.free(event.at);
        let woken = self.woken.iter().position(|w| w.thread == event.thread);
        let stay = woken.map(|at| self.woken.remove(at).stay);
        let stay = stay.unwrap_or_else(|| self.stay(event));
        self.observe(event, stay.whereabouts());
        self.hold(event.thread, stay, event.at);
    }

    /// The VM's own probes tell an exit of the last level, and only where a successor is woken. They do so when the
    /// monitor has been let go of: by then somebody else may have been seen inside.
    fn exit(&mut self, event: &Event) {
        if self.context.vm_probes.is_some() && self.has_been_seen_to_leave(event) {
            return;
        }
        self.hold_somehow(event, self.stay(event));
        let Some(holder) = self.holder.take() else {
            return;
        };
        let mark = holder.stay.mark;
        for &level in holder.stay.levels.iter().skip(1).rev() {
            let bounds = (holder.since, event.at);
            self.infer(EventKind::Exit, event.thread, bounds, (level, mark));
        }
        self.observe(event, holder.stay.whereabouts());
        self.held = event.at;
    }

    /// If it was concluded already that the thread has left since it was last heard of, then this is when.
    fn has_been_seen_to_leave(&mut self, event: &Event) -> bool {
        let thread = event.thread;
        if self.holder.as_ref().is_none_or(|h| h.thread == thread) {
            return false;
        }
        let last = self
            .done
            .iter_mut()
            .rev()
            .take(RECENT)
            .find(|e| e.thread == Some(thread));
        let left =
            last.filter(|e| e.what == What::Event(EventKind::Exit) && e.mark == Mark::Inferred);
        let Some(left) = left else { return false };
        left.mark = Mark::Observed;
        left.not_after = left.not_after.min(event.at);
        left.not_before = left.not_after;
        true
    }

    fn notify(&mut self, event: &Event) {
        let stay = self
            .habits
            .notifier(event, |region| self.may_notify(region));
        let stay = stay.map_or_else(|| self.stay(event), Stay::by_habit);
        self.hold_somehow(event, stay);
        let place = self.holder.as_ref().map(|h| h.stay.whereabouts());
        self.observe(event, place.unwrap_or((None, Mark::Inferred)));
        self.held = event.at;
    }

    fn may_notify(&self, region: RegionId) -> bool {
        let effects = self.context.effects.get(&region);
        effects.is_some_and(|effects| effects.notifies())
    }

    /// The thread of an event that only a holder can cause holds the monitor, in this place if it was not known to.
    fn hold_somehow(&mut self, event: &Event, stay: Stay) {
        if self.waiting.contains_key(&event.thread) {
            self.reset(event.at);
        }
        self.resume_if_woken(event.thread, event.at);
        if self
            .holder
            .as_ref()
            .is_none_or(|h| h.thread != event.thread)
        {
            self.free(event.at);
            self.acquire(event.thread, stay, event.at);
        }
    }

    fn hold(&mut self, thread: ThreadId, stay: Stay, at: Nanos) {
        self.holder = Some(Holder {
            thread,
            stay,
            since: at,
            resumed: None,
        });
        self.held = at;
    }

    /// Somebody acquired without blocking: after its own last event, and after the monitor was
    /// last seen held.
    fn acquire(&mut self, thread: ThreadId, stay: Stay, at: Nanos) {
        let last = self.seen.get(&thread).copied().unwrap_or_default();
        let from = last.max(self.held).min(at);
        for &level in &stay.levels {
            self.infer(EventKind::Entered, thread, (from, at), (level, stay.mark));
        }
        self.holder = Some(Holder {
            thread,
            stay,
            since: from,
            resumed: None,
        });
    }

    /// Whoever holds the monitor left it by now, and if it came back from a wait, that was before.
    fn free(&mut self, by: Nanos) {
        if let Some(holder) = self.holder.take() {
            if let Some(resumed) = holder.resumed {
                let step = &mut self.done[resumed];
                step.not_after = step.not_after.min(by);
            }
            for &level in holder.stay.levels.iter().rev() {
                let place = (level, holder.stay.mark);
                self.infer(EventKind::Exit, holder.thread, (holder.since, by), place);
            }
        }
    }

    fn leave_if_held_by(&mut self, thread: ThreadId, by: Nanos) {
        if self.holder.as_ref().is_some_and(|h| h.thread == thread) {
            self.free(by);
        }
    }

    /// A woken thread that does something else has come back from `wait()` before.
    fn resume_if_woken(&mut self, thread: ThreadId, by: Nanos) {
        if let Some(at) = self.woken.iter().position(|w| w.thread == thread) {
            self.free(by);
            self.resume(at, by);
        }
    }

    fn resume(&mut self, at: usize, by: Nanos) {
        let Woken {
            thread,
            stay,
            at: woken,
            ..
        } = self.woken.remove(at);
        // Whoever was seen inside since may have come after it, so that is no bound.
        let from = woken.min(by);
        let resumed = Some(self.done.len());
        self.infer(EventKind::Resumed, thread, (from, by), stay.whereabouts());
        self.holder = Some(Holder {
            thread,
            stay,
            since: from,
            resumed,
        });
    }

    /// Woken threads come back as soon as the monitor can be free: re-entry takes microseconds
    /// and posts nothing. One whose next event is a blocked re-entry comes back with that.
    fn resume_woken(&mut self, index: usize) {
        while let Some(at) = self.woken.iter().position(|w| !self.will_block(w)) {
            if !self.may_be_free() {
                return;
            }
            let now = self.events[index].at;
            let end = self.events.last().map_or(now, |e| e.at);
            if let Some(holder) = &self.holder {
                let by = self.upcoming(holder.thread).map_or(end, |e| e.at);
                self.free(by);
            }
            let by = self.upcoming(self.woken[at].thread).map_or(end, |e| e.at);
            self.resume(at, by);
        }
    }

    fn will_block(&self, woken: &Woken) -> bool {
        if self.blocked.contains_key(&woken.thread) {
            return true;
        }
        self.upcoming(woken.thread).is_some_and(|e| match e.kind {
            EventKind::Enter => self.returns(e),
            EventKind::Entered => true,
            EventKind::Resumed | EventKind::Interrupted => true,
            _ => false,
        })
    }

    /// Nobody holds the monitor, or somebody who, by what it does next, need not.
    fn may_be_free(&self) -> bool {
        let Some(holder) = &self.holder else {
            return true;
        };
        self.upcoming(holder.thread)
            .is_none_or(|next| match next.kind {
                EventKind::Wait { .. } => !holder.stay.continues(&self.stay(next)),
                EventKind::Exit | EventKind::Notify | EventKind::NotifyAll => false,
                _ => true,
            })
    }

    fn observe(&mut self, event: &Event, (region, mark): Whereabouts) {
        self.done
            .push(Completed::observed(event, region).placed(mark));
    }

    fn infer(
        &mut self,
        kind: EventKind,
        thread: ThreadId,
        bounds: (Nanos, Nanos),
        (region, mark): Whereabouts,
    ) {
        self.done
            .push(Completed::inferred(kind, thread, bounds, region).placed(mark));
    }
}

fn next_of_thread(events: &[Event]) -> Vec<Option<usize>> {
    let mut upcoming = BTreeMap::new();
    let mut next = vec![None; events.len()];
    for (index, event) in events.iter().enumerate().rev() {
        next[index] = upcoming.insert(event.thread, index);
    }
    next
}
