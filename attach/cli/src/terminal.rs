//! Standard output and standard error: results go to the first, everything else to the second.

use crate::exit::{Exit, Failure};
use crate::replace::{Output, Replace};
use locklens_viz::{Look, clean_lines};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::os::fd::AsFd;
use std::path::Path;

/// Width assumed where there is no terminal to ask.
const PLAIN_WIDTH: usize = 80;
/// Narrower, nothing could be read any more.
const LEAST_WIDTH: usize = 40;
/// How text in a file looks.
pub(crate) const PLAIN: Look = Look {
    width: PLAIN_WIDTH,
    colour: false,
};

/// Runs `write` on a buffered standard output. A reader that went away (`… | head`) has what it
/// wanted: that is no failure.
pub(crate) fn print(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> Result<Exit, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(Exit::Fine),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // The rest in the buffer has no reader either; dropping it would try again.
            let (_, _) = out.into_parts();
            Ok(Exit::Fine)
        }
        Err(error) => Err(Failure::usage(format_args!(
            "can't write the result: {error}"
        ))),
    }
}

/// Runs `write` on a file that is made for it, or that `may_replace` something.
pub(crate) fn write(
    path: &Path,
    may_replace: Replace,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<Exit, Failure> {
    may_replace.allows(path, Output::Text)?;
    let written = File::create(path).map(BufWriter::new).and_then(|mut out| {
        write(&mut out)?;
        out.flush()
    });
    written
        .map(|()| Exit::Fine)
        .map_err(|error| Failure::usage(format_args!("can't write {}: {error}", path.display())))
}

/// Says something beside the result. What is said may name things of the target.
pub(crate) fn note(text: impl std::fmt::Display) {
    let text = clean_lines(&text.to_string());
    say(&format!("locklens: {text}\n"));
}

/// Writes what is a result beside that of a program which has standard output to itself.
pub(crate) fn beside_line(bytes: &[u8]) {
    // With stderr gone there is nobody to tell.
    let _ = io::stderr().write_all(bytes);
}

/// Reports why the command failed. Somebody who has interrupted it need not be told of an error.
pub(crate) fn complain(failure: &Failure) {
    if failure.exit == Exit::Interrupted {
        return note(failure);
    }
    let (start, end) = if colours(&io::stderr()) {
        ("\x1b[1;31m", "\x1b[0m")
    } else {
        ("", "")
    };
    let failure = clean_lines(&failure.to_string());
    say(&format!("locklens: {start}error:{end} {failure}\n"));
}

/// In one piece, so that it stays together where several write.
fn say(text: &str) {
    // With stderr gone there is nobody to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Whether colours are welcome on a stream: on a terminal that knows them, or where CLICOLOR_FORCE asks
/// for them; never when NO_COLOR is set.
fn colours(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let is = |name, wanted| set(name).is_some_and(|value| value == wanted);
    if set("NO_COLOR").is_some() {
        return false;
    }
    let forced = set("CLICOLOR_FORCE").is_some() && !is("CLICOLOR_FORCE", "0");
    forced || understands_escapes(stream) && !is("CLICOLOR", "0")
}

/// A terminal, and one that does more than print letters.
pub(crate) fn understands_escapes(stream: &impl IsTerminal) -> bool {
    let capable = |term: &std::ffi::OsString| !term.is_empty() && term != "dumb";
    stream.is_terminal() && std::env::var_os("TERM").as_ref().is_some_and(capable)
}

/// How text on standard output should look.
pub(crate) fn look() -> Look {
    Look {
        width: width(&io::stdout()),
        colour: colours(&io::stdout()),
    }
}

/// Columns of what is said beside the result.
pub(crate) fn beside() -> usize {
    width(&io::stderr())
}

/// Columns a stream has: those COLUMNS speaks of, else those of its terminal, else 80.
fn width(stream: &impl AsFd) -> usize {
    let asked = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let measured = || {
        rustix::termios::tcgetwinsize(stream)
            .ok()
            .map(|size| size.ws_col)
    };
    asked
        .or_else(measured)
        .filter(|&columns| columns > 0)
        .map_or(PLAIN_WIDTH, |columns| usize::from(columns).max(LEAST_WIDTH))
}
