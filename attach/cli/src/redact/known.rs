//! What everybody knows: names of the JDK, words of its threads, methods that its types ask for.

use locklens_inference::sample::group;
use locklens_trace::crowd;

/// Beginnings of the names of classes that stay.
const PUBLIC: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// Methods that programs override or call by types of the JDK: their names tell nothing, and callers are found by them.
pub(super) const METHODS: [&str; 71] = [
    "accept",
    "acquire",
    "acquireShared",
    "add",
    "addAll",
    "apply",
    "applyAsInt",
    "arrive",
    "await",
    "call",
    "clear",
    "close",
    "compare",
    "compareTo",
    "contains",
    "containsKey",
    "countDown",
    "equals",
    "execute",
    "finalize",
    "flush",
    "forEach",
    "get",
    "getAndSet",
    "hasNext",
    "hashCode",
    "incrementAndGet",
    "interrupt",
    "invoke",
    "isEmpty",
    "isHeldExclusively",
    "iterator",
    "join",
    "lock",
    "lockInterruptibly",
    "main",
    "newCondition",
    "newThread",
    "next",
    "notify",
    "notifyAll",
    "offer",
    "park",
    "peek",
    "poll",
    "push",
    "put",
    "read",
    "readLock",
    "release",
    "releaseShared",
    "remove",
    "run",
    "set",
    "signal",
    "signalAll",
    "size",
    "sleep",
    "start",
    "submit",
    "take",
    "test",
    "toString",
    "tryAcquire",
    "tryAcquireShared",
    "tryLock",
    "tryRelease",
    "tryReleaseShared",
    "unlock",
    "wait",
    "writeLock",
];

/// Words of which the JDK and servers make the names of their threads.
pub(super) const THREADS: [&str; 40] = [
    "main",
    "Thread",
    "thread",
    "pool",
    "worker",
    "ForkJoinPool",
    "commonPool",
    "Timer",
    "Reference",
    "Handler",
    "Finalizer",
    "Signal",
    "Dispatcher",
    "Common",
    "Cleaner",
    "Attach",
    "Listener",
    "Notification",
    "process",
    "reaper",
    "DestroyJavaVM",
    "Compiler",
    "CompilerThread",
    "Sweeper",
    "Service",
    "Monitor",
    "Deflation",
    "VirtualThread",
    "unparker",
    "unblocker",
    "Read",
    "Poller",
    "Write",
    "JFR",
    "Recorder",
    "Periodic",
    "Tasks",
    "RMI",
    "system",
    "InnocuousThreadGroup",
];

/// What stands between the words of the JDK and its numbers.
const BETWEEN: [&str; 4] = ["-", " ", "#", "."];

/// Digits of a number that only counts threads.
const COUNTING: usize = 5;

/// Where the JVM puts what implements an interface of the program by a method handle, under the name of that.
const HANDLE_PROXIES: &str = "jdk.MHProxy";

/// Known to everybody.
pub(super) fn is_public(class: &str) -> bool {
    PUBLIC.iter().any(|start| class.starts_with(start)) && !class.starts_with(HANDLE_PROXIES)
        || !class.contains(['.', '$']) && PRIMITIVES.contains(&class)
}

/// Known to everybody, and so are its methods and fields. Those of a proxy are of the program's interfaces.
pub(super) fn has_public_members(class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    is_public(class) && !simple.starts_with("$Proxy")
}

const PRIMITIVES: [&str; 9] = [
    "void", "boolean", "byte", "char", "short", "int", "long", "float", "double",
];

/// A thread by whose name the analysis tells that it is none of the program's: what it says of a redacted trace would be
/// something else without it.
pub(super) fn is_service_thread(name: &str) -> bool {
    crowd::is_service(name, "") || group::is_service(name)
}

/// Whether a thread has only words of the JDK, and numbers that count: a date, an address or a number alone tells of the
/// program.
pub(super) fn are_usual(runs: &[&str]) -> bool {
    let words = { runs.iter() }.filter(|run| !BETWEEN.contains(run));
    let words: Vec<&str> = words.copied().collect();
    let is_word = |run: &&str| THREADS.contains(run);
    let counts = |run: &str| run.len() <= COUNTING && run.bytes().all(|b| b.is_ascii_digit());
    words.iter().all(|run| is_word(run) || counts(run))
        && words.first().is_some_and(is_word)
        && words.windows(2).all(|two| two.iter().any(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_known_and_its_methods_are_not() {
        for proxy in ["com.sun.proxy.$Proxy0", "jdk.proxy2.$Proxy17"] {
            assert!(is_public(proxy) && !has_public_members(proxy), "{proxy}");
        }
        assert!(has_public_members("java.lang.reflect.Proxy"));
        assert!(!is_public("jdk.MHProxy1.Vault"));
    }
}
