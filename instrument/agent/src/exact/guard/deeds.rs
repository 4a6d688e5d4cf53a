//! What a record says that its thread did to a lock: of monitors, and of the locks of `java.util.concurrent`.
//!
//! Of the latter only those are followed that a thread has: permits that a synchronizer of the program's shares out are not.

use super::super::arena::Note;
use super::super::operations::row;
use super::super::probe::kind;
use locklens_trace::juc::{Act, Class, Hold, Method, Subject, held_by};

/// In the number of a lock: it is one of `java.util.concurrent`. The rest is its identity hash.
pub(super) const CONCURRENT: u32 = 1 << 31;

/// In which way a lock is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct How {
    /// Together with others.
    pub(super) shared: bool,
    /// Without waiting for it as long as it takes.
    pub(super) tried: bool,
}

/// A lock, and where and how it was taken or wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Link {
    pub(super) lock: u32,
    pub(super) site: u32,
    pub(super) how: How,
}

impl Link {
    /// Of a lock that one thread has alone.
    pub(super) fn alone(lock: u32, site: u32) -> Self {
        let how = How::default();
        Self { lock, site, how }
    }

    /// Where and how, in one number.
    pub(super) fn way(&self) -> u64 {
        let how = u64::from(self.how.shared) | u64::from(self.how.tried) << 1;
        u64::from(self.site) | how << 32
    }
}

/// What a thread gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gift {
    pub(super) lock: u32,
    pub(super) shared: bool,
    /// Anybody may do that, also who has not taken it.
    pub(super) free: bool,
}

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// It has taken a lock, or has it once more.
    Took(Link),
    /// It gives one level back, or is about to.
    Gives(Gift),
    /// That threw: it has not given anything back.
    Kept,
    /// It has made of one hold another one.
    Turned(Gift, Link),
    /// It waits, and has given up what it holds alone.
    Waits { lock: u32, site: u32 },
    /// It has that again.
    Returned { lock: u32, site: u32 },
}

impl Deed {
    /// Of a record of a monitor.
    pub(super) fn of_monitor(note: &Note) -> Option<Self> {
        let (lock, site) = (note.hash, note.site);
        Some(match note.kind {
            kind::ENTERED => Self::Took(Link::alone(lock, site)),
            kind::EXIT => Self::Gives(Gift {
                lock,
                shared: false,
                free: false,
            }),
            kind::WAITING => Self::Waits { lock, site },
            kind::WAITED | kind::WAIT_THREW => Self::Returned { lock, site },
            _ => return None,
        })
    }

    /// Of a record of an operation; an error if it is on an object of which nobody knows yet what it is.
    pub(super) fn of_operation(
        note: &Note,
        objects: &impl Identify,
    ) -> Result<Option<Self>, Unknown> {
        let Some(operation) = row(note.argument).and_then(|row| Operation::of(note, row)) else {
            return Ok(None);
        };
        match (operation.method.act, operation.class.subject) {
            // Those inside the JDK's own locks do what these tell.
            (_, Subject::Foreign) => {
                match objects.is_the_programs(note.hash).ok_or(Unknown::Lock)? {
                    true => Ok(operation.deed(note)),
                    false => Ok(None),
                }
            }
            (Act::Await, _) => {
                let lock = objects.lock_of(note.hash).ok_or(Unknown::Condition)?;
                let (lock, site) = (CONCURRENT | lock, note.site);
                Ok(Some(match note.kind {
                    kind::BEGAN => Self::Waits { lock, site },
                    _ => Self::Returned { lock, site },
                }))
            }
            _ => Ok(operation.deed(note)),
        }
    }
}

/// Says what an object is, by its hash, as soon as it has come.
pub(super) trait Identify {
    /// The lock of a condition.
    fn lock_of(&self, condition: u32) -> Option<u32>;
    /// Whether a synchronizer is one of the program's.
    fn is_the_programs(&self, synchronizer: u32) -> Option<bool>;
}

/// What is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Whether that is a lock of the program's.
    Lock,
    /// Which lock a condition belongs to.
    Condition,
}

/// An operation that is followed.
struct Operation {
    class: &'static Class,
    method: &'static Method,
    count: u32,
}

impl Operation {
    fn of(note: &Note, (class, method): (&'static Class, &'static Method)) -> Option<Self> {
        // Who gives back what several share is hardly ever who took it.
        let foreign = class.subject == Subject::Foreign;
        let shares = matches!(method.act, Act::Share | Act::Unshare);
        let count = note.argument >> kind::OPERATION_BITS;
        (class.is_of_locks() && !(foreign && shares)).then_some(Self {
            class,
            method,
            count,
        })
    }

    fn deed(&self, note: &Note) -> Option<Deed> {
        let (act, gives) = (self.method.act, |shared| {
            Deed::Gives(self.gift(note, shared))
        });
        let stamp = held_by(self.count).map(|hold| hold == Hold::Shared);
        match (act, note.kind) {
            (Act::Lock, kind::DONE) => Some(Deed::Took(self.link(note, false))),
            (Act::Share, kind::DONE) => Some(Deed::Took(self.link(note, true))),
            (Act::Unlock, kind::BEGAN) | (Act::Unlocked, kind::DONE) => Some(gives(false)),
            (Act::Unshare, kind::BEGAN) | (Act::Unshared, kind::DONE) => Some(gives(true)),
            (Act::UnlockStamp, kind::BEGAN) => stamp.map(gives),
            (Act::Unlock | Act::Unshare | Act::UnlockStamp, kind::THREW) => Some(Deed::Kept),
            (Act::ConvertToNothing, kind::DONE) => stamp.map(gives),
            (Act::ConvertToLock, kind::DONE) => self.turns(note, stamp, false),
            (Act::ConvertToShare, kind::DONE) => self.turns(note, stamp, true),
            _ => None,
        }
    }

    fn turns(&self, note: &Note, from: Option<bool>, shared: bool) -> Option<Deed> {
        let link = self.link(note, shared);
        match from {
            None => Some(Deed::Took(link)),
            Some(from) if from == shared => None,
            Some(from) => Some(Deed::Turned(self.gift(note, from), link)),
        }
    }

    fn gift(&self, note: &Note, shared: bool) -> Gift {
        Gift {
            lock: CONCURRENT | note.hash,
            shared,
            free: !self.class.name.contains(".Reentrant"),
        }
    }

    fn link(&self, note: &Note, shared: bool) -> Link {
        Link {
            lock: CONCURRENT | note.hash,
            site: note.site,
            how: How {
                shared,
                tried: self.method.tries(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::juc;

    /// Has come, and is a condition of another lock; or a synchronizer.
    const LOCK: u32 = 7;
    /// Is inside a lock of the JDK's.
    const INSIDE: u32 = 8;
    const THIS: u32 = CONCURRENT | LOCK;

    struct Program;

    impl Identify for Program {
        fn lock_of(&self, condition: u32) -> Option<u32> {
            (condition == LOCK).then_some(9)
        }

        fn is_the_programs(&self, synchronizer: u32) -> Option<bool> {
            let known = [LOCK, INSIDE].contains(&synchronizer);
            known.then_some(synchronizer == LOCK)
        }
    }

    fn told(class: &str, name: &str, kind: u32, count: u32) -> Result<Option<Deed>, Unknown> {
        told_of(LOCK, (class, name), kind, count)
    }

    fn told_of(
        hash: u32,
        (class, name): (&str, &str),
        kind: u32,
        count: u32,
    ) -> Result<Option<Deed>, Unknown> {
        let mut all = juc::methods();
        let found = all.find(|(_, c, m)| c.name.ends_with(class) && m.name == name);
        let (number, ..) = found.expect("in the table");
        let note = Note {
            chain: 0,
            at: 0,
            hash,
            site: 3,
            tid: 1,
            kind,
            argument: count << kind::OPERATION_BITS | u32::from(number),
        };
        Deed::of_operation(&note, &Program)
    }

    fn took(shared: bool, tried: bool) -> Result<Option<Deed>, Unknown> {
        let (lock, site, how) = (THIS, 3, How { shared, tried });
        Ok(Some(Deed::Took(Link { lock, site, how })))
    }

    fn gives(shared: bool, free: bool) -> Result<Option<Deed>, Unknown> {
        let lock = THIS;
        Ok(Some(Deed::Gives(Gift { lock, shared, free })))
    }

    #[test]
    fn what_is_taken_and_given_back_is_followed_with_its_mode() {
        let lock = ".ReentrantLock";
        assert_eq!(told(lock, "lock", kind::DONE, 1), took(false, false));
        assert_eq!(told(lock, "tryLock", kind::DONE, 1), took(false, true));
        assert_eq!(told(lock, "tryLock", kind::FAILED, 1), Ok(None));
        assert_eq!(told(lock, "unlock", kind::BEGAN, 1), gives(false, false));
        assert_eq!(told(lock, "unlock", kind::THREW, 1), Ok(Some(Deed::Kept)));
        assert_eq!(told("$ReadLock", "lock", kind::DONE, 1), took(true, false));
        assert_eq!(
            told("$WriteLock", "lock", kind::DONE, 1),
            took(false, false)
        );
        let own = ".AbstractQueuedSynchronizer";
        assert_eq!(told(own, "acquire", kind::DONE, 1), took(false, false));
        assert_eq!(told(own, "release", kind::BEGAN, 1), gives(false, true));
        assert_eq!(told(own, "acquireShared", kind::DONE, 1), Ok(None));
        let of = |hash| told_of(hash, (own, "release"), kind::BEGAN, 1);
        assert_eq!((of(INSIDE), of(5)), (Ok(None), Err(Unknown::Lock)));
        assert_eq!(told(".Semaphore", "acquire", kind::DONE, 1), Ok(None));
    }

    #[test]
    fn stamps_say_what_is_given_back_and_what_becomes_of_it() {
        let lock = ".StampedLock";
        let (write, read) = (128, 1);
        assert_eq!(told(lock, "unlock", kind::BEGAN, write), gives(false, true));
        assert_eq!(told(lock, "unlock", kind::BEGAN, read), gives(true, true));
        assert_eq!(told(lock, "unlock", kind::BEGAN, 0), Ok(None));
        let to_write = "tryConvertToWriteLock";
        assert_eq!(told(lock, to_write, kind::DONE, write), Ok(None));
        assert_eq!(told(lock, to_write, kind::DONE, 0), took(false, true));
        let turned = told(lock, to_write, kind::DONE, read);
        assert!(matches!(turned, Ok(Some(Deed::Turned(gift, _))) if gift.shared));
        assert_eq!(told(lock, to_write, kind::FAILED, read), Ok(None));
    }

    #[test]
    fn a_condition_gives_its_lock_up_if_it_is_known_which() {
        let condition = "Synchronizer$ConditionObject";
        let (lock, site) = (CONCURRENT | 9, 3);
        let waits = Ok(Some(Deed::Waits { lock, site }));
        let back = Ok(Some(Deed::Returned { lock, site }));
        assert_eq!(told(condition, "await", kind::BEGAN, 1), waits);
        for kind in [kind::DONE, kind::FAILED, kind::THREW] {
            assert_eq!(told(condition, "await", kind, 1), back);
        }
        let unknown = told_of(5, (condition, "await"), kind::BEGAN, 1);
        assert_eq!(unknown, Err(Unknown::Condition));
    }
}
