//! What locks go as when they are only run, their code not read: the trials alone.

use crate::subjects::{Program, Subject, compile, java_files, judge_by, lock_classes, regions};
use std::time::Instant;

/// Types that have a specification.
const SPECIFIED: [&str; 6] = [
    "LOCK",
    "SEMAPHORE",
    "PRODUCER-CONSUMER",
    "READ-WRITE",
    "BARRIER",
    "LATCH",
];

/// Odds from which a reading could be called confident.
const CONFIDENT: f64 = 4.0;

#[derive(Default)]
struct Tally {
    all: u32,
    typed: u32,
    right: u32,
    silent: u32,
    wrong: String,
    text: String,
}

fn measure(program: &Program, subject: &Subject, tally: &mut Tally) {
    let began = Instant::now();
    let (regions, classes) = (regions(program, subject), lock_classes(program, subject));
    let readings = program.model.run(&regions, &classes);
    let took = began.elapsed().as_millis();
    let judged = judge_by(program, subject, readings);
    let first = judged.readings.first();
    let what = first.map_or("nothing".to_owned(), |(h, e)| {
        format!(
            "{:+.1} {} {:?} ({} steps came true)",
            e.log_odds, h.lock_type, h.details, e.confirmed
        )
    });
    tally.all += 1;
    let (mark, confident) = match (first, judged.wrong.first()) {
        (None, _) => ("--", false),
        (Some(_), None) => ("ok", false),
        (Some(first), Some(w)) if w.starts_with("type") => ("NO", first.1.log_odds >= CONFIDENT),
        _ => ("ty", false),
    };
    tally.silent += u32::from(mark == "--");
    tally.right += u32::from(mark == "ok");
    tally.typed += u32::from(mark == "ok" || mark == "ty");
    let line = format!(
        "{mark} {took:>5} ms {} {} {} {:?}: {what} {:?}\n",
        subject.file, subject.lock, subject.lock_type, subject.details, judged.wrong
    );
    tally.text += &line;
    if confident && SPECIFIED.contains(&subject.lock_type.as_str()) {
        tally.wrong += &line;
    }
}

/// The programs of `testapps`. Printed in full with
/// `cargo test --release -p locklens-inference --test statics -- --nocapture run_alone`.
#[test]
#[expect(clippy::print_stdout, reason = "the measurement is what it prints")]
fn run_alone_most_locks_are_told_and_none_wrong() {
    let (second, first): (Vec<_>, Vec<_>) = java_files("../testapps")
        .into_iter()
        .filter(|f| crate::is_subject(f))
        .partition(|f| f.parent().is_some_and(|p| p.ends_with("second")));
    let mut tally = Tally::default();
    for files in [first, second] {
        let program = compile(&files);
        for subject in program.subjects.iter().filter(|s| is_worth_trying(s)) {
            measure(&program, subject, &mut tally);
        }
    }
    println!("{}", tally.text);
    println!(
        "trials alone: {} of {} types, {} with roles and details, {} silent",
        tally.typed, tally.all, tally.right, tally.silent
    );
    assert!(tally.wrong.is_empty(), "\n{}", tally.wrong);
    assert!(tally.typed * 2 > tally.all, "most are told");
}

/// It has a specification, or must not be taken for something that has.
fn is_worth_trying(subject: &Subject) -> bool {
    let mut types = subject.lock_type.split('+');
    types.any(|t| t == "CONDITION" || SPECIFIED.contains(&t))
}
