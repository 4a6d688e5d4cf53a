//! Where threads wait that no ring holds: what of that is worth saying although it proves no deadlock.

use super::name::{chain, mode, object_name, resource};
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

/// Whether no thread of the program runs, sleeps, or waits for a time only.
pub(super) fn none_runs(scene: &Scene, wants: &[Option<Want>]) -> bool {
    let stays = |ix: usize| {
        let seat = &scene.seats[ix];
        // Who waits for a class is told to run.
        let idle = matches!(seat.thread.stand, Some(Stand::Init(_)))
            || matches!(
                seat.thread.state,
                State::Waiting | State::Parked | State::Blocked
            );
        seat.of_jvm || idle && wants[ix].as_ref().is_some_and(Want::stays)
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

/// Adds locks of which nobody knows who has them where no thread of the program goes on, unless something else explains why: whoever
/// has one is among those who wait, or has ended.
pub(super) fn unheld(scene: &Scene, wants: &[Option<Want>], report: &mut Report) {
    let explained = { report.findings.iter() }.any(|finding| finding.tier <= Tier::T4);
    if explained || !is_still(scene, wants) {
        return;
    }
    let mut waiting: BTreeMap<&Object, Vec<usize>> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let want = want.as_ref().filter(|want| {
            let seat = &scene.seats[ix];
            // A busy lock is free at such moments, its next owner on his way to it.
            let stands = want.stays() && seat.ran() == Some(false);
            want.providers.is_none() && stands && takes(&seat.thread, want)
        });
        if let Some(object) = want.and_then(|want| want.object.as_ref()) {
            waiting.entry(object).or_default().push(ix);
        }
    }
    let moved = |object: &Object| {
        let mut all = wants.iter().zip(&scene.seats);
        all.any(|(want, seat)| {
            let at = want.as_ref().and_then(|want| want.object.as_ref());
            at == Some(object) && seat.ran() != Some(false)
        })
    };
    for threads in { waiting.iter() }.filter_map(|(object, all)| (!moved(object)).then_some(all)) {
        let names = threads.iter().skip(1);
        let names: Vec<&str> = names
            .map(|&ix| scene.seats[ix].thread.name.as_str())
            .collect();
        let remarks = [beside(&names), Some(NOBODY.to_owned())];
        if let Some(want) = &wants[threads[0]] {
            let thread = &scene.seats[threads[0]].thread;
            let why = (Unserved::HolderUnknown, remarks.into_iter().flatten());
            add(report, unserved(thread, want, why));
        }
    }
}

/// No thread of the program goes on, virtual ones among them.
pub(super) fn is_still(scene: &Scene, wants: &[Option<Want>]) -> bool {
    let virtual_known = scene.virtual_known || scene.no_carrier;
    scene.whole && virtual_known && none_runs(scene, wants)
}

/// It is to have what others have to let go: a lock, also one of the program's own that one thread takes at a time.
fn takes(thread: &Thread, want: &Want) -> bool {
    let mut frames = thread.frames.iter().map(|frame| frame.method.as_str());
    let own = want.shape == Shape::Signal("unpark") && { thread.frames.iter() }
        .any(|frame| frame.method == ACQUIRES);
    let shares = frames.any(|method| method.contains("Synchronizer.acquireShared"));
    matches!(want.shape, Shape::Lock | Shape::Write | Shape::Read) || own && !shares
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
            mode: lock.mode,
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
    let told: Vec<&str> = others.iter().copied().take(NAMED).collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!told.is_empty()).then(|| format!("so do: {}{more}", told.join(", ")))
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
