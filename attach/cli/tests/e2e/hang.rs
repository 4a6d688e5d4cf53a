//! A JVM that does not come to its safepoint: no thread of Java's runs any more, and nobody is answered.

use crate::rig::{
    Jdk, Lines, Running, Subject, classes, eventually, jdks, leftovers, run, scratch,
};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Versions whose loops need options to go on without asking for safepoints: those after 8.
const ASKING: u32 = 8;

/// A program that hangs until it is told to go on, by way of a file.
struct Halted {
    subject: Subject,
    lines: Lines,
    file: PathBuf,
}

impl Halted {
    fn start(jdk: &Jdk) -> Self {
        let file = scratch("halted");
        fs::write(&file, [0; 3]).unwrap();
        let name = file.to_string_lossy().into_owned();
        // It says itself that it does not come to a safepoint.
        let mut words = vec![
            "-Xbatch",
            "-XX:-TieredCompilation",
            "-XX:+SafepointTimeout",
            "-XX:SafepointTimeoutDelay=500",
        ];
        if jdk.major > ASKING {
            words.extend(["-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"]);
        }
        words.extend(["Halted", &name]);
        let (subject, lines) = Subject::start_heard(jdk, classes(), &words);
        Self {
            subject,
            lines,
            file,
        }
    }

    /// Byte 1 of the file is written by the loop, byte 2 when the program has gone on.
    fn has_told(&self, at: usize) -> bool {
        fs::read(&self.file).unwrap()[at] == 1
    }

    fn hang(&mut self) {
        self.subject.say("");
        let file = &self.file;
        let hangs = self.lines.any(|line| {
            line.unwrap().contains("Timeout detected") && fs::read(file).unwrap()[1] == 1
        });
        assert!(hangs, "it ended");
    }

    /// Ends the loop.
    fn go_on(&self) {
        let file = File::options().write(true).open(&self.file).unwrap();
        file.write_all_at(&[1], 0).unwrap();
        eventually("it goes on", || self.has_told(2));
    }
}

impl Drop for Halted {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// Nobody is answered, and nothing comes of it later.
fn recorded_in_vain(mut halted: Halted, doing: &str) {
    let trace = halted.subject.trace().to_string_lossy().into_owned();
    let pid = halted.subject.word();
    halted.hang();
    let command = Running::start(&["record", &pid, "-d", "1", "-o", &trace]);
    let ours = command.pid();
    let ran = command.wait();
    assert!(!halted.has_told(2), "it went on by itself");
    ran.ended_with(3).said("did not answer within").said(doing);
    assert!(!halted.subject.trace().exists(), "an empty trace");
    halted.go_on();
    eventually("nothing of ours is left", || {
        leftovers(ours, &halted.subject).is_empty() && !halted.subject.has_our_thread()
    });
    // It answers again, and can be recorded: no agent of ours stands in the way.
    run(&["record", &pid, "-d", "100ms", "-o", &trace]).ended_with(0);
    assert!(halted.subject.alive());
}

/// The oldest JDK, the newest, and one between: each attempt takes ten seconds.
fn some_jdks() -> impl Iterator<Item = &'static Jdk> {
    let jdks = jdks();
    let ends = [jdks[0].major, jdks[jdks.len() - 1].major];
    let chosen = move |jdk: &&Jdk| ends.contains(&jdk.major) || jdk.major == 17;
    jdks.iter().filter(chosen)
}

#[test]
fn a_jvm_on_its_way_to_a_safepoint_is_given_up_and_goes_on() {
    for jdk in some_jdks() {
        recorded_in_vain(Halted::start(jdk), "waiting for its attach listener");
    }
}

#[test]
fn so_is_one_whose_socket_is_open() {
    for jdk in some_jdks() {
        let halted = Halted::start(jdk);
        run(&["attach", &halted.subject.word(), "properties"]).ended_with(0);
        recorded_in_vain(halted, "answering");
    }
}
