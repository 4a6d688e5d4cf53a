//! Findings that are not to be told, in the manner of ThreadSanitizer: `deadlock:GLOB`, a line for each.
//!
//! A pattern is looked for anywhere in an id, a name of a lock, the names around the cycle as the headline has them, or a place; `*` stands for anything, `^` at its beginning
//! and `$` at its end for the beginning and the end. Lines for other kinds of reports are left alone.

use crate::exit::Failure;
use locklens_inference::deadlock::finding::Finding;
use locklens_viz::deadlocks::around;
use std::path::Path;

#[derive(Debug)]
pub(super) struct Suppressions(Vec<Pattern>);

/// What a line looks for.
#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    /// As it was written.
    text: String,
    /// Pieces of text in their order.
    pieces: Vec<String>,
}

impl Suppressions {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::usage(format_args!("can't read {}: {error}", path.display()))
        })?;
        Self::parse(&text).map_err(|line| {
            Failure::usage(format_args!("{}, line {line}: no suppression", path.display()))
                .hint("a line is deadlock:GLOB, where GLOB is an id, or (part of) a name of a lock or place, or of the names in the headline")
        })
    }

    /// The number of the first line that makes no sense, if there is one.
    fn parse(text: &str) -> Result<Self, usize> {
        let mut patterns = Vec::new();
        // Editors may put a mark at the beginning.
        let text = text.trim_start_matches('\u{feff}');
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(':') {
                Some((_, pattern)) if pattern.trim().is_empty() => return Err(number),
                None => return Err(number),
                Some((kind, pattern)) if is_meant(kind) => {
                    patterns.push(Pattern::of(pattern.trim()));
                }
                Some(_) => {}
            }
        }
        Ok(Self(patterns))
    }

    /// Whether a finding is named by one of them.
    pub(super) fn names(&self, finding: &Finding) -> bool {
        self.0.iter().any(|pattern| pattern.names(finding))
    }

    /// Those that name none of these.
    pub(super) fn idle<'s>(&'s self, findings: &[Finding]) -> impl Iterator<Item = &'s str> {
        let idle = |pattern: &&Pattern| !findings.iter().any(|finding| pattern.names(finding));
        let idle: Vec<&Pattern> = self.0.iter().filter(idle).collect();
        idle.into_iter().map(|pattern| pattern.text.as_str())
    }
}

/// `deadlock`, also as somebody in a hurry writes it: a line that counts for nothing without a word would be worse.
fn is_meant(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    matches!(kind.as_str(), "deadlock" | "deadlocks")
}

impl Pattern {
    fn names(&self, finding: &Finding) -> bool {
        let locks = finding.locks.iter().map(|lock| &lock.name);
        let places = finding.edges.iter().flat_map(|edge| {
            let also = edge.also_at.iter();
            let also = also.flat_map(|also| also.holds_at.iter().chain(&also.wants_at));
            edge.holds_at.iter().chain(&edge.wants_at).chain(also)
        });
        let ring = around(finding);
        let mut texts = locks.chain(places).chain([&finding.id, &ring]);
        texts.any(|text| self.is_in(text))
    }

    /// As one that matches from the beginning to the end.
    fn of(text: &str) -> Self {
        let anchored = |anchor: char| text.strip_prefix(anchor).is_none();
        let front = if anchored('^') { "*" } else { "" };
        let (rest, back) = match text.strip_suffix('$') {
            Some(rest) => (rest, ""),
            None => (text, "*"),
        };
        let rest = rest.strip_prefix('^').unwrap_or(rest);
        let whole = format!("{front}{rest}{back}");
        Self {
            text: text.to_owned(),
            pieces: whole.split('*').map(str::to_owned).collect(),
        }
    }

    fn is_in(&self, text: &str) -> bool {
        let [first, middle @ .., last] = self.pieces.as_slice() else {
            return self.pieces.first().is_some_and(|only| only == text);
        };
        let Some(mut rest) = text
            .strip_prefix(first.as_str())
            .and_then(|rest| rest.strip_suffix(last.as_str()))
        else {
            return false;
        };
        middle.iter().all(|piece| {
            let at = rest.find(piece.as_str());
            rest = at.map_or(rest, |at| &rest[at + piece.len()..]);
            at.is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_inference::deadlock::finding::{Kind, Memory, Resource, Tier, What};

    #[test]
    fn patterns_are_found_anywhere_unless_they_say_where() {
        let found = |pattern: &str, text: &str| Pattern::of(pattern).is_in(text);
        assert!(found("Pool", "shop.Pool.take:12"));
        assert!(found("shop.*take", "shop.Pool.take:12"));
        assert!(found("^shop.Pool.take:12$", "shop.Pool.take:12"));
        assert!(!found("^Pool", "shop.Pool"));
        assert!(!found("Pool$", "shop.Pools"));
        assert!(!found("take*shop", "shop.Pool.take"));
        assert!(!found("aba$", "ab"));
        assert!(!found("^ab*ba$", "aba"));
    }

    #[test]
    fn a_line_is_meant_however_an_editor_or_a_hurry_has_written_it() {
        let of = |text: &str| Suppressions::parse(text).map(|all| all.0.len());
        for text in [
            "deadlock:A",
            "\u{feff}deadlock:A",
            "Deadlock:A",
            "deadlocks : A",
        ] {
            assert_eq!(of(text), Ok(1), "{text:?}");
        }
        assert_eq!(of("race:A\n# deadlock:A"), Ok(0));
        assert_eq!(of("\ndeadlock:"), Err(2));
    }

    /// As it is copied from a report, with whatever was left out of the middle.
    #[test]
    fn the_cycle_of_a_headline_is_found() {
        let lock = |name: &str| Resource {
            name: name.to_owned(),
            id: String::new(),
            types: String::new(),
            mode: "exclusive",
            what: What::Lock,
            object: None,
        };
        let finding = Finding {
            id: "D1".to_owned(),
            tier: Tier::T3,
            kind: Kind::Order,
            stall: false,
            locks: vec![lock("Two.cup"), lock("Two.pot")],
            edges: Vec::new(),
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: None,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        };
        let names = |pattern: &str| Pattern::of(pattern).names(&finding);
        assert!(names("Two.cup*Two.pot"));
        assert!(names("^Two.cup → Two.pot → Two.cup$"));
        assert!(!names("order"), "kinds and tiers are no part of it");
    }

    #[test]
    fn a_file_of_them() {
        let parsed = Suppressions::parse("# ours\n\ndeadlock:Pool\nrace:Other\n").unwrap();
        assert_eq!(parsed.0, [Pattern::of("Pool")]);
        assert_eq!(Suppressions::parse("deadlock:a\nPool").unwrap_err(), 2);
        assert_eq!(Suppressions::parse("deadlock:").unwrap_err(), 1);
    }
}
