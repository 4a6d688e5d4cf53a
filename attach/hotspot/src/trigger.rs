//! The file that tells a JVM that SIGQUIT means "listen".
//!
//! Whoever makes it sends the signal; all others wait. One who is killed in between leaves the file, and nobody would
//! send the signal any more. So ours has a word in it and is locked as long as its maker lives (the kernel unlocks it,
//! whatever became of him): where the word is and the lock is free he has gone. Other tools' triggers are empty and
//! not locked; of these only the age tells.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::SystemTime;

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, flock, fstat, openat, statat};

use crate::error::AttachError;
use crate::persona::{DEED_LIMIT, Deed, Kind};
use crate::target::Target;

/// Seconds after which a trigger counts as left behind, whoever made it.
const ABANDONED: u64 = 10;
/// What stands in ours.
const WORD: &[u8] = b"locklens\n";

/// The trigger, which is ours now; removed when dropped.
pub(crate) struct Trigger<'a> {
    target: &'a Target,
    dir: OwnedFd,
    name: String,
    /// Locked; none where another tool had left it.
    _held: Option<File>,
}

impl<'a> Trigger<'a> {
    /// Sets the trigger; `None` while another tool's is there, which is then the one to send the
    /// signal.
    pub(crate) fn set(target: &'a Target) -> Result<Option<Trigger<'a>>, AttachError> {
        let name = format!(".attach_pid{}", target.ns_pid);
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for dir in target.trigger_places() {
            let held = match create(target, &dir, &name) {
                Ok(held) => held,
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    let orphan = orphan(&dir, &name);
                    if orphan.is_none() && !outdated(&dir, &name) {
                        return Ok(None);
                    }
                    orphan
                }
                Err(e) => {
                    last = e;
                    continue;
                }
            };
            return Ok(Some(Trigger {
                target,
                dir,
                name,
                _held: held,
            }));
        }
        let doing = format!("creating {name} in its working directory and in its /tmp");
        Err(target.place.failed(doing, last))
    }
}

/// Makes it. The word comes last: who reads it must find the lock taken.
fn create(target: &Target, dir: &OwnedFd, name: &str) -> io::Result<Option<File>> {
    let deed = Deed::new(Kind::Create(0o600), dir.as_fd(), name)?;
    let made = target.persona.perform(&deed, DEED_LIMIT)?;
    let Some(mut file) = made.map(File::from) else {
        return Ok(None);
    };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        // On a full disk it stays empty, and its age will have to tell.
        let _ = file.write_all(WORD);
    }
    Ok(Some(file))
}

/// The trigger of a locklens that was killed, locked by us now.
fn orphan(dir: &OwnedFd, name: &str) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat(dir, name, flags, Mode::empty()).ok()?);
    let opened = fstat(&file).ok()?;
    if FileType::from_raw_mode(opened.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut word = Vec::new();
    let longer = WORD.len() as u64 + 1;
    Read::by_ref(&mut file)
        .take(longer)
        .read_to_end(&mut word)
        .ok()?;
    if word != WORD || flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return None;
    }
    // Its maker may have removed it between our opening and our locking it, and another made one since.
    let now = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    ((now.st_dev, now.st_ino) == (opened.st_dev, opened.st_ino)).then_some(file)
}

/// Whether a trigger was left by a tool that was killed: nobody waits that long.
fn outdated(dir: &OwnedFd, name: &str) -> bool {
    let made = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).map(|stat| stat.st_mtime);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    match (made, now) {
        (Ok(made), Ok(now)) => now.as_secs().saturating_sub(made.cast_unsigned()) > ABANDONED,
        _ => false,
    }
}

impl Drop for Trigger<'_> {
    fn drop(&mut self) {
        if let Ok(deed) = Deed::new(Kind::RemoveFile, self.dir.as_fd(), &self.name) {
            // It may be gone: another tool removes its own, which is the same file.
            let _ = self.target.persona.perform(&deed, DEED_LIMIT);
        }
    }
}
