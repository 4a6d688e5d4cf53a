//! Which threads count: those of the application, and of these the ones that are asked for.
//!
//! The JVM's own service threads are told by their group; so are the platform threads that carry virtual ones, which count
//! themselves. `DestroyJavaVM` stands in the group of `main` and waits inside the JVM for the others to end.

use locklens_trace::crowd;
use locklens_trace::pattern::matches;
use locklens_trace::record::ThreadDef;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    /// Only threads of such a name, or in a group of such a name.
    pub(super) only: Option<String>,
}

impl Crowd {
    /// Whether a thread of which no definition is known counts.
    pub(super) fn counts_unknown(&self) -> bool {
        self.only.is_none()
    }

    /// Whether this thread counts.
    pub(super) fn counts(&self, def: &ThreadDef) -> bool {
        let is_meant = |only: &String| {
            let group = def.group.as_deref();
            matches(only, &def.name) || group.is_some_and(|group| matches(only, group))
        };
        !is_service(def) && self.only.as_ref().is_none_or(is_meant)
    }
}

/// A thread of the JVM's, or one that carries virtual ones.
pub(crate) fn is_service(def: &ThreadDef) -> bool {
    crowd::is_service(&def.name, def.group.as_deref().unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::ThreadId;

    fn def(name: &str, group: &str) -> ThreadDef {
        ThreadDef {
            id: ThreadId(1),
            tid: 1,
            name: name.to_owned(),
            group: Some(group.to_owned()),
            daemon: false,
            is_virtual: false,
            at_start: true,
        }
    }

    #[test]
    fn service_threads_do_not_count() {
        let all = Crowd::default();
        assert!(all.counts(&def("main", "main")) && all.counts_unknown());
        for (name, group) in [
            ("Signal Dispatcher", "system"),
            ("Common-Cleaner", "InnocuousThreadGroup"),
            ("ForkJoinPool-1-worker-1", "CarrierThreads"),
            ("DestroyJavaVM", "main"),
            ("locklens", "main"),
        ] {
            assert!(!all.counts(&def(name, group)), "{name}");
        }
    }

    #[test]
    fn a_pattern_means_names_and_groups() {
        let only = Crowd {
            only: Some("http-*".to_owned()),
        };
        assert!(only.counts(&def("http-1", "main")));
        assert!(only.counts(&def("acceptor", "http-group")));
        assert!(!only.counts(&def("main", "main")) && !only.counts_unknown());
        assert!(!only.counts(&def("http-1", "system")));
    }
}
