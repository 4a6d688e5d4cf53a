//! Removes directories of ours whose makers have died.
//!
//! Only what this user has made, and nobody else may enter, whatever it is called; no link is followed, and it is the directory that was looked
//! at that is emptied, not what has its name by then. One without the file that its maker locks is somebody's recording, or of another version: it
//! stays, unless it is empty and older than it takes to put that file there.

use super::{ALIVE, PREFIX, UNBORN};
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Result;
use std::ffi::CStr;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Names looked at in the temporary directory.
const LOOKED_AT: usize = 100_000;
/// Folders within each other that are emptied.
const DEPTH: usize = 8;
/// Nobody takes longer to lock the file that says that he lives.
const BORN: Duration = Duration::from_secs(60);
const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Removes those under this directory. What can't be removed stays.
pub(super) fn sweep(base: &Path) {
    let Ok(fd) = rustix::fs::open(base, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    let names = std::fs::read_dir(base).into_iter().flatten().flatten();
    let names = names.take(LOOKED_AT).map(|entry| entry.file_name());
    for name in names.filter(|name| is_ours(&name.to_string_lossy())) {
        // A directory less is no reason not to go on.
        let _ = remove(fd.as_fd(), Path::new(&name));
    }
}

fn is_ours(name: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let digits = name.strip_prefix(PREFIX);
    digits.is_some_and(|digits| digits.len() == 32 && digits.bytes().all(hex))
}

fn remove(base: BorrowedFd<'_>, name: &Path) -> Result<()> {
    let folder = rustix::fs::openat(base, name, FOLDER, Mode::empty())?;
    let stat = rustix::fs::fstat(&folder)?;
    if !is_private(&stat) {
        return Ok(());
    }
    let how = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::openat(&folder, ALIVE, how, Mode::empty()) {
        Ok(alive) => {
            let lock = FlockOperation::NonBlockingLockExclusive;
            // Its maker has it, or another one who sweeps.
            rustix::fs::flock(&alive, lock)?;
            empty(&folder, DEPTH)?;
            rustix::fs::unlinkat(&folder, ALIVE, AtFlags::empty())?;
        }
        Err(rustix::io::Errno::NOENT) if is_old(&folder) => {
            // Gone only if it was all that there is.
            let _ = rustix::fs::unlinkat(&folder, UNBORN, AtFlags::empty());
        }
        Err(_) => return Ok(()),
    }
    rustix::fs::unlinkat(base, name, AtFlags::REMOVEDIR)
}

/// This user's, and nobody else may enter.
fn is_private(stat: &Stat) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stat.st_uid == own && stat.st_mode & 0o777 == 0o700
}

fn is_old(folder: &OwnedFd) -> bool {
    let made = folder.try_clone().map(File::from);
    let made = made.and_then(|folder| folder.metadata()?.modified());
    let age = made.map(|made| SystemTime::now().duration_since(made));
    age.is_ok_and(|age| age.is_ok_and(|age| age > BORN))
}

/// Removes what is in a folder, but for the file that is locked.
fn empty(folder: &OwnedFd, depth: usize) -> Result<()> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) || name.to_bytes() == ALIVE.as_bytes() {
            continue;
        }
        discard(folder, name, depth)?;
    }
    Ok(())
}

fn discard(folder: &OwnedFd, name: &CStr, depth: usize) -> Result<()> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory || depth == 0 {
        return rustix::fs::unlinkat(folder, name, AtFlags::empty());
    }
    let inner = rustix::fs::openat(folder, name, FOLDER, Mode::empty())?;
    empty(&inner, depth - 1)?;
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}

#[cfg(test)]
mod tests {
    use super::super::PrivateDir;
    use super::*;
    use std::fs::{self, DirBuilder, Permissions};
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
    use std::path::PathBuf;

    /// A directory of its own for each test.
    struct Base(PathBuf);

    impl Base {
        fn of(name: &str) -> Self {
            let name = format!("locklens-sweep-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Self(path)
        }

        /// Where one is of which nobody knows that its maker lives.
        fn folder(&self, digit: &str, mode: u32) -> PathBuf {
            let path = self.0.join(format!("{PREFIX}{}", digit.repeat(32)));
            DirBuilder::new().mode(mode).create(&path).unwrap();
            path
        }
    }

    impl Drop for Base {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// As it is when its maker has been killed.
    fn orphan(base: &Base) -> PathBuf {
        let mut dir = PrivateDir::within(&base.0).unwrap();
        let path = dir.path().to_path_buf();
        drop(dir.alive.take());
        std::mem::forget(dir);
        path
    }

    #[test]
    fn what_the_dead_have_left_is_removed_and_nothing_of_the_living() {
        let base = Base::of("living");
        let living = PrivateDir::within(&base.0).unwrap();
        let orphan = orphan(&base);
        let inner = orphan.join("classes");
        fs::create_dir(&inner).unwrap();
        for file in [orphan.join("first.llt"), inner.join("Demo.class")] {
            fs::write(file, "x").unwrap();
        }
        sweep(&base.0);
        assert!(living.path().exists() && !orphan.exists());
    }

    #[test]
    fn what_is_to_stay_stays() {
        let base = Base::of("kept");
        let dir = PrivateDir::within(&base.0).unwrap();
        let path = dir.path().to_path_buf();
        fs::write(path.join("app.llt"), "x").unwrap();
        dir.keep().unwrap();
        // Somebody has just made it, and not come to lock anything.
        let young = base.folder("a", 0o700);
        sweep(&base.0);
        assert!(path.join("app.llt").exists() && young.exists());
    }

    #[test]
    fn an_empty_one_that_is_old_is_removed() {
        let base = Base::of("old");
        let [empty, unborn, full] = ["a", "b", "c"].map(|digit| base.folder(digit, 0o700));
        fs::write(unborn.join(UNBORN), "").unwrap();
        fs::write(full.join("app.llt"), "x").unwrap();
        let long_ago = SystemTime::now() - BORN * 2;
        for folder in [&empty, &unborn, &full] {
            File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        sweep(&base.0);
        assert!(!empty.exists() && !unborn.exists() && full.join("app.llt").exists());
    }

    #[test]
    fn only_what_is_private_and_called_so_is_looked_into_and_no_link_is_followed() {
        let base = Base::of("links");
        let open = base.folder("a", 0o700);
        fs::write(open.join(ALIVE), "").unwrap();
        fs::set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
        let other = base.0.join("locklens-mine");
        DirBuilder::new().mode(0o700).create(&other).unwrap();
        fs::write(other.join(ALIVE), "").unwrap();
        symlink(&other, base.0.join(format!("{PREFIX}{}", "b".repeat(32)))).unwrap();
        // A link in one that is removed leads nowhere.
        let orphan = orphan(&base);
        symlink(&other, orphan.join("link")).unwrap();
        sweep(&base.0);
        assert!(open.join(ALIVE).exists() && other.join(ALIVE).exists() && !orphan.exists());
    }

    #[test]
    fn names_of_ours() {
        let digits = "0123456789abcdef".repeat(2);
        assert!(is_ours(&format!("{PREFIX}{digits}")));
        for other in ["locklens-", "locklens-12", &digits] {
            assert!(!is_ours(other), "{other}");
        }
        assert!(!is_ours(&format!("{PREFIX}{}", "A".repeat(32))));
    }
}
