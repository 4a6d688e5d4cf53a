//! A JVM under way: a line for each phase that begins or ends, and all in all at the end. No trace is written.
//!
//! What it takes is bounded by locks, call chains and threads: of all in all the intervals get longer with time.

use super::{must_have_times, print, wanted};
use crate::args::{Pressure as Args, Recording};
use crate::exit::{Exit, Failure};
use crate::quantity::show_duration;
use crate::record::live::{Request, follow};
use crate::record::signals::Signals;
use crate::record::sink::Sink;
use crate::study::options;
use crate::target::{self, resolve};
use crate::terminal::{self, note};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collector;
use locklens_inference::model::Options;
use locklens_inference::pressure::live::{Follower, News};
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::batch::Batch;
use locklens_viz::pressure;
use std::io::{self, ErrorKind, Write};
use std::time::Duration;

/// Intervals that are kept for all in all.
const KEPT: u32 = 4_096;
/// Events that are kept to know what the locks are.
const EVENTS: usize = 200_000;

/// `locklens pressure PID`
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let jvm = resolve(&args.subject)?;
    let signals = Signals::quitting()?;
    let recording = Recording {
        duration: Some(args.duration.unwrap_or(Duration::ZERO)),
        ..Recording::default()
    };
    let request = Request::watching(&jvm, &recording, &signals);
    let options = Options {
        window_events: EVENTS,
        ..options(&args.analysis)
    };
    let mut watch = Watch::new(args, &options);
    watch.announcement = announcement(
        args.duration,
        &format!("{} ({})", jvm.pid, target::name(&jvm)),
    );
    let exit = follow(&request, &mut watch)?;
    match watch.end(args, &options)? {
        Exit::Fine => Ok(exit),
        other => Ok(other),
    }
}

/// What begins, where no trace is written.
pub(crate) fn announcement(length: Option<Duration>, subject: &str) -> String {
    let length = match length {
        Some(length) if !length.is_zero() => format!("for {}", show_duration(length)),
        _ => "until Ctrl-C".to_owned(),
    };
    format!("watching {subject} {length}; no trace is written")
}

/// Takes what the agent sends.
struct Watch {
    announcement: String,
    collector: Collector,
    follower: Follower,
    gauge: Gauge,
    /// Lines are for people.
    quiet: bool,
    /// Nobody reads any more.
    deaf: bool,
}

impl Watch {
    fn new(args: &Args, options: &Options) -> Self {
        let wanted = Wanted {
            most: Some(KEPT),
            ..wanted(args)
        };
        Self {
            announcement: String::new(),
            collector: Collector::new(*options),
            follower: Follower::new(&wanted, args.threshold),
            gauge: Gauge::new(&wanted),
            quiet: args.json,
            deaf: false,
        }
    }

    fn tell(&mut self, news: &[News]) -> io::Result<()> {
        if self.quiet || self.deaf || news.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let look = terminal::look();
        let mut lines = news.iter().map(|news| pressure::line(news, look));
        let told = lines.try_for_each(|line| writeln!(out, "{line}"));
        match told.and_then(|()| out.flush()) {
            // A reader that went away (`… | head`) has what it wanted.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.deaf = true;
                Ok(())
            }
            told => told,
        }
    }

    /// All in all.
    fn end(mut self, args: &Args, options: &Options) -> Result<Exit, Failure> {
        let news = self.follower.last_news(&self.collector);
        let told = self.tell(&news);
        told.map_err(|error| Failure::usage(format_args!("can't write the result: {error}")))?;
        if self.deaf {
            return Ok(Exit::Fine);
        }
        let collected = self.collector.finish();
        must_have_times(&collected)?;
        let analysis = Analysis::of(&collected, options);
        let mut pressure = self.gauge.finish(&collected, &analysis, args.threshold);
        self.follower.say_names(&mut pressure, &collected.catalog);
        if !self.quiet {
            terminal::print(|out| writeln!(out))?;
        }
        print(args, pressure, &analysis.model)
    }
}

impl Sink for Watch {
    fn begin(&mut self) -> io::Result<()> {
        note(&self.announcement);
        Ok(())
    }

    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        for record in batch.to_records() {
            self.follower.push(&record);
            self.gauge.push(&record);
            self.collector.push(record);
        }
        let news = self.follower.news(&self.collector);
        self.tell(&news)
    }

    fn is_done(&self) -> bool {
        self.deaf
    }

    fn talks(&self) -> bool {
        !self.quiet
    }
}
