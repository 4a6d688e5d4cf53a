//! Standard output and standard error: results go to the first, everything else to the second.

use crate::exit::{Exit, Failure};
use crate::replace::{Output, Replace};
use locklens_viz::{Look, clean_lines};
use std::fs::{self, File};
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
    let written = put(path, |file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written
        .map(|()| Exit::Fine)
        .map_err(|error| Failure::usage(format_args!("can't write {}: {error}", path.display())))
}

/// Fills a file: all of it, or what is there stays as it is. Where no other file can be made beside it, or it is none, it is written as it is.
fn put(path: &Path, fill: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    let there = path.metadata().ok();
    // What a link leads to is replaced, not the link.
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut name = real.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let new = real.with_file_name(name);
    let is_file = there.as_ref().is_none_or(fs::Metadata::is_file);
    let made = is_file.then(|| File::create_new(&new).ok()).flatten();
    let Some(file) = made else {
        return File::create(path).and_then(fill);
    };
    let like_before = there.map_or(Ok(()), |there| file.set_permissions(there.permissions()));
    let filled = like_before
        .and_then(|()| fill(file))
        .and_then(|()| fs::rename(&new, &real));
    if filled.is_err() {
        // What is left of it says by its name whose it is.
        let _ = fs::remove_file(&new);
    }
    filled
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_is_there_is_replaced_as_a_whole_or_stays() {
        let name = format!("locklens-put-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let [page, link] = ["page.html", "link"].map(|name| folder.join(name));
        fs::write(&page, "good").unwrap();
        fs::set_permissions(&page, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&page, &link).unwrap();
        let fails = |mut file: File| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(put(&link, fails).is_err());
        assert_eq!(fs::read(&page).unwrap(), b"good");
        put(&link, |mut file| file.write_all(b"better")).unwrap();
        assert_eq!(fs::read(&page).unwrap(), b"better");
        let mode = page.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(put(&folder.join("new"), fails).is_err());
        let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
        assert_eq!(left.len(), 2, "{left:?}");
        put(Path::new("/dev/null"), |mut file| file.write_all(b"x")).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
