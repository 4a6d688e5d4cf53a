//! A JVM that is guarded: what is told while it runs, of programs that say themselves what their locks do (`testapps/nesting`).

use crate::rig::{
    Jdk, Ran, Running, Subject, compile, eventually, jdk, jdks, run, scratch, signal,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folder with the compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("guard");
        fs::create_dir_all(&out).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/nesting");
        let files = fs::read_dir(folder).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        compile(&files, &out);
        out
    })
}

fn tellers(jdk: &Jdk) -> Subject {
    Subject::start_in(jdk, classes(), &["CrossedTellers"])
}

fn guarded(target: &Subject, more: &[&str]) -> Running {
    let word = target.word();
    let words = ["guard", &word, "--all-app", "--yes"];
    Running::start(&[&words, more].concat())
}

/// Waits until a guard of crossed tellers has told their cycle.
fn cycle_told(command: &mut Running) {
    let told = command.read();
    eventually("the cycle is told", || {
        let told = told.lock().unwrap();
        told.contains("new cycle: POTENTIAL DEADLOCK D") && told.contains("CrossedTellers.cash")
    });
}

/// Starts a program for a while, guarded from its start.
fn from_start(jdk: &Jdk, app: &str, file: &str) -> Ran {
    let (java, classes) = (jdk.java(), classes().to_string_lossy());
    let java = java.to_string_lossy();
    let words = [
        "guard", "--all", "-o", file, "--", &java, "-Xmx64m", "-cp", &classes, app, "3",
    ];
    run(&words).printed("DONE")
}

/// It is told while the program runs; Ctrl-C ends it, and what it found is in its status and at its end.
#[test]
fn a_cycle_is_told_while_the_program_runs_and_at_the_end() {
    for jdk in jdks() {
        let mut target = tellers(jdk);
        let file = target.trace().to_string_lossy().into_owned();
        let mut command = guarded(&target, &["-o", &file]);
        cycle_told(&mut command);
        assert!(target.alive(), "JDK {}", jdk.major);
        signal(command.pid(), "INT");
        command.wait().ended_with(1).said("kept in");
        eventually("the agent leaves", || !target.has_our_thread());
        assert!(target.alive(), "JDK {}", jdk.major);
        run(&["check", &file]).ended_with(1).printed("T4 order");
        run(&["graph", &file, "--cycles"]).ended_with(1);
        run(&["report", &file])
            .ended_with(0)
            .printed("exact, incomplete");
    }
}

#[test]
fn what_a_common_lock_or_an_order_excludes_is_not_told() {
    for jdk in jdks() {
        for app in ["VaultRoom", "PairById"] {
            let file = scratch("guard.llt").to_string_lossy().into_owned();
            let ran = from_start(jdk, app, &file).ended_with(0);
            assert!(!ran.stderr.contains("new cycle"), "{ran:#?}");
            ran.said("new dependency: ").said("no potential deadlock");
            run(&["check", &file]).ended_with(0);
            fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn a_started_program_is_guarded_from_its_start() {
    let file = scratch("guard.llt").to_string_lossy().into_owned();
    for jdk in jdks() {
        let ran = from_start(jdk, "CrossedTellers", &file).ended_with(1);
        ran.said("new cycle: POTENTIAL DEADLOCK D")
            .said("\"payer\"");
    }
}

/// Its two have never eaten before they get stuck, and no lock that is wanted is ever taken.
#[test]
fn a_deadlock_at_the_first_meeting_is_told() {
    let file = scratch("guard.llt").to_string_lossy().into_owned();
    for jdk in jdks() {
        let ran = from_start(jdk, "StuckPair", &file).ended_with(1);
        ran.said("new cycle: POTENTIAL DEADLOCK D")
            .said("\"bruno\"");
        run(&["check", &file]).ended_with(1).printed("T4 order");
    }
}

/// Who kills the command leaves a program that runs as before, with its own code: it can be guarded again.
#[test]
fn a_killed_command_leaves_nothing_behind() {
    for jdk in jdks() {
        let mut target = tellers(jdk);
        for _ in 0..2 {
            let mut command = guarded(&target, &[]);
            cycle_told(&mut command);
            signal(command.pid(), "KILL");
            eventually("the agent leaves", || !target.has_our_thread());
            assert!(target.alive(), "JDK {}", jdk.major);
        }
    }
}

#[test]
fn programs_read_lines_of_json() {
    let target = tellers(jdk());
    let mut command = guarded(&target, &["--json", "--all"]);
    let told = command.read();
    let lines = || -> Vec<Value> {
        let told = told.lock().unwrap();
        told.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let has = |event: &str| lines().iter().any(|line| line["event"] == event);
    // At first it is not sure what threads hold that were there before.
    let proved = |line: &Value| line["event"] == "cycle" && line["tier"] == "T4";
    eventually("the cycle is told", || lines().iter().any(proved));
    signal(command.pid(), "INT");
    command.wait().ended_with(1);
    eventually("the end is told", || has("end"));
    let lines = lines();
    assert!(lines.iter().all(|line| line["schema"] == 1), "{lines:#?}");
    let cycle = lines.iter().find(|line| line["event"] == "cycle").unwrap();
    assert_eq!(cycle["edges"].as_array().unwrap().len(), 2, "{cycle:#}");
    let end = lines.last().unwrap();
    assert_eq!((&end["cycles"], &end["left_out"]), (&1.into(), &0.into()));
    assert!(lines.iter().any(|line| line["event"] == "dependency"));
}

#[test]
fn it_is_refused_where_nothing_may_be_rewritten_or_nothing_is_chosen() {
    let target = tellers(jdk());
    let word = target.word();
    run(&["guard", &word, "--all-app", "--no-rewrite"])
        .ended_with(2)
        .said("--no-rewrite forbids");
    run(&["guard", &word]).ended_with(2).said("which locks?");
    run(&["guard", &word, "--class", "Nobody", "--yes"])
        .ended_with(2)
        .said("no class of that name is loaded");
    run(&["guard", &word, "--all-app", "--dry-run"])
        .ended_with(0)
        .printed("Nothing was changed");
    assert!(!target.has_our_thread());
}
