//! Which lock object a record is about: from its identity hash to the lock's id.
//!
//! Records carry the identity hash, since a probe cannot ask for a tag. An object that a probe meets
//! for the first time waits in the queue of fresh objects ([`intake`](super::intake)); the writer takes it from there and gives it
//! an id by tag, the same one that events of the JVM get, so that one object is one lock in the
//! trace whichever way it came in. From then on its hash stands for it.
//!
//! **Two objects of one hash.** 31 bits collide: two objects among 65 thousand are expected to share
//! one, some 230 pairs among a million. The probes see the second one as known, so its records go to
//! the first one's lock, or nowhere if nobody asked for that one; it is not noticed. The same
//! happens to an object that got the hash of one that has died.

use super::arena::{Arena, Lane};
use super::candidates::is_the_jdks;
use crate::identity::{Unknown, binary_name};
use crate::recording::Recording;
use crate::scattered::{IdSet, Pairs};
use crate::vm::{Ref, Vm};
use locklens_trace::LockId;
use locklens_trace::juc::{self, Subject};

/// What a hash stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// This lock.
    Lock(LockId),
    /// An object nobody asked for.
    Ignored,
    /// No object that was ever seen: there was no room for it.
    Unknown,
}

impl Meaning {
    /// As a number: that of the lock, or one that no lock has.
    fn code(self) -> u32 {
        match self {
            Self::Lock(lock) => lock.0,
            Self::Ignored => u32::MAX,
            Self::Unknown => 0,
        }
    }

    fn of_code(code: u32) -> Self {
        match code {
            0 => Self::Unknown,
            u32::MAX => Self::Ignored,
            lock => Self::Lock(LockId(lock)),
        }
    }
}

/// See the module.
pub(crate) struct Ledger {
    arena: &'static Arena,
    /// What hashes stand for.
    by_hash: Pairs,
    chosen: IdSet,
    /// Classes of the objects of interest; all, if empty.
    wanted: Vec<String>,
}

impl Ledger {
    /// A ledger for objects of these classes, or of all.
    pub(crate) fn new(arena: &'static Arena, wanted: Vec<String>) -> Self {
        Self {
            arena,
            by_hash: Pairs::default(),
            chosen: IdSet::default(),
            wanted,
        }
    }

    /// Whether an object of this hash has not come yet, and will.
    pub(crate) fn is_to_come(&self, hash: u32) -> bool {
        self.known(hash).is_none() && self.arena.is_met(Lane::Locks, hash)
    }

    /// What a hash stands for.
    pub(crate) fn meaning(&self, hash: u32) -> Meaning {
        self.known(hash).unwrap_or(Meaning::Unknown)
    }

    /// The same, if an object of this hash has come.
    pub(crate) fn known(&self, hash: u32) -> Option<Meaning> {
        self.by_hash.get(hash).map(Meaning::of_code)
    }

    /// Whether the probes report a lock.
    pub(crate) fn is_chosen(&self, lock: LockId) -> bool {
        self.chosen.contains(lock.0)
    }

    /// Lock objects met.
    pub(crate) fn locks(&self) -> usize {
        self.chosen.len()
    }

    /// Takes in an object met for the first time.
    pub(crate) fn enter(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        (object, hash): (&Ref<'_>, u32),
    ) {
        if recording.check_room().is_err() {
            // Its records will be counted as those of an unknown object.
            return;
        }
        let meaning = self.meaning_of(vm, recording, object, || {
            recording.lock_with_hash(vm, object, hash as i32)
        });
        match meaning {
            Meaning::Ignored => self.ignore(hash),
            Meaning::Lock(id) => self.chosen.insert(id.0),
            Meaning::Unknown => {}
        }
        self.by_hash.insert(hash, meaning.code());
    }

    /// The lock of an object a record names without a hash.
    pub(crate) fn look(&self, vm: Vm<'_>, recording: &Recording, object: &Ref<'_>) -> Meaning {
        self.meaning_of(vm, recording, object, || recording.lock(vm, object))
    }

    fn meaning_of(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        object: &Ref<'_>,
        lock: impl FnOnce() -> Result<LockId, Unknown>,
    ) -> Meaning {
        if !self.is_of_interest(vm, recording, object) {
            return Meaning::Ignored;
        }
        match lock() {
            // Probes are code.
            Ok(lock) if recording.hides_from(vm, (object, lock), || true) => Meaning::Ignored,
            Ok(lock) => Meaning::Lock(lock),
            Err(_) => Meaning::Unknown,
        }
    }

    /// Whether an object's lock is to be told.
    pub(crate) fn is_of_interest(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        object: &Ref<'_>,
    ) -> bool {
        !is_synchronizer_of_the_jdk(vm, object) && self.wants(vm, recording, object)
    }

    /// Objects of this hash are of no interest from now on.
    pub(crate) fn ignore(&self, hash: u32) {
        self.arena.ignore(Lane::Locks, hash);
    }

    /// Whether objects of this class, or this mirror, are of interest.
    pub(crate) fn wants_name(&self, name: impl FnOnce() -> Option<String>) -> bool {
        self.wanted.is_empty() || name().is_some_and(|name| self.wanted.contains(&name))
    }

    fn wants(&self, vm: Vm<'_>, recording: &Recording, object: &Ref<'_>) -> bool {
        let name_of = |class: &Ref<'_>| vm.class_signature(class).ok().map(|s| binary_name(&s));
        self.wants_name(|| match vm.is_instance(object, &recording.roots.class) {
            true => name_of(object).map(|name| name + ".class"),
            false => vm.class_of(object).and_then(|class| name_of(&class)),
        })
    }

    /// A lock that is reported without ever having been in the queue.
    pub(crate) fn choose(&mut self, lock: LockId) {
        self.chosen.insert(lock.0);
    }
}

/// What the JDK's own locks have inside: their operations are told by the locks.
fn is_synchronizer_of_the_jdk(vm: Vm<'_>, object: &Ref<'_>) -> bool {
    let class = vm.class_of(object);
    let is_jdk = |class: &Ref<'_>| match vm.class_loader(class) {
        Ok(loader) => loader.is_none_or(|loader| is_the_jdks(vm, &loader)),
        Err(_) => false,
    };
    let mut above = class.filter(is_jdk);
    while let Some(class) = above {
        let name = vm.class_signature(&class).unwrap_or_default();
        let name = binary_name(&name);
        let is_one = |class: &juc::Class| class.subject == Subject::Foreign && class.name == name;
        if juc::CLASSES.iter().any(is_one) {
            return true;
        }
        above = vm.superclass(&class);
    }
    false
}
