//! How an operation is called: its method, receiver and arguments.

use super::value::Value;
use crate::statics::program::MethodIx;
use locklens_trace::ClassId;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// How an operation is called.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) method: MethodIx,
    /// The receiver first, if there is one.
    pub(super) arguments: Vec<Argument>,
    /// The call ends when a region of the lock has been left: the method itself would go on for ever. Not where it leaves it
    /// here, and comes straight to the next one.
    pub(super) cut: Option<Rc<BTreeSet<usize>>>,
}

impl Plan {
    /// The class of what it is called on, if an operation returns that.
    pub(super) fn handle(&self) -> Option<ClassId> {
        match self.arguments.first() {
            Some(Argument::Handle(class)) => Some(*class),
            _ => None,
        }
    }

    /// It is called on an object of the calling thread's own, or handed one first.
    pub(super) fn has_holder(&self) -> bool {
        matches!(self.arguments.first(), Some(Argument::Own(_)))
    }
}

impl Plan {
    /// They are of different methods, or hand in something else for good: nothing at all, or another value.
    pub(super) fn is_told_apart(&self, from: &Self) -> bool {
        let nothing = Argument::Fixed(Value::Null);
        let differs = |(a, b): (&Argument, &Argument)| {
            a != b && (a.is_for_good() && b.is_for_good() || *a == nothing || *b == nothing)
        };
        let mut pairs = self.arguments.iter().zip(&from.arguments);
        self.method != from.method || pairs.any(differs)
    }
}

impl Argument {
    /// A number that differs from call to call, or from thread to thread.
    pub(super) fn is_varying_number(&self) -> bool {
        matches!(
            self,
            Self::ThreadIndex
                | Self::CallIndex
                | Self::Round
                | Self::Each(_)
                | Self::Got
                | Self::Numbered(_)
        )
    }

    /// An object of a known class that is made to be handed in.
    pub(super) fn is_made_for_it(&self) -> bool {
        matches!(self, Self::Of(_) | Self::Unlike(..) | Self::Own(_))
    }

    /// The same in every call.
    fn is_for_good(&self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Supposed(_))
    }
}

/// How an argument is chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    /// This value.
    Fixed(Value),
    /// This number, which nobody is known to hand in, or not always.
    Supposed(i64),
    /// The index of the calling thread.
    ThreadIndex,
    /// How many calls of the operation there were before.
    CallIndex,
    /// How many calls of it the calling thread has made before.
    Round,
    /// One of these after the other, from call to call.
    Each(Vec<Value>),
    /// The number that the thread got last from an operation.
    Got,
    /// A number by which the call is recognised, above this one.
    Numbered(i64),
    /// A new object by which the call is recognised, of a class that is not known.
    Token(Arc<str>),
    /// The object that the thread got last from an operation; else a token.
    GotObject(Arc<str>),
    /// The calling thread's object.
    Current,
    /// A new array of tokens (objects, or numbers above this one).
    Tokens(Option<i64>),
    /// The array that the thread got from an operation and has not handed on; else such a new one.
    GotArray(Option<i64>),
    /// A new list with a token in it.
    List,
    /// What an operation returned that this one has not been called on yet: got by this thread, or
    /// else by another one.
    Handle(ClassId),
    /// What the thread got last from an operation, if it is of this class; else a new object,
    /// by which the call is recognised.
    Of(ClassId),
    /// A new object of this class with names of its own (and numbers, if so), by which the call is recognised.
    Unlike(ClassId, bool),
    /// An object of this class, one for each thread.
    Own(ClassId),
    /// A key of this type, one for each thread, the same in all operations.
    OwnKey(Arc<str>),
}
