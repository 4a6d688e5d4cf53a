//! The time of an n-body program with 24,000 contended locks, side by side.

use crate::Bench;
use crate::figures::Values;
use crate::program::{Program, agent_processor, processor};
use crate::trace::{Facts, Watch};
use std::thread::sleep;
use std::time::Duration;

/// What watches: `record` or `trace`, and further words.
type Recorder = (&'static str, &'static [&'static str]);

/// One way to run it each.
const ARMS: [(&str, Option<Recorder>); 5] = [
    ("nothing", None),
    ("nothing again", None),
    ("only watching", Some(("record", &["--no-juc"]))),
    ("exact", Some(("trace", EXACT))),
    ("exact, no clock", Some(("trace", CLOCKLESS))),
];
const EXACT: &[&str] = &["--class", "NBody*", "--yes", "--no-juc"];
const CLOCKLESS: &[&str] = &["--class", "NBody*", "--yes", "--no-juc", "--no-clock"];

/// What one run gave.
struct Run {
    seconds: f64,
    /// Processor time of the program's threads, the agent's left out.
    own: f64,
    /// Of the agent's thread and the command.
    recorder: f64,
    locks: f64,
    facts: Option<Facts>,
}

/// One arm, over the rounds.
#[derive(Default)]
struct Row {
    time: Values,
    own: Values,
    recorder: Values,
    events: Values,
    lost: Values,
}

pub(crate) fn compare(bench: &Bench<'_>) -> Result<(), String> {
    let mut rows: [Row; ARMS.len()] = Default::default();
    let (mut seconds, mut nanos_a_lock) = (Values::default(), Values::default());
    for round in 0..bench.args.rounds {
        let mut runs = Vec::new();
        for n in 0..ARMS.len() {
            let n = (n + round) % ARMS.len();
            runs.push((n, run(bench, n)?));
        }
        let Some((_, base)) = runs.iter().find(|(n, _)| *n == 0) else {
            continue;
        };
        seconds.add(base.seconds);
        nanos_a_lock.add(base.own * 1e9 / base.locks);
        for (n, run) in &runs {
            let row = &mut rows[*n];
            row.time.add(run.seconds / base.seconds);
            row.own.add(run.own / base.own);
            row.recorder.add(run.recorder / base.own);
            if let Some(facts) = &run.facts {
                row.events.add(facts.events());
                row.lost.add(facts.lost() * 100.0);
            }
        }
        eprintln!("n-body: round {} of {}", round + 1, bench.args.rounds);
    }
    println!(
        "\nn-body: {} s without a recorder, a lock every {} ns of processor time",
        seconds.text(1),
        nanos_a_lock.text(0)
    );
    println!(
        "{:<16} {:<22} {:<22} {:<22} events, dropped",
        "", "time (quartiles)", "CPU of its threads", "CPU of the recorder"
    );
    for (row, (label, watched)) in rows.iter().zip(ARMS) {
        let seen =
            watched.map(|_| format!("{:.0}, {:.1} %", row.events.median(), row.lost.median()));
        println!(
            "{label:<16} {:<22} {:<22} {:<22} {}",
            row.time.text(3),
            row.own.text(3),
            row.recorder.text(3),
            seen.unwrap_or_default()
        );
    }
    Ok(())
}

/// Starts the program, lets the recorder come while it is not measured yet, and has the fixed work done.
fn run(bench: &Bench<'_>, arm: usize) -> Result<Run, String> {
    let (args, stage) = (bench.args, &bench.stage);
    let bodies = args.bodies.to_string();
    let mut program = Program::start(stage, &["NBody", &bodies])?;
    sleep(Duration::from_secs(args.warm_up));
    let watch = match ARMS[arm].1 {
        Some((verb, words)) => {
            // Until the program ends, which it does once its input does.
            let words = [words, &["-d", "0"]].concat();
            Some(Watch::start(stage, verb, program.pid(), &words)?)
        }
        None => None,
    };
    sleep(Duration::from_secs(args.settle));
    let of_command = || {
        watch
            .as_ref()
            .map_or(Ok(0.0), |watch| processor(watch.pid()))
    };
    let pid = program.pid();
    let before = (of_command()?, agent_processor(pid));
    program.go()?;
    let line = program.line()?;
    let command = of_command()? - before.0;
    let agent = agent_processor(pid) - before.1;
    program.let_go();
    let numbers: Vec<f64> = line
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let [millis, processor_millis, locks] = numbers[..] else {
        return Err(format!("the program says {line}"));
    };
    Ok(Run {
        seconds: millis / 1e3,
        own: processor_millis / 1e3 - agent,
        recorder: agent + command,
        locks,
        facts: watch.map(|watch| watch.finish(stage)).transpose()?,
    })
}
