//! The nesting graph, as the page's script lays it out: locks that are taken inside others, or have others taken inside.

use super::panels::Chains;
use crate::graph::{cycle_json, edge_json, node_json, same_json};
use crate::report::deadlock;
use locklens_inference::model::Model;
use locklens_inference::nesting::graph::{Cycle, Graph, ObjectOrder};
use serde_json::{Value, json as value};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Nodes that are drawn at most, and edges among them.
const NODES: usize = 150;
const EDGES: usize = 600;
/// Cycles of each kind that are told at most.
const CYCLES: usize = 60;

pub(super) fn data(graph: &Graph, model: &Model, chains: &mut Chains) -> Value {
    let connected = connected(graph);
    let nodes = heaviest(graph, &connected);
    let mut edges: Vec<_> = graph.edges.iter().collect();
    edges.retain(|edge| nodes.contains(&edge.from) && nodes.contains(&edge.to));
    edges.sort_by_key(|edge| (!edge.in_cycle, Reverse(edge.count), edge.from, edge.to));
    edges.truncate(EDGES);
    let cycles = |cycles: &[Cycle]| -> Vec<Value> {
        let told = cycles.iter().take(CYCLES);
        told.map(|cycle| cycle_json(graph, cycle)).collect()
    };
    let mut data = value!({
        "exact": graph.exact,
        "nodes": nodes.iter().map(|&ix| node_json(&graph.nodes[ix])).collect::<Vec<_>>(),
        "edges": edges.iter().map(|edge| edge_json(graph, edge)).collect::<Vec<_>>(),
        "nodes_left_out": connected.len() - nodes.len(),
        "edges_left_out": graph.edges.len() - edges.len(),
        "alone": graph.nodes.len() - connected.len(),
        "cycles": cycles(&graph.cycles),
        "cycles_left_out": graph.cycles.len().saturating_sub(CYCLES),
        "excluded": cycles(&graph.excluded),
        "excluded_left_out": graph.excluded.len().saturating_sub(CYCLES),
        "same_lock": graph.same.iter().map(|same| same_json(graph, same)).collect::<Vec<_>>(),
        "deadlocks": model.deadlocks.iter().map(deadlock).collect::<Vec<_>>(),
        "forgotten": graph.limits.forgotten,
        "left_out": graph.limits.left_out,
        "bounded": graph.limits.bounded,
    });
    number_chains(&mut data, chains);
    data
}

/// Nodes that edges lead to or from, and those whose objects are taken inside each other in rings.
fn connected(graph: &Graph) -> BTreeSet<usize> {
    let ends = graph.edges.iter().flat_map(|edge| [edge.from, edge.to]);
    let rings = graph.same.iter();
    let rings = rings.filter(|same| same.order == ObjectOrder::Cyclic);
    ends.chain(rings.map(|same| same.node)).collect()
}

/// Those that are drawn: on a cycle, most blocked, most nested.
fn heaviest(graph: &Graph, connected: &BTreeSet<usize>) -> BTreeSet<usize> {
    let on_cycle: BTreeSet<usize> = { graph.cycles.iter() }
        .flat_map(|cycle| cycle.nodes.iter().copied())
        .collect();
    let mut nested = vec![0_u64; graph.nodes.len()];
    for edge in &graph.edges {
        for end in [edge.from, edge.to] {
            nested[end] = nested[end].saturating_add(edge.count);
        }
    }
    let mut nodes: Vec<usize> = connected.iter().copied().collect();
    nodes.sort_by_key(|&ix| {
        let blocked = graph.nodes[ix].blocked.total;
        (
            !on_cycle.contains(&ix),
            Reverse(blocked),
            Reverse(nested[ix]),
            ix,
        )
    });
    nodes.truncate(NODES);
    nodes.into_iter().collect()
}

/// Every chain in it becomes a number.
fn number_chains(data: &mut Value, chains: &mut Chains) {
    match data {
        Value::Array(all) => all.iter_mut().for_each(|one| number_chains(one, chains)),
        Value::Object(all) => {
            for (key, value) in all.iter_mut() {
                match (key.as_str(), &*value) {
                    ("outer" | "inner", Value::Array(frames)) => {
                        let frames = frames.iter().filter_map(Value::as_str);
                        let frames: Vec<String> = frames.map(str::to_owned).collect();
                        *value = chains.code(&frames, false).into();
                    }
                    _ => number_chains(value, chains),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
