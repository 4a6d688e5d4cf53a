//! What is typed wrong, and what help says.

use crate::rig::{Subject, jdk, locklens, run};
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
        "list",
        "attach",
        "record",
        "trace",
        "report",
        "show",
        "events",
        "graph",
        "info",
        "demo",
        "agent",
        "completions",
        "man",
    ] {
        run(&[command, "--help"])
            .ended_with(0)
            .printed("Usage: locklens")
            .printed("Examples:");
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
fn what_was_probably_meant_is_said() {
    for (words, meant) in [
        (&["reprot", "f.llt"][..], "locklens report f.llt"),
        (
            &["4242", "threaddump", "-l"],
            "locklens attach 4242 threaddump -l",
        ),
        (
            &["4242", "GC.heap_info"],
            "locklens attach 4242 jcmd GC.heap_info",
        ),
        (&["4242", "record", "-d", "3"], "locklens record 4242 -d 3"),
        (&["help", "graph"], "locklens graph --help"),
        (&["Main", "extra"], "'locklens --help' lists them"),
    ] {
        run(words).ended_with(2).said(meant);
    }
    run(&["reprot"]).ended_with(3).said("the command report");
    run(&["help"]).ended_with(3).said("locklens --help");
    run(&["Cargo.toml"])
        .ended_with(3)
        .said("locklens report Cargo.toml");
}

#[test]
fn jvms_that_may_be_meant_are_named_before_a_command_that_is_written_so() {
    let both = [(); 2].map(|()| Subject::start(jdk(), &["Quarrel"]));
    // It begins `report`, and is a part of both names.
    let ran = run(&["re", "-d", "1"]).ended_with(3);
    for one in &both {
        assert!(ran.stderr.contains(&one.word()), "{ran:#?}");
    }
    assert!(!ran.stderr.contains("the command"), "{ran:#?}");
}

#[test]
fn lengths_of_time_that_make_no_sense_are_told() {
    for (time, why) in [
        ("-5", "negative"),
        ("-5s", "negative"),
        ("1000000000d", "longer than a year"),
        ("1m30", "a time such as"),
        ("", "a time such as"),
        ("5 weeks", "unknown unit 'weeks'"),
    ] {
        run(&["record", "1", "-d", time]).ended_with(2).said(why);
    }
    for time in ["30 s", "1m30s", "0"] {
        // Process 1 is no JVM here, or not one of ours: what was typed has been understood.
        run(&["record", "4194304", "-d", time]).ended_with(3);
    }
}

#[test]
fn colours_and_width_are_those_asked_for() {
    let said = |variables: &[(&str, &str)]| {
        let mut command = locklens();
        command
            .args(["info", "/nowhere.llt"])
            .envs(variables.iter().copied());
        String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned()
    };
    assert!(said(&[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    for none in [
        &[("CLICOLOR_FORCE", "0")][..],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
        &[("CLICOLOR_FORCE", "")],
    ] {
        assert!(!said(none).contains('\x1b'), "{none:?}");
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
