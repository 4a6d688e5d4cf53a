//! Ctrl-C while a target is waited for that does not answer.

use crate::rig::{PATIENCE, Running, Subject, eventually, jdks, leftovers, run, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Bit of SIGINT in the kernel's list of signals caught.
const SIGINT: u64 = 1 << 1;

/// It has its handlers: from now on Ctrl-C is its own affair.
fn catches_ctrl_c(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & SIGINT != 0)
}

fn interrupted_at_once(words: &[&str], target: &Subject, trace: &Path) {
    let mut command = Running::start(words);
    let pid = command.pid();
    eventually("it waits", || catches_ctrl_c(pid) || command.ended());
    crate::rig::signal(pid, "INT");
    let ran = command.wait().ended_with(130);
    let ran = ran
        .said("interrupted before JVM")
        .said("stopped by a signal");
    assert_eq!(ran.stdout, "", "{words:?}");
    assert_eq!(leftovers(pid, target), Vec::<PathBuf>::new(), "{words:?}");
    assert!(!trace.exists(), "{words:?}");
}

#[test]
fn a_stopped_jvm_keeps_nobody() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Quarrel"]);
        let (pid, trace) = (target.word(), scratch("interrupted.llt"));
        let file = trace.to_string_lossy().into_owned();
        let all = [
            &["record", &pid, "-o", &file][..],
            &["trace", &pid, "--class", "Quarrel", "--yes", "-o", &file],
            &["attach", &pid, "threaddump"],
            &["record", &pid, "--exact=force", "-o", &file],
        ];
        // Before it has a socket, and when it has one.
        for round in 0..2 {
            target.signal("STOP");
            for words in all {
                interrupted_at_once(words, &target, &trace);
            }
            target.signal("CONT");
            run(&["attach", &pid, "properties"]).ended_with(0);
            assert!(target.alive(), "JDK {}, round {round}", jdk.major);
        }
        run(&["record", &pid, "-d", "100ms", "-o", &file]).ended_with(0);
        fs::remove_file(&trace).unwrap();
    }
}

#[test]
fn without_an_interrupt_it_is_waited_for() {
    let target = Subject::start(crate::rig::jdk(), &["Idle"]);
    target.signal("STOP");
    let began = Instant::now();
    let mut command = Running::start(&["attach", &target.word(), "properties"]);
    eventually("it waits", || catches_ctrl_c(command.pid()));
    assert!(!command.ended());
    target.signal("CONT");
    command.wait().ended_with(0).printed("java.version");
    assert!(began.elapsed() < PATIENCE);
}

#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let target = Subject::start(crate::rig::jdk(), &["Quarrel"]);
    let (pid, file) = (target.word(), target.trace().to_string_lossy().into_owned());
    for _ in 0..5 {
        let command = Running::start(&["record", &pid, "-d", "0", "-o", &file]);
        eventually("it catches Ctrl-C", || catches_ctrl_c(command.pid()));
        // The agent's thread is there before the JVM says so: whoever interrupts then has recorded nothing.
        eventually("it records", || {
            fs::metadata(target.trace()).is_ok_and(|meta| meta.len() > 0)
        });
        let word = command.pid().to_string();
        // As `timeout` does: the process, and the group it is in.
        let sent = Command::new("kill")
            .args(["-s", "INT", &word, &word])
            .status();
        assert!(sent.unwrap().success());
        command.wait().ended_with(0);
        assert_eq!(crate::rig::info(target.trace())["ended"], true);
        fs::remove_file(target.trace()).unwrap();
    }
}

#[test]
fn who_insists_is_let_go() {
    let target = Subject::start(crate::rig::jdk(), &["Quarrel"]);
    let (pid, file) = (target.word(), target.trace().to_string_lossy().into_owned());
    let mut command = Running::start(&["record", &pid, "-d", "0", "-o", &file]);
    eventually("it records", || {
        fs::metadata(&file).is_ok_and(|meta| meta.len() > 0)
    });
    target.signal("STOP");
    eventually("it ends", || {
        let ended = command.ended();
        if !ended {
            crate::rig::signal(command.pid(), "INT");
        }
        ended
    });
    target.signal("CONT");
    command.wait().ended_with(130);
}

#[test]
fn a_started_program_that_is_interrupted_before_its_jvm_came_is_no_failed_attach() {
    let trace = scratch("never.llt");
    let file = trace.to_string_lossy().into_owned();
    let command = Running::start(&["record", "-o", &file, "--", "sleep", "600"]);
    let pid = command.pid();
    eventually("it catches Ctrl-C", || catches_ctrl_c(pid));
    crate::rig::signal(pid, "INT");
    let ran = command.wait().ended_with(130);
    let ran = ran.said("interrupted before the recording began");
    assert!(!ran.stderr.contains("try:"), "{ran:#?}");
    assert!(!trace.exists());
}
