//! The target's file system, opened the way the target itself would open it.
//!
//! Everything goes through a descriptor of `/proc/PID/root` and the kernel's RESOLVE_IN_ROOT: a
//! symbolic link in the target's tree, an absolute one included, leads to where it leads *for the
//! target* and never out into ours. A hostile container can therefore not make us read or write a
//! file of the host.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};

use crate::process::Process;

const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Entitles to open files as the target sees them, also after the target has gone.
#[derive(Debug)]
pub(crate) struct Root {
    dir: OwnedFd,
}

impl Root {
    /// The root of a process; needs the right to look into it.
    pub(crate) fn of(process: &Process) -> io::Result<Root> {
        // The trailing slash makes the kernel follow the magic link here, where following is
        // wanted.
        let dir = openat(CWD, process.path("root/"), DIRECTORY, Mode::empty())?;
        Ok(Root { dir })
    }

    /// Our own root.
    pub(crate) fn ours() -> io::Result<Root> {
        Ok(Root {
            dir: openat(CWD, "/", DIRECTORY, Mode::empty())?,
        })
    }

    /// A directory, for use as a base only.
    pub(crate) fn dir(&self, path: &str) -> io::Result<OwnedFd> {
        self.open(path, DIRECTORY)
    }

    /// A directory that can be listed.
    pub(crate) fn listable(&self, path: &str) -> io::Result<OwnedFd> {
        self.open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC)
    }

    /// A regular file for reading. Non-blocking, so that a pipe put in its place cannot hold us up.
    pub(crate) fn file(&self, path: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(self.open(path, flags)?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::from(io::ErrorKind::InvalidInput)),
        }
    }

    /// The first `limit` bytes of a regular file.
    pub(crate) fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file(path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.dir, path, flags, Mode::empty(), resolve) {
            // Kernels before 5.6 have no openat2, and some sandboxes refuse it as unknown.
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => self.walk(path, flags),
            opened => Ok(opened?),
        }
    }

    /// Part by part, following no link at all.
    fn walk(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        let mut at = rustix::io::dup(&self.dir)?;
        let mut parts = Path::new(path).components().peekable();
        while let Some(part) = parts.next() {
            let Component::Normal(name) = part else {
                continue;
            };
            let flags = if parts.peek().is_some() {
                DIRECTORY
            } else {
                flags
            };
            at = openat(at.as_fd(), name, flags | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn tree(name: &str) -> (std::path::PathBuf, Root) {
        let dir = std::env::temp_dir().join(format!("locklens-root-{name}-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("tmp")).expect("a scratch directory");
        std::fs::write(dir.join("tmp/inside"), "inside").expect("a scratch file");
        let root = Root {
            dir: openat(CWD, &dir, DIRECTORY, Mode::empty()).expect("just made"),
        };
        (dir, root)
    }

    #[test]
    fn links_stay_inside_the_tree() {
        let (dir, root) = tree("links");
        symlink("/tmp/inside", dir.join("absolute")).expect("a link");
        symlink("../../../../../tmp/inside", dir.join("upward")).expect("a link");
        symlink("/etc/passwd", dir.join("outside")).expect("a link");
        for path in ["/absolute", "upward", "tmp/inside", "/../tmp/inside"] {
            assert_eq!(
                root.read(path, 99).expect("a file of the tree"),
                b"inside",
                "{path}"
            );
        }
        assert!(
            root.read("outside", 99).is_err(),
            "there is no /etc/passwd in this tree"
        );
        std::fs::remove_dir_all(dir).expect("remove the scratch directory");
    }

    #[test]
    fn the_walk_for_old_kernels_follows_nothing() {
        let (dir, root) = tree("walk");
        symlink("/etc", dir.join("etc")).expect("a link");
        assert!(root.walk("/tmp/inside", OFlags::RDONLY).is_ok());
        assert!(root.walk("/etc/passwd", OFlags::RDONLY).is_err());
        std::fs::remove_dir_all(dir).expect("remove the scratch directory");
    }

    #[test]
    fn only_regular_files_are_read() {
        let (dir, root) = tree("kinds");
        assert!(root.read("/tmp", 9).is_err());
        assert_eq!(root.read("/tmp/inside", 2).expect("a file"), b"in");
        std::fs::remove_dir_all(dir).expect("remove the scratch directory");
    }
}
