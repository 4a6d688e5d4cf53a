//! What an output file may take the place of: nothing, or an earlier output of its kind.
//!
//! A file that is overwritten is gone. `-o Main.java` is a slip of the hand, and so is `report app.llt -o app.llt`;
//! a recording made a second time under its old name is not. So what is there is looked at first.

use crate::exit::Failure;
use locklens_inference::contention::Key;
use locklens_inference::types::LockType;
use locklens_trace::read::{OpenError, Reader};
use locklens_viz::export::MADE_BY;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// Stands for standard output.
pub(crate) const STDOUT: &str = "-";
/// How much of a file is looked at to tell what it is.
const BEGINNING: u64 = 4096;

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A recording.
    Trace,
    /// A report, a graph, names of locks.
    Text,
    /// The agent.
    Library,
}

/// What is to become of a file that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replace {
    /// It may be replaced if it is an output of the same kind.
    Own,
    /// It may be replaced whatever it is.
    Anything,
    /// It stays, whatever it is.
    Nothing,
}

impl Replace {
    /// As `--force` says.
    pub(crate) fn forced(force: bool) -> Self {
        match force {
            true => Self::Anything,
            false => Self::Own,
        }
    }

    /// An error if `output` may not be written to `path`.
    pub(crate) fn allows(self, path: &Path, output: Output) -> Result<(), Failure> {
        if path == Path::new(STDOUT) {
            return Err(no_stream(path, output));
        }
        if self == Self::Nothing && path.symlink_metadata().is_ok() {
            return Err(Failure::usage(format_args!(
                "{} is there already: it was not touched",
                path.display()
            )));
        }
        match path.metadata() {
            Ok(meta) if meta.is_file() => self.replaces(path, output, &meta),
            Ok(meta) if output != Output::Text && is_stream(path, &meta) => {
                Err(no_stream(path, output))
            }
            // What can't be looked at or is a folder is refused by the attempt to write it.
            _ => Ok(()),
        }
    }

    fn replaces(self, path: &Path, output: Output, meta: &Metadata) -> Result<(), Failure> {
        let may = self == Self::Anything || meta.len() == 0 || output.is(path).unwrap_or(false);
        match may {
            true => Ok(()),
            false => Err(Failure::usage(format_args!(
                "{} is there already and is not {}: it was not touched",
                path.display(),
                output.name()
            ))
            .hint("another name, or --force to overwrite it")),
        }
    }
}

/// An error if what is written would take the place of what is read, whatever may be overwritten otherwise.
pub(crate) fn spare(input: &Path, output: Option<&Path>) -> Result<(), Failure> {
    match output.filter(|output| is_same(output, input)) {
        None => Ok(()),
        Some(path) => Err(Failure::usage(format_args!(
            "{} is what is read: it was not touched",
            path.display()
        ))
        .hint("another name")),
    }
}

/// Whether both are one file, by whatever names.
fn is_same(a: &Path, b: &Path) -> bool {
    let file = |path: &Path| path.metadata().ok().filter(Metadata::is_file);
    let both = file(a).zip(file(b));
    both.is_some_and(|(a, b)| (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// A pipe, a socket or a terminal: nothing that could be read again from its beginning.
fn is_stream(path: &Path, meta: &Metadata) -> bool {
    let kind = meta.file_type();
    let terminal = || File::open(path).is_ok_and(|file| file.is_terminal());
    kind.is_fifo() || kind.is_socket() || kind.is_char_device() && terminal()
}

fn no_stream(path: &Path, output: Output) -> Failure {
    let hint = match output {
        Output::Trace => "-o FILE; 'locklens report FILE --json' then writes to standard output",
        _ => "-o FILE",
    };
    Failure::usage(format_args!(
        "{} is written to a file only, not to {}",
        output.name(),
        match path == Path::new(STDOUT) {
            true => "standard output".to_string(),
            false => format!("{}, which is a pipe or terminal", path.display()),
        }
    ))
    .hint(hint)
}

impl Output {
    fn name(self) -> &'static str {
        match self {
            Self::Trace => "a locklens trace",
            Self::Text => "a report or graph of locklens",
            Self::Library => "the agent library",
        }
    }

    /// Whether a file is one of these.
    fn is(self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        Ok(match self {
            Self::Trace => is_trace(file),
            Self::Text => {
                let mut beginning = Vec::new();
                file.take(BEGINNING).read_to_end(&mut beginning)?;
                is_text(&String::from_utf8_lossy(&beginning))
            }
            Self::Library => {
                let mut all = Vec::new();
                file.read_to_end(&mut all)?;
                is_library(&all)
            }
        })
    }
}

/// One of another version is a trace too.
fn is_trace(file: File) -> bool {
    matches!(
        Reader::new(file),
        Ok(_) | Err(OpenError::Version(_) | OpenError::Features(_))
    )
}

fn is_text(text: &str) -> bool {
    let json = text.starts_with('{') && text.contains("\"schema\"");
    json || text.starts_with("id,types,confidence,")
        || text.starts_with("digraph locks {")
        || is_blame(text)
        || is_export(text)
        || is_table(text)
        || is_selection(text)
        || is_page(text)
}

/// A page for a browser says who made it.
fn is_page(text: &str) -> bool {
    text.starts_with("<!doctype html>") && text.contains("content=\"locklens html\"")
}

/// Blocked time by keys, or a picture of it.
fn is_blame(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let key = first.split(',').next().and_then(Key::parse);
    let picture = first.starts_with("<?xml") && text.contains("NOTES: locklens contention");
    picture || key.is_some() && first.contains(",ns,count,unmeasured,")
}

/// What viewers of others show; collapsed stacks can't be told from others' ones.
fn is_export(text: &str) -> bool {
    let profile = text.starts_with("{\"meta\":") && text.contains("\"importedFrom\":\"locklens\"");
    profile || text.starts_with('\n') && text.contains(MADE_BY)
}

/// The first line of a report names the program, and its Java where there is room; the second is empty.
fn is_table(text: &str) -> bool {
    let mut lines = text.lines();
    let title = lines.next().unwrap_or_default();
    let titled = title.contains(", Java ") || title.starts_with("unknown program");
    lines.next() == Some("")
        && (titled || lines.any(|line| line.trim_start().starts_with("ID TYPE ")))
}

/// A list of chosen locks begins with a comment that has the types of the first.
fn is_selection(text: &str) -> bool {
    let first = text.lines().next().and_then(|line| line.strip_prefix("# "));
    let known = |word: &str| LockType::ALL.iter().any(|kind| kind.name() == word);
    first.is_some_and(|types| types.split('+').all(known))
}

/// The first words of any agent to its command are in it.
fn is_library(bytes: &[u8]) -> bool {
    const GREETING: &[u8] = b"LLAGENT1";
    bytes.starts_with(b"\x7fELF") && bytes.windows(GREETING.len()).any(|at| at == GREETING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded;

    #[test]
    fn our_own_texts_are_known() {
        for ours in [
            "{\n  \"schema\": 1,\n",
            "id,types,confidence,details,name\n",
            "digraph locks {\n",
            "Demo, Java 17.0.15\n\nNo thread",
            "unknown program\n\nWhat there is",
            "com.example.a.very.long.name.Main\n\nID TYPE      SURE",
            "# LOCK+CONDITION\nPool\n",
            "lock,owner-method,ns,count,unmeasured,estimated_ns\n",
            "<?xml version=\"1.0\"?><svg><!--NOTES: locklens contention-->",
            "<!doctype html>\n<meta name=\"generator\" content=\"locklens html\">",
            "{\"meta\":{\"importedFrom\":\"locklens\"}}",
            "\n\u{5}P\u{1}h\u{1}\nB\u{f}locklens export",
        ] {
            assert!(is_text(ours), "{ours}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for other in [
            "",
            "import java.util.*;\n",
            "{\"a\": 1}",
            "# Notes\n",
            "LLTRACE\u{1}",
            "digraph mine {",
            "name,id\n",
            "lock,owner\n",
            "<?xml version=\"1.0\"?><svg></svg>",
            "<!doctype html>\n<p>locklens html</p>",
            "{\"meta\":{\"importedFrom\":\"other\"}}",
            "\nNotes\n",
        ] {
            assert!(!is_text(other), "{other}");
        }
    }

    #[test]
    fn what_is_read_is_spared_by_whatever_name() {
        let folder = std::env::temp_dir().join(format!("locklens-spare-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [input, link, other] = ["app.llt", "link", "report"].map(|name| folder.join(name));
        std::fs::write(&input, "trace").unwrap();
        std::fs::write(&other, "text").unwrap();
        std::fs::hard_link(&input, &link).unwrap();
        for same in [&input, &link, &folder.join(".").join("app.llt")] {
            assert!(spare(&input, Some(same)).is_err(), "{}", same.display());
        }
        for fine in [None, Some(other.as_path()), Some(Path::new("/dev/null"))] {
            assert!(spare(&input, fine).is_ok(), "{fine:?}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_library_is_ours_or_it_is_not() {
        assert!(is_library(embedded::LIBRARY));
        assert!(!is_library(b"\x7fELF of somebody else"));
        assert!(!is_library(b"LLAGENT1"));
    }
}
