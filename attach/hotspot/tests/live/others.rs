//! JVMs of other users and in other namespaces.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

use locklens_hotspot::{AttachError, Jvm, TargetFiles, VmKind, list, mapped_library, open};

use crate::jdk::{self, Jdk};
use crate::subject::{LIMIT, Scratch, Subject, wait_until};

const NOBODY: &str = "65534";
const SET_NOBODY: [&str; 3] = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/// Tells the copy of this test program that runs as nobody which JVM to try.
const TARGET: &str = "LOCKLENS_TEST_TARGET";

/// Whether this can be tried here; says why not.
fn possible(probe: &[&str]) -> bool {
    let done = Command::new(probe[0])
        .args(&probe[1..])
        .arg("true")
        .output();
    let works = done.is_ok_and(|done| done.status.success());
    if !works {
        eprintln!(
            "skipped: `{} true` is not permitted here (it takes root)",
            probe.join(" ")
        );
    }
    works
}

/// One that nobody can run.
fn public_jdk() -> &'static Jdk {
    jdk::public()
        .next()
        .expect("a JDK outside of home directories, such as /usr/lib/jvm")
}

fn setpriv() -> Vec<&'static str> {
    [&["setpriv"][..], &SET_NOBODY].concat()
}

/// A subject behind a wrapper such as `setpriv` or `unshare`.
fn wrapped(jdk: &Jdk, wrapper: &[&str]) -> Subject {
    let mut command = Command::new(wrapper[0]);
    command
        .args(&wrapper[1..])
        .arg(jdk.java())
        .args(Subject::arguments(&[]));
    Subject::run(command.current_dir("/"))
}

/// The JVM among a process and its descendants: `unshare --fork` keeps the parent.
fn inner(subject: &Subject) -> Jvm {
    let mut found = None;
    wait_until("a JVM", || {
        found = list()
            .into_iter()
            .find(|jvm| descends(jvm.pid.0, subject.pid()));
        found.is_some()
    });
    found.expect("just seen")
}

fn descends(mut pid: u32, from: u32) -> bool {
    while pid > 1 && pid != from {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|l| l.strip_prefix("PPid:"));
        pid = parent.and_then(|p| p.trim().parse().ok()).unwrap_or(0);
    }
    pid == from
}

/// Everything that has to work with a target: asking it, and giving it files it owns and finds.
fn assert_usable(jvm: &Jvm) {
    let door = open(jvm, LIMIT).unwrap_or_else(|e| panic!("{jvm:?}: {e}"));
    assert_eq!(
        door.execute("properties", &[]).expect("an answer").status,
        0
    );
    let files = TargetFiles::create(jvm).expect("a directory");
    files
        .write("agent.so", &some_library(jvm), 0o500)
        .expect("a file");
    let seen = files
        .host_path("agent.so")
        .metadata()
        .expect("visible for us");
    assert_eq!((seen.uid(), seen.gid()), (jvm.uid, jvm.gid));
    let reply = door
        .execute("load", &[&files.target_path("agent.so"), "true", ""])
        .expect("an answer");
    let text = String::from_utf8_lossy(&reply.text).into_owned();
    // JDK 8 keeps the reason to itself; the others say that they have found it and what it lacks.
    let found = text.contains("Agent_OnAttach is not available in");
    assert!(found || text.is_empty(), "{text}");
}

/// A real library that is no agent: one of the target's own.
fn some_library(jvm: &Jvm) -> Vec<u8> {
    let path = mapped_library(jvm, "libjava.so").expect("mapped");
    std::fs::read(format!("/proc/{}/root{path}", jvm.pid)).expect("readable")
}

#[test]
fn a_jvm_of_another_user() {
    if !possible(&setpriv()) {
        return;
    }
    for jdk in jdk::public() {
        let mut subject = wrapped(jdk, &setpriv());
        let jvm = subject.jvm();
        assert_eq!(
            (jvm.uid.to_string().as_str(), jvm.user.as_deref()),
            (NOBODY, Some("nobody"))
        );
        assert_usable(&jvm);
        subject.assert_well();
    }
}

#[test]
fn a_jvm_of_another_group() {
    let wrapper = ["setpriv", "--regid=65534", "--keep-groups"];
    if possible(&wrapper) {
        assert_usable(&wrapped(jdk::any(), &wrapper).jvm());
    }
}

#[test]
fn a_jvm_in_other_pid_and_mount_namespaces() {
    let unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
    if !possible(&unshare) {
        return;
    }
    let own_tmp = "mount -t tmpfs none /var/tmp && mkdir /var/tmp/t && mount --move /var/tmp /mnt && \
        mkdir /mnt/keep && mount --rbind /tmp /mnt/keep && mount --bind /mnt/t /tmp && exec \"$0\" \"$@\"";
    for jdk in jdk::all() {
        // The class path lies in our /tmp: keep it in sight under another name, and give the target
        // a /tmp of its own.
        let arguments = Subject::arguments(&[])
            .iter()
            .map(|a| a.replace("/tmp/", "/mnt/keep/"))
            .collect::<Vec<_>>();
        let mut command = Command::new(unshare[0]);
        command
            .args(&unshare[1..])
            .args(["sh", "-c", own_tmp])
            .arg(jdk.java())
            .args(arguments);
        let subject = Subject::run(command.current_dir("/"));
        let jvm = inner(&subject);
        assert!(jvm.foreign_namespace);
        assert_eq!(jvm.ns_pid, 1);
        assert_eq!(jvm.version, Some(jdk.version()));
        assert_usable(&jvm);
        assert!(
            !std::path::Path::new("/tmp/.java_pid1").exists(),
            "it has its own /tmp"
        );
    }
}

#[test]
fn a_jvm_in_other_user_and_network_namespaces() {
    let inside = ["unshare", "--user", "--map-root-user", "--net"];
    let wrapper = [&setpriv()[..], &inside].concat();
    if possible(&wrapper) {
        let subject = wrapped(public_jdk(), &wrapper);
        let jvm = subject.jvm();
        assert_eq!(
            jvm.uid.to_string(),
            NOBODY,
            "root in there is nobody out here"
        );
        assert_usable(&jvm);
    }
}

#[test]
fn a_jvm_with_another_root() {
    if !possible(&["unshare", "--mount"]) {
        return;
    }
    // The whole tree once more, in a directory; the JVM sees only that.
    let scratch = Scratch::new("chroot");
    let root = scratch.0.to_str().expect("printable");
    let script = format!(
        "mount --rbind / {root} && mount -t tmpfs none {root}/var/tmp && exec chroot {root} \"$0\" \"$@\""
    );
    let subject = wrapped(jdk::any(), &["unshare", "--mount", "sh", "-c", &script]);
    let jvm = inner(&subject);
    assert_eq!(jvm.version, Some(jdk::any().version()));
    let library = mapped_library(&jvm, "libjvm.so").expect("mapped");
    assert!(
        !library.starts_with(root),
        "{library} is not what the target would write"
    );
    assert_usable(&jvm);
}

#[test]
fn a_stale_socket_the_jvm_cannot_replace_is_named() {
    if !possible(&setpriv()) {
        return;
    }
    let subject = wrapped(public_jdk(), &setpriv());
    let path = format!("/tmp/.java_pid{}", subject.pid());
    drop(UnixListener::bind(&path).expect("a socket of root's"));
    let error = open(&subject.jvm(), Duration::from_secs(3)).expect_err("nobody cannot remove it");
    std::fs::remove_file(&path).expect("our own");
    assert!(matches!(error, AttachError::StaleSocket { .. }), "{error}");
    assert!(error.hint().contains(&path), "{}", error.hint());
}

/// Runs one of the tests below as nobody, on a copy of this program that nobody can read.
fn as_nobody(test: &str, target: u32) {
    let scratch = Scratch::new(test);
    let program = scratch.file("test");
    std::fs::copy(std::env::current_exe().expect("ourselves"), &program).expect("a copy");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("our own");
    let mut command = Command::new("setpriv");
    command.args(SET_NOBODY).arg(&program).args([
        "--ignored",
        "--exact",
        &format!("others::{test}"),
    ]);
    let done = command
        .env(TARGET, target.to_string())
        .current_dir("/")
        .output()
        .expect("setpriv");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("1 passed"), "{text}");
}

fn target() -> Jvm {
    let pid = std::env::var(TARGET).expect("run by another test");
    locklens_hotspot::find(&pid).expect("a JVM")
}

#[test]
fn without_rights_it_is_said_whose_it_is() {
    if possible(&setpriv()) {
        let mut subject = Subject::start(jdk::any(), &[]);
        as_nobody("is_refused", subject.pid());
        subject.assert_well();
        assert_eq!(subject.count("Full thread dump"), 0);
    }
}

#[test]
#[ignore = "run as nobody by without_rights_it_is_said_whose_it_is"]
fn is_refused() {
    let jvm = target();
    assert_eq!(
        (jvm.vm, jvm.uid, jvm.main.as_deref()),
        (VmKind::Unknown, 0, Some("acme.Subject"))
    );
    let error = open(&jvm, LIMIT).expect_err("it is root's");
    assert!(
        matches!(error, AttachError::NoPermission { uid: 0, .. }),
        "{error}"
    );
    assert!(error.hint().contains("root"));
    let error = TargetFiles::create(&jvm).expect_err("it is root's");
    assert!(
        matches!(error, AttachError::NoPermission { uid: 0, .. }),
        "{error}"
    );
}

#[test]
fn an_ordinary_user_needs_no_rights_for_a_jvm_of_his_own() {
    if possible(&setpriv()) {
        let subject = wrapped(public_jdk(), &setpriv());
        as_nobody("is_usable", subject.pid());
    }
}

#[test]
#[ignore = "run as nobody by an_ordinary_user_needs_no_rights_for_a_jvm_of_his_own"]
fn is_usable() {
    assert_usable(&target());
}
