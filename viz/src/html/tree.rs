//! Blocked time by every aspect at once, as the page's script divides it: for the contention tree and the flame graph.

use super::panels::Chains;
use crate::contention::fate;
use locklens_inference::contention::cells::{ASPECTS, Cell, Cells};
use locklens_inference::contention::{Blame, Row, Value as Named};
use serde_json::{Map, Value, json as value};

pub(super) fn data(blame: &Blame, cells: &Cells, chains: &mut Chains) -> Value {
    let values = cells.values.iter();
    let values = values.map(|all| all.iter().map(|one| named(one, chains)).collect::<Vec<_>>());
    let unknown = blame.unknown.iter();
    let unknown: Map<String, Value> = unknown
        .map(|(why, time)| (why.name().to_owned(), time.0.into()))
        .collect();
    value!({
        "blocked_ns": blame.total.ns.0,
        "estimated_ns": blame.total.estimated.0,
        "count": blame.total.count,
        "unmeasured": blame.total.unmeasured,
        "unknown_ns": unknown,
        "without_chain_ns": blame.without_chain.0,
        "untested_ns": blame.total.untested.0,
        "stays": blame.total.rows.iter().filter_map(stays).collect::<Vec<_>>(),
        "keys": ASPECTS.map(|key| key.name()),
        "values": values.collect::<Vec<_>>(),
        "cells": cells.all.iter().flat_map(numbers).collect::<Vec<_>>(),
        "rest": numbers(&cells.rest),
        "left_out": cells.left_out,
        "shared": cells.shared.iter().map(|(cells, stays)| value!([stays, cells])).collect::<Vec<_>>(),
    })
}

/// How many stays there were of a lock.
fn stays(row: &Row) -> Option<Value> {
    match row.value {
        Some(Named::Lock(id, _)) => Some(value!([id, row.count])),
        _ => None,
    }
}

/// Its values, nanoseconds, those of them that are estimates, stays of it alone, and others.
fn numbers(cell: &Cell) -> Vec<u64> {
    let at = cell.at.iter().map(|&at| u64::from(at));
    at.chain([cell.ns.0, cell.estimated.0, cell.alone, cell.loose])
        .collect()
}

fn named(named: &Named, chains: &mut Chains) -> Value {
    match named {
        Named::Named(name) => name.clone().into(),
        Named::Lock(id, _) => value!({ "lock": id }),
        Named::Chain(chain) => value!({ "chain": chains.code(&chain.frames, chain.cut) }),
        Named::Time(..)
        | Named::Nobody
        | Named::Empty
        | Named::Cycle
        | Named::Unknown
        | Named::Rest => {
            value!({ "is": fate(named) })
        }
    }
}
