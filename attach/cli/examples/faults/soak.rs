//! One JVM that works, recorded, traced and watched over and over for as long as is asked: what grows, what slows down, and
//! what is lost without being told.

use super::program::Program;
use super::stage::{Running, Stage, eventually, told};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Rounds, twice as many at least.
const BASE: usize = 3;
/// Status of a recording that ended early, and is kept.
const EARLY: i32 = 4;
/// Memory may differ by so many KB between the first rounds and the last: a JVM's heap and code grow for their own reasons.
const GROWTH: u64 = 48 << 10;
/// The command's memory is its own alone.
const COMMAND_GROWTH: u64 = 16 << 10;
/// Work in a second of processor time, against the first rounds.
const AS_FAST: f64 = 0.8;

/// What was seen in one round.
#[derive(Clone, Copy, Debug)]
struct Round {
    speed: f64,
    target_kb: u64,
    /// The most that the command held at the end of its recording.
    command_kb: u64,
    threads: usize,
    open: usize,
    events: u64,
    lost: u64,
}

/// Rounds of a recording, a trace and a top, one after the other, until the time is over.
pub(crate) fn soak(
    stage: &Stage,
    length: Duration,
    mut say: impl FnMut(String),
) -> Result<(), String> {
    // All of its heap is there from the beginning, so that what grows is something else.
    let mut program = Program::start(stage, &["-Xms128m", "-XX:+AlwaysPreTouch"])?;
    program.works()?;
    let code = program.code(stage)?;
    let began = Instant::now();
    let mut rounds = Vec::new();
    say("minute   speed  JVM MB  command MB  threads  open  events      lost, told".to_owned());
    while rounds.len() < 2 * BASE || began.elapsed() < length {
        let round = round(stage, &mut program)?;
        say(row(began.elapsed(), &round));
        rounds.push(round);
        if program.code(stage)? != code {
            return Err("its code is not as it was".to_owned());
        }
    }
    // The first one finds a JVM in which little is compiled and nothing of ours was.
    judge(&rounds[1..], say)
}

fn round(stage: &Stage, program: &mut Program) -> Result<Round, String> {
    let speed = program.speed(Duration::from_secs(2))?;
    let (recorded, command_kb) = recorded(stage, program)?;
    let traced = traced(stage, program)?;
    topped(stage, program)?;
    eventually("our thread is gone", || Ok(!program.has_our_thread()))?;
    program.works()?;
    // What malloc keeps for the next recording is no growth. Of JDKs that have no such command it is in the figures.
    let trim = ["attach", &program.word(), "jcmd", "System.trim_native_heap"];
    stage.locklens(&trim)?;
    Ok(Round {
        speed,
        target_kb: resident(program.pid())?,
        command_kb,
        threads: program.threads().len(),
        open: program.open().values().sum(),
        events: recorded.0 + traced.0,
        lost: recorded.1 + traced.1,
    })
}

fn recorded(stage: &Stage, program: &Program) -> Result<((u64, u64), u64), String> {
    let trace = stage.path("soak.llt");
    let words = ["record", &program.word(), "-d", "0", "-o", &trace];
    let running = stage.start(&words)?;
    let kb = watched(program, &running)?;
    running.signal("INT")?;
    running.well()?;
    Ok((accounted(stage, &trace)?, kb))
}

/// Lets it record until the program has done some work; the memory it holds then.
fn watched(program: &Program, running: &Running) -> Result<u64, String> {
    let until = program.entries()?.audits + 600;
    eventually("the program works", || {
        Ok(program.entries()?.audits >= until)
    })?;
    resident(running.pid())
}

fn traced(stage: &Stage, program: &Program) -> Result<(u64, u64), String> {
    let trace = stage.path("soak.llt");
    let words = ["trace", &program.word(), "--yes", "-d", "1s", "-o", &trace];
    let ran = stage.locklens(&[&words[..], &["--class", "Books$*"]].concat())?;
    match ran.status.code() {
        Some(0) => accounted(stage, &trace),
        // A target that gets no time to send what it has is given up, and that is said; the trace can be read.
        Some(EARLY) => stage.info(&trace).map(|facts| figures(&facts)),
        _ => Err(told(&ran)),
    }
}

fn topped(stage: &Stage, program: &Program) -> Result<(), String> {
    let words = ["top", &program.word(), "-b", "-n", "2"];
    stage.well(&words).map(drop)
}

/// Events and losses of a trace that has its end and no gaps: what is missing in it is told.
fn accounted(stage: &Stage, trace: &str) -> Result<(u64, u64), String> {
    let facts = stage.info(trace)?;
    let gaps = facts["gaps"].as_object().map_or(0, serde_json::Map::len);
    if facts["ended"] != true || gaps > 0 {
        return Err(format!("the trace is not whole: {facts}"));
    }
    begun_and_ended(&facts)?;
    Ok(figures(&facts))
}

/// Events and losses.
fn figures(facts: &Value) -> (u64, u64) {
    let lost = facts["lost"].as_object().map_or(0, |lost| {
        let events = lost.iter().filter(|(cause, _)| *cause != "stack-budget");
        events.filter_map(|(_, n)| n.as_u64()).sum()
    });
    (facts["events"].as_u64().unwrap_or(0), lost)
}

/// Where nothing is said to be lost, each wait and each blocking has its end, save those under way at either end.
fn begun_and_ended(facts: &Value) -> Result<(), String> {
    let of = |kind: &str| facts["event_kinds"][kind]["records"].as_i64().unwrap_or(0);
    let is_whole = facts["lost"]
        .as_object()
        .is_none_or(|lost| lost.keys().all(|cause| cause == "stack-budget"));
    // Exactly, who needs not wait enters without asking first; before and after that only the blocked are told, and no exit.
    let entries = match facts["target"]["exact"] == "true" {
        true => (of("ENTERED") - of("EXIT")).abs() - of("ENTER"),
        false => (of("ENTER") - of("ENTERED")).abs(),
    };
    let odd = (of("WAIT") - of("WAITED")).abs().max(entries);
    match is_whole && odd > 32 {
        true => Err(format!(
            "{odd} events are missing and nobody says so: {facts}"
        )),
        false => Ok(()),
    }
}

fn row(at: Duration, round: &Round) -> String {
    format!(
        "{:>6.1}{:>8.0}{:>8}{:>12}{:>9}{:>6}{:>10}{:>10}",
        at.as_secs_f64() / 60.0,
        round.speed,
        round.target_kb >> 10,
        round.command_kb >> 10,
        round.threads,
        round.open,
        round.events,
        round.lost
    )
}

fn median(rounds: &[Round], of: impl Fn(&Round) -> f64) -> f64 {
    let mut all: Vec<f64> = rounds.iter().map(of).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// The last third beside the first.
fn judge(rounds: &[Round], mut say: impl FnMut(String)) -> Result<(), String> {
    let third = (rounds.len() / 3).max(2);
    let (first, last) = (&rounds[..third], &rounds[rounds.len() - third..]);
    let of = |what: fn(&Round) -> f64| (median(first, what), median(last, what));
    let speed = of(|round| round.speed);
    let target = of(|round| round.target_kb as f64);
    let command = of(|round| round.command_kb as f64);
    let threads = of(|round| round.threads as f64);
    let open = of(|round| round.open as f64);
    say(format!(
        "first third → last, medians: speed {:.0} → {:.0}, JVM {:.1} → {:.1} MB, command {:.1} → {:.1} MB, threads {} → {}, open {} → {}",
        speed.0,
        speed.1,
        target.0 / 1024.0,
        target.1 / 1024.0,
        command.0 / 1024.0,
        command.1 / 1024.0,
        threads.0,
        threads.1,
        open.0,
        open.1
    ));
    let grown = |(before, after): (f64, f64), by: u64| after > before + by as f64;
    if speed.1 < speed.0 * AS_FAST {
        return Err("it has become slower".to_owned());
    }
    if grown(target, GROWTH) || grown(command, COMMAND_GROWTH) {
        return Err("memory grows".to_owned());
    }
    match grown(open, 0) {
        true => Err("what is open grows".to_owned()),
        false => Ok(()),
    }
}

/// Memory a process holds, KB.
fn resident(pid: u32) -> Result<u64, String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).map_err(|e| e.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("no memory of process {pid}"))
}
