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
    let only = stacks.first().filter(|_| stacks.len() == 1);
    Some(Owned {
        thread: ThreadName {
            name: def.name.clone(),
            tid: Some(def.tid),
        },
        is_virtual: def.is_virtual,
        ended: collected.end_ended.contains(&owner),
        at: chain(&collected.catalog, only.copied()),
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
mod tests {
    use super::*;
    use crate::deadlock::finding::{Kind, Report, Tier};
    use crate::hang::{Evidence, explain};
    use crate::sample::dump::Dumps;

    /// A keeper of the catalogue wants a permit; whoever is named besides wants the catalogue.
    fn dump(loaders: &[(u64, &str)], told: bool) -> String {
        let stand = match told {
            true => "<0x1> (a app.Slots)",
            false => "<no object reference available>",
        };
        let mut text = format!(
            "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n\"keeper\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 in Object.wait()  [0x1]\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(Native Method)\n\t- waiting on {stand}\n\tat app.Slots.acquire(Slots.java:9)\n\t- locked <0x1> (a app.Slots)\n\tat app.Keeper.keep(Keeper.java:5)\n\t- locked <0x2> (a app.Catalogue)\n\n"
        );
        for (number, place) in loaders {
            text += &format!(
                "\"loader\" #{number} prio=5 os_prio=0 tid=0x{number} nid=0x1 waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat {place}(It.java:7)\n\t- waiting to lock <0x2> (a app.Catalogue)\n\n"
            );
        }
        text + "JNI global refs: 1\n"
    }

    const LOAD: &str = "app.Loader.load";

    /// The loaders of these numbers had all permits, and stood there.
    fn recorded(numbers: &[u64], needs: Needs) -> Recorded {
        let holder = |&tid: &u64| Holder {
            tid,
            name: "loader".to_owned(),
            chain: vec!["app.Slots.acquire:8".to_owned()],
        };
        let then = |name: &str, place: &str, class: &str, wanted| Then {
            name: name.to_owned(),
            place: Some(place.to_owned()),
            class: class.to_owned(),
            wanted,
            owned: None,
        };
        let wanted = Wanted {
            name: "Slots".to_owned(),
            id: "3".to_owned(),
            types: "SEMAPHORE".to_owned(),
            needs,
            holders: numbers.iter().map(holder).collect(),
        };
        let keeper = then(
            "keeper",
            "app.Slots.acquire",
            "app.Slots",
            Some(Rc::new(wanted)),
        );
        let loader = |&tid: &u64| (tid, then("loader", LOAD, "app.Catalogue", None));
        let mut stays: BTreeMap<_, _> = numbers.iter().map(loader).collect();
        stays.insert(1, keeper);
        Recorded {
            stays,
            lacks: false,
        }
    }

    fn explained(texts: [String; 2], recorded: Option<&Recorded>) -> Report {
        let dumps: Vec<_> = texts
            .iter()
            .flat_map(|text| Dumps::read(text).dumps)
            .collect();
        explain(&Evidence {
            dumps: &dumps,
            recorded,
            ..Evidence::default()
        })
    }

    fn rings(text: &str, recorded: &Recorded) -> Vec<(Tier, Kind)> {
        let report = explained([text.to_owned(), text.to_owned()], Some(recorded));
        let all = report.findings.iter();
        let rings = all.filter(|one| one.remarks.iter().any(|said| said.contains("recording")));
        rings.map(|one| (one.tier, one.kind)).collect()
    }

    #[test]
    fn who_has_all_permits_and_is_stuck_is_who_is_waited_for() {
        for told in [true, false] {
            let text = dump(&[(2, LOAD), (3, LOAD)], told);
            let known = recorded(&[2, 3], Needs::Permit);
            assert_eq!(rings(&text, &known), [(Tier::T4, Kind::Permit)]);
            let lock = recorded(&[2], Needs::Alone);
            assert_eq!(rings(&text, &lock), [(Tier::T4, Kind::Order)]);
        }
    }

    #[test]
    fn who_may_have_given_back_meanwhile_is_free() {
        let known = recorded(&[2, 3], Needs::Permit);
        let elsewhere = dump(&[(2, LOAD), (3, "app.Loader.other")], true);
        assert_eq!(rings(&elsewhere, &known), []);
        let gone = dump(&[(2, LOAD)], true);
        assert_eq!(rings(&gone, &known), []);
        let two = [
            dump(&[(2, LOAD), (3, "app.Loader.other")], true),
            dump(&[(2, LOAD), (3, LOAD)], true),
        ];
        let moved = explained(two, Some(&known));
        assert!(
            moved.findings.iter().all(|one| one.tier == Tier::T5),
            "{moved:#?}"
        );
    }

    const SYNC: &str = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync";

    /// The first thread wants to write what this one reads.
    fn writing(reader: u64) -> Recorded {
        let mut known = recorded(&[], Needs::Alone);
        let wanted = Wanted {
            name: "Catalogue".to_owned(),
            id: "4".to_owned(),
            types: "READ-WRITE".to_owned(),
            needs: Needs::Alone,
            holders: vec![Holder {
                tid: reader,
                name: "keeper".to_owned(),
                chain: Vec::new(),
            }],
        };
        let then = known.stays.get_mut(&1).unwrap();
        (then.class, then.wanted) = (SYNC.to_owned(), Some(Rc::new(wanted)));
        known
    }

    #[test]
    fn who_reads_and_wants_to_write_waits_for_himself() {
        let text = format!(
            "Full thread dump X (17 mixed mode):\n\n\"keeper\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {SYNC})\n\tat app.Slots.acquire(Slots.java:9)\n\nJNI global refs: 1\n"
        );
        let found = |reader: u64| {
            let known = writing(reader);
            rings(&text, &known)
        };
        assert_eq!(found(1), [(Tier::T4, Kind::Upgrade)]);
        assert_eq!(found(2), [], "that one has gone");
    }

    /// Two threads that are parked at a lock of this class, and what the recording knows of who has it.
    fn both_parked(sync: &str, needs: Needs) -> Vec<(Tier, Kind)> {
        let mut text = "Full thread dump X (17 mixed mode):\n\n".to_owned();
        let mut known = recorded(&[], needs);
        for tid in [1, 2] {
            text += &format!(
                "\"keeper\" #{tid} prio=5 os_prio=0 tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {sync})\n\tat app.Slots.acquire(Slots.java:9)\n\n"
            );
            let holder = |tid| Holder {
                tid,
                name: "keeper".to_owned(),
                chain: Vec::new(),
            };
            let wanted = Wanted {
                name: "Slots".to_owned(),
                id: "4".to_owned(),
                types: String::new(),
                needs,
                holders: [1, 2].map(holder).into(),
            };
            let then = Then {
                name: "keeper".to_owned(),
                place: Some("app.Slots.acquire".to_owned()),
                class: sync.to_owned(),
                wanted: Some(Rc::new(wanted)),
                owned: None,
            };
            known.stays.insert(tid, then);
        }
        rings(&(text + "JNI global refs: 1\n"), &known)
    }

    /// Chains of parks are sampled: a recording need not have one.
    #[test]
    fn who_stood_at_a_place_that_is_not_known_stands_there_if_it_is_at_such_an_object() {
        let found = |class: &str| {
            let mut known = recorded(&[2, 3], Needs::Permit);
            for (tid, then) in &mut known.stays {
                then.place = None;
                if *tid != 1 {
                    class.clone_into(&mut then.class);
                }
            }
            rings(&dump(&[(2, LOAD), (3, LOAD)], true), &known)
        };
        assert_eq!(found("app.Catalogue"), [(Tier::T4, Kind::Permit)]);
        assert_eq!(found("app.Other"), [], "they have gone on");
    }

    #[test]
    fn who_wants_to_read_is_behind_who_waits_for_himself_to_write() {
        let waits = |name: &str, tid: u32, method: &str| {
            format!(
                "\"{name}\" #{tid} prio=5 os_prio=0 tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {SYNC})\n\tat java.util.concurrent.locks.ReentrantReadWriteLock${method}.lock(R.java:1)\n\tat app.Slots.acquire(Slots.java:9)\n\n"
            )
        };
        let text = format!(
            "Full thread dump X (17 mixed mode):\n\n{}{}JNI global refs: 1\n",
            waits("keeper", 1, "WriteLock"),
            waits("http", 2, "ReadLock")
        );
        let known = writing(1);
        let report = explained([text.clone(), text], Some(&known));
        let hang = report.hang.unwrap();
        let behind: Vec<_> = hang.behind[0]
            .1
            .iter()
            .map(|one| one.thread.name.as_str())
            .collect();
        assert_eq!((behind, hang.queues.len()), (vec!["http"], 0));
    }

    /// The owner of a lock is blocked on what the second of two has who wait for it; the first may be elsewhere by now.
    fn owning(first: &str, cpu: &str) -> String {
        const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        let waits = |name: &str, tid: u32, place: &str, chain: &str| {
            format!(
                "\"{name}\" #{tid} prio=5 os_prio=0 {cpu}tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: {place}\n{chain}\n"
            )
        };
        let parked = |place: &str| {
            format!(
                "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x9> (a {LOCK})\n\tat java.util.concurrent.locks.ReentrantLock.lock(R.java:1)\n\tat {place}(It.java:7)\n"
            )
        };
        let busy = format!("\tat {first}(It.java:7)\n");
        let first = match first {
            LOAD => waits("loader", 2, "WAITING (parking)", &parked(LOAD)),
            _ => waits("loader", 2, "RUNNABLE", &busy),
        };
        let owner =
            "\tat app.Keeper.keep(Keeper.java:5)\n\t- waiting to lock <0x2> (a app.Catalogue)\n";
        let second = parked(LOAD) + "\t- locked <0x2> (a app.Catalogue)\n";
        format!(
            "Full thread dump X (17 mixed mode):\n\n{}{first}{}{}JNI global refs: 1\n",
            waits("keeper", 1, "BLOCKED (on object monitor)", owner),
            waits("loader", 3, "WAITING (parking)", &second),
            // Where nobody goes on the owner is among those who wait.
            waits("busy", 4, "RUNNABLE", "\tat app.Loader.spin(It.java:7)\n")
        )
    }

    /// What the looks have read: the keeper owned it, and stood at this place.
    fn read(place: Option<&str>, at: &[&str]) -> Recorded {
        const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        let owned = Owned {
            thread: ThreadName {
                name: "keeper".to_owned(),
                tid: Some(1),
            },
            is_virtual: false,
            ended: false,
            at: at.iter().map(|at| (*at).to_owned()).collect(),
            waiters: Rc::new(BTreeSet::from([2, 3])),
        };
        let then = |name: &str, place: &str, class: &str, owned| Then {
            name: name.to_owned(),
            place: Some(place.to_owned()),
            class: class.to_owned(),
            wanted: None,
            owned,
        };
        let waiters = [2, 3].map(|tid| (tid, then("loader", LOAD, LOCK, Some(owned.clone()))));
        let mut stays = BTreeMap::from(waiters);
        stays.extend(place.map(|place| (1, then("keeper", place, "app.Catalogue", None))));
        Recorded {
            stays,
            lacks: false,
        }
    }

    #[test]
    fn a_lock_is_whose_it_was_only_if_neither_he_nor_any_who_waited_has_gone_on() {
        let rings = |text: &str, known: &Recorded| {
            let report = explained([text.to_owned(), text.to_owned()], Some(known));
            let each = report.findings.iter().filter(|one| one.tier <= Tier::T4);
            each.map(|one| (one.tier, one.kind)).collect::<Vec<_>>()
        };
        const KEEP: &str = "app.Keeper.keep";
        let cpu = "cpu=7.00ms ";
        let ring = [(Tier::T4, Kind::Order)];
        let all = owning(LOAD, cpu);
        assert_eq!(rings(&all, &read(Some(KEEP), &[])), ring);
        let looked = read(None, &["java.util.Map.get:1", "app.Keeper.keep:4"]);
        assert_eq!(rings(&all, &looked), ring, "the looks found him there");
        let elsewhere = read(Some("app.Keeper.other"), &["app.Keeper.other:4"]);
        assert_eq!(rings(&all, &elsewhere), [], "he has gone on");
        assert_eq!(
            rings(&all, &read(None, &[])),
            [],
            "where he was nobody knows"
        );
        let handed_on = owning("app.Loader.work", cpu);
        let known = read(Some(KEEP), &[]);
        assert_eq!(rings(&handed_on, &known), [], "the first has it");
        assert_eq!(rings(&owning(LOAD, ""), &known), [], "they may have run");
    }

    #[test]
    fn who_has_a_permit_and_wants_another_one_upgrades_nothing() {
        let permits = "java.util.concurrent.Semaphore$NonfairSync";
        let found = both_parked(permits, Needs::Permit);
        assert_eq!(found, [(Tier::T4, Kind::Permit)]);
    }

    #[test]
    fn nothing_that_rests_on_a_recording_is_certain() {
        let text = dump(&[(2, LOAD), (3, LOAD)], false);
        let known = recorded(&[2, 3], Needs::Permit);
        let report = explained([text.clone(), text], Some(&known));
        assert!(report.findings.iter().all(|one| one.tier > Tier::T0));
        let held = &report.findings[0].edges;
        let taken = held.iter().map(|part| part.holds_at.first().cloned());
        let taken: Vec<_> = taken.flatten().collect();
        assert!(
            taken.contains(&"app.Slots.acquire:8".to_owned()),
            "{taken:?}"
        );
    }
}
