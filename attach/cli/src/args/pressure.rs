//! Flags of `locklens pressure`.

use super::Analysis;
use crate::quantity;
use clap::Args;
use std::time::Duration;

/// Say how much locks keep threads from running, and when
///
/// Of each lock and interval: the time threads spend acquiring it, by the running time of all threads of the application.
/// Waiting in Object.wait or on a condition or queue is not running; being blocked, asleep or ready to run is.
/// Of a JVM it prints a line when a phase of high pressure begins and when it ends, until Ctrl-C, and then all in all;
/// no trace is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens pressure app.llt
  locklens pressure app.llt --interval 200ms --threshold 5%
  locklens pressure app.llt --threads 'http-*'    of these threads only
  locklens pressure exact.llt --metrics           gets, misses, hold times …
  locklens pressure app.llt --json | jq '.locks[] | {name, average_percent, phases}'
  locklens pressure 4242                          of a live JVM, until Ctrl-C
  locklens pressure 4242 -d 60s --threshold 20%

Exit status:
  0 fine, also when Ctrl-C ended it or with -d 0 the JVM did   2 usage, or no trace
  3 attach failed   4 the JVM went away before the time was over")]
pub(crate) struct Pressure {
    /// A trace, or a JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "FILE|PID|NAME")]
    pub(crate) subject: String,
    /// Length of an interval; much shorter ones show chance
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = interval)]
    pub(crate) interval: Duration,
    /// A lock that takes so much of the running time in intervals one after the other has a phase
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = quantity::percent)]
    pub(crate) threshold: f64,
    /// Only threads with such a name, or in a group with such a name; * stands for anything
    #[arg(long, value_name = "GLOB")]
    pub(crate) threads: Option<String>,
    /// The classical metrics, too. Most are known of exact recordings only
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Print JSON; of a JVM when it is over
    #[arg(long)]
    pub(crate) json: bool,
    /// Of a JVM: how long to watch; 0 = until Ctrl-C or the end of the JVM [default: 0]
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true, value_parser = quantity::duration)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Shortest interval: below, the clock of the events is too coarse.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

pub(super) fn interval(text: &str) -> Result<Duration, String> {
    match quantity::duration(text)? {
        interval if interval < SHORTEST_INTERVAL => Err("less than 1ms".to_string()),
        interval => Ok(interval),
    }
}
