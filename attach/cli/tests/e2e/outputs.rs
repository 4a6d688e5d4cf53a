//! What `-o FILE` takes the place of, and what it does not.

use crate::rig::{Ran, Subject, jdk, locklens, run, scratch};
use locklens_trace::chunk::{Encoder, file_header};
use locklens_trace::record::{End, EndReason};
use locklens_trace::{Nanos, Record};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SOURCE: &str = "class Main {}\n";

fn source() -> (PathBuf, String) {
    let path = scratch("Main.java");
    fs::write(&path, SOURCE).unwrap();
    let word = path.to_string_lossy().into_owned();
    (path, word)
}

fn trace() -> (PathBuf, String) {
    let mut encoder = Encoder::new();
    let (at, reason) = (Nanos(1000), EndReason::Stopped);
    encoder.push(&Record::End(End { at, reason }));
    let path = scratch("small.llt");
    fs::write(
        &path,
        [file_header().to_vec(), encoder.take_chunk()].concat(),
    )
    .unwrap();
    let word = path.to_string_lossy().into_owned();
    (path, word)
}

fn unchanged(path: &Path) -> bool {
    fs::read_to_string(path).unwrap() == SOURCE
}

#[test]
fn no_command_overwrites_what_it_did_not_write() {
    let target = Subject::start(jdk(), &["Idle"]);
    let (pid, java) = (target.word(), jdk().java().to_string_lossy().into_owned());
    let (trace_path, trace) = trace();
    let (path, file) = source();
    for words in [
        &["record", &pid, "-d", "1", "-o", &file][..],
        &["record", "-o", &file, "--", &java, "-version"],
        &["record", &pid, "--exact=force", "-o", &file],
        &["trace", &pid, "--class", "Idle", "--yes", "-o", &file],
        &["demo", "-d", "1", "-o", &file],
        &["report", &trace, "-o", &file],
        &["report", &trace, "--csv", "-o", &file],
        &["graph", &trace, "-o", &file],
        &["agent", "-o", &file],
    ] {
        let ran = run(words).ended_with(2);
        ran.said("it was not touched").said("--force");
        assert!(unchanged(&path), "{words:?}");
    }
    assert!(!target.has_our_thread());
    // The trace that is read is no place for what is read from it.
    let before = fs::read(&trace_path).unwrap();
    run(&["report", &trace, "--json", "-o", &trace]).ended_with(2);
    for command in ["report", "graph"] {
        run(&[command, &trace, "--force", "-o", &trace])
            .ended_with(2)
            .said("it was not touched");
    }
    assert_eq!(fs::read(&trace_path).unwrap(), before);
    run(&["record", &pid, "-d", "100ms", "--force", "-o", &file]).ended_with(0);
    run(&["info", &file]).ended_with(0);
    run(&["record", &pid, "-d", "100ms", "-o", &file]).ended_with(0);
    fs::remove_file(path).unwrap();
    fs::remove_file(trace_path).unwrap();
}

#[test]
fn reports_and_graphs_are_of_one_kind_as_the_help_says() {
    let (trace_path, trace) = trace();
    let path = scratch("either");
    let file = path.to_string_lossy().into_owned();
    for command in ["report", "graph", "report"] {
        run(&[command, &trace, "-o", &file]).ended_with(0);
        let help = run(&[command, "--help"]).ended_with(0).stdout;
        let words: Vec<&str> = help.split_whitespace().collect();
        let said = "something else than a report or graph of locklens";
        assert!(words.join(" ").contains(said), "{help}");
    }
    fs::remove_file(path).unwrap();
    fs::remove_file(trace_path).unwrap();
}

#[test]
fn outputs_of_their_own_kind_are_written_anew() {
    let (trace_path, trace) = trace();
    for words in [
        &["report", &trace][..],
        &["report", &trace, "--csv"],
        &["report", &trace, "--json"],
        &["graph", &trace],
    ] {
        let path = scratch("output");
        let file = path.to_string_lossy().into_owned();
        for _ in 0..2 {
            run(&[words, &["-o", &file]].concat()).ended_with(0);
        }
        assert!(path.metadata().unwrap().len() > 0, "{words:?}");
        fs::remove_file(path).unwrap();
    }
    fs::remove_file(trace_path).unwrap();
}

#[test]
fn a_library_is_put_in_place_whole() {
    let path = scratch("agent.so");
    let file = path.to_string_lossy().into_owned();
    run(&["agent", "-o", &file]).ended_with(0).said(&file);
    let mapped = fs::File::open(&path).unwrap();
    run(&["agent", "-o", &file]).ended_with(0);
    let inode = |meta: fs::Metadata| std::os::unix::fs::MetadataExt::ino(&meta);
    let (old, new) = (mapped.metadata().unwrap(), path.metadata().unwrap());
    assert!(old.len() > 0, "it was cut under those who have it mapped");
    assert_ne!(inode(old), inode(new));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_dash_is_standard_output_for_texts_and_refused_for_traces() {
    let (path, trace) = trace();
    let folder = path.parent().unwrap();
    let target = Subject::start(jdk(), &["Idle"]);
    let in_folder = |words: &[&str]| {
        let output = locklens().args(words).current_dir(folder).output().unwrap();
        crate::rig::Ran::from(output)
    };
    let (plain, dash) = (
        run(&["report", &trace]),
        in_folder(&["report", &trace, "-o", "-"]),
    );
    assert_eq!(plain.stdout, dash.ended_with(0).stdout);
    let dot = in_folder(&["graph", &trace, "-o", "-"]).ended_with(0);
    dot.printed("digraph locks");
    for words in [
        &["record", &target.word(), "-d", "1", "-o", "-"][..],
        &["record", &target.word(), "-d", "1", "-o", "/dev/stdout"],
        &["agent", "-o", "-"],
    ] {
        let ran = in_folder(words).ended_with(2);
        assert_eq!(ran.stdout, "");
        ran.said("is written to a file only");
    }
    assert!(!folder.join("-").exists());
    fs::remove_file(path).unwrap();
}

#[test]
fn a_pipe_is_read_once_and_a_silent_one_is_told() {
    let (path, _) = trace();
    let piped = |command: &str| {
        let mut locklens = locklens();
        locklens.args([command, "/dev/stdin"]);
        let mut child = locklens
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A command that refuses may have gone before it is written.
        let _ = std::io::Write::write_all(&mut stdin, &fs::read(&path).unwrap());
        drop(stdin);
        crate::rig::Ran::from(child.wait_with_output().unwrap())
    };
    piped("report").ended_with(0);
    piped("info").ended_with(0);
    piped("events").ended_with(2).said("reads a trace twice");
    piped("graph").ended_with(2).said("reads a trace twice");

    let pipe = scratch("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let name = pipe.to_string_lossy().into_owned();
    let mut waiting = crate::rig::Running::start(&["report", &name]);
    let mut said = String::new();
    let stderr = waiting.0.stderr.as_mut().unwrap();
    BufReader::new(stderr).read_line(&mut said).unwrap();
    assert!(said.contains("waiting for somebody to write"), "{said}");
    fs::write(&pipe, fs::read(&path).unwrap()).unwrap();
    waiting.wait().ended_with(0);
    fs::remove_file(pipe).unwrap();
    fs::remove_file(path).unwrap();
}

#[test]
fn without_a_command_the_trace_goes_where_it_is_told_to_and_the_report_is_for_programs() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let file = target.trace().to_string_lossy().into_owned();
    let ran = run(&[&target.word(), "-d", "1s", "-o", &file, "--json"]).ended_with(0);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        report["locks"][0]["types"][0]["type"], "MUTEX",
        "{report:#}"
    );
    run(&["info", &file]).ended_with(0);
    let (path, word) = source();
    run(&[&target.word(), "-d", "1s", "-o", &word])
        .ended_with(2)
        .said("--force");
    assert!(unchanged(&path));
    fs::remove_file(path).unwrap();
}

/// A folder in which nobody makes files, not even root.
const CLOSED: &str = "/proc";

#[test]
fn a_trace_nobody_named_goes_elsewhere_where_it_cannot_be_here() {
    let target = Subject::start(jdk(), &["Idle"]);
    let temporary = scratch("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let watch = |more: &[&str], temporary: &Path| {
        let mut command = locklens();
        command.args([&target.word(), "-d", "1"]).args(more);
        command.current_dir(CLOSED).env("TMPDIR", temporary);
        Ran::from(command.output().unwrap())
    };
    let words = "the trace goes to ";
    let ran = watch(&[], &temporary).ended_with(0).said(words);
    let said = ran.stderr.lines().find_map(|line| line.split_once(words));
    let kept = Path::new(said.unwrap().1);
    assert!(kept.starts_with(&temporary), "{ran:#?}");
    run(&["info", &kept.to_string_lossy()]).ended_with(0);
    let folder = kept.parent().unwrap().metadata().unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    let ran = watch(&[], Path::new(CLOSED)).ended_with(0);
    ran.said("not kept").printed("event");
    let named = watch(&["-o", "app.llt"], &temporary);
    named.ended_with(2).said("can't write app.llt");
}
