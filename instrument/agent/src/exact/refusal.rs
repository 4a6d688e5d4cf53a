//! What was asked for and is not rewritten.

use super::select::is_of_juc;
use super::{NAMED, list_of};
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

/// Refusals by name, as far as there is room, and how many more there were. What uses monitors is not kept out by what
/// does not.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals {
    using: Kept,
    others: Kept,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    named: Vec<Refusal>,
    /// Of these one may have been refused several times.
    more: usize,
}

impl Refusals {
    /// Adds one, if it is new.
    pub(super) fn add(&mut self, refusal: Refusal) {
        let Kept { named, more } = match refusal.uses_monitors {
            true => &mut self.using,
            false => &mut self.others,
        };
        // By these others tell whether parks and operations are whole; there are not many.
        let room = named.len() < NAMED || is_of_juc(&refusal.class);
        match room {
            _ if named.contains(&refusal) => {}
            true => named.push(refusal),
            false => *more += 1,
        }
    }

    /// Adds all of these.
    pub(super) fn extend(&mut self, refusals: impl IntoIterator<Item = Refusal>) {
        refusals.into_iter().for_each(|refusal| self.add(refusal));
    }

    /// Those that have a name here.
    pub(super) fn named(&self) -> impl Iterator<Item = &Refusal> {
        self.using.named.iter().chain(&self.others.named)
    }

    /// All of them, as a list; none if there are none.
    pub(super) fn told(&self) -> Option<String> {
        let named: Vec<&Refusal> = self.named().collect();
        let more = self.using.more + self.others.more;
        (!named.is_empty()).then(|| list_of(&named, more))
    }

    /// Those that use monitors, as a list; 0 if there are none.
    pub(super) fn told_using(&self) -> String {
        match self.using.named.is_empty() {
            true => "0".to_owned(),
            false => list_of(&self.using.named, self.using.more),
        }
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
    use crate::exact::select::LOCK_SUPPORT;

    #[test]
    fn those_that_use_monitors_are_not_kept_out_by_others_and_what_is_not_named_is_counted() {
        let mut refusals = Refusals::default();
        assert_eq!(
            (refusals.told(), refusals.told_using().as_str()),
            (None, "0")
        );
        let closure = |n: usize| Refusal::of(&format!("a.Closure{n}"), NO_ROOM);
        for _ in 0..2 {
            refusals.extend((0..NAMED).map(closure));
        }
        refusals.extend((0..30).map(|n| closure(NAMED + n)));
        assert_eq!(refusals.told_using(), "0");
        refusals.add(Refusal::of("a.Locks", NO_ROOM).using_monitors(true));
        refusals.add(Refusal::of(LOCK_SUPPORT, NO_ROOM));
        assert_eq!(refusals.told_using(), format!("a.Locks: {NO_ROOM}"));
        assert!(refusals.named().any(|one| one.concerns(LOCK_SUPPORT)));
        let told = refusals.told().expect("some");
        // One that uses monitors comes first, and those of the JDK's locks have a place of their own.
        assert_eq!(told.lines().count(), NAMED + 1);
        assert!(
            told.starts_with("a.Locks: ") && told.ends_with("\nand 32 more"),
            "{told}"
        );
        let locks = |n: usize| Refusal::of(&format!("a.Locks{n}"), NO_ROOM);
        refusals.extend((0..NAMED + 5).map(|n| locks(n).using_monitors(true)));
        assert!(refusals.told_using().ends_with("\nand 6 more"));
    }

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
