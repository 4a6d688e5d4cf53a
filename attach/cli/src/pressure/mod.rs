//! `locklens pressure`: how much locks keep threads from running, of a trace or of a JVM under way.

mod live;

pub(crate) use live::announcement;

use crate::args::Pressure as Args;
use crate::exit::{Exit, Failure};
use crate::study::{collected, options};
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::model::Model;
use locklens_inference::pressure::model::Pressure;
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::Nanos;
use locklens_trace::read::Item;
use locklens_viz::pressure;
use std::path::Path;

/// `locklens pressure`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let path = Path::new(&args.subject);
    match is_trace(path) {
        true => of_file(args, path),
        false => live::run(args),
    }
}

/// A file is meant, and not the JVM that runs it.
pub(crate) fn is_trace(path: &Path) -> bool {
    let ends_in = |suffix: &str| path.extension().is_some_and(|is| is == suffix);
    ends_in("llt") || path.exists() && !ends_in("jar")
}

/// What the flags say, for the gauge.
fn wanted(args: &Args) -> Wanted {
    let interval = u64::try_from(args.interval.as_nanos()).unwrap_or(u64::MAX);
    Wanted {
        interval: Nanos(interval),
        most: None,
        threads: args.threads.clone(),
    }
}

/// Two passes over the file: who the threads are, and what is missing, must be known first.
fn of_file(args: &Args, path: &Path) -> Result<Exit, Failure> {
    if args.duration.is_some() {
        return Err(Failure::usage("-d is for a JVM, and this is a file")
            .hint("without -d: a trace is read to its end"));
    }
    trace_file::must_be_file(path)?;
    let options = options(&args.analysis);
    let collected = collected(path, &options)?;
    must_have_times(&collected)?;
    let analysis = Analysis::of(&collected, &options);
    let mut gauge = Gauge::informed(&wanted(args), &collected);
    for item in trace_file::open(path)? {
        match item {
            Item::Record(record) => gauge.push(&record),
            Item::Gap(_) => gauge.gap(),
        }
    }
    let pressure = gauge.finish(&collected, &analysis, args.threshold);
    print(args, pressure, &analysis.model)
}

/// An error for a recording that has no times.
pub(crate) fn must_have_times(collected: &Collected) -> Result<(), Failure> {
    match collected.recording.clockless {
        false => Ok(()),
        true => Err(
            Failure::usage("this trace was recorded without a clock: it has no times")
                .hint("'locklens record', or 'locklens trace' without --no-clock"),
        ),
    }
}

fn print(args: &Args, pressure: Pressure, model: &Model) -> Result<Exit, Failure> {
    let pressure = Pressure {
        metrics: args.metrics,
        ..pressure
    };
    terminal::print(|out| match args.json {
        true => pressure::json(&pressure, model, out),
        false => pressure::text(&pressure, model, terminal::look(), out),
    })
}
