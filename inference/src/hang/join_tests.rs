//! Whose end a `join` waits for: what the class of the thread tells, and what stays open.

use super::tests::{RUN, dump_of, of, thread};
use crate::deadlock::finding::{Finding, Kind, Report, Tier};

const WAITING: &str = "WAITING (on object monitor)";
const DISPATCHER: &str = "\tat app.Dispatcher.run(D.java:1)\n";

/// The chain of who waits for the end of a thread of a class, above other frames.
fn joining(class: &str, below: &str) -> String {
    format!(
        "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x5{0}> (a {class})\n\tat java.lang.Thread.join(Thread.java:1)\n\t- locked <0x5{0}> (a {class})\n\tat app.Main.close(Main.java:1)\n{below}",
        class.len()
    )
}

/// Who keeps a lock and waits for the end of a thread of a class.
fn keeper(class: &str) -> String {
    let kept = format!("\t- locked <0x1> (a app.Gate)\n{RUN}");
    thread("keeper", 14, WAITING, &joining(class, &kept))
}

/// Who is blocked on that lock, and began with this method.
fn kept_out(name: &str, number: u32, first: &str) -> String {
    let chain =
        format!("\tat app.Main.work(Main.java:1)\n\t- waiting to lock <0x1> (a app.Gate)\n{first}");
    thread(name, number, "BLOCKED (on object monitor)", &chain)
}

fn main_joins_a_thread() -> String {
    let chain = joining("java.lang.Thread", "\tat app.Main.main(Main.java:1)\n");
    thread("main", 1, WAITING, &chain)
}

fn report(threads: &[String]) -> Report {
    let text = dump_of("17.0.9+9", threads);
    of(&[&text, &text], &[])
}

fn one(report: &Report) -> &Finding {
    let [finding] = &report.findings[..] else {
        panic!("{report:#?}")
    };
    finding
}

fn locks(finding: &Finding) -> Vec<&str> {
    finding
        .locks
        .iter()
        .map(|lock| lock.name.as_str())
        .collect()
}

#[test]
fn the_class_of_the_thread_tells_which_it_is() {
    let threads = [
        main_joins_a_thread(),
        kept_out("disp", 12, DISPATCHER),
        keeper("app.Dispatcher"),
    ];
    let report = report(&threads);
    let finding = one(&report);
    assert_eq!((finding.tier, finding.kind), (Tier::T0, Kind::Join));
    assert_eq!(locks(finding), ["Gate", "end of disp"]);
    let hang = report.hang.as_ref().unwrap();
    let [(_, behind)] = &hang.behind[..] else {
        panic!("{hang:#?}")
    };
    assert_eq!(behind[0].wants.name, "end of keeper");
}

#[test]
fn so_it_does_while_another_thread_may_interrupt() {
    let sleeps = format!("\tat java.lang.Thread.sleep(Native Method)\n{RUN}");
    let threads = [
        thread("sleeper", 3, "TIMED_WAITING (sleeping)", &sleeps),
        kept_out("disp", 12, DISPATCHER),
        keeper("app.Dispatcher"),
    ];
    let report = report(&threads);
    let finding = one(&report);
    assert_eq!(
        (finding.tier, locks(finding)),
        (Tier::T4, vec!["Gate", "end of disp"])
    );
    assert!(finding.remarks[0].starts_with("an interrupt could free it"));
}

/// A subclass need not declare `run`, and who began with that of `Thread` may be of any.
#[test]
fn of_two_that_it_may_be_none_is_named() {
    let threads = [
        kept_out("one", 12, RUN),
        kept_out("two", 13, "\tat app.Worker.run(W.java:1)\n"),
        kept_out("main", 1, "\tat app.Main.main(Main.java:1)\n"),
        keeper("app.Named"),
    ];
    let report = report(&threads);
    let finding = one(&report);
    assert_eq!(finding.tier, Tier::T0, "whichever it is");
    assert_eq!(locks(finding), ["Gate", "end of a thread"]);
    let said = "which thread is waited for no dump says: it is one of one, two, and all of these are stuck";
    assert_eq!(finding.remarks, [said]);
    let apart = [kept_out("two", 13, DISPATCHER), keeper("app.Named")];
    assert_eq!(one(&self::report(&apart)).tier, Tier::T0, "the only one");
}

#[test]
fn who_can_only_be_behind_a_certain_ring_makes_none_of_its_own() {
    let handler = |number: u32| {
        let chain = format!(
            "\tat app.Main.exit(Main.java:1)\n\t- waiting to lock <0x9> (a app.Shutdown)\n{RUN}"
        );
        thread("handler", number, "BLOCKED (on object monitor)", &chain)
    };
    let ends = joining(
        "java.lang.Thread",
        "\t- locked <0x9> (a app.Shutdown)\n\tat app.Main.main(Main.java:1)\n",
    );
    let threads = [
        thread("main", 1, WAITING, &ends),
        handler(17),
        handler(18),
        kept_out("disp", 12, DISPATCHER),
        keeper("app.Dispatcher"),
    ];
    let report = report(&threads);
    assert_eq!(locks(one(&report)), ["Gate", "end of disp"]);
    let (_, behind) = &report.hang.as_ref().unwrap().behind[0];
    let main = behind.iter().find(|one| one.thread.name == "main").unwrap();
    assert_eq!(
        (main.wants.name.as_str(), main.wants.id.as_str()),
        ("end of a thread", "")
    );
}

#[test]
fn the_only_thread_of_a_program_that_waits_for_an_end_waits_for_its_own() {
    let alone = report(&[main_joins_a_thread()]);
    let finding = one(&alone);
    assert_eq!((finding.tier, finding.kind), (Tier::T0, Kind::Join));
    assert_eq!(locks(finding), ["end of main"]);
    let worker = thread("worker", 12, "RUNNABLE", RUN);
    assert_eq!(report(&[main_joins_a_thread(), worker]).findings, []);
    let of_another = thread(
        "main",
        1,
        WAITING,
        &joining("app.Named", "\tat app.Main.main(Main.java:1)\n"),
    );
    assert_eq!(
        report(&[of_another]).findings,
        [],
        "none of this class is there"
    );
}

/// The first frame of a deep chain is not shown.
#[test]
fn a_thread_whose_first_frame_is_missing_may_be_of_any_class() {
    let deep = format!("{}{RUN}", "\tat app.X.deep(App.java:1)\n".repeat(1024));
    let threads = [
        thread("deep", 3, "RUNNABLE", &deep),
        kept_out("disp", 12, DISPATCHER),
        keeper("app.Dispatcher"),
    ];
    assert_eq!(one(&report(&threads)).tier, Tier::T5);
}

/// A thread that ends no longer shows the `run` that it began with.
#[test]
fn who_is_about_to_end_may_be_who_is_waited_for() {
    let ends = |method: &str| {
        let first = format!("\tat java.lang.Thread.{method}(Thread.java:1)\n");
        let chain = format!("\tat app.Handler.read(Native Method)\n{first}");
        let threads = [
            main_joins_a_thread(),
            kept_out("disp", 12, DISPATCHER),
            thread("disp-2", 13, "RUNNABLE", &chain),
            keeper("app.Dispatcher"),
        ];
        one(&report(&threads)).tier
    };
    assert_eq!(ends("dispatchUncaughtException"), Tier::T5);
    assert_eq!(ends("exit"), Tier::T5);
    assert_eq!(ends("run"), Tier::T4, "a thread of another class");
}

/// One moment shows a thread that has been woken, and has not run yet, as waiting.
#[test]
fn of_one_dump_a_join_may_be_over() {
    let threads = [
        main_joins_a_thread(),
        kept_out("disp", 12, DISPATCHER),
        keeper("app.Dispatcher"),
    ];
    let text = dump_of("17.0.9+9", &threads);
    let tier = |dumps: &[&str]| one(&of(dumps, &[])).tier;
    assert_eq!(
        (tier(&[&text, &text]), tier(&[&text])),
        (Tier::T0, Tier::T4)
    );
}

/// The first thread waits for one of those who wait for each other: it may be on a ring with one of them, and is more likely behind theirs.
#[test]
fn the_first_thread_hangs_behind_those_who_join_each_other() {
    let joins =
        |name: &str, number: u32| thread(name, number, WAITING, &joining("java.lang.Thread", RUN));
    let threads = [
        main_joins_a_thread(),
        joins("fetch", 11),
        joins("parse", 12),
    ];
    let report = report(&threads);
    let finding = one(&report);
    let names: Vec<_> = finding
        .edges
        .iter()
        .map(|edge| edge.thread.name.as_str())
        .collect();
    assert_eq!((finding.tier, names), (Tier::T0, vec!["fetch", "parse"]));
    let hang = report.hang.as_ref().unwrap();
    assert_eq!(hang.behind[0].1[0].thread.name, "main");
}
