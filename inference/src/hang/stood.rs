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
pub(crate) fn stood(collected: &Collected) -> Option<Report> {
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
/// wait that the dumps explain. Of two suspicions that is the one of the events, whose locks have the names of the report.
pub fn settle(report: &mut Report) {
    let Some(stood) = &mut report.stood else {
        return;
    };
    let is_better = |finding: &&Finding| finding.tier < Tier::T5;
    let explained: Vec<_> = { stood.findings.iter() }
        .filter(is_better)
        .map(threads)
        .collect();
    let is_weak = |finding: &Finding| finding.tier == Tier::T5 && finding.unserved.is_some();
    report.findings.retain(|finding| {
        let threads = threads(finding);
        !(is_weak(finding) && explained.iter().any(|all| threads.is_subset(all)))
    });
    let told: Vec<_> = { report.findings.iter() }
        .filter(|finding| finding.tier == Tier::T0 || is_weak(finding))
        .map(|finding| (finding.tier, threads(finding)))
        .collect();
    let before = stood.findings.len();
    stood.findings.retain(|finding| {
        let all = threads(finding);
        let same = |(tier, threads): &(Tier, BTreeSet<&ThreadName>)| {
            *tier <= finding.tier && threads.is_subset(&all)
        };
        // That it may hold now is no more than that it can.
        let suspected = |told: &Finding| {
            finding.tier > Tier::T0 && told.id == finding.id && told.tier <= finding.tier
        };
        !told.iter().any(same) && !report.findings.iter().any(suspected)
    });
    stood.untold = (before - stood.findings.len()) as u64;
}

fn threads(finding: &Finding) -> BTreeSet<&ThreadName> {
    finding.edges.iter().map(|edge| &edge.thread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::finding::{Kind, Memory, Part};
    use crate::deadlock::waits::Unserved;

    fn finding(tier: Tier, unserved: Option<Unserved>, threads: &[&str]) -> Finding {
        let thread = |name: &&str| ThreadName {
            name: (*name).to_owned(),
            tid: Some(1),
        };
        let edges = threads
            .iter()
            .map(|name| Part::wanting(thread(name), Vec::new()));
        Finding {
            id: threads.concat(),
            tier,
            kind: Kind::Mixed,
            stall: false,
            locks: Vec::new(),
            edges: edges.collect(),
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        }
    }

    fn settled(events: Finding, dumps: Finding) -> (usize, usize) {
        let stood = Report {
            findings: vec![dumps],
            ..Report::default()
        };
        let mut report = Report {
            findings: vec![events],
            stood: Some(Box::new(stood)),
            ..Report::default()
        };
        settle(&mut report);
        let stood = report.stood.map_or(0, |stood| stood.findings.len());
        (report.findings.len(), stood)
    }

    #[test]
    fn what_is_told_better_is_told_once() {
        let kept_out = || finding(Tier::T5, Some(Unserved::KeptOut), &["a"]);
        let ring = |tier, threads: &[&str]| finding(tier, None, threads);
        assert_eq!(settled(kept_out(), ring(Tier::T0, &["a", "b"])), (0, 1));
        assert_eq!(settled(kept_out(), ring(Tier::T5, &["a", "b"])), (1, 0));
        assert_eq!(settled(kept_out(), ring(Tier::T0, &["b", "c"])), (1, 1));
        let happened = || ring(Tier::T0, &["a", "b"]);
        assert_eq!(settled(happened(), happened()), (1, 0));
        // What could have happened is another thing than what did.
        assert_eq!(settled(ring(Tier::T3, &["a", "b"]), happened()), (1, 1));
        let suspected = || ring(Tier::T4, &["a", "b"]);
        assert_eq!(settled(ring(Tier::T3, &["a", "b"]), suspected()), (1, 0));
        assert_eq!(settled(suspected(), suspected()), (1, 0));
        assert_eq!(settled(ring(Tier::T4, &["a", "c"]), suspected()), (1, 1));
    }
}
