//! A report held against an expectation.

use super::expectation::Expected;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How a lock came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Type, roles and parameters are right.
    Right,
    /// The type is right, a parameter or role is not.
    TypeOnly,
    /// Another type.
    Wrong,
    /// It does not appear in the report.
    Absent,
}

/// The outcome with what a reader needs to understand it.
pub(crate) struct Judged {
    pub(crate) outcome: Outcome,
    /// Types as reported.
    pub(crate) types: String,
    /// Confidence of the first type.
    pub(crate) confidence: f64,
    /// What differs.
    pub(crate) difference: String,
    /// Evidence from the code and from the events, log-odds of the first type.
    pub(crate) evidence: (f64, f64),
    /// Each type that it is was reported, or named as one that was considered.
    pub(crate) considered: bool,
}

/// Finds the expected lock in a report and compares.
pub(crate) fn judge(expected: &Expected, report: &Value) -> Judged {
    let locks = report["locks"].as_array().map_or(&[][..], Vec::as_slice);
    let candidates = locks.iter().filter(|l| is_it(expected, l));
    candidates
        .map(|lock| compare(expected, lock))
        .min_by_key(|judged| judged.outcome)
        .unwrap_or_else(absent)
}

fn absent() -> Judged {
    Judged {
        outcome: Outcome::Absent,
        types: "-".to_owned(),
        confidence: 0.0,
        difference: "not in the report".to_owned(),
        evidence: (0.0, 0.0),
        considered: false,
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn is_it(expected: &Expected, lock: &Value) -> bool {
    let class = strings(&lock["classes"]).contains(&expected.class.as_str());
    let methods: Vec<_> = array(&lock["regions"])
        .filter_map(|r| r["method"].as_str())
        .collect();
    class
        && expected
            .method
            .as_deref()
            .is_none_or(|m| methods.contains(&m))
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn compare(expected: &Expected, lock: &Value) -> Judged {
    let types: BTreeSet<_> = array(&lock["types"])
        .filter_map(|t| t["type"].as_str())
        .collect();
    let runners_up = array(&lock["runners_up"]).filter_map(|t| t["type"].as_str());
    let named: BTreeSet<_> = runners_up.chain(types.iter().copied()).collect();
    let first = &lock["types"][0];
    let mut judged = Judged {
        outcome: Outcome::Wrong,
        types: types.iter().copied().collect::<Vec<_>>().join("+"),
        confidence: first["confidence"].as_f64().unwrap_or(0.0),
        difference: String::new(),
        evidence: (
            first["evidence"]["static_log_odds"].as_f64().unwrap_or(0.0),
            first["evidence"]["dynamic_log_odds"]
                .as_f64()
                .unwrap_or(0.0),
        ),
        considered: expected.types.iter().all(|t| named.contains(t.as_str())),
    };
    if types
        .iter()
        .copied()
        .eq(expected.types.iter().map(String::as_str))
    {
        judged.difference = differences(expected, lock);
        judged.outcome = match judged.difference.is_empty() {
            true => Outcome::Right,
            false => Outcome::TypeOnly,
        };
    }
    judged
}

fn differences(expected: &Expected, lock: &Value) -> String {
    let mut found = Vec::new();
    for (key, want) in &expected.details {
        let got: Vec<_> = array(&lock["types"])
            .filter_map(|t| word(&t["detail"][key]))
            .collect();
        if !got.contains(want) {
            found.push(format!("{key}: {} is not {want}", got.join("/")));
        }
    }
    let stated: BTreeSet<_> = expected.roles.values().flatten().collect();
    let nothing = BTreeSet::new();
    let roles = roles(lock);
    for role in roles
        .keys()
        .chain(expected.roles.keys())
        .collect::<BTreeSet<_>>()
    {
        let want = expected.roles.get(role).unwrap_or(&nothing);
        let got = roles.get(role).unwrap_or(&nothing);
        // A region of which the subject states nothing may be reported as it likes.
        let got: BTreeSet<_> = got.iter().filter(|r| stated.contains(r)).collect();
        if !want.iter().eq(got.iter().copied()) {
            found.push(format!("{role}: {} is not {}", joined(got), joined(want)));
        }
    }
    found.join("; ")
}

fn joined<'a>(places: impl IntoIterator<Item = &'a String>) -> String {
    let places: Vec<_> = places.into_iter().map(String::as_str).collect();
    format!("[{}]", places.join(" "))
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(s) => Some(s.clone()),
        other => Some(other.to_string()),
    }
}

fn roles(lock: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let place = |id: &Value| {
        let region = array(&lock["regions"]).find(|r| r["id"] == *id)?;
        Some(format!(
            "{}.{}",
            region["class"].as_str()?,
            region["method"].as_str()?
        ))
    };
    let mut roles: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for verdict in array(&lock["types"]) {
        for (role, ids) in verdict["roles"].as_object().into_iter().flatten() {
            roles
                .entry(role.clone())
                .or_default()
                .extend(array(ids).filter_map(place));
        }
    }
    roles
}
