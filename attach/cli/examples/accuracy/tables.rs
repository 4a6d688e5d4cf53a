//! The tables: every lock, the confusion matrix, calibration, and the share of the evidence.

use super::Row;
use super::verdict::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// Prints all tables.
pub(crate) fn print(rows: &[Row]) {
    every_lock(rows);
    by_jdk(rows);
    confusion(rows);
    calibration(rows);
    shares(rows);
}

fn types(row: &Row) -> String {
    row.expected
        .types
        .iter()
        .cloned()
        .collect::<Vec<_>>()
        .join("+")
}

fn every_lock(rows: &[Row]) {
    println!(
        "{:<32} {:>3} {:<24} {:<24} {:>5} outcome",
        "subject", "jdk", "is", "reported", "sure"
    );
    for row in rows {
        let judged = &row.judged;
        let quiet = if row.expected.quiet { " (quiet)" } else { "" };
        println!(
            "{:<32} {:>3} {:<24} {:<24} {:>5.2} {:?}{quiet} {}",
            row.subject,
            row.jdk,
            types(row),
            judged.types,
            judged.confidence,
            judged.outcome,
            judged.difference
        );
    }
}

/// *considered*: of the wrong ones, those where every type that it is was reported or named as considered.
fn by_jdk(rows: &[Row]) {
    println!("\nlocks that wait or block, by JDK");
    println!(
        "{:>4} {:>6} {:>6} {:>9} {:>6} {:>10} {:>7} {:>15}",
        "jdk", "locks", "right", "type only", "wrong", "considered", "absent", "wrong and sure"
    );
    let jdks: BTreeSet<_> = rows.iter().map(|r| r.jdk.as_str()).collect();
    for jdk in jdks {
        let loud: Vec<_> = rows
            .iter()
            .filter(|r| r.jdk == jdk && !r.expected.quiet)
            .collect();
        let count = |outcome| loud.iter().filter(|r| r.judged.outcome == outcome).count();
        let sure = loud
            .iter()
            .filter(|r| r.judged.outcome == Outcome::Wrong && r.judged.confidence >= 0.9)
            .count();
        let considered = |r: &&&Row| r.judged.outcome == Outcome::Wrong && r.judged.considered;
        let considered = loud.iter().filter(considered).count();
        println!(
            "{jdk:>4} {:>6} {:>6} {:>9} {:>6} {considered:>10} {:>7} {sure:>15}   {:.1} % right",
            loud.len(),
            count(Outcome::Right),
            count(Outcome::TypeOnly),
            count(Outcome::Wrong),
            count(Outcome::Absent),
            100.0 * count(Outcome::Right) as f64 / loud.len().max(1) as f64
        );
    }
}

fn confusion(rows: &[Row]) {
    println!("\nconfusion: what it is → what was reported");
    let mut cells: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| !r.expected.quiet) {
        *cells
            .entry((types(row), row.judged.types.clone()))
            .or_default() += 1;
    }
    for ((is, reported), n) in cells {
        let mark = if is == reported { "" } else { "  <--" };
        println!("{is:<26} → {reported:<26} {n:>4}{mark}");
    }
}

fn calibration(rows: &[Row]) {
    println!("\ncalibration: stated confidence and share of right types");
    for (low, high) in [
        (0.0, 0.3),
        (0.3, 0.5),
        (0.5, 0.7),
        (0.7, 0.8),
        (0.8, 0.9),
        (0.9, 0.95),
        (0.95, 1.01),
    ] {
        let inside: Vec<_> = rows
            .iter()
            .filter(|r| r.judged.outcome != Outcome::Absent)
            .filter(|r| (low..high).contains(&r.judged.confidence))
            .collect();
        if inside.is_empty() {
            continue;
        }
        let right = inside
            .iter()
            .filter(|r| r.judged.outcome != Outcome::Wrong)
            .count();
        println!(
            "{low:.2}-{high:.2}: {:>4} locks, {:>5.1} % right",
            inside.len(),
            100.0 * right as f64 / inside.len() as f64
        );
    }
}

fn shares(rows: &[Row]) {
    let sum = rows.iter().fold((0.0, 0.0), |sum, row| {
        let (code, events) = row.judged.evidence;
        (sum.0 + code.abs(), sum.1 + events.abs())
    });
    let all: f64 = sum.0 + sum.1;
    println!(
        "\nshare of the evidence (|log-odds|): code {:.0} %, events {:.0} %",
        100.0 * sum.0 / all.max(1e-9),
        100.0 * sum.1 / all.max(1e-9)
    );
}
