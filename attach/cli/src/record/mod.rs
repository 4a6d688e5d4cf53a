//! `locklens record`: from a target to a trace file.
//!
//! The order of a recording: [`live`] sends the agent into a running JVM (or [`launch`] starts one
//! with it), [`meeting`] waits for its greeting ([`hello`]), [`session`] moves its chunks
//! ([`stream`]) into the file ([`output`]) until somebody ends it ([`signals`]), shows the agent that
//! somebody is there ([`heart`]), and keeps the figures ([`tally`]) that [`progress`] shows. [`outcome`] says what it came to.

mod heart;
pub(crate) mod hello;
pub(crate) mod launch;
pub(crate) mod live;
mod meeting;
pub(crate) mod outcome;
pub(crate) mod output;
mod packer;
mod progress;
mod session;
pub(crate) mod signals;
mod stream;
mod tally;

use crate::args::{Exact, Record, Recording};
use crate::exit::{Exit, Failure};
use crate::quantity::{show_bytes, show_duration};
use crate::target::resolve;
use crate::terminal::{self, note};
use crate::trace::phases;
use hello::Secret;
use launch::Start;
use live::Request;
use outcome::Recorded;
use output::{Subject, TraceFile};
use signals::Signals;
use std::io::Write;
use std::time::Duration;

/// `locklens record`
pub(crate) fn run(args: &Record) -> Result<Exit, Failure> {
    let Some(target) = &args.target else {
        let start = Start {
            launch: &args.launch,
            recording: &args.recording,
            destination: &args.destination,
            wishes: None,
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
        ..Request::watching(&jvm, &args.recording, &signals)
    };
    let recorded = exactly_or_not(&request, &args.exact)?;
    terminal::print(|out| writeln!(out, "{}", recorded.summary))?;
    Ok(recorded.exit)
}

/// Records a live JVM, in two phases if the flags say so.
pub(crate) fn exactly_or_not(request: &Request<'_>, exact: &Exact) -> Result<Recorded, Failure> {
    match &exact.exact {
        None => live::record_as(request),
        Some(how) => phases::record(request, how == "force", exact.juc),
    }
}

/// What the agent is told; `exact` if it will be told more.
fn agent_options(socket: &str, secret: &Secret, recording: &Recording, exact: bool) -> String {
    // An agent that came with an older command does not know of it.
    let vm_probes = recording.vm_probes.filter(|_| !exact);
    let vm_probes = vm_probes.map_or(String::new(), |times| format!(",vmprobes={times}"));
    format!(
        "sock={socket},secret={secret},depth={},buffer={},safe={},beat={},exact={},juc={}{vm_probes}",
        recording.stack_depth,
        recording.buffer,
        u8::from(!recording.record_safe_locks),
        heart::SILENCE.as_millis(),
        u8::from(exact),
        u8::from(!exact && !recording.no_juc),
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
