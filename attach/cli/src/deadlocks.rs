//! `locklens deadlocks`: what could have happened, of a recording or of a trace of other tools; what has, of a JVM that hangs or
//! of thread dumps ([`hang`]).

pub(crate) mod hang;
mod recorded;

use crate::args::Deadlocks as Args;
use crate::crowd::{Crowd, Share, joined};
use crate::exit::{Exit, Failure};
use crate::sample::is_file;
use crate::study::{self, options};
use crate::{terminal, trace_file};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::deadlock::finding::{Finding, Names, Report, Tier};
use locklens_inference::deadlock::given::Given;
use locklens_inference::deadlock::jvm::Jvm;
use locklens_inference::deadlock::merged::{
    Run, lineage, nestings, numbered_names, numbered_names_in, watched,
};
use locklens_inference::deadlock::std_format::{Lines, Malformed};
use locklens_inference::deadlock::step::Step;
use locklens_inference::deadlock::{Scan, Suspects, report, without_operations};
use locklens_inference::hang::{Recorded, settle};
use locklens_inference::model::{LogicalLock, Model, Options, Standstill, Wants};
use locklens_inference::nesting::{Nester, Scout};
use locklens_inference::types::LockType;
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::target_key;
use locklens_viz::{HEADLESS, damage, deadlocks, many, unseen};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Longest line of a trace in STD format.
const LINE: usize = 1 << 20;
/// Steps that are handed on together, and how many times that who makes them may be ahead.
const STEPS: usize = 1024;
const AHEAD: usize = 16;
/// How much of a file is looked at to tell what it is.
const BEGINNING: u64 = 4096;

/// `locklens deadlocks`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let report = match args.targets.as_slice() {
        [target] if !is_file(target) && !is_path(target) => hang::of_jvm(args)?,
        [file] => match hang::saved(Path::new(file))? {
            Some(saved) => saved.explained(file.clone(), recorded(args)?.as_ref()),
            None if args.recording.is_some() => {
                return Err(Failure::usage(format_args!(
                    "--recording stands beside a hang, and {file} holds no thread dump"
                ))
                .hint("a JVM that hangs, or its thread dumps; without the flag a trace is read for what could happen"));
            }
            None => {
                let mut report = read(Path::new(file), &options(&args.analysis))?.told();
                settle(&mut report);
                report
            }
        },
        files => hang::of_dumps(files, recorded(args)?.as_ref())?,
    };
    terminal::print(|out| match (args.json, args.sarif, args.dot) {
        (true, ..) => deadlocks::json(&report, out),
        (_, true, _) => deadlocks::sarif(&report, out),
        (_, _, true) => deadlocks::dot(&report, out),
        _ => deadlocks::text(&report, terminal::look(), out),
    })?;
    Ok(verdict(&report, args.min_tier))
}

/// What the recording knows that saved dumps are explained with.
fn recorded(args: &Args) -> Result<Option<Recorded>, Failure> {
    let trace = args.recording.as_deref();
    trace
        .map(|trace| recorded::read(trace, &options(&args.analysis), None))
        .transpose()
}

/// Whether a word that names no file was meant to.
pub(crate) fn is_path(word: &str) -> bool {
    let endings = [".llt", ".std", ".txt", ".log", ".json", ".dump"];
    let parts = |c: char| c == '/' || c.is_whitespace();
    word.contains(parts) || endings.iter().any(|ending| word.ends_with(ending))
}

/// Whether there is anything at least that well proved.
pub(crate) fn verdict(report: &Report, least: Tier) -> Exit {
    let stood = report.stood.iter().flat_map(|stood| &stood.findings);
    let mut all = report.findings.iter().chain(stood);
    match all.any(|finding| finding.tier <= least) {
        true => Exit::Findings,
        false => Exit::Fine,
    }
}

/// The potential deadlocks of a trace of either kind, by itself.
pub(crate) fn read(path: &Path, options: &Options) -> Result<Run, Failure> {
    run_of(path, options, Nestings::LeftOut)
}

/// … with what is nested in it, for the cycles that it makes with others.
pub(crate) fn read_nested(path: &Path, options: &Options) -> Result<Run, Failure> {
    run_of(path, options, Nestings::Kept)
}

/// Whether what is nested is asked for: of large traces that is much.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nestings {
    Kept,
    LeftOut,
}

fn run_of(path: &Path, options: &Options, nested: Nestings) -> Result<Run, Failure> {
    trace_file::must_be_file(path)?;
    match is_std(path) {
        true => of_std(path, nested),
        false => of_recording(path, options, nested),
    }
}

/// Whether the first line that says something looks like `thread|operation(…)`. What can't be read is told later.
pub(crate) fn is_std(path: &Path) -> bool {
    let beginning = beginning(path);
    let fits = |line: &str| line.split('|').count() >= 2;
    !is_recording(&beginning) && (is_called_std(path) || first_line(&beginning, fits))
}

/// Whether it is surely a trace: a recording, or a file whose first line is a step. Anything may be in a log.
fn is_step_or_recording(path: &Path) -> bool {
    let beginning = beginning(path);
    let is_step = |line: &str| {
        let operation = line
            .split('|')
            .nth(1)
            .and_then(|field| field.split_once('('));
        operation.is_some_and(|(word, _)| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    is_recording(&beginning) || is_called_std(path) || first_line(&beginning, is_step)
}

/// First bytes; none of what can't be read.
fn beginning(path: &Path) -> Vec<u8> {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    read.map_or_else(|_| Vec::new(), |_| beginning)
}

fn is_recording(beginning: &[u8]) -> bool {
    beginning.starts_with(b"LLTRACE")
}

fn is_called_std(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "std")
}

fn first_line(beginning: &[u8], fits: impl Fn(&str) -> bool) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(fits)
}

fn of_std(path: &Path, nested: Nestings) -> Result<Run, Failure> {
    let mut lines = Lines::default();
    let mut scan = Scan::default();
    let cut = each_step(path, &mut lines, &mut |step| scan.push(step))?;
    if scan.steps() == 0 {
        let what = format_args!("{} holds no step", path.display());
        return Err(Failure::usage(what).hint(
            "what writes it may not be through, or have failed: of a program that takes locks there is a line for each step, like T0|acq(L1)|12",
        ));
    }
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    if history.is_needed(&lines) {
        lines.rewind();
        each_step(path, &mut lines, &mut |step| history.push(step))?;
    }
    let mut report = report(&suspects, &history, &lines);
    let said = cut.map(|wrong| {
        format!("the trace is cut off in the middle of a line, which is left out ({wrong})")
    });
    report.notes.extend(said);
    let doubt = lines.reads_doubted();
    let doubt =
        doubt.map(|why| format!("{why}: steps are missing or misplaced, and nothing is called T1"));
    report.notes.extend(doubt);
    Ok(Run {
        report,
        nestings: match nested {
            Nestings::Kept => nestings(&suspects, &lines),
            Nestings::LeftOut => Vec::new(),
        },
        // What a name of such a trace ends with is no number of ours.
        numbered: Default::default(),
        lineage: lineage(&suspects, &lines),
        given: Given::default(),
    })
}

/// Gives the steps of each line; what is wrong with the last one, should the file end in the middle of it.
fn each_step(
    path: &Path,
    lines: &mut Lines,
    each: &mut dyn FnMut(&Step),
) -> Result<Option<Malformed>, Failure> {
    let unread =
        |error: &io::Error| Failure::usage(format_args!("can't read {}: {error}", path.display()));
    let mut file = BufReader::with_capacity(1 << 17, File::open(path).map_err(|e| unread(&e))?);
    let (mut begun, mut known) = (Vec::new(), false);
    loop {
        let filled = match file.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            filled => filled.map_err(|e| unread(&e))?,
        };
        if begun.is_empty() {
            let plain = lines.push_plain(filled, each);
            if plain > 0 {
                known = true;
                file.consume(plain);
                continue;
            }
        }
        let end = filled.iter().position(|&byte| byte == b'\n');
        let end = end.map_or(filled.len(), |at| at + 1);
        let piece = &filled[..end.min(LINE - begun.len())];
        let length = piece.len();
        let over = length == 0;
        let whole = piece.ends_with(b"\n") || begun.len() + length == LINE;
        // Most lines are read where they are.
        let alone = whole && begun.is_empty();
        if !alone {
            begun.extend_from_slice(piece);
        }
        let line = if alone { piece } else { begun.as_slice() };
        if (whole || over) && !line.is_empty() {
            match lines.push(line, each) {
                Ok(()) => known = true,
                // A file that is nothing but such a line is none of this kind.
                Err(wrong) if known && !whole => return Ok(Some(wrong)),
                Err(wrong) => return Err(malformed(path, &wrong)),
            }
        }
        if over {
            return Ok(None);
        }
        if whole {
            begun.clear();
        }
        file.consume(length);
    }
}

fn malformed(path: &Path, wrong: &Malformed) -> Failure {
    Failure::usage(format_args!("{}, {wrong}", path.display()))
        .hint("the STD format of the RAPID tools has lines like T0|acq(L1)|12")
}

/// Three passes: what the locks are, what is nested in them, what came before what. Between the first two another one, where the
/// recording may refute what the locks are thought to be.
fn of_recording(path: &Path, options: &Options, nested: Nestings) -> Result<Run, Failure> {
    let (collected, scout) = study::scouted(path, options)?;
    let analysis = Analysis::of(&collected, options);
    let mut jvm = Jvm::new(&collected, &analysis, &scout);
    if jvm.is_to_survey() {
        let mut survey = Jvm::new(&collected, &analysis, &scout);
        through(path, &mut survey, &mut |_| ())?;
        jvm.leave(&survey.refuted());
    }
    let mut scan = jvm.scan();
    let reader = trace_file::open(path)?;
    let graph = thread::scope(|scope| {
        let mut crowd = Crowd::default();
        let nested = crowd.member();
        let nesting = scope.spawn(|| {
            let mut nester = Nester::new(&collected, &analysis, &scout);
            nested.each_record(|record| nester.see(record));
            nester.finish()
        });
        made(crowd, reader, &mut jvm, &mut |step| scan.push(step));
        joined(nesting)
    });
    scan.know(jvm.natures());
    scan.know_patience(&jvm.patience());
    scan.know_crews(jvm.crews());
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    if history.is_needed(&jvm) {
        jvm.rewind();
        through(path, &mut jvm, &mut |step| history.push(step))?;
    }
    let mut report = report(&suspects, &history, &jvm);
    report.stood.clone_from(&analysis.model.stood);
    report.add_watched(&graph, &analysis.model, &analysis.apart);
    report.notes.extend(notes(&collected, &analysis.model));
    report.notes.extend(without_probes(&collected));
    if report.findings.is_empty() {
        report.notes.extend(of_others(&collected));
    }
    report
        .notes
        .extend(unknown_kin(&collected, &scout, &report.findings));
    let (nestings, numbered) = match (nested, graph.exact) {
        (Nestings::LeftOut, _) => Default::default(),
        (_, true) => (nestings(&suspects, &jvm), numbered_names(&suspects, &jvm)),
        (_, false) => (watched(&graph), numbered_names_in(&graph)),
    };
    Ok(Run {
        given: Given::of(&collected.catalog, &report),
        report,
        nestings,
        numbered,
        lineage: lineage(&suspects, &jvm),
    })
}

/// That code which was asked for has no probes, if so.
fn without_probes(collected: &Collected) -> Option<String> {
    let told = [target_key::EXACT_REFUSED, target_key::OPERATIONS_REFUSED];
    let lines = told.iter().filter_map(|key| collected.target.get(*key));
    let lines: Vec<&str> = lines.flat_map(|told| told.lines()).collect();
    let first = lines.first()?;
    let (n, more) = match lines.len() {
        1 => ("it may", String::new()),
        n => ("they may", format!(", and {} more", n - 1)),
    };
    Some(format!(
        "not rewritten: {first}{more}. What {n} take is not in the trace: that no cycle is told proves nothing there"
    ))
}

/// That there are locks which the recording has left out, if so.
fn of_others(collected: &Collected) -> Option<String> {
    let told = collected.target.get(target_key::EXACT_OTHERS)?;
    let n = told.parse().ok().filter(|&n: &u64| n > 0)?;
    let were = if n == 1 { "was" } else { "were" };
    Some(format!(
        "{} of other locks {were} left out, whose code was not rewritten: that no cycle is told proves nothing of those; 'trace --class' adds their classes, as far as these can be rewritten, and 'locklens record' sees every lock that threads block on",
        many(n, "event")
    ))
}

/// That findings rest on not knowing who started the threads that began, if they do.
fn unknown_kin(collected: &Collected, scout: &Scout, findings: &[Finding]) -> Option<String> {
    let mut threads = collected.catalog.threads.values();
    let rests = |finding: &Finding| matches!(finding.tier, Tier::T2 | Tier::T3 | Tier::T4);
    // Where Thread has probes, there was nothing to tell.
    let rewritten = collected.target.get(target_key::EXACT_NAMES);
    let asked = rewritten.is_some_and(|names| names.lines().any(|name| name == "java.lang.Thread"));
    let unknown = !asked && !scout.has_kin() && threads.any(|thread| !thread.at_start);
    (unknown && findings.iter().any(rests)).then(|| "threads began, and who started them was not recorded, nor who joined one that had ended: that may rule out what is told as T2 to T4; 'locklens trace --all-app' records both".to_owned())
}

/// All steps of a recording.
fn through(path: &Path, jvm: &mut Jvm<'_>, each: &mut dyn FnMut(&Step)) -> Result<(), Failure> {
    let reader = trace_file::open(path)?;
    made(Crowd::default(), reader, jvm, each);
    Ok(())
}

/// The same with others who see the records: one thread reads, one makes the steps, and this one takes them.
fn made(
    mut crowd: Crowd,
    reader: Reader<impl Read + Send>,
    jvm: &mut Jvm<'_>,
    each: &mut dyn FnMut(&Step),
) {
    thread::scope(|scope| {
        let own = crowd.member();
        crowd.read(scope, reader);
        let (sender, receiver) = sync_channel(AHEAD);
        scope.spawn(move || steps(own, jvm, &sender));
        receiver.iter().flatten().for_each(|step| each(&step));
    });
}

/// Makes the steps of all that there is. Who does not listen any more has panicked.
fn steps(share: Share, jvm: &mut Jvm<'_>, to: &SyncSender<Vec<Step>>) {
    let mut made: Vec<Step> = Vec::with_capacity(STEPS);
    let mut make = |step: &Step| {
        made.push(*step);
        if made.len() == STEPS {
            let _ = to.send(std::mem::replace(&mut made, Vec::with_capacity(STEPS)));
        }
    };
    share.each(|item| match item {
        Item::Record(record) => jvm.see(record, &mut make),
        Item::Gap(_) => jvm.hole(&mut make),
    });
    jvm.end(&mut make);
    let _ = to.send(made);
}

/// What the recording cannot show.
fn notes(collected: &Collected, model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = Vec::new();
    if recording.headless {
        notes.push(HEADLESS.to_owned());
    } else if !recording.exact {
        notes.push("watched only: nesting in which nobody blocked or waited was not seen; 'locklens trace' sees it".to_owned());
    }
    // Threads that were seen parked there say more than the code.
    let of_code = || without_operations(collected).filter(|_| recording.exact);
    notes.extend(unordered(model).or_else(of_code));
    notes.extend(unseen(recording));
    notes.extend(unlooked(model));
    notes.extend(unasked(model));
    notes.extend(damage(recording));
    notes
}

/// That virtual threads may go on in code without probes: of other threads it is told which do.
fn unlooked(model: &Model) -> Option<String> {
    let mode = model.target.get(target_key::MODE);
    let is_live = mode.is_some_and(|mode| mode == "live");
    let recording = &model.recording;
    (recording.exact && recording.virtual_threads && is_live).then(|| {
        "virtual threads inside code from before the rewriting are not looked for: what they lock there is not in it".to_owned()
    })
}

/// That whether threads hang which stood there all along is not known, if nobody has asked.
fn unasked(model: &Model) -> Option<String> {
    let idle = |at: &&Standstill| at.wants == Wants::Elements;
    let stood = model.standstills.iter().filter(|at| !idle(at));
    let threads = stood.map(|at| at.threads.len() as u64).sum();
    (model.stood.is_none() && threads > 0).then(|| {
        format!(
            "{} waited all along: whether they hang is not known, as the recording has no thread dumps; 'locklens deadlocks PID' of a JVM that is there asks for them",
            many(threads, "thread")
        )
    })
}

/// That threads were parked on locks whose order was not recorded, if so.
fn unordered(model: &Model) -> Option<String> {
    let unasked = model.locks.iter().all(|lock| lock.uses.is_none());
    let alone = model.locks.iter().filter(|lock| is_held_alone(lock));
    let alone = alone.count() as u64;
    (unasked && alone > 0).then(|| {
        let locks = many(alone, "lock");
        format!("{locks} of java.util.concurrent: in which order threads take them was not recorded; 'locklens trace --juc' sees it")
    })
}

/// A lock of `java.util.concurrent` that one thread can keep others out of.
fn is_held_alone(lock: &LogicalLock) -> bool {
    let mut types = lock.types.iter().map(|verdict| verdict.lock_type);
    lock.sampled.is_some() && types.any(|of| matches!(of, LockType::Lock | LockType::ReadWrite))
}
