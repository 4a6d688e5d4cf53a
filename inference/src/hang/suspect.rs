//! What is likely and not certain: somebody waits for what nobody is known to owe him, and keeps a lock that others are blocked on.
//!
//! The same of a class that he initialises, and others wait for. If these are who should end his wait, nobody ever will. That they are no
//! dump says, so it is T5; T4 if nobody else runs who could.
//! It is nobody of the program where threads of the JDK's own end such waits ([`JDKS`], [`CALLING`]), and hardly one who is on
//! his way to the very same wait.

use super::called;
use super::idle::{is_machinery, waits_for_task};
use super::name::mode;
use super::pools::in_task;
use super::scene::{Scene, Seat};
use super::standing::{listed, none_runs};
use super::tell::{Step, add, finding, in_initialiser};
use super::want::{Shape, Want};
use crate::deadlock::finding::{Finding, Part, Report, Tier, What, known_by, stable_id};
use crate::deadlock::step::Mode;
use crate::effects::is_platform_name;
use crate::sample::State;
use crate::sample::dump::Thread;
use std::collections::{BTreeMap, BTreeSet};

const KEPT_OUT: &str = "suspected: the one who waits keeps a lock, and whoever is blocked on it may be who should end the wait; that it is so is not known";
const UNINITIALISED: &str = "suspected: the one who waits is initialising a class, and whoever waits for that may be who should end the wait; that it is so is not known";
pub(super) const NOBODY: &str = "all threads of the program stand still: besides these only a signal or a finaliser could end the wait";
const GOES_ON: &str = "its threads have run between the dumps, each of them in the end at this place again: they get on, or try again and again";
const MAY_GO_ON: &str = "whether its threads have run between dumps is not known, of one dump or of a JVM before 11: they may get on, or try again and again";
const BUT_VIRTUAL: &str = "all platform threads of the program stand still: it is T5 and not T4 because virtual threads, which are unknown, could end the wait";

/// Where the program waits in a method of the JDK's whose end only the JDK's own threads tell of: of processes and of channels.
const JDKS: [&str; 4] = [
    "java.lang.ProcessImpl.",
    "java.lang.UNIXProcess.",
    "sun.",
    "jdk.internal.",
];
/// Threads of the JDK's own that complete results of the program's, and call it back: the one that waits for the end of a process,
/// those of `HttpClient` and of asynchronous channels, and the one for results that are due at a time.
const CALLING: [&str; 6] = [
    "java.lang.ProcessHandleImpl$1.run",
    "java.lang.ProcessHandleImpl.waitForProcessExit0",
    "java.lang.UNIXProcess.waitForProcessExit",
    "jdk.internal.net.http.HttpClientImpl$SelectorManager.run",
    "sun.nio.ch.EPollPort$EventHandlerTask.run",
    "java.util.concurrent.DelayScheduler.run",
];
/// The last of these before JDK 25, where it is a thread of a usual pool.
const DELAYS: &str = "CompletableFutureDelayScheduler";

/// Classes of which methods wait for what a task gives.
const RESULTS: [&str; 6] = [
    "java.util.concurrent.ForkJoinTask.",
    "java.util.concurrent.ForkJoinPool.invoke",
    "java.util.concurrent.FutureTask.",
    "java.util.concurrent.CompletableFuture.",
    "java.util.concurrent.AbstractExecutorService.invokeA",
    "java.util.concurrent.ExecutorCompletionService.",
];

/// Adds them.
pub(super) fn findings(scene: &Scene, wants: &[Option<Want>], stuck: &[bool], report: &mut Report) {
    let virtual_known = scene.virtual_known || scene.no_carrier;
    let still = match (scene.whole && none_runs(scene, wants), virtual_known) {
        (true, true) => Some(Tier::T4),
        (true, false) => Some(Tier::T5),
        (false, _) => None,
    };
    let blocked = blocked(scene, wants);
    let mut told = BTreeSet::new();
    let called_back = scene.seats.iter().any(|seat| calls(&seat.thread));
    for (ix, want) in wants.iter().enumerate() {
        let Some(want) = want
            .as_ref()
            .filter(|want| suspicious(ix, want) && !stuck[ix])
            // What an idle one waits for keeps nobody who is blocked on it from anything.
            .filter(|want| waits_for_task(&scene.seats[ix].thread, Some(want)).is_none())
            .filter(|want| {
                let known = still.is_some() || want.of_one(ix);
                known || !by_jdk(&scene.seats[ix].thread, want, called_back)
            })
        else {
            continue;
        };
        let may_end = |other: &usize| {
            let threads = [ix, *other].map(|ix| &scene.seats[ix].thread);
            still.is_some() || !takes_turns(&want.shape) || !same_way(threads)
        };
        let mut behind = behind(wants, blocked.get(&ix), ix, may_end);
        // Whoever runs a task is more likely who completes it than whoever else is blocked there.
        if waits_for_result(&scene.seats[ix].thread, want) {
            behind.sort_by_key(|&other| !in_task(&scene.seats[other].thread));
        }
        let kept_out = behind.first().copied();
        if let Some(kept_out) = kept_out.and_then(|first| Some((first, wants[first].as_ref()?)))
            // Two who give up wait for each other: that is one ring.
            && told.insert(BTreeSet::from([ix, kept_out.0]))
        {
            let finding = suspected(scene, &[(ix, want), kept_out], &behind[1..], still);
            add(report, finding);
        }
    }
}

/// A thread of the JDK's own that calls the program back, and goes on by itself.
fn calls(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| CALLING.contains(&frame.method.as_str()))
        || thread.name == DELAYS && thread.state == State::ParkedTimed
}

/// A thread of the JDK's own ends the wait, or may.
fn by_jdk(thread: &Thread, want: &Want, called_back: bool) -> bool {
    let waits = own(thread).and_then(|(_, jdks)| jdks);
    let within = waits.is_some_and(|method| {
        !is_machinery(method) && JDKS.iter().any(|begin| method.starts_with(begin))
    });
    let result = matches!(want.shape, Shape::Signal("result" | "count-down"));
    within || result && called_back
}

/// The innermost method of the program, and the one of the JDK's that it has called, if it has.
fn own(thread: &Thread) -> Option<(&str, Option<&str>)> {
    let mut frames = thread.frames.iter().map(|frame| frame.method.as_str());
    let at = frames.position(|method| !is_platform_name(method))?;
    let method = |at: usize| thread.frames[at].method.as_str();
    Some((method(at), at.checked_sub(1).map(method)))
}

/// Many may wait for it where they get to it one after the other; of locks and permits each wants those of others.
fn takes_turns(shape: &Shape) -> bool {
    matches!(shape, Shape::Notify | Shape::Signal(_) | Shape::Met(..))
}

/// They do the same, as far as the program tells: one of those who take turns to wait.
fn same_way(threads: [&Thread; 2]) -> bool {
    let [Some((waiter, waits)), Some((other, wants))] = threads.map(own) else {
        return false;
    };
    waiter == other || waits.is_some() && waits == wants
}

/// It ends by what others do, and nobody knows who.
fn suspicious(ix: usize, want: &Want) -> bool {
    // Of several that it can be one may go on.
    let unknown = !want.of_one(ix) || matches!(want.shape, Shape::End);
    // A monitor that is not told is one that changed hands just then: its owner has it.
    (unknown || want.timed) && !want.moved && want.shape != Shape::Monitor
}

/// It is a thread of the program, or one of the JVM's in its code, as the finaliser is.
fn runs_program(seat: &Seat) -> bool {
    let mut frames = seat.thread.frames.iter();
    !seat.of_jvm || frames.any(|frame| !is_platform_name(&frame.method))
}

/// Of each thread those of the program who are blocked on what it holds, or wait for the class that it initialises.
fn blocked(scene: &Scene, wants: &[Option<Want>]) -> BTreeMap<usize, Vec<usize>> {
    let mut blocked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let counts = |want: &&Want| !want.moved && runs_program(&scene.seats[ix]);
        let Some(want) = want.as_ref().filter(counts) else {
            continue;
        };
        let object = want.object.as_ref().filter(|_| want.is_lock());
        let holder = object.and_then(|object| scene.holder(object));
        // Whom an initialiser waits for that is not seen may go on.
        let goes_on = |by: &usize| {
            let wanted = wants[*by].as_ref();
            wanted.is_some_and(|wanted| matches!(wanted.shape, Shape::Init(_)))
        };
        let initialisers = initialisers(scene, want).filter(|by| !goes_on(by));
        for by in holder.into_iter().chain(initialisers) {
            if by != ix {
                blocked.entry(by).or_default().push(ix);
            }
        }
    }
    blocked
}

/// Who is in the initialiser of the class that somebody waits for; if it is not told which that is, in any.
fn initialisers<'w>(scene: &'w Scene, want: &'w Want) -> impl Iterator<Item = usize> + 'w {
    let all = want.providers().iter().copied();
    let waits = matches!(want.shape, Shape::Init(_));
    all.filter(move |&by| waits && in_initialiser(&scene.seats[by].thread))
}

/// Those of the blocked that it can be whom somebody waits for.
fn behind(
    wants: &[Option<Want>],
    blocked: Option<&Vec<usize>>,
    ix: usize,
    may_end: impl Fn(&usize) -> bool,
) -> Vec<usize> {
    let providers = wants[ix].as_ref().map_or(&[][..], Want::providers);
    let may_be = |other: &usize| providers.is_empty() || providers.binary_search(other).is_ok();
    let blocked = blocked.into_iter().flatten().copied();
    blocked
        .filter(|other| may_be(other) && may_end(other))
        .collect()
}

/// It waits until somebody has run a task.
fn waits_for_result(thread: &Thread, want: &Want) -> bool {
    let (_, jdks) = own(thread).unzip();
    let asks = jdks.flatten().is_some_and(|method| {
        let mut classes = RESULTS.iter();
        classes.any(|class| method.starts_with(class))
    });
    asks || want.shape == Shape::Signal("result")
}

/// `rest` may be it as well as who is on the ring.
fn suspected(scene: &Scene, ring: &[Step<'_>], rest: &[usize], still: Option<Tier>) -> Finding {
    let timed = ring.iter().any(|(_, want)| want.timed);
    let likely = !ring[0].1.of_one(ring[0].0);
    let nobody = still.map(|tier| match tier {
        Tier::T4 => NOBODY,
        _ => BUT_VIRTUAL,
    });
    let kept_out = match ring[1].1.shape {
        Shape::Init(_) => UNINITIALISED,
        _ => KEPT_OUT,
    };
    let goes_on = !likely
        && ring
            .iter()
            .any(|&(ix, _)| scene.seats[ix].ran() == Some(true));
    // Who gives up and tries again stands at the same place at each look.
    let unknown = !likely && timed && ring.iter().any(|&(ix, _)| scene.seats[ix].ran().is_none());
    let words = [
        likely.then_some(kept_out),
        nobody,
        goes_on.then_some(GOES_ON),
        (unknown && !goes_on).then_some(MAY_GO_ON),
    ];
    let rest: Vec<&str> = rest
        .iter()
        .map(|&ix| scene.seats[ix].thread.name.as_str())
        .collect();
    let or_else = listed(&rest).filter(|_| likely);
    let or_else =
        or_else.map(|names| format!("or it is one of those who are blocked there, too: {names}"));
    let mut finding = finding(scene, ring);
    if likely {
        unnamed(&mut finding, ring[0], scene);
    }
    Finding {
        tier: match likely {
            true => still.unwrap_or(Tier::T5),
            false if goes_on || unknown => Tier::T5,
            false => Tier::T4,
        },
        stall: timed,
        remarks: or_else
            .into_iter()
            .chain(words.into_iter().flatten().map(str::to_owned))
            .collect(),
        ..finding
    }
}

/// Of whom somebody waits for a permit is not known: nobody is said to have it. Nor who holds a lock whose owner no dump tells.
fn unnamed(finding: &mut Finding, (ix, want): Step<'_>, scene: &Scene) {
    let (count, wanted) = (finding.locks.len(), &want.shape);
    let waits = |edge: &Part| edge.thread == called(&scene.seats[ix].thread);
    if let Some(at) = finding
        .edges
        .iter()
        .position(waits)
        .filter(|_| want.is_lock())
    {
        finding.locks[(at + 1) % count].what = What::Release;
    }
    let is_permit = |edge: &Part| *wanted == Shape::Permit && edge.mode == mode(wanted);
    let permit = finding.edges.iter().position(is_permit);
    if let Some(at) = permit {
        finding.edges[at].mode = Mode::Exclusive.name();
        let lock = &mut finding.locks[(at + 1) % count];
        lock.name = format!("permit of {}", lock.name);
        lock.what = What::Notify;
    }
    let names = finding.locks.iter().map(|lock| lock.name.clone()).collect();
    finding.id = stable_id(finding.kind, &known_by(names));
}
