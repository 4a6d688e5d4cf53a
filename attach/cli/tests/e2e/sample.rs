//! What threads were found doing: by the agent, by thread dumps that the JVM is asked for, and by dumps that were saved.

use crate::rig::{Running, Subject, eventually, executable, jdk, jdks, run, scratch};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// The groups of the program whose threads never move: name, state, threads, class of what they stand at.
const GROUPS: [(&str, &str, u64, Option<&str>); 8] = [
    ("blocked-#", "blocked", 4, Some("States$Gate")),
    (
        "locker-#",
        "parked",
        2,
        Some("java.util.concurrent.locks.ReentrantLock$NonfairSync"),
    ),
    ("parked-#", "parked", 1, Some("java.lang.ThreadGroup")),
    ("waiting-#", "waiting", 2, Some("States$Bell")),
    ("timed-#", "waiting-timed", 1, Some("States$Bell")),
    ("sleeping-#", "sleeping", 2, None),
    ("holder", "sleeping", 1, None),
    ("spinning-#", "runnable", 1, None),
];

fn sampled(words: &[&str]) -> Value {
    let ran = run(&[&["sample", "--json"], words].concat()).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

fn rows(report: &Value) -> &[Value] {
    report["rows"].as_array().unwrap()
}

/// Threads that never move are found in one state by every look.
fn check_groups(report: &Value, context: &str) {
    let samples = report["samples"].as_u64().unwrap();
    assert!(samples > 0, "{context}");
    assert_eq!(report["schema"], 1, "{context}");
    for (group, state, threads, _) in GROUPS {
        let of: Vec<_> = rows(report)
            .iter()
            .filter(|row| row["keys"]["group"] == group)
            .collect();
        let [row] = of[..] else {
            panic!("{context} {group}: {report:#}")
        };
        assert_eq!(row["state"], state, "{context}: {row:#}");
        assert_eq!(row["samples"], samples * threads, "{context}: {row:#}");
        assert_eq!(
            (&row["percent"], &row["high_percent"]),
            (&json!(100.0), &json!(100.0))
        );
        // Never seen otherwise is no proof: Wilson's lower end for all of n.
        let low = 100.0 * samples as f64 / (samples as f64 + 1.96 * 1.96);
        let said = row["low_percent"].as_f64().unwrap();
        assert!((said - low).abs() < 0.001, "{context}: {row:#}");
    }
}

/// And at one place. Where `some`, locks and chains are read under a budget and by what could be verified, so that they may be
/// unknown, but none is wrong.
fn check_places(report: &Value, some: bool, context: &str) {
    let samples = report["samples"].as_u64().unwrap();
    let juc = GROUPS[1].3;
    for (lock, state, place, threads) in [
        (
            Some("States$Gate"),
            "blocked",
            "States.blocked(States.java:",
            4,
        ),
        (juc, "parked", "States.locker(States.java:", 2),
        (GROUPS[2].3, "parked", "States.parked(States.java:", 1),
        (
            Some("States$Bell"),
            "waiting",
            "States.waiting(States.java:",
            2,
        ),
        (
            Some("States$Bell"),
            "waiting-timed",
            "States.waiting(States.java:",
            1,
        ),
    ] {
        let at = |row: &&Value| {
            let location = row["keys"]["location"].as_str().unwrap_or_default();
            row["state"] == state
                && row["keys"]["lock"].as_str() == lock
                && location.starts_with(place)
        };
        let sum = |of: &dyn Fn(&&Value) -> bool| -> u64 {
            let of = rows(report).iter().filter(of);
            of.map(|row| row["samples"].as_u64().unwrap()).sum()
        };
        let (found, all) = (sum(&at), samples * threads);
        let right = found == all || some && found <= all;
        assert!(right, "{context} {place}: {report:#}");
    }
    let expected = [
        "States.blocked(",
        "States.locker(",
        "States.parked(",
        "States.waiting(",
        "States.sleep(",
    ];
    for row in rows(report) {
        let location = row["keys"]["location"].as_str();
        let locks = ["States$Gate", "States$Bell", "java.lang.ThreadGroup"];
        let known = |lock: &str| locks.contains(&lock) || Some(lock) == juc;
        assert!(
            row["keys"]["lock"].as_str().is_none_or(known),
            "{context}: {row:#}"
        );
        let right = |location: &str| expected.iter().any(|place| location.starts_with(place));
        assert!(location.is_none_or(right), "{context}: {row:#}");
    }
}

#[test]
fn states_of_threads_that_never_move_are_exact_by_the_agent() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["States"]);
        let pid = subject.pid().to_string();
        check_groups(&sampled(&[&pid, "-d", "2s"]), &context);
        check_places(
            &sampled(&[&pid, "-d", "2s", "--by", "location"]),
            true,
            &context,
        );
        let report = sampled(&[&pid, "-d", "1s", "-i", "20ms", "--by", "thread"]);
        let group = |row: &&Value| row["keys"]["thread"] == "spinning-0";
        assert_eq!(
            rows(&report).iter().filter(group).count(),
            1,
            "{context}: {report:#}"
        );
    }
}

/// Nanoseconds that threads were blocked on locks of each of these classes, a nanosecond.
fn recorded(pid: &str, classes: [&str; 3]) -> [f64; 3] {
    let trace = scratch("shares.llt");
    let trace = trace.to_str().unwrap();
    run(&["record", pid, "-d", "4s", "-o", trace]).ended_with(0);
    let report = run(&["report", "--json", "--all", trace]).ended_with(0);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let length = report["recording"]["duration_ns"].as_f64().unwrap();
    classes.map(|class| {
        let name = format!("Shares${class}");
        let of_class = |lock: &&Value| lock["classes"][0] == name.as_str();
        let locks = report["locks"].as_array().unwrap().iter().filter(of_class);
        locks
            .map(|lock| lock["blocked_ns"].as_f64().unwrap())
            .sum::<f64>()
            / length
    })
}

/// The program holds each of three locks for a share of the time, and somebody wants each all the time. The looks find what
/// recordings before and after measure. All three see other moments of a machine that may be busy: so five points are allowed
/// beside four standard deviations of the sample.
#[test]
fn blocked_shares_agree_with_recordings() {
    let classes = ["Fifth", "Half", "Most"];
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["Shares"]);
        let pid = subject.pid().to_string();
        let before = recorded(&pid, classes);
        let report = sampled(&[&pid, "-d", "8s", "--by", "thread"]);
        let after = recorded(&pid, classes);
        for (nth, class) in classes.into_iter().enumerate() {
            let wants = format!("wants-{class}");
            let row = rows(&report)
                .iter()
                .find(|row| row["keys"]["thread"] == wants.as_str() && row["state"] == "blocked");
            let row = row.unwrap_or_else(|| panic!("{context} {class}: {report:#}"));
            let number = |key: &str| row[key].as_f64().unwrap() / 100.0;
            let (share, margin) = (number("percent"), 2.05 * number("error_percent") + 0.05);
            let (least, most) = (before[nth].min(after[nth]), before[nth].max(after[nth]));
            assert!(
                least - margin <= share && share <= most + margin,
                "{context} {class}: {before:?} {after:?} {row:#}"
            );
        }
    }
}

#[test]
fn states_of_threads_that_never_move_are_exact_by_thread_dumps() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["States"]);
        let pid = subject.pid().to_string();
        check_groups(&sampled(&[&pid, "--no-agent", "-d", "1s"]), &context);
        let report = sampled(&[&pid, "--no-agent", "-d", "1s", "--by", "location"]);
        check_places(&report, false, &context);
    }
}

#[test]
fn and_by_saved_dumps() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["States"]);
        let files = [dumped(&subject), dumped(&subject)];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let report = sampled(&files);
        assert_eq!(report["samples"], 2);
        check_groups(&report, &context);
        check_places(
            &sampled(&[&files[..], &["--by", "location"]].concat()),
            false,
            &context,
        );
        let threads = sampled(&[&files[..], &["--by", "thread"]].concat());
        let main = rows(&threads)
            .iter()
            .find(|row| row["keys"]["thread"] == "main");
        assert_eq!(main.unwrap()["state"], "sleeping", "{context}");
    }
}

/// A file with a thread dump of it.
fn dumped(subject: &Subject) -> String {
    let pid = subject.pid().to_string();
    let ran = run(&["attach", &pid, "threaddump"]).ended_with(0);
    let file = scratch("dump.txt");
    fs::write(&file, ran.stdout).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn text_fits_the_page_and_says_how_far_it_can_be_trusted() {
    let subject = Subject::start(jdk(), &["States"]);
    let file = dumped(&subject);
    for columns in ["80", "160"] {
        let output = Command::new(executable())
            .args(["sample", &file])
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= columns.parse().ok(), "{text}");
        for words in [
            "blocked on a monitor",
            "States$Gate",
            "depend on each other",
            "1 sample of",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
}

#[test]
fn frames_and_groups_are_as_asked_for() {
    let subject = Subject::start(jdk(), &["States"]);
    let file = dumped(&subject);
    let report = sampled(&[&file, "--by", "location", "-I", "java.lang.Object.wait*"]);
    let waits = |row: &&Value| {
        let at = row["keys"]["location"].as_str().unwrap_or_default();
        row["state"] == "waiting" && at.starts_with("java.lang.Object.wait")
    };
    assert!(rows(&report).iter().any(|row| waits(&row)), "{report:#}");
    let report = sampled(&[
        &file,
        "--by",
        "location",
        "-X",
        "States.*",
        "-X",
        "States$$Lambda*",
    ]);
    let filtered = |row: &&Value| row["keys"]["filtered"] == true && row["state"] == "blocked";
    assert!(rows(&report).iter().any(|row| filtered(&row)), "{report:#}");
    let report = sampled(&[&file, "--group", "^(block|wait|park)"]);
    let names: Vec<_> = rows(&report)
        .iter()
        .map(|row| row["keys"]["group"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"block") && names.contains(&"(no match)"),
        "{names:?}"
    );
}

#[test]
fn an_endless_one_prints_when_asked_and_at_its_end() {
    let subject = Subject::start(jdk(), &["States"]);
    let pid = subject.pid().to_string();
    let mut running = Running::start(&["sample", &pid, "--no-agent", "-d", "0"]);
    let (said, printed) = (running.hear(), running.read());
    let pages = || printed.lock().unwrap().matches("All threads").count();
    eventually("it samples", || said.lock().unwrap().contains("sampling"));
    crate::rig::signal(running.pid(), "USR1");
    eventually("a page", || pages() == 1);
    crate::rig::signal(running.pid(), "INT");
    running.wait().ended_with(0);
    eventually("the last page", || pages() == 2);
}

#[test]
fn what_is_no_dump_is_refused_with_advice() {
    let file = |text: &str| {
        let file = scratch("dump.txt");
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let refused = |file: &str, words: &str| run(&["sample", file]).ended_with(2).said(words);
    refused(&file(""), "is empty").said("jstack");
    refused(&file("nothing of the kind\n"), "holds no thread dump").said("jstack");
    refused(&file("{\n \"threadDump\": {}}\n"), "Thread.print");
    let whole = dumped(&Subject::start(jdk(), &["States"]));
    let text = fs::read_to_string(&whole).unwrap();
    let cut = file(&text[..text.len() / 2]);
    run(&["sample", &cut]).ended_with(0).said("cut off");
    run(&["sample", &whole, &file("")])
        .ended_with(2)
        .said("is empty");
    run(&["sample", &whole, "/no/such/file"])
        .ended_with(2)
        .said("can't read");
    run(&["sample", &whole, "--group", "("])
        .ended_with(2)
        .said("--group");
    for flags in [&["-d", "5s"][..], &["-i", "1s"], &["--no-agent"]] {
        run(&[&["sample", whole.as_str()], flags].concat())
            .ended_with(2)
            .said("is for a JVM");
    }
    run(&["sample", "4242424"]).ended_with(3);
}
