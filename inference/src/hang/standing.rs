//! Where threads wait that no ring holds: what of that is worth saying although it proves no deadlock.

use super::name::{chain, mode, object_name, resource};
use super::recorded::READ_WRITE;
use super::scene::Scene;
use super::suspect::NOBODY;
use super::tell::add;
use super::want::{Shape, Want};
use super::{Evidence, Standing, called};
use crate::deadlock::finding::{Finding, Kind, Memory, Part, Report, Resource, Tier, stable_id};
use crate::deadlock::waits::Unserved;
use crate::effects::is_platform_name;
use crate::sample::State;
use crate::sample::dump::{Object, Stand, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// The only lock that no other thread than its owner can let go, in its two kinds.
const OWNED: [&str; 2] = ["java.util.concurrent.locks.ReentrantLock$NonfairSync", FAIR];
/// Where the dump stops all threads this one is mostly free if it is busy: its next owner is on his way.
const FAIR: &str = "java.util.concurrent.locks.ReentrantLock$FairSync";
/// Of many threads that wait for the same, so many are named.
const NAMED: usize = 16;
/// Places told of those who wait for one lock.
const PLACES: usize = 4;
/// Where a thread takes a synchronizer of the program's own.
const ACQUIRES: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire";
const ABANDONED: &str = "no thread that lives owns it, and who waits for it stood there in every dump: who took it has ended, or it was let go and nobody has gone on since";
const HANDED_ON: &str = "no thread that lives owns it, and who waits for it stood there in every dump; but a fair lock that is busy is mostly free at such a moment, its next owner on his way to it, and whether these have run between the dumps is not known: no JVM before 11 writes it";

/// Threads that wait in code of the program, together where it is for the same at the same place.
pub(super) fn standing(scene: &Scene, wants: &[Option<Want>]) -> Vec<Standing> {
    let mut found: Vec<Standing> = Vec::new();
    let mut objects: Vec<BTreeSet<&Object>> = Vec::new();
    let mut known: BTreeMap<(String, Vec<String>, bool), usize> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let seat = &scene.seats[ix];
        let mut frames = seat.thread.frames.iter();
        let of_program = frames.any(|frame| !is_platform_name(&frame.method));
        let Some(want) = want.as_ref().filter(|_| !seat.of_jvm && of_program) else {
            continue;
        };
        let at = chain(&seat.thread.frames);
        let wants = Resource {
            mode: mode(&want.shape),
            ..resource(want, &[&at], None)
        };
        let key = (wants.name.clone(), at.clone(), want.timed);
        let place = *known.entry(key).or_insert_with(|| {
            found.push(Standing {
                threads: Vec::new(),
                wants,
                objects: 0,
                at,
                timed: want.timed,
            });
            objects.push(BTreeSet::new());
            found.len() - 1
        });
        found[place].threads.push(called(&seat.thread));
        objects[place].extend(&want.object);
    }
    for (standing, objects) in found.iter_mut().zip(&objects) {
        standing.objects = objects.len();
    }
    found
}

/// Whether no thread of the program runs, sleeps, or waits for a time only, nor has run between the dumps: where there is much to do all
/// may be parked at the moments of two.
pub(super) fn none_runs(scene: &Scene, wants: &[Option<Want>]) -> bool {
    let stays = |ix: usize| {
        let seat = &scene.seats[ix];
        // Who waits for a class is told to run.
        let idle = matches!(seat.thread.stand, Some(Stand::Init(_)))
            || matches!(
                seat.thread.state,
                State::Waiting | State::Parked | State::Blocked
            );
        let stays = wants[ix].as_ref().is_some_and(Want::stays);
        seat.of_jvm || idle && stays && seat.ran() != Some(true)
    };
    (0..scene.seats.len()).all(stays)
}

/// Adds locks that threads wait for and nobody owns who lives: who could let them go has ended.
pub(super) fn abandoned(
    scene: &Scene,
    wants: &[Option<Want>],
    evidence: &Evidence<'_>,
    report: &mut Report,
) {
    // Of one dump alone nobody knows whether somebody was just about to go on.
    if evidence.dumps.len() < 2 {
        return;
    }
    // A virtual thread may own it.
    let tells = |dump: &crate::sample::dump::Dump| dump.owners && super::scene::is_whole(dump);
    let known = evidence.dumps.iter().all(tells) && scene.no_virtual;
    let ended = |object: &Object| scene.owned(object).is_some_and(|owned| owned.ended);
    let mut waiting: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut moved: Vec<&str> = Vec::new();
    for (ix, want) in wants.iter().enumerate() {
        let Some((want, object)) = want
            .as_ref()
            .and_then(|want| Some((want, want.object.as_ref()?)))
        else {
            continue;
        };
        let owned = want.shape == Shape::Lock && OWNED.contains(&object.class.as_str());
        if owned && (known || ended(object)) && want.providers.is_none() {
            // Who has run has had it, and waits for it again; or his time was up.
            match want.moved || !want.timed && scene.seats[ix].ran() == Some(true) {
                true => moved.push(&object.id),
                false => waiting.entry(&object.id).or_default().push(ix),
            }
        }
    }
    for (_, threads) in waiting.iter().filter(|(id, _)| !moved.contains(id)) {
        let finding = unowned(scene, wants, threads);
        report_once(report, finding);
    }
}

/// Adds locks and permits of which nobody knows who has them where no thread of the program goes on, unless something else explains why:
/// whoever has one is among those who wait, or has ended. The same of room in queues, and of meetings to which nobody comes.
pub(super) fn unheld(scene: &Scene, wants: &[Option<Want>], report: &mut Report) {
    let explained = { report.findings.iter() }.any(|finding| finding.tier <= Tier::T4);
    if explained || !is_still(scene, wants) {
        return;
    }
    let mut waiting: BTreeMap<&Object, (Unserved, Vec<usize>)> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let want = want.as_ref().filter(|want| {
            // A busy lock is free at such moments, its next owner on his way to it.
            let stands = want.stays() && scene.seats[ix].ran() == Some(false);
            want.providers.is_none() && stands
        });
        let why = want.and_then(|want| asks(&scene.seats[ix].thread, want));
        if let (Some(object), Some(why)) = (want.and_then(|want| want.object.as_ref()), why) {
            let (_, all) = waiting.entry(object).or_insert((why, Vec::new()));
            all.push(ix);
        }
    }
    waiting.retain(|_, (_, all)| !may_be_idle(scene, wants, all));
    let moved = |object: &Object| {
        let mut all = wants.iter().zip(&scene.seats);
        all.any(|(want, seat)| {
            let at = want.as_ref().and_then(|want| want.object.as_ref());
            at == Some(object) && seat.ran() != Some(false)
        })
    };
    for (_, (why, threads)) in waiting.iter().filter(|(object, _)| !moved(object)) {
        let finding = by_nobody(scene, wants, threads, *why);
        report_once(report, finding);
    }
}

/// What these wait for and nobody gives: each place of theirs once, first those who want to write, then where the fewest stand.
fn by_nobody(
    scene: &Scene,
    wants: &[Option<Want>],
    threads: &[usize],
    why: Unserved,
) -> Option<Finding> {
    let mut places: BTreeMap<(bool, Vec<String>), Vec<usize>> = BTreeMap::new();
    for &ix in threads {
        let reads = wants[ix].as_ref()?.shape == Shape::Read;
        let at = chain(&scene.seats[ix].thread.frames);
        places.entry((reads, at)).or_default().push(ix);
    }
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|((reads, _), all)| (*reads, all.len(), all[0]));
    places.truncate(PLACES);
    let told: Vec<usize> = places.iter().map(|(_, all)| all[0]).collect();
    let rest = threads.iter().filter(|ix| !told.contains(ix));
    let rest: Vec<&str> = rest
        .map(|&ix| scene.seats[ix].thread.name.as_str())
        .collect();
    let of_readers = reads_again(scene, wants, threads);
    let remarks = [beside(&rest), of_readers, Some(NOBODY.to_owned())];
    let (first, want) = (*told.first()?, wants[*told.first()?].as_ref()?);
    let why = (why, remarks.into_iter().flatten());
    let mut finding = unserved(&scene.seats[first].thread, want, why);
    let chains: Vec<&[String]> = places.iter().map(|((_, at), _)| at.as_slice()).collect();
    finding.locks[0] = resource(want, &chains, None);
    finding.id = stable_id(finding.kind, std::slice::from_ref(&finding.locks[0].name));
    let parts = places.iter().map(|((_, at), all)| Part {
        mode: wants[all[0]].as_ref().map_or("", |want| mode(&want.shape)),
        ..Part::wanting(called(&scene.seats[all[0]].thread), at.clone())
    });
    finding.edges = parts.collect();
    Some(finding)
}

/// Of a lock that lets in again at once whoever has it: none of those who wait to read is it.
fn reads_again(scene: &Scene, wants: &[Option<Want>], threads: &[usize]) -> Option<String> {
    let want = |ix: usize| wants[ix].as_ref();
    let object = want(*threads.first()?)?.object.as_ref()?;
    let (readers, writers): (Vec<usize>, Vec<usize>) = threads
        .iter()
        .partition(|&&ix| want(ix).is_some_and(|want| want.shape == Shape::Read));
    if readers.is_empty() || !object.class.starts_with(READ_WRITE) {
        return None;
    }
    let names: Vec<&str> = writers
        .iter()
        .map(|&ix| scene.seats[ix].thread.name.as_str())
        .collect();
    let writer = match &names[..] {
        [] => None,
        [only] => Some(format!("{only}, who reads it himself and wants to write")),
        _ => Some(format!(
            "one of {}, who reads it himself and wants to write",
            listed(&names)?
        )),
    };
    let elsewhere = (0..scene.seats.len()).any(|ix| {
        let here = want(ix).and_then(|want| want.object.as_ref()) == Some(object);
        !scene.seats[ix].of_jvm && !here
    });
    let elsewhere = elsewhere.then(|| "somebody who waits elsewhere".to_owned());
    let ended = Some("somebody who has ended".to_owned());
    let who: Vec<String> = [writer, elsewhere, ended].into_iter().flatten().collect();
    Some(format!(
        "who has a ReentrantReadWriteLock is let in again at once to read: so none of those who wait to read has it, but {}",
        who.join(", or ")
    ))
}

/// No thread of the program goes on, virtual ones among them.
pub(super) fn is_still(scene: &Scene, wants: &[Option<Want>]) -> bool {
    let virtual_known = scene.virtual_known || scene.no_carrier;
    scene.whole && virtual_known && none_runs(scene, wants)
}

/// They may wait for what comes from outside: one alone for a permit that a signal gives, as for the end of the program; in a monitor all at
/// one place for work. Who waits elsewhere in it waits for what others of them do.
fn may_be_idle(scene: &Scene, wants: &[Option<Want>], all: &[usize]) -> bool {
    let shape = |ix: usize| wants[ix].as_ref().map(|want| &want.shape);
    let places = all.iter().map(|&ix| {
        let frames = scene.seats[ix].thread.frames.iter();
        let mut own = frames.map(|frame| frame.method.as_str());
        own.find(|method| !is_platform_name(method))
    });
    match all.first().and_then(|&ix| shape(ix)) {
        Some(Shape::Permit) => all.len() < 2,
        Some(Shape::Notify) => places.collect::<BTreeSet<_>>().len() < 2,
        _ => false,
    }
}

/// What others would have to do for it, if that is something for which nobody waits who has nothing to do: to let go a lock, also one of
/// the program's own that one thread takes at a time, or a permit; to make room; to come to the same place.
fn asks(thread: &Thread, want: &Want) -> Option<Unserved> {
    let mut frames = thread.frames.iter().map(|frame| frame.method.as_str());
    let own = want.shape == Shape::Signal("unpark") && { thread.frames.iter() }
        .any(|frame| frame.method == ACQUIRES);
    let shares = frames.any(|method| method.contains("Synchronizer.acquireShared"));
    match want.shape {
        Shape::Lock | Shape::Write | Shape::Read | Shape::Permit => Some(Unserved::HolderUnknown),
        Shape::Met("free place of" | "taker at" | "arrival of others at" | "partner at", _)
        | Shape::Notify => Some(Unserved::NoNotifier),
        _ if own && !shares => Some(Unserved::HolderUnknown),
        _ => None,
    }
}

/// A thread that waits and is not served, certain as nobody goes on.
pub(super) fn unserved(
    thread: &Thread,
    want: &Want,
    (why, remarks): (Unserved, impl Iterator<Item = String>),
) -> Finding {
    let at = chain(&thread.frames);
    let lock = resource(want, &[&at], None);
    Finding {
        id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&lock.name)),
        tier: Tier::T4,
        kind: Kind::UnservedWaiter,
        stall: false,
        edges: vec![Part {
            mode: mode(&want.shape),
            ..Part::wanting(called(thread), at)
        }],
        locks: vec![lock],
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: Some(why),
        memory: Memory::Unjudged,
        remarks: remarks.collect(),
    }
}

/// Who else waits for the same.
pub(super) fn beside(others: &[&str]) -> Option<String> {
    listed(others).map(|names| format!("so do: {names}"))
}

/// Names, not too many.
pub(super) fn listed(names: &[&str]) -> Option<String> {
    let told: Vec<&str> = names.iter().copied().take(NAMED).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!told.is_empty()).then(|| format!("{}{more}", told.join(", ")))
}

fn report_once(report: &mut Report, finding: Option<Finding>) {
    if let Some(finding) = finding {
        add(report, finding);
    }
}

fn unowned(scene: &Scene, wants: &[Option<Want>], threads: &[usize]) -> Option<Finding> {
    let of = |ix: usize| Some((&scene.seats[ix].thread, wants[ix].as_ref()?));
    let unknown = threads.iter().any(|&ix| scene.seats[ix].ran().is_none());
    let each = threads.iter().filter_map(|&ix| of(ix));
    // Who waits for a time only goes on.
    let stays: Vec<_> = each.filter(|(_, want)| !want.timed).collect();
    let (thread, want) = *stays.first()?;
    let chains: Vec<Vec<String>> = stays.iter().map(|(one, _)| chain(&one.frames)).collect();
    let named: Vec<&[String]> = chains.iter().map(Vec::as_slice).collect();
    let mut lock = resource(want, &named, None);
    lock.name = object_name(want.object.as_ref()?, &named);
    let others = stays.iter().skip(1).map(|(one, _)| one.name.as_str());
    let also = beside(&others.collect::<Vec<_>>());
    let fair = want
        .object
        .as_ref()
        .is_some_and(|object| object.class == FAIR);
    let owned = want.object.as_ref().and_then(|object| scene.owned(object));
    let (tier, why) = match (owned, fair && unknown) {
        (Some(owned), _) => (
            Tier::T4,
            format!(
                "\"{}\" owned it when the recording ended, and had ended itself; who waits for it stood there in every dump since",
                owned.thread.name
            ),
        ),
        (None, true) => (Tier::T5, HANDED_ON.to_owned()),
        (None, false) => (Tier::T4, ABANDONED.to_owned()),
    };
    Some(Finding {
        id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&lock.name)),
        tier,
        kind: Kind::UnservedWaiter,
        stall: false,
        edges: vec![Part {
            thread: called(thread),
            holds_at: Vec::new(),
            wants_at: chains.first().cloned().unwrap_or_default(),
            wants_object: None,
            mode: lock.mode,
            count: 1,
            timed: false,
            also_at: Vec::new(),
            also_holds: Vec::new(),
        }],
        locks: vec![lock],
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: Some(Unserved::OwnerEnded),
        memory: Memory::Unjudged,
        remarks: also.into_iter().chain([why]).collect(),
    })
}
