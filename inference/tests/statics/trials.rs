//! Fresh locks made from compiled code: what blocks, what passes, and how many of the locks of
//! `testapps` can be executed at all.

use crate::subjects::{Program, Subject, compile, java_files, lock_classes, region_name, regions};
use locklens_inference::trial::bench::{Bench, Outcome};
use locklens_inference::trial::machine::{Machine, benches};
use std::collections::BTreeMap;

/// Calls of one random walk.
const WALK: u32 = 40;
const THREADS: usize = 4;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Why operations got stuck on random walks, with how often.
#[derive(Default)]
struct Walked {
    stuck: BTreeMap<String, u32>,
    calls: u32,
    instructions: u64,
}

fn walk(bench: &Machine<'_>, seed: u64, walked: &mut Walked) {
    let mut machine = bench.clone();
    let mut numbers = Numbers(seed);
    let mut busy = [None; THREADS];
    for token in 0..WALK {
        let thread = numbers.below(THREADS);
        let reaction = match busy[thread] {
            None => machine.call(thread, numbers.below(machine.operations().len()), token),
            Some(true) => machine.expire(thread),
            Some(false) => continue,
        };
        walked.calls += 1;
        busy[thread] = match reaction.own {
            Outcome::Waits { timed } => Some(timed),
            _ => None,
        };
        for (other, _) in &reaction.others {
            busy[*other] = None;
        }
        if let Some(why) = machine.why() {
            *walked.stuck.entry(why.to_owned()).or_default() += 1;
            break;
        }
    }
    walked.instructions += machine.cost() - bench.cost();
}

/// What can be executed of one lock.
fn describe(program: &Program, subject: &Subject) -> (bool, String) {
    let (regions, classes) = (regions(program, subject), lock_classes(program, subject));
    let found = benches(&program.model, &regions, &classes);
    let mut text = format!(
        "{} {} ({}): {} benches\n",
        subject.file,
        subject.lock,
        subject.lock_type,
        found.len()
    );
    let Some(bench) = found.first() else {
        return (false, text);
    };
    let mut walked = Walked::default();
    for seed in 1..=10 {
        walk(bench, seed * 0x9E37_79B9, &mut walked);
    }
    for operation in bench.operations() {
        text += &format!("    {}\n", operation.name);
    }
    for region in bench.uncovered() {
        text += &format!("  UNCOVERED {}\n", region_name(program, region));
    }
    for (operation, why) in bench.left_out() {
        text += &format!("  LEFT OUT {operation}: {why}\n");
    }
    for (why, times) in &walked.stuck {
        text += &format!("  STUCK {times} of 10 walks: {why}\n");
    }
    (
        bench.uncovered().is_empty() && walked.stuck.is_empty(),
        text,
    )
}

/// Every lock of `testapps` whose regions are known. Printed in full with
/// `cargo test -p locklens-inference --test statics -- --nocapture sweep`.
#[test]
#[expect(clippy::print_stdout, reason = "the measurement is what it prints")]
fn sweep_of_locks_that_can_be_executed() {
    let (second, first): (Vec<_>, Vec<_>) = java_files("../testapps")
        .into_iter()
        .filter(|f| crate::is_subject(f))
        .partition(|f| f.parent().is_some_and(|p| p.ends_with("second")));
    for files in [first, second] {
        let program = compile(&files);
        let (mut all, mut whole) = (0, 0);
        for subject in &program.subjects {
            let (executed, text) = describe(&program, subject);
            all += 1;
            whole += u32::from(executed);
            println!("{} {text}", if executed { "ok" } else { "NO" });
        }
        println!("{whole} of {all} locks are executed whole");
        assert!(whole * 2 > all, "most locks can be executed");
    }
}
