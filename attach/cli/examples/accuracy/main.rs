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
mod tables;
mod verdict;

use clap::Parser;
use expectation::Subject;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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
    if let Err(missing) = locklens() {
        eprintln!("{missing}");
        std::process::exit(2);
    }
    let mut subjects = Subject::below(&settings.folder);
    if let Some(part) = &settings.subject {
        subjects.retain(|s| s.source.to_string_lossy().contains(part.as_str()));
    }
    let jdks: Vec<_> = jdks()
        .into_iter()
        .filter(|(version, _)| {
            settings
                .jdk
                .as_ref()
                .is_none_or(|want| want.split(',').any(|w| w == version))
        })
        .collect();
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

/// The JDKs with a compiler, by major version: LOCKLENS_JDKS, JAVA_HOME, /usr/lib/jvm.
fn jdks() -> Vec<(String, PathBuf)> {
    let mut homes: Vec<PathBuf> = std::env::var("LOCKLENS_JDKS")
        .map(|list| std::env::split_paths(&list).collect())
        .unwrap_or_default();
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.extend(
        std::fs::read_dir("/usr/lib/jvm")
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path()),
    );
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for home in homes.into_iter().filter(|h| h.join("bin/javac").exists()) {
        let version = major(&home);
        if !version.is_empty() && found.iter().all(|(v, _)| *v != version) {
            found.push((version, home));
        }
    }
    found.sort_by_key(|(v, _)| v.parse::<u32>().unwrap_or(0));
    found
}

fn major(home: &Path) -> String {
    let output = Command::new(home.join("bin/java")).arg("-version").output();
    let text = output
        .map(|o| String::from_utf8_lossy(&o.stderr).into_owned())
        .unwrap_or_default();
    let version = text.split('"').nth(1).unwrap_or("");
    let mut parts = version.split('.');
    match parts.next() {
        Some("1") => parts.next().unwrap_or("").to_owned(),
        first => first.unwrap_or("").to_owned(),
    }
}

fn run(subject: &Subject, version: &str, home: &Path, settings: &Settings) -> Vec<Row> {
    let name = format!("{}-{version}.llt", subject.name());
    let report = match &settings.replay {
        Some(folder) => judgement::report(&folder.join(name), settings.no_code),
        None => launch_and_record(subject, version, home, settings, &name),
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

fn launch_and_record(
    subject: &Subject,
    version: &str,
    home: &Path,
    settings: &Settings,
    name: &str,
) -> Result<serde_json::Value, String> {
    let folder = std::env::temp_dir().join(format!(
        "locklens-accuracy-{}-{version}-{}",
        std::process::id(),
        subject.name()
    ));
    let report = record(subject, home, &folder, settings);
    if let Some(keep) = &settings.keep {
        let kept = std::fs::create_dir_all(keep)
            .and_then(|()| std::fs::copy(folder.join("trace.llt"), keep.join(name)));
        if let Err(error) = kept {
            eprintln!("{name}: cannot keep the trace: {error}");
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    report
}

fn record(
    subject: &Subject,
    home: &Path,
    folder: &Path,
    settings: &Settings,
) -> Result<serde_json::Value, String> {
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let compiled = Command::new(home.join("bin/javac"))
        .args(["-g", "-nowarn", "-d"])
        .arg(folder)
        .arg(&subject.source)
        .output()
        .map_err(|e| e.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut child = Command::new(home.join("bin/java"))
        .args(["-Xmx128m", "-cp"])
        .arg(folder)
        .args([&subject.main, "600"])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let report = attach(&mut child, folder, settings);
    drop(child.kill());
    drop(child.wait());
    // A killed JVM cannot remove its socket.
    drop(std::fs::remove_file(format!(
        "/tmp/.java_pid{}",
        child.id()
    )));
    report
}

fn attach(
    child: &mut Child,
    folder: &Path,
    settings: &Settings,
) -> Result<serde_json::Value, String> {
    let out = child.stdout.take().ok_or("no stdout")?;
    let mut lines = BufReader::new(out).lines();
    if !lines
        .by_ref()
        .map_while(Result::ok)
        .any(|l| l.trim() == "READY")
    {
        return Err("it ended before READY".to_owned());
    }
    let trace = folder.join("trace.llt");
    let (pid, seconds) = (child.id().to_string(), format!("{}s", settings.seconds));
    let how: &[&str] = match settings.exact {
        true => &["trace", &pid, "--all-app", "--yes"],
        false => &["record", &pid],
    };
    let recorded = Command::new(locklens()?)
        .args(how)
        .args(["-d", &seconds, "-o"])
        .arg(&trace)
        .output()
        .map_err(|e| e.to_string())?;
    if !recorded.status.success() {
        return Err(String::from_utf8_lossy(&recorded.stderr).into_owned());
    }
    judgement::report(&trace, settings.no_code)
}

/// The command, built beside this example.
pub(crate) fn locklens() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let built = here
        .parent()
        .and_then(Path::parent)
        .map(|dir| dir.join("locklens"));
    built
        .filter(|path| path.exists())
        .ok_or_else(|| "build the command first: cargo build --release".to_owned())
}
