//! What keeps a proof from a better tier, and how that is said.

use super::finding::Names;
use super::step::Reading;

/// What keeps a proof from a better tier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weakness {
    GivenUp,
    /// What was read orders those choices that were looked at.
    More,
    Missing,
    /// This orders them; none: several things together.
    Read(Option<Reading>),
    Presumed,
    Permits,
    Count,
    Apart,
    /// What was read may order them.
    Data(Option<Reading>),
    /// What other code read is not known.
    Unrecorded,
    /// What was read is not known as it should be; this would order them.
    Doubted(Option<Reading>),
}

impl Weakness {
    pub(super) fn words(self, names: &dyn Names) -> String {
        let words = match self {
            Self::GivenUp => "whether threads are ordered was not found out within the bound",
            Self::More => {
                "what was read orders the choices of threads that were looked at; there may be others"
            }
            Self::Missing => "events are missing before it: what else was held is not known",
            Self::Presumed => {
                "what came before what is presumed only: a start after a join, a queue, a barrier, a latch of several"
            }
            Self::Permits => {
                "how many permits there are is not known: nobody was seen to wait for one while all were out"
            }
            Self::Count => "how often the latch must be counted down is not known",
            Self::Apart => "it was not seen that each still does it while the others live",
            Self::Read(_) | Self::Data(_) => return self.of_reads(names),
            Self::Doubted(by) => return doubted(by, names),
            Self::Unrecorded => {
                let known = names.reads_known().unwrap_or_default();
                return format!(
                    "T1 relative to what was recorded: a run that reaches it exists, unless something else was read that decides ({known})"
                );
            }
        };
        words.to_owned()
    }

    fn of_reads(self, names: &dyn Names) -> String {
        let (what, data) = match self {
            Self::Read(what) => (what, false),
            Self::Data(what) => (what, true),
            _ => (None, false),
        };
        let named = what.and_then(|reading| names.reading(reading));
        match (data, named) {
            (false, Some(what)) => format!("ordered in this run by {what}"),
            (false, None) => "what one thread read of the other orders them in this run".to_owned(),
            (true, Some(what)) => {
                format!("no proof: {what} may have made them come in this order")
            }
            (true, None) => {
                "no proof: what one thread read of the other may have made them come in this order"
                    .to_owned()
            }
        }
    }
}

fn doubted(by: Option<Reading>, names: &dyn Names) -> String {
    let why = names.reads_doubted().unwrap_or_default();
    let by = by.and_then(|reading| names.reading(reading));
    let besides = by.map_or_else(String::new, |what| {
        format!(" (what is known of it orders them in this run by {what})")
    });
    format!("no proof, and no order by what was read: {why}{besides}")
}
