//! `--exact`: watch first, then record exactly what mattered.
//!
//! The first phase is an ordinary recording of some seconds; its locks are taken, the busiest first,
//! until they cover nearly all events, and those at which threads were blocked the longest, until they cover
//! nearly all of that. What belongs to them is rewritten for the second phase. A program that blocked and waited nowhere in the first phase is recorded as it was watched.

use super::novelty::Novelty;
use super::wishes::{Choice, DORMANT, PARKS};
use super::{check, harm, say};
use crate::args::{Analysis, Exact, Recording};
use crate::exit::Failure;
use crate::record::dip::Dip;
use crate::record::live::{self, Request};
use crate::record::outcome::Recorded;
use crate::record::output::check as check_output;
use crate::record::tally::Tally;
use crate::study::{collected, options};
use crate::target::takes_agents;
use crate::terminal::note;
use locklens_inference::analysis::Analysis as Study;
use locklens_inference::collect::Collected;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

/// The first phase takes no longer.
const LONGEST: Duration = Duration::from_secs(10);
/// Share of the events, and of the time blocked, whose locks are chosen, percent.
const SHARE: u128 = 99;

/// Records in two phases.
pub(crate) fn record(request: &Request<'_>, how: &Exact) -> Result<Recorded, Failure> {
    let force = how.exact.as_deref() == Some("force");
    check_output(request.pattern, request.replace)?;
    live::fits(request.jvm)?;
    // Nobody is asked about a JVM that nothing can be sent into.
    takes_agents(request.jvm, request.signals)?;
    let harm = harm::of(request.jvm);
    let dip = RefCell::new(Dip::new(request.jvm));
    harm.accept(force, "--exact=force", request.signals)?;
    note(format_args!(
        "watching first, until no lock that matters is new (2 to {} s)",
        LONGEST.as_secs()
    ));
    let novelty = RefCell::new(Novelty::new(Instant::now()));
    let enough = |tally: &Tally| novelty.borrow_mut().is_over(tally, Instant::now());
    let watch = Recording {
        duration: Some(LONGEST),
        // Only monitors can be rewritten.
        no_juc: true,
        ..request.recording.clone()
    };
    let first = live::record_as(&Request {
        recording: &watch,
        unnamed: true,
        quiet: true,
        enough: Some(&enough),
        // Classes are chosen by their names; nobody else sees this one.
        redact: false,
        ..*request
    })?;
    if request.signals.arrived() {
        return Err(Failure::interrupted(
            "interrupted before anything was rewritten",
        ));
    }
    let chosen = choose(first.file.path())?;
    if chosen.is_none() && !how.juc {
        note("no thread blocked or waited: nothing is rewritten");
        return live::record_as(request);
    }
    let mut wishes = chosen.map_or_else(String::new, |chosen| chosen.lines());
    for (wanted, line) in [(how.juc, PARKS), (how.dormant, DORMANT)] {
        if wanted {
            wishes += &format!("{line}\n");
        }
    }
    wishes += &format!("jvm {harm}\n");
    let recorded = check(live::record_as(&Request {
        wishes: Some(&wishes),
        dip: Some(&dip),
        ..*request
    })?)?;
    say(&recorded.facts);
    Ok(recorded)
}

/// What belongs to the locks that matter: those that nearly all events are of, and those at which threads were blocked for
/// nearly all of the time, which can be few and long. None if there is none.
fn choose(first: &Path) -> Result<Option<Choice>, Failure> {
    let options = options(&Analysis::default());
    let collected = collected(first, &options)?;
    let study = Study::of(&collected, &options);
    let blocked = |at: usize| match study.model.locks[at].sampled {
        Some(_) => 0,
        None => study.model.locks[at].blocked.total.0,
    };
    let all = 0..study.objects.len();
    let mut chosen: BTreeSet<usize> = nearly_all(all.clone(), |at| events(&collected, &study, at));
    chosen.extend(nearly_all(all, blocked));
    let mut choice = Choice::default();
    for &at in &chosen {
        choice.add(&collected, &study, at);
    }
    Ok((!chosen.is_empty()).then_some(choice))
}

/// Those with the most, as many as it takes to have nearly all there is.
fn nearly_all(all: Range<usize>, amount: impl Fn(usize) -> u64) -> BTreeSet<usize> {
    let mut most: Vec<(u64, usize)> = all.map(|at| (amount(at), at)).collect();
    most.retain(|&(amount, _)| amount > 0);
    most.sort_by_key(|&(amount, at)| (std::cmp::Reverse(amount), at));
    let sum: u128 = most.iter().map(|&(amount, _)| u128::from(amount)).sum();
    let mut covered = 0;
    let mut chosen = BTreeSet::new();
    for (amount, at) in most {
        if covered * 100 >= sum * SHARE {
            break;
        }
        covered += u128::from(amount);
        chosen.insert(at);
    }
    chosen
}

fn events(collected: &Collected, study: &Study, at: usize) -> u64 {
    let of_lock = collected.locks.iter();
    let of_lock = of_lock.filter(|log| study.objects[at].contains(&log.lock));
    of_lock.map(|log| log.events).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_are_taken_until_they_cover_nearly_all() {
        let events = [1_630, 96_708, 3];
        let blocked = [17_600, 20, 0];
        let of = |amounts: [u64; 3]| nearly_all(0..3, |at| amounts[at]);
        assert_eq!(of(events), BTreeSet::from([0, 1]));
        assert_eq!(of([1_000, 200_000, 3]), BTreeSet::from([1]));
        assert_eq!(of(blocked), BTreeSet::from([0]));
        assert_eq!(of([0; 3]), BTreeSet::new());
    }
}
