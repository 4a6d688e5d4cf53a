//! Who was stuck when the recording ended: deadlocks, and who holds what others are blocked on.

use crate::Look;
use crate::show::{FRAMES, call_chain};
use crate::text::{Paint, clean, folded, many, seconds, short_class, time};
use locklens_inference::model::{Blockage, Deadlock, Holder, KnownBy, Model, Stand, Stuck};
use locklens_trace::Nanos;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Longest ring that is told thread by thread.
const RING: usize = 8;
/// Most lock objects told of at the top of a report.
const BLOCKAGES: usize = 8;
/// Frames of a holder's call chain at the top of a report.
const TOP: usize = 6;
/// What has blocked somebody for so long at the end is told at the top of the report; contention as
/// usual is not.
const LONG: Nanos = Nanos(1_000_000_000);

pub(super) fn deadlocks(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if model.deadlocks.is_empty() {
        return Ok(());
    }
    for deadlock in &model.deadlocks {
        ring(model, deadlock, look, out)?;
    }
    if model.deadlocks.iter().any(|ring| !has_sampled(model, ring)) {
        writeln!(out, "`locklens graph FILE --cycles` shows where.")?;
    }
    if model.deadlocks.iter().any(|ring| has_sampled(model, ring)) {
        writeln!(out, "{CHAINS}")?;
    }
    writeln!(out)
}

/// Where to look on where the nesting graph, which knows monitors only, does not show the places.
pub(crate) const CHAINS: &str =
    "`locklens show FILE LOCK` has the call chains at locks of java.util.concurrent.";

/// Whether one of the locks is known from looks at parked threads.
pub(crate) fn has_sampled(model: &Model, ring: &Deadlock) -> bool {
    let locks = model.locks.iter().filter(|lock| lock.sampled.is_some());
    let ids: BTreeSet<_> = locks.map(|lock| Some(lock.id)).collect();
    ring.threads.iter().any(|stuck| ids.contains(&stuck.lock))
}

/// The threads of a deadlock, and what they want.
pub(crate) fn ring(
    model: &Model,
    deadlock: &Deadlock,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = format!(
        "DEADLOCK of {}, each blocked on what the next one holds:",
        many(deadlock.threads.len() as u64, "thread")
    );
    writeln!(out, "{}", Paint::Bold.on(&title, look))?;
    for stuck in deadlock.threads.iter().take(RING) {
        let (thread, object) = (name(&stuck.thread, stuck.tid), object(model, stuck));
        let line = format!("{thread} wants {object}, {}", since(model, stuck.since));
        writeln!(out, "  {}", folded(&line, 4, look.width))?;
    }
    if deadlock.threads.len() > RING {
        writeln!(out, "  … and {} more", deadlock.threads.len() - RING)?;
    }
    let by_chain = |stuck: &Stuck| stuck.known == Some(KnownBy::CallChain);
    match deadlock.threads.iter().any(by_chain) {
        true => writeln!(
            out,
            "  (not every owner was named by the JVM: known from the call chains)"
        ),
        false => Ok(()),
    }
}

/// Those that have lasted, and are no part of a deadlock told already.
pub(super) fn blockages(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let in_ring = |blockage: &&Blockage| {
        let mut stuck = model.deadlocks.iter().flat_map(|ring| &ring.threads);
        stuck.any(|stuck| stuck.object == blockage.first().object) && blockage.threads.len() == 1
    };
    let lasts = |blockage: &&Blockage| {
        let since = blockage.first().since;
        since == Nanos(0) || model.recording.duration.since(since) >= LONG
    };
    let all = model.blockages.iter();
    let told: Vec<_> = all.filter(lasts).filter(|b| !in_ring(b)).collect();
    for blockage in told.iter().take(BLOCKAGES) {
        lines(model, blockage, (TOP, look), out)?;
    }
    if told.len() > BLOCKAGES {
        writeln!(
            out,
            "… and {} more, which `locklens show` tells",
            told.len() - BLOCKAGES
        )?;
    }
    match told.is_empty() {
        true => Ok(()),
        false => writeln!(out),
    }
}

/// The blockages of one lock.
pub(crate) fn of_lock(model: &Model, lock: u32, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let of_it = |blockage: &&Blockage| blockage.first().lock == Some(lock);
    for (nth, blockage) in model.blockages.iter().filter(of_it).enumerate() {
        if nth == 0 {
            writeln!(out, "\n{}", Paint::Bold.on("At the end", look))?;
        }
        if nth == BLOCKAGES {
            return writeln!(out, "  …");
        }
        lines(model, blockage, (FRAMES, look), out)?;
    }
    Ok(())
}

fn lines(
    model: &Model,
    blockage: &Blockage,
    (frames, look): (usize, Look),
    out: &mut dyn Write,
) -> io::Result<()> {
    let first = blockage.first();
    let blocked = blockage.threads.len() as u64;
    let verb = if blocked == 1 { "is" } else { "are" };
    let from = match blocked {
        1 => since(model, first.since),
        _ => format!("the first {}", since(model, first.since)),
    };
    let title = format!(
        "STUCK: {} {verb} blocked on {}, {from}",
        many(blocked, "thread"),
        object(model, first)
    );
    let title = folded(&title, 4, look.width);
    writeln!(out, "{}", Paint::Bold.on(&title, look))?;
    let holder = holder(model, blockage);
    writeln!(out, "  {}", folded(&holder, 4, look.width))?;
    if let Holder::Thread {
        chain: Some(chain), ..
    } = &blockage.holder
    {
        call_chain(chain, frames, out)?;
    }
    match blockage.may_be_lockout {
        true => writeln!(
            out,
            "  Nested monitor lockout, if whoever is to wake it must take {} first.",
            of_which(first)
        ),
        false => Ok(()),
    }
}

fn holder(model: &Model, blockage: &Blockage) -> String {
    let (thread, tid, known, stand) = match &blockage.holder {
        Holder::Unknown => return "held by: unknown".to_owned(),
        Holder::Nobody => return "held by nobody at that moment".to_owned(),
        Holder::Thread {
            thread,
            tid,
            known,
            stand,
            ..
        } => (thread, tid, known, stand),
    };
    let how = match known {
        KnownBy::End | KnownBy::StillThere => "",
        KnownBy::CallChain => " (known from its call chain)",
        KnownBy::Beginning => " when the last of them began to block; at the end unknown",
    };
    let stand = match (stand, known) {
        (Some(stand), _) => format!(", which {}", stands(model, stand)),
        (None, KnownBy::Beginning) => String::new(),
        (None, _) => ", seen neither blocked nor waiting".to_owned(),
    };
    format!("held by {}{how}{stand}", name(thread, *tid))
}

fn stands(model: &Model, stand: &Stand) -> String {
    let what = match (stand.waits, stand.timed) {
        (false, _) => "is blocked on",
        (true, true) => "waits with a time-out on",
        (true, false) => "waits on",
    };
    format!(
        "{what} {}, {}",
        object(model, &stand.at),
        since(model, stand.at.since)
    )
}

fn name(thread: &str, tid: Option<u64>) -> String {
    let tid = tid.map_or(String::new(), |tid| format!(" #{tid}"));
    format!("\"{}\"{tid}", clean(thread))
}

/// The name of the lock, if it is shown, else the class.
fn object(model: &Model, stuck: &Stuck) -> String {
    let lock = stuck.lock.and_then(|id| {
        let lock = model.locks.iter().find(|lock| lock.id == id)?;
        Some(format!(
            "{} (lock {id}, object {})",
            clean(&lock.name),
            stuck.object
        ))
    });
    lock.unwrap_or_else(|| {
        let class = clean(&short_class(&stuck.class));
        format!("{class} (object {})", stuck.object)
    })
}

fn of_which(stuck: &Stuck) -> String {
    stuck.lock.map_or_else(
        || format!("object {}", stuck.object),
        |id| format!("lock {id}"),
    )
}

/// For how long until the end, and from which moment of the recording on.
fn since(model: &Model, at: Nanos) -> String {
    match at {
        Nanos(0) => "since before the recording".to_owned(),
        at => format!(
            "for {} (since second {})",
            time(model.recording.duration.since(at)),
            seconds(at)
        ),
    }
}
