//! A lock/unlock pair before, during and after a trace of one JVM.

use crate::Bench;
use crate::figures::Values;
use crate::program::{Program, Stage};
use crate::trace::Watch;

/// Seconds a program runs at most: it is killed when it has been measured.
const LONG: &str = "600";
/// No two regions made one, no lock left out: what the program prints must stay the same.
const NO_ELIMINATION: &str = "-XX:-EliminateLocks";

/// How the classes are traced.
const MODES: [(&str, &[&str]); 2] = [("clock", &[]), ("no clock", &["--no-clock"])];

/// What the program calls its loads, and what is said of them here.
const LOADS: [(&str, &str); 3] = [
    ("block", "synchronized block"),
    ("many", "… on 1,024 objects in turn"),
    ("method", "synchronized method"),
];

/// Nanoseconds for one turn of each of the program's loops: medians over some seconds.
struct Turn {
    lines: Vec<String>,
}

impl Turn {
    fn read(program: &mut Program, seconds: u64) -> Result<Self, String> {
        let lines = (0..seconds).map(|_| program.line());
        Ok(Self {
            lines: lines.collect::<Result<_, _>>()?,
        })
    }

    fn of(&self, load: &str) -> Result<f64, String> {
        let values = self.lines.iter().filter_map(|line| {
            let mut words = line.split(' ');
            words.find(|word| *word == load)?;
            words.next()?.parse::<f64>().ok()
        });
        let values: Values = values.filter(|value| value.is_finite()).collect();
        match values.median() {
            median if median.is_finite() => Ok(median),
            _ => Err(format!("the program says nothing of {load}")),
        }
    }

    /// Two readings of the clock, without the loop around them.
    fn clock(&self) -> Result<f64, String> {
        Ok(self.of("clock")? - self.of("loop")?)
    }
}

/// One load in one mode, over the rounds.
#[derive(Default)]
struct Row {
    before: Values,
    during: Values,
    after: Values,
    added: Values,
    ratio: Values,
}

#[derive(Default)]
struct Mode {
    rows: [Row; LOADS.len()],
    clock: Values,
    lost: Values,
}

pub(crate) fn compare(bench: &Bench<'_>) -> Result<(), String> {
    let mut modes: [Mode; MODES.len()] = Default::default();
    let mut control: [Values; LOADS.len()] = Default::default();
    for round in 0..bench.args.rounds {
        for n in 0..MODES.len() {
            let n = (n + round) % MODES.len();
            modes[n].run(bench, MODES[n].1)?;
        }
        let plain = without_elimination(bench)?;
        for (values, (load, _)) in control.iter_mut().zip(LOADS) {
            values.add(plain.of(load)?);
        }
        eprintln!("pairs: round {} of {}", round + 1, bench.args.rounds);
    }
    for (mode, (name, _)) in modes.iter().zip(MODES) {
        mode.print(name);
    }
    let control = control.map(|values| values.text(1));
    println!(
        "not traced, {NO_ELIMINATION}: block {}, many {}, method {} ns",
        control[0], control[1], control[2]
    );
    Ok(())
}

/// The same program where the JIT may not leave a lock out.
fn without_elimination(bench: &Bench<'_>) -> Result<Turn, String> {
    let mut program = Program::start(&bench.stage, &[NO_ELIMINATION, "LockPair", LONG])?;
    program.skip(bench.args.warm_up)?;
    Turn::read(&mut program, bench.args.seconds)
}

impl Mode {
    fn run(&mut self, bench: &Bench<'_>, words: &[&str]) -> Result<(), String> {
        let (args, stage): (_, &Stage) = (bench.args, &bench.stage);
        let mut program = Program::start(stage, &["LockPair", LONG])?;
        program.skip(args.warm_up)?;
        let before = Turn::read(&mut program, args.seconds)?;
        // One second is lost in attaching, one in waiting for a fresh line, one is to spare.
        let length = format!("{}s", args.settle + args.seconds + 3);
        let words = [&["--class", "LockPair*", "--yes", "-d", &length], words].concat();
        let mut watch = Watch::start(stage, "trace", program.pid(), &words)?;
        program.skip(args.settle)?;
        let during = Turn::read(&mut program, args.seconds)?;
        if !watch.is_on() {
            return Err("the trace ended while it was measured".to_owned());
        }
        let facts = watch.finish(stage)?;
        if facts.number("exact.since")? > args.settle as f64 * 1e9 {
            return Err("the trace began while it was measured".to_owned());
        }
        program.skip(args.settle)?;
        let after = Turn::read(&mut program, args.seconds)?;
        let clock = during.clock()?;
        self.clock.add(clock);
        self.lost.add(facts.lost() * 100.0);
        for (row, (load, _)) in self.rows.iter_mut().zip(LOADS) {
            let added = during.of(load)? - before.of(load)?;
            row.before.add(before.of(load)?);
            row.during.add(during.of(load)?);
            row.after.add(after.of(load)?);
            row.added.add(added);
            row.ratio.add(added / clock);
        }
        Ok(())
    }

    fn print(&self, name: &str) {
        println!(
            "\n{name}: two readings of the clock {} ns; {} % of the events dropped",
            self.clock.text(1),
            self.lost.text(2)
        );
        println!(
            "{:<28} {:>8} {:>8} {:>8}   {:<20} ratio (quartiles)",
            "ns a pair", "before", "during", "after", "added (quartiles)"
        );
        for (row, (_, label)) in self.rows.iter().zip(LOADS) {
            println!(
                "{label:<28} {:>8.1} {:>8.1} {:>8.1}   {:<20} {}",
                row.before.median(),
                row.during.median(),
                row.after.median(),
                row.added.text(1),
                row.ratio.text(2)
            );
        }
    }
}
