//! What each operation does by itself on a fresh lock.

use super::bench::{Bench, Outcome, Returned};
use super::lab::{Aside, Lab, Session, THREADS};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Calls after which an operation is said never to wait.
const MANY: u32 = 130;

/// What comes of calling one operation again and again, a thread a call.
pub(super) enum Level<B> {
    /// So many pass, the next one waits.
    Waits { passes: u32, blocked: Aside<B> },
    /// So many pass, the next ones return something else.
    Refuses { passes: u32, value: Returned },
    /// All pass alike.
    Never,
    /// One of the calls throws.
    Throws,
    /// It cannot be followed.
    Unclear,
}

/// All operations of a bench, each tried by itself.
pub(super) struct Probes<'b, B> {
    pub(super) lab: Lab<'b, B>,
    pub(super) levels: Vec<Level<B>>,
}

/// An operation that waits when it has been called often enough.
pub(super) struct Waiting<'l, 'b, B> {
    pub(super) operation: usize,
    /// Calls that pass before one waits.
    pub(super) passes: u32,
    /// The thread that waits then …
    pub(super) thread: usize,
    /// … and the lock.
    pub(super) blocked: Session<'l, 'b, B>,
}

impl<'b, B: Bench> Probes<'b, B> {
    /// Tries them.
    pub(super) fn new(lab: Lab<'b, B>) -> Self {
        let all = 0..lab.operations().len();
        let levels = all.map(|op| level(&lab, op)).collect();
        Self { lab, levels }
    }

    /// The operations that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Waiting<'_, 'b, B>> {
        let all = self.levels.iter().enumerate();
        all.filter_map(|(operation, level)| match level {
            Level::Waits { passes, blocked } => Some(Waiting {
                operation,
                passes: *passes,
                thread: thread(*passes),
                blocked: self.lab.resume(blocked),
            }),
            _ => None,
        })
    }

    /// All operations except this one.
    pub(super) fn others(&self, than: usize) -> impl Iterator<Item = usize> {
        (0..self.levels.len()).filter(move |&op| op != than)
    }

    /// Called on a fresh lock it waits.
    pub(super) fn waits_at_once(&self, operation: usize) -> bool {
        matches!(self.levels[operation], Level::Waits { passes: 0, .. })
    }
}

/// The thread that makes the call after so many.
fn thread(passes: u32) -> usize {
    passes as usize % THREADS
}

fn level<B: Bench>(lab: &Lab<'_, B>, operation: usize) -> Level<B> {
    let mut session = lab.session();
    let mut values: Vec<Returned> = Vec::new();
    for passes in 0..MANY {
        match session.call(thread(passes), operation).own {
            Outcome::Passed(value) => values.push(value),
            Outcome::Waits { .. } => {
                let blocked = session.aside();
                return Level::Waits { passes, blocked };
            }
            Outcome::Threw => return Level::Throws,
            Outcome::Stuck => return Level::Unclear,
        }
        if let Some(value) = refusal(&values) {
            let passes = passes - 1;
            return Level::Refuses { passes, value };
        }
    }
    Level::Never
}

/// The last two calls returned the same, and something else than all before: nothing, or a number
/// such as false.
fn refusal(values: &[Returned]) -> Option<Returned> {
    let [before @ .., a, b] = values else {
        return None;
    };
    let first = before.first()?;
    let empty = matches!(b, Returned::Number(_) | Returned::Null);
    (a == b && a != first && empty).then_some(*b)
}

/// Which operations may play which role.
pub(super) enum Allowed {
    /// Any.
    All,
    /// These.
    Only(BTreeMap<Role, BTreeSet<usize>>),
}

impl Allowed {
    /// Whether an operation may play a role.
    pub(super) fn allows(&self, role: Role, operation: usize) -> bool {
        match self {
            Self::All => true,
            Self::Only(cast) => cast.get(&role).is_some_and(|set| set.contains(&operation)),
        }
    }
}
