//! The writer: the agent's one thread. It takes events out of the ring, brings them into order of
//! time, turns definitions into records, and sends chunks to the command.
//!
//! It also ends the recording, whatever the reason: the command asks for it, the command is gone,
//! or the JVM dies. [`finish`](self) is the one way out, and leaves nothing behind.
//!
//! Start with `Writer::run`; `exactly` is what rewriting classes adds to it, `describe` names things, `order` sorts, `roster` follows threads,
//! `contract` keeps the account of what it costs,
//! `parked` looks at threads that make no event, `holders` at those who own what others are blocked on, `census` at all threads where no event is recorded, `pulse` tells whether anybody listens.

mod begin;
mod census;
mod contract;
mod describe;
mod exactly;
mod finish;
mod gather;
mod holders;
mod look;
mod numbers;
mod observed;
mod order;
mod output;
mod owners;
mod parked;
mod pulse;
mod put_off;
mod roster;
mod sight;
mod stalls;
mod stays;
mod stops;
mod target;
pub(crate) mod thread;
mod verify;

use crate::bootstraps::Bootstraps;
use crate::callbacks;
use crate::channel::Command;
use crate::clock;
use crate::definition::Definition;
use crate::entry::{Jvm, Ready};
use crate::exact::{self, Exact, Within};
use crate::gate::Left;
use crate::owner::Peek;
use crate::recording::{GATE, Recording};
use crate::reserve;
use crate::ring::{Blocks, What};
use crate::structures::{Claims, Memory};
use crate::vm::Vm;
use crate::vm::sys::RawEnv;
use crate::vmprobes::VmProbes;
pub(crate) use begin::{Attached, Job, Start, spawn};
use census::Census;
use contract::Contract;
use describe::Describer;
use gather::Gatherer;
use holders::Holders;
use jni_sys::JNIEnv;
use locklens_trace::record::{EndReason, LossCause, Tick};
use locklens_trace::{Event, EventKind, Nanos, Record};
use look::Look;
use observed::Observed;
use order::Order;
use output::Output;
use parked::Sampler;
use pulse::Pulse;
use stalls::Stalls;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use stops::{Late, Stops};
use target::target;
use thread::detach;
use verify::verify;

/// Name of the thread, in Java and in the system.
const NAME: &CStr = c"locklens";
/// Pause between two looks at the ring, which wakes the writer when it fills.
const PERIOD: Duration = Duration::from_millis(50);
/// The same while code is being read, a step at a look.
const READING_PERIOD: Duration = Duration::from_millis(20);
/// Longest time between two ticks.
const TICK: Duration = Duration::from_millis(200);
/// Time between two looks at the threads' names.
const ROSTER: Duration = Duration::from_secs(2);
/// Events in one look at the ring (some 5,000 a second) above which its memory is kept.
const BUSY: usize = 250;
/// How often definitions are taken in one turn: each may have others made.
const DEFINED: usize = 8;
/// Most bytes queued for the command above which events stay in the ring.
const BACKLOG: usize = 4 << 20;
/// How long the command may fetch nothing before the classes being read are let go of.
const STALL: Duration = Duration::from_secs(1);
/// How long callbacks may take to leave the gate at the end.
const QUIET: Duration = Duration::from_millis(1500);
/// How long reading code may go on at the end.
const LAST_CODE: Duration = Duration::from_millis(400);
/// How long the command may fetch nothing of the end of the trace,
const LAST_BYTES: Duration = Duration::from_millis(1300);
/// and how long if it has just asked for that end: then it is there, and the machine may be too crowded for it to read.
/// The JVM waits for nothing of this: it has been left by then.
const ASKED_FOR: Duration = Duration::from_secs(10);

/// Writes, and lets go of the JVM. The environment is this thread's own.
fn work(job: Job, jni: *mut JNIEnv) {
    let env = job.ready.env as *mut RawEnv;
    // SAFETY: `open` returned it, and only this thread closes the gate.
    let recording = unsafe { &*(job.recording as *const Recording) };
    let jvm = job.ready.jvm;
    // SAFETY: this thread's environments, until it detaches below.
    let vm = unsafe { Vm::new(env, jni) };
    let Ready {
        channel, exclusive, ..
    } = job.ready;
    let finished = recording.finished.clone();
    let mut writer = Writer::new(vm, recording, Output::new(channel));
    // A panic is a defect of ours: it costs the recording, and must not cost the target.
    let ended = catch_unwind(AssertUnwindSafe(move || {
        let reason = writer.run(jvm);
        (reason, writer.finish(reason))
    }));
    let (output, left) = match ended {
        Ok((reason, (output, left))) => (Some((output, reason)), left),
        Err(_) => (None, abandon(vm, recording)),
    };
    // Else somebody is stuck inside (suspended, or the JVM has stopped for good). What it uses stays;
    // no event follows, so nothing grows.
    if let Some(left) = left {
        // SAFETY: the writer has gone, and with it the last reference.
        unsafe { left.take() }.release(vm);
        // SAFETY: events are off, the gate is closed and empty: nobody uses it.
        unsafe { vm.dispose() };
    }
    detach(jvm);
    drop(exclusive);
    if let Some((output, reason)) = output {
        let patience = match reason {
            Some(EndReason::Stopped) => ASKED_FOR,
            _ => LAST_BYTES,
        };
        output.close(patience, || finished.note_progress());
    }
    finished.set();
}

/// Lets go of the target after the writer has failed. The channel broke with it, its probes are switched off by their own
/// destructors: classes that were rewritten keep silent ones, until they are put back before the next exact recording, or by `detach`.
fn abandon(vm: Vm<'_>, recording: &Recording) -> Option<Left<Recording>> {
    exact::let_go(vm, recording);
    callbacks::switch_off(vm);
    recording.settled.set();
    GATE.close(QUIET, recording.start)
}

/// See the module.
struct Writer<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    output: Output,
    order: Order,
    /// Most events taken from the ring at a time.
    batch: usize,
    /// Bytes queued for the command above which events stay in the ring.
    backlog: usize,
    describer: Describer,
    gatherer: Gatherer<'vm>,
    target: Vec<(String, String)>,
    next_tick: Instant,
    next_roster: Instant,
    /// There is no room for more events, many are held back, and the time up to which all is known stood still in the last
    /// turn.
    pressed: bool,
    /// Events come so fast that giving their memory back would cost more than it is worth.
    busy: bool,
    pulse: Pulse,
    stops: Stops,
    stalls: Stalls,
    /// Threads that stood still when the recording began, as long as they are not told.
    look: Option<Look<'vm, 'vm>>,
    /// What looks at parked threads, if that is wanted.
    sampler: Option<Sampler<'vm>>,
    /// What looks at the owners of monitors, if that is wanted.
    holders: Option<Holders<'vm>>,
    /// What looks at all threads, if nothing else is wanted.
    census: Option<Census<'vm>>,
    exact: Option<Exact>,
    contract: Contract,
    /// The VM's own probes, while they are listened to.
    vm_probes: Option<VmProbes>,
    observed: Observed,
    /// Whose code call chains are in, if that may come to matter.
    within: Within,
    /// What was asked for has been done, or cannot be.
    done: bool,
}

impl<'vm> Writer<'vm> {
    fn new(vm: Vm<'vm>, recording: &'vm Recording, output: Output) -> Self {
        let now = Instant::now();
        let heap = recording.ceiling.shares.heap;
        // Probes leave more at a time, and what they leave must not be told out of order.
        let part = if recording.options.exact { 6 } else { 3 };
        let held = heap / 16 * part / order::EACH;
        Self {
            vm,
            recording,
            output,
            order: Order::new(recording.start, held),
            batch: held,
            backlog: BACKLOG.min(heap / 4),
            describer: Describer::default(),
            gatherer: Gatherer::new(recording),
            target: Vec::new(),
            next_tick: now,
            next_roster: now + ROSTER,
            pressed: false,
            busy: false,
            pulse: Pulse::new(recording.options.silence, now),
            stops: Stops::new(),
            stalls: Stalls::default(),
            look: None,
            sampler: None,
            holders: None,
            census: None,
            exact: None,
            contract: Contract::new(vm, recording),
            vm_probes: None,
            observed: Observed::new(recording.options.vm_probes > 0),
            within: Within::default(),
            done: false,
        }
    }

    /// Writes until there is a reason to end; none if nobody listens any more.
    fn run(&mut self, jvm: Jvm) -> Option<EndReason> {
        let before = reserve::used();
        self.output.begin();
        let (peek, claims) = self.look_inside(jvm);
        self.target = target(self.vm, self.recording, peek.as_ref().err());
        self.output.push(&Record::Target(self.target.clone()));
        if let Ok(peek) = peek {
            self.peek(peek);
        }
        self.define();
        self.begin_vm_probes(jvm, claims.as_ref());
        self.look = Look::begin(self.vm, self.recording, &mut self.describer);
        self.census = Census::begin(self.vm, self.recording);
        self.sampler = Sampler::begin(self.vm, self.recording);
        self.holders = Holders::begin(self.vm, self.recording);
        let mut busy = self.stops.begin(clock::monotonic());
        loop {
            let hurry = self.turn() | self.switch_vm_probes(jvm, claims.as_ref());
            let period = if hurry { Duration::ZERO } else { self.period() };
            let now = clock::monotonic();
            self.note_late(self.stops.end(&busy, now));
            let asleep = self.stops.sleep(now, period);
            self.output.wait(self.recording.wake.fd(), period);
            let late = self.stops.awake(&asleep, clock::monotonic());
            self.note_late(late);
            self.recording.wake.clear();
            match self.output.command() {
                Command::Gone => return None,
                Command::Stop => return Some(EndReason::Stopped),
                Command::Message => self.exactly(),
                _ if self.done => return Some(EndReason::Stopped),
                _ if self.recording.is_dying() => return Some(EndReason::VmDeath),
                _ if reserve::used() > before => return Some(EndReason::OutOfMemory),
                heard if !self.pulse.is_felt(heard, Instant::now()) => {
                    return Some(EndReason::CommandSilent);
                }
                Command::Alive | Command::Continue => {}
            }
            busy = self.stops.begin(clock::monotonic());
        }
    }

    /// This thread was late. Where nothing is recorded anyway, that says nothing of others.
    fn note_late(&mut self, late: Option<Late>) {
        let exact = self.exact.as_ref();
        let timeless = exact.is_some_and(|exact| exact.is_guard() || exact.is_clockless());
        if !timeless && !self.contract.is_off() {
            late.into_iter().for_each(|late| self.stalls.note(late));
        }
    }

    /// Finds out what can be read of the JVM's own structures, and how: the owners of monitors, and
    /// what call sites are linked by.
    fn look_inside(&mut self, jvm: Jvm) -> (Result<Peek, String>, Option<Claims>) {
        let memory = Memory::open();
        let claims = memory.as_ref().and_then(|m| Claims::read(m, jvm.0));
        let (vm, recording) = (self.vm, self.recording);
        let peek = verify(vm, recording, jvm, memory.as_ref(), claims.as_ref());
        if let (Some(memory), Some(claims)) = (memory, &claims) {
            self.gatherer.look_up(Bootstraps::new(memory, claims));
        }
        (peek, claims)
    }

    /// Lets the callbacks read owners, and finds out where the existing threads are.
    fn peek(&mut self, peek: Peek) {
        self.describer.owners.mean(peek.meaning);
        self.define();
        if let Some(memory) = Memory::open() {
            let (vm, recording) = (self.vm, self.recording);
            self.describer.place_threads(vm, recording, &peek, &memory);
        }
        // Nobody else sets it.
        let _ = self.recording.peek.set(peek);
    }

    /// Pause until the next look.
    fn period(&self) -> Duration {
        let period = match &self.exact {
            // Probes leave thousands of records in a moment.
            Some(exact) => exact.pause(),
            None if self.gatherer.is_reading() => READING_PERIOD,
            None => PERIOD,
        };
        // While the command is behind nobody is looked at, however long that has been due.
        let sampler = self.sampler.as_ref().filter(|_| !self.is_behind());
        let census = self.census.as_ref().filter(|_| !self.is_behind());
        let holders = self.holders.as_ref().filter(|_| !self.is_behind());
        let period = period.min(self.contract.until_due().unwrap_or(period));
        let period = period.min(sampler.map_or(period, Sampler::until_due));
        let period = period.min(holders.map_or(period, |holders| holders.until_due(period)));
        period.min(census.map_or(period, Census::until_due))
    }

    /// Whether the command has so much to fetch that nothing more is told meanwhile.
    fn is_behind(&self) -> bool {
        self.output.backlog() > self.backlog
    }

    /// One look at everything; whether there is more at once.
    fn turn(&mut self) -> bool {
        self.keep_contract();
        if self.is_behind() {
            self.output.flush();
            self.meet_objects();
            if self.next_tick.elapsed() > STALL {
                self.gatherer.let_go();
            }
            return false;
        }
        let before = clock::thread_cpu();
        let (mark, more) = self.take_events();
        let telling = clock::thread_cpu().saturating_sub(before);
        self.contract.note_telling(telling);
        self.look_on();
        self.look_at_parked();
        self.look_at_holders();
        self.sample();
        self.recording.budget.forfeit(clock::monotonic());
        self.gatherer
            .step(self.vm, self.recording, &mut self.output);
        let now = Instant::now();
        if now >= self.next_roster {
            self.next_roster = now + ROSTER;
            self.describer
                .read_names(self.vm, self.recording, &mut self.output);
        }
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            self.tick(mark);
        }
        more
    }

    /// Moves events from the rings to the output; the time up to which that is complete, and whether
    /// there is more.
    fn take_events(&mut self) -> (u64, bool) {
        let before = self.order.mark();
        let patience = self.order.patience_from(self.pressed);
        let watermark = || GATE.watermark(before, patience);
        let (order, contract) = (&mut self.order, &mut self.contract);
        let keep = if self.busy {
            Blocks::Keep
        } else {
            Blocks::GiveBack
        };
        let ring = &self.recording.ring;
        let exact = &mut self.exact;
        let drained = ring.drain_to(watermark, self.batch, keep, |event| {
            contract.note(&event);
            let mut exact = exact.as_mut();
            let past = exact.as_ref().is_some_and(|exact| exact.is_past(&event));
            let lives = exact.as_mut().is_some_and(|exact| exact.notes_life(&event));
            if !lives && !past {
                order.hold(event);
            }
        });
        self.busy = drained.taken > BUSY;
        let (mark, more) = self.take_notes(drained.mark);
        let patience = self.order.patience_from(self.pressed);
        // What is left in the ring may be older, though hardly by more than is held.
        let mark = match drained.whole {
            true => mark,
            false => self.order.mark().max(patience).min(mark),
        };
        let more = more || drained.taken == self.batch;
        // What defines the ids in an event was pushed before the event.
        self.define();
        self.release(mark);
        // What waits for the name of its lock for a moment must not be passed by because something else fills the memory.
        let stands = self.order.mark() == before && self.order.holds_many();
        self.pressed = self.make_room() && stands;
        (mark, more)
    }

    /// Sees to it that what was held back a moment ago does not keep out what comes; whether there is no room even so.
    fn make_room(&mut self) -> bool {
        let crowded = self.is_crowded();
        if crowded {
            self.order.shrink();
            if let Some(exact) = &mut self.exact {
                exact.shrink();
            }
        }
        crowded && self.is_crowded()
    }

    /// Whether there is no room for another event to be held back.
    fn is_crowded(&self) -> bool {
        let waiting = self.exact.as_ref().map_or(0, Exact::waiting);
        let ceiling = &self.recording.ceiling;
        ceiling.note_held(self.order.bytes() + waiting);
        ceiling.is_crowded(order::EACH)
    }

    fn release(&mut self, mark: u64) {
        let (output, describer) = (&mut self.output, &mut self.describer);
        let (recording, exact, within) = (self.recording, &mut self.exact, &self.within);
        let waits = recording.options.exact;
        let (observed, stalls) = (&mut self.observed, &mut self.stalls);
        let short = exact.as_ref().is_some_and(Exact::is_short);
        let pressed = self.pressed || short;
        self.order.release(mark, pressed, |event, raw| {
            stalls.recorded(raw.at);
            let Some((event, raw)) = describer.put_off.meant(recording, (event, *raw)) else {
                return;
            };
            match exact {
                _ if raw.what == What::Operation => {
                    let told = exact::operation(&event, raw.arg);
                    let told = told.map(Record::Operation);
                    told.into_iter().for_each(|record| output.push(&record));
                }
                _ if raw.what == What::Kin => {
                    output.push(&Record::Kin(exact::kin(&event, raw.arg)))
                }
                None if raw.what.is_of_vm_probe() => {
                    if let Some(event) = observed.identify(event, &raw, &describer.owners) {
                        tell(recording, describer, output, &(event, raw.arg));
                    }
                }
                None if waits && event.lock.is_some() => {}
                None => {
                    observed.note(&event);
                    tell(recording, describer, output, &(event, raw.arg));
                }
                Some(exact) => exact.admit(&raw, event, within, &mut |told| {
                    tell(recording, describer, output, &told);
                }),
            }
        });
        // At the end it is not known what the probes would have told yet.
        if let Some(exact) = exact.as_mut().filter(|_| mark != u64::MAX) {
            let to = Nanos(mark.saturating_sub(recording.start));
            exact.advance(to, &mut |told| tell(recording, describer, output, &told));
        }
        self.release_excerpts();
        self.release_parks(mark);
        self.stalls
            .settle(mark.min(clock::monotonic()), self.recording.start);
    }

    fn define(&mut self) {
        self.recording.identity.set_patient(true);
        // What is put off may have others defined.
        for _ in 0..DEFINED {
            let definitions = self.recording.definitions.take();
            if definitions.is_empty() {
                return;
            }
            self.define_all(definitions);
        }
    }

    fn define_all(&mut self, definitions: Vec<Definition>) {
        for definition in definitions {
            if let (Definition::Born(tid, name), Some(exact)) = (&definition, &mut self.exact) {
                exact.note_name(*tid, name);
            }
            // Samples need no code.
            if self.recording.options.sample.is_none() {
                self.gatherer.learn(&definition);
            }
            if self.recording.options.exact {
                self.within.learn(&definition);
            }
            if let Definition::Lock(def) = &definition {
                self.observed.learn(def);
            }
            self.describer
                .define(self.vm, self.recording, definition, &mut self.output);
        }
    }

    fn tick(&mut self, mark: u64) {
        self.look_for_old_code();
        self.tell_pause(clock::monotonic());
        self.report_losses();
        let at = mark.saturating_sub(self.recording.start);
        let told_to = self.exact.as_ref().and_then(Exact::told_to);
        self.output.push(&Record::Tick(Tick {
            at: Nanos(told_to.map_or(at, |told_to| told_to.min(at))),
            agent_cpu: Nanos(clock::thread_cpu()),
        }));
        self.output.cut();
    }

    fn report_losses(&mut self) {
        let now = clock::monotonic();
        let start = self.recording.start;
        let (output, contract) = (&mut self.output, &mut self.contract);
        let Describer { stays, owners, .. } = &mut self.describer;
        let observed = &mut self.observed;
        self.recording.losses.report(start, now, |lost| {
            // Of events that have no call chain none is missing.
            if lost.cause != LossCause::StackBudget {
                stays.lose(lost.to);
                observed.lose(lost.to);
                owners.lose();
            }
            if lost.cause == LossCause::BufferFull {
                contract.note_dropped(lost.count);
            }
            output.push(&Record::Lost(lost));
        });
        if let Some(exact) = &mut self.exact {
            exact.report_dropped(start, &mut |record| {
                if let Record::Lost(lost) = &record {
                    stays.lose(lost.to);
                }
                output.push(&record);
            });
        }
        if let Some(lost) = GATE.take_turned_away((start, now)) {
            stays.lose(lost.to);
            observed.lose(lost.to);
            owners.lose();
            output.push(&Record::Lost(lost));
        }
    }
}

/// Puts an event into the trace.
fn tell(
    recording: &Recording,
    describer: &mut Describer,
    output: &mut Output,
    (event, arg): &exact::Told,
) {
    if let Some(access) = exact::access(event, *arg) {
        return output.push(&Record::Access(access));
    }
    if recording.lacks_chain(event) {
        let at = recording.start + event.at.0;
        recording.losses.count(LossCause::StackBudget, at);
    }
    match event.kind {
        EventKind::ThreadStart => describer.started(event.thread, output),
        EventKind::ThreadEnd => describer.ended(event.thread),
        _ => {}
    }
    describer.stays.note(event);
    match event.kind {
        EventKind::Enter => output.push_event(&Event {
            owner: describer.owners.owner(*arg),
            ..*event
        }),
        _ => output.push_event(event),
    }
}
