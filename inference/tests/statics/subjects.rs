//! Test subjects: Java sources that carry their own expectation, compiled and judged.

use crate::reader::define;
use locklens_inference::catalog::Catalog;
use locklens_inference::model::Options;
use locklens_inference::region::{RegionId, RegionTable};
use locklens_inference::statics::{StaticModel, survey};
use locklens_inference::types::{Detail, Evidence, Hypothesis};
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a source says of one of its locks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    pub file: String,
    pub lock: String,
    pub lock_type: String,
    pub details: BTreeMap<String, String>,
    /// Role to methods (`Class.method`).
    pub roles: BTreeMap<String, BTreeSet<String>>,
}

/// A compiled set of sources.
pub(crate) struct Program {
    pub subjects: Vec<Subject>,
    pub catalog: Catalog,
    pub regions: RegionTable,
    pub model: StaticModel,
}

impl Program {
    /// The same program with another catalog of the same ids.
    pub(crate) fn renamed(&self, catalog: Catalog) -> Self {
        let mut regions = RegionTable::default();
        let model = survey(&catalog, &mut regions, &Options::default());
        Self {
            subjects: self.subjects.clone(),
            catalog,
            regions,
            model,
        }
    }
}

/// The Java sources under a folder of this crate.
pub(crate) fn java_files(folder: &str) -> Vec<PathBuf> {
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

/// Compiles one source, named from the root of this crate, and surveys it.
pub(crate) fn compile_one(file: &str) -> Program {
    compile(&[Path::new(env!("CARGO_MANIFEST_DIR")).join(file)])
}

/// Compiles sources and surveys them as one program.
pub(crate) fn compile(files: &[PathBuf]) -> Program {
    let out = tempdir();
    let mut javac = Command::new(find_tool("javac"));
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

/// A tool of the JDK on this machine.
pub(crate) fn find_tool(name: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(|h| Path::new(&h).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = home.into_iter().collect();
    folders.extend(std::env::split_paths(&path));
    if let Ok(jvms) = std::fs::read_dir("/usr/lib/jvm") {
        folders.extend(jvms.flatten().map(|j| j.path().join("bin")));
    }
    let home = folders
        .into_iter()
        .find(|folder| folder.join("javac").is_file());
    let home =
        home.expect("these tests compile Java: install a JDK (17 or later) or set JAVA_HOME");
    home.join(name)
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
pub(crate) struct Judged {
    pub(crate) machine: String,
    /// Readings, best first.
    pub readings: Vec<(Hypothesis, Evidence)>,
    /// What is wrong with the best reading; empty if nothing.
    pub wrong: Vec<String>,
}

/// The classes of a subject's lock objects.
pub(crate) fn lock_classes(program: &Program, subject: &Subject) -> Vec<ClassId> {
    let all = program.catalog.classes.values();
    let own = all.filter(|c| c.name == subject.lock);
    own.map(|c| c.id).collect()
}

/// The regions of a subject's lock, found from the methods that have a role.
pub(crate) fn regions(program: &Program, subject: &Subject) -> BTreeSet<RegionId> {
    let named: BTreeSet<_> = subject.roles.values().flatten().cloned().collect();
    let has_role = |id: &RegionId| named.contains(&region_name(program, *id));
    let all = program.regions.iter().map(|r| r.0);
    let seen = all.filter(has_role).collect();
    let classes = lock_classes(program, subject);
    program.model.same_lock(&seen, &classes)
}

/// Judges the lock of a subject: its regions are found from the methods that have a role.
pub(crate) fn judge(program: &Program, subject: &Subject) -> Judged {
    let classes = lock_classes(program, subject);
    let regions = regions(program, subject);
    judge_by(program, subject, program.model.judge(&regions, &classes))
}

/// Judges the lock of a subject by these readings.
pub(crate) fn judge_by(
    program: &Program,
    subject: &Subject,
    readings: Vec<(Hypothesis, Evidence)>,
) -> Judged {
    let regions = regions(program, subject);
    Judged {
        machine: program.model.machine(&regions).to_string(),
        wrong: differences(program, subject, &readings),
        readings,
    }
}

/// The best reading and, below it, those that share no region with one already taken.
pub(crate) fn chosen(readings: &[(Hypothesis, Evidence)]) -> Vec<&Hypothesis> {
    let mut taken = BTreeSet::new();
    let mut chosen = Vec::new();
    for (hypothesis, evidence) in readings {
        let regions = hypothesis.regions();
        if evidence.log_odds >= 1.5 && regions.is_disjoint(&taken) || chosen.is_empty() {
            taken.extend(regions);
            chosen.push(hypothesis);
        }
    }
    chosen
}

/// What of an expectation is not met. What a source does not state is not demanded; `-` is what is not told.
fn differences(
    program: &Program,
    subject: &Subject,
    readings: &[(Hypothesis, Evidence)],
) -> Vec<String> {
    let chosen = chosen(readings);
    let types: BTreeSet<_> = chosen.iter().map(|h| h.lock_type.name()).collect();
    let expected: BTreeSet<_> = subject.lock_type.split('+').collect();
    let mut wrong = Vec::new();
    if !expected.is_subset(&types) {
        return vec![format!("type {types:?}")];
    }
    let mut roles: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let named: BTreeSet<_> = subject.roles.values().flatten().collect();
    for (role, regions) in chosen.iter().flat_map(|h| &h.roles) {
        let names = regions.iter().map(|&r| region_name(program, r));
        let names: BTreeSet<_> = names.filter(|n| named.contains(n)).collect();
        if !names.is_empty() && expected_role(subject, role.name(), &types, &expected) {
            roles
                .entry(role.name().to_owned())
                .or_default()
                .extend(names);
        }
    }
    if roles != subject.roles {
        wrong.push(format!("roles {roles:?}"));
    }
    let details: BTreeMap<_, _> = chosen.iter().flat_map(|h| details(h)).collect();
    if subject
        .details
        .iter()
        .any(|(k, v)| details.get(k).map_or("-", String::as_str) != v)
    {
        wrong.push(format!("details {details:?}"));
    }
    wrong
}

/// A role that counts: all do, except that of a further type that was not asked for.
fn expected_role(
    subject: &Subject,
    role: &str,
    types: &BTreeSet<&str>,
    expected: &BTreeSet<&str>,
) -> bool {
    types == expected || subject.roles.contains_key(role)
}

/// Details in the spelling of the sources.
fn details(hypothesis: &Hypothesis) -> BTreeMap<String, String> {
    let text = |detail: &Detail| match detail {
        Detail::Count(n) => n.to_string(),
        Detail::Flag(flag) => flag.to_string(),
        Detail::Word(word) => word.replace(' ', "-"),
    };
    let all = hypothesis.details.iter();
    all.map(|(key, detail)| ((*key).to_owned(), text(detail)))
        .collect()
}

/// A judgement in full, for a failing test or a measurement.
pub(crate) fn explain(program: &Program, subject: &Subject, judged: &Judged) -> String {
    let mut out = format!(
        "{} {}: expected {} {:?} {:?}\n",
        subject.file, subject.lock, subject.lock_type, subject.details, subject.roles
    );
    for wrong in &judged.wrong {
        out += &format!("  WRONG {wrong}\n");
    }
    for (hypothesis, evidence) in &judged.readings {
        let odds = evidence.log_odds;
        out += &format!(
            "  {odds:+.2} {} {:?}\n",
            hypothesis.lock_type,
            details(hypothesis)
        );
        for (role, regions) in &hypothesis.roles {
            let names: Vec<_> = regions.iter().map(|&r| region_name(program, r)).collect();
            out += &format!("      {}: {}\n", role.name(), names.join(", "));
        }
        for why in &evidence.pro {
            out += &format!("      + {why}\n");
        }
        for why in &evidence.contra {
            out += &format!("      - {why}\n");
        }
    }
    out + &judged.machine
}

/// `Class.method` of a region.
pub(crate) fn region_name(program: &Program, id: RegionId) -> String {
    let region = program.regions.get(id).expect("region");
    let method = &program.catalog.methods[&region.method];
    format!(
        "{}.{}",
        program.catalog.class_name(region.class),
        method.name
    )
}
