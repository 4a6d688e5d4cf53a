//! What is typed wrong, and what help says.

use crate::rig::{locklens, run};
use std::process::Stdio;

#[test]
fn nothing_typed_explains_itself() {
    run(&[]).ended_with(2).said("locklens demo");
    run(&["--help"])
        .ended_with(0)
        .printed("locklens record 4242");
}

#[test]
fn every_command_has_help_with_an_exit_status_of_0() {
    for command in [
        "list", "attach", "record", "report", "show", "events", "info", "demo",
    ] {
        run(&[command, "--help"])
            .ended_with(0)
            .printed("Usage: locklens");
    }
}

#[test]
fn wrong_flags_are_usage_errors() {
    for words in [
        &["record"][..],
        &["report"],
        &["record", "1", "--buffer", "lots"],
        &["record", "1", "-d", "soon"],
        &["record", "1", "--stack-depth", "-1"],
        &["report", "x.llt", "--json", "--csv"],
        &["report", "x.llt", "--sort", "smell"],
    ] {
        let ran = run(words).ended_with(2);
        assert_eq!(ran.stdout, "", "{words:?}");
    }
}

#[test]
fn no_colours_where_there_is_no_terminal() {
    let ran = run(&["info", "/nowhere.llt"]).ended_with(2);
    assert!(!ran.stderr.contains('\x1b'), "{ran:?}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut help = locklens();
    let mut child = help
        .arg("list")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains("panicked"),
        "{output:?}"
    );
}
