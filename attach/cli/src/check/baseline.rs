//! Findings that are known: their ids, which another run and another build give too.

use crate::exit::Failure;
use crate::replace::Replace;
use crate::terminal;
use locklens_inference::deadlock::finding::{Finding, Tier};
use locklens_viz::deadlocks::headline;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Version of the file.
const SCHEMA: u64 = 1;

/// What is known of a finding.
#[derive(Debug)]
struct Known {
    headline: String,
    /// How well it was proved; a finding that is proved better is another one to a gate.
    tier: Option<Tier>,
}

/// By id.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, Known>,
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
        let (found, is_report) = Self::parse(&text).ok_or_else(|| {
            Failure::usage(format_args!(
                "{} is no baseline of locklens",
                path.display()
            ))
            .hint("what 'locklens check FILE --baseline NEW --update-baseline' or 'locklens check FILE --json' wrote")
        })?;
        match is_report && may_be_new {
            true => Err(Failure::usage(format_args!(
                "{} is a report: it would be overwritten",
                path.display()
            ))
            .hint("--update-baseline with another file; a report is a baseline as it is")),
            false => Ok(found),
        }
    }

    /// Of a baseline, or of a report; and whether it is that.
    fn parse(text: &str) -> Option<(Self, bool)> {
        let document: Value = serde_json::from_str(text).ok()?;
        (document["schema"] == SCHEMA).then_some(())?;
        let own = document["known"].as_array();
        let listed = own.or_else(|| document["deadlocks"].as_array())?;
        let known = listed.iter().map(|entry| {
            let known = Known {
                headline: entry["headline"].as_str().unwrap_or_default().to_owned(),
                tier: entry["tier"].as_str().and_then(Tier::parse),
            };
            Some((entry["id"].as_str()?.to_owned(), known))
        });
        let known = known.collect::<Option<_>>()?;
        Some((Self { known }, own.is_none()))
    }

    pub(super) fn knows(&self, finding: &Finding) -> bool {
        let known = self.known.get(&finding.id);
        known.is_some_and(|known| match known.tier {
            Some(tier) => tier <= finding.tier,
            // Of an older baseline: not what has happened since.
            None => finding.tier != Tier::T0,
        })
    }

    /// Adds what it does not know, and says in headlines what that was.
    pub(super) fn add(&mut self, findings: &[Finding]) -> Vec<String> {
        let mut added = Vec::new();
        for finding in findings {
            if !self.knows(finding) {
                let known = Known {
                    headline: headline(finding),
                    tier: Some(finding.tier),
                };
                added.push(known.headline.clone());
                self.known.insert(finding.id.clone(), known);
            }
        }
        added
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let known = self
            .known
            .iter()
            .map(|(id, known)| json!({"id": id, "headline": known.headline, "tier": known.tier.map(Tier::name)}));
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
        assert!(known.is_some_and(|(b, is_report)| b.known.contains_key("D1") && !is_report));
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

    #[test]
    fn so_is_what_check_has_printed_for_programs() {
        let report = r#"{"schema":1,"deadlocks":[{"id":"D1","headline":"x","tier":"T3","kind":"order"}],"excluded":[]}"#;
        let (baseline, is_report) = Baseline::parse(report).unwrap();
        assert_eq!(baseline.known["D1"].tier, Some(Tier::T3));
        assert!(is_report);
    }
}
