//! Exact recording: the chosen classes are rewritten in the live JVM, so that every enter, exit, wait
//! and notify of their locks is seen, and put back at the end.
//!
//! The way of an event: rewritten code calls the [`probe`] class, which leaves a record in the
//! [`arena`]; the writer's turn takes it out ([`Exact::collect`]), learns which lock its hash means
//! ([`ledger`]), and lays it beside the JVM's own events ([`merge`]). [`select`] is what was asked for,
//! [`candidates`] what that comes to here, [`install`] replaces classes, [`maps`] tells others what
//! became of bcis.
//!
//! What stays in the target afterwards: the probe class, a thousand bytes or so, and the arena's
//! addresses without memory behind them. A probe that is still called (by a thread inside an old
//! version of a method) sees that it is switched off and returns.

pub(crate) mod arena;
mod candidates;
pub(crate) mod install;
mod ledger;
pub(crate) mod maps;
mod merge;
mod probe;
#[cfg(test)]
mod probe_tests;
mod select;

use crate::clock;
use crate::definition::Definition;
use crate::recording::Recording;
use crate::ring::{RawEvent, What};
use crate::vm::sys::{Capabilities, capability};
use crate::vm::{Global, Handle, Ref, Vm, Weak};
use arena::{Arena, Consumer, Note};
use candidates::{Candidate, Found};
use ledger::{Ledger, Meaning};
use locklens_rewrite::{Site, SiteKind};
use locklens_trace::record::{LossCause, Lost, ThreadDef, target_key};
use locklens_trace::{Event, LockId, MethodId, Nanos, Record, StackId, ThreadId};
use merge::Merge;
pub(crate) use merge::Told;
use probe::kind;
pub(crate) use select::Selection;
use std::collections::{BTreeMap, HashMap};
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Records taken from one ring in one turn.
const BATCH: u64 = 1 << 15;
/// How far what is known of the rings lags behind the clock: a probe reads the clock a moment before it
/// reserves a place for its record. One that takes longer (its thread lost the processor just there)
/// is set to the time up to which everything was told; the lock it holds meanwhile keeps its order.
const LAG: u64 = 2_000_000;
/// When threads still in old code are looked for.
const LOOKS: [u64; 3] = [0, 2, 5];
/// Threads above which that is left out: looking at all of them stops the JVM.
const MOST_THREADS: usize = 1000;
/// Frames looked at for that.
const DEPTH: usize = 64;
/// How long the last records may take to be read.
const LAST_NOTES: Duration = Duration::from_secs(5);
/// Names in a list that goes into the trace.
const NAMED: usize = 200;

/// The probe class and what it writes to: made once in the life of the JVM.
struct Apparatus {
    arena: Arena,
    class_name: String,
    class: Global,
    fresh: Global,
}

/// The one of this process.
static APPARATUS: Mutex<Option<&'static Apparatus>> = Mutex::new(None);

/// A site: where, and in which class.
struct Place {
    stack: StackId,
    class: usize,
}

/// A recording's exact part, while classes are rewritten.
pub(crate) struct Exact {
    apparatus: &'static Apparatus,
    consumer: Consumer,
    ledger: Ledger,
    merge: Merge,
    notes: Vec<Note>,
    /// Rewritten classes.
    classes: Vec<Weak>,
    places: HashMap<u32, Place>,
    clockless: bool,
    /// Absolute time from which on everything was recorded.
    since: u64,
    /// The last look at what was dropped.
    looked: u64,
    /// What is still in the rings is not going to be read.
    ended: bool,
    /// Looks for threads in old code done so far.
    looks: usize,
    /// Events of the JVM on locks nobody asked for.
    others: u64,
    facts: BTreeMap<&'static str, String>,
}

impl Drop for Exact {
    fn drop(&mut self) {
        self.apparatus.arena.switch_off();
    }
}

/// What was found and will be rewritten.
pub(crate) struct Prepared<'vm> {
    found: Found<'vm>,
    selection: Selection,
}

impl<'vm> Prepared<'vm> {
    /// Finds what a selection means here.
    pub(crate) fn find(vm: Vm<'vm>, recording: &Recording, text: &str) -> Result<Self, String> {
        let selection = Selection::parse(text)?;
        let found = candidates::find(vm, recording, &selection)?;
        Ok(Self { found, selection })
    }

    /// Nothing is to be changed.
    pub(crate) fn is_dry(&self) -> bool {
        self.selection.dry
    }

    /// The classes, with the methods they declare: what must be read before they change.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (&Ref<'vm>, &str, Vec<Handle>)> {
        self.found.candidates.iter().map(|candidate| {
            let handles = candidate.methods.iter().map(|m| m.handle).collect();
            (&candidate.class, candidate.name.as_str(), handles)
        })
    }

    /// What is going to happen, for the trace.
    pub(crate) fn facts(&self) -> BTreeMap<&'static str, String> {
        let names: Vec<&str> = self
            .found
            .candidates
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        let mut facts = BTreeMap::from([
            (target_key::EXACT_CLASSES, names.len().to_string()),
            (target_key::EXACT_NAMES, list(&names)),
            (target_key::EXACT_IDLE, self.found.idle.to_string()),
        ]);
        if !self.found.refused.is_empty() {
            facts.insert(target_key::EXACT_REFUSED, list(&self.found.refused));
        }
        if let Some(jvm) = &self.selection.jvm {
            facts.insert(target_key::EXACT_JVM, jvm.clone());
        }
        facts
    }

    /// Rewrites the classes and switches the probes on.
    pub(crate) fn begin(self, vm: Vm<'vm>, recording: &Recording) -> Result<Exact, String> {
        if self.found.candidates.is_empty() {
            return Err(self.why_nothing());
        }
        let clock = if self.selection.clockless {
            "none"
        } else {
            "nanoTime"
        };
        let mut facts = self.facts();
        facts.insert(target_key::EXACT_CLOCK, clock.to_owned());
        capable(vm)?;
        let apparatus = apparatus(vm, recording)?;
        let arena = &apparatus.arena;
        arena.switch_off();
        arena.clear();
        Ledger::forget(arena, vm, &apparatus.fresh);
        let mut exact = Exact {
            apparatus,
            consumer: Consumer::new(arena, arena::PATIENCE),
            ledger: Ledger::new(arena, self.selection.locks.clone()),
            merge: Merge::default(),
            notes: Vec::new(),
            classes: Vec::new(),
            places: HashMap::new(),
            clockless: self.selection.clockless,
            since: u64::MAX,
            looked: 0,
            ended: false,
            looks: 0,
            others: 0,
            facts,
        };
        exact.test_probe(vm, recording)?;
        exact.install(vm, recording, &self.found)?;
        exact.looked = clock::monotonic();
        exact.since = exact.looked;
        arena.switch_on(recording.options.buffer / 2, exact.clockless);
        Ok(exact)
    }

    fn why_nothing(&self) -> String {
        let (idle, refused) = (self.found.idle, self.found.refused.len());
        if idle + refused == 0 {
            return "no class of that name is loaded".to_owned();
        }
        let mut why = format!(
            "nothing to rewrite: {idle} classes of that name lock, wait for and notify nothing"
        );
        if refused > 0 {
            why += &format!("; not to be touched: {}", list(&self.found.refused));
        }
        why
    }
}

/// A list in the trace: a line each, long ones cut.
fn list<S: AsRef<str>>(names: &[S]) -> String {
    let mut lines: Vec<&str> = names.iter().take(NAMED).map(AsRef::as_ref).collect();
    let more = format!("and {} more", names.len().saturating_sub(NAMED));
    if names.len() > NAMED {
        lines.push(&more);
    }
    lines.join("\n")
}

/// Takes the capability, late: a recording that only watches never has it.
fn capable(vm: Vm<'_>) -> Result<(), String> {
    let error = |error: crate::vm::Error| {
        format!(
            "this JVM lets nobody retransform classes (JVM TI error {})",
            error.0
        )
    };
    let wanted = [
        capability::RETRANSFORM_CLASSES,
        capability::RETRANSFORM_ANY_CLASS,
    ];
    let potential = vm.potential_capabilities().map_err(error)?;
    let wanted = Capabilities::of(&wanted).and(&potential);
    vm.add_capabilities(&wanted).map_err(error)
}

/// The apparatus, made if this is the first time.
fn apparatus(vm: Vm<'_>, recording: &Recording) -> Result<&'static Apparatus, String> {
    let mut known = APPARATUS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(apparatus) = *known {
        return Ok(apparatus);
    }
    let made: &'static Apparatus = Box::leak(Box::new(make(vm, recording)?));
    *known = Some(made);
    Ok(made)
}

fn make(vm: Vm<'_>, recording: &Recording) -> Result<Apparatus, String> {
    let processors = vm.processors().unwrap_or(1);
    let arena = Arena::within(recording.options.buffer / 2, processors)
        .map_err(|error| format!("no memory for the probes' buffers: {error}"))?;
    let addresses = arena.addresses();
    let bytes = probe::class_file(&addresses, vm.is_modular())
        .map_err(|_| "the probe class cannot be written".to_owned())?;
    let class_name = probe::class_name(&addresses);
    let refused = || "this JVM does not take the probe class".to_owned();
    let name = CString::new(class_name.clone()).map_err(|_| refused())?;
    let class = vm.define_boot_class(&name, &bytes).ok_or_else(refused)?;
    let made = (|| {
        let fresh = vm.static_object(&class, c"fresh", c"[Ljava/lang/Object;")?;
        Some((vm.global(&class)?, vm.global(&fresh)?))
    })();
    match made {
        Some((class, fresh)) => Ok(Apparatus {
            arena,
            class_name,
            class,
            fresh,
        }),
        None => {
            // The class is there for ever, with the arena's addresses in it.
            std::mem::forget(arena);
            Err(refused())
        }
    }
}

impl Exact {
    /// Calls a probe and looks whether its record arrives, before any class relies on it.
    fn test_probe(&mut self, vm: Vm<'_>, recording: &Recording) -> Result<(), String> {
        let own = vm
            .current_thread()
            .ok_or("the JVM does not name its threads")?;
        let before = clock::monotonic();
        self.apparatus.arena.switch_on(usize::MAX, false);
        let called = vm.call_static_with_int(&self.apparatus.class, c"entered", 0);
        self.apparatus.arena.switch_off();
        let after = clock::monotonic();
        let mut seen = Vec::new();
        self.consumer.drain(after, BATCH, |note| seen.push(note));
        let tid = recording.tid_of(vm, &own);
        let ours = |n: &Note| n.tid == tid && n.kind == kind::ENTERED && n.site == 0;
        match seen.iter().find(|note| ours(note)) {
            Some(note) if (before..=after).contains(&note.at) => Ok(()),
            Some(_) => Err("System.nanoTime is not the clock of this system".to_owned()),
            None if !called => Err("a probe threw".to_owned()),
            None => Err("a probe's record did not arrive".to_owned()),
        }
    }

    fn install(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        found: &Found<'_>,
    ) -> Result<(), String> {
        recording.rewritten.begin_change();
        let began = Instant::now();
        let batch = install::install(vm, &found.candidates, &self.apparatus.class_name);
        let took = began.elapsed();
        let batch = match batch {
            Ok(batch) => batch,
            Err(why) => {
                recording.rewritten.end_change(HashMap::new());
                return Err(why);
            }
        };
        let mut refused: Vec<String> = found
            .refused
            .iter()
            .chain(&batch.refused)
            .cloned()
            .collect();
        let mut maps = HashMap::new();
        let (mut sites, mut methods) = (0, 0);
        for one in batch.installed {
            sites += one.sites.len();
            methods += one.maps.len();
            refused.extend(one.refused);
            maps.extend(one.maps);
            self.note_sites(
                vm,
                recording,
                &found.candidates[one.candidate],
                &one.sites,
                &one.methods,
            );
        }
        recording.rewritten.end_change(maps);
        self.fact(target_key::EXACT_CLASSES, self.classes.len().to_string());
        self.fact(target_key::EXACT_METHODS, methods.to_string());
        self.fact(target_key::EXACT_SITES, sites.to_string());
        self.fact(target_key::EXACT_INSTALL_MS, took.as_millis().to_string());
        if !refused.is_empty() {
            self.fact(target_key::EXACT_REFUSED, list(&refused));
        }
        match sites {
            0 => Err(format!("no class could be rewritten: {}", list(&refused))),
            _ => Ok(()),
        }
    }

    fn note_sites(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        candidate: &Candidate<'_>,
        sites: &[Site],
        methods: &HashMap<usize, Handle>,
    ) {
        let class = self.classes.len();
        self.classes.extend(vm.weak(&candidate.class));
        for site in sites {
            let Some(&handle) = methods.get(&site.method) else {
                continue;
            };
            // SAFETY: the candidate holds its class.
            let Ok(method) = (unsafe { recording.method(vm, handle) }) else {
                continue;
            };
            if let Ok(stack) = recording.site_stack(method, bci(site)) {
                self.places.insert(site.id.0, Place { stack, class });
            }
        }
    }

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

    /// What the trace is to say of the whole.
    pub(crate) fn facts(&self) -> &BTreeMap<&'static str, String> {
        &self.facts
    }

    /// Takes the records out of the rings; the time up to which that is complete. `hold` gets them as
    /// events.
    pub(crate) fn collect(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        mut hold: impl FnMut(RawEvent),
    ) -> u64 {
        let now = clock::monotonic();
        let mut notes = std::mem::take(&mut self.notes);
        let clear = self.consumer.drain(now, BATCH, |note| notes.push(note));
        // An object is offered before the first record that names it.
        self.ledger.meet(vm, recording, &self.apparatus.fresh);
        for note in notes.drain(..) {
            if let Some(event) = self.event(vm, recording, &note, now) {
                hold(event);
            }
        }
        self.notes = notes;
        clear.saturating_sub(LAG)
    }

    fn event(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        note: &Note,
        now: u64,
    ) -> Option<RawEvent> {
        let place = self.places.get(&note.site)?;
        let meaning = match note.hash {
            0 => self.class_of(vm, recording, place.class),
            hash => self.ledger.meaning(hash),
        };
        let lock = match meaning {
            Meaning::Lock(lock) => lock,
            Meaning::Ignored => return None,
            Meaning::Unknown => {
                recording.losses.count(LossCause::Unidentified, now);
                return None;
            }
        };
        let stack = self.places.get(&note.site)?.stack;
        let at = if self.clockless { now } else { note.at };
        let seq = if self.clockless {
            note.at as u32 + 1
        } else {
            0
        };
        Some(RawEvent {
            at,
            what: what(note.kind)?,
            thread: thread(recording, note.tid)?.0,
            lock: lock.0,
            stack: stack.0,
            seq,
            arg: note.argument.into(),
        })
    }

    /// The lock of a static synchronized method that cannot name its class.
    fn class_of(&mut self, vm: Vm<'_>, recording: &Recording, class: usize) -> Meaning {
        let mirror = self.classes.get(class).and_then(|weak| vm.upgrade(weak));
        let Some(mirror) = mirror else {
            return Meaning::Unknown;
        };
        let meaning = self.ledger.look(vm, recording, &mirror);
        if let Meaning::Lock(lock) = meaning {
            self.ledger.choose(lock);
        }
        meaning
    }

    /// Lets pass what belongs into an exact trace.
    pub(crate) fn admit(&mut self, raw: &RawEvent, mut event: Event, emit: &mut impl FnMut(Told)) {
        if matches!(raw.what, What::ThreadStart | What::ThreadEnd) {
            self.merge.end(event.thread, emit);
            return emit((event, raw.arg));
        }
        let chosen = event
            .lock
            .is_some_and(|lock: LockId| self.ledger.is_chosen(lock));
        let of_probe = raw.what.is_of_probe();
        if raw.at < self.since || !chosen || self.clockless && !of_probe {
            self.others += u64::from(!chosen);
            return;
        }
        if !of_probe {
            // The JVM's own numbers say nothing of what the probes saw between its events.
            event.seq = None;
        }
        self.merge.take(raw.what, (event, raw.arg), emit);
    }

    /// Gives out what was held back.
    pub(crate) fn release_rest(&mut self, emit: &mut impl FnMut(Told)) {
        self.merge.finish(emit);
    }

    /// What the rings dropped since the last report.
    pub(crate) fn report_dropped(&mut self, start: u64, emit: &mut impl FnMut(Record)) {
        let now = clock::monotonic();
        let mut count = self.apparatus.arena.take_dropped() + self.consumer.take_skipped();
        if self.ended {
            count += self.consumer.left();
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

    /// Switches the probes off; until when what they have written may be read.
    pub(crate) fn stop(&self) -> Instant {
        self.apparatus.arena.switch_off();
        Instant::now() + LAST_NOTES
    }

    /// Records not read yet.
    pub(crate) fn left(&self) -> u64 {
        self.consumer.left()
    }

    /// Puts the original bytes back.
    pub(crate) fn restore(&mut self, vm: Vm<'_>, recording: &Recording) {
        self.fact(target_key::EXACT_OLD_CODE[LOOKS.len()], in_old_code(vm));
        let classes: Vec<Ref<'_>> = self
            .classes
            .iter()
            .filter_map(|weak| vm.upgrade(weak))
            .collect();
        let began = Instant::now();
        recording.rewritten.begin_change();
        let failed = match classes.is_empty() {
            true => HashMap::new(),
            false => install::retransform(vm, &classes.iter().collect::<Vec<_>>()),
        };
        recording.rewritten.end_change(HashMap::new());
        let took = began.elapsed();
        self.fact(
            target_key::EXACT_RESTORED,
            (classes.len() - failed.len()).to_string(),
        );
        self.fact(target_key::EXACT_RESTORE_MS, took.as_millis().to_string());
    }

    /// What there is to say when everything has been read.
    pub(crate) fn sum_up(&mut self) {
        self.ended = true;
        self.fact(target_key::EXACT_LOCKS, self.ledger.locks().to_string());
        self.fact(
            target_key::EXACT_ELSEWHERE,
            self.merge.elsewhere().to_string(),
        );
        self.fact(target_key::EXACT_OTHERS, self.others.to_string());
    }

    /// Gives back what the JVM and the system hold for it. The probes are switched off.
    pub(crate) fn release(&mut self, vm: Vm<'_>) {
        let arena = &self.apparatus.arena;
        arena.switch_off();
        for class in self.classes.drain(..) {
            vm.delete_weak(class);
        }
        Ledger::forget(arena, vm, &self.apparatus.fresh);
        arena.give_back();
    }
}

/// The bci that a site's stack shows; the end of a method stands for its last instruction.
fn bci(site: &Site) -> Option<u16> {
    match site.kind {
        SiteKind::MethodThrow => None,
        _ => u16::try_from(site.bci).ok(),
    }
}

fn what(kind: u8) -> Option<What> {
    Some(match kind {
        kind::ENTERED => What::ProbeEntered,
        kind::EXIT => What::Exit,
        kind::WAITING => What::ProbeWait,
        kind::WAITED => What::Resumed,
        kind::WAIT_THREW => What::ResumeThrew,
        kind::NOTIFIED => What::Notify,
        kind::NOTIFIED_ALL => What::NotifyAll,
        _ => return None,
    })
}

/// The id of a tid; one that was never announced gets a definition without a name.
fn thread(recording: &Recording, tid: u64) -> Option<ThreadId> {
    use crate::idmap::Claim;
    let id = match recording.threads.claim(tid) {
        Claim::Known(id) => return Some(ThreadId(id)),
        Claim::New(id) => ThreadId(id),
        Claim::Full => {
            recording
                .losses
                .count(LossCause::TableFull, clock::monotonic());
            return None;
        }
    };
    recording.definitions.push(Definition::Thread(ThreadDef {
        id,
        tid,
        name: String::new(),
        group: None,
        daemon: false,
        is_virtual: false,
        at_start: false,
    }));
    Some(id)
}

/// How many threads are inside old versions of methods, and which.
fn in_old_code(vm: Vm<'_>) -> String {
    let threads = vm.all_threads().map_or(0, |threads| threads.len());
    if threads > MOST_THREADS {
        return format!("unknown: not looked for among {threads} threads");
    }
    let Ok(stacks) = vm.all_stacks(DEPTH) else {
        return "unknown".to_owned();
    };
    let mut known = HashMap::new();
    let mut old = Vec::new();
    for (thread, methods) in &stacks {
        let is_old = |m: &&Handle| *known.entry(**m).or_insert_with(|| vm.is_obsolete(**m));
        if let Some(method) = methods.iter().find(is_old) {
            // SAFETY: the JVM checks the handle of a method whose class may have gone.
            let name = unsafe { vm.method(*method) }.map_or_else(|_| "?".to_owned(), |m| m.name);
            let thread = vm
                .thread_info(thread)
                .map_or_else(|_| "?".to_owned(), |info| info.0);
            old.push(format!("{thread} in {name}"));
        }
    }
    match old.len() {
        0 => "0".to_owned(),
        n => format!("{n}: {}", list(&old).replace('\n', ", ")),
    }
}

/// A method and a place in it, as a call chain of one frame; see [`Recording::site_stack`].
pub(crate) fn site_key(method: MethodId, bci: Option<u16>) -> u64 {
    let place = bci.map_or(1 << 16, u64::from);
    crate::idmap::scatter(1 << 63 | u64::from(method.0) << 24 | place).max(1)
}
