//! That a recording has no operation on locks of `java.util.concurrent`, and whether the program uses any.

use super::callers::{called, insns};
use super::unseen::is_program;
use crate::collect::Collected;
use crate::stable_name::{short, stable_method};
use locklens_trace::MethodId;
use locklens_trace::record::target_key;
use std::collections::BTreeSet;

/// What takes such a lock, or gives the one to take.
const TAKES: [&str; 8] = [
    "lock",
    "lockInterruptibly",
    "tryLock",
    "readLock",
    "writeLock",
    "acquire",
    "acquireUninterruptibly",
    "tryAcquire",
];
const LOCKS: &str = "java.util.concurrent.locks.";
const SEMAPHORE: &str = "java.util.concurrent.Semaphore";
const USED: &str = " locks of java.util.concurrent, which are not in the recording: that no cycle over them is told proves nothing; 'locklens trace --juc' has them";
const UNKNOWN: &str =
    "locks of java.util.concurrent are not in the recording: 'locklens trace --juc' has them, too";

/// What to say of that; nothing where they were asked for.
#[must_use]
pub fn without_operations(collected: &Collected) -> Option<String> {
    let asked = [
        target_key::PARKS_SINCE,
        target_key::OPERATIONS,
        target_key::GUARD_JUC,
    ];
    if asked.iter().any(|key| collected.target.contains_key(*key)) {
        return None;
    }
    let catalog = &collected.catalog;
    let takes = |&method: &MethodId| {
        let mut calls = insns(catalog, method).filter_map(called);
        calls.any(|(_, called)| {
            let of_locks = called.class.starts_with(LOCKS) || called.class == SEMAPHORE;
            of_locks && TAKES.contains(&called.name.as_str())
        })
    };
    let named = catalog
        .code
        .keys()
        .copied()
        .filter(takes)
        .filter_map(|method| {
            let def = catalog.methods.get(&method)?;
            let class = catalog.class_name(def.class);
            is_program(&class).then(|| format!("{}.{}", short(&class), stable_method(&def.name)))
        });
    let named: BTreeSet<String> = named.collect();
    Some(named.first().map_or_else(
        || UNKNOWN.to_owned(),
        |first| match named.len() {
            1 => format!("{first} uses{USED}"),
            n => format!(
                "{first} and {} more of the program's methods use{USED}",
                n - 1
            ),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Collector;
    use crate::fixtures::{Build, call, leave};
    use crate::model::Options;
    use locklens_trace::Record;

    /// What is said where a method of this class calls that one; `asked`: what says that its operations were to be recorded.
    fn said(own: &str, (class, method): (&str, &str), asked: Option<&str>) -> Option<String> {
        let mut build = Build::default();
        let own = build.class(own, "java.lang.Object");
        build.coded(own, "sell", 0, vec![call(class, method), leave()]);
        let mut collector = Collector::of_piece(Options::default(), build.catalog);
        if let Some(key) = asked {
            let fact = (key.to_owned(), "1".to_owned());
            collector.push(Record::Target(vec![fact]));
        }
        without_operations(&collector.finish())
    }

    #[test]
    fn that_such_locks_are_left_out_is_told_with_who_uses_them() {
        let lock = ("java.util.concurrent.locks.ReentrantLock", "lock");
        let told = said("a.Desk", lock, None).unwrap();
        assert!(told.starts_with("Desk.sell uses"), "{told}");
        let semaphore = ("java.util.concurrent.Semaphore", "acquire");
        assert!(
            said("a.Desk", semaphore, None)
                .unwrap()
                .contains("Desk.sell")
        );
        assert_eq!(
            said("a.Desk", ("a.Own", "lock"), None).as_deref(),
            Some(UNKNOWN)
        );
        assert_eq!(said("java.util.Desk", lock, None).as_deref(), Some(UNKNOWN));
        for key in [target_key::PARKS_SINCE, target_key::GUARD_JUC] {
            assert_eq!(said("a.Desk", lock, Some(key)), None);
        }
    }
}
