//! One lock in full: types with their evidence, every region with its role, the distributions.

mod regions;

use crate::contention::of_lock;
use crate::report::{
    SCHEMA, acquisitions, blockage, damage, lock_json, recording_json, slices, standstill_json,
    still, stopped, stuck,
};
use crate::text::{
    Paint, clean, count, details, folded, left, listed, many, parameters, percent, place, right,
    source, tallied, time, types,
};
use crate::{Look, cut, uses};
use locklens_inference::contention::Blame;
use locklens_inference::model::{
    CallChain, LogicalLock, Model, Parks, Recording, RegionReport, Release, Sampled, Stays, Times,
    Uses, Verdict,
};
use regions::regions;
use std::io::{self, Write};

/// Writes one lock for people, with who held it while others were blocked, if that is known: of this lock alone.
///
/// # Errors
/// When `out` fails.
pub fn text(
    model: &Model,
    lock: &LogicalLock,
    blame: Option<&Blame>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = format!("Lock {}: {}", lock.id, types(&lock.types));
    writeln!(out, "{}", Paint::Bold.on(&title, look))?;
    writeln!(out, "  {}", clean(&lock.called()))?;
    for class in &lock.classes {
        writeln!(out, "  class {}", clean(class))?;
    }
    numbers(lock, &model.recording, out)?;
    for note in stopped(&model.recording)
        .into_iter()
        .chain(slices(&model.recording))
        .chain(damage(&model.recording))
    {
        writeln!(out, "  {}", folded(&note, 2, look.width))?;
    }
    stuck::of_lock(model, lock.id, look, out)?;
    if let Some(blame) = blame {
        of_lock::text(blame, stuck::is_named(model, lock.id), look, out)?;
    }
    section("Types", look, out)?;
    for verdict in &lock.types {
        self::verdict(lock, verdict, look, out)?;
    }
    runners_up(lock, look, out)?;
    contradictions(lock, look, out)?;
    if let Some(sampled) = &lock.sampled {
        let places =
            lock.regions.len() as u64 + lock.unplaced.blocked.count + lock.unplaced.waits.count;
        if places > 0 || lock.uses.is_none() {
            section("Used from", look, out)?;
        }
        for region in &lock.regions {
            used_from(region, out)?;
        }
        unplaced_sampled(&lock.unplaced, out)?;
        if let Some(uses) = &lock.uses {
            uses::section(uses, look, out)?;
        }
        if let Some(parks) = &lock.parks {
            unparkers(parks, look, out)?;
        }
        return self::sampled(sampled, look, out);
    }
    section("Regions", look, out)?;
    regions(lock, look, out)
}

/// A place of the program that parks on a sampled lock.
fn used_from(region: &RegionReport, out: &mut dyn Write) -> io::Result<()> {
    let roles: Vec<_> = region.roles.iter().map(|role| role.name()).collect();
    let words = [roles.join(", "), source(region)];
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let method = format!(
        "{}.{}{}",
        region.class,
        region.method,
        parameters(&region.descriptor)
    );
    writeln!(out, "  #{} {}", region.id.0, clean(&method))?;
    if !words.is_empty() {
        writeln!(out, "     {}", words.join("; "))?;
    }
    estimates(&region.blocked, &region.waits, out)
}

fn unplaced_sampled(stays: &Stays, out: &mut dyn Write) -> io::Result<()> {
    if stays.blocked.total.0 == 0 && stays.waits.total.0 == 0 {
        return Ok(());
    }
    writeln!(out, "  no call chain")?;
    estimates(&stays.blocked, &stays.waits, out)
}

fn estimates(blocked: &Times, waits: &Times, out: &mut dyn Write) -> io::Result<()> {
    for (name, times) in [("blocked", blocked), ("waited", waits)] {
        if times.total.0 > 0 {
            writeln!(out, "     {}", estimate(name, times))?;
        }
    }
    Ok(())
}

fn estimate(name: &str, times: &Times) -> String {
    format!(
        "{name} ≈ {} in {} told apart",
        time(times.total),
        many(times.count, "stay")
    )
}

/// Frames of a call chain shown.
pub(crate) const FRAMES: usize = 12;

/// The innermost frames, so many at most.
pub(crate) fn call_chain(
    chain: &CallChain,
    most: usize,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    for frame in chain.frames.iter().take(most) {
        writeln!(
            out,
            "      {}",
            cut::frame(frame, look.width.saturating_sub(6))
        )?;
    }
    if chain.cut || chain.frames.len() > most {
        writeln!(out, "      …")?;
    }
    Ok(())
}

/// What parked threads and owners were doing.
fn sampled(sampled: &Sampled, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if !sampled.owner_threads.is_empty() {
        section("Owners", look, out)?;
        for (thread, samples) in &sampled.owner_threads {
            writeln!(out, "  {:>6} × \"{}\"", count(*samples), clean(thread))?;
        }
    }
    for (title, chains) in [
        ("Threads parked on it", &sampled.waiters),
        ("Its owners meanwhile", &sampled.owners),
    ] {
        if chains.is_empty() {
            continue;
        }
        section(title, look, out)?;
        for chain in chains {
            writeln!(out, "  {} ×", count(chain.samples))?;
            call_chain(&chain.chain, FRAMES, look, out)?;
        }
    }
    Ok(())
}

/// Types that something speaks for in full, the others by name.
fn runners_up(lock: &LogicalLock, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if lock.runners_up.is_empty() {
        return Ok(());
    }
    section("Considered and not chosen", look, out)?;
    let (likely, idle): (Vec<_>, Vec<_>) = lock
        .runners_up
        .iter()
        .partition(|v| v.confidence >= UNLIKELY || !v.evidence.pro.is_empty());
    for verdict in likely {
        self::verdict(lock, verdict, look, out)?;
    }
    if idle.is_empty() {
        return Ok(());
    }
    let idle: Vec<_> = idle.iter().map(|v| v.lock_type.to_string()).collect();
    let idle = listed(&idle, 4, look.width);
    writeln!(out, "  nothing speaks for\n    {idle}")
}

/// A confidence under which a type without evidence for it is only named.
const UNLIKELY: f64 = 0.01;

fn distributions(blocked: &Times, waits: &Times, out: &mut dyn Write) -> io::Result<()> {
    if blocked.count > 0 {
        writeln!(out, "   {}", distribution("blocked", blocked))?;
    }
    if waits.count > 0 {
        writeln!(out, "   {}", distribution("waited", waits))?;
    }
    Ok(())
}

/// Writes one lock as JSON: the report's document with this lock alone, and who held it while others were blocked.
///
/// # Errors
/// When `out` fails.
pub fn json(
    model: &Model,
    lock: &LogicalLock,
    blame: Option<&Blame>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_it = model.blockages.iter();
    let of_it = of_it.filter(|blockage| blockage.first().lock == Some(lock.id));
    let parked = model.standstills.iter();
    let parked = parked.filter(|at| at.first().lock == Some(lock.id));
    let document = serde_json::json!({
        "schema": SCHEMA,
        "target": model.target,
        "recording": recording_json(model),
        "blockages": of_it.map(blockage).collect::<Vec<_>>(),
        "standstills": parked.map(standstill_json).collect::<Vec<_>>(),
        "locks": [lock_json(lock, &model.recording)],
        "blame": blame.map(of_lock::of_lock),
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

fn section(title: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", Paint::Bold.on(title, look))
}

fn numbers(lock: &LogicalLock, recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "  {}, {}, {}",
        many(lock.instances, "object"),
        many(lock.threads, "thread"),
        acquisitions(lock, recording)
    )?;
    if let Some(uses) = &lock.uses {
        held(uses, out)?;
    }
    if let Some(sampled) = lock.sampled.as_ref().filter(|_| lock.is_estimated()) {
        return sampled_numbers(lock, sampled, out);
    }
    writeln!(out, "\n{}", distribution_header())?;
    if recording.clockless {
        writeln!(out, "  {} not recorded", left("blocked", 8))?;
    } else {
        writeln!(out, "{}", distribution("blocked", &lock.blocked))?;
    }
    writeln!(out, "{}", distribution("waited", &lock.waits))?;
    if let Some(parks) = &lock.parks {
        writeln!(out, "  {}", ends(parks))?;
    } else if lock.timed_out > 0 {
        writeln!(out, "  {} ended by time-out", many(lock.timed_out, "wait"))?;
    }
    match still(lock.still_blocked, lock.still_waiting) {
        Some(still) => writeln!(out, "  {still}"),
        None => Ok(()),
    }
}

/// How long it was held, as far as it was.
fn held(uses: &Uses, out: &mut dyn Write) -> io::Result<()> {
    let both = [("held", &uses.held_alone), ("shared", &uses.held_shared)];
    let mut held = both.iter().filter(|(_, times)| times.count > 0).peekable();
    if held.peek().is_some() {
        writeln!(out, "\n{}", distribution_header())?;
    }
    held.try_for_each(|(name, times)| writeln!(out, "{}", distribution(name, times)))
}

/// How parks ended.
fn ends(parks: &Parks) -> String {
    let unparked = match parks.at_once {
        0 => "unparked".to_owned(),
        n => format!("unparked ({} of them before they parked)", count(n)),
    };
    let counted = [
        (parks.unparked, unparked.as_str()),
        (parks.timed_out, "timed out"),
        (parks.interrupted, "interrupted"),
        (parks.unknown, "ended for a reason not known"),
        (parks.unseen, "whose end was not seen"),
        (parks.open, "not over when the recording ended"),
    ];
    let counted = counted.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = counted
        .map(|(n, how)| format!("{} {how}", count(*n)))
        .collect();
    format!("{}: {}", many(parks.count, "park"), words.join(", "))
}

/// Who ended parks.
fn unparkers(parks: &Parks, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if parks.by.is_empty() {
        return Ok(());
    }
    section("Unparked by", look, out)?;
    for (thread, times) in &parks.by {
        writeln!(out, "  {:>6} × \"{}\"", count(*times), clean(thread))?;
    }
    match parks.unparkers.saturating_sub(parks.by.len() as u64) {
        0 => {}
        more => writeln!(out, "  and {}", many(more, "more thread"))?,
    }
    let mut releases = parks.releases.iter();
    releases.try_for_each(|release| released(release, look, out))
}

/// What ended parks, and from where.
fn released(release: &Release, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let did = match release.act {
        Some(act) => format!("by {}", act.name()),
        None => "by what is not known".to_owned(),
    };
    let (times, thread) = (count(release.times), clean(&release.thread));
    match &release.chain {
        Some(chain) => {
            writeln!(out, "  {times:>6} × \"{thread}\" {did} in")?;
            call_chain(chain, FRAMES, look, out)
        }
        None if release.act.is_some() => {
            writeln!(
                out,
                "  {times:>6} × \"{thread}\" {did}, from where is not known"
            )
        }
        None => writeln!(out, "  {times:>6} × \"{thread}\" {did}"),
    }
}

/// What is estimated of a sampled lock.
fn sampled_numbers(lock: &LogicalLock, sampled: &Sampled, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    for (name, times) in [("blocked", &lock.blocked), ("waited", &lock.waits)] {
        if times.total.0 > 0 {
            writeln!(out, "  {}", estimate(name, times))?;
        }
    }
    writeln!(
        out,
        "  sampled: {}, ± {} at most (one standard error); up to {} at once",
        many(sampled.samples, "finding"),
        time(sampled.error),
        many(sampled.most, "thread")
    )?;
    if sampled.shared {
        writeln!(out, "  its objects were not told apart")?;
    }
    if lock.still_waiting + lock.still_blocked > 0 {
        let (w, b) = (lock.still_waiting, lock.still_blocked);
        writeln!(
            out,
            "  at the end {} still waited, {b} still blocked",
            many(w, "thread")
        )?;
    }
    Ok(())
}

fn distribution_header() -> String {
    let heads = ["times", "total", "p50", "p99", "max"].map(|h| right(h, 11));
    format!("  {}{}", left("", 8), heads.concat())
}

fn distribution(name: &str, times: &Times) -> String {
    let lengths = match times.known_total().filter(|_| times.count > 0) {
        None => ["-"; 4].map(str::to_owned),
        Some(_) => [times.total, times.p50, times.p99, times.max].map(time),
    };
    let lengths = lengths.map(|c| right(&c, 11)).concat();
    let unknown = match times.unknown {
        0 => String::new(),
        n => format!("  ({} of unknown length)", count(n)),
    };
    let count = right(&count(times.count), 11);
    format!("  {}{count}{lengths}{unknown}", left(name, 8))
}

fn verdict(
    lock: &LogicalLock,
    verdict: &Verdict,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = format!("{} {}", verdict.lock_type, percent(verdict.confidence));
    let head = Paint::of_confidence(verdict.confidence).on(&head, look);
    writeln!(
        out,
        "{}",
        format!("  {head} {}", details(verdict)).trim_end()
    )?;
    for (role, regions) in &verdict.roles {
        let places: Vec<_> = regions
            .iter()
            .map(|id| {
                lock.regions
                    .iter()
                    .find(|r| r.id == *id)
                    .map_or_else(|| format!("region {}", id.0), place)
            })
            .collect();
        let places = listed(&tallied(&places), 17, look.width);
        writeln!(out, "    {} {places}", left(role.name(), 12))?;
    }
    let evidence = &verdict.evidence;
    writeln!(
        out,
        "    odds: code {:+.1}, events {:+.1} (natural log); {} as predicted, {} against",
        evidence.static_log_odds,
        evidence.dynamic_log_odds,
        many(evidence.confirmed, "step"),
        count(evidence.contradicted)
    )?;
    for reason in &evidence.pro {
        writeln!(out, "    + {}", clean(reason))?;
    }
    for reason in &evidence.contra {
        writeln!(out, "    - {}", clean(reason))?;
    }
    Ok(())
}

fn contradictions(lock: &LogicalLock, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if lock.contradictions.is_empty() {
        return Ok(());
    }
    section("Contradictions", look, out)?;
    for sentence in &lock.contradictions {
        writeln!(out, "  ! {}", clean(sentence))?;
    }
    Ok(())
}
