//! Who runs the tasks of one queue: what one of them took for an earlier task keeps the next one waiting only if all others may be
//! kept by the same.

use super::errands::{Before, Way};
use super::follow::Wanted;
use super::scan::Scan;
use super::step::{Lock, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// See the module.
pub(super) struct Crews<'s> {
    scan: &'s Scan,
    wanted: BTreeSet<(Thread, Lock)>,
    pools: BTreeMap<Thread, BTreeSet<Lock>>,
    mates: BTreeMap<Thread, Vec<Thread>>,
    known: BTreeMap<(Lock, Thread, Lock), bool>,
}

impl<'s> Crews<'s> {
    pub(super) fn of(scan: &'s Scan) -> Self {
        let wanted = scan.table.all.iter().filter_map(|one| match one.wanted {
            Wanted::Lock(lock, _) => Some((one.thread, lock)),
            Wanted::Notice(_) | Wanted::End(_) => None,
        });
        let mut pools: BTreeMap<Thread, BTreeSet<Lock>> = BTreeMap::new();
        let ended = scan.errands.done.keys();
        for &(lock, thread) in ended.filter(|(lock, _)| scan.nature(*lock).ends) {
            pools.entry(thread).or_default().insert(lock);
        }
        Self {
            scan,
            wanted: wanted.collect(),
            pools,
            mates: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// What a thread needed on a way.
    pub(super) fn needed(&mut self, way: &Way, thread: Thread) -> BTreeSet<u32> {
        let mut needed: BTreeSet<u32> = way.taken.iter().copied().collect();
        if let Some(before) = self.of_tasks(way, thread) {
            for &index in &before.taken {
                match before.lay && self.need(index, before.queue, thread) {
                    true => needed.insert(index),
                    false => needed.remove(&index),
                };
            }
        }
        needed
    }

    /// The queue in which its task lay, if it is known to be one of tasks, and what it took before it got it.
    fn of_tasks<'w>(&self, way: &'w Way, thread: Thread) -> Option<&'w Before> {
        let handed = |before: &&Before| !before.lay && self.pools.contains_key(&thread);
        let times = |before: &&Before| self.scan.errands.after_tasks(before.queue);
        let of_tasks = way.before.iter().filter(|before| times(before) > 0);
        let of_tasks = of_tasks.max_by_key(times);
        of_tasks.or_else(|| way.before.iter().find(handed))
    }

    /// Whether all who run tasks of that queue take what this one took for an earlier task: if not, another comes to the next.
    fn need(&mut self, index: u32, queue: Lock, thread: Thread) -> bool {
        let Wanted::Lock(lock, _) = self.scan.table.all[index as usize].wanted else {
            // What it waited for then is nothing that the next task waits for.
            return false;
        };
        let key = (queue, thread, lock);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mates = match self.mates.get(&thread) {
            Some(mates) => mates,
            None => {
                let mates = self.mates_of(thread);
                self.mates.entry(thread).or_insert(mates)
            }
        };
        let wants = |other: &Thread| *other == thread || self.wanted.contains(&(*other, lock));
        let fetchers = self.scan.errands.fetchers(queue);
        let need = fetchers.is_some_and(|all| all.iter().chain(mates).all(wants));
        self.known.insert(key, need);
        need
    }

    /// Others of its pool.
    fn mates_of(&self, thread: Thread) -> Vec<Thread> {
        let pools = self.pools.get(&thread).into_iter();
        let known = pools.flat_map(|pools| {
            let mates = self.pools.iter();
            let mates = mates.filter(|(_, own)| !own.is_disjoint(pools));
            mates.map(|(&mate, _)| mate)
        });
        known.chain(self.scan.crew_of(thread)).collect()
    }
}
