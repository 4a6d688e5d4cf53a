//! Exact recording: the chosen classes are rewritten in the live JVM, so that every enter, exit, wait
//! and notify of their locks is seen, and put back at the end.
//!
//! The way of an event: rewritten code calls the [`probe`] class, which leaves a record in the
//! [`arena`]; the writer's turn takes it out ([`Exact::collect`]), learns which lock its hash means
//! ([`ledger`]), and lays it beside the JVM's own events ([`merge`]). [`select`] is what was asked for,
//! [`candidates`] what that comes to here; [`prepared`] goes from there to classes that [`install`]
//! has replaced; [`arrivals`] are those that are loaded later, [`replaced`] those that others replaced again. [`maps`] tells others what became of bcis, [`old_code`] who still runs the old ones.
//! Parks go another way from the rings on: [`juc`].
//!
//! What stays in the target afterwards: the probe class, a thousand bytes or so, and the arena's
//! addresses without memory behind them. A probe that is still called (by a thread inside an old
//! version of a method) sees that it is switched off and returns.

mod apparatus;
pub(crate) mod arena;
pub(crate) mod arrivals;
mod blocked;
mod candidates;
pub(crate) mod install;
mod intake;
mod juc;
mod ledger;
pub(crate) mod maps;
mod merge;
mod old_code;
mod parks;
mod prepared;
mod probe;
#[cfg(test)]
mod probe_tests;
mod refusal;
pub(crate) mod replaced;
mod select;
mod within;

use crate::clock;
use crate::definition::Definition;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::ring::{RawEvent, What};
use crate::vm::{Ref, Vm, Weak};
use apparatus::Apparatus;
pub(crate) use apparatus::check_ceiling;
use arena::{Consumer, Lane, Note};
use arrivals::Comer;
pub(crate) use blocked::{Resolved, Whose};
use intake::Intake;
use juc::Juc;
use ledger::{Ledger, Meaning};
use locklens_trace::record::{LossCause, Lost, ThreadDef, target_key};
use locklens_trace::{Event, LockId, MethodId, Nanos, Record, StackId, ThreadId};
use merge::Merge;
pub(crate) use merge::Told;
use old_code::in_old_code;
pub(crate) use prepared::{Opened, Prepared, capable};
use probe::kind;
use refusal::Refusal;
use select::LOCK_SUPPORT;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::time::{Duration, Instant};
pub(crate) use within::Within;

/// Records taken from one ring before another is looked at.
const PIECE: u64 = 1 << 11;
/// Bytes a record may come to on its way from a ring to the trace, where it is held back.
const ON_ITS_WAY: usize = 3 * size_of::<RawEvent>();
/// How far what is known of the rings lags behind the clock: a probe reads the clock a moment before it
/// reserves a place for its record. One that takes longer (its thread lost the processor just there)
/// is set to the time up to which everything was told; the lock it holds meanwhile keeps its order.
const LAG: u64 = 2_000_000;
/// Records that may wait for the object they name, and how long.
const NAMELESS: usize = 1 << 16;
const NAMELESS_FOR: u64 = 500_000_000;
/// When threads still in old code are looked for.
const LOOKS: [u64; 3] = [0, 2, 5];
/// How long the reading of the last records may stand still. There are no more than the rings hold.
const LAST_NOTES: Duration = Duration::from_secs(5);
/// Names in a list that goes into the trace.
const NAMED: usize = 200;

/// A site: where, and in which class.
struct Place {
    stack: StackId,
    class: usize,
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
    notes: Vec<Note>,
    /// Records that wait for the object they name, with when they were taken from their ring.
    nameless: Vec<(u64, Note)>,
    /// Rewritten classes.
    classes: Vec<Weak>,
    places: HashMap<u32, Place>,
    /// The first site of this recording.
    first_site: u32,
    /// Sites of this recording that nothing is known of.
    placeless: HashSet<u32>,
    clockless: bool,
    /// Monitors are recorded, too.
    monitors: bool,
    /// The rewritten methods.
    own: HashSet<MethodId>,
    /// Absolute time from which on everything was recorded, …
    since: u64,
    /// … and until when: afterwards probes are silent, and the JVM alone would tell half of it.
    until: u64,
    /// Locks of the chosen code that the JVM told of and no probe.
    unmet: HashSet<LockId>,
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
    /// Names of the classes that are rewritten.
    names: Vec<String>,
    /// What could not be rewritten of those there were, and why.
    refused: Vec<Refusal>,
    methods: usize,
    sites: usize,
    /// Classes that came rewritten, whose original code is still to be told.
    untold: Vec<Comer>,
    facts: BTreeMap<&'static str, String>,
}

impl Drop for Exact {
    fn drop(&mut self) {
        self.apparatus.arena.switch_off();
    }
}

fn hold_some(event: Option<RawEvent>, hold: &mut impl FnMut(RawEvent)) {
    event.into_iter().for_each(hold);
}

/// Classes that came rewritten and that no code has used yet.
fn unused<'vm>(vm: Vm<'vm>, recording: &Recording) -> Vec<Ref<'vm>> {
    let unused = recording.arrivals.unused();
    if unused.is_empty() {
        return Vec::new();
    }
    let is_one = |class: &Ref<'_>| {
        let key = candidates::key_of(vm, recording, class);
        key.is_ok_and(|key| unused.contains(&key))
    };
    let classes = vm.loaded_classes().unwrap_or_default().into_iter();
    classes.filter(is_one).collect()
}

/// A list in the trace: a line each, long ones cut.
fn list<S: Display>(names: &[S]) -> String {
    let mut lines: Vec<String> = names.iter().take(NAMED).map(S::to_string).collect();
    if let Some(more @ 1..) = names.len().checked_sub(NAMED) {
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

    /// What the trace is to say of the whole.
    pub(crate) fn facts(&self) -> &BTreeMap<&'static str, String> {
        &self.facts
    }

    /// Takes the records out of the rings, as far as there is room for them; the time up to which that is
    /// complete. `hold` gets them as events; `resolve` says what a blocker is.
    pub(crate) fn collect<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        resolve: impl FnMut(&Ref<'vm>) -> Option<Resolved>,
        mut hold: impl FnMut(RawEvent),
    ) -> u64 {
        let now = clock::monotonic();
        self.consumer.note_empty(now);
        let mut ends = self.consumer.ends();
        // Afterwards, so that the sites of all these records are known.
        self.welcome(vm, recording);
        self.meet(vm, recording, resolve);
        self.retry(vm, recording, now, &mut hold);
        let mut notes = std::mem::take(&mut self.notes);
        let mut room = recording.ceiling.room_for(ON_ITS_WAY) as u64;
        while let Some(ring) = self.consumer.behind(&ends).filter(|_| room > 0) {
            let (end, most) = (ends[ring], PIECE.min(room));
            let hold_note = |note| notes.push(note);
            match self.consumer.drain_ring(now, (ring, end), most, hold_note) {
                // Held up: not asked again in this turn.
                0 => ends[ring] = 0,
                taken => room -= taken,
            }
            for note in notes.drain(..) {
                match self.is_nameless(recording, &note) {
                    true => self.nameless.push((now, note)),
                    false => hold_some(self.event(vm, recording, &note, now), &mut hold),
                }
            }
        }
        self.notes = notes;
        self.count_dropped();
        let clear = self.consumer.clear().unwrap_or(now).saturating_sub(LAG);
        let waiting = self
            .nameless
            .iter()
            .map(|(since, note)| match self.clockless {
                true => *since,
                false => note.at,
            });
        waiting.fold(clear, |clear, at| clear.min(at.saturating_sub(1)))
    }

    /// Bytes of records that wait for their object.
    pub(crate) fn waiting(&self) -> usize {
        let parks = self.juc.as_ref().map_or(0, |juc| juc.parks.bytes());
        self.nameless.capacity() * size_of::<(u64, Note)>() + parks
    }

    /// The object a record names has not come yet. The thread that met it first has marked it as met, so
    /// that others name it, and has not come to offer it, or to fill the place it was given for that.
    fn is_nameless(&self, recording: &Recording, note: &Note) -> bool {
        let room = self.nameless.len() < NAMELESS && recording.check_room().is_ok();
        room && self.is_waited_for(note)
    }

    fn is_waited_for(&self, note: &Note) -> bool {
        if parks::is_of_park(note) {
            let juc = self.juc.as_ref().filter(|_| note.kind == kind::PARK);
            return juc.is_some_and(|juc| juc.whole && juc.blocked.is_waited_for(note));
        }
        let unnamed = note.hash != 0 && !self.ledger.knows(note.hash);
        unnamed || self.is_unplaced(note.site)
    }

    /// The class of a site has not come yet: a thread may run its code while the one that linked it has
    /// not come to tell. Sites of earlier recordings are in classes that were not put back.
    fn is_unplaced(&self, site: u32) -> bool {
        site >= self.first_site
            && !self.places.contains_key(&site)
            && !self.placeless.contains(&site)
    }

    /// Tells the records whose object has come, and those that have waited long enough.
    fn retry(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        now: u64,
        hold: &mut impl FnMut(RawEvent),
    ) {
        for (since, note) in std::mem::take(&mut self.nameless) {
            let waits = now.saturating_sub(since) < NAMELESS_FOR;
            match waits && self.is_waited_for(&note) {
                true => self.nameless.push((since, note)),
                false => hold_some(self.event(vm, recording, &note, since), hold),
            }
        }
    }

    /// Takes in objects met for the first time.
    pub(crate) fn meet<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        mut resolve: impl FnMut(&Ref<'vm>) -> Option<Resolved>,
    ) {
        let apparatus = self.apparatus;
        let ledger = &mut self.ledger;
        let enter = |object: Ref<'vm>| ledger.enter(vm, recording, &object);
        self.fresh.take(vm, &apparatus.fresh, enter);
        if let Some(Juc { fresh, blocked, .. }) = &mut self.juc {
            let enter = |object: Ref<'vm>| blocked.enter(vm, recording, &object, &mut resolve);
            fresh.take(vm, &apparatus.blockers, enter);
        }
    }

    fn event(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        note: &Note,
        now: u64,
    ) -> Option<RawEvent> {
        if parks::is_of_park(note) {
            self.take_park(recording, note, now);
            return None;
        }
        let Some(place) = self.places.get(&note.site) else {
            if note.site >= self.first_site {
                // Waited for once is enough.
                self.placeless.insert(note.site);
                recording.losses.count(LossCause::Unidentified, now);
            }
            return None;
        };
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
    pub(crate) fn admit(
        &mut self,
        raw: &RawEvent,
        mut event: Event,
        within: &Within,
        emit: &mut impl FnMut(Told),
    ) {
        let Some(lock) = event.lock else {
            return self.merge.take(raw.what, (event, raw.arg), emit);
        };
        let of_probe = raw.what.is_of_probe();
        let recorded = of_probe || (self.since..=self.until).contains(&raw.at);
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
        self.merge.take(raw.what, (event, raw.arg), emit);
    }

    /// Chooses a lock that no probe has met, if it is the chosen code that uses it, or a thread that is joined.
    fn choose_unmet(&mut self, lock: LockId, event: &Event, within: &Within) -> bool {
        let methods = event.stack.map_or(&[][..], |s| within.methods_of(s));
        let inside = methods.iter().any(|method| self.own.contains(method));
        let joins = self.monitors && event.stack.is_some_and(|s| within.is_join(s));
        let wanted = (inside || joins) && self.ledger.wants_name(|| within.name_of(lock));
        if wanted {
            self.ledger.choose(lock);
            self.unmet.insert(lock);
        }
        wanted
    }

    /// Time, in the trace, before which all that was taken in has been told; none if nothing waits.
    pub(crate) fn told_to(&self) -> Option<u64> {
        self.merge.told_to()
    }

    /// Gives out what was held back.
    pub(crate) fn release_rest(&mut self, emit: &mut impl FnMut(Told)) {
        self.merge.finish(emit);
    }

    /// Counts what the rings have dropped. Before any park is told that began after it.
    fn count_dropped(&mut self) {
        let dropped = self.apparatus.arena.take_dropped() + self.consumer.take_skipped();
        self.dropped += dropped;
        if let Some(juc) = self.juc.as_mut().filter(|_| dropped > 0) {
            juc.parks.lose_track(clock::monotonic());
        }
    }

    /// What the rings dropped since the last report.
    pub(crate) fn report_dropped(&mut self, start: u64, emit: &mut impl FnMut(Record)) {
        let now = clock::monotonic();
        self.count_dropped();
        let mut count = std::mem::take(&mut self.dropped);
        if self.ended {
            count += self.left();
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
        for comer in recording.arrivals.take() {
            let Some(class) = vm.upgrade(&comer.class) else {
                vm.delete_weak(comer.class);
                continue;
            };
            for (sites, methods) in &comer.sites {
                self.note_sites(vm, recording, &class, (sites, methods));
                self.sites += sites.len();
                self.methods += methods.len();
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

    /// Switches the probes off; how long the reading of what they have written may stand still.
    pub(crate) fn stop(&mut self, recording: &Recording) -> Duration {
        recording.arrivals.close();
        self.apparatus.arena.switch_off();
        self.until = clock::monotonic();
        LAST_NOTES
    }

    /// Records not told yet.
    pub(crate) fn left(&self) -> u64 {
        self.consumer.left() + self.nameless.len() as u64
    }

    /// Tells what is rewritten by now.
    fn count(&mut self, recording: &Recording) {
        let mut refused = self.refused.clone();
        refused.extend(recording.arrivals.refused());
        self.fact(target_key::EXACT_CLASSES, self.names.len().to_string());
        self.fact(target_key::EXACT_NAMES, list(&self.names));
        self.fact(target_key::EXACT_METHODS, self.methods.to_string());
        self.fact(target_key::EXACT_SITES, self.sites.to_string());
        if !refused.is_empty() {
            self.fact(target_key::EXACT_REFUSED, list(&refused));
        }
    }

    /// Puts the original bytes back.
    pub(crate) fn restore(&mut self, vm: Vm<'_>, recording: &Recording) {
        self.fact(target_key::EXACT_OLD_CODE[LOOKS.len()], in_old_code(vm));
        // It cannot fail: it was switched on.
        let _ = install::watch_classes(vm, false);
        // Those that came after the last records were read, too.
        self.welcome(vm, recording);
        let mut classes: Vec<Ref<'_>> = self
            .classes
            .iter()
            .filter_map(|weak| vm.upgrade(weak))
            .collect();
        let (linked, others): (Vec<_>, Vec<_>) = unused(vm, recording)
            .into_iter()
            .partition(|class| vm.class_methods(class).is_ok());
        classes.extend(linked);
        // Replacing one would link it: this thread would run the code of the application's class loader, and
        // wait for it.
        for class in others {
            let name = vm.class_signature(&class).unwrap_or_default();
            let name = binary_name(&name);
            let why = "not linked when the recording ended: it keeps its probes, which are silent";
            self.refused.push(Refusal::of(&name, why));
        }
        let began = Instant::now();
        recording.rewritten.begin_change();
        let failed = match classes.is_empty() {
            true => HashMap::new(),
            false => install::retransform(vm, &classes.iter().collect::<Vec<_>>()),
        };
        recording.rewritten.clear();
        recording.rewritten.end_change();
        let took = began.elapsed();
        self.fact(
            target_key::EXACT_RESTORED,
            (classes.len() - failed.len()).to_string(),
        );
        self.fact(target_key::EXACT_RESTORE_MS, took.as_millis().to_string());
    }

    /// What there is to say when everything has been read.
    pub(crate) fn sum_up(&mut self, recording: &Recording) {
        self.ended = true;
        self.count(recording);
        self.fact(target_key::EXACT_LOCKS, self.ledger.locks().to_string());
        self.fact(
            target_key::EXACT_ELSEWHERE,
            self.merge.elsewhere().to_string(),
        );
        self.fact(target_key::EXACT_UNMET, self.unmet.len().to_string());
        self.fact(target_key::EXACT_OTHERS, self.others.to_string());
        self.tell_replaced(recording);
    }

    /// Which classes somebody else replaced while there were probes. Those that park are told apart from those that lock.
    fn tell_replaced(&mut self, recording: &Recording) {
        let replaced = recording.replaced.until(self.until);
        let (parks, locks): (Vec<_>, Vec<_>) = replaced
            .into_iter()
            .partition(|(name, _)| name == LOCK_SUPPORT);
        let first = |some: &[(String, u64)]| {
            let first = some.iter().map(|(_, at)| *at).min()?;
            Some(first.saturating_sub(recording.start).to_string())
        };
        if let Some(at) = first(&parks).filter(|_| self.has_parks()) {
            self.fact(target_key::PARKS_REPLACED, at);
        }
        if let Some(at) = first(&locks) {
            let names: Vec<String> = locks.into_iter().map(|(name, _)| name).collect();
            self.fact(target_key::EXACT_REPLACED, list(&names));
            self.fact(target_key::EXACT_REPLACED_SINCE, at);
        }
    }

    /// Gives back what the JVM and the system hold for it. The probes are switched off.
    pub(crate) fn release(&mut self, vm: Vm<'_>) {
        let arena = &self.apparatus.arena;
        arena.switch_off();
        let comers = self.untold.drain(..).map(|comer| comer.class);
        for class in self.classes.drain(..).chain(comers) {
            vm.delete_weak(class);
        }
        intake::empty(arena, vm, (Lane::Locks, &self.apparatus.fresh));
        intake::empty(arena, vm, (Lane::Blockers, &self.apparatus.blockers));
        arena.give_back();
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

/// A method and a place in it, as a call chain of one frame; see [`Recording::site_stack`].
pub(crate) fn site_key(method: MethodId, bci: Option<u16>) -> u64 {
    let place = bci.map_or(1 << 16, u64::from);
    crate::idmap::scatter(1 << 63 | u64::from(method.0) << 24 | place).max(1)
}
