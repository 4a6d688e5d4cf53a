//! `locklens agent`: the agent library as a file, for `-agentpath:FILE=standby`.

use crate::args::Agent;
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::replace::{Output, Replace};
use crate::terminal::note;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes it: readable for every user whose JVM is to load it.
pub(crate) fn run(args: &Agent) -> Result<Exit, Failure> {
    let path = &args.output;
    Replace::forced(args.force).allows(path, Output::Library)?;
    put(path).map_err(|error| {
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

/// A file that is there may be mapped by a running JVM, which would crash if its bytes changed under it: a new file takes its name.
fn put(path: &Path) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let new = path.with_file_name(name);
    let written = fs::write(&new, embedded::LIBRARY)
        .and_then(|()| fs::set_permissions(&new, Permissions::from_mode(0o755)))
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // It may not even have been made.
        let _ = fs::remove_file(&new);
    }
    written
}
