//! The nesting graph for programs. The schema is versioned: fields are added, never changed.

use super::{sampled, types};
use crate::report::{deadlock, recording_json};
use locklens_inference::model::Model;
use locklens_inference::nesting::graph::{
    Cycle, CycleEdge, Edge, Fate, Graph, Judged, Limits, Node, NodeKind, ObjectOrder, Objects,
    Reason, SameLock, Site, ThreadName,
};
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of the graph.
pub const SCHEMA: u32 = 1;

/// Writes the graph as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(graph: &Graph, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let cycles =
        |cycles: &[Cycle]| -> Vec<Value> { cycles.iter().map(|c| cycle(graph, c)).collect() };
    let document = value!({
        "schema": SCHEMA,
        "target": graph.target,
        "exact": graph.exact,
        "nodes": graph.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(|e| edge(graph, e)).collect::<Vec<_>>(),
        "cycles": cycles(&graph.cycles),
        "excluded": cycles(&graph.excluded),
        "same_lock": graph.same.iter().map(|s| same(graph, s)).collect::<Vec<_>>(),
        "deadlocks": model.deadlocks.iter().map(deadlock).collect::<Vec<_>>(),
        "recording": recording_json(model),
        "limits": limits(&graph.limits, sampled(model)),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

pub(crate) fn node(node: &Node) -> Value {
    let (kind, candidates) = match &node.kind {
        NodeKind::Lock => ("lock", &[][..]),
        NodeKind::Unseen => ("unseen", &[][..]),
        NodeKind::Region { candidates } => ("region", candidates.as_slice()),
    };
    let name = match node.kind {
        NodeKind::Lock => types(node),
        NodeKind::Unseen | NodeKind::Region { .. } => "UNKNOWN".to_owned(),
    };
    value!({
        "id": node.id,
        "name": node.name,
        "type": name,
        "kind": kind,
        "candidates": candidates,
        "instances": node.instances,
        "blocked": node.blocked.count,
        "blocked_ns": node.blocked.total.0,
        "waits": node.waits.count,
        "wait_ns": node.waits.total.0,
    })
}

pub(crate) fn edge(graph: &Graph, edge: &Edge) -> Value {
    value!({
        "from": graph.nodes[edge.from].id,
        "to": graph.nodes[edge.to].id,
        "count": edge.count,
        "threads": edge.threads.iter().map(|t| &t.name).collect::<Vec<_>>(),
        "known": edge.known.name(),
        "first_ns": edge.first.0,
        "in_cycle": edge.in_cycle,
        "sites": edge.sites.iter().map(site).collect::<Vec<_>>(),
        "more_sites": edge.more_sites,
    })
}

fn site(site: &Site) -> Value {
    value!({
        "outer": site.outer,
        "inner": site.inner,
        "known": site.known.name(),
        "count": site.count,
        "first_ns": site.first.0,
        "thread": site.thread.name,
    })
}

pub(crate) fn cycle(graph: &Graph, cycle: &Cycle) -> Value {
    let edges = cycle.edges.iter().map(|e| cycle_edge(graph, e));
    let mut document = value!({
        "id": cycle.id,
        "nodes": ids(graph, &cycle.nodes),
        "edges": edges.collect::<Vec<_>>(),
        "happened": cycle.fate == Fate::Happened,
        "decided": cycle.fate != Fate::Undecided,
        "objects": objects(cycle.objects),
    });
    if let Fate::Excluded(reasons) = &cycle.fate {
        document["reasons"] = reasons.iter().map(|r| reason(graph, r)).collect();
    }
    if !cycle.judged.is_empty() {
        document["judged"] = cycle.judged.iter().map(judged).collect();
    }
    document
}

fn judged(judged: &Judged) -> Value {
    value!({
        "id": judged.id,
        "tier": judged.tier,
        "stall": judged.stall,
        "remarks": judged.remarks,
    })
}

fn ids(graph: &Graph, nodes: &[usize]) -> Vec<u32> {
    nodes.iter().map(|&ix| graph.nodes[ix].id).collect()
}

fn objects(objects: Objects) -> &'static str {
    match objects {
        Objects::Same => "same",
        Objects::Unknown => "unknown",
        Objects::Apart => "apart",
    }
}

fn reason(graph: &Graph, reason: &Reason) -> Value {
    match reason {
        Reason::Shared => value!({"kind": "shared"}),
        Reason::OneThread => value!({"kind": "one-thread"}),
        Reason::Gate { nodes, inferred } => {
            value!({"kind": "gate", "nodes": ids(graph, nodes), "inferred": inferred})
        }
        Reason::Order { inferred } => value!({"kind": "start-join", "inferred": inferred}),
        Reason::Searched(why) => value!({"kind": "deadlocks", "why": why}),
    }
}

fn cycle_edge(graph: &Graph, edge: &CycleEdge) -> Value {
    value!({
        "from": graph.nodes[edge.from].id,
        "to": graph.nodes[edge.to].id,
        "thread": edge.thread.name,
        "tid": tid(&edge.thread),
        "known": edge.known.name(),
        "outer": edge.outer,
        "inner": edge.inner,
        "first_ns": edge.first.0,
        "count": edge.count,
        "holds": edge.holds,
        "wants": edge.wants,
        "after_wait": edge.after_wait,
        "blocked_at_end": edge.blocked_at_end,
    })
}

fn tid(thread: &ThreadName) -> Value {
    thread.tid.map_or(Value::Null, Value::from)
}

pub(crate) fn same(graph: &Graph, same: &SameLock) -> Value {
    value!({
        "node": graph.nodes[same.node].id,
        "order": match same.order {
            ObjectOrder::Ordered => "ordered",
            ObjectOrder::Cyclic => "cyclic",
            ObjectOrder::Unknown => "unknown",
        },
        "known": same.known,
        "unknown": same.unknown,
    })
}

fn limits(limits: &Limits, sampled: u64) -> Value {
    value!({
        "cut_chains": limits.cut_chains,
        "unread_methods": limits.unread_methods,
        "without_chain": limits.without_chain,
        "forgotten": limits.forgotten,
        "left_out": limits.left_out,
        "bounded": limits.bounded,
        "sampled_locks": sampled,
    })
}
