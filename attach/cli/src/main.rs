//! `locklens`: what the locks of a live JVM really are and do.
//!
//! The only place that prints, reads flags, chooses paths and decides exit codes. What it calls:
//! `locklens-hotspot` to find and enter a JVM, `locklens-trace` to read what the agent said,
//! `locklens-inference` to understand it, `locklens-viz` to write it down.
//!
//! Start with [`args`] (what can be asked for), then [`record`] (the one command with a life of
//! its own); the others are a few calls each.
#![forbid(unsafe_code)]

mod agent;
mod args;
mod check;
mod confirm;
mod contention;
mod crowd;
mod deadlocks;
mod demo;
mod diff;
mod doctor;
mod dump_file;
mod embedded;
mod events;
mod exit;
mod export;
mod graph;
mod guard;
mod guess;
mod history;
mod html;
mod info;
mod jdk;
mod list;
mod pieces;
mod pressure;
mod private;
mod quantity;
mod raw;
mod record;
mod redact;
mod replace;
mod report;
mod sample;
mod select;
mod send;
mod shell;
mod study;
mod target;
mod terminal;
mod top;
mod trace;
mod trace_file;
mod view;
mod watch;

use args::{Cli, Command};
use exit::{Exit, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_whole() {
        Ok(cli) => cli,
        Err(refusal) => return refuse(&refusal),
    };
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::complain(&failure);
            failure.exit.into()
        }
    }
}

/// What was typed.
fn words() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// Help and version are answers (status 0, on stdout); anything else is wrong usage.
fn refuse(refusal: &clap::Error) -> ExitCode {
    if refusal.use_stderr()
        && let Some(failure) = guess::failure(&words())
    {
        terminal::complain(&failure);
        return failure.exit.into();
    }
    // Nobody reads what can't be written any more.
    let _ = refusal.print();
    if refusal.use_stderr() {
        Exit::Usage.into()
    } else {
        Exit::Fine.into()
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        None => watch::run(&cli.watch),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Attach(args)) => send::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Record(args)) => record::run(&args),
        Some(Command::Trace(args)) => trace::run(&args),
        Some(Command::Detach(args)) => trace::detach::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Show(args)) => report::show(&args),
        Some(Command::Events(args)) => events::run(&args),
        Some(Command::Graph(args)) => graph::run(&args),
        Some(Command::Html(args)) => html::run(&args),
        Some(Command::View(args)) => view::run(&args),
        Some(Command::Pressure(args)) => pressure::run(&args),
        Some(Command::Sample(args)) => sample::run(&args),
        Some(Command::Top(args)) => top::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Contention(args)) => contention::run(&args),
        Some(Command::Deadlocks(args)) => deadlocks::run(&args),
        Some(Command::Confirm(args)) => confirm::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Guard(args)) => guard::run(&args),
        Some(Command::Info(args)) => info::run(&args),
        Some(Command::Redact(args)) => redact::run(&args),
        Some(Command::Demo(args)) => demo::run(&args),
        Some(Command::Agent(args)) => agent::run(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man(args)) => shell::man(&args),
    }
}
