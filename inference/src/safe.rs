//! Locks of the platform that are known to be safe and would only be noise in a report.
//!
//! They are named, can be shown (`Options::hide_safe`), and what they hide is counted.

use crate::effects::is_platform_name;
use crate::lockclass::{ClassKey, Group};
use crate::program::Program;
use crate::region::{Region, RegionPlace, RegionTable};
use locklens_trace::ClassId;

/// One kind of known-safe lock.
struct Entry {
    name: &'static str,
    /// Binary names of classes (or subclasses of them) whose instances are such locks, where it is the
    /// platform that locks them.
    instances: &'static [&'static str],
    /// Binary names of classes whose mirrors are such locks.
    mirrors: &'static [&'static str],
    /// Methods (class, name) whose regions lock only such locks, whatever their class.
    regions: &'static [(&'static str, &'static str)],
}

const INTS: &str = "[I";

const TABLE: &[Entry] = &[
    Entry {
        name: "class loading",
        instances: &["java.lang.ClassLoader"],
        mirrors: &[],
        regions: &[
            ("java.lang.ClassLoader", "loadClass"),
            ("java.lang.ClassLoader", "getClassLoadingLock"),
            ("jdk.internal.loader.BuiltinClassLoader", "loadClassOrNull"),
            ("sun.misc.Launcher$AppClassLoader", "loadClass"),
            ("java.net.URLClassLoader", "getAndVerifyPackage"),
        ],
    },
    // HotSpot locks a private int array while it initialises a class: wherever that is, it is in no
    // region.
    Entry {
        name: "class initialisation",
        instances: &[INTS],
        mirrors: &[],
        regions: &[],
    },
    Entry {
        name: "reference handler",
        instances: &[
            "java.lang.ref.Reference$Lock",
            "java.lang.ref.ReferenceQueue",
            "java.lang.ref.ReferenceQueue$Lock",
            "java.lang.ref.NativeReferenceQueue$Lock",
        ],
        mirrors: &["java.lang.ref.Reference"],
        // From JDK 28 on the lock of a queue is of no class of its own.
        regions: &[
            ("java.lang.ref.Reference", "waitForReferenceProcessing"),
            ("java.lang.ref.ReferenceQueue", "enqueue"),
            ("java.lang.ref.ReferenceQueue", "poll"),
            ("java.lang.ref.ReferenceQueue", "remove"),
        ],
    },
    Entry {
        name: "finalizer",
        instances: &[],
        mirrors: &["java.lang.ref.Finalizer"],
        regions: &[
            ("java.lang.ref.Finalizer", "add"),
            ("java.lang.ref.Finalizer", "remove"),
            ("java.lang.ref.Finalizer", "<init>"),
        ],
    },
    Entry {
        name: "AWT event queue",
        instances: &["java.awt.EventQueue", "sun.awt.PostEventQueue"],
        mirrors: &[],
        regions: &[
            ("java.awt.EventQueue", "getNextEvent"),
            ("java.awt.EventQueue", "postEvent"),
            ("sun.awt.PostEventQueue", "flush"),
            ("sun.awt.PostEventQueue", "postEvent"),
        ],
    },
];

/// Name of the known-safe kind a logical lock belongs to.
#[must_use]
pub fn known_safe(
    program: &Program<'_>,
    table: &RegionTable,
    group: &Group,
) -> Option<&'static str> {
    let fits = |entry: &&Entry| {
        group.classes.iter().all(|&c| is_listed(program, entry, c))
            && is_used_by_platform(program, table, group)
            || all_regions_listed(program, table, entry, group)
    };
    TABLE.iter().find(fits).map(|entry| entry.name)
}

/// Whoever makes a subclass of such a class, or has an int array, may use it as a lock of their own.
fn is_used_by_platform(program: &Program<'_>, table: &RegionTable, group: &Group) -> bool {
    let is_platform = |class| is_platform_name(&program.catalog.class_name(class));
    let no_own_region = |region: &Region| match region.place {
        // The code is known, and there is no region there.
        RegionPlace::Unknown { .. } => program.nesting(region.method).is_some(),
        RegionPlace::Method | RegionPlace::Block { .. } => false,
    };
    if group.regions.is_empty() {
        return group.classes.iter().all(|&class| match class {
            ClassKey::Of(id) | ClassKey::Mirror(id) => {
                is_platform(id) && program.catalog.class_name(id) != INTS
            }
            ClassKey::Lost(_) => false,
        });
    }
    let mut regions = group.regions.iter().filter_map(|&id| table.get(id));
    regions.all(|region| is_platform(region.class) || no_own_region(region))
}

fn is_listed(program: &Program<'_>, entry: &Entry, class: ClassKey) -> bool {
    let named = |id: ClassId, names: &[&str]| {
        names
            .iter()
            .any(|name| program.hierarchy.extends_name(id, name) == Some(true))
    };
    match class {
        ClassKey::Of(id) => named(id, entry.instances),
        ClassKey::Mirror(id) => entry
            .mirrors
            .contains(&program.catalog.class_name(id).as_str()),
        ClassKey::Lost(_) => false,
    }
}

fn all_regions_listed(
    program: &Program<'_>,
    table: &RegionTable,
    entry: &Entry,
    group: &Group,
) -> bool {
    !group.regions.is_empty()
        && group.regions.iter().all(|&id| {
            let method = table.get(id).and_then(|r| program.method(r.method));
            method.is_some_and(|m| {
                let class = program.catalog.class_name(m.class);
                entry.regions.contains(&(class.as_str(), m.name.as_str()))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, SYNCHRONIZED, leave};
    fn verdict(
        b: &Build,
        table: &RegionTable,
        class: ClassKey,
        region: Option<Region>,
    ) -> Option<&'static str> {
        let mut table = table.clone();
        let group = Group {
            locks: [].into(),
            classes: [class].into(),
            regions: region.into_iter().map(|r| table.intern(r)).collect(),
        };
        known_safe(&Program::of(&b.catalog), &table, &group)
    }

    #[test]
    fn listed_classes_their_subclasses_and_regions_are_safe() {
        let mut b = Build::default();
        let loader = b.class("java.lang.ClassLoader", "java.lang.Object");
        let own = b.class("app.Loader", "java.lang.ClassLoader");
        let object = b.class("java.lang.Object", "");
        let load = b.method(loader, "loadClass", "()V", SYNCHRONIZED);
        let run = b.method(own, "run", "()V", SYNCHRONIZED);
        let t = RegionTable::default();
        let region = |method, class| {
            Some(Region {
                method,
                class,
                place: RegionPlace::Method,
            })
        };
        let safe = Some("class loading");
        assert_eq!(verdict(&b, &t, ClassKey::Of(loader), None), safe);
        assert_eq!(
            verdict(&b, &t, ClassKey::Of(own), region(load, loader)),
            safe
        );
        assert_eq!(
            verdict(&b, &t, ClassKey::Of(object), region(load, loader)),
            safe
        );
        assert_eq!(
            verdict(&b, &t, ClassKey::Of(object), region(run, own)),
            None
        );
        assert_eq!(verdict(&b, &t, ClassKey::Mirror(loader), None), None);
    }

    #[test]
    fn a_safe_class_used_by_the_program_itself_is_not_safe() {
        let mut b = Build::default();
        b.class("java.lang.ClassLoader", "java.lang.Object");
        let own = b.class("app.Loader", "java.lang.ClassLoader");
        let ints = b.class("[I", "java.lang.Object");
        let run = b.method(own, "run", "()V", SYNCHRONIZED);
        let plain = b.coded(own, "plain", 0, vec![leave()]);
        let dark = b.method(own, "dark", "()V", 0);
        let t = RegionTable::default();
        let region = |method, place| {
            Some(Region {
                method,
                class: own,
                place,
            })
        };
        let nowhere = RegionPlace::Unknown { bci: Some(0) };
        for (place, method, safe) in [
            (RegionPlace::Method, run, false),
            (nowhere, plain, true),
            // Of this method the code is not known.
            (nowhere, dark, false),
        ] {
            for (class, name) in [(own, "class loading"), (ints, "class initialisation")] {
                let verdict = verdict(&b, &t, ClassKey::Of(class), region(method, place));
                assert_eq!(verdict, safe.then_some(name), "{name} {place:?}");
            }
        }
        for class in [own, ints] {
            assert_eq!(verdict(&b, &t, ClassKey::Of(class), None), None);
        }
    }
}
