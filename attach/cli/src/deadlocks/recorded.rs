//! What a recording knows of a JVM that hangs.

use crate::contention;
use crate::exit::Failure;
use crate::trace_file::must_be_file;
use locklens_hotspot::Jvm;
use locklens_inference::hang::Recorded;
use locklens_inference::model::Options;
use locklens_trace::record::target_key;
use std::path::Path;

/// Reads it twice, as `locklens contention` does; of that JVM, if it is known which.
pub(super) fn read(
    trace: &Path,
    options: &Options,
    jvm: Option<&Jvm>,
) -> Result<Recorded, Failure> {
    must_be_file(trace)?;
    contention::blamed(trace, options, |collected, analysis, mut blamer| {
        let of = collected.target.get(target_key::PID);
        match (jvm, of) {
            (Some(jvm), Some(pid)) if *pid != jvm.pid.to_string() => Err(Failure::usage(
                format_args!(
                    "{} is of JVM {pid}, and this is {}",
                    trace.display(),
                    jvm.pid
                ),
            )
            .hint("a recording of the JVM that hangs: 'locklens info FILE' says of which it is")),
            _ => Ok(Recorded::of(collected, analysis, &mut blamer)),
        }
    })?
}
