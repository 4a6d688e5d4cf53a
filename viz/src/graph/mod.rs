//! The nesting graph: drawn ([`dot`]), for programs ([`json`]), and for people ([`text`]).

mod dot;
mod json;
mod text;

pub use dot::dot;
pub use json::{SCHEMA, json};
pub(crate) use json::{
    cycle as cycle_json, edge as edge_json, node as node_json, same as same_json,
};
pub use text::text;

use crate::text::{clean, many};
use locklens_inference::model::{Deadlock, Model};
use locklens_inference::nesting::graph::{Cycle, Graph, Node, NodeKind, ThreadName};

/// The deadlocks of the report that no cycle of the graph shows.
fn elsewhere<'m>(graph: &Graph, model: &'m Model) -> Vec<&'m Deadlock> {
    let all = model.deadlocks.iter();
    all.filter(|deadlock| !graph.shows(deadlock)).collect()
}

/// Logical locks of the report that are no nodes: those known from looks at parked threads.
fn sampled(model: &Model) -> u64 {
    let locks = model.locks.iter();
    locks.filter(|lock| !lock.nests()).count() as u64
}

/// That some locks have no edges, if so.
fn left_out(model: &Model) -> Option<String> {
    let sampled = sampled(model);
    let locks = many(sampled, "lock");
    let are = if sampled == 1 { "is" } else { "are" };
    let why = match model.locks.iter().any(|lock| lock.uses.is_some()) {
        true => "nobody holds such a lock alone, or who does is not known",
        false => "edges and cycles are of monitors only",
    };
    let left_out = format!("{locks} of java.util.concurrent {are} not in it: {why}");
    (sampled > 0).then_some(left_out)
}

/// All types of a node: `PRODUCER-CONSUMER+MUTEX`; of a node that is no logical lock none.
fn types(node: &Node) -> String {
    let names: Vec<_> = node.types.iter().map(|t| t.name()).collect();
    names.join("+")
}

/// What a node is, where that is no logical lock.
fn kind(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Lock => None,
        NodeKind::Unseen => Some("no event seen on it".to_owned()),
        NodeKind::Region { candidates } if candidates.is_empty() => {
            Some("region of an unknown lock".to_owned())
        }
        NodeKind::Region { candidates } => {
            let ids: Vec<_> = candidates.iter().map(u32::to_string).collect();
            Some(format!("region of one of {}", ids.join(", ")))
        }
    }
}

/// Names around a cycle, back to the first.
fn around(graph: &Graph, cycle: &Cycle) -> String {
    let nodes = cycle.nodes.iter().chain(cycle.nodes.first());
    let names: Vec<_> = nodes.map(|&ix| clean(&graph.nodes[ix].name)).collect();
    names.join(" → ")
}

/// `"name" #12`, as in a thread dump.
fn thread(thread: &ThreadName) -> String {
    let tid = thread.tid.map_or(String::new(), |tid| format!(" #{tid}"));
    format!("\"{}\"{tid}", clean(&thread.name))
}
