//! Potential deadlocks for people: a line to grep for, then who holds what and wants what, where.

use super::{hang, headline, meaning, resource, ruled_out_by, thread, unserved};
use crate::Look;
use crate::text::{Paint, clean, count, folded, many, short_place};
use locklens_inference::deadlock::finding::{
    Facts, Finding, Kind, Other, Part, Report, Resource, Tier, Unserved, What,
};
use locklens_inference::hang::Hang;
use std::io::{self, Write};

/// Frames shown of a call chain.
const FRAMES: usize = 6;
/// Cycles shown that cannot become a deadlock.
const EXCLUDED: usize = 20;

/// Writes the findings, what was excluded and why, and what was not looked at.
///
/// # Errors
/// When `out` fails.
pub fn text(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let stood = report.stood.as_deref();
    for report in stood.into_iter().chain([report]) {
        for finding in &report.findings {
            one(finding, report.hang.as_ref(), look, out)?;
            writeln!(out)?;
        }
    }
    excluded(report, look, out)?;
    for report in stood.into_iter().chain([report]) {
        summary(report, look, out)?;
    }
    Ok(())
}

pub(super) fn one(
    finding: &Finding,
    hang: Option<&Hang>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", Paint::Bold.on(&headline(finding), look))?;
    let mut say = |sentence: &str| writeln!(out, "  {}", folded(sentence, 4, look.width));
    say(&format!(
        "{}: {}",
        finding.tier.name(),
        meaning(finding, hang)
    ))?;
    if finding.stall {
        say("a stall: somebody gives up, and goes on")?;
    }
    if let Some(why) = finding.unserved {
        say(unserved(why, hang.is_some()))?;
    }
    for (place, edge) in finding.edges.iter().enumerate() {
        part((finding, hang.is_some()), place, edge, look, out)?;
    }
    if let Some(standing) = hang {
        super::hang::behind(standing, &finding.id, look, out)?;
    }
    let mut say = |sentence: &str| writeln!(out, "  {}", folded(sentence, 4, look.width));
    for remark in &finding.remarks {
        say(&clean(remark))?;
    }
    if finding.alike > 1 {
        say(&format!(
            "{} deadlocks have this name: other locks, in other lambdas or anonymous classes",
            finding.alike
        ))?;
    }
    if finding.patterns > 1 {
        say(&format!(
            "{} of threads and objects are this one",
            many(finding.patterns, "choice")
        ))?;
    }
    for other in &finding.others {
        say(&by_others(finding, other))?;
    }
    match finding.tier {
        Tier::T0 => Ok(()),
        _ => say(&format!(
            "would be ruled out by: {}",
            ruled_out_by(finding, hang)
        )),
    }
}

/// Who holds what and wants what; of one that hangs now (`live`) nobody has seen on his way to what.
fn part(
    (f, live): (&Finding, bool),
    at: usize,
    edge: &Part,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Who is not served wants the one lock there is, however many are told.
    let held = &f.locks[at % f.locks.len()];
    let wanted = &f.locks[(at + 1) % f.locks.len()];
    let other = edge.wants_object.clone().map(|object| Resource {
        object: Some(object),
        ..wanted.clone()
    });
    let wanted = other.as_ref().unwrap_or(wanted);
    let alone = f.kind == Kind::UnservedWaiter;
    writeln!(out, "  {}", thread(&edge.thread))?;
    let mut line = |words: &str| writeln!(out, "    {}", folded(words, 8, look.width - 2));
    match held.what {
        _ if alone => {}
        What::Lock => line(&format!(
            "holds {}, taken at{}",
            resource(held, held.mode),
            place(&edge.holds_at)
        ))?,
        What::Release => line(&format!("may hold {}", resource(held, held.mode)))?,
        What::Notify => {
            let is = match f.unserved {
                Some(Unserved::KeptOut) => "may be",
                _ if live => "may be",
                _ => "is",
            };
            line(&format!("{is} on its way to the {}", resource(held, "")))?;
        }
        What::End if held.id.is_empty() => line("may be waited for until it ends")?,
        What::End => line("is waited for until it ends")?,
        What::Turn => line("goes first: who reads waits behind it")?,
        What::Init => line(&format!(
            "is at the {} at{}",
            resource(held, ""),
            place(&edge.holds_at)
        ))?,
    }
    if !edge.also_holds.is_empty() {
        line(&format!(
            "holds besides {}",
            clean(&edge.also_holds.join(", "))
        ))?;
    }
    let times = match edge.count {
        0 | 1 => String::new(),
        n => format!(", {} times", count(n)),
    };
    let timed = match (edge.timed, wanted.what) {
        (false, _) => "",
        // `tryLock` may have a time or none.
        (true, What::Lock | What::Release) => ", and gives up if it does not get it",
        (true, _) => ", with a time-out",
    };
    line(&format!("{}{times}{timed}", wanting(f, wanted, edge)))?;
    for also in elsewhere(edge) {
        line(&also)?;
    }
    let taken = if held.what == What::Init {
        "begun"
    } else {
        "taken"
    };
    chain(&edge.holds_at, taken, out)?;
    chain(&edge.wants_at, "wanted", out)
}

/// What a thread wants, and where.
fn wanting(f: &Finding, wanted: &Resource, edge: &Part) -> String {
    let verb = match (wanted.what, f.tier) {
        (What::Notify, _) if wanted.name.starts_with(['a', 'e', 'i', 'u']) => "waits for an",
        (What::Notify, _) => "waits for a",
        (What::End | What::Init, _) => "waits for the",
        (What::Turn, _) => "waits for its",
        (What::Lock, Tier::T0) => "is blocked on",
        (What::Lock | What::Release, _) => "wants",
    };
    format!(
        "{verb} {} at{}",
        resource(wanted, edge.mode),
        place(&edge.wants_at)
    )
}

/// A hang in a few lines, without call chains.
pub(crate) fn brief(
    finding: &Finding,
    hang: &Hang,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", Paint::Bold.on(&headline(finding), look))?;
    let mut say = |sentence: &str| writeln!(out, "  {}", folded(sentence, 4, look.width));
    say(&format!(
        "{}: {}",
        finding.tier.name(),
        meaning(finding, Some(hang))
    ))?;
    finding
        .unserved
        .map_or(Ok(()), |why| say(unserved(why, true)))?;
    for (edge, wanted) in finding
        .edges
        .iter()
        .zip(finding.locks.iter().cycle().skip(1))
    {
        say(&format!(
            "{} {}",
            thread(&edge.thread),
            wanting(finding, wanted, edge)
        ))?;
    }
    hang::hanging_behind(hang, &finding.id).map_or(Ok(()), |words| say(&words))?;
    let mut remarks = finding.remarks.iter();
    remarks.try_for_each(|remark| say(&clean(remark)))
}

/// The same by other threads at other objects.
fn by_others(finding: &Finding, other: &Other) -> String {
    let next = other.locks.iter().cycle().skip(1);
    let parts = other.edges.iter().zip(other.locks.iter().zip(next));
    let parts = parts.map(|(edge, (held, wanted))| {
        let holds = match held.what {
            What::Lock => format!(
                "holds {}, taken at {}, and ",
                resource(held, held.mode),
                frames(&edge.holds_at)
            ),
            _ => String::new(),
        };
        let wanted = resource(wanted, edge.mode);
        let at = frames(&edge.wants_at);
        format!("{} {holds}wants {wanted} at {at}", thread(&edge.thread))
    });
    let tier = match other.tier == finding.tier {
        true => String::new(),
        false => format!(" ({})", other.tier.name()),
    };
    let parts: Vec<String> = parts.collect();
    format!("also{tier}: {}", parts.join("; "))
}

/// The innermost frames of a chain in one line.
fn frames(chain: &[String]) -> String {
    let told = chain.iter().take(FRAMES);
    let told: Vec<String> = told.map(|frame| clean(&short_place(frame))).collect();
    match (told.is_empty(), chain.len() > FRAMES) {
        (true, _) => "a place that is not known".to_owned(),
        (false, true) => format!("{} < …", told.join(" < ")),
        (false, false) => told.join(" < "),
    }
}

/// Where else it can be the same, each innermost place once.
fn elsewhere(edge: &Part) -> Vec<String> {
    let innermost = |holds: &[String], wants: &[String]| {
        let taken = match holds.is_empty() {
            true => String::new(),
            false => format!(", taken at{}", place(holds)),
        };
        format!("also at{}{taken}", place(wants))
    };
    let told = innermost(&edge.holds_at, &edge.wants_at);
    let mut all: Vec<String> = Vec::new();
    for also in &edge.also_at {
        let words = innermost(&also.holds_at, &also.wants_at);
        if words != told && !all.contains(&words) {
            all.push(words);
        }
    }
    all
}

/// The innermost frame of a chain.
pub(super) fn place(chain: &[String]) -> String {
    match chain.first() {
        Some(frame) => format!(" {}", clean(&short_place(frame))),
        None => " a place that is not known".to_owned(),
    }
}

/// A chain of one frame is in the sentence already.
fn chain(frames: &[String], what: &str, out: &mut dyn Write) -> io::Result<()> {
    if frames.len() < 2 {
        return Ok(());
    }
    writeln!(out, "      {what}:")?;
    for frame in frames.iter().take(FRAMES) {
        writeln!(out, "        {}", clean(&short_place(frame)))?;
    }
    match frames.len().saturating_sub(FRAMES) {
        0 => Ok(()),
        more => writeln!(out, "        … {}", many(more as u64, "more frame")),
    }
}

fn excluded(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if report.excluded.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", Paint::Bold.on("Excluded", look))?;
    for excluded in report.excluded.iter().take(EXCLUDED) {
        let names: Vec<_> = excluded.locks.iter().map(|name| clean(name)).collect();
        let words = format!("{}  {}", excluded.id, names.join(" → "));
        writeln!(out, "  {}", folded(&words, 6, look.width - 2))?;
        let reasons = clean(&excluded.reasons.join("; "));
        writeln!(out, "    {}", folded(&reasons, 6, look.width - 2))?;
    }
    match report.excluded.len().saturating_sub(EXCLUDED) {
        0 => Ok(()),
        more => writeln!(out, "  … {}; --json has all", many(more as u64, "more")),
    }
}

fn summary(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let seen = match &report.hang {
        // What the events of the same recording tell as well stands with them.
        Some(standing) if report.untold > 0 => {
            hang::summary(standing, &found(report, "no other deadlock"))
        }
        Some(standing) => hang::summary(standing, &found(report, hang::none(standing))),
        None => format!(
            "{}, {} excluded{}",
            found(
                report,
                match (report.untold, report.stopped_after.is_empty()) {
                    (0, true) => "no potential deadlock",
                    (0, false) => "no potential deadlock in what was looked at",
                    _ => "nothing new",
                }
            ),
            report.excluded.len(),
            steps(report.facts)
        ),
    };
    writeln!(out, "{}", folded(&seen, 2, look.width))?;
    if let Some(standing) = &report.hang {
        hang::queues(standing, look, out)?;
        let mut findings = report.findings.iter();
        if report.untold == 0 && !findings.any(|finding| finding.tier <= Tier::T4) {
            hang::standing(standing, look, out)?;
        }
    }
    for sentence in &report.stopped_after {
        let said = format!("not complete: {}", clean(sentence));
        writeln!(out, "  {}", folded(&said, 4, look.width))?;
    }
    for sentence in &report.notes {
        writeln!(out, "  {}", folded(&clean(sentence), 4, look.width))?;
    }
    Ok(())
}

/// How many there are, by tiers.
fn found(report: &Report, none: &str) -> String {
    let of = |tier| report.findings.iter().filter(|f| f.tier == tier).count() as u64;
    let tiers = Tier::ALL.iter().filter(|&&tier| of(tier) > 0);
    let tiers: Vec<_> = tiers
        .map(|&tier| format!("{} {}", of(tier), tier.name()))
        .collect();
    match tiers.is_empty() {
        true => none.to_owned(),
        false => format!(
            "{} ({})",
            many(report.findings.len() as u64, "finding"),
            tiers.join(", ")
        ),
    }
}

/// What it rests on. Of a recording that only watched there are no steps.
fn steps(facts: Facts) -> String {
    if facts.steps == 0 {
        return String::new();
    }
    let dependencies = match facts.dependencies {
        1 => "1 dependency".to_owned(),
        n => format!("{} dependencies", count(n)),
    };
    format!(
        "; {}, {}, {}, {dependencies}",
        many(facts.steps, "step"),
        many(facts.threads, "thread"),
        many(facts.locks, "lock"),
    )
}
