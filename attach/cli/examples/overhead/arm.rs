//! What watches the program, and by which command.

use crate::run::Stage;
use clap::ValueEnum;
use std::path::PathBuf;

/// Frames that recorders keep of a call chain: the default of locklens.
pub(crate) const DEPTH: &str = "16";

/// One way to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Arm {
    /// No recorder
    Nothing,
    /// No recorder again: the noise
    Again,
    /// locklens record
    Locklens,
    /// locklens record --stack-depth 0
    Chainless,
    /// locklens record --max-overhead 1%
    Limited,
    /// locklens contention --live
    Live,
    /// locklens sample
    Sample,
    /// locklens trace --juc (of a JVM with the agent on standby, like all that rewrite)
    Juc,
    /// locklens trace --all-app --no-clock
    Clockless,
    /// locklens guard --all-app
    Guard,
    /// The agent on standby, and nothing else
    Standby,
    /// JFR, threshold 0, with call chains, started live
    Jfr,
    /// JFR with its default settings, from the start of the JVM
    JfrDefault,
    /// async-profiler's lock mode, threshold 0
    AsyncProfiler,
    /// jstack once a second
    Jstack,
}

/// Those that are measured if none is named.
const USUAL: [Arm; 6] = [
    Arm::Nothing,
    Arm::Again,
    Arm::Locklens,
    Arm::Chainless,
    Arm::Limited,
    Arm::Jfr,
];

/// Who says what was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Book {
    /// `locklens info` of its trace.
    Trace,
    Jfr,
    AsyncProfiler,
    Nobody,
}

impl Arm {
    /// Those asked for, the one without a recorder in front.
    pub(crate) fn asked(named: &[Self]) -> Vec<Self> {
        let named = if named.is_empty() { &USUAL } else { named };
        let is_asked = |arm: &Self| *arm == Self::Nothing || named.contains(arm);
        Self::value_variants()
            .iter()
            .copied()
            .filter(is_asked)
            .collect()
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Again => "nothing again",
            Self::Locklens => "locklens record",
            Self::Chainless => "… --stack-depth 0",
            Self::Limited => "… --max-overhead 1%",
            Self::Live => "… contention --live",
            Self::Sample => "… sample",
            Self::Juc => "… trace --juc",
            Self::Clockless => "… trace --no-clock",
            Self::Guard => "… guard",
            Self::Standby => "… on standby",
            Self::Jfr => "JFR, threshold 0",
            Self::JfrDefault => "JFR, default",
            Self::AsyncProfiler => "async-profiler lock",
            Self::Jstack => "jstack every second",
        }
    }

    /// It can come to a warm JVM and go again without anything left of it.
    pub(crate) fn comes_and_goes(self) -> bool {
        use Arm::{AsyncProfiler, Chainless, Jstack, Limited, Live, Locklens, Sample};
        matches!(
            self,
            Locklens | Chainless | Limited | Live | Sample | AsyncProfiler | Jstack
        )
    }

    /// Classes are rewritten: the JVM has the agent on standby, and compiled code is made again before anything counts.
    pub(crate) fn rewrites(self) -> bool {
        matches!(self, Self::Juc | Self::Clockless | Self::Guard)
    }

    /// Options its JVM is started with.
    pub(crate) fn options(self, stage: &Stage) -> Vec<String> {
        match self {
            Self::JfrDefault => {
                vec!["-XX:StartFlightRecording=name=locks,settings=default".to_owned()]
            }
            Self::Standby | Self::Juc | Self::Clockless | Self::Guard => {
                vec![format!("-agentpath:{}=standby", stage.agent().display())]
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn book(self) -> Book {
        match self {
            Self::Locklens | Self::Chainless | Self::Limited | Self::Juc | Self::Clockless => {
                Book::Trace
            }
            Self::Jfr | Self::JfrDefault => Book::Jfr,
            Self::AsyncProfiler => Book::AsyncProfiler,
            _ => Book::Nobody,
        }
    }

    /// The process that watches for so many seconds, if there is one: program and arguments.
    pub(crate) fn command(
        self,
        stage: &Stage,
        pid: u32,
        seconds: u64,
    ) -> Option<(PathBuf, Vec<String>)> {
        let pid = pid.to_string();
        let words: &[&str] = match self {
            Self::Locklens => &["record", &pid, "--stack-depth", DEPTH],
            Self::Chainless => &["record", &pid, "--stack-depth", "0"],
            Self::Limited => &["record", &pid, "--max-overhead", "1%"],
            Self::Live => &["contention", &pid, "--live"],
            Self::Sample => &["sample", &pid],
            Self::Juc => &["trace", &pid, "--juc"],
            Self::Clockless => &["trace", &pid, "--all-app", "--no-clock"],
            Self::Guard => &["guard", &pid, "--all-app"],
            Self::Jstack => return Some(dumps(stage, pid)),
            _ => return None,
        };
        let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        words.extend(["-d".to_owned(), format!("{seconds}s")]);
        if self.rewrites() {
            words.push("--yes".to_owned());
        }
        if self.book() == Book::Trace {
            words.extend(["-o".to_owned(), stage.trace().display().to_string()]);
        }
        Some((stage.locklens.clone(), words))
    }
}

/// jstack again and again, until it is killed.
fn dumps(stage: &Stage, pid: String) -> (PathBuf, Vec<String>) {
    let jstack = stage.home.join("bin/jstack").display().to_string();
    let script = "while :; do \"$0\" \"$1\" >/dev/null 2>&1; sleep 1; done".to_owned();
    (
        PathBuf::from("/bin/sh"),
        vec!["-c".to_owned(), script, jstack, pid],
    )
}
