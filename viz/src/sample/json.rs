//! Samples for programs. The schema is versioned: fields are added, never changed.

use super::{About, name};
use locklens_inference::sample::{Keys, Location, Profile, Row, Spot};
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of samples.
pub const SCHEMA: u32 = 1;
/// Digits of a percentage behind the point: ten thousandths of a percent are far below any error.
const DIGITS: f64 = 1e4;

/// Writes the rows as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(profile: &Profile, about: &About, out: &mut dyn Write) -> io::Result<()> {
    let rows = |rows: &[Row]| -> Vec<Value> { rows.iter().map(row).collect() };
    let document = value!({
        "schema": SCHEMA,
        "subject": about.subject,
        "by": name(about.by),
        "samples": profile.samples,
        "period_ns": profile.period.map(|period| period.0),
        "rows": rows(profile.rows(about.by)),
        "states": rows(&profile.states),
        "thread_samples": profile.findings,
        "service_threads": profile.service,
        "filtered_frames": profile.filtered,
        "lumped_thread_samples": profile.lumped,
        "virtual_threads": profile.has_virtual,
        "notes": about.notes,
    });
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

fn row(row: &Row) -> Value {
    value!({
        "keys": keys(row),
        "state": row.state.name(),
        "samples": row.samples,
        "percent": percent(row.share()),
        "error_percent": percent(row.error()),
        "low_percent": percent(row.interval().0),
        "high_percent": percent(row.interval().1),
    })
}

fn percent(share: f64) -> f64 {
    (share * 100.0 * DIGITS).round() / DIGITS
}

fn keys(row: &Row) -> Value {
    match &row.keys {
        Keys::All => value!({}),
        Keys::Thread(name, tid) => value!({"thread": name, "tid": tid}),
        Keys::Group(name, thread_groups) => value!({
            "group": name,
            "thread_groups": thread_groups,
            "threads": row.threads,
        }),
        Keys::Location(spot) => spot_keys(spot),
    }
}

/// A location is null where it is not known; of the JDK's frames alone it says so.
fn spot_keys(spot: &Spot) -> Value {
    let (location, filtered) = match &spot.location {
        Location::At(place) => (Some(place), false),
        Location::Filtered => (None, true),
        Location::Unknown => (None, false),
    };
    value!({"lock": spot.lock, "location": location, "filtered": filtered})
}
