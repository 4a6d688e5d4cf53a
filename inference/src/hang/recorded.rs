//! What a recording of the same JVM knows of what its threads wait for: of whom a permit was to come, who reads, what a lock is
//! that the program has built of a monitor.
//!
//! A recording says how it was when it ended. What a thread held then it holds still if it has not run since: so this counts only
//! for threads that stood then where they stand now, both who waits and all of those who have what it waits for. That they
//! did not run in between nothing proves, so what rests on it is never T0.
//!
//! Who owns a lock of `java.util.concurrent` its looks have read off the lock itself. Whoever lets such a lock go wakes only the
//! first of those who wait: the others tell nothing of who owns it now. So its owner counts only if he has not gone on, nor any of
//! those who waited.

use super::scene::{Scene, Seat};
use super::wait_for::Providers;
use super::want::{Shape, Want};
use crate::analysis::Analysis;
use crate::catalog::Catalog;
use crate::collect::Collected;
use crate::collect::parked::ParkedLog;
use crate::contention::{Blamer, Needs};
use crate::effects::is_platform_name;
use crate::model::Doubt;
use crate::nesting::graph::ThreadName;
use crate::sample::State;
use crate::sample::dump::{Object, Stand};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Who owned a lock of `java.util.concurrent` when the recording ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owned {
    pub(super) thread: ThreadName,
    /// It is no thread of the operating system: no thread dump need show it.
    pub(super) is_virtual: bool,
    /// It had ended.
    pub(super) ended: bool,
    /// What it was doing, as far as that was looked at.
    pub(super) at: Vec<String>,
    /// Java tids of all who were parked at it: if one of them is there no more, it may have been handed on.
    pub(super) waiters: Rc<BTreeSet<u64>>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Where threads stood when it ended, by Java tid.
    stays: BTreeMap<u64, Then>,
    /// Events are missing: who holds what is not known of it.
    pub(super) lacks: bool,
}

/// Where a thread stood.
#[derive(Clone, Debug)]
struct Then {
    name: String,
    /// The innermost method of the program; none: its call chain was not taken.
    place: Option<String>,
    /// Class of what it stood at.
    class: String,
    wanted: Option<Rc<Wanted>>,
    /// Who owned it.
    owned: Option<Owned>,
}

/// What it wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Name, number and types of the logical lock.
    pub(super) name: String,
    pub(super) id: String,
    pub(super) types: String,
    needs: Needs,
    holders: Vec<Holder>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    tid: u64,
    name: String,
    /// Where it was taken.
    chain: Vec<String>,
}

impl Recorded {
    /// What was known at the end. The blamer has taken in every record.
    #[must_use]
    pub fn of(collected: &Collected, analysis: &Analysis, blamer: &mut Blamer<'_>) -> Self {
        blamer.catch_up();
        let lacks = lacks(collected);
        let mut recorded = Self {
            lacks,
            ..Self::default()
        };
        // As many may want a lock as there are threads.
        let mut known: BTreeMap<(LockId, Needs), Option<Rc<Wanted>>> = BTreeMap::new();
        let mut add = |lock: LockId, thread: ThreadId, stack: Option<StackId>, waits: bool| {
            let asks = waits && !lacks;
            let held = asks.then(|| blamer.holders(lock, stack)).flatten();
            let wanted = held.and_then(|(needs, by)| {
                let find = || wanted(collected, analysis, lock, needs, &by).map(Rc::new);
                let entry = known.entry((lock, needs));
                entry.or_insert_with(find).clone()
            });
            recorded.add(collected, (lock, thread, stack), wanted);
        };
        for log in &collected.locks {
            for open in &log.open {
                add(log.lock, open.thread, open.stack, open.waits && !open.timed);
            }
        }
        for (&lock, log) in &collected.parked {
            for open in &log.open {
                add(lock, open.thread, open.stack, !open.timed);
            }
        }
        recorded.own(collected);
        recorded
    }

    /// Where threads stood, and what the looks at parked ones have read, without what an analysis would know besides.
    #[must_use]
    pub fn of_looks(collected: &Collected) -> Self {
        let mut recorded = Self::default();
        // Who is blocked on a monitor may be who owns what others are parked at.
        let blocked = collected.locks.iter().flat_map(|log| {
            let open = log.open.iter();
            open.map(|open| (log.lock, open.thread, open.stack))
        });
        let parked = collected.parked.iter().flat_map(|(&lock, log)| {
            let open = log.open.iter();
            open.map(move |open| (lock, open.thread, open.stack))
        });
        for stay in blocked.chain(parked) {
            recorded.add(collected, stay, None);
        }
        recorded.own(collected);
        recorded
    }

    /// Adds who owned what threads were parked on.
    fn own(&mut self, collected: &Collected) {
        let tid = |thread: &ThreadId| Some(collected.catalog.threads.get(thread)?.tid);
        for log in collected.parked.values() {
            let waiters = log.open.iter().map(|open| tid(&open.thread));
            let Some(waiters) = waiters.collect::<Option<BTreeSet<u64>>>().map(Rc::new) else {
                continue;
            };
            for open in &log.open {
                let then = tid(&open.thread).and_then(|tid| self.stays.get_mut(&tid));
                if let (Some(then), Owner::Thread(owner)) = (then, open.owner) {
                    then.owned = owned(collected, log, owner, &waiters);
                }
            }
        }
    }

    fn add(
        &mut self,
        collected: &Collected,
        (lock, thread, stack): (LockId, ThreadId, Option<StackId>),
        wanted: Option<Rc<Wanted>>,
    ) {
        let catalog = &collected.catalog;
        let class = catalog.locks.get(&lock).map(|def| def.class);
        let chain = stack.and_then(|stack| catalog.call_chain(stack));
        let frames = chain.iter().flat_map(|chain| &chain.frames);
        let place = innermost(frames.map(|frame| method(frame)));
        // A chain that is known and has no method of the program tells of no place.
        let told = place.is_some() || chain.is_none();
        if let (Some(def), Some(class), true) = (catalog.threads.get(&thread), class, told) {
            let then = Then {
                name: def.name.clone(),
                place: place.map(str::to_owned),
                class: catalog.class_name(class),
                wanted,
                owned: None,
            };
            self.stays.insert(def.tid, then);
        }
    }

    /// Where a thread stood that stands there still.
    fn still(&self, seat: &Seat) -> Option<&Then> {
        let then = self.stays.get(&seat.thread.tid?)?;
        let frames = seat.thread.frames.iter().map(|frame| frame.method.as_str());
        let stands = match &then.place {
            Some(place) => innermost(frames) == Some(place),
            // Chains of parks are sampled: what it stands at has to do.
            None => seat.thread.lock.as_ref() == Some(&then.class),
        };
        (seat.steady && then.name == seat.thread.name && stands).then_some(then)
    }

    /// Who owned what a thread is parked at that has not gone on since.
    pub(super) fn owned(&self, seat: &Seat) -> Option<&Owned> {
        let then = self.still(seat)?;
        let same = seat.thread.lock.as_ref() == Some(&then.class);
        // Who has ended hands on nothing any more; who lives may have, and JDK 8 does not tell whether somebody has run.
        let stands = |owned: &&Owned| match seat.ran() {
            Some(ran) => !ran,
            None => owned.ended,
        };
        then.owned.as_ref().filter(|_| same).filter(stands)
    }

    /// Who owned it when the recording ended, whatever has become of that.
    pub(super) fn last_owner(&self, seat: &Seat) -> Option<&Owned> {
        let then = self.still(seat)?;
        let same = seat.thread.lock.as_ref() == Some(&then.class);
        then.owned.as_ref().filter(|_| same)
    }

    /// Who owned something stands where he stood then: at what he was blocked or parked at, or where the looks found him.
    pub(super) fn stands(&self, seat: &Seat, owned: &Owned) -> bool {
        let frames = seat.thread.frames.iter().map(|frame| frame.method.as_str());
        let at = owned.at.iter().filter_map(|at| at.split(':').next());
        let place = innermost(at);
        // In no method of the program: idle, and so it was then, unless a look found it in one.
        let looked = place == innermost(frames);
        seat.steady && seat.ran() == Some(false) && (looked || self.still(seat).is_some())
    }

    /// At what threads wait of which the dumps do not tell it: compiled code may have let go of it. It is one of those that the
    /// thread has entered, the one of the class that it waited at when the recording ended.
    pub(super) fn place(&self, seats: &mut [Seat]) {
        for seat in seats {
            let class = self.still(seat).map(|then| then.class.as_str());
            let entered = seat.thread.entered.iter().map(|(_, object)| object);
            let of_class = entered.filter(|object| class == Some(&object.class));
            let found: BTreeSet<&Object> = of_class.collect();
            let waits = matches!(seat.thread.state, State::Waiting | State::WaitingTimed);
            let untold = seat.thread.stand.is_none() || seat.thread.presumed;
            if let (true, true, [only]) = (waits, untold, &Vec::from_iter(found)[..]) {
                let object = Object::clone(only);
                seat.thread.lock = Some(object.class.clone());
                seat.thread.stand = Some(Stand::Wait(object));
                seat.thread.presumed = false;
                seat.recorded = true;
            }
        }
    }

    /// Says of wants what the dumps cannot.
    pub(super) fn complete(&self, scene: &Scene, wants: &mut [Option<Want>]) {
        let seats = scene.seats.iter().enumerate();
        let seats = seats.filter_map(|(ix, seat)| Some((seat.thread.tid?, ix)));
        let seats: BTreeMap<u64, usize> = seats.collect();
        let mut found: BTreeMap<*const Wanted, Option<Rc<[usize]>>> = BTreeMap::new();
        for (ix, want) in wants.iter_mut().enumerate() {
            let then = want.as_ref().and_then(|want| self.fits(scene, ix, want));
            let (Some(want), Some((wanted, shape))) = (want, then) else {
                continue;
            };
            let holders = found.entry(Rc::as_ptr(wanted));
            let holders = holders.or_insert_with(|| self.holders(scene, &seats, wanted));
            let reads = want.shape == Shape::Write;
            let found = holders.as_ref();
            let Some(providers) = found.and_then(|all| providers(all, ix, &shape, reads)) else {
                continue;
            };
            want.providers = Some(providers);
            want.shape = shape;
            want.recorded = Some(Rc::clone(wanted));
        }
        behind_writers(wants);
    }

    /// What a thread wants by the recording, if it stands there still.
    fn fits(&self, scene: &Scene, ix: usize, want: &Want) -> Option<(&Rc<Wanted>, Shape)> {
        if want.providers.is_some() || want.timed || want.moved {
            return None;
        }
        let then = self.still(&scene.seats[ix])?;
        let wanted = then.wanted.as_ref()?;
        let same = want.object.as_ref()?.class == then.class;
        let shape = shape(&want.shape, &then.class, wanted.needs).filter(|_| same)?;
        Some((wanted, shape))
    }

    /// All who have it, if each of them stands still where it stood.
    fn holders(
        &self,
        scene: &Scene,
        seats: &BTreeMap<u64, usize>,
        wanted: &Wanted,
    ) -> Option<Rc<[usize]>> {
        let still = |holder: &Holder| {
            let &at = seats.get(&holder.tid)?;
            let seat = &scene.seats[at];
            let is_it = seat.thread.name == holder.name && self.still(seat).is_some();
            is_it.then_some(at)
        };
        let all: Option<BTreeSet<usize>> = wanted.holders.iter().map(still).collect();
        Some(all?.into_iter().collect())
    }
}

fn owned(
    collected: &Collected,
    log: &ParkedLog,
    owner: ThreadId,
    waiters: &Rc<BTreeSet<u64>>,
) -> Option<Owned> {
    let def = collected.catalog.threads.get(&owner)?;
    let of_owner = log.owners.keys().filter(|(of, _)| *of == owner);
    // What each look that had its call chain found it doing.
    let stacks: BTreeSet<StackId> = of_owner.filter_map(|(_, stack)| *stack).collect();
    let only = stacks.first().copied().filter(|_| stacks.len() == 1);
    // Looks may have had no call chain; the one at the end takes those of owners.
    let at_end = || collected.end_chains.get(&owner).copied();
    let at_end = stacks.is_empty().then(at_end).flatten();
    Some(Owned {
        thread: ThreadName {
            name: def.name.clone(),
            tid: Some(def.tid),
        },
        is_virtual: def.is_virtual,
        ended: collected.end_ended.contains(&owner),
        at: chain(&collected.catalog, only.or(at_end)),
        waiters: Rc::clone(waiters),
    })
}

/// Who wants to read what nobody has alone stands behind those who want to write it.
fn behind_writers(wants: &mut [Option<Want>]) {
    let mut writers: BTreeMap<String, (Rc<[usize]>, Rc<Wanted>)> = BTreeMap::new();
    let writes = |want: &Want| want.shape == Shape::Write;
    for want in wants.iter().flatten().filter(|want| writes(want)) {
        if let (Some(object), Some(known)) = (&want.object, &want.recorded)
            && !writers.contains_key(&object.id)
        {
            let same = |(_, other): &(usize, &Option<Want>)| {
                let other = other.as_ref().filter(|other| writes(other));
                other.is_some_and(|other| other.object.as_ref() == Some(object))
            };
            let all = wants.iter().enumerate().filter(same);
            let all = all.map(|(ix, _)| ix).collect();
            writers.insert(object.id.clone(), (all, Rc::clone(known)));
        }
    }
    for want in wants.iter_mut().flatten() {
        let id = want.object.as_ref().map(|object| &object.id);
        let reads = want.shape == Shape::Read && want.providers.is_none();
        if let Some((all, known)) = id.filter(|_| reads).and_then(|id| writers.get(id)) {
            want.providers = Some(Providers::Any(Rc::clone(all)));
            want.recorded = Some(Rc::clone(known));
        }
    }
}

/// Whom of those who have it somebody waits for. Who has one of several permits himself gives it back no sooner than he goes on.
/// Who reads a lock of the JDK's (`reads`) and wants to write waits for himself, too.
fn providers(all: &Rc<[usize]>, ix: usize, shape: &Shape, reads: bool) -> Option<Providers> {
    let own = all.contains(&ix);
    match shape {
        Shape::Write if own && reads => Some(Providers::All(all.to_vec())),
        _ if all.len() == usize::from(own) => None,
        Shape::Permit => Some(Providers::Any(Rc::clone(all))),
        _ if own => None,
        _ => Some(Providers::All(all.to_vec())),
    }
}

/// Whether acquisitions may be missing before its end.
fn lacks(collected: &Collected) -> bool {
    let recording = &collected.recording;
    let doubts = recording.incomplete.iter();
    let mut doubts = doubts.filter(|doubt| **doubt != Doubt::CutOff);
    let whole = recording.exact && recording.lost == 0 && recording.gaps == 0;
    !whole || doubts.next().is_some()
}

/// A lock of which the dump says that somebody is to write: of others, readers may stand there, too.
pub(super) const READ_WRITE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock";

/// What somebody waits for who is found so in a dump and wants that. Who wants to read waits for who writes, or behind who
/// waits to: whom of these, who holds it does not say.
fn shape(found: &Shape, class: &str, needs: Needs) -> Option<Shape> {
    match (found, needs) {
        (Shape::Permit, _) | (Shape::Notify, Needs::Permit) => Some(Shape::Permit),
        (Shape::Write, _) if class.starts_with(READ_WRITE) => Some(Shape::Write),
        (Shape::Notify, Needs::Alone) => Some(Shape::Write),
        _ => None,
    }
}

impl Wanted {
    /// Where a thread has taken it.
    pub(super) fn taken(&self, tid: Option<u64>) -> Vec<String> {
        let mut holders = self.holders.iter();
        let holder = holders.find(|holder| Some(holder.tid) == tid);
        holder.map_or_else(Vec::new, |holder| holder.chain.clone())
    }
}

fn wanted(
    collected: &Collected,
    analysis: &Analysis,
    lock: LockId,
    needs: Needs,
    by: &[(ThreadId, Option<StackId>)],
) -> Option<Wanted> {
    let index = analysis
        .objects
        .iter()
        .position(|all| all.contains(&lock))?;
    let known = analysis.model.locks.get(index)?;
    let types = known.types.iter().map(|verdict| verdict.lock_type.name());
    let holder = |&(thread, stack): &(ThreadId, Option<StackId>)| {
        let def = collected.catalog.threads.get(&thread)?;
        Some(Holder {
            tid: def.tid,
            name: def.name.clone(),
            chain: chain(&collected.catalog, stack),
        })
    };
    let holders: Option<Vec<Holder>> = by.iter().map(holder).collect();
    Some(Wanted {
        name: known.name.clone(),
        id: known.id.to_string(),
        types: types.collect::<Vec<_>>().join("+"),
        needs,
        holders: holders.filter(|holders| !holders.is_empty())?,
    })
}

/// A chain as those of dumps are told: `app.Pool.take:42`.
fn chain(catalog: &Catalog, stack: Option<StackId>) -> Vec<String> {
    let chain = stack.and_then(|stack| catalog.call_chain(stack));
    let frames = chain.map_or_else(Vec::new, |chain| chain.frames);
    let told = |frame: &String| {
        let line = frame
            .rsplit_once(':')
            .map(|(_, line)| line.trim_end_matches(')'));
        match line.filter(|line| line.parse::<u32>().is_ok()) {
            Some(line) => format!("{}:{line}", method(frame)),
            None => method(frame).to_owned(),
        }
    };
    frames.iter().map(told).collect()
}

fn method(frame: &str) -> &str {
    frame.split('(').next().unwrap_or(frame)
}

fn innermost<'f>(mut methods: impl Iterator<Item = &'f str>) -> Option<&'f str> {
    methods.find(|method| !is_platform_name(method))
}

#[cfg(test)]
mod tests;
