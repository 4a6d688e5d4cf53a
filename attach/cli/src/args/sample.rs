//! Flags of `locklens sample`.

use crate::quantity;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locklens_inference::sample::By;
use std::time::Duration;

/// Say what the threads of a JVM do, found by looking at them now and then: how often blocked, parked, waiting, and where
///
/// Nothing of the JVM is switched on: its threads are looked at, no event is recorded. Only threads that stand still are asked
/// for a call chain. Saved thread dumps (of jstack, jcmd Thread.print, kill -3) are samples too.
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens sample [OPTIONS] <PID|NAME>\n       locklens sample [OPTIONS] <DUMP>…",
    after_help = "\
Examples:
  locklens sample 4242                 a minute, ten looks a second
  locklens sample Main -d 10s --by thread
  locklens sample 4242 --by location --json | jq '.rows[0]'
  locklens sample 4242 -d 0            for good; Ctrl-\\ or kill -USR1 prints the last 10 minutes
  locklens sample 4242 --group 'pool-[a-z]+|http'
  locklens sample dump1.txt dump2.txt  dumps that were saved, any number in each file
  locklens sample 4242 --no-agent      nothing is loaded: thread dumps, seldom enough to stop it under 1 %

Exit status:
  0 fine, also when Ctrl-C ended it early   2 usage, or nothing that is a thread dump
  3 attach failed   4 the JVM went away meanwhile: what there is is printed
  130 interrupted by Ctrl-C before there was anything to print"
)]
pub(crate) struct Sample {
    /// The JVM (a pid, a main class, a jar, or a unique part of one), or files with thread dumps
    #[arg(value_name = "PID|NAME|DUMP", required = true)]
    pub(crate) targets: Vec<String>,
    /// Time between two looks [default: 100ms]
    #[arg(short, long, value_name = "TIME", value_parser = period)]
    interval: Option<Duration>,
    /// How long: 30, 30s, 1m30s; 0 = until Ctrl-C, keeping the last 10 minutes [default: 60s]
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true, value_parser = quantity::duration)]
    duration: Option<Duration>,
    /// What rows are for: thread, group (of threads whose names differ in numbers alone), location (lock and place)
    #[arg(long, value_name = "KEY", default_value = "group", value_parser = by())]
    pub(crate) by: By,
    /// Group threads by what this matches of their names, not by names without numbers; its first (…) if it has one
    #[arg(long, value_name = "REGEX", value_parser = regex_lite::Regex::new)]
    pub(crate) group: Option<regex_lite::Regex>,
    /// Show frames of these methods (package.Class.method, * stands for anything), even of the JDK
    #[arg(short = 'I', long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Pass over frames of these methods, as over those of the JDK
    #[arg(short = 'X', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Load nothing into the JVM: ask it for thread dumps
    #[arg(long)]
    pub(crate) no_agent: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Sample {
    /// Time between two looks.
    pub(crate) fn interval(&self) -> Duration {
        self.interval.unwrap_or(INTERVAL)
    }

    /// How long to look; 0: for good.
    pub(crate) fn duration(&self) -> Duration {
        self.duration.unwrap_or(DURATION)
    }

    /// What was said of how to look, which dumps that were saved have behind them.
    pub(crate) fn said_of_looking(&self) -> Option<&'static str> {
        match (self.duration, self.interval, self.no_agent) {
            (Some(_), ..) => Some("-d"),
            (None, Some(_), _) => Some("-i"),
            (None, None, true) => Some("--no-agent"),
            (None, None, false) => None,
        }
    }
}

const INTERVAL: Duration = Duration::from_millis(100);
const DURATION: Duration = Duration::from_secs(60);

/// Shortest time between two looks: with less, looking is all that the agent does.
const SHORTEST_PERIOD: Duration = Duration::from_millis(5);

fn period(text: &str) -> Result<Duration, String> {
    match quantity::duration(text)? {
        period if period < SHORTEST_PERIOD => Err("shorter than 5ms".to_string()),
        period => Ok(period),
    }
}

fn by() -> impl TypedValueParser<Value = By> {
    PossibleValuesParser::new(["thread", "group", "location"]).map(|word| match word.as_str() {
        "thread" => By::Thread,
        "location" => By::Location,
        _ => By::Group,
    })
}
