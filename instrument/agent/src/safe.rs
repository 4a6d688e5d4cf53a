//! The safe-lock table: locks of the JVM's own machinery that no report is about.
//!
//! A lock is matched once, when it gets its id, by the class of the object; from then on its
//! events are only counted, under the entry's name, and the counts go into the trace. Class
//! loading by name locks plain objects kept in a loader's map; those cannot be told by class and
//! are recorded.

/// One kind of safe lock.
pub(crate) struct Entry {
    /// As reported.
    pub(crate) name: &'static str,
    /// Binary class names; one that ends in `*` stands for all that begin so.
    classes: &'static [&'static str],
    /// Only arrays of length 0, which the JVM keeps to itself: code that asks for one has its own.
    empty_array: bool,
}

/// All of them. A lock's slot holds the index plus one.
pub(crate) const TABLE: &[Entry] = &[
    Entry {
        name: "class initialisation",
        // HotSpot's lock of a class being initialised is an `int[0]` nobody else has.
        classes: &["[I"],
        empty_array: true,
    },
    Entry {
        name: "reference handling",
        classes: &[
            "java.lang.ref.Reference$Lock",
            "java.lang.ref.ReferenceQueue$Lock",
            "java.lang.ref.ReferenceQueue$Null",
            "java.lang.ref.NativeReferenceQueue$Lock",
        ],
        empty_array: false,
    },
    Entry {
        name: "AWT event queue",
        classes: &[
            "java.awt.EventQueue",
            "java.awt.EventQueue$*",
            "java.awt.EventDispatchThread",
            "java.awt.EventDispatchThread$*",
            "sun.awt.*",
        ],
        empty_array: false,
    },
];

/// The entries a class may belong to: the index in [`TABLE`], if any.
pub(crate) fn entry_of(class: &str) -> Option<usize> {
    TABLE.iter().position(|entry| entry.matches(class))
}

/// Whether the entry only covers arrays of length 0 that no code can ask for.
pub(crate) fn is_the_jvms_alone(entry: usize) -> bool {
    TABLE.get(entry).is_some_and(|entry| entry.empty_array)
}

impl Entry {
    fn matches(&self, class: &str) -> bool {
        self.classes
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(prefix) => class.starts_with(prefix),
                None => class == *pattern,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_its_locks_and_no_others() {
        let name = |class| entry_of(class).map(|i| TABLE[i].name);
        assert_eq!(name("[I"), Some("class initialisation"));
        assert_eq!(
            name("java.lang.ref.ReferenceQueue$Lock"),
            Some("reference handling")
        );
        assert_eq!(name("sun.awt.PostEventQueue"), Some("AWT event queue"));
        assert_eq!(name("java.awt.EventQueueTest"), None);
        assert_eq!(name("java.lang.Object"), None);
        assert_eq!(name("[[I"), None);
    }
}
