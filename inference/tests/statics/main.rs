//! The static model on real bytecode: every lock in `java/*.java` says in its head what it is.
//!
//! The sources are compiled once with the `javac` found on this machine. They use many styles
//! and mostly names that tell nothing, because the model must not lean on names.

mod reader;
mod subjects;

use subjects::{compile, explain, java_files, judge};

/// Odds from which the joined verdict could be called confident.
const CONFIDENT: f64 = 4.0;

#[test]
fn every_lock_is_read_right() {
    let program = compile(&java_files("tests/statics/java"));
    let mut wrong = String::new();
    for subject in &program.subjects {
        let judged = judge(&program, subject);
        if !judged.wrong.is_empty() {
            wrong += &explain(&program, subject, &judged);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The programs of `testapps`, which the recognisers were not written for. Printed in full with
/// `cargo test -p locklens-inference --test statics -- --nocapture hold_out`.
#[test]
#[expect(clippy::print_stdout, reason = "the measurement is what it prints")]
fn hold_out_has_no_confident_mistake() {
    let files = java_files("../testapps");
    if files.is_empty() {
        return;
    }
    let program = compile(&files);
    let (mut right, mut typed, mut all, mut confident) = (0, 0, 0, String::new());
    for subject in &program.subjects {
        let judged = judge(&program, subject);
        let type_wrong = judged
            .wrong
            .iter()
            .any(|w| w.starts_with("type") || w.starts_with("no"));
        all += 1;
        right += usize::from(judged.wrong.is_empty());
        typed += usize::from(!type_wrong);
        if !judged.wrong.is_empty() {
            println!("{}", explain(&program, subject, &judged));
        }
        let best = judged.readings.first().map_or(0.0, |r| r.1.log_odds);
        if type_wrong && best >= CONFIDENT {
            confident += &explain(&program, subject, &judged);
        }
    }
    println!("static model alone: {typed} of {all} types, {right} of {all} with roles and details");
    assert!(confident.is_empty(), "\n{confident}");
}
