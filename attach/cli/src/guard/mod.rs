//! `locklens guard`: the cycles of a JVM's locks, each as it appears.
//!
//! The agent tells each dependency between locks when it is new, in the form of a trace. It goes to a file, and whenever that has
//! grown a thread beside the recording ([`judge`]) reads it as `locklens deadlocks` does and tells what was not there before. So what is
//! told here is what `deadlocks` and `check` find in the file afterwards; how it is told is the business of [`voice`].

mod judge;
mod voice;

use crate::args::Guard as Args;
use crate::deadlocks::verdict;
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::record::outcome::Recorded;
use crate::terminal::note;
use crate::trace::{self, Came, Extra};
use judge::Judge;
use locklens_inference::deadlock::finding::Report;
use std::sync::mpsc;
use std::thread;
use voice::Voice;

/// The agent's line.
const GUARD: &str = "guard 1\n";
/// The trace, if nobody wants to keep it.
const UNKEPT: &str = "guard.llt";

/// `locklens guard`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    if args.no_rewrite {
        return Err(
            Failure::usage("guard rewrites classes, which --no-rewrite forbids")
                .hint("'locklens record' only watches; 'locklens deadlocks' reads what it saw"),
        );
    }
    let dir = PrivateDir::create()
        .map_err(|e| Failure::usage(format_args!("can't make a temporary directory: {e}")))?;
    let output = args.destination.output.clone();
    let wanted = args.as_trace(output.unwrap_or_else(|| dir.path().join(UNKEPT)));
    let (tell, news) = mpsc::channel();
    let voice = Voice::of(args);
    let (came, found) = thread::scope(|scope| {
        let reader = Judge::new(args, &voice);
        let judge = scope.spawn(move || reader.attend(&news));
        let extra = Extra {
            lines: GUARD,
            news: Some(tell),
        };
        let came = trace::record(&wanted, extra);
        let found = judge.join();
        (
            came,
            found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let recorded = match came? {
        Came::Dry(exit) => return Ok(exit),
        Came::Recorded(recorded) => recorded,
    };
    conclude(args, &voice, &recorded, found?.as_ref())
}

/// Says what came of it.
fn conclude(
    args: &Args,
    voice: &Voice,
    recorded: &Recorded,
    found: Option<&Report>,
) -> Result<Exit, Failure> {
    trace::say(&recorded.facts);
    let report = found.cloned().unwrap_or_default();
    voice.end(&report, &recorded.facts)?;
    if args.destination.output.is_some() {
        note(format_args!("kept in {}", recorded.file.name()));
    }
    Ok(match verdict(&report, args.min_tier) {
        Exit::Fine => recorded.exit,
        found => found,
    })
}
