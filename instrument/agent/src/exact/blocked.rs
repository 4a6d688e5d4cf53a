//! Which lock a park is on: from the identity hash of a blocker, and of its class, to the lock's id.
//!
//! As with monitors ([`ledger`](super::ledger)) a probe offers what it meets for the first time, and from then on the hash stands
//! for it. What a blocker is, and which id it has, the looks at parked threads say, so that both tell of the
//! same locks. Of blockers that are made for one wait only the class is known; of those that stand
//! for something else the hashes are kept for a while.

use super::arena::{Arena, Lane, Note};
use crate::recording::Recording;
use crate::vm::{Ref, Vm, Weak};
use locklens_trace::LockId;
use std::collections::{HashMap, VecDeque};

/// Hashes kept of blockers that only stand for a lock.
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
    by_hash: HashMap<u32, LockId>,
    /// By the hash of a class: what objects without an id of their own are told as.
    shared: HashMap<u32, LockId>,
    nodes: VecDeque<u32>,
    /// Class objects by their hash.
    mirrors: HashMap<u32, Weak>,
}

impl Blocked {
    pub(super) fn new(arena: &'static Arena) -> Self {
        Self {
            arena,
            by_hash: HashMap::new(),
            shared: HashMap::new(),
            nodes: VecDeque::new(),
            mirrors: HashMap::new(),
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
        let known = self.by_hash.len() + self.mirrors.len();
        known < MOST && recording.check_room().is_ok()
    }

    fn learn<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        (object, hash): (&Ref<'vm>, u32),
        resolve: &mut impl FnMut(&Ref<'vm>) -> Option<Resolved>,
    ) {
        let room = self.has_room(recording);
        let Some(found) = resolve(object).filter(|_| room) else {
            return;
        };
        let class = vm.class_of(object).and_then(|c| vm.identity_hash(&c).ok());
        match (found.whose, class) {
            (Whose::OneWait | Whose::Spent, Some(class)) => {
                self.arena.ignore(Lane::Blockers, class as u32);
                self.shared.insert(class as u32, found.lock);
            }
            (Whose::Class, Some(class)) => drop(self.shared.insert(class as u32, found.lock)),
            (Whose::Outer, _) => self.keep_for_a_while(hash),
            _ => {}
        }
        self.by_hash.insert(hash, found.lock);
    }

    /// Such objects come and go: they must not fill the tables.
    fn keep_for_a_while(&mut self, hash: u32) {
        self.arena.forget(Lane::Blockers, hash);
        if !self.by_hash.contains_key(&hash) {
            self.nodes.push_back(hash);
        }
        if self.nodes.len() > NODES
            && let Some(old) = self.nodes.pop_front()
        {
            self.by_hash.remove(&old);
        }
    }

    /// The lock that an object of this hash is, if it has come.
    pub(super) fn lock_of(&self, hash: u32) -> Option<LockId> {
        self.by_hash.get(&hash).copied()
    }

    /// What a park names has not come yet, and will.
    pub(super) fn is_waited_for(&self, note: &Note) -> bool {
        let may_come = |hash| self.arena.is_met(Lane::Blockers, hash);
        self.lock(note).is_err() && (may_come(note.hash) || may_come(note.site))
    }

    /// The lock of an operation has not come yet, and will.
    pub(super) fn is_to_come(&self, hash: u32) -> bool {
        self.lock_of(hash).is_none() && self.arena.is_met(Lane::Blockers, hash)
    }

    /// The lock of a park: none if it names no blocker; an error if it is not known.
    pub(super) fn lock(&self, note: &Note) -> Result<Option<LockId>, ()> {
        if note.hash == 0 && note.site == 0 {
            return Ok(None);
        }
        let own = self.by_hash.get(&note.hash);
        let lock = own.or_else(|| self.shared.get(&note.site));
        lock.copied().map(Some).ok_or(())
    }
}
