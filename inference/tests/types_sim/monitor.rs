//! A Java monitor with threads scheduled at random: entry set, wait set, barging, spurious
//! wake-ups and time-outs. A program is a table of regions over a few integers, so that a
//! reference implementation of a lock reads like its Java original.

use super::rng::Rng;
use locklens_inference::region::RegionId;
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::VecDeque;

/// The fields of the lock object (`f`) and, per thread, what the thread itself remembers (`own`).
#[derive(Clone, Debug, Default)]
pub struct Vars {
    /// Fields.
    pub f: [i64; 8],
    /// Locals of each thread; they survive from one region to the next.
    pub own: Vec<[i64; 3]>,
    /// Threads that have been interrupted while they waited.
    pub interrupted: Vec<bool>,
}

/// A condition over the fields, seen by one thread.
pub type Cond = fn(&Vars, usize) -> bool;
/// An update of the fields by one thread.
pub type Act = fn(&mut Vars, usize);

/// One instruction of a region.
#[derive(Clone, Copy)]
pub enum Op {
    /// `while (cond) wait()`.
    While(Cond),
    /// `if (cond) wait()`.
    If(Cond),
    /// `while (cond) wait(timeout)`, returning from the region when the time is up.
    WhileFor(Cond, u64),
    /// `while (cond) wait()`, returning from the region when interrupted.
    Interruptible(Cond),
    /// `wait(timeout)`, once, whatever happens.
    Sleep(u64),
    /// Updates fields.
    Do(Act),
    /// Leaves the region if the condition holds.
    ReturnIf(Cond),
    /// `if (cond) notify()`.
    Notify(Cond),
    /// `if (cond) notifyAll()`.
    NotifyAll(Cond),
}

/// One step of a thread outside the monitor.
#[derive(Clone)]
pub enum Move {
    /// Runs a region.
    Call(usize),
    /// Stays outside for up to that long.
    Think(u64),
    /// With so many per cent the first, else the second.
    Either(u64, Vec<Move>, Vec<Move>),
    /// If the condition holds.
    When(Cond, Vec<Move>),
    /// The thread that the lock object stands for ends: sets field 0, wakes all.
    SubjectEnds,
}

/// A thread: its moves, and how often it goes through them.
#[derive(Clone)]
pub struct Script {
    /// The moves.
    pub moves: Vec<Move>,
    /// How often.
    pub rounds: u64,
}

/// A program around one lock.
#[derive(Clone)]
pub struct Program {
    /// The regions, by index.
    pub regions: Vec<Vec<Op>>,
    /// The threads.
    pub threads: Vec<Script>,
    /// Initial fields.
    pub init: [i64; 8],
}

/// One lock object, seen in two ways.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Every visit.
    pub history: History,
    /// What a JVM reports: waits and their ends, and few of the blocked entries.
    pub events: Vec<Event>,
    /// When the thread ended that the object stands for.
    pub subject_ended: Option<Nanos>,
}

/// Of so many blocked entries one outlasts the JVM's spinning, and is reported.
const REPORTED: u64 = 12;

enum State {
    Outside { due: u64 },
    Entering { blocked: bool },
    Waiting { deadline: Option<u64> },
    Done,
}

struct Thread {
    state: State,
    agenda: VecDeque<Move>,
    rounds: u64,
    region: usize,
    /// Index of the instruction to go on with, once a region has been entered.
    pc: usize,
    resumed: Option<bool>,
    /// The end of its wait has not been reported yet.
    unreported: bool,
    /// Its being blocked was reported.
    reported: bool,
}

/// Runs a program until so many visits have been made or every thread is done or stuck.
pub fn run(program: &Program, visits: usize, seed: u64) -> Recording {
    Run::new(program, seed).run(visits)
}

struct Run<'a> {
    program: &'a Program,
    rng: Rng,
    now: u64,
    vars: Vars,
    threads: Vec<Thread>,
    steps: Vec<Step>,
    events: Vec<Event>,
    subject_ended: Option<Nanos>,
    visits: usize,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let threads = program.threads.iter().map(|s| Thread {
            state: State::Outside {
                due: rng.below(200),
            },
            agenda: VecDeque::new(),
            rounds: s.rounds,
            region: 0,
            pc: 0,
            resumed: None,
            unreported: false,
            reported: false,
        });
        let threads: Vec<Thread> = threads.collect();
        Self {
            program,
            now: 0,
            vars: Vars {
                f: program.init,
                own: vec![[0; 3]; threads.len()],
                interrupted: vec![false; threads.len()],
            },
            threads,
            steps: Vec::new(),
            events: Vec::new(),
            subject_ended: None,
            visits: 0,
            rng,
        }
    }

    fn run(mut self, visits: usize) -> Recording {
        while self.visits < visits && self.turn() {}
        let waiting = |t: &Thread| matches!(t.state, State::Waiting { .. });
        let still_waiting = (0u32..)
            .zip(&self.threads)
            .filter(|(_, t)| waiting(t))
            .map(|(i, t)| (ThreadId(i + 1), RegionId(t.region as u32)))
            .collect();
        let history = History {
            lock: None,
            steps: self.steps,
            complete: true,
            still_waiting,
        };
        Recording {
            history,
            events: self.events,
            subject_ended: self.subject_ended,
        }
    }

    /// An event as the JVM reports it.
    fn report(&mut self, t: usize, kind: EventKind) {
        self.now += 1;
        self.events.push(Event {
            at: Nanos(self.now * 1000),
            thread: ThreadId(t as u32 + 1),
            kind,
            lock: Some(LockId(1)),
            stack: Some(StackId(self.threads[t].region as u32 + 1)),
            owner: Owner::Unknown,
            seq: None,
        });
    }

    /// The wait of a thread is over; it says so now or later, in any case before it comes back.
    fn end_wait(&mut self, t: usize, timed_out: bool) {
        let thread = &mut self.threads[t];
        thread.state = State::Entering { blocked: false };
        thread.resumed = Some(timed_out);
        thread.unreported = true;
        if self.rng.below(2) == 0 {
            self.report_end(t);
        }
    }

    fn report_end(&mut self, t: usize) {
        if std::mem::take(&mut self.threads[t].unreported) {
            let timed_out = self.threads[t].resumed == Some(true);
            self.report(t, EventKind::Waited { timed_out });
        }
    }

    /// One visit by somebody who can make one; false when nobody ever will.
    fn turn(&mut self) -> bool {
        self.now += 1 + self.rng.below(20);
        self.wake_by_time();
        self.wake_for_nothing();
        self.leave_outside();
        let ready: Vec<usize> = (0..self.threads.len())
            .filter(|&t| matches!(self.threads[t].state, State::Entering { .. }))
            .collect();
        if ready.is_empty() {
            return self.skip_to_next_event();
        }
        let lucky = ready[self.rng.below(ready.len() as u64) as usize];
        self.visit(lucky);
        true
    }

    fn wake_by_time(&mut self) {
        for t in 0..self.threads.len() {
            let state = &self.threads[t].state;
            if matches!(state, State::Waiting { deadline: Some(d) } if *d <= self.now) {
                self.end_wait(t, true);
            }
        }
    }

    /// A spurious wake-up, or an interrupt where the program heeds them.
    fn wake_for_nothing(&mut self) {
        if self.rng.below(500) == 0 {
            let waits = |t: &Thread| matches!(t.state, State::Waiting { .. });
            for (flag, _) in self
                .vars
                .interrupted
                .iter_mut()
                .zip(&self.threads)
                .filter(|(_, t)| waits(t))
            {
                *flag = true;
            }
            self.wake(1);
            for (flag, thread) in self.vars.interrupted.iter_mut().zip(&self.threads) {
                *flag &= !waits(thread);
            }
        }
    }

    /// Moves up to so many waiters, chosen at random, to the entry set.
    fn wake(&mut self, count: usize) {
        let mut waiting: Vec<usize> = (0..self.threads.len())
            .filter(|&t| matches!(self.threads[t].state, State::Waiting { .. }))
            .collect();
        for _ in 0..count.min(waiting.len()) {
            let i = self.rng.below(waiting.len() as u64) as usize;
            self.end_wait(waiting.swap_remove(i), false);
        }
    }

    /// Threads whose time outside is over go on with their agenda, up to the next region.
    fn leave_outside(&mut self) {
        for t in 0..self.threads.len() {
            while matches!(self.threads[t].state, State::Outside { due } if due <= self.now) {
                self.advance(t);
            }
        }
    }

    fn advance(&mut self, t: usize) {
        let Some(next) = self.threads[t].agenda.pop_front() else {
            return self.refill(t);
        };
        match next {
            Move::Call(region) => {
                let thread = &mut self.threads[t];
                (thread.region, thread.pc, thread.resumed) = (region, 0, None);
                let blocked = self.threads.len() > 1 && self.rng.below(3) == 0;
                self.threads[t].state = State::Entering { blocked };
                self.threads[t].reported = blocked && self.rng.below(REPORTED) == 0;
                if self.threads[t].reported {
                    self.report(t, EventKind::Enter);
                }
            }
            Move::Think(most) => {
                let due = self.now + 1 + self.rng.below(most);
                self.threads[t].state = State::Outside { due };
            }
            Move::Either(percent, a, b) => {
                let branch = if self.rng.below(100) < percent { a } else { b };
                branch
                    .into_iter()
                    .rev()
                    .for_each(|m| self.threads[t].agenda.push_front(m));
            }
            Move::When(cond, moves) => {
                if cond(&self.vars, t) {
                    moves
                        .into_iter()
                        .rev()
                        .for_each(|m| self.threads[t].agenda.push_front(m));
                }
            }
            Move::SubjectEnds => {
                self.vars.f[0] = 1;
                self.subject_ended = Some(Nanos(self.now * 1000));
                self.steps.push(Step::SubjectEnded(Nanos(self.now * 1000)));
                self.wake(usize::MAX);
            }
        }
    }

    fn refill(&mut self, t: usize) {
        let thread = &mut self.threads[t];
        if thread.rounds == 0 {
            thread.state = State::Done;
        } else {
            thread.rounds -= 1;
            thread
                .agenda
                .extend(self.program.threads[t].moves.iter().cloned());
        }
    }

    fn skip_to_next_event(&mut self) -> bool {
        let next = self.threads.iter().filter_map(|t| match t.state {
            State::Outside { due } => Some(due),
            State::Waiting { deadline } => deadline,
            _ => None,
        });
        next.min().map(|at| self.now = self.now.max(at)).is_some()
    }

    fn visit(&mut self, t: usize) {
        let State::Entering { blocked } = self.threads[t].state else {
            return;
        };
        let begin = match self.threads[t].resumed {
            Some(timed_out) => Begin::Resumed { timed_out },
            None => Begin::Fresh { blocked },
        };
        self.report_end(t);
        if std::mem::take(&mut self.threads[t].reported) {
            self.report(t, EventKind::Entered);
        }
        let mut notified = Notified::No;
        let at = Nanos(self.now * 1000);
        let finish = self.execute(t, &mut notified);
        self.steps.push(Step::Visit(Visit {
            thread: ThreadId(t as u32 + 1),
            region: RegionId(self.threads[t].region as u32),
            at,
            until: at,
            begin,
            begin_mark: Mark::Observed,
            finish,
            finish_mark: Mark::Observed,
            notified,
        }));
        self.visits += 1;
    }

    /// Runs the region until it waits or is left.
    fn execute(&mut self, t: usize, notified: &mut Notified) -> Finish {
        let program = self.program;
        let code = &program.regions[self.threads[t].region];
        while let Some(&op) = code.get(self.threads[t].pc) {
            let resumed = self.threads[t].resumed.take();
            match self.perform(op, t, resumed, notified) {
                Flow::Next => self.threads[t].pc += 1,
                Flow::Return => break,
                Flow::Wait(timeout) => return self.start_wait(t, timeout),
            }
        }
        self.threads[t].state = State::Outside { due: self.now };
        Finish::Left
    }

    fn perform(&mut self, op: Op, t: usize, resumed: Option<bool>, out: &mut Notified) -> Flow {
        let again = resumed.is_some();
        match op {
            Op::While(c) if c(&self.vars, t) => Flow::Wait(None),
            Op::If(c) if !again && c(&self.vars, t) => Flow::Wait(None),
            Op::Interruptible(_) if again && self.vars.interrupted[t] => {
                self.vars.interrupted[t] = false;
                Flow::Return
            }
            Op::Interruptible(c) if c(&self.vars, t) => Flow::Wait(None),
            Op::WhileFor(c, _) if resumed == Some(true) && c(&self.vars, t) => Flow::Return,
            Op::WhileFor(c, most) if c(&self.vars, t) => Flow::Wait(Some(most)),
            Op::Sleep(most) if !again => Flow::Wait(Some(most)),
            Op::ReturnIf(c) if c(&self.vars, t) => Flow::Return,
            Op::Do(act) => {
                act(&mut self.vars, t);
                Flow::Next
            }
            Op::Notify(c) if c(&self.vars, t) => {
                *out = Notified::One(Mark::Observed);
                self.wake(1);
                Flow::Next
            }
            Op::NotifyAll(c) if c(&self.vars, t) => {
                *out = Notified::All(Mark::Observed);
                self.wake(usize::MAX);
                Flow::Next
            }
            _ => Flow::Next,
        }
    }

    fn start_wait(&mut self, t: usize, timeout: Option<u64>) -> Finish {
        let deadline = timeout.map(|most| self.now + most);
        self.threads[t].state = State::Waiting { deadline };
        self.report(
            t,
            EventKind::Wait {
                timeout: timeout.map(|most| Nanos(most * 1000)),
            },
        );
        Finish::Waits {
            timeout: timeout.map(|most| Nanos(most * 1000)),
        }
    }
}

enum Flow {
    Next,
    Return,
    Wait(Option<u64>),
}
