//! The file that tells a JVM that SIGQUIT means "listen".
//!
//! Whoever makes it sends the signal; all others wait. One who is killed in between leaves the file, and nobody would
//! send the signal any more. So ours has a word in it and is locked as long as its maker lives (the kernel unlocks it,
//! whatever became of him): where the word is that nothing has been sent, and the lock is free, it is taken over at once;
//! where it is that something has been, or was about to be, after a while. Of all
//! others, and where there are no locks, only the age tells. Nobody sends a signal for a file that is not the JVM's own user's: it
//! would take it for the wish to see its stacks.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::SystemTime;

use rustix::fs::{
    AtFlags, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, openat, statat,
};

use crate::error::AttachError;
use crate::persona::{DEED_LIMIT, Deed, Kind};
use crate::target::Target;

/// Seconds after which a trigger counts as left behind, whoever made it: nobody waits longer.
const ABANDONED: u64 = 10;
/// The same of ours whose maker has gone just before the signal or behind it: a JVM that had got it would listen long since. Less than
/// a command waits for that, so that the next one finds the JVM listening.
const UNHEARD: u64 = 4;
/// What stands in ours before the signal …
const UNSENT: &[u8] = b"locklens\n";
/// … and from then on.
const SENT: &[u8] = b"locklens, sent\n";

/// The trigger, which is ours now; removed when dropped.
pub(crate) struct Trigger<'a> {
    target: &'a Target,
    dir: OwnedFd,
    name: String,
    /// Locked; none where it can't be opened.
    held: Option<File>,
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
                    match taken_over(target, &dir, &name) {
                        Some(held) => held,
                        None => return Ok(None),
                    }
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
                held,
            }));
        }
        let doing = format!("creating {name} in its working directory and in its /tmp");
        Err(target.place.failed(doing, last))
    }

    /// The signal is about to be sent: if we are killed now, nobody sends another one before the JVM had its time.
    pub(crate) fn is_used(&mut self) {
        if let Some(held) = &mut self.held {
            write(held, SENT);
        }
    }
}

/// Removes what a locklens has left there that was killed when the JVM had heard it: it listens now.
pub(crate) fn clear_away(target: &Target) {
    let name = format!(".attach_pid{}", target.ns_pid);
    for dir in target.trigger_places() {
        let ours = |word: &[u8], _: &Stat| word == UNSENT || word == SENT;
        let left = opened(target, &dir, &name).and_then(|(_, file)| file);
        if let Some(held) = left.and_then(|file| locked(file, &dir, &name, ours)) {
            drop(Trigger {
                target,
                dir,
                name: name.clone(),
                held: Some(held),
            });
        }
    }
}

/// Makes it. The word comes last: who reads it must find the lock taken.
fn create(target: &Target, dir: &OwnedFd, name: &str) -> io::Result<Option<File>> {
    let deed = Deed::new(Kind::Create(0o600), dir.as_fd(), name)?;
    let made = target.persona.perform(&deed, DEED_LIMIT)?;
    let mut made = made.map(File::from);
    if let Some(file) = &mut made
        && flock(&*file, FlockOperation::NonBlockingLockExclusive).is_ok()
    {
        write(file, UNSENT);
    }
    Ok(made)
}

/// On a full disk it stays empty, and its age will have to tell. It is cut to the word's length behind it, never emptied
/// before: ext4 writes a file that was emptied to the disk before it is closed, which takes half a minute where the disk is busy.
fn write(file: &mut File, word: &[u8]) {
    let longer = |file: &File| file.metadata().is_ok_and(|m| m.len() > word.len() as u64);
    let _ = file
        .rewind()
        .and_then(|()| file.write_all(word))
        .and_then(|()| match longer(file) {
            true => file.set_len(word.len() as u64),
            false => Ok(()),
        });
}

/// A trigger whose maker has gone, with the lock on it if it can be had.
#[allow(
    clippy::option_option,
    reason = "whether it is ours now, and whether it is locked"
)]
fn taken_over(target: &Target, dir: &OwnedFd, name: &str) -> Option<Option<File>> {
    let given_up = |word: &[u8], file: &Stat| age(file).is_some_and(|age| is_free(word, age));
    let (there, file) = opened(target, dir, name)?;
    match file {
        Some(file) => locked(file, dir, name, given_up).map(Some),
        None => age(&there)
            .is_some_and(|age| is_free(&[], age))
            .then_some(None),
    }
}

/// The trigger of this name, if it is one that the JVM would heed; opened, if that is possible.
fn opened(target: &Target, dir: &OwnedFd, name: &str) -> Option<(Stat, Option<File>)> {
    let there = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let is_file = FileType::from_raw_mode(there.st_mode) == FileType::RegularFile;
    if !is_file || there.st_uid != target.place.uid {
        return None;
    }
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(dir, name, flags, Mode::empty()).ok();
    Some((there, file.map(File::from)))
}

/// The trigger of this name, locked by us now, if its maker has gone and, by its word and its age, it is free to be taken.
fn locked(
    mut file: File,
    dir: &OwnedFd,
    name: &str,
    free: impl Fn(&[u8], &Stat) -> bool,
) -> Option<File> {
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return None;
    }
    let mut word = Vec::new();
    let longer = SENT.len() as u64 + 1;
    Read::by_ref(&mut file)
        .take(longer)
        .read_to_end(&mut word)
        .ok()?;
    let opened = fstat(&file).ok()?;
    if !free(&word, &opened) {
        return None;
    }
    is_named(&opened, dir, name).then(|| {
        // It is young again, and has our word.
        write(&mut file, UNSENT);
        file
    })
}

/// Whether the file of this name is that one: its maker may have removed it, and another made one since.
fn is_named(file: &Stat, dir: &OwnedFd, name: &str) -> bool {
    let now = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
    now.is_ok_and(|now| (now.st_dev, now.st_ino) == (file.st_dev, file.st_ino))
}

/// Whether one whose maker has gone is free to be taken, by its word and its age in seconds.
fn is_free(word: &[u8], age: u64) -> bool {
    match word {
        UNSENT => true,
        SENT => age > UNHEARD,
        _ => age > ABANDONED,
    }
}

/// How many seconds ago it was written.
fn age(file: &Stat) -> Option<u64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let written = file.st_mtime.cast_unsigned();
    Some(now.ok()?.as_secs().saturating_sub(written))
}

impl Drop for Trigger<'_> {
    fn drop(&mut self) {
        let held = self.held.as_ref().and_then(|held| fstat(held).ok());
        if held.is_some_and(|held| !is_named(&held, &self.dir, &self.name)) {
            return;
        }
        if let Ok(deed) = Deed::new(Kind::RemoveFile, self.dir.as_fd(), &self.name) {
            // It may be gone: another tool removes its own, which is the same file.
            let _ = self.target.persona.perform(&deed, DEED_LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_free_before_a_command_has_waited_in_vain_and_others_are_when_nobody_waits() {
        let free = |word| [0, 5, 11].map(|age| is_free(word, age));
        assert_eq!(free(UNSENT), [true; 3]);
        assert_eq!(free(SENT), [false, true, true]);
        assert_eq!(free(b"another tool's"), [false, false, true]);
        assert_eq!(free(b""), [false, false, true]);
    }
}
