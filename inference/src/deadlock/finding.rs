//! The result: potential deadlocks as a renderer sees them, with nothing left to compute.

pub use super::others::Other;
use super::step::Mode;
pub use super::waits::Unserved;
pub use crate::hang::Hang;
use crate::nesting::graph::ThreadName;
use crate::stable_name::short_id;
use std::collections::{BTreeMap, BTreeSet};

/// How well a deadlock is proved, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// It happened.
    T0,
    /// A run that reaches it exists, if every shared read is in the trace.
    T1,
    /// Nothing that happened orders its threads.
    T2,
    /// The order in which locks were taken permits it.
    T3,
    /// A cycle that neither a gate nor the start, join or notify of threads excludes.
    T4,
    /// A cycle of kinds of locks.
    T5,
}

impl Tier {
    /// From the best to the weakest.
    pub const ALL: [Self; 6] = [Self::T0, Self::T1, Self::T2, Self::T3, Self::T4, Self::T5];

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::T0 => "T0",
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::T3 => "T3",
            Self::T4 => "T4",
            Self::T5 => "T5",
        }
    }

    /// What was printed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|tier| tier.name().eq_ignore_ascii_case(text))
    }
}

/// What threads told each other by memory, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Nothing is known of it, or it decides nothing.
    #[default]
    Unjudged,
    /// It permits the deadlock. Below T1 some reads are not known: it is ranked as if none were.
    Permits,
    /// It may have put one thread before the other in this run; another run may come without that.
    Orders,
}

/// What a deadlock is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Locks taken in different orders.
    Order,
    /// The same with locks that readers share.
    ReadWrite,
    /// Who reads wants to write, and keeps out all who want to.
    Upgrade,
    /// The same with permits.
    Permit,
    /// A thread waits to be notified and keeps another lock that the notifier needs first.
    NestedWait,
    /// A thread waits to be notified, and nobody is left to do it.
    UnservedWaiter,
    /// A thread waits for the end of another and keeps a lock that it needs.
    Join,
    /// A thread waits at a latch and keeps a lock that who counts it down needs first.
    Latch,
    /// A thread waits until another has initialised a class, which needs what it holds.
    ClassInit,
    /// Of several kinds.
    Mixed,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Order,
        Self::ReadWrite,
        Self::Upgrade,
        Self::Permit,
        Self::NestedWait,
        Self::UnservedWaiter,
        Self::Join,
        Self::Latch,
        Self::ClassInit,
        Self::Mixed,
    ];

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::ReadWrite => "read-write",
            Self::Upgrade => "upgrade",
            Self::Permit => "permit",
            Self::NestedWait => "nested-wait",
            Self::UnservedWaiter => "unserved-waiter",
            Self::Join => "join",
            Self::Latch => "latch",
            Self::ClassInit => "class-init",
            Self::Mixed => "mixed",
        }
    }
}

/// Every potential deadlock of one trace, or of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The best proved first.
    pub findings: Vec<Finding>,
    /// Cycles that cannot become a deadlock.
    pub excluded: Vec<Excluded>,
    /// What was not looked at: a sentence for each bound that was met.
    pub stopped_after: Vec<String>,
    /// What the trace cannot tell, in sentences.
    pub notes: Vec<String>,
    /// What was looked at.
    pub facts: Facts,
    /// Why what was read is not known as it should be, where reads were recorded.
    pub doubt: Option<String>,
    /// How the threads of a live JVM, or of thread dumps, stand; none of a trace.
    pub hang: Option<Hang>,
    /// How the threads of a recorded JVM stood when it was over, by thread dumps that the recording has.
    pub stood: Option<Box<Self>>,
    /// Findings that are left out, since they are known or not to be told.
    pub untold: u64,
    /// Who held what when the trace ended, and who wanted it.
    pub ends: Stands,
    /// By id of a finding, the callers by which locks come into methods that lock what they are handed.
    pub given: BTreeMap<String, BTreeSet<String>>,
    /// Those of them that are a part of the id.
    pub telling: BTreeMap<String, BTreeSet<String>>,
}

/// What a report rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Steps of the trace.
    pub steps: u64,
    /// Threads.
    pub threads: u64,
    /// Locks.
    pub locks: u64,
    /// Distinct dependencies.
    pub dependencies: u64,
    /// Reads and writes of what threads share are in the trace.
    pub reads: bool,
}

/// A potential deadlock.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The same for the same locks in any run and build.
    pub id: String,
    /// How well it is proved.
    pub tier: Tier,
    /// What it is made of.
    pub kind: Kind,
    /// Somebody gives up after a while: it stalls, and goes on.
    pub stall: bool,
    /// What the threads hold and want around the cycle, in its order.
    pub locks: Vec<Resource>,
    /// One for each thread: it holds the resource of this place in `locks` and wants the next one.
    pub edges: Vec<Part>,
    /// Choices of threads and locks seen that would be this deadlock.
    pub patterns: u64,
    /// Some of them by other threads at other objects.
    pub others: Vec<Other>,
    /// So many have these names, with other locks at places that differ in the numbers of lambdas and anonymous classes.
    pub alike: u64,
    /// Methods with such numbers at the places of all that have these names, however well they are proved: with less that was seen
    /// there are never more of them, though `alike` may be.
    pub numbered: u64,
    /// Why nobody ends the wait, of an unserved waiter.
    pub unserved: Option<Unserved>,
    /// What is known of reads and writes says this of it.
    pub memory: Memory,
    /// What more there is to say, in sentences.
    pub remarks: Vec<String>,
}

impl Finding {
    /// The id that its names alone would give it.
    pub(crate) fn named(&self) -> String {
        let names = self.locks.iter().map(|lock| lock.name.clone());
        stable_id(self.kind, &known_by(names.collect()))
    }
}

/// Something that a thread can be kept waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Stable name.
    pub name: String,
    /// Number in the report, or the lock's own name in the trace.
    pub id: String,
    /// Its types: `SEMAPHORE`.
    pub types: String,
    /// How it is held.
    pub mode: &'static str,
    /// What of it is wanted.
    pub what: What,
    /// Which object, if the name stands for several.
    pub object: Option<String>,
}

/// What of a thing is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The lock.
    Lock,
    /// That somebody notifies those who wait on it.
    Notify,
    /// The end of the thread.
    End,
    /// That who waits to have the lock alone goes first.
    Turn,
    /// That a class is initialised.
    Init,
    /// That whoever has the lock lets it go: who that is is not known, and the one who is named may be it.
    Release,
}

/// One thread's part in a deadlock.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The thread.
    pub thread: ThreadName,
    /// Where it took what it holds, innermost frame first; empty if that is not known.
    pub holds_at: Vec<String>,
    /// Where it wants what the next one holds.
    pub wants_at: Vec<String>,
    /// Which object it wants, where that is none that the next one was seen to hold.
    pub wants_object: Option<String>,
    /// How it wants it.
    pub mode: &'static str,
    /// Times seen there.
    pub count: u64,
    /// Other places at which it can be the same.
    pub also_at: Vec<Elsewhere>,
    /// It would give up.
    pub timed: bool,
    /// What it holds besides: names.
    pub also_holds: Vec<String>,
}

impl Part {
    /// Of a thread that wants something for itself alone there, and of which no more is known.
    pub(crate) fn wanting(thread: ThreadName, wants_at: Vec<String>) -> Self {
        Self {
            thread,
            holds_at: Vec::new(),
            wants_at,
            wants_object: None,
            mode: Mode::Exclusive.name(),
            count: 1,
            also_at: Vec::new(),
            timed: false,
            also_holds: Vec::new(),
        }
    }
}

/// Another place of one thread's part, as call chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Where it took what it holds.
    pub holds_at: Vec<String>,
    /// Where it wants the next.
    pub wants_at: Vec<String>,
}

/// A cycle that cannot become a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// The id that it would have.
    pub id: String,
    /// Names of what is on it.
    pub locks: Vec<String>,
    /// Why not, in words.
    pub reasons: Vec<String>,
}

pub use super::stuck::{Standing, Stands};
pub use super::written::Past;

/// Where a thread took a lock, and where it wants the next, as far as that is known.
pub type Between = (Option<super::step::Site>, Option<super::step::Site>);

/// Names of what a trace is about.
pub trait Names {
    /// Of a thread.
    fn thread(&self, thread: super::step::Thread) -> ThreadName;
    /// Of a thread, as another run gives it, too.
    fn stable_thread(&self, thread: super::step::Thread) -> String {
        self.thread(thread).name
    }

    /// Of a lock.
    fn lock(&self, lock: super::step::Lock) -> LockName;

    /// In which role of a lock somebody waits there, and how often the other role may be played before it has to wait itself; none where
    /// that is not known, or there is no other role that waits.
    fn waiting_role(
        &self,
        _lock: super::step::Lock,
        _site: super::step::Site,
    ) -> Option<(crate::types::Role, u64)> {
        None
    }
    /// The call chain of a place, innermost frame first.
    fn chain(&self, site: super::step::Site) -> Vec<String>;

    /// What was read, where, and where that had been written: none if that is not known.
    fn reading(&self, _reading: super::step::Reading) -> Option<String> {
        None
    }

    /// Which reads are in the trace; none if it has all of them, or none at all.
    fn reads_known(&self) -> Option<String> {
        None
    }

    /// Why reads and writes are not known as they should be, so that nothing is proved by them.
    fn reads_doubted(&self) -> Option<String> {
        None
    }

    /// What a thread may do on its way to two acquisitions of its own, or between them, that is in no recording, in words;
    /// none if that is nothing.
    fn unrecorded(&self, _between: Between) -> Option<String> {
        None
    }

    /// What is asked on every way to one place, and answered by what a thread does behind the other one, in words, where no probe tells of
    /// that. `past`: what is known of the other thread.
    fn asked(&self, _between: Between, _past: Past) -> Option<String> {
        None
    }

    /// For what a thread waits in a loop on every way to one place, if only code behind the other one sets that, in words.
    fn awaited(&self, _between: Between, _past: Past) -> Option<String> {
        None
    }

    /// Whether what a thread reads between two places of its own decides nothing, as far as its code is known, and with which methods
    /// threads begin that read nothing else on their way to the first; none if that is not known of it.
    fn unread(&self, _between: Between) -> Option<Option<Vec<String>>> {
        None
    }

    /// Whether a thread may come to a place again, since a loop leads there, in words.
    fn comes_again(&self, _site: super::step::Site) -> Option<String> {
        None
    }

    /// The pool whose thread it is, as far as its name tells.
    fn pool(&self, _thread: super::step::Thread) -> Option<String> {
        None
    }

    /// What may become of those who wait when the trace ends.
    fn outlook(&self) -> Outlook {
        Outlook::Steps
    }

    /// A thread of the JVM's own: it notifies nobody.
    fn is_jvms_own(&self, _thread: super::step::Thread) -> bool {
        false
    }

    /// A thread that does not keep the program from ending.
    fn is_daemon(&self, _thread: super::step::Thread) -> bool {
        false
    }
}

/// What may become of those who wait to be notified when a trace ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// What the steps themselves tell.
    Steps,
    /// The program went on: somebody may come of whom no step is known.
    GoesOn,
    /// It was made to end, by a signal or by `exit`. What only waits then and keeps it from ending by itself waited for ever.
    Exits,
    /// It was killed, or the recording cut off, when nobody had done anything for a while.
    Breaks,
    /// They may have been served already.
    Unknown,
}

/// What a lock is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockName {
    /// Stable name; several objects may share it.
    pub name: String,
    /// Number or name of the lock in the trace or report.
    pub id: String,
    /// Its types.
    pub types: String,
    /// Which object, where the name stands for several.
    pub object: Option<String>,
    /// It stands for one object only, as far as was seen.
    pub alone: bool,
    /// It is left out of reports: the JVM's own, and known to be safe.
    pub hidden: bool,
    /// It is called by a class of the JDK's alone, as any other object of that may be.
    pub foreign: bool,
    /// What somebody waits for there who does not want to have it.
    pub awaited: Awaited,
}

/// What somebody waits for at something that he does not want to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Awaited {
    /// To be notified.
    #[default]
    Notify,
    /// That it is counted down.
    Count,
    /// An element.
    Put,
    /// Somebody who takes what he brings.
    Take,
    /// That others come.
    Meeting,
    /// A permit that another gives.
    Permit,
}

/// An id that another run gives too.
pub(crate) fn stable_id(kind: Kind, names: &[String]) -> String {
    let words = [kind.name()]
        .into_iter()
        .chain(names.iter().map(String::as_str));
    short_id('D', words)
}

/// The id of names alone becomes one of what else tells it from others, too.
pub(crate) fn identify(id: &mut String, besides: &BTreeSet<String>) {
    if !besides.is_empty() {
        let all = [id.as_str()].into_iter();
        *id = short_id('D', all.chain(besides.iter().map(String::as_str)));
    }
}

/// A name without the number that it has beside others of the same name: which one is called so is another in another run, and
/// whether they are told apart depends on what else was done with them.
pub(crate) fn unnumbered(name: &str) -> &str {
    let numbered = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    match numbered {
        Some((stem, number)) if is_number(number) => stem,
        _ => name,
    }
}

/// Names around a cycle as what it is known by: the same wherever it was entered. How many objects of one logical
/// lock were taken within each other is no part of it.
pub(crate) fn known_by(names: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|n| unnumbered(n).to_owned()).collect();
    let by = first_by_name(&names);
    names.rotate_left(by);
    if names.iter().all(|name| *name == names[0]) {
        names.truncate(1);
    }
    names
}

/// By how much names around a cycle are turned so that they read smallest.
pub(crate) fn first_by_name(names: &[String]) -> usize {
    let turned = |by: usize| names[by..].iter().chain(&names[..by]).collect::<Vec<_>>();
    let by = (0..names.len()).min_by(|&a, &b| turned(a).cmp(&turned(b)));
    by.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_of_several_it_was_is_no_part_of_what_a_deadlock_is_known_by() {
        let known = |names: &[&str]| known_by(names.iter().map(|n| (*n).to_owned()).collect());
        assert_eq!(known(&["mutex", "mutex (2)"]), known(&["mutex", "mutex"]));
        assert_eq!(known(&["b (3)", "a"]), ["a", "b"]);
        for name in ["a (b)", "a ()", "a(2)", "(2)"] {
            assert_eq!(unnumbered(name), name);
        }
    }
}
