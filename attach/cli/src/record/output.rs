//! The trace file: where it is made, and how it grows.

use super::naming::{Subject, path};
use crate::exit::Failure;
use crate::private::{self, PrivateDir};
use crate::redact::Redactor;
use crate::replace::{Output, Replace};
use crate::terminal::note;
use crate::trace::wishes::{ACCESS, PARKS};
use locklens_trace::{Record, chunk};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, SystemTime};

/// Names that are tried for a trace that nobody named.
const MOST_NAMES: u32 = 1000;

/// Features of every trace.
const FEATURES: u32 = chunk::feature::CONSTANTS | chunk::feature::PACKED;

/// The most of a trace that is kept in memory: in a container that may be the memory of the JVM's control group.
const MOST_IN_MEMORY: u64 = 64 << 20;

/// Time between two signs of life that are kept of a trace that somebody reads.
const TICK: Duration = Duration::from_secs(60);

/// A command that was killed holds what it wrote no longer than that, on a machine that has much to do.
const ENDING: Duration = Duration::from_secs(2);

/// It can't be written, or not there.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format_args!("can't write {}: {error}", path.display()))
        .hint("another place: -o FILE")
}

/// Another command writes it: both together would make nonsense of it.
fn taken(path: &Path) -> Failure {
    Failure::usage(format_args!(
        "another locklens is writing {}: it was not touched",
        path.display()
    ))
    .hint("another file: -o FILE")
}

/// Takes a file for this command as long as it is open; whether another one has it. One that has just been killed may not be gone
/// yet. Where files can't be locked nobody knows.
fn is_locked(file: &File) -> bool {
    let deadline = Instant::now() + ENDING;
    loop {
        let lock = flock(file, FlockOperation::NonBlockingLockExclusive);
        if lock != Err(Errno::WOULDBLOCK) || Instant::now() >= deadline {
            return lock == Err(Errno::WOULDBLOCK);
        }
        std::thread::sleep(ENDING / 50);
    }
}

/// Finds out, before anything is done, what would be found out too late, as far as the name is known yet.
pub(crate) fn check(pattern: Option<&Path>, replace: Replace) -> Result<(), Failure> {
    let Some(path) = pattern.filter(|path| !path.to_string_lossy().contains('%')) else {
        return Ok(());
    };
    replace.allows(path, Output::Trace)?;
    let is_file = path.metadata().is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten();
    match file.is_some_and(|file| is_locked(&file)) {
        true => Err(taken(path)),
        false => Ok(()),
    }
}

/// What becomes of a trace without a name that can be written nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nowhere {
    /// There is no recording.
    Refused,
    /// It is kept in memory: it is read once, and at once.
    InMemory,
}

/// Opens the file that a recording goes to. One that nobody named goes to the temporary directory, into a folder that only
/// this user may enter, where it can't be made here.
pub(crate) fn open(
    pattern: Option<&Path>,
    subject: &Subject,
    replace: Replace,
    nowhere: Nowhere,
) -> Result<TraceFile, Failure> {
    let name = path(pattern, subject, SystemTime::now());
    // Another recording of the same second keeps its name.
    let name = match pattern {
        Some(_) => name,
        None => free(name),
    };
    let opened = match pattern {
        Some(_) => TraceFile::open(name.clone(), replace),
        None => TraceFile::new(name.clone()),
    };
    let failure = match opened {
        Err(failure) if pattern.is_none() && !name.exists() => failure,
        opened => return opened,
    };
    if let Ok(file) = TraceFile::elsewhere(&name) {
        note(format_args!(
            "can't write into this folder: the trace goes to {}",
            file.path.display()
        ));
        return Ok(file);
    }
    match nowhere {
        Nowhere::Refused => Err(failure),
        Nowhere::InMemory => {
            let file = TraceFile::in_memory().map_err(|_| failure)?;
            note(
                "can't write into this folder, nor into the temporary directory: the trace is not kept (-o FILE)",
            );
            Ok(file)
        }
    }
}

/// That name, or the first of `Main-2.llt`, `Main-3.llt` … that nothing has.
fn free(name: PathBuf) -> PathBuf {
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (part(name.file_stem()), part(name.extension()));
    let numbered = (2..=MOST_NAMES).map(|n| name.with_file_name(format!("{stem}-{n}.{extension}")));
    let is_free = |name: &PathBuf| name.symlink_metadata().is_err();
    let free = std::iter::once(name.clone()).chain(numbered).find(is_free);
    free.unwrap_or(name)
}

/// A trace being written. Readable while it grows: every write is a whole number of chunks.
#[derive(Debug)]
pub(crate) struct TraceFile {
    path: PathBuf,
    file: File,
    existed: bool,
    /// Bytes of whole chunks written.
    written: u64,
    regular: bool,
    place: Place,
    /// Features its readers must know.
    features: u32,
    /// Who reads it while it grows, if it is to tell only what is new.
    reader: Option<Reader>,
    /// Names of the target are not written.
    redactor: Option<Redactor>,
}

/// There is more of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grown {
    pub(crate) path: PathBuf,
    /// Bytes of whole chunks.
    pub(crate) length: u64,
}

/// Who reads a trace while it grows.
#[derive(Debug)]
struct Reader {
    news: Sender<Grown>,
    /// Signs of life are news, too.
    signs_of_life: bool,
    /// When the last sign of life was kept.
    ticked: Option<Instant>,
}

/// Where a trace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where it was wanted.
    Named,
    /// In a folder made for it.
    OwnFolder,
    /// In memory: its path is one of this process's, as long as it is open.
    Memory,
    /// In the temporary directory, where it has no name: its path is one of this process's, too.
    Unnamed,
}

impl TraceFile {
    /// Opens a file of that name in a new folder of ours.
    fn elsewhere(name: &Path) -> io::Result<Self> {
        let folder = PrivateDir::create()?;
        let path = folder.path().join(name);
        let file = Self::new(path).map_err(|_| io::ErrorKind::PermissionDenied)?;
        folder.keep()?;
        Ok(Self {
            place: Place::OwnFolder,
            ..file
        })
    }

    fn in_memory() -> io::Result<Self> {
        let memory = rustix::fs::memfd_create("locklens", rustix::fs::MemfdFlags::CLOEXEC)?;
        Ok(Self::without_name(File::from(memory), Place::Memory))
    }

    /// One that only this command reads, and that is gone with it, however it ends.
    pub(crate) fn unnamed() -> io::Result<Self> {
        Ok(Self::without_name(private::unnamed()?, Place::Unnamed))
    }

    fn without_name(file: File, place: Place) -> Self {
        let path = Path::new("/proc/self/fd").join(file.as_raw_fd().to_string());
        Self {
            path,
            file,
            existed: true,
            written: 0,
            regular: true,
            place,
            features: FEATURES,
            reader: None,
            redactor: None,
        }
    }

    /// Opens the file without touching what is in it: attaching may still fail.
    pub(crate) fn open(path: PathBuf, replace: Replace) -> Result<Self, Failure> {
        replace.allows(&path, Output::Trace)?;
        if replace == Replace::Nothing {
            return Self::new(path);
        }
        let existed = path.exists();
        Self::opened(path, existed, OpenOptions::new().create(true))
    }

    /// Makes the file. What is there already, a link included, is not ours: in a folder like /tmp somebody else may have put it there.
    fn new(path: PathBuf) -> Result<Self, Failure> {
        Self::opened(path, false, OpenOptions::new().create_new(true))
    }

    fn opened(path: PathBuf, existed: bool, how: &mut OpenOptions) -> Result<Self, Failure> {
        let file = how
            .write(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|error| unwritable(&path, &error))?;
        let regular = file.metadata().is_ok_and(|meta| meta.is_file());
        if regular && is_locked(&file) {
            return Err(taken(&path));
        }
        Ok(Self {
            path,
            file,
            existed,
            written: 0,
            regular,
            place: Place::Named,
            features: FEATURES,
            reader: None,
            redactor: None,
        })
    }

    /// The trace may hold exact events: of parks, too, if the agent's lines ask for them.
    pub(crate) fn exact(mut self, wishes: &str) -> Self {
        self.features |= chunk::feature::EXACT;
        if wishes.lines().any(|line| line == PARKS) {
            self.features |= chunk::feature::PARKS | chunk::feature::SAMPLED;
            self.features |= chunk::feature::OPERATIONS | chunk::feature::KIN;
            self.features |= chunk::feature::LIMITS | chunk::feature::CHAINS;
            self.features |= chunk::feature::TASKS | chunk::feature::THREADS;
        }
        if wishes.lines().any(|line| line.starts_with(ACCESS)) {
            self.features |= chunk::feature::ACCESSES;
        }
        self
    }

    /// The trace may hold what was seen of parked threads, if `looks`.
    pub(crate) fn sampled(mut self, looks: bool) -> Self {
        if looks {
            self.features |= chunk::feature::SAMPLED;
        }
        self
    }

    /// The trace may hold looks at the owners of monitors, if call chains are taken.
    pub(crate) fn looking_at_owners(mut self, chains: bool) -> Self {
        if chains {
            self.features |= chunk::feature::HELD;
        }
        self
    }

    /// The trace may lack events on purpose, if they `may` be switched off for a while.
    pub(crate) fn paused(mut self, may: bool) -> Self {
        if may {
            self.features |= chunk::feature::PAUSED;
        }
        self
    }

    /// Its readers must know these features, too.
    pub(crate) fn needing(mut self, features: u32) -> Self {
        self.features |= features;
        self
    }

    /// Names of the target are made unreadable before they are written.
    pub(crate) fn redacted(mut self, redactor: Option<Redactor>) -> Self {
        self.redactor = redactor;
        self
    }

    /// Names of the target must not be written.
    pub(super) fn is_discreet(&self) -> bool {
        self.redactor.is_some()
    }

    /// Somebody reads it again whenever it has grown. Where signs of life are no news, hardly any are kept: it may last for days.
    pub(crate) fn read_by(mut self, news: Option<Sender<Grown>>, signs_of_life: bool) -> Self {
        self.reader = news.map(|news| Reader {
            news,
            signs_of_life,
            ticked: None,
        });
        self
    }

    /// It will not grow any more.
    pub(crate) fn close_to_reader(&mut self) {
        self.reader = None;
    }

    /// What is kept of records that are no events, as it may be written; each stands with the number of events before it.
    pub(super) fn kept<'b>(&mut self, all: &'b [(usize, Record)]) -> Cow<'b, [(usize, Record)]> {
        let mut kept = Cow::Borrowed(all);
        if let Some(redactor) = &mut self.redactor {
            let redacted = all
                .iter()
                .map(|(before, record)| (*before, redactor.record(record.clone())));
            kept = Cow::Owned(redacted.collect());
        }
        let reader = self.reader.as_mut();
        if let Some(reader) = reader.filter(|reader| !reader.signs_of_life) {
            let next = all.iter().skip(1).map(|(_, next)| Some(next)).chain([None]);
            let mut wanted = all.iter().zip(next).map(|((_, record), next)| {
                let is_last = matches!(next, Some(Record::End(_)));
                !matches!(record, Record::Tick(_)) || is_last || reader.is_due()
            });
            kept.to_mut().retain(|_| wanted.next().unwrap_or(true));
        }
        kept
    }

    /// Tells who reads it that there is more: events, or nothing but signs of life.
    pub(super) fn tell_reader(&self, events: bool) {
        let reader = self.reader.as_ref();
        if let Some(reader) = reader.filter(|reader| events || reader.signs_of_life) {
            // Who has gone reads no more.
            let _ = reader.news.send(Grown {
                path: self.path.clone(),
                length: self.written,
            });
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What people are told that it is called.
    pub(crate) fn name(&self) -> String {
        match self.place {
            Place::Memory | Place::Unnamed => "trace, not kept".to_owned(),
            Place::Named | Place::OwnFolder => self.path.display().to_string(),
        }
    }

    /// It is a file, and was not there before.
    pub(crate) fn is_ours(&self) -> bool {
        self.regular && !self.existed
    }

    /// More than its own header has been written.
    pub(crate) fn holds_anything(&self) -> bool {
        self.written > chunk::FILE_HEADER_LEN as u64
    }

    /// Bytes written.
    pub(crate) fn len(&self) -> u64 {
        self.written
    }

    /// Starts the trace; what was in the file is gone.
    pub(crate) fn begin(&mut self) -> io::Result<()> {
        if self.regular {
            self.file.set_len(0)?;
        }
        self.append(&chunk::file_header_with(self.features))
    }

    /// Appends all of `bytes` or nothing: half a chunk would only be a gap to later readers.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.place == Place::Memory && self.written + bytes.len() as u64 > MOST_IN_MEMORY {
            let full = "no more than 64 MB are kept in memory (-o FILE)";
            return Err(io::Error::new(io::ErrorKind::StorageFull, full));
        }
        let result = self.file.write_all(bytes);
        if result.is_ok() {
            self.written += bytes.len() as u64;
        } else if self.regular {
            // If this fails too, the reader will skip the half chunk.
            let _ = self.file.set_len(self.written);
            let _ = self.file.seek(SeekFrom::Start(self.written));
        }
        result
    }

    /// Forgets the file when nothing was recorded: removed if it is ours.
    pub(crate) fn abandon(self) {
        if self.is_ours() {
            // What is left behind is a nuisance, not worth failing for.
            let _ = fs::remove_file(&self.path);
            let folder = self.path.parent();
            if let Some(folder) = folder.filter(|_| self.place == Place::OwnFolder) {
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

impl Reader {
    fn is_due(&mut self) -> bool {
        let due = self.ticked.is_none_or(|at| at.elapsed() >= TICK);
        if due {
            self.ticked = Some(Instant::now());
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nobody_chose_takes_the_place_of_nothing() {
        let link = std::env::temp_dir().join(format!("locklens-link-{}", std::process::id()));
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        assert!(TraceFile::new(link.clone()).is_err());
        fs::remove_file(&link).unwrap();
        let made = TraceFile::new(link.clone()).unwrap();
        assert!(made.is_ours() && TraceFile::new(link.clone()).is_err());
        let second = free(link.with_extension("llt"));
        assert_eq!(second, link.with_extension("llt"), "nothing has that name");
        fs::write(&second, "").unwrap();
        let third = free(second.clone());
        let name = format!("locklens-link-{}-2.llt", std::process::id());
        assert_eq!(third.file_name(), Some(OsStr::new(&name)));
        fs::remove_file(&second).unwrap();
        made.abandon();
    }

    #[test]
    fn a_trace_in_memory_is_read_by_its_path() {
        let mut file = TraceFile::in_memory().unwrap();
        file.begin().unwrap();
        let read = fs::read(file.path()).unwrap();
        assert_eq!(read.len() as u64, file.len());
        assert!(!file.is_ours() && file.name().contains("not kept"));
        file.written = MOST_IN_MEMORY - 1;
        assert!(file.append(b"x").is_ok());
        let full = file.append(b"x").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }
    #[test]
    fn two_do_not_write_one_trace() {
        let path = std::env::temp_dir().join(format!("locklens-two-{}.llt", std::process::id()));
        let mut first = TraceFile::open(path.clone(), Replace::Own).unwrap();
        first.begin().unwrap();
        let refused = [
            check(Some(&path), Replace::Own).unwrap_err(),
            TraceFile::open(path.clone(), Replace::Anything).unwrap_err(),
        ];
        for failure in refused {
            assert!(
                failure.what.contains("another locklens"),
                "{}",
                failure.what
            );
        }
        assert_eq!(fs::read(&path).unwrap().len() as u64, first.len());
        drop(first);
        check(Some(&path), Replace::Own).unwrap();
        TraceFile::open(path.clone(), Replace::Own).unwrap();
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_trace_without_a_name_is_read_by_its_path() {
        let mut file = TraceFile::unnamed().unwrap();
        file.begin().unwrap();
        let read = fs::read(file.path()).unwrap();
        assert_eq!(read.len() as u64, file.len());
        assert!(!file.is_ours() && file.name().contains("not kept"));
    }
}
