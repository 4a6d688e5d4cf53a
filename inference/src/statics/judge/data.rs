//! Whether things pass through a lock's regions, and who calls them together.

use super::super::change::Change;
use super::super::clock;
use super::super::expr::{Expr, Exprs, Node};
use super::super::flow::flow;
use super::super::profile::Var;
use super::super::step::{End, Step};
use super::super::together;
use super::case::Case;
use crate::region::RegionId;
use locklens_trace::ClassId;
use std::collections::BTreeSet;

impl Case<'_> {
    /// The regions of those methods that have a region in each of two sets: one operation may
    /// enter two monitors after each other.
    pub(super) fn in_both(
        &self,
        one: &BTreeSet<RegionId>,
        other: &BTreeSet<RegionId>,
    ) -> BTreeSet<RegionId> {
        let method = |r: &RegionId| self.profile(*r).behaviour.method;
        let methods = |set: &BTreeSet<RegionId>| set.iter().map(method).collect::<BTreeSet<_>>();
        let both: BTreeSet<_> = methods(one)
            .intersection(&methods(other))
            .copied()
            .collect();
        let all = one
            .iter()
            .chain(other)
            .filter(|r| both.contains(&method(r)));
        all.copied().collect()
    }

    /// A region changes what another waits for.
    pub(super) fn serves(&self, region: RegionId, waiting: RegionId) -> bool {
        let vars: BTreeSet<_> = self.blocks(waiting).iter().map(|c| &c.var).collect();
        let passes = &self.profile(region).passes;
        passes
            .iter()
            .any(|s| vars.iter().any(|v| self.see.change(s, v).is_some()))
    }

    /// A region keeps something its caller gave: in a collection, an array, a field or a node.
    pub(super) fn takes_in(&self, region: RegionId, var: &Var) -> bool {
        self.profile(region)
            .passes
            .iter()
            .any(|s| self.step_takes_in(region, s, var))
    }

    fn step_takes_in(&self, region: RegionId, step: &Step, var: &Var) -> bool {
        if self.is_size(var) && self.change(step, var) == Some(Change::Set(0)) {
            // Another collection in the place of the one that is taken has nothing in it.
            return false;
        }
        let given = |e: Expr| self.is_given(region, e);
        // What is got from elsewhere and put into a collection is as good as given.
        let got = |e: Expr| matches!(self.see.x.node(e), Node::Opaque(..));
        let counter = |place: &Expr| match var {
            Var::Count(terms) => terms.iter().any(|t| t.0 == *place),
            Var::Present(_) => false,
        };
        let mut written = step.updates.iter().filter(|(place, _)| !counter(place));
        step.stored.iter().any(|&e| given(e) || got(e)) || written.any(|(_, &value)| given(value))
    }

    /// A region makes the collection that is counted longer by something, wherever it has that from.
    pub(super) fn lengthens(&self, region: RegionId, var: &Var) -> bool {
        let mut passes = self.profile(region).passes.iter();
        self.is_size(var)
            && passes.any(|step| {
                !step.stored.is_empty() && matches!(self.change(step, var), Some(Change::Add(1..)))
            })
    }

    /// The caller gives an array, which is not kept: its elements may be.
    pub(super) fn takes_elements(&self, region: RegionId) -> bool {
        let profile = self.profile(region);
        let method = &self.see.program.methods[profile.behaviour.method];
        let slots = method.signature.slots(u16::from(!method.def.is_static()));
        let arrays: BTreeSet<u16> = slots
            .filter(|(_, ty)| ty.0.starts_with('['))
            .map(|(slot, _)| slot)
            .collect();
        let is_array =
            |&e: &Expr| matches!(self.see.x.node(e), Node::Entry(slot) if arrays.contains(slot));
        let keeps = |s: &&Step| s.stored.iter().any(is_array) || s.updates.values().any(is_array);
        !arrays.is_empty() && !profile.passes.iter().any(keeps)
    }

    /// An argument of the region's method, an element of one, or an object made on the way to hold one.
    fn is_given(&self, region: RegionId, e: Expr) -> bool {
        let program = self.see.program;
        let method = &program.methods[self.profile(region).behaviour.method];
        let first = u16::from(!method.def.is_static());
        match self.see.x.node(e) {
            Node::Entry(slot) => *slot >= first,
            Node::Elem(all) => self.is_given(region, *all),
            Node::New(..) => true,
            _ => false,
        }
    }

    /// A region fetches something kept: an element, or a result that is not a mere number of
    /// the quantity itself.
    pub(super) fn gives_out(&self, region: RegionId, var: &Var) -> bool {
        let profile = self.profile(region);
        // A number that the region only counts up or down.
        let counts = |e: &Expr| {
            let before = self.see.x.linear(*e);
            let mut after = profile.steps().filter_map(|step| step.updates.get(e));
            after.any(|&after| {
                let by = self.see.x.linear(after).plus(&before, -1);
                by.terms.is_empty() && by.constant != 0
            })
        };
        profile.passes.iter().any(|step| {
            let element = |e: &Expr| match self.see.x.node(*e) {
                Node::Elem(all) => !self.is_given(region, *all) && !counts(e),
                _ => false,
            };
            let result = match step.end {
                End::Leaves(Some(e)) => self.is_content(e, var),
                _ => false,
            };
            result || step.reads.iter().any(element)
        })
    }

    /// A region goes with an element of the collection whose size this is, which it leaves there.
    pub(super) fn finds_element(&self, region: RegionId, var: &Var) -> bool {
        let sizes = self.places(var);
        let of = |all: Expr| {
            let is_its = |e: &Expr| matches!(*self.see.x.node(*e), Node::Size(of) if of == all);
            sizes.iter().any(is_its)
        };
        let element = |e: Expr| matches!(*self.see.x.node(e), Node::Elem(all) if of(all));
        let mut passes = self.profile(region).passes.iter();
        passes.any(|step| {
            let mut found = step.facts.same.keys();
            found.any(|&(a, b)| element(a) || element(b))
        })
    }

    fn is_content(&self, e: Expr, var: &Var) -> bool {
        let counted = match var {
            Var::Count(terms) => terms.iter().any(|t| self.see.x.mentions(e, t.0)),
            Var::Present(_) => false,
        };
        !counted && self.see.changes(e)
    }

    /// Some method calls regions of both sets, itself or through others: the same thread does both.
    pub(super) fn called_together(
        &self,
        one: &BTreeSet<RegionId>,
        other: &BTreeSet<RegionId>,
    ) -> Option<bool> {
        let of = |region: &RegionId| self.profile(*region).behaviour.method;
        if one
            .iter()
            .any(|a| other.iter().any(|b| self.goes_on_to(*a, *b)))
        {
            return Some(true);
        }
        let inside = self.profiles.values().map(|p| p.behaviour.method).collect();
        let methods = |set: &BTreeSet<RegionId>| set.iter().map(of).collect();
        together::called_together(self.see.program, &methods(one), &methods(other), &inside)
    }

    /// Regions of the second set are come to as time passes, and not in return for those of the first.
    pub(super) fn is_by_clock(&self, take: &BTreeSet<RegionId>, give: &BTreeSet<RegionId>) -> bool {
        let of = |region: &RegionId| self.profile(*region).behaviour.method;
        let inside = self.profiles.values().map(|p| p.behaviour.method).collect();
        let [take, give] = [take, give].map(|set| set.iter().map(of).collect());
        clock::gives(self.see.program, (&take, &give), &inside)
    }

    /// Two blocks of one method, the second of which it comes to after the first.
    pub(super) fn goes_on_to(&self, first: RegionId, second: RegionId) -> bool {
        let [first, second] = [first, second].map(|id| self.profile(id).behaviour);
        let method = &self.see.program.methods[first.method];
        let after = |from: usize, to: usize| together::ahead(method, from).contains(&to);
        let blocks = first.enter.zip(second.enter);
        first.method == second.method && blocks.is_some_and(|(from, to)| after(from, to))
    }

    /// Who comes first takes it and who goes last gives it back: both are called while another monitor is held, in
    /// different methods of one class. Then it is held for all that came between, by none of them.
    pub(super) fn is_for_all(&self, take: &BTreeSet<RegionId>, give: &BTreeSet<RegionId>) -> bool {
        let (first, last) = (self.callers(take), self.callers(give));
        let apart = first.is_disjoint(&last);
        let (takers, givers) = (self.guarded_callers(take), self.guarded_callers(give));
        apart && takers.is_some() && takers == givers
    }

    /// The classes of those who call these, if all of them hold a monitor of their own then.
    fn guarded_callers(&self, regions: &BTreeSet<RegionId>) -> Option<BTreeSet<ClassId>> {
        let program = self.see.program;
        let mut classes = BTreeSet::new();
        for method in self.callers(regions) {
            let caller = &program.methods[method];
            let points = flow(program, &mut Exprs::default(), method).points;
            let calls = regions.iter().flat_map(|&region| {
                let of = &program.methods[self.profile(region).behaviour.method];
                program.callers(&of.def).filter(|c| c.0 == method)
            });
            let held = |at: usize| points[at].as_ref().is_some_and(|p| !p.held.is_empty());
            if !caller.def.is_synchronized() && !calls.into_iter().all(|(_, at)| held(at)) {
                return None;
            }
            classes.insert(caller.def.class);
        }
        (!classes.is_empty()).then_some(classes)
    }

    fn callers(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<usize> {
        let program = self.see.program;
        let inside: BTreeSet<_> = self.profiles.values().map(|p| p.behaviour.method).collect();
        let mut out = BTreeSet::new();
        for &region in regions {
            let method = &program.methods[self.profile(region).behaviour.method];
            let callers = program.callers(&method.def).map(|c| c.0);
            out.extend(callers.filter(|c| !inside.contains(c)));
        }
        out
    }
}
