//! What each operation does by itself on a fresh lock.

use super::bench::{Bench, Outcome, Returned};
use super::lab::{Lab, Session};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Calls after which an operation is said never to wait.
const MANY: u32 = 130;

/// What comes of calling one operation again and again, a thread a call.
pub(super) enum Level<'l, 'b, B> {
    /// So many pass, the next one waits.
    Waits {
        passes: u32,
        blocked: Session<'l, 'b, B>,
    },
    /// So many pass, the next ones return something else.
    Refuses { passes: u32, value: Returned },
    /// All pass alike.
    Never,
    /// It throws or cannot be followed.
    Unclear,
}

/// All operations of a bench, each tried by itself.
pub(super) struct Probes<'l, 'b, B> {
    pub(super) lab: &'l Lab<'b, B>,
    pub(super) levels: Vec<Level<'l, 'b, B>>,
}

impl<'l, 'b, B: Bench> Probes<'l, 'b, B> {
    /// Tries them.
    pub(super) fn new(lab: &'l Lab<'b, B>) -> Self {
        let all = 0..lab.operations().len();
        let levels = all.map(|op| level(lab, op)).collect();
        Self { lab, levels }
    }

    /// The operations that wait, with how many calls pass before one does.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (usize, u32, &Session<'l, 'b, B>)> {
        let all = self.levels.iter().enumerate();
        all.filter_map(|(op, level)| match level {
            Level::Waits { passes, blocked } => Some((op, *passes, blocked)),
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

fn level<'l, 'b, B: Bench>(lab: &'l Lab<'b, B>, operation: usize) -> Level<'l, 'b, B> {
    let mut session = lab.session();
    let mut values: Vec<Returned> = Vec::new();
    for passes in 0..MANY {
        match session.call(passes as usize, operation).own {
            Outcome::Passed(value) => values.push(value),
            Outcome::Waits { .. } => {
                let blocked = session;
                return Level::Waits { passes, blocked };
            }
            Outcome::Threw | Outcome::Stuck => return Level::Unclear,
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
