//! What does exact recording cost? Nanoseconds added to an uncontended lock/unlock pair, beside two
//! readings of the clock; the time of an n-body program with 24,000 contended locks; classes rewritten a second.
//!
//! `--help` says how to run it. What is compared was measured side by side: the pair before and during
//! the trace of one JVM, the n-body program against the run without a recorder of the same round. Each
//! round goes through the arms in another order; the figures are medians of the rounds, with quartiles.
//! Start with [`Bench`], then `program` (one JVM), `trace` (what watches it), `pair`, `nbody` and
//! `classes` (the three questions), `figures` (medians and quartiles).
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod classes;
mod figures;
#[path = "../overhead/jdks.rs"]
mod jdks;
mod nbody;
mod pair;
mod program;
mod trace;

use clap::{Parser, ValueEnum};
use program::Stage;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What does exact recording cost? A lock/unlock pair, an n-body program, and the rewriting of classes.
///
/// Build first, then run on a machine with nothing else to do, with the JDKs of $LOCKLENS_JDKS (a
/// list of folders separated by colons) and $JAVA_HOME:
///
///   cargo build --release
///
///   cargo run --release -p locklens --example price -- --rounds 5
#[derive(Debug, Parser)]
#[command(name = "price", disable_version_flag = true)]
struct Args {
    /// Rounds; each runs every arm once
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds measured before, during and after the trace of the pairs
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Seconds a program runs before it is measured or a recorder comes
    #[arg(long, default_value_t = 3)]
    warm_up: u64,
    /// Seconds that do not count once classes have been rewritten: compiled code is being made again
    #[arg(long, default_value_t = 5)]
    settle: u64,
    /// Bodies moved in a run of the n-body program: 15 µs of processor time for each, or so
    #[arg(long, default_value_t = 480_000)]
    bodies: u64,
    /// Classes to rewrite
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    classes: u64,
    /// Only the JDKs whose folder contains this
    #[arg(long)]
    jdk: Option<String>,
    /// Only these questions
    #[arg(long, value_delimiter = ',')]
    only: Vec<Question>,
    /// The command [default: $LOCKLENS, else the one that was built with this]
    #[arg(long)]
    locklens: Option<PathBuf>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Question {
    /// Nanoseconds added to a lock/unlock pair
    Pair,
    /// Time of the n-body program
    Nbody,
    /// Classes rewritten a second
    Classes,
}

fn main() -> ExitCode {
    let args = Args::parse();
    jdks::on_each("price", args.jdk.as_deref(), |home| {
        Bench::new(home, &args)?.all()
    })
}

/// One JDK under test.
struct Bench<'a> {
    args: &'a Args,
    stage: Stage,
}

impl<'a> Bench<'a> {
    fn new(home: &Path, args: &'a Args) -> Result<Self, String> {
        let locklens = match &args.locklens {
            Some(path) => path.clone(),
            None => program::locklens()?,
        };
        let stage = Stage::new(home, locklens)?;
        Ok(Self { args, stage })
    }

    fn all(&self) -> Result<(), String> {
        println!(
            "\n{} · {} rounds · load of the machine {}",
            self.stage.home.display(),
            self.args.rounds,
            program::load()
        );
        if self.asked(Question::Pair) {
            pair::compare(self)?;
        }
        if self.asked(Question::Nbody) {
            nbody::compare(self)?;
        }
        if self.asked(Question::Classes) {
            classes::measure(self)?;
        }
        println!("load of the machine at the end {}", program::load());
        Ok(())
    }

    fn asked(&self, question: Question) -> bool {
        self.args.only.is_empty() || self.args.only.contains(&question)
    }
}
