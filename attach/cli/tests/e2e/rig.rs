//! The JDKs of this machine, subjects under way, and the command.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Far more than anything here needs, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// A JDK or a Java runtime.
#[derive(Clone, Debug)]
pub(crate) struct Jdk {
    home: PathBuf,
    /// 8, 11, 17 …
    pub(crate) major: u32,
}

impl Jdk {
    fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        let output = Command::new(home.join("bin/java"))
            .arg("-version")
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let version = text.split('"').nth(1)?;
        let version = version.strip_prefix("1.").unwrap_or(version);
        let major = version.split(['.', '_', '-']).next()?.parse().ok()?;
        Some(Self { home, major })
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }
}

/// One JDK of every version here, oldest first.
pub(crate) fn jdks() -> &'static [Jdk] {
    static JDKS: OnceLock<Vec<Jdk>> = OnceLock::new();
    let jdks = JDKS.get_or_init(|| {
        let mut found = BTreeMap::new();
        for jdk in homes().iter().filter_map(|home| Jdk::at(home)) {
            let whole = jdk.javac().is_file();
            if whole || !found.contains_key(&jdk.major) {
                found.entry(jdk.major).or_insert(jdk);
            }
        }
        found.into_values().collect()
    });
    assert!(
        jdks.iter().any(|jdk| jdk.javac().is_file()),
        "these tests need a JDK: install one (Debian: apt install default-jdk-headless) or set LOCKLENS_JDKS"
    );
    jdks
}

/// The newest JDK: for tests that one JVM is enough for.
pub(crate) fn jdk() -> &'static Jdk {
    jdks().last().expect("there is one")
}

/// The oldest JDK and the newest.
pub(crate) fn ends() -> impl Iterator<Item = &'static Jdk> {
    let jdks = jdks();
    let newest = jdks.len() - 1;
    let is_end = move |(at, _): &(usize, &Jdk)| *at == 0 || *at == newest;
    jdks.iter().enumerate().filter(is_end).map(|(_, jdk)| jdk)
}

fn homes() -> Vec<PathBuf> {
    let named = env::var_os("LOCKLENS_JDKS").unwrap_or_default();
    let mut homes: Vec<_> = env::split_paths(&named)
        .filter(|home| !home.as_os_str().is_empty())
        .collect();
    if !homes.is_empty() {
        return homes;
    }
    homes.extend(env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.extend(folders_in(Path::new("/usr/lib/jvm")));
    if let Some(home) = env::var_os("HOME") {
        homes.extend(folders_in(&Path::new(&home).join(".cache/locklens/jdks")));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let launchers = env::split_paths(&path).map(|dir| dir.join("java"));
    homes.extend(
        launchers
            .filter_map(|java| Some(java.canonicalize().ok()?.parent()?.parent()?.to_path_buf())),
    );
    homes
}

/// What is in a folder.
pub(crate) fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

/// Folder with the compiled subjects, for every JDK from the oldest on.
pub(crate) fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("classes");
        fs::create_dir_all(&out).unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/subjects");
        let subjects = [
            "Quarrel.java",
            "Bare.java",
            "Blockerless.java",
            "OwnSynchronizers.java",
            "Strewn.java",
            "Clinging.java",
            "Idle.java",
            "Turns.java",
            "Sleepers.java",
            "Jam.java",
            "ParkBooks.java",
            "LockBooks.java",
            "Heirs.java",
            "Handovers.java",
            "LockRings.java",
            "Halted.java",
            "Doorman.java",
            "ParkedBefore.java",
            "StoppedParks.java",
            "Rival.java",
            "States.java",
            "Shares.java",
            "NotifyCounts.java",
            "Guarded.java",
            "NotifyLoad.java",
            "Mishaps.java",
            "JoinedCrowd.java",
            "LeftOut.java",
            "GatedOrders.java",
        ];
        compile(&subjects.map(|name| sources.join(name)), &out);
        out
    })
}

/// The oldest JDK that has tools.
fn oldest() -> &'static Jdk {
    jdks().iter().find(|jdk| jdk.javac().is_file()).unwrap()
}

/// A jar with the subjects and this manifest.
pub(crate) fn jar(manifest: &str) -> PathBuf {
    let (text, jar) = (scratch("manifest"), scratch("subjects.jar"));
    fs::write(&text, manifest).unwrap();
    let status = Command::new(oldest().javac().with_file_name("jar"))
        .arg("cfm")
        .args([&jar, &text])
        .arg("-C")
        .arg(classes())
        .arg(".")
        .status();
    assert!(status.unwrap().success(), "jar failed");
    jar
}

/// Compiles sources for every JDK from the oldest on.
pub(crate) fn compile(sources: &[PathBuf], out: &Path) {
    let status = Command::new(oldest().javac())
        .arg("-d")
        .arg(out)
        .args(sources)
        .status();
    assert!(status.unwrap().success(), "javac failed");
}

/// A path of its own under the build's scratch folder.
pub(crate) fn scratch(name: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{}-{number}-{name}", std::process::id()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

/// What a subject prints.
pub(crate) type Lines = io::Lines<BufReader<ChildStdout>>;

/// A JVM under way; killed when dropped.
pub(crate) struct Subject {
    child: Child,
    trace: PathBuf,
}

impl Subject {
    /// Starts a subject and waits until it says READY.
    pub(crate) fn start(jdk: &Jdk, words: &[&str]) -> Self {
        Self::start_in(jdk, classes(), words)
    }

    /// The same with classes from another folder.
    pub(crate) fn start_in(jdk: &Jdk, classes: &Path, words: &[&str]) -> Self {
        Self::start_heard(jdk, classes, words).0
    }

    /// The same, with what it prints afterwards.
    pub(crate) fn start_heard(jdk: &Jdk, classes: &Path, words: &[&str]) -> (Self, Lines) {
        Self::started(&mut Self::java(jdk, classes, words))
    }

    /// What starts a subject.
    pub(crate) fn java(jdk: &Jdk, classes: &Path, words: &[&str]) -> Command {
        let mut java = Command::new(jdk.java());
        java.arg("-Xmx64m").arg("-cp").arg(classes).args(words);
        java
    }

    /// One that is started in another way.
    pub(crate) fn from(command: &mut Command) -> Self {
        Self::started(command).0
    }

    /// Gives it a line on its standard input.
    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    /// Ends its standard input.
    pub(crate) fn close(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Starts it and waits until it says READY.
    pub(crate) fn started(java: &mut Command) -> (Self, Lines) {
        Self::started_saying("READY", java)
    }

    /// The same of one that says so with another word.
    pub(crate) fn started_saying(word: &str, java: &mut Command) -> (Self, Lines) {
        let mut child = java
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.is_ok_and(|line| line == word));
        let subject = Self {
            child,
            trace: scratch("trace.llt"),
        };
        assert!(ready, "{java:?} ended at once");
        (subject, lines)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its pid as a word of a command line.
    pub(crate) fn word(&self) -> String {
        self.pid().to_string()
    }

    /// Where its trace goes.
    pub(crate) fn trace(&self) -> &Path {
        &self.trace
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    pub(crate) fn alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Names of its threads.
    pub(crate) fn threads(&self) -> Vec<String> {
        let tasks = folders_in(&PathBuf::from(format!("/proc/{}/task", self.pid())));
        tasks
            .iter()
            .filter_map(|task| fs::read_to_string(task.join("comm")).ok())
            .collect()
    }

    /// It is being recorded: our thread has its work.
    pub(crate) fn is_recorded(&self) -> bool {
        self.threads()
            .iter()
            .any(|name| name.trim_end() == "locklens")
    }

    /// A thread of ours is in it.
    pub(crate) fn has_our_thread(&self) -> bool {
        self.threads()
            .iter()
            .any(|name| name.starts_with("locklens"))
    }

    /// What its file descriptors lead to.
    pub(crate) fn descriptors(&self) -> Vec<PathBuf> {
        let links = folders_in(&PathBuf::from(format!("/proc/{}/fd", self.pid())));
        links
            .iter()
            .filter_map(|link| fs::read_link(link).ok())
            .collect()
    }

    /// Open sockets.
    pub(crate) fn sockets(&self) -> usize {
        self.descriptors()
            .iter()
            .filter(|to| to.to_string_lossy().starts_with("socket:"))
            .count()
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A killed JVM cannot remove its socket.
        let _ = fs::remove_file(format!("/tmp/.java_pid{}", self.pid()));
        let _ = fs::remove_file(&self.trace);
    }
}

/// Sends a signal to a process that we started.
pub(crate) fn signal(pid: u32, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status();
    assert!(status.unwrap().success(), "kill -s {name} {pid}");
}

/// The executable under test: the one that `LOCKLENS_COMMAND` names (CI: of the release build, as people get it), else
/// the one built with these tests.
pub(crate) fn executable() -> PathBuf {
    let named = env::var_os("LOCKLENS_COMMAND").map(PathBuf::from);
    named.unwrap_or_else(|| env!("CARGO_BIN_EXE_locklens").into())
}

/// The command.
pub(crate) fn locklens() -> Command {
    let mut command = Command::new(executable());
    command
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env_remove("JAVA_TOOL_OPTIONS");
    command
}

/// Runs the command to its end.
pub(crate) fn run(words: &[&str]) -> Ran {
    Ran::from(locklens().args(words).output().unwrap())
}

/// The command under way; killed when dropped.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn start(words: &[&str]) -> Self {
        let mut command = locklens();
        command
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// What it says on standard error while it runs; what [`Self::wait`] gives has nothing of it.
    pub(crate) fn hear(&mut self) -> Arc<Mutex<String>> {
        heard(self.0.stderr.take().unwrap())
    }

    /// The same of what it prints on standard output.
    pub(crate) fn read(&mut self) -> Arc<Mutex<String>> {
        heard(self.0.stdout.take().unwrap())
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Ran {
        eventually("the command ends", || self.ended());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        if let Some(unread) = self.0.stdout.as_mut() {
            std::io::Read::read_to_end(unread, &mut stdout).unwrap();
        }
        if let Some(unheard) = self.0.stderr.as_mut() {
            std::io::Read::read_to_end(unheard, &mut stderr).unwrap();
        }
        Ran::from(Output {
            status: self.0.wait().unwrap(),
            stdout,
            stderr,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What comes out of a stream, line by line.
fn heard(stream: impl std::io::Read + Send + 'static) -> Arc<Mutex<String>> {
    let said = Arc::new(Mutex::new(String::new()));
    let ours = Arc::clone(&said);
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            *ours.lock().unwrap() += &(line + "\n");
        }
    });
    said
}

/// What a run of the command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    /// It ended with this status; what it printed is shown if not.
    #[track_caller]
    pub(crate) fn ended_with(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// It said this on standard error.
    #[track_caller]
    pub(crate) fn said(self, words: &str) -> Self {
        assert!(self.stderr.contains(words), "{words:?} in {self:#?}");
        self
    }

    /// It printed this on standard output.
    #[track_caller]
    pub(crate) fn printed(self, words: &str) -> Self {
        assert!(self.stdout.contains(words), "{words:?} in {self:#?}");
        self
    }
}

/// Waits for a condition.
#[track_caller]
pub(crate) fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(LOOK);
    }
}

/// What a command that has ended left behind, in the target's eyes or in ours.
pub(crate) fn leftovers(command: u32, target: &Subject) -> Vec<PathBuf> {
    let trigger = format!(".attach_pid{}", target.pid());
    let ours = format!("locklens-{command}-");
    let cwd = PathBuf::from(format!("/proc/{}/cwd", target.pid()));
    let folders = [Path::new("/tmp"), &env::temp_dir(), &cwd];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap().flatten());
    entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name == trigger || name.contains(&ours)
        })
        .collect()
}

/// Figures of a trace, by `locklens info --json`.
pub(crate) fn info(trace: &Path) -> serde_json::Value {
    let ran = run(&["info", "--json", &trace.to_string_lossy()]).ended_with(0);
    serde_json::from_str(&ran.stdout).expect("info prints JSON")
}
