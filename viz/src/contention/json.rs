//! Blocked time for programs. The schema is versioned: fields are added, never changed.

use super::{fate, frames};
use crate::report::recording_json;
use locklens_inference::contention::{Blame, Key, Row, Value as Named};
use locklens_inference::model::Model;
use locklens_trace::Nanos;
use serde_json::{Map, Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of blocked time.
pub const SCHEMA: u32 = 1;

/// Writes it as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(blame: &Blame, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let keys: Vec<_> = blame.keys.iter().map(|key| key.name()).collect();
    let unknown = blame.unknown.iter();
    let unknown: Map<String, Value> = unknown
        .map(|(why, time)| (why.name().to_owned(), time.0.into()))
        .collect();
    let document = value!({
        "schema": SCHEMA,
        "target": model.target,
        "of": if blame.waits { "waits" } else { "blocked" },
        "root": blame.root,
        "exact": model.recording.exact,
        "keys": keys,
        "interval_ns": blame.keys.contains(&Key::Time).then_some(blame.interval.0),
        "blocked_ns": blame.total.ns.0,
        "unknown_owner_ns": blame.unknown_total().0,
        "unknown_ns": unknown,
        "untested_owner_ns": blame.total.untested.0,
        "nobody_ns": blame.nobody.0,
        "idle_ns": blame.total.idle.0,
        "deadlock_ns": blame.cycle.0,
        "owner_without_chain_ns": blame.without_chain.0,
        "waiter_without_chain_ns": {
            "parked": blame.parked_without_chain.0,
            "other": blame.waiter_without_chain.0,
        },
        "unplaced_waits": { "count": blame.unplaced.0, "ns": blame.unplaced.1.0 },
        "estimated_ns": blame.total.estimated.0,
        "count": blame.total.count,
        "unmeasured": blame.total.unmeasured,
        "unjoined": blame.unjoined,
        "inferred_notifies": blame.inferred,
        "rows": rows(&blame.total, &blame.keys, &Map::new()),
        "looks": super::looks::json(&blame.looks),
        "parked_looks": super::looks::json(&blame.parked_looks),
        "recording": recording_json(model),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

pub(super) fn rows(parent: &Row, keys: &[Key], above: &Map<String, Value>) -> Vec<Value> {
    let Some((key, below)) = keys.split_first() else {
        return Vec::new();
    };
    let each = |row: &Row| {
        let mut path = above.clone();
        let named = row.value.as_ref().unwrap_or(&Named::Unknown);
        name(*key, named, &mut path);
        let children = rows(row, below, &path);
        let mut document = counts(row);
        document["keys"] = Value::Object(path);
        document["is"] = fate(named).into();
        document["children"] = children.into();
        document
    };
    parent.rows.iter().map(each).collect()
}

fn name(key: Key, named: &Named, path: &mut Map<String, Value>) {
    let told = match named {
        Named::Named(name) => name.clone().into(),
        Named::Lock(id, name) => {
            path.insert("lock-id".to_owned(), (*id).into());
            name.clone().into()
        }
        Named::Chain(chain) => frames(chain).into(),
        Named::Time(from, _) => from.0.into(),
        Named::Nobody | Named::Empty | Named::Cycle | Named::Unknown | Named::Rest => Value::Null,
    };
    path.insert(key.name().to_owned(), told);
}

fn counts(row: &Row) -> Value {
    let time = |time: Option<Nanos>| time.map(|time| time.0);
    value!({
        "ns": row.ns.0,
        "count": row.count,
        "unmeasured": row.unmeasured,
        "estimated_ns": row.estimated.0,
        "untested_ns": row.untested.0,
        "idle_ns": row.idle.0,
        "p50_ns": time(row.p50),
        "p99_ns": time(row.p99),
        "max_ns": time(row.max),
    })
}
