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
    let asked = [target_key::PARKS_SINCE, target_key::OPERATIONS];
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
