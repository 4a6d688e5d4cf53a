use super::*;
use crate::deadlock::finding::{Finding, Kind, Tier};
use crate::sample::dump::{Dumps, json};
use proptest::prelude::*;

macro_rules! of_each_jdk {
    ($name:literal) => {
        [
            (
                "8",
                include_str!(concat!("../../tests/dumps/hang/", $name, "-8.txt")),
            ),
            (
                "11",
                include_str!(concat!("../../tests/dumps/hang/", $name, "-11.txt")),
            ),
            (
                "17",
                include_str!(concat!("../../tests/dumps/hang/", $name, "-17.txt")),
            ),
            (
                "21",
                include_str!(concat!("../../tests/dumps/hang/", $name, "-21.txt")),
            ),
            (
                "25",
                include_str!(concat!("../../tests/dumps/hang/", $name, "-25.txt")),
            ),
        ]
    };
}

fn dumps(text: &str) -> Vec<Dump> {
    Dumps::read(text).dumps
}

pub(super) fn of(texts: &[&str], files: &[&str]) -> Report {
    let dumps: Vec<Dump> = texts.iter().flat_map(|text| dumps(text)).collect();
    let files: Vec<Dump> = files.iter().filter_map(|text| json::read(text)).collect();
    explain(&Evidence {
        dumps: &dumps,
        files: &files,
        ..Evidence::default()
    })
}

fn one(report: &Report) -> &Finding {
    let [finding] = &report.findings[..] else {
        panic!("{report:#?}")
    };
    finding
}

fn threads(finding: &Finding) -> Vec<&str> {
    let names = finding.edges.iter().map(|edge| edge.thread.name.as_str());
    names.collect()
}

#[test]
fn a_monitor_and_a_lock_taken_in_both_orders_are_a_deadlock() {
    let mut ids = Vec::new();
    for (jdk, text) in of_each_jdk!("mixed") {
        let report = of(&[text, text], &[]);
        let finding = one(&report);
        assert_eq!(
            (finding.tier, finding.kind),
            (Tier::T0, Kind::Order),
            "{jdk}"
        );
        assert_eq!(threads(finding), ["inward", "outward"], "{jdk}");
        assert_eq!(finding.edges[0].holds_at[0], "MixedRing.inward", "{jdk}");
        assert_eq!(
            finding.edges[1].wants_at[0], "MixedRing.outward:18",
            "{jdk}"
        );
        ids.push(finding.id.clone());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "the same on every JDK: {ids:?}");
}

#[test]
fn so_are_two_initialisers_that_need_each_other() {
    for (jdk, text) in of_each_jdk!("init") {
        let report = of(&[text, text], &[]);
        let finding = one(&report);
        assert_eq!(
            (finding.tier, finding.kind),
            (Tier::T0, Kind::ClassInit),
            "{jdk}"
        );
        assert_eq!(threads(finding), ["cook", "waiter"], "{jdk}");
        assert_eq!(
            finding.locks[0].name, "initialisation of InitRing.Kitchen",
            "{jdk}"
        );
    }
}

#[test]
fn a_join_is_certain_if_all_that_could_be_meant_are_stuck() {
    for (jdk, text) in of_each_jdk!("join") {
        let report = of(&[text, text], &[]);
        let finding = one(&report);
        assert_eq!(
            (finding.tier, finding.kind),
            (Tier::T0, Kind::Join),
            "{jdk}"
        );
        assert_eq!(threads(finding), ["main", "painter"], "{jdk}");
        // One more that may end, and it is only suspected.
        let radio = "\"radio\" #77 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat app.Radio.play(Radio.java:1)\n\tat java.lang.Thread.run(Thread.java:1)\n\n";
        let more = text.replacen("\"painter\"", &format!("{radio}\"painter\""), 1);
        let report = of(&[&more], &[]);
        assert_eq!(one(&report).tier, Tier::T5, "{jdk}");
    }
}

#[test]
fn without_owners_the_search_of_the_jvm_itself_is_believed() {
    for (jdk, text) in of_each_jdk!("mixed") {
        let from = |text: &str, begin: &str| text.find(begin).unwrap_or(text.len());
        let unowned: String = text
            .lines()
            .filter(|line| !line.contains("Locked ownable") && !line.starts_with("\t- <0x"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(one(&of(&[&unowned], &[])).tier, Tier::T0, "{jdk}");
        let unsearched = &unowned[..from(&unowned, "Found one")];
        let report = of(&[unsearched], &[]);
        assert!(
            report.findings.iter().all(|f| f.tier > Tier::T0),
            "{jdk}: {report:#?}"
        );
        assert!(
            report.notes[0].contains("who owns locks"),
            "{jdk}: {report:#?}"
        );
    }
}

/// What one moment shows of locks no earlier dump takes back; what it shows of anything else has to last.
#[test]
fn a_ring_of_locks_needs_one_dump_and_all_else_two() {
    for (jdk, text) in of_each_jdk!("mixed") {
        let before = text.replace("MixedRing.java:18", "MixedRing.java:17");
        let report = of(&[&before, text], &[]);
        assert_eq!(one(&report).tier, Tier::T0, "{jdk}: {report:#?}");
        assert_eq!(report.hang.unwrap().moved, 1, "{jdk}");
        // Not the other way round: what formed later was not there before.
        let free = text
            .lines()
            .filter(|line| !line.contains("- waiting to lock"));
        let free: Vec<&str> = free.collect();
        let report = of(&[text, &free.join("\n")], &[]);
        assert_eq!(report.findings.len(), 0, "{jdk}: {report:#?}");
    }
    for (jdk, text) in of_each_jdk!("init") {
        let moved = |line: &str| line.replace(".java:", ".java:1");
        let before: Vec<String> = text.lines().map(moved).collect();
        let report = of(&[&before.join("\n"), text], &[]);
        assert_eq!(report.findings.len(), 0, "{jdk}: {report:#?}");
    }
}

#[test]
fn virtual_threads_are_told_where_the_jvm_tells() {
    let text = include_str!("../../tests/dumps/hang/vmon-25.txt");
    let file = include_str!("../../tests/dumps/hang/vmon-25.json");
    let report = of(&[text], &[file, file]);
    assert_eq!(threads(one(&report)), ["borrower", "lender"]);
    assert_eq!(one(&report).tier, Tier::T0);
    let others = file.replace("VirtualRing$Shelf@3c8f13b", "VirtualRing$Shelf@1");
    let moved = of(&[text], &[&others, file]);
    assert_eq!(moved.findings.len(), 0, "at other objects: {moved:#?}");
    let once = of(&[text], &[file]);
    assert_eq!(one(&once).tier, Tier::T4, "threads at different moments");
    for (file, states) in [
        (include_str!("../../tests/dumps/hang/vlock-25.json"), true),
        (include_str!("../../tests/dumps/hang/vmon-21.json"), false),
    ] {
        let report = of(&[], &[file, file]);
        let untold = report.hang.as_ref().unwrap().untold;
        assert_eq!(untold == 2, states, "those of platform threads as well");
        let mut notes = report.notes.iter();
        let chains = notes.any(|note| note.contains("call chains and nothing else"));
        assert_eq!(chains, !states, "{report:#?}");
        assert_eq!(report.findings.len(), 0, "{report:#?}");
        assert_eq!(report.hang.as_ref().unwrap().virtual_threads, Some(2));
        assert!(
            report.notes[0].starts_with("of 2 virtual threads"),
            "{report:#?}"
        );
    }
}

#[test]
fn of_a_file_that_is_cut_off_it_is_said() {
    let file = include_str!("../../tests/dumps/hang/vmon-25.json");
    let end = file.len() * 70 / 100;
    let report = of(&[], &[&file[..end]]);
    let hang = report.hang.unwrap();
    assert!(hang.is_cut && hang.virtual_threads.is_none(), "{hang:#?}");
    let cut = report.notes.iter().any(|note| note.contains("cut off"));
    assert!(cut, "{:?}", report.notes);
    assert!(!of(&[], &[file]).hang.unwrap().is_cut);
}

pub(super) const RUN: &str = "\tat java.lang.Thread.run(Thread.java:1)\n";

pub(super) fn thread(name: &str, number: u32, state: &str, chain: &str) -> String {
    format!(
        "\"{name}\" #{number} prio=5 os_prio=0 tid=0x1 nid=0x1 x\n   java.lang.Thread.State: {state}\n{chain}\n"
    )
}

pub(super) fn dump_of(release: &str, threads: &[String]) -> String {
    let threads = threads.concat();
    format!(
        "Full thread dump OpenJDK 64-Bit Server VM ({release} mixed mode):\n\n{threads}JNI global refs: 1\n"
    )
}

const MAIN: &str = "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x5> (a java.lang.Thread)\n\tat java.lang.Thread.join(Thread.java:1)\n\t- locked <0x5> (a java.lang.Thread)\n\tat app.Main.main(Main.java:1)\n\t- locked <0x1> (a app.Gate)\n";

/// Somebody who waits for the end of who is blocked on what he has, and another thread, or text in its place.
fn joining(release: &str, other: &str) -> String {
    let worker =
        format!("\tat app.Main.work(Main.java:1)\n\t- waiting to lock <0x1> (a app.Gate)\n{RUN}");
    let threads = [
        thread("main", 1, "WAITING (on object monitor)", MAIN),
        thread("worker", 2, "BLOCKED (on object monitor)", &worker),
        other.to_owned(),
    ];
    dump_of(release, &threads)
}

/// Of what dumps show that are all alike.
fn tiers(texts: &[&str]) -> Vec<Tier> {
    let report = of(&texts.repeat(2), &[]);
    report.findings.iter().map(|finding| finding.tier).collect()
}

#[test]
fn a_join_is_suspected_only_if_any_thread_is_missing() {
    assert_eq!(tiers(&[&joining("17.0.9+9", "")]), [Tier::T0]);
    let sleeps = format!("\tat java.lang.Thread.sleep(Native Method)\n{RUN}");
    let sleeper = |name: &str| thread(name, 3, "TIMED_WAITING (sleeping)", &sleeps);
    let interrupted = sleeper("joined").replacen("x\n", "x\n\"level\":\"info\"\n", 1);
    let parted = sleeper("joined").replacen("x\n", "x\n\n", 1);
    for other in [
        sleeper("joined"),
        sleeper("two\nlines"),
        sleeper("Notification Thread"),
        sleeper("Finalizer"),
        sleeper("locklens"),
        interrupted,
        parted,
    ] {
        let text = joining("17.0.9+9", &other);
        assert_eq!(tiers(&[&text]), [Tier::T5], "{text}");
    }
    let whole = joining("17.0.9+9", "");
    let cut = whole.replace("JNI global refs: 1\n", "");
    assert_eq!(tiers(&[&cut]), [Tier::T5], "its end is missing");
    let (_, headless) = whole.split_once("\n\n").unwrap();
    assert_eq!(tiers(&[headless]), [Tier::T5], "its beginning is missing");
}

#[test]
fn who_runs_may_interrupt_a_join() {
    let timer = "\tat java.lang.Object.wait(Native Method)\n\tat java.util.TimerThread.mainLoop(Timer.java:1)\n\tat java.util.TimerThread.run(Timer.java:1)\n";
    let timer = thread("Timer-0", 3, "TIMED_WAITING (on object monitor)", timer);
    let text = joining("17.0.9+9", &timer);
    let report = of(&[&text, &text], &[]);
    assert_eq!(one(&report).tier, Tier::T4);
    assert!(one(&report).remarks[0].starts_with("an interrupt could free it"));
    let wakes = "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\tat jdk.internal.misc.InnocuousThread.run(I.java:1)\n";
    let wakes = thread(
        "VirtualThread-unparker",
        9,
        "TIMED_WAITING (parking)",
        wakes,
    );
    assert_eq!(tiers(&[&joining("21.0.1+1", "")]), [Tier::T0]);
    assert_eq!(
        tiers(&[&joining("21.0.1+1", &wakes)]),
        [Tier::T4],
        "a virtual one, which goes on by that"
    );
}

#[test]
fn that_no_virtual_thread_was_ever_made_newer_jvms_show() {
    let unblocker = "\tat java.lang.VirtualThread.takeVirtualThreadListToUnblock(Native Method)\n\tat jdk.internal.misc.InnocuousThread.run(I.java:1)\n";
    let unblocker = thread("VirtualThread-unblocker", 9, "RUNNABLE", unblocker);
    for (release, other, tier) in [
        ("23.0.1+1", "", Tier::T0),
        ("24.0.1+1", "", Tier::T0),
        ("25.0.1+1", "", Tier::T0),
        ("25.0.1+1", unblocker.as_str(), Tier::T4),
    ] {
        assert_eq!(
            tiers(&[&joining(release, other)]),
            [tier],
            "{release} {other}"
        );
    }
    let report = of(&[&joining("25.0.1+1", "")], &[]);
    assert_eq!(report.hang.unwrap().virtual_threads, Some(0));
}

#[test]
fn different_locks_that_are_called_the_same_are_told_apart() {
    let class = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let [p, q] = parked_in(class, "ReentrantLock.lock");
    let report = of(&[&dump_of("17.0.9+9", &[p, q])], &[]);
    let names: Vec<_> = one(&report)
        .locks
        .iter()
        .map(|lock| lock.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "ReentrantLock in Main.work",
            "ReentrantLock in Main.work (2)"
        ]
    );
}

/// Two who wait for what the other owns, taken by this method.
fn parked_in(class: &str, method: &str) -> [String; 2] {
    let one = |name: &str, number: u32, owned: u32, wanted: u32| {
        let chain = format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x{wanted}> (a {class})\n\tat java.util.concurrent.locks.{method}(A.java:1)\n\tat app.Main.work(Main.java:1)\n{RUN}\n   Locked ownable synchronizers:\n\t- <0x{owned}> (a {class})\n"
        );
        thread(name, number, "WAITING (parking)", &chain)
    };
    [one("p", 1, 1, 2), one("q", 2, 2, 1)]
}

#[test]
fn or_a_lock_that_is_taken_interruptibly() {
    let class = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let busy = format!("\tat app.Main.spin(Main.java:1)\n{RUN}");
    let busy = thread("busy", 3, "RUNNABLE", &busy);
    let with = |method: &str, busy: &str| {
        let [p, q] = parked_in(class, method);
        tiers(&[&dump_of("17.0.9+9", &[p, q, busy.to_owned()])])
    };
    assert_eq!(with("ReentrantLock.lock", &busy), [Tier::T0]);
    assert_eq!(with("ReentrantLock.lockInterruptibly", &busy), [Tier::T4]);
    assert_eq!(with("ReentrantLock.lockInterruptibly", ""), [Tier::T0]);
}

#[test]
fn what_a_program_has_made_itself_others_may_release() {
    for class in ["app.Mutex", "locks.ReentrantLock$Sync"] {
        let threads = parked_in(class, "AbstractQueuedSynchronizer.acquire");
        let report = of(&[&dump_of("17.0.9+9", &threads)], &[]);
        assert_eq!(one(&report).tier, Tier::T4);
        assert!(one(&report).remarks[0].starts_with("a synchronizer of the program's own"));
    }
}

/// One who waits for a class and is in the initialiser of another, and one who waits for that.
fn initialising(told: bool) -> [String; 2] {
    let one = |name: &str, number: u32, class: &str, above: &str| {
        let note = match told {
            true => format!("\t- waiting on the Class initialization monitor for {class}\n"),
            false => String::new(),
        };
        let chain = format!("\tat {above}(App.java:1)\n{note}{RUN}");
        let text = thread(name, number, "RUNNABLE", &chain);
        text.replacen("nid=0x1 x", "nid=0x1 in Object.wait()", 1)
    };
    [
        one("p", 1, "app.X", "app.Y.<clinit>"),
        one("q", 2, "app.Y", "app.Main.use"),
    ]
}

/// Two loaders have a class `app.X` each: who initialises the one may be in the initialiser of its superclass still.
#[test]
fn whoever_else_is_in_an_initialiser_makes_names_of_classes_less_sure() {
    let [p, q] = initialising(true);
    let q = q.replace("app.Main.use", "app.X.<clinit>");
    let slow = format!(
        "\tat java.lang.Thread.sleep(Native Method)\n\tat app.Base.<clinit>(B.java:1)\n{RUN}"
    );
    let slow = thread("slow", 3, "TIMED_WAITING (sleeping)", &slow);
    let behind = thread(
        "behind",
        3,
        "BLOCKED (on object monitor)",
        &format!("\tat app.Z.<clinit>(Z.java:1)\n\t- waiting to lock <0x1> (a app.Gate)\n{RUN}"),
    );
    let holds = p.replacen(
        "(App.java:1)\n",
        "(App.java:1)\n\t- locked <0x1> (a app.Gate)\n",
        1,
    );
    for release in ["17.0.9+9", "21.0.1+1", "25+36"] {
        let found = |threads: &[String]| {
            let report = of(&[&dump_of(release, threads)], &[]);
            let one = one(&report);
            let by_name = one.remarks.iter().any(|said| {
                said.contains("two class loaders") && said.contains("initialiser (slow)")
            });
            (one.tier, one.kind, by_name)
        };
        let sure = (Tier::T0, Kind::ClassInit, false);
        assert_eq!(found(&[p.clone(), q.clone()]), sure, "{release}");
        let freed = [p.clone(), q.clone(), slow.clone()];
        assert_eq!(
            found(&freed),
            (Tier::T4, Kind::ClassInit, true),
            "{release}"
        );
        // Who is in an initialiser of that very name may be who is waited for.
        let slow = slow.replace("app.Base", "app.X");
        assert_eq!(
            tiers(&[&dump_of(release, &[p.clone(), q.clone(), slow])]),
            []
        );
        let held = [holds.clone(), q.clone(), behind.clone()];
        assert_eq!(found(&held), sure, "who is behind the ring frees nobody");
    }
}

#[test]
fn an_initialiser_that_is_not_seen_is_anybodys() {
    let [p, q] = initialising(true);
    // Who is in it is deeper than a dump shows, or a virtual thread.
    let deep = format!("{}{RUN}", "\tat app.X.deep(App.java:1)\n".repeat(1024));
    let deep = thread("l", 3, "TIMED_WAITING (sleeping)", &deep);
    for release in ["17.0.9+9", "21.0.1+1", "25+36"] {
        let text = dump_of(release, &[p.clone(), q.clone(), deep.clone()]);
        assert_eq!(tiers(&[&text]), [], "{release}");
        assert_eq!(tiers(&[&dump_of(release, &[p.clone(), q.clone()])]), []);
    }
    let [p, q] = initialising(false);
    let both = [p.clone(), q.clone()];
    assert_eq!(tiers(&[&dump_of("11.0.1+1", &both)]), [Tier::T0]);
    assert_eq!(tiers(&[&dump_of("?", &both)]), [], "of what JDK?");
    assert_eq!(tiers(&[&dump_of("11.0.1+1", &[p, q, deep])]), []);
    let cut = dump_of("11.0.1+1", &both).replace("JNI", "");
    assert_eq!(tiers(&[&cut]), []);
}

#[test]
fn thousands_who_join_each_other_are_explained_at_once() {
    let chain = format!(
        "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x5> (a app.Own)\n\tat java.lang.Thread.join(Thread.java:1)\n{RUN}"
    );
    let one = |ix: u32| thread(&format!("t{ix}"), ix, "WAITING (on object monitor)", &chain);
    let threads: Vec<String> = (0..12_000).map(one).collect();
    let text = dump_of("17.0.9+9", &threads);
    let report = of(&[&text, &text], &[]);
    assert_eq!(report.findings[0].tier, Tier::T0);
}

/// A dump of threads: what each holds and wants of the objects 0 to 4, whether it waits there, and for how long.
fn written(threads: &[(Vec<u8>, u8, u8)]) -> String {
    let mut text = "Full thread dump X:\n\n".to_owned();
    for (ix, (held, wanted, how)) in threads.iter().enumerate() {
        let (state, words) = match how {
            0 => ("BLOCKED (on object monitor)", "waiting to lock"),
            1 => ("WAITING (on object monitor)", "waiting on"),
            2 => ("TIMED_WAITING (parking)", "parking to wait for "),
            _ => ("RUNNABLE", "eliminated"),
        };
        text += &format!(
            "\"t{ix}\" #{ix} prio=5 os_prio=0 tid=0x1 nid=0x1\n   java.lang.Thread.State: {state}\n\tat a.B.c(B.java:{ix})\n\t- {words} <0x{wanted}> (a a.L)\n"
        );
        for object in held {
            text += &format!("\tat a.B.d(B.java:{ix})\n\t- locked <0x{object}> (a a.L)\n");
        }
        text += "\n";
    }
    text + "JNI global refs: 1\n"
}

proptest! {
    #[test]
    fn what_is_called_stuck_is_blocked_by_somebody_who_is(
        threads in prop::collection::vec((prop::collection::vec(0..5_u8, 0..3), 0..5_u8, 0..4_u8), 0..7)
    ) {
        let text = written(&threads);
        let report = of(&[&text, &text], &[]);
        for finding in report.findings.iter().filter(|finding| finding.tier == Tier::T0) {
            let around = finding.edges.iter().zip(finding.edges.iter().cycle().skip(1));
            for (edge, next) in around {
                let (held, wanted) = (&threads[next.thread.tid.unwrap() as usize].0, &threads[edge.thread.tid.unwrap() as usize]);
                prop_assert!(wanted.2 == 0 && held.contains(&wanted.1), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_read_to_its_end(text in "(\"t\" #1 prio=5|\n|- locked <0x1> (a b)|Full thread dump |\"tid\": \"1\"|[{}\\[\\],\"]|JNI global ref|which is held by \"t\"|at java.lang.Thread.join\\(x\\)|java.lang.Thread.State: WAITING){0,60}") {
        let _ = of(&[&text], &[&text]);
    }
}

/// HotSpot shows the monitor of who is being let in as if he had it.
#[test]
fn nobody_is_blocked_on_what_he_has_himself() {
    let chain = format!("\tat app.Main.work(Main.java:1)\n\t- locked <0x1> (a app.Gate)\n{RUN}");
    let threads = [thread("worker", 2, "BLOCKED (on object monitor)", &chain)];
    let text = dump_of("17", &threads);
    let report = of(&[&text], &[]);
    let hang = report.hang.unwrap();
    assert_eq!((report.findings.len(), hang.queues.len()), (0, 1));
    let queue = &hang.queues[0];
    assert!(queue.lock.name.contains("Gate"), "{:?}", queue.lock);
    assert!(queue.holder.is_none(), "{:?}", queue.holder);
}

/// Two who are in initialisers that need each other, and two who wait for the classes: these are behind, and no ring of their own.
#[test]
fn who_is_in_no_initialiser_is_on_no_ring_of_such_threads_alone() {
    let waits = |name: &str, number: u32, frames: &str| {
        let header = format!(
            "\"{name}\" #{number} prio=5 os_prio=0 tid=0x1 nid=0x1 in Object.wait() [0x1]\n   java.lang.Thread.State: RUNNABLE\n"
        );
        format!("{header}{frames}{RUN}\n")
    };
    let text = dump_of(
        "1.8.0_1",
        &[
            waits(
                "boot-1",
                1,
                "\tat app.Config.<clinit>(C.java:1)\n\tat app.Main.a(M.java:1)\n",
            ),
            waits(
                "boot-2",
                2,
                "\tat app.Registry.<clinit>(R.java:1)\n\tat app.Main.b(M.java:1)\n",
            ),
            waits("http-1", 3, "\tat app.Main.c(M.java:1)\n"),
            waits("http-2", 4, "\tat app.Main.d(M.java:1)\n"),
        ],
    );
    let report = of(&[&text, &text], &[]);
    let finding = one(&report);
    assert_eq!(
        (finding.tier, finding.kind, finding.patterns),
        (Tier::T0, Kind::ClassInit, 1)
    );
    assert_eq!(threads(finding), ["boot-1", "boot-2"]);
    let behind = &report.hang.as_ref().unwrap().behind[0].1;
    let names: Vec<_> = behind.iter().map(|one| one.thread.name.as_str()).collect();
    assert_eq!(names, ["http-1", "http-2"]);
    let alone = text.replace(".<clinit>", ".start");
    assert_eq!(
        of(&[&alone, &alone], &[]).findings,
        [],
        "nobody initialises anything"
    );
}
