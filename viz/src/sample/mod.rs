//! What samples of thread states came to: a table and histograms for people ([`text`]), rows for programs ([`json`]).

mod json;
mod text;

pub use json::{SCHEMA, json};
pub use text::text;

use locklens_inference::sample::By;

/// What the samples are of, in words.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// `JVM 4242 (Main)`, `3 thread dumps`.
    pub subject: String,
    /// `by the agent`, `by thread dumps`; may be empty.
    pub how: String,
    /// What else is to be known of them.
    pub notes: Vec<String>,
    /// What rows are wanted for.
    pub by: By,
}

fn name(by: By) -> &'static str {
    match by {
        By::Thread => "thread",
        By::Group => "group",
        By::Location => "location",
    }
}
