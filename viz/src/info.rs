//! What a trace consists of (the figures of Hofer et al., §5.4 and §5.5): rates, records and
//! bytes by kind, share of metadata, gaps and losses.

use crate::Look;
use crate::text::{Paint, bytes, clean, count, left, many, percent, right, time, wrapped};
use locklens_inference::volume::{Composition, Share};
use locklens_trace::record::{EndReason, target_key};
use serde_json::{Map, Value, json as value};
use std::collections::BTreeMap;
use std::io::{self, Write};

mod facts;

/// Columns of what is said of the target.
const LABEL: usize = 24;
/// Columns before that.
const COLUMN: usize = LABEL + 3;

/// Version of the JSON.
pub const SCHEMA: u32 = 1;

/// Writes the composition for people.
///
/// # Errors
/// When `out` fails.
pub fn text(composition: &Composition, look: Look, out: &mut dyn Write) -> io::Result<()> {
    section("Target", look, out)?;
    for (key, text) in &composition.target {
        // Lists have a line for each thing.
        let value = facts::value(key, text);
        let lines = value.split('\n').map(clean);
        let lines: Vec<_> = lines.map(|line| in_column(&line, look)).collect();
        let lines = lines.join(&format!("\n{}", " ".repeat(COLUMN)));
        writeln!(out, "  {} {lines}", left(&clean(&facts::label(key)), LABEL))?;
    }
    section("Trace", look, out)?;
    summary(composition, out)?;
    kinds("Events", &composition.events, composition, look, out)?;
    kinds("Metadata", &composition.metadata, composition, look, out)?;
    missing(composition, look, out)
}

/// A value, broken between its words where it is too wide for what is left of a line.
fn in_column(line: &str, look: Look) -> String {
    let room = look.width.saturating_sub(COLUMN);
    wrapped(line, room).replace('\n', &format!("\n{}", " ".repeat(COLUMN)))
}

fn section(title: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Paint::Bold.on(title, look))
}

fn summary(composition: &Composition, out: &mut dyn Write) -> io::Result<()> {
    let events = composition.event_total();
    let volume = composition.volume;
    let seconds = composition.duration.0 as f64 / 1e9;
    writeln!(
        out,
        "  {} {} ({})",
        left("duration", 18),
        time(composition.duration),
        ending(composition)
    )?;
    writeln!(
        out,
        "  {} {}{}",
        left("events", 18),
        count(events.records),
        rate(events.records, seconds)
    )?;
    writeln!(
        out,
        "  {} {}, {} before compression{}",
        left("size", 18),
        bytes(volume.stored),
        bytes(volume.raw),
        rate(volume.stored, seconds).replace("/s", " B/s")
    )?;
    if events.records > 0 {
        let each = volume.stored as f64 / events.records as f64;
        writeln!(
            out,
            "  {} {each:.2}, metadata included",
            left("bytes per event", 18)
        )?;
    }
    chains(composition, out)?;
    let share = composition.metadata_total().raw_bytes as f64 / (volume.raw.max(1)) as f64;
    writeln!(
        out,
        "  {} {} of the bytes",
        left("metadata", 18),
        percent(share)
    )?;
    writeln!(
        out,
        "  {} {}\n",
        left("agent CPU time", 18),
        time(composition.agent_cpu)
    )
}

fn chains(composition: &Composition, out: &mut dyn Write) -> io::Result<()> {
    let chains = composition.chains;
    if chains.events == 0 {
        return Ok(());
    }
    let share = chains.taken as f64 / chains.events as f64;
    writeln!(
        out,
        "  {} {} of {} blockings and waits have one",
        left("call chains", 18),
        percent(share),
        count(chains.events)
    )
}

fn ending(composition: &Composition) -> &'static str {
    match composition.end {
        Some(EndReason::Stopped) => "ended by the command",
        Some(EndReason::VmDeath) => "ended with the target",
        Some(EndReason::CommandSilent) => "ended early: the command fell silent",
        Some(EndReason::OutOfMemory) => "ended early: the target had no memory left",
        None => "cut off: partial",
    }
}

fn rate(n: u64, seconds: f64) -> String {
    if seconds < 0.001 {
        return String::new();
    }
    format!(", {}/s", count((n as f64 / seconds) as u64))
}

fn kinds(
    title: &str,
    shares: &BTreeMap<&'static str, Share>,
    composition: &Composition,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heads = ["records", "bytes", "of bytes"].map(|h| right(h, 12));
    section(&format!("{}{}", left(title, 21), heads.concat()), look, out)?;
    for (kind, share) in shares {
        let of_bytes = share.raw_bytes as f64 / composition.volume.raw.max(1) as f64;
        let cells = [
            count(share.records),
            bytes(share.raw_bytes),
            percent(of_bytes),
        ]
        .map(|c| right(&c, 12));
        writeln!(out, "  {}{}", left(kind, 19), cells.concat())?;
    }
    writeln!(out)
}

fn missing(composition: &Composition, look: Look, out: &mut dyn Write) -> io::Result<()> {
    section("Missing", look, out)?;
    for (cause, n) in &composition.lost {
        writeln!(out, "  {} {} lost", left(cause, 18), count(*n))?;
    }
    if composition.paused.0 > 0 {
        let share = composition.paused.0 as f64 / composition.duration.0.max(1) as f64;
        writeln!(
            out,
            "  {} all events of monitors, {} ({}): to cost no more",
            left("paused", 18),
            time(composition.paused),
            percent(share)
        )?;
    }
    for (name, n) in &composition.hidden {
        writeln!(
            out,
            "  {} {} hidden as known-safe",
            left(&clean(name), 18),
            many(*n, "event")
        )?;
    }
    for (cause, gap) in &composition.gaps {
        writeln!(
            out,
            "  {} {}, {}",
            left(cause, 18),
            many(gap.count, "gap"),
            bytes(gap.bytes)
        )?;
    }
    if composition.end.is_none() {
        writeln!(
            out,
            "  {} cut off: how much is missing there is not known",
            left("the end", 18)
        )?;
    } else if composition.lost.is_empty()
        && composition.paused.0 == 0
        && composition.hidden.is_empty()
        && composition.gaps.is_empty()
    {
        writeln!(out, "  nothing")?;
    }
    Ok(())
}

/// Writes the composition as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(composition: &Composition, out: &mut dyn Write) -> io::Result<()> {
    let events = composition.event_total();
    let gaps: Map<String, Value> = composition
        .gaps
        .iter()
        .map(|(cause, gap)| {
            (
                (*cause).to_owned(),
                value!({"count": gap.count, "bytes": gap.bytes}),
            )
        })
        .collect();
    // Texts of megabytes, which `deadlocks` explains.
    let told = |(key, _): &(&String, &String)| !key.starts_with(target_key::DUMP);
    let target: BTreeMap<_, _> = composition.target.iter().filter(told).collect();
    let document = value!({
        "schema": SCHEMA,
        "target": target,
        "duration_ns": composition.duration.0,
        "ended": composition.end.is_some(),
        "events": events.records,
        "stored_bytes": composition.volume.stored,
        "raw_bytes": composition.volume.raw,
        "metadata_share": composition.metadata_total().raw_bytes as f64 / composition.volume.raw.max(1) as f64,
        "agent_cpu_ns": composition.agent_cpu.0,
        "event_kinds": shares(&composition.events),
        "metadata_kinds": shares(&composition.metadata),
        "call_chains": {"events": composition.chains.events, "taken": composition.chains.taken},
        "lost": composition.lost,
        "paused_ns": composition.paused.0,
        "hidden": composition.hidden,
        "gaps": gaps,
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

fn shares(shares: &BTreeMap<&'static str, Share>) -> Value {
    shares
        .iter()
        .map(|(kind, share)| {
            (
                (*kind).to_owned(),
                value!({"records": share.records, "raw_bytes": share.raw_bytes}),
            )
        })
        .collect::<Map<_, _>>()
        .into()
}
