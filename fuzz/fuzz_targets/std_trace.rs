//! Whatever is in a file that is said to be a trace in STD format: it is read or refused, and analysed to its end.
//!
//!     RUSTC_BOOTSTRAP=1 cargo fuzz run -s none std_trace -- -max_total_time=60

#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_inference::deadlock::finding::Tier;
use locklens_inference::deadlock::std_format::Lines;
use locklens_inference::deadlock::{Scan, Suspects, report};

fuzz_target!(|bytes: &[u8]| {
    let mut lines = Lines::default();
    let mut steps = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        rest = &rest[lines.push_plain(rest, &mut |step| steps.push(*step))..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        let (line, behind) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
        // What is no line of the format is told, and the others are read all the same here.
        let _ = lines.push(line, &mut |step| steps.push(*step));
        rest = behind;
    }
    let mut scan = Scan::default();
    steps.iter().for_each(|step| scan.push(step));
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    steps.iter().for_each(|step| history.push(step));
    let report = report(&suspects, &history, &lines);
    for finding in &report.findings {
        assert_eq!(finding.locks.len(), finding.edges.len());
        assert!(finding.tier != Tier::T1 || report.facts.reads);
    }
});
