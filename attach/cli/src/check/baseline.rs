//! Findings that are known: their ids, which another run and another build give too.
//!
//! An id is made of the names of its locks. A lock that is in no field is called after the method that was first seen to lock it,
//! so that a new method may change that name, and no finding with it. So a finding of no known id is the same as one that is known and is not
//! found any more if it has the same kind and the same places: one for one, for a method may hold several cycles. Callers that hand
//! locks to such a method are a part of the id, too: fewer of them are nothing new, and others are.

use super::places::{self, places, places_in};
use crate::exit::Failure;
use crate::replace::Replace;
use crate::terminal;
use locklens_inference::deadlock::finding::{Finding, Report, Tier};
use locklens_viz::deadlocks::headline;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
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
    /// See [`mod@places`].
    places: Option<String>,
    /// Callers that hand in its locks; none in an older baseline.
    given: Option<Given>,
    /// Those of what stands between are among them; not in an older baseline.
    between: bool,
    /// How many have this name; none in an older baseline, which takes any number for known.
    alike: Option<u64>,
    /// Of how many numbered methods; none in an older baseline.
    numbered: Option<u64>,
}

type Given = BTreeSet<String>;

impl Known {
    fn of(finding: &Finding, given: &Given) -> Self {
        Self {
            headline: headline(finding),
            tier: Some(finding.tier),
            places: places(finding),
            given: Some(given.clone()),
            between: true,
            alike: Some(finding.alike),
            numbered: Some(finding.numbered),
        }
    }

    /// Whether no other callers tell it from this one, where it knows callers; of an older one, callers of the methods that it knows some of.
    fn gives(&self, telling: &Given) -> bool {
        if let Some(given) = self.given.as_ref().filter(|_| self.between) {
            return given.is_empty() || telling.is_subset(given);
        }
        let method = |by: &str| by.split(' ').next().map(str::to_owned);
        let known = self.given.iter().flatten();
        let methods: BTreeSet<_> = known.map(|by| method(by)).collect();
        let mut new = telling.iter().filter(|by| methods.contains(&method(by)));
        new.all(|by| self.given.as_ref().is_some_and(|all| all.contains(by)))
    }

    /// How many had its name, if there are more now. In a run that shows less, some that had something in common may seem to have
    /// nothing: but it shows no methods that were not there before.
    fn fewer(&self, finding: &Finding) -> Option<u64> {
        let numbered = self
            .numbered
            .filter(|numbered| *numbered < finding.numbered);
        let alike = self.alike.filter(|alike| *alike < finding.alike);
        numbered.and(alike)
    }

    /// It was proved as well then as this one is now, and as many had its name.
    fn covers(&self, finding: &Finding) -> bool {
        if self.fewer(finding).is_some() {
            return false;
        }
        match self.tier {
            Some(tier) => tier <= finding.tier,
            // Of an older baseline: not what has happened since.
            None => finding.tier != Tier::T0,
        }
    }
}

/// A finding that is known under another id.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Renamed {
    /// That of now.
    pub(super) id: String,
    /// That of the baseline.
    pub(super) known: String,
}

/// By id.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, Known>,
    /// Ids that were found, be they told or not: who has one of them has no other id now.
    found: BTreeSet<String>,
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
            let places = match &entry["places"] {
                Value::String(places) => Some(places.clone()),
                _ => places_in(entry),
            };
            let given = entry["given_by"].as_array().map(|given| {
                let words = given.iter().filter_map(Value::as_str);
                words.map(str::to_owned).collect()
            });
            let known = Known {
                headline: entry["headline"].as_str().unwrap_or_default().to_owned(),
                tier: entry["tier"].as_str().and_then(Tier::parse),
                places,
                given,
                between: entry["between"] == true,
                alike: entry["alike"].as_u64(),
                numbered: entry["numbered"].as_u64(),
            };
            Some((entry["id"].as_str()?.to_owned(), known))
        });
        let known = known.collect::<Option<_>>()?;
        let found = BTreeSet::new();
        Some((Self { known, found }, own.is_none()))
    }

    /// Takes in all that was found, before any of it is left out.
    pub(super) fn saw(&mut self, report: &Report) {
        let ids = report.findings.iter().map(|finding| finding.id.clone());
        self.found.extend(ids);
    }

    pub(super) fn knows(&self, finding: &Finding) -> bool {
        let known = self.known.get(&finding.id);
        known.is_some_and(|known| known.covers(finding))
    }

    /// How many that have the name of a finding it knows, if there are more now.
    pub(super) fn fewer(&self, finding: &Finding) -> Option<u64> {
        self.known.get(&finding.id)?.fewer(finding)
    }

    /// Those of these that are known under other ids, which none of them has.
    pub(super) fn renamed(&self, report: &Report) -> Vec<Renamed> {
        let findings = &report.findings;
        let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.id.as_str()).collect();
        let free = |(id, _): &(&String, &Known)| {
            !ids.contains(id.as_str()) && !self.found.contains(id.as_str())
        };
        let mut free: Vec<(&String, &Known)> = self.known.iter().filter(free).collect();
        let unknown = findings.iter();
        let unknown = unknown.filter(|finding| !self.known.contains_key(&finding.id));
        let unknown = unknown.filter_map(|finding| Some((finding, places(finding)?)));
        let unknown: Vec<(&Finding, String)> = unknown.collect();
        let mut renamed: Vec<Renamed> = Vec::new();
        // How much of a chain is known may be chance: the same chain goes before one that goes on.
        let are_equal = |one: &str, other: &str| one == other;
        for fits in [are_equal, places::fit] {
            for (finding, places) in &unknown {
                if renamed.iter().any(|one| one.id == finding.id) {
                    continue;
                }
                let telling = of(&report.telling, finding);
                let same = |(_, known): &(&String, &Known)| {
                    let there = known.places.as_ref().is_some_and(|own| fits(own, places));
                    there && known.covers(finding) && known.gives(telling)
                };
                if let Some(at) = free.iter().position(same) {
                    renamed.push(Renamed {
                        id: finding.id.clone(),
                        known: free.remove(at).0.clone(),
                    });
                }
            }
        }
        renamed
    }

    /// Adds what it does not know, and says in headlines what that was. What has another id now has that from now on, but where
    /// it has only fewer callers: the others may come again.
    pub(super) fn add(&mut self, report: &Report) -> Vec<String> {
        let renamed = self.renamed(report);
        let mut added = Vec::new();
        for finding in &report.findings {
            let given = of(&report.given, finding);
            let old = renamed.iter().find(|old| old.id == finding.id);
            let mut proved = None;
            if let Some(Renamed { known: id, .. }) = old {
                let all = self.known.get(id).and_then(|known| known.given.as_ref());
                if all.is_some_and(|all| all != given && all.is_superset(given)) {
                    continue;
                }
                proved = self.known.remove(id).and_then(|known| known.tier);
            }
            if !self.knows(finding) {
                let mut known = Known::of(finding, given);
                let before = self.known.get(&finding.id);
                // What was proved better once is nothing new when it is again.
                let proved = proved.or(before.and_then(|before| before.tier));
                known.tier = proved.into_iter().chain(known.tier).min();
                known.alike = known.alike.max(before.and_then(|before| before.alike));
                known.numbered = known
                    .numbered
                    .max(before.and_then(|before| before.numbered));
                if old.is_none() {
                    added.push(known.headline.clone());
                }
                self.known.insert(finding.id.clone(), known);
            }
        }
        added
    }

    fn document(&self) -> Value {
        let known = self.known.iter().map(|(id, known)| {
            let tier = known.tier.map(Tier::name);
            json!({"id": id, "headline": known.headline, "tier": tier, "places": known.places, "given_by": known.given, "between": known.between, "alike": known.alike, "numbered": known.numbered})
        });
        json!({"schema": SCHEMA, "known": known.collect::<Vec<_>>()})
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let document = self.document();
        terminal::write(path, Replace::forced(false), |out| {
            locklens_viz::json::pretty(&document, out)?;
            writeln!(out)
        })?;
        Ok(())
    }
}

/// Callers by which the locks of a finding come into methods that lock what they are handed.
fn of<'r>(all: &'r BTreeMap<String, Given>, finding: &Finding) -> &'r Given {
    static NONE: Given = Given::new();
    all.get(&finding.id).unwrap_or(&NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_inference::deadlock::finding::{Kind, Memory, Part, Resource, What};
    use locklens_inference::nesting::graph::ThreadName;

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

    /// A report of one cycle of two locks in `App.two` under this id.
    fn report(id: &str, line: u32) -> String {
        let edge = format!(
            r#"{{"holds_mode":"exclusive","holds_at":["App.two:{line}","App.lambda$main$1:7"],"wants_mode":"exclusive","wants_at":["App.two:{line}"]}}"#
        );
        format!(
            r#"{{"schema":1,"deadlocks":[{{"id":"{id}","headline":"x","tier":"T3","kind":"order","edges":[{edge},{edge}]}}]}}"#
        )
    }

    fn finding(id: &str, frames: [&str; 2]) -> Finding {
        let thread = ThreadName {
            name: "a".to_owned(),
            tid: None,
        };
        let part = Part {
            thread,
            holds_at: frames.map(str::to_owned).into(),
            wants_at: vec![frames[0].to_owned()],
            wants_object: None,
            mode: "exclusive",
            count: 1,
            also_at: Vec::new(),
            timed: false,
            also_holds: Vec::new(),
        };
        let lock = Resource {
            name: id.to_owned(),
            id: String::new(),
            types: String::new(),
            mode: "exclusive",
            what: What::Lock,
            object: None,
        };
        Finding {
            id: id.to_owned(),
            tier: Tier::T3,
            kind: Kind::Order,
            stall: false,
            locks: vec![lock.clone(), lock],
            edges: vec![part.clone(), part],
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: None,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        }
    }

    fn report_of(findings: &[Finding]) -> Report {
        Report {
            findings: findings.to_vec(),
            ..Report::default()
        }
    }

    /// The one finding of this id, with its locks handed in by these.
    fn given_by(id: &str, callers: &[&str]) -> Report {
        let given = callers.iter().map(|by| format!("App.two by {by}"));
        let given: Given = given.collect();
        let found = report_of(&[finding(id, ["App.two:11", "App.lambda$main$3:8"])]);
        Report {
            given: [(id.to_owned(), given.clone())].into(),
            telling: [(id.to_owned(), given)].into(),
            ..found
        }
    }

    #[test]
    fn other_callers_make_another_finding_and_fewer_do_not() {
        let mut baseline = Baseline::default();
        baseline.add(&given_by("D1", &["App.a(?)", "App.b(?)"]));
        let text = baseline.document().to_string();
        let (baseline, _) = Baseline::parse(&text).unwrap();
        let known = |callers| baseline.renamed(&given_by("D2", callers)).len();
        assert_eq!(known(&["App.a(?)"]), 1);
        assert_eq!(known(&["App.a(?)", "App.b(?)", "App.c(?)"]), 0);
        assert_eq!(known(&["App.c(?)"]), 0);
        let mut fewer = baseline;
        assert_eq!(fewer.add(&given_by("D2", &["App.a(?)"])), [""; 0]);
        assert_eq!(
            fewer.known.keys().collect::<Vec<_>>(),
            ["D1"],
            "they may come again"
        );
        let (older, _) = Baseline::parse(&report("D1", 9)).unwrap();
        assert_eq!(older.renamed(&given_by("D2", &["App.c(?)"])).len(), 1);
    }

    #[test]
    fn who_hands_in_by_a_way_that_is_not_known_yet_makes_another_finding_unless_the_baseline_is_older()
     {
        let by = |way: &str| {
            let mut found = given_by("D2", &["App.a(?)"]);
            for all in [&mut found.given, &mut found.telling] {
                let known = all.get_mut("D2").unwrap();
                known.insert(format!("{way} by App.b(App.c, App.d)"));
            }
            found
        };
        let mut baseline = Baseline::default();
        baseline.add(&given_by("D1", &["App.a(?)"]));
        let mut document = baseline.document();
        assert_eq!(baseline.renamed(&by("App.two")), []);
        assert_eq!(baseline.renamed(&by("Clerk.<init>")), []);
        document["known"][0]["between"] = Value::Null;
        let (older, _) = Baseline::parse(&document.to_string()).unwrap();
        assert_eq!(older.renamed(&by("App.two")), []);
        assert_eq!(older.renamed(&by("Clerk.<init>")).len(), 1);
    }

    #[test]
    fn a_finding_whose_locks_have_other_names_now_is_known_by_its_places_one_for_one() {
        let (baseline, _) = Baseline::parse(&report("D1", 9)).unwrap();
        let here = ["App.two:11", "App.lambda$main$3:8"];
        let renamed = |findings: &[Finding]| {
            let renamed = baseline.renamed(&report_of(findings));
            let ids = renamed.into_iter().map(|one| (one.id, one.known));
            ids.collect::<Vec<_>>()
        };
        let both = ("D2".to_owned(), "D1".to_owned());
        assert_eq!(renamed(&[finding("D2", here)]), std::slice::from_ref(&both));
        assert_eq!(renamed(&[finding("D2", here), finding("D3", here)]), [both]);
        let still_there = [finding("D1", here), finding("D2", here)];
        assert_eq!(renamed(&still_there), []);
        let elsewhere = finding("D2", ["App.two:11", "App.lambda$other$3:8"]);
        assert_eq!(renamed(&[elsewhere]), []);
        let proved = Finding {
            tier: Tier::T0,
            ..finding("D2", here)
        };
        assert_eq!(renamed(&[proved]), []);
    }

    #[test]
    fn what_was_proved_better_once_stays_so() {
        let places = ["App.one:1", "App.two:2"];
        let (mut good, mut worse) = (finding("D1", places), finding("D1", places));
        (good.tier, worse.tier) = (Tier::T1, Tier::T4);
        (worse.alike, worse.numbered) = (good.alike + 1, good.numbered + 1);
        let mut renamed = finding("D2", places);
        (renamed.tier, renamed.alike, renamed.numbered) = (Tier::T3, worse.alike, worse.numbered);
        let mut baseline = Baseline::default();
        for finding in [&good, &worse, &renamed] {
            baseline.add(&report_of(std::slice::from_ref(finding)));
            assert!(baseline.knows(finding), "{}", finding.id);
        }
        let again = Finding {
            tier: Tier::T1,
            ..renamed
        };
        assert!(baseline.knows(&again));
    }

    #[test]
    fn one_more_of_the_same_name_is_new() {
        let here = ["App.lambda$main$1:11", "App.run:8"];
        let of = |alike: u64| Finding {
            alike,
            numbered: 2 * alike,
            ..finding("D1", here)
        };
        let mut baseline = Baseline::default();
        baseline.add(&report_of(&[of(2)]));
        let text = baseline.document().to_string();
        let (mut baseline, _) = Baseline::parse(&text).unwrap();
        let known = [1, 2, 3].map(|alike| baseline.knows(&of(alike)));
        assert_eq!(known, [true, true, false]);
        let parted = Finding {
            numbered: 4,
            ..of(3)
        };
        assert!(baseline.knows(&parted), "of the same methods");
        assert_eq!(baseline.fewer(&of(3)), Some(2));
        assert_eq!(baseline.add(&report_of(&[of(3)])).len(), 1);
        assert!(baseline.knows(&of(3)));
        let (older, _) = Baseline::parse(&report("D1", 9)).unwrap();
        assert!(older.knows(&of(3)), "it does not say how many");
    }

    #[test]
    fn places_are_written_and_read_again() {
        let mut baseline = Baseline::default();
        let here = ["App.two:11", "App.lambda$main$3:8"];
        baseline.add(&report_of(&[finding("D1", here)]));
        let text = baseline.document().to_string();
        let (read, _) = Baseline::parse(&text).unwrap();
        assert_eq!(read.renamed(&report_of(&[finding("D2", here)])).len(), 1);
        assert_eq!(baseline.add(&report_of(&[finding("D2", here)])), [""; 0]);
        assert_eq!(baseline.known.keys().collect::<Vec<_>>(), ["D2"]);
    }
}
