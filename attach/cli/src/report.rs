//! `locklens report` and `locklens show`: the logical locks of a recording.

use crate::args::{Analysis, Report, Show, Table};
use crate::exit::{Exit, Failure};
use crate::study::{analyse, find_lock, options};
use crate::terminal;
use locklens_viz::{report, show};
use std::path::Path;

/// `locklens report`
pub(crate) fn run(args: &Report) -> Result<Exit, Failure> {
    let sort = args.table.sort;
    if !args.json && !args.csv {
        return print(&args.file, &args.analysis, &args.table);
    }
    let model = analyse(&args.file, &options(&args.analysis))?.model;
    terminal::print(|out| match args.json {
        true => report::json(&model, sort, out),
        false => report::csv(&model, sort, out),
    })
}

/// The table, for people.
pub(crate) fn print(file: &Path, analysis: &Analysis, table: &Table) -> Result<Exit, Failure> {
    let model = analyse(file, &options(analysis))?.model;
    terminal::print(|out| report::table(&model, table.sort, table.all, terminal::look(), out))
}

/// `locklens show`
pub(crate) fn show(args: &Show) -> Result<Exit, Failure> {
    let model = analyse(&args.file, &options(&args.analysis))?.model;
    let lock = &model.locks[find_lock(&model, &args.lock)?];
    terminal::print(|out| match args.json {
        true => show::json(&model, lock, out),
        false => show::text(lock, terminal::look(), out),
    })
}
