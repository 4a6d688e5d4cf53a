//! The trace behind a page: which of its stays the page does not have.

use crate::exit::Failure;
use locklens_inference::levels::Detail;
use locklens_inference::levels::model::Span;
use locklens_trace::Nanos;
use locklens_trace::read::{Item, Reader};
use locklens_viz::html;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// Bytes of a trace that are read for one answer at most: more take longer than anybody waits.
const MOST: u64 = 32 << 20;
/// Records after which it is asked whether anybody waits still.
const OFTEN: u32 = 1 << 14;

/// See the module. It has the file open: what is put in its place later is not read.
pub(crate) struct Source<'a> {
    pub(crate) detail: Detail<'a>,
    pub(crate) file: File,
    /// How much of the file is known.
    pub(crate) end: u64,
    /// The page that it is behind: rows have other numbers in others.
    pub(crate) generation: u64,
    /// The command ends.
    pub(crate) ended: Arc<AtomicBool>,
}

/// Somebody asks for the stays between two times.
pub(crate) struct Ask {
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// The page that asks.
    pub(crate) of: u64,
    /// Who wants them, as JSON.
    pub(crate) reply: Sender<Result<Vec<u8>, Refused>>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It would take too long.
    TooMuch,
    /// There is a newer page by now.
    Old,
    /// The file could not be read, or nobody waits any more.
    Unread,
}

/// Opens a file for a source.
pub(crate) fn opened(path: &Path) -> Result<File, Failure> {
    let opened = File::open(path);
    opened.map_err(|error| Failure::usage(format_args!("can't read {}: {error}", path.display())))
}

impl Source<'_> {
    /// Answers until nobody can ask any more.
    pub(crate) fn answer(&mut self, asks: &Receiver<Ask>) {
        asks.iter().for_each(|ask| self.tell(&ask));
    }

    /// Answers one.
    pub(crate) fn tell(&mut self, ask: &Ask) {
        let span = match ask.of == self.generation {
            true => self.span(ask.from, ask.to),
            false => Err(Refused::Old),
        };
        let told = span.and_then(|span| {
            let mut json = Vec::new();
            let written = html::detail(&span, &mut json);
            written.map(|()| json).map_err(|_| Refused::Unread)
        });
        // Whoever asked may have gone away.
        let _ = ask.reply.send(told);
    }

    /// All stays between two times that the page does not have.
    fn span(&mut self, from: Nanos, to: Nanos) -> Result<Span, Refused> {
        let Some(mut reading) = self.detail.read(from, to) else {
            return Ok(Span {
                from,
                to,
                ..Span::default()
            });
        };
        let part = reading.part();
        let end = part.end.min(self.end);
        if end.saturating_sub(part.start) > MOST {
            return Err(Refused::TooMuch);
        }
        let mut reader = reader(&self.file, part.start).ok_or(Refused::Unread)?;
        let mut until_asked = OFTEN;
        while let Some(item) = reader.next_item() {
            if reader.chunk_offset() >= end {
                break;
            }
            match item {
                Item::Record(record) => reading.push(&record),
                Item::Gap(_) => reading.gap(),
            }
            until_asked -= 1;
            if until_asked == 0 {
                until_asked = OFTEN;
                if self.ended.load(Ordering::Relaxed) {
                    return Err(Refused::Unread);
                }
            }
        }
        Ok(reading.finish())
    }
}

/// The trace from a chunk on.
fn reader(file: &File, offset: u64) -> Option<Reader<File>> {
    let begun = || -> io::Result<File> {
        let mut file = file.try_clone()?;
        file.rewind()?;
        Ok(file)
    };
    let mut reader = Reader::new(begun().ok()?).ok()?;
    reader.go_to(offset).ok()?;
    Some(reader)
}
