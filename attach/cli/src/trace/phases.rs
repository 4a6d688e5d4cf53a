//! `--exact`: watch first, then record exactly what mattered.
//!
//! The first phase is an ordinary recording of some seconds; its locks are taken, the busiest first,
//! until they cover nearly all events. What belongs to them is rewritten for the second phase. A
//! program that blocked and waited nowhere in the first phase is recorded as it was watched.

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
use std::path::Path;
use std::time::{Duration, Instant};

/// The first phase takes no longer.
const LONGEST: Duration = Duration::from_secs(10);
/// Share of the events whose locks are chosen, percent.
const SHARE: u64 = 99;

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

/// What belongs to the locks that matter; none if there is none.
fn choose(first: &Path) -> Result<Option<Choice>, Failure> {
    let options = options(&Analysis::default());
    let collected = collected(first, &options)?;
    let study = Study::of(&collected, &options);
    let mut busy: Vec<(u64, usize)> = (0..study.objects.len())
        .map(|at| (events(&collected, &study, at), at))
        .filter(|(events, _)| *events > 0)
        .collect();
    busy.sort_by_key(|&(events, at)| (std::cmp::Reverse(events), at));
    let all: u64 = busy.iter().map(|(events, _)| events).sum();
    let mut choice = Choice::default();
    let mut covered = 0;
    for (events, at) in busy {
        if covered * 100 >= all * SHARE {
            break;
        }
        covered += events;
        choice.add(&collected, &study, at);
    }
    Ok((covered > 0).then_some(choice))
}

fn events(collected: &Collected, study: &Study, at: usize) -> u64 {
    let of_lock = collected.locks.iter();
    let of_lock = of_lock.filter(|log| study.objects[at].contains(&log.lock));
    of_lock.map(|log| log.events).sum()
}
