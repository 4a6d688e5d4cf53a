//! What recorders say they have seen.

use crate::run::Stage;
use locklens_trace::cost::Cost;
use locklens_trace::record::target_key;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a recorder says it has seen, over the time it watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caught {
    /// Blockings and waits a second, those dropped and counted included; of exact recordings all events and all
    /// operations of java.util.concurrent, whose locks the other recordings look at from time to time and count nothing of.
    pub(crate) per_second: f64,
    /// Bytes of the file for each of them; none if it keeps no file of them.
    pub(crate) bytes_each: Option<f64>,
    /// Share of them with a call chain; none if there is nothing to have one.
    pub(crate) with_chain: Option<f64>,
    /// What the recorder says that it cost, a share.
    pub(crate) cost: Option<f64>,
}

pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let what = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{what}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!("{what} ended with {}: {text}{why}", output.status))
        }
    }
}

/// Bytes for each of so many events; of few it would be the file's head that is shared out.
fn share_of(bytes: f64, events: f64) -> Option<f64> {
    (events >= 1_000.0).then(|| bytes / events)
}

/// From `jfr summary`: the duration, and the number of events of both kinds.
pub(crate) fn jfr(stage: &Stage, file: &Path) -> Result<Caught, String> {
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
        bytes_each: share_of(bytes, events),
        // It takes one with each.
        with_chain: Some(1.0),
        cost: None,
    })
}

/// From its collapsed chains: how many blockings stand behind each.
pub(crate) fn async_profiler(file: &Path, time: Duration) -> Result<Caught, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let counts = text
        .lines()
        .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    Ok(Caught {
        per_second: counts.sum::<f64>() / time.as_secs_f64(),
        bytes_each: None,
        // It takes one with each.
        with_chain: Some(1.0),
        cost: None,
    })
}

/// From `locklens info`.
pub(crate) fn locklens(stage: &Stage) -> Result<Caught, String> {
    let mut command = Command::new(&stage.locklens);
    let text = output(command.arg("info").arg(stage.trace()).arg("--json"))?;
    let info: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
    let begun = match info["target"][target_key::EXACT].as_str() {
        Some("true") => {
            number(&info["events"]) + number(&info["metadata_kinds"]["operation"]["records"])
        }
        _ => number(&info["call_chains"]["events"]),
    };
    let causes = info["lost"].as_object().into_iter().flatten();
    let lost: f64 = causes
        .filter(|(cause, _)| *cause != "stack-budget")
        .map(|(_, count)| number(count))
        .sum();
    let cost = info["target"][target_key::OVERHEAD_COST].as_str();
    let cost = cost.and_then(Cost::parse);
    // Of a pair, either half may have been dropped.
    let all = begun + lost / 2.0;
    let chains = number(&info["call_chains"]["events"]);
    Ok(Caught {
        per_second: all / (number(&info["duration_ns"]) / 1e9),
        bytes_each: share_of(number(&info["stored_bytes"]), begun),
        with_chain: (chains > 0.0).then(|| number(&info["call_chains"]["taken"]) / chains),
        cost: cost.map(|cost| cost.share(cost.total())),
    })
}
