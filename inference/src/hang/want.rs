//! What each thread waits for, and who could give it to it, as far as dumps tell.
//!
//! Known for certain: who has entered a monitor, who owns a lock of `java.util.concurrent` (with `-l`), and, since some versions, which
//! class somebody waits to be initialised. Which thread a `join` waits for no dump says, nor on old JVMs which class: it is one of those
//! that it can be. Of readers, permits, notifies, counts and results nothing is known.

use super::scene::{Scene, joins};
use super::wait_for::Providers;
use crate::sample::State;
use crate::sample::dump::{Object, Stand, Thread};

/// What a thread wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) shape: Shape,
    /// The object it stands at, if that is told.
    pub(super) object: Option<Object>,
    /// Who can give it; none: anybody might.
    pub(super) providers: Option<Providers>,
    /// It gives up after a while.
    pub(super) timed: bool,
    /// It stood elsewhere in another dump.
    pub(super) moved: bool,
}

/// Kinds of things that threads wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A monitor.
    Monitor,
    /// A lock of `java.util.concurrent` that has an owner.
    Lock,
    /// A lock that readers share, to write.
    Write,
    /// The same, to read.
    Read,
    /// A permit.
    Permit,
    /// That somebody notifies it.
    Notify,
    /// Something else that others do, in a word.
    Signal(&'static str),
    /// The end of a thread.
    End,
    /// That a class is initialised.
    Init(Option<String>),
}

impl Want {
    /// It wants something that somebody has.
    pub(super) fn is_lock(&self) -> bool {
        let shape = &self.shape;
        matches!(
            shape,
            Shape::Monitor | Shape::Lock | Shape::Write | Shape::Read
        )
    }

    /// Nothing but others end it.
    pub(super) fn stays(&self) -> bool {
        !self.timed && !self.moved
    }

    /// The threads that have it.
    pub(super) fn providers(&self) -> &[usize] {
        self.providers.as_ref().map_or(&[], Providers::threads)
    }
}

/// Of each thread what it wants; none: it goes on by itself.
pub(super) fn wants(scene: &Scene) -> Vec<Option<Want>> {
    let all = 0..scene.seats.len();
    all.map(|ix| {
        let seat = &scene.seats[ix];
        let mut want = want(scene, ix, &seat.thread)?;
        let timed = matches!(seat.thread.state, State::WaitingTimed | State::ParkedTimed);
        (want.timed, want.moved) = (timed, !seat.steady);
        Some(want)
    })
    .collect()
}

fn want(scene: &Scene, ix: usize, thread: &Thread) -> Option<Want> {
    let (shape, providers) = match (&thread.stand, thread.state) {
        (_, State::Runnable) if !matches!(thread.stand, Some(Stand::Init(_))) => return None,
        (Some(Stand::Init(class)), _) => initialised(scene, ix, class.as_deref()),
        (Some(Stand::Enter(object) | Stand::Reenter(object)), _) => monitor(scene, ix, object),
        // JDK 8 says no more of somebody who was notified and wants to go on.
        (Some(Stand::Wait(object)), State::Blocked) => monitor(scene, ix, object),
        (Some(Stand::Park(object)), _) => parked(scene, ix, thread, object),
        (_, State::Waiting | State::WaitingTimed) => waiting(scene, ix, thread),
        (_, State::Parked | State::ParkedTimed) => (Shape::Signal("unpark"), None),
        (_, State::Blocked) => (Shape::Monitor, None),
        (_, State::Runnable | State::Sleeping | State::Unknown) => return None,
    };
    Some(Want {
        shape,
        object: thread.stand.as_ref().and_then(Stand::object).cloned(),
        providers,
        timed: false,
        moved: false,
    })
}

type Asked = (Shape, Option<Providers>);

/// The one who has it, if it is somebody else.
fn held(scene: &Scene, ix: usize, object: &Object) -> Option<Providers> {
    let holder = scene.holder(object).filter(|&holder| holder != ix);
    holder.map(|holder| Providers::All(vec![holder]))
}

fn monitor(scene: &Scene, ix: usize, object: &Object) -> Asked {
    (Shape::Monitor, held(scene, ix, object))
}

const CONCURRENT: &str = "java.util.concurrent.";

fn parked(scene: &Scene, ix: usize, thread: &Thread, object: &Object) -> Asked {
    let class = object
        .class
        .strip_prefix(CONCURRENT)
        .unwrap_or(&object.class);
    let outer = class.split('$').next().unwrap_or(class);
    let reads = || {
        let mut frames = thread.frames.iter();
        frames.any(|frame| frame.method.contains("ReentrantReadWriteLock$ReadLock."))
    };
    match outer {
        "locks.ReentrantReadWriteLock" if reads() => (Shape::Read, held(scene, ix, object)),
        "locks.ReentrantReadWriteLock" => (Shape::Write, held(scene, ix, object)),
        "locks.ReentrantLock" => (Shape::Lock, held(scene, ix, object)),
        "locks.StampedLock" => (Shape::Write, None),
        "Semaphore" => (Shape::Permit, None),
        _ if ends_thread(thread) => (Shape::End, None),
        "CountDownLatch" => (Shape::Signal("count-down"), None),
        "FutureTask" | "CompletableFuture" | "ForkJoinTask" => (Shape::Signal("result"), None),
        "locks.AbstractQueuedSynchronizer" | "locks.AbstractQueuedLongSynchronizer" => {
            (Shape::Signal("signal"), None)
        }
        // A synchronizer of the program's own, which says who owns it.
        _ => match held(scene, ix, object) {
            Some(holder) => (Shape::Lock, Some(holder)),
            None => (Shape::Signal("unpark"), None),
        },
    }
}

/// The end of a virtual thread is a latch.
fn ends_thread(thread: &Thread) -> bool {
    let mut top = thread.frames.iter().take(8);
    top.any(|frame| frame.method.starts_with("java.lang.VirtualThread.join"))
}

fn waiting(scene: &Scene, ix: usize, thread: &Thread) -> Asked {
    match joins(thread) {
        Some(at) => (Shape::End, joined(scene, ix, thread, at)),
        None => (Shape::Notify, None),
    }
}

/// Those whose end it can be: all threads of the program but itself, or, where the class of the thread is known to be no
/// subclass of `Thread`, those whose first frame is no method `run` of another class.
fn joined(scene: &Scene, ix: usize, thread: &Thread, at: usize) -> Option<Providers> {
    if scene.bare > 0 {
        return None;
    }
    let entered = || {
        let mut entered = thread.entered.iter();
        entered.find_map(|(frame, object)| (*frame == at).then_some(object.class.as_str()))
    };
    let class = thread.lock.as_deref().or_else(entered);
    let plain = class == Some("java.lang.Thread");
    let can_be = |other: &usize| {
        let seat = &scene.seats[*other];
        let fits = !plain || is_plain(&seat.thread);
        *other != ix && !seat.of_jvm && !seat.thread.is_virtual && fits
    };
    let all: Vec<usize> = (0..scene.seats.len()).filter(can_be).collect();
    (!all.is_empty()).then_some(Providers::Any(all))
}

fn is_plain(thread: &Thread) -> bool {
    let first = thread.frames.last().map(|frame| frame.method.as_str());
    first.is_none_or(|method| method == "java.lang.Thread.run" || !method.ends_with(".run"))
}

/// Who initialises a class: those in its initialiser. Else the one is still at a superclass, or it is not told which class it is: it is
/// one of those who are in any initialiser, or wait for one.
fn initialised(scene: &Scene, ix: usize, class: Option<&str>) -> Asked {
    let others = (0..scene.seats.len()).filter(|&other| other != ix);
    let own = class.map(|class| format!("{class}.<clinit>"));
    let within = |ix: &usize| {
        let mut frames = scene.seats[*ix].thread.frames.iter();
        frames.any(|frame| Some(&frame.method) == own.as_ref())
    };
    let found: Vec<usize> = others.clone().filter(within).collect();
    let shape = Shape::Init(class.map(str::to_owned));
    if !found.is_empty() {
        return (shape, Some(Providers::Any(found)));
    }
    let any: Vec<usize> = others
        .filter(|&other| may_initialise(scene, other))
        .collect();
    (shape, (!any.is_empty()).then_some(Providers::Any(any)))
}

fn may_initialise(scene: &Scene, ix: usize) -> bool {
    let thread = &scene.seats[ix].thread;
    let mut frames = thread.frames.iter();
    let waits = matches!(thread.stand, Some(Stand::Init(_)));
    waits || frames.any(|frame| frame.method.ends_with(".<clinit>"))
}
