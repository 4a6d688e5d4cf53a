//! What does watching cost? The same work under nothing, nothing again (the noise), locklens with
//! and without call chains, and JFR at threshold 0 with call chains, side by side.
//!
//! `--help` says how to run it. Every run is a JVM of its own; a round is one run of every arm, and
//! each round begins with another arm. What is compared are the rounds' ratios against the run
//! without a recorder of the same round: the machine's drift cancels, its noise shows in the row
//! "nothing again" and in the quartiles. Start with [`Bench`], then `run` (one JVM), `recorder` (what
//! watches it), `table` (the figures). `--alternate` has one JVM for all arms instead, which is less noisy
//! and cannot tell what stays behind.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod jdks;
mod recorder;
mod run;
mod table;

use clap::{Parser, ValueEnum};
use recorder::Arm;
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
    /// Only this load
    #[arg(long)]
    load: Option<Load>,
    /// All arms in one JVM, each between two times without a recorder, instead of a JVM for each run.
    /// Not JFR, which cannot come and go without discarding compiled code
    #[arg(long)]
    alternate: bool,
    /// Only these arms, the one without a recorder besides
    #[arg(long, value_delimiter = ',')]
    arms: Vec<Arm>,
}

/// What the program does.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Load {
    /// Computes; about 1,000 times a second on two processors a thread waits or blocks
    Ordinary,
    /// Does nothing but wait and notify: 100,000 waits a second and more
    Waits,
    /// Does nothing but wait, and block on locks whose holders wait: 100,000 a second and more
    Mixed,
}

const LOADS: [Load; 3] = [Load::Ordinary, Load::Waits, Load::Mixed];

impl Load {
    /// Arguments of testapps/bench/Contention.java after the seconds.
    fn words(self) -> [&'static str; 5] {
        match self {
            Self::Ordinary => ["4", "700000", "100000", "2", "0"],
            Self::Waits => ["4", "0", "0", "0", "0"],
            Self::Mixed => ["0", "0", "0", "0", "4"],
        }
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
        let stage = Stage::new(home, args.warm_up, args.seconds)?;
        Ok(Self { home, args, stage })
    }

    fn all(&self) -> Result<(), String> {
        let wanted = |load: &&Load| self.args.load.is_none_or(|want| want == **load);
        LOADS
            .iter()
            .filter(wanted)
            .try_for_each(|&load| self.compare(load))
    }

    fn arms(&self) -> Vec<Arm> {
        let wanted = |arm: &Arm| {
            *arm == Arm::Nothing || self.args.arms.is_empty() || self.args.arms.contains(arm)
        };
        Arm::value_variants()
            .iter()
            .copied()
            .filter(wanted)
            .collect()
    }

    fn alternate(&self, rows: &mut Rows, arms: &[Arm], load: Load) -> Result<(), String> {
        let without = [Arm::Nothing, Arm::Again, Arm::Jfr];
        let mut watched = arms.to_vec();
        watched.retain(|arm| !without.contains(arm));
        if watched.is_empty() {
            return Err("--alternate needs an arm that watches".to_owned());
        }
        let each = |samples: &[_]| rows.add(samples);
        self.stage
            .alternate(&watched, &load.words(), self.args.rounds, each)
    }

    fn compare(&self, load: Load) -> Result<(), String> {
        println!(
            "\n{} · load {load:?} · {} rounds of {} s after {} s",
            self.home.display(),
            self.args.rounds,
            self.args.seconds,
            self.args.warm_up
        );
        let arms = self.arms();
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
                samples.push((arm, self.stage.run(arm, &load.words())?));
            }
            rows.add(&samples);
            eprintln!("round {} of {}", round + 1, self.args.rounds);
        }
        print!("{}", rows.text(&arms));
        Ok(())
    }
}
