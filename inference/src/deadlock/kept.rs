//! What a thread keeps from others besides locks while it is kept waiting: its end, and what it is on its way to.

use super::candidates::Node;
use super::crews::Crews;
use super::follow::Wanted;
use super::scan::Scan;
use super::step::{Lock, Mode, Thread};
use super::table::Dependency;
use std::collections::{BTreeMap, BTreeSet};

/// What else than locks a dependency keeps from others.
pub(super) struct Kept {
    /// Threads whose end somebody waits for while he holds a lock.
    ends: BTreeSet<Thread>,
    /// By dependency, the notifies that it was on the way to.
    notices: BTreeMap<u32, BTreeSet<Lock>>,
    /// Locks that somebody wants to share, where who waits to have them alone goes first.
    turns: BTreeSet<Lock>,
}

/// Whether who waits for that may keep others waiting who wait for him: not for a notify, which a thread may have waited for while
/// there was nothing to do.
fn is_of_chain(scan: &Scan, wanted: Wanted) -> bool {
    match wanted {
        Wanted::Lock(..) | Wanted::End(_) => true,
        Wanted::Notice(lock) => scan.is_latch(lock),
    }
}

/// What somebody waits for who keeps a lock, and what those wait for whom he waits for.
#[derive(Default)]
struct Chain {
    awaited: BTreeSet<Lock>,
    ends: BTreeSet<Thread>,
    /// What has not been looked through yet.
    more: Vec<Node>,
}

impl Chain {
    fn waits_for(&mut self, wanted: Wanted) {
        let is_new = match wanted {
            Wanted::End(thread) => self.ends.insert(thread),
            Wanted::Notice(lock) => self.awaited.insert(lock),
            Wanted::Lock(..) => false,
        };
        if is_new {
            self.more.push(Node::of(wanted));
        }
    }
}

impl Kept {
    pub(super) fn of(scan: &Scan) -> Self {
        let mut chain = Chain::default();
        let mut crews = Crews::of(scan);
        let mut notices: BTreeMap<u32, BTreeSet<Lock>> = BTreeMap::new();
        for dependency in &scan.table.all {
            if dependency.keeps().next().is_some() {
                chain.waits_for(dependency.wanted);
            }
        }
        let mut of_thread: BTreeMap<Thread, Vec<Wanted>> = BTreeMap::new();
        for dependency in &scan.table.all {
            if !matches!(dependency.wanted, Wanted::Lock(..)) {
                let wanted = of_thread.entry(dependency.thread).or_default();
                wanted.push(dependency.wanted);
            }
        }
        while let Some(next) = chain.more.pop() {
            match next {
                Node::Notice(lock) => {
                    let all = (lock, Thread(0))..=(lock, Thread(u32::MAX));
                    for (&(_, thread), ways) in scan.errands.ways.range(all) {
                        for way in ways.known() {
                            for index in crews.needed(way, thread) {
                                let wanted = scan.table.all[index as usize].wanted;
                                if is_of_chain(scan, wanted) {
                                    notices.entry(index).or_default().insert(lock);
                                    chain.waits_for(wanted);
                                }
                            }
                        }
                    }
                }
                Node::End(thread) => {
                    let all = of_thread.get(&thread).into_iter().flatten();
                    for &wanted in all.filter(|wanted| is_of_chain(scan, **wanted)) {
                        chain.waits_for(wanted);
                    }
                }
                Node::Lock(_) | Node::Turn(_) => {}
            }
        }
        let Chain { awaited, ends, .. } = chain;
        let ended = scan
            .errands
            .done
            .iter()
            .filter(|((lock, _), _)| awaited.contains(lock));
        let mut pools: BTreeMap<Thread, Vec<(Lock, u32)>> = BTreeMap::new();
        for (&(lock, thread), &until) in ended.filter(|((lock, _), _)| scan.nature(*lock).ends) {
            pools.entry(thread).or_default().push((lock, until));
        }
        for (index, dependency) in (0..).zip(&scan.table.all) {
            let pools = pools.get(&dependency.thread).into_iter().flatten();
            // What it does only after it has left the pool nobody waits for.
            for (lock, _) in pools.filter(|(_, until)| index < *until) {
                notices.entry(index).or_default().insert(*lock);
            }
        }
        let shared = scan.table.all.iter().filter_map(|one| match one.wanted {
            Wanted::Lock(lock, Mode::Shared) => Some(lock),
            _ => None,
        });
        let turns = shared.filter(|&lock| scan.nature(lock).queues).collect();
        Self {
            ends,
            notices,
            turns,
        }
    }

    /// What it waits for: the lock, or that who goes first has had it.
    pub(super) fn wanted(&self, dependency: &Dependency) -> impl Iterator<Item = Node> {
        let turn = match dependency.wanted {
            Wanted::Lock(lock, Mode::Shared) if self.turns.contains(&lock) => {
                Some(Node::Turn(lock))
            }
            _ => None,
        };
        [Node::of(dependency.wanted)].into_iter().chain(turn)
    }

    pub(super) fn by(&self, index: u32, dependency: &Dependency) -> Vec<Node> {
        let thread = dependency.thread;
        let end = self.ends.contains(&thread).then_some(Node::End(thread));
        let notices = self.notices.get(&index).into_iter().flatten();
        let locks = dependency.keeps().map(|(lock, _)| Node::Lock(lock));
        let turn = match dependency.wanted {
            Wanted::Lock(lock, Mode::Exclusive)
                if self.turns.contains(&lock) && !dependency.at_once =>
            {
                Some(Node::Turn(lock))
            }
            _ => None,
        };
        locks
            .chain(end)
            .chain(turn)
            .chain(notices.map(|&lock| Node::Notice(lock)))
            .collect()
    }
}
