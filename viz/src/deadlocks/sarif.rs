//! Potential deadlocks as SARIF 2.1.0, which sites that host code show beside the lines they are about.

use super::{headline, meaning, ruled_out_by, thread};
use crate::export::harmless;
use locklens_inference::deadlock::finding::{Finding, Kind, Part, Report, Tier};
use serde_json::{Value, json as value};
use std::io::{self, Write};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the report as one SARIF document.
///
/// # Errors
/// When `out` fails.
pub fn sarif(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let stood = report.stood.as_deref();
    let results: Vec<_> = { stood.into_iter().chain([report]) }
        .flat_map(|report| report.findings.iter().map(|one| result(one, report)))
        .collect();
    let document = value!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "locklens", "rules": Kind::ALL.map(rule)}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    crate::json::pretty(&document, out)?;
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

/// The same with names that no viewer takes for anything else, and of a length that it can show.
fn tamed(finding: &Finding) -> Finding {
    let mut tamed = finding.clone();
    for lock in &mut tamed.locks {
        lock.name = harmless(&lock.name);
    }
    let others = tamed.others.iter_mut().flat_map(|other| &mut other.edges);
    for edge in tamed.edges.iter_mut().chain(others) {
        edge.thread.name = harmless(&edge.thread.name);
        let also = edge.also_at.iter_mut();
        let also = also.flat_map(|also| [&mut also.holds_at, &mut also.wants_at]);
        let chains = [&mut edge.holds_at, &mut edge.wants_at]
            .into_iter()
            .chain(also);
        for frame in chains.flatten() {
            *frame = harmless(frame);
        }
    }
    tamed
}

/// Plain text of a message: in it `[…](…)` is a link, and `{0}` stands for something else.
fn plain(text: &str) -> String {
    text.replace("](", "] (")
        .replace('{', "{{")
        .replace('}', "}}")
}

fn result(finding: &Finding, report: &Report) -> Value {
    let finding = &tamed(finding);
    let level = match (finding.tier, finding.stall) {
        (Tier::T0 | Tier::T1, false) => "error",
        (Tier::T5, _) => "note",
        _ => "warning",
    };
    let others = finding.others.iter().flat_map(|other| &other.edges);
    let edges = finding.edges.iter().chain(others);
    let wanted = edges.clone().map(|edge| (&edge.wants_at, edge));
    let held = edges.clone().map(|edge| (&edge.holds_at, edge));
    let also = edges.flat_map(|edge| {
        let also = edge.also_at.iter();
        also.flat_map(move |also| [(&also.wants_at, edge), (&also.holds_at, edge)])
    });
    let known = held.chain(also).filter(|(chain, _)| !chain.is_empty());
    // Both may be on one line, and the schema has each place once.
    let mut places: Vec<Value> = Vec::new();
    for place in wanted
        .chain(known)
        .map(|(chain, edge)| location(chain, edge))
    {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let text = format!(
        "{}. {}. Would be ruled out by: {}.",
        headline(finding),
        meaning(finding, report.hang.as_ref()),
        ruled_out_by(finding, report.hang.as_ref())
    );
    value!({
        "ruleId": rule_id(finding.kind),
        "level": level,
        "message": {"text": plain(&text)},
        "locations": places.first().into_iter().collect::<Vec<_>>(),
        "relatedLocations": places.iter().skip(1).collect::<Vec<_>>(),
        "partialFingerprints": {"deadlock/v1": finding.id},
        "properties": {"tier": finding.tier.name(), "stall": finding.stall},
    })
}

/// Where a thread stands: a line of a file where the frame tells it, else the frame's name alone.
fn location(chain: &[String], edge: &Part) -> Value {
    let frame = chain.first().map_or("", String::as_str);
    let mut place = value!({
        "message": {"text": plain(&format!("thread {}", thread(&edge.thread)))},
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
    // Nothing that leads elsewhere than to a file below the sources.
    let is_plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let path = outer.replace('.', "/");
    let is_path = outer.split('.').all(is_plain);
    is_path.then(|| (format!("{}.java", percent_encoded(&path)), line))
}

/// A path as it stands in a URI.
fn percent_encoded(path: &str) -> String {
    let byte = |byte: u8| match byte.is_ascii() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::scene::{hostile, is_harmless};
    use locklens_inference::deadlock::finding::{Elsewhere, Memory, Resource, What};
    use locklens_inference::nesting::graph::ThreadName;
    use std::collections::BTreeSet;

    /// One finding where everything that has a name has this one.
    fn report(name: &str) -> Report {
        let lock = Resource {
            name: name.to_owned(),
            id: "3".to_owned(),
            types: "MUTEX".to_owned(),
            mode: "exclusive",
            what: What::Lock,
            object: None,
        };
        let place = |method: &str, line: u32| vec![format!("{name}.{method}:{line}")];
        let part = |tid: u64| Part {
            thread: ThreadName {
                name: name.to_owned(),
                tid: Some(tid),
            },
            holds_at: place("take", 4),
            wants_at: place("move", 12),
            wants_object: None,
            mode: "exclusive",
            count: 1,
            timed: false,
            also_at: vec![Elsewhere {
                holds_at: place("take", 4),
                wants_at: place("move", 14),
            }],
            also_holds: Vec::new(),
        };
        Report {
            findings: vec![Finding {
                id: "D0000000a".to_owned(),
                tier: Tier::T3,
                kind: Kind::Order,
                stall: false,
                locks: vec![lock.clone(), lock],
                edges: vec![part(12), part(13)],
                patterns: 1,
                others: Vec::new(),
                alike: 1,
                numbered: 0,
                unserved: None,
                memory: Memory::Unjudged,
                remarks: Vec::new(),
            }],
            ..Report::default()
        }
    }

    fn texts(value: &Value) -> Vec<&str> {
        match value {
            Value::String(text) => vec![text],
            Value::Array(all) => all.iter().flat_map(texts).collect(),
            Value::Object(all) => all.values().flat_map(texts).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn names_do_no_harm() {
        let mut names = hostile();
        names.extend(
            [
                "..",
                "/etc",
                "//evil.example/x",
                "a..b",
                "javascript:alert(1)",
            ]
            .map(str::to_owned),
        );
        for name in names {
            let mut out = Vec::new();
            sarif(&report(&name), &mut out).unwrap();
            let read: Value = serde_json::from_slice(&out).unwrap();
            let result = &read["runs"][0]["results"][0];
            for text in texts(&read) {
                assert!(is_harmless(text), "{name:.40}: {text:?}");
            }
            let places = ["locations", "relatedLocations"].map(|key| result[key].as_array());
            let places: Vec<&Value> = places.into_iter().flatten().flatten().collect();
            // Of a very long name the end is cut off, and with it the line.
            let most = if name.len() < 100 { 6 } else { places.len() };
            assert_eq!(places.len(), most, "{name:.40}");
            let distinct: BTreeSet<String> = places.iter().map(|p| p.to_string()).collect();
            assert_eq!(distinct.len(), places.len(), "{name:.40}");
            let messages = places.iter().map(|place| &place["message"]["text"]);
            for text in messages.chain([&result["message"]["text"]]) {
                let text = text.as_str().unwrap();
                let rest = text.replace("{{", "").replace("}}", "");
                assert!(
                    !rest.contains(['{', '}']) && !text.contains("]("),
                    "{text:?}"
                );
            }
            for place in places {
                let uri = &place["physicalLocation"]["artifactLocation"]["uri"];
                let uri = uri.as_str().unwrap_or("a.java");
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._%".contains(c);
                assert!(
                    uri.chars().all(is_plain) && !uri.starts_with('/'),
                    "{uri:?}"
                );
                assert!(!uri.contains("//") && !uri.contains(".."), "{uri:?}");
            }
        }
    }

    #[test]
    fn a_frame_tells_its_file() {
        assert_eq!(source("a.b.C$D.run:12"), Some(("a/b/C.java".into(), 12)));
        assert_eq!(source("Main.main:3"), Some(("Main.java".into(), 3)));
        assert_eq!(source("a.\u{e4}.run:3"), Some(("a/%C3%A4.java".into(), 3)));
        for other in [
            "12",
            "a.b.C.run",
            "C.run:0",
            "<method 3>:1",
            ".run:1",
            "..C.run:1",
            "a..C.run:1",
        ] {
            assert_eq!(source(other), None, "{other}");
        }
    }
}
