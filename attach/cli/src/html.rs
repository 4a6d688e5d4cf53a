//! `locklens html`: the locks of a recording over time, as a page for a browser.
//!
//! Two passes over the file: which objects are one lock must be known before time can be counted by lock.

pub(crate) mod panels;

use crate::args::{Html as Args, file};
use crate::crowd::{Crowd, joined};
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::study::options;
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::levels::model::Levels;
use locklens_inference::levels::{Detail, Surveyor};
use locklens_inference::model::{Model, Options};
use locklens_trace::read::{Item, Reader};
use locklens_viz::html::{self, Panels};
use panels::{First, Second};
use std::io::Read;
use std::path::Path;
use std::thread;

/// `locklens html`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    if args.output.is_none() {
        return Err(Failure::usage("a page is written to a file")
            .hint("-o report.html, or -o - for standard output"));
    }
    trace_file::must_be_file(&args.file)?;
    let output = file(&args.output);
    spare(&args.file, output)?;
    let (levels, model, panels) = read(&args.file, &options(&args.analysis))?;
    match output {
        None => terminal::print(|out| html::page(&levels, &model, Some(&panels), out)),
        Some(path) => terminal::write(path, Replace::forced(args.force), |out| {
            html::page(&levels, &model, Some(&panels), out)
        }),
    }
}

fn read(trace: &Path, options: &Options) -> Result<(Levels, Model, Panels), Failure> {
    let first = First::of(trace_file::open(trace)?, options, |_| {});
    must_have_times(&first.collected)?;
    let analysis = Analysis::of(&first.collected, options);
    let Pass { levels, panels, .. } =
        second(trace_file::open(trace)?, &first, &analysis, |_, _| {});
    Ok((levels, analysis.model, panels))
}

/// What the second pass over a trace gives.
pub(crate) struct Pass<'a> {
    pub(crate) levels: Levels,
    pub(crate) detail: Detail<'a>,
    pub(crate) panels: Panels,
    /// How much of the file was read.
    pub(crate) end: u64,
}

/// The second pass; `begins` learns where each chunk begins before its records are taken in.
pub(crate) fn second<'a>(
    reader: Reader<impl Read + Send>,
    first: &'a First,
    analysis: &'a Analysis,
    mut begins: impl FnMut(&mut Surveyor<'a>, u64),
) -> Pass<'a> {
    thread::scope(|scope| {
        let mut crowd = Crowd::default();
        let second = Second::begin(scope, &mut crowd, first, analysis);
        let own = crowd.member();
        let reading = crowd.read(scope, reader);
        let mut surveyor = Surveyor::new(&first.collected, analysis);
        own.each_of(&mut surveyor, &mut begins, |surveyor, item| match item {
            Item::Record(record) => surveyor.push(record),
            Item::Gap(_) => surveyor.gap(),
        });
        let (levels, detail) = surveyor.finish_with_detail();
        Pass {
            levels,
            detail,
            panels: second.end(),
            end: joined(reading),
        }
    })
}

pub(crate) fn must_have_times(collected: &Collected) -> Result<(), Failure> {
    match collected.recording.clockless {
        false => Ok(()),
        true => Err(
            Failure::usage("this trace was recorded without a clock: it has no times to draw")
                .hint("'locklens report' and 'locklens graph' read it; 'locklens trace' without --no-clock records times"),
        ),
    }
}
