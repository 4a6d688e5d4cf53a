//! JVMs of every kind: each is recorded and traced while it works, and must work on, with its own code.

use super::program::Program;
use super::stage::{Stage, eventually, told};
use serde_json::Value;

/// Options that only say that others are allowed.
const ALLOWED: [&str; 2] = [
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+UnlockDiagnosticVMOptions",
];

const COLLECTORS: [&str; 7] = [
    "-XX:+UseSerialGC",
    "-XX:+UseParallelGC",
    "-XX:+UseConcMarkSweepGC",
    "-XX:+UseG1GC",
    "-XX:+UseZGC",
    "-XX:+UseZGC -XX:+ZGenerational",
    "-XX:+UseShenandoahGC",
];

/// Each with every collector.
const HEADERS: [&str; 4] = [
    "-XX:+UseCompressedOops",
    "-XX:-UseCompressedOops",
    "-XX:+UseCompressedOops -XX:+UseCompactObjectHeaders",
    "-XX:-UseCompressedOops -XX:+UseCompactObjectHeaders",
];

/// Each with the collector that most JDKs choose.
const KINDS: [&str; 15] = [
    "-Xint",
    "-Xcomp",
    "-XX:TieredStopAtLevel=1",
    "-XX:-TieredCompilation",
    "-XX:LockingMode=0",
    "-XX:LockingMode=1",
    "-XX:LockingMode=2",
    "-XX:+UseHeavyMonitors",
    "-XX:+UseBiasedLocking -XX:BiasedLockingStartupDelay=0",
    "-XX:+UseObjectMonitorTable",
    "-XX:+UseObjectMonitorTable -XX:+UseCompactObjectHeaders",
    "-XX:+UseObjectMonitorTable -XX:LockingMode=0",
    "-XX:+UseLargePages -XX:+UseTransparentHugePages",
    "-Xcheck:jni",
    "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
];

const USUAL: [&str; 1] = ["-XX:+UseG1GC"];

/// Every kind of JVM there is to try; which of them there are the JVM says.
pub(crate) fn kinds() -> Vec<String> {
    let pairs = |some: &'static [&str], others: &'static [&str]| {
        let each = move |one: &&'static str| {
            let one = *one;
            others.iter().map(move |other| format!("{one} {other}"))
        };
        some.iter().flat_map(each)
    };
    let all = pairs(&COLLECTORS, &HEADERS).chain(pairs(&USUAL, &KINDS));
    all.collect()
}

/// Tries them all; a row of a table for each. It fails if any of them came to harm.
pub(crate) fn all(
    stage: &Stage,
    only: Option<&str>,
    mut say: impl FnMut(String),
) -> Result<(), String> {
    say(
        "| options | record: events, lost | owners | VM probes | belt | trace: events, lost | |"
            .to_owned(),
    );
    say("|---|---|---|---|---|---|---|".to_owned());
    let (mut harmed, mut refused) = (Vec::new(), Vec::new());
    for kind in kinds() {
        if !only.is_none_or(|part| kind.contains(part)) {
            continue;
        }
        match one(stage, &kind) {
            Ok(Outcome::Row(row)) => say(row),
            Ok(Outcome::NoSuchJvm(why)) => refused.push(format!("{kind}: {why}")),
            Err(why) => {
                say(format!("| {kind} | HARM: {why} |"));
                harmed.push(kind);
            }
        }
    }
    refused
        .iter()
        .for_each(|line| say(format!("not a JVM: {line}")));
    match harmed.is_empty() {
        true => Ok(()),
        false => Err(format!("{} kinds came to harm: {harmed:?}", harmed.len())),
    }
}

/// What came of one kind.
pub(crate) enum Outcome {
    Row(String),
    /// The JVM does not start with these options, or without one of them.
    NoSuchJvm(String),
}

/// One kind of JVM, recorded and traced.
pub(crate) fn one(stage: &Stage, kind: &str) -> Result<Outcome, String> {
    let flags: Vec<_> = ALLOWED.into_iter().chain(kind.split(' ')).collect();
    let mut program = match Program::start(stage, &flags) {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::NoSuchJvm(shortly(&why))),
    };
    program.works()?;
    if let Some(off) = ignored(stage, &program, kind)? {
        return Ok(Outcome::NoSuchJvm(format!("{off} is ignored")));
    }
    let code = program.code(stage)?;
    let recorded = recorded(stage, &program)?;
    program.works()?;
    let traced = traced(stage, &program)?;
    eventually("our thread is gone", || Ok(!program.has_our_thread()))?;
    if program.code(stage)? != code {
        return Err("its code is not as it was".to_owned());
    }
    program.works()?;
    Ok(Outcome::Row(format!("| {kind} | {recorded} | {traced} |")))
}

/// The first option that the JVM has not as it was told.
fn ignored(stage: &Stage, program: &Program, kind: &str) -> Result<Option<String>, String> {
    for option in kind.split(' ') {
        let Some(flag) = option.strip_prefix("-XX:") else {
            continue;
        };
        let (name, wanted) = match (flag.split_once('='), flag.split_at(1)) {
            (Some((name, value)), _) => (name, format!("={value}")),
            (None, ("+", name)) => (name, format!("+{name}")),
            (None, (_, name)) => (name, format!("-{name}")),
        };
        let said = stage.locklens(&["attach", &program.word(), "printflag", name])?;
        if !String::from_utf8_lossy(&said.stdout).contains(&wanted) {
            return Ok(Some(option.to_owned()));
        }
    }
    Ok(None)
}

fn recorded(stage: &Stage, program: &Program) -> Result<String, String> {
    let trace = stage.path("kind.llt");
    let words = [
        "record",
        &program.word(),
        "-d",
        "1s",
        "--vm-probes",
        "-o",
        &trace,
    ];
    stage.well(&words)?;
    let facts = whole(stage, &trace)?;
    let of = |key: &str| facts["target"][key].as_str().unwrap_or("-").to_owned();
    let belt = belt(stage, &trace)?;
    let probes = match of("vmprobes") {
        on if on == "on" => on,
        _ => "declined".to_owned(),
    };
    Ok(format!(
        "{} | {} | {probes} | {belt}",
        counts(&facts),
        of("owner")
    ))
}

fn traced(stage: &Stage, program: &Program) -> Result<String, String> {
    let trace = stage.path("kind.llt");
    let words = ["trace", &program.word(), "-d", "1s", "--yes", "-o", &trace];
    let class = ["--class", "Books$Belt"];
    let ran = stage.locklens(&[&words[..], &class].concat())?;
    if ran.status.code() == Some(2) {
        return Ok(format!("refused: {} |", told(&ran)));
    }
    if !ran.status.success() {
        return Err(told(&ran));
    }
    let facts = whole(stage, &trace)?;
    let report = report(stage, &trace)?;
    let doubts = report["recording"]["incomplete"]
        .as_array()
        .map_or(0, Vec::len);
    let is_exact = match (report["recording"]["exact"].as_bool(), doubts) {
        (Some(true), 0) => "exact",
        (Some(true), _) => "exact, incomplete",
        _ => return Err(format!("no exact trace: {}", told(&ran))),
    };
    Ok(format!("{} | {is_exact}", counts(&facts)))
}

/// The figures of a trace that has its end, no gaps, and events.
fn whole(stage: &Stage, trace: &str) -> Result<Value, String> {
    let facts = stage.info(trace)?;
    let gaps = facts["gaps"].as_object().map_or(0, serde_json::Map::len);
    match facts["ended"] == true && gaps == 0 && facts["events"].as_u64() > Some(0) {
        true => Ok(facts),
        false => Err(format!("the trace is not whole: {facts}")),
    }
}

fn counts(facts: &Value) -> String {
    let lost: u64 = facts["lost"].as_object().map_or(0, |lost| {
        let events = lost.iter().filter(|(cause, _)| *cause != "stack-budget");
        events.filter_map(|(_, n)| n.as_u64()).sum()
    });
    format!("{}, {lost}", facts["events"])
}

fn report(stage: &Stage, trace: &str) -> Result<Value, String> {
    let text = stage.well(&["report", "--json", trace])?.stdout;
    serde_json::from_slice(&text).map_err(|e| e.to_string())
}

/// The type of the belt's lock, which all these JVMs must show.
fn belt(stage: &Stage, trace: &str) -> Result<String, String> {
    let report = report(stage, trace)?;
    let locks = report["locks"].as_array().cloned().unwrap_or_default();
    let named = |lock: &&Value| {
        lock["name"]
            .as_str()
            .is_some_and(|name| name.contains("Belt"))
    };
    let belt = locks.iter().find(named).ok_or("the belt is in no report")?;
    let first = &belt["types"][0];
    Ok(first["type"].as_str().unwrap_or("-").to_owned())
}

/// The first line that says something of what a JVM says when it does not start.
fn shortly(why: &str) -> String {
    let lines = why.split(" / ").flat_map(str::lines);
    let telling = |line: &&str| !line.trim().is_empty() && !line.contains("warning");
    lines
        .into_iter()
        .find(telling)
        .unwrap_or("it did not start")
        .to_owned()
}
