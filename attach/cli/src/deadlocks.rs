//! `locklens deadlocks`: what could have happened, of a recording or of a trace of other tools.

use crate::args::Deadlocks as Args;
use crate::exit::{Exit, Failure};
use crate::study::{self, options};
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::deadlock::finding::{Report, Tier};
use locklens_inference::deadlock::jvm::Jvm;
use locklens_inference::deadlock::merged::{Run, nestings, watched};
use locklens_inference::deadlock::std_format::Lines;
use locklens_inference::deadlock::step::Step;
use locklens_inference::deadlock::{Scan, Suspects, report};
use locklens_inference::model::{Model, Options};
use locklens_inference::nesting::Nester;
use locklens_trace::read::Item;
use locklens_viz::{damage, deadlocks};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Longest line of a trace in STD format.
const LINE: u64 = 1 << 20;
/// How much of a file is looked at to tell what it is.
const BEGINNING: u64 = 4096;

/// `locklens deadlocks`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let report = read(&args.file, &options(&args.analysis))?.report;
    terminal::print(|out| match (args.json, args.sarif, args.dot) {
        (true, ..) => deadlocks::json(&report, out),
        (_, true, _) => deadlocks::sarif(&report, out),
        (_, _, true) => deadlocks::dot(&report, out),
        _ => deadlocks::text(&report, terminal::look(), out),
    })?;
    Ok(verdict(&report, args.min_tier))
}

/// Whether there is anything at least that well proved.
pub(crate) fn verdict(report: &Report, least: Tier) -> Exit {
    match report.findings.iter().any(|finding| finding.tier <= least) {
        true => Exit::Findings,
        false => Exit::Fine,
    }
}

/// The potential deadlocks of a trace of either kind.
pub(crate) fn read(path: &Path, options: &Options) -> Result<Run, Failure> {
    trace_file::must_be_file(path)?;
    match is_std(path) {
        true => of_std(path),
        false => of_recording(path, options),
    }
}

/// Whether the first line that says something looks like `thread|operation(…)`. What can't be read is told later.
pub(crate) fn is_std(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    if read.is_err() || beginning.starts_with(b"LLTRACE") {
        return false;
    }
    if path.extension().is_some_and(|extension| extension == "std") {
        return true;
    }
    let text = String::from_utf8_lossy(&beginning);
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .next()
        .is_some_and(|line| line.split('|').count() >= 2)
}

fn of_std(path: &Path) -> Result<Run, Failure> {
    let mut lines = Lines::default();
    let mut scan = Scan::default();
    each_step(path, &mut lines, &mut |step| scan.push(step))?;
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    if history.is_needed() {
        lines.rewind();
        each_step(path, &mut lines, &mut |step| history.push(step))?;
    }
    Ok(Run {
        report: report(&suspects, &history, &lines),
        nestings: nestings(&suspects, &lines),
    })
}

fn each_step(path: &Path, lines: &mut Lines, each: &mut dyn FnMut(&Step)) -> Result<(), Failure> {
    let unread =
        |error: &io::Error| Failure::usage(format_args!("can't read {}: {error}", path.display()));
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(|e| unread(&e))?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut piece = file.by_ref().take(LINE);
        let length = piece.read_until(b'\n', &mut line).map_err(|e| unread(&e))?;
        if length == 0 {
            return Ok(());
        }
        lines.push(&line, each).map_err(|wrong| {
            Failure::usage(format_args!("{}, {wrong}", path.display()))
                .hint("the STD format of the RAPID tools has lines like T0|acq(L1)|12")
        })?;
    }
}

/// Three passes: what the locks are, what is nested in them, what came before what.
fn of_recording(path: &Path, options: &Options) -> Result<Run, Failure> {
    let (collected, scout) = study::scouted(path, options)?;
    let analysis = Analysis::of(&collected, options);
    let mut nester = Nester::new(&collected, &analysis, &scout);
    let mut jvm = Jvm::new(&collected, &analysis, &scout);
    let mut scan = Scan::default();
    for item in trace_file::open(path)? {
        match item {
            Item::Record(record) => {
                nester.see(&record);
                jvm.see(&record, &mut |step| scan.push(step));
            }
            Item::Gap(_) => jvm.hole(),
        }
    }
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    if history.is_needed() {
        jvm.rewind();
        for item in trace_file::open(path)? {
            match item {
                Item::Record(record) => jvm.see(&record, &mut |step| history.push(step)),
                Item::Gap(_) => jvm.hole(),
            }
        }
    }
    let mut report = report(&suspects, &history, &jvm);
    let graph = nester.finish();
    report.add_watched(&graph, &analysis.model);
    report.notes.extend(notes(&analysis.model));
    let nestings = match graph.exact {
        true => nestings(&suspects, &jvm),
        false => watched(&graph),
    };
    Ok(Run { report, nestings })
}

/// What the recording cannot show.
fn notes(model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = Vec::new();
    if !recording.exact {
        notes.push("watched only: nesting in which nobody blocked or waited was not seen; 'locklens trace' sees it".to_owned());
    }
    notes.extend(damage(recording));
    notes
}
