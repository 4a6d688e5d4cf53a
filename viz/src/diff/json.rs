//! The comparison for programs. The schema is versioned: fields are added, never changed.

use super::Side;
use super::warnings::warnings;
use crate::report::recording_json;
use locklens_inference::diff::model::{Diff, Estimate, Figure, LockDiff, OfLock};
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of a comparison.
pub const SCHEMA: u32 = 1;

/// Writes it as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(diff: &Diff, sides: [Side<'_>; 2], out: &mut dyn Write) -> io::Result<()> {
    let [a, b] = sides.map(|side| {
        value!({
            "file": side.name,
            "target": side.model.target,
            "recording": recording_json(side.model),
        })
    });
    let document = value!({
        "schema": SCHEMA,
        "a": a,
        "b": b,
        "warnings": warnings(diff, sides),
        "locks": diff.locks.iter().map(lock).collect::<Vec<_>>(),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

fn lock(lock: &LockDiff) -> Value {
    let each = |of: fn(&OfLock) -> Value| [&lock.a, &lock.b].map(|side| side.as_ref().map(of));
    value!({
        "name": lock.name(),
        "names": each(|of| value!(of.name)),
        "ids": each(|of| value!(of.id)),
        "same_by": lock.same_by.name(),
        "status": lock.status().name(),
        "types": each(types),
        "types_changed": lock.is_of_other_type(),
        "known": each(|of| value!(of.known.map(|known| known.name()))),
        "stays": each(|of| value!(of.stays)),
        "blocked_ns_per_s": figure(&lock.blocked, nanos),
        "pressure_percent": figure(&lock.pressure, percent),
        "verdict": lock.verdict().name(),
    })
}

fn types(lock: &OfLock) -> Value {
    let types = lock.types.iter();
    let types = types.map(|(kind, sure)| {
        value!({"type": kind.name(), "confidence": (sure * 1000.0).round() / 1000.0})
    });
    types.collect()
}

fn figure(figure: &Figure, unit: fn(f64) -> f64) -> Value {
    let estimate = |of: Estimate| {
        value!({
            "value": unit(of.value),
            "low": of.low.map(unit),
            "high": of.high.map(unit),
        })
    };
    value!({
        "a": estimate(figure.a),
        "b": estimate(figure.b),
        "difference": estimate(figure.difference),
        "p": figure.p,
        "p_adjusted": figure.adjusted,
        "verdict": figure.verdict.name(),
    })
}

fn nanos(ns: f64) -> f64 {
    ns.round()
}

/// A share in percent, to a hundred-thousandth.
fn percent(share: f64) -> f64 {
    (share * 1e7).round() / 1e5
}
