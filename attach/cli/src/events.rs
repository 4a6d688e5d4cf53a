//! `locklens events`: what happened on the locks, in order; with or without what was inferred.

use crate::args::Events;
use crate::exit::{Exit, Failure};
use crate::study::{analyse, find_lock, focus, options};
use crate::terminal;
use crate::{history, raw};
use locklens_inference::model::HistoryRow;
use locklens_trace::LockId;
use locklens_viz::events::{Form, Writer};
use std::collections::BTreeSet;
use std::io;

/// Prints the events of a trace or of one lock.
pub(crate) fn run(args: &Events) -> Result<Exit, Failure> {
    if args.raw && args.lock.is_none() {
        return print_raw(args, None);
    }
    let locks = objects(args)?;
    if args.raw {
        print_raw(args, Some(&locks))
    } else {
        print_completed(args, locks)
    }
}

/// The objects of the lock asked for, or of all locks.
fn objects(args: &Events) -> Result<BTreeSet<LockId>, Failure> {
    let analysis = analyse(&args.file, &options(&args.analysis))?;
    let Some(lock) = &args.lock else {
        return Ok(analysis.objects.into_iter().flatten().collect());
    };
    let index = find_lock(&analysis.model, lock)?;
    Ok(analysis.objects.into_iter().nth(index).unwrap_or_default())
}

fn print_raw(args: &Events, locks: Option<&BTreeSet<LockId>>) -> Result<Exit, Failure> {
    let catalog = raw::definitions(&args.file)?;
    let mut read = Ok(());
    let printed = print(args, |row| {
        match raw::rows(&args.file, &catalog, locks, row) {
            Ok(written) => written,
            Err(failure) => {
                read = Err(failure);
                Ok(())
            }
        }
    });
    read.and(printed)
}

fn print_completed(args: &Events, locks: BTreeSet<LockId>) -> Result<Exit, Failure> {
    let options = options(&args.analysis);
    let collected = focus(&args.file, &options, locks.clone())?;
    let rows = history::rows(&collected, &locks, &options);
    print(args, |row| rows.iter().try_for_each(row))
}

/// A way to print one row.
type PrintRow<'a> = dyn FnMut(&HistoryRow) -> io::Result<()> + 'a;

fn print(
    args: &Events,
    rows: impl FnOnce(&mut PrintRow<'_>) -> io::Result<()>,
) -> Result<Exit, Failure> {
    terminal::print(|out| {
        let mut writer = Writer::begin(form(args), out)?;
        rows(&mut |row| writer.row(row))?;
        writer.end()
    })
}

fn form(args: &Events) -> Form {
    match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv,
        _ => Form::Text(terminal::look()),
    }
}
