//! Files where the target can read them: a directory of its own, for us and for it only.
//!
//! Everything is made with the target's credentials, so owner and mode are right in its eyes, in
//! whatever user namespace and on whatever file system. The directory is held by a descriptor: it
//! can be cleared away even when the target has ended and its `/proc` entry is gone.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{Dir, Mode, OFlags, StatVfs, StatVfsMountFlags, fstatvfs, openat};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::test_kill_process;

use crate::error::{AttachError, Place};
use crate::jvm::{Jvm, Pid};
use crate::persona::{DEED_LIMIT, Deed, Kind, Persona};
use crate::process::Process;
use crate::root::Root;

/// Where programs keep temporary files; the target's TMPDIR and working directory come behind.
const CANDIDATES: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// A library takes a megabyte or two; a directory with less room serves for small files.
const ROOM: u64 = 4 << 20;
const PREFIX: &str = ".locklens-";
const PRIVATE: u32 = 0o700;

/// A path as the target writes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathInTarget(pub String);

impl fmt::Display for PathInTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A private directory in the target's file system (mode 0700, the target its owner). Dropping it,
/// or [`TargetFiles::remove`], takes it away with all that is in it.
pub struct TargetFiles {
    place: Place,
    persona: Persona,
    parent: OwnedFd,
    name: String,
    dir: OwnedFd,
    path: String,
}

impl fmt::Debug for TargetFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TargetFiles({} of {})", self.path, self.place.pid)
    }
}

impl TargetFiles {
    /// Makes a directory in the first suitable place: one the target can write to and, if there is
    /// any, load libraries from. Clears away what runs of ours left there that were killed.
    pub fn create(jvm: &Jvm) -> Result<TargetFiles, AttachError> {
        let view = View::of(jvm)?;
        let mut last = view.place.failed(
            "looking for a directory for temporary files",
            io::ErrorKind::NotFound.into(),
        );
        for candidate in view.candidates() {
            leftovers(&view, &candidate);
            match view.make(&candidate, &new_name()) {
                Ok(files) => return Ok(files),
                Err(e) => last = e,
            }
        }
        Err(last)
    }

    /// Makes a directory at this very path, or takes the one that is there if it is the target's
    /// own and private.
    pub fn at(jvm: &Jvm, path_in_target: &str) -> Result<TargetFiles, AttachError> {
        let view = View::of(jvm)?;
        let path = path_in_target.trim_end_matches('/');
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = if parent.is_empty() { "/" } else { parent };
        match view.make(parent, name) {
            Err(AttachError::Io { cause, .. }) if cause.kind() == io::ErrorKind::AlreadyExists => {
                view.reuse(parent, name)
            }
            other => other,
        }
    }

    /// Writes a file with exactly this mode and gives its path. One that exists is replaced, never
    /// overwritten: the target may have it mapped.
    pub fn write(&self, name: &str, bytes: &[u8], mode: u32) -> Result<PathInTarget, AttachError> {
        let failed = |e| {
            self.place
                .failed(format!("writing {}", self.target_path(name)), e)
        };
        self.clear(name).map_err(failed)?;
        let file = self
            .perform(Kind::Create(mode), name)
            .map_err(failed)?
            .ok_or_else(|| failed(unexpected()))?;
        if let Err(e) = File::from(file).write_all(bytes) {
            // A library cut short, for want of space, must not be found by anybody.
            let _ = self.clear(name);
            return Err(failed(e));
        }
        Ok(PathInTarget(self.target_path(name)))
    }

    /// A listening socket that only the target's user can connect to, and that appears to it as its
    /// own.
    pub fn listen(&self, name: &str) -> Result<UnixListener, AttachError> {
        let failed = |e| {
            self.place
                .failed(format!("listening on {}", self.target_path(name)), e)
        };
        self.clear(name).map_err(failed)?;
        let socket = self.perform(Kind::Listen(0o600), name).map_err(failed)?;
        Ok(UnixListener::from(
            socket.ok_or_else(|| failed(unexpected()))?,
        ))
    }

    /// A file's path for this process: through our descriptor, so it is short, works across mount
    /// namespaces, and outlives the target. Other processes cannot use it.
    pub fn host_path(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}/{name}", self.dir.as_raw_fd()))
    }

    /// Opens a regular file that the target has put here: no link, and no pipe that could hold us up.
    pub fn open(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        let file = openat(
            &self.dir,
            plain(name)?,
            flags | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        let file = File::from(file);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// A file's path as the target writes it.
    pub fn target_path(&self, name: &str) -> String {
        format!("{}/{name}", self.path)
    }

    /// Whether the target can load libraries from here: it may run code, and there is room for them.
    #[must_use]
    pub fn suits_libraries(&self) -> bool {
        fstatvfs(&self.dir).is_ok_and(|mount| suits_libraries(&mount))
    }

    /// Takes the directory away now.
    pub fn remove(self) {
        drop(self);
    }

    fn perform(&self, kind: Kind, name: &str) -> io::Result<Option<OwnedFd>> {
        self.persona.perform(
            &Deed::new(kind, self.dir.as_fd(), plain(name)?)?,
            DEED_LIMIT,
        )
    }

    fn clear(&self, name: &str) -> io::Result<()> {
        match self.perform(Kind::RemoveFile, name) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }
}

impl Drop for TargetFiles {
    fn drop(&mut self) {
        empty(&self.persona, &self.dir);
        if let Ok(deed) = Deed::new(Kind::RemoveDirectory, self.parent.as_fd(), &self.name) {
            // What cannot be removed now is cleared away by the next run.
            let _ = self.persona.perform(&deed, DEED_LIMIT);
        }
    }
}

/// A target's file system and the credentials to use it with.
struct View {
    process: Process,
    place: Place,
    persona: Persona,
    root: Root,
}

impl View {
    fn of(jvm: &Jvm) -> Result<View, AttachError> {
        let process = Process::new(jvm.pid);
        let status = process
            .status()
            .map_err(|_| AttachError::NoSuchProcess { pid: jvm.pid })?;
        let place = Place {
            pid: jvm.pid,
            uid: status.uid,
        };
        let root = Root::of(&process).map_err(|e| place.failed("opening its root directory", e))?;
        Ok(View {
            persona: Persona::of(&process, &status),
            process,
            place,
            root,
        })
    }

    /// Candidates a library can be put in and loaded from first, then those that serve for other
    /// files only.
    fn candidates(&self) -> Vec<String> {
        let variable = self
            .process
            .variable("TMPDIR")
            .filter(|path| path.starts_with('/'));
        let cwd = crate::jvm::absolute(&self.process, ".");
        let all = CANDIDATES
            .map(str::to_owned)
            .into_iter()
            .chain(variable)
            .chain(cwd);
        let (good, poor): (Vec<_>, Vec<_>) = all.partition(|path| self.suits_libraries(path));
        good.into_iter().chain(poor).collect()
    }

    fn suits_libraries(&self, path: &str) -> bool {
        let mount = self.root.dir(path).and_then(|dir| Ok(fstatvfs(dir)?));
        mount.is_ok_and(|mount| suits_libraries(&mount))
    }

    fn make(&self, parent: &str, name: &str) -> Result<TargetFiles, AttachError> {
        self.enter(Kind::MakeDirectory(PRIVATE), parent, name)
    }

    fn reuse(&self, parent: &str, name: &str) -> Result<TargetFiles, AttachError> {
        let fd = self.open_directory(parent, name)?;
        let attributes = fd
            .metadata()
            .map_err(|e| self.place.failed("looking at its directory", e))?;
        let private = attributes.mode() & 0o077 == 0;
        if attributes.uid() != self.place.uid || !private {
            let doing =
                format!("using {parent}/{name}, which is not the target's own or not private");
            return Err(self
                .place
                .failed(doing, io::ErrorKind::AlreadyExists.into()));
        }
        self.enter(Kind::OpenDirectory, parent, name)
    }

    fn open_directory(&self, parent: &str, name: &str) -> Result<File, AttachError> {
        let failed = |e| self.place.failed(format!("opening {parent}/{name}"), e);
        let dir = self.root.dir(parent).map_err(failed)?;
        let deed = Deed::new(Kind::OpenDirectory, dir.as_fd(), name).map_err(failed)?;
        let fd = self.persona.perform(&deed, DEED_LIMIT).map_err(failed)?;
        fd.map(File::from).ok_or_else(|| failed(unexpected()))
    }

    fn enter(&self, kind: Kind, parent_path: &str, name: &str) -> Result<TargetFiles, AttachError> {
        let path = format!("{}/{name}", parent_path.trim_end_matches('/'));
        let failed = |e| self.place.failed(format!("making the directory {path}"), e);
        let parent = self.root.dir(parent_path).map_err(failed)?;
        let deed = Deed::new(kind, parent.as_fd(), plain(name).map_err(failed)?).map_err(failed)?;
        let dir = self
            .persona
            .perform(&deed, DEED_LIMIT)
            .map_err(failed)?
            .ok_or_else(|| failed(unexpected()))?;
        Ok(TargetFiles {
            place: self.place,
            persona: self.again().map_err(failed)?,
            parent,
            name: name.to_owned(),
            dir,
            path,
        })
    }

    /// The target's persona once more, for a value that outlives this one.
    fn again(&self) -> io::Result<Persona> {
        Ok(Persona::of(&self.process, &self.process.status()?))
    }
}

fn suits_libraries(mount: &StatVfs) -> bool {
    let unfit = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    // A file system that counts no blocks has 0 of 0.
    let roomy = mount.f_blocks == 0 || mount.f_bavail.saturating_mul(mount.f_frsize) >= ROOM;
    !mount.f_flag.intersects(unfit) && roomy
}

/// One part of a path, so that nothing leaves the directory.
fn plain(name: &str) -> io::Result<&str> {
    match name.is_empty() || name.contains('/') || name == "." || name == ".." {
        true => Err(io::ErrorKind::InvalidInput.into()),
        false => Ok(name),
    }
}

/// A deed that gives a descriptor gave none.
fn unexpected() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

/// `.locklens-<pid namespace>-<pid>-<start>-<count>`: unique, and it tells whether its maker still
/// runs.
fn new_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let us = std::process::id();
    let start = Process::new(Pid(us)).start_time().unwrap_or(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{us}-{start}-{count}", pid_namespace())
}

fn pid_namespace() -> u64 {
    std::fs::metadata("/proc/self/ns/pid").map_or(0, |m| m.ino())
}

/// Whether a directory was left by a run that has ended. Only names given in our own pid namespace
/// can be judged.
fn abandoned(name: &str) -> bool {
    let mut parts = name
        .strip_prefix(PREFIX)
        .into_iter()
        .flat_map(|rest| rest.split('-'))
        .map(str::parse::<u64>);
    let (Some(Ok(namespace)), Some(Ok(pid)), Some(Ok(start))) =
        (parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    namespace == pid_namespace() && has_ended(pid, start)
}

/// Whether the process that had this pid, and began then, is known to have ended. What can't be read may be another user's.
fn has_ended(pid: u64, start: u64) -> bool {
    let Ok(pid) = u32::try_from(pid) else {
        return true;
    };
    match Process::new(Pid(pid)).start_time() {
        Ok(now) => now != start,
        Err(_) => {
            let one = i32::try_from(pid)
                .ok()
                .and_then(rustix::process::Pid::from_raw);
            one.is_none_or(|one| test_kill_process(one) == Err(Errno::SRCH))
        }
    }
}

/// Clears away what runs that were killed left for targets of this user.
fn leftovers(view: &View, path: &str) {
    let Ok(parent) = view.root.listable(path) else {
        return;
    };
    for name in names(&parent).into_iter().filter(|name| abandoned(name)) {
        let Ok(dir) = view.open_directory(path, &name) else {
            continue;
        };
        if dir.metadata().is_ok_and(|m| m.uid() == view.place.uid) {
            empty(&view.persona, &OwnedFd::from(dir));
            let _ = Deed::new(Kind::RemoveDirectory, parent.as_fd(), &name)
                .and_then(|d| view.persona.perform(&d, DEED_LIMIT));
        }
    }
}

fn empty(persona: &Persona, dir: &OwnedFd) {
    for name in names(dir) {
        let _ = Deed::new(Kind::RemoveFile, dir.as_fd(), &name)
            .and_then(|deed| persona.perform(&deed, DEED_LIMIT));
    }
}

/// What is in a directory, by the descriptor alone: opening it once more may be beyond our own
/// rights.
fn names(dir: &OwnedFd) -> Vec<String> {
    let listing = fcntl_dupfd_cloexec(dir, 0).and_then(Dir::new);
    let Ok(mut listing) = listing else {
        return Vec::new();
    };
    // The position belongs to all descriptors of one opening.
    listing.rewind();
    let entries = listing.flatten();
    let names = entries.filter_map(|e| e.file_name().to_str().ok().map(str::to_owned));
    names.filter(|name| name != "." && name != "..").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_directories_are_not_abandoned_and_dead_ones_are() {
        let ours = new_name();
        assert!(!abandoned(&ours));
        assert_ne!(ours, new_name());
        let us = std::process::id();
        let namespace = pid_namespace();
        assert!(
            abandoned(&format!("{PREFIX}{namespace}-{us}-1-0")),
            "the pid is used again"
        );
        assert!(abandoned(&format!("{PREFIX}{namespace}-4194304999-1-0")));
        assert!(
            !abandoned(&format!("{PREFIX}{}-{us}-1-0", namespace + 1)),
            "another namespace's pid"
        );
        for name in ["", "x", PREFIX, ".locklens-1-2", ".locklens-a-b-c-d"] {
            assert!(!abandoned(name), "{name}");
        }
    }

    #[test]
    fn names_cannot_lead_out() {
        for name in ["", ".", "..", "a/b", "/etc"] {
            assert!(plain(name).is_err(), "{name}");
        }
        assert!(plain("liba.so").is_ok());
    }
}
