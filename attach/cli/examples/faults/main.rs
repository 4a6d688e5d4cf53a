//! What becomes of a JVM, and of a recording, when something goes wrong, or when it is of an unusual kind, or after hours.
//!
//! `--help` says how to run it. Each part starts JVMs with a program that keeps books of its work and has them audited all the
//! time (`testapps/faults`), so that harm shows. Start with `stage` (what a JDK is tried with) and `program` (the JVM), then
//! `kills`, `matrix` and `soak`.
#![expect(clippy::print_stdout, reason = "a trial reports on stdout")]

#[path = "../overhead/jdks.rs"]
mod jdks;
mod kills;
mod matrix;
mod program;
mod soak;
mod stage;

use clap::Parser;
use kills::{Campaign, PHASES, Tally, first_attaches};
use stage::Stage;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Does a JVM get over everything that can happen to it and to the command?
///
/// Build first, then run with the JDKs of $LOCKLENS_JDKS (a list of folders separated by colons) and $JAVA_HOME:
///
///   cargo build --release
///
/// The command killed 500 times, over all phases and JDKs:
///
///   cargo run --release -p locklens --example faults -- --kills 500
///
/// Every garbage collector, kind of locking, and so on, of each JDK:
///
///   cargo run --release -p locklens --example faults -- --matrix
///
/// An hour of recordings, traces and top on one JVM (of each JDK named; --jdk chooses):
///
///   cargo run --release -p locklens --example faults -- --soak 60 --jdk 21
#[derive(Debug, Parser)]
#[command(name = "faults", disable_version_flag = true)]
struct Args {
    /// Kill the command so many times, in equal parts on each JDK
    #[arg(long, value_name = "TIMES")]
    kills: Option<usize>,
    /// Record and trace a JVM of every kind
    #[arg(long)]
    matrix: bool,
    /// Record, trace and watch one JVM for so many minutes
    #[arg(long, value_name = "MINUTES")]
    soak: Option<f64>,
    /// Only the JDKs whose folder contains this
    #[arg(long)]
    jdk: Option<String>,
    /// What the moments of the kills are chosen by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Of the matrix, only the JVMs whose options contain this
    #[arg(long, value_name = "OPTION")]
    only: Option<String>,
    /// The command [default: $LOCKLENS, else the one that was built with this]
    #[arg(long)]
    locklens: Option<PathBuf>,
}

/// A part of the speed before that is as fast: what is below is more than noise.
const AS_FAST: f64 = 0.8;

fn main() -> ExitCode {
    let args = Args::parse();
    let homes = jdks::jdks(args.jdk.as_deref()).len().max(1);
    jdks::on_each("faults", args.jdk.as_deref(), |home| {
        let locklens = match &args.locklens {
            Some(path) => path.clone(),
            None => locklens()?,
        };
        let name = format!("locklens-faults-{}", std::process::id());
        let stage = Stage::new(home, &locklens, std::env::temp_dir().join(name))?;
        println!("\nJDK {} · {}", release(home)?, home.display());
        if let Some(all) = args.kills {
            killed(&stage, all.div_ceil(homes), args.seed)?;
        }
        if args.matrix {
            matrix::all(&stage, args.only.as_deref(), |row| println!("{row}"))?;
        }
        if let Some(minutes) = args.soak {
            let length = Duration::from_secs_f64(minutes * 60.0);
            soak::soak(&stage, length, |row| println!("{row}"))?;
        }
        Ok(())
    })
}

fn killed(stage: &Stage, times: usize, seed: u64) -> Result<(), String> {
    let began = Instant::now();
    let mut campaign = Campaign::begin(stage, seed)?;
    println!("lengths of the phases: {:?}", campaign.lengths);
    println!(
        "{:<14}killed  no trace  cut  whole  folder left  longest",
        ""
    );
    let parts = PHASES.len() + 1;
    let share = |at: usize| times / parts + usize::from(at < times % parts);
    let first = first_attaches(stage, seed, share(PHASES.len()))?;
    println!("{}", row("first attach", &first));
    for (at, phase) in PHASES.into_iter().enumerate() {
        let tally = campaign.kill(phase, share(at))?;
        println!("{}", row(&phase.to_string(), &tally));
    }
    let speed = campaign.end(AS_FAST)?;
    let took = began.elapsed().as_secs();
    println!("speed afterwards {speed:.2} of before; {took} s");
    Ok(())
}

fn row(name: &str, tally: &Tally) -> String {
    format!(
        "{name:<14}{:>6}{:>10}{:>5}{:>7}{:>13}{:>7.2} s",
        tally.killed,
        tally.none,
        tally.cut,
        tally.whole,
        tally.folders,
        tally.longest.as_secs_f64()
    )
}

/// 8, 11, 17 … as the JDK says itself.
fn release(home: &Path) -> Result<u32, String> {
    let said = Command::new(home.join("bin/java"))
        .arg("-version")
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    let version = text.split('"').nth(1).unwrap_or_default();
    let version = version.strip_prefix("1.").unwrap_or(version);
    let major = version.split(['.', '_', '-']).next().unwrap_or_default();
    major
        .parse()
        .map_err(|_| format!("which JDK is it? {text}"))
}

/// The command named by the environment, or else the one beside this program.
fn locklens() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("LOCKLENS") {
        return Ok(PathBuf::from(named));
    }
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let built = here.ancestors().nth(2).map(Path::to_owned);
    Ok(built.ok_or("no folder of builds")?.join("locklens"))
}
