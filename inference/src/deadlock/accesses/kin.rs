//! Which static fields may be one although code names them by different classes, or several although it names them by one.
//!
//! A static field is inherited, and code may name it by any subclass of the one that has it; where it really is only the
//! JVM knows. Classes of one name from several loaders have fields of their own, and which of them code means depends on its
//! own loader.

use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use locklens_trace::code::MemberRef;
use locklens_trace::record::{ClassDef, Frame};
use locklens_trace::{ClassId, LoaderId};
use std::collections::{BTreeSet, HashMap};

/// Ancestors of one class that are looked at, and classes by which one field is named.
const FAMILY: usize = 256;
const NAMES: usize = 64;

/// A field by its name and descriptor.
type Field = (String, String);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Kin {
    /// By name, how many classes have it.
    classes: Option<HashMap<String, Vec<ClassId>>>,
    /// By field, the classes by which it is named.
    named: HashMap<Field, BTreeSet<String>>,
    /// By class, the loader of the first code that names it.
    named_in: HashMap<String, Option<LoaderId>>,
}

impl Kin {
    /// Whether a static field may be another one than its name says, as far as code was met until now.
    pub(super) fn is_shared(
        &mut self,
        catalog: &Catalog,
        (field, is_static): (&MemberRef, bool),
        by: Option<&Frame>,
    ) -> bool {
        if !is_static || is_platform_name(&field.class) {
            return false;
        }
        self.is_loaded_twice(catalog, &field.class, by) || self.is_inherited(catalog, field)
    }

    fn is_loaded_twice(&mut self, catalog: &Catalog, class: &str, by: Option<&Frame>) -> bool {
        let method = by.and_then(|frame| catalog.methods.get(&frame.method));
        let Some(code) = method.and_then(|method| catalog.classes.get(&method.class)) else {
            return true;
        };
        let first = self.named_in.entry(class.to_owned());
        let elsewhere = *first.or_insert(code.loader) != code.loader;
        elsewhere || self.of_name(catalog, class).len() > 1
    }

    fn of_name(&mut self, catalog: &Catalog, class: &str) -> &[ClassId] {
        let classes = self.classes.get_or_insert_with(|| by_name(catalog));
        classes.get(class).map_or(&[], Vec::as_slice)
    }

    fn is_inherited(&mut self, catalog: &Catalog, field: &MemberRef) -> bool {
        let known = (field.name.clone(), field.descriptor.clone());
        let others = self.named.entry(known).or_default();
        if others.len() >= NAMES {
            return true;
        }
        others.insert(field.class.clone());
        if others.len() == 1 {
            return false;
        }
        let others = others.clone();
        let family = self.family(catalog, &field.class);
        let mut others = others.iter().filter(|&other| *other != field.class);
        others.any(|other| match (&family, &self.family(catalog, other)) {
            (Some(one), Some(other)) => !one.is_disjoint(other),
            _ => true,
        })
    }

    /// A class and its ancestors among the application's; none if they are not all known.
    fn family(&mut self, catalog: &Catalog, class: &str) -> Option<BTreeSet<String>> {
        let mut family = BTreeSet::new();
        let mut open = vec![class.to_owned()];
        while let Some(name) = open.pop().filter(|_| family.len() < FAMILY) {
            if is_platform_name(&name) || !family.insert(name.clone()) {
                continue;
            }
            let [id] = self.of_name(catalog, &name)[..] else {
                return None;
            };
            open.extend(parents(catalog.classes.get(&id)?));
        }
        (family.len() < FAMILY).then_some(family)
    }
}

fn parents(class: &ClassDef) -> impl Iterator<Item = String> {
    class.super_name.iter().chain(&class.interfaces).cloned()
}

fn by_name(catalog: &Catalog) -> HashMap<String, Vec<ClassId>> {
    let mut classes: HashMap<String, Vec<ClassId>> = HashMap::new();
    for class in catalog.classes.values() {
        classes
            .entry(class.name.clone())
            .or_default()
            .push(class.id);
    }
    classes
}
