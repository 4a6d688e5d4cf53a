//! Thread dumps in files.

use super::page;
use crate::args::Sample;
use crate::exit::{Exit, Failure};
use crate::terminal::note;
use locklens_inference::sample::dump::{Dump, Dumps};
use locklens_inference::sample::{Fold, Lens, Profile};
use locklens_trace::Nanos;
use locklens_viz::many;
use locklens_viz::sample::About;
use std::fs;

/// Reads them all, and prints what they come to.
pub(crate) fn run(args: &Sample, files: &[String], lens: &Lens) -> Result<Exit, Failure> {
    let mut fold = Fold::default();
    let mut times = Vec::new();
    for file in files {
        for dump in read(file)? {
            times.extend(dump.at);
            dump.add_to(&mut fold, lens);
        }
    }
    let notes = Vec::from_iter((fold.looks() == 1).then(|| {
        "one dump says where threads are, not how often: several, some seconds apart, say more"
            .to_owned()
    }));
    let about = About {
        subject: format!(
            "{} in {}",
            many(fold.looks(), "thread dump"),
            many(files.len() as u64, "file")
        ),
        how: String::new(),
        notes,
        ..About::default()
    };
    let period = (times.len() as u64 == fold.looks())
        .then(|| period(times))
        .flatten();
    page::print(args, &Profile::of(&fold, period), about)
}

/// The dumps of a file; an error if there is none.
fn read(file: &str) -> Result<Vec<Dump>, Failure> {
    let bytes = fs::read(file).map_err(|error| {
        Failure::usage(format_args!("can't read {file}: {error}")).hint(
            "a pid, the name of a JVM ('locklens list' shows them), or files with thread dumps",
        )
    })?;
    // Names may be in another encoding; all that is looked for is not.
    let found = Dumps::read(&String::from_utf8_lossy(&bytes));
    if found.dumps.is_empty() {
        return Err(none(file, bytes.is_empty(), &found));
    }
    if found.unread > 0 {
        let threads = many(found.unread, "thread");
        note(format_args!(
            "{file}: {threads} could not be read: left out"
        ));
    }
    let cut = found.dumps.iter().filter(|dump| !dump.complete).count() as u64;
    if cut > 0 {
        let dumps = many(cut, "dump");
        note(format_args!(
            "{file}: {dumps} cut off: the threads behind are missing"
        ));
    }
    Ok(found.dumps)
}

fn none(file: &str, empty: bool, found: &Dumps) -> Failure {
    let what = match empty {
        true => "is empty",
        false => "holds no thread dump",
    };
    let failure = Failure::usage(format_args!("{file} {what}"));
    match found.is_other_format() {
        true => failure.hint(
            "'jcmd PID Thread.print': what Thread.dump_to_file writes says less of locks, and nothing on most JDKs",
        ),
        false => failure.hint("what 'jstack PID', 'jcmd PID Thread.print' or 'kill -3 PID' print"),
    }
}

/// Time between two dumps, on average, as far as their clock tells: in whole seconds.
fn period(mut times: Vec<Nanos>) -> Option<Nanos> {
    times.sort_unstable();
    let (first, last) = (times.first()?, times.last()?);
    let gaps = times.len() as u64 - 1;
    let period = last.since(*first).0.checked_div(gaps)?;
    (period > 0).then_some(Nanos(period))
}
