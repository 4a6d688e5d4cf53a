//! An exact recording that tells only what is new: each dependency between locks, the first times it is seen.
//!
//! The probes' records do not become events here. The [`sieve`] follows what each thread holds and finds dependencies that
//! its [`combos`] do not know; of these alone the locks get names ([`objects`]) and the sites places. Each is told as an
//! *excerpt*: its thread takes the locks in that order, one inside the other, and leaves them, in events like those of any
//! exact recording, so that whatever reads a trace reads this one. All tables are of fixed size, and nothing here grows with time.
//!
//! **Times.** No clock is read by the probes. An excerpt has the earliest time at which it may have happened: that of the
//! look before, or of its thread's beginning ([`lives`]). So it never seems to come after the start of a thread that it came before.
//!
//! **Locks of `java.util.concurrent`** are taken and given back by operations, of which [`deeds`] makes the same as of a monitor's enters and exits;
//! they are told as operations.
//!
//! **What is never acquired** no probe tells: of threads that stay blocked or parked the JVM does ([`wants`], [`parked`]).
//!
//! **What is not sure** is told behind a `Lost`, which says that the thread may have held more.

mod combos;
mod deeds;
mod excerpts;
mod lives;
mod objects;
mod parked;
mod sieve;
#[cfg(test)]
mod sieve_tests;
mod wants;

use super::Exact;
use super::Place;
use super::apparatus::Apparatus;
use super::arena::{Arena, Consumer, Lane, Note};
use super::intake::Intake;
use super::old_code;
use super::operations::is_of_operation;
use super::select::Selection;
use crate::clock;
use crate::recording::{Mode, Recording};
use crate::ring::{RawEvent, What};
use crate::scattered::Map;
use crate::vm::{Ref, Vm};
use deeds::{Deed, Unknown};
use excerpts::Waiting;
use lives::Lives;
use locklens_trace::Record;
use locklens_trace::record::target_key;
use objects::Objects;
use parked::Parked;
use sieve::{Sieve, is_shared};
use std::sync::atomic::Ordering::Release;
use wants::Wants;

/// Objects taken in at a turn: a program may lock new ones all the time.
const OBJECTS: usize = 256;
/// Time until threads are looked for in old code a second time, nanoseconds; each time it is twice as long.
const AGAIN: u64 = 1_000_000_000;

/// See the module.
pub(crate) struct Guard {
    sieve: Sieve,
    objects: Objects,
    /// What is inside locks of `java.util.concurrent`, met for the first time, if these are followed.
    concurrent: Option<Intake>,
    lives: Lives,
    wants: Wants,
    parked: Parked,
    /// When threads are looked for in old code the next time, and how long after the last time that is.
    inside: (u64, u64),
    /// By ring, up to where its records are of no use: some are missing among them.
    torn: Vec<u64>,
    /// Chains that wait for names.
    waiting: Vec<Waiting>,
    /// What is to be told.
    told: Vec<Record>,
    /// When the rings were looked at, the last time and the time before, and the time of the last event told (all absolute).
    looked: u64,
    before: u64,
    last: u64,
    /// Hashes of the mirrors of classes whose static methods are locked, by their number.
    mirrors: Map<usize, u32>,
    excerpts: u64,
    lost: u64,
    unnamed: u64,
}

impl Guard {
    /// For a recording whose probes are about to be switched on.
    pub(super) fn new(
        vm: Vm<'_>,
        recording: &Recording,
        (apparatus, selection): (&'static Apparatus, &Selection),
    ) -> Self {
        let arena = &apparatus.arena;
        recording.guarding.store(true, Release);
        let threads = vm.all_threads().unwrap_or_default();
        let there: Vec<u64> = threads.iter().map(|t| recording.tid_of(vm, t)).collect();
        let now = clock::monotonic();
        let mut sieve = Sieve::new(arena.rings(), recording.ceiling.shares.heap / 4);
        if recording.mode == Mode::Live {
            sieve.doubt(there.iter().copied());
        }
        Self {
            sieve,
            objects: Objects::default(),
            concurrent: selection
                .has_operations()
                .then(|| Intake::new(arena, Lane::Blockers, (vm, &apparatus.blockers))),
            lives: Lives::of(there.into_iter()),
            wants: Wants::default(),
            parked: Parked::default(),
            inside: (now, AGAIN),
            torn: vec![0; arena.rings()],
            waiting: Vec::new(),
            told: Vec::new(),
            looked: now,
            before: now,
            last: now,
            mirrors: Map::default(),
            excerpts: 0,
            lost: 0,
            unnamed: 0,
        }
    }

    /// Takes in the start or end of a thread, or of its being blocked; whether it was one.
    fn note_life(&mut self, raw: &RawEvent) -> bool {
        if raw.arg == 0 || raw.thread != 0 {
            return false;
        }
        match raw.what {
            What::ThreadStart => self.lives.begin(raw.arg, raw.at),
            What::ThreadEnd => {
                self.lives.end(raw.arg, raw.at);
                self.wants.end(raw.arg);
            }
            What::Enter => self.wants.begin(raw.arg, raw.lock, raw.at),
            What::Entered => self.wants.end(raw.arg),
            _ => return false,
        }
        true
    }

    /// Looks who may hold what it took before there were probes, when it is time.
    fn look_inside(&mut self, vm: Vm<'_>, recording: &Recording) {
        let (due, gap) = self.inside;
        if self.looked < due || !self.sieve.has_doubts() {
            return;
        }
        self.inside = (self.looked.saturating_add(gap), gap.saturating_mul(2));
        if let Some(inside) = old_code::inside(vm, recording) {
            self.sieve.see_inside(&inside);
        }
    }

    /// Takes in the class of static methods that are locked without being named: its hash, if it has one.
    pub(super) fn note_mirror(&mut self, vm: Vm<'_>, class: usize, mirror: &Ref<'_>) {
        if let Ok(hash) = vm.identity_hash(mirror) {
            self.mirrors.insert(class, hash as u32);
        }
    }

    /// Takes the records out of one ring.
    fn sift(
        &mut self,
        consumer: &mut Consumer,
        (arena, places): (&Arena, &Map<u32, Place>),
        (ring, end): (usize, u64),
    ) {
        // After the end was read: whatever is missing before it has been counted by now.
        let dropped = arena.take_dropped_of(ring);
        if dropped > 0 {
            self.torn[ring] = consumer.end(ring);
            self.lost += dropped;
            self.sieve.lose(ring);
        }
        let torn = self.torn[ring].min(end);
        self.lost += consumer.drain_ring(self.looked, (ring, torn), u64::MAX, |_| {});
        // A place that was never filled is passed by as the first of a piece.
        let passed = consumer.skipped();
        let (sieve, mirrors, objects) = (&mut self.sieve, &self.mirrors, &self.objects);
        let nameless = Nameless { mirrors, places };
        let mut first = None;
        consumer.drain_ring(self.looked, (ring, end), 1, |note| first = Some(note));
        if consumer.skipped() != passed {
            sieve.lose(ring);
        }
        let mut take = |mut note: Note| {
            if !nameless.resolve(&mut note) {
                return sieve.lose(ring);
            }
            let deed = match is_of_operation(&note) {
                true => Deed::of_operation(&note, objects),
                false => Ok(Deed::of_monitor(&note)),
            };
            match deed {
                Ok(deed) => deed
                    .iter()
                    .for_each(|deed| sieve.take(ring, note.tid, deed)),
                Err(Unknown::Condition) => sieve.take_unknown(ring, note.tid),
                Err(Unknown::Lock) => sieve.doubt_for_a_while(ring, note.tid),
            }
        };
        first.into_iter().for_each(&mut take);
        consumer.drain_ring(self.looked, (ring, end), u64::MAX, take);
    }
}

/// What static methods lock that do not name their class.
struct Nameless<'g> {
    mirrors: &'g Map<usize, u32>,
    places: &'g Map<u32, Place>,
}

impl Nameless<'_> {
    /// Gives a record its hash; not if nobody knows it yet.
    fn resolve(&self, note: &mut Note) -> bool {
        if note.hash == 0 {
            let class = self.places.get(&note.site).map(|place| place.class);
            let hash = class.and_then(|class| self.mirrors.get(&class));
            note.hash = hash.copied().unwrap_or(0);
        }
        note.hash != 0
    }
}

impl Exact {
    /// Takes the records out of the rings, and finds what is new in them.
    pub(super) fn sift(&mut self, vm: Vm<'_>, recording: &Recording) -> u64 {
        let ends = self.consumer.ends();
        // Afterwards, so that the sites of all these records are known.
        self.welcome(vm, recording);
        let now = clock::monotonic();
        let Some(mut guard) = self.guard.take() else {
            return now;
        };
        guard.before = std::mem::replace(&mut guard.looked, now);
        guard.sieve.turn(now);
        guard.objects.turn(&self.apparatus.arena, now);
        guard.look_inside(vm, recording);
        self.meet_some(vm, recording, &mut guard);
        // What a thread left in a shared ring came before what it left in its own.
        let (shared, own): (Vec<_>, Vec<_>) = ends
            .iter()
            .copied()
            .enumerate()
            .partition(|(ring, _)| is_shared(*ring));
        for ring in shared.into_iter().chain(own) {
            let known = (&self.apparatus.arena, &self.places);
            guard.sift(&mut self.consumer, known, ring);
        }
        if self.consumer.behind(&ends).is_none() {
            guard.take_wants(vm, recording);
            guard.take_parked(vm, recording);
        }
        guard.excerpt(vm, recording, (&self.places, &mut self.heirs));
        self.guard = Some(guard);
        now
    }

    fn meet_some(&mut self, vm: Vm<'_>, recording: &Recording, guard: &mut Guard) {
        let ledger = &self.ledger;
        let enter = |object: Ref<'_>, hash| {
            guard.objects.enter(vm, recording, ledger, (&object, hash));
        };
        self.fresh
            .take_some(vm, &self.apparatus.fresh, OBJECTS, enter);
        let objects = &mut guard.objects;
        if let Some(fresh) = &mut guard.concurrent {
            let enter = |object: Ref<'_>, hash| {
                objects.enter_concurrent(vm, recording, (&object, hash));
            };
            fresh.take_some(vm, &self.apparatus.blockers, OBJECTS, enter);
        }
    }

    /// Whether operations of locks are followed, and no parks.
    pub(super) fn guards_operations(&self) -> bool {
        let guard = self.guard.as_ref();
        guard.is_some_and(|guard| guard.concurrent.is_some())
    }

    /// Takes in objects met for the first time, while nothing is told.
    pub(super) fn meet_for_guard(&mut self, vm: Vm<'_>, recording: &Recording) {
        if let Some(mut guard) = self.guard.take() {
            self.meet_some(vm, recording, &mut guard);
            self.guard = Some(guard);
        }
    }

    /// What is to be told of new dependencies.
    pub(crate) fn excerpts(&mut self) -> Vec<Record> {
        let guard = self.guard.as_mut();
        guard.map_or_else(Vec::new, |guard| std::mem::take(&mut guard.told))
    }

    /// Whether only what is new is told, and this was the start or end of a thread or of its being blocked.
    pub(crate) fn notes_life(&mut self, raw: &RawEvent) -> bool {
        let guard = self.guard.as_mut();
        guard.is_some_and(|guard| guard.note_life(raw))
    }

    /// What a thread is called when it begins.
    pub(crate) fn note_name(&mut self, tid: u64, name: &str) {
        if let Some(guard) = &mut self.guard {
            guard.lives.call(tid, name);
        }
    }

    /// What came of it.
    pub(super) fn tell_guard(&mut self) {
        let Some(guard) = &self.guard else {
            return;
        };
        let combos = &guard.sieve.combos;
        let lost = guard.lost + self.consumer.left();
        let facts = [
            (target_key::GUARD_TOLD, guard.excerpts),
            (target_key::GUARD_COMBINATIONS, combos.len() as u64),
            (target_key::GUARD_LEFT_OUT, combos.left_out),
            (target_key::GUARD_PASSED, combos.passed),
            (target_key::GUARD_LOST, lost),
            (target_key::GUARD_UNNAMED, guard.unnamed),
            (target_key::EXACT_LOCKS, guard.objects.told() as u64),
        ];
        for (key, value) in facts {
            self.fact(key, value.to_string());
        }
    }
}
