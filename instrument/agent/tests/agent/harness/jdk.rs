//! The JDKs of this machine: `LOCKLENS_JDKS`, `JAVA_HOME`, `/usr/lib/jvm`, the project's cache, `PATH`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A JDK that can compile.
#[derive(Clone, Debug)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    pub(crate) major: u32,
}

impl Jdk {
    /// Every JDK on this machine, one of each major version.
    pub(crate) fn all() -> Vec<Self> {
        let mut homes: Vec<PathBuf> = Vec::new();
        if let Some(list) = std::env::var_os("LOCKLENS_JDKS") {
            homes.extend(std::env::split_paths(&list));
        }
        homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
        homes.extend(children(Path::new("/usr/lib/jvm")));
        if let Some(home) = std::env::var_os("HOME") {
            homes.extend(children(&Path::new(&home).join(".cache/locklens/jdks")));
        }
        for dir in std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()) {
            let javac = fs::canonicalize(dir.join("javac"));
            homes.extend(javac.ok().and_then(|j| Some(j.parent()?.parent()?.into())));
        }
        let mut jdks: Vec<Self> = homes.into_iter().filter_map(Self::at).collect();
        jdks.sort_by_key(|jdk| jdk.major);
        jdks.dedup_by_key(|jdk| jdk.major);
        assert!(
            !jdks.is_empty(),
            "no JDK found: install one, or set JAVA_HOME or LOCKLENS_JDKS"
        );
        jdks
    }

    /// The newest of them.
    pub(crate) fn newest() -> Self {
        Self::all().pop().expect("at least one")
    }

    fn at(home: PathBuf) -> Option<Self> {
        if !home.join("bin/javac").exists() || !home.join("bin/java").exists() {
            return None;
        }
        let output = Command::new(home.join("bin/java")).arg("-version").output();
        let text = String::from_utf8(output.ok()?.stderr).ok()?;
        let version = text.split(" version \"").nth(1)?;
        let version = version.strip_prefix("1.").unwrap_or(version);
        let major = version.split(['.', '"', '_', '-']).next()?.parse().ok()?;
        Some(Self { home, major })
    }

    pub(crate) fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }
}

pub(crate) fn children(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut homes: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    homes.sort();
    homes
}
