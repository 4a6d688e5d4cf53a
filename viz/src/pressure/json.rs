//! Pressure for programs. The schema is versioned: fields are added, never changed.

use crate::report::recording_json;
use locklens_inference::model::Model;
use locklens_inference::pressure::model::{ChainShare, LockPressure, Metrics, Phase, Pressure};
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of pressure.
pub const SCHEMA: u32 = 1;

/// Writes it as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(pressure: &Pressure, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let locks = pressure.locks.iter();
    let document = value!({
        "schema": SCHEMA,
        "target": model.target,
        "interval_ns": pressure.interval.0,
        "asked_interval_ns": pressure.asked.0,
        "threshold_percent": percent(pressure.threshold),
        "begin_ns": pressure.begin.0,
        "end_ns": pressure.end.0,
        "threads": pressure.threads,
        "only_threads": pressure.only,
        "service_threads": pressure.service,
        "running_ns": pressure.running.0,
        "acquiring_ns": pressure.acquiring.0,
        "acquiring_elsewhere_ns": pressure.elsewhere.0,
        "unmeasured": pressure.unmeasured,
        "waits_inside": super::inside::json(model),
        "locks": locks.map(|lock| self::lock(lock, pressure.metrics)).collect::<Vec<_>>(),
        "recording": recording_json(model),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

/// A share in percent, to a thousandth.
fn percent(share: f64) -> f64 {
    (share * 100_000.0).round() / 1000.0
}

fn lock(lock: &LockPressure, metrics: bool) -> Value {
    let series = lock.series.iter().map(|share| share.map(percent));
    let mut document = value!({
        "id": lock.id,
        "name": lock.name,
        "known": lock.known.name(),
        "acquiring_ns": lock.acquiring.0,
        "average_percent": percent(lock.average),
        "peak_percent": percent(lock.peak),
        "objects": lock.objects,
        "worst_object": lock.worst.map(|worst| value!({
            "object": worst.object,
            "average_percent": percent(worst.average),
            "peak_percent": percent(worst.peak),
        })),
        "series": series.collect::<Vec<_>>(),
        "phases": lock.phases.iter().map(phase).collect::<Vec<_>>(),
        "more_phases": lock.more_phases,
        "stacks": stacks(&lock.chains),
    });
    if metrics {
        document["metrics"] = self::metrics(&lock.metrics);
    }
    document
}

fn phase(phase: &Phase) -> Value {
    value!({
        "start_ns": phase.start.0,
        "end_ns": phase.end.0,
        "peak_percent": percent(phase.peak),
        "average_percent": percent(phase.average),
        "stacks": stacks(&phase.chains),
    })
}

fn stacks(chains: &[ChainShare]) -> Vec<Value> {
    let stack = |chain: &ChainShare| {
        value!({
            "percent": percent(chain.share),
            "estimated": chain.estimated,
            "frames": chain.chain.as_ref().map(|chain| &chain.frames),
            "cut": chain.chain.as_ref().map(|chain| chain.cut),
        })
    };
    chains.iter().map(stack).collect()
}

fn metrics(metrics: &Metrics) -> Value {
    value!({
        "gets": metrics.gets,
        "slow": metrics.slow,
        "miss_percent": metrics.miss.map(percent),
        "recursive": metrics.recursive,
        "util_percent": metrics.utilisation.map(percent),
        "mean_hold_ns": metrics.mean_hold.map(|hold| hold.0),
        "failed_per_second": metrics.failed_per_second.map(|n| (n * 1000.0).round() / 1000.0),
        "acquiring_by_elapsed_percent": percent(metrics.of_elapsed),
        "acquiring_by_all_acquiring_percent": percent(metrics.of_acquiring),
    })
}
