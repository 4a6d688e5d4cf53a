//! What the command asks to have rewritten.
//!
//! A few lines of text, one wish each; it comes over the channel, because the option string of an
//! attach is short.
//!
//! ```text
//! class GLOB     classes by binary name; * stands for anything, ? for one character
//! method GLOB    methods by Class.method
//! app            every class outside the JDK, and those of the JDK whose monitors programs share
//! lock NAME      only objects of this class; NAME.class means the mirror of NAME
//! clock 0        do not read the clock
//! guard 1        tell only what is new: each dependency between locks; no clock is read
//! juc 1          every park and unpark, and every operation of the locks of java.util.concurrent; of a guard the operations
//!                that take a lock and give it back, and no parks
//! access GLOB    of those classes every access to a field and to an atomic, too
//! dormant 1      leave the probes in place at the end, switched off
//! detach 1       take out what was left so, and end
//! dry 1          say what would be done, and end
//! jvm TEXT       what the command found out about this JVM; goes into the trace
//! ```

use super::operations::{planned_of_locks, planned_operations};
use locklens_rewrite::plan::Operation;
use locklens_trace::juc;
use locklens_trace::pattern::matches;

/// The class all parks go through.
pub(super) const LOCK_SUPPORT: &str = "java.util.concurrent.locks.LockSupport";
/// The class that starts threads and waits for their ends.
const THREAD: &str = "java.lang.Thread";
/// Its methods that do so, others of these names call them; and the constructor by which virtual threads are made.
const OF_LIVES: [(&str, &str); 5] = [
    ("start", "()V"),
    ("start", "(Ljdk/internal/vm/ThreadContainer;)V"),
    ("<init>", "(Ljava/lang/String;IZ)V"),
    ("join", "(J)V"),
    ("join", "(Ljava/time/Duration;)Z"),
];

/// Classes of the JDK's whose objects are locks of the program that makes them: deadlocks of two synchronized lists are
/// the program's own, though all the locking is done in the JDK. Not those that are locked all the time and mostly used by
/// one thread (`Vector`, `Hashtable`, `StringBuffer`): their events would drown the program's.
const SHARED: [&str; 7] = [
    "java.awt.Component",
    "java.awt.Container",
    "java.util.Collections$Synchronized*",
    "java.util.Observable",
    "java.util.Timer*",
    "java.util.logging.*Handler",
    "java.util.logging.LogManager",
];

/// Whether a class of the JDK's comes with those of the program.
pub(super) fn is_shared(name: &str) -> bool {
    SHARED.iter().any(|glob| matches(glob, name))
}

/// A class of the JDK's that tells of parks, of operations of locks, or of the lives of threads.
pub(super) fn is_of_juc(name: &str) -> bool {
    matches!(name, LOCK_SUPPORT | THREAD) || juc::class_named(name).is_some()
}

/// See [`Selection::chosen`].
const PARKS_ALONE: &str = "parks";

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    classes: Vec<String>,
    methods: Vec<String>,
    app: bool,
    accesses: Vec<String>,
    /// Classes of the lock objects of interest; all, if empty.
    pub(crate) locks: Vec<String>,
    pub(crate) clockless: bool,
    /// Only what is new is told.
    pub(crate) guard: bool,
    /// Parks, unparks and operations, too; see [`Self::has_parks`].
    juc: bool,
    pub(crate) dry: bool,
    /// The probes stay at the end.
    pub(crate) dormant: bool,
    /// Those that stayed go; nothing else.
    pub(crate) detach: bool,
    pub(crate) jvm: Option<String>,
}

/// What of a class is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All its methods.
    Whole,
    /// Those [`Selection::names_method`] says.
    Some,
    /// That it starts threads and waits for their ends; nothing of its monitors.
    Lives,
}

impl Selection {
    /// Only single methods are chosen, no whole class.
    pub(super) fn is_of_methods(&self) -> bool {
        !self.methods.is_empty() && self.classes.is_empty() && !self.app
    }

    /// Reads the lines; the error is a sentence for the command's user.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut selection = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            selection.add(word, rest)?;
        }
        match selection.clockless {
            true if selection.has_parks() => {
                Err("parks cannot be recorded without a clock".to_owned())
            }
            true if !selection.accesses.is_empty() => {
                Err("accesses cannot be recorded without a clock".to_owned())
            }
            _ => Ok(selection),
        }
    }

    fn add(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            "class" => self.classes.push(rest.to_owned()),
            "method" => self.methods.push(rest.to_owned()),
            "app" => self.app = true,
            "access" => self.accesses.push(rest.to_owned()),
            "lock" => self.locks.push(rest.to_owned()),
            "juc" => self.juc = rest == "1",
            "clock" => self.clockless = rest == "0",
            "guard" => {
                self.guard = rest == "1";
                self.clockless |= self.guard;
            }
            "dry" => self.dry = rest == "1",
            "dormant" => self.dormant = rest == "1",
            "detach" => self.detach = rest == "1",
            "jvm" => self.jvm = Some(rest.to_owned()),
            _ => return Err(format!("this agent does not know the wish {word:?}")),
        }
        Ok(())
    }

    /// How it was chosen, the narrowest way first (see [`target_key::EXACT_CHOSEN`]).
    ///
    /// [`target_key::EXACT_CHOSEN`]: locklens_trace::record::target_key::EXACT_CHOSEN
    pub(crate) fn chosen(&self) -> &'static str {
        match (self.methods.is_empty(), self.locks.is_empty(), self.app) {
            (_, _, true) => "app",
            (false, _, false) => "methods",
            (true, false, false) => "locks",
            (true, true, false) if self.classes.is_empty() => PARKS_ALONE,
            (true, true, false) => "classes",
        }
    }

    /// Whether any monitor is meant, and not parks alone.
    pub(crate) fn has_monitors(&self) -> bool {
        self.chosen() != PARKS_ALONE
    }

    /// What of the class of this binary name is meant; `jdk` if it is the JDK's.
    pub(crate) fn extent(&self, name: &str, jdk: bool) -> Option<Extent> {
        let juc = jdk && self.has_juc(name);
        let app = self.app && (!jdk || is_shared(name));
        if juc || app || self.classes.iter().any(|glob| matches(glob, name)) {
            return Some(Extent::Whole);
        }
        let part = |glob: &String| {
            let class = glob.rsplit_once('.').map_or("*", |(class, _)| class);
            matches(class, name)
        };
        let some = self.methods.iter().any(part).then_some(Extent::Some);
        let lives = (self.has_lives() && jdk && name == THREAD).then_some(Extent::Lives);
        some.or(lives)
    }

    /// Whether parks and unparks are meant, which a guard needs not.
    pub(super) fn has_parks(&self) -> bool {
        self.juc && !self.guard
    }

    /// Whether any operations are meant.
    pub(super) fn has_operations(&self) -> bool {
        self.juc
    }

    /// The operations that are meant.
    pub(super) fn operations(&self) -> &'static [Operation] {
        match (self.juc, self.guard) {
            (false, _) => &[],
            (true, false) => planned_operations(),
            (true, true) => planned_of_locks(),
        }
    }

    /// Whether a class of the JDK's of this name tells of parks or of operations that are meant.
    pub(super) fn has_juc(&self, name: &str) -> bool {
        let of_locks = || juc::class_named(name).is_some_and(juc::Class::is_of_locks);
        match self.guard {
            true => self.juc && of_locks(),
            false => self.juc && is_of_juc(name) && name != THREAD,
        }
    }

    /// Whether a class comes only because it is [shared](is_shared).
    pub(super) fn is_beside(&self, name: &str) -> bool {
        let named = !self.methods.is_empty() || self.classes.iter().any(|glob| matches(glob, name));
        self.app && is_shared(name) && !named
    }

    /// Whether it is told who starts a thread and who waits for its end: where threads are recorded whole, and with times.
    pub(super) fn has_lives(&self) -> bool {
        self.has_parks() || self.app && !self.clockless
    }

    /// Whether the accesses that the code of a class makes are meant, too.
    pub(crate) fn has_accesses(&self, class: &str) -> bool {
        self.accesses.iter().any(|glob| matches(glob, class))
    }

    /// The classes of which they are, as asked for.
    pub(crate) fn accesses(&self) -> &[String] {
        &self.accesses
    }

    /// Whether a method of a class is meant by its own name.
    pub(crate) fn names_method(&self, class: &str, method: &str) -> bool {
        self.methods.iter().any(|glob| {
            let (of, name) = glob.rsplit_once('.').unwrap_or(("*", glob));
            matches(of, class) && matches(name, method)
        })
    }
}

/// Whether a method starts a thread, or waits for its end.
pub(super) fn is_of_lives(name: &str, descriptor: &str) -> bool {
    OF_LIVES.contains(&(name, descriptor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        let text = "class a.b.*\nmethod a.C.run*\nlock a.Lock\nclock 0\njvm flush: first\n";
        let selection = Selection::parse(text).expect("well-formed");
        assert_eq!(selection.extent("a.b.X", false), Some(Extent::Whole));
        assert_eq!(selection.extent("a.C", false), Some(Extent::Some));
        assert_eq!(selection.extent("a.D", false), None);
        assert!(selection.names_method("a.C", "runAll") && !selection.names_method("a.C", "walk"));
        assert!(selection.clockless && !selection.dry);
        assert_eq!(selection.jvm.as_deref(), Some("flush: first"));
    }

    #[test]
    fn parks_and_operations_are_in_classes_of_their_own_and_need_a_clock() {
        let selection = Selection::parse("juc 1").expect("well-formed");
        assert_eq!(selection.extent(LOCK_SUPPORT, true), Some(Extent::Whole));
        assert_eq!(selection.extent(LOCK_SUPPORT, false), None);
        let phaser = "java.util.concurrent.Phaser";
        assert_eq!(selection.extent(phaser, true), Some(Extent::Whole));
        assert_eq!(selection.extent(phaser, false), None);
        let other = "java.util.concurrent.ForkJoinPool";
        assert_eq!(selection.extent(other, true), None);
        assert_eq!(selection.extent(THREAD, true), Some(Extent::Lives));
        assert_eq!(selection.extent(THREAD, false), None);
        assert!(is_of_lives("join", "(J)V") && !is_of_lives("join", "()V"));
        assert_eq!(selection.chosen(), "parks");
        assert!(!selection.has_monitors());
        assert!(Selection::parse("juc 1\nclock 0").is_err());
    }

    #[test]
    fn a_guard_has_the_operations_of_locks_and_no_parks() {
        let selection = Selection::parse("clock 0\njuc 1\nguard 1").expect("well-formed");
        let lock = "java.util.concurrent.locks.ReentrantLock";
        assert_eq!(selection.extent(lock, true), Some(Extent::Whole));
        for other in [LOCK_SUPPORT, THREAD, "java.util.concurrent.Semaphore"] {
            assert_eq!(selection.extent(other, true), None, "{other}");
        }
        let of_locks = |one: &Operation| one.class.starts_with("java/util/concurrent/locks/");
        assert!(selection.operations().iter().all(of_locks));
        assert!(!selection.has_parks() && !selection.has_lives());
        let none = Selection::parse("guard 1").expect("well-formed");
        assert!(none.operations().is_empty() && none.extent(lock, true).is_none());
    }

    #[test]
    fn what_was_chosen_is_said_the_narrowest_first() {
        let chosen = |text| Selection::parse(text).expect("well-formed").chosen();
        assert_eq!(chosen("class a.*"), "classes");
        assert_eq!(chosen("class a.*\nlock a.Lock"), "locks");
        assert_eq!(chosen("class a.*\nmethod b.C.run"), "methods");
        assert_eq!(chosen("method b.C.run\napp"), "app");
    }

    #[test]
    fn the_application_is_what_is_not_the_jdks_and_what_it_shares_by_the_jdks() {
        let selection = Selection::parse("app").expect("well-formed");
        assert_eq!(selection.extent("x.Y", false), Some(Extent::Whole));
        let shared = "java.util.Collections$SynchronizedMap";
        assert_eq!(selection.extent(shared, true), Some(Extent::Whole));
        assert_eq!(selection.extent("java.util.Vector", true), None);
        assert!(selection.is_beside("java.util.Timer") && !selection.is_beside("x.Y"));
        for named in ["app\nclass java.util.*", "method java.util.Timer.cancel"] {
            let selection = Selection::parse(named).expect("well-formed");
            assert!(!selection.is_beside("java.util.Timer"), "{named}");
        }
        assert!(Selection::parse("colour red").is_err());
    }

    #[test]
    fn of_the_whole_application_it_is_told_who_starts_threads_if_there_is_a_clock() {
        let of_thread = |text| {
            Selection::parse(text)
                .expect("well-formed")
                .extent(THREAD, true)
        };
        assert_eq!(of_thread("app"), Some(Extent::Lives));
        for text in ["app\nclock 0", "app\nguard 1", "class x.*"] {
            assert_eq!(of_thread(text), None, "{text}");
        }
    }
}
