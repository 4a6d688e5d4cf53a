//! `locklens top`: how locks stand in a JVM under way, on the terminal.
//!
//! Three threads: one takes what the agent sends ([`feed`]), one makes an analysis of it now and then ([`scholar`]), and this one
//! counts it on a board, shows it and reads keys ([`stage`]), or prints it ([`batch`]). What is drawn, and what keys
//! do, is `locklens_viz::top`'s.

mod batch;
mod feed;
mod scholar;
mod stage;
mod watch;

use crate::args::Top as Args;
use crate::exit::{Exit, Failure};
use crate::record::live::{Request, follow_quietly};
use crate::record::signals::Signals;
use crate::target::{self, resolve};
use crate::terminal::{self, note};
use feed::Feed;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use watch::Watch;

/// What is on its way from one thread to the next, at most: chunks of records.
const UNDER_WAY: usize = 256;

/// How it ended, and what is to be said of that.
type Ended = Result<(Exit, Option<String>), Failure>;

/// `locklens top`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    must_have_terminal(args)?;
    let jvm = resolve(&args.target)?;
    let signals = Signals::quitting()?;
    let recording = crate::args::Recording {
        duration: Some(args.recording.duration.unwrap_or(Duration::ZERO)),
        ..args.recording.clone()
    };
    let is_over = AtomicBool::new(false);
    let subject = format!("{} ({})", jvm.pid, target::name(&jvm));
    let (ended, shown) = thread::scope(|scope| {
        let (to_board, records) = mpsc::sync_channel(UNDER_WAY);
        let (to_scholar, lessons) = mpsc::sync_channel(UNDER_WAY);
        let (tell, studies) = mpsc::channel();
        scope.spawn(move || scholar::study(lessons, &tell));
        let session = scope.spawn(|| -> Ended {
            let request = Request::watching(&jvm, &recording, &signals);
            let mut feed = Feed::new([to_board, to_scholar], &is_over);
            follow_quietly(&request, &mut feed)
        });
        let mut watch = Watch::new(args, &subject, records, studies, &signals);
        let shown = match watch.begins() {
            false => Ok(()),
            true if args.batch => batch::run(args, &mut watch),
            true => stage::run(&mut watch, &jvm),
        };
        let was_asked = !watch.is_over() || signals.arrived();
        is_over.store(true, Ordering::Relaxed);
        drop(watch);
        let ended = session
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (
            ended.map(|(exit, said)| conclude(exit, said, args, was_asked)),
            shown,
        )
    });
    let (exit, said) = ended?;
    shown.map_err(|error| Failure::usage(format_args!("can't show it: {error}")))?;
    said.into_iter().for_each(note);
    Ok(exit)
}

/// The target's end is no surprise to somebody who has asked for an end just then.
fn conclude(
    exit: Exit,
    said: Option<String>,
    args: &Args,
    was_asked: bool,
) -> (Exit, Option<String>) {
    let said = said.map(|said| said.split(';').next().unwrap_or_default().to_owned());
    match exit {
        _ if was_asked => (Exit::Fine, None),
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
