//! Deadlocks that the end of a recording leaves likely: rings of threads, each blocked for long on what the next one had when it
//! came there.
//!
//! Where the JVM ended before anybody looked again, who held what is known of the moment at which each thread began to block. One that
//! began later may have let go before, and somebody else may have it: only who came soon is taken to have held on.

use super::finding::{Finding, Report, Tier};
use super::lockouts::{LONG, SOON};
use super::watched::of_deadlock;
use crate::model::{Blockage, Deadlock, Holder, KnownBy, Model, Stuck};
use crate::stuck::rings;
use locklens_trace::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

const BEFORE: &str = "who held what is known of the moment at which each thread began to block there, more than a second before the recording ended";

impl Report {
    /// Adds them, but for threads of which it is known already that they are deadlocked.
    pub(super) fn add_likely(&mut self, model: &Model) {
        let happened = self.findings.iter().filter(|known| known.tier == Tier::T0);
        let edges = happened.flat_map(|known| &known.edges);
        let known: BTreeSet<Option<u64>> = edges.map(|edge| edge.thread.tid).collect();
        for ring in standing(model) {
            if ring.threads.iter().any(|stuck| known.contains(&stuck.tid)) {
                continue;
            }
            let mut finding = of_deadlock(model, &ring);
            finding.tier = Tier::T4;
            finding.remarks.push(BEFORE.to_owned());
            self.add_better(finding);
        }
    }

    /// What is known of the same locks by less goes.
    fn add_better(&mut self, finding: Finding) {
        self.excluded.retain(|excluded| excluded.id != finding.id);
        self.add(finding);
    }
}

/// The rings.
fn standing(model: &Model) -> Vec<Deadlock> {
    let long = |stuck: &Stuck| model.recording.lasts_since(stuck.since).0 >= LONG;
    let held: Vec<(u64, &Blockage)> = model.blockages.iter().filter_map(holder).collect();
    let mut stands: BTreeMap<ThreadId, Stuck> = BTreeMap::new();
    let mut next: BTreeMap<ThreadId, ThreadId> = BTreeMap::new();
    // Threads go by the order of their Java ids here: rings need some name for them.
    let tids = model.blockages.iter().flat_map(|one| &one.threads);
    let tids: BTreeSet<u64> = tids.filter_map(|stuck| stuck.tid).collect();
    let number = |tid: u64| {
        let at = tids.range(..tid).count();
        u32::try_from(at)
            .ok()
            .filter(|_| tids.contains(&tid))
            .map(ThreadId)
    };
    for (owner, blockage) in &held {
        for stuck in blockage.threads.iter().filter(|stuck| long(stuck)) {
            let (Some(blocked), Some(by)) = (stuck.tid.and_then(number), number(*owner)) else {
                continue;
            };
            next.insert(blocked, by);
            stands.insert(blocked, stuck.clone());
        }
    }
    let chains = held
        .iter()
        .filter_map(|(owner, blockage)| match &blockage.holder {
            Holder::Thread { chain, .. } => Some((number(*owner)?, chain.clone()?)),
            _ => None,
        });
    for (thread, chain) in chains {
        if let Some(stuck) = stands.get_mut(&thread) {
            stuck.chain.get_or_insert(chain);
        }
    }
    let ring = |ring: Vec<ThreadId>| Deadlock {
        threads: ring
            .iter()
            .filter_map(|thread| stands.get(thread).cloned())
            .collect(),
    };
    rings(&next).into_iter().map(ring).collect()
}

/// Who holds what others are blocked on, and is blocked himself.
fn holder(blockage: &Blockage) -> Option<(u64, &Blockage)> {
    let Holder::Thread {
        tid: Some(tid),
        known,
        ended: false,
        stand: Some(stand),
        ..
    } = &blockage.holder
    else {
        return None;
    };
    // The last who came named him.
    let named = blockage.threads.last()?.since;
    let late = *known == KnownBy::Beginning && stand.at.since.since(named).0 > SOON;
    (!stand.waits && !late).then_some((*tid, blockage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use crate::collect::Collector;
    use crate::fixtures::{Build, event};
    use crate::model::Options;
    use locklens_trace::record::Owner;
    use locklens_trace::{Event, EventKind, Record};

    /// What is found where "one" and "two" are blocked on what the other one had when they came, "two" since so many microseconds.
    fn found(since: u64) -> Vec<Tier> {
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let [one, two, three] = ["one", "two", "three"].map(|name| build.thread(name));
        let [a, b] = [build.lock(class), build.lock(class)];
        let enter = |at, thread, lock, owner| Event {
            owner: Owner::Thread(owner),
            ..event(at, thread, EventKind::Enter, lock)
        };
        let events = [
            enter(100_000, one, a, two),
            enter(since, two, b, one),
            event(2_000_000, three, EventKind::ThreadEnd, a),
        ];
        let mut collector = Collector::of_piece(Options::default(), build.catalog);
        for event in events {
            collector.push(Record::Event(event));
        }
        let model = Analysis::of(&collector.finish(), &Options::default()).model;
        let mut report = Report::default();
        report.add_likely(&model);
        report.findings.iter().map(|finding| finding.tier).collect()
    }

    #[test]
    fn who_is_blocked_for_long_on_each_other_is_likely_deadlocked() {
        assert_eq!(found(100_200), [Tier::T4]);
        // He may have let go of the first before he came to the second.
        assert_eq!(found(400_000), []);
        assert_eq!(found(1_900_000), []);
    }
}
