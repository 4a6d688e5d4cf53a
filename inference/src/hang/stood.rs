//! How threads stood when a recording was over, by the dumps that the command had the JVM make then.

use super::{Evidence, Recorded, explain};
use crate::collect::Collected;
use crate::deadlock::finding::{Finding, Report, Tier};
use crate::nesting::graph::ThreadName;
use crate::sample::dump::{Dump, Dumps};
use std::collections::BTreeSet;

/// What the dumps were made of.
const SUBJECT: &str = "the JVM when the recording was over";

/// Explains them with what the recording has read of owners; none if it has no dumps.
#[must_use]
pub fn stood(collected: &Collected) -> Option<Report> {
    let texts = collected.dumps.iter();
    let dumps: Vec<Dump> = texts.flat_map(|text| Dumps::read(text).dumps).collect();
    if dumps.is_empty() {
        return None;
    }
    let recorded = Recorded::of_looks(collected);
    let mut report = explain(&Evidence {
        dumps: &dumps,
        recorded: Some(&recorded),
        ..Evidence::default()
    });
    if let Some(hang) = &mut report.hang {
        SUBJECT.clone_into(&mut hang.subject);
    }
    Some(report)
}

/// Of what both the events and the dumps tell, leaves what is told better: a deadlock that the events prove to have happened, a
/// wait that the dumps explain.
pub fn settle(report: &mut Report) {
    let Some(stood) = &mut report.stood else {
        return;
    };
    let happened: Vec<_> = { report.findings.iter() }
        .filter(|finding| finding.tier == Tier::T0)
        .map(threads)
        .collect();
    stood
        .findings
        .retain(|finding| !happened.contains(&threads(finding)));
    let explained: Vec<_> = stood.findings.iter().map(threads).collect();
    report.findings.retain(|finding| {
        let weak = finding.tier == Tier::T5 && finding.unserved.is_some();
        let threads = threads(finding);
        !(weak && explained.iter().any(|all| threads.is_subset(all)))
    });
}

fn threads(finding: &Finding) -> BTreeSet<&ThreadName> {
    finding.edges.iter().map(|edge| &edge.thread).collect()
}
