//! Potential deadlocks for programs. The schema is versioned: fields are added, never changed.

use super::{hang, headline, meaning, ruled_out_by};
use locklens_inference::deadlock::finding::{
    Elsewhere, Excluded, Finding, Kind, Memory, Other, Part, Report, Unserved, What,
};
use locklens_inference::hang::Hang;
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Version of the JSON.
pub const SCHEMA: u32 = 1;

/// Writes the report as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let stopped = match report.stopped_after.is_empty() {
        true => Value::Null,
        false => Value::from(report.stopped_after.join("; ")),
    };
    let facts = report.facts;
    let stood = report.stood.as_deref();
    let deadlocks: Vec<_> = { stood.into_iter().chain([report]) }
        .flat_map(|report| report.findings.iter().map(|one| of_report(report, one)))
        .collect();
    let mut document = value!({
        "schema": SCHEMA,
        "deadlocks": deadlocks,
        "excluded": report.excluded.iter().map(excluded).collect::<Vec<_>>(),
        "stopped_after": stopped,
        "notes": report.notes,
        "steps": facts.steps,
        "threads": facts.threads,
        "locks": facts.locks,
        "dependencies": facts.dependencies,
        "reads": facts.reads,
    });
    if let Some(standing) = report
        .hang
        .as_ref()
        .or(stood.and_then(|stood| stood.hang.as_ref()))
    {
        document["hang"] = hang::json(standing);
    }
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

/// How threads stood when a recording was over.
pub(crate) fn stood(report: &Report) -> Value {
    let all = report.findings.iter();
    value!({
        "deadlocks": all.map(|one| of_report(report, one)).collect::<Vec<_>>(),
        "hang": report.hang.as_ref().map(hang::json),
    })
}

fn of_report(report: &Report, one: &Finding) -> Value {
    let mut document = finding(one, report.hang.as_ref());
    let given = report.given.get(&one.id).into_iter().flatten();
    document["given_by"] = given.map(String::as_str).collect();
    document
}

pub(super) fn finding(finding: &Finding, hang: Option<&Hang>) -> Value {
    let threads = finding
        .edges
        .iter()
        .map(|edge| value!({"name": edge.thread.name, "tid": edge.thread.tid}));
    let edges = (0..)
        .zip(&finding.edges)
        .map(|(place, edge)| part(finding, hang.is_some(), place, edge));
    let mut document = value!({
        "id": finding.id,
        "tier": finding.tier.name(),
        "meaning": meaning(finding, hang),
        "kind": finding.kind.name(),
        "headline": headline(finding),
        "locks": locks(finding),
        "threads": threads.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "stall": finding.stall,
        "patterns": finding.patterns,
        "others": finding.others.iter().map(|one| other(finding, one)).collect::<Vec<_>>(),
        "alike": finding.alike,
        "numbered": finding.numbered,
        "unserved": finding.unserved.map(unserved),
        "memory": memory(finding.memory),
        "remarks": finding.remarks,
        "ruled_out_by": ruled_out_by(finding, hang),
    });
    if let Some(standing) = hang {
        document["behind"] = super::hang::behind_json(standing, &finding.id);
    }
    document
}

/// The same by other threads at other objects.
fn other(of: &Finding, other: &Other) -> Value {
    let finding = Finding {
        tier: other.tier,
        locks: other.locks.clone(),
        edges: other.edges.clone(),
        ..of.clone()
    };
    let edges = (0..).zip(&finding.edges);
    let edges = edges.map(|(place, edge)| part(&finding, false, place, edge));
    value!({
        "tier": finding.tier.name(),
        "locks": locks(&finding),
        "edges": edges.collect::<Vec<_>>(),
    })
}

fn memory(memory: Memory) -> Option<&'static str> {
    match memory {
        Memory::Unjudged => None,
        Memory::Permits => Some("permits"),
        Memory::Orders => Some("orders"),
    }
}

fn locks(finding: &Finding) -> Vec<Value> {
    let one = |lock: &locklens_inference::deadlock::finding::Resource| {
        value!({
            "id": lock.id,
            "name": lock.name,
            "type": lock.types,
            "mode": lock.mode,
            "object": lock.object,
            "wanted": match lock.what {
                What::Lock => "lock",
                What::Notify => "notify",
                What::End => "end",
                What::Turn => "turn",
                What::Init => "initialisation",
                What::Release => "release",
            },
        })
    };
    finding.locks.iter().map(one).collect()
}

/// `live`: it hangs now, and nobody has seen who is on his way to what.
fn part(finding: &Finding, live: bool, place: usize, edge: &Part) -> Value {
    let held = &finding.locks[place % finding.locks.len()];
    let wanted = &finding.locks[(place + 1) % finding.locks.len()];
    let holds = (finding.kind != Kind::UnservedWaiter).then_some(&held.name);
    let presumed = holds.is_some()
        && match held.what {
            What::Release => true,
            What::Notify => live,
            What::Lock | What::End | What::Turn | What::Init => false,
        };
    value!({
        "thread": edge.thread.name,
        "tid": edge.thread.tid,
        "holds": holds,
        "holds_presumed": presumed,
        "holds_mode": held.mode,
        "holds_at": edge.holds_at,
        "also_holds": edge.also_holds,
        "wants": wanted.name,
        "wants_mode": edge.mode,
        "wants_at": edge.wants_at,
        "wants_object": edge.wants_object.as_ref().or(wanted.object.as_ref()),
        "also_at": edge.also_at.iter().map(elsewhere).collect::<Vec<_>>(),
        "count": edge.count,
        "timed": edge.timed,
    })
}

fn elsewhere(also: &Elsewhere) -> Value {
    value!({"holds_at": also.holds_at, "wants_at": also.wants_at})
}

fn unserved(why: Unserved) -> &'static str {
    match why {
        Unserved::Lost | Unserved::Late => "lost-notification",
        Unserved::NotifierEnded => "notifier-ended",
        Unserved::NotifierWaits => "notifier-waits",
        Unserved::OtherRole => "other-role",
        Unserved::TwoRoles => "two-roles",
        Unserved::NoNotifier => "no-notifier",
        Unserved::KeptOut => "kept-out",
        Unserved::OwnerEnded => "owner-ended",
        Unserved::OwnerIdle => "owner-idle",
        Unserved::Starved => "starved",
        Unserved::HolderUnknown => "holder-unknown",
    }
}

fn excluded(excluded: &Excluded) -> Value {
    value!({
        "id": excluded.id,
        "locks": excluded.locks,
        "reasons": excluded.reasons,
    })
}
