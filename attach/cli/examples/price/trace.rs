//! The command that watches, and what its trace says.

use crate::program::Stage;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The command under way; killed when dropped.
pub(crate) struct Watch {
    child: Child,
}

impl Watch {
    /// `locklens record PID` or `locklens trace PID` with these further words.
    pub(crate) fn start(
        stage: &Stage,
        verb: &str,
        pid: u32,
        words: &[&str],
    ) -> Result<Self, String> {
        let child = Command::new(&stage.locklens)
            .args([verb, &pid.to_string()])
            .args(words)
            .arg("-o")
            .arg(file(stage))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("locklens: {e}"))?;
        Ok(Self { child })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is still there.
    pub(crate) fn is_on(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for its end; what it has recorded.
    pub(crate) fn finish(mut self, stage: &Stage) -> Result<Facts, String> {
        let status = self.child.wait().map_err(|e| e.to_string())?;
        match status.success() {
            true => Facts::read(stage),
            false => Err(format!("locklens ended with {status}")),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It has ended on its own, or something went wrong; the agent then puts everything back.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn file(stage: &Stage) -> PathBuf {
    stage.folder.join("run.llt")
}

/// What `locklens info --json` says of the trace.
pub(crate) struct Facts(serde_json::Value);

impl Facts {
    fn read(stage: &Stage) -> Result<Self, String> {
        let output = Command::new(&stage.locklens)
            .arg("info")
            .arg(file(stage))
            .arg("--json")
            .output()
            .map_err(|e| format!("locklens info: {e}"))?;
        let info =
            serde_json::from_slice(&output.stdout).map_err(|e| format!("locklens info: {e}"))?;
        Ok(Self(info))
    }

    pub(crate) fn events(&self) -> f64 {
        self.0["events"].as_f64().unwrap_or(0.0)
    }

    /// Share of the events that were dropped.
    pub(crate) fn lost(&self) -> f64 {
        let causes = self.0["lost"].as_object().into_iter().flatten();
        let lost: f64 = causes
            .filter(|(cause, _)| *cause != "stack-budget")
            .filter_map(|(_, count)| count.as_f64())
            .sum();
        lost / (lost + self.events()).max(1.0)
    }

    /// A number among the facts about the recording.
    pub(crate) fn number(&self, name: &str) -> Result<f64, String> {
        let text = self.0["target"][name].as_str();
        let number = text.and_then(|text| text.parse().ok());
        number.ok_or_else(|| format!("the trace does not say {name}"))
    }
}
