//! Files put where the target can read them.

use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::Path;

use locklens_hotspot::{AttachError, TargetFiles};

use crate::jdk;
use crate::subject::{Scratch, Subject};

#[test]
fn a_private_directory_that_goes_away_with_its_contents() {
    let subject = Subject::start(jdk::any(), &[]);
    let files = TargetFiles::create(&subject.jvm()).expect("a directory");
    let path = files.write("agent.so", b"one", 0o500).expect("a file");
    assert_eq!(path.0, files.target_path("agent.so"));
    let seen = Path::new(&path.0)
        .metadata()
        .expect("the target is in our own namespace");
    assert_eq!(
        (seen.mode() & 0o7777, seen.uid()),
        (0o500, subject.jvm().uid)
    );
    let dir = Path::new(&path.0).parent().expect("a directory").to_owned();
    assert_eq!(
        dir.metadata().expect("there").permissions().mode() & 0o7777,
        0o700
    );
    std::fs::write(files.host_path("of the host"), b"x").expect("writable for us");
    files.remove();
    assert!(!dir.exists());
}

#[test]
fn a_file_is_replaced_and_never_overwritten() {
    let subject = Subject::start(jdk::any(), &[]);
    let files = TargetFiles::create(&subject.jvm()).expect("a directory");
    let path = files.write("agent.so", b"one", 0o600).expect("a file");
    let mut mapped = std::fs::File::open(&path.0).expect("there");
    files.write("agent.so", b"two", 0o600).expect("a file");
    let mut text = String::new();
    mapped.read_to_string(&mut text).expect("still open");
    assert_eq!(text, "one");
    assert_eq!(
        std::fs::read(files.host_path("agent.so")).expect("there"),
        b"two"
    );
}

#[test]
fn it_is_cleared_away_even_after_the_target_has_gone() {
    let subject = Subject::start(jdk::any(), &[]);
    let files = TargetFiles::create(&subject.jvm()).expect("a directory");
    let path = files.write("agent.so", b"one", 0o600).expect("a file").0;
    drop(subject);
    assert!(files.host_path("agent.so").exists());
    drop(files);
    assert!(!Path::new(&path).parent().expect("a directory").exists());
}

#[test]
fn the_same_path_can_be_used_again() {
    let scratch = Scratch::new("at");
    let subject = Subject::start(jdk::any(), &[]);
    let dir = scratch.file("again");
    for _ in 0..2 {
        let files = TargetFiles::at(&subject.jvm(), &dir).expect("a directory");
        assert_eq!(
            files.write("a", b"x", 0o600).expect("a file").0,
            format!("{dir}/a")
        );
        files.remove();
    }
    std::fs::create_dir(&dir).expect("a directory");
    std::fs::set_permissions(&dir, PermissionsExt::from_mode(0o755)).expect("our own");
    let error = TargetFiles::at(&subject.jvm(), &dir).expect_err("it is not private");
    assert!(matches!(error, AttachError::Io { .. }), "{error}");
    std::fs::set_permissions(&dir, PermissionsExt::from_mode(0o700)).expect("our own");
    TargetFiles::at(&subject.jvm(), &dir)
        .expect("private now")
        .write("b", b"x", 0o600)
        .expect("a file");
    assert!(!Path::new(&dir).exists());
}

#[test]
fn what_a_killed_run_left_is_cleared_away() {
    let subject = Subject::start(jdk::any(), &[]);
    let namespace = std::fs::metadata("/proc/self/ns/pid").expect("ours").ino();
    let left = format!("/tmp/.locklens-{namespace}-{}-1-0", std::process::id());
    std::fs::create_dir(&left).expect("a directory");
    std::fs::write(format!("{left}/agent.so"), b"x").expect("a file");
    let other = TargetFiles::create(&subject.jvm()).expect("a directory");
    let ours = TargetFiles::create(&subject.jvm()).expect("a directory");
    assert!(!Path::new(&left).exists());
    assert!(other.host_path(".").exists() && ours.host_path(".").exists());
    assert!(
        Path::new(&other.target_path("")).exists(),
        "that of a run that lives is left alone"
    );
}

#[test]
fn names_do_not_lead_out_of_it() {
    let subject = Subject::start(jdk::any(), &[]);
    let files = TargetFiles::create(&subject.jvm()).expect("a directory");
    for name in ["../x", "/etc/x", "..", ""] {
        assert!(files.write(name, b"", 0o600).is_err(), "{name}");
    }
}

#[test]
fn a_socket_takes_connections() {
    let subject = Subject::start(jdk::any(), &[]);
    let files = TargetFiles::create(&subject.jvm()).expect("a directory");
    let listener = files.listen("channel").expect("a socket");
    let _caller = UnixStream::connect(files.target_path("channel")).expect("as the target would");
    listener.accept().expect("a caller");
}
