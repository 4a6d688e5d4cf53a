//! The cycles of the nesting graph for people, each with what it rests on.

use super::{around, elsewhere, kind, left_out, thread, types};
use crate::Look;
use crate::report::{damage, missing, stuck};
use crate::text::{Paint, clean, many, short_place, time, wrapped};
use locklens_inference::model::Model;
use locklens_inference::nesting::graph::{
    Cycle, CycleEdge, Fate, Graph, Judged, Known, ObjectOrder, Objects, Reason, SameLock,
};
use std::io::{self, Write};

/// Frames shown of a call chain.
const FRAMES: usize = 6;

/// Writes the cycles, what was excluded and why, and what cannot be known; and the deadlocks of the report
/// that are no cycle of the graph.
///
/// # Errors
/// When `out` fails.
pub fn text(graph: &Graph, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    deadlocks(graph, model, look, out)?;
    for cycle in &graph.cycles {
        headline(graph, cycle, look, out)?;
        for edge in &cycle.edges {
            self::edge(graph, edge, cycle.fate == Fate::Happened, look, out)?;
        }
        writeln!(out)?;
    }
    if !graph.excluded.is_empty() {
        writeln!(out, "{}", Paint::Bold.on("Excluded", look))?;
    }
    for cycle in &graph.excluded {
        writeln!(out, "  {}  {}", cycle.id, around(graph, cycle))?;
        said(4, &excluded(graph, cycle), look, out)?;
    }
    if !graph.same.is_empty() {
        writeln!(out, "{}", Paint::Bold.on("Nesting within one lock", look))?;
    }
    for same in &graph.same {
        let name = clean(&graph.nodes[same.node].called);
        said(2, &format!("{name}: {}", order(same)), look, out)?;
    }
    summary(graph, model, look, out)
}

/// A sentence, indented by so many columns.
fn said(indent: usize, text: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let room = look.width.saturating_sub(indent);
    for line in wrapped(text, room).split('\n') {
        writeln!(out, "{}{line}", " ".repeat(indent))?;
    }
    Ok(())
}

fn deadlocks(graph: &Graph, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for ring in elsewhere(graph, model) {
        stuck::ring(model, ring, look, out)?;
        if stuck::lacks_chains(model, ring) {
            said(2, stuck::CHAINS, look, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn headline(graph: &Graph, cycle: &Cycle, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let what = match cycle.fate {
        Fate::Happened => "DEADLOCK",
        _ => "CYCLE",
    };
    let title = format!("{what} {}  {}", cycle.id, around(graph, cycle));
    writeln!(out, "{}", Paint::Bold.on(&title, look))?;
    let objects = match cycle.objects {
        Objects::Same => "on the same objects",
        Objects::Unknown => "which objects is not known of all",
        Objects::Apart => "never seen on the same objects",
    };
    let what = match cycle.fate {
        Fate::Happened => "these threads were blocked on each other when the recording ended",
        Fate::Undecided => "possible: the search for what excludes it was given up",
        Fate::Stands | Fate::Excluded(_) => "possible: no common lock, start or join excludes it",
    };
    said(2, &format!("{what}; {objects}"), look, out)?;
    for judged in &cycle.judged {
        said(2, &self::judged(judged), look, out)?;
    }
    let blocked = cycle.edges.iter().all(|edge| edge.blocked_at_end);
    match blocked && cycle.fate != Fate::Happened {
        true => said(
            2,
            "all its threads were blocked here when the recording ended; on whom is not known",
            look,
            out,
        ),
        false => Ok(()),
    }
}

/// What `deadlocks` tells of the same locks.
fn judged(judged: &Judged) -> String {
    let what = match judged.stall {
        true => "a stall",
        false => "a deadlock",
    };
    let remarks = judged.remarks.join("; ");
    let why = match judged.remarks.is_empty() {
        true => String::new(),
        false => format!(": {}", clean(&remarks)),
    };
    let (id, tier) = (&judged.id, judged.tier);
    format!("'locklens deadlocks' tells of {what} {id}, {tier}{why}")
}

fn edge(
    graph: &Graph,
    edge: &CycleEdge,
    happened: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let label = |ix: usize, object: Option<u32>| {
        let node = &graph.nodes[ix];
        let object = object.map_or(String::new(), |object| format!(" (object {object})"));
        format!("{} {}{object}", node.id, clean(&node.called))
    };
    let wants = match (happened, edge.after_wait) {
        (true, _) => "is blocked on",
        (false, true) => "waits, and will want again",
        (false, false) => "wants",
    };
    writeln!(out, "  {}", thread(&edge.thread))?;
    let known = match edge.known {
        Known::Exact => "exactly",
        Known::Stack => "from its call chain",
    };
    let holds = format!("holds {}, known {known}", label(edge.from, edge.holds));
    said(4, &holds, look, out)?;
    chain(&edge.outer, out)?;
    let wants = format!(
        "{wants} {}, {}, first at {}",
        label(edge.to, edge.wants),
        many(edge.count, "time"),
        time(edge.first)
    );
    said(4, &wants, look, out)?;
    chain(&edge.inner, out)
}

fn chain(frames: &[String], out: &mut dyn Write) -> io::Result<()> {
    if frames.is_empty() {
        return writeln!(out, "        (no call chain)");
    }
    for frame in frames.iter().take(FRAMES) {
        writeln!(out, "        {}", clean(&short_place(frame)))?;
    }
    match frames.len().saturating_sub(FRAMES) {
        0 => Ok(()),
        more => writeln!(out, "        … {}", many(more as u64, "more frame")),
    }
}

fn excluded(graph: &Graph, cycle: &Cycle) -> String {
    let Fate::Excluded(reasons) = &cycle.fate else {
        return String::new();
    };
    let reasons: Vec<_> = reasons.iter().map(|r| reason(graph, r)).collect();
    match reasons.is_empty() {
        true => "no choice of threads passes all tests".to_owned(),
        false => reasons.join("; "),
    }
}

fn reason(graph: &Graph, reason: &Reason) -> String {
    match reason {
        Reason::Shared => {
            "one of its locks was only held and wanted together with others".to_owned()
        }
        Reason::OneThread => "no two threads were seen at its edges".to_owned(),
        Reason::Gate { nodes, inferred } => {
            let names: Vec<_> = nodes
                .iter()
                .map(|&ix| clean(&graph.nodes[ix].name))
                .collect();
            let inferred = match inferred {
                true => " (taken to be one object: no other was seen)",
                false => "",
            };
            format!("held around all of it: {}{inferred}", names.join(", "))
        }
        Reason::Searched(why) => clean(&why.join("; ")),
        Reason::Order { inferred } => {
            let start = match inferred {
                true => "was started (who started it is inferred from who joined it)",
                false => "came to it",
            };
            format!("one thread was over before the other {start}")
        }
    }
}

fn order(same: &SameLock) -> String {
    let unknown = match (same.unknown, same.order) {
        (0, _) | (_, ObjectOrder::Unknown) => String::new(),
        (n, _) => format!("; of {} an object is not known", many(n, "nesting")),
    };
    let order = match same.order {
        ObjectOrder::Ordered => "its objects are always taken in the same order",
        ObjectOrder::Cyclic => "its objects are taken in rings",
        ObjectOrder::Unknown => {
            "in which order its objects are taken is not known from call chains"
        }
    };
    format!("{order}{unknown}")
}

fn summary(graph: &Graph, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for node in &graph.nodes {
        if let Some(kind) = kind(node) {
            let node = format!("node {} {}: {kind}", node.id, clean(&node.name));
            said(2, &node, look, out)?;
        }
    }
    let typed = graph.nodes.iter().filter(|node| !types(node).is_empty());
    let besides = match elsewhere(graph, model).len() as u64 {
        0 => String::new(),
        n => format!(", {} besides", many(n, "deadlock")),
    };
    let counts = format!(
        "{}, {}, {} not excluded{besides}",
        many(typed.count() as u64, "lock"),
        many(graph.edges.len() as u64, "edge"),
        many(graph.cycles.len() as u64, "cycle")
    );
    said(0, &counts, look, out)?;
    limits(graph, look, out)?;
    if let Some(what) = left_out(model) {
        said(2, &what, look, out)?;
    }
    let recording = &model.recording;
    for note in missing(recording).into_iter().chain(damage(recording)) {
        said(0, &note, look, out)?;
    }
    Ok(())
}

fn cut(chains: u64) -> &'static str {
    match chains {
        1 => "was cut: what is held further out is not seen (--stack-depth)",
        _ => "were cut: what is held further out is not seen (--stack-depth)",
    }
}

fn limits(graph: &Graph, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let limits = &graph.limits;
    let (chain, cut) = match (graph.exact, limits.cut_chains) {
        // A probe tells its own place; what is held is known from enter and exit.
        (true, _) => (
            "site",
            "told without callers: what code that was not rewritten holds around it is not seen",
        ),
        (false, n) => ("call chain", cut(n)),
    };
    let all = [
        (limits.cut_chains, chain, cut),
        (
            limits.unread_methods,
            "method",
            "on call chains could not be read: blocks there are not seen",
        ),
        (
            limits.without_chain,
            "time",
            "a lock was acquired or waited on without a call chain",
        ),
        (
            limits.forgotten,
            "time",
            "what a thread held was forgotten, since events are missing",
        ),
        (
            limits.left_out,
            "nesting",
            "found no room in the search for cycles",
        ),
    ];
    for (number, thing, what) in all.iter().filter(|one| one.0 > 0) {
        said(2, &format!("{} {what}", many(*number, thing)), look, out)?;
    }
    match limits.bounded {
        true => said(
            2,
            "there may be more cycles: the search has a bound, and met it",
            look,
            out,
        ),
        false => Ok(()),
    }
}
