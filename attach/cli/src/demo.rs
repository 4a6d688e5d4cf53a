//! `locklens demo`: a bundled Java program, started without us and then attached to, live.

use crate::args::{Analysis, Demo, Recording};
use crate::exit::{Exit, Failure};
use crate::jdk::Jdk;
use crate::private::PrivateDir;
use crate::record::live::{self, Request};
use crate::record::output;
use crate::record::signals::Signals;
use crate::replace::Replace;
use crate::report::{self, Form};
use crate::target::resolve;
use crate::terminal::note;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The program: a small job server with seven locks of seven kinds.
const SOURCE: &str = include_str!("../../../testapps/demo/Demo.java");
const MAIN: &str = "Demo";
/// What it prints when all its threads are at work.
const READY: &str = "READY";
/// How long it may take to end once asked.
const ENDS_WITHIN: Duration = Duration::from_secs(3);

const INSTALL: &str = "a JDK, for instance
    Debian, Ubuntu   sudo apt install default-jdk-headless
    Fedora           sudo dnf install java-latest-openjdk-devel
  or set JAVA_HOME to one that is here already";

/// Runs it.
pub(crate) fn run(args: &Demo) -> Result<Exit, Failure> {
    let jdk = Jdk::find()
        .ok_or_else(|| Failure::usage("the demo needs a JDK, and none was found").hint(INSTALL))?;
    let replace = Replace::forced(args.force);
    output::check(args.output.as_deref(), replace)?;
    let signals = Signals::quitting()?;
    let dir = PrivateDir::create()
        .map_err(|e| Failure::usage(format_args!("can't make a temporary directory: {e}")))?;
    let kept = dir.path().join("demo.llt");
    let program = started(&jdk, &dir, &signals)?;
    let jvm = resolve(&program.child.id().to_string())?;
    let recorded = live::record_as(&Request {
        pattern: Some(args.output.as_deref().unwrap_or(&kept)),
        replace,
        ..Request::watching(&jvm, &recording(args), &signals)
    })?;
    drop(program);
    report::print(recorded.file.path(), &Analysis::default(), Form::Table)?;
    Ok(recorded.exit)
}

/// Compiles the program and starts it. What failed because of Ctrl-C is not told as a failure.
fn started(jdk: &Jdk, dir: &PrivateDir, signals: &Signals) -> Result<Program, Failure> {
    let program = compile(jdk, dir).and_then(|()| Program::start(jdk, dir.path()));
    match signals.arrived() {
        true => Err(Failure::interrupted("interrupted before the demo began")),
        false => program,
    }
}

fn recording(args: &Demo) -> Recording {
    Recording {
        duration: Some(args.duration),
        ..Recording::default()
    }
}

fn compile(jdk: &Jdk, dir: &PrivateDir) -> Result<(), Failure> {
    note(format_args!(
        "compiling the demo with {}",
        jdk.javac().display()
    ));
    let source = dir.path().join("Demo.java");
    std::fs::write(&source, SOURCE)
        .map_err(|e| Failure::usage(format_args!("can't write {}: {e}", source.display())))?;
    let mut javac = Command::new(jdk.javac());
    javac
        .args(["-encoding", "UTF-8", "-g", "-d"])
        .arg(dir.path())
        .arg(&source);
    let output = javac
        .output()
        .map_err(|e| Failure::usage(format_args!("can't start {}: {e}", jdk.javac().display())))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(Failure::usage(format_args!(
        "{} failed:\n{said}",
        jdk.javac().display()
    )))
}

/// The program under way; ended when dropped.
struct Program {
    child: Child,
    errors: PathBuf,
}

impl Program {
    /// Starts it as anybody would, and waits until it is at work.
    fn start(jdk: &Jdk, dir: &Path) -> Result<Self, Failure> {
        let errors = dir.join("stderr");
        let failed = |e| Failure::usage(format_args!("can't start {}: {e}", jdk.java().display()));
        let stderr = File::create(&errors).map_err(failed)?;
        let mut java = Command::new(jdk.java());
        java.args(["-Xmx64m", "-cp"]).arg(dir).arg(MAIN);
        // Ctrl-C is for us: the program is asked to end when its locks have been reported.
        java.process_group(0);
        java.stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr);
        let mut child = java.spawn().map_err(failed)?;
        let stdout = child.stdout.take();
        let program = Self { child, errors };
        match stdout.is_some_and(ready) {
            true => Ok(program),
            false => Err(program.broken()),
        }
    }

    /// Asks it to end: a JVM that is killed leaves its attach socket and its performance data behind.
    fn ends_when_asked(&mut self) -> bool {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let asked = pid.is_some_and(|pid| kill_process(pid, Signal::TERM).is_ok());
        let deadline = Instant::now() + ENDS_WITHIN;
        while asked && Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    fn broken(&self) -> Failure {
        let said = std::fs::read_to_string(&self.errors).unwrap_or_default();
        Failure::usage(format_args!(
            "the demo program ended at once:\n{}",
            said.trim()
        ))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        if !self.ends_when_asked() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads on until the program says so; false when it ends before.
fn ready(stdout: ChildStdout) -> bool {
    BufReader::new(stdout)
        .lines()
        .map_while(Result::ok)
        .any(|line| line == READY)
}
