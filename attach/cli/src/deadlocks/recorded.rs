//! What a recording knows of a JVM that hangs.

use crate::contention;
use crate::exit::Failure;
use crate::trace_file::must_be_file;
use locklens_hotspot::{Jvm, age_of};
use locklens_inference::hang::Recorded;
use locklens_inference::model::Options;
use locklens_trace::record::target_key;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the kernel tells of ages is rounded, twice.
const ROUNDED: Duration = Duration::from_secs(3);

/// Reads it twice, as `locklens contention` does; of that JVM, if it is known which.
pub(super) fn read(
    trace: &Path,
    options: &Options,
    jvm: Option<&Jvm>,
) -> Result<Recorded, Failure> {
    must_be_file(trace)?;
    contention::blamed(trace, options, |collected, analysis, mut blamer| match jvm
        .and_then(|jvm| another(jvm, &collected.target))
    {
        Some(other) => Err(Failure::usage(format_args!("{} {other}", trace.display()))
            .hint("a recording of the JVM that hangs: 'locklens info FILE' says of which it is")),
        None => Ok(Recorded::of(collected, analysis, &mut blamer)),
    })?
}

/// What tells that a recording is of another JVM than this one, if anything does.
fn another(jvm: &Jvm, target: &BTreeMap<String, String>) -> Option<String> {
    let pid = target.get(target_key::PID);
    if let Some(pid) = pid.filter(|pid| **pid != jvm.pid.to_string()) {
        return Some(format!("is of JVM {pid}, and this is {}", jvm.pid));
    }
    let began: u64 = target.get(target_key::STARTED_UNIX_NS)?.parse().ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let started = now.saturating_sub(age_of(jvm)?);
    let before = Duration::from_nanos(began) + ROUNDED < started;
    before.then(|| format!("was begun before this JVM {} was started", jvm.pid))
}
