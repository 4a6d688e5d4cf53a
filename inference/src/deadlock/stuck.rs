//! What had happened when the trace ended: threads that wait for each other, and threads that nobody is left to notify.

use super::candidates::Node;
use super::finding::{Finding, Kind, Memory, Names, Part, Tier, first_by_name, stable_id};
use super::follow::{Held, State};
use super::part::{Writer, resource};
use super::scan::Scan;
use super::step::{Lock, Mode, Site, Thread};
use super::waits::Stranded;
use std::collections::{BTreeMap, BTreeSet};

const TOO_EARLY: &str = "the trace may end too early, or lack a thread that would notify";

/// All of it.
pub(super) fn happened(scan: &Scan, names: &dyn Names) -> Vec<Finding> {
    let writer = Writer { names };
    let rings = rings(scan).into_iter().map(|ring| writer.ring(scan, ring));
    let threads = &scan.follower.threads;
    let tier = match names.may_be_notified_unseen() {
        Some(true) => None,
        Some(false) => Some(Tier::T0),
        None if are_all_known(threads) => Some(Tier::T0),
        None => Some(Tier::T5),
    };
    let stranded = scan.waits.stranded(threads, |id| names.is_jvms_own(id));
    let told = stranded
        .iter()
        .filter(|stranded| !names.lock(stranded.lock).hidden);
    let told = told.filter_map(|stranded| Some(writer.stranded(stranded, tier?)));
    rings.chain(told).collect()
}

/// Whether no thread can be missing: all but one were seen to be started, so that further ones would be, too.
fn are_all_known(threads: &[State]) -> bool {
    let roots = threads
        .iter()
        .filter(|state| !state.is_unseen() && !state.was_forked);
    threads.len() > 1 && roots.count() <= 1
}

/// A blocked thread: what it wants and who holds it alone.
type Blocked = BTreeMap<Thread, (Lock, Option<Site>, Thread)>;

fn blocked(scan: &Scan) -> Blocked {
    let threads = || (0..).map(Thread).zip(&scan.follower.threads);
    let mut owners: BTreeMap<Lock, Thread> = BTreeMap::new();
    for (thread, state) in threads() {
        let alone = state
            .held
            .iter()
            .filter(|held| held.mode == Mode::Exclusive);
        owners.extend(alone.map(|held| (held.lock, thread)));
    }
    let wants = threads().filter_map(|(thread, state)| {
        let (lock, site) = state.pending?;
        let owner = owners.get(&lock).filter(|&&owner| owner != thread)?;
        Some((thread, (lock, site, *owner)))
    });
    wants.collect()
}

/// Threads around each ring, each blocked by the next.
fn rings(scan: &Scan) -> Vec<Vec<(Thread, Lock, Option<Site>)>> {
    let blocked = blocked(scan);
    let mut done: BTreeSet<Thread> = BTreeSet::new();
    let mut found = Vec::new();
    for &start in blocked.keys() {
        let mut walk: Vec<(Thread, Lock, Option<Site>)> = Vec::new();
        let mut thread = start;
        while let (true, Some(&(lock, site, owner))) = (done.insert(thread), blocked.get(&thread)) {
            walk.push((thread, lock, site));
            thread = owner;
        }
        if let Some(at) = walk.iter().position(|(walked, ..)| *walked == thread) {
            found.push(walk.split_off(at));
        }
    }
    found
}

impl Writer<'_> {
    fn ring(&self, scan: &Scan, mut ring: Vec<(Thread, Lock, Option<Site>)>) -> Finding {
        let wanted: Vec<String> = ring
            .iter()
            .map(|&(_, lock, _)| self.names.lock(lock).name)
            .collect();
        // What a thread holds of the ring is what the one before it wants.
        let by = (first_by_name(&wanted) + 1) % wanted.len();
        ring.rotate_left(by);
        let held = ring
            .iter()
            .cycle()
            .skip(ring.len() - 1)
            .map(|&(_, lock, _)| lock);
        let held: Vec<Lock> = held.take(ring.len()).collect();
        let parts = ring.iter().zip(&held).map(|(&(thread, _, site), &held)| {
            let state = &scan.follower.threads[thread.0 as usize];
            self.blocked(thread, held, site, &state.held)
        });
        let nodes: Vec<Node> = held.iter().map(|&lock| Node::Lock(lock)).collect();
        self.happened(&nodes, parts.collect())
    }

    fn blocked(&self, thread: Thread, lock: Lock, site: Option<Site>, held: &[Held]) -> Part {
        let at = held.iter().find(|h| h.lock == lock).and_then(|h| h.site);
        let besides = held.iter().filter(|h| h.lock != lock);
        Part {
            thread: self.names.thread(thread),
            holds_at: self.chain(at),
            wants_at: self.chain(site),
            mode: Mode::Exclusive.name(),
            count: 1,
            timed: false,
            also_holds: besides.map(|h| self.names.lock(h.lock).name).collect(),
        }
    }

    fn stranded(&self, stranded: &Stranded, tier: Tier) -> Finding {
        let node = resource(self.names, Node::Notice(stranded.lock));
        let by = stranded.by.map(|(thread, site)| {
            let at = self.chain(site).first().cloned();
            let at = at.map_or(String::new(), |at| format!(" at {at}"));
            format!(
                "last notified by \"{}\"{at}",
                self.names.thread(thread).name
            )
        });
        Finding {
            id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&node.name)),
            tier,
            kind: Kind::UnservedWaiter,
            stall: false,
            locks: vec![node],
            edges: vec![self.blocked(stranded.thread, stranded.lock, stranded.site, &[])],
            patterns: 1,
            unserved: Some(stranded.why),
            memory: Memory::Unjudged,
            remarks: by
                .into_iter()
                .chain((tier != Tier::T0).then(|| TOO_EARLY.to_owned()))
                .collect(),
        }
    }
}
