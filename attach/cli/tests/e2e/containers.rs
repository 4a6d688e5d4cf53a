//! A JVM in what a container is made of, and the command outside of it.
//!
//! All at once: own pid, mount, network, IPC and user namespaces, another uid, a root that can only be read with a
//! tmpfs on /tmp, and a /proc of its own or none.

use crate::rig::{Jdk, Subject, classes, eventually, info, jdks, run, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the mounts of a container of the whole tree, and runs a program in it as another user. The JDK and the classes
/// get places of their own, since that user may not go through the folders of ours.
///
/// 0 the new root's place, 1 the JDK, 2 the classes, 3 what is mounted on /proc, 4… the program.
const CONTAINER: &str = r#"
set -e
root=$0 jdk=$1 classes=$2 proc=$3
shift 3
mount --rbind / "$root"
mount -t tmpfs none "$root/mnt"
mkdir "$root/mnt/jdk" "$root/mnt/classes"
mount --rbind "$jdk" "$root/mnt/jdk"
mount --bind "$classes" "$root/mnt/classes"
mount -o remount,bind,ro "$root/mnt"
mount -t tmpfs -o mode=1777 none "$root/tmp"
mount -t "$proc" none "$root/proc"
mount -o remount,bind,ro "$root"
cd "$root"
pivot_root . .
umount -l .
cd /
shift
exec setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user /mnt/jdk/bin/java "$@"
"#;

const UNSHARE: [&str; 7] = [
    "unshare",
    "--pid",
    "--mount",
    "--net",
    "--ipc",
    "--fork",
    "--kill-child",
];

/// A container with a subject in it.
struct Contained {
    outer: Subject,
    root: PathBuf,
}

impl Contained {
    /// The error says why this cannot be tried here.
    fn start(jdk: &Jdk, proc: &str) -> Result<Self, String> {
        let root = scratch("container");
        fs::create_dir(&root).unwrap();
        let home = jdk
            .java()
            .parent()
            .and_then(Path::parent)
            .map(PathBuf::from)
            .unwrap();
        let command = || {
            let mut command = Command::new(UNSHARE[0]);
            command.args(&UNSHARE[1..]).args(["bash", "-c", CONTAINER]);
            command.args([&root, &home, classes()]).arg(proc);
            command
        };
        let tried = command().args(["-version"]).output();
        let tried = tried.map_err(|error| error.to_string())?;
        if !tried.status.success() {
            let _ = fs::remove_dir(&root);
            return Err(String::from_utf8_lossy(&tried.stderr).into_owned());
        }
        let words = ["-Xmx64m", "-cp", "/mnt/classes", "Quarrel"];
        let outer = Subject::from(command().args(words));
        Ok(Self { outer, root })
    }

    /// The JVM's pid out here: the one child of what made its pid namespace.
    fn pid(&self) -> String {
        let outer = self.outer.pid();
        let path = format!("/proc/{outer}/task/{outer}/children");
        fs::read_to_string(path).unwrap().trim().to_owned()
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        // Its mounts are in a namespace that ends with it.
        let _ = fs::remove_dir(&self.root);
    }
}

/// What of ours lies in the container's /tmp.
fn leftovers(pid: &str) -> Vec<String> {
    let entries = fs::read_dir(format!("/proc/{pid}/root/tmp"))
        .unwrap()
        .flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| name.contains("locklens") || name.starts_with(".attach_pid"))
        .collect()
}

#[test]
fn a_contained_jvm_is_recorded_traced_and_sampled_from_outside() {
    for proc in ["proc", "tmpfs"] {
        // One that needs nothing from a folder that only its user may enter.
        let mut why = String::new();
        let contained = jdks()
            .iter()
            .rev()
            .find_map(|jdk| match Contained::start(jdk, proc) {
                Ok(contained) => Some(contained),
                Err(error) => {
                    why = error;
                    None
                }
            });
        let Some(mut contained) = contained else {
            eprintln!("skipped: no container can be made here: {why}");
            return;
        };
        let pid = contained.pid();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        assert!(status.contains("Uid:\t65534\t65534"), "{status}");
        let file = scratch("contained.llt");
        let name = file.to_str().unwrap();
        run(&["doctor", &pid])
            .ended_with(0)
            .printed("It can be watched");
        run(&["record", &pid, "-d", "1", "-o", name]).ended_with(0);
        assert!(
            info(&file)["events"]
                .as_u64()
                .is_some_and(|events| events > 0),
            "{proc}"
        );
        run(&[
            "trace", &pid, "--class", "Quarrel*", "--yes", "-d", "1", "-o", name,
        ])
        .ended_with(0);
        assert!(
            info(&file)["events"]
                .as_u64()
                .is_some_and(|events| events > 0),
            "{proc}"
        );
        run(&["sample", &pid, "-d", "1"])
            .ended_with(0)
            .printed("Quarrel");
        eventually("nothing of ours is left in it", || {
            leftovers(&pid).is_empty()
        });
        assert!(contained.outer.alive(), "{proc}");
        fs::remove_file(file).unwrap();
    }
}

/// A JVM whose program names musl's linker. It is glibc's under that name, for no JVM for musl can be had here; what is
/// looked at, the program's headers, is the same.
#[test]
fn a_jvm_for_musl_is_refused_before_anything_is_sent() {
    const LINKER: &[u8] = b"./ld-musl-x86_64.so.1\0";
    let folder = scratch("musl");
    fs::create_dir_all(folder.join("bin")).unwrap();
    let made = jdks().iter().rev().find_map(|jdk| {
        let home = jdk
            .java()
            .parent()
            .and_then(Path::parent)
            .map(PathBuf::from)?;
        let mut program = fs::read(jdk.java()).unwrap();
        let at = program.windows(4).position(|bytes| bytes == b"/ld-")?;
        let from = program[..at].iter().rposition(|&byte| byte == 0)? + 1;
        let end = at + program[at..].iter().position(|&byte| byte == 0)?;
        let real = String::from_utf8(program[from..end].to_vec()).ok()?;
        program
            .get(from..end)
            .filter(|name| name.len() + 1 >= LINKER.len())?;
        program[from..from + LINKER.len()].copy_from_slice(LINKER);
        std::os::unix::fs::symlink(&real, folder.join("ld-musl-x86_64.so.1")).unwrap();
        for entry in fs::read_dir(&home).unwrap().flatten() {
            if entry.file_name() != "bin" {
                std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name())).unwrap();
            }
        }
        // Not written in place: a process started meanwhile would hold it open, and it could not be run.
        let raw = folder.join("raw");
        fs::write(&raw, program).unwrap();
        let install = Command::new("install")
            .args(["-m", "755"])
            .arg(&raw)
            .arg(folder.join("bin/java"))
            .status();
        assert!(install.unwrap().success());
        Some(())
    });
    assert!(made.is_some(), "no program of a JDK names its linker");
    let mut java = Command::new("bin/java");
    java.current_dir(&folder)
        .args(["-Xmx64m", "-cp"])
        .arg(classes())
        .arg("Idle");
    let mut subject = Subject::from(&mut java);
    let pid = subject.word();
    for words in [
        &["record", &pid, "-d", "1", "-o", "/dev/null"][..],
        &[
            "trace",
            &pid,
            "--class",
            "Idle",
            "--yes",
            "-d",
            "1",
            "-o",
            "/dev/null",
        ],
        &["sample", &pid, "-d", "1"],
    ] {
        run(words)
            .ended_with(3)
            .said("whose C library is musl (./ld-musl-x86_64.so.1)");
    }
    run(&["doctor", &pid]).ended_with(3).printed("musl");
    // What loads nothing works.
    run(&["sample", &pid, "-d", "1", "--no-agent"]).ended_with(0);
    assert!(subject.alive());
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    assert!(!maps.contains("liblocklens"), "something was loaded");
    drop(subject);
    fs::remove_dir_all(folder).unwrap();
}
