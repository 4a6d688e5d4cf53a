//! From where a lock is used, by a call chain.

use super::kind::{is_concurrent, is_parking, is_queue};
use crate::catalog::Catalog;
use locklens_trace::record::Frame;

/// A frame of the JDK's that says nothing of who uses a lock: methods that queues inherit, and ways to call anything.
fn is_passage(class: &str) -> bool {
    class.starts_with("java.util.Abstract")
        || class.starts_with("java.lang.reflect.")
        || class.starts_with("java.lang.invoke.")
        || class.starts_with("jdk.internal.reflect.")
        || class.starts_with("sun.reflect.")
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
        } else if is_passage(&class) {
            passage = passage.or(Some(at));
        } else if is_beginning(&class, &method.name) {
            return inside.or(passage).or(Some(at));
        } else {
            return Some(at);
        }
    }
    passage
}
