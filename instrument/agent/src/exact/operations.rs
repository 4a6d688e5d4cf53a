//! Operations of the locks of `java.util.concurrent`: from the table that the trace's readers go by to what is
//! rewritten, and from the probes' records to what the trace is told.

use super::arena::Note;
use super::probe::kind;
use crate::vm::Vm;
use locklens_rewrite::plan::{self, Amount, Told};
use locklens_trace::Event;
use locklens_trace::juc::{
    self, Class, Count, Given, Method, Operation, Outcome, Subject, Verdict,
};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::LazyLock;

/// What is rewritten of them, for the life of the process.
static OPERATIONS: LazyLock<Vec<plan::Operation>> =
    LazyLock::new(|| juc::methods().map(planned).collect());

/// Of these what takes a lock and gives it back.
static OF_LOCKS: LazyLock<Vec<plan::Operation>> = LazyLock::new(|| {
    let of_locks = juc::methods().filter(|(_, class, _)| class.is_of_locks());
    of_locks.map(planned).collect()
});

/// What programs extend, and locks of the JDK.
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
/// Those of the JDK's that are used most: they are told apart by their class, before anything is looked up.
const INSIDE_LOCKS: [&str; 2] = [
    "java/util/concurrent/locks/ReentrantLock$Sync",
    "java/util/concurrent/locks/ReentrantReadWriteLock$Sync",
];

/// Has those classes loaded that the rewritten code of one names, so that it loads none itself.
pub(super) fn load_named(vm: Vm<'_>, class: &str) {
    if class.replace('.', "/") != SYNCHRONIZER {
        return;
    }
    let loaded = vm.loaded_classes().unwrap_or_default();
    let signatures = loaded
        .iter()
        .filter_map(|class| vm.class_signature(class).ok());
    let loaded: Vec<String> = signatures.collect();
    for name in INSIDE_LOCKS {
        // Who asks for one by its name asks the program's class loader, too.
        if !loaded.contains(&format!("L{name};")) {
            // Every JDK has them.
            drop(
                CString::new(name)
                    .ok()
                    .and_then(|name| vm.find_class(&name)),
            );
        }
    }
}

/// See [`OPERATIONS`].
pub(super) fn planned_operations() -> &'static [plan::Operation] {
    &OPERATIONS
}

/// See [`OF_LOCKS`].
pub(super) fn planned_of_locks() -> &'static [plan::Operation] {
    &OF_LOCKS
}

/// Internal names of their classes.
static NAMES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let names = juc::CLASSES.iter().map(|class| class.name);
    names.map(|name| (name, name.replace('.', "/"))).collect()
});

fn internal_name(class: &Class) -> &'static str {
    NAMES.get(class.name).map_or("", String::as_str)
}

// Neither crate may name the other.
const _: () = assert!(locklens_trace::juc::TID_MASK == (1 << locklens_rewrite::plan::TID_BITS) - 1);

fn planned((number, class, method): (u8, &'static Class, &'static Method)) -> plan::Operation {
    let internal = internal_name(class);
    let subject = match (method.given, class.subject) {
        (Given::Local(local), _) => plan::Subject::Local(local),
        (Given::Result, _) => plan::Subject::Result,
        (Given::Born, _) => plan::Subject::Born,
        (Given::Made(of), _) => plan::Subject::Made(of),
        (Given::MadeOfAll, _) => plan::Subject::MadeOfAll,
        (Given::Own, Subject::Sync(descriptor)) => {
            plan::Subject::Field(internal, "sync", descriptor)
        }
        (Given::Own, Subject::This | Subject::Foreign | Subject::Task) => plan::Subject::This,
    };
    let told = match method.verdict() {
        Verdict::Always => Told::Always,
        Verdict::Truth => Told::Truth,
        Verdict::Stamp => Told::Stamp,
        Verdict::Amount => Told::Amount,
        Verdict::Reference => Told::Reference,
    };
    plan::Operation {
        class: internal,
        name: method.name,
        descriptor: method.descriptor,
        number,
        subject,
        hash: match class.subject {
            Subject::Foreign if internal == SYNCHRONIZER => "foreign",
            Subject::Foreign => "hash",
            Subject::Task => "task",
            Subject::This | Subject::Sync(_) => "blocker",
        },
        others: match class.subject {
            Subject::Foreign if internal == SYNCHRONIZER => &INSIDE_LOCKS,
            _ => &[],
        },
        before: method.is_told_before(),
        after: method.told_after().map(|_| told),
        amount: match method.count {
            Count::One => Amount::One,
            Count::Argument => Amount::Argument,
            Count::Result => Amount::Result,
            Count::Stamp => Amount::Stamp,
            Count::Thread => Amount::Thread,
            Count::Day => Amount::Day,
        },
        within: method.is_told_within(),
        of_heirs: juc::is_told_of_heirs(class, method),
    }
}

/// The operation that a method of a lock is.
pub(super) fn operation_named(
    class: &str,
    name: &str,
    descriptor: &str,
) -> Option<&'static Method> {
    let class = juc::class_named(class).filter(|class| class.is_of_locks())?;
    let mut methods = class.methods.iter();
    methods.find(|one| one.name == name && one.descriptor == descriptor)
}

fn is_foreign(class: &Class) -> bool {
    class.subject == Subject::Foreign
}

/// Whether a record is of an operation.
pub(super) fn is_of_operation(note: &Note) -> bool {
    (kind::BEGAN..=kind::THREW).contains(&note.kind)
}

/// All of them, by number.
static TABLE: LazyLock<Vec<(&'static Class, &'static Method)>> = LazyLock::new(|| {
    let all = juc::methods();
    all.map(|(_, class, method)| (class, method)).collect()
});

/// The operation that the argument of a record names.
pub(super) fn row(argument: u32) -> Option<(&'static Class, &'static Method)> {
    let number = argument & ((1 << kind::OPERATION_BITS) - 1);
    TABLE.get(number as usize).copied()
}

/// Whether the object of a record went through the lane of locks, not through that of blockers.
pub(super) fn is_of_foreign(note: &Note) -> bool {
    row(note.argument).is_some_and(|(class, _)| is_foreign(class))
}

/// Whether it is of a task: there are more than can be told apart, and of those nothing is said.
pub(super) fn is_of_task(note: &Note) -> bool {
    row(note.argument).is_some_and(|(class, _)| class.subject == Subject::Task)
}

/// A record in the one number that goes with an event.
pub(super) fn packed(note: &Note) -> u64 {
    u64::from(note.kind) << 32 | u64::from(note.argument)
}

/// What the trace is told of it.
pub(crate) fn operation(event: &Event, packed: u64) -> Option<Operation> {
    let argument = packed as u32;
    let (_, method) = row(argument)?;
    let (act, outcome) = match ((packed >> 32) as u32 & 0xff, method.told_after()) {
        (kind::BEGAN, _) => (method.act, Outcome::Done),
        (kind::DONE, Some(after)) => (after, Outcome::Done),
        (kind::FAILED, Some(after)) => (after, Outcome::Failed),
        (kind::THREW, after) => (after.unwrap_or(method.act), Outcome::Threw),
        _ => return None,
    };
    Some(Operation {
        at: event.at,
        thread: event.thread,
        lock: event.lock?,
        act,
        outcome,
        count: match method.is_at_once() {
            true => 0,
            false => argument >> kind::OPERATION_BITS,
        },
        tries: method.tries(),
        stack: event.stack,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::juc::Act;
    use locklens_trace::{EventKind, LockId, Nanos, Owner, ThreadId};

    #[test]
    fn a_record_says_what_was_done_and_how_it_went() {
        let told = |kind: u32, class: &str, name: &str, count: u32| {
            let all = juc::methods();
            let mut found = all.filter(|(_, c, m)| c.name == class && m.name == name);
            let (number, ..) = found.next().expect("in the table");
            let note = Note {
                chain: 0,
                at: 5,
                hash: 9,
                site: 0,
                tid: 1,
                kind,
                argument: count << kind::OPERATION_BITS | u32::from(number),
            };
            assert!(is_of_operation(&note));
            let event = Event {
                at: Nanos(5),
                thread: ThreadId(1),
                kind: EventKind::Entered,
                lock: Some(LockId(2)),
                stack: None,
                owner: Owner::Unknown,
                seq: None,
            };
            operation(&event, packed(&note)).map(|told| (told.act, told.outcome, told.count))
        };
        let lock = "java.util.concurrent.locks.ReentrantLock";
        let condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        let permits = "java.util.concurrent.Semaphore";
        let (done, failed, threw) = (Outcome::Done, Outcome::Failed, Outcome::Threw);
        assert_eq!(
            told(kind::DONE, lock, "lock", 1),
            Some((Act::Lock, done, 1))
        );
        assert_eq!(
            told(kind::FAILED, lock, "tryLock", 1),
            Some((Act::Lock, failed, 0)),
            "at once"
        );
        assert_eq!(
            told(kind::THREW, lock, "unlock", 1),
            Some((Act::Unlock, threw, 1))
        );
        assert_eq!(told(kind::DONE, lock, "unlock", 1), None, "told before");
        assert_eq!(
            told(kind::BEGAN, condition, "await", 1),
            Some((Act::Await, done, 1))
        );
        assert_eq!(
            told(kind::THREW, condition, "await", 1),
            Some((Act::Awaited, threw, 1))
        );
        assert_eq!(
            told(kind::BEGAN, permits, "release", 7),
            Some((Act::Unshare, done, 7))
        );
    }
}
