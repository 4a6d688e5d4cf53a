//! The program that keeps books, under way, and what can be seen of it from outside.

use super::stage::{Stage, eventually};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The kernel's unit of processor time (`USER_HZ`, the same on every Linux).
const TICKS_PER_SECOND: f64 = 100.0;

/// A JVM under way; killed when dropped.
pub(crate) struct Program {
    child: Child,
    book: PathBuf,
    said: PathBuf,
}

/// What stands in its books.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    pub(crate) work: u64,
    pub(crate) audits: u64,
    pub(crate) wrong: u64,
}

/// What a process has open, by kind: what we could leave behind is a socket, an eventfd, or a file of ours.
pub(crate) type Open = BTreeMap<String, usize>;

impl Program {
    /// Starts it with these options of the JVM; what the JVM says if it does not want them.
    pub(crate) fn start(stage: &Stage, flags: &[&str]) -> Result<Self, String> {
        let (book, said) = (stage.folder.join("book"), stage.folder.join("said"));
        let _ = std::fs::remove_file(&book);
        let errors = std::fs::File::create(&said).map_err(|e| e.to_string())?;
        let mut child = Command::new(stage.home.join("bin/java"))
            .args(["-Xmx128m", "-cp"])
            .arg(&stage.folder)
            .args(flags)
            .arg("Books")
            .arg(&book)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .map_err(|e| format!("java: {e}"))?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        let program = Self { child, book, said };
        let mut heard = Vec::new();
        for line in lines.by_ref() {
            if line == "READY" {
                // The pipe must stay open, and empty: the JVM prints warnings to it.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(program);
            }
            heard.push(line);
        }
        heard.push(program.said());
        Err(heard.join(" / ").trim().to_owned())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn word(&self) -> String {
        self.pid().to_string()
    }

    /// What it has printed on standard error.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(&self.said).unwrap_or_default()
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(crate) fn entries(&self) -> Result<Entries, String> {
        let bytes = std::fs::read(&self.book).map_err(|e| e.to_string())?;
        let mut numbers = bytes.as_chunks::<8>().0.iter().copied();
        let mut next = || numbers.next().map_or(0, u64::from_le_bytes);
        Ok(Entries {
            work: next(),
            audits: next(),
            wrong: next(),
        })
    }

    /// It lives, works on, is audited, and nothing was ever found wrong.
    pub(crate) fn works(&mut self) -> Result<(), String> {
        let before = self.entries()?;
        eventually("the program goes on working", || {
            if !self.is_alive() {
                return Err(format!("the program died: {}", self.said()));
            }
            let now = self.entries()?;
            Ok(now.work > before.work + 1_000 && now.audits > before.audits + 2)
        })?;
        match self.entries()?.wrong {
            0 => Ok(()),
            n => Err(format!("{n} audits found something wrong: {}", self.said())),
        }
    }

    /// What it does in a second of its processor time, in thousands.
    pub(crate) fn speed(&self, span: Duration) -> Result<f64, String> {
        let (work, time) = (self.entries()?.work, self.processor()?);
        std::thread::sleep(span);
        let (done, took) = (self.entries()?.work - work, self.processor()? - time);
        match took > 0.0 {
            true => Ok(done as f64 / took / 1_000.0),
            false => Err("the program did not run".to_owned()),
        }
    }

    /// Processor time it has used so far, seconds.
    pub(crate) fn processor(&self) -> Result<f64, String> {
        processor(self.pid())
    }

    /// Names of its threads.
    pub(crate) fn threads(&self) -> Vec<String> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid()));
        let tasks = tasks.into_iter().flatten().flatten();
        tasks
            .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
            .map(|name| name.trim_end().to_owned())
            .collect()
    }

    pub(crate) fn has_our_thread(&self) -> bool {
        let threads = self.threads();
        threads.iter().any(|name| name.starts_with("locklens"))
    }

    /// What it has open of the kinds that we open.
    pub(crate) fn open(&self) -> Open {
        let links = std::fs::read_dir(format!("/proc/{}/fd", self.pid()));
        let mut open = Open::new();
        for link in links.into_iter().flatten().flatten() {
            let Ok(to) = std::fs::read_link(link.path()) else {
                continue;
            };
            let to = to.to_string_lossy().into_owned();
            let kind = match to.split_once(':') {
                Some((kind, _)) if to.starts_with("socket:") => kind.to_owned(),
                _ if to.starts_with("anon_inode:") || to.contains("locklens") => to,
                _ => continue,
            };
            *open.entry(kind).or_default() += 1;
        }
        open
    }

    /// How long its methods are at this moment, a line for each.
    pub(crate) fn code(&self, stage: &Stage) -> Result<String, String> {
        let (library, file) = (stage.path("bytecodes.so"), stage.path("code"));
        let options = format!("{file} LBooks");
        let words = ["attach", &self.word(), "load", &library, "true", &options];
        stage.well(&words)?;
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let mut lines: Vec<_> = text.lines().collect();
        lines.sort_unstable();
        match text.contains("LBooks$Account;.add") {
            true => Ok(lines.join("\n")),
            false => Err(format!("what code is this? {text}")),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A killed JVM cannot remove its socket.
        let _ = std::fs::remove_file(format!("/tmp/.java_pid{}", self.child.id()));
    }
}

/// Processor time a process has used so far, seconds.
fn processor(pid: u32) -> Result<f64, String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).map_err(|e| e.to_string())?;
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<f64> = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .collect();
    Ok(ticks.iter().sum::<f64>() / TICKS_PER_SECOND)
}
