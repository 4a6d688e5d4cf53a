//! Many pools that wait.

use super::standing_tests::{measured, one_waits};
use super::tests::{dump_of, of, thread};
use crate::deadlock::finding::{Report, Tier};

const POOLED: &str = "\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n";

/// So many pools of one thread each, which waits so, and others.
fn pools(number: u32, waits: &str, class: &str, others: &[String]) -> Report {
    let one = |ix: u32| {
        let text = one_waits(POOLED, waits, class, ix);
        text.replace(&format!("biz-{ix}"), &format!("tenant-{ix}-thread-1"))
    };
    let all: Vec<String> = (1..=number).map(one).chain(others.to_vec()).collect();
    let text = measured(&dump_of("17.0.9+9", &all), "7.00");
    of(&[&text, &text], &[])
}

/// What is said: how many pools, threads, others and threads of others like it each time, and whether it is doubtful.
fn told(report: &Report) -> Vec<(usize, usize, usize, usize, bool)> {
    let starved = report.hang.iter().flat_map(|hang| &hang.starved);
    let told = starved.map(|one| {
        let (threads, others) = (one.threads.len(), one.others.len());
        let doubtful = one.is_doubtful();
        (one.pools, threads, others, one.together.len(), doubtful)
    });
    told.collect()
}

fn tiers(report: &Report) -> Vec<Tier> {
    report.findings.iter().map(|one| one.tier).collect()
}

#[test]
fn few_pools_alike_are_told_one_by_one_and_many_together() {
    let few = pools(8, "FutureTask.get", "FutureTask", &[]);
    assert_eq!(told(&few), [(1, 1, 0, 7, false); 8]);
    let many = pools(9, "FutureTask.get", "FutureTask", &[]);
    assert_eq!(told(&many), [(9, 9, 0, 0, false)]);
    assert_eq!(tiers(&few), tiers(&many));
    assert_eq!(tiers(&many), [Tier::T4]);
}

#[test]
fn one_who_is_in_a_task_may_serve_all_of_them() {
    let run =
        "\tat java.util.concurrent.FutureTask.run(F.java:1)\n\tat app.Main.run(Main.java:1)\n";
    let works = format!("\tat app.Job.call(Job.java:1)\n{run}");
    let works = || thread("main", 99, "RUNNABLE", &works);
    let few = pools(2, "FutureTask.get", "FutureTask", &[works()]);
    assert_eq!(told(&few), [(1, 1, 2, 0, true); 2]);
    let many = pools(9, "FutureTask.get", "FutureTask", &[works()]);
    assert_eq!(told(&many), [(9, 9, 10, 0, true)]);
    assert_eq!(tiers(&many), []);
}

#[test]
fn latches_of_servers_are_no_deadlock_however_many_they_are() {
    let many = pools(9, "CountDownLatch.await", "CountDownLatch$Sync", &[]);
    assert_eq!(tiers(&many), [Tier::T5]);
}

/// A barrier for more than the pool has threads: who waits for the pool to end is none who comes there.
#[test]
fn who_waits_for_the_end_of_a_pool_serves_nobody() {
    let ends = "\tat sun.misc.Unsafe.park(Native Method)\n\tat java.util.concurrent.ThreadPoolExecutor.awaitTermination(T.java:1)\n\tat app.Main.main(Main.java:1)\n";
    let main = || thread("main", 99, "TIMED_WAITING (parking)", ends);
    let one = pools(1, "CyclicBarrier.await", "CyclicBarrier", &[main()]);
    assert_eq!(told(&one), [(1, 1, 0, 0, false)]);
    assert_eq!(tiers(&one), []);
    let sleeps = "\tat java.lang.Thread.sleep(Native Method)\n\tat app.Main.main(Main.java:1)\n";
    let sleeper = || thread("main", 99, "TIMED_WAITING (sleeping)", sleeps);
    let one = pools(1, "CyclicBarrier.await", "CyclicBarrier", &[sleeper()]);
    assert_eq!(told(&one), []);
}
