//! `locklens graph`: which locks are taken inside which, and what cycles there are.
//!
//! Two passes over the file: what a lock is must be known before its nesting can be. Where that has cycles, it is asked what is known
//! against them, as `locklens deadlocks` does.

use crate::args::{Graph as Args, file};
use crate::deadlocks;
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::study::{self, options};
use crate::terminal::note;
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::model::{Model, Options};
use locklens_inference::nesting::Nester;
use locklens_inference::nesting::graph::Graph;
use locklens_trace::read::Item;
use locklens_viz::{HEADLESS, graph};
use std::path::Path;

/// `locklens graph`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    trace_file::must_be_file(&args.file)?;
    let output = file(&args.output);
    spare(&args.file, output)?;
    let options = options(&args.analysis);
    let (mut nesting, model) = read(&args.file, &options)?;
    if !nesting.cycles.is_empty() {
        deadlocks::read(&args.file, &options)?
            .report
            .judge(&mut nesting);
    }
    if let Some(path) = output {
        let replace = Replace::forced(args.force);
        terminal::write(path, replace, |out| graph::dot(&nesting, &model, out))?;
    }
    terminal::print(|out| match (args.json, args.cycles || output.is_some()) {
        (true, _) => graph::json(&nesting, &model, out),
        (false, true) => graph::text(&nesting, &model, terminal::look(), out),
        (false, false) => graph::dot(&nesting, &model, out),
    })?;
    if args.cycles && model.recording.headless {
        note(HEADLESS);
    } else if args.cycles && !model.recording.exact {
        note(
            "watched only: nesting in which nobody blocked or waited was not seen; 'locklens trace' sees it",
        );
    }
    let found = !nesting.cycles.is_empty() || !model.deadlocks.is_empty();
    match args.cycles && found {
        true => Ok(Exit::Findings),
        false => Ok(Exit::Fine),
    }
}

/// The graph, and the report it belongs to.
fn read(trace: &Path, options: &Options) -> Result<(Graph, Model), Failure> {
    let (collected, scout) = study::scouted(trace, options)?;
    let analysis = Analysis::of(&collected, options);
    let mut nester = Nester::new(&collected, &analysis, &scout);
    for item in trace_file::open(trace)? {
        if let Item::Record(record) = item {
            nester.see(&record);
        }
    }
    let nesting = nester.finish();
    Ok((nesting, analysis.model))
}
