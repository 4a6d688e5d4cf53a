//! The JDKs to measure on. The example `price` has them from here, too.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a benchmark on each JDK of $LOCKLENS_JDKS and $JAVA_HOME whose folder contains `only`.
pub(crate) fn on_each(
    name: &str,
    only: Option<&str>,
    run: impl Fn(&Path) -> Result<(), String>,
) -> ExitCode {
    let homes = jdks(only);
    if homes.is_empty() {
        eprintln!("{name}: no JDK found; set LOCKLENS_JDKS or JAVA_HOME");
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    for home in homes {
        if let Err(why) = run(&home) {
            eprintln!("{}: {why}", home.display());
            status = ExitCode::FAILURE;
        }
    }
    status
}

pub(crate) fn jdks(only: Option<&str>) -> Vec<PathBuf> {
    let listed = std::env::var("LOCKLENS_JDKS").unwrap_or_default();
    let mut homes: Vec<PathBuf> = std::env::split_paths(&listed).collect();
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.retain(|home| home.join("bin/javac").exists());
    homes.retain(|home| only.is_none_or(|part| home.to_string_lossy().contains(part)));
    homes
}
