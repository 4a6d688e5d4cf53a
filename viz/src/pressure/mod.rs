//! Critical section pressure: for people ([`text`], and a [`line()`] for each phase of a recording under way) and for
//! programs ([`json`]).

pub(crate) mod bars;
mod inside;
mod json;
mod notes;
mod text;

pub(crate) use inside::{inside, not_counted};
pub use json::{SCHEMA, json};
pub use text::{line, text};

use locklens_inference::pressure::model::Known;

/// A share in percent, with one digit behind the point: never nothing where there is something.
fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.05 => "<0.1%".to_owned(),
        p => format!("{p:.1}%"),
    }
}

/// Stands before a figure that is not exact.
fn mark(known: Known) -> &'static str {
    match known {
        Known::AtLeast => "≥",
        Known::Estimate => "≈",
        Known::Exact => "",
    }
}

/// A share in percent, with that mark.
fn marked(known: Known, share: f64) -> String {
    match percent(share) {
        small if small.starts_with('<') => small,
        figure => format!("{}{figure}", mark(known)),
    }
}
