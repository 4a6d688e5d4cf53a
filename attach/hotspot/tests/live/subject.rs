//! A JVM to attach to: started small, listened to, killed at the end.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use locklens_hotspot::{Jvm, find};

use crate::jdk::{Jdk, programs};

/// Far longer than anything takes on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// A running program whose output is collected.
pub(crate) struct Subject {
    child: Child,
    output: Arc<Output>,
}

#[derive(Default)]
struct Output {
    text: Mutex<Text>,
    grown: Condvar,
}

#[derive(Default)]
struct Text {
    so_far: String,
    ended: bool,
}

impl Subject {
    /// `acme.Subject` with these VM options.
    pub(crate) fn start(jdk: &Jdk, options: &[&str]) -> Subject {
        Subject::run(&mut Subject::command(jdk, options))
    }

    /// What `start` would run.
    pub(crate) fn command(jdk: &Jdk, options: &[&str]) -> Command {
        let mut command = Command::new(jdk.java());
        command.args(Subject::arguments(options));
        command
    }

    /// The arguments of `java` for `acme.Subject`.
    pub(crate) fn arguments(options: &[&str]) -> Vec<String> {
        let classes = programs().classes.to_str().expect("a printable path");
        let fixed = ["-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", classes];
        let all = fixed
            .iter()
            .chain(options)
            .chain(&["acme.Subject", "a b", "c"]);
        all.map(|s| (*s).to_owned()).collect()
    }

    /// Starts the command, which is a subject in whatever wrapping, and waits until it is ready.
    pub(crate) fn run(command: &mut Command) -> Subject {
        let subject = Subject::spawn(command);
        subject.wait_for("ready ");
        subject
    }

    /// Starts the command and does not wait.
    pub(crate) fn spawn(command: &mut Command) -> Subject {
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let mut child = piped.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        // A killed JVM that had this number before may have left its socket. The new one removes
        // that when it starts, unless it runs as somebody else.
        let _ = std::fs::remove_file(format!("/tmp/.java_pid{}", child.id()));
        let output = Arc::new(Output::default());
        let stdout = child.stdout.take().expect("piped");
        let collected = Arc::clone(&output);
        std::thread::spawn(move || collected.collect(BufReader::new(stdout)));
        Subject { child, output }
    }

    /// Of the process started: the JVM, unless it is wrapped.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn jvm(&self) -> Jvm {
        find(&self.pid().to_string()).expect("a JVM")
    }

    /// Waits until the output contains a text.
    pub(crate) fn wait_for(&self, text: &str) {
        let output = self.output.text.lock().expect("unpoisoned");
        let absent = |output: &mut Text| !output.so_far.contains(text) && !output.ended;
        let waited = self.output.grown.wait_timeout_while(output, LIMIT, absent);
        let output = waited.expect("unpoisoned").0;
        assert!(
            output.so_far.contains(text),
            "no {text:?} in {:?}",
            output.so_far
        );
    }

    /// How often the output contains a text so far.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.output
            .text
            .lock()
            .expect("unpoisoned")
            .so_far
            .matches(text)
            .count()
    }

    /// Gives it a line to read.
    pub(crate) fn say(&mut self, word: &str) {
        let input = self.child.stdin.as_mut().expect("piped");
        writeln!(input, "{word}").expect("the subject reads");
    }

    /// The program still runs and answers.
    pub(crate) fn assert_well(&mut self) {
        let word = format!("hello-{:?}", Instant::now());
        self.say(&word);
        self.wait_for(&format!("echo {word}"));
    }

    /// Sends a signal to the started process.
    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status();
        assert!(done.expect("kill").success());
    }

    /// Stops it, and waits until every thread has stopped.
    pub(crate) fn stop(&self) {
        self.signal("STOP");
        wait_until("stopped", || state(self.pid()) == 'T');
    }

    /// How many dumps of all stacks it has printed, once it has printed the one asked for here:
    /// signals are handled in order.
    pub(crate) fn dumps_after_own_quit(&self) -> usize {
        self.signal("QUIT");
        self.wait_for("JNI global ref");
        self.count("Full thread dump")
    }
}

impl Output {
    fn collect(&self, mut from: impl BufRead) {
        let mut line = String::new();
        while from.read_line(&mut line).is_ok_and(|n| n > 0) {
            let mut text = self.text.lock().expect("unpoisoned");
            text.so_far.push_str(&std::mem::take(&mut line));
            self.grown.notify_all();
        }
        self.text.lock().expect("unpoisoned").ended = true;
        self.grown.notify_all();
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A killed JVM cannot remove its socket.
        let _ = std::fs::remove_file(format!("/tmp/.java_pid{}", self.pid()));
    }
}

/// The state letter of a process; `?` when it has gone.
pub(crate) fn state(pid: u32) -> char {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next())
        .unwrap_or('?')
}

/// Waits for a condition.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < LIMIT, "never {what}");
        std::thread::yield_now();
    }
}

/// A directory of this test's own, removed at the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("locklens-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a scratch directory");
        Scratch(path)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0
            .join(name)
            .to_str()
            .expect("a printable path")
            .to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
