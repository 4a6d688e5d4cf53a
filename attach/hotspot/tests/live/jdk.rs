//! The JDKs of this machine, and the Java programs of these tests compiled by one of them.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const ADVICE: &str = "no JDK found: install one (Debian: `apt-get install openjdk-17-jdk-headless`), or point \
    LOCKLENS_JDKS (colon-separated homes) or JAVA_HOME to one";

/// A JDK's home; `java` is in its `bin`.
#[derive(Debug, Clone)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
}

impl Jdk {
    pub(crate) fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// What it says of its own version.
    pub(crate) fn version(&self) -> String {
        let said = Command::new(self.java())
            .arg("-version")
            .output()
            .expect("a JDK's java");
        let text = String::from_utf8_lossy(&said.stderr).into_owned();
        text.split('"')
            .nth(1)
            .expect("a version in quotes")
            .to_owned()
    }

    /// Whether the version can be read from a file of the JDK; one packager leaves it out.
    pub(crate) fn has_release(&self) -> bool {
        self.home.join("release").is_file()
    }

    /// 8, 11, 17 …
    pub(crate) fn feature(&self) -> u32 {
        let version = self.version();
        let version = version.strip_prefix("1.").unwrap_or(&version);
        let digits = version.split(['.', '-', '+', '_']).next();
        digits
            .and_then(|n| n.parse().ok())
            .expect("a version begins with a number")
    }
}

/// Every JDK here.
pub(crate) fn all() -> &'static [Jdk] {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    let found = FOUND.get_or_init(search);
    assert!(!found.is_empty(), "{ADVICE}");
    found
}

/// Any one, for what does not differ between them.
pub(crate) fn any() -> &'static Jdk {
    &all()[0]
}

/// One every user can run: those in somebody's home directory often cannot be.
pub(crate) fn public() -> impl Iterator<Item = &'static Jdk> {
    all().iter().filter(|jdk| {
        jdk.java().ancestors().all(|path| {
            let mode = path.metadata().map(|m| m.permissions().mode());
            mode.is_ok_and(|mode| mode & 0o005 == 0o005)
        })
    })
}

fn search() -> Vec<Jdk> {
    let homes = candidates()
        .into_iter()
        .filter_map(|home| home.canonicalize().ok());
    let homes = homes.filter(|home| home.join("bin/java").is_file());
    let unique: BTreeMap<_, _> = homes.map(|home| (home.clone(), Jdk { home })).collect();
    unique.into_values().collect()
}

fn candidates() -> Vec<PathBuf> {
    let variable = |name| std::env::var_os(name).unwrap_or_default();
    let mut homes: Vec<PathBuf> = std::env::split_paths(&variable("LOCKLENS_JDKS")).collect();
    homes.push(variable("JAVA_HOME").into());
    homes.extend(children(Path::new("/usr/lib/jvm")));
    homes.extend(children(
        &Path::new(&variable("HOME")).join(".cache/locklens/jdks"),
    ));
    homes.extend(std::env::split_paths(&variable("PATH")).filter_map(|bin| {
        let java = bin.join("java").canonicalize().ok()?;
        Some(java.parent()?.parent()?.to_owned())
    }));
    homes
}

fn children(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|e| e.path()).collect()
}

const PREFIX: &str = "locklens-live-";
const SUBJECT: &str = r#"
package acme;

/** Says ready, then answers every line of its input, and ends with it. */
public class Subject {
    public static void main(String[] args) throws Exception {
        System.out.println("ready " + String.join("|", args));
        java.io.BufferedReader in =
            new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) System.out.println("echo " + line);
    }

    public static void agentmain(String options) {
        System.out.println("agent " + options);
    }
}
"#;

/// The compiled programs.
pub(crate) struct Programs {
    /// Directory for the class path.
    pub(crate) classes: PathBuf,
    /// A jar whose main and agent class is `acme.Subject`.
    pub(crate) jar: PathBuf,
}

/// Compiles them once, for the oldest JDK; readable by every user.
pub(crate) fn programs() -> &'static Programs {
    static COMPILED: OnceLock<Programs> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let compiler = all()
            .iter()
            .find(|jdk| jdk.home.join("bin/javac").is_file())
            .expect(ADVICE);
        compile(compiler)
    })
}

/// What earlier runs compiled: a program's own end comes too late to clean up behind it.
fn remove_leftovers() {
    for dir in children(&std::env::temp_dir()) {
        let name = dir.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let pid = name
            .strip_prefix(PREFIX)
            .and_then(|pid| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = std::fs::remove_dir_all(dir);
        }
    }
}

fn compile(jdk: &Jdk) -> Programs {
    remove_leftovers();
    let dir = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
    let classes = dir.join("classes");
    std::fs::create_dir_all(&classes).expect("a scratch directory");
    std::fs::write(dir.join("Subject.java"), SUBJECT).expect("a scratch file");
    let manifest = "Main-Class: acme.Subject\nAgent-Class: acme.Subject\n";
    std::fs::write(dir.join("manifest"), manifest).expect("a scratch file");
    let release: &[&str] = if jdk.feature() > 8 {
        &["--release", "8"]
    } else {
        &[]
    };
    let run = |tool: &str, args: &[&str]| {
        let done = Command::new(jdk.home.join("bin").join(tool))
            .args(args)
            .current_dir(&dir)
            .output();
        let done = done.expect("a JDK's tool");
        assert!(
            done.status.success(),
            "{tool}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    run(
        "javac",
        &[&["-nowarn", "-d", "classes", "Subject.java"], release].concat(),
    );
    run(
        "jar",
        &[
            "cfm",
            "subject-1.0.jar",
            "manifest",
            "-C",
            "classes",
            "acme",
        ],
    );
    Programs {
        jar: dir.join("subject-1.0.jar"),
        classes,
    }
}
