//! `locklens record PID`: what is in the trace, and what is left in the target.

use crate::rig::{Ran, Running, Subject, eventually, info, jdk, jdks, run, scratch, signal};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn record<'a>(target: &str, trace: &'a str, length: &'a str) -> Vec<String> {
    ["record", target, "-d", length, "-o", trace]
        .map(String::from)
        .to_vec()
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

#[test]
fn a_live_jvm_is_recorded_and_left_as_it_was() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let before = open_files(&target);
        let trace = target.trace().to_string_lossy().into_owned();
        let ran = run(&words(&record(&target.word(), &trace, "1s"))).ended_with(0);
        ran.said("64 MB").printed(&trace);

        let figures = info(target.trace());
        assert_eq!(figures["ended"], true, "JDK {}: {figures}", jdk.major);
        assert!(
            figures["event_kinds"]["ENTER"]["records"].as_u64() > Some(0),
            "JDK {}: {figures}",
            jdk.major
        );
        assert_eq!(figures["gaps"].as_object().map(|gaps| gaps.len()), Some(0));
        eventually("our thread is gone", || !target.has_our_thread());
        eventually("our descriptors are closed", || {
            open_files(&target).is_subset(&before)
        });
        assert_eq!(
            fs::metadata(target.trace()).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

/// What the target has open, its attach listener left out: that one is the JVM's own and stays.
fn open_files(target: &Subject) -> BTreeSet<PathBuf> {
    let all = target.descriptors().into_iter();
    let listener =
        |path: &PathBuf| path.to_string_lossy().starts_with("socket:") && is_listener(target, path);
    all.filter(|path| !listener(path)).collect()
}

/// The kernel's table has `/tmp/.java_pidN` beside the socket's inode.
fn is_listener(target: &Subject, socket: &Path) -> bool {
    let table = fs::read_to_string(format!("/proc/{}/net/unix", target.pid())).unwrap_or_default();
    let inode = socket
        .to_string_lossy()
        .trim_matches(|c: char| !c.is_ascii_digit())
        .to_string();
    table.lines().any(|line| {
        line.contains("/.java_pid") && line.split_whitespace().any(|word| word == inode)
    })
}

#[test]
fn attaching_again_maps_no_second_copy() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let trace = target.trace().to_string_lossy().into_owned();
        for _ in 0..3 {
            run(&words(&record(&target.word(), &trace, "100ms"))).ended_with(0);
        }
        let maps = fs::read_to_string(format!("/proc/{}/maps", target.pid())).unwrap();
        let copies: BTreeSet<_> = maps
            .lines()
            .filter(|line| line.contains("liblocklens"))
            .map(|line| line.split_whitespace().nth(4))
            .collect();
        assert_eq!(copies.len(), 1, "JDK {}:\n{maps}", jdk.major);
        assert!(
            info(target.trace())["events"].as_u64() > Some(0),
            "JDK {}",
            jdk.major
        );
    }
}

#[test]
fn nothing_is_left_in_the_temporary_directory() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let trace = target.trace().to_string_lossy().into_owned();
    let command = Running::start(&words(&record(&target.word(), &trace, "0")));
    eventually("it records", || {
        target.trace().metadata().is_ok_and(|file| file.len() > 0)
    });
    let mark = format!("-{}-", command.pid());
    let entries = fs::read_dir(format!("/proc/{}/root/tmp", target.pid()))
        .unwrap()
        .flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let ours: Vec<_> = names
        .filter(|name| name.contains("locklens") && name.contains(&mark))
        .collect();
    assert!(ours.is_empty(), "{ours:?}");
    signal(command.pid(), "INT");
    command.wait().ended_with(0);
}

#[test]
fn the_first_event_is_seen_soon() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let trace = target.trace().to_string_lossy().into_owned();
    // The first attach starts the JVM's own attach listener; the recording before this one did that.
    run(&words(&record(&target.word(), &trace, "100ms"))).ended_with(0);
    // A busy machine may be late once; a slow command is late every time.
    eventually("the first event is seen within 300 ms", || {
        first_event(&target, &trace) < Duration::from_millis(300)
    });
}

/// From the start of the command to the first thing it saw.
fn first_event(target: &Subject, trace: &str) -> Duration {
    let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    run(&words(&record(&target.word(), trace, "300ms"))).ended_with(0);
    let zero: u64 = info(target.trace())["target"]["started.unix_ns"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let events = run(&["events", "--raw", "--csv", trace])
        .ended_with(0)
        .stdout;
    let first: u64 = events
        .lines()
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    Duration::from_nanos(zero + first).saturating_sub(began)
}

#[test]
fn the_trace_can_be_read_while_it_grows() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let trace = target.trace().to_string_lossy().into_owned();
    let command = Running::start(&words(&record(&target.word(), &trace, "0")));
    eventually("the trace begins", || {
        target.trace().metadata().is_ok_and(|file| file.len() > 0)
    });
    let events = || info(target.trace())["events"].as_u64().unwrap();
    eventually("events arrive", || events() > 0);
    let before = events();
    eventually("more events arrive", || events() > before);
    signal(command.pid(), "INT");
    command.wait().ended_with(0);
    assert_eq!(info(target.trace())["ended"], true);
}

#[test]
fn ctrl_c_and_its_relatives_keep_the_trace() {
    for name in ["INT", "TERM", "HUP"] {
        let target = Subject::start(jdk(), &["Quarrel"]);
        let trace = target.trace().to_string_lossy().into_owned();
        let command = Running::start(&words(&record(&target.word(), &trace, "10m")));
        eventually("the trace begins", || {
            target.trace().metadata().is_ok_and(|file| file.len() > 0)
        });
        signal(command.pid(), name);
        command.wait().ended_with(0);
        assert_eq!(info(target.trace())["ended"], true, "SIG{name}");
    }
}

#[test]
fn when_nothing_contended_it_says_so() {
    let target = Subject::start(jdk(), &["Idle"]);
    let trace = target.trace().to_string_lossy().into_owned();
    run(&words(&record(&target.word(), &trace, "200ms")))
        .ended_with(0)
        .printed("No thread blocked or waited");
    run(&["report", &trace])
        .ended_with(0)
        .printed("No thread blocked on a monitor or waited")
        .printed("java.util.concurrent")
        .printed(&format!("locklens attach {} threaddump", target.word()));
}

#[test]
fn the_default_name_has_main_class_and_pid() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let folder = scratch("default-name");
    fs::create_dir_all(&folder).unwrap();
    let mut command = crate::rig::locklens();
    command
        .args(["record", &target.word(), "-d", "100ms"])
        .current_dir(&folder);
    assert!(command.output().unwrap().status.success());
    let names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    let start = format!("locklens-Quarrel-{}-", target.pid());
    assert!(
        matches!(&names[..], [one] if one.to_string_lossy().starts_with(&start)),
        "{names:?}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_full_disk_ends_the_recording_not_the_target() {
    let mut target = Subject::start(jdk(), &["Quarrel"]);
    run(&["record", &target.word(), "-d", "10s", "-o", "/dev/full"])
        .ended_with(2)
        .said("can't write /dev/full");
    eventually("our thread is gone", || !target.has_our_thread());
    assert!(target.alive());
}

/// Records onto a file system of 16 KB in a mount namespace of its own; $1 is where to copy the trace.
const SMALL_DISK: &str = "mount -t tmpfs -o size=16k none /mnt || exit 99; out=$1; shift; \"$@\" -o /mnt/t.llt; status=$?; cp /mnt/t.llt \"$out\"; exit $status";

#[test]
fn what_fits_on_a_disk_that_fills_up_can_be_read() {
    let mut target = Subject::start(jdk(), &["Quarrel"]);
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", SMALL_DISK, "sh"])
        .arg(target.trace())
        .arg(crate::rig::locklens().get_program());
    let output = command
        .args(["record", &target.word(), "-d", "60s"])
        .output();
    let Some(ran) = output
        .ok()
        .map(Ran::from)
        .filter(|ran| !matches!(ran.status, Some(1 | 99)))
    else {
        // Mounting is not ours here.
        return;
    };
    ran.ended_with(4).said("ended early").said("is kept");
    let figures = info(target.trace());
    assert!(figures["events"].as_u64() > Some(100), "{figures}");
    assert_eq!(
        figures["gaps"].as_object().map(|gaps| gaps.len()),
        Some(0),
        "{figures}"
    );
    eventually("our thread is gone", || !target.has_our_thread());
    assert!(target.alive());
}

/// What the command prints on a terminal of this kind.
fn on_terminal(target: &Subject, term: &str) -> Option<String> {
    let program = crate::rig::locklens().get_program().to_owned();
    let trace = target.trace().to_string_lossy();
    let line = format!(
        "{} record {} -d 1s -o {trace}",
        program.to_string_lossy(),
        target.word()
    );
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", term);
    let output = script.stdin(std::process::Stdio::null()).output().ok()?;
    let drawn = String::from_utf8_lossy(&output.stdout).into_owned();
    // A machine that stands still for 2 s ends a recording early (4), which is no matter of drawing.
    let went = matches!(output.status.code(), Some(0 | 4));
    assert!(went, "{}: {drawn}", output.status);
    Some(drawn)
}

#[test]
fn progress_is_drawn_only_where_it_can_be_taken_back() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let Some(drawn) = on_terminal(&target, "xterm") else {
        // Nothing here makes terminals.
        return;
    };
    assert!(
        drawn.contains('\x1b') && drawn.contains("hottest"),
        "{drawn}"
    );
    for term in ["dumb", ""] {
        let plain = on_terminal(&target, term).unwrap();
        assert!(!plain.contains('\x1b'), "{term:?}: {plain}");
        assert!(plain.contains("recording"), "{plain}");
    }
}
