//! Exact recording: the chosen classes are rewritten in the live JVM, so that every enter, exit, wait
//! and notify of their locks is seen, and put back at the end.
//!
//! The way of an event: rewritten code calls the [`probe`] class, which leaves a record in the
//! [`arena`]; the writer's turn takes it out ([`records`]), learns which lock its hash means
//! ([`intake`], [`ledger`]), and lays it beside the JVM's own events ([`merge`]). [`select`] is what was asked for,
//! [`candidates`] what that comes to here; [`prepared`] goes from there to classes that [`install`]
//! has replaced; [`arrivals`] are those that are loaded later, [`replaced`] those that others replaced again, and a
//! [`refusal`] says what stays as it was. [`maps`] tells others what became of bcis, [`old_code`] who still runs the old ones.
//! [`guard`] makes of the records what is new, and no events.
//! [`ending`] puts everything back, or leaves it [`dormant`].
//! Parks go another way from the rings on: [`juc`]; so do [`operations`] of the locks of `java.util.concurrent`, which [`heirs`] of their classes have as well.
//! By which way a thread came to wait or notify, to park or unpark, [`chains`] tell.
//! [`accesses`] to fields go with the events of monitors.
//!
//! What stays in the target afterwards: the probe class, a thousand bytes or so, the class of [`chains`], and the arena's
//! addresses without memory behind them. A probe that is still called (by a thread inside an old
//! version of a method) sees that it is switched off and returns.

mod accesses;
mod apparatus;
pub(crate) mod arena;
pub(crate) mod arrivals;
mod blocked;
mod candidates;
mod chains;
pub(crate) mod dormant;
mod ending;
mod guard;
mod heirs;
pub(crate) mod install;
mod intake;
mod juc;
mod ledger;
mod makings;
pub(crate) mod maps;
mod merge;
mod old_code;
mod operations;
mod parks;
mod pause;
mod prepared;
mod probe;
#[cfg(test)]
mod probe_tests;
mod records;
mod refusal;
pub(crate) mod replaced;
mod select;
mod within;

use crate::clock;
use crate::definition::Definition;
use crate::recording::Recording;
use crate::ring::{RawEvent, What};
use crate::scattered::{Map, Set};
use crate::threads::VIRTUAL_THREADS;
use crate::vm::{Vm, Weak};
pub(crate) use accesses::{LATE, access};
use apparatus::Apparatus;
pub(crate) use apparatus::{check_ceiling, note_blocking, release_ring};
use arena::{Consumer, Note};
use arrivals::Comer;
pub(crate) use blocked::{Resolved, Whose};
use chains::Pending;
pub(crate) use chains::take_at as take_chain_at;
pub(crate) use ending::let_go;
use guard::Guard;
use heirs::Heirs;
use intake::Intake;
use juc::Juc;
use ledger::Ledger;
use locklens_trace::record::{LossCause, Lost, ThreadDef, target_key};
use locklens_trace::{Event, LockId, MethodId, Nanos, Record, StackId, ThreadId};
use makings::Makings;
use merge::Merge;
pub(crate) use merge::Told;
use old_code::in_old_code;
pub(crate) use operations::operation;
pub(crate) use parks::{Seen, Stood, is_start, kin};
use pause::Pause;
pub(crate) use prepared::{Opened, Prepared, capable};
use refusal::{Refusal, Refusals};
use select::LOCK_SUPPORT;
pub(crate) use select::Selection;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;
pub(crate) use within::Within;

/// When threads still in old code are looked for.
const LOOKS: [u64; 3] = [0, 2, 5];
/// Has a method that waits for the caller.
const TIME_UNIT: &str = "java.util.concurrent.TimeUnit";
/// Names in a list that goes into the trace.
const NAMED: usize = 200;

/// A site: where, and in which class.
struct Place {
    stack: StackId,
    class: usize,
}

impl Place {
    /// The call chain of a record from here: its own, if one was taken.
    fn told(&self, note: &Note) -> StackId {
        match note.chain {
            0 => self.stack,
            chain => StackId(chain),
        }
    }
}

/// A recording's exact part, while classes are rewritten.
pub(crate) struct Exact {
    apparatus: &'static Apparatus,
    consumer: Consumer,
    /// Lock objects met for the first time.
    fresh: Intake,
    ledger: Ledger,
    merge: Merge,
    juc: Option<Juc>,
    /// Only what is new is told.
    guard: Option<Guard>,
    /// Memory for the records of a piece, …
    notes: Vec<Note>,
    /// … and for which lock and site each of them is of.
    known: Vec<Option<(LockId, StackId)>>,
    pause: Pause,
    /// Probes may ask for call chains.
    takes_chains: bool,
    /// When more enters are to have chains, and from which place of the table on.
    chains_from: u64,
    more_chains: usize,
    pending: Pending,
    /// The thread of the last record.
    last_thread: Option<(u64, ThreadId)>,
    /// Records that wait for the object they name, with when they were taken from their ring.
    nameless: Vec<(u64, Note)>,
    /// When these are gone through again.
    retry_from: u64,
    makings: Makings,
    /// Rewritten classes.
    classes: Vec<Weak>,
    places: Map<u32, Place>,
    heirs: Heirs,
    /// The first site of this recording.
    first_site: u32,
    /// Sites of this recording that nothing is known of.
    placeless: Set<u32>,
    clockless: bool,
    /// The probes stay when it is over, switched off.
    dormant: bool,
    /// Monitors are recorded, too.
    monitors: bool,
    /// The rewritten methods.
    own: HashSet<MethodId>,
    /// Absolute time from which on everything was recorded, …
    since: u64,
    /// … and until when: afterwards probes are silent, and the JVM alone would tell half of it.
    until: u64,
    /// There was no room for all that the rings had.
    short: bool,
    /// In this turn a record was met that is still being written.
    held_up: bool,
    /// The first record of a ring before which something was missing.
    gap: Option<(usize, u64)>,
    /// Locks of the chosen code that the JVM told of and no probe.
    unmet: Set<LockId>,
    /// Locks of which the JVM told a wait that no probe can have told of.
    bare: BTreeSet<LockId>,
    /// The last look at what was dropped.
    looked: u64,
    /// What was dropped since it was last told.
    dropped: u64,
    /// What is still in the rings is not going to be read.
    ended: bool,
    /// Looks for threads in old code done so far.
    looks: usize,
    /// Events of the JVM on locks nobody asked for.
    others: u64,
    /// Operations of locks of `java.util.concurrent`.
    operations: u64,
    /// Names of the classes that are rewritten.
    names: Vec<String>,
    /// What could not be rewritten of those there were, and why.
    refused: Vec<Refusal>,
    /// Classes among these of which nobody could say what their code does, since they were not linked.
    unread: Vec<Weak>,
    methods: usize,
    sites: usize,
    /// Classes that came rewritten, whose original code is still to be told.
    untold: Vec<Comer>,
    facts: BTreeMap<&'static str, String>,
}

impl Drop for Exact {
    fn drop(&mut self) {
        self.apparatus.arena.switch_off();
        // Where it ended as it should there are none left: the writer has failed, and did not put them back.
        dormant::keep(self.classes.drain(..));
    }
}

/// A list in the trace: a line each, long ones cut.
fn list<S: Display>(names: &[S]) -> String {
    list_of(names, 0)
}

/// The same, where there are more than those that are named.
fn list_of<S: Display>(names: &[S], more: usize) -> String {
    let mut lines: Vec<String> = names.iter().take(NAMED).map(S::to_string).collect();
    let more = more + names.len().saturating_sub(NAMED);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

impl Exact {
    fn fact(&mut self, key: &'static str, value: String) {
        self.facts.insert(key, value);
    }

    /// Absolute time from which on everything was recorded.
    pub(crate) fn since(&self) -> u64 {
        self.since
    }

    /// No clock is read.
    pub(crate) fn is_clockless(&self) -> bool {
        self.clockless
    }

    /// Only what is new is told.
    pub(crate) fn is_guard(&self) -> bool {
        self.guard.is_some()
    }

    /// What the trace is to say of the whole.
    pub(crate) fn facts(&self) -> &BTreeMap<&'static str, String> {
        &self.facts
    }

    /// An event of a lock that the JVM tells when the probes are off is none of the recording, and need not be held back until
    /// all is read that they left.
    pub(crate) fn is_past(&self, raw: &RawEvent) -> bool {
        raw.lock != 0 && raw.at > self.until
    }

    /// Lets pass what belongs into an exact trace.
    pub(crate) fn admit(
        &mut self,
        raw: &RawEvent,
        mut event: Event,
        within: &Within,
        emit: &mut impl FnMut(Told),
    ) {
        if self.guard.is_some() {
            return;
        }
        let Some(lock) = event.lock else {
            return self.merge.take(raw.what, (event, raw.arg), emit);
        };
        let of_probe = raw.what.is_of_probe();
        let recorded = of_probe || (self.since..=self.until).contains(&raw.at);
        let is_bare = recorded && raw.what == What::Wait && self.is_bare(&event, within);
        if is_bare && self.ledger.is_chosen(lock) {
            self.bare.insert(lock);
        }
        if !recorded || self.clockless && !of_probe {
            return;
        }
        if !self.ledger.is_chosen(lock) && !self.choose_unmet(lock, &event, within) {
            self.others += 1;
            return;
        }
        if of_probe {
            self.unmet.remove(&lock);
        } else {
            // The JVM's own numbers say nothing of what the probes saw between its events.
            event.seq = None;
        }
        let joins = raw.what == What::Enter && within.is_of_joins(&event);
        let returns = raw.what == What::Enter && event.stack.is_some_and(|s| within.is_wait(s));
        let thread = event.thread;
        self.merge.take(raw.what, (event, raw.arg), emit);
        if joins {
            self.merge.meets_no_probe(thread);
        }
        if returns {
            self.merge.comes_back(thread);
        }
    }

    /// A wait that no probe can have told of: neither rewritten code calls it, nor had it been called before that was
    /// rewritten, but a method reference, reflection, a method handle, or code that was not chosen. Who
    /// joins a thread waits for its end, and `TimeUnit` notifies nobody.
    fn is_bare(&self, event: &Event, within: &Within) -> bool {
        let Some(stack) = event.stack else {
            return false;
        };
        let mut methods = within.methods_of(stack).iter();
        let known = within
            .class_of(stack)
            .is_some_and(|class| class != TIME_UNIT);
        known && !within.is_of_joins(event) && !methods.any(|method| self.own.contains(method))
    }

    /// Chooses a lock that no probe has met, if it is the chosen code that uses it, or a thread that is joined.
    fn choose_unmet(&mut self, lock: LockId, event: &Event, within: &Within) -> bool {
        let methods = event.stack.map_or(&[][..], |s| within.methods_of(s));
        let inside = methods.iter().any(|method| self.own.contains(method));
        let joins = self.monitors && event.stack.is_some_and(|s| within.is_join(s));
        let wanted = (inside || joins) && self.ledger.wants_name(|| within.name_of(lock));
        if wanted {
            self.ledger.choose(lock);
            // Who joins waits in the JDK's own code, where there are no probes to meet.
            if !joins {
                self.unmet.insert(lock);
            }
        }
        wanted
    }

    /// Time, in the trace, before which all that was taken in has been told; none if nothing waits.
    pub(crate) fn told_to(&self) -> Option<u64> {
        self.merge.told_to()
    }

    /// Everything up to this time, in the trace, has been let pass: what was held back since long before is given out.
    pub(crate) fn advance(&mut self, to: Nanos, emit: &mut impl FnMut(Told)) {
        self.merge.advance(to.0, emit);
    }

    /// Gives out what was held back: nothing more is let pass.
    pub(crate) fn release_rest(&mut self, emit: &mut impl FnMut(Told)) {
        self.merge.finish(emit);
        if self.ended {
            self.count_others();
        }
    }

    /// Counts what the rings have dropped. Before any park is told that began after it.
    fn count_dropped(&mut self) {
        let dropped = self.apparatus.arena.take_dropped() + self.consumer.take_skipped();
        self.dropped += dropped;
        if dropped > 0 {
            self.pending.forget(clock::monotonic());
        }
        if let Some(juc) = self.juc.as_mut().filter(|_| dropped > 0) {
            juc.parks.lose_track(clock::monotonic());
        }
    }

    /// What the rings dropped since the last report.
    pub(crate) fn report_dropped(&mut self, start: u64, emit: &mut impl FnMut(Record)) {
        if self.guard.is_some() {
            // Told with what it concerns.
            return;
        }
        let now = clock::monotonic();
        self.count_dropped();
        let mut count = std::mem::take(&mut self.dropped);
        if self.ended {
            count += self.backlog();
        }
        if count > 0 {
            emit(Record::Lost(Lost {
                from: Nanos(self.looked.saturating_sub(start)),
                to: Nanos(now.saturating_sub(start)),
                count,
                cause: LossCause::BufferFull,
            }));
        }
        self.looked = now;
    }

    /// Looks for threads in old code, when it is time; whether there is anything new to say.
    pub(crate) fn look_for_old_code(&mut self, vm: Vm<'_>) -> bool {
        let due = LOOKS
            .get(self.looks)
            .map(|s| self.since.saturating_add(s * 1_000_000_000));
        if due.is_none_or(|due| clock::monotonic() < due) {
            return false;
        }
        let said = in_old_code(vm);
        let key = target_key::EXACT_OLD_CODE[self.looks];
        self.looks += 1;
        self.fact(key, said);
        true
    }

    /// Takes in the classes that came rewritten.
    fn welcome(&mut self, vm: Vm<'_>, recording: &Recording) {
        recording.arrivals.judge(vm);
        for comer in recording.arrivals.take() {
            let Some(class) = vm.upgrade(&comer.class) else {
                vm.delete_weak(comer.class);
                continue;
            };
            for one in &comer.sites {
                self.note_sites(vm, recording, &class, one);
                self.sites += one.sites.len();
                self.methods += one.methods.len();
            }
            self.names.push(comer.name.clone());
            self.untold.push(comer);
        }
        if let Some(juc) = &mut self.juc {
            juc.whole &= !recording.arrivals.has_refused(LOCK_SUPPORT);
        }
    }

    /// Classes that came rewritten, each once: the code they had is not told yet.
    pub(crate) fn untold(&mut self) -> Vec<Comer> {
        std::mem::take(&mut self.untold)
    }

    /// Records not told yet.
    pub(crate) fn left(&self) -> u64 {
        self.backlog() + self.makings.len() as u64
    }

    /// The same without those of virtual threads that have not begun: of these there may be nothing to tell.
    pub(crate) fn backlog(&self) -> u64 {
        self.consumer.left() + self.nameless.len() as u64
    }

    /// Tells what is rewritten by now.
    fn count(&mut self, recording: &Recording) {
        let refused = self.all_refused(recording);
        self.fact(target_key::EXACT_CLASSES, self.names.len().to_string());
        self.fact(target_key::EXACT_NAMES, list(&self.names));
        self.fact(target_key::EXACT_METHODS, self.methods.to_string());
        self.fact(target_key::EXACT_SITES, self.sites.to_string());
        if let Some(told) = refused.told() {
            self.fact(target_key::EXACT_REFUSED, told);
            self.fact(target_key::EXACT_UNPROBED, refused.told_using());
        }
    }

    /// What could not be rewritten, of classes there were and of those that came.
    fn all_refused(&self, recording: &Recording) -> Refusals {
        let mut refused = recording.arrivals.refused();
        refused.extend(self.refused.iter().cloned());
        refused
    }
}

/// The id of a tid; one that was never announced gets a definition without a name. Where there are virtual threads it is one
/// of them that was there before: the JVM lists all others, and tells of each that starts, if there is room for its id.
fn thread(recording: &Recording, tid: u64) -> Option<ThreadId> {
    let is_virtual = recording.roots.has_virtual();
    defined(recording, tid, |id| ThreadDef {
        id,
        tid,
        name: String::new(),
        group: is_virtual.then(|| VIRTUAL_THREADS.to_owned()),
        daemon: is_virtual,
        is_virtual,
        at_start: is_virtual && !recording.threads.is_half_full(),
    })
}

/// The same of one that may have ended long ago, with what is known of its name.
fn thread_called(recording: &Recording, tid: u64, name: String) -> Option<ThreadId> {
    defined(recording, tid, |id| ThreadDef {
        id,
        tid,
        name,
        group: None,
        daemon: false,
        is_virtual: false,
        at_start: false,
    })
}

/// The id of a tid, which gets this definition if it has none.
fn defined(
    recording: &Recording,
    tid: u64,
    definition: impl FnOnce(ThreadId) -> ThreadDef,
) -> Option<ThreadId> {
    use crate::idmap::Claim;
    let known = recording.threads.find(tid);
    let claim = match (known, recording.check_room()) {
        (Some(known), _) => known,
        (None, Ok(())) => recording.threads.claim(tid),
        (None, Err(_)) => Claim::Full,
    };
    let id = match claim {
        Claim::Known(id) => return Some(ThreadId(id)),
        Claim::New(id) => ThreadId(id),
        Claim::Full => {
            recording
                .losses
                .count(LossCause::TableFull, clock::monotonic());
            return None;
        }
    };
    recording
        .definitions
        .push(Definition::Thread(definition(id)));
    Some(id)
}

/// A method and a place in it, as a call chain of one frame; see [`Recording::site_stack`].
pub(crate) fn site_key(method: MethodId, bci: Option<u16>) -> u64 {
    let place = bci.map_or(1 << 16, u64::from);
    crate::idmap::scatter(1 << 63 | u64::from(method.0) << 24 | place).max(1)
}
