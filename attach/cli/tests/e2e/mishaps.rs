//! What happens to a target while it is recorded: it gets over it as it would without us, and so does the recording.

use crate::rig::{
    Jdk, Lines, Running, Subject, classes, ends, eventually, folders_in, info, jdk, run, scratch,
    signal,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `O_CLOEXEC`, as /proc has it: octal.
const CLOSED_BY_EXEC: u32 = 0o2_000_000;

/// A program that something happens to when it is told so.
struct Mishap {
    subject: Subject,
    lines: Lines,
}

impl Mishap {
    fn start(jdk: &Jdk, flags: &[&str]) -> Self {
        let words = [flags, &["Mishaps"]].concat();
        let (subject, lines) = Subject::start_heard(jdk, classes(), &words);
        Self { subject, lines }
    }

    fn started(java: &mut Command) -> Self {
        let (subject, lines) = Subject::started(java);
        Self { subject, lines }
    }

    fn tell(&mut self, what: &str) -> String {
        self.subject.say(what);
        self.lines.next().expect("it lives").unwrap()
    }

    fn count(&mut self) -> u64 {
        let count = self.tell("count");
        count.parse().expect("its books are in order")
    }

    /// It works on, and its books are in order.
    fn goes_on(&mut self) {
        let before = self.count();
        eventually("it goes on", || self.count() > before + 20);
    }

    fn record(&self) -> Running {
        self.under_way(&["record"], &[])
    }

    /// With all uses of the ledger.
    fn trace(&self) -> Running {
        self.under_way(&["trace"], &["--yes", "--class", "Mishaps$Ledger"])
    }

    fn under_way(&self, command: &[&str], more: &[&str]) -> Running {
        let (word, file) = (self.subject.word(), self.file());
        let words = [command, &[&word, "-d", "0", "-o", &file], more].concat();
        let _ = fs::remove_file(self.subject.trace());
        let running = Running::start(&words);
        self.has_more_events();
        running
    }

    fn file(&self) -> String {
        self.subject.trace().to_string_lossy().into_owned()
    }

    fn events(&self) -> u64 {
        let begun = fs::metadata(self.subject.trace()).is_ok_and(|file| file.len() > 0);
        match begun {
            true => info(self.subject.trace())["events"].as_u64().unwrap(),
            false => 0,
        }
    }

    fn has_more_events(&self) {
        let before = self.events();
        eventually("events arrive", || self.events() > before);
    }

    /// Its recording ends in order, and nothing of ours is left.
    fn is_left(&mut self, running: Running) -> serde_json::Value {
        signal(running.pid(), "INT");
        running.wait().ended_with(0);
        eventually("our thread is gone", || !self.subject.has_our_thread());
        self.goes_on();
        let figures = info(self.subject.trace());
        assert_eq!(figures["ended"], true, "{figures}");
        assert_eq!(figures["gaps"], serde_json::json!({}), "{figures}");
        figures
    }
}

#[test]
fn a_target_that_runs_out_of_memory_and_goes_on_is_recorded_on() {
    for jdk in ends() {
        let mut target = Mishap::start(jdk, &[]);
        for begin in [Mishap::record, Mishap::trace] {
            let running = begin(&target);
            assert_eq!(target.tell("hunger 2"), "2");
            target.has_more_events();
            target.is_left(running);
        }
    }
}

#[test]
fn a_target_that_ends_for_want_of_memory_leaves_a_recording() {
    for jdk in ends() {
        let mut target = Mishap::start(jdk, &["-XX:+ExitOnOutOfMemoryError"]);
        let running = target.record();
        target.subject.say("hunger 1");
        running.wait().ended_with(4).said("went away");
        assert!(target.events() > 0);
        eventually("it has ended", || !target.subject.alive());
    }
}

/// By a bad address of its own, and by a signal.
#[test]
fn a_target_that_crashes_leaves_a_recording_and_does_not_blame_us() {
    for jdk in ends() {
        for crash in [None, Some("SEGV"), Some("ABRT")] {
            let log = scratch("crash.log");
            let file = format!("-XX:ErrorFile={}", log.display());
            let flags = [
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:-CreateCoredumpOnCrash",
                &file,
            ];
            let mut target = Mishap::start(jdk, &flags);
            let running = target.record();
            match crash {
                None => target.subject.say("crash"),
                Some(name) => target.subject.signal(name),
            }
            running.wait().ended_with(4).said("went away");
            assert!(target.events() > 0, "JDK {}, {crash:?}", jdk.major);
            let said = fs::read_to_string(&log).unwrap_or_default();
            let blamed = said
                .lines()
                .take(40)
                .any(|line| line.contains("liblocklens"));
            assert!(!blamed, "JDK {}, {crash:?}: {said}", jdk.major);
            assert!(crash == Some("ABRT") || said.contains("SIGSEGV"), "{said}");
            let _ = fs::remove_file(log);
        }
    }
}

/// Numbers of the descriptors of a process, and what they lead to.
fn descriptors(pid: u32) -> BTreeSet<(PathBuf, PathBuf)> {
    let links = folders_in(Path::new(&format!("/proc/{pid}/fd")));
    let to = |link: PathBuf| Some((link.clone(), fs::read_link(&link).ok()?));
    links.into_iter().filter_map(to).collect()
}

fn closed_by_exec(link: &Path) -> bool {
    let entry = link.to_string_lossy().replace("/fd/", "/fdinfo/");
    let text = fs::read_to_string(entry).unwrap();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    u32::from_str_radix(flags.unwrap().trim(), 8).unwrap() & CLOSED_BY_EXEC != 0
}

fn children(pid: u32) -> Vec<u32> {
    let tasks = folders_in(Path::new(&format!("/proc/{pid}/task")));
    let lists = tasks
        .iter()
        .filter_map(|task| fs::read_to_string(task.join("children")).ok());
    let numbers = |list: String| -> Vec<u32> {
        list.split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    lists.flat_map(numbers).collect()
}

#[test]
fn children_of_the_target_have_nothing_of_ours() {
    for jdk in ends() {
        let mut target = Mishap::start(jdk, &[]);
        let pid = target.subject.pid();
        run(&["attach", &target.subject.word(), "properties"]).ended_with(0);
        let before = descriptors(pid);
        let running = target.record();
        let new: Vec<_> = descriptors(pid).difference(&before).cloned().collect();
        let sockets: Vec<_> = new.iter().filter(|(_, to)| is_socket(to)).collect();
        assert!(!sockets.is_empty(), "{new:?}");
        for (link, to) in &new {
            assert!(closed_by_exec(link), "JDK {}: {to:?}", jdk.major);
        }
        target.tell("child");
        let sleeps = |pid: &u32| {
            let name = fs::read_to_string(format!("/proc/{pid}/comm"));
            name.is_ok_and(|name| name.trim_end() == "sleep")
        };
        let child = || children(pid).into_iter().find(sleeps);
        eventually("the child runs", || child().is_some());
        let child = child().unwrap();
        let of_child: Vec<_> = descriptors(child).into_iter().map(|(_, to)| to).collect();
        signal(child, "KILL");
        let ours: Vec<_> = new.iter().filter(|(_, to)| of_child.contains(to)).collect();
        assert!(ours.is_empty(), "JDK {}: {ours:?}", jdk.major);
        target.is_left(running);
    }
}

fn is_socket(to: &Path) -> bool {
    to.to_string_lossy().starts_with("socket:")
}

/// Longer than the agent would wait for a command that says nothing: the command spoke all the while.
#[test]
fn a_target_that_is_stopped_for_a_while_is_recorded_on() {
    let ways = [Mishap::record as fn(&Mishap) -> Running, Mishap::trace];
    for (jdk, begin) in ends().zip(ways) {
        let mut target = Mishap::start(jdk, &[]);
        let running = begin(&target);
        target.subject.signal("STOP");
        // Not waiting for something: this is what happens to it.
        std::thread::sleep(std::time::Duration::from_secs(3));
        target.subject.signal("CONT");
        target.has_more_events();
        target.is_left(running);
    }
}

#[test]
fn ten_thousand_short_threads_are_recorded() {
    for jdk in ends() {
        let mut target = Mishap::start(jdk, &[]);
        let running = target.record();
        assert_eq!(target.tell("storm 10000"), "10000");
        target.has_more_events();
        let figures = target.is_left(running);
        let peak = figures["target"]["memory.heap.peak"].as_str().unwrap();
        assert!(peak.parse::<u64>().unwrap() < 64 << 20, "{peak}");

        let running = target.trace();
        assert_eq!(target.tell("storm 10000"), "10000");
        target.has_more_events();
        target.is_left(running);
        let report = run(&["report", "--json", &target.file()])
            .ended_with(0)
            .stdout;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let locked = |lock: &serde_json::Value| lock["locked_at_least"].as_u64().unwrap_or(0);
        let all: u64 = report["locks"].as_array().unwrap().iter().map(locked).sum();
        assert!(all >= 10_000, "JDK {}: {all}", jdk.major);
    }
}

/// A library that sets the wall clock of whoever it is preloaded into by what a file says.
fn clock_setter() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/subjects/steps.c");
    let library = scratch("steps.so");
    let mut cc = Command::new("cc");
    let cc = cc
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source);
    assert!(cc.status().unwrap().success(), "cc failed");
    library
}

#[test]
fn steps_of_the_wall_clock_matter_to_nobody() {
    let (library, steps) = (clock_setter(), scratch("steps"));
    let set = |seconds: i64| fs::write(&steps, seconds.to_string()).unwrap();
    let under = |command: &mut Command| {
        command.env("LD_PRELOAD", &library).env("STEPS", &steps);
    };
    for jdk in ends() {
        set(0);
        let mut java = Subject::java(jdk, classes(), &["Mishaps"]);
        under(&mut java);
        let mut target = Mishap::started(&mut java);
        let began = std::time::Instant::now();
        let mut command = crate::rig::locklens();
        under(&mut command);
        command.args([
            "record",
            &target.subject.word(),
            "-d",
            "0",
            "-o",
            &target.file(),
        ]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let running = Running(command.spawn().unwrap());
        target.has_more_events();
        for step in [86_400, -86_400, 3_600, 0] {
            let before: i64 = target.tell("clock").parse().unwrap();
            set(step);
            let after: i64 = target.tell("clock").parse().unwrap();
            assert!((after - before).abs() > 1_000_000, "the clock was not set");
            target.has_more_events();
        }
        let figures = target.is_left(running);
        let length = figures["duration_ns"].as_u64().unwrap();
        assert!(
            u128::from(length) <= began.elapsed().as_nanos(),
            "{figures}"
        );
    }
}

/// A day away, as in a container that was moved to another machine.
#[test]
fn a_target_whose_clocks_began_at_another_time_is_recorded() {
    for jdk in ends() {
        let mut unshare = Command::new("unshare");
        unshare.args([
            "--time",
            "--monotonic",
            "86400",
            "--boottime",
            "86400",
            "--fork",
            "--kill-child",
        ]);
        let java = Subject::java(jdk, classes(), &["Mishaps"]);
        unshare.arg(java.get_program()).args(java.get_args());
        let probe = Command::new("unshare")
            .args(["--time", "--fork", "true"])
            .output();
        if !probe.is_ok_and(|output| output.status.success()) {
            // Clocks of one's own are not to be had here.
            return;
        }
        let mut target = Mishap::started(&mut unshare);
        let pid = children(target.subject.pid())[0].to_string();
        let file = target.file();
        let began = std::time::Instant::now();
        let running = Running::start(&["record", &pid, "-d", "0", "-o", &file]);
        target.has_more_events();
        let figures = target.is_left(running);
        let length = figures["duration_ns"].as_u64().unwrap();
        assert!(
            u128::from(length) <= began.elapsed().as_nanos(),
            "{figures}"
        );
    }
}

/// Processes that want all the time there is; ended when dropped.
struct Spinners(Vec<Child>);

impl Spinners {
    fn start() -> Self {
        let processors = std::thread::available_parallelism().unwrap().get();
        let spin = |_| {
            Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()
                .unwrap()
        };
        Self((0..2 * processors).map(spin).collect())
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_target_that_gets_hardly_any_time_is_recorded() {
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]);
    let java = Subject::java(jdk(), classes(), &["Mishaps"]);
    nice.arg(java.get_program()).args(java.get_args());
    let mut target = Mishap::started(&mut nice);
    let spinners = Spinners::start();
    for begin in [Mishap::record, Mishap::trace] {
        let running = begin(&target);
        target.has_more_events();
        target.is_left(running);
    }
    drop(spinners);
}

/// Somebody clears /tmp while the JVM does not answer yet; the first time, and when the library is mapped.
#[test]
fn a_library_that_is_cleared_away_before_it_is_loaded_costs_that_attach() {
    for jdk in ends() {
        let mut target = Mishap::start(jdk, &[]);
        let (word, file) = (target.subject.word(), target.file());
        for round in 0..2 {
            let _ = fs::remove_file(target.subject.trace());
            target.subject.signal("STOP");
            let running = Running::start(&["record", &word, "-d", "0", "-o", &file]);
            let mark = format!("-{}-", running.pid());
            let ours = || {
                let folders = folders_in(Path::new("/tmp")).into_iter();
                let is_ours = |name: &str| name.starts_with(".locklens-") && name.contains(&mark);
                let mut found =
                    folders.filter(|path| is_ours(&path.file_name().unwrap().to_string_lossy()));
                found.find(|path| {
                    path.join("agent.sock").exists()
                        || fs::read_dir(path).is_ok_and(|mut all| all.next().is_some())
                })
            };
            eventually("its folder is there", || ours().is_some());
            fs::remove_dir_all(ours().unwrap()).unwrap();
            target.subject.signal("CONT");
            let ran = running.wait().ended_with(3);
            assert!(
                !ran.stderr.is_empty() && !ran.stderr.contains("panicked"),
                "{ran:#?}"
            );
            eventually("our thread is gone", || !target.subject.has_our_thread());
            let context = format!("JDK {}, round {round}", jdk.major);
            assert!(
                !target.subject.trace().exists(),
                "{context}: an empty trace"
            );
            let running = target.record();
            target.is_left(running);
        }
    }
}

/// Both have classes rewritten, and both have their recording.
#[test]
fn beside_the_flight_recorder_a_trace_is_as_ever() {
    for jdk in ends() {
        let file = scratch("flight.jfr");
        let flight = format!(
            "-XX:StartFlightRecording=dumponexit=true,settings=profile,filename={}",
            file.display()
        );
        let mut target = Mishap::start(jdk, &[&flight]);
        let running = target.trace();
        let figures = target.is_left(running);
        let said = &figures["target"];
        assert_eq!(said["exact.restored"], said["exact.classes"], "{figures}");
        let running = target.record();
        target.is_left(running);
        target.subject.signal("TERM");
        eventually("it has ended", || !target.subject.alive());
        let dumped = fs::read(&file).unwrap();
        assert!(dumped.starts_with(b"FLR"), "JDK {}", jdk.major);
        fs::remove_file(file).unwrap();
    }
}

/// A program whose classes come from loaders that are forgotten at once.
#[test]
fn classes_that_are_unloaded_while_they_are_traced_do_no_harm() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instrument/agent/tests/java");
    let folder = scratch("churn");
    fs::create_dir_all(&folder).unwrap();
    crate::rig::compile(&[sources.join("Churn.java")], &folder);
    for jdk in ends() {
        let mut java = Subject::java(jdk, &folder, &["-XX:MaxMetaspaceSize=64m", "Churn"]);
        let (mut target, _lines) = Subject::started_saying("ready", &mut java);
        let (word, file) = (target.word(), target.trace().to_string_lossy().into_owned());
        for class in ["Churn*", "Churn$Guest"] {
            let words = [
                "trace", &word, "--yes", "--class", class, "-d", "2s", "-o", &file,
            ];
            run(&words).ended_with(0);
            assert_eq!(info(target.trace())["ended"], true, "JDK {}", jdk.major);
        }
        assert!(
            target.alive() && !target.has_our_thread(),
            "JDK {}",
            jdk.major
        );
    }
}
