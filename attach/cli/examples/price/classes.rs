//! Classes rewritten a second, and put back.

use crate::Bench;
use crate::figures::Values;
use crate::program::{Program, processor};
use crate::trace::Watch;

/// Seconds the program runs at most: it is killed when it has been measured.
const LONG: &str = "600";

/// The agent's memory: rewritten are no more classes than can be remembered.
const ENOUGH: &str = "1G";

pub(crate) fn measure(bench: &Bench<'_>) -> Result<(), String> {
    let count = bench.args.classes.to_string();
    let [mut installed, mut restored, mut took] = [const { Values::new() }; 3];
    let mut rewritten = 0.0;
    for round in 0..bench.args.rounds {
        let program = Program::start(&bench.stage, &["Crowd", LONG, &count])?;
        let words = ["--class", "Crowd$Copy*", "--yes", "--no-juc", "-d", "1s"];
        let words = [&words[..], &["--buffer", ENOUGH]].concat();
        let before = processor(program.pid())?;
        let watch = Watch::start(&bench.stage, "trace", program.pid(), &words)?;
        let facts = watch.finish(&bench.stage)?;
        let after = processor(program.pid())?;
        rewritten = facts.number("exact.classes")?;
        if facts.number("exact.restored")? < rewritten {
            return Err("not all classes were put back".to_owned());
        }
        installed.add(rewritten * 1e3 / facts.number("exact.install.ms")?.max(1.0));
        restored.add(rewritten * 1e3 / facts.number("exact.restore.ms")?.max(1.0));
        took.add((after - before) * 1e6 / rewritten.max(1.0));
        eprintln!("classes: round {} of {}", round + 1, bench.args.rounds);
    }
    println!(
        "\n{rewritten:.0} of {count} classes: rewritten {} a second, put back {} a second; \
         attaching, reading, rewriting and putting back took {} µs of the JVM's processor time a class (quartiles)",
        installed.text(0),
        restored.text(0),
        took.text(0)
    );
    Ok(())
}
