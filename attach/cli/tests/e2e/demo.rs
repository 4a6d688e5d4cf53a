//! `locklens demo`

use crate::rig::{Ran, jdks, locklens, run};
use std::process::Command;

#[test]
fn it_reports_on_a_program_it_started_and_leaves_nothing() {
    assert!(!jdks().is_empty());
    let ran = run(&["demo", "-d", "2s"]).ended_with(0);
    for lock in ["AccountLog", "JobQueue", "Connections", "Document"] {
        assert!(ran.stdout.contains(lock), "{lock}: {ran:#?}");
    }
    let left = Command::new("pgrep")
        .args(["-f", "locklens-[0-9a-f]{32} Demo"])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&left.stdout),
        "",
        "the demo program still runs"
    );
}

/// Hides the folders JDKs live in, in a mount namespace of its own; needs root.
const WITHOUT_JDK: &str = "for d in /usr/lib/jvm /usr/java /opt/java; do [ ! -d $d ] || mount -t tmpfs none $d; done; exec \"$@\"";

#[test]
fn without_a_jdk_it_says_what_to_install() {
    let can_hide = Command::new("unshare")
        .args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    if !can_hide.is_ok_and(|output| output.status.success()) {
        // Mounting is not ours here.
        return;
    }
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", WITHOUT_JDK, "sh"])
        .arg(locklens().get_program())
        .arg("demo");
    command.env("HOME", "/nowhere").env("JAVA_HOME", "/nowhere");
    let ran = Ran::from(command.output().unwrap()).ended_with(2);
    let ran = ran.said("JDK").said("apt install").said("dnf install");
    // Nobody reads this where the command does not run: on musl, on another system.
    for other in ["apk", "brew"] {
        assert!(!ran.stderr.contains(other), "{ran:#?}");
    }
}
