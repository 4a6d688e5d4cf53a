//! What does watching cost? The same work under nothing, nothing again (the noise), locklens in each of its ways, JFR,
//! async-profiler and jstack, side by side.
//!
//! `--help` says how to run it. Every run is a JVM of its own; a round is one run of every arm, and
//! each round begins with another arm. What is compared are the rounds' ratios against the run
//! without a recorder of the same round: the machine's drift cancels, its noise shows in the row
//! "nothing again" and in the quartiles. Start with [`Bench`], then `load` (the programs), `arm` (what watches them),
//! `run` (one JVM), `recorder` (one recorder at work), `caught` (what it says it saw), `table` (the figures). `--alternate`
//! has one JVM for all arms instead, which is less noisy and cannot tell what stays behind.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod arm;
mod caught;
mod jdks;
mod load;
mod recorder;
mod run;
mod table;

use arm::Arm;
use clap::{Parser, ValueEnum};
use load::{LOADS, Load};
use run::Stage;
use std::path::Path;
use std::process::ExitCode;
use table::Rows;

/// What does watching cost? Throughput and processor time of a program with and without a recorder.
///
/// Build first, then run on a machine with nothing else to do, with the JDKs of $LOCKLENS_JDKS (a
/// list of folders separated by colons) and $JAVA_HOME:
///
///   cargo build --release
///
///   cargo run --release -p locklens --example overhead -- --rounds 10
///
/// Everything beside everything, on real programs too:
///
///   cargo run --release -p locklens --example overhead -- --arms all --load ordinary,mixed,virtual,h2,tomcat
#[derive(Debug, Parser)]
#[command(name = "overhead", disable_version_flag = true)]
struct Args {
    /// Rounds; each runs every arm once
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Seconds measured of each run
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Seconds a program runs before a recorder comes
    #[arg(long, default_value_t = 4)]
    warm_up: u64,
    /// Only the JDKs whose folder contains this
    #[arg(long)]
    jdk: Option<String>,
    /// Seconds that do not count once classes have been rewritten: compiled code is being made again
    #[arg(long, default_value_t = 5)]
    settle: u64,
    /// These loads [default: ordinary, waits, mixed]
    #[arg(long, value_delimiter = ',')]
    load: Vec<Load>,
    /// All arms in one JVM, each between two times without a recorder, instead of a JVM for each run.
    /// Not those that cannot come and go without discarding compiled code
    #[arg(long)]
    alternate: bool,
    /// These arms, the one without a recorder besides; all = every one [default: record in three ways, JFR]
    #[arg(long, value_delimiter = ',', value_parser = some_arms)]
    arms: Vec<Arms>,
}

/// One arm, or all of them.
type Arms = Vec<Arm>;

fn some_arms(word: &str) -> Result<Arms, String> {
    match word {
        "all" => Ok(Arm::value_variants().to_vec()),
        one => Ok(vec![Arm::from_str(one, true)?]),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    jdks::on_each("overhead", args.jdk.as_deref(), |home| {
        Bench::new(home, &args)?.all()
    })
}

/// One JDK under test.
struct Bench<'a> {
    home: &'a Path,
    args: &'a Args,
    stage: Stage,
}

impl<'a> Bench<'a> {
    fn new(home: &'a Path, args: &'a Args) -> Result<Self, String> {
        let stage = Stage::new(home, (args.warm_up, args.settle, args.seconds))?;
        Ok(Self { home, args, stage })
    }

    fn all(&self) -> Result<(), String> {
        let loads = match self.args.load.as_slice() {
            [] => &LOADS,
            named => named,
        };
        loads.iter().try_for_each(|&load| self.compare(load))
    }

    fn alternate(&self, rows: &mut Rows, arms: &[Arm], load: Load) -> Result<(), String> {
        let mut watched = arms.to_vec();
        watched.retain(|arm| arm.comes_and_goes());
        if watched.is_empty() {
            return Err("--alternate needs an arm that watches".to_owned());
        }
        let each = |samples: &[_]| rows.add(samples);
        self.stage.alternate(&watched, load, self.args.rounds, each)
    }

    fn compare(&self, load: Load) -> Result<(), String> {
        let release = self.stage.release()?;
        if !load.runs_on(release) {
            eprintln!(
                "{}: JDK {release} cannot run load {load:?}",
                self.home.display()
            );
            return Ok(());
        }
        println!(
            "\n{} · load {load:?} · {} rounds of {} s after {} s",
            self.home.display(),
            self.args.rounds,
            self.args.seconds,
            self.args.warm_up
        );
        let arms = Arm::asked(&self.args.arms.concat());
        let mut rows = Rows::default();
        if self.args.alternate {
            self.alternate(&mut rows, &arms, load)?;
            print!("{}", rows.text(&arms));
            return Ok(());
        }
        for round in 0..self.args.rounds {
            let mut samples = Vec::new();
            for n in 0..arms.len() {
                let arm = arms[(n + round) % arms.len()];
                match self.stage.run(arm, load) {
                    Ok(sample) => samples.push((arm, sample)),
                    Err(why) if arm == Arm::Nothing => return Err(why),
                    Err(why) => rows.failed(arm, why),
                }
            }
            rows.add(&samples);
            eprintln!("round {} of {}", round + 1, self.args.rounds);
        }
        print!("{}", rows.text(&arms));
        Ok(())
    }
}
