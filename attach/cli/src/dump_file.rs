//! Files with thread dumps, read line by line: however long one is, only one dump and the one before it are in memory.

mod around;

use crate::exit::Failure;
use around::{Margin, Wide, unescaped};
use locklens_inference::sample::dump::{Dump, Reader, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Most of a dump that is read: some hundred thousand threads.
pub(crate) const LONGEST: u64 = 512 << 20;
/// Most of a line; none of a dump is as long.
const LINE: u64 = 1 << 20;

/// What else there was in a file.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// Dumps that were handed on.
    pub(crate) dumps: u64,
    /// Threads that could not be read.
    pub(crate) unread: u64,
    /// A dump of the kind that has virtual threads in it, if it is no file of others.
    pub(crate) of_virtual: Option<Dump>,
    /// It looks like such a dump as text, which nothing reads.
    pub(crate) is_other_format: bool,
    /// There was nothing at all.
    pub(crate) is_empty: bool,
}

/// Hands on each dump of a file, in their order.
///
/// # Errors
/// If it cannot be read, or a dump in it is too long.
pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Dump)) -> Result<Rest, Failure> {
    let unread = |error| {
        Failure::usage(format_args!("can't read {}: {error}", path.display())).hint(
            "a pid, the name of a JVM ('locklens list' shows them), or files with thread dumps",
        )
    };
    let mut file = text(path).map_err(unread)?;
    let mut margin = Margin::default();
    let (mut reader, mut of_virtual) = (Reader::default(), json::Reader::default());
    let mut rest = Rest {
        is_empty: true,
        ..Rest::default()
    };
    let (mut line, mut within) = (Vec::new(), false);
    loop {
        line.clear();
        let mut piece = file.by_ref().take(LINE);
        if piece.read_until(b'\n', &mut line).map_err(unread)? == 0 {
            break;
        }
        rest.is_empty = false;
        let begins = !std::mem::replace(&mut within, !line.ends_with(b"\n"));
        if begins {
            // Names may be in another encoding; all that is looked for is not.
            let text = String::from_utf8_lossy(&line);
            let text = unescaped(margin.cut(&text));
            reader.line(&text);
            if rest.dumps == 0 {
                of_virtual.piece(&text);
            }
        } else if rest.dumps == 0 {
            of_virtual.piece(&String::from_utf8_lossy(&line));
        }
        if !within {
            of_virtual.end_line();
        }
        if reader.weight().max(of_virtual.weight().unwrap_or(0)) > LONGEST {
            return Err(too_long(path));
        }
        for dump in reader.take() {
            rest.dumps += 1;
            of_virtual = json::Reader::default();
            each(dump);
        }
    }
    rest.of_virtual = of_virtual.finish();
    let found = reader.finish();
    rest.is_other_format = found.is_other_format();
    rest.unread = found.unread;
    rest.dumps += found.dumps.len() as u64;
    found.dumps.into_iter().for_each(each);
    if rest.dumps > 0 {
        rest.of_virtual = None;
    }
    Ok(rest)
}

/// A file as text.
fn text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    match Wide::<File>::is_big(file.fill_buf()?) {
        Some(big) => Ok(Box::new(BufReader::with_capacity(
            1 << 16,
            Wide::new(file, big),
        ))),
        None => Ok(Box::new(file)),
    }
}

fn too_long(path: &Path) -> Failure {
    let most = LONGEST >> 20;
    Failure::usage(format_args!(
        "a thread dump in {} is longer than {most} MB",
        path.display()
    ))
    .hint("files may be of any length, one dump in them may not")
}
