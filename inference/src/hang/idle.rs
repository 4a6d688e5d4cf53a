//! Threads of pools and timers that have nothing to do. Whatever such a thread holds, no code of it runs that would give it back.

use super::want::Want;
use crate::effects::is_platform_name;
use crate::sample::dump::Thread;

/// Where a thread of a pool asks for the next task; above it is only what the queue is made of.
const ASKS: [&str; 2] = [
    "java.util.concurrent.ThreadPoolExecutor.getTask",
    // Tomcat's copy of that class.
    "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
];
/// What Tomcat's pools have for a queue.
pub(super) const TOMCATS: &str = "org.apache.tomcat.util.threads.";
/// The loop of a thread of a `ForkJoinPool`; before 17 it parks there itself.
pub(super) const FORKED: &str = "java.util.concurrent.ForkJoinPool.runWorker";
const POOL: &str = "java.util.concurrent.ForkJoinPool.";
/// The loop of a `Timer`.
pub(super) const TIMER: &str = "java.util.TimerThread.mainLoop";
const WAITS: &str = "java.lang.Object.wait";
/// What stands above whoever is parked, and says nothing of what for.
const MACHINERY: [&str; 6] = [
    "jdk.internal.misc.Unsafe.",
    "sun.misc.Unsafe.",
    "java.util.concurrent.locks.",
    "java.util.concurrent.ForkJoinPool.managedBlock",
    "java.util.concurrent.ForkJoinPool.unmanagedBlock",
    WAITS,
];

/// Whether a frame is of no more than the waiting itself.
pub(super) fn is_machinery(method: &str) -> bool {
    MACHINERY.iter().any(|begin| method.starts_with(begin))
}

/// A frame, as `class.method(place)`, in which a thread of a pool asks for the next task.
pub(crate) fn asks_for_task(frame: &str) -> bool {
    ASKS.contains(&frame.split('(').next().unwrap_or(frame))
}

/// The frame in which a thread that wants this waits for the next task, if it does.
pub(super) fn waits_for_task(thread: &Thread, want: Option<&Want>) -> Option<usize> {
    // One that wants a lock of the queue is about to go on.
    let waits = want.is_some_and(|want| !want.is_lock());
    let mut frames = thread.frames.iter().enumerate();
    frames
        .find(|(at, frame)| asks(thread, *at, &frame.method))
        .map(|(at, _)| at)
        .filter(|_| waits)
}

fn asks(thread: &Thread, at: usize, method: &str) -> bool {
    let all = |fits: &dyn Fn(&str) -> bool| {
        let mut above = thread.frames[..at].iter();
        above.all(|frame| fits(&frame.method))
    };
    match method {
        FORKED => all(&|above| is_machinery(above) || above.starts_with(POOL)),
        TIMER => all(&|above| above.starts_with(WAITS)),
        _ if ASKS.contains(&method) => {
            all(&|above| is_platform_name(above) || above.starts_with(TOMCATS))
        }
        _ => false,
    }
}
