//! What a live JVM, or dumps of its threads, show besides deadlocks: who hangs behind them, and who is blocked on whom else.

use super::text::place;
use super::{resource, thread};
use crate::Look;
use crate::text::{clean, count, folded, many, short_place};
use locklens_inference::deadlock::finding::{Hang, Resource, Tier, What};
use locklens_inference::hang::{
    Awaited, Behind, Carried, Carriers, Holder, Other, Queue, Standing, Starved,
};
use locklens_inference::nesting::graph::ThreadName;
use locklens_inference::sample::State;
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Threads shown behind a deadlock.
const BEHIND: usize = 20;
/// Places shown where threads wait, and names of those at one.
const STANDING: usize = 20;
const NAMES: usize = 5;
/// Callers shown of where a holder is.
const CALLERS: usize = 2;
/// Locks shown that threads are blocked on.
const QUEUES: usize = 10;

/// What could make a suspicion wrong.
pub(super) const RULED_OUT_BY: &str =
    "another thread, of this program or one that it starts, that ends the wait";

/// That somebody waits with what others are blocked on.
pub(super) const SUSPECTED: &str =
    "suspected: the wait may be for one of those it keeps out; another thread may end it";

/// That nobody can let a lock go any more.
pub(super) fn abandoned(tier: Tier) -> &'static str {
    match tier {
        Tier::T4 => "very likely: nobody who lives can let the lock go",
        _ => {
            "suspected: if the lock was not free for a moment only, nobody who lives can let it go"
        }
    }
}

/// What gives a lock back that an idle thread holds.
pub(super) const GIVEN_BACK: &str = "a later task, run by that very thread, that gives it back";

/// That a lock is held by a thread that has nothing to do.
pub(super) fn kept(tier: Tier) -> &'static str {
    match tier {
        Tier::T4 => "very likely: nothing gives the lock back until that thread gets a task",
        _ => "suspected: nothing gives the lock back until that thread gets a task",
    }
}

/// That nobody goes on.
pub(super) const STILL: &str =
    "very likely: no thread of the program goes on that could end the wait";

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
    let behind = hanging_behind(hang, id);
    behind.map_or(Ok(()), |words| writeln!(out, "  {words}"))?;
    let groups = grouped(all);
    for group in groups.iter().take(BEHIND) {
        writeln!(out, "    {}", folded(&told(group), 8, look.width - 2))?;
    }
    let untold = groups.iter().skip(BEHIND).map(Vec::len).sum::<usize>();
    match untold {
        0 => Ok(()),
        more => writeln!(out, "    … {} more; --json has all", count(more as u64)),
    }
}

/// How many hang behind a finding, if any do.
pub(super) fn hanging_behind(hang: &Hang, id: &str) -> Option<String> {
    let n = all_behind(hang, id).len() as u64;
    (n > 0).then(|| format!("behind it {}", hanging(n)))
}

/// Those who want the same of the same thread at the same place, in the order of the first of each.
fn grouped(all: &[Behind]) -> Vec<Vec<&Behind>> {
    let mut groups: Vec<Vec<&Behind>> = Vec::new();
    for one in all {
        let same = |group: &&mut Vec<&Behind>| {
            let first = group[0];
            let same = (&first.by, &first.wants) == (&one.by, &one.wants);
            same && first.wants_at.first() == one.wants_at.first()
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
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

fn told(group: &[&Behind]) -> String {
    let behind = group[0];
    let threads: Vec<ThreadName> = group.iter().map(|one| one.thread.clone()).collect();
    let (who, is, waits) = match threads.as_slice() {
        [one] => (thread(one), "is", "waits"),
        several => (several_of(several), "are", "wait"),
    };
    let by = thread(&behind.by);
    let what = resource(&behind.wants, behind.wants.mode);
    let at = place(&behind.wants_at);
    match behind.wants.what {
        What::Lock => format!("{who} {is} blocked on {what}, which {by} holds, at{at}"),
        What::End if behind.wants.id.is_empty() => {
            format!("{who} {waits} for the {what}, which may be {by}, at{at}")
        }
        _ => format!("{who} {waits} for the {what}, by {by}, at{at}"),
    }
}

/// How many, and the first names.
fn several_of(threads: &[ThreadName]) -> String {
    format!(
        "{} ({})",
        many(threads.len() as u64, "thread"),
        names(threads)
    )
}

/// That nothing was found, and among whom.
pub(super) fn none(hang: &Hang) -> &'static str {
    match hang.virtual_threads {
        _ if hang.is_cut => {
            "no deadlock among the threads that are left of a dump that was cut off"
        }
        Some(_) if hang.untold > 0 => "no deadlock of threads that the JVM tells of",
        Some(_) if hang.still && !hang.standing.is_empty() => {
            "no deadlock proved, though no thread of the program goes on"
        }
        Some(_) if hang.queues.iter().any(is_anybodys) => {
            "no deadlock proved, as who holds what threads are blocked on is not known"
        }
        Some(_) => "no deadlock",
        None => "no deadlock of platform threads",
    }
}

/// Nobody knows who holds that lock, and no further dump would tell.
fn is_anybodys(queue: &Queue) -> bool {
    queue.holder.is_none() && queue.anonymous
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
pub(crate) fn standing(hang: &Hang, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for pool in &hang.starved {
        writeln!(out, "  {}", folded(&starved(pool), 4, look.width))?;
    }
    if let Some(line) = carriers(&hang.carriers) {
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
        let line = format!("{} at{}", waits(one), called_by(&one.at));
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

/// Who stands on a carrier, and what that comes to where no carrier is free.
fn carriers(carriers: &Carriers) -> Option<String> {
    let standing = &carriers.standing;
    let told: Vec<String> = standing.iter().map(on_carrier).collect();
    let (threads, their) = match standing.len() {
        0 => return None,
        1 => (
            "1 virtual thread stands".to_owned(),
            "its carrier, which has hardly",
        ),
        n => (
            format!("{} stand", many(n as u64, "virtual thread")),
            "their carriers, which have hardly",
        ),
    };
    let rest = match carriers.others {
        0 => {
            "; no other carrier was seen: if the JVM may have no more (as many as processors, or jdk.virtualThreadScheduler.parallelism), no other virtual thread runs, nor goes on whom somebody wakes"
        }
        _ => "",
    };
    Some(format!(
        "{threads} on {their} run between the dumps: blocked on a monitor, parked within one, or in native code: {}{rest}",
        listed(&told)
    ))
}

fn on_carrier(carried: &Carried) -> String {
    let at = match carried.at.is_empty() {
        true => String::new(),
        false => format!(" at{}", place(&carried.at)),
    };
    format!(
        "{}{at} (on {})",
        thread(&carried.thread),
        thread(&carried.carrier)
    )
}

/// That a pool waits for itself, as sure as it can be: whose results they are no dump says, nor how many threads it may have.
fn starved(pool: &Starved) -> String {
    let (what, if_own, who) = match pool.awaited {
        Awaited::Result => (
            "results of tasks",
            "If these are to run in that same pool, and its threads are limited, nobody runs what lies in its queue",
            "give them: what lies in the queue of that pool nobody runs",
        ),
        Awaited::Deed => (
            "what others are to do",
            "If that is left to tasks of that same pool, and its threads are limited, nobody runs what lies in its queue",
            "do it: if that is left to tasks of that same pool, nobody runs what lies in its queue",
        ),
        Awaited::End => (
            "a pool to end",
            "If that is the pool of these very tasks, it does not end before they do",
            "end it: if that is the pool of these very tasks, it does not end before they do",
        ),
    };
    let verb = if pool.threads.len() == 1 {
        "waits"
    } else {
        "wait"
    };
    let of = match pool.pools {
        1 => "a pool".to_owned(),
        several => many(several as u64, "pool"),
    };
    let all = format!(
        "{}, all of {of} as their names tell, {verb} in {} for {what}",
        several_of(&pool.threads),
        clean(&pool.method)
    );
    let others = || {
        let told = pool
            .others
            .iter()
            .filter(|other| other.busy == pool.is_doubtful());
        let told = told.map(|other| format!("{} ({})", thread(&other.thread), does(other.state)));
        listed(&told.collect::<Vec<_>>())
    };
    let together = match pool.together.as_slice() {
        [] => String::new(),
        several => format!(
            "; so do {}, of a pool that could serve this one: nobody runs what lies in the queue of either",
            several_of(several)
        ),
    };
    let told = match (pool.is_doubtful(), pool.others.is_empty()) {
        (true, _) => format!(
            "perhaps starved: {all}. {if_own}; but they may come from others: {}",
            others()
        ),
        (false, false) => format!(
            "very likely starved: {all}, and no other thread runs a task. {if_own}; of others only these go on: {}",
            others()
        ),
        (false, true) => format!("starved: {all}, and no other thread goes on that could {who}"),
    };
    told + &together
}

fn does(state: State) -> &'static str {
    match state {
        State::Runnable => "runs",
        State::Sleeping => "sleeps",
        State::Blocked => "is blocked",
        State::WaitingTimed | State::ParkedTimed => "waits for a time",
        State::Waiting | State::Parked => "waits",
        State::Unknown => "unknown",
    }
}

/// The first few words.
fn listed(words: &[String]) -> String {
    let mut told: Vec<String> = words.iter().take(NAMES).cloned().collect();
    let more = words.len().saturating_sub(NAMES);
    told.extend((more > 0).then(|| format!("{} more", count(more as u64))));
    told.join(", ")
}

fn waits(standing: &Standing) -> String {
    let which = match standing.objects {
        0 | 1 => String::new(),
        all if all == standing.threads.len() => "each at one of its own, such as ".to_owned(),
        all => format!("{} of them, such as ", count(all as u64)),
    };
    let object = standing.wants.object.as_deref();
    let what = Resource {
        object: object.map(|object| format!("{which}{object}")),
        ..standing.wants.clone()
    };
    let what = resource(&what, "");
    let (who, verb) = match standing.threads.as_slice() {
        [one] => (thread(one), "waits"),
        several => (several_of(several), "wait"),
    };
    let timed = if standing.timed {
        ", for a time only,"
    } else {
        ""
    };
    match standing.wants.what {
        What::Lock if standing.wants.mode != "permit" => {
            let is = if standing.threads.len() == 1 {
                "is"
            } else {
                "are"
            };
            format!("{who} {is} blocked on {what}{timed}")
        }
        What::Lock => format!("{who} {verb} for a permit of {what}{timed}"),
        _ => format!(
            "{who} {verb} for {} {what}{timed}",
            article(&standing.wants.name)
        ),
    }
}

/// Of things that there are many of, one.
fn article(name: &str) -> &'static str {
    match name.split(" of ").next().unwrap_or(name) {
        "item" => "an",
        "free place" => "a",
        _ if name.starts_with("taker at ") || name.starts_with("partner at ") => "a",
        _ => "the",
    }
}

/// The first few.
fn names(threads: &[ThreadName]) -> String {
    listed(&threads.iter().map(thread).collect::<Vec<_>>())
}

fn standing_json(standing: &Standing) -> Value {
    let threads = standing.threads.iter();
    value!({
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "wants": standing.wants.name,
        "objects": standing.objects,
        "at": standing.at,
        "timed": standing.timed,
    })
}

fn starved_json(pool: &Starved) -> Value {
    let threads = pool.threads.iter();
    value!({
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "pools": pool.pools,
        "method": pool.method,
        "awaits": match pool.awaited {
            Awaited::Result => "result",
            Awaited::Deed => "deed",
            Awaited::End => "end",
        },
        "sure": match (pool.is_doubtful(), pool.others.is_empty()) {
            (true, _) => "perhaps",
            (false, false) => "likely",
            (false, true) => "nobody-else",
        },
        "others": pool.others.iter().map(other_json).collect::<Vec<_>>(),
        "together": pool.together.iter().map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
    })
}

fn carried_json(carried: &Carried) -> Value {
    value!({
        "carrier": carried.carrier.name,
        "tid": carried.thread.tid,
        "name": carried.thread.name,
        "at": carried.at,
    })
}

fn other_json(other: &Other) -> Value {
    value!({
        "name": other.thread.name,
        "tid": other.thread.tid,
        "state": other.state.name(),
        "busy": other.busy,
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
            None => queue.held_last.as_ref().map_or_else(
                || "who holds it is unknown".to_owned(),
                |last| {
                    format!(
                        "{} held it when the recording ended; whether it does still no dump says",
                        thread(last)
                    )
                },
            ),
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
        _ if holder.idle => "is idle in its pool,".to_owned(),
        State::Runnable => match &holder.native {
            Some(method) => format!("is in {}, in native code,", clean(&short_place(method))),
            None => "runs".to_owned(),
        },
        State::Blocked => "is blocked itself".to_owned(),
        State::Parked | State::ParkedTimed => "is parked".to_owned(),
        State::Waiting | State::WaitingTimed => "waits".to_owned(),
        State::Sleeping => "sleeps".to_owned(),
        State::Unknown => "is".to_owned(),
    };
    let holds = match holder.read {
        true => "holds it, as the recording has read off it,",
        false => "holds it",
    };
    format!(
        "{} {holds} and {does} at{}",
        thread(&holder.thread),
        called_by(&holder.at)
    )
}

/// The innermost frames: what a thread does there its callers say better than a helper that sleeps.
fn called_by(chain: &[String]) -> String {
    let callers = chain.iter().skip(1).take(CALLERS);
    let callers = callers.map(|frame| format!(" ← {}", clean(&short_place(frame))));
    format!("{}{}", place(chain), callers.collect::<String>())
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
        "carriers": {
            "standing": hang.carriers.standing.iter().map(carried_json).collect::<Vec<_>>(),
            "others": hang.carriers.others,
        },
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
            "idle": holder.idle,
            "native": holder.native,
            "read": holder.read,
        })
    });
    value!({
        "lock": queue.lock.name,
        "object": queue.lock.object,
        "threads": threads.map(|one| value!({"name": one.name, "tid": one.tid})).collect::<Vec<_>>(),
        "holder": holder,
        "held_last": queue.held_last.as_ref().map(|last| value!({"thread": last.name, "tid": last.tid})),
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
