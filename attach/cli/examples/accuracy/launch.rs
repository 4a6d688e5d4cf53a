//! Launches a test subject and records it. Other measurements use this, too.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs of this process, which keeps their folders apart.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// One run of one Java program.
pub(crate) struct Run<'a> {
    /// Its source file.
    pub(crate) source: &'a Path,
    /// Its main class.
    pub(crate) main: &'a str,
    /// The JDK.
    pub(crate) home: &'a Path,
    /// How long it is recorded.
    pub(crate) seconds: u32,
    /// Exactly, every class of it rewritten.
    pub(crate) exact: bool,
    /// Where the trace is kept.
    pub(crate) keep: Option<PathBuf>,
}

impl Run<'_> {
    /// Compiles, launches and records it, and gives what `read` makes of the trace.
    pub(crate) fn record<T>(
        &self,
        read: impl FnOnce(&Path) -> Result<T, String>,
    ) -> Result<T, String> {
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("locklens-run-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let result = self.launch(&folder).and_then(|trace| {
            self.keep_it(&trace);
            read(&trace)
        });
        drop(std::fs::remove_dir_all(&folder));
        result
    }

    fn keep_it(&self, trace: &Path) {
        let Some(keep) = &self.keep else { return };
        let kept = std::fs::create_dir_all(keep.parent().unwrap_or(keep))
            .and_then(|()| std::fs::copy(trace, keep));
        if let Err(error) = kept {
            eprintln!("{}: cannot keep the trace: {error}", keep.display());
        }
    }

    fn launch(&self, folder: &Path) -> Result<PathBuf, String> {
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        let compiled = Command::new(self.home.join("bin/javac"))
            .args(["-g", "-nowarn", "-d"])
            .arg(folder)
            .arg(self.source)
            .output()
            .map_err(|e| e.to_string())?;
        if !compiled.status.success() {
            return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
        }
        let mut child = Command::new(self.home.join("bin/java"))
            .args(["-Xmx128m", "-cp"])
            .arg(folder)
            .args([self.main, "600"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let trace = self.attach(&mut child, folder);
        drop(child.kill());
        drop(child.wait());
        // A killed JVM cannot remove its socket.
        drop(std::fs::remove_file(format!(
            "/tmp/.java_pid{}",
            child.id()
        )));
        trace
    }

    fn attach(&self, child: &mut Child, folder: &Path) -> Result<PathBuf, String> {
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
        let (pid, seconds) = (child.id().to_string(), format!("{}s", self.seconds));
        let how: &[&str] = match self.exact {
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
        Ok(trace)
    }
}

/// The source files of the test subjects below a folder: those that say what their locks are.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "java") && says(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn says(source: &Path) -> bool {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    text.lines()
        .any(|line| line.trim().starts_with("// @lock "))
}

/// The JDKs with a compiler, by major version: LOCKLENS_JDKS, JAVA_HOME, /usr/lib/jvm. Only some, if
/// these are named, separated by commas.
pub(crate) fn jdks(only: Option<&str>) -> Vec<(String, PathBuf)> {
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
    found.retain(|(v, _)| only.is_none_or(|only| only.split(',').any(|want| want == v)));
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
