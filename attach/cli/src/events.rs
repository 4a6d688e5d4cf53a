//! `locklens events`: what happened on the locks, in order; with or without what was inferred.

use crate::args::Events;
use crate::exit::{Exit, Failure};
use crate::study::{analyse, find_lock, focus, options};
use crate::terminal;
use crate::{history, pieces, raw, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::model::HistoryRow;
use locklens_trace::LockId;
use locklens_viz::events::{Form, Writer};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Prints the events of a trace or of one lock.
pub(crate) fn run(args: &Events) -> Result<Exit, Failure> {
    trace_file::must_be_file(&args.file)?;
    let for_programs = args.json || args.csv;
    if args.raw && args.lock.is_none() && !for_programs {
        return print_raw(args, None, &Numbers::new());
    }
    let analysis = analyse(&args.file, &options(&args.analysis))?;
    let numbers = numbers(&analysis);
    let Some(lock) = &args.lock else {
        let shown = analysis.objects.into_iter().flatten().collect();
        return match args.raw {
            true => print_raw(args, None, &numbers),
            false => print_all(args, &shown, &numbers),
        };
    };
    let index = find_lock(&analysis.model, lock)?;
    if let Some(lock) = analysis.model.locks.get(index)
        && lock.sampled.is_some()
    {
        return Err(Failure::usage(format_args!(
            "lock {} is no monitor: of such locks there are no events",
            lock.id
        ))
        .hint(format!("locklens show {} {}", args.file.display(), lock.id)));
    }
    let locks = analysis.objects.into_iter().nth(index).unwrap_or_default();
    if args.raw {
        print_raw(args, Some(&locks), &numbers)
    } else {
        print_lock(args, locks, &numbers)
    }
}

/// Which lock of the report an object is.
type Numbers = BTreeMap<u32, u32>;

fn numbers(analysis: &Analysis) -> Numbers {
    let locks = analysis.model.locks.iter().zip(&analysis.objects);
    let objects =
        locks.flat_map(|(lock, objects)| objects.iter().map(|object| (object.0, lock.id)));
    objects.collect()
}

fn print_raw(
    args: &Events,
    locks: Option<&BTreeSet<LockId>>,
    numbers: &Numbers,
) -> Result<Exit, Failure> {
    let catalog = raw::definitions(&args.file)?;
    print(args, numbers, |row| {
        raw::rows(&args.file, &catalog, locks, row)
    })
}

/// The history of one lock, completed as a whole.
fn print_lock(args: &Events, locks: BTreeSet<LockId>, numbers: &Numbers) -> Result<Exit, Failure> {
    let options = options(&args.analysis);
    let collected = focus(&args.file, &options, locks.clone())?;
    print(args, numbers, |row| {
        Ok(history::rows(&collected, &locks, &options, row))
    })
}

/// The history of all locks, completed piece by piece.
fn print_all(args: &Events, shown: &BTreeSet<LockId>, numbers: &Numbers) -> Result<Exit, Failure> {
    let options = options(&args.analysis);
    print(args, numbers, |row| {
        pieces::each(&args.file, &options, |piece| {
            let seen = piece.locks.iter().map(|log| log.lock);
            let locks = seen.filter(|lock| shown.contains(lock)).collect();
            history::rows(piece, &locks, &options, &mut *row)
        })
    })
}

/// A way to print one row.
type PrintRow<'a> = dyn FnMut(&HistoryRow) -> io::Result<()> + 'a;

/// Prints what `rows` gives. It can fail to read, and to write; the second is for the terminal to judge.
fn print(
    args: &Events,
    numbers: &Numbers,
    rows: impl FnOnce(&mut PrintRow<'_>) -> Result<io::Result<()>, Failure>,
) -> Result<Exit, Failure> {
    let mut read = Ok(());
    let printed = terminal::print(|out| {
        let mut writer = Writer::begin(form(args), out)?;
        let numbered = |row: &HistoryRow| HistoryRow {
            lock: numbers.get(&row.object).copied(),
            ..row.clone()
        };
        match rows(&mut |row| writer.row(&numbered(row))) {
            Ok(written) => written?,
            Err(failure) => read = Err(failure),
        }
        writer.end()
    });
    read.and(printed)
}

fn form(args: &Events) -> Form {
    match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv,
        _ => Form::Text(terminal::look()),
    }
}
