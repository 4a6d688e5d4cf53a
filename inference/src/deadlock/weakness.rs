//! What keeps a proof from a better tier, and how that is said.

use super::finding::{Between, Names, Past};
use super::step::{Lock, Reading, Thread};

/// What keeps a proof from a better tier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weakness {
    GivenUp,
    /// Choices of threads that were looked at are excluded, and there are more of them.
    Unlooked,
    Missing,
    /// A thread that was there before the recording began did it so at first, and later always with more, or in code from before.
    Before,
    /// Somebody else took what one of them held, and its release was not seen.
    Unreleased,
    /// What was read orders them, in a trace that has every read.
    Read,
    Presumed,
    /// One of them, or who started it, stood somewhere when the recording began, or was let go on there by code from before.
    Stood,
    /// One of them was let go on by another, who need not be the one that does so; where, and two who do.
    Opener(Option<(Lock, Option<[Thread; 2]>)>),
    /// How many permits there are is not known, or by the code alone that makes the semaphore.
    Permits {
        by_code: bool,
    },
    /// The one that waited was let go each time before the other went that way.
    Served,
    /// Nobody waited, and who brings it has the same lock: who takes it may have looked first.
    Looked,
    /// Somebody else notifies there without what is kept from others; who waits so was never seen to go on by that.
    Notifier(Thread),
    /// There may have been permits from the beginning.
    Spare,
    Count,
    /// Nobody had used yet what is waited on, and who lets others go on there has gone on since.
    Earlier,
    Apart,
    /// This, that was read, may have kept them in order; none: several things together.
    Data(Option<Reading>),
    /// What other code read is not known.
    Unrecorded,
    /// What a thread does from the one place to the other is not all recorded.
    Between(Between),
    /// Both are threads of one pool, which never had two at once.
    OneAtOnce(Thread),
    /// On every way to the one place something is asked that the other thread answers behind the other one; whether it had ended by then.
    Asked(Between, Past),
    /// Before it takes what it holds, one waits in a loop for what only code behind the place of the other one sets.
    Awaited(Between, Past),
    /// What was read is not known as it should be; this would order them.
    Doubted(Option<Reading>),
}

impl Weakness {
    /// Something that one thread tells another is known, or guessed, to put them in order.
    pub(super) fn is_of_order(self) -> bool {
        matches!(
            self,
            Self::Data(_) | Self::Awaited(..) | Self::Doubted(Some(_))
        )
    }

    pub(super) fn words(self, names: &dyn Names) -> String {
        let words = match self {
            Self::GivenUp => "whether threads are ordered was not found out within the bound",
            Self::Unlooked => {
                "there are more choices of threads than are looked at: those that were, such as this one, cannot be there at once; of the others it is not known"
            }
            Self::Missing => "events are missing before it: what else was held is not known",
            Self::Before => {
                "one of them was in the middle of it when the recording began, in code from before, or holds more whenever it comes there again: it may have held more than was seen"
            }
            Self::Unreleased => {
                "somebody else took what one of them seems to have held there, and that it was given back was not seen: it may have been by then (a probe finds no room on a stack that overflows)"
            }
            Self::Presumed => {
                "what came before what is presumed only: a start after a join, a queue, a barrier, a latch of several"
            }
            Self::Stood => {
                "what one of them, or who started it, had waited for when the recording began, or in code from before, is not known: it may have been what the other one did by then"
            }
            Self::Permits { by_code: true } => {
                "how many permits there are only the code tells that makes them: nobody was seen to wait for one and to get it when one came back"
            }
            Self::Permits { by_code: false } => {
                "how many permits there are is not known: nobody was seen to wait for one and to get it when one came back"
            }
            Self::Served => {
                "what it waited for had come before the other one went that way, each time"
            }
            Self::Looked => {
                "nobody was seen to wait there, and it comes under the same lock: who takes it may look first whether it is there"
            }
            Self::Spare => {
                "there may have been permits from the beginning: nobody was seen to wait for one"
            }
            Self::Count => {
                "how often the latch must be counted down, or who has to come, is not known"
            }
            Self::Earlier => {
                "what is waited on was first used when the other one had left this, and gone on to others of the kind: whether it was there yet is not known"
            }
            Self::Apart => "it was not seen that each still does it while the others live",
            Self::Read => "what one thread read of the other orders them in this run",
            Self::Data(what) => return ordered(what, names),
            Self::Notifier(thread) => {
                let name = names.thread(thread).name;
                return format!(
                    "\"{name}\" notifies there without these locks: that one who waited so went on by it was not seen, so that it may be for something else"
                );
            }
            Self::Opener(at) => return opened(at, names),
            Self::Between(between) => {
                let why = names.unrecorded(between).unwrap_or_default();
                return format!("no proof by what was read: {why}");
            }
            Self::Doubted(by) => return doubted(by, names),
            Self::OneAtOnce(thread) => {
                let pool = names.pool(thread).unwrap_or_default();
                return format!(
                    "{pool} was never seen to have two threads at once: it may be one that never does"
                );
            }
            Self::Awaited(between, past) => {
                let awaited = names.awaited(between, past).unwrap_or_default();
                return format!(
                    "what puts the two in order may be what one tells the other by memory: {awaited}; 'locklens confirm' looks at what is read"
                );
            }
            Self::Asked(between, past) => {
                let asked = names.asked(between, past).unwrap_or_default();
                return format!(
                    "one came there when the other was through with it, and may have to in each run: {asked}, on every known way there, and no probe tells of the answer"
                );
            }
            Self::Unrecorded => {
                let known = names.reads_known().unwrap_or_default();
                return format!(
                    "T1 relative to what was recorded: a run that reaches it exists, unless something else was read that decides ({known})"
                );
            }
        };
        words.to_owned()
    }
}

fn ordered(by: Option<Reading>, names: &dyn Names) -> String {
    let named = by.and_then(|reading| names.reading(reading));
    let what = named.unwrap_or_else(|| "what one thread read of the other".to_owned());
    format!("in this run the order may have been held by {what}; another run may come without it")
}

fn opened(at: Option<(Lock, Option<[Thread; 2]>)>, names: &dyn Names) -> String {
    let lock = |lock| names.lock(lock).name;
    match at {
        Some((at, Some(both))) => {
            let [one, other] = both.map(|thread| names.thread(thread).name);
            format!(
                "what puts them in order is that \"{one}\" ended a wait at {}; \"{other}\" ends waits there, too, and may come first in another run",
                lock(at)
            )
        }
        Some((at, None)) => format!(
            "what puts them in order is which of several, threads or futures, ended a wait at {}; another one may come first in another run",
            lock(at)
        ),
        None => "what puts them in order is who ended waits; others do so there, too, and may come first in another run".to_owned(),
    }
}

/// Of what was read, where other things were not: so far as is known it has put one thread before the other.
pub(super) const MAY_HAVE_KEPT: &str = "may have kept the order in this run";

fn doubted(by: Option<Reading>, names: &dyn Names) -> String {
    let why = names.reads_doubted().unwrap_or_default();
    let by = by.and_then(|reading| names.reading(reading));
    let besides = by.map_or_else(String::new, |what| {
        format!(" (as far as it is known, {what} {MAY_HAVE_KEPT})")
    });
    format!("no proof by what was read: {why}{besides}")
}
