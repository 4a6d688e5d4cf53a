//! `locklens agent`: the agent library as a file, for `-agentpath:FILE=standby`.

use crate::args::Agent;
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::replace::{Output, Replace};
use crate::terminal::note;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
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
/// It is made here and by nobody else, who could change it later.
fn put(path: &Path) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let new = path.with_file_name(name);
    let mut how = OpenOptions::new();
    let mut file = how.write(true).create_new(true).mode(0o600).open(&new)?;
    let written = file
        .write_all(embedded::LIBRARY)
        .and_then(|()| file.set_permissions(Permissions::from_mode(0o755)))
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // What is left of it can't be loaded, and says by its name whose it is.
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_somebody_else_has_put_there_is_written_through() {
        let folder = std::env::temp_dir().join(format!("locklens-agent-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [path, other] = ["agent.so", "other"].map(|name| folder.join(name));
        fs::write(&other, "mine").unwrap();
        let bait = folder.join(format!("agent.so.{}", std::process::id()));
        std::os::unix::fs::symlink(&other, &bait).unwrap();
        assert!(put(&path).is_err());
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        fs::remove_file(&bait).unwrap();
        put(&path).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o755
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
