//! From the records in the rings to events: whose lock, which site, and what has to wait until that is known.

use super::accesses::{self, is_of_access};
use super::arena::{Due, Note};
use super::juc::Juc;
use super::ledger::Meaning;
use super::operations::{is_of_foreign, is_of_operation, is_of_task, packed};
use super::probe::kind;
use super::{Exact, Resolved, parks, thread, thread_called};
use crate::clock;
use crate::recording::Recording;
use crate::ring::{COUNTED, RawEvent, What};
use crate::vm::{Ref, Vm};
use locklens_trace::kin::Tie;
use locklens_trace::record::LossCause;
use locklens_trace::{LockId, StackId, ThreadId};
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Records taken from one ring before another is looked at.
const PIECE: u64 = 1 << 11;
/// Bytes a record may come to on its way from a ring to the trace, where it is held back.
const ON_ITS_WAY: usize = 3 * size_of::<RawEvent>();
/// How far what is known of the rings lags behind the clock: a probe reads the clock a moment before it
/// reserves a place for its record. One that takes longer (its thread lost the processor just there)
/// is set to the time up to which everything was told; the lock it holds meanwhile keeps its order.
const LAG: u64 = 2_000_000;
/// Records that are taken in one turn even where there is no room: what is held back then goes, and without them
/// nothing would be known of any later time.
const LEAST: u64 = 512;
/// The same as a part of what is held back: each turn looks at all of that, and with few records a turn there was no end to it.
const LEAST_PART: u64 = 16;
/// Records that may wait for the object they name, and how long.
const NAMELESS: usize = 1 << 16;
const NAMELESS_FOR: u64 = 500_000_000;
/// Going through all that wait takes one part in so many of the time.
const RETRY_PART: u64 = 10;
/// But they are gone through after so long, ns: it may have taken long for no fault of theirs.
const LONGEST_PAUSE: u64 = 50_000_000;
/// How long virtual threads that were made are waited for when the recording ends.
const MAKINGS_FOR: u64 = 50_000_000;

/// Time after which enters at sites that have had their chains may have one more, ns: hundreds in a second, over all of them.
const MORE_CHAINS_AFTER: u64 = 250_000_000;

fn hold_some(event: Option<RawEvent>, hold: &mut impl FnMut(RawEvent)) {
    event.into_iter().for_each(hold);
}

/// Up to when what was taken out of the rings is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Complete {
    /// Whatever the system does with a thread that has read the clock and not written yet.
    pub(crate) surely: u64,
    /// But for such threads.
    pub(crate) nearly: u64,
}

impl Complete {
    fn at(time: u64) -> Self {
        Self {
            surely: time,
            nearly: time,
        }
    }

    /// Up to when events are told, if those held back are `too_many` whoever it is that made them before that time.
    pub(crate) fn told_to(self, mark: u64, too_many: Option<u64>) -> u64 {
        match too_many {
            None => self.surely,
            // It lets go of all that thousands of records in a moment have made; and puts hardly any out of order.
            Some(_) if self.nearly > mark => self.nearly,
            Some(from) => self.surely.max(from),
        }
    }
}

impl Exact {
    /// Takes the records out of the rings, as far as there is room for them; the time up to which that is
    /// complete. `hold` gets them as events, beside those `held` already; `resolve` says what a blocker is.
    pub(crate) fn collect<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        resolve: impl FnMut(&Ref<'vm>) -> Option<Resolved>,
        held: usize,
        mut hold: impl FnMut(RawEvent),
    ) -> Complete {
        if self.guard.is_some() {
            return Complete::at(self.sift(vm, recording));
        }
        let now = clock::monotonic();
        self.note_pause();
        self.offer_chains(recording, now);
        self.consumer.note_empty(now);
        let mut ends = self.consumer.ends();
        // Afterwards, so that the sites of all these records are known.
        self.welcome(vm, recording);
        self.meet(vm, recording, resolve);
        self.retry(vm, recording, now, &mut hold);
        let mut notes = std::mem::take(&mut self.notes);
        let mut known = std::mem::take(&mut self.known);
        let mut behind = self.held_up();
        let least = LEAST.max(held as u64 / LEAST_PART);
        let mut room = (recording.ceiling.room_for(ON_ITS_WAY) as u64).max(least);
        self.short = self.clockless && self.consumer.left() > room;
        self.held_up = false;
        while let Some((ring, any)) = self.next_ring(&ends).filter(|_| room > 0) {
            let (end, most) = (ends[ring], PIECE.min(room));
            let mut since = self.consumer.since(ring);
            let pending = &mut self.pending;
            let hold_note = |note: Note| {
                let joined = pending.join(recording, parks::placed(note, since));
                notes.extend(joined);
                since = since.max(note.at);
            };
            let ring_to = (ring, end);
            let taken = match self.short {
                true => self
                    .consumer
                    .drain_due(now, ring_to, (most, any), hold_note),
                false => self.consumer.drain_ring(now, ring_to, most, hold_note),
            };
            match taken {
                // Held up: not asked again in this turn.
                0 => self.consumer.put_off(ring, &mut ends),
                taken => room -= taken,
            }
            // Looked up one after the other with nothing in between: none of them waits for another one's memory.
            known.extend(notes.iter().map(|note| self.known(note)));
            for (note, known) in notes.drain(..).zip(known.drain(..)) {
                if behind.is_empty()
                    && let Some(known) = known
                {
                    hold_some(self.of_monitor(recording, &note, now, known), &mut hold);
                    continue;
                }
                let nameless = self.is_nameless(recording, &note, behind.contains(&note.tid));
                match nameless {
                    true if parks::is_of_making(&note) => self.makings.push(now, note),
                    true => {
                        if self.clockless {
                            behind.insert(note.tid);
                        }
                        self.nameless.push((now, note));
                    }
                    false => hold_some(self.event(vm, recording, &note, now), &mut hold),
                }
            }
        }
        (self.notes, self.known) = (notes, known);
        self.count_dropped();
        let clear = self.consumer.clear().unwrap_or(now);
        let clear = match self.clockless {
            true => clear.min(self.until),
            false => clear,
        };
        let waiting = self
            .nameless
            .iter()
            .map(|(since, note)| match self.clockless {
                true => *since,
                false => note.at,
            });
        let waiting = waiting.chain([self.makings.first()]);
        let named = waiting.fold(u64::MAX, |first, at| first.min(at.saturating_sub(1)));
        Complete {
            surely: clear.saturating_sub(LAG).min(named),
            nearly: clear.min(named),
        }
    }

    /// How long the next pause is to be, by how full it all has become in the last one.
    fn note_pause(&mut self) {
        let blockers = self.juc.as_ref().map(|juc| juc.fresh.filled());
        let queues = [Some(self.fresh.filled()), blockers];
        let all = queues.into_iter().flatten().chain(self.consumer.filled());
        self.pause.note(all);
    }

    /// How long the rings may be left alone now.
    pub(crate) fn pause(&self) -> Duration {
        self.pause.length()
    }

    /// Lets probes ask for call chains, if there are to be any.
    pub(super) fn offer_chains(&mut self, recording: &Recording, now: u64) {
        let on = self.takes_chains && self.until == u64::MAX;
        let wanted = on && recording.depth.load(Relaxed) > 0;
        let arena = &self.apparatus.arena;
        arena.want_chains(wanted);
        if wanted && now >= self.chains_from {
            self.more_chains = match self.chains_from {
                0 => {
                    arena.want_first_chains();
                    0
                }
                _ => arena.want_more_chains(self.more_chains),
            };
            self.chains_from = now.saturating_add(MORE_CHAINS_AFTER);
        }
    }

    /// The ring to go on with, and whether its first record is to be taken though one before it is missing: it was in none of the rings
    /// at the look before either, or some were dropped.
    fn next_ring(&mut self, ends: &[u64]) -> Option<(usize, bool)> {
        if !self.short {
            return self.consumer.next(ends).map(|ring| (ring, true));
        }
        match self.consumer.due(ends) {
            Due::Ring(ring) => Some((ring, false)),
            // Whether that is in vain shows when it is taken.
            Due::HeldUp(ring) => {
                self.held_up = true;
                Some((ring, true))
            }
            Due::Gap(_) if self.held_up => None,
            Due::Gap(ring) => {
                let gap = self.consumer.first(ring);
                let again = self.gap.replace(gap) == Some(gap);
                (again || self.dropped > 0).then_some((ring, true))
            }
            Due::Nothing => None,
        }
    }

    /// Without a clock: there was no room for all that the rings have.
    pub(crate) fn is_short(&self) -> bool {
        self.short
    }

    /// Threads of which a record waits for the object it names. Without a clock what they did later waits behind it: nothing
    /// else tells the order.
    fn held_up(&self) -> HashSet<u64> {
        match self.clockless {
            true => self.nameless.iter().map(|(_, note)| note.tid).collect(),
            false => HashSet::new(),
        }
    }

    /// There is no room for more: the memory of what has been told is given back.
    pub(crate) fn shrink(&mut self) {
        self.merge.shrink();
        self.nameless.shrink_to_fit();
        self.makings.shrink();
        if let Some(juc) = &mut self.juc {
            juc.parks.shrink();
        }
    }

    /// Who parked before this time is not waited for where there is no room for more and waiting makes none.
    pub(crate) fn patience_from(&self) -> u64 {
        self.juc.as_ref().map_or(0, |juc| juc.parks.patience_from())
    }

    /// Bytes of records that wait for their object, or for what others say of them.
    pub(crate) fn waiting(&self) -> usize {
        let parks = self.juc.as_ref().map_or(0, |juc| juc.parks.bytes());
        let nameless = self.nameless.capacity() * size_of::<(u64, Note)>();
        nameless + self.makings.bytes() + self.merge.bytes() + parks
    }

    /// The object a record names has not come yet. The thread that met it first has marked it as met, so
    /// that others name it, and has not come to offer it, or to fill the place it was given for that. Where there was no room to
    /// mark or to offer it, it will not come, and nobody waits.
    fn is_nameless(&self, recording: &Recording, note: &Note, behind: bool) -> bool {
        let ceiling = &recording.ceiling;
        let most = ceiling.shares.heap / 16 / size_of::<(u64, Note)>();
        let room = self.nameless.len() < most.min(NAMELESS) && ceiling.has_room_for_names();
        room && (behind || self.is_waited_for(recording, note))
    }

    fn is_waited_for(&self, recording: &Recording, note: &Note) -> bool {
        if parks::is_of_park(note) {
            let juc = self.juc.as_ref().filter(|_| note.kind == kind::PARK);
            return juc.is_some_and(|juc| juc.whole && juc.blocked.is_waited_for(note));
        }
        if parks::tie(note).is_some() {
            // That a thread has started is told a moment later, and says its name; of virtual ones only while there are not too many.
            let room = !recording.threads.is_half_full() && self.makings.has_room();
            let told = !parks::is_of_making(note) || room;
            return told && recording.threads.find(parks::unparked(note)).is_none();
        }
        if is_of_operation(note) && !is_of_foreign(note) {
            let juc = self.juc.as_ref();
            let unnamed = juc.is_some_and(|juc| juc.blocked.is_to_come(note.hash));
            return unnamed || self.is_unplaced(note.site);
        }
        if is_of_access(note) {
            return self.is_unplaced(note.site);
        }
        let unnamed = note.hash != 0 && self.ledger.is_to_come(note.hash);
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
        let began = clock::monotonic();
        if began >= self.retry_from {
            self.retry_nameless(vm, recording, now, hold);
            let ended = clock::monotonic();
            let pause = ended.saturating_sub(began).saturating_mul(RETRY_PART);
            self.retry_from = ended.saturating_add(pause.min(LONGEST_PAUSE));
        }
        // Once the probes are off, those that had begun are told of within a moment.
        let over = now.saturating_sub(self.until) >= MAKINGS_FOR;
        let full = over || recording.threads.is_half_full();
        let waits = |since: u64, note: &Note| {
            let is_young = !full && now.saturating_sub(since) < NAMELESS_FOR;
            is_young && recording.threads.find(parks::unparked(note)).is_none()
        };
        for (since, note) in self.makings.done(now, waits) {
            hold_some(self.event(vm, recording, &note, since), hold);
        }
    }

    fn retry_nameless(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        now: u64,
        hold: &mut impl FnMut(RawEvent),
    ) {
        let mut behind = HashSet::new();
        for (since, note) in std::mem::take(&mut self.nameless) {
            let young = now.saturating_sub(since) < NAMELESS_FOR;
            let waits = || behind.contains(&note.tid) || self.is_waited_for(recording, &note);
            match young && waits() {
                true => {
                    if self.clockless {
                        behind.insert(note.tid);
                    }
                    self.nameless.push((since, note));
                }
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
        if self.guard.is_some() {
            return self.meet_for_guard(vm, recording);
        }
        let apparatus = self.apparatus;
        let ledger = &mut self.ledger;
        let enter = |object: Ref<'vm>, hash| ledger.enter(vm, recording, (&object, hash));
        self.fresh.take(vm, &apparatus.fresh, enter);
        if let Some(Juc { fresh, blocked, .. }) = &mut self.juc {
            let enter = |object: Ref<'vm>, hash| {
                blocked.enter(vm, recording, (&object, hash), &mut resolve);
            };
            fresh.take(vm, &apparatus.blockers, enter);
            let due = clock::monotonic() >= self.retry_from;
            let parks = self.nameless.iter().filter(|_| due);
            let parks = parks.map(|(_, note)| note);
            for note in parks.filter(|note| note.kind == kind::PARK) {
                blocked.enter_mirror(vm, recording, note, &mut resolve);
            }
        }
    }

    fn event(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        note: &Note,
        now: u64,
    ) -> Option<RawEvent> {
        // A thread that is not all there yet: nobody knows it, and it does nothing for others.
        if note.tid == 0 {
            return None;
        }
        if parks::is_of_park(note) {
            self.take_park(recording, note, now);
            return None;
        }
        if let Some(tie) = parks::tie(note) {
            return self.tie(recording, note, tie);
        }
        if is_of_operation(note) {
            return self.operation(vm, recording, note, now);
        }
        if is_of_access(note) {
            return self.access(recording, note, now);
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
        let stack = self.places.get(&note.site)?.told(note);
        self.of_monitor(recording, note, now, (lock, stack))
    }

    /// What a record of a monitor is about and by which way, if its object and its site have come: nearly all have.
    fn known(&self, note: &Note) -> Option<(LockId, StackId)> {
        if !is_of_monitor(note) || note.hash == 0 || note.tid == 0 {
            return None;
        }
        match self.ledger.known(note.hash)? {
            Meaning::Lock(lock) => Some((lock, self.places.get(&note.site)?.told(note))),
            _ => None,
        }
    }

    fn of_monitor(
        &mut self,
        recording: &Recording,
        note: &Note,
        now: u64,
        (lock, stack): (LockId, StackId),
    ) -> Option<RawEvent> {
        let (at, seq, counted) = match self.clockless {
            // What is found when the probes are off happened while they were on.
            true => (
                now.min(self.until),
                (note.at as u32).wrapping_add(1),
                self.consumer.is_counted(note.hash),
            ),
            false => (note.at, 0, false),
        };
        let counted = if counted { COUNTED } else { 0 };
        Some(RawEvent {
            at,
            what: what(note.kind)?,
            thread: self.thread(recording, note.tid)?.0,
            lock: lock.0,
            stack: stack.0,
            seq,
            arg: u64::from(note.argument) | counted,
        })
    }

    /// The id of a tid. Records come ring by ring, so it is mostly that of the record before.
    fn thread(&mut self, recording: &Recording, tid: u64) -> Option<ThreadId> {
        match self.last_thread {
            Some((last, id)) if last == tid => Some(id),
            _ => {
                let id = thread(recording, tid)?;
                self.last_thread = Some((tid, id));
                Some(id)
            }
        }
    }

    /// An operation of a lock of `java.util.concurrent`.
    fn operation(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        note: &Note,
        now: u64,
    ) -> Option<RawEvent> {
        // One that comes late is of an earlier recording, or of the trial of the probes.
        if !(self.since..=self.until).contains(&note.at) {
            return None;
        }
        let lock = match is_of_foreign(note) {
            true => match self.ledger.meaning(note.hash) {
                Meaning::Lock(lock) => Some(lock),
                Meaning::Ignored => return None,
                Meaning::Unknown => None,
            },
            false => self.juc.as_ref()?.blocked.lock_of(note.hash),
        };
        let Some(lock) = lock else {
            if !is_of_task(note) {
                recording.losses.count(LossCause::Unidentified, now);
            }
            return None;
        };
        self.operations += 1;
        let place = self.places.get(&note.site);
        let place = place.filter(|_| !self.heirs.is_other(vm, note.site));
        let stack = place.map_or(0, |place| place.told(note).0);
        Some(RawEvent {
            at: note.at,
            what: What::Operation,
            thread: self.thread(recording, note.tid)?.0,
            lock: lock.0,
            stack,
            seq: 0,
            arg: packed(note),
        })
    }

    /// The start of a thread, or the wait for its end. A thread that is started may not have come to run yet, on a machine that is
    /// busy for long. Of others that nobody has heard of there is nothing to tell.
    fn tie(&self, recording: &Recording, note: &Note, tie: Tie) -> Option<RawEvent> {
        use crate::idmap::Claim;
        if !(self.since..=self.until).contains(&note.at) {
            return None;
        }
        let tid = parks::unparked(note);
        let other = match recording.threads.find(tid) {
            Some(Claim::Known(other)) => other,
            None if tie == Tie::Starts && !parks::is_of_making(note) => {
                thread_called(recording, tid, String::new())?.0
            }
            _ => return None,
        };
        Some(RawEvent {
            at: note.at,
            what: What::Kin,
            thread: thread(recording, note.tid)?.0,
            lock: 0,
            stack: 0,
            seq: 0,
            arg: parks::packed_tie(tie, other),
        })
    }

    /// An access to a field or an atomic.
    fn access(&mut self, recording: &Recording, note: &Note, now: u64) -> Option<RawEvent> {
        if !(self.since..=self.until).contains(&note.at) {
            return None;
        }
        let Some(place) = self.places.get(&note.site) else {
            // Those of earlier recordings are nothing that this one lacks.
            if note.site >= self.first_site {
                self.placeless.insert(note.site);
                recording.losses.count(LossCause::Unidentified, now);
            }
            return None;
        };
        Some(RawEvent {
            at: note.at,
            what: What::Access,
            thread: thread(recording, note.tid)?.0,
            lock: 0,
            stack: place.stack.0,
            seq: 0,
            arg: accesses::packed(note),
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
}

/// Whether it is one of a monitor.
fn is_of_monitor(note: &Note) -> bool {
    (kind::ENTERED..=kind::NOTIFIED_ALL).contains(&note.kind)
}

fn what(kind: u32) -> Option<What> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_back_too_much_lets_go_of_what_is_nearly_complete_before_anything_else() {
        let complete = Complete {
            surely: 100,
            nearly: 150,
        };
        assert_eq!(complete.told_to(90, None), 100);
        assert_eq!(complete.told_to(90, Some(400)), 150);
        // A ring does not go on: the others must.
        assert_eq!(complete.told_to(150, Some(400)), 400);
    }
}
