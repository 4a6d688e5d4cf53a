//! A finding that was judged again: what became of it, and why.

use super::json::finding;
use super::{SCHEMA, headline, text};
use crate::Look;
use crate::text::{Paint, clean, folded};
use locklens_inference::deadlock::confirm::{Confirmed, Verdict};
use locklens_inference::deadlock::finding::Finding;
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
        Verdict::Proved => format!("{tier}, a run reaches it"),
        Verdict::ProvedAsRecorded => "T1 relative to what was recorded, ranked with T3".to_owned(),
        Verdict::Stands => format!("{tier}, neither proved nor excluded"),
        Verdict::Ordered => format!("{tier}, its threads are kept in order"),
        Verdict::Excluded => "excluded".to_owned(),
        Verdict::NotSeen => format!("{tier}, not seen again"),
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
        "after": after(confirmed),
        "verdict": confirmed.verdict.name(),
        "stands": confirmed.verdict.stands(),
        "headline": headline(&confirmed.finding),
        "why": confirmed.why,
        "notes": confirmed.notes,
        "deadlock": finding(&confirmed.finding, None),
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// The tier by the second recording; none if it cannot happen.
fn after(confirmed: &Confirmed) -> Option<&'static str> {
    let tier = confirmed.finding.tier.name();
    (confirmed.verdict != Verdict::Excluded).then_some(tier)
}
