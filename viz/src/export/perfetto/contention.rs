//! The words in which Perfetto expects a contended monitor: those that Android's runtime traces.
//!
//! `monitor contention with owner NAME (TID) at RETURNED CLASS.METHOD(PARAMETERS)(FILE:LINE) waiters=N blocking from …(…)(FILE:LINE)`,
//! taken apart by these words and brackets. So none of them may stand in a name. Who the owner was, or
//! where, is always said, since what has no such place is left out of Perfetto's table; where it is not known that is what is said.

use super::super::names::{Names, Place, harmless};
use super::tid;
use crate::text::{parameters, returned};
use locklens_trace::ThreadId;
use locklens_trace::record::Frame;

/// What is known of a contended monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Contended {
    /// Who held it first, as far as that is known.
    pub(super) owner: Option<ThreadId>,
    pub(super) owner_site: Option<Frame>,
    pub(super) site: Option<Frame>,
    /// Others who were blocked when it came.
    pub(super) waiters: u32,
}

/// The number of a thread that is not known.
const NO_TID: i64 = -1;

pub(super) fn name(of: &Contended, names: &Names<'_>) -> String {
    let owner = of.owner.map(|owner| tame_name(&names.thread_name(owner)));
    let tid = of.owner.and_then(|owner| tid(names, owner));
    format!(
        "monitor contention with owner {} ({}) at {} waiters={} blocking from {}",
        owner.as_deref().unwrap_or("unknown"),
        tid.unwrap_or(NO_TID),
        place(of.owner_site, names),
        of.waiters,
        place(of.site, names)
    )
}

fn place(frame: Option<Frame>, names: &Names<'_>) -> String {
    match frame {
        Some(frame) => signature(&names.place(&frame)),
        None => "unknown unknown()(unknown:-1)".to_owned(),
    }
}

fn signature(place: &Place) -> String {
    let inner = parameters(&place.descriptor);
    let inner = inner
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let file = place
        .file
        .as_deref()
        .map_or_else(|| "unknown".to_owned(), tame);
    let line = place.line.map_or(-1, i32::from);
    format!(
        "{} {}({})({file}:{line})",
        tame(&returned(&place.descriptor)),
        tame(&place.method),
        inner.map(tame_list).unwrap_or_default(),
    )
}

/// Without anything that a signature is taken apart by.
fn tame(text: &str) -> String {
    harmless(text).replace(['(', ')', ' ', '='], "_")
}

fn tame_list(text: &str) -> String {
    let text = harmless(text);
    let types: Vec<String> = text.split(", ").map(tame).collect();
    types.join(", ")
}

/// The same of a name that may have spaces.
fn tame_name(text: &str) -> String {
    let text = text.replace(['(', ')', '='], "_");
    ["with owner ", "blocking from "]
        .iter()
        .fold(text, |text, words| {
            text.replace(words, &words.replace(' ', "_"))
        })
}
