//! Targets that can't be attached to: each is told why, and nothing is left behind.

use crate::rig::{Ran, Running, Subject, classes, eventually, executable, jdk, jdks, run, scratch};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

#[test]
fn no_such_process() {
    for words in [["record", "4194304"], ["attach", "4194304"]] {
        let words = [
            &words[..],
            &["properties"][..usize::from(words[0] == "attach")],
        ]
        .concat();
        run(&words).ended_with(3).said("4194304");
    }
    run(&["4194304", "-d", "1"]).ended_with(3);
}

#[test]
fn a_process_that_is_no_jvm_is_left_alone() {
    let mut other = Command::new("sleep")
        .arg("600")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let pid = other.id().to_string();
    let ran = run(&["record", &pid]);
    let unharmed = matches!(other.try_wait(), Ok(None));
    other.kill().unwrap();
    other.wait().unwrap();
    ran.ended_with(3).said(&pid);
    assert!(unharmed, "a signal was sent to it");
}

#[test]
fn whoever_started_a_jvm_is_none_and_leads_to_it() {
    let java = Subject::java(jdk(), classes(), &["Idle"]);
    let mut script = Command::new("sh");
    // Something is left to do when it ends: the shell stays.
    script.args(["-c", "\"$0\" \"$@\"; true"]);
    script.arg(java.get_program()).args(java.get_args());
    let shell = Subject::from(&mut script);
    let refused = run(&["record", &shell.word()]).ended_with(3);
    let refused = refused.said("is not a JVM").said("what it started");
    let named = refused.stderr.lines().last().unwrap();
    let pid = named.split_whitespace().next().unwrap();
    assert_ne!(pid, shell.word());
    run(&["attach", pid, "properties"])
        .ended_with(0)
        .printed("java.version");
}

/// Stands in for another VM: a process with a library of that name mapped, as the launcher would have it.
struct OtherVm {
    process: Child,
    library: PathBuf,
}

impl OtherVm {
    fn with(library: &str) -> Self {
        Self::started(&mut Command::new("cat"), library)
    }

    fn started(cat: &mut Command, library: &str) -> Self {
        let folder = scratch("vm");
        fs::create_dir(&folder).unwrap();
        let library = folder.join(library);
        // Any library will do: it is looked at, and nothing in it is called.
        fs::copy(c_library(), &library).unwrap();
        let mut process = cat
            .env("LD_PRELOAD", &library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.as_mut().unwrap().write_all(b"!").unwrap();
        let mut up = [0];
        process
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut up)
            .unwrap();
        Self { process, library }
    }
}

impl Drop for OtherVm {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        fs::remove_dir_all(self.library.parent().unwrap()).unwrap();
    }
}

/// Where the C library of this very process is.
fn c_library() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let path = maps.lines().filter_map(|line| line.split(' ').next_back());
    path.map(PathBuf::from)
        .find(|path| path.file_name().is_some_and(|name| name == "libc.so.6"))
        .unwrap()
}

#[test]
fn another_kind_of_vm_is_named_and_left_alone() {
    for (library, kind) in [("libj9vm29.so", "OpenJ9"), ("libjvm.so", "an unknown VM")] {
        let mut other = OtherVm::with(library);
        let pid = other.process.id().to_string();
        for words in [
            &["record", &pid, "-d", "1"][..],
            &["attach", &pid, "threaddump"],
            &["trace", &pid, "--class", "Idle"],
            &[&pid, "-d", "1"],
        ] {
            run(words).ended_with(3).said(&format!("runs {kind}"));
        }
        run(&["list"]).ended_with(0).printed(&format!("[{kind}]"));
        let unharmed = matches!(other.process.try_wait(), Ok(None));
        assert!(unharmed, "{kind}: a signal was sent to it");
    }
}

#[test]
fn a_name_that_nothing_has() {
    run(&["record", "no.such.MainClass"])
        .ended_with(3)
        .said("no.such.MainClass");
}

#[test]
fn an_ambiguous_name_lists_the_candidates() {
    let (one, two) = (
        Subject::start(jdk(), &["Idle", "--port", "8080", "--name", "red"]),
        Subject::start(
            jdk(),
            &["Idle", "--port", "8080", "--name", "\u{1b}[2Jblue"],
        ),
    );
    let ran = run(&["record", "Idle", "-d", "1"]).ended_with(3);
    let line = |target: &Subject| {
        let mut lines = ran.stderr.lines();
        let line = lines.find(|line| line.trim_start().starts_with(&target.word()));
        line.unwrap_or_else(|| panic!("{ran:#?}")).to_owned()
    };
    assert!(
        line(&one).contains("  Idle") && line(&one).ends_with("red"),
        "{ran:#?}"
    );
    assert!(
        line(&two).ends_with("[2Jblue") && !ran.stderr.contains('\x1b'),
        "{ran:#?}"
    );
    assert!(
        ran.stderr.lines().all(|line| line.chars().count() <= 80),
        "{ran:#?}"
    );
}

#[test]
fn attaching_disabled() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["-XX:+DisableAttachMechanism", "Idle"]);
        run(&["record", &target.word(), "-d", "1"])
            .ended_with(3)
            .said("DisableAttachMechanism");
        // Nobody is told a price that can't be paid.
        for words in [
            &["trace", &target.word(), "--class", "Idle"][..],
            &["record", &target.word(), "--exact"],
        ] {
            let ran = run(words).ended_with(3).said("DisableAttachMechanism");
            assert!(!ran.stderr.contains("compiled"), "{ran:#?}");
        }
        assert!(target.alive(), "JDK {}", jdk.major);
    }
}

#[test]
fn dynamic_loading_disabled() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= 21) {
        let trace = scratch("refused.llt");
        let target = Subject::start(jdk, &["-XX:-EnableDynamicAgentLoading", "Idle"]);
        run(&[
            "record",
            &target.word(),
            "-d",
            "1",
            "-o",
            &trace.to_string_lossy(),
        ])
        .ended_with(3)
        .said("EnableDynamicAgentLoading");
        assert!(!trace.exists(), "an empty trace was left behind");
        let ran = run(&["trace", &target.word(), "--class", "Idle"]).ended_with(3);
        assert!(!ran.stderr.contains("compiled"), "{ran:#?}");
    }
}

#[test]
fn a_stopped_target_is_told_from_a_dead_one() {
    let target = Subject::start(jdk(), &["Idle"]);
    target.signal("STOP");
    let ran = run(&["record", &target.word(), "-d", "1"]);
    target.signal("CONT");
    ran.ended_with(3).said("stopped");
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_target_is_touched() {
    let target = Subject::start(jdk(), &["Idle"]);
    run(&["record", &target.word(), "-o", "/nowhere/x.llt"])
        .ended_with(2)
        .said("/nowhere/x.llt");
    assert!(!target.has_our_thread());
}

#[test]
fn two_at_once_is_one_too_many() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let trace = target.trace().to_string_lossy().into_owned();
        let first = Running::start(&["record", &target.word(), "-d", "0", "-o", &trace]);
        eventually("the first records", || {
            target.trace().metadata().is_ok_and(|file| file.len() > 0)
        });
        let second = scratch("second.llt");
        run(&[
            "record",
            &target.word(),
            "-d",
            "1",
            "-o",
            &second.to_string_lossy(),
        ])
        .ended_with(3)
        .said("another locklens");
        assert!(!second.exists());
        crate::rig::signal(first.pid(), "INT");
        first.wait().ended_with(0);
    }
}

#[test]
fn another_users_jvm_needs_permission() {
    if !is_root() {
        // Only root can be somebody else for a moment.
        return;
    }
    let mut target = Subject::start(jdk(), &["Idle"]);
    let pid = target.word();
    for words in [
        &["record", &pid, "-d", "1", "-o", "/dev/null"][..],
        &["attach", &pid, "threaddump"],
    ] {
        let ran = as_nobody(words).ended_with(3).said("root");
        assert!(!ran.stderr.contains("unknown VM"), "{ran:#?}");
    }
    let listed = as_nobody(&["list"]).ended_with(0).stdout;
    let line = listed
        .lines()
        .find(|line| line.split_whitespace().next() == Some(&pid));
    assert!(
        line.is_some_and(|line| line.contains("Idle  [no permission to look]")),
        "{listed}"
    );
    let jvm = listed_as_json(target.pid());
    assert_eq!(
        (&jvm["vm"], &jvm["main"]),
        (&json!("not permitted"), &json!("Idle"))
    );
    assert_eq!(jvm["version"], Value::Null);
    assert!(target.alive());
}

#[test]
fn a_vm_whose_library_may_not_be_read_is_not_called_unknown() {
    if !is_root() {
        return;
    }
    let other = OtherVm::started(&mut nobodys("cat"), "libjvm.so");
    fs::set_permissions(&other.library, fs::Permissions::from_mode(0o000)).unwrap();
    let pid = other.process.id();
    as_nobody(&["attach", &pid.to_string(), "threaddump"])
        .ended_with(3)
        .said("no permission to attach to process")
        .said("opening its libjvm.so");
    assert_eq!(listed_as_json(pid)["vm"], "not permitted");
}

/// A program that is nobody's.
fn nobodys(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(program);
    command
}

/// What nobody gets to see.
fn as_nobody(words: &[&str]) -> Ran {
    let mut command = nobodys(executable());
    Ran::from(command.args(words).output().unwrap())
}

fn listed_as_json(pid: u32) -> Value {
    let listed = as_nobody(&["list", "--json"]).ended_with(0).stdout;
    let jvms: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let jvm = jvms.into_iter().find(|jvm| jvm["pid"] == pid);
    jvm.unwrap_or_else(|| panic!("{listed}"))
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self")
        .is_ok_and(|process| std::os::unix::fs::MetadataExt::uid(&process) == 0)
}
