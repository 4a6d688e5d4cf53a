//! Who blocked whom: blocked time by any keys.
//!
//! [`text`] for people, [`json`] for programs (schema 1), [`csv`] for spreadsheets, [`flame`] as a picture and
//! [`collapsed`] for other tools that draw one.

mod csv;
mod flame;
mod json;
mod looks;
pub(crate) mod of_lock;
mod text;

pub use csv::csv;
pub use flame::{Side, collapsed, flame};
pub use json::{SCHEMA, json};
pub use of_lock::KEYS as OF_LOCK;
pub use text::text;

use locklens_inference::contention::{Blame, Value};
use locklens_inference::model::CallChain;

/// Of the blocked time, what is charged to a thread or known to be nobody's, 0 to 1.
fn known_share(blame: &Blame) -> f64 {
    1.0 - share(blame.unknown_total().0, blame.total.ns.0)
}

fn share(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        whole => part as f64 / whole as f64,
    }
}

/// A value for programs; none of what is not known or nobody's.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Named(name) | Value::Lock(_, name) => Some(name.clone()),
        Value::Chain(chain) => Some(frames(chain).join(" < ")),
        Value::Time(from, _) => Some(from.0.to_string()),
        Value::Nobody | Value::Cycle | Value::Unknown | Value::Rest => None,
    }
}

/// The frames of a chain, innermost first, and that there were more.
fn frames(chain: &CallChain) -> Vec<String> {
    let more = chain.cut.then(|| "…".to_owned());
    chain.frames.iter().cloned().chain(more).collect()
}

/// What a value is that is no name.
pub(crate) fn fate(value: &Value) -> &'static str {
    match value {
        Value::Named(_) | Value::Lock(..) | Value::Chain(_) | Value::Time(..) => "known",
        Value::Nobody => "nobody",
        Value::Cycle => "deadlock",
        Value::Unknown => "unknown",
        Value::Rest => "other",
    }
}
