//! A report of a trace: the command's own, or one that leaves the evidence of the code out.

use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collector;
use locklens_inference::model::Options;
use locklens_trace::read::{Item, Reader};
use locklens_viz::report as viz;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::Command;

/// The report of a trace as a document.
pub(crate) fn report(trace: &Path, no_code: bool) -> Result<Value, String> {
    match no_code {
        true => by_events(trace),
        false => by_command(trace),
    }
}

fn by_command(trace: &Path) -> Result<Value, String> {
    let report = Command::new(super::launch::locklens()?)
        .arg("report")
        .arg(trace)
        .arg("--json")
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&report.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&report.stderr)))
}

/// No flag of the command does this: nobody who wants to know a lock would leave evidence out.
fn by_events(trace: &Path) -> Result<Value, String> {
    let options = Options {
        static_model: false,
        ..Options::default()
    };
    let file = File::open(trace).map_err(|e| e.to_string())?;
    let mut collector = Collector::new(options);
    for item in Reader::new(file).map_err(|e| e.to_string())? {
        match item {
            Item::Record(record) => collector.push(record),
            Item::Gap(_) => collector.gap(),
        }
    }
    let model = Analysis::of(&collector.finish(), &options).model;
    let mut document = Vec::new();
    viz::json(&model, viz::SortKey::default(), &mut document).map_err(|e| e.to_string())?;
    serde_json::from_slice(&document).map_err(|e| e.to_string())
}
