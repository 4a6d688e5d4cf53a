//! What does watching cost? The same work under nothing, nothing again (the noise), locklens and
//! JFR at threshold 0, side by side on every JDK found, alternating.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p locklens --example overhead -- [--pairs 10] [--seconds 8] [--jdk 17]
//!                        [--load ordinary|worst]
//! ```
//! Each run is a JVM of its own that warms up for 4 s first. Figures are medians of the pairs'
//! ratios against "nothing" of the same round, with their quartiles.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

const WARM_UP: usize = 4;

#[derive(Clone, Copy, PartialEq)]
enum Arm {
    Nothing,
    NothingAgain,
    Locklens,
    LocklensNoStacks,
    Jfr,
}

const ARMS: [(Arm, &str); 5] = [
    (Arm::Nothing, "nothing"),
    (Arm::NothingAgain, "nothing again"),
    (Arm::Locklens, "locklens record"),
    (Arm::LocklensNoStacks, "… --stack-depth 0"),
    (Arm::Jfr, "JFR, threshold 0"),
];

/// Arguments of testapps/bench/Contention.java after the seconds.
const LOADS: [(&str, [&str; 4]); 2] = [
    ("ordinary", ["8", "200000", "20000", "1"]),
    ("worst", ["8", "5000", "5000", "1"]),
];

struct Bench {
    java: PathBuf,
    classes: PathBuf,
    locklens: PathBuf,
    seconds: usize,
}

/// What one run gave.
struct Sample {
    operations: f64,
    events: f64,
}

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let get = |flag: &str| {
        args.iter()
            .position(|a| a == flag)
            .and_then(|i| args.get(i + 1).cloned())
    };
    let pairs = get("--pairs").and_then(|n| n.parse().ok()).unwrap_or(10);
    let seconds = get("--seconds").and_then(|n| n.parse().ok()).unwrap_or(8);
    for home in jdks(get("--jdk").as_deref()) {
        match Bench::new(&home, seconds) {
            Ok(bench) => LOADS
                .iter()
                .filter(|(name, _)| get("--load").is_none_or(|want| want == *name))
                .for_each(|(name, load)| bench.compare(&home, name, load, pairs)),
            Err(error) => eprintln!("{}: {error}", home.display()),
        }
    }
}

fn jdks(only: Option<&str>) -> Vec<PathBuf> {
    let listed = std::env::var("LOCKLENS_JDKS").unwrap_or_default();
    let mut homes: Vec<PathBuf> = std::env::split_paths(&listed).collect();
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.retain(|home| home.join("bin/javac").exists());
    homes.retain(|home| only.is_none_or(|part| home.to_string_lossy().contains(part)));
    homes
}

impl Bench {
    fn new(home: &Path, seconds: usize) -> Result<Self, String> {
        let classes =
            std::env::temp_dir().join(format!("locklens-overhead-{}", std::process::id()));
        std::fs::create_dir_all(&classes).map_err(|e| e.to_string())?;
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/bench/Contention.java");
        let compiled = Command::new(home.join("bin/javac"))
            .arg("-d")
            .arg(&classes)
            .arg(source)
            .status();
        if !compiled.is_ok_and(|status| status.success()) {
            return Err("javac failed".to_owned());
        }
        let here = std::env::current_exe().map_err(|e| e.to_string())?;
        let locklens = here
            .ancestors()
            .nth(2)
            .map(|dir| dir.join("locklens"))
            .unwrap_or_default();
        Ok(Self {
            java: home.join("bin/java"),
            classes,
            locklens,
            seconds,
        })
    }

    fn compare(&self, home: &Path, name: &str, load: &[&str; 4], pairs: usize) {
        println!(
            "\n{} · {name} load · {pairs} rounds of {} s",
            home.display(),
            self.seconds
        );
        let mut ratios = vec![Vec::new(); ARMS.len()];
        let mut events = vec![Vec::new(); ARMS.len()];
        for round in 0..pairs {
            let mut base = 0.0;
            for (n, &(arm, _)) in ARMS.iter().enumerate() {
                let Some(sample) = self.run(arm, load) else {
                    continue;
                };
                if arm == Arm::Nothing {
                    base = sample.operations;
                }
                ratios[n].push(sample.operations / base);
                events[n].push(sample.events);
            }
            eprintln!("round {} of {pairs}", round + 1);
        }
        println!(
            "{:<20} {:>10} {:>17} {:>12}",
            "", "throughput", "quartiles", "events/s"
        );
        for (n, (_, label)) in ARMS.iter().enumerate() {
            let (ratio, seen) = (&mut ratios[n], &mut events[n]);
            println!(
                "{label:<20} {:>10.3} {:>8.3}-{:<8.3} {:>12.0}",
                quantile(ratio, 0.5),
                quantile(ratio, 0.25),
                quantile(ratio, 0.75),
                quantile(seen, 0.5)
            );
        }
    }

    /// One JVM under one arm; none if it could not be run.
    fn run(&self, arm: Arm, load: &[&str; 4]) -> Option<Sample> {
        let total = WARM_UP + self.seconds + 2;
        let recording = self.classes.join("run");
        let mut child = self.launch(arm, load, total, &recording)?;
        let mut lines = BufReader::new(child.stdout.take()?).lines();
        let ready = lines.by_ref().map_while(Result::ok).any(|l| l == "READY");
        let sample = if ready {
            self.measure(arm, &child, &mut lines, &recording)
        } else {
            None
        };
        drop(child.kill());
        drop(child.wait());
        sample
    }

    fn launch(&self, arm: Arm, load: &[&str; 4], total: usize, recording: &Path) -> Option<Child> {
        let mut java = Command::new(&self.java);
        java.arg("-Xmx128m");
        if arm == Arm::Jfr {
            let settings = self.jfr_settings()?;
            let file = recording.with_extension("jfr");
            java.arg(format!(
                "-XX:StartFlightRecording=settings={},filename={}",
                settings.display(),
                file.display()
            ));
        }
        java.arg("-cp")
            .arg(&self.classes)
            .args(["Contention", &total.to_string()])
            .args(load);
        java.stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    }

    /// JFR with monitor events of any length and their call chains, and nothing else.
    fn jfr_settings(&self) -> Option<PathBuf> {
        let path = self.classes.join("locks.jfc");
        let events = ["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"].map(|event| {
            format!(
                "<event name=\"{event}\"><setting name=\"enabled\">true</setting>\
                 <setting name=\"stackTrace\">true</setting><setting name=\"threshold\">0 ms</setting></event>"
            )
        });
        let text = format!(
            "<?xml version=\"1.0\"?><configuration version=\"2.0\">{}</configuration>",
            events.concat()
        );
        std::fs::write(&path, text).ok()?;
        Some(path)
    }

    fn measure(
        &self,
        arm: Arm,
        child: &Child,
        lines: &mut Lines<BufReader<ChildStdout>>,
        recording: &Path,
    ) -> Option<Sample> {
        let mut seconds = lines
            .map_while(Result::ok)
            .filter_map(|l| l.parse::<f64>().ok());
        seconds.by_ref().take(WARM_UP).for_each(drop);
        let trace = recording.with_extension("llt");
        let recorder = self.recorder(arm, child.id(), &trace)?;
        // The second in which the recorder attaches counts for nobody.
        seconds.next()?;
        let operations = seconds.take(self.seconds).sum();
        let events = match recorder {
            Some(mut recorder) => {
                drop(recorder.wait());
                self.events(&trace).unwrap_or(0.0)
            }
            None => 0.0,
        };
        Some(Sample { operations, events })
    }

    fn recorder(&self, arm: Arm, pid: u32, trace: &Path) -> Option<Option<Child>> {
        let depth: &[&str] = match arm {
            Arm::Locklens => &[],
            Arm::LocklensNoStacks => &["--stack-depth", "0"],
            _ => return Some(None),
        };
        let mut command = Command::new(&self.locklens);
        command.args([
            "record",
            &pid.to_string(),
            "-d",
            &format!("{}s", self.seconds + 1),
            "-o",
        ]);
        command
            .arg(trace)
            .args(depth)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().ok().map(Some)
    }

    fn events(&self, trace: &Path) -> Option<f64> {
        let info = Command::new(&self.locklens)
            .arg("info")
            .arg(trace)
            .arg("--json")
            .output()
            .ok()?;
        let info: serde_json::Value = serde_json::from_slice(&info.stdout).ok()?;
        let lost: f64 = info["lost"]
            .as_object()?
            .iter()
            .filter(|(k, _)| *k != "stack-budget")
            .filter_map(|(_, v)| v.as_f64())
            .sum();
        Some((info["events"].as_f64()? + lost) / (info["duration_ns"].as_f64()? / 1e9))
    }
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n => values[((n - 1) as f64 * q).round() as usize],
    }
}
