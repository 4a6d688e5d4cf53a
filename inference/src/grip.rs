//! What a thread holds of a lock of `java.util.concurrent`, from operation to operation: the one reading of what each act
//! gives and takes, for all who follow such locks.
//!
//! A lock is held *alone* in so many levels, or *shared*: so many reading holds, or permits. A thread that
//! waits at a condition has given up the levels that it held alone, and holds them again afterwards. Start with
//! [`Grip::apply`].

use locklens_trace::juc::{Act, Hold, Operation, Outcome, held_by};

/// What one thread holds of one lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grip {
    /// Levels held alone.
    pub(crate) alone: u32,
    /// Reading holds or permits.
    pub(crate) shared: u32,
    /// Levels given up to wait.
    given_up: u32,
    /// What the operation before gave back: it comes again should that have thrown.
    last: (u32, u32),
    /// That was more than it was seen to hold.
    strayed: bool,
}

/// How an operation changed what its thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It holds more; before it held nothing of that mode.
    Took(Mode),
    /// It holds more of what it held already.
    More(Mode),
    /// It holds less, and something still.
    Less(Mode),
    /// It holds nothing of that mode any more.
    Gave(Mode),
    /// It holds alone what it shared, or the other way about.
    Turned(Mode),
    /// It gave back what nobody saw it take.
    Stray,
    /// That had not come about: it threw.
    NoStray,
    /// Nothing.
    None,
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mode {
    /// By one thread.
    Alone,
    /// By several together.
    Shared,
}

/// What a stamp stands for; none for one that is only to be validated.
fn mode_of(stamp: u32) -> Option<Mode> {
    held_by(stamp).map(|hold| match hold {
        Hold::Alone => Mode::Alone,
        Hold::Shared => Mode::Shared,
    })
}

impl Grip {
    /// Nothing is held, and nothing will be taken again.
    pub(crate) fn is_free(&self) -> bool {
        let last = self.last == (0, 0) && !self.strayed;
        !self.holds() && self.given_up == 0 && last
    }

    /// Anything is held.
    pub(crate) fn holds(&self) -> bool {
        self.alone > 0 || self.shared > 0
    }

    /// It waits at a condition, and has given up what it held alone.
    pub(crate) fn has_given_up(&self) -> bool {
        self.given_up > 0 && self.alone == 0
    }

    /// What an operation on the lock, or on a condition of it, makes of it.
    pub(crate) fn apply(&mut self, operation: &Operation) -> Change {
        let last = std::mem::take(&mut self.last);
        let strayed = std::mem::take(&mut self.strayed);
        let count = operation.count;
        match (operation.act, operation.outcome) {
            (Act::Unlock | Act::Unshare | Act::UnlockStamp, Outcome::Threw) => {
                match (self.restore(last), strayed) {
                    (_, true) => Change::NoStray,
                    (change, false) => change,
                }
            }
            (Act::Awaited, _) => self.resume(),
            (_, Outcome::Failed | Outcome::Threw) => Change::None,
            (Act::Lock, _) => self.take(Mode::Alone, 1),
            (Act::Share, _) => self.take(Mode::Shared, count),
            // What it has given up to wait, a synchronizer of the program's gives back by its own `release`.
            (Act::Unlock, _) if self.has_given_up() => Change::None,
            (Act::Unlock, _) => self.give(Mode::Alone, 1),
            (Act::Unlocked, _) => self.give_for_good(Mode::Alone),
            (Act::Unshare, _) => self.give(Mode::Shared, count),
            (Act::Unshared, _) => self.give_for_good(Mode::Shared),
            (Act::UnlockStamp, _) => match mode_of(count) {
                Some(mode) => self.give(mode, 1),
                None => Change::None,
            },
            (Act::ConvertToLock, _) => self.convert(mode_of(count), Some(Mode::Alone)),
            (Act::ConvertToShare, _) => self.convert(mode_of(count), Some(Mode::Shared)),
            (Act::ConvertToNothing, _) => self.convert(mode_of(count), None),
            (Act::Await, _) => self.suspend(),
            _ => Change::None,
        }
    }

    fn held(&mut self, mode: Mode) -> &mut u32 {
        match mode {
            Mode::Alone => &mut self.alone,
            Mode::Shared => &mut self.shared,
        }
    }

    fn take(&mut self, mode: Mode, count: u32) -> Change {
        let held = self.held(mode);
        let before = *held;
        *held = before.saturating_add(count);
        match (before, count) {
            (_, 0) => Change::None,
            (0, _) => Change::Took(mode),
            _ => Change::More(mode),
        }
    }

    fn give(&mut self, mode: Mode, count: u32) -> Change {
        let held = self.held(mode);
        let given = count.min(*held);
        *held -= given;
        let left = *held;
        self.strayed = given < count;
        self.last = match mode {
            Mode::Alone => (given, 0),
            Mode::Shared => (0, given),
        };
        match (left, self.strayed) {
            (_, true) => Change::Stray,
            (_, false) if count == 0 => Change::None,
            (0, false) => Change::Gave(mode),
            _ => Change::Less(mode),
        }
    }

    /// The same of what has been done already.
    fn give_for_good(&mut self, mode: Mode) -> Change {
        let change = self.give(mode, 1);
        (self.last, self.strayed) = ((0, 0), false);
        change
    }

    fn restore(&mut self, (alone, shared): (u32, u32)) -> Change {
        match (alone, shared) {
            (0, 0) => Change::None,
            (alone, 0) => self.take(Mode::Alone, alone),
            (_, shared) => self.take(Mode::Shared, shared),
        }
    }

    fn convert(&mut self, from: Option<Mode>, to: Option<Mode>) -> Change {
        if from == to {
            return Change::None;
        }
        let given = from.map(|mode| self.give_for_good(mode));
        let taken = to.map(|mode| self.take(mode, 1));
        match (given, taken, to) {
            (Some(Change::Stray), None, _) => Change::Stray,
            (Some(_), Some(_), Some(mode)) => Change::Turned(mode),
            (given, taken, _) => given.or(taken).unwrap_or(Change::None),
        }
    }

    fn suspend(&mut self) -> Change {
        self.given_up = std::mem::take(&mut self.alone);
        match self.given_up {
            0 => Change::None,
            _ => Change::Gave(Mode::Alone),
        }
    }

    fn resume(&mut self) -> Change {
        match std::mem::take(&mut self.given_up) {
            0 => Change::None,
            levels => self.take(Mode::Alone, levels),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::{LockId, Nanos, ThreadId};

    fn changes(steps: &[(Act, Outcome, u32)]) -> (Vec<Change>, Grip) {
        let mut grip = Grip::default();
        let apply = |&(act, outcome, count): &(Act, Outcome, u32)| {
            grip.apply(&Operation {
                at: Nanos(1),
                thread: ThreadId(1),
                lock: LockId(1),
                act,
                outcome,
                count,
                tries: false,
                stack: None,
            })
        };
        (steps.iter().map(apply).collect(), grip)
    }

    const DONE: Outcome = Outcome::Done;
    const THREW: Outcome = Outcome::Threw;
    const ALONE: Mode = Mode::Alone;
    const SHARED: Mode = Mode::Shared;
    const WRITES: u32 = 128;

    #[test]
    fn levels_are_counted_and_given_up_to_wait() {
        let steps = [
            (Act::Lock, DONE, 1),
            (Act::Lock, DONE, 1),
            (Act::Lock, Outcome::Failed, 1),
            (Act::Await, DONE, 1),
            (Act::Awaited, Outcome::Failed, 1),
            (Act::Unlock, DONE, 1),
            (Act::Unlock, DONE, 1),
            (Act::Unlock, DONE, 1),
            (Act::Unlock, THREW, 1),
        ];
        let expected = [
            Change::Took(ALONE),
            Change::More(ALONE),
            Change::None,
            Change::Gave(ALONE),
            Change::Took(ALONE),
            Change::Less(ALONE),
            Change::Gave(ALONE),
            Change::Stray,
            Change::NoStray,
        ];
        let (seen, grip) = changes(&steps);
        assert_eq!(seen, expected);
        assert!(grip.is_free());
    }

    #[test]
    fn what_threw_was_not_given_back() {
        let steps = [
            (Act::Share, DONE, 3),
            (Act::Unshare, DONE, 2),
            (Act::Unshare, THREW, 2),
            (Act::Unshare, DONE, 3),
        ];
        let (seen, _) = changes(&steps);
        let expected = [
            Change::Took(SHARED),
            Change::Less(SHARED),
            Change::More(SHARED),
            Change::Gave(SHARED),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn stamps_say_what_they_stand_for() {
        let steps = [
            (Act::Share, DONE, 1),
            (Act::ConvertToLock, DONE, 1),
            (Act::ConvertToShare, DONE, WRITES),
            (Act::ConvertToNothing, DONE, 2),
            (Act::Lock, DONE, 1),
            (Act::UnlockStamp, DONE, WRITES),
            (Act::ConvertToLock, DONE, 0),
            (Act::Unlocked, DONE, 1),
        ];
        let (seen, grip) = changes(&steps);
        let expected = [
            Change::Took(SHARED),
            Change::Turned(ALONE),
            Change::Turned(SHARED),
            Change::Gave(SHARED),
            Change::Took(ALONE),
            Change::Gave(ALONE),
            Change::Took(ALONE),
            Change::Gave(ALONE),
        ];
        assert_eq!(seen, expected);
        assert!(grip.is_free());
    }
}
