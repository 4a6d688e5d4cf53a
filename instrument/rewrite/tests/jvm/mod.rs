//! Real JVMs for tests: the JDKs of this machine, a scratch directory, a time limit.
#![allow(dead_code, reason = "each test uses a part of it")]

use locklens_classfile::edit::Refusal;
use locklens_rewrite::{Reason, Refused};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A JDK.
#[derive(Clone, Debug)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    pub(crate) major: u32,
}

impl Jdk {
    pub(crate) fn tool(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }

    /// A JVM that verifies every class; small, since several tests run at once.
    pub(crate) fn java(&self) -> Command {
        let mut java = self.tool("java");
        java.args(["-Xmx256m", "-Xss512k", "-XX:+UseSerialGC", "-Xverify:all"]);
        java
    }
}

/// The JDKs of `LOCKLENS_JDKS`, or of the usual places; fails if there is none.
pub(crate) fn jdks() -> Vec<Jdk> {
    let mut homes: Vec<PathBuf> = match std::env::var_os("LOCKLENS_JDKS") {
        Some(list) => std::env::split_paths(&list).collect(),
        None => usual_places(),
    };
    homes.retain(|home| home.join("bin/javac").exists());
    let mut homes: Vec<PathBuf> = homes
        .iter()
        .filter_map(|h| fs::canonicalize(h).ok())
        .collect();
    homes.sort();
    homes.dedup();
    assert!(
        !homes.is_empty(),
        "no JDK found: install one, or set LOCKLENS_JDKS"
    );
    homes.into_iter().map(jdk).collect()
}

fn usual_places() -> Vec<PathBuf> {
    let mut parents = vec![PathBuf::from("/usr/lib/jvm")];
    if let Some(home) = std::env::var_os("HOME") {
        parents.push(Path::new(&home).join(".cache/locklens/jdks"));
    }
    let entries = parents.into_iter().filter_map(|dir| fs::read_dir(dir).ok());
    entries
        .flat_map(|e| e.flatten().map(|entry| entry.path()))
        .collect()
}

pub(crate) fn jdk(home: PathBuf) -> Jdk {
    let mut java = Command::new(home.join("bin/java"));
    let ran = run(java.arg("-version"));
    let quoted = ran.err.split('"').nth(1).unwrap_or_default();
    let number = quoted.strip_prefix("1.").unwrap_or(quoted);
    let major = number
        .split(['.', '-', '_'])
        .next()
        .and_then(|n| n.parse().ok());
    Jdk {
        major: major.unwrap_or_else(|| panic!("{home:?} has no version: {}", ran.err)),
        home,
    }
}

/// What a command said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ok: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command to its end; one that does not end in twenty minutes is killed and fails the test.
pub(crate) fn run(command: &mut Command) -> Ran {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.env_remove("JAVA_TOOL_OPTIONS");
    let mut child = command
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let out = drain(child.stdout.take());
    let err = drain(child.stderr.take());
    let ok = wait(&mut child, command);
    Ran {
        ok,
        out: out.join().expect("reader"),
        err: err.join().expect("reader"),
    }
}

fn wait(child: &mut Child, command: &Command) -> bool {
    let deadline = Instant::now() + Duration::from_secs(1200);
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return status.success();
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("does not end: {command:?}");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn drain(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Runs a command that must succeed; what it printed on stdout.
pub(crate) fn succeed(command: &mut Command) -> String {
    let ran = run(command);
    assert!(ran.ok, "{command:?}\n{}\n{}", ran.out, ran.err);
    ran.out
}

/// A directory that is removed at the end.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("locklens-rewrite-{}-{id}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(&dir).expect("directory");
        Self(dir)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Java sources of the tests.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java")
        .join(name)
}

/// Compiles sources of the tests into a directory.
pub(crate) fn compile<S: AsRef<OsStr>>(jdk: &Jdk, options: &[S], sources: &[&str], into: &Path) {
    let mut javac = jdk.tool("javac");
    javac
        .args(options)
        .arg("-nowarn")
        .arg("-d")
        .arg(into)
        .arg("-cp")
        .arg(into);
    javac.args(sources.iter().map(|name| source(name)));
    succeed(&mut javac);
}

/// Rewrites the class files of a directory, not of those below it, in place.
pub(crate) fn rewrite_all(dir: &Path, plan: &locklens_rewrite::Plan) -> usize {
    let mut plan = plan.clone();
    let mut files: Vec<PathBuf> = fs::read_dir(dir)
        .expect("readable")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "class"))
        .collect();
    files.sort();
    let first = plan.first_site.0;
    for path in files {
        let bytes = fs::read(&path).expect("readable");
        let done = locklens_rewrite::rewrite(&bytes, &plan).expect("a class file");
        // Where there are no stack maps, nobody knows in a constructor what a field is stored into.
        let no_maps = u16::from_be_bytes([bytes[6], bytes[7]]) < 50;
        let types = |reason| matches!(reason, Reason::Edit(Refusal::Types(_)));
        let allowed = |it: &Refused| no_maps && it.name == "<init>" && types(it.reason);
        let refused = done.refused.iter().find(|refused| !allowed(refused));
        assert!(refused.is_none(), "{path:?}: {refused:?}");
        plan.first_site.0 += done.sites.len() as u32;
        fs::write(&path, &done.bytes).expect("writable");
    }
    (plan.first_site.0 - first) as usize
}
