//! `locklens record`: from a target to a trace file.
//!
//! The order of a recording: [`live`] sends the agent into a running JVM (or [`launch`] starts one
//! with it), [`meeting`] waits for its greeting ([`hello`]), [`session`] moves its chunks
//! ([`stream`]) into the file ([`output`]) until somebody ends it ([`signals`]), shows the agent that
//! somebody is there ([`heart`]), waits for the JIT where classes are rewritten ([`dip`]), and keeps the figures ([`tally`]) that [`progress`] shows. [`outcome`] says what it came to.

pub(crate) mod dip;
pub(crate) mod heart;
pub(crate) mod hello;
pub(crate) mod launch;
pub(crate) mod live;
mod meeting;
pub(crate) mod naming;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod packer;
mod progress;
mod quiet;
mod session;
pub(crate) mod signals;
pub(crate) mod sink;
pub(crate) mod stream;
pub(crate) mod stuck;
pub(crate) mod tally;

use crate::args::{Exact, Record, Recording};
use crate::exit::{Exit, Failure};
use crate::quantity::{show_bytes, show_duration};
use crate::target::resolve;
use crate::terminal::{self, note};
use crate::trace::phases;
use hello::Secret;
use launch::Start;
use live::Request;
use naming::Subject;
use outcome::Recorded;
use output::TraceFile;
use signals::Signals;
use std::io::Write;
use std::time::Duration;

/// `locklens record`
pub(crate) fn run(args: &Record) -> Result<Exit, Failure> {
    let Some(target) = &args.target else {
        if args.exact.exact.is_some() {
            return Err(
                Failure::usage("--exact watches a JVM that runs before it chooses").hint(TRACE),
            );
        }
        let start = Start {
            launch: &args.launch,
            recording: &args.recording,
            destination: &args.destination,
            wishes: None,
            news: None,
            aside: false,
        };
        return launch::run(&start, |recorded| {
            note(&recorded.summary);
            Ok(recorded.exit)
        });
    };
    let (jvm, signals) = (resolve(target)?, Signals::quitting()?);
    let request = Request {
        pattern: args.destination.pattern(),
        replace: args.destination.replace(),
        redact: args.destination.redact,
        ..Request::watching(&jvm, &args.recording, &signals)
    };
    let recorded = exactly_or_not(&request, &args.exact)?;
    terminal::print(|out| writeln!(out, "{}", recorded.summary))?;
    Ok(recorded.exit)
}

const TRACE: &str =
    "'locklens trace --all-app -o FILE -- java …' records a program exactly from its start";

/// Records a live JVM, in two phases if the flags say so.
pub(crate) fn exactly_or_not(request: &Request<'_>, exact: &Exact) -> Result<Recorded, Failure> {
    match &exact.exact {
        None => live::record_as(request),
        Some(_) => phases::record(request, exact),
    }
}

/// What somebody makes of a recording who asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Purpose {
    /// The agent will be told what is to be rewritten.
    pub(crate) exact: bool,
    /// Somebody watches while it goes on.
    pub(crate) live: bool,
    /// No event is recorded: threads are looked at so often.
    pub(crate) sample: Option<Duration>,
}

/// What the agent is told.
fn agent_options(socket: &str, secret: &Secret, recording: &Recording, purpose: Purpose) -> String {
    let Purpose {
        exact,
        live,
        sample,
    } = purpose;
    let vm_probes = recording.vm_probes.filter(|_| !exact && sample.is_none());
    let vm_probes = vm_probes.map_or(String::new(), |times| format!(",vmprobes={times}"));
    let sample = sample.map_or(String::new(), |period| {
        format!(",sample={}", period.as_millis())
    });
    let overhead = recording.max_overhead.filter(|_| !exact);
    let overhead = overhead.map_or(String::new(), |parts| format!(",overhead={parts}"));
    format!(
        "sock={socket},secret={secret},depth={},buffer={},safe={},beat={},exact={},juc={},live={}{sample}{vm_probes}{overhead}",
        recording.stack_depth,
        recording.buffer,
        u8::from(!recording.record_safe_locks),
        heart::SILENCE.as_millis(),
        u8::from(exact),
        u8::from(!exact && !recording.no_juc),
        u8::from(live)
    )
}

/// Says what begins.
fn announce(subject: &Subject, recording: &Recording, file: &TraceFile, length: Option<Duration>) {
    let length = match length {
        Some(length) if !length.is_zero() => format!("for {}", show_duration(length)),
        _ => "until it ends".to_string(),
    };
    note(format_args!(
        "recording {} ({}) {length} into {}; the agent takes up to {} of memory there",
        subject.pid,
        subject.main,
        file.name(),
        show_bytes(recording.buffer)
    ));
}

/// Says that a JVM is guarded from now on.
pub(crate) fn begun(subject: &Subject, recording: &Recording) {
    let length = recording.duration.filter(|length| !length.is_zero());
    let length = length.map_or("until it ends".to_owned(), |length| {
        format!("for {}", show_duration(length))
    });
    note(format_args!(
        "guarding {} ({}) {length}; the agent takes up to {} of memory there",
        subject.pid,
        subject.main,
        show_bytes(recording.buffer)
    ));
}
