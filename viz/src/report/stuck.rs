//! Who was stuck when the recording ended: deadlocks, and who holds what others are blocked on.

use super::{name as name_of, standstill};
use crate::Look;
use crate::show::{FRAMES, call_chain};
use crate::text::{Paint, clean, folded, many, seconds, short_class, time};
use locklens_inference::model::{
    Blockage, CallChain, Deadlock, Holder, KnownBy, LogicalLock, Model, Stand, Stuck,
};
use locklens_inference::program::is_handing_on;
use locklens_trace::Nanos;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Longest ring that is told thread by thread.
const RING: usize = 8;
/// Most lock objects told of at the top of a report.
const BLOCKAGES: usize = 8;
/// Frames of a holder's call chain at the top of a report.
pub(super) const TOP: usize = 6;
/// Frames of the program's that are shown of each thread of a deadlock.
const RING_TOP: usize = 4;
/// Most threads that are named of those blocked on one lock.
const VICTIMS: usize = 4;
/// Frames of the JDK of which there are too many.
const INNERMOST: usize = 2;
/// The JVM names no virtual thread as an owner, and its dump of threads has none; that of the files says what each does.
const VIRTUAL: &str = "held by: unknown. If by a virtual thread, \
    `locklens attach PID jcmd Thread.dump_to_file FILE` shows what each does.";
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
        writeln!(
            out,
            "`locklens graph FILE --cycles` shows where each took what it holds."
        )?;
    }
    if model.deadlocks.iter().any(|ring| lacks_chains(model, ring)) {
        writeln!(out, "{CHAINS}")?;
    }
    writeln!(out)
}

/// Where to look on where the nesting graph, which knows monitors only, does not show the places.
pub(crate) const CHAINS: &str =
    "`locklens show FILE LOCK` has the call chains at locks of java.util.concurrent.";

/// Whether the call chains at locks that the nesting graph does not know are not all told with the ring.
pub(crate) fn lacks_chains(model: &Model, ring: &Deadlock) -> bool {
    has_sampled(model, ring) && ring.threads.iter().any(|stuck| stuck.chain.is_none())
}

/// Whether one of the locks is known from looks at parked threads.
pub(crate) fn has_sampled(model: &Model, ring: &Deadlock) -> bool {
    let locks = model.locks.iter().filter(|lock| lock.sampled.is_some());
    let ids: BTreeSet<_> = locks.map(|lock| Some(lock.id)).collect();
    ring.threads.iter().any(|stuck| ids.contains(&stuck.lock))
}

/// The threads of a deadlock, what they want, and where.
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
        if let Some(chain) = &stuck.chain {
            of_program(chain, RING_TOP, look, out)?;
        }
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
    let all = model.blockages.iter().filter(|b| lasts(model, b));
    let told: Vec<_> = all.filter(|b| !in_ring(b)).collect();
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
    let more = standstill::stuck(model, look, out)?;
    match told.is_empty() && !more {
        true => Ok(()),
        false => writeln!(out),
    }
}

/// No contention as usual.
fn lasts(model: &Model, blockage: &Blockage) -> bool {
    let since = blockage.since();
    since == Nanos(0) || model.recording.lasts_since(since) >= LONG
}

/// Whether it is known of some object of that lock who held it at the end.
pub(crate) fn is_named(model: &Model, lock: u32) -> bool {
    let of_it = |blockage: &&Blockage| blockage.first().lock == Some(lock);
    let mut holders = model.blockages.iter().filter(of_it).map(|of| &of.holder);
    holders.any(|holder| matches!(holder, Holder::Thread { .. }))
}

/// The blockages of one lock.
pub(crate) fn of_lock(model: &Model, lock: u32, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let of_it = |blockage: &&Blockage| blockage.first().lock == Some(lock);
    let all: Vec<_> = model.blockages.iter().filter(of_it).collect();
    let parked = model.standstills.iter();
    let parked: Vec<_> = parked.filter(|at| at.first().lock == Some(lock)).collect();
    if all.is_empty() && parked.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", Paint::Bold.on("At the end", look))?;
    for blockage in all.iter().take(BLOCKAGES) {
        lines(model, blockage, (FRAMES, look), out)?;
    }
    for at in parked.iter().take(BLOCKAGES) {
        standstill::line(model, at, look, out)?;
    }
    match all.len().max(parked.len()) > BLOCKAGES {
        true => writeln!(out, "  …"),
        false => Ok(()),
    }
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
    let word = if lasts(model, blockage) && !blockage.is_idle() {
        "STUCK"
    } else {
        "BLOCKED"
    };
    let title = format!(
        "{word}: {} {verb} blocked on {}, {from}",
        many(blocked, "thread"),
        object(model, first)
    );
    let title = folded(&title, 4, look.width);
    writeln!(out, "{}", Paint::Bold.on(&title, look))?;
    for line in [victims(blockage), holder(model, &blockage.holder)] {
        writeln!(out, "  {}", folded(&line, 4, look.width))?;
    }
    if let Holder::Thread {
        chain: Some(chain), ..
    } = &blockage.holder
    {
        short_chain(chain, frames, look, out)?;
    }
    if blockage.is_idle() {
        writeln!(
            out,
            "  Idle: it waits for a connection, and they for their turn."
        )?;
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

/// Whom it keeps out.
fn victims(blockage: &Blockage) -> String {
    let all = &blockage.threads;
    let names = all.iter().take(VICTIMS);
    let names: Vec<_> = names.map(|stuck| name(&stuck.thread, stuck.tid)).collect();
    let more = match all.len().saturating_sub(VICTIMS) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("blocked: {}{more}", names.join(", "))
}

fn holder(model: &Model, holder: &Holder) -> String {
    let Holder::Thread {
        thread,
        tid,
        known,
        since: found,
        ended,
        stand,
        chain,
    } = holder
    else {
        return nobody_known(model, holder).to_owned();
    };
    let held = format!("held by {}", name(thread, *tid));
    if *ended {
        return format!("{held}, which has ended without releasing it");
    }
    let how = match (known, found) {
        (KnownBy::CallChain, _) => " (known from its call chain)".to_owned(),
        (KnownBy::Beginning, _) => {
            " when the last of them began to block; at the end unknown".to_owned()
        }
        (KnownBy::End | KnownBy::StillThere | KnownBy::Steps, Some(at)) => {
            format!(" (at every look, {})", since(model, *at))
        }
        (KnownBy::End | KnownBy::StillThere | KnownBy::Steps, None) => String::new(),
    };
    let stand = match (stand, known) {
        (Some(stand), _) => format!(", which {}", stands(model, stand)),
        (None, KnownBy::Beginning) => String::new(),
        (None, _) => match chain {
            Some(chain) => format!(", which {}", does(chain)),
            None if !model.recording.ended => {
                "; what it did is not known: the recording was cut off".to_owned()
            }
            None => ", seen neither blocked on a monitor nor waiting".to_owned(),
        },
    };
    format!("{held}{how}{stand}")
}

/// What is said of a holder that is no thread.
fn nobody_known(model: &Model, holder: &Holder) -> &'static str {
    match holder {
        Holder::Nobody => "held by nobody at that moment",
        Holder::Readers => "held by readers (who is not known by watching)",
        _ if model.recording.virtual_threads => VIRTUAL,
        _ if !model.recording.ended => "held by: unknown, as the recording was cut off",
        _ => "held by: unknown",
    }
}

/// What a thread does that stands at no lock, by the method it is in.
fn does(chain: &CallChain) -> &'static str {
    let top = chain.frames.first().map_or("", String::as_str);
    let is_in = |method: &str| {
        let place = top.strip_prefix(method);
        place.is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', '0', 'N']))
    };
    if is_in("java.lang.Thread.sleep") {
        "sleeps, in"
    } else if is_in("jdk.internal.misc.Unsafe.park") || is_in("sun.misc.Unsafe.park") {
        "is parked, in"
    } else {
        "at the end was in"
    }
}

/// Frames of the JDK tell what a thread waits for; where it does so says the first one of the program.
fn is_jdk(frame: &str) -> bool {
    let prefixes = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    prefixes.iter().any(|prefix| frame.starts_with(prefix))
}

/// The innermost frames; of many of the JDK's, and of what only hands calls on, above the program's first the innermost two.
fn short_chain(chain: &CallChain, most: usize, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let above = chain
        .frames
        .iter()
        .take_while(|frame| is_jdk(frame) || is_handing_on(frame))
        .count();
    if above <= most / 2 || above == chain.frames.len() {
        return call_chain(chain, most, look, out);
    }
    let innermost = CallChain {
        frames: chain.frames[..INNERMOST].to_vec(),
        cut: false,
    };
    call_chain(&innermost, INNERMOST, look, out)?;
    let passed = &chain.frames[INNERMOST..above];
    let like = match passed.iter().all(|frame| is_jdk(frame)) {
        true => "",
        false => " and of what hands calls on",
    };
    writeln!(out, "      … {} more of the JDK{like}", passed.len())?;
    let rest = CallChain {
        frames: chain.frames[above..].to_vec(),
        cut: chain.cut,
    };
    call_chain(&rest, most - INNERMOST, look, out)
}

/// The program's own frames: of a thread that is stuck in a lock the JDK's above them say nothing new, nor do those of the
/// classes that the JVM makes of lambdas.
pub(super) fn of_program(
    chain: &CallChain,
    most: usize,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_own = |frame: &&String| !is_jdk(frame) && !frame.contains("$$Lambda");
    let own = chain.frames.iter().filter(is_own);
    let own = CallChain {
        frames: own.cloned().collect(),
        cut: chain.cut,
    };
    match own.frames.is_empty() {
        true => call_chain(chain, INNERMOST, look, out),
        false => call_chain(&own, most, look, out),
    }
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

/// The lock that a thread stands at, if it is shown.
pub(super) fn lock_of<'m>(model: &'m Model, stuck: &Stuck) -> Option<&'m LogicalLock> {
    model.locks.iter().find(|lock| Some(lock.id) == stuck.lock)
}

/// The name of the lock, if it is shown, else the class.
pub(super) fn object(model: &Model, stuck: &Stuck) -> String {
    let lock = lock_of(model, stuck).map(|lock| {
        format!(
            "{} (lock {}, object {}{})",
            bare(lock),
            lock.id,
            stuck.object,
            of_class(lock, stuck)
        )
    });
    lock.unwrap_or_else(|| {
        let class = clean(&short_class(&stuck.class));
        format!("{class} (object {})", stuck.object)
    })
}

/// The name of a lock without the classes of its other objects.
fn bare(lock: &LogicalLock) -> String {
    let name = name_of(lock);
    match lock.concrete.is_empty() {
        true => name,
        false => clean(&lock.name),
    }
}

/// The class of the object, where the name says only what it extends.
fn of_class(lock: &LogicalLock, stuck: &Stuck) -> String {
    match lock.concrete.is_empty() {
        true => String::new(),
        false => format!(", class {}", clean(&short_class(&stuck.class))),
    }
}

fn of_which(stuck: &Stuck) -> String {
    stuck.lock.map_or_else(
        || format!("object {}", stuck.object),
        |id| format!("lock {id}"),
    )
}

/// For how long until the end, and from which moment of the recording on.
pub(super) fn since(model: &Model, at: Nanos) -> String {
    match at {
        Nanos(0) => "since before the recording".to_owned(),
        at => format!(
            "for {} (since second {})",
            time(model.recording.until().since(at)),
            seconds(at)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(frames: &[&str]) -> CallChain {
        CallChain {
            frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
            cut: false,
        }
    }

    #[test]
    fn the_first_frame_of_the_program_is_shown_however_deep_the_jdk() {
        let jdk = ["java.net.Socket.read0"; 7];
        let shown = |frames: &[&str]| {
            let mut out = Vec::new();
            short_chain(&chain(frames), TOP, Look::default(), &mut out).expect("memory");
            String::from_utf8(out).expect("text")
        };
        let deep: Vec<&str> = jdk.iter().copied().chain(["app.Loader.fetch"]).collect();
        let text = shown(&deep);
        assert!(
            text.contains("5 more of the JDK\n      app.Loader.fetch\n"),
            "{text}"
        );
        assert_eq!(text.lines().count(), INNERMOST + 2);
        assert_eq!(shown(&jdk).lines().count(), TOP + 1, "and an ellipsis");
        let few = ["java.lang.Thread.sleep", "app.Loader.fetch"];
        assert_eq!(shown(&few).lines().count(), 2);
        let groovy = [
            "java.lang.reflect.Method.invoke",
            "groovy.lang.MetaMethod.doMethodInvoke",
        ];
        let called: Vec<&str> = groovy
            .iter()
            .cycle()
            .take(8)
            .copied()
            .chain(["app.Shop.buy"])
            .collect();
        let text = shown(&called);
        let folded = "6 more of the JDK and of what hands calls on\n      app.Shop.buy\n";
        assert!(text.contains(folded), "{text}");
    }

    #[test]
    fn what_a_holder_does_is_read_off_its_innermost_method() {
        for (frame, done) in [
            ("java.lang.Thread.sleep0(Thread.java)", "sleeps, in"),
            ("java.lang.Thread.sleepNanos(Thread.java:9)", "sleeps, in"),
            ("sun.misc.Unsafe.park", "is parked, in"),
            ("app.Thread.sleep(Thread.java:3)", "at the end was in"),
        ] {
            assert_eq!(does(&chain(&[frame])), done);
        }
    }
}
