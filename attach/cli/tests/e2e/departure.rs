//! Somebody goes away in the middle: the target, or the command.

use crate::rig::{Running, Subject, eventually, info, jdk, jdks, run, signal};

fn recording(target: &Subject) -> Running {
    recording_for("10m", target)
}

fn recording_for(length: &str, target: &Subject) -> Running {
    let trace = target.trace().to_string_lossy().into_owned();
    let command = Running::start(&["record", &target.word(), "-d", length, "-o", &trace]);
    eventually("it records", || {
        target.trace().metadata().is_ok_and(|file| file.len() > 0)
    });
    command
}

#[test]
fn the_target_is_killed() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let command = recording(&target);
        eventually("events arrive", || {
            info(target.trace())["events"].as_u64() > Some(0)
        });
        target.signal("KILL");
        command.wait().ended_with(4).said("went away");
        let figures = info(target.trace());
        assert_eq!(figures["ended"], false, "JDK {}", jdk.major);
        assert!(figures["events"].as_u64() > Some(0), "JDK {}", jdk.major);
    }
}

#[test]
fn the_target_ends_in_order() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let command = recording(&target);
        target.signal("TERM");
        command.wait().ended_with(4).said("the target ended");
        assert_eq!(info(target.trace())["ended"], true, "JDK {}", jdk.major);
    }
}

#[test]
fn a_recording_to_the_end_of_the_target_is_not_cut_short_by_it() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let command = recording_for("0", &target);
    target.signal("TERM");
    command.wait().ended_with(0).said("the target ended");
    assert_eq!(info(target.trace())["ended"], true);
    let target = Subject::start(jdk(), &["Quarrel"]);
    let command = recording_for("0", &target);
    target.signal("KILL");
    command.wait().ended_with(4).said("went away");
}

#[test]
fn the_target_is_stopped_when_the_recording_should_end() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let command = recording(&target);
    target.signal("STOP");
    signal(command.pid(), "INT");
    let ran = command.wait();
    target.signal("CONT");
    ran.ended_with(4).said("stopped by a signal");
    eventually("the agent switches itself off", || !target.has_our_thread());
}

#[test]
fn the_command_is_killed_and_the_agent_leaves() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Quarrel"]);
        let command = recording(&target);
        // A list of threads that is read while one of them ends may lack another.
        eventually("the agent's thread is seen", || target.is_recorded());
        let sockets = target.sockets();
        signal(command.pid(), "KILL");
        eventually("the agent's thread ends", || !target.has_our_thread());
        eventually("the agent's socket is closed", || {
            target.sockets() < sockets
        });
        assert!(target.alive(), "JDK {}", jdk.major);
    }
}

#[test]
fn the_command_is_stopped_and_the_agent_leaves() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Quarrel"]);
        let command = recording(&target);
        eventually("the agent's thread is seen", || target.is_recorded());
        let sockets = target.sockets();
        signal(command.pid(), "STOP");
        eventually("the agent's thread ends", || !target.has_our_thread());
        eventually("the agent's socket is closed", || {
            target.sockets() < sockets
        });
        assert!(target.alive(), "JDK {}", jdk.major);
        signal(command.pid(), "CONT");
        command.wait().ended_with(4).said("recording ended early");
        let text = run(&["info", &target.trace().to_string_lossy()]).stdout;
        assert!(
            text.contains("the command fell silent"),
            "JDK {}: {text}",
            jdk.major
        );
    }
}
