//! Dumps written by hand of threads of pools that have nothing to do.

use super::tests::{RUN, dump_of, of, thread};
use crate::deadlock::finding::{Finding, Kind, Tier, Unserved};

const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
const PARKED: &str = "WAITING (parking)";
const WORKS: &str = "\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor$Worker.run(T.java:1)\n";
const ASKS: &str = "\tat java.util.concurrent.LinkedBlockingQueue.take(L.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.getTask(T.java:1)\n";

fn owning(owned: &str) -> String {
    format!("\n   Locked ownable synchronizers:\n\t- {owned}\n")
}

fn parked(class: &str, at: &str) -> String {
    format!(
        "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x{at}> (a {class})\n\tat java.util.concurrent.locks.LockSupport.park(L.java:1)\n"
    )
}

/// The chain of a thread of a pool that waits for a task.
fn idle() -> String {
    format!("{}{ASKS}{WORKS}", parked(CONDITION, "9"))
}

/// Who has the lock stands so, and another one wants it.
fn with_holder(state: &str, chain: &str) -> Vec<Finding> {
    let held = format!("{chain}{RUN}{}", owning(&format!("<0x7> (a {LOCK})")));
    let wants = format!(
        "{}\tat java.util.concurrent.locks.ReentrantLock.lock(L.java:1)\n\tat app.Bill.charge(Bill.java:5)\n{RUN}{}",
        parked(LOCK, "7"),
        owning("None")
    );
    let spins = format!("\tat app.Main.spin(Main.java:1)\n{RUN}{}", owning("None"));
    let text = dump_of(
        "17.0.9+9",
        &[
            thread("pool-1-thread-1", 1, state, &held),
            thread("http", 2, PARKED, &wants),
            thread("busy", 3, "RUNNABLE", &spins),
        ],
    );
    of(&[&text, &text], &[]).findings
}

fn is_left(found: &[Finding]) -> bool {
    let [one] = found else { return false };
    let told = (one.tier, one.kind, one.unserved);
    told == (Tier::T4, Kind::UnservedWaiter, Some(Unserved::OwnerIdle))
}

#[test]
fn what_an_idle_thread_of_a_pool_holds_nobody_gives_back() {
    let found = with_holder(PARKED, &idle());
    assert!(is_left(&found), "{found:#?}");
    assert_eq!(found[0].locks[0].name, "ReentrantLock in Bill.charge");
    assert_eq!(found[0].edges[0].thread.name, "http");
    let of = |word: &str| found[0].remarks.iter().any(|said| said.contains(word));
    assert!(
        of("pool-1-thread-1") && of("ThreadPoolExecutor.getTask"),
        "{found:#?}"
    );
    // Keeping alive for a time only, it takes the lock with it when it ends.
    assert!(is_left(&with_holder("TIMED_WAITING (parking)", &idle())));
}

/// A pool whose threads hold it by design keeps others standing by.
#[test]
fn what_is_held_around_all_tasks_is_less_sure() {
    let around = format!("{}\tat app.Leader.run(Leader.java:1)\n", idle());
    let monitor = format!("{around}\t- locked <0x5> (a app.Gate)\n");
    for chain in [around, monitor] {
        let found = with_holder(PARKED, &chain);
        let told = (found[0].tier, found[0].unserved);
        assert_eq!(told, (Tier::T5, Some(Unserved::OwnerIdle)), "{found:#?}");
    }
}

#[test]
fn so_is_what_others_hold_that_wait_for_work() {
    let node = "java.util.concurrent.SynchronousQueue$TransferStack";
    let cached = format!(
        "{}\tat java.util.concurrent.SynchronousQueue$TransferStack.transfer(S.java:1)\n\tat java.util.concurrent.SynchronousQueue.poll(S.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.getTask(T.java:1)\n{WORKS}",
        parked(node, "9")
    );
    let scan = "\tat java.util.concurrent.ForkJoinPool.awaitWork(F.java:1)\n\tat java.util.concurrent.ForkJoinPool.runWorker(F.java:1)\n";
    let forked = format!("{}{scan}", parked("java.util.concurrent.ForkJoinPool", "9"));
    let tomcat = format!(
        "{}\tat java.util.concurrent.LinkedBlockingQueue.take(L.java:1)\n\tat org.apache.tomcat.util.threads.TaskQueue.take(T.java:1)\n\tat org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask(T.java:1)\n",
        parked(CONDITION, "9")
    );
    for chain in [cached, forked, tomcat] {
        assert!(is_left(&with_holder(PARKED, &chain)), "{chain}");
    }
    let timer = "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x9> (a java.util.TaskQueue)\n\tat java.lang.Object.wait(O.java:1)\n\tat java.util.TimerThread.mainLoop(T.java:1)\n\t- locked <0x9> (a java.util.TaskQueue)\n\tat java.util.TimerThread.run(T.java:1)\n";
    assert!(is_left(&with_holder("WAITING (on object monitor)", timer)));
}

#[test]
fn who_has_a_task_or_a_loop_of_its_own_is_not_idle() {
    let task = format!("\tat app.Bill.pay(Bill.java:5)\n{WORKS}");
    assert_eq!(with_holder("RUNNABLE", &task), [], "it runs");
    // A consumer of the program's own: it may be one that is blocked there who is to bring something.
    let own = format!(
        "{}\tat java.util.concurrent.LinkedBlockingQueue.take(L.java:1)\n\tat app.Bill.next(Bill.java:9)\n",
        parked(CONDITION, "9")
    );
    for chain in [own.clone(), format!("{own}{WORKS}")] {
        let found = with_holder(PARKED, &chain);
        let told: Vec<_> = found.iter().map(|one| (one.tier, one.kind)).collect();
        assert_eq!(told, [(Tier::T5, Kind::NestedWait)], "{found:#?}");
        let names: Vec<_> = found[0]
            .locks
            .iter()
            .map(|lock| lock.name.as_str())
            .collect();
        assert!(
            names.contains(&"item of LinkedBlockingQueue in Bill.next"),
            "{names:?}"
        );
    }
    // It waits for the lock of the queue, and goes on when it gets it.
    let at_queue = format!("{}{ASKS}{WORKS}", parked(LOCK, "6"));
    let found = with_holder(PARKED, &at_queue);
    let idle = Some(Unserved::OwnerIdle);
    assert!(found.iter().all(|one| one.unserved != idle), "{found:#?}");
    // A task that waits under a class of the JDK's.
    let within = format!(
        "\tat java.lang.Thread.sleep(Native Method)\n\tat java.util.concurrent.FutureTask.run(F.java:1)\n{WORKS}"
    );
    assert_eq!(with_holder("TIMED_WAITING (sleeping)", &within), []);
}

#[test]
fn what_the_jdk_waits_for_is_called_by_the_method_that_waits() {
    let name = |class: &str, method: &str, object: &str| {
        let chain = format!(
            "{}\tat java.util.concurrent.{class}.{method}(X.java:1)\n\tat app.Main.work(Main.java:1)\n{RUN}{}",
            parked(object, "7"),
            owning("None")
        );
        let text = dump_of("17.0.9+9", &[thread("one", 1, PARKED, &chain)]);
        let hang = of(&[&text, &text], &[]).hang.unwrap();
        hang.standing[0].wants.name.clone()
    };
    let at = |what: &str| format!("{what} in Main.work");
    for (class, method, what) in [
        ("LinkedBlockingQueue", "take", "item of LinkedBlockingQueue"),
        (
            "ArrayBlockingQueue",
            "put",
            "free place of ArrayBlockingQueue",
        ),
        (
            "LinkedBlockingDeque",
            "takeFirst",
            "item of LinkedBlockingDeque",
        ),
        (
            "CyclicBarrier",
            "dowait",
            "arrival of others at CyclicBarrier",
        ),
        (
            "ThreadPoolExecutor",
            "awaitTermination",
            "termination of ThreadPoolExecutor",
        ),
        ("Other", "work", "signal of AbstractQueuedSynchronizer"),
    ] {
        assert_eq!(name(class, method, CONDITION), at(what));
    }
    let node = "java.util.concurrent.SynchronousQueue$TransferStack";
    assert_eq!(
        name("SynchronousQueue", "put", node),
        at("taker at SynchronousQueue")
    );
    let phase = "java.util.concurrent.Phaser$QNode";
    assert_eq!(
        name("Phaser", "internalAwaitAdvance", phase),
        at("arrival of others at Phaser")
    );
}

/// What takes a lock in one task may give it back in a later one.
#[test]
fn a_task_that_is_due_may_give_back_what_an_idle_thread_holds() {
    let queue = "ScheduledThreadPoolExecutor$DelayedWorkQueue.take";
    let idle = idle().replace("LinkedBlockingQueue.take", queue);
    assert!(is_left(&with_holder(PARKED, &idle)), "nothing is due");
    let found = with_holder("TIMED_WAITING (parking)", &idle);
    let told = (found[0].tier, found[0].unserved);
    assert_eq!(told, (Tier::T5, Some(Unserved::OwnerIdle)), "{found:#?}");
}
