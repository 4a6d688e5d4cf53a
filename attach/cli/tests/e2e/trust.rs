//! What other users of the machine, and of the network, can't do.

use crate::rig::{Running, Subject, eventually, jdk, jdks, run, signal};
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};

const NOBODY: u32 = 65534;

/// Where the agent's library was when it was mapped.
fn place_of_the_library(target: &Subject) -> PathBuf {
    let maps = fs::read_to_string(format!("/proc/{}/maps", target.pid())).unwrap();
    let line = maps.lines().find(|line| line.contains("liblocklens-agent"));
    let path = line.and_then(|line| line.split_whitespace().nth(5));
    PathBuf::from(path.expect("the library stays mapped"))
}

/// Another library there, in a folder of another user.
fn put_bait(place: &Path, bait: &Path) {
    let folder = place.parent().unwrap();
    fs::create_dir(folder).unwrap();
    fs::copy(bait, place).unwrap();
    for path in [place, folder] {
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
}

/// The folder in /tmp is gone after an attach, and its name can be read in /tmp while it is there: another user can make it anew.
#[test]
fn a_library_that_somebody_else_put_at_its_old_place_is_not_loaded() {
    if fs::metadata("/proc/self").is_ok_and(|us| std::os::unix::fs::MetadataExt::uid(&us) != 0) {
        // Only root can be two users.
        return;
    }
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Quarrel"]);
        let (word, trace) = (target.word(), target.trace().to_string_lossy().into_owned());
        let record = || run(&["record", &word, "-d", "300ms", "-o", &trace]);
        record().ended_with(0);
        let place = place_of_the_library(&target);
        assert!(!place.exists(), "{place:?}");
        let maps = fs::read_to_string(format!("/proc/{}/maps", target.pid())).unwrap();
        let bait = maps
            .lines()
            .find(|line| line.contains("libjava.so"))
            .unwrap();
        put_bait(&place, Path::new(bait.split_whitespace().nth(5).unwrap()));
        let ran = record();
        let again = fs::read_to_string(format!("/proc/{}/maps", target.pid())).unwrap();
        fs::remove_dir_all(place.parent().unwrap()).unwrap();
        ran.ended_with(0);
        let ours = again
            .lines()
            .filter(|line| line.contains("liblocklens-agent"));
        assert!(
            ours.clone().count() > 0 && ours.clone().all(|line| line.ends_with("(deleted)")),
            "JDK {}: {again}",
            jdk.major
        );
        assert!(target.alive(), "JDK {}", jdk.major);
    }
}

/// Numbers of the sockets that a process has.
fn sockets(pid: u32) -> Vec<String> {
    let links = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let to = links.filter_map(|link| fs::read_link(link.path()).ok());
    let names = to.map(|to| to.to_string_lossy().into_owned());
    let number = |name: String| {
        Some(
            name.strip_prefix("socket:[")?
                .trim_end_matches(']')
                .to_owned(),
        )
    };
    names.filter_map(number).collect()
}

#[test]
fn nothing_is_on_a_network() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let before = sockets(target.pid());
    let trace = target.trace().to_string_lossy().into_owned();
    let command = Running::start(&["record", &target.word(), "-d", "0", "-o", &trace]);
    eventually("it records", || {
        target.trace().metadata().is_ok_and(|file| file.len() > 0)
    });
    let new = sockets(target.pid())
        .into_iter()
        .filter(|one| !before.contains(one));
    let ours: Vec<_> = sockets(command.pid()).into_iter().chain(new).collect();
    assert!(ours.len() >= 2, "{ours:?}");
    let unix = fs::read_to_string("/proc/net/unix").unwrap();
    for socket in ours {
        let is_local = unix
            .lines()
            .any(|line| line.split_whitespace().nth(6) == Some(&socket));
        assert!(is_local, "socket {socket}");
    }
    signal(command.pid(), "INT");
    command.wait().ended_with(0);
}

#[test]
fn what_the_program_was_told_at_its_start_is_not_in_a_trace() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["-Ddoor=mellon", "Idle", "--password=xyzzy"]);
        let trace = target.trace().to_string_lossy().into_owned();
        run(&["record", &target.word(), "-d", "300ms", "-o", &trace]).ended_with(0);
        let facts = run(&["info", "--json", &trace]).ended_with(0).stdout;
        let records = run(&["events", "--raw", "--json", &trace])
            .ended_with(0)
            .stdout;
        assert!(facts.contains("Idle"), "JDK {}: {facts}", jdk.major);
        for secret in ["xyzzy", "mellon"] {
            let is_told = [&facts, &records].iter().any(|text| text.contains(secret));
            assert!(!is_told, "JDK {}: {secret}", jdk.major);
        }
    }
}
