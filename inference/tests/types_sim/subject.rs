//! A subject: a program around one lock together with what is true of it.

use super::monitor::{Move, Op, Program, Recording, Script, run};
use locklens_inference::effects::Effects;
use locklens_inference::region::RegionId;
use locklens_inference::types::{Detail, LockType, RegionFacts, Role};
use locklens_inference::visit::{History, Step};
use std::collections::BTreeMap;

/// A program and the truth about it.
#[derive(Clone)]
pub struct Subject {
    /// What it is, for messages.
    pub name: &'static str,
    /// The program.
    pub program: Program,
    /// Its types in order, each with the types nobody could tell from it without the bytecode.
    pub types: Vec<Vec<LockType>>,
    /// Which region (by index) does what, and for which of the types (by index).
    pub roles: Vec<(usize, Role, usize)>,
    /// Regions whose roles are not checked: observers, trials.
    pub free: Vec<usize>,
    /// Details that a long complete history determines.
    pub details: Vec<(&'static str, Detail)>,
    /// The lock object is a thread.
    pub is_thread: bool,
    /// Every instance lives for one run of the scripts only.
    pub one_shot: bool,
}

impl Subject {
    /// A subject of one certain type.
    pub fn new(name: &'static str, lock_type: LockType, regions: Vec<Vec<Op>>) -> Self {
        Self {
            name,
            program: Program {
                regions,
                threads: Vec::new(),
                init: [0; 8],
            },
            types: vec![vec![lock_type]],
            roles: Vec::new(),
            free: Vec::new(),
            details: Vec::new(),
            is_thread: false,
            one_shot: false,
        }
    }

    /// Initial value of a field.
    pub fn field(mut self, index: usize, value: i64) -> Self {
        self.program.init[index] = value;
        self
    }

    /// So many threads that go through these moves for ever.
    pub fn threads(self, count: usize, moves: &[Move]) -> Self {
        self.rounds(count, u64::MAX, moves)
    }

    /// So many threads that go through these moves so many times.
    pub fn rounds(mut self, count: usize, rounds: u64, moves: &[Move]) -> Self {
        let script = Script {
            moves: moves.to_vec(),
            rounds,
        };
        self.program.threads.extend(vec![script; count]);
        self
    }

    /// The region of that index plays that role in the type named last.
    pub fn role(mut self, role: Role, region: usize) -> Self {
        self.roles.push((self.types.len() - 1, role, region));
        self
    }

    /// The roles of that region do not matter.
    pub fn free(mut self, region: usize) -> Self {
        self.free.push(region);
        self
    }

    /// A detail the report must give.
    pub fn detail(mut self, name: &'static str, value: Detail) -> Self {
        self.details.push((name, value));
        self
    }

    /// That type is as good an answer for the first type.
    pub fn or(mut self, lock_type: LockType) -> Self {
        self.types[0].push(lock_type);
        self
    }

    /// The lock has a second use; roles that follow belong to it.
    pub fn plus(mut self, lock_type: LockType) -> Self {
        self.types.push(vec![lock_type]);
        self
    }

    /// Every instance lives for one run only.
    pub fn one_shot(mut self) -> Self {
        self.one_shot = true;
        self
    }

    /// The lock object is a thread.
    pub fn thread_object(mut self) -> Self {
        self.is_thread = true;
        self
    }

    /// Instances with about so many visits altogether.
    pub fn record(&self, visits: usize, seed: u64) -> Vec<Recording> {
        if !self.one_shot {
            return vec![run(&self.program, visits, seed)];
        }
        let mut all = Vec::new();
        let mut made = 0;
        while made < visits {
            let recording = run(&self.program, 200, seed * 1000 + all.len() as u64);
            made += recording.history.steps.len().max(1);
            all.push(recording);
        }
        all
    }

    /// What a region may do, as far as its bytecode is known.
    pub fn effects(&self, known: bool) -> BTreeMap<RegionId, Effects> {
        let facts = self.facts(&[], known).into_iter();
        let effects = facts.zip(&self.program.regions).map(|((id, f), ops)| {
            let effects = Effects {
                may_wait: f.may_wait,
                may_wait_for_ever: f.may_wait,
                may_notify: f.may_notify,
                may_notify_all: f.may_notify_all,
                may_wait_after_notify: known.then(|| waits_after_notify(ops)),
                may_notify_after_wait: None,
            };
            (id, effects)
        });
        effects.collect()
    }

    /// What the bytecode would say of the regions, if it is known.
    pub fn facts(&self, histories: &[History], known: bool) -> BTreeMap<RegionId, RegionFacts> {
        let code = self.program.regions.iter();
        (0u32..)
            .map(RegionId)
            .zip(code)
            .map(|(id, ops)| (id, facts(ops, known, seen(histories, id))))
            .collect()
    }
}

fn seen(histories: &[History], id: RegionId) -> bool {
    let is = |s: &Step| matches!(s, Step::Visit(v) if v.region == id);
    histories.iter().any(|h| h.steps.iter().any(is))
}

fn facts(ops: &[Op], known: bool, seen: bool) -> RegionFacts {
    let has = |test: fn(&Op) -> bool| known.then(|| ops.iter().any(test));
    RegionFacts {
        name: "m".to_owned(),
        may_wait: has(waits),
        may_notify: has(|o| matches!(o, Op::Notify(_))),
        may_notify_all: has(|o| matches!(o, Op::NotifyAll(_))),
        seen,
    }
}

fn waits(op: &Op) -> bool {
    !matches!(
        op,
        Op::Do(_) | Op::ReturnIf(_) | Op::Notify(_) | Op::NotifyAll(_)
    )
}

/// A notify and, before the region is left for certain, a wait.
fn waits_after_notify(ops: &[Op]) -> bool {
    let notifies = |o: &Op| matches!(o, Op::Notify(_) | Op::NotifyAll(_));
    let first = ops.iter().position(notifies);
    first.is_some_and(|at| ops[at..].iter().any(waits))
}

/// Condition that always holds.
pub fn always(_: &super::monitor::Vars, _: usize) -> bool {
    true
}

/// Shorthand for a count.
pub fn count(n: u64) -> Detail {
    Detail::Count(n)
}

/// Shorthand for a word.
pub fn word(text: &str) -> Detail {
    Detail::Word(text.to_owned())
}
