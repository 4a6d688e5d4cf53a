//! Dumps written by hand of somebody who waits and keeps a lock, of whom nobody knows who ends the wait.

use super::tests::{RUN, dump_of, of, thread};
use crate::deadlock::finding::Tier;

const MAIN: &str = "\tat java.lang.Thread.sleep(Native Method)\n\tat app.Main.main(Main.java:1)\n";
const BLOCKED: &str = "\tat app.Main.other(Main.java:9)\n\t- waiting to lock <0x1> (a app.Gate)\n";

fn waits(state: &str, frames: &str) -> String {
    let chain =
        format!("{frames}\tat app.Main.work(Main.java:5)\n\t- locked <0x1> (a app.Gate)\n{RUN}");
    thread("waits", 1, state, &chain)
}

fn parked(class: &str, frames: &[&str]) -> String {
    let frames = frames.iter().map(|f| format!("\tat {f}(X.java:1)\n"));
    let frames: String = frames.collect();
    let top = "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x7> (a java.util.concurrent.";
    waits(
        "WAITING (parking)",
        &format!(
            "{top}{class})\n\tat java.util.concurrent.locks.LockSupport.park(L.java:1)\n{frames}"
        ),
    )
}

/// What is told where this one waits, another one is blocked so, and there is a further thread.
fn told(waits: String, blocked: &str, further: &[String]) -> Vec<Tier> {
    let mut all = vec![
        waits,
        thread(
            "blocked",
            2,
            "BLOCKED (on object monitor)",
            &format!("{blocked}{RUN}"),
        ),
        thread("main", 3, "TIMED_WAITING (sleeping)", MAIN),
    ];
    all.extend_from_slice(further);
    let text = dump_of("17.0.9+9", &all);
    let report = of(&[&text, &text], &[]);
    report.findings.iter().map(|finding| finding.tier).collect()
}

const RESULT: &str = "CompletableFuture$Signaller";
const JOIN: &str = "java.util.concurrent.CompletableFuture.join";
const LATCH: &str = "CountDownLatch$Sync";
const AWAIT: &str = "java.util.concurrent.CountDownLatch.await";

#[test]
fn whoever_is_kept_out_may_be_who_should_end_the_wait() {
    assert_eq!(told(parked(RESULT, &[JOIN]), BLOCKED, &[]), [Tier::T5]);
    assert_eq!(told(parked(LATCH, &[AWAIT]), BLOCKED, &[]), [Tier::T5]);
    let notified = |object: &str, method: &str| {
        let frames = format!(
            "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x9> (a {object})\n\tat {method}(X.java:1)\n\t- locked <0x9> (a {object})\n"
        );
        told(waits("WAITING (on object monitor)", &frames), BLOCKED, &[])
    };
    assert_eq!(notified("app.Box", "app.Box.take"), [Tier::T5]);
    // The end of a process a thread of the JDK's own tells.
    assert_eq!(
        notified("java.lang.ProcessImpl", "java.lang.ProcessImpl.waitFor"),
        []
    );
    assert_eq!(
        notified("java.lang.UNIXProcess", "java.lang.UNIXProcess.waitFor"),
        []
    );
    assert_eq!(
        told(
            parked(LATCH, &[AWAIT, "sun.nio.ch.PendingFuture.get"]),
            BLOCKED,
            &[]
        ),
        []
    );
}

#[test]
fn of_those_who_are_kept_out_whoever_runs_a_task_is_who_gives_its_result() {
    let blocked = |name: &str, number: u32, frames: &str| {
        let chain = format!("{BLOCKED}{frames}{RUN}");
        thread(name, number, "BLOCKED (on object monitor)", &chain)
    };
    let task = "\tat java.util.concurrent.ForkJoinTask.doExec(F.java:1)\n";
    let others = [blocked("metrics", 2, ""), blocked("worker", 3, task)];
    let told = |waits: String| {
        let text = dump_of("17.0.9+9", &[&[waits][..], &others].concat());
        let mut found = of(&[&text, &text], &[]).findings;
        assert_eq!(found.len(), 1, "{found:#?}");
        let finding = found.remove(0);
        let names = finding.edges.iter().map(|edge| edge.thread.name.clone());
        (names.collect::<Vec<_>>(), finding.remarks[0].clone())
    };
    let (names, remark) = told(parked(
        "RecursiveTask",
        &["java.util.concurrent.ForkJoinTask.join"],
    ));
    assert!(names.contains(&"worker".to_owned()), "{names:?}");
    assert!(remark.ends_with("blocked there, too: metrics"), "{remark}");
    let (names, remark) = told(parked(LATCH, &[AWAIT]));
    assert!(names.contains(&"metrics".to_owned()), "{names:?}");
    assert!(remark.ends_with("blocked there, too: worker"), "{remark}");
}

#[test]
fn a_thread_of_the_jdks_own_may_give_a_result() {
    let selects = "\tat sun.nio.ch.EPoll.wait(Native Method)\n\tat jdk.internal.net.http.HttpClientImpl$SelectorManager.run(H.java:1)\n";
    let reaps = format!(
        "\tat java.lang.ProcessHandleImpl.waitForProcessExit0(Native Method)\n\tat java.lang.ProcessHandleImpl$1.run(P.java:1)\n{RUN}"
    );
    for frames in [selects, &reaps] {
        let own = [thread("own", 9, "RUNNABLE", frames)];
        assert_eq!(told(parked(RESULT, &[JOIN]), BLOCKED, &own), []);
        assert_eq!(told(parked(LATCH, &[AWAIT]), BLOCKED, &own), []);
        let item = ["java.util.concurrent.ArrayBlockingQueue.take"];
        let taken = told(
            parked("locks.AbstractQueuedSynchronizer$ConditionObject", &item),
            BLOCKED,
            &own,
        );
        assert_eq!(taken, [Tier::T5], "it puts nothing in a queue");
    }
    let due = format!(
        "\tat sun.misc.Unsafe.park(Native Method)\n\tat java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take(S.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.getTask(T.java:1)\n{RUN}"
    );
    let named = |name: &str| {
        let own = [thread(name, 9, "TIMED_WAITING (parking)", &due)];
        told(parked(RESULT, &[JOIN]), BLOCKED, &own)
    };
    assert_eq!(named("CompletableFutureDelayScheduler"), []);
    assert_eq!(named("ticker"), [Tier::T5]);
}

/// Leader and followers: who is kept out would wait for the same.
#[test]
fn who_wants_to_wait_in_turn_ends_no_wait() {
    let take = || {
        parked(
            "SynchronousQueue$TransferStack",
            &["java.util.concurrent.SynchronousQueue.take"],
        )
    };
    assert_eq!(told(take(), BLOCKED, &[]), [Tier::T5]);
    let follows = BLOCKED.replace("app.Main.other", "app.Main.work");
    assert_eq!(told(take(), &follows, &[]), []);
    let reads = |method: &str| {
        format!(
            "\tat {method}(R.java:1)\n\t- waiting to lock <0x1> (a app.Gate)\n\tat app.Main.reads(Main.java:1)\n"
        )
    };
    let waits = parked(LATCH, &[AWAIT, "java.io.BufferedReader.readLine"]);
    assert_eq!(
        told(
            waits.clone(),
            &reads("java.io.BufferedReader.readLine"),
            &[]
        ),
        []
    );
    assert_eq!(
        told(waits, &reads("java.io.BufferedReader.close"), &[]),
        [Tier::T5]
    );
    // Where nobody else runs it is told all the same.
    let still = thread(
        "main",
        3,
        "WAITING (parking)",
        "\tat sun.misc.Unsafe.park(Native Method)\n\tat app.Main.main(Main.java:1)\n",
    );
    let blocked = thread(
        "blocked",
        2,
        "BLOCKED (on object monitor)",
        &format!("{follows}{RUN}"),
    );
    let text = dump_of("17.0.9+9", &[take(), blocked, still]);
    assert_eq!(of(&[&text, &text], &[]).findings[0].tier, Tier::T4);
}

/// Two who try to get what the other one holds, and give up after a while.
#[test]
fn who_tries_and_has_run_meanwhile_gets_on() {
    const CLASS: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let tries = |name: &str, number: u32, owned: u32, wanted: u32| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x{wanted}> (a {CLASS})\n\tat java.util.concurrent.locks.ReentrantLock.tryLock(A.java:1)\n\tat app.Main.move(Main.java:1)\n{RUN}\n   Locked ownable synchronizers:\n\t- <0x{owned}> (a {CLASS})\n"
        );
        thread(name, number, "TIMED_WAITING (parking)", &chain)
    };
    let text = dump_of("17.0.9+9", &[tries("p", 1, 1, 2), tries("q", 2, 2, 1)]);
    let after = |cpu: &str| text.replace(" os_prio=0 ", &format!(" os_prio=0 cpu={cpu}ms "));
    let found = |before: &str, after: &str| {
        let report = of(&[before, after], &[]);
        let findings = report.findings.iter();
        let each = findings.map(|one| (one.tier, one.stall, one.patterns));
        each.collect::<Vec<_>>()
    };
    assert_eq!(
        found(&text, &text),
        [(Tier::T5, true, 1)],
        "told once, and it is not known"
    );
    assert_eq!(found(&after("1.00"), &after("1.00")), [(Tier::T4, true, 1)]);
    assert_eq!(found(&after("1.00"), &after("1.05")), [(Tier::T5, true, 1)]);
}

/// Up to JDK 21 one of those who are blocked looks at the monitor again from time to time.
#[test]
fn who_is_blocked_and_looks_again_has_not_gone_on() {
    let blocked = format!("{BLOCKED}{RUN}");
    let all = [
        parked(RESULT, &[JOIN]),
        thread("blocked", 2, "BLOCKED (on object monitor)", &blocked),
    ];
    let text = dump_of("17.0.9+9", &all).replace(" os_prio=0 ", " os_prio=0 cpu=7.00ms ");
    let tier = |name: &str, cpu: &str| {
        let (before, of_name) = text.split_once(&format!("\"{name}\"")).unwrap();
        let of_name = of_name.replacen("cpu=7.00ms", &format!("cpu={cpu}ms"), 1);
        let later = format!("{before}\"{name}\"{of_name}");
        of(&[&text, &later], &[]).findings[0].tier
    };
    assert_eq!(tier("blocked", "7.00"), Tier::T4);
    assert_eq!(tier("blocked", "7.06"), Tier::T4);
    assert_eq!(tier("blocked", "9.00"), Tier::T5);
    assert_eq!(tier("waits", "7.06"), Tier::T5, "it had a look of its own");
}
