//! Pressure of programs of which it is known (`testapps/pressure`).

use crate::rig::{Jdk, Running, Subject, compile, eventually, jdk, jdks, run, scratch, signal};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folder with the compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("pressure");
        fs::create_dir_all(&out).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/pressure");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        compile(&files.collect::<Vec<_>>(), &out);
        out
    })
}

fn start(jdk: &Jdk, words: &[&str]) -> Subject {
    Subject::start_in(jdk, classes(), words)
}

fn path(subject: &Subject) -> String {
    subject.trace().to_string_lossy().into_owned()
}

fn record(subject: &Subject) {
    run(&["record", &subject.word(), "-d", "3s", "-o", &path(subject)]).ended_with(0);
}

fn pressure(trace: &str, more: &[&str]) -> Value {
    let words = ["pressure", trace, "--json"];
    let ran = run(&[&words, more].concat()).ended_with(0);
    serde_json::from_str(&ran.stdout).expect("pressure prints JSON")
}

/// The lock of the program.
#[track_caller]
fn lock<'p>(pressure: &'p Value, name: &str) -> &'p Value {
    let locks = pressure["locks"].as_array().unwrap();
    let named = |lock: &&Value| lock["name"].as_str().unwrap().contains(name);
    let found = locks.iter().find(named);
    found.unwrap_or_else(|| panic!("no {name} in {pressure:#}"))
}

fn average(pressure: &Value, name: &str) -> f64 {
    lock(pressure, name)["average_percent"].as_f64().unwrap()
}

/// One of the two is blocked at any time, but for the moment in which the lock changes hands: some ten microseconds of
/// spinning in more than a millisecond, and however late a thread comes to run, it is blocked until then.
#[test]
fn ping_pong_is_a_half() {
    for jdk in jdks() {
        let subject = start(jdk, &["PingPong", "600"]);
        record(&subject);
        let pressure = pressure(&path(&subject), &[]);
        let average = average(&pressure, "PingPong");
        let major = jdk.major;
        assert!((average - 50.0).abs() < 2.0, "JDK {major}: {pressure:#}");
        let lock = lock(&pressure, "PingPong");
        assert_eq!(lock["phases"].as_array().unwrap().len(), 1, "JDK {major}");
        assert_eq!(lock["known"], "lower-bound");
        let frame = &lock["phases"][0]["stacks"][0]["frames"][0];
        assert!(
            frame.as_str().unwrap().starts_with("PingPong.play("),
            "{frame}"
        );
    }
}

/// All the others run all the time, though they sleep: so they are counted, however busy the machine is.
#[test]
fn ping_pong_beside_others_is_their_share() {
    for jdk in jdks() {
        let subject = start(jdk, &["PingPong", "600", "46"]);
        record(&subject);
        let trace = path(&subject);
        let whole = pressure(&trace, &[]);
        let (average, major) = (average(&whole, "PingPong"), jdk.major);
        assert!((average - 2.1).abs() < 0.3, "JDK {major}: {whole:#}");
        let lock = lock(&whole, "PingPong");
        assert_eq!(lock["phases"].as_array().unwrap().len(), 0, "JDK {major}");
        let players = pressure(&trace, &["--threads", "p?ng"]);
        let average = self::average(&players, "PingPong");
        assert!((average - 50.0).abs() < 2.0, "JDK {major}: {players:#}");
        assert_eq!(players["threads"], 2);
    }
}

/// Eight threads come back one by one, a millisecond each. A busy machine makes that longer, many times if it is very busy;
/// what they do by themselves gets longer by twenty or more from one run to the next, and the share must fall.
#[test]
fn the_more_work_is_done_the_less_the_join_matters() {
    for jdk in jdks() {
        let averages = [("2", "2s"), ("50", "2s"), ("1000", "5s")].map(|(work, length)| {
            let subject = start(jdk, &["ForkJoin", "600", "8", work]);
            let (word, trace) = (subject.word(), path(&subject));
            let words = ["trace", &word, "--class", "ForkJoin", "-d", length];
            run(&[&words[..], &["--yes", "-o", &trace]].concat()).ended_with(0);
            average(&pressure(&trace, &[]), "ForkJoin")
        });
        let major = jdk.major;
        assert!(
            averages.is_sorted_by(|a, b| a > b),
            "JDK {major}: {averages:?}"
        );
        assert!(averages[0] > 20.0, "JDK {major}: {averages:?}");
    }
}

/// Tells a program something, and waits until it has done it.
fn tell(subject: &mut Subject, lines: &mut crate::rig::Lines, what: &str) {
    subject.say(what);
    assert!(
        lines.any(|line| line.is_ok_and(|line| line == "OVER")),
        "{what}"
    );
}

/// Hot for an eighth of the time at most, a thread of four works: less than a tenth on average.
#[test]
fn a_phase_is_told_that_the_average_hides() {
    for jdk in jdks() {
        let (mut subject, mut lines) = Subject::start_heard(jdk, classes(), &["RushHour"]);
        let trace = path(&subject);
        let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
        eventually("the recording is under way", || subject.is_recorded());
        for what in ["calm 3000", "hot 600", "calm 3000"] {
            tell(&mut subject, &mut lines, what);
        }
        signal(record.pid(), "INT");
        record.wait().ended_with(0);
        let pressure = pressure(&trace, &["--interval", "100ms"]);
        let (gate, context) = (
            lock(&pressure, "RushHour"),
            format!("JDK {}: {pressure:#}", jdk.major),
        );
        assert!(
            gate["average_percent"].as_f64().unwrap() < 10.0,
            "{context}"
        );
        let phases = gate["phases"].as_array().unwrap();
        assert_eq!(phases.len(), 1, "{context}");
        assert!(
            phases[0]["peak_percent"].as_f64().unwrap() > 40.0,
            "{context}"
        );
        let time = |key: &str| phases[0][key].as_u64().unwrap() / 1_000_000;
        let length = time("end_ns") - time("start_ns");
        assert!((500..=1500).contains(&length), "{context}");
    }
}

#[test]
fn a_jvm_under_way_tells_its_phases() {
    for jdk in jdks() {
        let (mut subject, mut lines) = Subject::start_heard(jdk, classes(), &["RushHour"]);
        let word = subject.word();
        let mut command = Running::start(&["pressure", &word, "--interval", "100ms"]);
        let mut told = BufReader::new(command.0.stdout.take().unwrap()).lines();
        eventually("somebody watches", || subject.is_recorded());
        tell(&mut subject, &mut lines, "calm 1000");
        tell(&mut subject, &mut lines, "hot 1000");
        let mut next = |word: &str| told.any(|line| line.is_ok_and(|line| line.contains(word)));
        assert!(next("BEGINS"), "JDK {}", jdk.major);
        assert!(next("ends"), "JDK {}", jdk.major);
        signal(command.pid(), "INT");
        assert!(next("Critical section pressure"), "JDK {}", jdk.major);
        assert!(next("RushHour") && next("PHASE"), "JDK {}", jdk.major);
        eventually("the command ends", || command.ended());
        assert!(!subject.trace().exists() && subject.alive());
        eventually("the agent has left", || !subject.has_our_thread());
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    run(&["pressure", "no-such-thing"])
        .ended_with(3)
        .said("no JVM is called");
    run(&["pressure", "no-such.llt"])
        .ended_with(2)
        .said("can't read no-such.llt");
    let subject = start(jdk(), &["PingPong", "600"]);
    record(&subject);
    let trace = path(&subject);
    run(&["pressure", &trace, "-d", "3s"])
        .ended_with(2)
        .said("-d is for a JVM");
    run(&["pressure", &trace, "--threshold", "200%"])
        .ended_with(2)
        .said("0% to 100%");
    run(&["pressure", &trace, "--interval", "1us"])
        .ended_with(2)
        .said("less than 1ms");
    run(&["pressure", &trace, "--threads", "nobody*"])
        .ended_with(0)
        .printed("No thread is called like nobody*");
    run(&["pressure", &trace, "--metrics"])
        .ended_with(0)
        .printed("gets unknown");
}
