//! Pools of which every thread is in a task that waits: for the result of a task, for what others are to do, for the end of a pool.
//!
//! If that is left to tasks of the same pool they lie in its queue, and nobody runs them. What a queue holds no dump says, nor how
//! many threads a pool may have; it is a finding only where no thread of the program goes on.

use super::idle::{FORKED, TIMER, waits_for_task};
use super::scene::{Scene, Seat};
use super::standing::{beside, is_still, unserved};
use super::suspect::NOBODY;
use super::tell::add;
use super::want::Want;
use super::{Awaited, Other, Starved, called};
use crate::deadlock::finding::{Finding, Report, Tier};
use crate::deadlock::waits::Unserved;
use crate::nesting::graph::ThreadName;
use crate::sample::State;
use crate::sample::dump::Thread;
use crate::sample::group::folded;
use std::collections::{BTreeMap, BTreeSet};

/// Threads of pools; what is above these is a task, or asks for one. Two are Tomcat's and Jetty's own.
const WORKERS: [&str; 3] = [
    "java.util.concurrent.ThreadPoolExecutor.runWorker",
    "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker",
    "org.eclipse.jetty.util.thread.QueuedThreadPool.runJob",
];
/// What runs the tasks of a `ForkJoinPool`.
const FORKS: &str = "java.util.concurrent.ForkJoinTask.doExec";
/// By this a thread of a `ForkJoinPool` waits for which the pool takes another one.
const COMPENSATED: [&str; 2] = [
    "java.util.concurrent.ForkJoinPool.managedBlock",
    "java.util.concurrent.ForkJoinPool.compensatedBlock",
];
/// Where a task waits for others, and what for.
const WAYS: [(&str, Awaited); 18] = [
    ("java.util.concurrent.FutureTask.get", Awaited::Result),
    (COMPLETED[0], Awaited::Result),
    (COMPLETED[1], Awaited::Result),
    (
        "java.util.concurrent.AbstractExecutorService.invokeAll",
        Awaited::Result,
    ),
    (
        "java.util.concurrent.ExecutorCompletionService.take",
        Awaited::Result,
    ),
    (LATCH, Awaited::Deed),
    ("java.util.concurrent.CyclicBarrier.await", Awaited::Deed),
    (
        "java.util.concurrent.Phaser.arriveAndAwaitAdvance",
        Awaited::Deed,
    ),
    ("java.util.concurrent.Phaser.awaitAdvance", Awaited::Deed),
    (
        "java.util.concurrent.Phaser.awaitAdvanceInterruptibly",
        Awaited::Deed,
    ),
    ("java.util.concurrent.Exchanger.exchange", Awaited::Deed),
    ("java.util.concurrent.ArrayBlockingQueue.put", Awaited::Deed),
    (
        "java.util.concurrent.LinkedBlockingQueue.put",
        Awaited::Deed,
    ),
    (
        "java.util.concurrent.LinkedBlockingDeque.put",
        Awaited::Deed,
    ),
    ("java.util.concurrent.SynchronousQueue.put", Awaited::Deed),
    (
        "java.util.concurrent.LinkedTransferQueue.transfer",
        Awaited::Deed,
    ),
    (ENDS[0], Awaited::End),
    (ENDS[1], Awaited::End),
];
/// Results that anybody may give, not only who runs a task.
const COMPLETED: [&str; 2] = [
    "java.util.concurrent.CompletableFuture.get",
    "java.util.concurrent.CompletableFuture.join",
];
/// There is no such wait without a time, be it one of years.
const ENDS: [&str; 2] = [
    "java.util.concurrent.ThreadPoolExecutor.awaitTermination",
    "java.util.concurrent.ForkJoinPool.awaitTermination",
];
/// The result of a task that has a thread of its own, mostly a virtual one: no queue keeps it.
const OWN_THREAD: &str = "java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture";
/// What runs tasks that others wait for.
const TASKS: [&str; 9] = [
    WORKERS[0],
    WORKERS[1],
    WORKERS[2],
    "java.util.concurrent.FutureTask.run",
    "java.util.concurrent.FutureTask.runAndReset",
    FORKS,
    "java.util.concurrent.CompletableFuture$AsyncRun.run",
    "java.util.concurrent.CompletableFuture$AsyncSupply.run",
    TIMER,
];
const LEFT_TO_ITSELF: &str = "if tasks of that same pool are to do what is waited for, and its threads are limited, these lie in its queue, and nobody runs them";

/// It is opened once, be it for the end of the program: then who waits there is idle.
const LATCH: &str = "java.util.concurrent.CountDownLatch.await";
const FROM_OUTSIDE: &str = "one task alone waits for that latch: it may be one that is opened from outside, as for the end of the program";

/// A pool, known by what its threads are called, of which every thread waits so.
struct Pool {
    all: BTreeSet<usize>,
    method: &'static str,
    awaited: Awaited,
    others: Vec<Other>,
    /// Threads of other pools of which the same is so: each of these pools could serve the other only.
    together: Vec<ThreadName>,
}

/// All of them as they are told.
pub(super) fn starved(scene: &Scene, wants: &[Option<Want>]) -> Vec<Starved> {
    // Whose tasks have run between the dumps get on.
    let goes_on = |pool: &Pool| {
        let mut seats = pool.all.iter().map(|&ix| &scene.seats[ix]);
        seats.any(|seat| seat.ran() == Some(true))
    };
    let pools = pools(scene, wants).into_iter();
    let pools = pools.filter(|pool| !goes_on(pool));
    let told = pools.map(|pool| Starved {
        threads: pool
            .all
            .iter()
            .map(|&ix| called(&scene.seats[ix].thread))
            .collect(),
        method: pool.method.to_owned(),
        awaited: pool.awaited,
        others: pool.others,
        together: pool.together,
    });
    told.collect()
}

/// Adds those beside which no thread of the program goes on, unless something else explains why.
pub(super) fn findings(scene: &Scene, wants: &[Option<Want>], report: &mut Report) {
    let explained = { report.findings.iter() }.any(|finding| finding.tier <= Tier::T4);
    if explained || !is_still(scene, wants) {
        return;
    }
    // Where there is much to do all may be on their way from one wait to the next when a dump is made.
    let stands = |pool: &Pool| {
        let mut seats = pool.all.iter().map(|&ix| &scene.seats[ix]);
        seats.all(|seat| seat.ran() == Some(false))
    };
    for pool in pools(scene, wants).into_iter().filter(stands) {
        if let Some(finding) = finding(scene, wants, &pool) {
            add(report, finding);
        }
    }
}

fn finding(scene: &Scene, wants: &[Option<Want>], pool: &Pool) -> Option<Finding> {
    let first = *pool.all.first()?;
    let (thread, want) = (&scene.seats[first].thread, wants[first].as_ref()?);
    let others = pool.all.iter().skip(1);
    let others: Vec<&str> = others
        .map(|&ix| scene.seats[ix].thread.name.as_str())
        .collect();
    let opened = is_opened_from_outside(scene, pool);
    let remarks = [
        beside(&others),
        Some(LEFT_TO_ITSELF.to_owned()),
        opened.then(|| FROM_OUTSIDE.to_owned()),
        Some(NOBODY.to_owned()),
    ];
    let why = (Unserved::Starved, remarks.into_iter().flatten());
    let finding = unserved(thread, want, why);
    Some(match opened {
        true => Finding {
            tier: Tier::T5,
            ..finding
        },
        false => finding,
    })
}

/// It has one thread, which waits for a latch: that of a server that runs till the end of the program does so, too.
fn is_opened_from_outside(scene: &Scene, pool: &Pool) -> bool {
    let at_latch = |&ix: &usize| way(&scene.seats[ix]).is_some_and(|(method, _)| method == LATCH);
    pool.all.len() == 1 && pool.all.iter().all(at_latch)
}

fn pools(scene: &Scene, wants: &[Option<Want>]) -> Vec<Pool> {
    let mut pools: BTreeMap<String, Vec<Option<(usize, Way)>>> = BTreeMap::new();
    for (ix, seat) in scene.seats.iter().enumerate() {
        let mut frames = seat.thread.frames.iter();
        if frames.any(|frame| {
            is_worker(&frame.method) || [FORKED, TIMER].contains(&frame.method.as_str())
        }) {
            let one = way(seat).map(|way| (ix, way));
            pools.entry(pool(&seat.thread.name)).or_default().push(one);
        }
    }
    let found = pools.into_values().filter_map(|threads| {
        let all: Vec<(usize, Way)> = threads.into_iter().collect::<Option<_>>()?;
        let (_, (method, awaited)) = *all.first()?;
        let within: BTreeSet<usize> = all.iter().map(|(ix, _)| *ix).collect();
        // Some may wait for a task, and others for anybody.
        let anybodys =
            |(_, way): &(usize, Way)| way.1 == Awaited::Deed || COMPLETED.contains(&way.0);
        let others = others(scene, wants, &within, all.iter().any(anybodys));
        let pool = Pool {
            all: within,
            method,
            awaited,
            others,
            together: Vec::new(),
        };
        Some(pool)
    });
    let mut found: Vec<Pool> = found.collect();
    eliminate(scene, &mut found);
    // Who goes on beside may do what anybody can: of a result it is said, of the rest that is the usual thing.
    found.retain(|pool| pool.awaited == Awaited::Result || pool.others.is_empty());
    found
}

/// Leaves out those who could serve a pool but wait in another one that nobody serves either.
fn eliminate(scene: &Scene, pools: &mut [Pool]) {
    let threads = |pool: &Pool| {
        let all = pool.all.iter().map(|&ix| called(&scene.seats[ix].thread));
        all.collect::<Vec<_>>()
    };
    let members: Vec<Vec<ThreadName>> = pools.iter().map(threads).collect();
    let mut stuck = vec![true; pools.len()];
    loop {
        let waits = |other: &Other| {
            let mut all = members.iter().zip(&stuck);
            !other.busy || all.any(|(of, stuck)| *stuck && of.contains(&other.thread))
        };
        let left = pools.iter().zip(&stuck);
        let left: Vec<bool> = left
            .map(|(pool, stuck)| *stuck && pool.others.iter().all(waits))
            .collect();
        if left == stuck {
            break;
        }
        stuck = left;
    }
    let stuck: Vec<&Vec<ThreadName>> = { members.iter().zip(&stuck) }
        .filter(|(_, stuck)| **stuck)
        .map(|(of, _)| of)
        .collect();
    for (pool, own) in pools.iter_mut().zip(&members) {
        if !stuck.contains(&own) {
            continue;
        }
        let (together, others) = std::mem::take(&mut pool.others)
            .into_iter()
            .partition(|other| stuck.iter().any(|of| of.contains(&other.thread)));
        let together: Vec<Other> = together;
        (pool.others, pool.together) = (
            others,
            together.into_iter().map(|other| other.thread).collect(),
        );
    }
}

fn is_worker(method: &str) -> bool {
    WORKERS.contains(&method)
}

/// Whether a method of the JDK's gives the result of a task once there is one.
pub(super) fn gives_result(method: &str) -> bool {
    let forked = [
        "java.util.concurrent.ForkJoinTask.",
        "java.util.concurrent.ForkJoinPool.invoke",
    ];
    let known = WAYS
        .iter()
        .any(|&(way, of)| of == Awaited::Result && way == method);
    known || forked.iter().any(|begin| method.starts_with(begin))
}

type Way = (&'static str, Awaited);

/// In which method its task waits, if it does.
fn way(seat: &Seat) -> Option<Way> {
    let thread = &seat.thread;
    let frames = || thread.frames.iter().map(|frame| frame.method.as_str());
    let base = |method: &&str| is_worker(method) || [FORKS, TIMER].contains(method);
    let mut above = frames().take_while(|method| !base(method));
    let &way = above.find_map(|method| WAYS.iter().find(|(known, _)| *known == method))?;
    let forked = frames().any(|method| method == FORKED);
    let compensated = forked && frames().any(|method| COMPENSATED.contains(&method));
    let in_task = frames().any(|method| base(&method));
    let state = match way.1 {
        Awaited::End => State::ParkedTimed,
        Awaited::Result | Awaited::Deed => State::Parked,
    };
    let own_thread = thread.lock.as_deref() == Some(OWN_THREAD);
    let waits = seat.steady && thread.state == state && in_task && !own_thread && !compensated;
    waits.then_some(way)
}

/// Those who are not of that pool and go on. Busy are those who may be at what it waits for: whoever has a task, and of what anybody may
/// do (`by_anybody`) whoever goes on, be it a loop that sleeps between its rounds.
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
pub(super) fn is_scheduled(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| frame.method.contains("$DelayedWorkQueue.") || frame.method == TIMER)
}

/// Some frame of it runs tasks.
pub(super) fn in_task(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| TASKS.contains(&frame.method.as_str()))
}

/// A name without its last number.
pub(super) fn pool(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.len() < name.len() {
        true => stem.to_owned(),
        false => folded(name),
    }
}
