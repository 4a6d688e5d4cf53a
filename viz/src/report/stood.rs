//! How threads stood when the recording was over, by the thread dumps that it has: hangs of which events do not tell.

use crate::Look;
use crate::deadlocks::{brief, standing};
use crate::text::{Paint, folded, many};
use locklens_inference::deadlock::finding::{Finding, Report, Tier};
use locklens_inference::model::Model;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Hangs told at the top of a report.
const MOST: usize = 4;

/// Tells them, and where nobody goes on, of which they are not sure that it is a deadlock.
pub(super) fn stood(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let Some((report, hang)) =
        { model.stood.as_deref() }.and_then(|report| Some((report, report.hang.as_ref()?)))
    else {
        return Ok(());
    };
    let all = news(model, report);
    for finding in all.iter().take(MOST) {
        brief(finding, hang, look, out)?;
    }
    if all.len() > MOST {
        writeln!(out, "… and {} more", all.len() - MOST)?;
    }
    let still =
        all.is_empty() && model.deadlocks.is_empty() && hang.still && !hang.standing.is_empty();
    if still {
        let kind = match hang.virtual_threads {
            Some(_) => "thread",
            None => "platform thread",
        };
        let title = format!(
            "No {kind} of the program went on at the end ({}, {} of the JVM):",
            many(hang.threads, "thread"),
            many(hang.dumps, "dump")
        );
        let title = folded(&title, 2, look.width);
        writeln!(out, "{}", Paint::Bold.on(&title, look))?;
        standing(hang, look, out)?;
    }
    match still || !all.is_empty() {
        true => writeln!(
            out,
            "`locklens deadlocks FILE` tells more, with call chains.\n"
        ),
        false => Ok(()),
    }
}

/// Those that are likely at least, and that the events do not tell.
fn news<'m>(model: &Model, report: &'m Report) -> Vec<&'m Finding> {
    let rings = model.deadlocks.iter().map(|ring| {
        let threads = ring.threads.iter();
        threads
            .map(|stuck| (stuck.thread.as_str(), stuck.tid))
            .collect()
    });
    let rings: Vec<BTreeSet<_>> = rings.collect();
    let is_told = |finding: &Finding| {
        let edges = finding.edges.iter().map(|edge| &edge.thread);
        let all: BTreeSet<_> = edges.map(|one| (one.name.as_str(), one.tid)).collect();
        rings.iter().any(|ring| ring.is_subset(&all))
    };
    let all = report.findings.iter();
    all.filter(|finding| finding.tier <= Tier::T4 && !is_told(finding))
        .collect()
}
