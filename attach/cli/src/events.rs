//! `locklens events`: what happened, in order.

use crate::args::Events;
use crate::exit::{Exit, Failure};
use crate::raw;
use crate::terminal;
use locklens_viz::events::{Form, Writer};

/// Prints the events of a trace or of one lock.
pub(crate) fn run(args: &Events) -> Result<Exit, Failure> {
    let catalog = raw::definitions(&args.file)?;
    let mut read = Ok(());
    let printed = terminal::print(|out| {
        let mut writer = Writer::begin(form(args), out)?;
        match raw::rows(&args.file, &catalog, None, |row| writer.row(row)) {
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
