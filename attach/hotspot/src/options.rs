//! VM options that decide whether and how a JVM may be asked to listen: who disabled attaching, who
//! reduced signals.
//!
//! The JVM takes options from several places, in this order, and the last word counts:
//! `JAVA_TOOL_OPTIONS`, `JDK_JAVA_OPTIONS` (launcher of 9 and later), the command line,
//! `_JAVA_OPTIONS`; files named by `-XX:Flags` and `-XX:VMOptionsFile` count where they are named.

use crate::argfile::variable_words;

/// Options and the place they come from.
pub(crate) struct Source {
    pub(crate) place: &'static str,
    pub(crate) options: Vec<String>,
}

impl Source {
    /// Options out of a variable.
    pub(crate) fn variable(place: &'static str, text: &str) -> Source {
        Source {
            place,
            options: variable_words(text),
        }
    }
}

/// Where the JVM itself shows options, from whatever place it has them.
pub(crate) const AMONG_ITS_ARGUMENTS: &str = "among its VM arguments";

/// The place before in which an option stands that the JVM shows.
fn origin(before: &[Source], option: &str) -> &'static str {
    let mut before = before.iter().rev();
    let found = before.find(|source| source.options.iter().any(|other| other == option));
    found.map_or(AMONG_ITS_ARGUMENTS, |source| source.place)
}

/// The option that decided, and where it stood: `-Xrs on the command line`.
pub(crate) type Culprit = String;

/// What the options say about attaching.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AttachOptions {
    /// Attaching is off.
    pub(crate) disabled: Option<Culprit>,
    /// SIGQUIT is not handled and must never be sent.
    pub(crate) reduced_signals: Option<Culprit>,
}

impl AttachOptions {
    /// Reads the sources in the JVM's order; `read` gives the text of a file the options name.
    pub(crate) fn of(sources: &[Source], read: &dyn Fn(&str) -> Option<String>) -> AttachOptions {
        let mut found = AttachOptions::default();
        for (at, source) in sources.iter().enumerate() {
            for option in &source.options {
                let place = match source.place == AMONG_ITS_ARGUMENTS {
                    true => origin(&sources[..at], option),
                    false => source.place,
                };
                found.take(option, place);
                for option in named_file(option, read) {
                    found.take(&option, place);
                }
            }
        }
        found
    }

    fn take(&mut self, option: &str, place: &str) {
        let culprit = || Some(format!("{option} {place}"));
        match option {
            "-XX:+DisableAttachMechanism" => self.disabled = culprit(),
            "-XX:-DisableAttachMechanism" => self.disabled = None,
            "-Xrs" | "-XX:+ReduceSignalUsage" => self.reduced_signals = culprit(),
            "-XX:-ReduceSignalUsage" => self.reduced_signals = None,
            _ => {}
        }
    }
}

fn named_file(option: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    if let Some(text) = option.strip_prefix("-XX:VMOptionsFile=").and_then(read) {
        return variable_words(&text);
    }
    match option.strip_prefix("-XX:Flags=").and_then(read) {
        Some(text) => text
            .split_whitespace()
            .map(|flag| format!("-XX:{flag}"))
            .collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sources: &[(&'static str, &str)]) -> AttachOptions {
        let sources: Vec<_> = sources
            .iter()
            .map(|(place, text)| Source::variable(place, text))
            .collect();
        AttachOptions::of(&sources, &|name| match name {
            "/flags" => Some("+DisableAttachMechanism\n-UsePerfData\n".to_owned()),
            "/options" => Some("-ea -Xrs".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn the_last_word_counts_and_is_named() {
        let off = "-XX:+DisableAttachMechanism";
        let on = "-XX:-DisableAttachMechanism";
        assert_eq!(of(&[("in A", off), ("in B", on)]).disabled, None);
        let found = of(&[("in A", on), ("in B", off)]).disabled;
        assert_eq!(found.as_deref(), Some("-XX:+DisableAttachMechanism in B"));
    }

    #[test]
    fn what_the_jvm_shows_is_named_by_the_place_it_came_from() {
        let off = "-XX:+DisableAttachMechanism";
        let found = of(&[("in A", off), (AMONG_ITS_ARGUMENTS, off)]).disabled;
        assert_eq!(found.as_deref(), Some("-XX:+DisableAttachMechanism in A"));
        let found = of(&[("in A", "-ea"), (AMONG_ITS_ARGUMENTS, off)]).disabled;
        assert_eq!(
            found.as_deref(),
            Some("-XX:+DisableAttachMechanism among its VM arguments")
        );
    }

    #[test]
    fn both_spellings_of_reduced_signals() {
        for option in ["-Xrs", "-XX:+ReduceSignalUsage"] {
            assert!(of(&[("in A", option)]).reduced_signals.is_some());
        }
        assert_eq!(
            of(&[("in A", "-Xrs -XX:-ReduceSignalUsage")]).reduced_signals,
            None
        );
        assert_eq!(of(&[("in A", "-Xrsx -DX=-Xrs")]), AttachOptions::default());
    }

    #[test]
    fn files_named_by_options_are_read() {
        assert!(of(&[("in A", "-XX:Flags=/flags")]).disabled.is_some());
        assert!(
            of(&[("in A", "-XX:VMOptionsFile=/options")])
                .reduced_signals
                .is_some()
        );
        assert_eq!(of(&[("in A", "-XX:Flags=/gone")]), AttachOptions::default());
    }
}
