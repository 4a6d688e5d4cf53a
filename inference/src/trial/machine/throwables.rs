//! The exceptions of the JDK that programs throw and catch around locks, and what each extends.

/// Each of these extends the one before the colon of its line.
const KINDS: [(&str, &[&str]); 12] = [
    (
        "java.lang.Throwable",
        &["java.lang.Exception", "java.lang.Error"],
    ),
    (
        "java.lang.Exception",
        &[
            "java.lang.RuntimeException",
            "java.lang.InterruptedException",
            "java.lang.CloneNotSupportedException",
            "java.lang.ReflectiveOperationException",
            "java.io.IOException",
            "java.sql.SQLException",
            "java.util.concurrent.BrokenBarrierException",
            "java.util.concurrent.ExecutionException",
            "java.util.concurrent.TimeoutException",
        ],
    ),
    (
        "java.lang.RuntimeException",
        &[
            "java.io.UncheckedIOException",
            "java.lang.ArithmeticException",
            "java.lang.ArrayStoreException",
            "java.lang.ClassCastException",
            "java.lang.IllegalArgumentException",
            "java.lang.IllegalMonitorStateException",
            "java.lang.IllegalStateException",
            "java.lang.IndexOutOfBoundsException",
            "java.lang.NegativeArraySizeException",
            "java.lang.NullPointerException",
            "java.lang.SecurityException",
            "java.lang.UnsupportedOperationException",
            "java.util.ConcurrentModificationException",
            "java.util.EmptyStackException",
            "java.util.MissingResourceException",
            "java.util.NoSuchElementException",
            "java.util.concurrent.CompletionException",
            "java.util.concurrent.RejectedExecutionException",
        ],
    ),
    (
        "java.lang.IllegalArgumentException",
        &[
            "java.lang.IllegalThreadStateException",
            "java.lang.NumberFormatException",
            "java.util.IllegalFormatException",
        ],
    ),
    (
        "java.lang.IllegalStateException",
        &["java.util.concurrent.CancellationException"],
    ),
    (
        "java.lang.IndexOutOfBoundsException",
        &[
            "java.lang.ArrayIndexOutOfBoundsException",
            "java.lang.StringIndexOutOfBoundsException",
        ],
    ),
    (
        "java.util.NoSuchElementException",
        &["java.util.InputMismatchException"],
    ),
    (
        "java.lang.ReflectiveOperationException",
        &[
            "java.lang.ClassNotFoundException",
            "java.lang.IllegalAccessException",
            "java.lang.InstantiationException",
            "java.lang.NoSuchFieldException",
            "java.lang.NoSuchMethodException",
        ],
    ),
    (
        "java.io.IOException",
        &[
            "java.io.EOFException",
            "java.io.FileNotFoundException",
            "java.io.InterruptedIOException",
            "java.net.SocketException",
            "java.nio.channels.ClosedChannelException",
        ],
    ),
    (
        "java.io.InterruptedIOException",
        &["java.net.SocketTimeoutException"],
    ),
    (
        "java.lang.Error",
        &[
            "java.lang.AssertionError",
            "java.lang.LinkageError",
            "java.lang.ThreadDeath",
            "java.lang.VirtualMachineError",
        ],
    ),
    (
        "java.lang.VirtualMachineError",
        &[
            "java.lang.InternalError",
            "java.lang.OutOfMemoryError",
            "java.lang.StackOverflowError",
        ],
    ),
];

/// Whether an exception of this class is one of the other, if its class is in the table.
pub(super) fn is_kind(class: &str, of: &str) -> Option<bool> {
    let mut class = class;
    loop {
        if class == of {
            return Some(true);
        }
        if class == KINDS[0].0 {
            return Some(false);
        }
        class =
            { KINDS.iter() }.find_map(|(above, below)| below.contains(&class).then_some(*above))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_leads_to_the_root_and_checked_ones_are_no_others() {
        for (above, below) in KINDS {
            for class in below {
                assert_eq!(is_kind(class, KINDS[0].0), Some(true), "{class}");
                assert_eq!(is_kind(class, above), Some(true), "{class}");
            }
        }
        let runtime = |class: &str| is_kind(class, "java.lang.RuntimeException");
        assert_eq!(runtime("java.lang.InterruptedException"), Some(false));
        assert_eq!(
            runtime("java.util.concurrent.TimeoutException"),
            Some(false)
        );
        assert_eq!(runtime("java.lang.NumberFormatException"), Some(true));
        assert_eq!(runtime("javax.naming.NamingException"), None);
        let error = |class: &str| is_kind(class, "java.lang.Exception");
        assert_eq!(error("java.lang.AssertionError"), Some(false));
        let argument = |class: &str| is_kind(class, "java.lang.IllegalArgumentException");
        assert_eq!(argument("java.lang.NumberFormatException"), Some(true));
        assert_eq!(argument("java.lang.IllegalStateException"), Some(false));
    }
}
