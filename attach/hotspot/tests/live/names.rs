//! Listing and finding.

use std::process::{Command, Stdio};

use locklens_hotspot::{FindError, Pid, VmKind, find, list, mapped_library};

use crate::jdk::{self, programs};
use crate::subject::{Scratch, Subject};

#[test]
fn a_running_jvm_is_listed_with_what_it_is() {
    for jdk in jdk::all() {
        for options in [&[][..], &["-XX:-UsePerfData"]] {
            let subject = Subject::start(jdk, options);
            let jvm = list()
                .into_iter()
                .find(|j| j.pid.0 == subject.pid())
                .expect("listed");
            assert_eq!(jvm.vm, VmKind::HotSpot);
            assert_eq!(jvm.ns_pid, subject.pid());
            let told = options.is_empty() || jdk.has_release();
            // The file that tells where the counters don't leaves out that a version is an early one.
            let whole = |version: String| version.trim_end_matches("-ea").to_owned();
            assert_eq!(
                jvm.version.clone().map(whole),
                told.then(|| whole(jdk.version())),
                "{}",
                jdk.home.display()
            );
            assert_eq!(jvm.main.as_deref(), Some("acme.Subject"));
            assert_eq!(jvm.args, ["a b", "c"]);
            assert!(!jvm.foreign_namespace);
            assert_eq!(jvm, subject.jvm());
        }
    }
}

#[test]
fn argfiles_and_jars_and_renamed_launchers() {
    let scratch = Scratch::new("names");
    let jdk = jdk::all()
        .iter()
        .max_by_key(|jdk| jdk.feature())
        .expect("a JDK");
    let jar = programs().jar.to_str().expect("printable").to_owned();
    let copy = scratch.file(&format!("unique-{}.jar", std::process::id()));
    std::fs::copy(&jar, &copy).expect("a copy");
    let subject = Subject::run(Command::new(jdk.java()).args(["-Xmx64m", "-jar", &copy, "x"]));
    let name = copy.rsplit('/').next().expect("a name");
    for name in [
        name,
        name.trim_end_matches(".jar"),
        &name[..name.len() - 5],
        copy.as_str(),
    ] {
        assert_eq!(
            find(name).expect("by jar").pid,
            Pid(subject.pid()),
            "{name}"
        );
    }
    std::fs::write(
        scratch.file("args"),
        Subject::arguments(&[]).join("\n").replace("a b", "'a b'"),
    )
    .expect("a file");
    let subject = Subject::run(Command::new(jdk.java()).arg(format!("@{}", scratch.file("args"))));
    let jvm = subject.jvm();
    assert_eq!(
        (jvm.main.as_deref(), jvm.args.len()),
        (Some("acme.Subject"), 2)
    );
    let mut renamed = Command::new("bash");
    renamed
        .args(["-c", "exec -a unlikely \"$0\" \"$@\""])
        .arg(jdk.java())
        .args(Subject::arguments(&[]));
    let subject = Subject::run(&mut renamed);
    assert_eq!(subject.jvm().main.as_deref(), Some("acme.Subject"));
    assert_eq!(subject.jvm().args, ["a b", "c"]);
}

#[test]
fn a_program_that_embeds_a_jvm_goes_by_its_own_name() {
    let scratch = Scratch::new("embedder");
    let jdk = jdk::all()
        .iter()
        .max_by_key(|jdk| jdk.feature())
        .expect("a JDK");
    let name = format!("embedder-{}", std::process::id());
    std::fs::create_dir_all(scratch.0.join("bin")).expect("a folder");
    let program = scratch.file(&format!("bin/{name}"));
    std::fs::copy(jdk.java(), &program).expect("a copy of the launcher");
    for part in ["lib", "conf"] {
        let link = scratch.0.join(part);
        std::os::unix::fs::symlink(jdk.home.join(part), link).expect("a link");
    }
    let mut silent = Command::new(&program);
    silent.args(Subject::arguments(&["-XX:-UsePerfData"]));
    let subject = Subject::run(&mut silent);
    let jvm = subject.jvm();
    assert_eq!(jvm.main.as_deref(), Some(name.as_str()));
    assert_eq!(find(&name).map(|jvm| jvm.pid), Ok(Pid(subject.pid())));
    let mut telling = Command::new(&program);
    telling.args(Subject::arguments(&[]));
    let jvm = Subject::run(&mut telling).jvm();
    assert_eq!(
        jvm.main.as_deref(),
        Some("acme.Subject"),
        "it says so itself"
    );
}

#[test]
fn what_is_no_jvm_is_not_taken_for_one() {
    let mut cat = Command::new("cat")
        .stdin(Stdio::piped())
        .spawn()
        .expect("cat");
    let pid = Pid(cat.id());
    assert_eq!(
        find(&pid.to_string()),
        Err(FindError::NotAJvm {
            pid,
            started: vec![]
        })
    );
    assert!(
        list()
            .iter()
            .all(|jvm| jvm.pid != pid && jvm.pid.0 != std::process::id())
    );
    cat.kill().expect("our own child");
    cat.wait().expect("our own child");
    assert_eq!(find(&pid.to_string()), Err(FindError::NoSuchPid { pid }));
}

#[test]
fn mapped_libraries_are_found_by_part_of_their_name() {
    let subject = Subject::start(jdk::any(), &[]);
    let path = mapped_library(&subject.jvm(), "libjv").expect("mapped");
    assert!(path.ends_with("/libjvm.so"), "{path}");
    assert_eq!(mapped_library(&subject.jvm(), "liblocklens"), None);
}
