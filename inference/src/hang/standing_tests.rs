//! Dumps written by hand of threads that wait, and are on no ring.

use super::Starved;
use super::tests::{RUN, dump_of, of, thread};
use crate::deadlock::finding::{Kind, Tier, Unserved, What};

/// Two who wait for a lock, and who owns it: nobody, or one that lives.
fn abandoned(release: &str, owned: bool, method: &str) -> String {
    const CLASS: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let owns = |own: bool| match own {
        true => format!("\n   Locked ownable synchronizers:\n\t- <0x7> (a {CLASS})\n"),
        false => "\n   Locked ownable synchronizers:\n\t- None\n".to_owned(),
    };
    let waits = |name: &str, number: u32| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a {CLASS})\n\tat java.util.concurrent.locks.ReentrantLock.{method}(A.java:1)\n\tat app.Main.work(Main.java:1)\n{RUN}{}",
            owns(false)
        );
        let state = match method {
            "tryLock" => "TIMED_WAITING (parking)",
            _ => "WAITING (parking)",
        };
        thread(name, number, state, &chain)
    };
    let busy = format!("\tat app.Main.spin(Main.java:1)\n{RUN}{}", owns(owned));
    let busy = thread("busy", 3, "RUNNABLE", &busy);
    dump_of(release, &[waits("p", 1), waits("q", 2), busy])
}

#[test]
fn a_lock_that_nobody_owns_who_lives_is_never_let_go() {
    let found = |release: &str, owned: bool, method: &str| {
        let text = abandoned(release, owned, method);
        let report = of(&[&text, &text], &[]);
        let findings = report.findings.iter();
        let each: Vec<_> = findings.map(|one| (one.tier, one.unserved)).collect();
        each
    };
    let ended = [(Tier::T4, Some(Unserved::OwnerEnded))];
    assert_eq!(found("17.0.9+9", false, "lock"), ended);
    assert_eq!(found("25.0.1+1", false, "lock"), ended);
    assert_eq!(found("17.0.9+9", true, "lock"), []);
    assert_eq!(found("17.0.9+9", false, "tryLock"), [], "they give up");
    assert_eq!(
        found("21.0.9+9", false, "lock"),
        [],
        "a virtual one may own it"
    );
    let text = abandoned("17.0.9+9", false, "lock");
    let one = of(&[&text], &[]);
    assert_eq!(one.findings, [], "somebody may be about to go on");
    let silent = text.replace("Locked ownable", "Something");
    assert_eq!(of(&[&silent, &silent], &[]).findings, []);
}

/// In both directions a fair queue without places goes through one method.
#[test]
fn who_polls_a_queue_without_places_waits_for_an_item() {
    let wants = |method: &str| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a java.util.concurrent.SynchronousQueue$TransferQueue)\n\tat java.util.concurrent.locks.LockSupport.parkNanos(L.java:1)\n\tat java.util.concurrent.SynchronousQueue$TransferQueue.awaitFulfill(S.java:1)\n\tat java.util.concurrent.SynchronousQueue$TransferQueue.transfer(S.java:1)\n\tat java.util.concurrent.{method}(S.java:1)\n\tat app.Bag.borrow(Bag.java:1)\n{RUN}"
        );
        let text = dump_of(
            "1.8.0_1",
            &[thread("http-1", 1, "TIMED_WAITING (parking)", &chain)],
        );
        let hang = of(&[&text, &text], &[]).hang.unwrap();
        hang.standing[0].wants.name.clone()
    };
    assert_eq!(
        wants("SynchronousQueue.poll"),
        "item of SynchronousQueue in Bag.borrow"
    );
    assert_eq!(
        wants("SynchronousQueue.put"),
        "taker at SynchronousQueue in Bag.borrow"
    );
    assert_eq!(
        wants("LinkedTransferQueue.transfer"),
        "taker at LinkedTransferQueue in Bag.borrow"
    );
}

/// Where a fair lock is busy it is mostly free when the JVM stops, its next owner on his way to it.
#[test]
fn a_fair_lock_is_busy_if_who_waits_for_it_has_run() {
    let text = abandoned("17.0.9+9", false, "lock").replace("NonfairSync", "FairSync");
    let after = |cpu: &str| text.replace(" os_prio=0 ", &format!(" os_prio=0 cpu={cpu}ms "));
    let found = |before: &str, after: &str| {
        let report = of(&[before, after], &[]);
        let each = report.findings.iter();
        let each: Vec<_> = each.map(|one| (one.tier, one.unserved)).collect();
        each
    };
    let ended = |tier| [(tier, Some(Unserved::OwnerEnded))];
    assert_eq!(found(&after("7.25"), &after("7.25")), ended(Tier::T4));
    assert_eq!(found(&after("7.25"), &after("107.25")), []);
    assert_eq!(
        found(&text, &text),
        ended(Tier::T5),
        "no JVM before 11 tells"
    );
    let barging = |text: &str| text.replace("FairSync", "NonfairSync");
    let (then, now) = (barging(&after("7.25")), barging(&after("107.25")));
    assert_eq!(found(&then, &now), []);
    assert_eq!(found(&then, &then), ended(Tier::T4));
}

/// Who owns a lock of `java.util.concurrent` that a virtual thread has no dump tells.
#[test]
fn whoever_may_have_a_lock_is_not_said_to_have_it() {
    const CLASS: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let waits = format!(
        "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a {CLASS})\n\tat java.util.concurrent.locks.ReentrantLock.lock(A.java:1)\n\tat app.Main.work(Main.java:1)\n\t- locked <0x1> (a app.Gate)\n{RUN}"
    );
    let blocked =
        format!("\tat app.Main.other(Main.java:9)\n\t- waiting to lock <0x1> (a app.Gate)\n{RUN}");
    let threads = [
        thread("waits", 1, "WAITING (parking)", &waits),
        thread("innocent", 2, "BLOCKED (on object monitor)", &blocked),
    ];
    let text = dump_of("21.0.9+9", &threads);
    let report = of(&[&text, &text], &[]);
    let [one] = &report.findings[..] else {
        panic!("{report:#?}")
    };
    // No carrier is there on which a virtual thread could go on.
    assert_eq!(one.tier, Tier::T4);
    let held = one.edges.iter().zip(&one.locks);
    let held: Vec<_> = held
        .map(|(edge, lock)| (edge.thread.name.as_str(), lock.what))
        .collect();
    assert_eq!(held, [("waits", What::Lock), ("innocent", What::Release)]);
}

#[test]
fn who_waits_where_is_told_if_there_is_no_deadlock() {
    let text = abandoned("17.0.9+9", true, "lock");
    let hang = of(&[&text, &text], &[]).hang.unwrap();
    let standing: Vec<_> = hang.standing.iter().collect();
    let [one] = &standing[..] else {
        panic!("{standing:?}")
    };
    assert_eq!(
        (one.threads.len(), one.at[0].as_str()),
        (2, "app.Main.work:1")
    );
    assert!(!hang.still, "one runs");
    let alone = text.split("\"busy\"").next().unwrap().to_owned() + "JNI global refs: 1\n";
    assert!(of(&[&alone, &alone], &[]).hang.unwrap().still);
}

#[test]
fn who_waits_each_at_an_object_of_its_own_is_told_so() {
    let waits = |number: u32, object: u32| {
        let chain = format!(
            "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x{object}> (a app.Answer)\n\tat app.Answer.get(Answer.java:1)\n{RUN}"
        );
        thread(
            &format!("asks-{number}"),
            number,
            "WAITING (on object monitor)",
            &chain,
        )
    };
    for (objects, number) in [([1, 2, 3], 3), ([1, 2, 2], 2), ([4, 4, 4], 1)] {
        let threads = [
            waits(1, objects[0]),
            waits(2, objects[1]),
            waits(3, objects[2]),
        ];
        let text = dump_of("17.0.9+9", &threads);
        let hang = of(&[&text, &text], &[]).hang.unwrap();
        let told: Vec<_> = hang
            .standing
            .iter()
            .map(|one| (one.threads.len(), one.objects))
            .collect();
        assert_eq!(told, [(3, number)]);
    }
}

/// Two threads of a pool, the second in this method, and others; what is said of them.
fn pool(result: &str, second: &str, others: &[String]) -> Vec<Starved> {
    pool_at(result, result, second, others)
}

/// The same of those who are parked at this object.
fn pool_at(object: &str, result: &str, second: &str, others: &[String]) -> Vec<Starved> {
    let worker = |number: u32, method: &str| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x{number}> (a java.util.concurrent.{object})\n\tat java.util.concurrent.{result}.{method}(F.java:1)\n\tat app.Main.outer(Main.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n{RUN}"
        );
        thread(
            &format!("pool-1-thread-{number}"),
            number,
            "WAITING (parking)",
            &chain,
        )
    };
    let mut all = vec![worker(1, "get"), worker(2, second)];
    all.extend_from_slice(others);
    let text = dump_of("17.0.9+9", &all);
    of(&[&text, &text], &[]).hang.unwrap().starved
}

#[test]
fn a_pool_of_which_every_thread_waits_for_a_task_is_starved() {
    let [one] = &pool("FutureTask", "get", &[])[..] else {
        panic!()
    };
    assert_eq!((one.threads.len(), one.others.len()), (2, 0));
    assert_eq!(pool("FutureTask", "run", &[]), []);
    // Tasks with a thread each are in no queue.
    let own = "ThreadPerTaskExecutor$ThreadBoundFuture";
    assert_eq!(pool_at(own, "FutureTask", "get", &[]), []);
}

/// Whose results these are no dump says: who else may give them decides how sure that is.
#[test]
fn whoever_else_may_give_the_results_makes_that_doubtful() {
    let within = |name: &str, state: &str, frames: &[&str]| {
        let frames: String = frames
            .iter()
            .map(|f| format!("\tat {f}(X.java:1)\n"))
            .collect();
        thread(name, 9, state, &format!("{frames}{RUN}"))
    };
    let doubt = |result: &str, other: String| {
        let found = pool(result, "get", &[other]);
        (found[0].others.len(), found[0].is_doubtful())
    };
    let (task, future) = ("FutureTask", "CompletableFuture");
    let selects = || {
        within(
            "io",
            "RUNNABLE",
            &["sun.nio.ch.EPoll.wait", "app.Io.select"],
        )
    };
    assert_eq!(doubt(future, selects()), (1, true), "it may complete it");
    assert_eq!(doubt(task, selects()), (1, false), "it runs no task");
    let sleeps = || {
        within(
            "stats",
            "TIMED_WAITING (sleeping)",
            &["java.lang.Thread.sleep", "app.Stats.all"],
        )
    };
    assert_eq!(doubt(future, sleeps()), (1, true), "it may, a round later");
    assert_eq!(doubt(task, sleeps()), (1, false));
    let frames = [
        "java.lang.Thread.sleep",
        "app.Job.call",
        "java.util.concurrent.FutureTask.run",
    ];
    let works = || within("pool-2-thread-1", "TIMED_WAITING (sleeping)", &frames);
    assert_eq!(doubt(task, works()), (1, true));
    let frames = [
        "sun.misc.Unsafe.park",
        "java.util.concurrent.LinkedBlockingQueue.take",
        "java.util.concurrent.ThreadPoolExecutor.getTask",
        "java.util.concurrent.ThreadPoolExecutor.runWorker",
    ];
    let idle = || within("pool-2-thread-1", "WAITING (parking)", &frames);
    assert_eq!(doubt(task, idle()), (0, false), "its queue is empty");
    let frames = [
        "sun.misc.Unsafe.park",
        "java.util.concurrent.CompletableFuture.join",
        "app.Main.main",
    ];
    let waits = || within("main", "WAITING (parking)", &frames);
    assert_eq!(doubt(task, waits()), (0, false));
}

/// One in the initialiser of a class who waits for a result, one who waits for that class, and others.
fn initialising(release: &str, others: &[String]) -> String {
    let waits = "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a java.util.concurrent.FutureTask)\n\tat java.util.concurrent.FutureTask.get(F.java:1)\n\tat app.Main.<clinit>(Main.java:1)\n";
    let note = match release.starts_with('8') {
        true => "",
        false => "\t- waiting on the Class initialization monitor for app.Main\n",
    };
    let task = format!("\tat app.Main$1.call(Main.java:1)\n{note}{RUN}");
    let task = thread("task", 2, "RUNNABLE", &task);
    let task = task.replacen("nid=0x1 x", "nid=0x1 in Object.wait()", 1);
    let main = thread("main", 1, "WAITING (parking)", waits);
    dump_of(release, &[&[main, task], others].concat())
}

#[test]
fn who_initialises_a_class_and_waits_for_who_needs_it_hangs() {
    let found = |release: &str, others: &[String]| {
        let text = initialising(release, others);
        let findings = of(&[&text, &text], &[]).findings;
        let each = findings.iter().map(|one| {
            let names: Vec<&str> = one.locks.iter().map(|lock| lock.name.as_str()).collect();
            assert_eq!(
                names,
                [
                    "initialisation of Main",
                    "result of FutureTask in Main.<clinit>"
                ]
            );
            (one.tier, one.kind)
        });
        each.collect::<Vec<_>>()
    };
    for release in ["8", "17.0.9+9", "21.0.1+1", "25.0.1+1"] {
        assert_eq!(found(release, &[]), [(Tier::T4, Kind::Mixed)], "{release}");
    }
    let busy = thread(
        "busy",
        3,
        "RUNNABLE",
        &format!("\tat app.Main.spin(Main.java:1)\n{RUN}"),
    );
    assert_eq!(found("17.0.9+9", &[busy]), [(Tier::T5, Kind::Mixed)]);
    let carrier = "\tat java.util.concurrent.ForkJoinPool.awaitWork(F.java:1)\n\tat java.util.concurrent.ForkJoinPool.runWorker(F.java:1)\n\tat java.util.concurrent.ForkJoinWorkerThread.run(F.java:1)\n";
    let carrier = thread("ForkJoinPool-1-worker-1", 3, "WAITING (parking)", carrier);
    assert_eq!(found("21.0.1+1", &[carrier]), [(Tier::T5, Kind::Mixed)]);
}

/// A thread of a pool that waits so in a task.
pub(super) fn one_waits(worker: &str, waits: &str, class: &str, number: u32) -> String {
    let chain = format!(
        "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a java.util.concurrent.{class})\n\tat java.util.concurrent.{waits}(F.java:1)\n\tat app.Main.task(Main.java:1)\n{worker}{RUN}"
    );
    let name = format!("biz-{number}");
    thread(&name, number, "WAITING (parking)", &chain)
}

/// Two threads of a pool that wait so in tasks, and others.
fn waiting(
    worker: &str,
    waits: &str,
    class: &str,
    others: &[String],
) -> crate::deadlock::finding::Report {
    let one = |number: u32| one_waits(worker, waits, class, number);
    let all = [&[one(1), one(2)], others].concat();
    let text = measured(&dump_of("17.0.9+9", &all), "7.00");
    of(&[&text, &text], &[])
}

/// The same dump with how long its threads have run.
pub(super) fn measured(text: &str, cpu: &str) -> String {
    text.replace(" os_prio=0 ", &format!(" os_prio=0 cpu={cpu}ms "))
}

const POOLED: &str = "\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n";
const FORKED: &str = "\tat java.util.concurrent.ForkJoinTask.doExec(T.java:1)\n\tat java.util.concurrent.ForkJoinPool.runWorker(T.java:1)\n";

#[test]
fn a_pool_that_waits_for_what_others_do_is_stuck_if_nobody_else_goes_on() {
    let found = |worker: &str, waits: &str, others: &[String]| {
        let report = waiting(worker, waits, "CountDownLatch$Sync", others);
        let each = report.findings.iter().map(|one| (one.tier, one.unserved));
        each.collect::<Vec<_>>()
    };
    let starved = [(Tier::T4, Some(Unserved::Starved))];
    for worker in [POOLED, FORKED] {
        assert_eq!(found(worker, "CountDownLatch.await", &[]), starved);
        assert_eq!(found(worker, "FutureTask.get", &[]), starved);
        assert_eq!(
            found(worker, "LinkedBlockingQueue.take", &[]),
            [],
            "consumers"
        );
        let busy = thread(
            "io",
            9,
            "RUNNABLE",
            &format!("\tat app.Io.select(Io.java:1)\n{RUN}"),
        );
        assert_eq!(
            found(worker, "CountDownLatch.await", &[busy]),
            [],
            "it may count"
        );
    }
    let doubtful = [(Tier::T5, Some(Unserved::Starved))];
    // What one task alone waits for may be the end of the program.
    let alone = |waits: &str| {
        let text = one_waits(POOLED, waits, "CountDownLatch$Sync", 1);
        let text = measured(&dump_of("17.0.9+9", &[text]), "7.00");
        let each = of(&[&text, &text], &[]).findings.into_iter();
        each.map(|one| (one.tier, one.unserved)).collect::<Vec<_>>()
    };
    assert_eq!(alone("CountDownLatch.await"), doubtful);
    let jetty = "\tat org.eclipse.jetty.util.thread.QueuedThreadPool.runJob(Q.java:1)\n";
    assert_eq!(found(jetty, "FutureTask.get", &[]), starved);
    assert_eq!(alone("FutureTask.get"), starved);
    let another =
        format!("\tat java.util.concurrent.ForkJoinPool.managedBlock(F.java:1)\n{FORKED}");
    assert_eq!(
        found(&another, "CountDownLatch.await", &[]),
        [],
        "the pool takes another thread"
    );
}

/// A virtual thread that is blocked on a monitor keeps its carrier before JDK 24.
#[test]
fn virtual_threads_that_stand_on_their_carriers_are_told() {
    let carrier = |number: u32, cpu: u32| {
        format!(
            "\"ForkJoinPool-1-worker-{number}\" #{number} [41{number}] daemon prio=5 os_prio=0 cpu={cpu}.00ms elapsed=3s tid=0x{number}  [0x1]\n   Carrying virtual thread #2{number}\n\tat jdk.internal.vm.Continuation.run(C.java:1)\n\tat java.util.concurrent.ForkJoinPool.runWorker(F.java:1)\n\tat java.util.concurrent.ForkJoinWorkerThread.run(F.java:1)\n\n"
        )
    };
    let dump = |cpu: u32| dump_of("21.0.9+9", &[carrier(1, 5), carrier(2, cpu)]);
    let standing = |cpu: u32| {
        let (before, after) = (dump(5), dump(cpu));
        let carriers = of(&[&before, &after], &[]).hang.unwrap().carriers;
        (carriers.standing.len(), carriers.others)
    };
    assert_eq!(standing(5), (2, 0));
    assert_eq!(standing(6), (1, 1), "that one runs");
}

/// Many who take turns may all be parked at the moments of two dumps.
#[test]
fn who_has_run_between_the_dumps_does_not_stand_still() {
    let one = |number: u32| one_waits(POOLED, "FutureTask.get", "FutureTask", number);
    let text = dump_of("17.0.9+9", &[one(1), one(2)]);
    let hang = |before: &str, after: &str| {
        let [before, after] = [before, after].map(|cpu| measured(&text, cpu));
        let hang = of(&[&before, &after], &[]).hang.unwrap();
        (hang.still, hang.starved.len())
    };
    assert_eq!(hang("7.00", "7.00"), (true, 1));
    assert_eq!(hang("7.00", "7.05"), (false, 0));
}

/// Who reads, and who has a lock without an owner, no dump tells.
#[test]
fn a_lock_of_which_nobody_knows_who_has_it_is_not_let_go_where_nobody_goes_on() {
    let found = |class: &str, method: &str, others: &[String]| {
        let waits = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a {class})\n\tat java.util.concurrent.locks.{method}(A.java:1)\n\tat app.Main.work(Main.java:1)\n{RUN}"
        );
        let all = [&[thread("up", 1, "WAITING (parking)", &waits)], others].concat();
        let text = dump_of("17.0.9+9", &all);
        let found = |before: &str, after: &str| {
            let report = of(&[before, after], &[]);
            let each = report.findings.iter().map(|one| (one.tier, one.unserved));
            each.collect::<Vec<_>>()
        };
        let [then, now] = ["7.00", "7.01"].map(|cpu| measured(&text, cpu));
        assert_eq!(found(&then, &now), [], "it is busy");
        assert_eq!(found(&text, &text), [], "it may be busy");
        found(&then, &then)
    };
    const STAMPED: &str = "java.util.concurrent.locks.StampedLock";
    let write = |others: &[String]| found(STAMPED, "StampedLock.writeLock", others);
    let unknown = [(Tier::T4, Some(Unserved::HolderUnknown))];
    assert_eq!(write(&[]), unknown);
    let busy = format!("\tat app.Main.spin(Main.java:1)\n{RUN}");
    assert_eq!(write(&[thread("busy", 2, "RUNNABLE", &busy)]), []);
    let own = |method: &str| {
        found(
            "app.Mutex",
            &format!("AbstractQueuedSynchronizer.{method}"),
            &[],
        )
    };
    assert_eq!(own("acquire"), unknown);
    assert_eq!(own("acquireShared"), [], "it may be a latch");
    const PERMITS: &str = "java.util.concurrent.Semaphore$NonfairSync";
    let permit = |others: &[String]| {
        let acquire = "AbstractQueuedSynchronizer.acquireSharedInterruptibly";
        found(PERMITS, acquire, others)
    };
    assert_eq!(permit(&[]), [], "it may be the end that it waits for");
    let chain = format!(
        "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a {PERMITS})\n\tat app.Main.work(Main.java:1)\n{RUN}"
    );
    assert_eq!(
        permit(&[thread("too", 2, "WAITING (parking)", &chain)]),
        unknown
    );
    let condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    let queue = |method: &str| {
        let method = format!(
            "LockSupport.park(A.java:1)\n\tat java.util.concurrent.ArrayBlockingQueue.{method}"
        );
        found(condition, &method, &[])
    };
    assert_eq!(queue("put"), [(Tier::T4, Some(Unserved::NoNotifier))]);
    assert_eq!(queue("take"), [], "it has nothing to do");
    let waits = |name: &str, number: u32, method: &str| {
        let chain = format!(
            "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x7> (a app.Buf)\n\tat app.Buf.{method}(B.java:1)\n\t- locked <0x7> (a app.Buf)\n{RUN}"
        );
        thread(name, number, "WAITING (on object monitor)", &chain)
    };
    let monitor = |methods: [&str; 2]| {
        let threads = [waits("p", 1, methods[0]), waits("q", 2, methods[1])];
        let text = measured(&dump_of("17.0.9+9", &threads), "7.00");
        let report = of(&[&text, &text], &[]);
        report
            .findings
            .iter()
            .map(|one| (one.tier, one.unserved))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        monitor(["put", "take"]),
        [(Tier::T4, Some(Unserved::NoNotifier))]
    );
    assert_eq!(monitor(["take", "take"]), [], "they have nothing to do");
}

/// A lock lets in again at once who has it to read: whoever waits to read has it not.
#[test]
fn of_readers_and_a_writer_who_all_wait_the_writer_is_told_first_and_why() {
    const SYNC: &str = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync";
    let waits = |name: &str, number: u32, lock: &str, place: &str| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a {SYNC})\n\tat java.util.concurrent.locks.ReentrantReadWriteLock${lock}.lock(R.java:1)\n\tat app.Prices.{place}(P.java:1)\n{RUN}"
        );
        thread(name, number, "WAITING (parking)", &chain)
    };
    let told = |threads: &[String]| {
        let text = measured(&dump_of("17.0.9+9", threads), "7.00");
        let mut found = of(&[&text, &text], &[]).findings;
        assert_eq!(found.len(), 1, "{found:#?}");
        found.remove(0)
    };
    let all = [
        waits("web-1", 1, "ReadLock", "get"),
        waits("web-2", 2, "ReadLock", "get"),
        waits("maker", 3, "WriteLock", "create"),
    ];
    let finding = told(&all);
    assert_eq!(finding.unserved, Some(Unserved::HolderUnknown));
    let edges = finding.edges.iter();
    let edges: Vec<_> = edges
        .map(|edge| (edge.thread.name.as_str(), edge.mode))
        .collect();
    assert_eq!(edges, [("maker", "exclusive"), ("web-1", "shared")]);
    assert_eq!(finding.remarks[0], "so do: web-2");
    let why = &finding.remarks[1];
    assert!(
        why.ends_with(
            "but maker, who reads it himself and wants to write, or somebody who has ended"
        ),
        "{why}"
    );
    let none = told(&all[..2]).remarks;
    assert!(
        none[1].ends_with("has it, but somebody who has ended"),
        "{none:?}"
    );
    // Permits, stamps and the like count nobody's own.
    let stamped = all.map(|text| text.replace(SYNC, "java.util.concurrent.locks.StampedLock"));
    let remarks = told(&stamped.map(|text| {
        text.replace(
            "ReentrantReadWriteLock$ReadLock.lock",
            "StampedLock.readLock",
        )
    }))
    .remarks;
    assert!(
        !remarks.iter().any(|one| one.contains("let in again")),
        "{remarks:?}"
    );
}

/// The finaliser runs code of the program, and takes its locks.
#[test]
fn who_waits_may_wait_for_the_finaliser() {
    let waits = "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a java.util.concurrent.CountDownLatch$Sync)\n\tat java.util.concurrent.CountDownLatch.await(C.java:1)\n\tat app.Main.main(Main.java:1)\n\t- locked <0x1> (a app.Gate)\n";
    let finaliser = "\tat app.Main.finalize(Main.java:9)\n\t- waiting to lock <0x1> (a app.Gate)\n\tat java.lang.ref.Finalizer$FinalizerThread.run(F.java:1)\n";
    let text = dump_of(
        "17.0.9+9",
        &[
            thread("main", 1, "WAITING (parking)", waits),
            thread("Finalizer", 2, "BLOCKED (on object monitor)", finaliser),
        ],
    );
    let report = of(&[&text, &text], &[]);
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|one| (one.tier, one.kind))
        .collect();
    assert_eq!(found, [(Tier::T4, Kind::NestedWait)], "{report:#?}");
}

/// Each of two pools waits for tasks in the queue of the other one.
#[test]
fn pools_that_wait_for_each_other_are_starved_together() {
    let task = |name: &str, state: &str, top: &str| {
        let chain = format!(
            "{top}\tat app.Bill.sum(Bill.java:1)\n\tat java.util.concurrent.FutureTask.run(F.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n{RUN}"
        );
        thread(name, 9, state, &chain)
    };
    let gets = "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x9> (a java.util.concurrent.FutureTask)\n\tat java.util.concurrent.FutureTask.get(F.java:1)\n";
    let other = || task("pool-2-thread-1", "WAITING (parking)", gets);
    let told = |others: &[String]| {
        let found = pool("FutureTask", "get", others);
        let each = found.iter();
        each.map(|one| (one.others.len(), one.together.len(), one.is_doubtful()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&[other()]), [(0, 1, false), (0, 2, false)]);
    // A third one may serve the one, and that one then the other.
    let third = task("pool-3-thread-1", "RUNNABLE", "");
    assert_eq!(told(&[other(), third]), [(2, 0, true), (3, 0, true)]);
}
