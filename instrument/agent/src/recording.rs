//! One recording: everything the callbacks and the writer share.
//!
//! Made by the entry points, reached by callbacks through the [`GATE`] only, taken back from it
//! and freed by the writer. Modules that know one part of it (`identity`, `threads`, `stacks`)
//! add their methods there.

use crate::budget::Budget;
use crate::ceiling::{Ceiling, Shares};
use crate::clock;
use crate::definition::{Definition, Definitions};
use crate::exact::arrivals::Arrivals;
use crate::exact::maps::Rewritten;
use crate::exact::replaced::Replaced;
use crate::fields::FieldPlans;
use crate::gate::Gate;
use crate::identity::{Identity, LockSlot, Unknown};
use crate::idmap::IdMap;
use crate::loss::Losses;
use crate::memory::Slab;
use crate::meter::Meter;
use crate::options::Options;
use crate::owner::Peek;
use crate::ring::{Pushed, RawEvent, Ring, What};
use crate::safe;
use crate::stacks::Stacks;
use crate::threads::Roots;
use crate::vm::Vm;
use crate::vm::sys::RawEnv;
use crate::vmprobes::Listener;
use crate::wake::Wake;
use locklens_trace::record::LossCause;
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The only way callbacks reach the recording.
pub(crate) static GATE: Gate<Recording> = Gate::new();

/// How the agent came into the JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Attached to a running JVM.
    Live,
    /// There from the start.
    Launch,
}

/// See the module.
pub(crate) struct Recording {
    pub(crate) options: Options,
    pub(crate) mode: Mode,
    pub(crate) ceiling: Ceiling,
    /// Absolute time zero of the trace.
    pub(crate) start: u64,
    pub(crate) roots: Roots,
    pub(crate) ring: Ring,
    pub(crate) losses: Losses,
    pub(crate) definitions: Definitions,
    pub(crate) fields: FieldPlans,
    pub(crate) identity: Identity,
    pub(crate) threads: IdMap,
    pub(crate) stacks: Stacks,
    pub(crate) budget: Budget,
    pub(crate) meter: Meter,
    /// Frames kept of a call chain now.
    pub(crate) depth: AtomicUsize,
    /// What threads remember is of one era; a new one begins when events have been off. Never that of another recording.
    pub(crate) era: AtomicU64,
    /// Events are switched off for the moment.
    pub(crate) off: AtomicBool,
    pub(crate) rewritten: Rewritten,
    pub(crate) arrivals: Arrivals,
    pub(crate) replaced: Replaced,
    pub(crate) wake: Wake,
    /// Only what is new is told: threads get no id before they are.
    pub(crate) guarding: AtomicBool,
    /// Events counted only, by entry of the safe-lock table.
    pub(crate) hidden: Vec<AtomicU64>,
    /// The JVM took long over something that it stops for: it is not asked for such things again.
    pub(crate) answers_slowly: AtomicBool,
    /// Threads there were when it began.
    pub(crate) threads_at_start: AtomicU32,
    /// The JVM is going away: finish.
    pub(crate) dying: AtomicBool,
    pub(crate) finished: Arc<Finished>,
    /// Set once it is clear what will be recorded; the start of a JVM waits for it, a little.
    pub(crate) settled: Arc<Finished>,
    /// Set once the owner peek has been verified.
    pub(crate) peek: OnceLock<Peek>,
    /// Set while the VM's own probes are listened to.
    pub(crate) listener: OnceLock<Listener>,
    /// When chains were taken at sites of probes.
    chain_slots: Slab<LockSlot>,
    begun: Slab<AtomicU64>,
    env: usize,
}

/// Most slots of the table of what has begun; see [`Recording::begin`].
const BEGUN: usize = 1 << 13;
/// Sites of probes that are told apart where chains are taken: a power of two.
const CHAIN_SLOTS: usize = 1 << 8;

impl Unknown {
    /// As a loss.
    pub(crate) fn cause(self) -> LossCause {
        match self {
            Self::TableFull => LossCause::TableFull,
            Self::Unidentified | Self::Busy => LossCause::Unidentified,
        }
    }
}

impl Recording {
    /// The time since its start.
    pub(crate) fn now(&self) -> Nanos {
        Nanos(clock::monotonic().saturating_sub(self.start))
    }

    /// Its time begins here.
    pub(crate) fn starts_now(&mut self) {
        self.start = clock::monotonic();
        self.era = AtomicU64::new(self.start);
    }

    /// Maps the tables, each within its share.
    pub(crate) fn new(vm: Vm<'_>, options: Options, mode: Mode) -> Result<Self, String> {
        let memory = |error: io::Error| format!("no memory for the buffers: {error}");
        let shares = Shares::of(options.buffer, options.exact);
        let ceiling = Ceiling::new(shares);
        let start = clock::monotonic();
        let processors = vm.processors().unwrap_or(1);
        Ok(Self {
            mode,
            ceiling,
            start,
            roots: Roots::find(vm)?,
            ring: Ring::within(shares.ring).map_err(memory)?,
            losses: Losses::default(),
            definitions: Definitions::default(),
            fields: FieldPlans::default(),
            identity: Identity::within(shares.tags, shares.classes).map_err(memory)?,
            threads: IdMap::within(shares.threads).map_err(memory)?,
            stacks: Stacks::within(shares.chains, shares.methods).map_err(memory)?,
            budget: Budget::new(start, processors, options.overhead, shares.kinds / 2)
                .map_err(memory)?,
            meter: Meter::default(),
            depth: AtomicUsize::new(options.depth),
            era: AtomicU64::new(start),
            off: AtomicBool::new(false),
            rewritten: Rewritten::default(),
            arrivals: Arrivals::default(),
            replaced: Replaced::default(),
            guarding: AtomicBool::new(false),
            wake: Wake::new().map_err(|error| format!("no event file: {error}"))?,
            hidden: safe::TABLE.iter().map(|_| AtomicU64::new(0)).collect(),
            answers_slowly: AtomicBool::new(false),
            threads_at_start: AtomicU32::new(0),
            dying: AtomicBool::new(false),
            finished: Arc::default(),
            settled: Arc::default(),
            peek: OnceLock::new(),
            listener: OnceLock::new(),
            begun: Slab::new((shares.kinds / 4 / size_of::<u64>()).min(BEGUN)).map_err(memory)?,
            chain_slots: Slab::new(CHAIN_SLOTS).map_err(memory)?,
            env: vm.env() as usize,
            options,
        })
    }

    /// Whether threads come oftener than one in so long.
    pub(crate) fn threads_come(&self, once: Duration) -> bool {
        let come = self
            .threads
            .given()
            .saturating_sub(self.threads_at_start.load(Relaxed));
        let elapsed = clock::monotonic().saturating_sub(self.start);
        u128::from(come) * once.as_nanos() > u128::from(elapsed)
    }

    /// Whether there is room for something new that is remembered, before it is described.
    pub(crate) fn check_room(&self) -> Result<(), Unknown> {
        match self.ceiling.has_room_for_names() {
            true => Ok(()),
            false => Err(Unknown::TableFull),
        }
    }

    /// Adds a definition that can be done without, if there is room: unlike the others, these are not
    /// bounded by a table of ids.
    pub(crate) fn offer(&self, definition: Definition) {
        if self.ceiling.has_room_for_names() {
            self.definitions.push(definition);
        }
    }

    /// Whether an event belongs to this recording's environment.
    pub(crate) fn owns(&self, env: *mut RawEnv) -> bool {
        self.env == env as usize
    }

    /// Its environment.
    pub(crate) fn env(&self) -> *mut RawEnv {
        self.env as *mut RawEnv
    }

    /// What is remembered of the chains at a site.
    pub(crate) fn chain_slot(&self, site: u32) -> &LockSlot {
        &self.chain_slots[site as usize % CHAIN_SLOTS]
    }

    /// Whether the lock is a safe one; then its event is counted here and is done with.
    pub(crate) fn hides(&self, lock: LockId) -> bool {
        let entry = self.identity.slot(lock).safe.load(Relaxed);
        match self.hidden.get(entry.wrapping_sub(1) as usize) {
            Some(count) => {
                count.fetch_add(1, Relaxed);
                true
            }
            None => false,
        }
    }

    /// Remembers that a virtual thread is about to block or wait, so that the end of it needs no call
    /// chain of its own; a platform thread's [`Seat`](crate::seat::Seat) remembers that. The table forgets when two pairs meet in one slot; that costs a chain, no more.
    pub(crate) fn begin(&self, thread: ThreadId, lock: LockId) {
        let pair = pair(thread, lock);
        self.begun[pair as usize % self.begun.len()].store(pair, Relaxed);
    }

    /// Whether the beginning was seen. Not so for a thread that was blocked or waiting already when
    /// the recording began.
    pub(crate) fn has_begun(&self, thread: ThreadId, lock: LockId) -> bool {
        let pair = pair(thread, lock);
        let slot = &self.begun[pair as usize % self.begun.len()];
        slot.compare_exchange(pair, 0, Relaxed, Relaxed).is_ok()
    }

    /// Hands an event to the writer, or drops and counts it.
    pub(crate) fn push(&self, event: &RawEvent) {
        match self.ring.push(event) {
            Pushed::Stored => {}
            Pushed::WakeWriter => self.wake.ring(),
            Pushed::Full => self.losses.count(LossCause::BufferFull, event.at),
        }
    }

    /// Whether an event should have a call chain and has none.
    pub(crate) fn lacks_chain(&self, event: &Event) -> bool {
        let begins = matches!(event.kind, EventKind::Enter | EventKind::Wait { .. });
        begins && event.stack.is_none() && self.options.depth > 0
    }

    /// Hands the start or end of a thread to the writer.
    pub(crate) fn push_thread(&self, at: u64, what: What, thread: ThreadId) {
        self.push(&RawEvent {
            at,
            what,
            thread: thread.0,
            lock: 0,
            stack: 0,
            seq: 0,
            arg: 0,
        });
    }

    /// Hands the start or end of a thread to the writer if threads get no id for that; whether that was so.
    pub(crate) fn push_life(&self, at: u64, what: What, tid: u64) -> bool {
        let guarding = self.guarding.load(Acquire);
        if guarding {
            self.push(&RawEvent {
                at,
                what,
                thread: 0,
                lock: 0,
                stack: 0,
                seq: 0,
                arg: tid,
            });
        }
        guarding
    }

    /// Tells the writer that the JVM ends.
    pub(crate) fn die(&self) {
        self.dying.store(true, Release);
        self.wake.ring();
    }

    /// Whether the JVM ends.
    pub(crate) fn is_dying(&self) -> bool {
        self.dying.load(Acquire)
    }
}

/// Never 0.
fn pair(thread: ThreadId, lock: LockId) -> u64 {
    let mixed = crate::idmap::scatter(u64::from(thread.0) << 32 | u64::from(lock.0));
    mixed.max(1)
}

/// Set when the writer has let go of the JVM and of the trace; the JVM's death waits for it, a little.
#[derive(Default)]
pub(crate) struct Finished {
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Default)]
struct Progress {
    done: bool,
    steps: u64,
}

impl Finished {
    /// Wakes whoever waits.
    pub(crate) fn set(&self) {
        self.change(|progress| progress.done = true);
    }

    /// Asks whoever waits for a little more patience.
    pub(crate) fn note_progress(&self) {
        self.change(|progress| progress.steps += 1);
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until it is set, as long as no more than `patience` passes without progress, and for
    /// `most` altogether.
    pub(crate) fn wait(&self, patience: Duration, most: Duration) {
        let end = Instant::now() + most;
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        while !progress.done {
            let before = progress.steps;
            let patience = patience.min(end.saturating_duration_since(Instant::now()));
            let still = |now: &mut Progress| !now.done && now.steps == before;
            let waited = self.changed.wait_timeout_while(progress, patience, still);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return;
            }
            progress = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_end_is_waited_for_while_there_is_progress_and_no_longer() {
        let finished = Finished::default();
        let began = Instant::now();
        finished.wait(Duration::from_millis(20), Duration::from_secs(60));
        assert!(began.elapsed() < Duration::from_secs(30));
        thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..50 {
                    finished.note_progress();
                    thread::sleep(Duration::from_millis(1));
                }
                finished.set();
            });
            finished.wait(Duration::from_secs(20), Duration::from_secs(60));
        });
        assert!(finished.progress.lock().expect("no panic").done);
    }

    #[test]
    fn progress_without_end_is_not_waited_for_for_ever() {
        let (finished, stop) = (Finished::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Acquire) {
                    finished.note_progress();
                }
            });
            finished.wait(Duration::from_secs(20), Duration::from_millis(50));
            stop.store(true, Release);
        });
        assert!(!finished.progress.lock().expect("no panic").done);
    }
}
