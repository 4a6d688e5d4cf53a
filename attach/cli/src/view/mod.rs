//! `locklens view`: the page of a recording, served to the browsers of this computer, with every stay.
//!
//! Two passes over the file give the [`page`], as for `locklens html`, and where in it it stands what happened when. Then the
//! page asks for the stays of the part that it shows, and only that part is read again. Of a JVM, [`live`] records it meanwhile
//! and makes the page anew from time to time.
//!
//! [`series`] is what is recorded: first by watching, then exactly what the page asks for by way of the [`desk`].
//!
//! `server` has the connections, `request` what comes from them, `answer` who gets what, `source` the trace.

mod answer;
mod desk;
mod desktop;
mod live;
mod page;
mod progress;
mod request;
mod series;
mod server;
mod source;

use crate::args::{Recording, View as Args};
use crate::deadlocks::is_path;
use crate::exit::{Exit, Failure};
use crate::record::signals::Signals;
use crate::sample::is_file;
use crate::study::options;
use crate::terminal::{self, note};
use crate::trace_file;
use answer::Site;
use desktop::Desktop;
use page::{Made, Wanted};
use progress::Progress;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

/// `locklens view`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    match is_file(&args.target) || is_path(&args.target) {
        true => of_file(args, Path::new(&args.target)),
        false => live::run(args),
    }
}

fn of_file(args: &Args, trace: &Path) -> Result<Exit, Failure> {
    let destination = &args.destination;
    let is_to_be_kept = destination.output.is_some() || destination.force || destination.redact;
    if is_to_be_kept || args.no_rewrite || args.recording != Recording::default() {
        let what = format!("{} is a trace: there is nothing to record", trace.display());
        return Err(Failure::usage(what)
            .hint("without -o, -d and the other options of a recording; they are for a PID"));
    }
    trace_file::must_be_file(trace)?;
    let (listener, port) = server::listen(args.port)?;
    let signals = Signals::quitting()?;
    let progress = Progress::start(trace.metadata().map_or(0, |meta| meta.len()));
    let wanted = Wanted {
        trace,
        length: u64::MAX,
        options: options(&args.analysis),
        unwanted: &signals.flag(),
        live: None,
    };
    let served = page::with(
        &wanted,
        |at, what| progress.show(at, what),
        |made| {
            progress.finish();
            let Made {
                page,
                mut source,
                damage,
                ..
            } = made;
            damage.iter().for_each(note);
            let (asker, asks) = channel();
            let site = Site::new(port, asker, None)?;
            site.shown().page = Arc::new(page);
            let _desktop = announce(&site, args)?;
            note(format_args!(
                "{} is served there to browsers of this computer until Ctrl-C",
                trace.display()
            ));
            let served = thread::scope(|scope| {
                let server =
                    scope.spawn(move || server::serve(&listener, &site, &|| signals.arrived()));
                source.answer(&asks);
                server.join()
            });
            served.map_or_else(|panic| std::panic::resume_unwind(panic), unserved)
        },
    )?;
    match served {
        Some(()) => Ok(Exit::Fine),
        None => {
            progress.finish();
            Err(Failure::interrupted(
                "interrupted before the page was there",
            ))
        }
    }
}

/// Prints where the page is, and opens it if that is wanted.
fn announce(site: &Site, args: &Args) -> Result<Option<Desktop>, Failure> {
    let address = site.address();
    terminal::print(|out| writeln!(out, "{address}"))?;
    Ok(args.open.then(|| Desktop::open(&address)))
}

fn unserved(served: io::Result<()>) -> Result<(), Failure> {
    served.map_err(|error| Failure::usage(format_args!("can't serve any more: {error}")))
}
