//! A JVM under way: blocked time is divided as it comes, and told when it is over. No trace is written.

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
use locklens_inference::contention::Key;
use locklens_inference::contention::live::{STRETCH, Watcher};
use locklens_inference::model::Options;
use locklens_trace::Record;
use std::io;
use std::path::Path;

/// Events that are kept to know what the locks are.
const EVENTS: usize = 200_000;

/// `locklens contention PID --live`
pub(super) fn run(args: &Args, form: Form, keys: &[Key], wish: Wish) -> Result<Exit, Failure> {
    can_be_live(args, keys)?;
    let jvm = resolve(&args.subject)?;
    let signals = Signals::quitting()?;
    let options = Options {
        window_events: EVENTS,
        ..options(&args.analysis)
    };
    let subject = format!("{} ({})", jvm.pid, target::name(&jvm));
    let length = args.recording.duration.unwrap_or(LENGTH);
    let mut watch = Watch {
        announcement: announcement(Some(length), &subject),
        watcher: Watcher::new(options, keys, wish, STRETCH),
    };
    let exit = follow(
        &Request::watching(&jvm, &args.recording, &signals),
        &mut watch,
    )?;
    let (blame, analysis) = watch.watcher.finish();
    must_tell(&analysis.model)?;
    match print(args, form, &blame, &analysis.model)? {
        Exit::Fine => Ok(exit),
        other => Ok(other),
    }
}

/// An error for what takes a trace, before anything is done.
fn can_be_live(args: &Args, keys: &[Key]) -> Result<(), Failure> {
    let subject = &args.subject;
    if is_trace(Path::new(subject)) {
        let what = format_args!("--live watches a JVM, and {subject} is a trace");
        return Err(Failure::usage(what).hint("without --live: a trace is read to its end"));
    }
    let needs = match (args.root, keys.contains(&Key::Time)) {
        (true, _) => Some("--root"),
        (false, true) => Some("the key time"),
        (false, false) => None,
    };
    if let Some(what) = needs {
        let what = format_args!("{what} needs every piece of every stay, and --live keeps none");
        return Err(Failure::usage(what).hint(format!(
            "'locklens record {subject} -o app.llt', then 'locklens contention app.llt'"
        )));
    }
    match super::file(&args.output) {
        Some(path) => Replace::forced(args.force).allows(path, Output::Text),
        None => Ok(()),
    }
}

/// Takes what the agent sends.
struct Watch {
    announcement: String,
    watcher: Watcher,
}

impl Sink for Watch {
    fn begin(&mut self) -> io::Result<()> {
        note(&self.announcement);
        Ok(())
    }

    fn take(&mut self, records: &[Record]) -> io::Result<()> {
        for record in records {
            self.watcher.push(record.clone());
        }
        Ok(())
    }
}
