//! `locklens agent`: the agent library as a file, for `-agentpath:FILE=standby`.

use crate::args::Agent;
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::terminal::note;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

/// Writes it: readable for every user whose JVM is to load it.
pub(crate) fn run(args: &Agent) -> Result<Exit, Failure> {
    let path = &args.output;
    let written = fs::write(path, embedded::LIBRARY)
        .and_then(|()| fs::set_permissions(path, Permissions::from_mode(0o755)));
    written.map_err(|error| {
        Failure::usage(format_args!("can't write {}: {error}", path.display()))
            .hint("another place: -o FILE")
    })?;
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    note(format_args!(
        "start the JVM with -agentpath:{}=standby",
        absolute.display()
    ));
    Ok(Exit::Fine)
}
