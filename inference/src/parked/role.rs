//! What the program does at a place where it calls `java.util.concurrent`, as the method called there says.

use super::kind::is_queue;
use crate::types::Role;

/// What a method of the JDK's does to the lock it is called on.
pub(super) fn role(class: &str, method: &str) -> Option<Role> {
    let name = class.strip_prefix("java.util.concurrent.")?;
    let does = |verbs: &[&str]| verbs.iter().any(|verb| method.starts_with(verb));
    let one_of = |pairs: &[(&[&str], Role)]| {
        let mut pairs = pairs.iter();
        pairs.find(|(verbs, _)| does(verbs)).map(|(_, role)| *role)
    };
    match name {
        "locks.ReentrantLock" => one_of(&[
            (&["lock", "tryLock"], Role::Lock),
            (&["unlock"], Role::Unlock),
        ]),
        "locks.ReentrantReadWriteLock$ReadLock" => one_of(&[
            (&["lock", "tryLock"], Role::ReadLock),
            (&["unlock"], Role::ReadUnlock),
        ]),
        "locks.ReentrantReadWriteLock$WriteLock" => one_of(&[
            (&["lock", "tryLock"], Role::WriteLock),
            (&["unlock"], Role::WriteUnlock),
        ]),
        "locks.StampedLock" => one_of(&[
            (&["readLock", "tryReadLock"], Role::ReadLock),
            (&["writeLock", "tryWriteLock"], Role::WriteLock),
            (&["unlockRead"], Role::ReadUnlock),
            (&["unlockWrite"], Role::WriteUnlock),
        ]),
        "locks.AbstractQueuedSynchronizer$ConditionObject"
        | "locks.AbstractQueuedLongSynchronizer$ConditionObject" => {
            one_of(&[(&["await"], Role::Wait), (&["signal"], Role::Notify)])
        }
        "Semaphore" => one_of(&[
            (&["acquire", "tryAcquire"], Role::Acquire),
            (&["release"], Role::Release),
        ]),
        "CountDownLatch" => one_of(&[(&["await"], Role::Await), (&["countDown"], Role::CountDown)]),
        "CyclicBarrier" => one_of(&[(&["await"], Role::Arrive)]),
        "Phaser" => one_of(&[(&["arrive", "awaitAdvance"], Role::Arrive)]),
        "Exchanger" => one_of(&[(&["exchange"], Role::Arrive)]),
        "FutureTask" | "CompletableFuture" | "ForkJoinTask" => {
            one_of(&[(&["get", "join", "invoke", "quietly"], Role::Join)])
        }
        "ThreadPoolExecutor" | "ForkJoinPool" => one_of(&[(&["awaitTermination"], Role::Join)]),
        _ if is_queue(class) => one_of(&[
            (
                &["put", "offer", "add", "transfer", "tryTransfer"],
                Role::Put,
            ),
            (&["take", "poll", "drainTo", "remove"], Role::Take),
        ]),
        _ => None,
    }
}

/// Whether a method asks for a synchronizer itself: for a share of it, or for all of it.
pub(super) fn shared(class: &str, method: &str) -> Option<bool> {
    let name = class.strip_prefix("java.util.concurrent.locks.")?;
    let is_synchronizer = matches!(
        name,
        "AbstractQueuedSynchronizer" | "AbstractQueuedLongSynchronizer"
    );
    let asks = method.starts_with("acquire") || method.starts_with("tryAcquire");
    (is_synchronizer && asks).then(|| method.contains("Shared"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_synchronizer_is_asked_for_a_share_or_for_all() {
        let of = |method| {
            shared(
                "java.util.concurrent.locks.AbstractQueuedSynchronizer",
                method,
            )
        };
        assert_eq!(of("acquireSharedInterruptibly"), Some(true));
        assert_eq!(of("tryAcquireNanos"), Some(false));
        assert_eq!(of("release"), None);
        assert_eq!(shared("java.util.concurrent.Semaphore", "acquire"), None);
    }

    #[test]
    fn the_method_called_says_what_is_done() {
        let of = |class: &str, method| role(&format!("java.util.concurrent.{class}"), method);
        let read = "locks.ReentrantReadWriteLock$ReadLock";
        assert_eq!(of(read, "lockInterruptibly"), Some(Role::ReadLock));
        assert_eq!(of(read, "unlock"), Some(Role::ReadUnlock));
        assert_eq!(of("Semaphore", "tryAcquire"), Some(Role::Acquire));
        assert_eq!(of("LinkedBlockingQueue", "offer"), Some(Role::Put));
        assert_eq!(of("LinkedBlockingQueue", "poll"), Some(Role::Take));
        assert_eq!(of("LinkedBlockingQueue", "fullyLock"), None);
        assert_eq!(role("app.Semaphore", "acquire"), None);
    }
}
