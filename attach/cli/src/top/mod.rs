//! `locklens top`: how locks stand in a JVM under way, on the terminal.
//!
//! Threads: one takes what the agent sends ([`feed`]), one makes an analysis of it now and then ([`scholar`]), and this one
//! counts it on a board, shows it and reads keys ([`stage`]), or prints it ([`batch`]). Where threads stay blocked, another one asks the
//! JVM whether they are stuck ([`inquest`]). What is drawn, and what keys
//! do, is `locklens_viz::top`'s.

mod batch;
mod feed;
mod inquest;
mod scholar;
mod stage;
mod watch;

use crate::args::{Recording, Top as Args};
use crate::exit::{Exit, Failure};
use crate::record::live::{Request, follow_quietly};
use crate::record::signals::Signals;
use crate::target::{self, resolve};
use crate::terminal::{self, note};
use feed::{Batch, Feed};
use inquest::Inquest;
use locklens_inference::board::Study;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;
use watch::Watch;

/// What is on its way from one thread to the next, at most: chunks of records.
const UNDER_WAY: usize = 256;

/// How it ended, and what is to be said of that.
type Ended = (Exit, Option<String>);

/// `locklens top`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    must_have_terminal(args)?;
    let jvm = resolve(&args.target)?;
    let signals = Signals::quitting()?;
    let recording = Recording {
        duration: Some(args.recording.duration.unwrap_or(Duration::ZERO)),
        ..args.recording.clone()
    };
    let follow = |feed: &mut Feed<'_>| {
        let request = Request::watching(&jvm, &recording, &signals);
        follow_quietly(&request, feed)
    };
    let show = |watch: &mut Watch<'_>| match watch.begins() {
        false => Ok(()),
        true if args.batch => batch::run(args, watch),
        true => stage::run(watch, &jvm),
    };
    let subject = format!("{} ({})", jvm.pid, target::name(&jvm));
    let watch = |records, studies| {
        let inquest = Inquest::begin(&jvm, &signals);
        Watch::new(args, &subject, (records, studies, inquest), &signals)
    };
    let Over {
        ended,
        shown,
        was_wanted,
    } = together(follow, watch, show);
    let (exit, said) = conclude(ended?, args, was_wanted || signals.arrived());
    shown.map_err(|error| Failure::usage(format_args!("can't show it: {error}")))?;
    said.into_iter().for_each(note);
    Ok(exit)
}

/// What it came to.
struct Over {
    ended: Result<Ended, Failure>,
    shown: io::Result<()>,
    /// Somebody here has ended it.
    was_wanted: bool,
}

/// Follows, studies and shows at once, until one of those who follow and who show has had enough.
fn together<'a>(
    follow: impl FnOnce(&mut Feed<'_>) -> Result<Ended, Failure> + Send,
    watch: impl FnOnce(Receiver<Batch>, Receiver<Study>) -> Watch<'a>,
    show: impl FnOnce(&mut Watch<'a>) -> io::Result<()>,
) -> Over {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (to_board, records) = mpsc::sync_channel(UNDER_WAY);
        let (to_scholar, lessons) = mpsc::sync_channel(UNDER_WAY);
        let (tell, studies) = mpsc::channel();
        scope.spawn(move || scholar::study(lessons, &tell));
        let is_over = &is_over;
        let session = scope.spawn(move || follow(&mut Feed::new([to_board, to_scholar], is_over)));
        let mut watch = watch(records, studies);
        let shown = show(&mut watch);
        let was_wanted = !watch.is_over();
        is_over.store(true, Ordering::Relaxed);
        drop(watch);
        let ended = session.join();
        Over {
            ended: ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            shown,
            was_wanted,
        }
    })
}

/// The target's end is no surprise to somebody who has asked for an end just then.
fn conclude((exit, said): Ended, args: &Args, was_wanted: bool) -> Ended {
    let said = said.map(|said| said.split(';').next().unwrap_or_default().to_owned());
    match exit {
        _ if was_wanted => (Exit::Fine, None),
        Exit::Fine if args.recording.duration.is_none_or(|d| d.is_zero()) => (Exit::CutShort, said),
        exit => (exit, said),
    }
}

fn must_have_terminal(args: &Args) -> Result<(), Failure> {
    let is_terminal = io::stdin().is_terminal() && terminal::understands_escapes(&io::stdout());
    match args.batch || is_terminal {
        true => Ok(()),
        false => Err(
            Failure::usage("top needs a terminal, on standard input and output")
                .hint("-b prints frames as text; 'locklens pressure PID' tells when locks hurt"),
        ),
    }
}
