//! `locklens attach`: one command of the attach protocol, the reply on standard output.

use crate::args::Attach;
use crate::exit::{Exit, Failure};
use crate::guess;
use crate::record::signals::Signals;
use crate::target::{LOADING_IS_OFF, enter, not_attached, reason, resolve};
use crate::terminal::{self, note};
use locklens_hotspot::{Door, LoadOutcome, load_outcome};
use std::io::{self, Write};

/// Arguments a request has room for.
const MOST_ARGUMENTS: usize = 3;

/// Sends it.
pub(crate) fn run(args: &Attach) -> Result<Exit, Failure> {
    let arguments = arguments(args)?;
    let jvm = resolve(&args.target)?;
    let door = enter(&jvm, &Signals::quitting()?)?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if args.command == "load" {
        load(&door, &arguments)
    } else {
        send(&door, &args.command, &arguments)
    }
}

/// A `jcmd` command line is one argument of the protocol; an empty one asks what there is, as that of `jcmd` does.
fn arguments(args: &Attach) -> Result<Vec<String>, Failure> {
    let given = args.args.as_slice();
    let arguments = match (args.command.as_str(), given) {
        ("jcmd", []) => vec!["help".to_owned()],
        ("jcmd", _) => vec![given.join(" ")],
        ("load", []) => return Err(Failure::usage("load: which library?").hint("load LIBRARY")),
        ("dumpheap", []) => {
            return Err(Failure::usage("dumpheap: into which file?").hint("dumpheap FILE"));
        }
        // The JVM would take a path for the name of a library in its own folders.
        ("load", [library]) if library.starts_with('/') => vec![library.clone(), "true".to_owned()],
        _ => given.to_vec(),
    };
    if arguments.len() > MOST_ARGUMENTS {
        return Err(Failure::usage(format_args!(
            "{} takes at most {MOST_ARGUMENTS} arguments",
            args.command
        )));
    }
    Ok(arguments)
}

fn send(door: &Door, command: &str, arguments: &[&str]) -> Result<Exit, Failure> {
    let (mut status, mut unread) = (Ok(0), false);
    terminal::print(|out| {
        let mut watched = Watched {
            out,
            last: None,
            failed: None,
        };
        status = door.execute_streaming(command, arguments, &mut watched);
        unread = watched.failed.is_some();
        watched.end()
    })?;
    if unread {
        // The reader has what it wanted; what the JVM still had to say nobody knows.
        return Ok(Exit::Fine);
    }
    match status.map_err(|error| not_attached(&error))? {
        0 => Ok(Exit::Fine),
        other => {
            note(format_args!(
                "the JVM answered {command} with status {other}{}",
                advice(command)
            ));
            Ok(Exit::Findings)
        }
    }
}

/// A `load` answers with status 0 even when the library was refused: the text decides.
fn load(door: &Door, arguments: &[&str]) -> Result<Exit, Failure> {
    let reply = door
        .execute("load", arguments)
        .map_err(|error| not_attached(&error))?;
    terminal::print(|out| {
        let mut watched = Watched {
            out,
            last: None,
            failed: None,
        };
        watched.write_all(&reply.text)?;
        watched.end()
    })?;
    match load_outcome(&reply) {
        LoadOutcome::Loaded => return Ok(Exit::Fine),
        LoadOutcome::DynamicLoadingDisabled => note(LOADING_IS_OFF),
        // The reply has said why.
        LoadOutcome::NotLoaded { .. } if !reply.text.is_empty() => {
            note("the library is not loaded");
        }
        refused => note(format_args!(
            "the library is not loaded: {}",
            reason(&refused)
        )),
    }
    Ok(Exit::Findings)
}

/// What to do about a command that no JVM knows.
fn advice(command: &str) -> String {
    match guess::is_of_jcmd(command) {
        true => format!("\n  try: locklens attach … jcmd {command}"),
        false if guess::PROTOCOL.contains(&command) => String::new(),
        false => "\n  try: one of the commands that 'locklens attach --help' lists".to_owned(),
    }
}

/// Remembers why our own output failed, so that it is not taken for the JVM's failure.
struct Watched<'a, W> {
    out: &'a mut W,
    last: Option<u8>,
    failed: Option<io::Error>,
}

impl<W: Write> Watched<'_, W> {
    /// Ends the last line: some replies don't.
    fn end(mut self) -> io::Result<()> {
        if self.last.is_some_and(|last| last != b'\n') {
            self.write_all(b"\n")?;
        }
        self.failed.map_or(Ok(()), Err)
    }
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.out.write(bytes) {
            Ok(written) => {
                self.last = bytes[..written].last().copied().or(self.last);
                Ok(written)
            }
            Err(error) => {
                let kind = error.kind();
                self.failed = Some(error);
                Err(kind.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
