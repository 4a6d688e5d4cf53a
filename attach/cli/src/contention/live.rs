//! A JVM under way: blocked time is divided as it comes, and told when it is over. No trace is written.
//!
//! A thread of its own divides it: now and then that takes a second, and meanwhile what comes has to go somewhere.

use super::{Args, Form, Wish, must_tell, print};
use crate::exit::{Exit, Failure};
use crate::pressure::{announcement, is_trace};
use crate::record::live::{LENGTH, Request, follow};
use crate::record::signals::Signals;
use crate::record::sink::Sink;
use crate::replace::{Output, Replace};
use crate::study::options;
use crate::target::{self, resolve};
use crate::terminal::note;
use locklens_inference::contention::live::{STRETCH, Watcher};
use locklens_inference::contention::{Blame, Key};
use locklens_inference::model::{Model, Options};
use locklens_trace::Record;
use locklens_trace::batch::Batch;
use locklens_viz::many;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

/// Events that are kept to know what the locks are.
const EVENTS: usize = 200_000;
/// Batches that wait to be counted at most: some 600,000 events.
const UNDER_WAY: usize = 256;

/// `locklens contention PID --live`
pub(super) fn run(args: &Args, form: Form, keys: &[Key], wish: Wish) -> Result<Exit, Failure> {
    can_be_live(args)?;
    let jvm = resolve(&args.subject)?;
    let signals = Signals::quitting()?;
    let options = Options {
        window_events: EVENTS,
        ..options(&args.analysis)
    };
    let subject = format!("{} ({})", jvm.pid, target::name(&jvm));
    let length = args.recording.duration.unwrap_or(LENGTH);
    let watcher = Watcher::new(options, keys, wish, STRETCH);
    let announcement = announcement(Some(length), &subject);
    let (ended, told) = thread::scope(|scope| {
        let (to, batches) = mpsc::sync_channel(UNDER_WAY);
        let counting = scope.spawn(move || count(watcher, batches));
        let mut watch = Watch { announcement, to };
        let request = Request::watching(&jvm, &args.recording, &signals);
        let ended = follow(&request, &mut watch);
        drop(watch);
        (ended, counting.join())
    });
    let exit = ended?;
    let (blame, model) = told.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    must_tell(&model)?;
    if model.recording.lost > 0 {
        note(format_args!(
            "{} lost: the JVM made them faster than they could be taken",
            many(model.recording.lost, "event")
        ));
    }
    match print(args, form, &blame, &model)? {
        Exit::Fine => Ok(exit),
        other => Ok(other),
    }
}

/// An error for what takes a trace, before anything is done.
fn can_be_live(args: &Args) -> Result<(), Failure> {
    let subject = &args.subject;
    if is_trace(Path::new(subject)) {
        let what = format_args!("--live watches a JVM, and {subject} is a trace");
        return Err(Failure::usage(what).hint("without --live: a trace is read to its end"));
    }
    match super::file(&args.output) {
        Some(path) => Replace::forced(args.force).allows(path, Output::Text),
        None => Ok(()),
    }
}

/// Divides what comes until nothing does any more.
fn count(mut watcher: Watcher, batches: Receiver<Vec<Record>>) -> (Blame, Model) {
    for batch in batches {
        batch.into_iter().for_each(|record| watcher.push(record));
    }
    let (blame, analysis) = watcher.finish();
    (blame, analysis.model)
}

/// Hands on what the agent sends.
struct Watch {
    announcement: String,
    to: SyncSender<Vec<Record>>,
}

impl Sink for Watch {
    fn begin(&mut self) -> io::Result<()> {
        note(&self.announcement);
        Ok(())
    }

    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        let sent = self.to.send(batch.to_records());
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
