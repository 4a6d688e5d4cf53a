//! Operations of futures, of pools, and of what they are given to run.

use super::table::{TIMED, TIMED_ELEMENT, limited, made, on, one};
use super::{Act, Count, Given, Method};

/// Of a future, and of what runs tasks, too: it is counted down by who completes it.
pub(super) const TASK: &[Method] = &[
    one("set", "(Ljava/lang/Object;)V", Act::CountDown),
    one("setException", "(Ljava/lang/Throwable;)V", Act::CountDown),
    one("cancel", "(Z)Z", Act::CountDown),
    one("get", "()Ljava/lang/Object;", Act::Pass),
    limited("get", TIMED_ELEMENT, Act::Pass),
    one("isDone", "()Z", Act::Pass),
];
pub(super) const COMPLETION: &[Method] = &[
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
    limited("get", TIMED_ELEMENT, Act::Pass),
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
    // Before JDK 12, and from then on.
    made(&[0], "uniExceptionallyStage", OF_ONE_IF_FAILED),
    made(&[0], "uniExceptionallyStage", OF_ONE_BY_FUNCTION),
];
const ALL_OF: &str =
    "([Ljava/util/concurrent/CompletableFuture;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_FUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/util/function/BiFunction;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_CONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/util/function/BiConsumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_BOTH_BY_RUNNABLE: &str = "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletionStage;Ljava/lang/Runnable;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_FUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/Function;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_IF_FAILED: &str =
    "(Ljava/util/function/Function;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_CONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/Consumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_RUNNABLE: &str =
    "(Ljava/util/concurrent/Executor;Ljava/lang/Runnable;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_BICONSUMER: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/BiConsumer;)Ljava/util/concurrent/CompletableFuture;";
const OF_ONE_BY_BIFUNCTION: &str = "(Ljava/util/concurrent/Executor;Ljava/util/function/BiFunction;)Ljava/util/concurrent/CompletableFuture;";
/// Of what a `ForkJoinPool` runs: it is made, handed over, run, and complete by a method that goes by different names from JDK 8 to
/// 25. What is made is handed over at once, but for what is forked. The pool's own class is left alone: it reads its properties when it is initialised.
pub(super) const FORKED: &[Method] = &[
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
pub(super) const TIMER_QUEUE: &[Method] = &[
    on(1, "add", "(Ljava/util/TimerTask;)V", Act::Hand),
    Method {
        given: Given::Result,
        ..one("getMin", "()Ljava/util/TimerTask;", Act::Pick)
    },
    on(0, "removeMin", "()V", Act::Begin),
    on(0, "rescheduleMin", "(J)V", Act::Begin),
];
const OF_TWO: &str = "(Ljava/util/concurrent/CompletableFuture;Ljava/util/concurrent/CompletableFuture$BiCompletion;)V";
/// Waits for the end of a pool: `close` of one that has no own calls this with a day.
const ENDS: Method = limited("awaitTermination", TIMED, Act::Join);
/// Each of its threads counts once, with its end.
pub(super) const POOL: &[Method] = &[
    one(
        "processWorkerExit",
        "(Ljava/util/concurrent/ThreadPoolExecutor$Worker;Z)V",
        Act::CountDown,
    ),
    ENDS,
    one("isTerminated", "()Z", Act::Pass),
];

/// Of an executor that has a thread for each task. These end on their own: what waits for all of them is told, and which they are.
pub(super) const THREADS: &[Method] = &[
    Method {
        count: Count::Thread,
        ..one("start", "(Ljava/lang/Thread;)V", Act::Start)
    },
    ENDS,
    one("isTerminated", "()Z", Act::Pass),
    one("close", "()V", Act::Join),
];

/// Classes whose objects come by the thousand, and are of use for a moment: what completes once, and is waited for.
pub const FUTURES: [&str; 3] = [
    "java.util.concurrent.ThreadPerTaskExecutor",
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.CompletableFuture",
];

/// Classes whose objects, and those of all that extend them, are tasks ([`Subject::Task`](super::Subject::Task)).
pub const TASKS: [&str; 2] = [FORK_JOIN_TASK, "java.util.TimerTask"];

/// Classes of which several tasks are handed over at once, besides arrays: these, and all that extend them.
pub const GROUPS: [&str; 6] = [
    "java.util.AbstractCollection",
    "java.util.Collections$CheckedCollection",
    "java.util.Collections$SynchronizedCollection",
    "java.util.Collections$UnmodifiableCollection",
    "java.util.concurrent.ConcurrentHashMap$CollectionView",
    "java.util.concurrent.CopyOnWriteArrayList",
];

pub(super) const FORK_JOIN_TASK: &str = "java.util.concurrent.ForkJoinTask";
