//! `locklens diff`: two recordings held against each other.
//!
//! Two passes over each file, as for `pressure`: what is a lock, and who the threads are, must be known before time can be
//! counted by lock.

use crate::args::{Diff as Args, file};
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::study::{collected, options};
use crate::{pressure, terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::diff::{self, PARTS};
use locklens_inference::model::{Model, Options};
use locklens_inference::pressure::Gauge;
use locklens_inference::pressure::course::Courses;
use locklens_trace::read::Item;
use locklens_viz::diff::{Side, html, json, text};
use std::path::Path;

/// `locklens diff`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let paths = [&args.before, &args.after];
    for path in paths {
        trace_file::must_be_file(path)?;
        spare(path, file(&args.html))?;
    }
    let options = options(&args.analysis);
    let [a, b] = paths.map(|path| Read::of(path, &options));
    let (a, b) = (a?, b?);
    let diff = diff::diff(a.inner(), b.inner());
    let names = paths.map(|path| path.display().to_string());
    let sides = [
        Side {
            name: &names[0],
            model: &a.model,
        },
        Side {
            name: &names[1],
            model: &b.model,
        },
    ];
    match (&args.html, file(&args.html)) {
        (Some(_), Some(path)) => terminal::write(path, Replace::forced(args.force), |out| {
            html(&diff, sides, out)
        }),
        (Some(_), None) => terminal::print(|out| html(&diff, sides, out)),
        (None, _) => terminal::print(|out| match args.json {
            true => json(&diff, sides, out),
            false => text(&diff, sides, args.all, terminal::look(), out),
        }),
    }
}

/// What a recording says, as far as it is compared.
struct Read {
    model: Model,
    courses: Courses,
}

impl Read {
    fn of(path: &Path, options: &Options) -> Result<Self, Failure> {
        let collected = collected(path, options)?;
        pressure::must_have_times(&collected)?;
        let analysis = Analysis::of(&collected, options);
        let mut gauge = Gauge::in_parts(&collected, PARTS);
        for item in trace_file::open(path)? {
            match item {
                Item::Record(record) => gauge.push(&record),
                Item::Gap(_) => gauge.gap(),
            }
        }
        Ok(Self {
            courses: gauge.courses(&collected, &analysis),
            model: analysis.model,
        })
    }

    fn inner(&self) -> diff::Side<'_> {
        diff::Side {
            model: &self.model,
            courses: &self.courses,
        }
    }
}
