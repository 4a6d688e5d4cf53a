//! Findings that are known: their ids, which another run and another build give too.

use crate::exit::Failure;
use crate::replace::Replace;
use crate::terminal;
use locklens_inference::deadlock::finding::Finding;
use locklens_viz::deadlocks::headline;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Version of the file.
const SCHEMA: u64 = 1;

/// Headlines by id.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, String>,
}

impl Baseline {
    /// Reads it; one that is to be written need not be there yet.
    pub(super) fn read(path: &Path, may_be_new: bool) -> Result<Self, Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if may_be_new && error.kind() == ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => {
                let failure =
                    Failure::usage(format_args!("can't read {}: {error}", path.display()));
                return Err(failure.hint("--update-baseline writes one"));
            }
        };
        Self::parse(&text).ok_or_else(|| {
            Failure::usage(format_args!(
                "{} is no baseline of locklens",
                path.display()
            ))
            .hint("a file that 'locklens check FILE --baseline NEW --update-baseline' wrote")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let document: Value = serde_json::from_str(text).ok()?;
        (document["schema"] == SCHEMA).then_some(())?;
        let known = document["known"].as_array()?.iter().map(|entry| {
            let headline = entry["headline"].as_str().unwrap_or_default();
            Some((entry["id"].as_str()?.to_owned(), headline.to_owned()))
        });
        Some(Self {
            known: known.collect::<Option<_>>()?,
        })
    }

    pub(super) fn knows(&self, finding: &Finding) -> bool {
        self.known.contains_key(&finding.id)
    }

    /// Adds what it does not know; how many that were.
    pub(super) fn add(&mut self, findings: &[Finding]) -> u64 {
        let before = self.known.len();
        for finding in findings {
            let entry = self.known.entry(finding.id.clone());
            entry.or_insert_with(|| headline(finding));
        }
        (self.known.len() - before) as u64
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let known = self
            .known
            .iter()
            .map(|(id, headline)| json!({"id": id, "headline": headline}));
        let document = json!({"schema": SCHEMA, "known": known.collect::<Vec<_>>()});
        terminal::write(path, Replace::forced(false), |out| {
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_baseline_is_one() {
        let known = Baseline::parse(r#"{"schema":1,"known":[{"id":"D1","headline":"x"}]}"#);
        assert!(known.is_some_and(|b| b.known.contains_key("D1")));
        for other in [
            "",
            "{}",
            "[]",
            r#"{"schema":2,"known":[]}"#,
            r#"{"schema":1,"known":[{}]}"#,
        ] {
            assert!(Baseline::parse(other).is_none(), "{other}");
        }
    }
}
