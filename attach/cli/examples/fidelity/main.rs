//! How true is the facsimile? Takes exact traces, which hold what watching would have seen and what really happened, and
//! says how much of the second the analysis makes of the first.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p locklens --example fidelity -- --help
//! ```
//!
//! What counts as the same event, and what watching can know at all, is defined in `locklens_inference::fidelity`.
#![expect(clippy::print_stdout, reason = "a measurement reports on stdout")]

#[path = "../accuracy/launch.rs"]
mod launch;
mod table;

use clap::Parser;
use locklens_inference::fidelity::{Fidelity, Unfit};
use locklens_inference::model::Options;
use locklens_trace::read::{Item, Reader};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Holds what the analysis infers from watching against what exact traces saw.
#[derive(Parser)]
struct Settings {
    /// Exact traces (`locklens trace --all-app`, `record --exact`).
    traces: Vec<PathBuf>,
    /// Besides: trace the test subjects below these folders live, and compare those. Separated by commas.
    #[arg(long, value_delimiter = ',')]
    folder: Vec<PathBuf>,
    /// Only these major versions of the JDK, separated by commas.
    #[arg(long)]
    jdk: Option<String>,
    /// How long to trace each subject.
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// How many at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Keep the traces of subjects here.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// A line for each trace, too, and one for each lock whose type differs.
    #[arg(long)]
    each: bool,
}

/// Where a trace comes from.
enum Source {
    Kept(PathBuf),
    Subject {
        version: String,
        home: PathBuf,
        source: PathBuf,
    },
}

fn main() -> ExitCode {
    let settings = Settings::parse();
    let sources = sources(&settings);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(index) else {
                        return;
                    };
                    let one = source.fidelity(&settings);
                    done.lock().expect("no panic while held").push((index, one));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no panic while held");
    done.sort_by_key(|&(index, _)| index);
    let mut compared = Vec::new();
    for (index, one) in done {
        let name = sources[index].name();
        match one {
            Ok(one) => {
                if settings.each {
                    print!("{}", table::line(&name, &one));
                }
                compared.push(one);
            }
            Err(why) => eprintln!("{name}: {why}"),
        }
    }
    print!("{}", table::table(&compared));
    match sources.len() - compared.len() {
        0 => ExitCode::SUCCESS,
        failed => {
            eprintln!("{failed} of {} left out", sources.len());
            ExitCode::FAILURE
        }
    }
}

fn sources(settings: &Settings) -> Vec<Source> {
    let mut sources: Vec<Source> = settings.traces.iter().cloned().map(Source::Kept).collect();
    let folders = settings.folder.iter();
    let subjects: Vec<PathBuf> = folders.flat_map(|f| launch::sources(f)).collect();
    if subjects.is_empty() {
        return sources;
    }
    for (version, home) in launch::jdks(settings.jdk.as_deref()) {
        sources.extend(subjects.iter().map(|source| Source::Subject {
            version: version.clone(),
            home: home.clone(),
            source: source.clone(),
        }));
    }
    sources
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Kept(trace) => trace.display().to_string(),
            Self::Subject {
                version, source, ..
            } => {
                // Programs of different authors may share a name.
                let folder = source.parent().and_then(Path::file_name);
                let folder = folder.unwrap_or_default().to_string_lossy();
                format!("{folder}.{}-{version}", main_class(source))
            }
        }
    }

    fn fidelity(&self, settings: &Settings) -> Result<Fidelity, String> {
        match self {
            Self::Kept(trace) => of_trace(trace),
            Self::Subject { home, source, .. } => {
                let run = launch::Run {
                    source,
                    main: &main_class(source),
                    home,
                    seconds: settings.seconds,
                    exact: true,
                    keep: settings
                        .keep
                        .as_ref()
                        .map(|folder| folder.join(format!("{}.llt", self.name()))),
                };
                run.record(of_trace)
            }
        }
    }
}

fn main_class(source: &Path) -> String {
    let stem = source.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn of_trace(trace: &Path) -> Result<Fidelity, String> {
    let file = File::open(trace).map_err(|e| e.to_string())?;
    let mut records = Vec::new();
    for item in Reader::new(file).map_err(|e| e.to_string())? {
        match item {
            Item::Record(record) => records.push(record),
            Item::Gap(_) => return Err("parts of it cannot be read".to_owned()),
        }
    }
    Fidelity::of(&records, &Options::default()).map_err(|unfit| {
        let why = match unfit {
            Unfit::Watched => "it is no exact recording",
            Unfit::Clockless => "it has no clock: nothing in it is from the JVM",
        };
        why.to_owned()
    })
}
