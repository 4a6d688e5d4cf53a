//! `locklens record -- java …`

use crate::rig::{Running, classes, ends, eventually, info, jdk, jdks, run, scratch, signal};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

struct Launch {
    words: Vec<String>,
    trace: PathBuf,
}

impl Launch {
    fn of(java: &Path, arguments: &[&str]) -> Self {
        Self::by(&["record"], java, arguments)
    }

    fn by(command: &[&str], java: &Path, arguments: &[&str]) -> Self {
        let trace = scratch("launched.llt");
        let mut words: Vec<String> = command.iter().map(|word| word.to_string()).collect();
        words.extend(["-o".into(), trace.to_string_lossy().into(), "--".into()]);
        words.push(java.to_string_lossy().into_owned());
        words.extend(["-Xmx64m", "-cp"].map(String::from));
        words.push(classes().to_string_lossy().into_owned());
        words.extend(arguments.iter().map(|word| word.to_string()));
        Self { words, trace }
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }
}

impl Drop for Launch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.trace);
    }
}

#[test]
fn a_program_is_recorded_from_its_start_and_its_status_is_ours() {
    for jdk in jdks() {
        for status in ["0", "7"] {
            let launch = Launch::of(&jdk.java(), &["Quarrel", "500", status]);
            run(&launch.words())
                .ended_with(status.parse().unwrap())
                .printed("READY");
            let figures = info(&launch.trace);
            assert_eq!(figures["ended"], true, "JDK {}", jdk.major);
            assert!(
                figures["event_kinds"]["ENTER"]["records"].as_u64() > Some(0),
                "JDK {}",
                jdk.major
            );
        }
    }
}

/// The JVM's own lock of a class that is being initialised is such an array, too, and is only counted.
#[test]
fn an_empty_array_that_code_waits_for_is_a_lock_of_the_program_s() {
    for jdk in jdks() {
        for command in [&["record"][..], &["trace", "--all-app"]] {
            let launch = Launch::by(command, &jdk.java(), &["Bare"]);
            run(&launch.words()).ended_with(0).printed("READY");
            let trace = launch.trace.to_string_lossy();
            let report = run(&["report", &trace, "--json", "--all"]).ended_with(0);
            let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
            let mut locks = report["locks"].as_array().unwrap().iter();
            let bare = locks.find(|lock| lock["regions"][0]["class"] == "Bare");
            let waits = bare.and_then(|lock| lock["waits"].as_u64());
            assert_eq!(waits, Some(1), "JDK {}, {command:?}: {report:#}", jdk.major);
        }
    }
}

#[test]
fn a_program_is_traced_exactly_from_its_start_and_its_status_is_ours() {
    for jdk in jdks() {
        for status in ["0", "7"] {
            let command = ["trace", "--class", "Quarrel*"];
            let launch = Launch::by(&command, &jdk.java(), &["Quarrel", "500", status]);
            run(&launch.words())
                .ended_with(status.parse().unwrap())
                .printed("READY");
            let figures = info(&launch.trace);
            let kinds = &figures["event_kinds"];
            let count = |kind: &str| kinds[kind]["records"].as_u64();
            let context = format!("JDK {}: {kinds}", jdk.major);
            assert_eq!(figures["ended"], true, "{context}");
            assert!(count("EXIT") > Some(0), "{context}");
            assert!(count("ENTERED") >= count("ENTER"), "{context}");
        }
    }
}

#[test]
fn a_program_without_such_classes_is_said_to_have_none() {
    for (status, ours) in [("0", 2), ("7", 7)] {
        let command = ["trace", "--class", "Nobody*"];
        let launch = Launch::by(&command, &jdk().java(), &["Quarrel", "100", status]);
        run(&launch.words())
            .ended_with(ours)
            .said("nothing was rewritten");
    }
}

/// The agent would say so only when it is in the program, which then would run to its end for nothing.
#[test]
fn too_little_room_for_probes_is_said_before_a_program_runs() {
    for command in [&["trace", "--all-app"][..], &["trace", "--juc"]] {
        let command: Vec<_> = command.iter().chain(&["--buffer", "2M"]).copied().collect();
        let launch = Launch::by(&command, &jdk().java(), &["Quarrel", "100", "0"]);
        let ran = run(&launch.words()).ended_with(2).said("--buffer of 32M");
        assert_eq!(ran.stdout, "", "it did not run");
    }
}

#[test]
fn a_program_killed_by_a_signal() {
    let launch = Launch::of(&jdk().java(), &["Quarrel"]);
    let command = Running::start(&launch.words());
    eventually("the trace begins", || {
        launch.trace.metadata().is_ok_and(|file| file.len() > 0)
    });
    let child = child_of(command.pid());
    signal(child, "KILL");
    command.wait().ended_with(128 + 9);
}

#[test]
fn signals_are_passed_on() {
    let launch = Launch::of(&jdk().java(), &["Quarrel"]);
    let command = Running::start(&launch.words());
    eventually("the trace begins", || {
        launch.trace.metadata().is_ok_and(|file| file.len() > 0)
    });
    signal(command.pid(), "TERM");
    command.wait().ended_with(128 + 15);
    assert_eq!(info(&launch.trace)["ended"], true);
}

#[test]
fn a_program_that_goes_on_after_its_recording_is_said_to() {
    let launch = Launch::by(&["record", "-d", "1s"], &jdk().java(), &["Quarrel"]);
    let mut command = Running::start(&launch.words());
    let said = command.hear();
    let is_told = || {
        said.lock()
            .unwrap()
            .contains("waiting for the program to end")
    };
    eventually("it is said", || is_told() || command.ended());
    assert!(is_told() && !command.ended(), "{said:?}");
    assert_eq!(info(&launch.trace)["ended"], true);
    signal(command.pid(), "TERM");
    command.wait().ended_with(128 + 15);
}

/// Waits until the program that it has started says that it is.
fn is_ready(command: &mut Running) {
    let printed = command.read();
    eventually("the program is ready", || {
        printed.lock().unwrap().contains("READY")
    });
}

#[test]
fn a_program_that_hangs_in_its_end_is_left_behind() {
    for (command, again) in [(&["record", "-d", "1s"][..], false), (&["record"], true)] {
        let launch = Launch::by(command, &jdk().java(), &["Clinging"]);
        let mut command = Running::start(&launch.words());
        let said = command.hear();
        let is_told = |words: &str| said.lock().unwrap().contains(words);
        // Before that it has nothing to hang in.
        is_ready(&mut command);
        if !again {
            let waits = "waiting for the program to end";
            eventually("it is waited for", || is_told(waits) || command.ended());
        }
        let jvm = child_of(command.pid());
        signal(command.pid(), "TERM");
        eventually("the command ends", || {
            let ended = command.ended();
            if again && !ended {
                signal(command.pid(), "TERM");
            }
            ended
        });
        // What the command printed into it holds open.
        signal(jvm, "KILL");
        command.wait().ended_with(128 + 15);
        let left = format!("it is left as it is, pid {jvm}");
        assert!(is_told(&left), "{said:?}");
        assert_eq!(info(&launch.trace)["ended"], true);
    }
}

/// As `timeout`, a CI job or a container ask: once.
#[test]
fn a_program_that_is_recorded_and_hangs_in_its_end_is_asked_once() {
    let launch = Launch::by(&["record"], &jdk().java(), &["Clinging"]);
    let mut command = Running::start(&launch.words());
    let said = command.hear();
    is_ready(&mut command);
    let jvm = child_of(command.pid());
    signal(command.pid(), "TERM");
    eventually("the command ends", || command.ended());
    signal(jvm, "KILL");
    command.wait().ended_with(128 + 15);
    for words in [
        "asked to end 5 s ago and goes on: the recording ends".to_owned(),
        format!("it is left as it is, pid {jvm}"),
    ] {
        assert!(said.lock().unwrap().contains(&words), "{said:?}");
    }
    assert_eq!(info(&launch.trace)["ended"], true);
}

#[test]
fn a_program_that_is_stopped_when_its_recording_should_end_is_told_so() {
    let (java, script) = (jdk().java(), script());
    for (program, depth) in [(&java, 1), (&script, 2)] {
        let launch = Launch::by(&["record", "-d", "2s"], program, &["Quarrel"]);
        let mut command = Running::start(&launch.words());
        let said = command.hear();
        eventually("the trace begins", || {
            launch.trace.metadata().is_ok_and(|file| file.len() > 0)
        });
        let jvm = (0..depth).fold(command.pid(), |pid, _| child_of(pid));
        signal(jvm, "STOP");
        let advice = format!("stopped by a signal (state T): `kill -CONT {jvm}`");
        let is_told = || said.lock().unwrap().contains(&advice);
        eventually("it is given up", || is_told() || command.ended());
        assert!(is_told() && !command.ended(), "{said:?}");
        signal(jvm, "CONT");
        signal(jvm, "TERM");
        command.wait().ended_with(4);
    }
    fs::remove_file(script).unwrap();
}

fn child_of(pid: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    children
        .split_whitespace()
        .next()
        .expect("it has a child")
        .parse()
        .unwrap()
}

/// A program that starts java and waits for it.
fn script() -> PathBuf {
    let script = scratch("start.sh");
    let text = format!("#!/bin/sh\n'{}' \"$@\"\nexit $?\n", jdk().java().display());
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    script
}

#[test]
fn a_script_that_starts_java() {
    let script = script();
    let launch = Launch::of(&script, &["Quarrel", "300", "3"]);
    run(&launch.words()).ended_with(3).said("JAVA_TOOL_OPTIONS");
    assert!(info(&launch.trace)["events"].as_u64() > Some(0));
    fs::remove_file(script).unwrap();
}

#[test]
fn what_is_no_program() {
    run(&["record", "--", "/nowhere/java", "X"])
        .ended_with(2)
        .said("/nowhere/java");
}

#[test]
fn a_program_without_a_jvm() {
    for program in ["/bin/true", "/bin/false"] {
        let launch = Launch::of(Path::new(program), &[]);
        run(&launch.words()).ended_with(3).said("before a JVM");
        assert!(!launch.trace.exists(), "an empty trace was left behind");
    }
}

#[test]
fn a_program_that_is_to_be_recorded_exactly_from_its_start_is_traced() {
    let ran = run(&["record", "--exact", "--", "java", "-version"]);
    ran.ended_with(2).said("locklens trace --all-app");
}

#[test]
fn of_a_jvm_that_refuses_its_own_arguments_nothing_was_recorded() {
    let launch = Launch::of(&jdk().java(), &["-XX:+NoSuchFlagAtAll", "Quarrel"]);
    let ran = run(&launch.words()).ended_with(3);
    ran.said("NoSuchFlagAtAll").said("before a JVM");
}

#[test]
fn threads_that_are_joined_while_they_end_make_it_no_less_exact() {
    for jdk in ends() {
        let trace = scratch("joined-crowd.llt");
        let file = trace.to_string_lossy().into_owned();
        let (java, classes) = (jdk.java(), classes().to_string_lossy());
        let java = java.to_string_lossy();
        let program = ["--", &java, "-Xmx64m", "-cp", &classes, "JoinedCrowd"];
        let words = [&["trace", "--all-app", "-o", &file][..], &program].concat();
        run(&words).ended_with(0).printed("SIGNED 400");
        let report = run(&["report", &file, "--json"]).ended_with(0).stdout;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["recording"]["incomplete"], serde_json::json!([]));
        let locks = report["locks"].as_array().unwrap();
        let roll = locks.iter().find(|lock| lock["name"] == "JoinedCrowd.roll");
        assert_eq!(roll.unwrap()["locked"], 400, "{report:#}");
        let _ = fs::remove_file(trace);
    }
}
