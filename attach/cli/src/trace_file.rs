//! A trace on disk, opened for reading.

use crate::exit::Failure;
use crate::terminal::note;
use locklens_trace::read::{OpenError, Reader};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, Read, Take};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a pipe may be silent before it is said that it is waited for.
const SILENCE: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};
/// First bytes of files of the usual compressors, and what unpacks them.
const PACKED: [(&[u8], &str); 4] = [
    (b"\x1f\x8b", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "unzstd"),
    (b"\xfd7zXZ", "unxz"),
    (b"PK\x03\x04", "unzip"),
];

/// Opens it as it is now and reads its first bytes. A pipe will do. A trace may grow faster than it is read: what comes later
/// is not in it, so that there is an end.
pub(crate) fn open(path: &Path) -> Result<Reader<Take<File>>, Failure> {
    let file = opened(path).map_err(|error| unopened(path, &error))?;
    let length = match file.metadata() {
        Ok(meta) if meta.is_file() => meta.len(),
        _ => u64::MAX,
    };
    Reader::new(file.take(length)).map_err(|error| unreadable(path, &error))
}

/// The beginning of a file, as long as somebody wants it: later it ends there and then.
#[derive(Debug)]
pub(crate) struct Part {
    file: Take<File>,
    unwanted: Arc<AtomicBool>,
}

impl Read for Part {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.unwanted.load(Ordering::Relaxed) {
            false => self.file.read(into),
            true => Ok(0),
        }
    }
}

/// Opens the first `length` bytes of it: of a trace that grows, two passes have to see the same.
pub(crate) fn open_part(
    path: &Path,
    length: u64,
    unwanted: &Arc<AtomicBool>,
) -> Result<Reader<Part>, Failure> {
    let file = opened(path).map_err(|error| unopened(path, &error))?;
    let part = Part {
        file: file.take(length),
        unwanted: Arc::clone(unwanted),
    };
    Reader::new(part).map_err(|error| unreadable(path, &error))
}

/// A number that is no file was meant as a pid.
fn unopened(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::usage(format_args!("can't read {}: {error}", path.display()));
    let name = path.to_string_lossy();
    let is_pid = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    match is_pid {
        true => failure.hint(format!(
            "this command reads a trace: 'locklens record {name} -o app.llt' writes one"
        )),
        false => failure,
    }
}

/// An error for what can't be read a second time, for those who have to.
pub(crate) fn must_be_file(path: &Path) -> Result<(), Failure> {
    let passing = path.metadata().is_ok_and(|meta| {
        let kind = meta.file_type();
        kind.is_fifo() || kind.is_socket()
    });
    match passing {
        false => Ok(()),
        true => Err(Failure::usage(format_args!(
            "{} is a pipe, and this command reads a trace twice",
            path.display()
        ))
        .hint("put it into a file first; 'report', 'show' and 'info' read from a pipe")),
    }
}

/// Not blocking: a named pipe that nobody writes into would be waited for without a word.
fn opened(path: &Path) -> io::Result<File> {
    let nonblocking = OFlags::NONBLOCK.bits();
    let file = File::options()
        .read(true)
        .custom_flags(nonblocking.cast_signed())
        .open(path)?;
    if file.metadata()?.file_type().is_fifo() {
        await_writer(&file, path)?;
    }
    rustix::io::ioctl_fionbio(&file, false)?;
    Ok(file)
}

/// A pipe whose writer has come and gone is at its end, one whose writer has not come yet is not.
fn await_writer(file: &File, path: &Path) -> io::Result<()> {
    let mut ready = [PollFd::new(file, PollFlags::IN)];
    if poll(&mut ready, Some(&SILENCE))? == 0 {
        note(format_args!(
            "waiting for somebody to write into {}",
            path.display()
        ));
        poll(&mut ready, None)?;
    }
    Ok(())
}

fn unreadable(path: &Path, error: &OpenError) -> Failure {
    let failure = Failure::usage(format_args!("{} {error}", path.display()));
    match error {
        OpenError::NotATrace => failure.hint(advice(path)),
        OpenError::Empty => failure.hint("'locklens record' again"),
        _ => failure,
    }
}

fn advice(path: &Path) -> String {
    let mut beginning = [0; 8];
    // Bytes of a pipe are gone, and what can't be read again stays unknown.
    let is_file = path.is_file();
    let known = is_file && File::open(path).is_ok_and(|mut file| file.read(&mut beginning).is_ok());
    let packed = PACKED
        .iter()
        .find(|(magic, _)| beginning.starts_with(magic));
    match packed.filter(|_| known) {
        Some((_, tool)) => format!("'{tool} {}' first: it is compressed", path.display()),
        None => "a file written by 'locklens record' (*.llt)".to_owned(),
    }
}
