//! What was asked for and is not rewritten.

use locklens_rewrite::Refused;
use std::fmt;

/// Of what cannot be remembered.
pub(super) const NO_ROOM: &str = "no room for it under the agent's ceiling (--buffer)";

/// A class, or a method of it, that stays as it is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    class: String,
    /// With its descriptor; none if it is the whole class.
    method: Option<String>,
    why: String,
    /// Its code locks, waits or notifies, as far as is known: what it does with the chosen locks is missing.
    uses_monitors: bool,
}

impl Refusal {
    /// Of a whole class.
    pub(super) fn of(class: &str, why: impl Into<String>) -> Self {
        Self {
            class: class.to_owned(),
            method: None,
            why: why.into(),
            uses_monitors: false,
        }
    }

    /// The same of code that locks, waits or notifies, if it does.
    pub(super) fn using_monitors(mut self, uses: bool) -> Self {
        self.uses_monitors = uses;
        self
    }

    /// Whether the record of locks lacks something for it.
    pub(super) fn uses_monitors(&self) -> bool {
        self.uses_monitors
    }

    /// Of a method, as the rewriter says.
    pub(super) fn of_method(class: &str, refused: &Refused) -> Self {
        Self {
            class: class.to_owned(),
            method: Some(format!("{}{}", refused.name, refused.descriptor)),
            why: refused.reason.to_string(),
            uses_monitors: false,
        }
    }

    /// The class, or the one that the method is of.
    pub(super) fn class(&self) -> &str {
        &self.class
    }

    /// Whether it is of this class, or of a part of it.
    pub(super) fn concerns(&self, class: &str) -> bool {
        self.class == class
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Some(method) => write!(f, "{}.{method}: {}", self.class, self.why),
            None => write!(f, "{}: {}", self.class, self.why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_concerns_its_class_and_none_that_is_called_nearly_so() {
        let whole = Refusal::of("a.B", "it is a hidden class");
        let part = Refusal {
            method: Some("run()V".to_owned()),
            ..whole.clone()
        };
        assert_eq!(whole.to_string(), "a.B: it is a hidden class");
        assert_eq!(part.to_string(), "a.B.run()V: it is a hidden class");
        for refusal in [whole, part] {
            assert!(refusal.concerns("a.B") && !refusal.concerns("a.BC"));
            assert!(!refusal.concerns("a"));
        }
    }
}
