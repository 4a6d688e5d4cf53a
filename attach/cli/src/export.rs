//! `locklens export`: a recording in the formats that others show.
//!
//! Two passes over the file, as for `contention`. Of the formats over time, and of tables, the second one writes as it reads.

mod tables;

use crate::args::{Export as Args, Viewer, file};
use crate::contention::{must_tell, read, taken};
use crate::crowd::{Crowd, Share};
use crate::exit::{Exit, Failure};
use crate::replace::{Replace, spare};
use crate::study::options;
use crate::terminal::note;
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::contention::timeline::Timeline;
use locklens_inference::contention::{Findings, Happening, Wish};
use locklens_inference::model::Options;
use locklens_inference::pressure::model::Pressure;
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::Nanos;
use locklens_trace::read::Item;
use locklens_viz::contention::{Side, collapsed};
use locklens_viz::export::{Firefox, Perfetto, pprof, pprof_keys};
use locklens_viz::many;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Recordings longer than that have their pressure told by the second.
const LONG: Nanos = Nanos(60_000_000_000);
/// Shorter ones by this.
const FINE: Nanos = Nanos(100_000_000);
/// What has been read and not been written: so many heartbeats of it.
const AHEAD: usize = 2;
const SECOND: Nanos = Nanos(1_000_000_000);

/// `locklens export`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let output = Some(args.output.clone());
    let output = file(&output);
    check(args, output)?;
    trace_file::must_be_file(&args.file)?;
    spare(&args.file, output)?;
    match args.to {
        Viewer::Pprof | Viewer::Collapsed => by_chain(args, output),
        Viewer::Perfetto | Viewer::Firefox => over_time(args, output),
        Viewer::Parquet => tables::run(args, output),
    }
}

/// An error for what makes no sense together.
fn check(args: &Args, output: Option<&Path>) -> Result<(), Failure> {
    let by_chain = matches!(args.to, Viewer::Pprof | Viewer::Collapsed);
    if args.host.is_some() && args.to != Viewer::Parquet {
        return Err(Failure::usage("--host is for parquet").hint("without it"));
    }
    if !by_chain && (args.of.is_some() || args.waits) {
        return Err(
            Failure::usage("--of and --waits are for pprof and collapsed")
                .hint("without them: this format has waiters and owners, blocked time and waits"),
        );
    }
    let is_binary = matches!(args.to, Viewer::Perfetto | Viewer::Pprof);
    match is_binary && output.is_none() && io::stdout().is_terminal() {
        true => Err(Failure::usage("this format is not for a terminal")
            .hint("-o FILE, or '-o - | gzip > FILE.gz'")),
        false => Ok(()),
    }
}

/// Writes to the file, or to standard output.
fn print(
    args: &Args,
    output: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Exit, Failure> {
    match output {
        None => terminal::print(|out| write(out)),
        Some(path) => terminal::write(path, Replace::forced(args.force), |out| write(out)),
    }
}

/// Blocked time by call chain.
fn by_chain(args: &Args, output: Option<&Path>) -> Result<Exit, Failure> {
    let side = args.of.map_or(Side::Waiter, Side::from);
    let keys = match args.to {
        Viewer::Pprof => pprof_keys(side),
        _ => vec![side.key()],
    };
    let wish = Wish {
        waits: args.waits,
        ..Wish::default()
    };
    let (blame, model) = read(&args.file, &options(&args.analysis), &keys, wish)?;
    must_tell(&model)?;
    print(args, output, |out| match args.to {
        Viewer::Pprof => pprof(&blame, &model, out),
        _ => collapsed(&blame, out),
    })
}

/// What the first pass learns.
struct Learnt {
    collected: Collected,
    analysis: Analysis,
    findings: Findings,
}

impl Learnt {
    fn of(trace: &Path, options: &Options) -> Result<Self, Failure> {
        let (collected, findings) = taken(trace, options)?;
        let analysis = Analysis::of(&collected, options);
        must_tell(&analysis.model)?;
        Ok(Self {
            collected,
            analysis,
            findings,
        })
    }

    /// Tells everything of the second pass, which others read, follow and measure while this thread writes.
    fn told(
        &self,
        trace: &Path,
        gauge: Option<&mut Gauge>,
        tell: &mut dyn FnMut(&Happening) -> io::Result<()>,
    ) -> Result<io::Result<()>, Failure> {
        let reader = trace_file::open(trace)?;
        let (sender, receiver) = sync_channel(AHEAD);
        thread::scope(|scope| {
            let mut crowd = Crowd::default();
            let share = crowd.member();
            let measured = gauge.map(|gauge| (gauge, crowd.member()));
            let stop = crowd.stop();
            crowd.read(scope, reader);
            let timeline = Timeline::new(&self.collected, &self.analysis, &self.findings);
            scope.spawn(move || follow(timeline, share, &sender));
            if let Some((gauge, share)) = measured {
                scope.spawn(move || {
                    share.each(|item| match item {
                        Item::Record(record) => gauge.push(record),
                        Item::Gap(_) => gauge.gap(),
                    });
                });
            }
            let mut all = receiver.into_iter();
            let told = all.try_for_each(|told| told.iter().try_for_each(&mut *tell));
            if told.is_err() {
                stop.now();
            }
            Ok(told)
        })
    }

    fn pressure(&self, gauge: Gauge) -> Pressure {
        gauge.finish(&self.collected, &self.analysis, 1.0)
    }
}

/// Has all that happened told, as far as somebody listens: who does not has stopped the reading.
fn follow(mut timeline: Timeline<'_>, share: Share, to: &SyncSender<Vec<Happening>>) {
    share.each_record(|record| {
        let told = timeline.push(record);
        if !told.is_empty() {
            let _ = to.send(told);
        }
    });
    let _ = to.send(timeline.finish());
}

/// What happened, one by one.
fn over_time(args: &Args, output: Option<&Path>) -> Result<Exit, Failure> {
    let learnt = Learnt::of(&args.file, &options(&args.analysis))?;
    // It can fail to read, and to write; the second is for the terminal to judge.
    let mut read = Ok(());
    let written = print(args, output, |out| {
        let done = match args.to {
            Viewer::Perfetto => perfetto(&args.file, &learnt, out),
            _ => firefox(&args.file, &learnt, out),
        };
        done.unwrap_or_else(|failure| {
            read = Err(failure);
            Ok(())
        })
    });
    read.and(written)
}

fn perfetto(trace: &Path, learnt: &Learnt, out: &mut dyn Write) -> Result<io::Result<()>, Failure> {
    let wanted = Wanted {
        interval: match learnt.collected.recording.duration > LONG {
            true => SECOND,
            false => FINE,
        },
        most: None,
        threads: None,
    };
    let mut gauge = Gauge::informed(&wanted, &learnt.collected);
    let mut perfetto = match Perfetto::begin(&learnt.collected, &learnt.analysis, out) {
        Ok(perfetto) => perfetto,
        Err(error) => return Ok(Err(error)),
    };
    let told = learnt.told(trace, Some(&mut gauge), &mut |happening| {
        perfetto.tell(happening)
    })?;
    Ok(told.and_then(|()| perfetto.end(&learnt.pressure(gauge))))
}

fn firefox(trace: &Path, learnt: &Learnt, out: &mut dyn Write) -> Result<io::Result<()>, Failure> {
    let mut profile = Firefox::new(&learnt.collected, &learnt.analysis);
    let told = learnt.told(trace, None, &mut |happening| {
        profile.tell(happening);
        Ok(())
    })?;
    if profile.left_out() > 0 {
        note(format_args!(
            "{} left out, the shortest: more than this viewer can hold; --to perfetto has all",
            many(profile.left_out(), "marker")
        ));
    }
    Ok(told.and_then(|()| profile.write(out)))
}
