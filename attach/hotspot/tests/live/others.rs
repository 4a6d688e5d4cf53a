//! JVMs of other users and in other namespaces.

use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
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
    let files = assert_reachable(jvm);
    let seen = files
        .host_path("agent.so")
        .metadata()
        .expect("visible for us");
    assert_eq!((seen.uid(), seen.gid()), (jvm.uid, jvm.gid));
}

/// The same, where the rights of the target's user are not ours.
fn assert_reachable(jvm: &Jvm) -> TargetFiles {
    let door = open(jvm, LIMIT).unwrap_or_else(|e| panic!("{jvm:?}: {e}"));
    assert_eq!(
        door.execute("properties", &[]).expect("an answer").status,
        0
    );
    let files = TargetFiles::create(jvm).expect("a directory");
    let path = files
        .write("agent.so", &some_library(jvm), 0o500)
        .expect("a file");
    let reply = door
        .execute("load", &[&path.0, "true", ""])
        .expect("an answer");
    let text = String::from_utf8_lossy(&reply.text).into_owned();
    // JDK 8 keeps the reason to itself; the others say that they have found it and what it lacks.
    let found = text.contains("Agent_OnAttach is not available in");
    let jdk_8 = jvm.version.as_deref().is_some_and(|v| v.starts_with("1."));
    assert!(found || jdk_8 && text.is_empty(), "{text}");
    files
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

/// A control group that can be frozen, with one process in it.
struct Freezer {
    group: PathBuf,
    switch: [&'static str; 3],
}

impl Freezer {
    /// In the old hierarchy or the unified one, whichever is there and ours to change.
    fn around(pid: u32) -> Option<Freezer> {
        let old = (
            "/sys/fs/cgroup/freezer",
            ["freezer.state", "FROZEN", "THAWED"],
        );
        let unified = ("/sys/fs/cgroup", ["cgroup.freeze", "1", "0"]);
        [old, unified].into_iter().find_map(|(top, switch)| {
            let group = Path::new(top).join(format!("locklens-test-{pid}"));
            std::fs::create_dir(&group).ok()?;
            let freezer = Freezer { group, switch };
            std::fs::write(freezer.group.join("cgroup.procs"), pid.to_string()).ok()?;
            freezer.group.join(switch[0]).exists().then_some(freezer)
        })
    }

    fn set(&self, value: &str) {
        std::fs::write(self.group.join(self.switch[0]), value).expect("a switch");
    }
}

impl Drop for Freezer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.group);
    }
}

#[test]
fn a_paused_container_is_not_signalled() {
    let mut subject = Subject::start(jdk::any(), &[]);
    let Some(freezer) = Freezer::around(subject.pid()) else {
        eprintln!("skipped: no freezer group can be made here (it takes root)");
        return;
    };
    let jvm = subject.jvm();
    freezer.set(freezer.switch[1]);
    let error = open(&jvm, Duration::from_millis(300)).expect_err("it is frozen");
    freezer.set(freezer.switch[2]);
    let AttachError::TimedOut {
        state: Some(state), ..
    } = &error
    else {
        panic!("{error}")
    };
    assert!(state.contains("frozen"), "{error}");
    subject.assert_well();
    assert_eq!(
        subject.dumps_after_own_quit(),
        1,
        "no signal was left pending"
    );
    drop(subject);
    wait_until("empty", || std::fs::remove_dir(&freezer.group).is_ok());
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
    // Not copied in this process: what another test starts meanwhile would have the copy open for writing, so that it
    // could not be run (ETXTBSY).
    let copied = Command::new("install")
        .args(["-m", "755"])
        .arg(std::env::current_exe().expect("ourselves"))
        .arg(&program)
        .status();
    assert!(copied.expect("install").success());
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
    assert!(
        done.status.success() && text.contains("1 passed"),
        "{}: {text}{}",
        done.status,
        String::from_utf8_lossy(&done.stderr)
    );
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
        (VmKind::NotPermitted, 0, Some("acme.Subject"))
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

/// Waits until a subject has its own user namespace, whose numbers can then be written.
fn enter_namespace(subject: &Subject) {
    let theirs = format!("/proc/{}/ns/user", subject.pid());
    let ours = std::fs::metadata("/proc/self/ns/user").expect("ours").ino();
    wait_until("in a namespace", || {
        std::fs::metadata(&theirs).is_ok_and(|theirs| theirs.ino() != ours)
    });
}

/// A container of an ordinary user, in which another user runs the JVM: only inside its user namespace has the
/// first the rights of the second.
#[test]
fn an_ordinary_users_own_user_namespace() {
    let wrapper = [&setpriv()[..], &["unshare", "--user"]].concat();
    if !possible(&wrapper) {
        return;
    }
    let mut command = Command::new(wrapper[0]);
    command
        .args(&wrapper[1..])
        .args(["sh", "-c", "read line; exec \"$0\" \"$@\""]);
    command
        .args(["setpriv", "--reuid=1", "--regid=1", "--clear-groups"])
        .arg(public_jdk().java());
    let mut subject = Subject::spawn(command.args(Subject::arguments(&[])).current_dir("/"));
    let proc = |entry: &str| format!("/proc/{}/{entry}", subject.pid());
    enter_namespace(&subject);
    for map in ["uid_map", "gid_map"] {
        std::fs::write(proc(map), "0 65534 1\n1 100000 9\n").expect("root may");
    }
    subject.say("go on");
    subject.wait_for("ready ");
    assert_eq!(subject.jvm().uid, 100_000);
    as_nobody("is_reachable", subject.pid());
    subject.assert_well();
}

#[test]
#[ignore = "run as nobody by an_ordinary_users_own_user_namespace"]
fn is_reachable() {
    let files = assert_reachable(&target());
    let dir = files.target_path("").trim_end_matches('/').to_owned();
    assert!(Path::new(&dir).exists(), "this target shares our /tmp");
    files.remove();
    assert!(!Path::new(&dir).exists());
}

#[test]
fn a_jvm_that_cannot_make_its_socket_is_told_apart() {
    let unshare = ["unshare", "--mount"];
    if !possible(&unshare) {
        return;
    }
    let read_only = "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp";
    // Its class path lies in our /tmp: the classes get a place of the same name among as many other
    // files as there is room for.
    let full = "mount -t tmpfs -o size=8m none /mnt && cp -a {classes} /mnt/kept && \
        mount -t tmpfs -o size=8m,nr_inodes=200 none /tmp && mkdir -p {classes} && \
        cp -a /mnt/kept/. {classes} && n=0 && while : 2>/dev/null >/tmp/$n; do n=$((n + 1)); done; true";
    let classes = jdk::programs().classes.to_str().expect("printable");
    let full = full.replace("{classes}", classes);
    for (setting, why, limit) in [
        (read_only, "its /tmp is mounted read-only", LIMIT),
        (
            &full,
            "its /tmp has room for no more files",
            Duration::from_secs(8),
        ),
    ] {
        let mut command = Command::new("unshare");
        command.args(["--mount", "bash", "-c"]);
        command.arg(format!("{setting} && exec \"$0\" \"$@\""));
        command.arg(jdk::any().java());
        command.args(Subject::arguments(&["-XX:-UsePerfData"]));
        let mut subject = Subject::run(command.current_dir("/"));
        let error = open(&subject.jvm(), limit).expect_err("it has no place for a socket");
        assert!(matches!(error, AttachError::NoSocket { .. }), "{error}");
        assert!(error.to_string().ends_with(why), "{error}");
        subject.assert_well();
    }
}

#[test]
fn a_jvm_whose_group_its_user_namespace_does_not_know_is_told_apart() {
    if !possible(&["unshare", "--user"]) {
        return;
    }
    let mut command = Command::new("unshare");
    command.args(["--user", "sh", "-c", "read line; exec \"$0\" \"$@\""]);
    // Of the versions here only 8 does not give its socket away to its own group.
    let newer = jdk::all().iter().find(|jdk| jdk.feature() > 8);
    let Some(newer) = newer else { return };
    command.arg(newer.java()).args(Subject::arguments(&[]));
    let mut subject = Subject::spawn(command.current_dir("/"));
    enter_namespace(&subject);
    let me = std::fs::metadata("/proc/self").expect("ours").uid();
    let map = format!("/proc/{}/uid_map", subject.pid());
    std::fs::write(map, format!("{me} {me} 1\n")).expect("our own number");
    subject.say("go on");
    subject.wait_for("ready ");
    let error = open(&subject.jvm(), Duration::from_secs(2)).expect_err("it makes no socket");
    assert!(matches!(error, AttachError::NoSocket { .. }), "{error}");
    assert!(
        error.to_string().ends_with("user namespace (gid_map)"),
        "{error}"
    );
    subject.assert_well();
}

#[test]
fn files_go_where_there_is_room_for_a_library() {
    let unshare = ["unshare", "--mount"];
    if !possible(&unshare) {
        return;
    }
    let full = "mount -t tmpfs -o size=8m none /mnt && cp -a {classes} /mnt/kept && \
        mount -t tmpfs -o size=8m none /tmp && mkdir -p {classes} && \
        cp -a /mnt/kept/. {classes} && ! cat /dev/zero 2>/dev/null >/tmp/full && exec \"$0\" \"$@\"";
    let classes = jdk::programs().classes.to_str().expect("printable");
    let mut command = Command::new("unshare");
    command.args(["--mount", "bash", "-c", &full.replace("{classes}", classes)]);
    command.arg(jdk::any().java());
    command.args(Subject::arguments(&["-XX:-UsePerfData"]));
    let mut subject = Subject::run(command.current_dir("/"));
    let files = assert_reachable(&subject.jvm());
    assert!(
        !files.target_path("x").starts_with("/tmp/"),
        "{}",
        files.target_path("x")
    );
    subject.assert_well();
}
