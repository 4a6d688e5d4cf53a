//! What a JDK is tried with: the program that keeps books, the agent that looks at its code, the command.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Far more than anything here needs, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// Where the sources are.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testapps/faults");

/// Compiled, in a folder of its own that goes away with it.
pub(crate) struct Stage {
    pub(crate) home: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) locklens: PathBuf,
}

impl Stage {
    pub(crate) fn new(home: &Path, locklens: &Path, folder: PathBuf) -> Result<Self, String> {
        if !locklens.exists() {
            let name = locklens.display();
            return Err(format!("{name}: not there; cargo build --release first"));
        }
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let stage = Self {
            home: home.to_owned(),
            folder,
            locklens: locklens.to_owned(),
        };
        let mut javac = Command::new(home.join("bin/javac"));
        javac.arg("-d").arg(&stage.folder);
        done(javac.arg(Path::new(SOURCES).join("Books.java")))?;
        let (include, mut cc) = (home.join("include"), Command::new("cc"));
        cc.args(["-shared", "-fPIC", "-O1", "-I"])
            .arg(&include)
            .arg("-I")
            .arg(include.join("linux"));
        cc.arg(Path::new(SOURCES).join("bytecodes.c"));
        done(cc.arg("-o").arg(stage.checker()))?;
        Ok(stage)
    }

    /// The agent that says how long methods are.
    fn checker(&self) -> PathBuf {
        self.folder.join("bytecodes.so")
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// The command, run to its end.
    pub(crate) fn locklens(&self, words: &[&str]) -> Result<Output, String> {
        self.command(words).output().map_err(|e| e.to_string())
    }

    /// The same, which has to end with 0.
    pub(crate) fn well(&self, words: &[&str]) -> Result<Output, String> {
        let output = self.locklens(words)?;
        match output.status.success() {
            true => Ok(output),
            false => Err(format!("{words:?}: {}", told(&output))),
        }
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.locklens);
        command
            .args(words)
            .stdin(Stdio::null())
            .env_remove("JAVA_TOOL_OPTIONS");
        command
    }

    /// The command under way.
    pub(crate) fn start(&self, words: &[&str]) -> Result<Running, String> {
        let child = self
            .command(words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Ok(Running(child.map_err(|e| e.to_string())?))
    }

    /// Figures of a trace.
    pub(crate) fn info(&self, trace: &str) -> Result<serde_json::Value, String> {
        let output = self.well(&["info", "--json", trace])?;
        serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Left behind, it is in a folder for what may be left behind.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What a command said and ended with, on one line.
pub(crate) fn told(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    format!("{}: {}", output.status, said.trim().replace('\n', " / "))
}

fn done(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", told(&output))),
    }
}

/// A command under way; killed when dropped.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// What it said, once it has ended.
    pub(crate) fn said(&mut self) -> String {
        let mut said = String::new();
        if let Some(stderr) = self.0.stderr.as_mut() {
            let _ = stderr.read_to_string(&mut said);
        }
        said
    }

    /// Kills it at once; whether it was still there.
    pub(crate) fn kill(mut self) -> bool {
        let was_there = !self.has_ended();
        drop(self);
        was_there
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) -> Result<(), String> {
        signal(self.pid(), name)
    }

    /// Waits for its end, which has to be a good one.
    pub(crate) fn well(mut self) -> Result<(), String> {
        eventually("the command ends", || Ok(self.has_ended()))?;
        let status = self.0.wait().map_err(|e| e.to_string())?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("{status}: {}", self.said())),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends a signal to a process that we started.
pub(crate) fn signal(pid: u32, name: &str) -> Result<(), String> {
    done(Command::new("kill").args(["-s", name, &pid.to_string()]))
}

/// Waits for a condition.
pub(crate) fn eventually(
    what: &str,
    mut condition: impl FnMut() -> Result<bool, String>,
) -> Result<(), String> {
    let deadline = Instant::now() + PATIENCE;
    while !condition()? {
        if Instant::now() > deadline {
            return Err(format!("waited in vain: {what}"));
        }
        sleep(LOOK);
    }
    Ok(())
}
