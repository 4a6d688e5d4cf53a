//! `locklens list` and `locklens attach`.

use crate::rig::{Subject, jdk, jdks, run};
use serde_json::Value;

#[test]
fn list_names_pid_and_main_class() {
    let target = Subject::start(jdk(), &["Idle"]);
    let ran = run(&["list"]).ended_with(0);
    let line = ran
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with(&target.word()));
    assert!(line.is_some_and(|line| line.contains("Idle")), "{ran:#?}");
}

#[test]
fn list_as_json() {
    let target = Subject::start(jdk(), &["Idle", "an argument"]);
    let all: Value = serde_json::from_str(&run(&["list", "--json"]).ended_with(0).stdout).unwrap();
    let ours = all
        .as_array()
        .unwrap()
        .iter()
        .find(|jvm| jvm["pid"] == target.pid());
    let ours = ours.expect("the target is listed");
    assert_eq!(ours["main"], "Idle");
    assert_eq!(ours["foreign_namespace"], false);
}

#[test]
fn the_reply_goes_to_standard_output() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["-Dwatch.word=mellon", "Idle"]);
        let pid = target.word();
        run(&["attach", &pid, "properties"])
            .ended_with(0)
            .printed("watch.word=mellon");
        run(&["attach", &pid, "threaddump", "-l"])
            .ended_with(0)
            .printed("\"main\"");
        run(&["attach", &pid, "printflag", "MaxHeapSize"])
            .ended_with(0)
            .printed("-XX:MaxHeapSize=");
        run(&["attach", &pid, "inspectheap"])
            .ended_with(0)
            .printed("java.lang.String");
        run(&["attach", &pid, "jcmd", "Thread.print", "-l"])
            .ended_with(0)
            .printed("\"main\"");
    }
}

#[test]
fn a_name_serves_as_well_as_a_pid() {
    let target = Subject::start(jdk(), &["-Dwatch.word=by-name", "Quarrel", "600000", "77"]);
    assert!(target.pid() > 0);
    run(&["attach", &target.word(), "agentProperties"])
        .ended_with(0)
        .printed("sun.java.command=Quarrel");
}

#[test]
fn another_status_is_1_and_named() {
    let target = Subject::start(jdk(), &["Idle"]);
    let pid = target.word();
    run(&["attach", &pid, "frobnicate"])
        .ended_with(1)
        .said("status");
    run(&["attach", &pid, "setflag", "NoSuchFlag", "1"]).ended_with(1);
    let ran = run(&["attach", &pid, "load", "/nowhere/lib.so"]).ended_with(1);
    assert_eq!(ran.stderr, "locklens: the library is not loaded\n");
    assert_eq!(
        ran.stdout.matches("/nowhere/lib.so was not loaded").count(),
        1,
        "{ran:#?}"
    );
}

#[test]
fn what_is_missing_or_belongs_to_jcmd_is_said() {
    let target = Subject::start(jdk(), &["Idle"]);
    let pid = target.word();
    run(&["attach", &pid, "load"])
        .ended_with(2)
        .said("which library?");
    run(&["attach", &pid, "dumpheap"])
        .ended_with(2)
        .said("which file?");
    run(&["attach", &pid, "jcmd"])
        .ended_with(0)
        .printed("Thread.print");
    let ran = run(&["attach", &pid, "Thread.print"]).ended_with(1);
    assert!(ran.stdout.ends_with('\n'), "{ran:#?}");
    ran.said("jcmd Thread.print");
}

#[test]
fn more_arguments_than_the_protocol_has_room_for() {
    let target = Subject::start(jdk(), &["Idle"]);
    run(&["attach", &target.word(), "setflag", "a", "b", "c", "d"]).ended_with(2);
}
