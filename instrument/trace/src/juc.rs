//! What the locks of `java.util.concurrent` are asked to do, operation by operation.
//!
//! Rewritten, their public methods tell what they have done ([`Operation`]): taken, given back, waited, signalled, met.
//! Which methods there are and what each does is told here once ([`CLASSES`]): the agent rewrites by this table, and the
//! analyser reads by it. The object is that which parked threads name, so that operations and parks are told
//! of the same lock. Needs [`feature::OPERATIONS`](crate::chunk::feature::OPERATIONS).
//!
//! What is about to be given back is told before, while it is held, and what was taken afterwards, so that times order
//! the holders of a lock.

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::wire::{Input, WireError, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// A thread did something to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// When.
    pub at: Nanos,
    /// Who.
    pub thread: ThreadId,
    /// To which object: the synchronizer inside, where there is one. Of a condition the condition itself.
    pub lock: LockId,
    /// What.
    pub act: Act,
    /// How it went.
    pub outcome: Outcome,
    /// Permits, elements or parties; of acts by stamp the low byte of the stamp.
    pub count: u32,
    /// It would not have waited as long as it takes: it tried, at once or for a time.
    pub tries: bool,
    /// From where, if that is known.
    pub stack: Option<StackId>,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// Took it alone.
    Lock,
    /// Is about to give back what it has alone (one level).
    Unlock,
    /// Took it together with others: a reading hold, or permits.
    Share,
    /// Is about to give back what it shares.
    Unshare,
    /// Is about to wait at a condition: all levels of its lock are given up.
    Await,
    /// Has come back from that: all levels are held again.
    Awaited,
    /// Is about to signal one that waits.
    Signal,
    /// Is about to signal all.
    SignalAll,
    /// Is about to count down.
    CountDown,
    /// Came past what it waited for: a latch, a phase.
    Pass,
    /// Met others: at a barrier, or to exchange.
    Meet,
    /// Arrived and did not wait. At a future: has run what was to be run once it is complete.
    Arrive,
    /// Became a party. Of a future: is about to leave what is to be run once it is complete.
    Register,
    /// Put elements in.
    Put,
    /// Took elements out.
    Take,
    /// Is about to give back what its stamp stands for.
    UnlockStamp,
    /// Has made of what its stamp stands for a hold alone.
    ConvertToLock,
    /// The same: a hold with others.
    ConvertToShare,
    /// The same: nothing.
    ConvertToNothing,
    /// Has given back what it had alone.
    Unlocked,
    /// Has given back what it shared.
    Unshared,
    /// Is about to hand it over, to be run by whoever comes to it.
    Hand,
    /// Has made it: nobody runs it before.
    Made,
    /// Is about to run it.
    Run,
    /// That is over.
    Ran,
    /// Has found that it is the next to be run: it is when an element is taken.
    Pick,
    /// Is about to hand over several, and to wait for all of them.
    Spread,
    /// Has seen all of these complete.
    Gathered,
    /// Is about to make a future that is complete once this one, and others, are.
    Part,
    /// Has made the future of these parts, which were told just before.
    Whole,
}

/// In the order of their numbers on the wire.
const ACTS: [Act; 30] = [
    Act::Lock,
    Act::Unlock,
    Act::Share,
    Act::Unshare,
    Act::Await,
    Act::Awaited,
    Act::Signal,
    Act::SignalAll,
    Act::CountDown,
    Act::Pass,
    Act::Meet,
    Act::Arrive,
    Act::Register,
    Act::Put,
    Act::Take,
    Act::UnlockStamp,
    Act::ConvertToLock,
    Act::ConvertToShare,
    Act::ConvertToNothing,
    Act::Unlocked,
    Act::Unshared,
    Act::Hand,
    Act::Made,
    Act::Run,
    Act::Ran,
    Act::Pick,
    Act::Spread,
    Act::Gathered,
    Act::Part,
    Act::Whole,
];

impl Act {
    /// A word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Share => "share",
            Self::Unshare => "unshare",
            Self::Await => "await",
            Self::Awaited => "awaited",
            Self::Signal => "signal",
            Self::SignalAll => "signal-all",
            Self::CountDown => "count-down",
            Self::Pass => "pass",
            Self::Meet => "meet",
            Self::Arrive => "arrive",
            Self::Register => "register",
            Self::Put => "put",
            Self::Take => "take",
            Self::UnlockStamp => "unlock-stamp",
            Self::ConvertToLock => "convert-to-lock",
            Self::ConvertToShare => "convert-to-share",
            Self::ConvertToNothing => "convert-to-nothing",
            Self::Unlocked => "unlocked",
            Self::Unshared => "unshared",
            Self::Hand => "hand",
            Self::Made => "made",
            Self::Run => "run",
            Self::Ran => "ran",
            Self::Pick => "pick",
            Self::Spread => "spread",
            Self::Gathered => "gathered",
            Self::Part => "part",
            Self::Whole => "whole",
        }
    }

    /// It is told when it begins.
    #[must_use]
    pub fn is_told_before(self) -> bool {
        use Act::{Await, CountDown, Hand, Part, Run, Spread};
        use Act::{Signal, SignalAll, Unlock, UnlockStamp, Unshare};
        matches!(
            self,
            Unlock | Unshare | UnlockStamp | Await | Signal | SignalAll | CountDown
        ) || matches!(self, Hand | Run | Spread | Part)
    }

    /// As what it is told when it is over; none if it is not.
    #[must_use]
    pub fn told_after(self) -> Option<Self> {
        match self {
            Self::Await => Some(Self::Awaited),
            Self::Run => Some(Self::Ran),
            Self::Spread => Some(Self::Gathered),
            Self::Part => Some(Self::Whole),
            _ => (!self.is_told_before()).then_some(self),
        }
    }
}

/// How an operation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Done, or about to be done.
    Done,
    /// It said that it did not: the lock was not free, the time was over, there was no room.
    Failed,
    /// It threw. What had been told before did not come about.
    Threw,
}

impl Outcome {
    /// A word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Threw => "threw",
        }
    }
}

const OUTCOMES: [Outcome; 3] = [Outcome::Done, Outcome::Failed, Outcome::Threw];
const OUTCOME: u8 = 3;
const ONE: u8 = 4;
const HAS_STACK: u8 = 8;
const TRIES: u8 = 16;
const ALL: u8 = 31;

pub(crate) fn encode(out: &mut Vec<u8>, operation: &Operation) {
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        operation.outcome as u8
            | flag(operation.count == 1, ONE)
            | flag(operation.tries, TRIES)
            | flag(operation.stack.is_some(), HAS_STACK),
    );
    out.push(operation.act as u8);
    put_u64(out, operation.at.0);
    put_u32(out, operation.thread.0);
    put_u32(out, operation.lock.0);
    if operation.count != 1 {
        put_u32(out, operation.count);
    }
    if let Some(stack) = operation.stack {
        put_u32(out, stack.0);
    }
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Operation> {
    let flags = input.u8()?;
    let outcome = OUTCOMES.get(usize::from(flags & OUTCOME)).copied();
    let outcome = outcome.filter(|_| flags & !ALL == 0);
    let act = ACTS.get(usize::from(input.u8()?)).copied();
    Ok(Operation {
        outcome: outcome.ok_or(WireError::Range)?,
        act: act.ok_or(WireError::Range)?,
        at: Nanos(input.u64()?),
        thread: ThreadId(input.u32()?),
        lock: LockId(input.u32()?),
        count: match flags & ONE {
            0 => input.u32()?,
            _ => 1,
        },
        tries: flags & TRIES != 0,
        stack: match flags & HAS_STACK {
            0 => None,
            _ => Some(StackId(input.u32()?)),
        },
    })
}

/// A class whose methods are operations.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Its binary name, with dots.
    pub name: &'static str,
    /// Which object its operations are on.
    pub subject: Subject,
    /// What it has.
    pub methods: &'static [Method],
}

/// Which object an operation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `this`.
    This,
    /// The field `sync`, of this class (a descriptor).
    Sync(&'static str),
    /// `this`, if its class is none of the JDK's: those of the JDK have operations of their own.
    Foreign,
    /// What somebody is to run: the methods say where it is. There may be very many; of a class only the first are told.
    Task,
}

/// Where the object of a method is, if its class does not say that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As of its class.
    Own,
    /// In this local variable at the beginning: `this`, or an argument.
    Local(u16),
    /// It is what the method returns.
    Result,
    /// It is what the constructor has made.
    Born,
    /// What the method returns is made of what is in these local variables.
    Made(&'static [u16]),
    /// The same of all elements of its first argument, an array.
    MadeOfAll,
}

/// A method that is an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// What it does.
    pub act: Act,
    /// How many.
    pub count: Count,
    /// Which object it is on.
    pub given: Given,
}

/// How many permits, elements or parties a method deals with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// Its first argument says it, an int.
    Argument,
    /// Its result does.
    Result,
    /// Its first argument is a stamp: the low byte of it.
    Stamp,
}

impl Method {
    /// It does not wait as long as it takes: it tries, or only asks.
    #[must_use]
    pub fn tries(&self) -> bool {
        self.name.starts_with("try") || self.name.starts_with("is")
    }

    /// It is told when it begins. What is left to be run with a future is: who completes it may be quicker than the end of
    /// the method. If the future is complete already, it is run at once by the thread itself.
    #[must_use]
    pub fn is_told_before(&self) -> bool {
        self.act.is_told_before() || self.leaves_stage()
    }

    /// See [`Act::told_after`].
    #[must_use]
    pub fn told_after(&self) -> Option<Act> {
        match self.leaves_stage() {
            true => None,
            false => self.act.told_after(),
        }
    }

    fn leaves_stage(&self) -> bool {
        self.act == Act::Register && self.descriptor.contains("CompletableFuture$")
    }

    /// It is told also where another operation of its class does its work by it: that is on another object.
    #[must_use]
    pub fn is_told_within(&self) -> bool {
        self.act == Act::Register || self.given != Given::Own
    }

    /// How its result tells success from failure.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let result = self.descriptor.rsplit(')').next().unwrap_or_default();
        match (result, self.told_after()) {
            (_, None) => Verdict::Always,
            ("Z", _) => Verdict::Truth,
            ("I", _) if self.count == Count::Result => Verdict::Amount,
            ("J", Some(Act::Lock | Act::Share)) => Verdict::Stamp,
            ("J", Some(Act::ConvertToLock | Act::ConvertToShare | Act::ConvertToNothing)) => {
                Verdict::Stamp
            }
            ("V", _) => Verdict::Always,
            (_, Some(Act::Take)) => Verdict::Reference,
            _ => Verdict::Always,
        }
    }
}

/// See [`Method::verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Who returns has done it.
    Always,
    /// A boolean.
    Truth,
    /// A long that is 0 for failure.
    Stamp,
    /// An int: how many, 0 for failure.
    Amount,
    /// An object, null for failure.
    Reference,
}

const fn one(name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        name,
        descriptor,
        act,
        count: Count::One,
        given: Given::Own,
    }
}

/// On what is in this local variable at the beginning.
const fn on(local: u16, name: &'static str, descriptor: &'static str, act: Act) -> Method {
    Method {
        given: Given::Local(local),
        ..one(name, descriptor, act)
    }
}

/// A future that is made of what is in these.
const fn made(of: &'static [u16], name: &'static str, descriptor: &'static str) -> Method {
    Method {
        given: Given::Made(of),
        ..one(name, descriptor, Act::Part)
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

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";
const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";
const TIMED_INT: &str = "(JLjava/util/concurrent/TimeUnit;)I";
const OF_COLLECTION: &str = "(Ljava/util/Collection;)I";
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
    one("await", TIMED, Act::Pass),
];
/// Of a future, and of what runs tasks, too: it is counted down by who completes it.
const TASK: &[Method] = &[
    one("set", "(Ljava/lang/Object;)V", Act::CountDown),
    one("setException", "(Ljava/lang/Throwable;)V", Act::CountDown),
    one("cancel", "(Z)Z", Act::CountDown),
    one("get", "()Ljava/lang/Object;", Act::Pass),
    one("get", TIMED_ELEMENT, Act::Pass),
    one("isDone", "()Z", Act::Pass),
];
const COMPLETION: &[Method] = &[
    one("internalComplete", "(Ljava/lang/Object;)Z", Act::CountDown),
    one("completeNull", "()Z", Act::CountDown),
    one("completeValue", "(Ljava/lang/Object;)Z", Act::CountDown),
    one(
        "completeThrowable",
        "(Ljava/lang/Throwable;)Z",
        Act::CountDown,
    ),
    one(
        "completeThrowable",
        "(Ljava/lang/Throwable;Ljava/lang/Object;)Z",
        Act::CountDown,
    ),
    one("completeRelay", "(Ljava/lang/Object;)Z", Act::CountDown),
    one("get", "()Ljava/lang/Object;", Act::Pass),
    one("get", TIMED_ELEMENT, Act::Pass),
    one("join", "()Ljava/lang/Object;", Act::Pass),
    one("isDone", "()Z", Act::Pass),
    // What is to be run once it is complete; of JDK 8 the first.
    one(
        "push",
        "(Ljava/util/concurrent/CompletableFuture$UniCompletion;)V",
        Act::Register,
    ),
    one(
        "unipush",
        "(Ljava/util/concurrent/CompletableFuture$Completion;)V",
        Act::Register,
    ),
    one("bipush", OF_TWO, Act::Register),
    one("orpush", OF_TWO, Act::Register),
    // That has been run.
    one("postComplete", "()V", Act::Arrive),
    // What is complete only once others are.
    Method {
        given: Given::MadeOfAll,
        ..one("allOf", ALL_OF, Act::Part)
    },
    made(&[0, 2], "biApplyStage", OF_BOTH_BY_FUNCTION),
    made(&[0, 2], "biAcceptStage", OF_BOTH_BY_CONSUMER),
    made(&[0, 2], "biRunStage", OF_BOTH_BY_RUNNABLE),
    made(&[0], "uniApplyStage", OF_ONE_BY_FUNCTION),
    made(&[0], "uniAcceptStage", OF_ONE_BY_CONSUMER),
    made(&[0], "uniRunStage", OF_ONE_BY_RUNNABLE),
    made(&[0], "uniWhenCompleteStage", OF_ONE_BY_BICONSUMER),
    made(&[0], "uniHandleStage", OF_ONE_BY_BIFUNCTION),
    made(&[0], "uniComposeStage", OF_ONE_BY_FUNCTION),
];
const ALL_OF: &str =
    "([Ljava/util/concurrent/CompletableFuture;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_FUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/util/function/BiFunction;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_CONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/util/function/BiConsumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_RUNNABLE: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/lang/Runnable;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_FUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/Function;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_CONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/Consumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_RUNNABLE: &str =
    "(Ljava/util/concurrent/Executor;Ljava/lang/Runnable;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_BICONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/BiConsumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_BIFUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/BiFunction;)Ljava/util/concurrent/CompletableFuture;";
/// Of what a `ForkJoinPool` runs: it is made, handed over, run, and complete by a method that goes by different names from JDK 8 to
/// 25. What is made is handed over at once, but for what is forked. The pool's own class is left alone: it reads its properties when it is initialised.
const FORKED: &[Method] = &[
    Method {
        given: Given::Born,
        ..one("<init>", "()V", Act::Made)
    },
    on(
        0,
        "fork",
        "()Ljava/util/concurrent/ForkJoinTask;",
        Act::Hand,
    ),
    on(0, "doExec", "()I", Act::Run),
    on(0, "doExec", "()V", Act::Run),
    on(0, "setCompletion", "(I)I", Act::CountDown),
    on(0, "setDone", "()I", Act::CountDown),
    on(0, "setDone", "()V", Act::CountDown),
    on(0, "abnormalCompletion", "(I)I", Act::CountDown),
    on(0, "trySetCancelled", "()I", Act::CountDown),
    on(
        0,
        "trySetThrown",
        "(Ljava/lang/Throwable;)I",
        Act::CountDown,
    ),
    on(
        0,
        "trySetThrown",
        "(Ljava/lang/Throwable;)Z",
        Act::CountDown,
    ),
    on(0, "join", "()Ljava/lang/Object;", Act::Pass),
    on(0, "invoke", "()Ljava/lang/Object;", Act::Pass),
    on(0, "get", "()Ljava/lang/Object;", Act::Pass),
    on(0, "get", TIMED_ELEMENT, Act::Pass),
    on(0, "quietlyJoin", "()V", Act::Pass),
    on(0, "quietlyInvoke", "()V", Act::Pass),
    on(0, "isDone", "()Z", Act::Pass),
    // Those by which the pool itself waits for what it was given, of JDK 17 and of 21 and later.
    on(0, "joinForPoolInvoke", OF_POOL, Act::Pass),
    on(0, "getForPoolInvoke", OF_POOL, Act::Pass),
    on(0, "awaitPoolInvoke", BY_POOL, Act::Pass),
    on(0, "quietlyJoin", TIMED, Act::Pass),
    on(
        0,
        "invokeAll",
        "(Ljava/util/concurrent/ForkJoinTask;Ljava/util/concurrent/ForkJoinTask;)V",
        Act::Spread,
    ),
    on(
        0,
        "invokeAll",
        "([Ljava/util/concurrent/ForkJoinTask;)V",
        Act::Spread,
    ),
    on(
        0,
        "invokeAll",
        "(Ljava/util/Collection;)Ljava/util/Collection;",
        Act::Spread,
    ),
];
const OF_POOL: &str = "(Ljava/util/concurrent/ForkJoinPool;)Ljava/lang/Object;";
const BY_POOL: &str = "(Ljava/util/concurrent/ForkJoinPool;)V";
/// The queue of a `java.util.Timer`: its thread looks for the next, takes it out, or puts it back for the next time, and runs it.
const TIMER_QUEUE: &[Method] = &[
    on(1, "add", "(Ljava/util/TimerTask;)V", Act::Hand),
    Method {
        given: Given::Result,
        ..one("getMin", "()Ljava/util/TimerTask;", Act::Pick)
    },
    on(0, "removeMin", "()V", Act::Take),
    on(0, "rescheduleMin", "(J)V", Act::Take),
];
const OF_TWO: &str = "(Ljava/util/concurrent/CompletableFuture;Ljava/util/concurrent/CompletableFuture$BiCompletion;)V";
/// Each of its threads counts once, with its end.
const POOL: &[Method] = &[
    one(
        "processWorkerExit",
        "(Ljava/util/concurrent/ThreadPoolExecutor$Worker;Z)V",
        Act::CountDown,
    ),
    one("awaitTermination", TIMED, Act::Pass),
    one("isTerminated", "()Z", Act::Pass),
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
const TIMED_ELEMENT: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";
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
    one("put", "(Ljava/lang/Object;)V", Act::Put),
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

/// Classes whose objects come by the thousand, and are of use for a moment: what completes once, and is waited for.
pub const FUTURES: [&str; 2] = [
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.CompletableFuture",
];

/// Classes whose objects, and those of all that extend them, are tasks ([`Subject::Task`]).
pub const TASKS: [&str; 2] = [FORK_JOIN_TASK, "java.util.TimerTask"];

const FORK_JOIN_TASK: &str = "java.util.concurrent.ForkJoinTask";

/// The class of that binary name.
#[must_use]
pub fn class_named(name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.name == name)
}

/// All methods, with the numbers by which probes name them.
pub fn methods() -> impl Iterator<Item = (u8, &'static Class, &'static Method)> {
    let all = CLASSES
        .iter()
        .flat_map(|class| class.methods.iter().map(move |method| (class, method)));
    (0..)
        .zip(all)
        .map(|(number, (class, method))| (number, class, method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_stand_where_their_numbers_say() {
        for (number, act) in ACTS.into_iter().enumerate() {
            assert_eq!(act as usize, number);
        }
    }

    #[test]
    fn every_method_has_a_number_of_its_own_and_a_class_is_named_once() {
        let all: usize = CLASSES.iter().map(|class| class.methods.len()).sum();
        assert!(all <= 256 && methods().count() == all);
        for class in CLASSES {
            let of_that_name = CLASSES.iter().filter(|other| other.name == class.name);
            assert_eq!(of_that_name.count(), 1, "{}", class.name);
            assert!(class_named(class.name).is_some());
        }
    }

    #[test]
    fn results_tell_what_they_can() {
        let verdict = |class: &str, name: &str, descriptor: &str| {
            let class = class_named(class).expect("there");
            let mut methods = class.methods.iter();
            let method = methods.find(|m| (m.name, m.descriptor) == (name, descriptor));
            method.expect("there").verdict()
        };
        let lock = "java.util.concurrent.locks.ReentrantLock";
        assert_eq!(verdict(lock, "lock", "()V"), Verdict::Always);
        assert_eq!(verdict(lock, "tryLock", "()Z"), Verdict::Truth);
        let own = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
        assert_eq!(verdict(own, "release", "(I)Z"), Verdict::Always);
        let condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        assert_eq!(verdict(condition, "awaitNanos", "(J)J"), Verdict::Always);
        assert_eq!(verdict(condition, "await", TIMED), Verdict::Truth);
        let stamped = "java.util.concurrent.locks.StampedLock";
        assert_eq!(verdict(stamped, "tryReadLock", "()J"), Verdict::Stamp);
        let queue = "java.util.concurrent.ArrayBlockingQueue";
        assert_eq!(
            verdict(queue, "poll", "()Ljava/lang/Object;"),
            Verdict::Reference
        );
        assert_eq!(verdict(queue, "drainTo", OF_COLLECTION), Verdict::Amount);
    }
}
