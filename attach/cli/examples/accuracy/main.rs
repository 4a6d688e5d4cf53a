//! How often is the report right? Runs every test subject on every JDK found, attaches live, and
//! holds the report against what the program says of itself.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p locklens --example accuracy -- --help
//! ```
#![expect(clippy::print_stdout, reason = "a measurement reports on stdout")]

mod expectation;
mod judgement;
mod launch;
mod tables;
mod verdict;

use clap::Parser;
use expectation::Subject;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Attaches live to every test subject on every JDK found, and holds the report
/// against what the subject says of itself.
#[derive(Parser)]
struct Settings {
    /// How long to watch each subject.
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// Record exactly, every class of the subject rewritten, in place of only watching.
    #[arg(long)]
    exact: bool,
    /// How many subjects run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only these major versions, separated by commas.
    #[arg(long)]
    jdk: Option<String>,
    /// Only subjects whose path contains this.
    #[arg(long)]
    subject: Option<String>,
    /// Where the subjects are.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testapps"))]
    folder: PathBuf,
    /// Keep the traces here.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Judge the traces kept here; launch nothing.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Judge by the events: what the code looks like and does when it is run is no evidence of a type. Which
    /// regions a lock has, and what they may call, is read off the code all the same.
    #[arg(long)]
    no_code: bool,
}

/// One lock of one subject on one JDK.
pub(crate) struct Row {
    pub(crate) jdk: String,
    pub(crate) subject: String,
    pub(crate) expected: expectation::Expected,
    pub(crate) judged: verdict::Judged,
}

fn main() {
    let settings = Settings::parse();
    if let Err(missing) = launch::locklens() {
        eprintln!("{missing}");
        std::process::exit(2);
    }
    let mut subjects = Subject::below(&settings.folder);
    if let Some(part) = &settings.subject {
        subjects.retain(|s| s.source.to_string_lossy().contains(part.as_str()));
    }
    let jdks = launch::jdks(settings.jdk.as_deref());
    let work: Vec<_> = jdks
        .iter()
        .flat_map(|jdk| subjects.iter().map(move |s| (jdk, s)))
        .collect();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                while let Some(((version, home), subject)) =
                    work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let judged = run(subject, version, home, &settings);
                    rows.lock().expect("no panic while held").extend(judged);
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no panic while held");
    rows.sort_by(|a, b| (&a.subject, &a.jdk).cmp(&(&b.subject, &b.jdk)));
    tables::print(&rows);
}

fn run(subject: &Subject, version: &str, home: &Path, settings: &Settings) -> Vec<Row> {
    let name = format!("{}-{version}.llt", subject.name());
    let report = match &settings.replay {
        Some(folder) => judgement::report(&folder.join(name), settings.no_code),
        None => record(subject, home, settings, &name),
    };
    let report = report.unwrap_or_else(|error| {
        eprintln!("{} on {version}: {error}", subject.main);
        serde_json::Value::Null
    });
    subject
        .locks
        .iter()
        .map(|expected| Row {
            jdk: version.to_owned(),
            subject: subject.name(),
            expected: expected.clone(),
            judged: verdict::judge(expected, &report),
        })
        .collect()
}

fn record(
    subject: &Subject,
    home: &Path,
    settings: &Settings,
    name: &str,
) -> Result<serde_json::Value, String> {
    let run = launch::Run {
        source: &subject.source,
        main: &subject.main,
        home,
        seconds: settings.seconds,
        exact: settings.exact,
        keep: settings.keep.as_deref().map(|folder| folder.join(name)),
    };
    run.record(|trace| judgement::report(trace, settings.no_code))
}
