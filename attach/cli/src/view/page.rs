//! The page of a trace, as far as it goes, and who answers for what it has not.

use super::source::{Source, opened};
use crate::exit::Failure;
use crate::html::panels::First;
use crate::html::{must_have_times, second};
use crate::trace_file::open_part;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::model::Options;
use locklens_viz::{damage, html};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be made.
pub(super) struct Wanted<'a> {
    pub(super) trace: &'a Path,
    /// So much of it.
    pub(super) length: u64,
    pub(super) options: Options,
    /// Nobody wants it any more.
    pub(super) unwanted: &'a Arc<AtomicBool>,
    /// Which page it is of a recording, and whether that is under way.
    pub(super) live: Option<(u64, bool)>,
}

/// A page.
pub(super) struct Made<'a> {
    pub(super) page: Vec<u8>,
    pub(super) source: Source<'a>,
    /// What its locks are.
    pub(super) found: Found<'a>,
    /// What of the trace is not there.
    pub(super) damage: Vec<String>,
}

/// The recording that a page is of.
pub(super) struct Found<'a> {
    pub(super) collected: &'a Collected,
    pub(super) analysis: &'a Analysis,
}

/// Reads the trace twice and has `then` go on with the page; nothing if it is not wanted any more.
pub(super) fn with<T>(
    wanted: &Wanted<'_>,
    tell: impl Fn(u64, &str),
    then: impl FnOnce(Made<'_>) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let Wanted {
        trace,
        length,
        options,
        unwanted,
        live,
    } = wanted;
    let is_unwanted = || unwanted.load(Ordering::Relaxed);
    let file = opened(trace)?;
    let reader = match open_part(trace, *length, unwanted) {
        // It ends there and then, as if it were empty.
        _ if is_unwanted() => return Ok(None),
        reader => reader?,
    };
    let first = First::of(reader, options, |at| tell(at, "locks"));
    if is_unwanted() {
        return Ok(None);
    }
    must_have_times(&first.collected)?;
    let mut analysis = Analysis::of(&first.collected, options);
    // It has not been cut off, it goes on: so the page says itself.
    analysis.model.recording.ended |= live.is_some_and(|(_, going)| going);
    let reader = match open_part(trace, *length, unwanted) {
        _ if is_unwanted() => return Ok(None),
        reader => reader?,
    };
    let pass = second(reader, &first, &analysis, |surveyor, at| {
        surveyor.mark(at);
        tell(at, "times");
    });
    if is_unwanted() {
        return Ok(None);
    }
    let (model, generation) = (&analysis.model, live.map(|(generation, _)| generation));
    let mut page = Vec::new();
    html::served_page(&pass.levels, model, &pass.panels, generation, &mut page)
        .map_err(|error| Failure::usage(format_args!("can't make the page: {error}")))?;
    let made = Made {
        page,
        source: Source {
            detail: pass.detail,
            file,
            end: pass.end,
            generation: generation.unwrap_or(0),
            ended: Arc::clone(unwanted),
        },
        found: Found {
            collected: &first.collected,
            analysis: &analysis,
        },
        damage: damage(&model.recording),
    };
    then(made).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wants_any_more_is_no_failure() {
        let made = |unwanted: bool| {
            let wanted = Wanted {
                trace: Path::new("Cargo.toml"),
                length: u64::MAX,
                options: Options::default(),
                unwanted: &Arc::new(AtomicBool::new(unwanted)),
                live: None,
            };
            with(&wanted, |_, _| {}, |_| Ok(()))
        };
        assert!(matches!(made(true), Ok(None)));
        assert!(
            made(false)
                .unwrap_err()
                .what
                .contains("not a locklens trace")
        );
    }
}
