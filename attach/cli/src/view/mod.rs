//! `locklens view`: the page of a recording, served to the browsers of this computer, with every stay.
//!
//! Two passes over the file give the page, as for `locklens html`, and where in it it stands what happened when. Then the
//! page asks for the stays of the part that it shows, and only that part is read again.
//!
//! `server` has the connections, `request` what comes from them, `answer` who gets what, `source` the trace.

mod answer;
mod desktop;
mod progress;
mod request;
mod server;
mod source;

use crate::args::View as Args;
use crate::exit::{Exit, Failure};
use crate::html::panels::First;
use crate::html::{must_have_times, second};
use crate::record::hello::Secret;
use crate::record::signals::Signals;
use crate::study::options;
use crate::terminal::{self, note};
use crate::trace_file;
use answer::Site;
use desktop::Desktop;
use locklens_inference::analysis::Analysis;
use locklens_viz::{damage, html};
use progress::Progress;
use source::Source;
use std::io::Write;
use std::sync::mpsc::channel;
use std::thread;

/// `locklens view`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    trace_file::must_be_file(&args.file)?;
    let (listener, port) = server::listen(args.port)?;
    let file = source::opened(&args.file)?;
    let length = file.metadata().map_or(0, |meta| meta.len());
    let options = options(&args.analysis);
    let progress = Progress::start(length);
    let first = First::of(&args.file, &options, |at| progress.show(at, "locks"))?;
    must_have_times(&first.collected)?;
    let analysis = Analysis::of(&first.collected, &options);
    let pass = second(&args.file, &first, &analysis, |surveyor, at| {
        surveyor.mark(at);
        progress.show(at, "times");
    })?;
    progress.finish();
    for word in damage(&analysis.model.recording) {
        note(word);
    }
    let mut page = Vec::new();
    html::served_page(&pass.levels, &analysis.model, &pass.panels, &mut page)
        .map_err(|error| Failure::usage(format_args!("can't make the page: {error}")))?;
    // From here on Ctrl-C is how it ends.
    let signals = Signals::quitting()?;
    let token =
        Secret::random().map_err(|error| Failure::usage(format_args!("no token: {error}")))?;
    let mut source = Source {
        detail: pass.detail,
        file,
        end: pass.end,
        ended: signals.flag(),
    };
    let (asker, asks) = channel();
    let site = Site {
        token: token.to_string(),
        port,
        page,
        source: asker,
    };
    let address = format!("http://127.0.0.1:{port}/{}/", site.token);
    terminal::print(|out| writeln!(out, "{address}"))?;
    note(format_args!(
        "{} is served there to browsers of this computer until Ctrl-C",
        args.file.display()
    ));
    let _desktop = args.open.then(|| Desktop::open(&address));
    let served = thread::scope(|scope| {
        let server = scope.spawn(move || server::serve(&listener, &site, &signals));
        source.answer(&asks);
        server.join()
    });
    match served {
        Ok(Ok(())) => Ok(Exit::Fine),
        Ok(Err(error)) => Err(Failure::usage(format_args!(
            "can't serve any more: {error}"
        ))),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
