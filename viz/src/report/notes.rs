//! What somebody must know to read the figures: what they rest on, and what is missing from them.

use super::placeless::placeless;
use super::standstill;
use crate::cost;
use crate::text::{clean, count, many, percent, time};
use crate::toll::toll;
use locklens_inference::model::{Doubt, LogicalLock, Model, Recording};
use locklens_trace::Nanos;
use locklens_trace::record::target_key;

/// The facts of the footer.
pub(super) fn facts(recording: &Recording) -> Vec<String> {
    let options = &recording.options;
    let mut facts = vec![
        time(recording.duration),
        many(recording.events, "event"),
        format!("{} lost", count(recording.lost)),
        match hidden_total(recording) {
            0 => "no safe lock hidden".to_owned(),
            n => {
                let blocked = match recording.hidden_blocked {
                    Nanos(0) => String::new(),
                    blocked => format!(", blocked {}", time(blocked)),
                };
                let events = many(n, "event");
                format!("{events} of known-safe locks hidden{blocked} (--show-safe-locks)")
            }
        },
    ];
    let share = recording.inferred_share;
    facts.extend(share.map(|share| format!("{} of the history inferred", percent(share))));
    facts.push(kind(recording).to_owned());
    facts.extend(
        recording
            .vm_probes
            .as_ref()
            .map(|told| match told.has_every_notify() {
                true => "notifies observed".to_owned(),
                false => "notifies observed, incomplete".to_owned(),
            }),
    );
    facts.extend(recording.parks.map(|parks| {
        match recording.is_whole() && parks.replaced.is_none() {
            true => "parks exact".to_owned(),
            false => "parks exact, incomplete".to_owned(),
        }
    }));
    facts.extend(recording.looks.as_ref().map(|looks| {
        let share = looks.cpu.0 as f64 / looks.span.0.max(1) as f64;
        format!(
            "j.u.c. sampled every {} for {:.2}% of a core",
            time(looks.interval()),
            share * 100.0
        )
    }));
    facts.push(format!(
        "reset after {}",
        time(Nanos(options.reset_after.0))
    ));
    facts.push(format!("code read {} calls deep", options.call_depth));
    facts
}

/// What kind of recording it is, in two words or three.
pub(crate) fn kind(recording: &Recording) -> &'static str {
    if recording.parks.is_some_and(|parks| parks.alone) {
        return "monitors not recorded";
    }
    if recording.headless && recording.events == 0 {
        return "no part of it whole";
    }
    if recording.headless {
        return "its beginning missing";
    }
    match (recording.exact, recording.incomplete.is_empty()) {
        (false, _) if recording.paused > Nanos(0) => "watched in slices",
        (false, _) => "watched only",
        (true, true) => "exact",
        (true, false) => "exact, incomplete",
    }
}

fn hidden_total(recording: &Recording) -> u64 {
    let hidden = recording.hidden.values();
    hidden.fold(0, |sum, &events| sum.saturating_add(events))
}

/// The sentences below it.
pub(super) fn notes(model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = vec![lengths(recording).to_owned()];
    notes.extend(unmeasured(model));
    notes.extend(sampled(model));
    notes.extend(placeless(model));
    notes.extend(of_vm_probes(recording));
    notes.extend(stayed(model));
    notes.extend(standstill::idle(model));
    notes.extend(unseen_virtual(model));
    notes.extend(unseen_juc(model));
    notes.extend(left_out(model));
    notes.extend(elsewhere(model));
    notes.extend(toll(&model.target));
    notes.extend(cost::cost(&model.target));
    notes.extend(cost::given_up(&model.target));
    notes.extend(slices(recording));
    notes.extend(missing(recording));
    if recording.stacks_lost > 0 {
        notes.push(format!(
            "{} left out under their budget; the events are counted.",
            were(recording.stacks_lost, "call chain")
        ));
    }
    notes.extend(damage(recording));
    notes
}

/// Where it is not known whether a recording is exact or only watched.
pub const HEADLESS: &str = "the part of the trace that says how it was recorded could not be read: what is exact in it counts as watched";

/// Why acquisitions may be missing, if they may.
pub(crate) fn missing(recording: &Recording) -> Option<String> {
    let reasons: Vec<_> = recording.incomplete.iter().map(doubt).collect();
    (!reasons.is_empty()).then(|| {
        format!(
            "Not every acquisition is in this recording: {}.",
            reasons.join("; ")
        )
    })
}

/// What no probe saw although it was meant to be seen, for those who look for cycles. What was lost or could not be read, and which
/// code was not rewritten, they tell in their own words.
#[must_use]
pub fn unseen(recording: &Recording) -> Option<String> {
    let told_otherwise = |doubt: &&Doubt| {
        use Doubt::{CutOff, Gaps, Guarded, Lost, Unprobed};
        matches!(doubt, CutOff | Lost(_) | Gaps(_) | Unprobed(_) | Guarded)
    };
    let doubts = recording.incomplete.iter();
    let reasons: Vec<_> = doubts
        .filter(|doubt| !told_otherwise(doubt))
        .map(doubt)
        .collect();
    (!reasons.is_empty()).then(|| {
        format!(
            "Not every acquisition is in this recording: {}. That no cycle is told proves nothing of what is missing.",
            reasons.join("; ")
        )
    })
}

/// What of the trace is not there.
#[must_use]
pub fn damage(recording: &Recording) -> Vec<String> {
    let mut notes = Vec::new();
    if recording.gaps > 0 {
        notes.push(format!(
            "{} of the trace could not be read: `locklens info` lists what is missing.",
            many(recording.gaps, "part")
        ));
    }
    if !recording.ended {
        notes.push("PARTIAL: the recording was cut off before its end.".to_owned());
    }
    notes
}

fn were(n: u64, thing: &str) -> String {
    format!("{} {}", many(n, thing), if n == 1 { "was" } else { "were" })
}

/// Events were switched off now and then.
pub(crate) fn slices(recording: &Recording) -> Option<String> {
    (recording.paused > Nanos(0)).then(|| {
        let share = recording.paused.0 as f64 / recording.duration.0.max(1) as f64;
        format!(
            "SAMPLED: monitors were recorded in slices of time, {} of it; counts and times are lower bounds.",
            cost::share((1.0 - share).max(0.0))
        )
    })
}

fn lengths(recording: &Recording) -> &'static str {
    if recording.parks.is_some_and(|parks| parks.alone) {
        "Times are from just before a thread parks until it goes on."
    } else if recording.clockless {
        "Recorded without a clock: waits are counted and not timed; blocking was not recorded."
    } else {
        "Blocked times are lower bounds: the JVM reports a block only after spinning."
    }
}

/// Stays that are in no length of time, if it was lengths of time that were recorded.
fn unmeasured(model: &Model) -> Option<String> {
    if model.recording.clockless {
        return None;
    }
    let of_lock = |lock: &LogicalLock| lock.blocked.unknown.saturating_add(lock.waits.unknown);
    let all = model.locks.iter().map(of_lock);
    match all.fold(0, u64::saturating_add) {
        0 => None,
        n => Some(format!(
            "The length of {} is not known (an end is missing, or events between): counted, and in no time (≥).",
            many(n, "stay")
        )),
    }
}

/// What the VM's own probes told, or why they were not listened to.
fn of_vm_probes(recording: &Recording) -> Vec<String> {
    if let Some(why) = &recording.vm_probes_declined {
        return vec![format!(
            "The VM's own probes were not listened to: {}. Notifies and exits are inferred.",
            clean(why)
        )];
    }
    let Some(told) = &recording.vm_probes else {
        return Vec::new();
    };
    let mut notes = vec![format!(
        "From {} on the VM's own probes told {}, {} and {}: notifies that woke somebody and exits that woke a \
         successor are observed, the other exits inferred.",
        time(told.since),
        plural(told.notifies, "NOTIFY", "NOTIFYs"),
        plural(told.notify_alls, "NOTIFY-ALL", "NOTIFY-ALLs"),
        plural(told.exits, "EXIT", "EXITs")
    )];
    let causes = [
        (told.other_locks, "of a lock that is in no other event"),
        (
            told.other_threads,
            "of a thread that is not known, a virtual one as a rule",
        ),
    ];
    for (n, cause) in causes.into_iter().filter(|(n, _)| *n > 0) {
        notes.push(format!(
            "{} of these probes left out, {cause}.",
            were(n, "event")
        ));
    }
    if told.wrong > 0 {
        notes.push(format!(
            "{} of these probes not what it is taken for, and not listened to any more: events are missing.",
            were(told.wrong, "place")
        ));
    }
    notes
}

fn plural(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { more })
}

/// What locks of `java.util.concurrent` are known from, and what is not seen of them.
fn sampled(model: &Model) -> Vec<String> {
    let Some(looks) = &model.recording.looks else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if model.recording.parks.is_some() && model.locks.iter().any(|lock| lock.parks.is_some()) {
        let known = match model.locks.iter().any(|lock| lock.uses.is_some()) {
            true => "Acquisitions and who holds it are known; call chains of parks",
            false => "Owners and call chains",
        };
        notes.push(format!(
            "Of java.util.concurrent every park is counted, with its time; one stay may have \
             several. {known} are sampled."
        ));
    }
    if let Some(at) = model.recording.parks.and_then(|parks| parks.replaced) {
        notes.push(format!(
            "Another agent had classes of java.util.concurrent replaced after {}: what they did later is missing.",
            time(at)
        ));
    }
    if model.locks.iter().any(LogicalLock::is_estimated) {
        notes.push(
            "≈: a lock of java.util.concurrent, sampled. Stays are those told apart, at least so many: short \
             ones are missed; times are estimates (`show` has their error)."
                .to_owned(),
        );
    }
    if looks.is_widened() {
        let why = match looks.is_dear() {
            true => format!(
                "to stay within {:.1}% of a core ({})",
                looks.share as f64 / 100.0,
                many(looks.threads, "thread")
            ),
            false => "though not for what it costs: the agent's thread had other work or got no processor, or nothing moved (--max-overhead)".to_owned(),
        };
        let wish = time(looks.wish);
        notes.push(format!("Sampled less often than every {wish}, {why}."));
    }
    if looks.untold > 0 {
        notes.push(format!(
            "{} of parked threads could not be told: \
             the agent's memory was used up (--buffer).",
            many(looks.untold, "finding")
        ));
    }
    notes.extend(bare(&model.recording));
    notes.extend(unsampled(&model.recording));
    notes
}

/// Less than this part of one thread's time is not worth a word.
const BARE: u64 = 20;

/// Who is parked on nothing is in no lock's figures.
pub(crate) fn bare(recording: &Recording) -> Option<String> {
    let bare = recording.bare.as_ref()?;
    // What every park is recorded of has these, too.
    let told = recording.parks.is_none() && bare.time.0 >= recording.duration.0 / BARE;
    let place = bare.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!(", most in {}", clean(place)));
    let threads = many(bare.threads, "thread");
    told.then(|| {
        format!(
            "Up to {threads} parked without saying on what (no blocker), for about {} in all{place}: in no figure here. \
             'locklens sample' shows where they are, --juc who goes on when.",
            time(bare.time)
        )
    })
}

/// Nobody looks at virtual threads.
pub(crate) fn unsampled(recording: &Recording) -> Option<String> {
    let looks = recording.looks.as_ref()?;
    let what = match recording.parks {
        Some(_) => "every park is recorded, but not of every one from where",
        None => "their waits are not in it. 'locklens trace --juc' records them",
    };
    looks
        .has_virtual
        .then(|| format!("Virtual threads that park are not sampled: {what}."))
}

/// Threads that have not come back, in words; none if all have.
pub(crate) fn still(blocked: u64, waiting: u64) -> Option<String> {
    match (blocked, waiting) {
        (0, 0) => None,
        (0, n) => Some(format!("{} still waiting at the end", many(n, "thread"))),
        (n, 0) => Some(format!("{} still blocked at the end", many(n, "thread"))),
        (n, waiting) => Some(format!(
            "{} still blocked at the end, {} still waiting",
            many(n, "thread"),
            count(waiting)
        )),
    }
}

/// Threads that did not come back, and those whose lock is not known.
fn stayed(model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = Vec::new();
    // Those of the recording are at monitors.
    let parked = model.locks.iter().filter(|lock| lock.sampled.is_some());
    let (blocked, waiting) = parked.fold((0, 0), |(blocked, waiting), lock| {
        (blocked + lock.still_blocked, waiting + lock.still_waiting)
    });
    let among = match blocked + waiting {
        0 => String::new(),
        n => format!(" ({} of them on locks of java.util.concurrent)", count(n)),
    };
    let blocked = blocked + recording.still_blocked;
    let still = still(blocked, waiting + recording.still_waiting).map(|still| still + &among);
    let then = match recording.probes_off {
        Some(off) => format!("when the probes were switched off, at {}", time(off)),
        None => "then".to_owned(),
    };
    notes.extend(still.map(|still| format!("{still}: counted up to {then}.")));
    if recording.from_before > 0 {
        notes.push(format!(
            "{} blocked or waiting since before the recording: counted from its beginning.",
            many(recording.from_before, "thread")
        ));
    }
    let parked = recording.parks.map_or(0, |parks| parks.under_way);
    if parked > 0 {
        notes.push(format!(
            "{} parked since before the probes came: counted from then on.",
            many(parked, "thread")
        ));
    }
    let unread = recording.at_start.map_or(0, |counts| counts.unread);
    if unread > 0 {
        notes.push(format!(
            "{} found blocked or waiting at the beginning, on locks that could not be told.",
            many(unread, "thread")
        ));
    }
    notes
}

/// What an exact recording of a live JVM cannot say.
fn elsewhere(model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let says = |key, value| model.target.get(key).is_some_and(|said| said == value);
    let mut notes = Vec::new();
    if !recording.exact {
        return notes;
    }
    if says(target_key::EXACT_CHOSEN, "classes") {
        notes.push(
            "Only chosen classes were rewritten: code of others is seen where it blocks on their locks."
                .to_owned(),
        );
    }
    if recording.virtual_threads && says(target_key::MODE, "live") {
        notes.push(
            "Virtual threads inside code from before the rewriting are not looked for.".to_owned(),
        );
    }
    notes
}

/// Locks under which a report says little of a program that may be stuck.
const FEW: usize = 2;

/// JVMTI lists no virtual threads: those that stood still already make no event and are not looked at.
pub(super) fn unseen_virtual(model: &Model) -> Option<String> {
    let said = |key: &str| model.target.get(key).map_or("", String::as_str);
    let version = said(target_key::JAVA_VERSION);
    let feature = version.split(['.', '-', '+']).next()?.parse::<u32>().ok()?;
    let live = said(target_key::MODE) == "live" && !model.recording.exact;
    let little = model.locks.len() <= FEW || model.recording.virtual_threads;
    let which = match model.recording.virtual_threads {
        true => "Virtual threads",
        false => "Virtual threads, if there are any,",
    };
    (feature >= VIRTUAL && live && little)
        .then(|| format!("{which} that were blocked or waiting before the recording are not seen."))
}

/// Where monitors are recorded exactly, nobody looks at what is parked.
fn unseen_juc(model: &Model) -> Option<String> {
    let recording = &model.recording;
    let watched = recording.parks.is_some() || recording.looks.is_some();
    let followed = model.target.contains_key(target_key::GUARD_JUC);
    (recording.exact && !watched && !followed)
        .then(|| "Locks of java.util.concurrent are not in it: --juc records them.".to_owned())
}

/// What the JVM told of locks in code that was not rewritten.
fn left_out(model: &Model) -> Option<String> {
    let events = model.target.get(target_key::EXACT_OTHERS)?;
    let events = events.parse::<u64>().ok().filter(|n| *n > 0)?;
    let told = many(events, "event");
    Some(format!(
        "Left out: {told} of locks whose code was not rewritten; 'trace --class' adds their classes, as far as these can be rewritten."
    ))
}

/// The first JDK with virtual threads.
const VIRTUAL: u32 = 21;

/// Why an exact recording may lack acquisitions.
pub(super) fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::CutOff => "it was cut off".to_owned(),
        Doubt::Lost(n) => format!("{} lost", were(*n, "event")),
        Doubt::Gaps(n) => format!("{} of the trace could not be read", many(*n, "part")),
        Doubt::Unprobed(code) => format!(
            "code that locks, waits or notifies was not rewritten ({})",
            some_of(code)
        ),
        Doubt::Elsewhere(n) => format!(
            "{} contended enters that no probe told of (code that was not rewritten, or lost records)",
            clean(n)
        ),
        Doubt::OldCode(threads) => {
            format!("threads inside code from before: {}", clean(threads))
        }
        Doubt::Replaced { classes, since } => format!(
            "another agent had {} replaced after {}: what runs there later is missing",
            some_of(classes),
            time(*since)
        ),
        Doubt::Guarded => {
            "it tells only what was new: each nesting of locks the first times it was seen"
                .to_owned()
        }
        Doubt::Chosen => {
            "only chosen methods were rewritten, and others may take the same locks".to_owned()
        }
        Doubt::Bare(locks) => format!(
            "{} waited on in ways that no probe sees (method references, reflection, code that was not rewritten): who notifies so is not known",
            were(locks.len() as u64, "lock object")
        ),
        Doubt::Unmet(n) => format!(
            "{} met by no probe, since their code was running when it was rewritten",
            were(*n, "lock object")
        ),
    }
}

/// Names shown of a list.
const SHOWN: usize = 3;

fn some_of(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| clean(name)).collect();
    let rest = if names.len() > SHOWN {
        " and others"
    } else {
        ""
    };
    shown.join(", ") + rest
}

/// Acquisitions of a lock in words.
pub(crate) fn acquisitions(lock: &LogicalLock, recording: &Recording) -> String {
    match lock.locked {
        None if lock.parks.is_some() => "acquisitions not known from parks".to_owned(),
        None if lock.sampled.is_some() => "acquisitions not known from sampling".to_owned(),
        None => "acquisitions not known from watching".to_owned(),
        Some(n) if recording.incomplete.is_empty() => many(n, "acquisition"),
        Some(n) => format!("≥ {}", many(n, "acquisition")),
    }
}
