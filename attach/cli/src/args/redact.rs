//! Flags of `locklens redact`.

use clap::Args;
use std::path::PathBuf;

/// Copy a recording without the names of the program: to show it to others
///
/// Names of classes, methods, fields and threads, and texts in the code, become words that nobody can read. The same name becomes
/// the same word everywhere, so that every command reads the copy as it reads the original. Names of the JDK, line numbers, numbers
/// and times stay. The key is random, so that two copies have no word in common; with the same key in LOCKLENS_REDACT_KEY they have.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens redact app.llt -o public.llt
  locklens record 4242 --redact -o public.llt
                                       the same while it records: no name is ever written
  LOCKLENS_REDACT_KEY=\"$(cat key)\" locklens redact app.llt -o public.llt
                                       names that other copies made with this key have, too

Exit status: 0 fine   2 usage, no trace, or nothing could be written")]
pub(crate) struct Redact {
    /// A trace
    pub(crate) file: PathBuf,
    /// Where to write the copy
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite FILE even if it is something else than a trace
    #[arg(long)]
    pub(crate) force: bool,
}
