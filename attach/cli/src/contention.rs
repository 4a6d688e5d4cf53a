//! `locklens contention`: who was blocked, by whom, and for how long.
//!
//! Two passes over the file: what a lock is, and how far its events tell who held it, must be known before
//! blocked time can be divided. Of a JVM under way [`live`] makes them as it goes on.

mod live;

use crate::args::{Contention as Args, Recording, file};
use crate::crowd::{self, Crowd, joined};
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::study::options;
use crate::target::resolve;
use crate::{pressure, terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::contention::{Blame, Blamer, Census, Findings, Key, Wish};
use locklens_inference::model::{Model, Options};
use locklens_trace::read::Item;
use locklens_viz::contention::Side;
use locklens_viz::{Look, contention};
use std::io::{self, Write};
use std::path::Path;
use std::thread::{self, Scope, ScopedJoinHandle};

/// What a lock's blocked time is divided by if nothing is asked for.
const USUAL: [Key; 3] = [Key::Lock, Key::OwnerMethod, Key::WaiterMethod];

/// `locklens contention`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let output = file(&args.output);
    let form = Form::of(args)?;
    let keys = match form {
        Form::Flame(side) | Form::Collapsed(side) => vec![side.key()],
        Form::Text | Form::Json | Form::Csv => keys(args.by.as_deref())?,
    };
    let wish = Wish {
        root: args.root,
        waits: args.waits,
    };
    if args.live {
        return live::run(args, form, &keys, wish);
    }
    let trace = Path::new(&args.subject);
    is_of_file(args, trace)?;
    trace_file::must_be_file(trace)?;
    spare(trace, output)?;
    let (blame, model) = read(trace, &options(&args.analysis), &keys, wish)?;
    must_tell(&model)?;
    print(args, form, &blame, &model)
}

/// An error for what makes sense with a JVM only.
fn is_of_file(args: &Args, trace: &Path) -> Result<(), Failure> {
    let subject = &args.subject;
    if !pressure::is_trace(trace) {
        // A number is a process, if there is one.
        if subject.parse::<u32>().is_ok() {
            resolve(subject)?;
        }
        let what = format_args!("there is no trace {subject:?}");
        return Err(Failure::usage(what).hint(format!(
            "a JVM: --live watches it now; 'locklens record {subject} -o app.llt' makes a trace of it first"
        )));
    }
    match args.recording == Recording::default() {
        true => Ok(()),
        false => Err(Failure::usage(
            "-d and what else says how to record is for --live, and this is a trace",
        )
        .hint("without them: a trace is read to its end")),
    }
}

fn print(args: &Args, form: Form, blame: &Blame, model: &Model) -> Result<Exit, Failure> {
    match file(&args.output) {
        None => terminal::print(|out| form.write(blame, model, terminal::look(), out)),
        Some(path) => terminal::write(path, Replace::forced(args.force), |out| {
            form.write(blame, model, terminal::PLAIN, out)
        }),
    }
}

/// In which form it is wanted.
#[derive(Clone, Copy, Debug)]
enum Form {
    Text,
    Json,
    Csv,
    Flame(Side),
    Collapsed(Side),
}

impl Form {
    fn of(args: &Args) -> Result<Self, Failure> {
        Ok(match (args.flame, args.collapsed) {
            (Some(_), _) if args.output.is_none() => {
                return Err(Failure::usage("a flame graph is written to a file")
                    .hint("-o FILE.svg, or -o - for standard output; --collapsed prints its lines for other tools"));
            }
            (Some(side), _) => Self::Flame(side.into()),
            (None, Some(side)) => Self::Collapsed(side.into()),
            (None, None) if args.json => Self::Json,
            (None, None) if args.csv => Self::Csv,
            (None, None) => Self::Text,
        })
    }

    fn write(
        self,
        blame: &Blame,
        model: &Model,
        look: Look,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self {
            Self::Text => contention::text(blame, model, look, out),
            Self::Json => contention::json(blame, model, out),
            Self::Csv => contention::csv(blame, out),
            Self::Flame(side) => contention::flame(blame, side, out),
            Self::Collapsed(_) => contention::collapsed(blame, out),
        }
    }
}

/// The keys named, in their order.
fn keys(by: Option<&str>) -> Result<Vec<Key>, Failure> {
    let Some(by) = by else {
        return Ok(USUAL.to_vec());
    };
    let mut keys = Vec::new();
    for name in by.split(',').map(str::trim) {
        let known = Key::parse(name).ok_or_else(|| {
            let all: Vec<_> = Key::ALL.iter().map(|key| key.name()).collect();
            Failure::usage(format_args!("there is no key {name:?}")).hint(format!(
                "--by takes any of these, in any order: {}",
                all.join(", ")
            ))
        })?;
        if keys.contains(&known) {
            return Err(
                Failure::usage(format_args!("the key {name} is there twice")).hint("each key once"),
            );
        }
        keys.push(known);
    }
    Ok(keys)
}

/// The blocked time of a trace, and the report it belongs to.
pub(crate) fn read(
    trace: &Path,
    options: &Options,
    keys: &[Key],
    wish: Wish,
) -> Result<(Blame, Model), Failure> {
    let asked = (keys, wish);
    let (blame, analysis) = passes(trace, options, asked, |_, _, blamer| blamer.finish())?;
    Ok((blame, analysis.model))
}

/// Goes through a trace, and has somebody look at who holds what at its end.
pub(crate) fn blamed<T>(
    trace: &Path,
    options: &Options,
    look: impl FnOnce(&Collected, &Analysis, Blamer<'_>) -> T,
) -> Result<T, Failure> {
    let seen = passes(trace, options, (&[], Wish::default()), look)?;
    Ok(seen.0)
}

/// Has a census taken of all that a crowd is given.
pub(crate) fn census<'scope>(
    scope: &'scope Scope<'scope, '_>,
    crowd: &mut Crowd,
) -> ScopedJoinHandle<'scope, Findings> {
    let share = crowd.member();
    scope.spawn(move || {
        let mut census = Census::default();
        share.each_record(|record| census.see(record));
        census.finish()
    })
}

/// What the first pass over a trace takes from it.
pub(crate) fn taken(trace: &Path, options: &Options) -> Result<(Collected, Findings), Failure> {
    let reader = trace_file::open(trace)?;
    Ok(thread::scope(|scope| {
        let mut crowd = Crowd::default();
        let census = census(scope, &mut crowd);
        let own = crowd.member();
        crowd.read(scope, reader);
        let mut collector = Collector::new(*options);
        own.each(|item| match item {
            Item::Record(record) => collector.see(record),
            Item::Gap(_) => collector.gap(),
        });
        (collector.finish(), joined(census))
    }))
}

/// Both passes.
fn passes<T>(
    trace: &Path,
    options: &Options,
    (keys, wish): (&[Key], Wish),
    end: impl FnOnce(&Collected, &Analysis, Blamer<'_>) -> T,
) -> Result<(T, Analysis), Failure> {
    let (collected, findings) = taken(trace, options)?;
    let analysis = Analysis::of(&collected, options);
    let blamer = Blamer::new(&collected, &analysis, &findings, keys, wish);
    let reader = trace_file::open(trace)?;
    let blamer = blamer.beside(|tell| {
        crowd::each(reader, |item| {
            if let Item::Record(record) = item {
                tell(record);
            }
        });
    });
    let ended = end(&collected, &analysis, blamer);
    Ok((ended, analysis))
}

/// An error if the recording can't say how long anybody was blocked.
pub(crate) fn must_tell(model: &Model) -> Result<(), Failure> {
    match model.recording.clockless {
        true => Err(
            Failure::usage("this recording has no times: it was made with --no-clock")
                .hint("'locklens record' and 'locklens trace' without --no-clock record them"),
        ),
        false => Ok(()),
    }
}
