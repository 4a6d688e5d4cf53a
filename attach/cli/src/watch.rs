//! `locklens PID|NAME`: record for a while, then report.

use crate::args::Watch;
use crate::exit::{Exit, Failure};
use crate::record::exactly_or_not;
use crate::record::live::Request;
use crate::record::output::Nowhere;
use crate::record::signals::Signals;
use crate::report::{self, Form};
use crate::target::resolve_or_guess;
use crate::terminal::note;

/// Records into a trace that stays, and reports on it.
pub(crate) fn run(args: &Watch) -> Result<Exit, Failure> {
    let target = args
        .target
        .as_ref()
        .ok_or_else(|| Failure::usage("which JVM?").hint("'locklens list' shows the JVMs here"))?;
    let jvm = resolve_or_guess(target)?;
    let signals = Signals::quitting()?;
    let request = Request {
        pattern: args.destination.pattern(),
        replace: args.destination.replace(),
        redact: args.destination.redact,
        nowhere: Nowhere::InMemory,
        ..Request::watching(&jvm, &args.recording, &signals)
    };
    let recorded = exactly_or_not(&request, &args.exact)?;
    note(&recorded.summary);
    let form = match args.json {
        true => Form::Json,
        false => Form::Table,
    };
    match report::print(recorded.file.path(), &args.analysis, form)? {
        Exit::Fine => Ok(recorded.exit),
        other => Ok(other),
    }
}
