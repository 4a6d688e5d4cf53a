//! Everything the recognisers look at: profiles of the regions, the quantities, what they begin
//! with.

use super::super::automaton::Automaton;
use super::super::change::Change;
use super::super::descriptor::Type;
use super::super::expr::{Expr, Linear, Node};
use super::super::initial::{Initial, Initials};
use super::super::profile::{Condition, Profile, See, Test, Var};
use super::super::program::Program;
use super::super::render::Renderer;
use super::super::step::Step;
use super::family::Family;
use super::finding::Finding;
use crate::region::RegionId;
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};

/// One lock under judgement.
pub(in super::super) struct Case<'a> {
    pub(super) see: See<'a>,
    pub(super) profiles: BTreeMap<RegionId, Profile<'a>>,
    pub(super) initials: &'a BTreeMap<Expr, Initial>,
    /// Places of which no number is the lock's.
    pub(super) unsettled: &'a BTreeSet<Expr>,
    /// Arrays of which the caller names the element.
    named: BTreeSet<Expr>,
    /// Its objects are threads.
    pub(super) is_thread: bool,
}

/// With what a lock begins.
pub(in super::super) struct Beginning {
    initials: BTreeMap<Expr, Initial>,
    unsettled: BTreeSet<Expr>,
}

/// Looks up what every quantity and bound begins with.
pub(in super::super) fn prepare(
    program: &Program,
    automaton: &mut Automaton,
    classes: &[ClassId],
    depth: u32,
) -> Beginning {
    let places = places(program, automaton);
    let mut looked_up = Initials::new(program, &mut automaton.x, classes, depth, automaton.holder);
    let known = places.iter().copied();
    let initials = known.filter_map(|place| Some((place, looked_up.of(place)?)));
    let initials = initials.collect();
    let mut unsettled = places;
    unsettled.retain(|&place| looked_up.is_unsettled(place));
    Beginning {
        initials,
        unsettled,
    }
}

/// All places that a test compares, and the lengths of arrays among them.
fn places(program: &Program, automaton: &mut Automaton) -> BTreeSet<Expr> {
    let mut out = tested(program, automaton);
    let array = |e: &Expr| match automaton.x.node(*e) {
        Node::Elem(array) => Some(*array),
        _ => None,
    };
    let arrays: Vec<_> = out.iter().filter_map(array).collect();
    for array in arrays {
        out.insert(automaton.x.make(Node::Length(array)));
    }
    out.extend(assigned(program, automaton));
    out
}

/// What is fixed and somewhere assigned.
fn assigned(program: &Program, automaton: &Automaton) -> BTreeSet<Expr> {
    let see = See {
        program,
        x: &automaton.x,
    };
    let profiles = see.profiles(automaton);
    let steps = profiles.values().flat_map(|p| p.steps());
    let values = steps.flat_map(|s| s.updates.values());
    let terms = values.flat_map(|&v| see.x.linear(v).terms);
    let place = |&e: &Expr| {
        let kept = matches!(
            see.x.node(e),
            Node::Slot(_) | Node::Static(_) | Node::Field(..)
        );
        kept && !see.changes(e)
    };
    terms.map(|t| t.0).filter(place).collect()
}

fn tested(program: &Program, automaton: &Automaton) -> BTreeSet<Expr> {
    let see = See {
        program,
        x: &automaton.x,
    };
    let mut out = BTreeSet::new();
    for profile in see.profiles(automaton).values() {
        for step in profile.steps() {
            let terms = step.facts.ranges.keys().flatten();
            terms.for_each(|t| see.x.parts(t.0, &mut out));
            out.extend(step.updates.keys());
            out.extend(step.facts.same.keys().flat_map(|&(a, b)| [a, b]));
        }
    }
    out
}

/// So many further things that a region waits for are hardly told from each other.
const TANGLED: usize = 4;

/// As many values as make a quantity that is waited for no count.
const VALUES: usize = 3;

impl<'a> Case<'a> {
    pub(in super::super) fn new(
        program: &'a Program,
        automaton: &'a Automaton,
        beginning: &'a Beginning,
        is_thread: bool,
    ) -> Self {
        let see = See {
            program,
            x: &automaton.x,
        };
        Self {
            see,
            profiles: see.profiles(automaton),
            initials: &beginning.initials,
            unsettled: &beginning.unsettled,
            named: automaton.named().collect(),
            is_thread,
        }
    }

    /// No region waits.
    pub(super) fn never_waits(&self) -> bool {
        self.profiles.values().all(|p| p.waits.is_empty())
    }

    /// Some region notifies the lock.
    pub(super) fn anybody_notifies(&self) -> bool {
        self.profiles.values().any(|p| self.notifies(p))
    }

    /// A region notifies the lock, or an object that is not known.
    pub(super) fn notifies(&self, profile: &Profile<'_>) -> bool {
        profile.behaviour.steps.iter().any(|s| self.is_told(s))
    }

    /// A step notifies the lock, or an object that is not known.
    pub(super) fn is_told(&self, step: &Step) -> bool {
        let vague = |e: Expr| matches!(self.see.x.node(e), Node::Opaque(..) | Node::Looped(..));
        step.notes.iter().any(|n| n.other.is_none_or(vague))
    }

    /// The profile of a region.
    pub(super) fn profile(&self, id: RegionId) -> &Profile<'a> {
        &self.profiles[&id]
    }

    /// All quantities some region blocks on.
    pub(super) fn vars(&self) -> BTreeSet<Var> {
        let blocks = self.profiles.values().flat_map(|p| &p.blocks);
        blocks.map(|c| c.var.clone()).collect()
    }

    /// Conditions a region waits on.
    pub(super) fn blocks(&self, id: RegionId) -> &BTreeSet<Condition> {
        &self.profile(id).blocks
    }

    /// Some region of these signals when it leaves, or another region of the same methods does.
    pub(super) fn signals(&self, regions: &BTreeSet<RegionId>) -> bool {
        let method = |id: &RegionId| self.profile(*id).behaviour.method;
        let methods: BTreeSet<_> = regions.iter().map(method).collect();
        let mut own = self
            .profiles
            .values()
            .filter(|p| methods.contains(&p.behaviour.method));
        own.any(|p| p.signals())
    }

    /// What a sum begins with: arguments count as 1, one permit being the common case.
    pub(super) fn initially(&self, sum: &Linear) -> Option<i64> {
        let mut total = sum.constant;
        for &(e, k) in &sum.terms {
            let value = match (self.see.x.node(e), self.initials.get(&e)) {
                (Node::Entry(_), _) => 1,
                (_, Some(&Initial::Int(value))) => value,
                _ => return None,
            };
            total = total.checked_add(value.checked_mul(k)?)?;
        }
        Some(total)
    }

    /// The same, if the argument takes of what there is: one that says how much there may be is not known.
    pub(super) fn by_weights(&self, sum: &Linear, sign: i64) -> Option<i64> {
        let is_limit = |&&(e, k): &&(Expr, i64)| {
            matches!(self.see.x.node(e), Node::Entry(_)) && k.signum() == sign
        };
        match sum.terms.iter().find(is_limit) {
            Some(_) => None,
            None => self.initially(sum),
        }
    }

    /// How a step changes a quantity: what is set to something fixed is set to a number, if that
    /// is known.
    pub(super) fn change(&self, step: &Step, var: &Var) -> Option<Change> {
        let change = self.see.change(step, var)?;
        let known = match (&change, var) {
            (Change::Unknown, Var::Count(terms)) => self.fixed(step, terms),
            _ => None,
        };
        Some(known.map_or(change, Change::Set))
    }

    /// The number to which a step sets a quantity of one place.
    fn fixed(&self, step: &Step, terms: &[(Expr, i64)]) -> Option<i64> {
        let &[(place, 1)] = terms else { return None };
        let value = self.see.x.linear(*step.updates.get(&place)?);
        let fixed = |e: Expr| !self.see.changes(e) && self.initials.contains_key(&e);
        let all = value.terms.iter().all(|t| fixed(t.0));
        all.then(|| self.initially(&value)).flatten()
    }

    /// What a quantity begins with.
    pub(super) fn begins(&self, var: &Var) -> Option<i64> {
        match var {
            Var::Count(terms) => {
                let sum = Linear {
                    terms: terms.clone(),
                    constant: 0,
                };
                self.initially(&sum)
            }
            Var::Present(place) => match self.initials.get(place)? {
                Initial::Null => Some(0),
                Initial::Object => Some(1),
                Initial::Int(_) => None,
            },
        }
    }

    /// A quantity that is 0 or 1.
    pub(super) fn is_binary(&self, var: &Var) -> bool {
        let natural = self.see.natural(var);
        natural.low == 0 && natural.high == 1
            || self.is_named_flag(var)
            || self.is_only_flag(var)
            || self.is_atomic_flag(var)
    }

    /// An atomic variable that is set to 0 or 1 and nothing else.
    fn is_atomic_flag(&self, var: &Var) -> bool {
        let Var::Count(terms) = var else { return false };
        let &[(place, 1)] = terms.as_slice() else {
            return false;
        };
        matches!(self.see.x.node(place), Node::Cell(_)) && self.is_set_as_flag(place)
    }

    fn is_set_as_flag(&self, place: Expr) -> bool {
        let steps = self.profiles.values().flat_map(|p| p.steps());
        let mut set = steps.filter_map(|s| s.updates.get(&place)).peekable();
        let flags = |e: &Expr| matches!(self.see.x.constant(*e), Some(0 | 1));
        set.peek().is_some() && set.all(flags)
    }

    /// An element of an array of booleans that is a variable by itself, be it the only one.
    fn is_only_flag(&self, var: &Var) -> bool {
        let Var::Count(terms) = var else { return false };
        let &[(place, 1)] = terms.as_slice() else {
            return false;
        };
        let (array, alone) = match *self.see.x.node(place) {
            Node::Elem(array) => (array, false),
            Node::Index(array, at) => (array, self.see.x.constant(at).is_some()),
            _ => return false,
        };
        let is_of_flags = match self.see.x.node(array) {
            Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => {
                self.see.program.field(*id).descriptor == "[Z"
            }
            _ => false,
        };
        let is_length = |e: &Expr| matches!(self.see.x.node(*e), Node::Length(of) if *of == array);
        let mut lengths = self.initials.iter().filter(|(place, _)| is_length(place));
        is_of_flags && (alone || lengths.any(|(_, &length)| length == Initial::Int(1)))
    }

    /// An element of an array that the caller names.
    pub(super) fn is_named(&self, var: &Var) -> bool {
        let mut places = self.places(var).into_iter();
        places.any(|e| match *self.see.x.node(e) {
            Node::Elem(array) => self.named.contains(&array),
            _ => false,
        })
    }

    /// Such an element that is set to 0 or 1 and nothing else.
    fn is_named_flag(&self, var: &Var) -> bool {
        let Var::Count(terms) = var else { return false };
        let &[(place, 1)] = terms.as_slice() else {
            return false;
        };
        self.is_named(var) && self.is_set_as_flag(place)
    }

    /// The number of elements of a collection.
    pub(super) fn is_size(&self, var: &Var) -> bool {
        match var {
            Var::Count(terms) => matches!(terms.as_slice(),
                &[(e, 1)] if matches!(self.see.x.node(e), Node::Size(_))),
            Var::Present(_) => false,
        }
    }

    /// A quantity in words.
    pub(super) fn name(&self, var: &Var) -> String {
        let show = Renderer {
            program: self.see.program,
            x: self.see.x,
        };
        match var {
            Var::Present(place) => show.value(*place),
            Var::Count(terms) => {
                let sum = Linear {
                    terms: terms.clone(),
                    constant: 0,
                };
                show.sum(&sum)
            }
        }
    }

    /// Some pass of a region tests that the current thread is the owner.
    pub(super) fn lets_owner_pass(&self, regions: &BTreeSet<RegionId>) -> bool {
        regions.iter().any(|&r| {
            let profile = self.profile(r);
            profile.passes.iter().any(|step| self.is_mine(step))
        })
    }

    /// A step found something that belongs to the current thread.
    pub(super) fn is_mine(&self, step: &Step) -> bool {
        let conditions = self.see.conditions(step);
        conditions
            .iter()
            .any(|c| c.test == Test::Mine(true) || self.is_held_count(c))
    }

    /// A count kept per thread that is not zero.
    fn is_held_count(&self, condition: &Condition) -> bool {
        let own = |e: Expr| match self.see.x.node(e) {
            Node::Keyed(_, key) => *self.see.x.node(*key) == Node::Current,
            _ => false,
        };
        match (&condition.var, &condition.test) {
            (Var::Present(place), Test::Is(sum)) => own(*place) && sum.constant == 1,
            (Var::Count(terms), Test::AtLeast(_)) => terms.iter().any(|t| own(t.0)),
            _ => false,
        }
    }

    /// Charges a reading for what it leaves unexplained about its own regions.
    pub(super) fn charge(&self, finding: &mut Finding) {
        let own = finding.regions();
        let mut cut = BTreeSet::new();
        for &region in &own {
            if self.compares_vaguely(region, &finding.vars) {
                finding.contra(2.0, "what a region compares with could not be followed");
            }
            // Compilers copy what is done at the end, whatever has come before.
            let behaviour = self.profile(region).behaviour;
            if behaviour.cut && cut.insert(behaviour.method) {
                finding.contra(1.0, "some paths of a region were too long to follow");
            }
            let others = self.blocks(region).iter().map(|c| &c.var);
            let others: BTreeSet<_> = others.filter(|v| !finding.vars.contains(v)).collect();
            let shared =
                |v: &&Var| self.is_moved(v) && !self.is_per_thread(v) && !self.is_element(v);
            let others: Vec<_> = others.into_iter().filter(shared).collect();
            if others.len() >= TANGLED {
                finding.tangled();
            }
            for var in others {
                finding.contra(1.5, format!("a region also waits for {}", self.name(var)));
                if !self.movers(var).is_subset(&own) {
                    finding.beside();
                }
            }
        }
    }

    /// Nothing is hidden of what the regions do, nor of what these wait for.
    pub(super) fn is_followed(&self, waits: &BTreeSet<RegionId>) -> bool {
        let whole = |profile: &Profile<'_>| {
            let mut steps = profile.steps();
            !profile.behaviour.cut && steps.all(|s| s.opaque == 0 && !s.foreign_wait)
        };
        let vars = self.vars();
        let clear = |&id: &RegionId| !self.compares_vaguely(id, &vars);
        self.profiles.values().all(whole) && waits.iter().all(clear)
    }

    /// A value that the caller of a region gives.
    pub(super) fn is_callers(&self, e: Expr) -> bool {
        self.see.x.any(e, &|n| matches!(n, Node::Entry(_)))
    }

    /// Regions that wait until something is there under the key that their caller gives, whatever it is, where nobody
    /// waits until it is gone.
    pub(super) fn awaits_named(&self, var: &Var) -> BTreeSet<RegionId> {
        let Var::Present(place) = *var else {
            return BTreeSet::new();
        };
        let named = matches!(*self.see.x.node(place), Node::Keyed(_, key) if self.is_callers(key));
        let family = Family::new(self, var);
        // What is there may be a collection, to which more is added.
        let replaces = |id: &RegionId| {
            let mut passes = self.profile(*id).passes.iter();
            passes.all(|step| step.updates.contains_key(&place))
        };
        let kept = family.adds.is_empty() && family.waits_high.is_empty();
        if !named || !kept || !family.up.iter().all(replaces) {
            return BTreeSet::new();
        }
        let within = |c: &Condition| {
            let mut places = self.places(&c.var).into_iter();
            c.var != *var && places.any(|e| self.see.x.mentions(e, place))
        };
        let waits = family.takes.union(&family.waits_low).copied();
        waits
            .filter(|&id| !self.blocks(id).iter().any(within))
            .collect()
    }

    /// The regions that wait until a quantity is just what they wait for, if that is one of at least three things: whose turn
    /// it is, or how far something has come. What is counted is enough, or not too much, for whoever waits for it.
    pub(super) fn awaits_values(&self, var: &Var) -> BTreeSet<RegionId> {
        let mut values = BTreeSet::new();
        let mut waits = BTreeSet::new();
        for (&id, profile) in &self.profiles {
            let fixed = profile.blocks_on(var).filter_map(|test| match test {
                Test::IsNot(value) if value.terms.is_empty() => Some(value.constant),
                _ => None,
            });
            let fixed: Vec<i64> = fixed.collect();
            if !fixed.is_empty() {
                waits.insert(id);
            }
            values.extend(fixed);
        }
        match values.len() {
            VALUES.. => waits,
            _ => BTreeSet::new(),
        }
    }

    /// Whether it is about one element of an array or collection: there may be others.
    pub(super) fn is_one_of_many(&self, var: &Var) -> bool {
        let mut places = self.places(var).into_iter();
        places.any(|e| {
            let node = self.see.x.node(e);
            match *node {
                Node::Elem(_) | Node::Keyed(..) => true,
                Node::Index(_, at) => self.see.x.constant(at).is_none(),
                _ => false,
            }
        })
    }

    /// Whether some element is there: with the number of elements known, it says nothing.
    pub(super) fn is_element(&self, var: &Var) -> bool {
        let element = |e: Expr| matches!(self.see.x.node(e), Node::Elem(_));
        matches!(var, Var::Present(place) if element(*place))
    }

    /// The number of elements of the collection an element of which the quantity is.
    pub(super) fn size_of_elements(&self, var: &Var) -> Option<Var> {
        let Var::Present(place) = var else {
            return None;
        };
        let Node::Elem(all) = *self.see.x.node(*place) else {
            return None;
        };
        let mut places = self
            .profiles
            .values()
            .flat_map(|p| p.steps())
            .flat_map(|s| s.updates.keys());
        let size = places.find(|p| matches!(self.see.x.node(**p), Node::Size(c) if *c == all))?;
        Some(Var::Count(vec![(*size, 1)]))
    }

    /// Kept for each thread by itself.
    fn is_per_thread(&self, var: &Var) -> bool {
        self.places(var)
            .iter()
            .any(|&place| match self.see.x.node(place) {
                Node::Keyed(_, key) => *self.see.x.node(*key) == Node::Current,
                _ => false,
            })
    }

    /// The places a quantity is made of.
    pub(super) fn places(&self, var: &Var) -> Vec<Expr> {
        match var {
            Var::Count(terms) => terms.iter().map(|t| t.0).collect(),
            Var::Present(place) => vec![*place],
        }
    }

    /// The descriptor of its place, where it has one, fits what kind of quantity it is.
    pub(super) fn is_quantity(&self, var: &Var) -> bool {
        let reference = |e: Expr| match self.see.x.node(e) {
            Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => {
                Type(&self.see.program.field(*id).descriptor).is_reference()
            }
            Node::Keyed(..) | Node::Elem(_) => true,
            _ => false,
        };
        match var {
            Var::Count(terms) => !terms.iter().any(|t| reference(t.0)),
            Var::Present(place) => reference(*place),
        }
    }

    /// A bound that a region waits for is the result of a loop or call that was not followed.
    fn compares_vaguely(&self, region: RegionId, vars: &BTreeSet<Var>) -> bool {
        let vague = |e: Expr| {
            let unknown = |n: &Node| matches!(n, Node::Opaque(..) | Node::Looped(..));
            self.see.x.any(e, &unknown)
        };
        let mine = self.blocks(region).iter().filter(|c| vars.contains(&c.var));
        let mut bounds = mine.filter_map(|c| match &c.test {
            Test::AtMost(b) | Test::AtLeast(b) | Test::Is(b) | Test::IsNot(b) => Some(b),
            _ => None,
        });
        bounds.any(|b| b.terms.iter().any(|t| vague(t.0)))
    }

    /// A region waits for how far a place of the quantity is from what a loop or call makes of what there is: the quantity alone does not
    /// keep it waiting.
    pub(super) fn waits_for_reckoned(&self, region: RegionId, var: &Var) -> bool {
        let own = self.places(var);
        let unknown = |n: &Node| matches!(n, Node::Opaque(..) | Node::Looped(..));
        self.blocks(region).iter().any(|c| {
            let places = self.places(&c.var);
            c.var != *var
                && places.iter().any(|e| own.contains(e))
                && places.iter().any(|&e| self.see.x.any(e, &unknown))
        })
    }

    /// Some region changes the quantity.
    pub(super) fn is_moved(&self, var: &Var) -> bool {
        !self.movers(var).is_empty()
    }

    /// The regions that change the quantity, or put another object in the place of the one whose
    /// field it is.
    pub(super) fn movers(&self, var: &Var) -> BTreeSet<RegionId> {
        let owner = |e: Expr| match self.see.x.node(e) {
            Node::Field(owner, _) => Some(Var::Present(*owner)),
            _ => None,
        };
        let mut vars: Vec<Var> = self.places(var).into_iter().filter_map(owner).collect();
        vars.push(var.clone());
        let moves = |s: &Step| vars.iter().any(|v| self.see.change(s, v).is_some());
        let profiles = self.profiles.iter();
        let movers = profiles.filter(|(_, p)| p.steps().any(moves));
        movers.map(|(&id, _)| id).collect()
    }
}
