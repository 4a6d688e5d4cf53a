//! Locks that are called by nothing of the program's.
//!
//! A `Vector` that is in no field which some code locks has the name of its class, and all others of the program have that, too:
//! that two of them are taken in different orders says nothing of which. So what tells such deadlocks apart is, besides, in which
//! methods their locks were taken (`ways`).

use crate::effects::is_platform_name;
use crate::model::{LogicalLock, Model};
use crate::stable_name::short;
use std::collections::BTreeSet;

/// Whether the locks of a report are called by classes of the JDK's alone, in its order.
pub(super) fn foreign(model: &Model) -> Vec<bool> {
    let all = model.locks.iter().flat_map(classes);
    let platform = all.filter(|class| is_platform_name(class)).map(short);
    let platform: BTreeSet<String> = platform.collect();
    let is_foreign = |lock: &LogicalLock| {
        // From where the locks of `java.util.concurrent` are taken is not always known.
        if lock.uses.is_some() || lock.sampled.is_some() {
            return false;
        }
        let own = classes(lock).filter(|class| !is_platform_name(class));
        let own: BTreeSet<String> = own.map(short).collect();
        let is_platforms = |name: &str| platform.contains(name) && !own.contains(name);
        lock.name.split(" in ").all(|part| {
            let part = part.split('(').next().unwrap_or(part).trim_end();
            let owner = part.rsplit_once('.');
            // A mirror is one object, whoever takes it.
            let owner = owner.filter(|(_, field)| *field != "class");
            is_platforms(part)
                || is_platform_name(part)
                || owner.is_some_and(|(owner, _)| is_platforms(owner))
        })
    };
    model.locks.iter().map(is_foreign).collect()
}

/// Those of its objects, and those that have code which takes it.
fn classes(lock: &LogicalLock) -> impl Iterator<Item = &str> {
    let regions = lock.regions.iter().map(|region| region.class.as_str());
    lock.classes.iter().map(String::as_str).chain(regions)
}
