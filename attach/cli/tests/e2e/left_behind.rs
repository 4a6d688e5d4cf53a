//! What a command that is killed leaves in the temporary directory, and two that write one file.

use crate::rig::{Jdk, Running, Subject, eventually, info, jdk, locklens, run, scratch, signal};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A temporary directory of its own for commands, and a program that they look at.
struct Scene {
    temporary: PathBuf,
    target: Subject,
}

impl Scene {
    fn new(jdk: &Jdk) -> Self {
        let temporary = scratch("temporary");
        fs::create_dir(&temporary).unwrap();
        Self {
            temporary,
            target: Subject::start(jdk, &["Mishaps"]),
        }
    }

    fn under_way(&self, command: &str, more: &[&str]) -> Running {
        let mut words = locklens();
        words.args([command, &self.target.word()]).args(more);
        words.env("TMPDIR", &self.temporary);
        words.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(words.spawn().unwrap())
    }

    /// What there is in it.
    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.temporary).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// The command is killed, and the target goes on.
    fn kill(&self, command: Running) {
        signal(command.pid(), "KILL");
        drop(command);
        eventually("our thread is gone", || !self.target.has_our_thread());
    }
}

fn is_there(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|file| file.len() > 0)
}

#[test]
fn the_next_command_removes_what_one_that_was_killed_has_left() {
    let scene = Scene::new(jdk());
    let guard = ["--all-app", "--yes"];
    let killed = scene.under_way("guard", &guard);
    let trace = || Some(scene.left().first()?.join("guard.llt"));
    eventually("it records", || trace().is_some_and(|file| is_there(&file)));
    let left = scene.left();
    scene.kill(killed);
    assert_eq!(scene.left(), left);
    let living = scene.under_way("guard", &guard);
    let others = || {
        scene
            .left()
            .into_iter()
            .filter(|folder| !left.contains(folder))
    };
    eventually("it records", || {
        others().any(|folder| is_there(&folder.join("guard.llt")))
    });
    assert_eq!(scene.left(), others().collect::<Vec<_>>());
    // One that begins beside it takes nothing from it.
    let own = scene.left();
    let file = scene.target.trace().to_string_lossy().into_owned();
    let _ = scene
        .under_way("guard", &["--all-app", "--yes", "-o", &file])
        .wait();
    assert_eq!(scene.left(), own);
    signal(living.pid(), "INT");
    living.wait();
    assert_eq!(scene.left(), Vec::<PathBuf>::new());
}

#[test]
fn what_classes_are_chosen_by_is_never_there_by_name() {
    let scene = Scene::new(jdk());
    let file = scene.target.trace().to_string_lossy().into_owned();
    let more = ["--exact=force", "--redact", "-d", "60s", "-o", &file];
    let command = scene.under_way("record", &more);
    let descriptors = PathBuf::from(format!("/proc/{}/fd", command.pid()));
    let is_written = |link: &Path| {
        let of_ours = fs::read_link(link).is_ok_and(|to| to.starts_with(&scene.temporary));
        of_ours && is_there(link)
    };
    eventually("it watches first", || {
        let links = fs::read_dir(&descriptors).into_iter().flatten().flatten();
        links.map(|link| link.path()).any(|link| is_written(&link))
    });
    assert_eq!(scene.left(), Vec::<PathBuf>::new());
    scene.kill(command);
    assert_eq!(scene.left(), Vec::<PathBuf>::new());
}

#[test]
fn a_second_recording_does_not_go_into_the_file_of_one_under_way() {
    let scene = Scene::new(jdk());
    let file = scene.target.trace().to_path_buf();
    let name = file.to_string_lossy().into_owned();
    let first = scene.under_way("record", &["-d", "0", "-o", &name]);
    eventually("it records", || is_there(&file));
    let second = Subject::start(jdk(), &["Mishaps"]);
    let word = second.word();
    let commands: [&[&str]; 4] = [
        &["record", &word, "-o", &name],
        &["record", &word, "--force", "-o", &name],
        &["trace", &word, "--all-app", "--yes", "-o", &name],
        &["record", "-o", &name, "--", "no-such-program"],
    ];
    for words in commands {
        run(words).ended_with(2).said("another locklens is writing");
    }
    assert!(!second.has_our_thread());
    signal(first.pid(), "INT");
    first.wait().ended_with(0);
    let figures = info(&file);
    assert_eq!(figures["ended"], true, "{figures}");
    assert_eq!(figures["gaps"], serde_json::json!({}), "{figures}");
    // It may be written again now.
    run(&["record", &word, "-d", "1s", "-o", &name]).ended_with(0);
}
