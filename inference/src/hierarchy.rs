//! The class hierarchy of a catalog: which class a name means, who extends whom, and which
//! methods a call can reach.
//!
//! Only classes the trace defines take part. A chain that leaves them is *unknown* from there
//! on, and every answer says so instead of guessing.

use crate::catalog::Catalog;
use locklens_trace::code::{InvokeKind, MemberRef};
use locklens_trace::{ClassId, MethodId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// An index over the classes and methods of a catalog.
#[derive(Clone, Debug)]
pub struct Hierarchy<'a> {
    catalog: &'a Catalog,
    by_name: BTreeMap<&'a str, Vec<ClassId>>,
    methods: BTreeMap<(ClassId, &'a str, &'a str), MethodId>,
    /// Which classes declare a method of a name and descriptor.
    declaring: BTreeMap<(&'a str, &'a str), Vec<ClassId>>,
    subclasses: BTreeMap<ClassId, Vec<ClassId>>,
    above: Closures,
    below: Closures,
}

/// What classes lead to, once it was asked for. All of them together are no longer than all chains of
/// supertypes.
type Closures = RefCell<BTreeMap<ClassId, Arc<[ClassId]>>>;

impl<'a> Hierarchy<'a> {
    /// Indexes a catalog.
    #[must_use]
    pub fn of(catalog: &'a Catalog) -> Self {
        let mut this = Self {
            catalog,
            by_name: BTreeMap::new(),
            methods: BTreeMap::new(),
            declaring: BTreeMap::new(),
            subclasses: BTreeMap::new(),
            above: Closures::default(),
            below: Closures::default(),
        };
        for class in catalog.classes.values() {
            this.by_name.entry(&class.name).or_default().push(class.id);
        }
        for m in catalog.methods.values() {
            this.methods.insert((m.class, &m.name, &m.descriptor), m.id);
            let declaring = this.declaring.entry((&m.name, &m.descriptor));
            declaring.or_default().push(m.class);
        }
        this.link_subclasses();
        this
    }

    fn link_subclasses(&mut self) {
        for &id in self.catalog.classes.keys() {
            for parent in self.parents(id) {
                self.subclasses.entry(parent).or_default().push(id);
            }
        }
    }

    /// The class a name means in the code of class `from`: of the same loader if there is one,
    /// else of the boot loader, else the only one of that name.
    #[must_use]
    pub fn resolve(&self, from: ClassId, name: &str) -> Option<ClassId> {
        let candidates = self.by_name.get(name)?;
        let loader = self.catalog.classes.get(&from).and_then(|c| c.loader);
        let of = |wanted| {
            candidates
                .iter()
                .copied()
                .find(|id| self.catalog.classes[id].loader == wanted)
        };
        of(loader).or_else(|| of(None)).or(match candidates[..] {
            [only] => Some(only),
            _ => None,
        })
    }

    /// Superclass and interfaces as far as they are defined.
    fn parents(&self, id: ClassId) -> Vec<ClassId> {
        let Some(class) = self.catalog.classes.get(&id) else {
            return Vec::new();
        };
        class
            .super_name
            .iter()
            .chain(&class.interfaces)
            .filter_map(|name| self.resolve(id, name))
            .filter(|&parent| parent != id)
            .collect()
    }

    /// The class itself and all its known supertypes, nearest first.
    #[must_use]
    pub fn ancestry(&self, id: ClassId) -> Arc<[ClassId]> {
        closure(&self.above, id, |class| self.parents(class))
    }

    /// The class itself and all its known subtypes, nearest first.
    #[must_use]
    pub fn descendants(&self, id: ClassId) -> Arc<[ClassId]> {
        closure(&self.below, id, |class| {
            self.subclasses.get(&class).cloned().unwrap_or_default()
        })
    }

    /// Whether `class` is `ancestor` or extends it; none when a class on the way is not defined.
    #[must_use]
    pub fn extends(&self, class: ClassId, ancestor: ClassId) -> Option<bool> {
        if self.ancestry(class).contains(&ancestor) {
            return Some(true);
        }
        self.is_closed(class).then_some(false)
    }

    /// Whether `class` has the binary name `name` or extends a class that has; none when a class
    /// on the way is not defined.
    #[must_use]
    pub fn extends_name(&self, class: ClassId, name: &str) -> Option<bool> {
        let named = |id: &ClassId| {
            self.catalog.classes.get(id).is_some_and(|c| {
                c.name == name
                    || c.super_name.as_deref() == Some(name)
                    || c.interfaces.iter().any(|i| i == name)
            })
        };
        if name == "java.lang.Object" || self.ancestry(class).iter().any(named) {
            return Some(true);
        }
        self.is_closed(class).then_some(false)
    }

    /// Every supertype of the class is defined (`java.lang.Object` need not be).
    fn is_closed(&self, class: ClassId) -> bool {
        self.ancestry(class).iter().all(|&id| {
            self.catalog.classes.get(&id).is_some_and(|c| {
                c.super_name
                    .iter()
                    .chain(&c.interfaces)
                    .all(|name| name == "java.lang.Object" || self.resolve(id, name).is_some())
            })
        })
    }

    /// The method a class declares itself.
    #[must_use]
    pub fn declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        self.methods.get(&(class, name, descriptor)).copied()
    }

    /// The method a class declares or inherits, the nearest declaration first.
    #[must_use]
    pub fn inherited(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let above = self.ancestry(class);
        above
            .iter()
            .find_map(|&id| self.declared(id, name, descriptor))
    }

    /// Everything a call in the code of `from` can reach among the defined methods: the
    /// declaration it names or inherits, and for virtual calls its overrides in known subclasses.
    #[must_use]
    pub fn targets(&self, from: ClassId, kind: InvokeKind, callee: &MemberRef) -> Vec<MethodId> {
        let Some(class) = self.resolve(from, &callee.class) else {
            return Vec::new();
        };
        let mut found: Vec<MethodId> = self
            .inherited(class, &callee.name, &callee.descriptor)
            .into_iter()
            .collect();
        if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) {
            found.extend(self.overrides(class, &callee.name, &callee.descriptor));
        }
        found
    }

    /// The methods that override one of a class, those of the nearest subtypes first.
    fn overrides(&self, class: ClassId, name: &str, descriptor: &str) -> Vec<MethodId> {
        let below = self.descendants(class);
        let declaring = self.declaring.get(&(name, descriptor));
        let declaring = declaring.map_or(&[][..], Vec::as_slice);
        // Of `java.lang.Object` everything is a subtype, and hardly anything overrides what is called.
        let is_below = |&&sub: &&ClassId| sub != class && self.ancestry(sub).contains(&class);
        if declaring.len() < below.len() {
            let few: Vec<ClassId> = declaring.iter().filter(is_below).copied().take(2).collect();
            if few.len() < 2 {
                let only = few.first().map(|&sub| self.declared(sub, name, descriptor));
                return only.flatten().into_iter().collect();
            }
        }
        let overrides = below.iter().skip(1);
        let declared = overrides.filter_map(|&sub| self.declared(sub, name, descriptor));
        declared.collect()
    }
}

/// A class and what it leads to, nearest first.
fn closure(
    known: &Closures,
    id: ClassId,
    next: impl Fn(ClassId) -> Vec<ClassId>,
) -> Arc<[ClassId]> {
    if let Some(found) = known.borrow().get(&id) {
        return Arc::clone(found);
    }
    let mut seen = BTreeSet::from([id]);
    let mut queue = VecDeque::from([id]);
    let mut found = Vec::new();
    while let Some(class) = queue.pop_front() {
        found.push(class);
        queue.extend(next(class).into_iter().filter(|&c| seen.insert(c)));
    }
    let found: Arc<[ClassId]> = found.into();
    known.borrow_mut().insert(id, Arc::clone(&found));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, virtual_ref};
    use locklens_trace::LoaderId;

    #[test]
    fn resolves_names_in_the_loader_of_the_asking_class() {
        let mut b = Build::default();
        let one = b.class_in(Some(LoaderId(1)), "app.Gate", "java.lang.Object");
        let two = b.class_in(Some(LoaderId(2)), "app.Gate", "java.lang.Object");
        let user = b.class_in(Some(LoaderId(2)), "app.User", "java.lang.Object");
        let stranger = b.class_in(Some(LoaderId(3)), "app.Other", "java.lang.Object");
        let h = Hierarchy::of(&b.catalog);
        assert_eq!(h.resolve(user, "app.Gate"), Some(two));
        assert_eq!(h.resolve(one, "app.Gate"), Some(one));
        assert_eq!(h.resolve(stranger, "app.Gate"), None, "two candidates");
    }

    #[test]
    fn an_undefined_superclass_makes_the_answer_unknown() {
        let mut b = Build::default();
        let closed = b.class("app.Plain", "java.lang.Object");
        let open = b.class("app.Sub", "lib.Missing");
        let h = Hierarchy::of(&b.catalog);
        assert_eq!(h.extends_name(closed, "lib.Base"), Some(false));
        assert_eq!(h.extends_name(open, "lib.Base"), None);
        assert_eq!(h.extends_name(open, "lib.Missing"), Some(true));
        assert_eq!(h.extends(open, closed), None);
    }

    #[test]
    fn virtual_calls_reach_overrides_and_inherited_methods() {
        let mut b = Build::default();
        let base = b.class("app.Base", "java.lang.Object");
        let sub = b.class("app.Sub", "app.Base");
        let in_base = b.method(base, "step", "()V", 0);
        let in_sub = b.method(sub, "step", "()V", 0);
        let h = Hierarchy::of(&b.catalog);
        let up = h.targets(
            sub,
            InvokeKind::Virtual,
            &virtual_ref("app.Base", "step", "()V"),
        );
        assert_eq!(up, [in_base, in_sub]);
        let special = h.targets(
            sub,
            InvokeKind::Special,
            &virtual_ref("app.Base", "step", "()V"),
        );
        assert_eq!(special, [in_base]);
    }

    #[test]
    fn overrides_are_the_same_however_many_classes_declare_such_a_method() {
        let mut b = Build::default();
        let base = b.class("app.Base", "java.lang.Object");
        let subs = ["app.S1", "app.S2", "app.S3"].map(|name| b.class(name, "app.Base"));
        let low = b.class("app.Low", "app.S1");
        let step = |b: &mut Build, class| b.method(class, "step", "()V", 0);
        let targets = |b: &Build| {
            let callee = virtual_ref("app.Base", "step", "()V");
            Hierarchy::of(&b.catalog).targets(base, InvokeKind::Virtual, &callee)
        };
        let in_low = step(&mut b, low);
        assert_eq!(
            targets(&b),
            [in_low],
            "fewer declare it than there are subclasses"
        );
        let in_base = step(&mut b, base);
        let in_third = step(&mut b, subs[2]);
        assert_eq!(
            targets(&b),
            [in_base, in_third, in_low],
            "the nearest first"
        );
        for n in 0..9 {
            let other = b.class(&format!("lib.C{n}"), "java.lang.Object");
            step(&mut b, other);
        }
        assert_eq!(targets(&b), [in_base, in_third, in_low]);
    }

    #[test]
    fn a_cyclic_hierarchy_ends() {
        let mut b = Build::default();
        let a = b.class("app.A", "app.B");
        let c = b.class("app.B", "app.A");
        let h = Hierarchy::of(&b.catalog);
        assert_eq!(h.extends(a, c), Some(true));
        assert_eq!(h.descendants(a).len(), 2);
    }
}
