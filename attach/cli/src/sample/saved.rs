//! Thread dumps in files.

use super::page;
use crate::args::Sample;
use crate::dump_file::{self, Rest};
use crate::exit::{Exit, Failure};
use crate::terminal::note;
use locklens_inference::sample::dump::Dump;
use locklens_inference::sample::{Fold, Lens, Profile};
use locklens_trace::Nanos;
use locklens_viz::many;
use locklens_viz::sample::About;
use std::path::Path;

/// Reads them all, and prints what they come to.
pub(crate) fn run(args: &Sample, files: &[String], lens: &Lens) -> Result<Exit, Failure> {
    let mut fold = Fold::default();
    let mut times = Vec::new();
    for file in files {
        read(file, &mut |dump| {
            times.extend(dump.at);
            dump.add_to(&mut fold, lens);
        })?;
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

/// Hands on the dumps of a file; an error if there is none.
fn read(file: &str, each: &mut dyn FnMut(&Dump)) -> Result<(), Failure> {
    let mut cut = 0;
    let found = dump_file::read(Path::new(file), &mut |dump| {
        cut += u64::from(!dump.complete);
        each(&dump);
    })?;
    if found.dumps == 0 {
        return Err(none(file, &found));
    }
    if found.unread > 0 {
        let threads = many(found.unread, "thread");
        note(format_args!(
            "{file}: {threads} could not be read: left out"
        ));
    }
    if cut > 0 {
        let dumps = many(cut, "dump");
        note(format_args!(
            "{file}: {dumps} cut off: the threads behind are missing"
        ));
    }
    Ok(())
}

fn none(file: &str, found: &Rest) -> Failure {
    let what = match found.is_empty {
        true => "is empty",
        false => "holds no thread dump",
    };
    let failure = Failure::usage(format_args!("{file} {what}"));
    match found.is_other_format {
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
