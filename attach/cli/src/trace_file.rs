//! A trace on disk, opened for reading.

use crate::exit::Failure;
use locklens_trace::read::{OpenError, Reader};
use std::fs::File;
use std::path::Path;

/// Opens it and reads its first bytes.
pub(crate) fn open(path: &Path) -> Result<Reader<File>, Failure> {
    let file = File::open(path)
        .map_err(|error| Failure::usage(format_args!("can't read {}: {error}", path.display())))?;
    Reader::new(file).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &OpenError) -> Failure {
    let failure = Failure::usage(format_args!("{} {error}", path.display()));
    match error {
        OpenError::NotATrace => failure.hint("a file written by 'locklens record' (*.llt)"),
        OpenError::Empty => failure.hint("'locklens record' again"),
        _ => failure,
    }
}
