//! How the command ends: named exit codes, and failures that say what to do next.

use std::fmt;
use std::process::ExitCode;

/// What shells show for a command ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// What the exit status means. Part of the interface: scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well, nothing was found.
    Fine,
    /// All went well, and a command that looks for findings has some.
    Findings,
    /// Wrong usage, unreadable input, or an output that could not be written.
    Usage,
    /// The target could not be attached to.
    AttachFailed,
    /// The recording ended before its time: the target went away, the disk is full. What there is was kept.
    CutShort,
    /// Ctrl-C or one of its relatives, before there was anything to keep.
    Interrupted,
    /// What the launched program ended with.
    Child(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::AttachFailed => 3,
            Exit::CutShort => 4,
            Exit::Interrupted => INTERRUPTED,
            Exit::Child(status) => status,
        })
    }
}

/// Why a command could not do what it was asked, and what the user can do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The status to end with.
    pub(crate) exit: Exit,
    /// What went wrong, in one sentence without a full stop.
    pub(crate) what: String,
    /// What to try next.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// Bad input, or an output that can't be written.
    pub(crate) fn usage(what: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// The target can't be attached to.
    pub(crate) fn attach(what: impl fmt::Display) -> Self {
        Self::new(Exit::AttachFailed, what)
    }

    /// Somebody did not want to wait any longer.
    pub(crate) fn interrupted(what: impl fmt::Display) -> Self {
        Self::new(Exit::Interrupted, what)
    }

    fn new(exit: Exit, what: impl fmt::Display) -> Self {
        Self {
            exit,
            what: what.to_string(),
            hint: None,
        }
    }

    /// The same with another status.
    pub(crate) fn ending(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// The same with advice.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  try: {hint}"),
            None => Ok(()),
        }
    }
}
