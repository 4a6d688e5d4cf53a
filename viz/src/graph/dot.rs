//! The nesting graph in the language of Graphviz.
//!
//! Locks without nesting are left out of the picture (and counted) unless there is nothing else.

use super::{around, elsewhere, kind, left_out, thread, types};
use crate::report::{damage, missing};
use crate::text::{clean, count, many, short_count, short_place, time};
use locklens_inference::model::{Deadlock, Model};
use locklens_inference::nesting::graph::{Edge, Graph, Known, Node, NodeKind, ThreadName};
use locklens_trace::Nanos;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

const RED: &str = "#c62828";
const INK: &str = "#37474f";
/// From unblocked to most blocked.
const HEAT: [&str; 5] = ["#ffffff", "#fff8e1", "#ffecb3", "#ffcc80", "#ffab91"];

/// Writes the graph for `dot`.
///
/// # Errors
/// When `out` fails.
pub fn dot(graph: &Graph, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let drawn = drawn(graph);
    writeln!(out, "digraph locks {{")?;
    writeln!(
        out,
        "  graph [rankdir=LR, nodesep=0.4, ranksep=0.9, fontname=\"Helvetica\", fontsize=11, fontcolor=\"{INK}\", labelloc=b, labeljust=l, label={}];",
        caption(graph, model, &drawn)
    )?;
    writeln!(
        out,
        "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, color=\"{INK}\", margin=\"0.15,0.08\"];"
    )?;
    writeln!(
        out,
        "  edge [fontname=\"Helvetica\", fontsize=9, color=\"{INK}\", fontcolor=\"{INK}\", arrowsize=0.8];"
    )?;
    let on_cycle: BTreeSet<usize> = graph
        .cycles
        .iter()
        .flat_map(|c| c.nodes.iter().copied())
        .collect();
    let hottest = graph.nodes.iter().map(|n| n.blocked.total).max();
    for &ix in &drawn {
        let heat = heat(&graph.nodes[ix], hottest.unwrap_or_default());
        node(&graph.nodes[ix], heat, on_cycle.contains(&ix), out)?;
    }
    for e in &graph.edges {
        edge(graph, e, out)?;
    }
    writeln!(out, "}}")
}

/// Nodes with edges; all, if there are no edges.
fn drawn(graph: &Graph) -> BTreeSet<usize> {
    if graph.edges.is_empty() {
        return (0..graph.nodes.len()).collect();
    }
    graph.edges.iter().flat_map(|e| [e.from, e.to]).collect()
}

fn node(node: &Node, heat: &str, on_cycle: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut label = format!("<b>{} {}</b>", node.id, html(&node.called));
    match kind(node) {
        None => {
            let _ = write!(label, "<br/>{}", html(&types(node)));
            let _ = write!(
                label,
                "<br/><font point-size=\"9\">{}</font>",
                html(&weight(node))
            );
        }
        Some(kind) => {
            let _ = write!(label, "<br/><i>{}</i>", html(&kind));
        }
    }
    let style = match node.kind {
        NodeKind::Lock => "rounded,filled",
        NodeKind::Unseen | NodeKind::Region { .. } => "rounded,filled,dashed",
    };
    let (colour, pen) = if on_cycle { (RED, 2.0) } else { (INK, 1.0) };
    writeln!(
        out,
        "  n{} [label=<{label}>, tooltip={}, style=\"{style}\", fillcolor=\"{heat}\", color=\"{colour}\", penwidth={pen:.1}];",
        node.id,
        quoted(&node.name)
    )
}

fn weight(node: &Node) -> String {
    format!(
        "{}, blocked {} ({}), {} waits",
        many(node.instances, "object"),
        time(node.blocked.total),
        short_count(node.blocked.count),
        short_count(node.waits.count)
    )
}

/// By the share of the longest time blocked.
fn heat(node: &Node, hottest: Nanos) -> &'static str {
    let share = node.blocked.total.0 as f64 / hottest.0.max(1) as f64;
    let step = (share * (HEAT.len() - 1) as f64).ceil() as usize;
    HEAT[step.min(HEAT.len() - 1)]
}

fn edge(graph: &Graph, edge: &Edge, out: &mut dyn Write) -> io::Result<()> {
    let label = format!(
        "{}×, {}\n{}",
        short_count(edge.count),
        many(edge.threads.len() as u64, "thread"),
        edge.known.name()
    );
    let style = match edge.known {
        Known::Exact => "solid",
        Known::Stack => "dashed",
    };
    let mut looks = format!(
        "label={}, tooltip={}, style={style}",
        quoted(&label),
        quoted(&tooltip(edge))
    );
    if edge.in_cycle {
        let _ = write!(
            looks,
            ", color=\"{RED}\", fontcolor=\"{RED}\", penwidth=2.2"
        );
    }
    let (from, to) = (graph.nodes[edge.from].id, graph.nodes[edge.to].id);
    writeln!(out, "  n{from} -> n{to} [{looks}];")
}

/// Where it was seen most, and by whom.
fn tooltip(edge: &Edge) -> String {
    let first = |chain: &[String]| chain.first().map_or("?".to_owned(), |f| short_place(f));
    let mut lines: Vec<String> = Vec::new();
    for site in edge.sites.iter().take(3) {
        lines.push(format!(
            "{} in {} ({}×, {})",
            first(&site.inner),
            first(&site.outer),
            count(site.count),
            thread(&site.thread)
        ));
    }
    lines.join("\n")
}

/// What the picture shows, each cycle that stands, and what is not in it.
fn caption(graph: &Graph, model: &Model, drawn: &BTreeSet<usize>) -> String {
    let mut lines = vec![
        "A → B: B was entered within A.  dashed: known from call chains.  solid: from enter and exit events.".to_owned(),
    ];
    let hidden = graph.nodes.len() - drawn.len();
    if hidden > 0 {
        lines.push(format!(
            "{} without nesting not drawn.",
            many(hidden as u64, "lock")
        ));
    }
    for cycle in &graph.cycles {
        lines.push(format!("{}: {}", cycle.id, around(graph, cycle)));
    }
    let elsewhere = elsewhere(graph, model);
    lines.extend(elsewhere.iter().map(|ring| deadlock(ring)));
    if graph.cycles.is_empty() && elsewhere.is_empty() {
        lines.push("No cycle that could be a deadlock.".to_owned());
    }
    if !graph.excluded.is_empty() {
        let number = many(graph.excluded.len() as u64, "cycle");
        lines.push(format!("{number} excluded, by a common lock, by what puts threads in order, or for want of a second thread."));
    }
    lines.extend(left_out(model).map(|what| what + "."));
    lines.extend(missing(&model.recording));
    lines.extend(damage(&model.recording));
    let mut text = String::from("\"");
    for line in lines {
        text.push_str(&escaped(&line));
        text.push_str("\\l");
    }
    text + "\""
}

/// Threads named of a deadlock.
const NAMED: usize = 8;

/// One that is no cycle of the picture, by its threads.
fn deadlock(ring: &Deadlock) -> String {
    let names = ring.threads.iter().take(NAMED).map(|stuck| {
        let name = ThreadName {
            name: stuck.thread.clone(),
            tid: stuck.tid,
        };
        thread(&name)
    });
    let names: Vec<_> = names.collect();
    let more = match ring.threads.len() > NAMED {
        true => " …",
        false => "",
    };
    format!(
        "DEADLOCK of {} that is not drawn: {}{more}",
        many(ring.threads.len() as u64, "thread"),
        names.join(", ")
    )
}

fn quoted(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(escaped).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn escaped(line: &str) -> String {
    clean(line).replace('\\', "\\\\").replace('"', "\\\"")
}

fn html(text: &str) -> String {
    clean(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
