//! Pressure over time, as the page's script draws it: a row for each of the locks that have most.

use super::panels::Chains;
use crate::pressure::not_counted;
use locklens_inference::model::Model;
use locklens_inference::pressure::model::{LockPressure, Phase, Pressure};
use serde_json::{Value, json as value};
use std::cmp::Reverse;

/// Locks that are drawn at most.
const LOCKS: usize = 24;
/// Phases of one lock that are told at most.
const PHASES: usize = 60;
/// Shares are told to so many parts of the whole.
const PARTS: f64 = 100_000.0;

pub(super) fn data(pressure: &Pressure, model: &Model, chains: &mut Chains) -> Value {
    let told = pressure.locks.iter().take(LOCKS);
    let locks: Vec<Value> = told.map(|one| lock(one, chains)).collect();
    value!({
        "interval_ns": pressure.interval.0,
        "threshold": parts(pressure.threshold),
        "begin_ns": pressure.begin.0,
        "end_ns": pressure.end.0,
        "parts": PARTS,
        "locks": locks,
        "unmeasured": pressure.unmeasured,
        "not_counted": not_counted(model),
        "left_out": pressure.locks.len().saturating_sub(LOCKS),
    })
}

fn parts(share: f64) -> u64 {
    (share * PARTS).round() as u64
}

fn lock(lock: &LockPressure, chains: &mut Chains) -> Value {
    let series = lock.series.iter();
    let series = series.map(|share| share.map_or(value!(-1), |share| value!(parts(share))));
    let mut phases: Vec<&Phase> = lock.phases.iter().collect();
    let weight = |phase: &Phase| (phase.average * phase.end.since(phase.start).0 as f64) as u64;
    phases.sort_by_key(|phase| (Reverse(weight(phase)), phase.start));
    let more = phases.len().saturating_sub(PHASES) as u64;
    phases.truncate(PHASES);
    phases.sort_by_key(|phase| phase.start);
    value!({
        "id": lock.id,
        "known": lock.known.name(),
        "acquiring_ns": lock.acquiring.0,
        "average": parts(lock.average),
        "peak": parts(lock.peak),
        "series": series.collect::<Vec<_>>(),
        "phases": phases.iter().map(|one| phase(one, chains)).collect::<Vec<_>>(),
        "more_phases": lock.more_phases + more,
    })
}

/// Begin, end, what it has on the average and at most, and the chain that has most of it: its number, and its share.
fn phase(phase: &Phase, chains: &mut Chains) -> Value {
    let most = phase.chains.first();
    let chain = most.and_then(|most| Some((most.chain.as_ref()?, most.share)));
    let chain =
        chain.map(|(chain, share)| [chains.code(&chain.frames, chain.cut) as u64, parts(share)]);
    value!([
        phase.start.0,
        phase.end.0,
        parts(phase.average),
        parts(phase.peak),
        chain
    ])
}
