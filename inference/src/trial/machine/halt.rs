//! Why a simulated thread does not go on.

use std::borrow::Cow;
use std::sync::Arc;

/// An execution cannot go on as normal.
#[derive(Clone, Debug)]
pub(super) enum Halt {
    /// It cannot be followed, for this reason.
    Stuck(Cow<'static, str>),
    /// An exception of this class was thrown.
    Throw(Arc<str>),
}

/// The result of something that may not go on.
pub(super) type Do<T> = Result<T, Halt>;

/// It cannot be followed.
pub(super) fn stuck<T>(why: impl Into<Cow<'static, str>>) -> Do<T> {
    Err(Halt::Stuck(why.into()))
}

/// An exception of a `java.lang` class.
pub(super) fn throw<T>(class: &str) -> Do<T> {
    let package = if class.contains('.') {
        ""
    } else {
        "java.lang."
    };
    Err(Halt::Throw(format!("{package}{class}").into()))
}
