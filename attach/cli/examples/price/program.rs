//! One JVM from its start to its end.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The kernel's unit of processor time (`USER_HZ`, the same on every Linux).
const TICKS_PER_SECOND: f64 = 100.0;

/// Name of the agent's thread.
const AGENT: &str = "locklens";

/// A line waited for this long was not there before.
const FRESH: Duration = Duration::from_millis(100);

/// The programs of `testapps/bench` that are run here.
const PROGRAMS: [&str; 3] = ["LockPair", "NBody", "Crowd"];

/// Compiled programs and what runs and watches them.
pub(crate) struct Stage {
    pub(crate) home: PathBuf,
    /// Folder of this benchmark alone.
    pub(crate) folder: PathBuf,
    pub(crate) locklens: PathBuf,
}

impl Stage {
    pub(crate) fn new(home: &Path, locklens: PathBuf) -> Result<Self, String> {
        if !locklens.exists() {
            return Err(format!(
                "{}: not there; cargo build --release first",
                locklens.display()
            ));
        }
        let name = format!("locklens-price-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        compile(home, &folder)?;
        Ok(Self {
            home: home.to_owned(),
            folder,
            locklens,
        })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Left behind, it is in a folder for what may be left behind.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The command named by the environment, or else the one beside this benchmark.
pub(crate) fn locklens() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("LOCKLENS") {
        return Ok(PathBuf::from(named));
    }
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let built = here.ancestors().nth(2).ok_or("no folder of builds")?;
    Ok(built.join("locklens"))
}

/// What the kernel says of the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn compile(home: &Path, into: &Path) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/bench");
    let sources = PROGRAMS.map(|name| folder.join(name).with_extension("java"));
    let status = Command::new(home.join("bin/javac"))
        .arg("-d")
        .arg(into)
        .args(sources)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err("javac failed".to_owned()),
    }
}

/// A program under way; killed when dropped.
pub(crate) struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    /// Starts it, with options of the JVM before its name, and waits until it is ready.
    pub(crate) fn start(stage: &Stage, words: &[&str]) -> Result<Self, String> {
        let mut child = Command::new(stage.home.join("bin/java"))
            .arg("-Xmx256m")
            .arg("-cp")
            .arg(&stage.folder)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("java: {e}"))?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut program = Self {
            child,
            lines: BufReader::new(out).lines(),
        };
        match program.line()?.as_str() {
            "READY" => Ok(program),
            other => Err(format!("the program says {other}")),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn line(&mut self) -> Result<String, String> {
        let line = self.lines.next().ok_or("the program ended")?;
        line.map_err(|e| e.to_string())
    }

    /// Tells it to go on.
    pub(crate) fn go(&mut self) -> Result<(), String> {
        let input = self.child.stdin.as_mut().ok_or("no input")?;
        input.write_all(b"go\n").map_err(|e| e.to_string())
    }

    /// Tells it that nothing more comes.
    pub(crate) fn let_go(&mut self) {
        self.child.stdin = None;
    }

    /// Skips the lines that were printed while nobody read, and so many more.
    pub(crate) fn skip(&mut self, lines: u64) -> Result<(), String> {
        loop {
            let asked = Instant::now();
            self.line()?;
            if asked.elapsed() > FRESH {
                break;
            }
        }
        (0..lines).try_for_each(|_| self.line().map(drop))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A killed JVM cannot remove its socket.
        let _ = std::fs::remove_file(format!("/tmp/.java_pid{}", self.child.id()));
    }
}

/// Processor time a process has used so far, seconds.
pub(crate) fn processor(pid: u32) -> Result<f64, String> {
    used(Path::new(&format!("/proc/{pid}"))).ok_or_else(|| format!("process {pid} is not there"))
}

/// Processor time that the agent's own thread in a JVM has used so far, seconds; 0 if there is none.
pub(crate) fn agent_processor(pid: u32) -> f64 {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
    let tasks = tasks
        .into_iter()
        .flatten()
        .flatten()
        .map(|task| task.path());
    let named = |task: &PathBuf| {
        let name = std::fs::read_to_string(task.join("comm")).unwrap_or_default();
        name.trim_end() == AGENT
    };
    tasks.filter(named).filter_map(|task| used(&task)).sum()
}

/// What a process or thread has used, by its folder below `/proc`.
fn used(folder: &Path) -> Option<f64> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    // utime and stime, the 14th and 15th field of the line.
    let fields = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
    let ticks: Vec<f64> = fields.filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system] => Some((user + system) / TICKS_PER_SECOND),
        _ => None,
    }
}
