//! Where threads wait that no ring holds: what of that is worth saying although it proves no deadlock.

use super::idle::{TIMER, waits_for_task};
use super::name::{chain, mode, object_name, resource};
use super::scene::Scene;
use super::tell::add;
use super::want::{Shape, Want};
use super::{Evidence, Other, Standing, Starved, called};
use crate::deadlock::finding::{Finding, Kind, Memory, Part, Report, Resource, Tier, stable_id};
use crate::deadlock::waits::Unserved;
use crate::effects::is_platform_name;
use crate::sample::State;
use crate::sample::dump::{Object, Stand, Thread};
use crate::sample::group::folded;
use std::collections::{BTreeMap, BTreeSet};

/// A thread of a pool, and where one of its tasks waits for another one.
const WORKER: &str = "java.util.concurrent.ThreadPoolExecutor.runWorker";
const RESULTS: [&str; 4] = [
    "java.util.concurrent.FutureTask.get",
    "java.util.concurrent.CompletableFuture.get",
    "java.util.concurrent.CompletableFuture.join",
    "java.util.concurrent.AbstractExecutorService.invokeAll",
];
/// The result of a task that has a thread of its own, mostly a virtual one: no queue keeps it.
const OWN_THREAD: &str = "java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture";
/// Of these the results that anybody may give, not only who runs a task.
const ANYBODYS: [&str; 2] = [RESULTS[1], RESULTS[2]];
/// What runs tasks that others wait for.
const TASKS: [&str; 7] = [
    WORKER,
    "java.util.concurrent.FutureTask.run",
    "java.util.concurrent.FutureTask.runAndReset",
    "java.util.concurrent.ForkJoinTask.doExec",
    "java.util.concurrent.CompletableFuture$AsyncRun.run",
    "java.util.concurrent.CompletableFuture$AsyncSupply.run",
    TIMER,
];
/// The only lock that no other thread than its owner can let go, in its two kinds.
const OWNED: [&str; 2] = ["java.util.concurrent.locks.ReentrantLock$NonfairSync", FAIR];
/// Where the dump stops all threads this one is mostly free if it is busy: its next owner is on his way.
const FAIR: &str = "java.util.concurrent.locks.ReentrantLock$FairSync";
/// Of many threads that wait for the same, so many are named.
const NAMED: usize = 16;
const ABANDONED: &str = "no thread that lives owns it, and who waits for it stood there in every dump: who took it has ended, or it was let go and nobody has gone on since";
const HANDED_ON: &str = "no thread that lives owns it, and who waits for it stood there in every dump; but a fair lock that is busy is mostly free at such a moment, its next owner on his way to it, and whether these have run between the dumps is not known: no JVM before 11 writes it";

/// Threads that wait in code of the program, together where it is for the same at the same place.
pub(super) fn standing(scene: &Scene, wants: &[Option<Want>]) -> Vec<Standing> {
    let mut found: Vec<Standing> = Vec::new();
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
                at,
                timed: want.timed,
            });
            found.len() - 1
        });
        found[place].threads.push(called(&seat.thread));
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

/// Pools, known by what their threads are called, of which every thread is in a task that waits for the result of one.
pub(super) fn starved(scene: &Scene, wants: &[Option<Want>]) -> Vec<Starved> {
    let mut pools: BTreeMap<String, Vec<Option<(usize, &str)>>> = BTreeMap::new();
    for (ix, seat) in scene.seats.iter().enumerate() {
        let frames = &seat.thread.frames;
        if let Some(base) = frames.iter().rposition(|frame| frame.method == WORKER) {
            let mut above = frames[..base].iter().map(|frame| frame.method.as_str());
            let result = above.find(|method| RESULTS.contains(method));
            let own_thread = seat.thread.lock.as_deref() == Some(OWN_THREAD);
            let waits = seat.steady && seat.thread.state == State::Parked && !own_thread;
            let one = result.filter(|_| waits).map(|result| (ix, result));
            pools.entry(pool(&seat.thread.name)).or_default().push(one);
        }
    }
    let starved = pools.into_values().filter_map(|threads| {
        let all: Vec<_> = threads.into_iter().collect::<Option<_>>()?;
        let within: BTreeSet<usize> = all.iter().map(|(ix, _)| *ix).collect();
        Some(Starved {
            threads: within
                .iter()
                .map(|&ix| called(&scene.seats[ix].thread))
                .collect(),
            method: all.first()?.1.to_owned(),
            others: others(scene, wants, &within, ANYBODYS.contains(&all.first()?.1)),
        })
    });
    starved.collect()
}

/// Those who are not of that pool and go on. Busy are those who may be at what it waits for: whoever has a task, and of what anybody may
/// complete (`by_anybody`) whoever goes on, be it a loop that sleeps between its rounds.
fn others(
    scene: &Scene,
    wants: &[Option<Want>],
    but: &BTreeSet<usize>,
    by_anybody: bool,
) -> Vec<Other> {
    let all = scene.seats.iter().enumerate();
    let beside = all.filter(|(ix, seat)| !seat.of_jvm && !but.contains(ix));
    let found = beside.filter_map(|(ix, seat)| {
        let (thread, want) = (&seat.thread, wants[ix].as_ref());
        let idle = waits_for_task(thread, want).is_some();
        // What lies in the queues of others who are idle would be run.
        let goes_on = want.is_none_or(|want| want.timed) && (!idle || is_scheduled(thread));
        let busy = match idle {
            true => !seat.steady,
            false => in_task(thread) || by_anybody && (goes_on || !seat.steady),
        };
        (busy || goes_on).then(|| Other {
            thread: called(thread),
            state: thread.state,
            busy,
        })
    });
    found.collect()
}

/// It waits for a task that is due at a time.
fn is_scheduled(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| frame.method.contains("$DelayedWorkQueue.") || frame.method == TIMER)
}

/// Some frame of it runs tasks.
fn in_task(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| TASKS.contains(&frame.method.as_str()))
}

/// A name without its last number.
fn pool(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.len() < name.len() {
        true => stem.to_owned(),
        false => folded(name),
    }
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
            match want.moved || !want.timed && scene.seats[ix].ran == Some(true) {
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
    let unknown = threads.iter().any(|&ix| scene.seats[ix].ran.is_none());
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
        unserved: Some(Unserved::OwnerEnded),
        memory: Memory::Unjudged,
        remarks: also.into_iter().chain([why]).collect(),
    })
}
