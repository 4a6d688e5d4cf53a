//! Dumps written by hand of threads that wait, and are on no ring.

use super::tests::{RUN, dump_of, of, thread};
use crate::deadlock::finding::{Tier, Unserved};

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
fn a_pool_of_which_every_thread_waits_for_a_task_is_starved() {
    let worker = |number: u32, method: &str| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x{number}> (a java.util.concurrent.FutureTask)\n\tat java.util.concurrent.FutureTask.{method}(F.java:1)\n\tat app.Main.outer(Main.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n{RUN}"
        );
        thread(
            &format!("pool-1-thread-{number}"),
            number,
            "WAITING (parking)",
            &chain,
        )
    };
    let starved = |second: &str| {
        let text = dump_of("17.0.9+9", &[worker(1, "get"), worker(2, second)]);
        let hang = of(&[&text, &text], &[]).hang.unwrap();
        hang.starved
            .iter()
            .map(|pool| pool.threads.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(starved("get"), [2]);
    assert_eq!(starved("run"), []);
}
