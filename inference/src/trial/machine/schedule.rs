//! Monitors, waits, and who runs next: the caller until it is done or must wait, then in the
//! order of their coming everybody who can, or the other way round.

use super::halt::{Do, Halt, stuck, throw};
use super::step::Flow;
use super::thread::State;
use super::value::{ObjectId, Value};
use super::world::World;
use super::{Machine, Outcome, Reaction};
use crate::statics::survey::Signal;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Times a thread may wait again while others run. Beyond, threads only wake each other, and time
/// alone will help them.
const MAX_REWAITS: u32 = 12;

impl<'a> Machine<'a> {
    /// The next number in the order of events.
    pub(super) fn event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }

    /// Runs a thread and whoever can go on because of it, until everything is quiet.
    pub(super) fn settle(&mut self, first: usize) -> Reaction {
        for thread in &mut self.threads {
            thread.rewaits = 0;
        }
        if let Some(guesses) = &mut self.guesses {
            guesses.begin();
        }
        let mut done: Vec<(usize, Outcome)> = Vec::new();
        let runs = self.threads[first].state == State::Runs;
        let mut next = if runs { Some(first) } else { self.next_ready() };
        let mut polled = BTreeSet::new();
        while let Some(thread) = next {
            if let Some(outcome) = self.run(thread) {
                let stuck = outcome == Outcome::Stuck;
                done.push((thread, outcome));
                if stuck {
                    break;
                }
                polled.clear();
            }
            next = self.next_ready().or_else(|| self.next_poll(&mut polled));
        }
        let own = done.iter().position(|d| d.0 == first);
        Reaction {
            own: own
                .map(|at| done.remove(at).1)
                .unwrap_or_else(|| self.standing(first)),
            others: done,
        }
    }

    fn standing(&self, thread: usize) -> Outcome {
        match self.threads[thread].state {
            _ if self.why.is_some() => Outcome::Stuck,
            State::Waits { timed, .. } | State::Blocked { timed, .. } => Outcome::Waits { timed },
            _ => Outcome::Waits { timed: false },
        }
    }

    /// The thread that has been blocked longest (or for the shortest time) on a monitor that is free now, running.
    fn next_ready(&mut self) -> Option<usize> {
        let blocked = self
            .threads
            .iter()
            .enumerate()
            .filter_map(|(ix, t)| match t.state {
                State::Blocked {
                    on, depth, since, ..
                } if t.rewaits < MAX_REWAITS => Some((since, ix, on, depth)),
                _ => None,
            });
        let free = |b: &(u64, usize, ObjectId, u32)| self.heap.get(b.2).monitor.is_none();
        let ready = blocked.filter(free);
        let (_, thread, on, depth) = match self.last_first {
            true => ready.max(),
            false => ready.min(),
        }?;
        if depth > 0 {
            self.heap.change(on).monitor = Some((thread, depth));
        }
        self.threads[thread].state = State::Runs;
        Some(thread)
    }

    /// Where waits may end by themselves: the thread that has waited longest with a time limit, of
    /// those that have not looked since somebody got on. Time stands still.
    fn next_poll(&mut self, polled: &mut BTreeSet<usize>) -> Option<usize> {
        let threads = self.threads.iter().enumerate().filter(|_| self.polls);
        let waiting = threads.filter_map(|(ix, t)| match t.state {
            State::Waits {
                on,
                depth,
                since,
                timed: true,
            } if !polled.contains(&ix) => Some((since, ix, on, depth)),
            _ => None,
        });
        let free = |w: &(u64, usize, ObjectId, u32)| self.heap.get(w.2).monitor.is_none();
        let (_, thread, on, depth) = waiting.filter(free).min()?;
        polled.insert(thread);
        self.heap.change(on).monitor = Some((thread, depth));
        self.threads[thread].state = State::Runs;
        Some(thread)
    }

    /// Runs a thread until its call has ended; none: it waits.
    fn run(&mut self, thread: usize) -> Option<Outcome> {
        let world = Rc::clone(&self.world);
        self.discount(thread);
        let roused = std::mem::take(&mut self.threads[thread].roused);
        let mut thrown = roused.then(|| Arc::from("java.lang.InterruptedException"));
        let ended = loop {
            let flow = match thrown.take() {
                Some(class) => self.unwind(&world, thread, &class),
                None => self.go(&world, thread),
            };
            match flow {
                Ok(Flow::On) => {}
                Ok(Flow::Left(value)) => break Ok(value),
                Ok(Flow::Suspended) => {
                    self.threads[thread].left_at = self.changes;
                    return None;
                }
                Err(halt) => break Err(halt),
            }
        };
        self.threads[thread].state = State::Idle;
        let outcome = match ended {
            Ok(value) => Outcome::Passed(self.returned(thread, value)),
            Err(halt) => self.note_stuck(halt),
        };
        self.drop_frames(thread, 0);
        Some(outcome)
    }

    /// What others changed while a thread waited was not its doing.
    fn discount(&mut self, thread: usize) {
        let of = &mut self.threads[thread];
        let others = self.changes.saturating_sub(of.left_at);
        for frame in &mut of.frames {
            frame.changes += others;
        }
    }

    /// One instruction, with its exception unwound; more of them where they are of a kind (see [`Machine::step`]).
    pub(super) fn go(&mut self, world: &World<'a>, thread: usize) -> Do<Flow> {
        if self.fuel == 0 {
            return stuck("it takes too long");
        }
        self.fuel -= 1;
        self.cost += 1;
        match self.step(world, thread) {
            Err(Halt::Throw(class)) => self.unwind(world, thread, &class),
            other => other,
        }
    }

    /// Enters a monitor. False: it is another's, and the thread is blocked.
    pub(super) fn enter(&mut self, thread: usize, on: ObjectId) -> bool {
        let monitor = self.heap.get(on).monitor;
        match monitor {
            Some((owner, _)) if owner != thread => {
                let since = self.event();
                self.threads[thread].state = State::Blocked {
                    on,
                    depth: 0,
                    since,
                    timed: false,
                };
                false
            }
            _ => {
                let depth = monitor.map_or(0, |m| m.1);
                self.heap.change(on).monitor = Some((thread, depth.saturating_add(1)));
                true
            }
        }
    }

    /// Leaves a monitor once.
    pub(super) fn leave(&mut self, thread: usize, on: ObjectId) -> Do<()> {
        match self.heap.get(on).monitor {
            Some((owner, depth)) if owner == thread => {
                let left = (depth > 1).then(|| (thread, depth - 1));
                self.heap.change(on).monitor = left;
                Ok(())
            }
            _ => throw("IllegalMonitorStateException"),
        }
    }

    /// `wait`, `notify` or `notifyAll`.
    pub(super) fn signal(
        &mut self,
        thread: usize,
        signal: Signal,
        operand: usize,
        args: &[Value],
    ) -> Do<Flow> {
        let on = match args.get(operand) {
            Some(Value::Object(id)) => *id,
            Some(Value::Null | Value::Blank) => return throw("NullPointerException"),
            _ => return stuck("signals what is not known"),
        };
        let Some((owner, depth)) = self.heap.get(on).monitor.filter(|m| m.0 == thread) else {
            return throw("IllegalMonitorStateException");
        };
        match signal {
            Signal::Wait => return self.wait(owner, on, depth, args, operand),
            Signal::Notify => self.wake(on, 1),
            Signal::NotifyAll => self.wake(on, usize::MAX),
        }
        Ok(Flow::On)
    }

    fn wait(
        &mut self,
        thread: usize,
        on: ObjectId,
        depth: u32,
        args: &[Value],
        operand: usize,
    ) -> Do<Flow> {
        let limit = match args.get(operand + 1).map(|&a| self.limit(a)) {
            None => 0,
            Some(Some(limit)) => limit,
            Some(None) => return stuck("waits for a time that is not known"),
        };
        let nanos = args.get(operand + 2).and_then(|a| a.number()).unwrap_or(0);
        let of_unit = operand == 1;
        if of_unit && limit <= 0 {
            return Ok(Flow::On);
        }
        if limit < 0 {
            return throw("IllegalArgumentException");
        }
        if std::mem::take(&mut self.threads[thread].interrupted) {
            return throw("InterruptedException");
        }
        let timed = !self.patient && (limit > 0 || nanos > 0);
        let since = self.event();
        self.threads[thread].rewaits += 1;
        self.heap.change(on).monitor = None;
        self.threads[thread].state = State::Waits {
            on,
            depth,
            since,
            timed,
        };
        Ok(Flow::Suspended)
    }

    /// A time limit; one that is guessed is some time.
    fn limit(&mut self, value: Value) -> Option<i64> {
        match value.number() {
            None if self.is_guessing() => {
                self.note_decided();
                Some(1)
            }
            known => known,
        }
    }

    /// Ends the wait of a thread by an exception.
    pub(super) fn rouse(&mut self, thread: usize) {
        let since = self.event();
        let of = &mut self.threads[thread];
        if let State::Waits {
            on, depth, timed, ..
        } = of.state
        {
            of.roused = true;
            of.state = State::Blocked {
                on,
                depth,
                since,
                timed,
            };
        }
    }

    /// Wakes those who have waited longest.
    fn wake(&mut self, on: ObjectId, most: usize) {
        let threads = self.threads.iter().enumerate();
        let waiting = threads.filter_map(|(ix, t)| match t.state {
            State::Waits {
                on: at,
                depth,
                since,
                timed,
            } if at == on => Some((since, ix, depth, timed)),
            _ => None,
        });
        let mut waiting: Vec<_> = waiting.collect();
        waiting.sort_unstable();
        for (_, thread, depth, timed) in waiting.into_iter().take(most) {
            let since = self.event();
            self.threads[thread].state = State::Blocked {
                on,
                depth,
                since,
                timed,
            };
        }
    }
}
