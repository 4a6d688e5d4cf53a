//! All threads as the last dumps show them, which of them stood there in every dump, and who holds what.
//!
//! Dumps of `Thread.dump_to_file` name objects otherwise than those that `jstack` prints. Where both show a thread at the same
//! place, its objects tell which is which.

use super::Evidence;
use super::recorded::{Owned, Recorded};
use crate::sample::State;
use crate::sample::dump::{Dump, FRAMES, Object, Stand, Thread};
use locklens_trace::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// Everybody and everything.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) seats: Vec<Seat>,
    /// Who has entered a monitor, or owns a lock of `java.util.concurrent`: of each object the one thread, if no two say so.
    holders: BTreeMap<String, Option<usize>>,
    /// Objects of which not the dumps tell who owns them but a recording does.
    owned: BTreeMap<String, Owned>,
    /// All platform threads are in it, as far as the last dump tells.
    pub(super) whole: bool,
    /// Virtual threads are in it, or there are none.
    pub(super) virtual_known: bool,
    /// There are none.
    pub(super) no_virtual: bool,
    /// None goes on by itself.
    pub(super) no_carrier: bool,
    /// There is one dump of platform threads only.
    pub(super) once: bool,
}

/// A thread.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) thread: Thread,
    /// Every dump that can show it found it at this place.
    pub(super) steady: bool,
    /// How long it has run between the dumps; none: they do not tell.
    pub(super) spent: Option<Nanos>,
    /// One of the JVM's own, by its name and by its first frame.
    pub(super) of_jvm: bool,
    /// It was seen once only, and at another moment than others.
    pub(super) loose: bool,
    /// At what it waits a recording has said.
    pub(super) recorded: bool,
}

impl Seat {
    /// It has run between the dumps; none: they do not tell. Up to JDK 21 one of those who are blocked on a monitor looks at it again
    /// from time to time, for some microseconds each.
    pub(super) fn ran(&self) -> Option<bool> {
        const LOOKING: Nanos = Nanos(1_000_000);
        let looks = self.steady && self.thread.state == State::Blocked;
        Some(self.spent? > if looks { LOOKING } else { Nanos(0) })
    }
}

type Key<'d> = (Option<u64>, &'d str);

fn key(thread: &Thread) -> Key<'_> {
    (thread.tid, &thread.name)
}

fn all(dump: &Dump) -> impl Iterator<Item = (&Thread, bool)> {
    let program = dump.threads.iter().map(|thread| (thread, false));
    program.chain(dump.jvms.iter().map(|thread| (thread, true)))
}

/// Threads of a dump by what they are called; none if two are called so.
fn by_key(dump: &Dump) -> BTreeMap<Key<'_>, Option<&Thread>> {
    let mut found = BTreeMap::new();
    for (thread, _) in all(dump) {
        let entry = found.entry(key(thread));
        entry.and_modify(|one| *one = None).or_insert(Some(thread));
    }
    found
}

/// Stands where the other one does: an address may have changed meanwhile, a class not, nor the hash of an object.
fn alike(a: &Thread, b: &Thread, hashed: bool) -> bool {
    let stand = |thread: &Thread| {
        let kind = thread.stand.as_ref().map(std::mem::discriminant);
        (kind, thread.lock.clone())
    };
    let same = !hashed || a.stand == b.stand && a.entered == b.entered;
    same && a.state == b.state && a.frames == b.frames && stand(a) == stand(b)
}

impl Scene {
    pub(super) fn of(evidence: &Evidence<'_>) -> Self {
        let mut scene = Self {
            virtual_known: evidence.knows_virtual(),
            no_virtual: evidence.has_none_virtual(),
            no_carrier: evidence.runs_none_virtual(),
            once: evidence.dumps.len() == 1,
            ..Self::default()
        };
        if let Some((last, before)) = evidence.dumps.split_last() {
            scene.add(last, before, false, |_| true);
            scene.whole = is_whole(last);
        }
        if let Some((last, before)) = evidence.files.split_last() {
            let alone = evidence.dumps.is_empty();
            let names = scene.meet(last);
            let from = scene.seats.len();
            scene.add(last, before, true, |thread| alone || thread.is_virtual);
            for seat in &mut scene.seats[from..] {
                seat.loose = before.is_empty();
                rename(&mut seat.thread, &names);
            }
        }
        // Dumps have them in orders of their own.
        scene.seats.sort_by_key(|seat| seat.thread.tid);
        if let Some(recorded) = evidence.recorded {
            recorded.place(&mut scene.seats);
        }
        scene.hold();
        scene.believe(evidence.dumps.last());
        if let Some(recorded) = evidence.recorded {
            scene.remember(recorded);
        }
        scene
    }

    fn add(
        &mut self,
        last: &Dump,
        before: &[Dump],
        hashed: bool,
        wanted: impl Fn(&Thread) -> bool,
    ) {
        let before: Vec<_> = before.iter().map(by_key).collect();
        let known = by_key(last);
        let stood = |thread: &Thread| {
            let there = |dump: &BTreeMap<Key<'_>, Option<&Thread>>| {
                let found = dump.get(&key(thread)).copied().flatten();
                found.is_some_and(|then| alike(then, thread, hashed))
            };
            before.is_empty() || known[&key(thread)].is_some() && before.iter().all(there)
        };
        let spent = |thread: &Thread| {
            let then = before.first()?.get(&key(thread)).copied().flatten()?;
            Some(Nanos(thread.cpu?.0.abs_diff(then.cpu?.0)))
        };
        let seats = all(last).filter(|(thread, _)| wanted(thread));
        let seats = seats.map(|(thread, of_jvm)| Seat {
            thread: thread.clone(),
            steady: stood(thread),
            spent: spent(thread),
            of_jvm: of_jvm && is_jvms(thread),
            loose: false,
            recorded: false,
        });
        self.seats.extend(seats);
    }

    /// Compares threads that are there already with what another kind of dump says of them; gives the names of their objects.
    fn meet(&mut self, other: &Dump) -> BTreeMap<String, String> {
        let others = by_key(other);
        let mut names = BTreeMap::new();
        for seat in &mut self.seats {
            let Some(Some(other)) = others.get(&key(&seat.thread)) else {
                continue;
            };
            match agree(&seat.thread, other) {
                true => names.extend(translated(&seat.thread, other)),
                false => seat.steady = false,
            }
        }
        names
    }

    fn hold(&mut self) {
        let mut disputed = BTreeSet::new();
        for (ix, seat) in self.seats.iter().enumerate() {
            let owned = seat.thread.owns.iter().map(|object| &object.id);
            let held: BTreeSet<&String> = held(&seat.thread).chain(owned).collect();
            for id in held {
                let entry = self.holders.entry(id.clone());
                let known = entry.or_insert(Some(ix));
                if *known != Some(ix) {
                    disputed.extend(known.take().into_iter().chain([ix]));
                }
            }
        }
        // They were looked at at different moments.
        disputed
            .into_iter()
            .for_each(|ix| self.seats[ix].loose = true);
    }

    /// What the JVM's own search for deadlocks has said, where the chains do not show it.
    fn believe(&mut self, dump: Option<&Dump>) {
        for told in dump.into_iter().flat_map(|dump| &dump.told) {
            let called = |(_, seat): &(usize, &Seat)| seat.thread.name == told.owner;
            let mut found = self.seats.iter().enumerate().filter(called);
            if let (Some((ix, _)), None) = (found.next(), found.next()) {
                let entry = self.holders.entry(told.object.id.clone());
                entry.or_insert(Some(ix));
            }
        }
    }

    /// What a recording has read of owners, where all who wait say the same and no dump says anything, none of those who waited
    /// then has left, and the owner has not gone on either, or is in no dump.
    fn remember(&mut self, recorded: &Recorded) {
        let mut told: BTreeMap<&String, Option<&Owned>> = BTreeMap::new();
        let mut waiters: BTreeMap<&String, BTreeSet<u64>> = BTreeMap::new();
        for seat in &self.seats {
            let Some(Stand::Park(object)) = &seat.thread.stand else {
                continue;
            };
            let owned = recorded.owned(seat);
            let entry = told.entry(&object.id).or_insert(owned);
            *entry = entry.filter(|known| owned == Some(*known));
            let there = waiters.entry(&object.id).or_default();
            there.extend(seat.thread.tid);
        }
        let known = |id: &&String| !self.holders.contains_key(*id);
        let told = told.into_iter().filter(|(id, _)| known(id));
        let told = told.filter_map(|(id, owned)| Some((id, owned?)));
        let told: Vec<_> = told
            .filter(|(id, owned)| owned.waiters.is_subset(&waiters[id]))
            .map(|(id, owned)| (id.clone(), owned.clone()))
            .collect();
        for (id, owned) in told {
            let is_it = |seat: &Seat| {
                (seat.thread.tid, &seat.thread.name) == (owned.thread.tid, &owned.thread.name)
            };
            if let Some(ix) = self.seats.iter().position(is_it) {
                if !recorded.stands(&self.seats[ix], &owned) {
                    continue;
                }
                self.holders.insert(id.clone(), Some(ix));
            }
            self.owned.insert(id, owned);
        }
    }

    /// Who owned an object when a recording ended, if nothing else tells it.
    pub(super) fn owned(&self, object: &Object) -> Option<&Owned> {
        self.owned.get(&object.id)
    }

    /// The one thread that holds it.
    pub(super) fn holder(&self, object: &Object) -> Option<usize> {
        self.holders.get(&object.id).copied().flatten()
    }

    /// Whether some call chain may be longer than what is shown of it.
    pub(super) fn has_deep(&self) -> bool {
        let mut seats = self.seats.iter();
        seats.any(|seat| seat.thread.frames.len() >= FRAMES)
    }
}

pub(super) fn is_whole(dump: &Dump) -> bool {
    dump.begun && dump.complete && dump.bare == 0 && dump.unread == 0
}

/// Whether the first frame of a thread that is called like one of the JVM's own is theirs: a program may use such names, too.
fn is_jvms(thread: &Thread) -> bool {
    const FIRST: [&str; 4] = [
        "java.lang.ref.Reference$ReferenceHandler.run",
        "java.lang.ref.Finalizer$FinalizerThread.run",
        "jdk.internal.",
        "sun.",
    ];
    let first = thread.frames.last();
    first.is_some_and(|frame| FIRST.iter().any(|own| frame.method.starts_with(own)))
}

/// The frame of `Thread.join`, if it stands in it.
pub(super) fn joins(thread: &Thread) -> Option<usize> {
    let top = thread.frames.iter().take(5);
    top.enumerate()
        .filter(|(_, frame)| frame.method == "java.lang.Thread.join")
        .map(|(at, _)| at)
        .next()
}

/// Monitors that a thread has entered and not let go of while it waits. A wait at an object that is not told is at one of those
/// entered: then nothing is certain of any.
fn held(thread: &Thread) -> impl Iterator<Item = &String> {
    let top = thread.frames.first();
    let in_wait = top.is_some_and(|frame| frame.method.starts_with("java.lang.Object.wait"));
    let left = match &thread.stand {
        Some(Stand::Wait(object) | Stand::Reenter(object)) => Some(object.id.as_str()),
        _ => joins(thread).and_then(|at| {
            let mut entered = thread.entered.iter();
            entered.find_map(|(frame, object)| (*frame == at).then_some(object.id.as_str()))
        }),
    };
    let certain = !in_wait || left.is_some();
    let entered = thread.entered.iter().map(|(_, object)| &object.id);
    entered.filter(move |id| certain && left != Some(id.as_str()))
}

/// Whether two kinds of dumps show a thread at one place. One leaves out frames of classes that the JVM has made.
fn agree(thread: &Thread, other: &Thread) -> bool {
    let top = |thread: &Thread| thread.frames.first().cloned();
    let locks = match (&thread.lock, &other.lock) {
        (Some(lock), Some(other)) => plain(lock) == plain(other),
        // Compiled code may not say at what it waits.
        _ => true,
    };
    top(thread) == top(other) && locks
}

/// One kind says of a mirror whose it is.
fn plain(class: &str) -> &str {
    class.split(" for ").next().unwrap_or(class)
}

/// Names of the same objects: only where both have as many, of the same classes.
fn translated(thread: &Thread, other: &Thread) -> Vec<(String, String)> {
    let objects = |thread: &Thread| -> Vec<Object> {
        let stand = thread.stand.as_ref().and_then(Stand::object);
        let entered = thread.entered.iter().map(|(_, object)| object);
        stand.into_iter().chain(entered).cloned().collect()
    };
    let (here, there) = (objects(thread), objects(other));
    let classes = |objects: &[Object]| -> Vec<String> {
        objects
            .iter()
            .map(|object| plain(&object.class).to_owned())
            .collect()
    };
    match classes(&here) == classes(&there) {
        true => there
            .into_iter()
            .map(|o| o.id)
            .zip(here.into_iter().map(|o| o.id))
            .collect(),
        false => Vec::new(),
    }
}

fn rename(thread: &mut Thread, names: &BTreeMap<String, String>) {
    let known = |object: &mut Object| {
        if let Some(name) = names.get(&object.id) {
            object.id.clone_from(name);
        }
    };
    match &mut thread.stand {
        Some(Stand::Enter(o) | Stand::Reenter(o) | Stand::Wait(o) | Stand::Park(o)) => known(o),
        Some(Stand::Init(_)) | None => {}
    }
    thread
        .entered
        .iter_mut()
        .for_each(|(_, object)| known(object));
}
