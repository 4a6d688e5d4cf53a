//! What the trace tells of the target's code: definitions, hierarchy, lexical structure.
//!
//! Nothing here depends on events. Structure is worked out when first asked for, once a method.

use crate::catalog::Catalog;
use crate::hierarchy::Hierarchy;
use crate::region::nesting::Nesting;
use crate::region::subject::Subject;
use crate::region::{Region, RegionPlace};
use locklens_trace::record::MethodDef;
use locklens_trace::{ClassId, MethodId};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Packages of what only hands calls on.
const HANDING_ON: [&str; 8] = [
    "java.lang.invoke.",
    "java.lang.reflect.",
    "sun.reflect.",
    "jdk.internal.reflect.",
    "org.codehaus.groovy.runtime.",
    "org.codehaus.groovy.vmplugin.",
    "org.codehaus.groovy.reflection.",
    "groovy.lang.Meta",
];

/// Classes that Groovy makes, one for each method that is called from anywhere, extend one of these.
const CALL_SITES: &str = "org.codehaus.groovy.runtime.callsite.";

/// Whether a class is of the machinery by which calls go from one method to another, and locks nothing of the
/// program's while they do: reflection, method handles, Groovy's call sites.
pub(crate) fn hands_on(catalog: &Catalog, class: ClassId) -> bool {
    let name = catalog.class_name(class);
    let def = catalog.classes.get(&class);
    let is_site = || {
        let above = def.and_then(|def| def.super_name.as_deref());
        above.is_some_and(|above| above.starts_with(CALL_SITES))
    };
    is_handing_on(&name) || is_site()
}

/// The same by the name of a class, or of a frame in it.
#[must_use]
pub fn is_handing_on(name: &str) -> bool {
    HANDING_ON.iter().any(|prefix| name.starts_with(prefix))
}

/// The target's code.
#[derive(Debug)]
pub struct Program<'a> {
    /// Definitions.
    pub catalog: &'a Catalog,
    /// Class hierarchy.
    pub hierarchy: Hierarchy<'a>,
    nestings: BTreeMap<MethodId, OnceCell<Option<Nesting<'a>>>>,
}

impl<'a> Program<'a> {
    /// Indexes a catalog.
    #[must_use]
    pub fn of(catalog: &'a Catalog) -> Self {
        Self {
            catalog,
            hierarchy: Hierarchy::of(catalog),
            nestings: catalog.code.keys().map(|&m| (m, OnceCell::new())).collect(),
        }
    }

    /// Definition of a method.
    #[must_use]
    pub fn method(&self, id: MethodId) -> Option<&'a MethodDef> {
        self.catalog.methods.get(&id)
    }

    /// Lexical structure of a method; none if its code is unknown or cannot be followed.
    #[must_use]
    pub fn nesting(&self, id: MethodId) -> Option<&Nesting<'a>> {
        let cell = self.nestings.get(&id)?;
        cell.get_or_init(|| Nesting::of(self.method(id)?, self.catalog.code.get(&id)?))
            .as_ref()
    }

    /// The region a synchronized method is.
    #[must_use]
    pub fn method_region(method: &MethodDef) -> Region {
        Region {
            method: method.id,
            class: method.class,
            place: RegionPlace::Method,
        }
    }

    /// What a region locks, in terms of its method.
    #[must_use]
    pub fn subject(&self, region: &Region) -> Subject {
        let Some(method) = self.method(region.method) else {
            return Subject::Unknown;
        };
        match region.place {
            RegionPlace::Method if method.is_static() => {
                Subject::Class(self.catalog.class_name(method.class))
            }
            RegionPlace::Method => Subject::This,
            RegionPlace::Block { bci, .. } => self
                .nesting(region.method)
                .and_then(|n| n.monitor_at(bci))
                .map_or(Subject::Unknown, |m| m.subject.clone()),
            RegionPlace::Unknown { .. } => Subject::Unknown,
        }
    }

    /// Whether a frame is `Object.wait` or the native method behind it.
    #[must_use]
    pub fn is_object_wait(&self, id: MethodId) -> bool {
        self.is_of_object(id, &["wait", "wait0"])
    }

    /// Whether a frame is `Object.wait`, `notify` or `notifyAll`.
    #[must_use]
    pub fn is_monitor_operation(&self, id: MethodId) -> bool {
        self.is_of_object(id, &["wait", "wait0", "notify", "notifyAll"])
    }

    /// Whether a frame only hands a call on, by reflection or the like.
    #[must_use]
    pub fn hands_on(&self, id: MethodId) -> bool {
        self.method(id)
            .is_some_and(|method| hands_on(self.catalog, method.class))
    }

    fn is_of_object(&self, id: MethodId, names: &[&str]) -> bool {
        self.method(id)
            .is_some_and(|m| names.contains(&m.name.as_str()) && self.is_object(m.class))
    }

    fn is_object(&self, class: ClassId) -> bool {
        self.catalog
            .classes
            .get(&class)
            .is_some_and(|c| c.name == "java.lang.Object")
    }
}
