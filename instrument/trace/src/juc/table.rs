//! Every class whose methods are operations, with these: what blocks, waits and meets. Futures, pools and tasks are in
//! [`super::tasks`].

use super::tasks::{COMPLETION, FORK_JOIN_TASK, FORKED, POOL, TASK, THREADS, TIMER_QUEUE};
use super::{Act, Class, Count, Given, Method, Subject};

pub(super) const fn one(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        name,
        descriptor,
        act,
        count: Count::One,
        given: Given::Own,
        brief: false,
    }
}

/// Others of that name may have to wait.
const fn brief(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        brief: true,
        ..one(name, descriptor, act)
    }
}

/// On what is in this local variable at the beginning.
pub(super) const fn on(
    local: u16,
    name: &'static str,
    descriptor: &'static str,
    act: Act,
) -> Method {
    Method {
        given: Given::Local(local),
        ..one(name, descriptor, act)
    }
}

/// A future that is made of what is in these.
pub(super) const fn made(
    of: &'static [u16],
    name: &'static str,
    descriptor: &'static str,
) -> Method {
    Method {
        given: Given::Made(of),
        ..one(name, descriptor, Act::Part)
    }
}

/// Its first arguments are a time, for which it waits at most.
pub(super) const fn limited(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        count: Count::Day,
        ..one(name, descriptor, act)
    }
}

const fn many(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        count: Count::Argument,
        ..one(name, descriptor, act)
    }
}

const fn found(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        count: Count::Result,
        ..one(name, descriptor, act)
    }
}

const fn stamp(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        count: Count::Stamp,
        ..one(name, descriptor, act)
    }
}

pub(super) const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";
const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";
const TIMED_INT: &str = "(JLjava/util/concurrent/TimeUnit;)I";
pub(super) const OF_COLLECTION: &str = "(Ljava/util/Collection;)I";
const OF_COLLECTION_MOST: &str = "(Ljava/util/Collection;I)I";

const EXCLUSIVE: &[Method] = &[
    one("lock", "()V", Act::Lock),
    one("lockInterruptibly", "()V", Act::Lock),
    one("tryLock", "()Z", Act::Lock),
    one("tryLock", TIMED, Act::Lock),
    one("unlock", "()V", Act::Unlock),
];
const SHARED: &[Method] = &[
    one("lock", "()V", Act::Share),
    one("lockInterruptibly", "()V", Act::Share),
    one("tryLock", "()Z", Act::Share),
    one("tryLock", TIMED, Act::Share),
    one("unlock", "()V", Act::Unshare),
];
const PERMITS: &[Method] = &[
    one("acquire", "()V", Act::Share),
    one("acquireUninterruptibly", "()V", Act::Share),
    one("tryAcquire", "()Z", Act::Share),
    one("tryAcquire", TIMED, Act::Share),
    many("acquire", "(I)V", Act::Share),
    many("acquireUninterruptibly", "(I)V", Act::Share),
    many("tryAcquire", "(I)Z", Act::Share),
    many(
        "tryAcquire",
        "(IJLjava/util/concurrent/TimeUnit;)Z",
        Act::Share,
    ),
    found("drainPermits", "()I", Act::Share),
    one("release", "()V", Act::Unshare),
    many("release", "(I)V", Act::Unshare),
];
const STAMPED: &[Method] = &[
    one("writeLock", "()J", Act::Lock),
    one("writeLockInterruptibly", "()J", Act::Lock),
    one("tryWriteLock", "()J", Act::Lock),
    one("tryWriteLock", TIMED_STAMP, Act::Lock),
    one("unlockWrite", "(J)V", Act::Unlock),
    one("unstampedUnlockWrite", "()V", Act::Unlock),
    one("tryUnlockWrite", "()Z", Act::Unlocked),
    one("readLock", "()J", Act::Share),
    one("readLockInterruptibly", "()J", Act::Share),
    one("tryReadLock", "()J", Act::Share),
    one("tryReadLock", TIMED_STAMP, Act::Share),
    one("unlockRead", "(J)V", Act::Unshare),
    one("unstampedUnlockRead", "()V", Act::Unshare),
    one("tryUnlockRead", "()Z", Act::Unshared),
    stamp("unlock", "(J)V", Act::UnlockStamp),
    stamp("tryConvertToWriteLock", "(J)J", Act::ConvertToLock),
    stamp("tryConvertToReadLock", "(J)J", Act::ConvertToShare),
    stamp("tryConvertToOptimisticRead", "(J)J", Act::ConvertToNothing),
];
const SYNCHRONIZER: &[Method] = &[
    one("acquire", "(I)V", Act::Lock),
    one("acquireInterruptibly", "(I)V", Act::Lock),
    one("tryAcquireNanos", "(IJ)Z", Act::Lock),
    one("release", "(I)Z", Act::Unlock),
    one("acquireShared", "(I)V", Act::Share),
    one("acquireSharedInterruptibly", "(I)V", Act::Share),
    one("tryAcquireSharedNanos", "(IJ)Z", Act::Share),
    one("releaseShared", "(I)Z", Act::Unshare),
];
const LONG_SYNCHRONIZER: &[Method] = &[
    one("acquire", "(J)V", Act::Lock),
    one("acquireInterruptibly", "(J)V", Act::Lock),
    one("tryAcquireNanos", "(JJ)Z", Act::Lock),
    one("release", "(J)Z", Act::Unlock),
    one("acquireShared", "(J)V", Act::Share),
    one("acquireSharedInterruptibly", "(J)V", Act::Share),
    one("tryAcquireSharedNanos", "(JJ)Z", Act::Share),
    one("releaseShared", "(J)Z", Act::Unshare),
];
const CONDITION: &[Method] = &[
    one("await", "()V", Act::Await),
    one("awaitUninterruptibly", "()V", Act::Await),
    one("awaitNanos", "(J)J", Act::Await),
    one("awaitUntil", "(Ljava/util/Date;)Z", Act::Await),
    one("await", TIMED, Act::Await),
    one("signal", "()V", Act::Signal),
    one("signalAll", "()V", Act::SignalAll),
];
const LATCH: &[Method] = &[
    one("countDown", "()V", Act::CountDown),
    one("await", "()V", Act::Pass),
    limited("await", TIMED, Act::Pass),
];
const BARRIER: &[Method] = &[
    one("await", "()I", Act::Meet),
    one("await", TIMED_INT, Act::Meet),
];
const PHASER: &[Method] = &[
    one("register", "()I", Act::Register),
    many("bulkRegister", "(I)I", Act::Register),
    one("arrive", "()I", Act::Arrive),
    one("arriveAndDeregister", "()I", Act::Arrive),
    one("arriveAndAwaitAdvance", "()I", Act::Meet),
    one("awaitAdvance", "(I)I", Act::Pass),
    one("awaitAdvanceInterruptibly", "(I)I", Act::Pass),
    one(
        "awaitAdvanceInterruptibly",
        "(IJLjava/util/concurrent/TimeUnit;)I",
        Act::Pass,
    ),
];
const EXCHANGER: &[Method] = &[
    one(
        "exchange",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        Act::Meet,
    ),
    one(
        "exchange",
        "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;",
        Act::Meet,
    ),
];
const ELEMENT_TIMED: &str = "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)Z";
pub(super) const TIMED_ELEMENT: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";
const QUEUE: &[Method] = &[
    one("put", "(Ljava/lang/Object;)V", Act::Put),
    one("offer", "(Ljava/lang/Object;)Z", Act::Put),
    one("offer", ELEMENT_TIMED, Act::Put),
    one("take", "()Ljava/lang/Object;", Act::Take),
    one("poll", "()Ljava/lang/Object;", Act::Take),
    one("poll", TIMED_ELEMENT, Act::Take),
    found("drainTo", OF_COLLECTION, Act::Take),
    found("drainTo", OF_COLLECTION_MOST, Act::Take),
];
const TRANSFER_QUEUE: &[Method] = &[
    brief("put", "(Ljava/lang/Object;)V", Act::Put),
    one("add", "(Ljava/lang/Object;)Z", Act::Put),
    one("offer", "(Ljava/lang/Object;)Z", Act::Put),
    one("offer", ELEMENT_TIMED, Act::Put),
    one("transfer", "(Ljava/lang/Object;)V", Act::Put),
    one("tryTransfer", "(Ljava/lang/Object;)Z", Act::Put),
    one("tryTransfer", ELEMENT_TIMED, Act::Put),
    one("take", "()Ljava/lang/Object;", Act::Take),
    one("poll", "()Ljava/lang/Object;", Act::Take),
    one("poll", TIMED_ELEMENT, Act::Take),
    found("drainTo", OF_COLLECTION, Act::Take),
    found("drainTo", OF_COLLECTION_MOST, Act::Take),
];
const DEQUE: &[Method] = &[
    one("putFirst", "(Ljava/lang/Object;)V", Act::Put),
    one("putLast", "(Ljava/lang/Object;)V", Act::Put),
    one("offerFirst", "(Ljava/lang/Object;)Z", Act::Put),
    one("offerLast", "(Ljava/lang/Object;)Z", Act::Put),
    one("offerFirst", ELEMENT_TIMED, Act::Put),
    one("offerLast", ELEMENT_TIMED, Act::Put),
    one("takeFirst", "()Ljava/lang/Object;", Act::Take),
    one("takeLast", "()Ljava/lang/Object;", Act::Take),
    one("pollFirst", "()Ljava/lang/Object;", Act::Take),
    one("pollLast", "()Ljava/lang/Object;", Act::Take),
    one("pollFirst", TIMED_ELEMENT, Act::Take),
    one("pollLast", TIMED_ELEMENT, Act::Take),
    found("drainTo", OF_COLLECTION, Act::Take),
    found("drainTo", OF_COLLECTION_MOST, Act::Take),
];
const DELAYS: &[Method] = &[
    one("put", "(Ljava/util/concurrent/Delayed;)V", Act::Put),
    one("offer", "(Ljava/util/concurrent/Delayed;)Z", Act::Put),
    one(
        "offer",
        "(Ljava/util/concurrent/Delayed;JLjava/util/concurrent/TimeUnit;)Z",
        Act::Put,
    ),
    one("take", "()Ljava/util/concurrent/Delayed;", Act::Take),
    one("poll", "()Ljava/util/concurrent/Delayed;", Act::Take),
    one(
        "poll",
        "(JLjava/util/concurrent/TimeUnit;)Ljava/util/concurrent/Delayed;",
        Act::Take,
    ),
    found("drainTo", OF_COLLECTION, Act::Take),
    found("drainTo", OF_COLLECTION_MOST, Act::Take),
];

const fn class(name: &'static str, subject: Subject, methods: &'static [Method]) -> Class {
    Class {
        name,
        subject,
        methods,
    }
}

const READ_WRITE_SYNC: &str = "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;";

/// Everything that is rewritten to tell operations. All of it is there from JDK 8 to 25, but for what is said otherwise. Where a
/// method does its work by another one of its class, only the first is told (but see [`Method::is_told_within`]).
pub const CLASSES: &[Class] = &[
    class(
        "java.util.concurrent.locks.ReentrantLock",
        Subject::Sync("Ljava/util/concurrent/locks/ReentrantLock$Sync;"),
        EXCLUSIVE,
    ),
    class(
        "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock",
        Subject::Sync(READ_WRITE_SYNC),
        SHARED,
    ),
    class(
        "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock",
        Subject::Sync(READ_WRITE_SYNC),
        EXCLUSIVE,
    ),
    class(
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
        Subject::This,
        CONDITION,
    ),
    class(
        "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject",
        Subject::This,
        CONDITION,
    ),
    class(
        "java.util.concurrent.Semaphore",
        Subject::Sync("Ljava/util/concurrent/Semaphore$Sync;"),
        PERMITS,
    ),
    class(
        "java.util.concurrent.locks.AbstractQueuedSynchronizer",
        Subject::Foreign,
        SYNCHRONIZER,
    ),
    class(
        "java.util.concurrent.locks.AbstractQueuedLongSynchronizer",
        Subject::Foreign,
        LONG_SYNCHRONIZER,
    ),
    class(
        "java.util.concurrent.locks.StampedLock",
        Subject::This,
        STAMPED,
    ),
    class(
        "java.util.concurrent.CountDownLatch",
        Subject::Sync("Ljava/util/concurrent/CountDownLatch$Sync;"),
        LATCH,
    ),
    class("java.util.concurrent.FutureTask", Subject::This, TASK),
    class(
        "java.util.concurrent.CompletableFuture",
        Subject::This,
        COMPLETION,
    ),
    class(
        "java.util.concurrent.ThreadPoolExecutor",
        Subject::This,
        POOL,
    ),
    // From JDK 19 on.
    class(
        "java.util.concurrent.ThreadPerTaskExecutor",
        Subject::This,
        THREADS,
    ),
    class(FORK_JOIN_TASK, Subject::Task, FORKED),
    class("java.util.TaskQueue", Subject::Task, TIMER_QUEUE),
    class("java.util.concurrent.CyclicBarrier", Subject::This, BARRIER),
    class("java.util.concurrent.Phaser", Subject::This, PHASER),
    class("java.util.concurrent.Exchanger", Subject::This, EXCHANGER),
    class(
        "java.util.concurrent.ArrayBlockingQueue",
        Subject::This,
        QUEUE,
    ),
    class(
        "java.util.concurrent.LinkedBlockingQueue",
        Subject::This,
        QUEUE,
    ),
    class(
        "java.util.concurrent.PriorityBlockingQueue",
        Subject::This,
        QUEUE,
    ),
    class(
        "java.util.concurrent.SynchronousQueue",
        Subject::This,
        QUEUE,
    ),
    class("java.util.concurrent.DelayQueue", Subject::This, DELAYS),
    class(
        "java.util.concurrent.LinkedTransferQueue",
        Subject::This,
        TRANSFER_QUEUE,
    ),
    class(
        "java.util.concurrent.LinkedBlockingDeque",
        Subject::This,
        DEQUE,
    ),
];
