//! `locklens PID|NAME`: record for a while, then report.

use crate::args::{Table, Watch};
use crate::exit::{Exit, Failure};
use crate::record::live;
use crate::report;
use crate::terminal::note;
use crate::trace::phases;

/// Records into a trace that stays, and reports on it.
pub(crate) fn run(args: &Watch) -> Result<Exit, Failure> {
    let target = args
        .target
        .as_ref()
        .ok_or_else(|| Failure::usage("which JVM?").hint("'locklens list' shows the JVMs here"))?;
    let recorded = match &args.exact.exact {
        None => live::record(target, &args.recording, None)?,
        Some(how) => phases::record(target, &args.recording, None, how == "force")?,
    };
    note(&recorded.summary);
    match report::print(&recorded.path, &args.analysis, &Table::default())? {
        Exit::Fine => Ok(recorded.exit),
        other => Ok(other),
    }
}
