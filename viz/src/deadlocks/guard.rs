//! What a guard tells while a program runs: a line for each new cycle and dependency, of text or JSON, and the end.

use super::json::{SCHEMA, finding};
use super::{headline, text::place, text::text, thread};
use crate::Look;
use crate::text::{clean, count, folded, many};
use locklens_inference::deadlock::finding::{Finding, Kind, Part, Report, Tier, What};
use locklens_inference::deadlock::merged::Nesting;
use locklens_trace::record::target_key as key;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A new cycle on one line: which, how sure, and each thread with what it holds and wants, where. One that is better
/// proved than `before` says so.
///
/// # Errors
/// When `out` fails.
pub fn cycle(finding: &Finding, before: Option<Tier>, out: &mut dyn Write) -> io::Result<()> {
    let what = match before {
        None => "new cycle".to_owned(),
        Some(before) => format!("better proved than {}", before.name()),
    };
    let parts = finding.edges.iter().enumerate();
    let parts: Vec<_> = parts.map(|(at, edge)| part(finding, at, edge)).collect();
    writeln!(out, "{what}: {}; {}", headline(finding), parts.join("; "))
}

fn part(finding: &Finding, at: usize, edge: &Part) -> String {
    let held = &finding.locks[at % finding.locks.len()];
    let wanted = &finding.locks[(at + 1) % finding.locks.len()];
    let holds = match held.what {
        What::Lock if finding.kind != Kind::UnservedWaiter => {
            format!(" holds {} at{},", clean(&held.name), place(&edge.holds_at))
        }
        _ => String::new(),
    };
    format!(
        "{}{holds} wants {} at{}",
        thread(&edge.thread),
        clean(&wanted.name),
        place(&edge.wants_at)
    )
}

/// The same for programs: the fields of a finding in `deadlocks --json`, on one line.
///
/// # Errors
/// When `out` fails.
pub fn cycle_json(one: &Finding, before: Option<Tier>, out: &mut dyn Write) -> io::Result<()> {
    let mut told = value!({
        "schema": SCHEMA,
        "event": "cycle",
        "tier_before": before.map(Tier::name),
    });
    if let (Some(told), Value::Object(fields)) = (told.as_object_mut(), finding(one, None)) {
        told.extend(fields);
    }
    line(&told, out)
}

/// A new dependency: a thread took a lock while it held others.
///
/// # Errors
/// When `out` fails.
pub fn dependency(nesting: &Nesting, out: &mut dyn Write) -> io::Result<()> {
    let holds: Vec<String> = nesting.holds().map(clean).collect();
    let part = nesting.part();
    writeln!(
        out,
        "new dependency: {} → {}; {} at{}",
        holds.join(" + "),
        clean(nesting.wants()),
        thread(&part.thread),
        place(&part.wants_at)
    )
}

/// The same for programs.
///
/// # Errors
/// When `out` fails.
pub fn dependency_json(nesting: &Nesting, out: &mut dyn Write) -> io::Result<()> {
    let part = nesting.part();
    let told = value!({
        "schema": SCHEMA,
        "event": "dependency",
        "holds": nesting.holds().collect::<Vec<_>>(),
        "wants": nesting.wants(),
        "thread": part.thread.name,
        "tid": part.thread.tid,
        "holds_at": part.holds_at,
        "wants_at": part.wants_at,
    });
    line(&told, out)
}

/// What a guard says of itself: what, in words, and its key.
const BOUNDS: [(&str, &str); 4] = [
    (
        key::GUARD_LEFT_OUT,
        "found no room in its tables: stopped there (a larger --buffer has more)",
    ),
    (
        key::GUARD_PASSED,
        "between objects of a kind that has too many were looked past: the same few objects are followed everywhere",
    ),
    (
        key::GUARD_UNNAMED,
        "were not told, since a lock or place had no name yet; they are when they are seen again",
    ),
    (key::GUARD_LOST, ""),
];

/// Before everything else, where any of these was met.
const INCOMPLETE: &str =
    "not complete: not all that this program's locks did was followed, see the end";

/// All findings, and what was not looked at.
///
/// # Errors
/// When `out` fails.
pub fn end(
    report: &Report,
    facts: &BTreeMap<String, String>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bounds = bounds(facts);
    if !bounds.is_empty() {
        writeln!(out, "{}", folded(INCOMPLETE, 2, look.width))?;
    }
    text(report, look, out)?;
    for said in bounds {
        writeln!(out, "  {}", folded(&said, 4, look.width))?;
    }
    Ok(())
}

/// A sentence for each bound that was met.
fn bounds(facts: &BTreeMap<String, String>) -> Vec<String> {
    let number = |key: &str| facts.get(key)?.parse::<u64>().ok().filter(|n| *n > 0);
    let met = BOUNDS.iter().filter_map(|(key, words)| {
        let n = number(key)?;
        Some(match words.is_empty() {
            true => format!(
                "{} lost, since they came faster than they were read: what those threads held was forgotten each time",
                many(n, "event")
            ),
            false => format!("dependencies that {words}: seen {} times", count(n)),
        })
    });
    met.chain(old_code(facts)).collect()
}

/// Threads that were still in code from before it was rewritten when it was looked at last.
fn old_code(facts: &BTreeMap<String, String>) -> Option<String> {
    let mut looks = key::EXACT_OLD_CODE.iter().rev();
    let threads = looks.find_map(|key| facts.get(*key))?;
    let (count, names) = threads.split_once(": ")?;
    Some(format!(
        "in code from before it was rewritten, where nothing is told of them, are {}: {}",
        many(count.parse().ok()?, "thread"),
        clean(names)
    ))
}

/// The same for programs, on one line.
///
/// # Errors
/// When `out` fails.
pub fn end_json(
    report: &Report,
    facts: &BTreeMap<String, String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let number = |key: &str| facts.get(key).and_then(|fact| fact.parse::<u64>().ok());
    let of = |tier: &Tier| report.findings.iter().filter(|f| f.tier == *tier).count();
    let tiers = Tier::ALL
        .iter()
        .map(|tier| (tier.name().to_owned(), Value::from(of(tier))));
    let told = value!({
        "schema": SCHEMA,
        "event": "end",
        "cycles": report.findings.len(),
        "tiers": Value::Object(tiers.collect()),
        "excluded": report.excluded.len(),
        "dependencies": report.facts.dependencies,
        "locks": report.facts.locks,
        "threads": report.facts.threads,
        "left_out": number(key::GUARD_LEFT_OUT),
        "looked_past": number(key::GUARD_PASSED),
        "unnamed": number(key::GUARD_UNNAMED),
        "complete": number(key::GUARD_LOST).map(|_| bounds(facts).is_empty()),
        "lost": number(key::GUARD_LOST),
        "stopped_after": report.stopped_after,
        "notes": report.notes,
    });
    line(&told, out)
}

fn line(told: &Value, out: &mut dyn Write) -> io::Result<()> {
    crate::json::compact(told, out)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bounds_that_were_met_are_told() {
        let facts = |n: &str| BTreeMap::from([(key::GUARD_LOST.to_owned(), n.to_owned())]);
        assert!(bounds(&facts("0")).is_empty() && bounds(&facts("?")).is_empty());
        assert!(bounds(&facts("7"))[0].starts_with("7 events lost"));
    }

    #[test]
    fn who_ran_old_code_when_it_was_looked_at_last_is_told() {
        let said = |looks: &[(usize, &str)]| {
            let facts = looks
                .iter()
                .map(|&(at, said)| (key::EXACT_OLD_CODE[at].to_owned(), said.to_owned()));
            bounds(&facts.collect())
        };
        let told = said(&[(0, "0"), (3, "2: x in run, y in run")]);
        assert!(told[0].ends_with("are 2 threads: x in run, y in run"));
        assert!(
            said(&[(0, "1: x in run"), (3, "0")]).is_empty(),
            "it has left"
        );
    }

    #[test]
    fn what_is_not_complete_says_so_first() {
        let said = |n: &str| {
            let facts = BTreeMap::from([(key::GUARD_PASSED.to_owned(), n.to_owned())]);
            let (mut out, look) = (Vec::new(), Look::default());
            end(&Report::default(), &facts, look, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(said("3").starts_with("not complete: "));
        assert!(!said("0").contains("not complete"));
    }
}
