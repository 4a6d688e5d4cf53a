//! What a region does to one quantity: on which values it blocks, and in which direction it
//! moves it.
//!
//! A quantity ([`Var`]) is whatever the guards compare: an int, a difference of two, a flag, the
//! size of a collection, whether a reference is there.

use super::automaton::{Automaton, Behaviour};
use super::expr::{Expr, Exprs, Linear, Node};
use super::facts::{Facts, Key, Range, Terms};
use super::heap::{domain, is_stable};
use super::program::Program;
use super::step::{End, From, Step, Timeout};
use crate::region::RegionId;
use std::collections::{BTreeMap, BTreeSet};

/// A quantity that changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Var {
    /// A sum of changing places.
    Count(Terms),
    /// Whether a place holds an object: 0 or 1.
    Present(Expr),
}

impl Var {
    /// Of several places, such as how far one number is behind another.
    pub(super) fn is_sum(&self) -> bool {
        matches!(self, Self::Count(terms) if terms.len() > 1)
    }
}

/// What a test says of a quantity. Bounds are sums of what does not change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Test {
    AtMost(Linear),
    AtLeast(Linear),
    Is(Linear),
    IsNot(Linear),
    /// It holds the current thread, or not.
    Mine(bool),
    /// It is what it was before the wait, or not.
    Old(bool),
    /// It is (not) some other value.
    Same(Expr, bool),
}

/// A test of a quantity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Condition {
    pub(super) var: Var,
    pub(super) test: Test,
}

/// Which values block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Low,
    High,
}

/// One region seen as waits, passes and giving up.
#[derive(Clone, Debug)]
pub(super) struct Profile<'a> {
    pub(super) behaviour: &'a Behaviour,
    pub(super) waits: Vec<&'a Step>,
    /// Leaves with what it waited for, or without having to wait.
    pub(super) passes: Vec<&'a Step>,
    /// Leaves although the guard still holds: time-out, closed, try.
    pub(super) gives_up: Vec<&'a Step>,
    /// Tests it waits on that do not hold where it passes.
    pub(super) blocks: BTreeSet<Condition>,
}

impl<'a> Profile<'a> {
    pub(super) fn new(see: &See<'_>, behaviour: &'a Behaviour) -> Self {
        let steps = &behaviour.steps;
        // Who waits afterwards whatever he has found waits for what comes of it: here he has passed.
        let always = !steps.is_empty() && steps.iter().all(|s| s.after.waits);
        let is_wait = |s: &&Step| is_wait(s) && !always;
        let waits: Vec<_> = steps.iter().filter(is_wait).collect();
        let leaves = steps.iter().filter(|s| !is_wait(s));
        let leaves = leaves.filter(|s| matches!(s.end, End::Leaves(_)));
        let (gives_up, passes) = leaves.partition(|s| see.gives_up(s, &waits));
        let mut profile = Self {
            behaviour,
            waits,
            passes,
            gives_up,
            blocks: BTreeSet::new(),
        };
        profile.blocks = profile.find_blocks(see);
        profile
    }

    /// Conditions of waits that decide between waiting and passing: a pass finds the opposite
    /// and, of what both looked at, nothing else.
    fn find_blocks(&self, see: &See<'_>) -> BTreeSet<Condition> {
        let mut out = BTreeSet::new();
        for wait in &self.waits {
            let mut apart: Vec<_> = self
                .passes
                .iter()
                .map(|p| wait.facts.apart(&p.facts))
                .collect();
            self.keep_asked_again(wait, &mut apart);
            let fewest = apart.iter().map(Vec::len).filter(|&n| n > 0).min();
            for keys in apart.iter().filter(|k| Some(k.len()) == fewest) {
                out.extend(keys.iter().flat_map(|key| see.fact(&wait.facts, key)));
            }
            if fewest.is_none() && self.passes.is_empty() {
                out.extend(see.conditions(wait));
            }
        }
        self.keep_decisive(see, &mut out);
        out
    }

    /// What is counted only on the way to a wait in a loop decides who comes there: what he waits for is counted again when he wakes.
    fn keep_asked_again(&self, wait: &Step, apart: &mut [Vec<Key>]) {
        let End::Waits(site, _) = wait.end else {
            return;
        };
        let again = self.waits.iter();
        let again = again.filter(|s| {
            s.from == From::Wait(site) && matches!(s.end, End::Waits(at, _) if at == site)
        });
        let again: Vec<&Facts> = again.map(|s| &s.facts).collect();
        let counts = |key: &Key| match key {
            Key::Range(terms) => Some(again.iter().any(|facts| facts.ranges.contains_key(terms))),
            Key::Same(..) => None,
        };
        if apart.iter().flatten().any(|key| counts(key) == Some(true)) {
            let keeps = |key: &Key| counts(key) != Some(false);
            apart.iter_mut().for_each(|keys| keys.retain(keeps));
        }
    }

    /// Of two conditions of a wait on one count that a pass may find as well goes, if none finds the other: it is that
    /// which decides. Who holds it may find anything.
    fn keep_decisive(&self, see: &See<'_>, blocks: &mut BTreeSet<Condition>) {
        let passes = self.passes.iter().map(|p| see.conditions(p));
        let strangers = passes.filter(|all| all.iter().all(|c| c.test != Test::Mine(true)));
        let found: BTreeSet<Condition> = strangers.flatten().collect();
        let counts = blocks.iter().filter(|c| matches!(c.var, Var::Count(_)));
        let decisive = counts.filter(|c| !found.contains(c));
        let decided: BTreeSet<Var> = decisive.map(|c| c.var.clone()).collect();
        blocks.retain(|c| !found.contains(c) || !decided.contains(&c.var));
    }

    /// All its steps that are not exceptional.
    pub(super) fn steps(&self) -> impl Iterator<Item = &'a Step> + '_ {
        let all = self.waits.iter().chain(&self.passes).chain(&self.gives_up);
        all.copied()
    }

    /// It notifies somebody on some path that leaves.
    pub(super) fn signals(&self) -> bool {
        let leaves = self.passes.iter().chain(&self.gives_up);
        leaves.clone().flat_map(|s| &s.notes).next().is_some()
            || leaves.clone().any(|s| s.after.notifies)
    }

    /// Every wait has a time-out.
    pub(super) fn only_timed_waits(&self) -> bool {
        let timed = |s: &&Step| matches!(s.end, End::Waits(_, Timeout::Millis(_) | Timeout::Some));
        !self.waits.is_empty() && self.waits.iter().all(timed)
    }

    /// Whoever waits goes on after one wait, whatever has become of anything: he has told nobody that he waits, no way leads from one
    /// wait to another, and what is done then is the same, whatever is found. What nobody else moves is `own`: that is counted, and not waited for.
    pub(super) fn only_naps(&self, own: impl Fn(Expr) -> bool) -> bool {
        let steps = self.behaviour.steps.iter();
        let woken = steps.filter(|s| matches!(s.from, From::Wait(_)) && s.end != End::Throws);
        let woken: Vec<&Step> = woken.collect();
        let alike = |pair: &[&Step]| {
            let (a, b) = (pair[0], pair[1]);
            (&a.updates, &a.stored, &a.notes) == (&b.updates, &b.stored, &b.notes)
        };
        let silent = |s: &&Step| s.updates.is_empty() && s.stored.is_empty();
        // Who reads what he then sets back has waited for it.
        let takes = |s: &Step| {
            let mut moved = s.updates.keys();
            moved.any(|place| s.reads.contains(place) && !own(*place))
        };
        self.only_timed_waits()
            && !woken.iter().any(|s| takes(s))
            && !woken.is_empty()
            && self.waits.iter().all(silent)
            && woken.iter().all(|s| s.end == End::Leaves(None))
            && woken.windows(2).all(alike)
    }

    /// Conditions on one quantity.
    pub(super) fn blocks_on<'s>(&'s self, var: &'s Var) -> impl Iterator<Item = &'s Test> {
        let same = move |c: &&Condition| c.var == *var;
        self.blocks.iter().filter(same).map(|c| &c.test)
    }
}

/// The eyes of the profiler: the automaton's values and the program's knowledge of them.
#[derive(Clone, Copy)]
pub(super) struct See<'a> {
    pub(super) program: &'a Program,
    pub(super) x: &'a Exprs,
}

impl See<'_> {
    /// Profiles of all regions of an automaton.
    pub(super) fn profiles<'b>(&self, automaton: &'b Automaton) -> BTreeMap<RegionId, Profile<'b>> {
        let all = automaton.regions.iter();
        all.map(|(&id, b)| (id, Profile::new(self, b))).collect()
    }

    /// It leaves while everything a wait asks of the state still holds. Who has waited in vain as long as he meant to may write that
    /// down, as long as he tells nobody.
    fn gives_up(&self, step: &Step, waits: &[&Step]) -> bool {
        let limited = |wait: &Step| match (step.from, wait.end) {
            (From::Wait(site), End::Waits(at, Timeout::Millis(_) | Timeout::Some)) => {
                site == at && step.notes.is_empty() && !step.after.notifies
            }
            _ => false,
        };
        let idle = step.updates.is_empty();
        let mut waits = waits.iter().filter(|wait| idle || limited(wait));
        waits.any(|wait| {
            let state = self.state_facts(&wait.facts);
            let some = !state.ranges.is_empty() || !state.same.is_empty();
            some && implies(&step.facts, &state)
        })
    }

    /// The facts that are about what changes.
    fn state_facts(&self, facts: &Facts) -> Facts {
        let mut state = facts.clone();
        state
            .ranges
            .retain(|terms, _| terms.iter().any(|t| self.changes(t.0)));
        state
            .same
            .retain(|&(a, b), _| self.changes(a) || self.changes(b));
        state
    }

    /// The value can change while nobody holds the lock.
    pub(super) fn changes(&self, e: Expr) -> bool {
        !is_stable(self.program, self.x, e)
    }

    /// All conditions of a step.
    pub(super) fn conditions(&self, step: &Step) -> BTreeSet<Condition> {
        let ranges = step.facts.ranges.iter().flat_map(|(t, r)| self.range(t, r));
        let same = step.facts.same.iter();
        let same = same.flat_map(|(&(a, b), &equal)| self.same(a, b, equal));
        ranges.chain(same).collect()
    }

    /// One fact as conditions.
    fn fact(&self, facts: &Facts, key: &Key) -> Vec<Condition> {
        match key {
            Key::Range(terms) => match facts.ranges.get(terms) {
                Some(range) => self.range(terms, range),
                None => Vec::new(),
            },
            Key::Same(a, b) => match facts.same.get(&(*a, *b)) {
                Some(&equal) => self.same(*a, *b, equal),
                None => Vec::new(),
            },
        }
    }

    /// A range of a sum as conditions on the part of it that changes.
    pub(super) fn range(&self, terms: &Terms, range: &Range) -> Vec<Condition> {
        let (changing, fixed): (Vec<_>, Vec<_>) =
            terms.iter().copied().partition(|t| self.changes(t.0));
        let Some(&(_, first)) = changing.first() else {
            return Vec::new();
        };
        let sign = first.signum();
        let (range, fixed) = match sign {
            1 => (
                range.clone(),
                Linear {
                    terms: fixed,
                    constant: 0,
                }
                .times(-1),
            ),
            _ => (
                range.mirrored(),
                Linear {
                    terms: fixed,
                    constant: 0,
                },
            ),
        };
        let count = Linear {
            terms: changing,
            constant: 0,
        }
        .times(sign);
        let var = Var::Count(count.terms);
        let bound = |value: i64| Linear {
            constant: value,
            ..fixed.clone()
        };
        let old = fixed
            .terms
            .iter()
            .any(|t| matches!(self.x.node(t.0), Node::Saved(_)));
        if !old && let Some(each) = self.any_of(&var, &range, &fixed) {
            return each;
        }
        let natural = match fixed.terms.is_empty() {
            true => self.natural(&var),
            false => Range::all(),
        };
        let tests = match old {
            true => old_tests(&range),
            false => tests(&natural, &range, &bound),
        };
        tests
            .into_iter()
            .map(|test| Condition {
                var: var.clone(),
                test,
            })
            .collect()
    }

    /// A sum of several counts that must (not) be zero: each of them must (not).
    fn any_of(&self, var: &Var, range: &Range, fixed: &Linear) -> Option<Vec<Condition>> {
        let Var::Count(terms) = var else { return None };
        let several = terms.len() > 1 && terms.iter().all(|t| t.1 > 0);
        let nothing_else = fixed.terms.is_empty() && fixed.constant == 0;
        let some = range.low == 1 && range.is_open_above() || range.not.contains(&0);
        let none = range.only() == Some(0);
        if !several || !nothing_else || !(some || none) {
            return None;
        }
        let zero = Linear::default();
        let test = if none {
            Test::Is(zero)
        } else {
            Test::IsNot(zero)
        };
        let one = |t: &(Expr, i64)| Condition {
            var: Var::Count(vec![(t.0, 1)]),
            test: test.clone(),
        };
        Some(terms.iter().map(one).collect())
    }

    /// What a quantity can be at all.
    pub(super) fn natural(&self, var: &Var) -> Range {
        match var {
            Var::Present(_) => Range::between(0, 1),
            Var::Count(terms) => match terms.as_slice() {
                &[(e, 1)] => domain(self.program, self.x, e),
                _ => Range::all(),
            },
        }
    }

    /// Equality of two references as conditions.
    pub(super) fn same(&self, a: Expr, b: Expr, equal: bool) -> Vec<Condition> {
        let mut out = Vec::new();
        for (place, other) in [(a, b), (b, a)] {
            if !self.changes(place) {
                continue;
            }
            let test = match self.x.node(other) {
                Node::Null => Test::Is(Linear {
                    terms: Vec::new(),
                    constant: i64::from(!equal),
                }),
                Node::Current => Test::Mine(equal),
                Node::Saved(_) => Test::Old(equal),
                _ => Test::Same(other, equal),
            };
            out.push(Condition {
                var: Var::Present(place),
                test,
            });
        }
        out
    }
}

/// A range as tests; limits that hold anyway are none.
fn tests(natural: &Range, range: &Range, bound: &dyn Fn(i64) -> Linear) -> Vec<Test> {
    if let Some(value) = range.only() {
        return vec![Test::Is(bound(value))];
    }
    let mut tests = Vec::new();
    if !range.is_open_below() && range.low > natural.low {
        tests.push(Test::AtLeast(bound(range.low)));
    }
    if !range.is_open_above() && range.high < natural.high {
        tests.push(Test::AtMost(bound(range.high)));
    }
    tests.extend(range.not.iter().map(|&n| Test::IsNot(bound(n))));
    tests
}

fn old_tests(range: &Range) -> Vec<Test> {
    match range.only() {
        Some(0) => vec![Test::Old(true)],
        _ if range.not.contains(&0) || range.low > 0 || range.high < 0 => vec![Test::Old(false)],
        _ => Vec::new(),
    }
}

/// The step ends in a wait, on the lock or on an object through which it is handed over.
fn is_wait(step: &Step) -> bool {
    matches!(step.end, End::Waits(..)) || step.after.waits
}

/// `step` holds only where `state` does.
fn implies(step: &Facts, state: &Facts) -> bool {
    let within = |(terms, range): (&Terms, &Range)| {
        step.ranges.get(terms).is_some_and(|r| {
            let mut both = r.clone();
            both.meet(range);
            both == *r
        })
    };
    let equal = |(pair, equal)| step.same.get(pair) == Some(equal);
    state.ranges.iter().all(within) && state.same.iter().all(equal)
}
