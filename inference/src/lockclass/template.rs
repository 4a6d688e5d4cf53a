//! Locks whose waiting is written once, for several kinds: regions of a base class that call methods which its subclasses
//! override. Where such methods differ, objects of two subclasses are two logical locks though they share every
//! region: what is waited for differs. Where nobody waits they are one.

use super::{ClassKey, Group};
use crate::program::Program;
use crate::region::{RegionId, RegionTable};
use locklens_trace::code::InvokeKind;
use locklens_trace::{ClassId, MethodId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Levels of calls through which what regions call is followed.
const DEPTH: u32 = 2;

/// A method that a region calls: the class that the call names, name and descriptor.
type Hook = (ClassId, String, String);

/// What the regions of a program leave to subclasses.
pub(super) struct Templates<'p, 'c> {
    program: &'p Program<'c>,
    table: &'p RegionTable,
    known: RefCell<BTreeMap<RegionId, Rc<Calls>>>,
}

/// What a region calls.
#[derive(Default)]
struct Calls {
    hooks: BTreeSet<Hook>,
    waits: bool,
}

/// What a class makes of what regions leave to it.
pub(super) type Manner = Vec<Option<MethodId>>;

impl<'p, 'c> Templates<'p, 'c> {
    pub(super) fn new(program: &'p Program<'c>, table: &'p RegionTable) -> Self {
        Self {
            program,
            table,
            known: RefCell::default(),
        }
    }

    /// What a group's class makes of its regions.
    pub(super) fn manner(&self, group: &Group) -> Manner {
        let hooks = self.hooks(&group.regions);
        let class = super::instance_classes(group).next();
        class.map_or_else(Manner::new, |class| self.of_class(class, &hooks))
    }

    /// Two groups share regions that go differently for their classes.
    pub(super) fn differ(&self, a: &Group, b: &Group) -> bool {
        let one_of_several = |g: &Group| g.classes.iter().any(|c| matches!(c, ClassKey::Of(_)));
        if !one_of_several(a) || !one_of_several(b) {
            return false;
        }
        let shared: BTreeSet<RegionId> = a.regions.intersection(&b.regions).copied().collect();
        let hooks = self.hooks(&shared);
        let manners = |g: &Group| -> BTreeSet<Manner> {
            let classes = super::instance_classes(g);
            classes.map(|class| self.of_class(class, &hooks)).collect()
        };
        !hooks.is_empty() && manners(a) != manners(b)
    }

    /// The methods that these regions call, if any of them waits.
    fn hooks(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<Hook> {
        let calls: Vec<Rc<Calls>> = regions.iter().map(|&r| self.calls(r)).collect();
        if !calls.iter().any(|c| c.waits) {
            return BTreeSet::new();
        }
        let hooks = calls.iter().flat_map(|c| &c.hooks);
        hooks.cloned().collect()
    }

    fn of_class(&self, class: ClassId, hooks: &BTreeSet<Hook>) -> Manner {
        let hierarchy = &self.program.hierarchy;
        let above = hierarchy.ancestry(class);
        let found = |(of, name, descriptor): &Hook| {
            let is_its = above.contains(of);
            is_its.then(|| hierarchy.inherited(class, name, descriptor))?
        };
        hooks.iter().map(found).collect()
    }

    fn calls(&self, region: RegionId) -> Rc<Calls> {
        if let Some(known) = self.known.borrow().get(&region) {
            return Rc::clone(known);
        }
        let mut calls = Calls::default();
        if let Some(region) = self.table.get(region) {
            self.follow(region.method, DEPTH, &mut BTreeSet::new(), &mut calls);
        }
        let calls = Rc::new(calls);
        self.known.borrow_mut().insert(region, Rc::clone(&calls));
        calls
    }

    fn follow(
        &self,
        method: MethodId,
        depth: u32,
        seen: &mut BTreeSet<MethodId>,
        calls: &mut Calls,
    ) {
        let hierarchy = &self.program.hierarchy;
        let (Some(def), true) = (self.program.method(method), seen.insert(method)) else {
            return;
        };
        let Some(nesting) = self.program.nesting(method) else {
            return;
        };
        for call in &nesting.calls {
            let callee = call.callee;
            if callee.class == "java.lang.Object" {
                calls.waits |= callee.name == "wait";
                continue;
            }
            let Some(class) = hierarchy.resolve(def.class, &callee.class) else {
                continue;
            };
            if matches!(call.kind, InvokeKind::Virtual | InvokeKind::Interface) {
                let hook = (class, callee.name.clone(), callee.descriptor.clone());
                calls.hooks.insert(hook);
            }
            if depth > 1 {
                let target = hierarchy.inherited(class, &callee.name, &callee.descriptor);
                target
                    .into_iter()
                    .for_each(|m| self.follow(m, depth - 1, seen, calls));
            }
        }
    }
}
