//! All classes of a JDK, or of some jars, through the rewriter and then through that JDK's JVM.
#![allow(dead_code, reason = "each user uses a part of it")]

use crate::jvm::{Jdk, Scratch, run, source, succeed};
use locklens_rewrite::plan::{Plan, Probes};
use locklens_rewrite::{Reason, identity, rewrite};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// What to put through.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) jars: Vec<PathBuf>,
    /// Only classes whose name starts so.
    pub(crate) prefix: &'static str,
    pub(crate) hash: bool,
    /// Accesses to fields, too.
    pub(crate) accesses: bool,
    pub(crate) compile: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jars: Vec::new(),
            prefix: "",
            hash: false,
            accesses: false,
            compile: true,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    title: String,
    pub(crate) classes: usize,
    distinct: usize,
    pub(crate) changed: usize,
    methods: usize,
    pub(crate) sites: usize,
    unreadable: Vec<String>,
    not_identical: Vec<String>,
    refused: BTreeMap<String, Vec<String>>,
    rewriting: Duration,
    verified: String,
    differs: Vec<String>,
    compiled: String,
    skipped_before: Vec<String>,
    skipped_anew: Vec<String>,
    failed: Vec<String>,
}

impl Report {
    /// Whether nothing happened that should not.
    pub(crate) fn is_good(&self) -> bool {
        self.not_identical.is_empty()
            && self.differs.is_empty()
            && self.skipped_anew.is_empty()
            && self.failed.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "== {}", self.title)?;
        writeln!(f, "classes {} (distinct {})", self.classes, self.distinct)?;
        let (changed, methods, sites) = (self.changed, self.methods, self.sites);
        writeln!(
            f,
            "changed: classes {changed}, methods {methods}, sites {sites}"
        )?;
        let speed = self.classes as f64 / self.rewriting.as_secs_f64();
        writeln!(f, "rewritten in {:?}: {speed:.0} classes/s", self.rewriting)?;
        for (reason, methods) in &self.refused {
            writeln!(
                f,
                "refused: {} methods: {reason}; e.g. {}",
                methods.len(),
                methods[0]
            )?;
        }
        writeln!(f, "verified: {}", self.verified)?;
        writeln!(f, "compiled: {}", self.compiled)?;
        for (what, lines) in [
            ("SKIPPED BEFORE", &self.skipped_before),
            ("UNREADABLE", &self.unreadable),
            ("NOT IDENTICAL", &self.not_identical),
            ("DIFFERS", &self.differs),
            ("SKIPPED ANEW", &self.skipped_anew),
            ("FAILED", &self.failed),
        ] {
            writeln!(f, "{what}: {}", lines.len())?;
            lines
                .iter()
                .take(40)
                .try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

/// Puts the classes of a JDK, and of the jars, through.
pub(crate) fn check(jdk: &Jdk, options: &Options) -> Report {
    let work = Work {
        jdk,
        options,
        scratch: Scratch::new(),
    };
    let mut report = Report {
        title: format!("JDK {} ({})", jdk.major, jdk.home.display()),
        ..Report::default()
    };
    work.prepare();
    work.rewrite(&mut report);
    let after = work.verify("rewritten.pack");
    work.note(&after, &mut report);
    if options.compile {
        let before = work.verify("unchanged.pack");
        compare(&before, &after, &mut report);
    }
    report
}

/// All classes of a JDK, in one piece of memory.
pub(crate) fn pack_of_jdk(jdk: &Jdk) -> Vec<u8> {
    let work = Work {
        jdk,
        options: &Options::default(),
        scratch: Scratch::new(),
    };
    work.prepare();
    fs::read(work.scratch.join("original.pack")).expect("packed")
}

struct Work<'w> {
    jdk: &'w Jdk,
    options: &'w Options,
    scratch: Scratch,
}

impl Work<'_> {
    /// Compiles what runs in the JVM, and gathers the classes.
    fn prepare(&self) {
        let patch = self.scratch.join("patch");
        let boot = self.scratch.join("boot");
        let main = self.scratch.join("main");
        for dir in [&patch, &boot, &main] {
            fs::create_dir_all(dir).expect("directory");
        }
        let probe = source("corpus/java/lang/LocklensProbe.java");
        let mut javac = self.jdk.tool("javac");
        if self.jdk.major > 8 {
            let root = source("corpus");
            javac
                .arg("--patch-module")
                .arg(format!("java.base={}", root.display()));
        }
        succeed(javac.arg("-nowarn").arg("-d").arg(&patch).arg(probe));
        let mut javac = self.jdk.tool("javac");
        javac.arg("-nowarn").arg("-d").arg(&boot);
        succeed(javac.arg(source("corpus/sun/hotspot/WhiteBox.java")));
        let mut javac = self.jdk.tool("javac");
        self.with_probe(&mut javac);
        javac
            .arg("-nowarn")
            .arg("-d")
            .arg(&main)
            .arg("-cp")
            .arg(&boot);
        javac.args(["Pack.java", "corpus/Verify.java", "corpus/Compile.java"].map(source));
        succeed(&mut javac);
        fs::write(self.scratch.join("manifest"), MANIFEST).expect("writable");
        let mut jar = self.jdk.tool("jar");
        jar.arg("cfm")
            .arg(self.scratch.join("agent.jar"))
            .arg(self.scratch.join("manifest"));
        succeed(jar.arg("-C").arg(&main).arg("."));
        let mut pack = self.jdk.java();
        pack.arg("-cp")
            .arg(&main)
            .arg("Pack")
            .arg(self.scratch.join("original.pack"));
        pack.arg("jdk").args(&self.options.jars);
        succeed(&mut pack);
    }

    fn with_probe(&self, command: &mut std::process::Command) {
        let patch = self.scratch.join("patch");
        match self.jdk.major {
            8 => command.arg(format!("-Xbootclasspath/p:{}", patch.display())),
            _ => command
                .arg("--patch-module")
                .arg(format!("java.base={}", patch.display())),
        };
    }

    fn plan(&self) -> Plan {
        let mut plan = Plan::everything("java/lang/LocklensProbe");
        plan.events.accesses = self.options.accesses;
        if self.options.hash {
            plan.probes = Probes::of_class("java/lang/LocklensProbe").with_identity_hash();
        }
        plan
    }

    fn rewrite(&self, report: &mut Report) {
        let original = fs::read(self.scratch.join("original.pack")).expect("packed");
        let mut plan = self.plan();
        let (mut changed, mut unchanged, mut methods) = (Vec::new(), Vec::new(), String::new());
        let mut seen = BTreeSet::new();
        for (name, bytes) in classes(&original) {
            let plain = name.split_once('!').map_or(name, |(_, plain)| plain);
            if !plain.starts_with(self.options.prefix) {
                continue;
            }
            report.classes += 1;
            report.distinct += usize::from(seen.insert(bytes));
            match identity(bytes) {
                Ok(same) if same == bytes => {}
                Ok(_) => report.not_identical.push(name.to_owned()),
                Err(error) => {
                    report.unreadable.push(format!("{name}: {error}"));
                    continue;
                }
            }
            let began = on_cpu();
            let Ok(done) = rewrite(bytes, &plan) else {
                continue;
            };
            report.rewriting += on_cpu() - began;
            for refused in &done.refused {
                let who = format!("{name}.{}{}", refused.name, refused.descriptor);
                report
                    .refused
                    .entry(kind(refused.reason))
                    .or_default()
                    .push(who);
            }
            if done.methods.is_empty() {
                if done.bytes != bytes {
                    report.not_identical.push(format!("{name}, without a site"));
                }
                continue;
            }
            plan.first_site.0 += done.sites.len() as u32;
            report.changed += 1;
            report.methods += done.methods.len();
            report.sites += done.sites.len();
            write(&mut changed, name, &done.bytes);
            write(&mut unchanged, name, bytes);
            for method in &done.methods {
                methods += &format!("{name} {} {}\n", method.name, method.descriptor);
            }
        }
        fs::write(self.scratch.join("rewritten.pack"), changed).expect("writable");
        fs::write(self.scratch.join("unchanged.pack"), unchanged).expect("writable");
        fs::write(self.scratch.join("methods"), methods).expect("writable");
    }

    /// What the JVM says of the classes of a pack.
    fn verify(&self, pack: &str) -> String {
        let mut java = self.jdk.tool("java");
        java.args([
            "-Xmx2g",
            "-Xverify:all",
            "-XX:+UseSerialGC",
            "-Xbatch",
            "-XX:+PrintCompilation",
        ]);
        java.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+WhiteBoxAPI"]);
        java.arg("-Djava.awt.headless=true");
        if self.jdk.major > 8 {
            java.args(["--add-modules", "ALL-SYSTEM"]);
        }
        self.with_probe(&mut java);
        java.arg(format!(
            "-Xbootclasspath/a:{}",
            self.scratch.join("boot").display()
        ));
        let agent = self.scratch.join("agent.jar");
        java.arg(format!("-javaagent:{}", agent.display()))
            .arg("-cp")
            .arg(&agent)
            .arg("Verify");
        java.arg(self.scratch.join("original.pack"))
            .arg(self.scratch.join(pack));
        if self.options.compile {
            java.arg(self.scratch.join("methods"));
        }
        let ran = run(&mut java);
        if let Some(keep) = std::env::var_os("LOCKLENS_KEEP") {
            let _ = fs::write(PathBuf::from(keep).join(pack), &ran.out);
        }
        match ran.ok {
            true => ran.out,
            false => format!("{}\nFAILED {}\n", ran.out, ran.err.replace('\n', " ")),
        }
    }

    fn note(&self, said: &str, report: &mut Report) {
        for line in said.lines() {
            match line.split_once(' ') {
                Some(("DIFFERS", rest)) => report.differs.push(rest.to_owned()),
                Some(("FAILED", rest)) => report.failed.push(rest.to_owned()),
                Some(("COUNTS", rest)) => report.verified = rest.to_owned(),
                Some(("COMPILED", rest)) => report.compiled = rest.to_owned(),
                _ => {}
            }
        }
        if report.verified.is_empty() || (self.options.compile && report.compiled.is_empty()) {
            report
                .failed
                .push("the JVM did not come to the end".to_owned());
        }
    }
}

const MANIFEST: &str = "Premain-Class: Verify\nCan-Redefine-Classes: true\n";

fn kind(reason: Reason) -> String {
    let digits = |c: char| c.is_ascii_digit();
    reason.to_string().replace(digits, "").replace("  ", " ")
}

/// Compilations given up after the rewriting that were not given up before.
fn compare(before: &str, after: &str, report: &mut Report) {
    let old = skipped(before);
    report.skipped_before = old.keys().cloned().collect();
    let anew = skipped(after)
        .into_iter()
        .filter(|(who, _)| !old.contains_key(who));
    report
        .skipped_anew
        .extend(anew.map(|(who, why)| format!("{who}: {why}")));
}

fn skipped(said: &str) -> BTreeMap<String, String> {
    let mut asked = String::new();
    let mut skipped = BTreeMap::new();
    for line in said.lines() {
        if let Some(at) = line.find("ASK ") {
            // The JVM's own lines may run into it.
            let words: Vec<&str> = line[at + 4..].split_whitespace().take(4).collect();
            asked = words.join(" ");
        } else if let Some(at) = line.find("COMPILE SKIPPED") {
            skipped.insert(asked.clone(), line[at..].to_owned());
        }
    }
    skipped
}

/// Time this thread was on a CPU: other processes of a busy machine do not count.
pub(crate) fn on_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanos = stat.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

/// The classes of a pack.
pub(crate) fn classes(pack: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = pack;
    std::iter::from_fn(move || {
        let (len, after) = rest.split_at_checked(2)?;
        let len = u16::from_be_bytes([len[0], len[1]]);
        let (name, after) = after.split_at_checked(len.into())?;
        let (len, after) = after.split_at_checked(4)?;
        let len = u32::from_be_bytes([len[0], len[1], len[2], len[3]]);
        let (bytes, after) = after.split_at_checked(len as usize)?;
        rest = after;
        Some((std::str::from_utf8(name).unwrap_or("not-utf8!"), bytes))
    })
}

fn write(pack: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    pack.extend((name.len() as u16).to_be_bytes());
    pack.extend(name.as_bytes());
    pack.extend((bytes.len() as u32).to_be_bytes());
    pack.extend(bytes);
}
