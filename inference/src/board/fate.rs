//! Which threads nobody frees any more: what the JVM said when it was asked, and when it is worth asking.
//!
//! What is blocked and by whom, as events tell it, is no proof: who was named may have let go since. So the JVM is asked for
//! thread dumps, and [`hang`](crate::hang) lays them together. A ring of owners is complete when the last of its threads begins to
//! be blocked: to ask again is of use only once another thread has been blocked for long.

use super::view::Ring;
use crate::catalog::{Catalog, unnamed};
use crate::deadlock::finding::{Finding, Report, Tier};
use crate::nesting::graph::ThreadName;
use locklens_trace::{Event, EventKind, Nanos, ThreadId};
use std::collections::BTreeSet;

/// Who has been blocked for long, and since when.
type Long = BTreeSet<(ThreadId, Nanos)>;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Fate {
    /// Who was when the JVM was asked last.
    asked: Long,
    stuck: Vec<Finding>,
}

impl Fate {
    /// Two have to be blocked to be so on each other.
    pub(super) fn is_suspicious(&self, long: &Long) -> bool {
        long.len() > 1 && !long.is_subset(&self.asked)
    }

    pub(super) fn asks(&mut self, long: Long) {
        self.asked = long;
    }

    /// Only what is certain counts.
    pub(super) fn answered(&mut self, report: Option<Report>) {
        let Some(report) = report else {
            return self.asked.clear();
        };
        let found = report.findings.into_iter();
        self.stuck = found.filter(|finding| finding.tier == Tier::T0).collect();
    }

    /// Who goes on was not stuck, whatever the JVM said. What began before it was asked may be told after.
    pub(super) fn see(&mut self, event: &Event, catalog: &Catalog) {
        if self.stuck.is_empty() || matches!(event.kind, EventKind::Enter) {
            return;
        }
        let tid = catalog.threads.get(&event.thread).map(|def| def.tid);
        let is_it = |finding: &Finding| {
            let mut edges = finding.edges.iter();
            edges.any(|edge| edge.thread.tid.is_some() && edge.thread.tid == tid)
        };
        self.stuck.retain(|finding| !is_it(finding));
    }

    /// Of rings that are no more than likely those of whose threads nothing certain is known.
    pub(super) fn untold(&self, mut rings: Vec<Ring>) -> Vec<Ring> {
        let edges = self.stuck.iter().flat_map(|finding| &finding.edges);
        let name = |thread: &ThreadName| match (thread.name.as_str(), thread.tid) {
            ("", Some(tid)) => unnamed(tid),
            (name, _) => name.to_owned(),
        };
        let told: BTreeSet<String> = edges.map(|edge| name(&edge.thread)).collect();
        rings.retain(|ring| !ring.threads.iter().any(|name| told.contains(name)));
        rings
    }

    pub(super) fn stuck(&self) -> &[Finding] {
        &self.stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(tier: Tier) -> Finding {
        let dump = |at: u32| {
            let text = format!(
                "2026-01-0{at} 10:00:00\nFull thread dump X (17 mixed mode):\n\n{}{}\nJNI global refs: 1\n",
                thread("a", "0x01", "0x02"),
                thread("b", "0x02", "0x01")
            );
            crate::sample::dump::Dumps::read(&text).dumps.remove(0)
        };
        let dumps = [dump(1), dump(2)];
        let evidence = crate::hang::Evidence {
            dumps: &dumps,
            ..crate::hang::Evidence::default()
        };
        let finding = crate::hang::explain(&evidence).findings.remove(0);
        Finding { tier, ..finding }
    }

    fn thread(name: &str, holds: &str, wants: &str) -> String {
        let number = if name == "a" { 1 } else { 2 };
        format!(
            "\"{name}\" #{number} prio=5 os_prio=0 tid=0x0{number} nid=0x1 waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat app.X.run(X.java:1)\n\t- waiting to lock <{wants}> (a app.X)\n\t- locked <{holds}> (a app.X)\n\n"
        )
    }

    fn told(tiers: &[Tier]) -> Fate {
        let mut fate = Fate::default();
        fate.answered(Some(Report {
            findings: tiers.iter().map(|&tier| finding(tier)).collect(),
            ..Report::default()
        }));
        fate
    }

    #[test]
    fn only_what_is_certain_is_told() {
        assert_eq!(finding(Tier::T0), finding(Tier::T0));
        assert_eq!(told(&[Tier::T0, Tier::T4, Tier::T5]).stuck().len(), 1);
    }

    #[test]
    fn what_is_certain_is_not_told_as_likely_too() {
        let ring = |names: [&str; 2]| Ring {
            threads: names.map(str::to_owned).into(),
            time: Nanos(0),
        };
        let rings = vec![ring(["a", "b"]), ring(["c", "d"])];
        assert_eq!(told(&[Tier::T0]).untold(rings), [ring(["c", "d"])]);
    }

    #[test]
    fn it_is_asked_again_when_somebody_else_stays_blocked_or_nobody_answered() {
        let long = |threads: &[u32]| -> Long {
            let threads = threads.iter();
            threads.map(|&id| (ThreadId(id), Nanos(0))).collect()
        };
        let mut fate = Fate::default();
        assert!(!fate.is_suspicious(&long(&[1])), "one alone");
        assert!(fate.is_suspicious(&long(&[1, 2])));
        fate.asks(long(&[1, 2]));
        assert!(!fate.is_suspicious(&long(&[1, 2])));
        assert!(fate.is_suspicious(&long(&[2, 3])));
        fate.answered(None);
        assert!(fate.is_suspicious(&long(&[1, 2])));
    }

    #[test]
    fn who_goes_on_was_not_stuck() {
        let mut build = crate::fixtures::Build::default();
        let thread = build.thread("a");
        let tid = build.catalog.threads[&thread].tid;
        let mut fate = told(&[Tier::T0]);
        fate.stuck[0].edges[0].thread.tid = Some(tid);
        let event = |kind| crate::fixtures::event(1, thread, kind, locklens_trace::LockId(1));
        fate.see(&event(EventKind::Enter), &build.catalog);
        assert_eq!(fate.stuck().len(), 1);
        fate.see(&event(EventKind::Entered), &build.catalog);
        assert!(fate.stuck().is_empty());
    }
}
