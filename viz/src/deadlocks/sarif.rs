//! Potential deadlocks as SARIF 2.1.0, which sites that host code show beside the lines they are about.

use super::{headline, meaning, ruled_out_by, thread};
use locklens_inference::deadlock::finding::{Finding, Kind, Part, Report, Tier};
use serde_json::{Value, json as value};
use std::io::{self, Write};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the report as one SARIF document.
///
/// # Errors
/// When `out` fails.
pub fn sarif(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let document = value!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "locklens", "rules": Kind::ALL.map(rule)}},
            "columnKind": "unicodeCodePoints",
            "results": report.findings.iter().map(|finding| result(finding, report)).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn rule(kind: Kind) -> Value {
    let name = kind.name();
    value!({
        "id": rule_id(kind),
        "name": name,
        "shortDescription": {"text": format!("Potential deadlock ({name})")},
    })
}

fn rule_id(kind: Kind) -> String {
    format!("deadlock/{}", kind.name())
}

fn result(finding: &Finding, report: &Report) -> Value {
    let level = match (finding.tier, finding.stall) {
        (Tier::T0 | Tier::T1, false) => "error",
        (Tier::T5, _) => "note",
        _ => "warning",
    };
    let places: Vec<Value> = finding
        .edges
        .iter()
        .map(|edge| location(&edge.wants_at, edge))
        .collect();
    let held = finding
        .edges
        .iter()
        .filter(|edge| !edge.holds_at.is_empty());
    let held: Vec<Value> = held.map(|edge| location(&edge.holds_at, edge)).collect();
    let text = format!(
        "{}. {}. Would be ruled out by: {}.",
        headline(finding),
        meaning(finding, report.hang.as_ref()),
        ruled_out_by(finding, report.hang.as_ref())
    );
    value!({
        "ruleId": rule_id(finding.kind),
        "level": level,
        "message": {"text": text},
        "locations": places.first().into_iter().collect::<Vec<_>>(),
        "relatedLocations": places.iter().skip(1).chain(&held).collect::<Vec<_>>(),
        "partialFingerprints": {"deadlock/v1": finding.id},
        "properties": {"tier": finding.tier.name(), "stall": finding.stall},
    })
}

/// Where a thread stands: a line of a file where the frame tells it, else the frame's name alone.
fn location(chain: &[String], edge: &Part) -> Value {
    let frame = chain.first().map_or("", String::as_str);
    let mut place = value!({
        "message": {"text": format!("thread {}", thread(&edge.thread))},
        "logicalLocations": [{"fullyQualifiedName": frame}],
    });
    if let Some((file, line)) = source(frame) {
        place["physicalLocation"] = value!({
            "artifactLocation": {"uri": file, "uriBaseId": "SRCROOT"},
            "region": {"startLine": line},
        });
    }
    place
}

/// `a.b.C$D.run:12` is in `a/b/C.java`, line 12.
fn source(frame: &str) -> Option<(String, u32)> {
    let (method, line) = frame.rsplit_once(':')?;
    let line = line.parse().ok().filter(|&line| line > 0)?;
    let (class, _) = method.rsplit_once('.')?;
    let outer = class.split('$').next().filter(|name| !name.is_empty())?;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
    let path = outer.replace('.', "/");
    outer
        .chars()
        .all(plain)
        .then(|| (format!("{path}.java"), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_tells_its_file() {
        assert_eq!(source("a.b.C$D.run:12"), Some(("a/b/C.java".into(), 12)));
        assert_eq!(source("Main.main:3"), Some(("Main.java".into(), 3)));
        for other in ["12", "a.b.C.run", "C.run:0", "<method 3>:1", ".run:1"] {
            assert_eq!(source(other), None, "{other}");
        }
    }
}
