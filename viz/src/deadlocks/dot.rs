//! Potential deadlocks in the language of Graphviz: locks as boxes, threads as the arrows from what they hold to what
//! they want.

use super::{headline, thread};
use crate::text::{clean, short_place};
use locklens_inference::deadlock::finding::{Finding, Report, Tier, What};
use std::io::{self, Write};

const RED: &str = "#c62828";
const INK: &str = "#37474f";

/// Writes the cycles for `dot`.
///
/// # Errors
/// When `out` fails.
pub fn dot(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph locks {{")?;
    writeln!(
        out,
        "  graph [fontname=\"Helvetica\", fontsize=11, fontcolor=\"{INK}\"];"
    )?;
    writeln!(
        out,
        "  node [shape=box, fontname=\"Helvetica\", fontsize=11, color=\"{INK}\"];"
    )?;
    writeln!(
        out,
        "  edge [fontname=\"Helvetica\", fontsize=9, color=\"{INK}\", fontcolor=\"{INK}\"];"
    )?;
    let stood = report.stood.iter().flat_map(|stood| &stood.findings);
    for (number, finding) in stood.chain(&report.findings).enumerate() {
        cycle(number, finding, out)?;
    }
    writeln!(out, "}}")
}

fn cycle(number: usize, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  subgraph cluster_{number} {{")?;
    writeln!(out, "    label={};", quoted(&headline(finding)))?;
    for (at, lock) in finding.locks.iter().enumerate() {
        let shape = match lock.what {
            What::Lock | What::Release => "box",
            What::Notify | What::End | What::Turn | What::Init => "ellipse",
        };
        let label = format!("{}\n{} {}", lock.name, lock.types, lock.mode);
        writeln!(
            out,
            "    n{number}_{at} [shape={shape}, label={}];",
            quoted(&label)
        )?;
    }
    let colour = if finding.tier <= Tier::T3 { RED } else { INK };
    for (at, edge) in finding.edges.iter().enumerate() {
        let [from, to] = [at, at + 1].map(|at| at % finding.locks.len());
        let place = edge
            .wants_at
            .first()
            .map_or(String::new(), |frame| short_place(frame));
        let label = format!("{}\n{} {place}", thread(&edge.thread), edge.mode);
        let style = if edge.timed { "dashed" } else { "solid" };
        writeln!(
            out,
            "    n{number}_{from} -> n{number}_{to} [color=\"{colour}\", style={style}, label={}];",
            quoted(&label)
        )?;
    }
    writeln!(out, "  }}")
}

/// A text of any letters between quotes, with its line breaks.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(clean).collect();
    let escaped = lines.join("\n").replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}
