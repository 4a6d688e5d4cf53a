//! What watches the program: nothing, locklens, or JFR, and what each says it has seen.

use crate::run::{Stage, processor};
use clap::ValueEnum;
use locklens_trace::cost::Cost;
use locklens_trace::record::target_key;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Frames both recorders keep of a call chain: the default of locklens.
const DEPTH: &str = "16";

/// One way to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Arm {
    /// No recorder
    Nothing,
    /// No recorder again: the noise
    Again,
    /// locklens record
    Locklens,
    /// locklens record --stack-depth 0
    Chainless,
    /// locklens record --max-overhead 1%
    Limited,
    /// JFR, threshold 0, with call chains
    Jfr,
}

impl Arm {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Again => "nothing again",
            Self::Locklens => "locklens record",
            Self::Chainless => "… --stack-depth 0",
            Self::Limited => "… --max-overhead 1%",
            Self::Jfr => "JFR, threshold 0",
        }
    }

    fn limit(self) -> &'static [&'static str] {
        match self {
            Self::Limited => &["--max-overhead", "1%"],
            _ => &[],
        }
    }

    fn depth(self) -> &'static str {
        if self == Self::Chainless { "0" } else { DEPTH }
    }
}

/// What a recorder says it has seen, over the time it watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caught {
    /// Blockings and waits a second, those dropped and counted included.
    pub(crate) per_second: f64,
    /// Bytes of the file for each of them.
    pub(crate) bytes_each: f64,
    /// Share of them with a call chain; none if the recorder does not say.
    pub(crate) with_chain: Option<f64>,
    /// What the recorder says that it cost, a share.
    pub(crate) cost: Option<f64>,
}

/// A recorder at work.
pub(crate) struct Recorder {
    arm: Arm,
    command: Option<Child>,
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
        Ok(Self { arm, command: None })
    }

    /// What begins once it has.
    pub(crate) fn attach(mut self, stage: &Stage, pid: u32) -> Result<Self, String> {
        if matches!(self.arm, Arm::Locklens | Arm::Chainless | Arm::Limited) {
            let mut command = Command::new(&stage.locklens);
            command
                .args([
                    "record",
                    &pid.to_string(),
                    "--stack-depth",
                    self.arm.depth(),
                ])
                .args(["-d", &format!("{}s", stage.seconds + 1), "-o"])
                .arg(trace(stage))
                .args(self.arm.limit())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let child = command.spawn().map_err(|e| format!("locklens: {e}"))?;
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
        match (self.arm, &mut self.command) {
            (Arm::Jfr, _) => {
                let file = stage.folder.join("run.jfr");
                let target = format!("filename={}", file.display());
                jcmd(stage, pid, &["JFR.stop", "name=locks", &target])?;
                jfr_caught(stage, &file).map(Some)
            }
            (_, Some(command)) => {
                let status = command.wait().map_err(|e| e.to_string())?;
                if !status.success() {
                    return Err(format!("locklens record ended with {status}"));
                }
                locklens_caught(stage).map(Some)
            }
            _ => Ok(None),
        }
    }
}

fn trace(stage: &Stage) -> PathBuf {
    stage.folder.join("run.llt")
}

fn output(command: &mut Command) -> Result<String, String> {
    let what = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{what}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{what} ended with {}: {text}", output.status)),
    }
}

fn jcmd(stage: &Stage, pid: u32, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(stage.home.join("bin/jcmd"));
    output(command.arg(pid.to_string()).args(words))
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

/// From `jfr summary`: the duration, and the number of events of both kinds.
fn jfr_caught(stage: &Stage, file: &Path) -> Result<Caught, String> {
    let mut command = Command::new(stage.home.join("bin/jfr"));
    let text = output(command.arg("summary").arg(file))?;
    let value = |label: &str| {
        let line = text.lines().find_map(|l| l.trim().strip_prefix(label));
        let word = line.and_then(|rest| rest.split_whitespace().next());
        word.and_then(|word| word.parse::<f64>().ok())
            .ok_or_else(|| format!("jfr summary says no {label}"))
    };
    let events = value("jdk.JavaMonitorEnter ")? + value("jdk.JavaMonitorWait ")?;
    let bytes = file.metadata().map_err(|e| e.to_string())?.len() as f64;
    Ok(Caught {
        per_second: events / value("Duration:")?.max(1.0),
        bytes_each: bytes / events.max(1.0),
        with_chain: None,
        cost: None,
    })
}

fn locklens_caught(stage: &Stage) -> Result<Caught, String> {
    let mut command = Command::new(&stage.locklens);
    let text = output(command.arg("info").arg(trace(stage)).arg("--json"))?;
    let info: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
    let begun = number(&info["call_chains"]["events"]);
    let causes = info["lost"].as_object().into_iter().flatten();
    let lost: f64 = causes
        .filter(|(cause, _)| *cause != "stack-budget")
        .map(|(_, count)| number(count))
        .sum();
    let cost = info["target"][target_key::OVERHEAD_COST].as_str();
    let cost = cost.and_then(Cost::parse);
    // Of a pair, either half may have been dropped.
    let all = begun + lost / 2.0;
    Ok(Caught {
        per_second: all / (number(&info["duration_ns"]) / 1e9),
        bytes_each: number(&info["stored_bytes"]) / begun.max(1.0),
        with_chain: Some(number(&info["call_chains"]["taken"]) / begun.max(1.0)),
        cost: cost.map(|cost| cost.share(cost.total())),
    })
}
