//! Implementations that stray from the textbook are mostly recognised, and never taken for
//! something else with confidence.

mod types_sim;

use types_sim::hard::subjects;
use types_sim::measure::{Statics, Trial, View, attempt};

const SEEDS: u64 = 3;

fn trials(view: View, statics: Statics, visits: usize) -> Vec<(String, Trial)> {
    let mut all = Vec::new();
    for subject in subjects() {
        for seed in 0..SEEDS {
            let trial = attempt(&subject, view, statics, visits, seed);
            all.push((
                format!("{} (seed {seed}): {}", subject.name, trial.line()),
                trial,
            ));
        }
    }
    all
}

fn wrong(trials: &[(String, Trial)], right: impl Fn(&Trial) -> bool) -> Vec<&str> {
    trials
        .iter()
        .filter(|t| !right(&t.1))
        .map(|t| t.0.as_str())
        .collect()
}

#[test]
fn long_complete_histories_are_recognised() {
    for view in [View::Complete, View::Damaged] {
        let trials = trials(view, Statics::None, 1000);
        let missed = wrong(&trials, |t| t.first_right);
        assert!(missed.len() * 20 <= trials.len(), "{}", missed.join("\n"));
    }
}

#[test]
fn short_and_watched_histories_are_never_falsely_sure() {
    for (view, statics, visits) in [
        (View::Complete, Statics::None, 10),
        (View::Complete, Statics::None, 100),
        (View::Complete, Statics::None, 1000),
        (View::Watched, Statics::None, 1000),
        (View::Watched, Statics::False, 1000),
    ] {
        let trials = trials(view, statics, visits);
        let falsely = wrong(&trials, |t| !t.falsely_sure());
        assert!(
            falsely.is_empty(),
            "{view:?} {visits}: {}",
            falsely.join("\n")
        );
    }
}
