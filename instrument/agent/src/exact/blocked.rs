//! Which lock a park is on: from the identity hash of a blocker, and of its class, to the lock's id.
//!
//! As with monitors ([`ledger`](super::ledger)) a probe offers what it meets for the first time, and from then on the hash stands
//! for it. What a blocker is, and which id it has, the looks at parked threads say, so that both tell of the
//! same locks. Of blockers that are made for one wait only the class is known; of those that stand
//! for something else the hashes are kept for a while.

use super::arena::{Arena, Lane, Note};
use crate::recording::Recording;
use crate::scattered::Map;
use crate::vm::{Ref, Vm, Weak};
use locklens_trace::LockId;
use std::collections::VecDeque;

/// Hashes kept of blockers that only stand for a lock, or that no id was left for.
const NODES: usize = 1 << 14;
/// Hashes kept at all.
const MOST: usize = 1 << 18;

/// What the looks say of a blocker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The lock it is or stands for.
    pub(crate) lock: LockId,
    /// Whose id that is.
    pub(crate) whose: Whose,
}

/// See [`Resolved`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Its own.
    Own,
    /// That of what it stands for.
    Outer,
    /// That of all objects of its class without one of their own.
    Class,
    /// The same, and no more of them are of interest.
    Spent,
    /// That of all objects of its class, since each is made for one wait.
    OneWait,
}

/// See the module.
pub(super) struct Blocked {
    arena: &'static Arena,
    /// None for what has come and has no id: nobody waits for one.
    by_hash: Map<u32, Option<LockId>>,
    /// By the hash of a class: what objects without an id of their own are told as.
    shared: Map<u32, LockId>,
    nodes: VecDeque<u32>,
    /// Class objects by their hash.
    mirrors: Map<u32, Weak>,
}

impl Blocked {
    pub(super) fn new(arena: &'static Arena) -> Self {
        Self {
            arena,
            by_hash: Map::default(),
            shared: Map::default(),
            nodes: VecDeque::new(),
            mirrors: Map::default(),
        }
    }

    /// Takes in an object met for the first time.
    pub(super) fn enter<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        (object, hash): (&Ref<'vm>, u32),
        resolve: &mut impl FnMut(&Ref<'vm>) -> Option<Resolved>,
    ) {
        if vm.is_instance(object, &recording.roots.class) {
            // Most are offered for their objects' sake, which come by themselves; whether somebody parks on this
            // one, a record says.
            if self.has_room(recording)
                && !self.mirrors.contains_key(&hash)
                && let Some(weak) = vm.weak(object)
            {
                self.mirrors.insert(hash, weak);
            }
            return;
        }
        self.learn(vm, recording, (object, hash), resolve);
    }

    /// Takes in the class object that a record of a park names, if it names one.
    pub(super) fn enter_mirror<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        note: &Note,
        resolve: &mut impl FnMut(&Ref<'vm>) -> Option<Resolved>,
    ) {
        let mirror = self.mirrors.get(&note.hash);
        let Some(mirror) = mirror.and_then(|weak| vm.upgrade(weak)) else {
            return;
        };
        // Other objects have the same hash now and then.
        let class = vm.class_of(&mirror).and_then(|c| vm.identity_hash(&c).ok());
        if class.is_some_and(|class| class as u32 == note.site) && self.is_waited_for(note) {
            self.learn(vm, recording, (&mirror, note.hash), resolve);
        }
    }

    /// Gives back what the JVM holds for it.
    pub(super) fn release(&mut self, vm: Vm<'_>) {
        let mirrors = self.mirrors.drain();
        mirrors.for_each(|(_, weak)| vm.delete_weak(weak));
    }

    fn has_room(&self, recording: &Recording) -> bool {
        self.known() < MOST && recording.check_room().is_ok()
    }

    fn known(&self) -> usize {
        self.by_hash.len() + self.mirrors.len()
    }

    fn learn<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        (object, hash): (&Ref<'vm>, u32),
        resolve: &mut impl FnMut(&Ref<'vm>) -> Option<Resolved>,
    ) {
        let found = resolve(object);
        let class = vm.class_of(object).and_then(|c| vm.identity_hash(&c).ok());
        if self.has_room(recording) {
            self.note(hash, class.map(|class| class as u32), found);
        }
    }

    /// An object of a class has come, and this is what is known of it.
    fn note(&mut self, hash: u32, class: Option<u32>, found: Option<Resolved>) {
        let Some(found) = found else {
            // There may be many, and each may be for one wait. It is not offered again before it is forgotten.
            self.keep_for_a_while(hash);
            self.by_hash.entry(hash).or_insert(None);
            return;
        };
        match (found.whose, class) {
            (Whose::OneWait | Whose::Spent, Some(class)) => {
                self.arena.ignore(Lane::Blockers, class);
                self.shared.insert(class, found.lock);
            }
            (Whose::Class, Some(class)) => drop(self.shared.insert(class, found.lock)),
            (Whose::Outer, _) => {
                self.arena.forget(Lane::Blockers, hash);
                self.keep_for_a_while(hash);
            }
            _ => {}
        }
        self.by_hash.insert(hash, Some(found.lock));
    }

    /// Such objects come and go: they must not fill the tables.
    fn keep_for_a_while(&mut self, hash: u32) {
        if !self.by_hash.contains_key(&hash) {
            self.nodes.push_back(hash);
        }
        if self.nodes.len() > NODES
            && let Some(old) = self.nodes.pop_front()
        {
            self.arena.forget(Lane::Blockers, old);
            self.by_hash.remove(&old);
        }
    }

    /// The lock that an object of this hash is, if it has come.
    pub(super) fn lock_of(&self, hash: u32) -> Option<LockId> {
        self.by_hash.get(&hash).copied().flatten()
    }

    /// What a park names has not come yet, and will: the blocker, or, where that is of no interest, its class.
    pub(super) fn is_waited_for(&self, note: &Note) -> bool {
        let named = if note.hash == 0 { note.site } else { note.hash };
        self.lock(note).is_err() && self.is_to_come(named)
    }

    /// An object of this hash has not come yet, and will. Where there is no room for more of them nobody waits.
    pub(super) fn is_to_come(&self, hash: u32) -> bool {
        let is_known = self.by_hash.contains_key(&hash);
        !is_known && self.known() < MOST && self.arena.is_met(Lane::Blockers, hash)
    }

    /// The lock of a park: none if it names no blocker; an error if it is not known.
    pub(super) fn lock(&self, note: &Note) -> Result<Option<LockId>, ()> {
        if note.hash == 0 && note.site == 0 {
            return Ok(None);
        }
        let shared = || self.shared.get(&note.site).copied();
        let lock = self.lock_of(note.hash).or_else(shared);
        lock.map(Some).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::kind;
    use super::*;

    const CLASS: u32 = 77;

    fn park(hash: u32) -> Note {
        Note {
            hash,
            site: CLASS,
            kind: kind::PARK,
            ..Note::default()
        }
    }

    fn blocked() -> Blocked {
        Blocked::new(Box::leak(Box::new(
            Arena::within(1 << 16, 1).expect("memory"),
        )))
    }

    #[test]
    fn who_has_come_and_has_no_id_is_waited_for_no_more() {
        let mut blocked = blocked();
        blocked.arena.meet(Lane::Blockers, CLASS);
        blocked.arena.meet(Lane::Blockers, 5);
        assert!(blocked.is_waited_for(&park(5)) && blocked.is_to_come(5));
        blocked.note(5, Some(CLASS), None);
        assert!(!blocked.is_waited_for(&park(5)) && !blocked.is_to_come(5));
        assert_eq!(
            (blocked.lock(&park(5)), blocked.lock_of(5)),
            (Err(()), None)
        );
        // One that could not be marked never comes.
        assert!(!blocked.is_waited_for(&park(6)));
        // Another one of its class has got the last id, which stands for all.
        let found = Resolved {
            lock: LockId(9),
            whose: Whose::Class,
        };
        blocked.note(7, Some(CLASS), Some(found));
        assert_eq!(blocked.lock(&park(5)), Ok(Some(LockId(9))));
    }

    #[test]
    fn those_without_an_id_do_not_fill_the_table_and_may_come_again() {
        let mut blocked = blocked();
        blocked.arena.meet(Lane::Blockers, 1);
        for hash in 1..=3 * NODES as u32 {
            blocked.note(hash, Some(CLASS), None);
            blocked.note(hash, Some(CLASS), None);
        }
        assert_eq!((blocked.known(), blocked.nodes.len()), (NODES, NODES));
        assert!(!blocked.arena.is_met(Lane::Blockers, 1), "offered again");
    }
}
