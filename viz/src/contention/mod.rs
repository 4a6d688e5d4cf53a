//! Who blocked whom: blocked time by any keys.
//!
//! [`text`] for people, [`json`] for programs (schema 1), [`csv`] for spreadsheets, [`flame`] as a picture and
//! [`collapsed`] for other tools that draw one.

mod csv;
mod flame;
mod json;
mod looks;
mod notes;
pub(crate) mod of_lock;
mod text;

pub use csv::csv;
pub use flame::{Side, collapsed, flame};
pub use json::{SCHEMA, json};
pub use of_lock::KEYS as OF_LOCK;
pub use text::text;

use crate::text::percent;
use locklens_inference::contention::{Blame, Row, Value};
use locklens_inference::model::CallChain;

/// Of the blocked time, what is charged to a thread for certain, or by contention as far as looks bear it out, or is known to be
/// nobody's, 0 to 1.
fn known_share(blame: &Blame) -> f64 {
    let all = blame.total.ns.0;
    1.0 - share(blame.unknown_total().0, all) - share(blame.total.untested.0, all)
}

/// Most of what a row is charged with is inferred from contention, and not tested.
fn is_doubtful(row: &Row) -> bool {
    row.untested.0 > row.ns.0 / 2
}

/// Stands behind who held a lock as far as that is doubtful.
const DOUBT: &str = " ?";

/// Behind what is known: of how much it is inferred who held the lock.
fn inferred(total: &Row) -> String {
    match total.untested.0 {
        0 => String::new(),
        untested => format!(", inferred of {}", percent(share(untested, total.ns.0))),
    }
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
        Value::Nobody | Value::Empty | Value::Cycle | Value::Unknown | Value::Rest => None,
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
        Value::Empty => "empty",
        Value::Cycle => "deadlock",
        Value::Unknown => "unknown",
        Value::Rest => "other",
    }
}
