//! Newtypes for everything that is counted or timed in a trace.
//!
//! Ids are dense, start at 1 and are never reused within a recording, not even after the JVM
//! has unloaded the class or collected the object they stood for.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into a dense table (ids start at 1; slot 0 stays empty).
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

id!(
    /// One Java thread, platform or virtual; its Java tid is in its [`record::ThreadDef`](crate::record::ThreadDef).
    ThreadId, "T"
);
id!(
    /// One lock *object* (an instance, never a logical lock).
    LockId, "L"
);
id!(
    /// One class, that is one (defining loader, name) pair.
    ClassId, "C"
);
id!(
    /// One class loader. The boot loader has none.
    LoaderId, "D"
);
id!(
    /// One method of one class.
    MethodId, "M"
);
id!(
    /// One interned call chain.
    StackId, "S"
);

/// Nanoseconds on the target's `CLOCK_MONOTONIC`, counted from the start of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// A time or length given in milliseconds.
    #[must_use]
    pub fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// The length from `earlier` to `self`, zero if they are the wrong way round.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}
