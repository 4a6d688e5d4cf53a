//! A directory of our own, for files that must not outlive the command, or must not be seen by others.

use crate::record::hello::Secret;
use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A directory nobody else may enter; removed with what is in it.
#[derive(Debug)]
pub(crate) struct PrivateDir(PathBuf);

impl PrivateDir {
    /// Makes one under the temporary directory.
    pub(crate) fn create() -> io::Result<Self> {
        let path = base().join(format!("locklens-{}", Secret::random()?));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a new file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8], mode: u32) -> io::Result<PathBuf> {
        let path = self.0.join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(bytes)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        Ok(path)
    }

    /// Leaves it there for good.
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }

    /// Removes it now.
    pub(crate) fn remove(self) {
        drop(self);
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        // What can't be removed is left to whoever cleans the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
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
}
