//! One run: a JVM from its start to its end, with a recorder or without.

use crate::arm::Arm;
use crate::caught::{Caught, output};
use crate::load::{self, Load};
use crate::recorder::Recorder;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The kernel's unit of processor time (`USER_HZ`, the same on every Linux).
const TICKS_PER_SECOND: f64 = 100.0;

/// A line waited for this long was not there before.
const FRESH: Duration = Duration::from_millis(100);

/// A compiled program and what runs and watches it.
pub(crate) struct Stage {
    pub(crate) home: PathBuf,
    /// Folder of this benchmark alone.
    pub(crate) folder: PathBuf,
    pub(crate) locklens: PathBuf,
    warm_up: u64,
    /// Seconds that do not count after classes have been rewritten.
    settle: u64,
    pub(crate) seconds: u64,
    profiler: OnceLock<Result<PathBuf, String>>,
}

/// What one run gave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Pieces of work a second.
    pub(crate) rate: f64,
    /// Processor time of program and recorder for a piece, µs.
    pub(crate) processor_us: f64,
    /// What the recorder says it saw.
    pub(crate) caught: Option<Caught>,
}

impl Sample {
    /// The mean of two without a recorder.
    fn and(self, other: Self) -> Self {
        Self {
            rate: f64::midpoint(self.rate, other.rate),
            processor_us: f64::midpoint(self.processor_us, other.processor_us),
            caught: None,
        }
    }
}

impl Stage {
    pub(crate) fn new(
        home: &Path,
        (warm_up, settle, seconds): (u64, u64, u64),
    ) -> Result<Self, String> {
        let name = format!("locklens-overhead-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        load::compile(home, &folder)?;
        let here = std::env::current_exe().map_err(|e| e.to_string())?;
        let release = here.ancestors().nth(2).ok_or("no folder of builds")?;
        let locklens = release.join("locklens");
        if !locklens.exists() {
            return Err("no locklens here: cargo build --release first".to_owned());
        }
        let stage = Self {
            home: home.to_owned(),
            folder,
            locklens,
            warm_up,
            settle,
            seconds,
            profiler: OnceLock::new(),
        };
        let mut agent = Command::new(&stage.locklens);
        output(agent.args(["agent", "-o"]).arg(stage.agent()))?;
        Ok(stage)
    }

    /// The trace of a run.
    pub(crate) fn trace(&self) -> PathBuf {
        self.folder.join("run.llt")
    }

    /// The agent's library, for standby.
    pub(crate) fn agent(&self) -> PathBuf {
        self.folder.join("liblocklens-agent.so")
    }

    /// async-profiler's library, out of its jar.
    pub(crate) fn profiler(&self) -> Result<PathBuf, String> {
        let unpacked = || {
            let mut fetch = Command::new(load::testapps("drivers/fetch"));
            let jar = output(fetch.arg("async-profiler"))?;
            let machine = match std::env::consts::ARCH {
                "aarch64" => "linux-arm64",
                _ => "linux-x64",
            };
            let library = format!("{machine}/libasyncProfiler.so");
            let mut unpack = Command::new(self.home.join("bin/jar"));
            output(
                unpack
                    .arg("xf")
                    .arg(jar.trim())
                    .arg(&library)
                    .current_dir(&self.folder),
            )?;
            Ok(self.folder.join(library))
        };
        self.profiler.get_or_init(unpacked).clone()
    }

    /// The release of the JDK: 8, 11, ….
    pub(crate) fn release(&self) -> Result<u32, String> {
        let path = self.home.join("release");
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let version = text
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
        let version = version.map(|version| version.strip_prefix("1.").unwrap_or(version));
        let number =
            version.and_then(|version| version.split(|c: char| !c.is_ascii_digit()).next());
        number
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| format!("{} says no version", path.display()))
    }

    /// One JVM under this arm and that, each between two times without: `rounds` times all of them.
    pub(crate) fn alternate(
        &self,
        arms: &[Arm],
        load: Load,
        rounds: usize,
        mut each: impl FnMut(&[(Arm, Sample)]),
    ) -> Result<(), String> {
        let mut program = Program::start(self, load, &[])?;
        program.skip(self.warm_up)?;
        let mut before = self.stretch(&mut program, Arm::Nothing)?;
        let mut earlier = None;
        for round in 0..rounds * arms.len() {
            let arm = arms[round % arms.len()];
            let sample = self.stretch(&mut program, arm)?;
            let after = self.stretch(&mut program, Arm::Nothing)?;
            each(&[(Arm::Nothing, before.and(after)), (arm, sample)]);
            if let Some(earlier) = earlier {
                each(&[(Arm::Nothing, after.and(earlier)), (Arm::Again, before)]);
            }
            (earlier, before) = (Some(before), after);
        }
        Ok(())
    }

    /// A stretch of a JVM's life under one arm.
    fn stretch(&self, program: &mut Program, arm: Arm) -> Result<Sample, String> {
        let recorder = Recorder::early(arm, self, program.pid())?;
        let recorder = recorder.attach(self, program.pid(), self.seconds + 1)?;
        self.measure(program, recorder)
    }

    /// One JVM under one arm.
    pub(crate) fn run(&self, arm: Arm, load: Load) -> Result<Sample, String> {
        let mut program = Program::start(self, load, &arm.options(self))?;
        let recorder = Recorder::early(arm, self, program.pid())?;
        program.catch_up()?;
        program.skip(self.warm_up)?;
        let settle = if arm.rewrites() { self.settle } else { 0 };
        program.catch_up()?;
        let recorder = recorder.attach(self, program.pid(), settle + self.seconds + 1)?;
        program.skip(settle)?;
        self.measure(&mut program, recorder)
    }

    fn measure(&self, program: &mut Program, recorder: Recorder) -> Result<Sample, String> {
        // The second in which a recorder comes counts for nobody.
        program.catch_up()?;
        let before = processor(program.pid())? + recorder.processor()?;
        let pieces = program.sum(self.seconds)?;
        let after = processor(program.pid())? + recorder.processor()?;
        Ok(Sample {
            rate: pieces / self.seconds as f64,
            processor_us: (after - before) * 1e6 / pieces.max(1.0),
            caught: recorder.finish(self, program.pid())?,
        })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Left behind, it is in a folder for what may be left behind.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The program under way; killed when dropped.
struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(stage: &Stage, load: Load, options: &[String]) -> Result<Self, String> {
        // Longer than anything here takes: it is killed when it has been measured.
        let seconds = stage.warm_up + stage.settle + stage.seconds + 600;
        let mut child = load
            .command(&stage.home, &stage.folder, seconds, options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("java: {e}"))?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut program = Self {
            child,
            lines: BufReader::new(out).lines(),
        };
        // JFR has something to say before.
        while program.line()? != "READY" {}
        Ok(program)
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn line(&mut self) -> Result<String, String> {
        let line = self.lines.next().ok_or("the program ended")?;
        line.map_err(|e| e.to_string())
    }

    /// Skips the seconds that went by while nobody read: up to a line that had to be waited for.
    fn catch_up(&mut self) -> Result<(), String> {
        loop {
            let asked = Instant::now();
            self.line()?;
            if asked.elapsed() > FRESH {
                return Ok(());
            }
        }
    }

    fn skip(&mut self, seconds: u64) -> Result<(), String> {
        self.sum(seconds).map(drop)
    }

    /// Pieces of work in the next so many seconds.
    fn sum(&mut self, seconds: u64) -> Result<f64, String> {
        (0..seconds).try_fold(0.0, |sum, _| {
            let line = self.line()?;
            let number = line.split(' ').next().unwrap_or_default();
            let pieces: f64 = number.parse().map_err(|_| format!("{line}: no number"))?;
            Ok(sum + pieces)
        })
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

/// Processor time that a process, and children of it that have ended, have used so far, seconds.
pub(crate) fn processor(pid: u32) -> Result<f64, String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .map_err(|e| format!("process {pid}: {e}"))?;
    let fields = stat.rsplit(')').next().unwrap_or_default();
    // utime and stime, and those of children that have ended: the 14th to 17th field of the line.
    let ticks: Vec<f64> = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse().ok())
        .collect();
    match ticks[..] {
        [_, _, _, _] => Ok(ticks.iter().sum::<f64>() / TICKS_PER_SECOND),
        _ => Err(format!("process {pid}: {stat}")),
    }
}
