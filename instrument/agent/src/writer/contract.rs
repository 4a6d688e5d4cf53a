//! What the recording costs, and how it is kept small.
//!
//! The account is kept of every recording: the time that events took in the application's threads
//! ([`meter`]), and this thread's own. With `overhead=` there is a limit, a share of the processor time that the
//! program takes itself (of one processor at least), and [`control`] says what is given up for it: frames of call chains, then chains,
//! at last events, which are switched off until the debt is paid, and on again for a slice of time.
//!
//! Nothing of this is in the application's way: it reads a number more where a chain is taken. Events that are off
//! are off in the JVM, which then does not call us at all.

mod control;

use super::Writer;
use crate::callbacks::{MONITOR_EVENTS, VIRTUAL_EVENTS};
use crate::clock;
use crate::meter;
use crate::recording::Recording;
use crate::ring::{RawEvent, What};
use crate::vm::Vm;
use control::{Control, Order, Spent};
use locklens_trace::cost::{Concession, Cost, Slices, Step};
use locklens_trace::record::{LossCause, Lost, target_key};
use locklens_trace::{Nanos, Record};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

/// The time between two looks at what the process has used: the kernel adds up all its threads.
const PROCESS_LOOK: u64 = 200_000_000;
/// Price of a chain where only what is new of a lock gets one.
const DEAREST: u64 = 64;
/// Of what may be spent, so many tenths are planned with: what happens between two looks is not foreseen.
const TENTHS: u64 = 9;
/// Steps that are told one by one.
const TOLD: usize = 64;

/// How much there was of everything since the beginning. Times are in ns.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Out of the ring, or dropped; of these, those with a call chain.
    events: u64,
    chained: u64,
    /// What those without took in their threads, and all of them on the way.
    in_threads: u64,
    /// What the others took in theirs.
    chains: u64,
    /// Processor time of this thread, and what of it events took.
    thread: u64,
    telling: u64,
}

/// See the module.
pub(super) struct Contract {
    /// Parts in a million of the program's processor time.
    most: Option<u64>,
    control: Control,
    /// What an event takes outside of its callback.
    way: u64,
    /// When the account was opened, and what the process had used by then.
    start: (u64, u64),
    sums: Sums,
    /// When it was looked at last, and what it said.
    last: (u64, Sums),
    /// The same of what the process has used.
    process: (u64, u64),
    /// Processor time that the program takes in a second.
    busy: u64,
    steps: Vec<Concession>,
    more_steps: u64,
    slices: Slices,
    /// Up to when the present pause has been told.
    told: u64,
}

impl Contract {
    pub(super) fn new(vm: Vm<'_>, recording: &Recording) -> Self {
        let most = recording.options.overhead;
        let way = meter::way(vm);
        let (now, process) = (clock::monotonic(), clock::process_cpu());
        let thread = clock::thread_cpu();
        let sums = Sums {
            thread,
            ..Sums::default()
        };
        Self {
            most,
            control: Control::new(now, recording.options.depth),
            way,
            start: (now, process.saturating_sub(thread)),
            sums,
            last: (now, sums),
            process: (now, process),
            busy: SECOND,
            steps: Vec::new(),
            more_steps: 0,
            slices: Slices::default(),
            told: 0,
        }
    }

    /// An event came out of the ring.
    pub(super) fn note(&mut self, event: &RawEvent) {
        self.sums.events += 1;
        let chained = u64::from(event.stack != 0);
        self.sums.chained += chained;
        if self.more_steps == 0
            && let Some(step) = self.steps.last_mut()
            && matches!(event.what, What::Enter | What::Wait)
        {
            step.begun += 1;
            step.chained += chained;
        }
    }

    /// Events were dropped, which had cost what others do.
    pub(super) fn note_dropped(&mut self, count: u64) {
        self.sums.events = self.sums.events.saturating_add(count);
    }

    /// This thread took so much of a processor for events.
    pub(super) fn note_telling(&mut self, cpu: u64) {
        self.sums.telling += cpu;
    }

    /// Whether events are off.
    pub(super) fn is_off(&self) -> bool {
        self.control.is_off()
    }

    /// How long until the account is to be looked at, where it matters when: the beginning, and the end of a slice.
    pub(super) fn until_due(&self) -> Option<Duration> {
        self.most?;
        let now = clock::monotonic();
        let left = self.control.due(self.last.0).saturating_sub(now);
        let matters = self.control.is_new(now) || self.control.is_on_for_a_slice();
        // The system waits for whole milliseconds.
        matters.then(|| Duration::from_nanos(left + 999_999))
    }

    /// Brings the account up to date: what was spent since, if that is long enough ago.
    fn book(&mut self, recording: &Recording, now: u64) -> Option<Spent> {
        let (at, before) = self.last;
        let span = now.saturating_sub(at);
        if now < self.control.due(at) {
            return None;
        }
        self.price(recording, before);
        if self.most.is_some() {
            self.look_at_process(now);
        }
        let sums = self.sums;
        self.last = (now, sums);
        let telling = sums.telling - before.telling;
        let thread = sums.thread.saturating_sub(before.thread);
        let base = u128::from(self.busy.max(SECOND)) * u128::from(span) / u128::from(SECOND);
        Some(Spent {
            span,
            allowed: part(u64::try_from(base).unwrap_or(u64::MAX), self.most?) / 10 * TENTHS,
            events: sums.in_threads - before.in_threads,
            telling,
            chains: sums.chains.saturating_sub(before.chains),
            rest: thread.saturating_sub(telling),
        })
    }

    /// Charges for the events since then what those of all the time took on average.
    fn price(&mut self, recording: &Recording, before: Sums) {
        let sums = &mut self.sums;
        let events = sums.events - before.events;
        let plain = events.saturating_sub(sums.chained - before.chained);
        let took = plain.saturating_mul(recording.meter.each());
        let way = events.saturating_mul(self.way);
        sums.in_threads = sums.in_threads.saturating_add(took.saturating_add(way));
        sums.chains = recording.meter.chains();
        sums.thread = clock::thread_cpu();
    }

    fn look_at_process(&mut self, now: u64) {
        let (at, before) = self.process;
        let span = now.saturating_sub(at);
        if span < PROCESS_LOOK {
            return;
        }
        let used = clock::process_cpu();
        let ours = self.rate_of_ours(now);
        let rate = per_second(used.saturating_sub(before), span);
        // Half of it is of before: a pause of the program is none of its habits.
        self.busy = self.busy / 2 + rate.saturating_sub(ours) / 2;
        self.process = (now, used);
    }

    /// What the recording takes of that.
    fn rate_of_ours(&self, now: u64) -> u64 {
        let all = |sums: &Sums| {
            sums.in_threads
                .saturating_add(sums.chains)
                .saturating_add(sums.thread)
        };
        let (at, before) = self.last;
        let spent = all(&self.sums).saturating_sub(all(&before));
        per_second(spent, now.saturating_sub(at))
    }

    /// A step was taken, or taken back.
    fn note_step(&mut self, at: Nanos, frames: usize) {
        if self.steps.len() == TOLD {
            self.more_steps += 1;
            return;
        }
        self.steps.push(Concession {
            at,
            step: self.control.step(),
            frames: u32::try_from(frames).unwrap_or(u32::MAX),
            begun: 0,
            chained: 0,
        });
    }

    /// What it came to, as facts of the trace.
    pub(super) fn facts(&mut self, recording: &Recording) -> Vec<(&'static str, String)> {
        self.price(recording, self.last.1);
        let now = clock::monotonic();
        self.last = (now, self.sums);
        let (start, process) = self.start;
        let sums = self.sums;
        let used = clock::process_cpu().saturating_sub(process);
        let ours = sums
            .in_threads
            .saturating_add(sums.chains)
            .saturating_add(sums.thread);
        let cost = Cost {
            span: Nanos(now.saturating_sub(start)),
            program: Nanos(used.saturating_sub(ours)),
            events: Nanos(sums.in_threads),
            chains: Nanos(sums.chains),
            thread: Nanos(sums.thread),
        };
        // What probes take in the program's threads is not measured.
        let mut facts = match recording.options.exact {
            true => Vec::new(),
            false => vec![(target_key::OVERHEAD_COST, cost.to_string())],
        };
        facts.extend(
            self.most
                .map(|most| (target_key::OVERHEAD_MOST, most.to_string())),
        );
        if !self.steps.is_empty() {
            let lines: Vec<_> = self.steps.iter().map(Concession::to_string).collect();
            facts.push((target_key::OVERHEAD_STEPS, lines.join("\n")));
        }
        if self.more_steps > 0 {
            facts.push((target_key::OVERHEAD_MORE_STEPS, self.more_steps.to_string()));
        }
        if self.slices.pauses > 0 {
            facts.push((target_key::OVERHEAD_SLICES, self.slices.to_string()));
        }
        facts
    }
}

impl Writer<'_> {
    /// Looks at the account, and does what follows from it.
    pub(super) fn keep_contract(&mut self) {
        let now = clock::monotonic();
        let Some(spent) = self.contract.book(self.recording, now) else {
            return;
        };
        // Those that stood still before are told once it is known that they have not moved since.
        let may = self.look.is_none();
        match self.contract.control.turn(now, spent, may) {
            Order::Nothing => {}
            Order::Change => self.change_step(now),
            Order::Pause => self.pause(),
            Order::Resume => self.resume(),
        }
    }

    fn change_step(&mut self, now: u64) {
        let recording = self.recording;
        let given_up = self.contract.control.given_up();
        let (mut depth, mut price) = (recording.options.depth, 1);
        for step in given_up {
            match *step {
                Step::Nothing | Step::Slices => {}
                Step::Depth(frames) => depth = depth.min(frames as usize),
                Step::Chains(parts) => price = u64::from(parts),
                Step::PerLock => price = DEAREST,
            }
        }
        recording.depth.store(depth, Relaxed);
        recording.budget.set_price(price);
        let at = Nanos(now.saturating_sub(recording.start));
        self.contract.note_step(at, depth);
    }

    /// Switches events off. From now on any may be missing.
    fn pause(&mut self) {
        self.contract.told = clock::monotonic();
        self.contract.slices.pauses += 1;
        self.recording.off.store(true, Relaxed);
        self.enable_events(false);
    }

    /// Switches them on again.
    fn resume(&mut self) {
        // What threads remember of before is over: first, so that an event that comes as soon as they are on is not taken for
        // the end of what began before. And so is what is remembered of them.
        self.recording.era.fetch_add(1, SeqCst);
        let before = clock::monotonic().saturating_sub(self.recording.start);
        self.observed.lose(Nanos(before));
        self.enable_events(true);
        self.recording.off.store(false, Relaxed);
        let now = clock::monotonic().saturating_sub(self.recording.start);
        self.describer.stays.forget(Nanos(now));
        self.tell_pause(clock::monotonic());
    }

    fn enable_events(&self, on: bool) {
        for &event in MONITOR_EVENTS.iter().chain(VIRTUAL_EVENTS) {
            // They could be switched on before, or this JVM has none of them.
            let _ = self.vm.enable(event, on);
        }
    }

    /// Says that events were missing up to then, if they were.
    pub(super) fn tell_pause(&mut self, to: u64) {
        let from = self.contract.told;
        if from == 0 {
            return;
        }
        let start = self.recording.start;
        let time = |at: u64| Nanos(at.saturating_sub(start));
        self.output.push(&Record::Lost(Lost {
            from: time(from),
            to: time(to),
            count: 0,
            cause: LossCause::Paused,
        }));
        let off = &mut self.contract.slices.off;
        *off = Nanos(off.0 + to.saturating_sub(from));
        self.contract.told = if self.contract.is_off() { to } else { 0 };
    }
}

const SECOND: u64 = 1_000_000_000;

/// So many parts in a million of it.
fn part(of: u64, parts: u64) -> u64 {
    u64::try_from(u128::from(of) * u128::from(parts) / 1_000_000).unwrap_or(u64::MAX)
}

fn per_second(spent: u64, span: u64) -> u64 {
    let rate = u128::from(spent) * u128::from(SECOND) / u128::from(span.max(1));
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_rates_do_not_overflow() {
        assert_eq!(part(2 * SECOND, 10_000), SECOND / 50);
        assert_eq!(part(u64::MAX, 1_000_000), u64::MAX);
        assert_eq!(per_second(SECOND / 4, SECOND / 2), SECOND / 2);
        assert_eq!(per_second(u64::MAX, 0), u64::MAX);
    }
}
