//! `locklens check`: the deadlocks of several runs that are neither known nor suppressed, for a script.

mod baseline;
mod places;
mod suppress;

use crate::args::Check as Args;
use crate::deadlocks::{read, read_nested, verdict};
use crate::exit::{Exit, Failure};
use crate::study::options;
use crate::terminal;
use crate::terminal::note;
use baseline::{Baseline, Renamed};
use locklens_inference::deadlock::finding::Report;
use locklens_inference::deadlock::merged::{Run, merged};
use locklens_viz::{clean, deadlocks, many};
use std::collections::BTreeMap;
use std::path::PathBuf;
use suppress::Suppressions;

/// Files that a note names; of more it says how many.
const NAMED: usize = 3;

/// What is not so of all files says of which it is.
fn name_files(runs: &mut [Run], files: &[PathBuf]) {
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for note in runs.iter().flat_map(|run| &run.report.notes) {
        *told.entry(note.clone()).or_default() += 1;
    }
    for (run, file) in runs.iter_mut().zip(files) {
        let notes = run.report.notes.iter_mut();
        for note in notes.filter(|note| told[*note] < files.len()) {
            *note = match told[note] {
                few if few <= NAMED => format!("{}: {note}", file.display()),
                many => format!("{many} of {} files: {note}", files.len()),
            };
        }
    }
}

/// `locklens check`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let suppressions = args
        .suppress
        .as_deref()
        .map(Suppressions::read)
        .transpose()?;
    let mut baseline = match &args.baseline {
        Some(path) => Baseline::read(path, args.update_baseline)?,
        None => Baseline::default(),
    };
    let options = options(&args.analysis);
    let runs = args.files.iter().map(|file| match args.files.len() {
        1 => read(file, &options),
        _ => read_nested(file, &options),
    });
    let mut runs = runs.collect::<Result<Vec<_>, _>>()?;
    name_files(&mut runs, &args.files);
    let mut report = merged(runs);
    baseline.saw(&report);
    let idle = suppressions
        .iter()
        .flat_map(|all| all.idle(&report.findings));
    for pattern in idle {
        let pattern = clean(pattern);
        note(format_args!(
            "the suppression deadlock:{pattern} matches no finding"
        ));
    }
    let hidden = keep(&mut report, |finding| {
        !suppressions.as_ref().is_some_and(|s| s.names(finding))
    });
    if let (Some(path), true) = (&args.baseline, args.update_baseline) {
        let added = baseline.add(&report);
        baseline.write(path)?;
        note(format_args!(
            "{} in {}",
            many(added.len() as u64, "new finding"),
            path.display()
        ));
        for headline in &added {
            note(format_args!("known from now on: {}", clean(headline)));
        }
    }
    let renamed = baseline.renamed(&report);
    for Renamed { id, known } in &renamed {
        note(format_args!(
            "{} is known by the baseline as {}: the same places, other names of the locks or fewer callers",
            clean(id),
            clean(known)
        ));
    }
    for finding in &report.findings {
        if let Some(fewer) = baseline.fewer(finding) {
            let (id, now) = (clean(&finding.id), finding.alike);
            note(format_args!(
                "{id}: {now} deadlocks have this name, the baseline has {fewer}: which one is new the names do not tell"
            ));
        }
    }
    let known = keep(&mut report, |finding| {
        let is_renamed = renamed.iter().any(|one| one.id == finding.id);
        !is_renamed && !baseline.knows(finding)
    });
    for (number, what) in [(known, "known by the baseline"), (hidden, "suppressed")] {
        if number > 0 {
            report.untold += number;
            report
                .notes
                .push(format!("{}, not told: {what}", many(number, "finding")));
        }
    }
    terminal::print(|out| match (args.json, args.sarif) {
        (true, _) => deadlocks::json(&report, out),
        (_, true) => deadlocks::sarif(&report, out),
        _ => deadlocks::text(&report, terminal::look(), out),
    })?;
    Ok(verdict(&report, args.min_tier))
}

/// Leaves the rest out, and says how many that were.
fn keep(
    report: &mut Report,
    wanted: impl Fn(&locklens_inference::deadlock::finding::Finding) -> bool,
) -> u64 {
    let before = report.findings.len();
    report.findings.retain(wanted);
    (before - report.findings.len()) as u64
}
