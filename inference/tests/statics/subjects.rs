//! Test subjects: Java sources that carry their own expectation, compiled and judged.

use crate::reader::define;
use locklens_inference::catalog::Catalog;
use locklens_inference::model::Options;
use locklens_inference::region::{RegionId, RegionTable};
use locklens_inference::statics::{StaticModel, survey};
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a source says of one of its locks.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub file: String,
    pub lock: String,
    pub lock_type: String,
    pub details: BTreeMap<String, String>,
    /// Role to methods (`Class.method`).
    pub roles: BTreeMap<String, BTreeSet<String>>,
}

/// A compiled set of sources.
pub struct Program {
    pub subjects: Vec<Subject>,
    pub catalog: Catalog,
    pub regions: RegionTable,
    pub model: StaticModel,
}

/// The Java sources under a folder of this crate.
pub fn java_files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Compiles sources and surveys them as one program.
pub fn compile(files: &[PathBuf]) -> Program {
    let out = tempdir();
    let mut javac = Command::new(find_javac());
    javac.arg("-nowarn").arg("-d").arg(&out).args(files);
    let result = javac.output().expect("javac runs");
    let messages = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "javac: {messages}");
    let mut catalog = Catalog::default();
    for class in classes(&out) {
        define(&mut catalog, &std::fs::read(class).expect("class file"));
    }
    std::fs::remove_dir_all(&out).expect("own folder");
    let mut regions = RegionTable::default();
    let model = survey(&catalog, &mut regions, &Options::default());
    let subjects = files.iter().flat_map(|f| expectations(f)).collect();
    Program {
        subjects,
        catalog,
        regions,
        model,
    }
}

fn tempdir() -> PathBuf {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("statics-{}-{number}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("folder for classes");
    dir
}

fn classes(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("classes").flatten();
    let mut all: Vec<_> = entries.map(|e| e.path()).collect();
    all.sort();
    all
}

fn find_javac() -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(|h| Path::new(&h).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = home.into_iter().collect();
    folders.extend(std::env::split_paths(&path));
    if let Ok(jvms) = std::fs::read_dir("/usr/lib/jvm") {
        folders.extend(jvms.flatten().map(|j| j.path().join("bin")));
    }
    let javac = folders
        .into_iter()
        .map(|f| f.join("javac"))
        .find(|j| j.is_file());
    javac.expect("these tests compile Java: install a JDK (17 or later) or set JAVA_HOME")
}

fn expectations(file: &Path) -> Vec<Subject> {
    let text = std::fs::read_to_string(file).expect("source");
    let mut all: Vec<Subject> = Vec::new();
    for line in text.lines() {
        let mut words = line.trim_start_matches("// ").split_whitespace();
        match (words.next(), all.last_mut()) {
            (Some("@lock"), _) => all.push(Subject {
                file: file
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                lock: words.next().unwrap_or_default().to_owned(),
                ..Subject::default()
            }),
            (Some("@type"), Some(subject)) => {
                subject.lock_type = words.next().unwrap_or_default().to_owned();
                let pairs = words.filter_map(|w| w.split_once('='));
                subject.details = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
            }
            (Some("@role"), Some(subject)) => {
                let role = words.next().unwrap_or_default().to_owned();
                let method = words.next().unwrap_or_default().to_owned();
                subject.roles.entry(role).or_default().insert(method);
            }
            _ => {}
        }
    }
    all
}

/// What the model says of a subject.
pub struct Judged {
    pub text: String,
}

/// Judges the lock of a subject: its regions are found from the methods that have a role.
pub fn judge(program: &Program, subject: &Subject) -> Judged {
    let named: BTreeSet<_> = subject.roles.values().flatten().cloned().collect();
    let has_role = |id: &RegionId| named.contains(&region_name(program, *id));
    let seen: BTreeSet<_> = program
        .regions
        .iter()
        .map(|r| r.0)
        .filter(has_role)
        .collect();
    let classes: Vec<ClassId> = program
        .catalog
        .classes
        .values()
        .filter(|c| c.name == subject.lock)
        .map(|c| c.id)
        .collect();
    let regions = program.model.same_lock(&seen, &classes);
    Judged {
        text: format!("=== {}\n{}", subject.lock, program.model.machine(&regions)),
    }
}

/// `Class.method` of a region.
pub fn region_name(program: &Program, id: RegionId) -> String {
    let region = program.regions.get(id).expect("region");
    let method = &program.catalog.methods[&region.method];
    format!(
        "{}.{}",
        program.catalog.class_name(region.class),
        method.name
    )
}
