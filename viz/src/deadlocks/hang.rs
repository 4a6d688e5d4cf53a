//! What a live JVM, or dumps of its threads, show besides deadlocks: who hangs behind them, and who is blocked on whom else.

use super::text::place;
use super::{resource, thread};
use crate::Look;
use crate::text::{clean, count, folded, many};
use locklens_inference::deadlock::finding::{Hang, Tier, What};
use locklens_inference::hang::{Behind, Holder, Queue, Standing, Starved};
use locklens_inference::nesting::graph::ThreadName;
use locklens_inference::sample::State;
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Threads shown behind a deadlock.
const BEHIND: usize = 20;
/// Places shown where threads wait, and names of those at one.
const STANDING: usize = 20;
const NAMES: usize = 5;
/// Locks shown that threads are blocked on.
const QUEUES: usize = 10;

/// What could make a suspicion wrong.
pub(super) const RULED_OUT_BY: &str =
    "another thread, of this program or one that it starts, that ends the wait";

/// That somebody waits with what others are blocked on.
pub(super) const SUSPECTED: &str =
    "suspected: the wait may be for one of those it keeps out; another thread may end it";

/// That nobody can let a lock go any more.
pub(super) const ABANDONED: &str = "very likely: nobody who lives can let the lock go";

/// What a tier claims of threads that stand still.
pub(super) fn meaning(tier: Tier) -> &'static str {
    match tier {
        Tier::T0 => "it happened: these threads are stuck, and nobody is left who could free them",
        Tier::T5 => SUSPECTED,
        _ => "very likely: each stands at what the next one keeps, as far as dumps tell",
    }
}

/// Who hangs behind a finding, and on what.
pub(super) fn behind(hang: &Hang, id: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let all = all_behind(hang, id);
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "  behind it {}", hanging(all.len() as u64))?;
    for one in all.iter().take(BEHIND) {
        writeln!(out, "    {}", folded(&told(one), 8, look.width - 2))?;
    }
    match all.len().saturating_sub(BEHIND) {
        0 => Ok(()),
        more => writeln!(out, "    … {} more; --json has all", count(more as u64)),
    }
}

fn hanging(n: u64) -> String {
    match n {
        1 => "1 thread hangs".to_owned(),
        n => format!("{} hang", many(n, "thread")),
    }
}

fn all_behind<'h>(hang: &'h Hang, id: &str) -> &'h [Behind] {
    let mut found = hang.behind.iter();
    found.find(|(of, _)| of == id).map_or(&[], |(_, all)| all)
}

fn told(behind: &Behind) -> String {
    let (who, by) = (thread(&behind.thread), thread(&behind.by));
    let what = resource(&behind.wants, behind.wants.mode);
    let at = place(&behind.wants_at);
    match behind.wants.what {
        What::Lock => format!("{who} is blocked on {what}, which {by} holds, at{at}"),
        What::End if behind.wants.id.is_empty() => {
            format!("{who} waits for the {what}, which may be {by}, at{at}")
        }
        _ => format!("{who} waits for the {what}, by {by}, at{at}"),
    }
}

/// That nothing was found, and among whom.
pub(super) fn none(hang: &Hang) -> &'static str {
    match hang.virtual_threads {
        _ if hang.is_cut => {
            "no deadlock among the threads that are left of a dump that was cut off"
        }
        Some(_) if hang.untold > 0 => "no deadlock of threads that the JVM tells of",
        Some(_) => "no deadlock",
        None => "no deadlock of platform threads",
    }
}

/// How many threads there are, and how they stand.
pub(super) fn summary(hang: &Hang, found: &str) -> String {
    let threads = many(hang.threads, "thread");
    let of = match hang.virtual_threads {
        Some(0) | None => threads,
        Some(n) => format!("{threads} ({} virtual)", count(n)),
    };
    let subject = match hang.subject.is_empty() {
        true => String::new(),
        false => format!(" of {}", clean(&hang.subject)),
    };
    let moved = match hang.moved {
        0 => String::new(),
        n => format!(", {} moved between the dumps", count(n)),
    };
    let longest = match hang.queues.first() {
        Some(queue) if hang.behind.is_empty() => format!(", most {}", behind_whom(queue)),
        _ => String::new(),
    };
    format!(
        "{found}; {}{subject}: {of}, {} blocked{longest}, {} waiting{moved}",
        many(hang.dumps, "dump"),
        count(hang.blocked),
        count(hang.waiting),
    )
}

fn behind_whom(queue: &Queue) -> String {
    match &queue.holder {
        Some(holder) => format!(
            "({}) behind {}",
            queue.threads.len(),
            thread(&holder.thread)
        ),
        None => format!("({}) on {}", queue.threads.len(), clean(&queue.lock.name)),
    }
}

/// Where threads wait, if that is all that can be said.
pub(super) fn standing(hang: &Hang, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for pool in &hang.starved {
        let (names, threads) = (
            names(&pool.threads),
            many(pool.threads.len() as u64, "thread"),
        );
        let line = format!(
            "starved: {threads} ({names}), all of a pool as their names tell, wait in {} for results of tasks: what lies in the queue of that pool nobody runs",
            clean(&pool.method)
        );
        writeln!(out, "  {}", folded(&line, 4, look.width))?;
    }
    if hang.still && !hang.standing.is_empty() {
        let line = match hang.virtual_threads {
            Some(_) => "all threads of the program stand still",
            None => "all platform threads of the program stand still",
        };
        writeln!(out, "  {line}")?;
    }
    for one in hang.standing.iter().take(STANDING) {
        let line = format!("{} at{}", waits(one), place(&one.at));
        writeln!(out, "  {}", folded(&line, 4, look.width))?;
    }
    match hang.standing.len().saturating_sub(STANDING) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  … {}; --json has all",
            many(more as u64, "more place")
        ),
    }
}

fn waits(standing: &Standing) -> String {
    let what = resource(&standing.wants, "");
    let (who, verb) = match standing.threads.as_slice() {
        [one] => (thread(one), "waits"),
        several => (
            format!(
                "{} ({})",
                many(several.len() as u64, "thread"),
                names(several)
            ),
            "wait",
        ),
    };
    let timed = if standing.timed {
        ", for a time only,"
    } else {
        ""
    };
    match standing.wants.what {
        What::Lock => format!("{who} {verb} for {what}{timed}"),
        _ => format!("{who} {verb} for the {what}{timed}"),
    }
}

/// The first few.
fn names(threads: &[ThreadName]) -> String {
    let mut told: Vec<String> = threads.iter().take(NAMES).map(thread).collect();
    let more = threads.len().saturating_sub(NAMES);
    told.extend((more > 0).then(|| format!("{} more", count(more as u64))));
    told.join(", ")
}

fn standing_json(standing: &Standing) -> Value {
    let threads = standing.threads.iter();
    value!({
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "wants": standing.wants.name,
        "at": standing.at,
        "timed": standing.timed,
    })
}

fn starved_json(pool: &Starved) -> Value {
    let threads = pool.threads.iter();
    value!({
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "method": pool.method,
    })
}

/// Locks that threads are blocked on although their holder is not stuck, as far as is known.
pub(super) fn queues(hang: &Hang, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for queue in hang.queues.iter().take(QUEUES) {
        let blocked = match queue.threads.len() as u64 {
            1 => format!("{} is blocked", thread(&queue.threads[0])),
            n => format!("{} are blocked", many(n, "thread")),
        };
        let lock = resource(&queue.lock, queue.lock.mode);
        let holder = match &queue.holder {
            Some(holder) => held(holder),
            None => "who holds it is unknown".to_owned(),
        };
        let line = format!("{blocked} on {lock}; {holder}");
        writeln!(out, "  {}", folded(&line, 4, look.width))?;
    }
    match hang.queues.len().saturating_sub(QUEUES) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  … {}; --json has all",
            many(more as u64, "more lock")
        ),
    }
}

fn held(holder: &Holder) -> String {
    let does = match holder.state {
        State::Runnable => "runs",
        State::Blocked => "is blocked itself",
        State::Parked | State::ParkedTimed => "is parked",
        State::Waiting | State::WaitingTimed => "waits",
        State::Sleeping => "sleeps",
        State::Unknown => "is",
    };
    format!(
        "{} holds it and {does} at{}",
        thread(&holder.thread),
        place(&holder.at)
    )
}

/// The same for programs.
pub(super) fn json(hang: &Hang) -> Value {
    value!({
        "subject": hang.subject,
        "dumps": hang.dumps,
        "threads": hang.threads,
        "virtual_threads": hang.virtual_threads,
        "blocked": hang.blocked,
        "waiting": hang.waiting,
        "moved": hang.moved,
        "queues": hang.queues.iter().map(queue).collect::<Vec<_>>(),
        "standing": hang.standing.iter().map(standing_json).collect::<Vec<_>>(),
        "still": hang.still,
        "starved": hang.starved.iter().map(starved_json).collect::<Vec<_>>(),
    })
}

fn queue(queue: &Queue) -> Value {
    let threads = queue.threads.iter();
    let holder = queue.holder.as_ref().map(|holder| {
        value!({
            "thread": holder.thread.name,
            "tid": holder.thread.tid,
            "state": holder.state.name(),
            "at": holder.at,
        })
    });
    value!({
        "lock": queue.lock.name,
        "object": queue.lock.object,
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "holder": holder,
    })
}

/// Threads that hang behind a finding.
pub(super) fn behind_json(hang: &Hang, id: &str) -> Value {
    let all = all_behind(hang, id).iter();
    let one = |behind: &Behind| {
        value!({
            "thread": behind.thread.name,
            "tid": behind.thread.tid,
            "wants": behind.wants.name,
            "wants_at": behind.wants_at,
            "by": behind.by.name,
            "by_tid": behind.by.tid,
        })
    };
    all.map(one).collect()
}
