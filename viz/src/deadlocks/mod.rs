//! Potential deadlocks: for people ([`text`]), for programs ([`json`]), for sites that host code ([`sarif`]), drawn
//! ([`dot`]), told one by one while they appear ([`guard`]). One that was judged again: [`confirmed`].

mod confirmed;
mod dot;
pub mod guard;
mod hang;
mod json;
mod sarif;
mod text;

pub use confirmed::{confirmed, confirmed_json};
pub use dot::dot;
pub(crate) use hang::standing;
pub(crate) use json::stood;
pub use json::{SCHEMA, json};
pub use sarif::sarif;
pub(crate) use text::brief;
pub use text::text;

use crate::text::clean;
use locklens_inference::deadlock::finding::{
    Finding, Kind, Memory, Resource, Tier, Unserved, What,
};
use locklens_inference::hang::Hang;
use locklens_inference::nesting::graph::ThreadName;

/// One line that says it all: what, which, how sure, what kind, the locks.
#[must_use]
pub fn headline(finding: &Finding) -> String {
    let what = match (finding.tier, finding.stall) {
        (Tier::T0, _) => "DEADLOCK",
        (_, true) => "POTENTIAL STALL",
        (_, false) => "POTENTIAL DEADLOCK",
    };
    let (tier, kind) = (finding.tier.name(), finding.kind.name());
    format!("{what} {} {tier} {kind}: {}", finding.id, around(finding))
}

/// Names around the cycle, back to the first.
#[must_use]
pub fn around(finding: &Finding) -> String {
    let back = finding
        .locks
        .first()
        .filter(|_| finding.kind != Kind::UnservedWaiter);
    let names = finding.locks.iter().chain(back);
    let names: Vec<_> = names.map(|lock| clean(&lock.name)).collect();
    names.join(" → ")
}

/// What a tier claims, and what it does not.
fn meaning(finding: &Finding, hang: Option<&Hang>) -> &'static str {
    if hang.is_some() {
        return match finding.unserved {
            Some(Unserved::OwnerEnded) => hang::abandoned(finding.tier),
            Some(Unserved::OwnerIdle) => hang::kept(finding.tier),
            Some(Unserved::Starved | Unserved::HolderUnknown | Unserved::NoNotifier) => hang::STILL,
            _ => hang::meaning(finding.tier),
        };
    }
    match finding.tier {
        Tier::T5 if finding.unserved == Some(Unserved::KeptOut) => hang::SUSPECTED,
        Tier::T5 if finding.unserved == Some(Unserved::Late) => {
            "it takes its monitor and waits without asking anything; what may keep it from coming too late is said below"
        }
        Tier::T5 if finding.kind == Kind::UnservedWaiter => {
            "nobody whom the trace knows is left to end the wait; whether somebody else comes is not known"
        }
        Tier::T3 if finding.memory == Memory::Permits => {
            "T1 as far as reads were recorded, and ranked as if none were"
        }
        Tier::T3 if finding.memory == Memory::Orders => {
            "the order in which locks were taken permits it; what was read may have kept its parts one after the other in this run"
        }
        Tier::T0 => "it happened: the threads were stuck when the trace ended",
        Tier::T1 => {
            "a run of the same steps reaches it, in the model: a proof if every read that threads share is in the trace"
        }
        Tier::T2 => "nothing that happened orders its threads",
        Tier::T3 => {
            "the order in which locks were taken permits it; what threads tell each other by memory is not in the trace"
        }
        Tier::T4 if finding.unserved == Some(Unserved::TwoRoles) => {
            "so many threads were seen to wait in two roles that both may wait at one time; no run in which the wrong one is woken was seen"
        }
        Tier::T4 if finding.unserved == Some(Unserved::Late) => {
            "it takes its monitor and waits without asking anything, and no start, join, notify or latch puts that before the last notify; no run in which it comes too late was seen"
        }
        Tier::T4 => {
            "a cycle that no common lock, start, join or notify excludes; no run that reaches it was found"
        }
        Tier::T5 => {
            "a cycle that something may keep from closing: threads or objects that are not known, or an order in this run"
        }
    }
}

/// What could keep a run from the deadlock that is proved by what was read.
const READ_ELSEWHERE: &str =
    "a read of shared memory that is not in the trace and decides the way of a thread";

/// What else could make it impossible.
fn ruled_out_by(finding: &Finding, hang: Option<&Hang>) -> &'static str {
    match (finding.tier, finding.kind) {
        (Tier::T0, _) => "nothing",
        _ if finding.unserved == Some(Unserved::OwnerIdle) => hang::GIVEN_BACK,
        _ if hang.is_some() => hang::RULED_OUT_BY,
        (_, Kind::NestedWait) => {
            "somebody who comes or notifies without these locks; a condition that makes the wait needless"
        }
        _ if finding.unserved == Some(Unserved::TwoRoles) => {
            "notifyAll, a monitor for each role, or never more threads of one role than there is room for"
        }
        _ if finding.unserved == Some(Unserved::Late) => {
            "a condition that is set before the notify and asked under the monitor before the wait"
        }
        (_, Kind::UnservedWaiter) => "somebody who comes later and notifies or counts down",
        (_, Kind::Latch) => {
            "somebody else who does without these locks what is waited for; it is done by then"
        }
        _ if finding.edges.len() == 1 => "another way, in which it gives back what it has first",
        (Tier::T3, _) if finding.memory == Memory::Orders => {
            "that order, if no thread ever goes on without having read it"
        }
        (Tier::T1, _) => READ_ELSEWHERE,
        (Tier::T3, _) if finding.memory == Memory::Permits => READ_ELSEWHERE,
        (Tier::T2 | Tier::T3 | Tier::T4, _) => {
            "an order that locks do not show: a volatile field, an atomic, a queue that lets one thread run only after the other"
        }
        (Tier::T5, _) => {
            "a lock that is held around it, start or join, other objects, any order that the trace does not show"
        }
    }
}

/// Why nobody serves it; of one that hangs now (`live`) nobody has seen who had what it waits for.
fn unserved(why: Unserved, live: bool) -> &'static str {
    match why {
        Unserved::OwnerEnded if live => {
            "nobody owns it: who had it seems to have ended without letting it go"
        }
        Unserved::NoNotifier if live => "nobody is left who could do what is waited for",
        Unserved::Lost => "the notify came before the wait, and nobody is left to notify again",
        Unserved::Late => {
            "it does not ask whether the notify has come already: where it has, it waits for one that nobody gives any more"
        }
        Unserved::NotifierEnded => "those who notified on this lock have ended",
        Unserved::NotifierWaits => "those who notified on this lock wait there themselves",
        Unserved::TwoRoles => {
            "one notify serves both of these: it may wake one whose turn it is not, who waits again, and then nobody is woken"
        }
        Unserved::OtherRole => "one of several waiters was notified, and it was another one",
        Unserved::OwnerEnded => "who had it has ended without letting it go",
        Unserved::OwnerIdle => {
            "who has it is idle in its pool: no code of it runs that would give it back"
        }
        Unserved::HolderUnknown => {
            "who has it is not known: one of those who wait, or somebody who has ended"
        }
        Unserved::Starved => {
            "all threads of its pool wait in tasks: what lies in the queue of that pool nobody runs"
        }
        Unserved::KeptOut => {
            "so the recording ended: whoever is blocked on what it holds may be who should end the wait; that it is so is not known"
        }
        Unserved::NoNotifier => "nobody notified anybody on this lock, and nobody is left to do it",
    }
}

/// `"name" #12`, as in a thread dump; virtual threads often have no name.
fn thread(thread: &ThreadName) -> String {
    let tid = thread.tid.map_or(String::new(), |tid| format!(" #{tid}"));
    match thread.name.as_str() {
        "" => format!("unnamed thread{tid}"),
        name => format!("\"{}\"{tid}", clean(name)),
    }
}

/// A lock in a sentence: `read lock of a (READ-WRITE, object 3)`.
fn resource(lock: &Resource, mode: &str) -> String {
    let way = match (lock.what, mode) {
        (What::Lock | What::Release, "shared") => "shared ",
        (What::Lock | What::Release, "permit") => "permit of ",
        _ => "",
    };
    let name = clean(&lock.name);
    let object = lock.object.as_deref().map(clean);
    let types = Some(clean(&lock.types)).filter(|types| !types.is_empty());
    let details: Vec<String> = types.into_iter().chain(object).collect();
    match details.is_empty() {
        true => format!("{way}{name}"),
        false => format!("{way}{name} ({})", details.join(", ")),
    }
}
