//! Prints how well the type checkers do on simulated locks: right and wrong by length of the
//! history and kind of recording, the calibration of confidence, the share of the code's and the events' evidence, and the confusion matrix.
//!
//! `cargo run --release -p locklens-inference --example type_accuracy [SEEDS] [DETAIL]`

#![expect(clippy::print_stdout, reason = "printing is what this example is for")]

#[path = "../tests/types_sim/mod.rs"]
mod types_sim;

use std::collections::BTreeMap;
use types_sim::measure::{Statics, Trial, View, attempt};
use types_sim::subject::Subject;

const LENGTHS: [usize; 3] = [10, 100, 1000];
const WAYS: [(View, Statics); 10] = [
    (View::Complete, Statics::None),
    (View::Complete, Statics::True),
    (View::Complete, Statics::False),
    (View::Complete, Statics::Convinced),
    (View::Damaged, Statics::None),
    (View::Damaged, Statics::True),
    (View::Watched, Statics::None),
    (View::Watched, Statics::True),
    (View::Watched, Statics::False),
    (View::Watched, Statics::Convinced),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let seeds: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(5);
    let detail = args.next();
    let hard = run_all(&types_sim::hard::subjects(), seeds, detail.as_deref());
    println!("\nimplementations that stray from the textbook (their roles are not stated)");
    curve(&hard, false);
    let trials = run_all(&types_sim::subjects(), seeds, detail.as_deref());
    println!("\ntextbook implementations");
    curve(&trials, true);
    calibration(&trials);
    shares(&trials);
    for way in [WAYS[0], WAYS[6], WAYS[7]] {
        confusion(&trials, way);
    }
}

struct Entry {
    way: (View, Statics),
    visits: usize,
    trial: Trial,
}

fn run_all(subjects: &[Subject], seeds: u64, detail: Option<&str>) -> Vec<Entry> {
    let shown_all = detail.is_some_and(|d| d.starts_with('+'));
    let detail = detail.map(|d| d.trim_start_matches('+'));
    let mut all = Vec::new();
    for subject in subjects {
        for way in WAYS {
            for visits in LENGTHS {
                for seed in 0..seeds {
                    let trial = attempt(subject, way.0, way.1, visits, seed);
                    if detail.is_some_and(|d| format!("{way:?} {visits}").contains(d))
                        && (shown_all || !trial.first_right)
                    {
                        println!("{:?} {visits} {}: {}", way, subject.name, trial.line());
                    }
                    all.push(Entry { way, visits, trial });
                }
            }
        }
    }
    all
}

fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

fn curve(trials: &[Entry], with_roles: bool) {
    let all = if with_roles {
        "all types, roles and details right %, "
    } else {
        ""
    };
    println!("\nlength curve: first type right %, {all}wrong at >= 0.9");
    for way in WAYS {
        print!("{:25}", format!("{:?}, code {:?}", way.0, way.1));
        for visits in LENGTHS {
            let of = |e: &&Entry| e.way == way && e.visits == visits;
            let group: Vec<&Entry> = trials.iter().filter(of).collect();
            let right = group.iter().filter(|e| e.trial.first_right).count();
            let all = group.iter().filter(|e| e.trial.all_right()).count();
            let wrong = group.iter().filter(|e| e.trial.falsely_sure()).count();
            let n = group.len();
            print!(" | {visits:4}: {:5.1}", percent(right, n));
            if with_roles {
                print!(" {:5.1}", percent(all, n));
            }
            print!(" {wrong:3}");
        }
        println!();
    }
}

fn calibration(trials: &[Entry]) {
    println!("\ncalibration by confidence said: share right %, trials");
    for way in WAYS {
        print!("{:25}", format!("{:?}, code {:?}", way.0, way.1));
        for tenth in 0..10 {
            let said = |e: &&Entry| ((e.trial.confidence() * 10.0) as usize).min(9) == tenth;
            let group: Vec<&Entry> = trials
                .iter()
                .filter(|e| e.way == way)
                .filter(said)
                .collect();
            let right = group.iter().filter(|e| e.trial.first_right).count();
            if group.is_empty() {
                print!(" | .{tenth}:        -");
            } else {
                print!(
                    " | .{tenth}: {:3.0} {:4}",
                    percent(right, group.len()),
                    group.len()
                );
            }
        }
        println!();
    }
}

/// What the verdicts rest on: the code's share of the first type's evidence, the rest is of the events.
fn shares(trials: &[Entry]) {
    println!("\nshare of the code in the evidence (|log-odds|) of the first type, %");
    for way in WAYS {
        print!("{:25}", format!("{:?}, code {:?}", way.0, way.1));
        for visits in LENGTHS {
            let (mut code, mut all) = (0.0, 0.0);
            for e in trials.iter().filter(|e| e.way == way && e.visits == visits) {
                if let Some(first) = e.trial.typing.types.first() {
                    code += first.evidence.static_log_odds.abs();
                    all += first.evidence.static_log_odds.abs();
                    all += first.evidence.dynamic_log_odds.abs();
                }
            }
            print!(" | {visits:4}: {:5.1}", 100.0 * code / all.max(1e-9));
        }
        println!();
    }
}

fn confusion(trials: &[Entry], way: (View, Statics)) {
    println!("\nconfusion at 1,000 visits, {:?}, code {:?}", way.0, way.1);
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for e in trials.iter().filter(|e| e.way == way && e.visits == 1000) {
        let said = if e.trial.first_right {
            "right"
        } else {
            e.trial.said().name()
        };
        *counts.entry((e.trial.truth.name(), said)).or_default() += 1;
    }
    for ((truth, said), n) in counts {
        println!("  {truth:18} {said:18} {n:4}");
    }
}
