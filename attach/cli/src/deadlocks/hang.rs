//! Why a JVM hangs: thread dumps, of a live JVM or saved, explained.
//!
//! A live JVM is asked twice, so that only who did not move counts. Thread dumps come first: they need nothing but a safepoint. The
//! dump of virtual threads is written by Java code in the JVM, which what hangs may stop; if it does not come, that is said. JDK 25
//! can crash while it writes it (JDK-8364343), so it is asked for only if the user wants that.

use crate::exit::{Exit, Failure};
use crate::record::signals::Signals;
use crate::target::{enter, name, not_attached, resolve};
use crate::terminal::note;
use crate::trace_file::must_be_file;
use locklens_hotspot::{AttachError, Door, Jvm, Reply, TargetFiles};
use locklens_inference::deadlock::finding::Report;
use locklens_inference::hang::{Evidence, explain};
use locklens_inference::sample::dump::{Dump, Dumps, json};
use locklens_trace::Nanos;
use locklens_viz::many;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Between two dumps.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two of virtual threads, which are looked at one after the other: the more agree, the less is left to chance.
const STEP: Duration = Duration::from_millis(80);
/// Dumps of virtual threads where these tell what they wait for.
const FILES: usize = 4;
/// Longest file of dumps that is read: some hundred thousand threads.
const LONGEST: u64 = 512 << 20;
/// Saved dumps that count, from the last.
const SAVED: usize = 2;

/// Explains a JVM under way.
pub(super) fn of_jvm(target: &str, with_virtual: bool) -> Result<Report, Failure> {
    let jvm = resolve(target)?;
    let signals = Signals::quitting()?;
    look(&jvm, with_virtual, &signals)
}

/// The same, of one that is known.
pub(crate) fn look(jvm: &Jvm, with_virtual: bool, signals: &Signals) -> Result<Report, Failure> {
    let door = enter(jvm, signals).map_err(no_answer)?;
    let mut dumps = vec![dump(&door)?];
    pause(PAUSE, signals)?;
    dumps.push(dump(&door)?);
    let files = match with_virtual {
        true => virtual_threads(jvm, &door, signals)?,
        false => Files::default(),
    };
    let evidence = Evidence {
        dumps: &dumps,
        files: &files.dumps,
        without_virtual: files.none,
        unasked: !with_virtual,
    };
    let mut report = explain(&evidence);
    report.notes.extend(files.missing);
    let subject = format!("JVM {} ({})", jvm.pid, name(jvm));
    Ok(of(report, subject))
}

fn of(mut report: Report, subject: String) -> Report {
    if let Some(hang) = &mut report.hang {
        hang.subject = subject;
    }
    report
}

fn pause(length: Duration, signals: &Signals) -> Result<(), Failure> {
    thread::sleep(length);
    match signals.arrived() {
        true => Err(Failure::interrupted("interrupted between two dumps")),
        false => Ok(()),
    }
}

fn dump(door: &Door) -> Result<Dump, Failure> {
    let reply = door
        .execute("threaddump", &["-l"])
        .map_err(|error| no_answer(not_attached(&error)))?;
    let found = Dumps::read(&String::from_utf8_lossy(&reply.text));
    let first = found.dumps.into_iter().next();
    first.ok_or_else(|| Failure::attach("its answer is no thread dump"))
}

/// A JVM that answers nobody hangs in another way.
fn no_answer(failure: Failure) -> Failure {
    let silent = failure.exit == Exit::AttachFailed && failure.what.contains("did not answer");
    let Some(hint) = failure.hint.clone().filter(|_| silent) else {
        return failure;
    };
    failure.hint(format!(
        "{hint}\n  a JVM that waits for a safepoint which one of its threads does not reach answers nobody, jstack neither: that is no deadlock of its locks"
    ))
}

/// What is known of virtual threads.
#[derive(Default)]
struct Files {
    dumps: Vec<Dump>,
    /// The JVM has none.
    none: bool,
    /// Why nothing is known of them.
    missing: Option<String>,
}

fn virtual_threads(jvm: &Jvm, door: &Door, signals: &Signals) -> Result<Files, Failure> {
    let mut files = Files::default();
    loop {
        match file(jvm, door) {
            Ok(Some(dump)) => files.dumps.push(dump),
            Ok(None) => {
                files.none = files.dumps.is_empty();
                return Ok(files);
            }
            Err(why) => {
                files.missing = Some(format!("virtual threads are unknown: {why}"));
                return Ok(files);
            }
        }
        let last = &files.dumps[files.dumps.len() - 1];
        let mut told = last.threads.iter().filter(|thread| thread.is_virtual);
        if files.dumps.len() == FILES || told.all(|thread| thread.stand.is_none()) {
            return Ok(files);
        }
        pause(STEP, signals)?;
    }
}

/// One dump of virtual threads; none if the JVM is too old to have any.
fn file(jvm: &Jvm, door: &Door) -> Result<Option<Dump>, String> {
    let said = |error: AttachError| error.to_string();
    let folder = TargetFiles::create(jvm).map_err(said)?;
    let path = folder.target_path("threads.json");
    let command = format!("Thread.dump_to_file -format=json {path}");
    let reply = door.execute("jcmd", &[&command]).map_err(said)?;
    if is_unknown(&reply) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = File::open(folder.host_path("threads.json"))
        .and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    match read.ok().and_then(|_| json::read(&text)) {
        Some(dump) if dump.complete => Ok(Some(dump)),
        _ => Err("the JVM has written no dump of them".to_owned()),
    }
}

fn is_unknown(reply: &Reply) -> bool {
    String::from_utf8_lossy(&reply.text).contains("Unknown diagnostic command")
}

/// Whether a file is for [`of_dumps`]: it is no trace, and there is a dump in it.
pub(super) fn holds_dumps(path: &Path) -> bool {
    let is_trace = || super::is_step_or_recording(path);
    path.is_file() && !is_trace() && saved(path).map_or(true, |saved| !saved.is_empty())
}

/// Dumps of a file.
#[derive(Default)]
struct Saved {
    dumps: Vec<Dump>,
    files: Vec<Dump>,
    unread: u64,
}

impl Saved {
    fn is_empty(&self) -> bool {
        self.dumps.is_empty() && self.files.is_empty()
    }
}

/// All of a file that is not too long.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        Failure::usage(format_args!("can't read {}: {error}", path.display()))
            .hint("a pid, the name of a JVM ('locklens list' shows them), a trace, or files with thread dumps")
    })?;
    match bytes.len() as u64 > LONGEST {
        true => Err(
            Failure::usage(format_args!("{} is too long", path.display()))
                .hint("at most 512 MB of thread dumps are read: the last ones of a log are enough"),
        ),
        false => Ok(bytes),
    }
}

fn saved(path: &Path) -> Result<Saved, Failure> {
    let bytes = bytes_of(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let found = Dumps::read(&text);
    let files = found.dumps.is_empty().then(|| json::read(&text)).flatten();
    Ok(Saved {
        dumps: found.dumps,
        files: files.into_iter().collect(),
        unread: found.unread,
    })
}

/// Explains dumps that were saved, of one JVM.
pub(super) fn of_dumps(paths: &[String]) -> Result<Report, Failure> {
    let mut all = Saved::default();
    for path in paths {
        let found = read(path)?;
        all.dumps.extend(found.dumps);
        all.files.extend(found.files);
    }
    let (dumps, files) = (last(all.dumps), last(all.files));
    let report = explain(&Evidence {
        dumps: &dumps,
        files: &files,
        ..Evidence::default()
    });
    let subject = match paths {
        [one] => one.clone(),
        _ => many(paths.len() as u64, "file"),
    };
    Ok(of(report, subject))
}

/// The dumps of a file; an error if there is none.
fn read(path: &str) -> Result<Saved, Failure> {
    must_be_file(Path::new(path))?;
    let found = saved(Path::new(path))?;
    if found.is_empty() {
        let is_trace = super::is_step_or_recording(Path::new(path));
        return Err(none(path, is_trace));
    }
    if found.unread > 0 {
        let threads = many(found.unread, "thread");
        note(format_args!(
            "{path}: {threads} could not be read: left out"
        ));
    }
    Ok(found)
}

fn none(path: &str, is_trace: bool) -> Failure {
    match is_trace {
        true => Failure::usage(format_args!(
            "{path} is a trace, and these are read one by one"
        ))
        .hint("'locklens check' takes several"),
        false => Failure::usage(format_args!("{path} holds no thread dump"))
            .hint("what 'jstack -l PID', 'jcmd PID Thread.print -l' or 'kill -3 PID' print"),
    }
}

/// The last of them, by their clocks if these tell.
fn last(mut dumps: Vec<Dump>) -> Vec<Dump> {
    if dumps.iter().all(|dump| dump.at.is_some()) {
        dumps.sort_by_key(|dump| dump.at.unwrap_or(Nanos(0)));
    }
    dumps.split_off(dumps.len().saturating_sub(SAVED))
}
