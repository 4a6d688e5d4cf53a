//! A finding that was judged again: what became of it, and why.

use super::json::finding;
use super::{SCHEMA, headline, text};
use crate::Look;
use crate::text::{Paint, clean, folded};
use locklens_inference::deadlock::confirm::{Confirmed, Verdict};
use locklens_inference::deadlock::finding::{Finding, Tier};
use serde_json::json as value;
use std::io::{self, Write};

/// Writes it for people.
///
/// # Errors
/// When `out` fails.
pub fn confirmed(confirmed: &Confirmed, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let id = clean(&confirmed.finding.id);
    let line = format!("{id}: {} → {}", confirmed.before.name(), outcome(confirmed));
    writeln!(out, "{}", Paint::Bold.on(&line, look))?;
    for sentence in &confirmed.why {
        writeln!(out, "  {}", folded(&clean(sentence), 4, look.width))?;
    }
    writeln!(out)?;
    let finding = Finding {
        remarks: Vec::new(),
        ..confirmed.finding.clone()
    };
    text::one(&finding, None, look, out)?;
    for sentence in &confirmed.notes {
        writeln!(out, "{}", folded(&clean(sentence), 2, look.width))?;
    }
    Ok(())
}

fn outcome(confirmed: &Confirmed) -> String {
    let tier = confirmed.finding.tier.name();
    match confirmed.verdict {
        Verdict::Happened => format!("{tier}, it happened in the second run"),
        Verdict::ProvedAsRecorded if confirmed.finding.tier == Tier::T3 => {
            "T1 relative to what was recorded, ranked with T3".to_owned()
        }
        Verdict::ProvedAsRecorded => format!("{tier}, and T1 relative to what was recorded"),
        Verdict::Stands => format!("{tier}, it stands"),
        Verdict::OrderedInThisRun => format!("{tier}, it stands: ordered in this run"),
        Verdict::ExcludedInThisRun => format!("{tier}, it stands: excluded in this run"),
        Verdict::NotSeen => format!("{tier}, it stands: not seen again"),
    }
}

/// Writes it as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn confirmed_json(confirmed: &Confirmed, out: &mut dyn Write) -> io::Result<()> {
    let document = value!({
        "schema": SCHEMA,
        "id": confirmed.finding.id,
        "before": confirmed.before.name(),
        "after": confirmed.finding.tier.name(),
        "verdict": confirmed.verdict.name(),
        "seen_again": confirmed.verdict != Verdict::NotSeen,
        "headline": headline(&confirmed.finding),
        "why": confirmed.why,
        "notes": confirmed.notes,
        "deadlock": finding(&confirmed.finding, None),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}
