//! `locklens report` and `locklens show`: the logical locks of a recording.

use crate::args::{Analysis, Report, Show, Table, file};
use crate::contention;
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::select::{self, select};
use crate::study::{analyse, find_lock, options};
use crate::terminal;
use crate::trace_file::must_be_file;
use locklens_inference::contention::{Blame, Wish};
use locklens_inference::model::{LogicalLock, Model};
use locklens_viz::contention::OF_LOCK;
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
    let (blame, model) = known(args)?;
    let lock = &model.locks[find_lock(&model, &args.lock)?];
    let blame = blame.and_then(|blame| blame.of_lock(lock.id));
    terminal::print(|out| match args.json {
        true => show::json(&model, lock, blame.as_ref(), out),
        false => show::text(&model, lock, blame.as_ref(), terminal::look(), out),
    })
}

/// What a trace tells; who held what, for which it is read twice, where that can be and there are times.
fn known(args: &Show) -> Result<(Option<Blame>, Model), Failure> {
    let options = options(&args.analysis);
    if must_be_file(&args.file).is_err() {
        return Ok((None, analyse(&args.file, &options)?.model));
    }
    let (blame, model) = contention::read(&args.file, &options, &OF_LOCK, Wish::default())?;
    let timed = !model.recording.clockless;
    Ok((timed.then_some(blame), model))
}
