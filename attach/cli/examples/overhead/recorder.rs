//! A recorder at work, from its beginning to its end.

use crate::arm::{Arm, Book, DEPTH};
use crate::caught::{Caught, async_profiler, jfr, locklens, output};
use crate::run::{Stage, processor};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A recorder at work; a process of its own is killed when it is dropped.
pub(crate) struct Recorder {
    arm: Arm,
    command: Option<Child>,
    since: Instant,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some(command) = &mut self.command {
            // It has ended on its own, or something went wrong; the agent then puts everything back.
            let _ = command.kill();
            let _ = command.wait();
        }
    }
}

impl Recorder {
    /// What has to begin before the program has warmed up: starting JFR discards compiled code on
    /// JDKs up to 22, and that is not what is measured here.
    pub(crate) fn early(arm: Arm, stage: &Stage, pid: u32) -> Result<Self, String> {
        if arm == Arm::Jfr {
            let settings = format!("settings={}", jfr_settings(&stage.folder)?.display());
            jcmd(
                stage,
                pid,
                &["JFR.configure", &format!("stackdepth={DEPTH}")],
            )?;
            jcmd(stage, pid, &["JFR.start", "name=locks", &settings])?;
        }
        let since = Instant::now();
        Ok(Self {
            arm,
            command: None,
            since,
        })
    }

    /// What begins once it has, for so many seconds.
    pub(crate) fn attach(mut self, stage: &Stage, pid: u32, seconds: u64) -> Result<Self, String> {
        if self.arm == Arm::AsyncProfiler {
            profile(stage, pid, "start,event=lock,lock=0")?;
            self.since = Instant::now();
        }
        if let Some((program, words)) = self.arm.command(stage, pid, seconds) {
            let child = Command::new(&program)
                .args(words)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(errors(stage)?)
                .spawn()
                .map_err(|e| format!("{}: {e}", program.display()))?;
            self.command = Some(child);
        }
        Ok(self)
    }

    /// Processor time used outside of the program.
    pub(crate) fn processor(&self) -> Result<f64, String> {
        match &self.command {
            Some(command) => processor(command.id()),
            None => Ok(0.0),
        }
    }

    /// Ends it; what it saw.
    pub(crate) fn finish(mut self, stage: &Stage, pid: u32) -> Result<Option<Caught>, String> {
        if let Some(command) = self.command.as_mut().filter(|_| self.arm != Arm::Jstack) {
            let status = command.wait().map_err(|e| e.to_string())?;
            // Status 1: it has found something.
            if !matches!(status.code(), Some(0 | 1)) {
                let said = std::fs::read_to_string(said(stage)).unwrap_or_default();
                return Err(format!("{status}: {}", said.trim().replace('\n', " ")));
            }
        }
        match self.arm.book() {
            Book::Trace => locklens(stage).map(Some),
            Book::Jfr => {
                let file = stage.folder.join("run.jfr");
                let target = format!("filename={}", file.display());
                jcmd(stage, pid, &["JFR.stop", "name=locks", &target])?;
                jfr(stage, &file).map(Some)
            }
            Book::AsyncProfiler => {
                let file = stage.folder.join("run.collapsed");
                let stop = format!("stop,collapsed,counter=samples,file={}", file.display());
                let time = self.since.elapsed();
                profile(stage, pid, &stop)?;
                async_profiler(&file, time).map(Some)
            }
            Book::Nobody => Ok(None),
        }
    }
}

/// What the recorder says beside its results.
fn said(stage: &Stage) -> PathBuf {
    stage.folder.join("recorder.err")
}

fn errors(stage: &Stage) -> Result<File, String> {
    let path = said(stage);
    File::create(&path).map_err(|e| format!("{}: {e}", path.display()))
}

fn jcmd(stage: &Stage, pid: u32, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(stage.home.join("bin/jcmd"));
    output(command.arg(pid.to_string()).args(words))
}

/// Has async-profiler do something in the program.
fn profile(stage: &Stage, pid: u32, what: &str) -> Result<String, String> {
    let library = stage.profiler()?;
    let mut command = Command::new(&stage.locklens);
    command.args(["attach", &pid.to_string(), "load"]);
    output(command.arg(library).args(["true", what]))
}

/// JFR with monitor events of any length and their call chains, and nothing else.
fn jfr_settings(folder: &Path) -> Result<PathBuf, String> {
    let events = ["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"].map(|event| {
        format!(
            "<event name=\"{event}\"><setting name=\"enabled\">true</setting>\
             <setting name=\"stackTrace\">true</setting><setting name=\"threshold\">0 ms</setting></event>"
        )
    });
    let text = format!(
        "<?xml version=\"1.0\"?><configuration version=\"2.0\">{}</configuration>",
        events.concat()
    );
    let path = folder.join("locks.jfc");
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    Ok(path)
}
