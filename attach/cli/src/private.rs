//! A directory of our own, for files that must not outlive the command, or must not be seen by others.
//!
//! A command that is killed removes nothing. So each directory has a file that its maker keeps locked as long as it lives, and who makes
//! one looks first for those whose lock is free ([`sweep`]).

mod sweep;

use crate::record::hello::Secret;
use rustix::fs::{FlockOperation, flock};
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What the name of each begins with; 32 hexadecimal digits follow.
const PREFIX: &str = "locklens-";
/// The file that its maker keeps locked.
const ALIVE: &str = ".alive";
/// Its name until it is locked: nobody may find it before.
const UNBORN: &str = ".unborn";

/// A directory nobody else may enter; removed with what is in it.
#[derive(Debug)]
pub(crate) struct PrivateDir {
    path: PathBuf,
    /// Locked as long as it is open; none where files can't be locked.
    alive: Option<File>,
}

impl PrivateDir {
    /// Makes one under the temporary directory, where those are removed whose makers have died.
    pub(crate) fn create() -> io::Result<Self> {
        let base = base();
        sweep::sweep(&base);
        Self::within(&base)
    }

    fn within(base: &Path) -> io::Result<Self> {
        let path = base.join(format!("{PREFIX}{}", Secret::random()?));
        DirBuilder::new().mode(0o700).create(&path)?;
        let mut dir = Self { path, alive: None };
        // Without it nothing is lost but that it may stay when the command is killed.
        dir.alive = dir.locked().ok();
        Ok(dir)
    }

    /// The file by which it is seen that its maker lives.
    fn locked(&self) -> io::Result<File> {
        let unborn = self.path.join(UNBORN);
        let mut how = OpenOptions::new();
        let file = how.write(true).create_new(true).mode(0o600).open(&unborn)?;
        let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let named = locked
            .map_err(io::Error::from)
            .and_then(|()| std::fs::rename(&unborn, self.path.join(ALIVE)));
        match named {
            Ok(()) => Ok(file),
            Err(error) => {
                let _ = std::fs::remove_file(&unborn);
                Err(error)
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a new file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8], mode: u32) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(bytes)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        Ok(path)
    }

    /// Leaves it there for good: what is in it is the user's. An error if it would be removed all the same.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        match std::fs::remove_file(self.path.join(ALIVE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => {
                drop(self.alive.take());
                std::mem::forget(self);
                Ok(())
            }
        }
    }

    /// Removes it now.
    pub(crate) fn remove(self) {
        drop(self);
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        // What can't be removed is left to whoever cleans the temporary directory.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A file in the temporary directory that has no name: what is in it is gone when it is closed, however that comes.
pub(crate) fn unnamed() -> io::Result<File> {
    let dir = PrivateDir::create()?;
    let mut how = OpenOptions::new();
    how.read(true).write(true).create_new(true).mode(0o600);
    how.open(dir.path().join("unnamed"))
}

/// The temporary directory, unless its name would not survive the agent's option string.
fn base() -> PathBuf {
    let dir = std::env::temp_dir();
    let awkward = |c: char| c.is_whitespace() || ",='\"".contains(c);
    let usable = dir.is_absolute() && !dir.to_string_lossy().contains(awkward);
    if usable { dir } else { PathBuf::from("/tmp") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn it_is_private_and_goes_away() {
        let dir = PrivateDir::create().unwrap();
        let path = dir.path().to_path_buf();
        dir.write("x", b"y", 0o400).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        dir.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_without_a_name_has_none() {
        let mut file = unnamed().unwrap();
        file.write_all(b"y").unwrap();
        assert_eq!(file.metadata().unwrap().nlink(), 0);
    }
}
