//! `locklens export --to parquet`: a folder of tables, to which any number of recordings can be added.
//!
//! `DIR/TABLE/host=…/date=…/RECORDING.parquet`: folders by host and day are what programs that read many files of one table
//! know how to choose from. All files of a recording are written under other names and renamed at the end, so that what
//! has its name is whole.

use super::{AHEAD, follow};
use crate::args::Export as Args;
use crate::contention::must_tell;
use crate::crowd::{Crowd, joined};
use crate::exit::{Exit, Failure};
use crate::html::panels::First;
use crate::record::naming::civil;
use crate::study::options;
use crate::terminal::note;
use crate::trace_file;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::contention::Findings;
use locklens_inference::contention::timeline::Timeline;
use locklens_inference::nesting::{Nester, Scout};
use locklens_viz::tables::{Tables, names, recording_id, started};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;

/// What stands for an unknown value in the name of a folder: programs that read such folders take it for null.
const UNKNOWN: &str = "__HIVE_DEFAULT_PARTITION__";
const DAY: u64 = 86_400_000_000_000;

/// `locklens export --to parquet`
pub(super) fn run(args: &Args, folder: Option<&Path>) -> Result<Exit, Failure> {
    let folder = folder.ok_or_else(|| {
        Failure::usage("parquet is a folder of tables, and can't be written to standard output")
            .hint("-o DIR")
    })?;
    let read = Read::of(args)?;
    let files = Files::of(folder, args.host.as_deref(), &read.collected);
    if !args.force {
        files.must_be_new()?;
    }
    let unwritable = |error: io::Error| {
        Failure::usage(format_args!("can't write {}: {error}", folder.display()))
    };
    let written = read.write(args, &files).map_err(unwritable).flatten();
    let placed = written.and_then(|()| files.place(args.force).map_err(unwritable));
    if placed.is_err() {
        files.tidy();
    }
    placed?;
    note(format_args!(
        "recording {} is in {}",
        files.id,
        folder.display()
    ));
    Ok(Exit::Fine)
}

/// What the first pass learns.
struct Read {
    collected: Collected,
    analysis: Analysis,
    findings: Findings,
    scout: Scout,
}

impl Read {
    fn of(args: &Args) -> Result<Self, Failure> {
        let options = options(&args.analysis);
        let reader = trace_file::open(&args.file)?;
        let First {
            collected,
            findings,
            scout,
        } = First::of(reader, &options, |_| {});
        let analysis = Analysis::of(&collected, &options);
        must_tell(&analysis.model)?;
        Ok(Self {
            collected,
            analysis,
            findings,
            scout,
        })
    }

    /// The second pass: events, nesting, and what happened have a thread each. It can fail to write, and to read.
    fn write(&self, args: &Args, files: &Files) -> io::Result<Result<(), Failure>> {
        let (collected, analysis) = (&self.collected, &self.analysis);
        let mut tables = Tables::begin(collected, analysis, &mut |table| files.open(table))?;
        let reader = match trace_file::open(&args.file) {
            Ok(reader) => reader,
            Err(failure) => return Ok(Err(failure)),
        };
        let graph = thread::scope(|scope| {
            let (events, stays) = tables.parts();
            let mut crowd = Crowd::default();
            let shares = [crowd.member(), crowd.member(), crowd.member()];
            let [seen, nested, followed] = shares;
            let (stop, stopped) = (crowd.stop(), crowd.stop());
            crowd.read(scope, reader);
            let nesting = scope.spawn(move || {
                let mut nester = Nester::new(collected, analysis, &self.scout);
                nested.each_record(|record| nester.see(record));
                nester.finish()
            });
            let seeing = scope.spawn(move || {
                let mut written = Ok(());
                seen.each_record(|record| {
                    if written.is_ok() {
                        written = events.see(record);
                        written.is_err().then(|| stopped.now());
                    }
                });
                written
            });
            let (sender, receiver) = sync_channel(AHEAD);
            let timeline = Timeline::new(collected, analysis, &self.findings);
            scope.spawn(move || follow(timeline, followed, &sender));
            // Gone afterwards: who follows is not to wait for somebody who no longer takes anything.
            let told = {
                let mut all = receiver.into_iter();
                all.try_for_each(|told| told.iter().try_for_each(|told| stays.tell(told)))
            };
            if told.is_err() {
                stop.now();
            }
            let (seen, graph) = (joined(seeing), joined(nesting));
            told.and(seen).map(|()| graph)
        })?;
        for file in tables.end(&graph)? {
            file.sync_all()?;
        }
        Ok(Ok(()))
    }
}

/// Where a table is written, and what it is called when it is whole.
struct Place {
    table: &'static str,
    folder: PathBuf,
    part: PathBuf,
    whole: PathBuf,
}

/// The files of a recording.
struct Files {
    id: String,
    all: Vec<Place>,
}

impl Files {
    fn of(folder: &Path, host: Option<&str>, collected: &Collected) -> Self {
        let id = recording_id(collected);
        let host = format!("host={}", host.map_or(UNKNOWN.to_owned(), escaped));
        let date = format!(
            "date={}",
            started(collected).map_or(UNKNOWN.to_owned(), day)
        );
        let place = |table: &'static str| {
            let folder = folder.join(table).join(&host).join(&date);
            Place {
                table,
                part: folder.join(format!(".{id}.{}.part", std::process::id())),
                whole: folder.join(format!("{id}.parquet")),
                folder,
            }
        };
        Self {
            all: names().map(place).collect(),
            id,
        }
    }

    /// An error if a table of this recording is there.
    fn must_be_new(&self) -> Result<(), Failure> {
        let there = |place: &&Place| place.whole.symlink_metadata().is_ok();
        match self.all.iter().find(there) {
            None => Ok(()),
            Some(place) => Err(Failure::usage(format_args!(
                "this recording is there already: {} was not touched",
                place.whole.display()
            ))
            .hint(
                "nothing is to be done if it was exported before; --force writes its tables again",
            )),
        }
    }

    /// A new file for a table, which only its owner may read, as traces are.
    fn open(&self, table: &str) -> io::Result<File> {
        let place = self.all.iter().find(|place| place.table == table);
        let place = place.ok_or_else(|| io::Error::other("an unknown table"))?;
        fs::create_dir_all(&place.folder)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        options.open(&place.part)
    }

    /// Gives all files their names; if one can't have its own, the others lose theirs again.
    fn place(&self, force: bool) -> io::Result<()> {
        for (nth, place) in self.all.iter().enumerate() {
            if let Err(error) = place.rename(force) {
                if !force {
                    let placed = self.all[..nth].iter();
                    placed.for_each(|place| drop(fs::remove_file(&place.whole)));
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Removes what is not whole, and folders that are empty for it. What can't be removed has no name that is read.
    fn tidy(&self) {
        for place in &self.all {
            drop(fs::remove_file(&place.part));
            for folder in place.folder.ancestors().take(3) {
                drop(fs::remove_dir(folder));
            }
        }
    }
}

impl Place {
    fn rename(&self, force: bool) -> io::Result<()> {
        if force {
            return fs::rename(&self.part, &self.whole);
        }
        match renameat_with(CWD, &self.part, CWD, &self.whole, RenameFlags::NOREPLACE) {
            // Not every file system can see to that itself.
            Err(Errno::INVAL | Errno::NOSYS) if self.whole.symlink_metadata().is_err() => {
                fs::rename(&self.part, &self.whole)
            }
            done => Ok(done?),
        }
    }
}

/// A value in the name of a folder: what could mean something there is written as bytes in hexadecimal, `%2F`.
fn escaped(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let written = value.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    written.collect()
}

/// The day of a time since 1970, UTC.
fn day(ns: u64) -> String {
    let (year, month, day) = civil(ns / DAY);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_inference::collect::Collector;

    #[test]
    fn hosts_are_harmless_in_names() {
        assert_eq!(escaped("web-1.example.org"), "web-1.example.org");
        assert_eq!(escaped("../a b=ü\n"), "..%2Fa%20b%3D%C3%BC%0A");
    }

    #[test]
    fn days_are_utc() {
        assert_eq!(day(1_700_000_000_000_000_000), "2023-11-14");
        assert_eq!(day(u64::MAX), "2554-07-21");
    }

    #[test]
    fn what_is_there_stays() {
        let folder = std::env::temp_dir().join(format!("locklens-place-{}", std::process::id()));
        let collected = Collector::new(Default::default()).finish();
        let files = Files::of(&folder, Some("h"), &collected);
        names().for_each(|table| drop(files.open(table).unwrap()));
        let last = &files.all[files.all.len() - 1];
        fs::write(&last.whole, "other").unwrap();
        assert!(files.must_be_new().is_err());
        assert!(files.place(false).is_err());
        files.tidy();
        assert_eq!(fs::read(&last.whole).unwrap(), b"other");
        let rest: Vec<_> = fs::read_dir(&folder).unwrap().collect();
        assert_eq!(rest.len(), 1, "the other tables left nothing: {rest:?}");
        fs::remove_dir_all(folder).unwrap();
    }
}
