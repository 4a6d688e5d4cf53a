//! What callbacks find out once for every new thread, class, method, lock or call chain, on its
//! way to the writer.
//!
//! This is the slow path: a mutex around a vector. Nothing but a push happens under it, in
//! particular no call of the JVM, so it is never held across a safepoint or a suspension.

use crate::owner::Place;
use crate::vm::{Handle, Weak};
use locklens_trace::record::{FieldsDef, LoaderDef, LockDef, StackDef, ThreadDef};
use locklens_trace::{ClassId, LoaderId, LockId, MethodId, ThreadId};
use std::mem;
use std::sync::{Mutex, PoisonError};

/// A class seen for the first time.
pub(crate) struct NewClass {
    pub(crate) id: ClassId,
    pub(crate) name: String,
    pub(crate) loader: Option<LoaderId>,
    /// The class, if it still lives when the writer comes to it.
    pub(crate) mirror: Option<Weak>,
}

/// A method seen for the first time; its lines are read later, if its class still lives.
pub(crate) struct NewMethod {
    pub(crate) id: MethodId,
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) flags: u32,
    pub(crate) handle: Handle,
}

/// See the module.
pub(crate) enum Definition {
    Loader(LoaderDef),
    Class(NewClass),
    Method(NewMethod),
    Stack(StackDef),
    /// A chain that was only looked at: code is read of those of the program's classes that the JDK's are called from, no more.
    ParkedStack(StackDef),
    Lock(LockDef),
    /// A lock that is no monitor.
    Synchronizer(LockDef),
    Fields(FieldsDef),
    /// This id stands for the lock that an object is, if that still lives when the writer comes to it.
    PutOff(LockId, Weak),
    Thread(ThreadDef),
    /// Where a thread is in memory, from its start on.
    Place(ThreadId, Place),
    /// The name with which a thread of this tid begins that has no id.
    Born(u64, String),
    /// The name a thread has at its end.
    LastName(ThreadId, String),
}

/// Definitions the writer has not taken yet.
#[derive(Default)]
pub(crate) struct Definitions(Mutex<Vec<Definition>>);

impl Definitions {
    /// Adds one.
    pub(crate) fn push(&self, definition: Definition) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(definition);
    }

    /// Takes all.
    pub(crate) fn take(&self) -> Vec<Definition> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
