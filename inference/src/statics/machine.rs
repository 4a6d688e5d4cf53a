//! The guarded counter machine of a lock, as text: what `show` prints.

use super::automaton::{Automaton, Behaviour};
use super::program::Program;
use super::render::Renderer;
use super::step::{End, Step, Timeout};
use crate::region::RegionId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What the regions of a lock do, read off their code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// By region.
    pub regions: BTreeMap<RegionId, RegionMachine>,
}

/// What one region does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionMachine {
    /// Binary class name and method.
    pub name: String,
    /// Conditions under which it waits, any of them; empty if it never does.
    pub waits_while: BTreeSet<String>,
    /// What it changes before it waits.
    pub changes_before_waiting: BTreeSet<String>,
    /// What it changes on paths that leave without waiting again.
    pub changes: BTreeSet<String>,
    /// What it notifies, and when.
    pub notifies: BTreeSet<String>,
    /// Some paths were too long to follow.
    pub incomplete: bool,
}

impl Machine {
    pub(super) fn new(program: &Program, automaton: &Automaton) -> Self {
        let show = Renderer {
            program,
            x: &automaton.x,
        };
        let one = |(&id, behaviour): (&RegionId, &Behaviour)| (id, region(&show, behaviour));
        Self {
            regions: automaton.regions.iter().map(one).collect(),
        }
    }
}

fn region(show: &Renderer<'_>, behaviour: &Behaviour) -> RegionMachine {
    let def = &show.program.methods[behaviour.method].def;
    let mut out = RegionMachine {
        name: format!("{}.{}", show.program.classes.name(def.class), def.name),
        incomplete: behaviour.cut,
        ..RegionMachine::default()
    };
    for step in &behaviour.steps {
        match step.end {
            End::Waits(_, timeout) => {
                out.waits_while.insert(wait_condition(show, step, timeout));
                out.changes_before_waiting.extend(changes(show, step));
            }
            End::Leaves(_) => out.changes.extend(changes(show, step)),
            End::Throws => continue,
        }
        out.notifies.extend(notifies(show, step));
    }
    out
}

fn wait_condition(show: &Renderer<'_>, step: &Step, timeout: Timeout) -> String {
    let when = match show.facts(&step.facts) {
        empty if empty.is_empty() => "always".to_owned(),
        facts => facts,
    };
    match timeout {
        Timeout::Never => when,
        Timeout::Millis(ms) => format!("{when} (at most {ms} ms)"),
        Timeout::Some => format!("{when} (with a time-out)"),
    }
}

fn changes(show: &Renderer<'_>, step: &Step) -> Vec<String> {
    let one = |(&place, &value)| format!("{} := {}", show.value(place), show.value(value));
    let changes: Vec<_> = step.updates.iter().map(one).collect();
    if changes.is_empty() {
        return Vec::new();
    }
    let when = match show.facts(&step.facts) {
        empty if empty.is_empty() => String::new(),
        facts => format!(" when {facts}"),
    };
    vec![format!("{}{when}", changes.join(", "))]
}

fn notifies(show: &Renderer<'_>, step: &Step) -> Vec<String> {
    let one = |note: &super::step::Note| {
        let how = if note.all { "all" } else { "one" };
        let whom = note.other.map(|o| format!(" on {}", show.value(o)));
        let when = match show.facts(&step.facts) {
            empty if empty.is_empty() => String::new(),
            facts => format!(" when {facts}"),
        };
        format!("{how}{}{when}", whom.unwrap_or_default())
    };
    step.notes.iter().map(one).collect()
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for region in self.regions.values() {
            write!(f, "{region}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RegionMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        let parts = [
            ("waits while", &self.waits_while),
            ("before waiting", &self.changes_before_waiting),
            ("then", &self.changes),
            ("notifies", &self.notifies),
        ];
        for (title, lines) in parts {
            for line in lines {
                writeln!(f, "  {title:<15} {line}")?;
            }
        }
        match self.incomplete {
            true => writeln!(f, "  (not all paths were followed)"),
            false => Ok(()),
        }
    }
}
