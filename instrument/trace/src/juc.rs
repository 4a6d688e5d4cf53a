//! What the locks of `java.util.concurrent` are asked to do, operation by operation.
//!
//! Rewritten, their public methods tell what they have done ([`Operation`]): taken, given back, waited, signalled, met.
//! Which methods there are and what each does is told here once ([`CLASSES`]): the agent rewrites by this table, and the
//! analyser reads by it. The object is that which parked threads name, so that operations and parks are told
//! of the same lock. Needs [`feature::OPERATIONS`](crate::chunk::feature::OPERATIONS).
//!
//! What is about to be given back is told before, while it is held, and what was taken afterwards, so that times order
//! the holders of a lock.

mod stamp;
mod table;
mod tasks;

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::wire::{Input, WireError, put_u32, put_u64};

pub use stamp::{Hold, held_by};
pub use table::CLASSES;
pub use tasks::{FUTURES, GROUPS, TASKS};

type Result<T> = std::result::Result<T, WireError>;

/// A thread did something to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// When.
    pub at: Nanos,
    /// Who.
    pub thread: ThreadId,
    /// To which object: the synchronizer inside, where there is one. Of a condition the condition itself.
    pub lock: LockId,
    /// What.
    pub act: Act,
    /// How it went.
    pub outcome: Outcome,
    /// Permits, elements or parties; of acts by stamp the low byte of the stamp, of what starts a thread the low bits of its tid, of a wait with a limit at a
    /// latch, for a future or for the end of a pool 0 if that is less than a day, of [`Act::Lock`] 0 if it tried at once.
    pub count: u32,
    /// It would not have waited as long as it takes: it tried, at once or for a time.
    pub tries: bool,
    /// From where, if that is known.
    pub stack: Option<StackId>,
}

impl Operation {
    /// How many permits, elements or parties it is about.
    #[must_use]
    pub fn amount(&self) -> u32 {
        match self.act {
            Act::Lock => 1,
            _ => self.count,
        }
    }
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// Took it alone.
    Lock,
    /// Is about to give back what it has alone (one level).
    Unlock,
    /// Took it together with others: a reading hold, or permits.
    Share,
    /// Is about to give back what it shares.
    Unshare,
    /// Is about to wait at a condition: all levels of its lock are given up.
    Await,
    /// Has come back from that: all levels are held again.
    Awaited,
    /// Is about to signal one that waits.
    Signal,
    /// Is about to signal all.
    SignalAll,
    /// Is about to count down.
    CountDown,
    /// Came past what it waited for: a latch, a phase.
    Pass,
    /// Met others: at a barrier, or to exchange.
    Meet,
    /// Arrived and did not wait. At a future: has run what was to be run once it is complete.
    Arrive,
    /// Became a party. Of a future: is about to leave what is to be run once it is complete.
    Register,
    /// Put elements in.
    Put,
    /// Took elements out.
    Take,
    /// Is about to give back what its stamp stands for.
    UnlockStamp,
    /// Has made of what its stamp stands for a hold alone.
    ConvertToLock,
    /// The same: a hold with others.
    ConvertToShare,
    /// The same: nothing.
    ConvertToNothing,
    /// Has given back what it had alone.
    Unlocked,
    /// Has given back what it shared.
    Unshared,
    /// Is about to hand it over, to be run by whoever comes to it.
    Hand,
    /// Has made it: nobody runs it before.
    Made,
    /// Is about to run it.
    Run,
    /// That is over.
    Ran,
    /// Has found that it is the next to be run.
    Pick,
    /// Has taken what it has found to be the next out of a queue, and runs that now.
    Begin,
    /// Is about to hand over several, and to wait for all of them.
    Spread,
    /// Has seen all of these complete.
    Gathered,
    /// Is about to make a future that is complete once this one, and others, are.
    Part,
    /// Has made the future of these parts, which were told just before.
    Whole,
    /// Is about to start a thread of its own for a task.
    Start,
    /// Is about to wait for the end of all that it runs.
    Join,
}

/// In the order of their numbers on the wire.
const ACTS: [Act; 33] = [
    Act::Lock,
    Act::Unlock,
    Act::Share,
    Act::Unshare,
    Act::Await,
    Act::Awaited,
    Act::Signal,
    Act::SignalAll,
    Act::CountDown,
    Act::Pass,
    Act::Meet,
    Act::Arrive,
    Act::Register,
    Act::Put,
    Act::Take,
    Act::UnlockStamp,
    Act::ConvertToLock,
    Act::ConvertToShare,
    Act::ConvertToNothing,
    Act::Unlocked,
    Act::Unshared,
    Act::Hand,
    Act::Made,
    Act::Run,
    Act::Ran,
    Act::Pick,
    Act::Begin,
    Act::Spread,
    Act::Gathered,
    Act::Part,
    Act::Whole,
    Act::Start,
    Act::Join,
];

impl Act {
    /// A word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Share => "share",
            Self::Unshare => "unshare",
            Self::Await => "await",
            Self::Awaited => "awaited",
            Self::Signal => "signal",
            Self::SignalAll => "signal-all",
            Self::CountDown => "count-down",
            Self::Pass => "pass",
            Self::Meet => "meet",
            Self::Arrive => "arrive",
            Self::Register => "register",
            Self::Put => "put",
            Self::Take => "take",
            Self::UnlockStamp => "unlock-stamp",
            Self::ConvertToLock => "convert-to-lock",
            Self::ConvertToShare => "convert-to-share",
            Self::ConvertToNothing => "convert-to-nothing",
            Self::Unlocked => "unlocked",
            Self::Unshared => "unshared",
            Self::Hand => "hand",
            Self::Made => "made",
            Self::Run => "run",
            Self::Ran => "ran",
            Self::Pick => "pick",
            Self::Begin => "begin",
            Self::Spread => "spread",
            Self::Gathered => "gathered",
            Self::Part => "part",
            Self::Whole => "whole",
            Self::Start => "start",
            Self::Join => "join",
        }
    }

    /// It is of what hands tasks over and runs them, and of nothing that anybody owns or waits for.
    #[must_use]
    pub fn is_of_tasks(self) -> bool {
        use Act::{Begin, Gathered, Hand, Made, Pick, Ran, Run, Spread};
        matches!(
            self,
            Hand | Made | Run | Ran | Pick | Begin | Spread | Gathered
        )
    }

    /// It is told when it begins.
    #[must_use]
    pub fn is_told_before(self) -> bool {
        use Act::{Await, CountDown, Hand, Join, Part, Run, Spread, Start};
        use Act::{Signal, SignalAll, Unlock, UnlockStamp, Unshare};
        matches!(
            self,
            Unlock | Unshare | UnlockStamp | Await | Signal | SignalAll | CountDown
        ) || matches!(self, Hand | Run | Spread | Part | Start | Join)
    }

    /// As what it is told when it is over; none if it is not.
    #[must_use]
    pub fn told_after(self) -> Option<Self> {
        match self {
            Self::Await => Some(Self::Awaited),
            Self::Run => Some(Self::Ran),
            Self::Spread => Some(Self::Gathered),
            Self::Part => Some(Self::Whole),
            Self::Join => Some(Self::Pass),
            _ => (!self.is_told_before()).then_some(self),
        }
    }
}

/// How an operation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Done, or about to be done.
    Done,
    /// It said that it did not: the lock was not free, the time was over, there was no room.
    Failed,
    /// It threw. What had been told before did not come about.
    Threw,
}

impl Outcome {
    /// A word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Threw => "threw",
        }
    }
}

const OUTCOMES: [Outcome; 3] = [Outcome::Done, Outcome::Failed, Outcome::Threw];
const OUTCOME: u8 = 3;
const ONE: u8 = 4;
const HAS_STACK: u8 = 8;
const TRIES: u8 = 16;
const ALL: u8 = 31;

pub(crate) fn encode(out: &mut Vec<u8>, operation: &Operation) {
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        operation.outcome as u8
            | flag(operation.count == 1, ONE)
            | flag(operation.tries, TRIES)
            | flag(operation.stack.is_some(), HAS_STACK),
    );
    out.push(operation.act as u8);
    put_u64(out, operation.at.0);
    put_u32(out, operation.thread.0);
    put_u32(out, operation.lock.0);
    if operation.count != 1 {
        put_u32(out, operation.count);
    }
    if let Some(stack) = operation.stack {
        put_u32(out, stack.0);
    }
}

#[inline]
pub(crate) fn decode(input: &mut Input<'_>) -> Result<Operation> {
    let flags = input.u8()?;
    let outcome = OUTCOMES.get(usize::from(flags & OUTCOME)).copied();
    let outcome = outcome.filter(|_| flags & !ALL == 0);
    let act = ACTS.get(usize::from(input.u8()?)).copied();
    Ok(Operation {
        outcome: outcome.ok_or(WireError::Range)?,
        act: act.ok_or(WireError::Range)?,
        at: Nanos(input.u64()?),
        thread: ThreadId(input.u32()?),
        lock: LockId(input.u32()?),
        count: match flags & ONE {
            0 => input.u32()?,
            _ => 1,
        },
        tries: flags & TRIES != 0,
        stack: match flags & HAS_STACK {
            0 => None,
            _ => Some(StackId(input.u32()?)),
        },
    })
}

/// A class whose methods are operations.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Its binary name, with dots.
    pub name: &'static str,
    /// Which object its operations are on.
    pub subject: Subject,
    /// What it has.
    pub methods: &'static [Method],
}

impl Class {
    /// It is a lock that a thread holds, or a condition of one.
    #[must_use]
    pub fn is_of_locks(&self) -> bool {
        self.name.starts_with("java.util.concurrent.locks.")
    }
}

/// Which object an operation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `this`.
    This,
    /// The field `sync`, of this class (a descriptor).
    Sync(&'static str),
    /// `this`, if its class is none of the JDK's: those of the JDK have operations of their own.
    Foreign,
    /// What somebody is to run: the methods say where it is. There may be very many; of a class only the first are told.
    Task,
}

/// Where the object of a method is, if its class does not say that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As of its class.
    Own,
    /// In this local variable at the beginning: `this`, or an argument.
    Local(u16),
    /// It is what the method returns.
    Result,
    /// It is what the constructor has made.
    Born,
    /// What the method returns is made of what is in these local variables.
    Made(&'static [u16]),
    /// The same of all elements of its first argument, an array.
    MadeOfAll,
}

/// A method that is an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// What it does.
    pub act: Act,
    /// How many.
    pub count: Count,
    /// Which object it is on.
    pub given: Given,
    /// It never waits, whatever its name says.
    pub brief: bool,
}

/// How many permits, elements or parties a method deals with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// Its first argument says it, an int.
    Argument,
    /// Its result does.
    Result,
    /// Its first argument is a stamp: the low byte of it.
    Stamp,
    /// Its first argument is a thread: the low bits of its tid (see [`TID_MASK`]).
    Thread,
    /// Its arguments are a time: one if that is a day or more, which is as long as it takes; none if it is less.
    Day,
}

/// The bits of a tid that an operation on a thread has as its count.
pub const TID_MASK: u64 = (1 << 23) - 1;

impl Method {
    /// It does not wait as long as it takes: it tries, or only asks.
    #[must_use]
    pub fn tries(&self) -> bool {
        let words = ["try", "is", "offer", "add", "poll", "drain"];
        let meets = self.act == Act::Meet || self.name.starts_with("awaitAdvance");
        let has_limit = meets && self.descriptor.contains("Ljava/util/concurrent/TimeUnit;");
        self.brief || has_limit || words.iter().any(|word| self.name.starts_with(word))
    }

    /// It takes the lock alone at once or not at all: nobody who does so ever stands in line.
    #[must_use]
    pub fn is_at_once(&self) -> bool {
        let has_limit = self.descriptor.contains("TimeUnit;") || self.name.ends_with("Nanos");
        self.act == Act::Lock && self.tries() && !has_limit
    }

    /// It is told when it begins. What is left to be run with a future is: who completes it may be quicker than the end of
    /// the method. If the future is complete already, it is run at once by the thread itself.
    #[must_use]
    pub fn is_told_before(&self) -> bool {
        self.act.is_told_before() || self.leaves_stage()
    }

    /// See [`Act::told_after`].
    #[must_use]
    pub fn told_after(&self) -> Option<Act> {
        match self.leaves_stage() {
            true => None,
            false => self.act.told_after(),
        }
    }

    fn leaves_stage(&self) -> bool {
        self.act == Act::Register && self.descriptor.contains("CompletableFuture$")
    }

    /// It is told also where another operation of its class does its work by it: that is on another object.
    #[must_use]
    pub fn is_told_within(&self) -> bool {
        self.act == Act::Register || self.given != Given::Own
    }

    /// How its result tells success from failure.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let result = self.descriptor.rsplit(')').next().unwrap_or_default();
        match (result, self.told_after()) {
            (_, None) => Verdict::Always,
            ("Z", _) => Verdict::Truth,
            ("I", _) if self.count == Count::Result => Verdict::Amount,
            ("J", Some(Act::Lock | Act::Share)) => Verdict::Stamp,
            ("J", Some(Act::ConvertToLock | Act::ConvertToShare | Act::ConvertToNothing)) => {
                Verdict::Stamp
            }
            ("V", _) => Verdict::Always,
            (_, Some(Act::Take)) => Verdict::Reference,
            _ => Verdict::Always,
        }
    }
}

/// See [`Method::verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Who returns has done it.
    Always,
    /// A boolean.
    Truth,
    /// A long that is 0 for failure.
    Stamp,
    /// An int: how many, 0 for failure.
    Amount,
    /// An object, null for failure.
    Reference,
}

/// Whether who calls a method by the name of a class of the program's that extends this one is told from others. Methods that every collection and
/// every task has are called so all the time, on what is none of these.
#[must_use]
pub fn is_told_of_heirs(class: &Class, method: &Method) -> bool {
    let queue = matches!(method.act, Act::Put | Act::Take);
    let of_collections = queue && method.tries() && !method.descriptor.contains("TimeUnit;");
    let of_tasks = FUTURES.contains(&class.name) || class.subject == Subject::Task;
    let of_pools = matches!(method.act, Act::Hand | Act::Spread | Act::Start | Act::Join);
    !of_collections && !of_tasks && !of_pools
}

/// The class of that binary name.
#[must_use]
pub fn class_named(name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.name == name)
}

/// All methods, with the numbers by which probes name them.
pub fn methods() -> impl Iterator<Item = (u8, &'static Class, &'static Method)> {
    let all = CLASSES
        .iter()
        .flat_map(|class| class.methods.iter().map(move |method| (class, method)));
    (0..)
        .zip(all)
        .map(|(number, (class, method))| (number, class, method))
}

#[cfg(test)]
mod tests;
