//! Which threads are one group: by their names, the numbers in them folded.

/// The name with each run of digits as one `#`: `pool-1-thread-17` and `pool-2-thread-3` are `pool-#-thread-#`.
#[must_use]
pub fn folded(name: &str) -> String {
    let mut group = String::with_capacity(name.len());
    let mut in_number = false;
    for c in name.chars() {
        let digit = c.is_ascii_digit();
        match (digit, in_number) {
            (true, true) => {}
            (true, false) => group.push('#'),
            (false, _) => group.push(c),
        }
        in_number = digit;
    }
    group
}

/// Threads that every JVM has and no program made, as far as they run Java code.
const SERVICE: [&str; 11] = [
    "Attach Listener",
    "Common-Cleaner",
    "DestroyJavaVM",
    "Finalizer",
    "Notification Thread",
    "Reference Handler",
    "Service Thread",
    "Signal Dispatcher",
    "VirtualThread-unblocker",
    "VirtualThread-unparker",
    "locklens",
];

/// Threads of the JVM's own that run no Java code, by how their names begin.
const FRAMELESS: [&str; 6] = [
    "C1 CompilerThread",
    "C2 CompilerThread",
    "JVMCI",
    "Monitor Deflation Thread",
    "Surrogate Locker Thread",
    "Sweeper thread",
];

/// Whether a thread of this name, of which there is no call chain, is the JVM's own.
#[must_use]
pub fn is_frameless(name: &str) -> bool {
    FRAMELESS.iter().any(|begin| name.starts_with(begin))
}

/// Whether a thread of this name is the JVM's own, or ours: no thread of the program.
#[must_use]
pub fn is_service(name: &str) -> bool {
    SERVICE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn numbers_are_folded() {
        assert_eq!(folded("pool-12-thread-345"), "pool-#-thread-#");
        assert_eq!(folded("http-nio-8080-exec-7"), "http-nio-#-exec-#");
        assert_eq!(folded("main"), "main");
        assert_eq!(folded("42"), "#");
        assert_eq!(folded(""), "");
    }
}
