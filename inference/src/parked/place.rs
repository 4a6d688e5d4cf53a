//! From where a lock is used, by a call chain.

use super::kind::{is_concurrent, is_parking, is_queue};
use crate::catalog::Catalog;
use crate::program::hands_on;
use locklens_trace::record::Frame;

/// Methods that queues inherit: they say nothing of who uses a lock.
fn is_inherited(class: &str) -> bool {
    class.starts_with("java.util.Abstract")
        || matches!(class, "java.util.Collection" | "java.lang.Iterable")
}

/// The frame that every thread begins with.
fn is_beginning(class: &str, method: &str) -> bool {
    matches!(class, "java.lang.Thread" | "java.lang.VirtualThread")
        && matches!(method, "run" | "runWith")
}

/// The frame of a call chain that says from where a lock is used: the innermost one that is neither of `java.util.concurrent` nor a
/// passage to it. A thread that runs nothing else (of a pool) is where that code itself uses the lock.
pub(crate) fn telling(catalog: &Catalog, frames: &[Frame]) -> Option<usize> {
    let (mut inside, mut passage) = (None, None);
    for (at, frame) in frames.iter().enumerate() {
        let method = catalog.methods.get(&frame.method)?;
        let class = catalog.class_name(method.class);
        if is_concurrent(&class) {
            let uses = !is_parking(&class) && !is_queue(&class);
            inside = inside.or(uses.then_some(at));
        } else if is_inherited(&class) || hands_on(catalog, method.class) {
            passage = passage.or(Some(at));
        } else if is_beginning(&class, &method.name) {
            return inside.or(passage).or(Some(at));
        } else {
            return Some(at);
        }
    }
    passage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Build;

    #[test]
    fn a_call_site_that_groovy_makes_is_not_where_a_lock_is_used() {
        let told = |above: &str| {
            let mut b = Build::default();
            let mut frame = |class: &str, above: &str, method: &str| {
                let class = b.class(class, above);
                (b.method(class, method, "()V", 0), 0)
            };
            let lock = "java.util.concurrent.locks.ReentrantLock";
            let frames = [
                frame(lock, "java.lang.Object", "lock"),
                frame("java_util_concurrent_locks_Lock$lock", above, "call"),
                frame("app.Shop", "java.lang.Object", "look"),
            ];
            let stack = b.stack(&frames);
            telling(&b.catalog, &b.catalog.stacks[&stack].frames)
        };
        let site = "org.codehaus.groovy.runtime.callsite.PojoMetaMethodSite";
        assert_eq!(told(site), Some(2));
        assert_eq!(told("app.Site"), Some(1));
    }
}
