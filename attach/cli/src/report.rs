//! `locklens report` and `locklens show`: the logical locks of a recording.

use crate::args::{Analysis, Report, Show, Table, file};
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::select::{self, select};
use crate::study::{analyse, find_lock, options};
use crate::terminal;
use locklens_inference::model::{LogicalLock, Model};
use locklens_viz::{Look, report, show};
use std::io::{self, Write};
use std::path::Path;

/// `locklens report`
pub(crate) fn run(args: &Report) -> Result<Exit, Failure> {
    let output = file(&args.output);
    spare(&args.file, output)?;
    let model = analyse(&args.file, &options(&args.analysis))?.model;
    let form = match &args.select {
        Some(wishes) => Form::Names(select(&model, wishes)?),
        None if args.json => Form::Json,
        None if args.csv => Form::Csv,
        None => Form::Table,
    };
    match output {
        None => terminal::print(|out| form.write(&model, &args.table, terminal::look(), out)),
        Some(path) => terminal::write(path, Replace::forced(args.force), |out| {
            form.write(&model, &args.table, terminal::PLAIN, out)
        }),
    }
}

/// In which form the locks are wanted.
pub(crate) enum Form<'m> {
    Table,
    Json,
    Csv,
    Names(Vec<&'m LogicalLock>),
}

impl Form<'_> {
    fn write(
        &self,
        model: &Model,
        table: &Table,
        look: Look,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self {
            Self::Table => report::table(model, table.sort, table.all, look, out),
            Self::Json => report::json(model, table.sort, out),
            Self::Csv => report::csv(model, table.sort, out),
            Self::Names(locks) => select::write(locks, out),
        }
    }
}

/// What has just been recorded, in the usual order.
pub(crate) fn print(file: &Path, analysis: &Analysis, form: Form<'_>) -> Result<Exit, Failure> {
    let model = analyse(file, &options(analysis))?.model;
    terminal::print(|out| form.write(&model, &Table::default(), terminal::look(), out))
}

/// `locklens show`
pub(crate) fn show(args: &Show) -> Result<Exit, Failure> {
    let model = analyse(&args.file, &options(&args.analysis))?.model;
    let lock = &model.locks[find_lock(&model, &args.lock)?];
    terminal::print(|out| match args.json {
        true => show::json(&model, lock, out),
        false => show::text(&model, lock, terminal::look(), out),
    })
}
