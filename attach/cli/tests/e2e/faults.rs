//! The short forms of what the example `faults` does at length: the command killed at random moments, and JVMs of unusual
//! kinds.

#[path = "../../examples/faults/kills.rs"]
mod kills;
#[path = "../../examples/faults/matrix.rs"]
mod matrix;
#[path = "../../examples/faults/program.rs"]
mod program;
#[path = "../../examples/faults/stage.rs"]
mod stage;

use crate::rig::{Jdk, ends, jdk, locklens, scratch};
use kills::{Campaign, PHASES, Tally, first_attaches};
use matrix::{Outcome, all, one};
use stage::Stage;
use std::path::PathBuf;

/// Kills in each phase.
const KILLS: usize = 1;
/// A part of its speed that it has again: far less would be probes, or interpreted code, that stay; what is nearer depends on
/// what else the machine does.
const LEAST: f64 = 0.4;

fn stage(jdk: &Jdk) -> Stage {
    let command = PathBuf::from(locklens().get_program());
    Stage::new(jdk.home(), &command, scratch("faults")).unwrap()
}

/// Other moments each time; what they were chosen by is in the message of a failure.
fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.unwrap().as_secs()
}

fn add(sum: &mut Tally, some: Tally) {
    sum.killed += some.killed;
    sum.none += some.none;
    sum.cut += some.cut;
    sum.whole += some.whole;
}

#[test]
fn a_command_killed_at_any_moment_leaves_the_jvm_as_it_was_and_a_trace_that_says_so() {
    for jdk in ends() {
        let stage = stage(jdk);
        let well = |result: Result<Tally, String>| {
            result.unwrap_or_else(|why| panic!("JDK {}: {why}", jdk.major))
        };
        let mut tally = well(first_attaches(&stage, seed(), 1));
        assert!(tally.folders <= tally.killed);
        let mut campaign = Campaign::begin(&stage, seed()).unwrap();
        for phase in PHASES {
            let some = well(campaign.kill(phase, KILLS));
            assert!(some.longest < stage::PATIENCE, "{:?}", campaign.lengths);
            add(&mut tally, some);
        }
        assert_eq!(tally.killed, 1 + KILLS * PHASES.len());
        assert_eq!(
            tally.none + tally.cut + tally.whole,
            tally.killed,
            "{tally:?}"
        );
        assert!(tally.cut > 0, "{tally:?}");
        campaign.end(LEAST).unwrap();
    }
}

/// Those of which each is there in some JDK and none in all.
const UNUSUAL: [&str; 4] = [
    "-XX:+UseShenandoahGC -XX:-UseCompressedOops",
    "-XX:+UseG1GC -Xint",
    "-XX:+UseG1GC -XX:+UseObjectMonitorTable -XX:+UseCompactObjectHeaders",
    "-XX:+UseG1GC -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
];

#[test]
fn jvms_of_unusual_kinds_are_recorded_and_traced() {
    for jdk in ends() {
        let stage = stage(jdk);
        for kind in UNUSUAL {
            let outcome = one(&stage, kind);
            let outcome = outcome.unwrap_or_else(|why| panic!("JDK {}, {kind}: {why}", jdk.major));
            if let Outcome::Row(row) = outcome {
                assert!(
                    row.contains("PRODUCER-CONSUMER"),
                    "JDK {}: {row}",
                    jdk.major
                );
            }
        }
    }
    let mut rows = Vec::new();
    all(
        &stage(jdk()),
        Some("UseSerialGC -XX:+UseCompressedOops"),
        |row| rows.push(row),
    )
    .unwrap();
    assert!(rows.len() > 2, "a table of nothing: {rows:?}");
}
