//! What each thread waits for, and who could give it to it, as far as dumps tell.
//!
//! Known for certain: who has entered a monitor, who owns a lock of `java.util.concurrent` (with `-l`), and, since some versions, which
//! class somebody waits to be initialised. Which thread a `join` waits for no dump says but by its class, nor on old JVMs which class:
//! it is one of those that it can be. Of readers, permits, notifies, counts and results nothing is known.

use super::idle::is_machinery;
use super::recorded::{Recorded, Wanted};
use super::scene::{Scene, Seat, joins};
use super::wait_for::{Providers, stuck};
use crate::sample::State;
use crate::sample::dump::{FRAMES, Object, Stand, Thread};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a thread wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) shape: Shape,
    /// The object it stands at, if that is told.
    pub(super) object: Option<Object>,
    /// That is not told, but seems so.
    pub(super) presumed: bool,
    /// Who can give it; none: anybody might.
    pub(super) providers: Option<Providers>,
    /// It gives up after a while.
    pub(super) timed: bool,
    /// It stood elsewhere in another dump.
    pub(super) moved: bool,
    /// An interrupt ends it.
    pub(super) interruptible: bool,
    /// Others than the one who has it may give it, too.
    pub(super) of_anybody: bool,
    /// Who has it is known from a recording.
    pub(super) recorded: Option<Rc<Wanted>>,
    /// The same of who owns it, which was read off the lock.
    pub(super) read: bool,
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
    /// What a method of the JDK waits for, in words, at an object of this class.
    Met(&'static str, String),
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

    /// Whom it waits for nothing at one moment tells: he may have ended, or initialised the class, and the thread has been notified
    /// and stands there until it runs.
    pub(super) fn may_have_come(&self) -> bool {
        matches!(self.shape, Shape::End | Shape::Init(None))
    }

    /// The same of any of these, whoever was taken to have it.
    pub(super) fn by_any(self, crowd: &Rc<[usize]>) -> Option<Self> {
        let providers = Some(Providers::Any(Rc::clone(crowd)));
        self.providers
            .is_some()
            .then_some(Self { providers, ..self })
    }

    /// The threads that have it; of one that it may be, the thread itself may be among them.
    pub(super) fn providers(&self) -> &[usize] {
        self.providers.as_ref().map_or(&[], Providers::threads)
    }

    /// There is one thread only, besides itself, that can give it.
    pub(super) fn of_one(&self, ix: usize) -> bool {
        let others = self.providers().iter().filter(|&&other| other != ix);
        others.take(2).count() == 1
    }

    /// It is known who has to give it, not only some of whom one has to.
    pub(super) fn is_told(&self, ix: usize) -> bool {
        let each = matches!(self.providers, Some(Providers::All(_)));
        let class = matches!(self.shape, Shape::Init(Some(_)));
        let own = self.providers() == [ix];
        each || class || own || self.recorded.is_some() || self.of_one(ix)
    }
}

/// Of each thread what it wants; none: it goes on by itself. `has_moment`: the last dump shows platform threads at one moment.
pub(super) fn wants(
    scene: &Scene,
    recorded: Option<&Recorded>,
    has_moment: bool,
) -> Vec<Option<Want>> {
    let all = 0..scene.seats.len();
    let crowd = Crowd::of(scene);
    let wants = all.map(|ix| {
        let seat = &scene.seats[ix];
        let mut want = want(scene, &crowd, ix)?;
        let timed = matches!(seat.thread.state, State::WaitingTimed | State::ParkedTimed);
        (want.timed, want.moved) = (timed, !seat.steady);
        Some(want)
    });
    let mut wants: Vec<_> = wants.collect();
    if has_moment {
        locked_in(scene, &mut wants);
    }
    if let Some(recorded) = recorded {
        recorded.complete(scene, &mut wants);
    }
    wants
}

/// Whoever waits for a lock in a ring of such threads, or behind one, at one moment never gets it: wherever another dump found him
/// before, he stays.
fn locked_in(scene: &Scene, wants: &mut [Option<Want>]) {
    let owned = |(ix, want): (usize, &Option<Want>)| {
        let is_one = |want: &&Want| want.is_lock() && !want.timed && !want.of_anybody;
        let seat = &scene.seats[ix];
        let want = want.clone().filter(|want| is_one(&want))?;
        let moved = false;
        (!seat.thread.is_virtual && !seat.loose).then_some(Want { moved, ..want })
    };
    let alone: Vec<_> = wants.iter().enumerate().map(owned).collect();
    for (want, is_stuck) in wants.iter_mut().zip(stuck(&alone)) {
        want.iter_mut().for_each(|want| want.moved &= !is_stuck);
    }
}

/// Threads that one of several kinds of waits can be for, gathered once: as many may wait as there are.
struct Crowd {
    /// Whose end somebody may wait for.
    joined: Option<Providers>,
    /// The same of somebody whose class is `Thread` itself.
    plain: Option<Providers>,
    /// The same of somebody whose class is another, of which no method `run` is seen.
    special: Option<Providers>,
    /// The same by the class whose `run` is the first frame: of that class, or of a subclass.
    running: BTreeMap<String, Providers>,
    /// Who may initialise a class that is not told.
    init: Option<Providers>,
    /// In the initialisers of classes.
    initialisers: BTreeMap<String, Vec<usize>>,
}

impl Crowd {
    fn of(scene: &Scene) -> Self {
        let among = |fits: &dyn Fn(&Seat) -> bool| {
            let all = scene.seats.iter().enumerate();
            let found: Rc<[usize]> = all
                .filter(|(_, seat)| fits(seat))
                .map(|(ix, _)| ix)
                .collect();
            (scene.whole && !found.is_empty()).then_some(Providers::Any(found))
        };
        let can_end = |seat: &Seat| !seat.of_jvm && !seat.thread.is_virtual;
        let shown = scene.no_virtual && !scene.has_deep();
        Self {
            joined: among(&can_end),
            plain: among(&|seat| can_end(seat) && is_plain(&seat.thread)),
            special: among(&|seat| can_end(seat) && is_special(&seat.thread)),
            running: match scene.whole {
                true => running(scene, &can_end),
                false => BTreeMap::new(),
            },
            init: among(&initialises).filter(|_| shown),
            initialisers: initialisers(scene),
        }
    }
}

/// Threads by the class whose `run` they began with. Of whom the first frame is not shown may have begun with any.
fn running(scene: &Scene, fits: &dyn Fn(&Seat) -> bool) -> BTreeMap<String, Providers> {
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut any = Vec::new();
    for (ix, seat) in scene
        .seats
        .iter()
        .enumerate()
        .filter(|(_, seat)| fits(seat))
    {
        match first(&seat.thread) {
            Some(method) => {
                let class = method.strip_suffix(RUN).filter(|class| *class != THREAD);
                class
                    .into_iter()
                    .for_each(|class| found.entry(class).or_default().push(ix));
            }
            None => any.push(ix),
        }
    }
    let merged = found.into_iter().map(|(class, threads)| {
        let all: BTreeSet<usize> = threads.into_iter().chain(any.iter().copied()).collect();
        (class.to_owned(), Providers::Any(all.into_iter().collect()))
    });
    merged.collect()
}

fn initialisers(scene: &Scene) -> BTreeMap<String, Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (ix, seat) in scene.seats.iter().enumerate() {
        let frames = seat.thread.frames.iter();
        for class in frames.filter_map(|frame| frame.method.strip_suffix(INITIALISER)) {
            let within = found.entry(class.to_owned()).or_default();
            if within.last() != Some(&ix) {
                within.push(ix);
            }
        }
    }
    found
}

/// The crowd, if somebody else is in it.
fn others(ix: usize, crowd: Option<&Providers>) -> Option<Providers> {
    let crowd = crowd.filter(|crowd| crowd.threads().iter().any(|&other| other != ix));
    crowd.cloned()
}

fn want(scene: &Scene, crowd: &Crowd, ix: usize) -> Option<Want> {
    let thread = &scene.seats[ix].thread;
    let (shape, providers) = match (&thread.stand, thread.state) {
        (_, State::Runnable) if !matches!(thread.stand, Some(Stand::Init(_))) => return None,
        (Some(Stand::Init(class)), _) => initialised(crowd, ix, class.as_deref()),
        (Some(Stand::Enter(object)), _) => monitor(scene, ix, object),
        // JDK 8 says no more of somebody who was notified and wants to go on; some later ones say of whoever waits that it
        // is about to.
        (Some(Stand::Reenter(object) | Stand::Wait(object)), State::Blocked) => {
            monitor(scene, ix, object)
        }
        (Some(Stand::Park(object)), _) => parked(scene, ix, thread, object),
        (_, State::Waiting | State::WaitingTimed) => waiting(crowd, thread),
        (_, State::Parked | State::ParkedTimed) => (Shape::Signal("unpark"), None),
        (_, State::Blocked) => (Shape::Monitor, None),
        (_, State::Runnable | State::Sleeping | State::Unknown) => return None,
    };
    let object = thread.stand.as_ref().and_then(Stand::object);
    Some(Want {
        read: object.is_some_and(|object| scene.owned(object).is_some()),
        interruptible: matches!(shape, Shape::End) || takes_interrupts(thread),
        of_anybody: matches!((&shape, &thread.stand), (Shape::Lock, Some(Stand::Park(object))) if !object.class.starts_with(LOCKS)),
        shape,
        object: object.cloned(),
        presumed: thread.presumed,
        providers,
        timed: false,
        moved: false,
        recorded: None,
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
/// Where locks are that only their owners let go.
const LOCKS: &str = "java.util.concurrent.locks.";
const INITIALISER: &str = ".<clinit>";

/// It stands in `lockInterruptibly`, or what that calls.
fn takes_interrupts(thread: &Thread) -> bool {
    let mut top = thread.frames.iter().take(10);
    top.any(|frame| frame.method.starts_with(CONCURRENT) && frame.method.contains("Interruptibly"))
}

fn parked(scene: &Scene, ix: usize, thread: &Thread, object: &Object) -> Asked {
    // Nothing is known of classes of other packages.
    let class = object.class.strip_prefix(CONCURRENT).unwrap_or_default();
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
        "FutureTask" | "CompletableFuture" | "ForkJoinTask" | "ThreadPerTaskExecutor" => {
            (Shape::Signal("result"), None)
        }
        "locks.AbstractQueuedSynchronizer" | "locks.AbstractQueuedLongSynchronizer" => {
            (met(thread).unwrap_or(Shape::Signal("signal")), None)
        }
        // A synchronizer of the program's own, which says who owns it.
        _ => match held(scene, ix, object) {
            Some(holder) => (Shape::Lock, Some(holder)),
            None => (met(thread).unwrap_or(Shape::Signal("unpark")), None),
        },
    }
}

/// What the method of the JDK waits for that is parked at a condition, or a node, of its own.
fn met(thread: &Thread) -> Option<Shape> {
    let frames = thread.frames.iter().map(|frame| frame.method.as_str());
    let within = frames
        .skip_while(|method| is_machinery(method))
        .map_while(|method| method.strip_prefix(CONCURRENT)?.rsplit_once('.'));
    let mut told = within.filter_map(|(class, method)| {
        // Within the JDK a queue without places hands over both ways by this method.
        if class.contains('$') && method == "transfer" {
            return None;
        }
        let class = class.rsplit('$').next().unwrap_or(class);
        Some(Shape::Met(awaited(class, method)?, class.to_owned()))
    });
    told.next()
}

fn awaited(class: &str, method: &str) -> Option<&'static str> {
    let is_queue = class.ends_with("Queue") || class.ends_with("Deque");
    match method {
        "take" | "takeFirst" | "takeLast" | "poll" | "pollFirst" | "pollLast" if is_queue => {
            Some("item of")
        }
        "transfer" | "tryTransfer" if is_queue => Some("taker at"),
        "put" | "offer" if class == "SynchronousQueue" => Some("taker at"),
        "put" | "putFirst" | "putLast" | "offer" | "offerFirst" | "offerLast" if is_queue => {
            Some("free place of")
        }
        "await" | "dowait" if class == "CyclicBarrier" => Some("arrival of others at"),
        "awaitTermination" if class.ends_with("Executor") || class.ends_with("Pool") => {
            Some("termination of")
        }
        _ if class == "Phaser" => Some("arrival of others at"),
        "exchange" if class == "Exchanger" => Some("partner at"),
        _ => None,
    }
}

/// The end of a virtual thread is a latch.
fn ends_thread(thread: &Thread) -> bool {
    let mut top = thread.frames.iter().take(8);
    top.any(|frame| frame.method.starts_with("java.lang.VirtualThread.join"))
}

fn waiting(crowd: &Crowd, thread: &Thread) -> Asked {
    match joins(thread) {
        Some(at) => (Shape::End, joined(crowd, thread, at)),
        None => (Shape::Notify, None),
    }
}

/// Those whose end it can be: all threads of the program, as far as the class of the thread that is waited for, which the dump
/// tells, does not exclude them. Unknown if a thread is missing.
fn joined(crowd: &Crowd, thread: &Thread, at: usize) -> Option<Providers> {
    let entered = || {
        let mut entered = thread.entered.iter();
        entered.find_map(|(frame, object)| (*frame == at).then_some(object.class.as_str()))
    };
    let class = thread.lock.as_deref().or_else(entered);
    let all = match class {
        None => crowd.joined.as_ref(),
        Some(THREAD) => crowd.plain.as_ref(),
        // Whoever has that class begins with the `run` that it declares.
        Some(class) => crowd.running.get(class).or(crowd.special.as_ref()),
    };
    // Where there is nobody else it is its own.
    all.cloned()
}

const THREAD: &str = "java.lang.Thread";
const RUN: &str = ".run";

/// The methods that the JVM calls of a thread whose `run` is over, whoever declared it.
const ENDING: [&str; 2] = [
    "java.lang.Thread.exit",
    "java.lang.Thread.dispatchUncaughtException",
];

/// The first method of a thread; none if that is no longer what it began with, or its chain may be longer than what is shown of it.
fn first(thread: &Thread) -> Option<&str> {
    let whole = thread.frames.len() < FRAMES;
    let first = thread.frames.last().filter(|_| whole);
    let first = first.map(|frame| frame.method.as_str());
    first.filter(|method| !ENDING.contains(method))
}

/// Its class may be `Thread` itself: it has begun with no other's `run`.
fn is_plain(thread: &Thread) -> bool {
    let other = |method: &str| {
        method
            .strip_suffix(RUN)
            .is_some_and(|class| class != THREAD)
    };
    first(thread).is_none_or(|method| !other(method))
}

/// Its class may be a subclass of `Thread`: it has begun with some `run`, which may be inherited. A thread that was not started from
/// Java, as the main one, has none.
fn is_special(thread: &Thread) -> bool {
    first(thread).is_none_or(|method| method.ends_with(RUN))
}

/// Who initialises a class: those in its initialiser. If none is seen there, he may be at a superclass, deeper than a dump shows, or a
/// virtual thread: unknown. If it is not told which class it is, it is one of those who are in any initialiser, or wait for one.
fn initialised(crowd: &Crowd, ix: usize, class: Option<&str>) -> Asked {
    let providers = match class {
        Some(class) => {
            let within = crowd.initialisers.get(class).into_iter().flatten();
            let found: Rc<[usize]> = within.copied().filter(|&other| other != ix).collect();
            (!found.is_empty()).then_some(Providers::Any(found))
        }
        None => others(ix, crowd.init.as_ref()),
    };
    (Shape::Init(class.map(str::to_owned)), providers)
}

/// Who may initialise any class; none if threads are missing. A dump tells no loader, and two of them may have classes of one name:
/// who initialises the other one may not have come to its own initialiser, but be in that of a superclass.
pub(super) fn may_initialise(scene: &Scene) -> Option<Rc<[usize]>> {
    let all = 0..scene.seats.len();
    let fits = |ix: &usize| {
        let seat = &scene.seats[*ix];
        initialises(seat) || seat.thread.frames.len() >= FRAMES
    };
    scene.whole.then(|| all.filter(fits).collect())
}

fn initialises(seat: &Seat) -> bool {
    let thread = &seat.thread;
    let mut frames = thread.frames.iter();
    let waits = matches!(thread.stand, Some(Stand::Init(_)));
    waits || frames.any(|frame| frame.method.ends_with(INITIALISER))
}
