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
use crate::effects::is_platform_name;
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
const FROM_OUTSIDE: &str = "it is the task of a pool of one thread: such a latch may be opened from outside, as for the end of the program";

/// Pools alike are told one by one up to so many, and more of them together.
const FEW: usize = 8;

/// A pool, known by what its threads are called, of which every thread waits so; or several of them that are told together.
struct Pool {
    all: BTreeSet<usize>,
    /// How many pools these are.
    pools: usize,
    method: &'static str,
    awaited: Awaited,
    /// Some wait for what anybody can do.
    by_anybody: bool,
    /// Whoever could serve it waits in a pool of which the same is so.
    stuck: bool,
}

/// Who of the program goes on beside pools that wait, and who of them is busy: one list for those that wait for tasks alone, one for
/// those for whom anybody may do it.
struct Beside {
    tasks: Vec<(usize, bool)>,
    anybody: Vec<(usize, bool)>,
    /// In pools that could only serve each other.
    stuck: BTreeSet<usize>,
}

impl Beside {
    fn of(&self, pool: &Pool) -> &[(usize, bool)] {
        match pool.by_anybody {
            true => &self.anybody,
            false => &self.tasks,
        }
    }

    /// Who could serve that pool, and who is in one with which it could only serve each other.
    fn told(&self, scene: &Scene, pool: &Pool) -> (Vec<Other>, Vec<ThreadName>) {
        // Of several pools told together each could serve the others, unless all are stuck.
        let own = |ix: &usize| pool.all.contains(ix) && (pool.stuck || pool.pools == 1);
        let beside = self.of(pool).iter().filter(|(ix, _)| !own(ix));
        let (together, others): (Vec<_>, Vec<_>) =
            beside.partition(|(ix, _)| pool.stuck && self.stuck.contains(ix));
        let others = others.into_iter().map(|&(ix, busy)| Other {
            thread: called(&scene.seats[ix].thread),
            state: scene.seats[ix].thread.state,
            busy,
        });
        let together = together.into_iter();
        let together = together.map(|&(ix, _)| called(&scene.seats[ix].thread));
        (others.collect(), together.collect())
    }
}

/// All of them as they are told.
pub(super) fn starved(scene: &Scene, wants: &[Option<Want>]) -> Vec<Starved> {
    // Whose tasks have run between the dumps get on.
    let goes_on = |pool: &Pool| {
        let mut seats = pool.all.iter().map(|&ix| &scene.seats[ix]);
        seats.any(|seat| seat.ran() == Some(true))
    };
    let (mut pools, others) = pools(scene, wants);
    pools.retain(|pool| !goes_on(pool));
    let told = gathered(pools).into_iter().map(|pool| {
        let (others, together) = others.told(scene, &pool);
        Starved {
            threads: { pool.all.iter() }
                .map(|&ix| called(&scene.seats[ix].thread))
                .collect(),
            pools: pool.pools,
            method: pool.method.to_owned(),
            awaited: pool.awaited,
            others,
            together,
        }
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
    let (mut pools, _) = pools(scene, wants);
    pools.retain(stands);
    for pool in gathered(pools) {
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

/// Those of many pools alike as one: whose names differ in more than a number no name tells apart better than their number does.
fn gathered(pools: Vec<Pool>) -> Vec<Pool> {
    let mut alike: BTreeMap<(&str, bool, bool, bool), Vec<Pool>> = BTreeMap::new();
    for pool in pools {
        let alone = pool.all.len() == 1;
        let kind = (pool.method, pool.by_anybody, pool.stuck, alone);
        alike.entry(kind).or_default().push(pool);
    }
    let told = alike.into_values().flat_map(|several| match several.len() {
        0..=FEW => several,
        _ => several.into_iter().reduce(joined).into_iter().collect(),
    });
    let mut told: Vec<Pool> = told.collect();
    told.sort_by_key(|pool| pool.all.first().copied());
    told
}

fn joined(mut one: Pool, other: Pool) -> Pool {
    one.all.extend(other.all);
    one.pools += other.pools;
    one
}

/// It has one thread, which waits for a latch: that of a server that runs till the end of the program does so, too.
fn is_opened_from_outside(scene: &Scene, pool: &Pool) -> bool {
    let at_latch = |&ix: &usize| way(&scene.seats[ix]).is_some_and(|(method, _)| method == LATCH);
    pool.all.len() == pool.pools && pool.all.iter().all(at_latch)
}

fn pools(scene: &Scene, wants: &[Option<Want>]) -> (Vec<Pool>, Beside) {
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
        // Some may wait for a task, and others for anybody.
        let anybodys =
            |(_, way): &(usize, Way)| way.1 == Awaited::Deed || COMPLETED.contains(&way.0);
        Some(Pool {
            all: all.iter().map(|(ix, _)| *ix).collect(),
            pools: 1,
            method,
            awaited,
            by_anybody: all.iter().any(anybodys),
            stuck: true,
        })
    });
    let mut found: Vec<Pool> = found.collect();
    let mut others = Beside {
        tasks: going_on(scene, wants, false),
        anybody: going_on(scene, wants, true),
        stuck: BTreeSet::new(),
    };
    eliminate(&mut found, &mut others);
    // Who goes on beside may do what anybody can: of a result it is said, of the rest that is the usual thing.
    let nobody = |pool: &Pool| {
        let own = |ix: &usize| pool.all.contains(ix) || pool.stuck && others.stuck.contains(ix);
        others.of(pool).iter().all(|(ix, _)| own(ix))
    };
    found.retain(|pool| pool.awaited == Awaited::Result || nobody(pool));
    (found, others)
}

/// Whether those who could serve a pool wait all in pools that nobody serves either.
fn eliminate(pools: &mut [Pool], others: &mut Beside) {
    loop {
        let stuck = pools.iter().filter(|pool| pool.stuck);
        others.stuck = stuck.flat_map(|pool| pool.all.iter().copied()).collect();
        let waits = |&(ix, busy): &(usize, bool)| !busy || others.stuck.contains(&ix);
        let tasks = others.tasks.iter().all(waits);
        let anybody = others.anybody.iter().all(waits);
        let mut any = false;
        for pool in pools.iter_mut().filter(|pool| pool.stuck) {
            pool.stuck = if pool.by_anybody { anybody } else { tasks };
            any |= !pool.stuck;
        }
        if !any {
            return;
        }
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

/// Those who go on. Busy are those who may be at what a pool waits for: whoever has a task, and of what anybody may do (`by_anybody`)
/// whoever goes on, be it a loop that sleeps between its rounds.
fn going_on(scene: &Scene, wants: &[Option<Want>], by_anybody: bool) -> Vec<(usize, bool)> {
    let all = scene.seats.iter().enumerate();
    let all = all.filter(|(_, seat)| !seat.of_jvm);
    let found = all.filter_map(|(ix, seat)| {
        let (thread, want) = (&seat.thread, wants[ix].as_ref());
        let idle = waits_for_task(thread, want).is_some();
        // What lies in the queues of others who are idle would be run.
        let timed = |want: &Want| want.timed && !waits_for_an_end(thread);
        let goes_on = want.is_none_or(timed) && (!idle || is_scheduled(thread));
        let busy = match idle {
            true => !seat.steady,
            false => in_task(thread) || by_anybody && (goes_on || !seat.steady),
        };
        (busy || goes_on).then_some((ix, busy))
    });
    found.collect()
}

/// It waits for the end of a pool, and what it does when its time is up is hardly what others of that pool wait for.
fn waits_for_an_end(thread: &Thread) -> bool {
    let frames = thread.frames.iter().map(|frame| frame.method.as_str());
    let mut jdks = frames.take_while(|method| is_platform_name(method));
    jdks.any(|method| ENDS.contains(&method))
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
