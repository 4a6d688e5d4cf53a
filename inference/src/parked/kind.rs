//! What a blocker is, by the class it has and the JDK's code that parks on it. Nothing is inferred: a class
//! that is not known here is named and has no type.

use super::tried::{Tried, tried};
use crate::catalog::Catalog;
use crate::collect::parked::ParkedLog;
use crate::collect::uses::UseLog;
use crate::effects::is_platform_name;
use crate::stable_name::stable_class;
use crate::types::{Detail, Details, LockType, Role};
use locklens_trace::ClassId;
use locklens_trace::juc::{Act, Outcome};
use locklens_trace::parked::{StateSeen, SyncKind};

/// Classes of blocking queues, with their capacity where the class has only one.
const QUEUES: [(&str, Option<Capacity>); 8] = [
    ("java.util.concurrent.ArrayBlockingQueue", None),
    ("java.util.concurrent.LinkedBlockingQueue", None),
    ("java.util.concurrent.LinkedBlockingDeque", None),
    (
        "java.util.concurrent.PriorityBlockingQueue",
        Some(Capacity::Unbounded),
    ),
    ("java.util.concurrent.DelayQueue", Some(Capacity::Unbounded)),
    (
        "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue",
        Some(Capacity::Unbounded),
    ),
    (
        "java.util.concurrent.SynchronousQueue",
        Some(Capacity::None),
    ),
    (
        "java.util.concurrent.LinkedTransferQueue",
        Some(Capacity::Unbounded),
    ),
];

#[derive(Clone, Copy)]
enum Capacity {
    None,
    Unbounded,
}

/// How far up a class is followed to what it extends.
const HEIRS: usize = 16;

const BARRIER: &str = "java.util.concurrent.CyclicBarrier";
const LOCKS: &str = "java.util.concurrent.locks.";

/// What a blocker is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    /// Its type.
    pub(super) lock_type: LockType,
    /// How sure that is.
    pub(super) confidence: f64,
    /// The class it is known by: `ReentrantLock`, not what that has inside.
    pub(super) class: String,
    /// Threads parked on it want to own it; else they wait for something.
    pub(super) blocks: bool,
    /// Its parameters.
    pub(super) details: Details,
    /// Why.
    pub(super) reason: String,
    /// It is a part of something that has several: a queue's condition, a barrier's lock.
    pub(super) is_part: bool,
}

impl Kind {
    fn known(lock_type: LockType, class: &str) -> Self {
        Self {
            lock_type,
            confidence: 1.0,
            class: class.to_owned(),
            blocks: false,
            details: Details::new(),
            reason: format!("declared: {class}"),
            is_part: false,
        }
    }

    fn blocking(mut self) -> Self {
        self.blocks = true;
        self
    }

    fn with(mut self, key: &'static str, value: Option<Detail>) -> Self {
        self.details.extend(value.map(|value| (key, value)));
        self
    }

    /// No call chain says who uses it: queues and barriers have conditions inside, like that of the program.
    pub(super) fn may_be_inside(&mut self) {
        if self.lock_type == LockType::Condition {
            self.confidence = 0.5;
            self.reason +=
                "; without a call chain it is not known whether it is inside a queue or a barrier";
        }
    }

    /// Whether it serves its threads in turn, where its class says so.
    pub(super) fn is_fair(&self) -> Option<bool> {
        match self.details.get("fair") {
            Some(Detail::Flag(fair)) => Some(*fair),
            _ => None,
        }
    }

    /// A blocker of that class, in JDK code of the class `container`.
    pub(super) fn of(class: &str, container: Option<&str>, log: &ParkedLog) -> Self {
        let kind = log.def.map_or(SyncKind::Other, |def| def.kind);
        if let Some(part) = container.and_then(|container| part(container, kind)) {
            return part;
        }
        let state = log.def.and_then(|def| def.state);
        let outer = class.split('$').next().unwrap_or(class);
        let fair = class
            .ends_with("airSync")
            .then_some(Detail::Flag(class.ends_with("$FairSync")));
        let most = |value: Option<StateSeen>| {
            let most = value.and_then(|seen| u64::try_from(seen.high).ok());
            most.filter(|n| *n > 0).map(Detail::Count)
        };
        match (outer.strip_prefix("java.util.concurrent."), kind) {
            (_, SyncKind::Condition) => {
                Self::known(LockType::Condition, "java.util.concurrent.locks.Condition")
            }
            (Some("locks.ReentrantLock"), _) => Self::known(LockType::Lock, outer)
                .blocking()
                .with("fair", fair),
            (Some("locks.ReentrantReadWriteLock"), _) => Self::known(LockType::ReadWrite, outer)
                .blocking()
                .with("fair", fair)
                .with("readers_at_least", most(state)),
            (Some("locks.StampedLock"), _) => Self::known(LockType::ReadWrite, outer).blocking(),
            (Some("Semaphore"), _) => Self::known(LockType::Semaphore, outer)
                .with("fair", fair)
                .with("permits_at_least", most(state))
                .with("free", none_free(state)),
            (Some("CountDownLatch"), _) => {
                Self::known(LockType::Latch, outer).with("count_at_least", most(state))
            }
            (Some("Phaser"), _) => {
                Self::known(LockType::Barrier, outer).with("parties", state.and_then(parties))
            }
            (Some("CyclicBarrier"), _) => Self::known(LockType::Barrier, outer),
            (Some("Exchanger"), _) => {
                Self::known(LockType::Barrier, outer).with("parties", Some(Detail::Count(2)))
            }
            (Some("FutureTask" | "CompletableFuture" | "ForkJoinTask"), _)
            | (Some("ThreadPoolExecutor" | "ThreadPerTaskExecutor"), _) => {
                Self::known(LockType::Join, outer)
            }
            (Some("RecursiveTask" | "RecursiveAction" | "CountedCompleter"), _) => {
                Self::known(LockType::Join, "java.util.concurrent.ForkJoinTask")
            }
            (Some(_), _) if let Some((queue, capacity)) = queue(outer) => {
                Self::known(LockType::ProducerConsumer, queue)
                    .with("capacity", capacity.map(Capacity::detail))
            }
            (_, SyncKind::Synchronizer) if !log.owners.is_empty() => Self::owned(class),
            _ => match log.uses.as_deref() {
                Some(uses) => Self::used(class, uses),
                None => Self::unknown(class),
            },
        }
    }

    /// A blocker of this class. What it is called alone says nothing of is looked up in its code.
    pub(super) fn of_class(
        catalog: &Catalog,
        id: ClassId,
        class: &str,
        container: Option<&str>,
        log: &ParkedLog,
    ) -> Self {
        let kind = Self::of(class, container, log);
        let kinds = log.def.map(|def| def.kind);
        let is_own = kinds == Some(SyncKind::Synchronizer) && !is_platform_name(class);
        let tried = is_own.then(|| tried(catalog, id)).flatten();
        match (tried, kind.lock_type) {
            (Some(tried), LockType::Unknown) => kind.by_code(tried),
            // Who has it alone may be written down where others have it together, too.
            (Some(tried), LockType::Lock) if tried.lock_type == LockType::ReadWrite => {
                kind.by_code(tried)
            }
            _ => kind,
        }
    }

    /// What the code of a synchronizer of the program's says it is.
    fn by_code(self, tried: Tried) -> Self {
        let blocks = matches!(tried.lock_type, LockType::Lock | LockType::ReadWrite);
        Self {
            lock_type: tried.lock_type,
            confidence: tried.confidence,
            blocks,
            reason: format!("a synchronizer of the program's: {}", tried.reason),
            ..self
        }
    }

    /// What who calls the synchronizer's own methods is after; `shared`: together with others.
    pub(super) fn role(&self, shared: bool) -> Option<Role> {
        match (self.lock_type, shared) {
            (LockType::Lock, false) => Some(Role::Lock),
            (LockType::ReadWrite, true) => Some(Role::ReadLock),
            (LockType::ReadWrite, false) => Some(Role::WriteLock),
            (LockType::Semaphore, _) => Some(Role::Acquire),
            (LockType::Latch, _) => Some(Role::Await),
            _ => None,
        }
    }

    /// A synchronizer that names its owner is used as a lock.
    fn owned(class: &str) -> Self {
        let reason = if is_platform_name(class) {
            "a synchronizer of the JDK's that names its owner"
        } else {
            "a synchronizer of the program's that names its owner"
        };
        Self {
            confidence: 0.9,
            reason: reason.to_owned(),
            ..Self::known(LockType::Lock, class).blocking()
        }
    }

    /// What a synchronizer of the program's is used as. Taken by several together alone it may be anything.
    fn used(class: &str, uses: &UseLog) -> Self {
        let done = |act| uses.count(act, Outcome::Done) > 0;
        // What others give than those who take it nobody holds.
        if uses.strays.saturating_sub(uses.brought) > uses.taken_alone / 2 {
            return Self::unknown(class);
        }
        let (lock_type, reason) = match (done(Act::Lock), done(Act::Share)) {
            (true, false) => (LockType::Lock, "a synchronizer that is taken by one alone"),
            (true, true) => (
                LockType::ReadWrite,
                "a synchronizer that is taken by one alone, and by several together",
            ),
            _ => return Self::unknown(class),
        };
        Self {
            confidence: 0.9,
            reason: reason.to_owned(),
            ..Self::known(lock_type, class).blocking()
        }
    }

    fn unknown(class: &str) -> Self {
        Self {
            confidence: 0.0,
            reason: "a blocker of a class that is not known".to_owned(),
            ..Self::known(LockType::Unknown, class)
        }
    }
}

impl Capacity {
    fn detail(self) -> Detail {
        match self {
            Self::None => Detail::Count(0),
            Self::Unbounded => Detail::Word("unbounded".to_owned()),
        }
    }
}

/// A queue's or barrier's own lock or condition.
fn part(container: &str, kind: SyncKind) -> Option<Kind> {
    let known = match queue(container) {
        Some((name, capacity)) => Kind::known(LockType::ProducerConsumer, name)
            .with("capacity", capacity.map(Capacity::detail)),
        // How many threads are found parked at once says nothing of its parties: those that have been released
        // may not have left when the next ones come.
        None if container == BARRIER => Kind::known(LockType::Barrier, BARRIER),
        None => return None,
    };
    Some(Kind {
        blocks: kind == SyncKind::Synchronizer,
        is_part: true,
        ..known
    })
}

/// Nobody ever saw a free permit: how many there are is not known.
fn none_free(seen: Option<StateSeen>) -> Option<Detail> {
    let none = seen.is_some_and(|seen| seen.high <= 0);
    none.then(|| Detail::Word("none seen".to_owned()))
}

fn parties(seen: StateSeen) -> Option<Detail> {
    let (low, high) = (
        u64::try_from(seen.low).ok()?,
        u64::try_from(seen.high).ok()?,
    );
    Some(match low == high {
        true => Detail::Count(high),
        false => Detail::Word(format!("{low}-{high}")),
    })
}

/// A class whose objects have locks of their own inside.
pub(super) fn has_parts(class: &str) -> bool {
    class == BARRIER || is_queue(class)
}

/// A class of blocking queues, or nested in one.
pub(super) fn is_queue(class: &str) -> bool {
    queue(class).is_some()
}

/// A class that says by itself what its objects are, and those of all that extend it.
fn is_declared(class: &str) -> bool {
    let others = [
        "locks.StampedLock",
        "Phaser",
        "CyclicBarrier",
        "Exchanger",
        "FutureTask",
        "CompletableFuture",
        "ForkJoinTask",
        "RecursiveTask",
        "RecursiveAction",
        "CountedCompleter",
        "ThreadPoolExecutor",
        "ThreadPerTaskExecutor",
    ];
    let own = class.strip_prefix("java.util.concurrent.");
    is_queue(class) || own.is_some_and(|name| others.contains(&name))
}

/// The class of a blocker, or the one of the JDK's that it extends and that says what it is.
pub(super) fn class_of(catalog: &Catalog, class: ClassId) -> String {
    let name = catalog.class_name(class);
    let mut next = catalog.classes.get(&class);
    for _ in 0..HEIRS {
        let Some(parent) = next.and_then(|class| class.super_name.as_deref()) else {
            break;
        };
        if is_declared(parent) && !is_platform_name(&name) {
            return parent.to_owned();
        }
        next = catalog.classes.values().find(|class| class.name == parent);
    }
    stable_class(&name)
}

/// The queue that a class is, or is nested in.
fn queue(class: &str) -> Option<(&'static str, Option<Capacity>)> {
    let is = |name: &str| {
        class
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    QUEUES.into_iter().find(|(name, _)| is(name))
}

/// Locks of the JDK's that only who took them can give back, wait with and signal: who tries without is told so by an exception.
pub(crate) fn checks_owner(class: &str) -> bool {
    class.starts_with("java.util.concurrent.locks.Reentrant")
}

/// A frame between the parking itself and the program's own code.
pub(crate) fn is_concurrent(class: &str) -> bool {
    class.starts_with("java.util.concurrent.") || is_parking(class)
}

/// A frame that only does the parking: which lock it is for, the frames below say.
pub(super) fn is_parking(class: &str) -> bool {
    class.starts_with(LOCKS)
        || matches!(
            class,
            "jdk.internal.misc.Unsafe"
                | "sun.misc.Unsafe"
                | "java.util.concurrent.ForkJoinPool"
                | "java.util.concurrent.ForkJoinPool$ManagedBlocker"
        )
}

/// Why nobody need hear of a thread that is parked there, if so.
pub(super) fn idle(class: &str, method: &str) -> Option<&'static str> {
    match (class, method) {
        ("java.util.concurrent.ThreadPoolExecutor", "getTask")
        | ("java.util.concurrent.ForkJoinPool", "awaitWork" | "runWorker" | "scan")
        | ("java.util.concurrent.ForkJoinWorkerThread", "run") => Some(IDLE),
        _ if class.starts_with("java.lang.ref.") => Some(SAFE),
        _ if awaits_peers(class, method) => Some("threads that await connections or datagrams"),
        _ => None,
    }
}

/// A method of the JDK that waits for somebody to connect or to send. Of several threads there one waits in the system and
/// the others for it, by a lock of the JDK's own.
pub(crate) fn awaits_peers(class: &str, method: &str) -> bool {
    let of_sockets = class.starts_with("sun.nio.ch.") || class.starts_with("java.net.");
    let method = method.to_ascii_lowercase();
    of_sockets && (method.contains("accept") || method.contains("receive"))
}

/// Threads of pools that have nothing to do, as long as they wait for something to do: at the queue's own lock they are held up.
pub(super) const IDLE: &str = "idle pool threads";
/// What a known-safe lock is called.
pub(super) const SAFE: &str = "reference handler";

#[cfg(test)]
mod tests;
